// Functions of a program's own: of lambdas and of text. Against the same function in C++, on every engine, and nonsense.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "frit/frit.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"

namespace {
using frit::array, frit::any_array, frit::dtype;
using frit_test::everywhere;

template <class T>
std::vector<T> range(std::int64_t n, double lo, double hi) {
    std::vector<T> v;
    for (std::int64_t k = 0; k < n; ++k)
        v.push_back(static_cast<T>(lo + (hi - lo) * static_cast<double>(k) / static_cast<double>(n - 1)));
    return v;
}
/// f(x) on every engine is what `reference` says, to `eps`.
template <class R, class T, class F, class G>
void expect_like(const F& f, const std::vector<T>& x, G reference, double eps) {
    const array<T> in = frit::from_host(x);
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const std::vector<R> got = array<R>(f(in)).to_vector();
        for (std::size_t k = 0; k < x.size(); ++k) {
            const double want = static_cast<double>(reference(x[k])), is = static_cast<double>(got[k]);
            ASSERT_TRUE(std::abs(is - want) <= eps * std::abs(want) || (std::isnan(is) && std::isnan(want)))
                << "at " << static_cast<double>(x[k]) << ": got " << is << ", want " << want;
        }
    });
}

TEST(Function, Huber) {
    const frit::function<float(float)> huber("huber", "float a = fabsf(x0); return a < 1 ? .5f*a*a : a - .5f;");
    expect_like<float>(
        huber, range<float>(1001, -4, 4), [](float x) { return std::abs(x) < 1 ? 0.5F * x * x : std::abs(x) - 0.5F; }, 1e-6);
    const array<float> a = frit::from_host(range<float>(500, -2, 2)), b = frit::from_host(range<float>(500, 0, 3));
    EXPECT_KERNELS(1, sum(huber(a - b) * 2.0F));
    EXPECT_KERNELS(1, huber(a * b));
}

// One function as a lambda, as text and as a formula: the same bits.
TEST(Function, LambdaTextAndFormula) {
    const frit::function lambda([](const auto& a, const auto& b) { return a * a + b / (1.0 + abs(b)); });
    const frit::function<double(double, double)> text("mix", "return x0 * x0 + x1 / (1.0 + fabs(x1));");
    const array<double> a = frit::from_host(range<double>(777, -2, 9)), b = frit::from_host(range<double>(777, -5, 5));
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const std::vector<double> formula = array<double>(a * a + b / (1.0 + abs(b))).to_vector();
        EXPECT_EQ(array<double>(lambda(a, b)).to_vector(), formula);
        EXPECT_EQ(array<double>(text(a, b)).to_vector(), formula);
        EXPECT_EQ(array<double>(text(any_array(a), b)).to_vector(), formula);
        EXPECT_EQ(array<double>(text(a, 2)).to_vector(),
                  array<double>(a * a + 2.0 / (1.0 + abs(frit::scalar(2.0)))).to_vector());
    });
    const frit::function both([](const auto& x) { return std::tuple(sin(x), x + 1.0); });
    const auto [s, t] = both(a);
    EXPECT_KERNELS(1, s, t);
    EXPECT_EQ(array<double>(t).to_vector()[0], -1);
}

TEST(Function, ControlFlow) {
    const frit::function<int(int)> classes("classes", R"(
        int r = 0;                       // C's comments
        if (x0 < 0) {
            if (x0 % 2 == 0) return -2;  /* of both kinds */
            r = -1;
        } else if (x0 > 50)
            r = 7;
        else {
            int r = 3;                   // another r
            r += x0;
            x0 = r;
        }
        r += x0 & 3;
        return r;
    )");
    expect_like<int>(
        classes, range<int>(201, -100, 100),
        [](int x) {
            int r = 0;
            if (x < 0) {
                if (x % 2 == 0) return -2;
                r = -1;
            } else if (x > 50) {
                r = 7;
            } else {
                x += 3;
            }
            return r + (x & 3);
        },
        0);
}

