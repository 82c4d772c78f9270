// Text that is kept in the repository and made by a program: a change of either without the other fails, and a change that
// is meant is written with FRIT_UPDATE_GOLDEN=1.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace frit_test {

/// The file holds `text`; the first line that differs is shown. With FRIT_UPDATE_GOLDEN set, the file is written.
inline void expect_file(const std::string& path, const std::string& text) {
    if (std::getenv("FRIT_UPDATE_GOLDEN")) {
        std::ofstream(path) << text;
        return;
    }
    std::ifstream file(path);
    ASSERT_TRUE(file) << path << " is missing; FRIT_UPDATE_GOLDEN=1 writes it";
    std::ostringstream expected;
    expected << file.rdbuf();
    if (expected.str() == text) return;
    std::istringstream want(expected.str()), got(text);
    std::string a, b;
    int line = 0;
    do {
        ++line;
        if (!std::getline(want, a)) a = "(end of file)";
        if (!std::getline(got, b)) b = "(end of text)";
    } while (a == b && want && got);
    ADD_FAILURE() << path << ", line " << line << "\nwant: " << a << "\ngot:  " << b
                  << "\nFRIT_UPDATE_GOLDEN=1 writes the new text";
}

}  // namespace frit_test
