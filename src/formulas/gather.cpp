// Elements at arrays of indices: see indexing.hpp.
#include "frit/select.hpp"
#include "src/formulas/indexing.hpp"

namespace frit::inline v0::detail {
user_ref read_at(const user_ref& x, std::vector<user_ref> indices, const index_maps& maps, bounds mode, std::string_view who,
                 source_line where) {
    return begin_access(who, x, std::move(indices), maps, mode, where).record(op::gather, x->meant, maps.where, where);
}

user_ref gather_of(const user_ref& x, std::span<const gather_item> items, bounds mode, const char* who,
                   source_line where) try {
    if (items.size() == 1 && items[0].array && items[0].array->meant == dtype::bool_)
        return picked_of(x, items[0].array, where);
    const std::vector<gather_item> places = without_masks(who, *x->extents, items, where);
    return read_at(x, arrays_of(places), index_maps_of(who, *x->extents, places, where), mode, who, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory(who, where);
}

user_ref take_of(const user_ref& x, const user_ref& indices, std::int64_t axis, bounds mode, source_line where) {
    return or_out_of_memory("take", where, [&] {
        return gather_of(x, items_along("take", *x->extents, indices, axis, where), mode, "take", where);
    });
}

user_ref take_along_of(const user_ref& x, const user_ref& indices, std::int64_t axis, bounds mode, source_line where) {
    return or_out_of_memory("take_along_axis", where, [&] {
        const index_maps maps = along_maps_of("take_along_axis", *x->extents, indices, axis, where);
        return read_at(x, {indices}, maps, mode, "take_along_axis", where);
    });
}

}  // namespace frit::v0::detail
