// Formulas over rows in numbers: how many kernels they become, what those read and write, and that the values are right.
// A row is what differs in the reduced axes alone; what is read again in its own row costs a pass, not a kernel.
#include <cmath>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"
#include "tests/support/thorough.hpp"

namespace {
using frit::all;
using frit::array;
using frit::keepdims;
using frit::newaxis;
using frit_test::evaluate;
using frit_test::traffic;

constexpr std::uint64_t width = sizeof(float);

/// Values without a pattern, so that no two rows are alike.
array<float> grid(std::int64_t rows, std::int64_t columns, float lo = -3, float hi = 3) {
    std::vector<float> v(static_cast<std::size_t>(rows * columns));
    std::uint32_t state = 1;
    for (float& x : v) {
        state = state * 1664525U + 1013904223U;
        x = lo + (hi - lo) * static_cast<float>(state >> 8) / float(1 << 24);
    }
    return frit::from_host(v, {rows, columns});
}

struct rows_of {
    std::vector<double> v;
    std::size_t rows, columns;
    explicit rows_of(const array<float>& x)
        : rows(static_cast<std::size_t>(x.shape()[0])), columns(static_cast<std::size_t>(x.shape()[1])) {
        for (float e : x.to_vector()) v.push_back(e);
    }
    double* row(std::size_t r) { return v.data() + r * columns; }
};

/// Applies f(row, length) to every row in double precision and compares.
template <class F>
void expect_rows(const array<float>& got, const array<float>& x, F f, double tolerance = 2e-5) {
    rows_of want(x);
    for (std::size_t r = 0; r < want.rows; ++r) f(want.row(r), want.columns);
    const std::vector<float> have = got.to_vector();
    ASSERT_EQ(have.size(), want.v.size());
    for (std::size_t k = 0; k < have.size(); ++k)
        ASSERT_NEAR(have[k], want.v[k], tolerance * std::max(1.0, std::abs(want.v[k]))) << k;
}

double mean_of(const double* x, std::size_t n) { return std::accumulate(x, x + n, 0.0) / double(n); }
double deviation_of(const double* x, std::size_t n) {
    const double m = mean_of(x, n);
    double s = 0;
    for (std::size_t k = 0; k < n; ++k) s += (x[k] - m) * (x[k] - m);
    return s / double(n);
}
void softmax_of(double* x, std::size_t n) {
    const double m = *std::max_element(x, x + n);
    double s = 0;
    for (std::size_t k = 0; k < n; ++k) s += x[k] = std::exp(x[k] - m);
    for (std::size_t k = 0; k < n; ++k) x[k] /= s;
}

/// Reads the array once, writes one of its size.
void expect_one_sweep(const traffic& t, const array<float>& x, std::uint64_t more_read = 0) {
    const auto bytes = static_cast<std::uint64_t>(x.size()) * width;
    EXPECT_EQ(t.kernels, 1U);
    EXPECT_EQ(t.bytes_read, bytes + more_read);
    EXPECT_EQ(t.bytes_written, bytes);
}

class RowLengths : public testing::TestWithParam<std::int64_t> {};

TEST_P(RowLengths, NormalisationsAreOneKernel) {
    const std::int64_t n = GetParam(), rows = n > 2000 ? 5 : 37;
    const array<float> x = grid(rows, n), scale = frit::linspace(0.5F, 2.F, n), shift = frit::linspace(-1.F, 1.F, n);
    frit::eval(scale, shift);

    array<float> soft = frit::softmax(x, -1);
    expect_one_sweep(evaluate(soft), x);
    expect_rows(soft, x, softmax_of);

    array<float> log_soft = frit::log_softmax(x, -1);
    expect_one_sweep(evaluate(log_soft), x);
    expect_rows(log_soft, x, [](double* r, std::size_t k) {
        softmax_of(r, k);
        for (std::size_t j = 0; j < k; ++j) r[j] = std::log(r[j]);
    });

    array<float> layer = (x - mean(x, -1, keepdims)) * rsqrt(var(x, -1, keepdims) + 1e-5F) * scale + shift;
    expect_one_sweep(evaluate(layer), x, 2 * static_cast<std::uint64_t>(n) * width);
    const std::vector<float> a = scale.to_vector(), b = shift.to_vector();
    expect_rows(layer, x, [&](double* r, std::size_t k) {
        const double m = mean_of(r, k), s = 1 / std::sqrt(deviation_of(r, k) + 1e-5);
        for (std::size_t j = 0; j < k; ++j) r[j] = (r[j] - m) * s * a[j] + b[j];
    });

    array<float> rms = x * rsqrt(mean(x * x, -1, keepdims) + 1e-5F) * scale;
    expect_one_sweep(evaluate(rms), x, static_cast<std::uint64_t>(n) * width);
    expect_rows(rms, x, [&](double* r, std::size_t k) {
        double s = 0;
        for (std::size_t j = 0; j < k; ++j) s += r[j] * r[j];
        for (std::size_t j = 0; j < k; ++j) r[j] *= a[j] / std::sqrt(s / double(k) + 1e-5);
    });

    array<float> standard = (x - mean(x, -1, keepdims)) / (stddev(x, -1, keepdims) + 1e-3F);
    expect_one_sweep(evaluate(standard), x);
    expect_rows(standard, x, [](double* r, std::size_t k) {
        const double m = mean_of(r, k), s = std::sqrt(deviation_of(r, k)) + 1e-3;
        for (std::size_t j = 0; j < k; ++j) r[j] = (r[j] - m) / s;
    });

    array<float> total = frit::logsumexp(x, -1);
    const traffic t = evaluate(total);
    EXPECT_EQ(t.kernels, 1U);
    EXPECT_EQ(t.bytes_read, static_cast<std::uint64_t>(rows * n) * width);
    EXPECT_EQ(t.bytes_written, static_cast<std::uint64_t>(rows) * width);
}

TEST_P(RowLengths, OverTheFirstAxisTheyAreAtMostTwo) {
    const std::int64_t n = GetParam(), columns = n > 2000 ? 5 : 37;
    const array<float> x = grid(n, columns), turned = grid(n, columns).T();
    array<float> soft = frit::softmax(x, 0), log_soft = frit::log_softmax(x, 0);
    array<float> standard = (x - mean(x, 0)) / (stddev(x, 0) + 1e-3F), total = frit::logsumexp(x, 0);
    EXPECT_LE(evaluate(soft).kernels, 2U);
    EXPECT_LE(evaluate(log_soft).kernels, 2U);
    EXPECT_LE(evaluate(standard).kernels, 2U);
    EXPECT_LE(evaluate(total).kernels, 2U);
    expect_rows(array<float>(soft.T()), turned, softmax_of);
    expect_rows(array<float>(standard.T()), turned, [](double* r, std::size_t k) {
        const double m = mean_of(r, k), s = std::sqrt(deviation_of(r, k)) + 1e-3;
        for (std::size_t j = 0; j < k; ++j) r[j] = (r[j] - m) / s;
    });
}

INSTANTIATE_TEST_SUITE_P(From1To16384, RowLengths, testing::Values(1, 2, 3, 7, 31, 64, 100, 1000, 1024, 4096, 5000, 16384));

TEST(RowKernels, AVarianceReadsItsInputOnce) {
    const array<float> x = grid(300, 200, 1000, 1001);
    const auto bytes = static_cast<std::uint64_t>(x.size()) * width;
    array<float> whole = var(x), by_row = var(x, 1), by_column = var(x, 0);
    for (const array<float>& v : {whole, by_row, by_column}) {
        const traffic t = evaluate(v);
        EXPECT_EQ(t.kernels, 1U);
        EXPECT_EQ(t.bytes_read, bytes);
    }
    rows_of want(x);
    EXPECT_NEAR(whole.item(), deviation_of(want.v.data(), want.v.size()), 4e-6);  // of values near 1000: nothing cancels
    EXPECT_NEAR(by_row.to_vector()[7], deviation_of(want.row(7), want.columns), 4e-6);
}

TEST(RowKernels, FourStatisticsOfOneArrayAreOneKernel) {
    const array<float> x = grid(200, 300);
    array<float> lo = frit::min(x), hi = frit::max(x), m = mean(x), v = var(x);
    const traffic t = evaluate(lo, hi, m, v);
    EXPECT_EQ(t.kernels, 1U);
    EXPECT_EQ(t.bytes_read, static_cast<std::uint64_t>(x.size()) * width);
    array<float> rlo = frit::min(x, 1), rhi = frit::max(x, 1), rm = mean(x, 1), rv = var(x, 1);
    EXPECT_EQ(evaluate(rlo, rhi, rm, rv).kernels, 1U);
    rows_of want(x);
    EXPECT_EQ(rlo.to_vector()[11], *std::min_element(want.row(11), want.row(12)));
    EXPECT_NEAR(rm.to_vector()[11], mean_of(want.row(11), want.columns), 1e-5);
}

TEST(RowKernels, FourStatisticsOfOneElementToo) {
    const array<float> x = grid(1, 1);
    array<float> lo = frit::min(x, 1), hi = frit::max(x, 1), m = mean(x, 1), v = var(x, 1);
    const traffic t = evaluate(lo, hi, m, v);
    EXPECT_EQ(t.kernels, 1U);
    EXPECT_EQ(t.bytes_read, width);
    EXPECT_EQ(m.item(), x.item());
    EXPECT_EQ(v.item(), 0);
}

TEST(RowKernels, WeightsOfRowsNormalisedOverColumns) {
    for (const std::int64_t columns : {3, 64, 65, 200}) {
        const array<float> x = grid(5, columns, 1, 2), t = frit::linspace(0.F, 1.F, 5);
        frit::eval(x, t);
        const array<float> y = x * exp(t(all, newaxis));
        const array<float> share = y / sum(y, 0);
        rows_of want(x);
        std::vector<double> total(want.columns, 0);
        for (std::size_t k = 0; k < want.v.size(); ++k)
            total[k % want.columns] += want.v[k] *= std::exp(0.25 * double(k / want.columns));
        const std::vector<float> got = share.to_vector();
        for (std::size_t k = 0; k < got.size(); ++k)
            ASSERT_NEAR(got[k], want.v[k] / total[k % want.columns], 1e-5) << columns << " columns, element " << k;
    }
}

// What has no elements need not have memory: there is nothing to read once for a row.
TEST(RowKernels, NothingIsReadForRowsWithoutElements) {
    const frit::scoped_device cpu(frit::device::cpu());
    const frit_test::with_engine interpreter(frit_test::engine::interpreter);
    const array<float> none = frit::from_host(std::vector<float>{}, {3, 0});
    const auto x = none.reshape({-1});  // of no stride
    const array<float> y = x + remainder(sum(x, 0, keepdims), 5.F);
    const frit::plan p = frit::make_plan(y);
    ASSERT_EQ(p.kernels().size(), 1U);
    const std::string spec = p.kernels()[0].source();
    ASSERT_NE(spec.find("row\n"), std::string::npos) << spec;
    EXPECT_EQ(spec.find("load", spec.find("row\n")), std::string::npos) << spec;
    EXPECT_EQ(y.to_vector().size(), 0U);
}

TEST(RowKernels, SumsOverDifferentAxesAreTwoKernels) {
    const array<float> x = grid(200, 300);
    array<float> columns = sum(x, 0), rows = sum(x, 1), largest = frit::max(x, 0);
    EXPECT_KERNELS(2, columns, rows, largest);
    EXPECT_NE(frit::explain(array<float>(sum(x, 0) * 1.F), array<float>(sum(x, 1) * 1.F)).find("reduce over different axes"),
              std::string::npos);
}

TEST(RowKernels, PairwiseSumsNeverStoreThePairs) {
    const std::int64_t m = 300, n = 500;
    const array<float> x = frit::linspace(0.F, 1.F, m), y = frit::linspace(0.2F, 2.F, n);
    frit::eval(x, y);
    array<float> s = sum(abs(x(all, newaxis) - y(newaxis, all)), 1);
    EXPECT_EQ(frit::make_plan(s).peak_bytes(), static_cast<std::uint64_t>(m) * width);
    const traffic t = evaluate(s);
    EXPECT_EQ(t.kernels, 1U);
    EXPECT_EQ(t.bytes_read, static_cast<std::uint64_t>(m + n) * width);
    const std::vector<float> a = x.to_vector(), b = y.to_vector(), got = s.to_vector();
    for (std::size_t i = 0; i < a.size(); ++i) {
        double want = 0;
        for (float e : b) want += std::abs(double(a[i]) - e);
        ASSERT_NEAR(got[i], want, 1e-5 * want) << i;
    }
    const auto distance = abs(x(all, newaxis) - y(newaxis, all));
    array<float> nearest = frit::min(distance, 1);
    array<std::int64_t> place = argmin(distance, 1);
    EXPECT_KERNELS(1, nearest, place);
}

TEST(RowKernels, NBodyAccelerationsAreOneKernel) {
    const std::int64_t n = 257;
    const array<float> x = grid(1, n).reshape({-1}), y = grid(1, n, 0, 4).reshape({-1}), z = grid(1, n, -1, 1).reshape({-1}),
                       mass = frit::linspace(1.F, 2.F, n);
    frit::eval(x, y, z, mass);
    const auto offset = [](const array<float>& p) { return p(newaxis, all) - p(all, newaxis); };
    array<float> dx = offset(x), dy = offset(y), dz = offset(z);
    array<float> r2 = dx * dx + dy * dy + dz * dz + 0.01F, f = mass(newaxis, all) * rsqrt(r2) / r2;
    array<float> ax = sum(dx * f, 1), ay = sum(dy * f, 1), az = sum(dz * f, 1);
    dx = {}, dy = {}, dz = {}, r2 = {}, f = {};
    EXPECT_EQ(frit::make_plan(ax, ay, az).peak_bytes(), static_cast<std::uint64_t>(3 * n) * width);
    EXPECT_KERNELS(1, ax, ay, az);
    const std::vector<float> px = x.to_vector(), py = y.to_vector(), pz = z.to_vector(), m = mass.to_vector();
    double want = 0;
    for (std::size_t j = 0; j < px.size(); ++j) {
        const double ex = double(px[j]) - px[3], ey = double(py[j]) - py[3], ez = double(pz[j]) - pz[3];
        want += ex * m[j] / std::pow(ex * ex + ey * ey + ez * ez + 0.01, 1.5);
    }
    EXPECT_NEAR(ax.to_vector()[3], want, 1e-3 * std::abs(want) + 1e-3);
}

TEST(RowKernels, CosineSimilarityIsOneKernel) {
    const array<float> x = grid(50, 300), y = grid(50, 300, 0, 1);
    array<float> c = sum(x * y, 1) / sqrt(sum(x * x, 1) * sum(y * y, 1));
    const traffic t = evaluate(c);
    EXPECT_EQ(t.kernels, 1U);
    EXPECT_EQ(t.bytes_read, 2 * static_cast<std::uint64_t>(x.size()) * width);
}

TEST(RowKernels, WhatIsOnePerRowIsComputedInTheRowsKernel) {
    const array<float> x = grid(60, 500), z = grid(1, 60).reshape({-1});
    z.eval();
    array<float> w = exp(z);
    array<float> s = sum(x * w(all, newaxis), 1) / (1.F + w);
    w = {};
    const traffic t = evaluate(s);
    EXPECT_EQ(t.kernels, 1U);
    EXPECT_EQ(t.bytes_read, static_cast<std::uint64_t>(60 * 500 + 60) * width);
    rows_of want(x);
    const double weight = std::exp(double(z.to_vector()[5]));
    EXPECT_NEAR(s.to_vector()[5], mean_of(want.row(5), 500) * 500 * weight / (1 + weight), 1e-2);
}

TEST(RowKernels, ATotalReadAlongAnotherAxisIsStored) {
    const array<float> x = grid(40, 40);
    array<float> y = x + sum(x, 1);  // the total of row j on column j
    EXPECT_KERNELS(2, y);
    rows_of want(x);
    EXPECT_NEAR(y.to_vector()[3 * 40 + 9], want.row(3)[9] + mean_of(want.row(9), 40) * 40, 1e-4);
}

TEST(RowKernels, ALongRowIsCutWithItsReason) {
    const array<float> x = frit::linspace(-1.F, 1.F, 200'000);
    x.eval();
    const std::string why = frit::explain(array<float>(frit::softmax(x, 0)));
    EXPECT_NE(why.find("complete only after the last element"), std::string::npos) << why;
    array<float> y = frit::softmax(x, 0);
    EXPECT_NEAR(sum(y).item(), 1.F, 1e-5F);
}

TEST(RowKernels, MiddleAxesAndSeveralAtOnce) {
    const array<float> x = grid(12, 35 * 20).reshape({12, 35, 20});
    array<float> middle = sum(x, 1), outer = sum(x, {0, 2}), kept = x / sum(x * x, {-1, 0}, keepdims);
    EXPECT_KERNELS(1, middle);
    EXPECT_KERNELS(1, outer);
    EXPECT_KERNELS(1, kept);
    const std::vector<float> v = x.to_vector();
    double want = 0, other = 0;
    for (std::size_t j = 0; j < 35; ++j) want += v[(3 * 35 + j) * 20 + 7];
    for (std::size_t i = 0; i < 12; ++i)
        for (std::size_t k = 0; k < 20; ++k) other += v[(i * 35 + 4) * 20 + k];
    EXPECT_NEAR(middle.to_vector()[3 * 20 + 7], want, 1e-4);
    EXPECT_NEAR(outer.to_vector()[4], other, 1e-4);
}

TEST(RowKernels, AnotherSizeInItsClassCompilesNothing) {
    const auto run = [](std::int64_t rows, std::int64_t columns) {
        array<float> y = frit::softmax(grid(rows, columns), -1);
        y.eval();
    };
    run(20, 300), run(20, 301);  // rows that wide accesses fit, and others
    const std::uint64_t known = frit_test::new_kernels();
    for (const auto& [rows, columns] : {std::pair{21, 300}, {20, 301}, {400, 260}, {1000, 511}}) run(rows, columns);
    EXPECT_EQ(frit_test::new_kernels(), known);
}

TEST(RowKernels, RowsOfOneElement) {
    for (const auto engine : frit_test::engines()) {
        const frit_test::with_engine chosen(engine);
        for (const auto& [rows, columns] : {std::pair{1, 1}, {3, 1}, {7, 1}, {64, 1}, {100, 1}, {1, 9}}) {
            const array<float> x = grid(rows, columns);
            const int axis = columns == 1 ? 1 : 0;
            for (float v : frit::softmax(x, axis).to_vector()) EXPECT_EQ(v, 1.0F) << rows << " by " << columns;
            array<float> y = x - mean(x, axis, keepdims) + var(x, axis, keepdims);
            for (float v : y.to_vector()) EXPECT_EQ(v, 0.0F) << rows << " by " << columns;
        }
    }
}

// Every reduction, over all kinds of axes.
std::vector<double> every_reduction(const array<float>& x) {
    std::vector<double> all;
    const auto add = [&](const auto& y) {
        for (const auto v : y.to_vector()) all.push_back(static_cast<double>(v));
    };
    const auto over = [&](const auto& axes) {
        add(sum(x, axes)), add(prod(x, axes)), add(min(x, axes)), add(max(x, axes)), add(mean(x, axes)), add(var(x, axes));
        add(stddev(x, axes)), add(logsumexp(x, axes)), add(frit::linalg::norm(x, axes)), add(count_nonzero(x > 0, axes));
        add(any(x > 2.9F, axes)), add(frit::all(x > -2.9F, axes)), add(argmin(x, axes)), add(argmax(x, axes));
    };
    over(0), over(1);
    add(sum(x)), add(prod(x)), add(min(x)), add(max(x)), add(mean(x)), add(var(x)), add(logsumexp(x)), add(argmin(x));
    add(dot(x.reshape({-1}), x.reshape({-1}))), add(frit::softmax(x, 1)), add(frit::layer_norm(x, 0));
    return all;
}

TEST(RowKernels, TheSameBitsAThousandTimes) {
    const array<float> x = grid(37, 1031);
    for (const auto engine : frit_test::engines()) {
        const frit_test::with_engine chosen(engine);
        const std::vector<double> first = every_reduction(x);
        for (int k = 1; k < (frit_test::sanitized ? 100 : 1000); ++k) {
            const std::vector<double> again = every_reduction(x);
            ASSERT_EQ(again.size(), first.size());
            ASSERT_EQ(std::memcmp(again.data(), first.data(), first.size() * sizeof(double)), 0) << "run " << k;
        }
    }
}

// Which a CPU's kernel is compiled for where they come.
TEST(RowKernels, RowsOfAFewElements) {
    const frit::scoped_device cpu(frit::device::cpu());
    const frit_test::with_engine interpreter(frit_test::engine::interpreter);  // whose source is the spec
    const auto rows = [](std::int64_t n, std::int64_t length) {
        return array<float>(frit::reshape(frit::arange<float>(n * length), {n, length})).eval();
    };
    const auto are_short = [](const auto& y) {
        return frit::make_plan(y).kernels().front().source().find("row class 1") != std::string::npos;
    };
    EXPECT_TRUE(are_short(array<float>(frit::sum(rows(16, 8), 1))));
    EXPECT_FALSE(are_short(array<float>(frit::sum(rows(16, 9), 1))));
    EXPECT_FALSE(are_short(array<float>(frit::sum(rows(15, 8), 1)))) << "too few";
    EXPECT_TRUE(are_short(array<std::int64_t>(frit::argmax(rows(16, 32), 1)))) << "of several parts";
    EXPECT_FALSE(are_short(array<std::int64_t>(frit::argmax(rows(16, 33), 1))));
}

}  // namespace
