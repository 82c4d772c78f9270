// An index out of range costs the caller nothing but the error: which it names, in whatever place it stands; and what else
// the same evaluation had completed by then is there. Indices of arrays without elements are no mistake.
#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "frit/frit.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"
#include "tests/support/libraries.hpp"

namespace {

using frit::any_array;
using frit::arange;
using frit::array;
using frit::shape;
using frit::slice;
using ints = std::vector<int>;

// The update of x is written in place, into memory of which nothing else is left, before the index is found to be wrong.
TEST(IndexErrors, WhatWasCompletedBeforeIsStored) {
    if (frit::default_device() != frit::device::cpu())
        GTEST_SKIP() << "a GPU's kernels have run on by the time the host hears of it";
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<int> bad{0, 7};
        array<int> x = frit::zeros<int>({7}).eval();
        x(slice(2, 4)) = 5;
        const array<int> y = scatter_max(x, bad, 1, 0), z = take(x, bad, 0) + 1;
        EXPECT_THROW(y.eval(), frit::index_error);
        EXPECT_EQ(x.to_vector(), (ints{0, 0, 5, 5, 0, 0, 0}));
        EXPECT_THROW(z.eval(), frit::index_error);
        EXPECT_EQ(array<int>(x + 1).to_vector(), (ints{1, 1, 6, 6, 1, 1, 1}));

        array<int> u = frit::zeros<int>({7}).eval();
        u(array<int>{1, 1, 6}) += 2;  // beside the one that fails, in one plan
        const array<std::int64_t> sums = cumsum(u, 0);
        EXPECT_THROW(frit::eval(u, sums, array<std::int64_t>(sums(bad))), frit::index_error);
        EXPECT_EQ(u.to_vector(), (ints{0, 4, 0, 0, 0, 0, 2}));
        EXPECT_EQ(sums.to_vector(), (std::vector<std::int64_t>{0, 4, 4, 4, 4, 4, 6}));
    });
}

// Statements of one structure have one plan, whichever line made it.
TEST(IndexErrors, NameTheLineThatIsWrong) {
    const array<double> x{1, 2, 3};
    frit_test::everywhere([&](const std::string& where) {
        SCOPED_TRACE(where);
        array<double> right = sum(x(array<int>{0, 1}));
        EXPECT_EQ(right.item(), 3);
        const int line = __LINE__ + 1;
        array<double> wrong = sum(x(array<int>{0, 7}));
        EXPECT_ERROR(wrong.item(), frit::index_error, "test_index_errors.cpp:" + std::to_string(line) + "]");
        array<double> u = x, w = x;
        u(array<int>{0, 1}) += 1;
        u.eval();
        w(array<int>{0, 9}) += 1;
        EXPECT_ERROR(w.to_vector(), frit::index_error, "test_index_errors.cpp:" + std::to_string(line + 5) + "]");
    });
}

// An index that is one number for all elements is computed before them: but not where there are none,
TEST(IndexErrors, OneIndexForNoElements) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<float> none = frit::zeros<float>({3, 0}).eval();
        const array<float> picked = compress(frit::zeros<bool>({0}), none, 1);
        EXPECT_EQ(array<float>(var(picked, {0, 1}, frit::keepdims) + none).size(), 0);
        EXPECT_EQ(array<float>(sum(none(frit::all, frit::full<std::int64_t>({0}, 5)), 1)).to_vector(),
                  (std::vector<float>(3)));

        const array<std::int64_t> one = frit::full<std::int64_t>({0}, 0);  // computed with what is computed once for a row
        const array<float> empty = frit::zeros<float>({0}).eval(), total = prod(empty, 0, frit::keepdims);
        EXPECT_EQ(array<float>(total + empty(one)).size(), 0);
        array<float> u = frit::ones<float>({2}).eval();
        u(one) += total + empty(one);
        EXPECT_EQ(u.to_vector(), std::vector<float>(2, 1.F));
        const array<std::complex<float>> c = frit::zeros<std::complex<float>>({0}).eval();
        EXPECT_EQ(array<std::complex<float>>(prod(c, 0, frit::keepdims) + c(one)).size(), 0);
        const array<frit::half> h = frit::zeros<frit::half>({0}).eval();
        EXPECT_EQ(array<frit::half>(prod(h, 0, frit::keepdims) + h(one)).size(), 0);
    });
}

