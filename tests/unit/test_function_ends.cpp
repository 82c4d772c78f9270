// Loops of functions of text that do not end: an error at a limit that a program has set, and without any, but then nothing
// is asked behind those that surely end. What is taken to end is compared with all starts and bounds of counters of 8 bits.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "frit/frit.hpp"
#include "src/functions/syntax.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"

namespace {
using frit::array;
using frit::detail::looping;
using frit_test::everywhere;

/// Nobody waits for 2^31 rounds.
struct few_rounds {
    few_rounds() { frit::detail::most_rounds = 1000; }
    ~few_rounds() { frit::detail::most_rounds = INT32_MAX; }
    few_rounds(const few_rounds&) = delete;
};

struct loop_limit {
    explicit loop_limit(std::int64_t rounds) { frit::set_loop_limit(rounds); }
    ~loop_limit() { frit::set_loop_limit(0); }
    loop_limit(const loop_limit&) = delete;
};

TEST(FunctionEnds, WithoutALimitTheMostRoundsAreOne) {
    EXPECT_EQ(frit::detail::most_rounds, INT32_MAX);
    const few_rounds now;
    const frit::function<int(int)> one("one", "while (x0 != 5) x0 = x0 < 0 ? x0 : x0 + 1; return x0;");
    const frit::function<int(int, int)> nested("nested", R"(
        int s = 0;
        for (int k = 0; k < 3; ++k) { int j = 0; while (j != x0) { ++j; ++s; if (j == x1) return -1; } }
        return s;)");
    const frit::function<int(int)> calls("calls", "int n = 0; while (n < 3 && one(x0) == 5) ++n; return n;");
    const frit::function<int(int)> elsewhere("elsewhere",
                                             "if (x0 < 0) return 0; int r = one(x0); while (r > 0) --r; return r;");
    const frit::function<std::tuple<float, int>(float)> digits("digits", "y0 = x0; while (y0 >= 1) { y0 /= 10; ++y1; }");
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const array<int> good{1, 5, 3}, bad{1, -1, 3};
        const auto ints = [](const auto& x) { return array<int>(x).to_vector(); };
        EXPECT_EQ(ints(one(good)), (std::vector<int>{5, 5, 5}));
        EXPECT_ERROR((void)ints(one(bad)), frit::error, "1000 rounds", "set_loop_limit");
        EXPECT_ERROR((void)frit::sum(one(bad)).item(), frit::error, "1000 rounds");
        EXPECT_EQ(ints(nested(good, -1)), (std::vector<int>{3, 15, 9}));
        EXPECT_EQ(ints(nested(bad, 7)), (std::vector<int>{3, -1, 9})) << "it leaves by another way";
        EXPECT_ERROR((void)ints(nested(bad, -1)), frit::error, "1000 rounds");
        EXPECT_EQ(ints(calls(good)), (std::vector<int>{3, 3, 3}));
        EXPECT_ERROR((void)ints(calls(bad)), frit::error, "1000 rounds");
        EXPECT_EQ(ints(elsewhere(bad)), (std::vector<int>{0, 0, 0})) << "who does not come to a loop does not wait in it";
        const auto [y, n] = digits(array<float>{0.5F, 40});
        EXPECT_EQ(ints(n), (std::vector<int>{0, 2}));
        EXPECT_ERROR((void)array<float>(std::get<0>(digits(array<float>{INFINITY}))).to_vector(), frit::error,
                     "1000 rounds");
    });
}

looping of(const char* text, const char* name = "text") {
    const frit::function<long(int, unsigned, long, signed char)> f(name, text);
    return frit::detail::functions_of_name(name).back()->loops;
}

