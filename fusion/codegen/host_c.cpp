// The dialect for $CXX: C++ with explicit vector lanes over the prelude; and its pointwise kernels (rows: host_inner.cpp,
// host_outer.cpp). A pointwise kernel evaluates any range of the domain, row by row, in groups of lanes. A group that lies
// whole in the row, away from clamped edges, is read and written in place; of any other only its own lanes are touched.
#include "fusion/codegen/host_c.hpp"

#include <set>
#include <string>

#include "frit/error.hpp"
#include "fusion/codegen/host_rows.hpp"
#include "fusion/codegen/host_text.hpp"

namespace frit::inline v0::fusion {
namespace {

using namespace host;

constexpr int cache_line = 64;                       // bytes
constexpr std::uint64_t groups_worth_aligning = 16;  // in a shorter row its first part would cost more than is gained
constexpr std::uint64_t fetched_ahead = 4096;        // bytes

#define FRIT_VECTOR_BYTES 16
#include "fusion/codegen/host_prelude.hpp"
#include "fusion/codegen/host_prelude_complex.hpp"
#include "fusion/codegen/host_prelude_division.hpp"
#include "fusion/codegen/host_prelude_kernel.hpp"
#include "fusion/codegen/host_prelude_math.hpp"
#include "fusion/codegen/host_prelude_part.hpp"
#undef FRIT_VECTOR_BYTES

constexpr const char* prelude_text =
#include "frit_host_prelude.inc"
    ;
constexpr const char* half_prelude_text =  // of kernels with 16-bit floats alone
#include "frit_host_prelude_half.inc"
    ;

constexpr const char* complex_prelude_text =  // of kernels with complex numbers alone
#include "frit_host_prelude_complex.inc"
    ;

#include "fusion/codegen/prelude_functions.inc"

// The text of one pointwise kernel; a class because its parts share the spec.
class pointwise_kernel : kernel_text {
public:
    pointwise_kernel(const dialect& d, const kernel_spec& spec, const word_map& map, const target& t)
        : kernel_text(d, spec, map, t), inner_(spec.rank - 1U) {}

    std::string text_of(const std::string& name) const {
        return lanes() + "extern \"C\" void " + name + "(const fn::u64* w, i64 begin, i64 end) {\n" + variables() + rows() +
               loop() + "}\n";
    }

private:
    const access_dim& inner(const memory& m) const { return m.dim(inner_); }
    bool is_contiguous(const memory& m) const { return m.is_contiguous(inner_); }
    // The same value for a whole row.
    bool is_splat(const memory& m) const { return m.is_load() && !m.moves(inner_); }
    bool is_splat(const coordinate& c) const { return c.dim != inner_; }
    std::string extent() const { return "n" + std::to_string(inner_); }

    // Beside the parameters, what set_row gives its values and what a group is copied to.
    std::string variables() const {
        std::string out = parameters(inner_) + far_stores(inner_);
        for (std::size_t d = 0; d < inner_; ++d) out += "    i64 i" + std::to_string(d) + " = 0;\n";
        for (const memory& m : memories_) {
            out += with("    $T* r$k = x$k;\n", {{"T", m.type()}, {"k", m.id}});
            if (is_splat(m)) out += with("    auto z$k = $v;\n", {{"k", m.id}, {"v", splat_of(m.at.type, "0")}});
        }
        each_coordinate([&](std::size_t k, const instruction& i) {
            if (is_splat(spec_.coords[i.a]))
                out += with("    auto g$k = fn::splat<L>(($T)0);\n", {{"k", text(k)}, {"T", c_type(i.type)}});
        });
        return out;
    }

