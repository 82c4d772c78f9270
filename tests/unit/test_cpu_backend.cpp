// The CPU backend around its kernels: memory, caches, threads, engine and level choice, and what it says when it cannot.
#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "frit/error.hpp"
#include "src/base/stats.hpp"
#include "src/base/threads.hpp"
#include "src/cache/disk.hpp"
#include "src/cpu/pool.hpp"
#include "tests/unit/cpu_support.hpp"

namespace {

using namespace cpu_test;
using frit::detail::counters_now;
using frit::detail::thread_pool;

// y = x * s + s, a different kernel for every `variant`.
launchable axpb(const std::vector<float>& x, std::vector<float>& y, int variant = 0) {
    launchable l;
    l.spec.loads = {flat(dtype::f32, 0)};
    l.spec.scalars = {dtype::f32};
    l.spec.body = {
        {op::load, dtype::f32, 0}, {op::scalar, dtype::f32, 0}, {op::mul, dtype::f32, 0, 1}, {op::add, dtype::f32, 2, 1}};
    for (int k = 0; k < variant; ++k)
        l.spec.body.push_back({op::neg, dtype::f32, static_cast<std::uint16_t>(l.spec.body.size() - 1)});
    l.spec.stores = {{flat(dtype::f32, 1), static_cast<std::uint16_t>(l.spec.body.size() - 1)}};
    l.spec.pointers = 2;
    l.extents = {static_cast<std::int64_t>(x.size())};
    l.loads = l.stores = {{{1}, {}, 0}};
    l.scalars = {word_of(2.f)};
    l.pointers = {reinterpret_cast<std::byte*>(const_cast<float*>(x.data())), reinterpret_cast<std::byte*>(y.data())};
    return l;
}

std::string error_of(const std::function<void()>& f) {
    try {
        f();
    } catch (const std::exception& e) {
        return e.what();
    }
    return "";
}

TEST(CpuPool, ClassesHoldWhatIsAsked) {
    for (std::size_t bytes = 1; bytes < (std::size_t{1} << 40); bytes += bytes / 9 + 1) {
        const std::size_t got = frit::detail::host_pool::class_size(bytes);
        ASSERT_GE(got, bytes);
        ASSERT_EQ(got % 64, 0U);
        ASSERT_EQ(frit::detail::host_pool::class_size(got), got);
        if (bytes > 4096) {
            ASSERT_LE(got, bytes + bytes / 4 + 1);
        }
    }
}

TEST(CpuPool, ArraysThatAreMadeTogetherBeginAtDifferentPlacesOfPages) {
    using block = frit::detail::host_pool::block;
    static frit::detail::host_pool pool;  // which keeps its blocks
    for (const std::size_t bytes : {std::size_t{1} << 16, std::size_t{1} << 19, std::size_t{7} << 18}) {
        std::vector<block> all, small;
        const auto place = [&](std::size_t k) { return reinterpret_cast<std::uintptr_t>(all[k].data) % 4096; };
        for (std::size_t k = 0; k < 9; ++k) {
            all.push_back(pool.take(bytes));
            for (int other = 0; other < 7; ++other) small.push_back(pool.take(8000));  // what lies at no such place
            std::memset(all[k].data, static_cast<int>(k), all[k].capacity);
            EXPECT_EQ(place(k) % 64, 0U);
            for (std::size_t j = k < 2 ? 0 : k - 2; j < k; ++j) {
                const std::size_t apart = (place(k) - place(j)) % 4096;
                EXPECT_GE(std::min(apart, 4096 - apart), 1024U);
            }
        }
        for (std::size_t k = 0; k < all.size(); ++k)  // none lies in another one
            for (std::size_t at = 0; at < all[k].capacity; at += 64)
                ASSERT_EQ(static_cast<const unsigned char*>(all[k].data)[at], k);
        const void* const last = all.back().data;
        for (const block& b : small) pool.give_back(b);
        for (const block& b : all) pool.give_back(b);
        const block again = pool.take(bytes);
        EXPECT_EQ(again.data, last);
        pool.give_back(again);
    }
}

TEST(CpuPool, ReusesAndCounts) {
    frit::detail::backend& b = frit::detail::cpu_backend();
    const auto live = counters_now.live_bytes.load();
    const void* first = nullptr;
    {
        const auto x = b.allocate(1 << 22);
        first = x->data;
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 64, 0U);
        EXPECT_EQ(counters_now.live_bytes.load() - live, std::uint64_t{1} << 22);
        const auto empty = b.allocate(0);
        EXPECT_NE(empty->data, nullptr);
    }
    EXPECT_EQ(counters_now.live_bytes.load(), live);
    EXPECT_EQ(b.allocate((1 << 22) - 100)->data, first);
}

