// The planner's input: one straight list of SSA values in topological order, plain data, hash-consed while it is built.
// src expands packed statements into it; passes rewrite it; grouping partitions it. It knows nothing of buffers beyond
// what a plan may depend on (strides, alignment, who else looks).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "frit/detail/axis_map.hpp"
#include "frit/opcode.hpp"
#include "fusion/ir/kernel_spec.hpp"
#include "fusion/ir/shapes.hpp"

namespace frit::inline v0::fusion {

struct library_op;

using value_id = std::uint32_t;
inline constexpr value_id no_value = ~value_id{0};

/// The operands of a value, any number of them. Three and fewer, which nearly all have, stand in the object itself.
class operand_list {
public:
    operand_list() = default;
    operand_list(std::initializer_list<value_id> of) : operand_list(std::span(of.begin(), of.size())) {}
    explicit operand_list(std::span<const value_id> of) : size_(static_cast<std::uint32_t>(of.size())) {
        if (size_ > most_here) point_to(new value_id[size_]);
        std::copy(of.begin(), of.end(), begin());
    }
    operand_list(const operand_list& o) : operand_list(std::span(o.begin(), o.end())) {}
    operand_list(operand_list&& o) noexcept { swap(o); }
    operand_list& operator=(operand_list o) noexcept {
        swap(o);
        return *this;
    }
    ~operand_list() {
        if (size_ > most_here) delete[] begin();
    }

    int size() const noexcept { return static_cast<int>(size_); }
    value_id* begin() noexcept { return const_cast<value_id*>(std::as_const(*this).begin()); }
    const value_id* begin() const noexcept {
        if (size_ <= most_here) return here_;
        const value_id* elsewhere = nullptr;
        std::memcpy(&elsewhere, here_ + 1, sizeof elsewhere);
        return elsewhere;
    }
    value_id* end() noexcept { return begin() + size_; }
    const value_id* end() const noexcept { return begin() + size_; }
    value_id& operator[](int k) noexcept { return begin()[k]; }
    value_id operator[](int k) const noexcept { return begin()[k]; }
    friend bool operator==(const operand_list& a, const operand_list& b) noexcept {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }

private:
    static constexpr std::uint32_t most_here = 3;
    void point_to(value_id* memory) noexcept { std::memcpy(here_ + 1, &memory, sizeof memory); }
    void swap(operand_list& o) noexcept {
        std::swap(size_, o.size_);
        std::swap(here_, o.here_);
    }

