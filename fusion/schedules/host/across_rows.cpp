// Reductions and recurrences on a CPU whose lanes run across rows: reduce_outer and reduce_tile. Rows that are neighbours
// make a tile; the elements of its rows come in runs, of 32 where they are added up. A run of some vectors of rows is
// accumulated in registers, so that what is invariant from row to row is read once for all of them and what is invariant
// along the row once for the run; the runs of a tile combine in pairwise trees in the cache.
#include <algorithm>

#include "fusion/schedules/host/host.hpp"
#include "fusion/schedules/host/row_groups.hpp"

namespace frit::inline v0::fusion::host {
namespace {

constexpr int levels = 40;                       // of the trees: rows of up to 2^44 elements
constexpr int tree_bytes = 4096;                 // one level of all trees of a tile
constexpr int states_bytes = 16384;              // of a tile's recurrences
constexpr std::int64_t cache_bytes = 256 << 10;  // that a tile may read in one pass, if there are several
constexpr std::uint32_t unrolled = 8;

class across_rows : row_groups {
public:
    across_rows(const kernel_spec& spec, const word_map& map, const target& t, const std::string& name)
        : row_groups(spec, map, t, name),
          section_(spec.row.size(), passes_.passes.size()),
          crosses_(spec.row.size(), false) {
        for (std::size_t p = 0; p < passes_.passes.size(); ++p)
            for (const std::uint16_t k : passes_.passes[p].row) section_[k] = p;
        for (const instruction& i : spec.body)
            if (i.code == op::row) crosses_[i.a] = true;
        for (std::size_t k = 0; k < spec.row.size(); ++k)
            for_operands(spec.row[k], [&](std::uint16_t a) { crosses_[a] = crosses_[a] || section_[a] != section_[k]; });
        for (const store& s : spec.row_stores)
            if (section_[s.value] < passes_.passes.size()) crosses_[s.value] = true;
    }

    loops::function build() {
        parameters(lane_);
        sizes();
        run_length_ = length_of_runs();
        runs_ = b_.let("runs", (length_ + (run_length_ - 1)) / run_length_);
        if (has_recurrences(spec_)) far_rows();
        declare_tile();
        declare_scratch();
        const cell row = b_.declare("row", first_);
        b_.repeat(row < last_, [&] {
            const value n = extents_[lane_];
            const cell line = b_.let("line", row / n), begin = b_.let("begin", row - line * n),
                       end = b_.let("end", least(n, begin + last_ - row));
            b_.set(row, row + (end - begin));
            line_ = line;
            start_line(line, begin, end);
            c_ = b_.declare("c", begin);
            b_.repeat(c_ < end, [&] {
                width_ = b_.let("width", least(tile_, end - c_));
                passes_from(0);
                b_.set(c_, c_ + tile_);
            });
        });
        if (has_recurrences(spec_)) finish_far_stores(lane_);
        return b_.take();
    }

private:
    /// Which stores go past the caches: those of recurrences, which have as many results as operands, where no row begins
    /// inside of a vector.
    void far_rows() {
        far_stores(lane_);
        for (const memory& m : memories_) {
            rows_fit_.emplace_back();
            if (!may_be_far(m, lane_)) continue;
            value fit = b_.truth(true);
            for (std::size_t d = 0; d < spec_.rank; ++d)
                if (d != lane_) fit = fit && offset(m, d, b_.constant(1)) % lanes_ == 0;
            rows_fit_.back() = b_.let("fit" + m.id, fit);
        }
    }
    /// What an instruction of the row code reads: a loop all its feeds.
    template <class F>
    void for_operands(const instruction& i, F f) const {
        if (i.code == op::iterate)
            for (const std::uint16_t feed : feeds_of(i, spec_.row)) f(feed);
        for (int n = 0; n < operands_of(i); ++n) f(operand(i, n));
    }
    // --- sizes ---

