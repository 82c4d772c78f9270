// Reductions, from the rows of ops.def: over all elements or along axes, as lazy recipes that fuse with what produces their
// operand and with what is computed from their result.
//
//     sum(x)   sum(x, 1)   sum(x, {0, -1})   sum(x, -1, frit::keepdims)   sum(x, 1, frit::where(mask), frit::keepdims)
//
// Axes are integers, negative ones from the back. Tags follow the axes, or the operand, in any order:
//     keepdims     reduced axes stay, with extent 1
//     where(mask)  elements where the mask (of bool, broadcast to x's shape) is false count as the value that changes no
//                  result: 0 in a sum, the largest value of the dtype in min and argmin, its lowest in max and argmax. That
//                  value is the result where nothing is left.
//     ddof(n)      var and stddev alone: see statistics.hpp
// A product of complex numbers does not recover infinities as the operator * does: where a partial product overflows, parts
// of the result may be NaN.
// Complex numbers are ordered by their real parts, then by their imaginary ones; one is NaN if a part of it is. min and max
// give the first NaN of a row, or the first of equal ones (of zeros with either sign, say), argmin and argmax its place.
// All throw index_error for an axis that is out of range or given twice, naming function, shape and line.
#pragma once

#include "frit/array.hpp"
#include "frit/detail/attributes.hpp"
#include "frit/expr.hpp"
#include "frit/opcode.hpp"
#include "frit/ops.hpp"

