// The text that CUDA kernels of all schedules share: see cuda_text.hpp.
#include "fusion/codegen/cuda_text.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>

namespace frit::inline v0::fusion {

cuda_text::cuda_text(const dialect& d, const kernel_spec& s, const word_map& m, std::string name)
    : d_(d),
      s_(s),
      map_(m),
      name_(std::move(name)),
      linear_(s.index64 ? "unsigned long long" : "unsigned"),
      offset_(s.index64 ? "long long" : "int") {}

void cuda_text::open_loop(const std::string& name, unsigned count, unsigned step, unsigned unroll) {
    line("#pragma unroll" + (unroll ? " " + str(unroll) : ""));
    open("for (int " + name + " = 0; " + name + " < " + str(count) + "; " +
         (step == 1 ? "++" + name : name + " += " + str(step)) + ")");
}

void cuda_text::parameters() {
    const word_layout& l = map_.layout;
    line("struct " + name_ + "_words {");
    line("    void* head[2];");
    line("    long long extent[" + str(s_.rank) + "];");
    if (s_.pointers) line("    void* pointer[" + str(s_.pointers) + "];");
    if (l.scalars > l.accesses) line("    long long step[" + str(l.scalars - l.accesses) + "];");
    if (l.size > l.scalars) line("    unsigned long long scalar[" + str(l.size - l.scalars) + "];");
    line("};");
}

void cuda_text::signature(unsigned threads, unsigned blocks) {
    line("extern \"C\" __global__ void __launch_bounds__(" + str(threads) + (blocks ? ", " + str(blocks) : "") + ")");
    open(name_ + "(const __grid_constant__ " + name_ + "_words w)");
}

std::string cuda_text::extents(unsigned first, unsigned last) const {
    std::string product;
    for (unsigned d = first; d < last; ++d) product += (product.empty() ? "" : " * ") + extent(d);
    return product.empty() ? "1" : product;
}

std::string cuda_text::pointer(const access& a, bool constant) const {
    return std::string("((") + (constant ? "const " : "") + type(a.type) + "*)w.pointer[" + str(a.pointer) + "])";
}

std::string cuda_text::scalar(std::uint32_t k) const {
    const std::string w = "w.scalar[" + str(map_.scalars[k] - map_.layout.scalars) + "]";
    const dtype t = s_.scalars[k];
    if (t == dtype::bool_) return "(" + w + " & 255) != 0";
    if (t == dtype::f32) return "__uint_as_float((unsigned)" + w + ")";
    if (t == dtype::f64) return "__longlong_as_double((long long)" + w + ")";
    return type(t) + "((" + type(t) + "::value)" + w + ")";
}

std::string cuda_text::offset(const access& a, const std::vector<dim_words>& words) const {
    std::string sum;
    for (std::size_t k = 0; k < a.dims.size(); ++k) {
        const access_dim& dim = a.dims[k];
        if (dim.stride == stride_class::zero && !dim.clamped) continue;
        std::string index = "i" + str(k);
        if (dim.clamped)
            index = "frit_clamp(" + step(words[k].step, offset_) + " * " + index + " + " + step(words[k].shift, offset_) +
                    ", " + step(words[k].lo, offset_) + ", " + step(words[k].hi, offset_) + ")";
        if (dim.stride == stride_class::runtime) index = step(words[k].stride, offset_) + " * " + index;
        sum += (sum.empty() ? "" : " + ") + index;
    }
    return sum.empty() ? "0" : sum;
}

std::string cuda_text::affine_stride(const access& a, const std::vector<dim_words>& words, std::size_t d) const {
    const access_dim& dim = a.dims[d];
    const std::string stride = dim.stride == stride_class::runtime ? step(words[d].stride, offset_)
                               : dim.stride == stride_class::one   ? "1"
                                                                   : "0";
    return dim.clamped ? stride + " * " + step(words[d].step, offset_) : stride;
}

std::string cuda_text::affine_offset(const access& a, const std::vector<dim_words>& words) const {
    std::string sum;
    for (std::size_t d = 0; d < a.dims.size(); ++d) {
        const access_dim& dim = a.dims[d];
        if (dim.stride == stride_class::zero) continue;
        std::string index = "i" + str(d);
        if (dim.clamped)
            index = "(" + step(words[d].step, offset_) + " * " + index + " + " + step(words[d].shift, offset_) + ")";
        if (dim.stride == stride_class::runtime) index = step(words[d].stride, offset_) + " * " + index;
        sum += (sum.empty() ? "" : " + ") + index;
    }
    return sum.empty() ? "0" : sum;
}

std::string cuda_text::read(std::size_t load) const {
    return pointer(s_.loads[load], true) + "[" + offset(s_.loads[load], map_.loads[load]) + "]";
}

void cuda_text::decode(unsigned first, unsigned last, const std::string& qualifier, char prefix) {
    const auto index = [&](unsigned d) { return qualifier + offset_ + " " + prefix + str(d) + " = (" + offset_ + ")"; };
    for (unsigned d = last - 1; d > first; --d) {
        line(index(d) + "(rest % " + extent(d) + ");");
        line("rest /= " + extent(d) + ";");
    }
    line(index(first) + "rest;");
}

void cuda_text::carry(unsigned first, unsigned last, unsigned by, char prefix) {
    for (unsigned d = last - 1; d > first; --d) {
        const std::string i = prefix + str(d), next = d + 1 == last && by > 1 ? "(" + i + " += " + str(by) + ")" : "++" + i;
        open("if (" + next + " == (" + offset_ + ")w.extent[" + str(d) + "])");
        line(i + " = 0;");
    }
    const bool last_is_first = last == first + 1;
    line(last_is_first && by > 1 ? prefix + str(first) + " += " + str(by) + ";" : "++" + (prefix + str(first)) + ";");
    for (unsigned d = last - 1; d > first; --d) close();
}

std::string cuda_text::affine_coordinate_of(std::size_t k, dtype t) const {
    if (s_.coords[k].like > 0) k = s_.coords[k].like - 1U;
    const dim_words& w = map_.coords[k];
    const std::string value = step(w.step, offset_) + " * i" + str(s_.coords[k].dim) + " + " + step(w.shift, offset_);
    return typed_index(value, t);
}

std::string cuda_text::coordinate_of(std::size_t k, dtype t) const {
    const coordinate& c = s_.coords[k];
    const dim_words& w = map_.coords[k];
    std::string value = step(w.step, offset_) + " * i" + str(c.dim) + " + " + step(w.shift, offset_);
    if (c.clamped) value = "frit_clamp(" + value + ", " + step(w.lo, offset_) + ", " + step(w.hi, offset_) + ")";
    return typed_index(value, t);
}

std::string cuda_text::typed_index(const std::string& value, dtype t) const {
    const dtype index = s_.index64 ? dtype::i64 : dtype::i32;
    return d_.cast(type(index) + "(" + value + ")", index, t);
}

namespace {

std::string constant_of(const dialect& d, dtype t, std::uint64_t bits) {
    if (t == dtype::bool_) return bits ? "true" : "false";
    char hex[32];
    std::snprintf(hex, sizeof hex, "0x%llx", static_cast<unsigned long long>(bits));
    if (t == dtype::f32) return "__uint_as_float(" + std::string(hex) + "u)";
    if (t == dtype::f64) return "__longlong_as_double((long long)" + std::string(hex) + "ull)";
    return d.type(t) + "((" + d.type(t) + "::value)" + hex + "ull)";
}

}  // namespace

void cuda_text::accumulators() {
    for (std::size_t r = 0; r < s_.reductions.size(); ++r) {
        const reduction_rule& rule = rule_of(s_.reductions[r]);
        const std::string a = acc(r);
        const auto list = [&](auto&& part) {
            std::string all;
            for (int k = 0; k < rule.parts; ++k) all += (k ? ", " : "") + part(k);
            return "{" + all + "}";
        };
        const auto p = [](int k) { return "p" + std::to_string(k); };
        open("struct " + a);
        for (int k = 0; k < rule.parts; ++k) line(type(rule.types[k]) + " " + p(k) + ";");
        line("static __device__ inline " + a + " start() { return " +
             list([&](int k) { return constant_of(d_, rule.types[k], rule.identity[k]); }) + "; }");
        const auto method = [&](const char* name, const rule_code& code) {
            open("static __device__ inline " + a + " " + name + "(const " + a + "& a, const " + a + "& b)");
            out_ += ssa_lines(d_, code.steps, 'c', indent(), [&](const instruction& i) -> std::string {
                if (i.code == op::scalar) return type(i.type) + "(1)";
                return i.a < rule.parts ? "a." + p(i.a) : "b." + p(i.a - rule.parts);
            });
            line("return " + list([&](int k) { return "c" + str(code.result[k]); }) + ";");
            close();
        };
        method("combine", rule.combine);
        if (rule.takes_otherwise())
            method("take", rule.take);
        else
            line("static __device__ inline " + a + " take(const " + a + "& a, const " + a +
                 "& b) { return combine(a, b); }");
        line("static __device__ inline " + a + " down(const " + a + "& a, int by) { return " +
             list([&](int k) { return "frit_down(a." + p(k) + ", by)"; }) + "; }");
        line("static __device__ inline " + a + " from(const " + a + "& a, int lane) { return " +
             list([&](int k) { return "frit_from(a." + p(k) + ", lane)"; }) + "; }");
        --depth_;
        line("};");
    }
}

namespace {

// NVRTC 13.0 dies of 64-bit sums of products of narrow integers: their search for dp4a takes the sum for one of 32 bits.
// A plain sum of what was read has no product to hide.
bool hides_products(const reduction_spec& red, const std::vector<instruction>& body) {
    if (reduction(red.code).combine != op::add || !is_integer(red.type) || size_of(red.type) < 8) return false;
    const instruction* i = &body[red.value];
    while (i->code == op::cast) i = &body[i->a];
    return is_elementwise(i->code) && is_integer(i->type);
}

}  // namespace

std::string cuda_text::lift(std::size_t r, char prefix) const {
    const reduction_spec& red = s_.reductions[r];
    const reduction_rule& rule = rule_of(red);
    std::string parts;
    for (int k = 0; k < rule.parts; ++k) {
        if (k) parts += ", ";
        switch (rule.lift[k]) {
            case part_source::value: {
                const std::string value = prefix + str(red.value);
                parts += hides_products(red, s_.body) ? "frit_opaque(" + value + ")" : value;
                break;
            }
            case part_source::second: parts += prefix + str(red.second); break;
            case part_source::one: parts += type(rule.types[k]) + "(1)"; break;
            case part_source::minus_zero: parts += type(rule.types[k]) + "(-0.0)"; break;
        }
    }
    return acc(r) + "{" + parts + "}";
}

}  // namespace frit::v0::fusion
