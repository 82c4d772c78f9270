// Reductions on a CPU whose lanes run along the row: reduce_inner, and reduce_all as its case of one row. A row is evaluated
// block by block. Groups of 64 elements that lie whole in a line of the innermost dimension, away from clamped edges, go to
// 64 accumulators in registers; what is left goes one vector at a time, with only its own lanes.
#include <algorithm>

#include "fusion/schedules/host/host.hpp"
#include "fusion/schedules/host/rows.hpp"

namespace frit::inline v0::fusion::host {
namespace {

constexpr std::size_t unrolled_body = 32;  // larger bodies gain nothing from 64 elements in flight but compile time
// Instructions of a group of 64: below, what is left of a row is unrolled as well.
constexpr std::size_t unrolled_text = 160;
// Bytes from a load to what is fetched with it: compilers order the loads of a group as they like, and in most orders the
// processor does not see a stream in them.
constexpr std::size_t fetch_ahead = 2048;
constexpr std::int64_t group_size = reduce_lanes;
constexpr std::uint32_t all_vectors = 32;  // unrolled: a group's vectors
constexpr std::int64_t tree_levels = 48;

class along_rows : row_builder {
public:
    along_rows(const kernel_spec& spec, const word_map& map, const target& t, const std::string& name)
        : row_builder(spec, map, t, name), line_(spec.rank - 1U), packed_(spec.rank - row_dims_ > 1) {}

    loops::function build() {
        parameters(line_);
        sizes();
        declare_kept(length_);
        far_stores(line_);
        b_.loop("row", first_, last_, 1, 0, [&](value row) {
            row_ = row;
            start_row(row);
            passes_from(0);
        });
        finish_far_stores(line_);
        return b_.take();
    }

private:
    std::int64_t vectors() const { return group_size / lanes_; }
    /// One value for the whole row.
    bool is_splat(const memory& m) const { return m.is_load() && !moves_in_row(m); }
    bool is_element(const memory& m) const { return m.what != memory::kind::row_store && !is_splat(m); }
    bool is_clamped(const memory& m) const { return m.dim(line_).clamped; }

    // --- rows and lines ---

    // Indices, pointers and single values of the row; where it has several lines, pointers of those.
    void start_row(value row) {
        start_of(row_dims_, row, [this](const memory& m) { return is_splat(m); });
        row_values_.assign(spec_.row.size(), {});
        totals_.assign(spec_.reductions.size(), {});
        if (!packed_) return;
        for (std::size_t d = row_dims_; d < line_; ++d) indices_[d] = b_.declare("i" + std::to_string(d), b_.constant(0));
        lines_.assign(memories_.size(), {});
        copies_.assign(memories_.size(), {});
        index_copies_.assign(spec_.body.size(), {});
        for (std::size_t k = 0; k < memories_.size(); ++k) {
            const memory& m = memories_[k];
            if (!is_element(m)) continue;
            lines_[k] = b_.declare("l" + m.id, start_[k]);
            copies_[k] = b_.declare("b" + m.id, loops::number_of(m.at.type), lanes_);
        }
        each_coordinate([&](std::size_t k, const instruction& i) {
            index_copies_[k] = b_.declare("bk" + std::to_string(k), loops::number_of(i.type), lanes_);
        });
    }
    void set_line(value number) {
        value left = number;
        for (std::size_t d = line_; d-- > row_dims_;) {
            b_.set(cell_of(indices_[d]), d > row_dims_ ? left % extents_[d] : left);
            if (d > row_dims_) left = b_.let("left", left / extents_[d]);
        }
        for (std::size_t k = 0; k < memories_.size(); ++k) {
            if (!is_element(memories_[k])) continue;
            value at = start_[k];
            for (std::size_t d = row_dims_; d < line_; ++d) at = moved(memories_[k], d, at, indices_[d]);
            b_.set(lines_[k], at);
        }
    }
    cell cell_of(value v) const {
        cell c;
        static_cast<value&>(c) = v;
        c.variable = static_cast<loops::variable_id>(b_.at(v.id).n);
        return c;
    }
    value line(std::size_t k) const { return packed_ ? value(lines_[k]) : start_[k]; }

    // --- passes ---

