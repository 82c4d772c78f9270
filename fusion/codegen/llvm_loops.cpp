// Prints the loop IR for LLVM: expressions, statements, functions. Variables that change and arrays are memory on the stack,
// which LLVM takes into registers where it can; loops over few vectors are unrolled here, so that it can.
#include "fusion/codegen/llvm_loops.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "fusion/codegen/llvm_moves.hpp"

namespace frit::inline v0::fusion {
namespace {

using llvm::element;
using llvm::element_of;
using llvm::lanes_value;
using loops::act;
using loops::code;
using loops::expression;
using loops::kind;
using loops::routine;
using loops::statement;

// Of two scalars; null: another code.
const char* instruction_of(code c) {
    switch (c) {
        case code::add: return "add";
        case code::sub: return "sub";
        case code::mul: return "mul";
        case code::div: return "sdiv";
        case code::rem: return "srem";
        case code::lt: return "icmp slt";
        case code::le: return "icmp sle";
        case code::eq: return "icmp eq";
        case code::ne: return "icmp ne";
        case code::both: return "and";
        case code::either: return "or";
        default: return nullptr;
    }
}

// Expressions of the loop IR: what a code is called in LLVM's instructions. Variables that change are memory.
class expression_writer : public llvm::move_writer {
public:
    expression_writer(const loops::kernel& k, const target& t)
        : move_writer(k.lanes, t.vector_bytes, t.has_fma), f_(k.entry), names_(f_.variables.size()) {}

protected:
    const expression& at(loops::expression_id id) const { return f_.expressions[id]; }
    const loops::type& type_of(std::int64_t variable) const { return f_.variables[static_cast<std::size_t>(variable)].is; }
    static std::string type_name(const loops::type& t) {
        switch (t.what) {
            case kind::index: return "i64";
            case kind::truth: return "i1";
            case kind::address: return "ptr";
            case kind::number: return element_type(t.of);
            case kind::lanes:
            case kind::accumulator: break;
        }
        throw std::logic_error("llvm: lanes have no type of their own, and CPUs no accumulators");
    }
    std::string slot_type(const loops::type& t) const {
        if (t.what != kind::lanes) return type_name(t);
        return is_complex(t.of) ? vector(element_of(t.of), 2 * lanes()) : lanes_type(t.of);
    }

    /// The index, where it is known now: what an unrolled loop counts, and sums and products of that. LLVM takes an array
    /// into registers where all its elements' places are constants from the start.
    std::optional<std::int64_t> constant_of(loops::expression_id id) const {
        const expression& e = at(id);
        if (e.is.what != kind::index) return std::nullopt;
        if (e.what == code::constant) return e.n;
        if (e.what == code::variable) return variable_at(e.n).known;
        if (e.what != code::add && e.what != code::sub && e.what != code::mul) return std::nullopt;
        const auto a = constant_of(e.in[0]);
        const auto b = a ? constant_of(e.in[1]) : std::nullopt;
        if (!b) return std::nullopt;
        return e.what == code::add ? *a + *b : e.what == code::sub ? *a - *b : *a * *b;
    }

    /// What an expression is, which must not be lanes, or must (lanes_of).
    std::string scalar(loops::expression_id id) {
        if (const auto known = constant_of(id)) return n(*known);
        const expression& e = at(id);
        if (const char* const instruction = instruction_of(e.what)) {
            const std::string a = scalar(e.in[0]), b = scalar(e.in[1]);
            return result(std::string(instruction) + " " + type_name(at(e.in[0]).is) + " " + a + ", " + b);
        }
        switch (e.what) {
            case code::constant: return constant(e);
            case code::word: return word(e);
            case code::variable: return variable(e);
            case code::element: return result("load " + type_name(type_of(e.n)) + ", ptr " + place(e.n, e.in[0]));
            case code::place: return place(e.n, e.in[0]);
            case code::popcount: return result(call("i64", "@llvm.ctpop.i64", {{"i64", scalar(e.in[0])}}));
            case code::least: return one_of("slt", e);
            case code::most: return one_of("sgt", e);
            case code::negated: return result("xor i1 " + scalar(e.in[0]) + ", true");
            case code::choice: return choice(e);
            case code::some: {
                const std::string bits = "i" + count();
                return result("icmp ne " + bits + " " +
                              result("bitcast " + truths_type() + " " + truth(lanes_of(e.in[0]).first) + " to " + bits) +
                              ", 0");
            }
            case code::interrupted: {
                const std::string words = scalar(e.in[0]);
                const std::string state =
                    result("load atomic i64, ptr " + result("load ptr, ptr " + words) + " monotonic, align 8");
                const std::string before = result("load i64, ptr " + forward(words, dtype::u64, "1"));
                return result("icmp ne i64 " + result("lshr i64 " + state + ", 32") + ", " + before);
            }
            case code::forward: {
                const std::string from = scalar(e.in[0]), by = scalar(e.in[1]);
                return forward(from, e.is.of, by);
            }
            case code::bytes: return result("ptrtoint ptr " + scalar(e.in[0]) + " to i64");
            case code::pinned: return scalar(e.in[0]);
            case code::read: return result("load " + element_type(e.is.of) + ", ptr " + scalar(e.in[0]) + aligned(e.is.of));
            case code::cast: return number_of_index(scalar(e.in[0]), e.is.of);
            default: throw std::logic_error("llvm: no such scalar");  // a GPU's
        }
    }

