// Opens a shared object that was read and checked: that very file, not what its path may name by now.
#pragma once

#include <string>

#include "frit/config.hpp"

namespace frit::inline v0::detail {

/// dlopen of the file behind a descriptor; null, with dlerror() set, if it does not load. The descriptor may be closed
/// after.
/// @param path of the same file, for where /proc is not mounted
void* open_shared_object(int file, const std::string& path);

}  // namespace frit::v0::detail
