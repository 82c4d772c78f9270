// How much of a large product of cases a test goes through: a sample, or all of it (./dev test --all).
#pragma once

#include <cstddef>
#include <cstdint>
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

/// Which one of so many shares of the tests is this run's: by digits of the commit's own, so that every case of a sample is
/// in every share some time.
inline std::size_t turn_of_shares(std::size_t shares) {
    const char* const commit = std::getenv("FRIT_TEST_COMMIT");
    const std::uint64_t n = commit ? std::strtoull(commit, nullptr, 10) : 0;
    return static_cast<std::size_t>((n * 0x9E3779B97F4A7C15U) >> 40) % shares;
}

/// Whether a sanitizer makes everything many times as slow.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace frit_test