    /// Lanes from an address.
    lanes_value lanes_read(const expression& e) {
        const auto in = [&](std::size_t k) { return scalar(e.in[k]); };
        const std::string from = in(0);
        const dtype t = e.is.of;
        switch (e.what) {
            case code::load_part: return load_part(from, in(1), t);
            case code::gather: return gather(from, in(1), t);
            case code::look_up: {
                const lanes_value places = lanes_of(e.in[1]);
                return gather_at(from, places, e.in.size() > 2 ? in(2) : n(lanes()), t);
            }
            case code::search: {
                const lanes_value values = lanes_of(e.in[1]), elements = lanes_of(e.in[2]);
                return search(e.n != 0, from, values, elements, e.from);
            }
            default: return load(from, t);
        }
    }

    lanes_value lanes_of(loops::expression_id id) {
        const expression& e = at(id);
        const auto in = [&](std::size_t k) { return scalar(e.in[k]); };
        const dtype t = e.is.of;
        switch (e.what) {
            case code::constant: return lanes_constant(e);
            case code::variable: {
                const variable_name& v = variable_at(e.n);
                return v.memory ? load(v.scalar, t) : v.lanes;
            }
            case code::element: return load(place(e.n, e.in[0]), type_of(e.n).of);
            case code::choice: return lanes_choice(e);
            case code::pinned: return lanes_of(e.in[0]);
            case code::load:
            case code::load_part:
            case code::gather:
            case code::look_up:
            case code::search: return lanes_read(e);
            case code::checked: {
                const lanes_value places = lanes_of(e.in[0]), extents = lanes_of(e.in[1]);
                const std::string fault = in(2);
                return checked(places, extents, fault, e.in.size() > 3 ? in(3) : n(lanes()));
            }
            case code::collect: return collect(row_part_of(e.in, 0), e.n, t);
            case code::splat: return splat(in(0), t);
            case code::along: {
                const std::string start = in(0), step = in(1);
                if (e.in.size() == 2) return along(start, step, t);
                const std::string low = in(2), high = in(3);
                return along(start, step, low, high, t);
            }
            case code::compute: {
                std::vector<lanes_value> operands;
                for (const auto a : e.in) operands.push_back(lanes_of(a));
                return llvm::computed(*this, e.op, e.from, operands);
            }
            case code::cast: return llvm::cast(*this, lanes_of(e.in[0]), e.from, t);
            case code::bit_cast: return {bitcast(lanes_of(e.in[0]).first, element_of(t))};
            case code::rotated:
                return reordered(lanes_of(e.in[0]), [&](int k) { return (k + static_cast<int>(e.n)) % lanes(); });
            case code::kept: {
                const lanes_value fresh = lanes_of(e.in[0]), old = lanes_of(e.in[1]);
                return kept(fresh, old, in(2));
            }
            case code::everywhere: return reordered(lanes_of(e.in[0]), [](int) { return 0; });
            default: throw std::logic_error("llvm: no such lanes");
        }
    }

    row_part row_part_of(const std::vector<loops::expression_id>& in, std::size_t first) {
        row_part p;
        for (std::string* const part : {&p.row, &p.stride, &p.index, &p.elements}) *part = scalar(in[first++]);
        return p;
    }

