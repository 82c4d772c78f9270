// The CUDA backend around its kernels, on a fake driver: devices, memory, copies, caches, launch parameters, faults, fork.
#include "src/cuda/backend.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <numeric>
#include <thread>
#include <vector>

#include "frit/error.hpp"
#include "src/base/env.hpp"
#include "src/base/stats.hpp"
#include "tests/cuda/batch.hpp"
#include "tests/cuda/fake/fixture.hpp"
#include "tests/cuda/specs.hpp"

namespace {

using namespace frit_test;
using namespace frit::detail;

// A spec that no other test of this process uses: the memory caches never forget.
kernel_spec fresh_spec() {
    static int count = 0;
    builder b;
    b.spec.vector_width = 4;
    int x = b.load(dtype::f32, "1");
    for (int k = 0; k <= count; ++k) x = b.apply(op::neg, dtype::f32, x);
    ++count;
    b.store(x, "1");
    return b.spec;
}

TEST_F(FakeDriver, DevicesAndTheirFacts) {
    EXPECT_EQ(cuda_device_count(), 2);
    EXPECT_EQ(gpu->name(), "cuda:0 Fake H200");
    EXPECT_EQ(gpu->engine(), "nvrtc sm_90");
    EXPECT_EQ(gpu->target().processors, 132);
    EXPECT_EQ(gpu->target().max_parameter_bytes, 32764U);
    EXPECT_NE(&cuda_backend(1), gpu);
    EXPECT_EQ(&cuda_backend(0), gpu);
    EXPECT_EQ(text_of_error<frit::device_error>([] { cuda_backend(3); }), "cuda:3 asked for, 2 devices present");
}

TEST_F(FakeDriver, CopiesOfEverySizeArriveAndAreCounted) {
    constexpr std::size_t chunk = std::size_t{4} << 20;  // of the staging buffers
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{4095}, chunk, chunk + 1, 3 * chunk + 7}) {
        std::vector<unsigned char> there(bytes), back(bytes + 1, 0xee);
        std::iota(there.begin(), there.end(), static_cast<unsigned char>(bytes));
        buffer_ref b = gpu->allocate(bytes + 13);
        const auto up = counters_now.host_to_device_bytes.load(), down = counters_now.device_to_host_bytes.load();
        gpu->upload(*b.get(), 13, there.data(), bytes);
        gpu->download(back.data(), *b.get(), 13, bytes);
        EXPECT_EQ(back.back(), 0xee) << "wrote past the end";
        back.pop_back();
        EXPECT_TRUE(back == there) << bytes << " bytes";
        EXPECT_EQ(counters_now.host_to_device_bytes - up, bytes);
        EXPECT_EQ(counters_now.device_to_host_bytes - down, bytes);
    }
}

TEST_F(FakeDriver, ManySmallUploadsShareTheStagingBuffers) {
    constexpr int count = 3000;
    constexpr std::size_t bytes = 5000;
    buffer_ref b = gpu->allocate(count * bytes);
    std::vector<char> piece(bytes), all(count * bytes);
    for (int k = 0; k < count; ++k) {
        std::fill(piece.begin(), piece.end(), static_cast<char>(k));
        gpu->upload(*b.get(), static_cast<std::size_t>(k) * bytes, piece.data(), bytes);  // and `piece` changes at once
    }
    gpu->download(all.data(), *b.get(), 0, all.size());
    for (int k = 0; k < count; ++k)
        ASSERT_EQ(all[static_cast<std::size_t>(k) * bytes + static_cast<std::size_t>(k) % bytes], static_cast<char>(k)) << k;
}

TEST_F(FakeDriver, CopiesOnTheDeviceStayThere) {
    buffer_ref a = gpu->allocate(100), b = gpu->allocate(100), foreign = cuda_backend(1).allocate(100);
    const std::string text = "0123456789";
    std::string back(4, ' ');
    gpu->upload(*a.get(), 0, text.data(), text.size());
    gpu->copy(*b.get(), 50, *a.get(), 3, 4);
    gpu->download(back.data(), *b.get(), 50, 4);
    EXPECT_EQ(back, "3456");
    EXPECT_TRUE(
        contains(text_of_error<frit::device_error>([&] { gpu->copy(*foreign.get(), 0, *a.get(), 0, 4); }), "two devices"));
}

