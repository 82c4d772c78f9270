// A battery of statistical tests on random words: of one long draw, and of streams that are put together from many short
// ones, draw after draw, generator after generator and seed after seed, where a bad choice of counters and keys would show.
// The tests are those of D. E. Knuth, "The Art of Computer Programming", volume 2, section 3.3.2, of G. Marsaglia's Diehard
// battery (1995) and of NIST SP 800-22 (2010). Seeds are fixed, so that a result never changes; and the same tests must find
// out generators that are known to be bad.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <vector>

#include "frit/frit.hpp"

namespace {

using frit::random::generator;
using words = std::vector<std::uint32_t>;

constexpr std::int64_t count = 1 << 18, parts = 256;

/// The probability of a larger value of a standard normal variable.
double normal_tail(double z) { return 0.5 * std::erfc(z / std::sqrt(2)); }

/// The probability of a larger chi-square. (E. B. Wilson, M. M. Hilferty, "The distribution of chi-square", 1931.)
double chi_square_tail(const std::vector<double>& seen, const std::vector<double>& expected) {
    double sum = 0;
    for (std::size_t k = 0; k < seen.size(); ++k) sum += (seen[k] - expected[k]) * (seen[k] - expected[k]) / expected[k];
    const double freedom = static_cast<double>(seen.size()) - 1, width = 2 / (9 * freedom);
    return normal_tail((std::cbrt(sum / freedom) - (1 - width)) / std::sqrt(width));
}

/// As many zeros as ones (NIST, 2.1).
double monobit(const words& w) {
    double ones = 0;
    for (const std::uint32_t v : w) ones += std::popcount(v);
    const double n = 32.0 * static_cast<double>(w.size());
    return normal_tail((2 * ones - n) / std::sqrt(n));
}

/// Runs of equal bits (NIST, 2.3), lowest bit first.
double runs(const words& w) {
    double ones = 0, changes = 1;
    for (std::size_t k = 0; k < w.size(); ++k) {
        ones += std::popcount(w[k]);
        const std::uint32_t next = k + 1 < w.size() ? w[k + 1] & 1 : w[k] >> 31;
        changes += std::popcount(w[k] ^ (w[k] >> 1 | next << 31));
    }
    const double n = 32.0 * static_cast<double>(w.size()), share = ones / n, both = share * (1 - share);
    return normal_tail((changes - 2 * n * both) / (2 * std::sqrt(n) * both));
}

/// Pairs of the words' upper five bits (Knuth, B).
double serial(const words& w) {
    std::vector<double> seen(1024);
    for (std::size_t k = 0; k + 1 < w.size(); k += 2) ++seen[w[k] >> 27 << 5 | w[k + 1] >> 27];
    return chi_square_tail(seen, std::vector<double>(1024, static_cast<double>(w.size()) / 2 / 1024));
}

/// How many different ones there are among five digits, the lower four bits of five words (Knuth, D).
double poker(const words& w) {
    constexpr std::array stirling{1, 15, 25, 10, 1};
    const auto hands = static_cast<double>(w.size() / 5);
    std::vector<double> seen(5), expected(5);
    for (std::size_t k = 0; k + 5 <= w.size(); k += 5) {
        std::uint32_t digits = 0;
        for (std::size_t j = k; j < k + 5; ++j) digits |= 1U << (w[j] & 15);
        ++seen[static_cast<std::size_t>(std::popcount(digits) - 1)];
    }
    double falling = 1;
    for (std::size_t r = 0; r < 5; ++r) {
        falling *= 16 - static_cast<double>(r);
        expected[r] = hands * stirling[r] * falling / std::pow(16, 5);
    }
    return chi_square_tail(seen, expected);
}

/// How far numbers below 1/8 are apart (Knuth, C).
double gap(const words& w) {
    constexpr std::size_t longest = 40;
    std::vector<double> seen(longest + 1), expected(longest + 1);
    std::size_t length = 0;
    double gaps = 0;
    for (const std::uint32_t v : w) {
        if (v >> 29 != 0) {
            ++length;
            continue;
        }
        ++seen[std::min(length, longest)], ++gaps;
        length = 0;
    }
    for (std::size_t k = 0; k < longest; ++k) expected[k] = gaps * std::pow(7 / 8.0, static_cast<double>(k)) / 8;
    expected[longest] = gaps * std::pow(7 / 8.0, static_cast<double>(longest));
    return chi_square_tail(seen, expected);
}

/// How often a distance between neighbours comes again among 512 birthdays in a year of 2^24 days: by Poisson's distribution
/// of mean 2 (Diehard; the words' upper bits).
double birthday_spacings(const words& w) {
    constexpr std::size_t birthdays = 512, most = 6;
    std::vector<double> seen(most + 1), expected(most + 1);
    std::array<std::uint32_t, birthdays> day{};
    for (std::size_t k = 0; k + birthdays <= w.size(); k += birthdays) {
        for (std::size_t j = 0; j < birthdays; ++j) day[j] = w[k + j] >> 8;
        std::sort(day.begin(), day.end());
        std::adjacent_difference(day.begin(), day.end(), day.begin());
        std::sort(day.begin(), day.end());
        std::size_t again = 0;
        for (std::size_t j = 1; j < birthdays; ++j) again += day[j] == day[j - 1];
        ++seen[std::min(again, most)];
    }
    double rest = static_cast<double>(w.size() / birthdays), probability = std::exp(-2) * rest;
    for (std::size_t k = 0; k < most; probability *= 2.0 / static_cast<double>(++k))
        expected[k] = probability, rest -= probability;
    expected[most] = rest;
    return chi_square_tail(seen, expected);
}

/// The rank of matrices of 32 x 32 bits (Diehard): 32, 31 or less.
double matrix_rank(const words& w) {
    std::vector<double> seen(3);
    std::array<std::uint32_t, 32> row{};
    for (std::size_t k = 0; k + 32 <= w.size(); k += 32) {
        std::copy_n(w.begin() + static_cast<std::ptrdiff_t>(k), 32, row.begin());
        int rank = 0;
        for (int bit = 0; bit < 32; ++bit) {
            const auto pivot = std::find_if(row.begin() + rank, row.end(), [&](std::uint32_t r) { return r >> bit & 1; });
            if (pivot == row.end()) continue;
            std::swap(*pivot, row[static_cast<std::size_t>(rank)]);
            const std::uint32_t taken = row[static_cast<std::size_t>(rank++)];
            for (auto r = row.begin() + rank; r != row.end(); ++r)
                if (*r >> bit & 1) *r ^= taken;
        }
        ++seen[static_cast<std::size_t>(std::min(32 - rank, 2))];
    }
    const auto matrices = static_cast<double>(w.size() / 32);
    // Of square random matrices of bits: the product of 1 - 2^-k, and twice that of rank n - 1.
    double full = 1;
    for (int k = 1; k <= 32; ++k) full *= 1 - std::ldexp(1, -k);
    return chi_square_tail(seen, {matrices * full, matrices * 2 * full, matrices * (1 - 3 * full)});
}

/// Balls that meet another one, 2^14 into 2^20 urns, the words' lower bits (Knuth, I).
double collisions(const words& w) {
    constexpr std::size_t balls = 1 << 14, urns = 1 << 20;
    double met = 0, throws = 0;
    for (std::size_t k = 0; k + balls <= w.size(); k += balls, ++throws) {
        std::vector<bool> taken(urns);
        for (std::size_t j = k; j < k + balls; ++j) {
            const std::size_t at = w[j] & (urns - 1);
            met += taken[at];
            taken[at] = true;
        }
    }
    const double n = balls, m = urns, mean = throws * (n + m * std::expm1(n * std::log1p(-1 / m)));
    return normal_tail((met - mean) / std::sqrt(mean));
}

constexpr struct {
    const char* name;
    double (*tail)(const words&);
} battery[] = {{"monobit", monobit},
               {"runs", runs},
               {"serial", serial},
               {"poker", poker},
               {"gap", gap},
               {"birthday spacings", birthday_spacings},
               {"matrix rank", matrix_rank},
               {"collisions", collisions}};

/// The 48 results below are all in here with a probability of 0.99 where words are random. Seeds are the first that were
/// tried.
bool is_random(double tail) { return tail > 1e-4 && tail < 1 - 1e-4; }

void expect_random(const words& w) {
    ASSERT_EQ(w.size(), static_cast<std::size_t>(count));
    for (const auto& test : battery) {
        const double tail = test.tail(w);
        EXPECT_TRUE(is_random(tail)) << test.name << " " << tail;
    }
}

void append(words& w, generator& g) {
    const words more = g.bits<std::uint32_t>({count / parts}).to_vector();
    w.insert(w.end(), more.begin(), more.end());
}

TEST(RandomBattery, OneDraw) { expect_random(generator(1).bits<std::uint32_t>({count}).to_vector()); }

TEST(RandomBattery, DrawAfterDraw) {
    generator g(2);
    words w;
    for (std::int64_t k = 0; k < parts; ++k) append(w, g);
    expect_random(w);
}

TEST(RandomBattery, OneWordOfEachDraw) {
    // The same block of draws in a row: what differs is one word of the counter.
    std::vector<std::uint32_t> w;
    for (std::uint64_t draw = 0; draw < count; ++draw)
        w.push_back(static_cast<std::uint32_t>(frit::detail::philox_of(0, false, {3, draw})));
    expect_random(w);
}

TEST(RandomBattery, GeneratorAfterGenerator) {
    words w;
    for (generator& g : generator(4).split(parts)) append(w, g);
    expect_random(w);
}

TEST(RandomBattery, SeedAfterSeed) {
    words w;
    for (std::uint64_t seed = 0; seed < parts; ++seed) {
        generator g(seed);
        append(w, g);
    }
    expect_random(w);
}

TEST(RandomBattery, NumbersThatAreMadeOfWords) {
    // The upper and the lower half of integers over the whole range.
    const std::vector<std::uint64_t> both =
        frit::cast<std::uint64_t>(generator(5).integers<std::int64_t>({count / 2}, INT64_MIN, INT64_MAX)).to_vector();
    words w;
    for (const std::uint64_t v : both)
        w.push_back(static_cast<std::uint32_t>(v)), w.push_back(static_cast<std::uint32_t>(v >> 32));
    expect_random(w);
}

/// Bad generators, and the tests that find them out; each test finds one at least.
TEST(RandomBattery, FindsOutBadGenerators) {
    const words good = generator(6).bits<std::uint32_t>({count}).to_vector();
    const auto made = [&](auto next) {
        words w = good;
        for (std::size_t k = 0; k < w.size(); ++k) w[k] = next(k);
        return w;
    };
    std::uint32_t state = 1;
    const words bad[] = {
        made([&](std::size_t) { return state = 1664525U * state + 1013904223U; }),         // periods of lower bits are short
        made([&](std::size_t k) { return static_cast<std::uint32_t>(k) * 0x9E3779B9U; }),  // multiples of the golden ratio
        made([&](std::size_t k) { return good[k] | (k % 8 == 0 ? 1U : 0U) << 5; }),        // a few ones too many
        made([&](std::size_t k) { return good[k] & 0x7fffffffU; }),                        // 31 bits
    };
    for (const auto& test : battery) {
        int found = 0;
        for (const words& w : bad) found += !is_random(test.tail(w));
        EXPECT_GE(found, 1) << test.name;
    }
    for (const words& w : bad)
        EXPECT_TRUE(
            std::any_of(std::begin(battery), std::end(battery), [&](const auto& t) { return !is_random(t.tail(w)); }))
            << "generator " << &w - bad;
}

}  // namespace
