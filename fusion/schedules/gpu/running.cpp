// Rows with running values on a GPU, in one pass over memory and in an order that depends on the extents alone. Along memory
// a warp has neighbouring packs, which it makes one after the other from what came before. Rows of up to a few thousand
// elements have a warp each; longer ones are dealt out to blocks in tiles, which learn from each other what came before
// (code::before_block). Across memory a thread has a row, and its neighbours have the neighbouring ones.
//
// CUB's scan of one pass looks back over as many tiles as have got ready, so that its floats differ from run to run ("not
// deterministic for pseudo-associative operators", as its documentation says); Merrill and Garland (2016), "Single-pass
// parallel prefix scan with decoupled look-back". Here a tile looks back over totals of 1, of 32 and of 1,024 tiles.
#include <algorithm>
#include <bit>

#include "frit/error.hpp"
#include "fusion/ir/reduction_rule.hpp"
#include "fusion/machine/cuda_row_shape.hpp"
#include "fusion/schedules/gpu/kernel.hpp"
#include "fusion/schedules/gpu/schedules.hpp"

namespace frit::inline v0::fusion::gpu {
namespace {

constexpr unsigned warps = 8, warp = 32, threads_along = warps * warp, threads_across = 128;

std::string name(char letter, std::size_t k) { return letter + std::to_string(k); }

/// A thread's elements at a time, along memory: so many packs of `pack` neighbours, a warp's width apart.
struct thread_shape {
    unsigned pack, packs;
    unsigned elements() const { return pack * packs; }
    unsigned tile() const { return elements() * threads_along; }
};
thread_shape shape_of_thread(const kernel_spec& s) {
    // The longer a tile, the fewer have to learn from each other; what its registers hold sets the limit.
    constexpr std::size_t bytes_in_flight = 256;
    std::size_t bytes = 0, widest = 1;
    for (const access& a : s.loads)
        if (moves_in(a, s.rank - s.reduced, s.rank)) bytes += size_of(a.type);
    for (const instruction& i : s.body)
        if (is_running(i.code)) widest = std::max(widest, size_of(i.type));
    const auto wanted = static_cast<unsigned>(bytes_in_flight / std::max(bytes, widest));
    unsigned elements = std::clamp(std::bit_floor(std::max(wanted, 1U)), 16U, widest > 4 ? 16U : 64U);
    while (elements > 16 && unroll_of(weight_of(s.body), elements) < elements) elements /= 2;
    const unsigned pack = std::min(unsigned{s.vector_width}, elements);
    return {pack, elements / pack};
}
static_assert(least_running_tile == 16 * threads_along);

class running : kernel_builder {
public:
    running(const kernel_spec& s, const std::string& name)
        : kernel_builder(s, name),
          kept_dims_(s.rank - s.reduced),
          thread_(shape_of_thread(s)),
          loads_(s.loads.size()),
          values_(s.body.size()) {
        for (std::uint16_t k = 0; k < s.body.size(); ++k)
            if (is_running(s.body[k].code)) running_.push_back(k);
    }

    loops::kernel build() {
        n_ = b_.let("n", extents(kept_dims_, spec_.rank));
        rows_ = b_.let("rows", extents(0, kept_dims_));
        if (spec_.schedule == schedule_kind::reduce_outer)
            across();
        else if (spec_.row_class == shared_by_blocks)
            shared();
        else
            of_a_warp();
        return take(spec_.schedule == schedule_kind::reduce_outer ? threads_across : threads_along);
    }

private:
    using numbers = std::vector<std::uint16_t>;

    // --- rows ---

    void start_row(value row, value real) {
        row_ = b_.let("row", row);
        real_ = b_.let("real", real);
        decode(0, kept_dims_, row_);
        const std::size_t at = kept_dims_;
        i_[at] = b_.constant(0, offset_);
        for (std::size_t k = 0; k < spec_.loads.size(); ++k)
            if (!moving(k))
                loads_[k].one =
                    b_.let(name('l', k), b_.choice(real_ && n_ > 0, read(k), b_.whole_number(spec_.loads[k].type, 0)));
    }
    bool moving(std::size_t load) const { return moves_in(spec_.loads[load], kept_dims_, spec_.rank); }
    value start_of(std::size_t k) { return b_.accumulate(loops::code::identity, accumulator(k), {}); }
    /// Rules of running values stand behind those of reductions, of which there are none.
    loops::type accumulator(std::size_t k) const { return loops::accumulator_of(spec_.reductions.size() + k); }
    value lift(std::size_t k, value element) { return b_.accumulate(loops::code::lifted, accumulator(k), {element}); }
    value number_of(std::size_t k, value accumulated) {
        return b_.accumulate(loops::code::part, loops::number_of(spec_.body[running_[k]].type), {accumulated}, 0);
    }
    bool is_exclusive(std::size_t k) const { return scan_of(spec_.body[running_[k]].code).exclusive; }

