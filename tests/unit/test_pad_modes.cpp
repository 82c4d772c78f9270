// The modes of pad that compute what they put around: NumPy's answers (2.4.6), dtypes, and what the corners have.
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
using frit::array;
using frit::pad_mode;
using frit::shape;
using ints = std::vector<int>;
using doubles = std::vector<double>;

TEST(PadModes, StatisticsOfAnAxis) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<int> k{{7, -2, 4}, {3, 5, 9}};
        const auto padded = [&](pad_mode mode) {
            const array<int> got = frit::pad(k, {{1, 2}, {2, 1}}, mode);
            EXPECT_EQ(got.shape(), (shape{5, 6}));
            EXPECT_EQ(frit::pad(any_array(k), {{1, 2}, {2, 1}}, mode).to_vector<int>(), got.to_vector());
            return got.to_vector();
        };
        EXPECT_EQ(padded(pad_mode::maximum),
                  (ints{9, 9, 7, 5, 9, 9, 7, 7, 7, -2, 4, 7, 9, 9, 3, 5, 9, 9, 9, 9, 7, 5, 9, 9, 9, 9, 7, 5, 9, 9}));
        EXPECT_EQ(padded(pad_mode::minimum), (ints{-2, -2, 3, -2, 4,  -2, -2, -2, 7,  -2, 4,  -2, 3,  3, 3,
                                                   5,  9,  3, -2, -2, 3,  -2, 4,  -2, -2, -2, 3,  -2, 4, -2}));
        EXPECT_EQ(padded(pad_mode::mean),
                  (ints{4, 4, 5, 2, 6, 4, 3, 3, 7, -2, 4, 3, 6, 6, 3, 5, 9, 6, 4, 4, 5, 2, 6, 4, 4, 4, 5, 2, 6, 4}));
        EXPECT_EQ(padded(pad_mode::median),
                  (ints{5, 5, 5, 2, 6, 5, 4, 4, 7, -2, 4, 4, 5, 5, 3, 5, 9, 5, 5, 5, 5, 2, 6, 5, 5, 5, 5, 2, 6, 5}));
        const array<double> v{1.5, -4.0, 2.25};
        EXPECT_EQ(frit::pad(v, {{2, 1}}, pad_mode::maximum).to_vector(), (doubles{2.25, 2.25, 1.5, -4.0, 2.25, 2.25}));
        EXPECT_EQ(frit::pad(v, {{2, 1}}, pad_mode::minimum).to_vector(), (doubles{-4.0, -4.0, 1.5, -4.0, 2.25, -4.0}));
        EXPECT_EQ(frit::pad(v, {{2, 1}}, pad_mode::median).to_vector(), (doubles{1.5, 1.5, 1.5, -4.0, 2.25, 1.5}));
        EXPECT_DOUBLE_EQ(frit::pad(v, {{2, 1}}, pad_mode::mean).to_vector()[0], -0.25 / 3);
        EXPECT_EQ(frit::pad(array<bool>{true, false, false}, {{1, 1}}, pad_mode::mean).to_vector(),
                  (std::vector<bool>{true, true, false, false, true}));
        EXPECT_EQ(frit::pad(array<double>{{2.}}, {{0, 0}, {1, 1}}, pad_mode::mean).to_vector(), (doubles{2, 2, 2}));
        EXPECT_EQ(frit::pad(v * 2, {{0, 0}}, pad_mode::mean).to_vector(), (doubles{3, -8, 4.5}));
    });
}

TEST(PadModes, RampsEndAtAValue) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<int> k{{7, -2, 4}, {3, 5, 9}};
        EXPECT_EQ(frit::pad(k, {{1, 2}, {2, 3}}, pad_mode::linear_ramp, -5).to_vector(),
                  (ints{-5, -5, -5, -5, -5, -5, -5, -5, -5, 1,  7,  -2, 4,  1,  -2, -5, -5, -1, 3,  5,
                        9,  4,  -1, -5, -5, -3, -1, 0,  2,  -1, -3, -5, -5, -5, -5, -5, -5, -5, -5, -5}));
        const doubles ramp = frit::pad(array<double>{1.5, -4.0, 2.25}, {{3, 4}}, pad_mode::linear_ramp, 10).to_vector();
        const doubles want{10.0, 7.166666666666666, 4.333333333333333, 1.5, -4.0, 2.25, 4.1875, 6.125, 8.0625, 10.0};
        for (std::size_t i = 0; i < want.size(); ++i) EXPECT_DOUBLE_EQ(ramp[i], want[i]) << i;
        EXPECT_EQ(frit::pad(array<std::uint8_t>{200, 100}, {{3, 3}}, pad_mode::linear_ramp, 7).to_vector(),
                  (std::vector<std::uint8_t>{7, 71, 135, 200, 100, 69, 38, 7}));
        using complex = std::complex<double>;
        EXPECT_EQ(frit::pad(array<complex>{complex(1, 2), complex(4, -4)}, {{2, 2}}, pad_mode::linear_ramp).to_vector(),
                  (std::vector<complex>{{0, 0}, {0.5, 1}, {1, 2}, {4, -4}, {2, -2}, {0, 0}}));
        const array<frit::half> h{frit::half(1.F), frit::half(3.F)};
        EXPECT_EQ(array<float>(frit::cast<float>(frit::pad(h, {{3, 0}}, pad_mode::linear_ramp))).to_vector(),
                  (std::vector<float>{0, 0.333251953125F, 0.66650390625F, 1, 3}));
    });
}

TEST(PadModes, EmptyIsZeros) {
    EXPECT_EQ(frit::pad(array<int>{1, 2}, {{1, 1}}, pad_mode::empty, 9).to_vector(), (ints{0, 1, 2, 0}));
    EXPECT_EQ(frit::pad(frit::zeros<int>({0}), {{1, 1}}, pad_mode::empty).to_vector(), (ints{0, 0}));
}

// Formulas: what makes x and what reads the result fuse with them.
TEST(PadModes, AreFormulas) {
    const array<float> x = frit::sin(frit::arange<float>(100)).eval();
    EXPECT_KERNELS(1, array<float>(frit::pad(x, {{3, 3}}, pad_mode::linear_ramp) * 2.F));
    EXPECT_KERNELS(2, array<float>(frit::pad(x, {{3, 3}}, pad_mode::maximum) * 2.F));
}

TEST(PadModes, Mistakes) {
    const array<int> none = frit::zeros<int>({0, 3});
    for (const pad_mode mode :
         {pad_mode::linear_ramp, pad_mode::maximum, pad_mode::mean, pad_mode::median, pad_mode::minimum})
        EXPECT_ERROR((void)frit::pad(none, {{1, 1}, {0, 0}}, mode), frit::shape_error, "pad", "axis 0", "(0, 3)");
    EXPECT_ERROR((void)frit::pad(array<int>{1}, {{-1, 1}}, pad_mode::mean), frit::shape_error, "pad", "negative");
    EXPECT_ERROR((void)frit::pad(array<int>{1}, {{1, 1}, {1, 1}}, pad_mode::mean), frit::shape_error, "pad", "2 pairs");
}

}  // namespace
