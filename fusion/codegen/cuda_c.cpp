// The CUDA C++ dialect: one entry point per kernel spec, without an include. Scalar lanes in arrays that stay in registers,
// three phases (read all, compute, write all, so that in-place outputs are safe), 16-byte accesses where the spec allows
// them, streaming stores. A reduction is one launch whose last block adds up the partials.
#include "fusion/codegen/cuda_c.hpp"

#include <algorithm>
#include <bit>

#include "frit/error.hpp"
#include "fusion/codegen/cuda_prelude.hpp"
#include "fusion/codegen/dialect_base.hpp"

namespace frit::inline v0::fusion {
namespace {

std::string str(std::uint64_t n) { return std::to_string(n); }

class cuda_dialect final : public dialect {
public:
    std::string_view name() const override { return "cuda_c"; }
    std::string type(dtype t) const override {
        if (t == dtype::bool_) return "bool";
        if (t > dtype::u64 && t != dtype::f32 && t != dtype::f64) throw error("no CUDA type for " + std::string(name_of(t)));
        const std::string_view kind = is_float(t) ? "f" : kind_of(t) == dtype_kind::unsigned_integer ? "u" : "i";
        return std::string(kind) + str(8 * size_of(t));
    }
    std::string function(std::string_view f, dtype operand) const override {
        if (in_cuda_prelude(f)) return "frit_" + std::string(f);
        return std::string(f) + (operand == dtype::f32 ? "f" : "");  // CUDA's <cmath>: sinf, sin
    }
    std::string constant(std::string_view x, dtype t) const override { return type(t) + "(" + std::string(x) + ")"; }
    std::string cast(std::string_view value, dtype from, dtype to) const override {
        if (from == to) return std::string(value);
        const std::string v(value), t = type(to);
        if (to == dtype::bool_) return v + " != " + type(from) + "(0)";
        if (is_float(from) && is_integer(to)) return "frit_to<" + t + ">(" + v + ")";
        if (is_integer(from) && is_integer(to)) return t + "(" + t + "::value(" + v + ".v))";
        return "(" + t + ")" + v + (is_integer(from) ? ".v" : "");
    }
    std::string prelude(const kernel_spec& spec, const target& t) const override {
        return cuda_prelude_for(cuda_kernel_text(spec, t, "frit_kernel"));
    }
    std::string kernel(const kernel_spec&, const word_map&, const target&, const std::string& name) const override;
};

std::string identity(reduction_identity i, dtype t) {
    const bool high = i == reduction_identity::HIGHEST;
    if (i == reduction_identity::ZERO || i == reduction_identity::ONE)
        return cuda_c().type(t) + (i == reduction_identity::ONE ? "(1)" : "(0)");
    const std::string type = cuda_c().type(t);
    if (t == dtype::bool_) return high ? "true" : "false";
    if (t == dtype::f32) return high ? "__int_as_float(0x7f800000)" : "__int_as_float(0xff800000)";
    if (t == dtype::f64)
        return high ? "__longlong_as_double(0x7ff0000000000000ll)" : "__longlong_as_double(0xfff0000000000000ll)";
    return type + (high ? "::highest()" : "::lowest()");
}

// Copies of the body that a thread's loop is unrolled to: all lanes, unless that would make ptxas work for seconds.
constexpr unsigned unrolled_weight = 1600;
unsigned unroll_of(const kernel_spec& spec, unsigned lanes) {
    unsigned weight = 1;
    for (const instruction& i : spec.body)
        if (is_elementwise(i.code)) weight += info(i.code).cost;
    return std::min(lanes, std::max(1u, std::bit_floor(unrolled_weight / weight)));
}

bool uniform(const access& a) {
    return std::all_of(a.dims.begin(), a.dims.end(),
                       [](const access_dim& d) { return d.stride == stride_class::zero && !d.clamped; });
}

/// Writes one kernel. Lane k of a thread is element `k` of every array in its registers; `vector` neighbouring lanes are
/// neighbouring elements, `groups` such vectors lie `jump` apart.
class writer {
public:
    writer(const cuda_dialect& d, const kernel_spec& s, const word_map& m, std::string name)
        : d_(d), s_(s), map_(m), name_(std::move(name)) {
        linear_ = s.index64 ? "unsigned long long" : "unsigned";
        offset_ = s.index64 ? "long long" : "int";
        reduce_ = s.schedule == schedule_kind::reduce_all;
        if (reduce_) {
            // Some 64 bytes in flight per thread reach the memory's limit; more only takes registers.
            vector_ = reduce_pack;
            std::size_t moving = 0;
            for (const access& a : s.loads) moving += !uniform(a);
            groups_ = moving <= 1 ? 4 : moving == 2 ? 2 : 1;
            while (groups_ > 1 && unroll_of(s, lanes()) < lanes()) groups_ /= 2;
        } else if (s.rank == 1 && s.vector_width > 1) {
            vector_ = flat_lanes(s);
        } else {
            groups_ = scalar_lanes;
        }
    }

