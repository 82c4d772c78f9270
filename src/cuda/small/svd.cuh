// CUDA text behind rotations.cuh: a = u s vh by one-sided Jacobi rotations, a thread a matrix, in registers. Columns are
// turned against each other until all are orthogonal: their lengths are the singular values, and what turned them is v.

template <class T, int rows, int columns>
__device__ __forceinline__ small_real<T> squared_column(const T (&a)[rows][columns], int j) {
    small_real<T> sum = small_real<T>(0);
#pragma unroll
    for (int i = 0; i < rows; ++i) sum = with_square(sum, a[i][j]);
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
            if (c < j) inside = with_square(inside, u[i][c]);
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
    for (int sweep = 0; sweep < small_sweeps; ++sweep) {
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

/// Element by element, a matrix or, if it is wide, its adjoint.
template <bool wide, class T, int rows, int columns>
__device__ __forceinline__ small_sizes<small_real<T>> load_high(T (&w)[rows][columns], const T* from, long long row_stride,
                                                                long long column_stride) {
    small_sizes<small_real<T>> sizes;
#pragma unroll
    for (int i = 0; i < rows; ++i)
#pragma unroll
        for (int j = 0; j < columns; ++j) {
            w[i][j] = wide ? conjugate(from[j * row_stride + i * column_stride]) : from[i * row_stride + j * column_stride];
            sizes.add(w[i][j]);
        }
    return sizes;
}

/// Columns by their squared lengths, falling.
template <bool vectors, class T, int rows, int columns>
__device__ __forceinline__ void sort_columns(small_real<T> (&square)[columns], T (&w)[rows][columns],
                                             T (&v)[columns][columns]) {
#pragma unroll
    for (int j = 0; j < columns; ++j) square[j] = squared_column(w, j);
#pragma unroll
    for (int end = columns - 1; end > 0; --end)
#pragma unroll
        for (int j = 0; j < end; ++j) {
            const bool rising = square[j] < square[j + 1];
            exchange(square[j], square[j + 1], rising);
            if (!vectors) continue;
            exchange_columns(w, j, rising);
            exchange_columns(v, j, rising);
        }
}

/// The columns of w as unit vectors, and behind them what completes them.
template <class T, int rows, int columns, int lefts>
__device__ __forceinline__ void unit_columns(const small_real<T> (&square)[columns], const T (&w)[rows][columns],
                                             T (&left)[rows][lefts]) {
    using real = small_real<T>;
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
}

/// @param full  as many left or right vectors as they have elements @param threads  of a block
template <class T, int m, int n, bool vectors, bool full, int threads>
__global__ void __launch_bounds__(threads)
    small_svd(const T* __restrict__ a, long long a_row, long long a_column, long long a_outer, long long a_inner,
              T* __restrict__ u, small_real<T>* __restrict__ s, T* __restrict__ vh, long long inner, long long count) {
    using real = small_real<T>;
    constexpr bool wide = m < n;  // then all is done to its adjoint, which is high
    constexpr int rows = wide ? n : m, columns = wide ? m : n, lefts = full ? rows : columns;
    const long long number = (long long)blockIdx.x * threads + threadIdx.x;
    if (number >= count) return;
    T w[rows][columns], v[columns][columns];
    const small_sizes<real> sizes =
        load_high<wide>(w, a + place_of(number, inner, a_outer, a_inner, count), a_row, a_column);
    become_identity(v);
    const bool finite = sizes.finite;
    const small_scale<real> down(-sizes.exponent()), up(sizes.exponent());
    scale(w, down);
    if (finite) orthogonalize<T, rows, columns, vectors>(w, v);
    real square[columns];
    sort_columns<vectors>(square, w, v);
    if (s)
#pragma unroll
        for (int j = 0; j < columns; ++j)
            s[number * columns + j] = finite ? up.times(root_of(square[j])) : small_nan(real());
    if (!vectors) return;

    // a = left s v^H, or of its adjoint: a = v s left^H.
    T left[rows][lefts];
    unit_columns(square, w, left);
    T* const to_u = u ? u + number * m * (wide ? columns : lefts) : nullptr;
    T* const to_vh = vh ? vh + number * n * (wide ? lefts : columns) : nullptr;
    store<wide>(wide ? to_vh : to_u, left, finite);
    store<!wide>(wide ? to_u : to_vh, v, finite);
}
