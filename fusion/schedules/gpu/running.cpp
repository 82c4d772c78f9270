// Rows with running values on a GPU, in one pass over memory and in an order that depends on the extents alone. Along memory
// a warp has neighbouring packs, which it makes one after the other from what came before. Rows of up to a few thousand
// elements have a warp each; longer ones are dealt out to blocks in tiles, which learn from each other what came before
// (code::before_block). Across memory a thread has a row, and its neighbours have the neighbouring ones. What runs is a
// reduction of the table, or what an associative operation of the caller's makes of a long row.
//
// CUB's scan of one pass looks back over as many tiles as have got ready, so that its floats differ from run to run ("not
// deterministic for pseudo-associative operators", as its documentation says); Merrill and Garland (2016), "Single-pass
// parallel prefix scan with decoupled look-back". Here a tile looks back over totals of 1, of 32 and of 1,024 tiles.
#include <algorithm>
#include <bit>

#include "frit/error.hpp"
#include "fusion/ir/reduction_rule.hpp"
#include "fusion/machine/cuda_row_shape.hpp"
#include "fusion/schedules/gpu/gpu.hpp"
#include "fusion/schedules/gpu/kernel.hpp"

namespace frit::inline v0::fusion::gpu {
namespace {

constexpr unsigned warp = 32, threads_across = 128;

bool is_shared(const kernel_spec& s) { return s.schedule != schedule_kind::reduce_outer && s.row_class != row_of_a_warp; }

/// Whether an instruction is a value that runs: of the table, or a state of a recurrence by an associative operation.
bool runs(const kernel_spec& s, const instruction& i) {
    return is_cumulative(i.code) || (i.code == op::state && s.body[i.a].code == op::scan_along);
}
/// The instructions that these results need, in order: as far as running values, which are there, unless they are among
/// them.
std::vector<std::uint16_t> needed(const kernel_spec& s, const std::vector<std::uint16_t>& results) {
    std::vector<char> is(s.body.size(), 0);
    for (const std::uint16_t k : results) is[k] = 1;
    for (std::size_t k = is.size(); k-- > 0;) {
        if (!is[k] || runs(s, s.body[k])) continue;
        for (int o = 0; o < operands_of(s.body[k]); ++o) is[operand(s.body[k], o)] = 1;
    }
    std::vector<std::uint16_t> list;
    for (std::uint16_t k = 0; k < is.size(); ++k)
        if (is[k]) list.push_back(k);
    return list;
}
std::vector<std::uint16_t> stored(const kernel_spec& s) {
    std::vector<std::uint16_t> results;
    for (const store& to : s.stores) results.push_back(to.value);
    return needed(s, results);
}
unsigned in_registers(dtype t) { return static_cast<unsigned>(std::max<std::size_t>(size_of(t), 4)); }
/// Bytes of an element's states that the caller's operations combine.
unsigned bytes_of_states(const kernel_spec& s) {
    unsigned bytes = 0;
    for (const instruction& i : s.body) {
        if (i.code != op::scan_along) continue;
        const loop_spec& by = s.loops[i.b].operation.front();
        for (std::size_t k = 0; k < by.next.size(); ++k) bytes += in_registers(by.inputs[k]);
    }
    return bytes;
}
/// Bytes of an element that are in registers while a tile learns what came before: running values, and what is read for
/// their readers.
unsigned bytes_held(const kernel_spec& s) {
    unsigned bytes = bytes_of_states(s);
    for (const instruction& i : s.body)
        if (is_cumulative(i.code)) bytes += in_registers(i.type);
    std::vector<char> later(s.loads.size(), 0);
    for (const std::uint16_t k : stored(s))
        if (s.body[k].code == op::load) later[s.body[k].a] = 1;
    for (std::size_t l = 0; l < later.size(); ++l)
        if (later[l] && moves_in(s.loads[l], s.rank - s.reduced, s.rank)) bytes += in_registers(s.loads[l].type);
    return bytes;
}

/// Of blocks that share rows: behind two tickets of all stand the words of each running value, row after row.
constexpr std::uint32_t words_of_tickets = 1;
std::uint32_t words_of(const kernel_spec& s, std::size_t running) {
    const instruction& i = s.body[running];
    if (is_cumulative(i.code)) return size_of(i.type) > 4 ? 2 : 1;
    const reduction_rule rule = rule_of_operation(s.loops[i.b].operation.front());
    return static_cast<std::uint32_t>((offset_of_part(rule, rule.parts) + 3) / 4);
}

/// Of combining all of an element's states by the caller's operations, once.
unsigned weight_of_operations(const kernel_spec& s) {
    unsigned weight = 0;
    for (const instruction& i : s.body)
        if (i.code == op::scan_along) weight += weight_of(s.loops[i.b].operation.front().code);
    return weight;
}

/// A thread's elements at a time, along memory: so many packs of `pack` neighbours, a warp's width apart.
struct thread_shape {
    unsigned pack, packs, threads, blocks_per_sm;
    unsigned elements() const { return pack * packs; }
    unsigned tile() const { return elements() * threads; }
};
// The longer a tile, the fewer have to learn from each other; but while some wait, others shall read and write. So threads
// hold 128 bytes where that many share a multiprocessor's registers, 1,024 of them, and more where they must. Measured on an
// H200 for 2^26 floats, of a copy: 0.70 with these, 0.66 with 192 bytes in 768 threads. A caller's operation is written down
// twice for each element and eight times for each pack, and its states may be as large as several numbers: of such elements
// there are fewer.
thread_shape shape_of_thread(const kernel_spec& s) {
    constexpr unsigned most_weight = 8192;
    const unsigned held = bytes_held(s), combining = (2 + 8U / s.vector_width) * weight_of_operations(s);
    const unsigned fewest = combining > 0 ? 4 : 16;
    unsigned elements = std::clamp(std::bit_floor(std::max(128 / held, 1U)), fewest, 32U);
    while (elements > fewest && (unroll_of(weight_of(s.body), elements) < elements || elements * combining > most_weight))
        elements /= 2;
    const unsigned pack = std::min(unsigned{s.vector_width}, elements);
    thread_shape t{pack, elements / pack, 256, 0};
    const unsigned bytes = elements * held + t.packs * bytes_of_states(s);  // what is before each pack, too
    if (!is_shared(s) || bytes > 256) return t;
    t.blocks_per_sm = combining > 0 ? (bytes > 160 ? 2 : 4) : bytes > 128 ? 3 : 4;
    if (t.blocks_per_sm == 4 && s.row_class == shared_by_large_blocks) t.threads = 512, t.blocks_per_sm = 2;
    return t;
}

class running : kernel_builder {
public:
    running(const kernel_spec& s, const std::string& name)
        : kernel_builder(s, name), thread_(shape_of_thread(s)), values_(s.body.size()) {
        for (std::uint16_t k = 0; k < s.body.size(); ++k) {
            const instruction& i = s.body[k];
            if (!is_running(i.code)) continue;
            running_.push_back(k);
            elements_.push_back(is_cumulative(i.code) ? numbers{i.a} : operands_of_operation(i, s));
            given_.emplace_back();
        }
    }

