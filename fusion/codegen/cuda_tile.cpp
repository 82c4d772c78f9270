// reduce_tile: neighbouring threads in neighbouring rows, and each thread has several of them in registers, so that an
// element that is invariant from row to row is read once for all. All lanes of a warp read it at the same address. An
// accumulator takes in runs of 32 elements, each summed from the identity: the error stays that of short sums.
#include <algorithm>
#include <span>

#include "fusion/codegen/cuda_rows.hpp"
#include "fusion/codegen/cuda_text.hpp"

namespace frit::inline v0::fusion {
namespace {

class tile_writer : cuda_text {
public:
    tile_writer(const dialect& d, const kernel_spec& s, const word_map& m, const std::string& name)
        : cuda_text(d, s, m, name), shape_(row_shape_of(s)), work_(s, 0), kept_(s.rank - s.reduced) {
        if (work_.work.size() > 1) shape_.chunk = 0;
    }

    std::string write() {
        parameters();
        accumulators();
        signature(shape_.block());
        head();
        invariant_loads();
        for (std::size_t p = 0; p < work_.work.size(); ++p) pass(p);
        end();
        close();
        return std::move(out_);
    }

private:
    bool in_row(std::size_t k) const { return moves_in(s_.loads[k], kept_, s_.rank); }
    bool from_row_to_row(std::size_t k) const { return moves_in(s_.loads[k], kept_ - 1, kept_); }
    void open_rows() {
        open_loop("m", shape_.per_lane);
        line("[[maybe_unused]] const " + offset_ + " i" + str(kept_ - 1) + " = (" + offset_ + ")(across + m * blockDim.x);");
    }

    // A block has the rows across, across + blockDim.x, ... of the last kept dimension.
    void head() {
        line("const unsigned tid = threadIdx.y;");
        line("const " + linear_ + " n = " + extents(kept_, s_.rank) + ", rows = " + extents(0, kept_) +
             ", width = " + extent(kept_ - 1) + ";");
        line("const " + linear_ + " wide = (width + blockDim.x * " + str(shape_.per_lane) + " - 1) / (blockDim.x * " +
             str(shape_.per_lane) + ");");
        line("const " + linear_ + " tiles = rows / width * wide;");
        line(linear_ + " tile = (" + linear_ + ")blockIdx.y * gridDim.x + blockIdx.x;");
        if (shape_.chunk) {
            line("const unsigned chunks = n > " + chunk() + " ? (unsigned)((n + " + chunk() + " - 1) / " + chunk() +
                 ") : 1;");
            line("const bool split = chunks > 1 && tiles <= " + str(max_tickets) + ";");
            line("unsigned chunk = 0;");
            open("if (split)");
            line("chunk = (unsigned)(tile / tiles);");
            line("tile %= tiles;");
            close();
        }
        line("if (tile >= tiles) return;");
        line("const " + linear_ + " across = tile % wide * (blockDim.x * " + str(shape_.per_lane) + ") + threadIdx.x;");
        if (kept_ > 1) {
            line(linear_ + " rest = tile / wide;");
            decode(0, kept_ - 1, "[[maybe_unused]] const ");
        }
        line("bool real[" + str(shape_.per_lane) + "];");
        open_loop("m", shape_.per_lane);
        line("real[m] = across + m * blockDim.x < width;");
        close();
        if (shape_.threads > 1) {
            unsigned parts = 1;
            for (const reduction_spec& r : s_.reductions) parts = std::max(parts, static_cast<unsigned>(rule_of(r).parts));
            line("__shared__ unsigned long long column[" + str(shape_.block() * parts) + "];");
        }
    }
    std::string chunk() const { return str(static_cast<std::uint64_t>(shape_.chunk)); }

