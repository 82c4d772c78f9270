// Operands of different dtypes: every op of two operands x every pair of dtypes, edges against edges. The conversions are
// the planner's, from the promoted dtype; the interpreter runs them fused and apart. (Casts by themselves: test_casts.cpp.)
#include <gtest/gtest.h>

#include "tests/differential/layouts.hpp"
#include "tests/differential/outcomes.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/from_values.hpp"

namespace {

/// All edges of T, as a column or as a row: broadcast against another dtype's they make every pair.
template <class T>
frit_test::operand<T> edges(bool column) {
    const std::vector<T> values = frit_test::edges<T>();
    const auto n = static_cast<std::int64_t>(values.size());
    const ref::position extents = column ? ref::position{n, 1} : ref::position{1, n};
    return {frit_test::from_values(values, frit::shape(extents)), frit_test::plain_array(values, extents)};
}

template <class A, class B>
void check_pair(const frit_test::operand<A>& x, const frit_test::operand<B>& y) {
    const std::string names = std::string(name_of(frit::dtype_of<A>)) + " and " + std::string(name_of(frit::dtype_of<B>));
    const auto make = [&] {
        std::vector<frit_test::op_case> r;
        for (int k = 0; k < frit::detail::count_ops; ++k) {
            const auto o = static_cast<frit::op>(k);
            const frit::op_dtypes rule = resolve(o, frit::promote(frit::dtype_of<A>, frit::dtype_of<B>));
            if (info(o).arity != 2 || info(o).form == frit::op_form::HIDDEN || !rule.valid) continue;
            frit_test::recorder to;
            to.leaf(x.lazy.handle());
            to.leaf(y.lazy.handle());
            to.apply(o, rule.result);
            const frit::detail::handle_ref node = to.record();
            r.push_back({o, std::string(name_of(o)), node->type, node});
        }
        return r;
    };
    const frit_test::with_engine interpreter(frit_test::engine::interpreter);
    const std::vector<frit_test::outcome> fused = frit_test::evaluate(make());
    frit_test::expect_reference(fused, {x.plain, y.plain}, {}, names);
    const frit_test::without_fusion off;
    frit_test::expect_same(frit_test::evaluate(make()), fused, names + ", unfused");
}

template <class A>
void check_left() {
    const frit_test::operand<A> x = edges<A>(true);
#define FRIT_X(name, type) check_pair<A, type>(x, edges<type>(false));
    FRIT_COMPUTE_DTYPES(FRIT_X)
#undef FRIT_X
}

#define FRIT_X(name, type) \
    TEST(MixedDtypes, WithOnTheLeft_##name) { check_left<type>(); }
FRIT_COMPUTE_DTYPES(FRIT_X)
#undef FRIT_X

}  // namespace
