// C's types, their conversions, and the functions that its headers name, over expressions of a text.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "frit/detail/scalar.hpp"
#include "src/functions/syntax.hpp"

namespace frit::inline v0::detail {

/// The types that are one word.
std::optional<dtype> type_named(std::string_view);

/// Integer promotion.
dtype promoted(dtype);
/// The usual arithmetic conversions: of a complex and a real type, a complex one.
dtype common(dtype a, dtype b);
/// What an operand is converted to where that is its operator's type: a real one stays real beside complex ones.
dtype operand_type(dtype of_operator, dtype operand);

template <class T>
expression number_of(T x) {
    constexpr dtype type = dtype_of<T>;
    return {.what = expression::kind::number, .type = type, .result = type, .bits = scalar_to_bits<type>(x)};
}

/// How many numbers a function's statements have, with those of the functions that they call.
std::size_t numbers_in(const std::vector<text_statement>&);
/// A number of the text, whole; of uint64 its bits.
std::int64_t whole_of(const expression& number);

expression converted(expression, dtype to);
/// What the program writes as a cast, or as an assignment: it rounds what has more digits than its type.
expression cast_to(dtype, expression);
expression truth(expression);

template <class... X>
expression applied(op code, dtype of, dtype result, X... operands) {
    expression e{.what = expression::kind::apply, .type = of, .result = result, .code = code};
    const auto add = [&](expression x) {
        const dtype to = operand_type(of, x.result);
        e.operands.push_back(converted(std::move(x), to));
    };
    (add(std::move(operands)), ...);
    return e;
}

/// A function of <math.h> or <complex.h>.
struct named_function {
    op code;
    std::optional<dtype> type;     ///< of real operands, where the name says it
    bool makes_complex = false;    ///< its operands become complex
    std::optional<dtype> whole{};  ///< what its result is converted to
};
std::optional<named_function> function_named(std::string_view);
/// Whether C has it for complex numbers.
bool takes_complex(op);
/// Of numbers of this type.
dtype result_of_function(op, dtype);

}  // namespace frit::v0::detail