    void invariant_loads() {
        for (std::size_t k = 0; k < s_.loads.size(); ++k) {
            if (in_row(k)) continue;
            const std::string t = type(s_.loads[k].type), l = "l" + str(k);
            const std::string otherwise = " : " + t + "{};";
            const bool always = row_code_reads(s_, k);
            if (!from_row_to_row(k)) {
                line("const " + t + " " + l + " = " + (always ? read(k) + ";" : "n > 0 ? " + read(k) + otherwise));
                continue;
            }
            line(t + " " + l + "[" + str(shape_.per_lane) + "];");
            open_rows();
            line(l + "[m] = real[m]" + (always ? "" : " && n > 0") + " ? " + read(k) + otherwise);
            close();
        }
    }

    // --- one pass ---

    void pass(std::size_t p) {
        row_values(p);
        const auto& reductions = work_.passes.passes[p].reductions;
        for (std::uint16_t r : reductions) line(acc(r) + " a" + str(r) + "[" + str(shape_.per_lane) + "];");
        if (shape_.chunk) return pass_in_chunks(p);
        if (!reductions.empty()) start(reductions);
        line("const " + linear_ + " stop" + str(p) + " = n;");
        walk(p, "0");
        if (!reductions.empty()) meet(reductions);
    }

    void start(std::span<const std::uint16_t> reductions) {
        open_loop("m", shape_.per_lane);
        for (std::uint16_t r : reductions) line("a" + str(r) + "[m] = " + acc(r) + "::start();");
        close();
    }

    // What the threads of a row have becomes one value.
    void meet(std::span<const std::uint16_t> reductions) {
        if (shape_.threads == 1) return;
        open_loop("m", shape_.per_lane);
        for (std::uint16_t r : reductions)
            line("a" + str(r) + "[m] = frit_column_total<" + str(shape_.threads) + ", " + acc(r) + ">(a" + str(r) +
                 "[m], (" + acc(r) + "*)column);");
        close();
    }

    // Chunks of the rows, each of them a block's or one after the other; then the partial results in order.
    void pass_in_chunks(std::size_t p) {
        const auto& reductions = work_.passes.passes[p].reductions;
        line("const " + linear_ + " base = tile / wide * width + across;");
        unsigned words = 0;
        for (std::size_t r = 0; r < s_.reductions.size(); ++r) {
            line("[[maybe_unused]] " + acc(r) + "* const partial" + str(r) + " = (" + acc(r) + "*)((char*)w.head[1] + " +
                 str(ticket_bytes) + (words ? " + rows * chunks * " + str(8 * words) : "") + ") + base;");
            words += static_cast<unsigned>(rule_of(s_.reductions[r]).parts);
        }
        open("for (; chunk < chunks; chunk += split ? chunks : 1)");
        start(reductions);
        line("const " + linear_ + " begin = (" + linear_ + ")chunk * " + chunk() + ";");
        line("const " + linear_ + " stop0 = frit_min<" + linear_ + ">(n, begin + " + chunk() + ");");
        walk(p, "begin");
        meet(reductions);
        open("if (chunks > 1)");
        open_loop("m", shape_.per_lane);
        open("if (tid == 0 && real[m])");
        for (std::uint16_t r : reductions)
            line("partial" + str(r) + "[(" + linear_ + ")chunk * rows + m * blockDim.x] = a" + str(r) + "[m];");
        close();
        close();
        line("__syncthreads();");
        close();
        close();
        open("if (chunks > 1)");
        line("if (split && !frit_last_block((unsigned*)w.head[1] + tile, chunks)) return;");
        start(reductions);
        open_loop("m", shape_.per_lane);
        line("if (real[m])");
        open("    for (unsigned c = tid; c < chunks; c += " + str(shape_.threads) + ")");
        for (std::uint16_t r : reductions)
            line("a" + str(r) + "[m] = " + acc(r) + "::take(a" + str(r) + "[m], partial" + str(r) + "[(" + linear_ +
                 ")c * rows + m * blockDim.x]);");
        close();
        close();
        meet(reductions);
        close();
    }

