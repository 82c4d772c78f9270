// What a plan does, for people: the text of explain() and the picture of to_dot(). Formulas are printed from the graph as it
// was planned (after contraction), with inputs x0, x1, ... and scalar parameters s0, s1, ...
#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <map>

#include "fusion/ir/alignment.hpp"
#include "fusion/ir/library_op.hpp"
#include "fusion/ir/reduction_rule.hpp"
#include "fusion/ir/row_passes.hpp"
#include "fusion/machine/cost_model.hpp"
#include "fusion/plan.hpp"

namespace frit::inline v0::fusion {
namespace {

constexpr std::size_t longest_formula = 240;

class printer {
public:
    explicit printer(const graph& g) : g_(g) {}

    /// A value as a formula, cut short where it grows past a line or two.
    std::string formula(value_id v, const std::vector<char>& in_memory, int depth = 0) const {
        const value& x = g_.values[v];
        if (x.code == op::leaf) return "x" + std::to_string(x.index);
        if (x.code == op::scalar && x.index >= constant_scalar) return constant(x);
        if (x.code == op::scalar) return "s" + std::to_string(x.index);
        if (depth > 0 && in_memory[v]) return "t" + std::to_string(v);
        if (depth > 10) return "...";
        auto operand = [&](int k) { return formula(x.in[k], in_memory, depth + 1); };
        std::string s;
        if (x.code == op::view)
            return operand(0) + (g_.values[x.in[0]].extents->rank() == 0 ? "" : view_text(*g_.attributes[x.index]));
        if (x.code == op::coord) return "index" + std::to_string(g_.attributes[x.index]->maps[0].axis);
        if (is_tally(x)) return operand(0) + "[" + operand(1) + "] += " + operand(2);
        if (is_column_sums(x)) return "sums of rows(" + operand(0) + ", " + std::to_string((*x.extents)[0]) + " parts)";
        if (x.code == op::update) return operand(0) + "[region] = " + operand(1);
        if (x.code == op::gather) return operand(0) + "[" + operand(1) + "]";
        if (is_search(x.code)) return "searchsorted(" + operand(0) + ", " + operand(1) + ")";
        if (x.code == op::iterate) return "iterate(" + operand(0) + ", " + operand(1 + g_.loops[x.index].state) + ", ...)";
        if (x.code == op::scan_along)
            return "scan_along(" + operand(g_.loops[x.index].state) + (is_backward(g_, v) ? ", ..., backward)" : ", ...)");
        const std::string_view shown = is_elementwise(x.code) ? info(x.code).token
                                       : x.code == op::call   ? g_.libraries[x.index].of->name
                                                              : name_of(x.code);
        if (is_elementwise(x.code) && !is_word(shown)) {
            if (x.in.size() == 1) return std::string(shown) + operand(0);
            s = operand(0) + " " + std::string(shown) + " " + operand(1);
            return depth > 0 ? "(" + s + ")" : s;
        }
        if (is_library(x.code) && (op_of(x).window || op_of(x).after.what != epilogue::form::none)) {
            s = ended(x, operand);
            return depth > 0 && op_of(x).after.what != epilogue::form::magnitude ? "(" + s + ")" : s;
        }
        s = x.code == op::cast ? std::string(name_of(x.type)) : std::string(shown);
        if (x.code == op::bit_cast) s += "<" + std::string(name_of(x.type)) + ">";
        s += "(";
        const library_op* const called = is_library(x.code) ? g_.libraries[x.index].of : nullptr;
        for (int k = 0; k < x.in.size() && s.size() < longest_formula; ++k) {
            const bool conjugate = called && called->takes_conjugate(k);
            s += (k ? ", " : "") + (conjugate ? "conj(" + operand(k) + ")" : operand(k));
        }
        if (is_running(x.code) && is_backward(g_, v)) s += ", backward";
        return s + ")";
    }

