// CUDA text of kernels for many small matrices, first part: real and complex numbers, and where a matrix of a batch is.
// NVRTC compiles it in front of one of the other parts, for one size and dtype.

template <class R>
struct small_complex {
    R re, im;
};

template <class T>
struct small_number {
    using real = T;
};
template <class R>
struct small_number<small_complex<R>> {
    using real = R;
};
template <class T>
using small_real = typename small_number<T>::real;

/// The distance from 1 to the next number.
template <class R>
__device__ __forceinline__ R small_epsilon() {
    return sizeof(R) == 8 ? R(2.220446049250313e-16) : R(1.1920929e-7f);
}
/// What a norm's square must exceed, in columns whose largest is about 1, for its digits to mean something.
template <class R>
__device__ __forceinline__ R small_square() {
    return sizeof(R) == 8 ? R(1e-240) : R(1e-28f);
}
__device__ __forceinline__ float small_nan(float) { return __uint_as_float(0x7fffffffu); }
__device__ __forceinline__ double small_nan(double) { return __longlong_as_double(0x7fffffffffffffffll); }

__device__ __forceinline__ float of_real(float x, float) { return x; }
__device__ __forceinline__ double of_real(double x, double) { return x; }
template <class R>
__device__ __forceinline__ small_complex<R> of_real(R x, small_complex<R>) {
    return {x, R(0)};
}

template <class R>
__device__ __forceinline__ R real_part(R x) {
    return x;
}
template <class R>
__device__ __forceinline__ R real_part(small_complex<R> x) {
    return x.re;
}
__device__ __forceinline__ float conjugate(float x) { return x; }
__device__ __forceinline__ double conjugate(double x) { return x; }
template <class R>
__device__ __forceinline__ small_complex<R> conjugate(small_complex<R> x) {
    return {x.re, -x.im};
}

/// Largest and smallest in the order that LAPACK takes pivots by.
__device__ __forceinline__ float size_of(float x) { return fabsf(x); }
__device__ __forceinline__ double size_of(double x) { return fabs(x); }
template <class R>
__device__ __forceinline__ R size_of(small_complex<R> x) {
    return size_of(x.re) + size_of(x.im);
}
/// The larger one of its parts' sizes.
template <class R>
__device__ __forceinline__ R part_of(R x) {
    return size_of(x);
}
template <class R>
__device__ __forceinline__ R part_of(small_complex<R> x) {
    const R a = size_of(x.re), b = size_of(x.im);
    return a < b ? b : a;
}
template <class R>
__device__ __forceinline__ bool is_finite(R x) {
    return x - x == R(0);
}
template <class R>
__device__ __forceinline__ bool is_finite(small_complex<R> x) {
    return is_finite(x.re) && is_finite(x.im);
}
__device__ __forceinline__ float root_of(float x) { return sqrtf(x); }
__device__ __forceinline__ double root_of(double x) { return sqrt(x); }

template <class R>
__device__ __forceinline__ R scaled(R x, R by) {
    return x * by;
}
template <class R>
__device__ __forceinline__ small_complex<R> scaled(small_complex<R> x, R by) {
    return {x.re * by, x.im * by};
}
/// a + b c
__device__ __forceinline__ float with_product(float a, float b, float c) { return fmaf(b, c, a); }
__device__ __forceinline__ double with_product(double a, double b, double c) { return fma(b, c, a); }
template <class R>
__device__ __forceinline__ small_complex<R> with_product(small_complex<R> a, small_complex<R> b, small_complex<R> c) {
    return {with_product(with_product(a.re, b.re, c.re), -b.im, c.im),
            with_product(with_product(a.im, b.re, c.im), b.im, c.re)};
}
/// a + |x|^2
__device__ __forceinline__ float with_square(float a, float x) { return fmaf(x, x, a); }
__device__ __forceinline__ double with_square(double a, double x) { return fma(x, x, a); }
template <class R>
__device__ __forceinline__ R with_square(R a, small_complex<R> x) {
    return with_square(with_square(a, x.re), x.im);
}
template <class R>
__device__ __forceinline__ R negated(R x) {
    return -x;
}
template <class R>
__device__ __forceinline__ small_complex<R> negated(small_complex<R> x) {
    return {-x.re, -x.im};
}
template <class R>
__device__ __forceinline__ R quotient(R a, R b) {
    return a / b;
}
/// Smith's. Intermediate values overflow where parts of a or b are more than half of the largest number.
template <class R>
__device__ __forceinline__ small_complex<R> quotient(small_complex<R> a, small_complex<R> b) {
    const bool by_re = size_of(b.re) >= size_of(b.im);
    const R large = by_re ? b.re : b.im, other = by_re ? b.im : b.re;
    const R ratio = other / large, below = with_product(large, other, ratio);
    const R x = by_re ? with_product(a.re, a.im, ratio) : with_product(a.im, a.re, ratio);
    const R y = by_re ? with_product(a.im, -a.re, ratio) : with_product(-a.re, a.im, ratio);
    return {x / below, y / below};
}

template <class R>
__device__ __forceinline__ R from_lane(R x, int lane, int width) {
    return __shfl_sync(0xffffffffu, x, lane, width);
}
template <class R>
__device__ __forceinline__ small_complex<R> from_lane(small_complex<R> x, int lane, int width) {
    return {from_lane(x.re, lane, width), from_lane(x.im, lane, width)};
}

/// Where the matrix of this number is, in a batch of two axes.
__device__ __forceinline__ long long place_of(long long matrix, long long inner, long long outer_stride,
                                              long long inner_stride, long long count) {
    if (inner >= count) return matrix * inner_stride;
    return matrix / inner * outer_stride + matrix % inner * inner_stride;
}