int collatz(std::int64_t x) {
    int n = 0;
    for (; x > 1; ++n) x = x % 2 ? 3 * x + 1 : x / 2;
    return n;
}
TEST(Function, Loops) {
    const frit::function<int(std::int64_t)> by_while("by_while", R"(
        int n = 0;
        while (x0 > 1) { x0 = x0 % 2 ? 3 * x0 + 1 : x0 / 2; ++n; }
        return n;)");
    const frit::function<int(std::int64_t)> by_for(
        "by_for", "for (int n = 0; ; n++) { if (x0 <= 1) return n; if (x0 % 2) { x0 = 3 * x0 + 1; continue; } x0 /= 2; }");
    const frit::function<int(std::int64_t)> by_do("by_do", R"(
        int n = -1;
        do { ++n; if (x0 <= 1) break; x0 = x0 & 1 ? 3 * x0 + 1 : x0 >> 1; } while (true);
        return n;)");
    const std::vector<std::int64_t> x = range<std::int64_t>(300, 1, 300);
    for (const auto* f : {&by_while, &by_for, &by_do}) expect_like<int>(*f, x, collatz, 0);
    EXPECT_KERNELS(1, sum(by_while(frit::from_host(x))));
    // only some elements come to the loop, and some go on behind it
    const frit::function<double(double)> some("some", R"(
        double s = 0;
        if (x0 > 0) {
            for (int k = 1; k <= 20; ++k) {
                if (k % 3 == 0) continue;
                s += x0 / k;
                if (s > 5) break;
                if (s > 4.5) return -s;
            }
            s *= 2;
        }
        return s + 1;)");
    expect_like<double>(
        some, range<double>(101, -3, 3),
        [](double v) {
            double s = 0;
            if (v > 0) {
                for (int k = 1; k <= 20; ++k) {
                    if (k % 3 == 0) continue;
                    s += v / k;
                    if (s > 5) break;
                    if (s > 4.5) return -s;
                }
                s *= 2;
            }
            return s + 1;
        },
        1e-14);
}

TEST(Function, LoopsInLoops) {
    const frit::function<int(int)> primes("primes_below", R"(
        int count = 0;
        for (int n = 2; n < x0; ++n) {
            bool prime = true;
            for (int d = 2; d * d <= n; ++d)
                if (n % d == 0) { prime = false; break; }
            if (!prime) continue;
            ++count;
        }
        return count;)");
    expect_like<int>(
        primes, range<int>(60, 0, 59),
        [](int x) {
            int count = 0;
            for (int n = 2; n < x; ++n) {
                bool prime = true;
                for (int d = 2; d * d <= n; ++d)
                    if (n % d == 0) {
                        prime = false;
                        break;
                    }
                count += prime;
            }
            return count;
        },
        0);
    EXPECT_KERNELS(1, primes(frit::from_host(range<int>(60, 0, 59))));
}

// Each loop is looked at once, whatever the number of its states and of the loops around it.
TEST(Function, ManyLoopsInLoops) {
    std::string text = "int a = 0, b = 1, c = 2, d = x0; ", ends;
    int a = 0, b = 1, c = 2, d = 3;
    for (int k = 0; k < 12; ++k) {
        const std::string i = "i" + std::to_string(k);
        text += "for (int " + i + " = 0; " + i + " < 1; ++" + i + ") { a += b; b ^= c; c -= d; ++d; ";
        ends += "}";
        a += b, b ^= c, c -= d, ++d;
    }
    const frit::function<int(int)> f("in_loops", text + ends + " return a + b + c + d;");
    EXPECT_EQ(array<int>(f(array<int>{3, 4})).to_vector()[0], a + b + c + d);
}
// Functions that call each other twice are as long as what they call.
TEST(Function, CallsAreBounded) {
    frit::function<int(int)> f("doubled_0", "return x0 + 1;");
    std::string what;
    int deep = 0;
    try {
        for (; deep < 64; ++deep) {
            const std::string of = "doubled_" + std::to_string(deep);
            f = frit::function<int(int)>("doubled_" + std::to_string(deep + 1), "return " + of + "(" + of + "(x0));");
        }
    } catch (const frit::compile_error& e) {
        what = e.what();
    }
    EXPECT_EQ(deep, 12);
    EXPECT_NE(what.find("more than 100,000 words, with the functions that it calls"), std::string::npos) << what;
    EXPECT_EQ(array<int>(f(array<int>{7})).item(), 7 + 4096);
}

