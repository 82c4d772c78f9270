// unique_values and its family of integers, by tables over their range and by sorts: the same results, which are those of a
// map. Ranges anywhere in each dtype, at the length from which on a table would be too long, and of one value.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "frit/frit.hpp"
#include "src/base/threads.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"

namespace {

using frit::any_array;
using frit::arange;
using frit::array;
using frit::shape;
using longs = std::vector<std::int64_t>;

bool on_gpu() { return !frit::default_device().is_cpu(); }

/// As few elements as may have a table.
std::int64_t few() { return on_gpu() ? 1 << 20 : 4096; }

template <class T>
struct answers {
    std::vector<T> values;
    longs indices, inverse, counts;
    explicit answers(const std::vector<T>& x) {
        struct group {
            std::int64_t first, count = 0, number = 0;
        };
        std::map<T, group> groups;
        for (std::size_t k = 0; k < x.size(); ++k)
            ++groups.try_emplace(x[k], group{static_cast<std::int64_t>(k)}).first->second.count;
        for (auto& [value, g] : groups) {
            g.number = static_cast<std::int64_t>(values.size());
            values.push_back(value);
            indices.push_back(g.first);
            counts.push_back(g.count);
        }
        for (const T v : x) inverse.push_back(groups[v].number);
    }
};

template <class T>
void check(const array<T>& x, const std::vector<T>& plain) {
    const answers<T> want(plain);
    EXPECT_TRUE(unique_values(x).to_vector() == want.values);
    EXPECT_TRUE(unique(any_array(x)).template to_vector<T>() == want.values) << "any_array";
    const auto [counted, counts] = unique_counts(x);
    EXPECT_TRUE(counted.to_vector() == want.values);
    EXPECT_TRUE(counts.to_vector() == want.counts);
    const auto [looked_up, inverse] = unique_inverse(x);
    EXPECT_TRUE(looked_up.to_vector() == want.values);
    EXPECT_EQ(inverse.shape(), x.shape());
    EXPECT_TRUE(inverse.to_vector() == want.inverse);
    const auto [values, indices, back, often] = unique_all(x);
    EXPECT_TRUE(values.to_vector() == want.values);
    EXPECT_TRUE(indices.to_vector() == want.indices);
    EXPECT_TRUE(back.to_vector() == want.inverse);
    EXPECT_TRUE(often.to_vector() == want.counts);
}

/// n elements from `least` on, over so many values, both ends among them; every third value is left out.
template <class T>
std::vector<T> elements(std::int64_t n, T least, std::uint64_t values) {
    std::vector<T> x(static_cast<std::size_t>(n));
    std::uint64_t state = 88172645463325252U;
    for (T& v : x) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        std::uint64_t k = state % values;
        if (k % 3 == 1) --k;
        v = static_cast<T>(static_cast<std::uint64_t>(least) + k);
    }
    x[x.size() / 2] = least;
    x[x.size() / 3] = static_cast<T>(static_cast<std::uint64_t>(least) + values - 1);
    return x;
}

template <class T>
class UniqueIntegers : public testing::Test {};
using integers = testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                                std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(UniqueIntegers, integers);

TYPED_TEST(UniqueIntegers, OfAnyRange) {
    using T = TypeParam;
    using limits = std::numeric_limits<T>;
    std::size_t cases = 0;
    frit_test::everywhere([&](const std::string& where) {
        SCOPED_TRACE(where);
        for (const std::int64_t n : {few() - 1, few() + 37}) {
            const auto longest = static_cast<std::uint64_t>(n / 8);
            for (const std::uint64_t values :
                 {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{100}, longest, longest + 1}) {
                if (n < few() && values != 100) continue;
                if (values > std::uint64_t{1} << 8 && sizeof(T) == 1) continue;
                if (values > std::uint64_t{1} << 16 && sizeof(T) == 2) continue;
                const T last = static_cast<T>(limits::max() - static_cast<T>(values - 1));
                const T middle = std::is_signed_v<T> ? static_cast<T>(0 - static_cast<T>(values / 2))
                                                     : static_cast<T>(limits::max() / 2 - static_cast<T>(values / 2));
                for (const T least : {limits::min(), last, middle}) {
                    if (on_gpu() && !frit_test::sampled(cases++, 3)) continue;
                    SCOPED_TRACE(std::to_string(n) + " of " + std::to_string(values) + " from " + std::to_string(least));
                    const std::vector<T> plain = elements<T>(n, least, values);
                    check<T>(frit::from_host(plain), plain);
                }
            }
        }
    });
}

