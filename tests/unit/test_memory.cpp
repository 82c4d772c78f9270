// Who owns memory: donation (a buffer that nobody else looks at is reused), borrowing, writing into the caller's memory,
// counters that return to where they were, and running out.
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "tests/support/kernels.hpp"

namespace {
using frit::array;
using frit::none;
using frit::slice;
using floats = std::vector<float>;

constexpr std::int64_t n = 1 << 16;
constexpr std::uint64_t bytes = n * sizeof(float);

array<float> ramp() {
    array<float> x = frit::arange<float>(0, static_cast<float>(n));
    x.eval();
    return x;
}

TEST(Memory, LiveBytesReturnToWhereTheyWere) {
    const std::uint64_t before = frit::stats().live_bytes;
    {
        const array<float> x = ramp();
        array<float> y = exp(x) + 1.0F;
        y.eval();
        EXPECT_EQ(frit::stats().live_bytes, before + 2 * bytes);
    }
    EXPECT_EQ(frit::stats().live_bytes, before);
}

TEST(Memory, ADyingInputIsReusedInPlace) {
    array<float> x = ramp();
    frit::reset_stats();
    const std::uint64_t live = frit::stats().live_bytes;
    for (int k = 0; k < 5; ++k) {
        x = x * 2.0F + 1.0F;
        x.eval();
    }
    EXPECT_EQ(frit::stats().live_bytes, live);
    EXPECT_EQ(frit::stats().peak_bytes, live);
    EXPECT_EQ(x.to_vector()[3], 3 * 32.0F + 31.0F);
}

TEST(Memory, AnUpdateHappensInPlaceWhenNobodyElseLooks) {
    array<float> x = ramp();
    frit::reset_stats();
    const std::uint64_t live = frit::stats().live_bytes;
    x(slice(10, 20)) = 0.0F;
    x.eval();
    EXPECT_EQ(frit::stats().peak_bytes, live);
    EXPECT_EQ(frit::stats().bytes_written, 10 * sizeof(float));
    EXPECT_EQ(x.to_vector()[9], 9);
    EXPECT_EQ(x.to_vector()[15], 0);
}

TEST(Memory, AnUpdateCopiesWhenSomebodyLooks) {
    array<float> x = ramp();
    const array<float> other = x;
    frit::reset_stats();
    const std::uint64_t live = frit::stats().live_bytes;
    x(slice(10, 20)) = 0.0F;
    x.eval();
    EXPECT_EQ(frit::stats().peak_bytes, live + bytes);
    EXPECT_EQ(other.to_vector()[15], 15);
}

TEST(Memory, InputsThatAreHeldAreNotReused) {
    const array<float> x = ramp();
    array<float> y = x + 1.0F;
    y.eval();
    EXPECT_EQ(x.to_vector()[7], 7);
    EXPECT_EQ(y.to_vector()[7], 8);
}

TEST(Memory, AnEvaluatedViewKeepsItsBuffer) {
    array<float> x = ramp();
    array<float> head = x(slice(0, 4));
    head.eval();
    x = x + 1.0F;
    x.eval();
    EXPECT_EQ(head.to_vector(), (floats{0, 1, 2, 3}));
}

TEST(Memory, PlansKnowTheirPeak) {
    const array<float> x = ramp();
    array<float> y = x + 1.0F;
    EXPECT_GE(frit::make_plan(y).peak_bytes(), bytes);
    EXPECT_LE(frit::make_plan(y).peak_bytes(), 3 * bytes);
}

// A plan that overwrites an input takes all of its memory first: blocks of one size are shared, others are not.
TEST(Memory, PlansThatTakeOverAnInputKnowTheirPeakToo) {
    const array<float> a = ramp(), b = ramp();
    array<float> u = ramp();
    u(slice(10, 20)) = 0.0F;
    const array<float> s = frit::sum(frit::sort(a * 2.0F)), t = frit::sum(frit::sort(b * 2.0F)),
                       half = frit::sum(frit::sort(a(slice(0, n / 2)) * 2.0F));
    const std::uint64_t planned = frit::make_plan(u, s, t, half).peak_bytes();
    EXPECT_GE(planned, 2 * bytes + bytes);
    frit::reset_stats();
    const std::uint64_t live = frit::stats().live_bytes;
    frit::eval(u, s, t, half);
    EXPECT_EQ(frit::stats().peak_bytes - live, planned);
}

TEST(Memory, BorrowKeepsTheOwnerAlive) {
    const frit::scoped_device cpu(frit::device::cpu());  // a GPU takes a copy at once
    auto owner = std::make_shared<floats>(floats{1, 2, 3});
    const std::weak_ptr<floats> watch = owner;
    array<float> y;
    {
        array<float> b = frit::borrow(owner->data(), frit::shape{3}, owner);
        owner.reset();
        EXPECT_FALSE(watch.expired());
        y = b * 2.0F;
    }
    EXPECT_FALSE(watch.expired());  // y is pending and still reads it
    EXPECT_EQ(y.to_vector(), (floats{2, 4, 6}));
    y = {};
    EXPECT_TRUE(watch.expired());
}

TEST(Memory, BorrowIsNotDonated) {
    floats memory(n);
    std::iota(memory.begin(), memory.end(), 0.0F);
    const floats original = memory;
    array<float> y;
    {
        const array<float> b = frit::borrow(memory.data(), frit::shape{n});
        y = b + 1.0F;
    }
    y.eval();
    EXPECT_EQ(memory, original);
    EXPECT_EQ(y.to_vector()[5], 6);
}

TEST(Memory, BorrowWithStrides) {
    const floats memory = {0, 1, 2, 3, 4, 5, 6, 7};
    const array<float> every_second = frit::borrow(memory.data(), frit::shape{4}, 0, {2});
    EXPECT_EQ((every_second * 10.0F).to_vector(), (floats{0, 20, 40, 60}));
    const array<float> backwards = frit::borrow(memory.data() + 7, frit::shape{2, 4}, 0, {-4, -1});
    EXPECT_EQ(backwards.to_vector(), (floats{7, 6, 5, 4, 3, 2, 1, 0}));
    const array<float> columns = frit::borrow(memory.data(), frit::shape{4, 2}, 0, {1, 4});
    EXPECT_EQ((columns + columns(slice(none, none, -1))).to_vector(), (floats{3, 11, 3, 11, 3, 11, 3, 11}));
    const array<float> repeated = frit::borrow(memory.data() + 3, frit::shape{3}, 0, {0});
    EXPECT_EQ((repeated + 1.0F).to_vector(), (floats{4, 4, 4}));
}

TEST(Memory, EvalIntoContiguousMemory) {
    const array<float> x{1, 2, 3, 4};
    floats out(6, -1.0F);
    frit::eval_into(frit::out(out.data() + 1, frit::shape{4}), x * 2.0F);
    EXPECT_EQ(out, (floats{-1, 2, 4, 6, 8, -1}));
}

TEST(Memory, EvalIntoStridedMemory) {
    const array<float> x = frit::arange<float>(0, 6).reshape({2, 3});
    floats out(12, -1.0F);
    frit::eval_into(frit::out(out.data(), frit::shape{2, 3}, {6, 2}), x + 1.0F);  // every second column of a 2 x 6
    EXPECT_EQ(out, (floats{1, -1, 2, -1, 3, -1, 4, -1, 5, -1, 6, -1}));
    frit::eval_into(frit::out(out.data() + 11, frit::shape{6}, {-1}), x.reshape({6}));
    EXPECT_EQ(out, (floats{1, -1, 2, -1, 3, -1, 5, 4, 3, 2, 1, 0}));
}

TEST(Memory, EvalIntoCastsWithinAKind) {
    const array<double> x{1.5, 2.5};
    floats out(2);
    frit::eval_into(frit::out(out.data(), frit::shape{2}), x);
    EXPECT_EQ(out, (floats{1.5F, 2.5F}));
}

TEST(Memory, EvalIntoBroadcastsAndChecks) {
    floats out(6);
    frit::eval_into(frit::out(out.data(), frit::shape{2, 3}), array<float>{1, 2, 3} * 2.0F);
    EXPECT_EQ(out, (floats{2, 4, 6, 2, 4, 6}));
    frit::eval_into(frit::out(out.data(), frit::shape{6}), 7.0F);
    EXPECT_EQ(out, floats(6, 7));
    EXPECT_ERROR(frit::eval_into(frit::out(out.data(), frit::shape{5}), array<float>{1, 2}), frit::shape_error,
                 "eval_into: ", "; shapes (2,), (5,) [", "test_memory.cpp:");
    EXPECT_ERROR(frit::eval_into(frit::out(out.data(), frit::shape{6}, {1, 1}), frit::zeros<float>({6})), frit::shape_error,
                 "strides");
}

TEST(Memory, EvalIntoMemoryThatTheFormulaReads) {
    floats memory = {0, 1, 2, 3, 4, 5};
    const array<float> b = frit::borrow(memory.data(), frit::shape{6});
    frit::eval_into(frit::out(memory.data() + 1, frit::shape{5}), b(slice(0, 5)) * 10.0F);
    EXPECT_EQ(memory, (floats{0, 0, 10, 20, 30, 40}));
}

TEST(Memory, CopyTo) {
    const array<int> x{1, 2, 3};
    std::vector<int> h(3);
    x.copy_to(std::span<int>(h));
    EXPECT_EQ(h, (std::vector<int>{1, 2, 3}));
    std::vector<int> small(2);
    EXPECT_ERROR(x.copy_to(std::span<int>(small)), frit::shape_error, "3", "2");
}

TEST(Memory, RunningOutIsAnErrorAndTheProcessGoesOn) {
    const std::uint64_t live = frit::stats().live_bytes;
    array<double> huge = frit::zeros<double>({std::int64_t{1} << 47}) + 1.0;  // one petabyte
    EXPECT_ERROR(huge.eval(), frit::out_of_memory, "out of memory", "1.0 PiB");
    EXPECT_ERROR(huge.eval(), frit::out_of_memory, "out of memory", "1.0 PiB");
    huge = {};
    EXPECT_EQ(frit::stats().live_bytes, live);
    const array<float> x{1, 2};
    EXPECT_EQ(frit::sum(x).item(), 3);
}

TEST(Memory, RunningOutLeavesTheOtherArraysUsable) {
    const array<float> x{1, 2, 3};
    array<float> y = x + 1.0F;
    array<float> huge = frit::broadcast_to(frit::sum(y), {std::int64_t{1} << 48}) * 2.0F;
    EXPECT_THROW(frit::eval(y, huge), frit::out_of_memory);
    EXPECT_EQ(y.to_vector(), (floats{2, 3, 4}));
    array<float> part = huge(slice(0, 2)) + 1.0F;  // of the same formula, whose whole never fits
    part.eval();
    EXPECT_EQ(part.to_vector(), (floats{19, 19}));
}

}  // namespace
