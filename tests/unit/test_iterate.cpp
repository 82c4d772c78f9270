// iterate: loops inside kernels. Against the same loop written out on the host, on every engine, with and without fusion.
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
using frit::array, frit::any_array, frit::dtype;
using frit_test::everywhere;

template <class T>
array<T> spread(std::int64_t n, double lo, double hi) {
    return array<T>(frit::cast<T>(frit::linspace(lo, hi, n))).eval();
}

// Escape times: rounds differ from element to element.
TEST(Iterate, EscapeTimes) {
    const std::int64_t rows = 37, columns = 53;
    const array<double> re = spread<double>(columns, -2, 0.5), im = spread<double>(rows, -1.2, 1.2).reshape({rows, 1});
    const std::vector<double> a = re.to_vector(), b = im.to_vector();
    std::vector<std::int32_t> counts;
    std::vector<double> moduli;
    for (const double y : b)
        for (const double x : a) {
            double u = 0, v = 0;
            std::int32_t n = 0;
            for (; n < 60 && !(u * u + v * v > 4); ++n) {
                const double t = std::fma(u, u, -(v * v)) + x;
                v = std::fma(2.0 * u, v, y);
                u = t;
            }
            counts.push_back(n);
            moduli.push_back(u * u + v * v);
        }
    const auto step = [&](const auto& u, const auto& v, const auto& n) {
        return std::tuple(u * u - v * v + re, 2.0 * u * v + im, n + 1);
    };
    const auto far = [](const auto& u, const auto& v, const auto&) { return u * u + v * v > 4.0; };
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const auto [u, v, n] = frit::iterate(60, std::tuple(0.0, 0.0, 0), step, far);
        EXPECT_EQ(n.shape(), (frit::shape{rows, columns}));
        const std::vector<std::int32_t> got = n.to_vector();
        int differ = 0;
        for (std::size_t k = 0; k < got.size(); ++k) differ += got[k] != counts[k];
        EXPECT_LE(differ, 4);  // where a last bit decides
        EXPECT_GT(frit::max(n).item(), frit::min(n).item());
    });
}

/// The bits of an array, the same on every engine and way of fusing.
template <class T>
std::string bits_of(const array<T>& x) {
    std::string out;
    for (const T v : x.to_vector()) out.append(reinterpret_cast<const char*>(&v), sizeof v);
    return out;
}

// As a loop of statements, each of which is an array: the same bits, 16-bit ones among them.
template <class T>
void check_unrolled() {
    const array<T> x = spread<T>(1003, -2, 3), c = spread<T>(1003, 0.1, 0.7);
    const auto step = [&](const auto& v) { return v * c + T(0.5) * sin(v); };
    array<T> want = x;
    for (int k = 0; k < 7; ++k) want = array<T>(step(want)).eval();
    const std::string bits = bits_of(want);
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        EXPECT_EQ(bits_of(array<T>(frit::iterate(7, x, step))), bits);
        const any_array any = frit::iterate(7, any_array(x), step);
        EXPECT_EQ(bits_of(any.as<T>()), bits);
    });
}
TEST(Iterate, UnrolledFloat) { check_unrolled<float>(); }
TEST(Iterate, UnrolledDouble) { check_unrolled<double>(); }
TEST(Iterate, UnrolledHalf) { check_unrolled<frit::half>(); }
TEST(Iterate, UnrolledBfloat16) { check_unrolled<frit::bfloat16>(); }

TEST(Iterate, UnrolledComplex) {
    using T = std::complex<float>;
    const array<float> part = spread<float>(501, -1, 1);
    const array<T> x = complex(part, cos(part * 3.0F)), c = complex(part * 0.5F, part);
    const auto step = [&](const auto& z) { return z * z + c * conj(z) + T(0.1F, 0.2F); };
    array<T> want = x;
    for (int k = 0; k < 4; ++k) want = array<T>(step(want)).eval();
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const array<T> got = frit::iterate(4, x, step);
        EXPECT_EQ(bits_of(got), bits_of(want));
        const auto [z, n] = frit::iterate(
            50, std::tuple(x, 0), [&](const auto& v, const auto& m) { return std::tuple(v * v + c, m + 1); },
            [](const auto& v, const auto&) { return abs(v) > 2.0F; });
        EXPECT_TRUE(frit::all((n == 50) | (abs(z) > 2.0F)).item());
    });
}

