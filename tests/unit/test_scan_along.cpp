// scan_along: recurrences inside kernels. Against the same recurrence as a statement for each element of the axis, bit by
// bit, on every engine, with and without fusion.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "frit/frit.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"

namespace {
using frit::any_array, frit::array, frit::dtype;
using frit_test::everywhere;

template <class T>
array<T> noise(const frit::shape& shape, std::uint64_t seed) {
    frit::random::generator g(seed);
    const array<double> x = array<double>(g.uniform<double>(shape, -1.0, 2.0)).eval();
    if constexpr (std::is_same_v<T, std::complex<float>>)
        return array<T>(frit::cast<T>(frit::complex(x, cos(x * 5.0)))).eval();
    else
        return array<T>(frit::cast<T>(x * 8.0)).eval();
}
/// The bits of an array, the same on every engine and way of fusing.
template <class T>
std::string bits_of(const array<T>& x) {
    std::string out;
    for (const T v : x.to_vector()) out.append(reinterpret_cast<const char*>(&v), sizeof v);
    return out;
}
/// Element k of an axis.
template <class T>
array<T> at(const array<T>& x, std::int64_t k, std::int64_t axis) {
    return frit::take(x, frit::array<std::int64_t>(frit::scalar(k)), axis);
}

/// A statement for each element of the axis.
template <class T, class Step>
array<T> step_by_step(const array<T>& x, const array<T>& before, std::int64_t axis, bool backward, const Step& step) {
    const std::int64_t n = x.shape()[static_cast<int>(axis)];
    std::vector<array<T>> all(static_cast<std::size_t>(n));
    array<T> state = before;
    for (std::int64_t j = 0; j < n; ++j) {
        const std::int64_t k = backward ? n - 1 - j : j;
        state = array<T>(step(state, at(x, k, axis))).eval();
        all[static_cast<std::size_t>(k)] = state;
    }
    return array<T>(frit::stack(axis, all)).eval();
}

template <class T>
void check_every_axis(const frit::shape& shape) {
    const array<T> x = noise<T>(shape, 7);
    const auto step = [](const auto& y, const auto& v) { return y * T(0.5F) + v * (v + T(1)) - y / T(3); };
    for (int axis = 0; axis < shape.rank(); ++axis) {
        std::vector<std::int64_t> others;
        for (int k = 0; k < shape.rank(); ++k)
            if (k != axis) others.push_back(shape[k]);
        const array<T> before = noise<T>(frit::shape(others), 8);
        for (const bool backward : {false, true}) {
            const std::string want = bits_of(step_by_step(x, before, axis, backward, step));
            everywhere([&](const std::string& who) {
                SCOPED_TRACE(who + ", axis " + std::to_string(axis) + (backward ? ", backward" : ""));
                const auto along = backward ? frit::backward(axis) : axis - shape.rank();
                EXPECT_TRUE(bits_of(array<T>(frit::scan_along(along, before, step, x))) == want);
                const any_array any = frit::scan_along(along, any_array(before), step, any_array(x));
                EXPECT_TRUE(bits_of(any.as<T>()) == want);
            });
        }
    }
}
TEST(ScanAlong, EveryAxis) {
    check_every_axis<float>({5, 300});
    check_every_axis<float>({300, 5});
    check_every_axis<double>({7, 5, 11});
    check_every_axis<int>({3, 40});
}
TEST(ScanAlong, EveryDtype) {
    check_every_axis<frit::half>({9, 33});
    check_every_axis<frit::bfloat16>({33, 9});
    check_every_axis<std::complex<float>>({6, 21});
    check_every_axis<std::uint8_t>({6, 21});
}
TEST(ScanAlong, Vectors) {
    check_every_axis<float>({1});
    check_every_axis<float>({1000});
    check_every_axis<float>({1, 17});
}
/// Rows along memory, which lanes reach across: whole groups of them and rests, runs that end within a row, rows whose
/// elements are neighbours, apart, or lie the other way round.
template <class T>
void check_rows_along_memory(std::int64_t rows, std::int64_t length) {
    SCOPED_TRACE(std::string(name_of(frit::dtype_of<T>)) + ", " + std::to_string(rows) + " x " + std::to_string(length));
    const array<int> whole = frit::random::generator(11).integers<int>({rows, 2 * length}, 0, 9);
    const std::vector<int> v = whole.to_vector();
    const array<T> x = array<T>(frit::cast<T>(whole)).eval();
    const auto fall = [](const auto& y, const auto& e) { return frit::where(e < y, y - T(1), e); };
    const auto all = static_cast<std::size_t>(2 * length), n = static_cast<std::size_t>(length);
    const auto check = [&](const auto& made, std::size_t first, std::ptrdiff_t step) {
        std::vector<int> want;
        for (std::size_t row = 0; row < v.size(); row += all) {
            int y = 0;
            for (std::size_t k = 0; k < n; ++k) {
                const int e = v[row + first + static_cast<std::size_t>(static_cast<std::ptrdiff_t>(k) * step)];
                want.push_back(y = e < y ? y - 1 : e);
            }
        }
        EXPECT_TRUE(array<int>(frit::cast<int>(made)).to_vector() == want);
    };
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const auto run = [&](const array<T>& of) { return frit::scan_along(1, T(0), fall, of); };
        check(run(x(frit::all, frit::slice(1, length + 1))), 1, 1);
        check(run(x(frit::all, frit::slice(0, frit::none, 2))), 0, 2);
        check(run(x(frit::all, frit::slice(frit::none, length - 1, -1))), all - 1, -1);
        const array<T> back = frit::scan_along(frit::backward(1), T(0), fall, x(frit::all, frit::slice(0, length)));
        check(frit::flip(back, 1), n - 1, -1);
    });
}
TEST(ScanAlong, RowsAlongMemory) {
    for (const std::int64_t length : {1, 5, 31, 128, 131, 300})
        for (const std::int64_t rows : {8, 35, 70}) check_rows_along_memory<float>(rows, length);
    for (const std::int64_t length : {1, 31, 4096, 9001}) check_rows_along_memory<float>(1, length);
    check_rows_along_memory<std::int8_t>(1, 5000);
    check_rows_along_memory<frit::half>(1, 5000);
    check_rows_along_memory<std::int8_t>(67, 131);
    check_rows_along_memory<std::uint16_t>(67, 131);
    check_rows_along_memory<std::int64_t>(67, 131);
    check_rows_along_memory<double>(67, 131);
    check_rows_along_memory<frit::half>(67, 131);
}
TEST(ScanAlong, NothingToRunAlong) {
    const auto add = [](const auto& y, const auto& v) { return y + v; };
    EXPECT_EQ(array<float>(frit::scan_along(0, 1.0F, add, frit::zeros<float>({0}))).to_vector(), std::vector<float>{});
    EXPECT_EQ(array<float>(frit::scan_along(1, 1.0F, add, frit::zeros<float>({3, 0}))).shape(), (frit::shape{3, 0}));
    EXPECT_EQ(array<float>(frit::scan_along(1, 1.0F, add, frit::zeros<float>({0, 3}))).shape(), (frit::shape{0, 3}));
}