    // Row values that the pass uses, for each row of the thread: s<k>[m].
    void row_values(std::size_t p) {
        std::vector<std::uint16_t> used;
        for (std::uint16_t k : work_.work[p].body)
            if (s_.body[k].code == op::row) used.push_back(s_.body[k].a);
        if (used.empty()) return;
        std::sort(used.begin(), used.end());
        used.erase(std::unique(used.begin(), used.end()), used.end());
        for (std::uint16_t k : used)
            line(type(s_.row[k].type) + " s" + str(p) + "_" + str(k) + "[" + str(shape_.per_lane) + "];");
        open_rows();
        for (std::size_t q = 0; q <= p; ++q) row_code(work_.passes.passes[q].row);
        for (std::uint16_t k : used) line("s" + str(p) + "_" + str(k) + "[m] = e" + str(k) + ";");
        close();
    }
    void row_code(const std::vector<std::uint16_t>& list) {
        for (std::uint16_t k : list)
            out_ += ssa_line(d_, s_.row, k, 'e', indent() + "[[maybe_unused]] ", [this](const instruction& i) {
                if (i.code == op::total) return "a" + str(i.a) + "[m]" + total(i.a);
                if (i.code == op::scalar) return scalar(i.a);
                if (i.code == op::coord) return coordinate_of(i.a, i.type);
                return "l" + str(i.a) + (from_row_to_row(i.a) ? "[m]" : "");
            });
    }

    void walk(std::size_t p, const std::string& begin) {
        const auto& reductions = work_.passes.passes[p].reductions;
        const std::string stop = "stop" + str(p);
        open("for (" + linear_ + " at = " + begin + " + tid * " + str(shape_.pack) + "; at < " + stop +
             "; at += " + str(shape_.threads * shape_.pack) + ")");
        for (std::uint16_t r : reductions) line(acc(r) + " x" + str(r) + "[" + str(shape_.per_lane) + "];");
        if (!reductions.empty()) {
            open_loop("m", shape_.per_lane);
            for (std::uint16_t r : reductions) line("x" + str(r) + "[m] = " + acc(r) + "::start();");
            close();
        }
        open("if (at + " + str(shape_.pack) + " <= " + stop + ")");
        const unsigned weight = weight_of(s_.body) * shape_.per_lane * shape_.in_flight;
        open_loop("q", shape_.pack, shape_.in_flight, unroll_of(weight, 2));
        elements(p, shape_.in_flight);
        close();
        --depth_;
        open("} else");
        line("const int count = (int)(" + stop + " - at);");
        open("for (int q = 0; q < count; ++q)");
        elements(p, 1);
        close();
        close();
        if (!reductions.empty()) {
            open_loop("m", shape_.per_lane);
            for (std::uint16_t r : reductions)
                line("a" + str(r) + "[m] = " + acc(r) + "::take(a" + str(r) + "[m], x" + str(r) + "[m]);");
            close();
        }
        close();
    }

    // The elements at + q, ..., of all rows of the thread.
    void elements(std::size_t p, unsigned count) {
        for (std::uint16_t k : work_.work[p].reads) line(type(s_.loads[k].type) + " l" + str(k) + "[" + str(count) + "];");
        read_elements(work_.work[p].reads, count);
        open_rows();
        open_lanes(count);
        for (std::uint16_t k : work_.work[p].body)
            if (!only_accumulated(p, k))
                out_ += ssa_line(d_, s_.body, k, 't', indent(), [&](const instruction& i) {
                    if (i.code == op::scalar) return scalar(i.a);
                    if (i.code == op::row) return "s" + str(p) + "_" + str(i.a) + "[m]";
                    if (i.code == op::coord) return coordinate_of(i.a, i.type);
                    return "l" + str(i.a) + (in_row(i.a) ? "[k]" : from_row_to_row(i.a) ? "[m]" : "");
                });
        for (std::uint16_t r : work_.passes.passes[p].reductions) accumulate(r);
        if (p + 1 == work_.work.size() && !s_.stores.empty()) {
            open("if (real[m])");
            for (std::size_t k = 0; k < s_.stores.size(); ++k)
                line("frit_stream<1, 1>(" + pointer(s_.stores[k].to, false) + " + (" +
                     offset(s_.stores[k].to, map_.stores[k]) + "), &t" + str(s_.stores[k].value) + ");");
            close();
        }
        close();
        close();
    }
    void read_elements(const std::vector<std::uint16_t>& loads, unsigned count) {
        std::vector<std::uint16_t> one_by_one;
        for (std::uint16_t k : loads) {
            const unsigned width = aligned(s_.loads[k], count);
            if (width == 1) {
                one_by_one.push_back(k);
                continue;
            }
            open("");
            line("const " + offset_ + " i" + str(kept_) + " = (" + offset_ + ")(at + q);");
            line("frit_load<" + str(count) + ", " + str(width) + ">(l" + str(k) + ", &" + read(k) + ");");
            close();
        }
        if (one_by_one.empty()) return;
        open_lanes(count);
        for (std::uint16_t k : one_by_one) line("l" + str(k) + "[k] = " + read(k) + ";");
        close();
    }
    // Elements of one vector access.
    unsigned aligned(const access& a, unsigned count) const {
        const access_dim& last = a.dims.back();
        if (s_.reduced > 1 || last.stride != stride_class::one || last.clamped) return 1;
        return std::min({unsigned{s_.vector_width}, count, static_cast<unsigned>(16 / size_of(a.type))});
    }

