// Prints the loop IR as CUDA C++: a table of what each code is called there, the parameters' struct, and a struct of an
// accumulator for each rule of a reduction; how ops, constants and casts are spelled there.
#include "fusion/codegen/cuda_c.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string_view>

#include "fusion/codegen/c_loops.hpp"
#include "fusion/codegen/cuda_prelude.hpp"
#include "fusion/schedules/gpu/gpu.hpp"

namespace frit::inline v0::fusion {
namespace {

using loops::act;
using loops::code;
using loops::expression;
using loops::kind;
using loops::statement;

/// $T is the type of the result, $A its accumulator's struct.
constexpr std::string_view pattern(code what) {
    switch (what) {
        case code::least: return "frit_min<$T>($a, $b)";
        case code::clamped: return "frit_clamp($a, $b, $c)";
        case code::pinned: return "frit_opaque($a)";
        case code::retyped: return "(($T)$a)";
        case code::identity: return "$A::start()";
        case code::part: return "$a.p$n";
        case code::tree: return "frit_tree<$n, $A>($a)";
        case code::tree_part: return "frit_partial<$n, $A>($a, $b, $c)";
        case code::group_total: return "frit_group_total<$n, $A>($a)";
        case code::dealt_total: return "frit_dealt_total<$n, $b, $A>($a)";
        case code::block_total: return "frit_block_total<$n, $A>($a)";
        case code::column_total: return "frit_column_total<$n, $A>($a, $b)";
        case code::of_lane: return "$A::from($a, $n)";
        case code::from_lane: return "frit_from($a, $b)";
        case code::arrival: return "frit_arrival((unsigned*)$a, $b)";
        case code::turn: return "frit_turn((unsigned*)$a)";
        case code::last_block: return "frit_last_block((unsigned*)$a, $b)";
        default: return "";
    }
}
constexpr std::string_view pattern(act what) {
    return what == act::write ? "*$a = $b;" : what == act::add_at ? "frit_add_at($a, $b);" : "";
}

constexpr std::string_view launch_indices[] = {"threadIdx.x", "threadIdx.y", "blockIdx.x", "blockIdx.y", "blockIdx.z",
                                               "blockDim.x",  "blockDim.y",  "gridDim.x",  "gridDim.y"};
static_assert(std::size(launch_indices) == static_cast<std::size_t>(loops::launch_index::blocks_y) + 1);

std::string text(std::uint64_t n) { return std::to_string(n); }

std::string cuda_type(dtype t) {
    if (t == dtype::bool_) return "bool";
    if (is_short(t)) return t == dtype::f16 ? "f16" : "bf16";
    if (is_complex(t)) return t == dtype::c64 ? "c64" : "c128";
    const std::string_view kind = is_float(t) ? "f" : kind_of(t) == dtype_kind::unsigned_integer ? "u" : "i";
    return std::string(kind) + std::to_string(8 * size_of(t));
}

std::string accumulator(const loops::kernel& k, std::size_t rule) { return k.entry.name + "_acc" + text(rule); }

/// The words in runs: addresses p<first>[n], numbers n<first>[n].
struct word_run {
    std::uint32_t first, count;
    bool addresses;
    std::string name() const { return (addresses ? "p" : "n") + text(first); }
};
std::vector<word_run> runs_of(const loops::kernel& k) {
    std::vector<word_run> runs;
    for (std::uint32_t w = 0; w < k.addresses.size(); ++w)
        if (runs.empty() || runs.back().addresses != k.addresses[w])
            runs.push_back({w, 1, k.addresses[w]});
        else
            ++runs.back().count;
    return runs;
}

class printer : c_printer {
public:
    printer(const loops::kernel& k, const dialect& d) : c_printer(k, d), kernel_(k), runs_(runs_of(k)) {}

