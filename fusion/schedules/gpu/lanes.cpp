// A thread's elements in registers, and flat domains: see lanes.hpp.
#include "fusion/schedules/gpu/lanes.hpp"

#include <algorithm>

namespace frit::inline v0::fusion::gpu {

void lane_builder::declare_lanes() {
    for (std::size_t k = 0; k < spec_.loads.size(); ++k) {
        const access& a = spec_.loads[k];
        const auto in = is_short(a.type) && lanes() > 1 ? loops::storage::packed : loops::storage::own;
        if (moves(a)) loads_[k].each = b_.declare(name("l", k), loops::number_of(a.type), lanes(), in);
    }
    results_ = declare_results(lanes());
    for (std::size_t k = 0; k < spec_.loads.size(); ++k)
        if (!moves(spec_.loads[k])) loads_[k].one = b_.let(name("l", k), b_.read(pointer(spec_.loads[k], true)));
}

unsigned lane_builder::aligned(const access& a) const {
    const bool contiguous = a.dims[0].stride == stride_class::one && !a.dims[0].clamped;
    if (spec_.rank != 1 || !contiguous) return 1;
    // vector_width > 1 promises that much for every contiguous access.
    const unsigned promised = std::max(a.alignment, spec_.vector_width);
    return std::min({vector_, promised, static_cast<unsigned>(16 / size_of(a.type))});
}

value lane_builder::flat_lane(value k) {
    if (vector_ == 1) return groups_ == 1 ? first_ + k : first_ + k * jump_;
    return vector_start(k) + place_in_vector(k);
}

// Clamped: a vector that lies inside comes at once, and of one that lies outside all lanes are the same element.
void lane_builder::read_run(std::size_t load, unsigned group) {
    const unsigned width =
        std::min({vector_, unsigned{spec_.vector_width}, static_cast<unsigned>(16 / size_of(spec_.loads[load].type))});
    const auto each = [&](auto&& element) {
        loop("k", vector_, [&](value k) { b_.put(loads_[load].each, k + group * vector_, element(k)); });
    };
    const value first = b_.let("i0", offset(group_start(group)));
    i_[0] = first;
    b_.when(
        is_unclamped_run(load, vector_),
        [&] {
            const value from = pointer(spec_.loads[load], true) + affine_place(spec_.loads[load], map_.loads[load]);
            b_.copy_in(loads_[load].each.at(number(group * vector_)), from, {vector_, width});
        },
        [&] {
            b_.when(
                is_one_element(load, vector_),
                [&] {
                    const value one = b_.let("one", read(load));
                    each([&](value) { return one; });
                },
                [&] {
                    each([&](value k) {
                        i_[0] = b_.let("i0", first + k);
                        return read(load);
                    });
                });
        });
}

// A lane beyond the end reads an element of its thread's own: any other may be written meanwhile, in place.
void lane_builder::read_flat() {
    const auto one_by_one = [&](bool vectors) {
        return [this, vectors](value k) {
            const value element = flat_lane(k);
            i_[0] = b_.let("i0", offset(vectors ? element : b_.choice(element < count_, element, first_)));
            for (std::size_t l = 0; l < spec_.loads.size(); ++l)
                if (!vectors || is_lane_by_lane(spec_.loads[l])) read_lane(l, k);
        };
    };
    const auto any = [&](auto&& is) { return std::any_of(spec_.loads.begin(), spec_.loads.end(), is); };
    if (!any([](const access& a) { return moves(a); })) return;
    b_.when(
        full_,
        [&] {
            for (std::size_t l = 0; l < spec_.loads.size(); ++l) {
                const unsigned width = aligned(spec_.loads[l]);
                for (unsigned g = 0; width > 1 && g < groups_; ++g)
                    b_.copy_in(loads_[l].each.at(number(g * vector_)), pointer(spec_.loads[l], true) + group_start(g),
                               {vector_, width});
                for (unsigned g = 0; in_runs(spec_.loads[l]) && g < groups_; ++g) read_run(l, g);
            }
            if (any([this](const access& a) { return is_lane_by_lane(a) && moves(a); })) each_lane(one_by_one(true));
        },
        [&] { each_lane(one_by_one(false)); });
}

void lane_builder::write_flat() {
    if (spec_.stores.empty()) return;
    const auto one_by_one = [this](value k, bool vectors) {
        set_flat_index(k);
        for (std::size_t s = 0; s < spec_.stores.size(); ++s)
            if (!vectors || aligned(spec_.stores[s].to) == 1) write_lane(s, store_address(s), k);
    };
    b_.when(
        full_,
        [&] {
            bool rest = false;
            for (std::size_t s = 0; s < spec_.stores.size(); ++s) {
                const access& to = spec_.stores[s].to;
                const unsigned width = aligned(to);
                rest |= width == 1;
                for (unsigned g = 0; width > 1 && g < groups_; ++g)
                    stream(pointer(to, false) + group_start(g), results_[s], number(g * vector_), vector_, width);
            }
            if (rest) each_lane([&](value k) { one_by_one(k, true); });
        },
        [&] { each_lane([&](value k) { b_.when(flat_lane(k) < count_, [&] { one_by_one(k, false); }); }); });
}

lane_builder::strided_lanes lane_builder::declare_places() {
    strided_lanes made;
    for (std::size_t s = 0; s < spec_.stores.size(); ++s)
        made.places.push_back(b_.declare(name("o", s), loops::index_type(offset_), lanes()));
    for (std::size_t c = 0; c < spec_.coords.size(); ++c)
        made.coordinates.push_back(b_.declare(name("c", c), loops::index_type(dtype::i64), lanes()));
    return made;
}
void lane_builder::read_places(const strided_lanes& kept, value k, bool windows, bool coordinates) {
    for (std::size_t l = 0; l < spec_.loads.size(); ++l)
        if (windows || spec_.loads[l].window == 0) read_lane(l, k);
    for (std::size_t s = 0; s < spec_.stores.size(); ++s)
        b_.put(kept.places[s], k, place(spec_.stores[s].to, map_.stores[s]));
    for (std::size_t c = 0; coordinates && c < spec_.coords.size(); ++c) b_.put(kept.coordinates[c], k, coordinate(c));
}

}  // namespace frit::v0::fusion::gpu
