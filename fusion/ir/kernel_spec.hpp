// What one kernel does, as plain data: the planner's result, the interpreter's program, the generator's input. It holds
// structure only; extents, strides, scalars and pointers are run-time words (`word_layout` says where each one stands).
// Its canonical bytes (`key`) are the kernel's identity in every cache.
//
// Domain. A kernel runs over `rank` collapsed dimensions (outermost first, rank >= 1; rank 1 is "flat"). An element's
// flat index counts the domain in row-major order. The last `reduced` dimensions are the ones reduced over; elements that
// differ in them alone make one "row", and rows are numbered by the flat index of the dimensions before (reduce_all: one).
//   pointwise:   for every domain element, evaluate `body`, store `stores`, add to `tallies`.
//   reduce_...:  the same, and every `reductions[k]` combines one body value over each row. `row` is the code that is
//                evaluated once per row, on totals, scalars and accesses that do not move in a row; `row_stores` are its
//                results. A body may use row values (op::row), so a row may take several passes: which ones, and what each
//                evaluates, follows from the code (fusion/ir/row_passes.hpp). Softmax has three.
// All element stores and column sums happen in the last pass. Row values are read from memory before the first pass, and row
// stores are written when all of the row has been read: an output may be the memory of an input that is read at its own
// index only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "frit/dtype.hpp"
#include "frit/opcode.hpp"

