// The dialect for $CXX: C++ with explicit vector lanes over the prelude; and what prints loops so: a table of what each code
// is called in the prelude, and the frames of statements around it.
#include "fusion/codegen/host_c.hpp"

#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

#include "fusion/codegen/c_loops.hpp"
#include "fusion/schedules/host/host.hpp"

namespace frit::inline v0::fusion {
namespace {

#define FRIT_VECTOR_BYTES 16
// Each stands on those before it.
// clang-format off
#include "fusion/codegen/host_prelude_types.hpp"
#include "fusion/codegen/host_prelude_vectors.hpp"
#include "fusion/codegen/host_prelude.hpp"
#include "fusion/codegen/host_prelude_division.hpp"
#include "fusion/codegen/host_prelude_math.hpp"
#include "fusion/codegen/host_prelude_part.hpp"
#include "fusion/codegen/host_prelude_kernel.hpp"
#include "fusion/codegen/host_prelude_complex.hpp"
// clang-format on
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

using loops::act;
using loops::code;
using loops::expression;
using loops::kind;
using loops::routine;
using loops::statement;

// The dtype's name in the prelude.
std::string host_type(dtype t) {
    switch (t) {
#define FRIT_X(name, type) \
    case dtype::name: return t == dtype::bool_ ? "bool" : "fn::" #name;
        FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
        default: throw std::logic_error("host_c: a dtype that no array has");
    }
}

/// $T is the dtype, $m and $v what masks are read by instead of numbers.
constexpr std::string_view pattern(code what) {
    switch (what) {
        case code::popcount: return "(i64)__builtin_popcountll((fn::u64)$a)";
        case code::least: return "fn::min($a, $b)";
        case code::most: return "fn::max($a, $b)";
        case code::some: return "fn::any($a)";
        case code::interrupted: return "(__atomic_load_n((const fn::u64*)($a)[0], __ATOMIC_RELAXED) >> 32 != ($a)[1])";
        case code::bytes: return "(i64)$a";
        case code::pinned: return "fn::opaque($a)";
        case code::load: return "fn::load$m$v($a)";
        case code::load_part: return "fn::load$m_part$v($a, $b)";
        case code::gather: return "fn::gather$m$v($a, $b)";
        case code::rotated: return "fn::moved<$n>($a)";
        case code::everywhere: return "fn::everywhere($a)";
        default: return "";
    }
}
constexpr std::string_view pattern(act what) {
    switch (what) {
        case act::store: return "fn::store($a, $b);";
        case act::store_part: return "fn::store_part<L>($a, $b, $c);";
        case act::store_first: return "fn::store_first($a, $b);";
        case act::scatter: return "fn::scatter($a, $b, $c);";
        case act::spread: return "fn::spread<L>($a, $b, $c, $d, $e);";
        case act::stream: return "fn::stream($a, $b, $c);";
        case act::finish_streams: return "fn::finish_stream($a);";
        default: return "";
    }
}
constexpr std::string_view pattern(routine r) {
    switch (r) {
        case routine::stretch: return "fn::stretch(w + $a, $b, $c);";
        case routine::narrow: return "fn::narrow(w + $a, $b);";
        case routine::order_loads: return "fn::order_loads($a, $b, $c);";
        case routine::fill: return "fn::fill($a, $b, $c, $d, $e, $f);";
        case routine::fill_clamped: return "fn::fill($a, $b, $c, $d, fn::clamp(w + $g), $e, $f);";
        case routine::spill: return "fn::spill($a, $b, $c, $d, $e);";
        case routine::fill_rows: return "fn::fill_rows($a, $b, $c, $d, $e, $f, $g);";
        case routine::spill_rows: return "fn::spill_rows($a, $b, $c, $d, $e, $f, $g);";
        case routine::store_words: return "fn::store_words($a, $b, $c);";
    }
    return "";
}

class printer : c_printer {
public:
    using c_printer::c_printer;

