// What arrays and recipes (`auto e = a + b`) have in common: their shape, their values, and the views that are spelled as
// members. A recipe is recorded afresh by every call that needs its values; an array keeps them.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "frit/detail/attributes.hpp"
#include "frit/detail/hints.hpp"
#include "frit/detail/record.hpp"
#include "frit/dtype.hpp"
#include "frit/index.hpp"
#include "frit/shape.hpp"

namespace frit::inline v0 {

template <class T>
class array;
class any_array;
template <class View>
class held;
template <op Op, dtype D, class... Children>
class expr;

namespace detail {

template <class E>
struct packed;
template <class E>
node_head* record(const E&, source_line, const char* who = nullptr);

template <element T>
const handle_ref& handle_of(const array<T>&, source_line);
template <op Op, dtype D, class... C>
handle_ref handle_of(const expr<Op, D, C...>& e, source_line where) {
    return handle_ref(record(e, where));
}
template <element T>
frit::shape shape_of(const array<T>&, source_line);
template <op Op, dtype D, class... C>
frit::shape shape_of(const expr<Op, D, C...>& e, source_line where) {
    return infer_shape(packed<expr<Op, D, C...>>(e, where).value);
}
// Templates, since any_array is complete where they are called.
template <std::same_as<any_array> A>
const handle_ref& handle_of(const A& a, source_line where) {
    if (a.empty()) [[unlikely]]
        throw_empty("any_array", run_time, where);
    return a.handle();
}
template <std::same_as<any_array> A>
frit::shape shape_of(const A& a, source_line where) {
    return *handle_of(a, where)->extents;
}
template <std::same_as<any_array> A>
dtype dtype_of_operand(const A& a, source_line where) {
    return handle_of(a, where)->type;
}
template <op Op, dtype D, class... C>
dtype dtype_of_operand(const expr<Op, D, C...>& e, source_line where) {
    if constexpr (D == run_time)
        return infer_dtype(packed<expr<Op, D, C...>>(e, where).value);
    else
        return D;
}
template <element T>
constexpr dtype dtype_of_operand(const array<T>&, source_line) {
    return dtype_of<T>;
}

/// A copy of x as what it is worth: an array, or a recipe that cannot be assigned through.
template <element T>
array<T> as_value(const array<T>& a) {
    return a;
}
template <std::same_as<any_array> A>
A as_value(const A& a) {
    return a;
}
template <op Op, dtype D, class... C>
expr<Op, D, C...> as_value(const expr<Op, D, C...>& e) {
    return e;
}

/// What is no index, and stands between the parentheses of x(...) all the same: arrays, and lists of integers.
template <class T>
concept array_index = requires {
    typename T::frit_operand;
};
template <class T>
concept mask_index = array_index<T> && T::frit_operand::type == dtype::bool_;
template <class T>
concept gather_index = !mask_index<T> && (array_index<T> || integral_range<T>);
/// A mask alone is no gather; beside others it stands for the places where it is true.
template <class... I>
concept gathers = ((gather_index<I> || mask_index<I>) || ...) && !(sizeof...(I) == 1 && (mask_index<I> && ...));

/// x at indices some of which are arrays.
template <class A, class... I>
auto gathered(const A& x, source_line where, const I&... indices);

/// The elements of x where a mask is true.
template <class A, class M>
auto picked(const A& x, const M& mask, source_line where);

/// x seen through an access map: a recipe like any other.
template <class E>
auto make_view(E&& x, attribute_ref map);

/// Contiguous storage for T, bool included (std::vector<bool> has no elements to point at).
template <class T>
struct cell {
    /// The element.
    T value;
};

/// The elements of a node into memory for T, of which there must be as many. T is the node's.
template <element T>
void read_into(std::span<T> to, const handle_ref& node, const char* who, source_line where) {
    if (node->extents->size() != static_cast<std::int64_t>(to.size()))
        throw_element_count(who, *node->extents, to.size(), where);
    read(node.get(), to.data(), where);
}
template <element T>
T item_of(const handle_ref& node, source_line where) {
    cell<T> one;
    read_into<T>({&one.value, 1}, node, "item", where);
    return one.value;
}
template <element T>
std::vector<T> vector_of(const handle_ref& node, source_line where) {
    return or_out_of_memory("to_vector", where, [&] {
        const auto size = static_cast<std::size_t>(node->extents->size());
        if constexpr (std::is_same_v<T, bool>) {
            std::vector<cell<bool>> cells(size);
            read(node.get(), cells.data(), where);
            std::vector<bool> values;
            values.reserve(size);
            for (cell<bool> c : cells) values.push_back(c.value);
            return values;
        } else {
            std::vector<T> values(size);
            read(node.get(), values.data(), where);
            return values;
        }
    });
}
template <element T>
held<std::span<const T>> span_of(const handle_ref& node, source_line where);

/// What does not depend on the elements' type.
template <class Derived>
class recipe_of_any {
public:
    /// The extents.
    frit::shape shape(source_line where = {}) const { return shape_of(self(), where); }
    /// The number of axes.
    int rank(source_line where = {}) const { return shape_of(self(), where).rank(); }
    /// The number of elements.
    std::int64_t size(source_line where = {}) const { return shape_of(self(), where).size(); }

