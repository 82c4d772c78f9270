// The loop IR as LLVM's intermediate representation, in text: opaque pointers, neither target nor data layout.
#pragma once

#include <string>

#include "fusion/loops/ir.hpp"
#include "fusion/machine/target.hpp"

namespace frit::inline v0::fusion {

/// A module with the kernel's functions; the last one is visible. Its global pointers are named by host_math_variable, and
/// it calls what the prelude's out-of-line functions are: frit_narrow, frit_stretch, frit_order_loads, frit_fill_<dtype>,
/// frit_fill_clamped_<dtype>, frit_spill_<dtype>, and memcpy.
std::string llvm_text(const loops::kernel&, const target&);

}  // namespace frit::v0::fusion