    std::string write() {
        parameters();
        for (std::size_t r = 0; r < s_.reductions.size(); ++r) combine_function(r);
        const unsigned threads = reduce_ ? reduce_threads : pointwise_threads;
        line("extern \"C\" __global__ void __launch_bounds__(" + str(threads) + ")");
        line(name_ + "(const __grid_constant__ " + name_ + "_words w) {");
        ++depth_;
        if (reduce_)
            reduction();
        else if (s_.rank == 1)
            flat_pointwise();
        else
            strided_pointwise();
        --depth_;
        line("}");
        return std::move(out_);
    }

private:
    unsigned lanes() const { return vector_ * groups_; }
    void line(const std::string& text) { out_ += (text.starts_with('#') ? "" : std::string(4 * depth_, ' ')) + text + "\n"; }
    void open(const std::string& text) {
        line(text + " {");
        ++depth_;
    }
    void close() {
        --depth_;
        line("}");
    }
    void open_lanes(unsigned unroll) {
        line(unroll >= lanes() ? "#pragma unroll" : "#pragma unroll " + str(unroll));
        open("for (int k = 0; k < " + str(lanes()) + "; ++k)");
    }
    std::string type(dtype t) const { return d_.type(t); }

    // --- the run-time words ---

    void parameters() {
        const word_layout& l = map_.layout;
        line("struct " + name_ + "_words {");
        line("    void* head[2];");
        line("    long long extent[" + str(s_.rank) + "];");
        if (s_.pointers) line("    void* pointer[" + str(s_.pointers) + "];");
        if (l.scalars > l.accesses) line("    long long step[" + str(l.scalars - l.accesses) + "];");
        if (l.size > l.scalars) line("    unsigned long long scalar[" + str(l.size - l.scalars) + "];");
        line("};");
    }
    std::string extent(int d) const { return "(" + linear_ + ")w.extent[" + str(static_cast<unsigned>(d)) + "]"; }
    std::string step(std::uint32_t word, const std::string& as) const {
        return "(" + as + ")w.step[" + str(word - map_.layout.accesses) + "]";
    }
    std::string pointer(const access& a, bool constant) const {
        return std::string("((") + (constant ? "const " : "") + type(a.type) + "*)w.pointer[" + str(a.pointer) + "])";
    }
    std::string scalar(std::uint32_t k) const {
        const std::string w = "w.scalar[" + str(map_.scalars[k] - map_.layout.scalars) + "]";
        const dtype t = s_.scalars[k];
        if (t == dtype::bool_) return "(" + w + " & 255) != 0";
        if (t == dtype::f32) return "__uint_as_float((unsigned)" + w + ")";
        if (t == dtype::f64) return "__longlong_as_double((long long)" + w + ")";
        return type(t) + "((" + type(t) + "::value)" + w + ")";
    }

