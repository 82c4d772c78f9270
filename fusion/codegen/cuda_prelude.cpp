// The scalar functions that CUDA text may call: each is printed only where it is used. They fix what C++ leaves open:
// wrapping signed arithmetic, division by zero, wide shifts, saturating casts, NaN in maximum and minimum.
#include "fusion/codegen/cuda_prelude.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "fusion/codegen/cuda_c.hpp"

namespace frit::inline v0::fusion {
namespace {

constexpr cuda_prelude_entry entries[] = {
    {"f32", "typedef float f32;\n"},
    {"f64", "typedef double f64;\n"},
    // Signed overflow is undefined in C++ and NVRTC has no -fwrapv: + - * and negation go through the unsigned type.
    {"frit_integer", R"(
template <class Value, class Bits>
struct frit_integer {
    typedef Value value;
    typedef Bits bits;
    static constexpr bool is_signed = Value(-1) < Value(1);
    static __device__ bool negative(value x) { return is_signed && (bits)x >> (8 * sizeof(value) - 1); }
    static __device__ frit_integer highest() { return value(bits(~0ull) >> is_signed); }
    static __device__ frit_integer lowest() { return value(is_signed ? bits(1) << (8 * sizeof(value) - 1) : 0); }
    value v;
    frit_integer() = default;
    __device__ frit_integer(value x) : v(x) {}
    __device__ operator value() const { return v; }
    // 1u: types narrower than int would go through int, where a product may overflow
    friend __device__ frit_integer operator+(frit_integer a, frit_integer b) { return value(1u * (bits)a.v + (bits)b.v); }
    friend __device__ frit_integer operator-(frit_integer a, frit_integer b) { return value(1u * (bits)a.v - (bits)b.v); }
    friend __device__ frit_integer operator*(frit_integer a, frit_integer b) { return value(1u * (bits)a.v * (bits)b.v); }
    friend __device__ frit_integer operator-(frit_integer a) { return value(0u - (bits)a.v); }
};
)"},
    {"i8", "typedef frit_integer<signed char, unsigned char> i8;\n"},
    {"i16", "typedef frit_integer<short, unsigned short> i16;\n"},
    {"i32", "typedef frit_integer<int, unsigned> i32;\n"},
    {"i64", "typedef frit_integer<long long, unsigned long long> i64;\n"},
    {"u8", "typedef frit_integer<unsigned char, unsigned char> u8;\n"},
    {"u16", "typedef frit_integer<unsigned short, unsigned short> u16;\n"},
    {"u32", "typedef frit_integer<unsigned, unsigned> u32;\n"},
    {"u64", "typedef frit_integer<unsigned long long, unsigned long long> u64;\n"},
    // 16-bit floats, as they are stored. They widen exactly (but for the sign of a float16's NaN, which the instruction
    // drops) and are rounded once, whatever they are made of.
    {"f16", "struct f16 {\n    unsigned short bits;\n};\n"},
    {"bf16", "struct bf16 {\n    unsigned short bits;\n};\n"},
    {"frit_bits", R"(
template <class To, class From>
__device__ inline To frit_bits(From x) {
    union {
        From from;
        To to;
    } bits;
    bits.from = x;
    return bits.to;
}
)"},
    {"frit_widen", R"(
__device__ inline float frit_widen(f16 a) {
    float r;
    asm("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"(a.bits));
    return r;
}
__device__ inline float frit_widen(bf16 a) { return __uint_as_float((unsigned)a.bits << 16); }
)"},
    // A double becomes a bfloat16 by way of a float that is cut off, with a last bit of 1 where anything was. Of an integer
    // with more than 53 bits, the last ones are one bit that says whether there are any.
    {"frit_narrow", R"(
template <class To>
struct frit_narrowed;
template <>
struct frit_narrowed<f16> {
    static __device__ f16 of(float a) {
        f16 r;
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(r.bits) : "f"(a));
        return r;
    }
    static __device__ f16 of(double a) {
        f16 r;
        asm("cvt.rn.f16.f64 %0, %1;" : "=h"(r.bits) : "d"(a));
        return r;
    }
};
template <>
struct frit_narrowed<bf16> {
    static __device__ bf16 of(float a) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
        bf16 r;
        asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(r.bits) : "f"(a));
        return r;
#else
        const unsigned bits = __float_as_uint(a);
        return {(unsigned short)(a != a ? bits >> 16 | 0x40u : (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16)};
#endif
    }
    static __device__ bf16 of(double a) {
        const float near = (float)a;
        if ((double)near == a || a != a) return of(near);
        return of(__uint_as_float((__float_as_uint(near) - (fabs((double)near) > fabs(a))) | 1u));
    }
};
template <class To>
__device__ To frit_narrow(float a) {
    return frit_narrowed<To>::of(a);
}
template <class To>
__device__ To frit_narrow(double a) {
    return frit_narrowed<To>::of(a);
}
template <class To>
__device__ To frit_narrow(bool a) {
    return frit_narrowed<To>::of(a ? 1.0f : 0.0f);
}
template <class To, class Value, class Bits>
__device__ To frit_narrow(frit_integer<Value, Bits> a) {
    if constexpr (sizeof(Value) <= 4) {
        return frit_narrowed<To>::of((double)a.v);
    } else {
        constexpr Value most = (Value)1 << 53;
        const bool exact = a.v < most && (!frit_integer<Value, Bits>::is_signed || a.v > Value(0) - most);
        const Value cut = (Value)(((Bits)a.v & ~(Bits)0xfff) | ((Bits)a.v & 0xfff ? 0x800 : 0));
        return frit_narrowed<To>::of((double)(exact ? a.v : cut));
    }
}
)"},
    // Bits as integers in the order of the values, both zeros 0; a step from a towards b; and back, a zero with a's sign.
    {"frit_short_nextafter", R"(
__device__ inline int frit_ordered(unsigned short bits) { return bits >> 15 ? 0x8000 - (int)bits : (int)bits; }
__device__ inline unsigned short frit_next_bits(unsigned short a, unsigned short b, int infinity) {
    const int from = frit_ordered(a), to = frit_ordered(b);
    if (from > infinity || from < -infinity) return a;
    if (to > infinity || to < -infinity || from == to) return b;
    const int next = from < to ? from + 1 : from - 1;
    return (unsigned short)(next < 0 ? 0x8000 - next : next > 0 ? next : a & 0x8000);
}
__device__ inline f16 frit_short_nextafter(f16 a, f16 b) { return {frit_next_bits(a.bits, b.bits, 0x7c00)}; }
__device__ inline bf16 frit_short_nextafter(bf16 a, bf16 b) { return {frit_next_bits(a.bits, b.bits, 0x7f80)}; }
)"},
    // Complex numbers, as they are stored, are made and taken apart.
    {"c64", "struct alignas(8) c64 {\n    float re, im;\n};\n"},
    {"c128", "struct alignas(16) c128 {\n    double re, im;\n};\n"},
    {"frit_complex", R"(
__device__ inline c64 frit_complex(float re, float im) { return {re, im}; }
__device__ inline c128 frit_complex(double re, double im) { return {re, im}; }
)"},
    {"frit_real", R"(
template <class T>
__device__ T frit_real(T a) {
    return a;
}
__device__ inline float frit_real(c64 a) { return a.re; }
__device__ inline double frit_real(c128 a) { return a.re; }
)"},
    {"frit_imag", R"(
template <class T>
__device__ T frit_imag(T) {
    return T(0);
}
__device__ inline float frit_imag(c64 a) { return a.im; }
__device__ inline double frit_imag(c128 a) { return a.im; }
)"},
    {"frit_div", R"(
__device__ inline float frit_div(float a, float b) { return a / b; }
__device__ inline double frit_div(double a, double b) { return a / b; }
template <class T>
__device__ T frit_div(T a, T b) {
    return b.v == 0 ? T(0) : T::is_signed && b == -T(1) ? -a : T(a.v / b.v);
}
)"},
    {"frit_fmod", R"(
__device__ inline float frit_fmod(float a, float b) { return fmodf(a, b); }
__device__ inline double frit_fmod(double a, double b) { return fmod(a, b); }
template <class T>
__device__ T frit_fmod(T a, T b) {
    return b.v == 0 || (T::is_signed && b == -T(1)) ? T(0) : T(a.v % b.v);
}
)"},
    // NumPy's // and %: rounded to minus infinity, and the rest has the divisor's sign. For floats its divmod, step by step:
    // the quotient of what fmod leaves is whole up to rounding, and is made whole.
    {"frit_remainder", R"(
template <class T>
__device__ T frit_float_remainder(T a, T b) {
    const T r = frit_fmod(a, b);
    if (b == 0) return r;
    return r == 0 ? (T)copysign(T(0), b) : (b < 0) != (r < 0) ? r + b : r;
}
__device__ inline float frit_remainder(float a, float b) { return frit_float_remainder(a, b); }
__device__ inline double frit_remainder(double a, double b) { return frit_float_remainder(a, b); }
template <class T>
__device__ T frit_remainder(T a, T b) {
    const T r = frit_fmod(a, b);
    return r.v != 0 && T::negative(r.v ^ b.v) ? r + b : r;
}
)"},
    {"frit_floor_divide", R"(
template <class T>
__device__ T frit_float_floor_divide(T a, T b) {
    if (b == 0) return a / b;
    const T r = frit_fmod(a, b);
    T whole = (a - r) / b;
    if (r != 0 && (b < 0) != (r < 0)) whole -= 1;
    if (whole == 0) return copysign(T(0), a / b);
    const T low = floor(whole);
    return whole - low > T(0.5) ? low + 1 : low;
}
__device__ inline float frit_floor_divide(float a, float b) { return frit_float_floor_divide(a, b); }
__device__ inline double frit_floor_divide(double a, double b) { return frit_float_floor_divide(a, b); }
template <class T>
__device__ T frit_floor_divide(T a, T b) {
    const T q = frit_div(a, b);
    return T::negative(a.v ^ b.v) && b.v != 0 && frit_fmod(a, b).v != 0 ? q - T(1) : q;
}
)"},
    {"frit_ieee_remainder", R"(
__device__ inline float frit_ieee_remainder(float a, float b) { return remainderf(a, b); }
__device__ inline double frit_ieee_remainder(double a, double b) { return remainder(a, b); }
)"},
    // Squares are exact products, as on the CPU. Integers by squaring; what is left of a fraction is 0, but for the bases 1
    // and -1.
    {"frit_pow", R"(
__device__ inline float frit_pow(float a, float b) { return b == 2 ? a * a : powf(a, b); }
__device__ inline double frit_pow(double a, double b) { return b == 2 ? a * a : pow(a, b); }
template <class T>
__device__ T frit_pow(T a, T b) {
    if (T::negative(b.v)) return a == T(1) ? a : a == -T(1) ? ((b.v & 1) != 0 ? a : T(1)) : T(0);
    T power = T(1);
    for (typename T::bits n = b.v; n != 0; n >>= 1) {
        if ((n & 1) != 0) power = power * a;
        a = a * a;
    }
    return power;
}
)"},
    {"frit_abs", R"(
__device__ inline float frit_abs(float a) { return fabsf(a); }
__device__ inline double frit_abs(double a) { return fabs(a); }
template <class T>
__device__ T frit_abs(T a) {
    return T::negative(a.v) ? -a : a;
}
)"},
    {"frit_sign", R"(
__device__ inline float frit_sign(float a) { return a > 0 ? 1 : a < 0 ? -1 : a == 0 ? 0 : a; }
__device__ inline double frit_sign(double a) { return a > 0 ? 1 : a < 0 ? -1 : a == 0 ? 0 : a; }
template <class T>
__device__ T frit_sign(T a) {
    return T::negative(a.v) ? -T(1) : T(a.v != 0);
}
)"},
    {"frit_popcount", R"(
template <class T>
__device__ T frit_popcount(T a) {
    return T(sizeof(T) == 8 ? __popcll((typename T::bits)a.v) : __popc((typename T::bits)a.v));
}
)"},
    {"frit_mul_high", "__device__ inline u64 frit_mul_high(u64 a, u64 b) { return __umul64hi(a.v, b.v); }\n"},
    // See host_prelude.hpp. A thread keeps its last block: its next elements are mostly of the same one. Of element first +
    // k, where first is a multiple of the elements of a block, compilers see which are.
    {"frit_philox_block", R"(
struct frit_philox_block {
    unsigned x[4];
    unsigned long long number = ~0ull;  // of which there is no block: a quarter or half of an element's number
    __device__ void find(unsigned long long wanted, unsigned long long stream, unsigned long long key) {
        const bool kept = number == wanted;
        number = wanted;
        if (kept) return;
        unsigned x0 = (unsigned)wanted, x1 = (unsigned)(wanted >> 32), x2 = (unsigned)stream, x3 = (unsigned)(stream >> 32);
        unsigned k0 = (unsigned)key, k1 = (unsigned)(key >> 32);
#pragma unroll
        for (int round = 0; round < 10; ++round) {
            const unsigned long long p = 0xD2511F53ull * x0, q = 0xCD9E8D57ull * x2;
            x0 = __umulhi(0xCD9E8D57u, x2) ^ x1 ^ k0;  // q's upper half: two of q >> 32 cost an addition of 0 each
            x2 = (unsigned)(p >> 32) ^ x3 ^ k1;
            x1 = (unsigned)q;
            x3 = (unsigned)p;
            k0 += 0x9E3779B9u;
            k1 += 0xBB67AE85u;
        }
        x[0] = x0, x[1] = x1, x[2] = x2, x[3] = x3;
    }
    __device__ u64 word(unsigned at) const {
        at &= 3;
        return (unsigned long long)(at < 2 ? at == 0 ? x[0] : x[1] : at == 2 ? x[2] : x[3]);
    }
    __device__ u64 two_words(unsigned at) const {
        const bool lower = (at & 1) == 0;
        return (unsigned long long)(lower ? x[1] : x[3]) << 32 | (lower ? x[0] : x[2]);
    }
};
)"},
    {"frit_philox32", R"(
__device__ inline u64 frit_philox32(frit_philox_block& block, u64 a, u64 b, u64 c) {
    block.find(a.v >> 2, b.v, c.v);
    return block.word((unsigned)a.v);
}
__device__ inline u64 frit_philox32(frit_philox_block& block, unsigned long long first, unsigned k, u64 b, u64 c) {
    block.find((first >> 2) + (k >> 2), b.v, c.v);
    return block.word(k);
}
__device__ inline u64 frit_philox32(u64 a, u64 b, u64 c) {
    frit_philox_block block;
    return frit_philox32(block, a, b, c);
}
)"},
    {"frit_philox64", R"(
__device__ inline u64 frit_philox64(frit_philox_block& block, u64 a, u64 b, u64 c) {
    block.find(a.v >> 1, b.v, c.v);
    return block.two_words((unsigned)a.v);
}
__device__ inline u64 frit_philox64(frit_philox_block& block, unsigned long long first, unsigned k, u64 b, u64 c) {
    block.find((first >> 1) + (k >> 1), b.v, c.v);
    return block.two_words(k);
}
__device__ inline u64 frit_philox64(u64 a, u64 b, u64 c) {
    frit_philox_block block;
    return frit_philox64(block, a, b, c);
}
)"},
    // The amount taken as unsigned is at least the width exactly where it is out of range.
    {"frit_shl", R"(
template <class T>
__device__ T frit_shl(T a, T b) {
    typedef typename T::bits bits;
    return (bits)b.v >= 8 * sizeof(T) ? T(0) : T((bits)a.v << b.v);
}
)"},
    {"frit_shr", R"(
template <class T>
__device__ T frit_shr(T a, T b) {
    typedef typename T::bits bits;
    if ((bits)b.v >= 8 * sizeof(T)) return T::negative(a.v) ? -T(1) : T(0);
    return T(a.v >> b.v);
}
)"},
    {"frit_maximum", R"(
__device__ inline float frit_maximum(float a, float b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    float r;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
    return r;
#else
    return a != a || b != b ? a + b : fmaxf(a, b);
#endif
}
__device__ inline double frit_maximum(double a, double b) { return a != a || b != b ? a + b : fmax(a, b); }
template <class T>
__device__ T frit_maximum(T a, T b) {
    return a > b ? a : b;
}
)"},
    {"frit_minimum", R"(
__device__ inline float frit_minimum(float a, float b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    float r;
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
    return r;
#else
    return a != a || b != b ? a + b : fminf(a, b);
#endif
}
__device__ inline double frit_minimum(double a, double b) { return a != a || b != b ? a + b : fmin(a, b); }
template <class T>
__device__ T frit_minimum(T a, T b) {
    return b < a ? b : a;
}
)"},
    {"frit_fmax", R"(
__device__ inline float frit_fmax(float a, float b) { return fmaxf(a, b); }
__device__ inline double frit_fmax(double a, double b) { return fmax(a, b); }
template <class T>
__device__ T frit_fmax(T a, T b) {
    return a > b ? a : b;
}
)"},
    {"frit_fmin", R"(
__device__ inline float frit_fmin(float a, float b) { return fminf(a, b); }
__device__ inline double frit_fmin(double a, double b) { return fmin(a, b); }
template <class T>
__device__ T frit_fmin(T a, T b) {
    return b < a ? b : a;
}
)"},
    {"frit_logical_not", R"(
template <class T>
__device__ bool frit_logical_not(T a) {
    return a == T(0);
}
)"},
    {"frit_logical_and", R"(
template <class T>
__device__ bool frit_logical_and(T a, T b) {
    return a != T(0) && b != T(0);
}
)"},
    {"frit_logical_or", R"(
template <class T>
__device__ bool frit_logical_or(T a, T b) {
    return a != T(0) || b != T(0);
}
)"},
    {"frit_logical_xor", R"(
template <class T>
__device__ bool frit_logical_xor(T a, T b) {
    return (a != T(0)) != (b != T(0));
}
)"},
    {"frit_where", R"(
template <class T>
__device__ T frit_where(bool a, T b, T c) {
    return a ? b : c;
}
)"},
    // CUDA's names for these are macros of headers that generated text does not have.
    {"frit_isnan", "template <class T>\n__device__ bool frit_isnan(T a) {\n    return a != a;\n}\n"},
    // Compared, not found by arithmetic: NVVM folds a - a != a - a to false where it knows that a is infinite.
    {"frit_isinf", R"(
__device__ inline bool frit_isinf(float a) { return fabsf(a) == __uint_as_float(0x7f800000u); }
__device__ inline bool frit_isinf(double a) { return fabs(a) == __longlong_as_double(0x7ff0000000000000ll); }
)"},
    // Annex G: where both parts come out as NaN though a factor is infinite, or a product of parts, the product is infinite.
    // An infinite factor is its direction then, a NaN beside something finite a zero.
    {"frit_complex_product", R"(
template <class C>
__device__ C frit_plain_product(C z, C w) {
    return {z.re * w.re - z.im * w.im, z.re * w.im + z.im * w.re};
}
template <class T>
__device__ T frit_recovered(T a, T size) {
    const bool infinite = frit_isinf(size);
    if (!(fabs(a) >= (infinite ? size : T(0)))) return T(0);
    return infinite ? copysign(T(1), a) : a;
}
template <class C>
__device__ C frit_complex_product(C z, C w) {
    const C plain = frit_plain_product(z, w);
    if (plain.re == plain.re || plain.im == plain.im) return plain;
    typedef decltype(z.re) T;
    const T of_z = fmax(fabs(z.re), fabs(z.im)), of_w = fmax(fabs(w.re), fabs(w.im)), size = of_z * of_w;
    if (!frit_isinf(size)) return plain;
    const C r = frit_plain_product(C{frit_recovered(z.re, of_z), frit_recovered(z.im, of_z)},
                                   C{frit_recovered(w.re, of_w), frit_recovered(w.im, of_w)});
    return {size * r.re, size * r.im};
}
)"},
    {"frit_isfinite", "template <class T>\n__device__ bool frit_isfinite(T a) {\n    return a - a == 0;\n}\n"},
    {"frit_signbit", R"(
__device__ inline bool frit_signbit(float a) { return __float_as_int(a) < 0; }
__device__ inline bool frit_signbit(double a) { return __double_as_longlong(a) < 0; }
)"},
    // The hardware's conversions saturate, but do not give 0 for NaN in every width; to the narrow types there are none.
    {"frit_to", R"(
__device__ inline int frit_toward_zero(float a, int) { return __float2int_rz(a); }
__device__ inline int frit_toward_zero(double a, int) { return __double2int_rz(a); }
__device__ inline unsigned frit_toward_zero(float a, unsigned) { return __float2uint_rz(a); }
__device__ inline unsigned frit_toward_zero(double a, unsigned) { return __double2uint_rz(a); }
__device__ inline long long frit_toward_zero(float a, long long) { return __float2ll_rz(a); }
__device__ inline long long frit_toward_zero(double a, long long) { return __double2ll_rz(a); }
__device__ inline unsigned long long frit_toward_zero(float a, unsigned long long) { return __float2ull_rz(a); }
__device__ inline unsigned long long frit_toward_zero(double a, unsigned long long) { return __double2ull_rz(a); }
template <class To, class From>
__device__ To frit_to(From a) {
    typedef typename To::value value;
    if (a != a) return value(0);
    if constexpr (sizeof(To) < sizeof(int)) {
        constexpr int high = (1 << (8 * sizeof(To) - To::is_signed)) - 1, low = To::is_signed ? -high - 1 : 0;
        return value(a <= low ? low : a >= high ? high : int(a));
    } else {
        return frit_toward_zero(a, value());
    }
}
)"},
    {"frit_min", "template <class T>\n__device__ T frit_min(T a, T b) {\n    return b < a ? b : a;\n}\n"},
    {"frit_clamp", R"(
template <class T>
__device__ T frit_clamp(T x, T lo, T hi) {
    return x < lo ? lo : x > hi ? hi : x;
}
)"},
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

bool mentions(std::string_view text, std::string_view word) {
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) return true;
    }
    return false;
}

}  // namespace

bool in_cuda_prelude(std::string_view function) {
    const auto named = [function](const cuda_prelude_entry& e) {
        return e.name.starts_with("frit_") && e.name.substr(5) == function;
    };
    const std::span<const cuda_prelude_entry> math = cuda_math_entries();
    return std::any_of(std::begin(entries), std::end(entries), named) || std::any_of(math.begin(), math.end(), named);
}

std::string cuda_prelude_for(std::string_view kernel_texts) {
    std::vector<cuda_prelude_entry> all(std::begin(entries), std::end(entries));
    for (const auto more : {cuda_memory_entries(), cuda_group_entries(), cuda_math_entries()})
        all.insert(all.end(), more.begin(), more.end());
    const std::size_t count = all.size();
    std::vector<bool> used(count);
    for (std::size_t k = count; k-- > 0;) {  // backwards: an entry is used by the text or by an entry below it
        used[k] = mentions(kernel_texts, all[k].name);
        for (std::size_t below = k + 1; below < count && !used[k]; ++below)
            used[k] = used[below] && mentions(all[below].text, all[k].name);
    }
    std::string out;
    for (std::size_t k = 0; k < count; ++k)
        if (used[k]) out += all[k].text;
    return out;
}

}  // namespace frit::v0::fusion
