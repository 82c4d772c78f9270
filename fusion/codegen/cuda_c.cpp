// The CUDA C++ dialect: one entry point per kernel spec, without an include. Scalar lanes in arrays that stay in registers,
// three phases (read all, compute, write all, so that in-place outputs are safe), 16-byte accesses where the spec allows
// them, streaming stores. A reduction is one launch whose last block adds up the partials.
#include "fusion/codegen/cuda_c.hpp"

#include <algorithm>

#include "frit/error.hpp"
#include "fusion/codegen/cuda_patch.hpp"
#include "fusion/codegen/cuda_prelude.hpp"
#include "fusion/codegen/cuda_rows.hpp"
#include "fusion/codegen/cuda_text.hpp"
#include "fusion/codegen/cuda_transpose.hpp"

namespace frit::inline v0::fusion {
namespace {

class cuda_dialect final : public dialect {
public:
    std::string_view name() const override { return "cuda_c"; }
    std::string type(dtype t) const override {
        if (t == dtype::bool_) return "bool";
        if (is_short(t)) return t == dtype::f16 ? "f16" : "bf16";
        if (is_complex(t)) return t == dtype::c64 ? "c64" : "c128";
        const std::string_view kind = is_float(t) ? "f" : kind_of(t) == dtype_kind::unsigned_integer ? "u" : "i";
        return std::string(kind) + std::to_string(8 * size_of(t));
    }
    std::string function(std::string_view f, dtype operand) const override {
        if (in_cuda_prelude(f)) return "frit_" + std::string(f);
        if (is_short(operand)) return "frit_short_" + std::string(f);
        return std::string(f) + (operand == dtype::f32 ? "f" : "");  // CUDA's <cmath>: sinf, sin
    }
    bool has_own(std::string_view op) const override { return in_cuda_prelude(op); }
    std::string constant(std::string_view x, dtype t) const override { return type(t) + "(" + std::string(x) + ")"; }
    std::string cast(std::string_view value, dtype from, dtype to) const override {
        if (from == to) return std::string(value);
        if (is_short(from)) return cast("frit_widen(" + std::string(value) + ")", dtype::f32, to);
        const std::string v(value), t = type(to);
        if (is_short(to)) return "frit_narrow<" + t + ">(" + v + ")";
        if (to == dtype::bool_) return v + " != " + type(from) + "(0)";
        if (is_float(from) && is_integer(to)) return "frit_to<" + t + ">(" + v + ")";
        if (is_integer(from) && is_integer(to)) return t + "(" + t + "::value(" + v + ".v))";
        return "(" + t + ")" + v + (is_integer(from) ? ".v" : "");
    }
    std::string prelude(const kernel_spec&, const target&, std::string_view kernel) const override {
        return cuda_prelude_for(kernel);
    }
    std::string kernel(const kernel_spec&, const word_map&, const target&, const std::string& name) const override;
};

bool uniform(const access& a) { return !moves(a); }

/// Writes one kernel. Lane k of a thread is element `k` of every array in its registers; `vector` neighbouring lanes are
/// neighbouring elements, `groups` such vectors lie `jump` apart.
class writer : patch_text {
public:
    writer(const cuda_dialect& d, const kernel_spec& s, const word_map& m, std::string name)
        : patch_text(d, s, m, std::move(name), 1, reduce_pack) {
        reduce_ = s.schedule == schedule_kind::reduce_all;
        if (reduce_) {
            // Some 64 bytes in flight per thread reach the memory's limit; more only takes registers.
            vector_ = reduce_pack;
            std::size_t moving = 0;
            for (const access& a : s.loads) moving += !uniform(a);
            groups_ = moving <= 1 ? 4 : moving == 2 ? 2 : 1;
            if (has_unclamped_words(s)) groups_ = 1;
            while (groups_ > 1 && unroll() < lanes()) groups_ /= 2;
        } else if (s.rank == 1 && s.vector_width > 1) {
            vector_ = flat_lanes(s);
        } else {
            groups_ = scalar_lanes;
        }
    }

    std::string write() {
        parameters();
        accumulators();
        // Registers that only packs beside a clamp need are not worth half of the blocks.
        signature(reduce_ ? reduce_threads : pointwise_threads,
                  reduce_ && has_unclamped_words(s_) ? reduce_blocks_per_sm : 0);
        if (reduce_)
            reduction();
        else if (s_.rank == 1)
            flat_pointwise();
        else
            strided_pointwise();
        close();
        return std::move(out_);
    }

private:
    unsigned lanes() const { return vector_ * groups_; }
    unsigned unroll() const { return unroll_of(weight_of(s_.body), lanes()); }
    void open_lanes(unsigned unrolled) { open_loop("k", lanes(), 1, unrolled >= lanes() ? 0 : unrolled); }

    // --- the three phases; loads in arrays l0, l1, ..., results in r0, r1, ... ---

