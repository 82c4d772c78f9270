// CUDA text behind numbers.cuh: a x = b by LU factors, a group of lanes a matrix, a row a lane, in registers. Rows stay
// where they are: that one was the pivot of a step is all that an exchange is. Pivots are the largest of their column, as
// LAPACK's.

/// The lanes of a warp that share a matrix: a power of two. All of a warp's come to every function here, with a matrix or
/// without.
template <int of_one>
struct small_group {
    static constexpr int lanes = of_one;
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
template <class T, int n, class group>
struct small_row {
    using real = small_real<T>;
    static constexpr int a_word = 6;  // pivots
    T at[n], diagonal;
    int step;         ///< in which it was the pivot; n: in none yet; -1: a lane without a row
    int without = 0;  ///< the first step, from 1, that has no pivot; 0: all have one
    unsigned pivots[(n + a_word - 1) / a_word] = {};
    T* kept;  ///< the row in shared memory

    // Loops over right sides are written out for few rows only: for many that would be thousands of instructions, and
    // seconds of the compiler's. They read the factors from shared memory then: registers have no number that is computed.
    static constexpr bool rolled = n > 16;
    static constexpr int written_out = rolled ? 4 : n;
    __device__ T factor_of(int k) const {
        if constexpr (rolled)
            return kept[k];
        else
            return at[k];
    }
    __device__ int pivot(const group& in, int k) const {
        if constexpr (rolled)
            return __ffs((int)in.where(step == k)) - 1;
        else
            return pivots[k / a_word] >> k % a_word * 5 & 31;
    }