TEST(Function, NumbersOfNarrowTypesKeepTheirSign) {
    const frit::function<std::int64_t(std::uint32_t)> f(
        "narrow", "return ((int8_t)65535u > x0) + 2 * ((short)40000 < 0) + 4 * ((int64_t)(int8_t)200 == -56);");
    EXPECT_EQ(array<std::int64_t>(f(array<std::uint32_t>{7U})).to_vector(), std::vector<std::int64_t>{7});
}
TEST(Function, HasTheArgumentsShape) {
    const frit::function<int(int, float)> two("two", "return 2;"), first("first", "return x0;");
    const array<int> x{1, 2, 3};
    const array<float> y = frit::zeros<float>({2, 1});
    EXPECT_EQ(array<int>(two(x, y)).to_vector(), std::vector<int>(6, 2));
    EXPECT_EQ(array<int>(first(x, y)).shape(), (frit::shape{2, 3}));
    EXPECT_EQ(array<int>(frit::iterate(3, x, [&](const auto& s) { return s + two(s, 0.0F); })).to_vector(),
              (std::vector<int>{7, 8, 9}));
}
TEST(Function, CallsAnother) {
    const frit::function<double(double)> half("half_of", "return x0 / 2;");
    const frit::function<double(double, int)> power(
        "power_of_half", "double r = 1; for (int k = 0; k < x1; ++k) r *= half_of(x0); return r;");
    const array<double> x = frit::from_host(range<double>(50, -2, 2));
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const std::vector<double> got = array<double>(power(x, 3)).to_vector(), in = x.to_vector();
        for (std::size_t k = 0; k < in.size(); ++k) EXPECT_EQ(got[k], in[k] / 2 * (in[k] / 2) * (in[k] / 2));
    });
}

// C's types and conversions.
TEST(Function, Arithmetic) {
    const auto one = [](const char* text, auto x) {
        using T = decltype(x);
        const frit::function<double(T)> f("one", text);
        return array<double>(f(frit::scalar(x))).item();
    };
    EXPECT_EQ(one("return x0 / 2;", 7), 3);
    EXPECT_EQ(one("return x0 / 2.;", 7), 3.5);
    EXPECT_EQ(one("return -x0 / 2;", 7), -3);
    EXPECT_EQ(one("return -7 % 3 + x0;", 0), -1);
    EXPECT_EQ(one("return (int8_t)(x0 + 1);", 127), -128);
    EXPECT_EQ(one("unsigned char c = x0; return c + c;", 200), 400);
    EXPECT_EQ(one("return x0 - 1u;", 0), 4294967295.0);
    EXPECT_EQ(one("return x0 > -1;", 0U), 0);  // as in C: -1 becomes the largest
    EXPECT_EQ(one("return (x0 > 1) + (x0 > 2) + !x0;", 3), 2);
    EXPECT_EQ(one("return 0x10 + 010 + 1e2 + 0x1p3 + x0;", 0), 16 + 8 + 100 + 8);
    EXPECT_EQ(one("return 0x1.8p0 + 0x.8p1f + 0x8.P-3F + x0;", 0), 3.5);
    EXPECT_EQ(one("return x0 << 3 | 1;", 2), 17);
    EXPECT_EQ(one("return ~x0 ^ 5;", 2), ~2 ^ 5);
    EXPECT_EQ(one("return 1 + 2 * 3 - 4 / 2 + x0;", 0), 5);
    EXPECT_EQ(one("return x0 ? 1 : x0 == 0 ? 2 : 3;", 0), 2);
    EXPECT_EQ(one("return fmax(x0, 2) + min(1, 2) + sqrtf(4);", 1.5), 5);
    EXPECT_EQ(one("return 10 - 3 - 2 + x0;", 0), 5);
    EXPECT_EQ(one("return (float)0.1 == 0.1f && x0;", 1), 1);
    EXPECT_EQ(one("return 1 / (x0 - 1);", 1), 0);
    EXPECT_EQ(one("double a, b = 2, c = a + b; return c * x0;", 2.0), 4);
    EXPECT_EQ(one("return 1 << x0;", std::int64_t{1} << 32), 0);
    EXPECT_EQ(one("return 1 << x0;", std::int64_t{-1}), 0);
    EXPECT_EQ(one("return -8 >> x0;", std::int64_t{1} << 40), -1);
    std::string shifts = "x0";  // each as wide as the others, so that no count is computed twice
    for (int k = 0; k < 60; ++k) shifts = (k % 2 ? "(1u << " : "(1 << ") + shifts + ")";
    EXPECT_EQ(one(("return " + shifts + ";").c_str(), 5), 16);
    EXPECT_EQ(one("while (1) { if (x0 > 3) return x0; ++x0; }", 1), 4);
    EXPECT_TRUE(std::isnan(one("return NAN * x0;", 1)));
    EXPECT_TRUE(std::isinf(one("return INFINITY * x0;", 1)));
}

