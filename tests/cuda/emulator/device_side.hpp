// What CUDA has and C++ has not: stands before CUDA text that the host's compiler takes (see emulator.hpp), and is never
// part of the test program. The text is compiled with the hooks of two sanitizers but without their libraries: the hooks
// below tell the emulator of every access to memory, and of undefined behaviour.
#pragma once

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "tests/cuda/emulator/abi.hpp"

#define __device__
#define __host__
#define __global__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
// A variable of the host's thread: they all lie together, where the emulator finds them (and no two libraries share one).
#define __shared__ static thread_local
#define __launch_bounds__(...)
#define __grid_constant__
#define FRIT_EMULATED_EXPORT extern "C" __attribute__((visibility("default")))
#define FRIT_EMULATED_HOOK extern "C" __attribute__((no_sanitize("thread", "undefined")))

FRIT_EMULATED_EXPORT frit_test::emulated_place emulated_here;
frit_test::emulated_place emulated_here;
FRIT_EMULATED_EXPORT frit_test::emulated_calls emulated;
frit_test::emulated_calls emulated;
thread_local char emulated_first_shared;
FRIT_EMULATED_EXPORT char* emulated_shared() { return &emulated_first_shared; }

#define threadIdx (emulated_here.threadIdx)
#define blockIdx (emulated_here.blockIdx)
#define blockDim (emulated_here.blockDim)
#define gridDim (emulated_here.gridDim)
constexpr int warpSize = 32;

// --- the sanitizers' hooks ---

#define FRIT_EMULATED_ACCESS(bytes)                                                                                        \
    FRIT_EMULATED_HOOK void __tsan_read##bytes(void* p) { emulated.access(p, bytes, false, __builtin_return_address(0)); } \
    FRIT_EMULATED_HOOK void __tsan_write##bytes(void* p) { emulated.access(p, bytes, true, __builtin_return_address(0)); } \
    FRIT_EMULATED_HOOK void __tsan_unaligned_read##bytes(void* p) {                                                        \
        emulated.access(p, bytes, false, __builtin_return_address(0));                                                     \
    }                                                                                                                      \
    FRIT_EMULATED_HOOK void __tsan_unaligned_write##bytes(void* p) {                                                       \
        emulated.access(p, bytes, true, __builtin_return_address(0));                                                      \
    }
FRIT_EMULATED_ACCESS(1)
FRIT_EMULATED_ACCESS(2)
FRIT_EMULATED_ACCESS(4)
FRIT_EMULATED_ACCESS(8)
FRIT_EMULATED_ACCESS(16)
FRIT_EMULATED_HOOK void __tsan_read_range(void* p, unsigned long n) {
    emulated.access(p, n, false, __builtin_return_address(0));
}
FRIT_EMULATED_HOOK void __tsan_write_range(void* p, unsigned long n) {
    emulated.access(p, n, true, __builtin_return_address(0));
}
FRIT_EMULATED_HOOK void __tsan_init() {}
FRIT_EMULATED_HOOK void __tsan_func_entry(void*) {}
FRIT_EMULATED_HOOK void __tsan_func_exit() {}

struct emulated_source {  // where, as every description of undefined behaviour begins
    const char* file;
    unsigned line, column;
};
#define FRIT_EMULATED_UNDEFINED(name, what, ...) \
    FRIT_EMULATED_HOOK void __ubsan_handle_##name(emulated_source* at, __VA_ARGS__) { emulated.undefined(what, at->line); }
FRIT_EMULATED_UNDEFINED(type_mismatch_v1, "misaligned access", void*)
FRIT_EMULATED_UNDEFINED(out_of_bounds, "index beyond an array's end", void*)
FRIT_EMULATED_UNDEFINED(add_overflow, "signed overflow in +", void*, void*)
FRIT_EMULATED_UNDEFINED(sub_overflow, "signed overflow in -", void*, void*)
FRIT_EMULATED_UNDEFINED(mul_overflow, "signed overflow in *", void*, void*)
FRIT_EMULATED_UNDEFINED(negate_overflow, "signed overflow in negation", void*)
FRIT_EMULATED_UNDEFINED(divrem_overflow, "division by 0, or overflow in one", void*, void*)
FRIT_EMULATED_UNDEFINED(shift_out_of_bounds, "shift by the width or more", void*, void*)
FRIT_EMULATED_UNDEFINED(load_invalid_value, "a bool that is neither 0 nor 1", void*)

// --- the block ---

