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

/// Elements of `size` bytes that every row starts at a multiple of, up to a vector; also one that a clamp chooses.
std::uint8_t alignment_of(const strided& s, std::uint32_t array, std::size_t size, std::size_t vector_bytes) {
    const affine a(s);
    std::size_t bytes = std::min<std::size_t>(array, vector_bytes);
    const auto fits = [&](std::int64_t elements) { return static_cast<std::uint64_t>(elements) * size % bytes == 0; };
    const auto has_steps = [&](const axis_term& t) { return fits(t.stride); };
    while (bytes > size && !(fits(a.offset) && std::all_of(s.axes.begin(), s.axes.end() - 1, has_steps))) bytes /= 2;
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

/// The moving operands of a kernel, loads first, as a patch sees them.
class patch_operands {
public:
    patch_operands(const launch& l, const std::vector<strided>& accesses, const std::vector<std::uint32_t>& alignments,
                   std::size_t vector_bytes)
        : l_(l), loads_(l.spec.loads.size()), accesses_(accesses), aligned_(loads_ + l.spec.stores.size(), 1) {
        for (const strided& s : accesses) at_.emplace_back(s);
        for (std::size_t k = 0; k < count(); ++k)
            if (in_order(accesses[k])) aligned_[k] = alignment_of(accesses[k], alignments[k], size(k), vector_bytes);
        find_origins();
    }
    std::size_t loads() const { return loads_; }
    std::size_t count() const { return aligned_.size(); }
    std::uint8_t aligned(std::size_t k) const { return aligned_[k]; }
    /// The load of the same array that load k is a neighbour of; loads() where k has no order.
    std::size_t origin(std::size_t k) const { return origin_[k]; }
    const place& at(std::size_t k) const { return places_[k]; }
    bool shares_rows() const {
        return std::any_of(places_.begin(), places_.end(), [](const place& p) { return p.row != 0; });
    }
    bool clamps_stores() const {
        for (std::size_t k = loads_; k < count(); ++k)
            if (std::any_of(accesses_[k].axes.begin(), accesses_[k].axes.end(),
                            [](const axis_term& x) { return x.clamped; }))
                return true;
        return false;
    }
    /// Elements of the widest access that every operand allows.
    std::size_t width(std::size_t vector_bytes) const {
        std::size_t widest = 1;
        for (std::size_t k = 0; k < count(); ++k) {
            const bool moves = accesses_[k].axes.back().stride != 0;
            if (moves && !in_order(accesses_[k])) return 1;
            if (moves) widest = std::max(widest, size(k));
        }
        std::size_t width = std::min<std::size_t>(16, vector_bytes / widest);
        for (std::size_t k = 0; k < count(); ++k)
            if (in_order(accesses_[k]) && (k >= loads_ || origin_[k] == k))
                width = std::min<std::size_t>(width, aligned_[k]);
        return width;
    }

private:
    std::size_t size(std::size_t k) const {
        return size_of(k < loads_ ? l_.spec.loads[k].type : l_.spec.stores[k - loads_].to.type);
    }
    // Groups of loads that show one array, each counted from the member that is aligned best.
    void find_origins() {
        std::vector<std::size_t> order(loads_);
        for (std::size_t k = 0; k < loads_; ++k) order[k] = k;
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return aligned_[a] > aligned_[b]; });
        origin_.assign(loads_, loads_);
        places_.resize(loads_);
        const auto& spec = l_.spec;
        for (std::size_t k : order) {
            if (!in_order(accesses_[k])) continue;
            origin_[k] = k;
            for (std::size_t o : order) {
                if (o == k) break;
                const bool same = origin_[o] == o && spec.loads[o].type == spec.loads[k].type &&
                                  l_.pointers[spec.loads[o].pointer].memory == l_.pointers[spec.loads[k].pointer].memory;
                place p;
                if (same && find_place(at_[o], at_[k], p)) {
                    origin_[k] = o;
                    places_[k] = p;
                    break;
                }
            }
        }
    }

    const launch& l_;
    const std::size_t loads_;
    const std::vector<strided>& accesses_;
    std::vector<affine> at_;
    std::vector<std::uint8_t> aligned_;  // elements
    std::vector<std::size_t> origin_;
    std::vector<place> places_;
};

}  // namespace

void find_patches(launch& l, const std::vector<strided>& accesses, const std::vector<strided>& coords,
                  const std::vector<std::int64_t>& extents, const std::vector<std::uint32_t>& alignments, const target& t) {
    kernel_spec& spec = l.spec;
    constexpr std::int64_t fewest_vectors = 8, rows = 4;
    const bool total = spec.schedule == schedule_kind::reduce_all;
    const std::size_t last = extents.size() - 1;
    if (total && extents[last] % reduce_pack != 0) return;
    const auto vector_bytes = static_cast<std::size_t>(t.vector_bytes);
    const patch_operands operands(l, accesses, alignments, vector_bytes);
    if (operands.clamps_stores()) return;
    const std::size_t width = operands.width(vector_bytes);
    const bool rows_shared = operands.shares_rows();
    if (width <= 1 && (total || !rows_shared)) return;
    if (extents[last] < fewest_vectors * static_cast<std::int64_t>(width)) return;

    spec.vector_width = static_cast<std::uint8_t>(std::max<std::size_t>(1, width));
    const auto promised = [&](std::size_t k) { return std::min(operands.aligned(k), spec.vector_width); };
    spec.patch_rows = rows_shared && !total && extents[last - 1] >= rows ? rows : 1;
    for (std::size_t k = 0; k < operands.loads(); ++k) {
        access& a = spec.loads[k];
        const std::size_t origin = operands.origin(k);
        if (origin == operands.loads()) continue;
        a.window = static_cast<std::uint16_t>(origin + 1);
        a.alignment = origin == k ? promised(k) : std::uint8_t{1};
        a.dims[last - 1].shift = static_cast<std::int8_t>(operands.at(k).row);
        a.dims[last].shift = static_cast<std::int8_t>(operands.at(k).column);
    }
    for (std::size_t k = 0; k < coords.size(); ++k)
        for (std::size_t o = 0; o < k && !spec.coords[k].like; ++o)
            if (affine(coords[o]) == affine(coords[k])) spec.coords[k].like = static_cast<std::uint16_t>(o + 1);
    for (std::size_t k = operands.loads(); k < operands.count(); ++k)
        spec.stores[k - operands.loads()].to.alignment = promised(k);
}

}  // namespace frit::v0::fusion
