// The vectors that the prelude is run over to print LLVM's text: a symbol is the number of a result, and each operation on
// it appends an instruction to the writer of this thread. It stands in for host_prelude_vectors.hpp, and like all of the
// prelude is included inside a namespace, once (llvm_ops.cpp). The number of lanes is the writer's; N only tells types
// apart.
namespace fn {

/// Whose text operations go to.
inline thread_local lane_writer* now = nullptr;

template <class T>
constexpr element element_for = is_floating<T>   ? (sizeof(T) == 4 ? element::f32 : element::f64)
                                : sizeof(T) == 1 ? element::i8
                                : sizeof(T) == 2 ? element::i16
                                : sizeof(T) == 4 ? element::i32
                                                 : element::i64;

template <class T>
std::uint64_t bits_of(T x) {
    std::uint64_t bits = 0;
    __builtin_memcpy(&bits, &x, sizeof x);
    return bits;
}

template <class T, int N>
struct symbol {
    id number = 0;
    symbol() = default;
    explicit symbol(id a) : number(a) {}
    /// Of the same bits.
    template <class U, int M>
    explicit operator symbol<U, M>() const {
        return symbol<U, M>(now->bitcast(number, element_for<U>));
    }
};
template <class T, int N>
struct lanes {
    typedef symbol<T, N> type;
};

#define FRIT_SYMBOL_ARITHMETIC(o, of_floats, of_integers)                                                      \
    template <class T, int N>                                                                                  \
    symbol<T, N> operator o(symbol<T, N> a, symbol<T, N> b) {                                                  \
        return symbol<T, N>(now->binary(is_floating<T> ? of_floats : of_integers, a.number, b.number));        \
    }                                                                                                          \
    template <class T, int N, class S>                                                                         \
    requires(std::is_arithmetic_v<S>) symbol<T, N>                                                             \
    operator o(symbol<T, N> a, S b) { return a o symbol<T, N>(now->constant(element_for<T>, bits_of((T)b))); } \
    template <class T, int N, class S>                                                                         \
    requires(std::is_arithmetic_v<S>) symbol<T, N>                                                             \
    operator o(S a, symbol<T, N> b) { return symbol<T, N>(now->constant(element_for<T>, bits_of((T)a))) o b; }
FRIT_SYMBOL_ARITHMETIC(+, "fadd", "add")
FRIT_SYMBOL_ARITHMETIC(-, "fsub", "sub")
FRIT_SYMBOL_ARITHMETIC(*, "fmul", "mul")
FRIT_SYMBOL_ARITHMETIC(/, "fdiv", is_signed<T> ? "sdiv" : "udiv")
FRIT_SYMBOL_ARITHMETIC(&, "", "and")
FRIT_SYMBOL_ARITHMETIC(|, "", "or")
FRIT_SYMBOL_ARITHMETIC(^, "", "xor")
FRIT_SYMBOL_ARITHMETIC(<<, "", "shl")
FRIT_SYMBOL_ARITHMETIC(>>, "", is_signed<T> ? "ashr" : "lshr")
#undef FRIT_SYMBOL_ARITHMETIC
template <class T, int N>
symbol<T, N> operator-(symbol<T, N> a) {
    if constexpr (is_floating<T>)
        return symbol<T, N>(now->negated(a.number));
    else
        return 0 - a;
}
template <class T, int N>
symbol<T, N> operator~(symbol<T, N> a) {
    const id ones = now->is_truth(a.number) ? now->truth_constant(true) : now->constant(element_for<T>, ~std::uint64_t{0});
    return symbol<T, N>(now->binary("xor", a.number, ones));
}

#define FRIT_SYMBOL_COMPARISON(o, of_floats, of_signed, of_unsigned)                                                     \
    template <class T, int N>                                                                                            \
    auto operator o(symbol<T, N> a, symbol<T, N> b) {                                                                    \
        typedef symbol<typename integer_of<sizeof(T)>::type, N> M;                                                       \
        return M(now->compare(is_floating<T> ? of_floats : is_signed<T> ? of_signed : of_unsigned, a.number, b.number)); \
    }                                                                                                                    \
    template <class T, int N, class S>                                                                                   \
    requires(std::is_arithmetic_v<S>) auto operator o(symbol<T, N> a, S b) {                                             \
        return a o symbol<T, N>(now->constant(element_for<T>, bits_of((T)b)));                                           \
    }
FRIT_SYMBOL_COMPARISON(<, "fcmp olt", "icmp slt", "icmp ult")
FRIT_SYMBOL_COMPARISON(<=, "fcmp ole", "icmp sle", "icmp ule")
FRIT_SYMBOL_COMPARISON(>, "fcmp ogt", "icmp sgt", "icmp ugt")
FRIT_SYMBOL_COMPARISON(>=, "fcmp oge", "icmp sge", "icmp uge")
FRIT_SYMBOL_COMPARISON(==, "fcmp oeq", "icmp eq", "icmp eq")
FRIT_SYMBOL_COMPARISON(!=, "fcmp une", "icmp ne", "icmp ne")
#undef FRIT_SYMBOL_COMPARISON

/// What the level has is asked of the writer.
struct asks_for_fma {
    operator bool() const { return now->has_fma(); }
};
inline constexpr asks_for_fma has_fma{};
inline bool has_halves() { return now->has_halves(); }
struct asks_for_scalef {
    operator bool() const { return now->has_scalef(); }
};
template <class T, int N>
inline constexpr asks_for_scalef has_scalef{};
template <class T, int N>
vec<T, N> scalef(vec<T, N> a, vec<T, N> n) {
    return {symbol<T, N>(now->scalef(a.v.number, n.v.number))};
}

template <class M, class V>
V choose(M m, V a, V b) {
    return V(now->select(m.number, a.number, b.number));
}
template <class To, class From, int N>
vec<To, N> convert(vec<From, N> a) {
    constexpr element from = element_for<From>, to = element_for<To>;
    const auto by = [&](std::string_view instruction) {
        return vec<To, N>{symbol<To, N>(now->converted(instruction, a.v.number, to))};
    };
    if constexpr (is_floating<From> && is_floating<To>)
        return sizeof(From) == sizeof(To) ? vec<To, N>{symbol<To, N>(a.v.number)} : by(from < to ? "fpext" : "fptrunc");
    else if constexpr (is_floating<From>)
        return by(is_signed<To> ? "fptosi" : "fptoui");
    else if constexpr (is_floating<To>)
        return by(is_signed<From> ? "sitofp" : "uitofp");
    else
        return sizeof(From) == sizeof(To) ? vec<To, N>{symbol<To, N>(a.v.number)}
                                          : by(sizeof(From) > sizeof(To) ? "trunc"
                                               : is_signed<From>         ? "sext"
                                                                         : "zext");
}
template <class J, class I, int N>
mask<J, N> widen_mask(mask<I, N> m) {
    return {symbol<J, N>(now->as_mask(m.v.number, element_for<J>))};
}
template <int N, class T>
vec<T, N> splat(T x) {
    return {symbol<T, N>(now->constant(element_for<T>, bits_of(x)))};
}
/// Decided per lane: what a machine would skip where no lane needs it is always there.
template <class I, int N>
bool any(mask<I, N>) {
    return true;
}
// Registers are LLVM's business.
template <int M, class T, int N>
vec<T, M> pad(vec<T, N> a);
template <int M, class T, int N>
vec<T, M> first(vec<T, N> a);
template <class T, int N>
vec<T, N / 2> lower(vec<T, N> a);
template <class T, int N>
vec<T, N / 2> upper(vec<T, N> a);
template <class T, int N>
vec<T, 2 * N> join(vec<T, N> a, vec<T, N> b);

template <class T, int N>
vec<T, N> larger(vec<T, N> a, vec<T, N> b) {
    return {choose(a.v > b.v, a.v, b.v)};
}
template <class T, int N>
vec<T, N> smaller(vec<T, N> a, vec<T, N> b) {
    return {choose(a.v < b.v, a.v, b.v)};
}
template <int N>
vec<u64, N> multiply_halves(vec<u64, N> a, vec<u64, N> b) {
    const u64 half = 0xffffffff;
    return {(a.v & half) * (b.v & half)};
}
#define FRIT_SYMBOL_FUNCTION(name)                                  \
    template <class T, int N>                                       \
    vec<T, N> name(vec<T, N> a) {                                   \
        return {symbol<T, N>(now->intrinsic(#name, {a.v.number}))}; \
    }
FRIT_SYMBOL_FUNCTION(sqrt)
FRIT_SYMBOL_FUNCTION(rint)
FRIT_SYMBOL_FUNCTION(floor)
FRIT_SYMBOL_FUNCTION(ceil)
FRIT_SYMBOL_FUNCTION(trunc)
#undef FRIT_SYMBOL_FUNCTION
template <class T, int N>
vec<T, N> fma(vec<T, N> a, vec<T, N> b, vec<T, N> c) {
    return {symbol<T, N>(now->intrinsic("fma", {a.v.number, b.v.number, c.v.number}))};
}
template <class T, int N>
vec<T, N> fmod_lanes(vec<T, N> a, vec<T, N> b) {
    return {symbol<T, N>(now->binary("frem", a.v.number, b.v.number))};
}
// x/0 is 0; /-1 is a negation, which wraps.
template <class T, int N>
vec<T, N> quotient_lanes(vec<T, N> a, vec<T, N> b) {
    const auto zero = b.v == 0;
    if constexpr (is_signed<T>) {
        const auto negates = b.v == -1;
        const symbol<T, N> one(now->constant(element_for<T>, 1)), none(now->constant(element_for<T>, 0));
        const auto q = a.v / choose(zero | negates, one, b.v);
        return {choose(negates, -a.v, choose(zero, none, q))};
    } else {
        const symbol<T, N> one(now->constant(element_for<T>, 1)), none(now->constant(element_for<T>, 0));
        return {choose(zero, none, a.v / choose(zero, one, b.v))};
    }
}

// --- complex numbers: real and imaginary parts in turn (host_prelude_complex.hpp has the type) ---

inline std::vector<int> every_second(int first) {
    std::vector<int> from;
    for (int k = 0; k < now->lanes(); ++k) from.push_back(2 * k + first);
    return from;
}
inline std::vector<int> in_turn(int first) {
    std::vector<int> from;
    for (int k = first; k < first + now->lanes(); ++k) from.push_back(k / 2 + k % 2 * now->lanes());
    return from;
}
template <class T>
struct complex_number;
/// The first and the second half of the numbers as they lie in memory, real and imaginary parts in turn: LLVM finds out
/// itself which of them need not be put in turn.
template <class T, int N>
struct vec<complex_number<T>, N> {
    symbol<T, N> low, high;
};
template <class T, int N>
vec<T, N> real(vec<complex_number<T>, N> a) {
    return {symbol<T, N>(now->shuffled(a.low.number, a.high.number, every_second(0)))};
}
template <class T, int N>
vec<T, N> imag(vec<complex_number<T>, N> a) {
    return {symbol<T, N>(now->shuffled(a.low.number, a.high.number, every_second(1)))};
}
template <class T, int N>
vec<complex_number<T>, N> complex(vec<T, N> re, vec<T, N> im) {
    return {symbol<T, N>(now->shuffled(re.v.number, im.v.number, in_turn(0))),
            symbol<T, N>(now->shuffled(re.v.number, im.v.number, in_turn(now->lanes())))};
}
template <class Half, int N>
vec<f32, N> halves_as_floats(vec<Half, N> a) {
    return {symbol<f32, N>(now->halves_as_floats(a.v.number))};
}
template <class Half, int N>
vec<Half, N> floats_as_halves(vec<f32, N> a) {
    return {symbol<u16, N>(now->floats_as_halves(a.v.number))};
}

}  // namespace fn
