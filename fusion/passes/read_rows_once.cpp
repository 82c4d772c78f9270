// A sum over the rows of a matrix, weighted by what the rows' own totals have become: matmul(x.T(), f(matmul(x, w))), say.
// The total of a row is known only when all of it has been read, the weight comes after that, and a kernel of each would
// read the matrix twice. While a row is in registers, though, it can be weighted and added up too. So the sum becomes one in
// parts, which grouping puts into the kernel of the totals, and a sum of the parts, which fuses with what reads it. Its
// terms are written over the matrix's own axes where the formula has turned them.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "fusion/ir/alignment.hpp"
#include "fusion/machine/cuda_shape.hpp"
#include "fusion/passes/passes.hpp"
#include "fusion/passes/rebuild.hpp"

namespace frit::inline v0::fusion {
namespace {

/// Below this there is no work for many blocks, whoever reads how often.
constexpr std::int64_t few_rows = 256;

/// Of a matrix's axes.
struct matrix_strides {
    std::int64_t row, column, offset = 0;
    friend bool operator==(const matrix_strides&, const matrix_strides&) = default;
};

class row_reader {
public:
    row_reader(graph& g, const target& t)
        : g_(g), t_(t), readers_(g.values.size()), live_(g.values.size()), totals_(g.values.size()), seen_(g.values.size()) {
        for (const value_id v : g.outputs) live_[v] = 1, ++readers_[v];
        for (auto v = static_cast<value_id>(g.values.size()); v-- > 0;) {
            if (!live_[v]) continue;
            for (const value_id from : g.values[v].in) live_[from] = 1, ++readers_[from];
        }
        for (value_id v = 0; v < g.values.size(); ++v)
            totals_[v] =
                (is_reduction(g.values[v].code) && reduced_axes(g, v) == 2) ||
                std::any_of(g.values[v].in.begin(), g.values[v].in.end(), [this](value_id w) { return totals_[w]; });
    }

    void run() {
        std::vector<std::optional<column_sum>> found(g_.values.size());
        bool any = false;
        for (value_id v = 0; v < found.size(); ++v) {
            if (live_[v]) found[v] = sum_of(v);
            any = any || found[v];
        }
        if (any) rewrite(found);
    }

private:
    struct column_sum {
        bool turned;  ///< its terms have the matrix's columns first
        std::int64_t rows, columns;
    };
    /// What lies in memory and is read once for each element of the matrix.
    struct matrix_read {
        value_id array;
        matrix_strides at;
        friend bool operator==(const matrix_read&, const matrix_read&) = default;
    };
    /// What a formula over all elements is made of.
    struct ingredients {
        std::vector<matrix_read> matrices;
        std::vector<value_id> of_rows;  ///< computed once per row
        bool known = true;              ///< there is nothing else in it
    };

    std::optional<column_sum> sum_of(value_id v) {
        const value& x = g_.values[v];
        if (x.code != op::sum || !is_float(x.type)) return std::nullopt;
        const shape& terms = g_.extents(x.in[0]);
        if (!totals_[x.in[0]]) return std::nullopt;
        const std::uint32_t reduced = terms.rank() == 2 ? reduced_axes(g_, v) : 0;
        if (reduced != 1 && reduced != 2) return std::nullopt;
        const column_sum s{reduced == 2, terms[reduced == 2 ? 1 : 0], terms[reduced == 2 ? 0 : 1]};
        if (s.rows < few_rows || s.columns < 2 || s.columns > longest_row_once) return std::nullopt;
        const ingredients own = look_into(x.in[0], s, s.turned);
        const std::int64_t lines = 2 * sum_parts(s.rows, s.columns, t_);
        if (!own.known || own.matrices.empty() || lines > s.rows) return std::nullopt;
        const auto is_read = [&](value_id total) {
            const ingredients other = look_into(g_.values[total].in[0], s, false);
            return std::any_of(other.matrices.begin(), other.matrices.end(), [&](const matrix_read& m) {
                return m.at.column == 1 && std::count(own.matrices.begin(), own.matrices.end(), m) > 0;
            });
        };
        const std::vector<value_id> totals = totals_below(own.of_rows, s);
        return std::any_of(totals.begin(), totals.end(), is_read) ? std::optional(s) : std::nullopt;
    }