TEST(Iterate, UnrolledIntegers) {
    const array<std::uint64_t> x = frit::cast<std::uint64_t>(frit::arange<std::int64_t>(0, 700));
    std::vector<std::uint64_t> want = x.to_vector();
    for (std::uint64_t& v : want)
        for (int k = 0; k < 5; ++k) v = (v ^ (v << 13)) * 6364136223846793005ULL + 1;
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const auto step = [](const auto& v) { return (v ^ (v << 13)) * 6364136223846793005ULL + 1; };
        EXPECT_EQ(array<std::uint64_t>(frit::iterate(5, x, step)).to_vector(), want);
    });
}

// The next value of one state is another: all are replaced at once.
TEST(Iterate, StatesChangePlaces) {
    const array<int> a = frit::arange<int>(0, 300), b = a * 1000;
    const array<bool> turn = a % 3 == 0;
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const auto [x, y, z] = frit::iterate(
            a % 7, std::tuple(a, b, turn), [](const auto& p, const auto& q, const auto& t) { return std::tuple(q, p, !t); });
        const std::vector<int> first = x.to_vector(), second = y.to_vector();
        const auto third = z.to_vector();
        for (int k = 0; k < 300; ++k) {
            const bool odd = k % 7 % 2 == 1;
            EXPECT_EQ(first[static_cast<std::size_t>(k)], odd ? 1000 * k : k);
            EXPECT_EQ(second[static_cast<std::size_t>(k)], odd ? k : 1000 * k);
            EXPECT_EQ(static_cast<bool>(third[static_cast<std::size_t>(k)]), (k % 3 == 0) != odd);
        }
    });
}

TEST(Iterate, Counts) {
    const array<std::int64_t> n{-3, 0, 1, 2, 1000};
    const auto next = [](const auto& v) { return v + 1; };
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        EXPECT_EQ(array<int>(frit::iterate(n, frit::zeros<int>({5}), next)).to_vector(),
                  (std::vector<int>{0, 0, 1, 2, 1000}));
        EXPECT_EQ(array<int>(frit::iterate(frit::cast<std::int8_t>(n % 100), frit::zeros<int>({5}), next)).to_vector(),
                  (std::vector<int>{0, 0, 1, 2, 0}));
        EXPECT_EQ(array<int>(frit::iterate(0, frit::ones<int>({5}), next)).to_vector(), (std::vector<int>(5, 1)));
        EXPECT_EQ(array<int>(frit::iterate(-1, frit::ones<int>({5}), next)).to_vector(), (std::vector<int>(5, 1)));
        const auto stop = [](const auto& v) { return v >= 17; };
        EXPECT_EQ(array<int>(frit::iterate(INT64_MAX, frit::zeros<int>({5}), next, stop)).to_vector(),
                  (std::vector<int>(5, 17)));
        EXPECT_EQ(array<int>(frit::iterate(UINT64_MAX, frit::zeros<int>({5}), next, stop)).to_vector(),
                  (std::vector<int>(5, 17)));
        EXPECT_EQ(array<int>(frit::iterate(3, frit::zeros<int>({0}), next)).to_vector(), std::vector<int>{});
        EXPECT_EQ(array<int>(frit::iterate(3, frit::scalar(5), next)).item(), 8);
        EXPECT_EQ(array<int>(frit::iterate(true, frit::scalar(5), next)).item(), 6);
    });
}

