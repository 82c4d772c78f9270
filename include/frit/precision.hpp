// How exact products of float32 matrices have to be: as float32, unless a program says for a scope that less will do.
#pragma once

#include <cstdint>

#include "frit/config.hpp"

namespace frit::inline v0 {

/// How a GPU may multiply float32 and complex64 matrices, also in formulas that contain products (cov, lstsq, expm). A CPU,
/// other dtypes, and products that are sums in a kernel (matrix times vector) are as exact as ever.
enum class precision : std::uint8_t {
    float32,  ///< as float32: the default
    tf32,     ///< factors are rounded to 11 binary digits (TensorFloat-32), sums are float32: several times as fast
    bf16x9,   ///< each factor as three bfloat16 numbers: about as exact as float32, faster on GPUs whose cuBLAS does that
};

namespace detail {
FRIT_API precision exchange_precision(precision) noexcept;
}

/// How exact products have to be that this thread records until the scope's end, whenever they are evaluated; a recipe is
/// recorded where it becomes an array. `const frit::scoped_precision fast(frit::precision::tf32);`
class scoped_precision {
public:
    [[nodiscard]] explicit scoped_precision(precision p) noexcept : before_(detail::exchange_precision(p)) {}  ///< asks
    scoped_precision(const scoped_precision&) = delete;
    scoped_precision& operator=(const scoped_precision&) = delete;
    ~scoped_precision() { detail::exchange_precision(before_); }

private:
    precision before_;
};

}  // namespace frit::v0
