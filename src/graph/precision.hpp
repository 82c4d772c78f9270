// The precision that a thread asks products for: where they are recorded, they become the op that says so, and from there on
// nobody has to know the scope.
#pragma once

#include "frit/precision.hpp"
#include "src/graph/programs.hpp"

namespace frit::inline v0::detail {

/// What a user calls an op that a scope has chosen, and any other.
op as_written(op);

/// The same program with the products that this thread asks for; null: they are those that there are.
const known_program* with_asked_precision(const program&);

}  // namespace frit::v0::detail
