// Every elementwise op of the table by frit::aot, against the interpreter, bit for bit: at numbers of all magnitudes and at
// the edges, beside arrays and beside numbers. In every dtype where ./dev test --all configures the build, which takes a
// compiler minutes; else in one of each width and kind.
#include <frit/aot.hpp>
#include <frit/frit.hpp>

#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "tests/support/engines.hpp"
#include "tests/support/values.hpp"

namespace {

using frit::array;
using frit::op;

template <class T>
array<T> column(frit_test::generator& g) {
    const std::vector<T> values = frit_test::sample<T>(g, 603, 0.3);
    const std::vector<std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>> stored(values.begin(), values.end());
    return array<T>(frit::cast<T>(frit::from_host(stored))).eval();
}

/// A dtype's operands. Not kept: other tests count what is alive.
template <class T>
struct operands {
    frit_test::generator g{17};
    array<T> a = column<T>(g), b = column<T>(g), c = column<T>(g);
    array<bool> mask = column<bool>(g);
};

/// Of a dtype, not of a formula, of which there are a thousand.
template <class T>
void compare(const std::vector<T>& got, const std::vector<T>& wanted, const std::string& what) {
    ASSERT_EQ(got.size(), wanted.size()) << what;
    for (std::size_t k = 0; k < got.size(); ++k)
        ASSERT_TRUE(frit_test::same_bits<T>(got[k], wanted[k]))
            << what << ", element " << k << ": " << +got[k] << " instead of " << +wanted[k];
}
template <class E>
void expect_same(const E& e, const std::string& what) {
    using T = typename E::value_type;
    compare(frit::aot(e).to_vector(), array<T>(e).to_vector(), what);
}

template <op Op, class T>
void check(const std::string& what) {
    constexpr frit::op_info row = frit::info(Op);
    constexpr frit::op_dtypes rule = frit::resolve(Op, frit::dtype_of<T>);
    if constexpr (row.form != frit::op_form::HIDDEN && rule.valid) {
        const operands<T> x;
        if constexpr (row.result == frit::op_result::SELECT)
            expect_same(frit::detail::make_call<Op>(x.mask, x.a, x.b), what);
        else if constexpr (row.arity == 1)
            expect_same(frit::detail::make_call<Op>(x.a), what);
        else if constexpr (row.arity == 2)
            expect_same(frit::detail::make_call<Op>(x.a, x.b), what);
        else
            expect_same(frit::detail::make_call<Op>(x.a, x.b, x.c), what);
    }
}

template <class T>
class AotOps : public testing::Test {
    const frit::scoped_device cpu_{frit::device::cpu()};
    const frit_test::with_engine interpreter_{frit_test::engine::interpreter};
};
#ifdef FRIT_TEST_EVERY_DTYPE
using dtypes =
    testing::Types<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t,
                   std::uint64_t, float, double, frit::half, frit::bfloat16, std::complex<float>, std::complex<double>>;
#else
using dtypes = testing::Types<bool, std::int8_t, std::uint16_t, std::int64_t, float, frit::half, std::complex<double>>;
#endif
TYPED_TEST_SUITE(AotOps, dtypes);

TYPED_TEST(AotOps, AreTheInterpreters) {
    const std::string of = " of " + std::string(frit::name_of(frit::dtype_of<TypeParam>));
#define FRIT_OP(name, ...) check<op::name, TypeParam>(#name + of);
#include "frit/ops.def"
}

template <op Op, class T>
void check_numbers(const std::string& what) {
    constexpr frit::op_info row = frit::info(Op);
    constexpr frit::op_dtypes rule = frit::resolve(Op, frit::dtype_of<T>);
    if constexpr (row.form != frit::op_form::HIDDEN && row.arity > 1 && rule.valid) {
        const operands<T> x;
        const T three = T(3);
        if constexpr (row.result == frit::op_result::SELECT) {
            expect_same(frit::detail::make_call<Op>(x.mask, three, x.b), what + ", a number first");
            expect_same(frit::detail::make_call<Op>(x.mask, x.a, three), what + ", a number second");
        } else if constexpr (row.arity == 2) {
            expect_same(frit::detail::make_call<Op>(x.a, three), what + ", a number second");
            expect_same(frit::detail::make_call<Op>(three, x.b), what + ", a number first");
        } else {
            expect_same(frit::detail::make_call<Op>(three, x.b, three), what + ", numbers around");
        }
    }
}
/// A few dtypes: the file would else take minutes to compile.
template <class T>
class AotOpsBesideNumbers : public AotOps<T> {};
using few_dtypes = testing::Types<bool, std::int32_t, float>;
TYPED_TEST_SUITE(AotOpsBesideNumbers, few_dtypes);

TYPED_TEST(AotOpsBesideNumbers, AreTheInterpreters) {
    const std::string of = " of " + std::string(frit::name_of(frit::dtype_of<TypeParam>));
#define FRIT_OP(name, ...) check_numbers<op::name, TypeParam>(#name + of);
#include "frit/ops.def"
}

TYPED_TEST(AotOps, AllCasts) {
    const operands<TypeParam> all;
    const array<TypeParam>& x = all.a;
#define FRIT_X(name, type) expect_same(frit::cast<type>(x), "to " #name);
    FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
}

}  // namespace