    std::string value_name(value_id v) const {
        const value& x = g_.values[v];
        return "t" + std::to_string(v) + " (" +
               std::string(x.code == op::cast   ? "cast"
                           : x.code == op::call ? g_.libraries[x.index].of->name
                                                : word_for(x.code)) +
               ", " + to_string(*x.extents) + ")";
    }

private:
    const library_op& op_of(const value& x) const { return *g_.libraries[x.index].of; }
    /// A call with ends: alpha f(x w, ...) + beta y, or |f(x w, ...)|.
    template <class F>
    std::string ended(const value& x, const F& operand) const {
        const bool window = op_of(x).window;
        const epilogue& end = op_of(x).after;
        const int addend = x.in.size() - end.numbers() - (end.has_addend() ? 1 : 0), own = addend - (window ? 1 : 0);
        int next = addend + (end.has_addend() ? 1 : 0);
        const auto times = [&](factor f, const std::string& what) {
            return is_number(f) ? operand(next++) + " * " + what : what;
        };
        const auto minus = [](factor f) { return f == factor::minus_one || f == factor::minus_number; };
        std::string call = std::string(name_of(x.code)) + "(";
        for (int k = 0; k < own; ++k) call += (k ? ", " : "") + operand(k) + (k == 0 && window ? " * " + operand(own) : "");
        if (end.what == epilogue::form::magnitude) return "abs(" + call + "))";
        std::string s = (minus(end.alpha) ? "-" : "") + times(end.alpha, call + ")");
        if (end.has_addend()) s += (minus(end.beta) ? " - " : " + ") + times(end.beta, operand(addend));
        return s;
    }
    /// What users call it: short forms by the function's name.
    static std::string_view word_for(op code) {
        return is_elementwise(code) && is_word(info(code).token) ? info(code).token : name_of(code);
    }
    static bool is_word(std::string_view token) { return std::isalpha(static_cast<unsigned char>(token[0])); }
    std::string constant(const value& x) const {
        const std::uint64_t bits = g_.constants[x.index - constant_scalar];
        std::array<char, 32> text{};
        if (x.type == dtype::i64) return std::to_string(static_cast<std::int64_t>(bits));
        const auto end = x.type == dtype::f32 ? std::to_chars(text.begin(), text.end(),
                                                              std::bit_cast<float>(static_cast<std::uint32_t>(bits)))
                                              : std::to_chars(text.begin(), text.end(), std::bit_cast<double>(bits));
        return std::string(text.begin(), end.ptr);
    }
    static std::string view_text(const detail::attribute& a) {
        if (a.what == detail::attribute::kind::reshape) return ".reshape" + to_string(a.result);
        std::string s = "[";
        for (std::size_t k = 0; k < a.maps.size(); ++k) {
            const detail::axis_map& m = a.maps[k];
            if (k) s += ", ";
            if (m.axis < 0) {
                s += std::to_string(m.offset);
                continue;
            }
            s += "i" + std::to_string(m.axis);
            if (m.step != 1) s += "*" + std::to_string(m.step);
            if (m.offset != 0) s += (m.offset > 0 ? "+" : "") + std::to_string(m.offset);
            if (m.clamped) s += " clamped";
        }
        return s + "]";
    }

