// Functions of text with more numbers and variables than a loop has room for: numbers become constants of the loop, calls of
// one function share its numbers, and for what remains an error says where the loop stands.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "frit/frit.hpp"
#include "src/graph/region.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"

namespace {
using frit::array;
using frit_test::everywhere;

constexpr std::int64_t rounds = 3;

/// "x = x * c0 + 0.5; x = x * c1 + 0.5; ..." with other numbers in each, and what it is.
std::string steps(int first, int count) {
    std::string text;
    for (int k = first; k < first + count; ++k) text += "x = x * 0." + std::to_string(501 + k) + " + 0.25; ";
    return text;
}
double after_steps(double x, int first, int count) {
    for (int k = first; k < first + count; ++k) x = x * ((501 + k) * 1e-3) + 0.25;
    return x;
}
template <class F>
void expect_near(const F& f, double (*reference)(double)) {
    const std::vector<double> x{-2, 0, 0.5, 7};
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const std::vector<double> got = array<double>(f(frit::from_host(x))).to_vector();
        for (std::size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(got[k], reference(x[k]), 1e-12) << x[k];
    });
}

TEST(FunctionRoom, ManyNumbersInALoop) {
    const frit::function<double(double)> f("many_numbers",
                                           "double x = x0; for (int k = 0; k < 3; ++k) { " + steps(0, 150) + "} return x;");
    expect_near(f, [](double x) {
        for (std::int64_t k = 0; k < rounds; ++k) x = after_steps(x, 0, 150);
        return x;
    });
    EXPECT_KERNELS(1, f(array<double>{1, 2, 3}));
}

TEST(FunctionRoom, OtherNumbersCompileNothing) {
    const frit_test::with_engine compiled(frit_test::compiled_engines().back());
    const auto run = [](int first) {
        const frit::function<double(double)> f(
            "other_numbers", "double x = x0; for (int k = 0; k < 3; ++k) { " + steps(first, 120) + "} return x;");
        return array<double>(f(frit::zeros<double>({300}))).to_vector()[0];
    };
    const double before = run(0);
    frit::synchronize();
    const std::uint64_t kernels = frit_test::new_kernels();
    EXPECT_NE(run(7), before);
    EXPECT_EQ(frit_test::new_kernels(), kernels);
}

TEST(FunctionRoom, CallsShareNumbers) {
    const frit::function<double(double)> helper("ten_numbers", "double x = x0; " + steps(0, 10) + "return x;");
    const frit::function<double(double)> f("seven_calls", R"(
        double x = x0;
        for (int k = 0; k < 3; ++k)
            x = ten_numbers(ten_numbers(ten_numbers(ten_numbers(ten_numbers(ten_numbers(ten_numbers(x)))))));
        return x;)");
    expect_near(f, [](double x) {
        for (std::int64_t k = 0; k < 7 * rounds; ++k) x = after_steps(x, 0, 10);
        return x;
    });
    const auto iterated = [&](const auto& x) {
        return frit::iterate(3, x, [&](const auto& v) { return helper(helper(helper(helper(helper(helper(helper(v))))))); });
    };
    expect_near(iterated, [](double x) {
        for (std::int64_t k = 0; k < 7 * rounds; ++k) x = after_steps(x, 0, 10);
        return x;
    });
}

// In scan_along, too, and of every type that numbers have; other numbers are other constants.
TEST(FunctionRoom, ManyNumbersInASweep) {
    const frit::function<double(double, double)> f("sweep_step", "double x = x0 + x1; " + steps(0, 100) + "return x;");
    const frit::function<double(double, double)> g("sweep_step", "double x = x0 + x1; " + steps(5, 100) + "return x;");
    std::string whole = "unsigned s = x0; ";
    for (int k = 0; k < 100; ++k)
        whole += "s = s * " + std::to_string(2 * k + 3) + "u + (s >> " + std::to_string(k % 7 + 1) + "); ";
    const frit::function<std::uint32_t(std::uint32_t)> hash(
        "many_whole", "for (int k = 0; k < 3; ++k) { " + whole + "x0 = s; } return x0;");
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const array<double> x{1, 2, 3};
        const auto swept = [&](const auto& step) {
            return array<double>(frit::scan_along(
                                     0, 0.0, [&](const auto& s, const auto& v) { return step(s, v); }, x))
                .to_vector();
        };
        double s = 0, t = 0;
        for (int k = 0; k < 3; ++k) {
            s = after_steps(s + k + 1, 0, 100);
            t = after_steps(t + k + 1, 5, 100);
            EXPECT_NEAR(swept(f)[static_cast<std::size_t>(k)], s, 1e-12);
            EXPECT_NEAR(swept(g)[static_cast<std::size_t>(k)], t, 1e-12);
        }
        std::uint32_t want = 12345;
        for (int round = 0; round < 3; ++round)
            for (std::uint32_t k = 0; k < 100; ++k) want = want * (2 * k + 3) + (want >> (k % 7 + 1));
        EXPECT_EQ(array<std::uint32_t>(hash(array<std::uint32_t>{12345})).to_vector(), std::vector<std::uint32_t>{want});
    });
}

/// What a loop has made of a and b, element by element.
template <class F>
void expect_elements(const array<double>& got, F wanted) {
    const std::vector<double> elements = got.to_vector();
    constexpr double a[] = {1, 2, 3}, b[] = {5, 7, 11};
    for (std::size_t k = 0; k < 3; ++k) {
        const double want = wanted(a[k], b[k]);
        EXPECT_NEAR(elements[k], want, 1e-9 * want);
    }
}

