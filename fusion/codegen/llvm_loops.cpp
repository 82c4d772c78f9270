// Prints the loop IR for LLVM. Variables that change and arrays are memory on the stack, which LLVM takes into registers
// where it can; loops over few vectors are unrolled here, so that it can.
#include "fusion/codegen/llvm_loops.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "fusion/codegen/llvm_lanes.hpp"

namespace frit::inline v0::fusion {
namespace {

using llvm::element;
using llvm::lanes_value;
using loops::act;
using loops::code;
using loops::expression;
using loops::kind;
using loops::routine;
using loops::statement;

/// What an expression is: a scalar by its text, or lanes.
struct printed {
    std::string scalar;
    lanes_value lanes{};
};

class module_writer : llvm::lane_writer {
public:
    module_writer(const loops::kernel& k, const target& t)
        : lane_writer(k.lanes, t.vector_bytes, t.has_fma), kernel_(k), vector_bytes_(t.vector_bytes) {}

    std::string text() {
        std::string functions;
        for (const loops::function& f : kernel_.functions) functions += function(f);
        std::string all;
        for (const llvm::table_function& t : tables_) all += "@" + name_of(t) + " = global ptr null\n";
        for (const std::string& d : declared_) all += d + "\n";
        return all + functions + (streams_ ? "!0 = !{i32 1}\n" : "");
    }

private:
    // --- functions ---

    std::string function(const loops::function& f) {
        f_ = &f;
        names_.assign(f.variables.size(), {});
        start_function();
        here_ = "start";
        std::string head = &f == &kernel_.functions.back() ? "define void @" : "define internal void @";
        head += f.name + "(";
        for (std::uint32_t v = 0; v < f.parameters; ++v) {
            names_[v].scalar = "%p" + std::to_string(v);
            head += (v > 0 ? ", " : "") + type(f.variables[v].is) + " " + names_[v].scalar;
        }
        block(f.body);
        line("ret void");
        return head + ") nounwind {\n" + entry_ + "  br label %start\nstart:\n" + out_ + "}\n";
    }
    std::string label() { return "b" + std::to_string(++labels_); }
    void go(const std::string& to) { line("br label %" + to); }
    void branch(const std::string& condition, const std::string& yes, const std::string& no) {
        line("br i1 " + condition + ", label %" + yes + ", label %" + no);
    }
    void start(const std::string& name) {
        out_ += name + ":\n";
        here_ = name;
    }

    // --- types ---

    static std::string type(const loops::type& t) {
        switch (t.what) {
            case kind::index: return "i64";
            case kind::truth: return "i1";
            case kind::address: return "ptr";
            case kind::number: return element_type(t.of);
            case kind::lanes: break;
        }
        throw std::logic_error("llvm: lanes have no type of their own");
    }
    static std::string element_type(dtype t) {
        if (is_complex(t))
            return "{ " + std::string(name_of(llvm::element_of(t))) + ", " + std::string(name_of(llvm::element_of(t))) +
                   " }";
        return std::string(name_of(llvm::element_of(t)));
    }
    std::string lanes_type(dtype t) const { return vector(llvm::element_of(t), lanes()); }
    std::string count() const { return std::to_string(lanes()); }
    static std::string n(std::int64_t x) { return std::to_string(x); }

    // --- expressions ---

    const expression& at(loops::expression_id id) const { return f_->expressions[id]; }
    std::optional<std::int64_t> constant_of(loops::expression_id id) const {
        const expression& e = at(id);
        if (e.what == code::constant && e.is.what != kind::lanes) return e.n;
        if (e.what == code::variable)
            if (const auto& known = names_[static_cast<std::size_t>(e.n)].known) return known;
        return std::nullopt;
    }
    std::string scalar(loops::expression_id id) { return value(id).scalar; }
    lanes_value lanes_of(loops::expression_id id) { return value(id).lanes; }

