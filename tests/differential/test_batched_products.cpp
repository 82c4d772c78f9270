// Products of batches of matrices x dtype x what broadcasts x layout, against the reference.
#include <gtest/gtest.h>

#include <iomanip>

#include "tests/differential/layouts.hpp"
#include "tests/differential/op_cases.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/libraries.hpp"

namespace {
using frit::all;
using frit::array;
using frit::none;
using frit::op;
using frit::slice;
using frit_test::operand;

constexpr std::uint64_t seed = 47;

template <class T>
std::vector<T> values(const ref::position& extents, std::uint64_t which, double edges) {
    std::int64_t n = 1;
    for (const std::int64_t e : extents) n *= e;
    frit_test::generator g(seed + which);
    return frit_test::sample<T>(g, n, edges);
}
template <class T>
inline constexpr double edges = kind_of(frit::dtype_of<T>) < frit::dtype_kind::floating ? 0.1 : 0;

template <class T>
operand<T> dense(const ref::position& extents, std::uint64_t which) {
    const std::vector<T> v = values<T>(extents, which, edges<T>);
    return {frit_test::from_values(v, extents), frit_test::plain_array(v, extents)};
}

void check(const frit_test::op_case& lazy, const ref::array& plain, const std::string& where) {
    frit::detail::node_head* const node = lazy.node.get();
    frit::detail::eval(std::vector{node}, {});
    const std::vector<ref::value> got = frit_test::read_back(node);
    ASSERT_EQ(lazy.type, plain.type) << where;
    ASSERT_EQ(*lazy.node->extents, frit::shape(plain.extents)) << where;
    for (std::size_t k = 0; k < got.size(); ++k)
        ASSERT_TRUE(plain.data[k].allows(got[k]))
            << std::setprecision(20) << where << " of " << name_of(plain.type) << ", element " << k << ": got " << got[k]
            << ", want " << plain.data[k].at() << " within " << plain.data[k].err;
}
template <class T>
void check_product(const operand<T>& a, const operand<T>& b, const std::string& where) {
    check(frit_test::hold(op::matmul, frit::matmul(a.lazy, b.lazy)), ref::matmul(a.plain, b.plain), where);
}

template <class T>
class BatchedProducts : public testing::Test {};
TYPED_TEST_SUITE(BatchedProducts, frit_test::every_dtype);

template <class T>
bool there_is_a_library() {
    return kind_of(frit::dtype_of<T>) < frit::dtype_kind::floating || frit_test::missing_library(op::matmul).empty();
}

TYPED_TEST(BatchedProducts, EveryBroadcast) {
    if (!there_is_a_library<TypeParam>()) GTEST_SKIP() << "no BLAS";
    const std::pair<ref::position, ref::position> shapes[] = {{{3, 4, 5}, {3, 5, 2}},
                                                              {{3, 4, 5}, {5, 2}},
                                                              {{4, 5}, {3, 5, 2}},
                                                              {{3, 4, 5}, {1, 5, 2}},
                                                              {{1, 4, 5}, {3, 5, 2}},
                                                              {{2, 1, 4, 5}, {3, 5, 2}},
                                                              {{2, 3, 4, 5}, {3, 5, 2}},
                                                              {{2, 3, 4, 5}, {2, 1, 5, 2}},
                                                              {{3, 1, 2, 4, 5}, {2, 1, 5, 6}},
                                                              {{3, 4, 5}, {5}},
                                                              {{5}, {3, 5, 2}},
                                                              {{2, 3, 4, 5}, {5}},
                                                              {{3, 1, 5}, {5, 6}},
                                                              {{3, 1, 5}, {3, 5, 1}},
                                                              {{3, 4, 1}, {3, 1, 2}},
                                                              {{1, 1, 1}, {1, 1, 1}},
                                                              {{2, 1, 1, 5}, {3, 5, 1}},
                                                              {{3, 4, 0}, {3, 0, 2}},
                                                              {{0, 4, 5}, {5, 2}},
                                                              {{0, 4, 5}, {1, 5, 2}},
                                                              {{3, 0, 5}, {3, 5, 2}},
                                                              {{3, 1, 0}, {0}},
                                                              {{70, 3, 2}, {70, 2, 3}},
                                                              {{3, 4, 9}, {3, 9, 2}},
                                                              {{2, 1, 4, 9}, {3, 9, 17}},
                                                              {{3, 1, 1, 4, 5}, {1, 2, 2, 5, 3}}};
    for (const frit_test::engine e : frit_test::engines()) {
        const frit_test::with_engine engine(e);
        for (const auto& [left, right] : shapes)
            check_product(dense<TypeParam>(left, 1), dense<TypeParam>(right, 2),
                          to_string(frit::shape(left)) + " by " + to_string(frit::shape(right)));
    }
}

/// Ways for a 3 x 4 x 5 array to lie in memory.
template <class T>
std::vector<std::pair<std::string, operand<T>>> layouts(const ref::position& e, std::uint64_t which) {
    std::vector<std::pair<std::string, operand<T>>> r;
    r.emplace_back("dense", dense<T>(e, which));
    const auto axes = [](const array<T>& x, const std::vector<int>& order) { return array<T>(frit::transpose(x, order)); };
    const auto turned = [&](const ref::position& memory, const std::vector<int>& order) {
        const operand<T> x = dense<T>(memory, which);
        return operand<T>{axes(x.lazy, order), ref::transpose(x.plain, order)};
    };
    r.emplace_back("matrices transposed", turned({e[0], e[2], e[1]}, {0, 2, 1}));
    r.emplace_back("batch between rows and columns", turned({e[1], e[0], e[2]}, {1, 0, 2}));
    r.emplace_back("batch last", turned({e[1], e[2], e[0]}, {2, 0, 1}));
    r.emplace_back("batch and rows exchanged, transposed", turned({e[2], e[0], e[1]}, {1, 2, 0}));
    {
        const operand<T> x = dense<T>({e[0], e[1] + 2, e[2] + 3}, which);
        r.emplace_back("a slice", operand<T>{x.lazy(all, slice(1, -1), slice(2, -1)),
                                             ref::slice(x.plain, {{0, e[0], 1}, {1, e[1], 1}, {2, e[2], 1}})});
    }
    {
        const operand<T> x = dense<T>({2 * e[0], e[1], 2 * e[2]}, which);
        r.emplace_back("every second of both", operand<T>{x.lazy(slice(1, none, 2), all, slice(none, none, 2)),
                                                          ref::slice(x.plain, {{1, e[0], 2}, {0, e[1], 1}, {0, e[2], 2}})});
        r.emplace_back("every second matrix", operand<T>{x.lazy(slice(none, none, 2), all, slice(0, e[2])),
                                                         ref::slice(x.plain, {{0, e[0], 2}, {0, e[1], 1}, {0, e[2], 1}})});
    }
    for (int axis = 0; axis < 3; ++axis) {
        const operand<T> x = dense<T>(e, which);
        r.emplace_back("flipped along " + std::to_string(axis),
                       operand<T>{frit::flip(x.lazy, axis), ref::flip(x.plain, axis)});
    }
    {
        const operand<T> x = dense<T>({e[1], e[2]}, which);
        r.emplace_back("one matrix repeated",
                       operand<T>{frit::broadcast_to(x.lazy, frit::shape(e)), ref::broadcast_to(x.plain, e)});
    }
    {
        const operand<T> x = dense<T>({e[0], 1, e[2]}, which);
        r.emplace_back("one row repeated",
                       operand<T>{frit::broadcast_to(x.lazy, frit::shape(e)), ref::broadcast_to(x.plain, e)});
    }
    return r;
}

TYPED_TEST(BatchedProducts, EveryLayout) {
    if (!there_is_a_library<TypeParam>()) GTEST_SKIP() << "no BLAS";
    const auto check_all = [&](std::int64_t inner, const std::string& how) {
        const auto left = layouts<TypeParam>({3, 4, inner}, 1), right = layouts<TypeParam>({3, inner, 2}, 2);
        for (const auto& [left_name, a] : left)
            for (const auto& [right_name, b] : right)
                check_product(a, b, left_name + " by " + right_name + ", " + std::to_string(inner) + ", " + how);
    };
    for (const std::int64_t inner : {5, 9}) {  // on a GPU a kernel's, and the library's
        for (const frit_test::engine e : frit_test::engines()) {
            const frit_test::with_engine engine(e);
            check_all(inner, frit_test::name_of(e));
        }
        const frit_test::without_fusion off;
        check_all(inner, "unfused");
    }
}

TYPED_TEST(BatchedProducts, BetweenFormulas) {
    using T = TypeParam;
    if (!there_is_a_library<T>()) GTEST_SKIP() << "no BLAS";
    if constexpr (!std::is_same_v<T, bool>) {
        const operand<T> a = dense<T>({2, 3, 1, 4}, 1), b = dense<T>({3, 5, 4}, 2);
        const ref::array two = frit_test::plain_array(std::vector<T>{T(2)}, {});
        const auto lazy =
            frit::matmul(a.lazy * T(2), frit::transpose(b.lazy, {0, 2, 1})) - a.lazy(all, all, all, slice(0, 1));
        const ref::array product =
            ref::matmul(ref::elementwise(op::mul, {a.plain, two}), ref::transpose(b.plain, {0, 2, 1}));
        const ref::array part = ref::slice(a.plain, {{0, 2, 1}, {0, 3, 1}, {0, 1, 1}, {0, 1, 1}});
        check(frit_test::hold(op::matmul, lazy), ref::stored(ref::elementwise(op::sub, {product, part})),
              "between formulas");
    }
}

TEST(BatchedProducts, MixedDtypes) {
    FRIT_SKIP_WITHOUT(matmul);
    const auto check_mixed = [&]<class V, class W>(V, W) {
        const operand<V> a = dense<V>({3, 4, 5}, 1);
        const operand<W> b = dense<W>({2, 1, 5, 2}, 2);
        check(frit_test::hold(op::matmul, frit::matmul(a.lazy, b.lazy)), ref::matmul(a.plain, b.plain), "mixed dtypes");
        const frit::any_array product = frit::matmul(frit::any_array(a.lazy), frit::any_array(b.lazy));
        EXPECT_TRUE(frit::array_equal(product, frit::any_array(frit::matmul(a.lazy, b.lazy))));
    };
    check_mixed(float{}, double{});
    check_mixed(std::int32_t{}, float{});
    check_mixed(frit::half{}, frit::bfloat16{});
    check_mixed(std::complex<float>{}, double{});
    check_mixed(std::int8_t{}, std::uint16_t{});
    check_mixed(bool{}, std::int64_t{});
}

// Larger than a tile in every direction, and long sums.
TEST(BatchedProducts, SeveralTilesEach) {
    FRIT_SKIP_WITHOUT(matmul);
    for (const auto& [left, right] :
         {std::pair<ref::position, ref::position>{{2, 150, 70}, {2, 70, 140}}, {{3, 150, 70}, {70}}, {{70}, {2, 70, 300}}}) {
        check_product(dense<float>(left, 1), dense<float>(right, 2), "several tiles");
        check_product(dense<std::int16_t>(left, 1), dense<std::int16_t>(right, 2), "several tiles");
    }
}

}  // namespace
