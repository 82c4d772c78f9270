// Lowering walks down from a group's roots with the path of views met so far; at memory the path becomes a strided access.
// A value reached over two different paths is two instructions: that is what inlining a stencil means. Iterative, since
// statements may chain up to the kernel weight.
#include "fusion/schedules/lower.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "fusion/ir/alignment.hpp"
#include "fusion/ir/reduction_rule.hpp"
#include "fusion/passes/launches.hpp"

namespace frit::inline v0::fusion {

namespace {

/// How often a value is computed: for the kernel, for a row, for an element.
enum class level : std::uint8_t { scalar, row, element };

class lowering {
public:
    lowering(const graph& g, const group& gr, schedule_kind schedule, const std::vector<char>& stored,
             const std::vector<std::int32_t>& external, const target& t)
        : g_(g), group_(gr), schedule_(schedule), stored_(stored), external_(external), t_(t) {}

    /// After run. False where the code turns out to be more than reduce_all takes: an element that needs a total, or row
    /// code that reads memory.
    bool holds() const { return holds_; }

    lowered run() {
        kernel_spec& spec = r_.out.spec;
        spec.schedule = schedule_;
        r_.out.domain = group_.domain;
        r_.out.roots = group_.roots;
        for (value_id v : group_.roots)
            if (is_reduction(g_.values[v].code)) totals_.push_back(v);
        const auto sums_columns = [this](value_id v) { return is_column_sums(g_.values[v]); };
        rows_ = !totals_.empty() || std::any_of(group_.roots.begin(), group_.roots.end(), sums_columns);
        reduced_ = group_.reduced;
        for (value_id v : group_.roots)
            if (!is_reduction(g_.values[v].code) && !is_per_row(v)) store_element(v);
        for (value_id v : totals_) {
            const value& x = g_.values[v];
            reduction_spec r{x.code, g_.values[x.in[0]].type, emit(level::element, x.in[0], 0)};
            if (takes_pairs(x.code)) r.second = emit(level::element, x.in[1], 0);
            if (takes_thirds(x.code)) r.third = emit(level::element, x.in[2], 0);
            r.fused = t_.has_fma && has_fused_rule(x.code);
            spec.reductions.push_back(r);
        }
        for (value_id v : group_.roots)
            if (stored_[v] && is_per_row(v)) store_row(v);
        if (schedule_ == schedule_kind::reduce_all)
            for (const instruction& i : spec.row)
                holds_ = holds_ && i.code != op::load && i.code != op::coord && i.code != op::iterate && !looks_up(i.code);
        if (!holds_ || !r_.unreachable.empty()) return std::move(r_);
        spec.pointers = static_cast<std::uint16_t>(r_.out.pointers.size());
        std::vector<strided> accesses = std::move(loads_);
        for (auto* more : {&stores_, &row_stores_}) {
            accesses.insert(accesses.end(), more->at.begin(), more->at.end());
            alignments_.insert(alignments_.end(), more->alignments.begin(), more->alignments.end());
        }
        collapse_dims(r_.out, std::move(accesses), std::move(coords_), alignments_, reduced_, t_);
        const word_layout at(spec);
        for (const auto& [v, k] : scalars_)
            if (const std::uint32_t x = g_.values[v].index; x >= constant_scalar)
                r_.out.words[at.scalars + k] = g_.constants[x - constant_scalar];
        return std::move(r_);
    }

private:
    using place = std::pair<value_id, std::uint32_t>;  ///< a value, reached over a path of views
    struct frame {
        place at;
        value_id suspect;  ///< what to put in memory if no strided access exists further down
    };
    struct written {
        std::vector<strided> at;
        std::vector<std::uint32_t> alignments;
    };

    bool in_memory(value_id v) const {
        return g_.values[v].code == op::leaf ||
               (stored_[v] && std::find(group_.roots.begin(), group_.roots.end(), v) == group_.roots.end());
    }
    bool is_total(value_id v) const { return std::find(totals_.begin(), totals_.end(), v) != totals_.end(); }