    printed value(loops::expression_id id) {
        const expression& e = at(id);
        const auto arithmetic = [&](const std::string& instruction) {
            const std::string a = scalar(e.in[0]), b = scalar(e.in[1]);
            return printed{result(instruction + " " + a + ", " + b)};
        };
        const auto chosen = [&](const char* predicate) {
            const std::string a = scalar(e.in[0]), b = scalar(e.in[1]);
            return printed{result("select i1 " + result(std::string("icmp ") + predicate + " i64 " + a + ", " + b) +
                                  ", i64 " + a + ", i64 " + b)};
        };
        switch (e.what) {
            case code::constant: return constant(e);
            case code::word: return {word(e)};
            case code::variable: return variable(e);
            case code::element: return element_of(e);
            case code::place: return {place(static_cast<std::uint32_t>(e.n), e.in[0])};
            case code::add: return arithmetic("add i64");
            case code::sub: return arithmetic("sub i64");
            case code::mul: return arithmetic("mul i64");
            case code::div: return arithmetic("sdiv i64");
            case code::rem: return arithmetic("srem i64");
            case code::popcount:
                declare("declare i64 @llvm.ctpop.i64(i64)");
                return {result("call i64 @llvm.ctpop.i64(i64 " + scalar(e.in[0]) + ")")};
            case code::least: return chosen("slt");
            case code::most: return chosen("sgt");
            case code::lt: return arithmetic("icmp slt i64");
            case code::le: return arithmetic("icmp sle i64");
            case code::eq: return arithmetic("icmp eq " + type(at(e.in[0]).is));
            case code::ne: return arithmetic("icmp ne " + type(at(e.in[0]).is));
            case code::both: return arithmetic("and i1");
            case code::either: return arithmetic("or i1");
            case code::negated: return {result("xor i1 " + scalar(e.in[0]) + ", true")};
            case code::choice: return choice(e);
            case code::forward: return {forward(scalar(e.in[0]), e.is.of, scalar(e.in[1]))};
            case code::bytes: return {result("ptrtoint ptr " + scalar(e.in[0]) + " to i64")};
            case code::pinned: return value(e.in[0]);
            case code::read:
                return {result("load " + element_type(e.is.of) + ", ptr " + scalar(e.in[0]) + aligned(e.is.of))};
            case code::load: return {"", load(scalar(e.in[0]), e.is.of)};
            case code::load_part: return {"", load_part(scalar(e.in[0]), scalar(e.in[1]), e.is.of)};
            case code::gather: return {"", gather(scalar(e.in[0]), scalar(e.in[1]), e.is.of)};
            case code::collect: return {"", collect(e)};
            case code::splat: return {"", splat(scalar(e.in[0]), e.is.of)};
            case code::along: return {"", along(e)};
            case code::compute: {
                std::vector<lanes_value> in;
                for (const auto a : e.in) in.push_back(lanes_of(a));
                return {"", llvm::computed(*this, e.op, e.from, in)};
            }
            case code::cast:
                if (e.is.what == kind::number) return {number_of_index(scalar(e.in[0]), e.is.of)};
                return {"", llvm::cast(*this, lanes_of(e.in[0]), e.from, e.is.of)};
            case code::rotated: return {"", rotated(lanes_of(e.in[0]), static_cast<int>(e.n))};
            case code::kept: return {"", kept(e)};
            case code::everywhere: {
                const lanes_value v = lanes_of(e.in[0]);
                const std::string t = lane_writer::type(v.first),
                                  x = is_truth(v.first) ? truth(v.first) : lane_writer::value(v.first);
                return {"",
                        {named(result("shufflevector " + t + " " + x + ", " + t + " undef, <" + count() +
                                      " x i32> zeroinitializer"),
                               of(v.first), is_truth(v.first))}};
            }
        }
        throw std::logic_error("llvm: no such expression");
    }

