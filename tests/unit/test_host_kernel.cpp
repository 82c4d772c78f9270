// A program's own functions in the graph: what they are given and what becomes of it, that they run once, when they are
// wanted and in the order of the formulas around them, in place where nobody else looks, and what their exceptions leave.
#include <frit/host_kernel.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <cstdint>
#include <exception>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/kernels.hpp"
#include "tests/support/taken.hpp"

namespace {

using frit::any_array;
using frit::array;
using frit::host_kernel;
using frit::host_span;
using frit::inout;
using frit_test::taken;
using frit_test::taken_by;

template <class T>
std::vector<T> values(std::initializer_list<T> list) {
    return list;
}

/// All arrays of these tests are on the CPU, whatever the default device is.
class HostKernel : public ::testing::Test {
    frit::scoped_device cpu_{frit::device::cpu()};
};

const host_kernel axpy("axpy", [](std::span<float> y, std::span<const float> x, float a) {
    for (std::size_t k = 0; k < y.size(); ++k) y[k] += a * x[k];
});

TEST_F(HostKernel, RebindsWhatItWrites) {
    array<float> y{1, 2, 3};
    const array<float> old = y;
    axpy.launch(inout(y), array<float>{10, 20, 30}, 2);
    EXPECT_EQ(y.to_vector(), values<float>({21, 42, 63}));
    EXPECT_EQ(old.to_vector(), values<float>({1, 2, 3}));
}

TEST_F(HostKernel, RunsWhenItIsWantedAndOnce) {
    int runs = 0;
    const host_kernel count("count", [&runs](std::span<int> y) {
        ++runs;
        for (int& v : y) ++v;
    });
    array<int> y{1, 2};
    count.launch(inout(y));
    EXPECT_EQ(runs, 0);
    const array<int> z = y * 10;
    EXPECT_EQ(z.to_vector(), values<int>({20, 30}));
    EXPECT_EQ(runs, 1);
    EXPECT_EQ(y.to_vector(), values<int>({2, 3})) << "stored when it ran";
    EXPECT_EQ(runs, 1);
    count.launch(inout(y));
    y = {};
    EXPECT_EQ(runs, 1) << "nobody wants it";
}

TEST_F(HostKernel, StandsBetweenFormulasInTheirOrder) {
    array<float> x = frit::arange<float>(8);
    array<float> y = x * 2;
    axpy.launch(inout(y), x + 1, 10.0f);
    y = sqrt(y) + x;
    axpy.launch(inout(y), y, -1);
    y += 3;
    for (std::size_t k = 0; const float got : y.to_vector()) {
        EXPECT_EQ(got, 3) << k++;
    }
}

TEST_F(HostKernel, InPlaceWhereNobodyElseLooks) {
    array<float> x = frit::ones<float>(1000), y = frit::zeros<float>(1000);
    frit::eval(x, y);
    const taken in_place{0, 1, 8000, 4000}, copied{0, 1, 12000, 8000};
    const auto launch_and_eval = [&] {
        axpy.launch(inout(y), x, 1);
        y.eval();
    };
    EXPECT_EQ(taken_by(launch_and_eval), in_place);
    EXPECT_EQ(taken_by(launch_and_eval), in_place);
    array<float> other = y;
    EXPECT_EQ(taken_by(launch_and_eval), copied);
    EXPECT_EQ(other(0).item(), 2);
    EXPECT_EQ(y(999).item(), 3);
    other = {};
    EXPECT_EQ(taken_by(launch_and_eval), in_place);
    x = {};
    EXPECT_EQ(taken_by([&] {
                  axpy.launch(inout(y), y, 1);
                  y.eval();
              }),
              (taken{0, 1, 8000, 8000}))
        << "it reads what it writes over: one array, and its copy";
    EXPECT_EQ(y(5).item(), 8);
}

TEST_F(HostKernel, MemoryOfAFormulaIsItsOwn) {
    const array<float> x = frit::ones<float>(1000).eval();
    array<float> y = x + 1;
    EXPECT_EQ(taken_by([&] {
                  axpy.launch(inout(y), x, 1);
                  y.eval();
              }),
              (taken{1, 1, 12000, 8000}));
    EXPECT_EQ(y(1).item(), 3);
}

TEST_F(HostKernel, AChainOfLaunchesKeepsItsMemory) {
    array<float> y = frit::zeros<float>(100).eval();
    const array<float> x = frit::ones<float>(100).eval();
    EXPECT_EQ(taken_by([&] {
                  for (int k = 0; k < 5; ++k) axpy.launch(inout(y), x, 1);
                  y.eval();
              }),
              (taken{0, 5, 5 * 800, 5 * 400}));
    EXPECT_EQ(y(7).item(), 5);
}

TEST_F(HostKernel, SeveralResultsAreOneCall) {
    int runs = 0;
    const host_kernel swap("swap", [&runs](std::span<double> a, std::span<int> b, std::span<double> c) {
        ++runs;
        std::swap_ranges(a.begin(), a.end(), c.begin());
        for (int& v : b) v = static_cast<int>(b.size());
    });
    const auto fresh = [](double from) -> array<double> { return frit::arange<double>(3) + from; };
    array<double> a = fresh(0), c = fresh(10);
    array<int> b = frit::zeros<int>(5);
    swap.launch(inout(a), inout(b), inout(c));
    EXPECT_EQ(c.to_vector(), values<double>({0, 1, 2}));
    EXPECT_EQ(a.to_vector(), values<double>({10, 11, 12}));
    EXPECT_EQ(b(4).item(), 5);
    EXPECT_EQ(runs, 1) << "all of them were stored";

    swap.launch(inout(a), inout(b), inout(c));
    a = {};
    array<double> twice = c * 2;
    EXPECT_EQ(twice.to_vector(), values<double>({20, 22, 24}));
    EXPECT_EQ(c(0).item(), 10);
    EXPECT_EQ(runs, 2) << "whose first result nobody wants";
    c = fresh(0), a = fresh(1);
    swap.launch(inout(a), inout(b), inout(c));
    b = {}, c = {};
    EXPECT_EQ(a(0).item(), 0);
    swap.launch(inout(a), inout(b = frit::zeros<int>(2)), inout(c = fresh(7)));
    swap.launch(inout(a), inout(b), inout(c));
    frit::eval(a, b, c);
    EXPECT_EQ(runs, 5);
    EXPECT_EQ(a(0).item(), 0);
    EXPECT_EQ(c(0).item(), 7);
}

TEST_F(HostKernel, ResultsThatNobodyWantsAreScratch) {
    const host_kernel both("both", [](std::span<float> a, std::span<float> b) {
        for (std::size_t k = 0; k < a.size(); ++k) a[k] = b[k] = a[k] + b[k];
    });
    array<float> a = frit::ones<float>(100).eval(), b = frit::ones<float>(100).eval();
    const array<float> kept = b;
    EXPECT_EQ(taken_by([&] {
                  both.launch(inout(a), inout(b));
                  b = {};
                  a.eval();
              }),
              (taken{0, 1, 1200, 1200}))
        << "a in place; b is read, copied, and the copy read and written";
    EXPECT_EQ(a(3).item(), 2);
    EXPECT_EQ(kept(3).item(), 1);
}

TEST_F(HostKernel, ShapesViewsAndEveryDtype) {
    const host_kernel corner("corner", [](host_span<std::int16_t> y, host_span<const bool> mask) {
        ASSERT_EQ(y.shape(), frit::shape({2, 3}));
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 3; ++j)
                if (mask(i, j)) y(i, j) = static_cast<std::int16_t>(10 * i + j);
    });
    const array<int> grid = frit::arange<int>(12).reshape({4, 3});
    array<std::int16_t> y = frit::zeros<std::int16_t>({2, 3});
    corner.launch(inout(y), grid(frit::slice(0, frit::none, 2), frit::all) % 2 == 1);
    EXPECT_EQ(y.to_vector(), values<std::int16_t>({0, 1, 0, 0, 11, 0}));
    const host_kernel turned("turned",
                             [](std::span<float> y, std::span<const float> x) { std::copy(x.begin(), x.end(), y.begin()); });
    const array<float> x = frit::arange<float>(6).reshape({2, 3}).eval();
    array<float> z = frit::zeros<float>(6);
    turned.launch(inout(z), x.T());
    EXPECT_EQ(z.to_vector(), values<float>({0, 3, 1, 4, 2, 5})) << "row-major in its own shape";
    const host_kernel halves("halves", [](std::span<frit::half> y, std::span<const std::complex<float>> z) {
        for (std::size_t k = 0; k < y.size(); ++k) y[k] = frit::half(z[k].imag());
    });
    array<frit::half> h = frit::zeros<frit::half>(2);
    const array<float> im{1, 2};
    halves.launch(inout(h), frit::complex(im, im * 2));
    EXPECT_EQ(h.to_vector(), (std::vector<frit::half>{frit::half(2.f), frit::half(4.f)}));
    halves.launch(inout(h), frit::complex(im, im));
    h = h * frit::half(2.f);
    EXPECT_EQ(static_cast<float>(h(1).item()), 4.f);
}

