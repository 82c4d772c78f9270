// The dialect for $CXX: C++ with explicit vector lanes over the prelude. A kernel evaluates any range of the domain, row by
// row, in groups of lanes. A group that lies whole in the row, away from clamped edges, is read and written in place; any
// other is copied to a small scratch array first, so that the body is written (and compiled) once and nothing outside the
// arrays is touched.
#include "fusion/codegen/host_c.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>

#include "fusion/codegen/dialect_base.hpp"

namespace frit::inline v0::fusion {
namespace {

#define FRIT_VECTOR_BYTES 16
#include "fusion/codegen/host_prelude.hpp"
#undef FRIT_VECTOR_BYTES

constexpr const char* prelude_text =
#include "frit_host_prelude.inc"
    ;

#include "fusion/codegen/prelude_functions.inc"

// The dtypes' names are the prelude's.
std::string c_type(dtype t) {
    switch (t) {
#define FRIT_X(name, type) \
    case dtype::name: return t == dtype::bool_ ? "bool" : "fn::" #name;
        FRIT_COMPUTE_DTYPES(FRIT_X)
#undef FRIT_X
        default: throw std::logic_error("host_c: a dtype that no engine computes with");
    }
}

// Replaces $name by its value: keeps generated lines readable where they are generated.
using replacement = std::pair<std::string_view, std::string>;
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

// The lanes of one group: as many as the widest number of the code has in a register; M is the lane type of truth values.
std::string lanes_of(const std::vector<instruction>& code, const target& t) {
    int widest = 1;
    for (const instruction& i : code) widest = std::max(widest, static_cast<int>(size_of(i.type)));
    return with("constexpr int L = $L;\ntypedef fn::integer_of<$w>::type M;\ntemplate <class T>\nusing V = fn::vec<T, L>;\n",
                {{"L", std::to_string(t.vector_bytes / widest)}, {"w", std::to_string(widest)}});
}

std::string splat_of(dtype t, const std::string& value) {
    if (t == dtype::bool_) return "fn::splat_mask<M, L>(" + value + ")";
    return "fn::splat<L>((" + c_type(t) + ")" + value + ")";
}

// One load or store of the spec, with the name of its variables in the text: "0", "1", ...; "s0", "s1", ...
struct memory {
    const access& at;
    const std::vector<dim_words>& words;
    std::string id;
    bool is_store;

    const access_dim& dim(std::size_t d) const { return at.dims[d]; }
    std::string type() const { return (is_store ? "" : "const ") + c_type(at.type); }
};

// The text of one kernel; a class because its parts share the spec.
class host_kernel {
public:
    host_kernel(const dialect& d, const kernel_spec& spec, const word_map& map)
        : dialect_(d),
          spec_(spec),
          map_(map),
          inner_(spec.rank - 1U),
          reduces_(spec.schedule == schedule_kind::reduce_all),
          packed_(reduces_ && spec.rank > 1) {
        for (std::size_t k = 0; k < spec_.loads.size(); ++k)
            memories_.push_back({spec_.loads[k], map_.loads[k], std::to_string(k), false});
        for (std::size_t k = 0; k < spec_.stores.size(); ++k)
            memories_.push_back({spec_.stores[k].to, map_.stores[k], "s" + std::to_string(k), true});
    }

    std::string kernel(const std::string& name) const {
        return "extern \"C\" void " + name + "(const fn::u64* w, i64 begin, i64 end, fn::u64* partials, i64 blocks) {\n" +
               parameters() + rows() + (reduces_ ? reduce_loop() : pointwise_loop()) + "}\n";
    }

