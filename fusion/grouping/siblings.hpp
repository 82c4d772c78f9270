// Groups over one domain become one kernel: those that read a common array, which then passes once, and after them small
// ones that have nothing in common but their domain, for the launches saved.
#pragma once

#include <vector>

#include "fusion/grouping/partition.hpp"

namespace frit::inline v0::fusion {

/// @param cuts  receives what was refused, but for loops that have only their domain in common: nothing is lost there
void merge_siblings(partition&, std::vector<cut>& cuts);

}  // namespace frit::v0::fusion