TEST_F(HostKernel, NumbersAreHandedOverBitForBit) {
    const host_kernel bits("bits", [](std::span<double> y, bool a, signed char b, unsigned short c, std::int64_t d,
                                      std::uint64_t e, float f, double g) {
        const double all[] = {double(a), double(b), double(c), double(d), double(e >> 1), double(f), g};
        std::copy(std::begin(all), std::end(all), y.begin());
    });
    array<double> y = frit::zeros<double>(7);
    bits.launch(inout(y), true, -128, 65535, -(std::int64_t{1} << 53), ~std::uint64_t{0}, 0.1, 0.1);
    EXPECT_EQ(y.to_vector(),
              values<double>({1, -128, 65535, -9007199254740992.0, 9223372036854775807.0, static_cast<double>(0.1f), 0.1}));
}

TEST_F(HostKernel, AnotherNumberPlansNothing) {
    array<float> y = frit::zeros<float>(4).eval();
    const array<float> x = frit::ones<float>(4).eval();
    const auto step = [&](float a) {
        axpy.launch(inout(y), x, a);
        y.eval();
    };
    step(1);
    const frit::counters before = frit::stats();
    step(0);
    step(2.5);
    EXPECT_EQ(frit::stats().plans_built, before.plans_built);
    EXPECT_EQ(y(0).item(), 3.5);
}