    std::string text() {
        for (std::uint32_t v = 0; v < f_.parameters; ++v) name(v);
        out_ = "extern \"C\" void " + f_.name + "(";
        for (std::uint32_t k = 0; k < f_.parameters; ++k)
            out_ += (k > 0 ? ", " : "") + type(f_.variables[k].is) + " " + name_of(k);
        out_ += ") {\n";
        block(f_.body, 1);
        return std::move(out_) + "}\n";
    }

private:
    std::string_view pattern_of(code what) const override { return pattern(what); }
    std::string_view pattern_of(act what) const override { return pattern(what); }
    std::string type(const loops::type& t) const override {
        switch (t.what) {
            case kind::index:
                if (t.of != dtype::i64) throw std::logic_error("host_c: an index of a GPU");
                return "i64";
            case kind::truth: return "bool";
            case kind::address: return (t.constant ? "const " : "") + host_type(t.of) + "*";
            case kind::number: return host_type(t.of);
            default: break;
        }
        return t.of == dtype::bool_ ? "fn::mask<M, L>" : "V<" + host_type(t.of) + ">";
    }
    static bool is_mask(const loops::type& t) { return t.what == kind::lanes && t.of == dtype::bool_; }
    std::string filled(char letter, const loops::type& t) override {
        switch (letter) {
            case 'T': return host_type(t.of);
            case 'm': return t.of == dtype::bool_ ? "_mask" : "";
            default: return t.of == dtype::bool_ ? "<M, L>" : "<L>";
        }
    }
    using c_printer::filled;
    std::string declared(const loops::variable& v) const override {
        return (v.is.what == kind::number ? "alignas(64) " : "") + type(v.is) + " $[" + std::to_string(v.count) + "]";
    }
    // A mask is as wide as what was compared; kept ones are as wide as the widest number.
    std::string assigned(const loops::type& to, loops::expression_id from) override {
        return is_mask(to) ? "fn::widen_mask<M>(" + value(from) + ")" : value(from);
    }
    std::string constant_type(const loops::type& t) const override { return is_mask(t) ? "auto" : type(t); }
    std::string unroll(std::uint32_t n) const override { return n > 1 ? "#pragma GCC unroll " + std::to_string(n) : ""; }

    std::string special(const expression& e) override {
        switch (e.what) {
            case code::constant: return constant(e);
            case code::word: return word(e);
            case code::place: return place(e);
            case code::splat: return splat(e.is.of, value(e.in[0]));
            case code::along:
                return filled(e.in.size() == 2 ? "fn::along<$T, L>($a, $b)" : "fn::along<$T, L>($a, $b, $c, $d)", e.in, e.n,
                              e.is);
            case code::collect:
                return filled(
                    e.n == 0 ? "fn::collect$m$v($a, $b, $c, $d)" : "fn::collect$m$v($a, $b, fn::clamp(w + $n), $c, $d)",
                    e.in, e.n, e.is);
            case code::look_up:
                return std::string("fn::gather_at") + (e.is.of == dtype::bool_ ? "_mask<M>" : "") + "(" + value(e.in[0]) +
                       ", " + value(e.in[1]) + ", " + (e.in.size() > 2 ? value(e.in[2]) : "L") + ")";
            case code::search:
                return std::string("fn::search<") + (e.n ? "true" : "false") + ">(" + value(e.in[0]) + ", " +
                       value(e.in[1]) + ", " + value(e.in[2]) + ")";
            case code::checked:
                return "fn::checked(" + value(e.in[0]) + ", " + value(e.in[1]) + ", " + value(e.in[2]) + ", " +
                       (e.in.size() > 3 ? value(e.in[3]) : "L") + ")";
            case code::kept:
                return "fn::keep(" + assigned(e.is, e.in[0]) + ", " + assigned(e.is, e.in[1]) + ", " + value(e.in[2]) + ")";
            case code::cast:
                if (e.is.what == kind::number) return "(" + host_type(e.is.of) + ")" + value(e.in[0]);
                return dialect_.cast(value(e.in[0]), e.from, e.is.of);
            case code::bit_cast: return dialect_.bit_cast(value(e.in[0]), e.is.of);
            default: throw std::logic_error("host_c: no such expression");
        }
    }
    static std::string splat(dtype t, const std::string& number) {
        if (t == dtype::bool_) return "fn::splat_mask<M, L>(" + number + ")";
        return "fn::splat<L>((" + host_type(t) + ")" + number + ")";
    }
    static std::string constant(const expression& e) {
        if (e.is.what == kind::truth) return e.n ? "true" : "false";
        if (e.is.what == kind::number) return "(" + host_type(e.is.of) + ")" + std::to_string(e.n);
        if (e.is.what == kind::index) return e.n < 0 ? "(" + std::to_string(e.n) + ")" : std::to_string(e.n);
        const std::string bits = std::to_string(static_cast<std::uint64_t>(e.n));
        if (e.is.of == dtype::bool_) return splat(e.is.of, e.n & 1 ? "1" : "0");
        return splat(e.is.of, "fn::word<" + host_type(e.is.of) + ">(" + bits + "ull)");
    }
    std::string word(const expression& e) const {
        const std::string w = "w[" + std::to_string(e.n) + "]";
        if (e.is.what == kind::number) return "fn::word<" + host_type(e.is.of) + ">(" + w + ")";
        return "(" + type(e.is) + ")" + w;
    }
    std::string place(const expression& e) {
        const std::string at = name_of(e.n) + " + " + value(e.in[0]);
        const bool of_lanes = f_.variables[static_cast<std::size_t>(e.n)].is.what == kind::lanes;
        return of_lanes ? "(" + type(e.is) + ")(" + at + ")" : "(" + at + ")";
    }

