// Products of matrices and vectors: on a GPU they are sums, which fuse with what they read and with what reads them; on the
// CPU a call of OpenBLAS each. Exact counts of both, and values of every dtype, layout and batch against a sum in double.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "frit/frit.hpp"

#include "tests/support/kernels.hpp"
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
    std::uniform_real_distribution<float> numbers(-1, 1);
    std::vector<T> v(static_cast<std::size_t>(extents.size()));
    for (T& x : v) x = T(numbers(engine));
    return frit::from_host(v, extents);
}

bool on_gpu() { return !frit::default_device().is_cpu(); }
/// What a GPU needs, and what the CPU.
plan_counts either(plan_counts gpu, plan_counts cpu) { return on_gpu() ? gpu : cpu; }

TEST(ProductsWithVectors, AreSumsOnAGpuAndCallsOnTheCpu) {
    FRIT_SKIP_WITHOUT(matmul);
    constexpr plan_counts kernel{1, 0}, call{0, 1};
    const auto check = [&]<class T>(T) {
        const auto a = random_array<T>({40, 30}, 1), v = random_array<T>(30, 2), u = random_array<T>(40, 3);
        EXPECT_EQ(planned(matmul(a, v)), either(kernel, call));
        EXPECT_EQ(planned(matmul(u, a)), either(kernel, call));
        EXPECT_EQ(planned(matmul(a.T(), u)), either(kernel, call));
        EXPECT_EQ(planned(matmul(v, a.T())), either(kernel, call));
        EXPECT_EQ(planned(matmul(v, v)), either(kernel, call));
        EXPECT_EQ(planned(matmul(a, v.reshape({30, 1}))), either(kernel, call));
        EXPECT_EQ(planned(matmul(u.reshape({1, 40}), a)), either(kernel, call));
        const auto batch = random_array<T>({6, 40, 30}, 4);
        EXPECT_EQ(planned(matmul(batch, v)), either(kernel, call));
        EXPECT_EQ(planned(matmul(batch, random_array<T>({6, 30, 1}, 5))), either(kernel, call));
        EXPECT_EQ(planned(matmul(u, batch)), either(kernel, call));
        // one matrix of many vectors is read for each of them: it is a product of matrices
        EXPECT_EQ(planned(matmul(a, random_array<T>({6, 30, 1}, 5))), call);
        EXPECT_EQ(planned(matmul(a, a.T())), call);
    };
    check(float());
    check(double());
}

TEST(ProductsWithVectors, OfComplexNumbersAreCalls) {
    FRIT_SKIP_WITHOUT(matmul);
    const auto a = random_array({5, 4}, 1), v = random_array(4, 2);
    const array<std::complex<float>> z = frit::complex(a, a * 2).eval(), w = frit::complex(v, v * 2).eval();
    EXPECT_EQ(planned(matmul(z, w)), (plan_counts{0, 1}));
    EXPECT_EQ(planned(matmul(a, w)), either({1, 0}, {2, 2})) << "a product of each part";
}

TEST(ProductsWithVectors, FuseWithWhatTheyReadAndWhatReadsThem) {
    FRIT_SKIP_WITHOUT(matmul);
    const auto x = random_array({300, 70}, 1), w = random_array(70, 2), y = random_array(300, 3);
    EXPECT_EQ(planned(frit::sigmoid(matmul(x, w)) - y), either({1, 0}, {1, 1}));
    EXPECT_EQ(planned(matmul(frit::exp(x), w) * 2 + y), either({1, 0}, {1, 1}));
    EXPECT_EQ(planned(matmul(x.T(), frit::sigmoid(matmul(x, w)) - y)), either({2, 0}, {1, 2}));
    const frit::plan p = frit::make_plan(frit::sigmoid(matmul(x, w)) - y);
    if (on_gpu()) {
        EXPECT_EQ(p.bytes_read(), (300U * 70 + 70 + 300) * 4);
        EXPECT_EQ(p.bytes_written(), 300U * 4);
    }
    EXPECT_EQ(planned(frit::sum(y * matmul(x, w))), either({1, 0}, {1, 1}));
    // the rows' sums, and what is added up of them: their squares are no sum of the rows' elements
    EXPECT_EQ(planned(frit::sum(square(matmul(x, w) - y))), either({2, 0}, {1, 1}));
}

