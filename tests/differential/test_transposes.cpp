// Operands whose unit strides lie in different dimensions, against the reference: every shape of the tiles' edges, every
// permutation of three and four axes, slices that promise no alignment, results in two orders.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/differential/layouts.hpp"
#include "tests/differential/random_program_parts.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/values.hpp"

namespace {
using frit::array;
using frit::op;
using frit::slice;
using frit_test::text_of;

template <class T>
struct pair {
    array<T> x;
    ref::array plain;
};

template <class T>
pair<T> make(const ref::position& extents, std::uint64_t seed) {
    frit_test::generator g(seed);
    std::vector<T> values(
        static_cast<std::size_t>(std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>{})));
    for (T& v : values) v = static_cast<T>(g.between(0, 100));
    return {frit_test::from_values(values, frit::shape(extents)), frit_test::plain_array(values, extents)};
}

template <class T>
void expect(const array<T>& got, const ref::array& want, const std::string& what) {
    const std::vector<T> values = got.to_vector();
    ASSERT_EQ(values.size(), want.data.size()) << what;
    for (std::size_t k = 0; k < values.size(); ++k)
        ASSERT_EQ(static_cast<long double>(values[k]), want.data[k].v) << what << ", element " << k;
}

template <class T>
void plane(std::int64_t rows, std::int64_t columns) {
    const std::string what = std::to_string(rows) + " x " + std::to_string(columns) + " " + typeid(T).name();
    const pair<T> a = make<T>({rows, columns}, 1), b = make<T>({columns, rows}, 2);
    const ref::array turned = ref::transpose(b.plain, {1, 0}), sum = ref::elementwise(op::add, {a.plain, turned});
    expect<T>(a.x + b.x.T(), sum, "a + b.T() of " + what);
    expect<T>(b.x.T(), turned, "b.T() of " + what);
    // Both ways in one kernel; and the transposed result is another's.
    array<T> y = a.x + b.x.T(), z = a.x.T() * b.x;
    frit::eval(y, z);
    expect<T>(y, sum, "first of two of " + what);
    expect<T>(z, ref::elementwise(op::mul, {ref::transpose(a.plain, {1, 0}), b.plain}), "second of two of " + what);
    // One value in both orders, and in place.
    const array<T> both = a.x + b.x.T(), other = both.T();
    frit::eval(both, other);
    expect<T>(both, sum, "a value and its transpose, of " + what);
    expect<T>(other, ref::transpose(sum, {1, 0}), "a value's transpose, of " + what);
    array<T> c = a.x + T{0};
    c.eval();
    c += b.x.T();
    expect<T>(c, sum, "c += b.T() of " + what);
}

const std::int64_t edges[] = {1, 3, 4, 16, 31, 32, 33, 36, 63, 64, 65, 100, 127, 128, 130};

TEST(Transposes, EveryEdgeOfATile) {
    for (const std::int64_t rows : edges)
        for (const std::int64_t columns : edges) plane<float>(rows, columns);
    for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{32, 36}, {33, 64}, {128, 68}, {130, 40}}) {
        plane<std::uint8_t>(rows, columns);
        plane<std::int16_t>(rows, columns);
        plane<double>(rows, columns);
    }
}

// Not even the transposed one alone is aligned.
TEST(Transposes, OfSlices) {
    const pair<float> a = make<float>({80, 83}, 3), b = make<float>({90, 80}, 4);
    for (const std::int64_t from : {0, 1, 4})
        for (const std::int64_t width : {64, 67, 72}) {
            const array<float> y = a.x(slice(from, from + 64), slice(from, from + width)) -
                                   b.x(slice(from, from + width), slice(from, from + 64)).T();
            const ref::array left = ref::slice(a.plain, {{from, 64, 1}, {from, width, 1}}),
                             right = ref::transpose(ref::slice(b.plain, {{from, width, 1}, {from, 64, 1}}), {1, 0});
            expect<float>(y, ref::elementwise(op::sub, {left, right}), text_of(ref::position{from, width}));
        }
}

// An operand in the domain's order, and one in each other order.
TEST(Transposes, EveryPermutation) {
    for (const ref::position& extents : {ref::position{5, 36, 40}, ref::position{33, 2, 34}, ref::position{3, 32, 2, 36}}) {
        std::vector<int> order(extents.size());
        std::iota(order.begin(), order.end(), 0);
        do {
            // b's axis order[k] is the domain's axis k
            ref::position other(extents.size());
            for (std::size_t k = 0; k < order.size(); ++k) other[static_cast<std::size_t>(order[k])] = extents[k];
            const pair<float> a = make<float>(extents, 5), b = make<float>(other, 6);
            const ref::array sum = ref::elementwise(op::add, {a.plain, ref::transpose(b.plain, order)});
            const std::string what = text_of(extents) + " and " + text_of(order);
            expect<float>(a.x + frit::transpose(b.x, order), sum, what);
            array<float> c = a.x + 0.0F;
            c.eval();
            c += frit::transpose(b.x, order);
            expect<float>(c, sum, "in place, " + what);
        } while (std::next_permutation(order.begin(), order.end()));
    }
}

}  // namespace
