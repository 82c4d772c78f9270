// Filters along axes (ndimage.hpp), a pass along each: sums of taps. A tap is x seen some elements further, which is, at the
// ends, another run of x by another view (src/formulas/parts.hpp); so a pass is one kernel, and nothing is stored around x.
// What an earlier pass has made lies in memory. What x is a formula of is computed again at every tap where it is cheap,
// and stored where it is not.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "frit/ndimage.hpp"
#include "src/base/errors.hpp"
#include "src/formulas/number_text.hpp"
#include "src/formulas/parts.hpp"
#include "src/formulas/search.hpp"
#include "src/graph/inlining.hpp"
#include "src/views/axes.hpp"

namespace frit::inline v0::detail {
namespace {

using ndimage::mode;

/// Operations on an element that a tap may repeat: about what a tap itself costs.
constexpr std::uint32_t most_operations_of_tap = 8;

pad_mode padding(mode how) {
    switch (how) {
        case mode::reflect: return pad_mode::symmetric;
        case mode::constant: return pad_mode::constant;
        case mode::nearest: return pad_mode::edge;
        case mode::mirror: return pad_mode::reflect;
        case mode::wrap: break;
    }
    return pad_mode::wrap;
}

/// What passes compute in.
dtype computed_dtype(dtype meant) { return is_float(meant) || is_complex(meant) ? register_dtype(meant) : dtype::f64; }
/// What a pass has made, in x's dtype, if that is not a floating one.
value stored_as(dtype meant, const value& sum, source_line where) {
    if (sum.node()->meant == register_dtype(meant)) return sum;
    if (meant == dtype::bool_) return recorded(cast(trunc(sum), meant), where);
    const value whole = recorded(cast(cast(sum, dtype::i64), meant), where);
    return meant == dtype::u64 ? recorded(frit::where(sum < 0.0, whole, cast(sum, meant)), where) : whole;
}

/// The taps of a pass along an axis.
class taps {
public:
    taps(const value& x, int axis, const filter& f)
        : f_(f),
          axis_(axis),
          x_(in_dtype(x, computed_dtype(x.node()->meant), f.where)),
          formula_(x_.node(), most_operations_of_tap),
          of_(shape_of_node(x_)) {
        if (!formula_.exists()) x_ = shared_value(x_, f.where);
    }

    /// Each element's neighbour so many elements further along the axis.
    value at(std::int64_t by) const {
        const std::int64_t n = of_[axis_];
        if (by == 0) return x_;
        if (f_.around.how == mode::nearest) return seen_by(shifted_attribute(of_, axis_, by, f_.where));
        if (f_.around.how == mode::constant) return beside_constant(by, std::min(std::abs(by), n));
        const pad_mode how = n == 1 ? pad_mode::wrap : padding(f_.around.how);
        const std::int64_t period = period_of(how, n);
        std::vector<value> parts;
        std::int64_t place = (by % period + period) % period;
        for (std::int64_t left = n; left > 0;) {
            run r = run_at(how, n, place);
            r.count = std::min(r.count, left);
            parts.push_back(run_by(r));
            left -= r.count;
            place = (place + r.count) % period;
        }
        return joined(parts, axis_, x_.node()->meant, f_.where);
    }

    /// The sum of the neighbours -reach, ..., reach by these weights, in SciPy's order: pairs of one weight, or of one but
    /// for the sign, from the outermost on.
    /// @param differences  of weights whose sum is 1: the element, and the others' differences from it, so that a flat image
    ///     is exact
    value weighted(const std::vector<double>& weights, bool differences = false) const {
        const auto reach = static_cast<std::int64_t>(weights.size() / 2);
        const auto weight = [&](std::int64_t t) { return weights[static_cast<std::size_t>(t + reach)]; };
        value sum = differences ? at(0) : recorded(at(0) * weight(0), f_.where);
        for (std::int64_t t = reach; t > 0; --t) {
            if (differences)
                sum = recorded((at(-t) + at(t) - at(0) * 2) * weight(t) + sum, f_.where);
            else if (weight(t) == weight(-t))
                sum = recorded((at(-t) + at(t)) * weight(t) + sum, f_.where);
            else
                sum = recorded((at(t) - at(-t)) * weight(t) + sum, f_.where);
        }
        return sum;
    }
    value mean(std::int64_t count) const {
        const std::int64_t first = -(count / 2);
        value sum = at(first);
        for (std::int64_t t = 1; t < count; ++t) sum = recorded(sum + at(first + t), f_.where);
        return recorded(sum / static_cast<double>(count), f_.where);
    }
    value difference() const { return recorded(at(1) - at(-1), f_.where); }

private:
    value seen_by(const attribute_ref& view) const {
        return formula_.exists() ? value(formula_.seen(view, f_.where)) : seen(x_, view, f_.where);
    }
    value run_by(const run& r) const { return seen_by(run_attribute(of_, axis_, r, f_.where)); }
    value beside_constant(std::int64_t by, std::int64_t outside) const {
        shape beyond = of_;
        beyond.set(axis_, outside, f_.where);
        const user_ref number = constant_of(weak_number(f_.around.value), f_.where);
        const value constant = filled(recorded(cast(value(number), x_.node()->meant), f_.where), beyond, f_.where);
        if (outside == of_[axis_]) return constant;
        const value inside = run_by({std::max<std::int64_t>(by, 0), of_[axis_] - outside});
        const value parts[] = {by < 0 ? constant : inside, by < 0 ? inside : constant};
        return joined(parts, axis_, x_.node()->meant, f_.where);
    }