// The next value of one state is another: all are replaced at once. Numbers begin what they are the type of.
TEST(ScanAlong, SeveralStates) {
    const array<std::int64_t> ones = frit::ones<std::int64_t>({3, 60});
    std::vector<std::int64_t> fibonacci{1, 1};
    while (fibonacci.size() < 61) fibonacci.push_back(fibonacci.rbegin()[0] + fibonacci.rbegin()[1]);
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const auto step = [](const auto& a, const auto& b, const auto& n, const auto& one) {
            return std::tuple(b, a + b * one, n + 1);
        };
        const auto [a, b, n] = frit::scan_along(1, std::tuple(std::int64_t{1}, std::int64_t{1}, 0), step, ones);
        const std::vector<std::int64_t> first = a.to_vector();
        const std::vector<int> counts = n.to_vector();
        for (std::size_t k = 0; k < 180; ++k) {
            EXPECT_EQ(first[k], fibonacci[k % 60 + 1]);
            EXPECT_EQ(counts[k], static_cast<int>(k % 60) + 1);
        }
        EXPECT_EQ(b(2, 59).item(), fibonacci[60] + fibonacci[59]);
    });
}
// What it runs along gives the length, though the step reads none of it.
TEST(ScanAlong, StepsThatReadNothing) {
    const array<float> x = noise<float>({4, 9}, 1);
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const auto doubled = [](const auto& y, const auto&) { return y * 2; };
        const array<int> powers = frit::scan_along(1, 1, doubled, x);
        EXPECT_EQ(powers.shape(), x.shape());
        EXPECT_EQ(powers(3, 8).item(), 512);
        const auto last = [](const auto&, const auto& v) { return v; };
        EXPECT_TRUE(bits_of(array<float>(frit::scan_along(0, 0.0F, last, x))) == bits_of(x));
    });
}

