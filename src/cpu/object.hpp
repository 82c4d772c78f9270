// A loader of relocatable objects, as LLVM makes them, from bytes: what the linker and the dynamic loader would do for a
// kernel, in a few microseconds and with neither. So a kernel out of the disk cache needs no LLVM.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "frit/config.hpp"

namespace frit::inline v0::detail {

/// Code and data of one object in memory, for as long as it lives. No memory of it is writable and executable at once.
class loaded_object {
public:
    /// Loads an ELF object for x86-64 of position-independent code in the small model. Constructors, thread-local and common
    /// variables are refused. The bytes are not needed afterwards.
    /// @param resolve address of what the object uses and does not define, wherever it lies; null: there is none
    /// @throws io_error where the bytes are damaged, or no such object; where it needs a symbol that `resolve` has not
    /// @throws compile_error where the system lets no memory become executable
    /// @throws std::bad_alloc
    static std::unique_ptr<loaded_object> load(std::string_view bytes,
                                               const std::function<void*(std::string_view)>& resolve);
    ~loaded_object();
    loaded_object(const loaded_object&) = delete;
    loaded_object& operator=(const loaded_object&) = delete;

    /// The function or variable of this name that it defines for others; null if there is none.
    void* find(std::string_view symbol) const noexcept;

private:
    friend class object_loader;
    loaded_object() = default;

    std::byte* memory_ = nullptr;
    std::size_t size_ = 0;
    std::map<std::string, void*, std::less<>> symbols_;
};

}  // namespace frit::v0::detail
