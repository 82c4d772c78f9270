// Evaluation of several results at once, into the caller's memory, and what bounds or waits for it.
#pragma once

#include <cstdint>
#include <iterator>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "frit/any_array.hpp"
#include "frit/array.hpp"
#include "frit/reduce.hpp"

namespace frit::inline v0 {

namespace detail {
/// The nodes of arrays and recipes, held for the time of a call.
template <std::size_t N>
struct node_list {
    handle_ref handles[N];
    node_head* nodes[N];
    template <class... A>
    explicit node_list(source_line where, const A&... x) : handles{handle_of(x, where)...} {
        for (std::size_t k = 0; k < N; ++k) nodes[k] = handles[k].get();
    }
};

template <operand... A>
auto eval_together(source_line where, const A&... x) {
    const node_list<sizeof...(A)> list(where, x...);
    eval(list.nodes, where);
    if constexpr (!(is_array<A>::value && ...)) return [&]<std::size_t... K>(std::index_sequence<K...>) {
            return std::tuple(holder_t<A>(list.handles[K])...);
        }
    (std::index_sequence_for<A...>());
}
}  // namespace detail

/// Evaluates all arguments in one plan and stores exactly these. Arrays keep their values, so nothing is returned for arrays
/// alone; with a recipe among the arguments, a std::tuple of arrays.
template <detail::operand... A>
requires(sizeof...(A) > 0) auto eval(const A&... x) { return detail::eval_together(detail::unknown_line, x...); }
/// Of one argument; its errors name the line.
template <detail::operand A>
auto eval(const A& x, source_line where = {}) {
    return detail::eval_together(where, x);
}

namespace detail {
/// A range of arrays of one dtype: std::array, std::vector, std::span.
template <class R>
concept array_range = !operand<R> && requires(const R& r) {
    requires is_array<std::remove_cvref_t<decltype(*std::begin(r))>>::value;
    std::size(r);
};
template <array_range R>
std::vector<node_head*> nodes_of(const R& arrays) {
    std::vector<node_head*> nodes;
    or_out_of_memory("eval", unknown_line, [&] { nodes.reserve(std::size(arrays)); });
    for (const auto& a : arrays) nodes.push_back(handle_of(a, unknown_line).get());
    return nodes;
}
}  // namespace detail

/// Evaluates all arrays of a range (the components of a state, say) in one plan.
template <detail::array_range R>
void eval(const R& arrays, source_line where = {}) {
    detail::eval(detail::nodes_of(arrays), where);
}

/// The caller's memory as a place for a result.
template <element T>
struct output {
    T* data;           ///< of element 0
    shape extents;     ///< of the region
    int_list strides;  ///< in elements; empty: row-major
};
/// Names a place for eval_into: memory of this shape; strides in elements, row-major where they are empty.
template <element T>
output<T> out(T* data, const shape& extents, const int_list& strides = {}) {
    return {data, extents, strides};
}

/// The same where the dtype is known at run time.
struct any_output {
    void* data;        ///< of element 0
    dtype type;        ///< bools are bytes 0 and 1
    shape extents;     ///< of the region
    int_list strides;  ///< in elements; empty: row-major
};
/// Names such a place for eval_into.
inline any_output out(void* data, const shape& extents, dtype type, const int_list& strides = {}) {
    return {data, type, extents, strides};
}

/// @cond
namespace detail {
template <class A>
void eval_into(A value, const auto& to, source_line where) {
    if (value.shape() != to.extents)
        value = A(make_view(value, broadcast_attribute(value.shape(), to.extents, where, "eval_into")), where);
    eval_into(value.handle().get(), to.data, {to.strides.begin(), to.strides.end()}, where);
}
}  // namespace detail
/// @endcond

/// Evaluates x into the caller's memory, broadcasting to its shape and casting within a kind. Waits.
/// @throws shape_error if its shape does not broadcast to that one, or strides give several elements one place
template <element T, detail::operand_or_scalar A>
void eval_into(const output<T>& to, const A& x, source_line where = {}) {
    detail::eval_into(array<T>(detail::record_written<dtype_of<T>>(x, where)), to, where);
}
/// The same. @throws dtype_error where the cast is not within a kind, or for a dtype that there is not
template <detail::operand_or_scalar A>
void eval_into(const any_output& to, const A& x, source_line where = {}) {
    detail::check_dtype("eval_into", to.type, where);
    detail::eval_into(any_array(detail::record_written(x, to.type, where)), to, where);
}

/// True if shapes and all elements are equal; NaN is equal to nothing.
template <detail::operand A, detail::operand B>
bool array_equal(const A& a, const B& b, source_line where = {}) {
    return a.shape(where) == b.shape(where) && all(a == b).item(where);
}

/// Waits until everything that was asked for is done, background compiles included.
/// @throws the error of an asynchronous fault
FRIT_API void synchronize();
/// The number of pending nodes at which a component is evaluated by itself (default 4,096; 0: never).
/// @throws error for a negative number
FRIT_API void set_graph_limit(detail::any_integer nodes, source_line where = {});
/// The most bytes that the arrays of any one device may take (0: no limit; at first, what FRIT_MEMORY_LIMIT says). An
/// evaluation that would pass it is planned anew: values are computed again rather than stored, then results are made one
/// after the other. Where that does not help, it throws out_of_memory, which names what is alive, before anything has run.
/// Not counted: borrowed memory, and what libraries and kernels keep for themselves.
FRIT_API void set_memory_limit(std::uint64_t bytes);
/// As set, or by FRIT_MEMORY_LIMIT; 0: none.
FRIT_API std::uint64_t memory_limit();

}  // namespace frit::v0
