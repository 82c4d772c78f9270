// Kernels that programs bring as CUDA C, on one GPU: compiled by NVRTC, loaded once, launched on its stream.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "src/cuda/device.hpp"
#include "src/engine/raw_source.hpp"

namespace frit::inline v0::detail::cuda {

class raw_kernels {
public:
    explicit raw_kernels(const device& d) : device_(d) {}
    /// Compiles and loads a kernel, where that has not been done: others who want it wait.
    /// @param of  kept for ever
    /// @throws compile_error with NVRTC's log
    void ready(const raw_source& of) { entry_of(of); }
    /// Asks the device for what a launch takes. @throws refused_launch where it has not so much
    void admit(const raw_source&, const raw_launch&, std::string_view formula);
    /// Queues a launch that has been admitted. @param parameters  addresses of the values, which the driver copies
    void launch(const raw_source&, const raw_launch&, std::span<void*> parameters, std::string_view formula);

    int registers(const raw_source&);
    /// Blocks side by side on a multiprocessor.
    int blocks(const raw_source&, int threads, std::size_t shared);
    /// How many threads a multiprocessor has room for.
    int threads_of_processor() const { return attribute_of_device(attribute_threads_of_processor); }

private:
    /// More than this is had on request alone (CUDA C++ Programming Guide, "Shared Memory").
    static constexpr int usual_shared = 48 * 1024;
    struct entry {
        std::mutex lock;  // held by the one thread that compiles; of what the kernel has asked for
        function code = nullptr;
        int most_threads = 0;
        int own_shared = 0;  ///< beside that of its launches, of a fixed size
        int asked = 0;       ///< for launches, at most: other launches may wait for it
    };
    entry& entry_of(const raw_source&);
    // The rest with the context current.
    function made(const raw_source&);
    void compare_parameters(const raw_source&, function, const std::string& who) const;
    int attribute_of(function, int which) const;
    int attribute_of_device(int which) const;
    void make_room(entry&, int shared);

    const device& device_;
    std::mutex lock_;  // of the map only
    std::unordered_map<const raw_source*, std::unique_ptr<entry>> known_;
};

}  // namespace frit::v0::detail::cuda
