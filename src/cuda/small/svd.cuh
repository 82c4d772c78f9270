// CUDA text behind rotations.cuh: a = u s vh by one-sided Jacobi rotations, a thread a matrix, in registers. Columns are
// turned against each other until all are orthogonal: their lengths are the singular values, and what turned them is v.

template <class T, int rows, int columns>
__device__ __forceinline__ small_real<T> squared_column(const T (&a)[rows][columns], int j) {
    small_real<T> sum = squared(a[0][j]);
#pragma unroll
    for (int i = 1; i < rows; ++i) sum += squared(a[i][j]);
    return sum;
}

/// Column j of u becomes a unit vector that is orthogonal to those before it: of the axes the one that is farthest from
/// them, less what it has of them.
template <class T, int rows, int columns>
__device__ __forceinline__ void complete_column(T (&u)[rows][columns], int j) {
    using real = small_real<T>;
    int axis = 0;
    real least = real(2);
#pragma unroll
    for (int i = 0; i < rows; ++i) {
        real inside = real(0);
#pragma unroll
        for (int c = 0; c < columns; ++c)
            if (c < j) inside += squared(u[i][c]);
        if (inside < least) {
            least = inside;
            axis = i;
        }
    }
#pragma unroll
    for (int i = 0; i < rows; ++i) u[i][j] = of_real(real(i == axis), T());
#pragma unroll
    for (int pass = 0; pass < 2; ++pass) {
#pragma unroll
        for (int c = 0; c < columns; ++c) {
            if (c >= j) continue;
            T inside = of_real(real(0), T());
#pragma unroll
            for (int i = 0; i < rows; ++i) inside = with_product(inside, conjugate(u[i][c]), u[i][j]);
#pragma unroll
            for (int i = 0; i < rows; ++i) u[i][j] = with_product(u[i][j], negated(inside), u[i][c]);
        }
        const real by = real(1) / root_of(squared_column(u, j));
#pragma unroll
        for (int i = 0; i < rows; ++i) u[i][j] = scaled(u[i][j], by);
    }
}

/// Turns the columns of a, whose largest element is about 1, until they are orthogonal, and v with them.
template <class T, int rows, int columns, bool vectors>
__device__ __forceinline__ void orthogonalize(T (&a)[rows][columns], T (&v)[columns][columns]) {
    using real = small_real<T>;
    constexpr int most_sweeps = 40;  // far more than there ever are: what does not end otherwise ends by it
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
        bool done = true;
#pragma unroll
        for (int p = 0; p < columns; ++p)
#pragma unroll
            for (int q = p + 1; q < columns; ++q) {
                const real alpha = squared_column(a, p), beta = squared_column(a, q);
                T product = of_real(real(0), T());
#pragma unroll
                for (int i = 0; i < rows; ++i) product = with_product(product, conjugate(a[i][p]), a[i][q]);
                const real gamma = length_of(product);
                const real less = alpha < beta ? alpha : beta;
                if (less <= small_square<real>() ||
                    gamma <= real(2) * small_epsilon<real>() * root_of(alpha) * root_of(beta))
                    continue;
                done = false;
                const small_rotation<real> by(alpha, beta, gamma);
                const T phase = phase_of(product, gamma);
#pragma unroll
                for (int i = 0; i < rows; ++i) rotate(a[i][p], a[i][q], phase, by);
                if (vectors)
#pragma unroll
                    for (int i = 0; i < columns; ++i) rotate(v[i][p], v[i][q], phase, by);
            }
        if (done) break;
    }
}

