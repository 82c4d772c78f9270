// In which order the operands of a product of many are combined, two at a time: what a matrix chain's parentheses are to
// einsum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/formulas/subscripts.hpp"

namespace frit::inline v0::detail {

/// Two of a list of arrays, which are taken out of it; what they make is put at its end.
struct contraction_step {
    std::size_t left, right;  ///< left < right
    friend bool operator==(const contraction_step&, const contraction_step&) = default;
};

/// The steps from arrays with these indices to one with those of the result. Of up to eight arrays the cheapest order that
/// there is, of more a good one (D. G. A. Smith and J. Gray (2018), "opt_einsum - A Python package for optimizing
/// contraction order for einsum-like expressions").
std::vector<contraction_step> contraction_path(std::span<const subscript_set> operands, const subscript_set& result,
                                               std::span<const std::int64_t> extents);

}  // namespace frit::v0::detail
