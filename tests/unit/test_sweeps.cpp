// Sweeps as others write them: NPBench's adi, deriche, vadv, nussinov and crc16, and a cell of a recurrent network. One
// kernel a sweep, with the values of plain loops. And a function that is written as a formula, as a lambda and as text is
// one kernel.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "frit/frit.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"

namespace {
using frit::array;
using frit_test::everywhere;

array<double> noise(const frit::shape& shape, std::uint64_t seed, double lo = -1.0, double hi = 1.0) {
    frit::random::generator g(seed);
    return array<double>(g.uniform<double>(shape, lo, hi)).eval();
}
/// The largest difference from what a plain loop says.
double distance(const array<double>& got, const std::vector<double>& want) {
    const std::vector<double> values = got.to_vector();
    EXPECT_EQ(values.size(), want.size());
    double worst = 0;
    for (std::size_t k = 0; k < std::min(values.size(), want.size()); ++k) {
        const double off = std::abs(values[k] - want[k]);
        if (!(off <= worst) && !std::isnan(worst)) worst = off;  // NaN stays
    }
    return worst;
}

/// NPBench's adi: a step implicit along one axis and one along the other, of the points inside an edge of 1.
struct directions {
    double a, b, d, e;  // beside and on the diagonal, of the first sweeps and of the second

    directions(int points, int steps) {
        const double dt = 1.0 / steps, h = 1.0 / points, mul1 = 2 * dt / (h * h), mul2 = dt / (h * h);
        a = -mul1 / 2, b = 1 + mul1;
        d = -mul2 / 2, e = 1 + mul2;
    }
    /// Down and up an axis: a kernel each, with what makes `rhs` in the first.
    template <class X>
    static array<double> solve(const X& rhs, int axis, double beside, double diagonal) {
        const auto down = [=](const auto& p, const auto& q, const auto& r) {
            const auto pivot = beside * p + diagonal;
            return std::tuple(-beside / pivot, (r - beside * q) / pivot);
        };
        const auto [p, q] = frit::scan_along(axis, std::tuple(0.0, 1.0), down, rhs);
        const auto up = [](const auto& x, const auto& pk, const auto& qk) { return pk * x + qk; };
        return frit::scan_along(frit::backward(axis), 1.0, up, p, q);
    }
    array<double> half_step(const array<double>& u) const {
        const auto wide = pad(u, {{0, 0}, {1, 1}}, frit::pad_mode::constant, 1.0);
        const auto left = wide(frit::all, frit::slice(0, -2)), right = wide(frit::all, frit::slice(2, frit::none));
        return solve(-d * left + (1 + 2 * d) * u - d * right, 0, a, b);
    }
    array<double> other_half(const array<double>& v) const {
        const auto wide = pad(v, {{1, 1}, {0, 0}}, frit::pad_mode::constant, 1.0);
        const auto above = wide(frit::slice(0, -2)), below = wide(frit::slice(2, frit::none));
        return solve(-a * above + (1 + 2 * a) * v - a * below, 1, d, e);
    }
    /// A step of a plain loop, of n x n points with their edge.
    void plain(std::vector<double>& u, std::size_t n) const {
        std::vector<double> v(n * n, 1.0), p(n), q(n);
        for (std::size_t i = 1; i + 1 < n; ++i) {
            p[0] = 0, q[0] = 1;
            for (std::size_t j = 1; j + 1 < n; ++j) {
                const double* const at = &u[j * n + i];
                p[j] = -a / (a * p[j - 1] + b);
                q[j] = (-d * at[-1] + (1 + 2 * d) * at[0] - d * at[1] - a * q[j - 1]) / (a * p[j - 1] + b);
            }
            for (std::size_t j = n - 2; j > 0; --j) v[j * n + i] = p[j] * v[(j + 1) * n + i] + q[j];
        }
        for (std::size_t i = 1; i + 1 < n; ++i) {
            p[0] = 0, q[0] = 1;
            for (std::size_t j = 1; j + 1 < n; ++j) {
                const double above = v[(i - 1) * n + j], here = v[i * n + j], below = v[(i + 1) * n + j];
                p[j] = -d / (d * p[j - 1] + e);
                q[j] = (-a * above + (1 + 2 * a) * here - a * below - d * q[j - 1]) / (d * p[j - 1] + e);
            }
            for (std::size_t j = n - 2; j > 0; --j) u[i * n + j] = p[j] * u[i * n + j + 1] + q[j];
        }
    }
};
TEST(Sweeps, AlternatingDirections) {
    const std::int64_t inner = 38;
    const directions heat(40, 20);
    const array<double> start = noise({inner, inner}, 14, 0.0, 1.0);
    EXPECT_KERNELS(2, heat.half_step(start));
    EXPECT_KERNELS(2, heat.other_half(start));
    EXPECT_KERNELS(4, heat.other_half(heat.half_step(start)));
    std::vector<double> want = array<double>(pad(start, {{1, 1}, {1, 1}}, frit::pad_mode::constant, 1.0)).to_vector();
    for (int step = 0; step < 3; ++step) heat.plain(want, 40);
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        array<double> u = start;
        for (int step = 0; step < 3; ++step) u = heat.other_half(heat.half_step(u));
        EXPECT_LT(distance(pad(u, {{1, 1}, {1, 1}}, frit::pad_mode::constant, 1.0), want), 1e-12);
    });
}

