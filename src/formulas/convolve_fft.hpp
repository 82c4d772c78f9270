// Convolutions as products of spectra: what fftconvolve is, and what convolve and correlate do where that is faster.
#pragma once

#include <cstdint>
#include <vector>

#include "src/formulas/values.hpp"

namespace frit::inline v0::detail {

/// The part of a full convolution that is wanted.
struct convolved_part {
    std::vector<int> over;            ///< axes; along the others the operands broadcast
    std::vector<std::int64_t> start;  ///< the place of element 0 along each of `over`
    shape result;                     ///< its extents along `over`; others are not read
};
/// In the dtype of transforms of both: real of real ones.
value convolved_by_fft(const char* who, const value& x, const value& k, const convolved_part&, source_line);

/// The least length of no prime factor above 7 that has n elements: these are transformed fastest.
std::int64_t fast_length(std::int64_t n);

}  // namespace frit::v0::detail