// Formulas of what does not change are computed in the loop where there is no room for them; sums of such stay outside.
TEST(FunctionRoom, ManyFormulasInALoop) {
    const array<double> a{1, 2, 3}, b{5, 7, 11};
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const array<double> got = frit::iterate(3, frit::zeros<double>({3}), [&](const auto& v) {
            const array<double> product = a * b;
            array<double> s = v + sum(product) + (product - 1.0);
            for (int k = 0; k < 40; ++k) {
                const array<double> power = a * static_cast<double>(k);
                s = s * 0.5 + (power + b) * frit::sum(a * (b + k)) + where(a < k, power, b);
            }
            return s;
        });
        expect_elements(got, [](double x, double y) {
            double s = 0;
            for (int round = 0; round < 3; ++round) {
                s += 52 + (x * y - 1);
                for (int k = 0; k < 40; ++k) s = s * 0.5 + (x * k + y) * (52 + 6 * k) + (x < k ? x * k : y);
            }
            return s;
        });
    });
}

// What only those sums read takes no room of the loop.
TEST(FunctionRoom, FormulasOfSumsOutside) {
    const array<double> a{1, 2, 3}, b{5, 7, 11};
    std::vector<array<double>> factors;
    for (int k = 0; k < 70; ++k) factors.push_back(array<double>{1.0 + k, 2, 3}.eval());
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const array<double> got = frit::iterate(3, frit::zeros<double>({3}), [&](const auto& v) {
            array<double> s = v;
            for (std::size_t k = 0; k < 70; k += 2) {
                const array<double> product = factors[k] * factors[k + 1];
                s = s * 0.5 + sum(product);
            }
            for (int k = 0; k < 30; ++k) {
                const array<double> scaled = a * static_cast<double>(k) + b;
                s = s + scaled * 2.0;
            }
            return s;
        });
        expect_elements(got, [](double x, double y) {
            double s = 0;
            for (int round = 0; round < 3; ++round) {
                for (int k = 0; k < 70; k += 2) s = s * 0.5 + (1.0 + k) * (2 + k) + 13;
                for (int k = 0; k < 30; ++k) s += 2 * (x * k + y);
            }
            return s;
        });
    });
}

// Of 16-bit floats, too: bits as the same formulas have them outside of a loop.
template <class T>
void expect_room_for_short_numbers() {
    const array<T> x{T(-1), T(0), T(0.5), T(3)};
    const auto step = [](const array<T>& v) {
        array<T> s = v;
        for (int k = 0; k < 130; ++k) s = s * T(0.5F + 0.01F * static_cast<float>(k % 40)) + T(0.1F * static_cast<float>(k));
        return s;
    };
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const array<T> got = frit::iterate(2, x, [&](const auto& v) { return step(v); });
        const array<T> once = step(x).eval(), twice = step(once).eval();
        EXPECT_TRUE(frit::array_equal(got, twice));
        EXPECT_GT(frit::max(abs(twice)).item(), T(1)) << "numbers that are no numbers would be equal too";
    });
}
TEST(FunctionRoom, ManyShortNumbersInALoop) {
    expect_room_for_short_numbers<frit::half>();
    expect_room_for_short_numbers<frit::bfloat16>();
}

// Loops whose numbers are a part of them are let go of when they have not been used for long; who has one keeps it.
TEST(FunctionRoom, LoopsOfOtherConstantsAreNotKeptForEver) {
    const array<double> x{1, 2};
    const auto loop = [&](int first) {
        return frit::iterate(2, x, [first](const auto& v) {
            array<double> s = v;
            for (int k = 0; k < 65; ++k) s = s + static_cast<double>(first + k);
            return s;
        });
    };
    const array<double> held = loop(0);
    constexpr std::size_t kept = 1024;
    for (int k = 1; k < 1200; ++k) (void)array<double>(loop(k));
    EXPECT_LE(frit::detail::known_region::alive, kept + 1);
    EXPECT_GE(frit::detail::known_region::alive, kept);
    const double sum = 65 * 64 / 2;
    EXPECT_EQ(held.to_vector(), (std::vector<double>{1 + 2 * sum, 2 + 2 * sum}));
    EXPECT_EQ(array<double>(loop(3)).to_vector(), (std::vector<double>{1 + 2 * (sum + 3 * 65), 2 + 2 * (sum + 3 * 65)}));
}

// One that comes again has its plan.
TEST(FunctionRoom, LoopsThatComeAgainArePlannedOnce) {
    const auto run = [] {
        const array<double> x{1, 2};
        return array<double>(frit::iterate(3, x, [](const auto& v) { return v * 2.0; })).to_vector();
    };
    EXPECT_EQ(run(), (std::vector<double>{8, 16}));
    const std::uint64_t plans = frit::stats().plans_built;
    for (int k = 0; k < 3; ++k) EXPECT_EQ(run(), (std::vector<double>{8, 16}));
    EXPECT_EQ(frit::stats().plans_built, plans);
}

TEST(FunctionRoom, TooManyVariables) {
    std::string text = "double s = 0;\n", sum;
    for (int k = 0; k < 70; ++k) {
        text += "double a" + std::to_string(k) + " = x0 + " + std::to_string(k) + "; ";
        sum += "a" + std::to_string(k) + " += 1; ";
    }
    const frit::function<double(double)> f("wide", text + "\n  while (s < 3) { s += 1; " + sum + "} return s + a69;");
    EXPECT_ERROR((void)f(array<double>{1}), frit::compile_error, "function wide, line 3, column 3", "more than 62",
                 "test_function_room.cpp");
    const array<double> x{1};
    EXPECT_ERROR((void)frit::iterate(3, x,
                                     [&](const auto& v) {
                                         array<double> all = v;
                                         for (int k = 0; k < 70; ++k) all = all + array<double>{1.0 * k};
                                         return all;
                                     }),
                 frit::error, "iterate: states and arrays", "room for 62");
}

}  // namespace
