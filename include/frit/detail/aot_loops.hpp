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
// the regions below take back what changes results. Nor is it under nvcc, whose front end takes the regions away.
#if defined(__FAST_MATH__) || defined(__CUDACC__)
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
    if (Isa == 3) return false;
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
        case op::fnma: return is_float(v.type);
        case op::complex: return true;  // both parts in one loop
        default: return false;
    }
}
/// A part of a complex number is read where that lies.
constexpr bool is_part(const aot_value& v) { return (v.code == op::real || v.code == op::imag) && is_complex(v.operand); }

/// What is computed when, on the way to `Root`: values that others read in memory, each a loop over a block, with what is
/// written out in it. So a value that several read is computed once.
template <int Isa, auto& Values, std::uint16_t Root>
struct aot_order {
    static constexpr std::size_t size = std::size_t{Root} + 1;
    std::array<bool, size> in_memory{};
    std::array<bool, size> is_number{};      ///< of numbers alone: it is one element, but for the root
    std::array<std::uint16_t, size> room{};  ///< of what is in memory: a block of scratch; the root needs none
    std::array<std::uint16_t, size> steps{};
    std::uint16_t count = 0, rooms = 0;

    constexpr aot_order() {
        std::array<std::uint16_t, size> readers{}, last{};
        std::array<bool, size> is_read_there{};
        readers[Root] = 1;
        is_read_there[Root] = true;
        for (std::size_t k = size; k-- > 0;) {
            const aot_value& v = Values.values[k];
            if (readers[k] == 0 || v.count == 0) continue;
            const bool written = is_written_out<Isa>(v), part = is_part(v);
            in_memory[k] = is_read_there[k] || v.code == op::complex || (!part && (!written || readers[k] > 1));
            if (in_memory[k]) ++count;
            for (int i = 0; i < v.count; ++i) {
                ++readers[v.in[i]];
                is_read_there[v.in[i]] = is_read_there[v.in[i]] || !(written || (part && !in_memory[k]));
                const auto end = static_cast<std::uint16_t>(in_memory[k] ? k : last[k]);
                if (end > last[v.in[i]]) last[v.in[i]] = end;
            }
        }
        for (std::size_t k = 0; k < size; ++k) {
            const aot_value& v = Values.values[k];
            is_number[k] = v.code != op::leaf && k != Root;
            for (int i = 0; i < v.count; ++i) is_number[k] = is_number[k] && is_number[v.in[i]];
        }
        std::uint16_t done = 0;
        std::array<std::uint16_t, size> user{};  // of each room, by its last reader; 0: it is free
        for (std::size_t k = 0; k < size; ++k) {
            if (!in_memory[k]) continue;
            steps[done++] = static_cast<std::uint16_t>(k);
            if (k == Root) break;
            std::uint16_t r = 0;
            while (user[r] != 0) ++r;
            room[k] = r;
            user[r] = last[k];
            if (r >= rooms) rooms = static_cast<std::uint16_t>(r + 1);
            for (std::uint16_t& u : user)
                if (u == k) u = 0;
        }
    }
};

/// The values that a piece of written-out arithmetic reads, in the order in which it meets them.
struct aot_inputs {
    std::uint16_t of[192] = {};
    std::uint16_t count = 0;
};
/// Whether K is computed inside of the loop for Piece.
template <class P, std::uint16_t Piece>
constexpr bool is_inside(std::uint16_t k) {
    return k == Piece || (is_written_out<P::isa>(P::values.values[k]) && !P::order.in_memory[k]);
}
template <class P, std::uint16_t Piece>
constexpr void find_aot_inputs(std::uint16_t k, aot_inputs& to) {
    if (is_inside<P, Piece>(k)) {
        const aot_value& v = P::values.values[k];
        for (int i = 0; i < v.count; ++i) find_aot_inputs<P, Piece>(v.in[i], to);
        return;
    }
    for (int i = 0; i < to.count; ++i)
        if (to.of[i] == k) return;
    to.of[to.count++] = k;
}
template <class P, std::uint16_t Piece>
inline constexpr aot_inputs aot_inputs_of = [] {
    aot_inputs r;
    find_aot_inputs<P, Piece>(Piece, r);
    return r;
}();
template <class P, std::uint16_t Piece, std::uint16_t Input>
inline constexpr std::size_t aot_place_of = [] {
    std::size_t at = 0;
    while (aot_inputs_of<P, Piece>.of[at] != Input) ++at;
    return at;
}();

template <class T, std::size_t N>
struct aot_pointers {
    const T* array[N];
    T number[N];
};