TEST_F(HostKernel, PlansNameIt) {
    array<float> y = frit::zeros<float>(4).eval();
    axpy.launch(inout(y), frit::ones<float>(4), 2);
    const frit::plan plan = frit::make_plan(y);
    ASSERT_EQ(plan.library_calls().size(), 1U);
    EXPECT_EQ(plan.library_calls()[0].name(), "axpy (4,)");
    EXPECT_NE(frit::explain(y).find("axpy("), std::string::npos) << frit::explain(y);
}

TEST_F(HostKernel, ArgumentsMustFit) {
    array<float> y{1, 2};
    array<double> d{1, 2};
    const array<float> x{1, 2};
    EXPECT_ERROR(axpy.launch(inout(y), d, 1), frit::dtype_error, "host_kernel axpy", "argument 2", "float64", "float32",
                 "test_host_kernel.cpp");
    EXPECT_ERROR(axpy.launch(inout(d), x, 1), frit::dtype_error, "argument 1", "float64", "float32", "test_host_kernel.cpp");
    EXPECT_ERROR(axpy.launch(inout(y), x, x), frit::dtype_error, "argument 3", "takes a number", "test_host_kernel.cpp");
    EXPECT_ERROR(axpy.launch(inout(y), 1, 1), frit::dtype_error, "argument 2", "given a number");
    EXPECT_ERROR(axpy.launch(inout(y), x), frit::dtype_error, "takes 3 arguments, and is given 2", "test_host_kernel.cpp");
    EXPECT_ERROR(axpy.launch(x, x, 1), frit::dtype_error, "argument 1", "frit::inout");
    EXPECT_ERROR(axpy.launch(inout(y), inout(y), 1), frit::dtype_error, "argument 2", "does not write");
    EXPECT_ERROR(axpy.launch(inout(y), x, std::complex<float>(1, 2)), frit::dtype_error, "argument 3", "complex");
    const host_kernel two("two", [](std::span<float>, std::span<float>, int) {});
    EXPECT_ERROR(two.launch(inout(y), inout(y), 1), frit::error, "another argument's frit::inout");
    EXPECT_ERROR(two.launch(inout(y), inout(d), 1), frit::dtype_error, "argument 2");
    array<float> z = y;
    EXPECT_ERROR(two.launch(inout(y), inout(z), 1.5), frit::dtype_error, "argument 3", "float64", "int32");
    EXPECT_ERROR(two.launch(inout(y), inout(z), std::int64_t{1} << 40), frit::dtype_error, "argument 3", "1099511627776");
    array<float> none;
    EXPECT_ERROR(two.launch(inout(none), inout(z), 1), frit::error, "test_host_kernel.cpp");
    const host_kernel reads("reads", [](std::span<const float>) {});
    EXPECT_ERROR(reads.launch(y), frit::error, "writes no array", "test_host_kernel.cpp");
    EXPECT_EQ(y.to_vector(), values<float>({1, 2})) << "nothing has been rebound";
}