    printed constant(const expression& e) {
        if (e.is.what == kind::lanes && e.is.of == dtype::bool_) return {"", {truth_constant(e.n & 1)}};
        if (e.is.what == kind::lanes)
            return {"", {lane_writer::constant(llvm::element_of(e.is.of), static_cast<std::uint64_t>(e.n))}};
        if (e.is.what == kind::truth) return {e.n ? "true" : "false"};
        if (e.is.what == kind::index) return {n(e.n)};
        if (is_complex(e.is.of)) {
            const std::string t(name_of(llvm::element_of(e.is.of)));
            return {"{ " + t + " " + n(e.n) + ".0, " + t + " 0.0 }"};
        }
        return {is_float(llvm::element_of(e.is.of)) ? n(e.n) + ".0" : n(e.n)};
    }
    std::string word_at(std::int64_t k) { return result("getelementptr i64, ptr %p0, i64 " + n(k)); }
    std::string word(const expression& e) {
        const std::string t = e.is.what == kind::number ? element_type(e.is.of) : type(e.is);
        return result("load " + t + ", ptr " + word_at(e.n));
    }
    printed variable(const expression& e) {
        const variable_name& v = names_[static_cast<std::size_t>(e.n)];
        const loops::type& is = f_->variables[static_cast<std::size_t>(e.n)].is;
        if (v.known) return {n(*v.known)};
        if (!v.memory) return {v.scalar, v.lanes};
        if (is.what != kind::lanes) return {result("load " + type(is) + ", ptr " + v.scalar)};
        return {"", load(v.scalar, is.of)};
    }
    printed element_of(const expression& e) {
        const loops::type& is = f_->variables[static_cast<std::size_t>(e.n)].is;
        const std::string from = place(static_cast<std::uint32_t>(e.n), e.in[0]);
        if (is.what == kind::lanes) return {"", load(from, is.of)};
        return {result("load " + type(is) + ", ptr " + from)};
    }
    // The address of an array's element.
    std::string place(std::uint32_t v, loops::expression_id index) {
        return result("getelementptr " + slot_type(f_->variables[v].is) + ", ptr " + names_[v].scalar + ", i64 " +
                      scalar(index));
    }
    std::string slot_type(const loops::type& is) const {
        if (is.what != kind::lanes) return type(is);
        return is_complex(is.of) ? vector(llvm::element_of(is.of), 2 * lanes()) : lanes_type(is.of);
    }
    std::string forward(const std::string& from, dtype t, const std::string& by) {
        return result("getelementptr " + element_type(t) + ", ptr " + from + ", i64 " + by);
    }
    static std::string aligned(dtype t) {
        return ", align " + n(static_cast<std::int64_t>(size_of(is_complex(t) ? real_dtype(t) : t)));
    }

    // Only what is taken is evaluated.
    printed choice(const expression& e) {
        const std::string condition = scalar(e.in[0]), yes = label(), no = label(), end = label();
        branch(condition, yes, no);
        start(yes);
        const phi_operand a = operand(value(e.in[1]), e.is);
        go(end);
        start(no);
        const phi_operand b = operand(value(e.in[2]), e.is);
        go(end);
        start(end);
        printed r;
        if (e.is.what != kind::lanes) {
            r.scalar = phi(type(e.is), a.first, a.from, b.first, b.from);
        } else {
            const bool truths = e.is.of == dtype::bool_;
            const std::string t = truths ? "<" + count() + " x i1>" : lanes_type(e.is.of);
            r.lanes.first = named(phi(t, a.first, a.from, b.first, b.from), llvm::element_of(e.is.of), truths);
            if (is_complex(e.is.of))
                r.lanes.second = named(phi(t, a.second, a.from, b.second, b.from), llvm::element_of(e.is.of));
        }
        return r;
    }
    struct phi_operand {
        std::string first, second, from;
    };
    phi_operand operand(const printed& p, const loops::type& is) {
        phi_operand o;
        if (is.what != kind::lanes)
            o.first = p.scalar;
        else if (is.of == dtype::bool_)
            o.first = truth(p.lanes.first);
        else
            o.first = lane_writer::value(p.lanes.first);
        if (is.what == kind::lanes && is_complex(is.of)) o.second = lane_writer::value(p.lanes.second);
        o.from = here_;
        return o;
    }
    std::string phi(const std::string& t, const std::string& a, const std::string& from_a, const std::string& b,
                    const std::string& from_b) {
        return result("phi " + t + " [ " + a + ", %" + from_a + " ], [ " + b + ", %" + from_b + " ]");
    }

    // --- lanes in memory ---

