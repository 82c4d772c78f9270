// An op that a library runs, whole: what the planner asks of it, and how each engine runs it. One file an op defines it
// (src/libraries); engines find it in the call. What it needs of an engine is handed to it.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "fusion/ir/library_call.hpp"
#include "fusion/ir/library_op.hpp"
#include "fusion/machine/target.hpp"

namespace frit::inline v0::detail {

struct isa_table;

/// Where a call's arrays lie, in the engine's memory.
struct call_memory {
    std::span<const void* const> operands;
    std::span<void* const> results;            ///< null where not asked for
    void* workspace = nullptr;                 ///< as many bytes as asked for; null for none
    std::span<const std::uint64_t> numbers{};  ///< those of the call's epilogue: bits, as scalar words have them
    std::string_view formula{};  ///< what is computed and where that was written, for errors that are found later
};

namespace cuda {
struct libraries;  // what they need of one GPU: src/cuda/libraries.hpp
}

struct library_routine : fusion::library_op {
    /// The same value as a formula, where the machine's library has no such call or kernels have it, else no_value. Null:
    /// it always is a call.
    fusion::value_id (*formula)(fusion::graph&, op, std::span<const fusion::value_id> operands, const fusion::target&);

    /// Whether it takes 16-bit floats as they are: else they are cast to float32, and the result back. Null: it does not.
    /// Complex numbers are taken as they are by every op that takes them at all.
    bool (*takes_short)(const fusion::target&);

    struct {
        /// Loads what it needs. Null: nothing. @throws device_error naming what is missing
        void (*require)(const fusion::library_call&);
        /// Bytes of scratch memory. Null: none.
        std::size_t (*workspace)(const fusion::library_call&);
        /// Runs it, rows and tiles shared out among the pool; the loops are those of an instruction set.
        void (*run)(const fusion::library_call&, const call_memory&, const isa_table&);
    } on_cpu;

    /// The same on a GPU: `run` queues it on the device's stream.
    struct {
        void (*require)(cuda::libraries&, const fusion::library_call&);
        std::size_t (*workspace)(cuda::libraries&, const fusion::library_call&);
        void (*run)(cuda::libraries&, const fusion::library_call&, const call_memory&);
    } on_gpu;
};

/// Of a call: whatever is handed to the planner as a library op is one.
inline const library_routine& routine_of(const fusion::library_call& c) {
    return static_cast<const library_routine&>(*c.of);
}

}  // namespace frit::v0::detail
