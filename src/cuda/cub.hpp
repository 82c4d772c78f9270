// Scans, sorts, selections, scatters and masks on a GPU: the plugin frit_cub (src/cuda/cub), which nvcc compiles, loaded at
// the first such call.
#pragma once

#include <cstddef>
#include <cstdint>

#include "src/base/found_library.hpp"
#include "src/cuda/cub/frit_cub.h"
#include "src/cuda/device.hpp"
#include "src/engine/dense_rows.hpp"
#include "src/engine/library_routine.hpp"

namespace frit::inline v0::detail::cuda {

struct cub_call {
    op code;  ///< for messages
    frit_cub_operation operation;
    dense_rows rows;
    int results;  ///< bit k: result k is asked for
};

/// Loads the plugin. @throws device_error naming the component that is missing
void require_cub(const device&, op);

/// What a call wants of memory besides; 0 without the plugin. @throws device_error
std::size_t cub_workspace(const device&, const cub_call&);

/// Queues a scan or sort on the device's stream. The same call gives the same bits: scans add up in an order that follows
/// from the row's length, by the plugin's own two passes (cub::DeviceScan's order varies from run to run).
/// @throws device_error
void call_cub(const device&, const cub_call&, const call_memory&);

struct scatter_call {
    op code;  ///< for messages
    frit_cub_scatter_operation operation;
    dtype type;
    std::int64_t size, count;
    bool narrow;     ///< the numbers are int32, not int64
    bool indices;    ///< they are indices, which are checked; negative ones count from the end
    bool one_value;  ///< for all numbers
};
/// The same of scatters. The operands are the array, the numbers of its elements or indices, the values. Indices are told of
/// in a fault record at that address (src/cuda/faults.hpp).
std::size_t cub_workspace(const device&, const scatter_call&);
void call_cub(const device&, const scatter_call&, const call_memory&, std::uint64_t fault);

struct select_call {
    op code;  ///< for messages
    frit_cub_selection operation;
    dense_rows rows;
    std::int64_t count;  ///< of ranks
    bool alike;          ///< for all rows
    int results;
};
/// The same of selections. The operands are the rows, and the ranks in them.
std::size_t cub_workspace(const device&, const select_call&);
void call_cub(const device&, const select_call&, const call_memory&);

struct compress_call {
    op code;  ///< for messages
    dtype type;
    std::int64_t length, count;  ///< elements, and as many as are picked
};
/// The same of what a mask picks. The operands are the vector and the mask.
std::size_t cub_workspace(const device&, const compress_call&);
void call_cub(const device&, const compress_call&, const call_memory&);

/// For frit::info().
found_library find_cub();

}  // namespace frit::v0::detail::cuda