    /// Results of which there is one for each row.
    bool is_per_row(value_id v) {
        if (!rows_ || is_column_sums(g_.values[v])) return false;
        if (is_reduction(g_.values[v].code) || g_.values[v].extents != group_.domain) return true;
        return group_.domain->size() == 1 && level_of(v, 0) == level::row;
    }

    /// From the domain to an array with one element for each row.
    std::uint32_t path_to_rows(value_id v) {
        const shape& domain = *group_.domain;
        auto* spread = new detail::attribute;  // of the rows, as the domain without the reduced axes
        const detail::attribute_ref spread_ref(spread);
        spread->result = domain;
        for (int k = 0; k < domain.rank(); ++k) {
            if (reduced_ >> k & 1) continue;
            spread->source.push_back(domain[k]);
            spread->maps.push_back({.axis = k, .step = 1});
        }
        auto* shaped = new detail::attribute;
        const detail::attribute_ref shaped_ref(shaped);
        shaped->what = detail::attribute::kind::reshape;
        shaped->source = g_.extents(v);
        shaped->result = spread->source;
        return paths_.append(paths_.append(0, spread_ref), shaped_ref);
    }

    std::uint16_t add(std::vector<instruction>& list, const instruction& i) {
        list.push_back(i);
        return static_cast<std::uint16_t>(list.size() - 1);
    }

    std::uint16_t pointer(value_id source, std::int64_t element_offset) {
        r_.out.pointers.push_back({{g_.values[source].code == op::leaf, source},
                                   element_offset * static_cast<std::int64_t>(size_of(g_.values[source].type))});
        return static_cast<std::uint16_t>(r_.out.pointers.size() - 1);
    }

    std::uint32_t alignment_of(value_id v) const {
        if (external_[v] >= 0) return static_cast<std::uint32_t>(size_of(g_.values[v].type));
        return g_.values[v].code == op::leaf ? g_.leaves[g_.values[v].index].alignment : 256;
    }

    // --- what a place is, before anything is emitted ---

    /// A part of a complex value that is made in this kernel: where the part stands that it is made of.
    std::optional<place> part_below(const place& p) {
        const value& x = g_.values[p.first];
        if ((x.code != op::real && x.code != op::imag) || in_memory(p.first)) return std::nullopt;
        place whole{x.in[0], p.second};
        while (g_.values[whole.first].code == op::view && !in_memory(whole.first)) {
            const value& view = g_.values[whole.first];
            whole = {view.in[0], paths_.append(whole.second, g_.attributes[view.index])};
        }
        if (g_.values[whole.first].code != op::complex || in_memory(whole.first)) return std::nullopt;
        return place{g_.values[whole.first].in[x.code == op::imag], whole.second};
    }

    /// The address of a value in memory, or a coordinate's value, from the domain's axes. Null: there is no strided access.
    const std::optional<strided>& access_at(const place& p) {
        auto [it, fresh] = accesses_.try_emplace(p);
        if (!fresh) return it->second;
        const auto& [v, path] = p;
        const value& x = g_.values[v];
        strided base;
        if (x.code == op::coord) {
            base.axes.resize(static_cast<std::size_t>(x.extents->rank()));
            base.axes[static_cast<std::size_t>(g_.attributes[x.index]->maps[0].axis)].stride = 1;
        } else if (in_memory(v)) {
            base = layout_of(g_, v, external_);
        } else {
            const auto elements = in_memory(x.in[0]) ? elements_of_gather(g_, v) : std::nullopt;
            if (!elements) return it->second;
            base = *elements;
            base.offset += layout_of(g_, x.in[0], external_).offset;
        }
        auto at = paths_.resolve(std::move(base), *x.extents, path);
        if (!at) return it->second;
        at->axes.resize(static_cast<std::size_t>(group_.domain->rank()));
        turn(*at);
        const auto moving =
            std::count_if(at->axes.begin(), at->axes.end(), [](const axis_term& t) { return t.stride != 0; });
        if (x.code == op::coord && moving > 1) return it->second;
        return it->second = std::move(at);
    }