    bool is_of(const shape& extents, const column_sum& s, bool turned) const {
        return extents.rank() == 2 && extents[0] == (turned ? s.columns : s.rows) &&
               extents[1] == (turned ? s.rows : s.columns);
    }
    static bool is_formula(const value& x) { return is_elementwise(x.code) || is_conversion(x.code); }

    ingredients look_into(value_id root, const column_sum& s, bool turned) const {
        constexpr std::size_t most_values = 128;  // of a formula that stays in registers
        ingredients all;
        std::vector<value_id> stack{root}, seen;
        while (!stack.empty() && all.known) {
            const value_id v = stack.back();
            const value& x = g_.values[v];
            stack.pop_back();
            if (std::find(seen.begin(), seen.end(), v) != seen.end()) continue;
            seen.push_back(v);
            if (seen.size() > most_values) {
                all.known = false;
            } else if (is_formula(x)) {
                // Turned, it is written anew: nobody else may want it as it is.
                all.known = is_of(*x.extents, s, turned) && !(turned && (x.stored || readers_[v] > 1));
                stack.insert(stack.end(), x.in.begin(), x.in.end());
            } else {
                look_below(v, s, turned, all);
            }
        }
        return all;
    }

    /// What is no formula over all elements, in the matrix's axes.
    void look_below(value_id v, const column_sum& s, bool turned, ingredients& all) const {
        const value_id below = below_views(g_, v);
        const value& x = g_.values[below];
        if (x.code == op::scalar || x.code == op::coord) return;
        const auto at = strides_below(v, below, turned);
        if (!at)
            all.known = false;
        else if (at->row != 0 && at->column != 0)
            look_at_matrix(below, *at, s, all);
        else if (at->row != 0 && !is_in_memory(x))
            look_at_rows(below, *at, s, all);
    }
    void look_at_rows(value_id below, const matrix_strides& at, const column_sum& s, ingredients& all) const {
        all.known = g_.extents(below).size() == s.rows && at.row == 1;
        all.of_rows.push_back(below);
    }
    void look_at_matrix(value_id below, const matrix_strides& at, const column_sum& s, ingredients& all) const {
        const value& x = g_.values[below];
        if (is_in_memory(x)) return all.matrices.push_back({below, at});
        all.known = is_formula(x) && is_of(*x.extents, s, false) && at == matrix_strides{s.columns, 1};
        if (!all.known) return;
        // A formula over the matrix's own axes: as it is, whoever else reads it.
        const ingredients inner = look_into(below, s, false);
        all.known = inner.known;
        all.matrices.insert(all.matrices.end(), inner.matrices.begin(), inner.matrices.end());
        all.of_rows.insert(all.of_rows.end(), inner.of_rows.begin(), inner.of_rows.end());
    }
    static bool is_in_memory(const value& x) {
        return x.code == op::leaf || x.stored || is_library(x.code) || x.code == op::update;
    }

    std::optional<matrix_strides> strides_below(value_id v, value_id below, bool turned) const {
        view_path path;
        for (value_id w = v; w != below; w = g_.values[w].in[0]) path.push_back(g_.attributes[g_.values[w].index]);
        const auto at = resolve(layout_of(g_, below), g_.extents(below), path);
        if (!at || at->axes.size() != 2 || at->axes[0].clamped || at->axes[1].clamped) return std::nullopt;
        return matrix_strides{at->axes[turned ? 1 : 0].stride, at->axes[turned ? 0 : 1].stride, at->offset};
    }

