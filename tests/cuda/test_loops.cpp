// The interpreter of GPU loops itself: what it must find in wrong kernels, written here by hand, what it must leave alone in
// right ones, and patches, which other lists of specs here have not. That it gives what the CPU's interpreter gives is
// tested wherever the emulator is (on_device.hpp), and that the emulator gives the same bits in test_rows.cpp.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <numeric>
#include <regex>
#include <set>
#include <string>

#include "frit/error.hpp"
#include "fusion/ir/reduction_rule.hpp"
#include "fusion/ir/word_map.hpp"
#include "fusion/loops/build.hpp"
#include "tests/cuda/loops/interpreter.hpp"
#include "tests/cuda/row_specs.hpp"
#include "tests/cuda/run_spec.hpp"
#include "tests/cuda/transpose_specs.hpp"

namespace {

using namespace frit_test;
namespace loops = frit::fusion::loops;
using frit::fusion::launch_shape;
using loops::array;
using loops::cell;
using loops::code;
using loops::value;

/// A kernel over 64 ints a (a[i] = i) and 64 ints b (of 0), with sums of ints as its rule.
struct writer : loops::builder {
    writer() : loops::builder("k") {}
    value t = let("t", to(dtype::i32, launch(loops::launch_index::thread_x)));
    value block = let("block", to(dtype::i32, launch(loops::launch_index::block_x)));
    value a = word(2, loops::address_of(dtype::i32, true)), b = word(3, loops::address_of(dtype::i32, false));
    value sums = word(1, loops::address_of_accumulators(0)), ticket = word(0, loops::address_of(dtype::u32, false));
    value element(value i) { return read(a + i); }
    value sum() { return accumulate(code::lifted, loops::accumulator_of(0), {element(t)}); }
    value whole(value accumulator) { return accumulate(code::part, loops::number_of(dtype::i32), {accumulator}, 0); }
    array ints(std::int64_t count, loops::storage in = loops::storage::own) {
        return declare("s", loops::number_of(dtype::i32), count, in);
    }
    array shared(std::int64_t count = 64) { return ints(count, loops::storage::shared); }
};
using body = std::function<void(writer&)>;

/// What is said of it, empty: nothing; b is left as the kernel leaves it.
std::string said_of(const body& write, unsigned seed, std::vector<int>& b, const launch_shape& shape) {
    writer w;
    write(w);
    loops::kernel k;
    k.threads = shape.block[0] * shape.block[1];
    k.addresses = {true, true, true, true};
    k.rules = {&frit::fusion::rule_of(op::sum, dtype::i32)};
    k.entry = w.take();
    std::vector<int> a(64);
    std::iota(a.begin(), a.end(), 0);
    b.assign(64, 0);
    std::vector<std::uint64_t> scratch(128);
    const auto range = [](auto& v, std::size_t from, std::size_t to, bool writable, const char* name) {
        const char* const p = reinterpret_cast<const char*>(v.data());
        return watched_range{p + from, p + to, writable, 4, name};
    };
    const auto word = [](auto& v, std::size_t k = 0) { return reinterpret_cast<std::uint64_t>(&v[k]); };
    const std::uint64_t words[] = {word(scratch), word(scratch, 1), word(a), word(b)};
    try {
        run_loops(k, shape, words,
                  {range(a, 0, 256, false, "a"), range(b, 0, 256, true, "b"), range(scratch, 0, 1024, true, "scratch")},
                  seed);
    } catch (const emulation_error& e) {
        return e.what();
    }
    return "";
}

void wrong(const std::string& what, const body& write, const launch_shape& shape = {{1, 1, 1}, {64, 1, 1}}) {
    std::vector<int> b;
    for (const unsigned seed : {0U, 1U, 2U, 3U}) {
        const std::string said = said_of(write, seed, b, shape);
        EXPECT_NE(said.find(what), std::string::npos) << (said.empty() ? "nothing" : said) << "\nis said, not: " << what;
    }
}
void right(int (*expected)(int), const body& write, const launch_shape& shape = {{1, 1, 1}, {64, 1, 1}}) {
    std::vector<int> b;
    for (const unsigned seed : {0U, 1U, 2U, 3U}) {
        ASSERT_EQ(said_of(write, seed, b, shape), "");
        for (int i = 0; i < 64; ++i) ASSERT_EQ(b[static_cast<std::size_t>(i)], expected(i)) << i;
    }
}

TEST(Loops, AMessageNamesKernelThreadAndStatement) {
    wrong("k, block (0, 0, 0), thread (63, 0), in \"write(forward(address of int32 word 3, (t.0 + 1)), 0)\": writes 4 bytes",
          [](writer& w) { w.write(w.b + (w.t + 1), w.whole_number(dtype::i32, 0)); });
}

TEST(Loops, AccessesStayInTheirArraysAndAligned) {
    wrong("reads 4 bytes at byte 256 of a, which has 256", [](writer& w) { w.write(w.b + w.t, w.element(w.t + 1)); });
    wrong("writes a, which is not its output", [](writer& w) { w.write(w.a + w.t, w.element(w.t)); });
    wrong("element 64 of s, which has 64", [](writer& w) { w.put(w.shared(), w.t + 1, w.element(w.t)); });
    wrong("element 4 of s, which has 4", [](writer& w) {
        const array s = w.ints(4);
        w.loop("n", w.constant(0), w.constant(5), 1, loops::wholly, [&](value n) { w.put(s, n, w.element(n)); });
        w.write(w.b + w.t, s[0]);
    });
    const auto copy = [](std::int64_t by) {
        return [by](writer& w) {
            const array s = w.ints(2);
            w.when(w.t < 31, [&] {
                w.copy_in(s.at(w.constant(0)), w.a + w.t * by, {2, 2});
                w.copy_out(w.b + w.t * 2, s.at(w.constant(0)), {2, 2});
            });
        };
    };
    wrong("a misaligned access of 8 bytes", copy(1));
    right([](int i) { return i < 62 ? i : 0; }, copy(2));
}

TEST(Loops, NothingIsReadThatNobodyWrote) {
    wrong("of s, which nobody wrote", [](writer& w) { w.write(w.b + w.t, w.shared()[w.t]); });
    wrong("element 1 of s, which nobody wrote", [](writer& w) {
        const array s = w.ints(2);
        w.put(s, 0, w.element(w.t));
        w.write(w.b + w.t, s[1]);
    });
    wrong("reads x, which has no value", [](writer& w) {
        const cell x = w.declare("x", loops::number_of(dtype::i32));
        w.when(w.t < 60, [&] { w.set(x, w.element(w.t)); });
        w.write(w.b + w.t, x);
    });
}

TEST(Loops, ArithmeticOfIndices) {
    const auto if_less_than_9 = [](value (*of)(value t)) {
        return [of](writer& w) { w.when(of(w.t) < 9, [&] { w.write(w.b + w.t, w.element(w.t)); }); };
    };
    wrong("signed overflow", if_less_than_9([](value t) { return t * 1'000'000'000; }));
    wrong("division by 0", if_less_than_9([](value t) { return 64 / t; }));
    wrong("word 2 is no index", [](writer& w) { w.write(w.b + w.word(2, loops::index_type(dtype::u32)), w.element(w.t)); });
    right([](int i) { return i < 9 ? i : 0; },
          if_less_than_9([](value t) { return t.in->to(dtype::u32, t) - 64 + 64; }));  // these wrap
}

// Of two threads one writes what the other reads or writes.
TEST(Loops, NeighboursNeedABarrier) {
    const auto neighbours = [](std::int64_t apart, bool waits, bool of_warp) {
        return [=](writer& w) {
            const array s = w.shared();
            w.put(s, w.t, w.element(w.t));
            w.barrier();
            w.put(s, w.t, w.element(w.t));
            if (waits) w.barrier(of_warp);
            w.write(w.b + w.t, s[bit_xor(w.t, w.constant(apart))]);
        };
    };
    right([](int i) { return i ^ 32; }, neighbours(32, true, false));
    right([](int i) { return i ^ 1; }, neighbours(1, true, true));
    wrong("a race: ", neighbours(32, true, true));
    wrong("a race: ", neighbours(1, false, false));
    wrong("a race: writes byte 0 of b", [](writer& w) { w.write(w.b, w.element(w.t)); });
    wrong("a race: ", [](writer& w) { w.write(w.b + w.t, w.element(w.t)); }, {{2, 1, 1}, {32, 1, 1}});
}

// All threads add to one element, which begins as 0 and is read at the end.
TEST(Loops, WhatIsAddedAtOnceNeedsNoOrder) {
    const auto counted = [](bool begins, bool ends, std::int64_t element) {
        return [=](writer& w) {
            const array s = w.shared(2);
            const auto begin = [&] { w.when(w.t < 2, [&] { w.put(s, w.t, w.whole_number(dtype::i32, 0)); }); };
            begin();
            w.barrier();
            begin();
            if (begins) w.barrier();
            w.add_at(s.at(w.constant(element)), w.element(w.t));
            if (ends) w.barrier();
            w.write(w.b + w.t, s[1]);
        };
    };
    right([](int) { return 63 * 64 / 2; }, counted(true, true, 1));
    wrong("a race: ", counted(false, true, 1));
    wrong("a race: ", counted(true, false, 1));
    wrong("element 2 of s, which has 2", counted(true, true, 2));
    wrong("an atomic operation beyond the memory", [](writer& w) { w.add_at(w.a + w.t, w.element(w.t)); });
    wrong("an atomic operation beyond the memory", [](writer& w) { w.add_at(w.b + (w.t + 1), w.element(w.t)); });
    wrong("an atomic operation on registers", [](writer& w) {
        const array s = w.ints(1);
        w.put(s, 0, w.element(w.t));
        w.add_at(s.at(w.constant(0)), w.element(w.t));
    });
    right([](int i) { return 2 * i; },
          [](writer& w) {
              w.add_at(w.b + w.t, w.element(w.t));
              w.add_at(w.b + w.t, w.element(w.t));
          });
}

TEST(Loops, MeetingsNeedEveryThread) {
    wrong("not all threads come to a meeting\n  1 have ended\n  63 wait in \"barrier\"",
          [](writer& w) { w.when(w.t != 3, [&] { w.barrier(); }); });
    wrong("not all threads come", [](writer& w) {
        w.when(
            w.t < 7, [&] { w.barrier(); }, [&] { w.barrier(); });
    });
    wrong("not all threads come", [](writer& w) {
        w.when(w.t == 5, [&] { w.leave(); });
        w.write(w.b + w.t, w.whole(w.accumulate(code::group_total, {w.sum()}, 4)));
    });
    right([](int i) { return i; }, [](writer& w) {  // but a warp may meet alone
        w.when(w.t < 32, [&] { w.barrier(true); });
        w.write(w.b + w.t, w.element(w.t));
    });
}

TEST(Loops, Totals) {
    const auto total = [](code c, std::int64_t n) {
        return [=](writer& w) {
            const array s = w.declare("s", loops::number_of(dtype::u64), 64, loops::storage::shared);
            const value mine = w.sum(), at = w.retyped(s.at(w.constant(0)), loops::address_of_accumulators(0));
            const value all = c == code::column_total ? w.accumulate(c, {mine, at}, n) : w.accumulate(c, {mine}, n);
            const cell x = w.let("x", w.whole(all));
            w.write(w.b + (w.to(dtype::i32, w.launch(loops::launch_index::thread_y)) * 16 + w.t), x);
        };
    };
    right([](int i) { return i / 4 * 16 + 6; }, total(code::group_total, 4));
    right([](int) { return 63 * 32; }, total(code::block_total, 2));
    const auto dealt = [](std::int64_t count, std::int64_t lanes) {  // number k of a thread is its own and 100 k
        return [=](writer& w) {
            const array all = w.declare("all", loops::accumulator_of(0), count);
            for (std::int64_t k = 0; k < count; ++k) {
                const value n =
                    w.compute(op::add, dtype::i32, dtype::i32, {w.element(w.t), w.whole_number(dtype::i32, 100 * k)});
                w.put(all, k, w.accumulate(code::lifted, loops::accumulator_of(0), {n}));
            }
            const value first = all.at(w.constant(0)), numbers = w.constant(count, dtype::i32);
            w.write(w.b + w.t, w.whole(w.accumulate(code::dealt_total, loops::accumulator_of(0), {first, numbers}, lanes)));
        };
    };
    right([](int i) { return i / 8 * 64 + 28 + 800 * (i % 4); }, dealt(4, 8));
    right([](int i) { return i / 32 * 1024 + 496 + 3200 * (i % 8); }, dealt(8, 32));
    wrong("totals for more lanes than the block has", dealt(8, 4));
    const auto from = [](std::int64_t right_by) {
        return [=](writer& w) {
            const value lane = w.to(dtype::i32, w.launch(loops::launch_index::thread_x) % 32) + right_by;
            const cell mine = w.let("mine", w.element(w.t));
            w.write(w.b + w.t, w.make({.what = code::from_lane, .is = mine.is(), .in = {mine.id, (lane % 32).id}}));
        };
    };
    right([](int i) { return i / 32 * 32 + (i + 5) % 32; }, from(5));
    right([](int i) { return 4 * (i % 16); }, total(code::column_total, 4), {{1, 1, 1}, {16, 4, 1}});
    wrong("two meetings in one statement", [](writer& w) {
        const value one = w.accumulate(code::group_total, {w.sum()}, 4),
                    other = w.accumulate(code::group_total, {w.sum()}, 4);
        w.write(w.b + w.t, w.whole(w.accumulate(code::taken, {one, other})));
    });
    wrong("a total over other warps than there are", total(code::block_total, 4));
    wrong("a total over other rows of threads than there are", total(code::column_total, 8), {{1, 1, 1}, {16, 4, 1}});
    const auto twice = [](bool barrier) {
        return [=](writer& w) {
            w.let("x", w.accumulate(code::block_total, {w.sum()}, 2));
            if (barrier) w.barrier();
            w.write(w.b + w.t, w.whole(w.accumulate(code::block_total, {w.sum()}, 2)));
        };
    };
    wrong("no barrier between them", twice(false));
    right([](int) { return 63 * 32; }, twice(true));
}

// The way of a reduction: sums of all blocks, added up by the last one.
TEST(Loops, TheLastBlockSeesTheOthers) {
    const auto of_blocks = [](bool behind_the_ticket, std::int64_t first) {
        return [=](writer& w) {
            w.when(w.t == 0, [&] { w.write(w.sums + w.block, w.sum()); });
            const value last = w.accumulate(code::last_block, loops::truth_type(), {w.ticket, w.constant(4, dtype::u32)});
            if (behind_the_ticket) w.when(!last, [&] { w.leave(); });
            w.when(w.t < 4, [&] { w.write(w.b + (w.t + first), w.whole(w.read(w.sums + w.t))); });
        };
    };
    const launch_shape blocks{{4, 1, 1}, {32, 1, 1}};
    right([](int) { return 0; }, of_blocks(true, 60), blocks);
    wrong("a race: ", of_blocks(false, 60), blocks);
}

/// A stencil in patches, whose loads share a window of one array; also of a clamped array, with totals.
builder stencil(bool clamped, bool reduces) {
    const auto f = dtype::f32;
    builder b(2, reduces ? schedule_kind::reduce_all : schedule_kind::pointwise);
    b.spec.reduced = reduces ? 2 : 0;
    b.spec.patch_rows = reduces ? 1 : 4;
    b.spec.vector_width = 4;
    constexpr std::int8_t shifts[][2] = {{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    int x = 0;
    for (const auto& shift : shifts) {
        const int next = b.load(f, "s1");
        frit::fusion::access& a = b.spec.loads.back();
        a.window = 1;
        a.alignment = 4;
        for (std::size_t d = 0; d < 2; ++d) a.dims[d].shift = shift[d];
        x = next == 0 ? next : b.apply(op::sub, f, next, x);
    }
    if (clamped) x = b.apply(op::mul, f, x, b.load(f, "cc"));
    b.store(x, "s1");
    b.spec.stores[0].to.alignment = 4;
    if (reduces) b.reduce(op::max, x);
    return b;
}

// All arrays have rows of so many elements; the stencil's begins in the middle of its own.
void compare_patches(const kernel_spec& spec, std::int64_t rows, std::int64_t columns) {
    const std::int64_t width = columns + 8, elements = width * (rows + 2);
    std::vector<std::vector<float>> arrays(3, std::vector<float>(static_cast<std::size_t>(elements) + 16));
    for (std::size_t k = 0; k < arrays[0].size(); ++k) arrays[0][k] = arrays[1][k] = static_cast<float>(k * k % 101);
    const auto at = [&](std::size_t k) {
        const auto p = reinterpret_cast<std::uint64_t>(arrays[k].data());
        return (p + 15) / 16 * 16 + (static_cast<std::uint64_t>(width) + 4) * sizeof(float);
    };
    const frit::fusion::word_map map(spec);
    std::vector<std::uint64_t> words(map.layout.size);
    std::vector<float> total(1);
    const auto fill = [&](const frit::fusion::access& a, const std::vector<frit::fusion::dim_words>& places,
                          std::uint64_t to) {
        words[map.layout.pointers + a.pointer] = to;
        for (std::size_t d = 0; d < 2; ++d) {
            const auto last = static_cast<std::uint64_t>((d == 0 ? rows : columns) - 1);
            words[map.layout.extents + d] = last + 1;
            if (a.dims[d].stride == stride_class::runtime)
                words[places[d].stride] = d == 0 ? static_cast<std::uint64_t>(width) : 1;
            if (!a.dims[d].clamped) continue;
            words[places[d].step] = words[places[d].shift] = 1;  // one further, up to the end
            words[places[d].hi] = last;
            words[map.layout.unclamped + 2 * d + 1] = last - 1;
        }
    };
    for (std::size_t k = 0; k < spec.loads.size(); ++k) {
        const auto& dims = spec.loads[k].dims;
        const std::int64_t moved = dims[0].shift * width + dims[1].shift;
        fill(spec.loads[k], map.loads[k], spec.loads[k].window ? at(0) + static_cast<std::uint64_t>(4 * moved) : at(1));
    }
    fill(spec.stores[0].to, map.stores[0], at(2));
    for (const auto& s : spec.row_stores)
        words[map.layout.pointers + s.to.pointer] = reinterpret_cast<std::uint64_t>(&total[0]);

    std::vector<memory_block> memory;
    for (const auto* v : {&arrays[0], &arrays[1], &arrays[2], &total})
        memory.push_back({reinterpret_cast<const char*>(v->data()), v->size() * sizeof(float)});
    std::vector<std::uint64_t> scratch;
    run_interpreted(gpu_loops(spec, "k"), spec, words, emulated_target(), memory, scratch, 5);
    const std::vector<float> got = arrays[2], got_total = total;
    auto& cpu = frit::detail::cpu_backend();
    cpu.launch(*cpu.prepare(spec), spec, words);
    EXPECT_EQ(got, arrays[2]) << to_string(spec);
    EXPECT_EQ(got_total, total) << to_string(spec);
}

TEST(Loops, PatchesGiveWhatTheInterpreterGives) {
    for (const bool clamped : {false, true})
        for (const bool reduces : {false, true})
            for (const auto& [rows, columns] : {std::pair{37, 68}, {8, 4}, {3, 520}})
                compare_patches(stencil(clamped, reduces).spec, rows, columns);
}

/// The schedules of the list in gpu.cpp, by their names.
std::set<std::string> listed_schedules() {
    const std::string path = FRIT_TEST_SOURCE_DIR "/../fusion/schedules/gpu/gpu.cpp";
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::regex entry("&gpu::(\\w+)_schedule\\b");
    std::set<std::string> names;
    for (std::sregex_iterator k(text.begin(), text.end(), entry), end; k != end; ++k) names.insert((*k)[1]);
    return names;
}

// What is run by the interpreter here, in test_rows.cpp, test_rows_once.cpp and test_transposes.cpp, and where the emulator
// is.
TEST(Loops, EveryScheduleIsRun) {
    std::set<std::string> schedules;
    for (const auto& list : {every_op(),
                             every_layout(),
                             specs_of(every_row_class()),
                             specs_of(every_ordered_row()),
                             {stencil(false, false).spec, sum_with_transposed(dtype::f32, 2, {1, 0}, 1).spec},
                             every_tally(),
                             every_column_sum()})
        for (const kernel_spec& spec : list) schedules.insert(std::string(frit::fusion::gpu_schedule_of(spec).name));
    EXPECT_GE(schedules.size(), 13U);
    EXPECT_EQ(schedules, listed_schedules()) << "a schedule without a spec here, or one whose name is not its variable's";
}

}  // namespace