    /// Memory and coordinates, and gathers that read memory by strides.
    bool is_access(const place& p) {
        const op code = g_.values[p.first].code;
        return in_memory(p.first) || code == op::coord || (code == op::gather && access_at(p));
    }

    /// Rows that are walked from their last element on: in the kernel's numbering that is the first.
    void turn(strided& s) const {
        for (int k = 0; group_.backward && k < group_.domain->rank(); ++k) {
            if (!(reduced_ >> k & 1)) continue;
            axis_term& t = s.axes[static_cast<std::size_t>(k)];
            const std::int64_t last = (*group_.domain)[k] - 1;
            if (t.clamped) {
                t.shift += t.step * last;
                t.step = -t.step;
            } else {
                s.offset += t.stride * last;
                t.stride = -t.stride;
            }
        }
    }

    bool is_invariant_in_rows(const strided& s) const {
        for (int k = 0; k < group_.domain->rank(); ++k)
            if (reduced_ >> k & 1 && s.axes[static_cast<std::size_t>(k)].stride != 0) return false;
        return true;
    }

    level level_of(value_id root, std::uint32_t root_path) {
        std::vector<place> stack{{root, root_path}};
        while (!stack.empty()) {
            ++r_.steps;
            const place p = stack.back();
            const auto& [v, path] = p;
            if (levels_.contains(p)) {
                stack.pop_back();
                continue;
            }
            const value& x = g_.values[v];
            level here = level::scalar;
            bool ready = true;
            const auto look = [&](const place& below) {
                if (auto it = levels_.find(below); it != levels_.end()) {
                    here = std::max(here, it->second);
                } else {
                    stack.push_back(below);
                    ready = false;
                }
            };
            if (const auto part = part_below(p)) {
                look(*part);
            } else if (is_total(v)) {
                here = level::row;
            } else if (is_running(x.code) && !in_memory(v)) {
                here = level::element;
            } else if (looks_up(x.code) && !is_access(p)) {
                for (int k = 1; k < x.in.size(); ++k) look({x.in[k], path});
            } else if (is_access(p)) {
                const auto& at = access_at(p);
                // What is invariant in the one row of reduce_all is still read where it is used. Of rows without elements
                // nothing is there to be read.
                const bool once = schedule_ != schedule_kind::reduce_all && rows_ && at && group_.domain->size() > 0;
                here = once && is_invariant_in_rows(*at) ? level::row : level::element;
            } else if (x.code == op::view) {
                look({x.in[0], paths_.append(path, g_.attributes[x.index])});
            } else {
                for (const value_id operand : x.in) look({operand, path});
            }
            if (!ready) continue;
            levels_[p] = here;
            stack.pop_back();
        }
        return levels_.at({root, root_path});
    }

    // --- emission: into the body, or into the row code ---

    struct code {
        std::vector<instruction>& list;
        std::map<place, std::uint16_t> values;
        std::map<std::tuple<op, dtype, std::uint16_t, std::uint16_t, std::uint16_t>, std::uint16_t> known;
    };

    std::uint16_t leaf(code& to, const instruction& i) {
        auto [it, fresh] = to.known.try_emplace({i.code, i.type, i.a, i.b, i.c}, std::uint16_t{0});
        if (fresh) it->second = add(to.list, i);
        return it->second;
    }

