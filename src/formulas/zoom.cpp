// zoom (ndimage.hpp): along each axis a sum of gathers at places that the kernel computes. A cubic spline's coefficients
// come from two recurrences along the axis, one forwards and one backwards.
#include <algorithm>
#include <cmath>
#include <string>

#include "frit/ndimage.hpp"
#include "frit/scan_along.hpp"
#include "src/base/errors.hpp"
#include "src/formulas/number_text.hpp"
#include "src/formulas/parts.hpp"
#include "src/formulas/search.hpp"
#include "src/views/axes.hpp"

namespace frit::inline v0::detail {
namespace {

/// One axis of x and of the result.
struct zoomed_axis {
    value x;
    int axis;
    std::int64_t from, to;
    source_line where;

    /// Where the result's elements lie between x's: the ends on the ends. Rounded, or the fma of a difference would leave
    /// of a whole number less than nothing.
    value places() const {
        const double step = to > 1 ? static_cast<double>(from - 1) / static_cast<double>(to - 1) : 1.0;
        return recorded(rounded_product(cast<double>(coordinate(shape(to, where), 0)) * step), where);
    }
    /// x at these places of the axis, which are whole numbers; beyond the ends it is mirrored.
    value at(const value& index) const {
        const std::int64_t last = from - 1;
        const auto mirrored = static_cast<double>(last) - abs(static_cast<double>(last) - abs(index));
        const value i = recorded(cast<std::int64_t>(clip(mirrored, 0.0, static_cast<double>(last))), where);
        return value(take_of(x.node(), i.node(), axis, bounds::raise, where));
    }
    /// One number for each element along the axis, beside x.
    value along(const value& numbers) const {
        std::vector<std::int64_t> extents(static_cast<std::size_t>(x.node()->extents->rank()), 1);
        extents[static_cast<std::size_t>(axis)] = to;
        return recorded(cast(numbers.reshape(int_list(extents, where), where), real_dtype(x.node()->meant)), where);
    }
};

value nearest(const zoomed_axis& a) { return a.at(recorded(floor(a.places() + 0.5), a.where)); }

value linear(const zoomed_axis& a) {
    const value first = recorded(floor(a.places()), a.where);
    const value rest = a.along(recorded(a.places() - first, a.where));
    return recorded((1.0 - rest) * a.at(first) + rest * a.at(recorded(first + 1.0, a.where)), a.where);
}

/// The coefficients of the cubic spline through x, which is mirrored at its ends: M. Unser, A. Aldroubi and M. Eden,
/// "B-spline signal processing", IEEE Transactions on Signal Processing 41 (1993), part II, section 2. The states before the
/// recurrences are chosen so that their first steps give what the mirrored x would have led to.
value spline_coefficients(const zoomed_axis& a) {
    if (a.from == 1) return a.x;
    const double pole = std::sqrt(3.0) - 2, gain = 6, last = static_cast<double>(a.from - 1);
    const value k = recorded(cast<double>(coordinate(shape(a.from, a.where), 0)), a.where);
    const auto power = [&](const auto& e) { return pow(-pole, e) * frit::where(remainder(e, 2.0) == 0.0, 1.0, -1.0); };
    const value twice = recorded(frit::where((k == 0.0) | (k == last), 0.0, power(2 * last - k)), a.where);
    const value weights = recorded((power(k) + twice) / (1 - std::pow(pole, 2 * last)), a.where);
    std::vector<std::int64_t> extents(static_cast<std::size_t>(shape_of_node(a.x).rank()), 1);
    extents[static_cast<std::size_t>(a.axis)] = a.from;
    const value beside =
        recorded(cast(weights.reshape(int_list(extents, a.where), a.where), real_dtype(a.x.node()->meant)), a.where);
    const auto element = [&](const value& v, std::int64_t at) {
        const value one = run_of(v, a.axis, {at, 1}, a.where);
        const axes only(a.axis);
        return seen(one, squeeze_attribute(shape_of_node(one), &only, a.where), a.where);
    };
    const axes over(a.axis);
    const attribute_ref reduced = reduce_attribute("zoom", shape_of_node(a.x), {.which = &over, .where = a.where});
    const value first = recorded(reduce_along<op::sum>(a.x * beside, reduced), a.where);
    const value before = shared(gain * (first - element(a.x, 0)) / pole, a.where);
    const auto down = [pole](const auto& c, const auto& x) { return x + pole * c; };
    const value causal(
        user_ref(scan_along(swept_axis(a.axis, a.where), before, down, recorded(gain * a.x, a.where)).handle().get()));
    const value end = element(causal, a.from - 1);
    const value behind = shared((pole * element(causal, a.from - 2) + end) / (pole * pole - 1) + end, a.where);
    const auto up = [pole](const auto& c, const auto& x) { return pole * (c - x); };
    return value(user_ref(scan_along(backward(swept_axis(a.axis, a.where)), behind, up, causal).handle().get()));
}

value cubic(zoomed_axis a) {
    a.x = spline_coefficients(a);
    const value first = recorded(floor(a.places()), a.where), t = recorded(a.places() - first, a.where);
    const auto tap = [&](double by, const auto& weight) {
        return recorded(a.along(recorded(weight / 6.0, a.where)) * a.at(recorded(first + by, a.where)), a.where);
    };
    const value rest = recorded(1.0 - t, a.where);
    return recorded(tap(-1, rest * rest * rest) + tap(0, 4.0 - 3.0 * t * t * (2.0 - t)) +
                        tap(1, 4.0 - 3.0 * rest * rest * (1.0 + t)) + tap(2, t * t * t),
                    a.where);
}

std::int64_t checked_order(std::int64_t order, source_line where) {
    if (order != 0 && order != 1 && order != 3)
        throw error("zoom: the order of its splines is 0, 1 or 3, not " + std::to_string(order) + place(where));
    return order;
}

/// How many elements each axis gets, rounded as Python rounds.
std::int64_t zoomed_extent(std::int64_t n, double factor, source_line where) {
    if (!(factor >= 0) || !std::isfinite(factor))
        throw error("zoom: a factor must be finite and not negative, not " + number_text(factor) + place(where));
    const double extent = std::nearbyint(static_cast<double>(n) * factor);
    return extent < 9e18 ? static_cast<std::int64_t>(extent) : INT64_MAX;  // which shape refuses
}

}  // namespace

user_ref zoom_of(const user_ref& x, const axis_numbers& factors, std::int64_t order, source_line where) try {
    const auto device = on_device_of({&x, 1});
    const shape of = *x->extents;
    const dtype type = x->meant;
    checked_order(order, where);
    if (factors.count != 1 && factors.count != static_cast<std::size_t>(of.rank()))
        throw_shape_error("zoom", std::to_string(factors.count) + " factors for " + std::to_string(of.rank()) + " axes",
                          {&of, 1}, where);
    shape to = of;
    for (int k = 0; k < of.rank(); ++k)
        to.set(k, zoomed_extent(of[k], factors.values[factors.count == 1 ? 0 : k], where), where);
    const bool exact = is_float(type) || is_complex(type);
    value now = in_dtype(value(x), order == 0 ? type : exact ? register_dtype(type) : dtype::f64, where);
    for (int k = 0; k < of.rank(); ++k) {
        if (to[k] == of[k]) continue;
        const zoomed_axis a{shared_value(now, where), k, of[k], to[k], where};
        now = order == 0 ? nearest(a) : order == 1 ? linear(a) : cubic(a);
    }
    if (exact || order == 0) return result(now, type, where);
    if (type == dtype::bool_) return result(trunc(now), type, where);
    return result(round(now), type, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("zoom", where);
}

}  // namespace frit::v0::detail