// What the loop reads and what reads it stand in its kernel.
TEST(Iterate, Fuses) {
    const array<double> a = array<double>(spread<double>(4000, 1, 9).reshape({40, 100})).eval(),
                        w = spread<double>(100, 0, 1);
    const auto newton = [&](const auto& of) {
        return frit::iterate(
            60, of, [&](const auto& x) { return (x + of / x) / 2; },
            [&](const auto& x) { return abs(x * x - of) < 1e-13 * of; });
    };
    EXPECT_KERNELS(1, newton(a));
    EXPECT_KERNELS(1, newton(a * w + 1.0) * 2.0);
    EXPECT_KERNELS(1, sum(newton(a)));
    EXPECT_KERNELS(1, sum(newton(a) * w, 1));
    EXPECT_KERNELS(1, sum(newton(a), 0));
    EXPECT_KERNELS(1, newton(sum(a, 1)));
    EXPECT_KERNELS(1, newton(sum(a, 1)) * max(a, 1));
    EXPECT_KERNELS(1, newton(a.T()));
    const auto step = [&](const auto& x, const auto& n) { return std::tuple(x * 0.5, n + 1); };
    const auto small = [](const auto& x, const auto&) { return x < 1e-3; };
    const auto [x, n] = frit::iterate(100, std::tuple(a, 0), step, small);
    EXPECT_KERNELS(1, x, n);
    EXPECT_KERNELS(1, sum(x * n));
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const auto near = [&](const auto& got, const auto& want, double eps) {
            EXPECT_TRUE(frit::all(abs(got - want) <= eps * abs(want)).item());
        };
        const array<double> whole = newton(a);
        near(whole, sqrt(a), 1e-12);
        near(array<double>(sum(newton(a) * w, 1)), sum(sqrt(a) * w, 1), 1e-12);
        near(array<double>(sum(newton(a), 0)), sum(sqrt(a), 0), 1e-12);
        near(array<double>(newton(sum(a, 1)) * max(a, 1)), sqrt(sum(a, 1)) * max(a, 1), 1e-12);
        near(array<double>(newton(mean(a))), sqrt(mean(a)), 1e-12);
        near(array<double>(newton(a.T())(frit::slice(3, 50, 7))), sqrt(a.T()(frit::slice(3, 50, 7))), 1e-12);
        near(array<double>(softmax(newton(a), 1)), softmax(sqrt(a), 1), 1e-11);
        near(array<double>(newton(a) - mean(newton(a), 1, frit::keepdims)), whole - mean(whole, 1, frit::keepdims), 0);
        near(array<double>(cumsum(newton(a), 1)), cumsum(whole, 1), 1e-12);
        array<double> target = a + 0.0;
        target.eval();
        target(frit::slice(2, 9)) = newton(a(frit::slice(2, 9)));
        near(array<double>(target(frit::slice(2, 9))), whole(frit::slice(2, 9)), 0);
        near(array<double>(target(frit::slice(9, 40))), a(frit::slice(9, 40)), 0);
    });
}

// Numbers in the step and the count are words of the kernel; only another step is another kernel.
TEST(Iterate, CompilesOnce) {
    const array<float> x = spread<float>(1000, 0, 1);
    const auto run = [&](int count, float factor) {
        return array<float>(frit::iterate(count, x, [&](const auto& v) { return v * factor + 1.0F; })).eval();
    };
    run(3, 2);
    frit::synchronize();
    const frit::counters before = frit::stats();
    run(40, 0.25F);
    run(0, 1);
    frit::synchronize();
    const frit::counters after = frit::stats();
    EXPECT_EQ(after.compilations, before.compilations);
    EXPECT_EQ(after.plans_built, before.plans_built);
    EXPECT_EQ(after.kernels_launched - before.kernels_launched, 2U);
}

