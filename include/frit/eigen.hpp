// Eigen and frit over the same memory, in and out without a copy. Not part of frit.hpp; needs Eigen 3.3 or later.
//
//   Eigen::MatrixXf m = ...;                    // column-major: frit reads it in place with its strides
//   auto x = frit::borrow(m);                   // m must stay, unchanged, until nobody reads x any more
//   auto y = frit::borrow(std::move(m));        // the matrix moves into the array
//   auto z = frit::from_host(a * b + c);        // a copy, of any Eigen expression
//   auto view = frit::eigen_matrix(x * 2.f);    // an Eigen::Map<const ...> that keeps the values itself
//   Eigen::VectorXf v = view * w;
//   frit::eval_into(frit::out(m), x + 1.f);     // into Eigen's memory; blocks and maps too
//
// Eigen's own 16-bit floats, Eigen::half and Eigen::bfloat16, are float16 and bfloat16 here: the same bits.
//
// Lifetimes are those of frit/host_view.hpp. Eigen's vectors are arrays of rank 1, matrices and 2-D arrays of rank 2.
#pragma once

#include "frit/config.hpp"  // first: it says plainly what the compiler must be

#include <type_traits>
#include <utility>

#include <Eigen/Core>

#include "frit/host_view.hpp"

namespace frit::inline v0 {

namespace detail {
// Deduction looks through to bases, so a VectorBlock is a Block and a held map is a map.
template <class D>
D eigen_base(const Eigen::DenseBase<D>&);
template <class D>
D eigen_container(const Eigen::PlainObjectBase<D>&);

/// What frit calls elements of Eigen's.
template <class T>
struct eigen_element_of {
    using type = T;
};
template <>
struct eigen_element_of<Eigen::half> {
    using type = half;
};
#if EIGEN_VERSION_AT_LEAST(3, 4, 0)
template <>
struct eigen_element_of<Eigen::bfloat16> {
    using type = bfloat16;
};
#endif
template <class T>
using eigen_element = typename eigen_element_of<T>::type;

template <class V>
concept eigen_dense = requires(const V& v) {
    eigen_base(v);
    requires element<eigen_element<typename V::Scalar>>;
};
/// One with memory behind it: a matrix, a map, a block, a transpose of one; no expression.
template <class V>
concept eigen_in_memory = eigen_dense<V> &&(int(V::Flags) & int(Eigen::DirectAccessBit)) != 0;

template <eigen_in_memory V>
auto memory_of(V& v, in_frit at) {
    using E = eigen_element<typename V::Scalar>;
    using T = std::conditional_t<std::is_const_v<std::remove_pointer_t<decltype(v.data())>>, const E, E>;
    using M = host_memory < T, requires { eigen_container(v); }
    > ;
    auto* const data = reinterpret_cast<T*>(v.data());
    if constexpr (V::IsVectorAtCompileTime)
        return M{data, {v.size(), at.where}, v.innerStride()};
    else
        return M{data, {{v.rows(), v.cols()}, at.where}, {v.rowStride(), v.colStride()}};
}

template <class Plain, class A>
held<Eigen::Map<const Plain>> eigen_view(const A& x, const char* who, int rank, source_line where) {
    using T = typename Plain::Scalar;
    constexpr dtype D = dtype_of<eigen_element<T>>;
    static_assert(operand_t<A>::type == run_time || operand_t<A>::type == D,
                  "frit: a map's elements are of the array's type: cast<T>(x) changes that");
    const handle_ref& node = handle_of(x, where);
    if (node->type != D) throw_other_dtype(who, node->type, D, where);
    handle_ref values = on_host(node.get(), where);
    const shape extents = *values->extents;
    if (extents.rank() != rank) throw_shape_error(who, "takes rank " + std::to_string(rank), {&extents, 1}, where);
    const auto* data = static_cast<const T*>(data_of(values.get()));
    return held<Eigen::Map<const Plain>>(std::move(values), data, extents[0], rank == 2 ? extents[1] : 1);
}
}  // namespace detail

/// A temporary Ref to const may hold a copy of what it refers to, which would end with it: name it, or use from_host.
template <class P, int Options, class Stride>
array<detail::eigen_element<typename P::Scalar>> borrow(Eigen::Ref<const P, Options, Stride>&&, source_line = {}) = delete;
template <class P, int Options, class Stride>
array<detail::eigen_element<typename P::Scalar>> borrow(const Eigen::Ref<const P, Options, Stride>&&,
                                                        source_line = {}) = delete;

/// A row-major matrix over memory that is not Eigen's: what eigen_matrix gives is a map of it.
template <class T>
using eigen_row_major = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The values of x, of rank 2, as an Eigen::Map<const Matrix> (row-major) of elements T that keeps them. Evaluates x. T is
/// x's dtype; of 16 bits also Eigen's type for it.
/// @throws shape_error for another rank, dtype_error for an any_array of another dtype
template <class T, detail::operand A>
auto eigen_matrix(const A& x, source_line where = {}) {
    return detail::eigen_view<eigen_row_major<T>>(x, "eigen_matrix", 2, where);
}
/// The same of x's own type.
template <detail::operand A>
requires(!detail::run_time_operand<A>) auto eigen_matrix(const A& x, source_line where = {}) {
    return eigen_matrix<typename A::value_type>(x, where);
}
/// The values of x, of rank 1, as an Eigen::Map<const Vector> of elements T that keeps them; all else as of eigen_matrix.
template <class T, detail::operand A>
auto eigen_vector(const A& x, source_line where = {}) {
    return detail::eigen_view<Eigen::Matrix<T, Eigen::Dynamic, 1>>(x, "eigen_vector", 1, where);
}
/// The same of x's own type.
template <detail::operand A>
requires(!detail::run_time_operand<A>) auto eigen_vector(const A& x, source_line where = {}) {
    return eigen_vector<typename A::value_type>(x, where);
}
/// @cond
template <detail::run_time_operand A>
detail::hint<"frit: an any_array's dtype is known at run time: write eigen_matrix<float>(x)"> eigen_matrix(
    const A&, source_line = {}) = delete;
template <detail::run_time_operand A>
detail::hint<"frit: an any_array's dtype is known at run time: write eigen_vector<float>(x)"> eigen_vector(
    const A&, source_line = {}) = delete;
/// @endcond

/// Copies what an Eigen expression is worth to the default device.
template <detail::eigen_dense E>
requires(!detail::eigen_in_memory<E>) auto from_host(const E& expression, source_line where = {}) {
    const typename E::PlainObject values = expression;
    return from_host(values, where);
}

}  // namespace frit::v0