// In the kernel of the sum a vector would be computed for every row: so it is stored, but where that costs less than a
// launch.
TEST(ProductsWithVectors, AFormulaOfTheVectorIsComputedOnce) {
    FRIT_SKIP_WITHOUT(matmul);
    EXPECT_EQ(planned(matmul(random_array({30, 20}, 1), frit::exp(random_array(20, 2)))), either({1, 0}, {1, 1}));
    constexpr std::uint64_t m = 3000, k = 2500;
    const auto x = random_array({m, k}, 1), v = random_array(k, 2), r = random_array(m, 3);
    const array<float> e = frit::exp(v).eval(), f = frit::exp(r).eval();
    const auto check = [](const auto& product, const auto& of_stored, std::uint64_t inner, std::uint64_t outer) {
        EXPECT_EQ(planned(product), either({2, 0}, {1, 1}));
        const frit::plan p = frit::make_plan(product);
        EXPECT_EQ(p.bytes_read(), (m * k + 2 * inner) * 4);
        EXPECT_EQ(p.bytes_written(), (inner + outer) * 4);
        EXPECT_EQ(array<float>(product).to_vector(), array<float>(of_stored).to_vector());
    };
    check(matmul(x, frit::exp(v)), matmul(x, e), k, m);
    check(matmul(x.T(), frit::exp(r)), matmul(x.T(), f), m, k);
}

TEST(ProductsWithVectors, ANormStaysOnTheDevice) {
    FRIT_SKIP_WITHOUT(matmul);
    for (const std::int64_t n : {100, 1'000'000}) {
        const auto x = random_array(n, 1);
        x.eval();
        for (const array<float>& unit :
             {array<float>(x / frit::sqrt(frit::dot(x, x))), array<float>(x / frit::linalg::norm(x))}) {
            const frit::plan p = frit::make_plan(unit);
            EXPECT_LE(p.kernels().size(), 2U);
            EXPECT_EQ(p.library_calls().size(), 0U);
            frit::reset_stats();
            unit.eval();
            EXPECT_LE(frit::stats().kernels_launched, 2U);
            EXPECT_EQ(frit::stats().device_to_host_bytes, 0U);
            EXPECT_NEAR(frit::sum(unit * unit).item(), 1.0F, 1e-4F);
        }
    }
}

// Hestenes and Stiefel's: one product, and numbers that no host looks at.
TEST(ProductsWithVectors, AStepOfConjugateGradientsIsThreeKernels) {
    FRIT_SKIP_WITHOUT(matmul);
    constexpr std::int64_t n = 500;
    const auto g = random_array({n, n}, 1), b = random_array(n, 2);
    const array<float> a = matmul(g, g.T()) / n + frit::eye<float>(n);  // symmetric, with eigenvalues from 1 to 3
    array<float> x = frit::zeros<float>(n), r = b + 0, p = r + 0, rr = frit::dot(r, r);
    frit::eval(a, x, r, p, rr);
    const auto step = [&] {
        const array<float> ap = matmul(a, p);
        const array<float> alpha = rr / frit::dot(p, ap);
        x += alpha * p;
        r -= alpha * ap;
        const array<float> next = frit::dot(r, r);
        p = r + (next / rr) * p;
        rr = next;
    };
    step();
    const plan_counts of_step = planned(x, r, p, rr);
    EXPECT_LE(of_step.kernels, 3U);
    EXPECT_EQ(of_step.calls, on_gpu() ? 0U : 1U);
    frit::reset_stats();
    frit::eval(x, r, p, rr);
    EXPECT_EQ(frit::stats().device_to_host_bytes, 0U);
    EXPECT_LE(frit::stats().kernels_launched, 3U);
    for (int k = 2; k < 15; ++k) {
        step();
        frit::eval(x, r, p, rr);
    }
    EXPECT_LT(frit::linalg::norm(b - matmul(a, x)).item(), 1e-5F * frit::linalg::norm(b).item());
}

