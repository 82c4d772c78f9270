// alpha a b + beta c as one call of BLAS: exact counts of kernels, calls and bytes, the bits of the same formula over a
// product that is stored, what stays a kernel, aliasing.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "frit/frit.hpp"

#include "src/base/threads.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/libraries.hpp"
#include "tests/support/plan_counts.hpp"

namespace {
using frit::all;
using frit::array;
using frit::matmul;
using frit::shape;
using frit_test::plan_counts, frit_test::planned;

template <class T = float>
array<T> random_array(const shape& extents, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> numbers(-1, 1);
    std::vector<T> v(static_cast<std::size_t>(extents.size()));
    for (T& x : v) x = static_cast<T>(numbers(engine));
    return frit::from_host(v, extents);
}

/// A product with a vector and all that is made of it: a GPU's are sums, and one kernel.
plan_counts of_vectors() { return frit::default_device().is_cpu() ? plan_counts{0, 1} : plan_counts{1, 0}; }

/// All that a call takes in, of a product and an array in memory.
template <class T>
std::vector<std::pair<std::string, std::function<array<T>(const array<T>&, const array<T>&)>>> sums() {
    using a = const array<T>&;
    return {
        {"2 m", [](a m, a) -> array<T> { return T(2) * m; }},
        {"m 0.3", [](a m, a) -> array<T> { return m * T(0.3); }},
        {"-m", [](a m, a) -> array<T> { return -m; }},
        {"-(0.3 m)", [](a m, a) -> array<T> { return -(T(0.3) * m); }},
        {"-m + c", [](a m, a c) -> array<T> { return -m + c; }},
        {"c - -m", [](a m, a c) -> array<T> { return c - -m; }},
        {"-(0.3 m) - c", [](a m, a c) -> array<T> { return -(T(0.3) * m) - c; }},
        {"m + -c", [](a m, a c) -> array<T> { return m + -c; }},
        {"m + c", [](a m, a c) -> array<T> { return m + c; }},
        {"c + m", [](a m, a c) -> array<T> { return c + m; }},
        {"m - c", [](a m, a c) -> array<T> { return m - c; }},
        {"c - m", [](a m, a c) -> array<T> { return c - m; }},
        {"0.3 m + c", [](a m, a c) -> array<T> { return T(0.3) * m + c; }},
        {"c + 0.3 m", [](a m, a c) -> array<T> { return c + T(0.3) * m; }},
        {"0.3 m - c", [](a m, a c) -> array<T> { return T(0.3) * m - c; }},
        {"c - 0.3 m", [](a m, a c) -> array<T> { return c - T(0.3) * m; }},
        {"m + 0.7 c", [](a m, a c) -> array<T> { return m + T(0.7) * c; }},
        {"m - 0.7 c", [](a m, a c) -> array<T> { return m - T(0.7) * c; }},
        {"0.7 c - m", [](a m, a c) -> array<T> { return T(0.7) * c - m; }},
        {"0.3 m + 0.7 c", [](a m, a c) -> array<T> { return T(0.3) * m + T(0.7) * c; }},
        {"0.7 c + 0.3 m", [](a m, a c) -> array<T> { return T(0.7) * c + T(0.3) * m; }},
        {"0.3 m - 0.7 c", [](a m, a c) -> array<T> { return T(0.3) * m - T(0.7) * c; }},
        {"0.7 c - 0.3 m", [](a m, a c) -> array<T> { return T(0.7) * c - T(0.3) * m; }},
        {"-0.3 m - 0.7 c", [](a m, a c) -> array<T> { return T(-0.3) * m - T(0.7) * c; }},
    };
}

TEST(ProductSums, AreOneCall) {
    FRIT_SKIP_WITHOUT(matmul);
    const auto a = random_array({7, 5}, 1), b = random_array({7, 6}, 2), c = random_array({5, 6}, 3);
    EXPECT_EQ(planned(matmul(a.T(), b) * 2 + c), (plan_counts{0, 1}));
    EXPECT_EQ(planned(2 * matmul(a.T(), b) + 3 * c), (plan_counts{0, 1}));
    for (const auto& [name, sum] : sums<float>()) EXPECT_EQ(planned(sum(matmul(a.T(), b), c)), (plan_counts{0, 1})) << name;
    for (const auto& [name, sum] : sums<double>()) {
        const auto of = [](const shape& s) { return random_array<double>(s, 4); };
        EXPECT_EQ(planned(sum(matmul(of({2, 4, 3}), of({3, 5})), of({2, 4, 5}))), (plan_counts{0, 1})) << name;
        EXPECT_EQ(planned(sum(matmul(of({4, 3}), of(3)), of(4))), of_vectors()) << name;
        EXPECT_EQ(planned(sum(matmul(of(3), of(3)), of(shape{}))), of_vectors()) << name;
    }
    const frit::plan p = frit::make_plan(2 * matmul(a.T(), b) + 3 * c);
    const std::uint64_t copied = frit::default_device().is_cpu() ? 0 : 5 * 6 * 4;  // cuBLAS adds to what is there
    EXPECT_EQ(p.bytes_read(), (7U * 5 + 7 * 6 + 5 * 6) * 4 + copied);
    EXPECT_EQ(p.bytes_written(), 5U * 6 * 4 + copied);
    // the addend may be another product, and a sum another product's operand
    EXPECT_EQ(planned(matmul(a.T(), b) + matmul(a.T(), b * 2)), (plan_counts{1, 2}));
    EXPECT_EQ(planned(matmul(2 * matmul(a.T(), b) + c, random_array({6, 2}, 4))), (plan_counts{0, 2}));
}

TEST(ProductSums, CountsOfAnEvaluation) {
    FRIT_SKIP_WITHOUT(matmul);
    const auto a = random_array({7, 5}, 1), b = random_array({7, 6}, 2), c = random_array({5, 6}, 3);
    frit::reset_stats();
    (void)array<float>(2 * matmul(a.T(), b) + 3 * c).eval();
    EXPECT_EQ(frit::stats().library_calls, 1U);
    EXPECT_EQ(frit::stats().kernels_launched, 0U);
    // other numbers are no other plan
    const auto built = frit::stats().plans_built;
    for (const float alpha : {0.F, 1.F, -4.F}) (void)array<float>(alpha * matmul(a.T(), b) + (alpha + 1) * c).eval();
    EXPECT_LE(frit::stats().plans_built, built + 1);
}

TEST(ProductSums, WhatStaysAKernel) {
    FRIT_SKIP_WITHOUT(matmul);
    const auto a = random_array({5, 5}, 1), b = random_array({5, 5}, 2), c = random_array({5, 5}, 3), v = random_array(5, 4);
    const array<float> m = matmul(a, b);
    constexpr plan_counts both{1, 1};
    EXPECT_EQ(planned(frit::relu(2 * m + c)), both);  // a kernel that reads the sum computes it
    EXPECT_EQ(planned(frit::sum(2 * m + c)), both);
    EXPECT_EQ(planned(array<float>(2 * m + c), m), both);  // the product is asked for too
    EXPECT_EQ(planned(2 * m + c * c), both);               // the addend is no memory
    EXPECT_EQ(planned(2 * m + c.T()), both);
    EXPECT_EQ(planned(2 * m + v), both);
    EXPECT_EQ(planned(m * c), both);
    const array<std::complex<float>> z = frit::complex(a, b);
    EXPECT_EQ(planned(2 * matmul(z.eval(), z)), both);
    EXPECT_EQ(planned(2 * matmul(frit::ones<float>({3, 0}), frit::ones<float>({0, 2}))).kernels, 1U);
    const frit_test::without_fusion off;
    EXPECT_EQ(planned(2 * m), both);
}

template <class T>
void expect_alike(const array<T>& got, const array<T>& want, const std::string& name) {
    const std::vector<T> x = got.to_vector(), y = want.to_vector();
    ASSERT_EQ(x.size(), y.size()) << name;
    if (x.empty()) return;
    if (frit::default_device().is_cpu()) {
        ASSERT_EQ(std::memcmp(x.data(), y.data(), x.size() * sizeof(T)), 0) << name;
        return;
    }
    for (std::size_t k = 0; k < x.size(); ++k)  // cuBLAS may choose another routine
        ASSERT_NEAR(x[k], y[k], 1000 * std::numeric_limits<T>::epsilon()) << name << ", element " << k;
}

template <class T>
void check_bits(const shape& left, const shape& right) {
    SCOPED_TRACE(to_string(left) + " by " + to_string(right));
    const array<T> a = random_array<T>(left, 1), b = random_array<T>(right, 2);
    const array<T> product = array<T>(matmul(a, b)).eval(), c = random_array<T>(product.shape(), 3);
    auto& pool = frit::detail::thread_pool::instance();
    const int before = pool.size();
    for (const auto& [name, sum] : sums<T>()) {
        const array<T> want = sum(product, c).eval();
        for (const int n : {1, 3}) {
            pool.resize(n);
            const array<T> got = sum(matmul(a, b), c);
            const bool of_matrices = left.rank() > 1 && right.rank() > 1;
            ASSERT_EQ(planned(got), of_matrices ? (plan_counts{0, product.size() > 0 ? 1U : 0U}) : of_vectors()) << name;
            expect_alike(got, want, name);
        }
    }
    pool.resize(before);
}

TEST(ProductSums, HaveTheBitsOfAKernelBehindTheProduct) {
    FRIT_SKIP_WITHOUT(matmul);
    check_bits<float>({3, 4}, {4, 5});
    check_bits<double>({300, 70}, {70, 400});
    check_bits<float>({1500, 30}, {30, 2});
    check_bits<double>({2, 30}, {30, 1500});
    check_bits<float>({300, 70}, {70});
    check_bits<double>({70}, {70, 2500});
    check_bits<float>({1000}, {1000});
    check_bits<double>({5, 1, 4, 10}, {3, 10, 7});
    check_bits<float>({6, 4, 5}, {5, 3});
    check_bits<double>({0, 4, 5}, {5, 3});
}

TEST(ProductSums, ValuesThatAreNoNumbers) {
    FRIT_SKIP_WITHOUT(matmul);
    constexpr float inf = std::numeric_limits<float>::infinity();
    const array<float> a{{1, 2}, {3, 4}}, c{{inf, 1}, {NAN, 2}};
    const std::vector<float> sum = array<float>(2 * matmul(a, a) + 0 * c).to_vector();  // 0 * inf is NaN, as ever
    // cuBLAS reads nothing that it would multiply by 0; the host's library, behind the stand-in too, does.
    EXPECT_TRUE(std::isnan(sum[0]) || (!frit::default_device().is_cpu() && sum[0] == 14)) << sum[0];
    EXPECT_EQ(sum[1], 20);
    const std::vector<float> overflow = array<float>(inf * matmul(a, a) + c).to_vector();
    EXPECT_EQ(overflow[0], inf);
    EXPECT_TRUE(std::isnan(overflow[2]));
}

TEST(ProductSums, OperandsThatAreOneArray) {
    FRIT_SKIP_WITHOUT(matmul);
    array<double> u = random_array<double>({9, 9}, 1);
    const array<double> a = random_array<double>({9, 9}, 2);
    array<double> want = array<double>(u + 0.0).eval();
    for (int step = 0; step < 4; ++step) {
        u = 0.5 * matmul(a, u) + u;
        if (step % 2 == 1) u.eval();
        const array<double> product = array<double>(matmul(a, want)).eval();
        want = array<double>(0.5 * product + want).eval();
    }
    expect_alike(u, want, "u = 0.5 a u + u");
    u = 0.5 * matmul(u, u) - u;
    expect_alike<double>(u.eval(), array<double>(0.5 * array<double>(matmul(want, want)).eval() - want), "0.5 u u - u");
}

TEST(ProductSums, TheAddendsMemoryIsTakenOver) {
    FRIT_SKIP_WITHOUT(matmul);
    const array<double> a = random_array<double>({9, 9}, 2);
    array<double> u = random_array<double>({9, 9}, 1), kept = u;
    u.eval();
    const std::vector<double> before = kept.to_vector();
    u = matmul(a, a) + u;
    u.eval();
    EXPECT_EQ(kept.to_vector(), before);  // somebody else looks
    const array<double> product = array<double>(matmul(a, a)).eval();
    kept = {};
    const array<double> want = array<double>(product + (product + frit::from_host(before, {9, 9}))).eval();
    u = matmul(a, a) + u;
    u.eval();
    expect_alike(u, want, "twice");
    const auto largest = [&] {  // bytes beyond those that live, in the next step
        frit::reset_stats();
        const std::uint64_t live = frit::stats().live_bytes;
        u = matmul(a, a) + std::move(u);
        u.eval();
        return frit::stats().peak_bytes - live;
    };
    EXPECT_EQ(largest(), frit::default_device().is_cpu() ? 9U * 9 * 8 : 0U);
}

TEST(ProductSums, IntoACallersMemoryAndASlice) {
    FRIT_SKIP_WITHOUT(matmul);
    const auto a = random_array({4, 4}, 1), c = random_array({4, 4}, 2);
    const std::vector<float> want = array<float>(2 * array<float>(matmul(a, a)).eval() + c).to_vector();
    std::vector<float> to(16);
    frit::eval_into(frit::out(to.data(), {4, 4}), 2 * matmul(a, a) + c);
    array<float> u = frit::zeros<float>({6, 6});
    u(frit::slice(1, 5), frit::slice(1, 5)) = 2 * matmul(a, a) + c;
    const std::vector<float> inside = u(frit::slice(1, 5), frit::slice(1, 5)).to_vector();
    for (std::size_t k = 0; k < want.size(); ++k) {
        EXPECT_NEAR(to[k], want[k], 1e-6);
        EXPECT_NEAR(inside[k], want[k], 1e-6);
    }
}

TEST(ProductSums, AreExplained) {
    FRIT_SKIP_WITHOUT(matmul);
    const auto a = random_array({4, 4}, 1), c = random_array({4, 4}, 2);
    const std::string why = frit::explain(2 * matmul(a, a) - c);
    EXPECT_NE(why.find("s0 * matmul(x0, x0) - x1"), std::string::npos) << why;
}

}  // namespace