    /// The totals of the matrix's rows that these values, one for each row, are made of; of long formulas some.
    std::vector<value_id> totals_below(std::vector<value_id> stack, const column_sum& s) {
        constexpr std::size_t most_values = 1024, most_totals = 16;
        std::vector<value_id> totals;
        ++walks_;
        for (std::size_t k = 0; k < most_values && totals.size() < most_totals && !stack.empty(); ++k) {
            const value_id v = stack.back();
            const value& x = g_.values[v];
            stack.pop_back();
            if (!totals_[v] || std::exchange(seen_[v], walks_) == walks_) continue;
            if (is_reduction(x.code) && is_of(g_.extents(x.in[0]), s, false) && reduced_axes(g_, v) == 2)
                totals.push_back(v);
            if (!is_formula(x)) continue;
            for (const value_id operand : x.in)
                if (const value_id below = below_views(g_, operand); repeated_axes(g_, operand, below) == 0u)
                    stack.push_back(below);
        }
        return totals;
    }

    void rewrite(const std::vector<std::optional<column_sum>>& found) {
        old_ = g_.take_values();
        rebuild(g_, old_, now_, [&](value_id v, const value& x) {
            const value_id made = found[v] ? sum_of_parts(old_[v], *found[v]) : g_.put_back(x);
            if (found[v] && x.stored) g_.values[made].stored = true;
            return made;
        });
    }

    value_id sum_of_parts(const value& sum, const column_sum& s) {
        const value_id terms = s.turned ? turned(sum.in[0]) : now_[sum.in[0]];
        const value_id parts = g_.add_column_sums(terms, sum_parts(s.rows, s.columns, t_));
        const value_id lines = s.turned ? g_.add_view(parts, transpose_of(g_.extents(parts))) : parts;
        detail::attribute over;
        over.what = detail::attribute::kind::reduce;
        over.source = g_.extents(lines);
        over.result = *sum.extents;
        over.maps = s.turned ? detail::axis_maps{{.axis = 0, .step = 1}, {}} : detail::axis_maps{{}, {.axis = 1, .step = 1}};
        return g_.add_reduction(op::sum, lines, &over);
    }

    static detail::attribute_ref transpose_of(const shape& extents) {
        auto* a = new detail::attribute;
        detail::attribute_ref result(a);
        a->source = extents;
        a->result = shape{extents[1], extents[0]};
        a->maps = {{.axis = 1, .step = 1}, {.axis = 0, .step = 1}};
        return result;
    }
    /// A formula over the matrix's axes, which had its columns first.
    value_id turned(value_id v) {
        value x = old_[v];
        const shape extents{(*x.extents)[1], (*x.extents)[0]};
        const value_id below = below_views(g_, now_[v]);
        if (!is_formula(x) && g_.extents(below).rank() == 0) return g_.broadcast(below, g_.intern(extents));
        if (!is_formula(x)) return g_.add_view(now_[v], transpose_of(*x.extents));
        for (value_id& operand : x.in) operand = turned(operand);
        x.extents = g_.intern(extents);
        return g_.put_back(x);
    }

    graph& g_;
    const target& t_;
    std::vector<std::uint32_t> readers_;  ///< those in memory count as one more
    std::vector<char> live_;
    std::vector<char> totals_;         ///< whether a value is a total of rows, or made of one
    std::vector<std::uint32_t> seen_;  ///< by which walk last
    std::uint32_t walks_ = 0;
    std::vector<value> old_;
    std::vector<value_id> now_;  ///< by those
};

}  // namespace

void read_rows_once(graph& g, const target& t) {
    const auto is_candidate = [&](const value& v) { return v.code == op::sum && g.extents(v.in[0]).rank() == 2; };
    if (t.device == target::kind::cuda && std::any_of(g.values.begin(), g.values.end(), is_candidate))
        row_reader(g, t).run();
}

}  // namespace frit::v0::fusion
