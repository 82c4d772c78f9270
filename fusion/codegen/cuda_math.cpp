// <cmath> for CUDA text where CUDA's own functions miss the op table's bound of 4 ulp.
// Source of the bounds: CUDA C++ Programming Guide, "Mathematical Functions", the tables of maximum errors. In f32 lgammaf
// (6, and more between -10.001 and -2.264), tgammaf (5) and normcdff (5) exceed it, in f64 erfc (5), normcdf (5) and tgamma
// (10); lgamma in f64 is within 4 but for (-23.0001, -2.2637). All others that the table calls are within 4.
#include "fusion/codegen/cuda_prelude.hpp"

namespace frit::inline v0::fusion {
namespace {

constexpr cuda_prelude_entry entries[] = {
    // exp(-(h + l)) * exp(x^2) erfc(x) at x = u + v, 0.46 <= u <= 28, v and l mere corrections: h = u^2 gives erfc.
    // (1 + 2x) exp(x^2) erfc(x) is a smooth function of (x - 4) / (x + 4) (M. M. Shepherd, J. G. Laframboise, Math. Comp.
    // 36,
    // 1981); the polynomial is its Chebyshev fit there, 0.01 ulp off. The quotient is corrected, so that the error is
    // that of exp and of three roundings.
    {"frit_erfc_tail", R"(
__device__ inline double frit_erfc_tail(double u, double v, double h, double l) {
    const double c[] = {
        0x1.cc3b5c475279fp-30, -0x1.4b8d4c2fcc5d8p-27, -0x1.2c08f1bac5d61p-26, 0x1.bb6702996486bp-24,
        0x1.3e5488d9c7b42p-24, -0x1.b7f32a23ff40dp-21, 0x1.3bd0641315639p-22, 0x1.7ef4326eac944p-18,
        -0x1.788d7a7e697a7p-17, -0x1.9954c535ab809p-16, 0x1.3be068fed1fa4p-13, -0x1.a1df45c115cbcp-13,
        -0x1.8d4a9c0e737d6p-11, 0x1.49c672ab8c726p-8, -0x1.09623882fb92ep-6, 0x1.3079edf618baep-5, -0x1.0fb06dfe52a71p-4,
        0x1.7fee004e14f25p-4, -0x1.9ddb23c3e8b7dp-4, 0x1.16ecefcfa52a0p-4, 0x1.f7f5df66fd724p-7, -0x1.1df1ad154a28dp-3,
        0x1.3ba5916e9fd7fp+0};
    const double t = (u - 4) / (u + 4), d = fma(2.0, u, 1.0), below = fma(2.0, u, 1 - d) + 2 * v;
    double p = c[0];
#pragma unroll
    for (int k = 1; k < 23; ++k) p = fma(p, t, c[k]);
    double q = p / d;
    q += (fma(-q, d, p) - q * below) / d - l * q;
    return exp(-h) * q;
}
)"},
    {"frit_erfc", R"(
__device__ inline float frit_erfc(float x) { return erfcf(x); }
__device__ inline double frit_erfc(double x) {
    if (!(x >= 0.46)) return 1 - erf(x);
    const double h = x * x;
    return x > 28 ? 0 : frit_erfc_tail(x, 0, h, fma(x, x, -h));
}
)"},
    // exp(h + l) = scale 2^-80 (1 + the result), -143 <= h <= 0: no scale is subnormal.
    {"frit_exp_rest", R"(
__device__ inline float frit_exp_rest(float h, float l, float* scale) {
    const float shifted = fmaf(h, 0x1.715476p+0f, 12583119.0f), j = shifted - 12583119.0f;
    const float r = fmaf(j, 0x1.05c610p-29f, fmaf(j, -0x1.62e430p-1f, h)) + l;
    const float c[] = {0x1.6dd7f2p-10f, 0x1.1275dcp-7f, 0x1.555426p-5f, 0x1.5553f8p-3f, 0.5f, 1.0f};
    float e = c[0];
#pragma unroll
    for (int k = 1; k < 6; ++k) e = fmaf(e, r, c[k]);
    *scale = __uint_as_float(__float_as_uint(shifted) << 23);
    return e * r;
}
)"},
    // In f64, in the tail erfc(-x / sqrt(2)) / 2 with the rounding of the quotient carried along. In f32, from a = |x|:
    // exp(a^2 / 2) normcdf(-a) is t times a polynomial in t = 1 / (1 + 0.38 a), here a fit of degree 9 for a <= 14.6,
    // 0.1 ulp off; t, the product and a^2 carry their roundings along. Over every 97th number at most 3.6 ulp off, gelu 3.9.
    {"frit_normcdf", R"(
__device__ inline double frit_normcdf(double x) {
    const double c = 0x1.6a09e667f3bcdp-1, rest = -0x1.bdd3413b26456p-55;  // sqrt(1/2)
    if (!(x <= -0.66)) return fma(0.5, erf(x * c), 0.5);
    const double u = -x * c, h = 0.5 * x * x;
    return u > 28 ? 0 : 0.5 * frit_erfc_tail(u, fma(-x, c, -u) - x * rest, h, fma(0.5 * x, x, -h));
}
__device__ inline float frit_normcdf(float x) {
    const float a = frit_minimum(fabsf(x), 14.5f), d = fmaf(0.38f, a, 1.0f);
    float t = __fdividef(1.0f, d);
    t = fmaf(t, fmaf(-fmaf(0.38f, a, 1.0f - d), t, fmaf(-d, t, 1.0f)), t);
    const float c[] = {
        0x1.87daf4p-86f, -0x1.44f806p-85f, -0x1.3c847ap-87f, 0x1.0e20b0p-84f, -0x1.790788p-87f,
        -0x1.aba6dcp-84f, 0x1.6670e6p-87f, 0x1.ee38ecp-83f, 0x1.62c47cp-82f, 0x1.159f18p-82f};
    float p = c[0];
#pragma unroll
    for (int k = 1; k < 10; ++k) p = fmaf(p, t - 0.5f, c[k]);
    const float g = t * p, square = a * a;
    float scale;
    const float e = frit_exp_rest(-0.5f * square, -0.5f * fmaf(a, a, -square), &scale);
    const float tail = (fmaf(g, e, fmaf(t, p, -g)) + g) * scale;
    return x > 0 ? 1 - tail : tail;
}
)"},
    // x / (1 + exp(-w)), w = 2 sqrt(2/pi) (x + 0.044715 x^3). The left tail multiplies the relative error of w by |w|, so
    // w is computed in two parts, w + l; from |x| = 50 (12 in f32) on, exp(-w) is 0 or infinite.
    {"frit_gelu_tanh", R"(
__device__ inline double frit_gelu_tanh(double a) {
    const double x = a < -50 ? -50 : a > 50 ? 50 : a, square = x * x;
    const double c1 = 0x1.9884533d43651p+0, c3 = 0x1.2444f2a4d8b4bp-4, q = c3 * square;
    const double ql = fma(c3, square, -q) + c3 * fma(x, x, -square) + -0x1.6c843a29d1c70p-61 * square;
    const double s = c1 + q, part = s - c1, sl = (c1 - (s - part)) + (q - part) + (ql + -0x1.cbc0d30ebfd15p-54);
    const double w = x * s, l = fma(x, s, -w) + x * sl, raw = exp(-w);
    return a / (1 + (raw - raw == 0 ? raw - raw * l : raw));
}
__device__ inline float frit_gelu_tanh(float a) {
    const float x = frit_minimum(fabsf(a), 12.0f), square = x * x;
    const float c1 = 0x1.98848p+0f, c3 = 0x1.2444f2p-4f, s = fmaf(c3, square, c1);
    const float sl = fmaf(c3, square, c1 - s) + fmaf(0x1.49b16ap-29f, square, fmaf(c3, fmaf(x, x, -square), -0x1.6615e4p-19f));
    const float w = x * s;
    float scale;
    const float e = 1 + frit_exp_rest(-w, -fmaf(x, sl, fmaf(x, s, -w)), &scale), by = 0x1p-80f * e;
    const float d = fmaf(by, scale, 1.0f), near = __fdividef(1.0f, d), t = fmaf(near, fmaf(-d, near, 1.0f), near);
    return a < 0 ? -x * t * scale * (by + (a - a)) : a * t;
}
)"},
    // Functions of 16-bit operands: relative errors of 2^-16 at most are 0.53 units in the last place of float16 (checked at
    // every one of them). 2^x and 1/x of the hardware are 2 ulp off; what is subnormal there is 0.
    {"frit_fast_exp2", R"(
__device__ inline float frit_fast_exp2(float a) {
    float r;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a));
    return r;
}
)"},
    {"frit_fast_inverse", R"(
__device__ inline float frit_fast_inverse(float a) {
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a));
    return r;
}
)"},
    // 1 - 2 / (1 + exp(2a)) cancels near 0, where two terms of the series are enough.
    {"frit_short_tanh", R"(
__device__ inline float frit_short_tanh(float a) {
    const float far = fmaf(-2.0f, frit_fast_inverse(1 + frit_fast_exp2(0x1.715476p+1f * a)), 1.0f);
    return fabsf(a) < 0.0625f ? a * fmaf(-0x1.555556p-2f * a, a, 1.0f) : far;
}
)"},
    {"frit_short_sigmoid", R"(
__device__ inline float frit_short_sigmoid(float a) { return frit_fast_inverse(1 + frit_fast_exp2(-0x1.715476p+0f * a)); }
)"},
    {"frit_short_silu", "__device__ inline float frit_short_silu(float a) { return a * frit_short_sigmoid(a); }\n"},
    // As frit_normcdf, by a fit of degree 5 for |a| <= 13.3; what is left of it is subnormal.
    {"frit_short_gelu", R"(
__device__ inline float frit_short_gelu(float a) {
    const float t = frit_fast_inverse(fmaf(0x1.47ae14p-2f, fabsf(a), 1.0f)), s = t - 0.5f;
    const float c[] = {-0x1.0cde62p-4f, -0x1.cb926ap-6f, 0x1.4b6570p-3f, 0x1.4b3442p-2f, 0x1.581414p-2f, 0x1.e0ad22p-3f};
    float p = c[0];
#pragma unroll
    for (int k = 1; k < 6; ++k) p = fmaf(p, s, c[k]);
    const float tail = t * p * frit_fast_exp2(-0x1.715476p-1f * a * a);
    return a * (a > 0 ? 1 - tail : tail);
}
)"},
    {"frit_short_gelu_tanh", R"(
__device__ inline float frit_short_gelu_tanh(float a) {
    return a * frit_fast_inverse(1 + frit_fast_exp2(a * fmaf(-0x1.a5a7d0p-4f, a * a, -0x1.26aec2p+1f)));
}
)"},
    {"frit_fast_log2", R"(
__device__ inline float frit_fast_log2(float a) {
    float r;
    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a));
    return r;
}
)"},
    {"frit_fast_inverse_sqrt", R"(
__device__ inline float frit_fast_inverse_sqrt(float a) {
    float r;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a));
    return r;
}
)"},
    // As src/cpu/isa/math.inc has it. In f32 the logarithm is to base 2 and the hardware's: an error of 2^-22 makes at most
    // half a unit in the result's last place, since w matters little where it is small. The tail begins at 2^-10, so that
    // few warps have a number in it; what is outside of [2^-10, 1/2] is found by one test of 1/2 - a.
    {"frit_normal_isf", R"(
__device__ inline double frit_normal_isf(double given) {
    const double a = frit_minimum(frit_maximum(given, 0x1p-66), 0.5);
    if (a < 0.02) {
        const double y = -2 * log(a), r = sqrt(y), rest = fma(-r, r, y) / (r + r);
        const double n[] = {
            0x1.059df6e1a1a7dp-9,  0x1.cac5856b5efb9p+2,  0x1.06acb14314a98p+10, 0x1.3d9484cfb7e8fp+15, 0x1.1b0944efcd94bp+19,
            0x1.bf884ec898cdbp+21, 0x1.7a861e730d523p+23, 0x1.594fe1a621ae0p+24, 0x1.b71ac9a607ddep+23, 0x1.c215a0c6c13a3p+20};
        const double d[] = {
            0x1p+0,                0x1.851282c08c4aep+7,  0x1.294963d4a9bddp+13, 0x1.4e54bb86f1b82p+17, 0x1.4d9e4a63bab26p+20,
            0x1.5d6fff2f33371p+22, 0x1.a490de3a09236p+23, 0x1.e240152bc3f45p+23, 0x1.842140507b618p+22, 0x1.f9b49f3bbeb0bp+18};
        double above = n[0], below = d[0];
#pragma unroll
        for (int k = 1; k < 10; ++k) above = fma(above, r, n[k]), below = fma(below, r, d[k]);
        return r - (above / below - 1.1 * rest);
    }
    const double w = -log(fma(-4 * a, a, 4 * a)), s = w - 1.25, v = 0.5 - a, lost = 0.5 - v - a;
    const double c[] = {
        -0x1.b58d8f6c18ec1p-47, 0x1.e099301ac749ap-46,  0x1.34189c26e1bb3p-41,  -0x1.69f1368abba81p-39,
        -0x1.3468f57455530p-36, 0x1.60a4ec69f73bap-33,  0x1.7fef3a575cf3ap-32,  -0x1.177625f28236ap-27,
        0x1.c8e3e4d7e7dc4p-28,  0x1.7a817e8fdbbecp-22,  -0x1.639fbf0bb2456p-20, -0x1.a741607295554p-17,
        0x1.b3beb09e32594p-14,  0x1.21b1a73bb6612p-12,  -0x1.b866bc3153245p-8,  0x1.fc09e0288e28ep-7,
        0x1.5f6b9f3883e10p-1};
    double p = c[0];
#pragma unroll
    for (int k = 1; k < 17; ++k) p = fma(p, s, c[k]);
    const double root = 0x1.40d931ff62706p+1, slope = fma(w, p, -0x1.a6a0d6f814637p-53);
    return fma(v, root, v * slope + lost * (root + slope));
}
__device__ inline float frit_normal_isf(float a) {
    const float v = 0.5f - a;
    if (__builtin_expect(__float_as_uint(v) > 0x3eff8000u, 0)) {  // not from 2^-10 to 1/2
        if (a > 0.5f) return 0;
        const float l = -frit_fast_log2(frit_maximum(a, 0x1p-66f)), by = 0x1.62e430p+0f, y = by * l;
        const float inverse = frit_fast_inverse_sqrt(y), r = y * inverse;
        const float rest = (fmaf(-r, r, y) + fmaf(by, l, -y)) * (0.5f * inverse);
        const float above = fmaf(fmaf(fmaf(0x1.fb94f4p-7f, r, 0x1.3d0a6ep+2f), r, 0x1.7a3cb4p+5f), r, 0x1.894acap+5f);
        const float below = fmaf(fmaf(r + 0x1.13a198p+4f, r, 0x1.5c409cp+5f), r, 0x1.22fa0ap+4f);
        return r - fmaf(above, frit_fast_inverse(below), -1.1f * rest);
    }
    const float four = 4 * a, w = frit_fast_log2(fmaf(-a, four, four)), lost = 0.5f - v - a;
    const float c[] = {0x1.59df50p-35f,  0x1.3ce706p-29f,  0x1.d06092p-25f, 0x1.42aa76p-21f, 0x1.19f926p-19f,
                       -0x1.2697bap-16f, -0x1.48c774p-14f, 0x1.20de7ep-9f,  0x1.012bf0p-6f,  -0x1.d1c87ap-2f};
    float p = c[0];
#pragma unroll
    for (int k = 1; k < 10; ++k) p = fmaf(p, w, c[k]);
    const float root = 0x1.40d932p+1f, slope = w * p;
    return fmaf(v, root, fmaf(v, slope, lost * (root + slope)));
}
)"},
    {"frit_frexp_mantissa", R"(
__device__ inline float frit_frexp_mantissa(float a) {
    int exponent;
    return frexpf(a, &exponent);
}
__device__ inline double frit_frexp_mantissa(double a) {
    int exponent;
    return frexp(a, &exponent);
}
)"},
    {"frit_frexp_exponent", R"(
__device__ inline float frit_frexp_exponent(float a) {
    int exponent;
    frexpf(a, &exponent);
    return a - a == 0 ? (float)exponent : 0;
}
__device__ inline double frit_frexp_exponent(double a) {
    int exponent;
    frexp(a, &exponent);
    return a - a == 0 ? (double)exponent : 0;
}
)"},
    {"frit_lgamma", R"(
__device__ inline float frit_lgamma(float a) { return (float)lgamma((double)a); }
__device__ inline double frit_lgamma(double a) { return lgamma(a); }
)"},
    // gamma(1 + y) for the fraction y, as 1 / (1 + y q(y)), q the Chebyshev fit on [0, 1]; then the recurrence, its product
    // in two doubles (h + l) and scaled against overflow.
    {"frit_tgamma", R"(
__device__ inline float frit_tgamma(float x) { return (float)tgamma((double)x); }
__device__ inline double frit_tgamma(double x) {
    const double whole = floor(x), y = x - whole, infinity = __longlong_as_double(0x7ff0000000000000ll);
    if (!(x < 171.7)) return x + infinity;
    if (x == 0) return 1 / x;
    if (x == whole && x < 0) return infinity - infinity;
    if (x < -190) return fmod(whole, 2.0) == 0 ? 0.0 : -0.0;
    const double c[] = {
        -0x1.806d235408d47p-31, 0x1.814188b5d98d3p-26, -0x1.fbf2ae16d02f6p-23, 0x1.3b29a4452ce4ap-20,
        -0x1.5a4639af3f264p-20, -0x1.5156697c5e353p-16, 0x1.0c8295828914ap-13, -0x1.c361edd4f8e68p-13,
        -0x1.31712eafac100p-10, 0x1.d919c69378debp-8, -0x1.3b4af29e2de31p-7, -0x1.59af103b9b684p-5, 0x1.5512320b41d5dp-3,
        -0x1.5815e8fa26c34p-5, -0x1.4fcf4026afa2fp-1, 0x1.2788cfc6fb619p-1};
    double q = c[0];
#pragma unroll
    for (int k = 1; k < 16; ++k) q = fma(q, y, c[k]);
    q = fma(q, y, 1.0);
    const double scale = x > -1 && x < 1 ? 1 : 0x1p-64;
    double h = scale, l = 0;
    const double first = x < 1 ? x : x - 1, by = x < 1 ? 1 : -1;
    for (double d = first; x < 1 ? d < 0 : d >= 1; d += by) {
        const double product = h * d;
        l = fma(l, d, fma(h, d, -product));
        h = product;
    }
    if (x >= 1) {
        const double r = h / q;
        return (r + (fma(-r, q, h) + l) / q) / scale;
    }
    const double product = h * y, m = product * q;
    l = fma(product, q, -m) + fma(l, y, fma(h, y, -product)) * q;
    const double r = 1 / m;
    return r - r == 0 ? fma(r, fma(-r, m, 1.0) - r * l, r) * scale : r;
}
)"},
};

}  // namespace

std::span<const cuda_prelude_entry> cuda_math_entries() { return entries; }

}  // namespace frit::v0::fusion
