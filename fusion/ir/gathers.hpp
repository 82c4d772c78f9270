// Indices as a kernel looks at them, for passes that have a kernel do so where a library would.
#pragma once

#include <cstdint>

#include "fusion/ir/graph.hpp"

namespace frit::inline v0::fusion {

/// The number of the element, int64, that each index means along an axis of this extent: indices of any integer dtype, over
/// the domain or what broadcasts to it.
value_id add_checked_index(graph&, value_id indices, std::int64_t extent, const shape* domain);

}  // namespace frit::v0::fusion