    // A kernel of one pass leaves the totals of blocks to be combined where it is asked for them.
    void passes_from(std::size_t p) {
        if (p == passes_.passes.size()) return end_row();
        pass(p);
        const auto rest = [&] {
            totals(p);
            passes_from(p + 1);
        };
        if (has_totals() && passes_.single())
            b_.when(!parted_, rest);
        else if (has_totals())
            rest();
    }
    void end_row() {
        row_code(passes_.row_at_end);
        for (std::size_t s = 0; s < spec_.row_stores.size(); ++s)
            b_.store_first(start_[spec_.loads.size() + spec_.stores.size() + s], row_values_[spec_.row_stores[s].value]);
    }
    void row_code(const std::vector<std::uint16_t>& which) {
        b_.compute(spec_.row, which, "f", row_values_, [&](const instruction& i) {
            if (i.code == op::total) return totals_[i.a];
            if (i.code == op::scalar) return value(scalars_[i.a]);
            if (i.code == op::load) return once_[i.a];
            return splat_index(i.type, coordinate_at(i.a, indices_[spec_.coords[i.a].dim]));
        });
    }

    void pass(std::size_t p) {
        const row_pass& now = passes_.passes[p];
        row_code(now.row);
        trees_.assign(spec_.reductions.size(), {});
        all_.assign(spec_.reductions.size(), {});
        for (const std::uint16_t k : now.reductions) {
            if (!has_totals()) break;
            trees_[k] = declare_accumulators("tree" + std::to_string(k), k, tree_levels);
            all_[k] = declare_parts("all" + std::to_string(k), identity(k));
        }
        b_.loop("b", block_, least(blocks_, stop_), 1, 0, [&](value b) {
            j_ = b_.declare("j", b * reduce_block);
            end_ = b_.let("end", least(length_, j_ + reduce_block));
            const cell used = b_.let("used", end_ - j_);
            sums_.assign(spec_.reductions.size(), {});
            for (const std::uint16_t k : now.reductions) {
                sums_[k] = declare_accumulators("s" + std::to_string(k), k, vectors());
                b_.loop("v", b_.constant(0), b_.constant(vectors()), 1, all_vectors,
                        [&](value v) { write(sums_[k], v, identity(k)); });
            }
            is_short(now) ? short_block(p) : any_block(p);
            std::vector<parts> done(spec_.reductions.size());
            for (const std::uint16_t k : now.reductions) done[k] = tree_of_lanes(k, used);
            finish_block(p, b, done);
        });
    }
    /// The 64 accumulators of a block combined as a tree, k with k + 32, then + 16, ...; the result is in the first lane.
    /// Those from `used` on are identities that change nothing, so that a level of them alone is left out.
    parts tree_of_lanes(std::size_t k, value used) {
        for (std::int64_t half = group_size / 2 / lanes_; half > 0; half /= 2)
            b_.when(used > half * lanes_, [&] {
                b_.loop("v", b_.constant(0), b_.constant(half), 1, all_vectors,
                        [&](value v) { write(sums_[k], v, combined(k, read(sums_[k], v), read(sums_[k], v + half))); });
            });
        const std::vector<cell> s = declare_parts("done" + std::to_string(k), read(sums_[k], b_.constant(0)));
        for (int by = std::min(lanes_, static_cast<int>(group_size)) / 2; by > 0; by /= 2)
            b_.when(used > by, [&] {
                parts left(s.begin(), s.end()), right;
                for (const value& part : left) right.push_back(b_.rotated(part, by));
                assign(s, combined(k, left, right));
            });
        return {s.begin(), s.end()};
    }

    void finish_block(std::size_t p, value b, const std::vector<parts>& done) {
        const row_pass& now = passes_.passes[p];
        const auto leave = [&] {
            for (const std::uint16_t k : now.reductions) leave_partials(k, b, row_, done[k], b_.constant(1));
        };
        const auto take_in = [&] {
            for (const std::uint16_t k : now.reductions)
                b_.when(
                    blocks_ == 1, [&] { assign(all_[k], done[k]); },
                    [&] { push(k, trees_[k], 1, b_.popcount(b), b, done[k]); });
        };
        if (!has_totals()) return leave();
        passes_.single() ? b_.when(parted_, leave, take_in) : take_in();
    }
    void totals(std::size_t p) {
        for (const std::uint16_t k : passes_.passes[p].reductions) {
            b_.when(blocks_ > 1,
                    [&] { assign(all_[k], total_of_tree(k, trees_[k], 1, b_.constant(0), b_.popcount(blocks_) - 1)); });
            totals_[k] =
                b_.let("total" + std::to_string(k), b_.everywhere(all_[k][static_cast<std::size_t>(rule(k).result)]));
        }
    }

    // --- blocks ---