    std::uint32_t size_ = 0;
    value_id here_[most_here] = {};  ///< of more, the last two are a pointer to them
};

/// One result. `index` means: leaf: in leaves; scalar: in the scalar parameters, or from constant_scalar on, in the
/// constants; view, coord, update, reductions, running values: in attributes; library ops and calls: in libraries; iterate
/// and scan_along: in loops. A reduction's result has its operand's rank, the reduced axes with extent 1; argmin and argmax
/// have the places in the row as a second input, extrema of complex numbers the imaginary part, and the places as a third.
/// An update has two: base and value. passes/place_updates leaves those that write into the base's memory, and makes
/// arithmetic of the others. An update of four is a tally: base, places, amount, count (graph::add_tally). One of one has no
/// base: it is sums over the rows of its operand, in parts (graph::add_column_sums).
struct value {
    op code = op::leaf;
    dtype type = dtype::f32;
    bool in_place = false;  ///< update: writes into the base's memory
    bool stored = false;    ///< must be in memory: an update reads it there, or writes into it
    std::uint32_t index = 0;
    const shape* extents = nullptr;  ///< of the result
    operand_list in{};
    friend bool operator==(const value&, const value&) = default;
};

inline bool is_tally(const value& v) { return v.code == op::update && v.in.size() == 4; }
inline bool is_column_sums(const value& v) { return v.code == op::update && v.in.size() == 1; }
/// Whether it writes into the memory of its first operand.
inline bool has_base(const value& v) { return v.code == op::update && !is_column_sums(v); }

/// In the place of a scalar parameter's number: the graph knows the value.
inline constexpr std::uint32_t constant_scalar = std::uint32_t{1} << 31;

/// An input in memory.
struct leaf_info {
    std::vector<std::int64_t> strides;  ///< in elements; empty: row-major
    std::int64_t offset = 0;            ///< of the first element from the buffer's start, in elements
    std::uint32_t buffer = 0;           ///< leaves that share memory have the same number
    std::uint32_t alignment = 64;       ///< of the first element, in bytes (a power of two)
    bool donatable = false;             ///< nobody else looks at the memory once this plan has read it
};

/// The order of graph::order: by the update, then by what precedes it.
struct by_update {
    bool operator()(const std::pair<value_id, value_id>& a, const std::pair<value_id, value_id>& b) const {
        return a.second != b.second ? a.second < b.second : a.first < b.first;
    }
};

/// One of the results of a library op's call. Others of the same call, on the same operands, are values of their own.
struct library_result {
    const library_op* of;
    std::uint16_t result;
    friend bool operator==(const library_result&, const library_result&) = default;
};

/// One of the states after a loop. Others of the same loop, on the same operands, are values of their own: a kernel that
/// computes several runs it once.
struct loop_result {
    static constexpr std::uint32_t nowhere = ~std::uint32_t{0};
    std::shared_ptr<const loop_spec> loop;
    std::uint16_t state;
    std::uint32_t along = nowhere;  ///< of a recurrence: the attribute that names its axis and direction
};

class graph {
public:
    std::vector<value> values;
    std::vector<leaf_info> leaves;
    std::vector<detail::attribute_ref> attributes;
    std::vector<library_result> libraries;  ///< that the values use
    std::vector<loop_result> loops;
    std::uint32_t scalars = 0;
    std::vector<std::uint64_t> constants;    ///< numbers of the formulas that stand for an op; bits, as in scalar words
    std::vector<value_id> outputs;           ///< to be stored, in the caller's order (may repeat)
    std::vector<value_id> statement_starts;  ///< first value of each statement: windows are cut there
    /// (first, then): `first`, which is stored, is computed before the update `then` overwrites what it reads.
    /// Sorted by_update().
    std::vector<std::pair<value_id, value_id>> order;
    /// Strides in elements of outputs[k] where it goes into the caller's memory (eval_into); may be shorter than outputs.
    std::vector<std::optional<std::vector<std::int64_t>>> output_strides;

    /// What the values' extents point into: see shapes.hpp.
    std::shared_ptr<shape_set> shapes = std::make_shared<shape_set>();

