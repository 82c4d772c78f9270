// The narrow waist between the headers and the library: a typed expression becomes ONE statement, `record` turns it into
// one packed node of the runtime graph. Nothing here is a template, so user code pays no compile time for it.
#pragma once

#include <atomic>
#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frit/detail/axis_map.hpp"
#include "frit/dtype.hpp"
#include "frit/error.hpp"
#include "frit/opcode.hpp"
#include "frit/shape.hpp"

namespace frit::inline v0 {
class device;
class plan;
}  // namespace frit::v0

namespace frit::inline v0::detail {

/// One step of a statement's postfix program.
struct instruction {
    op code;
    dtype type;  ///< of the result; scalar: of the scalar; cast: the target. May be run_time where `dynamic`.
    friend constexpr bool operator==(const instruction&, const instruction&) = default;
};

/// What a statement does, without its data: one constexpr object per expression type.
struct program {
    const instruction* code;
    std::uint16_t length, leaves, scalars, attributes;
    std::uint64_t hash;
    bool dynamic;  ///< some operand is an any_array: dtypes are inferred when recorded
};

/// FNV-1a over opcodes and dtypes.
constexpr std::uint64_t hash_of(std::span<const instruction> code) {
    std::uint64_t h = 0xcbf29ce484222325;
    for (const instruction& i : code)
        h = (h ^ (static_cast<std::uint64_t>(i.code) << 8 | static_cast<std::uint64_t>(i.type))) * 0x100000001b3;
    return h;
}
/// Whether some dtype is open until the statement is recorded.
constexpr bool has_run_time(std::span<const instruction> code) {
    for (const instruction& i : code)
        if (i.type == run_time || i.code == op::weak || i.code == op::convert) return true;
    return false;
}

/// The value of a scalar parameter, already converted to its instruction's dtype and then to its register_dtype; the bits
/// stand in the low bytes. An integer that the dtype does not hold stands there whole, `high` says so, and recording throws:
/// an operator does not know its line, the statement does.
struct scalar_bits {
    std::uint64_t low = 0, high = 0;
    static constexpr scalar_bits misfit(std::uint64_t value, bool negative, op code) noexcept {
        return {value, std::uint64_t{static_cast<std::uint8_t>(code)} << 2 | std::uint64_t{negative} << 1 | 1};
    }
};

/// What a `convert` instruction does, in its scalar parameter: the dtype, and which conversions are errors.
enum class conversion : std::uint8_t {
    cast,     ///< any is allowed
    bits,     ///< the same bits, in a dtype that has as many (see bit_cast)
    written,  ///< into what is there: within a kind and upwards (may_write)
    lossless  ///< only where the dtype holds all values of the other (promote)
};
constexpr scalar_bits conversion_bits(dtype to, conversion rule) noexcept {
    return {std::uint64_t{static_cast<std::uint8_t>(to)} | std::uint64_t{static_cast<std::uint8_t>(rule)} << 8, 0};
}

/// A node of the runtime graph as the headers see it. `counts` holds two counters: the low half counts graph users and
/// typed expressions, the high half user handles (frit::array objects); the node dies when both are zero.
struct node_head {
    std::atomic<std::uint64_t> counts{0};
    const frit::shape* extents = nullptr;  ///< the node's own: it goes with the node
    dtype type = dtype::f32;
    dtype meant =
        dtype::f32;          ///< what formulas take it for: `type`, but where a part of a 16-bit formula is kept in float32
    bool inlinable = false;  ///< recorded for formulas that read it, by no array: their statements inline it
};
inline constexpr std::uint64_t one_user = 1, one_handle = std::uint64_t{1} << 32;

FRIT_API void destroy(node_head*) noexcept;  ///< iterative: a chain of a million nodes is no deep recursion
inline void retain(node_head* n, std::uint64_t unit) noexcept { n->counts.fetch_add(unit, std::memory_order_relaxed); }
// Out of line: a formula drops a reference in a dozen places, and inlined that is a tenth of its compile time.
[[gnu::noinline]] inline void release(node_head* n, std::uint64_t unit) noexcept {
    if (n->counts.fetch_sub(unit, std::memory_order_acq_rel) == unit) destroy(n);
}

/// A counted reference to a node. Unit is one_handle for user handles, one_user for everything else.
template <std::uint64_t Unit>
class node_ref {
public:
    node_ref() = default;
    explicit node_ref(node_head* n) noexcept : p_(n) {
        if (p_) retain(p_, Unit);
    }
    node_ref(const node_ref& o) noexcept : node_ref(o.p_) {}
    node_ref(node_ref&& o) noexcept : p_(std::exchange(o.p_, nullptr)) {}
    node_ref& operator=(node_ref o) noexcept {
        std::swap(p_, o.p_);
        return *this;
    }
    ~node_ref() {
        if (p_) release(p_, Unit);
    }
    node_head* get() const noexcept { return p_; }
    node_head* operator->() const noexcept { return p_; }
    explicit operator bool() const noexcept { return p_ != nullptr; }

private:
    node_head* p_ = nullptr;
};
using user_ref = node_ref<one_user>;
using handle_ref = node_ref<one_handle>;

/// Per expression type: the entry that lets a repeated statement skip the planner. Owned by the library.
using static_slot = std::atomic<const void*>;

/// A recorded formula: the program and its operands, in the order in which the postfix program meets them.
struct statement {
    const detail::program* code;
    static_slot* slot;
    node_head* const* leaves;
    const scalar_bits* scalars;
    const attribute_ref* attributes;
    source_line where;
    const char* who = nullptr;  ///< whom an error names, where it is not the op itself: a function of several results
};

/// Records a statement: infers shape and dtype, checks both, makes one pending node. Runs nothing (until the graph limit).
/// The result carries no reference yet: the caller wraps it at once.
/// @throws shape_error, dtype_error naming op, shapes, dtypes and source line
FRIT_API node_head* record(const statement&);

/// The result's shape and dtype, without recording (recipes: e.shape()). Same errors as record.
FRIT_API shape infer_shape(const statement&);
FRIT_API dtype infer_dtype(const statement&);

/// Records a part of a formula: no array's, to be inlined by the statement that reads it. It is no end of a statement, so it
/// is not rounded where its dtype is a 16-bit one, and nothing but formulas may read it. Errors as of record.
FRIT_API user_ref record_part(const statement&);
/// Records the result of a function: to be inlined too, but a value as others.
FRIT_API user_ref record_result(const statement&);
/// A node as a value that arrays hold and elements are read from: itself, but of a part that is kept in float32 its rounded
/// values, as a statement of their own.
FRIT_API handle_ref held_value(const user_ref&, source_line);

// --- what a handle can do, each on one node ---
/// @throws dtype_error, in the name of `who`, for a dtype that there is not
FRIT_API void check_dtype(std::string_view who, dtype, source_line);
FRIT_API node_head* from_host(const void* data, dtype, const shape&, source_line);  ///< copies to the default device
/// Memory on the default device that nobody has written.
FRIT_API node_head* from_nothing(dtype, const shape&, source_line);
/// A zero-copy leaf: `strides` in elements (empty: row-major); `keep`/`drop` hold the owner alive. Never written.
FRIT_API node_head* borrow(const void* data, dtype, const shape&, std::span<const std::int64_t> strides, void* keep,
                           void (*drop)(void*), source_line);
FRIT_API void eval(std::span<node_head* const> nodes, source_line);  ///< one plan; stores exactly these
/// eval, then copies size() elements in row-major order to `to`; waits.
FRIT_API void read(node_head*, void* to, source_line);
/// Evaluates into the caller's memory (strides in elements), casting within a kind is the statement's business.
FRIT_API void eval_into(node_head*, void* to, std::span<const std::int64_t> strides, source_line);
FRIT_API bool is_stored(const node_head*) noexcept;
/// Strides in elements of the stored value; row-major strides where pending.
FRIT_API std::vector<std::int64_t> strides_of(const node_head*);
FRIT_API std::string print(node_head*);  ///< as NumPy prints; evaluates

FRIT_API std::ostream& print(std::ostream&, node_head*);  ///< the same into a stream

// --- evaluation as a whole, and looking inside ---
/// Where a node's value is, or will be.
FRIT_API device device_of(const node_head*);
/// A node with the same values on device d: the node itself where it is there already.
FRIT_API handle_ref to_device(node_head*, device, source_line);
/// Makes d this thread's default device and returns the one before. @throws device_error if d does not exist
FRIT_API device exchange_default_device(device, source_line);
/// The plan of one evaluation of these nodes; runs nothing.
FRIT_API plan make_plan(std::span<node_head* const>, source_line);
FRIT_API std::string explain(std::span<node_head* const>, source_line);

// --- errors of the headers' own checks ---
/// An array without a value is used. The dtype is run_time where nobody knows it.
[[noreturn]] FRIT_API void throw_empty(std::string_view who, dtype, source_line);
/// A value of a run-time dtype is asked for as one of another: as<T>(), item<T>() and their like.
[[noreturn]] FRIT_API void throw_other_dtype(std::string_view who, dtype is, dtype asked, source_line);
[[noreturn]] FRIT_API void throw_handle_gone(source_line);  ///< assignment through a view whose array is gone or empty
[[noreturn]] FRIT_API void throw_ragged(const shape& expected, source_line);  ///< nested values of unequal lengths
/// An integer that does not fit its dtype, as scalar_bits::misfit says it. @param who  null: the op that it names
[[noreturn]] FRIT_API void throw_scalar_range(const scalar_bits&, dtype, source_line, const char* who = nullptr);
[[noreturn]] FRIT_API void throw_element_count(std::string_view op, const shape&, std::size_t given, source_line);
[[noreturn]] FRIT_API void throw_assigned_shape(const shape& base, const shape& value, source_line);
/// @throws shape_error that names the mask, unless it broadcasts to the array that it selects elements of
FRIT_API void check_mask(std::string_view op, const shape& mask, const shape& of, source_line);
/// A mask of the first axes of `of`, with an axis of extent 1 for each of the others. @throws shape_error
FRIT_API user_ref mask_of_first_axes(const user_ref& mask, const shape& of, source_line);

/// shape_error / dtype_error / index_error with the house style: "op: text; shapes (2, 3), (4,); float32 [file:line]".
[[noreturn]] FRIT_API void throw_shape_error(std::string_view op, std::string_view text, std::span<const shape> shapes,
                                             source_line);
[[noreturn]] FRIT_API void throw_dtype_error(std::string_view op, std::string_view text, std::span<const dtype> types,
                                             source_line);
[[noreturn]] FRIT_API void throw_index_error(std::string_view op, std::string_view text, const shape& of, source_line);

}  // namespace frit::v0::detail
