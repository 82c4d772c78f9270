// Memory of a plan, known before it runs: which values share or take over storage, from which launch to which launch each
// block lives, and the most bytes alive at once. A dying input or intermediate whose every read is at the index being
// written gives its memory to the output.
#include <algorithm>

#include "fusion/ir/alignment.hpp"
#include "fusion/ir/library_op.hpp"
#include "fusion/passes/launches.hpp"

namespace frit::inline v0::fusion {
namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

/// As execution goes: launch by launch, or, where an input's memory is taken over, all memory before the first of them, with
/// blocks of one size shared.
void find_peak(execution_plan& p) {
    const auto own_bytes = [&](std::uint32_t k) {
        const storage& s = p.storages[k];
        return s.donor_leaf < 0 && s.external < 0 ? s.bytes : 0;
    };
    const bool donates =
        std::any_of(p.storages.begin(), p.storages.end(), [](const storage& s) { return s.donor_leaf >= 0; });
    std::int64_t alive = 0;
    std::vector<std::int64_t> free;  // blocks that nobody needs any more, of a plan that takes all of its memory first
    p.peak_bytes = 0;
    for (const launch& l : p.launches) {
        for (std::uint32_t k : l.takes) {
            const auto fits = std::find(free.begin(), free.end(), own_bytes(k));
            if (fits != free.end())
                free.erase(fits);
            else
                alive += own_bytes(k);
        }
        p.peak_bytes = std::max(p.peak_bytes, alive);
        for (std::uint32_t k : l.releases) {
            if (donates && own_bytes(k) > 0) free.push_back(own_bytes(k));
            if (!donates) alive -= own_bytes(k);
        }
    }
}

class memory_planner {
public:
    memory_planner(execution_plan& p, const graph& g, const std::vector<std::int32_t>& external)
        : p_(p),
          g_(g),
          external_(external),
          storage_of_(g.values.size(), none),
          last_read_(g.leaves.size(), 0),
          last_use_(g.values.size(), 0) {}

    void run(const std::vector<char>& output) {
        const auto n = static_cast<std::uint32_t>(p_.launches.size());
        for (std::uint32_t k = 0; k < n; ++k)
            if (has_indices(p_.launches[k].spec) || is_interruptible(p_.launches[k].spec))
                checked_ = looked_at_ = k + 1;
            else if (p_.launches[k].call && p_.launches[k].call->of->checks_indices)
                looked_at_ = k;  // before it writes, where it tells of them at once
        for (std::uint32_t k = 0; k < n; ++k)
            for (const traced_access& a : p_.launches[k].accesses) {
                last_use_[a.source] = k;
                if (g_.values[a.source].code == op::leaf) last_read_of(a.source) = k;
                if (!has_base(g_.values[a.source]) || !a.write) continue;
                const value_id base = g_.values[a.source].in[0];  // its memory, not read
                last_use_[base] = k;
                if (g_.values[base].code == op::leaf) last_read_of(base) = k;
            }
        for (value_id v = 0; v < g_.values.size(); ++v)
            if (output[v]) last_use_[v] = n;
        std::vector<char> donated(g_.leaves.size(), 0);
        for (value_id v : g_.outputs)  // a result that is an input's memory keeps it
            if (g_.values[v].code == op::leaf) donated[g_.values[v].index] = 1;
        for (std::uint32_t k = 0; k < n; ++k) {
            launch& l = p_.launches[k];
            for (const traced_access& a : l.accesses)
                if (a.write) {
                    place(a, l, k, donated);
                    complete_[storage_of_[a.source]] = k + 1;
                }
            for (const traced_access& a : l.accesses)
                if (g_.values[a.source].code != op::leaf) p_.storages[storage_of_[a.source]].last = k;
            for (pointer_binding& b : l.pointers)
                b.memory.index = b.memory.is_leaf ? g_.values[b.memory.index].index : storage_of_[b.memory.index];
        }
        for (value_id v = 0; v < g_.values.size(); ++v)
            if (output[v] && storage_of_[v] != none) p_.storages[storage_of_[v]].output = true;
        for (std::uint32_t k = 0; k < p_.storages.size(); ++k)
            if (!p_.storages[k].output && n > 0) p_.launches[p_.storages[k].last].releases.push_back(k);
        for (std::uint32_t k = 0; k < p_.storages.size(); ++k) p_.launches[p_.storages[k].first].takes.push_back(k);
        find_peak(p_);
    }

