// Cases that a review or a random program found once: each stands for a rule that several parts must keep together (keys
// with lengths, clamped coordinates, overlapping memory, owners, sizes).
#include <gtest/gtest.h>

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

}  // namespace
