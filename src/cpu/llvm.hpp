// LLVM as a compiler in this process: text of its intermediate representation in, a relocatable object out. Its library is
// loaded when it is first asked for, by its C interface alone, so that frit builds and runs where there is none.
#pragma once

#include <string>
#include <string_view>

#include "src/base/found_library.hpp"
#include "src/cpu/isa.hpp"

namespace frit::inline v0::detail {

/// What frit::info() says of it. Loads it.
found_library find_llvm();

/// What compile_ir does that the text does not say: keys of kernels hold it. Loads nothing.
std::string_view llvm_options() noexcept;

/// Name and version, for people: "LLVM 14.0.6". Loads the library and starts nothing in it.
/// @throws compile_error as compile_ir where there is none
std::string llvm_version();

/// Compiles a module's text for a level of the CPU's instruction sets. Pointers are opaque (`ptr`) in every version; the
/// text names neither target nor data layout. A product and a sum become one instruction only where the text calls llvm.fma.
/// For any number of threads at once.
/// @returns an object of ELF, position-independent: what loaded_object takes (object.hpp)
/// @throws compile_error with LLVM's message where it refuses the text or fails; where there is no LLVM (it says what was
///         tried); in a process that was forked while another thread was in LLVM
/// @throws std::bad_alloc; what the compilation had taken until then is lost
std::string compile_ir(const std::string& text, isa_level level);

}  // namespace frit::v0::detail
