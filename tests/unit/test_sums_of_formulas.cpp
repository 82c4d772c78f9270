// Sums of norms and distances take their formula in without a step of its own (src/cpu/program.cpp), and large results go
// past the caches: neither changes a bit, whatever the shape, the axis, and what is one value for a whole row.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <frit/frit.hpp>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace {

using frit::array;

template <class T>
array<T> values(std::vector<std::int64_t> shape, double step) {
    std::int64_t n = 1;
    for (const std::int64_t e : shape) n *= e;
    std::vector<T> v(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < v.size(); ++i) {
        const double t = static_cast<double>(i) * step;
        v[i] = static_cast<T>(3 * (t - std::floor(t)) - 1);
    }
    return frit::from_host(v).reshape(shape);
}

template <class T>
bool same_bits(const array<T>& a, const array<T>& b) {
    const std::vector<T> x = a.to_vector(), y = b.to_vector();
    return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0;
}

template <class T>
class SumsOfFormulas : public testing::Test {};
using floats = testing::Types<float, double>;
TYPED_TEST_SUITE(SumsOfFormulas, floats);

TYPED_TEST(SumsOfFormulas, HaveTheBitsOfTheSumsOfStoredValues) {
    using T = TypeParam;
    using formula = std::function<array<T>(const array<T>&, const array<T>&, const array<T>&)>;
    const std::vector<std::pair<std::string, formula>> formulas{
        {"abs(x)", [](auto& x, auto&, auto&) -> array<T> { return abs(x); }},
        {"x * x", [](auto& x, auto&, auto&) -> array<T> { return x * x; }},
        {"square(x)", [](auto& x, auto&, auto&) -> array<T> { return square(x); }},
        {"x * y", [](auto& x, auto& y, auto&) -> array<T> { return x * y; }},
        {"abs(x - y)", [](auto& x, auto& y, auto&) -> array<T> { return abs(x - y); }},
        {"square(x - y)", [](auto& x, auto& y, auto&) -> array<T> { return square(x - y); }},
        {"(y - x) * (y - x)", [](auto& x, auto& y, auto&) -> array<T> { return (y - x) * (y - x); }},
        {"abs(x - one)", [](auto& x, auto&, auto& one) -> array<T> { return abs(x - one); }},
        {"abs(one - x)", [](auto& x, auto&, auto& one) -> array<T> { return abs(one - x); }},
        {"square(one - x)", [](auto& x, auto&, auto& one) -> array<T> { return square(one - x); }},
        {"square(x - one)", [](auto& x, auto&, auto& one) -> array<T> { return square(x - one); }},
        {"one * x", [](auto& x, auto&, auto& one) -> array<T> { return one * x; }},
        {"x * one", [](auto& x, auto&, auto& one) -> array<T> { return x * one; }},
        {"square(sqrt(abs(x)) - y)", [](auto& x, auto& y, auto&) -> array<T> { return square(sqrt(abs(x)) - y); }},
    };
    for (const std::int64_t n : {1, 5, 16, 63, 64, 65, 200, 255, 256, 300, 1000, 1024, 2048, 4096, 4097, 9001}) {
        const array<T> x = values<T>({3, n}, 0.6180339887498949), y = values<T>({3, n}, 0.4142135623730950);
        const array<T> column = values<T>({3, 1}, 0.7320508075688772), row = values<T>({1, n}, 0.2360679774997896),
                       number = values<T>({1, 1}, 0.7);
        for (const auto& [name, f] : formulas)
            for (const array<T>& one : {column, row, number}) {
                const array<T> stored = f(x, y, one).eval();
                const std::string text = name + " of 3 x " + std::to_string(n) + ", one of " +
                                         std::to_string(one.shape()[0]) + " x " + std::to_string(one.shape()[1]);
                for (const int axis : {0, 1}) {
                    const array<T> total = sum(f(x, y, one), axis), expected = sum(stored, axis);
                    // down the rows, numbers that stay along them suggest another order
                    const bool as_is = axis == 1 || one.shape()[0] == 1;
                    EXPECT_TRUE(as_is ? same_bits(total, expected) : allclose(total, expected)) << text << ", axis " << axis;
                }
                EXPECT_TRUE(same_bits<T>(sum(f(x, y, one)), sum(stored))) << "sum(" << name << ") of 3 x " << n;
            }
    }
}

// Too large for the caches, from an address between two registers on, and in lines.
TEST(LargeResults, GoPastTheCachesUnchanged) {
    const std::int64_t n = (32 << 20) / 4 + 1027;
    const array<float> x = frit::arange<float>(0, n + 3).eval();
    frit::counters before = frit::stats();
    const array<float> y = (x(frit::slice(3, frit::none)) * 2.0F + 1.0F).eval();
    array<float> z = frit::zeros<float>({3, n + 5}).eval();
    z(frit::all, frit::slice(1, n + 1)) = y(frit::newaxis, frit::all) - 1.0F;
    const std::vector<float> a = y.to_vector(), b = z.to_vector();
    std::int64_t wrong = 0;
    const auto expected = [](std::int64_t i) { return static_cast<float>(i + 3) * 2.0F + 1.0F; };
    for (std::int64_t i = 0; i < n; ++i) wrong += a[static_cast<std::size_t>(i)] != expected(i);
    for (std::int64_t r = 0; r < 3; ++r)
        for (std::int64_t i = 0; i < n + 5; ++i) {
            const bool inside = i >= 1 && i <= n;
            wrong += b[static_cast<std::size_t>(r * (n + 5) + i)] != (inside ? expected(i - 1) - 1.0F : 0.0F);
        }
    EXPECT_EQ(wrong, 0);
    EXPECT_GE(frit::stats().bytes_written - before.bytes_written, static_cast<std::uint64_t>(4 * n));
}

}  // namespace
