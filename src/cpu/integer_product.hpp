// Matrix products of integers and bools on the CPU, which BLAS has not. They need no library, and are exact: the bits are
// the same on every engine.
#pragma once

#include "src/cpu/isa.hpp"
#include "src/engine/matrix_product.hpp"

namespace frit::inline v0::detail {

/// c = a times b, as the call describes them, of integers (which wrap) or bools ("or" over "and"), by the loops of `table`.
void integer_matmul(const matrix_product&, const void* a, const void* b, void* c, const isa_table& table);

}  // namespace frit::v0::detail