    bool reads(const row_pass& now, std::size_t load) const {
        return std::any_of(now.body.begin(), now.body.end(),
                           [&](std::uint16_t k) { return spec_.body[k].code == op::load && spec_.body[k].a == load; });
    }
    /// Whether everything stays in registers, the last part of a group as well.
    bool is_short(const row_pass& now) const {
        for (const memory& m : memories_)
            if (is_element(m) && is_clamped(m)) return false;
        return !packed_ && now.body.size() * static_cast<std::size_t>(vectors()) <= unrolled_text;
    }

    // Rows that are read in place: groups of 64, then a part of one, all in registers.
    void short_block(std::size_t p) {
        cursors(b_.constant(0));
        b_.repeat(j_ + group_size <= end_, [&] {
            group(p, b_.constant(0), j_, j_);
            b_.set(j_, j_ + group_size);
        });
        b_.when(j_ < end_, [&] {
            b_.loop("u", b_.constant(0), b_.constant(vectors()), 1, all_vectors, [&](value u) {
                const cell i = b_.let("i", j_ + u * lanes_), count = b_.let("count", least(b_.constant(lanes_), end_ - i));
                b_.when(count > 0, [&] {
                    std::vector<value> done;
                    body(
                        p, done, i, [&](const instruction& x) { return any_lanes(x, i, count, {}); }, count);
                    for (const std::uint16_t k : passes_.passes[p].reductions) take_part(k, sums_[k], u, done, count);
                    if (is_last(p)) stores(done, i, count);
                });
            });
        });
    }
    void take_part(std::size_t k, const accumulators& in, value slot, const std::vector<value>& done, value count) {
        const parts old = read(in, slot);
        write(in, slot, kept(taken(k, old, lifted(k, done)), old, count));
    }

    // Any row: groups of 64 where they lie in a line and away from clamped edges, else one vector at a time.
    void any_block(std::size_t p) {
        const row_pass& now = passes_.passes[p];
        kept_.assign(spec_.reductions.size(), {});
        const auto copy = [&](const std::vector<accumulators>& to, const std::vector<accumulators>& from,
                              std::uint32_t unroll) {
            for (const std::uint16_t k : now.reductions)
                b_.loop("v", b_.constant(0), b_.constant(vectors()), 1, unroll,
                        [&](value v) { write(to[k], v, read(from[k], v)); });
        };
        for (const std::uint16_t k : now.reductions)
            kept_[k] = declare_accumulators("acc" + std::to_string(k), k, vectors());
        copy(kept_, sums_, 0);
        b_.repeat(j_ < end_, [&] {
            value at{}, i = b_.let("i", j_), line_end = end_;
            if (packed_) {
                at = b_.let("at", j_ / extents_[line_]);
                i = b_.let("i", j_ - at * extents_[line_]);
                line_end = b_.let("line_end", least(extents_[line_], i + end_ - j_));
                set_line(at);
            }
            value in0 = i, in1 = line_end;
            const auto clamps = [&](const memory& m) { return is_element(m) && is_clamped(m); };
            if (std::any_of(memories_.begin(), memories_.end(), clamps)) {
                const array inside = b_.declare("inside", loops::index_type(), 2);
                b_.put(inside, 0, i);
                b_.put(inside, 1, line_end);
                for (const memory& m : memories_)
                    if (clamps(m)) narrow(m, line_, inside);
                in0 = inside[0];
                in1 = inside[1];
            }
            const auto in_groups = [&] {
                cursors(i);
                const cell count = b_.let("count", (in1 - i) / group_size * group_size);
                copy(sums_, kept_, 0);
                b_.loop("g", b_.constant(0), count, group_size, 0, [&](value g) { group(p, i, g, j_ + g); });
                copy(kept_, sums_, 0);
                b_.set(j_, j_ + count);
            };
            const auto one = [&] { one_vector(p, i, in0, in1); };
            if (now.body.size() <= unrolled_body)
                b_.when(j_ % group_size == 0 && i >= in0 && i + group_size <= in1, in_groups, one);
            else
                one();
        });
        copy(sums_, kept_, 0);
    }

    // Where a stretch of the line that begins at element i is read and written in place.
    void cursors(value i) {
        here_.assign(memories_.size(), {});
        pitch_.assign(memories_.size(), {});
        past_.assign(memories_.size(), {});
        for (std::size_t k = 0; k < memories_.size(); ++k) {
            const memory& m = memories_[k];
            if (!is_element(m)) continue;
            here_[k] = b_.let("q" + m.id, moved(m, line_, line(k), i));
            pitch_[k] = b_.constant(0);  // rows of one element
            if (!m.is_contiguous(line_) && m.moves(line_))
                pitch_[k] = b_.let("p" + m.id, is_clamped(m) ? b_.word(m.words[line_].step) * stride(m) : stride(m));
            if (may_be_far(m, line_)) past_[k] = b_.let("past" + m.id, is_past(m, here_[k]));
        }
    }

