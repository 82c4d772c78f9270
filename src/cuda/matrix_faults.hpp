// What is said of matrices without a result (singular, not positive definite, not converged), by cuSOLVER or a kernel:
// numbers on the device, copied to pinned memory behind each call, which the host looks at whenever it waits for the device
// anyway. As fault_records: a wait settles what was queued before a mark, a number in the order of calls.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "frit/dtype.hpp"
#include "frit/shape.hpp"
#include "src/cuda/device.hpp"

namespace frit::inline v0::detail::cuda {

class matrix_faults {
public:
    using mark_type = std::uint64_t;  ///< of all calls that were ever watched, how many came before

    /// What the error will say.
    struct watched {
        std::string who, problem;
        shape extents;  ///< of the operand: all axes but the last two are the batch
        dtype type;
        std::string formula;
    };

    explicit matrix_faults(const device& d) : device_(d) {}
    /// Queues a copy of `count` numbers that lie on the device, 0 where a matrix has its result. May wait for the device,
    /// once in thousands of calls.
    void watch(watched, const int* on_device, std::int64_t count);
    /// The same of one number: that of the first matrix without a result, or no_matrix.
    void watch_first(watched, const std::uint64_t* on_device);
    static constexpr std::uint64_t no_matrix = ~std::uint64_t{0};
    /// The calls that are queued. Take it before what is then waited for is queued.
    mark_type mark();
    /// Call it when the calls before the mark have run. @throws linalg_error, for the first matrix without a result
    void check(mark_type);

private:
    struct pinned {
        int* memory = nullptr;
        std::int64_t capacity = 0;
    };
    struct record {
        watched what;
        pinned found;
        std::int64_t count;                  ///< of ints
        bool is_number;                      ///< two that are one number
        std::int64_t first_without() const;  ///< the matrix, or -1
    };
    pinned take(std::int64_t count);
    void queue(watched, const void* on_device, std::int64_t count, bool is_number);
    mark_type queued() const { return first_ + records_.size(); }
    void collect(mark_type end);

    const device& device_;
    std::mutex lock_;
    mark_type first_ = 0;  ///< of the oldest record
    std::deque<record> records_;
    std::vector<pinned> free_;
    std::string found_;  ///< what the error is going to say
};

}  // namespace frit::v0::detail::cuda