template <class R = double>
std::string refusal(const char* text) {
    try {
        const frit::function<R(double)> f("f", text);
    } catch (const frit::compile_error& e) {
        const std::string what = e.what();
        return what.substr(0, what.find(" ["));
    }
    return "";
}
TEST(Function, Refusals) {
    EXPECT_EQ(refusal("return y;"), "function f, line 1, column 8: y is not declared");
    EXPECT_EQ(refusal("double a = 1;\n  return a +;"), "function f, line 2, column 13: a value is missing before ';'");
    EXPECT_EQ(refusal("x0 = 1;"), "function f, line 1, column 8: not every way through the function returns a value");
    EXPECT_EQ(refusal("if (x0) return 1;"),
              "function f, line 1, column 18: not every way through the function returns a value");
    EXPECT_EQ(refusal("return 1"), "function f, line 1, column 9: ';' is missing before the end");
    EXPECT_EQ(refusal("return foo(x0);"), "function f, line 1, column 8: no function foo");
    EXPECT_EQ(refusal("return pow(x0);"), "function f, line 1, column 8: pow takes 2 values, not 1");
    EXPECT_EQ(refusal("int a; int a; return 1;"), "function f, line 1, column 12: a is declared twice");
    EXPECT_EQ(refusal("break; return 1;"), "function f, line 1, column 1: break outside a loop");
    EXPECT_EQ(refusal("return x0 = 1;"),
              "function f, line 1, column 11: an assignment inside an expression: it stands alone in this subset");
    EXPECT_EQ(refusal("return x0 & 1;"), "function f, line 1, column 14: an operator of integers has a floating operand");
    EXPECT_EQ(refusal("return 1; @"), "function f, line 1, column 11: a character that the subset has not: '@'");
    EXPECT_EQ(refusal("/* no end"), "function f, line 1, column 1: a comment that does not end");
    EXPECT_EQ(refusal("return 99999999999999999999;"),
              "function f, line 1, column 8: a number out of range: 99999999999999999999");
    EXPECT_EQ(refusal("goto x;"), "function f, line 1, column 1: a statement of the subset is missing before 'goto'");
    EXPECT_EQ(refusal(""), "function f, line 1, column 1: not every way through the function returns a value");
    EXPECT_NE(refusal(("return " + std::string(5000, '(')).c_str()).find("nested too deeply"), std::string::npos);
    EXPECT_NE(refusal((std::string(5000, '{') + "return 1;").c_str()).find("nested too deeply"), std::string::npos);
    EXPECT_NE(refusal(("return " + std::string(5000, '~') + "1;").c_str()).find("nested too deeply"), std::string::npos);
    EXPECT_EQ(refusal("return 1e39f;"), "function f, line 1, column 8: a number out of range: 1e39f");
    EXPECT_EQ(refusal("x0 = 1;\nreturn x0 + 0x1.8;"),
              "function f, line 2, column 13: a hexadecimal number with a point needs an exponent, p0: 0x1.8");
    EXPECT_EQ(refusal("return 0x.8f;"),
              "function f, line 1, column 8: a hexadecimal number with a point needs an exponent, p0: 0x.8f");
    EXPECT_EQ(refusal("const int a = 1; a = 2; return a;"), "function f, line 1, column 18: a is const");
    std::string sum = "return x0";
    for (int k = 0; k < 6000; ++k) sum += "+1";
    EXPECT_NE(refusal((sum + ";").c_str()).find("more than 5,000 operators"), std::string::npos);
    EXPECT_THROW(frit::function<float(float)>("sqrt", "return 42;"), frit::compile_error);
    EXPECT_THROW(frit::function<float(float)>("a b", "return 42;"), frit::compile_error);
    // of so many numbers equal ones are one operand of a loop
    std::string rounds = "for (int i = 0; i < 2; ++i) {";
    for (int k = 0; k < 61; ++k) rounds += " x0 += 1;";
    const frit::function<double(double)> many("many", rounds + "} return x0;");
    EXPECT_EQ(array<double>(many(frit::scalar(0.0))).item(), 122);
    const frit::function<int(int)> whole("whole", "return x0;");
    EXPECT_THROW((void)whole(frit::scalar(1.5)), frit::dtype_error);
}

