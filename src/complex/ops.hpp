// The ops of complex numbers (include/frit/detail/complex_ops.hpp) over the planner's graph, while a statement is expanded.
// They are instantiated once, in ops.cpp.
#pragma once

#include <utility>

#include "frit/detail/complex_ops.hpp"
#include "fusion/ir/graph.hpp"

namespace frit::inline v0 {

namespace fusion {
/// Both parts of a complex value, of one shape.
inline std::pair<value_id, value_id> together(graph& g, value_id re, value_id im) {
    const shape* both = broadcast_shapes(g.values[re].extents, g.values[im].extents, *g.shapes);
    re = g.broadcast(re, both);
    return {re, g.broadcast(im, both)};
}
}  // namespace fusion

namespace detail {
using complex_ops = complex_numbers::ops<fusion::graph>;
using expanded = complex_ops::item_type;
extern template class complex_numbers::ops<fusion::graph>;
}  // namespace detail

}  // namespace frit::v0
