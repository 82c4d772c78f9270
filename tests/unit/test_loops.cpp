// The loop IR: its checker says what is wrong with kernels that are, and that of real ones nothing is; builders compute what
// is known. What the loops compute is the engines' tests' business.
#include <gtest/gtest.h>

#include <memory>
#include <mutex>
#include <vector>

#include <frit/frit.hpp>

#include "fusion/loops/build.hpp"
#include "fusion/schedules/host/host.hpp"
#include "src/engine/prepare_hook.hpp"
#include "tests/support/engines.hpp"

namespace {
namespace fusion = frit::fusion;
namespace loops = frit::fusion::loops;
using frit::array;
using frit::dtype;
using frit::slice;

/// What the checker says of one function.
template <class F>
std::string wrong_with(F write) {
    loops::builder b("f");
    const loops::cell words = b.parameter("w", loops::address_of(dtype::u64, true));
    write(b, words);
    loops::kernel k;
    k.lanes = 8;
    k.entry = b.take();
    return check(k);
}
const auto floats = loops::address_of(dtype::f32, false);

TEST(LoopChecker, FindsWhatHasNoValue) {
    EXPECT_EQ(wrong_with([](loops::builder& b, auto) {
                  const loops::cell x = b.declare("x", loops::index_type());
                  b.declare("y", x + 1);
              }),
              "f: x is read before it has a value");
    EXPECT_EQ(wrong_with([](loops::builder& b, auto w) {
                  loops::cell inner;
                  b.when(b.bytes(w) != 0, [&] { inner = b.let("inner", b.bytes(w)); });
                  b.declare("y", inner + 1);
              }),
              "f: inner is read before it has a value");
}

TEST(LoopChecker, FindsWhatCannotBeWritten) {
    EXPECT_EQ(wrong_with([](loops::builder& b, auto w) {
                  const loops::cell x = b.let("x", b.bytes(w));
                  b.set(x, b.constant(1));
              }),
              "f: x cannot be set here");
    EXPECT_EQ(wrong_with([](loops::builder& b, auto) {
                  const loops::array x = b.declare("x", loops::index_type(), 4);
                  b.put(x, 4, b.constant(1));
                  b.declare("y", x[0]);
              }),
              "f: an element outside x");
    EXPECT_EQ(wrong_with([](loops::builder& b, auto) {
                  const loops::value from = b.word(2, loops::address_of(dtype::f32, true));
                  b.store(from, b.load(from));
              }),
              "f: a store to what is only read");
    EXPECT_EQ(wrong_with([](loops::builder& b, auto) {
                  b.store(b.word(2, floats), b.load(b.word(3, loops::address_of(dtype::f64, true))));
              }),
              "f: a store of another dtype");
}

TEST(LoopChecker, FindsOperandsOfAnotherKind) {
    EXPECT_EQ(wrong_with([](loops::builder& b, auto w) { b.when(b.bytes(w) && b.bytes(w) < 3, [&] { b.leave(); }); }),
              "f: an operand of logic is of another kind");
    EXPECT_EQ(wrong_with([](loops::builder& b, auto w) {
                  const loops::value few = b.bytes(w) < 3;
                  b.when(few == few, [&] { b.leave(); });
              }),
              "f: an operand of index arithmetic is of another kind");
}

TEST(LoopChecker, FindsLoopsWithoutEnd) {
    EXPECT_EQ(wrong_with([](loops::builder& b, auto) { b.loop("i", b.constant(0), b.constant(4), 0, 0, [](auto) {}); }),
              "f: a loop that does not go on");
}

// Of a GPU: threads that must meet, and what lies in registers and shared memory.
TEST(LoopChecker, FindsThreadsThatDoNotMeet) {
    const auto thread = [](loops::builder& b) { return b.launch(loops::launch_index::thread_x); };
    const auto block = [](loops::builder& b) { return b.launch(loops::launch_index::block_x); };
    const auto not_all = "f: threads meet where not all of them come";
    EXPECT_EQ(wrong_with([&](loops::builder& b, auto) { b.when(thread(b) < 3, [&] { b.barrier(); }); }), not_all);
    EXPECT_EQ(wrong_with([&](loops::builder& b, auto) { b.when(block(b) < 3, [&] { b.barrier(); }); }), "");
    EXPECT_EQ(wrong_with([&](loops::builder& b, auto) {
                  b.when(thread(b) < 3, [&] { b.leave(); });
                  b.barrier();
              }),
              not_all);
    EXPECT_EQ(wrong_with([&](loops::builder& b, auto) {
                  const loops::cell n = b.declare("n", b.constant(0));
                  b.repeat(n < 5, [&] {  // as often as the thread says, from the second time on
                      b.barrier();
                      b.set(n, n + b.to(dtype::i64, thread(b)) + 1);
                  });
              }),
              not_all);
    EXPECT_EQ(
        wrong_with([&](loops::builder& b, auto) {
            const loops::value tickets = b.word(1, loops::address_of(dtype::u32, false));
            b.when(thread(b) < 3, [&] {
                b.when(b.accumulate(loops::code::last_block, loops::truth_type(), {tickets, block(b)}), [&] { b.leave(); });
            });
        }),
        not_all);
}

// a, b -> a b + g, where g is given.
TEST(LoopChecker, FindsRulesThatAreGivenSomethingElse) {
    using frit::op;
    fusion::loop_spec operation;
    operation.inputs = {dtype::f32, dtype::f32, dtype::f32};
    for (const std::uint16_t k : {0, 1, 2}) operation.code.push_back({op::load, dtype::f32, k});
    operation.code.push_back({op::mul, dtype::f32, 0, 1});
    operation.code.push_back({op::add, dtype::f32, 3, 2});
    operation.next = {4};
    const auto said_of = [&](auto given) {
        loops::builder b("f");
        const loops::value one = b.whole_number(dtype::f32, 1);
        const loops::value x = b.accumulate(loops::code::lifted, loops::accumulator_of(0), {one});
        std::vector<loops::value> operands = {x, x};
        given(b, operands);
        const loops::value made = b.accumulate(loops::code::taken, operands);
        b.write(b.word(0, floats), b.accumulate(loops::code::part, loops::number_of(dtype::f32), {made}, 0));
        loops::kernel k;
        k.own_rules.push_back(std::make_shared<const fusion::reduction_rule>(rule_of_operation(operation)));
        k.rules.push_back(k.own_rules.back().get());
        k.entry = b.take();
        return check(k);
    };
    const auto wrong = "f: a rule is given something else";
    EXPECT_EQ(said_of([](auto&, auto&) {}), wrong);
    EXPECT_EQ(said_of([](auto& b, auto& in) { in.push_back(b.whole_number(dtype::f64, 1)); }), wrong);
    EXPECT_EQ(said_of([](auto& b, auto& in) { in.push_back(b.whole_number(dtype::f32, 1)); }), "");
    EXPECT_EQ(said_of([](auto& b, auto& in) { in.assign(2, b.whole_number(dtype::f32, 1)); }),
              "f: an accumulator without a rule");
}

TEST(LoopChecker, FindsThreadsThatDoNotMeetInExpressionsAndRounds) {
    const auto not_all = "f: threads meet where not all of them come";
    const auto last = [](loops::builder& b) {
        return b.accumulate(loops::code::last_block, loops::truth_type(),
                            {b.word(1, loops::address_of(dtype::u32, false)), b.launch(loops::launch_index::blocks_x)});
    };
    const auto with_condition = [&](loops::launch_index i) {
        return wrong_with([&](loops::builder& b, auto) { b.when(b.launch(i) < 3 && last(b), [&] { b.leave(); }); });
    };
    EXPECT_EQ(with_condition(loops::launch_index::thread_x), not_all);
    EXPECT_EQ(with_condition(loops::launch_index::block_x), "");
    EXPECT_EQ(wrong_with([&](loops::builder& b, auto) {
                  b.let("x", b.choice(b.launch(loops::launch_index::thread_x) < 3, last(b), b.truth(false)));
              }),
              not_all);
    EXPECT_EQ(wrong_with([](loops::builder& b, auto) {
                  b.loop("k", b.constant(0), b.constant(4), 1, 0, [&](auto) {
                      b.barrier();
                      b.when(b.launch(loops::launch_index::thread_x) == 2, [&] { b.leave(); });
                  });
              }),
              not_all);
}

// Who has ended a loop is there again behind it, after as many rounds as it wanted.
TEST(LoopChecker, KnowsWhoHasEndedALoop) {
    enum class meeting { in_the_loop, behind_it, behind_it_by_its_rounds };
    const auto with = [](meeting where) {
        return wrong_with([=](loops::builder& b, auto) {
            const loops::cell rounds = b.declare("rounds", b.constant(0));
            b.loop("k", b.constant(0), b.constant(4), 1, 0, [&](auto) {
                if (where == meeting::in_the_loop) b.barrier();
                b.when(b.launch(loops::launch_index::thread_x) == 2, [&] { b.end_loop(); });
                b.set(rounds, rounds + 1);
            });
            if (where == meeting::behind_it) b.barrier();
            if (where == meeting::behind_it_by_its_rounds) b.when(rounds < 4, [&] { b.barrier(); });
        });
    };
    EXPECT_EQ(with(meeting::in_the_loop), "f: threads meet where not all of them come");
    EXPECT_EQ(with(meeting::behind_it), "");
    EXPECT_EQ(with(meeting::behind_it_by_its_rounds), "f: threads meet where not all of them come");
    EXPECT_EQ(wrong_with([](loops::builder& b, auto) { b.end_loop(); }), "f: the end of no loop");
}

TEST(LoopChecker, FindsWhatOneBranchAloneSetsAndArraysThatNobodyWrote) {
    const auto with_branches = [](bool both) {
        return wrong_with([=](loops::builder& b, auto w) {
            const loops::cell x = b.declare("x", loops::index_type());
            const auto set = [&] { b.set(x, b.constant(1)); };
            b.when(b.bytes(w) == 0, set, [&] {
                if (both) set();
            });
            b.declare("y", x + 1);
        });
    };
    EXPECT_EQ(with_branches(true), "");
    EXPECT_EQ(with_branches(false), "f: x is read before it has a value");
    EXPECT_EQ(wrong_with([](loops::builder& b, auto) {
                  const loops::array x = b.declare("x", loops::number_of(dtype::f32), 4);
                  b.write(b.word(2, floats), x[0]);
              }),
              "f: x is read before it has a value");
}

TEST(LoopChecker, FindsElementsOutsideTheirArrays) {
    const auto with_index = [](std::int64_t end, std::int64_t by) {
        return wrong_with([=](loops::builder& b, auto) {
            const loops::array x = b.declare("x", loops::number_of(dtype::f32), 8);
            b.loop("k", b.constant(0), b.constant(end), 1, loops::wholly, [&](loops::value k) {
                b.put(x, k * by + 1, b.whole_number(dtype::f32, 0));
                b.write(b.word(2, floats), x[1]);
            });
        });
    };
    EXPECT_EQ(with_index(4, 2), "");
    EXPECT_EQ(with_index(5, 2), "f: elements outside x");
    const auto with_copy = [](loops::transfer how) {
        return wrong_with([=](loops::builder& b, auto) {
            const loops::array x = b.declare("x", loops::number_of(dtype::f32), 8);
            b.copy_in(x.at(b.constant(2)), b.word(2, floats), how);
        });
    };
    EXPECT_EQ(with_copy({.count = 6, .width = 2}), "");
    EXPECT_EQ(with_copy({.count = 8, .width = 2}), "f: elements outside x");
    EXPECT_EQ(with_copy({.count = 6, .width = 4}), "f: a copy in parts that do not fill it");
}

TEST(LoopBuilder, DropsWhatNothingReads) {
    loops::builder b("f");
    const loops::cell n = b.let("n", b.word(2)), unread = b.let("unread", n + 1);
    b.let("after", unread + 1);
    b.store(b.word(3, floats), b.load(b.word(3, floats) + n));
    const loops::function f = b.take();
    ASSERT_EQ(f.body.size(), 2U);
    EXPECT_EQ(f.variables[f.body[0].n].name, "n");
}

TEST(LoopBuilder, MakesIndicesOfOneType) {
    loops::builder b("f");
    const loops::value small = b.word(2, loops::index_type(dtype::u32)), wide = b.word(3),
                       number = b.word(4, loops::index_type(dtype::i32));
    EXPECT_EQ((small + 1).is(), loops::index_type(dtype::u32));
    EXPECT_EQ((small + number).is(), loops::index_type(dtype::u32));
    EXPECT_EQ((wide * small).is(), loops::index_type());
    EXPECT_EQ(b.choice(small < 2, b.constant(1), number).is(), loops::index_type(dtype::i32));
}

TEST(LoopBuilder, ComputesWhatIsKnown) {
    loops::builder b("f");
    const loops::value n = b.word(2);
    EXPECT_EQ(b.constant_of(b.constant(3) * 4 + 2), 14);
    EXPECT_EQ((n * 1 + 0).id, n.id);
    EXPECT_EQ(b.constant_of(n * 0), 0);
    EXPECT_EQ(b.constant_of(b.constant(3) < 4), 1);
    EXPECT_EQ(b.choice(b.truth(false), n, b.constant(7)).is(), loops::index_type());
    bool asked = false;
    b.when(b.truth(false), [&] { asked = true; });
    EXPECT_FALSE(asked);
    EXPECT_TRUE(b.take().body.empty());
}

std::mutex lock;
std::vector<fusion::kernel_spec> seen;

// Every schedule, with clamps, tables, several passes, 16-bit and complex operands.
TEST(Loops, OfManyFormulasHold) {
    if (frit::default_device() != frit::device::cpu()) GTEST_SKIP() << "loops are of the CPU";
    const frit_test::with_engine interpreter(frit_test::engine::interpreter);
    frit::detail::on_prepare = [](const fusion::kernel_spec& s) {
        const std::lock_guard guard(lock);
        seen.push_back(s);
    };
    const array<float> x = frit::linspace(-1.0F, 1.0F, 1200), m = x.reshape({30, 40}), t = x.reshape({5, 8, 30});
    const array<frit::half> h = frit::cast<frit::half>(m);
    const array<std::complex<double>> z = frit::complex(frit::cast<double>(m), frit::cast<double>(m + 1));
    array<float> u = m + 0;
    u(slice(1, -1), slice(2, 30, 2)) = m(slice(1, -1), slice(3, 31, 2)) * 2;
    const auto evaluate = [](const auto&... formula) { (formula.eval(), ...); };
    const array<float> a = sin(x) * 2 + exp(-x * x), padded = frit::pad(m, {{2, 1}, {1, 3}}, frit::pad_mode::edge) * 2,
                       turned = m + frit::flip(m, 0), flipped = m(slice(frit::none, frit::none, -1)) + 1, column = sum(m, 0),
                       row = sum(m * m, 1), inner = sum(t, {0, 2}), soft = softmax(m, -1), normal = layer_norm(t, -1),
                       spread = var(m, 0), all = sum(m), most = max(t(frit::all, slice(1, 7), frit::all), 1),
                       pairs = sum(abs(x(frit::all, frit::newaxis) - x(frit::newaxis, slice(0, 70))), 1);
    const array<std::int64_t> where = argmax(m, 0);
    const array<frit::half> soft_half = softmax(h, -1), sum_half = sum(h, 0);
    const array<std::complex<double>> product = z * z + 1.0, total = prod(z, 0), sums = sum(z, 1);
    const array<bool> any_row = any(m > 0.5F, 1);
    evaluate(a, padded, turned, flipped, column, row, inner, soft, normal, spread, all, most, pairs, where, soft_half,
             sum_half, product, total, sums, any_row, u);
    frit::detail::on_prepare = nullptr;
    ASSERT_GE(seen.size(), 20U);
    for (const fusion::kernel_spec& s : seen)
        for (const int bytes : {16, 32, 64}) {
            fusion::target machine;
            machine.vector_bytes = bytes;
            machine.has_fma = bytes > 16;
            const loops::kernel k = fusion::host_loops(s, machine, "frit_kernel");
            EXPECT_EQ(check(k), "") << to_string(s) << to_string(k);
        }
}

}  // namespace
