// Dimension collapsing, jointly over all accesses of a kernel: what every access walks through in one stride is one
// dimension, so that most kernels are flat and the rank in a kernel's key is small. Reduced dimensions come last, and only
// dimensions of a kind merge. What follows from the strides that remain is decided beside: see collapse_dims.hpp.
#include "fusion/passes/collapse_dims.hpp"

#include <algorithm>
#include <bit>

#include "fusion/ir/alignment.hpp"
#include "fusion/passes/launches.hpp"

namespace frit::inline v0::fusion {
namespace {

/// What moves with the domain: all accesses, all coordinates, and the extents themselves. Dimensions before `kept` number
/// the rows.
struct nest {
    std::vector<strided*> all;
    std::vector<std::int64_t> extents;
    std::size_t kept = 0;

    std::size_t rank() const { return extents.size(); }
    void erase(std::size_t k) {
        for (strided* s : all) {
            const axis_term& t = s->axes[k];
            if (t.clamped) s->offset += t.stride * std::clamp(t.shift, t.lo, t.hi);
            s->axes.erase(s->axes.begin() + static_cast<std::ptrdiff_t>(k));
        }
        extents.erase(extents.begin() + static_cast<std::ptrdiff_t>(k));
        if (k < kept) --kept;
    }
    void insert_one(std::size_t k) {
        for (strided* s : all) s->axes.insert(s->axes.begin() + static_cast<std::ptrdiff_t>(k), axis_term{});
        extents.insert(extents.begin() + static_cast<std::ptrdiff_t>(k), 1);
    }
    bool mergeable(std::size_t k) const {  // with the dimension behind it
        if (k + 1 == kept) return false;
        return std::all_of(all.begin(), all.end(), [&](const strided* s) {
            const axis_term &outer = s->axes[k], &inner = s->axes[k + 1];
            return !outer.clamped && !inner.clamped && outer.stride == inner.stride * extents[k + 1];
        });
    }
    void merge(std::size_t k) {
        for (strided* s : all) s->axes.erase(s->axes.begin() + static_cast<std::ptrdiff_t>(k));
        extents[k + 1] *= extents[k];
        extents.erase(extents.begin() + static_cast<std::ptrdiff_t>(k));
        if (k < kept) --kept;
    }
};

/// Reduced axes behind the others, each kind in its order.
void put_reduced_last(nest& n, std::uint32_t reduced) {
    const auto move = [&](auto& list) {
        auto sorted = list;
        sorted.clear();
        for (std::uint32_t part : {0u, 1u})
            for (std::size_t k = 0; k < list.size(); ++k)
                if ((reduced >> k & 1) == part) sorted.push_back(list[k]);
        list = std::move(sorted);
    };
    for (strided* s : n.all) move(s->axes);
    move(n.extents);
    n.kept = n.rank() - static_cast<std::size_t>(std::popcount(reduced));
}

/// A clamp that no index reaches is none.
void drop_idle_clamps(nest& n) {
    for (strided* s : n.all)
        for (std::size_t k = 0; k < n.rank(); ++k) {
            axis_term& t = s->axes[k];
            if (!t.clamped || n.extents[k] == 0) continue;
            const std::int64_t a = t.shift, b = t.shift + t.step * (n.extents[k] - 1);
            if (std::min(a, b) < t.lo || std::max(a, b) > t.hi) continue;
            s->offset += t.stride * t.shift;
            t = {.stride = t.stride * t.step};
        }
}

void collapse(nest& n) {
    drop_idle_clamps(n);
    for (std::size_t k = n.rank(); k-- > 0;) {  // one dimension of each kind stays: a size of 1 is no other kernel
        const bool last_of_kind = k < n.kept ? n.kept == 1 : n.rank() - n.kept == 1;
        if (n.extents[k] == 1 && !last_of_kind) n.erase(k);
    }
    for (std::size_t k = n.rank(); k-- > 1;)
        if (n.mergeable(k - 1)) n.merge(k - 1);
}

}  // namespace

void collapse_dims(launch& l, std::vector<strided> accesses, std::vector<strided> coords,
                   const std::vector<std::uint32_t>& alignments, std::uint32_t reduced, const target& t) {
    kernel_spec& spec = l.spec;
    const bool whole = spec.schedule == schedule_kind::reduce_all, rows = spec.schedule == schedule_kind::reduce_inner;
    nest n{{}, {l.domain->begin(), l.domain->end()}, 0};
    for (strided& s : accesses) n.all.push_back(&s);
    for (strided& s : coords) n.all.push_back(&s);
    if (rows) put_reduced_last(n, reduced);
    collapse(n);
    if (rows) {
        if (n.kept == n.rank()) n.insert_one(n.rank());
        if (n.kept == 0) n.insert_one(n.kept++);
    } else if (n.rank() == 0) {
        n.insert_one(0);
    }

    spec.rank = static_cast<std::uint8_t>(n.rank());
    spec.reduced = whole ? spec.rank : rows ? static_cast<std::uint8_t>(n.rank() - n.kept) : std::uint8_t{0};
    std::vector<access*> in_order;
    for (access& a : spec.loads) in_order.push_back(&a);
    for (auto* list : {&spec.stores, &spec.row_stores})
        for (store& s : *list) in_order.push_back(&s.to);
    for (std::size_t k = 0; k < accesses.size(); ++k) {
        access& a = *in_order[k];
        for (const axis_term& term : accesses[k].axes) a.dims.push_back(class_of(term));
        // collapsing may have moved a constant into the offset
        l.pointers[a.pointer].byte_offset = accesses[k].offset * static_cast<std::int64_t>(size_of(a.type));
    }
    for (std::size_t k = 0; k < coords.size(); ++k) {
        auto moving =
            std::find_if(coords[k].axes.begin(), coords[k].axes.end(), [](const axis_term& x) { return x.stride != 0; });
        if (moving == coords[k].axes.end()) moving = coords[k].axes.begin();
        spec.coords[k] = {static_cast<std::uint8_t>(moving - coords[k].axes.begin()), moving->clamped};
    }
    if (rows) spec.schedule = direction_of(l, reduced, n.extents[n.kept - 1], t);
    spec.index64 = needs_index64(n.extents, accesses, coords);
    if (t.device == target::kind::cuda)
        choose_gpu_accesses(l, accesses, coords, n.extents, alignments, reduced, t);
    else if (spec.schedule == schedule_kind::reduce_inner && has_short_rows(l, reduced))
        spec.row_class = short_rows;
    write_words(l, accesses, coords, n.extents);
}

}  // namespace frit::v0::fusion
