// any_array: an array whose dtype is known at run time alone, as of a file or of another language's caller. Formulas of it
// are the same expressions as of array<T>, and mix with those; what a dtype decides is decided when they are recorded.
#pragma once

#include <initializer_list>
#include <utility>

#include "frit/array.hpp"
#include "frit/detail/values.hpp"
#include "frit/dtype.hpp"
#include "frit/expr.hpp"

namespace frit::inline v0 {

/// A handle on an immutable value of any dtype, which may still be a formula that waits: all that array<T> is, and what
/// array<T> finds wrong when it is compiled is a dtype_error here, which names the dtypes. C++ numbers beside it take its
/// dtype where their kind fits, as beside an array<T>. What reads elements names their type: x.item<float>(), x.as<float>().
///
/// ```cpp
/// frit::any_array x = frit::arange<int>(4);
/// const frit::array<float> w{0.5f, 0.5f, 0.25f, 0.25f};
/// const frit::any_array y = sqrt(x) * w + 1;
/// x(0) = 7;
/// std::cout << x << " " << name_of(y.dtype()) << " " << y << "\n";
/// try {
///     x += 0.5;
/// } catch (const frit::dtype_error& e) {
///     std::cout << e.what() << "\n";
/// }
/// ```
/// ```text
/// [7 1 2 3] float64 [1.         1.5        1.35355339 1.4330127 ]
/// assign: float64 is not written into int32 without a cast; float64, int32 [include/frit/any_array.hpp:...]
/// ```
class any_array : public detail::array_base<any_array, detail::run_time> {
public:
    /// Empty: holds no value. Using it is an error, assigning to it makes it whole.
    any_array() = default;
    /// Numbers, nested to any rank as of an array<T>, in the dtype that they promote to: {1, 2} are int32, {1, 2.5} float64.
    /// @throws shape_error for ragged lists
    any_array(std::initializer_list<detail::values<detail::any_number>> list, source_line where = {})
        : array_base(detail::from_numbers(list, where)) {}
    /// Any array: the same value.
    template <element T>
    any_array(const array<T>& x, source_line where = {}) : array_base(detail::handle_of(x, where)) {}
    /// Records a formula as one pending node; runs nothing.
    /// @throws shape_error, dtype_error naming the op, shapes, dtypes and this line
    template <detail::operand E>
    requires(!detail::is_array<std::remove_cvref_t<E>>::value) any_array(const E& formula, source_line where = {})
        : array_base(detail::record_as<detail::operand_t<E>::type>(formula, where)) {}
    /// @cond
    template <detail::scalar V>
    detail::numbers_are_assigned_to_x_of_frit_all operator=(const V&) = delete;

    // For the library's own use.
    explicit any_array(detail::handle_ref node) noexcept : array_base(std::move(node)) {}
    /// @endcond
};

/// x as an array<T> of the dtype that it has, for code that is written for types: f is called with it, and its result is
/// returned. f takes any array<T>; its results are of one type.
///
/// ```cpp
/// const frit::any_array x = frit::arange<short>(3);
/// const std::size_t bytes = frit::visit([](const auto& typed) { return sizeof(typed(0).item()); }, x);
/// std::cout << bytes << "\n";
/// ```
/// ```text
/// 2
/// ```
template <class F>
decltype(auto) visit(F&& f, const any_array& x, source_line where = {}) {
    switch (x.dtype(where)) {
#define FRIT_X(name, type) \
    case dtype::name: return static_cast<F&&>(f)(array<type>(x.handle()));
        FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
        default: detail::throw_other_dtype("visit", x.dtype(), dtype::f64, where);
    }
}

/// @cond
namespace detail {
template <class Derived>
any_array recipe<Derived, run_time>::eval(source_line where) const {
    any_array result(self(), where);
    result.eval(where);
    return result;
}
/// What holds the values of an operand: array<T>, or any_array.
template <dtype D>
struct holder {
    using type = array<cpp_type<D>>;
};
template <>
struct holder<run_time> {
    using type = any_array;
};
template <operand E>
using holder_t = typename holder<operand_t<E>::type>::type;
}  // namespace detail
/// @endcond

}  // namespace frit::v0
