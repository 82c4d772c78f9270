// What a machine has of a library or program that frit looks for at run time: one small answer per loader, for frit::info().
#pragma once

#include <string>

#include "frit/config.hpp"

namespace frit::inline v0::detail {

struct found_library {
    std::string name;  ///< "OpenBLAS"
    std::string use;   ///< what frit does with it: "matmul on the CPU"
    bool found = false;
    std::string text;  ///< found: version and file; else why not, and what to install
};

/// The file of a loaded library that holds this symbol; empty if the loader does not know.
std::string file_of(const void* symbol);

}  // namespace frit::v0::detail
