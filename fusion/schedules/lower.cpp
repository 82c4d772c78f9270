// Lowering walks down from a group's roots with the path of views met so far; at memory the path becomes a strided access.
// A value reached over two different paths is two instructions: that is what inlining a stencil means. Iterative, since
// statements may chain up to the kernel weight.
#include "fusion/schedules/lower.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "fusion/grouping/groups.hpp"

namespace frit::inline v0::fusion {

strided layout_of(const graph& g, value_id v) {
    const value& x = g.values[v];
    std::vector<std::int64_t> strides = row_major(*x.extents);
    if (x.code == op::leaf && !g.leaves[x.index].strides.empty()) strides = g.leaves[x.index].strides;
    strided s;
    if (x.code == op::leaf) s.offset = g.leaves[x.index].offset;
    for (std::int64_t k : strides) s.axes.push_back({.stride = k});
    return s;
}

strided layout_of(const graph& g, value_id v, const std::vector<std::int32_t>& external) {
    strided s = layout_of(g, v);
    if (external[v] < 0) return s;
    const std::vector<std::int64_t>& strides = *g.output_strides[static_cast<std::size_t>(external[v])];
    for (std::size_t k = 0; k < strides.size(); ++k) s.axes[k].stride = strides[k];
    return s;
}

namespace {

class lowering {
public:
    lowering(const graph& g, const group& gr, const std::vector<char>& stored, const std::vector<std::int32_t>& external,
             const target& t)
        : g_(g), group_(gr), stored_(stored), external_(external), t_(t) {}

    lowered run() {
        kernel_spec& spec = r_.out.spec;
        spec.schedule = group_.schedule;
        r_.out.domain = group_.domain;
        r_.out.roots = group_.roots;
        for (value_id v : group_.roots)
            if (is_reduction(g_.values[v].code)) totals_.push_back(v);
        for (value_id v : group_.roots)
            if (!is_reduction(g_.values[v].code) && !in_epilogue(v)) store_element(v);
        for (value_id v : totals_)
            spec.reductions.push_back({g_.values[v].code, g_.values[v].type, body_value(g_.values[v].in[0], 0)});
        for (value_id v : group_.roots)
            if (stored_[v] && (is_reduction(g_.values[v].code) || in_epilogue(v))) store_scalar(v);
        if (!r_.unreachable.empty()) return std::move(r_);
        spec.pointers = static_cast<std::uint16_t>(r_.out.pointers.size());
        std::vector<strided> accesses = std::move(loads_);
        accesses.insert(accesses.end(), stores_.begin(), stores_.end());
        alignments_.insert(alignments_.end(), store_alignments_.begin(), store_alignments_.end());
        collapse_dims(r_.out, std::move(accesses), std::move(coords_), alignments_, t_);
        return std::move(r_);
    }

private:
    struct frame {
        value_id v;
        std::uint32_t path;
        value_id suspect;  ///< what to put in memory if no strided access exists further down
    };

    bool in_memory(value_id v) const {
        return g_.values[v].code == op::leaf ||
               (stored_[v] && std::find(group_.roots.begin(), group_.roots.end(), v) == group_.roots.end());
    }

    /// Stored numbers of a reduction's kernel are written once, at its end.
    bool in_epilogue(value_id v) {
        if (totals_.empty() || g_.values[v].extents->rank() != 0) return false;
        return group_.domain->rank() > 0 || depends_on_total(v);
    }

    bool depends_on_total(value_id v) {
        if (totals_.empty() || g_.values[v].extents->rank() != 0) return false;
        auto [it, fresh] = after_.try_emplace(v, false);
        if (!fresh) return it->second;
        std::vector<value_id> todo{v};  // scalar graphs between a total and its uses are small
        std::vector<value_id> seen;
        while (!todo.empty()) {
            const value_id x = todo.back();
            todo.pop_back();
            if (std::find(totals_.begin(), totals_.end(), x) != totals_.end()) return after_[v] = true;
            if ((x != v && in_memory(x)) || std::find(seen.begin(), seen.end(), x) != seen.end()) continue;
            seen.push_back(x);
            for (int k = 0; k < g_.values[x].inputs; ++k) todo.push_back(g_.values[x].in[k]);
        }
        return false;
    }

    std::uint16_t emit(std::vector<instruction>& list, const instruction& i) {
        list.push_back(i);
        return static_cast<std::uint16_t>(list.size() - 1);
    }

    std::uint16_t pointer(value_id source, std::int64_t element_offset) {
        r_.out.pointers.push_back({{g_.values[source].code == op::leaf, source},
                                   element_offset * static_cast<std::int64_t>(size_of(g_.values[source].type))});
        return static_cast<std::uint16_t>(r_.out.pointers.size() - 1);
    }