    /// The axes reversed.
    auto T(source_line where = {}) const { return make_view(self(), transpose_attribute(shape(where), nullptr, where)); }
    /// The same elements in row-major order under other extents; one extent may be -1.
    auto reshape(const int_list& extents, source_line where = {}) const {
        return make_view(self(), reshape_attribute(shape(where), extents, where));
    }
    /// Elements picked by integers, slices, frit::all, frit::ellipsis and frit::newaxis.
    template <std::convertible_to<index>... I>
    auto operator()(first_index first, const I&... rest) const {
        const index list[] = {first.at, rest...};
        return make_view(self(), index_attribute(shape(first.where), list, first.where));
    }

    /// The same picked by a list that is made at run time; an empty one picks all.
    auto operator()(std::span<const index> list, source_line where = {}) const {
        return make_view(self(), index_attribute(shape(where), list, where));
    }

    /// The elements at an array of integers: NumPy's advanced indexing, see take. Arrays of several indices broadcast
    /// together, and stand where the first of them stands, or, where a slice parts them, in front. A mask of bool beside
    /// other indices is its nonzero(), an array of indices for each of its axes, which is evaluated now; an any_array alone
    /// that is of bool is a mask.
    template <class I>
    requires gathers<I>
    auto operator()(const I& i, source_line where = {}) const { return gathered(self(), where, i); }
    /// The same beside other indices, arrays or not.
    template <class I, class J>
    requires gathers<I, J>
    auto operator()(const I& i, const J& j, source_line where = {}) const { return gathered(self(), where, i, j); }
    /// The same of three.
    template <class I, class J, class K>
    requires gathers<I, J, K>
    auto operator()(const I& i, const J& j, const K& k, source_line where = {}) const {
        return gathered(self(), where, i, j, k);
    }
    /// The same of any number; an error names no line of the caller's.
    template <class I, class J, class K, class L, class... More>
    requires gathers<I, J, K, L, More...>
    auto operator()(const I& i, const J& j, const K& k, const L& l, const More&... more) const {
        return gathered(self(), unknown_line, i, j, k, l, more...);
    }

    /// The elements where a mask of bool is true, which has x's first axes (or all), in row-major order: one axis in their
    /// place. How many there are is evaluated now, see compress; `sum(x, frit::where(mask))` and where(mask, x, 0) stay
    /// lazy.
    template <mask_index M>
    auto operator()(const M& mask, source_line where = {}) const {
        return picked(self(), mask, where);
    }

