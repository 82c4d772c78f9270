// CUDA text, a part of its own: spectra of rows of real float32 numbers, with a window before the transform and magnitudes
// behind it. A row's 2 n numbers are n complex ones, n = lanes * across, and `lanes` threads have it in their registers:
// transforms of `across` numbers, an exchange through shared memory, transforms of `lanes` numbers. Both residues whose
// numbers the split of a real transform pairs are one thread's, or each a lane's, where there are as many lanes as residues.
// What the rows of a block give is written as one run.

struct alignas(8) complex_value {
    float re, im;
};
__device__ __forceinline__ complex_value operator+(complex_value a, complex_value b) { return {a.re + b.re, a.im + b.im}; }
__device__ __forceinline__ complex_value operator-(complex_value a, complex_value b) { return {a.re - b.re, a.im - b.im}; }
__device__ __forceinline__ complex_value operator*(complex_value a, complex_value b) {
    return {fmaf(a.re, b.re, -(a.im * b.im)), fmaf(a.re, b.im, a.im * b.re)};
}

// --- roots of unity ---

/// exp(-2 pi i k / n) by size, n a multiple of 4: of an angle of at most 45 degrees, by its series in float64.
__host__ __device__ constexpr complex_value root_of_unity(int k, int n, double size = 1) {
    const int quarter = n / 4, turns = k % n / quarter, rest = k % quarter;
    const bool is_steep = 2 * rest > quarter;
    const double x = 6.283185307179586477 * (is_steep ? quarter - rest : rest) / n;
    double even = 1, odd = 1;
    for (int m = 20; m > 0; m -= 2) {
        even = 1 - x * x / (m * (m - 1)) * even;
        odd = 1 - x * x / (m * (m + 1)) * odd;
    }
    const double c = size * (is_steep ? x * odd : even), s = size * (is_steep ? even : x * odd);
    const double re = turns == 0 ? c : turns == 1 ? -s : turns == 2 ? -c : s;
    const double im = turns == 0 ? -s : turns == 1 ? -c : turns == 2 ? s : c;
    return {(float)re, (float)im};
}

/// exp(-2 pi i k / n) z
template <int k, int n>
__device__ __forceinline__ complex_value turned(complex_value z) {
    constexpr float diagonal = root_of_unity(1, 8).re;
    if constexpr (k == 0)
        return z;
    else if constexpr (8 * k == n)
        return {diagonal * (z.re + z.im), diagonal * (z.im - z.re)};
    else if constexpr (4 * k == n)
        return {z.im, -z.re};
    else if constexpr (8 * k == 3 * n)
        return {diagonal * (z.im - z.re), -diagonal * (z.re + z.im)};
    else {
        constexpr complex_value root = root_of_unity(k, n);
        return z * complex_value{root.re, root.im};
    }
}

/// Whether a lane has one residue: the other numbers of its pairs are another lane's.
template <int lanes, int across>
constexpr bool has_one = lanes == across;
/// The residues that iteration m of a row's lane has: `lower`, and across - lower; of 0 the one that is its own other.
template <int lanes, int across>
struct residues {
    int lower, upper;
    bool are_own;  ///< each pairs with itself
    __host__ __device__ constexpr residues(int lane, int m)
        : lower(lane + lanes * m),
          upper(lower == 0 ? across / 2 : across - lower),
          are_own(lower == 0 && !has_one<lanes, across>) {}
    /// The lower one of the two frequencies of pair i < lanes.
    __host__ __device__ constexpr int frequency(int i) const {
        return are_own && i >= lanes / 2 ? upper + across * (i - lanes / 2) : lower + across * i;
    }
};
template <int lanes, int across>
constexpr int iterations = has_one<lanes, across> ? 1 : across / 2 / lanes;

/// By what lanes turn their numbers between the two transforms, as they read it: for each k < across, for each lane.
template <int lanes, int across>
struct table_of_turns {
    complex_value at[across * lanes];
    __host__ __device__ constexpr table_of_turns() : at() {
        for (int k = 0; k < across * lanes; ++k) at[k] = root_of_unity(k / lanes * (k % lanes), across * lanes);
    }
};
/// By what they turn, and halve, the odd elements' part of each pair.
template <int lanes, int across>
struct table_of_halves {
    static constexpr int size = iterations<lanes, across> * lanes * lanes;
    complex_value at[size];
    __host__ __device__ constexpr table_of_halves() : at() {
        for (int k = 0; k < size; ++k) {
            const residues<lanes, across> of(k % lanes, k / lanes / lanes);
            at[k] = root_of_unity(of.frequency(k / lanes % lanes), 2 * across * lanes, 0.5);
        }
    }
};
template <int lanes, int across>
__device__ const table_of_turns<lanes, across> turns;
template <int lanes, int across>
__device__ const table_of_halves<lanes, across> halves;

__device__ __forceinline__ complex_value loaded(const complex_value* from) {
    const float2 pair = __ldg((const float2*)from);
    return {pair.x, pair.y};
}

// --- transforms in registers ---

