// See stand_in.hpp.
#include "tests/cuda/stand_in.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

#include <frit/frit.hpp>

#include "fusion/codegen/cuda_c.hpp"
#include "src/cuda/backend.hpp"
#include "src/stats.hpp"

namespace frit_test {

using namespace frit::detail;

cuda_stand_in::cuda_stand_in(backend& host, std::string folder) : host_(host), folder_(std::move(folder)) {
    facts_.device = frit::fusion::target::kind::cuda;
    facts_.processors = 132;
    facts_.vector_bytes = 16;
    facts_.has_fma = true;
    facts_.max_parameter_bytes = 32764;
    facts_.ops_per_byte = 10;
    facts_.launch_bytes = 12'000'000;
    facts_.sm = 90;
}

std::shared_ptr<kernel> cuda_stand_in::prepare(const frit::fusion::kernel_spec& spec) {
    if (!folder_.empty()) {
        char name[40];
        std::snprintf(name, sizeof name, "k%016zx", std::hash<std::string>{}(spec.key()));
        const std::string path = folder_ + "/" + name + ".cu";
        if (!std::filesystem::exists(path)) {  // by rename: test programs may run side by side
            const std::string temporary = path + "." + std::to_string(::getpid());
            std::ofstream(temporary) << frit::fusion::cuda_kernel_text(spec, facts_, name);
            std::filesystem::rename(temporary, path);
        }
    }
    return host_.prepare(spec);
}

void cuda_stand_in::launch(const kernel& k, const frit::fusion::kernel_spec& spec, std::span<std::uint64_t> words) {
    host_.launch(k, spec, words);
}

void cuda_stand_in::upload(buffer& to, std::size_t offset, const void* from, std::size_t bytes) {
    host_.upload(to, offset, from, bytes);
    counters_now.host_to_device_bytes.fetch_add(bytes);
}

void cuda_stand_in::download(void* to, const buffer& from, std::size_t offset, std::size_t bytes) {
    host_.download(to, from, offset, bytes);
    counters_now.device_to_host_bytes.fetch_add(bytes);
}

void use_stand_in_if_asked() {
    const char* folder = std::getenv("FRIT_TEST_STAND_IN");
    if (!folder) return;
    std::filesystem::create_directories(folder);
    static auto* b = new cuda_stand_in(cpu_backend(), folder);
    set_cuda_stand_in(b);
}

}  // namespace frit_test