// nor where a plan that overwrites an input reserves what it needs, whose other memory is not there yet.
TEST(IndexErrors, OneIndexForAllElements) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        array<float> u = frit::ones<float>({50, 3}).eval();
        const array<float> x = frit::arange<float>(7).eval();
        const array<std::int64_t> at = frit::full<std::int64_t>({7, 3}, 4);
        u(slice(0, 1)) = 5.F;
        const array<float> sums = cumsum(x, 0), y = sums.reshape({7, 1}) * x(slice(0, 3)) + sums(at);
        frit::eval(u, y);
        EXPECT_EQ(u(0, 0).item(), 5);
        EXPECT_EQ(y(6, 2).item(), 21 * 2 + 10);
    });
}

/// A statement, where it stands, and what it computes.
struct place {
    std::function<any_array(const array<double>& x, const array<std::int64_t>& i)> make;
    int line;
    const char* formula;
    std::int64_t extent;
    std::size_t indices;
};
#define FRIT_AT(statement, formula, extent, indices)                                                          \
    {                                                                                                         \
        [](const auto& x, const auto& i) { return any_array(statement); }, __LINE__, formula, extent, indices \
    }

const std::vector<place>& places() {
    static const std::vector<place> all = {FRIT_AT(x(i) + 1, "x0[((index(", 9, 100),
                                           FRIT_AT(sum(x(i)), "sum(x0", 9, 100),
                                           FRIT_AT(sum(x(frit::all, i), 0), "sum(x0", 7, 100),
                                           FRIT_AT(take_along_axis(x, i.reshape({1, -1}), 0) * 2, " * ", 9, 7),
                                           FRIT_AT(frit::where(x(i) > 0, x(i), 0.0), "where(", 9, 100),
                                           FRIT_AT(softmax(x(i), -1), "max(x0", 9, 100),
                                           FRIT_AT(concatenate(0, x(i), x), "where(", 9, 100),
                                           FRIT_AT(cumsum(x(i), 0), "x0", 9, 100),
                                           FRIT_AT(matmul(x(i), x.T()), "x0", 9, 100),
                                           FRIT_AT(scatter_add(x, i, 1, 0), "index(", 9, 100),
                                           FRIT_AT(put_along_axis(x, i.reshape({1, -1}), 1, 0), "index", 9, 7),
                                           FRIT_AT(segment_sum(x, i, 9, 1), "index", 9, 7)};
    return all;
}
#undef FRIT_AT

TEST(IndexErrors, InEachOfAHundredPlaces) {
    FRIT_SKIP_WITHOUT(matmul);
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<double> x = arange<double>(63).reshape({9, 7}).eval();
        for (std::size_t k = 0; k < 100; ++k) {
            const place& p = places()[k % places().size()];
            std::vector<std::int64_t> at(p.indices, 3);
            const std::int64_t wrong = k % 2 == 0 ? p.extent + static_cast<std::int64_t>(k) : -p.extent - 1;
            at[k % at.size()] = wrong;
            try {
                p.make(x, frit::from_host(at)).eval();
                if (frit::default_device() != frit::device::cpu()) frit::synchronize();
                ADD_FAILURE() << "no error of " << p.formula;
            } catch (const frit::index_error& e) {
                const std::string text = e.what(), formula = where == "without fusion" ? "index(" : p.formula;
                for (const std::string& part : {"index " + std::to_string(wrong) + " ", "extent " + std::to_string(p.extent),
                                                formula, "test_index_errors.cpp:" + std::to_string(p.line) + "]"})
                    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
            }
            at[k % at.size()] = 0;  // and the process goes on
            EXPECT_NO_THROW(p.make(x, frit::from_host(at)).eval());
            EXPECT_EQ(array<double>(sum(x)).item(), 31 * 63);
        }
    });
}