template <int k>
struct number {
    static constexpr int value = k;
};
/// f(number<0>), f(number<1>), ...: registers are named by constants.
template <int count, int first = 0, class F>
__device__ __forceinline__ void each(F f) {
    if constexpr (first < count) {
        f(number<first>());
        each<count, first + 1>(f);
    }
}

template <int step>
__device__ __forceinline__ void transform_of_4(complex_value a, complex_value b, complex_value c, complex_value d,
                                               complex_value* to) {
    const complex_value s = a + c, r = a - c, p = b + d, q = b - d;
    to[0] = s + p;
    to[step] = {r.re + q.im, r.im - q.re};
    to[2 * step] = s - p;
    to[3 * step] = {r.re - q.im, r.im + q.re};
}

/// Of from[0], from[step], ...: n of them, 2 to 32.
template <int n, int step = 1>
__device__ __forceinline__ void transform(const complex_value* from, complex_value* to) {
    if constexpr (n == 2) {
        to[0] = from[0] + from[step];
        to[1] = from[0] - from[step];
    } else if constexpr (n == 4) {
        transform_of_4<1>(from[0], from[step], from[2 * step], from[3 * step], to);
    } else {
        constexpr int inner = n / 4;
        complex_value part[4][inner];
        each<4>([&](auto j) { transform<inner, 4 * step>(from + j.value * step, part[j.value]); });
        each<inner>([&](auto j) {
            constexpr int k = decltype(j)::value;
            transform_of_4<inner>(part[0][k], turned<k, n>(part[1][k]), turned<2 * k, n>(part[2][k]),
                                  turned<3 * k, n>(part[3][k]), to + k);
        });
    }
}

// --- magnitudes ---

__device__ __noinline__ float magnitude_by_parts(float re, float im) { return hypotf(re, im); }
/// By the root of the squares where these neither overflow nor vanish.
__device__ __forceinline__ float magnitude_of(complex_value z) {
    const float square = fmaf(z.re, z.re, z.im * z.im);
    if (__float_as_uint(square) - 0x10000000u >= 0x6e000000u) return magnitude_by_parts(z.re, z.im);
    float inverse;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(square));
    const float root = square * inverse;
    return fmaf(fmaf(-root, root, square), 0.5f * inverse, root);
}

// --- rows ---

__device__ __forceinline__ bool is_at_pair(const void* p) { return (unsigned long long)p % sizeof(float2) == 0; }
__device__ __forceinline__ float2 pair_at(const float* p) { return make_float2(__ldg(p), __ldg(p + 1)); }

/// A lane's pairs of a row's elements, times the window's. @param are_aligned  they lie where pairs do
template <int lanes, int across, bool has_window>
__device__ __forceinline__ void load_row(const float* row, const float* window, int lane, bool are_aligned,
                                         complex_value* z) {
    const auto put = [&](int j, float2 x) { z[j] = {x.x, x.y}; };
    const auto multiply = [&](int j, float2 w) { z[j] = {z[j].re * w.x, z[j].im * w.y}; };
    if (are_aligned) {
#pragma unroll
        for (int j = 0; j < across; ++j) put(j, __ldcs((const float2*)row + lane + lanes * j));
#pragma unroll
        for (int j = 0; has_window && j < across; ++j) multiply(j, __ldg((const float2*)window + lane + lanes * j));
    } else {
#pragma unroll
        for (int j = 0; j < across; ++j) put(j, pair_at(row + 2 * (lane + lanes * j)));
#pragma unroll
        for (int j = 0; has_window && j < across; ++j) multiply(j, pair_at(window + 2 * (lane + lanes * j)));
    }
}

/// The transform of a row's complex numbers, the frequencies of each iteration's two residues.
template <int lanes, int across, int count>
__device__ __forceinline__ void transform_row(const complex_value* z, int lane, complex_value* shared,
                                              complex_value (&lower)[count][lanes], complex_value (&upper)[count][lanes]) {
    constexpr int pitch = lanes + 1;
    complex_value y[across], line[lanes];
    transform<across>(z, y);
    each<across>([&](auto k) {
        constexpr int at = decltype(k)::value;
        shared[at * pitch + lane] = at == 0 ? y[0] : y[at] * loaded(&turns<lanes, across>.at[at * lanes + lane]);
    });
    __syncwarp();
    each<count>([&](auto m) {
        const residues<lanes, across> of(lane, m.value);
        each<lanes>([&](auto i) { line[i.value] = shared[of.lower * pitch + i.value]; });
        transform<lanes>(line, lower[m.value]);
        if constexpr (has_one<lanes, across>) return;
        each<lanes>([&](auto i) { line[i.value] = shared[of.upper * pitch + i.value]; });
        transform<lanes>(line, upper[m.value]);
    });
}

/// What the odd elements have in a pair of frequencies, turned.
__device__ __forceinline__ complex_value odd_part(complex_value a, complex_value b, complex_value turn) {
    return complex_value{a.im + b.im, b.re - a.re} * turn;
}
/// The lower frequency of a pair: the even elements' part, which the pair has twice, and the odd ones'.
__device__ __forceinline__ complex_value with_even_part(complex_value a, complex_value b, complex_value odd) {
    return {fmaf(0.5f, a.re + b.re, odd.re), fmaf(0.5f, a.im - b.im, odd.im)};
}

