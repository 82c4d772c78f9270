// Keys hold structure only: another size or scalar compiles nothing, and a plan is replayed only where its merges are
// legal. Counts of compilations are taken with the compiling engine.
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "src/engine/prepare_hook.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"
#include "tests/support/values.hpp"

namespace {
using frit::all;
using frit::array;
using frit::none;
using frit::slice;
using frit_test::new_kernels;

class PlanReuse : public testing::Test {
    frit_test::with_engine compiled_{frit_test::engine::cxx};
};

array<float> ramp(std::int64_t n) {
    array<float> x = frit::arange<float>(0, static_cast<float>(n));
    x.eval();
    return x;
}

TEST_F(PlanReuse, AnotherSizeCompilesNothing) {
    const auto run = [](std::int64_t n) {
        const array<float> x = ramp(n);
        array<float> y = x * 3.0F - floor(x / 7.0F);
        const std::vector<float> got = y.to_vector();
        for (std::size_t k = 0; k < got.size(); ++k)
            ASSERT_EQ(got[k], static_cast<float>(k) * 3.0F - std::floor(static_cast<float>(k) / 7.0F)) << n;
    };
    run(100);
    const std::uint64_t known = new_kernels();
    for (std::int64_t n : {1, 2, 3, 17, 64, 99, 101, 1000, 4096, 4097, 65536, 100003}) run(n);
    EXPECT_EQ(new_kernels(), known);
}

TEST_F(PlanReuse, AnotherScalarCompilesNothing) {
    const array<float> x = ramp(50);
    const auto run = [&](float s) {
        array<float> y = (x + s) * s - x / (s + 3.0F);
        const std::vector<float> got = y.to_vector();
        for (std::size_t k = 0; k < got.size(); ++k) {
            const auto v = static_cast<float>(k);
            ASSERT_NEAR(got[k], (v + s) * s - v / (s + 3.0F), 1e-3F * (1 + std::fabs(got[k]))) << s;
        }
    };
    run(2.5F);
    const std::uint64_t known = new_kernels(), plans = frit::stats().plans_built;
    for (float s : {0.0F, 1.0F, -1.0F, 2.0F, 1e-3F, -0.0F}) run(s);
    EXPECT_EQ(new_kernels(), known);
    EXPECT_EQ(frit::stats().plans_built, plans);
}

TEST_F(PlanReuse, ScalarsZeroAndOneFromTheStart) {
    const array<double> x = frit::linspace(1.0, 2.0, 40);
    x.eval();
    const auto run = [&](double s) { return frit::sum(x * s + exp(x * s) - s).item(); };
    const double at_zero = run(0);
    const std::uint64_t known = new_kernels();
    EXPECT_DOUBLE_EQ(at_zero, 40);
    double want = 0;
    for (double v : x.to_vector()) want += v + std::exp(v) - 1;
    EXPECT_NEAR(run(1), want, 1e-10 * want);
    (void)run(-3.75);
    EXPECT_EQ(new_kernels(), known);
}

TEST_F(PlanReuse, SlicesAtOtherPlacesCompileNothing) {
    const array<float> x = ramp(1000);
    const auto run = [&](std::int64_t from, std::int64_t to) {
        array<float> y = x(slice(from, to)) * 2.0F + x(slice(from + 1, to + 1));
        const std::vector<float> got = y.to_vector();
        ASSERT_EQ(got.size(), static_cast<std::size_t>(to - from));
        for (std::size_t k = 0; k < got.size(); ++k) {
            const auto v = static_cast<float>(from) + static_cast<float>(k);
            ASSERT_EQ(got[k], v * 3 + 1);
        }
    };
    run(16, 500);
    run(17, 500);  // odd offsets may add variants
    run(18, 500);
    const std::uint64_t known = new_kernels();
    for (std::int64_t from : {0, 1, 2, 3, 5, 31, 32, 40}) run(from, 600 + from);
    EXPECT_EQ(new_kernels(), known);
}

TEST_F(PlanReuse, MatricesOfOtherExtentsAndPitches) {
    const auto run = [](std::int64_t rows, std::int64_t columns) {
        const array<float> u = ramp(rows * columns).reshape({rows, columns});
        array<float> v = u(slice(1, none), slice(1, none)) - u(slice(0, -1), slice(0, -1));
        const std::vector<float> got = v.to_vector();
        ASSERT_EQ(got.size(), static_cast<std::size_t>((rows - 1) * (columns - 1)));
        for (float g : got) ASSERT_EQ(g, static_cast<float>(columns + 1));
    };
    run(8, 12);
    run(9, 13);
    run(10, 14);
    run(8, 5);               // rows too short for patches
    run(3, 12), run(3, 13);  // too few to read one for several
    const std::uint64_t known = new_kernels();
    for (std::int64_t rows : {3, 4, 5, 20, 64})
        for (std::int64_t columns : {5, 6, 7, 8, 33}) run(rows, columns);
    EXPECT_EQ(new_kernels(), known);
}

// A plan made while two extents were equal merges what may not be merged when they differ.
TEST_F(PlanReuse, EqualExtentsAreNotReplayedForDifferentOnes) {
    const auto run = [](std::int64_t n, std::int64_t m) {
        const array<float> x = ramp(n), y = ramp(m);
        array<float> a = x + 1.0F, b = y * 2.0F;
        array<float> s = frit::sum(a), t = frit::max(b);
        frit::eval(a, b, s, t);
        ASSERT_EQ(a.size(), n);
        ASSERT_EQ(b.size(), m);
        ASSERT_EQ(a.to_vector().back(), static_cast<float>(n));
        ASSERT_EQ(b.to_vector().back(), static_cast<float>(2 * (m - 1)));
        ASSERT_EQ(s.item(), static_cast<float>(n * (n + 1) / 2));
        ASSERT_EQ(t.item(), static_cast<float>(2 * (m - 1)));
    };
    run(6, 6);
    run(6, 9);
    run(9, 6);
    run(1, 6);
    run(6, 1);
    run(6, 6);
    run(1, 1);
}

TEST_F(PlanReuse, EqualExtentsInAnOuterSum) {
    const auto run = [](std::int64_t n, std::int64_t m) {
        const array<float> x = ramp(n), y = ramp(m);
        array<float> z = x(all, frit::newaxis) * 100.0F + y;
        const std::vector<float> got = z.to_vector();
        ASSERT_EQ(z.shape(), frit::shape({n, m}));
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = 0; j < m; ++j)
                ASSERT_EQ(got[static_cast<std::size_t>(i * m + j)], static_cast<float>(100 * i + j));
    };
    run(5, 5);
    run(5, 7);
    run(1, 7);
    run(7, 1);
    run(1, 1);
    run(5, 5);
}