#define __syncthreads() ((void)emulated.block_barrier("__syncthreads", __LINE__, 0))
#define __syncthreads_count(p) ((int)emulated.block_barrier("__syncthreads_count", __LINE__, (p)))
#define __syncthreads_or(p) ((int)(emulated.block_barrier("__syncthreads_or", __LINE__, (p)) != 0))
#define __syncthreads_and(p) ((int)(emulated.block_barrier("__syncthreads_and", __LINE__, !(p)) == 0))
#define __threadfence() emulated.fence()
#define __threadfence_block() ((void)0)  // no thread of a block sees another's writes late

// --- the warp ---

inline unsigned emulated_lane() { return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32; }
template <class T>
T emulated_shuffle(const char* what, int line, unsigned mask, T value, unsigned from) {
    static_assert(std::is_arithmetic_v<T> && sizeof(T) <= 8);
    frit_test::emulated_exchange e{what, line, mask, sizeof(T), &value, {}};
    const unsigned came = emulated.warp_exchange(&e);
    if (!(came >> from & 1)) emulated.undefined("a value of a lane that does not take part", (unsigned)line);
    std::memcpy(&value, &e.all[from], sizeof value);
    return value;
}
template <class T>
T emulated_shuffle_down(int line, unsigned mask, T value, unsigned by, unsigned width = 32) {
    const unsigned lane = emulated_lane(), last = lane / width * width + width - 1;
    return emulated_shuffle("__shfl_down_sync", line, mask, value, by <= last - lane ? lane + by : lane);
}
template <class T>
T emulated_shuffle_up(int line, unsigned mask, T value, unsigned by, unsigned width = 32) {
    const unsigned lane = emulated_lane();
    return emulated_shuffle("__shfl_up_sync", line, mask, value, by <= lane % width ? lane - by : lane);
}
template <class T>
T emulated_shuffle_xor(int line, unsigned mask, T value, unsigned by, unsigned width = 32) {
    const unsigned lane = emulated_lane(), from = lane ^ by;
    return emulated_shuffle("__shfl_xor_sync", line, mask, value, from < lane / width * width + width ? from : lane);
}
template <class T>
T emulated_shuffle_from(int line, unsigned mask, T value, unsigned from, unsigned width = 32) {
    return emulated_shuffle("__shfl_sync", line, mask, value, emulated_lane() / width * width + from % width);
}
#define __shfl_down_sync(...) emulated_shuffle_down(__LINE__, __VA_ARGS__)
#define __shfl_up_sync(...) emulated_shuffle_up(__LINE__, __VA_ARGS__)
#define __shfl_xor_sync(...) emulated_shuffle_xor(__LINE__, __VA_ARGS__)
#define __shfl_sync(...) emulated_shuffle_from(__LINE__, __VA_ARGS__)

/// The lanes that came, and of them those whose predicate is not 0.
struct emulated_votes {
    unsigned came, set;
};
inline emulated_votes emulated_vote(const char* what, int line, unsigned mask, int predicate) {
    frit_test::emulated_exchange e{what, line, mask, sizeof predicate, &predicate, {}};
    emulated_votes v{emulated.warp_exchange(&e), 0};
    for (unsigned lane = 0; lane < 32; ++lane)
        if (v.came >> lane & 1 && e.all[lane] != 0) v.set |= 1u << lane;
    return v;
}
#define __ballot_sync(mask, p) (emulated_vote("__ballot_sync", __LINE__, mask, p).set)
#define __any_sync(mask, p) ((int)(emulated_vote("__any_sync", __LINE__, mask, p).set != 0))
#define __all_sync(mask, p) ((int)(emulated_vote("__all_sync", __LINE__, mask, !(p)).set == 0))
struct emulated_meeting {
    int line;
    void operator()(unsigned mask = 0xffffffffu) const {
        frit_test::emulated_exchange e{"__syncwarp", line, mask, 0, nullptr, {}};
        emulated.warp_exchange(&e);
    }
};
#define __syncwarp \
    emulated_meeting { __LINE__ }

// --- memory ---

/// new = f(old), as one step. @return old
template <class T, class F>
__attribute__((no_sanitize("thread"), noinline)) T emulated_atomic(T* p, F f) {
    emulated.atomic(p, sizeof(T), __builtin_return_address(0));
    const T old = *p;
    *p = f(old);
    return old;
}
#define FRIT_EMULATED_ATOMIC(name, result)                              \
    template <class T>                                                  \
    T name(T* p, std::common_type_t<T> by) {                            \
        return emulated_atomic(p, [by](T old) -> T { return result; }); \
    }