/// Deriche's filter of edges (1990): what is left of, right of, above and below an element, by recurrences of second order.
struct deriche {
    double a1, a2, a3, a4, b1, b2;

    explicit deriche(double alpha) {
        const double e = std::exp(-alpha), k = (1 - e) * (1 - e) / (1 + 2 * alpha * e - std::exp(-2 * alpha));
        a1 = k;
        a2 = k * e * (alpha - 1);
        a3 = k * e * (alpha + 1);
        a4 = -k * e * e;
        b1 = std::exp2(-alpha);
        b2 = -std::exp(-2 * alpha);
    }
    auto forward(const array<double>& x, int axis) const {
        const auto step = [this](const auto& y, const auto& before, const auto& last, const auto& v) {
            return std::tuple(a1 * v + a2 * last + b1 * y + b2 * before, y, v);
        };
        return std::get<0>(frit::scan_along(axis, std::tuple(0.0, 0.0, 0.0), step, x));
    }
    auto backward(const array<double>& x, int axis) const {
        const auto step = [this](const auto& y, const auto& before, const auto& last, const auto& second, const auto& v) {
            return std::tuple(a3 * last + a4 * second + b1 * y + b2 * before, y, v, last);
        };
        return std::get<0>(frit::scan_along(frit::backward(axis), std::tuple(0.0, 0.0, 0.0, 0.0), step, x));
    }
    array<double> along(const array<double>& x, int axis) const { return forward(x, axis) + backward(x, axis); }

    /// One line of a plain loop: n elements, `step` apart.
    void line(const double* x, double* out, std::size_t n, std::size_t step) const {
        double y = 0, before = 0, last = 0, second = 0;
        for (std::size_t k = 0; k < n; ++k) {
            const double next = a1 * x[k * step] + a2 * last + b1 * y + b2 * before;
            before = y, y = next, last = x[k * step];
            out[k * step] = y;
        }
        y = before = last = second = 0;
        for (std::size_t k = n; k-- > 0;) {
            const double next = a3 * last + a4 * second + b1 * y + b2 * before;
            before = y, y = next, second = last, last = x[k * step];
            out[k * step] += y;
        }
    }
};
TEST(Sweeps, Deriche) {
    const deriche filter(0.25);
    const std::size_t rows = 53, columns = 70;
    const array<double> x = noise({53, 70}, 1, 0.0, 1.0);
    for (const int axis : {0, 1}) {
        EXPECT_KERNELS(1, filter.forward(x, axis));
        EXPECT_KERNELS(1, filter.backward(x, axis));
        EXPECT_KERNELS(2, filter.along(x, axis));
    }
    EXPECT_KERNELS(4, filter.along(filter.along(x, 1), 0));

    const std::vector<double> in = x.to_vector();
    std::vector<double> across(in.size()), want(in.size());
    for (std::size_t i = 0; i < rows; ++i) filter.line(&in[i * columns], &across[i * columns], columns, 1);
    for (std::size_t j = 0; j < columns; ++j) filter.line(&across[j], &want[j], rows, columns);
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        EXPECT_LT(distance(filter.along(x, 1), across), 1e-13);
        EXPECT_LT(distance(filter.along(filter.along(x, 1), 0), want), 1e-12);
    });
}

/// Vertical advection of a weather model (COSMO's, as NPBench has it): an implicit step in each column of air, along k.
struct advection {
    static constexpr double dtr = 3.0 / 20.0, bet_m = 0.5 * (1 - 0.125), bet_p = 0.5 * (1 + 0.125);
    std::int64_t ni, nj, nk;
    array<double> tendency, u, wind, u_before, other;  // (i, j, k), the wind with one more i

