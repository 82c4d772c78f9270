// A program's own CUDA kernels, compiled by NVRTC and launched on the fake driver, which runs what a test says in their
// place: what a kernel is given, in which order, on which memory, and what is refused.
#include <frit/frit.hpp>
#include <frit/raw_kernel.hpp>

#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "frit/detail/record.hpp"
#include "src/cuda/nvrtc.hpp"
#include "src/cuda/toolkit.hpp"
#include "tests/cuda/fake/fixture.hpp"

namespace {

using namespace frit_test;
using frit::array;
using frit::inout;
using frit::raw_kernel;

constexpr const char* axpy_text = R"(
extern "C" __global__ void axpy(float* y, const float* x, float a, int n) {
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n) y[k] += a * x[k];
})";

template <class T>
T parameter(void** parameters, int k) {
    T value;
    std::memcpy(&value, parameters[k], sizeof value);
    return value;
}

void run_axpy(void** p) {
    auto* const y = parameter<float*>(p, 0);
    const auto* const x = parameter<const float*>(p, 1);
    const auto a = parameter<float>(p, 2);
    for (int k = 0; k < parameter<int>(p, 3); ++k) y[k] += a * x[k];
}

class RawKernel : public FakeDriver {
protected:
    void SetUp() override {
        FakeDriver::SetUp();
        if (IsSkipped()) return;
        here.emplace(frit::device::cuda(0));
        fake().program = run_axpy;
        fake().launched.clear();
    }
    void TearDown() override {
        if (!here) return;
        fake().program = nullptr;
        fake().most_threads = 1024;
        fake().own_shared = 0;
        fake().parameter_bytes.clear();
    }
    std::optional<frit::scoped_device> here;
};

struct cost {
    std::uint64_t calls, kernels, read, written;
    friend bool operator==(const cost&, const cost&) = default;
};
template <class F>
cost cost_of(F&& f) {
    const frit::counters a = frit::stats();
    f();
    const frit::counters b = frit::stats();
    return {b.library_calls - a.library_calls, b.kernels_launched - a.kernels_launched, b.bytes_read - a.bytes_read,
            b.bytes_written - a.bytes_written};
}

TEST_F(RawKernel, IsANodeThatRebindsWhatItWrites) {
    const raw_kernel k("axpy", axpy_text);
    array<float> y{1, 2, 3};
    const array<float> x{10, 20, 30}, old = y;
    k.launch({64}, {256}, inout(y), x, 2.f, 3);
    EXPECT_TRUE(fake().launched.empty()) << "lazy";
    EXPECT_EQ(y.to_vector(), (std::vector<float>{21, 42, 63}));
    EXPECT_EQ(old.to_vector(), (std::vector<float>{1, 2, 3})) << "a copy, for somebody else looks";
    EXPECT_EQ(fake().launched, std::vector<std::string>{"axpy"});
    EXPECT_EQ(fake().grid[0], 64U);
    EXPECT_EQ(fake().grid[1], 1U);
    EXPECT_EQ(fake().block[0], 256U);
    EXPECT_EQ(fake().shared, 0U);
}

TEST_F(RawKernel, InPlaceOrCopiedAndCounted) {
    const raw_kernel k("axpy", axpy_text);
    array<float> y{1, 2, 3};
    const array<float> x{1, 1, 1};
    y.eval(), x.eval();
    const auto launch = [&] {
        k.launch({1}, {32}, inout(y), x, 1.f, 3);
        y.eval();
    };
    EXPECT_EQ(cost_of(launch), (cost{1, 0, 24, 12}));
    const array<float> other = y;
    EXPECT_EQ(cost_of(launch), (cost{1, 0, 36, 24}));
    EXPECT_EQ(cost_of(launch), (cost{1, 0, 24, 12}));
    EXPECT_EQ(other.to_vector(), (std::vector<float>{2, 3, 4}));
    EXPECT_EQ(y.to_vector(), (std::vector<float>{4, 5, 6}));
}

