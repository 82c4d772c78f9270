// Scans and sorts run for real: on a GPU where there is one, and on the CPU, which checks the tests. References are the
// standard library's, row by row.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "frit/error.hpp"
#include "fusion/ir/word_map.hpp"
#include "tests/cuda/library_checks.hpp"
#include "tests/cuda/specs.hpp"

namespace {

using namespace frit_test;

// A tile of the plugin is 4096 elements, and sorts take long rows one by one.
struct extent {
    std::int64_t rows, length;
};
const extent extents[] = {{1, 1},    {1, 2},       {1, 1000}, {1, 4095}, {1, 4096},  {1, 4097},    {1, 8192},
                          {1, 8193}, {1, 300'001}, {3, 5},    {1000, 7}, {70, 4097}, {2, 140'000}, {5, 1}};

class ScansAndSorts : public ::testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        const bool cpu = std::string(GetParam()) == "cpu";
        if (!cpu && frit::detail::cuda_device_count() == 0) GTEST_SKIP() << "no GPU here";
        device = cpu ? &frit::detail::cpu_backend() : &frit::detail::cuda_backend(0);
        try {
            device->require(row_call(op::sort, dtype::f32, 1, 1));
        } catch (const frit::device_error& e) {
            GTEST_SKIP() << e.what();
        }
    }

    template <class T, class R = T>
    std::vector<R> run(op code, extent e, const std::vector<T>& x, dtype type = frit::dtype_of<T>) {
        const auto from = to_device(*device, x), to = device->allocate(x.size() * sizeof(R));
        const library_call c = row_call(code, type, e.rows, e.length);
        std::vector<void*> results(c.results.size());
        results[frit::library(code).result] = to->data;
        call_with_workspace(*device, c, {from->data}, results);
        return from_device<R>(*device, to, x.size());
    }

    frit::detail::backend* device = nullptr;
};
INSTANTIATE_TEST_SUITE_P(, ScansAndSorts, ::testing::Values("cpu", "cuda"),
                         [](const auto& p) { return std::string(p.param); });

/// Few values, so that many are equal, and the edges of the dtype among them.
template <class T>
std::vector<T> values_with_edges(extent e, std::uint64_t seed) {
    generator g(seed);
    std::vector<T> pool = edges<T>(), values(static_cast<std::size_t>(e.rows * e.length));
    if constexpr (std::is_floating_point_v<T>) pool.push_back(-std::numeric_limits<T>::quiet_NaN());
    for (T& v : values)
        v = g.chance(0.2) ? pool[static_cast<std::size_t>(g.below(static_cast<std::int64_t>(pool.size())))]
                          : static_cast<T>(g.between(-100, 100));
    return values;
}

// vector<bool> has no memory of bools.
template <class T>
using stored = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;

template <class F>
void for_each_type(F f) {
#define FRIT_X(name, type) f(type{});
    FRIT_COMPUTE_DTYPES(FRIT_X)
#undef FRIT_X
}

template <class T>
bool comes_first(T a, T b) {
    return a < b || (b != b && a == a);
}

TEST_P(ScansAndSorts, SortGivesTheValuesInOrder) {
    for_each_type([&]<class E>(E) {
        using T = stored<E>;
        for (const extent& e : extents) {
            std::vector<T> want(static_cast<std::size_t>(e.rows * e.length));
            if constexpr (std::is_same_v<E, bool>) {
                generator g(1);
                for (T& v : want) v = g.chance(0.4);
            } else {
                want = values_with_edges<T>(e, 1);
            }
            const std::vector<T> got = run(op::sort, e, want, frit::dtype_of<E>);
            for (auto row = want.begin(); row != want.end(); row += e.length)
                std::stable_sort(row, row + e.length, [](T a, T b) {
                    return comes_first(a, b) ||
                           (a == b && std::signbit(static_cast<double>(a)) && !std::signbit(static_cast<double>(b)));
                });
            for (std::size_t k = 0; k < want.size(); ++k) {
                if (want[k] != want[k])
                    ASSERT_TRUE(got[k] != got[k]) << k << " of " << e.rows << " x " << e.length;
                else
                    ASSERT_EQ(std::memcmp(&got[k], &want[k], sizeof(T)), 0)
                        << k << " of " << e.rows << " x " << e.length << ": " << +got[k] << ", not " << +want[k];
            }
        }
    });
}

