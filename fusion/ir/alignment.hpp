// Where a value of the graph stands: what a kernel loops over for it, how it lies in memory, and how an operand reads what
// lies below its views: index by index, or one value for all the indices along some axes. That is all that grouping asks of
// a view; which schedule can use it is another question.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fusion/ir/access_map.hpp"
#include "fusion/ir/graph.hpp"

namespace frit::inline v0::fusion {

/// The value below a chain of views.
value_id below_views(const graph&, value_id);

/// What a kernel loops over for this value: its shape, a reduction's input's, an update's region's.
const shape* domain_of(const graph&, value_id);

/// Where `operand` is `below` repeated along some axes and otherwise in the same (row-major) order: those axes, bit k for
/// axis k, but axes of extent 1. 0: the same elements in the same order. Null for any other view.
std::optional<std::uint32_t> repeated_axes(const graph&, value_id operand, value_id below);

/// The axes that a reduction or running values go over, bit k for axis k of the operand, but axes of extent 1.
std::uint32_t reduced_axes(const graph&, value_id);
/// Whether running values begin at the last element of their axis.
bool is_backward(const graph&, value_id running);

/// What a loop with reductions runs over. A row is what differs in the reduced axes alone; some values are one per row.
struct row_domain {
    const shape* domain = nullptr;
    std::uint32_t reduced = 0;
    /// True for shapes of arrays with one element per row: the extents other than 1 are those of the axes not reduced.
    bool has_rows_of(const shape&) const;
    friend bool operator==(const row_domain&, const row_domain&) = default;
};

/// Whether neighbours in an array of this shape lie in neighbouring rows, not in one.
bool rows_lie_across(const shape& domain, std::uint32_t reduced);

/// The number of rows of a domain, and the elements of each.
std::int64_t rows_of(const shape& domain, std::uint32_t reduced);
std::int64_t row_length_of(const shape& domain, std::uint32_t reduced);

/// Elements between an array's origin and the first element that an access touches are in the pointer: how a value lies in
/// memory, over its own axes.
strided layout_of(const graph&, value_id, const std::vector<std::int32_t>& external);
/// The same for a value that is no result in the caller's memory.
strided layout_of(const graph&, value_id);

/// Which elements of the memory below it a gather reads, over the gather's axes, from that memory's first element on: where
/// its indices are sums of coordinates and constants, and all of them in range. Windows, diagonals, every third row.
std::optional<strided> elements_of_gather(const graph&, value_id gather);

/// The same elements as a view of an array of this shape and these strides, of the shape `as`. Null where two axes go along
/// one of the array's.
std::optional<detail::attribute_ref> view_of_elements(const strided& elements, const shape& as, const shape& array,
                                                      const strided& layout);

}  // namespace frit::v0::fusion