    std::string finish(const std::string& name) const {
        std::string out = "extern \"C\" void " + name + "(const fn::u64* w, const fn::u64* totals) {\n";
        out += ssa_lines(dialect_, spec_.row, 'e', "    ", [&](const instruction& i) {
            const std::string from = i.code == op::total ? "totals[" + std::to_string(i.a) + "]" : word(map_.scalars[i.a]);
            return splat_of(i.type, "fn::word<" + c_type(i.type) + ">(" + from + ")");
        });
        for (const store& s : spec_.row_stores)
            out += with("    fn::store_first(($T*)$w, e$v);\n", {{"T", c_type(s.to.type)},
                                                                 {"w", word(map_.layout.pointers + s.to.pointer)},
                                                                 {"v", std::to_string(s.value)}});
        return out + "}\n";
    }

private:
    const access_dim& inner(const memory& m) const { return m.dim(inner_); }
    bool is_contiguous(const memory& m) const { return inner(m) == access_dim{stride_class::one, false}; }
    bool is_fixed(const memory& m) const { return inner(m) == access_dim{stride_class::zero, false}; }
    // The same value for a whole row; where groups span rows nothing is.
    bool is_splat(const memory& m) const { return !m.is_store && !packed_ && is_fixed(m); }
    bool is_splat(const coordinate& c) const { return !packed_ && c.dim != inner_; }
    const char* group() const { return reduces_ ? "64" : "L"; }
    std::string extent() const { return "n" + std::to_string(inner_); }

    // Extents, base pointers, strides, scalars: everything that the words say once.
    std::string parameters() const {
        std::string out;
        for (std::size_t d = 0; d < spec_.rank; ++d)
            out += with("    const i64 n$d = $w;\n",
                        {{"d", text(d)}, {"w", signed_word(map_.layout.extents + static_cast<std::uint32_t>(d))}});
        for (std::size_t d = 0; d < inner_; ++d) out += "    i64 i" + std::to_string(d) + " = 0;\n";
        for (const memory& m : memories_) {
            const dim_words& w = m.words[inner_];
            const stride_class c = inner(m).stride;
            const std::string stride = c == stride_class::zero ? "0" : c == stride_class::one ? "1" : signed_word(w.stride);
            out += with("    $T* const x$k = ($T*)$w;\n    $T* r$k = x$k;\n    const i64 e$k = $s;\n",
                        {{"T", m.type()}, {"k", m.id}, {"w", word(map_.layout.pointers + m.at.pointer)}, {"s", stride}});
            if (inner(m).clamped) out += with("    const fn::clamp c$k(w + $w);\n", {{"k", m.id}, {"w", text(w.step)}});
            if (is_splat(m))
                out += with("    auto z$k = $v;\n", {{"k", m.id}, {"v", splat_of(m.at.type, "0")}});
            else
                out += with("    alignas(64) $T b$k[$G];\n", {{"T", c_type(m.at.type)}, {"k", m.id}, {"G", group()}});
        }
        for (std::size_t k = 0; k < spec_.scalars.size(); ++k) {
            const dtype t = spec_.scalars[k];
            const std::string value = "fn::word<" + c_type(t) + ">(" + word(map_.scalars[k]) + ")";
            out += with("    const auto a$k = $v;\n", {{"k", text(k)}, {"v", splat_of(t, value)}});
        }
        each_coordinate([&](std::size_t k, const instruction& i) {
            const coordinate& c = spec_.coords[i.a];
            const std::initializer_list<replacement> values = {
                {"k", text(k)}, {"T", c_type(i.type)}, {"w", text(map_.coords[i.a].step)}};
            if (c.clamped) out += with("    const fn::clamp ck$k(w + $w);\n", values);
            if (is_splat(c)) out += with("    auto g$k = fn::splat<L>(($T)0);\n", values);
            if (packed_) out += with("    alignas(64) $T bk$k[64];\n", values);
        });
        return out;
    }

    template <class F>
    void each_coordinate(F f) const {
        for (std::size_t k = 0; k < spec_.body.size(); ++k)
            if (spec_.body[k].code == op::coord) f(k, spec_.body[k]);
    }
    std::string coordinate_value(std::size_t k, const std::string& index) const {
        const std::uint16_t a = spec_.body[k].a;
        const dim_words& w = map_.coords[a];
        if (spec_.coords[a].clamped) return "ck" + std::to_string(k) + "(" + index + ")";
        return "(" + signed_word(w.step) + " * " + index + " + " + signed_word(w.shift) + ")";
    }

