// CUDA text compiled by the host's compiler into a shared library, behind device_side.hpp. It is compiled for the hooks of
// ThreadSanitizer and UndefinedBehaviorSanitizer, which device_side.hpp defines: no sanitizer's library takes part.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tests/cuda/emulator/abi.hpp"

namespace frit_test {

using emulated_entry = void(const void* words);

class emulated_library {
public:
    /// @param text of kernels with entry points of these names, without their prelude. Known from the disk cache if it was
    /// compiled before.
    /// @throws std::runtime_error with the compiler's log
    emulated_library(const std::string& text, std::vector<std::string> names);
    emulated_library(const emulated_library&) = delete;
    emulated_library& operator=(const emulated_library&) = delete;
    ~emulated_library();

    const std::vector<emulated_entry*>& entries() const { return entries_; }
    emulated_place* place = nullptr;  ///< what the library's code takes for threadIdx and so on

    const std::string& name_of(emulated_entry*) const;
    const std::string& text() const { return source_; }
    std::string in_text(const std::string& what, int line) const;  ///< what, with the line's number and text
    std::string where(const void* instruction) const;              ///< the same of an instruction, if addr2line is there

    bool holds(const char* p) const { return image_begin_ <= p && p < image_end_; }
    /// The __shared__ variables of all kernels, as this thread of the host has them.
    char* shared_begin() const { return one_shared_() - one_shared_at_; }
    char* shared_end() const { return shared_begin() + shared_bytes_; }
    void spoil_shared() const;  ///< as a block finds them: with no values that mean anything

private:
    void find_image();

    std::string source_;
    std::vector<std::string> names_;
    std::vector<emulated_entry*> entries_;
    int file_ = -1;
    void* library_ = nullptr;
    const char *image_begin_ = nullptr, *image_end_ = nullptr;
    char* (*one_shared_)() = nullptr;  // one of them
    std::ptrdiff_t one_shared_at_ = 0;
    std::size_t shared_bytes_ = 0;
};

}  // namespace frit_test