// What 64 bits hold: the length of the range is beyond them.
TYPED_TEST(UniqueIntegers, FromOneEndToTheOther) {
    using T = TypeParam;
    std::vector<T> plain = elements<T>(few(), T(3), 20);
    plain[7] = std::numeric_limits<T>::min();
    plain[9] = plain[11] = std::numeric_limits<T>::max();
    check<T>(frit::from_host(plain), plain);
}

TEST(UniqueTables, OfBoolsFormulasAndAxes) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const std::int64_t n = few();
        const array<std::int64_t> k = arange<std::int64_t>(n).eval();
        const auto [truths, often] = unique_counts(k % 3 == 1);
        EXPECT_EQ(truths.to_vector(), (std::vector<bool>{false, true}));
        EXPECT_EQ(often.to_vector(), (longs{n - (n + 1) / 3, (n + 1) / 3}));
        EXPECT_EQ(unique_values(k < n).to_vector(), std::vector<bool>{true});
        EXPECT_EQ(unique_values(k * 2 % 10 - 4).to_vector(), (longs{-4, -2, 0, 2, 4}));
        const array<std::int64_t> square = (k % 7).reshape({64, -1});
        const auto [values, inverse] = unique_inverse(square.T());
        EXPECT_EQ(values.to_vector(), (longs{0, 1, 2, 3, 4, 5, 6}));
        EXPECT_EQ(inverse.shape(), (shape{n / 64, 64}));
        EXPECT_TRUE(array_equal(inverse, square.T()));
        EXPECT_EQ(unique_values(square(frit::all, frit::slice(0, frit::none, 7))(0)).to_vector(), longs{0});
    });
}

TEST(UniqueTables, AnyNumberOfThreadsGivesTheSame) {
    auto& pool = frit::detail::thread_pool::instance();
    const int before = pool.size();
    const std::vector<std::int32_t> few_values = elements<std::int32_t>(1'500'000, -5000, 10'000),
                                    many_values = elements<std::int32_t>(1'500'000, 7, 150'000);
    for (const int threads : {1, 2, 5}) {
        pool.resize(threads);
        for (const auto& plain : {few_values, many_values}) check<std::int32_t>(frit::from_host(plain), plain);
    }
    pool.resize(before);
}

/// The calls of libraries that planning and evaluating take, and the bytes that are written.
template <class F>
std::pair<std::uint64_t, std::uint64_t> taken_by(const F& f) {
    const frit::counters before = frit::stats();
    f();
    const frit::counters after = frit::stats();
    return {after.library_calls - before.library_calls, after.bytes_written - before.bytes_written};
}

// A sort would write the elements, and places of 8 bytes.
TEST(UniqueTables, WhatTheyTake) {
    const auto n = static_cast<std::uint64_t>(few());
    const array<std::int32_t> narrow =
                                  array<std::int32_t>(frit::cast<std::int32_t>(arange<std::int64_t>(few())) % 100).eval(),
                              wide = array<std::int32_t>(narrow * 100'000).eval();
    const auto values_of = [](const array<std::int32_t>& x) {
        return taken_by([&] { EXPECT_EQ(unique_values(x).to_vector().size(), 100U); });
    };
    const std::uint64_t table = 100 * 8, places = 100 * 8, result = 100 * 4, ends = 2 * 8, number = 8;
    // The ends; a number for each element and a one that is added there, unless a GPU counts where it computes the numbers;
    // the counts, as they begin and as they end, which of them are not 0, and the places of those; the values.
    const auto [calls, written] = values_of(narrow);
    EXPECT_EQ(calls, on_gpu() ? 1U : 2U);
    EXPECT_EQ(written, ends + (on_gpu() ? 0 : 4 * n + number) + 2 * table + 100 + places + number + result);
    const auto [calls_of_sort, sorted] = values_of(wide);
    EXPECT_EQ(calls_of_sort, 2U) << "too far apart: sorted";
    EXPECT_GT(sorted, 4 * n + 8 * n);
}

}  // namespace
