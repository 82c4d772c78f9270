// The devices that tests of CUDA text run on, one after the other: the interpreter of loops, the emulator, a GPU where there
// is one, and the CPU where a test compares with it.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "src/engine/backend.hpp"
#include "tests/cuda/loops/interpreter.hpp"

namespace frit_test {

/// The parameter is "cpu", "interpreted" (the IR of GPU kernels), "emulated" (their text) or "cuda".
class on_device : public ::testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        if (std::string(GetParam()) == "cpu") {
            device = &frit::detail::cpu_backend();
        } else if (std::string(GetParam()) == "interpreted") {
            static loops_interpreter interpreter(frit::detail::cpu_backend());
            device = &interpreter;
        } else if (std::string(GetParam()) == "emulated") {
            static cuda_emulator emulator(frit::detail::cpu_backend());
            device = &emulator;
        } else if (frit::detail::cuda_device_count() == 0) {
            GTEST_SKIP() << "no GPU here";
        } else {
            device = &frit::detail::cuda_backend(0);
        }
    }
    frit::detail::backend* device = nullptr;
};

}  // namespace frit_test
