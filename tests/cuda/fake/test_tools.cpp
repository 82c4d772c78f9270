// What helps to find a formula: its name in the message of a fault, and in a profiler's timeline.
#include <cstdlib>

#include <frit/frit.hpp>

#include "src/base/env.hpp"
#include "tests/cuda/fake/fixture.hpp"

namespace {

using namespace frit_test;
using frit::array;

class Tools : public FakeDriver {
protected:
    void SetUp() override {
        FakeDriver::SetUp();
        if (gpu) device_.emplace(frit::device::cuda(0));
    }
    std::optional<frit::scoped_device> device_;
};

class with_sync {
public:
    with_sync() { set(true); }
    ~with_sync() { set(false); }

private:
    static void set(bool on) {
        frit::detail::environment e = frit::detail::env();
        e.sync = on;
        frit::detail::override_environment(e);
    }
};

std::string place(int line) { return "test_tools.cpp:" + std::to_string(line) + "]"; }

TEST_F(Tools, SyncNamesTheFormulaOfAFaultAndItsLine) {
    const array<float> x = frit::from_host(std::vector<float>(100));
    const with_sync sync;
    fake().fault = 700;
    const int line = __LINE__ + 1;
    array<float> y = frit::sin(x) * 2;
    const std::string fault = text_of_error<frit::device_error>([&] { y.eval(); });
    EXPECT_TRUE(contains(fault, "cuda:0: ")) << fault;
    EXPECT_TRUE(contains(fault, "sin(")) << fault;
    EXPECT_TRUE(contains(fault, place(line))) << fault;
    EXPECT_TRUE(contains(fault, "failed: an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS)")) << fault;
    fake().fault = 0;
    y.eval();
}

TEST_F(Tools, SyncNamesTheLibraryCallOfAFault) {
    const array<float> a = frit::from_host(std::vector<float>(12)).reshape({3, 4});
    const with_sync sync;
    fake().fault = 700;
    const int line = __LINE__ + 1;
    array<float> b = frit::matmul(a, a.T());
    const std::string fault = text_of_error<frit::device_error>([&] { b.eval(); });
    EXPECT_TRUE(contains(fault, "matmul")) << fault;
    EXPECT_TRUE(contains(fault, place(line))) << fault;
    fake().fault = 0;
}

TEST_F(Tools, SyncNamesTheFormulaOfAnIndexOutOfRange) {
    const array<float> x = frit::from_host(std::vector<float>(100));
    const array<int> i = frit::from_host(std::vector<int>(10));
    const with_sync sync;
    fake().faulty_index = -8;
    const int line = __LINE__ + 1;
    array<float> y = frit::exp(x(i)) * 3;
    const std::string text = text_of_error<frit::index_error>([&] { y.eval(); });
    fake().faulty_index = 0;
    EXPECT_TRUE(contains(text, "exp(") && contains(text, place(line)) && contains(text, "index -8 is out of range")) << text;
}

// A scatter in place has written by then: nobody may compute with what it was given.
TEST_F(Tools, SyncNamesTheFormulaOfAScatterAndItsArrayIsLost) {
    fake_cub_state* const plugin = find_fake_cub();
    ASSERT_NE(plugin, nullptr);
    array<float> u = frit::from_host(std::vector<float>(100));
    const array<int> i = frit::from_host(std::vector<int>(10));
    const with_sync sync;
    plugin->faulty_index = 100;
    const int line = __LINE__ + 1;
    u(i) += 1.5F;
    const std::string text = text_of_error<frit::index_error>([&] { u.eval(); });
    plugin->faulty_index = 0;
    EXPECT_TRUE(contains(text, "scatter_add") && contains(text, place(line)) && contains(text, "index 100 is out of range"))
        << text;
    EXPECT_NE(text_of_error<frit::error>([&] { u.eval(); }), "no error");
}

fake_profiler_state* find_profiler() {
    const char* path = std::getenv("NVTX_INJECTION64_PATH");
    void* tool = path ? ::dlopen(path, RTLD_NOW | RTLD_LOCAL) : nullptr;
    void* function = tool ? ::dlsym(tool, fake_profiler_state_symbol) : nullptr;
    return function ? reinterpret_cast<fake_profiler_state_function*>(function)() : nullptr;
}

TEST_F(Tools, AProfilerSeesARangePerLaunchWithItsFormula) {
    const fake_profiler_state* const profiler = find_profiler();
    if (!profiler) GTEST_SKIP() << "NVTX's headers were not there when this was built";
    const array<float> x = frit::from_host(std::vector<float>(100));
    const int before = profiler->ranges, line = __LINE__ + 1;
    array<float> y = frit::cos(x) * 2;
    y.eval();
    EXPECT_STREQ(profiler->domain, "frit");
    EXPECT_EQ(profiler->ranges, before + 1);
    EXPECT_EQ(profiler->depth, 0);
    EXPECT_TRUE(contains(profiler->last, "cos(") && contains(profiler->last, place(line))) << profiler->last;
}

}  // namespace
