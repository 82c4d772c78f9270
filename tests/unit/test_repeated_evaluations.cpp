// Statements that are evaluated again as they were find their plan before a graph is made of them. What a plan depends on
// must then be in what is compared: here each such thing changes from round to round, and values are compared with loops.
#include <cstddef>
#include <mutex>
#include <vector>

#include <frit/frit.hpp>

#include "src/graph/context.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"

namespace {
using frit::all;
using frit::array;
using frit::none;
using frit::slice;
using doubles = std::vector<double>;

/// How many evaluations, each of some statements, have left a plan to be found so.
std::size_t remembered() {
    frit::detail::context& home = frit::detail::default_context();
    const std::lock_guard guard(home.lock);
    return home.met.size();
}

doubles numbers(std::size_t count, double first = 0.5) {
    doubles v(count);
    for (std::size_t k = 0; k < count; ++k) v[k] = first + static_cast<double>(k);
    return v;
}
array<double> stored(const doubles& v) { return frit::from_host(v); }

class RepeatedEvaluations : public testing::TestWithParam<frit_test::engine> {
    frit_test::with_engine engine_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Engines, RepeatedEvaluations, testing::ValuesIn(frit_test::engines()),
                         [](const auto& engine) { return std::string(frit_test::name_of(engine.param)); });

TEST_P(RepeatedEvaluations, OfAWarmLoopMakeNoGraph) {
    array<double> x = stored({1, 2, 3}), y = stored({4, 5, 6});
    double a = 1, b = 4;
    std::size_t known = 0;
    for (int k = 0; k < 50; ++k) {
        const double h = 1.0 / (k + 8);
        const array<double> dx = y - x, dy = x * 0.25 - y;
        x = x + h * dx;
        y = y + h * dy;
        const double da = b - a, db = a * 0.25 - b;
        a += h * da;
        b += h * db;
        const frit::counters before = frit::stats();
        frit::eval(x, y);
        EXPECT_EQ(frit::stats().kernels_launched - before.kernels_launched, 1U);
        EXPECT_EQ(frit::stats().bytes_written - before.bytes_written, 48U);
        if (k == 8) known = remembered();
        ASSERT_NEAR(x.to_vector()[0], a, 1e-12);
        ASSERT_NEAR(y.to_vector()[0], b, 1e-12);
    }
    EXPECT_EQ(remembered(), known);
}

TEST_P(RepeatedEvaluations, SeeWhoElseLooks) {
    for (int k = 0; k < 24; ++k) {
        array<double> u = stored(numbers(8)), v = stored(numbers(8, 2));
        const array<double> held = k % 2 ? u : v, too = k % 3 ? array<double>() : u;
        array<double> t = u * 2.0;
        v(slice(1, 4)) = t(slice(1, 4)) + v(slice(4, 7));
        u(0) = 9.0;
        frit::eval(u, v);
        doubles want_u = numbers(8), want_v = numbers(8, 2);
        for (std::size_t j = 1; j < 4; ++j) want_v[j] = 2 * want_u[j] + want_v[j + 3];
        want_u[0] = 9;
        ASSERT_EQ(u.to_vector(), want_u) << k;
        ASSERT_EQ(v.to_vector(), want_v) << k;
        ASSERT_EQ(held.to_vector(), numbers(8, k % 2 ? 0.5 : 2)) << k;
        if (!too.empty()) {
            ASSERT_EQ(too.to_vector(), numbers(8)) << k;
        }
    }
}

TEST_P(RepeatedEvaluations, SeeWhichArraysAreOne) {
    const doubles v = numbers(6), w = numbers(6, 3);
    const array<double> x = stored(v), z = stored(w);
    for (int k = 0; k < 12; ++k) {
        const array<double> a = k & 1 ? x : z, b = k & 2 ? x : z, c = k & 1 && k & 4 ? a.reshape({6}) : b;
        const array<double> s = a + b, t = s * c - a;
        frit::eval(s, t);
        for (std::size_t j = 0; j < 6; ++j) {
            const double p = (k & 1 ? v : w)[j], q = (k & 2 ? v : w)[j], r = k & 1 && k & 4 ? p : q;
            ASSERT_EQ(s.to_vector()[j], p + q);
            ASSERT_EQ(t.to_vector()[j], (p + q) * r - p);
        }
    }
}

TEST_P(RepeatedEvaluations, SeeWhatIsAskedFor) {
    const doubles v = numbers(6);
    const array<double> x = stored(v);
    for (int k = 0; k < 12; ++k) {
        array<double> a = x + 1.0, b = a * 2.0, c = b - x;
        if (k % 3 == 0) a = {};
        if (k % 3 != 2) b.eval();
        if (k % 2) frit::eval(c, b);
        frit::eval(b, c);
        for (std::size_t j = 0; j < 6; ++j) {
            ASSERT_EQ(b.to_vector()[j], (v[j] + 1) * 2);
            ASSERT_EQ(c.to_vector()[j], (v[j] + 1) * 2 - v[j]);
            if (!a.empty()) {
                ASSERT_EQ(a.to_vector()[j], v[j] + 1);
            }
        }
    }
}

TEST_P(RepeatedEvaluations, SeeShapesLayoutsAndIndices) {
    const doubles v = numbers(240);
    for (int k = 0; k < 36; ++k) {
        const int rows = 3 + k % 2, columns = 4 + k / 2 % 3, first = k % 5;
        const array<double> x = k % 3 == 0 ? frit::borrow(v.data() + first, {rows, columns}, {20, 2})
                                           : frit::from_host(v.data() + first, {rows, columns});
        const array<double> y = x(k % rows) * 0.5, z = x(slice(none, none, k % 4 < 2 ? 1 : -1), all) + y,
                            s = frit::sum(z, k % 2);
        frit::eval(z, s);
        const auto at = [&](int i, int j) {
            return v[static_cast<std::size_t>(first + (k % 3 == 0 ? 20 * i + 2 * j : columns * i + j))];
        };
        const doubles got = z.to_vector(), sums = s.to_vector();
        doubles want_sums(sums.size());
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < columns; ++j) {
                const double want = at(k % 4 < 2 ? i : rows - 1 - i, j) + 0.5 * at(k % rows, j);
                ASSERT_EQ(got[static_cast<std::size_t>(i * columns + j)], want) << k;
                want_sums[static_cast<std::size_t>(k % 2 ? i : j)] += want;
            }
        ASSERT_EQ(sums, want_sums) << k;
    }
}

TEST_P(RepeatedEvaluations, SeeFusionAndTheMemoryLimit) {
    const array<double> x = stored(numbers(512));
    const auto kernels = [&] {
        const array<double> a = x + 1.0, b = a * 2.0;
        const frit::counters before = frit::stats();
        frit::eval(a, b);
        EXPECT_EQ(b.to_vector()[7], (7.5 + 1) * 2);
        return frit::stats().kernels_launched - before.kernels_launched;
    };
    for (int k = 0; k < 3; ++k) {
        EXPECT_EQ(kernels(), 1U);
        {
            const frit_test::without_fusion off;
            EXPECT_EQ(kernels(), 2U);
        }
        frit::set_memory_limit(frit::stats().live_bytes + 3 * 4096);
        EXPECT_EQ(kernels(), 1U);
        frit::set_memory_limit(frit::stats().live_bytes + 4096);
        EXPECT_THROW(kernels(), frit::out_of_memory);
        frit::set_memory_limit(0);
    }
}

}  // namespace
