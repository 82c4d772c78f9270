// See shapes.hpp.
#include "fusion/ir/shapes.hpp"

#include <algorithm>

namespace frit::inline v0::fusion {

std::size_t shape_set::hash::operator()(const shape& s) const noexcept {
    std::uint64_t h = 0xcbf29ce484222325ull ^ static_cast<std::uint64_t>(s.rank());
    for (std::int64_t e : s) h = (h ^ static_cast<std::uint64_t>(e)) * 0x100000001b3ull ^ (h >> 29);
    return h;
}

const shape* broadcast_shapes(const shape* a, const shape* b, shape_set& made) {
    if (a == b || b->rank() == 0 || *a == *b) return a;
    if (a->rank() == 0) return b;
    const int rank = std::max(a->rank(), b->rank());
    std::int64_t extents[max_rank];
    for (int k = 0; k < rank; ++k) {
        const int ka = k - (rank - a->rank()), kb = k - (rank - b->rank());
        const std::int64_t ea = ka < 0 ? 1 : (*a)[ka], eb = kb < 0 ? 1 : (*b)[kb];
        if (ea != eb && ea != 1 && eb != 1) return nullptr;
        extents[k] = ea == 1 ? eb : ea;
    }
    const shape* const r = made.intern_possible({extents, static_cast<std::size_t>(rank)});
    return !r ? nullptr : *r == *a ? a : *r == *b ? b : r;
}

const shape* shape_set::intern_possible(std::span<const std::int64_t> extents) {
    if (!shape::possible(extents.data(), static_cast<int>(extents.size()))) return nullptr;
    return intern(shape(extents, detail::unknown_line));
}

}  // namespace frit::v0::fusion
