// From a compute dtype at run time to its C++ type.
#pragma once

#include "frit/dtype.hpp"

namespace frit::inline v0::detail {

/// Calls f.template operator()<T>().
template <class F>
void with_type(dtype type, F f) {
    switch (type) {
#define FRIT_X(name, ctype) \
    case dtype::name: return f.template operator()<ctype>();
        FRIT_COMPUTE_DTYPES(FRIT_X)
#undef FRIT_X
        default: return;
    }
}

}  // namespace frit::v0::detail
