// Gathers whose indices are no data: sums of coordinates and constants, as of sliding windows. They read memory by strides,
// and need no index at run time, nor a check of one.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "fusion/ir/alignment.hpp"

namespace frit::inline v0::fusion {
namespace {

constexpr std::int64_t most = std::int64_t{1} << 47;  // no array has more elements

/// The least and the greatest value over these extents.
std::pair<std::int64_t, std::int64_t> range_of(const strided& s, const shape& extents) {
    std::pair<std::int64_t, std::int64_t> r{s.offset, s.offset};
    for (int k = 0; k < extents.rank(); ++k) {
        const std::int64_t far = s.axes[static_cast<std::size_t>(k)].stride * (extents[k] - 1);
        (far < 0 ? r.first : r.second) += far;
    }
    return r;
}
bool is_constant(const strided& s) {
    return std::all_of(s.axes.begin(), s.axes.end(), [](const axis_term& t) { return t.stride == 0; });
}

/// Reads integer arithmetic as an affine function of the indices of its own axes. No step leaves its dtype.
class index_reader {
public:
    explicit index_reader(const graph& g) : g_(g) {}

    std::optional<strided> read(value_id v) {
        const value& x = g_.values[v];
        if ((x.type != dtype::i64 && x.type != dtype::i32) || --left_ < 0) return std::nullopt;
        auto r = unchecked(x);
        if (!r) return r;
        const auto [lo, hi] = range_of(*r, *x.extents);
        const std::int64_t far = x.type == dtype::i32 ? INT32_MAX : most;
        return -far <= lo && hi <= far ? r : std::nullopt;
    }

private:
    std::optional<strided> unchecked(const value& x) {
        strided r;
        r.axes.resize(static_cast<std::size_t>(x.extents->rank()));
        switch (x.code) {
            case op::coord: r.axes[static_cast<std::size_t>(g_.attributes[x.index]->maps[0].axis)].stride = 1; return r;
            case op::scalar:
                if (x.index < constant_scalar || x.type != dtype::i64) return std::nullopt;
                r.offset = static_cast<std::int64_t>(g_.constants[x.index - constant_scalar]);
                return r;
            case op::cast: return read(x.in[0]);
            case op::view: return viewed(x);
            case op::add:
            case op::mul:
            case op::index: break;
            default: return std::nullopt;
        }
        const auto a = read(x.in[0]), b = a ? read(x.in[1]) : a;
        if (!b) return b;
        if (x.code == op::add) {
            r.offset = a->offset + b->offset;
            for (std::size_t k = 0; k < r.axes.size(); ++k) r.axes[k].stride = a->axes[k].stride + b->axes[k].stride;
            return r;
        }
        if (x.code == op::mul)
            return is_constant(*b) ? times(*a, b->offset) : is_constant(*a) ? times(*b, a->offset) : std::nullopt;
        const auto [lo, hi] = range_of(*a, *x.extents);
        return is_constant(*b) && lo >= 0 && hi < b->offset ? a : std::nullopt;
    }
    std::optional<strided> viewed(const value& x) {
        const auto below = read(x.in[0]);
        if (!below) return below;
        auto r = resolve(*below, g_.extents(x.in[0]), {g_.attributes[x.index]});
        if (!r || std::any_of(r->axes.begin(), r->axes.end(), [](const axis_term& t) { return t.clamped; }))
            return std::nullopt;
        r->axes.resize(static_cast<std::size_t>(x.extents->rank()));
        return r;
    }
    static std::optional<strided> times(strided s, std::int64_t by) {
        const auto scale = [by](std::int64_t& n) {
            if (std::abs(static_cast<double>(n) * static_cast<double>(by)) > static_cast<double>(most)) return false;
            n *= by;
            return true;
        };
        bool fits = scale(s.offset);
        for (axis_term& t : s.axes) fits = fits && scale(t.stride);
        return fits ? std::optional(std::move(s)) : std::nullopt;
    }

    const graph& g_;
    int left_ = 256;  // values: a shared one is read again for each that reads it
};

}  // namespace

std::optional<strided> elements_of_gather(const graph& g, value_id gather) {
    return index_reader(g).read(g.values[gather].in[1]);
}

std::optional<detail::attribute_ref> view_of_elements(const strided& elements, const shape& as, const shape& array,
                                                      const strided& layout) {
    if (std::any_of(elements.axes.begin(), elements.axes.end(), [](const axis_term& t) { return t.clamped; }))
        return std::nullopt;
    const auto rank = static_cast<std::size_t>(array.rank());
    std::vector<std::size_t> order(rank);  // of the array's axes, that of the greatest stride first
    for (std::size_t k = 0; k < rank; ++k) order[k] = k;
    const auto stride = [&](std::size_t k) { return layout.axes[k].stride; };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return stride(a) > stride(b); });
    auto* view = new detail::attribute;
    detail::attribute_ref made(view);
    view->source = array;
    view->result = as;
    view->maps.resize(rank);
    std::int64_t left = elements.offset;
    for (const std::size_t k : order) {
        if (array[static_cast<int>(k)] == 1) continue;
        if (stride(k) <= 0) return std::nullopt;
        view->maps[k].offset = left / stride(k);
        left -= view->maps[k].offset * stride(k);
    }
    for (int j = 0; j < as.rank(); ++j) {
        const std::int64_t step = elements.axes[static_cast<std::size_t>(j)].stride;
        if (as[j] == 1 || step == 0) continue;
        const auto along = std::find_if(order.begin(), order.end(), [&](std::size_t k) {
            return array[static_cast<int>(k)] > 1 && step % stride(k) == 0;
        });
        if (along == order.end() || view->maps[*along].axis >= 0) return std::nullopt;
        view->maps[*along].axis = j;
        view->maps[*along].step = step / stride(*along);
    }
    for (std::size_t k = 0; k < rank; ++k) {
        const detail::axis_map& m = view->maps[k];
        const std::int64_t far = m.axis < 0 ? m.offset : m.offset + m.step * (as[m.axis] - 1);
        if (std::min(m.offset, far) < 0 || std::max(m.offset, far) >= array[static_cast<int>(k)]) left = 1;
    }
    return left == 0 ? std::optional(made) : std::nullopt;
}

}  // namespace frit::v0::fusion
