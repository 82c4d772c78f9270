// What the functions of linear algebra share: operands as matrices of a dtype that LAPACK computes with, and views of them.
#pragma once

#include <string_view>

#include "frit/spectra.hpp"
#include "src/formulas/parts.hpp"
#include "src/formulas/search.hpp"

namespace frit::inline v0::detail {

/// Matrices, (..., m, n), of a floating or complex dtype; what several results are computed from is one node.
/// @throws shape_error naming `who`
value matrices_of(std::string_view who, const user_ref& x, source_line);
value square_matrices_of(std::string_view who, const user_ref& x, source_line);

/// What stands before the last two extents.
shape batch_of(const shape& of, source_line);

/// The last two axes exchanged; of complex matrices conjugated too.
value adjoint(const value&, source_line);

/// Two operands of an equation, in one dtype and with one batch. A vector b stays one vector for all.
struct equation {
    value a, b;
};
/// @throws shape_error naming `who`, unless a's `side`, -2 or -1, is as long as b
equation equation_of(std::string_view who, const value& a, const user_ref& b, int side, source_line);

/// The identity matrix in front of which this batch stands, as a formula.
value identity_like(const value& a, source_line);

/// What of a batch has no result is NaN, and its status is not 0.
struct unchecked {
    value x, status;
};
/// Of equations.
unchecked unchecked_solution(const value& a, const value& b, source_line);

/// x, of floating or complex numbers, and NaN where the status, one a matrix or already with as many axes as x, is not 0.
value nan_unless_good(const value& x, const value& status, source_line);

/// With an axis behind the last one, and the first element of the last axis, which it leaves out.
value with_last_axis(const value&, source_line);
value without_last_axis(const value&, source_line);

}  // namespace frit::v0::detail
