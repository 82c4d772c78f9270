// Operators and elementwise functions: one declaration for each row of ops.def, nothing by hand but cast and the two names
// that would mislead (max and min of two arrays). Found by argument-dependent lookup.
#pragma once

#include "frit/detail/composed.hpp"
#include "frit/expr.hpp"
#include "frit/opcode.hpp"

namespace frit::inline v0 {

namespace detail {
/// An integer beside x is left free: it is an axis.
template <class A, class B>
concept compared_pair = operand_pair<A, B> && !std::is_integral_v<std::remove_cvref_t<B>>;

/// The dtype of two C++ numbers: C++'s own, and beside a 16-bit or complex one what the operators make of both.
template <class A, class B>
constexpr dtype common_of_numbers() {
    if constexpr (std::is_arithmetic_v<A> && std::is_arithmetic_v<B>) return default_dtype<std::common_type_t<A, B>>();
    constexpr dtype a = default_dtype<A>(), b = default_dtype<B>();
    if (is_short(a) == is_short(b)) return promote(a, b);
    return common_dtype({{!is_short(a), a}, {!is_short(b), b}});
}

/// where(condition, a, b): the condition becomes bool, the other two promote; two numbers take their common type.
template <op Op, class C, class A, class B>
auto make_select(C&& condition, A&& a, B&& b) {
    constexpr dtype common = [] {
        if constexpr (scalar<A> && scalar<B>)
            return common_of_numbers<std::remove_cvref_t<A>, std::remove_cvref_t<B>>();
        else
            return common_dtype({argument_of<A>(), argument_of<B>()});
    }();
    if constexpr (scalar<C>)
        return make_as<Op, common, common>(scalar_child<dtype::bool_>{scalar_to_bits<dtype::bool_>(condition)},
                                           static_cast<A&&>(a), static_cast<B&&>(b));
    else
        return make_as<Op, common, common>(static_cast<C&&>(condition), static_cast<A&&>(a), static_cast<B&&>(b));
}

template <op Op, class... T>
auto make_call(T&&... x) {
    if constexpr (info(Op).result == op_result::SELECT)
        return make_select<Op>(static_cast<T&&>(x)...);
    else
        return make<Op>(static_cast<T&&>(x)...);
}

/// The formula that Op makes of operands alone.
template <op Op, class... T>
using moved_t = expr<Op, dtypes_of<Op, T...>().result, operand_t<T>...>;
}  // namespace detail

// Most formulas only move references: they are built in the operator itself, since every function in between is instantiated
// for every type of formula.
#define FRIT_DECLARE_1(name, symbol)                                                           \
    template <detail::operand A>                                                               \
    auto symbol(A&& a) {                                                                       \
        if constexpr (detail::only_moves<A>)                                                   \
            return detail::moved_t<op::name, A>(detail::from_children{}, static_cast<A&&>(a)); \
        else                                                                                   \
            return detail::make_call<op::name>(static_cast<A&&>(a));                           \
    }
#define FRIT_DECLARE_2(name, symbol)                                                                                   \
    template <class A, class B>                                                                                        \
    requires detail::operand_pair<A, B>                                                                                \
    auto symbol(A&& a, B&& b) {                                                                                        \
        if constexpr (detail::only_moves<A, B>)                                                                        \
            return detail::moved_t<op::name, A, B>(detail::from_children{}, static_cast<A&&>(a), static_cast<B&&>(b)); \
        else                                                                                                           \
            return detail::make_call<op::name>(static_cast<A&&>(a), static_cast<B&&>(b));                              \
    }
#define FRIT_DECLARE_3(name, symbol)                                                                       \
    template <class A, class B, class C>                                                                   \
    requires detail::operand_triple<A, B, C>                                                               \
    auto symbol(A&& a, B&& b, C&& c) {                                                                     \
        return detail::make_call<op::name>(static_cast<A&&>(a), static_cast<B&&>(b), static_cast<C&&>(c)); \
    }
#define FRIT_FORM_INFIX(arity, name, token) FRIT_DECLARE_##arity(name, operator token)
#define FRIT_FORM_PREFIX(arity, name, token) FRIT_DECLARE_##arity(name, operator token)
#define FRIT_FORM_CALL(arity, name, token) FRIT_DECLARE_##arity(name, token)
#define FRIT_FORM_HIDDEN(arity, name, token)
#define FRIT_OP(name, arity, form, token, ...) FRIT_FORM_##form(arity, name, token)
#include "frit/ops.def"
#undef FRIT_FORM_INFIX
#undef FRIT_FORM_PREFIX
#undef FRIT_FORM_CALL
#undef FRIT_FORM_HIDDEN
#undef FRIT_DECLARE_1
#undef FRIT_DECLARE_2
#undef FRIT_DECLARE_3

/// x converted to T: floating to integer saturates and NaN gives 0; to 16-bit floating rounds, also a formula that is of T
/// already, since it is computed in float32.
template <element T, detail::operand A>
auto cast(A&& x) {
    constexpr dtype D = dtype_of<T>;
    constexpr bool is_rounded = !is_short(D) || detail::is_array<std::remove_cvref_t<A>>::value;
    if constexpr (detail::operand_t<A>::type == D && is_rounded)
        return detail::as_value(static_cast<A&&>(x));
    else
        return detail::make_as<op::cast, D, D>(static_cast<A&&>(x));
}

/// x converted to a dtype that is known at run time: a formula of any_array. As cast<T>.
template <detail::operand A>
auto cast(A&& x, dtype to) {
    return detail::make_converted<detail::run_time>(static_cast<A&&>(x), to, detail::conversion::cast);
}

/// The bits of each element as a T, which has as many: `bit_cast<std::uint32_t>(x)` of float32. Not of bool or complex
/// numbers. A 16-bit floating formula is rounded first, as by cast. Which bits a NaN has that was computed depends on the
/// engine.
/// @throws dtype_error of an any_array whose elements are not of T's size
template <element T, detail::operand A>
auto bit_cast(A&& x) {
    constexpr dtype from = detail::operand_t<A>::type, to = dtype_of<T>;
    if constexpr (from == to && shares_bits(to, to))
        return cast<T>(static_cast<A&&>(x));
    else if constexpr (from == detail::run_time)
        return detail::make_converted<to>(static_cast<A&&>(x), to, detail::conversion::bits);
    else {
        static_assert(shares_bits(from, to), "frit: bit_cast is between numbers of one size, not complex and not bool");
        return detail::make_as<op::bit_cast, to, to>(static_cast<A&&>(x));
    }
}

/// The same for a dtype that is known at run time: a formula of any_array. @throws dtype_error
template <detail::operand A>
auto bit_cast(A&& x, dtype to) {
    return detail::make_converted<detail::run_time>(static_cast<A&&>(x), to, detail::conversion::bits);
}

/// @cond
// max(x) and min(x) reduce. Of two arrays, C++'s max(x, y) would have to choose between NaN rules: the user says which. Two
// overloads each, so that they also win where `using std::max` brings in the one for two equal types.
#define FRIT_NOT_OF_TWO(name, other)                                                                                      \
    template <class A, class B>                                                                                           \
    requires detail::compared_pair<A, B> detail::hint<"frit: " #name "(x) reduces: of two values write " #other "(x, y)"> \
    name(A&&, B&&)                                                                                                        \
    = delete;                                                                                                             \
    template <class A>                                                                                                    \
    requires detail::compared_pair<A, A> detail::hint<"frit: " #name "(x) reduces: of two values write " #other "(x, y)"> \
    name(const A&, const A&)                                                                                              \
    = delete;
FRIT_NOT_OF_TWO(max, maximum)
FRIT_NOT_OF_TWO(min, minimum)
#undef FRIT_NOT_OF_TWO
/// @endcond

}  // namespace frit::v0