TEST_F(PlanReuse, SquareThenOblongTranspose) {
    const auto run = [](std::int64_t n, std::int64_t m) {
        const array<float> x = ramp(n * m).reshape({n, m});
        array<float> y = x.T() + 1.0F;
        const std::vector<float> got = y.to_vector();
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = 0; j < m; ++j)
                ASSERT_EQ(got[static_cast<std::size_t>(j * n + i)], static_cast<float>(i * m + j + 1));
    };
    run(6, 6);
    run(6, 4);
    run(4, 6);
    run(1, 6);
    run(6, 6);
}

TEST_F(PlanReuse, OneLeafTwiceIsNotTwoLeaves) {
    const auto square = [](const array<float>& a, const array<float>& b) {
        array<float> y = a * b - a;
        return y.to_vector();
    };
    const array<float> x{1, 2, 3}, y{10, 20, 30};
    EXPECT_EQ(square(x, x), (std::vector<float>{0, 2, 6}));
    EXPECT_EQ(square(x, y), (std::vector<float>{9, 38, 87}));
    EXPECT_EQ(square(y, y), (std::vector<float>{90, 380, 870}));
}

TEST_F(PlanReuse, BroadcastOperandsAreNotReplayedForFullOnes) {
    const auto sum = [](const array<float>& a, const array<float>& b) {
        array<float> y = a + b;
        return y.to_vector();
    };
    const array<float> row{1, 2, 3}, one{10}, full{100, 200, 300};
    EXPECT_EQ(sum(row, full), (std::vector<float>{101, 202, 303}));
    EXPECT_EQ(sum(row, one), (std::vector<float>{11, 12, 13}));
    EXPECT_EQ(sum(one, row), (std::vector<float>{11, 12, 13}));
    EXPECT_EQ(sum(row, full), (std::vector<float>{101, 202, 303}));
}

