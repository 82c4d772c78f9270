// How much of a large product of cases a test goes through: a sample, or all of it (./dev test --all).
#pragma once

#include <cstdlib>

namespace frit_test {

/// Whether `./dev test --all` asked for every case.
inline bool thorough() {
    const char* const all = std::getenv("FRIT_TEST_ALL");
    return all && *all == '1';
}

}  // namespace frit_test