template <class I>
void expect_no_elements(I) {
    SCOPED_TRACE(std::string(name_of(frit::dtype_of<I>)));
    const array<I> none = frit::zeros<I>({0}), empty = frit::zeros<I>({0, 3}), column = frit::zeros<I>({3, 0});
    array<float> x = frit::zeros<float>({0}), m = frit::zeros<float>({0, 3}), full = frit::ones<float>({2, 3});
    EXPECT_EQ(x(none).to_vector(), std::vector<float>());
    EXPECT_EQ(array<float>(m(none) + 1).shape(), (shape{0, 3}));
    EXPECT_EQ(array<float>(m(none, none)).shape(), (shape{0}));
    EXPECT_EQ(array<float>(m(slice(0, 0), none)).eval().shape(), (shape{0, 0}));
    EXPECT_EQ(array<float>(full(empty)).eval().shape(), (shape{0, 3, 3}));
    EXPECT_EQ(array<float>(full(frit::all, column)).eval().shape(), (shape{2, 3, 0}));
    for (const auto mode : {frit::bounds::raise, frit::bounds::clip, frit::bounds::wrap}) {
        EXPECT_EQ(array<float>(take(x, none, 0, mode)).eval().size(), 0);
        EXPECT_EQ(array<float>(take(full, none, 1, mode)).eval().shape(), (shape{2, 0}));
        EXPECT_EQ(array<float>(take_along_axis(m, empty, 0, mode)).eval().shape(), (shape{0, 3}));
    }
    EXPECT_EQ(array<float>(sum(x(none))).item(), 0);
    EXPECT_EQ(array<float>(sum(full(none), 0)).to_vector(), std::vector<float>(3));
    x(none) = 1;
    x(none) += x;
    m(none) *= 2;
    full(none) /= 3;
    full(frit::all, none) -= 1;
    EXPECT_EQ(array<float>(sum(full)).item(), 6);
    EXPECT_EQ(x.eval().size() + m.eval().size(), 0);
    EXPECT_EQ(scatter_add(full, none, 1, 0).to_vector(), std::vector<float>(6, 1.F));
    EXPECT_EQ(scatter_max(x, none, 1, 0).to_vector(), std::vector<float>());
    EXPECT_EQ(put_along_axis(full, frit::zeros<I>({0, 3}), 5, 0).to_vector(), std::vector<float>(6, 1.F));
    EXPECT_EQ(segment_sum(x, none, 2).to_vector(), std::vector<float>(2));
    EXPECT_EQ(segment_max(m, none, 0).eval().shape(), (shape{0, 3}));
    EXPECT_EQ(segment_mean(x, none, 0).to_vector(), std::vector<float>());
    EXPECT_EQ(bincount(none).to_vector(), std::vector<std::int64_t>());
    EXPECT_EQ(bincount(none, x, 2).to_vector(), std::vector<float>(2));
    EXPECT_EQ(repeat(x, none, 0).to_vector(), std::vector<float>());
    EXPECT_EQ(cumsum(x(none), 0).to_vector(), std::vector<float>());
    EXPECT_THROW((void)x(frit::zeros<I>({1})), frit::index_error);
}

TEST(IndexErrors, NoneOfArraysWithoutElements) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        expect_no_elements(std::int8_t());
        expect_no_elements(std::int16_t());
        expect_no_elements(std::int32_t());
        expect_no_elements(std::int64_t());
        expect_no_elements(std::uint8_t());
        expect_no_elements(std::uint16_t());
        expect_no_elements(std::uint32_t());
        expect_no_elements(std::uint64_t());
    });
}

// int64 does not hold them, and what it makes of them is an index that the axis has.
TEST(IndexErrors, IndicesBeyondInt64) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<int> x{1, 2, 3};
        const array<std::uint64_t> i{UINT64_MAX, UINT64_MAX - 1, std::uint64_t{1} << 63, 1};
        EXPECT_THROW((void)x(i).to_vector(), frit::index_error);
        EXPECT_THROW((void)scatter_add(x, i, 1, 0).to_vector(), frit::index_error);
        EXPECT_EQ(take(x, i, 0, frit::bounds::clip).to_vector(), (ints{3, 3, 3, 2}));
        EXPECT_EQ(take(x, i, 0, frit::bounds::wrap).to_vector(), (ints{1, 3, 3, 2}));
        EXPECT_EQ(take_along_axis(x, i, 0, frit::bounds::wrap).to_vector(), (ints{1, 3, 3, 2}));
        EXPECT_EQ(x(array<std::uint64_t>{2, 0}).to_vector(), (ints{3, 1}));
        try {
            (void)bincount(i);
            ADD_FAILURE() << "no error";
        } catch (const frit::index_error& e) {
            EXPECT_NE(std::string(e.what()).find("without a bin"), std::string::npos) << e.what();
        }
        EXPECT_EQ(bincount(array<std::uint64_t>{2, 0}).to_vector(), (std::vector<std::int64_t>{1, 0, 1}));
    });
}

}  // namespace