TEST(FunctionEnds, WhatSurelyEnds) {
    for (const char* text : {
             "for (int k = 0; k < x0; ++k) ;",
             "for (int k = 0; x0 > k; k++) ;",
             "for (int k = 0; k <= 99; k += 7) ;",
             "for (int k = x0; k > 0; --k) ;",
             "for (int k = x0; k >= 1; k = k - 1) ;",
             "for (int k = x0; 0 <= k; k -= 3) ;",
             "for (int k = 10; k != 0; --k) ;",
             "for (int k = -5; k != 5; k++) ;",
             "for (unsigned k = 0; k < 100; ++k) if (x0 < 3) break;",
             "for (unsigned long k = 0; k < 100; ++k) { if (x0 < 3) continue; if (x0 < 4) return 1; }",
             "for (long k = 0; k < x0; ++k) ;",
             "for (long k = 5; k <= x3 * x3; ++k) ;",
             "int k = 0; if (x0) k = -x1; while (k < 0) k += 2000000000;",
             "for (int k = 0; k < 10; k = (signed char)(k + 100)) ;",
             "for (int k = 0; k < x0 * x0; ++k) x0 += 1;",
             "for (int k = 0; k < 10 && x2 > 3; ++k) x2 *= 3;",
             "for (int k = 0; x2 > 3 && k < 10 && x2 < 99; ++k) x2 *= 3;",
             "for (int i = 0; i < x0; ++i) for (int j = i; j > 0; --j) x2 += j;",
             "for (short k = x3; k < 300; k += 2) ;",
             "int k = 0; float z = 0; while (k < 100 && z < 4) { z = z * z + 1; ++k; }",
             "int k = 0; do { ++k; } while (k < 10);",
             "do { x2 += 1; } while (0);",
             "while (false) ;",
             "while (x3 < 100) { x2 *= 2; ++x3; }",
         })
        EXPECT_EQ(of((std::string(text) + " return x2;").c_str()), looping::ends) << text;
    of("return x0;", "no_loop");
    EXPECT_EQ(frit::detail::functions_of_name("no_loop").back()->loops, looping::none);
    of("for (int k = 0; k < x0; ++k) x2 += k; return x2;", "a_sum");
    EXPECT_EQ(of("for (int k = 0; k < x0; ++k) x2 += a_sum(k, x1, x2, x3); return x2;"), looping::ends);
}

TEST(FunctionEnds, WhatMayNotEnd) {
    for (const char* text : {
             "while (1) if (x0 > 1) break;",
             "for (;;) if (x0 > 1) return 1;",
             "while (x0 > 1) x0 = x0 % 2 ? 3 * x0 + 1 : x0 / 2;",
             "for (int k = 0; k <= x0; ++k) ;",              // up to the largest int, and on with the smallest
             "for (int k = 0; k < x0; k += 2) ;",            // over it
             "for (int k = x0; k < x3; ++k) ;",              // 2^31 + 127 rounds
             "for (int k = x0; k >= 0; --k) ;",              // 2^31
             "for (int k = 0; k != x0; ++k) ;",              // it may have passed it
             "for (int k = 0; k != 5; k += 2) ;",            //
             "for (long k = 0; k < x2; ++k) ;",              // too many rounds
             "for (long k = 0; k < 3000000000; ++k) ;",      //
             "for (unsigned k = 0; k < x1; ++k) ;",          //
             "for (unsigned k = 9; k >= 0; --k) ;",          //
             "for (signed char k = 0; k < x0; ++k) ;",       // it has no 128
             "for (int k = 0; k < 10; --k) ;",               // the other way
             "for (int k = 0; k < x0; k += x3) ;",           //
             "for (int k = 0; k < 10; ++k) --k;",            // set in the body too
             "for (int k = 0; k < 10; ++k) if (x0) k = 3;",  //
             "for (int k = 0; k < 128; k = (signed char)(k + 5)) ;",
             "for (int k = 0; k < 10 || x0; ++k) ;",
             "for (float k = 0; k < 10; ++k) ;",
             "for (int k = 0; x0 < 10; ++k) ;",
             "for (x2 = 0; x2 < 10; x2 += x2) ;",
             "int k = 0; while (k < 10) { if (x0) continue; ++k; }",
             "int k = 0; while (k < 10) if (x0) ++k;",
             "int k = 0; if (x0) k = -x1; while (k < 500000000) k += 2000000000;",
             "for (int k = 0; k < 10; ++k) while (x0) x0 &= 3;",
             "for (int k = 0; k < 10; ++k) x0 = for_ever(x0);",
             "for (int k = 0; k < 10 && for_ever(x0); ++k) ;",
             "return for_ever(x0);",
         }) {
        const frit::function<int(int)> callee("for_ever", "while (x0) x0 &= 3; return x0;");
        EXPECT_EQ(of((std::string(text) + " return x2;").c_str()), looping::may_not_end) << text;
    }
}

