// How a GPU's threads read what a kernel touches: flat and along rows as wide as every access allows, in tiles where unit
// strides lie in different dimensions, in patches else. Classes of row lengths too: they say how many threads share a row.
#include <algorithm>

#include "fusion/ir/alignment.hpp"
#include "fusion/machine/cuda_row_shape.hpp"
#include "fusion/machine/cuda_shape.hpp"
#include "fusion/passes/collapse_dims.hpp"

namespace frit::inline v0::fusion {
namespace {

/// Tiles pay where both of their dimensions are longer than what neighbouring threads read at once.
std::uint8_t tile_of(const kernel_spec& spec, const std::vector<std::int64_t>& extents) {
    constexpr std::int64_t few = 32;
    const std::size_t last = spec.rank - 1U;
    std::vector<int> transposed(last, 0);
    const auto look = [&](const access& a) {
        if (a.dims[last].stride != stride_class::runtime || a.dims[last].clamped) return;
        for (std::size_t d = 0; d < last; ++d) transposed[d] += a.dims[d].stride == stride_class::one && extents[d] >= few;
    };
    for (const access& a : spec.loads) look(a);
    for (const store& s : spec.stores) look(s.to);
    const auto most = std::max_element(transposed.begin(), transposed.end());
    return most == transposed.end() || *most == 0 || extents[last] < few
               ? 0
               : static_cast<std::uint8_t>(most - transposed.begin() + 1);
}

/// Whether neighbours of a flat domain are neighbours in memory as far as no clamp is reached: a part of a concatenation, a
/// region of a vector.
bool is_clamped_run(const launch& l, const std::vector<strided>& accesses, std::size_t k) {
    if (l.spec.rank > 1 || k >= l.spec.loads.size()) return false;
    const axis_term& t = accesses[k].axes[0];
    return t.clamped && t.stride == 1 && t.step == 1;
}

/// The widest access, of at most so many elements, that every moving one allows in dimension `d`, which may be walked in
/// steps of that many.
std::uint8_t width_of(const launch& l, const std::vector<std::int64_t>& extents, const std::vector<strided>& accesses,
                      const std::vector<std::uint32_t>& alignments, std::size_t d, int vector_bytes, std::size_t most = 16) {
    const kernel_spec& spec = l.spec;
    const auto of = [&](std::size_t k) -> const access& {
        if (k < spec.loads.size()) return spec.loads[k];
        k -= spec.loads.size();
        return k < spec.stores.size() ? spec.stores[k].to : spec.row_stores[k - spec.stores.size()].to;
    };
    std::size_t widest = 1;
    for (std::size_t k = 0; k < accesses.size(); ++k) {
        const access_dim& dim = of(k).dims[d];
        const bool run = is_clamped_run(l, accesses, k);
        if (dim.stride == stride_class::one || run) widest = std::max(widest, size_of(of(k).type));
        if (spec.rank == 1 && dim.stride == stride_class::runtime && !run) return 1;
    }
    const std::size_t width = std::min(static_cast<std::size_t>(vector_bytes) / widest, most);
    const auto fits = [&](std::int64_t elements) { return elements % static_cast<std::int64_t>(width) == 0; };
    if (spec.rank > 1 && !fits(extents[d])) return 1;
    for (std::size_t k = 0; k < accesses.size(); ++k) {
        const access& a = of(k);
        const bool run = is_clamped_run(l, accesses, k);
        if (a.dims[d].stride != stride_class::one && !run) continue;
        const std::size_t bytes = width * size_of(a.type);
        const std::int64_t first = accesses[k].offset + (run ? accesses[k].axes[0].shift : 0);
        if (alignments[k] < bytes || static_cast<std::uint64_t>(first) * size_of(a.type) % bytes != 0) return 1;
        for (std::size_t e = 0; e < extents.size(); ++e)
            if (e != d && (accesses[k].axes[e].clamped || !fits(accesses[k].axes[e].stride))) return 1;
    }
    return static_cast<std::uint8_t>(width);
}

}  // namespace

void choose_gpu_accesses(launch& l, const std::vector<strided>& accesses, const std::vector<strided>& coords,
                         const std::vector<std::int64_t>& extents, const std::vector<std::uint32_t>& alignments,
                         std::uint32_t reduced, const target& t) {
    kernel_spec& spec = l.spec;
    const bool rows = is_of_rows(spec.schedule);
    // Threads of a warp wait for each other's loops: the nearer their elements, the more alike those are.
    const bool one_by_one = spec.schedule == schedule_kind::pointwise && ends_early(spec);
    if (spec.rank == 1 || rows) {
        if (spec.schedule != schedule_kind::reduce_outer && !one_by_one)
            spec.vector_width = width_of(l, extents, accesses, alignments, extents.size() - 1, t.vector_bytes);
        const std::int64_t length = row_length_of(*l.domain, reduced);
        spec.row_class = has_recurrences(spec) ? class_of_recurrences(l.domain->size() / std::max<std::int64_t>(length, 1))
                                               : row_class(spec, length, t);
    }
    for (std::size_t k = 0; spec.rank == 1 && k < coords.size() && has_random_words(spec); ++k)
        spec.coords[k].plain = coords[k].offset == 0 && coords[k].axes[0].stride == 1 && !coords[k].axes[0].clamped;
    for (std::size_t k = 0; k < spec.loads.size() && spec.vector_width > 1; ++k)
        if (is_clamped_run(l, accesses, k)) spec.loads[k].window = static_cast<std::uint16_t>(k + 1);
    if (!spec.tallies.empty()) return;
    if (spec.schedule == schedule_kind::pointwise && spec.rank > 1) spec.tile = tile_of(spec, extents);
    if (spec.tile > 0)
        for (const std::size_t d : {extents.size() - 1, std::size_t{spec.tile} - 1}) {
            constexpr std::size_t most = 4;  // a thread has a square of it
            const std::uint8_t width = width_of(l, extents, accesses, alignments, d, t.vector_bytes, most);
            spec.vector_width = d == extents.size() - 1 ? width : std::min(spec.vector_width, width);
        }
    if (spec.rank > 1 && !rows && spec.tile == 0 && !one_by_one) find_patches(l, accesses, coords, extents, alignments, t);
}

}  // namespace frit::v0::fusion
