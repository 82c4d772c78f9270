// The engine auto: the same bits before and after the compiler's work is done, counted by engine.
#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include <frit/frit.hpp>

#include "src/cpu/improving.hpp"
#include "tests/cuda/specs.hpp"
#include "tests/support/engines.hpp"

namespace {
using frit::array;

array<double> step(const array<double>& u) { return sqrt(u * u + 1.0) - u * 0.5 + abs(u - 0.25) * maximum(u, 0.1); }

TEST(Improving, WhatIsRunOftenIsCompiled) {
    const frit::scoped_device cpu(frit::device::cpu());
    const array<double> x = frit::linspace(0.0, 1.0, 1 << 20);
    x.eval();
    std::vector<double> want;
    {
        const frit_test::with_engine interpreter(frit_test::engine::interpreter);
        want = array<double>(step(x)).to_vector();
    }
    const frit_test::with_engine here(frit_test::engine::automatic);
    frit::reset_stats();
    int rounds = 0;
    while (frit::stats().kernels_compiled == 0 && rounds < 3000) {
        array<double>(step(x)).eval();
        if (++rounds % 100 == 0) frit::synchronize();  // waits for the compiler
    }
    if (rounds == 3000) GTEST_SKIP() << "no compiler here";
    EXPECT_GT(frit::stats().kernels_interpreted, 0U);
    const std::uint64_t compiled = frit::stats().kernels_compiled;
    const std::vector<double> got = array<double>(step(x)).to_vector();
    EXPECT_EQ(frit::stats().kernels_compiled, compiled + 1);
    EXPECT_EQ(got, want);
}

// One row keeps no lanes busy: a step takes the interpreter as long as for many rows.
TEST(Improving, ARecurrenceOfOneRowIsCompiledSoon) {
    const frit::scoped_device cpu(frit::device::cpu());
    const array<double> x = frit::linspace(0.0, 1.0, 50'000), many = frit::linspace(0.0, 1.0, 1 << 20);
    frit::eval(x, many);
    const auto filtered = [&] {
        const auto by = [](const auto& last, const auto& before, const auto& in) {
            return std::tuple(in + 1.2 * last - 0.5 * before, last);
        };
        return array<double>(std::get<0>(frit::scan_along(0, std::tuple(0.0, 0.0), by, x)));
    };
    std::vector<double> want;
    {
        const frit_test::with_engine interpreter(frit_test::engine::interpreter);
        want = filtered().to_vector();
    }
    const frit_test::with_engine here(frit_test::engine::automatic);
    frit::reset_stats();
    for (int rounds = 0; rounds < 40; ++rounds) filtered().eval();
    frit::synchronize();  // waits for the compiler
    EXPECT_EQ(filtered().to_vector(), want);
    const std::uint64_t compiled = frit::stats().kernels_compiled;
    for (int rounds = 0; rounds < 3000 && frit::stats().kernels_compiled == 0; ++rounds) {
        array<double>(step(many)).eval();
        if (rounds % 100 == 0) frit::synchronize();
    }
    if (frit::stats().kernels_compiled == 0) GTEST_SKIP() << "no compiler here";
    EXPECT_GT(compiled, 0U);
}

TEST(Improving, WhatIsRunOnceIsNot) {
    const frit::scoped_device cpu(frit::device::cpu());
    const frit_test::with_engine here(frit_test::engine::automatic);
    frit::reset_stats();
    EXPECT_GT(sum(step(frit::linspace(0.0, 1.0, 1000))).item(), 0);
    frit::synchronize();
    EXPECT_EQ(frit::stats().kernels_compiled, 0U);
    EXPECT_EQ(frit::stats().compilations, 0U);
}

using namespace frit::detail;
namespace fusion = frit::fusion;

class idle_kernel final : public cpu_kernel {
public:
    std::string source() const override { return {}; }
    void reserve(const std::uint64_t*, std::int64_t) const override {}
};
int looked = 0, refused = 0, made = 0;  // by the background's thread, which is waited for

std::shared_ptr<cpu_kernel> finds_nothing(kernel_source&) {
    ++looked;
    return nullptr;
}
std::shared_ptr<cpu_kernel> refuses(kernel_source&) {
    ++refused;
    return nullptr;
}
std::shared_ptr<cpu_kernel> makes(kernel_source&) {
    ++made;
    return std::make_shared<idle_kernel>();
}

kernel_source no_source() { return {{}, {}, isa_level::baseline}; }

TEST(Improving, EveryWayIsTriedAtItsPrice) {
    static constexpr improvement ways[] = {{10, finds_nothing}, {100, refuses}, {1000, makes}};
    const auto interpreted = std::make_shared<idle_kernel>();
    interpreted->nanoseconds_per_element = 1;
    const auto k = make_improving(interpreted, 0, no_source(), ways);
    looked = refused = made = 0;
    const auto after = [&](std::int64_t nanoseconds) {
        const cpu_kernel* const ran = &k->for_launch(nanoseconds, 100);
        wait_for_background();
        EXPECT_EQ(ran, interpreted.get());
        return std::vector<int>{looked, refused, made};
    };
    EXPECT_EQ(after(9), (std::vector{0, 0, 0}));
    EXPECT_EQ(after(1), (std::vector{1, 0, 0}));
    EXPECT_EQ(after(89), (std::vector{1, 0, 0})) << "99 lost";
    EXPECT_EQ(after(1), (std::vector{1, 1, 0}));
    EXPECT_EQ(after(899), (std::vector{1, 1, 0})) << "999 lost";
    EXPECT_EQ(after(1), (std::vector{1, 1, 1}));
    EXPECT_NE(&k->for_launch(1, 100), interpreted.get());
}

// Whoever looks for a kernel, and whoever then makes it, gets the one text that was written.
TEST(Improving, ATextIsWrittenOnce) {
    static std::vector<const char*> texts;  // of the background's thread, which is waited for
    constexpr kernel_maker reads = [](kernel_source& of) -> std::shared_ptr<cpu_kernel> {
        for (const std::string* text : {&of.llvm_text(), &of.host_text()}) texts.push_back(text->data());
        return nullptr;
    };
    static constexpr improvement ways[] = {{10, reads}, {100, reads}};
    frit_test::builder copy;
    copy.store(copy.load(frit::dtype::f32, "1"), "1");
    kernel_source source(copy.spec, {}, isa_level::baseline);
    const auto interpreted = std::make_shared<idle_kernel>();
    const auto k = make_improving(interpreted, 0, source, ways);
    for (const std::int64_t nanoseconds : {10, 90}) {
        k->for_launch(nanoseconds, 100);
        wait_for_background();
    }
    ASSERT_EQ(texts.size(), 4U);
    EXPECT_EQ(texts[0], texts[2]);
    EXPECT_EQ(texts[1], texts[3]);
    EXPECT_NE(source.llvm_text().find("@frit_kernel"), std::string::npos);
    EXPECT_NE(source.host_text().find(" frit_kernel("), std::string::npos);
}

// Compiled code takes lines one by one, the interpreter many short ones together.
TEST(Improving, ShortLinesStayWithTheInterpreter) {
    static constexpr improvement ways[] = {{1000, makes}};
    const auto interpreted = std::make_shared<idle_kernel>();
    interpreted->nanoseconds_per_element = 1;
    const auto k = make_improving(interpreted, 0.1, no_source(), ways);
    made = 0;
    for (int again = 0; again < 100; ++again) EXPECT_EQ(&k->for_launch(1 << 20, 3), interpreted.get());
    wait_for_background();
    EXPECT_EQ(made, 0);
    EXPECT_EQ(&k->for_launch(1 << 20, 8), interpreted.get());
    wait_for_background();
    EXPECT_EQ(made, 1);
    EXPECT_NE(&k->for_launch(1 << 20, 8), interpreted.get());
    EXPECT_NE(&k->for_launch(1 << 20, 5), interpreted.get());  // 3.8 ns, of the interpreter's 5
    EXPECT_EQ(&k->for_launch(1 << 20, 3), interpreted.get());
}

}  // namespace