TEST_F(RawKernel, StandsBetweenLazyFormulasInTheirOrder) {
    const raw_kernel k("axpy", axpy_text);
    array<float> y{1, 2, 3};
    y = y * 2 + 1;
    k.launch({1}, {32}, inout(y), y + 1, 1.f, 3);
    y = sqrt(y);
    const frit::plan plan = frit::make_plan(y);
    ASSERT_EQ(plan.library_calls().size(), 1U);
    EXPECT_EQ(plan.library_calls()[0].name(), "axpy (3,)");
    EXPECT_TRUE(contains(frit::explain(y), "axpy(")) << frit::explain(y);
    y.eval();
    const std::vector<std::string>& order = fake().launched;
    ASSERT_GE(order.size(), 3U);
    EXPECT_EQ(order.front(), "frit_kernel");
    EXPECT_EQ(order[order.size() - 2], "axpy");
    EXPECT_EQ(order.back(), "frit_kernel");
}

TEST_F(RawKernel, NumbersAreHandedOverBitForBit) {
    const raw_kernel k("numbers", R"(
        #include <cuda_fp16.h>
        extern "C" __global__ void numbers(bool a, signed char b, unsigned short c, long long d,
                                           unsigned long long e, float f, double g, int* y, __half h, const void* any) { *y = 1; })",
                       {.headers = {{"cuda_fp16.h", "struct __half { unsigned short bits; };"}}});
    fake().program = [](void** p) {
        EXPECT_EQ(parameter<bool>(p, 0), true);
        EXPECT_EQ(parameter<signed char>(p, 1), -128);
        EXPECT_EQ(parameter<unsigned short>(p, 2), 65535);
        EXPECT_EQ(parameter<long long>(p, 3), INT64_MIN);
        EXPECT_EQ(parameter<unsigned long long>(p, 4), UINT64_MAX);
        EXPECT_EQ(parameter<std::uint32_t>(p, 5), 0x3dcccccdU);
        EXPECT_EQ(parameter<std::uint64_t>(p, 6), 0x3fb999999999999aU);
        *parameter<int*>(p, 7) = 5;
        EXPECT_EQ(parameter<std::uint16_t>(p, 8), 0x2e66U);
        EXPECT_EQ(parameter<const double*>(p, 9)[1], 4.0);
    };
    array<int> y{0};
    k.launch({1}, {1}, true, -128, 65535, INT64_MIN, UINT64_MAX, 0.1, 0.1, inout(y), 0.1, array<double>{3, 4});
    EXPECT_EQ(y(0).item(), 5);
}

TEST_F(RawKernel, AnotherNumberCompilesAndPlansNothing) {
    const raw_kernel k("axpy", axpy_text);
    array<float> y{1, 2, 3};
    const array<float> x{1, 1, 1};
    const auto step = [&](float a, int blocks) {
        k.launch({blocks}, {32}, inout(y), x, a, 3);
        y.eval();
    };
    step(1, 1);
    const frit::counters before = frit::stats();
    step(0, 2);
    step(3, 7);
    EXPECT_EQ(fake().grid[0], 7U);
    const raw_kernel same("axpy", axpy_text);
    same.launch({1}, {32}, inout(y), x, 1.f, 3);
    y.eval();
    const frit::counters after = frit::stats();
    EXPECT_EQ(after.plans_built, before.plans_built);
    EXPECT_EQ(after.compilations + after.disk_hits, before.compilations + before.disk_hits);
    EXPECT_EQ(y(0).item(), 1 + 1 + 0 + 3 + 1);
}

