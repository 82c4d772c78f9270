// A sum of rows' sums, each times numbers of its row: sum(x * matmul(a, y)). What rows' totals have become no schedule adds
// up, so they would be stored for a second kernel. But sums are linear: the factors go into the rows, and what is left is
// one sum over all elements, of a(i, j) * y(j) * x(i), a kernel that reads the matrix once and stores nothing but the
// result. On the CPU it stays two: a launch costs little there, and one more product for each element up to a fifth of the
// time in caches (1024 x 1024 float32, one thread: 68 us and 57 compiled, 127 and 108 interpreted; beyond caches no
// difference).
#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "fusion/ir/alignment.hpp"
#include "fusion/machine/cost_model.hpp"
#include "fusion/passes/passes.hpp"
#include "fusion/passes/rebuild.hpp"

namespace frit::inline v0::fusion {
namespace {

/// Of more, two kernels are quicker on an H200: of 4096 x 4096 float32 21.8 us and 24.5, of 1024 x 1024 9.7 and 5.6.
constexpr std::int64_t most_elements = std::int64_t{1} << 22;

class sum_flattener {
public:
    explicit sum_flattener(graph& g) : g_(g), readers_(g.values.size()) {
        std::vector<char> live(g.values.size());
        for (const value_id v : g.outputs) live[v] = 1, ++readers_[v];
        for (auto v = static_cast<value_id>(g.values.size()); v-- > 0;)
            if (live[v])
                for (const value_id from : g.values[v].in) live[from] = 1, ++readers_[from];
    }

    /// @returns whether there is a sum that it has flattened: there may be another around it
    bool run() {
        std::vector<std::optional<nested>> found(g_.values.size());
        bool any = false;
        for (value_id v = 0; v < found.size(); ++v) {
            if (g_.values[v].code != op::sum || readers_[v] == 0) continue;
            nested n;
            if (!g_.values[v].stored && look_for_sum(g_.values[v].in[0], v, n) && !found[n.inner])
                found[v] = std::move(n), any = true;
        }
        if (!any) return false;
        const std::vector<value> old = g_.take_values();
        std::vector<value_id> now;
        rebuild(g_, old, now, [&](value_id v, const value& x) {
            return found[v] ? flattened(x, old[found[v]->inner], *found[v], now) : g_.put_back(x);
        });
        return true;
    }

private:
    struct nested {
        value_id inner = no_value;      ///< the sum of rows
        std::vector<value_id> factors;  ///< each has one element a row
    };

    /// Follows products down to a sum, and gathers their other factors.
    bool look_for_sum(value_id v, value_id outer, nested& n) const {
        const value& x = g_.values[v];
        if (readers_[v] != 1 || x.stored || x.type != g_.values[outer].type) return false;
        if (x.code == op::mul) {
            for (int k = 0; k < 2; ++k) {
                const value_id factor = x.in[1 - k];
                if (!is_known(factor)) continue;
                n.factors.push_back(factor);
                if (look_for_sum(x.in[k], outer, n)) return true;
                n.factors.pop_back();
            }
            return false;
        }
        const value_id below = below_views(g_, v);
        for (value_id at = v; at != below; at = g_.values[at].in[0])
            if (readers_[at] != 1) return false;
        n.inner = below;
        return is_sum_of_rows(below, v, outer);
    }
    bool is_sum_of_rows(value_id inner, value_id seen_as, value_id outer) const {
        const value& x = g_.values[inner];
        if (x.code != op::sum || readers_[inner] != 1 || x.stored || x.type != g_.values[outer].type) return false;
        const row_domain rows{&g_.extents(x.in[0]), reduced_axes(g_, inner)};
        const std::int64_t elements = rows.domain->size();
        return elements > 0 && elements <= most_elements && repeated_axes(g_, seen_as, inner) == 0u &&
               rows.has_rows_of(g_.extents(seen_as));
    }

    /// Whether a factor is made of memory and numbers with little work, which elements do instead of rows.
    bool is_known(value_id factor) const {
        constexpr std::size_t most_values = 16;
        std::vector<value_id> stack{factor}, seen;
        std::uint64_t work = 0;
        while (!stack.empty()) {
            const value_id v = below_views(g_, stack.back());
            const value& x = g_.values[v];
            stack.pop_back();
            if (std::find(seen.begin(), seen.end(), v) != seen.end()) continue;
            seen.push_back(v);
            const bool ends = x.code == op::leaf || x.code == op::scalar || x.code == op::coord || x.stored ||
                              is_library(x.code) || x.code == op::update;
            if (ends) continue;
            if (seen.size() > most_values || !(is_elementwise(x.code) || is_conversion(x.code))) return false;
            work += is_elementwise(x.code) ? cost_of(x.code) : 1;
            stack.insert(stack.end(), x.in.begin(), x.in.end());
        }
        return is_free(work);
    }

    /// @param x  the outer sum, over operands of the new list
    value_id flattened(const value& x, const value& inner, const nested& n, const std::vector<value_id>& now) {
        const detail::attribute &within = *g_.attributes[inner.index], &outside = *g_.attributes[x.index];
        auto *spread = new detail::attribute, *over = new detail::attribute, *kept = new detail::attribute;
        const detail::attribute_ref spread_ref(spread), over_ref(over), kept_ref(kept);
        spread->source = outside.source;
        spread->result = over->source = within.source;
        spread->maps.resize(static_cast<std::size_t>(outside.source.rank()));
        over->what = detail::attribute::kind::reduce;
        over->maps.resize(static_cast<std::size_t>(within.source.rank()));
        kept->result = *x.extents;
        // The axes that the inner sum keeps are those of its rows, in order.
        std::size_t row = 0;
        for (int k = 0; k < within.source.rank(); ++k) {
            if (within.source[k] == 1 || within.maps[static_cast<std::size_t>(k)].axis < 0) continue;
            while (outside.source[static_cast<int>(row)] == 1) ++row;
            spread->maps[row] = {.axis = k, .step = 1};
            if (outside.maps[row].axis >= 0) {
                over->maps[static_cast<std::size_t>(k)] = {.axis = over->result.rank(), .step = 1};
                over->result.push_back(within.source[k], detail::unknown_line);
                kept->maps.push_back({.axis = static_cast<int>(row), .step = 1});
            }
            ++row;
        }
        kept->source = over->result;
        value_id terms = now[inner.in[0]];
        for (auto factor = n.factors.rbegin(); factor != n.factors.rend(); ++factor)  // the innermost first, as it was
            terms = g_.add_raw(op::mul, x.type, std::array{terms, g_.add_view(now[*factor], spread_ref)});
        return g_.add_view(g_.add_reduction(op::sum, terms, over), kept_ref);
    }

    graph& g_;
    std::vector<std::uint32_t> readers_;  ///< results count as one more
};

}  // namespace

void flatten_sums(graph& g, const target& t) {
    if (t.device != target::kind::cuda) return;
    const auto is_sum = [](const value& v) { return v.code == op::sum; };
    while (std::count_if(g.values.begin(), g.values.end(), is_sum) > 1 && sum_flattener(g).run()) {
    }
}

}  // namespace frit::v0::fusion
