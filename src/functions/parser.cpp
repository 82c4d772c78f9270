// From a text to the tree: a recursive descent, with C's precedences and conversions. Assignments stand alone, so a tree of
// expressions has no effects, and both branches of a choice may be evaluated.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "frit/function.hpp"
#include "src/base/errors.hpp"
#include "src/functions/conversions.hpp"
#include "src/functions/known.hpp"
#include "src/functions/lexer.hpp"
#include "src/functions/library.hpp"
#include "src/functions/literals.hpp"
#include "src/functions/parser.hpp"

namespace frit::inline v0::detail {
namespace {

using kind = expression::kind;
using act = text_statement::kind;

struct operators {
    std::string_view sign;
    op code;
    int binds;  ///< tighter ones have more
};
constexpr operators binary[] = {{"||", op::logical_or, 1}, {"&&", op::logical_and, 2}, {"|", op::bit_or, 3},
                                {"^", op::bit_xor, 4},     {"&", op::bit_and, 5},      {"==", op::eq, 6},
                                {"!=", op::ne, 6},         {"<", op::lt, 7},           {"<=", op::le, 7},
                                {">", op::gt, 7},          {">=", op::ge, 7},          {"<<", op::shl, 8},
                                {">>", op::shr, 8},        {"+", op::add, 9},          {"-", op::sub, 9},
                                {"*", op::mul, 10},        {"/", op::div, 10},         {"%", op::fmod, 10}};

class parser {
public:
    parser(std::vector<token> tokens, text_function& to) : tokens_(std::move(tokens)), to_(to) {
        scopes_.emplace_back();
        for (std::uint32_t k = 0; k < to.parameters; ++k) scopes_.back()["x" + std::to_string(k)] = k;
        for (std::uint32_t k = 0; to.several && k < to.results; ++k)
            scopes_.back()["y" + std::to_string(k)] = to.parameters + k;
        grow(tokens_.size());
    }

    /// @returns the functions that it calls
    std::vector<const text_function*> run() {
        while (now().what != token::kind::end) statement(to_.body);
        if (!to_.several && ends(to_.body) != ending::never) refuse("not every way through the function returns a value");
        for (std::uint32_t k = 0; to_.several && k < to_.results; ++k)
            if (!set_.contains(to_.parameters + k)) refuse("y" + std::to_string(k) + " is never set");
        return std::move(callees_);
    }

private:
    // --- tokens ---

    const token& now() const { return tokens_[at_]; }
    const text_place& before_now() const { return tokens_[at_ - 1].at; }
    bool is(std::string_view sign) const { return now().what != token::kind::number && now().text == sign; }
    bool accept(std::string_view sign) {
        if (now().what == token::kind::end || !is(sign)) return false;
        ++at_;
        return true;
    }
    void expect(std::string_view sign) {
        if (!accept(sign)) refuse("'" + std::string(sign) + "' is missing before " + shown());
    }
    std::string shown() const { return now().what == token::kind::end ? "the end" : "'" + std::string(now().text) + "'"; }
    [[noreturn]] void refuse(std::string text) const { throw refused{std::move(text), now().at}; }
    /// Nonsense may be nested as deep as it is long.
    struct deeper {
        explicit deeper(parser& p) : depth(p.depth_) {
            if (++depth > 200) p.refuse("nested too deeply");
        }
        ~deeper() { --depth; }
        int& depth;
    };

    // --- statements ---

