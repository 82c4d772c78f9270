// Fourier transforms on a GPU: cuFFT, loaded at the first call, so that frit neither needs it to build nor to start. Plans
// are kept, a bounded number of them; memory on the device is the caller's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>

#include "frit/dtype.hpp"
#include "src/base/found_library.hpp"
#include "src/base/recently_used.hpp"
#include "src/cuda/device.hpp"

namespace frit::inline v0::detail::cuda {

/// Where the elements of a batch of transforms stand, on one side: element (b, i, j, k) at b * distance + ((i * embed[1] +
/// j) * embed[2] + k) * stride; with fewer axes the first ones are not there.
struct fourier_side {
    dtype type = dtype::c64;
    std::array<long long, 3> embed{};
    long long stride = 1, distance = 1;
    friend bool operator==(const fourier_side&, const fourier_side&) = default;
};

/// A batch of transforms of one to three axes: of complex numbers, or of real ones on one side.
struct fourier_plan {
    int axes = 1;
    std::array<long long, 3> n{};
    fourier_side in{}, out{};
    long long batch = 1;
    bool inverse = false;
    friend bool operator==(const fourier_plan&, const fourier_plan&) = default;
};

class fourier {
public:
    explicit fourier(const device& d) : device_(d) {}

    /// Whether cuFFT is there.
    static bool found();
    /// Loads cuFFT. @throws device_error naming what `who` misses
    void require(std::string_view who) const;
    /// Bytes of scratch memory. @throws device_error, out_of_memory
    std::size_t bytes(const fourier_plan&);
    /// Queues it on the device's stream. What is transformed to real numbers may be overwritten. @throws device_error,
    /// out_of_memory
    void run(const fourier_plan&, const void* in, void* out, void* work);

private:
    struct made_plan;
    std::shared_ptr<const made_plan> made(const fourier_plan&);

    const device& device_;
    std::mutex lock_;  // of the plans, for as long as a call is queued
    recently_used<fourier_plan, const made_plan> plans_{64, std::size_t{1} << 30};
};

/// For frit::info().
found_library find_cufft();

}  // namespace frit::v0::detail::cuda
