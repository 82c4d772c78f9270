// The ops that a library runs, by the rows of ops.def: each is one file beside this one, named in its row.
#pragma once

#include "frit/opcode.hpp"
#include "src/engine/library_routine.hpp"

namespace frit::inline v0::detail {

/// Of a library op.
const library_routine& routine_of(op);
/// A scatter into a vector, of indices as they were given, int64, or int32 where these count from its end.
const library_routine& checking_scatter();

}  // namespace frit::v0::detail