    void statement(std::vector<text_statement>& to) {
        const deeper d(*this);
        operators_ = 0;
        if (accept(";")) return;
        if (accept("{")) {
            scopes_.emplace_back();
            while (!accept("}")) {
                if (now().what == token::kind::end) refuse("'}' is missing");
                statement(to);
            }
            scopes_.pop_back();
            return;
        }
        if (accept("if")) return branch(to);
        if (accept("while")) return while_loop(to);
        if (accept("do")) return do_loop(to);
        if (accept("for")) return for_loop(to);
        if (is("break") || is("continue")) {
            if (loops_ == 0) refuse(std::string(now().text) + " outside a loop");
            to.push_back({.what = accept("break") ? act::leave : act::next});
            accept("continue");
            return expect(";");
        }
        if (accept("return")) {
            if (!to_.several)
                set(to, to_.parameters, any());
            else if (!is(";"))
                refuse("a function of several results sets y0, y1, ..., and returns no value");
            to.push_back({.what = act::give_back});
            return expect(";");
        }
        simple(to);
        expect(";");
    }
    /// Declarations, assignments: what may stand in the head of a for too.
    void simple(std::vector<text_statement>& to) {
        bool constant = accept("const");
        if (const auto type = type_here()) {
            constant = accept("const") || constant;
            do declaration(to, *type, constant);
            while (accept(","));
            return;
        }
        if (constant) refuse("a type is missing before " + shown());
        assignment(to);
    }
    bool accept_complex() { return accept("complex") || accept("_Complex"); }
    std::optional<dtype> type_here() {
        if (now().what != token::kind::name) return std::nullopt;
        const bool in_front = accept_complex();
        if (const auto t = type_named(now().text)) {
            ++at_;
            if (!accept_complex() && !in_front) return t;
            if (*t != dtype::f32 && *t != dtype::f64) refuse("a type that C has not");
            return complex_dtype(*t);
        }
        if (in_front) refuse("float or double is missing before " + shown());
        // int, unsigned, long, char in their orders
        bool is_unsigned = false, is_signed = false, any = false;
        int longs = 0, shorts = 0, chars = 0;
        for (;; ++at_) {
            if (is("unsigned"))
                is_unsigned = true;
            else if (is("signed"))
                is_signed = true;
            else if (is("long"))
                ++longs;
            else if (is("short"))
                ++shorts;
            else if (is("char"))
                ++chars;
            else if (!is("int"))
                break;
            any = true;
        }
        if (!any) return std::nullopt;
        if (longs > 2 || shorts + chars > 1 || (longs > 0 && shorts + chars > 0) || (is_unsigned && is_signed))
            refuse("a type that C has not");
        if (chars) return is_unsigned ? dtype::u8 : dtype::i8;
        if (shorts) return is_unsigned ? dtype::u16 : dtype::i16;
        if (longs) return is_unsigned ? dtype::u64 : dtype::i64;
        return is_unsigned ? dtype::u32 : dtype::i32;
    }
    void declaration(std::vector<text_statement>& to, dtype type, bool constant) {
        const std::string name = new_name();
        expression value = cast_to(type, accept("=") ? choice() : number_of(std::int32_t{0}));
        const auto variable = static_cast<std::uint32_t>(to_.variables.size());
        to_.variables.push_back(type);
        scopes_.back()[name] = variable;
        if (constant) constants_.push_back(variable);
        to.push_back({.what = act::set, .variable = variable, .value = std::move(value)});
    }
    std::string new_name() {
        if (now().what != token::kind::name || is_keyword(now().text)) refuse("a name is missing before " + shown());
        std::string name(now().text);
        if (scopes_.back().contains(name)) refuse(name + " is declared twice");
        ++at_;
        return name;
    }

public:
    static bool is_keyword(std::string_view name) {
        constexpr std::string_view words[] = {
            "if",   "else",  "for",    "while",  "do",       "break",    "return", "continue", "const",   "int",
            "long", "short", "char",   "true",   "false",    "unsigned", "signed", "goto",     "switch",  "case",
            "void", "auto",  "static", "struct", "volatile", "sizeof",   "union",  "enum",     "complex", "_Complex"};
        return type_named(name) || std::find(std::begin(words), std::end(words), name) != std::end(words);
    }

private:
    void assignment(std::vector<text_statement>& to) {
        const bool up = is("++"), before = up || is("--");
        if (before) ++at_;
        if (now().what != token::kind::name || is_keyword(now().text))
            refuse("a statement of the subset is missing before " + shown());
        const token name = now();
        const std::uint32_t variable = variable_named(name.text);
        if (!is_variable(name.text)) refuse(std::string(name.text) + " is not declared");
        if (std::find(constants_.begin(), constants_.end(), variable) != constants_.end())
            refuse(std::string(name.text) + " is const");
        ++at_;
        const expression old = read(variable);
        if (before) return stepped(to, variable, up);
        if (is("++") || is("--")) {
            const bool plus = is("++");
            ++at_;
            return stepped(to, variable, plus);
        }
        if (accept("=")) return set(to, variable, choice());
        for (const operators& o : binary) {
            const std::string sign = std::string(o.sign) + "=";
            if (o.binds < 3 || (o.binds >= 6 && o.binds <= 7) || !is(sign)) continue;
            ++at_;
            return set(to, variable, combined(o.code, old, choice()));
        }
        refuse("an assignment is missing before " + shown());
    }
    void stepped(std::vector<text_statement>& to, std::uint32_t variable, bool up) {
        set(to, variable, combined(up ? op::add : op::sub, read(variable), number_of(std::int32_t{1})));
    }
    void set(std::vector<text_statement>& to, std::uint32_t variable, expression value) {
        set_.insert(variable);
        to.push_back({.what = act::set, .variable = variable, .value = cast_to(to_.variables[variable], std::move(value))});
    }
    void branch(std::vector<text_statement>& to) {
        text_statement s{.what = act::branch};
        expect("(");
        s.value = truth(any());
        expect(")");
        inner(s.body);
        if (accept("else")) inner(s.otherwise);
        to.push_back(std::move(s));
    }
    void inner(std::vector<text_statement>& to) {
        scopes_.emplace_back();
        statement(to);
        scopes_.pop_back();
    }
    void while_loop(std::vector<text_statement>& to) {
        text_statement s{.what = act::loop, .at = before_now()};
        const std::size_t outside = to_.variables.size();
        expect("(");
        s.value = truth(any());
        expect(")");
        loop_body(s);
        finish(to, std::move(s), outside);
    }
    void do_loop(std::vector<text_statement>& to) {
        text_statement s{.what = act::loop, .first = true, .at = before_now()};
        const std::size_t outside = to_.variables.size();
        loop_body(s);
        expect("while");
        expect("(");
        s.value = truth(any());
        expect(")");
        expect(";");
        finish(to, std::move(s), outside);
    }
    void for_loop(std::vector<text_statement>& to) {
        scopes_.emplace_back();
        text_statement s{.what = act::loop, .at = before_now()};
        expect("(");
        if (!accept(";")) {
            simple(to);
            while (accept(",")) assignment(to);
            expect(";");
        }
        const std::size_t outside = to_.variables.size();
        s.value = is(";") ? number_of(true) : truth(any());
        expect(";");
        if (!is(")")) do
                assignment(s.step);
            while (accept(","));
        expect(")");
        loop_body(s);
        finish(to, std::move(s), outside);
        scopes_.pop_back();
    }
    void loop_body(text_statement& s) {
        ++loops_;
        inner(s.body);
        --loops_;
    }
    /// @param outside  how many variables there were before it
    void finish(std::vector<text_statement>& to, text_statement s, std::size_t outside) {
        std::vector<bool> sets(outside, false);
        look(s.body, s, sets, true);
        look(s.step, s, sets, true);
        for (std::uint32_t k = 0; k < outside; ++k)
            if (sets[k]) s.sets.push_back(k);
        to.push_back(std::move(s));
    }
    static void look(const std::vector<text_statement>& all, text_statement& loop, std::vector<bool>& sets, bool own) {
        for (const text_statement& s : all) {
            if (s.what == act::set && s.variable < sets.size()) sets[s.variable] = true;
            if (s.what == act::leave && own) loop.may_leave = true;
            if (s.what == act::give_back) loop.may_return = true;
            const bool same_loop = own && s.what != act::loop;
            for (const auto* part : {&s.body, &s.otherwise, &s.step}) look(*part, loop, sets, same_loop);
        }
    }