TEST(CpuPool, OutOfMemoryIsAnErrorAndTheProcessGoesOn) {
    frit::detail::backend& b = frit::detail::cpu_backend();
    const auto alive = b.allocate(1 << 20);
    for (std::size_t bytes : {std::size_t{1} << 50, ~std::size_t{0}}) {
        EXPECT_THROW(b.allocate(bytes), frit::out_of_memory);
        const std::string text = error_of([&] { b.allocate(bytes); });
        EXPECT_NE(text.find("asked for"), std::string::npos) << text;
        EXPECT_NE(text.find("alive"), std::string::npos) << text;
    }
    EXPECT_NE(b.allocate(1 << 20)->data, alive->data);
}

TEST(CpuBackend, ChecksItsChoices) {
    EXPECT_NE(error_of([] { frit::detail::set_cpu_engine("fortran"); }).find("interpreter, cxx and jit"), std::string::npos);
    if (frit::detail::machine_isa() != isa_level::avx512) {
        EXPECT_THROW(frit::detail::make_cpu_backend(cpu_engine::interpreter, isa_level::avx512), frit::device_error);
    }
    for (isa_level level : levels()) {
        auto& b = backend_of(cpu_engine::interpreter, level);
        EXPECT_EQ(b.engine(), "interpreter " + std::string(frit::detail::name_of(level)));
        EXPECT_EQ(b.target().vector_bytes, 16 << static_cast<int>(level));
        if (level != isa_level::baseline) {
            EXPECT_TRUE(b.target().has_fma);
        }
    }
}

TEST(CpuBackend, TransfersAreNotTrafficBetweenDevices) {
    frit::detail::backend& b = frit::detail::cpu_backend();
    const auto before = counters_now.host_to_device_bytes + counters_now.device_to_host_bytes;
    const float x[4] = {1, 2, 3, 4};
    float back[2] = {};
    auto m = b.allocate(sizeof x), other = b.allocate(sizeof x);
    b.upload(*m.get(), 0, x, sizeof x);
    b.copy(*other.get(), 0, *m.get(), 4, 12);
    b.download(back, *other.get(), 4, sizeof back);
    b.synchronize();
    EXPECT_EQ(back[0], 3);
    EXPECT_EQ(back[1], 4);
    EXPECT_EQ(counters_now.host_to_device_bytes + counters_now.device_to_host_bytes, before);
}

// Eight threads ask for one new kernel at once: one compilation, one kernel, and everybody's launch is right.
TEST(CpuBackend, EqualSpecsCompileOnce) {
    const auto b = frit::detail::make_cpu_backend(cpu_engine::cxx, frit::detail::machine_isa());
    const std::vector<float> x(1000, 3);
    std::vector<float> unused(1);
    const kernel_spec spec = axpb(x, unused, 3).spec;
    const auto before = counters_now.compilations + counters_now.disk_hits;
    std::atomic<int> wrong{0};
    std::vector<std::shared_ptr<frit::detail::kernel>> kernels(8);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 8; ++t)
        threads.emplace_back([&, t] {
            std::vector<float> y(1000);
            kernels[t] = b->prepare(spec);
            axpb(x, y, 3).run(*b);
            for (float v : y) wrong += v != -8;
        });
    for (auto& t : threads) t.join();
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(counters_now.compilations + counters_now.disk_hits - before, 1U);
    for (const auto& k : kernels) EXPECT_EQ(k, kernels[0]);
    EXPECT_NE(kernels[0]->source().find("extern \"C\" void frit_kernel"), std::string::npos);
}