    /// The instruction of v at path(index), with all that it needs, in the code of this level.
    std::uint16_t emit(level where, value_id root, std::uint32_t root_path) {
        code& to = where == level::row ? row_ : body_;
        std::vector<frame> stack{{{root, root_path}, root_path == 0 ? no_value : root}};
        while (!stack.empty()) {
            ++r_.steps;
            const frame f = stack.back();
            const auto& [v, path] = f.at;
            if (to.values.contains(f.at)) {
                stack.pop_back();
                continue;
            }
            const value& x = g_.values[v];
            const auto index = [](std::size_t n) { return static_cast<std::uint16_t>(n); };
            const auto is_same_as = [&](const place& below, value_id suspect) {
                const auto it = to.values.find(below);
                if (it == to.values.end()) return stack.push_back({below, suspect}), false;
                to.values[f.at] = it->second;
                return true;
            };
            if (const auto part = part_below(f.at)) {
                const bool apart = f.suspect == no_value && part->second != path;
                if (!is_same_as(*part, apart ? part->first : f.suspect)) continue;
            } else if (where == level::element && rows_ && level_of(v, path) == level::row) {
                holds_ = holds_ && schedule_ != schedule_kind::reduce_all;
                to.values[f.at] = row_value(to, x.type, emit(level::row, v, path));
            } else if (is_total(v)) {
                const auto k = std::find(totals_.begin(), totals_.end(), v) - totals_.begin();
                to.values[f.at] = leaf(to, {.code = op::total, .type = x.type, .a = static_cast<std::uint16_t>(k)});
                if (!is_own_row(f.at)) r_.unreachable.push_back(v);
            } else if (is_access(f.at)) {
                const auto& at = access_at(f.at);
                if (!at) r_.unreachable.push_back(f.suspect);
                const value_id memory = x.code == op::gather && !in_memory(v) ? x.in[0] : v;
                to.values[f.at] = !at ? index(0) : x.code == op::coord ? coordinate(to, v, *at) : load(to, memory, *at);
            } else if (x.code == op::scalar) {
                to.values[f.at] = scalar(to, v);
            } else if (x.code == op::view) {
                const detail::attribute_ref& a = g_.attributes[x.index];
                const place below{x.in[0], paths_.append(path, a)};
                // the value below the view nearest to the domain, or below a reshape further down
                const bool reshape = a->what == detail::attribute::kind::reshape && !in_memory(x.in[0]);
                if (!is_same_as(below, f.suspect == no_value || reshape ? x.in[0] : f.suspect)) continue;
            } else {
                if (!emit_op(to, f, stack)) continue;
            }
            stack.pop_back();
        }
        return to.values.at({root, root_path});
    }

    /// An op on values that are there, or false: they are on the stack now.
    bool emit_op(code& to, const frame& f, std::vector<frame>& stack) {
        const auto [v, path] = f.at;
        const value& x = g_.values[v];
        if (x.code == op::iterate || x.code == op::scan_along) return emit_loop(to, f, stack);
        instruction i{.code = x.code, .type = x.type};
        std::uint16_t* operands[] = {&i.a, &i.b, &i.c};
        const int first = looks_up(x.code) ? 1 : 0;  // the first is memory
        bool ready = true;
        for (int k = x.in.size(); k-- > first;) {
            if (auto it = to.values.find({x.in[k], path}); it != to.values.end()) {
                *operands[k - first] = it->second;
            } else {
                stack.push_back({{x.in[k], path}, f.suspect});
                ready = false;
            }
        }
        if (!ready) return false;
        if (looks_up(x.code)) pointer_of(i) = gathered(x.in[0]);
        to.values[f.at] = leaf(to, i);
        return true;
    }

    /// The same of a loop, which all its states share.
    bool emit_loop(code& to, const frame& f, std::vector<frame>& stack) {
        const auto [v, path] = f.at;
        const value& x = g_.values[v];
        bool ready = true;
        for (int k = x.in.size(); k-- > 0;)
            if (!to.values.contains({x.in[k], path})) {
                stack.push_back({{x.in[k], path}, f.suspect});
                ready = false;
            }
        if (!ready) return false;
        std::uint16_t last = to.values.at({x.in[0], path});
        for (int k = 0; k < x.in.size(); ++k) {
            const std::uint16_t operand = to.values.at({x.in[k], path});
            last = leaf(to, {.code = op::feed, .type = g_.values[x.in[k]].type, .a = operand, .b = k == 0 ? operand : last});
        }
        const loop_result& result = g_.loops[x.index];
        auto& loops = r_.out.spec.loops;
        const auto known = std::find(loops.begin(), loops.end(), *result.loop);
        const auto number = static_cast<std::uint16_t>(known - loops.begin());
        if (known == loops.end()) loops.push_back(*result.loop);
        const std::uint16_t loop = leaf(to, {.code = x.code, .type = dtype::i32, .a = last, .b = number});
        to.values[f.at] = leaf(to, {.code = op::state, .type = x.type, .a = loop, .b = result.state});
        return true;
    }

