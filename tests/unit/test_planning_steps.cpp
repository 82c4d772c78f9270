// Planning takes so many steps a statement whatever the statements have to do with each other: counted in looks at values,
// operands and readers (fusion::execution_plan::steps), never by a clock, and compared with a plain chain's.
#include <gtest/gtest.h>

#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include <frit/frit.hpp>

#include "src/graph/eval.hpp"
#include "tests/support/thorough.hpp"

namespace {
using frit::array;
using frit::slice;
using arrays = std::vector<array<float>>;
namespace fusion = frit::fusion;

/// Steps for each value of the graph, which is what a statement of one operation is.
double steps_per_value(const arrays& outputs) {
    std::vector<frit::detail::node*> roots;
    for (const auto& o : outputs) roots.push_back(frit::detail::as_node(o.handle().get()));
    frit::detail::context& home = *roots[0]->home;
    const std::unique_lock lock(home.lock);
    fusion::graph g = frit::detail::expand(home, roots, false).graph;
    const auto values = static_cast<double>(g.values.size());
    fusion::target t;
    t.processors = 8;
    t.vector_bytes = 32;
    t.has_fma = true;
    return static_cast<double>(fusion::make_plan(g, t, true).steps) / values;
}

array<float> stored(double value) { return array<float>(frit::full({64}, static_cast<float>(value))).eval(); }

arrays many(int n) {
    arrays all;
    for (int k = 0; k < n; ++k) all.push_back(stored(k));
    return all;
}

double chain() {
    array<float> x = stored(1);
    const array<float> y = stored(2);
    for (int k = 0; k < 4096; ++k) x = x + y;
    return steps_per_value({x});
}

class PlanningSteps : public testing::Test {
protected:
    void SetUp() override { frit::set_graph_limit(0); }
    void TearDown() override { frit::set_graph_limit(4096); }
    const frit::scoped_device cpu{frit::device::cpu()};
};

void expect_near_chain(const std::string& what, const arrays& outputs, double most = 3) {
    const double of_chain = chain(), steps = steps_per_value(outputs);
    EXPECT_LE(steps, most * of_chain) << what << ": " << steps << " steps a value, a chain takes " << of_chain;
}

TEST_F(PlanningSteps, ChainsThatReadTheSameArrays) {
    const arrays x = many(64);
    arrays y = many(64);
    for (auto& sum : y)
        for (const auto& term : x) sum = sum + term;
    expect_near_chain("chain by chain", y);
    y = many(64);
    for (const auto& term : x)
        for (auto& sum : y) sum = sum + term;
    expect_near_chain("term by term", y);
}

TEST_F(PlanningSteps, EveryValueFromAllBefore) {
    const int steps = frit_test::thorough() ? 302 : 120;
    arrays y = many(1);
    for (int n = 1; n < steps; ++n) {
        array<float> sum = y[static_cast<std::size_t>(n - 1)] * 0.5F;
        for (int j = 2; j <= n; ++j) sum = sum + y[static_cast<std::size_t>(n - j)] * (0.5F / static_cast<float>(j));
        y.push_back(sum);
    }
    expect_near_chain("the last alone", {y.back()});
    expect_near_chain("all", y);
}

TEST_F(PlanningSteps, LayersInWhichEverythingIsConnected) {
    arrays h = many(64);
    for (int layer = 0; layer < 2; ++layer) {
        arrays next;
        for (int i = 0; i < 64; ++i) {
            array<float> sum = h[0] * 0.1F;
            for (int j = 1; j < 64; ++j) sum = sum + h[static_cast<std::size_t>(j)] * 0.1F;
            next.push_back(sum);
        }
        h = next;
    }
    expect_near_chain("dense layers", h);
}

TEST_F(PlanningSteps, WideGraphs) {
    const array<float> x = stored(1);
    arrays results;
    for (int k = 0; k < 4096; ++k) results.push_back(x * static_cast<float>(k));
    expect_near_chain("an array read by thousands", results);
    array<float> sum = results[0];
    for (std::size_t k = 1; k < 2048; ++k) sum = sum + results[k];
    expect_near_chain("and added up again", {sum});
    arrays totals;
    for (int k = 0; k < 2048; ++k) totals.push_back(frit::sum(x * static_cast<float>(k)));
    expect_near_chain("small reductions of one array", totals, 4);  // what a row is made of is gone through once more
    arrays products;
    const arrays rows = many(64);
    for (const auto& a : rows)
        for (const auto& b : rows) products.push_back(a * b);
    // A product is tried with the last groups of either array, full as they are: a constant, for groups are bounded.
    expect_near_chain("all pairs", products, 12);
}

TEST_F(PlanningSteps, LaddersAndUpdates) {
    array<float> a = stored(1), b = stored(2);
    arrays kept;
    for (int k = 0; k < 2048; ++k) {
        array<float> c = a + b * 0.5F, d = a * b - 0.25F;
        a = c;
        b = d;
        kept.push_back(a);
    }
    expect_near_chain("a ladder", {a, b});
    expect_near_chain("a ladder, every rung kept", kept);
    array<float> u = array<float>(frit::zeros<float>({4096})).eval();
    for (int k = 0; k < 2048; ++k) u(slice(k, k + 1)) = static_cast<float>(k);
    expect_near_chain("disjoint updates of one array", {u});
}

// Each reshape needs what is below it in memory, which lowering finds out: grouping and lowering run three times.
TEST_F(PlanningSteps, ReshapesThatNeedMemory) {
    array<float> x = array<float>(frit::zeros<float>({24, 30})).eval();
    for (int k = 0; k < 1024; ++k) x = array<float>(array<float>(x.T() + 1.0F).reshape({24, 30})) * 0.5F;
    expect_near_chain("reshapes", {x}, 4);
}

}  // namespace
