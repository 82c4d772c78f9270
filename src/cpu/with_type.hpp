// From a dtype at run time to its C++ type.
#pragma once

#include "frit/dtype.hpp"

namespace frit::inline v0::detail {

/// Calls f.template operator()<T>() for a compute dtype.
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
/// The same for any dtype that an array may have.
template <class F>
void with_array_type(dtype type, F f) {
    switch (type) {
#define FRIT_X(name, ctype) \
    case dtype::name: return f.template operator()<ctype>();
        FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
        default: return;
    }
}

}  // namespace frit::v0::detail
