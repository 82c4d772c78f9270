// What stands behind loops whose lanes run across rows: what an access is to a group of rows, how many of them are taken at
// once, and what a run of their elements has once for all of them.
#pragma once

#include <optional>
#include <vector>

#include "fusion/schedules/host/rows.hpp"

namespace frit::inline v0::fusion::host {

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
    bool is_turned(const memory& m) const;

    /// Vectors of rows in flight: what they keep in registers leaves a quarter of them free.
    int vectors() const;
    /// Vectors of a wide group, whose accumulators are in the L1, so that memory is read in pieces of some kilobytes: for
    /// what waits for memory more than it computes. Else vectors().
    int wide_vectors() const;
    /// Recurrences that store along memory, so lanes reach for as many rows. A few rows at a time are read and written from
    /// one end to the other while they are in the L1.
    bool recurs_along_memory() const;
    /// Of what is turned round as much as the cache holds, and so whole rows if they are short: memory is then read and
    /// written from end to end. Which element is the last of a row does not depend on how the row is cut.
    std::int64_t length_of_runs() const;

    /// Of recurrences, whether one row is all that there is: nothing lies across it. Then one lane walks it from end to end,
    /// and reads and writes memory as it goes.
    bool is_one_row() const;

    bool uses(std::size_t pass, op code, std::size_t a) const;
    bool touches(std::size_t pass, std::size_t k) const {
        return memories_[k].is_load() ? uses(pass, op::load, k) : is_last(pass);
    }

    // --- what a run has once for all rows, of its element jj: in tables, but where there is one row ---
    void declare_tables();
    void fill_tables(std::size_t pass);
    value from_first(std::size_t k, value jj);    ///< how far it is from the row's first, of memory k
    value single(std::size_t k, value jj);        ///< what a load has that is one value for all rows
    value index_in_row(std::size_t k, value jj);  ///< coordinate body[k]

    const bool inner_order_;
    const std::size_t lane_;
    std::int64_t run_length_ = reduce_run;
    cell j_, m_;  ///< the first element of a run, and how many it has

private:
    std::vector<std::optional<array>> tables_, offsets_, index_tables_;
};

}  // namespace frit::v0::fusion::host
