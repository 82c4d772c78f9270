// Random numbers: that they are Philox's, whoever computes them and in whatever pieces; that a draw is stored nowhere; and
// that distributions are what they are called: moments, and the distance of Kolmogorov and Smirnov, at fixed seeds.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include "frit/frit.hpp"
#include "src/base/threads.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/formulas.hpp"
#include "tests/support/kernels.hpp"
#include "tests/support/libraries.hpp"
#include "tests/support/ulp.hpp"
#if __has_include(<Random123/philox.h>)
#include <Random123/philox.h>
#define FRIT_HAS_RANDOM123 1
#endif

namespace {

using frit::any_array;
using frit::array;
using frit::dtype;
using frit::random::generator;
using frit_test::everywhere;

// --- Philox ---

/// As four words of a counter and two of a key.
std::array<std::uint32_t, 4> philox(const std::array<std::uint32_t, 4>& counter, const std::array<std::uint32_t, 2>& key) {
    const auto joined = [](std::uint32_t low, std::uint32_t high) { return std::uint64_t{high} << 32 | low; };
    const frit::detail::random_stream s{joined(key[0], key[1]), joined(counter[2], counter[3])};
    std::array<std::uint32_t, 4> words{};
    for (const std::uint64_t half : {0, 1}) {
        const std::uint64_t both = frit::detail::philox_of(joined(counter[0], counter[1]), half == 1, s);
        words[2 * half] = static_cast<std::uint32_t>(both);
        words[2 * half + 1] = static_cast<std::uint32_t>(both >> 32);
    }
    return words;
}

// Random123 1.14.0, tests/kat_vectors: philox4x32, 10 rounds.
TEST(Random, PhiloxKnownAnswers) {
    constexpr std::uint32_t ones = 0xffffffff;
    using words = std::array<std::uint32_t, 4>;
    EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    EXPECT_EQ(philox({ones, ones, ones, ones}, {ones, ones}), (words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
              (words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

#if FRIT_HAS_RANDOM123
TEST(Random, PhiloxIsRandom123s) {
    r123::Philox4x32 reference;
    for (std::uint32_t k = 0; k < 1000; ++k) {
        const r123::Philox4x32::ctr_type counter{{k * 2654435761U, k, ~k, k * k}};
        const r123::Philox4x32::key_type key{{k ^ 0xdeadbeefU, k * 7}};
        const auto want = reference(counter, key);
        EXPECT_EQ(philox({counter[0], counter[1], counter[2], counter[3]}, {key[0], key[1]}),
                  (std::array<std::uint32_t, 4>{want[0], want[1], want[2], want[3]}));
    }
}
#endif

/// Word w of a draw.
std::uint32_t word(std::uint64_t seed, std::uint64_t draw, std::uint64_t w) {
    const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
    const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
    return philox({low(w / 4), high(w / 4), low(draw), high(draw)}, {low(seed), high(seed)})[w % 4];
}
std::uint64_t long_word(std::uint64_t seed, std::uint64_t draw, std::uint64_t w) {
    return std::uint64_t{word(seed, draw, 2 * w + 1)} << 32 | word(seed, draw, 2 * w);
}

constexpr std::uint64_t seed = 0x0123456789abcdef;

TEST(Random, KernelsMakePhilox) {
    constexpr std::int64_t n = 1003;
    everywhere([](const std::string& engine) {
        SCOPED_TRACE(engine);
        generator g = generator::restore({seed, 0xfedcba9876543210});
        const std::vector<std::uint32_t> words = g.bits<std::uint32_t>({n}).to_vector();
        const std::vector<std::uint64_t> longs = g.bits<std::uint64_t>({n}).to_vector();
        for (std::size_t k = 0; k < words.size(); ++k) {
            ASSERT_EQ(words[k], word(seed, 0xfedcba9876543210, k)) << k;
            ASSERT_EQ(longs[k], long_word(seed, 0xfedcba9876543211, k)) << k;
        }
    });
}

// A GPU's threads have two vectors of four words, half a block's elements apart: ends inside of either.
TEST(Random, WordsUpToAnyEnd) {
    everywhere([](const std::string& engine) {
        SCOPED_TRACE(engine);
        for (const std::int64_t n : {1, 3, 4, 511, 512, 513, 515, 516, 1023, 1024, 1025, 1535, 1537, 2048}) {
            const std::vector<std::uint32_t> words = generator(seed).bits<std::uint32_t>({n}).to_vector();
            ASSERT_EQ(words.size(), static_cast<std::size_t>(n));
            for (std::size_t k = 0; k < words.size(); ++k) ASSERT_EQ(words[k], word(seed, 0, k)) << k << " of " << n;
        }
    });
}

TEST(Random, UniformNumbersAreTheirUpperBits) {
    everywhere([](const std::string& engine) {
        SCOPED_TRACE(engine);
        generator g(seed);
        const std::vector<float> f = g.uniform<float>({501}).to_vector();
        const std::vector<double> d = g.uniform<double>({501}).to_vector();
        const std::vector<float> between = g.uniform<float>({501}, -3, 5.5).to_vector();
        for (std::size_t k = 0; k < f.size(); ++k) {
            ASSERT_EQ(f[k], static_cast<float>(word(seed, 0, k) >> 8) * 0x1p-24F);
            ASSERT_EQ(d[k], static_cast<double>(long_word(seed, 1, k) >> 11) * 0x1p-53);
            ASSERT_EQ(between[k], std::fma(static_cast<float>(word(seed, 2, k) >> 8) * 0x1p-24F, 8.5F, -3.0F));
        }
    });
}

// --- the same numbers, however they are asked for ---

/// Draws of every distribution, for generators of one seed.
std::vector<any_array> draws(generator g, const frit::shape& s) {
    const array<double> w{1, 2, 3, 0.5, 4};
    std::vector<any_array> all{g.uniform<float>(s),
                               g.uniform<double>(s, 2, 3),
                               g.uniform<frit::half>(s),
                               g.uniform<frit::bfloat16>(s, -1, 1),
                               g.integers<std::int32_t>(s, -5, 1000),
                               g.integers<std::uint8_t>(s, 0, 256),
                               g.integers<std::uint64_t>(s, 3, 0xfffffffffffffff0U),
                               g.normal<float>(s),
                               g.normal<double>(s, 1, 2),
                               g.normal<frit::half>(s),
                               g.exponential<float>(s),
                               g.exponential<double>(s, 3),
                               g.gamma<double>(s, 2.5),
                               g.beta<float>(s, 0.5, 2),
                               g.bernoulli(s, 0.25),
                               g.poisson(s, 3.5),
                               g.binomial(s, 20, 0.3),
                               g.choice(w, s),
                               g.choice(w, s, w)};
    return all;
}

std::vector<std::byte> bits_of(const any_array& x) {
    std::vector<std::byte> bits(static_cast<std::size_t>(x.size()) * size_of(x.dtype()));
    frit::detail::read(x.handle().get(), bits.data(), {});
    return bits;
}

TEST(Random, BitsAreEqualOnEveryEngineAndWithoutFusion) {
    std::vector<std::vector<std::byte>> first;
    everywhere([&](const std::string& engine) {
        SCOPED_TRACE(engine);
        const std::vector<any_array> all = draws(generator(7), {3, 5, 41});
        for (std::size_t k = 0; k < all.size(); ++k) {
            if (first.size() == k)
                first.push_back(bits_of(all[k]));
            else
                EXPECT_EQ(bits_of(all[k]), first[k]) << "draw " << k;
        }
    });
}

TEST(Random, ASliceHasTheNumbersOfTheWhole) {
    using frit::slice;
    everywhere([](const std::string& engine) {
        SCOPED_TRACE(engine);
        const std::vector<any_array> whole = draws(generator(7), {40, 33}), again = draws(generator(7), {40, 33});
        for (std::size_t k = 0; k < whole.size(); ++k) {
            const any_array part = whole[k](slice(3, 37, 2), slice(frit::none, frit::none, -3));
            const std::vector<std::byte> lazy = bits_of(part);
            any_array stored = again[k];
            stored.eval();
            EXPECT_EQ(lazy, bits_of(stored(slice(3, 37, 2), slice(frit::none, frit::none, -3)))) << "draw " << k;
        }
    });
}

TEST(Random, NumbersDoNotDependOnTheSize) {
    generator g(11), h(11);
    const std::vector<double> few = g.normal<double>({10}).to_vector(), many = h.normal<double>({100, 10}).to_vector();
    EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
}

TEST(Random, ReadersInTheSameKernelSeeTheSameNumbers) {
    everywhere([](const std::string& engine) {
        SCOPED_TRACE(engine);
        generator g(5);
        const array<float> x = g.uniform<float>({1001}), y = g.normal<float>({1001});
        const array<float> fused = x * 2 + y;
        const std::vector<float> f = fused.to_vector(), a = x.to_vector(), b = y.to_vector();
        for (std::size_t k = 0; k < f.size(); ++k) ASSERT_EQ(f[k], a[k] * 2 + b[k]);
    });
}

TEST(Random, BitsDoNotDependOnThreads) {
    frit::detail::thread_pool& pool = frit::detail::thread_pool::instance();
    const int before = pool.size();
    std::vector<std::vector<std::byte>> of_one;
    for (const int threads : {1, 2}) {
        pool.resize(threads);
        const std::vector<any_array> all = draws(generator(3), {200'003});
        for (std::size_t k = 0; k < all.size(); ++k)
            if (threads == 1)
                of_one.push_back(bits_of(all[k]));
            else
                EXPECT_EQ(bits_of(all[k]), of_one[k]) << "draw " << k;
    }
    pool.resize(before);
}

TEST(Random, ShardsAreSlicesOfOneDraw) {
    generator g(3);
    const std::vector<float> whole = g.uniform<float>({1000}).to_vector();
    std::vector<float> shards;
    for (int k = 0; k < 4; ++k) {
        generator same(3);
        const array<float> part = same.uniform<float>({1000})(frit::slice(250 * k, 250 * (k + 1)));
        const std::vector<float> values = part.to_vector();
        shards.insert(shards.end(), values.begin(), values.end());
    }
    EXPECT_EQ(whole, shards);
}

// --- the generator ---

TEST(Random, EachDrawHasNumbersOfItsOwn) {
    generator g(1);
    std::vector<std::uint64_t> all;
    for (int k = 0; k < 50; ++k)
        for (const std::uint64_t w : g.bits<std::uint64_t>({1000}).to_vector()) all.push_back(w);
    for (generator& child : g.split(50))
        for (const std::uint64_t w : child.bits<std::uint64_t>({1000}).to_vector()) all.push_back(w);
    std::sort(all.begin(), all.end());
    EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end()) << "of 10^5 words of 64 bits, none is there twice";
}

TEST(Random, SavedAndRestoredItGoesOn) {
    generator g(77);
    (void)g.normal<float>({3});
    generator h = generator::restore(g.save());
    EXPECT_EQ(g, h);
    EXPECT_EQ(g.uniform<float>({9}).to_vector(), h.uniform<float>({9}).to_vector());
    EXPECT_EQ(g, h);
    EXPECT_NE(g, generator(77));
}

TEST(Random, JumpSkipsDraws) {
    generator g(8), h(8);
    for (int k = 0; k < 5; ++k) (void)g.uniform<float>({100});
    h.jump(5);
    EXPECT_EQ(g, h);
}

TEST(Random, SplitIsADraw) {
    generator g(8), h(8);
    const std::vector<generator> children = g.split(3);
    (void)h.bits<std::uint64_t>({3});
    EXPECT_EQ(g, h);
    EXPECT_EQ(children.size(), 3U);
    EXPECT_NE(children[0], children[1]);
    generator again(8);
    EXPECT_EQ(again.split(10)[2], children[2]) << "a child does not depend on their number";
}

TEST(Random, AnErrorIsNoDraw) {
    generator g(8);
    EXPECT_ERROR((void)g.uniform<float>({3}, 2, 1), frit::error, "uniform: there are no numbers", "test_random.cpp");
    EXPECT_EQ(g, generator(8));
}

TEST(Random, DtypesAtRunTime) {
    generator g(4), h(4);
    EXPECT_EQ(bits_of(g.uniform(dtype::f32, {100}, 1, 2)), bits_of(h.uniform<float>({100}, 1, 2)));
    EXPECT_EQ(bits_of(g.normal(dtype::f64, {100})), bits_of(h.normal<double>({100})));
    EXPECT_EQ(bits_of(g.integers(dtype::i16, {100}, -3, 9)), bits_of(h.integers<std::int16_t>({100}, -3, 9)));
    EXPECT_EQ(bits_of(g.exponential(dtype::f16, {100})), bits_of(h.exponential<frit::half>({100})));
    EXPECT_EQ(g.uniform(dtype::bf16, {2}).dtype(), dtype::bf16);
}

// --- what is computed and stored ---

TEST(Random, PiIsOneKernelThatStoresNothing) {
    generator g(42);
    constexpr std::int64_t n = 1 << 20;
    const array<float> x = g.uniform<float>({n}), y = g.uniform<float>({n});
    const auto inside = sum(where(x * x + y * y <= 1, 1, 0));
    const frit_test::traffic t = frit_test::evaluate(inside);
    EXPECT_EQ(t.kernels, 1U);
    EXPECT_EQ(t.bytes_read, 0U);
    EXPECT_EQ(t.bytes_written, 8U);
    EXPECT_NEAR(4.0 * static_cast<double>(inside.item()) / n, 3.14159265, 4 * 1.65 / 1024);
}

TEST(Random, NumbersThatAreReadAgainAreComputedAgain) {
    generator g(43);
    const array<float> x = g.uniform<float>({1000}), z = g.normal<float>({1000});
    for (int k = 0; k < 3; ++k) {
        const frit_test::traffic t = frit_test::evaluate(sum(x * z + k));
        EXPECT_EQ(t.kernels, 1U) << k;
        EXPECT_EQ(t.bytes_read, 0U) << k;
        EXPECT_EQ(t.bytes_written, 4U) << k;
    }
    EXPECT_FALSE(frit::detail::is_stored(x.handle().get()));
}

TEST(Random, EachDistributionIsOneKernel) {
    generator g(42);
    EXPECT_KERNELS(1, g.uniform<float>({1000}));
    EXPECT_KERNELS(1, g.uniform<double>({10, 100}, -1, 1));
    EXPECT_KERNELS(1, g.normal<float>({1000}));
    EXPECT_KERNELS(1, g.normal<double>({10, 10, 10}, 3, 2));
    EXPECT_KERNELS(1, g.integers<int>({1000}, 0, 6));
    EXPECT_KERNELS(1, g.exponential<double>({1000}));
    EXPECT_KERNELS(1, g.bernoulli({1000}, 0.5));
    EXPECT_KERNELS(1, mean(square(g.normal<float>({1000}) * 2 + g.uniform<float>({1000}))));
}

TEST(Random, AnotherSeedOrParameterCompilesNothing) {
    const auto draw = [](std::uint64_t of, float lo, float hi) {
        generator g(of);
        return g.uniform<float>({1000}, lo, hi).to_vector();
    };
    const std::vector<float> first = draw(1, 2, 3);
    const std::uint64_t kernels = frit_test::new_kernels(), plans = frit::stats().plans_built;
    EXPECT_NE(first, draw(2, 2, 3));
    EXPECT_NE(first, draw(1, 2, 5));
    EXPECT_EQ(frit_test::new_kernels(), kernels);
    EXPECT_EQ(frit::stats().plans_built, plans);
}

// --- distributions ---

constexpr std::int64_t many = 1 << 18;

/// The distance between the numbers' distribution function and F, times the root of their number: above 1.95 with a
/// probability of 0.001.
double distance(std::vector<double> x, const std::function<double(double)>& F) {
    std::sort(x.begin(), x.end());
    const auto n = static_cast<double>(x.size());
    double most = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        const double f = F(x[k]);
        most = std::max({most, (static_cast<double>(k) + 1) / n - f, f - static_cast<double>(k) / n});
    }
    return most * std::sqrt(n);
}
/// Mean, variance, skewness and kurtosis, each within four standard errors, of which `errors` says how large they are for
/// one number.
void expect_moments(const std::vector<double>& x, const std::array<double, 4>& want, const std::array<double, 4>& errors) {
    const auto n = static_cast<double>(x.size());
    const double mean = std::accumulate(x.begin(), x.end(), 0.0) / n;
    double m2 = 0, m3 = 0, m4 = 0;
    for (const double v : x) {
        const double d = v - mean;
        m2 += d * d / n, m3 += d * d * d / n, m4 += d * d * d * d / n;
    }
    const std::array<double, 4> got{mean, m2, m3 / std::pow(m2, 1.5), m4 / (m2 * m2)};
    for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(got[k], want[k], 4 * errors[k] / std::sqrt(n)) << "moment " << k + 1;
}
std::vector<double> doubles(const any_array& x) { return array<double>(frit::cast<double>(x)).to_vector(); }

TEST(Random, Uniform) {
    generator g(101);
    for (const dtype t : {dtype::f32, dtype::f64}) {
        const std::vector<double> x = doubles(g.uniform(t, {many}, -1, 3));
        EXPECT_LT(distance(x, [](double v) { return (v + 1) / 4; }), 1.95);
        expect_moments(x, {1, 4.0 / 3, 0, 1.8}, {1.155, 1.2, 1.7, 1.8});
        EXPECT_GE(*std::min_element(x.begin(), x.end()), -1);
        EXPECT_LT(*std::max_element(x.begin(), x.end()), 3);
    }
}

TEST(Random, UniformNeverGivesItsUpperBound) {
    generator g(9);
    const auto check = [&](dtype t, const frit::detail::random_parameter& lo, const frit::detail::random_parameter& hi) {
        const any_array x = g.uniform(t, {many}, lo, hi);
        EXPECT_TRUE(array<bool>(frit::all(frit::cast(x, dtype::f64) < hi.number)).item()) << name_of(t) << hi.number;
        EXPECT_TRUE(array<bool>(frit::all(frit::cast(x, dtype::f64) >= lo.number)).item()) << name_of(t) << hi.number;
    };
    for (const dtype t : {dtype::f16, dtype::bf16, dtype::f32, dtype::f64}) {
        check(t, 0, 1);
        check(t, 1, 2);
        check(t, -2, -1);
        check(t, 100, 101);
        check(t, -1, 0);
    }
    const array<float> ends{1, 2, 100};
    const array<float> x = g.uniform<float>({many / 8, 3}, ends, ends + 1);
    EXPECT_TRUE(frit::all(x < ends + 1).item());
    EXPECT_TRUE(frit::all(x >= ends).item());
    EXPECT_EQ(g.uniform<float>({3}, 2, 2).to_vector(), (std::vector<float>{2, 2, 2}));
}

TEST(Random, NormalIsWithinTwoUnitsOfTheInverseOfItsDistribution) {
    const ref::floating_formulas<long double> formulas;
    everywhere([&](const std::string& engine) {
        SCOPED_TRACE(engine);
        generator g(seed);
        const auto check = [&]<class T>(T, std::uint64_t draw) {
            const std::vector<T> z = g.normal<T>({20'000}).to_vector();
            long double worst = 0;
            for (std::size_t k = 0; k < z.size(); ++k) {
                const auto bits =
                    std::is_same_v<T, float> ? std::uint64_t{word(seed, draw, k)} << 32 : long_word(seed, draw, k);
                const bool negative = bits >> 63 != 0;
                const T m = std::is_same_v<T, float> ? static_cast<T>(bits << 1 >> 33) : static_cast<T>(bits << 1 >> 1);
                const T p = std::is_same_v<T, float> ? static_cast<T>(std::fma(static_cast<float>(m), 0x1p-32F, 0x1p-33F))
                                                     : static_cast<T>(std::fma(static_cast<double>(m), 0x1p-64, 0x1p-65));
                const long double want = formulas.normal_isf(static_cast<long double>(p));
                worst = std::max(worst, frit_test::ulp_distance(z[k], negative ? -want : want));
            }
            EXPECT_LE(worst, 2) << sizeof(T);
        };
        check(0.0F, 0);
        check(0.0, 1);
    });
}

// The word's highest bit is the sign and nothing else: of the same word without it comes the same number, 0 included.
TEST(Random, TheSignOfNormalNumbersIsTheirWordsHighestBit) {
    constexpr std::size_t n = 5003;
    everywhere([](const std::string& engine) {
        SCOPED_TRACE(engine);
        generator g(seed);
        const std::vector<float> short_ones = g.normal<float>({n}).to_vector();
        const std::vector<double> long_ones = g.normal<double>({n}).to_vector();
        for (std::size_t k = 0; k < n; ++k) {
            ASSERT_EQ(std::signbit(short_ones[k]), word(seed, 0, k) >> 31 != 0) << k;
            ASSERT_EQ(std::signbit(long_ones[k]), long_word(seed, 1, k) >> 63 != 0) << k;
        }
    });
}

// Far into the tails: probabilities as small as the draws have them.
TEST(Random, TailsOfTheNormalDistribution) {
    const ref::floating_formulas<long double> formulas;
    everywhere([&](const std::string& engine) {
        SCOPED_TRACE(engine);
        const auto check = [&]<class T>(T, int smallest) {
            std::vector<T> p;
            for (int e = -1; e >= smallest; --e)
                for (int k = 0; k < 200; ++k) p.push_back(std::ldexp(static_cast<T>(200 - 0.5 * k) / 200, e));
            // Where engines go over to the formula of the tail.
            for (const T begin : {static_cast<T>(0x1p-10), static_cast<T>(0.02), static_cast<T>(0.5)})
                for (const T beside : {std::nextafter(begin, T(0)), begin, std::nextafter(begin, T(1))})
                    if (beside <= T(0.5)) p.push_back(beside);
            const array<T> z = frit::detail::make<frit::op::normal_isf>(frit::from_host(p));
            const std::vector<T> got = z.to_vector();
            for (std::size_t k = 0; k < p.size(); ++k)
                ASSERT_LE(frit_test::ulp_distance(got[k], formulas.normal_isf(static_cast<long double>(p[k]))), 2)
                    << sizeof(T) << " at " << p[k];
        };
        check(0.0F, -33);
        check(0.0, -65);
    });
}

TEST(Random, Normal) {
    generator g(102);
    for (const dtype t : {dtype::f32, dtype::f64}) {
        const std::vector<double> x = doubles(g.normal(t, {many}, -2, 3));
        EXPECT_LT(distance(x, [](double v) { return std::erfc(-(v + 2) / 3 / std::sqrt(2.0)) / 2; }), 1.95);
        expect_moments(x, {-2, 9, 0, 3}, {3, 9 * std::sqrt(2.0), std::sqrt(6.0), std::sqrt(24.0)});
    }
    const array<float> mean{0, 10}, deviation{1, 4};
    const array<float> x = g.normal<float>({many / 2, 2}, mean, deviation);
    const std::vector<float> m = frit::mean(x, 0).to_vector(), s = frit::stddev(x, 0).to_vector();
    EXPECT_NEAR(m[0], 0, 4 / std::sqrt(many / 2.0));
    EXPECT_NEAR(m[1], 10, 16 / std::sqrt(many / 2.0));
    EXPECT_NEAR(s[0], 1, 3 / std::sqrt(many / 2.0));
    EXPECT_NEAR(s[1], 4, 12 / std::sqrt(many / 2.0));
}

TEST(Random, Exponential) {
    generator g(103);
    for (const dtype t : {dtype::f32, dtype::f64}) {
        const std::vector<double> x = doubles(g.exponential(t, {many}, 2.5));
        EXPECT_LT(distance(x, [](double v) { return -std::expm1(-v / 2.5); }), 1.95);
        expect_moments(x, {2.5, 6.25, 2, 9}, {2.5, 6.25 * std::sqrt(8.0), 10, 150});
        EXPECT_GE(*std::min_element(x.begin(), x.end()), 0);
    }
    EXPECT_FALSE(any(signbit(g.exponential<float>({many}))).item());
}

/// The regularized lower incomplete gamma function: its series, or above a + 1 the continued fraction of the rest, by
/// Lentz's method.
double lower_gamma(double a, double x) {
    if (x <= 0) return 0;
    const double front = std::exp(a * std::log(x) - x - std::lgamma(a));
    if (x < a + 1) {
        double term = 1 / a, sum = term;
        for (int k = 1; k < 10'000 && term > 1e-17 * sum; ++k) sum += term *= x / (a + k);
        return front * sum;
    }
    double b = x + 1 - a, c = 1e300, d = 1 / b, h = d;
    for (int k = 1; k < 10'000; ++k) {
        const double an = -k * (k - a);
        b += 2;
        d = 1 / (an * d + b);
        c = b + an / c;
        h *= d * c;
        if (std::fabs(d * c - 1) < 1e-16) break;
    }
    return 1 - front * h;
}

TEST(Random, Gamma) {
    generator g(112);
    for (const double form : {0.05, 0.5, 1.0, 1.7, 30.0}) {
        const std::vector<double> x = doubles(g.gamma<double>({many / 4}, form, 2));
        EXPECT_LT(distance(x, [form](double v) { return lower_gamma(form, v / 2); }), 1.95) << form;
        const double n = many / 4.0, mean = std::accumulate(x.begin(), x.end(), 0.0) / n;
        EXPECT_NEAR(mean, 2 * form, 4 * 2 * std::sqrt(form / n)) << form;
    }
    const array<float> forms{1, -1, 100};
    const std::vector<float> means = mean(g.gamma<float>({10'000, 3}, forms), 0).to_vector();
    EXPECT_NEAR(means[0], 1, 0.04);
    EXPECT_TRUE(std::isnan(means[1]));
    EXPECT_NEAR(means[2], 100, 0.4);
    expect_moments(doubles(g.gamma<float>({many}, 4, 1)), {4, 4, 1, 4.5}, {2, 8, 6, 60});
}

TEST(Random, Beta) {
    generator g(113);
    for (const double b : {0.5, 1.0, 3.0}) {  // of a = 1 the distribution function is 1 - (1 - x)^b
        const std::vector<double> x = doubles(g.beta<double>({many / 4}, 1, b));
        EXPECT_LT(distance(x, [b](double v) { return -std::expm1(b * std::log1p(-v)); }), 1.95) << b;
    }
    const std::vector<double> arcsine = doubles(g.beta<double>({many / 4}, 0.5, 0.5));
    EXPECT_LT(distance(arcsine, [](double v) { return std::asin(std::sqrt(v)) * 2 / std::acos(-1.0); }), 1.95);
    expect_moments(doubles(g.beta<float>({many}, 2, 2)), {0.5, 0.05, 0, 15.0 / 7}, {0.224, 0.054, 1.5, 2.5});
    EXPECT_TRUE(frit::all(isfinite(g.beta<double>({10'000}, 1e-5, 1e-5))).item()) << "both numbers are below any double";
}

/// Pearson's test: above 5 deviations of the sum that equal probabilities give it, hardly ever.
void expect_frequencies(const std::vector<double>& counts, const std::vector<double>& probabilities) {
    const double n = std::accumulate(counts.begin(), counts.end(), 0.0);
    double sum = 0, cells = 0;
    for (std::size_t k = 0; k < counts.size(); ++k) {
        const double want = n * probabilities[k];
        EXPECT_TRUE(want > 0 || counts[k] == 0) << k;
        if (want < 5) continue;
        sum += (counts[k] - want) * (counts[k] - want) / want, ++cells;
    }
    EXPECT_NEAR(sum, cells - 1, 5 * std::sqrt(2 * cells)) << cells << " cells";
}
std::vector<double> counts_of(const any_array& x, std::size_t cells) {
    std::vector<double> counts(cells);
    for (const double v : doubles(x)) {
        EXPECT_TRUE(v >= 0 && v < static_cast<double>(cells)) << v;
        if (v >= 0 && v < static_cast<double>(cells)) ++counts[static_cast<std::size_t>(v)];
    }
    return counts;
}

TEST(Random, Integers) {
    generator g(104);
    for (const int n : {1, 2, 3, 6, 7, 100, 1000})
        expect_frequencies(counts_of(g.integers<int>({many}, 0, n), static_cast<std::size_t>(n)),
                           std::vector<double>(static_cast<std::size_t>(n), 1.0 / n));
    expect_frequencies(counts_of(frit::cast<int>(g.integers<std::int8_t>({many}, -128, 128)) + 128, 256),
                       std::vector<double>(256, 1.0 / 256));
    // More than half of all words: rejection would throw every third away. The lowest third of the range has a third.
    constexpr std::uint64_t n = 0xc000000000000000;
    const array<std::uint64_t> x = g.integers<std::uint64_t>({many}, 5, n + 5);
    EXPECT_TRUE(frit::all((x >= std::uint64_t{5}) & (x < n + 5)).item());
    EXPECT_NEAR(static_cast<double>(count_nonzero(x < n / 3 + 5).item()) / many, 1.0 / 3, 4 * 0.48 / std::sqrt(many));
    const array<std::int64_t> lo{-10, 0, 7}, hi{-9, 1'000'000'000'000, 7};
    const array<std::int64_t> y = g.integers<std::int64_t>({1000, 3}, lo, hi);
    EXPECT_EQ(max(y, 0).to_vector()[0], -10);
    EXPECT_EQ(max(y, 0).to_vector()[2], 7) << "there is none between 7 and 7";
    EXPECT_GT(max(y, 0).to_vector()[1], 990'000'000'000);
    EXPECT_GE(min(y, 0).to_vector()[1], 0);
}

// The upper word of r n for 128 bits r: an element of two draws.
TEST(Random, IntegersAreTheUpperWordOfAProduct) {
    __extension__ typedef unsigned __int128 wide;
    everywhere([](const std::string& engine) {
        SCOPED_TRACE(engine);
        for (const std::uint64_t n : {std::uint64_t{6}, std::uint64_t{1} << 40, std::uint64_t{0xfedcba9876543211}}) {
            generator g(seed);
            const std::vector<std::uint64_t> x = g.integers<std::uint64_t>({333}, 0, n).to_vector();
            for (std::size_t k = 0; k < x.size(); ++k) {
                const wide low = wide{long_word(seed, 0, k)} * n, high = wide{long_word(seed, 1, k)} * n;
                ASSERT_EQ(x[k], static_cast<std::uint64_t>((high + (low >> 64)) >> 64)) << n << " at " << k;
            }
        }
    });
}

TEST(Random, Bernoulli) {
    generator g(105);
    for (const double p : {0.0, 0.001, 0.3, 0.5, 1.0}) {
        const double share = static_cast<double>(count_nonzero(g.bernoulli({many}, p)).item()) / many;
        EXPECT_NEAR(share, p, 4 * std::sqrt(p * (1 - p) / many)) << p;
    }
    const array<double> p{0, 0.5, 1};
    const std::vector<double> shares = mean(g.bernoulli({many, 3}, p), 0).to_vector();
    EXPECT_EQ(shares[0], 0);
    EXPECT_NEAR(shares[1], 0.5, 2 / std::sqrt(many));
    EXPECT_EQ(shares[2], 1);
}

TEST(Random, Poisson) {
    generator g(106);
    for (const double rate : {0.0, 0.1, 1.0, 7.5, 300.0}) {
        const auto cells = static_cast<std::size_t>(rate + 20 * std::sqrt(rate) + 20);
        std::vector<double> p(cells);
        for (std::size_t k = 0; k < cells; ++k) {
            const auto count = static_cast<double>(k);
            p[k] = rate == 0 ? k == 0 : std::exp(count * std::log(rate) - rate - std::lgamma(count + 1));
        }
        const array<std::int64_t> x = g.poisson({many}, rate);
        expect_frequencies(counts_of(x, cells), p);
        EXPECT_NEAR(mean(x).item(), rate, 4 * std::sqrt(rate / many));
    }
    const std::vector<double> large = doubles(g.poisson({many}, 1e6));
    expect_moments(large, {1e6, 1e6, 0.001, 3}, {1e3, 1.42e6, 2.45, 4.9});
}

TEST(Random, Binomial) {
    generator g(107);
    for (const auto& [n, p] : {std::pair{0, 0.5}, {1, 0.25}, {10, 0.0}, {10, 1.0}, {10, 0.3}, {1000, 0.99}}) {
        const auto cells = static_cast<std::size_t>(n + 1);
        std::vector<double> probabilities(cells);
        for (int k = 0; k <= n; ++k)
            probabilities[static_cast<std::size_t>(k)] =
                std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0)) * std::pow(p, k) *
                std::pow(1 - p, n - k);
        expect_frequencies(counts_of(g.binomial({many}, n, p), cells), probabilities);
    }
    const std::vector<double> large = doubles(g.binomial({many}, 1'000'000, 0.25));
    expect_moments(large, {250'000, 187'500, 0.5 / 433, 3}, {433, 187'500 * 1.42, 2.45, 4.9});
}

// --- permutations and choices ---

TEST(Random, PermutationsHaveEveryNumberOnce) {
    FRIT_SKIP_WITHOUT(argsort);
    generator g(108);
    std::vector<std::int64_t> p = g.permutation(1000).to_vector(), want(1000);
    std::iota(want.begin(), want.end(), 0);
    EXPECT_NE(p, want);
    std::sort(p.begin(), p.end());
    EXPECT_EQ(p, want);
    EXPECT_EQ(g.permutation(0).size(), 0);
    std::vector<double> counts(6);
    for (int k = 0; k < 6000; ++k) {
        const std::vector<std::int64_t> q = g.permutation(3).to_vector();
        ++counts[static_cast<std::size_t>(2 * q[0] + (q[1] > q[2]))];
    }
    expect_frequencies(counts, std::vector<double>(6, 1.0 / 6));
}

TEST(Random, ShuffleMovesRows) {
    FRIT_SKIP_WITHOUT(argsort);
    generator g(109), h(109);
    array<int> x = frit::arange(60).reshape({20, 3});
    const array<int> before = x, moved = h.permutation(before);
    g.shuffle(x);
    EXPECT_EQ(x.to_vector(), moved.to_vector());
    EXPECT_NE(x.to_vector(), before.to_vector());
    EXPECT_EQ(sort(x, 0).eval().to_vector(), before.to_vector());
    EXPECT_TRUE(frit::all(x(frit::all, 1) == x(frit::all, 0) + 1).item());
}

TEST(Random, ChoiceWithReplacement) {
    generator g(110);
    const array<int> x{3, 1, 4, 2};
    expect_frequencies(counts_of(g.choice(x, {many}), 5), {0, 0.25, 0.25, 0.25, 0.25});
    const array<double> w{0, 1, 3, 0};
    expect_frequencies(counts_of(g.choice(x, {many}, w), 5), {0, 0.25, 0, 0, 0.75});
    const array<int> rows = frit::arange(8).reshape({4, 2});
    EXPECT_EQ(frit::array<int>(g.choice(rows, {5, 6})).shape(), (frit::shape{5, 6, 2}));
}

TEST(Random, ChoiceWithoutReplacement) {
    FRIT_SKIP_WITHOUT(argsort);
    generator g(111);
    const array<int> x = frit::arange(100);
    std::vector<int> c = frit::array<int>(g.choice(x, {10, 10}, false)).to_vector(), want(100);
    std::iota(want.begin(), want.end(), 0);
    EXPECT_NE(c, want);
    std::sort(c.begin(), c.end());
    EXPECT_EQ(c, want);
    // The first of two, and the second given the first: 1/6, 2/6 and 3/6.
    const array<double> w{1, 2, 3, 0};
    std::vector<double> counts(12);
    for (int k = 0; k < 12'000; ++k) {
        const std::vector<int> two = frit::array<int>(g.choice(frit::arange(4), {2}, w, false)).to_vector();
        ASSERT_NE(two[0], two[1]);
        ASSERT_LT(std::max(two[0], two[1]), 3);
        ++counts[static_cast<std::size_t>(4 * two[0] + two[1])];
    }
    std::vector<double> probabilities(12);
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            if (a != b) probabilities[static_cast<std::size_t>(4 * a + b)] = (a + 1) / 6.0 * (b + 1) / (5.0 - a);
    expect_frequencies(counts, probabilities);
}

// --- errors ---

TEST(Random, Errors) {
    generator g(1);
    EXPECT_ERROR((void)g.uniform<float>({3}, 0, INFINITY), frit::error, "uniform", "test_random.cpp");
    EXPECT_ERROR((void)g.uniform<float>({3}, -3e38, 3e38), frit::error, "uniform", "test_random.cpp");
    EXPECT_ERROR((void)g.uniform(dtype::i32, {3}), frit::dtype_error, "uniform", "int32", "test_random.cpp");
    EXPECT_ERROR((void)g.uniform<float>({3}, array<float>{1, 2}, 3), frit::shape_error, "uniform", "(2,)", "(3,)",
                 "test_random.cpp");
    EXPECT_ERROR((void)g.normal<float>({3}, 0, -1), frit::error, "normal: the deviation", "test_random.cpp");
    EXPECT_ERROR((void)g.exponential<float>({3}, -1), frit::error, "exponential: the scale", "test_random.cpp");
    EXPECT_ERROR((void)g.gamma<float>({3}, 0), frit::error, "gamma: the form", "test_random.cpp");
    EXPECT_ERROR((void)g.beta<float>({3}, 1, -1), frit::error, "beta: the form", "test_random.cpp");
    EXPECT_ERROR((void)g.bernoulli({3}, 1.5), frit::error, "bernoulli: p is no probability", "test_random.cpp");
    EXPECT_ERROR((void)g.integers<int>({3}, 4, 4), frit::error, "integers: there are no integers", "test_random.cpp");
    EXPECT_ERROR((void)g.integers<int>({3}, 0.5, 4), frit::dtype_error, "integers", "float64", "test_random.cpp");
    EXPECT_ERROR((void)g.integers<std::int8_t>({3}, 0, 129), frit::dtype_error, "hi - 1", "int8", "test_random.cpp");
    EXPECT_ERROR((void)g.integers<std::uint8_t>({3}, -1, 9), frit::dtype_error, "lo", "uint8", "test_random.cpp");
    EXPECT_ERROR((void)g.integers(dtype::f32, {3}, 1, 9), frit::dtype_error, "makes integers", "test_random.cpp");
    EXPECT_ERROR((void)g.poisson({3}, -1), frit::error, "poisson", "test_random.cpp");
    EXPECT_ERROR((void)g.binomial({3}, -1, 0.5), frit::error, "binomial", "test_random.cpp");
    EXPECT_ERROR((void)g.binomial({3}, 3, 2), frit::error, "binomial", "test_random.cpp");
    EXPECT_ERROR((void)g.permutation(-1), frit::error, "permutation", "test_random.cpp");
    EXPECT_ERROR((void)g.split(-1), frit::error, "split", "test_random.cpp");
    const array<int> x{1, 2, 3};
    EXPECT_ERROR((void)g.choice(x, {4}, false), frit::error, "choice: 4 of 3 elements", "test_random.cpp");
    EXPECT_ERROR((void)g.choice(frit::scalar(1), {4}), frit::shape_error, "choice", "axes", "test_random.cpp");
    EXPECT_ERROR((void)g.choice(x, {2}, array<double>{1, 2}), frit::shape_error, "choice", "a weight for each",
                 "test_random.cpp");
    EXPECT_EQ(g, generator(1)) << "no error is a draw";
}

TEST(Random, EmptyDraws) {
    generator g(1);
    EXPECT_EQ(g.normal<float>({0, 3}).to_vector().size(), 0U);
    EXPECT_EQ(g.uniform<float>({}).to_vector().size(), 1U);
    EXPECT_EQ(g.integers<int>({1, 1}, 3, 4).to_vector(), std::vector<int>{3});
}

}  // namespace