/// @param full  as many left or right vectors as they have elements
template <class T, int m, int n, bool vectors, bool full>
__global__ void __launch_bounds__(64)
    small_svd(const T* __restrict__ a, long long a_row, long long a_column, long long a_outer, long long a_inner,
              T* __restrict__ u, small_real<T>* __restrict__ s, T* __restrict__ vh, long long inner, long long count) {
    using real = small_real<T>;
    constexpr bool wide = m < n;  // then all is done to its adjoint, which is high
    constexpr int rows = wide ? n : m, columns = wide ? m : n, lefts = full ? rows : columns;
    const long long number = (long long)blockIdx.x * 64 + threadIdx.x;
    if (number >= count) return;
    const T* const from = a + place_of(number, inner, a_outer, a_inner, count);
    T w[rows][columns], v[columns][columns];
    real largest = real(0);
    bool finite = true;
#pragma unroll
    for (int i = 0; i < rows; ++i)
#pragma unroll
        for (int j = 0; j < columns; ++j) {
            w[i][j] = wide ? conjugate(from[j * a_row + i * a_column]) : from[i * a_row + j * a_column];
            finite = finite && is_finite(w[i][j]);
            const real part = part_of(w[i][j]);
            largest = largest < part ? part : largest;
        }
#pragma unroll
    for (int i = 0; i < columns; ++i)
#pragma unroll
        for (int j = 0; j < columns; ++j) v[i][j] = of_real(real(i == j), T());
    const int exponent = finite && largest > real(0) ? ilogb(largest) : 0;
    const small_scale<real> down(-exponent), up(exponent);
#pragma unroll
    for (int i = 0; i < rows; ++i)
#pragma unroll
        for (int j = 0; j < columns; ++j) w[i][j] = scaled(scaled(w[i][j], down.first), down.second);
    if (finite) orthogonalize<T, rows, columns, vectors>(w, v);

    real square[columns];
#pragma unroll
    for (int j = 0; j < columns; ++j) square[j] = squared_column(w, j);
#pragma unroll
    for (int end = columns - 1; end > 0; --end)
#pragma unroll
        for (int j = 0; j < end; ++j) {
            const bool rising = square[j] < square[j + 1];
            exchange(square[j], square[j + 1], rising);
            if (!vectors) continue;
#pragma unroll
            for (int i = 0; i < rows; ++i) exchange(w[i][j], w[i][j + 1], rising);
#pragma unroll
            for (int i = 0; i < columns; ++i) exchange(v[i][j], v[i][j + 1], rising);
        }
    const real nan = small_nan(real());
    if (s)
#pragma unroll
        for (int j = 0; j < columns; ++j) s[number * columns + j] = finite ? root_of(square[j]) * up.first * up.second : nan;
    if (!vectors) return;

    T left[rows][lefts];
#pragma unroll
    for (int j = 0; j < lefts; ++j) {
        const bool is_there = j < columns && square[j < columns ? j : 0] > small_square<real>();
        if (is_there) {
            const real by = real(1) / root_of(square[j < columns ? j : 0]);
#pragma unroll
            for (int i = 0; i < rows; ++i) left[i][j] = scaled(w[i][j < columns ? j : 0], by);
        } else {
            complete_column(left, j);
        }
    }
    // a = left s v^H, or of its adjoint: a = v s left^H.
    T* const to_u = u ? u + number * m * (wide ? columns : lefts) : nullptr;
    T* const to_vh = vh ? vh + number * n * (wide ? lefts : columns) : nullptr;
    const T strange = of_real(nan, T());
    T* const to_left = wide ? to_vh : to_u;
    T* const to_right = wide ? to_u : to_vh;
    if (to_left)
#pragma unroll
        for (int i = 0; i < rows; ++i)
#pragma unroll
            for (int j = 0; j < lefts; ++j)
                to_left[wide ? j * rows + i : i * lefts + j] =
                    finite ? (wide ? conjugate(left[i][j]) : left[i][j]) : strange;
    if (to_right)
#pragma unroll
        for (int i = 0; i < columns; ++i)
#pragma unroll
            for (int j = 0; j < columns; ++j)
                to_right[wide ? i * columns + j : j * columns + i] =
                    finite ? (wide ? v[i][j] : conjugate(v[i][j])) : strange;
}
