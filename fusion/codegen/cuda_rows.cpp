// Kernels whose rows are shared by threads: reduce_inner (neighbouring threads along the row) and reduce_outer (neighbouring
// threads in neighbouring rows). Both deal a row out in packs of neighbouring elements; a pass reads packs, computes, makes
// one value of each pack by a tree, and stores; then the threads of the row meet. Long rows of one pass are shared by
// blocks.
#include "fusion/codegen/cuda_rows.hpp"

#include <algorithm>

#include "fusion/codegen/cuda_text.hpp"

namespace frit::inline v0::fusion {
namespace {

class row_writer : cuda_text {
public:
    row_writer(const dialect& d, const kernel_spec& s, const word_map& m, const std::string& name)
        : cuda_text(d, s, m, name),
          shape_(row_shape_of(s)),
          work_(s, shape_.resident * shape_.pack),
          kept_(s.rank - s.reduced),
          along_(s.schedule == schedule_kind::reduce_inner),
          several_(work_.work.size() > 1) {
        if (several_) shape_.chunk = 0;
    }

    std::string write() {
        parameters();
        accumulators();
        signature(shape_.block(), blocks_per_sm());
        head();
        for (std::size_t k = 0; k < s_.loads.size(); ++k)
            if (!moving(k))
                line("const " + type(s_.loads[k].type) + " l" + str(k) + " = real" +
                     (row_code_reads(s_, k) ? "" : " && n > 0") + " ? " + read(k) + " : " + type(s_.loads[k].type) + "{};");
        if (shape_.resident) resident_arrays();
        for (std::size_t p = 0; p < work_.work.size(); ++p) pass(p);
        end();
        close();
        return std::move(out_);
    }

private:
    // Two thirds of the registers for what is resident leave enough for a light body: then 32 warps per SM.
    unsigned blocks_per_sm() const {
        const std::size_t bytes = shape_.resident * shape_.pack * work_.live_bytes;
        return shape_.resident && !s_.stores.empty() && bytes <= 128 && weight_of(s_.body) <= 100 ? 1024 / shape_.block()
                                                                                                  : 0;
    }
    bool moving(std::size_t load) const { return moves_in(s_.loads[load], kept_, s_.rank); }
    bool flat_row() const { return s_.reduced == 1; }
    unsigned stride() const { return shape_.threads * shape_.pack; }  // from a thread's pack to its next
    unsigned group(std::size_t packs_left) const {                    // packs of one step
        return static_cast<unsigned>(std::min<std::size_t>(shape_.in_flight, packs_left));
    }
    // Elements of one vector access.
    unsigned aligned(const access& a) const {
        const access_dim& last = a.dims.back();
        if (!along_ || last.stride != stride_class::one || last.clamped) return 1;
        return std::min({unsigned{s_.vector_width}, shape_.pack, static_cast<unsigned>(16 / size_of(a.type))});
    }

    // Which row and which part of it: row, real (there is such a row), tid (of the row's threads), n (its length).
    void head() {
        const std::string lane = along_ ? "threadIdx.y" : "threadIdx.x", lanes = along_ ? "blockDim.y" : "blockDim.x";
        line("const unsigned tid = " + std::string(along_ ? "threadIdx.x" : "threadIdx.y") + ";");
        line("const " + linear_ + " n = " + extents(kept_, s_.rank) + ", rows = " + extents(0, kept_) + ";");
        line(linear_ + " tile = (" + linear_ + ")blockIdx.y * gridDim.x + blockIdx.x;");
        line("const " + linear_ + " tiles = (rows + " + lanes + " - 1) / " + lanes + ";");
        if (shape_.chunk) {
            line("const unsigned chunks = n > " + str(chunk()) + " ? (unsigned)((n + " + str(chunk() - 1) + ") / " +
                 str(chunk()) + ") : 1;");
            line("const bool split = chunks > 1 && tiles <= " + str(max_tickets) + ";");
            line("unsigned chunk = 0;");
            open("if (split)");
            // In the order of memory.
            line(std::string("chunk = (unsigned)(tile ") + (along_ ? "% chunks" : "/ tiles") + ");");
            line(along_ ? "tile /= chunks;" : "tile %= tiles;");
            close();
        }
        line("if (tile >= tiles) return;");
        line("const " + linear_ + " row = tile * " + lanes + " + " + lane + ";");
        line("const bool real = row < rows;");
        line(linear_ + " rest = row;");
        decode(0, kept_, "[[maybe_unused]] const ");
        if (!along_ && shape_.threads > 1 && !s_.reductions.empty()) {
            unsigned parts = 1;
            for (const reduction_spec& r : s_.reductions) parts = std::max(parts, static_cast<unsigned>(rule_of(r).parts));
            line("__shared__ unsigned long long column[" + str(shape_.block() * parts) + "];");
        }
    }
    std::uint64_t chunk() const { return static_cast<std::uint64_t>(shape_.chunk); }