// --- numbers ---

// Numbers of a text are words of a launch, each its own: others, and whether some are equal, make no other kernel.
TEST(Function, OtherNumbersCompileNothing) {
    const array<double> x = frit::from_host(range<double>(300, -1, 2));
    const frit_test::with_engine compiled(frit_test::compiled_engines().back());
    const auto run = [&](const std::string& text) {
        return array<double>(frit::function<double(double)>("numbers", text)(x)).to_vector();
    };
    const auto several = [&](const std::vector<std::vector<std::string>>& all, const auto& text) {
        (void)run(text(all[0]));
        frit::synchronize();  // what is compiled in the background is none of these
        const std::uint64_t kernels = frit_test::new_kernels();
        for (const auto& n : all) {
            const frit_test::with_engine interpreter(frit_test::engine::interpreter);
            const std::vector<double> wanted = run(text(n));
            const frit_test::with_engine again(frit_test::compiled_engines().back());
            EXPECT_EQ(run(text(n)), wanted) << text(n);
        }
        EXPECT_EQ(frit_test::new_kernels(), kernels) << text(all[0]);
    };
    several({{"2.0", "3.0"}, {"2.0", "7.0"}, {"5.0", "5.0"}, {"0.0", "1.0"}},
            [](const auto& n) { return "return cos(x0) * " + n[0] + " + x0 * " + n[1] + ";"; });
    several({{"2.", "3.", "4."}, {"2.", "2.", "4."}, {"3.", "2.", "2."}, {"0.", "0.", "0."}},
            [](const auto& n) { return "if (x0 < " + n[0] + ") return exp(x0) * " + n[1] + "; return x0 * " + n[2] + ";"; });
    several({{"3.0", "10", ".5", ".25"}, {".5", "10", ".5", ".5"}, {"1.0", "1", ".25", "1.0"}, {"0.0", "0", "0.0", "0.0"}},
            [](const auto& n) {
                return "double a = " + n[0] + "; for (int i = 0; i < " + n[1] + "; ++i) a = a * " + n[2] + " + x0 * " +
                       n[3] + "; return a;";
            });
}

// --- several results ---