    lanes_value loaded(const std::string& name, dtype t) {
        if (t != dtype::bool_) return {named(name, llvm::element_of(t))};
        return {named(result("icmp ne " + lanes_type(t) + " " + name + ", zeroinitializer"), element::i8, true)};
    }
    lanes_value load(const std::string& from, dtype t) {
        const std::string v = lanes_type(t);
        lanes_value r = loaded(result("load " + v + ", ptr " + from + aligned(t)), t);
        if (is_complex(t))
            r.second = named(result("load " + v + ", ptr " + second(from, t) + aligned(t)), llvm::element_of(t));
        return r;
    }
    // Where the other half of complex lanes lies.
    std::string second(const std::string& from, dtype t) {
        return result("getelementptr " + lanes_type(t) + ", ptr " + from + ", i64 1");
    }
    // Truths as bytes.
    std::string stored(llvm::id lanes, dtype t) {
        if (t != dtype::bool_) return lane_writer::value(lanes);
        return result("zext <" + count() + " x i1> " + truth(lanes) + " to " + lanes_type(t));
    }
    void store(const std::string& to, const lanes_value& v, dtype t) {
        line("store " + lanes_type(t) + " " + stored(v.first, t) + ", ptr " + to + aligned(t));
        if (is_complex(t))
            line("store " + lanes_type(t) + " " + lane_writer::value(v.second) + ", ptr " + second(to, t) + aligned(t));
    }
    std::string scratch(dtype t) {
        const std::string name = "%a" + n(++allocas_);
        entry_ += "  " + name + " = alloca [" + n(lanes()) + " x " + element_type(t) + "], align 64\n";
        return name;
    }
    static std::int64_t size(dtype t) { return static_cast<std::int64_t>(size_of(t)); }
    void copy(const std::string& to, const std::string& from, const std::string& elements, dtype t) {
        declare("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)");
        line("call void @llvm.memcpy.p0.p0.i64(ptr " + to + ", ptr " + from + ", i64 " +
             result("mul i64 " + elements + ", " + n(size(t))) + ", i1 false)");
    }
    // Whether the machine has instructions that touch some lanes alone.
    bool has_part_moves(dtype t) const {
        if (is_complex(t) || vector_bytes_ < 32) return false;
        return vector_bytes_ == 64 || size(t) >= 4;
    }
    std::string first_lanes(const std::string& elements) {
        const std::string v = "<" + count() + " x i64>",
                          one = result("insertelement " + v + " undef, i64 " + elements + ", i32 0"),
                          all = result("shufflevector " + v + " " + one + ", " + v + " undef, <" + count() +
                                       " x i32> zeroinitializer");
        std::string iota;
        for (int k = 0; k < lanes(); ++k) iota += (k ? ", i64 " : "i64 ") + n(k);
        return result("icmp slt " + v + " <" + iota + ">, " + all);
    }
    std::string ones(dtype t) {
        const element e = llvm::element_of(t);
        if (is_float(e))
            return lane_writer::value(lane_writer::constant(e, e == element::f64 ? 0x3ff0000000000000U : 0x3f800000U));
        return lane_writer::value(lane_writer::constant(e, 1));
    }
    std::string mangled(dtype t) const {
        const element e = llvm::element_of(t);
        return "v" + count() + (is_float(e) ? "f" : "i") + n(8 * bytes_of(e));
    }
    lanes_value load_part(const std::string& from, const std::string& elements, dtype t) {
        if (!has_part_moves(t)) {
            const std::string at = scratch(t);
            line("store " + lanes_type(t) + " " + ones(t) + ", ptr " + at);
            if (is_complex(t)) line("store " + lanes_type(t) + " " + ones(t) + ", ptr " + second(at, t));
            copy(at, from, elements, t);
            return load(at, t);
        }
        const std::string v = lanes_type(t), m = "<" + count() + " x i1>",
                          symbol = "@llvm.masked.load." + mangled(t) + ".p0";
        declare("declare " + v + " " + symbol + "(ptr, i32, " + m + ", " + v + ")");
        return loaded(result("call " + v + " " + symbol + "(ptr " + from + ", i32 " + n(size(t)) + ", " + m + " " +
                             first_lanes(elements) + ", " + v + " " + ones(t) + ")"),
                      t);
    }
    void store_part(const std::string& to, const lanes_value& lanes, const std::string& elements, dtype t) {
        if (!has_part_moves(t)) {
            const std::string at = scratch(t);
            store(at, lanes, t);
            return copy(to, at, elements, t);
        }
        const std::string v = lanes_type(t), m = "<" + count() + " x i1>",
                          symbol = "@llvm.masked.store." + mangled(t) + ".p0";
        declare("declare void " + symbol + "(" + v + ", ptr, i32, " + m + ")");
        const std::string x = stored(lanes.first, t);
        line("call void " + symbol + "(" + v + " " + x + ", ptr " + to + ", i32 " + n(size(t)) + ", " + m + " " +
             first_lanes(elements) + ")");
    }

