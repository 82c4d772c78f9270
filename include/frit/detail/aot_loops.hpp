// The loops that frit::aot makes of a formula: blocks of elements, evaluated from the leaves up. What IEEE 754 rounds in one
// instruction is written out, as far as it is connected, for the host compiler to make one vector loop of; every other op is
// a call of the loop that the library has for it, which the interpreter runs too. So the bits are those of the CPU's
// engines.
#pragma once

#include "frit/detail/aot_program.hpp"

namespace frit::inline v0::detail {

/// d[i] = f(a[i], b[i], c[i]) for i < n, by the process's table of loops. Bit k of `splats`: operand k is one value for all.
FRIT_API void run_block(op, dtype operand, int splats, void* d, const void* a, const void* b, const void* c,
                        std::int64_t n) noexcept;
/// A comparison, where one of the operands is of int64 and the other one of uint64.
FRIT_API void run_mixed_comparison(op, bool signed_first, int splats, void* d, const void* a, const void* b,
                                   std::int64_t n) noexcept;
/// totals[r] = row r of `rows` rows of `length` values, a plain reduction of at most one block, in the documented order.
void run_reduction(op, dtype, void* totals, const void* values, std::int64_t rows, std::int64_t length);
FRIT_API void run_block_cast(dtype from, dtype to, bool splat, void* d, const void* a, std::int64_t n) noexcept;

/// What a kernel reads: leaves whose elements lie one after the other, and numbers.
struct aot_operands {
    const void* const* leaves;
    const scalar_bits* scalars;
};
using aot_function = void (*)(void* out, const aot_operands&, std::int64_t n);

inline constexpr std::int64_t aot_block = 256;  ///< elements of a block: a dozen of them fit into L1

// Code differs with what this file is compiled for, and must not be taken for one another by the linker: what it emits has
// this number as a parameter. Where all arithmetic may be inexact by request, nothing is written out; of requests for less
// the regions below take back what changes results.
#if defined(__FAST_MATH__)
#define FRIT_AOT_ISA 3
#elif defined(__AVX512F__)
#define FRIT_AOT_ISA 2
#elif defined(__FMA__)
#define FRIT_AOT_ISA 1
#else
#define FRIT_AOT_ISA 0
#endif

template <int Isa>
constexpr bool is_written_out(const aot_value& v) {
    if (Isa == 3 || !is_float(v.type)) return false;
    switch (v.code) {
        case op::add:
        case op::sub:
        case op::mul:
        case op::rounded_mul:
        case op::div:
        case op::neg:
        case op::square:
        case op::fma:
        case op::fms:
        case op::fnma: return true;
        default: return false;
    }
}

/// The values that a connected piece of written-out arithmetic reads, in the order in which it meets them.
struct aot_inputs {
    std::uint16_t of[192] = {};
    std::uint16_t count = 0;
};
template <class P>
constexpr void find_aot_inputs(std::uint16_t k, aot_inputs& to) {
    const aot_value& v = P::values.of[k];
    if (is_written_out<P::isa>(v)) {
        for (int i = 0; i < v.count; ++i) find_aot_inputs<P>(v.in[i], to);
        return;
    }
    for (int i = 0; i < to.count; ++i)
        if (to.of[i] == k) return;
    to.of[to.count++] = k;
}
template <class P, std::uint16_t K>
inline constexpr aot_inputs aot_inputs_of = [] {
    aot_inputs r;
    find_aot_inputs<P>(K, r);
    return r;
}();
template <class P, std::uint16_t K, std::uint16_t Input>
inline constexpr std::size_t aot_place_of = [] {
    std::size_t at = 0;
    while (aot_inputs_of<P, K>.of[at] != Input) ++at;
    return at;
}();

template <class T, std::size_t N>
struct aot_pointers {
    const T* array[N];
    T number[N];
};

// The loops themselves, once for machines that round a product and a sum once (fused) and once for others (plain): in
// regions in which the compiler contracts nothing by itself, whatever it has been told, and vectorises.
#define FRIT_AOT_LOOPS                                                                                             \
    template <op Code, class T>                                                                                    \
    [[gnu::always_inline]] inline T aot_apply(T a, T b, T c) {                                                     \
        FRIT_AOT_EXACTLY                                                                                           \
        if constexpr (Code == op::add)                                                                             \
            return a + b;                                                                                          \
        else if constexpr (Code == op::sub)                                                                        \
            return a - b;                                                                                          \
        else if constexpr (Code == op::mul || Code == op::rounded_mul)                                             \
            return a * b;                                                                                          \
        else if constexpr (Code == op::div)                                                                        \
            return a / b;                                                                                          \
        else if constexpr (Code == op::neg)                                                                        \
            return -a;                                                                                             \
        else if constexpr (Code == op::square)                                                                     \
            return a * a;                                                                                          \
        else if constexpr (sizeof(T) == 4)                                                                         \
            return __builtin_fmaf(Code == op::fnma ? -a : a, b, Code == op::fms ? -c : c);                         \
        else                                                                                                       \
            return __builtin_fma(Code == op::fnma ? -a : a, b, Code == op::fms ? -c : c);                          \
    }                                                                                                              \
    template <int Isa, class P, std::uint16_t Root, std::uint16_t K, class T, std::size_t N>                       \
    [[gnu::always_inline]] inline T aot_element(const aot_pointers<T, N>& in, std::int64_t i) {                    \
        constexpr aot_value v = P::values.of[K];                                                                   \
        if constexpr (!is_written_out<Isa>(v)) {                                                                   \
            constexpr std::size_t at = aot_place_of<P, Root, K>;                                                   \
            return v.code == op::scalar ? in.number[at] : in.array[at][i];                                         \
        } else {                                                                                                   \
            const T a = aot_element<Isa, P, Root, v.in[0]>(in, i);                                                 \
            T b{}, c{};                                                                                            \
            if constexpr (v.count > 1) b = aot_element<Isa, P, Root, v.in[1]>(in, i);                              \
            if constexpr (v.count > 2) c = aot_element<Isa, P, Root, v.in[2]>(in, i);                              \
            return aot_apply<v.code>(a, b, c);                                                                     \
        }                                                                                                          \
    }                                                                                                              \
    template <int Isa, class P, std::uint16_t Root, class T, std::size_t N>                                        \
    void aot_loop(T* out, const aot_pointers<T, N>& from, std::int64_t n) {                                        \
        const aot_pointers<T, N> in = from;                                                                        \
        FRIT_AOT_INDEPENDENT for (std::int64_t i = 0; i < n; ++i) out[i] = aot_element<Isa, P, Root, Root>(in, i); \
    }
#if defined(__clang__)
#define FRIT_AOT_EXACTLY _Pragma("clang fp contract(off)")
#define FRIT_AOT_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#pragma float_control(precise, on, push)
#else
#define FRIT_AOT_EXACTLY
#define FRIT_AOT_INDEPENDENT _Pragma("GCC ivdep")
#pragma GCC push_options
#pragma GCC optimize("O3", "fp-contract=off", "no-unsafe-math-optimizations", "no-math-errno", "no-trapping-math")
#endif
namespace aot_plain {
FRIT_AOT_LOOPS
}
#if defined(__x86_64__) && !defined(__FMA__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif
#endif
namespace aot_fused {
FRIT_AOT_LOOPS
}
#if defined(__clang__)
#if defined(__x86_64__) && !defined(__FMA__)
#pragma clang attribute pop
#endif
#pragma float_control(pop)
#else
#pragma GCC pop_options
#endif
#undef FRIT_AOT_LOOPS
#undef FRIT_AOT_EXACTLY
#undef FRIT_AOT_INDEPENDENT

/// A formula for machines that fuse, or for others.
template <class E, bool Fuses, int Isa>
struct aot_kernel_of {
    static constexpr int isa = Isa;
    static constexpr auto values = make_aot_values<E>(Fuses);

