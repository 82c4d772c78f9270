// Plans and generated texts of a few formulas, compared with files: a change of the planner or the generator shows up in
// review as a change of text. For a made-up CPU and a made-up GPU, so that every machine produces the same.
//
// After a change that is meant: FRIT_UPDATE_GOLDEN=1 frit_test_golden writes the files anew; read the difference.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string_view>
#include <tuple>

#include <frit/frit.hpp>

#include "fusion/codegen/dialect.hpp"
#include "fusion/codegen/llvm_loops.hpp"
#include "fusion/plan.hpp"
#include "fusion/schedules/gpu/gpu.hpp"
#include "fusion/schedules/host/host.hpp"
#include "src/graph/eval.hpp"
#include "tests/support/expect_file.hpp"

namespace {
using frit::array;
using frit::none;
using frit::slice;
namespace fusion = frit::fusion;

fusion::target a_cpu() {
    fusion::target t;
    t.processors = 8;
    t.vector_bytes = 32;
    t.has_fma = true;
    return t;
}

fusion::target a_gpu() {
    fusion::target t;
    t.device = fusion::target::kind::cuda;
    t.processors = 132;
    t.vector_bytes = 16;
    t.has_fma = true;
    t.sm = 90;
    return t;
}

struct planned {
    fusion::graph graph;
    fusion::execution_plan plan;
};

planned plan_for(const fusion::target& target, const std::vector<frit::detail::handle_ref>& outputs) {
    std::vector<frit::detail::node*> roots;
    for (const auto& o : outputs) roots.push_back(frit::detail::as_node(o.get()));
    frit::detail::context& home = *roots[0]->home;
    const std::unique_lock lock(home.lock);
    planned p;
    p.graph = frit::detail::expand(home, roots, false).graph;
    p.plan = fusion::make_plan(p.graph, target, true);
    return p;
}

void expect_file(const std::string& name, const std::string& text) {
    frit_test::expect_file(std::string(FRIT_TEST_SOURCE_DIR) + "/golden/expected/" + name, text);
}

/// The kernel without its prelude, which is a source file of its own.
std::string kernel_text(const fusion::kernel_spec& spec, const fusion::dialect& d, const fusion::target& t) {
    return d.kernel(spec, t, "frit_kernel");
}

using outputs = std::vector<frit::detail::handle_ref>;

void check(const std::string& name, const std::function<outputs()>& formula) {
    const outputs o = formula();
    const planned cpu = plan_for(a_cpu(), o), gpu = plan_for(a_gpu(), o);
    expect_file(name + ".plan.txt", fusion::explain(cpu.graph, cpu.plan, a_cpu()));
    std::string host, cuda, specs, host_ir, gpu_ir, llvm;
    for (const fusion::launch& l : cpu.plan.launches) {
        if (l.call) continue;
        specs += fusion::to_string(l.spec);
        if (has_running(l.spec) && !has_recurrences(l.spec)) continue;
        const fusion::loops::kernel loops = fusion::host_loops(l.spec, a_cpu(), "frit_kernel");
        host_ir += to_string(loops);
        llvm += fusion::llvm_text(loops, a_cpu());
        host += kernel_text(l.spec, fusion::host_c(), a_cpu());
    }
    for (const fusion::launch& l : gpu.plan.launches) {
        if (l.call) continue;
        gpu_ir += to_string(fusion::gpu_loops(l.spec, "frit_kernel"));
        cuda += kernel_text(l.spec, fusion::cuda_c(), a_gpu());
    }
    const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    // The loops of a CPU's orders of loops, and of most of a GPU's schedules.
    if (is_one_of({"axpb", "sumsq", "gather", "softmax", "pairwise"})) expect_file(name + ".loops.txt", host_ir);
    if (is_one_of({"axpb", "sumsq", "gather", "softmax", "pairwise", "rows_once", "transpose", "stencil", "bincount",
                   "scan_sort"}))
        expect_file(name + ".gpu.loops.txt", gpu_ir);
    if (is_one_of({"axpb", "sumsq", "gather"})) expect_file(name + ".ll", llvm);
    if (name == "rows_once") {
        expect_file(name + ".gpu.plan.txt", fusion::explain(gpu.graph, gpu.plan, a_gpu()));
        specs += fusion::to_string(gpu.plan.launches[0].spec);
    }
    expect_file(name + ".spec.txt", specs);
    expect_file(name + ".host.cpp", host);
    expect_file(name + ".cu", cuda);
}

array<float> input(std::int64_t n, float lo, float hi) {
    array<float> x = frit::linspace(lo, hi, n);
    x.eval();
    return x;
}

TEST(Golden, Axpb) {
    const array<float> x = input(1024, 0, 1);
    const array<float> y = 2.0F * x + 1.0F;
    check("axpb", [&] { return outputs{y.handle()}; });
}

TEST(Golden, BlackScholes) {
    const array<float> spot = input(1000, 50, 150), strike = input(1000, 60, 140), years = input(1000, 0.1F, 2),
                       rate = input(1000, 0.01F, 0.05F), vol = input(1000, 0.1F, 0.6F);
    const auto cdf = [](const array<float>& d) { return 0.5F * (1.0F + erf(d * std::sqrt(0.5F))); };
    const array<float> root = vol * sqrt(years), d1 = (log(spot / strike) + (rate + 0.5F * vol * vol) * years) / root,
                       d2 = d1 - root, discounted = strike * exp(-rate * years);
    const array<float> call = spot * cdf(d1) - discounted * cdf(d2), put = call - spot + discounted;
    check("black_scholes", [&] { return outputs{call.handle(), put.handle()}; });
}

TEST(Golden, Stencil) {
    const array<float> stored = input(1200, 0, 1);
    const array<float> u = stored.reshape({40, 30});
    const array<float> y = 0.25F * (u(slice(2, none), slice(1, -1)) + u(slice(0, -2), slice(1, -1)) +
                                    u(slice(1, -1), slice(2, none)) + u(slice(1, -1), slice(0, -2)));
    check("stencil", [&] { return outputs{y.handle()}; });
    // Vectors as long as a cache line: rows begin where loads are aligned, and the last row is fetched ahead.
    fusion::target long_vectors = a_cpu();
    long_vectors.vector_bytes = 64;
    const planned cpu = plan_for(long_vectors, {y.handle()});
    expect_file("stencil_long_vectors.host.cpp", kernel_text(cpu.plan.launches[0].spec, fusion::host_c(), long_vectors));
}

TEST(Golden, GatherAndScatter) {
    const array<float> x = input(1000, 0, 1);
    const array<int> i = (frit::arange<int>(500) * 7 % 1000).eval();
    const array<float> y = x(i) * 2.0F + 1.0F;
    check("gather", [&] { return outputs{y.handle()}; });
    const array<float> u = scatter_add(x, i + 1, y, 0);
    check("scatter", [&] { return outputs{u.handle()}; });
}

TEST(Golden, SumOfSquares) {
    const array<float> x = input(1024, 0, 1), y = input(1024, 1, 2);
    const array<float> s = frit::sum((x - y) * (x - y));
    check("sumsq", [&] { return outputs{s.handle()}; });
}

// Three passes over each row, what the second one makes kept for the third.
TEST(Golden, SoftmaxOfRows) {
    const array<float> x = input(1200, 0, 1);
    const array<float> y = frit::softmax(x.reshape({40, 30}), -1);
    check("softmax", [&] { return outputs{y.handle()}; });
}

// On a GPU each row is read once, for its total and for the sum over all rows that this weights.
TEST(Golden, RowsThatWeightASum) {
    const array<float> x = input(300 * 128, 0, 1).reshape({300, 128}), w = input(128, -1, 1);
    const array<float> g = frit::sum(x * frit::sigmoid(frit::sum(x * w, 1, frit::keepdims)), 0);
    check("rows_once", [&] { return outputs{g.handle()}; });
}

// The rows' totals are stored nowhere: their weights go into the rows, and one total is left.
TEST(Golden, SumOfWeightedRows) {
    const array<float> x = input(300 * 128, 0, 1).reshape({300, 128}), w = input(128, -1, 1), v = input(300, 0, 2);
    const array<float> s = frit::sum(v * frit::sum(x * w, 1));
    check("flat_sum", [&] { return outputs{s.handle()}; });
}

// One operand is read along its own rows and turned on the way.
TEST(Golden, TransposedOperand) {
    const array<float> a = input(40 * 48, 0, 1).reshape({40, 48}), b = input(48 * 40, 1, 2).reshape({48, 40});
    const array<float> y = a + b.T();
    check("transpose", [&] { return outputs{y.handle()}; });
}

// No distance is ever in memory: a tile of each operand meets the other.
TEST(Golden, PairwiseDistances) {
    const array<float> x = input(300, 0, 1), y = input(200, 1, 2);
    const array<float> d = frit::sum(abs(x(frit::all, frit::newaxis) - y(frit::newaxis, frit::all)), 1);
    check("pairwise", [&] { return outputs{d.handle()}; });
}

TEST(Golden, SliceUpdateInPlaceAndCopied) {
    array<double> u = frit::ones<double>({100});
    u.eval();
    u(slice(1, -1)) = 0.5 * (u(slice(0, -2)) + u(slice(2, none)));
    check("update", [&] { return outputs{u.handle()}; });
}

TEST(Golden, MixedDtypesAndBroadcast) {
    array<int> k = frit::arange<int>(0, 50);
    array<double> x = frit::linspace(0.0, 1.0, 40);
    frit::eval(k, x);
    const array<double> y = frit::where(k % 3 == 0, x(frit::all, frit::newaxis) * k, -1.0);
    check("mixed", [&] { return outputs{y.handle()}; });
}

// On a GPU one kernel that counts, beside the one that makes zeros.
TEST(Golden, Bincount) {
    const array<int> i = (frit::arange<int>(500) * 7).eval();
    const array<std::int64_t> counts = scatter_add(frit::zeros<std::int64_t>({10}), i % 10, std::int64_t{1}, 0);
    check("bincount", [&] { return outputs{counts.handle()}; });
}

// Pixels as they are stored, one pass: three strided loads of a byte, float in between, a byte out.
TEST(Golden, GreyOfAnImage) {
    array<std::uint8_t> image = frit::cast<std::uint8_t>(frit::arange<int>(0, 40 * 30 * 3)).reshape({40, 30, 3});
    image.eval();
    const auto channel = [&](int k) { return frit::cast<float>(image(frit::all, frit::all, k)); };
    const array<std::uint8_t> grey =
        frit::cast<std::uint8_t>(frit::clip(0.299F * channel(0) + 0.587F * channel(1) + 0.114F * channel(2) + 0.5F, 0, 255));
    check("grey", [&] { return outputs{grey.handle()}; });
}

TEST(Golden, MixedWidths) {
    array<std::int8_t> a = frit::cast<std::int8_t>(frit::arange<int>(-100, 100));
    array<std::uint8_t> b = frit::cast<std::uint8_t>(frit::arange<int>(0, 200));
    array<std::uint16_t> c = frit::cast<std::uint16_t>(frit::arange<int>(0, 200));
    frit::eval(a, b, c);
    const array<std::int16_t> product = a * b;               // int16
    const array<std::int32_t> shifted = product + (c >> 3);  // int32
    const array<std::uint64_t> total = frit::sum(c);
    check("widths", [&] { return outputs{product.handle(), shifted.handle(), total.handle()}; });
}

// Operands in one pass, the product by a library, bias and threshold in one more.
TEST(Golden, MatmulWithFusedNeighbours) {
    array<float> a = input(40 * 30, 0, 1).reshape({40, 30}), b = input(40 * 30, 1, 2).reshape({40, 30}),
                 bias = input(30, -1, 1);
    frit::eval(a, b, bias);
    const array<float> y = frit::maximum(frit::matmul(a.T() * 2.0F, b - a) + bias, 0.0F);
    check("matmul", [&] { return outputs{y.handle()}; });
}

TEST(Golden, ScanAndSort) {
    array<int> x = frit::arange<int>(0, 600);
    x.eval();
    const array<std::int64_t> order = frit::argsort(frit::cumsum(x % 7).reshape({20, 30}), 0) + 1;
    check("scan_sort", [&] { return outputs{order.handle()}; });
}

// One row, which is walked without tables; both parts of the state read one mask.
TEST(Golden, ScanOfPairsAlongOneRow) {
    const array<float> x = input(500, 0, 1), y = input(500, 1, 2);
    frit::eval(x, y);
    const auto composed = [](const auto& f, const auto& g) {
        const auto& [a, b] = f;
        const auto& [c, d] = g;
        return std::tuple(a * c, b * c + d);
    };
    const array<float> both = std::get<1>(frit::scan(std::tuple(x, y), 0, composed));
    check("scan_pairs", [&] { return outputs{both.handle()}; });
}

}  // namespace
