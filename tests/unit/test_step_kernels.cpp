// Steps of the programs that people write, in kernels: a heat step, a Jacobi step with its residual, a cavity flow, a
// Mandelbrot set as a lazy loop, option prices with their Greeks. Values are checked against plain loops.
#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/support/kernels.hpp"

namespace {
using frit::all;
using frit::array;
using frit::none;
using frit::slice;
using frit_test::evaluate;

constexpr std::size_t rows = 40, columns = 50;
const slice inner(1, -1), before(none, -2), after(2, none);

array<float> hills() {
    std::vector<float> v(rows * columns);
    for (std::size_t k = 0; k < v.size(); ++k) v[k] = std::sin(0.37F * static_cast<float>(k));
    return frit::from_host(v, {rows, columns});
}

/// The mean of the four neighbours inside, the values themselves at the edge.
std::vector<float> relaxed(const std::vector<float>& u) {
    std::vector<float> r = u;
    for (std::size_t i = 1; i + 1 < rows; ++i)
        for (std::size_t j = 1; j + 1 < columns; ++j) {
            const std::size_t k = i * columns + j;
            r[k] = 0.25F * (u[k - columns] + u[k + columns] + u[k - 1] + u[k + 1]);
        }
    return r;
}

void relax(array<float>& u) {
    const array<float> old = u;
    u(inner, inner) = 0.25F * (old(before, inner) + old(after, inner) + old(inner, before) + old(inner, after));
}

TEST(StepKernels, AHeatStepIsOne) {
    array<float> u = hills();
    const std::vector<float> want = relaxed(u.to_vector());
    relax(u);
    EXPECT_KERNELS(1, u);
    const std::vector<float> got = u.to_vector();
    for (std::size_t k = 0; k < got.size(); ++k) ASSERT_NEAR(got[k], want[k], 1e-6F) << k;
}

TEST(StepKernels, AJacobiStepWithItsResidualIsOne) {
    const array<float> old = hills();
    array<float> u = old;
    relax(u);
    array<float> residual = frit::max(abs(u - old));
    const frit_test::traffic t = evaluate(u, residual);
    EXPECT_EQ(t.kernels, 1U);
    EXPECT_EQ(t.bytes_read, rows * columns * sizeof(float));
    EXPECT_EQ(t.bytes_written, (rows * columns + 1) * sizeof(float));
    const std::vector<float> v = old.to_vector(), want = relaxed(v);
    float most = 0;
    for (std::size_t k = 0; k < v.size(); ++k) most = std::max(most, std::abs(want[k] - v[k]));
    EXPECT_NEAR(residual.item(), most, 1e-6F);
}

// The largest of a step alone saves one reading of it, which on the CPU is less than asking every element where it is.
TEST(StepKernels, AStepAndItsLargestAreTwoOnTheCpu) {
    const array<float> old = hills();
    array<float> u = old;
    relax(u);
    array<float> largest = frit::max(u);
    const bool cpu = frit::default_device().is_cpu();
    EXPECT_KERNELS(cpu ? 2 : 1, u, largest);
    const std::vector<float> want = relaxed(old.to_vector());
    EXPECT_NEAR(largest.item(), *std::max_element(want.begin(), want.end()), 1e-6F);
}

TEST(StepKernels, ACavityFlowStepIsAtMostThree) {
    array<float> u = hills(), v = cos(hills()), p = hills() * 2.0F;
    frit::eval(u, v, p);
    const float dt = 0.01F, dx = 0.1F;
    const auto step = [&](const array<float>& f, const array<float>& a, const array<float>& b, auto slope) {
        return f(inner, inner) - a(inner, inner) * (dt / dx) * (f(inner, inner) - f(inner, before)) -
               b(inner, inner) * (dt / dx) * (f(inner, inner) - f(before, inner)) - slope * (dt / (2 * dx)) +
               (f(inner, after) + f(inner, before) + f(after, inner) + f(before, inner) - 4.0F * f(inner, inner)) *
                   (0.1F * dt / (dx * dx));
    };
    {
        const array<float> a = u, b = v;
        u(inner, inner) = step(a, a, b, p(inner, after) - p(inner, before));
        v(inner, inner) = step(b, a, b, p(after, inner) - p(before, inner));
    }
    for (array<float>* f : {&u, &v}) {
        (*f)(0, all) = 0.0F;
        (*f)(all, 0) = 0.0F;
        (*f)(all, -1) = 0.0F;
        (*f)(-1, all) = f == &u ? 1.0F : 0.0F;
    }
    const frit::plan plan = frit::make_plan(u, v);
    EXPECT_LE(plan.kernels().size(), 3U) << frit::explain(u, v);
    frit::eval(u, v);
    EXPECT_EQ(u.to_vector().back(), 1.0F);
    EXPECT_EQ(u.to_vector()[columns], 0.0F);
}

TEST(StepKernels, AHundredRoundsOfMandelbrotAreAtMostTwo) {
    const std::int64_t h = 20, w = 30;
    const array<float> re = frit::linspace(-2.0F, 1.0F, w), im = frit::linspace(-1.0F, 1.0F, h).reshape({h, 1});
    frit::eval(re, im);
    array<float> zr = frit::zeros<float>({h, w}), zi = frit::zeros<float>({h, w});
    array<int> count = frit::zeros<int>({h, w});
    for (int k = 0; k < 100; ++k) {
        const array<float> r2 = zr * zr, i2 = zi * zi;
        const array<bool> inside = r2 + i2 <= 4.0F;
        count += inside;
        const array<float> next = where(inside, r2 - i2 + re, zr);
        zi = where(inside, 2.0F * zr * zi + im, zi);
        zr = next;
    }
    zr = {}, zi = {};
    EXPECT_LE(frit::make_plan(count).kernels().size(), 2U) << frit::explain(count);
    const std::vector<int> got = count.to_vector();
    EXPECT_EQ(got[0], 1);                   // -2 - i is outside after one round
    EXPECT_EQ(got[(h / 2) * w + 20], 100);  // near 0 it stays
}

TEST(StepKernels, PricesWithTheirGreeksAreOne) {
    const std::int64_t n = 500;
    const array<float> s = frit::linspace(50.0F, 150.0F, n), k = frit::linspace(60.0F, 140.0F, n),
                       t = frit::linspace(0.1F, 2.0F, n);
    frit::eval(s, k, t);
    const float r = 0.02F, v = 0.3F;
    const array<float> root = v * sqrt(t), d1 = (log(s / k) + (r + v * v / 2) * t) / root, d2 = d1 - root,
                       discounted = k * exp(t * -r), density = exp(d1 * d1 * -0.5F) * 0.3989422804F;
    array<float> call = s * normcdf(d1) - discounted * normcdf(d2), put = discounted * normcdf(-d2) - s * normcdf(-d1);
    array<float> delta = normcdf(d1), gamma = density / (s * root), vega = s * density * sqrt(t);
    array<float> theta = s * density * -v / (2.0F * sqrt(t)) - r * discounted * normcdf(d2);
    array<float> rho = t * discounted * normcdf(d2), put_delta = delta - 1.0F;
    const frit_test::traffic cost = evaluate(call, put, delta, gamma, vega, theta, rho, put_delta);
    EXPECT_EQ(cost.kernels, 1U);
    EXPECT_EQ(cost.bytes_read, 3 * n * sizeof(float));
    EXPECT_EQ(cost.bytes_written, 8 * n * sizeof(float));
    const std::vector<float> price = s.to_vector(), strike = k.to_vector(), years = t.to_vector(), c = call.to_vector(),
                             p = put.to_vector(), d = delta.to_vector();
    for (std::size_t i = 0; i < c.size(); ++i) {
        const double y = years[i], a = (std::log(double(price[i]) / strike[i]) + (r + v * v / 2) * y) / (v * std::sqrt(y));
        ASSERT_NEAR(d[i], 0.5 * std::erfc(-a / std::sqrt(2.0)), 1e-5) << i;
        ASSERT_NEAR(c[i] - p[i], price[i] - strike[i] * std::exp(-r * y), 1e-3) << i;  // put-call parity
    }
}

}  // namespace
