// The table of functions that CUDA text may call, in four files: cuda_prelude.cpp (types, exact arithmetic), cuda_memory.cpp
// (accesses), cuda_groups.cpp (reductions) and cuda_math.cpp (<cmath> where CUDA's own would not do).
#pragma once

#include <span>
#include <string_view>

namespace frit::inline v0::fusion {

struct cuda_prelude_entry {
    std::string_view name;  ///< printed where this word occurs
    std::string_view text;
};

/// In order of printing: an entry may use those above it; the other files' those of cuda_prelude.cpp.
std::span<const cuda_prelude_entry> cuda_memory_entries();
std::span<const cuda_prelude_entry> cuda_group_entries();
std::span<const cuda_prelude_entry> cuda_math_entries();

/// Whether the prelude has frit_<function>; what it has not is CUDA's own.
bool in_cuda_prelude(std::string_view function);

}  // namespace frit::v0::fusion
