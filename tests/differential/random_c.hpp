// Random functions in the subset of C that frit::function takes, whose results C defines: no overflow but of what wraps, no
// conversion out of range, and floating numbers small and whole, so that no rounding depends on contraction. The same text
// goes to the host's compiler.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frit/dtype.hpp"
#include "tests/support/values.hpp"

namespace frit_test {

/// The body of a function of (int x0, double x1, uint32_t x2), which gives a number of `result`.
struct c_function {
    std::string name, body;
    frit::dtype result;
};

/// @param earlier  functions that this one may call
c_function random_c_function(std::uint64_t seed, const std::string& name, const std::vector<c_function>& earlier);

/// As C++ and C have them: "int", "uint32_t", ...
const char* c_name_of(frit::dtype);

}  // namespace frit_test