TEST_F(PlanReuse, DyingAndHeldInputsShareTheStatement) {
    const auto step = [](array<float>& x) { x = x(slice(none, none, -1)) + x; };
    array<float> x{1, 2, 3, 5};
    x.eval();
    step(x);
    EXPECT_EQ(x.to_vector(), (std::vector<float>{6, 5, 5, 6}));
    array<float> y{1, 2, 3, 5};
    y.eval();
    const array<float> held = y;
    step(y);
    EXPECT_EQ(y.to_vector(), (std::vector<float>{6, 5, 5, 6}));
    EXPECT_EQ(held.to_vector(), (std::vector<float>{1, 2, 3, 5}));
}

// Every kernel that a backend is asked for while one lives.
class asked_for {
public:
    asked_for() { frit::detail::on_prepare = note; }
    ~asked_for() {
        frit::detail::on_prepare = nullptr;
        keys().clear();
    }
    asked_for(const asked_for&) = delete;
    asked_for& operator=(const asked_for&) = delete;
    static std::size_t kernels() { return keys().size(); }

private:
    static std::set<std::string>& keys() {
        static std::set<std::string> all;
        return all;
    }
    static void note(const frit::fusion::kernel_spec& spec) { keys().insert(spec.key()); }
};

// What a kernel may depend on: which extents are 1 (these axes go, or an operand repeats along them), and on a GPU whether
// rows can be walked in pairs.
TEST(StructureClasses, TenThousandShapesOfOneFormula) {
    const asked_for seen;
    frit_test::generator random(5);
    const auto extent = [&] { return random.chance(0.2) ? 1 : random.between(1, 24); };
    std::set<int> classes;
    for (int k = 0; k < 10'000; ++k) {
        const std::int64_t a = extent(), b = extent(), c = extent();
        const std::vector<float> numbers(static_cast<std::size_t>(a * b * c), 4.0F);
        const array<float> x = frit::from_host(numbers.data(), {a, b, c}), row = frit::from_host(numbers.data(), {c}),
                           column = frit::from_host(numbers.data(), {a, 1, 1});
        array<float> y = (x - row) * 2.0F + sqrt(abs(column));
        ASSERT_EQ(y.shape(), frit::shape({a, b, c}));
        y.eval();
        const bool pairs = y.device().is_cuda() && c % 2 == 0 && c >= 16;
        classes.insert((a == 1) | (b == 1) << 1 | (c == 1) << 2 | pairs << 3);
    }
    EXPECT_LE(asked_for::kernels(), classes.size());
}

TEST_F(PlanReuse, AWarmLoopBuildsNoPlans) {
    array<float> x = ramp(100);
    const auto step = [&] {
        x = x * 0.5F + 1.0F;
        x.eval();
    };
    for (int k = 0; k < 3; ++k) step();
    const frit::counters before = frit::stats();
    for (int k = 0; k < 50; ++k) step();
    const frit::counters after = frit::stats();
    EXPECT_EQ(after.plans_built, before.plans_built);
    EXPECT_EQ(after.kernels_launched - before.kernels_launched, 50U);
    EXPECT_GE(after.plans_reused - before.plans_reused, 50U);
}

}  // namespace