class with_variable {
public:
    with_variable(const char* name, const char* value) : name_(name) {
        if (const char* old = std::getenv(name)) before_ = old, was_set_ = true;
        setenv(name, value, 1);
    }
    with_variable(const with_variable&) = delete;
    with_variable& operator=(const with_variable&) = delete;
    ~with_variable() { was_set_ ? setenv(name_, before_.c_str(), 1) : unsetenv(name_); }

private:
    const char* name_;
    std::string before_;
    bool was_set_ = false;
};

TEST(CpuBackend, SaysWhatTheHostCompilerSaid) {
    const auto b = frit::detail::make_cpu_backend(cpu_engine::cxx, isa_level::baseline);
    const std::vector<float> x(4, 1);
    std::vector<float> y(4);
    {
        const with_variable cxx("CXX", "no-such-compiler-anywhere");
        const std::string text = error_of([&] { axpb(x, y, 4).run(*b); });
        EXPECT_NE(text.find("no-such-compiler-anywhere"), std::string::npos) << text;
    }
    {
        const with_variable cxx("CXX", "g++ -Dextern=no_such_word");
        EXPECT_THROW(axpb(x, y, 4).run(*b), frit::compile_error);
        const std::string text = error_of([&] { axpb(x, y, 4).run(*b); });
        EXPECT_NE(text.find("-Dextern=no_such_word -x c++"), std::string::npos) << text;
        EXPECT_NE(text.find("error:"), std::string::npos) << text;
    }
    axpb(x, y, 4).run(*b);  // nothing of the failures is remembered
    EXPECT_EQ(y[0], 4);
}

// A cached library of which half is gone: compiled afresh, and right.
TEST(CpuBackend, RebuildsADamagedLibrary) {
    if (const std::string why = frit::detail::kernel_cache().problem(); !why.empty()) GTEST_SKIP() << why;
    const std::vector<float> x(100, 1);
    std::vector<float> y(100);
    const launchable l = axpb(x, y, 6);
    const auto b = frit::detail::make_cpu_backend(cpu_engine::cxx, isa_level::baseline);
    const auto first = b->prepare(l.spec);
    const auto again = frit::detail::make_cpu_backend(cpu_engine::cxx, isa_level::baseline);
    const auto before = counters_now.compilations.load();
    again->prepare(l.spec);
    EXPECT_EQ(counters_now.compilations.load(), before) << "a second backend finds the first one's file";
    int damaged = 0;
    for (const auto& entry : std::filesystem::directory_iterator(frit::detail::kernel_cache().folder())) {
        if (entry.path().extension() != ".cpp" || entry.file_size() != first->source().size()) continue;
        std::ifstream file(entry.path());
        if (std::string(std::istreambuf_iterator<char>(file), {}) != first->source()) continue;
        auto binary = entry.path();
        binary.replace_extension(".bin");
        if (!std::filesystem::exists(binary)) continue;
        const auto half = binary.string() + ".half";  // a file of its own: the whole one is mapped into this process
        std::filesystem::copy_file(binary, half);
        std::filesystem::resize_file(half, std::filesystem::file_size(half) / 2);
        std::filesystem::rename(half, binary);
        ++damaged;
    }
    ASSERT_GE(damaged, 1);
    const auto third = frit::detail::make_cpu_backend(cpu_engine::cxx, isa_level::baseline);
    l.run(*third);
    EXPECT_EQ(counters_now.compilations.load(), before + 1);
    for (float v : y) ASSERT_EQ(v, 4);
}

TEST(CpuThreads, EveryTaskOnce) {
    thread_pool& pool = thread_pool::instance();
    const int before = pool.size();
    for (int threads : {1, 2, 4}) {
        pool.resize(threads);
        for (std::int64_t tasks : {0, 1, 2, 3, 100}) {
            std::vector<std::atomic<int>> seen(100);
            pool.run(
                tasks,
                [](void* s, std::int64_t k) {
                    ++(*static_cast<std::vector<std::atomic<int>>*>(s))[static_cast<std::size_t>(k)];
                },
                &seen);
            for (std::int64_t k = 0; k < 100; ++k) ASSERT_EQ(seen[static_cast<std::size_t>(k)], k < tasks ? 1 : 0);
        }
    }
    pool.resize(before);
}

