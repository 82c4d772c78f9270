// See library.hpp.
#include "src/functions/library.hpp"

namespace frit::inline v0::detail {
namespace {

/// The power of two is made of those whose exponents are; what it does to a subnormal number is rounded once, at the last
/// step, for which at least 53 binary places are left where there are several.
constexpr std::string_view ldexp_text = R"(
    int n = x1 > 2100 ? 2100 : x1 < -2100 ? -2100 : x1;
    if (n > 1023) {
        x0 *= 0x1p1023;
        n -= 1023;
        if (n > 1023) { x0 *= 0x1p1023; n -= 1023; }
    } else if (n < -1022) {
        x0 *= 0x1p-969;
        n += 969;
        if (n < -1022) { x0 *= 0x1p-969; n += 969; }
    }
    int m = n < 0 ? -n : n;
    double p = m & 1 ? 2.0 : 1.0;
    if (m & 2) p *= 0x1p2;
    if (m & 4) p *= 0x1p4;
    if (m & 8) p *= 0x1p8;
    if (m & 16) p *= 0x1p16;
    if (m & 32) p *= 0x1p32;
    if (m & 64) p *= 0x1p64;
    if (m & 128) p *= 0x1p128;
    if (m & 256) p *= 0x1p256;
    if (m & 512) p *= 0x1p512;
    return n < 0 ? x0 / p : x0 * p;
)";

constexpr std::string_view ilogb_text = R"(
    double e = logb(x0);
    return isnan(e) || e < -2000 ? INT_MIN : e > 2000 ? INT_MAX : (int)e;
)";

constexpr dtype floating = dtype::f64;
constexpr library_text texts[] = {
    {"ldexp", false, floating, 2, {floating, dtype::i32}, ldexp_text},
    {"ldexpf", true, floating, 2, {floating, dtype::i32}, ldexp_text},
    {"scalbn", false, floating, 2, {floating, dtype::i32}, ldexp_text},
    {"scalbnf", true, floating, 2, {floating, dtype::i32}, ldexp_text},
    {"ilogb", false, dtype::i32, 1, {floating}, ilogb_text},
    {"ilogbf", true, dtype::i32, 1, {floating}, ilogb_text},
    {"isnormal", false, dtype::bool_, 1, {floating}, "x0 = fabs(x0); return x0 >= DBL_MIN && x0 <= DBL_MAX;"},
    {"isnormal", false, dtype::bool_, 1, {dtype::f32}, "x0 = fabsf(x0); return x0 >= FLT_MIN && x0 <= FLT_MAX;"},
    {"isunordered", false, dtype::bool_, 2, {floating, floating}, "return isnan(x0) || isnan(x1);"},
    {"islessgreater", false, dtype::bool_, 2, {floating, floating}, "return x0 < x1 || x0 > x1;"},
};

}  // namespace

const library_text* library_text_named(std::string_view name, dtype of) {
    if (is_short(of)) of = dtype::f32;  // as which 16-bit floats are computed
    const library_text* found = nullptr;
    for (const library_text& t : texts)
        if (t.name == name && (!found || t.types[0] == of)) found = &t;
    return found;
}

}  // namespace frit::v0::detail
