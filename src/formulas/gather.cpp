// Elements at arrays of indices: see indexing.hpp.
#include "src/formulas/indexing.hpp"

namespace frit::inline v0::detail {
namespace {

user_ref read(std::string_view who, const user_ref& x, std::vector<user_ref> indices, const index_maps& maps, bounds mode,
              source_line where) {
    return begin_access(who, x, std::move(indices), maps, mode, where).record(op::gather, x->meant, maps.where, where);
}

}  // namespace

user_ref gather_of(const user_ref& x, std::span<const gather_item> items, bounds mode, const char* who,
                   source_line where) try {
    return read(who, x, arrays_of(items), index_maps_of(who, *x->extents, items, where), mode, where);
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
        return read("take_along_axis", x, {indices}, maps, mode, where);
    });
}

}  // namespace frit::v0::detail
