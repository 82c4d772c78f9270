// frit::aot where a user lets the compiler reorder sums, ignore signs of zeros and multiply by reciprocals, but keeps NaNs.
// tests/CMakeLists.txt has the options.
#include "tests/unit/aot_flags.hpp"

namespace frit_test {

aot_of_a_file<double> aot_with_unsafe_math(const frit::array<double>& x, const frit::array<double>& y) {
    return aot_here(x, y);
}

}  // namespace frit_test