    // The element offset of an access at the indices i0, i1, ... of the domain (variables of the offset type).
    std::string offset(const access& a, const std::vector<dim_words>& words) const {
        std::string sum;
        for (std::size_t k = 0; k < a.dims.size(); ++k) {
            const access_dim& dim = a.dims[k];
            if (dim.stride == stride_class::zero && !dim.clamped) continue;
            std::string index = "i" + str(k);
            if (dim.clamped)
                index = "frit_clamp(" + step(words[k].step, offset_) + " * " + index + " + " +
                        step(words[k].shift, offset_) + ", " + step(words[k].lo, offset_) + ", " +
                        step(words[k].hi, offset_) + ")";
            if (dim.stride == stride_class::runtime) index = step(words[k].stride, offset_) + " * " + index;
            sum += (sum.empty() ? "" : " + ") + index;
        }
        return sum.empty() ? "0" : sum;
    }
    std::string coordinate_of(std::size_t k, dtype t) const {
        const coordinate& c = s_.coords[k];
        const dim_words& w = map_.coords[k];
        std::string value = step(w.step, "long long") + " * i" + str(c.dim) + " + " + step(w.shift, "long long");
        if (c.clamped) value = "frit_clamp(" + value + ", " + step(w.lo, "long long") + ", " + step(w.hi, "long long") + ")";
        return d_.cast("i64(" + value + ")", dtype::i64, t);
    }

    // --- the three phases; loads in arrays l0, l1, ..., results in r0, r1, ... ---

    void declare_lanes() {
        for (std::size_t k = 0; k < s_.loads.size(); ++k)
            line(type(s_.loads[k].type) + " l" + str(k) + (uniform(s_.loads[k]) ? "" : "[" + str(lanes()) + "]") + ";");
        for (std::size_t k = 0; k < s_.stores.size(); ++k)
            line(type(s_.stores[k].to.type) + " r" + str(k) + "[" + str(lanes()) + "];");
        for (std::size_t k = 0; k < s_.loads.size(); ++k)
            if (uniform(s_.loads[k])) line("l" + str(k) + " = *" + pointer(s_.loads[k], true) + ";");
    }
    unsigned aligned(const access& a) const {  // elements of one access, 1: no vectors
        const bool contiguous = a.dims[0].stride == stride_class::one && !a.dims[0].clamped;
        if (s_.rank != 1 || !contiguous) return 1;
        // vector_width > 1 promises that much for every contiguous access.
        const unsigned promised = std::max(a.alignment, s_.vector_width);
        return std::min({vector_, promised, static_cast<unsigned>(16 / size_of(a.type))});
    }
    void read_lane(std::size_t k) {
        if (!uniform(s_.loads[k]))
            line("l" + str(k) + "[k] = " + pointer(s_.loads[k], true) + "[" + offset(s_.loads[k], map_.loads[k]) + "];");
    }
    std::string group_start(unsigned g) const { return g == 0 ? "first" : "first + " + str(g) + " * jump"; }
    // The element of lane k in a flat domain.
    std::string flat_lane() const {
        if (groups_ == 1) return "first + k";
        if (vector_ == 1) return "first + k * jump";
        return "first + k / " + str(vector_) + " * jump + k % " + str(vector_);
    }

    // A lane beyond the end reads an element of its thread's own: any other may be written meanwhile, in place.
    void read_flat() {
        const bool any = std::any_of(s_.loads.begin(), s_.loads.end(), [](const access& a) { return !uniform(a); });
        if (!any) return;
        open("if (full)");
        bool rest = false;
        for (std::size_t k = 0; k < s_.loads.size(); ++k) {
            if (aligned(s_.loads[k]) == 1) {
                rest |= !uniform(s_.loads[k]);
                continue;
            }
            for (unsigned g = 0; g < groups_; ++g)
                line("frit_load<" + str(vector_) + ", " + str(aligned(s_.loads[k])) + ">(l" + str(k) + " + " +
                     str(g * vector_) + ", " + pointer(s_.loads[k], true) + " + (" + group_start(g) + "));");
        }
        if (rest) {
            open_lanes(lanes());
            line("const " + offset_ + " i0 = (" + offset_ + ")(" + flat_lane() + ");");
            for (std::size_t k = 0; k < s_.loads.size(); ++k)
                if (aligned(s_.loads[k]) == 1) read_lane(k);
            close();
        }
        --depth_;
        open("} else");
        open_lanes(lanes());
        line("const " + offset_ + " i0 = (" + offset_ + ")(" + flat_lane() + " < n ? " + flat_lane() + " : first);");
        for (std::size_t k = 0; k < s_.loads.size(); ++k) read_lane(k);
        close();
        close();
    }

