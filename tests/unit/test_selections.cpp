// Selections against sorts: elements at ranks, the largest, partitions; every dtype, ties, NaNs and zeros, rows that are
// short, long and many, any number of threads; and the same through the functions, along any axis of anything that has
// elements.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include <frit/frit.hpp>
#include "src/base/threads.hpp"
#include "src/cpu/select.hpp"
#include "src/cpu/sort.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/libraries.hpp"

namespace {

using frit::array;
using frit::detail::dense_rows;
using frit::detail::ranked_rows;
using frit::detail::thread_pool;
using longs = std::vector<std::int64_t>;

/// The pool at another size until the end of the test.
class threads {
public:
    explicit threads(int n) : before_(thread_pool::instance().size()) { thread_pool::instance().resize(n); }
    ~threads() { thread_pool::instance().resize(before_); }

private:
    int before_;
};

enum class kind { bits, few_values, one_value, rising, falling, close, zeros };
constexpr kind kinds[] = {kind::bits,    kind::few_values, kind::one_value, kind::rising,
                          kind::falling, kind::close,      kind::zeros};

template <class T>
T element(kind of, std::int64_t k, std::int64_t n, std::mt19937_64& random) {
    const std::uint64_t r = random();
    if constexpr (frit::is_complex(frit::dtype_of<T>)) {
        using part = typename T::value_type;
        const part re = element<part>(of == kind::bits ? kind::few_values : of, k, n, random);
        const part im = element<part>(of, k, n, random);
        return {re, im};
    } else if constexpr (std::is_same_v<T, bool>) {
        return of == kind::one_value || (of == kind::rising ? k > n / 2 : r % 2);
    } else {
        const auto small = [&](std::int64_t v) { return static_cast<T>(static_cast<float>(v)); };
        T any;
        std::memcpy(static_cast<void*>(&any), &r, sizeof any);
        switch (of) {
            case kind::bits: return any;  // NaNs of all kinds too
            case kind::few_values: return small(static_cast<std::int64_t>(r % 7) - (std::is_unsigned_v<T> ? 0 : 3));
            case kind::one_value: return small(3);
            case kind::rising: return small(k * 100 / n);
            case kind::falling: return small((n - k) * 100 / n);
            case kind::close: return static_cast<T>(64 + static_cast<float>(r % 1000) / 1024);
            default: return r % 3 == 0 ? small(r % 5 == 0 ? 1 : 0) : static_cast<T>(-small(0));
        }
    }
}

template <class T>
using stored = std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>;

template <class T>
std::vector<stored<T>> elements(kind of, dense_rows c) {
    std::mt19937_64 random(static_cast<unsigned>(c.length) * 31U + static_cast<unsigned>(of));
    std::vector<stored<T>> x;
    for (std::int64_t k = 0; k < c.rows * c.length; ++k)
        x.push_back(static_cast<stored<T>>(element<T>(of, k % c.length, c.length, random)));
    return x;
}

/// As many bytes as are asked for, and no more.
template <class Bytes>
std::vector<std::max_align_t> memory_of(Bytes bytes) {
    return std::vector<std::max_align_t>((bytes + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t));
}

template <class T>
struct sorted_rows {
    std::vector<stored<T>> values;
    longs places;
    sorted_rows(dense_rows c, const std::vector<stored<T>>& x) : values(x.size()), places(x.size()) {
        auto memory = memory_of(sort_workspace(c, {true, false}));
        sort_rows(c, x.data(), values.data(), nullptr, memory.data());
        memory = memory_of(sort_workspace(c, {false, true}));
        sort_rows(c, x.data(), nullptr, places.data(), memory.data());
    }
};

longs some_ranks(std::int64_t n, std::size_t count, std::mt19937_64& random) {
    longs r{n - 1, (n - 1) / 2, n / 2};
    while (r.size() < count) r.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n)));
    r.resize(count);
    return r;
}

template <class T>
void expect_bits(const std::vector<T>& got, const std::vector<T>& want, const std::string& what) {
    ASSERT_EQ(got.size(), want.size());
    if (want.empty()) return;
    ASSERT_EQ(std::memcmp(got.data(), want.data(), want.size() * sizeof(T)), 0) << what;
}