TEST(Function, SeveralResults) {
    const frit::function<std::tuple<double, int>(double, double)> polar("polar", R"(
        y0 = hypot(x0, x1);
        if (y0 == 0) return;
        while (x0 > 1) { x0 /= 2; ++y1; }
        y1 += 100;
    )");
    const std::vector<double> x = range<double>(101, -2, 9), y = range<double>(101, -1, 1);
    std::vector<double> radius, in = x;
    std::vector<int> halvings;
    for (std::size_t k = 0; k < x.size(); ++k) {
        radius.push_back(std::hypot(x[k], y[k]));
        halvings.push_back(0);
        if (radius[k] == 0) continue;
        for (; in[k] > 1; in[k] /= 2) ++halvings[k];
        halvings[k] += 100;
    }
    const array<double> a = frit::from_host(x), b = frit::from_host(y);
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const auto [r, n] = polar(a, b);
        static_assert(std::is_same_v<decltype(n), const frit::composed<dtype::i32>>);
        EXPECT_EQ(array<int>(n).to_vector(), halvings);
        const std::vector<double> got = array<double>(r).to_vector();
        for (std::size_t k = 0; k < got.size(); ++k) EXPECT_NEAR(got[k], radius[k], 1e-15 * radius[k]);
    });
    const auto [r, n] = polar(a, b);
    EXPECT_KERNELS(1, r, n);
    EXPECT_KERNELS(1, sum(r * n));
    // what nobody asks for is not computed
    EXPECT_EQ(frit::explain(array<double>(r)).find("iterate"), std::string::npos);
    const auto [minus] = frit::function<std::tuple<double>(double)>("minus", "y0 -= x0;")(array<double>{1, 2});
    EXPECT_EQ(array<double>(minus).to_vector(), (std::vector<double>{-1, -2})) << "it begins as 0";
    const auto [only] = frit::function<std::tuple<int>(int)>("only", "y0 = x0 + 1;")(array<int>{1, 2});
    EXPECT_EQ(array<int>(only).to_vector(), (std::vector<int>{2, 3}));
}
TEST(Function, SeveralResultsOfALoopWithReturns) {
    const frit::function<std::tuple<int, int>(int)> first("first_divisor", R"(
        for (y0 = 2; y0 < x0; ++y0)
            if (x0 % y0 == 0) { y1 = x0 / y0; return; }
        y0 = x0;
        y1 = 1;)");
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const auto [d, rest] = first(array<int>{2, 3, 4, 15, 49, 51});
        EXPECT_EQ(array<int>(d).to_vector(), (std::vector<int>{2, 3, 2, 3, 7, 3}));
        EXPECT_EQ(array<int>(rest).to_vector(), (std::vector<int>{1, 1, 2, 5, 7, 17}));
    });
}

TEST(Function, SeveralResultsRefusals) {
    using two = std::tuple<float, int>;
    EXPECT_EQ(refusal<two>("y0 = 1;"), "function f, line 1, column 8: y1 is never set");
    EXPECT_EQ(refusal<two>("y0 = 1;\n return x0;"),
              "function f, line 2, column 9: a function of several results sets y0, y1, ..., and returns no value");
    EXPECT_EQ(refusal<two>("y2 = 1;"), "function f, line 1, column 1: y2 is not declared");
    EXPECT_EQ(refusal<two>("int y1; y0 = 1; y1 = 1;"), "function f, line 1, column 5: y1 is declared twice");
    EXPECT_EQ(refusal("y0 = 1; return 1;"), "function f, line 1, column 1: y0 is not declared");
    EXPECT_EQ(refusal("return;"), "function f, line 1, column 7: a value is missing before ';'");
    const frit::function<two(int)> pair("pair_of", "y0 = 1; y1 = x0;");
    EXPECT_EQ(refusal("return pair_of(1);"), "function f, line 1, column 8: pair_of has several results, and is no value");
}

// --- 16-bit floats ---