TEST_F(FakeDriver, MemoryComesBackToTheFreeLists) {
    const auto live = counters_now.live_bytes.load();
    void* first = nullptr;
    {
        buffer_ref b = gpu->allocate(3'000'000);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(b->data) % 256, 0U);
        EXPECT_EQ(counters_now.live_bytes - live, 3'000'000U);
        first = b->data;
    }
    EXPECT_EQ(counters_now.live_bytes.load(), live);
    const int allocations = fake().allocations;
    buffer_ref again = gpu->allocate(2'900'000);
    EXPECT_EQ(again->data, first);
    EXPECT_EQ(fake().allocations, allocations);
    buffer_ref nothing = gpu->allocate(0);
    EXPECT_NE(nothing->data, nullptr);
}

TEST_F(FakeDriver, SizeClassesWasteLittle) {
    std::size_t before = 0;
    for (std::size_t bytes = 0; bytes < (std::size_t{40} << 20); bytes += 1 + bytes / 9) {
        const std::size_t capacity = cuda::memory_pool::class_size(bytes);
        EXPECT_GE(capacity, std::max<std::size_t>(bytes, 256));
        EXPECT_EQ(capacity % 256, 0U);
        EXPECT_GE(capacity, before);
        EXPECT_LE(capacity, bytes + std::max<std::size_t>(256, bytes > (1 << 20) ? 2 << 20 : bytes / 4));
        before = capacity;
    }
}

TEST_F(FakeDriver, ExhaustionFlushesFirstThenSaysWhatIsAliveAndTheProcessGoesOn) {
    const std::size_t memory = fake().memory;
    EXPECT_THROW(gpu->allocate(std::size_t{1} << 40), frit::out_of_memory);  // empties the free lists
    fake().memory = fake().allocated + (std::size_t{20} << 20);
    {
        buffer_ref held = gpu->allocate(8 << 20);
        gpu->allocate(10 << 20);                      // kept by the pool when it is given back,
        buffer_ref larger = gpu->allocate(12 << 20);  // and given up for this one
        const std::string text = text_of_error<frit::out_of_memory>([&] { gpu->allocate(9 << 20); });
        EXPECT_TRUE(contains(text, "cuda:0: out of memory: 9.0 MiB asked for, ")) << text;
        EXPECT_TRUE(contains(text, " arrays, ")) << text;
        EXPECT_TRUE(contains(text_of_error<frit::out_of_memory>([&] { gpu->allocate(~std::size_t{0}); }), "EiB asked for"));
    }
    buffer_ref after = gpu->allocate(9 << 20);
    EXPECT_NE(after->data, nullptr);
    fake().memory = memory;
}

TEST_F(FakeDriver, ABlockThatIsGoneIsNotGivenToAnybodyWhereGivingBackFails) {
    EXPECT_THROW(gpu->allocate(std::size_t{1} << 40), frit::out_of_memory);  // empties the free lists
    { const buffer_ref a = gpu->allocate(3 << 20), b = gpu->allocate(3 << 20); }
    fake().refuse_frees = 1;
    EXPECT_THROW(gpu->allocate(std::size_t{1} << 40), frit::device_error);
    const buffer_ref a = gpu->allocate(3 << 20), b = gpu->allocate(3 << 20);
    const char text[] = "there";
    gpu->upload(*a.get(), 0, text, sizeof text);  // the fake refuses what is not on the device
    gpu->upload(*b.get(), 0, text, sizeof text);
    EXPECT_NE(a->data, b->data);
}

TEST_F(FakeDriver, EqualSpecsCompileOnceHoweverManyAsk) {
    const kernel_spec spec = fresh_spec();
    const auto made = [] { return counters_now.compilations + counters_now.disk_hits; };
    const auto before = made();
    std::vector<std::thread> threads;
    std::vector<std::shared_ptr<kernel>> got(6);
    for (auto& k : got) threads.emplace_back([&] { k = gpu->prepare(spec); });
    for (auto& t : threads) t.join();
    for (auto& k : got) EXPECT_EQ(k, got[0]);
    EXPECT_EQ(made() - before, 1U);
    EXPECT_TRUE(contains(got[0]->source(), "extern \"C\" __global__"));
}

