// Processes that end while there is work left, and how many threads one uses: each a child process (support/probe.cpp).
#include <gtest/gtest.h>

#include <string>

#include "tests/support/run_program.hpp"

namespace {

frit_test::program_result probe(const std::string& environment, const std::string& what) {
    return frit_test::run_program("FRIT_DEVICE=cpu " + environment +
                                  " timeout 120 " FRIT_TEST_BINARY_DIR "/frit_test_probe " + what);
}

void expect_clean(const std::string& what, const std::string& text = "leaving main\n") {
    for (const char* engine : {"interpreter", "cxx", "auto"}) {
        const frit_test::program_result r = probe(std::string("FRIT_CPU_ENGINE=") + engine, what);
        EXPECT_EQ(r.status, 0) << what << ", " << engine << ": " << r.text;
        EXPECT_EQ(r.text, text) << what << ", " << engine;
    }
}

TEST(Exit, WithPendingStatics) { expect_clean("pending-statics"); }
TEST(Exit, WhileThreadsRecordAndEvaluate) { expect_clean("busy-threads"); }
TEST(Exit, FromAThreadThatIsNotTheFirst) { expect_clean("exit-in-thread"); }
TEST(Exit, InDestructorsThatEvaluate) { expect_clean("evaluating-at-the-end", "leaving a thread\nleaving main\n"); }

// The value of `name` in lines of "name value".
std::string field(const std::string& text, const std::string& name) {
    const std::size_t at = text.find(name + ' ');
    return at == std::string::npos ? "no " + name : text.substr(at, text.find('\n', at) - at).substr(name.size() + 1);
}

TEST(NumThreads, AreHonouredAndGiveTheSameBits) {
    for (const char* engine : {"interpreter", "cxx", "auto"}) {
        std::string bits;
        for (int n : {1, 2, 8}) {
            const frit_test::program_result r =
                probe(std::string("FRIT_CPU_ENGINE=") + engine + " FRIT_NUM_THREADS=" + std::to_string(n), "threads");
            ASSERT_EQ(r.status, 0) << r.text;
            EXPECT_EQ(field(r.text, "threads"), std::to_string(n)) << engine;
            if (bits.empty()) bits = field(r.text, "bits");
            EXPECT_EQ(field(r.text, "bits"), bits) << engine << ", " << n << " threads";
        }
        EXPECT_GT(bits.size(), 20U);
    }
}

}  // namespace
