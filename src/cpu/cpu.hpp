// The CPU engine from inside: what its parts share, and the switches that tests use. Users of the engine see only
// src/backend.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "src/backend.hpp"
#include "src/cpu/isa.hpp"

namespace frit::inline v0::detail {

enum class cpu_engine : std::uint8_t { interpreter, cxx };

/// Switches the engine of cpu_backend() for kernels prepared from now on (each engine keeps its own cache).
/// @throws frit::error naming the choices
void set_cpu_engine(std::string_view name);

/// A CPU backend of its own, beside cpu_backend(): for tests that compare engines and levels.
/// @throws device_error for a level that the machine lacks
std::unique_ptr<backend> make_cpu_backend(cpu_engine, isa_level);

/// A kernel of either engine. Both run any part of the domain, so the loop over threads is written once.
class cpu_kernel : public kernel {
public:
    /// Evaluates the domain elements [begin, end) of the flat index. reduce_all: begin is a multiple of
    /// fusion::reduce_block; the block with number b leaves its value of reduction r in partials[r * blocks + b].
    virtual void run(const std::uint64_t* words, std::int64_t begin, std::int64_t end, std::uint64_t* partials,
                     std::int64_t blocks) const = 0;
    /// The epilogue of reduce_all; totals[r] is reduction r's value.
    virtual void finish(const std::uint64_t* words, const std::uint64_t* totals) const = 0;

    double nanoseconds_per_element = 1;  ///< rough, in cache: decides how many threads a launch is worth
};

std::shared_ptr<cpu_kernel> make_interpreted(const fusion::kernel_spec&, const isa_table&);
/// @throws compile_error with the command and the compiler's log
std::shared_ptr<cpu_kernel> make_compiled(const fusion::kernel_spec&, const fusion::target&, isa_level);

/// Loads what such a call needs. @throws device_error naming what is missing
void require_library(const fusion::library_call&);
/// Runs a library call, rows and tiles shared out among the pool: OpenBLAS, and the standard library's algorithms.
void call_library(const fusion::library_call&, std::span<const void* const> operands, void* result);

/// Held while a compiler is asked for its version.
std::mutex& compiler_lock();

/// The identity of a reduction in the accumulator's type, as the low bytes of a word.
std::uint64_t identity_word(op reduction, dtype);
/// The loop that combines two accumulators of a reduction.
loop combine_loop(const isa_table&, op reduction, dtype);

}  // namespace frit::v0::detail