    /// Whether control gets behind statements.
    enum class ending : std::uint8_t { goes_on, never };
    static ending ends(const std::vector<text_statement>& all) {
        for (const text_statement& s : all) {
            if (s.what == act::give_back) return ending::never;
            if (s.what == act::branch && ends(s.body) == ending::never && ends(s.otherwise) == ending::never)
                return ending::never;
            const bool for_ever = s.value.what == kind::number && s.value.result == dtype::bool_ && s.value.bits.low != 0;
            if (s.what == act::loop && for_ever && !s.may_leave) return ending::never;
        }
        return ending::goes_on;
    }

    // --- expressions ---

    expression any() {
        expression e = choice();
        if (is("=") || is("+=") || is("-=") || is("*=") || is("/=") || is("++") || is("--"))
            refuse("an assignment inside an expression: it stands alone in this subset");
        return e;
    }
    expression choice() {
        const deeper d(*this);
        expression condition = chain(1);
        if (!accept("?")) return condition;
        expression a = choice();
        expect(":");
        expression b = choice();
        const dtype t = a.result == b.result ? a.result : common(a.result, b.result);
        expression e{.what = kind::choice, .type = t, .result = t};
        e.operands = {truth(std::move(condition)), converted(std::move(a), t), converted(std::move(b), t)};
        return e;
    }
    const operators* operator_here() const {
        if (now().what != token::kind::sign) return nullptr;
        for (const operators& o : binary)
            if (o.sign == now().text) return &o;
        return nullptr;
    }
    expression chain(int least) {
        expression left = unary();
        for (const operators* o = operator_here(); o && o->binds >= least; o = operator_here()) {
            ++at_;
            if (++operators_ > 5000) refuse("a statement of more than 5,000 operators");
            left = combined(o->code, std::move(left), chain(o->binds + 1));
        }
        return left;
    }
    expression combined(op code, expression a, expression b) {
        switch (code) {
            case op::logical_or:
            case op::logical_and: return applied(code, dtype::bool_, dtype::bool_, truth(std::move(a)), truth(std::move(b)));
            case op::shl:
            case op::shr: {
                // A wide count is not cut to the left side's width: what is too far stays too far, and a negative one is.
                const dtype t = promoted(a.result), by = promoted(b.result);
                integers(a, b);
                if (b.what == kind::number)
                    b = number_of(std::min(static_cast<std::uint64_t>(whole_of(b)), std::uint64_t{64}));
                else if (size_of(by) > size_of(t) || kind_of(by) != kind_of(t))
                    b = applied(op::minimum, dtype::u64, dtype::u64, std::move(b), number_of(std::uint64_t{64}));
                return applied(code, t, t, std::move(a), std::move(b));
            }
            default: break;
        }
        const dtype t = common(a.result, b.result);
        const bool bits = code == op::bit_and || code == op::bit_or || code == op::bit_xor;
        if (bits || code == op::fmod) integers(a, b);
        const bool compares = info(code).result == op_result::BOOL;
        if (is_complex(t) && compares && code != op::eq && code != op::ne) refuse("complex numbers have no order");
        return applied(code == op::fmod ? op::mod : code, t, compares ? dtype::bool_ : t, std::move(a), std::move(b));
    }
    void integers(const expression& a, const expression& b) const {
        for (const expression* x : {&a, &b})
            if (kind_of(x->result) >= dtype_kind::floating) refuse("an operator of integers has a floating operand");
    }
    expression unary() {
        const deeper d(*this);
        if (accept("-")) return negated(unary());
        if (accept("+")) {
            expression x = unary();
            const dtype t = promoted(x.result);
            return converted(std::move(x), t);
        }
        if (accept("!")) return applied(op::logical_not, dtype::bool_, dtype::bool_, truth(unary()));
        if (accept("~")) {
            expression x = unary();
            integers(x, x);
            const dtype t = promoted(x.result);
            return applied(op::bit_not, t, t, std::move(x));
        }
        if (is("(")) {
            ++at_;
            if (const auto type = type_here()) {
                expect(")");
                return cast_to(*type, unary());
            }
            expression e = any();
            expect(")");
            return e;
        }
        return primary();
    }
    static expression negated(expression x) {
        const dtype t = promoted(x.result);
        return applied(op::neg, t, t, std::move(x));
    }
    expression primary() {
        if (now().what == token::kind::number) return literal_of(tokens_[at_++]);
        if (now().what != token::kind::name) refuse("a value is missing before " + shown());
        const token name = now();
        ++at_;
        if (name.text == "true" || name.text == "false") return number_of(name.text == "true");
        if (is("(")) return call(name);
        if (is_variable(name.text)) return read(variable_named(name.text));
        if (name.text == "I") return applied(op::complex, dtype::f32, dtype::c64, number_of(0.0F), number_of(1.0F));
        if (auto number = constant_named(name.text)) return std::move(*number);
        --at_;
        refuse(std::string(name.text) + (is_keyword(name.text) ? " is not in the subset here" : " is not declared"));
    }
    expression call(const token& name) {
        expect("(");
        std::vector<expression> given;
        if (!accept(")")) {
            do given.push_back(choice());
            while (accept(","));
            expect(")");
        }
        const auto known = function_named(name.text);
        if (!known && library_text_named(name.text, dtype::f64)) return library_call(std::move(given), name);
        if (!known) {
            const text_function* const callee = meant(given, name);
            return call_of(callee, std::move(given), name);
        }
        const op code = known->code;
        check_count(given.size(), info(code).arity, name);
        dtype t = dtype::i32;
        for (const expression& x : given) t = common(t, x.result);
        if (is_complex(t) && !takes_complex(code))
            throw refused{std::string(name.text) + " takes no complex numbers", name.at};
        const bool whole = code == op::abs || code == op::minimum || code == op::maximum;
        const bool is_whole = kind_of(t) < dtype_kind::floating;
        if (known->type)
            t = is_complex(t) ? complex_dtype(*known->type) : *known->type;
        else if (is_whole && (!whole || name.text == "fabs" || known->makes_complex))
            t = dtype::f64;
        if (known->makes_complex) t = complex_dtype(t);
        expression e{.what = kind::apply, .type = t, .result = result_of_function(code, t), .code = code};
        for (expression& x : given) {
            const dtype is = known->makes_complex ? t : operand_type(t, x.result);
            e.operands.push_back(converted(std::move(x), is));
        }
        return known->whole ? converted(std::move(e), *known->whole) : e;
    }
    /// The function of a text that a call means: of several of one name, that whose parameters have the arguments' types.
    const text_function* meant(const std::vector<expression>& given, const token& name) const {
        if (name.text == to_.name) throw refused{to_.name + " calls itself: the subset has no recursion", name.at};
        const std::vector<const text_function*> all = functions_of_name(name.text);
        if (all.empty()) throw refused{"no function " + std::string(name.text), name.at};
        const text_function* found = nullptr;
        bool several = false;
        for (const text_function* f : all) {
            if (f->parameters != given.size()) continue;
            const auto takes = [](const expression& x, dtype t) { return x.result == t; };
            if (std::equal(given.begin(), given.end(), f->variables.begin(), takes)) return f;
            several = found != nullptr;
            found = f;
        }
        if (several)
            throw refused{"more than one function " + std::string(name.text) +
                              " could be meant: cast the arguments to the types of one",
                          name.at};
        return found ? found : all.back();
    }
    expression library_call(std::vector<expression> given, const token& name) {
        for (const expression& x : given)
            if (is_complex(x.result)) throw refused{std::string(name.text) + " takes no complex numbers", name.at};
        dtype of = given.empty() ? dtype::f64 : promoted(given[0].result);
        if (kind_of(of) < dtype_kind::floating) of = dtype::f64;
        const library_text& l = *library_text_named(name.text, of);
        if (l.single && !given.empty()) given[0] = converted(std::move(given[0]), of = dtype::f32);
        const text_signature types{{l.types, l.parameters}, {&l.result, 1}, false};
        expression e = call_of(known_function(l.name, l.text, types), std::move(given), name);
        return l.result == dtype::f64 ? cast_to(of, std::move(e)) : e;
    }
    static void check_count(std::size_t given, std::size_t wanted, const token& name) {
        if (given != wanted)
            throw refused{
                std::string(name.text) + " takes " + std::to_string(wanted) + " values, not " + std::to_string(given),
                name.at};
    }
    expression call_of(const text_function* callee, std::vector<expression> given, const token& name) {
        check_count(given.size(), callee->parameters, name);
        if (callee->several) throw refused{std::string(name.text) + " has several results, and is no value", name.at};
        callees_.push_back(callee);
        grow(callee->size);
        const dtype result = callee->variables[callee->parameters];
        expression e{.what = kind::call, .type = result, .result = result, .callee = callee};
        for (std::size_t k = 0; k < given.size(); ++k)
            e.operands.push_back(converted(std::move(given[k]), callee->variables[k]));
        return e;
    }

