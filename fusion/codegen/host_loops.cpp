// Prints the loop IR as C++: a table of what each code is called in the prelude, and the frames of statements around it.
#include "fusion/codegen/host_loops.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace frit::inline v0::fusion {
namespace {

using loops::act;
using loops::code;
using loops::expression;
using loops::kind;
using loops::routine;
using loops::statement;

/// $a, $b, ... are operands, $n the number, $T the dtype, $m and $v what masks are read by instead of numbers.
constexpr std::string_view pattern_of(code what) {
    switch (what) {
        case code::add: return "($a + $b)";
        case code::sub: return "($a - $b)";
        case code::mul: return "($a * $b)";
        case code::div: return "($a / $b)";
        case code::rem: return "($a % $b)";
        case code::popcount: return "(i64)__builtin_popcountll((fn::u64)$a)";
        case code::least: return "fn::min($a, $b)";
        case code::most: return "fn::max($a, $b)";
        case code::lt: return "($a < $b)";
        case code::le: return "($a <= $b)";
        case code::eq: return "($a == $b)";
        case code::ne: return "($a != $b)";
        case code::both: return "($a && $b)";
        case code::either: return "($a || $b)";
        case code::negated: return "!$a";
        case code::choice: return "($a ? $b : $c)";
        case code::forward: return "($a + $b)";
        case code::bytes: return "(i64)$a";
        case code::pinned: return "fn::opaque($a)";
        case code::read: return "*$a";
        case code::load: return "fn::load$m$v($a)";
        case code::load_part: return "fn::load$m_part$v($a, $b)";
        case code::gather: return "fn::gather$m$v($a, $b)";
        case code::rotated: return "fn::moved<$n>($a)";
        case code::everywhere: return "fn::everywhere($a)";
        default: return "";
    }
}
constexpr std::string_view pattern_of(act what) {
    switch (what) {
        case act::store: return "fn::store($a, $b);";
        case act::store_part: return "fn::store_part<L>($a, $b, $c);";
        case act::store_first: return "fn::store_first($a, $b);";
        case act::scatter: return "fn::scatter($a, $b, $c);";
        case act::spread: return "fn::spread<L>($a, $b, $c, $d, $e);";
        case act::stream: return "fn::stream($a, $b, $c);";
        case act::finish_streams: return "fn::finish_stream($a);";
        case act::leave: return "return;";
        default: return "";
    }
}
constexpr std::string_view pattern_of(routine r) {
    switch (r) {
        case routine::narrow: return "fn::narrow(w + $a, $b);";
        case routine::order_loads: return "fn::order_loads($a, $b, $c);";
        case routine::fill: return "fn::fill($a, $b, $c, $d, $e, $f);";
        case routine::fill_clamped: return "fn::fill($a, $b, $c, $d, fn::clamp(w + $g), $e, $f);";
        case routine::spill: return "fn::spill($a, $b, $c, $d, $e);";
        case routine::store_words: return "fn::store_words($a, $b, $c);";
        case routine::call: return "";
    }
    return "";
}

class printer {
public:
    printer(const loops::function& f, const loops::kernel& k, const dialect& d)
        : f_(f), kernel_(k), dialect_(d), names_(f.variables.size()) {
        for (std::uint32_t v = 0; v < f.parameters; ++v) name(v);
    }
    std::string text(bool entry) {
        out_ = entry ? "extern \"C\" void " : "static __attribute__((noinline)) void ";
        out_ += f_.name + "(";
        for (std::uint32_t k = 0; k < f_.parameters; ++k)
            out_ += (k > 0 ? ", " : "") + type(f_.variables[k].is) + " " + names_[k];
        out_ += ") {\n";
        block(f_.body, 1);
        return std::move(out_) + "}\n";
    }

private:
    static std::string type(const loops::type& t) {
        switch (t.what) {
            case kind::index: return "i64";
            case kind::truth: return "bool";
            case kind::address: return (t.constant ? "const " : "") + host_type(t.of) + "*";
            case kind::number: return host_type(t.of);
            case kind::lanes: break;
        }
        return t.of == dtype::bool_ ? "fn::mask<M, L>" : "V<" + host_type(t.of) + ">";
    }

    // --- names: a variable has its own unless one around it has the same ---

