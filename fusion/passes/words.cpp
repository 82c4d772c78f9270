// The run-time words of a launch: extents, strides and clamps as word_layout places them, and how wide they must be.
#include <algorithm>

#include "fusion/passes/collapse_dims.hpp"

namespace frit::inline v0::fusion {
namespace {

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

/// The indices of a dimension, first to last, at which none of these reaches a clamp. Empty: first > last.
struct index_range {
    std::int64_t first = 0, last = 0;
};
index_range unclamped(const std::vector<strided>& list, std::size_t dim, index_range r) {
    const auto divide = [](std::int64_t a, std::int64_t b) {  // rounded down
        return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
    };
    for (const strided& s : list) {
        const axis_term& t = s.axes[dim];
        if (!t.clamped) continue;
        const std::int64_t low = t.lo - t.shift, high = t.hi - t.shift;  // of step * i
        if (t.step == 0) {
            if (low > 0 || high < 0) return {1, 0};
            continue;
        }
        const std::int64_t from = t.step > 0 ? low : high, to = t.step > 0 ? high : low;
        r.first = std::max(r.first, -divide(-from, t.step));
        r.last = std::min(r.last, divide(to, t.step));
    }
    return r;
}

}  // namespace

access_dim class_of(const axis_term& t) {
    if (t.clamped) return {stride_class::runtime, true};
    if (t.stride == 0) return {stride_class::zero, false};
    return {t.stride == 1 ? stride_class::one : stride_class::runtime, false};
}

bool needs_index64(const std::vector<std::int64_t>& extents, const std::vector<strided>& accesses,
                   const std::vector<strided>& coords) {
    std::int64_t size = 1;
    for (std::int64_t e : extents) size *= e;
    constexpr std::int64_t limit = (std::int64_t{1} << 31) - 1;
    const auto is_wide = [&](const strided& s) { return largest_index(s, extents) > limit; };
    const auto is_wide_value = [&](const strided& s) { return largest_value(s, extents) > limit; };
    return size > limit || std::any_of(accesses.begin(), accesses.end(), is_wide) ||
           std::any_of(coords.begin(), coords.end(), is_wide_value);
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

}  // namespace frit::v0::fusion
