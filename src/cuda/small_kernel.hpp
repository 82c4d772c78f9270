// Kernels of our own for many small problems, of which a launch computes all: CUDA text (src/cuda/small) that NVRTC compiles
// for one size and form, known and kept on disk as programs' kernels are.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "src/engine/raw_source.hpp"

namespace frit::inline v0::detail::cuda {

/// A kernel, and how many matrices, or rows, a block of it has.
struct small_kernel {
    const raw_source* source;  ///< kept for ever
    unsigned threads, matrices;
};

/// The source of this name, made at the first call.
/// @param title  as messages call it
/// @param parameters  as the text has them, one after the other: p, a pointer, or n, a 64-bit number. What the driver knows
/// of the compiled kernel is compared with them
const raw_source& own_source(const std::string& name, const std::string& title, std::initializer_list<const char*> text,
                             std::string_view parameters);

}  // namespace frit::v0::detail::cuda