/// The frequencies of the real row, store(k, value), of those of a lane's residue.
template <int lanes, class Store>
__device__ __forceinline__ void split_across_lanes(const complex_value* own, int lane, Store store) {
    each<lanes>([&](auto at) {
        constexpr int i = decltype(at)::value;
        const int other = (lanes - lane) % lanes;
        complex_value b{__shfl_sync(0xffffffffu, own[lanes - 1 - i].re, other, lanes),
                        __shfl_sync(0xffffffffu, own[lanes - 1 - i].im, other, lanes)};
        if (lane == 0) b = own[(lanes - i) % lanes];
        const complex_value turn = loaded(&halves<lanes, lanes>.at[i * lanes + lane]);
        store(lane + lanes * i, with_even_part(own[i], b, odd_part(own[i], b, turn)));
    });
    if (lane == 0) store(lanes * lanes, complex_value{own[0].re - own[0].im, 0.0f});
}
/// Of those of one iteration's pairs.
template <int lanes, int across, class Store>
__device__ __forceinline__ void split(const complex_value* lower, const complex_value* upper, int lane, int m, Store store) {
    constexpr int half = lanes / 2, length = lanes * across;
    const residues<lanes, across> of(lane, m);
    each<lanes>([&](auto at) {
        constexpr int i = decltype(at)::value;
        complex_value a, b;  // of frequencies k and length - k
        if constexpr (i < half) {
            a = lower[i];
            b = of.are_own ? lower[(lanes - i) % lanes] : upper[lanes - 1 - i];
        } else {
            a = of.are_own ? upper[i - half] : lower[i];
            b = of.are_own ? upper[lanes - 1 - (i - half)] : upper[lanes - 1 - i];
        }
        const int k = of.frequency(i);
        const complex_value turn = loaded(&halves<lanes, across>.at[(m * lanes + i) * lanes + lane]);
        const complex_value odd = odd_part(a, b, turn);
        store(k, with_even_part(a, b, odd));
        store(length - k, complex_value{fmaf(0.5f, a.re + b.re, -odd.re), fmaf(-0.5f, a.im - b.im, odd.im)});
    });
    if (of.are_own) store(length / 2, complex_value{lower[half].re, -lower[half].im});
}

/// Writes what the rows of a block have given, one behind the other.
template <int whole, class T>
__device__ __forceinline__ void write_run(const T* shared, T* to, int count) {
    constexpr int of_vector = 16 / sizeof(T);
    static_assert(whole % of_vector == 0, "blocks begin where vectors do");
    if (count == whole && (unsigned long long)to % 16 == 0) {
#pragma unroll 4
        for (int k = threadIdx.x; k < whole / of_vector; k += blockDim.x)
            __stcs((float4*)to + k, ((const float4*)shared)[k]);
    } else {
        for (int k = threadIdx.x; k < count; k += blockDim.x) to[k] = shared[k];
    }
}

template <bool magnitudes>
struct result_of {
    using type = complex_value;
};
template <>
struct result_of<true> {
    using type = float;
};

/// lanes * across + 1 numbers, or their magnitudes, of each row. Row r begins at x + r * step; no window: null.
template <int lanes, int across, bool has_window, bool magnitudes, int threads>
__global__ __launch_bounds__(threads, 4) void real_rows(const float* __restrict__ x, long long step,
                                                        const float* __restrict__ window, void* __restrict__ out,
                                                        long long rows) {
    constexpr int length = lanes * across, bins = length + 1, rows_of_block = threads / lanes,
                  count = iterations<lanes, across>;
    alignas(16) __shared__ complex_value shared[rows_of_block][across * (lanes + 1)];
    const int lane = threadIdx.x % lanes, own = threadIdx.x / lanes;
    const long long first = blockIdx.x * (long long)rows_of_block, left = rows - first;
    const int here = left < rows_of_block ? (int)left : rows_of_block;
    const float* const row = x + (first + (own < here ? own : here - 1)) * step;
    const bool are_aligned = is_at_pair(x) && step % 2 == 0 && is_at_pair(window);
    complex_value z[across], lower[count][lanes], upper[count][lanes];
    load_row<lanes, across, has_window>(row, window, lane, are_aligned, z);
    transform_row<lanes, across>(z, lane, shared[own], lower, upper);
    __syncthreads();
    using result = typename result_of<magnitudes>::type;
    result* const results = (result*)&shared[0][0];
    const auto store = [&](int k, complex_value value) {
        if constexpr (magnitudes)
            results[own * bins + k] = magnitude_of(value);
        else
            results[own * bins + k] = value;
    };
    if constexpr (has_one<lanes, across>)
        split_across_lanes<lanes>(lower[0], lane, store);
    else
        each<count>([&](auto m) { split<lanes, across>(lower[m.value], upper[m.value], lane, m.value, store); });
    __syncthreads();
    write_run<rows_of_block * bins>(results, (result*)out + first * bins, here * bins);
}
