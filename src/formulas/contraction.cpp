// See contraction.hpp. All that is done to an array before it is multiplied is one view: axes in another order, a diagonal,
// repetition along axes that it lacks. BLAS reads most of these where they lie; several axes that become one side of a
// matrix must follow one another in memory, so an array's own order is kept wherever there is a choice.
#include "src/formulas/contraction.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "fusion/machine/cost_model.hpp"
#include "src/formulas/factors.hpp"
#include "src/formulas/parts.hpp"

namespace frit::inline v0::detail {
namespace {

subscript_set set_of(const subscript_list& list) {
    subscript_set s;
    for (const int k : list) s.set(static_cast<std::size_t>(k));
    return s;
}
bool has(const subscript_set& s, int index) { return s[static_cast<std::size_t>(index)]; }

/// Those of a list that are in the set, in the list's order.
subscript_list among(const subscript_list& list, const subscript_set& s) {
    subscript_list some;
    for (const int k : list)
        if (has(s, k)) some.push_back(k);
    return some;
}

subscript_list together(std::initializer_list<subscript_list> parts) {
    subscript_list all;
    for (const subscript_list& p : parts) all.insert(all.end(), p.begin(), p.end());
    return all;
}

}  // namespace

/// What an index of two arrays is to their product.
struct contraction::roles {
    subscript_set batch, left, right, summed;
    roles(const named_array& a, const named_array& b, const subscript_set& kept) {
        const subscript_set of_a = set_of(a.axes), of_b = set_of(b.axes), both = of_a & of_b;
        batch = both & kept;
        summed = both & ~kept;
        left = of_a & ~of_b & kept;
        right = of_b & ~of_a & kept;
    }
};

double contraction::elements(const subscript_list& list) const {
    double n = 1;
    for (const int k : list) n *= static_cast<double>(extent(k));
    return n;
}

named_array contraction::operand(const user_ref& x, const subscript_list& axes) const {
    subscript_list once;
    for (std::size_t k = 0; k < axes.size(); ++k) {
        const bool repeated = (*x->extents)[k] != extent(axes[k]);
        if (!repeated && std::find(once.begin(), once.end(), axes[k]) == once.end()) once.push_back(axes[k]);
    }
    const named_array given{in_dtype(value(x), factor_dtype(x->meant, type_), where_), axes};
    return {once == axes ? given.x : seen_along(given, once), once};
}

/// a's element at the indices of `to`, along which it is repeated where it lacks them. Where it has one twice, both of its
/// axes are read at the same place; an axis that `to` lacks has one element.
value contraction::seen_along(const named_array& a, const subscript_list& to) const {
    if (a.axes == to) return a.x;
    std::vector<std::int64_t> result;
    for (const int k : to) result.push_back(extent(k));
    auto* map = new attribute;
    const attribute_ref ref(map);
    map->source = shape_of_node(a.x);
    map->result = shape(result, where_);
    for (const int k : a.axes) {
        const auto place = std::find(to.begin(), to.end(), k);
        map->maps.push_back({});
        if (place != to.end()) map->maps.back() = {.axis = static_cast<int>(place - to.begin()), .step = 1};
    }
    return seen(a.x, ref, where_);
}

/// The sum over all axes behind the first ones; of bools "or". Of integers it wraps.
template <class E>
value contraction::sum_of_last(const E& x, std::size_t kept, const shape& extents) const {
    std::vector<std::int64_t> last;
    for (auto k = static_cast<std::int64_t>(kept); k < extents.rank(); ++k) last.push_back(k);
    const axes which(last, where_);
    const attribute_ref over = reduce_attribute("einsum", extents, {.which = &which, .where = where_});
    if (type_ == dtype::bool_) return recorded(reduce_along<op::any>(x, over), where_);
    const value sum = recorded(reduce_along<op::sum>(x, over), where_);
    return kind_of(type_) < dtype_kind::floating ? in_dtype(sum, type_, where_) : sum;
}

named_array contraction::summed(const named_array& a, const subscript_set& kept) const {
    const subscript_list stay = among(a.axes, kept), go = among(a.axes, ~kept);
    if (go.empty()) return a;
    const value rows = seen_along(a, together({stay, go}));
    return {sum_of_last(rows, stay.size(), shape_of_node(rows)), stay};
}

named_array contraction::product(const named_array& a, const named_array& b, const subscript_set& kept) const {
    return product(a, b, kept, nullptr);
}
named_array contraction::product(const named_array& a, const named_array& b, const subscript_list& result) const {
    return product(a, b, set_of(result), &result);
}

named_array contraction::product(const named_array& a, const named_array& b, const subscript_set& kept,
                                 const subscript_list* result) const {
    const roles r(a, b, kept);
    if (elements(among(a.axes, r.summed)) > 1 && elements(among(a.axes, r.left)) > 1 && elements(among(b.axes, r.right)) > 1)
        return matrix_product(summed(a, kept | r.summed), summed(b, kept | r.summed), r, result);
    // What only one of them has, and nobody keeps, is summed first, unless the other one is merely repeated along it.
    const subscript_set of_a = set_of(a.axes), of_b = set_of(b.axes);
    const subscript_set left = (of_b & ~of_a).any() ? kept | of_b : ~subscript_set(),
                        right = (of_a & ~of_b).any() ? kept | of_a : ~subscript_set();
    return elementwise(std::array{summed(a, left), summed(b, right)}, kept, result);
}

named_array contraction::elementwise(std::span<const named_array> factors, const subscript_set& kept,
                                     const subscript_list* result) const {
    // The order of the largest is the one to go along.
    const auto smaller = [&](const named_array& a, const named_array& b) { return elements(a.axes) < elements(b.axes); };
    subscript_list all = std::max_element(factors.begin(), factors.end(), smaller)->axes;
    for (const named_array& f : factors) all = together({all, among(f.axes, ~set_of(all))});
    const subscript_list stay = result ? among(*result, set_of(all)) : among(all, kept), go = among(all, ~kept);
    const subscript_list domain = together({stay, go});
    value x = seen_along(factors[0], domain);
    for (const named_array& f : factors.subspan(1, factors.size() - 2))
        x = recorded(rounded_product(x * seen_along(f, domain)), where_);
    const value y = seen_along(factors.back(), domain);
    if (go.empty()) return {recorded(rounded_product(x * y), where_), stay};
    return {sum_of_last(x * y, stay.size(), shape_of_node(x)), stay};
}

bool contraction::one_has_all(std::span<const named_array> factors) {
    subscript_set all;
    for (const named_array& f : factors) all |= set_of(f.axes);
    return std::any_of(factors.begin(), factors.end(), [&](const named_array& f) { return set_of(f.axes) == all; });
}

named_array contraction::product(std::span<const named_array> factors, const subscript_list& result) const {
    return elementwise(factors, set_of(result), &result);
}

/// Which indices are the batch of a product of matrices, which are rows and columns, and in which order.
struct contraction::arrangement {
    bool exchanged = false;  ///< b is the left matrix
    subscript_list batch, left, right, inner;
    subscript_list result() const { return together({batch, left, right}); }
};

namespace {

/// Whether axes of an array are one axis in memory, or can be seen as one.
bool in_sequence(const subscript_list& axes, const subscript_list& part) {
    return std::search(axes.begin(), axes.end(), part.begin(), part.end()) != axes.end();
}

/// The last ones of a list of which the predicate holds; without them is what is left of the list.
template <class F>
subscript_list taken_from_end(subscript_list& list, const F& is_wanted) {
    const auto from = std::find_if_not(list.rbegin(), list.rend(), is_wanted).base();
    const subscript_list taken(from, list.end());
    list.erase(from, list.end());
    return taken;
}

}  // namespace

/// What it costs to bring an array into an order in which BLAS reads these matrices: nothing where it does as it lies.
double contraction::price_of(const named_array& x, const subscript_list& rows, const subscript_list& columns) const {
    const int last = x.axes.back();
    const bool is_read =
        in_sequence(x.axes, rows) && in_sequence(x.axes, columns) && (last == rows.back() || last == columns.back());
    return is_read ? 0 : fusion::kernel_in_copies + elements(x.axes);
}
double contraction::price_of(const named_array& a, const named_array& b, const arrangement& how,
                             const subscript_list* result) const {
    const subscript_list made = how.result();
    const double copy = !result || made == *result ? 0 : fusion::kernel_in_copies + elements(made);
    return price_of(a, how.left, how.inner) + price_of(b, how.inner, how.right) + copy +
           fusion::product_in_copies * elements(how.batch);
}

/// The cheapest of some: with the axes of operands or of the result in their order, as few matrices as there may be, or as
/// many as keep all that is in memory where it is.
contraction::arrangement contraction::best_arrangement(const named_array& a, const named_array& b, const roles& r,
                                                       const subscript_list* result) const {
    arrangement best;
    double least = 0;
    const double nothing_copied = fusion::product_in_copies * elements(among(a.axes, r.batch));
    const auto consider = [&](const named_array& x, const named_array& y, const arrangement& how) {
        if (how.left.empty() || how.right.empty()) return;
        const double price = price_of(x, y, how, result);
        if (best.left.empty() || price < least) best = how, least = price;
    };
    for (const bool exchanged : {false, true}) {
        const named_array &x = exchanged ? b : a, &y = exchanged ? a : b;
        const subscript_set &rows = exchanged ? r.right : r.left, &columns = exchanged ? r.left : r.right;
        for (const named_array* const of : {&x, &y}) {
            if (!best.left.empty() && least <= nothing_copied) return best;
            const subscript_list order = result ? *result : x.axes, inner = among(of->axes, r.summed);
            const arrangement own{exchanged, among(order, r.batch), among(x.axes, rows), among(y.axes, columns), inner};
            consider(x, y, own);
            arrangement more = own;  // the first of the rows are a batch's, of which all share the right matrix
            while (!in_sequence(x.axes, more.left)) {
                more.batch.push_back(more.left.front());
                more.left.erase(more.left.begin());
            }
            consider(x, y, more);
            if (!result) continue;
            consider(x, y, {exchanged, among(order, r.batch), among(order, rows), among(order, columns), inner});
            arrangement last{exchanged, order, {}, {}, inner};
            last.right = taken_from_end(last.batch, [&](int k) { return has(columns, k); });
            last.left = taken_from_end(last.batch, [&](int k) { return has(rows, k); });
            consider(x, y, last);
        }
    }
    return best;
}

/// Of a batch, those that x lacks have one element: they are repeated by the product, and not in memory.
value contraction::matrices_of(const named_array& x, const subscript_list& batch, const subscript_list& rows,
                               const subscript_list& columns) const {
    const subscript_list own = among(batch, set_of(x.axes));
    const value all = seen_along(x, together({own, rows, columns}));
    if (own == batch && rows.size() == 1 && columns.size() == 1) return all;
    std::vector<std::int64_t> extents;
    for (const int k : batch) extents.push_back(has(set_of(own), k) ? extent(k) : 1);
    for (const subscript_list& side : {rows, columns}) {
        extents.push_back(1);
        for (const int k : side) extents.back() *= extent(k);
    }
    return reshaped(all, int_list(extents, where_), where_);
}

named_array contraction::matrix_product(const named_array& a, const named_array& b, const roles& r,
                                        const subscript_list* result) const {
    const arrangement how = best_arrangement(a, b, r, result);
    const named_array &left = how.exchanged ? b : a, &right = how.exchanged ? a : b;
    const value product = recorded(
        matmul(matrices_of(left, how.batch, how.left, how.inner), matrices_of(right, how.batch, how.inner, how.right)),
        where_);
    const subscript_list made = how.result();
    if (how.left.size() == 1 && how.right.size() == 1) return {product, made};
    std::vector<std::int64_t> extents;
    for (const int k : made) extents.push_back(extent(k));
    return {reshaped(product, int_list(extents, where_), where_), made};
}

user_ref contraction::result_of(const named_array& a, const subscript_list& axes) const {
    const subscript_list go = among(a.axes, ~set_of(axes));
    if (go.empty()) return result(in_dtype(seen_along(a, axes), type_, where_), where_);
    const value rows = seen_along(a, together({axes, go}));
    return result(in_dtype(sum_of_last(rows, axes.size(), shape_of_node(rows)), type_, where_), where_);
}

}  // namespace frit::v0::detail
