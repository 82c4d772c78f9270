// Programs as people bring them from NumPy, counted as they run: kernels and bytes of reading a number in a loop, of single
// elements, boundaries and overlapping regions, however often they are evaluated (benchmarks/everyday times the same
// programs; regions one by one are in test_regions.cpp).
#include <string>
#include <vector>

#include "tests/support/kernels.hpp"

namespace {
using frit::all;
using frit::array;
using frit::none;
using frit::slice;
using frit_test::traffic;

constexpr std::int64_t n = 10'000, side = 100;
constexpr std::uint64_t number = sizeof(double), whole = n * number, row = side * number;
const slice inner(1, -1), before(0, -2), after(2, none);

/// What f launched, read and wrote.
template <class F>
traffic counted(const F& f) {
    const frit::counters was = frit::stats();
    f();
    const frit::counters is = frit::stats();
    return {is.kernels_launched - was.kernels_launched, is.bytes_read - was.bytes_read,
            is.bytes_written - was.bytes_written};
}

array<double> numbers() {
    array<double> u = frit::arange<double>(n) % 97.0;
    u.eval();
    return u;
}

/// On a GPU a launch outweighs regions as small as these.
bool regions_are_written_alone() { return frit::default_device().is_cpu(); }

// --- a number that is read ---

TEST(Everyday, ASumOfAGeneratorStoresANumber) {
    array<double> a = frit::arange<double>(n);
    double sum = 0;
    const traffic t = counted([&] { sum = frit::sum(a * a).item(); });
    EXPECT_EQ(sum, 333283335000.0);
    EXPECT_EQ(t.kernels, 1U);
    EXPECT_EQ(t.bytes_read, 0U);
    EXPECT_EQ(t.bytes_written, number);
}

TEST(Everyday, ASumOfATemporaryGeneratorStoresANumber) {
    double sum = 0;
    const traffic t = counted([&] { sum = frit::sum(frit::square(frit::arange<double>(n))).item(); });
    EXPECT_EQ(sum, 333283335000.0);
    EXPECT_EQ(t.kernels, 1U);
    EXPECT_EQ(t.bytes_read, 0U);
    EXPECT_EQ(t.bytes_written, number);
}

TEST(Everyday, ASumOfAFunctionOfHeldGeneratorsStoresANumber) {
    array<double> x = frit::linspace(0.0, 1.0, n), one = frit::ones<double>({n});
    double sum = 0;
    const traffic t = counted([&] { sum = frit::sum(x * 0.0 + one).item(); });
    EXPECT_EQ(sum, n);
    EXPECT_EQ(t.kernels, 1U);
    EXPECT_EQ(t.bytes_written, number);
}

TEST(Everyday, ADistanceWithItsDifferenceInScope) {
    const array<double> x = numbers(), y = array<double>(x - 2.0).eval();
    array<double> d = x - y;
    double sum = 0;
    const traffic t = counted([&] { sum = frit::sum(d * d).item(); });
    EXPECT_EQ(sum, 4.0 * n);
    EXPECT_EQ(t.kernels, 1U);
    EXPECT_EQ(t.bytes_read, 2 * whole);
    EXPECT_EQ(t.bytes_written, number);
}

TEST(Everyday, ADistanceOfTemporaries) {
    const array<double> x = numbers(), y = array<double>(x - 2.0).eval();
    double sum = 0;
    const traffic t = counted([&] { sum = frit::sum(frit::square(x - y)).item(); });
    EXPECT_EQ(sum, 4.0 * n);
    EXPECT_EQ(t.kernels, 1U);
    EXPECT_EQ(t.bytes_read, 2 * whole);
    EXPECT_EQ(t.bytes_written, number);
}

/// Once it is known that v is read again, a step reads u, and writes v and the number.
TEST(Everyday, AResidualLoopReadsAndWritesItsStateOnce) {
    array<double> u = numbers();
    for (int k = 0; k < 10; ++k) {
        double r = 0;
        const traffic t = counted([&] {
            array<double> v = 0.5 * u;
            r = frit::linalg::norm(v - u).item();
            u = v;
        });
        EXPECT_GT(r, 0);
        if (k < 2) continue;
        EXPECT_EQ(t.kernels, 1U) << k;
        EXPECT_EQ(t.bytes_read, whole) << k;
        EXPECT_EQ(t.bytes_written, whole + number) << k;
    }
    const std::vector<double> was = numbers().to_vector(), is = u.to_vector();
    for (std::size_t k = 0; k < was.size(); ++k) ASSERT_EQ(is[k], was[k] / 1024) << k;
}

// --- loops, evaluated in every way ---

enum class evals { end, step, statement };

class EverydayLoops : public testing::TestWithParam<evals> {
protected:
    static void after_statement(const array<double>& u) {
        if (GetParam() == evals::statement) u.eval();
    }
    static void after_step(const array<double>& u) {
        if (GetParam() == evals::step) u.eval();
    }
};

/// The interior is a new array, a boundary costs what it writes, whether anybody evaluates or not.
TEST_P(EverydayLoops, AStencilWithItsBoundaries) {
    constexpr std::uint64_t steps = 10;
    array<double> u = array<double>(numbers().reshape({side, side})).eval();
    const traffic t = counted([&] {
        for (std::uint64_t k = 0; k < steps; ++k) {
            u(inner, inner) = 0.25 * (u(before, inner) + u(after, inner) + u(inner, before) + u(inner, after));
            after_statement(u);
            u(0, all) = u(1, all);
            after_statement(u);
            u(-1, all) = 3.0;
            after_statement(u);
            u(all, 0) = u(all, 1);
            after_statement(u);
            u(all, -1) = u(all, -2) + 1;
            after_statement(u);
            after_step(u);
        }
        u.eval();
    });
    if (regions_are_written_alone()) {
        EXPECT_EQ(t.bytes_written, steps * (whole + 4 * row));
    }
    std::vector<double> want = numbers().to_vector();
    const auto at = [&](std::size_t i, std::size_t j) -> double& { return want[i * side + j]; };
    for (std::uint64_t k = 0; k < steps; ++k) {
        const std::vector<double> was = want;
        const auto old = [&](std::size_t i, std::size_t j) { return was[i * side + j]; };
        for (std::size_t i = 1; i + 1 < side; ++i)
            for (std::size_t j = 1; j + 1 < side; ++j)
                at(i, j) = 0.25 * (old(i - 1, j) + old(i + 1, j) + old(i, j - 1) + old(i, j + 1));
        for (std::size_t j = 0; j < side; ++j) at(0, j) = at(1, j), at(side - 1, j) = 3;
        for (std::size_t i = 0; i < side; ++i) at(i, 0) = at(i, 1), at(i, side - 1) = at(i, side - 2) + 1;
    }
    EXPECT_EQ(u.to_vector(), want);
}

TEST_P(EverydayLoops, ARecurrenceOverRows) {
    const array<double> x = array<double>(numbers().reshape({side, side})).eval();
    array<double> y = frit::zeros<double>({side, side});
    y.eval();
    const traffic t = counted([&] {
        for (std::int64_t k = 1; k < side; ++k) {
            y(k) = 0.5 * y(k - 1) + x(k);
            after_statement(y);
            after_step(y);
        }
        y.eval();
    });
    if (regions_are_written_alone()) {
        EXPECT_EQ(t.kernels, std::uint64_t{side - 1});
        EXPECT_EQ(t.bytes_read, 2 * (side - 1) * row);
        EXPECT_EQ(t.bytes_written, (side - 1) * row);
    }
    std::vector<double> want(n);
    const std::vector<double> in = x.to_vector();
    for (std::size_t k = side; k < want.size(); ++k) want[k] = 0.5 * want[k - side] + in[k];
    EXPECT_EQ(y.to_vector(), want);
}

/// More of them than wait at one time.
TEST_P(EverydayLoops, TenThousandNumbersWriteTenThousandNumbers) {
    array<double> y = frit::zeros<double>({side, side});
    y.eval();
    const traffic t = counted([&] {
        for (std::int64_t k = 0; k < n; ++k) {
            y(k / side, k % side) = static_cast<double>(k);
            after_statement(y);
        }
        y.eval();
    });
    if (regions_are_written_alone()) {
        EXPECT_EQ(t.bytes_read, 0U);
        EXPECT_EQ(t.bytes_written, whole);
    }
    EXPECT_EQ(y.to_vector(), frit::arange<double>(n).to_vector());
}

/// A step reads and writes the three numbers of the system.
TEST(Everyday, ARungeKuttaStepOfThreeNumbersIsOneKernel) {
    struct state {
        array<double> x, y, z;
    };
    const auto slope = [](const state& s) -> state {
        array<double> x = 10.0 * (s.y - s.x), y = s.x * (28.0 - s.z) - s.y, z = s.x * s.y - 8.0 / 3.0 * s.z;
        return {x, y, z};
    };
    const auto moved = [](const state& s, double h, const state& k) -> state {
        array<double> x = s.x + h * k.x, y = s.y + h * k.y, z = s.z + h * k.z;
        return {x, y, z};
    };
    state s{frit::scalar(1.0), frit::scalar(1.0), frit::scalar(20.0)};
    frit::eval(s.x, s.y, s.z);
    const double h = 0.001;
    for (int k = 0; k < 5; ++k) {
        const traffic t = counted([&] {
            const state a = slope(s), b = slope(moved(s, h / 2, a)), c = slope(moved(s, h / 2, b)),
                        d = slope(moved(s, h, c));
            s.x = s.x + h / 6 * (a.x + 2 * b.x + 2 * c.x + d.x);
            s.y = s.y + h / 6 * (a.y + 2 * b.y + 2 * c.y + d.y);
            s.z = s.z + h / 6 * (a.z + 2 * b.z + 2 * c.z + d.z);
            frit::eval(s.x, s.y, s.z);
        });
        EXPECT_EQ(t.kernels, 1U);
        EXPECT_EQ(t.bytes_read, 3 * number);
        EXPECT_EQ(t.bytes_written, 3 * number);
    }
    EXPECT_NEAR(s.x.item(), 1.0, 0.1);
}

std::string name_of_evals(const testing::TestParamInfo<evals>& p) {
    return p.param == evals::end ? "AtTheEnd" : p.param == evals::step ? "EveryStep" : "EveryStatement";
}
INSTANTIATE_TEST_SUITE_P(Evaluated, EverydayLoops, testing::Values(evals::end, evals::step, evals::statement),
                         name_of_evals);

// --- regions that overlap what they are computed from: at most twice the region ---

/// Writes to a part of u what `statement` says, once with frit and once row by row with the old values.
template <class Statement, class Plain>
void expect_overlap(std::uint64_t region, const Statement& statement, const Plain& plain) {
    array<double> u = array<double>(numbers().reshape({side, side})).eval();
    const traffic t = counted([&] {
        statement(u);
        u.eval();
    });
    if (regions_are_written_alone()) {
        EXPECT_LE(t.bytes_written, 2 * region);
        EXPECT_GE(t.bytes_written, region);
    }
    const std::vector<double> was = numbers().to_vector();
    std::vector<double> want = was;
    for (std::size_t i = 0; i < side; ++i)
        for (std::size_t j = 0; j < side; ++j)
            want[i * side + j] = plain([&](std::size_t k, std::size_t l) { return was[k * side + l]; }, i, j);
    EXPECT_EQ(u.to_vector(), want);
}

TEST(Everyday, RowsMoveDown) {
    expect_overlap(
        whole - row, [](array<double>& u) { u(slice(1, none)) = u(slice(0, -1)); },
        [](auto old, std::size_t i, std::size_t j) { return i == 0 ? old(i, j) : old(i - 1, j); });
}

TEST(Everyday, ColumnsMoveLeft) {
    expect_overlap(
        whole - row, [](array<double>& u) { u(all, slice(0, -1)) = u(all, slice(1, none)) * 2; },
        [](auto old, std::size_t i, std::size_t j) { return j == side - 1 ? old(i, j) : 2 * old(i, j + 1); });
}

TEST(Everyday, FewColumnsMoveRight) {
    expect_overlap(
        3 * row, [](array<double>& u) { u(all, slice(1, 4)) += u(all, slice(0, 3)); },
        [](auto old, std::size_t i, std::size_t j) { return j < 1 || j > 3 ? old(i, j) : old(i, j) + old(i, j - 1); });
}

TEST(Everyday, SomeRowsAreReversed) {
    expect_overlap(
        10 * row, [](array<double>& u) { u(slice(20, 30)) = u(slice(29, 19, -1)); },
        [](auto old, std::size_t i, std::size_t j) { return i < 20 || i > 29 ? old(i, j) : old(49 - i, j); });
}

TEST(Everyday, AColumnFromItselfAndItsNeighbour) {
    expect_overlap(
        row, [](array<double>& u) { u(all, 1) = u(all, 0) + u(all, 1); },
        [](auto old, std::size_t i, std::size_t j) { return j != 1 ? old(i, j) : old(i, 0) + old(i, 1); });
}

// --- larger formulas ---

/// 27 statements: the result is written once, its parts nowhere.
TEST(Everyday, AConvolutionBySlicesIsOneKernel) {
    const array<double> x = array<double>((frit::arange<double>(3 * 18 * 18) % 7.0).reshape({3, 18, 18})).eval(),
                        weights = array<double>((frit::arange<double>(4 * 27) % 5.0).reshape({4, 3, 3, 3})).eval();
    array<double> y = frit::zeros<double>({4, 16, 16});
    const traffic t = counted([&] {
        for (int c = 0; c < 3; ++c)
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j)
                    y = y + weights(all, c, i, j, frit::newaxis, frit::newaxis) * x(c, slice(i, i + 16), slice(j, j + 16));
        y.eval();
    });
    EXPECT_EQ(t.kernels, 1U);
    EXPECT_EQ(t.bytes_read, (3 * 18 * 18 + 4 * 27) * number);
    EXPECT_EQ(t.bytes_written, 4 * 16 * 16 * number);
    double want = 0;
    for (int c = 0; c < 3; ++c)
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) want += (27 + 9 * c + 3 * i + j) % 5 * ((c * 324 + (i + 2) * 18 + j + 5) % 7);
    EXPECT_EQ(y(1, 2, 5).item(), want);
}

/// Nothing of the pairs is stored.
TEST(Everyday, BodiesWithTheirCoordinatesApartAreOneKernel) {
    constexpr std::int64_t bodies = 64;
    const array<double> x = array<double>(frit::arange<double>(bodies) % 7.0).eval(),
                        y = array<double>(frit::arange<double>(bodies) % 5.0).eval(),
                        mass = array<double>(frit::ones<double>({bodies})).eval();
    array<double> ax, ay;
    {
        array<double> dx = x - x(all, frit::newaxis), dy = y - y(all, frit::newaxis);
        array<double> near = 1 / sqrt(dx * dx + dy * dy + 1.0);
        array<double> weight = mass * near * near * near;
        ax = frit::sum(dx * weight, 1), ay = frit::sum(dy * weight, 1);
    }
    const traffic t = counted([&] { frit::eval(ax, ay); });
    EXPECT_EQ(t.kernels, 1U);
    EXPECT_EQ(t.bytes_read, 3 * bodies * number);
    EXPECT_EQ(t.bytes_written, 2 * bodies * number);
    EXPECT_NEAR(frit::sum(ax).item(), 0, 1e-10);
}

}  // namespace
