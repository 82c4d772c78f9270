// The scalar functions that CUDA text may call: each is printed only where it is used. They fix what C++ leaves open:
// wrapping signed arithmetic, division by zero, wide shifts, saturating casts, NaN in maximum and minimum.
#include "fusion/codegen/cuda_c.hpp"

#include <cctype>
#include <vector>

namespace frit::inline v0::fusion {
namespace {

struct entry {
    std::string_view name;  ///< printed where this word occurs
    std::string_view text;
};

// In order of printing: an entry may use those above it.
constexpr entry entries[] = {
    {"f32", "typedef float f32;\n"},
    {"f64", "typedef double f64;\n"},
    // Signed overflow is undefined in C++ and NVRTC has no -fwrapv: + - * and negation go through the unsigned type.
    {"i32", R"(
struct i32 {
    typedef unsigned bits;
    int v;
    i32() = default;
    __device__ i32(int x) : v(x) {}
    __device__ operator int() const { return v; }
};
__device__ inline i32 operator+(i32 a, i32 b) { return (int)((unsigned)a.v + (unsigned)b.v); }
__device__ inline i32 operator-(i32 a, i32 b) { return (int)((unsigned)a.v - (unsigned)b.v); }
__device__ inline i32 operator*(i32 a, i32 b) { return (int)((unsigned)a.v * (unsigned)b.v); }
__device__ inline i32 operator-(i32 a) { return (int)(0u - (unsigned)a.v); }
)"},
    {"i64", R"(
struct i64 {
    typedef unsigned long long bits;
    long long v;
    i64() = default;
    __device__ i64(long long x) : v(x) {}
    __device__ operator long long() const { return v; }
};
__device__ inline i64 operator+(i64 a, i64 b) { return (long long)((unsigned long long)a.v + (unsigned long long)b.v); }
__device__ inline i64 operator-(i64 a, i64 b) { return (long long)((unsigned long long)a.v - (unsigned long long)b.v); }
__device__ inline i64 operator*(i64 a, i64 b) { return (long long)((unsigned long long)a.v * (unsigned long long)b.v); }
__device__ inline i64 operator-(i64 a) { return (long long)(0ull - (unsigned long long)a.v); }
)"},
    {"frit_div", R"(
__device__ inline float frit_div(float a, float b) { return a / b; }
__device__ inline double frit_div(double a, double b) { return a / b; }
template <class T>
__device__ T frit_div(T a, T b) {
    return b.v == 0 ? T(0) : b.v == -1 ? -a : T(a.v / b.v);
}
)"},
    {"frit_fmod", R"(
__device__ inline float frit_fmod(float a, float b) { return fmodf(a, b); }
__device__ inline double frit_fmod(double a, double b) { return fmod(a, b); }
template <class T>
__device__ T frit_fmod(T a, T b) {
    return b.v == 0 || b.v == -1 ? T(0) : T(a.v % b.v);
}
)"},
    {"frit_abs", R"(
__device__ inline float frit_abs(float a) { return fabsf(a); }
__device__ inline double frit_abs(double a) { return fabs(a); }
template <class T>
__device__ T frit_abs(T a) {
    return a.v < 0 ? -a : a;
}
)"},
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
    return T(a.v >> ((bits)b.v >= 8 * sizeof(T) ? 8 * sizeof(T) - 1 : (bits)b.v));
}
)"},
    {"frit_maximum", R"(
__device__ inline float frit_maximum(float a, float b) { return a != a || b != b ? a + b : fmaxf(a, b); }
__device__ inline double frit_maximum(double a, double b) { return a != a || b != b ? a + b : fmax(a, b); }
template <class T>
__device__ T frit_maximum(T a, T b) {
    return a > b ? a : b;
}
)"},
    {"frit_minimum", R"(
__device__ inline float frit_minimum(float a, float b) { return a != a || b != b ? a + b : fminf(a, b); }
__device__ inline double frit_minimum(double a, double b) { return a != a || b != b ? a + b : fmin(a, b); }
template <class T>
__device__ T frit_minimum(T a, T b) {
    return b < a ? b : a;
}
)"},
    {"frit_logical_not", R"(
template <class T>
__device__ bool frit_logical_not(T a) {
    return a == T(0);
}
)"},
    {"frit_where", R"(
template <class T>
__device__ T frit_where(bool a, T b, T c) {
    return a ? b : c;
}
)"},
    // The hardware's conversions saturate; to 64 bits and from f64 they do not give 0 for NaN.
    {"frit_to_i32", R"(
__device__ inline i32 frit_to_i32(float a) { return a != a ? 0 : __float2int_rz(a); }
__device__ inline i32 frit_to_i32(double a) { return a != a ? 0 : __double2int_rz(a); }
)"},
    {"frit_to_i64", R"(
__device__ inline i64 frit_to_i64(float a) { return a != a ? 0ll : __float2ll_rz(a); }
__device__ inline i64 frit_to_i64(double a) { return a != a ? 0ll : __double2ll_rz(a); }
)"},
    {"frit_min", "template <class T>\n__device__ T frit_min(T a, T b) {\n    return b < a ? b : a;\n}\n"},
    {"frit_clamp", R"(
template <class T>
__device__ T frit_clamp(T x, T lo, T hi) {
    return x < lo ? lo : x > hi ? hi : x;
}
)"},
    {"frit_pack", R"(
template <class T, int N>
struct alignas(sizeof(T) * N) frit_pack {
    T at[N];
};
)"},
    {"frit_load", R"(
template <int Lanes, int Aligned, class T>
__device__ void frit_load(T* to, const T* from) {
#pragma unroll
    for (int k = 0; k < Lanes; k += Aligned) {
        const frit_pack<T, Aligned> part = *(const frit_pack<T, Aligned>*)(from + k);
#pragma unroll
        for (int j = 0; j < Aligned; ++j) to[k + j] = part.at[j];
    }
}
)"},
    // Streaming stores: results leave the caches first, inputs stay.
    {"frit_stream", R"(
template <int Bytes>
struct frit_stream_words;
template <>
struct frit_stream_words<1> {
    unsigned char w[1];
    __device__ void to(void* p) const { asm volatile("st.global.cs.u8 [%0], %1;" ::"l"(p), "r"((unsigned)w[0]) : "memory"); }
};
template <>
struct frit_stream_words<2> {
    unsigned short w[1];
    __device__ void to(void* p) const { asm volatile("st.global.cs.u16 [%0], %1;" ::"l"(p), "h"(w[0]) : "memory"); }
};
template <>
struct frit_stream_words<4> {
    unsigned w[1];
    __device__ void to(void* p) const { asm volatile("st.global.cs.u32 [%0], %1;" ::"l"(p), "r"(w[0]) : "memory"); }
};
template <>
struct frit_stream_words<8> {
    unsigned w[2];
    __device__ void to(void* p) const {
        asm volatile("st.global.cs.v2.u32 [%0], {%1, %2};" ::"l"(p), "r"(w[0]), "r"(w[1]) : "memory");
    }
};
template <>
struct frit_stream_words<16> {
    unsigned w[4];
    __device__ void to(void* p) const {
        asm volatile("st.global.cs.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(p), "r"(w[0]), "r"(w[1]), "r"(w[2]), "r"(w[3])
                     : "memory");
    }
};
template <int Lanes, int Aligned, class T>
__device__ void frit_stream(T* to, const T* from) {
#pragma unroll
    for (int k = 0; k < Lanes; k += Aligned) {
        union alignas(16) {
            T at[Aligned];
            frit_stream_words<Aligned * sizeof(T)> words;
        } part;
#pragma unroll
        for (int j = 0; j < Aligned; ++j) part.at[j] = from[k + j];
        part.words.to(to + k);
    }
}
)"},
    {"frit_down", R"(
__device__ inline int frit_down(int v, int by) { return __shfl_down_sync(0xffffffffu, v, by); }
__device__ inline long long frit_down(long long v, int by) { return __shfl_down_sync(0xffffffffu, v, by); }
__device__ inline float frit_down(float v, int by) { return __shfl_down_sync(0xffffffffu, v, by); }
__device__ inline double frit_down(double v, int by) { return __shfl_down_sync(0xffffffffu, v, by); }
__device__ inline bool frit_down(bool v, int by) { return __shfl_down_sync(0xffffffffu, (int)v, by) != 0; }
template <class T>
__device__ T frit_down(T v, int by) {
    return frit_down(v.v, by);
}
)"},
    // One value per thread of a block of Warps warps becomes one, by a fixed tree; thread 0 has it.
    {"frit_block_total", R"(
template <int Warps, class T, T (*Combine)(T, T)>
__device__ T frit_block_total(T v) {
    __shared__ T part[Warps];
#pragma unroll
    for (int by = 16; by > 0; by /= 2) v = Combine(v, frit_down(v, by));
    __syncthreads();
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
    __syncthreads();
    v = part[threadIdx.x % Warps];
#pragma unroll
    for (int by = Warps / 2; by > 0; by /= 2) v = Combine(v, frit_down(v, by));
    return v;
}
)"},
    // Every block but the last to come returns false; the last one sees what the others wrote before.
    {"frit_last_block", R"(
__device__ inline bool frit_last_block(unsigned* ticket) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(ticket, 1u) == gridDim.x - 1;
        if (last) *ticket = 0;
    }
    __syncthreads();
    if (last) __threadfence();
    return last;
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

std::string cuda_prelude_for(std::string_view kernel_texts) {
    constexpr std::size_t count = std::size(entries);
    std::vector<bool> used(count);
    for (std::size_t k = count; k-- > 0;) {  // backwards: an entry is used by the text or by an entry below it
        used[k] = mentions(kernel_texts, entries[k].name);
        for (std::size_t below = k + 1; below < count && !used[k]; ++below)
            used[k] = used[below] && mentions(entries[below].text, entries[k].name);
    }
    std::string out;
    for (std::size_t k = 0; k < count; ++k)
        if (used[k]) out += entries[k].text;
    return out;
}

}  // namespace frit::v0::fusion
