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

/// The first and the second half of the numbers, real and imaginary parts in turn: each as wide as N parts.
template <class T, int N>
struct vec<complex_number<T>, N> {
    typename lanes<T, N>::type low, high;
};

#if !defined(FRIT_SYMBOLS)
template <class T, int N, int... K>
FRIT_INLINE vec<T, N> even_lanes(vec<complex_number<T>, N> a, lane_list<K...>) {
    return {__builtin_shufflevector(a.low, a.high, (2 * K)...)};
}
template <class T, int N>
FRIT_INLINE vec<T, N> real(vec<complex_number<T>, N> a) {
    return even_lanes(a, typename first_lanes<N>::type());
}
template <class T, int N, int... K>
FRIT_INLINE vec<T, N> odd_lanes(vec<complex_number<T>, N> a, lane_list<K...>) {
    return {__builtin_shufflevector(a.low, a.high, (2 * K + 1)...)};
}
template <class T, int N>
FRIT_INLINE vec<T, N> imag(vec<complex_number<T>, N> a) {
    return odd_lanes(a, typename first_lanes<N>::type());
}
template <class T, int N, int... K>
FRIT_INLINE vec<complex_number<T>, N> interleaved(vec<T, N> re, vec<T, N> im, lane_list<K...>) {
    return {__builtin_shufflevector(re.v, im.v, (K / 2 + K % 2 * N)...),
            __builtin_shufflevector(re.v, im.v, ((N + K) / 2 + K % 2 * N)...)};
}
template <class T, int N>
FRIT_INLINE vec<complex_number<T>, N> complex(vec<T, N> re, vec<T, N> im) {
    return interleaved(re, im, typename first_lanes<N>::type());
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
// Where both parts come out as NaN though a factor is infinite, or a product of parts, the product is infinite.
template <class T, int N>
__attribute__((noinline)) void recover_product(parts<T, N>& plain, const parts<T, N>& z, const parts<T, N>& w) {
    const auto of_z = fmax(abs(z.re), abs(z.im)), of_w = fmax(abs(w.re), abs(w.im)), size = of_z * of_w;
    const auto r = plain_product(recovered(z, of_z), recovered(w, of_w));
    const auto lost = isnan(plain.re) & isnan(plain.im) & isinf(size);
    plain = {where(lost, size * r.re, plain.re), where(lost, size * r.im, plain.im)};
}
template <class T, int N>
FRIT_INLINE vec<complex_number<T>, N> complex_product(vec<complex_number<T>, N> a, vec<complex_number<T>, N> b) {
    const parts<T, N> z = {real(a), imag(a)}, w = {real(b), imag(b)};
    parts<T, N> r = plain_product(z, w);
    if (any(isnan(r.re) & isnan(r.im))) recover_product(r, z, w);
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
    return {load<N>((const T*)p).v, load<N>((const T*)p + N).v};
}
template <class T, int N>
FRIT_INLINE void store(complex_number<T>* p, vec<complex_number<T>, N> a) {
    store((T*)p, vec<T, N>{a.low});
    store((T*)p + N, vec<T, N>{a.high});
}
template <int N, class T>
FRIT_INLINE vec<complex_number<T>, N> load_part(const complex_number<T>* p, i64 n) {
    const i64 parts = 2 * n;
    return {load_part<N>((const T*)p, parts).v, load_part<N>((const T*)p + N, parts > N ? parts - N : 0).v};
}
template <int N, class T>
FRIT_INLINE void store_part(complex_number<T>* p, vec<complex_number<T>, N> a, i64 n) {
    const i64 parts = 2 * n;
    store_part<N>((T*)p, vec<T, N>{a.low}, parts);
    store_part<N>((T*)p + N, vec<T, N>{a.high}, parts > N ? parts - N : 0);
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
    stream((T*)p, vec<T, N>{a.low}, far);
    stream((T*)p + N, vec<T, N>{a.high}, far);
}
template <class T, int N>
FRIT_INLINE void store_first(complex_number<T>* p, vec<complex_number<T>, N> a) {
    *p = {a.low[0], a.low[1]};
}
#endif

}  // namespace fn
