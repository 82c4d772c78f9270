// Linear algebra, what holds for all functions: what is computed of several results; layouts, batches, dtypes; matrices
// without elements; errors, and what they leave unharmed. And powers of matrices. Residuals are in
// test_linalg_equations.cpp, test_linalg_spectra.cpp and test_linalg_hard.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "frit/frit.hpp"

#include "src/base/threads.hpp"
#include "src/cpu/lapack.hpp"
#include "src/engine/backend.hpp"
#include "src/libraries/libraries.hpp"
#include "tests/support/linalg_tests.hpp"

namespace {

using namespace frit_test;
namespace linalg = frit::linalg;
using frit::any_array;
using frit::array;

// --- what is computed of several results, and how ---

TEST(Linalg, OnlyWhatIsAskedForIsComputed) {
    FRIT_SKIP_WITHOUT_LINALG(svd(x));
    const array<double> a = random_plain<double>(6, 4, 3).lazy();
    a.eval();
    const auto asked = [](const auto& x) -> std::uint64_t {
        const frit::plan p = frit::make_plan(x);
        EXPECT_EQ(p.library_calls().size(), 1U);
        return p.library_calls()[0].bytes_written();
    };
    EXPECT_EQ(asked(linalg::svdvals(a)), 4U * 8);
    EXPECT_EQ(asked(std::get<1>(linalg::svd(a))), 4U * 8);
    EXPECT_EQ(asked(linalg::eigvalsh(frit::matmul(a.T(), a).eval())), 4U * 8);
    EXPECT_EQ(asked(std::get<1>(linalg::qr(a))), 16U * 8);
}

TEST(Linalg, NeighboursFuseOnTheirOwnSide) {
    FRIT_SKIP_WITHOUT_LINALG(solve(x, x));
    const array<double> a = frit::eye<double>(4) * 2 + 1, b = frit::arange<double>(4);
    a.eval(), b.eval();
    EXPECT_EQ(planned(sum(linalg::solve(a + 1, b) * 2)), (step_counts{2, 1}));
    expect_one_call(linalg::inv(a.T()));  // a transpose is absorbed
    const array<double> large = frit::eye<double>(6) * 3 + 1;
    large.eval();
    expect_one_call(linalg::inv(large(frit::slice(0, 3), frit::slice(2, 5))));  // and a part
    const auto flipped = frit::flip(large);
    EXPECT_EQ(planned(linalg::inv(flipped)), (step_counts{1, 1}));
    EXPECT_EQ(linalg::inv(flipped).to_vector(), linalg::inv(flipped.eval()).to_vector());
}

TEST(Linalg, LayoutsDoNotChangeBits) {
    FRIT_SKIP_WITHOUT_LINALG(svd(x));
    for_each_type([]<class T>(T) {
        const plain<T> a = random_plain<T>(9, 9, 13), b = random_plain<T>(9, 2, 14);
        const array<T> turned = a.transposed().lazy(), x = a.lazy(), y = b.lazy();
        EXPECT_EQ(linalg::solve(turned.T(), y).to_vector(), linalg::solve(x, y).to_vector());
        EXPECT_EQ(linalg::inv(turned.T()).to_vector(), linalg::inv(x).to_vector());
        EXPECT_EQ(linalg::det(turned.T()).item(), linalg::det(x).item());
        EXPECT_EQ(std::get<0>(linalg::qr(turned.T())).to_vector(), std::get<0>(linalg::qr(x)).to_vector());
        EXPECT_EQ(linalg::svdvals(turned.T()).to_vector(), linalg::svdvals(x).to_vector());
        EXPECT_EQ(std::get<1>(linalg::lu(turned.T())).to_vector(), std::get<1>(linalg::lu(x)).to_vector());
    });
}

TEST(Linalg, EveryMatrixOfABatchIsAsItIsAlone) {
    FRIT_SKIP_WITHOUT_LINALG(svd(x));
    for_each_type([]<class T>(T) {
        constexpr std::int64_t n = 6, count = 70;
        std::vector<array<T>> matrices, sides_of;
        for (std::int64_t k = 0; k < count; ++k) {
            matrices.push_back(positive_definite<T>(n, static_cast<unsigned>(k)).lazy());
            sides_of.push_back(random_plain<T>(n, 2, static_cast<unsigned>(k)).lazy());
        }
        const array<T> a = stacked(matrices).reshape({7, 10, n, n}), b = stacked(sides_of).reshape({7, 10, n, 2});
        const auto check = [&](const char* what, auto f) {
            const auto all = f(a, b).to_vector();
            const std::size_t each = all.size() / count;
            for (std::size_t k : {std::size_t{0}, std::size_t{33}, std::size_t{69}}) {
                const auto one = f(matrices[k], sides_of[k]).to_vector();
                EXPECT_EQ(one, decltype(one)(all.begin() + static_cast<std::ptrdiff_t>(k * each),
                                             all.begin() + static_cast<std::ptrdiff_t>((k + 1) * each)))
                    << what << " of matrix " << k;
            }
        };
        check("cholesky", [](const auto& x, const auto&) { return linalg::cholesky(x); });
        check("solve", [](const auto& x, const auto& y) { return linalg::solve(x, y); });
        check("inv", [](const auto& x, const auto&) { return linalg::inv(x); });
        check("det", [](const auto& x, const auto&) { return linalg::det(x); });
        check("qr", [](const auto& x, const auto&) { return std::get<0>(linalg::qr(x)); });
        check("svd", [](const auto& x, const auto&) { return std::get<2>(linalg::svd(x)); });
        check("eigh", [](const auto& x, const auto&) { return std::get<1>(linalg::eigh(x)); });
        if (has_eig()) check("eig", [](const auto& x, const auto&) { return std::get<0>(linalg::eig(x)); });
        check("lu", [](const auto& x, const auto&) { return std::get<2>(linalg::lu(x)); });
        if (!on_gpu())  // where cuBLAS may take another routine for many products than for one
            check("pinv", [](const auto& x, const auto&) { return linalg::pinv(x); });
        expect_one_call(linalg::inv(a));
    });
}

TEST(Linalg, OneMatrixForABatchOfRightSides) {
    FRIT_SKIP_WITHOUT_LINALG(solve(x, x));
    for_each_type([]<class T>(T) {
        std::vector<array<T>> each;
        for (unsigned k = 0; k < 200; ++k) each.push_back(random_plain<T>(5, 2, k).lazy());
        const array<T> a = random_plain<T>(5, 5, 77).lazy(), all = stacked(each);
        const std::vector<T> x = linalg::solve(a, all).to_vector();
        for (const std::size_t k : {std::size_t{0}, std::size_t{1}, std::size_t{117}, std::size_t{199}}) {
            const std::vector<T> one = linalg::solve(a, each[k]).to_vector();
            EXPECT_TRUE(std::equal(one.begin(), one.end(), x.begin() + static_cast<std::ptrdiff_t>(10 * k))) << k;
        }
        expect_error<frit::linalg_error>("solve: matrix (0) of the batch is singular", [&] {
            (void)linalg::solve(frit::zeros<T>({5, 5}), all).to_vector();
        });
    });
    // Nor is a larger one, of which a GPU's library is given no NaN, made many.
    const array<double> a = positive_definite<double>(40, 3).lazy().eval(), b = frit::ones<double>({50, 40, 1}).eval();
    const array<double> x = linalg::solve(a, b);
    EXPECT_LE(frit::make_plan(x).bytes_read(), (3 * 40 * 40 + 2 * 50 * 40 + 100) * sizeof(double));
    EXPECT_LT(frit::max(abs(frit::matmul(a, x) - b)).item(), 1e-12);
}

TEST(Linalg, TheNumberOfThreadsDoesNotShow) {
    FRIT_SKIP_WITHOUT_LINALG(svd(x));
    std::vector<array<double>> each;
    for (unsigned k = 0; k < 300; ++k) each.push_back(positive_definite<double>(20, k).lazy());
    const array<double> a = stacked(each);
    const auto all = [&](int threads) {
        auto& pool = frit::detail::thread_pool::instance();
        const int before = pool.size();
        pool.resize(threads);
        std::vector<std::vector<double>> results{linalg::cholesky(a).to_vector(),
                                                 linalg::solve(a, a + 1).to_vector(),
                                                 linalg::inv(a).to_vector(),
                                                 linalg::det(a).to_vector(),
                                                 std::get<0>(linalg::qr(a)).to_vector(),
                                                 std::get<0>(linalg::svd(a)).to_vector(),
                                                 std::get<1>(linalg::eigh(a)).to_vector()};
        if (has_eig()) results.push_back(frit::real(linalg::eigvals(a)).to_vector());
        pool.resize(before);
        return results;
    };
    EXPECT_EQ(all(1), all(7));
}

TEST(Linalg, IntegersAreDoubleAndShortFloatsFloat) {
    FRIT_SKIP_WITHOUT_LINALG(solve(x, x));
    const array<int> a{{2, 1}, {1, 3}};
    static_assert(std::is_same_v<decltype(linalg::inv(a))::value_type, double>);
    static_assert(std::is_same_v<decltype(linalg::eigvals(a))::value_type, std::complex<double>>);
    EXPECT_DOUBLE_EQ(linalg::det(a).item(), 5);
    EXPECT_DOUBLE_EQ(linalg::det(array<bool>{{true, false}, {true, true}}).item(), 1);
    const array<frit::half> h{{frit::half(2), frit::half(1)}, {frit::half(1), frit::half(3)}};
    static_assert(std::is_same_v<decltype(linalg::inv(h))::value_type, frit::half>);
    EXPECT_EQ(linalg::inv(h).to_vector(), frit::cast<frit::half>(linalg::inv(frit::cast<float>(h))).to_vector());
    static_assert(std::is_same_v<decltype(linalg::eigvals(h))::value_type, std::complex<float>>);
    const array<float> b{1, 2};
    static_assert(std::is_same_v<decltype(linalg::solve(a, b))::value_type, double>);
    EXPECT_NEAR(linalg::solve(a, b).to_vector()[1], 0.6, 1e-15);
}

TEST(Linalg, AnyArrayGivesTheSameBits) {
    FRIT_SKIP_WITHOUT_LINALG(svd(x));
    for_each_type([]<class T>(T) {
        const array<T> a = positive_definite<T>(5, 15).lazy(), b = random_plain<T>(5, 2, 16).lazy();
        const any_array x = a, y = b;
        const auto equal = [](const auto& typed, const auto& any) {
            using U = typename std::decay_t<decltype(typed)>::value_type;
            EXPECT_EQ(typed.to_vector(), any.template to_vector<U>());
        };
        equal(linalg::cholesky(a), linalg::cholesky(x));
        equal(linalg::solve(a, b), linalg::solve(x, y));
        equal(linalg::solve_triangular(a, b, linalg::lower), linalg::solve_triangular(x, y, linalg::lower));
        equal(linalg::inv(a), linalg::inv(x));
        equal(linalg::det(a), linalg::det(x));
        equal(std::get<1>(linalg::slogdet(a)), std::get<1>(linalg::slogdet(x)));
        equal(std::get<0>(linalg::lu(a)), std::get<0>(linalg::lu(x)));
        equal(std::get<1>(linalg::qr(a)), std::get<1>(linalg::qr(x)));
        equal(std::get<1>(linalg::svd(a)), std::get<1>(linalg::svd(x)));
        equal(linalg::svdvals(a), linalg::svdvals(x));
        equal(std::get<0>(linalg::eigh(a)), std::get<0>(linalg::eigh(x)));
        equal(linalg::eigvalsh(a), linalg::eigvalsh(x));
        if (has_eig()) {
            equal(std::get<1>(linalg::eig(a)), std::get<1>(linalg::eig(x)));
            equal(linalg::eigvals(a), linalg::eigvals(x));
        }
        equal(std::get<0>(linalg::lstsq(a, b)), std::get<0>(linalg::lstsq(x, y)));
        equal(std::get<3>(linalg::lstsq(a, b)), std::get<3>(linalg::lstsq(x, y)));
        equal(linalg::pinv(a), linalg::pinv(x));
        EXPECT_EQ(linalg::matrix_rank(a).item(), linalg::matrix_rank(x).item());
        equal(linalg::cond(a), linalg::cond(x));
        equal(linalg::matrix_power(a, -3), linalg::matrix_power(x, -3));
        equal(linalg::expm(a), linalg::expm(x));
    });
    const any_array integers = array<std::int16_t>{{2, 1}, {1, 3}};
    EXPECT_EQ(linalg::inv(integers).dtype(), frit::dtype::f64);
    EXPECT_EQ(linalg::eigvals(integers).dtype(), frit::dtype::c128);
}

// LAPACK writes as far as it likes: what is behind the memory that it was given stays what it was.
TEST(Linalg, NothingIsWrittenBehindWorkspacesAndResults) {
    if (!frit::detail::find_lapack()) GTEST_SKIP() << "there is no LAPACK";
    using frit::op;
    constexpr std::size_t guard = 4096;
    const auto check = [&]<class T>(T, std::vector<op> codes, std::vector<frit::shape> operands) {
        const frit::dtype type = frit::dtype_of<T>;
        const frit::detail::library_routine& of = frit::detail::routine_of(codes[0]);
        frit::fusion::library_call call{.of = &of, .code = codes[0]};
        call.results.resize(static_cast<std::size_t>(of.results));
        std::vector<std::vector<T>> values;
        std::vector<const void*> inputs;
        std::vector<const frit::shape*> extents;
        for (const frit::shape& x : operands) {
            call.operands.push_back({type, x, frit::fusion::row_major(x)});
            values.push_back(random_plain<T>(1, x.size(), 5).values());
        }
        for (std::size_t k = 0; k < operands.size(); ++k)
            inputs.push_back(values[k].data()), extents.push_back(&operands[k]);
        frit::fusion::shape_set shapes;
        std::vector<std::vector<unsigned char>> memory(call.results.size());
        std::vector<void*> results(call.results.size());
        const auto guarded = [&](std::size_t bytes) { return std::vector<unsigned char>(bytes + guard, 0xa5); };
        for (const op o : codes) {
            const std::size_t k = frit::library(o).result;
            const frit::shape& x = *of.shape_of(static_cast<int>(k), extents, shapes);
            call.results[k] = {true, frit::library_dtypes_of(o, type).result, x};
            memory[k] = guarded(static_cast<std::size_t>(x.size()) * frit::size_of(call.results[k].type));
            results[k] = memory[k].data();
        }
        memory.push_back(guarded(of.on_cpu.workspace ? of.on_cpu.workspace(call) : 0));
        of.on_cpu.require(call);
        try {
            frit::detail::cpu_backend().call(call, {inputs, results, memory.back().data()});
        } catch (const frit::linalg_error&) {  // a random matrix is not positive definite
        }
        for (const auto& m : memory) {
            const bool untouched =
                m.empty() || std::all_of(m.end() - guard, m.end(), [](unsigned char x) { return x == 0xa5; });
            EXPECT_TRUE(untouched) << frit::name_of(codes[0]) << " of " << frit::to_string(operands[0]);
        }
    };
    for_each_type([&]<class T>(T t) {
        for (const std::int64_t n : {1, 2, 5, 40, 67}) {
            const frit::shape square{3, n, n}, sides_of{3, n, 2};
            check(t, {op::cholesky}, {square});
            check(t, {op::cholesky_status}, {square});
            check(t, {op::cholesky_unchecked, op::cholesky_status}, {square});
            check(t, {op::solve}, {square, sides_of});
            check(t, {op::solve_status}, {square, sides_of});
            check(t, {op::solve_unchecked, op::solve_status}, {square, sides_of});
            check(t, {op::solve_lower}, {square, sides_of});
            check(t, {op::inverse}, {square});
            check(t, {op::determinant, op::log_determinant}, {square});
            check(t, {op::eigh_values}, {square});
            check(t, {op::eigh_vectors}, {square});
            check(t, {op::eig_values}, {square});
            check(t, {op::eig_vectors}, {square});
            check(t, {op::eigvals}, {square});
            for (const std::int64_t m : {1, 3, 33, 90}) {
                const frit::shape of{3, m, n};
                check(t, {op::lu_permutation, op::lu_upper}, {of});
                check(t, {op::lu_packed, op::lu_pivots}, {of});
                check(t, {op::qr_q}, {of});
                check(t, {op::qr_r}, {of});
                check(t, {op::qr_complete_q}, {of});
                check(t, {op::qr_complete_r}, {of});
                check(t, {op::svd_s}, {of});
                check(t, {op::svd_u}, {of});
                check(t, {op::svd_full_vh}, {of});
                check(t, {op::svd_full_u, op::svd_full_s, op::svd_full_vh}, {of});
            }
        }
    });
}

// --- matrices without elements ---

TEST(Linalg, MatricesWithoutElements) {
    FRIT_SKIP_WITHOUT_LINALG(svd(x));
    const array<double> none = frit::zeros<double>({0, 0}), batch = frit::zeros<double>({0, 3, 3});
    EXPECT_EQ(linalg::cholesky(none).eval().shape(), (frit::shape{0, 0}));
    EXPECT_EQ(linalg::inv(batch).eval().shape(), (frit::shape{0, 3, 3}));
    EXPECT_EQ(linalg::det(batch).eval().shape(), frit::shape{0});
    EXPECT_EQ(linalg::solve(none, frit::zeros<double>({0, 2})).eval().shape(), (frit::shape{0, 2}));
    EXPECT_EQ(linalg::solve(none, frit::zeros<double>({0})).eval().shape(), frit::shape{0});
    EXPECT_EQ(linalg::solve(frit::eye<double>(2), frit::zeros<double>({2, 0})).eval().shape(), (frit::shape{2, 0}));
    if (has_eig()) {
        EXPECT_EQ(linalg::eigvals(none).eval().size(), 0);
    }
    EXPECT_EQ(linalg::eigvalsh(none).eval().size(), 0);
    const auto [q, r] = linalg::qr(frit::zeros<double>({3, 0}));
    EXPECT_EQ(q.eval().shape(), (frit::shape{3, 0}));
    EXPECT_EQ(r.eval().shape(), (frit::shape{0, 0}));
    const auto [u, s, vh] = linalg::svd(frit::zeros<double>({2, 0}));
    EXPECT_EQ(u.to_vector(), (std::vector<double>{1, 0, 0, 1}));
    EXPECT_EQ(s.eval().size(), 0);
    EXPECT_EQ(vh.eval().shape(), (frit::shape{0, 0}));
    const auto [p, l, upper] = linalg::lu(frit::zeros<double>({2, 0}));
    EXPECT_EQ(p.to_vector(), (std::vector<double>{1, 0, 0, 1}));
    EXPECT_EQ(l.eval().shape(), (frit::shape{2, 0}));
    EXPECT_EQ(linalg::pinv(frit::zeros<double>({2, 0})).eval().shape(), (frit::shape{0, 2}));
    EXPECT_EQ(linalg::matrix_rank(frit::zeros<double>({2, 0})).item(), 0);
    EXPECT_EQ(linalg::matrix_power(none, 3).eval().shape(), (frit::shape{0, 0}));
    EXPECT_EQ(linalg::expm(batch).eval().shape(), (frit::shape{0, 3, 3}));
    const auto [whole, nothing] = linalg::qr(frit::zeros<double>({2, 3, 0}), linalg::complete);
    EXPECT_EQ(whole.to_vector(), frit::broadcast_to(frit::eye<double>(3), {2, 3, 3}).to_vector());
    EXPECT_EQ(nothing.shape(), (frit::shape{2, 3, 0}));
}

// --- errors ---

TEST(Linalg, WhatHasNoResultIsAnErrorOfTheEvaluation) {
    FRIT_SKIP_WITHOUT_LINALG(solve(x, x));
    const std::string inverse = on_gpu() ? "solve" : "inv";
    const array<double> negative{{1, 2}, {2, 1}}, singular{{1, 2}, {2, 4}};
    const auto factor = linalg::cholesky(negative);
    const std::string line = std::to_string(__LINE__ - 1);
    const std::string text = error_of([&] { (void)factor.to_vector(); });
    EXPECT_NE(text.find("cholesky: the matrix is not positive definite; shape (2, 2); float64, in cholesky"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("test_linalg.cpp:" + line), std::string::npos) << text;
    expect_error<frit::linalg_error>(inverse + ": the matrix is singular; shape (2, 2); float64, in ",
                                     [&] { (void)linalg::inv(singular).to_vector(); });
    expect_error<frit::linalg_error>("solve: the matrix is singular; shape (2, 2); float64, in ", [&] {
        linalg::solve(singular, array<double>{1, 2}).eval();
    });
    if (on_gpu()) return;  // cuBLAS divides by the 0
    expect_error<frit::linalg_error>(
        "solve_triangular: the matrix is singular: there is a 0 on its diagonal; shape (2, 2); float32, in ", [&] {
            linalg::solve_triangular(array<float>{{0, 0}, {1, 1}}, array<float>{1, 2}, linalg::lower).eval();
        });
}

// The first time its operand's memory was taken over.
TEST(Linalg, WhatFailsFailsAgainInTheSameWay) {
    FRIT_SKIP_WITHOUT_LINALG(solve(x, x));
    if (on_gpu()) GTEST_SKIP() << "a GPU's error comes once";
    array<double> g{{1, 2}, {2, 4}};
    const array<double> x = linalg::inv(g - 0.0) * 3.0;
    g = {};
    const std::string text = error_of([&] { (void)x.to_vector(); });
    EXPECT_NE(text.find("the matrix is singular; shape (2, 2); float64"), std::string::npos) << text;
    expect_error<frit::linalg_error>(text, [&] { (void)x.to_vector(); });
    expect_error<frit::linalg_error>(text, [&] { (void)array<double>(x + 1.0).to_vector(); });
}

TEST(Linalg, ErrorsNameTheFirstMatrixOfABatch) {
    FRIT_SKIP_WITHOUT_LINALG(solve(x, x));
    const std::string inverse = on_gpu() ? "solve" : "inv";
    std::vector<array<float>> matrices(60, frit::eye<float>(3));
    matrices[17] = matrices[44] = frit::zeros<float>({3, 3});
    const array<float> a = stacked(matrices).reshape({3, 20, 3, 3});
    expect_error<frit::linalg_error>(
        inverse + ": matrix (0, 17) of the batch is singular; shape (3, 20, 3, 3); float32, in ",
        [&] { (void)linalg::inv(a).to_vector(); });
}

TEST(Linalg, AnErrorLeavesTheRestUnharmed) {
    if (on_gpu()) GTEST_SKIP() << "there it comes at the next synchronisation";
    FRIT_SKIP_WITHOUT_LINALG(solve(x, x));
    const array<double> singular{{1, 2}, {2, 4}};
    const array<double> sums = singular + 1;
    const array<double> bad = linalg::inv(singular) * 2;
    EXPECT_THROW(frit::eval(sums, bad), frit::linalg_error);
    EXPECT_EQ(sums.to_vector(), (std::vector<double>{2, 3, 3, 5}));
    EXPECT_THROW(bad.eval(), frit::linalg_error) << "it is still a formula";
    EXPECT_EQ(singular.to_vector(), (std::vector<double>{1, 2, 2, 4}));
    EXPECT_EQ(linalg::det(singular).item(), 0);
}

TEST(Linalg, ShapesThatDoNotFitAreErrorsAtOnce) {
    const array<double> wide = frit::ones<double>({2, 3}), square = frit::ones<double>({2, 2});
    expect_error<frit::shape_error>("cholesky: takes square matrices, (..., n, n); shapes (2, 3) [",
                                    [&] { linalg::cholesky(wide); });
    expect_error<frit::shape_error>("inv: takes square matrices, (..., n, n); shapes (4,) [",
                                    [&] { linalg::inv(frit::ones<double>({4})); });
    expect_error<frit::shape_error>("svd: takes matrices, (..., m, n); shapes (4,) [",
                                    [&] { linalg::svd(frit::ones<double>({4})); });
    expect_error<frit::shape_error>(
        "solve: the right side has not as many rows as the matrices; it is (n,) or (..., n, k); "
        "shapes (2, 2), (3,) [",
        [&] { linalg::solve(square, frit::ones<double>({3})); });
    EXPECT_THROW(linalg::solve(frit::ones<double>({3, 2, 2}), frit::ones<double>({2, 2, 1})), frit::shape_error);
    EXPECT_THROW(linalg::cond(frit::ones<double>({0, 2})), frit::shape_error);
    expect_error<frit::dtype_error>("matrix_power: integers have no inverse", [] {
        linalg::matrix_power(frit::ones<int>({2, 2}), -1);
    });
}

TEST(Linalg, AMissingLibraryIsNamedWithItsPackage) {
    try {
        frit::detail::find_lapack({"libnot-there.so.0", "libnot-there.so"}, "svd");
        FAIL();
    } catch (const frit::device_error& e) {
        EXPECT_STREQ(e.what(),
                     "cpu: svd needs OpenBLAS, and there is none (libnot-there.so.0, libnot-there.so): install "
                     "libopenblas0-pthread (Debian, Ubuntu)");
    }
}

// --- powers ---

TEST(Linalg, MatrixPowers) {
    FRIT_SKIP_WITHOUT_LINALG(inv(x));
    const array<std::int64_t> fibonacci{{1, 1}, {1, 0}};
    EXPECT_EQ(linalg::matrix_power(fibonacci, 50)(0, 1).item(), 12586269025);
    EXPECT_EQ(linalg::matrix_power(fibonacci, 0).to_vector(), (std::vector<std::int64_t>{1, 0, 0, 1}));
    EXPECT_EQ(linalg::matrix_power(fibonacci, 1).to_vector(), fibonacci.to_vector());
    const array<double> half = frit::eye<double>(2) * 2;
    EXPECT_EQ(linalg::matrix_power(half, -3).to_vector(), (std::vector<double>{0.125, 0, 0, 0.125}));
    EXPECT_EQ(linalg::matrix_power(stacked(std::vector{half, half}), 5).shape(), (frit::shape{2, 2, 2}));
}

TEST(Linalg, MatrixExponentials) {
    FRIT_SKIP_WITHOUT_LINALG(solve(x, x));
    const double pi = std::acos(-1.0);
    for (const double size : {1e-8, 0.3, 3.0, 40.0}) {
        const array<double> turn{{0, -size}, {size, 0}};
        const std::vector<double> e = linalg::expm(turn).to_vector();
        EXPECT_NEAR(e[0], std::cos(size), 1e-14 * std::max(1.0, size));
        EXPECT_NEAR(e[2], std::sin(size), 1e-14 * std::max(1.0, size));
    }
    const std::vector<double> decay = linalg::expm(on_diagonal(std::vector<double>{-1, 0, 2})).to_vector();
    EXPECT_NEAR(decay[0], std::exp(-1), 1e-15);
    EXPECT_NEAR(decay[8], std::exp(2), 2e-14);
    const std::complex<double> whole = linalg::expm(frit::full({1, 1}, std::complex<double>(0, pi))).item();
    EXPECT_NEAR(whole.real(), -1, 1e-15);
    const array<float> nilpotent{{0, 1, 2}, {0, 0, 3}, {0, 0, 0}};
    const std::vector<float> f = linalg::expm(nilpotent).to_vector();
    EXPECT_NEAR(f[2], 2 + 1.5, 2e-6);
    // each of a batch as it is alone, small ones beside large ones
    const array<double> small{{0, 1e-3}, {1e-3, 0}}, large{{0, 30}, {-30, 0}};
    const std::vector<double> both = linalg::expm(stacked(std::vector{small, large})).to_vector();
    const std::vector<double> one = linalg::expm(small).to_vector();
    for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(both[k], one[k]);
}

TEST(Linalg, ExponentialsOfLargeDecay) {
    FRIT_SKIP_WITHOUT_LINALG(solve(x, x));
    for (const double v : {-1e36, -1e40, -1e300}) EXPECT_EQ(linalg::expm(array<double>{{v}}).item(), 0) << v;
    for (const float v : {-1e24F, -1e38F}) EXPECT_EQ(linalg::expm(array<float>{{v}}).item(), 0) << v;
}

}  // namespace