    // `element`: the flat index of lane k, for the validity of what a reduction takes in.
    void compute(const std::string& element) {
        open_lanes(unroll_of(s_, lanes()));
        if (s_.rank == 1 && !s_.coords.empty()) line("const " + offset_ + " i0 = (" + offset_ + ")(" + flat_lane() + ");");
        out_ += ssa_lines(d_, s_.body, 't', std::string(4 * depth_, ' '), [this](const instruction& i) -> std::string {
            if (i.code == op::load) return "l" + str(i.a) + (uniform(s_.loads[i.a]) ? "" : "[k]");
            if (i.code == op::scalar) return scalar(i.a);
            return s_.rank == 1 ? coordinate_of(i.a, i.type) : d_.cast("c" + str(i.a) + "[k]", dtype::i64, i.type);
        });
        for (std::size_t k = 0; k < s_.stores.size(); ++k) line("r" + str(k) + "[k] = t" + str(s_.stores[k].value) + ";");
        if (reduce_) line("const bool inside = full || " + element + " < n;");
        for (std::size_t r = 0; r < s_.reductions.size(); ++r) {
            // The accumulators go round, so that the one whose turn it is has a fixed name, unrolled or not.
            const std::string a = "a" + str(r);
            line("const " + type(s_.reductions[r].type) + " next" + str(r) + " = inside ? " + name_ + "_combine" + str(r) +
                 "(" + a + "[0], t" + str(s_.reductions[r].value) + ") : " + a + "[0];");
            for (unsigned k = 0; k + 1 < reduce_pack; ++k) line(a + "[" + str(k) + "] = " + a + "[" + str(k + 1) + "];");
            line(a + "[" + str(reduce_pack - 1) + "] = next" + str(r) + ";");
        }
        close();
    }

    void write_flat() {
        if (s_.stores.empty()) return;
        const std::string index = "const " + offset_ + " i0 = (" + offset_ + ")(" + flat_lane() + ");";
        const bool moves = std::any_of(s_.stores.begin(), s_.stores.end(), [](const store& to) { return !uniform(to.to); });
        open("if (full)");
        bool rest = false;
        for (std::size_t k = 0; k < s_.stores.size(); ++k) {
            const access& to = s_.stores[k].to;
            rest |= aligned(to) == 1;
            if (aligned(to) > 1)
                for (unsigned g = 0; g < groups_; ++g)
                    line("frit_stream<" + str(vector_) + ", " + str(aligned(to)) + ">(" + pointer(to, false) + " + (" +
                         group_start(g) + "), r" + str(k) + " + " + str(g * vector_) + ");");
        }
        if (rest) {
            open_lanes(lanes());
            if (moves) line(index);
            for (std::size_t k = 0; k < s_.stores.size(); ++k)
                if (aligned(s_.stores[k].to) == 1) write_lane(k, offset(s_.stores[k].to, map_.stores[k]));
            close();
        }
        --depth_;
        open("} else");
        open_lanes(lanes());
        open("if (" + flat_lane() + " < n)");
        if (moves) line(index);
        for (std::size_t k = 0; k < s_.stores.size(); ++k) write_lane(k, offset(s_.stores[k].to, map_.stores[k]));
        close();
        close();
        close();
    }
    void write_lane(std::size_t k, const std::string& at) {
        line("frit_stream<1, 1>(" + pointer(s_.stores[k].to, false) + " + (" + at + "), r" + str(k) + " + k);");
    }

    // --- rank > 1: indices by lane; store offsets and coordinates are kept from the reading phase ---

    void declare_strided() {
        declare_lanes();
        for (std::size_t k = 0; k < s_.stores.size(); ++k) line(offset_ + " o" + str(k) + "[" + str(lanes()) + "];");
        for (std::size_t k = 0; k < s_.coords.size(); ++k) line("i64 c" + str(k) + "[" + str(lanes()) + "];");
    }
    void read_strided() {
        for (std::size_t k = 0; k < s_.loads.size(); ++k) read_lane(k);
        for (std::size_t k = 0; k < s_.stores.size(); ++k)
            line("o" + str(k) + "[k] = " + offset(s_.stores[k].to, map_.stores[k]) + ";");
        for (std::size_t k = 0; k < s_.coords.size(); ++k)
            line("c" + str(k) + "[k] = " + coordinate_of(k, dtype::i64) + ";");
    }
    void write_strided(const std::string& inside) {
        if (s_.stores.empty()) return;
        open_lanes(lanes());
        open("if (" + inside + ")");
        for (std::size_t k = 0; k < s_.stores.size(); ++k) write_lane(k, "o" + str(k) + "[k]");
        close();
        close();
    }
    // Splits the row-major index `rest` into i<last>, ..., i0. A division per dimension but the first.
    void decode(int last, const std::string& qualifier) {
        for (int d = last; d > 0; --d) {
            line(qualifier + offset_ + " i" + str(static_cast<unsigned>(d)) + " = (" + offset_ + ")(rest % " + extent(d) +
                 ");");
            line("rest /= " + extent(d) + ";");
        }
        line(qualifier + offset_ + " i0 = (" + offset_ + ")rest;");
    }

