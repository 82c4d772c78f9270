// See matrix_faults.hpp.
#include "src/cuda/matrix_faults.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "frit/error.hpp"
#include "src/base/errors.hpp"

namespace frit::inline v0::detail::cuda {
namespace {
constexpr std::size_t most = 4096;  // records
}  // namespace

matrix_faults::pinned matrix_faults::take(std::int64_t count) {
    for (pinned& p : free_)
        if (p.capacity >= count) {
            const pinned fits = p;
            p = free_.back();
            free_.pop_back();
            return fits;
        }
    const auto capacity =
        static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(count, 16))));
    void* memory = nullptr;
    cuda::check(device_.api.host_alloc(&memory, static_cast<std::size_t>(capacity) * sizeof(int)), device_.label,
                "pinning what its solver says");
    return {static_cast<int*>(memory), capacity};
}

void matrix_faults::watch(watched what, const int* on_device, std::int64_t count) {
    queue(std::move(what), on_device, count, false);
}
void matrix_faults::watch_first(watched what, const std::uint64_t* on_device) {
    queue(std::move(what), on_device, sizeof(std::uint64_t) / sizeof(int), true);
}

void matrix_faults::queue(watched what, const void* on_device, std::int64_t count, bool is_number) {
    const current_context here(device_);
    const std::scoped_lock guard(lock_);
    if (records_.size() == most) {
        cuda::check(device_.api.stream_synchronize(device_.work), device_.label, "waiting for its solver");
        collect(queued());
    }
    free_.reserve(free_.size() + records_.size() + 1);  // so that collecting needs no memory
    records_.push_back({std::move(what), take(count), count, is_number});
    const result r = device_.api.copy_to_host(records_.back().found.memory, reinterpret_cast<device_pointer>(on_device),
                                              static_cast<std::size_t>(count) * sizeof(int), device_.work);
    if (r == success) return;
    free_.push_back(records_.back().found);
    records_.pop_back();
    cuda::throw_failed(r, device_.label, "copying what its solver says");
}

matrix_faults::mark_type matrix_faults::mark() {
    const std::scoped_lock guard(lock_);
    return queued();
}

std::int64_t matrix_faults::record::first_without() const {
    if (is_number) {
        std::uint64_t number = 0;
        std::memcpy(&number, found.memory, sizeof number);
        return static_cast<std::int64_t>(number);  // of no_matrix: -1
    }
    const int* const last = found.memory + count;
    const int* const bad = std::find_if(found.memory, const_cast<int*>(last), [](int info) { return info != 0; });
    return bad == last ? -1 : bad - found.memory;
}

/// Retires the records before `end`; another thread may have done it.
void matrix_faults::collect(mark_type end) {
    for (; first_ < end; ++first_) {
        const record& r = records_.front();
        if (const std::int64_t matrix = r.first_without(); matrix >= 0 && found_.empty())
            found_ =
                matrix_fault(r.what.who, matrix, r.what.problem, r.what.extents, r.what.type) + ", in " + r.what.formula;
        free_.push_back(r.found);
        records_.pop_front();
    }
}

void matrix_faults::check(mark_type end) {
    const std::scoped_lock guard(lock_);
    collect(end);
    if (!found_.empty()) throw linalg_error(device_.label + ": " + std::exchange(found_, {}));
}

}  // namespace frit::v0::detail::cuda
