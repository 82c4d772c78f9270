// The values that the formulas of complex numbers (functions.hpp) are written with: handles of real values of a graph, with
// C++'s operators and the functions of <cmath>. Each operation appends an op to the graph, where equal ones are found, so
// that a formula may repeat itself.
#pragma once

#include <array>

#include "fusion/ir/graph.hpp"

namespace frit::inline v0::detail {

/// A real or a truth value of a graph; or a number, which takes the dtype of what it stands beside.
struct real_value {
    fusion::graph* graph = nullptr;
    fusion::value_id id = fusion::no_value;
    double number = 0;

    real_value(double x) : number(x) {}
    real_value(fusion::graph& g, fusion::value_id v) : graph(&g), id(v) {}
    dtype type() const { return graph->values[id].type; }
};

/// The op on these operands, of which one at least is a value.
template <class... V>
real_value applied(op code, const V&... operands) {
    fusion::graph* graph = nullptr;
    dtype type = dtype::f64;  // of numbers
    for (const real_value& x : {operands...}) {
        if (!x.graph) continue;
        graph = x.graph;
        if (x.type() != dtype::bool_) type = x.type();
    }
    const std::array ids{operands.graph ? operands.id : graph->add_constant(type, operands.number)...};
    return {*graph, graph->add_op(code, ids)};
}

#define FRIT_BINARY(token, code) \
    inline real_value operator token(const real_value& a, const real_value& b) { return applied(op::code, a, b); }
FRIT_BINARY(+, add)
FRIT_BINARY(-, sub)
FRIT_BINARY(*, mul)
FRIT_BINARY(/, div)
FRIT_BINARY(<, lt)
FRIT_BINARY(<=, le)
FRIT_BINARY(>, gt)
FRIT_BINARY(>=, ge)
FRIT_BINARY(==, eq)
FRIT_BINARY(!=, ne)
FRIT_BINARY(&, bit_and)
FRIT_BINARY(|, bit_or)
#undef FRIT_BINARY
inline real_value operator-(const real_value& a) { return applied(op::neg, a); }
inline real_value operator!(const real_value& a) { return applied(op::logical_not, a); }

#define FRIT_FUNCTION(name) \
    inline real_value name(const real_value& a) { return applied(op::name, a); }
FRIT_FUNCTION(abs)
FRIT_FUNCTION(isnan)
FRIT_FUNCTION(isinf)
FRIT_FUNCTION(isfinite)
FRIT_FUNCTION(sqrt)
FRIT_FUNCTION(exp)
FRIT_FUNCTION(expm1)
FRIT_FUNCTION(exp2)
FRIT_FUNCTION(log)
FRIT_FUNCTION(log1p)
FRIT_FUNCTION(log2)
FRIT_FUNCTION(log10)
FRIT_FUNCTION(sin)
FRIT_FUNCTION(cos)
FRIT_FUNCTION(tan)
FRIT_FUNCTION(sinh)
FRIT_FUNCTION(cosh)
FRIT_FUNCTION(tanh)
FRIT_FUNCTION(asin)
FRIT_FUNCTION(acos)
FRIT_FUNCTION(atan)
FRIT_FUNCTION(asinh)
FRIT_FUNCTION(acosh)
FRIT_FUNCTION(atanh)
FRIT_FUNCTION(trunc)
FRIT_FUNCTION(rint)
#undef FRIT_FUNCTION
#define FRIT_FUNCTION(name) \
    inline real_value name(const real_value& a, const real_value& b) { return applied(op::name, a, b); }
FRIT_FUNCTION(copysign)
FRIT_FUNCTION(fmax)
FRIT_FUNCTION(fmin)
FRIT_FUNCTION(atan2)
FRIT_FUNCTION(hypot)
FRIT_FUNCTION(rounded_mul)
#undef FRIT_FUNCTION
inline real_value fma(const real_value& a, const real_value& b, const real_value& c) { return applied(op::fma, a, b, c); }
inline real_value where(const real_value& m, const real_value& a, const real_value& b) {
    return applied(op::where, m, a, b);
}

}  // namespace frit::v0::detail
