// CUDA text behind rotations.cuh: a = v w v^H of a Hermitian matrix by two-sided Jacobi rotations, a thread a matrix, in
// registers. Of a the lower triangle is read, and the real parts of the diagonal.

template <class T, int n, bool vectors>
__global__ void __launch_bounds__(64)
    small_eigh(const T* __restrict__ a, long long a_row, long long a_column, long long a_outer, long long a_inner,
               small_real<T>* __restrict__ w, T* __restrict__ v, long long inner, long long count) {
    using real = small_real<T>;
    constexpr int most_sweeps = 40;
    const long long number = (long long)blockIdx.x * 64 + threadIdx.x;
    if (number >= count) return;
    const T* const from = a + place_of(number, inner, a_outer, a_inner, count);
    T h[n][n], turn[n][n];
    real largest = real(0);
    bool finite = true;
#pragma unroll
    for (int i = 0; i < n; ++i)
#pragma unroll
        for (int j = 0; j <= i; ++j) {
            T x = from[i * a_row + j * a_column];
            finite = finite && is_finite(x);
            if (i == j) x = of_real(real_part(x), T());
            h[i][j] = x;
            h[j][i] = conjugate(x);
            const real part = part_of(x);
            largest = largest < part ? part : largest;
        }
    const int exponent = finite && largest > real(0) ? ilogb(largest) : 0;
    const small_scale<real> down(-exponent), up(exponent);
#pragma unroll
    for (int i = 0; i < n; ++i)
#pragma unroll
        for (int j = 0; j < n; ++j) {
            h[i][j] = scaled(scaled(h[i][j], down.first), down.second);
            turn[i][j] = of_real(real(i == j), T());
        }
    for (int sweep = 0; finite && sweep < most_sweeps; ++sweep) {
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
                // h becomes J^H h J, and turn J with it.
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
    real value[n];
#pragma unroll
    for (int j = 0; j < n; ++j) value[j] = real_part(h[j][j]);
#pragma unroll
    for (int end = n - 1; end > 0; --end)
#pragma unroll
        for (int j = 0; j < end; ++j) {
            const bool falling = value[j + 1] < value[j];
            exchange(value[j], value[j + 1], falling);
            if (vectors)
#pragma unroll
                for (int i = 0; i < n; ++i) exchange(turn[i][j], turn[i][j + 1], falling);
        }
    const real nan = small_nan(real());
    if (w)
#pragma unroll
        for (int j = 0; j < n; ++j) w[number * n + j] = finite ? value[j] * up.first * up.second : nan;
    if (vectors)
#pragma unroll
        for (int i = 0; i < n; ++i)
#pragma unroll
            for (int j = 0; j < n; ++j) v[(number * n + i) * n + j] = finite ? turn[i][j] : of_real(nan, T());
}