TEST_F(FakeDriver, ASecondDeviceTakesTheCubinFromDisk) {
    const kernel_spec spec = fresh_spec();
    gpu->prepare(spec);
    const auto compilations = counters_now.compilations.load(), hits = counters_now.disk_hits.load();
    cuda_backend(1).prepare(spec);
    EXPECT_EQ(counters_now.compilations.load(), compilations);
    EXPECT_EQ(counters_now.disk_hits.load(), hits + 1);
}

TEST_F(FakeDriver, ACubinThatTheDriverRefusesIsMadeAfreshOnce) {
    const kernel_spec spec = fresh_spec();
    gpu->prepare(spec);  // now it is on disk
    auto compilations = counters_now.compilations.load();
    fake().refuse_modules = 1;
    EXPECT_NE(cuda_backend(1).prepare(spec), nullptr);
    EXPECT_EQ(counters_now.compilations.load(), compilations + 1);
    fake().refuse_modules = 2;
    const kernel_spec other = fresh_spec();
    const std::string text = text_of_error<frit::compile_error>([&] {
        gpu->prepare(other);
        cuda_backend(1).prepare(other);
    });
    EXPECT_TRUE(contains(text, "does not load a kernel")) << text;
    fake().refuse_modules = 0;
    EXPECT_NE(gpu->prepare(other), nullptr) << "a failure is not remembered";
}

TEST_F(FakeDriver, LaunchesCoverTheDomainAndCarryTheWords) {
    builder flat;
    flat.spec.vector_width = 4;
    flat.store(flat.load(dtype::f32, "1"), "1");
    const auto k = gpu->prepare(flat.spec);
    std::uint64_t words[] = {0, 0, 1'000'001, 0x1000, 0x2000};
    int launches = fake().launches;
    gpu->launch(*k, flat.spec, words);
    EXPECT_EQ(fake().launches, launches + 1);
    EXPECT_EQ(fake().block[0], 128U);
    EXPECT_EQ(fake().grid[0], (1'000'001U + 511) / 512);
    EXPECT_EQ(fake().words[0], 0U) << "a fault record, where nothing is checked";
    EXPECT_EQ(fake().words[2], 1'000'001U);
    EXPECT_EQ(fake().words[4], 0x2000U);
    words[2] = 0;
    gpu->launch(*k, flat.spec, words);
    EXPECT_EQ(fake().launches, launches + 1) << "nothing to do, nothing launched";

    builder rows(2);
    rows.store(rows.load(dtype::f32, "s1"), "s1");
    const auto two = gpu->prepare(rows.spec);
    for (const auto& [outer, inner] :
         {std::pair<std::uint64_t, std::uint64_t>{1000, 4096}, {5, 3}, {10'000'000, 2}, {7, 130}}) {
        std::uint64_t w[] = {0, 0, outer, inner, 0x1000, 0x2000, inner, inner};
        gpu->launch(*two, rows.spec, w);
        const fake_driver_state& f = fake();
        EXPECT_EQ(f.block[0] * f.block[1], 128U);
        EXPECT_GE(std::uint64_t{f.grid[0]} * f.block[0], inner);
        EXPECT_LT(std::uint64_t{f.grid[0] - 1} * f.block[0], inner);
        if (f.grid[1] < 65535) {  // else the kernel loops
            EXPECT_GE(std::uint64_t{f.grid[1]} * f.block[1] * 4, outer);
        }
    }

    const kernel_spec sum = sum_of_squares();
    const auto total = gpu->prepare(sum);
    std::uint64_t w[] = {0, 0, 0, 0x1000, 0x2000, 0x3000};
    for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{5}, std::uint64_t{1} << 30}) {
        w[2] = n;
        launches = fake().launches;
        gpu->launch(*total, sum, w);
        EXPECT_EQ(fake().launches, launches + 1) << "the total of nothing is an identity";
        EXPECT_NE(fake().words[1], 0U) << "the scratch";
        EXPECT_EQ(fake().grid[0], n < 1000 ? 1U : 132U * 4 - 1);
        EXPECT_EQ(*reinterpret_cast<const unsigned*>(fake().words[1]), 0U) << "the ticket starts at zero";
    }
}

