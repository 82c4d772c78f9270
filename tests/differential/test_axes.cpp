// Every reduction of the op table x every subset of the axes of ranks 1 to 4 x keepdims x where x dtype against the
// reference, by the interpreter fused and unfused; some of it by the compiling engine.
#include <gtest/gtest.h>

#include <cmath>
#include <iomanip>
#include <limits>
#include <string>

#include "tests/differential/layouts.hpp"
#include "tests/differential/op_cases.hpp"
#include "tests/differential/random_program_parts.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/thorough.hpp"

namespace {
using frit::array;
using frit::dtype;
using frit::op;

constexpr std::uint64_t seed = 4711;

/// An operand and a mask that broadcasts to it.
template <class T>
struct inputs {
    array<T> x;
    array<bool> mask;
    ref::array plain, plain_mask;
};

template <class T>
ref::number identity(op o) {
    using limits = std::numeric_limits<frit::cpp_type<frit::real_dtype(frit::dtype_of<T>)>>;
    const long double top = limits::has_infinity ? limits::infinity() : limits::max(),
                      bottom = limits::has_infinity ? -limits::infinity() : limits::lowest();
    constexpr bool complex = frit::is_complex(frit::dtype_of<T>);
    switch (frit::reduction(o).identity) {
        case frit::reduction_identity::ZERO: return {0, 0, 0};
        case frit::reduction_identity::ONE: return {1, 0, 0};
        case frit::reduction_identity::LOWEST: return {bottom, 0, 0, complex ? bottom : 0};
        default: return {top, 0, 0, complex ? top : 0};
    }
}

template <class T>
ref::array masked(op o, const inputs<T>& in) {
    const bool truth = frit::reduction(o).result == frit::op_result::BOOL;
    const ref::array x = truth ? ref::cast(in.plain, dtype::bool_) : in.plain;
    return ref::elementwise(op::where, {in.plain_mask, x, ref::array{x.type, {}, {identity<T>(o)}, false}});
}

/// What frit gives in every form of the call, and what it should give.
struct expectation {
    frit_test::op_case got;
    ref::array want;
};

/// Rows without elements have no best one: those are left out.
bool has_result(op o, const ref::array& x, const std::vector<int>& axes) {
    const bool best = frit::reduction(o).identity == frit::reduction_identity::LOWEST ||
                      frit::reduction(o).identity == frit::reduction_identity::HIGHEST;
    if (!best) return true;
    for (int k : axes)
        if (x.extents[static_cast<std::size_t>(k)] == 0) return false;
    return true;
}

#define FRIT_FOUR_FORMS(name)                                                                                               \
    r.push_back({hold(op::name, frit::name(in.x, axes)), ref::reduce(op::name, in.plain, axes)});                           \
    r.push_back({hold(op::name, frit::name(in.x, axes, frit::keepdims)), ref::reduce(op::name, in.plain, axes, true)});     \
    r.push_back(                                                                                                            \
        {hold(op::name, frit::name(in.x, axes, frit::where(in.mask))), ref::reduce(op::name, masked(op::name, in), axes)}); \
    r.push_back({hold(op::name, frit::name(in.x, axes, frit::where(in.mask), frit::keepdims)),                              \
                 ref::reduce(op::name, masked(op::name, in), axes, true)});

template <class T>
std::vector<expectation> along(const inputs<T>& in, const std::vector<int>& axes) {
    using frit_test::hold;
    std::vector<expectation> r;
#define FRIT_KIND_PLAIN(name)                                 \
    if constexpr (frit::takes(op::name, frit::dtype_of<T>)) { \
        if (has_result(op::name, in.plain, axes)) {           \
            FRIT_FOUR_FORMS(name)                             \
        }                                                     \
    }
#define FRIT_KIND_INDEX(name)                                           \
    if constexpr (frit::takes(op::name, frit::dtype_of<T>)) {           \
        if (axes.size() == 1 && has_result(op::name, in.plain, axes)) { \
            FRIT_FOUR_FORMS(name)                                       \
        }                                                               \
    }
#define FRIT_KIND_DEVIATIONS(name)
#define FRIT_KIND_PAIR(name)
#define FRIT_KIND_LAST(name)
#define FRIT_REDUCTION(name, kind, ...) FRIT_KIND_##kind(name)
#include "frit/ops.def"
#undef FRIT_KIND_PLAIN
#undef FRIT_KIND_INDEX
#undef FRIT_KIND_DEVIATIONS
#undef FRIT_KIND_PAIR
#undef FRIT_KIND_LAST
    return r;
}
#undef FRIT_FOUR_FORMS

void expect_all(const std::vector<expectation>& list, const std::string& where) {
    std::vector<frit::detail::node_head*> nodes;
    for (const expectation& e : list) nodes.push_back(e.got.node.get());
    frit::detail::eval(nodes, {});
    for (const expectation& e : list) {
        const std::vector<ref::value> got = frit_test::read_back(e.got.node.get());
        ASSERT_EQ(e.got.type, e.want.type) << e.got.name;
        ASSERT_EQ(to_string(*e.got.node->extents), to_string(frit::shape(e.want.extents))) << e.got.name << where;
        for (std::size_t k = 0; k < got.size(); ++k) {
            const ref::number& w = e.want.data[k];
            if (w.allows(got[k])) continue;
            ADD_FAILURE() << std::setprecision(20) << e.got.name << where << ", element " << k << ": got " << got[k]
                          << ", want " << w.at() << " within " << w.err;
            break;
        }
    }
}

template <class T>
inputs<T> make(const ref::position& extents, std::uint64_t which) {
    frit_test::generator g(seed + which);
    std::int64_t n = 1;
    for (std::int64_t e : extents) n *= e;
    const std::vector<T> values = frit_test::sample<T>(g, n, 0);
    // The mask spans the last axes alone: it broadcasts.
    const ref::position last(extents.begin() + (extents.size() > 2 ? 1 : 0), extents.end());
    std::int64_t masks = 1;
    for (std::int64_t e : last) masks *= e;
    std::vector<bool> mask;
    for (std::int64_t k = 0; k < masks; ++k) mask.push_back(g.chance(0.6));
    return {frit_test::from_values(values, frit::shape(extents)), frit_test::from_values(mask, frit::shape(last)),
            frit_test::plain_array(values, extents), frit_test::plain_array(mask, last)};
}

/// The same array with its axes reversed: the last one no longer lies together.
template <class T>
inputs<T> reversed(const inputs<T>& in) {
    std::vector<int> order;
    for (int k = in.plain.rank(); k-- > 0;) order.push_back(k);
    const ref::array plain = ref::transpose(in.plain, order);
    return {array<T>(in.x.T()), array<bool>{true}, plain, ref::array{dtype::bool_, {}, {{1, 0, 0}}, false}};
}

template <class T>
void every_subset(const inputs<T>& in, const std::string& how, std::size_t of = 1) {
    const int rank = in.plain.rank();
    for (unsigned bits = 1; bits < 1U << rank; ++bits) {
        if (!frit_test::sampled(bits + static_cast<std::size_t>(frit::dtype_of<T>), of)) continue;
        std::vector<int> axes;
        for (int k = 0; k < rank; ++k)
            if (bits >> k & 1U) axes.push_back(k);
        expect_all(along(in, axes), " of " + std::string(name_of(frit::dtype_of<T>)) + ' ' +
                                        frit_test::text_of(in.plain.extents) + " over " + frit_test::text_of(axes) + ", " +
                                        how + " (seed " + std::to_string(seed) + ')');
    }
}

template <class T>
class Axes : public testing::Test {};
TYPED_TEST_SUITE(Axes, frit_test::every_dtype);

const ref::position shapes[] = {{7},       {130},      {5, 9},       {70, 3},   {2, 200}, {1, 6},      {3, 4, 5},
                                {4, 1, 6}, {2, 70, 3}, {2, 3, 4, 3}, {3, 0, 2}, {0, 4},   {1, 1, 1, 1}};

TYPED_TEST(Axes, InterpreterFusedAndUnfused) {
    const frit_test::with_engine interpreter(frit_test::engine::interpreter);
    for (std::size_t s = 0; s < std::size(shapes); ++s) {
        every_subset(make<TypeParam>(shapes[s], s), "interpreter");
        every_subset(reversed(make<TypeParam>(shapes[s], s)), "interpreter, axes reversed");
        const frit_test::without_fusion off;
        every_subset(make<TypeParam>(shapes[s], s), "unfused");
    }
}

template <class T>
void compiled() {
    for (const frit_test::engine e : frit_test::compiled_engines()) {
        const frit_test::with_engine here(e);
        const std::string name = name_of(e);
        const bool host = e == frit_test::engine::cxx;
        std::size_t k = static_cast<std::size_t>(frit::dtype_of<T>);
        for (const ref::position& extents : {ref::position{130}, ref::position{5, 9}, ref::position{3, 4, 5}}) {
            if (!host || frit_test::host_compiler_takes(k++, 12)) every_subset(make<T>(extents, 1), name.c_str(), 2);
            if (!host || frit_test::host_compiler_takes(k++, 12))
                every_subset(reversed(make<T>(extents, 1)), (name + ", axes reversed").c_str(), 2);
        }
    }
}
TEST(AxesCompiled, Float32) { compiled<float>(); }
TEST(AxesCompiled, Int32) { compiled<std::int32_t>(); }
TEST(AxesCompiled, Bool) { compiled<bool>(); }

// Along rows of many lengths, long enough for blocks; NaN and infinities among the values.
TEST(Axes, LongAndShortRows) {
    for (auto e : frit_test::engines()) {
        const frit_test::with_engine engine(e);
        std::size_t k = 0;
        for (std::int64_t n : {1, 2, 63, 64, 65, 4095, 4096, 4097, 9001})
            for (bool tall : {false, true}) {
                if (e == frit_test::engine::cxx && !frit_test::host_compiler_takes(k++, 10)) continue;
                const ref::position extents = tall ? ref::position{n, 2} : ref::position{2, n};
                inputs<double> in = make<double>(extents, static_cast<std::uint64_t>(n));
                expect_all(along(in, {tall ? 0 : 1}), " of rows of " + std::to_string(n) + (tall ? ", down" : ", across"));
                frit_test::generator g(seed);
                const std::vector<double> wild = frit_test::sample<double>(g, 2 * n, 0.1);
                in.x = frit_test::from_values(wild, frit::shape(extents));
                in.plain = frit_test::plain_array(wild, extents);
                expect_all(along(in, {tall ? 0 : 1}), " with edges, rows of " + std::to_string(n));
            }
    }
}

// What stands beside a total may be computed from memory itself: where there is one element only, and where it is 0-d.
TEST(Axes, TotalsBesideWhatOtherArraysHold) {
    for (auto e : frit_test::engines()) {
        const frit_test::with_engine engine(e);
        const array<int> k = frit::scalar(3), one{5};
        const array<double> x = frit::linspace(0.0, 1.0, 101), q = frit::scalar(4.0);
        frit::eval(k, one, x, q);
        EXPECT_NEAR(array<double>(sum(x) + frit::cast<double>(k) * 2.0).item(), 56.5, 1e-12);
        EXPECT_NEAR(array<double>(sum(x) * frit::cast<double>(k) + sqrt(q)).item(), 153.5, 1e-12);
        EXPECT_NEAR(array<double>(x * frit::cast<double>(k) + sum(x)).to_vector()[100], 53.5, 1e-12);
        EXPECT_EQ(array<double>(frit::cast<double>(one) - max(frit::cast<double>(one), 0, frit::keepdims)).item(), 0);
        EXPECT_EQ(layer_norm(one, 0).item(), 0);
    }
}

// Without axes: the place in row-major order.
TEST(Axes, PlacesInAllElements) {
    const inputs<float> in = make<float>({4, 5, 6}, 9);
    const auto want = [&](op o, const ref::array& of) { return static_cast<std::int64_t>(ref::reduce(o, of).data[0].v); };
    EXPECT_EQ(argmax(in.x).item(), want(op::argmax, in.plain));
    EXPECT_EQ(argmin(in.x).item(), want(op::argmin, in.plain));
    EXPECT_EQ(argmax(in.x.T()).item(), want(op::argmax, ref::transpose(in.plain, {2, 1, 0})));
    EXPECT_EQ(argmax(in.x, frit::where(in.mask)).item(), want(op::argmax, masked(op::argmax, in)));
    EXPECT_EQ(argmin(in.x, frit::keepdims, frit::where(in.mask)).item(), want(op::argmin, masked(op::argmin, in)));
    EXPECT_EQ(argmax(array<float>{1, std::nanf(""), 7, std::nanf("")}).item(), 1);
}

// One type of formula, and so one slot that remembers plans: axes and keepdims are no part of the type.
TEST(Axes, FormulasOfOneTypeDoNotShareThePlansOfOtherAxes) {
    const inputs<double> in = make<double>({6, 6, 6}, 3);
    const auto statement = [&](const std::vector<int>& axes, bool keep) {
        const frit::axes which(axes);
        return keep ? array<double>(sum(in.x * 2.0, which, frit::keepdims)) : array<double>(sum(in.x * 2.0, which));
    };
    const ref::array doubled = ref::elementwise(op::add, {in.plain, in.plain});
    for (int round = 0; round < 3; ++round)
        for (const std::vector<int>& axes : std::vector<std::vector<int>>{{0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}, {0, 1, 2}})
            for (bool keep : {false, true})
                expect_all({{frit_test::hold(op::sum, statement(axes, keep)), ref::reduce(op::sum, doubled, axes, keep)}},
                           " over " + frit_test::text_of(axes));
}

// An operand that has one element per row dies in the kernel, and its memory takes the result: every thread of a row has
// read it by then.
TEST(Axes, OperandsOfRowsGiveTheirMemory) {
    for (const std::int64_t columns : {3, 32, 300, 3000}) {
        const std::int64_t rows = 5;
        const array<float> x = frit::arange<float>(rows * columns).reshape({rows, columns});
        array<float> b = frit::arange<float>(rows);
        frit::eval(x, b);
        array<float> y = b + frit::max(x, 1);
        b = {};
        const std::vector<float> values = y.to_vector();
        for (std::int64_t r = 0; r < rows; ++r)
            EXPECT_EQ(values[static_cast<std::size_t>(r)], static_cast<float>(r + (r + 1) * columns - 1)) << columns;
    }
}

}  // namespace
