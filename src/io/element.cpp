// One element followed down through views to memory. A single index goes through every kind of view by arithmetic, so that
// clamps, broadcasts and reshapes need no cases of their own.
#include "src/io/element.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <utility>

#include "src/graph/eval.hpp"
#include "src/graph/memory_limit.hpp"
#include "src/graph/shown.hpp"

namespace frit::inline v0::detail {
namespace {

using position = std::array<std::int64_t, max_rank>;

/// A position in a view's result -> the one in its source.
position below(const attribute& view, const position& at) {
    position to{};
    if (view.what == attribute::kind::reshape) {
        std::int64_t flat = 0;
        for (int k = 0; k < view.result.rank(); ++k) flat = flat * view.result[k] + at[static_cast<std::size_t>(k)];
        for (int k = view.source.rank(); k-- > 0; flat /= view.source[k])
            to[static_cast<std::size_t>(k)] = flat % view.source[k];
        return to;
    }
    for (std::size_t k = 0; k < view.maps.size(); ++k) {
        const axis_map& m = view.maps[k];
        to[k] = m.offset + (m.axis < 0 ? 0 : m.step * at[static_cast<std::size_t>(m.axis)]);
        if (m.clamped) to[k] = std::clamp(to[k], m.lo, m.hi);
    }
    return to;
}

}  // namespace

std::optional<element> shown_element(node& top) {
    if (top.extents->size() != 1 || top.stored()) return std::nullopt;
    const std::lock_guard guard(top.home->lock);
    position at{};
    node* const n = shown_array(top, [&](const attribute_ref& view) { at = below(*view, at); });
    if (!n || n == &top) return std::nullopt;
    std::int64_t offset = 0, dense = 1;
    for (int k = n->extents->rank(); k-- > 0; dense *= (*n->extents)[k])
        offset += at[static_cast<std::size_t>(k)] * (n->strides ? (*n->strides)[static_cast<std::size_t>(k)] : dense);
    was_read(*n);
    return element{user_ref(n), offset};
}

bool store_element(node& n, const element& e) {
    const node& source = *as_node(e.source.get());
    const std::size_t width = size_of(n.type);
    buffer_ref memory = allocate_array(*n.home, width, n.where);
    n.home->engine.copy(*memory.get(), 0, *source.memory.get(), static_cast<std::size_t>(source.offset + e.offset) * width,
                        width);
    const defer_lenders after_the_lock;
    const std::lock_guard guard(n.home->lock);
    if (n.now.load(std::memory_order_acquire) != node::state::pending) return false;
    n.watched.store(nullptr, std::memory_order_relaxed);  // nothing had to be computed again
    land(n, std::move(memory), 0);
    return true;
}

}  // namespace frit::v0::detail