    // A sum of products takes them in unrounded.
    bool sums_products(std::uint16_t r) const {
        const reduction_spec& red = s_.reductions[r];
        return red.code == op::sum && is_float(red.type) && s_.body[red.value].code == op::mul;
    }
    // A product that nothing else uses.
    bool only_accumulated(std::size_t p, std::uint16_t k) const {
        bool taken = false;
        for (std::uint16_t r : work_.passes.passes[p].reductions)
            if (s_.reductions[r].value == k) {
                if (!sums_products(r)) return false;
                taken = true;
            }
        const auto uses = [k](const instruction& i) {
            for (int n = 0; n < operands_of(i); ++n)
                if (operand(i, n) == k) return true;
            return false;
        };
        return taken &&
               std::none_of(work_.work[p].body.begin(), work_.work[p].body.end(),
                            [&](std::uint16_t n) { return uses(s_.body[n]); }) &&
               std::none_of(s_.stores.begin(), s_.stores.end(), [k](const store& to) { return to.value == k; });
    }
    void accumulate(std::uint16_t r) {
        const reduction_spec& red = s_.reductions[r];
        const instruction& value = s_.body[red.value];
        const std::string x = "x" + str(r) + "[m]";
        if (sums_products(r))
            line(x + ".p0 = " + spell(d_, op::fma, red.type, "t" + str(value.a), "t" + str(value.b), x + ".p0") + ";");
        else
            line(x + " = " + acc(r) + "::take(" + x + ", " + lift(r) + ");");
    }
    void open_lanes(unsigned count) {
        open_loop("k", count);
        if (s_.reduced == 1) {
            line("[[maybe_unused]] const " + offset_ + " i" + str(kept_) + " = (" + offset_ + ")(at + q + k);");
            return;
        }
        line(linear_ + " rest = at + q + k;");
        decode(kept_, s_.rank, "[[maybe_unused]] const ");
    }

    void end() {
        if (s_.row_stores.empty()) return;
        if (shape_.threads > 1 && work_.passes.passes.back().reductions.empty()) line("__syncthreads();");
        open("if (tid == 0)");
        open_rows();
        open("if (real[m])");
        for (const row_pass& p : work_.passes.passes) row_code(p.row);
        row_code(work_.passes.row_at_end);
        for (std::size_t k = 0; k < s_.row_stores.size(); ++k)
            line("frit_stream<1, 1>(" + pointer(s_.row_stores[k].to, false) + " + (" +
                 offset(s_.row_stores[k].to, map_.row_stores[k]) + "), &e" + str(s_.row_stores[k].value) + ");");
        close();
        close();
        close();
    }

    row_shape shape_;
    row_work work_;
    unsigned kept_;
};

}  // namespace

std::string cuda_tile_kernel(const dialect& d, const kernel_spec& s, const word_map& m, const std::string& name) {
    return tile_writer(d, s, m, name).write();
}

}  // namespace frit::v0::fusion
