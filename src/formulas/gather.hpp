// The statement of a gather, for the formulas that make maps of their own.
#pragma once

#include <string_view>
#include <vector>

#include "frit/gather.hpp"
#include "src/formulas/values.hpp"

namespace frit::inline v0::detail {

/// Where a gather reads, and how each index operand is seen from its result.
struct gather_maps {
    attribute_ref gather;
    std::vector<attribute_ref> spreads;
};

/// The statement: base, indices, gather. @throws dtype_error, index_error
user_ref read_at(const user_ref& x, std::vector<user_ref> indices, const gather_maps&, bounds, std::string_view who,
                 source_line);

}  // namespace frit::v0::detail