    loops::kernel build() {
        n_ = b_.let("n", extents(kept_dims_, spec_.rank));
        rows_ = b_.let("rows", extents(0, kept_dims_));
        if (spec_.schedule == schedule_kind::reduce_outer)
            across();
        else if (is_shared(spec_))
            shared();
        else
            of_a_warp();
        return spec_.schedule == schedule_kind::reduce_outer ? take(threads_across)
                                                             : take(thread_.threads, thread_.blocks_per_sm);
    }

private:
    // --- rows ---

    void start_row(value row, value real) {
        row_ = b_.let("row", row);
        real_ = b_.let("real", real);
        decode(0, kept_dims_, row_);
        const std::size_t at = kept_dims_;
        i_[at] = b_.constant(0, offset_);
        read_unmoving(real_ && n_ > 0);
        for (std::size_t k = 0; k < running_.size(); ++k)
            if (combines(k)) read_given(k);
    }
    /// What an operation reads beside states, which is the same for all elements: elements_ holds both at first.
    void read_given(std::size_t k) {
        const std::size_t states = operation(k).next.size();
        for (std::size_t g = states; g < elements_[k].size(); ++g) {
            std::vector<value> t;
            b_.compute(
                spec_.body, made_of(elements_[k][g], spec_.body), "g", t, [&](const instruction& i) { return once(i); },
                real_);
            given_[k].push_back(t[elements_[k][g]]);
        }
        elements_[k].resize(states);
    }
    value start_of(std::size_t k) { return b_.accumulate(loops::code::identity, accumulator(k), {}); }
    std::vector<cell> declare_totals() {
        std::vector<cell> totals;
        for (std::size_t k = 0; k < running_.size(); ++k) totals.push_back(b_.declare(name("a", k), start_of(k)));
        return totals;
    }
    /// Rules of running values stand behind those of reductions, of which there are none.
    loops::type accumulator(std::size_t k) const { return loops::accumulator_of(spec_.reductions.size() + k); }
    /// Of an element, from the values of the body.
    value lift(std::size_t k, const std::vector<value>& t) {
        std::vector<value> parts;
        for (const std::uint16_t e : elements_[k]) parts.push_back(t[e]);
        return b_.accumulate(loops::code::lifted, accumulator(k), parts);
    }
    value number_of(std::size_t k, value accumulated) {
        return b_.accumulate(loops::code::part, loops::number_of(spec_.body[running_[k]].type), {accumulated}, 0);
    }
    bool is_exclusive(std::size_t k) const { return scan_of(spec_.body[running_[k]].code).exclusive; }
    /// Whether it is by the caller's operation.
    bool combines(std::size_t k) const { return spec_.body[running_[k]].code == op::scan_along; }
    const loop_spec& operation(std::size_t k) const { return spec_.loops[spec_.body[running_[k]].b].operation.front(); }
    /// By code::taken, or what makes running values of several threads.
    value with_given(std::size_t k, loops::code how, std::vector<value> operands, std::int64_t n = 0) {
        operands.insert(operands.end(), given_[k].begin(), given_[k].end());
        return b_.accumulate(how, operands, n);
    }
    value combined(std::size_t k, value a, value b) { return with_given(k, loops::code::taken, {a, b}); }

