// How the interpreter runs a program over blocks of the domain: where each access stands, gathers and scatters, and the
// steps between. Which blocks, in which order, is the business of interpreter.cpp (elements) and rows.cpp (rows).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "frit/shape.hpp"
#include "fusion/ir/word_map.hpp"
#include "src/base/thread_scratch.hpp"
#include "src/cpu/gather.hpp"
#include "src/cpu/program.hpp"

namespace frit::inline v0::detail {

inline constexpr std::int64_t long_row = 256;                     // lines at least this long are cut into blocks one by one
inline constexpr std::size_t slot_bytes = sizeof(std::uint64_t);  // room of any real value
inline constexpr std::size_t cell_bytes = 2 * slot_bytes;         // and of a complex one

struct interpreter_scratch;

// Hands out aligned pieces of a scratch block; beyond its end it only counts.
class bump_allocator {
public:
    bump_allocator(std::byte* base, std::size_t size) : base_(base), size_(size) {}
    template <class T>
    T* take(std::size_t count) {
        const std::size_t at = used_;
        used_ += (count * sizeof(T) + 63) / 64 * 64;
        return used_ <= size_ ? reinterpret_cast<T*>(base_ + at) : nullptr;
    }
    std::size_t used() const { return used_; }

private:
    std::byte* base_;
    std::size_t size_, used_ = 0;
};

/// Has place(bump_allocator&) take pieces of this thread's scratch memory: once, and a second time where there was too
/// little, which a warm launch does not meet. A piece that it is given null of was beyond the end, as were all behind it.
template <class Scratch, class Place>
void place_in(const Place& place) {
    bump_allocator there(thread_scratch<Scratch>::get(0), thread_scratch<Scratch>::size());
    place(there);
    if (there.used() <= thread_scratch<Scratch>::size()) return;
    bump_allocator grown(thread_scratch<Scratch>::get(there.used()), there.used());
    place(grown);
}

// A spec with its dimensions in the order in which they are walked (the last one is the innermost), and where its words are.
struct walk {
    walk(const fusion::kernel_spec&, const std::vector<std::uint8_t>& order);
    explicit walk(const fusion::kernel_spec&);  // in their own order
    /// Whether an access has the whole domain in order without gaps.
    bool lies_in_order(const fusion::access&, const std::vector<fusion::dim_words>&, const std::uint64_t* words) const;
    fusion::kernel_spec spec;
    fusion::word_map map;
    std::vector<std::uint32_t> extents;  // words
};

// A load or store in the current line of the innermost dimension.
struct line_access {
    std::byte* base;    // element 0 of the line
    std::byte* origin;  // element 0 of the domain
    line inner;
    const line* outer;  // the other dimensions
    std::int64_t size;
    bool dense;        // the whole domain lies in order without gaps
    bool far = false;  // a store that goes past the caches
};

line line_of(const fusion::access_dim&, const fusion::dim_words&, const std::uint64_t* words);
/// to[k * to_next + j] = coordinate at first + k * next_line + j * next (before clamping), for k < lines, j < n.
void write_coordinate(void* to, dtype, const fusion::coordinate&, const fusion::dim_words&, const std::uint64_t* words,
                      std::int64_t first, std::int64_t next_line, std::int64_t lines, std::int64_t to_next,
                      std::int64_t next, std::int64_t n);

/// Elements of a packed block, from number `offset` on: `count` of a line from `column` on; or, where size() is more, whole
/// lines: all over the dimensions behind dimension `along`, at `steps` indices of that one, each of which is `period`
/// elements.
struct line_piece {
    std::int64_t offset, line, column, count;
    std::int64_t steps = 1, period = count;
    std::size_t along = 0;
    std::int64_t size() const { return steps * period; }
};

// A program on one thread.
class block_runner {
public:
    block_runner(const walk&, const block_program&, block_mode, const std::uint64_t* words);
    /// Takes scratch memory; registers are the caller's, who may share them among runners.
    /// @param rows  that lie side by side at most
    void place(bump_allocator&, std::int64_t rows = 1);
    std::size_t register_bytes() const { return program_.registers * static_cast<std::size_t>(program_.register_bytes); }
    /// Before the first block. `reads_ahead`: lines come one after the other, a short piece of each.
    void start(std::byte* registers, bool reads_ahead);

    const block_program& code() const { return program_; }
    std::int64_t inner_extent() const { return extents_[inner_]; }
    void*& slot(std::uint16_t s) { return slots_[s]; }
    summands summands_of(const block_program::total& t) const { return {slots_[t.value], slots_[t.other], t.loops}; }
    std::byte* register_of(std::uint16_t s) const {
        return registers_ + program_.registers_of[s] * static_cast<std::size_t>(program_.register_bytes);
    }

    /// Before the first element of a row, of so many rows side by side (0: a block has elements of one row), or of rows that
    /// lie in a block one after the other, of so many elements each (0: a block is a part of one).
    void begin_rows(std::int64_t side_by_side, std::int64_t whole) {
        side_by_side_ = side_by_side, whole_ = whole;
        for (std::size_t k = 0; k < program_.running.size(); ++k)
            program_.running[k].begin(states_[k], std::max<std::int64_t>(side_by_side, 1));
        rows_begin_ = true;
    }

    /// rows: the block is elements [column, column + n) of a line.
    void run_line(std::int64_t line, std::int64_t column, std::int64_t n) {
        start_line(line);
        load_line(column, n);
        run_steps(program_.block, n);
        rows_begin_ = false;
    }
    void store_line(std::int64_t column, std::int64_t n);
    /// Behind the last block: other threads may read what was stored.
    void finish() const {
        if (streams_) program_.table.finish_streams();
    }