    advection(std::int64_t i, std::int64_t j, std::int64_t k)
        : ni(i),
          nj(j),
          nk(k),
          tendency(noise({i, j, k}, 2)),
          u(noise({i, j, k}, 3)),
          wind(noise({i + 1, j, k}, 4, -0.05, 0.05)),
          u_before(noise({i, j, k}, 5)),
          other(noise({i, j, k}, 6)) {}

    array<double> solve() const { return sweeps(tendency, u, wind, u_before, other); }
    /// The same of arrays that have k as their first axis in memory.
    array<double> solve(const std::vector<array<double>>& levels) const {
        const auto turned = [&](std::size_t k) { return array<double>(frit::moveaxis(levels[k], 0, 2)); };
        return sweeps(turned(0), turned(1), turned(2), turned(3), turned(4));
    }
    std::vector<array<double>> level_by_level() const {
        std::vector<array<double>> levels;
        for (const array<double>& x : {tendency, u, wind, u_before, other})
            levels.push_back(array<double>(frit::moveaxis(x, 2, 0)).eval());
        return levels;
    }
    array<double> sweeps(const array<double>& t, const array<double>& v, const array<double>& w, const array<double>& past,
                         const array<double>& rest) const {
        const auto all = frit::all;
        const auto lower = frit::slice(0, nk - 1), upper = frit::slice(1, nk);
        const auto below = [](const auto& x) { return pad(x, {{0, 0}, {0, 0}, {1, 0}}); };
        const auto above = [](const auto& x) { return pad(x, {{0, 0}, {0, 0}, {0, 1}}); };
        // through the faces between levels; nothing through the ground and the lid
        const auto risen = w(all, all, upper);
        const auto mean = [&](const auto& x) { return 0.25 * (x(frit::slice(1, ni + 1)) + x(frit::slice(0, ni))); };
        const auto a = -mean(below(risen));
        const auto c = mean(above(risen));
        const auto flow = bet_m * (a * (v - below(v(all, all, lower))) - c * (above(v(all, all, upper)) - v));
        const auto down = [](const auto& cc, const auto& d, const auto& g, const auto& h, const auto& rhs) {
            const auto divided = 1.0 / (dtr - g * bet_p - h * bet_p - cc * (g * bet_p));
            return std::tuple(h * bet_p * divided, (rhs - d * (g * bet_p)) * divided);
        };
        const auto [cc, d] = frit::scan_along(2, std::tuple(0.0, 0.0), down, a, c, dtr * past + rest + t + flow);
        const auto up = [](const auto& x, const auto& ck, const auto& dk) { return dk - ck * x; };
        return dtr * (frit::scan_along(frit::backward(2), 0.0, up, cc, d) - past);
    }
    /// NPBench's loops, of one column.
    std::vector<double> plain() const {
        const std::vector<double> t = tendency.to_vector(), us = u.to_vector(), w = wind.to_vector(),
                                  up = u_before.to_vector(), o = other.to_vector();
        const std::size_t n = static_cast<std::size_t>(nk), next_i = static_cast<std::size_t>(nj) * n;
        std::vector<double> out(t.size()), cc(n), d(n);
        for (std::size_t first = 0; first < t.size(); first += n) {
            for (std::size_t k = 0; k < n; ++k) {
                const std::size_t at = first + k;
                double a = 0, c = 0, correction = 0;
                if (k > 0) {
                    const double g = -0.25 * (w[at + next_i] + w[at]);
                    a = g * bet_p;
                    correction -= g * bet_m * (us[at - 1] - us[at]);
                }
                if (k + 1 < n) {
                    const double g = 0.25 * (w[at + next_i + 1] + w[at + 1]);
                    c = g * bet_p;
                    correction -= g * bet_m * (us[at + 1] - us[at]);
                }
                const double divided = 1 / (dtr - a - c - (k > 0 ? cc[k - 1] * a : 0));
                cc[k] = c * divided;
                d[k] = (dtr * up[at] + o[at] + t[at] + correction - (k > 0 ? d[k - 1] * a : 0)) * divided;
            }
            double x = 0;
            for (std::size_t k = n; k-- > 0;) {
                x = d[k] - cc[k] * x;
                out[first + k] = dtr * (x - up[first + k]);
            }
        }
        return out;
    }
};
TEST(Sweeps, VerticalAdvection) {
    const advection air(9, 7, 40),
        wide(60, 70, 4);  // with fewer rows than threads, what all rows read would be stored first
    const std::vector<array<double>> levels = air.level_by_level();
    EXPECT_KERNELS(2, wide.solve());
    EXPECT_KERNELS(2, wide.solve(wide.level_by_level()));
    const std::vector<double> want = air.plain();
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        EXPECT_LT(distance(air.solve(), want), 1e-12);
        EXPECT_LT(distance(air.solve(levels), want), 1e-12);
    });
}

