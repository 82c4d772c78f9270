// Rows with recurrences on a GPU, a thread each from the row's first element on, neighbours the neighbouring rows. What a
// thread waits for is memory, and with a few thousand rows there are too few threads to hide that: so each has many elements
// on their way, and asks for another as soon as it has used one.
#include "fusion/schedules/gpu/recurrences.hpp"

#include <algorithm>
#include <bit>

#include "fusion/machine/cuda_row_shape.hpp"

namespace frit::inline v0::fusion::gpu {

unsigned recurrence_builder::weight_of_element(const kernel_spec& s) {
    unsigned weight = weight_of(s.body);
    for (const loop_spec& l : s.loops) weight += weight_of(l.code);
    return weight;
}

void recurrence_builder::start_row() {
    const value row = b_.let("row", block() * block_rows_ + thread_x());
    real_ = b_.let("real", row < extents(0, kept_dims_));
    n_ = b_.let("n", extents(kept_dims_, spec_.rank));
    decode(0, kept_dims_, row);
    i_[kept_dims_] = b_.constant(0, offset_);
    read_unmoving(real_ && n_ > 0);
    begin();
}
// The states before are the same all along a row.
void recurrence_builder::begin() {
    row_code(passes_.passes[0].row);
    for (const instruction& i : spec_.body) {
        if (i.code != op::scan_along) continue;
        std::vector<array> states;
        for (const std::uint16_t k : states_before(i, spec_)) {
            std::vector<value> t(spec_.body.size());
            b_.compute(
                spec_.body, made_of(k, spec_.body), "b", t, [&](const instruction& x) { return once(x); }, real_);
            states.push_back(b_.declare(name("q", k), loops::number_of(spec_.body[k].type), 1));
            b_.put(states.back(), 0, t[k]);
        }
        b_.set_states(i, std::move(states));
    }
    b_.set_row(number(0));
    for (std::size_t r = 0; r < spec_.reductions.size(); ++r) totals_.push_back(b_.declare(name("a", r), start(r)));
}
std::vector<value> recurrence_builder::element(const leaf_value& leaf) {
    std::vector<value> t;
    b_.compute(spec_.body, all(spec_.body), "t", t, leaf, b_.truth(true));
    for (std::size_t r = 0; r < totals_.size(); ++r) b_.set(totals_[r], taken(totals_[r], lifted(r, t)));
    return t;
}
void recurrence_builder::finish_row() {
    if (spec_.row_stores.empty()) return;
    row_code(passes_.row_at_end);
    b_.when(real_, [&] { store_row(of_row_); });
}
void recurrence_builder::row_code(const numbers& list) {
    const auto leaf = [&](const instruction& i) { return i.code == op::total ? total(i.a, totals_[i.a]) : once(i); };
    b_.compute(spec_.row, list, "e", of_row_, leaf, real_);
}

launch_shape recurrence_builder::shape(const kernel_spec& s, const std::uint64_t* extents, unsigned rows_of_block) {
    const int kept = s.rank - s.reduced;
    const std::uint64_t rows = product(extents, 0, kept);
    const bool stores = !s.row_stores.empty() || product(extents, kept, s.rank) > 0;
    if (rows == 0 || !stores) return {.grid = {0, 1, 1}};
    launch_shape l;
    l.block[0] = rows_of_block;
    set_blocks(l, divide_up(rows, rows_of_block));
    return l;
}

namespace {

class recurrences : recurrence_builder {
public:
    static launch_shape shape(const kernel_spec& s, const std::uint64_t* extents, const target&) {
        return recurrence_builder::shape(s, extents, threads);
    }

    recurrences(const kernel_spec& s, const std::string& name) : recurrence_builder(s, name, threads), ahead_(ahead_of(s)) {}

    loops::kernel build() {
        start_row();
        for (std::size_t k = 0; k < loads_.size(); ++k)
            if (moving(k)) loads_[k].each = zeros(k, ahead_);
        const value none = b_.constant(0, linear_), whole = b_.let("whole", b_.choice(real_, n_ - n_ % ahead_, none));
        b_.when(whole > 0, [&] { loop("k", ahead_, [&](value k) { read_into(k, k); }); });
        b_.loop("first", none, whole, ahead_, loops::as_compilers_like, [&](value first) {
            const value then = b_.let("then", first + ahead_), more = b_.let("more", then < whole);
            loop("k", ahead_, [&](value k) {
                walk(first + k, k);
                b_.when(more, [&] { read_into(k, then + k); });
            });
        });
        b_.loop("at", whole, b_.choice(real_, n_, none), 1, loops::as_compilers_like, [&](value at) {
            read_into(number(0), at);
            walk(at, number(0));
        });
        finish_row();
        return take(threads, 1);
    }

private:
    /// Few, so that a few thousand rows are on all processors. To compilers it is said that one block is enough: else they
    /// keep registers back for more, and read later. Measured on an H200 for 65,536 rows, of a copy: 0.82 so, 0.90 since.
    static constexpr unsigned threads = 64;

    /// Elements on their way: a kilobyte of them, less where there are many rows, and the code stays short. On an H200 two
    /// sweeps over a million rows of 128 had 0.82 of a copy's bandwidth with a kilobyte and 0.91 with 256 bytes, and one
    /// over 65,536 rows of 1,024 elements 0.92 and 0.89.
    static unsigned ahead_of(const kernel_spec& s) {
        const std::size_t bytes_in_flight = s.row_class == many_recurrences ? 256 : 1024;
        constexpr unsigned longest = 2048, most = 128;  // in operations; a register each
        std::size_t bytes = 1;
        for (const access& a : s.loads)
            if (moves_in(a, s.rank - s.reduced, s.rank)) bytes += size_of(a.type);
        const unsigned wanted = std::min(static_cast<unsigned>(bytes_in_flight / bytes), longest / weight_of_element(s));
        return std::clamp(std::bit_floor(std::max(wanted, 1U)), 1U, most);
    }
    /// Whether neighbouring rows, all of which differ, have neighbouring elements.
    bool are_neighbours_in_rows(const access& a) const {
        for (unsigned d = 0; d < kept_dims_; ++d)
            if (!moves_in(a, d, d + 1) || a.dims[d].clamped) return false;
        return kept_dims_ > 0 && a.dims[kept_dims_ - 1].stride == stride_class::one;
    }
    void read_into(value lane, value at) {
        move_to(at);
        for (std::size_t l = 0; l < loads_.size(); ++l)
            if (moving(l) && are_neighbours_in_rows(spec_.loads[l]))
                read_piece(loads_[l].each, lane, load_address(l));
            else if (moving(l))
                b_.put(loads_[l].each, lane, read(l));
    }
    void walk(value at, value lane) {
        move_to(at);
        const std::vector<value> t = element([&](const instruction& i) -> value {
            return i.code == op::load && moving(i.a) ? loads_[i.a].each[lane] : once(i);
        });
        store_element(t);
    }

    const unsigned ahead_;
};

}  // namespace

extern const gpu_schedule recurrences_schedule{
    .name = "recurrences", .takes = has_recurrences, .loops = gpu::build<recurrences>, .shape = recurrences::shape};

}  // namespace frit::v0::fusion::gpu
