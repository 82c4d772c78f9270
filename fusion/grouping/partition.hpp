// The state of grouping: a disjoint-set forest over values with a summary per group, and the two questions that every
// merge asks: does it stay acyclic, and does a schedule accept it?
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "fusion/grouping/groups.hpp"
#include "fusion/ir/alignment.hpp"
#include "fusion/schedules/schedule.hpp"

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
    /// Changes with the group of this root.
    std::uint32_t version(value_id root) const { return version_[root]; }
    /// The computed values that read v, through views or not, and the updates that v must precede, in topological order.
    std::span<const value_id> consumers(value_id v) const;
    /// True where the update overwrites what v is computed from: no kernel holds both.
    bool must_precede(value_id v, value_id update) const;
    std::vector<std::pair<value_id, value_id>>::const_iterator first_before(value_id update) const;  ///< in graph::order
    /// True where `consumer` reads `producer` at its own index only, so that both can sit in one loop body. Never an update:
    /// its loop goes over the region, and its readers look at the memory.
    bool reads_in_place(value_id consumer, value_id producer) const;
    /// True where both can sit in one loop of such rows: at the same index, or one value for a row.
    bool reads_in_row(value_id consumer, value_id producer, const row_domain&) const;
    /// The loop that would hold these groups, if they agree on one; else the reason why there is none.
    std::string common_loop(std::span<const value_id> of, row_domain& result) const;
    /// The operands of a group that reach `producer`: one for each different view of it.
    std::vector<value_id> reads_of(value_id group_of, value_id producer) const;

    /// Merges the groups of these values if that is acyclic and some schedule accepts it; else the reason.
    std::string merge(std::span<const value_id> of);
    /// The same, where the group of `inlined` is computed wherever its value is read through a view.
    /// @param repeats  how many times more than once
    std::string merge_inlined(std::span<const value_id> of, value_id inlined, std::uint32_t repeats);

    /// v's group is recomputed inside each consumer: its work and its inputs become theirs. Only v is read outside, or the
    /// group reads numbers alone.
    void recompute(value_id v);
    /// The groups outside v's that read one of its values.
    std::vector<value_id> readers_of_group(value_id v) const;
    bool recomputed(value_id v) const { return recomputed_[v]; }

    /// Whether some path leads from one group through others into another (or the same) of them.
    bool has_outside_path(std::span<const value_id> roots) const;
    bool has_path(value_id from, value_id to) const;

    const graph& g;
    const target& facts;

    /// Looks at a value, an operand or a reader so far.
    std::uint64_t steps() const { return steps_; }
    void count(std::size_t looks) const { steps_ += looks; }

private:
    std::vector<value_id> begin_merge(std::span<const value_id> of);
    bool is_more_expensive_with_its_total(std::span<const value_id> roots) const;
    std::string try_merge(std::span<const value_id> roots);
    std::string merge_roots(std::span<const value_id> roots, const row_domain&, value_id inlined, std::uint32_t repeats);
    /// Why one loop body cannot hold these groups: a value passes between two of them through a view that no row follows.
    /// @param given  values of the largest group that the others read
    std::string blocked_by_read(std::span<const value_id> roots, value_id largest, std::span<const value_id> given,
                                const row_domain&, value_id inlined) const;
    bool reads_running_through_view(std::span<const value_id> roots, value_id inlined) const;
    bool inside(value_id v) const;  ///< one of the groups that are being merged
    /// The values of the largest group that the others read, or must follow, sorted.
    std::vector<value_id> given_by(value_id largest, std::span<const value_id> roots) const;

    /// What groups would be together, as changes of the largest, so that a chain may grow value by value.
    struct union_of_groups {
        group_summary summary;
        std::vector<value_id> inner;   ///< operands of the largest that the others compute
        std::vector<value_id> added;   ///< the others' operands from outside that are new to it, sorted
        std::vector<value_id> closed;  ///< its open values that only the others read
        std::vector<value_id> opened;  ///< the others' open values that stay so
    };
    union_of_groups combine(std::span<const value_id> roots, value_id largest, std::span<const value_id> given,
                            const row_domain&) const;
    void find_externals(std::span<const value_id> roots, value_id largest, union_of_groups&) const;
    void find_open(std::span<const value_id> roots, value_id largest, std::span<const value_id> given,
                   union_of_groups&) const;
    bool read_outside(value_id v) const;  ///< of the groups that are being merged
    std::vector<value_id> leaving(value_id largest, const union_of_groups&) const;
    void apply(union_of_groups, std::span<const value_id> roots, value_id largest);
    void find_consumers();        ///< of every computed value
    void make_group(value_id v);  ///< of v alone
    /// The summary's loads, from the operands from outside.
    void count_loads(members&) const;
    std::uint32_t count_coords(std::span<const value_id> operands) const;
    void changed(value_id root) { version_[root] = ++versions_; }
    /// Passes over a row, and whether row code reads memory.
    void follow_totals(std::span<const value_id> roots, std::span<const value_id> leaving, group_summary&) const;
    /// The value below an operand's views that some kernel computes, or that is in memory.
    value_id source(value_id operand) const;
    std::optional<std::uint32_t> repeated(value_id operand) const;
    bool walk(std::span<const value_id> from, std::span<const value_id> to) const;

    std::vector<char> output_, keep_, computed_, recomputed_;
    std::vector<char> coordinate_;  ///< per operand: an index, below its views
    std::vector<char> viewed_;      ///< per computed value: some reader sees it through views
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
    mutable std::uint64_t steps_ = 0;
    mutable std::vector<value_id> walked_;  ///< of one walk: the groups to go on from

    /// Two groups that were refused, as they were then: neither a limit nor a path between them goes away as others merge.
    struct refusal {
        std::uint32_t first_version, second_version;
        std::string reason;
    };
    std::vector<std::uint32_t> version_;  ///< of each root's group: changes with it
    std::uint32_t versions_ = 0;
    std::unordered_map<std::uint64_t, refusal> refused_;  ///< by the pair of roots
    /// What follow_totals knows of a value that takes part in the merge of this number.
    struct in_row {
        std::uint32_t merge = 0;
        std::uint32_t pass = 0;  ///< the first in which the value is there; a total: one after its own
        bool per_row = false;
        bool reads_memory = false;  ///< itself, or what it is made of in the same row
    };
    mutable std::vector<in_row> in_row_;          ///< per value, from the first reduction on
    mutable std::vector<std::int64_t> repeated_;  ///< per operand that is a view: its axes, -1: none such, -2: not known
};

}  // namespace frit::v0::fusion
