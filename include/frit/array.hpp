// array<T>: a typed handle on a node of the runtime graph. Copying shares, values are immutable, so aliasing cannot go
// wrong; assigning to parts, or +=, records a new value and points the handle at it.
#pragma once

#include <concepts>
#include <initializer_list>
#include <utility>

#include "frit/config.hpp"
#include "frit/detail/array_base.hpp"
#include "frit/detail/values.hpp"
#include "frit/dtype.hpp"
#include "frit/expr.hpp"

namespace frit::inline v0 {

namespace detail {
template <class T>
struct is_array : std::false_type {};
template <class T>
struct is_array<array<T>> : std::true_type {};
template <>
struct is_array<any_array> : std::true_type {};

/// Formulas of E's dtype convert to array<T> where no value can be lost (asked at run time where E's dtype is known then)
/// ...
template <class E, class T>
concept fits_without_cast = operand<E> && !std::same_as<std::remove_cvref_t<E>, array<T>> &&
                            (run_time_operand<E> || promote(operand_t<E>::type, dtype_of<T>) == dtype_of<T>);
/// ... and need an explicit cast elsewhere.
template <class E, class T>
concept narrower = operand<E> && !run_time_operand<E> && promote(operand_t<E>::type, dtype_of<T>) != dtype_of<T>;

/// In the signature of a deleted constructor, so that the compiler's message says what to write.
struct a_narrower_array_needs_frit_cast {};

/// True of operands that are one node already.
template <operand E>
inline constexpr bool is_node = operand_t<E>::length == 1 && operand_t<E>::leaves == 1;

/// The node of a formula, converted to dtype D where it differs.
template <dtype D, class E>
handle_ref record_as(const E& e, source_line where) {
    if constexpr (operand_t<E>::type == D && is_node<E>)
        return handle_of(e, where);
    else if constexpr (operand_t<E>::type == D)
        return handle_ref(record(static_cast<const operand_t<E>&>(e), where));
    else if constexpr (operand_t<E>::type == run_time)
        return handle_ref(record(make_converted<D>(e, D, conversion::lossless), where));
    else
        return handle_ref(record(make_as<op::cast, D, D>(e), where));
}
}  // namespace detail

/// Of what is no element type: the message, instead of a constraint that is not met.
template <class T>
class array {
    static_assert(detail::never<T>,
                  "frit: an array holds bool, integers, float, double, frit::half, frit::bfloat16 or std::complex: write "
                  "array<std::int8_t> or array<std::uint8_t> for characters and bytes");
};

/// A handle on an immutable value of elements of type T, which may still be a formula that waits. Copying shares.
/// `a += x` and its like (-= *= /= %= &= |= ^= <<= >>=) take an array, a formula or a scalar that broadcasts to a's shape:
/// they record the new value, cast within a kind, and point this handle at it; other handles keep the old one.
template <element T>
class array<T> : public detail::array_base<array<T>, dtype_of<T>> {
    using base = detail::array_base<array<T>, dtype_of<T>>;

public:
    /// The type of the elements.
    using value_type = T;

    /// Empty: holds no value. Using it is an error, assigning to it makes it whole.
    array() = default;
    /// Values, nested to any rank: {1, 2, 3}, {{1, 2}, {3, 4}}. @throws shape_error for ragged lists
    array(std::initializer_list<detail::values<T>> list, source_line where = {})
        : base(detail::from_values<T>(list, where)) {}
    /// Records a formula as one pending node; runs nothing.
    /// @throws shape_error, dtype_error naming the op, shapes, dtypes and this line
    template <detail::fits_without_cast<T> E>
    array(const E& formula, source_line where = {}) : base(detail::record_as<dtype_of<T>>(formula, where)) {}
    template <detail::narrower<T> E>
    array(const E&, detail::a_narrower_array_needs_frit_cast = {}) = delete;
    /// @cond
    explicit array(detail::shapes_go_to_zeros_or_full_and_braces_hold_values_of_this_dtype, ...) = delete;
    explicit array(detail::vectors_and_pointers_go_to_from_host, ...) = delete;
    template <detail::scalar V>
    detail::numbers_are_assigned_to_x_of_frit_all operator=(const V&) = delete;

    // For the library's own use.
    explicit array(detail::handle_ref node) noexcept : base(std::move(node)) {}
    /// @endcond
};

/// The array of a formula: frit::array y = a + b.
template <detail::operand E>
requires(!detail::run_time_operand<E>) array(const E&)
->array<cpp_type<detail::operand_t<E>::type>>;

/// @cond
namespace detail {
template <element T>
const handle_ref& handle_of(const array<T>& a, source_line where) {
    if (a.empty()) [[unlikely]]
        throw_empty("array", dtype_of<T>, where);
    return a.handle();
}
template <element T>
frit::shape shape_of(const array<T>& a, source_line where) {
    return *handle_of(a, where)->extents;
}
template <class E>
auto make_view(E&& x, attribute_ref map) {
    constexpr dtype D = operand_t<E>::type;
    return make_as<op::view, D, D>(static_cast<E&&>(x), attribute_child{std::move(map)});
}
template <class Derived, dtype D>
array<cpp_type<D>> recipe<Derived, D>::eval(source_line where) const {
    array<cpp_type<D>> result(self(), where);
    result.eval(where);
    return result;
}
}  // namespace detail
/// @endcond

}  // namespace frit::v0
