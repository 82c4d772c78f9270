// The vector math table: what stands in for libmvec keeps the bounds of the op table, so that an older C library changes
// speed and not accuracy. (What the table uses on this machine is measured by accuracy/measure.cpp.)
#include <gtest/gtest.h>

#include "src/cpu/isa.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/ulp.hpp"
#include "tests/support/values.hpp"

namespace {
using frit::op;
using frit::detail::isa_level;

template <class T>
using lanes __attribute__((vector_size(16))) = T;

template <class T>
lanes<T> call(frit::detail::math_function f, int arity, lanes<T> a, lanes<T> b) {
    if (arity == 1) return reinterpret_cast<lanes<T> (*)(lanes<T>)>(f)(a);
    return reinterpret_cast<lanes<T> (*)(lanes<T>, lanes<T>)>(f)(a, b);
}

template <class T>
void check(const frit::detail::isa_table& table, op o) {
    const frit::op_info& row = info(o);
    const frit::detail::math_function f = table.own_math[static_cast<int>(o)][sizeof(T) == 8];
    frit_test::generator g(99);
    constexpr int count = 16 / sizeof(T);
    for (int k = 0; k < 5000; k += count) {
        lanes<T> a{}, b{};
        for (int i = 0; i < count; ++i)
            a[i] = static_cast<T>(g.uniform(row.lo, row.hi)), b[i] = static_cast<T>(g.uniform(row.lo, row.hi));
        const lanes<T> got = call<T>(f, row.arity, a, b);
        for (int i = 0; i < count; ++i) {
            const ref::number want = ref::apply(o, frit::dtype_of<T>, {a[i], 0, 0}, {b[i], 0, 0});
            ASSERT_LE(frit_test::ulp_distance<T>(got[i], want.v), static_cast<long double>(row.ulp))
                << row.name << '(' << a[i] << ", " << b[i] << ") of " << name_of(frit::dtype_of<T>);
        }
    }
}

TEST(VectorMath, WhatStandsInForLibmvecKeepsTheBounds) {
    const frit::detail::isa_table& table = frit::detail::table_of(isa_level::baseline);
    ASSERT_EQ(table.vector_bytes, 16);
    int checked = 0;
    for (int k = 0; k < frit::detail::count_ops; ++k) {
        if (!table.own_math[k][0]) continue;
        check<float>(table, static_cast<op>(k));
        check<double>(table, static_cast<op>(k));
        ++checked;
    }
    EXPECT_GT(checked, 30);
}

}  // namespace