/// Element by element in double, of elements that lie as NumPy would have them.
template <class T>
void check_values(const shape& left, const shape& right, bool turned = false) {
    SCOPED_TRACE(to_string(left) + " by " + to_string(right));
    const array<T> a = turned ? array<T>(random_array<T>({left[1], left[0]}, 1).T()) : random_array<T>(left, 1);
    const array<T> b = random_array<T>(right, 2);
    const array<T> got = matmul(a, b);
    const std::vector<double> want = array<double>(matmul(frit::cast<double>(a), frit::cast<double>(b))).to_vector();
    const std::vector<T> values = got.to_vector();
    ASSERT_EQ(values.size(), want.size());
    const double inner = static_cast<double>(left[-1]);
    const double epsilon = sizeof(T) == 8 ? 0x1p-52 : 0x1p-23;
    const double last = sizeof(T) > 2 ? 0 : static_cast<double>(std::numeric_limits<T>::epsilon());
    for (std::size_t k = 0; k < want.size(); ++k)
        ASSERT_NEAR(static_cast<double>(values[k]), want[k], inner * epsilon + std::abs(want[k]) * last) << k;
}

template <class T>
void check_all_values() {
    check_values<T>({50, 33}, 33);
    check_values<T>({50, 33}, 33, true);
    check_values<T>(33, {33, 50});
    check_values<T>(1000, 1000);
    check_values<T>({1, 9}, {9, 40});
    check_values<T>({3000, 2}, 2);
    check_values<T>({2, 3000}, 3000);
    check_values<T>({4, 7, 5}, 5);
    check_values<T>({2, 4, 7, 5}, {4, 5, 1});
    check_values<T>({4, 1, 5}, {4, 5, 7});
    check_values<T>({7, 5}, {4, 5, 1});
    check_values<T>({3, 0}, 0);
    check_values<T>({0, 3}, 3);
    check_values<T>({1, 1}, {1, 1});
}
TEST(ProductsWithVectors, Values) {
    FRIT_SKIP_WITHOUT(matmul);
    check_all_values<float>();
    check_all_values<double>();
    check_all_values<frit::half>();
    check_all_values<frit::bfloat16>();
}

TEST(ProductsWithVectors, NanAndInfinitiesComeThrough) {
    FRIT_SKIP_WITHOUT(matmul);
    const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    const array<float> a = frit::from_host(std::vector<float>{1, inf, nan, 0, 2, 3, -inf, 5}, {4, 2});
    const array<float> v = frit::from_host(std::vector<float>{1, 0}, 2);
    const std::vector<float> got = array<float>(matmul(a, v)).to_vector();
    EXPECT_TRUE(std::isnan(got[0]));  // inf * 0
    EXPECT_TRUE(std::isnan(got[1]));
    EXPECT_EQ(got[2], 2.F);
    EXPECT_EQ(got[3], -inf);
}

TEST(ProductsWithVectors, OfAsManyAxesAsThereAre) {
    FRIT_SKIP_WITHOUT(matmul);
    std::vector<std::int64_t> left(frit::max_rank, 1), right(frit::max_rank, 1);
    left[0] = 2, left[frit::max_rank - 2] = 3, left[frit::max_rank - 1] = right[frit::max_rank - 2] = 4;
    const array<float> got = matmul(frit::ones<float>(shape(left)), frit::ones<float>(shape(right)));
    EXPECT_EQ(got.to_vector(), std::vector<float>(6, 4.F));
}

TEST(ProductsWithVectors, TypedOrNot) {
    FRIT_SKIP_WITHOUT(matmul);
    const auto a = random_array({40, 30}, 1), v = random_array(30, 2);
    const frit::any_array x = a, w = v;
    EXPECT_EQ(frit::any_array(matmul(x, w)).as<float>().to_vector(), array<float>(matmul(a, v)).to_vector());
    EXPECT_EQ(planned(frit::any_array(frit::tanh(matmul(x, w)))), either({1, 0}, {1, 1}));
}

}  // namespace