namespace frit::inline v0 {

/// An option of reductions: only elements where `mask` is true count. A mask of another shape broadcasts to the operand's.
template <detail::operand M>
auto where(const M& mask, source_line line = {}) {
    static_assert(detail::mask_operand<M>, "frit: where(mask) takes a mask of bool: compare first");
    detail::check_mask_dtype(mask, line);
    return detail::masked_by<decltype(detail::as_value(mask))>{detail::as_value(mask), line};
}

namespace detail {

/// The result of Op over A's elements.
template <op Op, class A>
constexpr dtype reduced_dtype() {
    static_assert(operand_t<A>::type == run_time || takes(Op, operand_t<A>::type),
                  "frit: this reduction does not take complex numbers: reduce abs(x), real(x) or imag(x)");
    return reduction_dtype(Op, operand_t<A>::type);
}
template <op Op, class A>
auto reduce(A&& x) {
    constexpr dtype D = reduced_dtype<Op, A>();
    return make_as<Op, D, D>(static_cast<A&&>(x));
}
template <op Op, class A>
auto reduce_along(A&& x, const attribute_ref& over) {
    constexpr dtype D = reduced_dtype<Op, A>();
    return make_as<Op, D, D>(static_cast<A&&>(x), axes_child<D>{over});
}

/// What changes no result of Op. A real number stays one beside complex operands, but by that they are not ordered.
template <op Op, dtype D>
auto identity_child() {
    using part = scalar_child<real_dtype(D)>;
    const part re{identity_bits(Op, D)};
    if constexpr (is_complex(D) && is_ordered(Op))
        return expr<op::complex, D, part, part>(from_children{}, part{re}, part{re});
    else
        return re;
}

/// x, or what changes no result of Op where the mask, broadcast to shape `to`, is false.
template <op Op, class A, class M>
auto select(A&& x, const M& mask, const shape& to, std::string_view who, source_line where) {
    if constexpr (std::is_same_v<M, no_mask>) {
        return as_value(x);
    } else if constexpr (reduction(Op).result == op_result::BOOL && operand_t<A>::type != dtype::bool_) {
        return select<Op>(cast<bool>(static_cast<A&&>(x)), mask, to, who, where);
    } else {
        constexpr dtype D = operand_t<A>::type;
        const auto kept = make_view(mask, mask_attribute(who, mask.shape(where), to, where));
        if constexpr (D == run_time)
            return make_as<op::where, D, D>(kept, x, leaf<D>(identity_of(Op, dtype_of_operand(x, where)).get()));
        else
            return make_as<op::where, D, D>(kept, static_cast<A&&>(x), identity_child<Op, D>());
    }
}

/// @param who  the function that errors name
template <op Op, class A, class M>
auto reduce_where(A&& x, const reduction_options& o, const M& mask, std::string_view who = name_of(Op)) {
    const shape extents = x.shape(o.where);
    const attribute_ref over = reduce_attribute(who, extents, o);
    if constexpr (std::is_same_v<M, no_mask>)
        return reduce_along<Op>(static_cast<A&&>(x), over);
    else
        return reduce_along<Op>(select<Op>(static_cast<A&&>(x), mask, extents, who, o.where), over);
}

/// The place in x as one vector; with keepdims, of x's rank.
template <op Op, bool Keepdims, class A, class M>
auto place_in_all(const A& x, const reduction_options& o, const M& mask) {
    const shape extents = x.shape(o.where);
    auto place = reduce<Op>(select<Op>(x, mask, extents, name_of(Op), o.where).reshape({-1}, o.where));
    if constexpr (Keepdims)
        return place.reshape(reduce_attribute(name_of(Op), extents, o)->result, o.where);
    else
        return place;
}

}  // namespace detail

#define FRIT_ALONG_AXES(name)                                                                                 \
    template <detail::operand A, detail::reduction_tag... Tags>                                               \
    auto name(A&& x, const detail::reduced_axes& over, const Tags&... tags) {                                 \
        return detail::reduce_where<op::name>(static_cast<A&&>(x), detail::options_of<false>(&over, tags...), \
                                              detail::find_mask::among(tags...));                             \
    }                                                                                                         \
    detail::FRIT_OPTIONS_ARE_TAGS(#name, "keepdims") name(detail::any_operand, detail::anything, ...) = delete;
#define FRIT_KIND_PLAIN(name)                                                                                        \
    template <detail::operand A>                                                                                     \
    auto name(A&& x) {                                                                                               \
        return detail::reduce<op::name>(static_cast<A&&>(x));                                                        \
    }                                                                                                                \
    FRIT_ALONG_AXES(name)                                                                                            \
    template <detail::operand A, detail::reduction_tag Tag, detail::reduction_tag... More>                           \
    auto name(A&& x, const Tag& tag, const More&... more) {                                                          \
        return detail::reduce_where<op::name>(static_cast<A&&>(x), detail::options_of<false>(nullptr, tag, more...), \
                                              detail::find_mask::among(tag, more...));                               \
    }
// argmin and argmax: along one axis, or the index in row-major order over all elements.
#define FRIT_KIND_INDEX(name)                                                                                               \
    template <detail::operand A>                                                                                            \
    auto name(const A& x, source_line where = {}) {                                                                         \
        return detail::reduce<op::name>(x.reshape({-1}, where));                                                            \
    }                                                                                                                       \
    FRIT_ALONG_AXES(name)                                                                                                   \
    template <detail::operand A, detail::reduction_tag Tag, detail::reduction_tag... More>                                  \
    auto name(const A& x, const Tag& tag, const More&... more) {                                                            \
        constexpr bool keep = (std::is_same_v<Tag, detail::keepdims_t> || ... || std::is_same_v<More, detail::keepdims_t>); \
        return detail::place_in_all<op::name, keep>(x, detail::options_of<false>(nullptr, tag, more...),                    \
                                                    detail::find_mask::among(tag, more...));                                \
    }
#define FRIT_KIND_DEVIATIONS(name)
#define FRIT_KIND_PAIR(name)
#define FRIT_KIND_LAST(name)
#define FRIT_REDUCTION(name, kind, ...) FRIT_KIND_##kind(name)
#define FRIT_REDUCTION_OF_OBJECT(...)
#include "frit/ops.def"
#undef FRIT_ALONG_AXES
#undef FRIT_KIND_PLAIN
#undef FRIT_KIND_INDEX
#undef FRIT_KIND_DEVIATIONS
#undef FRIT_KIND_PAIR
#undef FRIT_KIND_LAST

template <class E>
auto detail::all_t::operator()(E&& x) const {
    static_assert(operand<E>, "frit: all(x) takes an array or a recipe");
    return reduce<op::all>(static_cast<E&&>(x));
}
template <class E, detail::reduction_tag... Tags>
auto detail::all_t::operator()(E&& x, const reduced_axes& over, const Tags&... tags) const {
    return reduce_where<op::all>(static_cast<E&&>(x), options_of<false>(&over, tags...), find_mask::among(tags...));
}
template <class E, detail::reduction_tag Tag, detail::reduction_tag... More>
auto detail::all_t::operator()(E&& x, const Tag& tag, const More&... more) const {
    return reduce_where<op::all>(static_cast<E&&>(x), options_of<false>(nullptr, tag, more...),
                                 find_mask::among(tag, more...));
}

}  // namespace frit::v0
