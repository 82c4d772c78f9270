// Rows with recurrences on a GPU: a thread walks a row from its first element on, neighbours the neighbouring rows. What it
// waits for is memory, and with a few thousand rows there are too few threads to hide that: so each reads many elements at
// once, and the next ones while it computes these. Where rows lie along memory an element's neighbours are read and written
// with it, in packs.
#include <algorithm>
#include <bit>

#include "fusion/machine/cuda_row_shape.hpp"
#include "fusion/schedules/gpu/kernel.hpp"
#include "fusion/schedules/gpu/schedules.hpp"

namespace frit::inline v0::fusion::gpu {
namespace {

constexpr unsigned threads = 32;  // a block: a few thousand rows are to be on all processors

class recurrences : kernel_builder {
public:
    recurrences(const kernel_spec& s, const std::string& name)
        : kernel_builder(s, name), kept_dims_(s.rank - s.reduced), batch_(batch_of(s)), loads_(s.loads.size()) {}

    loops::kernel build() {
        start_row();
        begin();
        for (std::size_t k = 0; k < loads_.size(); ++k)
            if (moving(k)) {
                const loops::type number = loops::number_of(spec_.loads[k].type);
                loads_[k].each = b_.declare_zeros("l" + std::to_string(k), number, batch_);
                next_.push_back(b_.declare_zeros("m" + std::to_string(k), number, batch_));
            } else {
                next_.emplace_back();
            }
        const value whole = b_.let("whole", n_ - n_ % batch_);
        b_.when(whole > 0, [&] { read_ahead(b_.constant(0, linear_)); });
        b_.loop("first", b_.constant(0, linear_), whole, batch_, loops::as_compilers_like, [&](value first) {
            take_next();
            const value then = b_.let("then", first + batch_);
            b_.when(then < whole, [&] { read_ahead(then); });
            walk(first);
        });
        b_.loop("at", whole, n_, 1, loops::as_compilers_like, [&](value at) {
            move_to(at);
            for (std::size_t l = 0; l < loads_.size(); ++l)
                if (moving(l)) b_.put(loads_[l].each, 0, read(l));
            const std::vector<value> t = element(number(0));
            for (std::size_t s = 0; s < spec_.stores.size(); ++s) stream_one(store_address(s), t[spec_.stores[s].value]);
        });
        return take(threads);
    }

private:
    /// Elements that a thread reads at once: in flight are 128 of its bytes, and the code stays short.
    static unsigned batch_of(const kernel_spec& s) {
        constexpr std::size_t bytes_in_flight = 128;
        constexpr unsigned longest = 1024;  // in operations
        std::size_t bytes = 1;
        for (const access& a : s.loads)
            if (moves_in(a, s.rank - s.reduced, s.rank)) bytes += size_of(a.type);
        unsigned weight = weight_of(s.body);
        for (const loop_spec& l : s.loops) weight += weight_of(l.code);
        const unsigned wanted = std::min(static_cast<unsigned>(bytes_in_flight / bytes), longest / weight);
        return std::clamp(std::bit_floor(std::max(wanted, 1U)), unsigned{s.vector_width}, 32U);
    }
    bool moving(std::size_t load) const { return moves_in(spec_.loads[load], kept_dims_, spec_.rank); }
    /// Elements of one access.
    unsigned width_of(const access& a) const {
        const access_dim& last = a.dims.back();
        if (last.stride != stride_class::one || last.clamped) return 1;
        return std::min(unsigned{spec_.vector_width}, static_cast<unsigned>(16 / size_of(a.type)));
    }
    bool is_packed(std::size_t store) const { return width_of(spec_.stores[store].to) > 1; }

