// CUDA text behind rotations.cuh: a = v w v^H of a Hermitian matrix by two-sided Jacobi rotations, a thread a matrix, in
// registers. Of a the lower triangle is read, and the real parts of the diagonal.

/// Both triangles of the matrix whose lower one is read.
template <class T, int n>
__device__ __forceinline__ small_sizes<small_real<T>> load_hermitian(T (&h)[n][n], const T* from, long long row_stride,
                                                                     long long column_stride) {
    small_sizes<small_real<T>> sizes;
#pragma unroll
    for (int i = 0; i < n; ++i)
#pragma unroll
        for (int j = 0; j <= i; ++j) {
            T x = from[i * row_stride + j * column_stride];
            sizes.finite = sizes.finite && is_finite(x);  // with what the diagonal has beside its real parts
            if (i == j) x = of_real(real_part(x), T());
            sizes.add(x);
            h[i][j] = x;
            h[j][i] = conjugate(x);
        }
    return sizes;
}

/// h, whose largest element is about 1, becomes diagonal: J^H h J with each rotation J, and turn turns with it.
template <bool vectors, class T, int n>
__device__ __forceinline__ void diagonalize(T (&h)[n][n], T (&turn)[n][n]) {
    using real = small_real<T>;
    for (int sweep = 0; sweep < small_sweeps; ++sweep) {
        bool done = true;
#pragma unroll
        for (int p = 0; p < n; ++p)
#pragma unroll
            for (int q = p + 1; q < n; ++q) {
                const real gamma = length_of(h[p][q]);
                if (gamma <= real(0.125f) * small_epsilon<real>()) continue;
                done = false;
                const T phase = phase_of(h[p][q], gamma);
                const small_rotation<real> by(real_part(h[p][p]), real_part(h[q][q]), gamma);
#pragma unroll
                for (int i = 0; i < n; ++i) rotate(h[i][p], h[i][q], phase, by);
#pragma unroll
                for (int i = 0; i < n; ++i) rotate(h[p][i], h[q][i], conjugate(phase), by);
                h[p][q] = h[q][p] = of_real(real(0), T());
                h[p][p] = of_real(real_part(h[p][p]), T());
                h[q][q] = of_real(real_part(h[q][q]), T());
                if (vectors)
#pragma unroll
                    for (int i = 0; i < n; ++i) rotate(turn[i][p], turn[i][q], phase, by);
            }
        if (done) break;
    }
}

/// Values, rising, and their columns.
template <bool vectors, class T, int n>
__device__ __forceinline__ void sort_values(small_real<T> (&value)[n], T (&turn)[n][n]) {
#pragma unroll
    for (int end = n - 1; end > 0; --end)
#pragma unroll
        for (int j = 0; j < end; ++j) {
            const bool falling = value[j + 1] < value[j];
            exchange(value[j], value[j + 1], falling);
            if (vectors) exchange_columns(turn, j, falling);
        }
}

/// @param threads  of a block
template <class T, int n, bool vectors, int threads>
__global__ void __launch_bounds__(threads)
    small_eigh(const T* __restrict__ a, long long a_row, long long a_column, long long a_outer, long long a_inner,
               small_real<T>* __restrict__ w, T* __restrict__ v, long long inner, long long count) {
    using real = small_real<T>;
    const long long number = (long long)blockIdx.x * threads + threadIdx.x;
    if (number >= count) return;
    T h[n][n], turn[n][n];
    const small_sizes<real> sizes = load_hermitian(h, a + place_of(number, inner, a_outer, a_inner, count), a_row, a_column);
    const small_scale<real> down(-sizes.exponent()), up(sizes.exponent());
    scale(h, down);
    become_identity(turn);
    if (sizes.finite) diagonalize<vectors>(h, turn);
    real value[n];
#pragma unroll
    for (int j = 0; j < n; ++j) value[j] = real_part(h[j][j]);
    sort_values<vectors>(value, turn);
    if (w)
#pragma unroll
        for (int j = 0; j < n; ++j) w[number * n + j] = sizes.finite ? up.times(value[j]) : small_nan(real());
    if (vectors) store<false>(v + number * n * n, turn, sizes.finite);
}
