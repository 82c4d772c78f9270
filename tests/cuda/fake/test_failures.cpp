// Evaluations that fail half-way: what a kernel has overwritten is lost, and says so instead of giving other numbers; the
// rest is as it was. A driver that refuses nothing else shows it on the sorting plugin, which does.
#include <optional>
#include <vector>

#include <frit/frit.hpp>

#include "tests/cuda/fake/fixture.hpp"

namespace {

using namespace frit_test;
using frit::array;
using frit::slice;

class Failures : public FakeDriver {
protected:
    void SetUp() override {
        FakeDriver::SetUp();
        if (IsSkipped()) return;
        device_.emplace(frit::device::cuda(0));
        plugin_ = find_fake_cub();
        ASSERT_NE(plugin_, nullptr);
    }
    void TearDown() override {
        if (plugin_) plugin_->refuse = plugin_->starved = false;
    }
    /// What evaluating these together says while the plugin refuses.
    template <class... A>
    std::string refused(const A&... a) {
        plugin_->refuse = true;
        const std::string text = text_of_error<frit::device_error>([&] { frit::eval(a...); });
        plugin_->refuse = false;
        return text;
    }
    std::optional<frit::scoped_device> device_;
    fake_cub_state* plugin_ = nullptr;
};

array<float> stored(int n) { return frit::from_host(std::vector<float>(static_cast<std::size_t>(n), 2.0F)); }

TEST_F(Failures, WhatWasCompleteIsKept) {
    const array<float> other = stored(4);
    array<float> u = stored(4);
    u(slice(0, 2)) += 1.0F;  // in place: nobody else can read the old value
    array<float> v = frit::sort(other);
    const int launches = fake().launches;
    EXPECT_TRUE(contains(refused(u, v), "the fake plugin refuses"));
    ASSERT_EQ(fake().launches, launches + 1) << "the update was to run before the sort";
    u.eval();  // is stored
    v.eval();
    EXPECT_EQ(fake().launches, launches + 1);
    EXPECT_EQ(other.to_vector(), std::vector<float>(4, 2.0F));
}

/// A sort of what a kernel makes of an input, in that input's memory.
array<float> sort_of_a_temporary() {
    const array<float> x = stored(4);
    return frit::sort(x * 2.0F + 1.0F);
}

TEST_F(Failures, AnInputThatWasTakenOverIsLost) {
    array<float> v = sort_of_a_temporary();
    const int launches = fake().launches;
    EXPECT_TRUE(contains(refused(v), "the fake plugin refuses"));
    ASSERT_EQ(fake().launches, launches + 1) << "the kernel was to run before the sort";

    const auto expect_as_before = [&](auto&& read) {
        const std::string text = text_of_error<frit::error>(read);
        EXPECT_TRUE(contains(text, "the fake plugin refuses")) << text;
    };
    expect_as_before([&] { v.eval(); });
    expect_as_before([&] { v.to_vector(); });
    expect_as_before([&] { array<float>(v * 2.0F).eval(); });
    EXPECT_EQ(fake().launches, launches + 1);

    v = stored(4);  // and the name can be used again
    EXPECT_EQ(v.to_vector(), std::vector<float>(4, 2.0F));
}

TEST_F(Failures, AnInputIsLostToAHostWithoutMemoryToo) {
    array<float> v = sort_of_a_temporary();
    plugin_->starved = true;
    const std::string text = text_of_error<frit::out_of_memory>([&] { v.eval(); });
    plugin_->starved = false;
    EXPECT_TRUE(contains(text, "out of memory on the host; for sort(")) << text;
    EXPECT_EQ(text_of_error<frit::out_of_memory>([&] { v.eval(); }), text);
}

TEST_F(Failures, AnInputThatWasNotYetTakenOverIsKept) {
    const array<float> other = stored(4);
    array<float> v = frit::sort(other);
    array<float> u = stored(4);
    u(slice(0, 2)) += v(slice(0, 2));  // after the sort
    const int launches = fake().launches;
    EXPECT_TRUE(contains(refused(u), "the fake plugin refuses"));
    EXPECT_EQ(fake().launches, launches);
    u.eval();
    EXPECT_EQ(fake().launches, launches + 1);
}

TEST_F(Failures, AnInputWithAnotherReaderIsNeverTakenOver) {
    array<float> u = stored(4);
    const array<float> before = u;
    u(slice(0, 2)) += 1.0F;
    array<float> v = frit::sort(before);
    EXPECT_TRUE(contains(refused(u, v), "the fake plugin refuses"));
    frit::eval(u, v);
    EXPECT_EQ(before.to_vector(), std::vector<float>(4, 2.0F));
}

// What the plugin works with is the plan's: known before it runs, and there before anything is overwritten.
TEST_F(Failures, WorkspaceIsCountedAndTakenBeforeAnythingRuns) {
    constexpr int n = 1 << 20;
    constexpr std::uint64_t bytes = n * sizeof(float), scratch = 3 * n + 1;  // as the fake plugin asks for
    array<float> other = stored(n);
    array<float> u = stored(4);
    u(slice(0, 2)) += 1.0F;
    array<float> v = frit::sort(other);
    EXPECT_EQ(frit::make_plan(u, v).peak_bytes(), bytes + scratch);
    const int launches = fake().launches;
    // Room for the sorted values, and not for the scratch memory.
    EXPECT_THROW(gpu->allocate(std::size_t{1} << 40), frit::out_of_memory);  // the pool keeps nothing after that
    const std::size_t memory = std::exchange(fake().memory, fake().allocated + bytes + (2 << 20));
    const std::string text = text_of_error<frit::out_of_memory>([&] { frit::eval(u, v); });
    EXPECT_TRUE(contains(text, "out of memory")) << text;
    EXPECT_EQ(fake().launches, launches);
    fake().memory = memory;
    frit::reset_stats();
    const std::uint64_t live = frit::stats().live_bytes;
    frit::eval(u, v);  // nothing was lost
    EXPECT_EQ(fake().launches, launches + 1);
    EXPECT_EQ(frit::stats().peak_bytes, live + bytes + scratch);
    EXPECT_EQ(frit::stats().live_bytes, live + bytes);
}

TEST_F(Failures, NothingStaysAlive) {
    const std::uint64_t live = frit::stats().live_bytes, pending = frit::stats().pending_nodes;
    {
        array<float> u = stored(1000);
        u(slice(0, 2)) += 1.0F;
        array<float> v = frit::sort(frit::exp(stored(1000)));
        EXPECT_TRUE(contains(refused(u, v), "the fake plugin refuses"));
        EXPECT_GT(frit::stats().pending_nodes, pending);
    }
    EXPECT_EQ(frit::stats().live_bytes, live);
    EXPECT_EQ(frit::stats().pending_nodes, pending);
}

}  // namespace