FRIT_EMULATED_ATOMIC(atomicAdd, old + by)
FRIT_EMULATED_ATOMIC(atomicSub, old - by)
FRIT_EMULATED_ATOMIC(atomicMin, by < old ? by : old)
FRIT_EMULATED_ATOMIC(atomicMax, by > old ? by : old)
FRIT_EMULATED_ATOMIC(atomicAnd, old& by)
FRIT_EMULATED_ATOMIC(atomicOr, old | by)
FRIT_EMULATED_ATOMIC(atomicXor, old ^ by)
FRIT_EMULATED_ATOMIC(atomicExch, by)
FRIT_EMULATED_ATOMIC(atomicInc, old >= by ? 0 : old + 1)
template <class T>
T atomicCAS(T* p, std::common_type_t<T> expected, std::common_type_t<T> wanted) {
    return emulated_atomic(p, [=](T old) { return old == expected ? wanted : old; });
}
template <class T>
T emulated_load(const T* p) {
    return *p;
}
template <class T>
void emulated_store(T* p, std::common_type_t<T> value) {
    *p = value;
}
#define __ldg emulated_load
#define __ldca emulated_load
#define __ldcg emulated_load
#define __ldcs emulated_load
#define __stwb emulated_store
#define __stcg emulated_store
#define __stcs emulated_store
#define __stwt emulated_store

/// The PTX st.relaxed. and ld.relaxed., whole and in some order.
template <class T>
void emulated_relaxed_store(T* p, T value) {
    emulated_atomic(p, [value](T) { return value; });
}
template <class T>
void emulated_relaxed_load(const T* p, T& value) {
    value = emulated_atomic((T*)p, [](T old) { return old; });
}

/// The PTX atom.release.....add of 1.
inline void emulated_release_add(unsigned* p, unsigned& before) {
    __threadfence();
    before = atomicAdd(p, 1U);
}

/// The PTX st.global.....: the emulator writes it as a call, with the width of a value for `Bits`.
template <int Bits, class... Values>
void emulated_ptx_store(void* p, Values... values) {
    using word = std::conditional_t<
        Bits == 8, unsigned char,
        std::conditional_t<Bits == 16, unsigned short, std::conditional_t<Bits == 32, unsigned, unsigned long long>>>;
    struct alignas(sizeof...(values) * sizeof(word)) words {
        word at[sizeof...(values)];
    };
    if ((unsigned long)p % sizeof(words)) emulated.undefined("misaligned access", __LINE__);
    *(words*)p = words{{(word)values...}};
}

/// The PTX ld.global....., likewise.
template <int Bits, class... Values>
void emulated_ptx_load(const void* p, Values&... values) {
    static_assert(Bits == 32 && (std::is_same_v<Values, unsigned> && ...));
    struct alignas(sizeof...(values) * sizeof(unsigned)) words {
        unsigned at[sizeof...(values)];
    };
    if ((unsigned long)p % sizeof(words)) emulated.undefined("misaligned access", __LINE__);
    const words all = *(const words*)p;
    int k = 0;
    ((values = all.at[k++]), ...);
}

#define FRIT_EMULATED_VECTORS(name, T)                         \
    struct name##2 {                                           \
        alignas(2 * sizeof(T)) T x;                            \
        T y;                                                   \
    };                                                         \
    struct name##4 {                                           \
        alignas(4 * sizeof(T) < 16 ? 4 * sizeof(T) : 16) T x;  \
        T y, z, w;                                             \
    };                                                         \
    inline name##2 make_##name##2(T x, T y) { return {x, y}; } \
    inline name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
FRIT_EMULATED_VECTORS(char, signed char)
FRIT_EMULATED_VECTORS(uchar, unsigned char)
FRIT_EMULATED_VECTORS(short, short)
FRIT_EMULATED_VECTORS(ushort, unsigned short)
FRIT_EMULATED_VECTORS(int, int)
FRIT_EMULATED_VECTORS(uint, unsigned)
FRIT_EMULATED_VECTORS(longlong, long long)
FRIT_EMULATED_VECTORS(ulonglong, unsigned long long)
FRIT_EMULATED_VECTORS(float, float)
FRIT_EMULATED_VECTORS(double, double)

// --- numbers ---