    // What the body reads, `at` behind the cursors of a group that can be read in place, element i of the line.
    value in_place(const instruction& x, value i, value at) {
        if (x.code == op::scalar) return scalars_[x.a];
        if (x.code == op::row) return row_values_[x.a];
        if (x.code == op::coord) {
            const std::size_t d = spec_.coords[x.a].dim;
            if (d == line_) return coordinate_lanes(x.a, x.type, i + at);
            return splat_index(x.type, coordinate_at(x.a, indices_[d]));
        }
        const memory& m = memories_[x.a];
        if (is_splat(m)) return once_[x.a];
        if (!m.moves(line_)) return b_.splat(b_.read(here_[x.a]));
        if (m.is_contiguous(line_)) return b_.load(here_[x.a] + at);
        return b_.gather(here_[x.a] + at * pitch_[x.a], pitch_[x.a]);
    }
    // The same for `count` lanes from element i of the line on, whatever they are; packed ones may be read in place where
    // `direct`.
    value any_lanes(const instruction& x, value i, value count, value direct) {
        const std::size_t k = static_cast<std::size_t>(&x - spec_.body.data());
        const value zero = b_.constant(0);
        const bool moves =
            x.code == op::load ? !is_splat(memories_[x.a]) : x.code == op::coord && spec_.coords[x.a].dim >= row_dims_;
        if (!moves) return in_place(x, i, zero);
        if (packed_) {
            const array& copy = x.code == op::load ? *copies_[x.a] : *index_copies_[k];
            return b_.choice(direct, in_place(x, i, zero), b_.load(copy.at(zero)));
        }
        if (x.code == op::coord) return in_place(x, i, zero);
        const memory& m = memories_[x.a];
        if (m.is_contiguous(line_)) return load_lanes(start_[x.a] + i, count);
        return b_.collect(start_[x.a], stride(m), i, count, m.clamp_word(line_));
    }

    // One group of 64, `first` behind the cursors, element `place` of the row. All accumulators have added up as many
    // elements here, so that one division by their number serves them all.
    void group(std::size_t p, value i, value first, value place) {
        const row_pass& now = passes_.passes[p];
        for (std::size_t k = 0; p == 0 && k < spec_.loads.size(); ++k)  // later passes find the row in the cache
            if (memories_[k].is_contiguous(line_) && reads(now, k))
                b_.prefetch(here_[k] + (first + static_cast<std::int64_t>(fetch_ahead / size_of(spec_.loads[k].type))),
                            group_size);
        std::vector<parts> met(spec_.reductions.size());
        for (const std::uint16_t k : now.reductions) {
            met[k] = read(sums_[k], b_.constant(0));
            for (std::size_t part = 0; part < met[k].size(); ++part)
                if (counts(k, part)) met[k][part] = b_.let("met" + std::to_string(k), met[k][part]);
        }
        b_.loop("u", b_.constant(0), b_.constant(vectors()), 1, all_vectors, [&](value u) {
            const value at = first + u * lanes_;
            std::vector<value> done;
            body(p, done, place + u * lanes_, [&](const instruction& x) { return in_place(x, i, at); });
            for (const std::uint16_t k : now.reductions) {
                parts left = read(sums_[k], u);
                for (std::size_t part = 0; part < left.size(); ++part)
                    if (counts(k, part)) left[part] = met[k][part];
                write(sums_[k], u, taken(k, left, lifted(k, done)));
            }
            for (std::size_t s = 0; is_last(p) && s < spec_.stores.size(); ++s)
                store_in_place(spec_.loads.size() + s, done[spec_.stores[s].value], at);
        });
    }
    void store_in_place(std::size_t k, value lanes, value at) {
        const memory& m = memories_[k];
        if (may_be_far(m, line_))
            b_.stream(here_[k] + at, lanes, past_[k]);
        else if (m.is_contiguous(line_))
            b_.store(here_[k] + at, lanes);
        else
            b_.scatter(here_[k] + at * pitch_[k], pitch_[k], lanes);
    }

