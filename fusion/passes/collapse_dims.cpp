// Dimension collapsing, jointly over all accesses of a kernel: what every access walks through in one stride is one
// dimension, so that most kernels are flat and the rank in a kernel's key is small. The strides that remain become classes
// in the spec and run-time words in the launch; on a GPU the width of flat accesses is chosen here too.
#include <algorithm>

#include "fusion/schedules/lower.hpp"

namespace frit::inline v0::fusion {
namespace {

/// Every walker of the domain: accesses first, then coordinates.
using walkers = std::vector<strided*>;

void erase_axis(const walkers& all, std::vector<std::int64_t>& extents, std::size_t k) {
    for (strided* s : all) {
        const axis_term& t = s->axes[k];
        if (t.clamped) s->offset += t.stride * std::clamp(t.shift, t.lo, t.hi);
        s->axes.erase(s->axes.begin() + static_cast<std::ptrdiff_t>(k));
    }
    extents.erase(extents.begin() + static_cast<std::ptrdiff_t>(k));
}

bool mergeable(const walkers& all, const std::vector<std::int64_t>& extents, std::size_t k) {
    return std::all_of(all.begin(), all.end(), [&](const strided* s) {
        const axis_term &outer = s->axes[k], &inner = s->axes[k + 1];
        return !outer.clamped && !inner.clamped && outer.stride == inner.stride * extents[k + 1];
    });
}

/// A clamp that no index reaches is none.
void drop_idle_clamps(const walkers& all, const std::vector<std::int64_t>& extents) {
    for (strided* s : all)
        for (std::size_t k = 0; k < extents.size(); ++k) {
            axis_term& t = s->axes[k];
            if (!t.clamped || extents[k] == 0) continue;
            const std::int64_t a = t.shift, b = t.shift + t.step * (extents[k] - 1);
            if (std::min(a, b) < t.lo || std::max(a, b) > t.hi) continue;
            s->offset += t.stride * t.shift;
            t = {.stride = t.stride * t.step};
        }
}

void collapse(const walkers& all, std::vector<std::int64_t>& extents) {
    drop_idle_clamps(all, extents);
    for (std::size_t k = extents.size(); k-- > 0;)
        if (extents[k] == 1 && extents.size() > 1) erase_axis(all, extents, k);
    for (std::size_t k = extents.size(); k-- > 1;) {
        if (!mergeable(all, extents, k - 1)) continue;
        for (strided* s : all) s->axes.erase(s->axes.begin() + static_cast<std::ptrdiff_t>(k - 1));
        extents[k - 1] *= extents[k];
        extents.erase(extents.begin() + static_cast<std::ptrdiff_t>(k));
    }
    if (extents.empty()) {
        extents.push_back(1);
        for (strided* s : all) s->axes.push_back({});
    }
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
}

}  // namespace

void collapse_dims(launch& l, std::vector<strided> accesses, std::vector<strided> coords,
                   const std::vector<std::uint32_t>& alignments, const target& t) {
    kernel_spec& spec = l.spec;
    std::vector<std::int64_t> extents(l.domain->begin(), l.domain->end());
    walkers all;
    std::vector<std::int64_t> pointer_offsets;
    for (strided& s : accesses) {
        pointer_offsets.push_back(s.offset);  // already in the pointer word
        all.push_back(&s);
    }
    for (strided& s : coords) all.push_back(&s);
    collapse(all, extents);

    spec.rank = static_cast<std::uint8_t>(extents.size());
    for (std::size_t k = 0; k < accesses.size(); ++k) {
        access& a = k < spec.loads.size() ? spec.loads[k] : spec.stores[k - spec.loads.size()].to;
        for (const axis_term& term : accesses[k].axes) a.dims.push_back(class_of(term));
        // collapsing may have moved a constant into the offset
        l.pointers[a.pointer].byte_offset +=
            (accesses[k].offset - pointer_offsets[k]) * static_cast<std::int64_t>(size_of(a.type));
    }
    for (std::size_t k = 0; k < coords.size(); ++k) {
        auto moving =
            std::find_if(coords[k].axes.begin(), coords[k].axes.end(), [](const axis_term& x) { return x.stride != 0; });
        if (moving == coords[k].axes.end()) moving = coords[k].axes.end() - 1;
        spec.coords[k] = {static_cast<std::uint8_t>(moving - coords[k].axes.begin()), moving->clamped};
    }

    std::int64_t size = 1;
    for (std::int64_t e : extents) size *= e;
    constexpr std::int64_t limit = (std::int64_t{1} << 31) - 1;
    const auto is_wide = [&](const strided& s) { return largest_index(s, extents) > limit; };
    spec.index64 = size > limit || std::any_of(accesses.begin(), accesses.end(), is_wide) ||
                   std::any_of(coords.begin(), coords.end(), is_wide);

    if (t.device == target::kind::cuda && spec.rank == 1) {
        std::size_t widest = 1;
        bool flat = true;
        for (std::size_t k = 0; k < accesses.size(); ++k) {
            const access& a = k < spec.loads.size() ? spec.loads[k] : spec.stores[k - spec.loads.size()].to;
            if (a.dims[0].stride == stride_class::one) widest = std::max(widest, size_of(a.type));
            flat = flat && a.dims[0].stride != stride_class::runtime;
        }
        std::size_t width = flat ? static_cast<std::size_t>(t.vector_bytes) / widest : 1;
        for (std::size_t k = 0; k < accesses.size(); ++k) {
            const access& a = k < spec.loads.size() ? spec.loads[k] : spec.stores[k - spec.loads.size()].to;
            const std::size_t bytes = width * size_of(a.type);
            const auto moved = static_cast<std::uint64_t>(accesses[k].offset - pointer_offsets[k]) * size_of(a.type);
            if (a.dims[0].stride == stride_class::one && (alignments[k] < bytes || moved % bytes != 0)) width = 1;
        }
        spec.vector_width = static_cast<std::uint8_t>(std::min<std::size_t>(width, 16));
    }
    write_words(l, accesses, coords, extents);
}

}  // namespace frit::v0::fusion
