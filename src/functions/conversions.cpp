// See conversions.hpp.
#include "src/functions/conversions.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace frit::inline v0::detail {

using kind = expression::kind;

std::optional<dtype> type_named(std::string_view name) {
    static const std::map<std::string_view, dtype> types{
        {"bool", dtype::bool_},      {"_Bool", dtype::bool_},  {"ptrdiff_t", dtype::i64}, {"intmax_t", dtype::i64},
        {"uintmax_t", dtype::u64},   {"int8_t", dtype::i8},    {"int16_t", dtype::i16},   {"int32_t", dtype::i32},
        {"int64_t", dtype::i64},     {"uint8_t", dtype::u8},   {"uint16_t", dtype::u16},  {"uint32_t", dtype::u32},
        {"uint64_t", dtype::u64},    {"size_t", dtype::u64},   {"float", dtype::f32},     {"double", dtype::f64},
        {"half", dtype::f16},        {"_Float16", dtype::f16}, {"bfloat16", dtype::bf16}, {"complex64", dtype::c64},
        {"complex128", dtype::c128},
    };
    const auto it = types.find(name);
    return it == types.end() ? std::nullopt : std::optional(it->second);
}

dtype promoted(dtype t) { return kind_of(t) >= dtype_kind::floating || size_of(t) >= 4 ? t : dtype::i32; }

namespace {
dtype common_real(dtype a, dtype b) {
    a = promoted(a), b = promoted(b);
    if (a != b && is_short(a) && is_short(b)) return dtype::f32;  // neither has all numbers of the other
    constexpr dtype rank[] = {dtype::f64, dtype::f32, dtype::f16, dtype::bf16, dtype::u64, dtype::i64, dtype::u32};
    for (const dtype t : rank)
        if (a == t || b == t) return t;
    return dtype::i32;
}
}  // namespace

dtype common(dtype a, dtype b) {
    const dtype real = common_real(real_dtype(a), real_dtype(b));
    return is_complex(a) || is_complex(b) ? complex_dtype(real) : real;
}
dtype operand_type(dtype of_operator, dtype operand) { return is_complex(operand) ? of_operator : real_dtype(of_operator); }

namespace {
struct number_count {
    std::set<const text_function*> called{};
    std::size_t numbers = 0;
    void add(const expression& e) {
        if (e.what == kind::number) ++numbers;
        if (e.what == kind::call && called.insert(e.callee).second) add(e.callee->body);
        for (const expression& x : e.operands) add(x);
    }
    void add(const std::vector<text_statement>& all) {
        for (const text_statement& s : all) {
            add(s.value);
            for (const auto* part : {&s.body, &s.otherwise, &s.step}) add(*part);
        }
    }
};
}  // namespace

std::size_t numbers_in(const std::vector<text_statement>& all) {
    number_count n;
    n.add(all);
    return n.numbers;
}

std::int64_t whole_of(const expression& number) {
    const auto unused = static_cast<int>(64 - 8 * size_of(number.result));  // bits, above the number's sign
    const bool has_sign = kind_of(number.result) == dtype_kind::integer;
    return has_sign ? static_cast<std::int64_t>(number.bits.low << unused) >> unused
                    : static_cast<std::int64_t>(number.bits.low);
}

namespace {
/// A whole number in another type, as a cast would give it: a number of a text becomes a parameter.
std::optional<expression> folded(const expression& x, dtype to) {
    if (x.what != kind::number || is_float(x.result)) return std::nullopt;
    const bool has_sign = kind_of(x.result) == dtype_kind::integer;
    const std::int64_t whole = whole_of(x);
    switch (to) {
#define FRIT_X(name, type) \
    case dtype::name:      \
        return number_of(has_sign ? static_cast<type>(whole) : static_cast<type>(static_cast<std::uint64_t>(whole)));
        FRIT_COMPUTE_DTYPES(FRIT_X)
#undef FRIT_X
        default: return std::nullopt;
    }
}
expression conversion_of(expression x, dtype to) {
    expression e{.what = kind::convert, .type = to, .result = to};
    e.operands.push_back(std::move(x));
    return e;
}
}  // namespace