// The loops themselves, once for machines that round a product and a sum once (fused) and once for others (plain): in
// regions in which the compiler contracts nothing by itself, whatever it has been told, and vectorises.
#define FRIT_AOT_LOOPS                                                                                                   \
    template <op Code, class T>                                                                                          \
    [[gnu::always_inline]] inline T aot_apply(T a, T b, T c) {                                                           \
        FRIT_AOT_EXACTLY                                                                                                 \
        if constexpr (Code == op::add)                                                                                   \
            return a + b;                                                                                                \
        else if constexpr (Code == op::sub)                                                                              \
            return a - b;                                                                                                \
        else if constexpr (Code == op::mul || Code == op::rounded_mul)                                                   \
            return a * b;                                                                                                \
        else if constexpr (Code == op::div)                                                                              \
            return a / b;                                                                                                \
        else if constexpr (Code == op::neg)                                                                              \
            return -a;                                                                                                   \
        else if constexpr (Code == op::square)                                                                           \
            return a * a;                                                                                                \
        else if constexpr (sizeof(T) == 4)                                                                               \
            return __builtin_fmaf(Code == op::fnma ? -a : a, b, Code == op::fms ? -c : c);                               \
        else                                                                                                             \
            return __builtin_fma(Code == op::fnma ? -a : a, b, Code == op::fms ? -c : c);                                \
    }                                                                                                                    \
    template <int Isa, class P, std::uint16_t Piece, std::uint16_t K, class T, std::size_t N>                            \
    [[gnu::always_inline]] inline T aot_element(const aot_pointers<T, N>& in, std::int64_t i) {                          \
        constexpr aot_value v = P::values.values[K];                                                                     \
        if constexpr (!is_inside<P, Piece>(K)) {                                                                         \
            constexpr std::size_t at = aot_place_of<P, Piece, K>;                                                        \
            constexpr bool is_apart = is_part(v) && !P::order.in_memory[K];                                              \
            return P::template is_number<K> ? in.number[at] : is_apart ? in.array[at][2 * i] : in.array[at][i];          \
        } else {                                                                                                         \
            const T a = aot_element<Isa, P, Piece, v.in[0]>(in, i);                                                      \
            T b{}, c{};                                                                                                  \
            if constexpr (v.count > 1) b = aot_element<Isa, P, Piece, v.in[1]>(in, i);                                   \
            if constexpr (v.count > 2) c = aot_element<Isa, P, Piece, v.in[2]>(in, i);                                   \
            return aot_apply<v.code>(a, b, c);                                                                           \
        }                                                                                                                \
    }                                                                                                                    \
    template <int Isa, class P, std::uint16_t Piece, class T, std::size_t N>                                             \
    void aot_loop(T* out, const aot_pointers<T, N>& from, std::int64_t n) {                                              \
        const aot_pointers<T, N> in = from;                                                                              \
        if constexpr (P::values.values[Piece].code == op::complex) {                                                     \
            constexpr aot_value v = P::values.values[Piece];                                                             \
            FRIT_AOT_INDEPENDENT for (std::int64_t i = 0; i < n; ++i) {                                                  \
                out[2 * i] = aot_element<Isa, P, Piece, v.in[0]>(in, i);                                                 \
                out[2 * i + 1] = aot_element<Isa, P, Piece, v.in[1]>(in, i);                                             \
            }                                                                                                            \
        } else {                                                                                                         \
            FRIT_AOT_INDEPENDENT for (std::int64_t i = 0; i < n; ++i) out[i] = aot_element<Isa, P, Piece, Piece>(in, i); \
        }                                                                                                                \
    }
#if FRIT_AOT_ISA == 3  // not called
#define FRIT_AOT_EXACTLY
#define FRIT_AOT_INDEPENDENT
#elif defined(__clang__)
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
#if defined(__x86_64__) && FRIT_AOT_ISA == 0
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif
#endif
namespace aot_fused {
FRIT_AOT_LOOPS
}
#if FRIT_AOT_ISA == 3
#elif defined(__clang__)
#if defined(__x86_64__) && FRIT_AOT_ISA == 0
#pragma clang attribute pop
#endif
#pragma float_control(pop)
#else
#pragma GCC pop_options
#endif
#undef FRIT_AOT_LOOPS
#undef FRIT_AOT_EXACTLY
#undef FRIT_AOT_INDEPENDENT

/// A formula's way to `Root`, for machines that fuse, or for others.
template <class E, bool Fuses, int Isa, bool Tail = false>
struct aot_kernel_of {
    static constexpr int isa = Isa;
    static constexpr const auto& values = aot_values_of<E, Fuses>;
    static constexpr std::uint16_t root = Tail || values.reduced == op::leaf ? values.root : values.elements;
    static constexpr aot_order<Isa, aot_values_of<E, Fuses>, root> order{};
    static constexpr std::int64_t room_bytes = [] {
        std::int64_t widest = 8;
        for (const aot_value& v : values.values)
            if (size_of(v.type) == 16) widest = 16;
        return widest * aot_block;
    }();

    struct frame {
        const aot_operands& from;
        std::int64_t begin, n;
        unsigned char* room;
        void* out;
    };
    template <std::uint16_t K>
    static constexpr bool is_number = values.values[K].code == op::scalar || order.is_number[K];
    template <std::uint16_t K>
    static constexpr bool is_mixed =
        values.values[K].code != op::where&& values.values[K].count == 2 &&
        values.values[values.values[K].in[0]].type != values.values[values.values[K].in[1]].type;
    template <std::uint16_t K>
    static constexpr std::uint64_t constant = values.values[K].bits;

