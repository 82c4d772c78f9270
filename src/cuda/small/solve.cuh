// CUDA text behind numbers.cuh: a x = b by LU factors, a group of lanes a matrix, a row a lane, in registers. Rows stay
// where they are: that one was the pivot of a step is all that an exchange is. Pivots are the largest of their column, as
// LAPACK's.

/// The smallest power of two that is not smaller.
__host__ __device__ constexpr int small_lanes(int n) { return n <= 1 ? 1 : 2 * small_lanes((n + 1) / 2); }
/// Of a block, whose matrices go through shared memory.
__host__ __device__ constexpr int small_threads(int n, int bytes) { return n > 16 && bytes == 16 ? 64 : 128; }

/// The lanes of a warp that share a matrix. All of a warp's come to every function here, with a matrix or without.
template <int n>
struct small_group {
    static constexpr int lanes = small_lanes(n);
    const int lane = threadIdx.x % lanes, number = threadIdx.x / lanes;
    /// One bit for each lane where it holds.
    __device__ unsigned where(bool holds) const {
        const unsigned all = __ballot_sync(0xffffffffu, holds) >> threadIdx.x % 32 / lanes * lanes;
        return lanes == 32 ? all : all & ((1u << lanes % 32) - 1);
    }
    template <class T>
    __device__ T of_lane(T x, int other) const {
        return from_lane(x, other, lanes);
    }
};

/// What a lane has of a matrix: a row, of the matrix and then of its factors.
template <class T, int n>
struct small_row {
    using real = small_real<T>;
    static constexpr int a_word = 6;  // pivots
    T at[n], diagonal;
    int step;         ///< in which it was the pivot; n: in none yet; -1: a lane without a row
    int without = 0;  ///< the first step, from 1, that has no pivot; 0: all have one
    unsigned pivots[(n + a_word - 1) / a_word] = {};

    __device__ int pivot(int k) const { return pivots[k / a_word] >> k % a_word * 5 & 31; }

    /// Through shared memory, as it lies, and turned on the way where it lies by columns.
    __device__ void load(const small_group<n>& in, T* shared, const T* from, long long row_stride, long long column_stride) {
        constexpr int lanes = small_group<n>::lanes, pitch = n | 1;
        const bool by_rows = column_stride == 1;
        const long long slow_stride = by_rows ? row_stride : column_stride;
#pragma unroll
        for (int e = 0; e < n * n; e += lanes) {
            const int k = e + in.lane, slow = k / n, fast = k % n;
            if (k < n * n) shared[by_rows ? slow * pitch + fast : fast * pitch + slow] = from[slow * slow_stride + fast];
        }
        __syncwarp();
#pragma unroll
        for (int j = 0; j < n; ++j) at[j] = shared[(in.lane < n ? in.lane : 0) * pitch + j];
        step = in.lane < n ? n : -1;
        diagonal = at[0];
    }

    __device__ bool is_finite_row() const {
        bool finite = true;
#pragma unroll
        for (int j = 0; j < n; ++j) finite = finite && is_finite(at[j]);
        return finite;
    }

    /// The lane of the largest element of column k among the rows that are left; one that is NaN is larger than all.
    __device__ int largest(const small_group<n>& in, int k) const {
        real size = size_of(at[k]);
        if (!(size == size)) size = real(1) / real(0);
        if (step != n) size = real(-1);
        real most = size;
#pragma unroll
        for (int by = in.lanes / 2; by > 0; by /= 2) {
            const real other = __shfl_xor_sync(0xffffffffu, most, by, in.lanes);
            most = most < other ? other : most;
        }
        return __ffs((int)in.where(size == most)) - 1;
    }

