// Whether lanes run along rows or across them, or over tiles of both: what the strides of a kernel over rows say.
#include <algorithm>

#include "fusion/ir/alignment.hpp"
#include "fusion/ir/reduction_rule.hpp"
#include "fusion/passes/collapse_dims.hpp"

namespace frit::inline v0::fusion {
namespace {

constexpr std::int64_t few = 16;  // neighbours are not worth lanes across them

/// Lanes run across rows where that reads memory in order and running along them does not, and where every operand stands
/// still in one of the two directions (then a tile of each serves many elements); and only where there are rows enough. What
/// moves in both directions is most of what is read, so that is asked first: of a matrix and a vector, the matrix. Windows
/// that slide along memory are in order in both: where they are short, lanes across them are more.
schedule_kind by_strides(const kernel_spec& spec, std::int64_t neighbours, std::int64_t length) {
    constexpr std::int64_t long_enough = 256;
    if (neighbours < few) return schedule_kind::reduce_inner;
    const std::size_t along = spec.rank - 1U, across = spec.rank - spec.reduced - 1U;
    int in_order_along = 0, in_order_across = 0, matrices_along = 0, matrices_across = 0;
    bool tile = true, invariant_along = false, invariant_across = false, slides = false;
    const auto look = [&](const access& a) {
        const access_dim invariant{};
        in_order_along += a.dims[along].stride == stride_class::one;
        in_order_across += a.dims[across].stride == stride_class::one;
        if (a.dims[along] != invariant && a.dims[across] != invariant) {
            matrices_along += a.dims[along].stride == stride_class::one;
            matrices_across += a.dims[across].stride == stride_class::one;
        }
        slides |= a.dims[along].stride == stride_class::one && a.dims[across].stride == stride_class::one;
        const bool in_row = std::all_of(a.dims.end() - spec.reduced, a.dims.end(), [&](auto& d) { return d == invariant; });
        invariant_along |= in_row;
        invariant_across |= !in_row;
        tile = tile && (in_row || a.dims[across] == invariant);
    };
    for (const access& a : spec.loads) look(a);
    if (tile && invariant_along && invariant_across && spec.stores.empty()) return schedule_kind::reduce_tile;
    for (const store& s : spec.stores) look(s.to);
    if (matrices_across != matrices_along)
        return matrices_across > matrices_along ? schedule_kind::reduce_outer : schedule_kind::reduce_inner;
    if (slides && length < long_enough) return schedule_kind::reduce_outer;
    return in_order_across > in_order_along ? schedule_kind::reduce_outer : schedule_kind::reduce_inner;
}

}  // namespace

schedule_kind direction_of(const launch& l, std::uint32_t reduced, std::int64_t neighbours, const target& t) {
    if (has_recurrences(l.spec)) return schedule_kind::reduce_outer;
    // Who chose a GPU's kernel for running values, and not a call, chose by this too.
    if (has_running(l.spec) && t.device == target::kind::cuda)
        return rows_lie_across(*l.domain, reduced) ? schedule_kind::reduce_outer : schedule_kind::reduce_inner;
    if (!l.spec.columns.empty()) return schedule_kind::reduce_inner;  // the only one that adds up columns beside
    return by_strides(l.spec, neighbours, row_length_of(*l.domain, reduced));
}

bool has_short_rows(const launch& l, std::uint32_t reduced) {
    constexpr std::int64_t longest = 8, longest_of_parts = reduce_run;  // the tree that joins several parts is expensive
    const bool several = parts_of(l.spec) > static_cast<int>(l.spec.reductions.size());
    const std::int64_t length = row_length_of(*l.domain, reduced);
    return length > 0 && length <= (several ? longest_of_parts : longest) && l.domain->size() / length >= few;
}

}  // namespace frit::v0::fusion
