// Prints the loop IR for LLVM: statements and functions. Variables that change and arrays are memory on the stack, which
// LLVM takes into registers where it can; loops over few vectors are unrolled here, so that it can.
#include "fusion/codegen/llvm_loops.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "fusion/codegen/llvm_expressions.hpp"

namespace frit::inline v0::fusion {
namespace {

using llvm::lanes_value;
using loops::act;
using loops::kind;
using loops::routine;
using loops::statement;

class module_writer : llvm::expression_writer {
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
