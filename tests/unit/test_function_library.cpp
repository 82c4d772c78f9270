// What texts call: functions and constants of C's headers, compared with the host's, and functions of text by their names.
// And what texts and calls are refused for, by the words of the error.
#include <gtest/gtest.h>

#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "frit/frit.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"

namespace {
using frit::array;
using frit_test::everywhere;

template <class T>
bool same(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
        return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
    else
        return a == b;
}
template <class R, class T, class F>
void expect_same(const char* text, const std::vector<T>& x, F reference) {
    const frit::function<R(T)> f("library_test", text);
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const std::vector<R> all = array<R>(f(frit::from_host(x))).to_vector();
        for (std::size_t k = 0; k < x.size(); ++k) {
            const R got = all[k], want = reference(x[k]);
            EXPECT_TRUE(same<R>(got, want)) << text << " of " << x[k] << ": got " << got << ", want " << want;
        }
    });
}
template <class T>
std::vector<T> numbers() {
    using limits = std::numeric_limits<T>;
    std::vector<T> x{T(0),
                     T(1),
                     T(-1.5),
                     limits::min(),
                     limits::denorm_min(),
                     limits::max(),
                     limits::min() / 2,
                     limits::infinity(),
                     -limits::infinity(),
                     limits::quiet_NaN(),
                     T(0.1),
                     T(-3e30)};
    return x;
}

TEST(FunctionLibrary, PowersOfTwo) {
    for (const int n : {0, 1, -1, 7, -53, 1023, 1024, -1022, -1023, -1074, -1100, 2046, 2099, -2098, 100000, INT_MIN}) {
        const std::string text = "(x0, " + std::to_string(n) + " - 1 + 1);";
        expect_same<double>(("return ldexp" + text).c_str(), numbers<double>(), [n](double x) { return std::ldexp(x, n); });
        expect_same<float>(("return ldexpf" + text).c_str(), numbers<float>(), [n](float x) { return std::ldexp(x, n); });
    }
    // Rounded once, to even: 3 and 5 halves of the least number.
    expect_same<double>("return scalbn(x0, -1075);", std::vector<double>{3, 5, 0x1.8p53, 0x1.0000000000001p0},
                        [](double x) { return std::scalbn(x, -1075); });
    expect_same<float>("return scalbn(x0, 3);", numbers<float>(), [](float x) { return std::scalbn(x, 3); });
}

TEST(FunctionLibrary, OfWholeResults) {
    expect_same<int>("return ilogb(x0);", numbers<double>(), [](double x) { return std::ilogb(x); });
    expect_same<int>("return ilogbf(x0);", numbers<float>(), [](float x) { return std::ilogb(x); });
    const std::vector<double> x{-2.5, -0.5, 0.5, 1.5, 2.5, 1e15 + 0.5, -7.49};
    expect_same<long>("return lround(x0);", x, [](double v) { return std::lround(v); });
    expect_same<long>("return llround(x0);", x, [](double v) { return std::lround(v); });
    expect_same<long>("return lrint(x0);", x, [](double v) { return std::lrint(v); });
    expect_same<long>("return llrint(x0);", x, [](double v) { return std::lrint(v); });
    expect_same<long>("return labs(x0);", std::vector<long>{-5, 7, LONG_MIN + 1}, [](long v) { return std::labs(v); });
    EXPECT_EQ(array<int>(frit::function<int(float)>("whole", "return lround(x0) % 3 << 1;")(array<float>{7.6F})).item(), 4);
}

TEST(FunctionLibrary, Comparisons) {
    expect_same<bool>("return isnormal(x0);", numbers<double>(), [](double x) { return std::isnormal(x); });
    expect_same<bool>("return isnormal(x0);", numbers<float>(), [](float x) { return std::isnormal(x); });
    expect_same<bool>("return isless(x0, 1);", numbers<double>(), [](double x) { return std::isless(x, 1); });
    expect_same<bool>("return islessequal(x0, 1);", numbers<double>(), [](double x) { return std::islessequal(x, 1); });
    expect_same<bool>("return isgreater(1, x0);", numbers<double>(), [](double x) { return std::isgreater(1, x); });
    expect_same<bool>("return isgreaterequal(x0, 1);", numbers<float>(),
                      [](float x) { return std::isgreaterequal(x, 1.0F); });
    expect_same<bool>("return isunordered(1, x0);", numbers<double>(), [](double x) { return std::isunordered(1, x); });
    expect_same<bool>("return islessgreater(x0, 1);", numbers<double>(), [](double x) { return std::islessgreater(x, 1); });
}