TEST_F(HostKernel, ArraysOfRunTimeDtype) {
    any_array y = array<float>{1, 2};
    const any_array x = frit::ones<float>(2);
    axpy.launch(inout(y), x * 2, 3);
    EXPECT_EQ(y.as<float>().to_vector(), values<float>({7, 8}));
    EXPECT_ERROR(axpy.launch(inout(y), cast(x, frit::dtype::f64), 3), frit::dtype_error, "float64");
}

TEST_F(HostKernel, AnExceptionLeavesEverythingElse) {
    bool fails = true;
    const host_kernel failing("failing", [&fails](std::span<float> y, std::span<const float> x) {
        y[0] = -1;
        if (fails) throw std::domain_error("no roots");
        y[0] = x[0];
    });
    array<float> x = frit::ones<float>(4), y = frit::zeros<float>(4).eval();
    const array<float> kept = y;
    array<float> before = x * 2, after;
    failing.launch(inout(y), before);
    after = y + 1;
    try {
        after.eval();
        FAIL() << "no error";
    } catch (const frit::error& e) {
        const std::string text = e.what();
        for (const char* part : {"failing", "no roots", "test_host_kernel.cpp:"})
            EXPECT_NE(text.find(part), std::string::npos) << text;
        EXPECT_THROW(std::rethrow_if_nested(e), std::domain_error);
    }
    EXPECT_EQ(before(1).item(), 2);
    EXPECT_EQ(kept(0).item(), 0);
    EXPECT_EQ(x(0).item(), 1);
    EXPECT_THROW(y.eval(), frit::error);
    fails = false;
    EXPECT_EQ(after(0).item(), 3) << "it is still a formula";
}

TEST_F(HostKernel, AnExceptionInPlacePoisonsItsResultAlone) {
    const host_kernel failing("failing", [](std::span<float> y) {
        y[0] = -1;
        throw 7;
    });
    array<float> x = frit::ones<float>(4).eval(), y = (x * 2).eval();
    failing.launch(inout(y));
    const array<float> sum = x + 1;
    EXPECT_ERROR(frit::eval(y, sum), frit::error, "failing", "no std::exception");
    EXPECT_EQ(sum(0).item(), 2);
    EXPECT_THROW(y.eval(), frit::error);
    y = x * 3;
    EXPECT_EQ(y(0).item(), 3);
}