    output_place place_of(value_id v) const {
        if (g_.values[v].code == op::leaf) return {{true, g_.values[v].index}, g_.leaves[g_.values[v].index].offset};
        return {.memory = {false, storage_of_[v]}, .complete = complete_[storage_of_[v]]};
    }

private:
    /// By buffer: leaves over one buffer are read as one.
    std::uint32_t& last_read_of(value_id leaf) { return last_read_[g_.leaves[g_.values[leaf].index].buffer]; }

    /// The memory of the operand that a library overwrites, where nobody needs it any more.
    bool take_operand(value_id v, int operand, launch& l, std::uint32_t at, std::vector<char>& donated) {
        const traced_access& from = l.accesses[static_cast<std::size_t>(operand)];
        const value& x = g_.values[from.source];
        if (*x.extents != *g_.values[v].extents || from.at != layout_of(g_, v)) return false;
        const auto reads = [&](auto&& of_it) {
            return std::count_if(l.accesses.begin(), l.accesses.end(),
                                 [&](const traced_access& a) { return !a.write && of_it(a.source); });
        };
        if (x.code == op::leaf) {
            const leaf_info& leaf = g_.leaves[x.index];
            const auto in_it = [&](value_id y) {
                return g_.values[y].code == op::leaf && g_.leaves[g_.values[y].index].buffer == leaf.buffer;
            };
            if (at < checked_ || !leaf.donatable || donated[x.index] || last_read_of(from.source) != at || reads(in_it) > 1)
                return false;
            donated[x.index] = 1;
            add(v, {.bytes = bytes_of(v), .donor_leaf = static_cast<std::int32_t>(x.index), .first = at});
        } else {
            const std::uint32_t s = storage_of_[from.source];
            if (until_[s] != at || p_.storages[s].external >= 0 || reads([&](value_id y) { return lies_in(y, s); }) > 1)
                return false;
            share(v, s);
        }
        if (!l.call->of->touches_few) return true;
        const std::int64_t count = l.call->operands.back().extents.size();
        const std::int64_t touched = std::min(bytes_of(v), count * static_cast<std::int64_t>(size_of(x.type)));
        l.bytes_read += touched - bytes_of(v);
        l.bytes_written = touched;
        return true;
    }

    void place(const traced_access& write, launch& l, std::uint32_t at, std::vector<char>& donated) {
        const value_id v = write.source;
        const value& x = g_.values[v];
        if (has_base(x)) {
            const value& base = g_.values[x.in[0]];
            if (base.code != op::leaf) {
                share(v, storage_of_[x.in[0]]);
                return;
            }
            donated[base.index] = 1;
            add(v, {.bytes = bytes_of(v), .donor_leaf = static_cast<std::int32_t>(base.index), .first = at});
            until_.back() = std::max(until_.back(), last_read_of(x.in[0]));  // other parts of the base
            return;
        }
        storage s{.bytes = bytes_of(v), .external = external_[v], .first = at};
        const int operand = l.call ? l.call->of->overwritten(g_.libraries[x.index].result) : -1;
        if (external_[v] < 0 && operand >= 0) {
            if (take_operand(v, operand, l, at, donated)) return;
            if (!l.call->of->touches_few) {  // it is copied there first
                l.bytes_read += bytes_of(v);
                l.bytes_written += bytes_of(v);
            }
        } else if (external_[v] < 0) {
            // An input first: its memory costs the plan nothing, and that of an intermediate is free for others afterwards.
            if (const std::int32_t donor = donor_for(write, l, at, donated); donor >= 0) {
                donated[static_cast<std::size_t>(donor)] = 1;
                s.donor_leaf = donor;
            } else if (const std::uint32_t dying = dying_storage_for(write, l, at); dying != none) {
                share(v, dying);
                return;
            }
        }
        add(v, s);
    }

