// Random programs (seeded) through the interpreter fused and unfused, and some through the compiling engine. What only
// elementwise ops made has equal bits everywhere; everything lies within the bound that the reference tracked.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <iomanip>

#include "tests/differential/random_program.hpp"
#include "tests/support/engines.hpp"

namespace {
using frit_test::random_program;
using frit_test::variable;

/// FRIT_TEST_FIRST_SEED=50000 looks at other programs than the usual ones.
std::uint64_t first_seed() {
    const char* other = std::getenv("FRIT_TEST_FIRST_SEED");
    return other ? std::strtoull(other, nullptr, 10) : 1000;
}

/// FRIT_TEST_PROGRAMS=300 runs fewer of them: where many processes share the work.
std::uint64_t programs() {
    const char* other = std::getenv("FRIT_TEST_PROGRAMS");
    return other ? std::strtoull(other, nullptr, 10) : 5000;
}

struct result {
    std::vector<std::vector<long double>> values;
    std::vector<variable> variables;
    std::string text;
};

result run(random_program& p) {
    result r;
    r.variables = p.run();
    for (const variable& v : r.variables) r.values.push_back(frit_test::read_variable(v));
    r.text = p.text();
    return r;
}

struct tally {
    std::uint64_t checked = 0, unknown = 0;
};

/// False after a failure, which it reports with the seed and the program.
bool agrees_with_reference(const result& r, std::uint64_t seed, const char* how, tally& t) {
    for (std::size_t v = 0; v < r.variables.size(); ++v) {
        const ref::array& want = r.variables[v].plain;
        if (r.values[v].size() != want.data.size()) {
            ADD_FAILURE() << how << ", seed " << seed << ": size of " << r.variables[v].name << "\n" << r.text;
            return false;
        }
        for (std::size_t k = 0; k < want.data.size(); ++k) {
            const ref::number& w = want.data[k];
            const long double got = r.values[v][k];
            if (!w.known()) {
                ++t.unknown;
                continue;
            }
            ++t.checked;
            if ((std::isnan(got) && std::isnan(w.v)) || got == w.v || std::fabs(got - w.v) <= w.err) continue;
            ADD_FAILURE() << std::setprecision(20) << how << ", seed " << seed << ": element " << k << " of "
                          << r.variables[v].name << " is " << got << ", want " << w.v << " within " << w.err << "\n"
                          << r.text;
            return false;
        }
    }
    return true;
}

bool same_bits(const result& a, const result& b, std::uint64_t seed, const char* how) {
    for (std::size_t v = 0; v < a.variables.size(); ++v) {
        if (a.variables[v].plain.inexact_reduction) continue;
        for (std::size_t k = 0; k < a.values[v].size(); ++k) {
            const long double x = a.values[v][k], y = b.values[v][k];
            if ((std::isnan(x) && std::isnan(y)) || (x == y && std::signbit(x) == std::signbit(y))) continue;
            ADD_FAILURE() << std::setprecision(20) << how << ", seed " << seed << ": element " << k << " of "
                          << a.variables[v].name << " is " << y << ", fused by the interpreter " << x << "\n"
                          << a.text;
            return false;
        }
    }
    return true;
}

/// A test must not pass by knowing nothing.
void expect_mostly_known(const tally& t) {
    EXPECT_GT(t.checked, 100 * programs());
    EXPECT_LT(static_cast<double>(t.unknown), 0.1 * static_cast<double>(t.checked));
}

TEST(RandomGraphs, InterpreterFusedAndUnfused) {
    tally t;
    int failures = 0;
    for (std::uint64_t seed = first_seed(); seed < first_seed() + programs() && failures < 3; ++seed) {
        const int steps = 6 + static_cast<int>(seed % 40);
        random_program first(seed, steps), second(seed, steps);
        try {
            const frit_test::with_engine interpreter(frit_test::engine::interpreter);
            const result fused = run(first);
            const frit_test::without_fusion off;
            const result unfused = run(second);
            if (!agrees_with_reference(fused, seed, "fused", t) || !agrees_with_reference(unfused, seed, "unfused", t) ||
                !same_bits(fused, unfused, seed, "unfused"))
                ++failures;
        } catch (const std::exception& e) {
            ADD_FAILURE() << "seed " << seed << ", " << steps << " steps threw: " << e.what() << "\n"
                          << (second.text().empty() ? first.text() : second.text());
            ++failures;
        }
    }
    expect_mostly_known(t);
}

// Short programs: what is compiled is few kernels each.
TEST(RandomGraphs, Compiled) {
    tally t;
    int failures = 0;
    for (std::uint64_t seed = first_seed() + 10'000; seed < first_seed() + 10'300 && failures < 3; ++seed) {
        const int steps = 5 + static_cast<int>(seed % 6);
        random_program first(seed, steps), second(seed, steps);
        try {
            result interpreted;
            {
                const frit_test::with_engine interpreter(frit_test::engine::interpreter);
                interpreted = run(first);
            }
            const frit_test::with_engine cxx(frit_test::engine::cxx);
            const result compiled = run(second);
            if (!agrees_with_reference(compiled, seed, "cxx", t) || !same_bits(interpreted, compiled, seed, "cxx"))
                ++failures;
        } catch (const std::exception& e) {
            ADD_FAILURE() << "seed " << seed << ", " << steps << " steps threw: " << e.what() << "\n"
                          << (second.text().empty() ? first.text() : second.text());
            ++failures;
        }
    }
    EXPECT_GT(t.checked, 10'000U);
}

// One seed, for whoever hunts a failure: FRIT_TEST_SEED=1234 FRIT_TEST_STEPS=12 frit_test_differential
// --gtest_filter=*OneSeed
TEST(RandomGraphs, OneSeed) {
    const char* seed = std::getenv("FRIT_TEST_SEED");
    if (!seed) GTEST_SKIP() << "FRIT_TEST_SEED is not set";
    const char* steps = std::getenv("FRIT_TEST_STEPS");
    const std::uint64_t number = std::strtoull(seed, nullptr, 10);
    random_program p(number, steps ? std::atoi(steps) : 12);
    p.echo = true;
    tally t;
    agrees_with_reference(run(p), number, "one seed", t);
}

}  // namespace