    std::uint16_t scalar(code& to, value_id v) {
        const value& x = g_.values[v];
        auto [it, fresh] = scalars_.try_emplace(v, static_cast<std::uint16_t>(r_.out.scalars.size()));
        if (fresh) {
            r_.out.scalars.push_back(std::min(x.index, constant_scalar));
            r_.out.spec.scalars.push_back(x.type);
        }
        return leaf(to, {.code = op::scalar, .type = x.type, .a = it->second});
    }

    /// A value of the row code in the body; of a complex one, its parts: a row value has a word.
    std::uint16_t row_value(code& to, dtype type, std::uint16_t once) {
        if (!is_complex(type)) return leaf(to, {.code = op::row, .type = type, .a = once});
        const auto part = [&](op code) {
            const std::uint16_t number = leaf(row_, {.code = code, .type = real_dtype(type), .a = once});
            return leaf(to, {.code = op::row, .type = real_dtype(type), .a = number});
        };
        const std::uint16_t re = part(op::real), im = part(op::imag);
        return leaf(to, {.code = op::complex, .type = type, .a = re, .b = im});
    }

    /// Whether a path leads from an element to the total of its own row.
    bool is_own_row(const place& p) {
        if (group_.domain->size() == 0) return true;
        strided rows;
        for (std::int64_t s : row_major(g_.extents(p.first))) rows.axes.push_back({.stride = s});
        const auto here = paths_.resolve(rows, g_.extents(p.first), p.second);
        const auto own = paths_.resolve(std::move(rows), g_.extents(p.first), path_to_rows(p.first));
        if (!here || here->offset != 0) return false;
        for (int k = 0; k < group_.domain->rank(); ++k) {
            const auto axis = static_cast<std::size_t>(k);
            if ((*group_.domain)[k] != 1 && (axis < here->axes.size() ? here->axes[axis] : axis_term{}) != own->axes[axis])
                return false;
        }
        return true;
    }

    std::uint16_t load(code& to, value_id v, const strided& at) {
        auto [it, fresh] = known_loads_.try_emplace({v, at}, static_cast<std::uint16_t>(loads_.size()));
        if (fresh) {
            const dtype type = g_.values[v].type;
            r_.out.accesses.push_back({v, type, at, false});
            r_.out.spec.loads.push_back({.type = type, .pointer = pointer(v, at.offset), .dims = {}, .alignment = 1});
            alignments_.push_back(alignment_of(v));
            loads_.push_back(at);
        }
        return leaf(to, {.code = op::load, .type = g_.values[v].type, .a = it->second});
    }

    /// The pointer to what gathers and searches read.
    std::uint16_t gathered(value_id memory) {
        if (!in_memory(memory)) r_.unreachable.push_back(memory);
        auto [it, fresh] = gathered_.try_emplace(memory, std::uint16_t{0});
        if (fresh) {
            r_.out.accesses.push_back({memory, g_.values[memory].type, {}, false, true});
            it->second = pointer(memory, layout_of(g_, memory, external_).offset);
        }
        return it->second;
    }

    std::uint16_t coordinate(code& to, value_id v, const strided& at) {
        const dtype type = g_.values[v].type;
        auto [it, fresh] = known_coords_.try_emplace({type, at}, static_cast<std::uint16_t>(coords_.size()));
        if (fresh) {
            r_.out.spec.coords.push_back({});
            coords_.push_back(at);
        }
        return leaf(to, {.code = op::coord, .type = type, .a = it->second});
    }