// Tridiagonal systems, a sweep down and one up, against the product with the matrix.
template <class T>
void check_thomas(std::int64_t n, std::int64_t systems, int axis) {
    const frit::shape shape = axis == 0 ? frit::shape{n, systems} : frit::shape{systems, n};
    const array<T> lower = noise<T>(shape, 2), upper = noise<T>(shape, 3), rhs = noise<T>(shape, 4),
                   diagonal = array<T>(T(40) + abs(noise<T>(shape, 5))).eval();
    const auto down = [](const auto& c, const auto& d, const auto& a, const auto& b, const auto& u, const auto& r) {
        const auto m = T(1) / (b - a * c);
        return std::tuple(u * m, (r - a * d) * m);
    };
    const auto up = [](const auto& x, const auto& c, const auto& d) { return d - c * x; };
    const auto solve = [&] {
        const auto [c, d] = frit::scan_along(axis, std::tuple(T(0), T(0)), down, lower, diagonal, upper, rhs);
        return array<T>(frit::scan_along(frit::backward(axis), T(0), up, c, d));
    };
    EXPECT_KERNELS(2, solve());
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const std::vector<T> x = solve().to_vector(), a = lower.to_vector(), b = diagonal.to_vector(), c = upper.to_vector(),
                             r = rhs.to_vector();
        const std::size_t step = axis == 0 ? static_cast<std::size_t>(systems) : 1;
        double worst = 0;
        for (std::size_t k = 0; k < x.size(); ++k) {
            const auto row = static_cast<std::int64_t>(axis == 0 ? k / step : k % static_cast<std::size_t>(n));
            double product = double(b[k]) * double(x[k]);
            if (row > 0) product += double(a[k]) * double(x[k - step]);
            if (row + 1 < n) product += double(c[k]) * double(x[k + step]);
            worst = std::max(worst, std::abs(product - double(r[k])));
        }
        EXPECT_LT(worst, sizeof(T) == 4 ? 2e-5 : 1e-13);
    });
}
TEST(ScanAlong, TridiagonalSystems) {
    check_thomas<double>(128, 37, 0);
    check_thomas<double>(128, 37, 1);
    check_thomas<float>(50, 300, 0);
}

// What it runs along, what the step reads besides and what reads the states stand in its kernel.
TEST(ScanAlong, Fuses) {
    const array<double> x = array<double>(noise<double>({40, 100}, 9) * 0.125).eval(),
                        w = array<double>(noise<double>({100}, 10) * 0.125).eval();
    const auto filter = [](const auto& y, const auto& v) { return y * 0.9 + v; };
    const auto sweep = [&](int axis, const auto& of) { return frit::scan_along(axis, 0.0, filter, of); };
    for (const int axis : {0, 1}) {
        EXPECT_KERNELS(1, sweep(axis, x));
        EXPECT_KERNELS(1, sweep(axis, sin(x) * w) * 2.0 + x);
        EXPECT_KERNELS(1, frit::scan_along(
                              axis, 0.0, [&](const auto& y, const auto& v) { return y * w + v * (w + 1.0); }, x));
        EXPECT_KERNELS(1, sweep(axis, x.T()));
        EXPECT_KERNELS(1, sweep(axis, sweep(axis, x)));
        const auto [p, q] = frit::scan_along(
            axis, std::tuple(0.0, 1.0),
            [](const auto& a, const auto& b, const auto& v) { return std::tuple(a + v, b * 0.5 + a); }, x);
        EXPECT_KERNELS(1, p, q);
    }
    const auto [p, q] = frit::scan_along(
        1, std::tuple(0.0, 1.0), [](const auto& a, const auto& b, const auto& v) { return std::tuple(a + v, b * 0.5 + a); },
        x);
    const frit_test::traffic seen = frit_test::evaluate(q);
    EXPECT_EQ(seen.bytes_read, 40U * 100 * 8);
    EXPECT_EQ(seen.bytes_written, 40U * 100 * 8);  // of p nothing is stored
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const auto same = [&](const auto& fused, const auto& apart) {
            EXPECT_TRUE(bits_of(array<double>(fused)) == bits_of(array<double>(apart)));
        };
        for (const int axis : {0, 1}) {
            const array<double> made = array<double>(sin(x) * w).eval(), swept = array<double>(sweep(axis, made)).eval();
            same(sweep(axis, sin(x) * w) * 2.0 + x, swept * 2.0 + x);
            same(sweep(axis, sweep(axis, sin(x) * w)), sweep(axis, swept));
            same(sweep(axis, (sin(x) * w).T()), sweep(axis, array<double>(made.T()).eval()));
            same(sum(sweep(axis, made), axis), sum(swept, axis));
            same(max(sweep(axis, made)), max(swept));
            same(max(cummax(sweep(axis, made), axis) - made, axis), max(cummax(swept, axis) - made, axis));
            same(softmax(sweep(axis, made), axis), softmax(swept, axis));
            same(sweep(axis, made)(frit::slice(3, 30, 2)), swept(frit::slice(3, 30, 2)));
            same(sweep(axis, mean(made, axis, frit::keepdims) + x),
                 sweep(axis, array<double>(mean(made, axis, frit::keepdims) + x).eval()));
            same(frit::scan_along(axis, mean(made, axis), filter, x),
                 frit::scan_along(axis, array<double>(mean(made, axis)).eval(), filter, x));
        }
    });
}

