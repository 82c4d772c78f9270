// Hand-written specs run for real: on the CPU backend always, which checks these tests themselves, and on a GPU where there
// is one. References are computed here in double.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <functional>

#include "frit/error.hpp"
#include "tests/cuda/batch.hpp"
#include "tests/cuda/on_device.hpp"
#include "tests/cuda/run_spec.hpp"
#include "tests/cuda/spec_lists.hpp"
#include "tests/support/ulp.hpp"
#include "tests/support/values.hpp"

namespace {

using namespace frit_test;
using frit::detail::backend;

class OnDevice : public frit_test::on_device {
protected:
    bool on_gpu() const { return std::string(GetParam()) == "cuda"; }
};
INSTANTIATE_TEST_SUITE_P(, OnDevice, ::testing::Values("cpu", "interpreted", "emulated", "cuda"),
                         [](const auto& p) { return std::string(p.param); });

std::vector<float> random_floats(std::int64_t n, double lo, double hi, std::uint64_t seed) {
    generator g(seed);
    std::vector<float> v(static_cast<std::size_t>(n));
    for (float& x : v) x = static_cast<float>(g.uniform(lo, hi));
    return v;
}

// The sizes at which blocks, vectors and tails begin and end.
const std::vector<std::int64_t> sizes = {1, 2, 3, 4, 5, 127, 128, 511, 512, 513, 1000, 4096, 100'003};

// Runs an elementwise spec on f32 inputs and checks every output against the formula in double: within `ulp`, or, where
// terms cancel, within `absolute`.
void check_elementwise(backend& b, const kernel_spec& spec, const std::vector<std::pair<double, double>>& ranges,
                       const std::vector<float>& scalars, double ulp, double absolute,
                       const std::function<std::vector<double>(const std::vector<double>&)>& formula) {
    for (const std::int64_t n : sizes) {
        std::vector<std::vector<float>> inputs;
        std::vector<operand> operands;
        for (std::size_t k = 0; k < ranges.size(); ++k) {
            inputs.push_back(random_floats(n, ranges[k].first, ranges[k].second, 100 * k + static_cast<std::uint64_t>(n)));
            operands.push_back(operand_of(inputs.back()));
        }
        for (std::size_t k = 0; k < spec.stores.size(); ++k)
            operands.push_back(operand_of(std::vector<float>(inputs[0].size(), -7)));
        std::vector<std::uint64_t> words;
        for (float s : scalars) words.push_back(word_of(s));
        prepared_run run(b, spec, {n}, operands, words);
        run.launch();
        for (std::size_t k = 0; k < spec.stores.size(); ++k) {
            const auto got = values_of<float>(run.result(ranges.size() + k));
            double worst = 0;
            for (std::size_t i = 0; i < got.size(); ++i) {
                std::vector<double> x;
                for (const auto& in : inputs) x.push_back(in[i]);
                const double want = formula(x)[k];
                if (std::abs(got[i] - want) > absolute)
                    worst = std::max(worst, static_cast<double>(ulp_distance(got[i], want)));
            }
            EXPECT_LE(worst, ulp) << "n = " << n << ", output " << k;
        }
    }
}

TEST_P(OnDevice, Axpb) {
    for (int width : {1, 4})
        check_elementwise(*device, axpb(width), {{0, 2}}, {2.5F, 1.25F}, 1, 0,
                          [](const auto& x) { return std::vector{2.5 * x[0] + 1.25}; });
}
TEST_P(OnDevice, Chain12) {
    for (int width : {1, 4})
        check_elementwise(*device, chain12(width), {{0.5, 1.5}, {0.5, 1.5}, {0.5, 1.5}}, {0.5F, 1.0F}, 0, 3e-6,
                          [](const auto& x) {
                              const double a = x[0], b = x[1], c = x[2], t = a * b + c, u = a * a - b * c;
                              return std::vector{(t * u + 0.5) / (u * u + 1) * c + b};
                          });
}
TEST_P(OnDevice, Trig) {
    for (int width : {1, 4})
        check_elementwise(*device, trig(width), {{0, 3}, {-3, 3}}, {2.0F}, 0, 1e-6,
                          [](const auto& x) { return std::vector{2 * std::sin(x[0]) + std::exp(-x[1] * x[1])}; });
}
TEST_P(OnDevice, BlackScholes) {
    const auto cdf = [](double d) { return 0.5 * std::erfc(-d / std::sqrt(2.0)); };
    for (int width : {1, 4})
        for (const std::int64_t n : {std::int64_t{999}, std::int64_t{100'003}}) {
            const auto S = random_floats(n, 10, 50, 1), K = random_floats(n, 10, 50, 2), T = random_floats(n, .25, 2, 3),
                       r = random_floats(n, .01, .05, 4), v = random_floats(n, .1, .5, 5);
            const std::vector<float> none(S.size());
            prepared_run run(*device, black_scholes(width), {n},
                             {operand_of(S), operand_of(K), operand_of(T), operand_of(r), operand_of(v), operand_of(none),
                              operand_of(none)},
                             {word_of(0.5F), word_of(1.0F), word_of(static_cast<float>(std::sqrt(0.5)))});
            run.launch();
            const auto call = values_of<float>(run.result(5)), put = values_of<float>(run.result(6));
            double worst = 0;  // prices of 0 to 40: the error is absolute, by cancellation
            for (std::size_t i = 0; i < S.size(); ++i) {
                const double st = v[i] * std::sqrt(double{T[i]});
                const double d1 = (std::log(double{S[i]} / K[i]) + (r[i] + 0.5 * v[i] * v[i]) * T[i]) / st, d2 = d1 - st;
                const double ke = K[i] * std::exp(-double{r[i]} * T[i]), want = S[i] * cdf(d1) - ke * cdf(d2);
                worst = std::max({worst, std::abs(call[i] - want), std::abs(put[i] - (want - S[i] + ke))});
            }
            EXPECT_LE(worst, 1e-4) << "n = " << n;
        }
}

TEST_P(OnDevice, SumOfSquares) {
    for (int width : {1, 4})
        for (const std::int64_t n :
             {std::int64_t{0}, std::int64_t{1}, std::int64_t{7}, std::int64_t{1023}, std::int64_t{3'000'001}}) {
            const auto x = random_floats(n, 0, 1, 6), y = random_floats(n, 0, 1, 7);
            double want = 0;
            for (std::size_t i = 0; i < x.size(); ++i) want += (double{x[i]} - y[i]) * (double{x[i]} - y[i]);
            prepared_run run(*device, sum_of_squares(width), {n},
                             {operand_of(x), operand_of(y), operand_of(std::vector<float>(1, -7))});
            for (int again = 0; again < 3; ++again) {  // the ticket resets itself
                run.launch();
                EXPECT_NEAR(values_of<float>(run.result(2))[0], want, 1e-5 * want) << "n = " << n;
            }
        }
}

// A matrix seen through strides: transposed, broadcast along a row, padded at the edges; coordinates; rows from 1 to many.
TEST_P(OnDevice, StridedViewsAndClampedEdges) {
    for (const auto& [rows, columns] :
         {std::pair<std::int64_t, std::int64_t>{1, 1}, {3, 5}, {5, 3}, {37, 130}, {1000, 33}}) {
        const auto f = dtype::f32;
        builder k(2);
        const int transposed = k.load(f, "1s"), row = k.load(f, "01"), left = k.load(f, "sc"), i = k.coord(dtype::i64, 0);
        const int i_as_float = k.apply(op::cast, f, i);
        k.store(k.apply(op::add, f, k.apply(op::sub, f, transposed, row), k.apply(op::mul, f, left, i_as_float)), "s1");
        const auto t = random_floats(rows * columns, -1, 1, 8), r = random_floats(columns, -1, 1, 9),
                   a = random_floats(rows * columns, -1, 1, 10);
        operand edge = operand_of(a, {columns, 1});
        edge.step = {0, 1};
        edge.shift = {0, -1};
        edge.lo = {0, 0};
        edge.hi = {0, columns - 1};
        prepared_run run(*device, k.spec, {rows, columns},
                         {operand_of(t, {1, rows}), operand_of(r, {0, 1}), edge,
                          operand_of(std::vector<float>(t.size(), -7), {columns, 1})},
                         {}, {2, 1});  // the coordinate: 2 * i + 1
        run.launch();
        const auto got = values_of<float>(run.result(3));
        for (std::int64_t y = 0; y < rows; ++y)
            for (std::int64_t x = 0; x < columns; ++x) {
                const auto at = [](const std::vector<float>& v, std::int64_t p) { return v[static_cast<std::size_t>(p)]; };
                const float want = (at(t, x * rows + y) - at(r, x)) +
                                   at(a, y * columns + std::max<std::int64_t>(x - 1, 0)) * static_cast<float>(2 * y + 1);
                ASSERT_EQ(at(got, y * columns + x), want) << rows << " x " << columns << " at " << y << ", " << x;
            }
    }
}

TEST_P(OnDevice, RankFiveAndReductionsBesideStores) {
    const std::int64_t e[] = {3, 2, 5, 4, 7};
    const std::vector<std::int64_t> extents(e, e + 5), strides = {280, 140, 28, 7, 1};
    const auto x = random_floats(3 * 2 * 5 * 4 * 7, -1, 1, 11);
    builder k(5, schedule_kind::reduce_all);
    const int v = k.load(dtype::f32, "ssss1"), twice = k.apply(op::add, dtype::f32, v, v);
    k.store(twice, "sssss");
    k.reduce(op::max, twice);
    k.reduce(op::sum, v);
    const operand out = operand_of(std::vector<float>(x.size(), -7), strides);
    prepared_run run(*device, k.spec, extents,
                     {operand_of(x, strides), out, operand_of(std::vector<float>(1)), operand_of(std::vector<float>(1))});
    run.launch();
    const auto stored = values_of<float>(run.result(1));
    float largest = -2;
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        ASSERT_EQ(stored[i], 2 * x[i]) << i;
        largest = std::max(largest, 2 * x[i]);
        sum += x[i];
    }
    EXPECT_EQ(values_of<float>(run.result(2))[0], largest);
    EXPECT_NEAR(values_of<float>(run.result(3))[0], sum, 1e-4);
}

TEST_P(OnDevice, IntegerReductionsAndMasks) {
    const std::int64_t n = 100'001;
    std::vector<std::int32_t> x(static_cast<std::size_t>(n));
    generator g(12);
    std::int64_t sum = 0, smallest = INT64_MAX;
    for (auto& v : x) {
        v = static_cast<std::int32_t>(g.between(-1'000'000'000, 1'000'000'000));
        sum += v;
        smallest = std::min<std::int64_t>(smallest, v);
    }
    builder k(1, schedule_kind::reduce_all);
    k.spec.vector_width = 4;
    const int v = k.load(dtype::i32, "1"), wide = k.apply(op::cast, dtype::i64, v), zero = k.scalar(dtype::i32);
    const int positive = k.apply(op::gt, dtype::bool_, v, zero);
    k.reduce(op::sum, wide);
    k.reduce(op::min, wide);
    k.reduce(op::any, positive);
    k.reduce(op::all, positive);
    const auto one = operand_of(std::vector<std::int64_t>(1)), flag = operand_of(std::vector<bool>(1));
    prepared_run run(*device, k.spec, {n}, {operand_of(x), one, one, flag, flag}, {word_of(std::int32_t{0})});
    run.launch();
    EXPECT_EQ(values_of<std::int64_t>(run.result(1))[0], sum);
    EXPECT_EQ(values_of<std::int64_t>(run.result(2))[0], smallest);
    EXPECT_EQ(run.result(3).bytes[0], 1);
    EXPECT_EQ(run.result(4).bytes[0], 0);
}

TEST_P(OnDevice, AReductionGivesTheSameBitsAThousandTimesAndInEveryLayout) {
    const std::int64_t n = 1'234'567, columns = 127, rows = n / columns;  // 9721 * 127
    ASSERT_EQ(rows * columns, n);
    const auto x = random_floats(n, -1, 1, 13), y = random_floats(n, -1, 1, 14);
    const std::vector<float> out(1);
    std::uint32_t bits = 0;
    const auto bits_of = [](const operand& o) { return values_of<std::uint32_t>(o)[0]; };
    {
        prepared_run run(*device, sum_of_squares(4), {n}, {operand_of(x), operand_of(y), operand_of(out)});
        run.launch();
        bits = bits_of(run.result(2));
        for (int again = 1; again < (on_gpu() ? 1000 : 5); ++again) {
            run.launch();
            ASSERT_EQ(bits_of(run.result(2)), bits) << "run " << again;
        }
    }
    prepared_run unaligned(*device, sum_of_squares(1), {n}, {operand_of(x), operand_of(y), operand_of(out)});
    unaligned.launch();
    EXPECT_EQ(bits_of(unaligned.result(2)), bits) << "without vector accesses";
    builder k(2, schedule_kind::reduce_all);
    const int a = k.load(dtype::f32, "s1"), b = k.load(dtype::f32, "s1"), d = k.apply(op::sub, dtype::f32, a, b);
    k.reduce(op::sum, k.apply(op::mul, dtype::f32, d, d));
    prepared_run strided(*device, k.spec, {rows, columns},
                         {operand_of(x, {columns, 1}), operand_of(y, {columns, 1}), operand_of(out)});
    strided.launch();
    EXPECT_EQ(bits_of(strided.result(2)), bits) << "as a matrix";
}

// Every op, cast and vector width on edge values: CUDA text gives what the interpreter gives, exactly where the table says 0
// ulp.
operand edge_values(dtype type, std::size_t n, std::size_t turn) {
    operand o;
    const auto fill = [&]<class T>(T) {
        std::vector<T> pool = edges<T>(), values;
        for (std::size_t k = 0; k < n; ++k) values.push_back(pool[(k / (turn ? turn : 1) + turn) % pool.size()]);
        o = operand_of(values);
    };
    switch (type) {
#define FRIT_X(name, ctype) \
    case dtype::name: fill(ctype{}); break;
        FRIT_COMPUTE_DTYPES(FRIT_X)
        FRIT_COMPLEX_DTYPES(FRIT_X)
#undef FRIT_X
        default: break;
    }
    return o;
}

/// Whether an op may answer a pair of zeros with either of them.
bool either_zero(op code) {
    switch (code) {
        case op::maximum:
        case op::minimum:
        case op::fmax:
        case op::fmin:
        case op::clip:
        case op::relu: return true;
        default: return false;
    }
}

template <class T>
void compare(const operand& got, const operand& want, double ulp, double tiny, bool signed_zeros, const std::string& what) {
    const auto g = values_of<T>(got), w = values_of<T>(want);
    for (std::size_t k = 0; k < g.size(); ++k) {
        if constexpr (frit_test::is_complex<T>) {
            EXPECT_TRUE(frit_test::same_bits(g[k], w[k])) << what << "element " << k << ": " << g[k] << ", not " << w[k];
        } else if constexpr (std::is_floating_point_v<T>) {
            if (std::fabs(g[k]) <= tiny && std::fabs(w[k]) <= tiny) continue;
            EXPECT_LE(ulp_distance(g[k], static_cast<long double>(w[k])), ulp)
                << what << "element " << k << ": " << g[k] << ", not " << w[k];
            if (signed_zeros && w[k] == 0) {
                EXPECT_EQ(std::signbit(g[k]), std::signbit(w[k])) << what << "element " << k << ", a zero";
            }
        } else {
            EXPECT_EQ(g[k], w[k]) << what << "element " << k;
        }
    }
}

void compare_with_interpreter(backend& gpu, const kernel_spec& spec) {
    const std::size_t n = 5000;
    double ulp = 0, tiny = 0;
    bool signed_zeros = true;
    for (const auto& i : spec.body) {
        if (!frit::is_elementwise(i.code)) continue;
        if (frit::info(i.code).types == frit::op_types::SHORT) tiny = 1e-35;
        ulp += 2 * frit::info(i.code).ulp;  // both engines may be off, to opposite sides
        signed_zeros = signed_zeros && frit::info(i.code).ulp == 0 && !either_zero(i.code);
    }
    const bool reduces = spec.schedule == schedule_kind::reduce_all;
    std::vector<operand> operands;
    std::vector<frit::fusion::access> outputs;
    for (std::size_t k = 0; k < spec.loads.size(); ++k)
        operands.push_back(edge_values(spec.loads[k].type, n, k == 0 ? 0 : k == 1 ? 29 : 13));
    for (const auto& s : spec.stores) outputs.push_back(s.to);
    for (const auto& s : spec.row_stores) outputs.push_back(s.to);
    for (const frit::fusion::access& a : outputs) operands.push_back(edge_values(a.type, reduces ? 1 : n, 0));
    std::vector<std::uint64_t> scalars(spec.scalars.size(), 1);
    prepared_run a(gpu, spec, {static_cast<std::int64_t>(n)}, operands, scalars);
    prepared_run b(frit::detail::cpu_backend(), spec, {static_cast<std::int64_t>(n)}, operands, scalars);
    a.launch();
    b.launch();
    for (const frit::fusion::access& out : outputs) {
        const std::string what = to_string(spec);
        switch (out.type) {
#define FRIT_X(name, ctype)                                                               \
    case dtype::name:                                                                     \
        compare<std::conditional_t<std::is_same_v<ctype, bool>, unsigned char, ctype>>(   \
            a.result(out.pointer), b.result(out.pointer), ulp, tiny, signed_zeros, what); \
        break;
            FRIT_COMPUTE_DTYPES(FRIT_X)
            FRIT_COMPLEX_DTYPES(FRIT_X)
#undef FRIT_X
            default: break;
        }
    }
}

class CudaText : public OnDevice {
protected:
    void check(const std::vector<kernel_spec>& specs) {
        if (auto* emulator = dynamic_cast<cuda_emulator*>(device)) emulator->compile(specs);
        for (const kernel_spec& spec : specs) compare_with_interpreter(*device, spec);
    }
};
INSTANTIATE_TEST_SUITE_P(, CudaText, ::testing::Values("interpreted", "emulated", "cuda"),
                         [](const auto& p) { return std::string(p.param); });
class OnGpu : public OnDevice {};
INSTANTIATE_TEST_SUITE_P(, OnGpu, ::testing::Values("cuda"), [](const auto& p) { return std::string(p.param); });

TEST_P(CudaText, EveryOpGivesWhatTheInterpreterGives) { check(every_op()); }
TEST_P(CudaText, ComplexNumbersAreWhatTheInterpreterGives) { check(complex_numbers()); }
TEST_P(CudaText, EveryCastGivesWhatTheInterpreterGives) { check(every_cast()); }
TEST_P(CudaText, EveryVectorWidthGivesWhatTheInterpreterGives) { check(every_vector_width()); }

// Rows of a few elements and of more than a block; clamped dimensions go beyond both ends of their memory, forwards,
// backwards and in steps of two.
void compare_layout(backend& gpu, const kernel_spec& spec, const std::vector<std::int64_t>& extents) {
    std::size_t n = 1;
    for (const std::int64_t e : extents) n *= static_cast<std::size_t>(e);
    std::vector<std::int64_t> strides(extents.size(), 1);
    for (std::size_t d = extents.size() - 1; d-- > 0;) strides[d] = strides[d + 1] * extents[d + 1];
    std::vector<operand> operands;
    for (const frit::fusion::access& a : spec.loads) {
        operand o = operand_of(random_floats(static_cast<std::int64_t>(n), -1, 1, 20 + operands.size()), strides);
        for (std::size_t d = 0; d < a.dims.size(); ++d) {
            const std::int64_t e = extents[d], step = std::int64_t{1} - static_cast<std::int64_t>(operands.size() % 3);
            o.step.push_back(step == 0 ? 2 : step);
            o.shift.push_back(step < 0 ? e + 1 : -2);
            o.lo.push_back(0);
            o.hi.push_back(step == 1 ? std::max<std::int64_t>(e - 4, 0) : e - 1);
        }
        operands.push_back(std::move(o));
    }
    for (std::size_t k = 0; k < spec.stores.size(); ++k) operands.push_back(operand_of(std::vector<float>(n, -7), strides));
    for (std::size_t k = 0; k < spec.row_stores.size(); ++k) operands.push_back(operand_of(std::vector<float>(1)));
    std::vector<std::int64_t> coords;
    for (const auto& c : spec.coords) {
        coords.insert(coords.end(), {-2, 3});
        if (c.clamped) coords.insert(coords.end(), {-3, 2});
    }
    prepared_run a(gpu, spec, extents, operands, {}, coords);
    prepared_run b(frit::detail::cpu_backend(), spec, extents, operands, {}, coords);
    a.launch();
    b.launch();
    const std::string what = to_string(spec);
    for (const auto& s : spec.stores) compare<float>(a.result(s.to.pointer), b.result(s.to.pointer), 0, 0, true, what);
    if (spec.reductions.empty()) return;
    double size = 0;
    for (const float x : values_of<float>(b.result(spec.stores[0].to.pointer))) size += std::fabs(x);
    for (std::size_t r = 0; r < spec.reductions.size(); ++r) {
        const std::size_t pointer = spec.row_stores[r].to.pointer;
        const float got = values_of<float>(a.result(pointer))[0], want = values_of<float>(b.result(pointer))[0];
        const bool adds = spec.reductions[r].code == op::sum;  // in another order: Higham's bound for any
        EXPECT_NEAR(got, want, adds ? 2 * static_cast<double>(n) * std::numeric_limits<float>::epsilon() * size : 0) << what;
    }
}

TEST_P(CudaText, EveryLayoutGivesWhatTheInterpreterGives) {
    const auto specs = every_layout();
    if (auto* emulator = dynamic_cast<cuda_emulator*>(device)) emulator->compile(specs);
    for (const kernel_spec& spec : specs)
        for (const std::int64_t inner : {std::int64_t{7}, std::int64_t{601}}) {
            std::vector<std::int64_t> extents = {3, 2, 5, 4};
            extents.resize(spec.rank - 1U);
            extents.push_back(inner);
            compare_layout(*device, spec, extents);
        }
}

TEST_P(OnGpu, MoreThanTwoToThe31Elements) {
    const std::int64_t n = (std::int64_t{1} << 31) + 1'000'003;
    builder k;  // 1 byte an element: i % 3 == 0, by the coordinate
    k.spec.index64 = true;
    const int i = k.coord(dtype::i64, 0), three = k.scalar(dtype::i64), zero = k.scalar(dtype::i64);
    k.store(k.apply(op::eq, dtype::bool_, k.apply(op::mod, dtype::i64, i, three), zero), "1");
    const auto fill = device->prepare(k.spec);
    frit::detail::buffer_ref mask = device->allocate(static_cast<std::size_t>(n)), total = device->allocate(8);
    const frit::fusion::word_map map(k.spec);
    std::vector<std::uint64_t> words(map.layout.size);
    words[map.layout.extents] = static_cast<std::uint64_t>(n);
    words[map.layout.pointers] = reinterpret_cast<std::uint64_t>(mask->data);
    words[map.coords[0].step] = 1;
    words[map.scalars[0]] = 3;
    device->launch(*fill, k.spec, words);

    builder count(1, schedule_kind::reduce_all);
    count.spec.index64 = true;
    count.reduce(op::sum, count.apply(op::cast, dtype::i64, count.load(dtype::bool_, "1")));
    const auto counting = device->prepare(count.spec);
    std::uint64_t block[] = {0, 0, static_cast<std::uint64_t>(n), reinterpret_cast<std::uint64_t>(mask->data),
                             reinterpret_cast<std::uint64_t>(total->data)};
    device->launch(*counting, count.spec, block);
    std::int64_t got = 0;
    device->download(&got, *total.get(), 0, sizeof got);
    EXPECT_EQ(got, (n + 2) / 3);
}

TEST_P(OnGpu, OutOfMemoryIsAnErrorAndTheProcessGoesOn) {
    EXPECT_THROW(device->allocate(std::size_t{1} << 50), frit::out_of_memory);
    frit::detail::buffer_ref b = device->allocate(1000);
    EXPECT_NE(b->data, nullptr);
}

}  // namespace
