// Dimension collapsing, jointly over all accesses of a kernel: what every access walks through in one stride is one
// dimension, so that most kernels are flat and the rank in a kernel's key is small. Reduced dimensions come last, and only
// dimensions of a kind merge. The strides that remain become classes in the spec and run-time words in the launch; they also
// say whether lanes should run along rows or across them, and, on a GPU, how wide an access may be.
#include <algorithm>
#include <bit>

#include "fusion/ir/alignment.hpp"
#include "fusion/machine/cuda_shape.hpp"
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

access_dim class_of(const axis_term& t) {
    if (t.clamped) return {stride_class::runtime, true};
    if (t.stride == 0) return {stride_class::zero, false};
    return {t.stride == 1 ? stride_class::one : stride_class::runtime, false};
}

/// The largest number on the way to an address: the offset reached, or an index before it is clamped.
std::int64_t largest_index(const strided& s, const std::vector<std::int64_t>& extents) {
    std::int64_t reach = 0, unclamped = 0;
    for (std::size_t k = 0; k < extents.size(); ++k) {
        const axis_term& t = s.axes[k];
        const std::int64_t last = std::max<std::int64_t>(extents[k] - 1, 0);
        reach += std::abs(t.stride) * (t.clamped ? std::max(std::abs(t.lo), std::abs(t.hi)) : last);
        if (t.clamped) unclamped = std::max(unclamped, std::abs(t.shift) + std::abs(t.step) * last);
    }
    return std::max(reach, unclamped);
}

/// The largest number on the way to a coordinate's value.
std::int64_t largest_value(const strided& s, const std::vector<std::int64_t>& extents) {
    std::int64_t largest = 0;
    for (std::size_t k = 0; k < extents.size(); ++k) {
        const axis_term& t = s.axes[k];
        const std::int64_t last = std::max<std::int64_t>(extents[k] - 1, 0);
        const std::int64_t inside = t.clamped ? std::abs(t.shift) + std::abs(t.step) * last : last;
        const std::int64_t clamped = t.clamped ? std::max(std::abs(t.lo), std::abs(t.hi)) : 0;
        largest = std::max(largest, std::abs(t.stride) * std::max(inside, clamped));
    }
    return std::abs(s.offset) + largest;
}

void write_words(launch& l, const std::vector<strided>& accesses, const std::vector<strided>& coords,
                 const std::vector<std::int64_t>& extents) {
    const word_layout at(l.spec);
    l.words.assign(at.size, 0);
    auto put = [&](std::uint32_t& w, std::int64_t x) { l.words[w++] = static_cast<std::uint64_t>(x); };
    std::uint32_t w = at.extents;
    for (std::int64_t e : extents) put(w, e);
    w = at.accesses;
    for (const strided& s : accesses)
        for (const axis_term& t : s.axes) {
            if (class_of(t).stride == stride_class::runtime) put(w, t.stride);
            if (t.clamped)
                for (std::int64_t x : {t.step, t.shift, t.lo, t.hi}) put(w, x);
        }
    w = at.coords;
    for (std::size_t k = 0; k < coords.size(); ++k) {
        // the value is offset + stride * (clamped) index; a factor outside a clamp goes inside
        const axis_term& t = coords[k].axes[l.spec.coords[k].dim];
        const std::int64_t offset = coords[k].offset;
        put(w, t.clamped ? t.step * t.stride : t.stride);
        put(w, t.clamped ? t.shift * t.stride + offset : offset);
        if (!t.clamped) continue;
        const std::int64_t a = offset + t.stride * t.lo, b = offset + t.stride * t.hi;
        put(w, std::min(a, b));
        put(w, std::max(a, b));
    }
    if (!has_unclamped_words(l.spec)) return;
    for (std::size_t d = 0; d < extents.size(); ++d) {
        const index_range r = unclamped(coords, d, unclamped(accesses, d, {0, extents[d] - 1}));
        put(w, r.first);
        put(w, r.last);
    }
}

/// Lanes run across rows where that reads memory in order and running along them does not, and where every operand stands
/// still in one of the two directions (then a tile of each serves many elements); and only where there are rows enough.
schedule_kind direction_of(const kernel_spec& spec, std::int64_t neighbours) {
    constexpr std::int64_t few = 16;
    if (neighbours < few) return schedule_kind::reduce_inner;
    const std::size_t along = spec.rank - 1U, across = spec.rank - spec.reduced - 1U;
    int in_order_along = 0, in_order_across = 0;
    bool tile = true, still_along = false, still_across = false;
    const auto look = [&](const access& a) {
        const access_dim still{};
        in_order_along += a.dims[along].stride == stride_class::one;
        in_order_across += a.dims[across].stride == stride_class::one;
        const bool in_row = std::all_of(a.dims.end() - spec.reduced, a.dims.end(), [&](auto& d) { return d == still; });
        still_along |= in_row;
        still_across |= !in_row;
        tile = tile && (in_row || a.dims[across] == still);
    };
    for (const access& a : spec.loads) look(a);
    if (tile && still_along && still_across && spec.stores.empty()) return schedule_kind::reduce_tile;
    for (const store& s : spec.stores) look(s.to);
    return in_order_across > in_order_along ? schedule_kind::reduce_outer : schedule_kind::reduce_inner;
}

