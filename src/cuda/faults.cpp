// See faults.hpp.
#include "src/cuda/faults.hpp"

#include <utility>

#include "frit/error.hpp"
#include "src/base/errors.hpp"

namespace frit::inline v0::detail::cuda {
namespace {
constexpr std::size_t most = 4096;  // launches between two waits
}  // namespace

fault_records::fault_records(device& on) : device_(on) {
    void* memory = nullptr;
    cuda::check(device_.api.host_alloc(&memory, most * sizeof(record)), device_.label, "pinning its fault records");
    records_ = static_cast<record*>(memory);
    cuda::check(device_.api.host_device_pointer(&on_device_, memory, 0), device_.label, "mapping its fault records");
}

std::uint64_t fault_records::take(std::string_view formula) {
    const std::scoped_lock guard(lock_);
    if (formulas_.size() == most) {
        cuda::check(device_.api.stream_synchronize(device_.work), device_.label, "waiting for kernels");
        collect();
    }
    records_[formulas_.size()].words[0] = 0;
    formulas_.emplace_back(formula);
    return on_device_ + (formulas_.size() - 1) * sizeof(record);
}

void fault_records::collect() {
    for (std::size_t k = 0; k < formulas_.size(); ++k) {
        const volatile std::uint64_t* const words = records_[k].words;
        if (words[0] != 0 && found_.empty())
            found_ = index_fault(static_cast<std::int64_t>(words[1]), static_cast<std::int64_t>(words[2]), formulas_[k]);
    }
    formulas_.clear();
}

void fault_records::check() {
    const std::scoped_lock guard(lock_);
    collect();
    if (!found_.empty()) throw index_error(device_.label + ": " + std::exchange(found_, {}));
}

}  // namespace frit::v0::detail::cuda