template <class T>
void check_at_ranks(dense_rows c, const std::vector<stored<T>>& x, const sorted_rows<T>& sorted, const std::string& what) {
    std::mt19937_64 random(5);
    for (const bool alike : {true, false})
        for (const std::size_t count : {1U, 3U, 9U, 40U}) {
            const ranked_rows r{c, static_cast<std::int64_t>(count), alike};
            longs ranks;
            for (std::int64_t row = 0; row < (alike ? 1 : c.rows); ++row) {
                const longs own = some_ranks(c.length, count, random);
                ranks.insert(ranks.end(), own.begin(), own.end());
            }
            std::vector<stored<T>> got(static_cast<std::size_t>(c.rows) * count), want;
            for (std::size_t row = 0; row < static_cast<std::size_t>(c.rows); ++row)
                for (std::size_t k = 0; k < count; ++k)
                    want.push_back(sorted.values[row * static_cast<std::size_t>(c.length) +
                                                 static_cast<std::size_t>(ranks[(alike ? 0 : row * count) + k])]);
            auto memory = memory_of(at_ranks_workspace(r));
            rows_at_ranks(r, x.data(), ranks.data(), got.data(), memory.data());
            expect_bits(got, want, what + ", ranks " + std::to_string(count));
        }
}

/// A stable order in which the largest come first: the reversed one of the reversed row.
template <class T>
void check_largest(dense_rows c, const std::vector<stored<T>>& x, const std::string& what) {
    const auto n = static_cast<std::size_t>(c.length);
    std::vector<stored<T>> reversed(x.size());
    for (std::size_t k = 0; k < x.size(); ++k) reversed[k] = x[k / n * n + (n - 1 - k % n)];
    const sorted_rows<T> sorted(c, reversed);
    for (const std::int64_t k : std::set<std::int64_t>{1, c.length / 64, c.length / 10, c.length / 3, c.length}) {
        if (k == 0) continue;
        const auto count = static_cast<std::size_t>(k), size = static_cast<std::size_t>(c.rows) * count;
        std::vector<stored<T>> values(size), want_values;
        longs places(size), want_places, alone(size);
        for (std::size_t row = 0; row < static_cast<std::size_t>(c.rows); ++row)
            for (std::size_t i = 0; i < count; ++i) {
                const auto place = static_cast<std::size_t>(c.length - 1 - sorted.places[row * n + (n - 1 - i)]);
                want_places.push_back(static_cast<std::int64_t>(place));
                want_values.push_back(x[row * n + place]);
            }
        auto memory = memory_of(largest_workspace(c, k));
        largest_of_rows(c, k, x.data(), values.data(), places.data(), memory.data());
        largest_of_rows(c, k, x.data(), nullptr, alone.data(), memory.data());
        expect_bits(values, want_values, what + ", the largest " + std::to_string(k));
        ASSERT_EQ(places, want_places) << what << ", the largest " << k;
        ASSERT_EQ(alone, want_places);
    }
}

/// Between the pivots, and among what is equal to one, elements keep their order.
template <class T>
void check_partition(dense_rows c, const std::vector<stored<T>>& x, const sorted_rows<T>& sorted, const std::string& what) {
    const auto n = static_cast<std::size_t>(c.length);
    std::mt19937_64 random(6);
    for (const std::size_t count : {1U, 2U, 16U}) {
        const ranked_rows r{c, static_cast<std::int64_t>(count), true};
        const longs ranks = some_ranks(c.length, count, random);
        std::vector<stored<T>> values(x.size());
        longs places(x.size());
        auto memory = memory_of(partition_workspace(r));
        partition_rows(r, x.data(), ranks.data(), values.data(), places.data(), memory.data());
        for (std::size_t row = 0; row < static_cast<std::size_t>(c.rows); ++row) {
            // each run of places is that of a stretch of the sorted row, in rising order
            const auto begin = places.begin() + static_cast<std::ptrdiff_t>(row * n);
            const auto in_order = sorted.places.begin() + static_cast<std::ptrdiff_t>(row * n);
            std::set<std::int64_t> ends{0, c.length};
            for (const std::int64_t k : ranks) {
                ASSERT_EQ(begin[k], in_order[k]) << what << ", rank " << k;
                ends.insert(k);
                const auto at = static_cast<std::size_t>(k);
                const stored<T> is = values[row * n + at], should = sorted.values[row * n + at];
                if (frit::is_complex(frit::dtype_of<T>)) continue;
                if (should == should) {
                    ASSERT_EQ(std::memcmp(&is, &should, sizeof(T)), 0) << what;
                } else {
                    ASSERT_TRUE(is != is) << what;
                }
            }
            for (auto e = ends.begin(); std::next(e) != ends.end(); ++e) {
                longs got(begin + *e, begin + *std::next(e)), want(in_order + *e, in_order + *std::next(e));
                std::sort(got.begin(), got.end());
                std::sort(want.begin(), want.end());
                ASSERT_EQ(got, want) << what << ", from " << *e;
            }
            std::vector<stored<T>> own(values.begin() + static_cast<std::ptrdiff_t>(row * n),
                                       values.begin() + static_cast<std::ptrdiff_t>((row + 1) * n));
            std::vector<stored<T>> want(own.size());
            const dense_rows one{c.type, 1, c.length};
            auto scratch = memory_of(sort_workspace(one, {true, false}));
            sort_rows(one, own.data(), want.data(), nullptr, scratch.data());
            if (!frit::is_complex(frit::dtype_of<T>)) {
                const std::vector<stored<T>> all(sorted.values.begin() + static_cast<std::ptrdiff_t>(row * n),
                                                 sorted.values.begin() + static_cast<std::ptrdiff_t>((row + 1) * n));
                expect_bits(want, all, what + ", elements are lost");
            }
        }
    }
}