/// Tiles pay where both of their dimensions are longer than what neighbouring threads read at once.
std::uint8_t tile_of(const kernel_spec& spec, const std::vector<std::int64_t>& extents) {
    constexpr std::int64_t few = 32;
    const std::size_t last = spec.rank - 1U;
    std::vector<int> turned(last, 0);
    const auto look = [&](const access& a) {
        if (a.dims[last].stride != stride_class::runtime || a.dims[last].clamped) return;
        for (std::size_t d = 0; d < last; ++d) turned[d] += a.dims[d].stride == stride_class::one && extents[d] >= few;
    };
    for (const access& a : spec.loads) look(a);
    for (const store& s : spec.stores) look(s.to);
    const auto most = std::max_element(turned.begin(), turned.end());
    return most == turned.end() || *most == 0 || extents[last] < few ? 0
                                                                     : static_cast<std::uint8_t>(most - turned.begin() + 1);
}

/// The widest access, of at most so many elements, that every moving one allows in dimension `d`, which may be walked in
/// steps of that many.
std::uint8_t width_of(const launch& l, const nest& n, const std::vector<strided>& accesses,
                      const std::vector<std::uint32_t>& alignments, std::size_t d, int vector_bytes, std::size_t most = 16) {
    const kernel_spec& spec = l.spec;
    const auto of = [&](std::size_t k) -> const access& {
        if (k < spec.loads.size()) return spec.loads[k];
        k -= spec.loads.size();
        return k < spec.stores.size() ? spec.stores[k].to : spec.row_stores[k - spec.stores.size()].to;
    };
    std::size_t widest = 1;
    for (std::size_t k = 0; k < accesses.size(); ++k) {
        const access_dim& dim = of(k).dims[d];
        if (dim.stride == stride_class::one) widest = std::max(widest, size_of(of(k).type));
        if (spec.rank == 1 && dim.stride == stride_class::runtime) return 1;
    }
    const std::size_t width = std::min(static_cast<std::size_t>(vector_bytes) / widest, most);
    const auto fits = [&](std::int64_t elements) { return elements % static_cast<std::int64_t>(width) == 0; };
    if (spec.rank > 1 && !fits(n.extents[d])) return 1;
    for (std::size_t k = 0; k < accesses.size(); ++k) {
        const access& a = of(k);
        if (a.dims[d].stride != stride_class::one) continue;
        const std::size_t bytes = width * size_of(a.type);
        if (alignments[k] < bytes || static_cast<std::uint64_t>(accesses[k].offset) * size_of(a.type) % bytes != 0) return 1;
        for (std::size_t e = 0; e < n.rank(); ++e)
            if (e != d && (accesses[k].axes[e].clamped || !fits(accesses[k].axes[e].stride))) return 1;
    }
    return static_cast<std::uint8_t>(width);
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
    if (rows) spec.schedule = direction_of(spec, n.extents[n.kept - 1]);

    std::int64_t size = 1;
    for (std::int64_t e : n.extents) size *= e;
    constexpr std::int64_t limit = (std::int64_t{1} << 31) - 1;
    const auto is_wide = [&](const strided& s) { return largest_index(s, n.extents) > limit; };
    const auto is_wide_value = [&](const strided& s) { return largest_value(s, n.extents) > limit; };
    spec.index64 = size > limit || std::any_of(accesses.begin(), accesses.end(), is_wide) ||
                   std::any_of(coords.begin(), coords.end(), is_wide_value);

    if (t.device == target::kind::cuda && (spec.rank == 1 || rows)) {
        if (spec.schedule != schedule_kind::reduce_outer)
            spec.vector_width = width_of(l, n, accesses, alignments, n.rank() - 1, t.vector_bytes);
        spec.row_class = row_class(spec, row_length_of(*l.domain, reduced), t);
    }
    if (t.device == target::kind::cuda && spec.schedule == schedule_kind::pointwise && spec.rank > 1)
        spec.tile = tile_of(spec, n.extents);
    if (spec.tile > 0)
        for (const std::size_t d : {n.rank() - 1, std::size_t{spec.tile} - 1}) {
            constexpr std::size_t most = 4;  // a thread has a square of it
            const std::uint8_t width = width_of(l, n, accesses, alignments, d, t.vector_bytes, most);
            spec.vector_width = d == n.rank() - 1 ? width : std::min(spec.vector_width, width);
        }
    if (t.device == target::kind::cuda && spec.rank > 1 && !rows && spec.tile == 0)
        find_patches(l, accesses, coords, n.extents, alignments, t);
    write_words(l, accesses, coords, n.extents);
}

}  // namespace frit::v0::fusion