    const graph& g_;
};

std::string shorten(std::string s, std::size_t longest = longest_formula) {
    if (s.size() > longest) s = s.substr(0, longest) + " ...";
    return s;
}

std::vector<char> values_in_memory(const graph& g, const execution_plan& p) {
    std::vector<char> in_memory(g.values.size(), 0);
    for (const launch& l : p.launches)
        for (const traced_access& a : l.accesses) in_memory[a.source] = 1;
    return in_memory;
}

std::string counted(std::size_t n, const char* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

}  // namespace

std::string schedule_of(const launch& l) {
    if (l.call) return "library";
    const std::size_t passes = row_passes(l.spec).passes.size();
    if (l.spec.tile > 0) return "pointwise (tiled transpose)";
    if (!l.spec.columns.empty())
        return "reduce_inner and outer (" + std::to_string(passes) + (passes == 1 ? " pass" : " passes") +
               ", each row read once)";
    if (passes == 1) return std::string(name_of(l.spec.schedule));
    return (l.spec.schedule == schedule_kind::reduce_inner ? "normalize_inner (" : "normalize_outer (") +
           std::to_string(passes) + " passes)";
}

double operations_of(const launch& l) {
    if (l.call) return 0;
    const row_passes r(l.spec);
    std::uint64_t element = 0, row = 0;
    for (const row_pass& pass : r.passes) {
        for (std::uint16_t k : pass.body) element += cost_of(l.spec.body[k].code);
        for (std::uint16_t k : pass.reductions)
            for (const instruction& i : rule_of(l.spec.reductions[k]).take.steps) element += cost_of(i.code);
    }
    for (const instruction& i : l.spec.row) row += cost_of(i.code);
    double rows = 1;
    for (std::uint32_t k = 0; k + l.spec.reduced < l.spec.rank; ++k) rows *= static_cast<double>(l.words[2 + k]);
    return static_cast<double>(element) * static_cast<double>(l.domain->size()) + static_cast<double>(row) * rows;
}

std::string_view bound_of(const launch& l, const target& t) {
    switch (bound_of(t.cost, static_cast<double>(l.bytes_read + l.bytes_written), operations_of(l))) {
        case bound::launch: return "the launch";
        case bound::arithmetic: return "arithmetic";
        default: return "memory";
    }
}

std::string explain(const graph& g, const execution_plan& p, const target& t) {
    const printer print(g);
    const std::vector<char> in_memory = values_in_memory(g, p);
    const auto calls = static_cast<std::size_t>(
        std::count_if(p.launches.begin(), p.launches.end(), [](const launch& l) { return l.call.has_value(); }));
    std::string s = counted(p.launches.size() - calls, "kernel") + (calls > 0 ? ", " + counted(calls, "library call") : "") +
                    ", reads " + std::to_string(p.bytes_read()) + " bytes, writes " + std::to_string(p.bytes_written()) +
                    " bytes, holds at most " + std::to_string(p.peak_bytes) + " bytes\n";
    std::map<value_id, std::size_t> kernel_of;
    for (std::size_t k = 0; k < p.launches.size(); ++k) {
        const launch& l = p.launches[k];
        s += std::string(l.call ? "call " : "kernel ") + std::to_string(k) + ": " + schedule_of(l) + " over " +
             to_string(*l.domain) + (l.call ? "" : ", rank " + std::to_string(l.spec.rank) + " after collapsing") +
             ", reads " + std::to_string(l.bytes_read) + ", writes " + std::to_string(l.bytes_written) + " bytes";
        if (!l.call)
            s += ", " + std::to_string(static_cast<std::int64_t>(operations_of(l))) + " operations, bound by " +
                 std::string(bound_of(l, t));
        s += "\n";
        for (value_id v : l.roots) {
            kernel_of[v] = k;
            s += "    t" + std::to_string(v) + " = " + shorten(print.formula(v, in_memory)) + "\n";
        }
    }
    for (const cut& c : p.cuts) {
        s += "cut: " + print.value_name(c.producer) + " -> " + print.value_name(c.consumer) + ": " + c.reason + "\n";
    }
    return s;
}

std::vector<std::string> formulas(const graph& g, const execution_plan& p) {
    constexpr std::size_t longest = 100;
    const printer print(g);
    const std::vector<char> in_memory = values_in_memory(g, p);
    std::vector<std::string> all;
    for (const launch& l : p.launches) {
        std::string s = shorten(print.formula(l.roots[0], in_memory), longest);
        if (l.roots.size() > 1) s += " and " + std::to_string(l.roots.size() - 1) + " more";
        all.push_back(std::move(s));
    }
    return all;
}

std::string to_dot(const graph& g, const execution_plan& p) {
    const printer print(g);
    const std::vector<char> in_memory = values_in_memory(g, p);
    std::string s = "digraph plan {\n  rankdir=LR; node [shape=box, fontname=\"monospace\"];\n";
    for (std::size_t k = 0; k < p.launches.size(); ++k) {
        const launch& l = p.launches[k];
        std::string label = std::string(l.call ? "call " : "kernel ") + std::to_string(k) + ": " + schedule_of(l) + " " +
                            to_string(*l.domain);
        for (value_id v : l.roots) label += "\\l" + shorten(print.formula(v, in_memory));
        s += "  k" + std::to_string(k) + " [style=filled, fillcolor=lightgrey, label=\"" + label + "\\l\"];\n";
        std::vector<value_id> seen;
        for (const traced_access& a : l.accesses) {
            if (std::find(seen.begin(), seen.end(), a.source) != seen.end()) continue;
            seen.push_back(a.source);
            const value& x = g.values[a.source];
            const std::string name = "v" + std::to_string(a.source);
            s += "  " + name + " [label=\"" +
                 (x.code == op::leaf ? "x" + std::to_string(x.index) : "t" + std::to_string(a.source)) + " " +
                 std::string(name_of(x.type)) + to_string(*x.extents) + "\"];\n";
            s += a.write ? "  k" + std::to_string(k) + " -> " + name + ";\n"
                         : "  " + name + " -> k" + std::to_string(k) + ";\n";
        }
    }
    return s + "}\n";
}

}  // namespace frit::v0::fusion
