// frit::aot where a user lets the compiler do with floating-point numbers what it likes.
// tests/CMakeLists.txt has the options.
#include "tests/unit/aot_flags.hpp"

namespace frit_test {

aot_of_a_file<float> aot_with_fast_math(const frit::array<float>& x, const frit::array<float>& y) { return aot_here(x, y); }

}  // namespace frit_test
