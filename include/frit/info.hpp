// What frit finds on this machine, in words: what the program frit-info prints, and what belongs into a report of a problem.
#pragma once

#include <string>

#include "frit/config.hpp"

namespace frit::inline v0 {

/// Devices and engines, the cache of compiled kernels, libraries found and missing (with what to install), and every
/// environment variable that steers frit, with its value in force. Several lines; evaluates nothing.
/// @throws frit::error for an environment variable with a value that is not allowed
FRIT_API std::string info();

}  // namespace frit::v0