    void declare_tile() {
        std::size_t state = 1, read = 1;
        for (std::size_t k = 0; k < spec_.reductions.size(); ++k)
            for (int p = 0; p < rule(k).parts; ++p) state += size_of(rule(k).types[p]);
        for (const instruction& i : spec_.body) state += i.code == op::state ? size_of(i.type) : 0;
        for (const memory& m : memories_) read += is_element(m) ? size_of(m.at.type) : 0;
        const int unit = wide_vectors() * lanes_;
        widest_tile_ = recurs_along_memory() ? unit
                                             : std::max(unit, (has_recurrences(spec_) ? states_bytes : tree_bytes) /
                                                                  static_cast<int>(state) / unit * unit);
        const std::int64_t group = vectors() * lanes_;
        const auto of_rows = [&](std::int64_t elements) {
            return b_.constant(elements) / most(b_.constant(1), length_) / group * group;
        };
        value tile = b_.constant(widest_tile_);
        if (!passes_.single()) tile = least(tile, of_rows(cache_bytes / static_cast<std::int64_t>(read)));
        if (keeps()) {
            const cell fits = b_.let("fit", of_rows(room()));
            tile = b_.choice(fits > 0, least(tile, fits), tile);
        }
        tile_ = b_.let("tile", most(tile, b_.constant(group)));
        declare_kept(length_ * tile_);
    }
    void declare_scratch() {
        for (std::size_t k = 0; k < spec_.reductions.size(); ++k)
            trees_.push_back(
                declare_accumulators("tree" + std::to_string(k), k, (inner_order_ ? 1 : levels) * (widest_tile_ / lanes_)));
        for (const instruction& i : spec_.body)
            if (i.code == op::scan_along)
                for (const dtype t : states_of(i))
                    going_on_.push_back(
                        b_.declare("go" + std::to_string(going_on_.size()), loops::number_of(t), widest_tile_));
        row_arrays_.resize(spec_.row.size());
        for (std::size_t k = 0; k < spec_.row.size(); ++k)
            if (crosses_[k])
                row_arrays_[k] = b_.declare("row" + std::to_string(k), loops::number_of(spec_.row[k].type), widest_tile_);
        turned_.resize(memories_.size());
        for (std::size_t k = 0; k < memories_.size(); ++k) {
            const memory& m = memories_[k];
            if (is_turned(m))
                turned_[k] = b_.declare("t" + m.id, loops::number_of(m.at.type), run_length_ * vectors() * lanes_);
        }
        declare_tables();
    }

    // --- a line of rows ---

    // Indices, pointers and single values of a line of rows; [in0, in1): its rows where no access is clamped.
    void start_line(value line, value begin, value end) {
        start_of(lane_, line, [this](const memory& m) { return is_splat(m); });
        in0_ = begin;
        in1_ = end;
        if (std::none_of(memories_.begin(), memories_.end(), [this](const memory& m) { return m.dim(lane_).clamped; }))
            return;
        const array inside = b_.declare("inside", loops::index_type(), 2);
        b_.put(inside, 0, begin);
        b_.put(inside, 1, end);
        for (const memory& m : memories_) narrow(m, lane_, inside);
        in0_ = inside[0];
        in1_ = inside[1];
    }

    void passes_from(std::size_t p) {
        if (p == passes_.passes.size()) return row_code(passes_.row_at_end, p);
        pass(p);
        const auto rest = [&] { passes_from(p + 1); };
        if (passes_.single() && !passes_.passes[p].reductions.empty())
            b_.when(!parted_, rest);
        else
            rest();
    }

    // Row code over the rows of the tile, and the row stores behind the last.
    void row_code(const std::vector<std::uint16_t>& which, std::size_t section) {
        const bool last = section == passes_.passes.size();
        if (which.empty() && (!last || spec_.row_stores.empty())) return;
        std::vector<bool> here(spec_.row.size(), false), wanted(spec_.row.size(), false);
        for (const std::uint16_t k : which) {
            here[k] = true;
            for_operands(spec_.row[k], [&](std::uint16_t a) { wanted[a] = true; });
        }
        if (last)
            for (const store& s : spec_.row_stores) wanted[s.value] = true;
        b_.loop("v", b_.constant(0), width_, lanes_, 0, [&](value v) {
            const cell count = b_.let("count", least(b_.constant(lanes_), width_ - v));
            std::vector<value> done(spec_.row.size());
            for (std::size_t k = 0; k < spec_.row.size(); ++k)
                if (wanted[k] && !here[k]) done[k] = b_.let("f" + std::to_string(k), b_.load(row_arrays_[k]->at(v)));
            b_.compute(
                spec_.row, which, "f", done, [&](const instruction& i) { return row_leaf(i, v, count); }, count);
            for (const std::uint16_t k : which)
                if (crosses_[k]) b_.store(row_arrays_[k]->at(v), done[k]);
            for (std::size_t s = 0; last && s < spec_.row_stores.size(); ++s) {
                const std::size_t k = spec_.loads.size() + spec_.stores.size() + s;
                const value lanes = done[spec_.row_stores[s].value];
                if (memories_[k].is_contiguous(lane_))
                    b_.store_part(start_[k] + (c_ + v), lanes, count);
                else
                    b_.spread(start_[k], stride(memories_[k]), c_ + v, count, lanes);
            }
        });
    }
    value row_leaf(const instruction& i, value v, value count) {
        if (i.code == op::total) return trees_[i.a][static_cast<std::size_t>(rule(i.a).result)][v / lanes_];
        if (i.code == op::scalar) return scalars_[i.a];
        if (i.code == op::load) return is_splat(memories_[i.a]) ? once_[i.a] : part_of(i.a, b_.constant(0), c_ + v, count);
        const std::size_t d = spec_.coords[i.a].dim;
        if (d == lane_) return coordinate_lanes(i.a, i.type, c_ + v);
        return splat_index(i.type, coordinate_at(i.a, indices_[d]));
    }

