// Elements at other places: concatenate, stack, repeat, tile, roll, triu, ... are formulas of one kernel (src/formulas),
// which fuse with what makes their operands and with what reads them (but repeat along an axis, tile and a roll of all
// elements in a row, which are read from memory); split, moveaxis, swapaxes, rot90, meshgrid and
// broadcast_arrays are views, and no kernel. Views of one array with its own axes are in view.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "frit/detail/formulas.hpp"
#include "frit/view.hpp"

namespace frit::inline v0 {

namespace detail {

/// An axis, and the caller's line, for which a pack of operands leaves no room.
struct joined_axis {
    std::int64_t axis;
    source_line where;
    template <integral_number T>
    joined_axis(T k, source_line at = {}) : axis(to_int64(k)), where(at) {}
    template <std::floating_point T>
    joined_axis(T) = delete;  // an axis is an integer
};

/// A vector, a span or an array of arrays, views or recipes.
template <class R>
concept operand_range = !operand<R> && requires(const R& r) {
    requires operand<decltype(*std::begin(r))>;
    std::end(r);
};
template <operand_range R>
inline constexpr dtype element_dtype = operand_t<decltype(*std::begin(std::declval<const R&>()))>::type;

template <operand... A>
inline constexpr dtype joined_dtype = common_dtype({argument_of<A>()...});

template <operand_range R>
std::vector<user_ref> nodes_of(const char* who, const R& parts, source_line where) {
    return or_out_of_memory(who, where, [&] {
        std::vector<user_ref> nodes;
        for (const auto& part : parts) nodes.push_back(node_of(part, where));
        return nodes;
    });
}

/// An array as it is, a formula recorded: what several views are made of.
template <operand A>
auto viewed(const A& x, source_line where) {
    if constexpr (is_node<A>)
        return as_value(x);
    else
        return composed<operand_t<A>::type>(node_of(x, where));
}

/// An argument of broadcast_arrays, seen in the common shape.
template <operand A>
auto spread(const A& x, const shape& to, source_line where) {
    return make_view(x, broadcast_attribute(x.shape(where), to, where));
}
template <operand... A>
auto spread_all(source_line where, const A&... x) {
    const shape shapes[] = {x.shape(where)...};
    const shape to = broadcast_shape("broadcast_arrays", shapes, where);
    return std::tuple{spread(x, to, where)...};
}

}  // namespace detail

/// The operands one after the other along an axis, in the dtype to which all promote: one kernel, which computes formulas
/// among them where they go and writes the result once.
///
/// ```cpp
/// const frit::array<int> a{{1, 2}, {3, 4}};
/// std::cout << concatenate(0, a, 10 * a(frit::slice(0, 1))) << "\n";
/// ```
/// ```text
/// [[ 1  2]
///  [ 3  4]
///  [10 20]]
/// ```
///
/// @throws shape_error where they differ in rank or along another axis, and for numbers, which have no axis; index_error for
///         an axis that they do not have
template <detail::operand... A>
requires(sizeof...(A) > 0) auto concatenate(detail::joined_axis along, const A&... parts) {
    const detail::user_ref nodes[] = {detail::node_of(parts, along.where)...};
    return composed<detail::joined_dtype<A...>>(detail::concatenate_of(nodes, along.axis, along.where));
}
/// The same of a std::vector of them, a std::span, ... @throws shape_error where there is none
template <detail::operand_range R>
auto concatenate(detail::joined_axis along, const R& parts) {
    return composed<detail::element_dtype<R>>(
        detail::concatenate_of(detail::nodes_of("concatenate", parts, along.where), along.axis, along.where));
}

/// The operands, all of one shape, along a new axis at this place of the result; otherwise as concatenate.
template <detail::operand... A>
requires(sizeof...(A) > 0) auto stack(detail::joined_axis along, const A&... parts) {
    const detail::user_ref nodes[] = {detail::node_of(parts, along.where)...};
    return composed<detail::joined_dtype<A...>>(detail::stack_of(nodes, along.axis, along.where));
}
/// The same of a std::vector of them, a std::span, ...
template <detail::operand_range R>
auto stack(detail::joined_axis along, const R& parts) {
    return composed<detail::element_dtype<R>>(
        detail::stack_of(detail::nodes_of("stack", parts, along.where), along.axis, along.where));
}

// Up to four operands by name, since a pack leaves no room for the caller's line; more in a std::vector.
#define FRIT_STACKED(name)                                                                                                  \
    template <detail::operand A, detail::operand B>                                                                         \
    auto name(const A& a, const B& b, source_line where = {}) {                                                             \
        const detail::user_ref nodes[] = {detail::node_of(a, where), detail::node_of(b, where)};                            \
        return composed<detail::joined_dtype<A, B>>(detail::name##_of(nodes, where));                                       \
    }                                                                                                                       \
    /** Of three. */                                                                                                        \
    template <detail::operand A, detail::operand B, detail::operand C>                                                      \
    auto name(const A& a, const B& b, const C& c, source_line where = {}) {                                                 \
        const detail::user_ref nodes[] = {detail::node_of(a, where), detail::node_of(b, where), detail::node_of(c, where)}; \
        return composed<detail::joined_dtype<A, B, C>>(detail::name##_of(nodes, where));                                    \
    }                                                                                                                       \
    /** Of four. */                                                                                                         \
    template <detail::operand A, detail::operand B, detail::operand C, detail::operand D>                                   \
    auto name(const A& a, const B& b, const C& c, const D& d, source_line where = {}) {                                     \
        const detail::user_ref nodes[] = {detail::node_of(a, where), detail::node_of(b, where), detail::node_of(c, where),  \
                                          detail::node_of(d, where)};                                                       \
        return composed<detail::joined_dtype<A, B, C, D>>(detail::name##_of(nodes, where));                                 \
    }                                                                                                                       \
    /** Of a std::vector of them, a std::span, ... */                                                                       \
    template <detail::operand_range R>                                                                                      \
    auto name(const R& parts, source_line where = {}) {                                                                     \
        return composed<detail::element_dtype<R>>(detail::name##_of(detail::nodes_of(#name, parts, where), where));         \
    }

/// Side by side: along axis 1, vectors and numbers along their only one.
FRIT_STACKED(hstack)

/// One above the other: along axis 0, a vector or a number as a row.
FRIT_STACKED(vstack)
#undef FRIT_STACKED

/// x cut into so many equal parts along an axis, or before the elements of a list: a std::vector of views.
///
/// ```cpp
/// const frit::array<int> x = frit::arange(6);
/// for (const auto& part : split(x, 3)) std::cout << part << " ";
/// for (const auto& part : split(x, {1, 4})) std::cout << part << " ";
/// std::cout << "\n";
/// ```
/// ```text
/// [0 1] [2 3] [4 5] [0] [1 2 3] [4 5]
/// ```
///
/// @throws shape_error where parts cannot be equal, index_error for an axis that x does not have
template <detail::operand A>
auto split(const A& x, const detail::split_points& points, detail::any_integer axis = 0, source_line where = {}) {
    const auto whole = detail::viewed(x, where);
    return detail::or_out_of_memory("split", where, [&] {
        std::vector<decltype(detail::make_view(whole, detail::attribute_ref()))> parts;
        for (const detail::attribute_ref& map : detail::split_attributes(whole.shape(where), points, axis, where))
            parts.push_back(detail::make_view(whole, map));
        return parts;
    });
}

/// Axes `from` of x at the places `to` of the result; the others keep their order. A view.
template <detail::operand A>
auto moveaxis(const A& x, const axes& from, const axes& to, source_line where = {}) {
    return detail::make_view(x, detail::moveaxis_attribute(x.shape(where), from, to, where));
}
/// Two axes exchanged. A view.
template <detail::operand A>
auto swapaxes(const A& x, detail::any_integer axis1, detail::any_integer axis2, source_line where = {}) {
    return detail::make_view(x, detail::swapaxes_attribute(x.shape(where), axis1, axis2, where));
}
/// x turned so many quarters in a plane, from its first axis towards its second. A view.
template <detail::operand A>
auto rot90(const A& x, detail::any_integer turns = 1, const axes& plane = {0, 1}, source_line where = {}) {
    return detail::make_view(x, detail::rot90_attribute(x.shape(where), turns, plane, where));
}

/// The operands in the shape that they broadcast to: a tuple of views. @throws shape_error
template <detail::operand A, detail::operand B>
auto broadcast_arrays(const A& a, const B& b, source_line where = {}) {
    return detail::spread_all(where, a, b);
}
/// Of three.
template <detail::operand A, detail::operand B, detail::operand C>
auto broadcast_arrays(const A& a, const B& b, const C& c, source_line where = {}) {
    return detail::spread_all(where, a, b, c);
}
/// Of four.
template <detail::operand A, detail::operand B, detail::operand C, detail::operand D>
auto broadcast_arrays(const A& a, const B& b, const C& c, const D& d, source_line where = {}) {
    return detail::spread_all(where, a, b, c, d);
}

/// Whose elements run along the first axis of a grid: those of y (as pictures have it, and NumPy where nothing is said), or
/// those of x.
enum class indexing : std::uint8_t { xy, ij };

namespace detail {
template <std::size_t... K, class... A>
auto grid(indexing order, std::index_sequence<K...>, const A&... x) {
    constexpr std::size_t rank = sizeof...(A);
    const auto place = [order](std::size_t k) { return order == indexing::xy && rank > 1 && k < 2 ? 1 - k : k; };
    std::int64_t extents[rank];
    ((extents[place(K)] = x.size()), ...);
    const shape whole(std::span<const std::int64_t>(extents, rank), unknown_line);
    const auto along = [&](std::size_t axis, const auto& values) {
        std::int64_t own[rank];
        for (std::size_t k = 0; k < rank; ++k) own[k] = k == axis ? extents[k] : 1;
        const auto line = values.reshape(int_list(std::span<const std::int64_t>(own, rank), unknown_line), unknown_line);
        return make_view(line, broadcast_attribute(line.shape(unknown_line), whole, unknown_line));
    };
    return std::tuple{along(place(K), x)...};
}
}  // namespace detail

/// The coordinates of a grid: one array for each vector, in which its elements run along an axis of their own. A tuple of
/// views, which take no memory: sqrt(x * x + y * y) of a grid is one kernel that reads the vectors.
///
/// ```cpp
/// const auto [x, y] = meshgrid(frit::arange(3), frit::array<int>{10, 20});
/// std::cout << x + y << "\n";
/// ```
/// ```text
/// [[10 11 12]
///  [20 21 22]]
/// ```
template <detail::operand... A>
requires(sizeof...(A) > 0) auto meshgrid(indexing order, const A&... x) {
    return detail::grid(order, std::index_sequence_for<A...>(), x...);
}
/// The same with the second vector's elements along the first axis.
template <detail::operand... A>
requires(sizeof...(A) > 0) auto meshgrid(const A&... x) { return meshgrid(indexing::xy, x...); }

/// Every element so many times in a row, along an axis. @throws shape_error for a negative count
template <detail::operand A>
auto repeat(const A& x, detail::any_integer count, detail::any_integer axis, source_line where = {}) {
    return composed<detail::operand_t<A>::type>(detail::repeat_of(detail::node_of(x, where), count, axis, where));
}
/// The same of the elements in row-major order, as one vector.
template <detail::operand A>
auto repeat(const A& x, detail::any_integer count, source_line where = {}) {
    return repeat(x.reshape({-1}, where), count, 0, where);
}

/// x so many times along each axis; where numbers are missing, the first axes are repeated once, and where there are more,
/// x gets new axes in front. @throws shape_error for a negative number
template <detail::operand A>
auto tile(const A& x, const int_list& counts, source_line where = {}) {
    return composed<detail::operand_t<A>::type>(detail::tile_of(detail::node_of(x, where), counts, where));
}

/// x with every element so many places further along an axis; what leaves at an end comes in at the other. Several axes
/// have a shift each, or one for all; several shifts of one axis add up. @throws shape_error where several axes and several
/// shifts differ in number
template <detail::operand A>
auto roll(const A& x, const int_list& shifts, const axes& over, source_line where = {}) {
    return composed<detail::operand_t<A>::type>(detail::roll_of(detail::node_of(x, where), shifts, &over, where));
}
/// The same of the elements in row-major order, in x's shape.
template <detail::operand A>
auto roll(const A& x, detail::any_integer shift, source_line where = {}) {
    return composed<detail::operand_t<A>::type>(
        detail::roll_of(detail::node_of(x, where), int_list(shift.value, where), nullptr, where));
}

/// Matrices with zeros below the k-th diagonal; a vector makes a matrix of rows of it. @throws shape_error for rank 0
template <detail::operand A>
auto triu(const A& x, detail::any_integer k = 0, source_line where = {}) {
    return composed<detail::operand_t<A>::type>(detail::triangle_of(detail::node_of(x, where), k, true, where));
}
/// Matrices with zeros above the k-th diagonal.
template <detail::operand A>
auto tril(const A& x, detail::any_integer k = 0, source_line where = {}) {
    return composed<detail::operand_t<A>::type>(detail::triangle_of(detail::node_of(x, where), k, false, where));
}

namespace detail {
/// diag(u): what diag makes of u; of a matrix its diagonal, to be assigned to.
template <dtype D>
class diag_view : public elements_of<diag_view<D>, D> {
public:
    diag_view(const target& of, std::int64_t k) : elements_of<diag_view<D>, D>(of), target_(of), k_(k) {}
    diag_view(const diag_view&) = default;

    user_ref read(const user_ref& base) const { return diag_of(base, k_, target_.where()); }

    void operator=(const diag_view& value) && { view() = composed<D>(value.node()); }
    template <operand_or_scalar E>
    void operator=(const E& value) && {
        view() = value;
    }
    template <operand_or_scalar E>
    assign_to_the_array_itself_not_to_a_named_view operator=(const E&) & = delete;
#define FRIT_X(token, name)                 \
    template <operand_or_scalar E>          \
    void operator token(const E& value)&& { \
        view() token value;                 \
    }
    FRIT_COMPOUND_ASSIGNMENTS(FRIT_X)
#undef FRIT_X

private:
    array_view<D> view() const {
        const handle_ref& h = target_.handle();
        const attribute_ref map = diag_attribute(*h->extents, k_, target_.where());
        return {make_as<op::view, D, D>(leaf<D>(h.get()), attribute_child{map}), map, target_};
    }
    target target_;
    std::int64_t k_;
};
}  // namespace detail

/// Of a vector the matrix with it on the k-th diagonal, and zeros; of a matrix the k-th diagonal.
/// @throws shape_error for other ranks
template <detail::operand A>
auto diag(const A& x, detail::any_integer k = 0, source_line where = {}) {
    return composed<detail::operand_t<A>::type>(detail::diag_of(detail::node_of(x, where), k, where));
}
/// The same; of a matrix that is not const the diagonal can be assigned to: diag(u) = v, diag(u, 1) += 1.
template <class A>
requires detail::is_array<A>::value auto diag(A& x, detail::any_integer k = 0, source_line where = {}) {
    return detail::diag_view<detail::operand_t<A>::type>(x.as_target(where), k);
}

/// The index of every element of a grid, one axis after the other: of shape (rank, extents...).
inline array<std::int64_t> indices(const shape& grid, source_line where = {}) {
    return array<std::int64_t>(composed<dtype::i64>(detail::indices_of(grid, where)), where);
}

}  // namespace frit::v0
