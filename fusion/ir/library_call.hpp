// One call of a library of dense linear algebra, scans or sorts, as plain data: what library ops of the graph become once
// their operands are in memory. Unlike a kernel it is not generated, so extents and strides stand in it as they are;
// pointers come at run time. Backends run it (backend::call); the planner only fills it in.
#pragma once

#include <cstdint>
#include <vector>

#include "frit/dtype.hpp"
#include "frit/opcode.hpp"
#include "frit/shape.hpp"

namespace frit::inline v0::fusion {

struct library_op;

/// An array that a call reads: element i stands at the sum of strides[k] * i[k], in elements.
struct call_operand {
    dtype type = dtype::f32;
    shape extents{};
    std::vector<std::int64_t> strides{};
    friend bool operator==(const call_operand&, const call_operand&) = default;
};

/// One that it may write, row-major.
struct call_result {
    bool asked = false;  ///< else it has no memory, and nothing of what follows
    dtype type = dtype::f32;
    shape extents{};
    friend bool operator==(const call_result&, const call_result&) = default;
};

struct library_call {
    const library_op* of = nullptr;
    op code = op::matmul;  ///< of a result that is asked for: the first
    std::vector<call_operand> operands{};
    std::vector<call_result> results{};  ///< all that such a call has

    /// Whether any result has elements: else there is nothing to call.
    bool writes() const {
        for (const call_result& r : results)
            if (r.asked && r.extents.size() > 0) return true;
        return false;
    }
    friend bool operator==(const library_call&, const library_call&) = default;
};

}  // namespace frit::v0::fusion
