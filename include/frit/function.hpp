// A program's own functions in formulas: of C++ lambdas, and of text in a subset of C, which needs no compiler. Both become
// what the operations in them are, so they fuse with what stands around them, on every engine.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "frit/iterate.hpp"

namespace frit::inline v0 {

/// @cond
namespace detail {
struct text_function;
struct text_signature {
    std::span<const dtype> parameters, results;
    bool several;  ///< results have names
};
FRIT_API const text_function* parse_function(std::string_view name, std::string_view text, const text_signature&,
                                             source_line where);
/// @param arguments  as many as the function has parameters
FRIT_API std::vector<user_ref> call_text(const text_function&, std::span<const user_ref> arguments, source_line where);

/// What a function of text gives: a number, or several as a tuple.
template <class R>
struct text_result {};
template <element R>
struct text_result<R> {
    static constexpr dtype types[] = {dtype_of<R>};
    static auto of(const std::vector<user_ref>& values) { return composed<dtype_of<R>>(values[0]); }
};
template <element... R>
requires(sizeof...(R) > 0) struct text_result<std::tuple<R...>> {
    static constexpr dtype types[] = {dtype_of<R>...};
    static auto of(const std::vector<user_ref>& values) {
        return [&]<std::size_t... K>(std::index_sequence<K...>) {
            return std::tuple<composed<dtype_of<R>>...>(composed<dtype_of<R>>(values[K])...);
        }
        (std::index_sequence_for<R...>());
    }
};
template <class R>
concept text_results = requires {
    text_result<R>::types;
};

/// For errors.
FRIT_API const char* name_of_text(const text_function&) noexcept;
template <dtype To, operand_or_scalar A>
user_ref argument_node(const A& x, const text_function& of, source_line where) {
    if constexpr (operand<A>)
        return node_of(x, where);
    else
        return constant_of(weak_number(x), To, where, name_of_text(of));
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
/// `break`, `continue`, `return`; the operators of numbers, casts, true, false, and the constants of `<math.h>`,
/// `<stdint.h>`, `<limits.h>` and `<float.h>` (M_PI, INFINITY, NAN, INT_MAX, DBL_EPSILON, ...); the functions of `<cmath>`
/// (of the type of their arguments; with an f at the end of float) without frexp, modf, remquo, nan, nexttoward, scalbln,
/// fpclassify, lerp, hypot of three numbers, and the special functions behind lgamma; and labs, min, max, abs, rsqrt,
/// normcdf. Functions of text that were made before are called by their names: of several of one name the one whose
/// parameters have the types of the arguments, or the only one of their number. None calls itself.
///
/// Types and conversions are C's. What C leaves undefined is defined as for arrays: an integer divided by 0 is 0, shifts by
/// the width or more give 0 (`>>` of a negative number -1), a variable begins as 0. A loop that does not end is an error
/// (set_loop_limit). Both sides of `?:`, `&&` and `||` are computed. A loop has room for 62 variables that it sets or
/// reads from outside, and for any numbers.
///
/// Several results, `frit::function<std::tuple<float, int>(float)>`, are the variables y0, y1, ... of the text, which begin
/// as 0 as others do, and must be set somewhere; it ends with its text, or by a bare `return;`. A call is a std::tuple of
/// formulas. One that nobody asks for is not computed; evaluated together they are one kernel.
///
/// 16-bit floats are `half` (or `_Float16`) and `bfloat16`, computed in float with C's rules of excess precision: rounded
/// where they are assigned, cast, or returned, as an array's elements are. What is computed with both is float. (A number as
/// `.5f` is a float, and so is its product with a half; `(half).5f` is none.)
///
/// Complex numbers are `float complex` and `double complex` (or complex64, complex128), with I, CMPLX, the operators `+ - *
/// /
/// == !=`, and the functions of `<complex.h>`, whose type follows their arguments' too: csqrt, or sqrt, of a float complex
/// is one. A real operand stays real, as in C's Annex G. creal, cimag, cabs and carg give real numbers.
/// @throws compile_error for a text that is not in the subset, with the line and the column; a call: where a loop has no
/// room
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
/// ```cpp
/// const frit::function<std::tuple<float, float>(float, float)> polar("polar", R"(
///     y0 = hypotf(x0, x1);
///     if (y0 == 0) return;
///     y1 = atan2f(x1, x0);
/// )");
/// const auto [r, phi] = polar(frit::array<float>{3, 0, -2}, frit::array<float>{4, 0, 0});
/// std::cout << r << ' ' << phi << '\n';
/// ```
/// ```text
/// [5. 0. 2.] [0.9272952 0.        3.1415927]
/// ```
template <detail::text_results R, element... P>
class function<R(P...)> {
public:
    /// Texts that are made later may call it by its name.
    function(std::string_view name, std::string_view text, source_line where = {}) : where_(where) {
        constexpr dtype parameters[] = {dtype_of<P>..., dtype::bool_};
        text_ = detail::parse_function(
            name, text, {std::span(parameters, sizeof...(P)), detail::text_result<R>::types, detail::is_tuple<R>::value},
            where);
    }
    /// Of arrays, formulas and numbers, which broadcast; they are written into the parameters' types as into arrays.
    template <detail::operand_or_scalar... A>
    requires(sizeof...(A) == sizeof...(P)) && (detail::operand<A> || ...) auto operator()(const A&... x) const {
        const detail::user_ref arguments[] = {detail::argument_node<dtype_of<P>>(x, *text_, where_)...};
        return detail::text_result<R>::of(detail::call_text(*text_, arguments, where_));
    }

private:
    source_line where_;                            ///< an operator () has no room for its own
    const detail::text_function* text_ = nullptr;  ///< kept for ever, one of each content
};
/// A lambda's type is its own name.
template <class F>
function(F) -> function<F>;

/// The most rounds of a loop in functions of text that are called from now on; at first, and for 0, 2^31 - 1. One that has
/// not ended then is an error of the evaluation (index_error, which names the function; on a GPU, of the next
/// synchronisation): what it was to be stays a formula.
/// On a CPU interrupt() ends one at once (interrupt.hpp). Without a limit a loop like `for (int k = 0; k < n; ++k)`, which
/// surely ends, is not asked. A loop in a step (iterate, scan_along, reduce, scan) is asked likewise. Another limit compiles
/// nothing. @throws error for a negative number
FRIT_API void set_loop_limit(detail::any_integer rounds, source_line where = {});
/// As set.
FRIT_API std::int64_t loop_limit();

}  // namespace frit::v0