    template <class F>
    void each_coordinate(F f) const {
        for (std::size_t k = 0; k < spec_.body.size(); ++k)
            if (spec_.body[k].code == op::coord) f(k, spec_.body[k]);
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
                for (std::size_t d = 0; d < inner_; ++d) out += m.term(d, "i" + text(d));
                out += ";\n";
            }
            if (is_splat(m)) out += "        z" + m.id + " = " + splat_of(m.at.type, "*r" + m.id) + ";\n";
        }
        each_coordinate([&](std::size_t k, const instruction& i) {
            const coordinate& c = spec_.coords[i.a];
            if (is_splat(c))
                out += "        g" + text(k) + " = " + splat_of(i.type, coordinate_value(i.a, "i" + text(c.dim))) + ";\n";
        });
        return out + "    };\n";
    }
    // How the body reads what it does not compute, at element i + j of the row: in place behind the cursors if the group is
    // direct, else `count` lanes from wherever they are.
    std::string leaf(const instruction& i) const {
        const std::string k = std::to_string(i.a);
        if (i.code == op::scalar) return "a" + k;
        if (i.code == op::coord)
            return is_splat(spec_.coords[i.a]) ? "g" + text(static_cast<std::size_t>(&i - spec_.body.data()))
                                               : coordinate_lanes(i.a, i.type, "i + j");
        const memory& m = memories_[i.a];
        if (is_splat(m)) return "z" + k;
        const bool is_bool = m.at.type == dtype::bool_;
        const std::initializer_list<replacement> values = {{"m", is_bool ? "_mask" : ""},
                                                           {"v", is_bool ? "<M, L>" : "<L>"},
                                                           {"k", k},
                                                           {"e", stride(m)},
                                                           {"c", inner(m).clamped ? "c" + k + ", " : ""}};
        if (is_contiguous(m)) return with("fn::load$m_part$v(q$k + j, count)", values);
        return with("direct ? fn::gather$m$v(q$k + j * p$k, p$k) : fn::collect$m$v(r$k, $e, $ci + j, count)", values);
    }
    std::string stride(const memory& m) const { return m.moves(inner_) ? "e" + m.id : "0"; }

    // Where a stretch of the row that begins at element i is read and written in place.
    std::string cursors(const std::string& indent) const {
        std::string out;
        for (const memory& m : memories_) {
            if (is_splat(m)) continue;
            const bool clamped = inner(m).clamped;
            const std::string first = clamped            ? " + c" + m.id + "(i) * e" + m.id
                                      : is_contiguous(m) ? " + i"
                                      : m.moves(inner_)  ? " + i * e" + m.id
                                                         : "";
            out += indent + with("$T* const q$k = fn::opaque(r$k$f);\n", {{"T", m.type()}, {"k", m.id}, {"f", first}});
            if (!is_contiguous(m))
                out += indent + with("const i64 p$k = $c$e;\n",
                                     {{"k", m.id}, {"c", clamped ? "c" + m.id + ".step * " : ""}, {"e", stride(m)}});
            if (may_be_far(m, inner_))
                out += indent + with("const bool past$k = far$k && fn::is_aligned<L>(q$k);\n", {{"k", m.id}});
        }
        return out;
    }

    // group(j, direct, count): the body for `count` elements from i + j on; if direct they are L and read in place.
    std::string group(const std::string& indent) const {
        const std::string deep = indent + "    ";
        std::string out =
            indent + "auto group = [&](i64 j, const bool direct, const i64 count) __attribute__((always_inline)) {\n";
        out += ssa_lines(dialect_, spec_.body, 't', deep, [&](const instruction& i) { return leaf(i); });
        for (std::size_t s = 0; s < spec_.stores.size(); ++s) {
            const memory& m = memories_[spec_.loads.size() + s];
            const std::initializer_list<replacement> values = {
                {"k", m.id}, {"e", stride(m)}, {"t", text(spec_.stores[s].value)}};
            if (may_be_far(m, inner_))
                out += deep + with("if (direct)\n", values) + deep +
                       with("    fn::stream(q$k + j, t$t, past$k);\n", values) + deep + "else\n    ";
            out += deep + (is_contiguous(m)
                               ? with("fn::store_part<L>(q$k + j, t$t, count);\n", values)
                               : with("if (direct)\n", values) + deep +
                                     with("    fn::scatter(q$k + j * p$k, p$k, t$t);\n", values) + deep + "else\n" + deep +
                                     with("    fn::spread<L>(r$k, $e, i + j, count, t$t);\n", values));
        }
        return out + indent + "};\n";
    }