    __device__ void factor(const small_group<n>& in) {
#pragma unroll
        for (int k = 0; k < n; ++k) {
            const int lane = largest(in, k);
            pivots[k / a_word] |= (unsigned)lane << k % a_word * 5;
            const T top = in.of_lane(at[k], lane);
            if (size_of(top) == real(0) && without == 0) without = k + 1;
            if (in.lane == lane) {
                step = k;
                diagonal = top;
            }
            const bool below = step == n;
            if (below) at[k] = quotient(at[k], top);
            const T minus = negated(at[k]);
#pragma unroll
            for (int j = k + 1; j < n; ++j) {
                const T above = in.of_lane(at[j], lane);
                if (below) at[j] = with_product(at[j], minus, above);
            }
        }
    }

    /// Of b's rows to x's: row k of x is lane k's.
    template <int columns>
    __device__ void solve(const small_group<n>& in, T (&b)[columns], T (&x)[columns]) const {
#pragma unroll
        for (int k = 0; k < n; ++k) {
            const T minus = negated(at[k]);
#pragma unroll
            for (int c = 0; c < columns; ++c) {
                const T above = in.of_lane(b[c], pivot(k));
                if (step > k) b[c] = with_product(b[c], minus, above);
            }
        }
#pragma unroll
        for (int k = n - 1; k >= 0; --k) {
            const T minus = negated(at[k]);
#pragma unroll
            for (int c = 0; c < columns; ++c) {
                const T found = in.of_lane(quotient(b[c], diagonal), pivot(k));
                if (step < k) b[c] = with_product(b[c], minus, found);
                if (in.lane == k) x[c] = found;
            }
        }
    }
};

/// Right sides, `columns` at a time, and what is found of them, which is dense.
template <class T, int n, int columns>
__device__ __forceinline__ void solve_sides(const small_group<n>& in, const small_row<T, n>& row, const T* b,
                                            long long b_row, long long b_column, T* x, long long sides, bool is_one) {
    using real = small_real<T>;
    const T nothing = of_real(real(0), T()), strange = of_real(small_nan(real()), T());
    for (long long first = 0; first < sides; first += columns) {
        T given[columns], found[columns];
#pragma unroll
        for (int c = 0; c < columns; ++c) {
            given[c] = found[c] = nothing;
            if (in.lane < n && first + c < sides) given[c] = b[in.lane * b_row + (first + c) * b_column];
        }
        row.solve(in, given, found);
#pragma unroll
        for (int c = 0; c < columns; ++c)
            if (is_one && in.lane < n && first + c < sides)
                x[in.lane * sides + first + c] = row.without != 0 ? strange : found[c];
    }
}

/// x, status and first may be null: the solutions; of each matrix the first column without a pivot, from 1, else 0; the
/// smallest number of a matrix that has one. Of a matrix that is not finite nothing is said: its solution is not either.
template <class T, int n, int columns>
__global__ void __launch_bounds__(small_threads(n, sizeof(T)))
    small_solve(const T* __restrict__ a, long long a_row, long long a_column, long long a_outer, long long a_inner,
                const T* __restrict__ b, long long b_row, long long b_column, long long b_outer, long long b_inner,
                T* __restrict__ x, long long sides, long long* status, unsigned long long* first, long long first_number,
                long long inner, long long count) {
    constexpr int groups = small_threads(n, sizeof(T)) / small_lanes(n), shared_elements = n * (n | 1);
    __shared__ T shared[groups * shared_elements];
    const small_group<n> in;
    const long long number = (long long)blockIdx.x * groups + in.number;
    const bool is_one = number < count;
    const long long matrix = is_one ? number : count - 1;
    small_row<T, n> row;
    row.load(in, shared + in.number * shared_elements, a + place_of(matrix, inner, a_outer, a_inner, count), a_row,
             a_column);
    const bool finite = in.where(!row.is_finite_row()) == 0;
    row.factor(in);
    if (x)
        solve_sides<T, n, columns>(in, row, b + place_of(matrix, inner, b_outer, b_inner, count), b_row, b_column,
                                   x + matrix * n * sides, sides, is_one);
    if (!is_one || in.lane != 0) return;
    const int problem = finite ? row.without : 0;
    if (status) status[matrix] = problem;
    if (first && problem != 0) atomicMin(first, (unsigned long long)(first_number + matrix));
}