// A cell of long short-term memory whose units look back at themselves: four gates, and two states that go through time.
TEST(Sweeps, LongShortTermMemory) {
    const std::int64_t steps = 30, batch = 5, units = 17;
    const array<double> x = noise({steps, batch, 4, units}, 7, -2.0, 2.0), back = noise({4, units}, 8);
    const auto sigmoid = [](const auto& v) { return 1.0 / (1.0 + exp(-v)); };
    const auto cell = [&](const auto& c, const auto& h, const auto& in, const auto& forget, const auto& value,
                          const auto& out) {
        const auto next = sigmoid(forget + back(1) * h) * c + sigmoid(in + back(0) * h) * tanh(value + back(2) * h);
        const array<double> state = next;
        return std::tuple(state, sigmoid(out + back(3) * h) * tanh(state));
    };
    const auto gate = [&](int k) { return x(frit::all, frit::all, k); };
    const auto run = [&] { return frit::scan_along(0, std::tuple(0.0, 0.0), cell, gate(0), gate(1), gate(2), gate(3)); };
    const auto [c, h] = run();
    EXPECT_KERNELS(1, c, h);
    EXPECT_KERNELS(1, std::get<1>(run()) * back(0) + x(frit::all, frit::all, 0));

    const std::vector<double> in = x.to_vector(), weights = back.to_vector();
    std::vector<double> states(static_cast<std::size_t>(steps * batch * units)), outputs(states.size());
    const auto plain = [](double v) { return 1 / (1 + std::exp(-v)); };
    const std::size_t n = static_cast<std::size_t>(units), lanes = static_cast<std::size_t>(batch) * n;
    for (std::size_t k = 0; k < states.size(); ++k) {
        const std::size_t unit = k % n;
        const double memory = k < lanes ? 0 : states[k - lanes], before = k < lanes ? 0 : outputs[k - lanes];
        const auto sum = [&](std::size_t g) { return in[(k / n * 4 + g) * n + unit] + weights[g * n + unit] * before; };
        states[k] = plain(sum(1)) * memory + plain(sum(0)) * std::tanh(sum(2));
        outputs[k] = plain(sum(3)) * std::tanh(states[k]);
    }
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const auto [memory, output] = run();
        EXPECT_LT(distance(memory, states), 1e-13);
        EXPECT_LT(distance(output, outputs), 1e-13);
    });
}

// Nussinov's table of pairs in a strand (1978) without bifurcations, as the rows of NPBench's loop: a row comes from the one
// below it, and each element from its left neighbour too. Many strands at once.
TEST(Sweeps, RowsOfNussinov) {
    const std::int64_t strands = 6, n = 48;
    frit::random::generator g(9);
    const array<int> strand = array<int>(frit::cast<int>(floor(g.uniform<double>({strands, n}, 0.0, 4.0)))).eval();
    const array<int> place = frit::arange<int>(0, static_cast<int>(n)).eval();
    const auto row = [&](const array<int>& below, int i) {
        const auto first = strand(frit::all, frit::slice(i, i + 1));
        const auto step = [&](const auto& left, const auto& corner, const auto& under, const auto& base, const auto& own,
                              const auto& j) {
            const auto pairs = frit::cast<int>(base + own == 3 && j > i + 1);
            const auto best = maximum(maximum(left, under), corner + pairs);
            return std::tuple(where(j > i, best, 0), under);
        };
        return std::get<0>(frit::scan_along(1, std::tuple(0, 0), step, below, strand, first, place));
    };

    const std::vector<int> bases = strand.to_vector();
    const std::size_t length = static_cast<std::size_t>(n);
    std::vector<std::vector<int>> want(length, std::vector<int>(bases.size()));
    for (std::size_t i = length - 1; i-- > 0;)
        for (std::size_t s = 0; s < bases.size(); s += length)
            for (std::size_t j = i + 1; j < length; ++j) {
                const int pairs = bases[s + i] + bases[s + j] == 3 && j > i + 1;
                want[i][s + j] = std::max({want[i][s + j - 1], want[i + 1][s + j], want[i + 1][s + j - 1] + pairs});
            }
    EXPECT_GT(want[0][length - 1], 10);
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        array<int> below = frit::zeros<int>({strands, n}).eval();
        for (int i = static_cast<int>(n) - 2; i >= 0; --i) {
            const frit::counters before = frit::stats();
            below = array<int>(row(below, i)).eval();
            if (who != "without fusion") {
                EXPECT_EQ(frit::stats().kernels_launched - before.kernels_launched, 1U);
            }
            EXPECT_EQ(below.to_vector(), want[static_cast<std::size_t>(i)]);
        }
    });
    EXPECT_KERNELS(1, row(frit::zeros<int>({strands, n}).eval(), 3));
}

