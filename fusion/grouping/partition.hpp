// The state of grouping: a disjoint-set forest over values with a summary per group, and the two questions that every
// merge asks: does it stay acyclic, and does a schedule accept it?
#pragma once

#include <span>
#include <vector>

#include "fusion/grouping/groups.hpp"

namespace frit::inline v0::fusion {

class partition {
public:
    partition(const graph&, const target&, const std::vector<char>& live, const std::vector<char>& is_output,
              const std::vector<char>& keep);

    struct members {
        group_summary summary;
        std::vector<value_id> values;
        std::vector<value_id> open;       ///< outputs, and values with a consumer outside
        std::vector<value_id> externals;  ///< operands from outside (views not followed), sorted
    };

    /// Merges happen inside windows only; the window of each value. Before the first merge.
    void set_windows(std::vector<std::uint32_t> window_of);
    std::uint32_t window(value_id v) const { return window_of_[v]; }

    bool computed(value_id v) const { return computed_[v]; }
    bool must_store(value_id v) const { return output_[v] || keep_[v]; }
    bool kept(value_id v) const { return keep_[v]; }
    bool is_output(value_id v) const { return output_[v]; }
    value_id find(value_id v) const;
    const members& of(value_id v) const { return groups_[find(v)]; }
    /// The computed values that read v, through views or not.
    std::span<const value_id> consumers(value_id v) const;
    /// True where `consumer` reads `producer` at its own index only, so that both can sit in one loop body.
    bool reads_in_place(value_id consumer, value_id producer) const;
    /// The operands of a group that reach `producer`: one for each different view of it.
    std::vector<value_id> reads_of(value_id group_of, value_id producer) const;

    /// Merges the groups of these values if that is acyclic and some schedule accepts it; else the reason.
    /// @param domain  of the merged loop
    /// @param inlined  a value that may be read through views, since it is computed at each of them
    /// @param repeats  how many times more
    std::string merge(std::span<const value_id> of, const shape* domain, value_id inlined = no_value,
                      std::uint32_t repeats = 0);

    /// v's group is recomputed inside each consumer: its work and its inputs become theirs.
    void recompute(value_id v);
    bool recomputed(value_id v) const { return recomputed_[v]; }

    /// Whether some path leads from one group through others into another (or the same) of them.
    bool has_outside_path(std::span<const value_id> roots) const;
    bool has_path(value_id from, value_id to) const;

    const graph& g;
    const target& facts;

private:
    /// Why one loop body cannot hold these groups: a total, or a value read through a view, passes between two of them.
    std::string blocked_by_read(std::span<const value_id> roots, value_id inlined) const;
    bool inside(value_id v) const;  ///< one of the groups that are being merged
    members combine(std::span<const value_id> roots, const shape* domain) const;
    bool epilogue_reads_memory(std::span<const value_id> roots, const members& merged) const;
    bool walk(std::span<const value_id> from, std::span<const value_id> to) const;

    std::vector<char> output_, keep_, computed_, recomputed_;
    std::vector<std::uint32_t> window_of_;
    std::vector<value_id> last_merged_;  ///< per window: beyond this value every group is a single value
    std::vector<std::uint32_t> consumer_start_;
    std::vector<value_id> consumer_list_;
    mutable std::vector<value_id> parent_;
    // marks by the number of the walk, or of the merge, that set them
    mutable std::vector<std::uint32_t> visited_, from_, to_;
    mutable std::uint32_t visit_ = 0;
    std::vector<std::uint32_t> merging_;
    std::uint32_t merges_ = 0;
    std::vector<members> groups_;
};

}  // namespace frit::v0::fusion