    /// The values of these instructions for the element number `lane` of the thread, which is at i_.
    std::vector<value> evaluated(const numbers& list, value lane, value exists) {
        std::vector<value> t(spec_.body.size());
        for (const std::uint16_t k : list) {
            if (runs(spec_, spec_.body[k]))
                t[k] = b_.let(name("t", k), values_[k][lane]);
            else
                b_.compute(
                    spec_.body, {k}, "t", t, [&](const instruction& i) { return leaf(i, lane); }, exists);
        }
        return t;
    }
    value leaf(const instruction& i, value lane) {
        return i.code == op::load && loads_[i.a].moves() ? value(loads_[i.a].each[lane]) : once(i);
    }
    void declare_loads(unsigned elements) {
        for (std::size_t k = 0; k < spec_.loads.size(); ++k)
            if (moving(k)) loads_[k].each = zeros(k, elements);
    }

    // --- along memory ---

    /// Where pack j of the thread begins, from the warp's first element on.
    value pack_at(value j) { return b_.let("at", first_ + (linear(j) * warp + lane_) * thread_.pack); }
    template <class F>
    void each_pack(F f) {
        loop("j", thread_.packs, [&](value j) { f(j, pack_at(j)); });
    }
    /// What a thread reads of the pack j from `at` on, where `exists`.
    template <class F>
    void read_pack(value j, value at, F exists) {
        for (std::size_t l = 0; l < spec_.loads.size(); ++l) {
            if (!moving(l)) continue;
            const unsigned width = width_of(spec_.loads[l], thread_.pack);
            each_of_pack(thread_.pack, at, width, [&](value k) {
                b_.when(exists(at + k), [&] {
                    const value to = loads_[l].each.at(j * thread_.pack + k);
                    if (width == 1 && size_of(spec_.loads[l].type) < 4)
                        b_.put(loads_[l].each, j * thread_.pack + k, read(l));
                    else
                        b_.copy_in(to, load_address(l), {width, width, 1, policy_of(spec_.loads[l])});
                });
            });
        }
    }
    /// Of a warp's row. Where all of its elements are known to exist, nothing is between the reads.
    void read_all() {
        declare_loads(thread_.elements());
        const auto read = [&](auto exists) { each_pack([&](value j, value at) { read_pack(j, at, exists); }); };
        b_.when(
            b_.let("whole", real_ && first_ + thread_.elements() * warp <= n_),
            [&] { read([&](value) { return b_.truth(true); }); }, [&] { read([&](value at) { return real_ && at < n_; }); });
    }
    /// Of a tile, which has a first element: that is read for those that do not exist, so that there are no conditions. No
    /// other block writes it, and this one not before all of its threads have read.
    void read_tile(value first) {
        declare_loads(thread_.elements());
        each_pack([&](value j, value at) {
            const value from = b_.let("there", b_.choice(at < n_, at, first));
            read_pack(j, from, [&](value) { return b_.truth(true); });
        });
    }
    /// The tile that stands some further on, into the L2: while blocks wait for each other, memory shall not. Measured on an
    /// H200 for 2^26 floats, of a copy: 0.73 with it and 0.69 without; with half and twice the distance 0.73, with four
    /// times 0.68. Of two arrays at a time it is too much: 0.75 and 0.78.
    void prefetch_after(value first) {
        constexpr std::int64_t tiles_ahead = 66;
        std::vector<std::size_t> moving_loads;
        for (std::size_t l = 0; l < spec_.loads.size(); ++l)
            if (moving(l)) moving_loads.push_back(l);
        if (moving_loads.size() != 1) return;
        const access& from = spec_.loads[moving_loads[0]];
        if (width_of(from, thread_.pack) * size_of(from.type) != 16) return;
        const value at = b_.let("ahead", first + tiles_ahead * thread_.tile());
        b_.when(thread_x() == 0 && at + thread_.tile() <= n_, [&] {
            set_index(kept_dims_, at);
            b_.prefetch(load_address(moving_loads[0]), thread_.tile());
        });
    }
    /// Of what is read once: elements of all rows differ, or there is one row, since no store moves from row to row.
    loops::cache policy_of(const access& a) const {
        for (unsigned d = 0; d < spec_.rank; ++d) {
            const bool many = d >= kept_dims_ || std::any_of(spec_.stores.begin(), spec_.stores.end(),
                                                             [d](const store& s) { return moves_in(s.to, d, d + 1); });
            if (many && (!moves_in(a, d, d + 1) || a.dims[d].clamped)) return loops::cache::plain;
        }
        return is_shared(spec_) ? loops::cache::streamed : loops::cache::once_of_both;
    }

