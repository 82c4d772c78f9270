// The grammar of random_c.hpp: expressions of integers and of floating numbers, statements of every kind that the subset
// has.
#include "tests/differential/random_c.hpp"

namespace frit_test {
namespace {
using frit::dtype;

struct c_variable {
    std::string name;
    dtype type;
    bool is_fixed = false;  ///< a loop counts with it
};

class c_writer {
public:
    c_writer(std::uint64_t seed, const std::vector<c_function>& earlier) : g_(seed), earlier_(earlier) {
        known_ = {{"x0", dtype::i32, true}, {"x1", dtype::f64, true}, {"x2", dtype::u32, true}};
    }

    std::string body(dtype result) {
        result_ = result;
        for (int k = 0; k < 3; ++k) declare();
        const auto statements = static_cast<int>(g_.between(2, 4));
        for (int k = 0; k < statements; ++k) statement(2);
        line("return " + of(result) + ";");
        return text_;
    }

private:
    static bool is_float(dtype t) { return t == dtype::f32 || t == dtype::f64; }
    const char* pick(std::initializer_list<const char*> list) {
        return list.begin()[g_.below(static_cast<std::int64_t>(list.size()))];
    }
    void line(const std::string& s) { text_ += std::string(4 * depth_, ' ') + s + "\n"; }

    // --- expressions ---

    std::string of(dtype t) { return is_float(t) ? floating(t) : "(" + std::string(c_name_of(t)) + ")(" + integer(2) + ")"; }
    std::string condition() {
        switch (g_.below(5)) {
            case 0: return integer(1) + pick({" < ", " <= ", " > ", " >= ", " == ", " != "}) + integer(1);
            case 1: return floating(dtype::f64) + pick({" < ", " <= ", " == ", " != "}) + floating(dtype::f64);
            case 2: return "!(" + integer(1) + ")";
            case 3: return "(" + integer(1) + ")" + pick({" && ", " || "}) + "(" + floating_atom(dtype::f64) + " > 3)";
            default: return integer(2);
        }
    }
    std::string integer_atom() {
        std::vector<const c_variable*> all;
        for (const c_variable& v : known_)
            if (!is_float(v.type)) all.push_back(&v);
        switch (g_.below(6)) {
            case 0: return std::to_string(g_.between(0, 300));
            case 1: return pick({"1u", "7L", "0x1fu", "2147483647", "true", "65535u", "100UL"});
            case 2: return std::string("(") + pick({"int", "long", "int64_t"}) + ")" + floating_atom(dtype::f64);
            default: return all[static_cast<std::size_t>(g_.below(static_cast<std::int64_t>(all.size())))]->name;
        }
    }
    std::string integer(int depth) {
        if (depth == 0) return integer_atom();
        const std::string a = integer(depth - 1), b = integer(depth - 1);
        switch (g_.below(12)) {
            case 0: return "(" + a + " / " + std::to_string(g_.between(1, 50)) + ")";
            case 1: return "(" + a + " % " + std::to_string(g_.between(1, 50)) + ")";
            case 2: return "(" + a + " << (" + b + " & 7))";
            case 3: return "(" + a + " >> (" + b + " & 7))";
            case 4: return "(" + condition_of(a, b) + " ? " + a + " : " + b + ")";
            case 5:
                return "(" + std::string(pick({"int8_t", "uint8_t", "short", "uint16_t", "unsigned", "int64_t", "bool"})) +
                       ")(" + a + ")";
            case 6: return std::string(pick({"-", "~", "!", "+"})) + "(" + a + ")";
            case 7: return call();
            default: return "(" + a + pick({" + ", " - ", " * ", " & ", " | ", " ^ "}) + b + ")";
        }
    }
    std::string condition_of(const std::string& a, const std::string& b) {
        return g_.chance(0.5) ? a + pick({" < ", " > ", " == "}) + b : a;
    }
    /// Whole, of at most a million, or a thousand as float.
    std::string floating_atom(dtype t) {
        std::vector<std::string> all;
        for (const c_variable& v : known_)
            if (v.type == t) all.push_back(v.name);
        if (!all.empty() && g_.chance(0.6))
            return all[static_cast<std::size_t>(g_.below(static_cast<std::int64_t>(all.size())))];
        if (t == dtype::f32)
            return g_.chance(0.5) ? std::to_string(g_.between(0, 9)) + ".0f" : "(float)(" + integer_atom() + " % 100)";
        return g_.chance(0.5) ? std::to_string(g_.between(0, 90)) + ".0" : "(double)(" + integer_atom() + " % 1000)";
    }
    std::string floating_term(dtype t) {
        const std::string f = t == dtype::f32 ? "f" : "", a = floating_atom(t), b = floating_atom(t);
        switch (g_.below(8)) {
            case 0: return a + " * " + b;
            case 1:
                return "floor" + f + "(" + a + " / " + std::to_string(g_.between(2, 9)) + (t == dtype::f32 ? ".0f)" : ".0)");
            case 2: return "floor" + f + "(sqrt" + f + "(fabs" + f + "(" + a + ")))";
            case 3: return std::string(pick({"fmin", "fmax"})) + f + "(" + a + ", " + b + ")";
            case 4: return "(" + integer(1) + " ? " + a + " : " + b + ")";
            case 5: return "(-" + a + ")";
            default: return a;
        }
    }
    std::string floating(dtype t) {
        std::string all = floating_term(t);
        for (std::int64_t k = g_.between(0, 2); k > 0; --k) all += pick({" + ", " - "}) + floating_term(t);
        return "(" + all + ")";
    }
    std::string in_range(dtype t, const std::string& x) {
        return t == dtype::f32 ? "fmaxf(-1000.0f, fminf(1000.0f, " + x + "))" : "fmax(-1e6, fmin(1e6, " + x + "))";
    }
    std::string call() {
        if (earlier_.empty()) return integer_atom();
        const c_function& f = earlier_[static_cast<std::size_t>(g_.below(static_cast<std::int64_t>(earlier_.size())))];
        const std::string made =
            f.name + "(" + integer_atom() + " % 1000, " + floating_atom(dtype::f64) + ", " + integer_atom() + ")";
        return is_float(f.result) ? "(" + made + " > 1)" : "(int64_t)" + made;
    }