// --- all of 8 bits ---

struct counter {
    std::string compares;
    int by;
    bool has_sign, first;
    int start, bound;  ///< 1000: any
};
bool holds(const std::string& compares, int a, int b) {
    if (compares == "<") return a < b;
    if (compares == "<=") return a <= b;
    if (compares == ">") return a > b;
    if (compares == ">=") return a >= b;
    return a != b;
}
int wrapped(int x, bool has_sign) { return has_sign ? static_cast<std::int8_t>(x) : static_cast<std::uint8_t>(x); }
bool ends_from(const counter& c, int start, int bound) {
    int x = start, rounds = 0;
    if (c.first) x = wrapped(x + c.by, c.has_sign);
    for (; holds(c.compares, x, bound); x = wrapped(x + c.by, c.has_sign))
        if (++rounds > 256) return false;
    return true;
}
bool ends_from_all(const counter& c) {
    const int least = c.has_sign ? -128 : 0;
    for (int a = least; a < least + 256; ++a)
        for (int b = least; b < least + 256; ++b)
            if ((c.start == 1000 || a == wrapped(c.start, c.has_sign)) && (c.bound == 1000 || b == c.bound))
                if (!ends_from(c, a, b)) return false;
    return true;
}
bool is_taken_to_end(const counter& c) {
    const auto number = [](int x, const char* any) { return x == 1000 ? std::string(any) : std::to_string(x); };
    const std::string step = "k += " + std::to_string(c.by), condition = "k " + c.compares + " " + number(c.bound, "x1");
    const std::string type = c.has_sign ? "signed char" : "unsigned char";
    std::string text = type + " k = " + number(c.start, "x0") + "; ";
    text += c.first ? "do " + step + "; while (" + condition + ");" : "for (; " + condition + "; " + step + ") ;";
    text += " return k;";
    if (c.has_sign)
        const frit::function<int(signed char, signed char)> f("counts", text);
    else
        const frit::function<int(unsigned char, unsigned char)> f("counts", text);
    return frit::detail::functions_of_name("counts").back()->loops == looping::ends;
}

TEST(FunctionEnds, CountersOf8Bits) {
    int taken = 0, others = 0;
    for (const char* compares : {"<", "<=", ">", ">=", "!="})
        for (const int by : {-100, -3, -1, 0, 1, 2, 100})
            for (const bool has_sign : {false, true})
                for (const bool first : {false, true})
                    for (const int start : {1000, -128, -5, 0, 1, 127, 200})
                        for (const int bound : {1000, -128, -1, 0, 5, 125, 126, 127}) {
                            if (!has_sign && bound < 0) continue;
                            const counter c{compares, by, has_sign, first, start, bound};
                            const bool ends = is_taken_to_end(c);
                            ++(ends ? taken : others);
                            ASSERT_TRUE(!ends || ends_from_all(c))
                                << compares << ' ' << by << ' ' << has_sign << ' ' << first << ' ' << start << ' ' << bound;
                        }
    EXPECT_GT(taken, 400);
    EXPECT_GT(others, 400);
}

// --- what it costs ---

TEST(FunctionEnds, NothingWhereItSurelyEnds) {
    const array<float> x = frit::from_host(std::vector<float>{0.5F, 2, -3, 1});
    const frit::function<float(float)> power("power", "float p = 1; for (int k = 0; k < 10; ++k) p *= x0; return p;");
    const auto iterated = [](const auto& of) {
        return std::get<0>(frit::iterate(
            INT32_MAX, std::tuple(frit::ones_like(of), frit::zeros_like(frit::cast<int>(of))),
            [&](const auto& p, const auto& k) { return std::tuple(p * of, k + 1); },
            [](const auto&, const auto& k) { return !(k < 10); }));
    };
    EXPECT_KERNELS(1, power(x));
    array<float>(iterated(x)).eval();
    frit::synchronize();  // what is compiled in the background is none of these
    const std::uint64_t kernels = frit_test::new_kernels();
    array<float>(power(x)).eval();
    EXPECT_EQ(frit_test::new_kernels(), kernels) << "the kernel of the same loop by iterate";
}

