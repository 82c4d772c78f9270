// reduce_all on a GPU: every thread takes in packs of neighbouring elements in order; threads become a block's value by a
// tree, blocks' values are partial results in memory, and the block that comes last adds those up in index order. Then the
// row code runs, once.
#include <algorithm>

#include "fusion/schedules/gpu/gpu.hpp"
#include "fusion/schedules/gpu/lanes.hpp"

namespace frit::inline v0::fusion::gpu {
namespace {

class totals : lane_builder {
public:
    totals(const kernel_spec& s, const std::string& name)
        : lane_builder(s, name, reduce_pack), branches_(has_unclamped_words(s)) {
        // Some 64 bytes in flight per thread reach the memory's limit; more only takes registers.
        vector_ = reduce_pack;
        const auto moving = std::count_if(s.loads.begin(), s.loads.end(), [](const access& a) { return moves(a); });
        groups_ = moving <= 1 ? 4 : moving == 2 ? 2 : 1;
        if (branches_) groups_ = 1;
        while (groups_ > 1 && unroll() < lanes()) groups_ /= 2;
    }

    loops::kernel build() {
        count_ = b_.let("n", extents(0, spec_.rank));
        jump_ = b_.let("jump", linear(blocks_x()) * (reduce_threads * reduce_pack));
        for (std::size_t r = 0; r < spec_.reductions.size(); ++r) totals_.push_back(b_.declare(name("a", r), start(r)));
        const value first = (linear(block_x()) * reduce_threads + thread_x()) * reduce_pack;
        b_.loop("first", first, count_, jump_ * groups_, loops::as_compilers_like, [&](value at) { step(at); });
        meet();
        // Registers that only packs beside a clamp need are not worth half of the blocks.
        return take(reduce_threads, branches_ ? reduce_blocks_per_sm : 0);
    }

private:
    void step(value first) {
        first_ = first;
        full_ = b_.let("full", group_start(groups_ - 1) + (reduce_pack - 1) < count_);
        taken_.clear();
        for (std::size_t r = 0; r < spec_.reductions.size(); ++r)
            taken_.push_back(b_.declare(name("x", r), loops::accumulator_of(r), lanes()));
        declare_lanes();
        if (spec_.rank > 1) {
            const strided_lanes kept = declare_places();
            packs(kept);
            accumulate();
            write(kept);
            return;
        }
        read_flat();
        const auto begin = [this](value k) {
            if (!spec_.coords.empty()) set_flat_index(k);
        };
        lift_all(begin, [this](const instruction& i, value) { return coordinate_here(i); });
        accumulate();
        write_flat();
    }
    template <class Begin, class Coordinate>
    void lift_all(Begin begin, Coordinate coordinate) {
        const auto take = [this](value k, const std::vector<value>& body) {
            for (std::size_t r = 0; r < taken_.size(); ++r) b_.put(taken_[r], k, lifted(r, body));
        };
        compute(
            begin, coordinate, [this](value k) { return lane_exists(k); }, take);
    }
    void lift_kept(const strided_lanes& kept) {
        lift_all([](value) {}, [&](const instruction& i, value k) { return kept_coordinate(kept, i, k); });
    }

    // A pack becomes one by a tree, so that whatever is unrolled, a thread takes in its packs in order.
    void accumulate() {
        if (spec_.reductions.empty()) return;
        loop("g", groups_, [&](value g) {
            const value at = first_ + linear(g) * jump_;
            for (std::size_t r = 0; r < totals_.size(); ++r) {
                const value pack = taken_[r].at(g * vector_);
                b_.when(
                    full_,
                    [&] {
                        b_.set(totals_[r], taken(totals_[r], b_.accumulate(loops::code::tree, loops::accumulator_of(r),
                                                                           {pack}, vector_)));
                    },
                    [&] {
                        const value left =
                            b_.choice(at < count_, b_.to(dtype::i32, least(count_ - at, b_.constant(vector_))), number(0));
                        b_.set(totals_[r], b_.accumulate(loops::code::tree_part, {totals_[r], pack, left}, vector_));
                    });
            }
        });
    }

    // --- several dimensions: a pack's first element is found by division ---

