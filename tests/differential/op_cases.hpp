// Every row of the op table applied to given operands, by the name or operator that a user writes: expanded from ops.def,
// so that a new row is tested by being there.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include <frit/frit.hpp>

#include "tests/support/recorder.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/values.hpp"

namespace frit_test {

#define FRIT_X(name, type) , type
template <class Ignored, class... T>
using types_of = testing::Types<T...>;
/// For a test of each.
using every_dtype = types_of<void FRIT_ARRAY_DTYPES(FRIT_X)>;
#undef FRIT_X

/// A pending result with what is needed to check it.
struct op_case {
    frit::op code;
    std::string name;
    frit::dtype type;
    frit::detail::handle_ref node;
};

/// Elements in memory: every dtype fits, with its signs of zeros.
inline std::vector<ref::value> widened(frit::dtype type, const unsigned char* bytes, std::size_t count,
                                       std::int64_t stride = 1) {
    std::vector<ref::value> r(count);
    by_type(type, [&]<class T>(T) {
        for (std::size_t k = 0; k < count; ++k) {
            T v;
            std::memcpy(&v, bytes + static_cast<std::int64_t>(k) * stride * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
            r[k] = to_element<ref::value>(v);
        }
    });
    return r;
}

/// The elements of an evaluated (or now evaluated) node.
inline std::vector<ref::value> read_back(frit::detail::node_head* node) {
    const auto n = static_cast<std::size_t>(node->extents->size());
    std::vector<unsigned char> bytes(n * size_of(node->type) + 1);
    frit::detail::read(node, bytes.data(), {});
    return widened(node->type, bytes.data(), n);
}

template <class E>
op_case hold(frit::op code, const E& formula) {
    const auto stored = [&] {
        if constexpr (requires { formula.handle(); })
            return formula;
        else
            return frit::array<typename E::value_type>(formula);
    }();
    return {code, std::string(name_of(code)), stored.dtype(), stored.handle()};
}

/// Whether the op takes operands of this dtype.
template <class T>
constexpr bool takes(frit::op o) {
    return info(o).form != frit::op_form::HIDDEN && resolve(o, frit::dtype_of<T>).valid;
}

/// A selection's first operand is its condition.
template <frit::op O, class X, class M>
const auto& first_operand(const X& x, const M& m) {
    if constexpr (info(O).result == frit::op_result::SELECT)
        return m;
    else
        return x;
}

#define FRIT_TEST_INFIX(arity, token) x token y
#define FRIT_TEST_PREFIX(arity, token) token x
#define FRIT_TEST_CALL(arity, token) FRIT_TEST_CALL_##arity(token)
#define FRIT_TEST_CALL_1(token) frit::token(x)
#define FRIT_TEST_CALL_2(token) frit::token(x, y)
#define FRIT_TEST_CALL_3(token) frit::token(first_operand<frit::op::token>(x, m), y, z)
#define FRIT_TEST_HIDDEN(arity, token) x

/// All ops that take T, on x, y, z and the condition m (of `where`).
template <class T>
std::vector<op_case> apply_all(const frit::array<T>& x, const frit::array<T>& y, const frit::array<T>& z,
                               const frit::array<bool>& m) {
    std::vector<op_case> r;
#define FRIT_OP(name, arity, form, token, ...)               \
    if constexpr (takes<T>(frit::op::name)) {                \
        const auto formula = FRIT_TEST_##form(arity, token); \
        r.push_back(hold(frit::op::name, formula));          \
    }
#include "frit/ops.def"
    (void)y, (void)z, (void)m;
    return r;
}

/// The same with numbers in the place of some operands, recorded as a formula with numbers would be.
struct array_or_number {
    frit::detail::handle_ref node;  ///< none: the number
    ref::value number = 0;
};
inline std::vector<op_case> apply_all_with_numbers(frit::dtype t, const array_or_number& x, const array_or_number& y,
                                                   const array_or_number& z, const frit::detail::handle_ref& m) {
    std::vector<op_case> r;
    for (int k = 0; k < frit::detail::count_ops; ++k) {
        const auto o = static_cast<frit::op>(k);
        const frit::op_info& row = info(o);
        const frit::op_dtypes rule = resolve(o, t);
        if (row.form == frit::op_form::HIDDEN || !rule.valid || (row.arity == 1 && !x.node)) continue;
        const array_or_number operands[] = {row.result == frit::op_result::SELECT ? array_or_number{m} : x, y, z};
        recorder to;
        for (int j = 0; j < row.arity; ++j)
            if (operands[j].node)
                to.leaf(operands[j].node);
            else
                to.scalar(rule.operand, operands[j].number);
        to.apply(o, rule.result);
        const frit::detail::handle_ref node = to.record();
        r.push_back({o, std::string(row.name), node->type, node});
    }
    return r;
}

}  // namespace frit_test