    // --- statements ---

    void declare() {
        constexpr dtype types[] = {dtype::i32, dtype::u32, dtype::i64, dtype::u64,  dtype::i8,
                                   dtype::u16, dtype::f32, dtype::f64, dtype::bool_};
        const dtype t = types[g_.below(9)];
        const std::string name = "v" + std::to_string(names_++);
        line(std::string(c_name_of(t)) + " " + name + " = " + (is_float(t) ? in_range(t, floating(t)) : integer(2)) + ";");
        known_.push_back({name, t});
    }
    void assign() {
        std::vector<const c_variable*> all;
        for (const c_variable& v : known_)
            if (!v.is_fixed) all.push_back(&v);
        if (all.empty()) return;
        const c_variable& v = *all[static_cast<std::size_t>(g_.below(static_cast<std::int64_t>(all.size())))];
        if (is_float(v.type)) return line(v.name + " = " + in_range(v.type, floating(v.type)) + ";");
        if (v.type == dtype::bool_) return line(v.name + " = " + condition() + ";");
        switch (g_.below(4)) {
            case 0: return line(v.name + pick({" += ", " -= ", " *= ", " &= ", " |= ", " ^= "}) + integer(1) + ";");
            case 1: return line(g_.chance(0.5) ? v.name + pick({"++", "--"}) + ";" : pick({"++", "--"}) + v.name + ";");
            case 2: return line(v.name + pick({" /= ", " %= "}) + std::to_string(g_.between(1, 9)) + ";");
            default: return line(v.name + " = " + integer(2) + ";");
        }
    }
    template <class F>
    void block(const F& inside) {
        const std::size_t outside = known_.size();
        ++depth_;
        inside();
        --depth_;
        known_.resize(outside);
    }
    void statements(int depth) {
        for (std::int64_t k = g_.between(1, 3); k > 0; --k) statement(depth);
    }
    void statement(int depth) {
        const std::int64_t which = depth == 0 ? g_.below(5) : g_.below(11);
        if (which < 4) return assign();
        if (which == 4) return declare();
        if (which < 8) return branch(depth - 1);
        if (which == 8 && g_.chance(0.3)) return line("if (" + condition() + ") return " + of(result_) + ";");
        loop(depth - 1);
    }
    void branch(int depth) {
        line("if (" + condition() + ") {");
        block([&] { statements(depth); });
        if (g_.chance(0.5)) {
            line("} else {");
            block([&] { statements(depth); });
        }
        line("}");
    }
    void loop(int depth) {
        const std::string name = "i" + std::to_string(names_++), rounds = std::to_string(g_.between(1, 9));
        const std::int64_t form = g_.below(3);
        if (form == 0) {
            line("for (int " + name + " = 0; " + name + " < " + rounds +
                 (g_.chance(0.3) ? " && (" + condition() + ")" : "") + "; ++" + name + ") {");
        } else {
            line("int " + name + " = " + rounds + ";");
            line(form == 1 ? "while (" + name + " > 0) {" : "do {");
        }
        const std::size_t outside = known_.size();
        known_.push_back({name, dtype::i32, true});
        block([&] {
            if (form != 0) line("--" + name + ";");
            statements(depth);
            if (g_.chance(0.4)) line("if (" + condition() + ") " + pick({"break;", "continue;"}));
            statements(depth);
        });
        line(form == 2 ? "} while (" + name + " > 0);" : "}");
        known_.resize(outside);
    }

    generator g_;
    const std::vector<c_function>& earlier_;
    std::vector<c_variable> known_;
    std::string text_;
    dtype result_ = dtype::i32;
    unsigned depth_ = 0;
    int names_ = 0;
};

}  // namespace

const char* c_name_of(dtype t) {
    switch (t) {
        case dtype::bool_: return "bool";
        case dtype::i8: return "int8_t";
        case dtype::u16: return "uint16_t";
        case dtype::i32: return "int";
        case dtype::u32: return "uint32_t";
        case dtype::i64: return "int64_t";
        case dtype::u64: return "uint64_t";
        case dtype::f32: return "float";
        default: return "double";
    }
}

c_function random_c_function(std::uint64_t seed, const std::string& name, const std::vector<c_function>& earlier) {
    constexpr dtype results[] = {dtype::i32, dtype::u32, dtype::i64, dtype::f32, dtype::f64};
    const dtype result = results[seed % 5];
    return {name, c_writer(seed, earlier).body(result), result};
}

}  // namespace frit_test