    std::string text() {
        line(0, "extern \"C\" __global__ void __launch_bounds__(" + fusion::text(kernel_.threads) +
                    (kernel_.blocks_per_sm > 0 ? ", " + fusion::text(kernel_.blocks_per_sm) : "") + ")");
        line(0, f_.name + "(const __grid_constant__ " + f_.name + "_words w) {");
        const std::size_t top = out_.size();
        block(f_.body, 1);
        if (philox_blocks_ > 0) {
            std::string kept = "    frit_philox_block";
            for (std::uint64_t k = 0; k < philox_blocks_; ++k) kept += (k > 0 ? ", words" : " words") + fusion::text(k);
            out_.insert(top, kept + ";\n");
        }
        return std::move(out_) + "}\n";
    }

private:
    std::string_view pattern_of(code what) const override { return pattern(what); }
    std::string_view pattern_of(act what) const override { return pattern(what); }
    // Of one key and stream, a block of random words is kept for the thread's next element.
    std::string computed(const expression& e) override {
        if ((e.op != op::philox32 && e.op != op::philox64) || e.n == 0) return c_printer::computed(e);
        return drawn(e);
    }
    std::string drawn(const expression& e) {
        std::string text = dialect_.function(info(e.op).name, e.from) + "(words" + fusion::text(philox_blocks_++);
        for (const loops::expression_id a : e.in) text += ", " + value(a);
        return text + ")";
    }
    static std::string index(dtype t) {
        const std::string wide = size_of(t) == 8 ? "long long" : "int";
        return kind_of(t) != dtype_kind::unsigned_integer ? wide : size_of(t) == 8 ? "unsigned " + wide : "unsigned";
    }
    std::string type(const loops::type& t) const override {
        const std::string of = t.rule > 0 ? accumulator(kernel_, t.rule - 1U) : cuda_type(t.of);
        switch (t.what) {
            case kind::index: return index(t.of);
            case kind::truth: return "bool";
            case kind::address: return (t.constant ? "const " : "") + of + "*";
            default: return of;
        }
    }
    std::string filled(char letter, const loops::type& t) override {
        return letter == 'A' ? accumulator(kernel_, t.rule - 1U) : type(t);
    }
    using c_printer::filled;
    std::string declared(const loops::variable& v) const override {
        const std::string count = fusion::text(static_cast<std::uint64_t>(v.count));
        if (v.in == loops::storage::packed) return "frit_shorts<" + type(v.is) + ", " + count + "> $";
        const std::string wide = v.aligned > 1 ? "alignas(" + fusion::text(v.aligned * size_of(v.is.of)) + ") " : "";
        return (v.in == loops::storage::shared ? wide + "__shared__ " : "") + type(v.is) + " $[" + count + "]";
    }
    std::string unroll(std::uint32_t n) const override {
        if (n == loops::as_compilers_like) return "";
        return "#pragma unroll" + (n == loops::wholly ? "" : " " + fusion::text(n));
    }

