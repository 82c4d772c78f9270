// What the tests made from docs/*.md share: they collect what a block prints and compare it with what the document shows.
#pragma once

#include <gtest/gtest.h>

#include <frit/aot.hpp>
#include <frit/dlpack.hpp>
#include <frit/frit.hpp>
#include <frit/npz.hpp>
#include <iostream>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "tests/docs/without_library.hpp"

namespace frit_docs {

/// Stands in a test as long as its blocks run; what they print is collected.
class shown {
public:
    explicit shown(const char* document);
    shown(const shown&) = delete;
    shown& operator=(const shown&) = delete;
    ~shown();
    /// A block begins: what the one before printed must have been shown.
    void block(int line);
    /// The text under the block: equal to what was printed since, where "..." stands for anything.
    void expect(int line, const std::string& text);
    /// Runs a shell command, whose output counts as printed.
    void run(int line, const std::string& command);

private:
    void expect_nothing() const;
    const char* document_;
    int line_ = 0;
    std::ostringstream printed_;
    std::streambuf* before_;
};

}  // namespace frit_docs
