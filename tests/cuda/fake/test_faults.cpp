// The ring of fault records by itself, on a fake driver: which records a check retires, and when there is a mark. The ring
// is one for all tests, since a device and its pinned memory live as long as the process.
#include "src/cuda/faults.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <optional>
#include <vector>

#include "frit/error.hpp"
#include "tests/cuda/fake/fixture.hpp"

namespace {

using namespace frit_test;
using namespace frit::detail;

class FaultRecords : public FakeDriver {
protected:
    void SetUp() override {
        FakeDriver::SetUp();
        if (IsSkipped()) return;
        static cuda::device& device = *new cuda::device(0);
        context.emplace(device);
        static cuda::fault_records& ring = *new cuda::fault_records(device);
        records = &ring;
    }
    void TearDown() override {
        if (records) found(records->mark());  // and forgotten
    }
    /// Queues a launch. @return its record's address
    std::uint64_t launch(const std::string& formula) { return records->take(formula).address; }
    /// What a kernel does that finds index -8 out of range of 7 elements.
    static void fail(std::uint64_t record) {
        auto* const words = reinterpret_cast<std::uint64_t*>(record);
        words[1] = static_cast<std::uint64_t>(-8);
        words[2] = 7;
        words[0] = 1;
    }
    std::string found(std::uint64_t mark) {
        return text_of_error<frit::index_error>([&] { records->check(mark); });
    }
    static std::string error_in(const std::string& formula) {
        return "cuda:0: index -8 is out of range for an axis with extent 7, in " + formula;
    }

    std::optional<cuda::current_context> context;
    cuda::fault_records* records = nullptr;
};

TEST_F(FaultRecords, ALaunchAfterTheMarkOutlivesTheCheck) {
    launch("before");
    const auto mark = records->mark();
    const std::uint64_t after = launch("after");
    records->check(mark);
    EXPECT_NE(launch("third"), after);
    fail(after);
    records->check(mark);
    EXPECT_EQ(found(records->mark()), error_in("after"));
    records->check(records->mark());
}

TEST_F(FaultRecords, AnOlderMarkChangesNothing) {
    fail(launch("first"));
    const auto old = records->mark();
    launch("second");
    EXPECT_EQ(found(records->mark()), error_in("first"));
    fail(launch("third"));
    records->check(old);
    EXPECT_EQ(found(records->mark()), error_in("third"));
}

TEST_F(FaultRecords, AMarkWaitsForTheLaunchOfARecordThatIsTaken) {
    auto record = std::make_optional(records->take("formula"));
    std::future<std::uint64_t> mark = std::async(std::launch::async, [&] { return records->mark(); });
    EXPECT_EQ(mark.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
    fail(record->address);
    record.reset();
    EXPECT_EQ(found(mark.get()), error_in("formula"));
}

TEST_F(FaultRecords, RecordsInUseDifferWhereTheRingBeginsAgain) {
    constexpr int lag = 1000;  // launches between a mark and its check
    std::vector<std::uint64_t> marks;
    for (int k = 0; k < 20000; ++k) {
        marks.push_back(records->mark());
        const std::uint64_t record = launch("formula " + std::to_string(k));
        if (k % 1777 == 0) fail(record);
        if (k < lag) continue;
        const int last = k - lag - 1;  // the launch before the mark
        const std::string expected =
            last >= 0 && last % 1777 == 0 ? error_in("formula " + std::to_string(last)) : "no error";
        ASSERT_EQ(found(marks[static_cast<std::size_t>(k - lag)]), expected) << k;
    }
}

TEST_F(FaultRecords, AFullRingIsEmptiedAndItsFaultIsKept) {
    const auto mark = records->mark();
    fail(launch("first"));
    for (int k = 0; k < 10000; ++k) launch("other");
    EXPECT_EQ(found(mark), error_in("first"));
}

}  // namespace