    void declare_lanes() {
        for (std::size_t k = 0; k < s_.loads.size(); ++k)
            line((uniform(s_.loads[k]) ? type(s_.loads[k].type) + " l" + str(k)
                                       : lanes_of(s_.loads[k].type, "l" + str(k), lanes())) +
                 ";");
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
        if (!uniform(s_.loads[k])) line("l" + str(k) + "[k] = " + read(k) + ";");
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

    void declare_taken() {
        for (std::size_t r = 0; r < s_.reductions.size(); ++r) line(acc(r) + " x" + str(r) + "[" + str(lanes()) + "];");
    }
    /// @param at_once lanes are the columns from `corner` on, and no clamp is reached
    void compute(bool at_once = false) {
        open_lanes(unroll());
        if (s_.rank == 1 && !s_.coords.empty()) line("const " + offset_ + " i0 = (" + offset_ + ")(" + flat_lane() + ");");
        if (at_once && !s_.coords.empty())
            line("[[maybe_unused]] const " + offset_ + " i" + str(column_) + " = corner + k;");
        out_ += ssa_lines(d_, s_.body, 't', indent(), [this, at_once](const instruction& i) -> std::string {
            if (i.code == op::load) return "l" + str(i.a) + (uniform(s_.loads[i.a]) ? "" : "[k]");
            if (i.code == op::scalar) return scalar(i.a);
            if (at_once) return affine_coordinate_of(i.a, i.type);
            return s_.rank == 1 ? coordinate_of(i.a, i.type) : d_.cast("c" + str(i.a) + "[k]", dtype::i64, i.type);
        });
        for (std::size_t k = 0; k < s_.stores.size(); ++k) line("r" + str(k) + "[k] = t" + str(s_.stores[k].value) + ";");
        for (std::size_t r = 0; r < s_.reductions.size(); ++r) line("x" + str(r) + "[k] = " + lift(r) + ";");
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
    void read_strided(bool windows, bool coordinates) {
        for (std::size_t k = 0; k < s_.loads.size(); ++k)
            if (windows || s_.loads[k].window == 0) read_lane(k);
        for (std::size_t k = 0; k < s_.stores.size(); ++k)
            line("o" + str(k) + "[k] = " + offset(s_.stores[k].to, map_.stores[k]) + ";");
        for (std::size_t k = 0; coordinates && k < s_.coords.size(); ++k)
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
        compute();
        write_flat();
    }

    void strided_pointwise() {
        const unsigned inner = s_.rank - 1U;
        line("const " + linear_ + " column = (" + linear_ + ")blockIdx.x * blockDim.x + threadIdx.x;");
        line("if (column >= " + extent(inner) + ") return;");
        line("const " + offset_ + " i" + str(inner) + " = (" + offset_ + ")column;");
        line("const " + linear_ + " rows = " + extents(0, inner) + ";");
        const std::string all = " * blockDim.y * " + str(scalar_lanes);
        open("for (" + linear_ + " row = (" + linear_ + ")blockIdx.y" + all + " + threadIdx.y; row < rows; row += (" +
             linear_ + ")gridDim.y" + all + ")");
        declare_strided();
        open_lanes(lanes());
        line(linear_ + " rest = row + k * blockDim.y < rows ? row + k * blockDim.y : row;");
        decode(0, inner, "const ");
        read_strided(true, true);
        close();
        compute();
        write_strided("row + k * blockDim.y < rows");
        close();
    }

    void reduction() {
        line("const " + linear_ + " n = " + extents(0, s_.rank) + ";");
        line("const " + linear_ + " jump = (" + linear_ + ")gridDim.x * " + str(reduce_threads * reduce_pack) + ";");
        for (std::size_t r = 0; r < s_.reductions.size(); ++r) line(acc(r) + " a" + str(r) + " = " + acc(r) + "::start();");
        open("for (" + linear_ + " first = ((" + linear_ + ")blockIdx.x * " + str(reduce_threads) + " + threadIdx.x) * " +
             str(reduce_pack) + "; first < n; first += " + (groups_ > 1 ? str(groups_) + " * " : "") + "jump)");
        line("const bool full = " + group_start(groups_ - 1) + " + " + str(reduce_pack - 1) + " < n;");
        declare_taken();
        if (s_.rank == 1) {
            declare_lanes();
            read_flat();
            compute();
        } else {
            declare_strided();
            packs();
        }
        accumulate();
        if (s_.rank == 1)
            write_flat();
        else if (s_.patch_rows > 0 && !s_.stores.empty())
            write_at_once();
        else
            write_strided("full || " + flat_lane() + " < n");
        close();
        totals();
    }

    // A pack becomes one by a tree, so that whatever is unrolled, a thread takes in its packs in order.
    void accumulate() {
        open_loop("g", groups_);
        for (std::size_t r = 0; r < s_.reductions.size(); ++r) {
            const std::string a = "a" + str(r), x = "x" + str(r) + (groups_ > 1 ? " + g * " + str(vector_) : "");
            const std::string of = "<" + str(vector_) + ", " + acc(r) + ">(", at = "first + g * jump";
            line("if (full) " + a + " = " + acc(r) + "::take(" + a + ", frit_tree" + of + x + "));");
            line("else " + a + " = frit_partial" + of + a + ", " + x + ", " + at + " < n ? (int)frit_min<" + linear_ +
                 ">(n - (" + at + "), " + str(vector_) + ") : 0);");
        }
        close();
    }

    // A pack's first element is found by division. Where clamps are, packs beside them go their own way, and the others know
    // nothing of them.
    void packs() {
        const bool branches = has_unclamped_words(s_);
        open_loop("g", groups_);
        line(linear_ + " element = first + g * jump < n ? first + g * jump : first;");
        line(linear_ + " rest = element;");
        decode(0, s_.rank, "");
        if (branches) {
            std::vector<std::string> corner;
            for (unsigned d = 0; d < s_.rank; ++d) corner.push_back("i" + str(d));
            open("if (" + unclamped_patch(corner) + ")");
            read_at_once();
            compute(true);
            --depth_;
            open("} else");
            read_by_carrying();
            compute();
            close();
        } else if (s_.patch_rows > 0) {
            read_at_once();
        } else {
            read_by_carrying();
        }
        close();
        if (!branches) compute();
    }
    void open_pack() {
        line("#pragma unroll");
        open("for (int k = g * " + str(vector_) + "; k < g * " + str(vector_) + " + " + str(vector_) + "; ++k)");
    }
    void read_by_carrying() {
        open_pack();
        read_strided(true, true);
        open("if (element + 1 < n)");
        line("++element;");
        carry(0, s_.rank, 1);
        close();
        close();
    }
    // The last extent is a multiple of the pack: no pack goes on in another row.
    void read_at_once() {
        read_windows("g * " + str(vector_) + " + ");
        line("const " + offset_ + " corner = i" + str(column_) + ";");
        open_pack();
        line("[[maybe_unused]] const " + offset_ + " i" + str(column_) + " = corner + (k - g * " + str(vector_) + ");");
        read_strided(false, !has_unclamped_words(s_));
        close();
    }
    void write_at_once() {
        open_loop("g", groups_);
        open("if (first + g * jump < n)");
        for (std::size_t k = 0; k < s_.stores.size(); ++k) {
            const access& to = s_.stores[k].to;
            const unsigned wide = std::min({vector_, unsigned{to.alignment}, static_cast<unsigned>(16 / size_of(to.type))});
            const std::string at = str(k) + "[g * " + str(vector_) + "]";
            line("frit_stream<" + str(vector_) + ", " + str(wide) + ">(" + pointer(to, false) + " + o" + at + ", &r" + at +
                 ");");
        }
        close();
        close();
    }

    // Threads to block, blocks to partials in memory, the last block to the totals; then the row code, once.
    void totals() {
        const auto block_total = [this](std::size_t r) {
            line("a" + str(r) + " = frit_block_total<" + str(reduce_threads / 32) + ", " + acc(r) + ">(a" + str(r) + ");");
        };
        std::size_t words = 0;
        for (std::size_t r = 0; r < s_.reductions.size(); ++r) {
            line(acc(r) + "* partial" + str(r) + " = (" + acc(r) + "*)((char*)w.head[1] + " + str(ticket_bytes) +
                 (words ? " + " + str(8 * words) + "ull * gridDim.x" : "") + ");");
            words += static_cast<unsigned>(rule_of(s_.reductions[r]).parts);
            block_total(r);
            line("if (threadIdx.x == 0) partial" + str(r) + "[blockIdx.x] = a" + str(r) + ";");
        }
        line("if (!frit_last_block((unsigned*)w.head[1], gridDim.x)) return;");
        for (std::size_t r = 0; r < s_.reductions.size(); ++r) {
            const std::string a = "a" + str(r);
            line(a + " = " + acc(r) + "::start();");
            line("for (unsigned b = threadIdx.x; b < gridDim.x; b += " + str(reduce_threads) + ") " + a + " = " + acc(r) +
                 "::take(" + a + ", partial" + str(r) + "[b]);");
            block_total(r);
        }
        line("if (threadIdx.x != 0) return;");
        out_ += ssa_lines(d_, s_.row, 'e', indent(), [this](const instruction& i) {
            return i.code == op::total ? "a" + str(i.a) + total(i.a) : scalar(i.a);
        });
        for (const store& to : s_.row_stores) line("*" + pointer(to.to, false) + " = e" + str(to.value) + ";");
    }

    unsigned vector_ = 1, groups_ = 1;
    bool reduce_ = false;
};

std::string cuda_dialect::kernel(const kernel_spec& spec, const word_map& map, const target&,
                                 const std::string& name) const {
    if (is_of_rows(spec.schedule)) return cuda_row_kernel(*this, spec, map, name);
    if (spec.tile > 0) return cuda_transpose_kernel(*this, spec, map, name);
    if (spec.patch_rows > 0 && spec.schedule == schedule_kind::pointwise) return cuda_patch_kernel(*this, spec, map, name);
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