template <class To, class From>
To emulated_bits(From from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}
inline float __uint_as_float(unsigned v) { return emulated_bits<float>(v); }
inline float __int_as_float(int v) { return emulated_bits<float>(v); }
inline double __longlong_as_double(long long v) { return emulated_bits<double>(v); }
inline int __float_as_int(float v) { return emulated_bits<int>(v); }
inline unsigned __float_as_uint(float v) { return emulated_bits<unsigned>(v); }
inline long long __double_as_longlong(double v) { return emulated_bits<long long>(v); }
/// Rounds to nearest even to binary16, by way of the integer that the value is in units of the last place.
inline unsigned short emulated_half(double v) {
    const unsigned short sign = std::signbit(v) ? 0x8000 : 0;
    if (v != v) return 0x7fff;
    const double size = std::fabs(v);
    if (size == 0) return sign;
    if (size >= 65520) return sign | 0x7c00;
    int exponent = 0;
    std::frexp(size, &exponent);
    const int unit = exponent < -13 ? -24 : exponent - 11;
    const unsigned count = (unsigned)std::nearbyint(std::ldexp(size, -unit));
    return sign | (unsigned short)(((unit + 24) << 10) + count);
}
// PTX cvt.to.from, which the emulator writes as calls.
inline void emulated_cvt_f16_f32(unsigned short& to, float from) { to = emulated_half(from); }
inline void emulated_cvt_f16_f64(unsigned short& to, double from) { to = emulated_half(from); }
inline void emulated_cvt_f32_f16(float& to, unsigned short from) {
    const int exponent = from >> 10 & 31, fraction = from & 1023;
    const float size = exponent == 31 ? (fraction ? NAN : INFINITY)
                       : exponent > 0 ? std::ldexp(float(fraction + 1024), exponent - 25)
                                      : std::ldexp(float(fraction), -24);
    to = from >> 15 ? -size : size;
}
__extension__ typedef unsigned __int128 emulated_wide;
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)((emulated_wide)a * b >> 64);
}
inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
inline int __popc(unsigned v) { return __builtin_popcount(v); }
inline int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
inline int __clz(int v) { return v ? __builtin_clz((unsigned)v) : 32; }
inline int __clzll(long long v) { return v ? __builtin_clzll((unsigned long long)v) : 64; }
inline int __ffs(int v) { return __builtin_ffs(v); }
inline int __ffsll(long long v) { return __builtin_ffsll(v); }
template <class To, class From>
To emulated_saturate(From v) {
    using limits = std::numeric_limits<To>;
    const From above = std::ldexp(From(1), limits::digits);
    return v >= above ? limits::max() : v <= -above || (v < 0 && !limits::is_signed) ? limits::min() : To(v);
}
inline int __float2int_rz(float v) { return emulated_saturate<int>(v); }
inline int __double2int_rz(double v) { return emulated_saturate<int>(v); }
inline unsigned __float2uint_rz(float v) { return emulated_saturate<unsigned>(v); }
inline unsigned __double2uint_rz(double v) { return emulated_saturate<unsigned>(v); }
inline long long __float2ll_rz(float v) { return emulated_saturate<long long>(v); }
inline long long __double2ll_rz(double v) { return emulated_saturate<long long>(v); }
inline unsigned long long __float2ull_rz(float v) { return emulated_saturate<unsigned long long>(v); }
inline unsigned long long __double2ull_rz(double v) { return emulated_saturate<unsigned long long>(v); }
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __fdividef(float a, float b) { return a / b; }
inline float emulated_without_subnormals(float a) { return fabsf(a) < 0x1p-126f ? copysignf(0.0f, a) : a; }
inline void emulated_ex2(float& to, float a) { to = emulated_without_subnormals(exp2f(emulated_without_subnormals(a))); }
inline void emulated_rcp(float& to, float a) { to = emulated_without_subnormals(1 / emulated_without_subnormals(a)); }
inline void emulated_lg2(float& to, float a) { to = log2f(emulated_without_subnormals(a)); }
inline void emulated_rsqrt(float& to, float a) { to = float(1 / std::sqrt(double(emulated_without_subnormals(a)))); }
inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dsub_rn(double a, double b) { return a - b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __ddiv_rn(double a, double b) { return a / b; }
inline double __fma_rn(double a, double b, double c) { return std::fma(a, b, c); }
inline float rsqrtf(float v) { return float(1 / std::sqrt(double(v))); }
inline double rsqrt(double v) { return double(1 / std::sqrt((long double)v)); }