    /// How many blocks of scratch memory value k takes, its own included where it is not written to its place at once.
    static constexpr int rooms(std::uint16_t k) {
        int most = 0;
        aot_inputs in;
        if (is_written_out<Isa>(values.of[k]))
            find_aot_inputs<aot_kernel_of>(k, in);
        else
            while (in.count < values.of[k].count) in.of[in.count] = values.of[k].in[in.count], ++in.count;
        for (int i = 0; i < in.count; ++i) {
            const op code = values.of[in.of[i]].code;
            if (code == op::leaf || code == op::scalar) continue;
            const int below = i + 1 + rooms(in.of[i]);
            if (below > most) most = below;
        }
        return most;
    }

    struct frame {
        const aot_operands& from;
        std::int64_t begin, n;
        unsigned char* room;
    };
    template <std::uint16_t K>
    static constexpr bool is_number = values.of[K].code == op::scalar;
    template <std::uint16_t K>
    static constexpr bool is_mixed =
        values.of[K].count == 2 && values.of[values.of[K].in[0]].type != values.of[values.of[K].in[1]].type;

    /// Where value K is, or now has been put: a leaf's elements, a number, or room number `At`.
    template <std::uint16_t K, int At>
    static const void* located(const frame& f) {
        constexpr aot_value v = values.of[K];
        if constexpr (v.code == op::leaf) {
            return static_cast<const unsigned char*>(f.from.leaves[v.in[0]]) +
                   f.begin * static_cast<std::int64_t>(size_of(v.type));
        } else if constexpr (v.code == op::scalar) {
            return &f.from.scalars[v.in[0]].low;
        } else {
            unsigned char* const to = f.room + At * aot_block * 8;
            put<K, At + 1>(f, to);
            return to;
        }
    }
    /// Evaluates value K into `to`; rooms from number `At` on are free.
    template <std::uint16_t K, int At>
    static void put(const frame& f, void* to) {
        constexpr aot_value v = values.of[K];
        if constexpr (is_written_out<Isa>(v)) {
            put_arithmetic<K, At>(f, static_cast<cpp_type<v.type>*>(to),
                                  std::make_index_sequence<aot_inputs_of<aot_kernel_of, K>.count>());
        } else if constexpr (v.code == op::leaf) {  // all that there is: a copy
            run_block_cast(v.type, v.type, false, to, located<K, At>(f), f.n);
        } else if constexpr (v.code == op::cast) {
            run_block_cast(v.operand, v.type, is_number<v.in[0]>, to, located<v.in[0], At>(f), f.n);
        } else if constexpr (v.code == op::bit_cast) {
            run_block_cast(v.operand, v.operand, is_number<v.in[0]>, to, located<v.in[0], At>(f), f.n);
        } else if constexpr (is_mixed<K>) {
            const void *const a = located<v.in[0], At>(f), *const b = located<v.in[1], At + 1>(f);
            run_mixed_comparison(v.code, v.operand == dtype::i64, is_number<v.in[0]> | is_number<v.in[1]> << 1, to, a, b,
                                 f.n);
        } else {
            const void* const a = located<v.in[0], At>(f);
            const void *b = nullptr, *c = nullptr;
            int splats = is_number<v.in[0]>;
            if constexpr (v.count > 1) b = located<v.in[1], At + 1>(f), splats |= is_number<v.in[1]> << 1;
            if constexpr (v.count > 2) c = located<v.in[2], At + 2>(f), splats |= is_number<v.in[2]> << 2;
            run_block(v.code, v.operand, splats, to, a, b, c, f.n);
        }
    }
    template <std::uint16_t K, int At, class T, std::size_t... I>
    static void put_arithmetic(const frame& f, T* to, std::index_sequence<I...>) {
        constexpr const aot_inputs& inputs = aot_inputs_of<aot_kernel_of, K>;
        aot_pointers<T, sizeof...(I)> in{{static_cast<const T*>(located<inputs.of[I], At + static_cast<int>(I)>(f))...}, {}};
        ((in.number[I] = is_number<inputs.of[I]> ? *in.array[I] : T{}), ...);
        if constexpr (Fuses)
            aot_fused::aot_loop<Isa, aot_kernel_of, K>(to, in, f.n);
        else
            aot_plain::aot_loop<Isa, aot_kernel_of, K>(to, in, f.n);
    }

    static void run(void* out, const aot_operands& from, std::int64_t n) {
        constexpr int count = rooms(values.root);
        if constexpr (count == 0) {
            put<values.root, 0>({from, 0, n, nullptr}, out);
        } else {
            alignas(64) unsigned char room[static_cast<std::size_t>(count * aot_block * 8)];
            constexpr auto width = static_cast<std::int64_t>(size_of(values.of[values.root].type));
            for (std::int64_t at = 0; at < n; at += aot_block)
                put<values.root, 0>({from, at, n - at < aot_block ? n - at : aot_block, room},
                                    static_cast<unsigned char*>(out) + at * width);
        }
    }
};

}  // namespace frit::v0::detail
