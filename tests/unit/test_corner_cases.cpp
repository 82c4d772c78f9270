// Cases that a review or a random program found once: each stands for a rule that several parts must keep together (keys
// with lengths, clamped coordinates, overlapping memory, owners, sizes).
#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <vector>

#include "frit/frit.hpp"

namespace {

using frit::array;
using frit::none;
using frit::slice;

array<int> ten() { return frit::arange<int>(10); }

// The same values, once as two outputs and once into the caller's memory: two plans, told apart by their keys.
TEST(CornerCases, OutputsAndExternalOutputsHaveDifferentKeys) {
    const auto x = frit::from_host(std::vector<float>{1, 2, 3, 4}, {4});
    auto make = [&](array<float>& s, array<float>& t) {
        s = frit::sum(x);
        t = abs(sqrt(exp(log(s))));
    };
    array<float> s, t, s2, t2;
    make(s, t);
    frit::eval(t, s);
    make(s2, t2);
    float into = -1;
    frit::eval_into(frit::out(&into, frit::shape{}), t2);
    EXPECT_EQ(into, t.item());
}

// An edge pad above a reshape above a slice of indices: the slice's offset and step stand outside the clamp.
TEST(CornerCases, PaddedCoordinatesKeepOffsetAndStep) {
    const array<int> sliced = pad(ten()(slice(2, 8)).reshape({6, 1}), {{1, 1}, {0, 0}}, frit::pad_mode::edge);
    EXPECT_EQ(sliced.to_vector(), (std::vector<int>{2, 2, 3, 4, 5, 6, 7, 7}));
    const array<int> stepped = pad(ten()(slice(none, none, 2)).reshape({5, 1}), {{1, 1}, {0, 0}}, frit::pad_mode::edge);
    EXPECT_EQ(stepped.to_vector(), (std::vector<int>{0, 0, 2, 4, 6, 8, 8}));
    const array<int> flipped = pad(ten()(slice(none, none, -1)).reshape({1, 10}), {{0, 0}, {1, 1}}, frit::pad_mode::edge);
    EXPECT_EQ(flipped.to_vector(), (std::vector<int>{9, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0}));
}

TEST(CornerCases, ADiagonalOfAPaddedArrayIsEvaluated) {
    const auto x = frit::from_host(std::vector<float>{1, 2, 3, 4}, {2, 2});
    const array<float> y(diagonal(pad(x, {{1, 1}}, frit::pad_mode::edge)));
    EXPECT_EQ(y.to_vector(), (std::vector<float>{1, 1, 4, 4}));
}

// The destination is the source: read backwards, written forwards.
TEST(CornerCases, EvalIntoItsOwnBorrowedMemory) {
    frit::scoped_device cpu(frit::device::cpu());
    std::vector<float> v{0, 1, 2, 3, 4, 5, 6, 7};
    const auto reversed = frit::borrow(v.data() + 7, {8}, 0, {-1});
    frit::eval_into(frit::out(v.data(), {8}), reversed);
    EXPECT_EQ(v, (std::vector<float>{7, 6, 5, 4, 3, 2, 1, 0}));
    const auto again = frit::borrow(v.data() + 7, {8}, 0, {-1});
    frit::eval_into(frit::out(v.data(), {8}), again * 2.F);
    EXPECT_EQ(v, (std::vector<float>{0, 2, 4, 6, 8, 10, 12, 14}));
}

TEST(CornerCases, WrongNumberOfStridesIsAnError) {
    std::vector<float> memory(6);
    EXPECT_THROW(frit::eval_into(frit::out(memory.data(), {2, 3}, {1}), frit::full({2, 3}, 1.F)), frit::shape_error);
    EXPECT_THROW(frit::borrow(memory.data(), {2, 3}, 0, {3}), frit::shape_error);
}

TEST(CornerCases, MoreElementsThanCanBeAddressedIsAnError) {
    EXPECT_THROW(frit::zeros<float>({1LL << 62}), frit::shape_error);
    EXPECT_THROW(frit::zeros<float>({1LL << 32, 1LL << 32}), frit::shape_error);
    const auto column = frit::zeros<float>({1LL << 31, 1}), row = frit::zeros<float>({1, 1LL << 31});
    EXPECT_THROW((array<float>(column + row)), frit::shape_error);
}

// The destructor of a borrowed array's owner is the user's code: it may evaluate.
TEST(CornerCases, AnOwnerMayUseFritWhenItDies) {
    frit::scoped_device cpu(frit::device::cpu());
    struct owner {
        std::vector<float> memory{1, 2, 3, 4};
        array<float> other = frit::full({3}, 2.F);
        float* seen;
        explicit owner(float* s) : seen(s) {}
        ~owner() { *seen = frit::sum(other * 2.F).item(); }
    };
    float seen = 0;
    auto o = std::make_shared<owner>(&seen);
    auto x = frit::borrow(o->memory.data(), {4}, o);
    o.reset();
    array<float> y = x + 1.F;
    x = {};
    y.eval();
    EXPECT_EQ(seen, 12.F);
    EXPECT_EQ(y.to_vector(), (std::vector<float>{2, 3, 4, 5}));
}

// a*b + c*d is contracted by its own structure, whatever else the plan computes.
TEST(CornerCases, ContractionDoesNotDependOnThePlan) {
    const array<float> i = frit::arange<float>(0, 1000);
    const array<float> a = sin(i), b = cos(i), c = sin(i + 5.F), d = cos(i + 3.F);
    frit::eval(a, b, c, d);
    const array<float> alone = a * b + c * d;
    const auto bits = alone.to_vector();
    const array<float> other = c * d + a * b, together = a * b + c * d;
    frit::eval(other, together);
    EXPECT_EQ(together.to_vector(), bits);
}

// Limits hold for what is emitted: an array read through many views by many readers is stored before that.
TEST(CornerCases, InliningThroughViewsKeepsTheLimitOfPointers) {
    std::vector<array<float>> leaves;
    for (int k = 0; k < 20; ++k) leaves.push_back(frit::full({40}, static_cast<float>(k)).eval());
    array<float> total = leaves[0];
    for (int k = 1; k < 20; ++k) total = total + leaves[static_cast<std::size_t>(k)];
    array<float> y = total(slice(0, 28));
    for (int k = 1; k < 12; ++k) y = y + total(slice(k, k + 28));
    EXPECT_EQ(frit::make_plan(y).kernels().size(), 2U);  // inlined, it would be one kernel with 240 inputs
    EXPECT_EQ(y.to_vector(), std::vector<float>(28, 190.F * 12));
}

// Two reshapes in a chain that each need their operand in memory: what is in memory already is no reason to refuse.
TEST(CornerCases, ChainsOfReshapes) {
    const array<int> m = frit::arange<int>(24).reshape({4, 6});
    const array<int> once = m.T().reshape({3, 8}), twice = once.T().reshape({24});
    const array<int> in_steps = frit::from_host(once.to_vector(), {3, 8}).T().reshape({24});
    EXPECT_EQ(twice.to_vector(), in_steps.to_vector());
    EXPECT_EQ((m.T().reshape({3, 8}).T().reshape({24}) + 1).to_vector(), (in_steps + 1).to_vector());
    EXPECT_EQ(frit::sum(m.T().reshape({3, 8}).T().reshape({24}), 0).item(), 23 * 12);
    array<int> lazy = frit::arange<int>(64).reshape({8, 8}), eager = lazy;
    for (int k = 0; k < 40; ++k) {
        lazy = lazy.T().reshape({4, 16}).reshape({8, 8}) + 1;
        eager = eager.T().reshape({4, 16}).reshape({8, 8}) + 1;
        eager.eval();
    }
    EXPECT_EQ(lazy.to_vector(), eager.to_vector());
}

// What is made of one total, once per row, is read at another row beside a second total of the rows: no kernel can do that.
TEST(CornerCases, WhatIsMadeOfATotalIsReadAtAnotherRow) {
    const array<double> x = frit::arange<double>(40).reshape({8, 5});
    x.eval();
    const array<double> sums = frit::sum(x, 1), largest = frit::max(x, 1);
    frit::eval(sums, largest);
    const array<double> flipped = sums + frit::flip(largest * 2.0);
    EXPECT_EQ((frit::sum(x, 1) + frit::flip(frit::max(x, 1) * 2.0)).to_vector(), flipped.to_vector());
    // rows of one element: what is made of a total has the shape of what it is made from
    const array<double> thin = frit::arange<double>(8).reshape({8, 1}), most = frit::max(thin, 1, frit::keepdims);
    frit::eval(thin, most);
    EXPECT_EQ((frit::sum(thin, 1, frit::keepdims) + frit::flip(frit::max(thin, 1, frit::keepdims) * 2.0, {0})).to_vector(),
              (thin + frit::flip(most * 2.0, {0})).to_vector());
    // centring a square matrix: the means of the rows stand along the columns
    const array<double> k = frit::sin(frit::arange<double>(36).reshape({6, 6}));
    const array<double> d = exp(k),
                        centred = (d - frit::mean(d, 1)(frit::newaxis, frit::all)) - frit::mean(k, 1, frit::keepdims);
    const array<double> e = exp(k), means = frit::mean(e, 1), of_k = frit::mean(k, 1, frit::keepdims);
    frit::eval(e, means, of_k);
    const array<double> expected = (e - means(frit::newaxis, frit::all)) - of_k;
    const std::vector<double> got = centred.to_vector(), want = expected.to_vector();
    for (std::size_t i = 0; i < want.size(); ++i) EXPECT_NEAR(got[i], want[i], 1e-14);
}

// The imaginary part of an integer is a 0 that compilers know of, and so is what is made of it: NVRTC folded wrongly.
TEST(CornerCases, WhatACompilerKnows) {
    const array<int> zero = frit::imag(frit::scalar(64));
    const array<double> low = frit::logb(zero), high = frit::proj(low);
    const array<float> narrow = frit::proj(frit::logb(frit::cast<float>(zero)));
    const array<bool> infinite = frit::isinf(low), finite = frit::isfinite(low), no_number = frit::isnan(low);
    frit::eval(low, high, narrow, infinite, finite, no_number);
    EXPECT_EQ(low.item(), -std::numeric_limits<double>::infinity());
    EXPECT_EQ(high.item(), std::numeric_limits<double>::infinity());
    EXPECT_EQ(narrow.item(), std::numeric_limits<float>::infinity());
    EXPECT_TRUE(infinite.item());
    EXPECT_FALSE(finite.item());
    EXPECT_FALSE(no_number.item());
}

}  // namespace
