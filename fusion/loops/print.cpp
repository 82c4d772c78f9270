// The readable form of the loop IR, for golden tests, logs and FRIT_DUMP.
#include <string_view>

#include "fusion/loops/ir.hpp"

namespace frit::inline v0::fusion::loops {
namespace {

constexpr std::string_view names_of_codes[] = {
    "constant", "word",     "variable", "element", "place",   "+",      "-",       "*",    "/",
    "%",        "popcount", "least",    "most",    "<",       "<=",     "==",      "!=",   "&&",
    "||",       "!",        "choice",   "forward", "bytes",   "pinned", "read",    "load", "load_part",
    "gather",   "collect",  "splat",    "along",   "compute", "cast",   "rotated", "kept", "everywhere"};
static_assert(std::size(names_of_codes) == static_cast<std::size_t>(code::everywhere) + 1);
constexpr std::string_view names_of_acts[] = {
    "let",        "declare",     "set",     "put",    "for",    "while",          "if",       "leave", "store",
    "store_part", "store_first", "scatter", "spread", "stream", "finish_streams", "prefetch", "run"};
static_assert(std::size(names_of_acts) == static_cast<std::size_t>(act::run) + 1);
constexpr std::string_view names_of_routines[] = {"narrow", "order_loads", "fill", "fill_clamped",
                                                  "spill",  "store_words", "call"};
static_assert(std::size(names_of_routines) == static_cast<std::size_t>(routine::call) + 1);

class writer {
public:
    explicit writer(const function& f) : f_(f) {}

    std::string text() {
        out_ = f_.name + "(";
        for (std::uint32_t k = 0; k < f_.parameters; ++k)
            out_ += (k > 0 ? ", " : "") + name(k) + ": " + type_name(f_.variables[k].is);
        out_ += ")\n";
        block(f_.body, 1);
        return std::move(out_);
    }

private:
    static std::string type_name(const type& t) {
        constexpr std::string_view kinds[] = {"index", "truth", "address of ", "number ", "lanes "};
        const std::string kind(kinds[static_cast<int>(t.what)]);
        return t.what == kind::index || t.what == kind::truth ? kind : kind + std::string(name_of(t.of));
    }
    std::string name(std::uint32_t v) const { return f_.variables[v].name + "." + std::to_string(v); }
    std::string list(const std::vector<expression_id>& in, std::size_t first = 0) const {
        std::string all;
        for (std::size_t k = first; k < in.size(); ++k) all += (k > first ? ", " : "") + value(in[k]);
        return "(" + all + ")";
    }
    std::string value(expression_id id) const {
        const expression& e = f_.expressions[id];
        const std::string n = std::to_string(e.n), of = std::string(name_of(e.is.of));
        const auto variable = [&] { return name(static_cast<std::uint32_t>(e.n)); };
        const std::string what(names_of_codes[static_cast<int>(e.what)]);
        switch (e.what) {
            case code::constant: return e.is.what == kind::lanes ? of + "{" + n + "}" : n;
            case code::word: return type_name(e.is) + " word " + n;
            case code::variable: return variable();
            case code::element: return variable() + "[" + value(e.in[0]) + "]";
            case code::place: return "&" + variable() + "[" + value(e.in[0]) + "]";
            case code::compute: return std::string(name_of(e.op)) + list(e.in);
            case code::cast: return of + list(e.in);
            case code::collect:
            case code::rotated: return what + " " + n + list(e.in);
            case code::along: return what + " " + of + list(e.in);
            default: break;
        }
        const bool infix = e.in.size() == 2 && what.find_first_of("+-*/%<>=!&|") != std::string::npos;
        return infix ? "(" + value(e.in[0]) + " " + what + " " + value(e.in[1]) + ")" : what + list(e.in);
    }
    void line(int depth, const std::string& text) {
        out_ += std::string(2 * static_cast<std::size_t>(depth), ' ') + text + "\n";
    }
    void block(const loops::block& all, int depth) {
        for (const statement& s : all) print(s, depth);
    }
    void print(const statement& s, int depth) {
        const std::string what(names_of_acts[static_cast<int>(s.what)]);
        switch (s.what) {
            case act::let:
            case act::declare: {
                const loops::variable& v = f_.variables[s.n];
                const std::string size = v.count > 0 ? "[" + std::to_string(v.count) + "]" : "";
                return line(depth, what + " " + name(s.n) + size + ": " + type_name(v.is) +
                                       (s.in.empty() ? "" : " = " + value(s.in[0])));
            }
            case act::set: return line(depth, name(s.n) + " = " + value(s.in[0]));
            case act::put: return line(depth, name(s.n) + "[" + value(s.in[0]) + "] = " + value(s.in[1]));
            case act::loop:
                line(depth, "for " + name(s.n) + " = " + value(s.in[0]) + " to " + value(s.in[1]) + " by " + value(s.in[2]) +
                                (s.unroll > 1 ? " unroll " + std::to_string(s.unroll) : ""));
                return block(s.body, depth + 1);
            case act::repeat:
            case act::when:
                line(depth, what + " " + value(s.in[0]));
                block(s.body, depth + 1);
                if (s.otherwise.empty()) return;
                line(depth, "else");
                return block(s.otherwise, depth + 1);
            case act::run: return line(depth, std::string(names_of_routines[static_cast<int>(s.runs)]) + list(s.in));
            default: return line(depth, what + list(s.in));
        }
    }

    const function& f_;
    std::string out_;
};

}  // namespace

std::string to_string(const kernel& k) {
    std::string out = std::to_string(k.lanes) + " lanes of at most " + std::to_string(k.widest) + " bytes\n";
    for (const function& f : k.functions) out += writer(f).text();
    return out;
}

}  // namespace frit::v0::fusion::loops
