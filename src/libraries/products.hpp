// What others must know of matrix products (matmul.cpp).
#pragma once

#include "frit/dtype.hpp"
#include "frit/shape.hpp"
#include "fusion/machine/target.hpp"

namespace frit::inline v0::detail {

/// Whether a product of operands of these shapes, in their promoted dtype, is a formula on a machine, and no library's call.
bool is_kernel(const shape& a, const shape& b, dtype, const fusion::target&);

}  // namespace frit::v0::detail
