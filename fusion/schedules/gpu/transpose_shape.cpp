// Which way a tile lies, and what of it fits in shared memory: see transpose_shape.hpp.
#include "fusion/schedules/gpu/transpose_shape.hpp"

#include <array>
#include <utility>

namespace frit::inline v0::fusion {
namespace {

constexpr unsigned shared_bytes = 48 << 10;  // of a block, without asking for more

/// Moves along both dimensions, with stride one in `across` alone.
bool is_transposed(const access& a, const transpose_shape& s) {
    const access_dim& along = a.dims[s.along];
    return one_in(a, s.across) && along.stride == stride_class::runtime && !along.clamped;
}

}  // namespace

transpose_shape transpose_shape_of(const kernel_spec& spec) {
    transpose_shape s;
    s.along = spec.rank - 1U;
    s.across = spec.tile - 1U;
    s.vector = spec.vector_width;
    // Columns run along the dimension in which most stores have stride one, or else most loads.
    std::array<int, 2> stores{}, loads{};
    const auto count = [&](const access& a, std::array<int, 2>& n) {
        ++n[one_in(a, s.along) ? 0 : is_transposed(a, s) ? 1 : 0];
    };
    for (const access& a : spec.loads)
        if (one_in(a, s.along) || is_transposed(a, s)) count(a, loads);
    for (const store& a : spec.stores)
        if (one_in(a.to, s.along) || is_transposed(a.to, s)) count(a.to, stores);
    if (stores[1] > stores[0] || (stores[1] == stores[0] && loads[1] > loads[0])) std::swap(s.along, s.across);

    s.rows = s.columns = s.vector == 1 ? 32 : 16 * s.vector;

    unsigned bytes = 0;
    const auto fits = [&](const access& a) {
        const unsigned tile = s.rows * s.columns * static_cast<unsigned>(size_of(a.type));
        if (!is_transposed(a, s) || bytes + tile > shared_bytes) return false;
        bytes += tile;
        return true;
    };
    for (const access& a : spec.loads) s.transposed_loads.push_back(fits(a));
    for (const store& a : spec.stores) s.transposed_stores.push_back(fits(a.to));
    return s;
}

}  // namespace frit::v0::fusion
