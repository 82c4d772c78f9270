// diagonal and diag, read and assigned: against a loop on the host, on every engine, in place and not; what the right side
// reads; bytes. NumPy's answers are rows of docs/coming-from.md.
#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "frit/frit.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"

namespace {

using frit::any_array;
using frit::arange;
using frit::array;
using frit::shape;
using frit::slice;
using ints = std::vector<int>;
using doubles = std::vector<double>;

bool on_gpu() { return !frit::default_device().is_cpu(); }

/// start with element k of the offset's diagonal as `change` makes it of itself and k.
template <class F>
doubles on_diagonal(const array<double>& start, std::int64_t offset, F change) {
    doubles x = start.to_vector();
    const std::int64_t rows = start.shape()[0], columns = start.shape()[1];
    std::int64_t k = 0;
    for (std::int64_t i = 0; i < rows; ++i)
        if (const std::int64_t j = i + offset; j >= 0 && j < columns) {
            double& e = x[static_cast<std::size_t>(i * columns + j)];
            e = change(e, static_cast<double>(k++));
        }
    return x;
}

TEST(Diagonals, AreAssignedInPlaceAndNot) {
    frit_test::everywhere([](const std::string& where) {
        for (const shape& of : {shape{1, 1}, shape{4, 4}, shape{3, 5}, shape{5, 3}, shape{1, 6}, shape{40, 37}})
            for (const std::int64_t offset : {0, 1, -1, 2, -3, 30, -60}) {
                SCOPED_TRACE(where + ", " + std::to_string(of[0]) + " x " + std::to_string(of[1]) + ", " +
                             std::to_string(offset));
                const array<double> start = array<double>(arange(double(of.size())).reshape(of) + 0.5).eval();
                const std::int64_t count = frit::diagonal(start, offset).size();
                const array<double> v = array<double>(arange(double(count)) * 100).eval();
                const auto check = [&](const char* what, auto change, auto each) {
                    const doubles want = on_diagonal(start, offset, each);
                    array<double> kept = start;  // the old value is wanted
                    array<double> own = array<double>(start + 0.0).eval();
                    array<double> pending = start + 0.0;  // computed by whoever writes
                    any_array open = start;
                    change(kept), change(own), change(pending), change(open);
                    EXPECT_EQ(kept.to_vector(), want) << what;
                    EXPECT_EQ(own.to_vector(), want) << what << ", in place";
                    EXPECT_EQ(pending.to_vector(), want) << what << ", of a formula";
                    EXPECT_EQ(open.to_vector<double>(), want) << what << ", any_array";
                };
                check(
                    "= number", [&](auto& u) { diagonal(u, offset) = -1; }, [](double, double) { return -1.0; });
                check(
                    "= vector", [&](auto& u) { diagonal(u, offset) = v; }, [](double, double k) { return 100 * k; });
                check(
                    "+= vector", [&](auto& u) { diagonal(u, offset) += v; }, [](double x, double k) { return x + 100 * k; });
                check(
                    "diag *=", [&](auto& u) { diag(u, offset) *= 3; }, [](double x, double) { return x * 3; });
                check(
                    "diag =", [&](auto& u) { diag(u, offset) = v + 1; }, [](double, double k) { return 100 * k + 1; });
                check(
                    "linalg", [&](auto& u) { frit::linalg::diagonal(u, offset) -= 2; },
                    [](double x, double) { return x - 2; });
            }
    });
}

// Of more than two axes: the diagonal is the last axis of the region.
TEST(Diagonals, OfAnyTwoAxes) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        for (const bool held : {false, true}) {
            const array<int> start = arange(24).reshape({2, 3, 4}).eval();
            array<int> u = array<int>(start + 0).eval();
            const array<int> old = held ? u : array<int>(start);
            diagonal(u, 1, 1, 2) = array<int>{{-1, -2, -3}, {-4, -5, -6}};
            EXPECT_EQ(u.to_vector(),
                      (ints{0, -1, 2, 3, 4, 5, -2, 7, 8, 9, 10, -3, 12, -4, 14, 15, 16, 17, -5, 19, 20, 21, 22, -6}));
            diagonal(u, 0, 2, 0) += 100;
            EXPECT_EQ(u.to_vector(), (ints{100, -1, 2,  3,  104, 5,   -2, 7,  108, 9,   10, -3,
                                           12,  96, 14, 15, 16,  117, -5, 19, 20,  121, 22, -6}));
            frit::linalg::diagonal(u) = 0;
            EXPECT_EQ(u.to_vector(),
                      (ints{0, -1, 2, 3, 104, 0, -2, 7, 108, 9, 0, -3, 0, 96, 14, 15, 16, 0, -5, 19, 20, 121, 0, -6}));
            EXPECT_EQ(old.to_vector(), start.to_vector());
        }
    });
}

TEST(Diagonals, MayReadTheSameArray) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        array<int> u = arange(9).reshape({3, 3}).eval();
        diagonal(u) = u(0, frit::all);  // overlapping: read before
        EXPECT_EQ(u.to_vector(), (ints{0, 1, 2, 3, 1, 5, 6, 7, 2}));
        diagonal(u) += diagonal(u.T());
        EXPECT_EQ(u.to_vector(), (ints{0, 1, 2, 3, 2, 5, 6, 7, 4}));
        diagonal(u, 1) = diagonal(u, -1);
        EXPECT_EQ(u.to_vector(), (ints{0, 3, 2, 3, 2, 7, 6, 7, 4}));
        diagonal(u) = frit::flip(frit::diagonal(u));
        EXPECT_EQ(u.to_vector(), (ints{4, 3, 2, 3, 2, 7, 6, 7, 0}));
        diag(u) = diag(u, 0) - sum(u, 1);
        EXPECT_EQ(u.to_vector(), (ints{-5, 3, 2, 3, -10, 7, 6, 7, -13}));
    });
}