    std::uint16_t scalar(value_id v, std::vector<instruction>& list) {
        auto [it, fresh] = scalars_.try_emplace(v, static_cast<std::uint16_t>(r_.out.scalars.size()));
        if (fresh) {
            r_.out.scalars.push_back(g_.values[v].index);
            r_.out.spec.scalars.push_back(g_.values[v].type);
        }
        return emit(list, {.code = op::scalar, .type = g_.values[v].type, .a = it->second});
    }

    std::uint32_t alignment_of(value_id v, std::int64_t element_offset) const {
        std::uint32_t a = g_.values[v].code == op::leaf ? g_.leaves[g_.values[v].index].alignment : 256;
        if (external_[v] >= 0) a = static_cast<std::uint32_t>(size_of(g_.values[v].type));
        const auto bytes = static_cast<std::uint64_t>(element_offset) * size_of(g_.values[v].type);
        while (bytes % a != 0) a /= 2;
        return a;
    }

    std::uint16_t load(value_id v, std::uint32_t path, value_id suspect) {
        auto at = resolve(layout_of(g_, v, external_), g_.extents(v), paths_[path]);
        if (!at) {
            r_.unreachable.push_back(suspect);
            return 0;
        }
        at->axes.resize(static_cast<std::size_t>(group_.domain->rank()));
        auto [it, fresh] = known_loads_.try_emplace({v, *at}, std::uint16_t{0});
        if (fresh) {
            kernel_spec& spec = r_.out.spec;
            r_.out.accesses.push_back({v, g_.values[v].type, *at, false});
            spec.loads.push_back({.type = g_.values[v].type, .pointer = pointer(v, at->offset), .dims = {}, .alignment = 1});
            alignments_.push_back(alignment_of(v, at->offset));
            loads_.push_back(std::move(*at));
            it->second =
                emit(spec.body,
                     {.code = op::load, .type = g_.values[v].type, .a = static_cast<std::uint16_t>(loads_.size() - 1)});
        }
        return it->second;
    }

    std::uint16_t coordinate_value(value_id v, std::uint32_t path, value_id suspect) {
        strided base;
        base.axes.resize(static_cast<std::size_t>(g_.extents(v).rank()));
        base.axes[static_cast<std::size_t>(g_.attributes[g_.values[v].index]->maps[0].axis)].stride = 1;
        auto at = resolve(base, g_.extents(v), paths_[path]);
        const auto moving =
            at ? std::count_if(at->axes.begin(), at->axes.end(), [](const axis_term& t) { return t.stride != 0; }) : 2;
        if (moving > 1) {
            r_.unreachable.push_back(suspect);
            return 0;
        }
        at->axes.resize(static_cast<std::size_t>(group_.domain->rank()));
        auto [it, fresh] = known_coords_.try_emplace({g_.values[v].type, *at}, std::uint16_t{0});
        if (fresh) {
            r_.out.spec.coords.push_back({});
            coords_.push_back(std::move(*at));
            it->second =
                emit(r_.out.spec.body,
                     {.code = op::coord, .type = g_.values[v].type, .a = static_cast<std::uint16_t>(coords_.size() - 1)});
        }
        return it->second;
    }

    /// The instruction of v's element at path(domain index), emitting what it needs.
    std::uint16_t body_value(value_id root, std::uint32_t root_path) {
        std::vector<frame> stack{{root, root_path, root_path == 0 ? no_value : root}};
        while (!stack.empty()) {
            const frame f = stack.back();
            if (body_.contains({f.v, f.path})) {
                stack.pop_back();
                continue;
            }
            const value& x = g_.values[f.v];
            if (in_memory(f.v)) {
                body_[{f.v, f.path}] = load(f.v, f.path, f.suspect);
            } else if (x.code == op::scalar) {
                body_[{f.v, f.path}] = scalar(f.v, r_.out.spec.body);
            } else if (x.code == op::coord) {
                body_[{f.v, f.path}] = coordinate_value(f.v, f.path, f.suspect);
            } else if (x.code == op::view) {
                const detail::attribute_ref& a = g_.attributes[x.index];
                const std::uint32_t path = paths_.append(f.path, a);
                if (auto it = body_.find({x.in[0], path}); it != body_.end()) {
                    body_[{f.v, f.path}] = it->second;
                } else {
                    // the value below the view nearest to the domain, or below a reshape further down
                    const bool reshape = a->what == detail::attribute::kind::reshape && g_.values[x.in[0]].code != op::leaf;
                    stack.push_back({x.in[0], path, f.suspect == no_value || reshape ? x.in[0] : f.suspect});
                    continue;
                }
            } else {
                instruction i{.code = x.code, .type = x.type};
                std::uint16_t* operands[] = {&i.a, &i.b, &i.c};
                bool ready = true;
                for (int k = x.inputs; k-- > 0;) {
                    if (auto it = body_.find({x.in[k], f.path}); it != body_.end()) {
                        *operands[k] = it->second;
                    } else {
                        stack.push_back({x.in[k], f.path, f.suspect});
                        ready = false;
                    }
                }
                if (!ready) continue;
                auto [same, fresh] = known_.try_emplace({i.code, i.type, i.a, i.b, i.c}, std::uint16_t{0});
                if (fresh) same->second = emit(r_.out.spec.body, i);
                body_[{f.v, f.path}] = same->second;
            }
            stack.pop_back();
        }
        return body_.at({root, root_path});
    }