TEST_F(HostKernel, AFunctionLivesAsLongAsItsCall) {
    const auto token = std::make_shared<int>(5);
    array<int> y{1}, z{1};
    {
        const host_kernel add("add", [token](std::span<int> v) { v[0] += *token; });
        add.launch(inout(y));
        add.launch(inout(z));
    }
    EXPECT_EQ(token.use_count(), 2);
    EXPECT_EQ(y(0).item(), 6);
    EXPECT_EQ(token.use_count(), 2) << "z waits";
    z = {};
    EXPECT_EQ(token.use_count(), 1);
}

TEST_F(HostKernel, MayEvaluateOtherArrays) {
    const host_kernel inner("inner", [](std::span<float> y) { y[0] = 1; });
    const host_kernel outer("outer", [&inner](std::span<float> y, std::span<const float> x, float a) {
        array<float> t = frit::arange<float>(100);
        inner.launch(inout(t));
        y[0] = sum(t * 2).item() + x[0] * a;
    });
    array<float> y = frit::zeros<float>(2);
    outer.launch(inout(y), frit::ones<float>(2), 0.5);
    EXPECT_EQ(y(0).item(), 2 * (4950 + 1) + 0.5f);
}

// What it waits for must not be what it is a part of: a test that hangs ends the process.
struct ends_in_time {
    ends_in_time() { alarm(60); }
    ~ends_in_time() {
        alarm(0);
        frit::set_memory_limit(0);
    }
};