    // Small bodies gain from several groups in flight, and are compiled once more for a part of a group; large ones would
    // only cost compile time.
    std::string groups(const std::string& indent) const {
        const std::size_t size = spec_.body.size();
        const std::string fetch =
            fetches_ahead() ? with("if (latest) __builtin_prefetch(latest + (i + j) * $w);\n", {{"w", text(bytes())}}) : "";
        const auto loop = [&](const std::string& in, const std::string& arguments) {
            return in + "for (i64 j = 0; j < count; j += L) {\n" + (fetch.empty() ? "" : in + "    " + fetch) + in +
                   "    group(j, " + arguments + ");\n" + in + "}\n";
        };
        if (size > 32) return loop(indent, "direct, direct ? L : count");
        // 16-bit operands come twice as fast: what hides the latency of arithmetic must be more.
        const bool four = size <= 16 || has_short_floats(spec_);
        return indent + "if (direct) {\n#pragma GCC unroll " + (four ? "4\n" : "2\n") + loop(indent + "    ", "true, L") +
               indent + "} else {\n" + indent + "    group(0, false, count);\n" + indent + "}\n";
    }

    // Loads as long as a cache line touch two of them where they are not aligned, which takes twice as many misses. A long
    // row begins with a part of a group, after which as many of its loads as possible are aligned. And of a stencil's rows
    // the last one alone comes from memory, too rarely for the processor to see an order in it: it is fetched ahead.
    std::vector<const memory*> long_loads() const {
        std::vector<const memory*> list;
        for (const memory& m : memories_)
            if (target_.vector_bytes == cache_line && m.is_load() && is_contiguous(m) && size_of(m.at.type) == bytes())
                list.push_back(&m);
        return list;
    }
    std::size_t bytes() const { return static_cast<std::size_t>(widest_); }
    bool fetches_ahead() const { return inner_ > 0 && long_loads().size() > 1; }
    std::string alignment(const std::string& indent) const {
        std::string list;
        for (const memory* m : long_loads()) list += (list.empty() ? "(const char*)r" : ", (const char*)r") + m->id;
        std::string out = indent + "i64 head = 0;\n";
        if (list.empty()) return out;
        if (fetches_ahead()) out += indent + "const char* latest = nullptr;\n";
        out += indent + with("if (last - i >= $n * L) {\n", {{"n", text(groups_worth_aligning)}});
        const std::string in = indent + "    ";
        out += in + "const char* const starts[] = {" + list + "};\n" + in + "if (order.lead < 0) order.choose(starts);\n" +
               in + with("head = fn::head(starts[order.lead] + i * $w) / $w;\n", {{"w", text(bytes())}});
        if (fetches_ahead()) out += in + "latest = starts[order.last] + " + text(fetched_ahead) + ";\n";
        return out + indent + "}\n";
    }

    // [in0, in1): the columns of [i, last) where no access is clamped; the next group is direct if it lies in there.
    std::string bounds(const std::string& indent) const {
        std::string out = indent + "i64 in0 = i, in1 = last;\n";
        for (const memory& m : memories_)
            if (inner(m).clamped) out += indent + "c" + m.id + ".narrow(in0, in1);\n";
        return out + indent + "const bool direct = head == 0 && i >= in0 && i + L <= in1;\n" + indent +
               "const i64 count = direct ? (in1 - i) / L * L : fn::min(head > 0 ? head : L, last - i);\n";
    }

    std::string loop() const {
        const std::string in = "            ";
        std::string out;
        if (!long_loads().empty()) out += "    fn::load_order order;\n";
        if (inner_ > 0)
            out += with(
                "    i64 row = begin / $n, i = begin - row * $n;\n"
                "    for (i64 at = begin; at < end; ++row, i = 0) {\n"
                "        const i64 last = fn::min($n, i + end - at);\n",
                {{"n", extent()}});
        else
            out += "    const i64 row = 0, last = end;\n    for (i64 at = begin, i = begin; at < end;) {\n";
        if (has_rows()) out += "        set_row(row);\n";
        out += "        at += last - i;\n" + alignment("        ");
        out += "        while (i < last) {\n" + bounds(in) + cursors(in) + group(in) + groups(in);
        return out + in + "i += count;\n" + in + "head = 0;\n        }\n    }\n" + finish_far_stores(inner_);
    }

    const std::size_t inner_;
};

