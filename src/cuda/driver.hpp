// The CUDA driver's API as frit uses it, loaded at run time: the library has no link to CUDA and needs no CUDA header, so
// one binary runs with and without a GPU. Only the functions of the table below exist for the rest of src/cuda.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "frit/config.hpp"

namespace frit::inline v0::detail::cuda {

// The driver's types, by its ABI: plain ints and pointers to what only the driver knows.
using result = int;
using device_id = int;
using device_pointer = std::uint64_t;
using context = struct context_tag*;
using stream = struct stream_tag*;
using event = struct event_tag*;
using module_handle = struct module_tag*;
using function = struct function_tag*;

inline constexpr result success = 0, error_invalid_value = 1, error_out_of_memory = 2;
inline constexpr int attribute_processors = 16, attribute_major = 75, attribute_minor = 76;  // CU_DEVICE_ATTRIBUTE_*
inline constexpr int attribute_threads_of_processor = 39, attribute_most_shared = 97;        // CU_DEVICE_ATTRIBUTE_*, too
inline constexpr int function_threads = 0, function_static_shared = 1, function_registers = 4,
                     function_dynamic_shared = 8;  // CU_FUNC_ATTRIBUTE_*
inline constexpr unsigned event_without_timing = 2, stream_default = 0;

// X(member, exported symbol, parameters)
#define FRIT_CUDA_DRIVER(X)                                                                                  \
    X(init, cuInit, (unsigned))                                                                              \
    X(driver_version, cuDriverGetVersion, (int*))                                                            \
    X(error_name, cuGetErrorName, (result, const char**))                                                    \
    X(error_text, cuGetErrorString, (result, const char**))                                                  \
    X(device_count, cuDeviceGetCount, (int*))                                                                \
    X(device_get, cuDeviceGet, (device_id*, int))                                                            \
    X(device_name, cuDeviceGetName, (char*, int, device_id))                                                 \
    X(device_memory, cuDeviceTotalMem_v2, (std::size_t*, device_id))                                         \
    X(device_attribute, cuDeviceGetAttribute, (int*, int, device_id))                                        \
    X(primary_retain, cuDevicePrimaryCtxRetain, (context*, device_id))                                       \
    X(current, cuCtxGetCurrent, (context*))                                                                  \
    X(set_current, cuCtxSetCurrent, (context))                                                               \
    X(push_current, cuCtxPushCurrent_v2, (context))                                                          \
    X(pop_current, cuCtxPopCurrent_v2, (context*))                                                           \
    X(context_synchronize, cuCtxSynchronize, ())                                                             \
    X(stream_create, cuStreamCreate, (stream*, unsigned))                                                    \
    X(stream_synchronize, cuStreamSynchronize, (stream))                                                     \
    X(event_create, cuEventCreate, (event*, unsigned))                                                       \
    X(event_record, cuEventRecord, (event, stream))                                                          \
    X(event_synchronize, cuEventSynchronize, (event))                                                        \
    X(memory_info, cuMemGetInfo_v2, (std::size_t*, std::size_t*))                                            \
    X(memory_alloc, cuMemAlloc_v2, (device_pointer*, std::size_t))                                           \
    X(memory_free, cuMemFree_v2, (device_pointer))                                                           \
    X(host_alloc, cuMemAllocHost_v2, (void**, std::size_t))                                                  \
    X(host_device_pointer, cuMemHostGetDevicePointer_v2, (device_pointer*, void*, unsigned))                 \
    X(copy_to_device, cuMemcpyHtoDAsync_v2, (device_pointer, const void*, std::size_t, stream))              \
    X(copy_to_host, cuMemcpyDtoHAsync_v2, (void*, device_pointer, std::size_t, stream))                      \
    X(copy_on_device, cuMemcpyDtoDAsync_v2, (device_pointer, device_pointer, std::size_t, stream))           \
    X(set_bytes, cuMemsetD8Async, (device_pointer, unsigned char, std::size_t, stream))                      \
    X(module_load, cuModuleLoadData, (module_handle*, const void*))                                          \
    X(module_function, cuModuleGetFunction, (function*, module_handle, const char*))                         \
    X(function_attribute, cuFuncGetAttribute, (int*, int, function))                                         \
    X(set_function_attribute, cuFuncSetAttribute, (function, int, int))                                      \
    X(blocks_per_processor, cuOccupancyMaxActiveBlocksPerMultiprocessor, (int*, function, int, std::size_t)) \
    X(launch_kernel, cuLaunchKernel,                                                                         \
      (function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, stream, void**, void**))

// The same, of drivers that are newer than the oldest that frit takes: null elsewhere.
#define FRIT_NEWER_CUDA_DRIVER(X) \
    X(parameter_info, cuFuncGetParamInfo, (function, std::size_t, std::size_t*, std::size_t*))  // CUDA 12.4

struct driver {
#define FRIT_X(member, symbol, parameters) result(*member) parameters = nullptr;
    FRIT_CUDA_DRIVER(FRIT_X)
    FRIT_NEWER_CUDA_DRIVER(FRIT_X)
#undef FRIT_X
    int version = 0;  ///< 13000 for 13.0
    int devices = 0;  ///< how many the driver sees
};

/// The driver, loaded and initialised at the first call. @throws device_error that says what is missing
const driver& the_driver();

/// The driver or null with the reason; never throws. In a process forked after the driver was initialised there is none.
const driver* find_driver(std::string& why) noexcept;
/// The same, for what must not take a lack of memory for a lack of GPUs. @throws std::bad_alloc
const driver* look_for_driver(std::string& why);

/// True in a child of a process that had initialised the driver: CUDA does not work there.
bool forked_after_init() noexcept;
/// @throws device_error where forked_after_init()
void refuse_after_fork(const std::string& device);

/// "out of memory (CUDA_ERROR_OUT_OF_MEMORY)". Of an error that takes the whole context with it, that too.
std::string describe(result);
/// @throws device_error "cuda:0: <doing>: <what the driver says>"
[[noreturn]] void throw_failed(result, const std::string& device, const char* doing);
inline void check(result r, const std::string& device, const char* doing) {
    if (r != success) [[unlikely]]
        throw_failed(r, device, doing);
}

}  // namespace frit::v0::detail::cuda
