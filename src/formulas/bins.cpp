// See frit/bins.hpp. A bin is found by arithmetic or by a search, and mended by a look at the edges, since a quotient that
// is rounded may fall on the other side of one; then values are added up at their bins. Where the width of the bins is a
// power of two no quotient is rounded. On a GPU, whose threads count as fast as they find bins, the edges are looked at
// where rounding might matter and nowhere else: a kernel that counts skips what few elements need (schedules/gpu/tallies).
#include "frit/bins.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "src/formulas/search.hpp"

namespace frit::inline v0::detail {
namespace {

/// @throws shape_error unless there are none, or one for each element of x
void check_weights(std::string_view who, const user_ref& x, const user_ref& weights, source_line where) {
    if (weights && *weights->extents != *x->extents)
        throw_shape_error(who, "there must be a weight for each element", std::array{*x->extents, *weights->extents}, where);
}

user_ref added_at(const value& at, const user_ref& what, std::int64_t bins, const char* who, source_line where) {
    const value none = filled(value(constant_of(weak_number(false), what->meant, where)), shape{bins}, where);
    const gather_item items[] = {{.array = at.node()}};
    return scatter_of(op::scatter_add, none.node(), access_of(none.node(), items, who, where), what, who, where);
}
user_ref one_for_all(source_line where) { return constant_of(true, dtype::i64, where); }

/// A number of the same dtype.
value like(const value& x, std::int64_t n, source_line where) {
    return value(constant_of(weak_number(n), x.node()->meant, where));
}

/// Weights added up at their bins, as far as they count. Without weights what does not count has a bin of its own, behind
/// the others, so that there is one value for all, which needs no memory.
user_ref added(const value& bin, const mask_value& counts, const user_ref& weights, std::int64_t bins, const char* who,
               source_line where) {
    if (!weights) {
        const value at = as_vector(recorded(frit::where(counts, bin, like(bin, bins, where)), where), where);
        const value all(added_at(at, one_for_all(where), bins + 1, who, where));
        const index first[] = {slice(0, bins)};
        return result(make_view(all, index_attribute(all.shape(where), first, where)), where);
    }
    const value nothing = value(constant_of(weak_number(false), weights->meant, where));
    const value at = as_vector(recorded(frit::where(counts, bin, like(bin, 0, where)), where), where);
    const value what = as_vector(recorded(frit::where(counts, value(weights), nothing), where), where);
    return added_at(at, what.node(), bins, who, where);
}

template <class T>
T number_of(const value& x, source_line where) {
    return item_of<T>(handle_ref(x.node().get()), where);
}

}  // namespace

user_ref bincount_of(const user_ref& x, const user_ref& weights, std::int64_t minlength, source_line where) {
    constexpr const char* who = "bincount";
    return or_out_of_memory(who, where, [&] {
        check_vector(who, "x", *x->extents, where);
        if (!is_integer(x->meant) && x->meant != dtype::bool_)
            throw_dtype_error(who, "takes integers", {&x->meant, 1}, where);
        if (minlength < 0) throw_index_error(who, "the least length must not be negative", *x->extents, where);
        constexpr auto most = std::numeric_limits<std::int64_t>::max();
        const value held = x->meant == dtype::u64 ? recorded(minimum(value(x), most), where) : value(x);  // by int64
        const value numbers = recorded(cast(held, dtype::i64), where);
        std::int64_t bins = minlength;
        if (x->extents->size() > 0) {
            if (number_of<std::int64_t>(recorded(min(numbers), where), where) < 0)
                throw_index_error(who, "there is a negative number", *x->extents, where);
            const auto largest = number_of<std::int64_t>(recorded(max(numbers), where), where);
            if (largest == most)
                throw_index_error(who, "there is a number without a bin, 2^63 - 1 or more", *x->extents, where);
            bins = std::max(bins, largest + 1);
        }
        check_weights(who, x, weights, where);
        return added_at(numbers, weights ? weights : one_for_all(where), bins, who, where);
    });
}

namespace {

/// Which bin each element lies in, and whether it lies in one.
struct binned {
    value bin;  ///< int32 or int64
    mask_value counts;
    user_ref edges;  ///< one more than there are bins
    std::int64_t bins() const { return edges->extents->size() - 1; }
};

mask_value mask_of(const value& condition) { return mask_value(condition.node()); }

constexpr std::int64_t most_narrow = 1 << 20;  // bins whose numbers are int32, and far from what float32 cannot count

/// Bins of equal width, from double to double, and x in the dtype in which it is compared with their edges.
struct equal_width {
    value x;
    std::int64_t n;
    double lo, hi;
    source_line where;

    bool narrow() const { return n <= most_narrow; }
    double in_bins(double y) const { return y * (static_cast<double>(n) / (hi - lo)); }
    template <operand K>
    auto edge(const K& k) const {
        return rounded_product(cast(k, dtype::f64) * ((hi - lo) / static_cast<double>(n))) + lo;  // as NumPy's
    }