    std::uint16_t epilogue_value(value_id root) {
        std::vector<value_id> stack{root};
        auto& list = r_.out.spec.row;
        while (!stack.empty()) {
            const value_id v = stack.back();
            if (epilogue_.contains(v)) {
                stack.pop_back();
                continue;
            }
            const value& x = g_.values[v];
            if (auto it = std::find(totals_.begin(), totals_.end(), v); it != totals_.end()) {
                epilogue_[v] =
                    emit(list, {.code = op::total, .type = x.type, .a = static_cast<std::uint16_t>(it - totals_.begin())});
            } else if (x.code == op::scalar) {
                epilogue_[v] = scalar(v, list);
            } else {
                instruction i{.code = x.code, .type = x.type};
                std::uint16_t* operands[] = {&i.a, &i.b, &i.c};
                bool ready = true;
                for (int k = x.inputs; k-- > 0;) {
                    if (auto done = epilogue_.find(x.in[k]); done != epilogue_.end()) {
                        *operands[k] = done->second;
                    } else {
                        stack.push_back(x.in[k]);
                        ready = false;
                    }
                }
                if (!ready) continue;
                epilogue_[v] = x.code == op::view ? i.a : emit(list, i);  // between scalars a view changes nothing
            }
            stack.pop_back();
        }
        return epilogue_.at(root);
    }

    void store_element(value_id v) {
        const value& x = g_.values[v];
        strided to = layout_of(g_, v, external_);
        std::uint16_t from = 0;
        if (x.code == op::update) {  // the region of the base's own memory
            from = body_value(x.in[1], 0);
            to = *resolve(layout_of(g_, x.in[0], external_), g_.extents(x.in[0]),
                          {detail::attribute_ref(new_affine(*g_.attributes[x.index]))});
        } else if (x.code == op::view) {
            from = body_value(x.in[0], paths_.append(0, g_.attributes[x.index]));
        } else {
            from = body_value(v, 0);
        }
        r_.out.accesses.push_back({v, x.type, to, true});
        r_.out.spec.stores.push_back({{.type = x.type, .pointer = pointer(v, to.offset), .dims = {}, .alignment = 1}, from});
        store_alignments_.push_back(alignment_of(v, to.offset));
        stores_.push_back(std::move(to));
    }

    void store_scalar(value_id v) {
        const std::uint16_t from = epilogue_value(v);
        r_.out.accesses.push_back({v, g_.values[v].type, {}, true});
        r_.out.spec.row_stores.push_back(
            {{.type = g_.values[v].type, .pointer = pointer(v, 0), .dims = {}, .alignment = 1}, from});
    }

    /// An update's maps read the region out of the base exactly as they write it.
    static detail::attribute* new_affine(const detail::attribute& update) {
        auto* a = new detail::attribute;
        a->source = update.source;
        a->result = update.result;
        a->maps = update.maps;
        return a;
    }

    const graph& g_;
    const group& group_;
    const std::vector<char>& stored_;
    const std::vector<std::int32_t>& external_;
    const target& t_;
    lowered r_;
    path_table paths_;
    std::vector<value_id> totals_;
    std::map<value_id, bool> after_;
    std::map<std::pair<value_id, std::uint32_t>, std::uint16_t> body_;
    std::map<std::tuple<op, dtype, std::uint16_t, std::uint16_t, std::uint16_t>, std::uint16_t> known_;  ///< what is emitted
    std::map<value_id, std::uint16_t> epilogue_, scalars_;
    std::map<std::pair<value_id, strided>, std::uint16_t> known_loads_;
    std::map<std::pair<dtype, strided>, std::uint16_t> known_coords_;
    std::vector<strided> loads_, stores_, coords_;
    std::vector<std::uint32_t> alignments_, store_alignments_;
};

}  // namespace

lowered lower(const graph& g, const group& gr, const std::vector<char>& stored, const std::vector<std::int32_t>& external,
              const target& t) {
    return lowering(g, gr, stored, external, t).run();
}

}  // namespace frit::v0::fusion
