// What the driver of the host compiler must know of generated host text, so that both agree in one place.
#pragma once

#include <string>
#include <vector>

#include "fusion/ir/kernel_spec.hpp"

namespace frit::inline v0::fusion {

/// The functions, named as ops, that the op's spelling takes from the vector math table: those that the prelude does not
/// define itself. Generated text calls each through an exported variable, a pointer that the loader fills in.
std::vector<op> host_math_functions(op);
std::string host_math_variable(op function, dtype operand);

/// The name of the epilogue's entry point: void (const u64* words, const u64* totals). The kernel's own is
/// void (const u64* words, i64 begin, i64 end, u64* partials, i64 blocks).
std::string host_finish_name(const std::string& kernel_name);

}  // namespace frit::v0::fusion