    // --- a pass ---

    void pass(std::size_t p) {
        const row_pass& now = passes_.passes[p];
        row_code(now.row, p);
        from_ = b_.let("from", block_ * (reduce_block / run_length_));
        const cell to = b_.let("to", least(runs_, stop_ * (reduce_block / run_length_)));
        b_.loop("run", from_, to, 1, 0, [&](value run) {
            j_ = b_.let("j", run * run_length_);
            m_ = b_.let("m", least(b_.constant(run_length_), length_ - j_));
            if (!now.reductions.empty()) combined_ = b_.let("met", b_.popcount(run - from_));
            run_ = run;
            fill_tables(p);
            find_picked(p);
            groups(p);
        });
        if (!now.reductions.empty()) totals(p, to);
    }
    void groups(std::size_t p) {
        if (is_one_row()) return group(p, 1, false, b_.constant(0), b_.constant(1));
        const int G = vectors(), H = wide_vectors();
        const cell v = b_.declare("v", b_.constant(0));
        b_.repeat(v < width_, [&] {
            const cell whole = b_.let("whole", b_.choice(c_ + v >= in0_, least(width_ - v, in1_ - c_ - v), b_.constant(0)));
            const auto vectors_at_once = [&](int n) {
                group(p, n, true, v, b_.constant(n * lanes_));
                b_.set(v, v + n * lanes_);
            };
            const auto part = [&] {
                const value count = least(b_.constant(lanes_), width_ - v);
                const auto some = [&] { group(p, 1, false, v, count); };
                // A recurrence over a vector is one row, whose elements are to be read without ado.
                if (has_recurrences(spec_))
                    b_.when(
                        width_ - v == 1, [&] { group(p, 1, false, v, b_.constant(1)); }, some);
                else
                    some();
                b_.set(v, v + lanes_);
            };
            const auto few = [&] {
                b_.when(
                    whole >= G * lanes_, [&] { vectors_at_once(G); }, part);
            };
            if (H > G)
                b_.when(
                    whole >= H * lanes_, [&] { vectors_at_once(H); }, few);
            else
                few();
        });
    }
    // The trees of a pass become totals: the first level of each.
    void totals(std::size_t p, value to) {
        const row_pass& now = passes_.passes[p];
        const cell count = b_.let("pushed", to - from_), top = b_.let("top", b_.popcount(count) - 1);
        b_.loop("v", b_.constant(0), width_, lanes_, 0, [&](value v) {
            const cell place = b_.let("place", v / lanes_);
            for (const std::uint16_t k : now.reductions) total(k, place, count, top);
            if (!passes_.single()) return;
            b_.when(parted_, [&] {
                for (const std::uint16_t k : now.reductions)
                    leave_partials(k, block_, line_ * extents_[lane_] + c_ + v, read(trees_[k], place),
                                   least(b_.constant(lanes_), width_ - v));
            });
        });
    }
    std::int64_t pitch_of_trees() const { return widest_tile_ / lanes_; }
    void total(std::size_t k, value place, value count, value top) {
        b_.when(
            count == 0, [&] { write(trees_[k], place, identity(k)); },
            [&] {
                if (inner_order_) return;  // a run alone
                write(trees_[k], place,
                      total_of_tree(k, trees_[k], pitch_of_trees(), place, place + top * pitch_of_trees()));
            });
    }

    // --- a group: the run for rows [c + v, c + v + count), n vectors of them ---

    struct group_place {
        std::size_t pass;
        int n;
        bool whole;
        value v, count;
    };

    bool is_one(const group_place& g) const { return b_.constant_of(g.count) == 1; }

