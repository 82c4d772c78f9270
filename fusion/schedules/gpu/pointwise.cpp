// Pointwise GPU kernels without tiles and patches: flat ones, whose threads have neighbouring elements by vector accesses or
// elements a block apart; and strided ones, whose threads have the same column of several rows.
#include <algorithm>

#include "fusion/schedules/gpu/gpu.hpp"
#include "fusion/schedules/gpu/lanes.hpp"

namespace frit::inline v0::fusion::gpu {
namespace {

class flat : lane_builder {
public:
    flat(const kernel_spec& s, const std::string& name) : lane_builder(s, name, 1) {
        vector_ = s.vector_width;
        groups_ = flat_groups(s);
    }

    loops::kernel build() {
        count_ = b_.let("n", extent(0));
        jump_ = b_.constant(pointwise_threads * vector_);
        first_ = b_.let("first", linear(block_x()) * (pointwise_threads * lanes()) + thread_x() * vector_);
        b_.when(first_ >= count_, [&] { b_.leave(); });
        full_ = b_.let("full", first_ + ((groups_ - 1) * pointwise_threads * vector_ + vector_ - 1) < count_);
        declare_lanes();
        read_flat();
        const auto begin = [this](value k) {
            if (!spec_.coords.empty()) set_flat_index(k);
        };
        compute(
            begin, [this](const instruction& i, value) { return coordinate_here(i); },
            [this](value k) { return lane_exists(k); }, [](value, const std::vector<value>&) {});
        write_flat();
        return take(pointwise_threads);
    }
};

class strided : lane_builder {
public:
    strided(const kernel_spec& s, const std::string& name) : lane_builder(s, name, 1) { groups_ = scalar_lanes; }

    loops::kernel build() {
        const unsigned inner = spec_.rank - 1U;
        const value column = b_.let("column", linear(block_x()) * threads_x() + thread_x());
        b_.when(column >= extent(inner), [&] { b_.leave(); });
        set_index(inner, column);
        const value rows = b_.let("rows", extents(0, inner));
        const value step = threads_y() * scalar_lanes;
        b_.loop("row", linear(block_y()) * step + thread_y(), rows, linear(blocks_y()) * step, loops::as_compilers_like,
                [&](value row) { several_rows(inner, row, rows); });
        return take(pointwise_threads);
    }

private:
    void several_rows(unsigned inner, value row, value rows) {
        const auto lane_row = [&](value k) { return row + k * threads_y(); };
        declare_lanes();
        const strided_lanes kept = declare_places();
        each_lane([&](value k) {
            decode(0, inner, b_.let("rest", b_.choice(lane_row(k) < rows, lane_row(k), row)));
            read_places(kept, k, true, true);
        });
        compute([](value) {}, [&](const instruction& i, value k) { return kept_coordinate(kept, i, k); },
                [&](value k) { return lane_row(k) < rows; }, [](value, const std::vector<value>&) {});
        write_places(kept, [&](value k) { return lane_row(k) < rows; });
    }
};

launch_shape flat_shape(const kernel_spec& spec, const std::uint64_t* extents, const target&) {
    launch_shape s;
    s.grid[0] = blocks_across(divide_up(extents[0], std::uint64_t{pointwise_threads} * flat_lanes(spec)));
    s.block[0] = pointwise_threads;
    return s;
}

launch_shape strided_shape(const kernel_spec& spec, const std::uint64_t* extents, const target&) {
    const std::uint64_t inner = extents[spec.rank - 1], rows = product(extents, 0, spec.rank - 1);
    launch_shape s;
    s.block[0] = row_threads(inner);
    s.block[1] = pointwise_threads / s.block[0];
    s.grid[0] = blocks_across(divide_up(inner, s.block[0]));
    s.grid[1] = static_cast<unsigned>(std::min(divide_up(rows, std::uint64_t{s.block[1]} * scalar_lanes), max_grid_y));
    return s;
}

}  // namespace

extern const gpu_schedule flat_schedule{
    .name = "flat",
    .takes = [](const kernel_spec& s) { return s.schedule == schedule_kind::pointwise && s.rank == 1; },
    .loops = build<flat>,
    .shape = flat_shape};
extern const gpu_schedule strided_schedule{
    .name = "strided",
    .takes = [](const kernel_spec& s) { return s.schedule == schedule_kind::pointwise; },
    .loops = build<strided>,
    .shape = strided_shape};

}  // namespace frit::v0::fusion::gpu