TEST(FunctionEnds, NoKernelMoreWhereItMayNot) {
    const frit::function<int(float, float)> escapes("escapes", R"(
        float re = 0, im = 0;
        int n = 0;
        while (re * re + im * im < 4) {
            float t = re * re - im * im + x0;
            im = 2 * re * im + x1;
            re = t;
            ++n;
            if (n == 100) break;
        }
        return n;)");
    const array<float> re = frit::from_host(std::vector<float>{0, 1, -2, 0.25F}),
                       im = frit::from_host(std::vector<float>(4, 0.1F));
    EXPECT_KERNELS(1, escapes(re, im));
    EXPECT_KERNELS(1, frit::sum(escapes(re + im, im) * 2));
    EXPECT_NE(frit::explain(escapes(re, im)).find("index("), std::string::npos) << "what asks is in the kernel";
}

TEST(FunctionEnds, AtALimitThatIsSet) {
    EXPECT_EQ(frit::loop_limit(), INT32_MAX);
    const loop_limit set(1000);
    EXPECT_EQ(frit::loop_limit(), 1000);
    const frit::function<int(int)> for_ever("for_ever", "while (1) { if (x0 > 5) return x0; x0 = x0 < 0 ? x0 : x0 + 1; }");
    const frit::function<int(int)> inside("inside", R"(
        int s = 0;
        for (int k = 0; k < 3; ++k) { int j = 0; do { ++s; ++j; } while (j != x0); }
        return s;)");
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        EXPECT_EQ(array<int>(for_ever(array<int>{0, 5, 7})).to_vector(), (std::vector<int>{6, 6, 7}));
        EXPECT_ERROR((void)array<int>(for_ever(array<int>{0, -1, 7})).to_vector(), frit::error, "1000 rounds",
                     "set_loop_limit");
        EXPECT_EQ(array<int>(inside(array<int>{1, 2, 7})).to_vector(), (std::vector<int>{3, 6, 21}));
        EXPECT_ERROR((void)array<int>(inside(array<int>{1, -2, 7})).to_vector(), frit::error, "1000 rounds");
    });
    EXPECT_EQ(array<int>(for_ever(array<int>{4, 5, 7})).to_vector(), (std::vector<int>{6, 6, 7})) << "by the engine set";
    frit::synchronize();  // what is compiled in the background is none of these
    const std::uint64_t kernels = frit_test::new_kernels();
    frit::set_loop_limit(3);
    EXPECT_ERROR((void)array<int>(for_ever(array<int>{0, 5, 7})).to_vector(), frit::error, "3 rounds");
    EXPECT_EQ(array<int>(for_ever(array<int>{4, 5, 7})).to_vector(), (std::vector<int>{6, 6, 7}));
    EXPECT_EQ(frit_test::new_kernels(), kernels) << "another limit is another number";
    EXPECT_ERROR(frit::set_loop_limit(-1), frit::error, "set_loop_limit", "-1", "test_function_ends.cpp");
}