    std::string special(const expression& e) override {
        switch (e.what) {
            case code::constant: return constant(e);
            case code::launch: return std::string(launch_indices[e.n]);
            case code::word: return word(e);
            case code::place: return value_of_place(e);
            case code::cast: return cast(e);
            case code::bit_cast: return dialect_.bit_cast(value(e.in[0]), e.is.of);
            case code::look_up: {
                const std::string at = value(e.in[1]) + ".v";
                return value(e.in[0]) + "[" + (e.in.size() > 2 ? value(e.in[2]) + " ? " + at + " : 0" : at) + "]";
            }
            case code::search:
                return std::string("frit_search<") + (e.n ? "true" : "false") + ">(" + value(e.in[0]) + ", " +
                       value(e.in[1]) + ", " + value(e.in[2]) + ")";
            case code::checked: {
                const std::string fault = value(e.in[2]);
                return "frit_index(" + value(e.in[0]) + ", " + value(e.in[1]) + ", " +
                       (e.in.size() > 3 ? value(e.in[3]) + " ? " + fault + " : 0" : fault) + ")";
            }
            case code::drawn: return drawn(e);
            case code::lifted: return lifted(e);
            case code::taken: return type(e.is) + "::take" + operands(e);
            case code::before_lane: return "frit_before_lane<" + type(e.is) + ">" + operands(e);
            case code::before_warp: return "frit_before_warp<" + std::to_string(e.n) + ", " + type(e.is) + ">" + operands(e);
            case code::before_block: return "frit_before_block<" + type(e.is) + ">" + operands(e);
            default: throw std::logic_error("cuda_c: no such expression");
        }
    }
    std::string constant(const expression& e) const {
        const std::string n = std::to_string(e.n);
        if (e.is.what == kind::truth) return e.n ? "true" : "false";
        if (e.is.what == kind::number) return type(e.is) + (e.n == 0 ? "{}" : "(" + n + ")");
        if (e.n > std::numeric_limits<int>::max())
            return n + (kind_of(e.is.of) == dtype_kind::unsigned_integer ? "u" : "") + (size_of(e.is.of) == 8 ? "ll" : "");
        return e.n < 0 ? "(" + n + ")" : n;
    }
    std::string word(const expression& e) const {
        const auto n = static_cast<std::uint32_t>(e.n);
        const auto run = std::find_if(runs_.rbegin(), runs_.rend(), [n](const word_run& r) { return r.first <= n; });
        const std::string w = "w." + run->name() + "[" + fusion::text(n - run->first) + "]", t = type(e.is);
        if (e.is.what != kind::number) return "((" + t + ")" + w + ")";
        switch (e.is.of) {
            case dtype::bool_: return "((" + w + " & 255) != 0)";
            case dtype::f32: return "__uint_as_float((unsigned)" + w + ")";
            case dtype::f64: return "__longlong_as_double(" + w + ")";
            default: return t + "((" + t + "::value)" + w + ")";
        }
    }
    bool is_constant(loops::expression_id id, std::int64_t n) const {
        const expression& e = f_.expressions[id];
        return e.what == code::constant && e.n == n;
    }
    std::string value_of_place(const expression& e) {
        const loops::variable& v = f_.variables[static_cast<std::size_t>(e.n)];
        const std::string& name = name_of(e.n);
        const expression& at = f_.expressions[e.in[0]];
        // A multiple of what an array is aligned to counts packs: the product, in 32 bits, might wrap.
        if (v.aligned > 1 && at.what == code::mul && is_constant(at.in[1], v.aligned))
            return "((frit_pack<" + type(v.is) + ", " + fusion::text(v.aligned) + ">*)" + name + ")[" + value(at.in[0]) +
                   "].at";
        const bool first = is_constant(e.in[0], 0);
        const std::string place = first ? name : "(" + name + " + " + value(e.in[0]) + ")";
        return v.in == loops::storage::packed && first ? "(" + name + " + 0)" : place;
    }
    std::string cast(const expression& e) {
        const loops::type& from = f_.expressions[e.in[0]].is;
        const std::string x = value(e.in[0]);
        if (e.is.what == kind::index) return "(" + index(e.is.of) + ")" + (from.what == kind::index ? x : "(" + x + ")");
        return dialect_.cast(from.what == kind::index ? cuda_type(e.from) + "(" + x + ")" : x, e.from, e.is.of);
    }
    std::string operands(const expression& e) {
        std::string list;
        for (const loops::expression_id a : e.in) {
            const bool words = f_.expressions[a].is.what == kind::address;
            list += (list.empty() ? "" : ", ") + std::string(words ? "(unsigned long long*)" : "") + value(a);
        }
        return "(" + list + ")";
    }
    std::string lifted(const expression& e) {
        const reduction_rule& rule = *kernel_.rules[e.is.rule - 1U];
        std::string parts;
        for (int k = 0; k < rule.parts; ++k) {
            if (k) parts += ", ";
            switch (rule.lift[k]) {
                case part_source::value: parts += value(e.in[0]); break;
                case part_source::second: parts += value(e.in[1]); break;
                case part_source::third: parts += value(e.in[2]); break;
                case part_source::own: parts += value(e.in[static_cast<std::size_t>(k)]); break;
                case part_source::one: parts += cuda_type(rule.types[k]) + "(1)"; break;
                case part_source::minus_zero: parts += cuda_type(rule.types[k]) + "(-0.0)"; break;
            }
        }
        return type(e.is) + "{" + parts + "}";
    }

