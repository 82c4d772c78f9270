// What both orders of loops over rows share: which expensive values one pass keeps for the next, and how a row, or a line of
// rows, starts.
#pragma once

#include <functional>
#include <vector>

#include "fusion/schedules/host/kernel.hpp"

namespace frit::inline v0::fusion::host {

class row_builder : protected kernel_builder {
protected:
    row_builder(const kernel_spec&, const word_map&, const target&, const std::string& name);

    bool moves_in_row(const memory&) const;
    bool is_last(std::size_t pass) const { return pass + 1 == passes_.passes.size(); }
    bool has_totals() const { return spec_.schedule != schedule_kind::reduce_all; }
    /// Calls f(k, body[k]) for the body's coordinates that move in a row.
    template <class F>
    void each_coordinate(F f) const {
        for (std::size_t k = 0; k < spec_.body.size(); ++k)
            if (is_index_in_row(spec_.body[k])) f(k, spec_.body[k]);
    }
    bool is_index_in_row(const instruction& i) const { return i.code == op::coord && spec_.coords[i.a].dim >= row_dims_; }
    /// Parts of reduction r of this many rows from `row` on, as this block leaves them.
    void leave_partials(std::size_t r, value block, value row, const parts&, value count);
    /// Rows, their length and its blocks; behind `parameters`.
    void sizes();
    /// Place `number` of the first `dims` dimensions: indices_, of every access its pointer start_ there, and of every load
    /// that is one value from there on (`is_splat`) that value once_.
    void start_of(std::size_t dims, value number, const std::function<bool(const memory&)>& is_splat);

    // --- pairwise trees: of n accumulators that were pushed, as many levels of `tree` as n has ones, `pitch` apart ---

    std::vector<cell> declare_parts(const std::string& name, const parts&);
    void assign(const std::vector<cell>& to, const parts& all) {
        for (std::size_t p = 0; p < to.size(); ++p) b_.set(to[p], all[p]);
    }
    /// @param level  where the levels of the `before` that were pushed end
    void push(std::size_t r, const accumulators& tree, std::int64_t pitch, value level, value before, const parts& pushed);
    /// What the levels from `place` to `top` are together.
    parts total_of_tree(std::size_t r, const accumulators& tree, std::int64_t pitch, value place, value top);

    // --- values of the body that are expensive, and needed by a pass and a later one: the first leaves them in memory ---

    bool keeps() const { return !crossing_.empty(); }
    std::int64_t room() const;          ///< for so many elements
    void declare_kept(value elements);  ///< arrays with room for a row and a group more
    /// The body's instructions of pass p, at place `at` of what is kept.
    void body(std::size_t p, std::vector<value>& done, value at, const leaf_value& leaf, value exists = {});

    const row_passes passes_;
    const std::size_t row_dims_;  ///< the dimensions before the reduced ones
    cell first_, last_, block_, stop_, partials_;
    cell parted_;  ///< whether there are partials
    cell rows_, length_, blocks_;
    std::vector<value> indices_;       ///< by dimension, where known
    std::vector<value> start_, once_;  ///< by memory

private:
    void join(std::size_t r, const accumulators& tree, std::int64_t pitch, const cell& at, const std::vector<cell>& s);

    struct crossing_value {
        std::uint16_t name;
        std::size_t made;  // in this pass
        std::optional<array> at{};
    };
    std::vector<crossing_value> crossing_;
    int bytes_ = 0;
    cell fits_;
};

}  // namespace frit::v0::fusion::host
