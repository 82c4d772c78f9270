// Evaluated results of many ops, compared with the reference element by element, and with another engine's bits.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <iomanip>
#include <limits>
#include <string>
#include <vector>

#include "tests/differential/op_cases.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/ulp.hpp"

namespace frit_test {

/// NaN, infinities, zeros and subnormals have fixed results in every op; other operands only inside the row's domain. What a
/// complex op says of which operands, its reference does.
inline bool inside_domain(const frit::op_info& row, frit::dtype type, const ref::number& x) {
    if (row.ulp == 0 || !frit::is_float(type)) return true;
    const frit::dtype computed = frit::register_dtype(type);
    const long double small =
        computed == frit::dtype::f32 ? std::numeric_limits<float>::min() : std::numeric_limits<double>::min();
    return !std::isfinite(x.v) || std::fabs(x.v) < small ||
           (x.v >= static_cast<long double>(row.lo) && x.v <= static_cast<long double>(row.hi));
}

/// @param of  the operands' dtype
inline bool matches(frit::op o, frit::dtype of, frit::dtype type, ref::value got, const ref::number& want) {
    if (!want.known()) return true;
    if (want.err == 0) return ref::same(got, want.at());
    if (frit::is_complex(of) || frit::is_short(type)) return want.allows(got);
    if (std::isnan(want.v)) return std::isnan(got.real());
    const long double ulps = type == frit::dtype::f32 ? ulp_distance(static_cast<float>(got.real()), want.v)
                                                      : ulp_distance(static_cast<double>(got.real()), want.v);
    return ulps <= static_cast<long double>(info(o).ulp);
}

struct outcome {
    frit::op code;
    std::string name;
    frit::dtype type;
    std::vector<ref::value> values;
};

/// Evaluates all ops in one plan and reads the results.
inline std::vector<outcome> evaluate(const std::vector<op_case>& cases) {
    std::vector<frit::detail::node_head*> nodes;
    for (const op_case& c : cases) nodes.push_back(c.node.get());
    frit::detail::eval(nodes, {});
    std::vector<outcome> r;
    for (const op_case& c : cases) r.push_back({c.code, c.name, c.type, read_back(c.node.get())});
    return r;
}

/// The results of ops on operands x (as many as an op takes) and, for `where`, the condition m.
inline void expect_reference(const std::vector<outcome>& results, const std::vector<ref::array>& x, const ref::array& m,
                             const std::string& where) {
    for (const outcome& r : results) {
        const frit::op_info& row = info(r.code);
        std::vector<ref::array> in(x.begin(), x.begin() + row.arity);
        const bool select = row.result == frit::op_result::SELECT;
        if (select) in[0] = m;
        frit::dtype type = in[select].type;
        for (const ref::array& operand : in)
            if (&operand != &in[0] || !select) type = frit::promote(type, operand.type);
        const ref::array want = ref::stored(ref::elementwise(r.code, in));
        ASSERT_EQ(r.type, want.type) << r.name << ' ' << where;
        ASSERT_EQ(r.values.size(), want.data.size()) << r.name << ' ' << where;
        for (ref::array& operand : in) operand = ref::broadcast_to(operand, want.extents);
        std::size_t wrong = 0, in_domain = 0;
        for (std::size_t k = 0; k < r.values.size(); ++k) {
            bool checked = true;
            for (const ref::array& operand : in)
                checked = checked && inside_domain(row, frit::to_floating(type), operand.data[k]);
            in_domain += checked;
            if (!checked || matches(r.code, type, r.type, r.values[k], want.data[k])) continue;
            if (++wrong > 3) break;
            std::string text = r.name + "(";
            for (const ref::array& operand : in)
                text += (text.back() == '(' ? "" : ", ") + testing::PrintToString(operand.data[k].at());
            ADD_FAILURE() << std::setprecision(20) << text << ") of " << name_of(type) << ", " << where << ", element " << k
                          << ": got " << r.values[k] << ", want " << want.data[k].at() << " within " << want.data[k].err;
        }
        if (r.values.size() >= 1000) {
            EXPECT_GT(in_domain, r.values.size() / 100) << r.name << ' ' << where;
        }
    }
}

inline void expect_same(const std::vector<outcome>& got, const std::vector<outcome>& want, const std::string& where) {
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t c = 0; c < got.size(); ++c) {
        ASSERT_EQ(got[c].values.size(), want[c].values.size());
        for (std::size_t k = 0; k < got[c].values.size(); ++k)
            if (!ref::same(got[c].values[k], want[c].values[k])) {
                ADD_FAILURE() << std::setprecision(20) << got[c].name << " of element " << k << ", " << where << ": "
                              << got[c].values[k] << ", interpreter fused: " << want[c].values[k];
                break;
            }
    }
}

}  // namespace frit_test
