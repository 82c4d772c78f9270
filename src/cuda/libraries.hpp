// What library ops need of one GPU: the device, and the handles of its libraries, which are made at the first call.
#pragma once

#include "src/cuda/blas.hpp"
#include "src/cuda/device.hpp"
#include "src/cuda/faults.hpp"
#include "src/cuda/fourier.hpp"
#include "src/cuda/matrix_faults.hpp"
#include "src/cuda/raw_kernels.hpp"
#include "src/cuda/solver.hpp"

namespace frit::inline v0::detail::cuda {

struct libraries {
    const cuda::device& device;
    fault_records& indices;  ///< for calls that check them, as for kernels
    blas products;
    solver factors{device};
    fourier transforms{device};
    matrix_faults faults{device};
    raw_kernels programs{device};  ///< kernels that programs bring
};

}  // namespace frit::v0::detail::cuda
