// One array's memory under two dtypes: complex numbers, or their parts with one more axis.
#include "frit/complex.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "src/base/errors.hpp"
#include "src/graph/eval.hpp"

namespace frit::inline v0::detail {
namespace {
node& evaluated(node_head* n, source_line where) {
    eval({&n, 1}, where);
    node& x = *as_node(n);
    was_read(x);
    return x;
}
}  // namespace

handle_ref parts_of_memory(node_head* n, source_line where) {
    return or_out_of_memory("view_as_real", where, [&] {
        if (!is_complex(n->type)) throw_dtype_error("view_as_real", "takes complex numbers", {&n->type, 1}, where);
        const node& x = evaluated(n, where);
        shape extents = *x.extents;
        extents.push_back(2, where);
        std::vector<std::int64_t> strides;
        if (x.strides) {
            for (const std::int64_t s : *x.strides) strides.push_back(2 * s);
            strides.push_back(1);
        }
        return handle_ref(
            make_stored(*x.home, x.memory, 2 * x.offset, real_dtype(x.type), extents, std::move(strides), where));
    });
}

handle_ref complex_of_memory(node_head* n, source_line where) {
    return or_out_of_memory("view_as_complex", where, [&]() -> handle_ref {
        if (n->type != dtype::f32 && n->type != dtype::f64)
            throw_dtype_error("view_as_complex", "takes float32 or float64", {&n->type, 1}, where);
        if (n->extents->rank() == 0 || (*n->extents)[-1] != 2)
            throw_shape_error("view_as_complex", "the last axis must have 2 elements", std::array{*n->extents}, where);
        const node& x = evaluated(n, where);
        const dtype type = complex_dtype(x.type);
        std::vector<std::int64_t> strides;
        if (x.strides) {
            strides.assign(x.strides->begin(), x.strides->end() - 1);
            const bool pairs = x.strides->back() == 1 &&
                               std::all_of(strides.begin(), strides.end(), [](std::int64_t s) { return s % 2 == 0; });
            if (!pairs) return {};
            for (std::int64_t& s : strides) s /= 2;
        }
        if (x.offset % 2 != 0 || reinterpret_cast<std::uintptr_t>(x.data()) % size_of(type) != 0) return {};
        shape extents;
        for (int k = 0; k + 1 < x.extents->rank(); ++k) extents.push_back((*x.extents)[k], where);
        return handle_ref(make_stored(*x.home, x.memory, x.offset / 2, type, extents, std::move(strides), where));
    });
}

}  // namespace frit::v0::detail
