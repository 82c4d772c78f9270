// The GPU's half of operations that the plugin frit_cub runs, scans, sorts, selections and places: they differ in nothing
// but the call that they make of a library_call.
#pragma once

#include <cstddef>

#include "src/cuda/cub.hpp"
#include "src/cuda/libraries.hpp"

namespace frit::inline v0::detail {

template <auto Call>
struct by_cub {
    static void require(cuda::libraries& on, const fusion::library_call& c) { cuda::require_cub(on.device, c.code); }
    static std::size_t workspace(cuda::libraries& on, const fusion::library_call& c) {
        return cuda::cub_workspace(on.device, Call(c));
    }
    static void run(cuda::libraries& on, const fusion::library_call& c, const call_memory& at) {
        cuda::call_cub(on.device, Call(c), at);
    }
};

}  // namespace frit::v0::detail