// In place where nobody else looks; a state may go where it came from.
TEST(ScanAlong, TakesMemoryOver) {
    const auto filter = [](const auto& y, const auto& v) { return y * 0.5 + v; };
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        for (const int axis : {0, 1}) {
            array<double> x = noise<double>({64, 80}, 3);
            const std::string want = bits_of(array<double>(frit::scan_along(axis, 0.0, filter, x)));
            x = frit::scan_along(axis, 0.0, filter, x);
            EXPECT_TRUE(bits_of(x) == want);
        }
    });
}

// States that are looked up: rows in the last block of a GPU, of which some threads have none, ask for no index.
TEST(ScanAlong, StatesLookedUp) {
    const array<float> x = noise<float>({5, 33}, 2), w = noise<float>({40}, 3);
    const auto add = [](const auto& y, const auto& v) { return y * 0.5F + v; };
    const array<std::int64_t> at = frit::arange<std::int64_t>(0, 33) + 7;
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const array<float> stored = array<float>(take(w, at, 0)).eval();
        const array<float> got = frit::scan_along(0, take(w, frit::arange<std::int64_t>(0, 33) + 7, 0), add, x);
        EXPECT_TRUE(bits_of(got) == bits_of(array<float>(frit::scan_along(0, stored, add, x))));
        const array<float> along = frit::scan_along(1, take(w, frit::arange<std::int64_t>(0, 33) + 7, 0), add, x.T());
        EXPECT_TRUE(bits_of(array<float>(along.T())) == bits_of(got));
    });
}

// However many states there are, it is one sweep.
TEST(ScanAlong, ManyStates) {
    const array<float> x = noise<float>({8, 40}, 2);
    const auto step = [](const auto& a, const auto& b, const auto& c, const auto& d, const auto& e, const auto& f,
                         const auto& g, const auto& h, const auto& i,
                         const auto& v) { return std::tuple(v, a, b, c, d, e, f, g, h + i); };
    const std::tuple begin(0.F, 0.F, 0.F, 0.F, 0.F, 0.F, 0.F, 0.F, 0.F);
    const auto all = frit::scan_along(1, begin, step, x);
    std::apply([](const auto&... s) { EXPECT_KERNELS(1, s...); }, all);
    EXPECT_EQ(std::get<7>(all)(3, 30).item(), x(3, 23).item());
}

// A loop inside a step; and numbers in it, which compile nothing anew.
TEST(ScanAlong, LoopsInSteps) {
    const array<double> x = array<double>(abs(noise<double>({4, 50}, 6)) + 1.0).eval();
    const auto root = [](const auto& of) {
        return frit::iterate(
            40, of, [&](const auto& r) { return (r + of / r) / 2; },
            [&](const auto& r) { return abs(r * r - of) < 1e-13 * of; });
    };
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const array<double> got = frit::scan_along(
            1, 1.0, [&](const auto& y, const auto& v) { return root(y + v); }, x);
        const array<double> want = frit::scan_along(
            1, 1.0, [&](const auto& y, const auto& v) { return sqrt(y + v); }, x);
        EXPECT_TRUE(frit::all(abs(got - want) < 1e-12 * want).item());
    });
}
TEST(ScanAlong, CompilesOnce) {
    const array<float> x = noise<float>({20, 30}, 1);
    const auto run = [&](float factor, float start) {
        return array<float>(frit::scan_along(
                                1, start, [&](const auto& y, const auto& v) { return y * factor + v; }, x))
            .eval();
    };
    run(3, 2);
    frit::synchronize();
    const frit::counters before = frit::stats();
    run(0.25F, 0);
    run(0, 1);
    frit::synchronize();
    const frit::counters after = frit::stats();
    EXPECT_EQ(after.compilations, before.compilations);
    EXPECT_EQ(after.plans_built, before.plans_built);
    EXPECT_EQ(after.kernels_launched - before.kernels_launched, 2U);
}

