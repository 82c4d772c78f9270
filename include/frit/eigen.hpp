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

template <class V>
concept eigen_dense = requires(const V& v) {
    eigen_base(v);
    requires element<typename V::Scalar>;
};
/// One with memory behind it: a matrix, a map, a block, a transpose of one; no expression.
template <class V>
concept eigen_in_memory = eigen_dense<V> &&(int(V::Flags) & int(Eigen::DirectAccessBit)) != 0;

template <eigen_in_memory V>
auto memory_of(V& v, in_frit at) {
    using T = std::remove_pointer_t<decltype(v.data())>;
    using M = host_memory < T, requires { eigen_container(v); }
    > ;
    if constexpr (V::IsVectorAtCompileTime)
        return M{v.data(), {v.size(), at.where}, v.innerStride()};
    else
        return M{v.data(), {{v.rows(), v.cols()}, at.where}, {v.rowStride(), v.colStride()}};
}

template <class Plain, class A>
held<Eigen::Map<const Plain>> eigen_view(const A& x, const char* who, int rank, source_line where) {
    handle_ref values = on_host(handle_of(x, where).get(), where);
    const shape extents = *values->extents;
    if (extents.rank() != rank) throw_shape_error(who, "takes rank " + std::to_string(rank), {&extents, 1}, where);
    const auto* data = static_cast<const typename A::value_type*>(data_of(values.get()));
    return held<Eigen::Map<const Plain>>(std::move(values), data, extents[0], rank == 2 ? extents[1] : 1);
}
}  // namespace detail

/// A temporary Ref to const may hold a copy of what it refers to, which would end with it: name it, or use from_host.
template <class P, int Options, class Stride>
array<typename P::Scalar> borrow(Eigen::Ref<const P, Options, Stride>&&, source_line = {}) = delete;
template <class P, int Options, class Stride>
array<typename P::Scalar> borrow(const Eigen::Ref<const P, Options, Stride>&&, source_line = {}) = delete;

/// A row-major matrix over memory that is not Eigen's: what eigen_matrix gives is a map of it.
template <element T>
using eigen_row_major = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The values of x, of rank 2, as an Eigen::Map<const Matrix> (row-major) that keeps them. Evaluates x.
/// @throws shape_error for another rank
template <detail::operand A>
auto eigen_matrix(const A& x, source_line where = {}) {
    return detail::eigen_view<eigen_row_major<typename A::value_type>>(x, "eigen_matrix", 2, where);
}
/// The values of x, of rank 1, as an Eigen::Map<const Vector> that keeps them. Evaluates x. @throws shape_error for another
/// rank
template <detail::operand A>
auto eigen_vector(const A& x, source_line where = {}) {
    return detail::eigen_view<Eigen::Matrix<typename A::value_type, Eigen::Dynamic, 1>>(x, "eigen_vector", 1, where);
}

/// Copies what an Eigen expression is worth to the default device.
template <detail::eigen_dense E>
requires(!detail::eigen_in_memory<E>) auto from_host(const E& expression, source_line where = {}) {
    const typename E::PlainObject values = expression;
    return from_host(values, where);
}

}  // namespace frit::v0
