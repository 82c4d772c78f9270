// Formulas of elements and of pairs of arrays: dot, pad, isclose; and the constants that formulas start from.
#include "src/formulas/values.hpp"

namespace frit::inline v0::detail {

user_ref dot_of(const user_ref& a, const user_ref& b, source_line where) {
    check_dot(*a->extents, *b->extents, where);
    const dtype type = sum_dtype(promote(a->meant, b->meant)), computed = register_dtype(type);
    return result(reduce<op::sum>(cast(value(a), computed) * cast(value(b), computed)), type, where);
}

user_ref pad_of(const user_ref& x, std::span<const pad_width> widths, pad_mode mode, const user_ref& fill,
                source_line where) {
    const attribute_ref map = pad_attribute(*x->extents, widths, mode, where);
    if (mode == pad_mode::constant && map->source.size() == 0)
        return result(make_view(value(fill), broadcast_attribute(shape(), map->result, where)), where);
    const auto edges = make_view(value(x), map);
    if (mode == pad_mode::edge) return result(edges, where);
    const composed<dtype::bool_> inside(user_ref(pad_interior(*map, where).get()));
    return result(frit::where(inside, edges, value(fill)), where);
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
        FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
        default: throw_dtype_error("formula", "no array has this dtype", {&type, 1}, unknown_line);
    }
}
}  // namespace

user_ref identity_of(op code, dtype type) {
    return with_dtype(type, [&]<dtype D>() { return result(scalar_child<D>{identity_bits(code, type)}, unknown_line); });
}

user_ref constant_of(const weak_number& n, source_line where) {
    return with_dtype(n.type, [&]<dtype D>() { return result(scalar_child<D>{n.bits}, where); });
}

user_ref constant_of(const weak_number& n, dtype to, source_line where) {
    return with_dtype(n.type, [&]<dtype D>() {
        return result(make_converted<run_time>(weak_child<D>{n.bits}, to, conversion::written), where);
    });
}

}  // namespace frit::v0::detail