    // --- schedules ---

    void flat_pointwise() {
        line("const " + linear_ + " n = " + extent(0) + ";");
        const std::string block = "(" + linear_ + ")blockIdx.x * " + str(pointwise_threads * lanes());
        if (groups_ == 1) {
            line("const " + linear_ + " first = " + block + " + threadIdx.x * " + str(vector_) + ";");
        } else {
            line("const unsigned jump = " + str(pointwise_threads) + ";");
            line("const " + linear_ + " first = " + block + " + threadIdx.x;");
        }
        line("if (first >= n) return;");
        line("const bool full = " +
             (groups_ == 1 ? "first + " + str(vector_ - 1) : "first + " + str(groups_ - 1) + " * jump") + " < n;");
        declare_lanes();
        read_flat();
        compute("");
        write_flat();
    }

    void strided_pointwise() {
        const int inner = s_.rank - 1;
        std::string rows = extent(0);
        for (int d = 1; d < inner; ++d) rows += " * " + extent(d);
        line("const " + linear_ + " column = (" + linear_ + ")blockIdx.x * blockDim.x + threadIdx.x;");
        line("if (column >= " + extent(inner) + ") return;");
        line("const " + offset_ + " i" + str(static_cast<unsigned>(inner)) + " = (" + offset_ + ")column;");
        line("const " + linear_ + " rows = " + rows + ";");
        const std::string all = " * blockDim.y * " + str(scalar_lanes);
        open("for (" + linear_ + " row = (" + linear_ + ")blockIdx.y" + all + " + threadIdx.y; row < rows; row += (" +
             linear_ + ")gridDim.y" + all + ")");
        declare_strided();
        open_lanes(lanes());
        line(linear_ + " rest = row + k * blockDim.y < rows ? row + k * blockDim.y : row;");
        decode(inner - 1, "const ");
        read_strided();
        close();
        compute("");
        write_strided("row + k * blockDim.y < rows");
        close();
    }

    void combine_function(std::size_t r) {
        const reduction_spec& red = s_.reductions[r];
        const std::string t = type(red.type);
        const op combine = resolve(frit::reduction(red.code).combine, red.type).code;  // of bools: | and &
        line("__device__ inline " + t + " " + name_ + "_combine" + str(r) + "(" + t + " a, " + t + " b) { return " +
             spell(d_, combine, red.type, "a", "b") + "; }");
    }

    void reduction() {
        std::string count = extent(0);
        for (int d = 1; d < s_.rank; ++d) count += " * " + extent(d);
        line("const " + linear_ + " n = " + count + ";");
        line("const " + linear_ + " jump = (" + linear_ + ")gridDim.x * " + str(reduce_threads * reduce_pack) + ";");
        for (std::size_t r = 0; r < s_.reductions.size(); ++r) {
            const std::string start = identity(frit::reduction(s_.reductions[r].code).identity, s_.reductions[r].type);
            std::string list = start;
            for (unsigned k = 1; k < reduce_pack; ++k) list += ", " + start;
            line(type(s_.reductions[r].type) + " a" + str(r) + "[" + str(reduce_pack) + "] = {" + list + "};");
        }
        open("for (" + linear_ + " first = ((" + linear_ + ")blockIdx.x * " + str(reduce_threads) + " + threadIdx.x) * " +
             str(reduce_pack) + "; first < n; first += " + (groups_ > 1 ? str(groups_) + " * " : "") + "jump)");
        line("const bool full = " + group_start(groups_ - 1) + " + " + str(reduce_pack - 1) + " < n;");
        if (s_.rank == 1) {
            declare_lanes();
            read_flat();
        } else {
            declare_strided();
            read_packs();
        }
        compute(flat_lane());
        if (s_.rank == 1)
            write_flat();
        else
            write_strided("full || " + flat_lane() + " < n");
        close();
        totals();
    }

