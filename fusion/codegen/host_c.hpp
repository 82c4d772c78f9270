// What the driver of the host compiler must know of generated host text, so that both agree in one place.
#pragma once

#include <string>
#include <vector>

#include "fusion/ir/kernel_spec.hpp"

namespace frit::inline v0::fusion {

/// The functions, named as ops, that the op's spelling takes from the vector math table: those that the prelude does not
/// define itself. Generated text calls each through an exported variable, a pointer that the loader fills in.
std::vector<op> host_math_functions(op, dtype operand);
std::string host_math_variable(op function, dtype operand);

}  // namespace frit::v0::fusion
