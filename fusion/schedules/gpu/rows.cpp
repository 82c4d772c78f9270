// GPU kernels whose rows are shared by threads: reduce_inner (neighbouring threads along the row) and reduce_outer
// (neighbouring threads in neighbouring rows). Both deal a row out in packs of neighbouring elements; a pass reads packs,
// computes, makes one value of each pack by a tree, and stores; then the threads of the row meet. Long rows of one pass are
// shared by blocks.
#include "fusion/schedules/gpu/rows.hpp"

#include <algorithm>

#include "fusion/schedules/gpu/row_grid.hpp"

namespace frit::inline v0::fusion::gpu {

row_builder::row_builder(const kernel_spec& s, const std::string& name)
    : chunk_builder(s, name),
      along_(s.schedule == schedule_kind::reduce_inner),
      work_(s, shape_.resident * shape_.pack),
      kept_(s.body.size()),
      elements_(s.reductions.size()),
      accumulators_(s.reductions.size()) {
    if (work_.work.size() > 1) shape_.chunk = 0;
}

loops::kernel row_builder::build() {
    head();
    stage();
    for (std::size_t k = 0; k < spec_.loads.size(); ++k) {
        if (moving(k)) continue;
        const value there = row_code_reads(spec_, k) ? real_ : real_ && n_ > 0;
        loads_[k].one = b_.let(name("l", k), read_if(there, k));
    }
    if (shape_.resident > 0) resident_arrays();
    for (std::size_t p = 0; p < work_.work.size(); ++p) pass(p);
    write_staged();
    end();
    return take(shape_.block(), blocks_per_sm());
}

// Two thirds of the registers for what is resident leave enough for a light body: then 32 warps per SM.
unsigned row_builder::blocks_per_sm() const {
    const std::size_t bytes = shape_.resident * shape_.pack * work_.live_bytes;
    const bool many = shape_.resident > 0 && !spec_.stores.empty() && bytes <= 128 && weight_of(spec_.body) <= 100;
    return many ? 1024 / shape_.block() : 0;
}

// Elements of one vector access.
unsigned row_builder::aligned(const access& a) const { return is_staged(a) || !along_ ? 1 : width_of(a, shape_.pack); }

// Which row and which part of it: row, real (there is such a row), tid (of the row's threads), n (its length).
void row_builder::head() {
    const value lane = along_ ? thread_y() : thread_x();
    const value lanes = along_ ? b_.constant(shape_.lanes, dtype::u32) : threads_x();  // fewer where there are few columns
    tid_ = b_.let("tid", along_ ? thread_x() : thread_y());
    n_ = b_.let("n", extents(kept_dims_, spec_.rank));
    rows_ = b_.let("rows", extents(0, kept_dims_));
    tile_ = b_.declare("tile", block());
    const value tiles = b_.let("tiles", (rows_ + lanes - 1) / lanes);
    if (shape_.chunk > 0) choose_chunk(tile_, tiles, n_, along_);
    b_.when(!(tile_ < tiles), [&] { b_.leave(); });
    row_ = b_.let("row", tile_ * lanes + lane);
    real_ = b_.let("real", row_ < rows_);
    decode(0, kept_dims_, row_);
    if (!along_ && shape_.threads > 1 && !spec_.reductions.empty()) column_ = declare_column();
}

loops::storage row_builder::lanes_of(dtype t, std::size_t count) {
    return is_short(t) && count > 1 ? loops::storage::packed : loops::storage::own;
}

array row_builder::zeros(std::size_t load, std::size_t count) {
    const dtype t = spec_.loads[load].type;
    return b_.declare_zeros(name("l", load), loops::number_of(t), static_cast<std::int64_t>(count), lanes_of(t, count));
}

// Kept values are set wherever they are read later; zeros would take registers beside what they come from.
void row_builder::resident_arrays() {
    const std::size_t all = shape_.resident * shape_.pack;
    for (std::size_t k = 0; k < spec_.loads.size(); ++k)
        if (work_.held[k] >= 0) loads_[k].each = zeros(k, all);
    for (std::size_t k = 0; k < spec_.body.size(); ++k) {
        const dtype t = spec_.body[k].type;
        if (work_.kept[k] >= 0)
            kept_[k] = b_.declare(name("v", k), loops::number_of(t), static_cast<std::int64_t>(all), lanes_of(t, all));
    }
}

void row_builder::pass(std::size_t p) {
    row_code(work_.passes.passes[p].row);
    for (const std::uint16_t r : reductions(p)) accumulators_[r] = b_.declare(name("a", r), start(r));
    if (shape_.chunk > 0) return pass_in_chunks(p);
    const value stop = b_.choice(real_, n_, b_.constant(0));
    if (shape_.resident > 0)
        resident_pass(p, b_.let("stop", stop));
    else
        walk(p, own_start(), stop);
    meet(p);
}

void row_builder::pass_in_chunks(std::size_t p) {
    std::vector<value> partial(spec_.reductions.size());
    for (const std::uint16_t r : reductions(p)) partial[r] = b_.let(name("partial", r), partials(r, rows_ * chunks_));
    each_chunk(
        [&](value begin) {
            restart(p);
            walk(p, begin + own_start(), b_.choice(real_, least(n_, begin + shape_.chunk), b_.constant(0)));
            meet(p);
        },
        [&](value chunk) {
            for (const std::uint16_t r : reductions(p))
                b_.when(tid_ == 0 && real_, [&] { b_.write(partial[r] + slot(chunk), accumulators_[r]); });
        });
    b_.when(chunks_ > 1, [&] { add_chunks(p, partial); });
}

void row_builder::add_chunks(std::size_t p, const std::vector<value>& partial) {
    leave_but_last(tile_);
    for (const std::uint16_t r : reductions(p)) {
        const cell& a = accumulators_[r];
        b_.set(a, start(r));
        b_.when(real_, [&] {
            b_.loop("c", tid_, chunks_, b_.constant(shape_.threads, dtype::u32), loops::as_compilers_like,
                    [&](value c) { b_.set(a, taken(a, b_.read(partial[r] + slot(c)))); });
        });
        meet_at(r);
    }
}

void row_builder::restart(std::size_t p) {
    for (const std::uint16_t r : reductions(p)) b_.set(accumulators_[r], start(r));
}

void row_builder::meet(std::size_t p) {
    for (const std::uint16_t r : reductions(p)) meet_at(r);
}

// The accumulators of a row's threads become the total, which all of them get.
void row_builder::meet_at(std::size_t r) {
    if (shape_.threads == 1) return;
    const cell& a = accumulators_[r];
    const auto column = [&] { return b_.retyped(column_.at(number(0)), loops::address_of_accumulators(r)); };
    if (!along_)
        b_.set(a, b_.accumulate(loops::code::column_total, {a, column()}, shape_.threads));
    else if (in_one_warp())
        b_.set(a, b_.accumulate(loops::code::group_total, {a}, shape_.threads));
    else
        b_.set(a, b_.accumulate(loops::code::block_total, {a}, shape_.threads / 32));
}

void row_builder::resident_pass(std::size_t p, value stop) {
    b_.when(own_start() < stop, [&] {
        numbers fresh, passing;
        for (const std::uint16_t k : work_.work[p].reads)
            (work_.held[k] == static_cast<int>(p) ? fresh : passing).push_back(k);
        if (!fresh.empty()) read_packs(fresh, {b_.let("first", linear(own_start())), stop, number(0), shape_.resident});
        const unsigned together = std::min(shape_.in_flight, shape_.resident);
        const auto some = [&](value s) {
            const value first = b_.let("first", linear(own_start() + s * stride()));
            step(p, passing, {first, stop, s, together});
        };
        loop("s", shape_.resident, some, together);
    });
}

void row_builder::walk(std::size_t p, value start, value end) {
    const unsigned together = shape_.in_flight;
    const value stop = b_.let("stop", end);
    b_.loop("first", linear(start), stop, std::int64_t{stride()} * together, loops::as_compilers_like, [&](value first) {
        step(p, work_.work[p].reads, {first, stop, number(0), together});
    });
}

void row_builder::step(std::size_t p, const numbers& reads, const run& here) {
    for (const std::uint16_t k : reads) loads_[k].each = zeros(k, here.packs * shape_.pack);
    if (!reads.empty()) read_packs(reads, here);
    loop("g", here.packs, [&](value g) {
        const value at = start_of_pack(here, g), full = b_.let("full", at + shape_.pack <= here.stop);
        for (const std::uint16_t r : reductions(p))
            elements_[r] = b_.declare(name("x", r), loops::accumulator_of(r), shape_.pack);
        const std::vector<array> results = is_last(p) ? declare_results(shape_.pack) : std::vector<array>();
        compute(p, here, g, at, results);
        if (!reductions(p).empty())
            take_pack(
                reductions(p), shape_.pack, at, full, here.stop, elements_,
                [&](std::uint16_t r) { return accumulators_[r]; },
                [&](std::uint16_t r, value after) { b_.set(accumulators_[r], after); });
        if (!results.empty()) store_pack(at, full, here.stop, results);
    });
}

void row_builder::compute(std::size_t p, const run& here, value g, value at, const std::vector<array>& results) {
    const int now = static_cast<int>(p);
    const auto lane_body = [&](value k) {
        const value passing = g * shape_.pack + k, resident = (here.before + g) * shape_.pack + k;
        std::vector<value> t(spec_.body.size());
        const leaf_value leaf = [&](const instruction& i) { return leaf_of(i, passing, resident); };
        const value exists = at + k < here.stop;
        for (const std::uint16_t i : work_.work[p].body)
            if (work_.kept[i] >= 0 && work_.kept[i] < now)
                t[i] = b_.let(name("t", i), kept_[i][resident]);
            else
                b_.compute(spec_.body, {i}, "t", t, leaf, exists);
        for (const std::uint16_t i : work_.work[p].body)
            if (work_.kept[i] == now) b_.put(kept_[i], resident, t[i]);
        for (const std::uint16_t r : reductions(p)) b_.put(elements_[r], k, lifted(r, t));
        keep(results, k, t);
    };
    const unsigned unroll = unroll_of(weight_of(spec_.body), shape_.pack);
    each_element(at, 1, lane_body, unroll >= shape_.pack ? loops::wholly : unroll);
}

value row_builder::leaf_of(const instruction& i, value passing, value resident) {
    if (i.code == op::row) return of_row_[i.a];
    if (i.code != op::load || !loads_[i.a].moves()) return once(i);
    return loads_[i.a].each[work_.held[i.a] >= 0 ? resident : passing];
}

void row_builder::read_packs(const numbers& loads, const run& here) {
    const std::int64_t length = (here.packs - 1) * stride() + shape_.pack;
    const auto read = [&](bool whole) {
        loop("g", here.packs, [&](value g) {
            const value at = start_of_pack(here, g);
            for (unsigned width = 16; width > 0; width /= 2) {
                numbers these;
                for (const std::uint16_t k : loads)
                    if (aligned(spec_.loads[k]) == width) these.push_back(k);
                if (these.empty()) continue;
                each_element(at, width, [&](value k) {
                    b_.when(whole ? b_.truth(true) : at + k < here.stop, [&] {
                        for (const std::uint16_t l : these) read_lane(l, g * shape_.pack + k, width);
                    });
                });
            }
        });
    };
    b_.when(
        b_.let("whole", here.first + length <= here.stop), [&] { read(true); }, [&] { read(false); });
}

void row_builder::read_lane(std::uint16_t k, value lane, unsigned width) {
    const array& to = loads_[k].each;
    const auto copy = [&](loops::cache policy) { b_.copy_in(to.at(lane), load_address(k), {width, width, 1, policy}); };
    if (read_once(k))
        copy(spec_.stores.empty() ? loops::cache::once : loops::cache::once_of_both);
    else if (width == 1)
        b_.put(to, lane, element(k));
    else
        copy(loops::cache::plain);
}

// No element of it is read by another row, nor again by this one.
bool row_builder::read_once(std::uint16_t k) const {
    const auto& dims = spec_.loads[k].dims;
    return !is_staged(spec_.loads[k]) && (shape_.resident > 0 || work_.work.size() == 1) &&
           std::all_of(dims.begin(), dims.end(), [](const access_dim& d) { return d != access_dim{} && !d.clamped; });
}

void row_builder::store_pack(value at, value full, value stop, const std::vector<array>& results) {
    for (unsigned width = 16; width > 0; width /= 2) {
        const auto of_width = [&](const store& to) { return aligned(to.to) == width; };
        if (std::none_of(spec_.stores.begin(), spec_.stores.end(), of_width)) continue;
        each_element(at, width, [&](value k) {
            b_.when(full || at + k < stop, [&] {
                for (std::size_t s = 0; s < spec_.stores.size(); ++s)
                    if (of_width(spec_.stores[s])) put(s, results[s], k, width);
            });
        });
    }
}

void row_builder::row_code(const numbers& list) {
    const auto leaf = [this](const instruction& i) {
        return i.code == op::total ? total(i.a, accumulators_[i.a]) : once(i);
    };
    b_.compute(spec_.row, list, "e", of_row_, leaf, real_);
}

// Row stores may overwrite what the row's other threads have read: they have, where threads have met since.
void row_builder::end() {
    if (spec_.row_stores.empty()) return;
    row_code(work_.passes.row_at_end);
    if (shape_.threads > 1 && (in_one_warp() || reductions(work_.work.size() - 1).empty())) b_.barrier(in_one_warp());
    b_.when(tid_ == 0 && real_, [&] { store_row(of_row_); });
}

extern const gpu_schedule rows_schedule{.name = "rows",
                                        .takes = [](const kernel_spec& s) { return is_of_rows(s.schedule); },
                                        .loops = build<row_builder>,
                                        .shape = shape_of_rows,
                                        .partials = partials_of_rows};

}  // namespace frit::v0::fusion::gpu
