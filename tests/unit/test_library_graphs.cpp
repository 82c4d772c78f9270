// Library ops as the planner sees them, by a description made here: any number of operands, several results of one call, and
// memory for those alone that are asked for.
#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <vector>

#include "fusion/ir/library_op.hpp"
#include "fusion/plan.hpp"
#include "src/engine/backend.hpp"

namespace {

using frit::dtype;
using frit::op;
using namespace frit::fusion;

const frit::shape* like_the_first(int, std::span<const frit::shape* const> operands, shape_set&) { return operands[0]; }

/// The results that rows of ops.def number 0 and 1, and one more that has no row.
const library_op described{.name = "described",
                           .results = 3,
                           .shape_of = like_the_first,
                           .misfit = [](std::span<const frit::shape>) { return std::string_view("does not fit"); },
                           .reads = reads_row_major};
const library_op other = described;

graph of_leaves(int count, std::vector<value_id>& leaves) {
    graph g;
    g.statement_starts.push_back(0);
    for (int k = 0; k < count; ++k)
        leaves.push_back(g.add_leaf(dtype::f32, frit::shape{6}, {.strides = {}, .buffer = static_cast<std::uint32_t>(k)}));
    return g;
}

execution_plan planned(graph& g, bool fuse = true) { return make_plan(g, frit::detail::cpu_backend().target(), fuse); }

TEST(OperandList, AnyNumber) {
    for (std::size_t n = 0; n < 9; ++n) {
        std::vector<value_id> ids(n);
        std::iota(ids.begin(), ids.end(), 7U);
        const operand_list list{std::span<const value_id>(ids)};
        EXPECT_TRUE(std::equal(list.begin(), list.end(), ids.begin(), ids.end()));
        EXPECT_EQ(list.size(), static_cast<int>(n));
        operand_list copy = list, moved = std::move(copy);
        EXPECT_EQ(moved, list);
        copy = moved;
        EXPECT_EQ(copy, list);
        if (n == 0) continue;
        copy[static_cast<int>(n) - 1] = 1;
        EXPECT_NE(copy, list);
        EXPECT_EQ(moved, list) << "a copy's elements are its own";
        copy = operand_list{3};
        EXPECT_EQ(copy[0], 3U);
    }
    EXPECT_EQ(sizeof(operand_list), 16U);
}

TEST(LibraryGraphs, ACallOfFiveOperands) {
    std::vector<value_id> in;
    graph g = of_leaves(5, in);
    g.outputs = {g.add_library(op::sort, described, in)};
    EXPECT_EQ(g.add_library(op::sort, described, in), g.outputs[0]) << "equal values are one";
    std::swap(in[3], in[4]);
    EXPECT_NE(g.add_library(op::sort, described, in), g.outputs[0]);
    const execution_plan p = planned(g);
    ASSERT_EQ(p.launches.size(), 1U);
    const library_call& c = *p.launches[0].call;
    EXPECT_EQ(c.of, &described);
    EXPECT_EQ(c.operands.size(), 5U);
    for (const call_operand& x : c.operands) EXPECT_EQ(x, (call_operand{dtype::f32, frit::shape{6}, {1}}));
    EXPECT_EQ(p.bytes_read(), 5 * 6 * 4);
    EXPECT_EQ(p.bytes_written(), 6 * 4);
    ASSERT_EQ(p.launches[0].pointers.size(), 6U);
    for (std::uint32_t k = 0; k < 5; ++k) EXPECT_EQ(p.launches[0].pointers[k].memory, (memory_ref{true, k}));
}

TEST(LibraryGraphs, ResultsThatAreAskedForAreOneCall) {
    std::vector<value_id> in;
    graph g = of_leaves(4, in);
    g.outputs = {g.add_library(op::argsort, described, in), g.add_library(op::sort, described, in)};
    const execution_plan p = planned(g);
    ASSERT_EQ(p.launches.size(), 1U);
    const std::vector<call_result>& results = p.launches[0].call->results;
    ASSERT_EQ(results.size(), 3U);
    EXPECT_EQ(results[0], (call_result{true, dtype::f32, frit::shape{6}}));
    EXPECT_EQ(results[1], (call_result{true, dtype::i64, frit::shape{6}}));
    EXPECT_FALSE(results[2].asked);
    EXPECT_EQ(p.storages.size(), 2U);
    EXPECT_EQ(p.bytes_read(), 4 * 6 * 4);
    EXPECT_EQ(p.bytes_written(), 6 * 4 + 6 * 8);
    ASSERT_EQ(p.launches[0].pointers.size(), 6U);
    EXPECT_EQ(p.launches[0].pointers[4].memory, p.outputs[1].memory) << "operands, then results as they are numbered";
    EXPECT_EQ(p.launches[0].pointers[5].memory, p.outputs[0].memory);
}

TEST(LibraryGraphs, ResultsOfOtherCallsAreNot) {
    std::vector<value_id> in;
    graph g = of_leaves(3, in);
    const value_id a = g.add_library(op::sort, described, in);
    const value_id of_another = g.add_library(op::argsort, other, in);
    std::swap(in[0], in[2]);
    const value_id elsewhere = g.add_library(op::argsort, described, in);
    g.outputs = {a, of_another, elsewhere};
    EXPECT_EQ(planned(g).launches.size(), 3U);
}

TEST(LibraryGraphs, WithoutFusionEveryResultIsACall) {
    std::vector<value_id> in;
    graph g = of_leaves(1, in);
    g.outputs = {g.add_library(op::argsort, described, in), g.add_library(op::sort, described, in)};
    EXPECT_EQ(planned(g, false).launches.size(), 2U);
}

}  // namespace
