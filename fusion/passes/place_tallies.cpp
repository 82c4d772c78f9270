// A library's sum of one integer at many places of a small array becomes a tally, which a GPU's kernel counts where the
// places are computed: nothing of their number is stored. Kernels count in shared memory, so the array must fit in there,
// and it begins as one number. Where somebody else reads the places that are computed, they are stored anyway, and the
// library stays. Stored indices, which it would check, the kernel checks.
#include <algorithm>
#include <vector>

#include "fusion/ir/alignment.hpp"
#include "fusion/ir/gathers.hpp"
#include "fusion/ir/library_op.hpp"
#include "fusion/machine/cuda_shape.hpp"
#include "fusion/passes/passes.hpp"

namespace frit::inline v0::fusion {
namespace {

constexpr int base = 0, places = 1, amount = 2;  // the operands of such an op

class tally_placer {
public:
    explicit tally_placer(graph& g) : g_(g), readers_(g.values.size()), live_(g.values.size()) {
        std::vector<char> kept(g.values.size());
        for (const value_id v : g.outputs) live_[v] = kept[v] = 1;
        for (auto v = static_cast<value_id>(g.values.size()); v-- > 0;) {
            if (!live_[v]) continue;
            for (const value_id from : g.values[v].in) live_[from] = 1, ++readers_[from];
        }
        for (value_id v = 0; v < kept.size(); ++v) readers_[v] += kept[v] || g.values[v].stored;
    }

    void run() {
        std::vector<char> tallied(g_.values.size());
        for (value_id v = 0; v < tallied.size(); ++v) tallied[v] = live_[v] && is_tally_of(g_.values[v]);
        if (std::find(tallied.begin(), tallied.end(), 1) != tallied.end()) rewrite(tallied);
    }

private:
    /// The number that an array repeats; no_value: it is not one that a launch is given.
    value_id number_of(value_id v) const {
        const value_id below = below_views(g_, v);
        return g_.values[below].code == op::scalar ? below : no_value;
    }

    bool is_tally_of(const value& x) const {
        if (!is_library(x.code)) return false;
        const library_op& of = *g_.libraries[x.index].of;
        if (!of.adds_at_places || !of.adds_at_places(x.code) || !is_integer(x.type) || size_of(x.type) < 4) return false;
        const value_id by = number_of(x.in[amount]), at = x.in[places];
        return by != no_value && g_.values[by].type == x.type && number_of(x.in[base]) != no_value &&
               x.extents->size() < tally_counters &&
               (of.checks_indices || (g_.values[at].type == dtype::i32 && readers_[at] == 1));
    }

    /// How many elements of the tally v are wanted: the first ones, where one reader, which is such a view, has no use for
    /// others. What is not to be counted has a place behind them.
    const shape* wanted_of(value_id v, value_id reader) const {
        const value& x = g_.values[reader];
        if (readers_[v] != 1 || x.code != op::view || x.in[0] != v) return nullptr;
        const detail::attribute& a = *g_.attributes[x.index];
        const bool first = a.what == detail::attribute::kind::affine && a.source.rank() == 1 && a.result.rank() == 1 &&
                           a.maps[0].axis == 0 && a.maps[0].offset == 0 && a.maps[0].step == 1 && !a.maps[0].clamped;
        return first && x.extents->size() > 0 ? x.extents : nullptr;
    }

    void rewrite(const std::vector<char>& tallied) {
        std::vector<const shape*> wanted(tallied.size());
        for (value_id v = 0; v < tallied.size(); ++v)
            if (live_[v] && g_.values[v].code == op::view && tallied[g_.values[v].in[0]])
                wanted[g_.values[v].in[0]] = wanted_of(g_.values[v].in[0], v);
        const std::vector<value> old = g_.take_values();
        std::vector<value_id> now(old.size());
        auto start = g_.statement_starts.begin();
        for (value_id v = 0; v < old.size(); ++v) {
            for (; start != g_.statement_starts.end() && *start == v; ++start)
                *start = static_cast<value_id>(g_.values.size());
            value x = old[v];
            for (value_id& operand : x.in) operand = now[operand];
            if (tallied[v])
                now[v] = tally(x, wanted[v]);
            else
                now[v] = x.code == op::view && wanted[old[v].in[0]] ? x.in[0] : g_.put_back(x);
        }
        for (; start != g_.statement_starts.end(); ++start) *start = static_cast<value_id>(g_.values.size());
        for (value_id& v : g_.outputs) v = now[v];
    }
    value_id tally(const value& x, const shape* wanted) {
        const value_id from = wanted ? g_.broadcast(number_of(x.in[base]), wanted) : x.in[base];
        value_id at = x.in[places];
        if (g_.libraries[x.index].of->checks_indices)
            at = g_.add_cast(add_checked_index(g_, at, x.extents->size(), g_.values[at].extents), dtype::i32);
        return g_.add_tally(from, at, number_of(x.in[amount]));
    }

    graph& g_;
    std::vector<std::uint32_t> readers_;  ///< those in memory count as one more
    std::vector<char> live_;
};

}  // namespace

void place_tallies(graph& g, const target& t) {
    const auto adds = [](const library_result& of) { return of.of->adds_at_places != nullptr; };
    if (t.device == target::kind::cuda && std::any_of(g.libraries.begin(), g.libraries.end(), adds)) tally_placer(g).run();
}

}  // namespace frit::v0::fusion
