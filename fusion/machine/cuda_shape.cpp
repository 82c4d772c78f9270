// How many elements a thread takes, and what that costs to compile: see cuda_shape.hpp.
#include "fusion/machine/cuda_shape.hpp"

#include <algorithm>
#include <bit>

#include "fusion/machine/cost_model.hpp"

namespace frit::inline v0::fusion {

bool moves_in(const access& a, unsigned first, unsigned last) {
    return std::any_of(a.dims.begin() + first, a.dims.begin() + last,
                       [](const access_dim& d) { return d.stride != stride_class::zero || d.clamped; });
}

unsigned unroll_of(unsigned weight, unsigned lanes) {
    constexpr unsigned most = 1600;
    return std::min(lanes, std::max(1u, std::bit_floor(most / weight)));
}

unsigned weight_of(const std::vector<instruction>& code) {
    unsigned weight = 1;
    for (const instruction& i : code)
        weight += is_elementwise(i.code) ? info(i.code).cost : i.code == op::iterate ? cost_of_loop : 0;
    return weight;
}

unsigned flat_lanes(const kernel_spec& spec) { return spec.vector_width > 1 ? spec.vector_width : scalar_lanes; }

unsigned patch_rows(const kernel_spec& spec) {
    constexpr unsigned most_lanes = 32;
    unsigned rows = spec.patch_rows;
    const unsigned weight = weight_of(spec.body);
    const auto too_many = [&](unsigned lanes) { return lanes > most_lanes || unroll_of(weight, lanes) < lanes; };
    while (rows > 1 && too_many(rows * spec.vector_width)) rows /= 2;
    return rows;
}

}  // namespace frit::v0::fusion
