// A program's own CUDA kernels on a GPU, where there is one: what the fake driver cannot tell, that the device runs what the
// text says. And that NVRTC compiles such texts, which needs none.
#include <frit/frit.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "src/cuda/nvrtc.hpp"

namespace {

using frit::array;
using frit::inout;
using frit::raw_kernel;
namespace cuda = frit::detail::cuda;

constexpr const char* axpy_text = R"(
extern "C" __global__ void axpy(float* __restrict__ y, const float* __restrict__ x, float a, int n) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n) y[k] += a * x[k];
})";

constexpr const char* totals_text = R"(
#include "add.hpp"
template <typename T, int threads> __global__ void totals(T* sums, const T* x, long long n) {
    extern __shared__ __align__(16) unsigned char memory[];
    T* const part = reinterpret_cast<T*>(memory);
    T sum = 0;
    for (long long k = blockIdx.x * threads + threadIdx.x; k < n; k += gridDim.x * threads) sum = add(sum, x[k]);
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] = add(part[threadIdx.x], part[threadIdx.x + half]);
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
})";
const frit::nvrtc_options totals_options{
    .headers = {{"add.hpp", "template <class T> __device__ T add(T a, T b) { return a + b; }"}}};

frit::detail::raw_source source_of(std::string name, std::string text, const frit::nvrtc_options& options = {}) {
    frit::detail::raw_source s;
    s.name = std::move(name);
    s.text = std::move(text);
    s.flags = options.flags;
    s.headers = options.headers;
    return s;
}

TEST(RawKernelText, Compiles) {
    if (std::string why; !cuda::has_nvrtc(why)) GTEST_SKIP() << why;
    for (const int sm : {80, 90}) {
        const cuda::compiled_raw plain = cuda::compile_raw(source_of("axpy", axpy_text), sm);
        EXPECT_TRUE(plain.good) << plain.log;
        EXPECT_EQ(plain.symbol, "axpy");
        const cuda::compiled_raw made = cuda::compile_raw(source_of("totals<double, 256>", totals_text, totals_options), sm);
        EXPECT_TRUE(made.good) << made.log;
        EXPECT_EQ(made.symbol, "_Z6totalsIdLi256EEvPT_PKS0_x");
        EXPECT_NE(made.cubin.find(made.symbol), std::string::npos);
    }
    const cuda::compiled_raw wrong = cuda::compile_raw(source_of("totals<double, 256>", totals_text), 90);
    EXPECT_FALSE(wrong.good);
    EXPECT_NE(wrong.log.find("add.hpp"), std::string::npos) << wrong.log;
}

class RawKernelOnGpu : public ::testing::Test {
protected:
    void SetUp() override {
        if (frit::device::cuda_count() == 0) GTEST_SKIP() << "no GPU here";
        here.emplace(frit::device::cuda(0));
        const std::string name = here->current().description();
        if (name.find("stand-in") != std::string::npos) GTEST_SKIP() << "no GPU here";
    }
    struct on {
        explicit on(frit::device d) : device(d), guard(d) {}
        frit::device current() const { return device; }
        frit::device device;
        frit::scoped_device guard;
    };
    std::optional<on> here;
};

TEST_F(RawKernelOnGpu, BetweenFormulas) {
    const raw_kernel k("axpy", axpy_text);
    constexpr int n = 100'003;
    const array<float> x = frit::arange<float>(n);
    array<float> y = x * 2;
    const array<float> before = y;
    k.launch({(n + 255) / 256}, {256}, inout(y), x + 1, 0.5, n);
    y -= 0.5f;
    const std::vector<float> got = y.to_vector();
    for (int i = 0; i < n; ++i) ASSERT_EQ(got[static_cast<std::size_t>(i)], 2.5f * static_cast<float>(i)) << i;
    EXPECT_EQ(before(n - 1).item(), 2.0f * (n - 1));
    EXPECT_GT(k.registers(), 0);
    EXPECT_GT(k.occupancy({256}).blocks, 0);
    EXPECT_LE(k.occupancy({256}).fraction, 1);
}

TEST_F(RawKernelOnGpu, TemplatesHeadersAndSharedMemory) {
    const raw_kernel k("totals<double, 256>", totals_text, totals_options);
    constexpr int blocks = 40;
    constexpr std::int64_t n = 1'000'000;
    array<double> sums = frit::zeros<double>(blocks);
    k.launch({blocks}, {256}, frit::shared_memory(256 * sizeof(double)), inout(sums), frit::arange<double>(n), n);
    EXPECT_EQ(sum(sums).item(), 0.5 * n * (n - 1));
}

TEST_F(RawKernelOnGpu, MuchSharedMemory) {
    const raw_kernel k("fill", R"(
        extern "C" __global__ void fill(int* y, int n) {
            extern __shared__ int memory[];
            for (int k = threadIdx.x; k < n; k += blockDim.x) memory[n - 1 - k] = k;
            __syncthreads();
            for (int k = threadIdx.x; k < n; k += blockDim.x) y[k] = memory[k];
        })");
    constexpr int n = 64 * 1024 / 4;
    array<int> y = frit::zeros<int>(n);
    k.launch({1}, {1024}, frit::shared_memory(n * 4), inout(y), n);
    EXPECT_EQ(y(0).item(), n - 1);
    EXPECT_EQ(y(n - 1).item(), 0);
    k.launch({1}, {1024}, frit::shared_memory(227 * 1024), inout(y), n);
    try {
        y.eval();  // devices differ in what a block may have
        EXPECT_EQ(y(5).item(), n - 6);
    } catch (const frit::device_error& e) {
        EXPECT_NE(std::string(e.what()).find("shared memory"), std::string::npos) << e.what();
    }
}

TEST_F(RawKernelOnGpu, SixteenBitsAndSeveralResults) {
    const raw_kernel k("split", R"(
        struct __half { unsigned short bits; };
        extern "C" __global__ void split(__half* low, __half* high, const __half* x, __half limit, int n) {
            for (int k = threadIdx.x; k < n; k += blockDim.x)
                (x[k].bits < limit.bits ? low : high)[k] = x[k];  // positive numbers are ordered as their bits
        })");
    const array<frit::half> x{frit::half(1.f), frit::half(2.f), frit::half(3.f)};
    array<frit::half> low = frit::zeros<frit::half>(3), high = low;
    k.launch({1}, {32}, inout(low), inout(high), x, 2.5, 3);
    const frit::counters before = frit::stats();
    EXPECT_EQ(static_cast<float>(high(2).item()), 3);
    EXPECT_EQ(static_cast<float>(low(1).item()), 2);
    EXPECT_EQ(static_cast<float>(low(2).item()), 0);
    EXPECT_EQ(frit::stats().library_calls, before.library_calls + 1);
}

// As users of PyCUDA begin: a 4 x 4 array, doubled by a kernel of one block.
TEST_F(RawKernelOnGpu, AnArrayIsDoubled) {
    const raw_kernel twice("twice", R"(
        __global__ void twice(float* a) { a[threadIdx.x + 4 * threadIdx.y] *= 2; })");
    frit::random::generator g(1);
    array<float> a = g.normal<float>({4, 4});
    const std::vector<float> before = a.to_vector();
    twice.launch({1}, {4, 4}, inout(a));
    const std::vector<float> after = a.to_vector();
    for (std::size_t k = 0; k < before.size(); ++k) EXPECT_EQ(after[k], 2 * before[k]);
}

}  // namespace
