// Distinct bytes per kernel: several accesses to one array (the five points of a stencil) count each element once. Every
// access covers a box of its array's indices; the union of boxes is counted exactly by cutting the axes at all their ends.
// Accesses that are no boxes (steps, diagonals) count their own elements, at most the whole array.
#include <algorithm>
#include <map>
#include <optional>

#include "fusion/passes/launches.hpp"

namespace frit::inline v0::fusion {
namespace {

struct box {
    std::vector<std::int64_t> lo, hi;  // per axis, hi exclusive
};

/// Smallest and largest index that a term takes over an extent, and how many there are.
struct range {
    std::int64_t lo, hi, count;
};

range range_of(const axis_term& t, std::int64_t extent) {
    if (!t.clamped) return {0, extent - 1, extent};
    const std::int64_t a = std::clamp(t.shift, t.lo, t.hi), b = std::clamp(t.shift + t.step * (extent - 1), t.lo, t.hi);
    return {std::min(a, b), std::max(a, b), std::min(extent, std::abs(b - a) + 1)};
}

std::int64_t own_elements(const strided& s, const shape& domain) {
    std::int64_t n = 1;
    for (int k = 0; k < domain.rank(); ++k)
        if (const axis_term& t = s.axes[static_cast<std::size_t>(k)]; t.stride != 0) n *= range_of(t, domain[k]).count;
    return n;
}

/// The access as a box of a row-major array, where every moving axis walks one of the array's axes with unit step.
std::optional<box> box_of(const strided& s, const shape& domain, const shape& array) {
    const std::vector<std::int64_t> strides = row_major(array);
    const auto rank = static_cast<std::size_t>(array.rank());
    box b;
    b.lo.resize(rank);
    b.hi.resize(rank);
    std::vector<char> used(rank, 0);
    std::int64_t corner = s.offset;  // of the smallest index on every axis
    for (int k = 0; k < domain.rank(); ++k) {
        const axis_term& t = s.axes[static_cast<std::size_t>(k)];
        if (t.stride == 0 || (domain[k] == 1 && !t.clamped)) continue;
        const range r = range_of(t, domain[k]);
        if (t.clamped && std::abs(t.step) != 1) return std::nullopt;
        corner += t.stride > 0 ? t.stride * r.lo : t.stride * r.hi;
        std::size_t axis = 0;
        while (axis < rank && strides[axis] != std::abs(t.stride)) ++axis;
        while (axis + 1 < rank && array[static_cast<int>(axis)] == 1 && strides[axis + 1] == std::abs(t.stride)) ++axis;
        if (axis == rank || used[axis]) return std::nullopt;
        used[axis] = 1;
        b.hi[axis] = r.hi - r.lo;
    }
    for (std::size_t k = 0; k < rank; ++k) {
        const std::int64_t first = corner / strides[k] % std::max<std::int64_t>(array[static_cast<int>(k)], 1);
        b.lo[k] = first;
        b.hi[k] += first + 1;
        if (b.hi[k] > array[static_cast<int>(k)]) return std::nullopt;  // a merged axis
    }
    return b;
}

std::optional<std::int64_t> union_of(const std::vector<box>& boxes) {
    const std::size_t rank = boxes[0].lo.size();
    std::vector<std::vector<std::int64_t>> ends(rank);
    std::size_t cells = 1;
    for (std::size_t k = 0; k < rank; ++k) {
        for (const box& b : boxes) ends[k].insert(ends[k].end(), {b.lo[k], b.hi[k]});
        std::sort(ends[k].begin(), ends[k].end());
        ends[k].erase(std::unique(ends[k].begin(), ends[k].end()), ends[k].end());
        cells *= ends[k].size();
        if (cells * boxes.size() > 1'000'000) return std::nullopt;
    }
    std::int64_t total = 0;
    std::vector<std::size_t> at(rank, 0);
    for (;;) {  // every cell of the cut grid, an odometer over `at`
        std::int64_t volume = 1;
        for (std::size_t k = 0; k < rank; ++k)
            volume *= at[k] + 1 < ends[k].size() ? ends[k][at[k] + 1] - ends[k][at[k]] : 0;
        if (volume > 0) {
            const bool covered = std::any_of(boxes.begin(), boxes.end(), [&](const box& b) {
                for (std::size_t k = 0; k < rank; ++k)
                    if (ends[k][at[k]] < b.lo[k] || ends[k][at[k]] >= b.hi[k]) return false;
                return true;
            });
            if (covered) total += volume;
        }
        std::size_t k = rank;
        while (k > 0 && ++at[k - 1] == ends[k - 1].size()) at[--k] = 0;
        if (k == 0) return total;
    }
}

std::int64_t distinct_elements(const std::vector<const traced_access*>& accesses, const shape& domain, const shape& array,
                               bool is_row_major) {
    if (domain.size() == 0) return 0;
    std::int64_t sum = 0;
    std::vector<box> boxes;
    for (const traced_access* a : accesses) {
        if (a->gathered) {
            sum += domain.size();
            continue;
        }
        sum += own_elements(a->at, domain);
        if (auto b = is_row_major ? box_of(a->at, domain, array) : std::nullopt) boxes.push_back(std::move(*b));
    }
    if (accesses.size() > 1 && boxes.size() == accesses.size() && array.rank() > 0)
        if (auto n = union_of(boxes)) return *n;
    return std::min(sum, array.size());
}

}  // namespace

void count_traffic(launch& l, const graph& g) {
    std::map<std::uint64_t, std::vector<const traced_access*>> reads;  // by array: leaves of one buffer are one array
    for (const traced_access& a : l.accesses) {
        const std::int64_t width = static_cast<std::int64_t>(size_of(a.type));
        if (a.write) {
            const value& x = g.values[a.source];
            const shape& written = has_base(x) && !is_tally(x) ? *l.domain : *x.extents;
            l.bytes_written += written.size() * width;
            if (is_tally(x)) l.bytes_read += written.size() * width;
            continue;
        }
        const value& x = g.values[a.source];
        const std::uint64_t array = x.code == op::leaf ? std::uint64_t{g.leaves[x.index].buffer} << 32 : a.source;
        reads[array].push_back(&a);
    }
    for (const auto& [array, accesses] : reads) {
        const value& x = g.values[accesses[0]->source];
        const bool plain = x.code != op::leaf || (g.leaves[x.index].strides.empty() && g.leaves[x.index].offset == 0);
        l.bytes_read +=
            distinct_elements(accesses, *l.domain, *x.extents, plain) * static_cast<std::int64_t>(size_of(x.type));
    }
}

}  // namespace frit::v0::fusion