template <class F>
std::string message_of(F f) {
    try {
        f();
    } catch (const frit::error& e) {
        return e.what();
    }
    return "";
}
TEST(ScanAlong, Errors) {
    const array<double> x = noise<double>({3, 4}, 1);
    const auto contains = [](const std::string& text, const std::string& part) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
        EXPECT_NE(text.find("test_scan_along.cpp:"), std::string::npos) << text;
    };
    const auto add = [](const auto& y, const auto& v) { return y + v; };
    contains(message_of([&] { (void)frit::scan_along(2, 0.0, add, x); }), "scan_along: axis 2");
    contains(message_of([&] { (void)frit::scan_along(0, x, add, x); }),
             "scan_along: the state before is larger than what lies across the axis; shapes (3, 4), (4,)");
    contains(message_of([&] {
                 (void)frit::scan_along(
                     0, 0.0, [](const auto& y, const auto& v, const auto&) { return y + v; }, x, x(0)(frit::slice(0, 2)));
             }),
             "scan_along: operands could not be broadcast together");
    contains(message_of([&] {
                 (void)frit::scan_along(
                     0, 0.0, [&](const auto& y, const auto& v) { return y + v * x; }, x(0));
             }),
             "scan_along: what the step reads is larger than what it runs along");
    contains(message_of([&] { (void)frit::scan_along(0, 0, add, x); }),
             "the step gives a state what its dtype does not take without a cast");
    contains(message_of([&] {
                 (void)frit::scan_along(
                     0, 0.0, [](const auto& y, const auto& v) { return y - mean(v * y); }, x);
             }),
             "scan_along: a step computes element by element, and what it has of its states goes into a reduction");
    contains(message_of([&] {
                 (void)frit::scan_along(
                     0, 0.0, [](const auto& y, const auto& v) { return array<double>(y + v).eval(); }, x);
             }),
             "scan_along: a state has a value inside its step alone");
    EXPECT_EQ(array<double>(frit::scan_along(0, 0.0, add, x)).shape(), x.shape());  // and all goes on
}
TEST(ScanAlong, Explains) {
    const array<double> x = noise<double>({3, 4}, 1);
    const auto add = [](const auto& y, const auto& v) { return y + v; };
    const std::string text = frit::explain(array<double>(frit::scan_along(frit::backward(1), 0.0, add, x)));
    EXPECT_NE(text.find("scan_along("), std::string::npos) << text;
    EXPECT_NE(text.find("backward"), std::string::npos) << text;
}
// As many rows as let a GPU's threads hold less of each, and rows that are neighbours nowhere.
TEST(ScanAlong, ManyRowsAndBackward) {
    const std::int64_t rows = (1 << 18) + 3;
    const auto sum_of = [](const auto& s, const auto& v) { return s + v; };
    const array<int> x = frit::reshape(frit::arange<int>(3 * rows) % 7, {3, rows});
    x.eval();
    const array<int> down = frit::scan_along(0, 0, sum_of, x);
    EXPECT_TRUE(frit::all(down == cumsum(x, 0)).item());
    const array<std::int8_t> narrow = frit::cast<std::int8_t>(x(frit::all, frit::slice(0, 5000)));
    narrow.eval();
    const array<std::int8_t> back = frit::scan_along(frit::backward(1), std::int8_t(0), sum_of, narrow);
    const array<std::int8_t> mirrored = frit::scan_along(1, std::int8_t(0), sum_of, frit::flip(narrow, 1));
    EXPECT_TRUE(frit::all(back == frit::flip(mirrored, 1)).item());
}
// 16 MiB and more go past the caches, where each row of them begins with a vector, and in other ways where none does.
TEST(ScanAlong, ResultsPastTheCaches) {
    for (const std::int64_t rows : {std::int64_t{1} << 18, (std::int64_t{1} << 18) + 5}) {
        const array<float> x = frit::reshape(frit::cast<float>(frit::arange<int>(17 * rows) % 13), {17, rows});
        x.eval();
        const auto step = [](const auto& a, const auto& b, const auto& v) { return std::tuple(v + 0.5F * a - b, a); };
        array<float> want = frit::zeros<float>({rows}), before = want;
        for (int k = 0; k < 16; ++k) std::tie(want, before) = std::tuple(array<float>(x(k) + 0.5F * want - before), want);
        frit::eval(want, before);
        everywhere([&](const std::string& engine) {
            const auto [a, b] = frit::scan_along(0, std::tuple(0.0F, 0.0F), step, x);
            frit::eval(a, b);
            EXPECT_TRUE(array_equal(a(15), want)) << engine;
            EXPECT_TRUE(array_equal(b(frit::slice(1, frit::none)), a(frit::slice(0, -1)))) << engine;
        });
    }
}

}  // namespace
