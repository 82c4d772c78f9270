// Formulas of elements and of pairs of arrays: dot, isclose; and the constants that formulas start from.
#include "src/formulas/factors.hpp"
#include "src/formulas/values.hpp"

namespace frit::inline v0::detail {

user_ref dot_of(const user_ref& a, const user_ref& b, source_line where) {
    check_dot(*a->extents, *b->extents, where);
    const dtype type = sum_dtype(promote(a->meant, b->meant)), computed = register_dtype(type);
    return result(reduce<op::sum>(as_factor(value(a), computed) * as_factor(value(b), computed)), type, where);
}

user_ref isclose_of(const compared& a, const compared& b, double rtol, double atol, source_line where) {
    const dtype type = register_dtype(to_floating(common_dtype({{a.weak, a.node->meant}, {b.weak, b.node->meant}})));
    const value x = in_dtype(value(a.node), type, where), y = in_dtype(value(b.node), type, where);
    return result((x == y) | ((abs(x - y) <= atol + rtol * abs(y)) & isfinite(y)), where);
}

namespace {
/// Calls f with the dtype as a template's argument.
template <class F>
user_ref with_dtype(dtype type, F&& f) {
    switch (type) {
#define FRIT_X(name, ctype) \
    case dtype::name: return f.template operator()<dtype::name>();
        FRIT_COMPUTE_DTYPES(FRIT_X)
#undef FRIT_X
        default: throw_dtype_error("formula", "nothing is computed in this dtype", {&type, 1}, unknown_line);
    }
}
/// A number as a formula: Child stands for a part of it, given the bits and the dtype of that.
template <template <dtype> class Child, class F>
user_ref with_number(const weak_number& n, F&& f) {
    if (n.type != dtype::c128) return with_dtype(n.type, [&]<dtype D>() { return f(Child<D>{n.bits}); });
    using part = Child<dtype::f64>;
    constexpr dtype D = std::is_same_v<part, weak_child<dtype::f64>> ? run_time : dtype::c128;
    return f(expr<op::complex, D, part, part>(from_children{}, part{n.bits}, part{n.imag}));
}
}  // namespace

user_ref identity_of(op code, dtype type) {
    return with_dtype(real_dtype(register_dtype(type)), [&]<dtype D>() {
        const scalar_child<D> number{identity_bits(code, type)};
        if constexpr (is_float(D))
            if (is_complex(type) && is_ordered(code)) {
                constexpr dtype C = complex_dtype(D);
                using both = expr<op::complex, C, scalar_child<D>, scalar_child<D>>;
                return result(both(from_children{}, scalar_child<D>{number}, scalar_child<D>{number}), unknown_line);
            }
        return result(make_converted<run_time>(number, type, conversion::cast), unknown_line);
    });
}

user_ref constant_of(const weak_number& n, source_line where) {
    return with_number<scalar_child>(n, [&](const auto& number) { return result(number, where); });
}

user_ref constant_of(const weak_number& n, dtype to, source_line where, const char* who) {
    return with_number<weak_child>(n, [&](const auto& number) {
        const auto converted = make_converted<run_time>(number, to, conversion::written);
        return record_result(packed<operand_t<decltype(converted)>>(converted, where, who).value);
    });
}

}  // namespace frit::v0::detail