    // Where clamps are, packs beside them go their own way, and the others know nothing of them.
    void packs(const strided_lanes& kept) {
        loop("g", groups_, [&](value g) {
            const value at = first_ + linear(g) * jump_;
            const cell element = b_.declare("element", b_.choice(at < count_, at, first_));
            const std::vector<cell> indices = decode_variables(0, spec_.rank, element);
            i_.assign(indices.begin(), indices.end());
            if (branches_) {
                b_.when(
                    is_unclamped(i_),
                    [&] {
                        const value corner = at_once(kept, g);
                        lift_all([&](value k) { set_index(column_, corner + k); },
                                 [&](const instruction& i, value) { return b_.number(i.type, affine_coordinate(i.a)); });
                    },
                    [&] {
                        by_carrying(kept, g, element, indices);
                        lift_kept(kept);
                    });
            } else if (spec_.patch_rows > 0) {
                at_once(kept, g);
            } else {
                by_carrying(kept, g, element, indices);
            }
        });
        if (!branches_) lift_kept(kept);
    }
    template <class F>
    void each_of_pack(value g, F f) {
        const value begin = g * vector_;
        b_.loop("k", begin, begin + vector_, b_.constant(1, dtype::i32), loops::wholly, f);
    }
    void by_carrying(const strided_lanes& kept, value g, const cell& element, const std::vector<cell>& indices) {
        each_of_pack(g, [&](value k) {
            i_.assign(indices.begin(), indices.end());
            read_places(kept, k, true, true);
            b_.when(element + 1 < count_, [&] {
                b_.set(element, element + 1);
                carry(indices, 0, 1);
            });
        });
    }
    // The last extent is a multiple of the pack: no pack goes on in another row.
    value at_once(const strided_lanes& kept, value g) {
        read_windows(g * vector_);
        const value corner = b_.let("corner", i_[column_]), here = i_[column_];
        each_of_pack(g, [&](value k) {
            set_index(column_, corner + (k - g * vector_));
            read_places(kept, k, false, !branches_);
        });
        i_[column_] = here;
        return corner;
    }
    void write(const strided_lanes& kept) {
        if (spec_.patch_rows == 0 || spec_.stores.empty())
            return write_places(kept, [&](value k) { return lane_exists(k); });
        loop("g", groups_, [&](value g) {
            b_.when(first_ + linear(g) * jump_ < count_, [&] {
                for (std::size_t s = 0; s < spec_.stores.size(); ++s) {
                    const access& to = spec_.stores[s].to;
                    const unsigned wide =
                        std::min({vector_, unsigned{to.alignment}, static_cast<unsigned>(16 / size_of(to.type))});
                    const value lane = g * vector_;
                    stream(pointer(to, false) + kept.places[s][lane], results_[s], lane, vector_, wide);
                }
            });
        });
    }

    // Threads to block, blocks to partials in memory, the last block to the totals; then the row code, once.
    void meet() {
        const value of_block = thread_x() == 0;
        std::vector<value> partial;
        for (std::size_t r = 0; r < totals_.size(); ++r) {
            partial.push_back(b_.let(name("p", r), partials(r, blocks_x())));
            block_total(r);
            b_.when(of_block, [&] { b_.write(partial[r] + block_x(), totals_[r]); });
        }
        const value tickets = b_.word(1, loops::address_of(dtype::u32, false));
        b_.when(!b_.accumulate(loops::code::last_block, loops::truth_type(), {tickets, blocks_x()}), [&] { b_.leave(); });
        for (std::size_t r = 0; r < totals_.size(); ++r) {
            b_.set(totals_[r], start(r));
            b_.loop("b", thread_x(), blocks_x(), b_.constant(reduce_threads), loops::as_compilers_like,
                    [&](value b) { b_.set(totals_[r], taken(totals_[r], b_.read(partial[r] + b))); });
            block_total(r);
        }
        b_.when(thread_x() != 0, [&] { b_.leave(); });
        std::vector<value> row;
        b_.compute(spec_.row, all(spec_.row), "e", row,
                   [this](const instruction& i) { return i.code == op::total ? total(i.a, totals_[i.a]) : scalar(i.a); });
        for (const store& to : spec_.row_stores) b_.write(pointer(to.to, false), row[to.value]);
    }
    void block_total(std::size_t r) {
        b_.set(totals_[r], b_.accumulate(loops::code::block_total, {totals_[r]}, reduce_threads / 32));
    }

    const bool branches_;
    std::vector<cell> totals_;
    std::vector<array> taken_;
};

std::uint64_t most_blocks(const target& t) { return static_cast<std::uint64_t>(t.processors) * reduce_blocks_per_sm; }

// A function of the length and the device alone: the bits of the result depend on it. Nothing still gives identities. An odd
// number: with 528 blocks and rows of 8,192 the same threads would have the rows' edges, which cost more than the rest,
// every time (measured on an H200: 0.37 ms for a stencil's step and residual).
launch_shape shape(const kernel_spec& spec, const std::uint64_t* extents, const target& t) {
    const std::uint64_t packs = divide_up(product(extents, 0, spec.rank), reduce_pack);
    launch_shape s;
    s.grid[0] = static_cast<unsigned>(std::clamp<std::uint64_t>(divide_up(packs, reduce_threads), 1, most_blocks(t) - 1));
    s.block[0] = reduce_threads;
    return s;
}

}  // namespace

extern const gpu_schedule totals_schedule{
    .name = "totals",
    .takes = [](const kernel_spec& s) { return s.schedule == schedule_kind::reduce_all; },
    .loops = build<totals>,
    .shape = shape,
    .partials = [](const kernel_spec&, const std::uint64_t*, const target& t) { return most_blocks(t); }};

}  // namespace frit::v0::fusion::gpu