TEST_F(FakeDriver, FaultsSurfaceWhenWaitedFor) {
    fake().fault = 700;
    const std::string late = text_of_error<frit::device_error>([&] { gpu->synchronize(); });
    EXPECT_TRUE(contains(late, "illegal memory access") && contains(late, "FRIT_SYNC=1")) << late;

    environment e = env();
    e.sync = true;
    override_environment(e);
    builder b;
    b.store(b.load(dtype::f32, "1"), "1");
    const auto k = gpu->prepare(b.spec);
    std::uint64_t words[] = {0, 0, 10, 0x1000, 0x2000};
    const std::string named = text_of_error<frit::device_error>([&] { gpu->launch(*k, b.spec, words); });
    EXPECT_TRUE(contains(named, "a kernel failed") && contains(named, "pointwise rank 1")) << named;
    e.sync = false;
    override_environment(e);
    fake().fault = 0;
    gpu->synchronize();
}

TEST_F(FakeDriver, AFaultRecordBecomesAnIndexErrorOnce) {
    builder b;
    const int i = b.load(dtype::i64, "1"), n = b.scalar(dtype::i64);
    b.store(b.apply(op::index, dtype::i64, i, n), "1");
    const auto k = gpu->prepare(b.spec);
    for (int launch = 0; launch < 5000; ++launch) {  // more than there are records: then it waits
        std::uint64_t words[] = {0, 0, 10, 0x1000, 0x2000, 7};
        fake().faulty_index = launch == 17 || launch == 4999 ? -8 : 0;
        gpu->launch(*k, b.spec, words, "formula " + std::to_string(launch));
        ASSERT_NE(fake().words[0], 0U);
    }
    fake().faulty_index = 0;
    const std::string text = text_of_error<frit::index_error>([&] { gpu->synchronize(); });
    EXPECT_EQ(text, "cuda:0: index -8 is out of range for an axis with extent 7, in formula 17");
    gpu->synchronize();
}

TEST_F(FakeDriver, ADownloadSettlesOnlyWhatWasQueuedBeforeIt) {
    builder b;
    const int i = b.load(dtype::i64, "1"), n = b.scalar(dtype::i64);
    b.store(b.apply(op::index, dtype::i64, i, n), "1");
    const auto k = gpu->prepare(b.spec);
    const auto launch = [&](const char* formula, std::int64_t faulty_index) {
        std::uint64_t words[] = {0, 0, 10, 0x1000, 0x2000, 7};
        fake().faulty_index = faulty_index;
        gpu->launch(*k, b.spec, words, formula);
        fake().faulty_index = 0;
        return fake().words[0];
    };
    const buffer_ref memory = gpu->allocate(1);
    char byte = 0;
    launch("before", 0);
    std::uint64_t meanwhile = 0;
    fake().while_waiting = [&] { std::thread([&] { meanwhile = launch("meanwhile", -8); }).join(); };
    gpu->download(&byte, *memory.get(), 0, 1);
    EXPECT_NE(launch("after", 0), meanwhile) << "its record was given to another launch";
    gpu->download(&byte, *memory.get(), 0, 0);  // waits for nothing
    EXPECT_EQ(text_of_error<frit::index_error>([&] { gpu->download(&byte, *memory.get(), 0, 1); }),
              "cuda:0: index -8 is out of range for an axis with extent 7, in meanwhile");
    gpu->synchronize();
}

TEST_F(FakeDriver, AnotherContextOfTheCallerStaysCurrent) {
    const cuda::driver& api = cuda::the_driver();
    cuda::context other = nullptr, now = nullptr;
    ASSERT_EQ(api.primary_retain(&other, 1), 0);
    ASSERT_EQ(api.set_current(other), 0);
    buffer_ref b = gpu->allocate(100);
    const char byte = 7;
    gpu->upload(*b.get(), 0, &byte, 1);
    ASSERT_EQ(api.current(&now), 0);
    EXPECT_EQ(now, other);
    api.set_current(nullptr);
}

TEST_F(FakeDriver, AForkedChildIsToldToUseTheCpu) {
    const kernel_spec spec = fresh_spec();
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        const auto told = [](const std::string& text) { return contains(text, "forked after CUDA had been initialised"); };
        bool good = cuda_device_count() == 0;
        good = good && told(text_of_error<frit::device_error>([] { cuda_backend(0); }));
        good = good && told(text_of_error<frit::device_error>([&] { gpu->allocate(10); }));
        good = good && told(text_of_error<frit::device_error>([&] { gpu->prepare(spec); }));
        good = good && told(text_of_error<frit::device_error>([&] { gpu->synchronize(); }));
        ::_exit(good ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "status " << status;
    gpu->synchronize();  // the parent goes on
}

}  // namespace