// Several user threads launch large kernels at once; whoever finds the pool busy does its own work.
TEST(CpuThreads, ManyCallers) {
    thread_pool& pool = thread_pool::instance();
    const int before = pool.size();
    pool.resize(3);
    auto& b = backend_of(cpu_engine::interpreter, frit::detail::machine_isa());
    std::atomic<int> wrong{0};
    std::vector<std::thread> callers;
    for (int c = 0; c < 4; ++c)
        callers.emplace_back([&, c] {
            const std::vector<float> x(300000, static_cast<float>(c));
            std::vector<float> y(x.size());
            for (int k = 0; k < 10; ++k) {
                std::fill(y.begin(), y.end(), -1.f);
                axpb(x, y).run(b);
                for (float v : y) wrong += v != 2.f * static_cast<float>(c) + 2.f;
            }
        });
    for (auto& c : callers) c.join();
    EXPECT_EQ(wrong, 0);
    pool.resize(before);
}

// A forked child computes on its own thread, and both processes end.
TEST(CpuThreads, ChildOfAFork) {
    thread_pool& pool = thread_pool::instance();
    const int before = pool.size();
    pool.resize(2);
    const std::vector<float> x(500000, 5);
    std::vector<float> y(x.size());
    axpb(x, y).run(frit::detail::cpu_backend());
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        std::fill(y.begin(), y.end(), 0.f);
        axpb(x, y).run(frit::detail::cpu_backend());
        const auto memory = frit::detail::cpu_backend().allocate(1000);
        bool right = memory->data != nullptr;
        for (float v : y) right = right && v == 12;
        _exit(right ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    pool.resize(before);
}

/// Whoever lacks memory says so in reserve, or, without it, before its first element.
struct needs_memory : frit::detail::cpu_kernel {
    std::string source() const override { return {}; }
    void run(const std::uint64_t* words, std::int64_t begin, std::int64_t end, std::uint64_t*, std::int64_t) const override {
        reserve(words, 0);
        elements += end - begin;
    }
    mutable std::atomic<std::int64_t> elements{0};
};

// A launch that finds no memory ends as an error before anything is written.
TEST(CpuThreads, NoMemoryForALaunchIsAnError) {
    struct starving final : needs_memory {
        void reserve(const std::uint64_t*, std::int64_t) const override { throw std::bad_alloc(); }
    };
    thread_pool& pool = thread_pool::instance();
    const int before = pool.size();
    auto& b = backend_of(cpu_engine::interpreter, frit::detail::machine_isa());
    const std::vector<float> x(500000, 5);
    std::vector<float> y(x.size());
    const launchable l = axpb(x, y);
    for (int threads : {1, 3}) {
        pool.resize(threads);
        auto words = l.words();
        const starving k;
        EXPECT_THROW(b.launch(k, l.spec, words), frit::out_of_memory);
        EXPECT_EQ(k.elements, 0);
    }
    l.run(b);
    EXPECT_EQ(y.back(), 12);
    pool.resize(before);
}

// A worker that finds none leaves its share to the others.
TEST(CpuThreads, WorkersWithoutMemoryLeaveTheWorkToOthers) {
    struct starving final : needs_memory {
        std::thread::id caller = std::this_thread::get_id();
        void reserve(const std::uint64_t*, std::int64_t) const override {
            if (std::this_thread::get_id() != caller) throw std::bad_alloc();
        }
    };
    thread_pool& pool = thread_pool::instance();
    const int before = pool.size();
    pool.resize(3);
    auto& b = backend_of(cpu_engine::interpreter, frit::detail::machine_isa());
    const std::vector<float> x(500000, 5);
    std::vector<float> y(x.size());
    const launchable l = axpb(x, y);
    for (int round = 0; round < 20; ++round) {
        auto words = l.words();
        const starving k;
        b.launch(k, l.spec, words);
        EXPECT_EQ(k.elements, 500000);
    }
    pool.resize(before);
}

}  // namespace
