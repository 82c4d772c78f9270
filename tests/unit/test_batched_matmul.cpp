// Products of batches of matrices in the graph: shapes, what is read where it lies, exact counts of kernels, calls and
// bytes, bits that do not depend on the batch or on threads, errors.
#include <gtest/gtest.h>

#include <complex>
#include <cstring>
#include <random>

#include "frit/frit.hpp"

#include "src/base/threads.hpp"
#include "tests/support/libraries.hpp"

namespace {
using frit::all;
using frit::array;
using frit::none;
using frit::shape;
using frit::slice;

template <class T = double>
array<T> random_array(const shape& extents, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> numbers(-1, 1);
    std::vector<T> v(static_cast<std::size_t>(extents.size()));
    for (T& x : v) x = static_cast<T>(numbers(engine));
    return frit::from_host(v, extents);
}

struct plan_counts {
    std::size_t kernels, calls;
    std::uint64_t read, written;
    friend bool operator==(const plan_counts&, const plan_counts&) = default;
    friend std::ostream& operator<<(std::ostream& to, const plan_counts& c) {
        return to << c.kernels << " kernels, " << c.calls << " calls, " << c.read << " read, " << c.written << " written";
    }
};
template <class A>
plan_counts planned(const A& x) {
    const frit::plan p = frit::make_plan(x);
    return {p.kernels().size(), p.library_calls().size(), p.bytes_read(), p.bytes_written()};
}

TEST(BatchedMatmul, Shapes) {
    const auto shape_of = [](const shape& a, const shape& b) {
        return array<float>(frit::matmul(frit::zeros<float>(a), frit::zeros<float>(b))).shape();
    };
    EXPECT_EQ(shape_of({7, 2, 3}, {7, 3, 4}), (shape{7, 2, 4}));
    EXPECT_EQ(shape_of({7, 2, 3}, {3, 4}), (shape{7, 2, 4}));
    EXPECT_EQ(shape_of({2, 3}, {7, 3, 4}), (shape{7, 2, 4}));
    EXPECT_EQ(shape_of({8, 1, 2, 3}, {7, 3, 4}), (shape{8, 7, 2, 4}));
    EXPECT_EQ(shape_of({7, 2, 3}, {3}), (shape{7, 2}));
    EXPECT_EQ(shape_of({3}, {7, 3, 4}), (shape{7, 4}));
    EXPECT_EQ(shape_of({0, 2, 3}, {1, 3, 4}), (shape{0, 2, 4}));
}

TEST(BatchedMatmul, OneCallOfWhatLiesInMemory) {
    FRIT_SKIP_WITHOUT(matmul);
    const auto a = random_array({6, 4, 10}, 1), b = random_array({6, 10, 3}, 2), one = random_array({10, 3}, 3);
    constexpr std::uint64_t of_a = 6 * 4 * 10 * 8, of_b = 6 * 10 * 3 * 8, of_one = 10 * 3 * 8, result = 6 * 4 * 3 * 8;
    EXPECT_EQ(planned(frit::matmul(a, b)), (plan_counts{0, 1, of_a + of_b, result}));
    EXPECT_EQ(planned(frit::matmul(a, one)), (plan_counts{0, 1, of_a + of_one, result}));
    const auto left = frit::transpose(random_array({6, 10, 4}, 4).eval(), {0, 2, 1});
    EXPECT_EQ(planned(frit::matmul(left, b)), (plan_counts{0, 1, of_a + of_b, result}));
    const auto heads = frit::transpose(random_array({4, 6, 10}, 5).eval(), {1, 0, 2});  // the batch between rows and columns
    EXPECT_EQ(planned(frit::matmul(heads, frit::transpose(heads, {0, 2, 1}))).calls, 1U);
    EXPECT_EQ(planned(frit::matmul(heads, frit::transpose(heads, {0, 2, 1}))).kernels, 0U);
    const auto wide = random_array({12, 9, 12}, 6);
    const auto part = wide(slice(none, none, 2), slice(1, 5), slice(2, none));
    EXPECT_EQ(planned(frit::matmul(part, b)), (plan_counts{0, 1, of_a + of_b, result}));
    EXPECT_EQ(planned(frit::matmul(a, frit::matmul(b, frit::ones<double>({3, 2}).eval()))).calls, 2U);
    // no stride of these matrices is 1, or the batch goes backwards: put in order first
    EXPECT_EQ(planned(frit::matmul(wide(slice(0, 6), slice(0, 4), slice(0, none, 2))(all, all, slice(0, 4)),
                                   random_array({4, 3}, 7)))
                  .kernels,
              1U);
    EXPECT_EQ(planned(frit::matmul(frit::flip(a, 0), b)).kernels, 1U);
    // two axes that become one are put in order first, once, and not again behind the reshape
    EXPECT_EQ(planned(frit::matmul(random_array({7, 24}, 8), frit::transpose(a, {1, 0, 2}).reshape({24, 10}))).kernels, 1U);
    EXPECT_EQ(planned(frit::matmul(frit::transpose(a, {1, 0, 2}).reshape({24, 10}).T(), random_array({24, 7}, 8))).kernels,
              1U);
}

TEST(BatchedMatmul, AMatrixThatIsRepeatedIsNotCopied) {
    FRIT_SKIP_WITHOUT(matmul);
    const auto a = random_array({6, 4, 10}, 1), one = random_array({10, 3}, 3);
    const auto spread = frit::broadcast_to(one, {6, 10, 3});
    EXPECT_EQ(planned(frit::matmul(a, spread)).kernels, 0U);
    EXPECT_EQ(frit::matmul(a, spread).to_vector(), frit::matmul(a, one).to_vector());
    const auto rows = random_array({2, 1, 4, 10}, 4), columns = random_array({7, 10, 3}, 5);
    EXPECT_EQ(planned(frit::matmul(rows, columns)).kernels, 0U);
    EXPECT_EQ(planned(frit::matmul(a, one * 2.0)).kernels, 1U);
    EXPECT_EQ(planned(frit::matmul(a, frit::broadcast_to(one * 2.0, {6, 10, 3}))).written, (10 * 3 + 6 * 4 * 3) * 8U);
}

/// The product of matrices, or of batches of them, element by element, in place of BLAS.
array<std::complex<double>> multiplied(const array<std::complex<double>>& a, const array<std::complex<double>>& b) {
    return frit::sum(frit::expand_dims(a, -1) * frit::expand_dims(b, -3), -2);
}

TEST(BatchedMatmul, ConjugatesAreNotCopied) {
    FRIT_SKIP_WITHOUT(matmul);
    using complex = std::complex<double>;
    const auto of = [](const shape& s, unsigned seed) {
        return array<complex>(frit::complex(random_array(s, seed), random_array(s, seed + 1))).eval();
    };
    const bool on_gpu = !frit::default_device().is_cpu();  // where only what is transposed is conjugated
    const auto check = [&](const auto& a, const auto& b, std::size_t kernels) {
        const auto product = frit::matmul(a, b);
        EXPECT_EQ(planned(product).kernels, kernels) << frit::explain(product);
        EXPECT_EQ(planned(product).calls, 1U);
        const array<complex> left = a, right = b;
        EXPECT_LT(frit::max(frit::abs(product - multiplied(left.eval(), right.eval()))).item(), 1e-13);
    };
    const auto a = of({5, 4}, 1), b = of({5, 6}, 3), square = of({4, 4}, 5);
    check(conj(a.T()), b, 0);
    check(conj(a).T(), b, 0);
    check(a.T(), conj(b), on_gpu);
    check(conj(a.T()), conj(b), on_gpu);
    check(conj(a.T()), conj(of({6, 5}, 7).T()), 0);
    check(a, conj(square.T()), 0);
    check(conj(a), square, on_gpu);
    check(conj(a.T()), frit::expand_dims(b(all, 0), 1), 0);
    const auto many = of({3, 5, 4}, 9);
    check(conj(frit::matrix_transpose(many)), b, 0);
    check(frit::matrix_transpose(conj(many)), b, 0);
    check(conj(many(all, all, slice(1, 4))), square(slice(1, none)), on_gpu);
    EXPECT_EQ(planned(frit::matmul(conj(a.T()), of({5}, 11))), (plan_counts{0, 1, (20 + 5) * 16, 4 * 16}));
    EXPECT_EQ(planned(frit::matmul(of({5}, 11), conj(a))).kernels, on_gpu ? 1U : 0U);
    EXPECT_EQ(planned(frit::matmul(conj(of({5}, 11)), a)).kernels, 1U);  // vectors are copied
    const auto shows = [&](const auto& product, const char* formula) {
        const std::string text = frit::explain(product);
        EXPECT_NE(text.find(formula), std::string::npos) << text;
    };
    shows(frit::matmul(conj(a.T()), b), "matmul(conj(");
    shows(frit::matmul(a.T(), conj(b.T()).T()), on_gpu ? "matmul(" : ", conj(");
    if (!on_gpu) shows(frit::matmul(conj(square), square), "matmul(conj(x0), x0)");
    if (!on_gpu) shows(frit::matmul(conj(square), conj(square)), "matmul(conj(x0), conj(x0))");
    // the plan of the one is not taken for the other's
    for (int k = 0; k < 2; ++k) {
        const array<complex> plain = frit::matmul(a.T(), b), turned = frit::matmul(conj(a.T()), b);
        EXPECT_GT(frit::max(frit::abs(plain - turned)).item(), 0.1);
    }
}

TEST(BatchedMatmul, CountsOfAnEvaluation) {
    FRIT_SKIP_WITHOUT(matmul);
    const auto a = random_array({6, 4, 5}, 1), b = random_array({5, 3}, 2);
    frit::reset_stats();
    array<double>(frit::matmul(a, b)).eval();
    const frit::counters n = frit::stats();
    EXPECT_EQ(n.library_calls, 1U);
    EXPECT_EQ(n.kernels_launched, 0U);
    EXPECT_EQ(n.bytes_read, (6U * 4 * 5 + 5 * 3) * 8);
    EXPECT_EQ(n.bytes_written, 6U * 4 * 3 * 8);
}

TEST(BatchedMatmul, NoTermsAndNoMatrices) {
    FRIT_SKIP_WITHOUT(matmul);
    const auto zeros = frit::matmul(frit::ones<float>({3, 2, 0}), frit::ones<float>({0, 2}));
    EXPECT_EQ(zeros.to_vector(), std::vector<float>(12, 0.F));
    frit::reset_stats();
    EXPECT_EQ(frit::matmul(frit::ones<float>({0, 2, 3}), frit::ones<float>({3, 2})).to_vector().size(), 0U);
    EXPECT_EQ(frit::stats().library_calls, 0U);
}

/// The bits of product k are those of the two matrices alone, with any number of threads. (A GPU's library may choose
/// another routine for a batch.)
template <class T>
void check_bits(const shape& left, const shape& right) {
    const frit::scoped_device on_cpu(frit::device::cpu());
    auto& pool = frit::detail::thread_pool::instance();
    const int before = pool.size();
    const array<T> a = random_array<T>(left, 1), b = random_array<T>(right, 2);
    std::vector<T> alone;
    for (std::int64_t k = 0; k < left[0]; ++k) {
        const array<T> one = frit::matmul(a(k, frit::ellipsis), b(k, frit::ellipsis));
        const std::vector<T> values = one.to_vector();
        alone.insert(alone.end(), values.begin(), values.end());
    }
    for (const int n : {1, 2, 5}) {
        pool.resize(n);
        const std::vector<T> together = frit::matmul(a, b).to_vector();
        ASSERT_EQ(together.size(), alone.size());
        EXPECT_EQ(std::memcmp(together.data(), alone.data(), alone.size() * sizeof(T)), 0)
            << n << " threads, " << to_string(left) << " by " << to_string(right);
    }
    pool.resize(before);
}
TEST(BatchedMatmul, BitsDependNeitherOnTheBatchNorOnThreads) {
    FRIT_SKIP_WITHOUT(matmul);
    check_bits<float>({700, 4, 4}, {700, 4, 4});
    check_bits<float>({50, 33, 65}, {50, 65, 17});
    check_bits<double>({3, 300, 100}, {3, 100, 150});
    check_bits<float>({40, 130, 70}, {40, 70, 1});
    check_bits<double>({40, 1, 70}, {40, 70, 300});
    check_bits<float>({2000, 1, 9}, {2000, 9, 1});
    check_bits<double>({3, 1, 600'000}, {3, 600'000, 1});
    check_bits<float>({2, 1, 1'000'000}, {2, 1'000'000, 1});
}

TEST(BatchedMatmul, Attention) {
    FRIT_SKIP_WITHOUT(matmul);
    const auto q = random_array({2, 3, 9, 10}, 1), k = random_array({2, 3, 9, 10}, 2), v = random_array({2, 3, 9, 5}, 3);
    const auto y = frit::matmul(frit::softmax(frit::matmul(q, frit::transpose(k, {0, 1, 3, 2})) * 0.5, -1), v);
    EXPECT_EQ(planned(y).kernels, 1U);
    EXPECT_EQ(planned(y).calls, 2U);
    const auto weights = frit::sum(frit::expand_dims(q, 3) * frit::expand_dims(k, 2), -1) * 0.5;
    const auto want = frit::sum(frit::expand_dims(frit::softmax(weights, -1), 4) * frit::expand_dims(v, 2), 3);
    EXPECT_LT(frit::max(frit::abs(y - want)).item(), 1e-13);
}

TEST(BatchedMatmul, IntoASliceThatItReads) {
    FRIT_SKIP_WITHOUT(matmul);
    array<double> u = random_array({3, 4, 4}, 1);
    u.eval();
    const std::vector<double> want = array<double>(frit::matmul(u, u(0, frit::ellipsis))).to_vector();
    u(all, all, all) = frit::matmul(u, u(0, frit::ellipsis));
    EXPECT_EQ(u.to_vector(), want);
}

TEST(BatchedMatmul, AReusedPlanSeesOtherBatches) {
    FRIT_SKIP_WITHOUT(matmul);
    for (const std::int64_t batch : {2, 2, 5, 1, 0}) {
        const auto a = random_array({batch, 3, 4}, 1), b = random_array({4, 2}, 2);
        const array<double> y = frit::matmul(a, b) + 1.0;
        const array<double> flat = frit::matmul(a.reshape({3 * batch, 4}), b) + 1.0;
        const std::vector<double> got = y.to_vector(), want = flat.to_vector();
        ASSERT_EQ(got.size(), want.size());
        for (std::size_t k = 0; k < got.size(); ++k) EXPECT_NEAR(got[k], want[k], 1e-14);
    }
}

template <class F>
std::string text_of(const F& f) {
    try {
        f();
    } catch (const frit::shape_error& e) {
        return e.what();
    }
    return "";
}
void expect_refused(const shape& a, const shape& b, const std::string& why) {
    const auto check = [&](const auto& x, const auto& y) {
        const std::string text = text_of([&] { (void)frit::any_array(frit::matmul(x, y)); });
        for (const std::string& part :
             {std::string("matmul"), why, to_string(a), to_string(b), std::string("test_batched_matmul.cpp")})
            EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
    };
    const auto x = frit::zeros<double>(a), y = frit::zeros<double>(b);
    check(x, y);
    check(frit::any_array(x), frit::any_array(y));
}

TEST(BatchedMatmul, Errors) {
    expect_refused({3, 2, 4}, {3, 5, 2}, "equal inner extents");
    expect_refused({3, 2, 4}, {5}, "equal inner extents");
    expect_refused({4}, {3, 2, 4}, "equal inner extents");
    expect_refused({3, 2, 4}, {2, 4, 2}, "do not broadcast");
    expect_refused({2, 3, 2, 4}, {3, 2, 4, 2}, "do not broadcast");
    expect_refused({0, 2, 4}, {2, 4, 2}, "do not broadcast");
    expect_refused({}, {3, 2, 4}, "by a scalar");
    expect_refused({3, 2, 4}, {}, "by a scalar");
    EXPECT_NE(text_of([] {
                  const std::int64_t large = std::int64_t{1} << 31;
                  (void)array<float>(frit::matmul(frit::broadcast_to(frit::scalar(1.F), {large, 1, 2, 2}),
                                                  frit::broadcast_to(frit::scalar(1.F), {large, 2, 2})));
              }),
              "");
}

}  // namespace
