// Documents show products too, which need OpenBLAS: where it is not installed, their tests report themselves skipped.
#pragma once

#include <gtest/gtest.h>

#include <frit/error.hpp>
#include <string>

/// Stands after the body of a TEST that begins with `try`.
#define FRIT_DOCS_SKIP_WITHOUT_LIBRARY                                               \
    catch (const frit::device_error& e) {                                            \
        if (std::string(e.what()).find("there is none") == std::string::npos) throw; \
        GTEST_SKIP() << e.what();                                                    \
    }
