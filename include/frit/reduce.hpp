// Reductions over all elements, from the rows of ops.def: lazy recipes of rank 0 that fuse with what produces their operand
// and with what is computed from their result.
#pragma once

#include "frit/array.hpp"
#include "frit/expr.hpp"
#include "frit/opcode.hpp"
#include "frit/ops.hpp"

namespace frit::inline v0 {

namespace detail {
template <op Op, class A>
auto reduce(A&& x) {
    constexpr dtype D = reduction_dtype(Op, operand_t<A>::type);
    return make_as<Op, D, D>(static_cast<A&&>(x));
}
}  // namespace detail

// `all` is the object of index.hpp, so its row makes no function: FRIT_OBJECT_all turns the row's name into two arguments,
// and FRIT_SECOND then picks the macro that makes nothing.
#define FRIT_FUNCTION(name)                                   \
    template <detail::operand A>                              \
    auto name(A&& x) {                                        \
        return detail::reduce<op::name>(static_cast<A&&>(x)); \
    }
#define FRIT_NO_FUNCTION(name)
#define FRIT_OBJECT_all ~, FRIT_NO_FUNCTION
#define FRIT_SECOND(a, b, ...) b
#define FRIT_PICK(...) FRIT_SECOND(__VA_ARGS__, ~)
#define FRIT_KIND_PLAIN(name) FRIT_PICK(FRIT_OBJECT_##name, FRIT_FUNCTION)(name)
#define FRIT_KIND_INDEX(name)
#define FRIT_KIND_DEVIATIONS(name)
#define FRIT_REDUCTION(name, kind, ...) FRIT_KIND_##kind(name)
#include "frit/ops.def"
#undef FRIT_FUNCTION
#undef FRIT_NO_FUNCTION
#undef FRIT_OBJECT_all
#undef FRIT_SECOND
#undef FRIT_PICK
#undef FRIT_KIND_PLAIN
#undef FRIT_KIND_INDEX
#undef FRIT_KIND_DEVIATIONS

template <class E>
auto detail::all_t::operator()(E&& x) const {
    static_assert(operand<E>, "frit: all(x) takes an array or a recipe");
    return reduce<op::all>(static_cast<E&&>(x));
}

/// The mean of all elements, in floating point: integers and bool give double.
template <detail::operand A>
auto mean(A&& x, source_line where = {}) {
    constexpr dtype D = is_float(detail::operand_t<A>::type) ? detail::operand_t<A>::type : dtype::f64;
    const auto count = static_cast<cpp_type<D>>(x.size(where));
    return sum(cast<cpp_type<D>>(static_cast<A&&>(x))) / count;
}

}  // namespace frit::v0
