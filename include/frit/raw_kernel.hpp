// A program's own CUDA C as a part of the graph: compiled by NVRTC, launched when its results are wanted, in the order of
// the formulas around it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frit/detail/kernel_arguments.hpp"

namespace frit::inline v0 {

/// How NVRTC compiles a raw_kernel.
struct nvrtc_options {
    /// In NVRTC's spelling: "-I/some/folder", "--use_fast_math", "-DN=4". CUDA's own headers (<cuda_fp16.h>, <cuda/std/...>)
    /// are found without a flag where a toolkit of NVRTC's major version is installed: beside its library, in $CUDA_HOME,
    /// $CUDA_PATH or /usr/local/cuda*. With another include folder among them (-I, --include-path), and where the source
    /// includes anything else than `headers` and CUDA's, nothing is kept on disk, since what stands there may change. A
    /// bundle (frit/bundle.hpp) has such a kernel as it was when it was recorded.
    std::vector<std::string> flags{};
    /// Names and texts of headers that the source includes.
    std::vector<std::pair<std::string, std::string>> headers{};
};

/// Bytes of a launch's dynamic shared memory (`extern __shared__`).
struct shared_memory {
    /// @cond
    explicit shared_memory(detail::any_integer n) : bytes(n) {}
    /// @endcond
    std::int64_t bytes;  ///< of each block
};

/// How many blocks of a kernel run side by side on one multiprocessor.
struct kernel_occupancy {
    int blocks;       ///< side by side
    double fraction;  ///< of the threads that a multiprocessor has room for
};

/// @cond
namespace detail {
struct raw_source;
FRIT_API const raw_source* parse_raw_kernel(std::string_view name, std::string_view source, const nvrtc_options&,
                                            source_line);
FRIT_API void launch_raw(const raw_source&, const shape& grid, const shape& block, std::int64_t shared,
                         std::span<kernel_argument>);
FRIT_API int registers_of(const raw_source&, source_line);
FRIT_API kernel_occupancy occupancy_of(const raw_source&, const shape& block, std::int64_t shared, source_line);
}  // namespace detail
/// @endcond

/// A CUDA kernel that a program has as text. Its parameters are read from the text, so that a launch is checked against
/// them: a pointer to const takes an array or a formula of that dtype, another pointer frit::inout of an array, the rest a
/// C++ number. What is kept of it, and its code, is kept for ever, one of each text.
///
/// A pointer to what is no dtype's (float4, a struct) cannot be checked: make it a void*, which takes an array of any dtype,
/// and cast it in the kernel. A name that a macro or several typedefs may give to a type is refused, and so are lines of the
/// preprocessor among the parameters, since which of them counts is not known here.
///
/// What a kernel reads and writes is not checked. A fault (an illegal address, a failed assertion) ends the device's CUDA
/// context, with all arrays there, and for other CUDA code of the process too. It is found late, as a device_error of the
/// next evaluation, copy or frit::synchronize() that waits; under FRIT_SYNC=1 each launch is waited for, which names the
/// kernel. There is no way back but a new process: take to the host what must survive before (x.to(frit::device::cpu())),
/// and look for the cause with compute-sanitizer.
///
///     const frit::raw_kernel axpy("axpy", R"(
///         extern "C" __global__ void axpy(float* y, const float* x, float a, int n) {
///             int k = blockIdx.x * blockDim.x + threadIdx.x;
///             if (k < n) y[k] += a * x[k];
///         })");
///     axpy.launch({64}, {256}, frit::inout(y), x, 2.f, n);
class raw_kernel {
public:
    /// @param name  of a `__global__` function in the source; of a template, with its arguments: "axpy<float>"
    /// @param source  CUDA C++
    /// @param options  headers, flags
    /// @param where  the caller's line
    /// @throws compile_error where the source has no such kernel, or one whose parameters frit cannot read. What NVRTC
    ///     finds wrong is a compile_error of the first evaluation, with its log and this line.
    raw_kernel(std::string_view name, std::string_view source, const nvrtc_options& options = {}, source_line where = {})
        : source_(detail::parse_raw_kernel(name, source, options, where)) {}

    /// Records a launch: arrays named by frit::inout are rebound to what the kernel makes of them. It runs once, when one
    /// of them is wanted first, and makes all of them; formulas among the arguments are evaluated before. C++ numbers are
    /// converted as an assignment converts them. In frit::stats() it is a library call.
    /// What this device or the kernel's registers do not allow (threads of a block, bytes of shared memory) is a
    /// device_error of the evaluation, before the launch has written anything.
    /// @param grid  blocks along x, y and z, as far as they are named
    /// @param block  threads of a block, in the same way
    /// @param arguments  as many as the kernel has parameters
    /// @throws dtype_error for an argument of another dtype than its parameter, or another number of arguments
    /// @throws shape_error for a launch shape that no GPU has
    /// @throws device_error for arrays that are not on a GPU
    template <detail::launchable... A>
    requires(sizeof...(A) > 0) void launch(const shape& grid, const shape& block, const A&... arguments) const {
        launch(grid, block, shared_memory(0), arguments...);
    }
    /// The same with dynamic shared memory.
    template <detail::launchable... A>
    requires(sizeof...(A) > 0) void launch(const shape& grid, const shape& block, shared_memory shared,
                                           const A&... arguments) const {
        detail::kernel_argument list[] = {detail::argument_of(arguments)...};
        detail::launch_raw(*source_, grid, block, shared.bytes, list);
    }

    /// How many registers a thread has. Compiles for the default device. @throws device_error where that is no GPU
    int registers(source_line where = {}) const { return detail::registers_of(*source_, where); }
    /// What fits on a multiprocessor of the default device. @throws device_error where that is no GPU
    kernel_occupancy occupancy(const shape& block, detail::any_integer shared_bytes = 0, source_line where = {}) const {
        return detail::occupancy_of(*source_, block, shared_bytes, where);
    }

private:
    const detail::raw_source* source_;
};

}  // namespace frit::v0
