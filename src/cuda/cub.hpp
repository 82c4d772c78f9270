// Scans and sorts on a GPU: the plugin frit_cub (src/cuda/cub), which nvcc compiles, loaded at the first such call.
#pragma once

#include <string>

#include "fusion/ir/library_call.hpp"
#include "src/base/found_library.hpp"
#include "src/cuda/device.hpp"

namespace frit::inline v0::detail::cuda {

/// Loads the plugin. @throws device_error naming the component that is missing
void require_cub(const device&, const fusion::library_call&);

/// What a call wants of memory besides; 0 without the plugin. @throws device_error
std::size_t cub_workspace(const device&, const fusion::library_call&);

/// Queues a scan or sort on the device's stream. The same call gives the same bits: scans add up in an order that follows
/// from the row's length, by the plugin's own two passes (cub::DeviceScan's order varies from run to run).
/// @throws device_error
void call_cub(const device&, const fusion::library_call&, const void* operand, void* result, void* workspace);

/// For frit::info().
found_library find_cub();

}  // namespace frit::v0::detail::cuda