    value_id add_leaf(dtype, const shape&, leaf_info);
    value_id add_scalar(dtype);
    /// A number as float32 or float64.
    value_id add_constant(dtype, double);
    /// A whole number as int64.
    value_id add_whole_constant(std::int64_t);
    /// From its bits, as in a scalar word.
    value_id constant_of(dtype, std::uint64_t bits);
    value_id add_cast(value_id, dtype);
    value_id add_bit_cast(value_id, dtype);  ///< to one with as many bits, both stored as they are in memory
    value_id add_view(value_id, const detail::attribute_ref&);
    value_id add_update(value_id base, value_id region_value, const detail::attribute_ref&);
    /// where(inside the region, value at clamped indices, base): every load stays in range, and a chain of updates fuses.
    /// Of a dense region: steps of 1 or -1.
    value_id add_arithmetic_update(value_id base, value_id region_value, const detail::attribute&);
    value_id add_coord(dtype, const detail::attribute_ref&);
    /// Elements of `base`, which will be in memory, at indices of any integer dtype and of the result's shape (`where`:
    /// attribute::kind::gather).
    value_id add_gather(value_id base, std::span<const value_id> indices, const detail::attribute& where);
    /// How many elements of a sorted vector, which will be in memory, are less than each of x, or, with op::search_right,
    /// not greater: int64. Of real numbers, NaN last.
    value_id add_search(op, value_id sorted, value_id x);
    /// Over the axes that `over` names, or over all where it is null; casts the input to the accumulator's dtype. The value
    /// itself keeps reduced axes with extent 1, so that it broadcasts back to its operand; the result is a view of it.
    /// argmin, argmax: over one axis, or over a vector.
    /// @param second  of complex numbers: the imaginary part
    value_id add_reduction(op, value_id, const detail::attribute* over = nullptr, value_id second = no_value);
    /// Running values along an axis, from its first element on or backward: in kernels, where the target has them.
    value_id add_running(op, value_id, int axis, bool backward);
    /// A result of a library op: promotes and casts the operands, which it will read from memory.
    value_id add_library(op, const library_op&, std::span<const value_id> operands);
    /// A result of a call that no row of ops.def describes: op::call, of this dtype and shape. The operands are as they are,
    /// those that the call is given by value, parameters or constants, the last.
    value_id add_call(library_result, dtype, const shape&, std::span<const value_id> operands);
    /// @param operands  the most rounds, an int32, and the loop's inputs, of their dtypes; they broadcast
    value_id add_iterate(const std::shared_ptr<const loop_spec>&, std::uint16_t state, std::span<const value_id> operands);
    /// The same, a step an element along an axis, from its first element on or backward.
    /// @param operands  the loop's inputs, which broadcast; the states before are the same all along the axis
    value_id add_recurrence(const std::shared_ptr<const loop_spec>&, std::uint16_t state, std::span<const value_id> operands,
                            int axis, bool backward);
    /// The axes and the direction of a reduction or of running values.
    const detail::attribute& row_of(value_id) const;
    /// An elementwise op: promotes, casts and broadcasts the operands by the op table.
    value_id add_op(op, std::span<const value_id> operands);
    /// a where the mask is true, else b: of one dtype and shape, any that arrays have.
    value_id add_selection(value_id mask, value_id a, value_id b);
    /// A comparison of a signed integer with a uint64, exact: in no dtype of both.
    value_id add_mixed_comparison(op, value_id, value_id);
    /// Exactly this op on operands that already have its dtype and shape (passes).
    value_id add_raw(op, dtype, std::span<const value_id> operands);
    /// The place in its row of each element: row-major over the axes that `kept` does not keep.
    value_id add_places(const shape& source, const detail::attribute& kept);
    value_id broadcast(value_id, const shape*);
    /// What a part of a complex value is, where that is made of two: where a statement ends changes no bits.
    value_id made_part(value_id) const;
    /// The same value in memory of its own.
    value_id add_copy(value_id);
    /// An integer `amount`, a scalar, added to the base's elements of these numbers (int32), as often as they are named: in
    /// place, into a copy of the base. Numbers that are none's, but not negative, are let go.
    value_id add_tally(value_id base, value_id places, value_id amount);
    /// Of each column of a matrix, sums over so many parts of its rows: (parts, columns), in memory.
    value_id add_column_sums(value_id x, std::int64_t parts);

    /// For a pass that builds the list anew: hands the values out, and goes on with none. Leaves, scalars and attributes
    /// stay.
    std::vector<value> take_values();
    /// One of those again, its inputs renumbered.
    value_id put_back(const value&);

    const shape& extents(value_id v) const { return *values[v].extents; }
    const shape* intern(const shape& s) const { return shapes->intern(s); }

    /// The base with `values`, of its dtype and of the result's shape of `where`, put at or combined with those elements.
    value_id add_scatter(op, const library_op&, value_id base, std::span<const value_id> indices, value_id values,
                         const detail::attribute& where);

private:
    const shape* extents_of(std::span<const value_id> operands);  ///< that they broadcast to
    value_id insert(const value&);
    bool is_parameter(value_id) const;
    value_id broadcast_term(value_id, const shape*);
    std::uint32_t add_attribute(const detail::attribute_ref&);
    std::uint32_t add_result(const library_result&);
    value_id dense(value_id);
    std::uint32_t add_axis(const shape& over, int axis, bool backward);
    value_id add_loop(op, const loop_result&, std::span<const value_id> operands);

    /// Where an equal value stands, or would stand, in known_.
    std::size_t find_slot(const value&) const;
    std::vector<value_id> known_;  ///< open addressing over values: a graph may have millions
    std::size_t known_count_ = 0;
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> known_attributes_;
    std::unordered_map<const shape*, std::uint32_t> scalar_spreads_;  ///< attribute that broadcasts 0-d to a shape
};

/// Equality and hash of attributes by content.
bool same(const detail::attribute&, const detail::attribute&);
std::uint64_t hash_of(const detail::attribute&);

}  // namespace frit::v0::fusion
