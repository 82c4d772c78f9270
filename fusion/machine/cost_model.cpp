// See cost_model.hpp.
#include "fusion/machine/cost_model.hpp"

#include <algorithm>
#include <cmath>

namespace frit::inline v0::fusion {

std::uint32_t cost_of(op code) {
    if (is_elementwise(code)) return info(code).cost;
    if (is_running(code)) return cost_of_running;
    if (is_search(code)) return cost_of_search;
    if (code == op::iterate) return cost_of_state;
    return code == op::gather ? cost_of_gather : is_conversion(code) || code == op::index ? 1 : 0;
}

bool is_free(std::uint64_t operations) { return operations <= 16; }
bool is_too_often(const prices& p, std::uint64_t operations, std::int64_t times) {
    constexpr std::int64_t often = 32;
    return times >= often && operations > p.hidden_each_time;
}

bool pays_to_recompute(const prices& p, std::uint64_t operations, std::int64_t evaluations, std::int64_t bytes) {
    constexpr std::uint64_t most = 64;  // more than this is never done twice, however small the arrays
    const double work = static_cast<double>(evaluations) * static_cast<double>(operations) / p.operations_per_byte;
    return operations <= most && work <= static_cast<double>(2 * bytes + p.launch_in_bytes);
}

bool pays_to_write_region(const prices& p, int passes, std::int64_t region_bytes, std::int64_t base_bytes,
                          std::int64_t extra) {
    return passes * (2 * region_bytes + p.launch_in_bytes) + extra < 2 * base_bytes;
}

bound bound_of(const prices& p, double bytes, double operations) {
    const double work = operations / p.operations_per_byte;
    if (std::max(bytes, work) < static_cast<double>(p.launch_in_bytes)) return bound::launch;
    return work > bytes ? bound::arithmetic : bound::memory;
}

double cpu_nanoseconds(const kernel_spec& spec, bool interpreted, int vector_bytes) {
    constexpr double operation = 0.15, step = 0.8, byte = 0.01;  // of a register; of a register; of an element
    constexpr double rounds = 30;                                // of a loop, which nobody knows
    double time = 0;
    const auto lanes_of = [&](dtype t) {
        return static_cast<double>(vector_bytes) / static_cast<double>(std::max<std::size_t>(size_of(t), 4));
    };
    for (const instruction& i : spec.body) {
        if (cost_of(i.code) == 0) continue;
        if (i.code == op::iterate || i.code == op::scan_along) {
            for (const instruction& inside : spec.loops[i.b].code)
                time += (i.code == op::iterate ? rounds : 1) *
                        (cost_of(inside.code) * operation + (interpreted ? step : 0)) / lanes_of(inside.type);
            continue;
        }
        if (is_running(i.code)) {
            time += scanned_element;
            continue;
        }
        time += (cost_of(i.code) * operation + (interpreted ? step : 0)) / lanes_of(i.type);
    }
    for (const reduction_spec& r : spec.reductions)
        time += (operation + (interpreted ? step : 0)) * static_cast<double>(std::max<std::size_t>(size_of(r.type), 4)) /
                static_cast<double>(vector_bytes);
    std::size_t bytes = 0;
    for (const access& a : spec.loads) bytes += size_of(a.type);
    for (const store& s : spec.stores) bytes += size_of(s.to.type);
    return time + byte * static_cast<double>(bytes);
}

bool pays_to_transform(std::int64_t results, std::int64_t taps, int rank, bool gathered, std::int64_t transformed) {
    constexpr double of_vectors = 0.06, of_matrices = 0.1, of_windows = 3,
                     of_statement = 600;  // a product; a tap's statement
    constexpr double butterfly = 1, calls = 10'000;
    const double products = static_cast<double>(results) * static_cast<double>(taps), n = static_cast<double>(transformed);
    const double sums = gathered
                            ? products * of_windows
                            : products * (rank == 1 ? of_vectors : of_matrices) + static_cast<double>(taps) * of_statement;
    return sums > n * std::log2(n) * butterfly + calls;
}

std::int64_t worth_tasks(double nanoseconds, int threads, bool awake) {
    constexpr double if_awake = 2000, if_asleep = 40000,
                     least_task = 2000;  // hand-over, waking, and a task that is worth it
    if (threads == 1 || nanoseconds < (awake ? if_awake : if_asleep)) return 1;
    const std::int64_t useful = std::max<std::int64_t>(2, static_cast<std::int64_t>(nanoseconds / least_task));
    return std::min(useful, std::int64_t{4} * threads);
}

}  // namespace frit::v0::fusion
