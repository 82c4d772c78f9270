// Operands of different dtypes: every op of two operands x every pair of dtypes, edges against edges. The conversions are
// the planner's, from the promoted dtype; the interpreter runs them fused and apart. (Casts by themselves: test_casts.cpp.)
#include <gtest/gtest.h>

#include "tests/differential/layouts.hpp"
#include "tests/differential/outcomes.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/from_values.hpp"

namespace {

/// All edges of a dtype, as a column or as a row: broadcast against another dtype's they make every pair.
struct edges {
    frit::detail::handle_ref lazy;
    ref::array plain;
    frit::dtype type() const { return plain.type; }
};
template <class T>
edges edges_of(bool column) {
    const std::vector<T> values = frit_test::edges<T>();
    const auto n = static_cast<std::int64_t>(values.size());
    const ref::position extents = column ? ref::position{n, 1} : ref::position{1, n};
    return {frit_test::from_values(values, frit::shape(extents)).handle(), frit_test::plain_array(values, extents)};
}

void check_pair(const edges& x, const edges& y) {
    const std::string names = std::string(name_of(x.type())) + " and " + std::string(name_of(y.type()));
    const auto make = [&] {
        std::vector<frit_test::op_case> r;
        for (int k = 0; k < frit::detail::count_ops; ++k) {
            const auto o = static_cast<frit::op>(k);
            const frit::op_dtypes rule = resolve(o, frit::promote(x.type(), y.type()));
            if (info(o).arity != 2 || info(o).form == frit::op_form::HIDDEN || !rule.valid) continue;
            frit_test::recorder to;
            to.leaf(x.lazy);
            to.leaf(y.lazy);
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

void check_left(const edges& x) {
#define FRIT_X(name, type) check_pair(x, edges_of<type>(false));
    FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
}

#define FRIT_X(name, type) \
    TEST(MixedDtypes, WithOnTheLeft_##name) { check_left(edges_of<type>(true)); }
FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X

}  // namespace