TEST(FunctionEnds, InStepsToo) {
    const loop_limit set(1000);
    const frit::function<int(int, int)> up("up",
                                           "while (x0 != x1) { if (x1 < 0 && x0 > 9) return x0; ++x0; } return x0 + 1;");
    const frit::function<int(int, int)> divisor("divisor",
                                                "while (x1 != 0) { int r = x0 % x1; x0 = x1; x1 = r; } return x0;");
    const frit::function<int(int, int)> common_divisor("common_divisor", R"(
        while (x0 != x1) { if (x0 > x1) x0 -= x1; else x1 -= x0; }
        return x0;)");
    const frit::function<bool(int)> is_beyond("is_beyond", "int x = x0; while (x < 5) ++x; return x0 < 5;");
    const frit::function<std::tuple<int, int>(int, int)> sum_and_loop("sum_and_loop", "y0 = x0 + x1; while (y1 != 3) ++y1;");
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const array<int> to{3, 4, 9}, beyond{3, -7, 2000};
        const auto step = [&](const auto& end) {
            return [&](const auto& x, const auto& n) { return std::tuple(up(x, end) - 2, n + 1); };
        };
        const auto [x, n] = frit::iterate(3, std::tuple(0, 0), step(to));
        EXPECT_EQ(array<int>(x).to_vector(), (std::vector<int>{2, 3, 8}));
        EXPECT_EQ(array<int>(n).to_vector(), (std::vector<int>{3, 3, 3}));
        const auto [y, m] = frit::iterate(3, std::tuple(0, 0), step(beyond));
        EXPECT_ERROR((void)array<int>(y).to_vector(), frit::error, "1000 rounds", "set_loop_limit");
        EXPECT_ERROR((void)array<int>(m).to_vector(), frit::error, "1000 rounds");
        const auto twice = [&](const auto& end) {
            return frit::iterate(2, array<int>{0, 0, 0}, [&](const auto& a) {
                return frit::iterate(2, a, [&](const auto& b) { return up(b, end) - 2; });
            });
        };
        EXPECT_EQ(array<int>(twice(to)).to_vector(), (std::vector<int>{2, 3, 8}));
        EXPECT_ERROR((void)array<int>(twice(beyond)).to_vector(), frit::error, "1000 rounds");

        const auto along = [&](const array<int>& over) {
            return frit::scan_along(
                0, 0, [&](const auto& s, const auto& v) { return up(s - s, v) + s; }, over);
        };
        EXPECT_EQ(array<int>(along(to)).to_vector(), (std::vector<int>{4, 9, 19}));
        EXPECT_ERROR((void)array<int>(along(beyond)).to_vector(), frit::error, "1000 rounds");

        const auto common = [&](const auto& a, const auto& b) { return divisor(a, b); };
        EXPECT_EQ(frit::reduce(array<int>{84, 126, 70}, 0, 0, common).item(), 14);
        // Where rows begin nothing is combined, and zeros would not end.
        const auto by_differences = [&](const auto& a, const auto& b) { return common_divisor(a, b); };
        EXPECT_EQ(array<int>(frit::scan(array<int>{84, 126, 70}, 0, by_differences)).to_vector(),
                  (std::vector<int>{84, 42, 14}));
        EXPECT_EQ(frit::reduce(array<int>(6 * (frit::arange<int>(1024) % 100 + 2)), 0, 6, by_differences).item(), 6);
        EXPECT_ERROR((void)array<int>(frit::scan(array<int>{84, 0}, 0, by_differences)).to_vector(), frit::error,
                     "1000 rounds");
        const auto sum_alone = [&](const auto& a, const auto& b) { return std::get<0>(sum_and_loop(a, b)); };
        EXPECT_EQ(array<bool>(is_beyond(array<int>{1, 7})).to_vector(), (std::vector<bool>{true, false}));
        EXPECT_ERROR((void)array<bool>(is_beyond(array<int>{1, -2000})).to_vector(), frit::error, "1000 rounds");
        const auto both = [&](const auto& b) { return is_beyond(frit::cast<int>(b)) && b; };
        EXPECT_EQ(array<bool>(frit::iterate(3, array<bool>{true, false}, both)).to_vector(),
                  (std::vector<bool>{true, false}));
        const array<int> ones = frit::ones<int>({20000}).eval();
        EXPECT_TRUE(frit::all(frit::scan(ones, 0, sum_alone) == frit::arange<int>(1, 20001)).item());
        const auto last = [&](const auto& a, const auto& b) { return up(a, b); };
        EXPECT_ERROR((void)frit::reduce(array<int>{5, 2000}, 0, 0, last).item(), frit::error, "1000 rounds");
    });
}

}  // namespace