    /// Running values of a thread's elements. By the caller's operation, which may take long, each is combined with what is
    /// before its pack once all of that is known: `elements` are those within the packs.
    struct of_thread {
        array elements, before;
    };
    /// Running value k of each element within the warp's tile, behind what `total` has before; it takes in the warp's.
    of_thread scan_in_warp(std::size_t k, const cell& total) {
        const bool apart = combines(k);
        const numbers list = needed(spec_, elements_[k]);
        const array x = b_.declare(name("x", k), accumulator(k), thread_.elements());
        const array packs = apart ? b_.declare(name("y", k), accumulator(k), thread_.packs) : array();
        each_pack([&](value j, value at) {
            each_of_pack(thread_.pack, at, 1, [&](value e) {
                const value exists = b_.let("exists", real_ && at + e < n_), lane = j * thread_.pack + e;
                const value lifted = lift(k, evaluated(list, lane, exists));
                // Apart: behind the row's last element whatever there is, since only what comes later takes it in.
                b_.put(x, lane, apart ? lifted : b_.choice(exists, lifted, start_of(k)));
            });
            const auto element = [&](unsigned e) { return j * thread_.pack + e; };
            const unsigned last = thread_.pack - 1;
            for (unsigned e = 1; e <= last; ++e) b_.put(x, element(e), combined(k, x[element(e - 1)], x[element(e)]));
            const value left = b_.let("left", with_given(k, loops::code::before_lane, {x[element(last)]}));
            const value all = b_.let("all", combined(k, left, x[element(last)]));
            value before = combined(k, total, left);
            if (apart)
                b_.put(packs, j, before);
            else
                before = b_.let("before", before);
            b_.set(total, combined(k, total, b_.accumulate(loops::code::of_lane, {all}, warp - 1)));
            if (!apart) put_behind(k, x, j, before);
        });
        return {x, packs};
    }
    /// A pack's elements, behind what is before it.
    void put_behind(std::size_t k, const array& x, value j, value before) {
        const auto element = [&](unsigned e) { return j * thread_.pack + e; };
        const unsigned last = thread_.pack - 1;
        if (!is_exclusive(k)) {
            for (unsigned e = 0; e <= last; ++e) b_.put(x, element(e), taken(before, x[element(e)]));
            return;
        }
        for (unsigned e = last; e > 0; --e) b_.put(x, element(e), taken(before, x[element(e - 1)]));
        b_.put(x, element(0), before);
    }
    /// Running value k of each element, behind `base`, if there is something.
    void finish(std::size_t k, const of_thread& made, value base) {
        if (combines(k)) return finish_states(k, made, base);
        const array& x = made.elements;
        values_[running_[k]] =
            b_.declare(name("v", running_[k]), loops::number_of(spec_.body[running_[k]].type), thread_.elements());
        loop("j", thread_.elements(),
             [&](value e) { b_.put(values_[running_[k]], e, number_of(k, base ? taken(base, x[e]) : x[e])); });
    }
    void finish_states(std::size_t k, const of_thread& made, value base) {
        numbers states;
        for (std::uint16_t s = 0; s < spec_.body.size(); ++s)
            if (spec_.body[s].code == op::state && spec_.body[s].a == running_[k]) states.push_back(s);
        for (const std::uint16_t s : states)
            values_[s] = b_.declare(name("v", s), loops::number_of(spec_.body[s].type), thread_.elements());
        loop("j", thread_.packs, [&](value j) {
            const value before = b_.let("before", base ? combined(k, base, made.before[j]) : value(made.before[j]));
            loop("k", thread_.pack, [&](value e) {
                const value lane = j * thread_.pack + e, all = b_.let("all", combined(k, before, made.elements[lane]));
                for (const std::uint16_t s : states)
                    b_.put(values_[s], lane,
                           b_.accumulate(loops::code::part, loops::number_of(spec_.body[s].type), {all}, spec_.body[s].b));
            });
        });
    }
    void store_all() {
        const std::vector<array> results = declare_results(thread_.elements());
        const numbers list = stored(spec_);
        each_pack([&](value j, value at) {
            each_of_pack(thread_.pack, at, 1, [&](value e) {
                const value lane = j * thread_.pack + e;
                keep(results, lane, evaluated(list, lane, b_.let("exists", real_ && at + e < n_)));
            });
            store_pack(thread_.pack, at, n_, real_, results, j * thread_.pack);
        });
    }

