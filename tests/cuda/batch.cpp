// See batch.hpp.
#include "tests/cuda/batch.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

namespace frit_test {

std::string compile_in_batches(const std::vector<std::string>& texts, int sm, std::size_t per_program) {
    std::vector<std::string> programs((texts.size() + per_program - 1) / per_program);
    for (std::size_t k = 0; k < texts.size(); ++k) programs[k / per_program] += texts[k];
    std::atomic<std::size_t> next{0};
    std::mutex lock;
    std::string failures;
    const auto work = [&] {
        for (std::size_t k = next++; k < programs.size(); k = next++) {
            const std::string text = frit::fusion::cuda_prelude_for(programs[k]) + programs[k];
            const auto result = frit::detail::cuda::compile_to_cubin(text, sm);
            if (result.good && result.log.empty()) continue;  // a warning is a failure too
            const std::scoped_lock guard(lock);
            failures += "sm_" + std::to_string(sm) + ":\n" + result.log + "\n" + (result.good ? "" : text);
        }
    };
    std::thread second(work);
    work();
    second.join();
    return failures;
}

}  // namespace frit_test