    /// What these need of the body, in order: as far as running values, which are there, unless they are among them.
    numbers needed(const numbers& results) const {
        std::vector<char> is(spec_.body.size(), 0);
        for (const std::uint16_t k : results) is[k] = 1;
        for (std::size_t k = is.size(); k-- > 0;) {
            if (!is[k] || is_running(spec_.body[k].code)) continue;
            for (int o = 0; o < operands_of(spec_.body[k]); ++o) is[operand(spec_.body[k], o)] = 1;
        }
        numbers list;
        for (std::uint16_t k = 0; k < is.size(); ++k)
            if (is[k]) list.push_back(k);
        return list;
    }
    numbers stored() const {
        numbers list;
        for (const store& s : spec_.stores) list.push_back(s.value);
        return list;
    }
    /// The values of these instructions for the element number `lane` of the thread, which is at i_.
    std::vector<value> evaluated(const numbers& list, value lane, value exists) {
        std::vector<value> t(spec_.body.size());
        for (const std::uint16_t k : list) {
            if (is_running(spec_.body[k].code))
                t[k] = b_.let(name('t', k), values_[k][lane]);
            else
                b_.compute(
                    spec_.body, {k}, "t", t, [&](const instruction& i) { return leaf(i, lane); }, exists);
        }
        return t;
    }
    value leaf(const instruction& i, value lane) {
        if (i.code == op::scalar) return scalar(i.a);
        if (i.code == op::coord) return b_.number(i.type, coordinate(i.a));
        return loads_[i.a].moves() ? loads_[i.a].each[lane] : loads_[i.a].one;
    }
    void declare_loads(unsigned elements) {
        for (std::size_t k = 0; k < spec_.loads.size(); ++k)
            if (moving(k)) loads_[k].each = b_.declare_zeros(name('l', k), loops::number_of(spec_.loads[k].type), elements);
    }

    // --- along memory ---

    /// Where pack j of the thread begins, from the warp's first element on.
    value pack_at(value j) { return b_.let("at", first_ + (linear(j) * warp + lane_) * thread_.pack); }
    template <class F>
    void each_pack(F f) {
        loop("j", thread_.packs, [&](value j) { f(j, pack_at(j)); });
    }
    template <class F>
    void each_element(value at, unsigned step, F f) {
        loop(
            "k", thread_.pack,
            [&](value k) {
                i_[kept_dims_] = b_.let("i" + std::to_string(kept_dims_), offset(at + k));
                f(k);
            },
            step);
    }
    /// Elements of one access.
    unsigned width_of(const access& a) const {
        const access_dim& last = a.dims.back();
        if (last.stride != stride_class::one || last.clamped) return 1;
        return std::min(thread_.pack, static_cast<unsigned>(16 / size_of(a.type)));
    }
    void read_all() {
        declare_loads(thread_.elements());
        const auto read_packs = [&](bool whole) {
            each_pack([&](value j, value at) {
                for (std::size_t l = 0; l < spec_.loads.size(); ++l) {
                    if (!moving(l)) continue;
                    const unsigned width = width_of(spec_.loads[l]);
                    each_element(at, width, [&](value k) {
                        b_.when(whole ? b_.truth(true) : real_ && at + k < n_, [&] {
                            const value to = loads_[l].each.at(j * thread_.pack + k);
                            if (width == 1 && size_of(spec_.loads[l].type) < 4)
                                b_.put(loads_[l].each, j * thread_.pack + k, read(l));
                            else
                                b_.copy_in(to, load_address(l), {width, width, 1, policy_of(spec_.loads[l])});
                        });
                    });
                }
            });
        };
        b_.when(
            b_.let("whole", real_ && first_ + thread_.elements() * warp <= n_), [&] { read_packs(true); },
            [&] { read_packs(false); });
    }
    static loops::cache policy_of(const access& a) {
        const bool once =
            std::all_of(a.dims.begin(), a.dims.end(), [](const access_dim& d) { return d != access_dim{} && !d.clamped; });
        return once ? loops::cache::once_of_both : loops::cache::plain;
    }