    /// The address of an array's element.
    std::string place(std::int64_t array, loops::expression_id index) {
        return result("getelementptr " + slot_type(type_of(array)) + ", ptr " + variable_at(array).scalar + ", i64 " +
                      scalar(index));
    }

    struct variable_name {
        std::string scalar{};  ///< its value, or where it lies
        lanes_value lanes{};
        bool memory = false;
        std::optional<std::int64_t> known{};
    };
    variable_name& variable_at(std::int64_t variable) { return names_[static_cast<std::size_t>(variable)]; }
    const variable_name& variable_at(std::int64_t variable) const { return names_[static_cast<std::size_t>(variable)]; }

    const loops::function& f_;

private:
    static std::string constant(const expression& e) {
        if (e.is.what == kind::truth) return e.n ? "true" : "false";
        if (is_complex(e.is.of)) {
            const std::string t(llvm::name_of(element_of(e.is.of)));
            return "{ " + t + " " + n(e.n) + ".0, " + t + " 0.0 }";
        }
        return is_float(element_of(e.is.of)) ? n(e.n) + ".0" : n(e.n);
    }
    lanes_value lanes_constant(const expression& e) {
        if (e.is.of == dtype::bool_) return {truth_constant(e.n & 1)};
        return {lane_writer::constant(element_of(e.is.of), static_cast<std::uint64_t>(e.n))};
    }
    std::string word(const expression& e) {
        const std::string t = type_name(e.is);
        return result("load " + t + ", ptr " + word_at(e.n));
    }
    std::string variable(const expression& e) {
        const variable_name& v = variable_at(e.n);
        return v.memory ? result("load " + type_name(type_of(e.n)) + ", ptr " + v.scalar) : v.scalar;
    }
    std::string one_of(const char* predicate, const expression& e) {
        const std::string a = scalar(e.in[0]), b = scalar(e.in[1]);
        return result("select i1 " + result(std::string("icmp ") + predicate + " i64 " + a + ", " + b) + ", i64 " + a +
                      ", i64 " + b);
    }

    // --- choices: only what is taken is evaluated ---

    std::string phi(const std::string& type, const std::string& a, const std::string& b, const ends& of) {
        return result("phi " + type + " [ " + a + ", %" + of.one + " ], [ " + b + ", %" + of.other + " ]");
    }
    std::string choice(const expression& e) {
        std::string a, b;
        const ends at = either(
            scalar(e.in[0]), [&] { a = scalar(e.in[1]); }, [&] { b = scalar(e.in[2]); });
        return phi(type_name(e.is), a, b, at);
    }
    lanes_value lanes_choice(const expression& e) {
        const bool truths = e.is.of == dtype::bool_, pairs = is_complex(e.is.of);
        const element of = element_of(e.is.of);
        std::string first[2], second[2];
        const auto way = [&](std::size_t k) {
            return [&, k] {
                const lanes_value v = lanes_of(e.in[1 + k]);
                first[k] = truths ? truth(v.first) : value(v.first);
                if (pairs) second[k] = value(v.second);
            };
        };
        const ends at = either(scalar(e.in[0]), way(0), way(1));
        const std::string t = truths ? truths_type() : lanes_type(e.is.of);
        lanes_value r{named(phi(t, first[0], first[1], at), of, truths)};
        if (pairs) r.second = named(phi(t, second[0], second[1], at), of);
        return r;
    }

    std::vector<variable_name> names_;
};

class module_writer : expression_writer {
public:
    using expression_writer::expression_writer;