    // A pack's first element is found by division, its neighbours by carrying.
    void read_packs() {
        line("#pragma unroll");
        open("for (int g = 0; g < " + str(groups_) + "; ++g)");
        line(linear_ + " element = first + g * jump < n ? first + g * jump : first;");
        line(linear_ + " rest = element;");
        decode(s_.rank - 1, "");
        line("#pragma unroll");
        open("for (int k = g * " + str(vector_) + "; k < g * " + str(vector_) + " + " + str(vector_) + "; ++k)");
        read_strided();
        open("if (element + 1 < n)");
        line("++element;");
        int d = s_.rank - 1;
        for (; d > 0; --d) {
            const std::string i = "i" + str(static_cast<unsigned>(d));
            open("if (++" + i + " == (" + offset_ + ")w.extent[" + str(static_cast<unsigned>(d)) + "])");
            line(i + " = 0;");
        }
        line("++i0;");
        for (d = s_.rank - 1; d > 0; --d) close();
        close();
        close();
        close();
    }

    // Threads to block, blocks to partials in memory, the last block to the totals; then the scalar code, once.
    void totals() {
        const auto block_total = [this](std::size_t r, const std::string& value) {
            return "frit_block_total<" + str(reduce_threads / 32) + ", " + type(s_.reductions[r].type) + ", " + name_ +
                   "_combine" + str(r) + ">(" + value + ")";
        };
        const std::size_t count = s_.reductions.size();
        for (std::size_t r = 0; r < count; ++r) {
            const std::string t = type(s_.reductions[r].type), a = "a" + str(r), c = name_ + "_combine" + str(r);
            line(t + "* partial" + str(r) + " = (" + t + "*)((char*)w.head[1] + 16 + " + str(r) + " * 8ull * gridDim.x);");
            line("const " + t + " block" + str(r) + " = " +
                 block_total(r, c + "(" + c + "(" + a + "[0], " + a + "[2]), " + c + "(" + a + "[1], " + a + "[3]))") + ";");
            line("if (threadIdx.x == 0) partial" + str(r) + "[blockIdx.x] = block" + str(r) + ";");
        }
        line("if (!frit_last_block((unsigned*)w.head[1])) return;");
        for (std::size_t r = 0; r < count; ++r) {
            const std::string t = type(s_.reductions[r].type), p = "sum" + str(r);
            line(t + " " + p + " = " + identity(frit::reduction(s_.reductions[r].code).identity, s_.reductions[r].type) +
                 ";");
            line("for (unsigned b = threadIdx.x; b < gridDim.x; b += " + str(reduce_threads) + ") " + p + " = " + name_ +
                 "_combine" + str(r) + "(" + p + ", partial" + str(r) + "[b]);");
            line("const " + t + " total" + str(r) + " = " + block_total(r, p) + ";");
        }
        line("if (threadIdx.x != 0) return;");
        out_ += ssa_lines(d_, s_.row, 'e', std::string(4 * depth_, ' '),
                          [this](const instruction& i) { return i.code == op::total ? "total" + str(i.a) : scalar(i.a); });
        for (const store& to : s_.row_stores) line("*" + pointer(to.to, false) + " = e" + str(to.value) + ";");
    }

    const cuda_dialect& d_;
    const kernel_spec& s_;
    const word_map& map_;
    std::string name_, linear_, offset_, out_;
    unsigned vector_ = 1, groups_ = 1;
    bool reduce_ = false;
    std::size_t depth_ = 0;
};

std::string cuda_dialect::kernel(const kernel_spec& spec, const word_map& map, const target&,
                                 const std::string& name) const {
    return writer(*this, spec, map, name).write();
}

}  // namespace

const dialect& cuda_c() {
    static const cuda_dialect d;
    return d;
}

std::string cuda_kernel_text(const kernel_spec& spec, const target& t, const std::string& name) {
    return cuda_c().kernel(spec, word_map(spec), t, name);
}

}  // namespace frit::v0::fusion
