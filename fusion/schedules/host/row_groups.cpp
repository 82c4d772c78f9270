// See row_groups.hpp.
#include "fusion/schedules/host/row_groups.hpp"

#include <algorithm>

namespace frit::inline v0::fusion::host {

constexpr std::int64_t longest_run = 128, turned_bytes = 64 << 10;  // where rows are turned round
// Where recurrences have lanes across rows in memory: few elements of each row at a time, of many rows, since memory is
// quick with long stretches and few of them.
constexpr std::int64_t shortest_run = 8;

bool row_groups::is_turned(const memory& m) const {
    const std::size_t last = spec_.rank - 1U;
    return has_recurrences(spec_) && row_dims_ == last && is_element(m) && moves_across(m) && moves_in_row(m) &&
           !m.is_contiguous(lane_) && !m.dim(last).clamped;
}
bool row_groups::recurs_along_memory() const {
    return has_recurrences(spec_) && std::any_of(memories_.begin(), memories_.end(), [this](const memory& m) {
               return is_element(m) && !m.is_load() && !m.is_contiguous(lane_) && m.is_contiguous(spec_.rank - 1U);
           });
}
int row_groups::vectors() const {
    if (spec_.body.size() > 64 || inner_order_) return 1;
    std::size_t each = 1;
    for (std::size_t k = 0; k < spec_.reductions.size(); ++k) each += static_cast<std::size_t>(rule(k).parts);
    for (const memory& m : memories_) each += is_invariant(m) ? 1 : 0;
    for (const instruction& i : spec_.body) each += i.code == op::row || i.code == op::state ? 1 : 0;
    const std::size_t registers = target_.vector_bytes == 64 ? 32 : 16;
    int n = recurs_along_memory() ? 2 : 8;
    while (n > 1 && static_cast<std::size_t>(n) * each > registers * 3 / 4) n /= 2;
    return n;
}
int row_groups::wide_vectors() const {
    const bool streams = std::all_of(memories_.begin(), memories_.end(), [this](const memory& m) {
        return is_element(m) ? m.is_load() && m.is_contiguous(lane_) : !is_table(m);
    });
    return passes_.single() && streams && !inner_order_ && parts_of(spec_) <= 2 && spec_.body.size() <= 16
               ? static_cast<int>(rows_of_a_task) / lanes_
               : vectors();
}
std::int64_t row_groups::length_of_runs() const {
    std::size_t bytes = 0;
    for (const memory& m : memories_) bytes += is_turned(m) ? size_of(m.at.type) : 0;
    const bool adds = std::any_of(spec_.reductions.begin(), spec_.reductions.end(),
                                  [](const reduction_spec& r) { return r.code != op::last; });
    if (adds || inner_order_) return reduce_run;
    const bool across = std::any_of(memories_.begin(), memories_.end(),
                                    [this](const memory& m) { return is_element(m) && m.is_contiguous(lane_); });
    if (bytes == 0) return has_recurrences(spec_) && across ? shortest_run : reduce_run;
    std::int64_t n = longest_run;
    while (n > reduce_run && static_cast<std::int64_t>(bytes) * n * vectors() * lanes_ > turned_bytes) n /= 2;
    return n;
}
}  // namespace frit::v0::fusion::host
