// Composition of access maps. Affine maps with a clamp are closed under composition (a clamp of a monotone function of a
// clamp is again one clamp), which is what lets a stencil on a padded array be one kernel. Reshapes are tried on strides by
// the rule that NumPy uses for reshape without copy.
#include "fusion/ir/access_map.hpp"

#include <algorithm>

namespace frit::inline v0::fusion {
namespace {

using detail::attribute;
using detail::axis_map;

std::int64_t at(const axis_map& m, std::int64_t i) {
    const std::int64_t x = m.offset + m.step * i;
    return m.clamped ? std::clamp(x, m.lo, m.hi) : x;
}

bool has_clamp(const strided& s) {
    return std::any_of(s.axes.begin(), s.axes.end(), [](const axis_term& t) { return t.clamped; });
}

std::optional<strided> apply_affine(const strided& base, const attribute& view) {
    strided r;
    r.offset = base.offset;
    r.axes.resize(static_cast<std::size_t>(view.result.rank()));
    for (std::size_t k = 0; k < view.maps.size(); ++k) {
        const axis_map& m = view.maps[k];
        const axis_term& t = base.axes[k];
        // t as a map of the source index, so that one composition rule serves both
        axis_map inner{
            .axis = 0, .offset = t.shift, .step = t.clamped ? t.step : 1, .lo = t.lo, .hi = t.hi, .clamped = t.clamped};
        if (!t.clamped) inner.offset = 0;
        const axis_map h = compose(inner, m);
        if (h.axis < 0 || h.step == 0) {
            r.offset += t.stride * at(h, 0);
            continue;
        }
        axis_term& to = r.axes[static_cast<std::size_t>(h.axis)];
        if (t.stride == 0) continue;
        if (!h.clamped && !to.clamped) {
            r.offset += t.stride * h.offset;
            to.stride += t.stride * h.step;
        } else if (h.clamped && !to.clamped && to.stride == 0) {
            to = {.stride = t.stride, .clamped = true, .step = h.step, .shift = h.offset, .lo = h.lo, .hi = h.hi};
        } else {
            return std::nullopt;
        }
    }
    return r;
}

/// Row-major regrouping of axes without moving elements, or null.
std::optional<strided> apply_reshape(const strided& base, const shape& from, const shape& to) {
    strided r;
    r.offset = base.offset;
    r.axes.resize(static_cast<std::size_t>(to.rank()));
    std::vector<int> old_axes;  // axes of extent 1 carry no information
    for (int k = 0; k < from.rank(); ++k)
        if (from[k] != 1) old_axes.push_back(k);
    std::vector<int> new_axes;
    for (int k = 0; k < to.rank(); ++k)
        if (to[k] != 1) new_axes.push_back(k);
    if (to.size() == 0) return r;

    if (has_clamp(base)) {  // only axes of extent 1 may come and go
        if (old_axes.size() != new_axes.size()) return std::nullopt;
        for (std::size_t k = 0; k < old_axes.size(); ++k) {
            if (from[old_axes[k]] != to[new_axes[k]]) return std::nullopt;
            r.axes[static_cast<std::size_t>(new_axes[k])] = base.axes[static_cast<std::size_t>(old_axes[k])];
        }
        for (int k = 0; k < from.rank(); ++k) {  // a clamped axis of extent 1 still has its constant
            const axis_term& t = base.axes[static_cast<std::size_t>(k)];
            if (from[k] == 1 && t.clamped) r.offset += t.stride * std::clamp(t.shift, t.lo, t.hi);
        }
        return r;
    }

    auto stride = [&](int axis) { return base.axes[static_cast<std::size_t>(axis)].stride; };
    std::size_t i = 0, j = 0;
    while (i < old_axes.size() && j < new_axes.size()) {
        std::size_t i_end = i + 1, j_end = j + 1;
        std::int64_t have = from[old_axes[i]], want = to[new_axes[j]];
        while (have != want) {
            if (have < want)
                have *= from[old_axes[i_end++]];
            else
                want *= to[new_axes[j_end++]];
        }
        for (std::size_t k = i; k + 1 < i_end; ++k)
            if (stride(old_axes[k]) != from[old_axes[k + 1]] * stride(old_axes[k + 1])) return std::nullopt;
        std::int64_t s = stride(old_axes[i_end - 1]);
        for (std::size_t k = j_end; k-- > j;) {
            r.axes[static_cast<std::size_t>(new_axes[k])].stride = s;
            s *= to[new_axes[k]];
        }
        i = i_end;
        j = j_end;
    }
    return r;
}

std::optional<strided> apply(const strided& base, const shape& extents, const attribute& view) {
    return view.what == attribute::kind::reshape ? apply_reshape(base, extents, view.result) : apply_affine(base, view);
}

void put(std::string& s, std::int64_t x) { s.append(reinterpret_cast<const char*>(&x), sizeof x); }

std::string content(const attribute& a) {
    std::string s;
    put(s, static_cast<std::int64_t>(a.what));
    put(s, a.source.rank());
    for (std::int64_t e : a.source) put(s, e);
    put(s, a.result.rank());
    for (std::int64_t e : a.result) put(s, e);
    for (const axis_map& m : a.maps) {
        put(s, m.axis);
        put(s, m.offset);
        put(s, m.step);
        put(s, m.clamped ? m.lo : 0);
        put(s, m.clamped ? m.hi : -1);
    }
    return s;
}

}  // namespace

bool is_identity(const detail::attribute& a) {
    if (a.source != a.result) return false;
    if (a.what == attribute::kind::reshape) return true;
    for (int k = 0; k < a.source.rank(); ++k) {
        const axis_map& m = a.maps[static_cast<std::size_t>(k)];
        const bool moves = m.axis == k && m.step == 1 && m.offset == 0 && !m.clamped;
        if (!moves && a.source[k] != 1) return false;
        if (!moves && at(m, 0) != 0) return false;
    }
    return true;
}

axis_map compose(const axis_map& inner, const axis_map& outer) {
    if (inner.axis < 0 || inner.step == 0) return {.axis = -1, .offset = at(inner, 0)};
    if (outer.axis < 0 || outer.step == 0) return {.axis = -1, .offset = at(inner, at(outer, 0))};
    axis_map r{.axis = outer.axis, .offset = inner.offset + inner.step * outer.offset, .step = inner.step * outer.step};
    r.clamped = inner.clamped || outer.clamped;
    if (outer.clamped) {
        const std::int64_t a = at(inner, outer.lo), b = at(inner, outer.hi);
        r.lo = std::min(a, b);
        r.hi = std::max(a, b);
    } else if (inner.clamped) {
        r.lo = inner.lo;
        r.hi = inner.hi;
    }
    return r;
}

std::optional<strided> path_table::resolve(strided base, const shape& extents, std::uint32_t id) const {
    const shape* now = &extents;
    for (; id != 0; id = paths_[id].before) {
        const attribute& a = *paths_[id].segment;
        auto next = apply(base, *now, a);
        if (!next) return std::nullopt;
        base = std::move(*next);
        now = &a.result;
    }
    return base;
}

bool undoes(const attribute& outer, const attribute& inner) {
    if (outer.what != attribute::kind::affine || inner.what != attribute::kind::affine || outer.result != inner.source)
        return false;
    for (int k = 0; k < inner.source.rank(); ++k) {
        const axis_map& m = inner.maps[static_cast<std::size_t>(k)];
        if (m.axis < 0 || m.clamped || outer.maps[static_cast<std::size_t>(m.axis)].clamped) return false;
        const axis_map both = compose(m, outer.maps[static_cast<std::size_t>(m.axis)]);
        if (both.axis != k || both.step != 1 || both.offset != 0) return false;
    }
    return true;
}

std::uint32_t path_table::content_of(const detail::attribute_ref& a) {
    auto [it, fresh] = by_address_.try_emplace(a.get(), 0);
    if (fresh) {
        kept_.push_back(a);
        it->second = by_content_.try_emplace(content(*a), static_cast<std::uint32_t>(by_content_.size())).first->second;
    }
    return it->second;
}

std::uint32_t path_table::extend(std::uint32_t id, const detail::attribute_ref& segment) {
    const auto [it, fresh] =
        extended_.try_emplace(std::uint64_t{id} << 32 | content_of(segment), static_cast<std::uint32_t>(paths_.size()));
    if (fresh) paths_.push_back({id, segment});
    return it->second;
}

std::uint32_t path_table::append(std::uint32_t id, const detail::attribute_ref& view) {
    if (is_identity(*view)) return id;
    const std::uint64_t key = std::uint64_t{id} << 32 | content_of(view);
    if (auto it = known_.find(key); it != known_.end()) return it->second;

    std::uint32_t result = 0;
    if (id != 0 && paths_[id].segment->what == attribute::kind::affine && view->what == attribute::kind::affine) {
        const attribute& outer = *paths_[id].segment;
        auto* merged = new attribute;
        const detail::attribute_ref merged_ref(merged);
        merged->source = view->source;
        merged->result = outer.result;
        for (const axis_map& m : view->maps)
            merged->maps.push_back(m.axis < 0 ? axis_map{.offset = at(m, 0)}
                                              : compose(m, outer.maps[static_cast<std::size_t>(m.axis)]));
        result = is_identity(*merged) ? paths_[id].before : extend(paths_[id].before, merged_ref);
    } else {
        result = extend(id, view);
    }
    known_.emplace(key, result);
    return result;
}

std::optional<strided> resolve(strided base, const shape& extents, const view_path& path) {
    const shape* now = &extents;
    for (auto it = path.rbegin(); it != path.rend(); ++it) {
        auto next = apply(base, *now, **it);
        if (!next) return std::nullopt;
        base = std::move(*next);
        now = &(*it)->result;
    }
    return base;
}

std::vector<std::int64_t> row_major(const shape& s) {
    std::vector<std::int64_t> strides(static_cast<std::size_t>(s.rank()));
    std::int64_t n = 1;
    for (int k = s.rank(); k-- > 0;) {
        strides[static_cast<std::size_t>(k)] = n;
        n *= s[k];
    }
    return strides;
}

}  // namespace frit::v0::fusion
