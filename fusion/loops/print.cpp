// The readable form of the loop IR, for golden tests, logs and FRIT_DUMP.
#include <string_view>

#include "fusion/loops/ir.hpp"

namespace frit::inline v0::fusion::loops {
namespace {

constexpr std::string_view names_of_codes[] = {
    "constant", "launch", "word", "variable", "element", "place",
    // of indices
    "+", "-", "*", "/", "%", "&", "^", "popcount", "least", "most", "clamped",
    // truths
    "<", "<=", "==", "!=", "&&", "||", "!", "choice", "some", "interrupted",
    // addresses
    "forward", "bytes", "pinned", "retyped",
    // from memory
    "read", "load", "load_part", "gather", "collect", "look_up", "arrival", "search",
    // lanes
    "splat", "along", "compute", "cast", "bit_cast", "rotated", "kept", "checked", "drawn", "everywhere",
    // accumulators
    "identity", "lifted", "taken", "part", "tree", "tree_part", "group_total", "dealt_total", "block_total", "column_total",
    "before_lane", "of_lane", "from_lane", "before_warp", "before_block", "turn", "last_block"};
static_assert(std::size(names_of_codes) == static_cast<std::size_t>(code::last_block) + 1);
constexpr std::string_view names_of_acts[] = {
    "let",      "declare", "set",        "put",         "for",     "while",    "if",     "leave",
    "end loop", "store",   "store_part", "store_first", "scatter", "spread",   "stream", "finish_streams",
    "write",    "add_at",  "copy_in",    "copy_out",    "barrier", "prefetch", "run"};
static_assert(std::size(names_of_acts) == static_cast<std::size_t>(act::run) + 1);
constexpr std::string_view names_of_routines[] = {"stretch", "narrow",    "order_loads", "fill",       "fill_clamped",
                                                  "spill",   "fill_rows", "spill_rows",  "store_words"};
static_assert(std::size(names_of_routines) == static_cast<std::size_t>(routine::store_words) + 1);
constexpr std::string_view names_of_launch[] = {"thread x",  "thread y",  "block x",  "block y", "block z",
                                                "threads x", "threads y", "blocks x", "blocks y"};
static_assert(std::size(names_of_launch) == static_cast<std::size_t>(launch_index::blocks_y) + 1);

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
        constexpr std::string_view kinds[] = {"index", "truth", "address of ", "number ", "lanes ", "accumulator "};
        const std::string kind(kinds[static_cast<int>(t.what)]);
        if (t.what == kind::index) return t.of == dtype::i64 ? kind : kind + " " + std::string(name_of(t.of));
        if (t.what == kind::truth) return kind;
        const std::string rule = std::to_string(t.rule - 1);
        if (t.what == kind::accumulator) return kind + rule;
        return kind + (t.rule > 0 ? "accumulators " + rule : std::string(name_of(t.of)));
    }
    static std::string size_of(const variable& v) {
        if (v.count == 0) return "";
        constexpr std::string_view places[] = {"", " packed", " shared"};
        return "[" + std::to_string(v.count) + "]" + std::string(places[static_cast<int>(v.in)]);
    }
    static std::string unrolled(std::uint32_t n) {
        if (n == as_compilers_like) return "";
        return n == not_at_all ? " not unrolled" : " unroll" + (n == wholly ? "" : " " + std::to_string(n));
    }
    static std::string how(const transfer& t) {
        constexpr std::string_view policies[] = {"", " once", " once of both", " pieces", " streamed"};
        static_assert(std::size(policies) == static_cast<std::size_t>(cache::streamed) + 1);
        return " " + std::to_string(t.count) + " by " + std::to_string(t.width) +
               (t.step > 1 ? " step " + std::to_string(t.step) : "") + std::string(policies[static_cast<int>(t.policy)]);
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
            case code::launch: return std::string(names_of_launch[e.n]);
            case code::word: return type_name(e.is) + " word " + n;
            case code::variable: return variable();
            case code::element: return variable() + "[" + value(e.in[0]) + "]";
            case code::place: return "&" + variable() + "[" + value(e.in[0]) + "]";
            case code::compute:
            case code::drawn: return std::string(name_of(e.op)) + list(e.in);
            case code::cast: return (e.is.what == kind::index ? "index " : "") + of + list(e.in);
            case code::bit_cast: return "bits " + of + list(e.in);
            case code::identity:
            case code::lifted: return what + " " + type_name(e.is) + list(e.in);
            case code::retyped: return "as " + type_name(e.is) + list(e.in);
            case code::part:
            case code::tree:
            case code::tree_part:
            case code::group_total:
            case code::dealt_total:
            case code::block_total:
            case code::column_total:
            case code::of_lane:
            case code::before_warp:
            case code::before_block:
            case code::collect:
            case code::rotated: return what + " " + n + list(e.in);
            case code::along: return what + " " + of + list(e.in);
            default: break;
        }
        const bool infix = e.in.size() == 2 && what.find_first_of("+-*/%<>=!&|^") != std::string::npos;
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
                return line(depth, what + " " + name(s.n) + size_of(v) + ": " + type_name(v.is) +
                                       (s.in.empty() ? "" : " = " + value(s.in[0])));
            }
            case act::set: return line(depth, name(s.n) + " = " + value(s.in[0]));
            case act::put: return line(depth, name(s.n) + "[" + value(s.in[0]) + "] = " + value(s.in[1]));
            case act::loop:
                line(depth, "for " + name(s.n) + " = " + value(s.in[0]) + " to " + value(s.in[1]) + " by " + value(s.in[2]) +
                                unrolled(s.unroll));
                return block(s.body, depth + 1);
            case act::repeat:
            case act::when:
                line(depth, what + " " + value(s.in[0]) + unrolled(s.unroll));
                block(s.body, depth + 1);
                if (s.otherwise.empty()) return;
                line(depth, "else");
                return block(s.otherwise, depth + 1);
            case act::copy_in:
            case act::copy_out: return line(depth, what + how(s.how) + list(s.in));
            case act::barrier: return line(depth, s.n == 1 ? "barrier of the warp" : what);
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
    if (k.threads > 0)
        out = std::to_string(k.threads) + " threads" +
              (k.blocks_per_sm > 0 ? ", " + std::to_string(k.blocks_per_sm) + " blocks a processor" : "") + "\n";
    return out + writer(k.entry).text();
}

}  // namespace frit::v0::fusion::loops