    // Kept values are set wherever they are read later; zeros would take registers beside what they come from.
    void resident_arrays() {
        const std::size_t all = shape_.resident * shape_.pack;
        for (std::size_t k = 0; k < s_.loads.size(); ++k)
            if (work_.held[k] >= 0) line(lanes_of(s_.loads[k].type, "l" + str(k), all) + " = {};");
        for (std::size_t k = 0; k < s_.body.size(); ++k)
            if (work_.kept[k] >= 0) line(lanes_of(s_.body[k].type, "v" + str(k), all) + ";");
    }

    // --- one pass ---

    void pass(std::size_t p) {
        row_code(work_.passes.passes[p].row);
        for (std::uint16_t r : reductions(p)) line(acc(r) + " a" + str(r) + " = " + acc(r) + "::start();");
        if (shape_.resident) {
            line("const " + linear_ + " stop" + str(p) + " = real ? n : 0;");
            resident_pass(p);
            for (std::uint16_t r : reductions(p)) meet(r);
            return;
        }
        if (!shape_.chunk) {
            walk(p, "tid * " + str(shape_.pack), "real ? n : 0");
            for (std::uint16_t r : reductions(p)) meet(r);
            return;
        }
        partials();
        open("for (; chunk < chunks; chunk += split ? chunks : 1)");
        for (std::uint16_t r : reductions(p)) line("a" + str(r) + " = " + acc(r) + "::start();");
        line("const " + linear_ + " begin = (" + linear_ + ")chunk * " + str(chunk()) + ";");
        walk(p, "begin + tid * " + str(shape_.pack),
             "real ? frit_min<" + linear_ + ">(n, begin + " + str(chunk()) + ") : 0");
        for (std::uint16_t r : reductions(p)) meet(r);
        open("if (chunks > 1)");
        for (std::uint16_t r : reductions(p))
            line("if (tid == 0 && real) partial" + str(r) + "[" + slot("chunk") + "] = a" + str(r) + ";");
        line("__syncthreads();");
        close();
        close();
        open("if (chunks > 1)");
        line("if (split && !frit_last_block((unsigned*)w.head[1] + tile, chunks)) return;");
        for (std::uint16_t r : reductions(p)) {
            const std::string a = "a" + str(r);
            line(a + " = " + acc(r) + "::start();");
            line("if (real)");
            line("    for (unsigned c = tid; c < chunks; c += " + str(shape_.threads) + ") " + a + " = " + acc(r) +
                 "::take(" + a + ", partial" + str(r) + "[" + slot("c") + "]);");
            meet(r);
        }
        close();
    }
    const std::vector<std::uint16_t>& reductions(std::size_t p) const { return work_.passes.passes[p].reductions; }
    std::string slot(const std::string& c) const {
        return along_ ? "row * chunks + " + c : "(" + linear_ + ")" + c + " * rows + row";
    }
    void partials() {
        unsigned words = 0;
        for (std::size_t r = 0; r < s_.reductions.size(); ++r) {
            line("[[maybe_unused]] " + acc(r) + "* const partial" + str(r) + " = (" + acc(r) + "*)((char*)w.head[1] + " +
                 str(ticket_bytes) + (words ? " + rows * chunks * " + str(8 * words) : "") + ");");
            words += static_cast<unsigned>(rule_of(s_.reductions[r]).parts);
        }
    }
    // The accumulators of a row's threads become the total, which all of them get.
    void meet(std::size_t r) {
        if (shape_.threads == 1) return;
        const std::string a = "a" + str(r), of = ", " + acc(r) + ">(" + a;
        if (!along_)
            line(a + " = frit_column_total<" + str(shape_.threads) + of + ", (" + acc(r) + "*)column);");
        else if (shape_.threads <= 32)
            line(a + " = frit_group_total<" + str(shape_.threads) + of + ");");
        else
            line(a + " = frit_block_total<" + str(shape_.threads / 32) + of + ");");
    }

    void resident_pass(std::size_t p) {
        const std::string stop = "stop" + str(p), start = "tid * " + str(shape_.pack);
        open("if (" + start + " < " + stop + ")");
        std::vector<std::uint16_t> fresh, passing;
        for (std::uint16_t k : work_.work[p].reads) (work_.held[k] == static_cast<int>(p) ? fresh : passing).push_back(k);
        line("const " + linear_ + " stop = " + stop + ";");
        if (!fresh.empty()) {
            open("");
            line("const " + linear_ + " first = " + start + ";");
            read_packs(fresh, shape_.resident);
            close();
        }
        const unsigned together = group(shape_.resident);
        open_loop("s", shape_.resident, together);
        line("const " + linear_ + " first = " + start + " + s * " + str(stride()) + ";");
        step(p, passing, together);
        close();
        close();
    }

