// Rows that are read once, for their own totals and for sums over all rows that those weight (kernel_spec::columns). A group
// of lanes of a warp has some rows at once, and they stay in registers: the lanes add up each row, what there is once per
// row is computed by one lane for each of them, and then every lane adds what became of its elements to sums of its own
// columns, which it keeps from row to row. At the end the groups of a block add up theirs, and leave a line of sums. Which
// rows a block has follows from their number and the number of blocks, so the sums' bits do too.
#include <algorithm>
#include <bit>

#include "fusion/ir/row_passes.hpp"
#include "fusion/schedules/gpu/gpu.hpp"
#include "fusion/schedules/gpu/kernel.hpp"

namespace frit::inline v0::fusion::gpu {
namespace {

constexpr unsigned warp = 32;

/// A row is dealt out to `threads` lanes in packs of `pack` neighbours in turn; they have `rows` rows at once.
struct once_shape {
    unsigned pack, threads, packs, rows;
    unsigned elements() const { return packs * pack; }  ///< of a row, that a lane has
    unsigned groups() const { return once_threads / threads; }
    unsigned rows_of_block() const { return groups() * rows; }
};

bool is_of_matrix(const access& a) { return moves_in(a, 0, 1) && moves_in(a, 1, 2); }

once_shape shape_of(const kernel_spec& s) {
    constexpr unsigned in_flight = 128;  // bytes of a lane: what the memory's latency takes, and registers still hold
    std::size_t widest = 1, bytes = 0;
    for (const access& a : s.loads) {
        if (moves_in(a, 1, 2)) widest = std::max(widest, size_of(a.type));
        if (is_of_matrix(a)) bytes += size_of(a.type);
    }
    once_shape shape{std::min(std::max(4U, static_cast<unsigned>(16 / widest)), 1U << s.row_class), 1, 1, 1};
    shape.threads = std::clamp((1U << s.row_class) / shape.pack, 1U, warp);
    shape.packs = std::max(1U, (1U << s.row_class) / (shape.threads * shape.pack));
    const auto of_row = static_cast<unsigned>(std::max<std::size_t>(bytes, 2)) * shape.elements();
    shape.rows = std::min({std::bit_floor(std::max(in_flight / of_row, 1U)), 8U, shape.threads});
    const unsigned weight = weight_of(s.body);
    const auto too_many = [&](unsigned lanes) { return unroll_of(weight, lanes) < lanes; };
    while (shape.rows > 1 && too_many(shape.rows * shape.elements())) shape.rows /= 2;
    return shape;
}

class rows_once : kernel_builder {
public:
    rows_once(const kernel_spec& s, const std::string& name)
        : kernel_builder(s, name), shape_(shape_of(s)), passes_(s), accumulators_(s.reductions.size()) {}

    loops::kernel build() {
        n_ = b_.let("n", extent(1));
        rows_ = b_.let("rows", extent(0));
        lane_ = b_.let("lane", thread_x() % shape_.threads);
        const value group = b_.let("group", thread_x() / shape_.threads);
        if (shape_.rows > 1) base_ = b_.let("base", b_.to(dtype::i32, thread_x() % warp / shape_.threads * shape_.threads));
        read_columns();
        for (std::size_t c = 0; c < spec_.columns.size(); ++c) {
            sums_.push_back(b_.declare(name("c", c), rule_of_column(c), shape_.elements()));
            loop("e", shape_.elements(), [&](value e) { b_.put(sums_[c], e, identity_of_column(c)); });
        }
        const std::int64_t at_once = shape_.rows_of_block();
        const value tiles = b_.let("tiles", (rows_ + (at_once - 1)) / at_once);
        b_.loop("tile", linear(block_x()), tiles, linear(blocks_x()), loops::not_at_all, [&](value tile) {
            first_ = b_.let("first", tile * at_once + linear(group) * shape_.rows);
            rows_at_once();
        });
        for (std::size_t c = 0; c < sums_.size(); ++c) leave_line(c);
        return take(once_threads, blocks_per_sm());
    }

private:
    /// All blocks of a launch at once, where their registers allow it: else in two turns.
    unsigned blocks_per_sm() const {
        std::size_t bytes = 0;
        for (const column_sum& c : spec_.columns) bytes += size_of(c.type);
        for (const access& a : spec_.loads)
            if (moves_in(a, 1, 2)) bytes += size_of(a.type);
        return shape_.elements() * bytes <= most_once_bytes_of_two ? once_blocks_per_sm(spec_.row_class) : 1;
    }
    loops::type rule_of_column(std::size_t c) const { return loops::accumulator_of(spec_.reductions.size() + c); }
    value identity_of_column(std::size_t c) { return b_.accumulate(loops::code::identity, rule_of_column(c), {}); }

