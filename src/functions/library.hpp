// Functions of <math.h> that are no operations: texts of the subset, as a program would write them.
#pragma once

#include <cstdint>
#include <string_view>

#include "frit/dtype.hpp"

namespace frit::inline v0::detail {

struct library_text {
    std::string_view name;
    bool single;   ///< the first argument is a float, and the result
    dtype result;  ///< float64: as the first argument
    std::uint32_t parameters;
    dtype types[2];
    std::string_view text;
};

/// Of a first argument of this type, a floating one. Null: there is none.
const library_text* library_text_named(std::string_view name, dtype of);

}  // namespace frit::v0::detail
