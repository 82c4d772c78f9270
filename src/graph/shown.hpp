// What a pending node shows, where its statements are views and nothing else: memory that is there already, which is read in
// its place without a plan.
#pragma once

#include <algorithm>

#include "src/graph/node.hpp"

namespace frit::inline v0::detail {

/// The stored array below a node's views, or the node where it is stored itself. Null where there is none, and where the
/// chain is long: it would be walked again for every read. Under the lock of the node's context.
/// @param each_view  is given the views' attributes, those nearest to the node first; also where the result is null
template <class F>
node* shown_array(node& top, const F& each_view) {
    constexpr int most_nodes = 16;
    node* n = &top;
    for (int k = 0; !n->stored(); ++k) {
        if (k == most_nodes || n->now.load(std::memory_order_acquire) != node::state::pending) return nullptr;
        const program& p = *n->code;
        if (p.code[0].code != op::leaf ||
            !std::all_of(p.code + 1, p.code + p.length, [](const instruction& i) { return i.code == op::view; }))
            return nullptr;
        for (std::uint16_t v = n->attribute_count; v-- > 0;) each_view(n->attributes[v]);
        n = n->leaves[0];
    }
    return n->lost || n->type != top.type ? nullptr : n;  // a part in float32 has to be rounded
}

}  // namespace frit::v0::detail