TEST_F(RawKernel, TemplatesByNameExpressionAndHeaders) {
    const char* const text = R"(
        #include "scale.hpp"
        namespace mine {
        template <typename T, int N> __global__ void scaled(T* y, const T* x) {
            extern __shared__ char buffer[];
            y[threadIdx.x] = scale<N>(x[threadIdx.x]);
        }
        })";
    const frit::nvrtc_options options{.flags = {"-DWIDE"},
                                      .headers = {{"scale.hpp",
                                                   "template <int N, class T> __device__ T scale(T x) {\n"
                                                   "#ifdef WIDE\n return N * x;\n#endif\n}\n"}}};
    const raw_kernel k("mine::scaled<double, 3>", text, options);
    fake().program = [](void** p) { parameter<double*>(p, 0)[0] = 3 * parameter<const double*>(p, 1)[0]; };
    array<double> y{0};
    k.launch({1, 2, 3}, {4, 5, 6}, frit::shared_memory(100'000), inout(y), array<double>{7});
    EXPECT_EQ(y(0).item(), 21);
    ASSERT_EQ(fake().launched.size(), 1U);
    EXPECT_TRUE(contains(fake().launched[0], "_ZN4mine6scaledIdLi3EEEvPT_PKS1_")) << fake().launched[0];
    EXPECT_EQ(fake().grid[2], 3U);
    EXPECT_EQ(fake().block[1], 5U);
    EXPECT_EQ(fake().shared, 100'000U);
    EXPECT_EQ(fake().most_shared, 100'000U);
    array<float> f{0};
    EXPECT_TRUE(contains(text_of_error<frit::dtype_error>([&] { k.launch({1}, {1}, inout(f), f); }), "float64"));
}

TEST_F(RawKernel, WhatNvrtcRefusesIsACompileError) {
    const raw_kernel k("bad", "extern \"C\" __global__ void bad(float* y) {\n    y[0] = undefined_thing;\n}");
    array<float> y{1}, sum = y + 1;
    k.launch({1}, {1}, inout(y));
    const std::string text = text_of_error<frit::compile_error>([&] { y.eval(); });
    for (const char* part : {"raw_kernel bad", "test_raw_kernel.cpp:", "undefined_thing", "(2)", "asked for by"})
        EXPECT_TRUE(contains(text, part)) << text;
    EXPECT_TRUE(fake().launched.empty());
    sum.eval();
    const raw_kernel missing("bad<float>", "template <class T> __global__ void bad(T* y) { T::none(); }");
    y = sum;
    missing.launch({1}, {1}, inout(y));
    EXPECT_TRUE(contains(text_of_error<frit::compile_error>([&] { y.eval(); }), "bad<float>"));
    EXPECT_TRUE(
        contains(text_of_error<frit::compile_error>([] { raw_kernel("none", axpy_text); }), "no __global__ function none"));
    EXPECT_TRUE(contains(text_of_error<frit::compile_error>([] { raw_kernel("none", axpy_text); }), "test_raw_kernel.cpp:"));
}

TEST_F(RawKernel, ArgumentsAndShapesAreChecked) {
    const raw_kernel k("axpy", axpy_text);
    array<float> y{1, 2};
    const array<float> x{1, 2};
    const auto dtype_text = [&](auto&&... a) { return text_of_error<frit::dtype_error>([&] { k.launch({1}, {1}, a...); }); };
    const std::string text = dtype_text(inout(y), array<double>{1, 2}, 2.f, 2);
    for (const char* part :
         {"raw_kernel axpy", "argument 2, x, is const float*", "float32", "float64", "test_raw_kernel.cpp:"})
        EXPECT_TRUE(contains(text, part)) << text;
    EXPECT_TRUE(contains(dtype_text(inout(y), x, 2.f), "takes 4 arguments, and is given 3"));
    EXPECT_TRUE(contains(dtype_text(inout(y), x, 2.f, 2.5), "argument 4, n, is int"));
    EXPECT_TRUE(contains(dtype_text(inout(y), x, 2.f, std::int64_t{1} << 40), "1099511627776"));
    EXPECT_TRUE(contains(dtype_text(y, x, 2.f, 2), "frit::inout"));
    EXPECT_TRUE(contains(dtype_text(inout(y), 1.f, 2.f, 2), "given a number"));
    const auto shape_text = [&](const frit::shape& grid, const frit::shape& block, std::int64_t shared) {
        return text_of_error<frit::shape_error>(
            [&] { k.launch(grid, block, frit::shared_memory(shared), inout(y), x, 2.f, 2); });
    };
    EXPECT_TRUE(contains(shape_text({0}, {1}, 0), "a grid has a size of 0"));
    EXPECT_TRUE(contains(shape_text({}, {1}, 0), "a grid has one to three sizes"));
    EXPECT_TRUE(contains(shape_text({1, 65536}, {1}, 0), "beyond 65535"));
    EXPECT_TRUE(contains(shape_text({1}, {1, 1, 65}, 0), "beyond 64"));
    EXPECT_TRUE(contains(shape_text({1}, {64, 32}, 0), "at most 1024 threads"));
    EXPECT_TRUE(contains(shape_text({1}, {1}, -1), "shared memory"));
    EXPECT_TRUE(contains(shape_text({1}, {1}, 300'000), "test_raw_kernel.cpp:"));
    array<float> on_cpu = y.to(frit::device::cpu());
    EXPECT_TRUE(contains(text_of_error<frit::device_error>([&] { k.launch({1}, {1}, inout(on_cpu), on_cpu, 1.f, 2); }),
                         "frit::host_kernel"));
    EXPECT_TRUE(contains(text_of_error<frit::device_error>([&] { k.launch({1}, {1}, inout(y), on_cpu, 1.f, 2); }),
                         "its arrays are on cpu"));
    EXPECT_TRUE(fake().launched.empty());
    EXPECT_EQ(y.to_vector(), (std::vector<float>{1, 2}));
}

TEST_F(RawKernel, TellsWhatItTakesOfTheDevice) {
    const raw_kernel k("axpy", axpy_text);
    EXPECT_EQ(k.registers(), 24);
    EXPECT_EQ(k.occupancy({256}).blocks, 6);
    EXPECT_EQ(k.occupancy({256}).fraction, 0.75);
    EXPECT_TRUE(contains(text_of_error<frit::shape_error>([&] { (void)k.occupancy({2048}); }), "beyond 1024"));
    const frit::scoped_device cpu(frit::device::cpu());
    EXPECT_TRUE(contains(text_of_error<frit::device_error>([&] { (void)k.registers(); }), "which is no GPU"));
}

TEST_F(RawKernel, AFaultSaysThatTheDeviceMustBeReset) {
    const raw_kernel k("axpy", axpy_text);
    array<float> y{1, 2};
    k.launch({1}, {1}, inout(y), y, 1.f, 2);
    fake().fault = 700;
    y.eval();
    const std::string text = text_of_error<frit::device_error>([] { frit::synchronize(); });
    fake().fault = 0;
    EXPECT_TRUE(contains(text, "CUDA_ERROR_ILLEGAL_ADDRESS")) << text;
    EXPECT_TRUE(contains(text, "reset it, or begin a new process")) << text;
}

TEST_F(RawKernel, SeveralResultsAreOneLaunch) {
    const raw_kernel k("swap", "extern \"C\" __global__ void swap(float* a, float* b) {}");
    fake().program = [](void** p) { std::swap(*parameter<float*>(p, 0), *parameter<float*>(p, 1)); };
    array<float> a{1}, b{2};
    k.launch({1}, {1}, inout(a), inout(b));
    EXPECT_EQ(b(0).item(), 1);
    EXPECT_EQ(a(0).item(), 2);
    EXPECT_EQ(fake().launched, std::vector<std::string>{"swap"});
    k.launch({1}, {1}, inout(a), inout(b));
    b = {};
    EXPECT_EQ(a(0).item(), 1) << "the other one is scratch memory";
}

// What is refused has written nothing: an array that the kernel was to work on in place is there still.
TEST_F(RawKernel, WhatTheDeviceDoesNotAllowIsRefusedBeforeItsOperandsAreGivenUp) {
    fake().most_threads = 512;
    fake().own_shared = 8;
    const raw_kernel k("admitted", "extern \"C\" __global__ void admitted(float* y) {}");
    array<float> y{1, 2};
    y.eval();
    const auto refused = [&](int threads, std::int64_t shared) {
        k.launch({1}, {threads}, frit::shared_memory(shared), inout(y));
        const std::string text = text_of_error<frit::device_error>([&] { y.eval(); });
        EXPECT_EQ(text_of_error<frit::device_error>([&] { y.eval(); }), text) << "not that its memory was taken over";
        return text;
    };
    const std::string text = refused(513, 0);
    for (const char* part : {"launching admitted(", "513 threads", "at most 512", "test_raw_kernel.cpp:"})
        EXPECT_TRUE(contains(text, part)) << text;
    y = array<float>{1, 2};
    y.eval();
    EXPECT_TRUE(contains(refused(1, 227 * 1024),
                         "232448 bytes of dynamic shared memory beside the kernel's own 8: a block of "
                         "this device has at most 232448"));
    EXPECT_TRUE(fake().launched.empty());
}

TEST_F(RawKernel, SharedMemoryIsAskedForOverAllAndNeverLess) {
    fake().own_shared = 1024;
    fake().program = nullptr;
    fake().most_shared = 0;
    const raw_kernel k("shares", "extern \"C\" __global__ void shares(float* y) {}");
    array<float> y{1};
    const auto launch = [&](std::int64_t shared) {
        k.launch({1}, {1}, frit::shared_memory(shared), inout(y));
        y.eval();
        return fake().most_shared;
    };
    EXPECT_EQ(launch(47 * 1024), 0U);
    EXPECT_EQ(launch(48 * 1024), 48U * 1024) << "beside what it has of its own";
    EXPECT_EQ(launch(100'000), 100'000U);
    EXPECT_EQ(launch(60'000), 100'000U) << "another thread may be about to launch with more";
    (void)k.occupancy({32}, 50'000);
    EXPECT_EQ(fake().most_shared, 100'000U);
}

// What a macro of a header makes of the text, the driver knows.
TEST_F(RawKernel, ParametersAreThoseThatWereCompiled) {
    const raw_kernel k("compared", "extern \"C\" __global__ void compared(float* y, int n, short s) {}");
    array<float> y{1};
    const auto told = [&](std::vector<std::size_t> bytes) {
        fake().parameter_bytes = std::move(bytes);
        y = array<float>{1};
        k.launch({1}, {1}, inout(y), 3, 4);
        return text_of_error<frit::compile_error>([&] { y.eval(); });
    };
    const std::string text = told({8, 8, 2});
    for (const char* part :
         {"raw_kernel compared [", "parameter 2, int n, has 4 bytes by its text, and 8 as it was compiled",
          "test_raw_kernel.cpp:"})
        EXPECT_TRUE(contains(text, part)) << text;
    EXPECT_TRUE(contains(told({8, 4}), "has 3 parameters by its text, and 2 as it was compiled"));
    EXPECT_TRUE(contains(told({8, 4, 2, 4}), "has 3 parameters by its text, and more as it was compiled"));
    fake().program = nullptr;
    EXPECT_EQ(told({8, 4, 2}), "no error");
}

// One plan serves both launches.
TEST_F(RawKernel, AnErrorNamesTheLineOfItsOwnLaunch) {
    fake().program = nullptr;
    const raw_kernel k("lines", "extern \"C\" __global__ void lines(float* y) {}");
    array<float> y{1};
    y.eval();
    k.launch({1}, {1}, inout(y, {"first.cpp", 11}));
    y.eval();
    const std::uint64_t built = frit::stats().plans_built;
    fake().refuse_launches = 1;
    k.launch({1}, {1}, inout(y, {"second.cpp", 22}));
    const std::string text = text_of_error<frit::device_error>([&] { y.eval(); });
    EXPECT_EQ(frit::stats().plans_built, built);
    EXPECT_TRUE(contains(text, "launching lines(")) << text;
    EXPECT_TRUE(contains(text, " [second.cpp:22]: ")) << text;
    EXPECT_FALSE(contains(text, "first.cpp")) << text;
}

class RawKernelText : public RawKernel {
protected:
    static frit::detail::raw_source source_of(std::string name, std::string text, const frit::nvrtc_options& options = {}) {
        frit::detail::raw_source s;
        s.name = std::move(name);
        s.text = std::move(text);
        s.flags = options.flags;
        s.headers = options.headers;
        return s;
    }
    /// Compiled twice: where the second comes from.
    static frit::detail::cuda::origin again(const frit::detail::raw_source& s) {
        namespace cuda = frit::detail::cuda;
        cuda::forget_raw(s, 90, cuda::origin::disk);  // an earlier run's
        const cuda::compiled_raw first = cuda::compile_raw(s, 90), second = cuda::compile_raw(s, 90);
        EXPECT_TRUE(first.good) << first.log;
        EXPECT_EQ(first.from, cuda::origin::compiler);
        EXPECT_EQ(second.symbol, first.symbol);
        EXPECT_EQ(second.cubin, first.cubin);
        return second.from;
    }
    static constexpr auto compiler = frit::detail::cuda::origin::compiler, disk = frit::detail::cuda::origin::disk;
};

// The disk cache keeps the symbol beside the cubin; what files hold is in no key.
TEST_F(RawKernelText, IsKeptOnDiskUnlessItReadsFiles) {
    namespace cuda = frit::detail::cuda;
    if (frit::detail::kernel_cache().folder().empty()) GTEST_SKIP() << "there is no cache";
    const std::string text = "template <class T> __global__ void half_of(T* y) { *y /= 2; }\n";
    EXPECT_EQ(again(source_of("half_of<float>", text)), disk);
    EXPECT_EQ(cuda::compile_raw(source_of("half_of<float>", text), 90).symbol, "_Z7half_ofIfEvPT_");
    EXPECT_EQ(again(source_of("half_of<float>", text, {.flags = {"-I/nowhere"}})), compiler);
    EXPECT_EQ(again(source_of("half_of<float>", "#include \"a.hpp\"\n" + text, {.headers = {{"a.hpp", ""}}})), disk);
    const std::string file =
        (std::filesystem::temp_directory_path() / ("frit-raw-" + std::to_string(::getpid()) + ".hpp")).string();
    std::ofstream(file) << "\n";
    const std::string include = "#include \"" + file + "\"\n";
    const std::string others[] = {include + text, "#if __has_include(\"" + file + "\")\n#endif\n" + text,
                                  "#inc\\\nlude \"" + file + "\"\n" + text, "%:include \"" + file + "\"\n" + text,
                                  "#define FILE \"" + file + "\"\n#include FILE\n" + text};
    for (const std::string& other : others) EXPECT_EQ(again(source_of("half_of<float>", other)), compiler) << other;
    EXPECT_EQ(again(source_of("half_of<float>", "#include \"a.hpp\"\n" + text, {.headers = {{"a.hpp", include}}})),
              compiler);
    EXPECT_EQ(again(source_of("half_of<float>", "// " + include + "/* " + include + " */" + text)), disk);
    std::filesystem::remove(file);
    EXPECT_TRUE(contains(cuda::compile_raw(source_of("half_of<float>", text, {.flags = {"--no-such-flag"}}), 90).log,
                         "no-such-flag"));
}

TEST_F(RawKernelText, FindsTheToolkitsHeaders) {
    namespace cuda = frit::detail::cuda;
    if (frit::detail::kernel_cache().folder().empty()) GTEST_SKIP() << "there is no cache";
    const std::string library = cuda::find_nvrtc().text;
    const std::string file = library.substr(library.find('/'));
    const int major = std::stoi(cuda::nvrtc_name().substr(6));
    if (cuda::find_headers(file, major).folders.empty()) GTEST_SKIP() << "there is no toolkit beside NVRTC";
    EXPECT_TRUE(cuda::find_headers("/nowhere/lib/libnvrtc.so", 999).folders.empty());
    EXPECT_EQ(
        again(source_of("twice",
                        "#include <cuda_fp16.h>\nextern \"C\" __global__ void twice(__half* y) { *y = __hadd(*y, *y); }")),
        disk);
    EXPECT_EQ(
        again(source_of("twice", "#include <cuda_fp16.h>\nextern \"C\" __global__ void twice(__half* y) { *y = mine; }",
                        {.headers = {{"cuda_fp16.h", "struct __half { int x; }; constexpr __half mine{};"}}})),
        disk)
        << "the program's come before";
}

}  // namespace
