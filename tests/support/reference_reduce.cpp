// Reductions, running totals, sorts and matrix products of the reference: plain loops in long double, with the bound that
// holds for any order of the additions.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "frit/device.hpp"
#include "tests/support/reference.hpp"

namespace ref {
namespace {

constexpr long double unknown = std::numeric_limits<long double>::infinity();

long double epsilon(dtype t) {
    return frit::real_dtype(t) == dtype::f64 ? std::numeric_limits<double>::epsilon()
                                             : std::numeric_limits<float>::epsilon();
}

/// A sum of floats in any order: every step rounds by at most half a unit of a partial result, which is no larger than the
/// sum of magnitudes. Where the finite ones may overflow on the way, infinities and NaN depend on the order too.
struct float_sum {
    dtype type;
    long double v = 0, err = 0, finite = 0, n = 0;
    void add(const number& e) {
        v += e.v, err += e.err + e.slack, ++n;
        if (std::isfinite(e.v)) finite += std::fabs(e.v);
    }
    number value() const { return {v, finite > largest(type) ? unknown : err + n * epsilon(type) * finite, 0}; }
};

struct float_product {
    dtype type;
    long double v = 1, relative = 0, exponents = 0;
    bool all_known = true;
    void add(const number& e) {
        v *= e.v, relative += epsilon(type), all_known = all_known && e.known();
        if (e.v != 0)
            exponents += std::fabs(std::log2(std::fabs(e.v))), relative += e.err / std::fabs(e.v);
        else if (e.err != 0)
            relative = unknown;
    }
    number value() const {
        const long double range = type == dtype::f32 ? 120 : 1000;  // beyond it some order overflows and another does not
        if (!all_known) return {v, unknown, 0};
        const bool tame = exponents < range && relative != unknown;
        return {v, tame ? std::fabs(v) * relative * (1 + relative) : (std::isnan(v) ? 0 : unknown), 0};
    }
};

/// Complex sums are two, of the parts.
struct complex_sum {
    float_sum re, im;
    bool real;  ///< has no other part
    explicit complex_sum(dtype t) : re{frit::real_dtype(t)}, im{frit::real_dtype(t)}, real(!frit::is_complex(t)) {}
    void add(const number& e) { re.add({e.v, e.err, e.slack}), im.add({e.im, e.err, e.slack}); }
    number value() const {
        const number x = re.value(), y = im.value();
        return {x.v, real ? x.err : std::hypot(x.err, y.err), 0, y.v};
    }
};
struct complex_product {
    float_product size;
    ref::value v = 1;
    explicit complex_product(dtype t) : size{frit::real_dtype(t)} {}
    void add(const number& e) {
        v *= e.at();
        for (int k = 0; k < 3; ++k) size.add({k == 0 ? std::abs(e.at()) : 1, k == 0 ? e.err : 0, 0});
    }
    number value() const {
        number r = exactly(v);
        r.err = std::isfinite(std::abs(v)) ? size.value().err : unknown;
        return r;
    }
};

/// The smallest or largest: exact in any order, and NaN if there is one.
struct extremum {
    bool largest;
    bool first = true, nan = false, all_known = true;
    long double lo = 0, hi = 0, v = 0;
    void add(const number& e) {
        nan = nan || std::isnan(e.v);
        all_known = all_known && e.known();
        const auto pick = [&](long double a, long double b) { return first || largest == (b > a) ? b : a; };
        lo = pick(lo, e.v - e.err), hi = pick(hi, e.v + e.err), v = pick(v, e.v);
        first = false;
    }
    number value() const {
        if (nan) return {std::numeric_limits<long double>::quiet_NaN(), all_known ? 0 : unknown, 0};
        return {v, !all_known ? unknown : hi == lo ? 0 : std::max(hi - v, v - lo), 0};
    }
};

/// By real, then by imaginary parts; of NaNs the first.
bool is_nan(const number& x) { return std::isnan(x.v) || std::isnan(x.im); }
bool is_better(const number& b, const number& a, bool largest) {
    return largest ? b.v > a.v || (b.v == a.v && b.im > a.im) : b.v < a.v || (b.v == a.v && b.im < a.im);
}
struct complex_extremum {
    bool largest;
    number best{};
    int count = 0, nans = 0;
    bool settled = true;
    void add(const number& e) {
        settled =
            settled && e.known() && (count == 0 || e.err + best.err == 0 || std::fabs(e.v - best.v) > e.err + best.err);
        if (count++ == 0 || (nans == 0 && (is_nan(e) || is_better(e, best, largest)))) best = e;
        nans += is_nan(e);
    }
    number value() const { return {best.v, settled ? best.err : unknown, 0, best.im}; }
};

/// Bool and integers.
struct integer_total {
    op combine;
    dtype type;
    number total;
    void add(const number& e) { total = apply(combine, type, total, e); }
    number value() const { return total; }
};

/// The first of the best ones, NaN best of all; unsettled where uncertain values might change places.
struct best_place {
    bool largest;
    std::vector<number> row;
    void add(const number& e) { row.push_back(e); }
    number value() const {
        std::size_t best = 0;
        bool settled = row[0].known();
        for (std::size_t k = 1; k < row.size(); ++k) {
            const number &a = row[best], &b = row[k];
            settled = settled && b.known();
            if (is_nan(a)) continue;
            if (is_nan(b) || is_better(b, a, largest)) best = k;
        }
        for (std::size_t k = 0; k < row.size() && !is_nan(row[best]); ++k) {
            const long double err = row[k].err + row[best].err;
            settled = settled && (k == best || err == 0 || std::fabs(row[k].v - row[best].v) > err);
        }
        return {static_cast<long double>(best), settled ? 0 : unknown, 0};
    }
};

/// The sum of squared deviations from the mean, in two passes over differences from the first element. The bound is n eps
/// whatever the mean: differences of elements are all that is rounded. Infinities give NaN or inf, depending on the order.
struct deviations {
    dtype type;
    std::vector<number> row;
    void add(const number& e) { row.push_back(e); }
    number value() const {
        const auto n = static_cast<long double>(row.size());
        long double mean = 0, squares = 0, result = 0, err = 0;
        bool nan = false, all_known = true, infinite = false;
        for (const number& e : row) {
            nan = nan || std::isnan(e.v), infinite = infinite || std::isinf(e.v), all_known = all_known && e.known();
            mean += (e.v - row[0].v) / n, squares += e.v * e.v;
        }
        if (nan) return {std::numeric_limits<long double>::quiet_NaN(), all_known ? 0 : unknown, 0};
        if (!all_known || infinite || 4 * squares > largest(type)) return {0, unknown, 0};
        for (const number& e : row) {
            const long double d = std::fabs(e.v - row[0].v - mean), off = e.err + e.slack;
            result += d * d, err += 2 * d * off + off * off;
        }
        const long double steps = 4 * n * epsilon(type);
        return {result, err + steps * result + n * spacing_of(type, 0), 0};  // squares may underflow
    }
};

/// Calls f with what accumulates reduction `o` over elements of dtype t.
template <class F>
void with_accumulator(op o, dtype t, F&& f) {
    if (frit::reduction(o).kind == frit::reduction_kind::INDEX)
        f(best_place{o == op::argmax, {}});
    else if (frit::reduction(o).kind == frit::reduction_kind::DEVIATIONS)
        f(deviations{t, {}});
    else if (frit::is_complex(t) && (o == op::min || o == op::max))
        f(complex_extremum{o == op::max});
    else if (o == op::min || o == op::max)
        f(extremum{o == op::max});
    else if (frit::is_complex(t) && o == op::sum)
        f(complex_sum(t));
    else if (frit::is_complex(t))
        f(complex_product(t));
    else if (frit::is_float(t) && o == op::sum)
        f(float_sum{t});
    else if (frit::is_float(t))
        f(float_product{t});
    else
        f(integer_total{frit::reduction(o).combine, t, {o == op::prod || o == op::all ? 1.0L : 0.0L, 0, 0}});
}

std::int64_t count(const position& extents) {
    return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

/// Calls f with the positions of every line along the axis.
void for_each_line(const array& x, int axis, const std::function<void(const std::vector<position>&)>& f) {
    const auto along = static_cast<std::size_t>(axis);
    position others = x.extents;
    others[along] = x.extents[along] > 0 ? 1 : 0;
    for_each_index(others, [&](const position& i) {
        std::vector<position> line;
        for (std::int64_t k = 0; k < x.extents[along]; ++k) {
            line.push_back(i);
            line.back()[along] = k;
        }
        f(line);
    });
}

array blank(dtype t, const position& extents, bool inexact) {
    return {t, extents, std::vector<number>(static_cast<std::size_t>(count(extents))), inexact};
}

/// NaN comes last: of complex numbers those with one in the imaginary part, then in the real part, then in both.
bool sorts_before(const number& a, const number& b) {
    const auto nans = [](const number& x) { return std::isnan(x.im) + 2 * std::isnan(x.v); };
    if (nans(a) != nans(b)) return nans(a) < nans(b);
    if (a.v < b.v || a.v > b.v) return a.v < b.v;
    return a.im < b.im;
}

/// Whether no two of sorted values could change places: by what complex numbers are compared by first, too.
bool is_settled(const std::vector<number>& sorted) {
    for (std::size_t k = 0; k + 1 < sorted.size(); ++k) {
        const number &a = sorted[k], &b = sorted[k + 1];
        if (a.err + b.err != 0 && !(std::fabs(b.v - a.v) > a.err + b.err)) return false;
    }
    return true;
}

}  // namespace

array reduce(op o, const array& x, const std::vector<int>& axes, bool keepdims) {
    const bool place = frit::reduction(o).kind == frit::reduction_kind::INDEX;
    const bool exact = place || o == op::min || o == op::max;  // in any order
    const dtype type = frit::reduction_dtype(o, x.type);
    const array in = place || frit::is_short(type) ? x : cast(x, type);
    position kept = in.extents, row(in.extents.size(), 1), result;
    for (int axis : axes) {
        const auto k = static_cast<std::size_t>(axis);
        row[k] = in.extents[k], kept[k] = 1;
    }
    for (std::size_t k = 0; k < kept.size(); ++k)
        if (keepdims || std::find(axes.begin(), axes.end(), static_cast<int>(k)) == axes.end()) result.push_back(kept[k]);
    if (exact && count(row) == 0) throw std::logic_error("reference: the best of nothing");
    array r{type, result, {}, x.inexact_reduction || (!exact && kind_of(type) >= frit::dtype_kind::floating)};
    for_each_index(kept, [&](const position& first) {
        with_accumulator(o, frit::register_dtype(in.type), [&](auto total) {
            for_each_index(row, [&](const position& step) {
                position i = first;
                for (std::size_t k = 0; k < i.size(); ++k) i[k] += step[k];
                total.add(in.at(i));
            });
            r.data.push_back(total.value());
        });
    });
    return stored(r);
}

array reduce(op o, const array& x) {
    std::vector<int> axes(x.extents.size());
    std::iota(axes.begin(), axes.end(), 0);
    return reduce(o, x, axes);
}

array scan(op o, const array& x, int axis) {
    const op running = frit::reduction_of_scan(o);
    const dtype type = frit::library_dtypes_of(o, x.type).operand;
    const array in = frit::is_short(type) ? x : cast(x, type);
    // In one order on every CPU engine; on a GPU the order follows from what else the kernel does.
    const bool adds = !frit::is_ordered(running) && !frit::is_integer(in.type) && in.type != dtype::bool_;
    const bool inexact = adds && frit::default_device() != frit::device::cpu();
    array r = blank(in.type, in.extents, x.inexact_reduction || inexact);
    const bool exclusive = o == op::exclusive_cumsum || o == op::exclusive_cumprod;
    for_each_line(in, axis, [&](const std::vector<position>& line) {
        with_accumulator(running, frit::register_dtype(in.type), [&](auto total) {
            for (const position& i : line) {
                if (exclusive) r.at(i) = total.value();
                total.add(in.at(i));
                if (!exclusive) r.at(i) = total.value();
            }
        });
    });
    return stored(r);
}

// The k-th of sorted real values moves by no more than the element that moves most. A complex one takes its imaginary part
// along.
array sort(const array& x, int axis) {
    array r = blank(x.type, x.extents, x.inexact_reduction);
    for_each_line(x, axis, [&](const std::vector<position>& line) {
        std::vector<number> values;
        long double err = 0;
        for (const position& i : line) values.push_back(x.at(i)), err = std::max(err, x.at(i).err);
        std::stable_sort(values.begin(), values.end(), sorts_before);
        if (frit::is_complex(x.type) && !is_settled(values)) err = unknown;
        for (std::size_t k = 0; k < line.size(); ++k) r.at(line[k]) = {values[k].v, err, 0, values[k].im};
    });
    return stored(r);
}

array argsort(const array& x, int axis) {
    array r = blank(dtype::i64, x.extents, x.inexact_reduction);
    for_each_line(x, axis, [&](const std::vector<position>& line) {
        std::vector<std::size_t> order(line.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        const auto value = [&](std::size_t k) { return x.at(line[k]); };
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return sorts_before(value(a), value(b)); });
        std::vector<number> sorted;
        for (const std::size_t k : order) sorted.push_back(value(k));
        const long double err = is_settled(sorted) ? 0 : unknown;
        for (std::size_t k = 0; k < order.size(); ++k) r.at(line[k]) = {static_cast<long double>(order[k]), err, 0};
    });
    return r;
}

namespace {

/// Of integers a product wraps, and so does their sum; of bools they are "and" and "or".
array exact_matmul(const array& a, const array& b) {
    array x = a, y = b;  // with the axes (m, k, 1) and (1, k, n)
    x.extents = {a.rank() == 2 ? a.extents[0] : 1, a.extents.back(), 1};
    y.extents = {1, b.extents[0], b.rank() == 2 ? b.extents[1] : 1};
    const bool logical = a.type == dtype::bool_;
    array r = reduce(logical ? op::any : op::sum, elementwise(logical ? op::bit_and : op::mul, {x, y}), {1});
    r.extents.assign(a.extents.begin(), a.extents.end() - 1);
    if (b.rank() == 2) r.extents.push_back(b.extents[1]);
    return cast(r, a.type);
}

/// Of matrices and vectors.
array product(const array& a, const array& b) {
    const dtype t = frit::promote(a.type, b.type);
    if (kind_of(t) < frit::dtype_kind::floating) return exact_matmul(cast(a, t), cast(b, t));
    const dtype computed = frit::register_dtype(t);
    const array x = cast(a, computed), y = cast(b, computed);
    const std::int64_t depth = a.extents.back();
    position extents(a.extents.begin(), a.extents.end() - 1);
    if (b.rank() == 2) extents.push_back(b.extents[1]);
    // below the smallest normal number a product is rounded to a multiple of the smallest of all
    const long double least = spacing_of(computed, 0), steps = frit::is_complex(t) ? 4 : 1;
    array r = generate(t, extents, [&](const position& i) {
        complex_sum total(computed);
        for (std::int64_t k = 0; k < depth; ++k) {
            position from = {k}, to = {k};
            if (a.rank() == 2) from = {i[0], k};
            if (b.rank() == 2) to = {k, i.back()};
            const number &p = x.at(from), &q = y.at(to);
            const ref::value pq = p.at() * q.at();
            const long double size_p = std::abs(p.at()), size_q = std::abs(q.at());
            total.add({pq.real(), size_p * q.err + size_q * p.err + p.err * q.err,
                       steps * (epsilon(computed) * size_p * size_q + least), pq.imag()});
        }
        number e = total.value();
        if (!std::isfinite(e.v) || !std::isfinite(e.im) || std::isnan(e.err)) e.err = unknown;
        return e;
    });
    r.inexact_reduction = true;
    return stored(r);
}

}  // namespace

array matmul(const array& a, const array& b) {
    const auto batch_of = [](const array& x) {
        return position(x.extents.begin(), x.rank() > 2 ? x.extents.end() - 2 : x.extents.begin());
    };
    const position batch = broadcast(batch_of(a), batch_of(b));
    const auto matrix = [](const array& x, const position& place) {  // of x, at this place of the batch
        const auto own = static_cast<std::ptrdiff_t>(x.rank() > 2 ? x.rank() - 2 : 0);
        position at(place.end() - own, place.end());
        for (std::size_t k = 0; k < at.size(); ++k)
            if (x.extents[k] == 1) at[k] = 0;
        array r = generate(x.type, position(x.extents.begin() + own, x.extents.end()), [&](const position& i) {
            position of = at;
            of.insert(of.end(), i.begin(), i.end());
            return x.at(of);
        });
        r.inexact_reduction = x.inexact_reduction;
        return r;
    };
    array all{frit::promote(a.type, b.type), batch, {}, false};
    if (a.rank() >= 2) all.extents.push_back(a.extents[a.extents.size() - 2]);
    if (b.rank() >= 2) all.extents.push_back(b.extents.back());
    for_each_index(batch, [&](const position& place) {
        const array one = product(matrix(a, place), matrix(b, place));
        all.data.insert(all.data.end(), one.data.begin(), one.data.end());
        all.inexact_reduction |= one.inexact_reduction;
    });
    return all;
}

}  // namespace ref
