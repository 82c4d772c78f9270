// Host views in and out: spans, containers and mdspan-like views share memory with arrays, and what must be kept is kept.
#include <gtest/gtest.h>

#include <array>
#include <initializer_list>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <frit/frit.hpp>

#include "tests/support/small_mdspan.hpp"

namespace {

using frit::array;
constexpr std::size_t any = std::dynamic_extent;
using matrix_extents = small::extents<any, any>;

std::vector<float> counted(std::size_t n) {
    std::vector<float> v(n);
    std::iota(v.begin(), v.end(), 0.0F);
    return v;
}

/// Counts its copies that are alive.
struct owner {
    std::shared_ptr<int> token;
};

class HostView : public testing::Test {
protected:
    frit::scoped_device cpu_{frit::device::cpu()};
};

TEST_F(HostView, ASpanInIsReadInPlace) {
    std::vector<float> v = counted(6);
    const array<float> x = frit::borrow(std::span<const float>(v));
    EXPECT_EQ(x.shape(), frit::shape(6));
    EXPECT_EQ(static_cast<const void*>(x.span().data()), v.data());
    EXPECT_EQ(frit::sum(x).item(), 15);
    const array<float> all = frit::borrow(v);  // a container that stays where it is: the same
    EXPECT_EQ(all.span().data(), v.data());
    int c_array[] = {1, 2, 3};
    EXPECT_EQ(frit::borrow(c_array).span().data(), c_array);
    EXPECT_EQ(frit::borrow(std::span(c_array).subspan(1)).to_vector(), (std::vector<int>{2, 3}));
}

TEST_F(HostView, ABorrowedSpanIsNeverWritten) {
    std::vector<float> v = counted(4);
    array<float> x = frit::borrow(std::span(v));
    x(frit::slice(0, 2)) = -1.0F;
    x += 1.0F;
    x.eval();
    EXPECT_EQ(v, counted(4));
    EXPECT_EQ(x.to_vector(), (std::vector<float>{0, 0, 3, 4}));
}

TEST_F(HostView, AnOwnerIsKeptWhileSomebodyReads) {
    owner mine{std::make_shared<int>(0)};
    std::vector<float> v = counted(5);
    array<float> x = frit::borrow(std::span(v), mine);
    EXPECT_EQ(mine.token.use_count(), 2);
    array<float> y = x * 2.0F;  // pending
    x = {};
    EXPECT_EQ(mine.token.use_count(), 2);
    y.eval();
    EXPECT_EQ(mine.token.use_count(), 1);
    EXPECT_EQ(y.to_vector()[4], 8);
}

TEST_F(HostView, AContainerMovesIn) {
    std::vector<float> v = counted(1000);
    const float* data = v.data();
    array<float> x = frit::borrow(std::move(v));
    EXPECT_EQ(x.span().data(), data);
    EXPECT_EQ(x.to_vector(), counted(1000));
    const array<double> y = frit::borrow(std::array<double, 3>{1, 2, 3});
    EXPECT_EQ(y.to_vector(), (std::vector<double>{1, 2, 3}));
}

template <class... A>
concept can_borrow = requires(A&&... a) {
    frit::borrow(std::forward<A>(a)...);
};

TEST_F(HostView, WhatCannotMoveIsCopiedOrRefused) {
    const std::vector<float> fixed = counted(5);
    const array<float> x = frit::borrow(std::move(fixed));
    EXPECT_NE(x.span().data(), fixed.data());
    EXPECT_EQ(x.to_vector(), counted(5));
    const auto made = []() -> const std::vector<float> { return counted(3); };
    EXPECT_EQ((frit::borrow(made()) + 1.0F).to_vector(), (std::vector<float>{1, 2, 3}));
    static_assert(!can_borrow<std::initializer_list<float>>, "the list's memory ends with the statement");
    static_assert(!can_borrow<std::initializer_list<float>&>);
    static_assert(can_borrow<const std::vector<float>> && can_borrow<const std::vector<float>&>);
}

TEST_F(HostView, PlainMemoryNeedsNoOwner) {
    std::vector<float> v = counted(6);
    const array<float> x = frit::borrow(v.data(), {2, 3}), columns = frit::borrow(v.data(), {2, 3}, {1, 2});
    EXPECT_EQ(x.span().data(), v.data());
    EXPECT_EQ(x.to_vector(), counted(6));
    EXPECT_EQ(columns.strides(), (std::vector<std::int64_t>{1, 2}));
    EXPECT_EQ(columns.to_vector(), (std::vector<float>{0, 2, 4, 1, 3, 5}));
    const std::vector<std::int64_t> strides{-1};
    EXPECT_EQ(frit::borrow(v.data() + 5, 6, strides).to_vector(), (std::vector<float>{5, 4, 3, 2, 1, 0}))
        << "strides, no owner";
}

TEST_F(HostView, AnUpdateOfNothingIsACopyWhereTheMemoryHasStrides) {
    std::vector<double> m{0, 1, 2, 3, 4, 5, 6};
    const std::vector<double> columns{0, 3, 1, 4, 2, 5};
    for (const bool through_cast : {false, true}) {
        array<double> u = frit::borrow(m.data(), {3, 2}, nullptr, {1, 3});
        const array<double> before = u;
        u(frit::slice(0, 0)) += 1.0;
        if (through_cast) u = frit::cast<double>(u);
        const array<double> flat = u.reshape({-1}), same = u.reshape({3, 2});
        frit::eval(u, flat, same);
        EXPECT_EQ(u.strides(), (std::vector<std::int64_t>{2, 1}));
        EXPECT_EQ(u.to_vector(), columns);
        EXPECT_EQ(flat.to_vector(), columns);
        EXPECT_EQ(same.to_vector(), columns);
        EXPECT_EQ(before.strides(), (std::vector<std::int64_t>{1, 3})) << "what was borrowed is not copied";
    }
    array<double> reversed = frit::borrow(m.data() + 6, {7}, nullptr, {-1});
    reversed(frit::slice(3, 3)) = 9.0;
    EXPECT_EQ(reversed.to_vector(), (std::vector<double>{6, 5, 4, 3, 2, 1, 0}));
    array<double> dense = frit::borrow(m.data(), {7});
    dense(frit::slice(3, 3)) = 9.0;
    EXPECT_EQ(dense.eval().span().data(), m.data()) << "row-major memory is shared";
}

TEST_F(HostView, ASpanOutKeepsTheValues) {
    std::optional<frit::held<std::span<const float>>> s;
    const float* data;
    {
        array<float> x = frit::arange<float>(0, 6) + 0.0F;
        s = x.span();
        data = s->data();
        x += 100.0F;
        x.eval();
        EXPECT_NE(x.span().data(), data);
    }
    std::vector<array<float>> others;  // would get the memory if it were free
    for (int k = 0; k < 4; ++k) {
        others.push_back(frit::zeros<float>({6}) - 9.0F);
        others.back().eval();
    }
    EXPECT_EQ(std::vector<float>(s->begin(), s->end()), counted(6));
    const auto copy = *s;
    s.reset();
    EXPECT_EQ(copy[5], 5);
    EXPECT_EQ(copy.data(), data);
}

TEST_F(HostView, SpansOfFormulasViewsAndStridedMemory) {
    const array<int> x{{1, 2, 3}, {4, 5, 6}};
    float sum = 0;
    for (const int v : (x * 2).span()) sum += static_cast<float>(v);
    EXPECT_EQ(sum, 42);
    const auto t = x.T().span();
    EXPECT_EQ(std::vector<int>(t.begin(), t.end()), (std::vector<int>{1, 4, 2, 5, 3, 6}));
    std::vector<float> v = counted(6);
    const array<float> odd = frit::borrow(v.data(), {3}, nullptr, {2});
    const auto dense = odd.span();  // a span has no strides: of such memory it shows a copy
    EXPECT_EQ(std::vector<float>(dense.begin(), dense.end()), (std::vector<float>{0, 2, 4}));
    EXPECT_EQ(frit::zeros<float>({0}).span().size(), 0U);
    const array<bool> m{true, false};
    EXPECT_TRUE(m.span()[0] && !m.span()[1]);
    const array<float> empty;
    EXPECT_THROW(empty.span(), frit::error);
}

TEST_F(HostView, OutWritesIntoSpansAndContainers) {
    std::vector<double> v(3);
    frit::eval_into(frit::out(v), frit::arange<double>(0, 3) * 2.0);
    EXPECT_EQ(v, (std::vector<double>{0, 2, 4}));
    frit::eval_into(frit::out(std::span(v).first(2)), 7.0);
    EXPECT_EQ(v, (std::vector<double>{7, 7, 4}));
    EXPECT_THROW(frit::eval_into(frit::out(v), frit::zeros<double>({4})), frit::shape_error);
}

TEST_F(HostView, AnMdspanInOfEveryLayout) {
    std::vector<float> v = counted(24);
    const small::mdspan<float, matrix_extents> right(v.data(), std::array{2, 3});
    const small::mdspan<const float, matrix_extents, small::layout_left> left(v.data(), std::array{2, 3});
    const small::mdspan<float, small::extents<any, 2>, small::layout_stride> odd(v.data() + 20,
                                                                                 {small::extents<any, 2>({3, 2}), {-6, 3}});
    const small::mdspan<float, small::extents<2, 3, 4>> cube(v.data(), std::array{2, 3, 4});
    EXPECT_EQ(frit::borrow(right).to_vector(), (std::vector<float>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(frit::borrow(left).to_vector(), (std::vector<float>{0, 2, 4, 1, 3, 5}));
    EXPECT_EQ((frit::borrow(odd) + 0.0F).to_vector(), (std::vector<float>{20, 23, 14, 17, 8, 11}));
    EXPECT_EQ(frit::borrow(odd).strides(), (std::vector<std::int64_t>{-6, 3}));
    EXPECT_EQ(frit::borrow(cube).shape(), (frit::shape{2, 3, 4}));
    EXPECT_EQ(frit::borrow(right).span().data(), v.data());
    owner mine{std::make_shared<int>(0)};
    {
        const array<float> x = frit::borrow(left, mine);
        EXPECT_EQ(mine.token.use_count(), 2);
    }
    EXPECT_EQ(mine.token.use_count(), 1);
    const array<float> copy = frit::from_host(left);
    v[2] = -1;
    EXPECT_EQ(copy.to_vector(), (std::vector<float>{0, 2, 4, 1, 3, 5}));
}

TEST_F(HostView, OutWritesIntoMdspans) {
    std::vector<float> v(6, -1);
    frit::eval_into(frit::out(small::mdspan<float, matrix_extents, small::layout_left>(v.data(), std::array{2, 3})),
                    frit::arange<float>(0, 6).reshape({2, 3}));
    EXPECT_EQ(v, (std::vector<float>{0, 3, 1, 4, 2, 5}));
    const small::mdspan<float, small::extents<2>, small::layout_stride> every_third(v.data(),
                                                                                    {small::extents<2>({2}), std::array{3}});
    frit::eval_into(frit::out(every_third), 9.0F);
    EXPECT_EQ(v, (std::vector<float>{9, 3, 1, 9, 2, 5}));
}

TEST_F(HostView, AnMdspanOutKeepsTheValues) {
    using view = small::mdspan<const int, matrix_extents>;
    std::optional<frit::held<view>> m;
    {
        array<int> x = frit::arange<int>(0, 6).reshape({2, 3}) * 1;
        m.emplace(frit::view_as<view>(x));
        EXPECT_EQ(m->data_handle(), x.span().data());
        x *= -1;
        x.eval();
    }
    EXPECT_EQ((*m)(1, 2), 5);
    EXPECT_EQ(m->extent(0), 2);
    const auto strided = frit::view_as<small::mdspan<const int, matrix_extents, small::layout_stride>>(
        frit::arange<int>(0, 6).reshape({3, 2}));
    EXPECT_EQ(strided(2, 0), 4);
    const auto fixed =
        frit::view_as<small::mdspan<const int, small::extents<any, 3>>>(frit::arange<int>(0, 6).reshape({2, 3}));
    EXPECT_EQ(fixed(1, 0), 3);
}

template <class View>
std::string refusal(const array<int>& x) {
    try {
        frit::view_as<View>(x, {"here.cpp", 3});
    } catch (const frit::error& e) {
        return e.what();
    }
    return "accepted";
}

TEST_F(HostView, WhatAnMdspanCannotShowIsAnError) {
    const array<int> x = frit::arange<int>(0, 6).reshape({2, 3});
    EXPECT_EQ((refusal<small::mdspan<const int, small::extents<any>>>(x)),
              "view_as: the view has rank 1; shapes (2, 3) [here.cpp:3]");
    EXPECT_EQ((refusal<small::mdspan<const int, small::extents<any, 4>>>(x)),
              "view_as: the view cannot have these extents; shapes (2, 3) [here.cpp:3]");
    EXPECT_EQ((refusal<small::mdspan<const int, matrix_extents, small::layout_left>>(x)),
              "view_as: the values are row-major, the view's layout is another; shapes (2, 3) [here.cpp:3]");
}

TEST(HostViewOfADevice, DownloadsOnceAndCounts) {
    const array<float> x = frit::arange<float>(0, 100) + 1.0F;  // on the default device
    x.eval();
    frit::reset_stats();
    const auto s = x.span();
    EXPECT_EQ(s[99], 100);
    EXPECT_EQ(frit::stats().device_to_host_bytes, x.device().is_cuda() ? 400U : 0U);
    std::vector<float> v = counted(8);
    const array<float> y =
        frit::borrow(small::mdspan<float, matrix_extents, small::layout_left>(v.data(), std::array{2, 4}));
    EXPECT_EQ(frit::stats().host_to_device_bytes, y.device().is_cuda() ? 32U : 0U);
    EXPECT_EQ(y.to_vector(), (std::vector<float>{0, 2, 4, 6, 1, 3, 5, 7}));
}

}  // namespace