    void store(value_id v, strided to, std::uint16_t from, std::vector<fusion::store>& list, written& done) {
        const dtype type = g_.values[v].type;
        r_.out.accesses.push_back({v, type, to, true});
        list.push_back({{.type = type, .pointer = pointer(v, to.offset), .dims = {}, .alignment = 1}, from});
        done.alignments.push_back(alignment_of(v));
        done.at.push_back(std::move(to));
    }

    void store_element(value_id v) {
        const value& x = g_.values[v];
        if (is_tally(x)) return tally(v);
        if (is_column_sums(x)) return column_sums(v);
        strided to = layout_of(g_, v, external_);
        std::uint16_t from = 0;
        if (x.code == op::update) {  // the region of the base's own memory
            from = emit(level::element, x.in[1], 0);
            to = *resolve(layout_of(g_, x.in[0], external_), g_.extents(x.in[0]), {affine_of(*g_.attributes[x.index])});
        } else if (x.code == op::view) {
            from = emit(level::element, x.in[0], paths_.append(0, g_.attributes[x.index]));
        } else {
            from = emit(level::element, v, 0);
        }
        turn(to);
        store(v, std::move(to), from, r_.out.spec.stores, stores_);
    }

    void tally(value_id v) {
        const value& x = g_.values[v];
        const std::uint16_t at = emit(level::element, x.in[1], 0), amount = emit(level::element, x.in[2], 0);
        const std::uint16_t count = emit(level::element, x.in[3], 0);
        r_.out.accesses.push_back({v, x.type, {}, true});
        r_.out.spec.tallies.push_back({x.type, pointer(v, 0), at, amount, count});
    }

    void column_sums(value_id v) {
        const value& x = g_.values[v];
        const std::uint16_t summed = emit(level::element, x.in[0], 0);
        r_.out.accesses.push_back({v, x.type, {}, true});
        r_.out.spec.columns.push_back({x.type, pointer(v, 0), summed});
    }

    void store_row(value_id v) {
        const std::uint32_t path = path_to_rows(v);
        const std::uint16_t from = emit(level::row, v, path);
        strided to = *paths_.resolve(layout_of(g_, v, external_), g_.extents(v), path);
        to.axes.resize(static_cast<std::size_t>(group_.domain->rank()));
        store(v, std::move(to), from, r_.out.spec.row_stores, row_stores_);
    }

    /// An update's maps read the region out of the base exactly as they write it.
    static detail::attribute_ref affine_of(const detail::attribute& update) {
        auto* a = new detail::attribute;
        detail::attribute_ref result(a);
        a->source = update.source;
        a->result = update.result;
        a->maps = update.maps;
        return result;
    }

    const graph& g_;
    const group& group_;
    const schedule_kind schedule_;
    bool holds_ = true, rows_ = false;  ///< rows_: there are values once per row
    const std::vector<char>& stored_;
    const std::vector<std::int32_t>& external_;
    const target& t_;
    lowered r_;
    std::uint32_t reduced_ = 0;
    path_table paths_;
    std::vector<value_id> totals_;
    std::map<place, std::optional<strided>> accesses_;
    std::map<place, level> levels_;
    code body_{r_.out.spec.body, {}, {}}, row_{r_.out.spec.row, {}, {}};
    std::map<value_id, std::uint16_t> scalars_;
    std::map<value_id, std::uint16_t> gathered_;
    std::map<std::pair<value_id, strided>, std::uint16_t> known_loads_;
    std::map<std::pair<dtype, strided>, std::uint16_t> known_coords_;
    std::vector<strided> loads_, coords_;
    std::vector<std::uint32_t> alignments_;
    written stores_, row_stores_;
};

}  // namespace

lowered lower(const graph& g, const group& gr, const std::vector<char>& stored, const std::vector<std::int32_t>& external,
              const target& t) {
    lowering first(g, gr, gr.schedule, stored, external, t);
    lowered done = first.run();
    if (first.holds()) return done;
    return lowering(g, gr, schedule_kind::reduce_inner, stored, external, t).run();
}

}  // namespace frit::v0::fusion
