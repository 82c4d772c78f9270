// The prelude of accesses to memory: several neighbours at once, 16-bit ones two a register, and what becomes of the lines
// that they touch.
#include "fusion/codegen/cuda_prelude.hpp"

namespace frit::inline v0::fusion {
namespace {

constexpr cuda_prelude_entry entries[] = {
    // Null: an element that does not exist. Of several faults one is told: all of them are true.
    {"frit_index", R"(
__device__ inline i64 frit_index(i64 i, i64 n, u64* fault) {
    if ((unsigned long long)i.v < (unsigned long long)n.v) return i;  // as nearly all are: the others cost these nothing
    if (i.v < 0 && i.v >= -n.v) return i64(i.v + n.v);
    unsigned long long* const record = (unsigned long long*)fault;
    if (record && atomicExch(record, 1ull) == 0) {
        record[1] = (unsigned long long)i.v;
        record[2] = (unsigned long long)n.v;
    }
    return i64(0ll);
}
)"},
    {"frit_add_at", R"(
__device__ inline void frit_add_at(unsigned* at, unsigned by) { atomicAdd(at, by); }
template <class Value, class Bits>
__device__ void frit_add_at(frit_integer<Value, Bits>* at, frit_integer<Value, Bits> by) {
    atomicAdd((Bits*)at, (Bits)by.v);
}
)"},
    // How many of the first n elements are in front of v: less, or not greater; NaN is last. All threads take as many steps.
    {"frit_search", R"(
template <bool Through, class T>
__device__ inline i64 frit_search(const T* p, T v, i64 n) {
    const auto in_front = [v](T element) {
        return Through ? element <= v || v != v : element < v || (v != v && element == element);
    };
    long long at = 0;
    for (long long left = n.v; left > 1;) {
        const long long half = left / 2;
        if (in_front(p[at + half - 1])) at += half;
        left -= half;
    }
    return i64(n.v > 0 && in_front(p[at]) ? at + 1 : at);
}
)"},
    {"frit_pack", R"(
template <class T, int N>
struct alignas(sizeof(T) * N) frit_pack {
    T at[N];
};
)"},
    {"frit_load", R"(
template <int Lanes, int Aligned, class To, class T>
__device__ void frit_load(To to, const T* from) {
#pragma unroll
    for (int k = 0; k < Lanes; k += Aligned) {
        const frit_pack<T, Aligned> part = *(const frit_pack<T, Aligned>*)(from + k);
#pragma unroll
        for (int j = 0; j < Aligned; ++j) to[k + j] = part.at[j];
    }
}
)"},
    // What is read once leaves the caches first: for kernels whose blocks wait, so that others read meanwhile. Running sums
    // on an H200: 0.71 of a copy's bandwidth with it and 0.68 with plain loads.
    {"frit_load_streamed", R"(
template <class Words, int Lanes, int Aligned, class To, class T>
__device__ void frit_load_words(To to, const T* from) {
#pragma unroll
    for (int k = 0; k < Lanes; k += Aligned) {
        union alignas(16) {
            Words words;
            T at[Aligned];
        } part = {__ldcs((const Words*)(from + k))};
#pragma unroll
        for (int j = 0; j < Aligned; ++j) to[k + j] = part.at[j];
    }
}
template <int Lanes, int Aligned, class To, class T>
__device__ void frit_load_streamed(To to, const T* from) {
    if constexpr (Aligned * sizeof(T) == 16)
        frit_load_words<uint4, Lanes, Aligned>(to, from);
    else if constexpr (Aligned * sizeof(T) == 8)
        frit_load_words<uint2, Lanes, Aligned>(to, from);
    else if constexpr (Aligned * sizeof(T) == 4)
        frit_load_words<unsigned, Lanes, Aligned>(to, from);
    else
        frit_load<Lanes, Aligned>(to, from);
}
)"},
    // Neighbours that exist, whole vectors of 16 bytes, into the L2. Older GPUs have no instruction for more than one line.
    {"frit_prefetch", R"(
template <int N, class T>
__device__ void frit_prefetch(const T* from) {
#if __CUDA_ARCH__ >= 900
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from), "r"((int)(N * sizeof(T))) : "memory");
#endif
}
)"},
    // N 16-bit elements in registers, two a word: an array of elements would be taken apart where the branches that read
    // them meet, one instruction an element.
    {"frit_shorts", R"(
template <class T, int N>
struct frit_shorts {
    struct lane {
        unsigned& word;
        int shift;
        __device__ operator T() const { return {(unsigned short)(word >> shift)}; }
        __device__ void operator=(T v) { word = (word & ~(0xffffu << shift)) | (unsigned)v.bits << shift; }
    };
    struct part {
        unsigned* words;
        int first;
        __device__ lane operator[](int k) const { return {words[(first + k) / 2], (first + k) % 2 * 16}; }
    };
    unsigned words[(N + 1) / 2];
    __device__ part operator+(int first) { return {words, first}; }
    __device__ lane operator[](int k) { return (*this + 0)[k]; }
};
)"},
    {"frit_leaves_last", R"(
__device__ inline unsigned long long frit_leaves_last() {
    unsigned long long policy;
    asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
    return policy;
}
)"},
    // What is read once takes no place in the nearest cache. The reading stays where it is written, before any store. In a
    // kernel that writes as much as it reads (Writes), what was read leaves the L2 after what was written: the memory then
    // gets its writes early and in long runs, whatever ran before. Measured on an H200, of a copy's bandwidth: softmax of
    // 4,096 columns 0.92 to 0.97 without and 0.99 with it, layer norm 0.94 to 0.99 and 1.01; but sums of rows 1.10 and 1.00.
    {"frit_once", R"(
template <int Bytes, bool Writes>
struct frit_once_words;
template <bool Writes>
struct frit_once_words<4, Writes> {
    unsigned w[1];
    __device__ void from(const void* p) {
        if constexpr (Writes)
            asm volatile("ld.global.L1::no_allocate.L2::cache_hint.u32 %0, [%1], %2;"
                         : "=r"(w[0]) : "l"(p), "l"(frit_leaves_last()));
        else
            asm volatile("ld.global.L1::no_allocate.u32 %0, [%1];" : "=r"(w[0]) : "l"(p));
    }
};
template <bool Writes>
struct frit_once_words<8, Writes> {
    unsigned w[2];
    __device__ void from(const void* p) {
        if constexpr (Writes)
            asm volatile("ld.global.L1::no_allocate.L2::cache_hint.v2.u32 {%0, %1}, [%2], %3;"
                         : "=r"(w[0]), "=r"(w[1]) : "l"(p), "l"(frit_leaves_last()));
        else
            asm volatile("ld.global.L1::no_allocate.v2.u32 {%0, %1}, [%2];" : "=r"(w[0]), "=r"(w[1]) : "l"(p));
    }
};
template <bool Writes>
struct frit_once_words<16, Writes> {
    unsigned w[4];
    __device__ void from(const void* p) {
        if constexpr (Writes)
            asm volatile("ld.global.L1::no_allocate.L2::cache_hint.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
                         : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3]) : "l"(p), "l"(frit_leaves_last()));
        else
            asm volatile("ld.global.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
                         : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3]) : "l"(p));
    }
};
template <int Lanes, int Aligned, bool Writes, class To, class T>
__device__ void frit_once(To to, const T* from) {
    if constexpr (Aligned * sizeof(T) < 4) {
        frit_load<Lanes, Aligned>(to, from);
    } else {
#pragma unroll
        for (int k = 0; k < Lanes; k += Aligned) {
            union alignas(16) {
                frit_once_words<Aligned * sizeof(T), Writes> words;
                T at[Aligned];
            } part;
            part.words.from(from + k);
#pragma unroll
            for (int j = 0; j < Aligned; ++j) to[k + j] = part.at[j];
        }
    }
}
)"},
    // One element, which neighbouring threads have as well, of a piece of a row whose next piece is read soon: 256 bytes
    // come into the L2 at a time. Measured on an H200, of a copy's bandwidth: recurrences of 65,536 rows along memory 0.89
    // with it and 0.84 without, of 100,000 rows of 1,000 elements 0.86 and 0.78; down the columns 0.91 and 0.90.
    {"frit_load_piece", R"(
template <class To, class T>
__device__ void frit_load_piece(To to, const T* from) {
#if __CUDA_ARCH__ >= 800
    if constexpr (sizeof(T) == 4) {
        union { unsigned word; T at; } part;
        asm volatile("ld.global.L1::no_allocate.L2::cache_hint.L2::256B.u32 %0, [%1], %2;"
                     : "=r"(part.word) : "l"(from), "l"(frit_leaves_last()));
        *to = part.at;
    } else if constexpr (sizeof(T) == 8) {
        union { unsigned word[2]; T at; } part;
        asm volatile("ld.global.L1::no_allocate.L2::cache_hint.L2::256B.v2.u32 {%0, %1}, [%2], %3;"
                     : "=r"(part.word[0]), "=r"(part.word[1]) : "l"(from), "l"(frit_leaves_last()));
        *to = part.at;
    } else
#endif
        *to = *from;
}
)"},
    // Lanes elements that are Step apart.
    {"frit_every", R"(
template <int Lanes, int Step, class T>
__device__ frit_pack<T, Lanes> frit_every(const T* from) {
    frit_pack<T, Lanes> part;
#pragma unroll
    for (int k = 0; k < Lanes; ++k) part.at[k] = from[k * Step];
    return part;
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
};

}  // namespace

std::span<const cuda_prelude_entry> cuda_memory_entries() { return entries; }

}  // namespace frit::v0::fusion
