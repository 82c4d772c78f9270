// isclose and allclose: NumPy's formula with its edges.
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include <frit/frit.hpp>

namespace {
using frit::array;
constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

TEST(Compare, IsCloseAsNumPy) {
    const array<double> a{1.0, 1.0, 1e-9, inf, inf, nan, 1.0, -inf};
    const array<double> b{1.0 + 9e-6, 1.0 + 2e-5, 0.0, inf, -inf, nan, inf, 5.0};
    EXPECT_EQ(frit::isclose(a, b).to_vector(), (std::vector<bool>{true, false, true, true, false, false, false, false}));
    EXPECT_EQ(frit::isclose(a, b, 1e-4).to_vector(),
              (std::vector<bool>{true, true, true, true, false, false, false, false}));
    EXPECT_EQ(frit::isclose(a, inf).to_vector(), (std::vector<bool>{false, false, false, true, true, false, false, false}));
    EXPECT_EQ(frit::isclose(2.0, array<double>{2.0, 3.0}).to_vector(), (std::vector<bool>{true, false}));
}

TEST(Compare, AllCloseBroadcastsAndTakesIntegers) {
    EXPECT_TRUE(frit::allclose(array<int>{100000, 200000}, array<int>{100001, 200001}));
    EXPECT_FALSE(frit::allclose(array<int>{1, 2}, array<int>{1, 3}));
    EXPECT_TRUE(frit::allclose(array<unsigned char>{1, 2}, array<unsigned char>{2, 1}, 0, 1));  // no difference wraps
    EXPECT_TRUE(frit::allclose(frit::ones<float>({3, 4}), 1.0));
    EXPECT_TRUE(frit::allclose(frit::ones<float>({3, 4}), frit::ones<float>({4})));
    EXPECT_THROW((void)frit::allclose(array<float>{1, 2}, array<float>{1, 2, 3}), frit::shape_error);
}

}  // namespace