    void special(const statement& s, int depth) override {
        switch (s.what) {
            case act::copy_in: return line(depth, copy_in(s));
            case act::copy_out: return line(depth, copy_out(s));
            case act::prefetch: return line(depth, filled("frit_prefetch<$n>($a);", s.in, s.n, loops::index_type()));
            case act::barrier: return line(depth, s.n == 1 ? "__syncwarp();" : "__syncthreads();");
            default: throw std::logic_error("cuda_c: no such statement");
        }
    }
    static std::string widths(const loops::transfer& how) {
        return fusion::text(how.count) + ", " + fusion::text(how.width);
    }
    std::string copy_in(const statement& s) {
        const std::string operands = ">(" + value(s.in[0]) + ", " + value(s.in[1]) + ");", w = widths(s.how);
        switch (s.how.policy) {
            case loops::cache::streamed: return "frit_load_streamed<" + w + operands;
            case loops::cache::once: return "frit_once<" + w + ", false" + operands;
            case loops::cache::once_of_both: return "frit_once<" + w + ", true" + operands;
            case loops::cache::pieces: return "frit_load_piece(" + operands.substr(2);
            default: return "frit_load<" + w + operands;
        }
    }
    std::string copy_out(const statement& s) {
        const std::string to = value(s.in[0]), from = value(s.in[1]), n = fusion::text(s.how.count);
        const std::string every = "frit_every<" + n + ", " + fusion::text(s.how.step) + ">(" + from + ")";
        if (s.how.policy == loops::cache::plain)
            return "*(frit_pack<" + cuda_type(f_.expressions[s.in[0]].is.of) + ", " + n + ">*)" + to + " = " + every + ";";
        return "frit_stream<" + widths(s.how) + ">(" + to + ", " + (s.how.step > 1 ? every + ".at" : from) + ");";
    }