    void group(std::size_t p, int n, bool whole, value v, value count) {
        const group_place g{p, n, whole, v, count};
        const row_pass& now = passes_.passes[p];
        start_group(g);
        turn(g, true);
        sums_.assign(spec_.reductions.size(), {});
        for (const std::uint16_t k : now.reductions) {
            sums_[k] = declare_accumulators("s" + std::to_string(k), k, inner_order_ ? reduce_run : n);
            if (!inner_order_) each_vector(g, [&](value u) { write(sums_[k], u, identity(k)); });
        }
        const std::vector<array> states = states_before(g);
        b_.loop("jj", b_.constant(0), m_, 1, 0, [&](value jj) {
            ahead_of_element(g, jj);
            each_vector(g, [&](value u) { element(g, jj, u); });
        });
        turn(g, false);
        for (std::size_t s = 0; s < states.size(); ++s)
            each_vector(g, [&](value u) { b_.store(going_on_[s].at(g.v + u * lanes_), states[s][u]); });
        const cell place = b_.let("place", v / lanes_);
        for (const std::uint16_t k : now.reductions)
            if (inner_order_)
                write(trees_[k], place, tree_of_elements(k));
            else
                each_vector(
                    g,
                    [&](value u) {
                        push(k, trees_[k], pitch_of_trees(), place + u + combined_ * pitch_of_trees(), run_ - from_,
                             read(sums_[k], u));
                    },
                    0);
    }
    bool is_turned_in(const group_place& g, std::size_t k) const { return g.whole && turned_[k]; }
    value turned_at(const group_place& g, std::size_t k, value jj, value u) {
        return turned_[k]->at(jj * (g.n * lanes_) + u * lanes_);
    }
    // The run's loads before it, or its stores behind it.
    void turn(const group_place& g, bool loads) {
        for (std::size_t k = 0; k < memories_.size(); ++k) {
            const memory& m = memories_[k];
            if (!is_turned_in(g, k) || m.is_load() != loads || !touches(g.pass, k)) continue;
            const value row = here_[k] + from_first(k, b_.constant(0)), step = offset(m, spec_.rank - 1U, b_.constant(1)),
                        lanes = b_.constant(g.n * lanes_), side_by_side = turned_[k]->at(b_.constant(0));
            if (loads)
                b_.run(loops::routine::fill_rows, {side_by_side, lanes, row, pitch_[k], step, lanes, m_});
            else
                b_.run(loops::routine::spill_rows, {row, pitch_[k], step, lanes, m_, side_by_side, lanes});
        }
    }
    template <class F>
    void each_vector(const group_place& g, F f, std::uint32_t unroll = unrolled) {
        b_.loop("u", b_.constant(0), b_.constant(g.n), 1, unroll, f);
    }