template <class T>
std::string bits(const array<T>& x) {
    std::string out;
    for (const T v : x.to_vector()) out.append(reinterpret_cast<const char*>(&v), sizeof v);
    return out;
}
/// The function as a formula and as text: the same bits on every engine.
template <class T, class F, class G>
void expect_bits(const F& text, const G& formula, const array<T>& a, const array<T>& b) {
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        using R = typename decltype(frit::detail::as_array(formula(a, b), {}))::value_type;
        EXPECT_EQ(bits(array<R>(text(a, b))), bits(array<R>(formula(a, b))));
    });
}
template <class T>
void check_short(const std::string& type) {
    using pair = T(T, T);
    const array<T> a = frit::cast<T>(frit::linspace(-3.0, 5.0, 1001)), b = frit::cast<T>(frit::linspace(0.1, 2.0, 1001));
    const auto text = [&](const char* name, const std::string& body) { return frit::function<pair>(name, body); };
    expect_bits(
        text("s1", "return x0 * x0 + x1;"), [](const auto& x, const auto& y) { return x * x + y; }, a, b);
    expect_bits(
        text("s2", "return (x0 + x1) * (x0 - x1) / (x1 + 2);"),
        [](const auto& x, const auto& y) { return (x + y) * (x - y) / (y + 2); }, a, b);
    expect_bits(
        text("s3", "return x1 * (1 + tanh(x0 * x1));"), [](const auto& x, const auto& y) { return y * (1 + tanh(x * y)); },
        a, b);
    expect_bits(
        text("s4", "return x0 < x1 ? exp(x0) : nextafter(x0, x1);"),
        [](const auto& x, const auto& y) { return where(x < y, exp(x), nextafter(x, y)); }, a, b);
    // a variable is an array: rounded
    expect_bits(
        text("s5", type + " t = x0 * x1; return t + x0;"), [](const auto& x, const auto& y) { return array<T>(x * y) + x; },
        a, b);
    expect_bits(
        text("s6", "return (" + type + ")(x0 * x1) - x0;"),
        [](const auto& x, const auto& y) { return frit::cast<T>(x * y) - x; }, a, b);
    expect_bits(
        text("s7", "for (int k = 0; k < 5; ++k) x0 = x0 * x1 + (" + type + ")0.5f * sin(x0); return x0;"),
        [](const auto& x, const auto& y) {
            return frit::iterate(5, x, [&](const auto& v) { return v * y + T(0.5F) * sin(v); });
        },
        a, b);
    expect_bits(
        frit::function<float(T, T)>("s8", "return x0 * x1 * .1f;"),
        [](const auto& x, const auto& y) { return frit::cast<float>(x * y) * 0.1F; }, a, b);
    // as a part of a formula, and given one
    expect_bits([f = text("s9", "return x0 * x1;")](const auto& x, const auto& y) { return f(x * y + x, y) * x; },
                [](const auto& x, const auto& y) { return array<T>((x * y + x) * y) * x; }, a, b);
    EXPECT_EQ(array<T>(text("s0", type + " z; return z + x1;")(a, 2)).to_vector()[7], T(2));
}
TEST(Function, Half) { check_short<frit::half>("half"); }
TEST(Function, Bfloat16) { check_short<frit::bfloat16>("bfloat16"); }
TEST(Function, ShortFloatsTogether) {
    const frit::function<float(frit::half, frit::bfloat16)> f("both_short", "_Float16 a = x0; return a * x1;");
    const array<frit::half> a = frit::cast<frit::half>(array<float>{1.2F, 3.4F});
    const array<frit::bfloat16> b = frit::cast<frit::bfloat16>(array<float>{5.6F, 7.8F});
    EXPECT_EQ(array<float>(f(a, b)).to_vector(), array<float>(frit::cast<float>(a) * frit::cast<float>(b)).to_vector());
}

// --- complex numbers ---

