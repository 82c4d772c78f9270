// What a mask picks of a vector, against a loop: every dtype, any number of elements and of true ones, what lies in memory
// as it is and otherwise, formulas, any number of threads; and what it takes: kernels, calls and bytes.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "frit/frit.hpp"
#include "src/base/threads.hpp"
#include "src/cpu/cpu.hpp"
#include "tests/cuda/library_checks.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"
#include "tests/support/taken.hpp"

namespace {
using frit_test::taken;
using frit_test::taken_by;

using frit::any_array;
using frit::arange;
using frit::array;
using frit::shape;
using frit::slice;

bool on_gpu() { return !frit::default_device().is_cpu(); }

std::uint64_t hashed(std::uint64_t k) {
    k = (k + 1) * 0x9e3779b97f4a7c15U;
    return (k ^ k >> 31) * 0xbf58476d1ce4e5b9U;
}

/// Whether element k of n is true.
struct density {
    const char* name;
    bool (*at)(std::size_t k, std::size_t n);
};
constexpr density densities[] = {
    {"none", [](std::size_t, std::size_t) { return false; }},
    {"all", [](std::size_t, std::size_t) { return true; }},
    {"half", [](std::size_t k, std::size_t) { return hashed(k) >> 63 != 0; }},
    {"a tenth", [](std::size_t k, std::size_t) { return hashed(k) % 10 == 0; }},
    {"one in a hundred", [](std::size_t k, std::size_t) { return hashed(k) % 100 == 0; }},
    {"the first", [](std::size_t k, std::size_t) { return k == 0; }},
    {"the last", [](std::size_t k, std::size_t n) { return k + 1 == n; }},
    {"the second half", [](std::size_t k, std::size_t n) { return k >= n / 2; }},
};
constexpr std::size_t sizes[] = {1, 7, 8, 9, 33, 1000, 5003};

array<bool> mask_of(const density& d, std::size_t n) {
    std::vector<std::uint8_t> m(n);
    for (std::size_t k = 0; k < n; ++k) m[k] = d.at(k, n);
    return array<bool>(frit::cast<bool>(frit::from_host(m))).eval();
}
template <class T>
std::vector<T> picked(const std::vector<T>& x, const density& d) {
    std::vector<T> to;
    for (std::size_t k = 0; k < x.size(); ++k)
        if (d.at(k, x.size())) to.push_back(x[k]);
    return to;
}

#define FRIT_X(name, type) , type
template <class, class... T>
using types_of = testing::Types<T...>;
using array_types = types_of<void FRIT_ARRAY_DTYPES(FRIT_X)>;
#undef FRIT_X

template <class T>
class CompactedOfDtype : public testing::Test {};
TYPED_TEST_SUITE(CompactedOfDtype, array_types);

TYPED_TEST(CompactedOfDtype, AnyNumberOfElements) {
    using T = TypeParam;
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        for (const std::size_t n : sizes) {
            const auto count = static_cast<std::int64_t>(n);
            const array<T> x = array<T>(frit::cast<T>(arange<std::int64_t>(count) * 37 % 101)).eval(),
                           wide = array<T>(frit::cast<T>(arange<std::int64_t>(2 * count) * 31 % 89)).eval();
            const std::vector<T> plain = x.to_vector(), whole = wide.to_vector();
            const std::vector<T> behind(whole.end() - count, whole.end()), turned(plain.rbegin(), plain.rend());
            std::vector<T> even;
            for (std::size_t k = 0; k < n; ++k) even.push_back(whole[2 * k]);
            for (const density& d : densities) {
                SCOPED_TRACE(std::to_string(n) + ", " + d.name);
                const array<bool> m = mask_of(d, n);
                EXPECT_TRUE(x(m).to_vector() == picked(plain, d));
                EXPECT_TRUE(compress(m, x).to_vector() == picked(plain, d));
                EXPECT_TRUE(any_array(x)(m).template to_vector<T>() == picked(plain, d)) << "any_array";
                EXPECT_TRUE(wide(slice(count, frit::none))(m).to_vector() == picked(behind, d)) << "not from the front";
                EXPECT_TRUE(wide(slice(0, frit::none, 2))(m).to_vector() == picked(even, d)) << "every second";
                EXPECT_TRUE(x(slice(frit::none, frit::none, -1))(m).to_vector() == picked(turned, d)) << "turned";
                EXPECT_TRUE(frit::where(m, x, x)(m).to_vector() == picked(plain, d)) << "a formula";
            }
        }
    });
}

// NaNs with all their bits, which no number says.
TEST(Compaction, KeepTheirBits) {
    std::vector<std::uint64_t> bits(1000);
    for (std::size_t k = 0; k < bits.size(); ++k) bits[k] = hashed(k) | 0x7ff0000000000000;
    const array<double> x = array<double>(frit::bit_cast<double>(frit::from_host(bits))).eval();
    const array<std::uint64_t> got = frit::bit_cast<std::uint64_t>(array<double>(x(mask_of(densities[2], 1000))));
    EXPECT_EQ(got.to_vector(), picked(bits, densities[2]));
}