    /// Through shared memory, as it lies, and turned on the way where it lies by columns.
    __device__ void load(const group& in, T* shared, const T* from, long long row_stride, long long column_stride) {
        constexpr int lanes = group::lanes, pitch = n | 1;
        const bool by_rows = column_stride == 1;
        const long long slow_stride = by_rows ? row_stride : column_stride;
#pragma unroll
        for (int e = 0; e < n * n; e += lanes) {
            const int k = e + in.lane, slow = k / n, fast = k % n;
            if (k < n * n) shared[by_rows ? slow * pitch + fast : fast * pitch + slow] = from[slow * slow_stride + fast];
        }
        __syncwarp();
        kept = shared + (in.lane < n ? in.lane : 0) * pitch;
#pragma unroll
        for (int j = 0; j < n; ++j) at[j] = kept[j];
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
    __device__ int largest(const group& in, int k) const {
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

    /// Step k, whose column is at[column]: finds the pivot, and divides what is below by it. @returns the pivot's lane
    __device__ int divide(const group& in, int k, int column) {
        const int lane = largest(in, column);
        const T top = in.of_lane(at[column], lane);
        if (size_of(top) == real(0) && without == 0) without = k + 1;
        if (in.lane == lane) {
            step = k;
            diagonal = top;
        }
        if (step == n) at[column] = quotient(at[column], top);
        return lane;
    }

    __device__ void factor(const group& in) {
        if constexpr (rolled && sizeof(T) > sizeof(real))
            factor_in_loops(in);
        else
            factor_written_out(in);
    }
    __device__ void factor_written_out(const group& in) {
#pragma unroll
        for (int k = 0; k < n; ++k) {
            const int lane = divide(in, k, k);
            pivots[k / a_word] |= (unsigned)lane << k % a_word * 5;
            const bool below = step == n;
            const T minus = negated(at[k]);
#pragma unroll
            for (int j = k + 1; j < n; ++j) {
                const T above = in.of_lane(at[j], lane);
                if (below) at[j] = with_product(at[j], minus, above);
            }
        }
        if constexpr (rolled) keep(in);
    }
    __device__ void keep(const group& in) const {
        __syncwarp();
        if (in.lane < n)
#pragma unroll
            for (int j = 0; j < n; ++j) kept[j] = at[j];
        __syncwarp();
    }
    /// The same of many complex rows, a few steps a loop: columns move to the left with every step, so the first is always
    /// that of the pivot, and factors are kept at once.
    __device__ void factor_in_loops(const group& in) {
        constexpr int steps = 8;
        __syncwarp();
#pragma unroll
        for (int begin = 0; begin < n; begin += steps)
#pragma unroll 1
            for (int k = begin; k < n && k < begin + steps; ++k) {
                const int lane = divide(in, k, 0);
                const bool below = step == n;
                const T minus = negated(at[0]);
                if (in.lane < n) kept[k] = at[0];
#pragma unroll
                for (int j = 1; j < n - begin; ++j) {
                    const T above = in.of_lane(at[j], lane), less = with_product(at[j], minus, above);
                    at[j - 1] = below ? less : at[j];
                }
            }
        __syncwarp();
    }

    /// Of b's rows to x's: row k of x is lane k's.
    template <int columns>
    __device__ void solve(const group& in, T (&b)[columns], T (&x)[columns]) const {
#pragma unroll written_out
        for (int k = 0; k < n; ++k) {
            const T minus = negated(factor_of(k));
            const int lane = pivot(in, k);
#pragma unroll
            for (int c = 0; c < columns; ++c) {
                const T above = in.of_lane(b[c], lane);
                if (step > k) b[c] = with_product(b[c], minus, above);
            }
        }
#pragma unroll written_out
        for (int k = n - 1; k >= 0; --k) {
            const T minus = negated(factor_of(k));
            const int lane = pivot(in, k);
#pragma unroll
            for (int c = 0; c < columns; ++c) {
                const T found = in.of_lane(quotient(b[c], diagonal), lane);
                if (step < k) b[c] = with_product(b[c], minus, found);
                if (in.lane == k) x[c] = found;
            }
        }
    }
};

/// The right sides from one to another, as many for every group, `columns` at a time, and what is found of those that there
/// are, which is dense.
template <int columns, class T, int n, class group>
__device__ __forceinline__ void solve_sides(const group& in, const small_row<T, n, group>& row, const T* b, long long b_row,
                                            long long b_column, T* x, long long sides, long long begin, long long end,
                                            bool is_one, bool solvable) {
    using real = small_real<T>;
    const T nothing = of_real(real(0), T()), strange = of_real(small_nan(real()), T());
    for (long long first = begin; first < end; first += columns) {
        T given[columns], found[columns];
#pragma unroll
        for (int c = 0; c < columns; ++c) {
            given[c] = found[c] = nothing;
            if (in.lane < n && first + c < sides) given[c] = b[in.lane * b_row + (first + c) * b_column];
        }
        row.solve(in, given, found);
#pragma unroll
        for (int c = 0; c < columns; ++c)
            if (is_one && in.lane < n && first + c < sides) x[in.lane * sides + first + c] = solvable ? found[c] : strange;
    }
}

/// x, status and first may be null: the solutions; of each matrix the first column without a pivot, from 1, else 0; the
/// smallest number of a matrix that has one. Of a matrix that is not finite nothing is said, and its solutions are NaN.
/// @param parts  of a matrix's right sides: each is a group's, which factors the matrix for itself; of one side there is one
/// @param lanes  of a group: the smallest power of two that is not smaller than n @param threads  of a block
template <class T, int n, int columns, int lanes, int threads>
__global__ void __launch_bounds__(threads)
    small_solve(const T* __restrict__ a, long long a_row, long long a_column, long long a_outer, long long a_inner,
                const T* __restrict__ b, long long b_row, long long b_column, long long b_outer, long long b_inner,
                T* __restrict__ x, long long sides, long long parts, long long* status, unsigned long long* first,
                long long first_number, long long inner, long long count) {
    constexpr int groups = threads / lanes, shared_elements = n * (n | 1);
    __shared__ T shared[groups * shared_elements];
    const small_group<lanes> in;
    const long long place = (long long)blockIdx.x * groups + in.number;
    const long long number = columns == 1 ? place : place / parts, part = columns == 1 ? 0 : place % parts;
    const bool is_one = number < count;
    const long long matrix = is_one ? number : count - 1;
    small_row<T, n, small_group<lanes>> row;
    row.load(in, shared + in.number * shared_elements, a + place_of(matrix, inner, a_outer, a_inner, count), a_row,
             a_column);
    const bool finite = in.where(!row.is_finite_row()) == 0;
    row.factor(in);
    if (x) {
        const long long share = columns == 1 ? 1 : ((sides + parts - 1) / parts + columns - 1) / columns * columns;
        solve_sides<columns>(in, row, b + place_of(matrix, inner, b_outer, b_inner, count), b_row, b_column,
                             x + matrix * n * sides, sides, part * share, (part + 1) * share, is_one,
                             finite && row.without == 0);
    }
    if (!is_one || in.lane != 0 || part != 0) return;
    const int problem = finite ? row.without : 0;
    if (status) status[matrix] = problem;
    if (first && problem != 0) atomicMin(first, (unsigned long long)(first_number + matrix));
}
