// The parameters of a CUDA kernel, read from its text: enough of C++'s grammar to find a `__global__` function by its name
// and to say what a launch must be given. What it cannot be sure of, it refuses.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "src/engine/raw_source.hpp"

namespace frit::inline v0::detail {

/// What is wrong with a text, without the place where the program wrote it.
struct signature_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// @param name  "axpy", "space::axpy", or with template arguments, "axpy<float, 4>"
/// @throws signature_error where there is no such kernel, several of different parameters, or a parameter of a type that is
///     no dtype's
std::vector<raw_parameter> parameters_of(std::string_view name, std::string_view source);

}  // namespace frit::v0::detail
