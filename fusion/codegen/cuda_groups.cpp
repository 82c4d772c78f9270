// The prelude of CUDA reductions: how the accumulators of a thread, a warp, a block and a grid become one, each by a fixed
// tree. An accumulator A is a struct that the kernel's text defines: A::start() is the identity, A::take(a, b) takes in b,
// which has met elements, on the right, A::combine(a, b) is the same where a has met some or b has not, A::down and A::from
// are shuffles.
#include "fusion/codegen/cuda_prelude.hpp"

namespace frit::inline v0::fusion {
namespace {

constexpr cuda_prelude_entry entries[] = {
    {"frit_down", R"(
__device__ inline int frit_down(int v, int by) { return __shfl_down_sync(0xffffffffu, v, by); }
__device__ inline unsigned frit_down(unsigned v, int by) { return __shfl_down_sync(0xffffffffu, v, by); }
__device__ inline long long frit_down(long long v, int by) { return __shfl_down_sync(0xffffffffu, v, by); }
__device__ inline unsigned long long frit_down(unsigned long long v, int by) {
    return __shfl_down_sync(0xffffffffu, v, by);
}
__device__ inline float frit_down(float v, int by) { return __shfl_down_sync(0xffffffffu, v, by); }
__device__ inline double frit_down(double v, int by) { return __shfl_down_sync(0xffffffffu, v, by); }
__device__ inline bool frit_down(bool v, int by) { return __shfl_down_sync(0xffffffffu, (int)v, by) != 0; }
template <class T>
__device__ T frit_down(T v, int by) {
    return typename T::value(frit_down(v.v + 0, by));  // + 0: narrow ones as int
}
__device__ inline int frit_from(int v, int lane) { return __shfl_sync(0xffffffffu, v, lane); }
__device__ inline unsigned frit_from(unsigned v, int lane) { return __shfl_sync(0xffffffffu, v, lane); }
__device__ inline long long frit_from(long long v, int lane) { return __shfl_sync(0xffffffffu, v, lane); }
__device__ inline unsigned long long frit_from(unsigned long long v, int lane) { return __shfl_sync(0xffffffffu, v, lane); }
__device__ inline float frit_from(float v, int lane) { return __shfl_sync(0xffffffffu, v, lane); }
__device__ inline double frit_from(double v, int lane) { return __shfl_sync(0xffffffffu, v, lane); }
__device__ inline bool frit_from(bool v, int lane) { return __shfl_sync(0xffffffffu, (int)v, lane) != 0; }
template <class T>
__device__ T frit_from(T v, int lane) {
    return typename T::value(frit_from(v.v + 0, lane));
}
)"},
    // The same value, of which the optimiser knows nothing.
    {"frit_opaque", R"(
template <class T>
__device__ T frit_opaque(T a) {
    asm("" : "+l"(a.v));
    return a;
}
)"},
    // N neighbours as one, pairwise: what a variance divides by is known when the text is compiled.
    {"frit_tree", R"(
template <int N, class A>
__device__ A frit_tree(A* x) {
#pragma unroll
    for (int s = 1; s < N; s *= 2)
#pragma unroll
        for (int k = 0; k + s < N; k += 2 * s) x[k] = A::combine(x[k], x[k + s]);
    return x[0];
}
)"},
    // The same tree of the first `count` alone, behind what a has taken in.
    {"frit_partial", R"(
template <int N, class A>
__device__ A frit_partial(A a, A* x, int count) {
#pragma unroll
    for (int s = 1; s < N; s *= 2)
#pragma unroll
        for (int k = 0; k + s < N; k += 2 * s)
            if (k + s < count) x[k] = A::combine(x[k], x[k + s]);
    return count > 0 ? A::take(a, x[0]) : a;
}
)"},
    // One accumulator per thread of a group of neighbouring lanes of a warp; all of the group get the total.
    {"frit_group_total", R"(
template <int Lanes, class A>
__device__ A frit_group_total(A a) {
#pragma unroll
    for (int by = Lanes / 2; by > 0; by /= 2) a = A::combine(a, A::down(a, by));
    return A::from(a, (threadIdx.y * blockDim.x + threadIdx.x) % 32 / Lanes * Lanes);
}
)"},
    // One accumulator per thread of a block of Warps warps; all get the total. Between two calls for one A there is a
    // barrier.
    {"frit_block_total", R"(
template <int Warps, class A>
__device__ A frit_block_total(A a) {
    __shared__ A part[Warps];
#pragma unroll
    for (int by = 16; by > 0; by /= 2) a = A::combine(a, A::down(a, by));
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = a;
    __syncthreads();
    a = part[threadIdx.x % Warps];
#pragma unroll
    for (int by = Warps / 2; by > 0; by /= 2) a = A::combine(a, A::down(a, by));
    return A::from(a, 0);
}
)"},
    // One accumulator per thread; those that differ in threadIdx.y alone become one, which all of them get.
    {"frit_column_total", R"(
template <int Rows, class A>
__device__ A frit_column_total(A a, A* part) {
    const unsigned here = threadIdx.y * blockDim.x + threadIdx.x;
    __syncthreads();
    part[here] = a;
#pragma unroll
    for (unsigned by = Rows / 2; by > 0; by /= 2) {
        __syncthreads();
        if (threadIdx.y < by) part[here] = a = A::combine(a, part[here + by * blockDim.x]);
    }
    __syncthreads();
    return part[threadIdx.x];
}
)"},
    // Of `blocks` blocks that share a ticket all but the last to come get false; the last sees what the others wrote before.
    {"frit_last_block", R"(
__device__ inline bool frit_last_block(unsigned* ticket, unsigned blocks) {
    __shared__ bool last;
    __syncthreads();
    if (threadIdx.x + threadIdx.y == 0) {
        __threadfence();
        last = atomicAdd(ticket, 1u) == blocks - 1;
        if (last) *ticket = 0;
    }
    __syncthreads();
    if (last) __threadfence();
    return last;
}
)"},
};

}  // namespace

std::span<const cuda_prelude_entry> cuda_group_entries() { return entries; }

}  // namespace frit::v0::fusion