    /// The elements of running value k as accumulators, x; then of each pack what its lane has before it in the warp, w;
    /// `total`, which has taken in what came before, takes in the warp's.
    struct scanned {
        array elements, before;
    };
    scanned scan_in_warp(std::size_t k, const cell& total) {
        const numbers list = needed({spec_.body[running_[k]].a});
        const scanned s{b_.declare(name('x', k), accumulator(k), thread_.elements()),
                        b_.declare(name('w', k), accumulator(k), thread_.packs)};
        each_pack([&](value j, value at) {
            each_element(at, 1, [&](value e) {
                const value exists = b_.let("exists", real_ && at + e < n_), lane = j * thread_.pack + e;
                const std::vector<value> t = evaluated(list, lane, exists);
                b_.put(s.elements, lane, b_.choice(exists, lift(k, t[spec_.body[running_[k]].a]), start_of(k)));
            });
            for (unsigned e = 1; e < thread_.pack; ++e) {
                const value lane = j * thread_.pack + e;
                b_.put(s.elements, lane, taken(s.elements[j * thread_.pack + (e - 1)], s.elements[lane]));
            }
            const value last = s.elements[j * thread_.pack + (thread_.pack - 1)];
            const value before = b_.let("before", b_.accumulate(loops::code::before_lane, {last}));
            b_.put(s.before, j, taken(total, before));
            const value all = b_.let("all", taken(before, last));
            b_.set(total, taken(total, b_.accumulate(loops::code::of_lane, {all}, warp - 1)));
        });
        return s;
    }
    /// Running value k of each element, behind `base`, if there is something.
    void finish(std::size_t k, const scanned& s, value base) {
        values_[running_[k]] =
            b_.declare(name('v', running_[k]), loops::number_of(spec_.body[running_[k]].type), thread_.elements());
        loop("j", thread_.packs, [&](value j) {
            const value before = b_.let("from", base ? taken(base, s.before[j]) : s.before[j]);
            for (unsigned e = 0; e < thread_.pack; ++e) {
                const value lane = j * thread_.pack + e;
                const value here = !is_exclusive(k) ? taken(before, s.elements[lane])
                                   : e == 0         ? before
                                                    : taken(before, s.elements[j * thread_.pack + (e - 1)]);
                b_.put(values_[running_[k]], lane, number_of(k, here));
            }
        });
    }
    void store_all() {
        std::vector<array> results;
        for (std::size_t s = 0; s < spec_.stores.size(); ++s)
            results.push_back(b_.declare(name('r', s), loops::number_of(spec_.stores[s].to.type), thread_.elements()));
        const numbers list = needed(stored());
        each_pack([&](value j, value at) {
            each_element(at, 1, [&](value e) {
                const value lane = j * thread_.pack + e;
                const std::vector<value> t = evaluated(list, lane, b_.let("exists", real_ && at + e < n_));
                for (std::size_t s = 0; s < results.size(); ++s) b_.put(results[s], lane, t[spec_.stores[s].value]);
            });
            for (std::size_t s = 0; s < results.size(); ++s) {
                const unsigned width = width_of(spec_.stores[s].to);
                each_element(at, width, [&](value e) {
                    b_.when(real_ && at + e < n_,
                            [&] { stream(store_address(s), results[s], j * thread_.pack + e, width, width); });
                });
            }
        });
    }

    void of_a_warp() {
        const value block = linear(block_y()) * blocks_x() + block_x();
        lane_ = b_.let("lane", thread_x() % warp);
        const value row = block * warps + thread_x() / warp;
        start_row(row, row < rows_);
        std::vector<cell> totals;
        for (std::size_t k = 0; k < running_.size(); ++k) totals.push_back(b_.declare(name('a', k), start_of(k)));
        b_.loop("first", b_.constant(0, linear_), n_, std::int64_t{thread_.elements()} * warp, loops::as_compilers_like,
                [&](value first) {
                    first_ = first;
                    read_all();
                    for (std::size_t k = 0; k < running_.size(); ++k) finish(k, scan_in_warp(k, totals[k]), {});
                    store_all();
                });
    }

    void shared() {
        const value tickets = b_.word(1, loops::address_of(dtype::u32, false));
        const value turn = b_.let("turn", b_.accumulate(loops::code::turn, loops::index_type(dtype::u32), {tickets}));
        const value of_row = b_.let("tiles", b_.to(dtype::u32, (n_ + (thread_.tile() - 1)) / std::int64_t{thread_.tile()}));
        const value tile = b_.let("tile", turn % of_row), before = b_.let("before_row", turn - tile);
        lane_ = b_.let("lane", thread_x() % warp);
        start_row(linear(turn / of_row), b_.truth(true));
        first_ = b_.let("first", linear(tile) * thread_.tile() + linear(thread_x() / warp) * (thread_.elements() * warp));
        read_all();
        for (std::size_t k = 0; k < running_.size(); ++k) {
            const cell total = b_.declare(name('a', k), start_of(k));
            const scanned s = scan_in_warp(k, total);
            const value left = b_.let(name('b', k), b_.accumulate(loops::code::before_warp, {total}, warps));
            const value values = partials(spec_.reductions.size() + k, blocks_x() * 3) + before;
            const value all = b_.accumulate(loops::code::before_block,
                                            {taken(left, total), tickets + (before + 2), values, tile, blocks_x()},
                                            static_cast<std::int64_t>(3 * k));
            const value base = b_.let(name('c', k), all);
            finish(k, s, taken(base, left));
        }
        // The last that has learnt what came before leaves the tickets as they were.
        b_.when(b_.accumulate(loops::code::last_block, loops::truth_type(), {tickets + 1, blocks_x()}), [&] {
            const value none = b_.whole_number(dtype::u32, 0);
            b_.loop("k", thread_x(), blocks_x(), b_.constant(threads_along, dtype::u32), loops::as_compilers_like,
                    [&](value k) { b_.write(tickets + (k + 2), none); });
            b_.when(thread_x() == 0, [&] { b_.write(tickets, none); });
        });
        store_all();
    }

