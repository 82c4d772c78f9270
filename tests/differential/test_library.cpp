// Library ops (matrix products, running totals, sorts) x dtype x layout against the reference, alone and between formulas
// that fuse on either side. What a library needs in order is put in order by a kernel, so both engines run.
#include <gtest/gtest.h>

#include <iomanip>
#include <type_traits>

#include "tests/differential/layouts.hpp"
#include "tests/differential/library_cases.hpp"
#include "tests/differential/op_cases.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/libraries.hpp"
#include "tests/support/thorough.hpp"

namespace {
using frit::array;
using frit::op;
using frit_test::layout;

constexpr std::uint64_t seed = 31;

struct expected {
    frit_test::op_case lazy;
    ref::array plain;
};

void check(const std::vector<expected>& cases, const std::string& where) {
    std::vector<frit::detail::node_head*> nodes;
    for (const expected& c : cases) nodes.push_back(c.lazy.node.get());
    frit::detail::eval(nodes, {});
    for (const expected& c : cases) {
        const std::vector<ref::value> got = frit_test::read_back(c.lazy.node.get());
        ASSERT_EQ(c.lazy.type, c.plain.type) << c.lazy.name;
        ASSERT_EQ(*c.lazy.node->extents, frit::shape(c.plain.extents)) << c.lazy.name << ", " << where;
        for (std::size_t k = 0; k < got.size(); ++k) {
            const ref::number& w = c.plain.data[k];
            if (w.allows(got[k])) continue;
            ADD_FAILURE() << std::setprecision(20) << c.lazy.name << " of " << name_of(c.plain.type) << ", " << where
                          << ", element " << k << ": got " << got[k] << ", want " << w.at() << " within " << w.err
                          << " (seed " << seed << ')';
            break;
        }
    }
}

/// Under each engine, and without fusion.
template <class Make>
void check_everywhere(const std::string& where, const Make& make) {
    static std::size_t turn = 0;
    for (frit_test::engine e : frit_test::engines()) {
        if (e == frit_test::engine::cxx && !frit_test::host_compiler_takes(turn++)) continue;
        const frit_test::with_engine engine(e);
        check(make(), where + ", " + frit_test::name_of(e));
    }
    const frit_test::without_fusion off;
    check(make(), where + ", unfused");
}

/// Every op that runs along an axis, along every axis.
template <class X>
std::vector<expected> along_axes(const X& x, const ref::array& plain) {
    std::vector<expected> r;
    for (int axis = 0; axis < plain.rank(); ++axis)
        frit_test::for_each_axis_op<typename X::value_type>([&]<op O>(std::integral_constant<op, O>) {
            r.push_back({frit_test::hold(O, frit_test::along_axis<O>(x, axis)), frit_test::along_axis(O, plain, axis)});
        });
    return r;
}

template <class T>
class Library : public testing::Test {};
TYPED_TEST_SUITE(Library, frit_test::every_dtype);

template <class T>
std::vector<T> values(std::int64_t n, double edges) {
    frit_test::generator g(seed + static_cast<std::uint64_t>(n));
    return frit_test::sample<T>(g, n, edges);
}

TYPED_TEST(Library, AlongEveryAxisOfEveryLayout) {
    FRIT_SKIP_WITHOUT(sort);
    for (const auto& [how, name] : frit_test::layouts) {
        const auto x = frit_test::lay_out(how, values<TypeParam>(13 * 21, 0.05), 13, 21);
        check_everywhere(name, [&] { return along_axes(x.lazy, x.plain); });
    }
}

TYPED_TEST(Library, EverySize) {
    FRIT_SKIP_WITHOUT(sort);
    const frit_test::with_engine interpreter(frit_test::engine::interpreter);
    for (std::int64_t n : {0, 1, 2, 3, 31, 32, 33, 255, 256, 257, 1000, 5000}) {
        const std::vector<TypeParam> v = values<TypeParam>(n, 0.01);
        check(along_axes(frit_test::from_values(v), frit_test::plain_array(v, {n})), "size " + std::to_string(n));
    }
    for (const ref::position& extents : {ref::position{3, 0}, {0, 4}, {1, 1}, {2, 3, 4}, {4, 1, 5}, {300, 200}}) {
        std::int64_t n = 1;
        for (std::int64_t e : extents) n *= e;
        const std::vector<TypeParam> v = values<TypeParam>(n, 0.01);
        check(along_axes(frit_test::from_values(v, frit::shape(extents)), frit_test::plain_array(v, extents)),
              "of rank " + std::to_string(extents.size()));
    }
}

TYPED_TEST(Library, BetweenFormulas) {
    FRIT_SKIP_WITHOUT(sort);
    using T = TypeParam;
    if constexpr (!std::is_same_v<T, bool>) {
        const std::vector<T> v = values<T>(12 * 15, 0);
        const ref::array plain = frit_test::plain_array(v, {12, 15}), two = frit_test::plain_array(std::vector<T>{T(2)}, {});
        const array<T> x = frit_test::from_values(v, {12, 15});
        const ref::array before = ref::elementwise(op::add, {ref::elementwise(op::mul, {plain, two}), plain});
        check_everywhere("between formulas", [&] {
            std::vector<expected> r;
            frit_test::for_each_axis_op<T>([&]<op O>(std::integral_constant<op, O>) {
                const auto after = frit_test::along_axis<O>(x * T(2) + x, 1) - x.T().reshape({12, 15});
                const ref::array shuffled = ref::reshape(ref::transpose(plain, {1, 0}), {12, 15});
                const ref::array want = ref::elementwise(op::sub, {frit_test::along_axis(O, before, 1), shuffled});
                r.push_back({frit_test::hold(O, after), ref::stored(want)});
            });
            return r;
        });
    }
}

template <class T>
void check_products() {
    for (const auto& [hx, nx] : frit_test::layouts)
        for (const auto& [hy, ny] : frit_test::layouts) {
            const bool repeats = hx == layout::repeated_row || hx == layout::repeated_column || hy == layout::repeated_row ||
                                 hy == layout::repeated_column;
            const bool sampled = std::is_floating_point_v<T> || frit_test::thorough() || hx == hy ||
                                 hx == layout::contiguous || hy == layout::contiguous;
            if (repeats || !sampled) continue;
            const auto x = frit_test::lay_out(hx, values<T>(7 * 5, 0), 7, 5),
                       y = frit_test::lay_out(hy, values<T>(5 * 9, 0), 5, 9);
            const array<T> a = x.lazy, b = y.lazy;
            check_everywhere(std::string(nx) + " by " + ny, [&] {
                const auto c = frit::matmul(a, b);
                const auto transposed = frit::matmul(b.T(), a.T());
                const auto between = frit::matmul(a + T(1), b) * T(2);
                const ref::array one = frit_test::plain_array(std::vector<T>{T(1)}, {}),
                                 two = frit_test::plain_array(std::vector<T>{T(2)}, {});
                const ref::array product = ref::matmul(x.plain, y.plain);
                return std::vector<expected>{
                    {frit_test::hold(op::matmul, c), product},
                    {frit_test::hold(op::matmul, transposed), ref::transpose(product, {1, 0})},
                    {frit_test::hold(op::matmul, between),
                     ref::stored(ref::elementwise(op::mul,
                                                  {ref::matmul(ref::elementwise(op::add, {x.plain, one}), y.plain), two}))}};
            });
        }
}
#define FRIT_TEST_PRODUCTS(name, type)  \
    TEST(Products, EveryLayout##name) { \
        FRIT_SKIP_WITHOUT(matmul);      \
        check_products<type>();         \
    }
FRIT_TEST_PRODUCTS(Float16, frit::half)
FRIT_TEST_PRODUCTS(Bfloat16, frit::bfloat16)
FRIT_TEST_PRODUCTS(Float32, float)
FRIT_TEST_PRODUCTS(Float64, double)
FRIT_TEST_PRODUCTS(Complex64, std::complex<float>)
FRIT_TEST_PRODUCTS(Complex128, std::complex<double>)
#undef FRIT_TEST_PRODUCTS

TEST(Products, EverySize) {
    FRIT_SKIP_WITHOUT(matmul);
    for (std::int64_t m : {0, 1, 2, 17, 64, 65})
        for (std::int64_t k : {0, 1, 3, 64, 130})
            for (std::int64_t n : {0, 1, 5, 66}) {
                const std::vector<float> v = values<float>(m * k, 0), w = values<float>(k * n, 0);
                check({{frit_test::hold(op::matmul,
                                        frit::matmul(frit_test::from_values(v, {m, k}), frit_test::from_values(w, {k, n}))),
                        ref::matmul(frit_test::plain_array(v, {m, k}), frit_test::plain_array(w, {k, n}))}},
                      "sizes " + std::to_string(m) + ", " + std::to_string(k) + ", " + std::to_string(n));
            }
}

template <class V, class W>
void check_vectors() {
    const std::vector<V> v = values<V>(20, 0);
    const std::vector<W> w = values<W>(20 * 30, 0);
    const array<V> x = frit_test::from_values(v);
    const array<W> y = frit_test::from_values(w, {20, 30}), s = y(frit::all, 3);
    const ref::array px = frit_test::plain_array(v, {20}), py = frit_test::plain_array(w, {20, 30}),
                     ps = ref::reshape(ref::slice(py, {{0, 20, 1}, {3, 1, 1}}), {20});
    check_everywhere("vectors", [&] {
        return std::vector<expected>{
            {frit_test::hold(op::matmul, frit::matmul(x, y)), ref::matmul(px, py)},
            {frit_test::hold(op::matmul, frit::matmul(y.T(), x)), ref::matmul(ref::transpose(py, {1, 0}), px)},
            {frit_test::hold(op::matmul, frit::matmul(x, x)), ref::matmul(px, px)},
            {frit_test::hold(op::matmul, frit::matmul(s, x)), ref::matmul(ps, px)}};
    });
}
TEST(Products, VectorsAndMixedDtypes) {
    FRIT_SKIP_WITHOUT(matmul);
    check_vectors<float, double>();
    check_vectors<frit::half, frit::bfloat16>();
    check_vectors<frit::half, std::complex<float>>();
    check_vectors<std::complex<float>, double>();
}

// Of integers and bools, which BLAS does not multiply. They are exact: the bits are the reference's, on every engine.

template <class F>
void for_each_integer(F&& f) {
#define FRIT_X(name, type) \
    if constexpr (!std::is_floating_point_v<type>) f(std::type_identity<type>());
    FRIT_COMPUTE_DTYPES(FRIT_X)
#undef FRIT_X
}

TEST(IntegerProducts, EveryLayout) {
    for_each_integer([]<class T>(std::type_identity<T>) { check_products<T>(); });
}

TEST(IntegerProducts, EverySize) {
    for_each_integer([]<class T>(std::type_identity<T>) {
        struct sizes {
            std::int64_t m, k, n;
        };
        for (const auto& [m, k, n] : std::vector<sizes>{
                 {0, 3, 2}, {2, 0, 3}, {1, 1, 1}, {1, 200, 1}, {1, 130, 70}, {70, 130, 1}, {3, 5, 600}, {40, 66, 33}}) {
            const std::vector<T> v = values<T>(m * k, 0.1), w = values<T>(k * n, 0.1);
            check({{frit_test::hold(op::matmul,
                                    frit::matmul(frit_test::from_values(v, {m, k}), frit_test::from_values(w, {k, n}))),
                    ref::matmul(frit_test::plain_array(v, {m, k}), frit_test::plain_array(w, {k, n}))}},
                  "sizes " + std::to_string(m) + ", " + std::to_string(k) + ", " + std::to_string(n));
        }
    });
}

TEST(IntegerProducts, VectorsAndMixedDtypes) {
    const std::vector<std::int8_t> v = values<std::int8_t>(20, 0.1);
    const std::vector<std::uint16_t> w = values<std::uint16_t>(20 * 30, 0.1);
    const std::vector<bool> b = values<bool>(20, 0);
    const auto x = frit_test::from_values(v);
    const auto y = frit_test::from_values(w, {20, 30});
    const auto z = frit_test::from_values(b);
    const ref::array px = frit_test::plain_array(v, {20}), py = frit_test::plain_array(w, {20, 30}),
                     pz = frit_test::plain_array(b, {20});
    const array<std::uint16_t> s = y(frit::all, 3);
    const ref::array ps = ref::reshape(ref::slice(py, {{0, 20, 1}, {3, 1, 1}}), {20});
    check_everywhere("vectors", [&] {
        return std::vector<expected>{
            {frit_test::hold(op::matmul, frit::matmul(x, y)), ref::matmul(px, py)},
            {frit_test::hold(op::matmul, frit::matmul(y.T(), z)), ref::matmul(ref::transpose(py, {1, 0}), pz)},
            {frit_test::hold(op::matmul, frit::matmul(x, x)), ref::matmul(px, px)},
            {frit_test::hold(op::matmul, frit::matmul(z, z)), ref::matmul(pz, pz)},
            {frit_test::hold(op::matmul, frit::matmul(s, x)), ref::matmul(ps, px)}};
    });
}

}  // namespace
