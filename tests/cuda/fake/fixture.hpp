// What the tests on the fake driver share: the driver's state, and a fixture that has the backend on it.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <string>

#include "src/cuda/nvrtc.hpp"
#include "src/engine/backend.hpp"
#include "tests/cuda/fake/state.hpp"

namespace frit_test {

inline fake_driver_state* find_fake() {
    void* driver = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    void* function = driver ? ::dlsym(driver, fake_driver_state_symbol) : nullptr;
    return function ? reinterpret_cast<fake_driver_state_function*>(function)() : nullptr;
}
inline fake_driver_state& fake() {
    static fake_driver_state* state = find_fake();
    return *state;
}

template <class Error, class F>
std::string text_of_error(F&& f) {
    try {
        f();
    } catch (const Error& e) {
        return e.what();
    } catch (const std::exception& e) {
        return std::string("another kind of error: ") + e.what();
    }
    return "no error";
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// The plugin for scans and sorts, where the loader finds the fake one.
inline fake_cub_state* find_fake_cub() {
    void* plugin = ::dlopen("libfrit_cub.so." FRIT_TEST_VERSION, RTLD_NOW | RTLD_LOCAL);
    void* function = plugin ? ::dlsym(plugin, fake_cub_state_symbol) : nullptr;
    return function ? reinterpret_cast<fake_cub_state_function*>(function)() : nullptr;
}

class FakeDriver : public ::testing::Test {
protected:
    void SetUp() override {
        std::string why;
        if (!frit::detail::cuda::has_nvrtc(why)) GTEST_SKIP() << "a backend needs NVRTC: " << why;
        if (!find_fake()) GTEST_SKIP() << "ctest runs this with the fake driver in the loader's path";
        gpu = &frit::detail::cuda_backend(0);
    }
    frit::detail::backend* gpu = nullptr;
};

}  // namespace frit_test
