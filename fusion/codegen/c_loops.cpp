// What C++ for the CPU and CUDA C++ share of printing the loop IR: see c_loops.hpp.
#include "fusion/codegen/c_loops.hpp"

#include <algorithm>

namespace frit::inline v0::fusion {
namespace {

using loops::act;
using loops::code;
using loops::expression;
using loops::statement;

constexpr std::string_view common_pattern(code what) {
    switch (what) {
        case code::add:
        case code::forward: return "($a + $b)";
        case code::sub: return "($a - $b)";
        case code::mul: return "($a * $b)";
        case code::div: return "($a / $b)";
        case code::rem: return "($a % $b)";
        case code::bit_and: return "($a & $b)";
        case code::bit_xor: return "($a ^ $b)";
        case code::lt: return "($a < $b)";
        case code::le: return "($a <= $b)";
        case code::eq: return "($a == $b)";
        case code::ne: return "($a != $b)";
        case code::both: return "($a && $b)";
        case code::either: return "($a || $b)";
        case code::negated: return "!$a";
        case code::choice: return "($a ? $b : $c)";
        case code::read: return "*$a";
        default: return "";
    }
}

}  // namespace

void c_printer::name(std::uint32_t v) {
    std::string wanted = f_.variables[v].name;
    for (int again = 2; std::find(visible_.begin(), visible_.end(), wanted) != visible_.end(); ++again)
        wanted = f_.variables[v].name + "_" + std::to_string(again);
    visible_.push_back(wanted);
    names_[v] = std::move(wanted);
}

std::string c_printer::filled(std::string_view pattern, const std::vector<loops::expression_id>& in, std::int64_t n,
                              const loops::type& t) {
    std::string text;
    for (std::size_t at = 0; at < pattern.size(); ++at) {
        if (pattern[at] != '$') {
            text += pattern[at];
            continue;
        }
        const char which = pattern[++at];
        if (which == 'n')
            text += std::to_string(n);
        else if (which >= 'a' && which <= 'g')
            text += value(in[static_cast<std::size_t>(which - 'a')]);
        else
            text += filled(which, t);
    }
    return text;
}

std::string c_printer::value(loops::expression_id id) {
    const expression& e = f_.expressions[id];
    for (const std::string_view pattern : {common_pattern(e.what), pattern_of(e.what)})
        if (!pattern.empty()) return filled(pattern, e.in, e.n, e.is);
    switch (e.what) {
        case code::variable: return name_of(e.n);
        case code::element: return name_of(e.n) + "[" + value(e.in[0]) + "]";
        case code::compute: return computed(e);
        default: return special(e);
    }
}

std::string c_printer::computed(const expression& e) {
    return spell(dialect_, e.op, e.from, value(e.in[0]), e.in.size() > 1 ? value(e.in[1]) : "",
                 e.in.size() > 2 ? value(e.in[2]) : "");
}

void c_printer::block(const loops::block& all, int depth) {
    const std::size_t before = visible_.size();
    for (const statement& s : all) print(s, depth);
    visible_.resize(before);
}

void c_printer::print(const statement& s, int depth) {
    switch (s.what) {
        case act::let:
        case act::declare: return line(depth, declaration(s));
        case act::set: return line(depth, name_of(s.n) + " = " + assigned(f_.variables[s.n].is, s.in[0]) + ";");
        case act::put:
            return line(depth, name_of(s.n) + "[" + value(s.in[0]) + "] = " + assigned(f_.variables[s.n].is, s.in[1]) + ";");
        case act::loop: return loop(s, depth);
        case act::repeat:
            if (const std::string pragma = unroll(s.unroll); !pragma.empty()) out_ += pragma + "\n";
            line(depth, "while (" + value(s.in[0]) + ") {");
            block(s.body, depth + 1);
            return line(depth, "}");
        case act::when: return when(s, depth);
        case act::leave: return line(depth, "return;");
        case act::end_loop: return line(depth, "break;");
        default: break;
    }
    if (const std::string_view pattern = pattern_of(s.what); !pattern.empty())
        return line(depth, filled(pattern, s.in, s.n, loops::index_type()));
    special(s, depth);
}

// What a variable starts as does not know its name yet.
std::string c_printer::declaration(const statement& s) {
    const loops::variable& v = f_.variables[s.n];
    if (v.count > 0) {
        name(s.n);
        std::string text = declared(v);
        text.replace(text.find('$'), 1, name_of(s.n));
        return text + (s.in.empty() ? ";" : " = {};");
    }
    if (s.what == act::declare) {
        const std::string first = s.in.empty() ? "" : " = " + assigned(v.is, s.in[0]);
        name(s.n);
        return type(v.is) + " " + name_of(s.n) + first + ";";
    }
    const std::string first = value(s.in[0]);
    name(s.n);
    const bool address = v.is.what == loops::kind::address;
    return (address ? type(v.is) + " const " : "const " + constant_type(v.is) + " ") + name_of(s.n) + " = " + first + ";";
}

void c_printer::loop(const statement& s, int depth) {
    const std::string from = value(s.in[0]);
    const std::size_t before = visible_.size();
    name(s.n);
    if (const std::string pragma = unroll(s.unroll); !pragma.empty()) out_ += pragma + "\n";
    const std::string& n = name_of(s.n);
    line(depth, "for (" + type(f_.variables[s.n].is) + " " + n + " = " + from + "; " + n + " < " + value(s.in[1]) + "; " +
                    n + " += " + value(s.in[2]) + ") {");
    block(s.body, depth + 1);
    line(depth, "}");
    visible_.resize(before);
}

void c_printer::when(const statement& s, int depth) {
    const bool empty = s.body.empty();
    line(depth, std::string("if (") + (empty ? "!" : "") + value(s.in[0]) + ") {");
    block(empty ? s.otherwise : s.body, depth + 1);
    if (!empty && !s.otherwise.empty()) {
        line(depth, "} else {");
        block(s.otherwise, depth + 1);
    }
    line(depth, "}");
}

}  // namespace frit::v0::fusion
