// Pointwise host kernels: any range of the domain, row by row, in groups of lanes. A group that lies whole in the row, away
// from clamped edges, is read and written in place; of any other only its own lanes are touched.
#include <algorithm>

#include "fusion/schedules/host/host.hpp"
#include "fusion/schedules/host/kernel.hpp"

namespace frit::inline v0::fusion::host {
namespace {

constexpr int cache_line = 64;                      // bytes
constexpr std::int64_t groups_worth_aligning = 16;  // in a shorter row its first part would cost more than is gained
constexpr std::int64_t fetched_ahead = 4096;        // bytes
constexpr std::size_t large_body = 32, small_body = 16;

class pointwise : kernel_builder {
public:
    pointwise(const kernel_spec& spec, const word_map& map, const target& t, const std::string& name)
        : kernel_builder(spec, map, t, name), inner_(spec.rank - 1U), everything_(spec.body.size()) {
        begin_ = b_.parameter("begin", loops::index_type());
        end_ = b_.parameter("end", loops::index_type());
        for (std::size_t k = 0; k < spec.body.size(); ++k) everything_[k] = static_cast<std::uint16_t>(k);
    }

    loops::function build() {
        parameters(inner_);
        far_stores(inner_);
        declare_row();
        if (!long_loads().empty()) {
            order_ = b_.declare("order", loops::index_type(), 2);
            b_.put(*order_, 0, b_.constant(-1));
        }
        if (inner_ > 0)
            all_rows();
        else
            one_row();
        finish_far_stores(inner_);
        return b_.take();
    }

private:
    bool is_contiguous(const memory& m) const { return m.is_contiguous(inner_); }
    // The same value for a whole row.
    bool is_splat(const memory& m) const { return m.is_load() && !m.moves(inner_); }
    bool is_splat(const fusion::coordinate& c) const { return c.dim != inner_; }
    bool is_clamped(const memory& m) const { return m.dim(inner_).clamped; }
    template <class F>
    void each_row_coordinate(F f) {
        for (std::size_t k = 0; k < spec_.body.size(); ++k)
            if (spec_.body[k].code == op::coord && is_splat(spec_.coords[spec_.body[k].a])) f(k, spec_.body[k]);
    }

    // --- a row ---

    void declare_row() {
        for (std::size_t d = 0; d < inner_; ++d) indices_.push_back(b_.declare("i" + std::to_string(d), b_.constant(0)));
        for (const memory& m : memories_) {
            row_.push_back(inner_ > 0 ? b_.declare("r" + m.id, m.base) : m.base);
            once_.push_back(is_splat(m) ? b_.declare("z" + m.id, loops::lanes_of(m.at.type)) : cell{});
        }
        coordinates_.resize(spec_.body.size());
        each_row_coordinate([&](std::size_t k, const instruction& i) {
            coordinates_[k] = b_.declare("g" + std::to_string(k), loops::lanes_of(i.type));
        });
    }
    void set_row(value number) {
        value left = number;
        for (std::size_t d = inner_; d-- > 0;) {
            b_.set(indices_[d], d > 0 ? left % extents_[d] : left);
            if (d > 0) left = b_.let("left" + std::to_string(d), left / extents_[d]);
        }
        for (std::size_t k = 0; k < memories_.size(); ++k) {
            const memory& m = memories_[k];
            value at = m.base;
            for (std::size_t d = 0; d < inner_; ++d) at = moved(m, d, at, indices_[d]);
            if (inner_ > 0) b_.set(row_[k], at);
            if (is_splat(m)) b_.set(once_[k], b_.splat(b_.read(row_[k])));
        }
        each_row_coordinate([&](std::size_t k, const instruction& i) {
            b_.set(coordinates_[k], splat_index(i.type, coordinate_at(i.a, indices_[spec_.coords[i.a].dim])));
        });
    }
    void all_rows() {
        const value n = extents_[inner_];
        const cell row = b_.declare("row", begin_ / n), i = b_.declare("i", begin_ - row * n), at = b_.declare("at", begin_);
        b_.repeat(at < end_, [&] {
            const cell last = b_.let("last", least(n, i + end_ - at));
            set_row(row);
            b_.set(at, at + (last - i));
            stretches(i, last);
            b_.set(row, row + 1);
            b_.set(i, b_.constant(0));
        });
    }
    void one_row() {
        const cell i = b_.declare("i", begin_);
        b_.when(i < end_, [&] {
            set_row(b_.constant(0));
            stretches(i, end_);
        });
    }