TEST(Compaction, OfAnArrayOfSeveralDimensions) {
    const array<int> x = arange(24).reshape({2, 3, 4}).eval();
    EXPECT_EQ(x(x % 5 == 1).to_vector(), (std::vector<int>{1, 6, 11, 16, 21}));
    EXPECT_EQ(x.T()(x.T() % 5 == 1).to_vector(), (std::vector<int>{16, 1, 21, 6, 11}));
    EXPECT_EQ(x(frit::zeros<bool>({2, 3, 4})).shape(), shape{0});
    EXPECT_EQ(array<int>(x(frit::zeros<bool>({2, 3, 4})) + 1).to_vector(), std::vector<int>{});
    EXPECT_EQ(sum(x(frit::zeros<bool>({2, 3, 4}))).item(), 0);
    const array<int> none = frit::zeros<int>({0});
    EXPECT_EQ(none(none > 0).shape(), shape{0});
}

TEST(Compaction, AnyNumberOfThreadsGivesTheSame) {
    auto& pool = frit::detail::thread_pool::instance();
    const int before = pool.size();
    for (const std::int64_t n : {100'003, 1'000'003})
        for (const density& d : densities) {
            const array<float> x = array<float>(frit::sin(arange<float>(n))).eval();
            const array<bool> m = mask_of(d, static_cast<std::size_t>(n));
            const std::vector<float> want = picked(x.to_vector(), d);
            for (const int threads : {1, 2, 5}) {
                pool.resize(threads);
                EXPECT_TRUE(x(m).to_vector() == want) << n << ", " << d.name << ", " << threads;
            }
        }
    pool.resize(before);
}

TEST(Compaction, KernelsCallsAndBytes) {
    constexpr std::uint64_t n = 1000;
    const array<float> x = frit::sin(arange<float>(n)).eval();
    const array<bool> m = array<bool>(x > 0.5F).eval();
    const std::uint64_t count = static_cast<std::uint64_t>(frit::count_nonzero(m).item()), bytes = 4 * count;
    array<float> y;
    EXPECT_EQ(taken_by([&] { y = x(m); }), (taken{0, 1, n, 8})) << "counts a stored mask";
    EXPECT_EQ(taken_by([&] { y.eval(); }), (taken{0, 1, 5 * n, bytes}));
    EXPECT_EQ(taken_by([&] { y = x(x > 0.5F); }), (taken{1, 0, 4 * n, n + 8})) << "stores one and counts it";
    EXPECT_EQ(taken_by([&] { y.eval(); }), (taken{0, 1, 5 * n, bytes}));
    EXPECT_EQ(taken_by([&] { y = compress(m, x * 2.0F); }), (taken{0, 1, n, 8}));
    EXPECT_EQ(taken_by([&] { y.eval(); }), (taken{1, 1, 9 * n, 4 * n + bytes})) << "a formula is stored";
    EXPECT_EQ(taken_by([&] { EXPECT_GT(sum(x(m) * 2.0F).item(), 0); }), (taken{1, 2, 6 * n + bytes, 8 + bytes + 4}))
        << "what reads it fuses";
}

// A GPU reads the few where they are; rows are read there on any device.
TEST(Compaction, OrReadAtTheirPlaces) {
    const array<float> x = frit::sin(arange<float>(1600)).eval();
    const array<int> k = arange(1600).eval();
    const auto calls = [](const auto& y) { return taken_by([&] { y.eval(); }).calls; };
    EXPECT_EQ(calls(array<float>(x(k < 100))), 1U);
    EXPECT_EQ(calls(array<float>(x(k < 99))), on_gpu() ? 0U : 1U);
    EXPECT_EQ(calls(array<float>(x.reshape({16, 100})(k(slice(0, 16)) < 10))), 0U);
    EXPECT_EQ(calls(array<float>(compress(k(slice(0, 1000)) < 500, x))), 0U) << "a mask that is shorter";
}

// Memory that somebody changes meanwhile: no more is written than there is room for.
TEST(Compaction, StayInTheirMemory) {
    frit::detail::backend& cpu = frit::detail::cpu_backend();
    auto& pool = frit::detail::thread_pool::instance();
    const int before = pool.size();
    for (const int threads : {1, 3}) {
        pool.resize(threads);
        for (const std::size_t n : {std::size_t{100}, std::size_t{300'000}}) {
            const std::vector<unsigned char> mask(n, 1);
            std::vector<std::uint16_t> x(n), to(n, 7);
            for (std::size_t k = 0; k < n; ++k) x[k] = static_cast<std::uint16_t>(k);
            const std::size_t room = n / 2 + 3;
            frit_test::call_with_workspace(
                cpu,
                frit_test::compress_call(frit::dtype::u16, static_cast<std::int64_t>(n), static_cast<std::int64_t>(room)),
                {x.data(), mask.data(), mask.data()}, {to.data()});
            EXPECT_TRUE(std::memcmp(to.data(), x.data(), room * 2) == 0);
            EXPECT_EQ(to[room], 7);
        }
    }
    pool.resize(before);
}

}  // namespace