namespace frit::inline v0::fusion {

/// reduce_inner: neighbouring elements of a row are computed together (lanes, threads of a block run along the row);
/// reduce_outer: neighbouring rows are (lanes run across rows, the loop along them): sums of columns. reduce_tile: the same
/// where every moving operand is invariant in the row or from row to row, so that a tile of each is used many times.
/// reduce_inner in several passes is what the field calls a normalisation.
enum class schedule_kind : std::uint8_t { pointwise, reduce_all, reduce_inner, reduce_outer, reduce_tile };

/// What is known of a stride at compile time: 0 (the same element), 1 (the next one), or a run-time word.
enum class stride_class : std::uint8_t { zero, one, runtime };

/// How one domain dimension moves an access.
struct access_dim {
    stride_class stride = stride_class::zero;
    /// The index is clamp(step * i + shift, lo, hi) instead of i, all four run-time words (edge padding). Then `stride`
    /// is runtime even if its value is 1.
    bool clamped = false;
    std::int8_t shift = 0;  ///< see access::window
    friend bool operator==(const access_dim&, const access_dim&) = default;
};

/// Addressing of one load or store: element address = pointer + sum over dims of stride * index, in elements.
/// The pointer word already includes the constant offset (negative strides start at the last element).
struct access {
    dtype type = dtype::f32;
    std::uint16_t pointer = 0;     ///< which pointer word; several loads may share one
    std::vector<access_dim> dims;  ///< size rank, outermost first
    /// Flat kernels: pointer is aligned to this many elements (1, 2, 4, 8, 16). Kernels with patches: so is every row of a
    /// patch, where no clamp is reached.
    std::uint8_t alignment = 1;
    /// Loads of kernels with patches; 0: none. Else one more than the number of a load, possibly this one: neighbouring
    /// columns are neighbours in memory, and where no clamp is reached, this load reads at an index i what that one would
    /// at i + shift. Only the last two dimensions have shifts. Clamped loads of flat kernels: one more than their own number
    /// where neighbours are neighbours in memory as far as no clamp is reached; vector_width holds there.
    std::uint16_t window = 0;
    friend bool operator==(const access&, const access&) = default;
};

/// An index of the domain as a value: clamp(step * i[dim] + shift, lo, hi), all words run-time; the clamp only where set.
struct coordinate {
    std::uint8_t dim = 0;
    bool clamped = false;
    /// Kernels with patches: where no clamp is reached, the value is that of coords[like - 1]; 0: nothing is known.
    std::uint16_t like = 0;
    /// GPU, flat kernels with random words, of which neighbours share a block: the value is the index itself.
    bool plain = false;
    friend bool operator==(const coordinate&, const coordinate&) = default;
};

/// One SSA instruction; its index in the list is its name. Operands are indices of earlier instructions.
///   load: a = index in `loads`;  scalar: a = index in `scalars`;  coord: a = index in `coords`;
///   row: a = index in `row` (body only);  total: a = index in `reductions` (row code only);
///   cast: a = operand;  elementwise ops: a, b, c = operands.
///   index: a = an int64, b = the extent that it is an index into. What is in [-extent, extent), negative ones
///   from the end; else 0, and the launch's fault record says so.
///   gather: the element number a (an int64) behind the pointer word b.
///   searches: of the value a in the first b elements (an int64) behind the pointer word c, which are of its dtype.
///   running values (body only): of a, over the elements of the row from the first on, one after the other in their order.
///   feed: the value a, an operand of a loop; b = the feed before; the first has its operand twice. In this order: how many
///   rounds at most (an int32), then the loop's inputs. iterate: a = the last feed, b = index in `loops`. How many rounds
///   there were (an int32). scan_along (body only): the same without a number of rounds: one for each element of the row,
///   from the first on, whose states go on from element to element; those before the first are the first inputs.
///   state: a = the iterate or scan_along, b = which of its states.
/// Operand dtypes are those of the operand instructions; the planner has inserted every cast. 16-bit floats are loaded,
/// stored, cast (their bits too), selected (where), row values and neighbours (nextafter); complex numbers are loaded,
/// stored, made (complex), taken apart (real, imag) and multiplied (complex_product); every other instruction is of a
/// compute dtype.
struct instruction {
    op code;
    dtype type;  ///< of the result
    std::uint16_t a = 0, b = 0, c = 0;
    friend bool operator==(const instruction&, const instruction&) = default;
};

/// How many of a, b and c name instructions of the same list, and which.
inline int operands_of(const instruction& i) {
    if (is_conversion(i.code) || i.code == op::gather || i.code == op::iterate || i.code == op::state || is_running(i.code))
        return 1;
    if (i.code == op::index || i.code == op::feed || is_search(i.code)) return 2;
    return is_elementwise(i.code) ? info(i.code).arity : 0;
}
/// Whether it has no value that could be kept for others: what a loop reads, and the loop, of which its states are the
/// values.
inline bool is_part_of_loop(const instruction& i) {
    return i.code == op::feed || i.code == op::iterate || i.code == op::scan_along;
}
/// The feeds of an iterate or a scan_along, in their order.
std::vector<std::uint16_t> feeds_of(const instruction& loop, const std::vector<instruction>& code);
/// Of an instruction that looks up: its pointer word.
inline std::uint16_t& pointer_of(instruction& i) { return i.code == op::gather ? i.b : i.c; }
inline std::uint16_t pointer_of(const instruction& i) { return i.code == op::gather ? i.b : i.c; }
inline std::uint16_t operand(const instruction& i, int k) { return k == 0 ? i.a : k == 1 ? i.b : i.c; }

/// What one element goes through again and again: states that a round replaces, and inputs that stay. A round begins with
/// `until`: where that is true, the element is done, and its states stay as they are.
struct loop_spec {
    std::vector<dtype> inputs;        ///< the states, then what else the rounds read
    std::vector<instruction> code;    ///< op::load: a = an input; else casts, elementwise ops and loops
    std::vector<std::uint16_t> next;  ///< for each state, the instruction that is its next value, of its dtype
    std::uint16_t until = never;      ///< a bool
    std::vector<loop_spec> loops{};   ///< inside this one
    /// On a CPU: each round looks whether the evaluation shall end, and then is the last one, whatever the states are.
    bool interruptible = false;
    /// Of a recurrence that combines its states with an element's by an associative operation: that operation, so that rows
    /// may be cut anywhere. Its inputs are the states on the left, those on the right, and what else it reads, which is the
    /// same for all elements; it has no loops. None: the step is all that is known.
    std::vector<loop_spec> operation{};
    /// Which inputs of this loop are the operation's, from those on the right on: an element's own states, then what else.
    std::vector<std::uint16_t> operands{};
    static constexpr std::uint16_t never = 0xffff;
    friend bool operator==(const loop_spec&, const loop_spec&) = default;
};

/// A value that leaves the kernel: stores[i] / row_stores[i] writes instruction `value` of the body / of the row code.
struct store {
    access to;
    std::uint16_t value = 0;
    friend bool operator==(const store&, const store&) = default;
};

/// An integer added to elements of an array of few, by their numbers, in whatever order: each element of the domain adds
/// `amount` to element number `place` of `count`.
struct tally_spec {
    dtype type = dtype::i64;
    std::uint16_t pointer = 0;            ///< of the array, row-major
    std::uint16_t place = 0;              ///< body value, an int32; from `count` on it names none
    std::uint16_t amount = 0, count = 0;  ///< body values, scalars: of the array's dtype, and an int64
    friend bool operator==(const tally_spec&, const tally_spec&) = default;
};

struct reduction_spec {
    op code;     ///< sum, prod, ...: what is accumulated, and how, is rule_of(code, type) (reduction_rule.hpp)
    dtype type;  ///< of body[value]
    std::uint16_t value = 0;
    std::uint16_t second = 0;  ///< takes_pairs(code): the body value that is the place in the row, or the other part
    bool fused = false;        ///< its rule contracts a*b+c to fma, as passes/contract does with a body
    std::uint16_t third = 0;   ///< takes_thirds(code): the body value that is the place in the row
    friend bool operator==(const reduction_spec&, const reduction_spec&) = default;
};

/// A sum over the rows, one for each element of a row: each part of the rows, as the schedule deals them out, leaves a line
/// of such sums behind the pointer, line by line. How many there are says sum_parts (fusion/machine/cuda_shape.hpp).
struct column_sum {
    dtype type = dtype::f32;    ///< of body[value], and of what is written
    std::uint16_t pointer = 0;  ///< of the lines
    std::uint16_t value = 0;
    friend bool operator==(const column_sum&, const column_sum&) = default;
};

/// Whether its body value `second` is read.
inline bool has_second(const reduction_spec& r) { return takes_pairs(r.code); }
/// Whether a reduction takes a third value of each element: an extremum of complex numbers has the place in the row beside
/// both parts, since accumulators do not meet in the order of the row, and of equal ones and of NaNs the first counts.
inline bool takes_thirds(op code) { return reduction(code).kind == reduction_kind::PAIR && is_ordered(code); }
/// Whether its body value `third` is read.
inline bool has_third(const reduction_spec& r) { return takes_thirds(r.code); }

/// The class of a CPU's reduce_inner whose rows have so few elements that lanes run across them, in the order of those
/// along.
inline constexpr std::uint8_t short_rows = 1;

struct kernel_spec {
    std::vector<loop_spec> loops;  ///< what iterates and recurrences run
    schedule_kind schedule = schedule_kind::pointwise;
    std::uint8_t rank = 1;
    std::uint8_t reduced = 0;  ///< how many of them, the last ones, make a row; pointwise 0, reduce_all all
    bool index64 = false;      ///< the domain, an offset in it or a coordinate's value needs more than 31 bits
    /// GPU: elements per thread step that all accesses allow. Flat kernels; kernels with patches; and reduce_inner and
    /// reduce_tile, where it promises that every access with stride one in the last dimension starts every row at a multiple
    /// of it, and the last extent is one.
    std::uint8_t vector_width = 1;
    /// GPU: class of the row length, row_class(): threads per row and more; or class_of_recurrences(). CPU: short_rows or 0.
    std::uint8_t row_class = 0;
    /// GPU, pointwise: 1 + the dimension in which some accesses have stride one that run along the last one with another
    /// (transposed operands). Blocks compute tiles of these two dimensions. vector_width then promises both: every access
    /// with stride one in either starts every run of it at a multiple, and both extents are multiples. 0: no tiles.
    std::uint8_t tile = 0;
    /// GPU, pointwise, rank > 1, no tiles: a thread may compute a patch of up to so many neighbouring rows (of the last but
    /// one dimension) of `vector_width` neighbouring columns at once. reduce_all, rank > 1: 1, and the last extent is a
    /// multiple of a pack (reduce_pack), which is read at once. 0: there are no patches.
    std::uint8_t patch_rows = 0;
    std::uint16_t pointers = 0;  ///< number of pointer words
    std::vector<access> loads;
    std::vector<coordinate> coords;
    std::vector<dtype> scalars;
    std::vector<instruction> body;
    std::vector<store> stores;
    std::vector<tally_spec> tallies;  ///< GPU, pointwise: one at most, and no stores beside it
    std::vector<reduction_spec> reductions;
    std::vector<column_sum> columns;  ///< GPU, reduce_inner of rank 2: added up in the last pass
    std::vector<instruction> row;     ///< may use total, scalar, and load and coord that do not move in a row
    std::vector<store> row_stores;    ///< `value` indexes `row`; the access does not move in a row