    void start_row() {
        const value row = b_.let("row", (linear(block_y()) * blocks_x() + block_x()) * threads + thread_x());
        const value real = b_.let("real", row < extents(0, kept_dims_));
        n_ = b_.let("n", b_.choice(real, extents(kept_dims_, spec_.rank), b_.constant(0, linear_)));
        decode(0, kept_dims_, row);
        i_[kept_dims_] = b_.constant(0, offset_);
        for (std::size_t k = 0; k < spec_.loads.size(); ++k)
            if (!moving(k))
                loads_[k].one = b_.let("l" + std::to_string(k),
                                       b_.choice(n_ > 0, read(k), b_.whole_number(spec_.loads[k].type, 0)));
    }
    /// The states before the first element, which are the same all along a row.
    void begin() {
        for (const instruction& i : spec_.body) {
            if (i.code != op::scan_along) continue;
            std::vector<std::uint16_t> before = feeds_of(i, spec_.body);
            before.resize(spec_.loops[i.b].next.size());
            std::vector<array> states;
            for (const std::uint16_t feed : before) {
                const std::uint16_t k = spec_.body[feed].a;
                std::vector<value> t(spec_.body.size());
                b_.compute(
                    spec_.body, made_of(k), "b", t, [&](const instruction& x) { return leaf(x, {}); }, b_.truth(true));
                states.push_back(b_.declare("q" + std::to_string(feed), loops::number_of(spec_.body[k].type), 1));
                b_.put(states.back(), 0, t[k]);
            }
            b_.set_states(i, std::move(states));
        }
        b_.set_row(number(0));
    }
    /// The instructions that this one is made of, with it.
    std::vector<std::uint16_t> made_of(std::uint16_t result) const {
        std::vector<char> is(result + 1U, 0);
        is[result] = 1;
        for (std::size_t k = is.size(); k-- > 0;)
            for (int o = 0; is[k] && o < operands_of(spec_.body[k]); ++o) is[operand(spec_.body[k], o)] = 1;
        std::vector<std::uint16_t> list;
        for (std::uint16_t k = 0; k < is.size(); ++k)
            if (is[k]) list.push_back(k);
        return list;
    }

    void move_to(value at) { i_[kept_dims_] = b_.let("i" + std::to_string(kept_dims_), offset(at)); }
    value leaf(const instruction& i, value lane) {
        if (i.code == op::scalar) return scalar(i.a);
        if (i.code == op::coord) return b_.number(i.type, coordinate(i.a));
        return loads_[i.a].moves() ? loads_[i.a].each[lane] : loads_[i.a].one;
    }
    std::vector<value> element(value lane) {
        std::vector<value> t;
        b_.compute(
            spec_.body, all(spec_.body), "t", t, [&](const instruction& x) { return leaf(x, lane); }, b_.truth(true));
        return t;
    }

    void read_ahead(value first) {
        for (std::size_t l = 0; l < loads_.size(); ++l) {
            if (!moving(l)) continue;
            const unsigned width = width_of(spec_.loads[l]);
            loop(
                "k", batch_,
                [&](value k) {
                    move_to(first + k);
                    if (width == 1)
                        b_.put(next_[l], k, read(l));
                    else
                        b_.copy_in(next_[l].at(k), load_address(l), {width, width, 1, loops::cache::plain});
                },
                width);
        }
    }
    void take_next() {
        loop("k", batch_, [&](value k) {
            for (std::size_t l = 0; l < loads_.size(); ++l)
                if (moving(l)) b_.put(loads_[l].each, k, next_[l][k]);
        });
    }
    void walk(value first) {
        std::vector<array> results(spec_.stores.size());
        for (std::size_t s = 0; s < results.size(); ++s)
            if (is_packed(s))
                results[s] = b_.declare("r" + std::to_string(s), loops::number_of(spec_.stores[s].to.type), batch_);
        loop("k", batch_, [&](value k) {
            move_to(first + k);
            const std::vector<value> t = element(k);
            for (std::size_t s = 0; s < results.size(); ++s)
                if (is_packed(s))
                    b_.put(results[s], k, t[spec_.stores[s].value]);
                else
                    stream_one(store_address(s), t[spec_.stores[s].value]);
        });
        for (std::size_t s = 0; s < results.size(); ++s) {
            if (!is_packed(s)) continue;
            const unsigned width = width_of(spec_.stores[s].to);
            loop(
                "k", batch_,
                [&](value k) {
                    move_to(first + k);
                    stream(store_address(s), results[s], k, width, width);
                },
                width);
        }
    }

    const unsigned kept_dims_, batch_;
    std::vector<operand_lanes> loads_;
    std::vector<array> next_;  // of the loads, what comes behind
    value n_{};
};

launch_shape shape(const kernel_spec& s, const std::uint64_t* extents, const target&) {
    const int kept = s.rank - s.reduced;
    const std::uint64_t rows = product(extents, 0, kept);
    if (rows * product(extents, kept, s.rank) == 0) return {.grid = {0, 1, 1}};
    launch_shape l;
    l.block[0] = threads;
    const std::uint64_t blocks = divide_up(rows, threads);
    l.grid[0] = static_cast<unsigned>(std::min(blocks, max_grid_x));
    l.grid[1] = static_cast<unsigned>(divide_up(blocks, max_grid_x));
    return l;
}

}  // namespace

const gpu_schedule recurrences_schedule{.name = "recurrences",
                                        .takes = has_recurrences,
                                        .loops = gpu::build<recurrences>,
                                        .shape = shape};

}  // namespace frit::v0::fusion::gpu