    void of_a_warp() {
        lane_ = b_.let("lane", thread_x() % warp);
        const value row = block() * (thread_.threads / warp) + thread_x() / warp;
        start_row(row, row < rows_);
        const std::vector<cell> totals = declare_totals();
        b_.loop("first", b_.constant(0, linear_), n_, std::int64_t{thread_.elements()} * warp, loops::as_compilers_like,
                [&](value first) {
                    first_ = first;
                    read_all();
                    for (std::size_t k = 0; k < running_.size(); ++k) finish(k, scan_in_warp(k, totals[k]), {});
                    store_all();
                });
    }

    void shared() {
        const value words = b_.word(1, loops::address_of(dtype::u64, false));
        const value tickets = b_.retyped(words, loops::address_of(dtype::u32, false));
        const value turn = b_.let("turn", b_.accumulate(loops::code::turn, loops::index_type(dtype::u32), {tickets}));
        const value tiles = b_.let("tiles", b_.to(dtype::u32, (n_ + (thread_.tile() - 1)) / std::int64_t{thread_.tile()}));
        const value tile = b_.let("tile", turn % tiles);
        lane_ = b_.let("lane", thread_x() % warp);
        start_row(linear(turn / tiles), b_.truth(true));
        const value tile_at = b_.let("tile_at", linear(tile) * thread_.tile());
        first_ = b_.let("first", tile_at + linear(thread_x() / warp) * (thread_.elements() * warp));
        prefetch_after(tile_at);
        read_tile(tile_at);
        const value totals = b_.let("totals", totals_of_tiles(tiles));
        value used = b_.constant(words_of_tickets, dtype::u32);
        for (std::size_t k = 0; k < running_.size(); ++k) {
            const cell total = b_.declare(name("a", k), start_of(k));
            const of_thread x = scan_in_warp(k, total);
            const value left =
                b_.let(name("b", k), with_given(k, loops::code::before_warp, {total}, thread_.threads / warp));
            const std::uint32_t each = words_of(spec_, running_[k]);
            const value own = used + b_.to(dtype::u32, row_) * totals * each;
            const value all = with_given(k, loops::code::before_block, {combined(k, left, total), words + own, tile, tiles});
            const value base = b_.let(name("c", k), all);
            finish(k, x, b_.let(name("d", k), combined(k, base, left)));
            used = b_.let("used", used + b_.to(dtype::u32, rows_) * totals * each);
        }
        // The last block that has learnt what came before leaves zeros. A thread counts, and none waits for it.
        const value none = b_.constant(0xffffffff, dtype::u32);
        const cell come = b_.declare("come", none);
        b_.when(thread_x() == std::int64_t{thread_.threads} - warp, [&] {
            b_.set(come, b_.accumulate(loops::code::arrival, loops::index_type(dtype::u32), {tickets + 1, blocks_x()}));
        });
        store_all();
        const value first = b_.make({.what = loops::code::from_lane, .is = none.is(), .in = {value(come).id, number(0).id}});
        b_.when(b_.let("come_before", first) + 1 == blocks_x(), [&] {
            b_.loop("k", lane_, used, b_.constant(warp, dtype::u32), loops::as_compilers_like,
                    [&](value k) { b_.write(words + k, b_.whole_number(dtype::u64, 0)); });
        });
    }

