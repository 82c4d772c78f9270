// reduce_tile: neighbouring threads in neighbouring rows, and each thread has several of them in registers, so that an
// element that is invariant from row to row is read once for all. All lanes of a warp read it at the same address. An
// accumulator takes in runs of 32 elements, each summed from the identity: the error stays that of short sums.
#include <algorithm>

#include "fusion/schedules/gpu/row_grid.hpp"

namespace frit::inline v0::fusion::gpu {
namespace {

using loops::code;

class row_tile : chunk_builder {
public:
    row_tile(const kernel_spec& s, const std::string& name)
        : chunk_builder(s, name),
          work_(s, 0),
          totals_(s.reductions.size()),
          runs_(s.reductions.size()),
          row_values_(s.row.size()) {
        if (work_.work.size() > 1) shape_.chunk = 0;
    }

    loops::kernel build() {
        head();
        invariant_loads();
        for (std::size_t p = 0; p < work_.work.size(); ++p) pass(p);
        end();
        return take(shape_.block());
    }

private:
    bool from_row_to_row(std::size_t k) const { return moves_in(spec_.loads[k], kept_dims_ - 1, kept_dims_); }
    const numbers& reductions(std::size_t p) const { return work_.passes.passes[p].reductions; }
    bool is_last(std::size_t p) const { return p + 1 == work_.work.size(); }
    array declare(const std::string& name, const loops::type& t) { return b_.declare(name, t, shape_.per_lane); }
    value row(value m) { return across_ + m * threads_x(); }
    template <class F>
    void each_row(F body) {
        loop("m", shape_.per_lane, body);
    }
    /// The same where the index of the last kept dimension is the row's.
    template <class F>
    void at_each_row(F body) {
        each_row([&](value m) {
            set_index(kept_dims_ - 1, row(m));
            body(m);
        });
    }
    // A block has the rows across, across + blockDim.x, ... of the last kept dimension.
    void head() {
        tid_ = b_.let("tid", thread_y());
        n_ = b_.let("n", extents(kept_dims_, spec_.rank));
        rows_ = b_.let("rows", extents(0, kept_dims_));
        width_ = b_.let("width", extent(kept_dims_ - 1));
        const value rows_of_block = threads_x() * shape_.per_lane;
        wide_ = b_.let("wide", (width_ + rows_of_block - 1) / rows_of_block);
        const value tiles = b_.let("tiles", rows_ / width_ * wide_);
        const cell tile = b_.declare("tile", block());
        tile_ = tile;
        if (shape_.chunk > 0) choose_chunk(tile, tiles, n_, false);
        b_.when(!(tile_ < tiles), [&] { b_.leave(); });
        across_ = b_.let("across", tile_ % wide_ * rows_of_block + thread_x());
        if (kept_dims_ > 1) decode(0, kept_dims_ - 1, b_.let("rest", tile_ / wide_));
        real_ = declare("real", loops::truth_type());
        each_row([&](value m) { b_.put(real_, m, row(m) < width_); });
        if (shape_.threads > 1 && !spec_.reductions.empty()) column_ = declare_column();
    }

    void invariant_loads() {
        for (std::size_t k = 0; k < spec_.loads.size(); ++k) {
            if (moving(k)) continue;
            const value there = row_code_reads(spec_, k) ? b_.truth(true) : n_ > 0;
            if (!from_row_to_row(k)) {
                loads_[k].one = b_.let(name("l", k), read_if(there, k));
                continue;
            }
            loads_[k].each = declare(name("l", k), loops::number_of(spec_.loads[k].type));
            at_each_row([&](value m) { b_.put(loads_[k].each, m, read_if(real_[m] && there, k)); });
        }
    }

    // --- one pass ---

    void pass(std::size_t p) {
        row_values(p);
        for (const std::uint16_t r : reductions(p)) totals_[r] = declare(name("a", r), loops::accumulator_of(r));
        if (shape_.chunk) return pass_in_chunks(p);
        begin(totals_, reductions(p));
        walk(p, b_.constant(0, linear_), n_);
        meet(reductions(p));
    }

    void begin(const std::vector<array>& accumulators, const numbers& which) {
        if (which.empty()) return;
        each_row([&](value m) {
            for (const std::uint16_t r : which) b_.put(accumulators[r], m, start(r));
        });
    }

    // What the threads of a row have becomes one value.
    void meet(const numbers& which) {
        if (shape_.threads == 1 || which.empty()) return;
        each_row([&](value m) {
            for (const std::uint16_t r : which) {
                const value shared = b_.retyped(column_.at(number(0)), loops::address_of_accumulators(r));
                b_.put(totals_[r], m, b_.accumulate(code::column_total, {totals_[r][m], shared}, shape_.threads));
            }
        });
    }

