// What stands behind loops whose lanes run across rows: what an access is to a group of rows, and how many of them are taken
// at once.
#pragma once

#include <algorithm>

#include "fusion/schedules/host/rows.hpp"

namespace frit::inline v0::fusion::host {

inline constexpr std::int64_t longest_run = 128, turned_bytes = 64 << 10;  // where rows are turned round
// Where recurrences have lanes across rows in memory: few elements of each row at a time, of many rows, since memory is
// quick with long stretches and few of them.
inline constexpr std::int64_t shortest_run = 8;

class row_groups : protected row_builder {
protected:
    row_groups(const kernel_spec& spec, const word_map& map, const target& t, const std::string& name)
        : row_builder(spec, map, t, name),
          inner_order_(spec.schedule == schedule_kind::reduce_inner),
          lane_(row_dims_ - 1) {}

    bool moves_across(const memory& m) const { return m.moves(lane_); }
    /// One value for a line of rows; one value for all rows; one value for all elements of a row.
    bool is_splat(const memory& m) const { return m.is_load() && !moves_across(m) && !moves_in_row(m); }
    bool is_table(const memory& m) const { return m.is_load() && !moves_across(m) && moves_in_row(m); }
    bool is_invariant(const memory& m) const { return m.is_load() && moves_across(m) && !moves_in_row(m); }
    bool is_element(const memory& m) const {
        return m.what != memory::kind::row_store && !is_splat(m) && !is_table(m) && !is_invariant(m);
    }

    /// What lanes reach for row by row, where they do not lie side by side: a run of a group's rows is turned round at once,
    /// by way of the L1. Of recurrences; reductions of such rows run along them.
    bool is_turned(const memory& m) const {
        const std::size_t last = spec_.rank - 1U;
        return has_recurrences(spec_) && row_dims_ == last && is_element(m) && moves_across(m) && moves_in_row(m) &&
               !m.is_contiguous(lane_) && !m.dim(last).clamped;
    }

    /// Vectors of rows in flight: what they keep in registers leaves a quarter of them free.
    int vectors() const {
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
    /// Vectors of a wide group, whose accumulators are in the L1, so that memory is read in pieces of some kilobytes: for
    /// what waits for memory more than it computes. Else vectors().
    int wide_vectors() const {
        const bool streams = std::all_of(memories_.begin(), memories_.end(), [this](const memory& m) {
            return is_element(m) ? m.is_load() && m.is_contiguous(lane_) : !is_table(m);
        });
        return passes_.single() && streams && !inner_order_ && parts_of(spec_) <= 2 && spec_.body.size() <= 16
                   ? static_cast<int>(rows_of_a_task) / lanes_
                   : vectors();
    }
    /// Recurrences that store along memory, so lanes reach for as many rows. A few rows at a time are read and written from
    /// one end to the other while they are in the L1.
    bool recurs_along_memory() const {
        return has_recurrences(spec_) && std::any_of(memories_.begin(), memories_.end(), [this](const memory& m) {
                   return is_element(m) && !m.is_load() && !m.is_contiguous(lane_) && m.is_contiguous(spec_.rank - 1U);
               });
    }
    /// Of what is turned round as much as the cache holds, and so whole rows if they are short: memory is then read and
    /// written from end to end. Which element is the last of a row does not depend on how the row is cut.
    std::int64_t length_of_runs() const {
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

    const bool inner_order_;
    const std::size_t lane_;
};

}  // namespace frit::v0::fusion::host