    // set_row(row): what belongs to a row. Flat kernels have one row, and need it only for values to splat.
    bool has_rows() const {
        return inner_ > 0 || std::any_of(memories_.begin(), memories_.end(), [&](const memory& m) { return is_splat(m); });
    }
    std::string rows() const {
        if (!has_rows()) return "";
        std::string out = "    auto set_row = [&](i64 row) __attribute__((always_inline)) {\n";
        for (std::size_t d = inner_; d-- > 0;)
            out +=
                with(d > 0 ? "        i$d = row % n$d;\n        row /= n$d;\n" : "        i$d = row;\n", {{"d", text(d)}});
        for (const memory& m : memories_) {
            if (inner_ > 0) {
                out += "        r" + m.id + " = x" + m.id;
                for (std::size_t d = 0; d < inner_; ++d) out += outer_term(m, d);
                out += ";\n";
            }
            if (is_splat(m)) out += "        z" + m.id + " = " + splat_of(m.at.type, "*r" + m.id) + ";\n";
        }
        each_coordinate([&](std::size_t k, const instruction& i) {
            const coordinate& c = spec_.coords[i.a];
            if (is_splat(c))
                out += "        g" + text(k) + " = " + splat_of(i.type, coordinate_value(k, "i" + text(c.dim))) + ";\n";
        });
        return out + "    };\n";
    }
    std::string outer_term(const memory& m, std::size_t d) const {
        const access_dim& a = m.dim(d);
        const dim_words& w = m.words[d];
        if (a.stride == stride_class::zero && !a.clamped) return "";
        std::string index = "i" + std::to_string(d);
        if (a.clamped) index = "fn::clamp(w + " + std::to_string(w.step) + ")(" + index + ")";
        return " + " + index + (a.stride == stride_class::runtime ? " * " + signed_word(w.stride) : "");
    }

    // How the body reads what it does not compute; j is the place behind the group's cursor.
    std::string leaf(const instruction& i, const std::string& j) const {
        const std::string k = std::to_string(i.a);
        if (i.code == op::scalar) return "a" + k;
        if (i.code == op::coord) return coordinate_leaf(static_cast<std::size_t>(&i - spec_.body.data()), j);
        const memory& m = memories_[i.a];
        const std::string kind = m.at.type == dtype::bool_ ? "_mask<M, L>" : "<L>";
        const std::initializer_list<replacement> values = {
            {"v", kind}, {"k", k}, {"j", j}, {"s", splat_of(m.at.type, "*q" + k)}};
        if (is_splat(m)) return "z" + k;
        if (is_fixed(m)) return with("direct ? $s : fn::load$v(q$k + $j)", values);
        if (is_contiguous(m)) return with("fn::load$v(q$k + $j)", values);
        return with("fn::gather$v(q$k + ($j) * p$k, p$k)", values);
    }
    std::string coordinate_leaf(std::size_t k, const std::string& j) const {
        const instruction& i = spec_.body[k];
        const coordinate& c = spec_.coords[i.a];
        const dim_words& w = map_.coords[i.a];
        if (is_splat(c)) return "g" + std::to_string(k);
        std::string value;
        const std::initializer_list<replacement> values = {
            {"T", c_type(i.type)}, {"k", text(k)}, {"j", j}, {"a", signed_word(w.step)}, {"b", signed_word(w.shift)}};
        if (c.dim != inner_)
            value = splat_of(i.type, coordinate_value(k, "i" + text(c.dim)));
        else
            value = with(c.clamped ? "fn::index<$T, L>(ck$k, i + $j)" : "fn::index<$T, L>($a, $b, i + $j)", values);
        return packed_ ? "direct ? " + value + with(" : fn::load<L>(bk$k + $j)", values) : value;
    }

    std::string body_lines(const std::string& indent, const std::string& j) const {
        std::string out = ssa_lines(dialect_, spec_.body, 't', indent, [&](const instruction& i) { return leaf(i, j); });
        for (std::size_t s = 0; s < spec_.stores.size(); ++s) {
            const memory& m = memories_[spec_.loads.size() + s];
            out += indent +
                   with(is_contiguous(m) ? "fn::store(q$k + $j, t$t);\n" : "fn::scatter(q$k + ($j) * p$k, p$k, t$t);\n",
                        {{"k", m.id}, {"j", j}, {"t", text(spec_.stores[s].value)}});
        }
        return out;
    }