    void name(std::uint32_t v) {
        std::string wanted = f_.variables[v].name;
        for (int again = 2; std::find(visible_.begin(), visible_.end(), wanted) != visible_.end(); ++again)
            wanted = f_.variables[v].name + "_" + std::to_string(again);
        visible_.push_back(wanted);
        names_[v] = std::move(wanted);
    }

    // --- expressions ---

    std::string filled(std::string_view pattern, const std::vector<loops::expression_id>& in, std::int64_t n, dtype t) {
        std::string text;
        for (std::size_t at = 0; at < pattern.size(); ++at) {
            if (pattern[at] != '$') {
                text += pattern[at];
                continue;
            }
            const char which = pattern[++at];
            switch (which) {
                case 'n': text += std::to_string(n); break;
                case 'T': text += host_type(t); break;
                case 'm': text += t == dtype::bool_ ? "_mask" : ""; break;
                case 'v': text += t == dtype::bool_ ? "<M, L>" : "<L>"; break;
                default: text += value(in[static_cast<std::size_t>(which - 'a')]);
            }
        }
        return text;
    }
    std::string value(loops::expression_id id) {
        const expression& e = f_.expressions[id];
        if (const std::string_view pattern = pattern_of(e.what); !pattern.empty())
            return filled(pattern, e.in, e.n, e.is.of);
        switch (e.what) {
            case code::constant: return constant(e);
            case code::word: return word(e);
            case code::variable: return names_[static_cast<std::size_t>(e.n)];
            case code::element: return names_[static_cast<std::size_t>(e.n)] + "[" + value(e.in[0]) + "]";
            case code::place: return place(e);
            case code::splat: return splat(e.is.of, value(e.in[0]));
            case code::along:
                return filled(e.in.size() == 2 ? "fn::along<$T, L>($a, $b)" : "fn::along<$T, L>($a, $b, $c, $d)", e.in, e.n,
                              e.is.of);
            case code::collect:
                return filled(
                    e.n == 0 ? "fn::collect$m$v($a, $b, $c, $d)" : "fn::collect$m$v($a, $b, fn::clamp(w + $n), $c, $d)",
                    e.in, e.n, e.is.of);
            case code::kept:
                return "fn::keep(" + assigned(e.is, e.in[0]) + ", " + assigned(e.is, e.in[1]) + ", " + value(e.in[2]) + ")";
            case code::compute:
                return spell(dialect_, e.op, e.from, value(e.in[0]), e.in.size() > 1 ? value(e.in[1]) : "",
                             e.in.size() > 2 ? value(e.in[2]) : "");
            case code::cast:
                if (e.is.what == kind::number) return "(" + host_type(e.is.of) + ")" + value(e.in[0]);
                return dialect_.cast(value(e.in[0]), e.from, e.is.of);
            default: throw std::logic_error("host_loops: no such expression");
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
    static std::string word(const expression& e) {
        const std::string w = "w[" + std::to_string(e.n) + "]";
        if (e.is.what == kind::number) return "fn::word<" + host_type(e.is.of) + ">(" + w + ")";
        return "(" + type(e.is) + ")" + w;
    }
    std::string place(const expression& e) {
        const loops::variable& v = f_.variables[static_cast<std::size_t>(e.n)];
        const std::string at = names_[static_cast<std::size_t>(e.n)] + " + " + value(e.in[0]);
        return v.is.what == kind::lanes ? "(" + type(e.is) + ")(" + at + ")" : "(" + at + ")";
    }

    // --- statements ---

    void line(int depth, const std::string& text) {
        out_ += std::string(4 * static_cast<std::size_t>(depth), ' ') + text + "\n";
    }
    void block(const loops::block& all, int depth) {
        const std::size_t before = visible_.size();
        for (const statement& s : all) print(s, depth);
        visible_.resize(before);
    }
    void print(const statement& s, int depth) {
        switch (s.what) {
            case act::let:
            case act::declare: return line(depth, declaration(s));
            case act::set: return line(depth, names_[s.n] + " = " + assigned(f_.variables[s.n].is, s.in[0]) + ";");
            case act::put:
                return line(depth,
                            names_[s.n] + "[" + value(s.in[0]) + "] = " + assigned(f_.variables[s.n].is, s.in[1]) + ";");
            case act::loop: return loop(s, depth);
            case act::repeat:
                line(depth, "while (" + value(s.in[0]) + ") {");
                block(s.body, depth + 1);
                return line(depth, "}");
            case act::when: return when(s, depth);
            case act::run: return line(depth, run(s));
            case act::prefetch:
                return line(depth,
                            filled(f_.expressions[s.in[0]].is.what == kind::index ? "fn::prefetch<1>((const fn::u8*)$a);"
                                                                                  : "fn::prefetch<$n>($a);",
                                   s.in, s.n, dtype::i64));
            default: return line(depth, filled(pattern_of(s.what), s.in, s.n, dtype::i64));
        }
    }
    // A mask is as wide as what was compared; kept ones are as wide as the widest number.
    std::string assigned(const loops::type& to, loops::expression_id from) {
        const bool mask = to.what == kind::lanes && to.of == dtype::bool_;
        return mask ? "fn::widen_mask<M>(" + value(from) + ")" : value(from);
    }
    std::string declaration(const statement& s) {
        const loops::variable& v = f_.variables[s.n];
        const std::string first = s.in.empty() ? "" : assigned_first(s);
        name(s.n);
        if (v.count > 0) {
            const char* const aligned = v.is.what == kind::number ? "alignas(64) " : "";
            return aligned + type(v.is) + " " + names_[s.n] + "[" + std::to_string(v.count) + "];";
        }
        if (s.what == act::declare) return type(v.is) + " " + names_[s.n] + (first.empty() ? "" : " = " + first) + ";";
        const bool mask = v.is.what == kind::lanes && v.is.of == dtype::bool_;
        return (v.is.what == kind::address ? type(v.is) + " const " : "const " + (mask ? "auto" : type(v.is)) + " ") +
               names_[s.n] + " = " + first + ";";
    }
    // What a variable starts as does not know its name yet.
    std::string assigned_first(const statement& s) {
        return s.what == act::declare ? assigned(f_.variables[s.n].is, s.in[0]) : value(s.in[0]);
    }
    void loop(const statement& s, int depth) {
        const std::string from = value(s.in[0]);
        const std::size_t before = visible_.size();
        name(s.n);
        if (s.unroll > 1) out_ += "#pragma GCC unroll " + std::to_string(s.unroll) + "\n";
        const std::string& n = names_[s.n];
        line(depth, "for (i64 " + n + " = " + from + "; " + n + " < " + value(s.in[1]) + "; " + n + " += " + value(s.in[2]) +
                        ") {");
        block(s.body, depth + 1);
        line(depth, "}");
        visible_.resize(before);
    }
    void when(const statement& s, int depth) {
        const bool empty = s.body.empty();
        line(depth, std::string("if (") + (empty ? "!" : "") + value(s.in[0]) + ") {");
        block(empty ? s.otherwise : s.body, depth + 1);
        if (!empty && !s.otherwise.empty()) {
            line(depth, "} else {");
            block(s.otherwise, depth + 1);
        }
        line(depth, "}");
    }
    std::string run(const statement& s) {
        if (s.runs != routine::call) return filled(pattern_of(s.runs), s.in, s.n, dtype::i64);
        std::string text = kernel_.functions[s.n].name + "(";
        for (std::uint32_t k = 0; k < f_.parameters; ++k) text += (k > 0 ? ", " : "") + names_[k];
        return text + ");";
    }

    const loops::function& f_;
    const loops::kernel& kernel_;
    const dialect& dialect_;
    std::vector<std::string> names_;    // by variable, once declared
    std::vector<std::string> visible_;  // those that may be read here
    std::string out_;
};

}  // namespace

std::string host_type(dtype t) {
    switch (t) {
#define FRIT_X(name, type) \
    case dtype::name: return t == dtype::bool_ ? "bool" : "fn::" #name;
        FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
        default: throw std::logic_error("host_loops: a dtype that no array has");
    }
}

std::string host_text(const loops::kernel& k, const dialect& d) {
    std::string out = "constexpr int L = " + std::to_string(k.lanes) + ";\ntypedef fn::integer_of<" +
                      std::to_string(k.widest) + ">::type M;\ntemplate <class T>\nusing V = fn::vec<T, L>;\n";
    for (const loops::function& f : k.functions) out += printer(f, k, d).text(&f == &k.functions.back());
    return out;
}

}  // namespace frit::v0::fusion
