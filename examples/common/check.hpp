// What the examples' tests share: checks that print what they saw, and the main() that counts failures.
#pragma once

#include <cstdio>
#include <exception>

inline int failures = 0;

/// Prints one line; the value is what the check looked at.
inline void check(bool ok, const char* what, double value) {
    std::printf("%s: %s (%.6g)\n", ok ? "ok" : "FAILED", what, value);
    if (!ok) ++failures;
}

inline int run_checks(void (*run)()) {
    try {
        run();
    } catch (const std::exception& e) {
        std::printf("FAILED: %s\n", e.what());
        return 1;
    }
    return failures == 0 ? 0 : 1;
}
