// See batch.hpp.
#include "tests/cuda/batch.hpp"

#include <atomic>
#include <bit>
#include <map>
#include <mutex>
#include <regex>
#include <thread>

#include "src/cache/disk.hpp"
#include "tests/support/thorough.hpp"

namespace frit_test {
namespace {

// The text with its entry point, and all names made from it, under a name of its own.
std::string renamed(const std::string& text, const std::string& name) {
    constexpr std::string_view old = "frit_kernel";
    std::string out;
    std::size_t at = 0;
    for (std::size_t hit = text.find(old); hit != std::string::npos; hit = text.find(old, at)) {
        out.append(text, at, hit - at).append(name);
        at = hit + old.size();
    }
    return out.append(text, at);
}

// What NVRTC says, but for states of loops that a caller's program sets and nobody reads: they are variables of the text
// too.
std::string without_unread_states(const std::string& log) {
    static const std::regex unread(
        R"re([^\n]*warning #550-D: variable "l\d+_s\d+" was set but never used\n[^\n]*\n *\^\n+)re"),
        remark("Remark: The warnings can be suppressed[^\n]*\n+");
    const std::string others = std::regex_replace(log, unread, "");
    const std::string rest = std::regex_replace(others, remark, "");
    return rest.empty() ? rest : others;
}

}  // namespace

void on_all_processors(std::size_t count, const std::function<void(std::size_t)>& work) {
    std::atomic<std::size_t> next{0};
    const auto loop = [&] {
        for (std::size_t k = next++; k < count; k = next++) work(k);
    };
    std::vector<std::thread> others;
    for (unsigned k = 1; k < std::thread::hardware_concurrency(); ++k) others.emplace_back(loop);
    loop();
    for (auto& t : others) t.join();
}

std::string compile_in_batches(const std::vector<std::string>& texts, int sm, std::size_t per_program) {
    // A kernel's program and name depend on its text alone: a new kernel leaves the other programs as they were, and cached.
    std::vector<std::map<std::string, const std::string*>> programs(std::bit_ceil(texts.size() / per_program + 1));
    for (const std::string& text : texts) {
        const std::size_t hash = std::hash<std::string>{}(text);
        programs[hash % programs.size()].emplace("k" + std::to_string(hash), &text);
    }
    const auto spent = thorough() ? frit::detail::cuda::effort::all : frit::detail::cuda::effort::less;
    std::mutex lock;
    std::string failures;
    on_all_processors(programs.size(), [&](std::size_t program) {
        std::string kernels;
        for (const auto& [name, text] : programs[program]) kernels += renamed(*text, name);
        if (kernels.empty()) return;
        const std::string text = frit::fusion::cuda_prelude_for(kernels) + kernels;
        const auto key = frit::detail::cuda::cubin_key(text, sm, spent);
        if (frit::detail::kernel_cache().load(key)) return;
        const auto result = frit::detail::cuda::compile_to_cubin(text, sm, spent);
        const std::string said = without_unread_states(result.log);
        if (result.good && said.empty()) return frit::detail::kernel_cache().store(key, result.cubin, text, ".cu");
        const std::scoped_lock guard(lock);  // a warning is a failure too
        failures += "sm_" + std::to_string(sm) + ":\n" + said + "\n" + (result.good ? "" : text);
    });
    return failures;
}

}  // namespace frit_test
