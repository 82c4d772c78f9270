// Calls on a GPU that are launches of a kernel of our own (src/cuda/small_kernel.hpp): of small matrices, of rows of a
// transform.
#pragma once

#include <cstdint>
#include <span>

#include "src/cuda/libraries.hpp"
#include "src/cuda/small_kernel.hpp"

namespace frit::inline v0::detail {

/// Compiles and loads a kernel that a call will launch. @throws compile_error, device_error
inline void require_small(cuda::libraries& on, const cuda::small_kernel& k) { on.programs.ready(*k.source); }

/// A parameter of a launch, by its address: all are 64 bits.
template <class T>
void* parameter(T& x) {
    static_assert(sizeof x == 8);
    return &x;
}
/// @param count  of matrices, of parts of them that are computed like one, or of rows
inline void launch_small(cuda::libraries& on, const cuda::small_kernel& k, std::int64_t count, std::span<void*> parameters,
                         const call_memory& at) {
    raw_launch shape{{1, 1, 1}, {k.threads, 1, 1}, 0};
    shape.grid[0] = static_cast<unsigned>((count + k.matrices - 1) / k.matrices);
    on.programs.launch(*k.source, shape, parameters, at.formula);
}

}  // namespace frit::v0::detail
