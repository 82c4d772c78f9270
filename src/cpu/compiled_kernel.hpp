// A kernel that generated machine code runs, whoever compiled it: $CXX into a shared object, LLVM into an object of its own.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "frit/error.hpp"
#include "src/cache/disk.hpp"
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

/// What the disk cache has `found` under a key, as `load` makes a kernel of it. What is whole and yet does not load is
/// removed, to be made afresh.
/// @returns null where there is nothing, or was
template <class Found, class Load>
std::shared_ptr<cpu_kernel> kernel_on_disk(const cache_key& key, const Found& found, const Load& load) {
    if (!found) return nullptr;
    try {
        if (std::shared_ptr<cpu_kernel> k = load(*found)) return k;
    } catch (const io_error&) {
    }
    kernel_cache().remove(key);
    return nullptr;
}

}  // namespace frit::v0::detail
