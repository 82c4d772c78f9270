// What the random program writes at arrays of indices: u(i) = v and its like, with indices that come again, the functions
// that leave u as it is, totals of segments, and bins.
#include <limits>

#include "tests/differential/random_program_parts.hpp"
#include "tests/support/libraries.hpp"

namespace frit_test {
namespace {

using frit::any_array;
using frit::dtype;
using frit::op;
using kind = ref::subscript::kind;

/// What a product of divisors is made in.
dtype widest_of(dtype t) {
    if (frit::is_complex(t)) return dtype::c128;
    if (frit::is_float(t)) return dtype::f64;
    return kind_of(t) == frit::dtype_kind::unsigned_integer ? dtype::u64 : dtype::i64;
}

ref::array filled(dtype t, const ref::position& extents, long double v) {
    return ref::generate(t, extents, [&](const auto&) { return ref::number{v, 0, 0}; });
}

ref::array divided(const ref::array& base, const ref::selection& where, const ref::array& values) {
    const dtype wide = widest_of(base.type);
    const ref::array divisor = ref::scatter(op::scatter_mul, filled(wide, base.extents, 1), where, ref::cast(values, wide));
    return ref::cast(ref::elementwise(op::div, {base, divisor}), base.type);
}

/// Whole axes but for an array at this one.
ref::selection select_axis(const ref::position& of, const ref::array& indices, int axis) {
    std::vector<ref::subscript> at;
    for (int k = 0; k < axis; ++k) at.push_back({kind::slice, {0, of[static_cast<std::size_t>(k)], 1}, {}});
    at.push_back({kind::indices, {}, indices});
    return ref::select(of, at);
}

/// What an empty segment has.
long double nothing_of(op o, dtype t) {
    if (o == op::scatter_add) return 0;
    if (o == op::scatter_mul) return 1;
    return by_type(t, [&]<class T>(T) -> long double {
        using limits = std::numeric_limits<T>;
        if constexpr (is_complex<T>)
            return 0;
        else if constexpr (is_float<T>)
            return static_cast<long double>(o == op::scatter_min ? limits::infinity() : -limits::infinity());
        else
            return static_cast<long double>(o == op::scatter_min ? limits::max() : limits::lowest());
    });
}

bool has_scatters() { return missing_library(op::scatter_set).empty(); }

}  // namespace

template <class T>
ingredient random_program::random_values(const variable& u, const ref::position& extents) {
    if (random_.chance(0.3))
        if (const variable* const other = pick_for(extents)) {
            const variable v = as<T>(*other);
            return ingredient_of(v);
        }
    if (random_.chance(0.5) && !u.plain.data.empty()) {  // the array's own elements, from elsewhere
        const std::int64_t n = u.plain.size();
        const ingredient i = random_indices(extents, -n, n - 1);
        return {recorded(take(ingredient_of(u).lazy, i.lazy)),
                ref::gather(u.plain, ref::select({n}, {{kind::indices, {}, i.plain}})),
                "take(" + u.name + ", " + i.text + ")"};
    }
    const T s = ordinary<T>(random_);
    return {recorded(frit::full(frit::shape(), s)), constant(s), number_text(s)};
}

void random_program::scatter() {
    variable& u = pick();
    if (!can_be_indexed(u.plain) || !has_scatters()) return;
    const std::optional<subscripts> at = random_subscripts(u.plain.extents);
    if (!at) return;
    by_type(u.plain.type, [&]<class T>(T) {
        enum { set, plus, minus, times, over };
        static const char* const tokens[] = {" = ", " += ", " -= ", " *= ", " /= "};
        auto how = random_.chance(0.3) ? 0 : random_.below(5);
        if (std::is_same_v<T, bool> && (how == minus || how == over)) how = set;
        const ingredient v = random_values<T>(u, at->where.extents);
        any_array a = std::get<frit::array<T>>(u.lazy);
        u.lazy = frit::array<T>();  // nobody else holds it now, or those that did before
        const auto write = [&](auto&& elements) {
            if (how == set) std::move(elements) = v.lazy;
            if (how == plus) std::move(elements) += v.lazy;
            if (how == minus) std::move(elements) -= v.lazy;
            if (how == times) std::move(elements) *= v.lazy;
            if (how == over) std::move(elements) /= v.lazy;
        };
        if (at->items.size() == 1)  // an array of run-time dtype alone would be a mask
            write(a(std::get<0>(at->items[0].lazy), frit::ellipsis));
        else
            with_subscripts(*at, [&](const auto&... i) { write(a(i...)); });
        u.lazy = a.as<T>();
        const ref::array old = u.plain;
        if (how == over)
            u.plain = divided(old, at->where, v.plain);
        else
            u.plain =
                ref::scatter(how == set     ? op::scatter_set
                             : how == times ? op::scatter_mul
                                            : op::scatter_add,
                             old, at->where, how == minus ? ref::stored(ref::elementwise(op::neg, {v.plain})) : v.plain);
        say(u.name + "(" + at->text + ")" + tokens[how] + v.text + ";");
    });
}

/// One value for each true element of a mask of u's first axes.
void random_program::put_where_true() {
    variable& u = pick();
    const ref::array& x = u.plain;
    if (!can_be_indexed(x) || x.rank() == 0 || !has_scatters() || !missing_library(op::cumsum).empty()) return;
    const auto masked = random_.between(1, x.rank());
    const ingredient m = random_mask(ref::position(x.extents.begin(), x.extents.begin() + masked));
    ref::position extents(x.extents.begin() + masked, x.extents.end());
    extents.insert(extents.begin(), m.plain.size());
    const ref::array rows = ref::reshape(x, extents);
    const ref::selection where = ref::select(extents, {{kind::indices, {}, places_of(m.plain)}});
    by_type(x.type, [&]<class T>(T) {
        enum { set, plus, minus, times };
        static const char* const tokens[] = {" = ", " += ", " -= ", " *= "};
        static constexpr op codes[] = {op::update, op::add, op::sub, op::mul};
        const auto how = std::is_same_v<T, bool> ? std::size_t{set} : static_cast<std::size_t>(random_.below(4));
        const ingredient v = random_values<T>(u, where.extents);
        any_array a = std::get<frit::array<T>>(u.lazy);
        u.lazy = frit::array<T>();  // nobody else holds it now, or those that did before
        if (how == set) a(m.lazy) = v.lazy;
        if (how == plus) a(m.lazy) += v.lazy;
        if (how == minus) a(m.lazy) -= v.lazy;
        if (how == times) a(m.lazy) *= v.lazy;
        u.lazy = a.as<T>();
        const auto now = [&]() -> ref::array {
            if (how == set) return v.plain;
            return ref::stored(ref::elementwise(codes[how], {ref::gather(rows, where), v.plain}));
        };
        u.plain = ref::reshape(ref::scatter(op::scatter_set, rows, where, now()), x.extents);
        say(u.name + "(" + m.text + ")" + tokens[how] + v.text + ";");
    });
}

void random_program::scatter_function() {
    const variable u = pick();
    const ref::array& x = u.plain;
    if (!can_be_indexed(x) || !has_scatters()) return;
    const int axis = static_cast<int>(random_.below(x.rank()));
    const std::int64_t n = x.extents[static_cast<std::size_t>(axis)];
    const bool along = random_.chance(0.3);
    ref::position to{n == 0 ? 0 : random_.between(0, 12)};
    if (along) {
        to = x.extents;
        for (std::int64_t& e : to)
            if (random_.chance(0.3)) e = 1;
        to[static_cast<std::size_t>(axis)] = n == 0 ? 0 : random_.between(0, 12);
    }
    if (x.size() * 12 > largest) return;
    const ingredient i = random_indices(to, -n, n - 1);
    if (along && i.plain.rank() != x.rank()) return;
    const ref::selection where = along ? ref::select_along(x.extents, i.plain, axis) : select_axis(x.extents, i.plain, axis);
    by_type(x.type, [&]<class T>(T) {
        const ingredient v = random_values<T>(u, where.extents), in = ingredient_of(u);
        const std::string text = "(" + u.name + ", " + i.text + ", " + v.text + ", " + std::to_string(axis) + ")";
        const auto give = [&](op o, const auto& formula, const char* name) {
            add(any_array(formula), ref::scatter(o, x, where, v.plain), name + text);
        };
        if (along) return give(op::scatter_set, put_along_axis(in.lazy, i.lazy, v.lazy, axis), "put_along_axis");
        switch (random_.below(is_complex<T> ? 2 : 4)) {
            case 0: return give(op::scatter_add, scatter_add(in.lazy, i.lazy, v.lazy, axis), "scatter_add");
            case 1: return give(op::scatter_mul, scatter_mul(in.lazy, i.lazy, v.lazy, axis), "scatter_mul");
            case 2: return give(op::scatter_min, scatter_min(in.lazy, i.lazy, v.lazy, axis), "scatter_min");
            default: return give(op::scatter_max, scatter_max(in.lazy, i.lazy, v.lazy, axis), "scatter_max");
        }
    });
}

void random_program::totals() {
    const variable v = pick();
    const ref::array& x = v.plain;
    if (x.rank() == 0 || !has_scatters()) return;
    const int axis = static_cast<int>(random_.below(x.rank()));
    const auto along = static_cast<std::size_t>(axis);
    const std::int64_t n = x.extents[along], segments = random_.between(n == 0 ? 0 : 1, 7);
    if (n > 0 && x.size() / n * segments > largest) return;
    const ingredient ids = random_indices({n}, 0, segments - 1), in = ingredient_of(v);
    if (ids.plain.extents != ref::position{n}) return;
    ref::position extents = x.extents;
    extents[along] = segments;
    const auto combine = [&](op o, dtype type, const ref::array& values) {
        return ref::scatter(o, filled(type, extents, nothing_of(o, type)), select_axis(extents, ids.plain, axis),
                            ref::cast(values, type));
    };
    const std::string text =
        "(" + v.name + ", " + ids.text + ", " + std::to_string(segments) + ", " + std::to_string(axis) + ")";
    const dtype sums = frit::reduction_dtype(op::sum, x.type);
    const auto how = random_.below(frit::is_complex(x.type) ? 3 : 5);
    if (how == 0)
        add(any_array(segment_sum(in.lazy, ids.lazy, segments, axis)), combine(op::scatter_add, sums, x),
            "segment_sum" + text);
    if (how == 1)
        add(any_array(segment_prod(in.lazy, ids.lazy, segments, axis)), combine(op::scatter_mul, sums, x),
            "segment_prod" + text);
    if (how == 2) {
        const dtype mean = frit::is_float(x.type) || frit::is_complex(x.type) ? x.type : dtype::f64,
                    computed = frit::register_dtype(mean);
        const ref::array counts = combine(op::scatter_add, dtype::i64, filled(dtype::i64, x.extents, 1));
        add(any_array(segment_mean(in.lazy, ids.lazy, segments, axis)),
            ref::cast(ref::elementwise(op::div, {combine(op::scatter_add, computed, x), ref::cast(counts, computed)}), mean),
            "segment_mean" + text);
    }
    if (how == 3)
        add(any_array(segment_min(in.lazy, ids.lazy, segments, axis)), combine(op::scatter_min, x.type, x),
            "segment_min" + text);
    if (how == 4)
        add(any_array(segment_max(in.lazy, ids.lazy, segments, axis)), combine(op::scatter_max, x.type, x),
            "segment_max" + text);
}

// The edges of the bins are exact: powers of two.
void random_program::fill_bins() {
    const variable v = pick();
    const ref::array& x = v.plain;
    if (!has_scatters()) return;
    if (random_.chance(0.5)) {
        const bool weighted = x.rank() == 1 && random_.chance(0.5);
        const ref::position extents = x.rank() == 1 ? x.extents : ref::position{random_.between(0, 30)};
        const ingredient i = random_indices(extents, 0, 20), w = ingredient_of(v);
        if (i.plain.extents != extents) return;
        const std::int64_t least = random_.between(0, 30);
        std::int64_t bins = least;
        for (const ref::number& e : i.plain.data) bins = std::max(bins, static_cast<std::int64_t>(e.v) + 1);
        const dtype type = weighted ? x.type : dtype::i64;
        const ref::array want = ref::scatter(op::scatter_add, filled(type, {bins}, 0), select_axis({bins}, i.plain, 0),
                                             weighted ? x : filled(type, extents, 1));
        return add(weighted ? any_array(bincount(i.lazy, w.lazy, least)) : any_array(bincount(i.lazy, least)), want,
                   "bincount(" + i.text + (weighted ? ", " + v.name : "") + ", " + std::to_string(least) + ")");
    }
    if (frit::is_complex(x.type) || !is_exact(x)) return;
    const std::int64_t bins = std::int64_t{1} << random_.below(5);
    ref::array want = filled(dtype::i64, {bins}, 0);
    for (const ref::number& e : x.data) {
        if (!(e.v >= -8 && e.v <= 8)) continue;
        std::int64_t bin = bins - 1;
        while (e.v < -8 + 16.0L * static_cast<long double>(bin) / static_cast<long double>(bins)) --bin;
        ++want.data[static_cast<std::size_t>(bin)].v;
    }
    add(any_array(std::get<0>(histogram(ingredient_of(v).lazy, bins, -8, 8))), want,
        "histogram(" + v.name + ", " + std::to_string(bins) + ", -8, 8)");
}

}  // namespace frit_test