    // --- elements: a lane has element `start of pack g + e` of a row in place g * pack + e ---

    value start_of_pack(value g) { return b_.let("at", linear(lane_ * shape_.pack + g * (shape_.threads * shape_.pack))); }
    /// Reads a lane's packs of a row to the places from `first` on; where `all` is not known, those that exist.
    void read_row(std::size_t k, value first, bool all, value there) {
        const access& a = spec_.loads[k];
        const unsigned width = width_of(a, shape_.pack);
        const loops::cache policy = is_of_matrix(a) && !a.dims[0].clamped && !a.dims[1].clamped
                                        ? (spec_.stores.empty() ? loops::cache::once : loops::cache::once_of_both)
                                        : loops::cache::plain;
        loop("g", shape_.packs, [&](value g) {
            const value at = start_of_pack(g);
            loop(
                "e", shape_.pack,
                [&](value e) {
                    i_[1] = offset(at + linear(e));
                    b_.when(all ? b_.truth(true) : there && at + linear(e) < n_, [&] {
                        b_.copy_in(loads_[k].each.at(first + g * shape_.pack + e), load_address(k),
                                   {width, width, 1, policy});
                    });
                },
                width);
        });
    }

    // What is the same for all rows.
    void read_columns() {
        for (std::size_t k = 0; k < spec_.loads.size(); ++k) {
            if (moves_in(spec_.loads[k], 0, 1) || !moves_in(spec_.loads[k], 1, 2)) continue;
            loads_[k].each = zeros(k, shape_.elements());
            i_[0] = b_.constant(0, offset_);
            read_row(k, number(0), false, b_.truth(true));
        }
    }
    void read_matrices() {
        numbers matrices;
        for (std::uint16_t k = 0; k < spec_.loads.size(); ++k)
            if (is_of_matrix(spec_.loads[k])) matrices.push_back(k);
        for (const std::uint16_t k : matrices) loads_[k].each = zeros(k, shape_.rows * shape_.elements());
        const auto read = [&](bool all) {
            loop("k", shape_.rows, [&](value k) {
                const value row = b_.let("row", first_ + linear(k));
                set_index(0, row);
                for (const std::uint16_t m : matrices) read_row(m, k * shape_.elements(), all, row < rows_);
            });
        };
        const std::int64_t last = (shape_.packs - 1) * shape_.threads * shape_.pack + (shape_.pack - 1);
        const value columns = linear(lane_ * shape_.pack) + last < n_;
        b_.when(
            b_.let("whole", first_ + (shape_.rows - 1) < rows_ && columns), [&] { read(true); }, [&] { read(false); });
    }

    // --- the rows of a group ---