    // --- across memory ---

    void across() {
        constexpr unsigned together = 8;
        const value block = linear(block_y()) * blocks_x() + block_x();
        const value row = block * threads_across + thread_x();
        start_row(row, row < rows_);
        std::vector<cell> totals;
        for (std::size_t k = 0; k < running_.size(); ++k) totals.push_back(b_.declare(name('a', k), start_of(k)));
        const value stop = b_.let("stop", b_.choice(real_, n_, b_.constant(0, linear_)));
        b_.loop("first", b_.constant(0, linear_), stop, together, loops::as_compilers_like, [&](value first) {
            declare_loads(together);
            const auto each = [&](auto f) {
                loop("k", together, [&](value k) {
                    i_[kept_dims_] = b_.let("i" + std::to_string(kept_dims_), offset(first + k));
                    b_.when(first + k < stop, [&] { f(k); });
                });
            };
            each([&](value k) {
                for (std::size_t l = 0; l < spec_.loads.size(); ++l)
                    if (moving(l)) b_.put(loads_[l].each, k, read(l));
            });
            each([&](value k) { element_across(k, totals); });
        });
    }
    void element_across(value lane, const std::vector<cell>& totals) {
        std::vector<value> t(spec_.body.size());
        std::size_t r = 0;
        for (std::uint16_t k = 0; k < spec_.body.size(); ++k) {
            const instruction& i = spec_.body[k];
            if (!is_running(i.code)) {
                b_.compute(
                    spec_.body, {k}, "t", t, [&](const instruction& x) { return leaf(x, lane); }, b_.truth(true));
                continue;
            }
            if (is_exclusive(r)) t[k] = b_.let(name('t', k), number_of(r, totals[r]));
            b_.set(totals[r], taken(totals[r], lift(r, t[i.a])));
            if (!is_exclusive(r)) t[k] = b_.let(name('t', k), number_of(r, totals[r]));
            ++r;
        }
        for (std::size_t s = 0; s < spec_.stores.size(); ++s) stream_one(store_address(s), t[spec_.stores[s].value]);
    }

    const unsigned kept_dims_;
    const thread_shape thread_;
    std::vector<operand_lanes> loads_;
    std::vector<array> values_;                               // by instruction: running values of the thread's elements
    numbers running_;                                         // instructions
    value n_{}, rows_{}, row_{}, real_{}, lane_{}, first_{};  // first_: of the warp, in the row
};

bool takes(const kernel_spec& s) { return is_of_rows(s.schedule) && has_cumulative(s); }

/// Tiles of all rows where rows are dealt out, else 0.
std::uint64_t tiles_of(const kernel_spec& s, const std::uint64_t* extents) {
    if (s.schedule == schedule_kind::reduce_outer || s.row_class != shared_by_blocks) return 0;
    const int kept = s.rank - s.reduced;
    return product(extents, 0, kept) * divide_up(product(extents, kept, s.rank), shape_of_thread(s).tile());
}

launch_shape shape(const kernel_spec& s, const std::uint64_t* extents, const target&) {
    const int kept = s.rank - s.reduced;
    const bool outer = s.schedule == schedule_kind::reduce_outer;
    const std::uint64_t rows = product(extents, 0, kept), tiles = tiles_of(s, extents);
    if (rows * product(extents, kept, s.rank) == 0) return {.grid = {0, 1, 1}};
    launch_shape l;
    l.block[0] = outer ? threads_across : threads_along;
    if (tiles > most_running_blocks)
        throw error("running values would need " + std::to_string(tiles) + " blocks, which is more than have tickets");
    const std::uint64_t blocks = tiles > 0 ? tiles : divide_up(rows, outer ? threads_across : warps);
    l.grid[0] = static_cast<unsigned>(std::min(blocks, max_grid_x));
    l.grid[1] = static_cast<unsigned>(divide_up(blocks, max_grid_x));
    return l;
}

}  // namespace

const gpu_schedule running_schedule{
    .name = "running",
    .takes = takes,
    .loops = gpu::build<running>,
    .shape = shape,
    .partials = [](const kernel_spec& s, const std::uint64_t* extents, const target&) { return 3 * tiles_of(s, extents); }};

}  // namespace frit::v0::fusion::gpu
