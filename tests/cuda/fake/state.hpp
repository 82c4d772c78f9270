// What a test may see and change of the fakes: CUDA driver, plugin for scans and sorts, profiler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "src/cuda/cub/frit_cub.h"

namespace frit_test {

struct fake_driver_state {
    // to change
    std::size_t memory = std::size_t{64} << 20;  ///< bytes of a device
    int refuse_modules = 0;                      ///< so many cuModuleLoadData fail from now on
    int refuse_launches = 0;                     ///< so many cuLaunchKernel fail from now on
    int fault = 0;                               ///< what cuStreamSynchronize returns
    int refuse_frees = 0;                        ///< so many cuMemFree free the memory and report a failure from now on
    int most_threads = 1024, own_shared = 0;     ///< what a kernel's registers allow, and its shared memory of fixed size
    std::vector<std::size_t> parameter_bytes;    ///< of a kernel that is none of frit's; empty: the driver does not tell
    std::function<void(void** parameters)> program;  ///< what a launch of a kernel that is none of frit's does
    std::function<void()> while_waiting;             ///< what others do while a thread waits for an event; once
    // to see
    std::map<std::uintptr_t, std::size_t> on_device;  ///< blocks of its memory
    std::size_t allocated = 0;
    int allocations = 0, launches = 0, modules = 0;
    std::int64_t faulty_index = 0;  ///< not 0: launches that check indices find this one out of range of 7 elements
    unsigned grid[3] = {}, block[3] = {};
    unsigned shared = 0, most_shared = 0;  ///< of the last launch; what a kernel has asked for
    std::uint64_t words[8] = {};           ///< the first words of the last launch's parameter
    std::vector<std::string> launched;     ///< the symbols of all kernels, in order
};

/// The state of the driver library that this process has loaded.
using fake_driver_state_function = fake_driver_state*();
inline constexpr const char* fake_driver_state_symbol = "fake_driver_state_of_this_process";

struct fake_cub_state {
    frit_cub_call call{};  ///< the last one
    const void* from = nullptr;
    void* to[2] = {};
    void* workspace = nullptr;
    void* stream = nullptr;
    int calls = 0;
    bool refuse = false;         ///< to change: calls fail
    bool starved = false;        ///< to change: calls throw std::bad_alloc
    frit_cub_scatter scatter{};  ///< the last one
    const void* scattered[3] = {};
    std::uint64_t* fault = nullptr;
    std::int64_t faulty_index = 0;  ///< to change: not 0: scatters that check indices find this one out of range
    frit_cub_select select{};       ///< the last one
    const std::int64_t* ranks = nullptr;
    void* selected[3] = {};
    frit_cub_compress compress{};  ///< the last one
    const void* mask = nullptr;
};
/// The first element of a matrix of which the fake cuSOLVER's iterations do not converge: they say so and write nothing.
inline constexpr double fake_endless = 4096.5;

/// How many cuBLAS handles there are, how many were made by other threads than the first, and how many products were asked
/// for, a batch being one: functions of no argument.
inline constexpr const char* fake_cublas_handles_symbol = "fake_cublas_handles_of_this_process";
inline constexpr const char* fake_cublas_handles_made_aside_symbol = "fake_cublas_handles_made_aside_of_this_process";
inline constexpr const char* fake_cublas_products_symbol = "fake_cublas_products_of_this_process";

/// Of cuBLASLt: products that were asked for, algorithms that were, and descriptions that nobody has destroyed.
inline constexpr const char* fake_cublaslt_products_symbol = "fake_cublaslt_products_of_this_process";
inline constexpr const char* fake_cublaslt_choices_symbol = "fake_cublaslt_choices_of_this_process";
inline constexpr const char* fake_cublaslt_descriptions_symbol = "fake_cublaslt_descriptions_of_this_process";

using fake_cub_state_function = fake_cub_state*();
inline constexpr const char* fake_cub_state_symbol = "fake_cub_state_of_this_process";

struct fake_profiler_state {
    char domain[32] = {}, last[1000] = {};  ///< the domain's name, the last range's
    int ranges = 0, depth = 0;              ///< pushed, and not yet popped
};
using fake_profiler_state_function = fake_profiler_state*();
inline constexpr const char* fake_profiler_state_symbol = "fake_profiler_state_of_this_process";

}  // namespace frit_test