    // Where the group's rows begin, and what each row has once for the run.
    void start_group(const group_place& g) {
        here_.assign(memories_.size(), {});
        pitch_.assign(memories_.size(), {});
        past_.assign(memories_.size(), {});
        invariants_.assign(memories_.size(), {});
        row_values_.assign(spec_.row.size(), {});
        for (std::size_t k = 0; k < memories_.size(); ++k) {
            const memory& m = memories_[k];
            if ((!is_element(m) && !is_invariant(m)) || !touches(g.pass, k)) continue;
            here_[k] = b_.let("q" + m.id, moved(m, lane_, start_[k], c_ + g.v));
            if (g.whole && has_recurrences(spec_) && may_be_far(m, lane_))
                past_[k] = b_.let("past" + m.id, value(rows_fit_[k]) && is_past(m, here_[k]));
            pitch_[k] = b_.constant(0);
            if (!m.is_contiguous(lane_) && moves_across(m))
                pitch_[k] = b_.let("p" + m.id, m.dim(lane_).clamped ? b_.word(m.words[lane_].step) * stride(m) : stride(m));
            if (!is_invariant(m)) continue;
            invariants_[k] = b_.declare("z" + m.id, loops::lanes_of(m.at.type), g.n);
            each_vector(
                g, [&](value u) { b_.put(*invariants_[k], u, load_of(g, k, b_.constant(0), u)); }, 0);
        }
        for (std::size_t k = 0; k < spec_.row.size(); ++k) {
            if (!uses(g.pass, op::row, k)) continue;
            row_values_[k] = b_.declare("f" + std::to_string(k), loops::lanes_of(spec_.row[k].type), g.n);
            each_vector(
                g, [&](value u) { b_.put(*row_values_[k], u, b_.load(row_arrays_[k]->at(g.v + u * lanes_))); }, 0);
        }
    }
    // Rows far apart are beyond the processor's own guess at what comes next. Counts are those of the first vector.
    void ahead_of_element(const group_place& g, value jj) {
        met_.assign(spec_.reductions.size(), {});
        if (inner_order_) return;
        const std::int64_t next = vectors() * lanes_;
        for (std::size_t k = 0; g.whole && g.n == vectors() && k < spec_.loads.size(); ++k)
            if (is_element(memories_[k]) && memories_[k].is_contiguous(lane_) && uses(g.pass, op::load, k))
                b_.prefetch(here_[k] + (from_first(k, jj) + next), static_cast<std::uint32_t>(next));
        for (const std::uint16_t k : passes_.passes[g.pass].reductions) {
            met_[k] = read(sums_[k], b_.constant(0));
            for (std::size_t part = 0; part < met_[k].size(); ++part)
                if (counts(k, part)) met_[k][part] = b_.let("past" + std::to_string(k), met_[k][part]);
        }
    }
    std::vector<dtype> states_of(const instruction& recurrence) const {
        const loop_spec& loop = spec_.loops[recurrence.b];
        return {loop.inputs.begin(), loop.inputs.begin() + static_cast<std::ptrdiff_t>(loop.next.size())};
    }
    // The states of the group's recurrences: behind the run before, or before the first element, where they are the same
    // all along a row.
    std::vector<array> states_before(const group_place& g) {
        std::vector<array> all;
        for (const instruction& i : spec_.body) {
            if (i.code != op::scan_along) continue;
            const std::vector<std::uint16_t> first_states = fusion::states_before(i, spec_);
            const std::size_t first = all.size();
            for (const dtype t : states_of(i))
                all.push_back(b_.declare("q" + std::to_string(all.size()), loops::lanes_of(t), g.n));
            const auto each = [&](auto before) {
                each_vector(g, [&](value u) {
                    for (std::size_t s = first; s < all.size(); ++s) b_.put(all[s], u, before(s, u));
                });
            };
            const auto begins = [&](std::size_t s, value u) {
                std::vector<value> done;
                b_.compute(
                    spec_.body, made_of(first_states[s - first], spec_.body), "b", done,
                    [&](const instruction& x) { return leaf(g, x, b_.constant(0), u); }, g.whole ? value{} : g.count);
                return done[first_states[s - first]];
            };
            b_.when(
                run_ == 0, [&] { each(begins); },
                [&] { each([&](std::size_t s, value u) { return b_.load(going_on_[s].at(g.v + u * lanes_)); }); });
            b_.set_states(i, {all.begin() + static_cast<std::ptrdiff_t>(first), all.end()});
        }
        return all;
    }
    /// Whether a reduction picks the element with the largest place, and places go up or down along a run, so that it is the
    /// first or the last of it.
    bool picks_one(std::size_t k) const {
        const reduction_spec& r = spec_.reductions[k];
        return r.code == op::last && !inner_order_ && row_dims_ == spec_.rank - 1U && is_index_in_row(spec_.body[r.second]);
    }
    void find_picked(std::size_t p) {
        picked_.assign(spec_.reductions.size(), {});
        for (const std::uint16_t k : passes_.passes[p].reductions) {
            if (!picks_one(k)) continue;
            const auto place = [&](value jj) { return index_in_row(spec_.reductions[k].second, jj); };
            const value first = b_.constant(0), end = m_ - 1;
            picked_[k] = b_.let("pick" + std::to_string(k), b_.choice(place(first) < place(end), end, first));
        }
    }
    // Element jj of vector u: computed, accumulated, stored.
    void element(const group_place& g, value jj, value u) {
        std::vector<value> done;
        b_.set_row(u);
        body(
            g.pass, done, (j_ + jj) * tile_ + g.v + u * lanes_, [&](const instruction& i) { return leaf(g, i, jj, u); },
            g.whole ? value{} : g.count);
        for (const std::uint16_t k : passes_.passes[g.pass].reductions) {
            if (picks_one(k)) {
                b_.when(jj == picked_[k], [&] { write(sums_[k], u, lifted(k, done)); });
                continue;
            }
            parts left = inner_order_ ? identity(k) : read(sums_[k], u);
            for (std::size_t part = 0; !inner_order_ && part < left.size(); ++part)
                if (counts(k, part)) left[part] = met_[k][part];
            write(sums_[k], inner_order_ ? jj : u, taken(k, left, lifted(k, done)));
        }
        for (std::size_t s = 0; is_last(g.pass) && s < spec_.stores.size(); ++s)
            store_element(g, spec_.loads.size() + s, done[spec_.stores[s].value], jj, u);
    }
    value leaf(const group_place& g, const instruction& i, value jj, value u) {
        if (i.code == op::scalar) return scalars_[i.a];
        if (i.code == op::row) return (*row_values_[i.a])[u];
        if (i.code == op::coord) {
            const std::size_t d = spec_.coords[i.a].dim;
            if (d == lane_) return coordinate_lanes(i.a, i.type, c_ + g.v + u * lanes_);
            if (d < lane_) return splat_index(i.type, coordinate_at(i.a, indices_[d]));
            return b_.splat(index_in_row(static_cast<std::size_t>(&i - spec_.body.data()), jj));
        }
        const memory& m = memories_[i.a];
        if (is_splat(m)) return once_[i.a];
        if (is_table(m)) return b_.splat(single(i.a, jj));
        if (is_invariant(m)) return (*invariants_[i.a])[u];
        if (is_turned_in(g, i.a)) return b_.load(turned_at(g, i.a, jj, u));
        return load_of(g, i.a, from_first(i.a, jj), u);
    }
    // A load of lanes from row `at` on, `from` elements on from the first of the rows.
    value part_of(std::size_t k, value from, value at, value count) {
        const memory& m = memories_[k];
        if (m.is_contiguous(lane_)) return load_lanes(start_[k] + (from + at), count);
        return b_.collect(start_[k] + from, stride(m), at, count, m.clamp_word(lane_));
    }
    // The same in a group: whole vectors in place, or one vector with `count` lanes.
    value load_of(const group_place& g, std::size_t k, value from, value u) {
        if (is_one(g)) return b_.load_part(here_[k] + from, g.count);
        if (!g.whole) return part_of(k, from, c_ + g.v, g.count);
        if (memories_[k].is_contiguous(lane_)) return b_.load(here_[k] + (from + u * lanes_));
        return b_.gather(here_[k] + (from + u * lanes_ * pitch_[k]), pitch_[k]);
    }
    void store_element(const group_place& g, std::size_t k, value lanes, value jj, value u) {
        if (is_turned_in(g, k)) return b_.store(turned_at(g, k, jj, u), lanes);
        const value from = from_first(k, jj);
        const memory& m = memories_[k];
        const bool contiguous = m.is_contiguous(lane_);
        if (past_[k])
            b_.stream(here_[k] + (from + u * lanes_), lanes, past_[k]);
        else if (g.whole && contiguous)
            b_.store(here_[k] + (from + u * lanes_), lanes);
        else if (g.whole)
            b_.scatter(here_[k] + (from + u * lanes_ * pitch_[k]), pitch_[k], lanes);
        else if (contiguous || is_one(g))
            b_.store_part(here_[k] + from, lanes, g.count);
        else
            b_.spread(start_[k] + from, stride(m), c_ + g.v, g.count, lanes);
    }
    /// The tree of a block where each of its accumulators, which have one element each, is a vector of its own.
    parts tree_of_elements(std::size_t k) {
        for (std::int64_t half = reduce_run / 2; half > 0; half /= 2)
            b_.loop("k", b_.constant(0), least(b_.constant(half), m_ - half), 1, 0,
                    [&](value at) { write(sums_[k], at, combined(k, read(sums_[k], at), read(sums_[k], at + half))); });
        return read(sums_[k], b_.constant(0));
    }

    std::vector<std::size_t> section_;  // [row instruction]: its pass, or one behind the last
    std::vector<bool> crosses_;         // [row instruction]: needed behind its section
    int widest_tile_ = 0;
    cell runs_, tile_;
    std::vector<accumulators> trees_;  // by reduction: levels of vectors of rows
    std::vector<array> going_on_;      // the tile's states of recurrences
    std::vector<std::optional<array>> row_arrays_, turned_;
    value line_, in0_, in1_, run_;
    cell c_, width_, from_, combined_;
    std::vector<accumulators> sums_;
    std::vector<parts> met_;
    std::vector<cell> rows_fit_, picked_;  // picked_: by reduction that picks an element of a run
    std::vector<value> here_, pitch_, past_;
    std::vector<std::optional<array>> invariants_, row_values_;
};

}  // namespace

loops::function loops_across_rows(const kernel_spec& spec, const target& t, const std::string& name) {
    const word_map map(spec);
    return across_rows(spec, map, t, name).build();
}

}  // namespace frit::v0::fusion::host