TEST_P(ScansAndSorts, ArgsortIsStable) {
    for_each_type([&]<class E>(E) {
        if constexpr (!std::is_same_v<E, bool>) {
            for (const extent& e : extents) {
                const std::vector<E> x = values_with_edges<E>(e, 2);
                const auto got = run<E, std::int64_t>(op::argsort, e, x);
                std::vector<std::int64_t> want(x.size());
                for (std::int64_t row = 0; row < e.rows; ++row) {
                    const auto first = want.begin() + row * e.length;
                    const E* const values = x.data() + row * e.length;
                    std::iota(first, first + e.length, std::int64_t{0});
                    std::stable_sort(first, first + e.length,
                                     [values](std::int64_t i, std::int64_t j) { return comes_first(values[i], values[j]); });
                }
                ASSERT_EQ(got, want) << e.rows << " x " << e.length;
            }
        }
    });
}

TEST_P(ScansAndSorts, ValuesAndPlacesOfOneCallAreWhatEachAloneIs) {
    for_each_type([&]<class E>(E) {
        using T = stored<E>;
        for (const extent& e : extents) {
            std::vector<T> x(static_cast<std::size_t>(e.rows * e.length));
            generator g(5);
            if constexpr (std::is_same_v<E, bool>)
                for (T& v : x) v = g.chance(0.4);
            else
                x = values_with_edges<T>(e, 5);
            if constexpr (std::is_floating_point_v<E>)
                for (T& v : x)
                    if (g.chance(0.5)) v = g.chance(0.5) ? T(0) : -T(0);
            const auto from = to_device(*device, x), values = device->allocate(x.size() * sizeof(T)),
                       places = device->allocate(x.size() * sizeof(std::int64_t));
            call_with_workspace(*device, row_call(op::sort, frit::dtype_of<E>, e.rows, e.length, {op::argsort}),
                                {from->data}, {values->data, places->data});
            const std::vector<T> got = from_device<T>(*device, values, x.size()),
                                 want = run(op::sort, e, x, frit::dtype_of<E>);
            ASSERT_EQ(std::memcmp(got.data(), want.data(), want.size() * sizeof(T)), 0) << e.rows << " x " << e.length;
            ASSERT_EQ(from_device<std::int64_t>(*device, places, x.size()),
                      (run<T, std::int64_t>(op::argsort, e, x, frit::dtype_of<E>)))
                << e.rows << " x " << e.length;
        }
    });
}

TEST_P(ScansAndSorts, IntegerScansWrapAndMaximaKeepNaN) {
    const auto check = [&]<class T>(T) {
        for (const extent& e : extents) {
            const std::vector<T> x = values_with_edges<T>(e, 3);
            const auto expect = [&](op code, auto combine) {
                std::vector<T> want(x.size());
                for (std::int64_t row = 0; row < e.rows; ++row)
                    std::partial_sum(x.begin() + row * e.length, x.begin() + (row + 1) * e.length,
                                     want.begin() + row * e.length, combine);
                const std::vector<T> got = run(code, e, x);
                for (std::size_t k = 0; k < want.size(); ++k)
                    ASSERT_TRUE(got[k] == want[k] || (got[k] != got[k] && want[k] != want[k]))
                        << k << " of " << e.rows << " x " << e.length << ": " << +got[k] << ", not " << +want[k];
            };
            expect(op::cummax, [](T a, T b) { return a > b || a != a ? a : b; });
            expect(op::cummin, [](T a, T b) { return a < b || a != a ? a : b; });
            if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
                expect(op::cumsum, [](T a, T b) { return static_cast<T>(std::uint64_t(a) + std::uint64_t(b)); });
                expect(op::cumprod, [](T a, T b) { return static_cast<T>(std::uint64_t(a) * std::uint64_t(b)); });
            }
        }
    };
    check(std::int8_t{});
    check(std::uint8_t{});
    check(std::int16_t{});
    check(std::uint16_t{});
    check(std::int32_t{});
    check(std::uint32_t{});
    check(std::int64_t{});
    check(std::uint64_t{});
    check(float{});
    check(double{});
}

