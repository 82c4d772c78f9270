// What an evaluation stores beside what it is asked for: nothing at first, then what has been seen to be wanted. Counted in
// kernels and bytes.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <frit/frit.hpp>

namespace {
using frit::array;

constexpr std::int64_t n = 10'000;
constexpr std::uint64_t bytes = n * sizeof(double);

struct work {
    std::uint64_t kernels, read, written;
    friend bool operator==(const work&, const work&) = default;
    friend void PrintTo(const work& w, std::ostream* out) {
        *out << w.kernels << " kernels, " << w.read << " bytes read, " << w.written << " written";
    }
};

template <class F>
work of(F&& f) {
    const frit::counters before = frit::stats();
    f();
    const frit::counters after = frit::stats();
    return {after.kernels_launched - before.kernels_launched, after.bytes_read - before.bytes_read,
            after.bytes_written - before.bytes_written};
}

array<double> stored(double first) {
    array<double> x = first + frit::linspace(0.0, 1.0, n);
    return x.eval();
}

/// Every way to ask for the sum of squares of d.
const std::vector<void (*)(const array<double>&)> readers{
    [](const array<double>& d) { (void)sum(d * d).item(); },
    [](const array<double>& d) { array<double>(sum(d * d)).eval(); },
    [](const array<double>& d) { (void)array<double>(sum(d * d)).to_vector(); },
    [](const array<double>& d) { (void)to_string(array<double>(sum(d * d))); },
};

TEST(Lessons, WhatIsInScopeIsNotStored) {
    const array<double> x = stored(1), y = stored(2);
    for (const auto reader : readers)
        for (int round = 0; round < 3; ++round)
            EXPECT_EQ(of([&] {
                          const array<double> d = x - y;
                          reader(d);
                      }),
                      (work{1, 2 * bytes, 8}))
                << "round " << round;
}

TEST(Lessons, ATemporaryIsMovedIntoTheFormula) {
    const array<double> x = stored(1), y = stored(2);
    for (int round = 0; round < 3; ++round)
        EXPECT_EQ(of([&] { (void)sum(square(array<double>(x - y))).item(); }), (work{1, 2 * bytes, 8}));
}

TEST(Lessons, GeneratorsAreNeverStored) {
    const array<double> a = frit::arange<double>(0, n);
    for (int round = 0; round < 5; ++round) EXPECT_EQ(of([&] { (void)sum(a * a).item(); }), (work{1, 0, 8}));
    EXPECT_EQ(of([&] { (void)sum(array<double>(frit::arange<double>(0, n)) * 2.0).item(); }), (work{1, 0, 8}));
}

TEST(Lessons, WhatIsWantedAgainIsStoredThen) {
    const array<double> x = stored(1), y = stored(2);
    const array<double> d = x - y;
    EXPECT_EQ(of([&] { (void)sum(d * d).item(); }), (work{1, 2 * bytes, 8}));
    EXPECT_EQ(of([&] { (void)max(d).item(); }), (work{1, 2 * bytes, bytes + 8}));
    EXPECT_EQ(of([&] { (void)min(d).item(); }), (work{1, bytes, 8}));
}

TEST(Lessons, ALoopThatReadsItsStateIsOneKernelAStep) {
    array<double> u = stored(1);
    for (int k = 0; k < 6; ++k) {
        const work w = of([&] {
            const array<double> v = u * 0.5 + 1.0;
            (void)sum(square(v - u)).item();
            u = v;
        });
        if (k == 1) continue;  // the one that learns
        EXPECT_EQ(w, (work{1, bytes, k == 0 ? 8 : bytes + 8})) << "step " << k;
    }
}

// What a view of another array reads lies there already.
TEST(Lessons, ViewsOfHeldArraysAreNotStored) {
    const array<double> m = array<double>(stored(1).reshape({100, 100})).eval(), turned = m.T(),
                        most = m(frit::slice(1, frit::none)), back = most(frit::slice(frit::none, frit::none, -1)),
                        wide = frit::broadcast_to(m, {2, 100, 100});
    for (int round = 0; round < 3; ++round)
        for (const array<double>* v : {&turned, &most, &back, &wide})
            EXPECT_EQ(of([&] { (void)sum(*v * *v).item(); }).written, 8) << "round " << round;
    // Few elements of many let go of those.
    const array<double> row = m(0);
    for (int round = 0; round < 3; ++round)
        EXPECT_EQ(of([&] { (void)sum(row * row).item(); }).written, round == 1 ? 808U : 8U) << "round " << round;
}

// Or each of its states would be a view of all before it.
TEST(Lessons, ALoopWhoseStateIsAViewStoresIt) {
    array<double> x = array<double>(stored(1).reshape({100, 100})).eval();
    for (int k = 0; k < 6; ++k) {
        x = x.T();
        const work w = of([&] { (void)sum(x * x).item(); });
        if (k > 1) {
            EXPECT_EQ(w.written, bytes + 8) << "step " << k;
        }
    }
    EXPECT_LE(frit::stats().pending_nodes, 1U);
}

// In the second round what the first one passed is computed again, and stored; in the third it is stored at once.
TEST(Lessons, AStatementLearnsFromItsLastRound) {
    const array<double> x = stored(1), y = stored(2);
    for (int round = 0; round < 4; ++round) {
        const array<double> d = x + y;
        const work first = of([&] { (void)sum(d).item(); }), second = of([&] { (void)max(d).item(); });
        EXPECT_EQ(first, (work{1, 2 * bytes, round == 0 ? 8 : bytes + 8})) << "round " << round;
        EXPECT_EQ(second, round == 0 ? (work{1, 2 * bytes, bytes + 8}) : (work{1, bytes, 8})) << "round " << round;
    }
}

TEST(Lessons, WhatDiesUnreadIsStoredNoMore) {
    const array<double> x = stored(1), y = stored(2);
    for (int round = 0; round < 5; ++round) {
        const array<double> d = x - y;
        const work first = of([&] { (void)sum(d).item(); });
        EXPECT_EQ(first.written, round == 1 ? bytes + 8 : 8) << "round " << round;
        if (round == 0) (void)max(d).item();
    }
}

// Not to write a held array's regions would take a copy of it.
TEST(Lessons, RegionsWrittenInPlaceAreStoredAtOnce) {
    if (!frit::default_device().is_cpu()) GTEST_SKIP() << "on a GPU a launch outweighs regions as small as these";
    array<double> u = stored(1).reshape({100, 100});
    u.eval();
    for (int round = 0; round < 3; ++round)
        EXPECT_EQ(of([&] {
                      u(0) = 1.0;
                      u(1) = 2.0;
                      u(2) = u(1) * 0.5;
                      EXPECT_EQ(sum(u(frit::slice(0, 3))).item(), 400);
                  }).written,
                  3 * 800U + 8)
            << "round " << round;
}

TEST(Lessons, CoupledArraysAreUpdatedTogether) {
    if (!frit::default_device().is_cpu()) GTEST_SKIP() << "on a GPU a launch outweighs regions as small as these";
    array<double> u = array<double>(stored(1).reshape({100, 100})).eval(), v = array<double>(u + 1.0).eval();
    const work updates = of([&] {
        for (int k = 0; k < 10; ++k) {
            u(k) = v(k + 1) * 0.5;
            v(k) = u(k + 2) + 1.0;
        }
        (void)sum(u).item();
    });
    EXPECT_EQ(updates.written, 20 * 800U + 8);
    EXPECT_EQ(of([&] { (void)sum(v).item(); }).written, 8U);
}

TEST(Lessons, AReshapedArrayIsUpdatedInPlace) {
    array<double> u = frit::from_host(std::vector<double>(10'000, 1.0)).reshape({100, 100});
    EXPECT_EQ(of([&] {
                  u(3) = 2.0;
                  u.eval();
              }).written,
              800U);
    const array<double> kept = u, flat = u.reshape({-1});
    EXPECT_EQ(of([&] {
                  u(3) = 5.0;
                  u.eval();
              }).written,
              80'000U);
    EXPECT_EQ(kept(3, 0).item(), 2);
    EXPECT_EQ(flat(300).item(), 2);
}

TEST(Lessons, WhoReadsAnOldStateIsNotStoredForIt) {
    array<double> u = array<double>(stored(1).reshape({100, 100})).eval(), w = stored(2).reshape({100, 100});
    const array<double> product = u * w, sum = product + w, expected = fma(u, w, w);
    expected.eval();
    EXPECT_EQ(of([&] {
                  u(3) = 7.0;
                  u.eval();
              }).written,
              80'000U);  // a copy of the state that they read
    EXPECT_TRUE(array_equal(sum, expected));
}

TEST(Lessons, WhatIsUpdatedAsAWholeIsWhatWasWritten) {
    const array<double> u = stored(1), w = stored(2), expected = array<double>(fma(u, 0.1, w)).eval();
    array<double> v = stored(3), state = u;
    v(frit::all) = state * 0.1;
    const array<double> t = v + w;
    (void)sum(v).item();
    state(3) = 7.0;
    state.eval();
    EXPECT_TRUE(array_equal(t, expected));
}

TEST(Lessons, AReshapeOfAStateReadsIt) {
    array<double> u = stored(1);
    std::uint64_t written = 0;
    for (int step = 0; step < 6; ++step)
        written = of([&] {
                      u = sqrt(u) + 1.0;
                      (void)max(u).item();
                      const array<double> square = u.reshape({100, 100});
                      u = square.reshape({-1});
                  }).written;
    EXPECT_EQ(written, bytes + 8);
}

TEST(Lessons, WhatNobodyAskedForDoesNotFail) {
    if (!frit::default_device().is_cpu()) GTEST_SKIP() << "on a GPU a launch outweighs regions as small as these";
    array<double> u = array<double>(stored(1).reshape({100, 100})).eval(), v = array<double>(u + 1.0).eval();
    v(3) = frit::sort(u * 2.0, 0)(0);  // two whole arrays
    u(3) = 7.0;
    frit::set_memory_limit(frit::stats().live_bytes + 100'000);  // one of them, or a copy of u
    EXPECT_NO_THROW(u.eval());
    frit::set_memory_limit(0);
    EXPECT_EQ(u(3, 5).item(), 7.0);
    EXPECT_EQ(v(3, 0).item(), 2.0);
}

TEST(Lessons, ANewArrayIsUpdatedWithTheOneThatItReads) {
    array<double> u = array<double>(stored(1).reshape({100, 100})).eval();
    array<double> v = u + 1.0;
    v(3) = u(4) * 2.0;
    u(5) = v(6) + 1.0;
    EXPECT_NE(frit::explain(u).find("so that its memory can be updated in place"), std::string::npos) << frit::explain(u);
    EXPECT_EQ(of([&] { u.eval(); }).written, 80'000U + 800U);  // v whole, and a row of u
    EXPECT_EQ(of([&] { v.eval(); }).written, 0U);
}

TEST(Lessons, AnUpdateOfNothingIsNone) {
    array<double> u = stored(1);
    const std::uint64_t pending = frit::stats().pending_nodes;
    u(frit::slice(5, 5)) += 1.0;
    EXPECT_EQ(frit::stats().pending_nodes, pending);
    EXPECT_EQ(u(0).item(), 1);
    EXPECT_THROW(u(frit::slice(5, 5)) = stored(1), frit::shape_error);
}

/// Steps of a function that its program calls several times, its state in scope: what the last one writes.
std::uint64_t written_by_a_step(bool evaluate) {
    const frit::slice inner(1, -1), before(0, -2), after(2, frit::none);
    array<double> u = stored(1).reshape({100, 100});
    u.eval();
    std::uint64_t written = 0;
    for (int step = 0; step < 6; ++step)
        written = of([&] {
                      const array<double> old = u;
                      u(inner, inner) =
                          0.25 * (old(before, inner) + old(after, inner) + old(inner, before) + old(inner, after));
                      u(0) = u(1);
                      u(frit::all, 0) = u(frit::all, 1);
                      if (evaluate) u.eval();
                      (void)max(abs(u - old)).item();
                  }).written;
    return written;
}
TEST(Lessons, ALoopThatEndsHasNotLearntInVain) {
    const std::uint64_t evaluated = written_by_a_step(true);
    for (int call = 0; call < 4; ++call) EXPECT_EQ(written_by_a_step(false), evaluated) << "call " << call;
}

// What is added to a product is rounded with it: not where the product is in memory.
TEST(Lessons, ValuesDoNotDependOnThem) {
    const array<double> x = stored(1), y = stored(2);
    std::vector<double> first;
    for (int round = 0; round < 3; ++round) {
        const array<double> product = x * y;
        (void)sum(product).item();
        const array<double> d = product - 1.0;
        const std::vector<double> got = d.to_vector();
        if (round == 0) first = got;
        EXPECT_EQ(got, first) << "round " << round;
        (void)max(product).item();
    }
}

TEST(Lessons, ReadingOnTheHostIsReading) {
    const array<double> x = stored(1), y = stored(2);
    for (int round = 0; round < 5; ++round) {
        const array<double> d = x / y;
        EXPECT_EQ(of([&] { (void)sum(d).item(); }).written, round == 0 ? 8 : bytes + 8) << "round " << round;
        (void)d.to_vector();
    }
}

TEST(Lessons, ExplainSaysWhatIsStoredAndWhy) {
    const array<double> x = stored(1), y = stored(2);
    for (int round = 0; round < 2; ++round) {
        const array<double> d = maximum(x, y), s = sum(d), m = max(d);
        const std::string stored_first = frit::explain(s);
        EXPECT_EQ(stored_first.find("also stores") != std::string::npos, round == 1) << stored_first;
        const std::string why = round == 1 ? "another such array was computed twice" : "1 kernel";
        EXPECT_NE(stored_first.find(why), std::string::npos) << stored_first;
        s.eval();
        const std::string then = frit::explain(m), named = "float64 (10000,) [";
        EXPECT_EQ(then.find(named) != std::string::npos, round == 0) << then;
        m.eval();
    }
}

}  // namespace
