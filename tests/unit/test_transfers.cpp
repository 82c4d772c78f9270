// What crosses between host and device, in bytes: inputs go up once, results come down once, and what was read stays on the
// host within a bound. On a machine without a GPU these run on the stand-in (unit_as_cuda).
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include <frit/dlpack.hpp>
#include <frit/frit.hpp>

#include "src/graph/mirror.hpp"
#include "src/io/dlpack_layout.hpp"

namespace {

using frit::array;

class Transfers : public testing::Test {
protected:
    void SetUp() override {
        if (frit::default_device().is_cpu()) GTEST_SKIP() << "the CPU's memory is read in place";
        frit::detail::forget_mirrors();
        frit::reset_stats();
    }
    static std::uint64_t up() { return frit::stats().host_to_device_bytes; }
    static std::uint64_t down() { return frit::stats().device_to_host_bytes; }
};

std::vector<float> numbers(std::size_t n) {
    std::vector<float> v(n);
    for (std::size_t k = 0; k < n; ++k) v[k] = static_cast<float>(k % 100) / 50;
    return v;
}

TEST_F(Transfers, APipelineOfTenFormulasMovesItsInputsInAndItsResultOut) {
    constexpr std::size_t n = 10'007;
    const std::vector<float> a = numbers(n), b = numbers(n);
    const array<float> x = frit::from_host(a), y = frit::from_host(b);
    array<float> u = x + y;
    array<float> v = frit::sin(u) * 2;
    array<float> w = v - x;
    array<float> p = frit::exp(-w * w);
    array<float> q = frit::where(p > 0.5F, p, u);
    array<float> r = q / (1 + frit::abs(v));
    array<float> s = r - frit::mean(r);
    array<float> t = frit::maximum(s, x);
    array<float> z = frit::sqrt(t * t + 1);
    array<float> result = z * frit::sum(z);
    EXPECT_EQ(up(), 2 * n * sizeof(float));
    EXPECT_EQ(down(), 0U);
    EXPECT_EQ(result.to_vector().size(), n);
    EXPECT_EQ(up(), 2 * n * sizeof(float));
    EXPECT_EQ(down(), n * sizeof(float));
}

TEST_F(Transfers, ReadingAResultTwiceCopiesOnce) {
    constexpr std::size_t n = 500;
    const array<float> x = frit::from_host(numbers(n));
    array<float> y = x * 2 + 1;
    const std::vector<float> first = y.to_vector();
    EXPECT_EQ(down(), n * sizeof(float));
    std::vector<float> again(n);
    y.copy_to(again);
    EXPECT_EQ(again, first);
    EXPECT_EQ(y.to(frit::device::cpu()).to_vector(), first);
    std::ostringstream text;
    text << y;
    const array<float> copy = y;
    EXPECT_EQ(copy.to_vector(), first);
    EXPECT_EQ(down(), n * sizeof(float));

    const array<float> sum = frit::sum(y);
    EXPECT_EQ(sum.item(), sum.item());
    EXPECT_EQ(down(), (n + 1) * sizeof(float));
}

TEST_F(Transfers, PrintingAllOfAnArrayReadsItForGood) {
    const array<float> x = frit::from_host(numbers(12)).reshape({3, 4});
    std::ostringstream first, second;
    first << x;
    second << x;
    EXPECT_EQ(first.str(), second.str());
    EXPECT_EQ(x.to_vector().size(), 12U);
    EXPECT_EQ(down(), 12 * sizeof(float));
}

TEST_F(Transfers, ToTheHostAndBackAreOneCopyEach) {
    const array<float> x = frit::from_host(numbers(100));
    const array<float> on_host = x.to(frit::device::cpu());
    EXPECT_EQ(down(), 400U);
    const array<float> back = on_host.to(frit::default_device());
    EXPECT_EQ(up(), 800U);
    EXPECT_EQ(back.to_vector(), x.to_vector());
    EXPECT_EQ(down(), 800U) << "another array's copy";
    EXPECT_EQ(x.to(frit::default_device()).to_vector(), on_host.to_vector());
    EXPECT_EQ(up(), 800U) << "it is there already";
}

TEST_F(Transfers, AHostCopyIsAValueOfItsOwn) {
    const array<float> x = frit::from_host(numbers(100));
    array<float> on_host = x.to(frit::device::cpu());
    on_host(frit::slice(0, 50)) = 7.0F;
    on_host += 1.0F;
    EXPECT_EQ(on_host.to_vector()[0], 8.0F);
    EXPECT_EQ(x.to_vector(), numbers(100));
}

TEST_F(Transfers, AMirrorGoesWithItsArray) {
    array<float> x = frit::from_host(numbers(1000));
    const auto live = frit::stats().live_bytes;
    x.to_vector();
    EXPECT_EQ(frit::stats().live_bytes, live + 4000);
    x = {};
    EXPECT_EQ(frit::stats().live_bytes, live - 4000);
    EXPECT_FALSE(frit::detail::forget_mirrors());
}

TEST_F(Transfers, MirrorsAreBoundedTheOneNotReadForLongestGoesFirst) {
    constexpr std::size_t bytes = frit::detail::mirror_limit / 40 * 16;
    const array<float> a = frit::full({bytes / 4}, 1.0F), b = frit::full({bytes / 4}, 2.0F),
                       c = frit::full({bytes / 4}, 3.0F);
    std::vector<float> host(bytes / 4);
    const auto reads = [&](const array<float>& x) {  // bytes copied
        const std::uint64_t before = down();
        x.copy_to(host);
        return down() - before;
    };
    EXPECT_EQ(reads(a), bytes);
    EXPECT_EQ(reads(b), bytes);
    EXPECT_EQ(reads(a), 0U);
    EXPECT_EQ(reads(c), bytes);  // now b goes
    EXPECT_EQ(reads(a), 0U);
    EXPECT_EQ(reads(b), bytes);
    const array<float> large = frit::full({frit::detail::mirror_limit / 4 + 1}, 4.0F);
    host.resize(frit::detail::mirror_limit / 4 + 1);
    EXPECT_EQ(reads(large), frit::detail::mirror_limit + 4);
    EXPECT_EQ(reads(large), frit::detail::mirror_limit + 4);
}

TEST_F(Transfers, WhatOthersMayHaveWrittenIsReadAgain) {
    const array<float> x = frit::from_host(numbers(10));
    x.to_vector();
    EXPECT_EQ(down(), 40U);
    DLManagedTensorVersioned* const exported = frit::to_dlpack(x);
    x.to_vector();
    x.to_vector();
    EXPECT_EQ(down(), 120U);
    exported->deleter(exported);
    x.to_vector();
    x.to_vector();
    EXPECT_EQ(down(), 160U);
}

TEST_F(Transfers, WhatOthersWriteToAHostCopyIsNotReadAsTheArray) {
    const array<float> x = frit::from_host(numbers(10));
    const array<float> on_host = x.to(frit::device::cpu());
    DLManagedTensorVersioned* const exported = frit::to_dlpack(on_host);
    static_cast<float*>(exported->dl_tensor.data)[0] = -1.0F;
    EXPECT_EQ(x.to_vector(), numbers(10));
    EXPECT_EQ(down(), 80U) << "its mirror is no longer known to be true";
    exported->deleter(exported);
}

}  // namespace
