// How much of a large product of cases a test goes through: a sample, or all of it (./dev test --all).
#pragma once

#include <cstdlib>

namespace frit_test {

/// Whether `./dev test --all` asked for every case.
inline bool thorough() {
    const char* const all = std::getenv("FRIT_TEST_ALL");
    return all && *all == '1';
}

/// Whether a sanitizer makes everything many times as slow.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace frit_test
