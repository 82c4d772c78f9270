// matmul(a, b) + bias as one call of cuBLASLt on a GPU: exact counts of kernels, calls and bytes, what stays a kernel,
// values against sums in float64 and the same formula over a product that is stored. On the CPU a bias is a kernel's.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "frit/frit.hpp"

#include "src/cuda/blas_lt.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/libraries.hpp"
#include "tests/support/plan_counts.hpp"

namespace {
using frit::all;
using frit::array;
using frit::matmul;
using frit::shape;
using frit::slice;
using frit_test::plan_counts, frit_test::planned;

constexpr plan_counts call{0, 1}, call_and_kernel{1, 1};

bool on_gpu() { return !frit::default_device().is_cpu(); }
/// What a call takes in where the device's library can.
plan_counts absorbed() { return on_gpu() && frit::detail::cuda::blas_lt::found() ? call : call_and_kernel; }

template <class T = float>
array<T> random_array(const shape& extents, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> numbers(-1, 1);
    std::vector<T> v(static_cast<std::size_t>(extents.size()));
    for (T& x : v) x = static_cast<T>(numbers(engine));
    return frit::from_host(v, extents);
}

TEST(ProductBiases, AreOneCall) {
    FRIT_SKIP_WITHOUT(matmul);
    const auto a = random_array({7, 5}, 1), b = random_array({5, 6}, 2), v = random_array({6}, 3),
               w = random_array({4, 6}, 4);
    EXPECT_EQ(planned(matmul(a, b) + v), absorbed());
    EXPECT_EQ(planned(v + matmul(a, b)), absorbed());
    EXPECT_EQ(planned(matmul(a, b) + v.reshape({1, 6})), absorbed());
    EXPECT_EQ(planned(matmul(random_array({5, 7}, 5).T(), random_array({6, 5}, 6).T()) + v), absorbed());
    EXPECT_EQ(planned(matmul(a, b) + w(2, all)), absorbed()) << "a row of a matrix";
    EXPECT_EQ(planned(matmul(a, b) + random_array({9}, 7)(slice(3, 9))), absorbed()) << "a part of a vector";
    EXPECT_EQ(planned(matmul(a, b) + random_array({2, 3}, 7).reshape(6)), absorbed());
    // batches
    EXPECT_EQ(planned(matmul(random_array({2, 7, 5}, 8), b) + v), absorbed());
    EXPECT_EQ(planned(matmul(random_array({7, 9}, 8), random_array({3, 9, 6}, 8)) + v), absorbed());
    EXPECT_EQ(planned(matmul(random_array({2, 1, 7, 9}, 8), random_array({3, 9, 6}, 8)) + v), absorbed());
    // layers, one after the other
    const array<float> hidden = matmul(a, b) + v;
    EXPECT_EQ(planned(matmul(hidden, random_array({6, 2}, 9)) + random_array({2}, 9)),
              (plan_counts{2 * absorbed().kernels, 2}));
}

TEST(ProductBiases, CountsOfAnEvaluation) {
    FRIT_SKIP_WITHOUT(matmul);
    const auto a = random_array({7, 5}, 1), b = random_array({5, 6}, 2), v = random_array({6}, 3);
    frit::reset_stats();
    (void)array<float>(matmul(a, b) + v).eval();
    EXPECT_EQ(frit::stats().library_calls, 1U);
    EXPECT_EQ(frit::stats().kernels_launched, absorbed().kernels);
    if (absorbed().kernels > 0) return;
    const frit::plan p = frit::make_plan(matmul(a, b) + v);
    EXPECT_EQ(p.bytes_read(), (7U * 5 + 5 * 6 + 6) * 4);
    EXPECT_EQ(p.bytes_written(), 7U * 6 * 4);
    EXPECT_NE(frit::explain(matmul(a, b) + v).find("matmul(x0, x1) + x2[i1]"), std::string::npos);
}

TEST(ProductBiases, WhatStaysAKernel) {
    FRIT_SKIP_WITHOUT(matmul);
    const auto a = random_array({7, 5}, 1), b = random_array({5, 6}, 2), v = random_array({6}, 3),
               c = random_array({7, 6}, 4);
    const array<float> m = matmul(a, b);
    EXPECT_EQ(planned(m + random_array({7, 1}, 5)), call_and_kernel) << "along the other axis";
    EXPECT_EQ(planned(m + random_array({1}, 5)), call_and_kernel);
    EXPECT_EQ(planned(m + 2), call_and_kernel);
    EXPECT_EQ(planned(m + 2 * v), call_and_kernel) << "a formula, which would be a kernel of its own";
    EXPECT_EQ(planned(m + random_array({12}, 5)(slice(0, 12, 2))), call_and_kernel);
    EXPECT_EQ(planned(m + v(slice(frit::none, frit::none, -1))), call_and_kernel);
    EXPECT_EQ(planned(m + c(all, 0).reshape({7, 1})), call_and_kernel);
    EXPECT_EQ(planned(m - v), call_and_kernel);
    EXPECT_EQ(planned(v - m), call_and_kernel);
    EXPECT_EQ(planned(2 * m + v), call_and_kernel);
    EXPECT_EQ(planned(m * v), call_and_kernel);
    EXPECT_EQ(planned(array<float>(m + v), m), call_and_kernel) << "the product is asked for too";
    EXPECT_EQ(planned(frit::tanh(m + v)), call_and_kernel) << "a kernel that reads the sum computes it";
    EXPECT_EQ(planned(frit::sum(m + v)), call_and_kernel);
    EXPECT_EQ(planned(m + v + c), call_and_kernel);
    // other dtypes
    EXPECT_EQ(
        planned(matmul(random_array<double>({7, 5}, 1), random_array<double>({5, 6}, 2)) + random_array<double>({6}, 3)),
        call_and_kernel);
    EXPECT_EQ(planned(m + random_array<double>({6}, 3)), call_and_kernel);
    // no terms: zeros, which are no product; no results
    EXPECT_EQ(planned(matmul(frit::ones<float>({3, 0}), frit::ones<float>({0, 6})) + v).kernels, 1U);
    EXPECT_EQ(planned(matmul(frit::ones<float>({0, 5}), b) + v), (plan_counts{0, 0}));
    // one matrix's rows are no rows of a batch of products with vectors
    EXPECT_EQ(array<float>(matmul(random_array({2, 6, 5}, 6), random_array({5}, 7)) + v).shape(), (shape{2, 6}));
    const frit_test::without_fusion off;
    EXPECT_EQ(planned(m + v), call_and_kernel);
}

TEST(ProductBiases, Of16BitFloatsStayKernels) {
    FRIT_SKIP_WITHOUT(matmul);
    const auto check = [&]<class T>(T) {
        const array<T> a = frit::cast<T>(random_array({7, 5}, 1)).eval(), b = frit::cast<T>(random_array({5, 6}, 2)).eval(),
                       v = frit::cast<T>(random_array({6}, 3)).eval();
        const array<T> sum = matmul(a, b) + v, product = array<T>(matmul(a, b)).eval();
        EXPECT_GE(planned(sum).kernels, 1U);
        const std::vector<T> got = sum.to_vector(), want = array<T>(product + v).to_vector();
        for (std::size_t k = 0; k < got.size(); ++k)  // a kernel may read the product before it is rounded
            EXPECT_NEAR(static_cast<float>(got[k]), static_cast<float>(want[k]), 0.05F);
    };
    check(frit::half());
    check(frit::bfloat16());
}

/// Against a sum in double, within Higham's bound: (k + 1) u sum|a b|.
/// @param before  elements in front of the bias in its memory
/// @param turned  the operands lie transposed in memory
void check_values(const shape& left, const shape& right, std::int64_t before = 0, bool turned = false) {
    SCOPED_TRACE(to_string(left) + " by " + to_string(right) + (turned ? ", turned" : ""));
    const auto lying = [&](const shape& s) { return turned ? shape{s[1], s[0]} : s; };
    const array<float> a = random_array(lying(left), 1), b = random_array(lying(right), 2),
                       memory = random_array({before + right[-1]}, 3);
    const auto bias = [&] { return memory(slice(before, before + right[-1])); };
    const auto sum = [&] {
        return turned ? array<float>(matmul(a.T(), b.T()) + bias()) : array<float>(matmul(a, b) + bias());
    };
    ASSERT_EQ(planned(sum()), absorbed());
    const std::vector<float> got = sum().to_vector();
    const frit::scoped_device host(frit::device::cpu());
    const auto wide = [](const array<float>& x, bool is_turned) {
        const std::vector<float> v = x.to_vector();
        const array<double> w = frit::from_host(std::vector<double>(v.begin(), v.end()), x.shape());
        return is_turned ? array<double>(w.T()).eval() : w;
    };
    const array<double> wide_a = wide(a, turned), wide_b = wide(b, turned), wide_bias = wide(bias(), false);
    const std::vector<double> want = array<double>(matmul(wide_a, wide_b) + wide_bias).to_vector();
    const std::vector<double> size =
        array<double>(matmul(frit::abs(wide_a), frit::abs(wide_b)) + frit::abs(wide_bias)).to_vector();
    ASSERT_EQ(got.size(), want.size());
    const double bound = static_cast<double>(left[-1] + 1) * std::numeric_limits<float>::epsilon();
    for (std::size_t k = 0; k < got.size(); ++k) ASSERT_NEAR(got[k], want[k], bound * size[k]) << "element " << k;
}

TEST(ProductBiases, Values) {
    FRIT_SKIP_WITHOUT(matmul);
    check_values({3, 4}, {4, 5});
    check_values({3, 4}, {4, 5}, 3);
    check_values({3, 4}, {4, 5}, 4, true);
    check_values({300, 70}, {70, 400});
    check_values({300, 70}, {70, 400}, 1, true);
    check_values({33, 1000}, {1000, 65});
    check_values({2, 5000}, {5000, 3});
    check_values({6, 4, 5}, {5, 3});
    check_values({4, 9}, {6, 9, 3}, 2);
    check_values({5, 1, 4, 9}, {3, 9, 7});
}

TEST(ProductBiases, ValuesThatAreNoNumbers) {
    FRIT_SKIP_WITHOUT(matmul);
    constexpr float inf = std::numeric_limits<float>::infinity();
    const array<float> a{{1, 2}, {NAN, 4}, {inf, 1}}, b{{1, -1}, {0.5F, 1}}, bias{NAN, -inf}, zeros{-0.F, -0.F};
    const std::vector<float> sum = array<float>(matmul(a, b) + bias).to_vector();
    EXPECT_TRUE(std::isnan(sum[0]) && std::isnan(sum[2]) && std::isnan(sum[3]) && std::isnan(sum[4]));
    EXPECT_EQ(sum[1], -inf);
    EXPECT_EQ(sum[5], -inf);
    const std::vector<float> same = array<float>(matmul(a, b) + zeros).to_vector();
    EXPECT_EQ(same[0], 2);
    EXPECT_EQ(same[1], 1);
    EXPECT_TRUE(std::isnan(same[2]) && std::isnan(same[3]));
    EXPECT_EQ(same[4], inf);
    EXPECT_EQ(same[5], -inf);
    // of opposite signs
    const array<float> opposite{-inf, inf};
    const std::vector<float> none = array<float>(matmul(a, b) + opposite).to_vector();
    EXPECT_TRUE(std::isnan(none[4]) && std::isnan(none[5]));
}

TEST(ProductBiases, OperandsThatAreOneArray) {
    FRIT_SKIP_WITHOUT(matmul);
    array<float> u = random_array({6, 6}, 1), kept = u;
    std::vector<float> want(36);
    const std::vector<float> before = u.to_vector();
    for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t j = 0; j < 6; ++j) {
            double x = before[2 * 6 + j];
            for (std::size_t k = 0; k < 6; ++k) x += static_cast<double>(before[i * 6 + k]) * before[k * 6 + j];
            want[i * 6 + j] = static_cast<float>(x);
        }
    u = matmul(u, u) + u(2, all);
    const std::vector<float> got = u.to_vector();
    for (std::size_t k = 0; k < want.size(); ++k) EXPECT_NEAR(got[k], want[k], 1e-5F) << k;
    EXPECT_EQ(kept.to_vector(), before);
}

TEST(ProductBiases, IntoACallersMemoryAndASlice) {
    FRIT_SKIP_WITHOUT(matmul);
    const auto a = random_array({4, 4}, 1), v = random_array({4}, 2);
    const std::vector<float> want = array<float>(array<float>(matmul(a, a)).eval() + v).to_vector();
    std::vector<float> to(16);
    frit::eval_into(frit::out(to.data(), {4, 4}), matmul(a, a) + v);
    array<float> u = frit::zeros<float>({6, 6});
    u(slice(1, 5), slice(1, 5)) = matmul(a, a) + v;
    const std::vector<float> inside = u(slice(1, 5), slice(1, 5)).to_vector();
    for (std::size_t k = 0; k < want.size(); ++k) {
        EXPECT_NEAR(to[k], want[k], 1e-6);
        EXPECT_NEAR(inside[k], want[k], 1e-6);
    }
}

}  // namespace