    /// Edges are whole multiples of a power of two, which x is divided by exactly; -0 would be one of what is just below 0.
    bool is_exact() const {
        int exponent = 0;
        const double scale = in_bins(1), first = in_bins(lo);
        return narrow() && std::frexp(scale, &exponent) == 0.5 && std::abs(exponent) < 100 && (lo >= 0 || exponent > 0) &&
               std::abs(first) <= static_cast<double>(most_narrow) && first == std::trunc(first) &&
               in_bins(hi) == first + static_cast<double>(n);
    }
    value exact_bin() const {
        const value scaled = recorded(x * in_bins(1), where);
        const value whole = lo >= 0 ? scaled : recorded(floor(scaled), where);
        const auto first = static_cast<std::int32_t>(in_bins(lo));
        return recorded(minimum(cast<std::int32_t>(whole) - first, static_cast<std::int32_t>(n - 1)), where);
    }

    /// The bin of an element that counts, if the quotient names it or a neighbour: the edges beside it are computed again,
    /// since what a table would give takes longer to read.
    place_value mended(const place_value& first) const {
        const dtype in = x.node()->meant;
        const place_value next(result(first + std::int64_t{1}, where));
        const value left = recorded(cast(edge(first), in), where), right = recorded(cast(edge(next), in), where);
        return place_value(result(frit::where(x < left, maximum(first - std::int64_t{1}, std::int64_t{0}),
                                              frit::where((x >= right) & (first < n - 1), next, first)),
                                  where));
    }
    value bin(const mask_value& counts) const {
        // Computed once for all that read it: a quotient takes as long as reading x.
        const value quotient =
            shared(minimum(cast(frit::where(counts, (x - lo) / (hi - lo) * static_cast<double>(n), 0.0), dtype::i64), n - 1),
                   where);
        return value(mended(place_value(quotient.node())).node());
    }

