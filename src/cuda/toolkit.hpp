// Where the libraries of a CUDA toolkit are looked for when they are loaded at run time, once for all of them.
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "src/base/found_library.hpp"

namespace frit::inline v0::detail::cuda {

/// A library of the toolkit, loaded for ever, or why it is not there.
class toolkit_library {
public:
    /// Tries the names in this order, each in the loader's own search path, $CUDA_HOME, $CUDA_PATH and /usr/local/cuda*.
    /// @param what as an error calls it: "NVRTC"
    toolkit_library(std::string what, const std::vector<std::string>& names);

    /// Looks a function up; the first that is missing is remembered.
    template <class F>
    void find(F& member, const char* symbol) {
        member = reinterpret_cast<F>(address(symbol));
    }
    /// One that older libraries do not have: null then.
    template <class F>
    void find_newer(F& member, const char* symbol) {
        member = reinterpret_cast<F>(address_or_null(symbol));
    }

    /// Empty: the library and all functions asked for are there.
    const std::string& why_not() const { return why_; }

private:
    void* address(const char* symbol);
    void* address_or_null(const char* symbol) const;

    std::string what_, file_, why_;
    void* handle_ = nullptr;
};

/// A toolkit's headers for CUDA C, <cuda_fp16.h> among them.
struct toolkit_headers {
    std::vector<std::string> folders;  ///< none: there is no such toolkit
    std::string version;               ///< CUDA_VERSION, "13000"
    bool have(const std::string& name) const;
};
/// Those beside a library of a toolkit, else of another one of its major version.
toolkit_headers find_headers(const std::string& library, int major);

/// The names of a library to try: CUDA 13's where the driver starts it, then CUDA 12's.
/// @param name  "libcublas.so."; the numbers are those of its versions
std::vector<std::string> names_by_driver(const std::string& name, int of_cuda_13, int of_cuda_12);

/// For frit::info(): what there is of a library for this purpose, or why there is none.
/// @param get_property  the library's own, which gives the parts of its version
found_library found_in_toolkit(const char* name, const char* purpose, const std::string& why_not,
                               int (*get_property)(int part, int* value));

}  // namespace frit::v0::detail::cuda
