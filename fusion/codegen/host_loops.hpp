// The loop IR as C++ for $CXX, over the prelude.
#pragma once

#include <string>

#include "fusion/codegen/dialect_base.hpp"
#include "fusion/loops/ir.hpp"

namespace frit::inline v0::fusion {

/// The dtype's name in the prelude.
std::string host_type(dtype);
/// The functions of a kernel; all but the last are static.
std::string host_text(const loops::kernel&, const dialect&);

}  // namespace frit::v0::fusion
