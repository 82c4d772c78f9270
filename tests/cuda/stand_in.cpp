// See stand_in.hpp.
#include "tests/cuda/stand_in.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <stdexcept>

#include <frit/frit.hpp>

#include "fusion/codegen/cuda_c.hpp"
#include "fusion/schedules/gpu/gpu.hpp"
#include "src/base/stats.hpp"
#include "src/cpu/cpu.hpp"
#include "src/cuda/backend.hpp"
#include "src/cuda/device.hpp"
#include "tests/cuda/loops/interpreter.hpp"
#include "tests/support/thorough.hpp"

namespace frit_test {

using namespace frit::detail;

cuda_stand_in::cuda_stand_in(backend& host, std::string folder)
    : host_(host), folder_(std::move(folder)), facts_(cuda::facts_of(90, 132, 13000)) {}

std::shared_ptr<kernel> cuda_stand_in::prepare(const frit::fusion::kernel_spec& spec) {
    const std::string wrong = frit::fusion::loops::check(frit::fusion::gpu_loops(spec, "frit_kernel"));
    if (!wrong.empty()) throw std::logic_error(wrong + "\n" + to_string(spec));
    if (!folder_.empty()) keep(frit::fusion::cuda_kernel_text(spec, facts_, "frit_kernel"));
    return prepare_on_host(host_, spec);
}

void cuda_stand_in::keep(const std::string& text) {
    static std::mutex one_at_a_time;
    const std::scoped_lock guard(one_at_a_time);
    char name[40];
    std::snprintf(name, sizeof name, "/k%016zx.cu", std::hash<std::string>{}(text));
    const std::string path = folder_ + name;
    if (std::filesystem::exists(path)) return;
    const std::string temporary = path + "." + std::to_string(::getpid());  // test programs may run side by side
    std::ofstream(temporary) << text;
    std::filesystem::rename(temporary, path);
}

void cuda_stand_in::launch(const kernel& k, const frit::fusion::kernel_spec& spec, std::span<std::uint64_t> words,
                           std::string_view formula) {
    launch_on_host(host_, k, spec, words, formula, facts_);
}

void cuda_stand_in::upload(buffer& to, std::size_t offset, const void* from, std::size_t bytes) {
    host_.upload(to, offset, from, bytes);
    counters_now.host_to_device_bytes.fetch_add(bytes);
}

void cuda_stand_in::download(void* to, const buffer& from, std::size_t offset, std::size_t bytes) {
    host_.download(to, from, offset, bytes);
    counters_now.device_to_host_bytes.fetch_add(bytes);
}

namespace {

void put_in_place(backend* b) {
    set_cuda_stand_in(b);
    if (frit::default_device().is_cpu()) {  // settled at its first use: then the tests would run on the CPU and seem to pass
        std::fprintf(stderr, "a global of this program makes an array before main\n");
        std::exit(1);
    }
}

class compiles_between_runs final : public ::testing::EmptyTestEventListener {
public:
    explicit compiles_between_runs(cuda_emulator& e) : emulator_(e) {}
    void OnTestIterationStart(const ::testing::UnitTest&, int iteration) override {
        if (iteration == 0)
            emulator_.start_recording();
        else
            emulator_.compile_recorded();
    }

private:
    cuda_emulator& emulator_;
};

/// Of the tests one in so many, others for each commit that ./dev names: what they look at was tested in another way too.
void take_a_share(std::size_t shares) {
    if (thorough()) return;
    ::setenv("GTEST_TOTAL_SHARDS", std::to_string(shares).c_str(), 0);
    ::setenv("GTEST_SHARD_INDEX", std::to_string(turn_of_shares(shares)).c_str(), 0);
}

}  // namespace

void use_stand_in_if_asked() {
    // An interpreter of its own: tests switch the engine of cpu_backend() to one that compiles.
    const auto interpreter = []() -> backend& {
        return *make_cpu_backend(cpu_engine::interpreter, machine_isa()).release();
    };
    if (std::getenv("FRIT_TEST_EMULATE")) {
        take_a_share(4);  // compiling text takes most of the time, and loops are interpreted without it
        static auto* e = new cuda_emulator(interpreter());
        put_in_place(e);
        ::testing::GTEST_FLAG(repeat) = 2;
        ::testing::UnitTest::GetInstance()->listeners().Append(new compiles_between_runs(*e));
    } else if (std::getenv("FRIT_TEST_INTERPRET")) {
        take_a_share(2);
        static auto* i = new loops_interpreter(interpreter());
        put_in_place(i);
    } else if (const char* folder = std::getenv("FRIT_TEST_STAND_IN")) {
        take_a_share(sanitized ? 4 : 2);
        std::filesystem::create_directories(folder);
        static auto* b = new cuda_stand_in(interpreter(), folder);
        put_in_place(b);
    }
}

}  // namespace frit_test
