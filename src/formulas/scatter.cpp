// Values at arrays of indices, put there or combined with what is there; and what is made of that: totals of segments and
// bins. See indexing.hpp and src/libraries/scatter.cpp.
#include "frit/scatter.hpp"

#include <algorithm>
#include <string>

#include "src/formulas/factors.hpp"
#include "src/formulas/indexing.hpp"

namespace frit::inline v0::detail {
namespace {

using mask_value = composed<dtype::bool_>;

/// @throws dtype_error where they are not written into that dtype without a cast
user_ref as_written(dtype type, const user_ref& values, source_line where) {
    if (values->meant == type) return values;
    return result(make_converted<run_time>(value(values), type, conversion::written), where);
}

/// What a product of divisors of this dtype is made in.
dtype widest_of(dtype type) {
    switch (kind_of(type)) {
        case dtype_kind::unsigned_integer: return dtype::u64;
        case dtype_kind::integer: return dtype::i64;
        case dtype_kind::floating: return dtype::f64;
        case dtype_kind::complex: return dtype::c128;
        default: return type;
    }
}

/// What an empty segment has.
user_ref nothing_of(op code, dtype type, source_line where) {
    switch (code) {
        case op::scatter_add: return constant_of(weak_number(false), type, where);
        case op::scatter_mul: return constant_of(weak_number(true), type, where);
        default: return identity_of(code == op::scatter_min ? op::min : op::max, type);
    }
}

/// The axis of ids. @throws shape_error, index_error
int check_segments(std::string_view who, const shape& of, const shape& ids, std::int64_t count, std::int64_t axis,
                   source_line where) {
    const shape both[] = {of, ids};
    const auto along = static_cast<int>(axis < 0 ? axis + of.rank() : axis);
    if (along < 0 || along >= of.rank())
        throw_index_error(who, "axis " + std::to_string(axis) + " is out of range for rank " + std::to_string(of.rank()), of,
                          where);
    if (ids.rank() != 1 || of[along] != ids[0])
        throw_shape_error(who, "ids are a vector with an id for each element of the axis", both, where);
    if (count < 0) throw_index_error(who, "the number of segments must not be negative", of, where);
    return along;
}

}  // namespace

namespace {
/// Complex numbers combined with real ones. The imaginary part of a sum is what it was: -0 changes nothing. Those of a
/// product are two real ones.
user_ref scatter_of_real(op code, const user_ref& base, const indexed_access& a, const user_ref& values, const char* who,
                         source_line where) {
    const value written(as_written(real_dtype(base->meant), values, where));
    if (code == op::scatter_add) {
        const value nothing(constant_of(weak_number(-0.0), written.node()->meant, where));
        return scatter_of(code, base, a, recorded(complex(written, nothing), where).node(), who, where);
    }
    const auto combined = [&](const auto& part) {
        return value(scatter_of(code, recorded(part, where).node(), a, written.node(), who, where));
    };
    return result(complex(combined(real(value(base))), combined(imag(value(base)))), where);
}
}  // namespace

user_ref scatter_of(op code, const user_ref& base, const indexed_access& a, const user_ref& values, const char* who,
                    source_line where) {
    return or_out_of_memory(who, where, [&] {
        const dtype type = base->meant;
        if ((code == op::scatter_min || code == op::scatter_max) && is_complex(type)) check_real(who, type, where);
        if (code != op::scatter_set && is_complex(type) && !is_complex(values->meant))
            return scatter_of_real(code, base, a, values, who, where);
        const user_ref written = as_written(type, values, where);
        postfix s = begin_access(base, a, bounds::raise, where);
        s.leaf(written, broadcast_attribute(*written->extents, a.where->result, where, who));
        s.add(code, type, a.where);
        return s.result(where);
    });
}

user_ref divided_at(const user_ref& base, const indexed_access& a, const user_ref& values, source_line where) {
    return or_out_of_memory("assign", where, [&] {
        const dtype own = factor_dtype(values->meant, base->meant), wide = widest_of(own);
        const auto everywhere = [&](bool number, dtype type) {
            return filled(value(constant_of(weak_number(number), type, where)), *base->extents, where).node();
        };
        const auto at_them = [&](op code, const user_ref& of, const user_ref& what) {
            return value(scatter_of(code, of, a, what, "assign", where));
        };
        const value divisor = at_them(op::scatter_mul, everywhere(true, wide), as_written(own, values, where));
        const value quotient(result(make_converted<run_time>(value(base) / divisor, base->meant, conversion::cast), where));
        if (!is_complex(own)) return quotient.node();
        // Others are not divided by 1 + 0i: of an infinity that would leave NaN.
        const user_ref one = constant_of(weak_number(true), dtype::bool_, where);
        const mask_value divided(at_them(op::scatter_set, everywhere(false, dtype::bool_), one).node());
        return result(frit::where(divided, quotient, value(base)), where);
    });
}

user_ref scatter_along_of(op code, const user_ref& base, const user_ref& indices, const user_ref& values, std::int64_t axis,
                          const char* who, source_line where) {
    return or_out_of_memory(who, where, [&] {
        const std::vector<gather_item> items = items_along(who, *base->extents, indices, axis, where);
        return scatter_of(code, base, access_of(base, items, who, where), values, who, where);
    });
}

user_ref put_along_of(const user_ref& base, const user_ref& indices, const user_ref& values, std::int64_t axis,
                      source_line where) {
    constexpr const char* who = "put_along_axis";
    return or_out_of_memory(who, where, [&] {
        return scatter_of(op::scatter_set, base, along_access_of(who, base, indices, axis, where), values, who, where);
    });
}

user_ref segments_of(op code, const user_ref& values, const user_ref& ids, std::int64_t count, std::int64_t axis,
                     const char* who, source_line where) {
    return or_out_of_memory(who, where, [&] {
        const int along = check_segments(who, *values->extents, *ids->extents, count, axis, where);
        shape extents = *values->extents;
        extents.set(along, count, where);
        const dtype type = code == op::scatter_add || code == op::scatter_mul ? sum_dtype(values->meant) : values->meant;
        const user_ref start = filled(value(nothing_of(code, type, where)), extents, where).node();
        const value in_type = in_dtype(value(values), type, where);
        const std::vector<gather_item> items = items_along(who, extents, ids, along, where);
        return scatter_of(code, start, access_of(start, items, who, where), in_type.node(), who, where);
    });
}

user_ref segment_mean_of(const user_ref& values, const user_ref& ids, std::int64_t count, std::int64_t axis,
                         source_line where) {
    constexpr const char* who = "segment_mean";
    return or_out_of_memory(who, where, [&] {
        const value x = in_dtype(value(values), register_dtype(statistic_dtype(values->meant)), where);
        const value sums(segments_of(op::scatter_add, x.node(), ids, count, axis, who, where));
        const int along = check_segments(who, *values->extents, *ids->extents, count, axis, where);
        const user_ref none = filled(value(constant_of(weak_number(false), dtype::i64, where)), shape{count}, where).node();
        const gather_item items[] = {{.array = ids}};
        const value counts(scatter_of(op::scatter_add, none, access_of(none, items, who, where),
                                      constant_of(weak_number(std::int64_t{1}), where), who, where));
        shape column;
        for (int k = 0; k < values->extents->rank(); ++k) column.push_back(k == along ? count : 1, where);
        const auto divisor = make_view(counts, reshape_attribute(shape{count}, column, where));
        return result(sums / cast(divisor, real_dtype(x.node()->meant)), statistic_dtype(values->meant), where);
    });
}

}  // namespace frit::v0::detail