template <class T>
class Selections : public testing::Test {};
template <class, class... T>
using types_of = testing::Types<T...>;
#define FRIT_X(name, T) , T
using array_types = types_of<void FRIT_ARRAY_DTYPES(FRIT_X)>;
#undef FRIT_X
TYPED_TEST_SUITE(Selections, array_types);

TYPED_TEST(Selections, AreWhatSortingPutsThere) {
    using T = TypeParam;
    const auto type = frit::dtype_of<T>;
    for (const dense_rows c :
         {dense_rows{type, 5, 1}, dense_rows{type, 200, 11}, dense_rows{type, 3, 48}, dense_rows{type, 3, 49},
          dense_rows{type, 70, 255}, dense_rows{type, 2, 4097}, dense_rows{type, 1, 30'000}})
        for (const kind k : kinds) {
            const std::string what = std::to_string(c.rows) + " rows of " + std::to_string(c.length) + ", kind " +
                                     std::to_string(static_cast<int>(k));
            const auto x = elements<T>(k, c);
            const sorted_rows<T> sorted(c, x);
            if (!frit::is_complex(type)) check_at_ranks<T>(c, x, sorted, what);
            check_largest<T>(c, x, what);
            check_partition<T>(c, x, sorted, what);
        }
}

// Rows that threads share, rows side by side, and both.
TYPED_TEST(Selections, AnyNumberOfThreadsGivesTheSameBits) {
    using T = TypeParam;
    const auto type = frit::dtype_of<T>;
    for (const dense_rows c : {dense_rows{type, 1, 140'001}, dense_rows{type, 3, 70'000}})
        for (const kind k : {kind::bits, kind::few_values, kind::rising}) {
            const auto x = elements<T>(k, c);
            const sorted_rows<T> sorted(c, x);
            for (const int n : {1, 2, 4}) {
                const threads several(n);
                const std::string what = std::to_string(n) + " threads, kind " + std::to_string(static_cast<int>(k));
                if (!frit::is_complex(type)) check_at_ranks<T>(c, x, sorted, what);
                check_largest<T>(c, x, what);
                check_partition<T>(c, x, sorted, what);
            }
        }
}

// --- through the functions ---

/// The elements at one place of an axis.
template <class T>
array<T> at(const array<T>& x, std::int64_t place, std::int64_t axis) {
    return take(x, array<std::int64_t>{place}, axis);
}

template <class A>
auto sorted_topk(const A& x, std::int64_t k, std::int64_t axis) {
    const auto order = frit::argsort(frit::flip(x, axis), axis);
    const std::int64_t n = x.shape()[static_cast<int>(axis)];
    const auto best = array<std::int64_t>(n - 1 - frit::flip(order, axis));
    return array<std::int64_t>(frit::take(best, frit::arange<std::int64_t>(k), axis));
}

template <class T>
class SelectingFunctions : public testing::Test {};
TYPED_TEST_SUITE(SelectingFunctions, array_types);

TYPED_TEST(SelectingFunctions, AgreeWithSortsAlongAnyAxis) {
    using T = TypeParam;
    FRIT_SKIP_WITHOUT(sort);
    std::vector<float> data(6 * 70 * 9);
    std::mt19937_64 random(7);
    for (float& v : data) v = static_cast<float>(static_cast<int>(random() % 23));
    const array<T> all = frit::cast<T>(array<float>(frit::from_host(data)).reshape({6, 70, 9}));
    all.eval();
    for (const std::int64_t axis : {0, 1, 2}) {
        const std::int64_t n = all.shape()[static_cast<int>(axis)];
        for (const std::int64_t k : std::set<std::int64_t>{0, 1, 5, n}) {
            const auto [values, places] = topk(all, k, axis);
            const array<std::int64_t> want = sorted_topk(all, k, axis);
            ASSERT_EQ(places.to_vector(), want.to_vector()) << "axis " << axis << ", the largest " << k;
            ASSERT_TRUE(frit::all(values == frit::take_along_axis(all, want, axis)).item());
        }
        const array<T> sorted = frit::sort(all, axis);
        const array<std::int64_t> order = frit::argsort(all, axis);
        for (const std::int64_t k : {std::int64_t{0}, n / 2, n - 1}) {
            const array<T> parted = partition(all, k, axis);
            const array<std::int64_t> there = argpartition(all, k - n, axis);
            ASSERT_EQ(at(there, k, axis).to_vector(), at(order, k, axis).to_vector()) << "axis " << axis;
            ASSERT_TRUE(frit::all(frit::take_along_axis(all, there, axis) == parted).item());
            ASSERT_TRUE(frit::all(at(parted, k, axis) == at(sorted, k, axis)).item());
            ASSERT_TRUE(frit::all(frit::sort(parted, axis) == sorted).item());
        }
        if constexpr (!frit::is_complex(frit::dtype_of<T>)) {
            using method = frit::quantile_method;
            const auto lower = quantile(all, 0.5, axis, frit::keepdims, method::lower);
            const auto higher = quantile(all, 0.5, axis, frit::keepdims, method::higher);
            ASSERT_TRUE(frit::all(lower == at(sorted, (n - 1) / 2, axis)).item());
            ASSERT_TRUE(frit::all(higher == at(sorted, n / 2, axis)).item());
            ASSERT_TRUE(frit::all(median(all, axis, frit::keepdims) == (lower + higher) / 2).item());
        }
    }
}

TEST(SelectingFunctions, OfFormulasOfLongRowsAndOfNothing) {
    FRIT_SKIP_WITHOUT(sort);
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<float> x = frit::sin(frit::arange<float>(300'000)).eval();
        const array<float> sorted = frit::sort(x * 2 + 1);
        const auto [values, places] = topk(x * 2 + 1, 100);
        EXPECT_EQ(values.to_vector(), array<float>(frit::flip(sorted, 0)(frit::slice(0, 100))).to_vector());
        EXPECT_TRUE(frit::all(frit::take(x * 2 + 1, places, 0) == values).item());
        EXPECT_EQ(quantile(x * 2 + 1, 0.25, frit::quantile_method::lower).item(), sorted(74'999).item());
        EXPECT_EQ(median(x * 2 + 1).item(), sorted(149'999).item() * 0.5F + sorted(150'000).item() * 0.5F);
        EXPECT_EQ(array<float>(partition(x * 2 + 1, {7, -7}))(7).item(), sorted(7).item());
    });
    const array<int> m = frit::cast<int>(frit::sin(frit::arange<float>(2400)) * 50).reshape({2, 1200});
    const array<int> parted = partition(m, {600, -1, 600, 3}), in_order = frit::sort(m);
    const array<std::int64_t> places = argpartition(m, {600, -1, 600, 3}), order = frit::argsort(m);
    for (const std::int64_t k : {3, 600, 1199}) {
        EXPECT_EQ(at(parted, k, 1).to_vector(), at(in_order, k, 1).to_vector());
        EXPECT_EQ(at(places, k, 1).to_vector(), at(order, k, 1).to_vector());
    }
    EXPECT_EQ(array<int>(take_along_axis(m, places, 1)).to_vector(), parted.to_vector());
    EXPECT_EQ(partition(m, frit::int_list()).to_vector(), m.to_vector());
    const array<float> none = frit::zeros<float>({0, 3});
    EXPECT_EQ(std::get<0>(topk(none, 2)).shape(), (frit::shape{0, 2}));
    EXPECT_EQ(std::get<1>(topk(none, 0, 0)).shape(), (frit::shape{0, 3}));
    EXPECT_EQ(partition(none, 1).shape(), (frit::shape{0, 3}));
    EXPECT_EQ(partition(none, frit::int_list(), 0).to_vector().size(), 0U);
}

}  // namespace