    void walk(std::size_t p, const std::string& start, const std::string& stop) {
        const unsigned together = shape_.in_flight;
        line("const " + linear_ + " stop" + str(p) + " = " + stop + ";");
        open("for (" + linear_ + " first = " + start + "; first < stop" + str(p) + "; first += " + str(stride() * together) +
             ")");
        line("const " + linear_ + " stop = stop" + str(p) + ";");
        step(p, work_.work[p].reads, together);
        close();
    }

    void step(std::size_t p, const std::vector<std::uint16_t>& reads, unsigned packs) {
        for (std::uint16_t k : reads) line(lanes_of(s_.loads[k].type, "l" + str(k), packs * shape_.pack) + " = {};");
        if (!reads.empty()) read_packs(reads, packs);
        const bool last = p + 1 == work_.work.size();
        open_loop("g", packs);
        line("const " + linear_ + " at = first + g * " + str(stride()) + ";");
        line("const bool full = at + " + str(shape_.pack) + " <= stop;");
        for (std::uint16_t r : reductions(p)) line(acc(r) + " x" + str(r) + "[" + str(shape_.pack) + "];");
        if (last)
            for (std::size_t k = 0; k < s_.stores.size(); ++k)
                line(type(s_.stores[k].to.type) + " r" + str(k) + "[" + str(shape_.pack) + "];");
        open_lanes(1, unroll_of(weight_of(s_.body), shape_.pack));
        for (std::uint16_t k : work_.work[p].body)
            if (work_.kept[k] >= 0 && work_.kept[k] < static_cast<int>(p))
                line("const " + type(s_.body[k].type) + " t" + str(k) + " = v" + str(k) + "[" + resident_lane() + "];");
            else
                out_ += ssa_line(d_, s_.body, k, 't', indent(), [&](const instruction& i) { return leaf(i, p); });
        for (std::uint16_t k : work_.work[p].body)
            if (work_.kept[k] == static_cast<int>(p)) line("v" + str(k) + "[" + resident_lane() + "] = t" + str(k) + ";");
        for (std::uint16_t r : reductions(p)) line("x" + str(r) + "[k] = " + lift(r) + ";");
        if (last)
            for (std::size_t k = 0; k < s_.stores.size(); ++k)
                line("r" + str(k) + "[k] = t" + str(s_.stores[k].value) + ";");
        close_lanes(1);
        if (!reductions(p).empty()) accumulate(p);
        if (last && !s_.stores.empty()) store_pack();
        close();
    }
    std::string resident_lane() const { return "(s + g) * " + str(shape_.pack) + " + k"; }
    std::string leaf(const instruction& i, std::size_t p) const {
        switch (i.code) {
            case op::scalar: return scalar(i.a);
            case op::row: return "e" + str(i.a);
            case op::coord: return coordinate_of(i.a, i.type);
            default: break;  // load
        }
        if (!moving(i.a)) return "l" + str(i.a);
        const bool held = shape_.resident && work_.held[i.a] >= 0 && work_.held[i.a] <= static_cast<int>(p);
        return "l" + str(i.a) + "[" + (held ? resident_lane() : "g * " + str(shape_.pack) + " + k") + "]";
    }

    void accumulate(std::size_t p) {
        open("if (full)");
        for (std::uint16_t r : reductions(p))
            line("a" + str(r) + " = " + acc(r) + "::take(a" + str(r) + ", frit_tree<" + str(shape_.pack) + ", " + acc(r) +
                 ">(x" + str(r) + "));");
        --depth_;
        open("} else");
        line("const int count = at < stop ? (int)(stop - at) : 0;");
        for (std::uint16_t r : reductions(p))
            line("a" + str(r) + " = frit_partial<" + str(shape_.pack) + ", " + acc(r) + ">(a" + str(r) + ", x" + str(r) +
                 ", count);");
        close();
    }

    // --- elements of a pack: variables i<d> of the element at + k ---

    void open_lanes(unsigned step, unsigned unroll = 0) {
        if (!flat_row()) {
            line(linear_ + " rest = at;");
            decode(kept_, s_.rank, "", 'j');
        }
        open_loop("k", shape_.pack, step, unroll >= shape_.pack ? 0 : unroll);
        if (flat_row()) line("[[maybe_unused]] const " + offset_ + " i" + str(kept_) + " = (" + offset_ + ")(at + k);");
        for (unsigned d = kept_; d < s_.rank && !flat_row(); ++d)
            line("[[maybe_unused]] const " + offset_ + " i" + str(d) + " = j" + str(d) + ";");
    }
    void close_lanes(unsigned step) {
        if (!flat_row()) carry(kept_, s_.rank, step, 'j');
        close();
    }