    void rows_at_once() {
        const value own = shape_.rows > 1 ? linear(lane_ % shape_.rows) : b_.constant(0, linear_);
        const value own_row = b_.let("own", first_ + own);
        real_ = b_.let("real", own_row < rows_);
        own_index_ = b_.let("own_index", offset(own_row));
        i_[0] = own_index_;
        read_matrices();
        i_[0] = own_index_;
        read_unmoving(real_);
        of_row_.assign(spec_.row.size(), {});
        for (std::size_t p = 0; p < passes_.passes.size(); ++p) pass(p);
        row_code(passes_.row_at_end);
        store_rows();
    }
    void row_code(const numbers& list) {
        i_[0] = own_index_;
        const auto leaf = [this](const instruction& i) { return i.code == op::total ? total(i.a, totals_[i.a]) : once(i); };
        b_.compute(spec_.row, list, "e", of_row_, leaf, real_);
    }
    void store_rows() {
        if (spec_.row_stores.empty()) return;
        if (shape_.threads > 1) b_.barrier(true);  // all of the row's lanes have read what may be written over
        b_.when(lane_ < shape_.rows && real_, [&] { store_row(of_row_); });
    }

    bool is_last(std::size_t p) const { return p + 1 == passes_.passes.size(); }
    const numbers& reductions(std::size_t p) const { return passes_.passes[p].reductions; }

    void pass(std::size_t p) {
        row_code(passes_.passes[p].row);
        for (const std::uint16_t r : reductions(p)) {
            accumulators_[r] = b_.declare(name("a", r), loops::accumulator_of(r), shape_.rows);
            loop("k", shape_.rows, [&](value k) { b_.put(accumulators_[r], k, start(r)); });
        }
        loop("k", shape_.rows, [&](value k) {
            const value row = b_.let("row", first_ + linear(k)), exists = b_.let("exists", row < rows_);
            set_index(0, row);
            const std::vector<value> passed = passed_on(p, k);
            loop("g", shape_.packs, [&](value g) { pack(p, k, g, exists, passed); });
        });
        totals_.resize(spec_.reductions.size());
        for (const std::uint16_t r : reductions(p)) totals_[r] = b_.let(name("s", r), total_of_row(r));
    }
    /// Of the row of each lane's own.
    value total_of_row(std::size_t r) {
        const array& a = accumulators_[r];
        if (shape_.rows > 1)
            return b_.accumulate(loops::code::dealt_total, loops::accumulator_of(r), {a.at(number(0)), number(shape_.rows)},
                                 shape_.threads);
        if (shape_.threads == 1) return a[0];
        return b_.accumulate(loops::code::group_total, {a[0]}, shape_.threads);
    }
    /// What this pass needs of row k, from the lane whose own it is.
    std::vector<value> passed_on(std::size_t p, value k) {
        std::vector<value> passed(spec_.row.size());
        for (const std::uint16_t i : passes_.passes[p].body) {
            const instruction& what = spec_.body[i];
            if (what.code != op::row || passed[what.a]) continue;
            const value own = of_row_[what.a];
            passed[what.a] =
                shape_.rows == 1
                    ? own
                    : b_.let(name("r", what.a),
                             b_.make({.what = loops::code::from_lane, .is = own.is(), .in = {own.id, (base_ + k).id}}));
        }
        return passed;
    }

