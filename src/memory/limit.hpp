// How much the arrays of one device may take, for pools and whoever plans: who may go ahead under it is decided above, in
// src/graph/memory_limit.hpp.
#pragma once

#include <cstdint>

#include "frit/config.hpp"

namespace frit::inline v0::detail {

/// frit::memory_limit(), for those who are not to include what users do.
std::uint64_t limit_of_memory();

}  // namespace frit::v0::detail
