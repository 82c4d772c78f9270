// What one kernel does, as plain data: the planner's result, the interpreter's program, the generator's input. It holds
// structure only; extents, strides, scalars and pointers are run-time words (`word_layout` says where each one stands).
// Its canonical bytes (`key`) are the kernel's identity in every cache.
//
// Domain. A kernel runs over `rank` collapsed dimensions (outermost first, rank >= 1; rank 1 is "flat"). An element's
// flat index counts the domain in row-major order.
//   pointwise:  for every domain element, evaluate `body`, store `stores`.
//   reduce_all: the same, and every `reductions[k]` combines one body value over the whole domain; when all are known,
//               `epilogue` runs once on scalars and `scalar_stores` are written (each one element, at its pointer).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frit/dtype.hpp"
#include "frit/opcode.hpp"

namespace frit::inline v0::fusion {

enum class schedule_kind : std::uint8_t { pointwise, reduce_all };

/// What is known of a stride at compile time: 0 (the same element), 1 (the next one), or a run-time word.
enum class stride_class : std::uint8_t { zero, one, runtime };

/// How one domain dimension moves an access.
struct access_dim {
    stride_class stride = stride_class::zero;
    /// The index is clamp(step * i + shift, lo, hi) instead of i, all four run-time words (edge padding). Then `stride`
    /// is runtime even if its value is 1.
    bool clamped = false;
    friend bool operator==(const access_dim&, const access_dim&) = default;
};

/// Addressing of one load or store: element address = pointer + sum over dims of stride * index, in elements.
/// The pointer word already includes the constant offset (negative strides start at the last element).
struct access {
    dtype type = dtype::f32;
    std::uint16_t pointer = 0;     ///< which pointer word; several loads may share one
    std::vector<access_dim> dims;  ///< size rank, outermost first
    std::uint8_t alignment = 1;    ///< flat kernels: pointer is aligned to this many elements (1, 2, 4, 8, 16)
    friend bool operator==(const access&, const access&) = default;
};

/// An index of the domain as a value: clamp(step * i[dim] + shift, lo, hi), all words run-time; the clamp only where set.
struct coordinate {
    std::uint8_t dim = 0;
    bool clamped = false;
    friend bool operator==(const coordinate&, const coordinate&) = default;
};

/// One SSA instruction; its index in the list is its name. Operands are indices of earlier instructions.
///   load: a = index in `loads`;  scalar: a = index in `scalars`;  coord: a = index in `coords`;
///   total: a = index in `reductions` (epilogue only);  cast: a = operand;  elementwise ops: a, b, c = operands.
/// Operand dtypes are those of the operand instructions; the planner has inserted every cast.
struct instruction {
    op code;
    dtype type;  ///< of the result
    std::uint16_t a = 0, b = 0, c = 0;
    friend bool operator==(const instruction&, const instruction&) = default;
};

/// A value that leaves the kernel: stores[i] / scalar_stores[i] writes instruction `value`.
struct store {
    access to;
    std::uint16_t value = 0;
    friend bool operator==(const store&, const store&) = default;
};

struct reduction_spec {
    op code;     ///< sum, prod, ...: combine op and identity are the table's
    dtype type;  ///< of the accumulator; body[value] already has it
    std::uint16_t value = 0;
    friend bool operator==(const reduction_spec&, const reduction_spec&) = default;
};

struct kernel_spec {
    schedule_kind schedule = schedule_kind::pointwise;
    std::uint8_t rank = 1;
    bool index64 = false;           ///< the domain, or an offset in it, needs more than 31 bits
    std::uint8_t vector_width = 1;  ///< GPU: elements per thread step that all flat accesses allow
    std::uint16_t pointers = 0;     ///< number of pointer words
    std::vector<access> loads;
    std::vector<coordinate> coords;
    std::vector<dtype> scalars;
    std::vector<instruction> body;
    std::vector<store> stores;
    std::vector<reduction_spec> reductions;
    std::vector<instruction> epilogue;  ///< scalar code; may use total and scalar, never load or coord
    std::vector<store> scalar_stores;   ///< `value` indexes epilogue; the access has no dims that move

    /// Canonical bytes: equal keys, equal generated text.
    std::string key() const;
    friend bool operator==(const kernel_spec&, const kernel_spec&) = default;
};

/// Where each run-time value stands in the block of 64-bit words that every kernel takes, on every engine:
///   [0] device error word (pointer to u32, or null)   [1] reduce_all on a GPU: pointer to the partials and ticket
///   extents[rank]   pointers[n]   then for each load, then each store, dims outermost first:
///   runtime stride -> 1 word; clamped -> 4 more words step, shift, lo, hi (in this order, after the stride)
///   then for each coord: step, shift, and lo, hi where clamped;   then each scalar (one word, value in the low bytes;
///   complex: two words).   Total: `size` words.
struct word_layout {
    std::uint32_t extents = 2, pointers = 0, accesses = 0, coords = 0, scalars = 0, size = 0;
    explicit word_layout(const kernel_spec&);
};

/// The number of words that one access / coordinate takes in its section.
std::uint32_t words_of(const access&);
std::uint32_t words_of(const coordinate&);

/// Readable form for golden tests, logs and FRIT_DUMP.
std::string to_string(const kernel_spec&);

/// Reductions are deterministic: on the CPU, element i of the flat domain belongs to block i / reduce_block, and within it
/// to logical accumulator i % reduce_lanes; accumulators start at the identity and combine in order of i; then
/// a block's accumulators combine as a tree (k with k + 32, then + 16, ... + 1), and blocks as a pairwise tree in index
/// order (left half: the largest power of two below the count). No engine, thread count or ISA level changes this.
inline constexpr std::int64_t reduce_block = 4096;
inline constexpr int reduce_lanes = 64;

}  // namespace frit::v0::fusion