    // --- across memory ---

    void across() {
        constexpr unsigned together = 8;
        const value row = block() * threads_across + thread_x();
        start_row(row, row < rows_);
        const std::vector<cell> totals = declare_totals();
        const value stop = b_.let("stop", b_.choice(real_, n_, b_.constant(0, linear_)));
        b_.loop("first", b_.constant(0, linear_), stop, together, loops::as_compilers_like, [&](value first) {
            declare_loads(together);
            const auto each = [&](auto f) {
                loop("k", together, [&](value k) {
                    set_index(kept_dims_, first + k);
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
            if (is_exclusive(r)) t[k] = b_.let(name("t", k), number_of(r, totals[r]));
            b_.set(totals[r], taken(totals[r], lift(r, t)));
            if (!is_exclusive(r)) t[k] = b_.let(name("t", k), number_of(r, totals[r]));
            ++r;
        }
        store_element(t);
    }

    const thread_shape thread_;
    std::vector<array> values_;                               // by instruction: running values of the thread's elements
    numbers running_;                                         // instructions
    std::vector<numbers> elements_;                           // for each: what it takes of an element, instructions
    std::vector<std::vector<value>> given_;                   // and what else its operation reads
    value n_{}, rows_{}, row_{}, real_{}, lane_{}, first_{};  // first_: of the warp, in the row
};

/// Recurrences by an associative operation are rows along memory (passes/collapse_dims).
bool takes(const kernel_spec& s) { return is_of_rows(s.schedule) && has_running(s) && !has_recurrences(s); }

/// Of one row, where rows are dealt out.
std::uint64_t tiles_of(const kernel_spec& s, const std::uint64_t* extents) {
    return divide_up(product(extents, s.rank - s.reduced, s.rank), shape_of_thread(s).tile());
}

launch_shape shape(const kernel_spec& s, const std::uint64_t* extents, const target&) {
    const int kept = s.rank - s.reduced;
    const std::uint64_t rows = product(extents, 0, kept);
    if (rows * product(extents, kept, s.rank) == 0) return {.grid = {0, 1, 1}};
    launch_shape l;
    if (is_shared(s)) {
        l.block[0] = shape_of_thread(s).threads;
        l.grid[0] = blocks_across(rows * tiles_of(s, extents));
        return l;
    }
    const bool outer = s.schedule == schedule_kind::reduce_outer;
    l.block[0] = outer ? threads_across : shape_of_thread(s).threads;
    set_blocks(l, divide_up(rows, outer ? threads_across : l.block[0] / warp));
    return l;
}

std::uint64_t zeros(const kernel_spec& s, const std::uint64_t* extents, const target&) {
    if (!is_shared(s)) return 0;
    std::uint64_t each = 0;
    for (std::size_t k = 0; k < s.body.size(); ++k)
        if (is_running(s.body[k].code)) each += words_of(s, k);
    return words_of_tickets + each * product(extents, 0, s.rank - s.reduced) * totals_of_tiles(tiles_of(s, extents));
}

}  // namespace

extern const gpu_schedule running_schedule{
    .name = "running", .takes = takes, .loops = gpu::build<running>, .shape = shape, .zeros = zeros};

}  // namespace frit::v0::fusion::gpu