    // One vector: the last one, one at a clamped edge, or one that spans lines and is collected from them.
    void one_vector(std::size_t p, value i, value in0, value in1) {
        const cell count = b_.let("count", least(b_.constant(lanes_), end_ - j_));
        value direct{};
        if (packed_) {
            direct = b_.let("direct", i >= in0 && i + lanes_ <= in1);
            cursors(i);
            collect_pieces(direct, count);
        }
        std::vector<value> done;
        body(
            p, done, j_, [&](const instruction& x) { return any_lanes(x, i, count, direct); }, count);
        const cell slot = b_.let("slot", j_ % group_size / lanes_);
        for (const std::uint16_t k : passes_.passes[p].reductions) take_part(k, kept_[k], slot, done, count);
        if (is_last(p)) stores(done, i, count);
        b_.set(j_, j_ + count);
    }
    void collect_pieces(value direct, value count) {
        const auto has_copy = [&](std::size_t k) { return memories_[k].is_load() && is_element(memories_[k]); };
        bool any = false;
        for (std::size_t k = 0; k < memories_.size(); ++k) any = any || has_copy(k);
        each_coordinate([&](std::size_t, const instruction&) { any = true; });
        if (!any) return;
        b_.when(!direct, [&] {
            pieces(count, [&](value done, value at, value n) {
                for (std::size_t k = 0; k < memories_.size(); ++k)
                    if (has_copy(k)) fill(k, done, at, n);
                each_coordinate([&](std::size_t k, const instruction& x) {
                    const std::size_t d = spec_.coords[x.a].dim;
                    b_.loop("k", b_.constant(0), n, 1, 0, [&](value lane) {
                        b_.put(*index_copies_[k], done + lane,
                               b_.number(x.type, coordinate_at(x.a, d == line_ ? at + lane : indices_[d])));
                    });
                });
            });
            b_.loop("k", count, b_.constant(lanes_), 1, 0, [&](value lane) {
                for (std::size_t k = 0; k < memories_.size(); ++k)
                    if (has_copy(k)) b_.put(*copies_[k], lane, b_.whole_number(memories_[k].at.type, 1));
                each_coordinate([&](std::size_t k, const instruction& x) {
                    b_.put(*index_copies_[k], lane, b_.whole_number(x.type, 1));
                });
            });
        });
    }
    void fill(std::size_t k, value done, value at, value n) {
        const memory& m = memories_[k];
        const value to = copies_[k]->at(done);
        if (is_clamped(m))
            b_.run(loops::routine::fill_clamped, {to, n, lines_[k], stride(m), at, n, b_.constant(m.clamp_word(line_))});
        else
            b_.run(loops::routine::fill, {to, n, lines_[k], stride(m), at, n});
    }
    // f for every piece of a line in the vector: n elements from column `at`, lanes [done, done + n).
    template <class F>
    void pieces(value count, F f) {
        const cell done = b_.declare("filled", b_.constant(0));
        b_.repeat(done < count, [&] {
            const cell line = b_.let("line", (j_ + done) / extents_[line_]),
                       at = b_.let("at", j_ + done - line * extents_[line_]),
                       n = b_.let("n", least(count - done, extents_[line_] - at));
            set_line(line);
            f(done, at, n);
            b_.set(done, done + n);
        });
    }
    void stores(const std::vector<value>& done, value i, value count) {
        const auto each = [&](auto f) {
            for (std::size_t s = 0; s < spec_.stores.size(); ++s) f(spec_.loads.size() + s, done[spec_.stores[s].value]);
        };
        each([&](std::size_t k, value lanes) {
            const memory& m = memories_[k];
            if (packed_)
                b_.store(copies_[k]->at(b_.constant(0)), lanes);
            else if (m.is_contiguous(line_))
                store_lanes(start_[k] + i, lanes, count);
            else
                b_.spread(start_[k], stride(m), i, count, lanes);
        });
        if (!packed_ || spec_.stores.empty()) return;
        pieces(count, [&](value filled, value at, value n) {
            each([&](std::size_t k, value) {
                b_.run(loops::routine::spill, {lines_[k], stride(memories_[k]), at, n, copies_[k]->at(filled)});
            });
        });
    }

    const std::size_t line_;
    const bool packed_;  ///< rows have several lines
    value row_;
    std::vector<value> row_values_, totals_;
    std::vector<cell> lines_;  ///< by memory: pointers of the line
    std::vector<std::optional<array>> copies_, index_copies_;
    std::vector<accumulators> trees_;         ///< by reduction: of blocks
    std::vector<std::vector<cell>> all_;      ///< by reduction: the total
    cell j_, end_;                            ///< of the block
    std::vector<accumulators> sums_, kept_;   ///< by reduction
    std::vector<value> here_, pitch_, past_;  ///< of the stretch, by memory
};

}  // namespace

loops::function loops_along_rows(const kernel_spec& spec, const target& t, const std::string& name) {
    const word_map map(spec);
    return along_rows(spec, map, t, name).build();
}

}  // namespace frit::v0::fusion::host