    // --- lanes that are no neighbours ---

    lanes_value gather(const std::string& from, const std::string& stride, dtype t) {
        const std::string at = scratch(t), e = element_type(t);
        for (int k = 0; k < lanes(); ++k) {
            const std::string x =
                result("load " + e + ", ptr " + forward(from, t, result("mul i64 " + stride + ", " + n(k))) + aligned(t));
            line("store " + e + " " + x + ", ptr " + forward(at, t, n(k)) + aligned(t));
        }
        return load(at, t);
    }
    void scatter(const std::string& to, const std::string& stride, const lanes_value& lanes, dtype t) {
        const std::string at = scratch(t), e = element_type(t);
        store(at, lanes, t);
        for (int k = 0; k < this->lanes(); ++k) {
            const std::string x = result("load " + e + ", ptr " + forward(at, t, n(k)) + aligned(t));
            line("store " + e + " " + x + ", ptr " + forward(to, t, result("mul i64 " + stride + ", " + n(k))) + aligned(t));
        }
    }
    void fill(const std::string& to, const std::string& width, const std::string& row, const std::string& stride,
              const std::string& index, const std::string& elements, std::int64_t clamp, dtype t) {
        const std::string symbol = (clamp ? "@frit_fill_clamped_" : "@frit_fill_") + std::string(name_of(t));
        declare("declare void " + symbol + "(ptr, i64, ptr, i64, i64, i64" + (clamp ? ", ptr)" : ")"));
        line("call void " + symbol + "(ptr " + to + ", i64 " + width + ", ptr " + row + ", i64 " + stride + ", i64 " +
             index + ", i64 " + elements + (clamp ? ", ptr " + word_at(clamp) : "") + ")");
    }
    void spill(const std::string& row, const std::string& stride, const std::string& index, const std::string& elements,
               const std::string& from, dtype t) {
        const std::string symbol = "@frit_spill_" + std::string(name_of(t));
        declare("declare void " + symbol + "(ptr, i64, i64, i64, ptr)");
        line("call void " + symbol + "(ptr " + row + ", i64 " + stride + ", i64 " + index + ", i64 " + elements + ", ptr " +
             from + ")");
    }
    lanes_value collect(const expression& e) {
        const std::string at = scratch(e.is.of), row = scalar(e.in[0]), stride = scalar(e.in[1]), index = scalar(e.in[2]),
                          elements = scalar(e.in[3]);
        fill(at, count(), row, stride, index, elements, e.n, e.is.of);
        return load(at, e.is.of);
    }