    // Where the group is read and written: in the arrays if it is direct, else in the scratch arrays.
    std::string cursors(const std::string& indent) const {
        std::string out;
        for (const memory& m : memories_) {
            if (is_splat(m)) continue;
            const bool clamped = inner(m).clamped;
            const std::string first = clamped ? "c" + m.id + "(i) * e" + m.id : is_contiguous(m) ? "i" : "i * e" + m.id;
            out += indent + with("$T* const q$k = direct ? r$k + $f : b$k;\n", {{"T", m.type()}, {"k", m.id}, {"f", first}});
            if (!is_contiguous(m) && (m.is_store || !is_fixed(m)))
                out += indent + with(clamped ? "const i64 p$k = direct ? c$k.step * e$k : 1;\n"
                                             : "const i64 p$k = direct ? e$k : 1;\n",
                                     {{"k", m.id}});
        }
        return out;
    }

    // Elements [i, i + count) of the row to and from place `done` of the scratch arrays.
    std::string fills(const std::string& indent, const std::string& done, const std::string& lanes,
                      const std::string& count) const {
        std::string out;
        for (const memory& m : memories_)
            if (!m.is_store && !is_splat(m))
                out += indent +
                       with("fn::fill(b$k$d, $l, r$k, e$k, $ci, $n);\n", {{"k", m.id},
                                                                          {"d", done},
                                                                          {"l", lanes},
                                                                          {"c", inner(m).clamped ? "c" + m.id + ", " : ""},
                                                                          {"n", count}});
        return out;
    }
    std::string spills(const std::string& indent, const std::string& done, const std::string& count) const {
        std::string out;
        for (const memory& m : memories_)
            if (m.is_store)
                out += indent + with("fn::spill(r$k, e$k, i, $n, b$k$d);\n", {{"k", m.id}, {"d", done}, {"n", count}});
        return out;
    }

    // [in0, in1): the columns of [i, last) where no access is clamped; the next group is direct if it lies in there.
    std::string group_bounds(const std::string& indent, const std::string& left) const {
        std::string out = indent + "i64 in0 = i, in1 = last;\n";
        for (const memory& m : memories_)
            if (inner(m).clamped) out += indent + "c" + m.id + ".narrow(in0, in1);\n";
        return out + indent + with("const bool direct = i >= in0 && i + $G <= in1;\n", {{"G", group()}}) + indent +
               with("const i64 count = direct ? (in1 - i) / $G * $G : fn::min($G, $n);\n", {{"G", group()}, {"n", left}});
    }

    std::string pointwise_loop() const {
        std::string out;
        if (inner_ > 0)
            out = with(
                "    i64 row = begin / $n, i = begin - row * $n;\n"
                "    for (i64 at = begin; at < end; ++row, i = 0) {\n"
                "        const i64 last = fn::min($n, i + end - at);\n",
                {{"n", extent()}});
        else
            out = "    const i64 row = 0, last = end;\n    for (i64 at = begin, i = begin; at < end;) {\n";
        if (has_rows()) out += "        set_row(row);\n";
        out += "        at += last - i;\n        while (i < last) {\n" + group_bounds("            ", "last - i");
        out += "            if (!direct) {\n" + fills("                ", "", "L", "count") + "            }\n";
        out += cursors("            ");
        // Small bodies gain from several groups in flight; large ones would only cost compile time.
        const std::size_t size = spec_.body.size();
        if (size <= 32) out += size <= 16 ? "#pragma GCC unroll 4\n" : "#pragma GCC unroll 2\n";
        out +=
            "            for (i64 j = 0; j < count; j += L) {\n" + body_lines("                ", "j") + "            }\n";
        out += "            if (!direct) {\n" + spills("                ", "", "count") + "            }\n";
        return out + "            i += count;\n        }\n    }\n";
    }