/// CRC-16/CCITT-FALSE of each row of bytes, bit by bit.
std::vector<std::uint16_t> plain_crc(const std::vector<std::uint8_t>& bytes, std::size_t length) {
    std::vector<std::uint16_t> all;
    for (std::size_t first = 0; first < bytes.size(); first += length) {
        unsigned crc = 0xFFFF;
        for (std::size_t k = 0; k < length; ++k) {
            crc ^= static_cast<unsigned>(bytes[first + k]) << 8;
            for (int bit = 0; bit < 8; ++bit) crc = (crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1) & 0xFFFF;
        }
        all.push_back(static_cast<std::uint16_t>(crc));
    }
    return all;
}
TEST(Sweeps, CyclicRedundancyCheck) {
    const auto by_loop = [](const auto& crc, const auto& byte) {
        return frit::iterate(8, crc ^ frit::cast<std::uint16_t>(byte) << 8,
                             [](const auto& c) { return where((c & 0x8000) != 0, c << 1 ^ 0x1021, c << 1); });
    };
    const frit::function<std::uint16_t(std::uint16_t, std::uint8_t)> by_text("crc16_byte", R"(
        uint16_t crc = x0 ^ (x1 << 8);
        for (int bit = 0; bit < 8; ++bit) {
            if (crc & 0x8000) crc = (crc << 1) ^ 0x1021;
            else crc <<= 1;
        }
        return crc;)");
    const auto sweep = [](const auto& of, const auto& step) {
        return frit::scan_along(-1, std::uint16_t{0xFFFF}, step, of);
    };
    const std::string_view digits = "123456789";
    const array<std::uint8_t> known = frit::from_host(std::vector<std::uint8_t>(digits.begin(), digits.end()));
    frit::random::generator g(10);
    const array<std::uint8_t> messages =
        array<std::uint8_t>(frit::cast<std::uint8_t>(g.integers<int>({7, 130}, 0, 256))).eval();
    const std::vector<std::uint16_t> want = plain_crc(messages.to_vector(), 130);
    EXPECT_EQ(plain_crc(known.to_vector(), 9), std::vector<std::uint16_t>{0x29B1});
    const auto check = [&](const auto& step) {
        EXPECT_KERNELS(1, sweep(known, step));
        EXPECT_KERNELS(1, sweep(messages, step));
        everywhere([&](const std::string& who) {
            SCOPED_TRACE(who);
            EXPECT_EQ(sweep(known, step)(-1).item(), 0x29B1);
            EXPECT_EQ(array<std::uint16_t>(sweep(messages, step)(frit::all, -1)).to_vector(), want);
        });
    };
    check(by_loop);
    check(by_text);
}

