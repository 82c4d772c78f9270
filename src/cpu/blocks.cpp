// A block's loads, steps and stores. A line that moves on by one costs a few additions; any other is found by division.
#include "src/cpu/blocks.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "fusion/machine/cost_model.hpp"
#include "src/cpu/with_type.hpp"

namespace frit::inline v0::detail {

using fusion::dim_words;
using fusion::stride_class;

namespace {

std::vector<std::uint8_t> own_order(const fusion::kernel_spec& spec) {
    std::vector<std::uint8_t> order(spec.rank);
    std::iota(order.begin(), order.end(), std::uint8_t{0});
    return order;
}

template <class T>
void permute(std::vector<T>& dims, const std::vector<std::uint8_t>& order) {
    std::vector<T> old = dims;
    for (std::size_t d = 0; d < dims.size(); ++d) dims[d] = old[order[d]];
}

// Where the elements [column, column + n) of the line lie in order, or null.
std::byte* in_place(const line_access& r, std::int64_t column, std::int64_t n) {
    if ((r.inner.clamped ? r.inner.step * r.inner.stride : r.inner.stride) != 1) return nullptr;
    const index_range in = unclamped(r.inner, column, column + n);
    return in.last - in.first == n ? r.base + r.inner.offset(column) * r.size : nullptr;
}

}  // namespace

// The same elements of the next line, which may lie in a memory page that the hardware has not begun to fetch.
void block_runner::prefetch(const void* here, const line_access& r, std::int64_t n) const {
    const line& next = r.outer[inner_ - 1];
    if (next.clamped || next.stride == 0) return;
    const auto* const from = static_cast<const std::byte*>(here) + next.stride * r.size;
    for (std::int64_t byte = 0; byte < n * r.size; byte += 64) __builtin_prefetch(from + byte);
}

walk::walk(const fusion::kernel_spec& s) : walk(s, own_order(s)) {}

walk::walk(const fusion::kernel_spec& s, const std::vector<std::uint8_t>& order) : spec(s), map(s) {
    for (std::uint8_t d : order) extents.push_back(map.layout.extents + d);
    for (auto& a : spec.loads) permute(a.dims, order);
    for (auto& a : spec.stores) permute(a.to.dims, order);
    for (auto& dims : map.loads) permute(dims, order);
    for (auto& dims : map.stores) permute(dims, order);
    for (auto& c : spec.coords)
        c.dim = static_cast<std::uint8_t>(std::find(order.begin(), order.end(), c.dim) - order.begin());
}

bool walk::lies_in_order(const fusion::access& a, const std::vector<dim_words>& at, const std::uint64_t* words) const {
    std::int64_t expected = 1;
    for (std::size_t d = extents.size(); d-- > 0;) {
        const line l = line_of(a.dims[d], at[d], words);
        const auto extent = static_cast<std::int64_t>(words[extents[d]]);
        if (l.clamped || (l.stride != expected && extent != 1)) return false;
        expected *= extent;
    }
    return true;
}

line line_of(const fusion::access_dim& d, const dim_words& w, const std::uint64_t* words) {
    line l;
    const auto value = [words](std::uint32_t at) { return static_cast<std::int64_t>(words[at]); };
    l.stride = d.stride == stride_class::zero ? 0 : d.stride == stride_class::one ? 1 : value(w.stride);
    l.clamped = d.clamped;
    if (d.clamped) l.step = value(w.step), l.shift = value(w.shift), l.lo = value(w.lo), l.hi = value(w.hi);
    return l;
}

void write_coordinate(void* to, dtype type, const fusion::coordinate& c, const dim_words& w, const std::uint64_t* words,
                      std::int64_t first, std::int64_t next_line, std::int64_t lines, std::int64_t to_next,
                      std::int64_t next, std::int64_t n) {
    with_type(type, [&]<class T>() {
        T* values = static_cast<T*>(to);
        const std::int64_t lo = c.clamped ? static_cast<std::int64_t>(words[w.lo]) : 0,
                           hi = c.clamped ? static_cast<std::int64_t>(words[w.hi]) : 0;
        for (std::int64_t k = 0; k < lines; ++k, first += next_line, values += to_next) {
            if (!c.clamped)
                for (std::int64_t j = 0; j < n; ++j) values[j] = static_cast<T>(first + j * next);
            else
                for (std::int64_t j = 0; j < n; ++j) values[j] = static_cast<T>(std::clamp(first + j * next, lo, hi));
        }
    });
}

block_runner::block_runner(const walk& w, const block_program& p, block_mode mode, const std::uint64_t* words)
    : walk_(w), program_(p), mode_(mode), words_(words), inner_(w.spec.rank - 1U) {
    for (std::size_t d = 0; d <= inner_; ++d) extents_[d] = static_cast<std::int64_t>(words[w.extents[d]]);
}

void block_runner::place(bump_allocator& c, std::int64_t rows) {
    slots_ = c.take<void*>(program_.slots);
    cells_ = c.take<std::byte>(program_.slots * cell_bytes);
    coefficients_ = c.take<std::byte>(program_.polynomials.size() * horner_terms * slot_bytes);
    loads_ = c.take<line_access>(walk_.spec.loads.size());
    stores_ = c.take<line_access>(walk_.spec.stores.size());
    lines_ = c.take<line>((walk_.spec.loads.size() + walk_.spec.stores.size()) * inner_);
    pieces_ = c.take<std::byte*>(program_.block_loads.size());
    if (!program_.running.empty()) place_running(c, rows);
    if (!program_.iterates.empty()) place_loops(c, rows);
}

void block_runner::place_running(bump_allocator& c, std::int64_t rows) {
    states_ = c.take<std::byte*>(program_.running.size());
    for (std::size_t k = 0; k < program_.running.size(); ++k) {
        std::byte* const memory = c.take<std::byte>(2 * static_cast<std::size_t>(rows) * program_.running[k].size);
        if (states_) states_[k] = memory;
    }
}

void block_runner::place_loops(bump_allocator& c, std::int64_t rows) {
    std::size_t operands = 0, states = 0, bytes = 0, kept = 0;
    for (const block_program::iterate& i : program_.iterates) {
        operands = std::max(operands, i.operands.size());
        states = std::max(states, i.states.size());
        bytes = std::max(bytes, i.run.scratch_bytes());
        kept += i.states.size();
    }
    loop_operands_ = c.take<const void*>(operands);
    loop_states_ = c.take<void*>(states);
    loop_scratch_ = c.take<std::byte>(bytes);
    before_ = c.take<std::byte*>(kept);
    kept = 0;
    for (const block_program::iterate& i : program_.iterates)
        for (std::size_t s = 0; s < i.states.size(); ++s, ++kept) {
            std::byte* const memory = c.take<std::byte>(static_cast<std::size_t>(rows) * i.run.size_of_state(s));
            if (before_) before_[kept] = memory;
        }
}

// While a chain waits for itself, memory would have nothing to do: it brings what the next block reads in place.
void block_runner::run_chain(const running_loops& running, std::byte* d, const std::byte* a, std::byte* state,
                             std::int64_t n) {
    constexpr std::int64_t piece = 64, long_line = 1 << 18;  // of a shorter one caches hold what is next
    if (inner_extent() < long_line) return running.chain(d, a, state, n);
    const auto size = static_cast<std::int64_t>(running.size);
    for (std::int64_t k = 0; k < n; k += piece) {
        running.chain(d + k * size, a + k * size, state, std::min(piece, n - k));
        for (const block_program::fill& f : program_.block_loads) {
            if (program_.registers_of[f.slot] != block_program::no_register) continue;
            const auto width = static_cast<std::int64_t>(size_of(walk_.spec.loads[f.index].type));
            const auto* next = static_cast<const std::byte*>(slots_[f.slot]) + (n + k) * width;
            for (std::int64_t byte = 0; byte < piece * width; byte += 64) __builtin_prefetch(next + byte);
        }
    }
}

void block_runner::point_to_operands(const block_program::iterate& i) {
    for (std::size_t k = 0; k < i.operands.size(); ++k) loop_operands_[k] = slots_[i.operands[k]];
    for (std::size_t k = 0; k < i.states.size(); ++k)
        loop_states_[k] = i.states[k] == block_program::no_register ? nullptr : slots_[i.states[k]];
}
void block_runner::run_loop(const block_program::iterate& i, std::int64_t n) {
    point_to_operands(i);
    i.run.run(loop_operands_, loop_states_, n, loop_scratch_, words_);
}
// Its states before the first element are its first operands, which are the same all along a row.
void block_runner::run_recurrence(std::size_t number, std::int64_t n) {
    const block_program::iterate& i = program_.iterates[number];
    std::byte** before = before_;
    for (std::size_t k = 0; k < number; ++k) before += program_.iterates[k].states.size();
    point_to_operands(i);
    for (std::size_t s = 0; rows_begin_ && s < i.states.size(); ++s)
        std::memcpy(before[s], loop_operands_[s], static_cast<std::size_t>(side_by_side_) * i.run.size_of_state(s));
    i.run.run_along(loop_operands_, before, loop_states_, side_by_side_, n / side_by_side_, loop_scratch_, words_);
}

void block_runner::start(std::byte* registers, bool reads_ahead) {
    registers_ = registers;
    reads_ahead_ = reads_ahead && inner_ > 0;
    const fusion::kernel_spec& spec = walk_.spec;
    for (std::uint16_t s = 0; s < program_.slots; ++s)
        slots_[s] = program_.registers_of[s] == block_program::no_register ? cells_ + s * cell_bytes : register_of(s);
    for (std::uint16_t s = 0; s < spec.body.size(); ++s)  // the loops only read through it
        if (spec.body[s].code == op::scalar)
            slots_[s] = const_cast<std::uint64_t*>(words_ + walk_.map.scalars[spec.body[s].a]);
    for (const block_program::fill& f : program_.addresses) slots_[f.slot] = const_cast<std::uint64_t*>(words_ + f.index);
    for (std::size_t a = 0; a < spec.loads.size(); ++a)
        loads_[a] = access_of(spec.loads[a], walk_.map.loads[a], lines_ + a * inner_);
    for (std::size_t a = 0; a < spec.stores.size(); ++a) {
        stores_[a] = access_of(spec.stores[a].to, walk_.map.stores[a], lines_ + (spec.loads.size() + a) * inner_);
        stores_[a].far = is_far(stores_[a]);
        streams_ |= stores_[a].far;
    }
    once_is_due_ = mode_ == block_mode::packed;
}

// What is computed of scalars alone.
void block_runner::run_once() {
    run_steps(program_.once, 1);
    std::byte* to = coefficients_;
    for (const block_program::polynomial& p : program_.polynomials) {
        const std::size_t size = size_of(walk_.spec.body[p.value].type);
        slots_[p.slot] = to;
        for (std::size_t k = 0; k < p.coefficients.size(); ++k) std::memcpy(to + k * size, slots_[p.coefficients[k]], size);
        to += horner_terms * slot_bytes;
    }
}

line_access block_runner::access_of(const fusion::access& a, const std::vector<dim_words>& w, line* outer) const {
    std::byte* const origin = reinterpret_cast<std::byte*>(words_[walk_.map.layout.pointers + a.pointer]);
    line_access r{
        origin, origin, line_of(a.dims[inner_], w[inner_], words_), outer, static_cast<std::int64_t>(size_of(a.type)), true};
    for (std::size_t d = 0; d < inner_; ++d) outer[d] = line_of(a.dims[d], w[d], words_);
    std::int64_t expected = 1;
    for (std::size_t d = inner_ + 1; d-- > 0;) {
        const line& l = d == inner_ ? r.inner : outer[d];
        if (l.clamped || (l.stride != expected && extents_[d] != 1)) r.dense = false;
        expected *= extents_[d];
    }
    return r;
}

// To the line that index_ names, from the one before along the last outer dimension if `next`.
void block_runner::move_to_line(line_access& r, bool next) const {
    if (const line& last = r.outer[inner_ - 1]; next && !last.clamped) {
        r.base += last.stride * r.size;
        return;
    }
    std::int64_t offset = 0;
    for (std::size_t d = 0; d < inner_; ++d) offset += r.outer[d].offset(index_[d]);
    r.base = r.origin + offset * r.size;
}

// Results that no cache will hold, of long lines, and that are not overwritten operands: a normal store would read what it
// replaces.
bool block_runner::is_far(const line_access& r) const {
    std::int64_t n = 1;
    for (std::size_t d = 0; d <= inner_; ++d) n *= extents_[d];
    const auto is_operand = [&](const line_access& load) { return load.origin == r.origin; };
    return program_.table.finish_streams && r.inner.stride == 1 && fusion::are_far(n * r.size, extents_[inner_] * r.size) &&
           std::none_of(loads_, loads_ + walk_.spec.loads.size(), is_operand);
}

// The indices of the outer dimensions: one step on from the line before, or from the line's number. @returns whether the
// last of them alone has moved, by one
bool block_runner::find_line(std::int64_t line) {
    if (line_ >= 0 && line == line_ + 1) {
        for (std::size_t d = inner_; d-- > 0;) {
            if (++index_[d] < extents_[d]) return d + 1 == inner_;
            index_[d] = 0;
        }
    } else {
        for (std::size_t d = inner_; d-- > 0; line /= extents_[d]) index_[d] = line % extents_[d];
    }
    return false;
}

void block_runner::move_to(std::int64_t line) {
    const bool next = find_line(line);
    line_ = line;
    if (inner_ > 0) {
        for (std::size_t a = 0; a < walk_.spec.loads.size(); ++a) move_to_line(loads_[a], next);
        for (std::size_t a = 0; a < walk_.spec.stores.size(); ++a) move_to_line(stores_[a], next);
    }
    if (mode_ == block_mode::packed) return;
    for (const block_program::fill& f : program_.row_loads) slots_[f.slot] = loads_[f.index].base;
    for (const block_program::fill& f : program_.row_coords) fill_coordinate(slots_[f.slot], f, 0, 1);
    run_once();
}

// Of the current line; with a piece, of the same line at each of its steps.
void block_runner::fill_coordinate(void* to, const block_program::fill& f, std::int64_t column, std::int64_t n,
                                   const line_piece* p) const {
    const fusion::coordinate& c = walk_.spec.coords[f.index];
    const dim_words& w = walk_.map.coords[f.index];
    const std::int64_t step = static_cast<std::int64_t>(words_[w.step]), shift = static_cast<std::int64_t>(words_[w.shift]);
    const bool moves = c.dim == inner_;
    write_coordinate(to, walk_.spec.body[f.slot].type, c, w, words_, step * (moves ? column : index_[c.dim]) + shift,
                     p && !moves && c.dim == p->along ? step : 0, p ? p->steps : 1, p ? p->period : n, moves ? step : 0, n);
}

// Calls f(offset in the piece) with index_ at each line of the piece's first step.
template <class F>
void block_runner::each_line(const line_piece& p, const F& f) {
    f(std::int64_t{0});
    if (p.period == p.count) return;
    for (std::int64_t done = p.count; done < p.period; done += p.count) {
        for (std::size_t d = inner_ - 1; ++index_[d] == extents_[d]; --d) index_[d] = 0;
        f(done);
    }
    std::fill(index_ + p.along + 1, index_ + inner_, 0);
}

void block_runner::load_line(std::int64_t column, std::int64_t n) {
    for (const block_program::fill& f : program_.block_loads) {
        const line_access& r = loads_[f.index];
        slots_[f.slot] = in_place(r, column, n);
        if (!slots_[f.slot])
            gather(slots_[f.slot] = register_of(f.slot), r.base, static_cast<std::size_t>(r.size), r.inner, column, n);
        else if (reads_ahead_)
            prefetch(slots_[f.slot], r, n);
    }
    for (const block_program::fill& f : program_.block_coords) fill_coordinate(slots_[f.slot], f, column, n);
    for (const block_program::output& o : program_.outputs)
        if (const line_access& r = stores_[o.store]; o.direct)
            slots_[o.value] =
                r.far ? registers_ + o.spare * static_cast<std::size_t>(program_.register_bytes) : r.base + column * r.size;
}

void block_runner::store_line(std::int64_t column, std::int64_t n) {
    for (const block_program::output& o : program_.outputs) {
        const line_access& r = stores_[o.store];
        if (o.direct && !r.far) continue;
        if (r.inner.stride == 1)
            (r.far ? o.stream : o.copy)(r.base + column * r.size, slots_[o.value], nullptr, nullptr, n);
        else
            scatter(r.base, slots_[o.value], static_cast<std::size_t>(r.size), r.inner.stride, column, n);
    }
}

// Whether anything comes in pieces. A load that a row buffer keeps stands there already.
bool block_runner::prepare_packed(std::int64_t at) {
    bool in_pieces = !program_.block_coords.empty();
    for (std::size_t k = 0; k < program_.block_loads.size(); ++k) {
        const block_program::fill& f = program_.block_loads[k];
        const line_access& r = loads_[f.index];
        const bool kept = program_.registers_of[f.slot] == block_program::no_register;
        if (is_dense(r, at) && !kept) {
            slots_[f.slot] = r.origin + at * r.size;
            pieces_[k] = nullptr;
            continue;
        }
        pieces_[k] = static_cast<std::byte*>(kept ? slots_[f.slot] : slots_[f.slot] = register_of(f.slot));
        in_pieces = true;
    }
    return in_pieces;
}

void block_runner::load_piece(const line_piece& p) {
    for (std::size_t k = 0; k < program_.block_loads.size(); ++k) {
        const block_program::fill& f = program_.block_loads[k];
        line_access& r = loads_[f.index];
        if (slots_[f.slot] != pieces_[k]) continue;
        std::byte* const to = pieces_[k] + p.offset * r.size;
        const auto size = static_cast<std::size_t>(r.size);
        if (p.size() == p.count) {
            gather(to, r.base, size, r.inner, p.column, p.count);
            continue;
        }
        std::byte* const first = r.base;
        const line& along = r.outer[p.along];
        each_line(p, [&](std::int64_t done) {
            if (done > 0) move_to_line(r, false);
            if (!along.clamped && !r.inner.clamped)
                return copy_lines(to + done * r.size, p.period, 1, r.base, along.stride, r.inner.stride, size, p.steps,
                                  p.count);
            const std::int64_t here = along.offset(index_[p.along]);
            for (std::int64_t n = 0; n < p.steps; ++n)
                gather(to + (n * p.period + done) * r.size, r.base + (along.offset(index_[p.along] + n) - here) * r.size,
                       size, r.inner, 0, p.count);
        });
        r.base = first;
    }
    for (const block_program::fill& f : program_.block_coords) {
        const auto size = static_cast<std::int64_t>(size_of(walk_.spec.body[f.slot].type));
        std::byte* const to = register_of(f.slot) + p.offset * size;
        if (p.size() == p.count)
            fill_coordinate(to, f, p.column, p.count);
        else
            each_line(p, [&](std::int64_t done) { fill_coordinate(to + done * size, f, 0, p.count, &p); });
    }
}

// Whether anything is left to store in pieces.
bool block_runner::store_dense(std::int64_t at, std::int64_t n) {
    bool in_pieces = false;
    for (const block_program::output& o : program_.outputs) {
        const line_access& r = stores_[o.store];
        if (is_dense(r, at)) (r.far ? o.stream : o.copy)(r.origin + at * r.size, slots_[o.value], nullptr, nullptr, n);
        in_pieces |= !is_dense(r, at);
    }
    return in_pieces;
}

void block_runner::store_piece(std::int64_t at, const line_piece& p) {
    for (const block_program::output& o : program_.outputs) {
        line_access& r = stores_[o.store];
        if (is_dense(r, at)) continue;
        const std::byte* const from = static_cast<std::byte*>(slots_[o.value]) + p.offset * r.size;
        const auto size = static_cast<std::size_t>(r.size);
        if (p.size() == p.count) {
            scatter(r.base, from, size, r.inner.stride, p.column, p.count);
            continue;
        }
        std::byte* const first = r.base;
        each_line(p, [&](std::int64_t done) {
            if (done > 0) move_to_line(r, false);
            copy_lines(r.base, r.outer[p.along].stride, r.inner.stride, from + done * r.size, p.period, 1, size, p.steps,
                       p.count);
        });
        r.base = first;
    }
}

}  // namespace frit::v0::detail
