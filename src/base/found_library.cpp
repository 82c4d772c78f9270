// The file behind a loaded symbol: see found_library.hpp.
#include "src/base/found_library.hpp"

#include <dlfcn.h>

namespace frit::inline v0::detail {

std::string file_of(const void* symbol) {
    Dl_info place{};
    return symbol && dladdr(symbol, &place) != 0 && place.dli_fname ? place.dli_fname : std::string();
}

}  // namespace frit::v0::detail