    const loops::kernel& kernel_;
    const std::vector<word_run> runs_;
    std::uint64_t philox_blocks_ = 0;
};

// --- accumulators ---

std::string constant_of(dtype t, std::uint64_t bits) {
    if (t == dtype::bool_) return bits ? "true" : "false";
    if (t == dtype::f32) return "__uint_as_float(" + text(bits) + "u)";
    if (t == dtype::f64) return "__longlong_as_double((long long)" + text(bits) + "ull)";
    return cuda_type(t) + "((" + cuda_type(t) + "::value)" + text(bits) + "ull)";
}

// The rule's instructions, c0, c1, ...; `leaf` says what those read that are no ops.
template <class F>
std::string lines_of(const dialect& d, const std::vector<instruction>& code, F leaf) {
    const auto name = [](std::size_t k) { return "c" + text(k); };
    const auto value = [&](const instruction& i) -> std::string {
        if (i.code == op::cast) return d.cast(name(i.a), code[i.a].type, i.type);
        if (i.code == op::bit_cast) return d.bit_cast(name(i.a), i.type);
        if (!is_elementwise(i.code)) return leaf(i);
        const dtype by = code[info(i.code).result == op_result::SELECT ? i.b : i.a].type;
        return spell(d, i.code, by, name(i.a), name(i.b), name(i.c));
    };
    std::string out;
    for (std::size_t k = 0; k < code.size(); ++k)
        out += "        const " + cuda_type(code[k].type) + " " + name(k) + " = " + value(code[k]) + ";\n";
    return out;
}

// What accumulators are: start, combine, take; and the shuffles down and from. What a rule is given, the first two pass on.
std::string accumulator_struct(const dialect& d, const reduction_rule& rule, const std::string& a) {
    const auto list = [&](auto&& part) {
        std::string all;
        for (int k = 0; k < rule.parts; ++k) all += (k ? ", " : "") + part(k);
        return "{" + all + "}";
    };
    const auto p = [](int k) { return "p" + std::to_string(k); };
    const auto method = [&](const std::string& signature, const std::string& body) {
        return "    static __device__ inline " + a + " " + signature + " {\n" + body + "    }\n";
    };
    const auto result = [&](auto&& part) { return "        return " + list(part) + ";\n"; };
    std::string given, passed;
    for (std::size_t k = 0; k < rule.given.size(); ++k) {
        given += ", " + cuda_type(rule.given[k]) + " g" + text(k);
        passed += ", g" + text(k);
    }
    const std::string operands = "(const " + a + "& a, const " + a + "& b" + given + ")";
    const auto by = [&](const char* name, const rule_code& code) {
        const auto leaf = [&](const instruction& i) -> std::string {
            if (i.code == op::scalar) return cuda_type(i.type) + "(1)";
            if (i.a >= 2 * rule.parts) return "g" + std::to_string(i.a - 2 * rule.parts);
            return i.a < rule.parts ? "a." + p(i.a) : "b." + p(i.a - rule.parts);
        };
        return method(std::string(name) + operands,
                      lines_of(d, code.steps, leaf) + result([&](int k) { return "c" + text(code.result[k]); }));
    };
    std::string out = "struct " + a + " {\n";
    for (int k = 0; k < rule.parts; ++k) out += "    " + cuda_type(rule.types[k]) + " " + p(k) + ";\n";
    out += method("start()", result([&](int k) { return constant_of(rule.types[k], rule.identity[k]); }));
    out += by("combine", rule.combine);
    if (rule.takes_otherwise())
        out += by("take", rule.take);
    else
        out += method("take" + operands, "        return combine(a, b" + passed + ");\n");
    out += method("down(const " + a + "& a, int by)", result([&](int k) { return "frit_down(a." + p(k) + ", by)"; }));
    out += method("from(const " + a + "& a, int lane)", result([&](int k) { return "frit_from(a." + p(k) + ", lane)"; }));
    return out + "};\n";
}

// The entry point and what it needs beside the prelude: struct <name>_words, and structs <name>_acc<r>, one for each rule.
std::string cuda_text(const loops::kernel& k, const dialect& d) {
    std::string out = "struct " + k.entry.name + "_words {\n";
    for (const word_run& r : runs_of(k))
        out += std::string(r.addresses ? "    void* " : "    long long ") + r.name() + "[" + text(r.count) + "];\n";
    out += "};\n";
    for (std::size_t r = 0; r < k.rules.size(); ++r) out += accumulator_struct(d, *k.rules[r], accumulator(k, r));
    return out + printer(k, d).text();
}

// Numbers in a thread's registers. Functions come from the prelude; no text has an include.
class cuda_dialect final : public dialect {
public:
    std::string function(std::string_view f, dtype operand) const override {
        if (in_cuda_prelude(f)) return "frit_" + std::string(f);
        if (is_short(operand)) return "frit_short_" + std::string(f);
        return std::string(f) + (operand == dtype::f32 ? "f" : "");  // CUDA's <cmath>: sinf, sin
    }
    bool has_own(std::string_view op) const override { return in_cuda_prelude(op); }
    std::string constant(std::string_view x, dtype t) const override { return cuda_type(t) + "(" + std::string(x) + ")"; }
    std::string cast(std::string_view value, dtype from, dtype to) const override {
        if (from == to) return std::string(value);
        if (is_short(from)) return cast("frit_widen(" + std::string(value) + ")", dtype::f32, to);
        const std::string v(value), t = cuda_type(to);
        if (is_short(to)) return "frit_narrow<" + t + ">(" + v + ")";
        if (to == dtype::bool_) return v + " != " + cuda_type(from) + "(0)";
        if (is_float(from) && is_integer(to)) return "frit_to<" + t + ">(" + v + ")";
        if (is_integer(from) && is_integer(to)) return t + "(" + t + "::value(" + v + ".v))";
        return "(" + t + ")" + v + (is_integer(from) ? ".v" : "");
    }
    std::string bit_cast(std::string_view value, dtype to) const override {
        return "frit_bits<" + cuda_type(to) + ">(" + std::string(value) + ")";
    }
    std::string prelude(const kernel_spec&, const target&, std::string_view kernel) const override {
        return cuda_prelude_for(kernel);
    }
    std::string kernel(const kernel_spec& spec, const target&, const std::string& name) const override {
        return cuda_text(gpu_loops(spec, name), *this);
    }
};

}  // namespace

const dialect& cuda_c() {
    static const cuda_dialect d;
    return d;
}

std::string cuda_kernel_text(const kernel_spec& spec, const target& t, const std::string& name) {
    return cuda_c().kernel(spec, t, name);
}

}  // namespace frit::v0::fusion