    lanes_value splat(const std::string& number, dtype t) {
        if (is_complex(t)) return splat_complex(number, t);
        const std::string e = element_type(t), v = lanes_type(t);
        const std::string one = result("insertelement " + v + " undef, " + e + " " + number + ", i32 0");
        return loaded(
            result("shufflevector " + v + " " + one + ", " + v + " undef, <" + count() + " x i32> zeroinitializer"), t);
    }
    lanes_value splat_complex(const std::string& number, dtype t) {
        const std::string e = element_type(t), part(name_of(llvm::element_of(t))), v = lanes_type(t);
        const std::string re = result("extractvalue " + e + " " + number + ", 0"),
                          im = result("extractvalue " + e + " " + number + ", 1");
        const std::string one = result("insertelement " + v + " undef, " + part + " " + re + ", i32 0"),
                          two = result("insertelement " + v + " " + one + ", " + part + " " + im + ", i32 1");
        std::string turn;
        for (int k = 0; k < lanes(); ++k) turn += (k ? ", i32 " : "i32 ") + n(k % 2);
        const llvm::id both =
            named(result("shufflevector " + v + " " + two + ", " + v + " undef, <" + count() + " x i32> <" + turn + ">"),
                  llvm::element_of(t));
        return {both, both};
    }
    std::string number_of_index(const std::string& index, dtype t) {
        const element e = llvm::element_of(t);
        if (e == element::i64) return index;
        return result((is_float(e) ? "sitofp i64 " : "trunc i64 ") + index + " to " + std::string(name_of(e)));
    }
    // start + step * lane, in the dtype or, where it is clamped, as indices first.
    lanes_value along(const expression& e) {
        const std::string start = scalar(e.in[0]), step = scalar(e.in[1]);
        if (e.in.size() == 2) return {steps(number_of_index(start, e.is.of), number_of_index(step, e.is.of), e.is.of)};
        const llvm::id i = steps(start, step, dtype::i64), low = splat(scalar(e.in[2]), dtype::i64).first,
                       high = splat(scalar(e.in[3]), dtype::i64).first;
        const llvm::id raised = select(compare("icmp sgt", i, low), i, low),
                       both = select(compare("icmp slt", raised, high), raised, high);
        const element to = llvm::element_of(e.is.of);
        if (to == element::i64) return {both};
        return {converted(is_float(to) ? "sitofp" : "trunc", both, to)};
    }
    llvm::id steps(const std::string& start, const std::string& step, dtype t) {
        const element e = llvm::element_of(t);
        std::string iota;
        for (int k = 0; k < lanes(); ++k)
            iota += (k ? ", " : "") + std::string(name_of(e)) + " " + n(k) + (is_float(e) ? ".0" : "");
        const std::string v = lanes_type(t), by = lane_writer::value(splat(step, t).first),
                          from = lane_writer::value(splat(start, t).first);
        const std::string product = result((is_float(e) ? "fmul " : "mul ") + v + " " + by + ", <" + iota + ">");
        return named(result((is_float(e) ? "fadd " : "add ") + v + " " + from + ", " + product), e);
    }
    lanes_value rotated(const lanes_value& v, int by) {
        std::string order;
        for (int k = 0; k < lanes(); ++k) order += (k ? ", i32 " : "i32 ") + n((k + by) % lanes());
        const bool truths = is_truth(v.first);
        const std::string t = lane_writer::type(v.first), x = truths ? truth(v.first) : lane_writer::value(v.first);
        return {named(result("shufflevector " + t + " " + x + ", " + t + " undef, <" + count() + " x i32> <" + order + ">"),
                      of(v.first), truths)};
    }
    lanes_value kept(const expression& e) {
        const lanes_value fresh = lanes_of(e.in[0]), old = lanes_of(e.in[1]);
        return {select(named(first_lanes(scalar(e.in[2])), element::i8, true), fresh.first, old.first)};
    }

    // --- statements ---

    void block(const loops::block& all) {
        for (const statement& s : all) print(s);
    }
    dtype target_of(const statement& s) const { return at(s.in[0]).is.of; }
    void print(const statement& s) {
        switch (s.what) {
            case act::let: return let(s);
            case act::declare: return declare_variable(s);
            case act::set: return set(names_[s.n].scalar, f_->variables[s.n].is, value(s.in[0]));
            case act::put: {
                const printed v = value(s.in[1]);
                return set(place(s.n, s.in[0]), f_->variables[s.n].is, v);
            }
            case act::loop: return loop(s);
            case act::repeat: return repeat(s);
            case act::when: return when(s);
            case act::leave: line("ret void"); return start(label());
            case act::store: return store(scalar(s.in[0]), lanes_of(s.in[1]), target_of(s));
            case act::store_part: return store_part(scalar(s.in[0]), lanes_of(s.in[1]), scalar(s.in[2]), target_of(s));
            case act::store_first: return store_first(scalar(s.in[0]), lanes_of(s.in[1]), target_of(s));
            case act::scatter: return scatter(scalar(s.in[0]), scalar(s.in[1]), lanes_of(s.in[2]), target_of(s));
            case act::spread: return spread(s);
            case act::stream: return stream(s);
            case act::finish_streams: return finish_streams(s);
            case act::prefetch: return prefetch(s);
            case act::run: return run(s);
        }
    }
    void let(const statement& s) {
        const printed v = value(s.in[0]);
        names_[s.n] = {v.scalar, v.lanes, false, std::nullopt};
        if (const auto known = constant_of(s.in[0]); known && f_->variables[s.n].is.what == kind::index)
            names_[s.n].known = known;
    }
    void declare_variable(const statement& s) {
        const loops::variable& v = f_->variables[s.n];
        if (names_[s.n].scalar.empty()) {
            names_[s.n] = {"%a" + n(++allocas_), {}, true, std::nullopt};
            entry_ += "  " + names_[s.n].scalar + " = alloca [" + n(std::max<std::int64_t>(v.count, 1)) + " x " +
                      slot_type(v.is) + "], align 64\n";
        }
        if (!s.in.empty()) set(names_[s.n].scalar, v.is, value(s.in[0]));
    }
    void set(const std::string& to, const loops::type& is, const printed& v) {
        if (is.what == kind::lanes)
            store(to, v.lanes, is.of);
        else
            line("store " + type(is) + " " + v.scalar + ", ptr " + to);
    }

