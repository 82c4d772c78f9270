// A reduction over windows, sum(sliding_window_view(x, {5, 5}) * k, {2, 3}), gathers its elements: neighbouring ones from
// overlapping rows, none of which a schedule of rows reads side by side. Of short windows it is written out, the sum of 25
// slices of x, each times an element of k: a stencil like others, whose threads and lanes take neighbouring results, and
// whose products are contracted. The order is that of the window; all that decides is the formula.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>

#include "fusion/ir/alignment.hpp"
#include "fusion/passes/passes.hpp"

namespace frit::inline v0::fusion {
namespace {

bool is_in(const std::vector<value_id>& list, value_id v) { return std::find(list.begin(), list.end(), v) != list.end(); }

/// The domain of a reduction, and the axes that it goes over.
struct window_rows {
    const shape& domain;
    std::uint32_t reduced;

    bool in_row(int axis) const { return reduced >> axis & 1; }
    std::int64_t length() const { return row_length_of(domain, reduced); }
    bool moves(const strided& at, bool within) const {
        for (int k = 0; k < domain.rank(); ++k)
            if (domain[k] != 1 && in_row(k) == within && at.axes[static_cast<std::size_t>(k)].stride != 0) return true;
        return false;
    }
    /// Whether rows side by side read common elements: a step from one to the next is a step in the row, or several.
    bool overlap(const strided& at) const {
        const auto stride = [&](int k) {
            return domain[k] == 1 ? 0 : std::abs(at.axes[static_cast<std::size_t>(k)].stride);
        };
        for (int r = 0; r < domain.rank(); ++r)
            for (int k = 0; in_row(r) && stride(r) != 0 && k < domain.rank(); ++k)
                if (!in_row(k) && stride(k) != 0 && stride(k) % stride(r) == 0 && stride(k) / stride(r) < domain[r])
                    return true;
        return false;
    }
    /// One element of each row, all in the same place.
    detail::attribute_ref place(std::int64_t in_row_major_order) const {
        auto* view = new detail::attribute;
        detail::attribute_ref made(view);
        view->source = view->result = domain;
        view->maps.resize(static_cast<std::size_t>(domain.rank()));
        for (int k = domain.rank(); k-- > 0;) {
            detail::axis_map& m = view->maps[static_cast<std::size_t>(k)];
            m = {.axis = k, .step = 1};
            if (!in_row(k)) continue;
            m = {.offset = in_row_major_order % domain[k]};
            in_row_major_order /= domain[k];
            view->result.set(k, 1, detail::unknown_line);
        }
        return made;
    }
};

class writer {
public:
    writer(graph& g, const target& t)
        : made_(g), seen_(&g), t_(t), n_(static_cast<value_id>(g.values.size())), chosen_(n_, 0) {}

    void run() {
        for (value_id v = 0; v < n_; ++v) chosen_[v] = pays(v);
        while (leave_those_that_share()) {
        }
        if (is_any()) rewrite();
    }

private:
    const graph& g() const { return *seen_; }

    /// What one element of a row is: code, ascending, and the values at which it ends.
    struct element {
        std::vector<value_id> code, leaves;
        std::uint64_t weight = 0;
    };
    element element_of(value_id reduction) const {
        constexpr std::size_t most = 64;
        const value_id root = g().values[reduction].in[0];
        element e;
        std::vector<value_id> stack{root};
        while (!stack.empty()) {
            const value_id v = stack.back();
            stack.pop_back();
            const value& x = g().values[v];
            const bool elementwise = is_elementwise(x.code);
            const bool goes_on = (elementwise || is_conversion(x.code)) && !x.stored &&
                                 x.extents == g().values[root].extents && e.code.size() + e.leaves.size() < most;
            std::vector<value_id>& list = goes_on ? e.code : e.leaves;
            if (is_in(list, v)) continue;
            list.push_back(v);
            if (!goes_on) continue;
            e.weight += elementwise ? info(x.code).cost : 1;
            stack.insert(stack.end(), x.in.begin(), x.in.end());
        }
        std::sort(e.code.begin(), e.code.end());
        return e;
    }
    window_rows rows_of(value_id reduction) const {
        return {g().extents(g().values[reduction].in[0]), reduced_axes(g(), reduction)};
    }

    /// Where a leaf's elements lie; of what is computed, where they would.
    std::optional<strided> elements_of(value_id leaf) const {
        view_path path;
        value_id below = leaf;
        for (; g().values[below].code == op::view; below = g().values[below].in[0])
            path.push_back(g().attributes[g().values[below].index]);
        const auto own = g().values[below].code == op::gather ? elements_of_gather(g(), below) : layout_of(g(), below);
        auto at = own ? resolve(*own, g().extents(below), path) : own;
        if (at) at->axes.resize(static_cast<std::size_t>(g().extents(leaf).rank()));
        return at;
    }
    /// What windows over memory show at one place in each, as a view of the memory. Null of any other leaf.
    std::optional<detail::attribute_ref> slice_of(value_id leaf, const window_rows& rows,
                                                  const detail::attribute_ref& place) const {
        const value& gather = g().values[below_views(g(), leaf)];
        const auto at = gather.code == op::gather ? elements_of(leaf) : std::nullopt;
        if (!at || !rows.overlap(*at)) return std::nullopt;
        const auto one = resolve(*at, rows.domain, {place});
        return view_of_elements(*one, place->result, g().extents(gather.in[0]), layout_of(g(), gather.in[0]));
    }
    bool is_number(value_id leaf) const { return g().values[below_views(g(), leaf)].code == op::scalar; }

