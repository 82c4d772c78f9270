// Library ops on the CPU.
#include "frit/error.hpp"
#include "src/cpu/cpu.hpp"

namespace frit::inline v0::detail {

void call_library(const fusion::library_call& c, std::span<const void* const>, void*) {
    throw device_error("cpu: no library for " + std::string(frit::name_of(c.code)));
}

}  // namespace frit::v0::detail
