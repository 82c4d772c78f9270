// CUDA text behind numbers.cuh, in front of svd.cuh and eigh.cuh: Jacobi rotations.

/// For rotations of columns p and q, whose squared lengths are alpha and beta, and whose product is gamma > 0.
template <class R>
struct small_rotation {
    R c, s;
    __device__ small_rotation(R alpha, R beta, R gamma) {
        const R zeta = (beta - alpha) / (R(2) * gamma), size = size_of(zeta);
        const R t = size > R(1) / small_epsilon<R>() ? R(0.5) / size : R(1) / (size + root_of(with_square(R(1), size)));
        c = R(1) / root_of(with_square(R(1), t));
        s = zeta < R(0) ? -(c * t) : c * t;
    }
};

/// c p - s q and s p + c q, where q is first multiplied by `phase`.
template <class T, class R>
__device__ __forceinline__ void rotate(T& p, T& q, T phase, const small_rotation<R>& by) {
    const T zero = of_real(R(0), T()), turned = with_product(zero, q, phase), old = p;
    p = with_product(scaled(old, by.c), turned, of_real(-by.s, T()));
    q = with_product(scaled(turned, by.c), old, of_real(by.s, T()));
}

/// The unit vector of a number that is not 0, conjugated.
__device__ __forceinline__ float phase_of(float x, float) { return x < 0 ? -1.0f : 1.0f; }
__device__ __forceinline__ double phase_of(double x, double) { return x < 0 ? -1.0 : 1.0; }
template <class R>
__device__ __forceinline__ small_complex<R> phase_of(small_complex<R> x, R size) {
    return {x.re / size, -x.im / size};
}
__device__ __forceinline__ float length_of(float x) { return size_of(x); }
__device__ __forceinline__ double length_of(double x) { return size_of(x); }
template <class R>
__device__ __forceinline__ R length_of(small_complex<R> x) {
    const R large = part_of(x);
    if (large == R(0)) return large;
    const R re = x.re / large, im = x.im / large;
    return large * root_of(with_square(re * re, im));
}

template <class T>
__device__ __forceinline__ void exchange(T& a, T& b, bool really) {
    const T old = a;
    a = really ? b : a;
    b = really ? old : b;
}

/// Far more sweeps than there ever are: what does not end otherwise ends by it.
constexpr int small_sweeps = 40;

/// What is known of a matrix's elements when all are read.
template <class R>
struct small_sizes {
    R largest = R(0);
    bool finite = true;
    template <class T>
    __device__ void add(T x) {
        finite = finite && is_finite(x);
        const R part = part_of(x);
        largest = largest < part ? part : largest;
    }
    /// Of the largest, where all are finite.
    __device__ int exponent() const { return finite && largest > R(0) ? ilogb(largest) : 0; }
};

/// 2^e as two factors, each of which a float can be.
template <class R>
struct small_scale {
    R first, second;
    __device__ explicit small_scale(int e) : first(scalbn(R(1), e / 2)), second(scalbn(R(1), e - e / 2)) {}
    template <class T>
    __device__ T times(T x) const {
        return scaled(scaled(x, first), second);
    }
};
template <class T, int rows, int columns>
__device__ __forceinline__ void scale(T (&a)[rows][columns], const small_scale<small_real<T>>& by) {
#pragma unroll
    for (int i = 0; i < rows; ++i)
#pragma unroll
        for (int j = 0; j < columns; ++j) a[i][j] = by.times(a[i][j]);
}
template <class T, int n>
__device__ __forceinline__ void become_identity(T (&a)[n][n]) {
#pragma unroll
    for (int i = 0; i < n; ++i)
#pragma unroll
        for (int j = 0; j < n; ++j) a[i][j] = of_real(small_real<T>(i == j), T());
}
/// Exchanges columns j and j + 1.
template <class T, int rows, int columns>
__device__ __forceinline__ void exchange_columns(T (&a)[rows][columns], int j, bool really) {
#pragma unroll
    for (int i = 0; i < rows; ++i) exchange(a[i][j], a[i][j + 1], really);
}
/// A matrix, or its adjoint, row after row; NaN where there is none. @param to  may be null
template <bool adjoint, class T, int rows, int columns>
__device__ __forceinline__ void store(T* to, const T (&a)[rows][columns], bool is_there) {
    const T strange = of_real(small_nan(small_real<T>()), T());
    if (!to) return;
#pragma unroll
    for (int i = 0; i < rows; ++i)
#pragma unroll
        for (int j = 0; j < columns; ++j)
            to[adjoint ? j * rows + i : i * columns + j] = is_there ? (adjoint ? conjugate(a[i][j]) : a[i][j]) : strange;
}
