// Tiled pointwise kernels on a GPU, where some accesses have their unit stride in one dimension and others in another: how a
// block's tile is laid out. Read by the generator and by the launch; it follows from the spec alone (spec.tile says which
// dimensions).
#pragma once

#include <vector>

#include "fusion/ir/kernel_spec.hpp"

namespace frit::inline v0::fusion {

/// A block computes rows x columns elements. Columns run along the dimension in which the stores have stride one: `along`;
/// rows along the other one of the two: `across`. A thread computes groups of `vector` neighbours in a row. Accesses with
/// stride one in `across` are transposed: they go through shared memory in squares of vector x vector elements.
struct transpose_shape {
    unsigned along = 0, across = 0;
    unsigned vector = 1, rows = 32, columns = 32, threads = 256;
    std::vector<bool> transposed_loads, transposed_stores;  ///< by load and store: those that fit in shared memory
};
transpose_shape transpose_shape_of(const kernel_spec&);

/// Whether neighbours in dimension d are neighbours in memory.
inline bool one_in(const access& a, unsigned d) { return a.dims[d].stride == stride_class::one; }

}  // namespace frit::v0::fusion