    // Blocks of 4096 elements in groups of 64, one for each accumulator; lanes behind the last element count as identity,
    // which changes no accumulator. A group that spans rows is collected row by row.
    std::string reduce_loop() const {
        std::string out =
            with("    for (i64 at = begin; at < end;) {\n        const i64 block = at / $B, stop = fn::min(end, at + $B);\n",
                 {{"B", std::to_string(reduce_block)}});
        for (std::size_t k = 0; k < spec_.reductions.size(); ++k) {
            const reduction_spec& r = spec_.reductions[k];
            const std::string type = r.type == dtype::bool_ ? "fn::mask<M, L>" : "V<" + c_type(r.type) + ">";
            out += with(
                "        const $T identity$k = $v;\n        $T acc$k[64 / L];\n        for (auto& x : acc$k) x = "
                "identity$k;\n",
                {{"T", type}, {"k", text(k)}, {"v", splat_of(r.type, identity(r))}});
        }
        out += "        while (at < stop) {\n";
        if (inner_ > 0)
            out += with(
                "            i64 row = at / $n, i = at - row * $n;\n            const i64 last = fn::min($n, i + stop - "
                "at);\n",
                {{"n", extent()}});
        else
            out += "            const i64 row = 0, last = stop;\n            i64 i = at;\n";
        if (has_rows()) out += "            set_row(row);\n";
        out += group_bounds("            ", "stop - at");
        out += "            if (!direct) {\n" + collect() + "            }\n" + cursors("            ");
        out += "            for (i64 j = 0; j < count; j += 64) {\n";
        if (spec_.body.size() <= 32) out += "#pragma GCC unroll 32\n";
        out += "                for (int u = 0; u < 64; u += L) {\n" + body_lines("                    ", "j + u");
        for (std::size_t k = 0; k < spec_.reductions.size(); ++k) {
            const reduction_spec& r = spec_.reductions[k];
            const std::string value = "t" + std::to_string(r.value);
            out += with("                    const auto v$k = fn::keep($t, identity$k, count - j - u);\n",
                        {{"k", text(k)}, {"t", r.type == dtype::bool_ ? "fn::widen_mask<M>(" + value + ")" : value}});
            out += with("                    acc$k[u / L] = $c;\n",
                        {{"k", text(k)}, {"c", combine(r, "acc" + text(k) + "[u / L]", "v" + text(k))}});
        }
        out += "                }\n            }\n";
        if (!spec_.stores.empty())
            out +=
                "            if (!direct) {\n" + pieces(spills("                    ", " + done", "n")) + "            }\n";
        out += "            at += count;\n        }\n";
        for (std::size_t k = 0; k < spec_.reductions.size(); ++k)
            out += with("        fn::tree(acc$k, [](auto a, auto b) { return $c; }, &partials[$k * blocks + block]);\n",
                        {{"k", text(k)}, {"c", combine(spec_.reductions[k], "a", "b")}});
        return out + "    }\n";
    }

    // The group's scratch arrays, from one row or from several.
    std::string collect() const {
        std::string lines = fills("                    ", " + done", "n", "n");
        if (inner_ == 0) return pieces(lines) + pad();
        each_coordinate([&](std::size_t k, const instruction& i) {
            const coordinate& c = spec_.coords[i.a];
            const std::string index = c.dim == inner_ ? "(i + k)" : "i" + std::to_string(c.dim);
            lines += with("                    for (i64 k = 0; k < n; ++k) bk$k[done + k] = ($T)$v;\n",
                          {{"k", text(k)}, {"T", c_type(i.type)}, {"v", coordinate_value(k, index)}});
        });
        return pieces(lines) + pad();
    }
    std::string pieces(const std::string& lines) const {
        std::string out = "                for (i64 done = 0, n; done < count; done += n) {\n";
        if (inner_ > 0)
            out += with(
                "                    row = (at + done) / $n;\n                    i = at + done - row * $n;\n"
                "                    n = fn::min(count - done, $n - i);\n                    set_row(row);\n",
                {{"n", extent()}});
        else
            out += "                    n = count;\n";
        return out + lines + "                }\n";
    }
    std::string pad() const {
        std::string lines;
        for (const memory& m : memories_)
            if (!m.is_store && !is_splat(m)) lines += " b" + m.id + "[k] = 1;";
        if (packed_)
            each_coordinate([&](std::size_t k, const instruction&) { lines += " bk" + std::to_string(k) + "[k] = 1;"; });
        return lines.empty() ? "" : "                for (i64 k = count; k < 64; ++k) {" + lines + " }\n";
    }