    // --- stretches of a row ---

    // As far as they go in place, each clamp changing nothing or everything; or the lanes of a group.
    void stretches(const cell& i, value last) {
        align(i, last);
        b_.repeat(i < last, [&] {
            value in1 = last;
            if (std::any_of(memories_.begin(), memories_.end(), [&](const memory& m) { return is_clamped(m); })) {
                const array end = b_.declare("end", loops::index_type(), 1);
                b_.put(end, 0, last);
                for (const memory& m : memories_)
                    if (is_clamped(m))
                        b_.run(loops::routine::stretch, {b_.constant(m.clamp_word(inner_)), i, end.at(b_.constant(0))});
                in1 = end[0];
            }
            const std::int64_t L = lanes_;
            const cell direct = b_.let("direct", head() == 0 && i + L <= in1),
                       count = b_.let("count", b_.choice(direct, (in1 - i) / L * L,
                                                         least(b_.choice(head() > 0, head(), b_.constant(L)), last - i)));
            cursors(i);
            groups(i, direct, count);
            b_.set(i, i + count);
            if (head_) b_.set(*head_, b_.constant(0));
        });
    }
    value head() { return head_ ? value(*head_) : b_.constant(0); }

    // Loads as long as a cache line touch two of them where they are not aligned, which takes twice as many misses. A long
    // row begins with a part of a group, after which as many of its loads as possible are aligned. And of a stencil's rows
    // the last one alone comes from memory, too rarely for the processor to see an order in it: it is fetched ahead.
    std::vector<std::size_t> long_loads() const {
        std::vector<std::size_t> list;
        for (std::size_t k = 0; k < memories_.size(); ++k) {
            const memory& m = memories_[k];
            if (target_.vector_bytes == cache_line && m.is_load() && is_contiguous(m) && size_of(m.at.type) == bytes())
                list.push_back(k);
        }
        return list;
    }
    std::size_t bytes() const { return static_cast<std::size_t>(widest_); }
    bool fetches_ahead() const { return inner_ > 0 && long_loads().size() > 1; }
    void align(value i, value last) {
        const std::vector<std::size_t> loads = long_loads();
        if (loads.empty()) return;
        head_ = b_.declare("head", b_.constant(0));
        if (fetches_ahead()) latest_ = b_.declare("latest", b_.constant(0));
        b_.when(last - i >= groups_worth_aligning * lanes_, [&] {
            const array starts = b_.declare("starts", loops::index_type(), static_cast<std::int64_t>(loads.size()));
            for (std::size_t k = 0; k < loads.size(); ++k)
                b_.put(starts, static_cast<std::int64_t>(k), b_.bytes(row_[loads[k]]));
            b_.when((*order_)[0] < 0, [&] {
                b_.run(loops::routine::order_loads,
                       {starts.at(b_.constant(0)), b_.constant(static_cast<std::int64_t>(loads.size())),
                        order_->at(b_.constant(0))});
            });
            const auto width = static_cast<std::int64_t>(bytes());
            const value begins = starts[(*order_)[0]] + i * width;
            b_.set(*head_, (cache_line - begins % cache_line) % cache_line / width);
            if (latest_) b_.set(*latest_, starts[(*order_)[1]] + fetched_ahead);
        });
    }

