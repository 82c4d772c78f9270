// See ops.hpp.
#include "src/complex/ops.hpp"

namespace frit::inline v0::detail {
template class complex_numbers::ops<fusion::graph>;
}  // namespace frit::v0::detail