    /// What the quotient by multiplication and the edges, counted in bins, may be off by together, and as much again: each
    /// step is rounded at the size of what it gives or reads.
    double doubt() const {
        const double unit = x.node()->meant == dtype::f32 ? 0x1p-24 : 0x1p-53;
        const double far = std::max(std::abs(lo), std::abs(hi)) / (hi - lo);
        return unit * static_cast<double>(n) * (10 * far + 16);
    }
    /// And nothing that `narrow_bin` and `bin_where_in_doubt` compute is beyond what x's dtype holds.
    bool is_mostly_certain() const {
        const double most = x.node()->meant == dtype::f32 ? 0x1p126 : 0x1p1022;
        return narrow() && doubt() < 0.1 && std::max({in_bins(1), hi - lo, std::abs(lo), std::abs(hi)}) < most;
    }
    /// `bin` from the edge that a quotient is nearest to, the only one that may be on x's other side. In numbers of 32 bits,
    /// which lanes have more of; elements that do not count have any number.
    value narrow_bin() const {
        const value nearest = shared(cast<std::int32_t>((x - lo) * in_bins(1) + 0.5), where);
        const value above = recorded(cast(edge(nearest), x.node()->meant), where);
        return recorded(minimum(nearest - cast<std::int32_t>(x < above), static_cast<std::int32_t>(n - 1)), where);
    }
    /// The same where threads skip what few elements need.
    value bin_where_in_doubt() const {
        const value quotient = shared((x - lo) * in_bins(1), where), whole = shared(floor(quotient), where);
        const mask_value near_an_edge(result(abs(quotient - whole - 0.5) > 0.5 - doubt(), where));
        const value certain = shared(cast<std::int32_t>(whole), where);
        const value first = shared(minimum(cast(certain, dtype::i64), n - 1), where);
        return recorded(frit::where(near_an_edge, cast<std::int32_t>(mended(place_value(first.node()))), certain), where);
    }
};

binned in_equal_bins(const char* who, const user_ref& from, std::int64_t bins, double lo, double hi, source_line where) {
    if (bins < 1 || bins == std::numeric_limits<std::int64_t>::max() || !(lo < hi) || !std::isfinite(hi - lo))
        throw_index_error(who, "there must be bins, and the first edge a finite distance below the last one", *from->extents,
                          where);
    const dtype type = statistic_dtype(from->meant), in = register_dtype(type);
    const equal_width b{recorded(cast(value(from), in), where), bins, lo, hi, where};
    const place_value i = numbers(bins + 1, where);
    const value edges(result(frit::where(i == bins, hi, b.edge(i)), in, where));
    const mask_value counts = mask_of(shared((b.x >= lo) & (b.x <= hi), where));
    const bool skips = device_of(from.get()) != device::cpu();
    return {b.is_exact()             ? b.exact_bin()
            : !b.is_mostly_certain() ? b.bin(counts)
            : skips                  ? b.bin_where_in_doubt()
                                     : b.narrow_bin(),
            counts, result(edges, type, where)};
}

binned between_edges(const char* who, const user_ref& from, const user_ref& edges, source_line where) {
    check_vector(who, "edges", *edges->extents, where);
    check_real(who, edges->meant, where);
    const std::int64_t bins = edges->extents->size() - 1;
    if (bins < 1) throw_shape_error(who, "there must be two edges at least", {edges->extents, 1}, where);
    const value x(from), all(edges);
    const place_value behind(searchsorted_of(edges, from, side::right, where));
    const value first = element_at(all, 0, *from->extents, where), last = element_at(all, bins, *from->extents, where);
    const mask_value counts = mask_of(recorded((x >= first) & (x <= last), where));
    const value bin(result(minimum(maximum(behind - std::int64_t{1}, std::int64_t{0}), bins - 1), where));
    return {bin, counts, edges};
}

binned along(const char* who, const user_ref& from, const axis_bins& bins, source_line where) {
    check_real(who, from->meant, where);
    return bins.edges ? between_edges(who, from, bins.edges, where)
                      : in_equal_bins(who, from, bins.number, bins.lo, bins.hi, where);
}

/// Bins from the least element to the largest.
axis_bins all_of(const user_ref& x, std::int64_t bins, source_line where) {
    if (x->extents->size() == 0) return {.number = bins, .lo = 0, .hi = 1};
    const value all(x);
    const auto as_number = [&](const auto& end) { return recorded(cast(end, dtype::f64), where); };
    const value ends[] = {as_number(min(all)), as_number(max(all))};
    node_head* const together[] = {ends[0].node().get(), ends[1].node().get(), x.get()};  // x is read again
    eval(together, where);
    const double lo = number_of<double>(ends[0], where), hi = number_of<double>(ends[1], where);
    const double around = lo == hi ? 0.5 : 0;
    return {.number = bins, .lo = lo - around, .hi = hi + around};
}

std::pair<user_ref, user_ref> histogram_along(const user_ref& x, const axis_bins& bins, const user_ref& weights,
                                              source_line where) {
    constexpr const char* who = "histogram";
    return or_out_of_memory(who, where, [&] {
        const binned found = along(who, x, bins, where);
        check_weights(who, x, weights, where);
        return std::pair{added(found.bin, found.counts, weights, found.bins(), who, where), found.edges};
    });
}

}  // namespace

std::pair<user_ref, user_ref> histogram_of(const user_ref& x, std::int64_t bins, double lo, double hi,
                                           const user_ref& weights, source_line where) {
    return histogram_along(x, {.number = bins, .lo = lo, .hi = hi}, weights, where);
}

std::pair<user_ref, user_ref> histogram_of(const user_ref& x, std::int64_t bins, const user_ref& weights,
                                           source_line where) {
    check_real("histogram", x->meant, where);
    return histogram_along(x, all_of(x, bins, where), weights, where);
}

std::pair<user_ref, user_ref> histogram_of(const user_ref& x, const user_ref& edges, const user_ref& weights,
                                           source_line where) {
    return histogram_along(x, {.edges = edges}, weights, where);
}

// The rectangles are numbered row by row.
three_results histogram2d_of(const user_ref& x, const user_ref& y, const axis_bins& of_x, const axis_bins& of_y,
                             const user_ref& weights, source_line where) {
    constexpr const char* who = "histogram2d";
    return or_out_of_memory(who, where, [&] {
        if (*x->extents != *y->extents)
            throw_shape_error(who, "x and y differ in shape", std::array{*x->extents, *y->extents}, where);
        if (weights) check_real(who, weights->meant, where);
        const binned rows = along(who, x, of_x, where), columns = along(who, y, of_y, where);
        const shape whole({rows.bins(), columns.bins()}, where);
        check_weights(who, x, weights, where);
        const user_ref what = weights ? in_dtype(value(weights), dtype::f64, where).node() : user_ref();
        const auto is_narrow = [](const binned& b) { return b.bin.node()->meant == dtype::i32; };
        const dtype type = is_narrow(rows) && is_narrow(columns) && whole.size() <= most_narrow ? dtype::i32 : dtype::i64;
        const value row = in_dtype(rows.bin, type, where), column = in_dtype(columns.bin, type, where);
        const value bin = recorded(row * like(row, whole[1], where) + column, where);
        const mask_value counts = mask_of(recorded(rows.counts & columns.counts, where));
        const value sums(added(bin, counts, what, whole.size(), who, where));
        return three_results{result(sums.reshape(whole, where), dtype::f64, where), rows.edges, columns.edges};
    });
}

}  // namespace frit::v0::detail