    void loop(const statement& s) {
        const auto from = constant_of(s.in[0]), to = constant_of(s.in[1]);
        const std::int64_t step = at(s.in[2]).n;
        if (from && to && s.unroll > 1 && (*to - *from + step - 1) / step <= static_cast<std::int64_t>(s.unroll)) {
            for (std::int64_t k = *from; k < *to; k += step) {
                names_[s.n] = {"", {}, false, k};
                block(s.body);
            }
            return;
        }
        const std::string first = scalar(s.in[0]), variable = "%a" + n(++allocas_);
        entry_ += "  " + variable + " = alloca i64\n";
        line("store i64 " + first + ", ptr " + variable);
        const std::string test = label(), body = label(), end = label();
        go(test);
        start(test);
        const std::string now = result("load i64, ptr " + variable);
        branch(result("icmp slt i64 " + now + ", " + scalar(s.in[1])), body, end);
        start(body);
        names_[s.n] = {now, {}, false, std::nullopt};
        block(s.body);
        line("store i64 " + result("add i64 " + now + ", " + n(step)) + ", ptr " + variable);
        go(test);
        start(end);
    }
    void repeat(const statement& s) {
        const std::string test = label(), body = label(), end = label();
        go(test);
        start(test);
        branch(scalar(s.in[0]), body, end);
        start(body);
        block(s.body);
        go(test);
        start(end);
    }
    void when(const statement& s) {
        const std::string yes = label(), no = label(), end = label();
        branch(scalar(s.in[0]), yes, s.otherwise.empty() ? end : no);
        start(yes);
        block(s.body);
        go(end);
        if (!s.otherwise.empty()) {
            start(no);
            block(s.otherwise);
            go(end);
        }
        start(end);
    }