TEST_F(HostKernel, LacksMemoryUnderALimitAndDoesNotWait) {
    const ends_in_time soon;
    const host_kernel greedy("greedy", [](std::span<float> y) { y[0] = frit::arange<float>(1'000'000).eval()(7).item(); });
    array<float> y = frit::zeros<float>(4), z = y;
    frit::set_memory_limit(frit::stats().live_bytes + 100'000);
    greedy.launch(inout(y));
    EXPECT_ERROR(y.eval(), frit::error, "greedy", "would pass the memory limit");
    frit::set_memory_limit(0);
    greedy.launch(inout(z));
    EXPECT_EQ(z(0).item(), 7);
}

TEST_F(HostKernel, ThoseOfSeveralThreadsDoNotWaitForEachOther) {
    const ends_in_time soon;
    std::barrier<> both(2);
    const host_kernel greedy("greedy", [&both](std::span<float> y) {
        both.arrive_and_wait();
        y[0] = frit::arange<float>(1'000'000).eval()(7).item();
    });
    frit::set_memory_limit(frit::stats().live_bytes + 100'000);
    std::atomic<int> failed{0};
    const auto evaluate = [&] {
        const frit::scoped_device cpu(frit::device::cpu());
        array<float> y = frit::zeros<float>(4);
        greedy.launch(inout(y));
        try {
            y.eval();
        } catch (const frit::error&) {
            ++failed;
        }
    };
    std::thread other(evaluate);
    evaluate();
    other.join();
    EXPECT_EQ(failed, 2);
}

// One plan serves both launches.
TEST_F(HostKernel, AnErrorNamesTheLineOfItsOwnLaunch) {
    const host_kernel checks("checks", [](std::span<float> y) {
        if (y[0] < 0) throw std::domain_error("negative");
    });
    const auto text_of = [&](float value, frit::source_line where) -> std::string {
        array<float> y = frit::full(3, value).eval();
        checks.launch(inout(y, where));
        try {
            y.eval();
        } catch (const frit::error& e) {
            return e.what();
        }
        return {};
    };
    EXPECT_EQ(text_of(1, {"first.cpp", 11}), "");
    const std::uint64_t built = frit::stats().plans_built;
    const std::string text = text_of(-1, {"second.cpp", 22});
    EXPECT_EQ(frit::stats().plans_built, built);
    EXPECT_NE(text.find("negative; in checks("), std::string::npos) << text;
    EXPECT_TRUE(text.ends_with(" [second.cpp:22]")) << text;
    EXPECT_EQ(text.find("first.cpp"), std::string::npos) << text;
}

TEST_F(HostKernel, ArraysWithoutElements) {
    int runs = 0;
    const host_kernel count("count", [&runs](std::span<float>, std::span<const float>) { ++runs; });
    array<float> y = frit::zeros<float>(0);
    count.launch(inout(y), frit::ones<float>(3));
    EXPECT_EQ(y.eval().size(), 0);
    EXPECT_EQ(runs, 0) << "there is nothing to write";
    array<float> z = frit::zeros<float>(1);
    count.launch(inout(z), y);
    z.eval();
    EXPECT_EQ(runs, 1);
    array<float> scalar = frit::scalar(2.f);
    count.launch(inout(scalar), y);
    EXPECT_EQ(scalar.item(), 2);
}

TEST_F(HostKernel, BorrowedMemoryIsNeverWritten) {
    std::vector<float> mine{1, 2, 3};
    array<float> y = frit::borrow(mine.data(), 3);
    axpy.launch(inout(y), y, 1);
    EXPECT_EQ(y.to_vector(), values<float>({2, 4, 6}));
    EXPECT_EQ(mine, values<float>({1, 2, 3}));
}

TEST_F(HostKernel, IntoTheCallersMemory) {
    array<float> y{1, 2, 3};
    axpy.launch(inout(y), y, 1);
    std::vector<float> to(3);
    frit::eval_into(frit::out(to.data(), 3), y);
    EXPECT_EQ(to, values<float>({2, 4, 6}));
    EXPECT_EQ(y.to_vector(), to);
}

TEST_F(HostKernel, TheGraphLimitEvaluatesIt) {
    int runs = 0;
    const host_kernel count("count", [&runs](std::span<int> y, std::span<int> z) {
        ++runs;
        ++y[0], --z[0];
    });
    array<int> y{0}, z{0};
    for (int k = 0; k < 10'000; ++k) count.launch(inout(y), inout(z));
    EXPECT_GT(runs, 1000);
    EXPECT_EQ(y(0).item(), 10'000);
    EXPECT_EQ(z(0).item(), -10'000);
    EXPECT_EQ(runs, 10'000);
}

TEST_F(HostKernel, StepsOfLoopsTakeNone) {
    array<float> x{1, 2};
    EXPECT_ERROR((frit::iterate(3, x,
                                [](const auto& s) {
                                    array<float> y = s;
                                    axpy.launch(inout(y), y, 1);
                                    return y;
                                })
                      .eval()),
                 frit::error, "call");
}

TEST_F(HostKernel, FromSeveralThreads) {
    std::vector<std::thread> threads;
    std::vector<float> results(8);
    const array<float> x = frit::ones<float>(1000).eval();
    for (std::size_t t = 0; t < results.size(); ++t)
        threads.emplace_back([&, t] {
            const frit::scoped_device cpu(frit::device::cpu());
            array<float> y = frit::zeros<float>(1000), z = frit::zeros<float>(1000);
            const host_kernel two("two", [](std::span<float> a, std::span<float> b, std::span<const float> c) {
                for (std::size_t k = 0; k < a.size(); ++k) a[k] += c[k], b[k] -= c[k];
            });
            for (int k = 0; k < 50; ++k) {
                two.launch(inout(y), inout(z), x);
                if (k % 7 == 0) (k % 2 ? y : z).eval();
            }
            results[t] = y(1).item() - z(2).item();
        });
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(results, std::vector<float>(8, 100));
}

TEST_F(HostKernel, SharesNothingWithAnotherDevice) {
    array<float> y = frit::zeros<float>(2);
    if (frit::device::cuda_count() == 0) GTEST_SKIP() << "one device";
    array<float> there = y.to(frit::device::cuda(0));
    EXPECT_ERROR(axpy.launch(inout(there), there, 1), frit::device_error, "host_kernel axpy", "runs on the CPU",
                 "test_host_kernel.cpp");
}

}  // namespace
