// A kernel that generated machine code runs, whoever compiled it: $CXX into a shared object, LLVM into an object of its own.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "src/cpu/cpu.hpp"

namespace frit::inline v0::detail {

inline constexpr const char* entry_name = "frit_kernel";

/// The address of a symbol in the code; null if there is none.
using symbol_finder = std::function<void*(const std::string&)>;

/// @param code  holds the code for as long as the kernel lives; `find` is only used here, for the entry and for the pointers
///              of the vector math table, which it fills in
/// @returns null where the code has no entry
std::shared_ptr<cpu_kernel> make_kernel_of(const fusion::kernel_spec&, std::string text, std::shared_ptr<void> code,
                                           const symbol_finder& find, isa_level);

}  // namespace frit::v0::detail