    const filter& f_;
    const int axis_;
    value x_;
    const copied_formula formula_;
    const shape of_;
};

/// A pass after the other, each over what the one before has made.
class passes {
public:
    passes(const user_ref& x, const filter& f) : f_(f), meant_(x->meant), now_(x) {}
    /// f(taps along the axis).
    void along(int axis, const auto& f) {
        if (shape_of_node(now_).size() == 0) return;
        now_ = stored_as(meant_, f(taps(now_, axis, f_)), f_.where);
    }
    user_ref done() const { return result(now_, meant_, f_.where); }

private:
    const filter& f_;
    const dtype meant_;
    value now_;
};

/// Which of so many numbers belongs to each axis. @throws shape_error
template <class List>
auto number_of(const filter& f, const List& list, std::size_t count, const shape& of, int axis) {
    if (count != 1 && count != static_cast<std::size_t>(of.rank()))
        throw_shape_error(f.who, std::to_string(count) + " numbers for " + std::to_string(of.rank()) + " axes", {&of, 1},
                          f.where);
    return list[count == 1 ? 0 : axis];
}

[[noreturn]] void refuse(const filter& f, const std::string& what) {
    throw error(std::string(f.who) + ": " + what + place(f.where));
}
double checked(const filter& f, const char* what, double v) {
    if (!std::isfinite(v) || v < 0) refuse(f, std::string(what) + " must be finite and not negative, not " + number_text(v));
    return v;
}
std::int64_t checked_size(const filter& f, std::int64_t size) {
    constexpr std::int64_t most = std::int64_t{1} << 21;
    if (size < 1 || size > most)
        refuse(f, "a window has 1 to " + std::to_string(most) + " elements along an axis, not " + std::to_string(size));
    return size;
}

/// The Gaussian's weights at -reach, ..., reach, of sum 1, or those of its derivative: a Hermite polynomial times them,
/// which d/dx (p g) = (p' - p x / sigma^2) g gives (as scipy.ndimage has it). In the order of a correlation.
std::vector<double> gaussian(double sigma, std::int64_t order, std::int64_t reach) {
    std::vector<double> polynomial(static_cast<std::size_t>(order) + 1, 0.0);
    polynomial[0] = 1;
    for (std::int64_t k = 0; k < order; ++k) {
        std::vector<double> next(polynomial.size(), 0.0);
        for (std::size_t j = 0; j < polynomial.size(); ++j) {
            if (j > 0) next[j] -= polynomial[j - 1] / (sigma * sigma);
            if (j + 1 < polynomial.size()) next[j] += static_cast<double>(j + 1) * polynomial[j + 1];
        }
        polynomial = next;
    }
    std::vector<double> weights;
    double total = 0;
    for (std::int64_t t = -reach; t <= reach; ++t) {
        const auto x = -static_cast<double>(t);
        const double g = std::exp(-0.5 * x * x / (sigma * sigma));
        double p = 0;
        for (std::size_t j = polynomial.size(); j-- > 0;) p = p * x + polynomial[j];
        total += g;
        weights.push_back(p * g);
    }
    for (double& w : weights) w /= total;
    return weights;
}

/// What a pass of integers computes is truncated, so weights whose sum is rounded to a hair below 1 would take 1 from every
/// element of a flat image. These are larger by more than rounding takes in any order, contracted or not: (3 n + 5) / 4
/// epsilons, of the weights and of the sums.
double lift_of(const std::vector<double>& weights) {
    return static_cast<double>(weights.size() + 1) * std::numeric_limits<double>::epsilon();
}
/// Whether it takes elements that an integer dtype has to the next integer.
bool shows(double lift, dtype type) { return std::ldexp(2 * lift, static_cast<int>(8 * size_of(type))) >= 1; }

}  // namespace

axis_numbers::axis_numbers(const double* list, std::size_t n) : count(n) {
    std::copy_n(list, std::min<std::size_t>(n, max_rank), values);
}

user_ref gaussian_of(const user_ref& x, const axis_numbers& sigma, const std::int64_t* axis, std::int64_t order,
                     double truncate, const filter& f) try {
    const auto device = on_device_of({&x, 1});
    constexpr double most_reach = 1 << 20;
    constexpr std::int64_t most_order = 64;
    checked(f, "truncate", truncate);
    if (order < 0 || order > most_order) refuse(f, "order must be 0 to 64, not " + std::to_string(order));
    const shape of = *x->extents;
    const int only = axis ? checked_axis(f.who, *axis, of.rank(), of, f.where) : -1;
    passes all(x, f);
    for (int k = 0; k < of.rank(); ++k) {
        if (axis && k != only) continue;
        const double s = checked(f, "sigma", axis ? sigma.values[0] : number_of(f, sigma.values, sigma.count, of, k));
        if (s < 1e-15) continue;  // as SciPy
        const double reach = truncate * s + 0.5;
        if (reach > most_reach) refuse(f, "sigma " + number_text(s) + " would take more than a million taps to a side");
        std::vector<double> weights = gaussian(s, order, static_cast<std::int64_t>(reach));
        const bool truncated = order == 0 && kind_of(x->meant) < dtype_kind::floating;
        const double lift = lift_of(weights);
        const bool differences = truncated && shows(lift, x->meant);
        for (double& w : weights) w *= truncated && !differences ? 1 + lift : 1;
        all.along(k, [&](const taps& t) { return t.weighted(weights, differences); });
    }
    return all.done();
} catch (const std::bad_alloc&) {
    throw_out_of_memory(f.who, f.where);
}

user_ref uniform_of(const user_ref& x, const int_list& size, const std::int64_t* axis, const filter& f) try {
    const auto device = on_device_of({&x, 1});
    const shape of = *x->extents;
    const int only = axis ? checked_axis(f.who, *axis, of.rank(), of, f.where) : -1;
    passes all(x, f);
    for (int k = 0; k < of.rank(); ++k) {
        if (axis && k != only) continue;
        const std::int64_t count =
            checked_size(f, axis ? size[0] : number_of(f, size, static_cast<std::size_t>(size.count()), of, k));
        if (count > 1) all.along(k, [&](const taps& t) { return t.mean(count); });
    }
    return all.done();
} catch (const std::bad_alloc&) {
    throw_out_of_memory(f.who, f.where);
}

user_ref sobel_of(const user_ref& x, std::int64_t axis, const filter& f) try {
    const auto device = on_device_of({&x, 1});
    const shape of = *x->extents;
    const int across = checked_axis(f.who, axis, of.rank(), of, f.where);
    const std::vector<double> smooth{1, 2, 1};
    passes all(x, f);
    all.along(across, [](const taps& t) { return t.difference(); });
    for (int k = 0; k < of.rank(); ++k)
        if (k != across) all.along(k, [&](const taps& t) { return t.weighted(smooth); });
    return all.done();
} catch (const std::bad_alloc&) {
    throw_out_of_memory(f.who, f.where);
}

user_ref median_filter_of(const user_ref& x, const int_list& size, const filter& f) try {
    const auto device = on_device_of({&x, 1});
    check_real(f.who, x->meant, f.where);
    const shape of = *x->extents;
    if (2 * of.rank() > max_rank)
        throw_shape_error(f.who, "windows of an array have twice its axes, and there are at most 16", {&of, 1}, f.where);
    std::vector<pad_width> widths;
    shape window, rows = of;
    for (int k = 0; k < of.rank(); ++k) {
        const std::int64_t n = checked_size(f, number_of(f, size, static_cast<std::size_t>(size.count()), of, k));
        window.push_back(n, f.where);
        widths.push_back({n / 2, n - 1 - n / 2});
    }
    if (of.size() == 0 || window.size() == 1) return result(value(x), f.where);
    const user_ref beyond = result(cast(value(constant_of(weak_number(f.around.value), f.where)), x->meant), f.where);
    const value wide(pad_of(x, widths, padding(f.around.how), beyond, f.where));
    rows.push_back(window.size(), f.where);
    const value windows(windows_of(shared_value(wide, f.where).node(), int_list(window, f.where), nullptr, f.where));
    const value elements = recorded(windows.reshape(int_list(rows, f.where), f.where), f.where);
    shape one = of;
    one.push_back(1, f.where);
    const value rank = filled(recorded(number_recipe(window.size() / 2), f.where), one, f.where);
    const value medians(result(make_as<op::at_ranks, run_time, run_time>(elements, rank), f.where));
    return result(medians.reshape(int_list(of, f.where), f.where), f.where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory(f.who, f.where);
}

}  // namespace frit::v0::detail