    // Chunks of the rows, each of them a block's or one after the other; then the partial results in order.
    void pass_in_chunks(std::size_t p) {
        const value base = b_.let("base", tile_ / wide_ * width_ + across_);
        std::vector<value> partial;
        for (std::size_t r = 0; r < spec_.reductions.size(); ++r)
            partial.push_back(b_.let(name("partial", r), partials(r, rows_ * chunks_) + base));
        const auto part = [&](std::size_t r, value chunk, value m) {
            return partial[r] + (linear(chunk) * rows_ + m * threads_x());
        };
        each_chunk(
            [&](value first) {
                begin(totals_, reductions(p));
                walk(p, first, b_.let("stop", least(n_, first + shape_.chunk)));
                meet(reductions(p));
            },
            [&](value chunk) {
                each_row([&](value m) {
                    b_.when(tid_ == 0 && real_[m], [&] {
                        for (const std::uint16_t r : reductions(p)) b_.write(part(r, chunk, m), totals_[r][m]);
                    });
                });
            });
        b_.when(chunks_ > 1, [&] { add_up_chunks(reductions(p), part); });
    }
    template <class Part>
    void add_up_chunks(const numbers& which, Part part) {
        leave_but_last(tile_);
        begin(totals_, which);
        each_row([&](value m) {
            b_.when(real_[m], [&] {
                b_.loop("c", tid_, chunks_, shape_.threads, loops::as_compilers_like, [&](value c) {
                    for (const std::uint16_t r : which) b_.put(totals_[r], m, taken(totals_[r][m], b_.read(part(r, c, m))));
                });
            });
        });
        meet(which);
    }

    // Row values that the pass uses, for each row of the thread.
    void row_values(std::size_t p) {
        numbers used;
        for (const std::uint16_t k : work_.work[p].body)
            if (spec_.body[k].code == op::row) used.push_back(spec_.body[k].a);
        if (used.empty()) return;
        std::sort(used.begin(), used.end());
        used.erase(std::unique(used.begin(), used.end()), used.end());
        for (const std::uint16_t k : used) row_values_[k] = declare(name("s", k), loops::number_of(spec_.row[k].type));
        at_each_row([&](value m) {
            std::vector<value> values;
            for (std::size_t q = 0; q <= p; ++q) row_code(work_.passes.passes[q].row, m, values);
            for (const std::uint16_t k : used) b_.put(row_values_[k], m, values[k]);
        });
    }
    void row_code(const numbers& which, value m, std::vector<value>& values) {
        const auto leaf = [&](const instruction& i) {
            if (i.code == op::total) return total(i.a, totals_[i.a][m]);
            return of_row(i, m);
        };
        b_.compute(spec_.row, which, "e", values, leaf, real_[m]);
    }

    // What does not move in a row.
    value of_row(const instruction& i, value m) {
        return i.code == op::load && loads_[i.a].moves() ? value(loads_[i.a].each[m]) : once(i);
    }

    void walk(std::size_t p, value first, value stop) {
        const numbers& which = reductions(p);
        b_.loop("at", linear(first + tid_ * shape_.pack), stop, shape_.threads * shape_.pack, loops::as_compilers_like,
                [&](value at) {
                    for (const std::uint16_t r : which) runs_[r] = declare(name("x", r), loops::accumulator_of(r));
                    begin(runs_, which);
                    run(p, at, stop);
                    if (which.empty()) return;
                    each_row([&](value m) {
                        for (const std::uint16_t r : which) b_.put(totals_[r], m, taken(totals_[r][m], runs_[r][m]));
                    });
                });
    }
    void run(std::size_t p, value at, value stop) {
        const unsigned weight = weight_of(spec_.body) * shape_.per_lane * shape_.in_flight;
        b_.when(
            at + shape_.pack <= stop,
            [&] {
                loop(
                    "q", shape_.pack, [&](value q) { elements(p, at + q, shape_.in_flight); }, shape_.in_flight,
                    unroll_of(weight, 2));
            },
            [&] {
                const value count = b_.let("count", b_.to(dtype::i32, stop - at));
                b_.loop("q", number(0), count, b_.constant(1, dtype::i32), loops::as_compilers_like,
                        [&](value q) { elements(p, at + q, 1); });
            });
    }

