// Assertions on what the planner made of a formula: the number of kernels as the plan reports it and as the run counts
// it, the bytes of both, and how many kernels were new.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#include <frit/frit.hpp>

namespace frit_test {

struct traffic {
    std::uint64_t kernels = 0, bytes_read = 0, bytes_written = 0;
};

/// Plans `what`, evaluates it, and checks that the plan's report is what the counters saw.
template <class... What>
traffic evaluate(const What&... what) {
    const frit::plan report = frit::make_plan(what...);
    const frit::counters before = frit::stats();
    frit::eval(what...);
    const frit::counters after = frit::stats();
    const traffic seen{after.kernels_launched - before.kernels_launched, after.bytes_read - before.bytes_read,
                       after.bytes_written - before.bytes_written};
    EXPECT_EQ(report.kernels().size(), seen.kernels);
    EXPECT_EQ(report.bytes_read(), seen.bytes_read);
    EXPECT_EQ(report.bytes_written(), seen.bytes_written);
    return seen;
}

/// Kernels that a run needed and the process did not have yet, wherever it got them.
inline std::uint64_t new_kernels() {
    const frit::counters c = frit::stats();
    return c.compilations + c.disk_hits;
}

}  // namespace frit_test

/// Plans and evaluates the arrays or recipes, and checks both counts of kernels: EXPECT_KERNELS(1, y, z).
#define EXPECT_KERNELS(n, ...)                                                                \
    do {                                                                                      \
        SCOPED_TRACE(frit::explain(__VA_ARGS__));                                             \
        EXPECT_EQ(::frit_test::evaluate(__VA_ARGS__).kernels, static_cast<std::uint64_t>(n)); \
    } while (false)

/// The statement throws `type`, and its text holds every one of the strings.
#define EXPECT_ERROR(statement, type, ...)                                                                            \
    do {                                                                                                              \
        try {                                                                                                         \
            statement;                                                                                                \
            ADD_FAILURE() << "no error from " #statement;                                                             \
        } catch (const type& e) {                                                                                     \
            for (const std::string& part : std::initializer_list<std::string>{__VA_ARGS__})                           \
                EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << part << " is not in: " << e.what(); \
        } catch (const std::exception& e) {                                                                           \
            ADD_FAILURE() << #statement " threw something else: " << e.what();                                        \
        }                                                                                                             \
    } while (false)