// What does not depend on the states is computed once, though the step says it.
TEST(Iterate, InvariantsStandOutside) {
    const array<double> x = spread<double>(200, 0, 1);
    const array<double> got = frit::iterate(3, x, [&](const auto& v) { return v + exp(x) * 2.0 + mean(x) + x(0); });
    const std::vector<double> values = x.to_vector(), result = got.to_vector();
    const double mean = frit::mean(x).item();
    for (std::size_t k = 0; k < values.size(); ++k)
        EXPECT_NEAR(result[k], values[k] + 3 * (2 * std::exp(values[k]) + mean + values[0]), 1e-12);
    const std::string text = frit::explain(array<double>(frit::iterate(3, x, [&](const auto& v) { return v * v; })));
    EXPECT_NE(text.find("iterate("), std::string::npos) << text;
}

// A loop inside the step, of a length of its own for each element and round.
TEST(Iterate, LoopsInLoops) {
    const array<int> x = array<int>(frit::arange<int>(0, 300)).eval();
    std::vector<int> want, rounds;
    for (int k = 0; k < 300; ++k) {
        int v = k, n = 0;
        for (; n < 20 && v < 2000; ++n) {
            int digits = 0;
            for (int rest = v; rest > 0; rest /= 10) digits += rest % 10;
            v += digits + 1;
        }
        want.push_back(v);
        rounds.push_back(n);
    }
    const auto digits_of = [](const auto& v) {
        const auto [digits, rest] = frit::iterate(
            12, std::tuple(0, v), [](const auto& d, const auto& r) { return std::tuple(d + r % 10, r / 10); },
            [](const auto&, const auto& r) { return r <= 0; });
        return digits;
    };
    const auto step = [&](const auto& v, const auto& n) { return std::tuple(v + digits_of(v) + 1, n + 1); };
    const auto far = [](const auto& v, const auto&) { return v >= 2000; };
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const auto [v, n] = frit::iterate(20, std::tuple(x, 0), step, far);
        EXPECT_EQ(v.to_vector(), want);
        EXPECT_EQ(n.to_vector(), rounds);
        EXPECT_EQ(array<int>(frit::iterate(
                                 3, x, [&](const auto& w) { return digits_of(w); },
                                 [&](const auto& w) { return digits_of(w) == w; }))
                      .to_vector()[299],
                  2);
    });
    const auto [v, n] = frit::iterate(20, std::tuple(x, 0), step, far);
    EXPECT_KERNELS(1, v, n);
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
TEST(Iterate, Errors) {
    const array<double> x = spread<double>(6, 0, 1);
    const auto contains = [](const std::string& text, const std::string& part) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
    };
    contains(message_of([&] { (void)frit::iterate(3, x, [](const auto& v) { return v - mean(v); }); }),
             "iterate: a step computes element by element, and what it has of its states goes into a ");
    contains(message_of([&] { (void)frit::iterate(3, x, [](const auto& v) { return v(frit::slice(0, 1)) + v; }); }),
             "a view");
    contains(message_of([&] { (void)frit::iterate(3, x, [](const auto& v) { return sort(v); }); }), "goes into");
    contains(message_of([&] { (void)frit::iterate(3, x, [](const auto& v) { return array<double>(v * 2.0).eval(); }); }),
             "a state has a value inside its step alone");
    contains(message_of([&] { (void)frit::iterate(3, frit::arange<int>(0, 6), [&](const auto& v) { return v * x; }); }),
             "the step gives a state what its dtype does not take without a cast");
    contains(message_of([&] {
                 (void)frit::iterate(
                     3, x, [](const auto& v) { return v; }, [](const auto& v) { return v * 2.0; });
             }),
             "a bool");
    contains(message_of([&] { (void)frit::iterate(x, x, [](const auto& v) { return v; }); }), "counts rounds by integers");
    contains(message_of([&] {
                 (void)frit::iterate(3, std::tuple(x, spread<double>(5, 0, 1)),
                                     [](const auto& v, const auto& w) { return std::tuple(v, w); });
             }),
             "could not be broadcast");
    // and all goes on
    EXPECT_EQ(array<double>(frit::iterate(2, x, [](const auto& v) { return v + 1.0; })).to_vector()[0], 2);
}
}  // namespace
