// How much of a large product of cases a test goes through: a sample, or all of it (./dev test --all).
#pragma once

#include <cstddef>
#include <cstdlib>

namespace frit_test {

/// Whether `./dev test --all` asked for every case.
inline bool thorough() {
    const char* const all = std::getenv("FRIT_TEST_ALL");
    return all && *all == '1';
}

/// Whether case number `k` of a product is in this run's sample: one case in `of`, chosen by the commit that ./dev names.
/// With the numbers of two dimensions added up, every value of either is in every sample.
inline bool sampled(std::size_t k, std::size_t of) {
    const char* const commit = std::getenv("FRIT_TEST_COMMIT");
    return thorough() || (k + (commit ? std::strtoull(commit, nullptr, 10) : 0)) % of == 0;
}

/// Whether a sanitizer makes everything many times as slow.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace frit_test