    /// @cond
    // Nobody can call these, and each says what to write.
    template <integral_number I>
    hint<"frit: indices stand without braces: x(0, 1) is an element, x(slice(0, 2)) are two rows"> operator()(
        std::initializer_list<I>) const = delete;
    template <class I>
    hint<"frit: indices stand in parentheses: write x(0), x(0, 1)"> operator[](const I&) const = delete;
    template <integral_number M, integral_number N, integral_number... More>
    hint<"frit: extents are one argument: write x.reshape({3, 2}), with braces"> reshape(M, N, More...) const = delete;
    template <integral_number N>
    hint<"frit: one extent is x.shape()[0]"> shape(N) const = delete;
    template <integral_number N>
    hint<"frit: one extent is x.shape()[0], and x.size() the number of elements"> size(N) const = delete;
    /// @endcond

    explicit operator bool() const = delete;  // no truth value: array_equal(a, b), or any(x) / all(x) with .item()

protected:
    /// @cond
    const Derived& self() const noexcept { return static_cast<const Derived&>(*this); }
    /// @endcond
};

/// Of elements whose type the formula's type says.
template <class Derived, dtype D>
class recipe : public recipe_of_any<Derived> {
    using recipe_of_any<Derived>::self;

public:
    /// The C++ type of an element.
    using value_type = cpp_type<D>;

    /// The dtype of the elements.
    static constexpr frit::dtype dtype() noexcept { return D; }

    /// Records the formula and evaluates it.
    array<value_type> eval(source_line where = {}) const;
    /// The one element. @throws shape_error unless there is exactly one
    value_type item(source_line where = {}) const { return item_of<value_type>(handle_of(self(), where), where); }
    /// All elements in row-major order. @throws out_of_memory also where there is no room for the vector
    std::vector<value_type> to_vector(source_line where = {}) const {
        return vector_of<value_type>(handle_of(self(), where), where);
    }
    /// The same into `to`. @throws shape_error unless the number of elements is equal
    void copy_to(std::span<value_type> to, source_line where = {}) const {
        read_into<value_type>(to, handle_of(self(), where), "copy_to", where);
    }
    /// All elements in row-major order as a std::span<const T> that keeps them: in place where they are so in host memory,
    /// else in a copy (see host_view.hpp).
    held<std::span<const value_type>> span(source_line where = {}) const {
        return span_of<value_type>(handle_of(self(), where), where);
    }
};

/// Of elements whose type is known when the formula is recorded. What reads elements names T, which must be theirs: nothing
/// is converted, and another T is a dtype_error that names both.
template <class Derived>
class recipe<Derived, run_time> : public recipe_of_any<Derived> {
    using recipe_of_any<Derived>::self;

public:
    /// The dtype of the elements.
    frit::dtype dtype(source_line where = {}) const { return dtype_of_operand(self(), where); }

    /// Records the formula and evaluates it.
    any_array eval(source_line where = {}) const;
    /// The value as an array. @throws dtype_error unless it is of dtype T
    template <element T>
    array<T> as(source_line where = {}) const {
        return array<T>(node_of<T>("as", where));
    }
    /// The one element. @throws shape_error unless there is exactly one
    template <element T>
    T item(source_line where = {}) const {
        return item_of<T>(node_of<T>("item", where), where);
    }
    /// All elements in row-major order. @throws out_of_memory also where there is no room for the vector
    template <element T>
    std::vector<T> to_vector(source_line where = {}) const {
        return vector_of<T>(node_of<T>("to_vector", where), where);
    }
    /// The same into `to`. @throws shape_error unless the number of elements is equal
    template <element T>
    void copy_to(std::span<T> to, source_line where = {}) const {
        read_into<T>(to, node_of<T>("copy_to", where), "copy_to", where);
    }
    /// All elements in row-major order as a std::span<const T> that keeps them, see host_view.hpp.
    template <element T>
    held<std::span<const T>> span(source_line where = {}) const {
        return span_of<T>(node_of<T>("span", where), where);
    }

private:
    template <element T>
    handle_ref node_of(std::string_view who, source_line where) const {
        handle_ref node = handle_of(self(), where);
        if (node->type != dtype_of<T>) throw_other_dtype(who, node->type, dtype_of<T>, where);
        return node;
    }
};

}  // namespace detail
}  // namespace frit::v0
