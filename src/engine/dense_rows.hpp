// What library ops share that go along the last axis of a row-major array, scans, sorts and places: every row on its own.
#pragma once

#include <cstdint>

#include "fusion/ir/library_call.hpp"
#include "fusion/ir/library_op.hpp"

namespace frit::inline v0::detail {

struct dense_rows {
    dtype type = dtype::f32;
    std::int64_t rows = 0, length = 0;
};

inline dense_rows rows_of(const fusion::library_call& c) {
    const fusion::call_operand& x = c.operands[0];
    const std::int64_t length = x.extents.rank() > 0 ? x.extents[x.extents.rank() - 1] : 1;
    return {x.type, length > 0 ? x.extents.size() / length : 0, length};
}

/// Results of the operand's own shape, which has rank 1 or more.
inline const shape* shape_along_axis(int /*result*/, std::span<const shape* const> operands, fusion::shape_set&) {
    return operands[0]->rank() > 0 ? operands[0] : nullptr;
}
inline std::string_view needs_an_axis(std::span<const shape>) { return "needs an axis to go along"; }

}  // namespace frit::v0::detail
