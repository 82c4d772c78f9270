// Patches: a GPU's thread computes neighbouring rows of neighbouring columns at once, so that wide accesses serve kernels
// that are not flat, and a stencil reads a row once for all the rows that it is a neighbour of. In a total of all elements
// (reduce_all) a patch is a pack of neighbouring columns. What the generator cannot
// see in strides that are run-time words is found here: which loads show one array at shifted places, and how it is aligned.
#include <algorithm>

#include "fusion/machine/cuda_shape.hpp"
#include "fusion/passes/collapse_dims.hpp"

namespace frit::inline v0::fusion {
namespace {

/// Where no clamp is reached, an access is affine.
struct affine {
    std::int64_t offset = 0;
    std::vector<std::int64_t> strides;

    explicit affine(const strided& s) : offset(s.offset) {
        for (const axis_term& t : s.axes) {
            strides.push_back(t.clamped ? t.stride * t.step : t.stride);
            if (t.clamped) offset += t.stride * t.shift;
        }
    }
    bool operator==(const affine&) const = default;
};

/// Neighbouring columns are neighbours in memory.
bool in_order(const strided& s) {
    const axis_term& t = s.axes.back();
    return t.stride == 1 && (!t.clamped || t.step == 1);
}

/// Elements of `size` bytes that every row starts at a multiple of, up to a vector.
std::uint8_t alignment_of(const affine& a, std::uint32_t array, std::size_t size, std::size_t vector_bytes) {
    std::size_t bytes = std::min<std::size_t>(array, vector_bytes);
    const auto fits = [&](std::int64_t elements) { return static_cast<std::uint64_t>(elements) * size % bytes == 0; };
    while (bytes > size && !(fits(a.offset) && std::all_of(a.strides.begin(), a.strides.end() - 1, fits))) bytes /= 2;
    return static_cast<std::uint8_t>(std::max<std::size_t>(1, bytes / size));
}

/// The load that neighbours of load k count from, as shifts in rows and columns; no shift where it is too far.
struct place {
    std::int64_t row = 0, column = 0;
};
bool find_place(const affine& origin, const affine& a, place& p) {
    constexpr std::int64_t farthest = 4;
    if (a.strides != origin.strides) return false;
    const std::int64_t distance = a.offset - origin.offset, pitch = a.strides[a.strides.size() - 2];
    p = {0, distance};
    if (pitch != 0) {
        const std::int64_t size = std::abs(pitch);
        std::int64_t rows = distance / size, rest = distance % size;
        if (2 * std::abs(rest) > size) {
            rows += rest > 0 ? 1 : -1;
            rest -= rest > 0 ? size : -size;
        }
        p = {pitch > 0 ? rows : -rows, rest};
    }
    return std::abs(p.row) <= farthest && std::abs(p.column) <= farthest;
}

}  // namespace

void find_patches(launch& l, const std::vector<strided>& accesses, const std::vector<strided>& coords,
                  const std::vector<std::int64_t>& extents, const std::vector<std::uint32_t>& alignments, const target& t) {
    kernel_spec& spec = l.spec;
    constexpr std::int64_t fewest_vectors = 8, rows = 4;
    const bool total = spec.schedule == schedule_kind::reduce_all;
    const std::size_t loads = spec.loads.size(), moved = loads + spec.stores.size(), last = extents.size() - 1;
    if (total && extents[last] % reduce_pack != 0) return;
    const auto vector_bytes = static_cast<std::size_t>(t.vector_bytes);
    std::vector<affine> at;
    for (const strided& s : accesses) at.emplace_back(s);

    // Groups of loads that show one array, each counted from the member that is aligned best.
    std::vector<std::uint8_t> aligned(moved, 1);
    for (std::size_t k = 0; k < moved; ++k)
        if (in_order(accesses[k]))
            aligned[k] =
                alignment_of(at[k], alignments[k], size_of(k < loads ? spec.loads[k].type : spec.stores[k - loads].to.type),
                             vector_bytes);
    std::vector<std::size_t> order(loads);
    for (std::size_t k = 0; k < loads; ++k) order[k] = k;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return aligned[a] > aligned[b]; });
    std::vector<std::size_t> origin(loads, loads);
    std::vector<place> places(loads);
    for (std::size_t k : order) {
        if (!in_order(accesses[k])) continue;
        origin[k] = k;
        for (std::size_t o : order) {
            if (o == k) break;
            const bool same = origin[o] == o && spec.loads[o].type == spec.loads[k].type &&
                              l.pointers[spec.loads[o].pointer].memory == l.pointers[spec.loads[k].pointer].memory;
            place p;
            if (same && find_place(at[o], at[k], p)) {
                origin[k] = o;
                places[k] = p;
                break;
            }
        }
    }

    std::size_t widest = 1;
    bool vectors = true, rows_shared = false;
    for (std::size_t k = 0; k < moved; ++k) {
        const bool moves = accesses[k].axes.back().stride != 0;
        if (k >= loads &&
            std::any_of(accesses[k].axes.begin(), accesses[k].axes.end(), [](const axis_term& x) { return x.clamped; }))
            return;
        vectors = vectors && (!moves || in_order(accesses[k]));
        if (moves) widest = std::max(widest, size_of(k < loads ? spec.loads[k].type : spec.stores[k - loads].to.type));
        if (k < loads && origin[k] < loads) rows_shared = rows_shared || places[k].row != 0;
    }
    std::size_t width = vectors ? std::min<std::size_t>(16, vector_bytes / widest) : 1;
    for (std::size_t k = 0; k < moved; ++k)
        if (in_order(accesses[k]) && (k >= loads || origin[k] == k)) width = std::min<std::size_t>(width, aligned[k]);
    if (width <= 1 && (total || !rows_shared)) return;
    if (extents[last] < fewest_vectors * static_cast<std::int64_t>(width)) return;

    spec.vector_width = static_cast<std::uint8_t>(std::max<std::size_t>(1, width));
    const auto promised = [&](std::size_t k) { return std::min(aligned[k], spec.vector_width); };
    spec.patch_rows = rows_shared && !total && extents[last - 1] >= rows ? rows : 1;
    for (std::size_t k = 0; k < loads; ++k) {
        access& a = spec.loads[k];
        if (origin[k] == loads) continue;
        a.window = static_cast<std::uint16_t>(origin[k] + 1);
        a.alignment = origin[k] == k ? promised(k) : std::uint8_t{1};
        a.dims[last - 1].shift = static_cast<std::int8_t>(places[k].row);
        a.dims[last].shift = static_cast<std::int8_t>(places[k].column);
    }
    for (std::size_t k = 0; k < coords.size(); ++k)
        for (std::size_t o = 0; o < k && !spec.coords[k].like; ++o)
            if (affine(coords[o]) == affine(coords[k])) spec.coords[k].like = static_cast<std::uint16_t>(o + 1);
    for (std::size_t k = loads; k < moved; ++k) spec.stores[k - loads].to.alignment = promised(k);
}

}  // namespace frit::v0::fusion
