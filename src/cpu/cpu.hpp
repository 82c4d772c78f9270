// The CPU engine from inside: what its parts share, and the switches that tests use. Users of the engine see only
// src/engine/backend.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "src/cpu/combine.hpp"
#include "src/cpu/isa.hpp"
#include "src/engine/backend.hpp"

namespace frit::inline v0::detail {

enum class cpu_engine : std::uint8_t { interpreter, cxx, jit, automatic };  // the last one: improving.hpp

/// Switches the engine of cpu_backend() for kernels prepared from now on (each engine keeps its own cache).
/// @throws frit::error naming the choices
void set_cpu_engine(std::string_view name);

/// The loops of the level that cpu_backend() runs.
const isa_table& process_table();

/// A CPU backend of its own, beside cpu_backend(): for tests that compare engines and levels.
/// @throws device_error for a level that the machine lacks
std::unique_ptr<backend> make_cpu_backend(cpu_engine, isa_level);

/// Words of a value of the row code: a complex one has two.
inline constexpr std::size_t row_value_words = 2;

/// A kernel of any engine. All run any part of the domain, so the loop over threads is written once. A kernel has the
/// functions of its schedule; the others throw.
class cpu_kernel : public kernel {
public:
    /// pointwise, reduce_all: evaluates the domain elements [begin, end) of the flat index. reduce_all: begin is a multiple
    /// of fusion::reduce_block; block b leaves part p of its totals in partials[p * blocks + b], the parts of all
    /// reductions numbered through, in the low bytes of a word.
    virtual void run(const std::uint64_t* words, std::int64_t begin, std::int64_t end, std::uint64_t* partials,
                     std::int64_t blocks) const;
    /// The row code of reduce_all; totals[r] is reduction r's value. `values`: room for row_words.
    virtual void finish(const std::uint64_t* words, const std::uint64_t* totals, std::uint64_t* values) const;

    /// reduce_inner, _outer, _tile: rows [first, last), all passes over each, with their row code and stores.
    virtual void run_rows(const std::uint64_t* words, std::int64_t first, std::int64_t last) const;
    /// Of the same rows (of a kernel of one pass) block `block` of `blocks` alone: part p of a row goes to
    /// partials[(p * blocks + block) * rows + row], `rows` those of the kernel. Element stores happen.
    virtual void run_block(const std::uint64_t* words, std::int64_t first, std::int64_t last, std::int64_t block,
                           std::uint64_t* partials) const;
    /// Adds up the blocks of rows [first, last) in the pairwise tree; then their row code and row stores.
    virtual void finish_rows(const std::uint64_t* words, std::int64_t first, std::int64_t last,
                             const std::uint64_t* partials) const;

    /// Takes the scratch memory that this thread needs for any of these over such words, at most `rows` rows at a time:
    /// after it they cannot fail for want of memory, and without it only before they have written anything.
    virtual void reserve(const std::uint64_t* words, std::int64_t rows) const = 0;

    /// What runs a launch over so many elements, in lines of so many: itself, or what it has become (improving.hpp).
    virtual const cpu_kernel& for_launch(std::int64_t /*elements*/, std::int64_t /*line*/) const noexcept { return *this; }

    /// nanoseconds_per_element as its launches have found it: parts of a domain may take less than the whole looks like.
    virtual double nanoseconds_found() const noexcept { return nanoseconds_per_element; }

    // Filled in by the backend for its own use.
    double nanoseconds_per_element = 1;  ///< rough, in cache: decides how many threads a launch is worth
    std::vector<combiner> combiners;     ///< of the reductions
    std::size_t row_words = 0;           ///< of the row code's values
    bool one_pass = true, strided_rows = false, compiled = false, checks_indices = false, recurs = false;
    bool interruptible = false;
};

std::shared_ptr<cpu_kernel> make_interpreted(const fusion::kernel_spec&, const isa_table&);
class kernel_source;  // compiled_kernel.hpp
/// @throws compile_error with the command and the compiler's log
std::shared_ptr<cpu_kernel> make_compiled(kernel_source&);
/// The same from a bundle (src/cache/bundle.hpp), which takes no compiler; null where it is not there.
std::shared_ptr<cpu_kernel> find_bundled_compiled(kernel_source&);
std::shared_ptr<cpu_kernel> find_bundled_jitted(kernel_source&);

/// The same by LLVM in this process: an object that needs neither LLVM nor a linker when it comes from disk again.
/// @throws compile_error with LLVM's message, or where there is no LLVM
std::shared_ptr<cpu_kernel> make_jitted(kernel_source&);
/// The same from a bundle or the disk cache; null where it is in neither.
std::shared_ptr<cpu_kernel> find_jitted(kernel_source&);

/// Held while a compiler is asked for its version.
std::mutex& compiler_lock();

}  // namespace frit::v0::detail