    /// Where value K is, or is to be put.
    template <std::uint16_t K>
    static unsigned char* place_of(const frame& f) {
        if constexpr (K == root)
            return static_cast<unsigned char*>(f.out);
        else
            return f.room + order.room[K] * room_bytes;
    }
    template <std::uint16_t K>
    static const void* located(const frame& f) {
        constexpr aot_value v = values.values[K];
        if constexpr (v.code == op::leaf)
            return static_cast<const unsigned char*>(f.from.leaves[v.in[0]]) +
                   f.begin * static_cast<std::int64_t>(size_of(v.type));
        else if constexpr (v.code == op::scalar && v.in[0] == aot_value::constant)
            return &constant<K>;
        else if constexpr (v.code == op::scalar)
            return &f.from.scalars[v.in[0]].low;
        else if constexpr (is_part(v) && !order.in_memory[K])
            return static_cast<const unsigned char*>(located<v.in[0]>(f)) + (v.code == op::imag ? size_of(v.type) : 0);
        else
            return place_of<K>(f);
    }
    /// Evaluates value K, which is in memory.
    template <std::uint16_t K>
    static void put(const frame& f) {
        constexpr aot_value v = values.values[K];
        unsigned char* const to = place_of<K>(f);
        const std::int64_t n = is_number<K> ? 1 : f.n;
        if constexpr (is_written_out<Isa>(v)) {
            using T = cpp_type<real_dtype(v.type)>;
            put_arithmetic<K>(f, reinterpret_cast<T*>(to), std::make_index_sequence<aot_inputs_of<aot_kernel_of, K>.count>(),
                              n);
        } else if constexpr (v.code == op::cast) {
            run_block_cast(v.operand, v.type, is_number<v.in[0]>, to, located<v.in[0]>(f), n);
        } else if constexpr (v.code == op::bit_cast) {
            run_block_cast(v.operand, v.operand, is_number<v.in[0]>, to, located<v.in[0]>(f), n);
        } else if constexpr (is_mixed<K>) {
            run_mixed_comparison(v.code, v.operand == dtype::i64, is_number<v.in[0]> | is_number<v.in[1]> << 1, to,
                                 located<v.in[0]>(f), located<v.in[1]>(f), n);
        } else {
            const void *b = nullptr, *c = nullptr;
            int splats = is_number<v.in[0]>;
            if constexpr (v.count > 1) b = located<v.in[1]>(f), splats |= is_number<v.in[1]> << 1;
            if constexpr (v.count > 2) c = located<v.in[2]>(f), splats |= is_number<v.in[2]> << 2;
            // A loop for numbers alone there is none.
            const bool one = splats == (1 << v.count) - 1;
            run_block(v.code, v.operand, one ? 0 : splats, to, located<v.in[0]>(f), b, c, one ? 1 : n);
            if (one && n > 1) run_block_cast(v.type, v.type, true, to, to, n);
        }
    }
    template <std::uint16_t K, class T, std::size_t... I>
    static void put_arithmetic(const frame& f, T* to, std::index_sequence<I...>, std::int64_t n) {
        constexpr const aot_inputs& inputs = aot_inputs_of<aot_kernel_of, K>;
        aot_pointers<T, sizeof...(I)> in{{static_cast<const T*>(located<inputs.of[I]>(f))...}, {}};
        ((in.number[I] = is_number<inputs.of[I]> ? *in.array[I] : T{}), ...);
        if constexpr (Fuses)
            aot_fused::aot_loop<Isa, aot_kernel_of, K>(to, in, n);
        else
            aot_plain::aot_loop<Isa, aot_kernel_of, K>(to, in, n);
    }
    template <std::size_t... S>
    static void put_all(const frame& f, std::index_sequence<S...>) {
        (put<order.steps[S]>(f), ...);
    }

    static void run(void* out, const aot_operands& from, std::int64_t n) {
        constexpr aot_value result = values.values[root];
        if constexpr (order.count == 0) {  // all that there is: a copy
            const frame f{from, 0, n, nullptr, out};
            run_block_cast(result.type, result.type, is_number<root>, out, located<root>(f), n);
        } else if constexpr (order.rooms == 0) {
            put_all({from, 0, n, nullptr, out}, std::make_index_sequence<order.count>());
        } else {
            alignas(64) unsigned char room[static_cast<std::size_t>(order.rooms * room_bytes)];
            constexpr auto width = static_cast<std::int64_t>(size_of(result.type));
            for (std::int64_t at = 0; at < n; at += aot_block)
                put_all(
                    {from, at, n - at < aot_block ? n - at : aot_block, room, static_cast<unsigned char*>(out) + at * width},
                    std::make_index_sequence<order.count>());
        }
    }
};

}  // namespace frit::v0::detail