template <class T>
std::string bits_of(const array<T>& x) {
    const std::vector<T> values = x.to_vector();
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}
/// Gives each way of writing a function to `statement`: the kernel's text and the result's bits are the same, and kernels
/// are new for the first alone.
template <class T, class Statement, class First, class... Others>
void expect_one_kernel(const array<T>& start, const std::string& what, const Statement& statement, const First& first,
                       const Others&... others) {
    SCOPED_TRACE(what + " of " + std::string(frit::name_of(frit::dtype_of<T>)));
    const auto run = [&](const auto& f, std::uint64_t kernels) {
        array<T> y = array<T>(start * 2).eval();
        frit::synchronize();
        const std::uint64_t before = frit_test::new_kernels();
        statement(y, f);
        const frit::plan plan = frit::make_plan(y);
        EXPECT_EQ(frit_test::evaluate(y).kernels, 1U);
        frit::synchronize();
        EXPECT_LE(frit_test::new_kernels() - before, kernels);
        return std::pair(plan.kernels().at(0).source(), bits_of(y));
    };
    const auto one = run(first, 1);
    const auto same = [&](const auto& f) {
        const auto [text, bits] = run(f, 0);
        EXPECT_EQ(text, one.first);
        EXPECT_TRUE(bits == one.second);
    };
    (same(others), ...);
    const auto another = [&](const auto&... v) { return first(v...) * (v + ...); };
    EXPECT_NE(run(another, 1).first, one.first);
}
/// A function of two arrays by itself, in a sum, in an update and among others.
template <class T, class Formula, class Lambda>
void check_three_ways(const Formula& formula, const Lambda& lambda, const frit::function<T(T, T)>& text) {
    const array<double> x = noise({20, 50}, 11, -4.0, 4.0), y = noise({20, 50}, 12, -4.0, 4.0);
    const auto as = [](const array<double>& of, const array<double>& imaginary) {
        if constexpr (std::is_same_v<T, std::complex<float>>)
            return array<T>(frit::cast<T>(frit::complex(of, imaginary))).eval();
        else
            return array<T>(frit::cast<T>(of)).eval();
    };
    const array<T> a = as(x, y), b = as(y, x);
    const frit::slice inner(1, -1);
    const auto check = [&](const std::string& what, const auto& statement) {
        expect_one_kernel(a, what, statement, formula, lambda, text);
    };
    check("alone", [&](array<T>& u, const auto& f) { u = f(a, b); });
    check("update", [&](array<T>& u, const auto& f) { u(inner, inner) = f(a(inner, inner), b(inner, inner)); });
    const auto in_sum = [&](array<T>& u, const auto& f) { u = sum(f(a, b)); };
    const auto among_others = [&](array<T>& u, const auto& f) { u = f(a * b, b) - a; };
    if constexpr (std::is_same_v<T, frit::half>) {  // what a text returns is rounded, as in C: an operation more
        expect_one_kernel(a, "sum", in_sum, formula, lambda);
        expect_one_kernel(a, "among others", among_others, formula, lambda);
    } else {
        check("sum", in_sum);
        check("among others", among_others);
    }
}
TEST(Sweeps, FunctionsShareKernels) {
    const auto formula = [](const auto& p, const auto& q) { return (p * p + q) * (p - q * 3) - p; };
    const frit::function lambda([](const auto& p, const auto& q) { return (p * p + q) * (p - q * 3) - p; });
    const char* const text = "return (x0 * x0 + x1) * (x0 - x1 * 3) - x0;";
    const frit_test::with_engine compiled(frit_test::compiled_engines().back());
    check_three_ways<double>(formula, lambda, frit::function<double(double, double)>("three_d", text));
    check_three_ways<float>(formula, lambda, frit::function<float(float, float)>("three_f", text));
    using C = std::complex<float>;
    check_three_ways<C>(formula, lambda, frit::function<C(C, C)>("three_c", text));
    using H = frit::half;
    // in C an int becomes a half where it meets one, a float does not
    const char* const of_half = "return (x0 * x0 + x1) * (x0 - x1 * 3.f) - x0;";
    check_three_ways<H>(formula, lambda, frit::function<H(H, H)>("three_h", of_half));
    using I = std::int64_t;
    check_three_ways<I>(formula, lambda, frit::function<I(I, I)>("three_i", text));
}
// What is `where` in a formula is `?:` in a text, or an `if`.
TEST(Sweeps, FunctionsWithChoicesShareKernels) {
    const frit_test::with_engine compiled(frit_test::compiled_engines().back());
    const array<float> x = array<float>(frit::cast<float>(noise({700}, 13, -3.0, 3.0))).eval();
    const auto huber = [](const auto& v) {
        const auto a = abs(v);
        return where(a < 2.0F, 0.25F * a * a, a - 1.0F);
    };
    const frit::function<float(float)> text("huber_of_three", "float a = fabsf(x0); return a < 2 ? .25f * a * a : a - 1;"),
        by_if("huber_by_if", "float a = fabsf(x0), y = a - 1; if (a < 2) y = .25f * a * a; return y;");
    const auto alone = [&](array<float>& u, const auto& f) { u = f(x); };
    const auto in_sum = [&](array<float>& u, const auto& f) { u = frit::sum(f(x)); };
    expect_one_kernel(x, "choice", alone, huber, frit::function(huber), text, by_if);
    expect_one_kernel(x, "choice in a sum", in_sum, huber, frit::function(huber), text, by_if);
}
}  // namespace
