// Compiling many kernels in few programs: a program's start costs NVRTC more than a small kernel does. Needs no GPU.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fusion/codegen/cuda_c.hpp"
#include "src/cuda/nvrtc.hpp"

namespace frit_test {

/// Skips the test, with the reason, where there is no NVRTC.
#define FRIT_NEEDS_NVRTC()                                            \
    do {                                                              \
        std::string why;                                              \
        if (!frit::detail::cuda::has_nvrtc(why)) GTEST_SKIP() << why; \
    } while (false)

/// Compiles the kernels' texts (unique names, no prelude), a few dozen to a program, on two threads.
/// @return the compiler's log and the text of each program that failed; empty: all compiled
std::string compile_in_batches(const std::vector<std::string>& texts, int sm, std::size_t per_program = 40);

/// The specs' texts under the names k0, k1, ...
inline std::vector<std::string> texts_of(const std::vector<frit::fusion::kernel_spec>& specs) {
    std::vector<std::string> texts;
    for (const auto& spec : specs)
        texts.push_back(frit::fusion::cuda_kernel_text(spec, frit::fusion::target{}, "k" + std::to_string(texts.size())));
    return texts;
}

}  // namespace frit_test