class host_dialect final : public dialect {
public:
    std::string_view name() const override { return "host_c"; }
    std::string type(dtype t) const override { return t == dtype::bool_ ? "auto" : "V<" + c_type(t) + ">"; }
    std::string function(std::string_view f, dtype operand) const override {
        if (is_short(operand) && f == "nextafter") return "fn::next_short";
        return "fn::" + std::string(f);
    }
    std::string constant(std::string_view x, dtype t) const override {
        return "fn::constant<V<" + c_type(t) + ">>(" + std::string(x) + ")";
    }
    std::string cast(std::string_view value, dtype from, dtype to) const override {
        if (from == to && (is_short(to) || is_complex(to))) return std::string(value);  // a copy
        const std::string number = is_short(from) ? "fn::widen(" + std::string(value) + ")" : std::string(value);
        if (is_short(from) && to == dtype::f32) return number;
        return (is_short(to) ? "fn::narrow<" : "fn::to<") + c_type(to) + ">(" + number + ")";
    }

    // A function of the vector math table for the text's own lanes.
    static std::string declaration(op function, dtype type, const std::string& variable) {
        const bool two = info(function).arity == 2;
        return with(
            "typedef fn::lanes<$T, FRIT_VECTOR_BYTES / sizeof($T)>::type $v_full;\n"
            "extern \"C\" { __attribute__((visibility(\"default\"))) $v_full (*$v)($A) = nullptr; }\n"
            "namespace fn {\ntemplate <int N>\nFRIT_INLINE vec<$T, N> $f($P) { return call_$c($v, $a); }\n}\n",
            {{"T", c_type(type)},
             {"v", variable},
             {"A", two ? variable + "_full, " + variable + "_full" : variable + "_full"},
             {"f", std::string(info(function).name)},
             {"c", function == op::pow ? "pow" : "math"},
             {"P", with(two ? "vec<$T, N> a, vec<$T, N> b" : "vec<$T, N> a", {{"T", c_type(type)}})},
             {"a", two ? "a, b" : "a"}});
    }

    std::string prelude(const kernel_spec& spec, const target& t, std::string_view) const override {
        std::string out = "#define FRIT_VECTOR_BYTES " + std::to_string(t.vector_bytes) + "\n" + prelude_text;
        if (has_short_floats(spec)) out += half_prelude_text;
        if (has_complex_numbers(spec)) out += complex_prelude_text;
        std::set<std::string> done;
        for (const auto* code : {&spec.body, &spec.row})
            for (const instruction& i : *code) {
                for (const op function : host_math_functions(i.code, i.type)) {
                    const std::string variable = host_math_variable(function, i.type);
                    if (done.insert(variable).second) out += declaration(function, i.type, variable);
                }
            }
        return out + "typedef fn::i64 i64;\n";
    }

    std::string kernel(const kernel_spec& spec, const word_map& map, const target& t,
                       const std::string& name) const override {
        switch (spec.schedule) {
            case schedule_kind::pointwise:
                return "namespace body {\n" + pointwise_kernel(*this, spec, map, t).text_of(name) + "}\n";
            case schedule_kind::reduce_all:
            case schedule_kind::reduce_inner: return "namespace body {\n" + inner_rows(*this, spec, map, t, name) + "}\n";
            case schedule_kind::reduce_outer:
            case schedule_kind::reduce_tile: return "namespace body {\n" + outer_rows(*this, spec, map, t, name) + "}\n";
        }
        throw error("host_c: an unknown schedule");
    }
};

}  // namespace

std::vector<op> host_math_functions(op code, dtype operand) {
    std::vector<op> functions;
    if (!is_elementwise(code) || !is_float(operand) || is_short(operand)) return functions;
    const std::string_view spelling = info(code).spelling;
    for (std::size_t at = spelling.find("FN("); at != std::string_view::npos; at = spelling.find("FN(", at)) {
        at += 3;
        const std::string_view name = spelling.substr(at, spelling.find(')', at) - at);
        for (int k = 0; k < detail::count_ops; ++k)
            if (const op_info& row = info(static_cast<op>(k));
                row.name == name && row.types != op_types::INT && !defined_in_prelude[k])
                functions.push_back(static_cast<op>(k));
    }
    return functions;
}

std::string host_math_variable(op function, dtype operand) {
    return "frit_math_" + std::string(info(function).name) + (operand == dtype::f64 ? "_f64" : "_f32");
}

const dialect& host_c() {
    static const host_dialect instance;
    return instance;
}

}  // namespace frit::v0::fusion
