// See faults.hpp.
#include "src/cuda/faults.hpp"

#include <utility>

#include "frit/error.hpp"
#include "src/base/errors.hpp"

namespace frit::inline v0::detail::cuda {
namespace {
constexpr std::size_t most = 4096;  // records in use
}  // namespace

fault_records::fault_records(device& on) : device_(on) {
    void* memory = nullptr;
    cuda::check(device_.api.host_alloc(&memory, most * sizeof(record)), device_.label, "pinning its fault records");
    records_ = static_cast<record*>(memory);
    cuda::check(device_.api.host_device_pointer(&on_device_, memory, 0), device_.label, "mapping its fault records");
}

fault_records::record& fault_records::record_of(mark_type launch) { return records_[launch % most]; }

fault_records::ticket fault_records::take(std::string_view formula) {
    std::unique_lock held(lock_);
    if (formulas_.size() == most) {  // all of them queued, as a ticket holds the lock
        cuda::check(device_.api.stream_synchronize(device_.work), device_.label, "waiting for kernels");
        collect(queued());
    }
    record& fresh = record_of(queued());
    fresh.words[0] = 0;
    formulas_.emplace_back(formula);
    return {on_device_ + static_cast<std::uint64_t>(&fresh - records_) * sizeof(record), std::move(held)};
}

fault_records::mark_type fault_records::mark() {
    const std::scoped_lock guard(lock_);
    return queued();
}

/// Retires the records before `end`; another thread may have done it.
void fault_records::collect(mark_type end) {
    for (; first_ < end; ++first_) {
        const volatile std::uint64_t* const words = record_of(first_).words;
        if (words[0] != 0 && found_.empty())
            found_ =
                index_fault(static_cast<std::int64_t>(words[1]), static_cast<std::int64_t>(words[2]), formulas_.front());
        formulas_.pop_front();
    }
}

void fault_records::check(mark_type end) {
    const std::scoped_lock guard(lock_);
    collect(end);
    if (!found_.empty()) throw index_error(device_.label + ": " + std::exchange(found_, {}));
}

}  // namespace frit::v0::detail::cuda
