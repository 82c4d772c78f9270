// Tiled transposes, as specs written by hand: what the text gives on the emulated GPU, and on a real one where there is one,
// is bit for bit what the interpreter gives. The planner's part is tested in tests/differential/test_transposes.cpp.
#include <gtest/gtest.h>

#include <algorithm>

#include "fusion/schedules/gpu/transpose_shape.hpp"
#include "tests/cuda/batch.hpp"
#include "tests/cuda/on_device.hpp"
#include "tests/cuda/run_spec.hpp"
#include "tests/cuda/spec_lists.hpp"
#include "tests/cuda/transpose_specs.hpp"
#include "tests/support/values.hpp"

namespace {

using namespace frit_test;
using frit::detail::backend;

std::vector<operand> operands_of(const transposed& c, const std::vector<std::int64_t>& extents) {
    std::vector<operand> all(c.spec.pointers);
    const auto make = [&](const frit::fusion::access& a, bool random) {
        operand& o = all[a.pointer];
        if (!o.strides.empty()) return;
        o.strides.resize(c.spec.rank);
        std::int64_t size = 1;
        const axes& order = c.orders[a.pointer];
        for (auto d = order.rbegin(); d != order.rend(); ++d) {
            o.strides[static_cast<std::size_t>(*d)] = size;
            size *= extents[static_cast<std::size_t>(*d)];
        }
        for (const std::int64_t e : extents) {  // where it is clamped: one up, and one less than there is
            o.step.push_back(1);
            o.shift.push_back(1);
            o.lo.push_back(0);
            o.hi.push_back(e - 1);
        }
        o.bytes.resize(static_cast<std::size_t>(size) * frit::size_of(a.type));
        generator g(77 + a.pointer);
        for (std::int64_t k = 0; random && k < size; ++k) {
            const auto value = g.between(0, a.type == dtype::bool_ ? 1 : 100);
            const auto at = static_cast<std::size_t>(k) * frit::size_of(a.type);
            const auto put = [&](auto x) { std::memcpy(o.bytes.data() + at, &x, sizeof x); };
            if (a.type == dtype::f32)
                put(static_cast<float>(value));
            else if (a.type == dtype::f64)
                put(static_cast<double>(value));
            else
                std::memcpy(o.bytes.data() + at, &value, frit::size_of(a.type));
        }
    };
    for (const frit::fusion::access& a : c.spec.loads) make(a, true);
    for (const auto& s : c.spec.stores) make(s.to, false);
    return all;
}

void compare(backend& gpu, const transposed& c, const std::vector<std::int64_t>& extents) {
    const std::vector<operand> operands = operands_of(c, extents);
    std::vector<std::int64_t> coords;
    for (std::size_t k = 0; k < c.spec.coords.size(); ++k) coords.insert(coords.end(), {2, 1});
    std::vector<std::uint64_t> scalars(c.spec.scalars.size(), word_of(3.0F));
    prepared_run a(gpu, c.spec, extents, operands, scalars, coords);
    prepared_run b(frit::detail::cpu_backend(), c.spec, extents, operands, scalars, coords);
    a.launch();
    b.launch();
    for (const auto& s : c.spec.stores)
        ASSERT_EQ(a.result(s.to.pointer).bytes, b.result(s.to.pointer).bytes)
            << "of " << testing::PrintToString(extents) << "\n"
            << to_string(c.spec);
}

class TransposesRun : public frit_test::on_device {
protected:
    void check(const std::vector<transposed>& cases, const std::vector<std::vector<std::int64_t>>& extents) {
        std::vector<kernel_spec> specs;
        for (const transposed& c : cases) specs.push_back(c.spec);
        if (auto* emulator = dynamic_cast<cuda_emulator*>(device)) emulator->compile(specs);
        for (const transposed& c : cases)
            for (const auto& e : extents) compare(*device, c, e);
    }
};
INSTANTIATE_TEST_SUITE_P(, TransposesRun, ::testing::Values("interpreted", "emulated", "cuda"),
                         [](const auto& p) { return std::string(p.param); });

TEST_P(TransposesRun, EveryDtype) {
    for (const bool wide : {false, true}) {
        std::vector<transposed> cases;
        for (dtype t : all_types) cases.push_back(sum_with_transposed(t, 2, {1, 0}, wide ? widest(t) : 1));
        check(cases, wide ? std::vector<std::vector<std::int64_t>>{{4, 4}, {64, 64}, {68, 132}, {132, 40}}
                          : std::vector<std::vector<std::int64_t>>{{1, 1}, {32, 32}, {33, 130}, {130, 31}});
    }
}

// Whatever is left over at the right and at the bottom.
TEST_P(TransposesRun, EveryExtent) {
    std::vector<std::vector<std::int64_t>> by_one, by_four;
    for (std::int64_t k = 1; k <= 130; ++k) {
        for (const auto& e : {std::vector{k, 131 - k}, std::vector{k, std::int64_t{33}}, std::vector{std::int64_t{65}, k}})
            by_one.push_back(e);
        for (const std::int64_t other : {4, 64, 68})
            if (k % 4 == 0) by_four.insert(by_four.end(), {{k, other}, {other, k}});
    }
    check({sum_with_transposed(dtype::f32, 2, {1, 0}, 1)}, by_one);
    check({sum_with_transposed(dtype::f32, 2, {1, 0}, 4)}, by_four);
}

TEST_P(TransposesRun, EveryPermutation) {
    for (const int rank : {3, 4}) {
        std::vector<transposed> cases;
        axes order(static_cast<std::size_t>(rank));
        std::iota(order.begin(), order.end(), 0);
        do {
            if (order.back() == rank - 1) continue;
            for (const unsigned vector : {1U, 4U}) cases.push_back(sum_with_transposed(dtype::f32, rank, order, vector));
            cases.push_back(sum_with_transposed(dtype::f64, rank, order, 2));
            cases.back().spec.index64 = true;
        } while (std::next_permutation(order.begin(), order.end()));
        check(cases, rank == 3 ? std::vector<std::vector<std::int64_t>>{{4, 8, 4}, {8, 68, 36}, {68, 4, 72}}
                               : std::vector<std::vector<std::int64_t>>{{4, 8, 12, 4}, {8, 4, 36, 40}});
    }
}

std::vector<transposed> mixtures() {
    const auto f = dtype::f32;
    std::vector<transposed> cases;
    for (const unsigned vector : {1U, 4U}) {
        {  // results both ways, of two operands that lie both ways
            transposed c(2, 0, vector);
            const int x = c.in(f, {0, 1}), y = c.in(f, {1, 0}), sum = c.apply(op::add, f, x, y);
            c.out(sum, {0, 1});
            c.out(c.apply(op::mul, f, sum, y), {1, 0});
            cases.push_back(c);
        }
        {  // in place, both ways
            transposed c(2, 0, vector);
            const int x = c.in(f, {0, 1}), y = c.in(f, {1, 0}), sum = c.apply(op::add, f, x, y);
            c.over(sum, 0);
            c.over(c.apply(op::mul, f, sum, y), 1);
            cases.push_back(c);
        }
        {  // nothing lies along the last dimension
            transposed c(2, 0, vector);
            const int x = c.in(f, {1, 0}), y = c.in(f, {1, 0});
            c.out(c.apply(op::add, f, x, y), {1, 0});
            cases.push_back(c);
        }
        {  // the result alone lies across
            transposed c(2, 0, vector);
            c.out(c.apply(op::neg, f, c.in(f, {0, 1})), {1, 0});
            cases.push_back(c);
        }
        {  // more operands than shared memory holds, and a result for which there is none
            transposed c(2, 0, vector);
            int x = c.in(f, {0, 1});
            for (int k = 0; k < 13; ++k) {
                const int y = c.in(f, {1, 0});
                x = c.apply(k % 2 ? op::sub : op::add, f, x, y);
            }
            c.out(x, {0, 1});
            c.out(x, {0, 1});
            c.out(x, {1, 0});
            cases.push_back(c);
        }
        {  // so long a body that a thread does not read all of its operands first
            transposed c(2, 0, vector);
            const int x = c.in(f, {0, 1}), y = c.in(f, {1, 0}), row = c.in(f, {1});
            int sum = c.apply(op::add, f, x, y);
            for (int k = 0; k < 400; ++k) sum = c.apply(op::sub, f, k % 2 ? x : row, sum);
            c.over(sum, 0);
            cases.push_back(c);
        }
        {  // a row, a column, a number, edges, coordinates, and a dimension that both only run through
            transposed c(3, 1, vector);
            const int y = c.in(f, {2, 0, 1}), row = c.in(f, {2}), column = c.in(f, {0, 1}), one = c.in(f, {}),
                      z = c.in(f, {1, 2, 0}), edge = c.in(f, {0, 1, 2}), s = c.scalar(f);
            for (auto& d : c.spec.loads[5].dims) d = {stride_class::runtime, true};
            for (auto& d : c.spec.loads[5].dims) d.clamped = &d != &c.spec.loads[5].dims[0];
            int sum = c.apply(op::add, f, y, row);
            for (int k : {column, one, z, edge, s}) sum = c.apply(op::add, f, sum, k);
            for (int d : {0, 1, 2}) sum = c.apply(op::add, f, sum, c.apply(op::cast, f, c.coord(dtype::i64, d)));
            c.out(sum, {0, 1, 2});
            cases.push_back(c);
        }
    }
    // Bytes transposed beside doubles, and results of both widths.
    for (const unsigned vector : {1U, 2U}) {
        transposed c(2, 0, vector);
        const int x = c.in(dtype::f64, {0, 1}), y = c.in(dtype::u8, {1, 0}), z = c.in(dtype::i16, {1, 0}),
                  y64 = c.apply(op::cast, dtype::f64, y), z64 = c.apply(op::cast, dtype::f64, z);
        c.out(c.apply(op::add, dtype::f64, x, c.apply(op::mul, dtype::f64, y64, z64)), {0, 1});
        c.out(y, {0, 1});
        c.out(z, {1, 0});
        cases.push_back(c);
    }
    return cases;
}

TEST_P(TransposesRun, MixturesOfAccesses) {
    const std::vector<transposed> all = mixtures();
    std::vector<transposed> plane, space;
    for (const transposed& c : all) (c.spec.rank == 2 ? plane : space).push_back(c);
    check(plane, {{4, 4}, {64, 132}, {68, 32}});
    check(space, {{4, 8, 4}, {8, 68, 36}});
}

TEST(Transposes, Compile) {
    FRIT_NEEDS_NVRTC();
    std::vector<kernel_spec> specs;
    for (dtype t : all_types)
        for (const unsigned vector : {1U, widest(t)})
            for (const bool wide : {false, true}) {
                specs.push_back(sum_with_transposed(t, 3, {0, 2, 1}, vector).spec);
                specs.back().index64 = wide;
            }
    for (const transposed& c : mixtures()) specs.push_back(c.spec);
    FRIT_EXPECT_COMPILES(texts_of(specs), 90);
}

// The results' neighbours are computed together, and shared memory has an end.
TEST(Transposes, WhatIsTurnedFollowsFromTheSpec) {
    const std::vector<transposed> all = mixtures();
    const auto shape = [&](std::size_t k) { return frit::fusion::transpose_shape_of(all[k].spec); };
    EXPECT_EQ(shape(0).along, 1U);
    EXPECT_EQ(shape(0).transposed_loads, (std::vector<bool>{false, true}));
    EXPECT_EQ(shape(0).transposed_stores, (std::vector<bool>{false, true}));
    for (const std::size_t k : {2U, 3U}) EXPECT_EQ(shape(k).along, 0U);
    EXPECT_EQ(shape(2).transposed_loads, (std::vector<bool>{false, false}));
    EXPECT_EQ(shape(3).transposed_loads, (std::vector<bool>{true}));
    for (const std::size_t k : {4U, 11U}) {
        const auto s = shape(k);
        const auto transposed = std::count(s.transposed_loads.begin(), s.transposed_loads.end(), true);
        EXPECT_GT(transposed, 0);
        EXPECT_LE(transposed * s.rows * s.columns * 4, 48 << 10);
        EXPECT_FALSE(s.transposed_stores[2]);
    }
}

}  // namespace
