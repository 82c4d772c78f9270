// Kernels that programs bring as CUDA C, on one GPU: compiled by NVRTC, loaded once, launched on its stream.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <unordered_map>

#include "src/cuda/device.hpp"
#include "src/engine/raw_source.hpp"

namespace frit::inline v0::detail::cuda {

class raw_kernels {
public:
    explicit raw_kernels(const device& d) : device_(d) {}
    /// The kernel on the device. Compiles and loads it, where that has not been done: others who want it wait.
    /// @param of  kept for ever
    /// @throws compile_error with NVRTC's log
    function ready(const raw_source& of);
    /// Queues a launch. @param parameters  addresses of the values, which the driver copies
    void launch(const raw_source&, const raw_launch&, std::span<void*> parameters, std::string_view formula);

    int registers(const raw_source&);
    /// Blocks side by side on a multiprocessor.
    int blocks(const raw_source&, int threads, std::size_t shared);
    /// How many threads a multiprocessor has room for.
    int threads_of_processor() const;

private:
    function made(const raw_source&);
    /// More than this is had on request alone (CUDA C++ Programming Guide, "Shared Memory").
    static constexpr unsigned usual_shared = 48 * 1024;
    void make_room(function, std::size_t shared);

    const device& device_;
    struct entry {
        std::mutex compiling;  // held by the one thread that does
        function ready = nullptr;
    };
    std::mutex lock_;  // of the map only
    std::unordered_map<const raw_source*, std::shared_ptr<entry>> known_;
};

}  // namespace frit::v0::detail::cuda