    void pack(std::size_t p, value k, value g, value exists, const std::vector<value>& passed) {
        const value at = start_of_pack(g);
        std::vector<array> elements(spec_.reductions.size());
        for (const std::uint16_t r : reductions(p))
            elements[r] = b_.declare(name("x", r), loops::accumulator_of(r), shape_.pack);
        const std::vector<array> results = is_last(p) ? declare_results(shape_.pack) : std::vector<array>();
        loop("e", shape_.pack, [&](value e) {
            const value place = g * shape_.pack + e;
            set_index(1, at + linear(e));
            const auto leaf = [&](const instruction& i) {
                if (i.code == op::row) return passed[i.a];
                if (i.code != op::load || !loads_[i.a].moves()) return once(i);
                return value(loads_[i.a].each[is_of_matrix(spec_.loads[i.a]) ? k * shape_.elements() + place : place]);
            };
            std::vector<value> t(spec_.body.size());
            b_.compute(spec_.body, passes_.passes[p].body, "t", t, leaf, exists && at + linear(e) < n_);
            for (const std::uint16_t r : reductions(p)) b_.put(elements[r], e, lifted(r, t));
            keep(results, e, t);
            if (is_last(p)) add_to_columns(place, exists, t);
        });
        if (!reductions(p).empty())
            take_pack(
                reductions(p), shape_.pack, at, b_.let("full", at + shape_.pack <= n_), n_, elements,
                [&](std::uint16_t r) { return accumulators_[r][k]; },
                [&](std::uint16_t r, value after) { b_.put(accumulators_[r], k, after); });
        store_pack(shape_.pack, at, n_, exists, results, number(0));
    }
    // Columns that do not exist are added up too, and nobody asks for them.
    void add_to_columns(value place, value exists, const std::vector<value>& t) {
        b_.when(exists, [&] {
            for (std::size_t c = 0; c < sums_.size(); ++c) {
                const value term = b_.accumulate(loops::code::lifted, rule_of_column(c), {t[spec_.columns[c].value]});
                b_.put(sums_[c], place, taken(sums_[c][place], term));
            }
        });
    }

    // --- at the end ---

    // Pack by pack, by halves of the groups, through memory for one pack of each thread.
    void leave_line(std::size_t c) {
        if (!meeting_.in)
            meeting_ = b_.declare("meeting", loops::number_of(dtype::u64), std::int64_t{once_threads} * shape_.pack,
                                  loops::storage::shared);
        const column_sum& sum = spec_.columns[c];
        const auto type = loops::address_of_accumulators(spec_.reductions.size() + c);
        const value own = b_.let("own", b_.retyped(meeting_.at(number(0)), type) + thread_x() * shape_.pack);
        const value line = b_.let("line", b_.word(map_.layout.pointers + sum.pointer, loops::address_of(sum.type, false)) +
                                              linear(block_x()) * n_);
        loop("g", shape_.packs, [&](value g) {
            const auto each = [&](auto&& f) { loop("e", shape_.pack, [&](value e) { f(e, g * shape_.pack + e); }); };
            b_.barrier();
            each([&](value e, value place) { b_.write(own + e, sums_[c][place]); });
            for (unsigned by = shape_.groups() / 2; by > 0; by /= 2) {
                b_.barrier();
                b_.when(thread_x() < by * shape_.threads, [&] {
                    each([&](value e, value place) {
                        b_.put(sums_[c], place,
                               taken(sums_[c][place], b_.read(own + (e + by * shape_.threads * shape_.pack))));
                        if (by > 1) b_.write(own + e, sums_[c][place]);
                    });
                });
            }
            const value at = start_of_pack(g);
            each([&](value e, value place) {
                b_.when(thread_x() < shape_.threads && at + linear(e) < n_, [&] {
                    b_.write(line + (at + linear(e)),
                             b_.accumulate(loops::code::part, loops::number_of(sum.type), {sums_[c][place]}, 0));
                });
            });
        });
    }

    const once_shape shape_;
    const row_passes passes_;
    std::vector<array> accumulators_;  // by reduction, of the rows at hand
    std::vector<value> totals_, of_row_;
    std::vector<array> sums_;
    array meeting_{};
    value n_{}, rows_{}, lane_{}, base_{}, first_{}, real_{}, own_index_{};
};

launch_shape shape(const kernel_spec&, const std::uint64_t* extents, const target& t) {
    launch_shape s;
    s.grid[0] =
        static_cast<unsigned>(sum_parts(static_cast<std::int64_t>(extents[0]), static_cast<std::int64_t>(extents[1]), t));
    s.block[0] = once_threads;
    return s;
}

}  // namespace

extern const gpu_schedule rows_once_schedule{.name = "rows_once",
                                             .takes = [](const kernel_spec& s) { return !s.columns.empty(); },
                                             .loops = build<rows_once>,
                                             .shape = shape};

}  // namespace frit::v0::fusion::gpu