    std::string combine(const reduction_spec& r, const std::string& a, const std::string& b) const {
        return spell(dialect_, resolve(reduction(r.code).combine, r.type).code, r.type, a, b);
    }
    static std::string identity(const reduction_spec& r) {
        const std::string lowest = is_float(r.type) ? "-__builtin_inf()" : "fn::lowest_integer<" + c_type(r.type) + ">";
        const std::string highest = is_float(r.type) ? "__builtin_inf()" : "~" + lowest;
        const bool truth = r.type == dtype::bool_;
        switch (reduction(r.code).identity) {
            case reduction_identity::ZERO: return "0";
            case reduction_identity::ONE: return "1";
            case reduction_identity::LOWEST: return truth ? "0" : lowest;
            default: return truth ? "1" : highest;
        }
    }
    const dialect& dialect_;
    const kernel_spec& spec_;
    const word_map& map_;
    const std::size_t inner_;
    const bool reduces_, packed_;
    std::vector<memory> memories_;
};

class host_dialect final : public dialect {
public:
    std::string_view name() const override { return "host_c"; }
    std::string type(dtype t) const override { return t == dtype::bool_ ? "auto" : "V<" + c_type(t) + ">"; }
    std::string function(std::string_view f, dtype) const override { return "fn::" + std::string(f); }
    std::string constant(std::string_view x, dtype t) const override {
        return "fn::constant<V<" + c_type(t) + ">>(" + std::string(x) + ")";
    }
    std::string cast(std::string_view value, dtype, dtype to) const override {
        return "fn::to<" + c_type(to) + ">(" + std::string(value) + ")";
    }

    // A function of the vector math table for the text's own lanes.
    static std::string declaration(op function, dtype type, const std::string& variable) {
        const bool two = info(function).arity == 2;
        return with(
            "typedef fn::lanes<$T, FRIT_VECTOR_BYTES / sizeof($T)>::type $v_full;\n"
            "extern \"C\" { __attribute__((visibility(\"default\"))) $v_full (*$v)($A) = nullptr; }\n"
            "namespace fn {\ntemplate <int N>\nFRIT_INLINE vec<$T, N> $f($P) { return call_math($v, $a); }\n}\n",
            {{"T", c_type(type)},
             {"v", variable},
             {"A", two ? variable + "_full, " + variable + "_full" : variable + "_full"},
             {"f", std::string(info(function).name)},
             {"P", with(two ? "vec<$T, N> a, vec<$T, N> b" : "vec<$T, N> a", {{"T", c_type(type)}})},
             {"a", two ? "a, b" : "a"}});
    }

    std::string prelude(const kernel_spec& spec, const target& t) const override {
        std::string out = "#define FRIT_VECTOR_BYTES " + std::to_string(t.vector_bytes) + "\n" + prelude_text;
        std::set<std::string> done;
        for (const auto* code : {&spec.body, &spec.row})
            for (const instruction& i : *code) {
                for (const op function : host_math_functions(i.code)) {
                    const std::string variable = host_math_variable(function, i.type);
                    if (done.insert(variable).second) out += declaration(function, i.type, variable);
                }
            }
        return out + "typedef fn::i64 i64;\n";
    }

    std::string kernel(const kernel_spec& spec, const word_map& map, const target& t,
                       const std::string& name) const override {
        const host_kernel k(*this, spec, map);
        std::string out = "namespace body {\n" + lanes_of(spec.body, t) + k.kernel(name) + "}\n";
        if (!spec.row_stores.empty())
            out += "namespace epilogue {\n" + lanes_of(spec.row, t) + k.finish(host_finish_name(name)) + "}\n";
        return out;
    }
};

}  // namespace

std::vector<op> host_math_functions(op code) {
    std::vector<op> functions;
    if (!is_elementwise(code)) return functions;
    const std::string_view spelling = info(code).spelling;
    for (std::size_t at = spelling.find("FN("); at != std::string_view::npos; at = spelling.find("FN(", at)) {
        at += 3;
        const std::string_view name = spelling.substr(at, spelling.find(')', at) - at);
        for (int k = 0; k < detail::count_ops; ++k)
            if (const op_info& row = info(static_cast<op>(k));
                row.name == name && row.types == op_types::FLT && !defined_in_prelude[k])
                functions.push_back(static_cast<op>(k));
    }
    return functions;
}

std::string host_math_variable(op function, dtype operand) {
    return "frit_math_" + std::string(info(function).name) + (operand == dtype::f64 ? "_f64" : "_f32");
}

std::string host_finish_name(const std::string& kernel_name) { return kernel_name + "_finish"; }

const dialect& host_c() {
    static const host_dialect instance;
    return instance;
}

}  // namespace frit::v0::fusion
