// The dialect for $CXX: C++ with explicit vector lanes over the prelude; and its pointwise kernels (rows: host_inner.cpp,
// host_outer.cpp). A pointwise kernel evaluates any range of the domain, line by line, in groups of lanes. A group that lies
// whole in the line, away from clamped edges, is read and written in place; any other is copied to a small scratch array
// first, so that the body is written (and compiled) once and nothing outside the arrays is touched.
#include "fusion/codegen/host_c.hpp"

#include <set>
#include <string>

#include "frit/error.hpp"
#include "fusion/codegen/host_rows.hpp"
#include "fusion/codegen/host_text.hpp"

namespace frit::inline v0::fusion {
namespace {

using namespace host;

#define FRIT_VECTOR_BYTES 16
#include "fusion/codegen/host_prelude.hpp"
#undef FRIT_VECTOR_BYTES

constexpr const char* prelude_text =
#include "frit_host_prelude.inc"
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
        std::string out = parameters(inner_);
        for (std::size_t d = 0; d < inner_; ++d) out += "    i64 i" + std::to_string(d) + " = 0;\n";
        for (const memory& m : memories_) {
            out += with("    $T* r$k = x$k;\n", {{"T", m.type()}, {"k", m.id}});
            if (is_splat(m))
                out += with("    auto z$k = $v;\n", {{"k", m.id}, {"v", splat_of(m.at.type, "0")}});
            else
                out += with("    alignas(64) $T b$k[L];\n", {{"T", c_type(m.at.type)}, {"k", m.id}});
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
    // How the body reads what it does not compute; j is the place behind the group's cursor.
    std::string leaf(const instruction& i, const std::string& j) const {
        const std::string k = std::to_string(i.a);
        if (i.code == op::scalar) return "a" + k;
        if (i.code == op::coord)
            return is_splat(spec_.coords[i.a]) ? "g" + text(static_cast<std::size_t>(&i - spec_.body.data()))
                                               : coordinate_lanes(i.a, i.type, "i + " + j);
        const memory& m = memories_[i.a];
        const std::string kind = m.at.type == dtype::bool_ ? "_mask<M, L>" : "<L>";
        const std::initializer_list<replacement> values = {{"v", kind}, {"k", k}, {"j", j}};
        if (is_splat(m)) return "z" + k;
        if (is_contiguous(m)) return with("fn::load$v(q$k + $j)", values);
        return with("fn::gather$v(q$k + ($j) * p$k, p$k)", values);
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
            const std::string first = clamped            ? "c" + m.id + "(i) * e" + m.id
                                      : is_contiguous(m) ? "i"
                                      : m.moves(inner_)  ? "i * e" + m.id
                                                         : "0";
            out += indent + with("$T* const q$k = direct ? r$k + $f : b$k;\n", {{"T", m.type()}, {"k", m.id}, {"f", first}});
            if (!is_contiguous(m))
                out += indent + with(clamped           ? "const i64 p$k = direct ? c$k.step * e$k : 1;\n"
                                     : m.moves(inner_) ? "const i64 p$k = direct ? e$k : 1;\n"
                                                       : "const i64 p$k = direct ? 0 : 1;\n",
                                     {{"k", m.id}});
        }
        return out;
    }

    // Elements [i, i + count) of the row to and from the scratch arrays.
    std::string stride(const memory& m) const { return m.moves(inner_) ? "e" + m.id : "0"; }
    std::string fills(const std::string& indent) const {
        std::string out;
        for (const memory& m : memories_)
            if (m.is_load() && !is_splat(m))
                out += indent + with("fn::fill(b$k, L, r$k, $e, $ci, count);\n",
                                     {{"k", m.id}, {"e", stride(m)}, {"c", inner(m).clamped ? "c" + m.id + ", " : ""}});
        return out;
    }
    std::string spills(const std::string& indent) const {
        std::string out;
        for (const memory& m : memories_)
            if (!m.is_load()) out += indent + with("fn::spill(r$k, $e, i, count, b$k);\n", {{"k", m.id}, {"e", stride(m)}});
        return out;
    }

    // [in0, in1): the columns of [i, last) where no access is clamped; the next group is direct if it lies in there.
    std::string group_bounds(const std::string& indent) const {
        std::string out = indent + "i64 in0 = i, in1 = last;\n";
        for (const memory& m : memories_)
            if (inner(m).clamped) out += indent + "c" + m.id + ".narrow(in0, in1);\n";
        return out + indent + "const bool direct = i >= in0 && i + L <= in1;\n" + indent +
               "const i64 count = direct ? (in1 - i) / L * L : fn::min(L, last - i);\n";
    }

    std::string loop() const {
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
        out += "        at += last - i;\n        while (i < last) {\n" + group_bounds("            ");
        out += "            if (!direct) {\n" + fills("                ") + "            }\n";
        out += cursors("            ");
        // Small bodies gain from several groups in flight; large ones would only cost compile time.
        const std::size_t size = spec_.body.size();
        if (size <= 32) out += size <= 16 ? "#pragma GCC unroll 4\n" : "#pragma GCC unroll 2\n";
        out +=
            "            for (i64 j = 0; j < count; j += L) {\n" + body_lines("                ", "j") + "            }\n";
        out += "            if (!direct) {\n" + spills("                ") + "            }\n";
        return out + "            i += count;\n        }\n    }\n";
    }

    const std::size_t inner_;
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

const dialect& host_c() {
    static const host_dialect instance;
    return instance;
}

}  // namespace frit::v0::fusion
