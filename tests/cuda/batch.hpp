// Compiling many kernels in few programs: a program's start costs NVRTC more than a small kernel does. Needs no GPU.
#pragma once

#include <gtest/gtest.h>

#include <functional>
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

/// Compiles the kernels' texts (entry point frit_kernel, no prelude), a few dozen to a program, on all processors. Programs
/// that compiled once are known from the disk cache.
/// @return the compiler's log and the text of each program that failed; empty: all compiled
std::string compile_in_batches(const std::vector<std::string>& texts, int sm, std::size_t per_program = 40);

/// Calls work(k) for every k below count, on all processors.
void on_all_processors(std::size_t count, const std::function<void(std::size_t)>& work);

/// All texts compile without a warning for sm_<arch>; of a failure, what fits on a few screens is shown.
#define FRIT_EXPECT_COMPILES(...)                                                  \
    do {                                                                           \
        const std::string failures = ::frit_test::compile_in_batches(__VA_ARGS__); \
        EXPECT_TRUE(failures.empty()) << failures.substr(0, 10000);                \
    } while (false)

/// The specs' texts, without preludes.
inline std::vector<std::string> texts_of(const std::vector<frit::fusion::kernel_spec>& specs) {
    std::vector<std::string> texts;
    for (const auto& spec : specs)
        texts.push_back(frit::fusion::cuda_kernel_text(spec, frit::fusion::target{}, "frit_kernel"));
    return texts;
}

}  // namespace frit_test
