// The loop IR of a GPU kernel as CUDA C++ for NVRTC.
#pragma once

#include <string>

#include "fusion/codegen/dialect_base.hpp"
#include "fusion/loops/ir.hpp"

namespace frit::inline v0::fusion {

/// The entry point and what it needs beside the prelude: struct <name>_words, and structs <name>_acc<r>, one for each rule.
std::string cuda_text(const loops::kernel&, const dialect&);

}  // namespace frit::v0::fusion