    void special(const statement& s, int depth) override {
        if (s.what == act::run) return line(depth, filled(pattern(s.runs), s.in, s.n, loops::index_type()));
        if (s.what != act::prefetch) throw std::logic_error("host_c: no such statement");
        const bool at_byte = f_.expressions[s.in[0]].is.what == kind::index;
        line(depth, filled(at_byte ? "fn::prefetch<1>((const fn::u8*)$a);" : "fn::prefetch<$n>($a);", s.in, s.n,
                           loops::index_type()));
    }
};

// The functions of a kernel; all but the last are static.
std::string host_text(const loops::kernel& k, const dialect& d) {
    std::string out = "constexpr int L = " + std::to_string(k.lanes) + ";\ntypedef fn::integer_of<" +
                      std::to_string(k.widest) + ">::type M;\ntemplate <class T>\nusing V = fn::vec<T, L>;\n";
    return out + printer(k, d).text();
}

class host_dialect final : public dialect {
public:
    std::string function(std::string_view f, dtype operand) const override {
        if (is_short(operand) && f == "nextafter") return "fn::next_short";
        return "fn::" + std::string(f);
    }
    std::string constant(std::string_view x, dtype t) const override {
        return "fn::constant<V<" + host_type(t) + ">>(" + std::string(x) + ")";
    }
    std::string cast(std::string_view value, dtype from, dtype to) const override {
        if (from == to && (is_short(to) || is_complex(to))) return std::string(value);  // a copy
        const std::string number = is_short(from) ? "fn::widen(" + std::string(value) + ")" : std::string(value);
        if (is_short(from) && to == dtype::f32) return number;
        return (is_short(to) ? "fn::narrow<" : "fn::to<") + host_type(to) + ">(" + number + ")";
    }

    std::string bit_cast(std::string_view value, dtype to) const override {
        return "fn::bits<" + host_type(to) + ">(" + std::string(value) + ")";
    }

    // A function of the vector math table for the text's own lanes.
    static std::string declaration(op function, dtype type, const std::string& variable) {
        const bool two = info(function).arity == 2;
        const std::string t = host_type(type), full = variable + "_full", lanes = "vec<" + t + ", N> ";
        return "typedef fn::lanes<" + t + ", FRIT_VECTOR_BYTES / sizeof(" + t + ")>::type " + full +
               ";\nextern \"C\" { __attribute__((visibility(\"default\"))) " + full + " (*" + variable + ")(" + full +
               (two ? ", " + full : "") + ") = nullptr; }\nnamespace fn {\ntemplate <int N>\nFRIT_INLINE " + lanes +
               std::string(info(function).name) + "(" + lanes + "a" + (two ? ", " + lanes + "b" : "") + ") { return call_" +
               (function == op::pow ? "pow" : "math") + "(" + variable + (two ? ", a, b" : ", a") + "); }\n}\n";
    }

    std::string prelude(const kernel_spec& spec, const target& t, std::string_view) const override {
        std::string out = "#define FRIT_VECTOR_BYTES " + std::to_string(t.vector_bytes) + "\n" + prelude_text;
        if (has_short_floats(spec)) out += half_prelude_text;
        if (has_complex_numbers(spec)) out += complex_prelude_text;
        std::set<std::string> done;
        each_instruction(spec, [&](const instruction& i) {
            for (const op function : host_math_functions(i.code, i.type)) {
                const std::string variable = host_math_variable(function, i.type);
                if (done.insert(variable).second) out += declaration(function, i.type, variable);
            }
        });
        return out + "typedef fn::i64 i64;\n";
    }

    std::string kernel(const kernel_spec& spec, const target& t, const std::string& name) const override {
        return "namespace body {\n" + host_text(host_loops(spec, t, name), *this) + "}\n";
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