    void store_first(const std::string& to, const lanes_value& v, dtype t) {
        const std::string e(name_of(llvm::element_of(t)));
        const auto part = [&](llvm::id lanes, int k, const std::string& where) {
            line("store " + e + " " + result("extractelement " + lanes_type(t) + " " + stored(lanes, t) + ", i32 " + n(k)) +
                 ", ptr " + where + aligned(t));
        };
        part(v.first, 0, to);
        if (is_complex(t)) part(v.first, 1, result("getelementptr " + e + ", ptr " + to + ", i64 1"));
    }
    void spread(const statement& s) {
        const dtype t = target_of(s);
        const std::string at = scratch(t), row = scalar(s.in[0]), stride = scalar(s.in[1]), index = scalar(s.in[2]),
                          elements = scalar(s.in[3]);
        store(at, lanes_of(s.in[4]), t);
        spill(row, stride, index, elements, at, t);
    }
    // Past the caches where the address is aligned to the vector.
    void stream(const statement& s) {
        const dtype t = target_of(s);
        const std::string to = scalar(s.in[0]), far = scalar(s.in[2]), yes = label(), no = label(), end = label();
        const lanes_value v = lanes_of(s.in[1]);
        const std::string first = stored(v.first, t), other = is_complex(t) ? lane_writer::value(v.second) : "";
        const auto all = [&](const std::string& how) {
            line("store " + lanes_type(t) + " " + first + ", ptr " + to + how);
            if (is_complex(t)) line("store " + lanes_type(t) + " " + other + ", ptr " + second(to, t) + how);
        };
        branch(far, yes, no);
        start(yes);
        all(", align " + n(lanes() * bytes_of(llvm::element_of(t))) + ", !nontemporal !0");
        streams_ = true;
        go(end);
        start(no);
        all(aligned(t));
        go(end);
        start(end);
    }
    void finish_streams(const statement& s) {
        const std::string yes = label(), end = label();
        branch(scalar(s.in[0]), yes, end);
        start(yes);
        declare("declare void @llvm.x86.sse.sfence()");
        line("call void @llvm.x86.sse.sfence()");
        go(end);
        start(end);
    }
    void prefetch(const statement& s) {
        constexpr std::int64_t cache_line = 64;
        const loops::type& is = at(s.in[0]).is;
        std::string from = scalar(s.in[0]);
        if (is.what == kind::index) from = result("inttoptr i64 " + from + " to ptr");
        declare("declare void @llvm.prefetch.p0(ptr, i32, i32, i32)");
        const std::int64_t bytes = is.what == kind::index ? 1 : size(is.of) * static_cast<std::int64_t>(s.n);
        for (std::int64_t k = 0; k < bytes; k += cache_line)
            line("call void @llvm.prefetch.p0(ptr " + result("getelementptr i8, ptr " + from + ", i64 " + n(k)) +
                 ", i32 0, i32 3, i32 1)");
    }
    void run(const statement& s) {
        switch (s.runs) {
            case routine::narrow: {
                declare("declare void @frit_narrow(ptr, ptr)");
                const std::string inside = scalar(s.in[1]);
                return line("call void @frit_narrow(ptr " + word_at(at(s.in[0]).n) + ", ptr " + inside + ")");
            }
            case routine::order_loads: {
                declare("declare void @frit_order_loads(ptr, i64, ptr)");
                const std::string a = scalar(s.in[0]), b = scalar(s.in[1]), c = scalar(s.in[2]);
                return line("call void @frit_order_loads(ptr " + a + ", i64 " + b + ", ptr " + c + ")");
            }
            case routine::fill:
            case routine::fill_clamped: {
                std::vector<std::string> in;
                for (std::size_t k = 0; k < 6; ++k) in.push_back(scalar(s.in[k]));
                const std::int64_t clamp = s.runs == routine::fill_clamped ? at(s.in[6]).n : 0;
                return fill(in[0], in[1], in[2], in[3], in[4], in[5], clamp, at(s.in[2]).is.of);
            }
            case routine::spill: {
                std::vector<std::string> in;
                for (const auto a : s.in) in.push_back(scalar(a));
                return spill(in[0], in[1], in[2], in[3], in[4], at(s.in[0]).is.of);
            }
            case routine::store_words: return store_words(s);
            case routine::call: {
                std::string list;
                for (std::uint32_t v = 0; v < f_->parameters; ++v)
                    list += (v ? ", " : "") + type(f_->variables[v].is) + " " + names_[v].scalar;
                return line("call void @" + kernel_.functions[s.n].name + "(" + list + ")");
            }
        }
    }
    // Words are as many elements apart as a word has.
    void store_words(const statement& s) {
        const dtype t = at(s.in[1]).is.of;
        const std::string to = scalar(s.in[0]);
        const lanes_value v = lanes_of(s.in[1]);
        if (constant_of(s.in[2]) == 1) return store_first(to, v, t);
        const std::string from = scratch(t);
        store(from, v, t);
        spill(to, n(8 / size(t)), "0", scalar(s.in[2]), from, t);
    }

    struct variable_name {
        std::string scalar{};  // its value, or where it lies
        lanes_value lanes{};
        bool memory = false;
        std::optional<std::int64_t> known{};
    };

    const loops::kernel& kernel_;
    const int vector_bytes_;
    const loops::function* f_ = nullptr;
    std::vector<variable_name> names_;
    std::string here_;  // the block that is being written
    int labels_ = 0, allocas_ = 0;
    bool streams_ = false;  // some store is not temporal
};

}  // namespace

std::string llvm_text(const loops::kernel& k, const target& t) { return module_writer(k, t).text(); }

}  // namespace frit::v0::fusion
