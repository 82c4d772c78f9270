// Discrete Fourier transforms of arrays on the CPU: along one axis after the other, whose lines FFTW (fftw.hpp) or frit's
// own loops (mixed_radix.hpp) transform. Lines are shared out among frit's pool; each is one thread's.
#pragma once

#include <cstddef>
#include <vector>

#include "frit/dtype.hpp"
#include "frit/shape.hpp"
#include "src/cpu/mixed_radix.hpp"

namespace frit::inline v0::detail {

/// Of the last `axes` axes. Only the very last one is `kind`'s own where that is real: the others are complex, of its sign.
struct fourier_transform {
    line_kind kind;
    dtype real;  ///< float32 or float64: what both sides' numbers are of
    int axes;
    shape from;                         ///< extents of what is read
    std::vector<std::int64_t> strides;  ///< and where its elements stand, in elements
    std::int64_t n;                     ///< elements of the last axis where it is real, or of both sides

    /// Bytes of scratch memory. Depends on the transform, and on whether FFTW is there.
    std::size_t workspace() const;
    /// Writes the result row-major. @throws device_error, std::bad_alloc
    void run(const void* in, void* out, void* workspace) const;
};

/// Around fork(): nobody makes a plan.
void lock_fourier_for_fork();
void unlock_fourier_after_fork();

}  // namespace frit::v0::detail