    // Where a stretch of the row that begins at element i is read and written in place.
    void cursors(value i) {
        here_.clear();
        pitch_.clear();
        past_.clear();
        for (std::size_t k = 0; k < memories_.size(); ++k) {
            const memory& m = memories_[k];
            here_.emplace_back();
            pitch_.push_back(b_.constant(0));
            past_.push_back(b_.truth(false));
            if (is_splat(m)) continue;
            const value at = m.moves(inner_) ? moved(m, inner_, row_[k], i) : row_[k];
            here_[k] = b_.let("q" + m.id, b_.pinned(at));
            if (!is_contiguous(m)) pitch_[k] = b_.let("p" + m.id, pitch_from(m, i));
            if (may_be_far(m, inner_)) past_[k] = b_.let("past" + m.id, is_past(m, here_[k]));
        }
    }

    // --- groups ---

    // Small bodies gain from several groups in flight, and are compiled once more for a part of a group; large ones would
    // only cost compile time.
    void groups(value i, value direct, value count) {
        const value L = b_.constant(lanes_);
        const auto all = [&](std::uint32_t unroll, value in_place, value lanes) {
            b_.loop("j", b_.constant(0), count, lanes_, unroll, [&](value j) {
                if (latest_)
                    b_.when(*latest_ != 0, [&] { b_.prefetch(*latest_ + (i + j) * static_cast<std::int64_t>(bytes()), 1); });
                group(i, j, in_place, lanes);
            });
        };
        if (spec_.body.size() > large_body) return all(0, direct, b_.choice(direct, L, count));
        // 16-bit operands come twice as fast: what hides the latency of arithmetic must be more.
        const bool four = spec_.body.size() <= small_body || has_short_floats(spec_);
        b_.when(
            direct, [&] { all(four ? 4 : 2, b_.truth(true), L); },
            [&] { group(i, b_.constant(0), b_.truth(false), count); });
    }

    // The body for `count` elements from i + j on; if direct they are whole lanes and read in place.
    void group(value i, value j, value direct, value count) {
        std::vector<value> done;
        b_.compute(
            spec_.body, everything_, "t", done, [&](const instruction& x) { return leaf(x, i + j, j, direct, count); },
            b_.constant_of(count) == lanes_ ? value{} : count);
        for (std::size_t s = 0; s < spec_.stores.size(); ++s)
            store_group(spec_.loads.size() + s, done[spec_.stores[s].value], i + j, j, direct, count);
    }
    value leaf(const instruction& x, value index, value j, value direct, value count) {
        if (x.code == op::scalar) return scalars_[x.a];
        if (x.code == op::coord) {
            if (!is_splat(spec_.coords[x.a])) return coordinate_lanes(x.a, x.type, index);
            return coordinates_[static_cast<std::size_t>(&x - spec_.body.data())];
        }
        const memory& m = memories_[x.a];
        if (is_splat(m)) return once_[x.a];
        if (is_contiguous(m)) return load_lanes(here_[x.a] + j, count);
        const value pitch = pitch_[x.a];
        return b_.choice(direct, b_.gather(here_[x.a] + j * pitch, pitch),
                         b_.collect(row_[x.a], stride(m), index, count, m.clamp_word(inner_)));
    }
    void store_group(std::size_t k, value lanes, value index, value j, value direct, value count) {
        const memory& m = memories_[k];
        if (may_be_far(m, inner_))
            b_.when(
                direct, [&] { b_.stream(here_[k] + j, lanes, past_[k]); }, [&] { store_lanes(here_[k] + j, lanes, count); });
        else if (is_contiguous(m))
            store_lanes(here_[k] + j, lanes, count);
        else
            b_.when(
                direct, [&] { b_.scatter(here_[k] + j * pitch_[k], pitch_[k], lanes); },
                [&] { b_.spread(row_[k], stride(m), index, count, lanes); });
    }

    const std::size_t inner_;
    std::vector<std::uint16_t> everything_;
    cell begin_, end_;
    std::vector<cell> indices_, row_, once_, coordinates_;  ///< of the row: pointers and single values, by memory
    std::optional<array> order_;
    std::optional<cell> head_, latest_;
    std::vector<value> here_, pitch_, past_;  ///< of the stretch, by memory
};

}  // namespace

loops::function pointwise_loops(const kernel_spec& spec, const target& t, const std::string& name) {
    const word_map map(spec);
    return pointwise(spec, map, t, name).build();
}

}  // namespace frit::v0::fusion::host