expression converted(expression x, dtype to) {
    if (x.result == to) return x;
    if (auto number = folded(x, to)) return std::move(*number);
    return conversion_of(std::move(x), to);
}
expression cast_to(dtype to, expression x) {
    const bool rounds = is_short(to) && x.what != kind::convert;
    return x.result == to && rounds ? conversion_of(std::move(x), to) : converted(std::move(x), to);
}
expression truth(expression x) {
    if (x.result == dtype::bool_) return x;
    if (x.what == kind::number && !is_float(x.result)) return number_of(x.bits.low != 0);
    const dtype t = x.result;
    return applied(op::ne, t, dtype::bool_, std::move(x), number_of(std::int32_t{0}));
}

namespace {

std::optional<op> op_of_name(std::string_view name) {
    for (int k = 0; k < detail::count_ops; ++k)
        if (info(static_cast<op>(k)).name == name) return static_cast<op>(k);
    return std::nullopt;
}
template <std::size_t N>
bool contains(const std::string_view (&all)[N], std::string_view name) {
    return std::find(std::begin(all), std::end(all), name) != std::end(all);
}

/// <math.h>'s, by the names that ops.def gives them too.
constexpr std::string_view names_of_real[] = {
    "sqrt",  "cbrt",  "exp",      "exp2",    "expm1", "log",       "log2",  "log10",  "log1p",  "sin",
    "cos",   "tan",   "asin",     "acos",    "atan",  "atan2",     "sinh",  "cosh",   "tanh",   "asinh",
    "acosh", "atanh", "pow",      "hypot",   "floor", "ceil",      "trunc", "round",  "rint",   "nearbyint",
    "fmod",  "fdim",  "fmin",     "fmax",    "fma",   "copysign",  "erf",   "erfc",   "lgamma", "tgamma",
    "isnan", "isinf", "isfinite", "signbit", "logb",  "nextafter", "rsqrt", "normcdf"};
/// <complex.h>'s, which are called so with a c in front.
constexpr std::string_view names_of_complex[] = {"real", "imag", "abs",  "arg",  "proj",  "exp",   "log",
                                                 "sqrt", "pow",  "sin",  "cos",  "tan",   "asin",  "acos",
                                                 "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"};

std::optional<named_function> without_suffix(std::string_view name) {
    static const std::map<std::string_view, op> others{
        {"fabs", op::abs},       {"abs", op::abs},      {"remainder", op::ieee_remainder},
        {"min", op::minimum},    {"max", op::maximum},  {"isless", op::lt},
        {"islessequal", op::le}, {"isgreater", op::gt}, {"isgreaterequal", op::ge}};
    static const std::map<std::string_view, named_function> of_integers{
        {"labs", {op::abs, dtype::i64}},
        {"llabs", {op::abs, dtype::i64}},
        {"lround", {op::round, {}, false, dtype::i64}},
        {"llround", {op::round, {}, false, dtype::i64}},
        {"lrint", {op::rint, {}, false, dtype::i64}},
        {"llrint", {op::rint, {}, false, dtype::i64}},
    };
    if (const auto it = others.find(name); it != others.end()) return named_function{it->second, {}};
    if (const auto it = of_integers.find(name); it != of_integers.end()) return it->second;
    if (contains(names_of_real, name)) return named_function{*op_of_name(name), {}};
    if (name == "conj") return named_function{op::conj, {}, true};
    if (name.starts_with('c') && contains(names_of_complex, name.substr(1)))
        return named_function{*op_of_name(name.substr(1)), {}, true};
    return std::nullopt;
}

}  // namespace

std::optional<named_function> function_named(std::string_view name) {
    if (name == "CMPLX") return named_function{op::complex, dtype::f64};
    if (name == "CMPLXF") return named_function{op::complex, dtype::f32};
    if (const auto f = without_suffix(name)) return f;
    if (!name.ends_with('f')) return std::nullopt;
    auto f = without_suffix(name.substr(0, name.size() - 1));
    if (f) f->type = dtype::f32;
    return f;
}
bool takes_complex(op code) { return code == op::conj || contains(names_of_complex, info(code).name); }

dtype result_of_function(op code, dtype of) {
    if (code == op::complex) return complex_dtype(of);
    if (info(code).result == op_result::BOOL) return dtype::bool_;
    return code == op::real || code == op::imag || code == op::abs || code == op::arg ? real_dtype(of) : of;
}

}  // namespace frit::v0::detail
