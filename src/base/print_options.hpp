// What fork() needs of the printing options, which a thread may hold just then. The options themselves are frit/print.hpp's.
#pragma once

#include "frit/print.hpp"

namespace frit::inline v0::detail {

// fork() must find the options at rest.
void lock_printoptions_for_fork();
void unlock_printoptions_after_fork();

}  // namespace frit::v0::detail
