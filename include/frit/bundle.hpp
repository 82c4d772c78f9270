// Bundles: the compiled kernels of a program in one file, which goes with it to machines without compilers.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "frit/config.hpp"
#include "frit/error.hpp"

namespace frit::inline v0 {

/// What record_kernels has begun. Goes on until it is closed, or dies.
class kernel_recording {
public:
    /// The recording goes on in the new object.
    FRIT_API kernel_recording(kernel_recording&&) noexcept;
    kernel_recording& operator=(kernel_recording&&) = delete;
    /// A recording that was not closed is dropped: no file is written.
    FRIT_API ~kernel_recording();

    /// Compiles what is still missing (counted in stats().compilations), writes the file, whole or not at all, and ends the
    /// recording. Where it throws, the recording goes on.
    /// @returns how many kernels the file holds
    /// @throws io_error naming the file: it cannot be written
    /// @throws compile_error, device_error: a kernel does not compile, or there is no compiler for it
    /// @throws error for a recording that has been closed
    FRIT_API std::size_t close(source_line where = {});

private:
    friend FRIT_API kernel_recording record_kernels(std::string, std::vector<int>, source_line);
    explicit kernel_recording(std::string path, std::vector<int> gpus) noexcept
        : path_(std::move(path)), gpus_(std::move(gpus)) {}

    std::string path_;  ///< empty: closed, or moved from
    std::vector<int> gpus_;
};

/// From now on remembers which kernels this process runs, on all its threads and devices: those that are compiled, those
/// that are found in memory or on disk, those that the CPU's interpreter runs, and each frit::raw_kernel. Closing compiles
/// what has not been, and writes all of them into a file: for the CPU, objects for its instruction set (`$FRIT_CPU_ISA`
/// chooses a lower one) by LLVM, or by `$CXX` where that is the engine or there is no LLVM; for the GPU that ran them, and
/// for those of other compute capabilities that are named, cubins.
///
/// ```cpp
/// const frit::array<float> x{1, 2, 3};
/// auto recording = frit::record_kernels("app.fritpack");
/// frit::array<float> y = x * x + 1.0F;
/// y.eval();
/// std::cout << recording.close() << "\n";
/// std::cout << frit::load_kernels("app.fritpack") << "\n";
/// std::remove("app.fritpack");
/// ```
/// ```text
/// 1
/// 1
/// ```
///
/// `gpus` are 80 for compute capability 8.0, and so on: NVRTC compiles for them without such a device. What is recorded is
/// what the planner made for the device that is here; a device that it would plan otherwise for finds only a part.
/// @throws error for an empty path, a compute capability that is none, or where a recording goes on already
[[nodiscard]] FRIT_API kernel_recording record_kernels(std::string path, std::vector<int> gpus = {}, source_line where = {});

/// Takes the kernels of a bundle into memory: whatever this process prepares from now on is looked for there before it is
/// looked for on disk (counted in stats().bundle_hits), and needs no compiler then. Several bundles add up. The engine
/// `auto` runs such a kernel as compiled code at once. What no bundle holds is made as ever: interpreted, or compiled where
/// there is a compiler. Kernels for other instruction sets or GPUs are left alone. What stands in a bundle is run, as a
/// library's code is: load only what you would link.
/// @returns how many kernels the file holds
/// @throws io_error naming the file and the reason: it cannot be read, is no bundle, is damaged or cut short, or was written
/// by another version of frit, whose kernels are others; then nothing of it is used
FRIT_API std::size_t load_kernels(const std::string& path, source_line where = {});

}  // namespace frit::v0
