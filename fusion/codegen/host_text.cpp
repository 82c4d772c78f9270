// Types, words, accesses and accumulators of generated host text.
#include "fusion/codegen/host_text.hpp"

#include <stdexcept>

namespace frit::inline v0::fusion::host {

std::string with(std::string_view pattern, std::initializer_list<replacement> values) {
    std::string out;
    for (std::size_t at = 0; at < pattern.size();) {
        if (pattern[at] == '$') {
            const auto hit = std::find_if(values.begin(), values.end(), [&](const replacement& r) {
                return pattern.substr(at + 1, r.first.size()) == r.first;
            });
            if (hit != values.end()) {
                out += hit->second;
                at += 1 + hit->first.size();
                continue;
            }
        }
        out += pattern[at++];
    }
    return out;
}

std::string text(std::uint64_t n) { return std::to_string(n); }
std::string word(std::uint32_t at) { return "w[" + std::to_string(at) + "]"; }
std::string signed_word(std::uint32_t at) { return "(i64)" + word(at); }

std::string c_type(dtype t) {
    switch (t) {
#define FRIT_X(name, type) \
    case dtype::name: return t == dtype::bool_ ? "bool" : "fn::" #name;
        FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
        default: throw std::logic_error("host_c: a dtype that no array has");
    }
}

std::string lanes_type(dtype t) { return t == dtype::bool_ ? "fn::mask<M, L>" : "V<" + c_type(t) + ">"; }

std::string splat_of(dtype t, const std::string& value) {
    if (t == dtype::bool_) return "fn::splat_mask<M, L>(" + value + ")";
    return "fn::splat<L>((" + c_type(t) + ")" + value + ")";
}

std::string memory::stride(std::size_t d) const {
    const stride_class c = dim(d).stride;
    return c == stride_class::zero ? "0" : c == stride_class::one ? "1" : signed_word(words[d].stride);
}

std::string memory::term(std::size_t d, const std::string& index) const {
    if (!moves(d)) return "";
    const std::string i = dim(d).clamped ? "fn::clamp(w + " + std::to_string(words[d].step) + ")(" + index + ")" : index;
    return " + " + i + (dim(d).stride == stride_class::runtime ? " * " + signed_word(words[d].stride) : "");
}

kernel_text::kernel_text(const dialect& d, const kernel_spec& spec, const word_map& map, const target& t)
    : dialect_(d), spec_(spec), map_(map), target_(t) {
    for (std::size_t k = 0; k < spec_.loads.size(); ++k)
        memories_.push_back({spec_.loads[k], map_.loads[k], std::to_string(k), memory::kind::load});
    for (std::size_t k = 0; k < spec_.stores.size(); ++k)
        memories_.push_back({spec_.stores[k].to, map_.stores[k], "s" + std::to_string(k), memory::kind::store});
    for (std::size_t k = 0; k < spec_.row_stores.size(); ++k)
        memories_.push_back({spec_.row_stores[k].to, map_.row_stores[k], "o" + std::to_string(k), memory::kind::row_store});
    std::size_t widest = 1;
    for (const auto* code : {&spec_.body, &spec_.row})
        for (const instruction& i : *code) widest = std::max(widest, size_of(real_dtype(i.type)));
    for (const reduction_spec& r : spec_.reductions) {
        const reduction_rule& rule = rule_of(r);
        for (int p = 0; p < rule.parts; ++p) widest = std::max(widest, size_of(rule.types[p]));
    }
    widest_ = static_cast<int>(widest);
    lanes_ = target_.vector_bytes / widest_;
}

std::string kernel_text::lanes() const {
    return with("constexpr int L = $L;\ntypedef fn::integer_of<$w>::type M;\ntemplate <class T>\nusing V = fn::vec<T, L>;\n",
                {{"L", std::to_string(lanes_)}, {"w", std::to_string(widest_)}});
}

std::string kernel_text::parameters(std::size_t along) const {
    std::string out;
    for (std::size_t d = 0; d < spec_.rank; ++d)
        out += with("    const i64 n$d = $w;\n",
                    {{"d", text(d)}, {"w", signed_word(map_.layout.extents + static_cast<std::uint32_t>(d))}});
    for (const memory& m : memories_) {
        out += with("    $T* const x$k = ($T*)$w;\n",
                    {{"T", m.type()}, {"k", m.id}, {"w", word(map_.layout.pointers + m.at.pointer)}});
        if (m.moves(along)) out += with("    const i64 e$k = $s;\n", {{"k", m.id}, {"s", m.stride(along)}});
        if (m.dim(along).clamped)
            out += with("    const fn::clamp c$k(w + $w);\n", {{"k", m.id}, {"w", text(m.words[along].step)}});
    }
    for (std::size_t k = 0; k < spec_.scalars.size(); ++k) {
        const dtype t = spec_.scalars[k];
        const std::string value = "fn::word<" + c_type(t) + ">(" + word(map_.scalars[k]) + ")";
        out += with("    const auto a$k = $v;\n", {{"k", text(k)}, {"v", splat_of(t, value)}});
    }
    for (std::size_t k = 0; k < spec_.coords.size(); ++k)
        if (spec_.coords[k].clamped)
            out += with("    const fn::clamp ck$k(w + $w);\n", {{"k", text(k)}, {"w", text(map_.coords[k].step)}});
    return out;
}

std::string kernel_text::far_stores(std::size_t along) const {
    std::string out;
    for (const memory& m : memories_) {
        if (!may_be_far(m, along)) continue;
        out += with("    const bool far$k = fn::is_far($n * $s, n$d * $s)",
                    {{"k", m.id}, {"n", product(0, spec_.rank)}, {"s", text(size_of(m.at.type))}, {"d", text(along)}});
        for (std::size_t k = 0; k < spec_.loads.size(); ++k)
            out += with(" && w[$a] != w[$b]", {{"a", text(map_.layout.pointers + m.at.pointer)},
                                               {"b", text(map_.layout.pointers + spec_.loads[k].pointer)}});
        out += ";\n";
    }
    return out;
}

std::string kernel_text::finish_far_stores(std::size_t along) const {
    std::string any;
    for (const memory& m : memories_)
        if (may_be_far(m, along)) any += (any.empty() ? "far" : " | far") + m.id;
    return any.empty() ? "" : "    fn::finish_stream(" + any + ");\n";
}

std::string kernel_text::product(std::size_t first, std::size_t last) const {
    std::string out;
    for (std::size_t d = first; d < last; ++d) out += (d > first ? " * n" : "n") + std::to_string(d);
    return out.empty() ? "1" : out;
}

std::string kernel_text::coordinate_value(std::uint16_t c, const std::string& index) const {
    const dim_words& w = map_.coords[c];
    if (spec_.coords[c].clamped) return "ck" + std::to_string(c) + "(" + index + ")";
    return "(" + signed_word(w.step) + " * " + index + " + " + signed_word(w.shift) + ")";
}

std::string kernel_text::coordinate_lanes(std::uint16_t c, dtype t, const std::string& index) const {
    const dim_words& w = map_.coords[c];
    return with(spec_.coords[c].clamped ? "fn::index<$T, L>(ck$k, $i)" : "fn::index<$T, L>($a, $b, $i)",
                {{"T", c_type(t)}, {"k", text(c)}, {"i", index}, {"a", signed_word(w.step)}, {"b", signed_word(w.shift)}});
}

std::string kernel_text::lines(const std::vector<instruction>& code, const std::vector<std::uint16_t>& which, char prefix,
                               const std::string& indent, const leaf_speller& leaf) const {
    std::string out;
    for (const std::uint16_t k : which) out += ssa_line(dialect_, code, k, prefix, indent, leaf);
    return out;
}

std::string kernel_text::accumulators() const {
    std::string out;
    for (std::size_t k = 0; k < spec_.reductions.size(); ++k) {
        const reduction_rule& rule = rule_of(spec_.reductions[k]);
        const auto each = [&](std::string_view pattern) {
            std::string list;
            for (int p = 0; p < rule.parts; ++p) {
                const dtype t = rule.types[p];
                const std::string bits =
                    t == dtype::bool_ ? text(rule.identity[p] & 1)
                                      : with("fn::word<$T>($bull)", {{"T", c_type(t)}, {"b", text(rule.identity[p])}});
                list += (p > 0 ? ", " : "") +
                        with(pattern, {{"p", text(static_cast<std::uint64_t>(p))}, {"identity", splat_of(t, bits)}});
            }
            return list;
        };
        out += "struct " + sum_type(k) + " {\n";
        for (int p = 0; p < rule.parts; ++p) out += "    " + lanes_type(rule.types[p]) + " a" + std::to_string(p) + ";\n";
        out +=
            with("    static FRIT_INLINE $S identity() { return {$i}; }\n", {{"S", sum_type(k)}, {"i", each("$identity")}});
        out += method(k, "add", rule.combine);
        if (rule.takes_otherwise()) out += method(k, "take", rule.take);
        out += with(
            "    template <int H>\n    FRIT_INLINE $S moved() const {\n        return {$m};\n    }\n"
            "    FRIT_INLINE $S keep(const $S& old, i64 n) const { return {$k}; }\n};\n",
            {{"S", sum_type(k)}, {"m", each("fn::moved<H>(a$p)")}, {"k", each("fn::keep(a$p, old.a$p, n)")}});
    }
    return out;
}

std::string kernel_text::method(std::size_t k, const std::string& name, const rule_code& code) const {
    const reduction_rule& rule = rule_of(spec_.reductions[k]);
    std::string out = with("    FRIT_INLINE void $n(const $S& r) {\n", {{"n", name}, {"S", sum_type(k)}});
    out += ssa_lines(dialect_, code.steps, 'u', "        ", [&](const instruction& i) {
        if (i.code == op::scalar) return splat_of(i.type, "1");
        return i.a < rule.parts ? "a" + std::to_string(i.a) : "r.a" + std::to_string(i.a - rule.parts);
    });
    for (int p = 0; p < rule.parts; ++p) {
        const std::string value = "u" + std::to_string(code.result[p]);
        out +=
            with("        a$p = $v;\n", {{"p", text(static_cast<std::uint64_t>(p))},
                                         {"v", rule.types[p] == dtype::bool_ ? "fn::widen_mask<M>(" + value + ")" : value}});
    }
    return out + "    }\n";
}

std::string kernel_text::take(std::size_t k) const {
    return rule_of(spec_.reductions[k]).takes_otherwise() ? "take" : "add";
}

std::string kernel_text::lifted(std::size_t k) const {
    const reduction_spec& r = spec_.reductions[k];
    const reduction_rule& rule = rule_of(r);
    std::string out = sum_type(k) + "{";
    for (int p = 0; p < rule.parts; ++p) {
        if (p > 0) out += ", ";
        switch (rule.lift[p]) {
            case part_source::value: {
                const std::string value = "t" + std::to_string(r.value);
                out += r.type == dtype::bool_ ? "fn::widen_mask<M>(" + value + ")" : value;
                break;
            }
            case part_source::second: out += "t" + std::to_string(r.second); break;
            case part_source::one: out += splat_of(rule.types[p], "1"); break;
            case part_source::minus_zero: out += splat_of(rule.types[p], "-0.0"); break;
        }
    }
    return out + "}";
}

std::size_t kernel_text::first_part(std::size_t k) const {
    std::size_t n = 0;
    for (std::size_t r = 0; r < k; ++r) n += static_cast<std::size_t>(parts(r));
    return n;
}

std::string kernel_text::result_of(std::size_t k, const std::string& from) const {
    return from + ".a" + std::to_string(rule_of(spec_.reductions[k]).result);
}

}  // namespace frit::v0::fusion::host