TEST(Diagonals, OfOtherDtypes) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const auto check = [&]<class T>(T) {
            array<T> u = array<T>(frit::cast<T>(frit::zeros<int>({3, 3}))).eval();
            diagonal(u) = frit::cast<T>(array<int>{1, 0, 1});
            EXPECT_EQ(frit::cast<int>(frit::real(u)).to_vector(), (ints{1, 0, 0, 0, 0, 0, 0, 0, 1}))
                << frit::name_of(frit::dtype_of<T>);
        };
        check(bool{});
        check(std::int8_t{});
        check(std::uint64_t{});
        check(frit::half{});
        check(float{});
        check(std::complex<float>{});
        check(std::complex<double>{});
    });
}

TEST(Diagonals, TakeOneKernelAndTheBytesOfTheDiagonal) {
    constexpr std::int64_t n = 300;
    array<float> u = frit::ones<float>({n, n}).eval();
    const array<float> v = arange<float>(n).eval();
    const void* const memory = on_gpu() ? nullptr : u.span().data();
    diagonal(u) = 2.F;
    const frit_test::traffic filled = frit_test::evaluate(u);
    EXPECT_EQ(filled.kernels, 1U);
    EXPECT_EQ(filled.bytes_read, 0U);
    EXPECT_EQ(filled.bytes_written, 4U * n);
    diagonal(u, 1) += v(slice(1, frit::none));
    const frit_test::traffic added = frit_test::evaluate(u);
    EXPECT_EQ(added.kernels, 1U);
    EXPECT_EQ(added.bytes_read, 2 * 4U * (n - 1));
    EXPECT_EQ(added.bytes_written, 4U * (n - 1));
    if (!on_gpu()) {
        EXPECT_EQ(u.span().data(), memory);
    }
    // Where the old value is wanted, or is a formula, the diagonal is a choice of the kernel that writes the whole.
    const array<float> old = u;
    diag(u) = v;
    const frit_test::traffic whole = frit_test::evaluate(u);
    EXPECT_EQ(whole.kernels, 1U);
    EXPECT_EQ(whole.bytes_written, 4U * n * n);
    array<float> w = frit::zeros<float>({n, n});
    diagonal(w) = v;
    EXPECT_KERNELS(1, w);
    EXPECT_EQ(sum(w).item(), static_cast<float>(n * (n - 1) / 2));
    EXPECT_EQ(frit::trace(u).item(), static_cast<float>(n * (n - 1) / 2));
    EXPECT_EQ(frit::trace(old).item(), 2.F * n);
}

TEST(Diagonals, DiagMakesAMatrixOfAVector) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        array<int> v{1, 2};
        EXPECT_EQ(diag(v).to_vector(), (ints{1, 0, 0, 2}));
        EXPECT_EQ(diag(v, 1).to_vector(), (ints{0, 1, 0, 0, 0, 2, 0, 0, 0}));
        EXPECT_EQ(diag(v, -2).to_vector(), (ints{0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0}));
        EXPECT_EQ(diag(v + 1, -1).to_vector(), (ints{0, 0, 0, 2, 0, 0, 0, 3, 0}));
        EXPECT_EQ(diag(frit::zeros<int>({0}), 2).to_vector(), (ints{0, 0, 0, 0}));
        EXPECT_EQ(diag(frit::zeros<int>({0})).shape(), (shape{0, 0}));
        const array<int> m{{1, 2, 3}, {4, 5, 6}};
        EXPECT_EQ(diag(m).to_vector(), (ints{1, 5}));
        EXPECT_EQ(diag(m, 2).to_vector(), (ints{3}));
        EXPECT_EQ(array<int>(diag(diag(v * 3, 1), 1)).to_vector(), (ints{3, 6}));
        EXPECT_EQ(diag(any_array(m), -1).to_vector<int>(), (ints{4}));
        EXPECT_EQ(diag(any_array(v)).to_vector<int>(), (ints{1, 0, 0, 2}));
    });
    const array<float> v = arange<float>(100).eval();
    EXPECT_KERNELS(1, array<float>(diag(v) * 2.F + 1.F));
}

TEST(Diagonals, Mistakes) {
    array<int> u = arange(6).reshape({2, 3}), v{1, 2, 3};
    EXPECT_ERROR((diagonal(u) = array<int>{1, 2, 3}), frit::shape_error, "(3,)", "(2,)", "test_diagonals.cpp");
    EXPECT_ERROR(diagonal(v) = 1, frit::index_error, "diagonal", "(3,)");
    EXPECT_ERROR(diag(v) = 1, frit::shape_error, "diag", "matrix", "(3,)", "test_diagonals.cpp");
    EXPECT_ERROR((void)diag(frit::zeros<int>({2, 2, 2})), frit::shape_error, "diag", "(2, 2, 2)", "test_diagonals.cpp");
    EXPECT_ERROR((void)diag(v + 1, INT64_MAX), frit::shape_error, "diag", "memory", "test_diagonals.cpp");
    EXPECT_ERROR((void)diag(v + 1, INT64_MIN), frit::shape_error, "diag", "memory");
    any_array p = u;
    EXPECT_THROW(diagonal(p) = 1.5, frit::dtype_error);
    EXPECT_EQ(p.to_vector<int>(), (ints{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(u.to_vector(), (ints{0, 1, 2, 3, 4, 5}));
    any_array none;
    EXPECT_THROW(diagonal(none) = 1, frit::error);
}

}  // namespace