// The bound is Higham's for any order: k u sum|x|; of products: k u.
TEST_P(ScansAndSorts, FloatingScansAreNearTheSumsAndTheSameAgain) {
    const auto check = [&]<class T>(T) {
        const long double u = std::numeric_limits<T>::epsilon();
        for (const extent& e : extents) {
            generator g(4);
            std::vector<T> x(static_cast<std::size_t>(e.rows * e.length)), factors(x.size());
            for (T& v : x) v = static_cast<T>(g.uniform(-1, 1));
            for (T& v : factors) v = static_cast<T>(1 + g.uniform(-1e-3, 1e-3));
            const std::vector<T> sums = run(op::cumsum, e, x), products = run(op::cumprod, e, factors);
            for (std::int64_t row = 0; row < e.rows; ++row) {
                long double sum = 0, size = 0, product = 1;
                for (std::int64_t k = 0; k < e.length; ++k) {
                    const auto at = static_cast<std::size_t>(row * e.length + k);
                    sum += x[at];
                    size += std::fabs(x[at]);
                    product *= factors[at];
                    const long double n = static_cast<long double>(k + 1);
                    ASSERT_LE(std::fabs(sums[at] - sum), n * u * size) << k << " of " << e.rows << " x " << e.length;
                    ASSERT_LE(std::fabs(products[at] - product), n * u * product)
                        << k << " of " << e.rows << " x " << e.length;
                }
            }
            for (int again = 0; again < 20; ++again) {
                ASSERT_EQ(run(op::cumsum, e, x), sums) << e.rows << " x " << e.length;
                ASSERT_EQ(run(op::cumprod, e, factors), products) << e.rows << " x " << e.length;
            }
        }
    };
    check(float{});
    check(double{});
}

// Small numbers by the coordinate, made on the device; what comes back is counted.
TEST_P(ScansAndSorts, MoreThanTwoToThe31Elements) {
    if (std::string(GetParam()) == "cpu") GTEST_SKIP() << "on a GPU only: the CPU takes minutes";
    const std::int64_t n = (std::int64_t{1} << 31) + 1'000'003;
    builder k;
    k.spec.index64 = true;
    const int i = k.coord(dtype::i64, 0), period = k.scalar(dtype::i64);
    const int rest = k.apply(op::mod, dtype::i64, i, period);
    k.store(k.apply(op::cast, dtype::i32, rest), "1");
    const auto make = device->prepare(k.spec);
    const auto size = static_cast<std::size_t>(n);
    const frit::fusion::word_map map(k.spec);
    std::vector<std::uint64_t> words(map.layout.size);
    frit::detail::buffer_ref x = device->allocate(size * 4), sorted = device->allocate(size * 4);
    words[map.layout.extents] = static_cast<std::uint64_t>(n);
    words[map.layout.pointers] = reinterpret_cast<std::uint64_t>(x->data);
    words[map.coords[0].step] = 1;
    words[map.scalars[0]] = 251;
    device->launch(*make, k.spec, words);
    call_with_workspace(*device, row_call(op::sort, dtype::i32, 1, n), {x->data}, {sorted->data, nullptr});
    std::vector<std::int32_t> part(1 << 24);
    std::vector<std::int64_t> count(251);
    std::int32_t last = 0;
    for (std::int64_t at = 0; at < n; at += static_cast<std::int64_t>(part.size())) {
        const auto many = static_cast<std::size_t>(std::min<std::int64_t>(n - at, static_cast<std::int64_t>(part.size())));
        device->download(part.data(), *sorted.get(), static_cast<std::size_t>(at) * 4, many * 4);
        for (std::size_t p = 0; p < many; ++p) {
            ASSERT_LE(last, part[p]) << at + static_cast<std::int64_t>(p);
            last = part[p];
            ++count[static_cast<std::size_t>(last)];
        }
    }
    for (std::int64_t v = 0; v < 251; ++v) EXPECT_EQ(count[static_cast<std::size_t>(v)], n / 251 + (v < n % 251)) << v;
    sorted = {};

    // The same bits as tiny floats, whose order is the integers'.
    const frit::detail::buffer_ref maxima = device->allocate(size * 4);
    call_with_workspace(*device, row_call(op::cummax, dtype::f32, 1, n), {x->data}, {maxima->data});
    std::int32_t end = 0;
    device->download(&end, *maxima.get(), (size - 1) * 4, 4);
    EXPECT_EQ(end, 250);
}

}  // namespace