    std::string text() {
        std::string all = "define void @" + f_.name + "(";
        for (std::uint32_t v = 0; v < f_.parameters; ++v) {
            variable_at(v).scalar = "%p" + std::to_string(v);
            all += (v > 0 ? ", " : "") + type_name(f_.variables[v].is) + " " + variable_at(v).scalar;
        }
        start_block("start");
        block(f_.body);
        line("ret void");
        all.reserve(all.size() + entry_.size() + out_.size() + 4096);  // what is called is declared behind
        all.append(") nounwind {\n").append(entry_).append("  br label %start\n").append(out_).append("}\n");
        for (const llvm::table_function& t : tables_) all += "@" + llvm::name_of(t) + " = global ptr null\n";
        for (const std::string& d : declared_) all += d + "\n";
        if (streams_) all += "!0 = !{i32 1}\n";
        return all;
    }

private:
    void block(const loops::block& all) {
        for (const statement& s : all) print(s);
    }
    dtype target_of(const statement& s) const { return at(s.in[0]).is.of; }
    void print(const statement& s) {
        switch (s.what) {
            case act::let: return let(s);
            case act::declare: return declare_variable(s);
            case act::set: return set(variable_at(s.n).scalar, type_of(s.n), s.in[0]);
            case act::put: return put(s);
            case act::loop: return loop(s);
            case act::repeat: return repeat(s);
            case act::when: return when(s);
            case act::leave: line("ret void"); return start_block(label());
            case act::end_loop: return end_loop();
            case act::finish_streams: return finish_streams(s);
            case act::prefetch: return prefetch(s);
            case act::run: return run(s);
            default: return move(s);
        }
    }
    void let(const statement& s) {
        const loops::type& is = type_of(s.n);
        variable_name v;
        if (is.what == kind::lanes)
            v.lanes = lanes_of(s.in[0]);
        else
            v.scalar = scalar(s.in[0]);
        if (is.what == kind::index) v.known = constant_of(s.in[0]);
        variable_at(s.n) = v;
    }
    void declare_variable(const statement& s) {
        const loops::variable& v = f_.variables[s.n];
        if (v.count > 0 && !s.in.empty()) throw std::logic_error("llvm: an array of zeros");  // no schedule of a CPU has one
        if (variable_at(s.n).scalar.empty()) {
            const std::string count = n(std::max<std::int64_t>(v.count, 1));
            variable_at(s.n) = {own_memory("[" + count + " x " + slot_type(v.is) + "], align 64"), {}, true, std::nullopt};
        }
        if (!s.in.empty()) set(variable_at(s.n).scalar, v.is, s.in[0]);
    }
    void set(const std::string& to, const loops::type& is, loops::expression_id from) {
        if (is.what == kind::lanes) return store(to, lanes_of(from), is.of);
        const std::string x = scalar(from);
        line("store " + type_name(is) + " " + x + ", ptr " + to);
    }
    void put(const statement& s) {
        const loops::type& is = type_of(s.n);
        if (is.what == kind::lanes) {
            const lanes_value v = lanes_of(s.in[1]);
            return store(place(s.n, s.in[0]), v, is.of);
        }
        const std::string x = scalar(s.in[1]);
        line("store " + type_name(is) + " " + x + ", ptr " + place(s.n, s.in[0]));
    }

    void loop(const statement& s) {
        const auto from = constant_of(s.in[0]), to = constant_of(s.in[1]);
        const std::int64_t step = at(s.in[2]).n;
        if (from && to && s.unroll > 1 && (*to - *from + step - 1) / step <= static_cast<std::int64_t>(s.unroll)) {
            for (std::int64_t k = *from; k < *to; k += step) {
                variable_at(s.n) = {"", {}, false, k};
                loop_body(s.body, "");
            }
            return;
        }
        const std::string first = scalar(s.in[0]), variable = own_memory("i64");
        line("store i64 " + first + ", ptr " + variable);
        const std::string test = label(), body = label(), end = label();
        go(test);
        start_block(test);
        const std::string now = result("load i64, ptr " + variable);
        branch(result("icmp slt i64 " + now + ", " + scalar(s.in[1])), body, end);
        start_block(body);
        variable_at(s.n) = {now, {}, false, std::nullopt};
        loop_body(s.body, end);
        line("store i64 " + result("add i64 " + now + ", " + n(step)) + ", ptr " + variable);
        go(test);
        start_block(end);
    }
    void repeat(const statement& s) {
        const std::string test = label(), body = label(), end = label();
        go(test);
        start_block(test);
        branch(scalar(s.in[0]), body, end);
        start_block(body);
        loop_body(s.body, end);
        go(test);
        start_block(end);
    }
    void loop_body(const loops::block& all, const std::string& end) {
        const std::string around = std::exchange(loop_end_, end);
        block(all);
        loop_end_ = around;
    }
    void end_loop() {
        if (loop_end_.empty()) throw std::logic_error("llvm: the end of a loop that is unrolled");  // no schedule has one
        go(loop_end_);
        start_block(label());
    }
    void when(const statement& s) {
        const std::string yes = label(), no = label(), end = label();
        branch(scalar(s.in[0]), yes, s.otherwise.empty() ? end : no);
        start_block(yes);
        block(s.body);
        go(end);
        if (!s.otherwise.empty()) {
            start_block(no);
            block(s.otherwise);
            go(end);
        }
        start_block(end);
    }

