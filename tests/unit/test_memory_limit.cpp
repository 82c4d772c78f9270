// set_memory_limit: what passes it is planned anew to take less, with the same bits, or refused before anything runs.
#include <cmath>
#include <thread>
#include <vector>

#include "src/graph/eval.hpp"
#include "tests/support/kernels.hpp"

namespace {
using frit::array;
using frit::none;
using frit::slice;
using doubles = std::vector<double>;

constexpr std::int64_t n = 4096;
constexpr std::uint64_t bytes = n * sizeof(double);  // of one array

/// So much may be taken beside what is alive now.
struct room {
    explicit room(std::uint64_t more) { frit::set_memory_limit(frit::stats().live_bytes + more); }
    ~room() { frit::set_memory_limit(0); }
    room(const room&) = delete;
    room& operator=(const room&) = delete;
};

array<double> ramp() {
    array<double> x = frit::linspace(0.5, 1.5, n);
    x.eval();
    return x;
}

/// The most that is taken while f runs, beyond what is alive before.
template <class F>
std::uint64_t peak_of(F&& f) {
    frit::reset_stats();
    const std::uint64_t live = frit::stats().live_bytes;
    f();
    return frit::stats().peak_bytes - live;
}

TEST(MemoryLimit, IsWhatWasSet) {
    EXPECT_EQ(frit::memory_limit(), 0U);
    {
        const room some(100);
        EXPECT_EQ(frit::memory_limit(), frit::stats().live_bytes + 100);
    }
    EXPECT_EQ(frit::memory_limit(), 0U);
}

// sin(x) is expensive and read through two views: it is stored, unless there is no room for it.
TEST(MemoryLimit, WhatCanBeComputedAgainIsNotStored) {
    const array<double> x = ramp();
    const auto formula = [&] {
        const array<double> t = exp(sin(x)) * 2.0;
        return array<double>(t(slice(1, none)) - t(slice(0, -1)) + t(slice(none, none, -1))(slice(0, -1)));
    };
    array<double> plenty = formula();
    EXPECT_EQ(frit::make_plan(plenty).kernels().size(), 2U);
    EXPECT_EQ(peak_of([&] { plenty.eval(); }), 2 * bytes - sizeof(double));

    array<double> tight = formula();
    const room one(bytes);
    const frit::plan report = frit::make_plan(tight);
    EXPECT_EQ(report.kernels().size(), 1U);
    EXPECT_EQ(report.peak_bytes(), bytes - sizeof(double));
    EXPECT_NE(frit::explain(tight).find("values are computed again rather than stored\n1 kernel"), std::string::npos)
        << frit::explain(tight);
    EXPECT_EQ(peak_of([&] { tight.eval(); }), bytes - sizeof(double));
    frit::set_memory_limit(0);
    EXPECT_EQ(tight.to_vector(), plenty.to_vector());
}

// A total ends its loop, so that what else is computed from its operand is stored, or computed twice.
TEST(MemoryLimit, BesideATotalToo) {
    const array<double> x = ramp();
    const auto formula = [&] {
        const array<double> t = exp(sin(x));
        return array<double>(t / frit::sum(t) + t(slice(none, none, -1)));
    };
    array<double> plenty = formula(), tight = formula();
    const std::uint64_t most = peak_of([&] { plenty.eval(); });
    EXPECT_EQ(most, 2 * bytes + sizeof(double));
    const room one(bytes + sizeof(double));
    const std::uint64_t planned = frit::make_plan(tight).peak_bytes();
    EXPECT_LE(planned, bytes + sizeof(double));
    EXPECT_EQ(peak_of([&] { tight.eval(); }), planned);
    frit::set_memory_limit(0);
    EXPECT_EQ(tight.to_vector(), plenty.to_vector());
}

/// What sorting so many values takes beside them and the result: frit's own scratch memory, or CUB's.
std::uint64_t workspace_of_sort() {
    const array<double> x = ramp();
    array<double> sorted = frit::sort(x);
    return peak_of([&] { sorted.eval(); }) - bytes;
}

// Each result needs a sorted array that the others do not: side by side all of them are there at once.
TEST(MemoryLimit, ResultsAreMadeOneAfterTheOther) {
    const array<double> x = ramp();
    const auto results = [&] {
        std::vector<array<double>> all;
        for (int k = 1; k <= 3; ++k) {
            array<double> sorted = frit::sort(x * (k % 2 ? 1.0 : -1.0));
            all.push_back(frit::sum(sorted * sorted(slice(none, none, -1))) + sorted(slice(0, 16)));
        }
        return all;
    };
    const std::vector<array<double>> plenty = results(), tight = results();
    const std::uint64_t most = peak_of([&] { frit::eval(plenty); });
    EXPECT_GE(most, 3 * bytes);
    const std::uint64_t least = 2 * bytes + 2 * 16 * sizeof(double) + sizeof(double) + workspace_of_sort();
    {
        const room some(least);
        EXPECT_LE(frit::make_plan(tight).peak_bytes(), least);
        EXPECT_NE(frit::explain(tight).find("results made one after the other\n"), std::string::npos);
        EXPECT_LE(peak_of([&] { frit::eval(tight); }), least);
    }
    for (std::size_t k = 0; k < plenty.size(); ++k) EXPECT_EQ(tight[k].to_vector(), plenty[k].to_vector()) << k;
}

TEST(MemoryLimit, WhatDoesNotFitIsRefusedBeforeAnythingRuns) {
    const array<double> x = ramp();
    const int made = __LINE__ + 1;
    array<double> y = x * 2.0;
    y.eval();
    array<float> small = frit::ones<float>({3, 5});
    small.eval();
    const int line = __LINE__ + 1;
    array<double> a = x + y, b = sqrt(x);
    {
        const room one(2 * bytes - 1);
        const frit::counters before = frit::stats();
        const auto text = [&] {
            try {
                frit::eval(a, b);
            } catch (const frit::out_of_memory& e) {
                return std::string(e.what());
            }
            return std::string("no error");
        }();
        const std::string file = std::string(" [") + __FILE__;
        const std::vector<std::string> parts = {frit::to_string(frit::default_device()),
                                                "64.0 KiB more would pass the memory limit of ",
                                                "alive: float64 (4096,) of 32.0 KiB",
                                                file + ":" + std::to_string(made) + "]",
                                                "float32 (3, 5) of 60 bytes",
                                                "; for ",
                                                file + ":" + std::to_string(line) + "]"};
        for (const std::string& part : parts)
            EXPECT_NE(text.find(part), std::string::npos) << part << " is not in: " << text;
        EXPECT_NE(frit::explain(a, b).find("would be refused"), std::string::npos);
        EXPECT_EQ(frit::make_plan(a, b).peak_bytes(), 2 * bytes);
        const frit::counters after = frit::stats();
        EXPECT_EQ(after.kernels_launched, before.kernels_launched);
        EXPECT_EQ(after.live_bytes, before.live_bytes);
        EXPECT_EQ(after.pending_nodes, before.pending_nodes);
        b.eval();  // alone there is room for it
    }
    frit::eval(a, b);
    const doubles got = a.to_vector(), from = x.to_vector();
    for (std::size_t k = 0; k < got.size(); ++k) ASSERT_EQ(got[k], from[k] + from[k] * 2.0);
}

TEST(MemoryLimit, ADyingInputMakesRoom) {
    array<double> x = ramp();
    const room none_at_all(0);
    for (int k = 0; k < 3; ++k) {
        x = x * 2.0;
        x.eval();
    }
    frit::set_memory_limit(1);  // what takes nothing passes no limit, though more than that is alive
    x = x * 2.0;
    EXPECT_EQ(frit::explain(x).find("refused"), std::string::npos);
    x.eval();
    frit::set_memory_limit(0);
    EXPECT_EQ(x.to_vector()[0], 8);
}

TEST(MemoryLimit, ARepeatedStatementIsRefusedAndGoesOn) {
    const array<double> x = ramp();
    std::vector<array<double>> results;
    const auto statement = [&](double s) {
        array<double> y = x * s;
        y.eval();
        results.push_back(y);
    };
    for (int k = 0; k < 3; ++k) statement(k);  // its plan is remembered
    {
        const room one(bytes);
        statement(3);
        EXPECT_ERROR(statement(4), frit::out_of_memory, "memory limit");
        results.pop_back();
        statement(5);
    }
    EXPECT_EQ(results.size(), 4U);
    EXPECT_EQ(results.back().to_vector()[0], 2.5);
}

TEST(MemoryLimit, ValuesFromTheHostCountToo) {
    const doubles values(static_cast<std::size_t>(n), 1.0);
    const room little(bytes - 1);
    const std::uint64_t live = frit::stats().live_bytes;
    EXPECT_ERROR((void)frit::from_host(values.data(), {n}), frit::out_of_memory, "memory limit", "test_memory_limit.cpp:");
    EXPECT_EQ(frit::stats().live_bytes, live);
    EXPECT_EQ(frit::from_host(values.data(), {n - 1}).size(), n - 1);
}

TEST(MemoryLimit, IntoTheCallersMemory) {
    const array<double> x = ramp();
    doubles out(static_cast<std::size_t>(n));
    const frit::scoped_device cpu(frit::device::cpu());
    const array<double> here = x.to(frit::device::cpu());
    const room nothing(0);
    frit::eval_into(frit::out(out.data(), frit::shape{n}), here + 1.0);  // takes no memory of frit's
    EXPECT_EQ(out[0], 1.5);
}

// Whoever comes second waits until the first is done, instead of being refused.
TEST(MemoryLimit, ThreadsWaitForEachOther) {
    const array<double> x = ramp();
    const std::uint64_t most = 2 * bytes + 2 * sizeof(double) + workspace_of_sort();  // one evaluation, and both results
    const room one(most);
    const auto work = [&x] {
        for (int k = 0; k < 200; ++k) ASSERT_NEAR(frit::sum(frit::sort(x * -1.0)).item(), -n, 1e-6);
    };
    const std::uint64_t peak = peak_of([&] {
        std::thread other(work);
        work();
        other.join();
    });
    EXPECT_LE(peak, most);
}

// Steps between automatic evaluations are kernels of one plan: an intermediate that dies where the next one is written gives
// it its memory, as an input does.
TEST(MemoryLimit, LazyStepsNeedNoMoreThanEagerOnes) {
    array<double> x = ramp(), y = ramp();
    const room none_to_speak_of(100);
    EXPECT_EQ(peak_of([&] {
                  for (int k = 0; k < 100; ++k) x = sin(x) * x;
                  x.eval();
              }),
              0U);
    for (int k = 0; k < 100; ++k) {
        y = sin(y) * y;
        y.eval();
    }
    EXPECT_EQ(x.to_vector(), y.to_vector());
}

// The sum takes over b, an input, and so leaves the sorted array's memory to what is sorted next.
TEST(MemoryLimit, InputsGiveTheirMemoryBeforeIntermediates) {
    if (frit::default_device() != frit::device::cpu()) GTEST_SKIP() << "sorting takes memory of its own on a GPU";
    array<double> a = ramp(), b = ramp();
    array<double> sorted = frit::sort(a, 0), y = sorted + b, again = frit::sort(y, 0), running = frit::cumsum(again, 0);
    b = {};
    sorted = {};
    EXPECT_EQ(frit::make_plan(y, again, running).peak_bytes(), 2 * bytes);
}

}  // namespace
