// A kernel that generated machine code runs, whoever compiled it: $CXX into a shared object, LLVM into an object of its own.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "frit/error.hpp"
#include "src/cache/bundle.hpp"
#include "src/cache/disk.hpp"
#include "src/cpu/cpu.hpp"

namespace frit::inline v0::detail {

inline constexpr const char* entry_name = "frit_kernel";

/// What a compiled kernel is made of. Its texts are what compilers get and keys of caches, so several ask for them, one
/// after the other: each is written once. One thread at a time.
class kernel_source {
public:
    kernel_source(const fusion::kernel_spec& s, const fusion::target& t, isa_level l) : spec(s), target(t), level(l) {}

    const std::string& host_text();  ///< C++ for $CXX
    const std::string& llvm_text();
    /// The kernel is there: its texts are not asked for again.
    void drop_texts() noexcept;

    fusion::kernel_spec spec;
    fusion::target target;
    isa_level level;

private:
    std::string host_, llvm_;
};

/// The address of a symbol in the code; null if there is none.
using symbol_finder = std::function<void*(const std::string&)>;

/// @param code  holds the code for as long as the kernel lives; `find` is only used here, for the entry and for the pointers
///              of the vector math table, which it fills in
/// @returns null where the code has no entry
std::shared_ptr<cpu_kernel> make_kernel_of(const kernel_source&, std::string text, std::shared_ptr<void> code,
                                           const symbol_finder& find);

/// What `load` makes of what was found; null where that is whole and yet does not load.
template <class Found, class Load>
std::shared_ptr<cpu_kernel> kernel_of_found(const Found& found, const Load& load) {
    try {
        return load(found);
    } catch (const io_error&) {
        return nullptr;
    }
}

/// What a bundle has under a key (whose options and compiler need not be known), as `load` makes a kernel of its binary.
/// @returns null where there is nothing that loads
template <class Load>
std::shared_ptr<cpu_kernel> kernel_in_bundle(const cache_key& key, const Load& load) {
    const auto found = bundles().find(key);
    if (!found) return nullptr;
    if (std::shared_ptr<cpu_kernel> k = kernel_of_found(found->binary, load)) return k;
    bundles().forget(key);
    return nullptr;
}

/// The same of the disk cache's file. What does not load is removed, to be made afresh.
template <class Load>
std::shared_ptr<cpu_kernel> kernel_on_disk(const cache_key& key, const Load& load) {
    const auto found = kernel_cache().open(key);
    if (!found) return nullptr;
    if (std::shared_ptr<cpu_kernel> k = kernel_of_found(*found, load)) {
        bundles().keep(key, found->bytes);
        return k;
    }
    kernel_cache().remove(key);
    return nullptr;
}

/// Keeps what has been compiled.
inline void keep_kernel(const cache_key& key, std::string_view binary, std::string_view source, std::string_view suffix) {
    kernel_cache().store(key, binary, source, suffix);
    bundles().keep(key, binary);
}

}  // namespace frit::v0::detail