TEST(FunctionLibrary, ConstantsAndTypes) {
    const auto value = [](const std::string& text) {
        return array<double>(frit::function<double(int)>("constant", "return " + text + ";")(array<int>{0})).item();
    };
    EXPECT_EQ(value("M_E"), M_E);
    EXPECT_EQ(value("M_SQRT1_2 + M_1_PI"), M_SQRT1_2 + M_1_PI);
    EXPECT_EQ(value("INT_MAX"), INT_MAX);
    EXPECT_EQ(value("INT_MIN"), INT_MIN);
    EXPECT_EQ(value("UINT_MAX + 1"), 0) << "it is unsigned";
    EXPECT_EQ(value("UINT8_MAX + 1"), 256) << "it is an int";
    EXPECT_EQ(value("INT64_MIN / 2 + (x0 == 0)"), static_cast<double>(INT64_MIN / 2 + 1));
    EXPECT_EQ(value("FLT_MAX"), FLT_MAX);
    EXPECT_EQ(value("DBL_EPSILON"), DBL_EPSILON);
    EXPECT_EQ(value("HUGE_VAL"), HUGE_VAL);
    EXPECT_EQ(value("1e-400 + 0x1p-2000 + 1e-60f + .00e-999"), 0);
    EXPECT_EQ(value("(_Bool)3 + (ptrdiff_t)-4"), -3);
    const frit::function<int(int)> comma("comma", "int i, j; for (i = 0, j = 10; i < j; ++i, j--) x0 += j; return x0;");
    EXPECT_EQ(array<int>(comma(array<int>{1})).item(), 1 + 10 + 9 + 8 + 7 + 6);
}

TEST(FunctionLibrary, CallsByParameters) {
    const frit::function<float(float)> single("by_type", "return 2 * x0;");
    const frit::function<int(int)> whole("by_type", "return x0 + 100;");
    const frit::function<float(float, float)> two("by_type", "return x0 - x1;");
    const auto value = [](const std::string& text) {
        return array<double>(frit::function<double(float)>("asks", text)(array<float>{1.5F})).item();
    };
    EXPECT_EQ(value("return by_type(x0);"), 3);
    EXPECT_EQ(value("return by_type((int)x0);"), 101);
    EXPECT_EQ(value("return by_type(x0, 1);"), 0.5);
    EXPECT_ERROR((void)value("return by_type(1.0 * x0);"), frit::compile_error, "function asks, line 1, column 8",
                 "more than one function by_type");
    const frit::function<float(float)> again("by_type", "return 3 * x0;");
    EXPECT_EQ(value("return by_type(x0);"), 4.5) << "the last of these parameters";
}

std::string refusal(const std::string& text, const std::string& name = "f") {
    try {
        frit::function<double(double)>(name, text);
    } catch (const frit::compile_error& e) {
        const std::string all = e.what();
        return all.substr(0, all.rfind(" ["));
    }
    return "no error";
}
TEST(FunctionLibrary, Refusals) {
    const frit::function<double(double)> older("fac", "return 1;");
    EXPECT_EQ(refusal("return x0 < 2 ? 1 :\n x0 * fac(x0 - 1);", "fac"),
              "function fac, line 2, column 7: fac calls itself: the subset has no recursion");
    EXPECT_EQ(refusal("return x0;", "ldexp"), "function ldexp: the subset has a function of this name");
    EXPECT_EQ(refusal("return ldexp(x0);"), "function f, line 1, column 8: ldexp takes 2 values, not 1");
    EXPECT_EQ(refusal("return ilogb(I);"), "function f, line 1, column 8: ilogb takes no complex numbers");
    EXPECT_EQ(refusal("return 1e400;"), "function f, line 1, column 8: a number out of range: 1e400");
    EXPECT_EQ(refusal("return x0 \u00e4 1;"),
              "function f, line 1, column 11: a character that the subset has not: '\u00e4'");
    EXPECT_EQ(refusal("return x0 \xe4 1;"), "function f, line 1, column 11: a character that the subset has not: '\\xe4'");
    EXPECT_EQ(refusal(std::string("return\0x0;", 10)),
              "function f, line 1, column 7: a character that the subset has not: '\\x00'");
    EXPECT_EQ(refusal("return x0;", std::string("a\0b", 3)), "function a\\x00b: not a name");
}

TEST(FunctionLibrary, CallsNameTheFunction) {
    const frit::function<std::uint8_t(std::uint8_t, std::uint8_t)> f("narrow", "return x0 / x1;");
    const array<std::uint8_t> two{1, 2}, three{1, 2, 3};
    EXPECT_ERROR((void)f(two, three), frit::shape_error, "narrow: ", "(2,)", "(3,)", "test_function_library.cpp");
    EXPECT_ERROR((void)array<int>(f(two, 300)).to_vector(), frit::dtype_error, "narrow: ", "300", "uint8");
    EXPECT_ERROR((void)array<int>(f(two, 1.5)).to_vector(), frit::dtype_error, "narrow: ", "uint8");
    const frit::function<int(int)> endless("endless", "while (x0 != 5) x0 = x0 < 0 ? x0 : x0 + 1; return x0;");
    frit::set_loop_limit(100);
    EXPECT_ERROR((void)array<int>(endless(array<int>{-1})).to_vector(), frit::index_error,
                 "endless: a loop has not ended after 100 rounds");
    const auto in_a_step = [&](const auto& v) { return endless(v); };
    EXPECT_ERROR((void)array<int>(frit::iterate(2, array<int>{-1}, in_a_step)).to_vector(), frit::index_error,
                 "endless: a loop has not ended after 100 rounds");
    frit::set_loop_limit(0);
}

}  // namespace
