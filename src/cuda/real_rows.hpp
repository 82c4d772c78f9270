// Spectra of rows of real float32 numbers by a kernel of our own (small_kernel.hpp), for what cuFFT does not take in: a
// window before the transform, magnitudes behind it. Without either cuFFT is faster.
#pragma once

#include <cstdint>

#include "src/cuda/small_kernel.hpp"

namespace frit::inline v0::detail::cuda {

/// Whether rows of n elements are transformed so.
bool transforms_rows(std::int64_t n);
/// Of rows of n elements, at even steps: x, the step, the window or null, what is written, the number of rows.
small_kernel real_rows(std::int64_t n, bool window, bool magnitudes);

}  // namespace frit::v0::detail::cuda