template <class T>
void check_complex(const char* type) {
    using C = std::complex<T>;
    using pair = C(C, C);
    const array<T> part = frit::cast<T>(frit::linspace(-2.0, 3.0, 501));
    const array<C> a = complex(part, cos(part * T(3))), b = complex(part * T(0.5), part + T(0.25));
    const auto text = [](const char* name, const std::string& body) { return frit::function<pair>(name, body); };
    expect_bits(
        text("c1", "return x0 * x0 + x1 / (x0 - x1);"), [](const auto& x, const auto& y) { return x * x + y / (x - y); }, a,
        b);
    expect_bits(
        text("c2", "return 2 * x0 - conj(x1) * creal(x0);"),
        [](const auto& x, const auto& y) { return T(2) * x - conj(y) * real(x); }, a, b);
    expect_bits(
        text("c3", "return x0 == x1 || x0 != 0 ? csqrt(x0) : -x1;"),
        [](const auto& x, const auto& y) { return where(x == y || x != T(0), sqrt(x), -y); }, a, b);
#define SAME(name)                                                   \
    expect_bits(                                                     \
        text("of_" #name, "return c" #name "(x0) + " #name "(x1);"), \
        [](const auto& x, const auto& y) { return name(x) + name(y); }, a, b)
    SAME(exp), SAME(log), SAME(sin), SAME(cos), SAME(tan), SAME(asin), SAME(acos), SAME(atan);
    SAME(sinh), SAME(cosh), SAME(tanh), SAME(asinh), SAME(acosh), SAME(atanh);
#undef SAME
    expect_bits(
        text("c4", "return cpow(x0, x1) + cproj(x0);"), [](const auto& x, const auto& y) { return pow(x, y) + proj(x); }, a,
        b);
    expect_bits(
        frit::function<T(C, C)>("c5", "return cabs(x0) + carg(x1) * cimag(x0);"),
        [](const auto& x, const auto& y) { return abs(x) + arg(y) * imag(x); }, a, b);
    const std::string declared = type;
    expect_bits(
        text("c6", declared + " z; int n = 0; while (cabs(z) < 2 && n < 20) { z = z * z + x1; ++n; } return z + n;"),
        [](const auto&, const auto& y) {
            const auto [z, n] = frit::iterate(
                20, std::tuple(frit::scalar(C()), T(0)),
                [&](const auto& v, const auto& m) { return std::tuple(v * v + y, m + T(1)); },
                [](const auto& v, const auto&) { return !(abs(v) < T(2)); });
            return z + n;
        },
        a, b);
}
TEST(Function, ComplexFloat) { check_complex<float>("float complex"); }
TEST(Function, ComplexDouble) { check_complex<double>("_Complex double"); }
TEST(Function, ComplexTypes) {
    using C = std::complex<double>;
    const array<double> x{3, -4};
    const auto made = [&](const char* text) { return array<C>(frit::function<C(double)>("made", text)(x)).to_vector(); };
    EXPECT_EQ(made("return x0 + 2 * I;"), (std::vector<C>{{3, 2}, {-4, 2}}));
    EXPECT_EQ(made("return CMPLX(1, x0);"), (std::vector<C>{{1, 3}, {1, -4}}));
    EXPECT_EQ(made("complex64 z = CMPLXF(1, 2); z *= I; return z + !z;"), (std::vector<C>{{-2, 1}, {-2, 1}}));
    EXPECT_EQ(made("return x0;"), (std::vector<C>{3, -4}));
    EXPECT_EQ(made("return (int)(x0 + 5 * I);"), (std::vector<C>{3, -4}));
    EXPECT_EQ(made("return (x0 + 5 * I) ? 1 : 2;"), (std::vector<C>{1, 1}));
    EXPECT_EQ(made("return csqrt(x0);"), (std::vector<C>{std::sqrt(3.0), {0, 2}}));
    EXPECT_EQ(made("double complex I = x0; return I;"), (std::vector<C>{3, -4}));
    EXPECT_EQ(refusal("return I < 1;"), "function f, line 1, column 13: complex numbers have no order");
    EXPECT_EQ(refusal("return floor(I);"), "function f, line 1, column 8: floor takes no complex numbers");
    EXPECT_EQ(refusal("return I % 2;"), "function f, line 1, column 13: an operator of integers has a floating operand");
    EXPECT_EQ(refusal("int complex z; return 1;"), "function f, line 1, column 5: a name is missing before 'complex'");
    EXPECT_EQ(refusal("complex z; return 1;"), "function f, line 1, column 9: float or double is missing before 'z'");
    EXPECT_EQ(refusal("half complex z; return 1;"), "function f, line 1, column 14: a type that C has not");
}

TEST(Function, WhatIsNotReachedIsNotSet) {
    const frit::function<std::tuple<float, int>(float)> f("partly", "if (x0 > 0) y0 = x0; if (x0 < 0) return; y1 = 7;");
    const frit::function<int(int)> steps("steps_of_collatz",
                                         "int n = 0; while (x0 != 1) { x0 = x0 % 2 ? 3 * x0 + 1 : x0 / 2; ++n; } return n;");
    const frit::function<int(int)> called("where_it_ends", "if (x0 > 0) return steps_of_collatz(x0); return 0;");
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const auto [y, z] = f(array<float>{-3, 2});
        EXPECT_EQ(array<float>(y).to_vector(), (std::vector<float>{0, 2}));
        EXPECT_EQ(array<int>(z).to_vector(), (std::vector<int>{0, 7}));
        EXPECT_EQ(array<int>(called(array<int>{0, 7})).to_vector(), (std::vector<int>{0, 16})) << "0 would go on for ever";
    });
}

}  // namespace
