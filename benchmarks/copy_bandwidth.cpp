// The CUDA driver, loaded at run time as the library does it: this program builds without CUDA.
#include "copy_bandwidth.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace {

using device_pointer = unsigned long long;
using handle = void*;

class driver {
public:
    driver() : library_(dlopen("libcuda.so.1", RTLD_NOW)) {
        if (library_ == nullptr) throw std::runtime_error("no CUDA driver: libcuda.so.1 cannot be loaded");
    }
    ~driver() { dlclose(library_); }
    driver(const driver&) = delete;
    driver& operator=(const driver&) = delete;

    template <class... Arguments>
    void call(const char* name, Arguments... arguments) const {
        const auto function = reinterpret_cast<int (*)(Arguments...)>(dlsym(library_, name));
        if (function == nullptr) throw std::runtime_error(std::string("the CUDA driver has no ") + name);
        if (const int code = function(arguments...); code != 0)
            throw std::runtime_error(std::string(name) + " failed with CUDA error " + std::to_string(code));
    }

private:
    void* library_;
};

constexpr std::size_t bytes = std::size_t{1} << 29;

}  // namespace

copy_bandwidth measure_copy_bandwidth() {
    const driver cuda;
    int device = 0;
    handle context = nullptr, stream = nullptr, start = nullptr, stop = nullptr;
    device_pointer from = 0, to = 0;
    std::array<char, 256> name{};
    cuda.call("cuInit", 0u);
    cuda.call("cuDeviceGet", &device, 0);
    cuda.call("cuDeviceGetName", name.data(), static_cast<int>(name.size()), device);
    cuda.call("cuDevicePrimaryCtxRetain", &context, device);
    cuda.call("cuCtxSetCurrent", context);
    cuda.call("cuStreamCreate", &stream, 1u);  // does not wait for the default stream
    cuda.call("cuEventCreate", &start, 0u);
    cuda.call("cuEventCreate", &stop, 0u);
    cuda.call("cuMemAlloc_v2", &from, bytes);
    cuda.call("cuMemAlloc_v2", &to, bytes);

    const auto milliseconds = [&](int copies) {
        cuda.call("cuEventRecord", start, stream);
        for (int i = 0; i < copies; ++i) cuda.call("cuMemcpyDtoDAsync_v2", to, from, bytes, stream);
        cuda.call("cuEventRecord", stop, stream);
        cuda.call("cuEventSynchronize", stop);
        float elapsed = 0;
        cuda.call("cuEventElapsedTime", &elapsed, start, stop);
        return static_cast<double>(elapsed) / copies;
    };
    milliseconds(3);
    const int copies = std::max(1, static_cast<int>(std::lround(25.0 / milliseconds(10))));
    std::vector<double> batches(9);
    for (double& b : batches) b = milliseconds(copies);
    std::sort(batches.begin(), batches.end());

    cuda.call("cuMemFree_v2", from);
    cuda.call("cuMemFree_v2", to);
    cuda.call("cuEventDestroy_v2", start);
    cuda.call("cuEventDestroy_v2", stop);
    cuda.call("cuStreamDestroy_v2", stream);
    return {name.data(), 2.0 * static_cast<double>(bytes) / batches[batches.size() / 2] * 1e-6};
}
