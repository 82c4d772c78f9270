// Arrays and the views of host memory that others work with: std::span, containers, anything like std::mdspan (and Eigen, in
// frit/eigen.hpp), in and out without a copy. What keeps what alive:
//
//   auto x = frit::borrow(view);             x reads the view's memory, which must stay and stay as it is until nobody reads
//                                            x any more; pending formulas over x are readers
//   auto x = frit::borrow(pointer, shape);   the same, of plain memory (create.hpp)
//   auto x = frit::borrow(view, owner);      the same, and `owner` (a shared_ptr, say) is kept for as long as that
//   auto x = frit::borrow(std::move(v));     a container moves into the array, which then needs nobody
//   auto x = frit::from_host(view);          a copy: the view's memory may go at once
//   auto v = x.span();                       v is a std::span<const T> and keeps the values itself, whatever becomes of x
//   frit::eval_into(frit::out(view), e);     writes before it returns
//
// Views in come to the default device: on a GPU borrowing copies, once. Views out are of the host: of an array on a GPU they
// hold a downloaded copy. Both are counted in frit::stats().
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "frit/create.hpp"
#include "frit/eval.hpp"

namespace frit::inline v0 {

/// What looks like C++23's std::mdspan (Kokkos' implementation of it, too) over plain memory of elements that frit knows.
template <class V>
concept mdspan_like = requires(const V& v) {
    requires element<std::remove_cv_t<typename V::element_type>>;
    requires std::same_as<typename V::reference, typename V::element_type&>;  // no accessor that computes
    { v.data_handle() } -> std::convertible_to<const typename V::element_type*>;
    { V::rank() } -> std::convertible_to<std::size_t>;
    { v.extent(0) } -> std::convertible_to<std::int64_t>;
    { v.stride(0) } -> std::convertible_to<std::int64_t>;
};

namespace detail {
/// The node's values on the host, row-major: the node itself, or a copy. Evaluates and waits.
FRIT_API handle_ref on_host(node_head*, source_line);
/// The first element of a stored node.
FRIT_API const void* data_of(const node_head*) noexcept;
/// A copy of strided host memory on the default device.
FRIT_API node_head* from_strided(const void* data, dtype, const shape&, std::span<const std::int64_t> strides, source_line);

/// What a view of host memory says, whatever its type. `Owned`: it comes from a container, which frees the memory.
template <class T, bool Owned>
struct host_memory {
    using value_type = std::remove_cv_t<T>;
    static constexpr bool is_const = std::is_const_v<T>, is_owned = Owned;
    T* data;
    frit::shape extents;
    int_list strides;  ///< in elements; empty: row-major
};

/// A second argument with which argument-dependent lookup finds the overloads of memory_of in optional headers as well; it
/// says whose line an error names.
struct in_frit {
    source_line where = unknown_line;
};

template <contiguous_elements V>
auto memory_of(V& v, in_frit at) {
    using T = std::remove_reference_t<decltype(*std::data(v))>;
    return host_memory<T, !std::ranges::enable_borrowed_range<std::remove_const_t<V>>>{
        std::data(v), {std::size(v), at.where}, {}};
}
template <mdspan_like V>
auto memory_of(V& v, in_frit at) {
    constexpr std::size_t rank = V::rank();
    std::array<std::int64_t, rank> extents{}, strides{};
    for (std::size_t k = 0; k < rank; ++k) {
        extents[k] = to_int64(v.extent(k));
        strides[k] = to_int64(v.stride(k));
    }
    return host_memory<typename V::element_type, false>{v.data_handle(), {extents, at.where}, {strides, at.where}};
}

/// A view or container of host memory; V may be const.
template <class V>
concept host_view = requires(V& v) {
    memory_of(v, in_frit());
};
template <host_view V>
using memory_type = decltype(memory_of(std::declval<V&>(), in_frit()));
}  // namespace detail

/// A view's memory as an array, without a copy and never written; see the lifetimes at the head of this file. A container
/// that is moved in belongs to the array; a const one, from which nothing moves, is copied in.
///
/// ```cpp
/// std::vector<float> v{1, 2, 3, 4, 5, 6};
/// auto x = frit::borrow(std::span(v).first(4));       // rank 1, v's memory
/// std::cout << x.reshape({2, 2}) << "\n";
/// auto y = frit::borrow(std::vector<int>{7, 8, 9});   // the vector moves in
/// std::cout << y << "\n";
/// ```
/// ```text
/// [[1. 2.]
///  [3. 4.]]
/// [7 8 9]
/// ```
template <class V>
requires detail::host_view<std::remove_reference_t<V>>
auto borrow(V&& view, source_line where = {}) {
    using M = detail::memory_type<std::remove_reference_t<V>>;
    using T = typename M::value_type;
    const auto lend = [&](const auto& m, void* keep, void (*drop)(void*)) {
        return array<T>(detail::handle_ref(
            detail::borrow(m.data, dtype_of<T>, m.extents, {m.strides.begin(), m.strides.end()}, keep, drop, where)));
    };
    if constexpr (M::is_owned && !std::is_lvalue_reference_v<V>) {
        using container = std::remove_cvref_t<V>;
        static_assert(!std::is_array_v<container> && std::is_constructible_v<container, V>,
                      "frit: this can neither move nor be copied into an array: name it and borrow that, or use from_host");
        struct holder {  // freed here unless the array has taken it over
            container* c;
            ~holder() { delete c; }
        } kept{detail::or_out_of_memory("borrow", where, [&] { return new container(std::forward<V>(view)); })};
        array<T> x =
            lend(memory_of(*kept.c, detail::in_frit{where}), kept.c, [](void* c) { delete static_cast<container*>(c); });
        kept.c = nullptr;
        return x;
    } else {
        return lend(memory_of(view, detail::in_frit{where}), nullptr, [](void*) {});
    }
}
/// A braced list ends with the statement: array<T>{...} copies it.
template <element T>
array<T> borrow(std::initializer_list<T>, source_line = {}) = delete;
/// The same, and `owner` is kept until nobody reads the memory any more.
///
/// ```cpp
/// auto shared = std::make_shared<std::vector<float>>(1000, 0.5f);
/// auto x = frit::borrow(*shared, shared);
/// shared.reset();
/// std::cout << frit::sum(x) << "\n";
/// ```
/// ```text
/// 500.0
/// ```
template <class V, detail::memory_owner Owner>
requires detail::host_view<const V>
auto borrow(const V& view, Owner owner, source_line where = {}) {
    const auto m = memory_of(view, detail::in_frit{where});
    using T = typename decltype(m)::value_type;
    return borrow(static_cast<const T*>(m.data), m.extents, std::move(owner), m.strides, where);
}

/// Copies a view with strides to the default device. (From contiguous ranges: create.hpp.)
template <class V>
requires(detail::host_view<const V> && !detail::contiguous_elements<V>) auto from_host(const V& view,
                                                                                       source_line where = {}) {
    const auto m = memory_of(view, detail::in_frit{where});
    using T = typename decltype(m)::value_type;
    return array<T>(detail::handle_ref(
        detail::from_strided(m.data, dtype_of<T>, m.extents, {m.strides.begin(), m.strides.end()}, where)));
}

/// A view's memory as a place for a result, which is broadcast to the view's shape.
///
/// ```cpp
/// std::vector<double> v(4);
/// frit::eval_into(frit::out(std::span(v).subspan(1)), frit::arange<double>(3) * 0.5);
/// std::cout << frit::borrow(v) << "\n";
/// ```
/// ```text
/// [0.  0.  0.5 1. ]
/// ```
template <class V>
requires(detail::host_view<std::remove_reference_t<V>> && !detail::memory_type<std::remove_reference_t<V>>::is_const &&
         (std::is_lvalue_reference_v<V> ||
          !detail::memory_type<std::remove_reference_t<V>>::is_owned)) auto out(V&& view, source_line where = {}) {
    const auto m = memory_of(view, detail::in_frit{where});
    return out(m.data, m.extents, m.strides);
}

/// A View (of std::span's, mdspan's or Eigen's type) of an array's values that keeps the values: they stay in memory and as
/// they are for as long as it or a copy of it lives, also when the array gets another value or goes. It is the View; but a
/// copy that is only a View keeps nothing.
///
/// ```cpp
/// frit::array<float> x{1, 2, 3};
/// auto kept = x.span();                          // keeps the values
/// std::span<const float> not_kept = x.span();    // good only as long as x keeps its value
/// x *= 10.f;
/// for (float value : kept) std::cout << value << " ";
/// for (float value : (x + 1.f).span()) std::cout << value << " ";   // stays until the loop ends
/// ```
/// ```text
/// 1 2 3 11 21 31
/// ```
template <class View>
class held : public View {
public:
    /// For the library's own use.
    template <class... A>
    explicit held(detail::handle_ref values, A&&... view) : View(std::forward<A>(view)...), values_(std::move(values)) {}

private:
    detail::handle_ref values_;
};

/// @cond
namespace detail {
template <element T>
held<std::span<const T>> span_of(const handle_ref& node, source_line where) {
    handle_ref values = on_host(node.get(), where);
    const auto* data = static_cast<const T*>(data_of(values.get()));
    const auto size = static_cast<std::size_t>(values->extents->size());
    return held<std::span<const T>>(std::move(values), data, size);
}
}  // namespace detail
/// @endcond

/// The values of x as a View of std::mdspan's kind over const elements, which keeps them; row-major. Evaluates x.
///
///     auto m = frit::view_as<std::mdspan<const float, std::dextents<int, 2>>>(x);
///
/// View has std::mdspan's member types, static_extent, and its constructors from a pointer with extents or a mapping.
/// @throws shape_error unless x has View's rank and extents that View can have, and for a View that is not row-major
template <mdspan_like View, detail::operand A>
held<View> view_as(const A& x, source_line where = {}) {
    using T = std::remove_const_t<typename View::element_type>;
    constexpr dtype D = detail::operand_t<A>::type;
    static_assert(std::is_const_v<typename View::element_type> && (D == detail::run_time || D == dtype_of<T>),
                  "frit: values are immutable, a view of them has const elements of the array's type");
    constexpr std::size_t rank = View::rank();
    const detail::handle_ref& node = detail::handle_of(x, where);
    if (node->type != dtype_of<T>) detail::throw_other_dtype("view_as", node->type, dtype_of<T>, where);
    detail::handle_ref values = detail::on_host(node.get(), where);
    const shape extents = *values->extents;
    if (extents.rank() != static_cast<int>(rank))
        detail::or_out_of_memory("view_as", where, [&] {
            detail::throw_shape_error("view_as", "the view has rank " + std::to_string(rank), {&extents, 1}, where);
        });
    using index_type = typename View::index_type;
    std::array<index_type, rank> counts{}, strides{};
    bool fits = std::in_range<index_type>(extents.size());
    std::int64_t dense = 1;
    for (std::size_t k = rank; k-- > 0; dense *= extents[static_cast<int>(k)]) {
        counts[k] = static_cast<index_type>(extents[static_cast<int>(k)]);
        strides[k] = static_cast<index_type>(dense);
        const std::size_t fixed = View::static_extent(k);
        fits = fits && (fixed == std::dynamic_extent || std::cmp_equal(fixed, extents[static_cast<int>(k)]));
    }
    if (!fits) detail::throw_shape_error("view_as", "the view cannot have these extents", {&extents, 1}, where);
    const auto* data = static_cast<const T*>(detail::data_of(values.get()));
    held<View> view = [&] {
        using mapping = typename View::mapping_type;
        using extents_type = typename View::extents_type;
        if constexpr (std::is_constructible_v<mapping, extents_type, decltype(strides)>)
            return held<View>(std::move(values), data, mapping(extents_type(counts), strides));
        else
            return held<View>(std::move(values), data, counts);
    }();
    for (std::size_t k = 0; k < rank; ++k)
        if (view.stride(k) != strides[k] && counts[k] > 1)
            detail::throw_shape_error("view_as", "the values are row-major, the view's layout is another", {&extents, 1},
                                      where);
    return view;
}

}  // namespace frit::v0
