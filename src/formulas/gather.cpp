// Elements at arrays of indices: see indexing.hpp.
#include "frit/select.hpp"
#include "src/formulas/indexing.hpp"

namespace frit::inline v0::detail {

user_ref read_at(const user_ref& x, const indexed_access& a, bounds mode, const char* who, source_line where) {
    return or_out_of_memory(who, where, [&] {
        postfix s = begin_access(x, a, mode, where);
        s.add(op::gather, x->meant, a.where);
        return s.result(where);
    });
}

user_ref gather_of(const user_ref& x, std::span<const gather_item> items, bounds mode, const char* who, source_line where) {
    if (items.size() == 1 && items[0].array && items[0].array->meant == dtype::bool_)
        return picked_of(x, items[0].array, where);
    return read_at(x, access_of(x, items, who, where), mode, who, where);
}

user_ref take_of(const user_ref& x, const user_ref& indices, std::int64_t axis, bounds mode, source_line where) {
    return or_out_of_memory("take", where, [&] {
        return gather_of(x, items_along("take", *x->extents, indices, axis, where), mode, "take", where);
    });
}

user_ref take_along_of(const user_ref& x, const user_ref& indices, std::int64_t axis, bounds mode, source_line where) {
    return or_out_of_memory("take_along_axis", where, [&] {
        return read_at(x, along_access_of("take_along_axis", x, indices, axis, where), mode, "take_along_axis", where);
    });
}

}  // namespace frit::v0::detail
