// Elementwise part of the reference: the formulas of formulas.hpp with bounds around them. Exactly rounded ops are computed
// in the dtype itself, integers exactly and then wrapped, everything else in long double.
#include "tests/support/reference.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "tests/support/formulas.hpp"
#include "tests/support/ulp.hpp"

namespace ref {
namespace {

constexpr long double unknown = std::numeric_limits<long double>::infinity();

#define FRIT_REF_ARGUMENTS_1 a
#define FRIT_REF_ARGUMENTS_2 a, b
#define FRIT_REF_ARGUMENTS_3 a, b, c
#define FRIT_REF_NONE(name, arity)
#define FRIT_REF_PARTS FRIT_REF_NONE
#define FRIT_REF_COMPLEX FRIT_REF_NONE
#define FRIT_REF_WORD FRIT_REF_NONE
#define FRIT_REF_CALL(name, arity) \
    case op::name: return formulas.name(FRIT_REF_ARGUMENTS_##arity);

[[noreturn]] void no_formula(op o) { throw std::logic_error("reference: no formula for " + std::string(name_of(o))); }

template <class F>
F floating_formula(op o, F a, F b, F c) {
    constexpr floating_formulas<F> formulas;
    switch (o) {
#define FRIT_REF_NUM FRIT_REF_CALL
#define FRIT_REF_FLT FRIT_REF_CALL
#define FRIT_REF_ANY FRIT_REF_CALL
#define FRIT_REF_SHORT FRIT_REF_CALL
#define FRIT_REF_INT FRIT_REF_NONE
#define FRIT_OP(name, arity, form, token, types, ...) FRIT_REF_##types(name, arity)
#include "frit/ops.def"
#undef FRIT_REF_FLT
#undef FRIT_REF_INT
        default: no_formula(o);
    }
}

// Bool operands come as 0 and 1: the table has replaced + * max min by | & there, so that the formulas fit.
wide integer_formula(op o, dtype t, wide a, wide b, wide c) {
    const integer_formulas formulas{8 * static_cast<int>(size_of(t))};
    switch (o) {
#define FRIT_REF_FLT FRIT_REF_NONE
#undef FRIT_REF_SHORT
#define FRIT_REF_SHORT FRIT_REF_NONE
#define FRIT_REF_INT FRIT_REF_CALL
#undef FRIT_REF_WORD
#define FRIT_REF_WORD FRIT_REF_CALL
#define FRIT_OP(name, arity, form, token, types, ...) FRIT_REF_##types(name, arity)
#include "frit/ops.def"
        default: no_formula(o);
    }
}

wide wrap(wide x, dtype t) {
    const int unused = 128 - 8 * static_cast<int>(size_of(t));
    const unsigned_wide shifted = static_cast<unsigned_wide>(x) << unused;
    if (kind_of(t) == frit::dtype_kind::integer) return static_cast<wide>(shifted) >> unused;
    return static_cast<wide>(shifted >> unused);
}

// How an op answers operands that are only known within bounds. Most are monotone or convex, or jump where a corner of the
// operands' box shows it: the corners bound them.
enum class answer { corners, slope, quotient, jumps_at_zero, neighbour, poles, cut };

constexpr answer answer_of(std::string_view name) {
    const auto is = [name](std::initializer_list<std::string_view> names) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    if (is({"sin", "cos", "silu", "gelu", "gelu_tanh"})) return answer::slope;
    if (is({"mod", "fmod", "remainder", "ieee_remainder", "floor_divide"})) return answer::quotient;
    if (is({"logical_not", "logical_and", "logical_or", "logical_xor", "sign", "heaviside", "logb"}))
        return answer::jumps_at_zero;
    if (is({"nextafter"})) return answer::neighbour;
    if (is({"tan", "tgamma"})) return answer::poles;
    if (is({"atan2"})) return answer::cut;
    return answer::corners;
}
constexpr auto answers = [] {
    std::array<answer, frit::detail::count_ops> r{};
    for (int k = 0; k < frit::detail::count_ops; ++k)
        r[static_cast<std::size_t>(k)] = answer_of(name_of(static_cast<op>(k)));
    return r;
}();

/// x rounded to a binary format, to nearest even.
template <class T>
long double round_to(long double x) {
    if (x == 0 || !std::isfinite(x)) return x;
    const long double unit = frit_test::spacing<T>(x), r = unit * std::rint(x / unit);
    return std::fabs(r) > static_cast<long double>(std::numeric_limits<T>::max()) ? std::copysign(unknown, x) : r;
}

template <class T>
long double neighbour_of(long double from, long double to) {
    const T a(static_cast<float>(from));
    if (std::isnan(from) || std::isnan(to)) return unknown - unknown;
    if (from == to) return to;
    if (from == 0) return std::copysign(static_cast<long double>(std::numeric_limits<T>::denorm_min()), to);
    return T::from_bits(static_cast<std::uint16_t>(a.bits() + ((from < to) == (from > 0) ? 1 : -1)));
}

// The exactly rounded ops, computed in the dtype itself. Of 16-bit ones there is but this.
long double native(op o, dtype t, long double a, long double b, long double c) {
    if (t == dtype::f16) return neighbour_of<frit::half>(a, b);
    if (t == dtype::bf16) return neighbour_of<frit::bfloat16>(a, b);
    if (t == dtype::f32) return floating_formula(o, static_cast<float>(a), static_cast<float>(b), static_cast<float>(c));
    return floating_formula(o, static_cast<double>(a), static_cast<double>(b), static_cast<double>(c));
}

/// What an op may be off beyond its `ulp` outside of the row's domain: lerp's two terms may cancel, the first of them
/// rounded; or overflow.
long double rounding_inside(op o, dtype t, const number& a, const number& c) {
    if (name_of(o) != "lerp") return 0;
    const long double size = std::fabs(a.v) + std::fabs(a.v * c.v);
    return size > largest(t) ? unknown : spacing_of(t, size);
}

/// A zero of which either sign is right: maximum and its like may return any of two zeros.
bool either_zero(op o, long double result, const number& a, const number& b, const number& c) {
    const auto is = [o](std::initializer_list<std::string_view> names) {
        return std::find(names.begin(), names.end(), name_of(o)) != names.end();
    };
    if (result != 0 || !is({"maximum", "minimum", "clip", "fmax", "fmin", "relu"})) return false;
    bool plus = is({"relu"}), minus = false;
    for (int k = 0; k < info(o).arity; ++k) {
        const long double v = (k == 0 ? a : k == 1 ? b : c).v;
        if (v == 0) (std::signbit(v) ? minus : plus) = true;
    }
    return plus && minus;
}

/// Whether the quotient of uncertain operands is one integer, rounded as the op rounds it.
bool one_quotient(op o, const number& a, long double ea, const number& b, long double eb) {
    const bool truncates = o == op::mod || name_of(o) == "fmod", nearest = name_of(o) == "ieee_remainder";
    const auto at = [&](long double x, long double y) {
        return truncates ? std::trunc(x / y) : nearest ? std::rint(x / y) : std::floor(x / y);
    };
    const long double first = at(a.v - ea, b.v - eb);
    return first == at(a.v - ea, b.v + eb) && first == at(a.v + ea, b.v - eb) && first == at(a.v + ea, b.v + eb);
}

/// The result for operands of which one at least is uncertain; `r` holds the result in the middle and the row's own error.
number uncertain(op o, dtype t, number r, const number& a, const number& b, const number& c, long double ea,
                 long double eb) {
    const frit::op_info& row = info(o);
    const long double ec = c.err;
    const auto near_zero = [](const number& x, long double e) { return e > 0 && std::fabs(x.v) <= e; };
    const answer how = answers[static_cast<std::size_t>(o)];
    if ((o == op::div || how == answer::quotient) && std::fabs(b.v) <= eb) r.err = unknown;
    if (name_of(o) == "reciprocal" && near_zero(a, ea)) r.err = unknown;
    if ((o == op::eq || o == op::ne) && std::fabs(a.v - b.v) <= ea + eb) r.err = unknown;
    if (how == answer::jumps_at_zero && (near_zero(a, ea) || (row.arity > 1 && near_zero(b, eb)))) r.err = unknown;
    if (how == answer::cut && std::fabs(a.v) <= ea && b.v - eb <= 0) r.err = unknown;
    if (o == op::pow && ((std::isnan(b.v) && std::fabs(a.v - 1) <= ea) || (std::isnan(a.v) && std::fabs(b.v) <= eb)))
        r.err = unknown;         // 1 to the power of NaN, and NaN to the power of 0, are 1
    if (how == answer::poles) {  // tan's, or tgamma's at 0 and below
        const bool tangent = name_of(o) == "tan";
        const auto interval = [tangent](long double x) {
            return tangent ? std::floor(x / floating_formulas<long double>::pi + 0.5L) : std::min(std::floor(x), 0.0L);
        };
        if (interval(a.v - ea) != interval(a.v + ea)) r.err = unknown;
    }
    if (how == answer::quotient && r.err != unknown && !std::isnan(a.v / b.v) && !one_quotient(o, a, ea, b, eb))
        r.err = unknown;
    if (ea == unknown || eb == unknown || ec == unknown) r.err = unknown;
    if (r.err == unknown) return r;
    const long double centre = floating_formula<long double>(o, a.v, b.v, c.v);
    if (row.ulp == 0 && how != answer::neighbour) r.v = centre;
    if (how == answer::slope) {  // not monotone, but never steeper than this
        const long double swing = o == op::sin || o == op::cos ? 2 : unknown;
        r.err += std::min(1.13L * ea, swing);
        return r;
    }
    if (how == answer::neighbour) {
        r.err = std::isfinite(a.v) && std::isfinite(r.v) ? ea + 2 * spacing_of(t, std::fabs(a.v) + ea) : unknown;
        return r;
    }
    long double deviation = 0;
    for (int corner = 0; corner < 1 << row.arity; ++corner) {
        const auto moved = [corner](long double v, long double e, int k) { return corner >> k & 1 ? v + e : v - e; };
        const long double at = floating_formula<long double>(o, moved(a.v, ea, 0), moved(b.v, eb, 1), moved(c.v, ec, 2));
        if (std::isnan(at) != std::isnan(centre) || std::isinf(at) != std::isinf(centre))
            deviation = unknown;
        else if (at != centre && !std::isnan(at))
            deviation = std::max(deviation, std::fabs(at - centre));
    }
    if (deviation > 0 && row.result == frit::op_result::BOOL) deviation = unknown;
    if (std::fabs(r.v) + deviation > largest(t)) deviation = unknown;
    if (row.result == frit::op_result::BOOL)
        r.err = deviation;
    else  // rounded where the right answer may lie, which is not where ours does
        r.err = deviation + (static_cast<long double>(row.ulp) + 1) * spacing_of(t, std::fabs(r.v) + deviation) +
                rounding_inside(o, t, a, c);
    return r;
}

number floating(op o, dtype t, const number& a, const number& b, const number& c) {
    const frit::op_info& row = info(o);
    const bool contractible = o == op::add || o == op::sub;
    const long double ea = a.err + (contractible ? a.slack : 0), eb = b.err + (contractible ? b.slack : 0);
    const bool exact_operands = ea == 0 && (row.arity < 2 || eb == 0) && (row.arity < 3 || c.err == 0);
    number r;
    if (row.ulp == 0) {
        r.v = native(o, t, a.v, b.v, c.v);
        if (either_zero(o, r.v, a, b, c)) r.err = t == dtype::f32 ? 0x1p-149L : 0x1p-1074L;
    } else {
        r.v = floating_formula<long double>(o, a.v, b.v, c.v);
        r.err = static_cast<long double>(row.ulp) * spacing_of(t, r.v);
        r.err += rounding_inside(o, t, a, c);
        if (std::fabs(r.v) - r.err > largest(t))
            r.v = std::copysign(std::numeric_limits<long double>::infinity(), r.v);
        else if (std::fabs(r.v) + r.err > largest(t))
            r.err = unknown;
    }
    if (o == op::mul && std::isfinite(r.v))
        r.slack = std::fabs(r.v - a.v * b.v) + (t == dtype::f64 ? spacing_of(t, r.v) / 2 : 0);
    if (o == op::mul && t == dtype::f64 &&
        std::fma(static_cast<double>(a.v), static_cast<double>(b.v), -static_cast<double>(r.v)) == 0)
        r.slack = 0;
    if (o == op::neg || name_of(o) == "pos") r.slack = a.slack;
    return exact_operands ? r : uncertain(o, t, r, a, b, c, ea, eb);
}

}  // namespace

bool same(value a, value b) {
    const auto part = [](long double x, long double y) {
        return (std::isnan(x) && std::isnan(y)) || (x == y && std::signbit(x) == std::signbit(y));
    };
    return part(a.real(), b.real()) && part(a.imag(), b.imag());
}

bool number::known() const { return err != unknown; }

bool number::allows(value got) const {
    const auto part = [this](long double x, long double y) {
        return (std::isnan(x) && std::isnan(y)) || x == y || std::fabs(x - y) <= err;
    };
    return !known() || (part(got.real(), v) && part(got.imag(), im));
}

number exactly(value x) { return {x.real(), 0, 0, x.imag()}; }

long double spacing_of(dtype t, long double at) {
    switch (frit::real_dtype(t)) {
        case dtype::f16: return frit_test::spacing<frit::half>(at);
        case dtype::bf16: return frit_test::spacing<frit::bfloat16>(at);
        case dtype::f32: return frit_test::spacing<float>(at);
        default: return frit_test::spacing<double>(at);
    }
}

long double largest(dtype t) {
    return frit::real_dtype(t) == dtype::f64 ? std::numeric_limits<double>::max() : std::numeric_limits<float>::max();
}

long double rounded(long double x, dtype t) {
    switch (t) {
        case dtype::f16: return round_to<frit::half>(x);
        case dtype::bf16: return round_to<frit::bfloat16>(x);
        case dtype::f32: return static_cast<float>(x);
        case dtype::f64: return static_cast<double>(x);
        default: return x;
    }
}

number apply(op o, dtype operand, const number& a, const number& b, const number& c) {
    if (o == op::where) {
        if (!a.known()) return {b.v, b.at() == c.at() && b.err == 0 && c.err == 0 ? 0 : unknown, 0, b.im};
        return a.v != 0 ? b : c;
    }
    if ((o == op::signbit && std::isnan(a.v)) || (o == op::copysign && std::isnan(b.v)))
        return {floating(o, operand, a, b, c).v, unknown, 0};  // the sign of a NaN is anybody's
    if (frit::is_complex(operand)) return apply_complex(o, operand, a, b, c);
    if (frit::is_short(operand)) o = frit::short_form(o);
    if (frit::is_float(operand)) return floating(o, o == op::nextafter ? operand : frit::register_dtype(operand), a, b, c);
    const int arity = info(o).arity;
    number r;
    const wide exact = integer_formula(o, operand, static_cast<wide>(a.v), static_cast<wide>(b.v), static_cast<wide>(c.v));
    r.v = static_cast<long double>(wrap(exact, operand));
    if (!a.known() || (arity > 1 && !b.known()) || (arity > 2 && !c.known())) r.err = unknown;
    return r;
}

number convert(const number& x, dtype from, dtype to) {
    if (from == to && !frit::is_short(to)) return x;
    if (frit::is_complex(to)) {  // within the bound, the parts move by what one of them may
        const dtype part = frit::real_dtype(to);
        number r = convert({x.v, x.err, 0}, frit::real_dtype(from), part);
        const number im = convert({x.im, x.err, 0}, frit::real_dtype(from), part);
        r.im = im.v, r.err = std::hypot(r.err, im.err), r.slack = part == frit::real_dtype(from) ? x.slack : 0;
        return r;
    }
    if (frit::is_complex(from) && to == dtype::bool_) {
        const bool either = x.err > 0 && std::abs(x.at()) <= x.err;
        return {x.v != 0 || x.im != 0 ? 1.0L : 0.0L, either || !x.known() ? unknown : 0, 0};
    }
    if (frit::is_complex(from)) return convert({x.v, x.err, 0}, frit::real_dtype(from), to);
    if (frit::is_short(from) && to == dtype::f32) return x;
    const auto one = [&](long double v) -> long double {
        if (to == dtype::bool_) return v != 0;  // NaN is not 0
        if (frit::is_float(to)) return rounded(v, to);
        if (frit::is_float(from)) {
            const bool is_signed = kind_of(to) == frit::dtype_kind::integer;
            const int digits = 8 * static_cast<int>(size_of(to)) - is_signed;
            const long double lo = is_signed ? -std::ldexp(1.0L, digits) : 0, hi = std::ldexp(1.0L, digits) - 1;
            return std::isnan(v) ? 0 : std::trunc(std::clamp(v, lo, hi)) + 0.0L;  // no integer is -0
        }
        return static_cast<long double>(wrap(static_cast<wide>(v), to));
    };
    number r{one(x.v), 0, 0};
    if (x.err == 0) return r;
    if (!x.known()) {
        r.err = unknown;
    } else if (frit::is_float(to)) {
        const long double lo = one(x.v - x.err), hi = one(x.v + x.err);
        if (lo != hi) r.err = std::isinf(lo) || std::isinf(hi) ? unknown : std::max(hi - r.v, r.v - lo);
        if (lo == 0 && hi == 0) r.err = spacing_of(to, 0);  // of either sign
    } else if (one(x.v - x.err) != one(x.v + x.err) || (to == dtype::bool_ && std::fabs(x.v) <= x.err)) {
        r.err = unknown;
    }
    return r;
}

}  // namespace ref
