// Lanes of complex numbers: they are read and written as they lie in memory, taken apart into real and imaginary parts, made
// of them, and multiplied. Behind host_prelude.hpp and host_prelude_part.hpp, whose rules hold
// here too: in the interpreter's loops, and in generated host text that has such values. N is even.
namespace fn {

template <class T>
struct complex_number {
    T re, im;
    complex_number() = default;
    FRIT_INLINE constexpr complex_number(T x, T y = 0) : re(x), im(y) {}
};
typedef complex_number<f32> c64;
typedef complex_number<f64> c128;

#if !defined(FRIT_SYMBOLS)  // with symbols: as they lie in memory (host_prelude_symbols.hpp)
/// Taken apart as they are read: what computes with them wants parts.
template <class T, int N>
struct vec<complex_number<T>, N> {
    vec<T, N> re, im;
};
template <class T, int N>
FRIT_INLINE vec<T, N> real(vec<complex_number<T>, N> a) {
    return a.re;
}
template <class T, int N>
FRIT_INLINE vec<T, N> imag(vec<complex_number<T>, N> a) {
    return a.im;
}
template <class T, int N>
FRIT_INLINE vec<complex_number<T>, N> complex(vec<T, N> re, vec<T, N> im) {
    return {re, im};
}

/// The first and the second half of the numbers as they lie in memory, real and imaginary parts in turn: each as wide as N
/// parts.
template <class T, int N>
struct halves {
    vec<T, N> low, high;
};
template <class T, int N, int... K>
FRIT_INLINE vec<complex_number<T>, N> apart(halves<T, N> a, lane_list<K...>) {
    return {{__builtin_shufflevector(a.low.v, a.high.v, (2 * K)...)},
            {__builtin_shufflevector(a.low.v, a.high.v, (2 * K + 1)...)}};
}
template <class T, int N>
FRIT_INLINE vec<complex_number<T>, N> apart(halves<T, N> a) {
    return apart(a, typename first_lanes<N>::type());
}
template <class T, int N, int... K>
FRIT_INLINE halves<T, N> in_turn(vec<complex_number<T>, N> a, lane_list<K...>) {
    return {{__builtin_shufflevector(a.re.v, a.im.v, (K / 2 + K % 2 * N)...)},
            {__builtin_shufflevector(a.re.v, a.im.v, ((N + K) / 2 + K % 2 * N)...)}};
}
template <class T, int N>
FRIT_INLINE halves<T, N> in_turn(vec<complex_number<T>, N> a) {
    return in_turn(a, typename first_lanes<N>::type());
}
#endif
template <class T, int N>
struct parts {
    vec<T, N> re, im;
};
// Every product is rounded, at every level: an fma would leave the rounding of one of them where the two cancel, and a
// number times its conjugate would not be real.
template <class T, int N>
FRIT_INLINE parts<T, N> plain_product(const parts<T, N>& z, const parts<T, N>& w) {
    return {z.re * w.re - z.im * w.im, z.re * w.im + z.im * w.re};
}
// Annex G: an infinite factor is its direction, a NaN beside something finite a zero.
template <class T, int N>
FRIT_INLINE parts<T, N> recovered(const parts<T, N>& z, vec<T, N> size) {
    const auto zero = splat<N>((T)0), one = splat<N>((T)1);
    const auto infinite = isinf(size);
    const auto least = where(infinite, size, zero);
    const auto part = [&](vec<T, N> a) __attribute__((always_inline)) {
        return where(abs(a) >= least, where(infinite, copysign(one, a), a), zero);
    };
    return {part(z.re), part(z.im)};
}
// Where both parts come out as NaN though a factor is infinite, or a product of parts, the product is infinite. Called for a
// few products in a program: what it is given is in memory then alone.
template <class T, int N>
__attribute__((noinline, cold)) parts<T, N> recovered_product(parts<T, N> plain, parts<T, N> z, parts<T, N> w) {
    const auto of_z = fmax(abs(z.re), abs(z.im)), of_w = fmax(abs(w.re), abs(w.im)), size = of_z * of_w;
    const auto r = plain_product(recovered(z, of_z), recovered(w, of_w));
    const auto lost = isnan(plain.re) & isnan(plain.im) & isinf(size);
    return {where(lost, size * r.re, plain.re), where(lost, size * r.im, plain.im)};
}
template <class T, int N>
FRIT_INLINE vec<complex_number<T>, N> complex_product(vec<complex_number<T>, N> a, vec<complex_number<T>, N> b) {
    const parts<T, N> z = {real(a), imag(a)}, w = {real(b), imag(b)};
    parts<T, N> r = plain_product(z, w);
    if (__builtin_expect(any(isnan(r.re) & isnan(r.im)), false)) r = recovered_product(r, z, w);
    return complex(r.re, r.im);
}
// Of real numbers and bools.
template <class T, int N>
FRIT_INLINE vec<T, N> real(vec<T, N> a) {
    return a;
}
template <class T, int N>
FRIT_INLINE vec<T, N> imag(vec<T, N>) {
    return splat<N>((T)0);
}
template <class I, int N>
FRIT_INLINE mask<I, N> real(mask<I, N> a) {
    return a;
}
template <class I, int N>
FRIT_INLINE mask<I, N> imag(mask<I, N> a) {
    return {a.v ^ a.v};
}

template <int N, class T>
FRIT_INLINE vec<complex_number<T>, N> splat(complex_number<T> x) {
    return complex(splat<N>(x.re), splat<N>(x.im));
}
#if !defined(FRIT_SYMBOLS)
template <int N, class T>
FRIT_INLINE vec<complex_number<T>, N> load(const complex_number<T>* p) {
    return apart(halves<T, N>{load<N>((const T*)p), load<N>((const T*)p + N)});
}
template <class T, int N>
FRIT_INLINE void store(complex_number<T>* p, vec<complex_number<T>, N> a) {
    const halves<T, N> h = in_turn(a);
    store((T*)p, h.low);
    store((T*)p + N, h.high);
}
template <int N, class T>
FRIT_INLINE vec<complex_number<T>, N> load_part(const complex_number<T>* p, i64 n) {
    const i64 parts = 2 * n;
    return apart(halves<T, N>{load_part<N>((const T*)p, parts), load_part<N>((const T*)p + N, parts > N ? parts - N : 0)});
}
template <int N, class T>
FRIT_INLINE void store_part(complex_number<T>* p, vec<complex_number<T>, N> a, i64 n) {
    const i64 parts = 2 * n;
    const halves<T, N> h = in_turn(a);
    store_part<N>((T*)p, h.low, parts);
    store_part<N>((T*)p + N, h.high, parts > N ? parts - N : 0);
}
template <int N, class T>
FRIT_INLINE vec<complex_number<T>, N> gather(const complex_number<T>* p, i64 stride) {
    if (stride == 1) return load<N>(p);
    complex_number<T> lane[N];
    for (int k = 0; k < N; ++k) lane[k] = p[k * stride];
    return load<N>((const complex_number<T>*)lane);
}
template <class T, int N>
FRIT_INLINE vec<complex_number<T>, N> gather_at(const complex_number<T>* p, vec<i64, N> at, i64 count) {
    complex_number<T> lane[N];
    for (int k = 0; k < N; ++k) lane[k] = p[k < count ? at.v[k] : 0];
    return load<N>((const complex_number<T>*)lane);
}
template <class T, int N>
FRIT_INLINE void scatter(complex_number<T>* p, i64 stride, vec<complex_number<T>, N> a) {
    if (stride == 1) return store(p, a);
    complex_number<T> lane[N];
    store((complex_number<T>*)lane, a);
    for (int k = 0; k < N; ++k) p[k * stride] = lane[k];
}
template <class T, int N>
FRIT_INLINE void stream(complex_number<T>* p, vec<complex_number<T>, N> a, bool far) {
    const halves<T, N> h = in_turn(a);
    stream((T*)p, h.low, far);
    stream((T*)p + N, h.high, far);
}
template <class T, int N>
FRIT_INLINE void store_first(complex_number<T>* p, vec<complex_number<T>, N> a) {
    *p = {a.re.v[0], a.im.v[0]};
}
#endif

}  // namespace fn
