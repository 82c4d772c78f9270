// How many elements a thread takes, and what that costs to compile: see cuda_shape.hpp.
#include "fusion/machine/cuda_shape.hpp"

#include <algorithm>
#include <bit>

#include "fusion/machine/cost_model.hpp"

namespace frit::inline v0::fusion {

unsigned once_class(std::int64_t length) {
    return std::max(2U, static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(length - 1))));
}
std::uint64_t once_bytes(std::int64_t length, std::uint64_t of_element) {
    constexpr std::uint64_t lanes = 32;
    return std::max<std::uint64_t>(std::bit_ceil(static_cast<std::uint64_t>(length)) / lanes, 1) * of_element;
}
// What a thread has of a row, as many operands of columns, and their sums: all in registers.
unsigned once_blocks_per_sm(unsigned length_class) { return length_class <= 7 ? 3 : 2; }
// No more than are there at once, and of some elements: lines of sums must be little beside what is read.
std::int64_t sum_parts(std::int64_t rows, std::int64_t length, const target& t) {
    constexpr std::int64_t least = 8192;
    const std::int64_t at_once = std::int64_t{t.processors} * once_blocks_per_sm(once_class(length));
    return std::clamp<std::int64_t>(rows * length / least, 1, at_once);
}

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

unsigned flat_groups(const kernel_spec& spec) {
    if (spec.vector_width == 1) return scalar_lanes;
    const unsigned both = 2U * spec.vector_width;
    return has_random_words(spec) && unroll_of(weight_of(spec.body), both) == both ? 2 : 1;
}
unsigned flat_lanes(const kernel_spec& spec) { return spec.vector_width * flat_groups(spec); }

unsigned patch_rows(const kernel_spec& spec) {
    constexpr unsigned most_lanes = 32;
    unsigned rows = spec.patch_rows;
    const unsigned weight = weight_of(spec.body);
    const auto too_many = [&](unsigned lanes) { return lanes > most_lanes || unroll_of(weight, lanes) < lanes; };
    while (rows > 1 && too_many(rows * spec.vector_width)) rows /= 2;
    return rows;
}

}  // namespace frit::v0::fusion