    /// A call is the whole of its function: of functions that call each other twice there would be no end.
    void grow(std::size_t words) {
        to_.size += words;
        if (to_.size > 100'000) refuse("more than 100,000 words, with the functions that it calls");
    }

    // --- names ---

    bool is_variable(std::string_view name) const {
        for (const auto& s : scopes_)
            if (s.contains(std::string(name))) return true;
        return false;
    }
    std::uint32_t variable_named(std::string_view name) const {
        for (std::size_t k = scopes_.size(); k-- > 0;)
            if (const auto it = scopes_[k].find(std::string(name)); it != scopes_[k].end()) return it->second;
        return 0;
    }
    expression read(std::uint32_t variable) const {
        const dtype t = to_.variables[variable];
        return {.what = kind::variable, .type = t, .result = t, .variable = variable};
    }

    const std::vector<token> tokens_;
    text_function& to_;
    std::size_t at_ = 0;
    int loops_ = 0, depth_ = 0, operators_ = 0;
    std::vector<std::uint32_t> constants_;
    std::set<std::uint32_t> set_;
    std::vector<const text_function*> callees_;
    std::vector<std::map<std::string, std::uint32_t>> scopes_;
};

}  // namespace

std::vector<const text_function*> parse(std::vector<token> tokens, text_function& to) {
    return parser(std::move(tokens), to).run();
}
bool is_keyword(std::string_view name) { return parser::is_keyword(name); }

}  // namespace frit::v0::detail
