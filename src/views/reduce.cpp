// What reductions ask of the library while they are written: their axes, checked, as an attribute; the value that a masked
// element gets. Kept out of the headers because none of it depends on a type.
#include <array>
#include <string>

#include "frit/detail/attributes.hpp"
#include "fusion/ir/reduction_rule.hpp"
#include "src/views/axes.hpp"

namespace frit::inline v0::detail {

int checked_axis(std::string_view op, std::int64_t axis, int rank, const shape& of, source_line where) {
    if (axis < -rank || axis >= rank)
        throw_index_error(op, "axis " + std::to_string(axis) + " is out of range for rank " + std::to_string(rank), of,
                          where);
    return static_cast<int>(axis < 0 ? axis + rank : axis);
}

std::vector<bool> named_axes(std::string_view op, const axes& list, int rank, const shape& of, source_line where) {
    std::vector<bool> named(static_cast<std::size_t>(rank));
    if (list.count() == 0) throw_index_error(op, "no axis is given", of, where);
    for (std::int64_t axis : list) {
        const auto k = static_cast<std::size_t>(checked_axis(op, axis, rank, of, where));
        if (named[k]) throw_index_error(op, "axis " + std::to_string(axis) + " is given twice", of, where);
        named[k] = true;
    }
    return named;
}

attribute_ref reduce_attribute(std::string_view who, const shape& of, const reduction_options& o) try {
    const int rank = of.rank();
    std::vector<bool> reduced(static_cast<std::size_t>(rank), true);
    if (o.which) reduced = named_axes(who, *o.which, rank, of, o.where);
    auto* a = new attribute;
    attribute_ref result(a);
    a->what = attribute::kind::reduce;
    a->source = of;
    a->maps.resize(static_cast<std::size_t>(rank));
    for (int k = 0; k < rank; ++k) {
        const bool gone = reduced[static_cast<std::size_t>(k)];
        if (!gone) a->maps[static_cast<std::size_t>(k)] = {.axis = a->result.rank(), .step = 1};
        if (!gone || o.keepdims) a->result.push_back(gone ? 1 : of[k], o.where);
    }
    return result;
} catch (const std::bad_alloc&) {
    throw_out_of_memory(who, o.where);
}

std::int64_t reduced_count(const attribute& reduce) {
    std::int64_t count = 1;
    for (std::size_t k = 0; k < reduce.maps.size(); ++k)
        if (reduce.maps[k].axis < 0) count *= reduce.source[static_cast<int>(k)];
    return count;
}

scalar_bits identity_bits(op code, dtype type) {
    return or_out_of_memory(name_of(code), unknown_line, [&] {
        return scalar_bits{fusion::rule_of(code, real_dtype(register_dtype(type))).identity[0], 0};
    });
}

void check_dot(const shape& a, const shape& b, source_line where) try {
    if (a.rank() != 1 || b.rank() != 1)
        throw_shape_error("dot", "takes two vectors (matmul multiplies matrices)", std::array{a, b}, where);
    if (a != b) throw_shape_error("dot", "the vectors differ in length", std::array{a, b}, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("dot", where);
}

void check_rows(std::string_view who, const attribute& reduce, source_line where) try {
    if (reduced_count(reduce) == 0 && reduce.result.size() > 0)
        throw_shape_error(who, "an axis without elements has no largest or smallest one", {&reduce.source, 1}, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory(who, where);
}

}  // namespace frit::v0::detail
