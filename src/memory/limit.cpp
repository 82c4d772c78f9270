// The number itself: the user's, else the environment's.
#include "src/memory/limit.hpp"

#include <atomic>

#include "frit/eval.hpp"
#include "src/base/env.hpp"

namespace frit::inline v0 {
namespace {

constexpr std::uint64_t as_environment_says = ~std::uint64_t{0};
std::atomic<std::uint64_t> limit{as_environment_says};

}  // namespace

void set_memory_limit(std::uint64_t bytes) { limit.store(bytes, std::memory_order_relaxed); }

std::uint64_t memory_limit() {
    return detail::or_out_of_memory("memory_limit", detail::unknown_line, [] { return detail::limit_of_memory(); });
}

namespace detail {

std::uint64_t limit_of_memory() {
    const std::uint64_t set = limit.load(std::memory_order_relaxed);
    return set == as_environment_says ? env().memory_limit : set;
}

}  // namespace detail
}  // namespace frit::v0
