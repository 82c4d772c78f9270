// When things run: recording runs nothing, evaluation stores what was named, the graph limit bounds what is pending.
#include <string>
#include <vector>

#include "tests/support/kernels.hpp"

namespace {
using frit::array;
using frit::slice;
using floats = std::vector<float>;

std::uint64_t launched() { return frit::stats().kernels_launched; }

/// Restores the limit at the end of the test.
struct graph_limit {
    explicit graph_limit(std::size_t n) { frit::set_graph_limit(n); }
    ~graph_limit() { frit::set_graph_limit(4096); }
};

TEST(Laziness, RecordingRunsNothing) {
    const array<float> x{1, 2, 3};
    const std::uint64_t before = launched();
    array<float> y = exp(x) + 1.0F;
    y(slice(0, 1)) = 0.0F;
    array<float> z = frit::sum(y) * y.T();
    EXPECT_EQ(z.shape(), frit::shape({3}));
    EXPECT_EQ(launched(), before);
    EXPECT_GE(frit::stats().pending_nodes, 1U);
    z.eval();
    EXPECT_GT(launched(), before);
}

TEST(Laziness, WhatIsDroppedNeverRuns) {
    const std::uint64_t before = launched(), pending = frit::stats().pending_nodes;
    {
        const array<float> x = frit::ones<float>({100});
        array<float> y = exp(x), z = frit::sum(y);
    }
    EXPECT_EQ(launched(), before);
    EXPECT_EQ(frit::stats().pending_nodes, pending);
}

TEST(Laziness, EvaluatingTwiceRunsOnce) {
    const array<float> x{1, 2, 3};
    array<float> y = x * 2.0F;
    y.eval();
    const std::uint64_t before = launched();
    y.eval();
    EXPECT_EQ(y.to_vector(), (floats{2, 4, 6}));
    EXPECT_EQ(launched(), before);
}

TEST(Laziness, EvalStoresExactlyWhatIsNamed) {  // unit/test_lessons.cpp has what it learns
    const array<float> x{1, 2, 3};
    array<float> inner = x + 1.0F, outer = inner * 2.0F;
    outer.eval();
    const std::uint64_t before = launched();
    EXPECT_EQ(inner.to_vector(), (floats{2, 3, 4}));  // held, not stored by the evaluation of outer
    EXPECT_EQ(launched(), before + 1);
    EXPECT_EQ(outer.to_vector(), (floats{4, 6, 8}));
    EXPECT_EQ(launched(), before + 1);
}

TEST(Laziness, SoDoesReading) {
    const array<float> x{1, 2, 3};
    array<float> inner = x + 1.0F, outer = inner * 2.0F;
    EXPECT_EQ(outer.to_vector(), (floats{4, 6, 8}));
    const std::uint64_t before = launched();
    EXPECT_EQ(inner.to_vector(), (floats{2, 3, 4}));
    EXPECT_EQ(launched(), before + 1);
}

TEST(Laziness, AHeldArrayReachedTheSecondTimeIsStored) {
    const array<float> x = frit::linspace(0.0F, 1.0F, 1000);
    x.eval();
    array<float> costly = exp(sin(x)) * tanh(x);
    array<float> first = costly + 1.0F;
    first.eval();
    array<float> second = costly + 2.0F;
    second.eval();
    array<float> third = costly + 3.0F;
    const frit::plan p = frit::make_plan(third);
    ASSERT_EQ(p.kernels().size(), 1U);
    EXPECT_EQ(p.kernels()[0].source().find("tanh"), std::string::npos) << p.kernels()[0].source();
}

TEST(Laziness, ItemAndToVector) {
    const array<float> x{1, 2, 3};
    EXPECT_EQ(frit::sum(x).item(), 6);
    EXPECT_EQ((x * 2.0F).to_vector(), (floats{2, 4, 6}));
    EXPECT_EQ(frit::any(x > 2.0F).item(), true);
    EXPECT_EQ((x > 1.0F).to_vector(), (std::vector<bool>{false, true, true}));
    EXPECT_EQ(frit::array<int>({{7}}).item(), 7);
    EXPECT_ERROR((void)x.item(), frit::shape_error, "item", "(3,)");
}

TEST(Laziness, RecipesHaveWhatArraysHave) {
    const array<float> x = frit::arange<float>(0, 6).reshape({2, 3});
    auto e = x * 2.0F + 1.0F;
    EXPECT_EQ(e.shape(), frit::shape({2, 3}));
    EXPECT_EQ(e.rank(), 2);
    EXPECT_EQ(e.size(), 6);
    EXPECT_EQ(e.dtype(), frit::dtype::f32);
    EXPECT_EQ(e.T().to_vector(), (floats{1, 7, 3, 9, 5, 11}));
    EXPECT_EQ(e.reshape({3, -1}).shape(), frit::shape({3, 2}));
    EXPECT_EQ(e(1, 2).item(), 11);
    EXPECT_EQ(e.to_vector(), (floats{1, 3, 5, 7, 9, 11}));
    EXPECT_KERNELS(1, e);
}

TEST(Laziness, ARecipeOwnsItsLeaves) {
    const auto make = [] {
        const array<float> x{1, 2}, y{10, 20};
        return x * y + 1.0F;
    };
    auto e = make();
    EXPECT_EQ(e.to_vector(), (floats{11, 41}));
    EXPECT_EQ(e.to_vector(), (floats{11, 41}));
}

TEST(Laziness, SharedSubexpressionsAreOneValue) {
    const array<float> x = frit::linspace(0.1F, 1.0F, 100);
    x.eval();
    array<float> a = exp(x) + 1.0F, b = exp(x) * 2.0F;
    const frit::plan p = frit::make_plan(a, b);
    ASSERT_EQ(p.kernels().size(), 1U);
    const std::string text = p.kernels()[0].source();
    const std::size_t first = text.find("exp");
    ASSERT_NE(first, std::string::npos) << text;
    EXPECT_EQ(text.find("exp(", text.find("exp(") + 1), std::string::npos) << text;
}

TEST(Laziness, TheGraphLimitBoundsWhatIsPending) {
    const graph_limit limit(64);
    const std::uint64_t pending = frit::stats().pending_nodes;
    array<double> x = frit::zeros<double>({10});
    std::uint64_t most = 0;
    for (int k = 0; k < 1000; ++k) {
        x = x + 1.0;
        most = std::max(most, frit::stats().pending_nodes - pending);
    }
    EXPECT_LE(most, 2 * 64 + 2U);
    EXPECT_EQ(x.to_vector(), std::vector<double>(10, 1000.0));
}

TEST(Laziness, TheLimitCountsComponentsApart) {
    const graph_limit limit(64);
    const std::uint64_t before = launched();
    std::vector<array<double>> many;
    for (int k = 0; k < 100; ++k) many.push_back(frit::full({4}, 1.0) + static_cast<double>(k));
    EXPECT_EQ(launched(), before);  // no component is larger than two nodes
    EXPECT_EQ(many[70].to_vector(), std::vector<double>(4, 71.0));
}

TEST(Laziness, ADefaultConstructedArrayIsAnErrorToUse) {
    array<float> x;
    EXPECT_THROW(x.eval(), frit::error);
    EXPECT_THROW((void)(x + 1.0F).to_vector(), frit::error);
}

TEST(Laziness, ALoopThatEvaluatesSomethingBesideItsStateStoresTheState) {
    array<float> u = frit::ones<float>({1000});
    u.eval();
    frit::reset_stats();
    for (int k = 0; k < 20; ++k) {
        u = frit::sin(u) * 1.1F;
        const array<float> peak = frit::max(u);
        peak.eval();
    }
    const frit::counters c = frit::stats();
    EXPECT_LE(c.kernels_launched, 40U);
    EXPECT_LE(c.bytes_read, 20U * 2 * 4000);  // the state of the round before, not of the first one
    EXPECT_LE(c.pending_nodes, 3U);
    float expected = 1;
    for (int k = 0; k < 20; ++k) expected = std::sin(expected) * 1.1F;
    EXPECT_NEAR(u(0).item(), expected, 1e-4);
}

TEST(Laziness, WhatOnlyOthersNeedIsStoredToo) {  // the old u has no handle any more when something is evaluated
    array<double> u = frit::ones<double>({1000});
    u.eval();
    frit::reset_stats();
    for (int k = 0; k < 20; ++k) {
        const auto step = frit::sin(u) * 1.1;
        u = u + step;
        array<double>(frit::max(step)).eval();
    }
    EXPECT_LE(frit::stats().pending_nodes, 4U);
    EXPECT_LE(frit::stats().kernels_launched, 60U);
}

TEST(Laziness, EvalIntoInALoopDoesNotBeginAtTheBeginning) {
    std::vector<double> frame(1000);
    array<double> u = frit::ones<double>({1000});
    u.eval();
    frit::reset_stats();
    for (int k = 0; k < 20; ++k) {
        u = frit::sin(u) * 1.1;
        frit::eval_into(frit::out(frame.data(), {1000}), u);
    }
    EXPECT_LE(frit::stats().pending_nodes, 2U);
    EXPECT_LE(frit::stats().kernels_launched, 40U);
    EXPECT_EQ(frame, u.to_vector());
}

// What came before the loop does not come again, and an inner loop's statements come too often: neither is where a round
// begins.
TEST(Laziness, ALoopIsCutWhereARoundBegins) {
    const graph_limit few(128);
    array<double> u = frit::zeros<double>({50}), v = frit::zeros<double>({50}), w = frit::zeros<double>({50});
    const auto rounds = [&](int n) {
        for (int k = 0; k < n; ++k) {
            for (int inner = 0; inner < 7; ++inner) v = v * 0.5 + w;
            u = u + v * 0.25;
            w = frit::sin(u) + 1.0;
        }
    };
    rounds(30);
    const std::uint64_t built = frit::stats().plans_built;
    rounds(300);
    EXPECT_LE(frit::stats().plans_built - built, 2U);
    EXPECT_LT(frit::stats().pending_nodes, 128U);
    double a = 0, b = 0, c = 0;
    for (int k = 0; k < 330; ++k) {
        for (int inner = 0; inner < 7; ++inner) b = b * 0.5 + c;
        a = a + b * 0.25;
        c = std::sin(a) + 1.0;
    }
    EXPECT_NEAR(u(0).item(), a, 1e-9 * a);
}

}  // namespace
