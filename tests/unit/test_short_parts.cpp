// What stands in a function's parentheses stays in float32 until the statement around it ends, where its dtype has 16 bits.
// Here such a part is asked for what a value is asked for: elements, an array, a place in a file or in memory. And what an
// explicit cast makes of it, of formulas whose dtype is known at run time too.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "frit/frit.hpp"
#include "tests/support/engines.hpp"

namespace {
using frit::any_array, frit::array, frit::bfloat16, frit::dtype, frit::dtype_of, frit::function, frit::half;
using frit_test::everywhere;

template <class T>
class ShortParts : public testing::Test {
protected:
    // A product of these takes more digits than T has.
    const array<T> t{T(1.1), T(2.3), T(3.7), T(-0.9)}, x{T(0.3), T(1.7), T(5.1), T(7.9)};

    static std::vector<std::uint16_t> bits(const std::vector<T>& values) {
        std::vector<std::uint16_t> all;
        for (const T& v : values) all.push_back(v.bits());
        return all;
    }
    static std::vector<std::uint16_t> bits(const array<T>& values) { return bits(values.to_vector()); }
    static std::vector<std::uint16_t> bits(const any_array& values) { return bits(values.to_vector<T>()); }
};
using types = testing::Types<half, bfloat16>;
TYPED_TEST_SUITE(ShortParts, types);

TYPED_TEST(ShortParts, ElementsOfAnArgument) {
    using T = TypeParam;
    const auto &t = this->t, &x = this->x;
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const array<T> whole = t * x;
        const auto want = this->bits(whole);
        const function look([&](const auto& a) {
            EXPECT_EQ(this->bits(a.to_vector()), want);
            EXPECT_EQ(a(2).item().bits(), want[2]);
            std::ostringstream shown, wanted;
            shown << a;
            wanted << whole;
            EXPECT_EQ(shown.str(), wanted.str());
            EXPECT_EQ(a(2).item().bits(), want[2]);
            std::vector<T> to(4);
            a.copy_to(to);
            EXPECT_EQ(this->bits(to), want);
            frit::eval_into(frit::out(to.data(), {4}), a);
            EXPECT_EQ(this->bits(to), want);
            const auto span = a.span();
            EXPECT_EQ(this->bits(std::vector<T>(span.begin(), span.end())), want);
            return a;
        });
        array<T> y = look(t * x);
        EXPECT_EQ(y.eval()(2).item().bits(), want[2]);
        EXPECT_EQ(this->bits(y), want);
    });
}

// What a function gives is rounded, whether the statement that reads it takes its formula in, or somebody has looked before.
TYPED_TEST(ShortParts, ResultsOfFunctions) {
    using T = TypeParam;
    const array<T> v{T(0.1), T(3.7), T(0.3), T(-1.3), T(2.9)}, w = array<T>(v * v);
    const array<T> m = reshape(array<T>(concatenate(0, v, w, v * T(0.7))), {5, 3});
    const array<int> some{3, 0, 2};
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const auto check = [&](const char* what, const auto& f) {
            SCOPED_TRACE(what);
            auto read = f(), looked_at = f(), again = f();
            const array<T> once = read * T(3) + T(0.1);
            const array<T> stored = array<T>(looked_at).eval();
            EXPECT_EQ(this->bits(once), this->bits(array<T>(stored * T(3) + T(0.1))));
            std::ostringstream shown;
            shown << again;
            EXPECT_EQ(this->bits(once), this->bits(array<T>(again * T(3) + T(0.1))));
        };
        check("outer", [&] { return outer(v, w); });
        check("diff", [&] { return diff(v); });
        check("ptp", [&] { return ptp(m * m, 1); });
        check("kron", [&] { return kron(v, w); });
        check("triu", [&] { return triu(m * m); });
        check("take", [&] { return take(m * m, some, 0); });
        check("cross", [&] { return cross(m, m * T(0.3)); });
        check("tile", [&] { return tile(v * w, {2}); });
        check("einsum", [&] { return frit::einsum("i,j->ij", v, w); });
        check("mean", [&] { return mean(m * m, 1); });
    });
}