    /// Whether a reduction goes over windows that are short enough, and reads nothing else that a row has for itself.
    bool pays(value_id v) {
        const value& x = g().values[v];
        if (!is_reduction(x.code) || reduction(x.code).kind != reduction_kind::PLAIN || x.stored) return false;
        const window_rows rows = rows_of(v);
        const std::int64_t most = t_.max_pointers - 4;  // a few are left for what reads the result
        if (rows.domain.size() == 0 || rows.length() < 2 || rows.length() > most) return false;
        const element& e = elements_[v] = element_of(v);
        const detail::attribute_ref first = rows.place(0);
        std::int64_t arrays = 0;
        bool slides = false;
        for (const value_id leaf : e.leaves) {
            if (is_number(leaf)) continue;
            const auto at = elements_of(leaf);
            if (!at) return false;
            const bool window = slice_of(leaf, rows, first).has_value();
            if (!window && rows.moves(*at, true) && rows.moves(*at, false)) return false;
            slides |= window;
            arrays += rows.moves(*at, true) ? rows.length() : 1;
        }
        const std::uint64_t weight = static_cast<std::uint64_t>(rows.length()) * (e.weight + 1);
        return slides && arrays <= most && 2 * weight <= t_.max_kernel_weight;
    }

    /// What reads the windows element by element too shares a kernel with rows, and not with slices.
    bool leave_those_that_share() {
        if (!is_any()) return false;
        bool left = false;
        std::vector<char> read(n_, 0);
        for (const value_id v : g().outputs) read[v] = 1;
        for (value_id v = n_; v-- > 0;)
            if (read[v] && !chosen_[v])
                for (const value_id operand : g().values[v].in) read[operand] = 1;
        for (value_id v = 0; v < n_; ++v) {
            if (!chosen_[v]) continue;
            for (const value_id leaf : elements_.at(v).leaves)
                if (g().values[below_views(g(), leaf)].code == op::gather && read[below_views(g(), leaf)]) chosen_[v] = 0;
            left |= !chosen_[v];
        }
        return left;
    }
    bool is_any() const { return std::find(chosen_.begin(), chosen_.end(), 1) != chosen_.end(); }

    /// The list anew.
    void rewrite() {
        const graph before = made_;
        seen_ = &before;
        std::vector<value_id> now(n_), sliced;
        auto start = made_.statement_starts.begin();
        made_.take_values();
        for (value_id v = 0; v < n_; ++v) {
            for (; start != made_.statement_starts.end() && *start == v; ++start)
                *start = static_cast<value_id>(made_.values.size());
            value x = g().values[v];
            for (value_id& operand : x.in) operand = now[operand];
            now[v] = chosen_[v] ? written_out(v, now, sliced) : made_.put_back(x);
        }
        for (; start != made_.statement_starts.end(); ++start) *start = static_cast<value_id>(made_.values.size());
        seen_ = &made_;
        for (value_id& v : made_.outputs) v = now[v];
        // As what gathers read.
        for (const value_id v : sliced)
            if (value& x = made_.values[now[v]]; x.code != op::leaf) x.stored = true;
    }
    value_id written_out(value_id v, const std::vector<value_id>& now, std::vector<value_id>& sliced) {
        const value& x = g().values[v];
        const window_rows rows = rows_of(v);
        const element& e = elements_.at(v);
        value_id total = no_value;
        // A sum of nothing but -0 is 0, as in a reduction.
        if (x.code == op::sum && is_float(x.type))
            total = made_.broadcast(made_.add_cast(made_.add_constant(dtype::f32, 0), x.type), x.extents);
        for (std::int64_t k = 0; k < rows.length(); ++k) {
            std::map<value_id, value_id> here;
            for (const value_id leaf : e.leaves) {
                const bool invariant = is_number(leaf) || !rows.moves(*elements_of(leaf), true);
                const detail::attribute_ref place = rows.place(invariant ? 0 : k);
                const auto slice = is_number(leaf) ? std::nullopt : slice_of(leaf, rows, place);
                const value_id memory = slice ? g().values[below_views(g(), leaf)].in[0] : leaf;
                if (slice) sliced.push_back(memory);
                here[leaf] = made_.add_view(now[memory], slice ? *slice : place);
            }
            for (const value_id c : e.code) {
                value y = g().values[c];
                for (value_id& operand : y.in) operand = here.at(operand);
                here[c] = y.code == op::cast ? made_.add_cast(y.in[0], y.type)
                                             : made_.add_raw(y.code, y.type, {y.in.begin(), y.in.end()});
            }
            const value_id one = here.at(x.in[0]);
            total = total == no_value ? one : made_.add_raw(reduction(x.code).combine, x.type, std::array{total, one});
        }
        return total;
    }

    graph& made_;
    const graph* seen_;  // the same, or what it was before
    const target& t_;
    const value_id n_;
    std::vector<char> chosen_;
    std::map<value_id, element> elements_;  ///< of those that were looked at
};

}  // namespace

void write_out_windows(graph& g, const target& t) {
    const auto is_gather = [](const value& v) { return v.code == op::gather; };
    const auto is_total = [](const value& v) { return is_reduction(v.code); };
    if (std::any_of(g.values.begin(), g.values.end(), is_gather) && std::any_of(g.values.begin(), g.values.end(), is_total))
        writer(g, t).run();
}

}  // namespace frit::v0::fusion