    // Lanes to memory.
    void move(const statement& s) {
        const dtype t = target_of(s);
        if (s.what == act::spread) {
            const row_part to = row_part_of(s.in, 0);
            return spread(to, lanes_of(s.in[4]), t);
        }
        const std::string to = scalar(s.in[0]);
        switch (s.what) {
            case act::store: return store(to, lanes_of(s.in[1]), t);
            case act::store_part: {
                const lanes_value v = lanes_of(s.in[1]);
                return store_part(to, v, scalar(s.in[2]), t);
            }
            case act::store_first: return store_first(to, lanes_of(s.in[1]), t);
            case act::scatter: {
                const std::string stride = scalar(s.in[1]);
                return scatter(to, stride, lanes_of(s.in[2]), t);
            }
            case act::stream: {
                const std::string far = scalar(s.in[2]);
                return stream(to, lanes_of(s.in[1]), far, t);
            }
            default: throw std::logic_error("llvm: no such statement");  // a GPU's
        }
    }
    void finish_streams(const statement& s) {
        const std::string yes = label(), end = label();
        branch(scalar(s.in[0]), yes, end);
        start_block(yes);
        line(call("void", "@llvm.x86.sse.sfence", {}));
        go(end);
        start_block(end);
    }
    void prefetch(const statement& s) {
        constexpr std::int64_t cache_line = 64;
        const loops::type& is = at(s.in[0]).is;
        std::string from = scalar(s.in[0]);
        if (is.what == kind::index) from = result("inttoptr i64 " + from + " to ptr");
        const std::int64_t bytes = is.what == kind::index ? 1 : size(is.of) * static_cast<std::int64_t>(s.n);
        for (std::int64_t k = 0; k < bytes; k += cache_line) {
            const std::string place = result("getelementptr i8, ptr " + from + ", i64 " + n(k));
            line(call("void", "@llvm.prefetch.p0", {{"ptr", place}, {"i32", "0"}, {"i32", "3"}, {"i32", "1"}}));
        }
    }

    void run(const statement& s) {
        switch (s.runs) {
            case routine::stretch: return call_routine(s, "@frit_stretch", true);
            case routine::narrow: return call_routine(s, "@frit_narrow", true);
            case routine::order_loads: return call_routine(s, "@frit_order_loads", false);
            case routine::fill:
            case routine::fill_clamped: {
                const std::string to = scalar(s.in[0]), width = scalar(s.in[1]);
                const std::int64_t clamp = s.runs == routine::fill_clamped ? at(s.in[6]).n : 0;
                return fill(to, width, row_part_of(s.in, 2), clamp, at(s.in[2]).is.of);
            }
            case routine::spill: {
                const row_part to = row_part_of(s.in, 0);
                return spill(to, scalar(s.in[4]), target_of(s));
            }
            case routine::fill_rows:
                return call_routine(s, "@frit_fill_rows_" + std::string(frit::name_of(target_of(s))), false);
            case routine::spill_rows:
                return call_routine(s, "@frit_spill_rows_" + std::string(frit::name_of(target_of(s))), false);
            case routine::store_words: {
                const std::string to = scalar(s.in[0]);
                const lanes_value v = lanes_of(s.in[1]);
                return store_words(to, v, scalar(s.in[2]), at(s.in[1]).is.of);
            }
        }
    }

    /// @param of_word  the first operand is a word's number
    void call_routine(const statement& s, const std::string& symbol, bool of_word) {
        std::vector<operand> in;
        for (std::size_t k = of_word; k < s.in.size(); ++k) in.push_back({type_name(at(s.in[k]).is), scalar(s.in[k])});
        if (of_word) in.insert(in.begin(), {"ptr", word_at(at(s.in[0]).n)});
        line(call("void", symbol, in));
    }

    std::string loop_end_;  // of the innermost loop, a label
};

}  // namespace

std::string llvm_text(const loops::kernel& k, const target& t) { return module_writer(k, t).text(); }

}  // namespace frit::v0::fusion