    void read_packs(const std::vector<std::uint16_t>& loads, unsigned packs) {
        line("const bool whole = first + " + str((packs - 1) * stride() + shape_.pack) + " <= stop;");
        for (const bool whole : {true, false}) {
            if (whole) {
                open("if (whole)");
            } else {
                --depth_;
                open("} else");
            }
            open_loop("g", packs);
            line("const " + linear_ + " at = first + g * " + str(stride()) + ";");
            for (unsigned width = 16; width > 0; width /= 2) {
                const auto of_width = [&](std::uint16_t k) { return aligned(s_.loads[k]) == width; };
                if (std::none_of(loads.begin(), loads.end(), of_width)) continue;
                open("");
                open_lanes(width);
                if (!whole) open("if (at + k < stop)");
                for (std::uint16_t k : loads)
                    if (of_width(k)) read_lane(k, width);
                if (!whole) close();
                close_lanes(width);
                close();
            }
            close();
        }
        close();
    }
    void read_lane(std::uint16_t k, unsigned width) {
        const std::string l = "l" + str(k), at = "g * " + str(shape_.pack) + " + k";
        const std::string widths = "<" + str(width) + ", " + str(width);
        if (once(k))
            line("frit_once" + widths + (s_.stores.empty() ? ", false>(" : ", true>(") + l + " + (" + at + "), &" + read(k) +
                 ");");
        else if (width == 1)
            line(l + "[" + at + "] = " + read(k) + ";");
        else
            line("frit_load" + widths + ">(" + l + " + (" + at + "), &" + read(k) + ");");
    }
    // No element of it is read by another row, nor again by this one.
    bool once(std::uint16_t k) const {
        const auto& dims = s_.loads[k].dims;
        return (shape_.resident || work_.work.size() == 1) &&
               std::all_of(dims.begin(), dims.end(), [](const access_dim& d) { return d != access_dim{} && !d.clamped; });
    }

    void store_pack() {
        for (unsigned width = 16; width > 0; width /= 2) {
            const auto of_width = [&](const store& to) { return aligned(to.to) == width; };
            if (std::none_of(s_.stores.begin(), s_.stores.end(), of_width)) continue;
            open("");
            open_lanes(width);
            open("if (full || at + k < stop)");
            for (std::size_t k = 0; k < s_.stores.size(); ++k)
                if (of_width(s_.stores[k]))
                    line("frit_stream<" + str(width) + ", " + str(width) + ">(" + pointer(s_.stores[k].to, false) + " + (" +
                         offset(s_.stores[k].to, map_.stores[k]) + "), r" + str(k) + " + k);");
            close();
            close_lanes(width);
            close();
        }
    }

    // --- once per row ---

    void row_code(const std::vector<std::uint16_t>& list) {
        for (std::uint16_t k : list)
            out_ += ssa_line(d_, s_.row, k, 'e', indent() + "[[maybe_unused]] ", [this](const instruction& i) {
                if (i.code == op::total) return "a" + str(i.a) + total(i.a);
                if (i.code == op::scalar) return scalar(i.a);
                return i.code == op::coord ? coordinate_of(i.a, i.type) : "l" + str(i.a);
            });
    }
    // Row stores may overwrite what the row's other threads have read: they have, where threads have met since.
    void end() {
        if (s_.row_stores.empty()) return;
        row_code(work_.passes.row_at_end);
        if (shape_.threads > 1 && (reductions(work_.work.size() - 1).empty() || (along_ && shape_.threads <= 32)))
            line(along_ && shape_.threads <= 32 ? "__syncwarp();" : "__syncthreads();");
        open("if (tid == 0 && real)");
        for (std::size_t k = 0; k < s_.row_stores.size(); ++k)
            line("frit_stream<1, 1>(" + pointer(s_.row_stores[k].to, false) + " + (" +
                 offset(s_.row_stores[k].to, map_.row_stores[k]) + "), &e" + str(s_.row_stores[k].value) + ");");
        close();
    }

    row_shape shape_;
    row_work work_;
    unsigned kept_;
    bool along_, several_;
};

}  // namespace

std::string cuda_row_kernel(const dialect& d, const kernel_spec& s, const word_map& m, const std::string& name) {
    if (s.schedule == schedule_kind::reduce_tile) return cuda_tile_kernel(d, s, m, name);
    return row_writer(d, s, m, name).write();
}

}  // namespace frit::v0::fusion