    // The elements first, ..., of all rows of the thread.
    void elements(std::size_t p, value first, unsigned count) {
        read_elements(work_.work[p].reads, first, count);
        numbers body;
        for (const std::uint16_t k : work_.work[p].body)
            if (!only_accumulated(p, k)) body.push_back(k);
        at_each_row([&](value m) {
            each_element(first, count, [&](value k) {
                std::vector<value> values;
                const auto leaf = [&](const instruction& i) {
                    if (i.code == op::row) return value(row_values_[i.a][m]);
                    return i.code == op::load && moving(i.a) ? value(loads_[i.a].each[k]) : of_row(i, m);
                };
                b_.compute(spec_.body, body, "t", values, leaf, real_[m]);
                for (const std::uint16_t r : reductions(p)) accumulate(r, m, values);
                if (is_last(p) && !spec_.stores.empty()) b_.when(real_[m], [&] { store_element(values); });
            });
        });
    }
    void read_elements(const numbers& loads, value first, unsigned count) {
        numbers one_by_one;
        for (const std::uint16_t k : loads)
            loads_[k].each = b_.declare(name("l", k), loops::number_of(spec_.loads[k].type), count);
        for (const std::uint16_t k : loads) {
            const unsigned width = spec_.reduced > 1 ? 1 : width_of(spec_.loads[k], count);
            if (width == 1) {
                one_by_one.push_back(k);
                continue;
            }
            set_index(kept_dims_, first);
            b_.copy_in(loads_[k].each.at(number(0)), load_address(k), {count, width});
        }
        if (one_by_one.empty()) return;
        each_element(first, count, [&](value lane) {
            for (const std::uint16_t k : one_by_one) b_.put(loads_[k].each, lane, read(k));
        });
    }
    /// At the indices of the element in its row.
    template <class F>
    void each_element(value first, unsigned count, F body) {
        loop("k", count, [&](value k) {
            if (spec_.reduced == 1)
                set_index(kept_dims_, first + k);
            else
                decode(kept_dims_, spec_.rank, b_.let("rest", first + k));
            body(k);
        });
    }

    // A sum of products takes them in unrounded.
    bool sums_products(std::uint16_t r) const {
        const reduction_spec& red = spec_.reductions[r];
        return red.code == op::sum && is_float(red.type) && spec_.body[red.value].code == op::mul;
    }
    // A product that nothing else uses.
    bool only_accumulated(std::size_t p, std::uint16_t k) const {
        bool taken = false;
        for (const std::uint16_t r : reductions(p))
            if (spec_.reductions[r].value == k) {
                if (!sums_products(r)) return false;
                taken = true;
            }
        const auto uses = [k](const instruction& i) {
            for (int n = 0; n < operands_of(i); ++n)
                if (operand(i, n) == k) return true;
            return false;
        };
        const numbers& body = work_.work[p].body;
        return taken && std::none_of(body.begin(), body.end(), [&](std::uint16_t n) { return uses(spec_.body[n]); }) &&
               std::none_of(spec_.stores.begin(), spec_.stores.end(), [k](const store& to) { return to.value == k; });
    }
    void accumulate(std::uint16_t r, value m, const std::vector<value>& values) {
        const reduction_spec& red = spec_.reductions[r];
        const instruction& i = spec_.body[red.value];
        if (!sums_products(r)) return b_.put(runs_[r], m, taken(runs_[r][m], lifted(r, values)));
        const value before = b_.let("sum", total(r, runs_[r][m]));
        const value sum = b_.compute(op::fma, red.type, red.type, {values[i.a], values[i.b], before});
        b_.put(runs_[r], m, b_.accumulate(code::lifted, loops::accumulator_of(r), {sum}));
    }

    void end() {
        if (spec_.row_stores.empty()) return;
        if (shape_.threads > 1 && work_.passes.passes.back().reductions.empty()) b_.barrier();
        b_.when(tid_ == 0, [&] {
            at_each_row([&](value m) {
                b_.when(real_[m], [&] {
                    std::vector<value> values;
                    for (const row_pass& p : work_.passes.passes) row_code(p.row, m, values);
                    row_code(work_.passes.row_at_end, m, values);
                    store_row(values);
                });
            });
        });
    }

    row_work work_;
    value tid_{}, n_{}, rows_{}, width_{}, wide_{}, tile_{}, across_{};
    array real_{}, column_{};
    std::vector<array> totals_, runs_;  ///< by reduction: accumulators of the rows, of a run of elements
    std::vector<array> row_values_;     ///< that the pass uses, by instruction
};

}  // namespace

extern const gpu_schedule row_tiles_schedule{
    .name = "row_tiles",
    .takes = [](const kernel_spec& s) { return s.schedule == schedule_kind::reduce_tile; },
    .loops = build<row_tile>,
    .shape = shape_of_rows,
    .partials = partials_of_rows};

}  // namespace frit::v0::fusion::gpu