TYPED_TEST(ShortParts, ArraysOfAnArgument) {
    using T = TypeParam;
    const auto &t = this->t, &x = this->x;
    const auto want = this->bits(array<T>(t * x));
    const std::string path = testing::TempDir() + "short_parts.npy";
    const function look([&](const auto& a) {
        const any_array any = a;
        EXPECT_EQ(any.dtype(), dtype_of<T>);
        EXPECT_EQ(this->bits(any), want);
        const auto [first, second] = frit::eval(a, x);
        EXPECT_EQ(this->bits(first), want);
        frit::save_npy(path, a);
        EXPECT_EQ(this->bits(frit::load_npy(path)), want);
        EXPECT_EQ(this->bits(frit::pad(a, {{0, 0}})), want);
        EXPECT_EQ(this->bits(array<T>(frit::concatenate(0, a))), want);
        EXPECT_EQ(this->bits(array<T>(frit::iterate(0, a, [&](const auto& s) { return s * x; }))), want);
        array<T> u = x;
        u(array<int>{0, 1, 2, 3}) = a;
        EXPECT_EQ(this->bits(u), want);
        return a;
    });
    look(t * x);
    look(any_array(t) * any_array(x));  // the same members, but those that name an element's type
    std::filesystem::remove(path);
}

// At the graph limit a part is stored in float32, as it is.
TYPED_TEST(ShortParts, StoredInFloat32) {
    using T = TypeParam;
    const auto &t = this->t, &x = this->x;
    const auto want = this->bits(array<T>(t * x));
    struct limit {
        limit() { frit::set_graph_limit(1); }
        ~limit() { frit::set_graph_limit(4096); }
    } const at_once;
    const function look([&](const auto& a) {
        EXPECT_EQ(this->bits(array<T>(a + T(0))), want);
        EXPECT_EQ(this->bits(array<T>(a)), want);
        EXPECT_EQ(a(2).item().bits(), want[2]);
        EXPECT_EQ(this->bits(array<T>(a.reshape({4, 1}))), want);
        return a;
    });
    EXPECT_EQ(this->bits(array<T>(look(t * x))), want);
}

// A loop begins with a part as it is, as any formula does; from round to round its states are rounded.
TYPED_TEST(ShortParts, StatesOfALoop) {
    using T = TypeParam;
    const auto &t = this->t, &x = this->x;
    const array<T> first = t * x * x;
    const auto want = this->bits(array<T>(first * x));
    ASSERT_NE(want, this->bits(array<T>(t * x * x * x)));
    const function twice([&](const auto& a) {
        const auto [product, same] =
            frit::iterate(2, std::tuple(a, x), [](const auto& s, const auto& u) { return std::tuple(s * u, u); });
        EXPECT_EQ(this->bits(product), want);
        return frit::iterate(2, a, [&](const auto& s) { return s * x; });
    });
    EXPECT_EQ(this->bits(array<T>(twice(t * x))), want);
}

TYPED_TEST(ShortParts, CastsRound) {
    using T = TypeParam;
    constexpr dtype D = dtype_of<T>;
    const auto &t = this->t, &x = this->x;
    const any_array p = t, q = x;
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const array<T> rounded = t * x;
        const auto want = this->bits(array<T>(rounded * x));
        ASSERT_NE(want, this->bits(array<T>(t * x * x)));  // not rounded between
        EXPECT_EQ(this->bits(array<T>(frit::cast<T>(t * x) * x)), want);
        EXPECT_EQ(this->bits(any_array(frit::cast<T>(p * q) * q)), want);
        EXPECT_EQ(this->bits(any_array(frit::cast<T>(p * x) * x)), want);
        EXPECT_EQ(this->bits(any_array(frit::cast(p * q, D) * q)), want);
        EXPECT_EQ(this->bits(any_array(frit::cast(t * x, D) * x)), want);
        const function by_type([&](const auto& a) { return frit::cast<T>(a) * x; });
        EXPECT_EQ(this->bits(array<T>(by_type(t * x))), want);
        EXPECT_EQ(this->bits(any_array(by_type(p * q))), want);
        const function by_value([&](const auto& a) { return frit::cast(a, D) * x; });
        EXPECT_EQ(this->bits(any_array(by_value(t * x))), want);
        EXPECT_EQ(this->bits(any_array(by_value(p * q))), want);
    });
}

// An array is rounded already: the formula is the one without the cast, and the array the same one.
TYPED_TEST(ShortParts, CastsOfArraysAreTheirs) {
    const any_array p = this->t;
    const any_array same = frit::cast(p, p.dtype());
    EXPECT_EQ(same.handle().get(), p.handle().get());
}

}  // namespace
