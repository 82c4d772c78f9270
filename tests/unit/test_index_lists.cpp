// x(list) with indices that are made at run time: what x(i, j, ...) gives, reading and assigning, and its errors.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <span>
#include <vector>

#include <frit/frit.hpp>

#include "tests/support/kernels.hpp"

namespace {

using frit::all;
using frit::array;
using frit::ellipsis;
using frit::newaxis;
using frit::none;
using frit::shape;
using frit::slice;
using list = std::vector<frit::index>;

array<int> counted(const shape& extents) { return frit::arange(static_cast<int>(extents.size())).reshape({extents}); }

template <class A, class B>
void expect_same(const A& a, const B& b) {
    EXPECT_EQ(a.shape(), b.shape());
    EXPECT_EQ(a.to_vector(), b.to_vector());
}

TEST(IndexLists, ReadWhatTheArgumentsWouldRead) {
    const array<int> x = counted({3, 4, 5});
    expect_same(x(list{1}), x(1));
    expect_same(x(list{-1, 2, 3}), x(-1, 2, 3));
    expect_same(x(list{all, slice(1, none, 2)}), x(all, slice(1, none, 2)));
    expect_same(x(list{ellipsis, newaxis, 0}), x(ellipsis, newaxis, 0));
    expect_same(x(list{slice(none, none, -1), ellipsis, slice(0, 2)}), x(slice(none, none, -1), ellipsis, slice(0, 2)));
    expect_same(x(list{}), x);
    expect_same(frit::scalar(7)(list{}), frit::scalar(7));
    expect_same(frit::scalar(7)(list{newaxis}), frit::scalar(7)(newaxis));
    expect_same((x + x)(list{2, all, 0}), (x + x)(2, all, 0));
    const std::array<frit::index, 2> fixed{0, std::size_t{1}};
    expect_same(x(fixed), x(0, 1));
    expect_same(x(std::span(fixed).first(1)), x(0));
    array<int> variable = x;
    expect_same(variable(list{1, all, 2}), x(1, all, 2));
}

TEST(IndexLists, WhatTheMessageForArraysOfIndicesSaysToWrite) {
    const array<double> x{5, NAN, INFINITY, 8};
    const array<std::int64_t> i{3, 0, 0, 2};
    EXPECT_EQ(sum(where(i(all, newaxis) == frit::arange<int>(4), x, 0), 1).to_vector(),
              (std::vector<double>{8, 5, 5, INFINITY}));
}

TEST(IndexLists, AreViewsThatFuse) {
    array<int> x = counted({64, 64});
    x.eval();
    array<int> y = x(list{slice(1, none)}) - x(list{slice(none, -1)});
    EXPECT_KERNELS(1, y);
    expect_same(y, x(slice(1, none)) - x(slice(none, -1)));
}

TEST(IndexLists, AreAssignedTo) {
    array<int> u = counted({3, 4}), v = u;
    const array<int> before = u;
    u(list{1, slice(0, 2)}) = 50;
    v(1, slice(0, 2)) = 50;
    expect_same(u, v);
    u(list{all, -1}) += array<int>{1, 2, 3};
    v(all, -1) += array<int>{1, 2, 3};
    expect_same(u, v);
    u(list{slice(1, none)}) = u(list{slice(none, -1)});
    v(slice(1, none)) = v(slice(none, -1));
    expect_same(u, v);
    u(list{}) = 7;
    expect_same(u, frit::full({3, 4}, 7));
    expect_same(before, counted({3, 4}));
    array<int> one = frit::scalar(1);
    one(list{}) = 2;
    EXPECT_EQ(one.item(), 2);
}

TEST(IndexLists, AssignedInPlace) {
    array<float> u = frit::zeros<float>({1000, 1000});
    u.eval();
    frit::reset_stats();
    u(list{0, all}) = 1.0F;
    u.eval();
    EXPECT_EQ(frit::stats().bytes_written, 4000U);
}

TEST(IndexLists, GiveTheErrorsOfTheArguments) {
    array<float> x = frit::zeros<float>({2, 3});
    EXPECT_ERROR((void)x(list{0, 3}), frit::index_error, "index 3 is out of range for axis 1 with extent 3", "(2, 3)",
                 "test_index_lists.cpp:" + std::to_string(__LINE__ - 1));
    EXPECT_ERROR((void)x(list{0, 0, 0}), frit::index_error, "3 indices for rank 2");
    EXPECT_ERROR((void)x(list{ellipsis, ellipsis}), frit::index_error, "more than one ellipsis");
    EXPECT_ERROR((void)x(list{slice(0, 1, 0)}), frit::index_error, "step");
    EXPECT_ERROR((void)(x + x)(list{5}), frit::index_error, "index 5", "test_index_lists.cpp");
    EXPECT_ERROR(x(list{5}) = 1.0F, frit::index_error, "index 5", "test_index_lists.cpp");
    EXPECT_ERROR(x(list{0}) = frit::ones<float>(4), frit::shape_error, "(4,)", "test_index_lists.cpp");
    EXPECT_ERROR((void)x(list(17, newaxis)), frit::shape_error, "16");
    EXPECT_ERROR((void)array<float>()(list{0}), frit::error, "test_index_lists.cpp");
}

}  // namespace
