// Whether the default device finds the library behind a library op: OpenBLAS and cuBLAS are loaded at run time, CUB's part
// is only there where nvcc built it. What is missing leaves tests out, and they say what it is.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

#include <frit/frit.hpp>

namespace frit_test {

/// Empty where `o` runs, else the library's own words on what is missing.
inline std::string missing_library(frit::op o) {
    static std::map<frit::op, std::string> known;
    const auto found = known.find(o);
    if (found != known.end()) return found->second;
    std::string& missing = known[o];
    const frit::array<float> x = frit::ones<float>({2, 2});
    try {
        switch (o) {
// Of the arity that its row says.
#define FRIT_TEST_1(name) frit::name(x, 0)
#define FRIT_TEST_2(name) frit::name(x, x)
#define FRIT_LIBRARY(name, call, result, arity, type) \
    case frit::op::name:                              \
        (void)FRIT_TEST_##arity(name).eval();         \
        break;
#define FRIT_SCATTER(name) case frit::op::name:
#include "frit/ops.def"
#undef FRIT_TEST_1
#undef FRIT_TEST_2
            (void)put_along_axis(x, frit::zeros<int>({2, 1}), x, 0).eval();
            break;
            default: break;
        }
    } catch (const frit::device_error& e) {
        missing = e.what();
    }
    return missing;
}

}  // namespace frit_test

/// At the head of a test that needs the library of op `name`.
#define FRIT_SKIP_WITHOUT(name) \
    if (const std::string missing = frit_test::missing_library(frit::op::name); !missing.empty()) GTEST_SKIP() << missing