    /// packed: the block's n elements are pieces of lines; `pieces` calls what it is given with each. `at`: flat index of
    /// the block if it lies in order, else -1.
    template <class Pieces>
    void run_packed(std::int64_t at, std::int64_t n, const Pieces& pieces) {
        // Not before: of no elements there is no index to be checked, and where memory is only reserved nothing to read.
        if (std::exchange(once_is_due_, false)) run_once();
        if (prepare_packed(at))
            pieces([this](const line_piece& p) {
                start_line(p.line);
                load_piece(p);
            });
        run_steps(program_.block, n);
        rows_begin_ = false;
    }
    template <class Pieces>
    void store_packed(std::int64_t at, std::int64_t n, const Pieces& pieces) {
        if (store_dense(at, n))
            pieces([this, at](const line_piece& p) {
                start_line(p.line);
                store_piece(at, p);
            });
    }
    /// The pieces of a block that lies in order.
    template <class F>
    void each_piece(std::int64_t at, std::int64_t n, const F& f) const {
        const std::int64_t width = extents_[inner_];
        std::int64_t line = at / width, column = at - line * width;
        for (std::int64_t done = 0; done < n;) {
            line_piece p{done, line, column, std::min(n - done, width - column)};
            std::int64_t lines = 1;
            if (column == 0 && inner_ > 0 && n - done >= 2 * width) {
                p.along = inner_ - 1;
                for (std::int64_t more; p.along > 0; lines = more, --p.along) {
                    more = lines * extents_[p.along];
                    if (line % more != 0 || n - done < 2 * more * width) break;
                }
                p.period = lines * width;
                p.steps = std::min((n - done) / p.period, extents_[p.along] - line / lines % extents_[p.along]);
            }
            f(p);
            done += p.size();
            line += p.steps * lines;
            column = 0;
        }
    }
    /// The scalars are computed anew at the next line, though it be the same.
    void forget_line() { line_ = -1; }

private:
    void run_steps(const std::vector<block_program::step>& steps, std::int64_t n) {
        for (const block_program::step& s : steps) {
            if (s.what == block_program::kind::running)
                run_along(s, n);
            else if (s.what == block_program::kind::iterate)
                run_loop(program_.iterates[s.d], n);
            else if (s.what == block_program::kind::recurrence)
                run_recurrence(s.d, n);
            else
                s.run(slots_[s.d], slots_[s.a], slots_[s.b], slots_[s.c], n);
        }
    }
    void run_along(const block_program::step& s, std::int64_t n) {
        const running_loops& running = program_.running[s.c];
        auto *d = static_cast<std::byte*>(slots_[s.d]), *const states = states_[s.c];
        const auto* a = static_cast<const std::byte*>(slots_[s.a]);
        if (side_by_side_ > 0) return running.across(d, a, states, side_by_side_, n);
        if (whole_ == 0) return run_chain(running, d, a, states, n);
        const std::int64_t row = whole_ * static_cast<std::int64_t>(running.size);
        for (std::int64_t k = 0; k < n; k += whole_, d += row, a += row) {
            running.begin(states, 1);
            running.chain(d, a, states, whole_);
        }
    }
    void place_running(bump_allocator&, std::int64_t rows);
    void place_loops(bump_allocator&, std::int64_t rows);
    void run_chain(const running_loops&, std::byte* d, const std::byte* a, std::byte* state, std::int64_t n);
    void run_loop(const block_program::iterate&, std::int64_t n);
    void run_recurrence(std::size_t number, std::int64_t n);
    void point_to_operands(const block_program::iterate&);
    void run_once();
    bool is_far(const line_access& store) const;
    line_access access_of(const fusion::access&, const std::vector<fusion::dim_words>&, line* outer) const;
    void move_to_line(line_access&, bool next) const;
    bool find_line(std::int64_t line);
    void start_line(std::int64_t line) {
        if (line != line_) move_to(line);
    }
    void move_to(std::int64_t line);
    template <class F>
    void each_line(const line_piece&, const F&);
    void fill_coordinate(void* to, const block_program::fill&, std::int64_t column, std::int64_t n,
                         const line_piece* = nullptr) const;
    void load_line(std::int64_t column, std::int64_t n);
    void prefetch(const void* here, const line_access&, std::int64_t n) const;
    bool prepare_packed(std::int64_t at);
    void load_piece(const line_piece&);
    bool store_dense(std::int64_t at, std::int64_t n);
    void store_piece(std::int64_t at, const line_piece&);
    bool is_dense(const line_access& a, std::int64_t at) const { return a.dense && at >= 0; }

    const walk& walk_;
    const block_program& program_;
    const block_mode mode_;
    const std::uint64_t* const words_;
    const std::size_t inner_;  // the innermost dimension
    std::int64_t extents_[max_rank];
    std::int64_t index_[max_rank] = {};
    std::int64_t line_ = -1;
    bool reads_ahead_ = false, streams_ = false, once_is_due_ = false;
    void** slots_ = nullptr;
    std::byte** states_ = nullptr;  // [running]
    const void** loop_operands_ = nullptr;
    void** loop_states_ = nullptr;
    std::byte* loop_scratch_ = nullptr;
    std::byte** before_ = nullptr;  // states of recurrences, of all rows side by side
    bool rows_begin_ = false;       // no element of them has been met
    std::int64_t side_by_side_ = 0, whole_ = 0;
    std::byte *cells_ = nullptr, *coefficients_ = nullptr, *registers_ = nullptr;
    line_access *loads_ = nullptr, *stores_ = nullptr;
    line* lines_ = nullptr;         // outer dimensions of all accesses
    std::byte** pieces_ = nullptr;  // [block load]: where its pieces go
};

}  // namespace frit::v0::detail
