// Documents show products too, which need OpenBLAS, and .npz files, which need a build with zlib: where they are not there,
// their tests report themselves skipped.
#pragma once

#include <gtest/gtest.h>

#include <frit/error.hpp>
#include <string>

/// Stands after the body of a TEST that begins with `try`.
#define FRIT_DOCS_SKIP_WITHOUT_LIBRARY                                                                               \
    catch (const frit::error& e) {                                                                                   \
        const std::string what = e.what();                                                                           \
        if (what.find("there is none") == std::string::npos && what.find("has no zlib") == std::string::npos) throw; \
        GTEST_SKIP() << what;                                                                                        \
    }
