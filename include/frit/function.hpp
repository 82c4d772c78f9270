// A program's own functions in formulas: of C++ lambdas, and of text in a subset of C, which needs no compiler. Both become
// what the operations in them are, so they fuse with what stands around them, on every engine.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "frit/iterate.hpp"

namespace frit::inline v0 {

/// @cond
namespace detail {
struct text_function;
FRIT_API const text_function* parse_function(std::string_view name, std::string_view text, dtype result,
                                             std::span<const dtype> parameters, source_line where);
/// @param arguments  as many as the function has parameters
FRIT_API user_ref call_text(const text_function&, std::span<const user_ref> arguments, source_line where);

/// What C computes with.
template <class T>
concept text_number = element<T> && !complex_scalar<T> && !is_short(dtype_of<T>);

template <dtype To, operand_or_scalar A>
user_ref argument_node(const A& x, source_line where) {
    if constexpr (operand<A>)
        return node_of(x, where);
    else
        return constant_of(weak_number(x), To, where);
}
}  // namespace detail
/// @endcond

/// A function of arrays that is made of a C++ function: `frit::function sq([](auto a, auto b) { return a * a + b; })`. It is
/// called with what stands in the parentheses, each recorded once, so what a generic lambda reads twice is computed once.
/// Several results are a std::tuple.
template <class F>
class function {
public:
    /// @param f  called with arrays and formulas
    explicit function(F f) : f_(std::move(f)) {}
    /// What f gives for these arrays, formulas and numbers.
    template <detail::operand_or_scalar... A>
    requires(detail::operand<A> || ...) auto operator()(const A&... x) const { return f_(once(x)...); }

private:
    template <class A>
    static auto once(const A& x) {
        if constexpr (detail::operand<A> && !detail::is_array<A>::value)
            return composed<detail::operand_t<A>::type>(detail::node_of(x, source_line()));
        else
            return x;
    }
    F f_;
};

/// A function of text: the body of a function in a subset of C, whose parameters are x0, x1, ...
///
/// The subset: declarations of the arithmetic types of C and `<cstdint>` (`float a = ..., b;`, in blocks of their own too);
/// assignments, also `+=` and its like, `++`, `--`, each a statement of its own; `if`, `else`, `?:`, `for`, `while`, `do`,
/// `break`, `continue`, `return`; the operators of numbers, casts, true, false, M_PI, INFINITY, NAN; the functions of
/// `<cmath>` (of the type of their arguments; with an f at the end of float), isnan, isinf, isfinite, signbit, min, max,
/// abs, rsqrt, normcdf; and functions of text that were made before, by their names. Types and conversions are C's. What C
/// leaves undefined is defined as for arrays: an integer divided by 0 is 0, shifts by the width or more give 0 (`>>` of a
/// negative number -1), a variable begins as 0. A loop ends after 2^31 - 1 rounds. Both sides of `?:`, `&&` and `||` are
/// computed.
/// @throws compile_error for a text that is not in the subset, with the line and the column
///
/// ```cpp
/// const frit::function<float(float)> huber("huber", "float a = fabsf(x0); return a < 1 ? .5f * a * a : a - .5f;");
/// const frit::function<int(long)> collatz("collatz", R"(
///     int steps = 0;
///     while (x0 > 1) {
///         x0 = x0 % 2 ? 3 * x0 + 1 : x0 / 2;
///         ++steps;
///     }
///     return steps;
/// )");
/// std::cout << huber(frit::array<float>{-3, 0.5F}) << ' ' << collatz(frit::arange<long>(1, 9)) << '\n';
/// ```
/// ```text
/// [2.5   0.125] [ 0  1  7  2  5  8 16  3]
/// ```
template <detail::text_number R, detail::text_number... P>
class function<R(P...)> {
public:
    /// Texts that are made later may call it by its name.
    function(std::string_view name, std::string_view text, source_line where = {}) : where_(where) {
        constexpr dtype parameters[] = {dtype_of<P>..., dtype::bool_};
        text_ = detail::parse_function(name, text, dtype_of<R>, std::span(parameters, sizeof...(P)), where);
    }
    /// Of arrays, formulas and numbers, which broadcast; they are written into the parameters' types as into arrays.
    template <detail::operand_or_scalar... A>
    requires(sizeof...(A) == sizeof...(P)) &&
        (detail::operand<A> || ...) composed<dtype_of<R>> operator()(const A&... x) const {
        const detail::user_ref arguments[] = {detail::argument_node<dtype_of<P>>(x, where_)...};
        return composed<dtype_of<R>>(detail::call_text(*text_, arguments, where_));
    }

private:
    source_line where_;                            ///< an operator () has no room for its own
    const detail::text_function* text_ = nullptr;  ///< kept for ever, one of each content
};
/// A lambda's type is its own name.
template <class F>
function(F) -> function<F>;

}  // namespace frit::v0