    /// Canonical bytes: equal keys, equal generated text.
    std::string key() const;
    friend bool operator==(const kernel_spec&, const kernel_spec&) = default;
};

/// Calls f with each instruction of loops, and of those inside them.
template <class F>
void each_instruction(const std::vector<loop_spec>& loops, const F& f) {
    for (const loop_spec& l : loops) {
        for (const instruction& i : l.code) f(i);
        each_instruction(l.loops, f);
        each_instruction(l.operation, f);
    }
}
/// Calls f with each instruction of a spec: of its body, its row code and its loops.
template <class F>
void each_instruction(const kernel_spec& spec, const F& f) {
    for (const instruction& i : spec.body) f(i);
    for (const instruction& i : spec.row) f(i);
    each_instruction(spec.loops, f);
}

/// Where each run-time value stands in the block of 64-bit words that every kernel takes, on every engine:
///   [0] pointer to the fault record, or null   [1] reduce_all on a GPU: pointer to the partials and ticket; on a CPU, where
///   is_interruptible: to two words, the address of a number and what its upper half is as long as nobody has interrupted
///   extents[rank]   pointers[n]   then for each load, then each store, then each row store, dims outermost first:
///   runtime stride -> 1 word; clamped -> 4 more words step, shift, lo, hi (in this order, after the stride)
///   then for each coord: step, shift, and lo, hi where clamped;   then, where has_unclamped_words, for each dim the first
///   and the last index at which no clamp is reached;   then each scalar (one word, value in the low bytes).   Total: `size`
///   words.
struct word_layout {
    std::uint32_t extents = 2, pointers = 0, accesses = 0, coords = 0, unclamped = 0, scalars = 0, size = 0;
    explicit word_layout(const kernel_spec&);
};

/// What a kernel leaves where an index was out of range: the first word is not 0 then, and the others say of the first such
/// index that was met what it was and how many elements its axis has.
inline constexpr std::size_t fault_words = 3;

/// The number of words that one access / coordinate takes in its section.
std::uint32_t words_of(const access&);
std::uint32_t words_of(const coordinate&);
/// What the states of a recurrence of the body are before the first element: instructions, the same all along a row.
std::vector<std::uint16_t> states_before(const instruction& recurrence, const kernel_spec&);
/// The instructions that this one is made of, with it, in their order.
std::vector<std::uint16_t> made_of(std::uint16_t result, const std::vector<instruction>& code);
/// Whether any value is of a 16-bit floating dtype: what is loaded, moved, cast and stored; nothing is computed in one.
bool has_short_floats(const kernel_spec&);
/// Whether any value is made of random words.
bool has_random_words(const kernel_spec&);
/// Whether it has loops that elements leave each in its own time.
bool ends_early(const kernel_spec&);
/// Whether any index is checked.
bool has_indices(const kernel_spec&);
/// Whether any loop is.
bool is_interruptible(const kernel_spec&);
/// Whether any value is a running one: then a row is walked in its order.
bool has_running(const kernel_spec&);
/// Whether it is a recurrence by an associative operation.
bool is_associative(const instruction&, const kernel_spec&);
/// The body's instructions that are the states of an element alone, for a recurrence by an associative operation, and then
/// what else the operation reads.
std::vector<std::uint16_t> operands_of_operation(const instruction& recurrence, const kernel_spec&);
/// Whether any of them is another recurrence: then one thread or lane walks it; or of the table, cumsum and its like.
bool has_recurrences(const kernel_spec&);
bool has_cumulative(const kernel_spec&);
/// Whether any instruction makes, reads or takes apart complex numbers.
bool has_complex_numbers(const kernel_spec&);
/// Whether the spec has patches and a clamped load or coordinate.
bool has_unclamped_words(const kernel_spec&);

std::string_view name_of(schedule_kind);

/// Readable form for golden tests, logs and FRIT_DUMP.
std::string to_string(const kernel_spec&);

/// Reductions are deterministic. On the CPU, element i of a row belongs to block i / reduce_block.
/// reduce_all, reduce_inner: within the block, to logical accumulator i % reduce_lanes; accumulators start at the identity
/// and combine in order of i; then the block's accumulators combine as a tree (k with k + 32, then + 16, ... + 1).
/// reduce_outer, reduce_tile: within the block, to run (i % reduce_block) / reduce_run; a run starts at the identity and
/// combines in order of i; then the block's runs combine as a pairwise tree in index order.
/// In both, blocks combine as a pairwise tree in index order (left half: the largest power of two below the count). No
/// engine, thread count, ISA level or number of rows changes this. (What passes/windows writes out is no reduction any
/// more.)
inline constexpr std::int64_t reduce_block = 4096;
inline constexpr int reduce_lanes = 64;
inline constexpr std::int64_t reduce_run = 32;
/// On the CPU, the neighbouring rows that a task of reduce_outer or reduce_tile has at most: what it reads at once.
inline constexpr std::int64_t rows_of_a_task = 1024;

}  // namespace frit::v0::fusion