    /// The storage of an intermediate that this launch is the last to read, and only where it writes.
    std::uint32_t dying_storage_for(const traced_access& write, const launch& l, std::uint32_t at) const {
        if (l.call || l.domain->size() == 0) return none;
        for (const traced_access& read : l.accesses) {
            const value& x = g_.values[read.source];
            if (read.write || x.code == op::leaf || size_of(read.type) != size_of(write.type) ||
                *x.extents != *g_.values[write.source].extents)
                continue;
            const std::uint32_t s = storage_of_[read.source];
            const bool own_index_only = std::all_of(l.accesses.begin(), l.accesses.end(), [&](const traced_access& other) {
                return !lies_in(other.source, s) || (!other.write && !other.gathered && other.at == write.at);
            });
            if (until_[s] == at && p_.storages[s].external < 0 && own_index_only) return s;
        }
        return none;
    }

    /// Whether a value is in this storage, which may be an input's memory.
    bool lies_in(value_id v, std::uint32_t s) const {
        if (g_.values[v].code != op::leaf) return storage_of_[v] == s;
        const std::int32_t donor = p_.storages[s].donor_leaf;
        return donor >= 0 && g_.leaves[g_.values[v].index].buffer == g_.leaves[static_cast<std::size_t>(donor)].buffer;
    }

    std::int32_t donor_for(const traced_access& write, const launch& l, std::uint32_t at, const std::vector<char>& donated) {
        if (l.call || at < looked_at_ || l.domain->size() == 0) return -1;
        for (const traced_access& read : l.accesses) {
            const value& x = g_.values[read.source];
            if (read.write || x.code != op::leaf || size_of(read.type) != size_of(write.type)) continue;
            const leaf_info& leaf = g_.leaves[x.index];
            if (!leaf.donatable || donated[x.index] || last_read_of(read.source) != at ||
                *x.extents != *g_.values[write.source].extents)
                continue;
            const bool own_index_only = std::all_of(l.accesses.begin(), l.accesses.end(), [&](const traced_access& other) {
                const value& y = g_.values[other.source];
                const bool same = y.code == op::leaf && g_.leaves[y.index].buffer == leaf.buffer;
                return !same || (!other.gathered && other.at == write.at);
            });
            if (own_index_only) return static_cast<std::int32_t>(x.index);
        }
        return -1;
    }

    void add(value_id v, storage s) {
        storage_of_[v] = static_cast<std::uint32_t>(p_.storages.size());
        s.last = s.first;
        p_.storages.push_back(s);
        until_.push_back(last_use_[v]);
        complete_.push_back(0);
    }
    void share(value_id v, std::uint32_t s) {
        storage_of_[v] = s;
        until_[s] = std::max(until_[s], last_use_[v]);
    }

    std::int64_t bytes_of(value_id v) const {
        return g_.values[v].extents->size() * static_cast<std::int64_t>(size_of(g_.values[v].type));
    }

    execution_plan& p_;
    const graph& g_;
    const std::vector<std::int32_t>& external_;
    // From which launch on an input that was taken over is not lost: no kernel finds an index wrong any more; nor does a
    // call, before which only what is updated in place may be lost.
    std::uint32_t checked_ = 0, looked_at_ = 0;
    std::vector<std::uint32_t> storage_of_, last_read_;
    std::vector<std::uint32_t> last_use_, until_;  ///< by value and by storage: the last launch, or one more for results
    std::vector<std::uint32_t> complete_;          ///< by storage: the launches up to the last that writes there
};

}  // namespace

void plan_memory(execution_plan& p, const graph& g, const std::vector<char>& output,
                 const std::vector<std::int32_t>& external) {
    memory_planner m(p, g, external);
    m.run(output);
    for (value_id v : g.outputs) p.outputs.push_back(m.place_of(v));
}

void reserve_workspaces(execution_plan& p, const std::vector<std::int64_t>& bytes) {
    for (std::uint32_t k = 0; k < p.launches.size(); ++k) {
        if (bytes[k] == 0) continue;
        const auto index = static_cast<std::uint32_t>(p.storages.size());
        p.storages.push_back({.bytes = bytes[k], .first = k, .last = k});
        launch& l = p.launches[k];
        l.workspace = static_cast<std::int32_t>(index);
        l.takes.push_back(index);
        l.releases.push_back(index);
    }
    find_peak(p);
}

}  // namespace frit::v0::fusion
