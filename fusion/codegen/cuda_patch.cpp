// Pointwise kernels of rank > 1 in patches: a thread computes `vector_width` neighbouring columns of a few neighbouring
// rows. Inside the domain, and where no clamp is reached, what it reads comes by wide accesses, and loads that show one
// array at shifted places share a window of it in registers: each element is read once for all that it is a neighbour of. A
// patch at an edge goes element by element. Three phases, as everywhere: read all, compute, write all.
#include "fusion/codegen/cuda_patch.hpp"

#include <algorithm>
#include <utility>

#include "fusion/codegen/cuda_text.hpp"

namespace frit::inline v0::fusion {
namespace {

class patch_writer : patch_text {
public:
    patch_writer(const dialect& d, const kernel_spec& s, const word_map& m, const std::string& name)
        : patch_text(d, s, m, name, patch_rows(s), s.vector_width) {}

    std::string write() {
        parameters();
        signature(pointwise_threads);
        start();
        open("if (full)");
        inside();
        --depth_;
        open("} else");
        at_edge();
        close();
        close();
        return std::move(out_);
    }

private:
    /// Elements that are read, computed and written together: how many, and where the k-th one is.
    struct lane_list {
        unsigned count;
        std::string row, column;
        bool clamps;  ///< some may be reached
    };

    bool is_invariant(const access& a) const { return !moves_in(a, row_, column_ + 1); }
    std::string row_index() const { return "i" + str(row_); }
    std::string column_index() const { return "i" + str(column_); }
    void indices(const std::string& row, const std::string& column) {
        line("[[maybe_unused]] const " + offset_ + " " + row_index() + " = " + row + ", " + column_index() + " = " + column +
             ";");
    }

    void start() {
        line("const " + offset_ + " column = (" + offset_ + ")(((" + linear_ + ")blockIdx.x * blockDim.x + threadIdx.x) * " +
             str(columns_) + ");");
        line("const " + offset_ + " columns = (" + offset_ + ")w.extent[" + str(column_) + "], rows = (" + offset_ +
             ")w.extent[" + str(row_) + "];");
        line("if (column >= columns) return;");
        std::string bands = rows_ == 1 ? extent(row_) : "(" + extent(row_) + " + " + str(rows_ - 1) + ") / " + str(rows_);
        line("const " + linear_ + " bands = " + bands + ";");
        // No loop over bands: what only a patch at an edge needs would move in front of it, for all.
        line("const " + linear_ + " band = ((" + linear_ +
             ")blockIdx.z * gridDim.y + blockIdx.y) * blockDim.y + threadIdx.y;");
        line("if (band >= bands" + (row_ > 0 ? " * " + extents(0, row_) : "") + ") return;");
        if (row_ == 0) {
            line("const " + offset_ + " row = (" + offset_ + ")(band * " + str(rows_) + ");");
        } else {
            line(linear_ + " rest = band / bands;");
            line("const " + offset_ + " row = (" + offset_ + ")(band % bands * " + str(rows_) + ");");
            decode(0, row_, "const ");
        }
        std::vector<std::string> corner;
        for (unsigned d = 0; d < row_; ++d) corner.push_back("i" + str(d));
        corner.insert(corner.end(), {"row", "column"});
        const std::string inside = has_unclamped_words(s_)
                                       ? unclamped_patch(corner)
                                       : "row + " + str(rows_) + " <= rows && column + " + str(columns_) + " <= columns";
        line("const bool full = " + inside + ";");
    }

    void declare(const lane_list& lanes) {
        for (std::size_t k = 0; k < s_.loads.size(); ++k)
            line(type(s_.loads[k].type) + " l" + str(k) +
                 (is_invariant(s_.loads[k]) ? " = " + read(k) : "[" + str(lanes.count) + "]") + ";");
        for (std::size_t k = 0; k < s_.stores.size(); ++k)
            line(type(s_.stores[k].to.type) + " r" + str(k) + "[" + str(lanes.count) + "];");
    }

    void compute(const lane_list& lanes) {
        const unsigned unrolled = unroll_of(weight_of(s_.body), lanes.count);
        open_loop("k", lanes.count, 1, unrolled >= lanes.count ? 0 : unrolled);
        if (!s_.coords.empty()) indices(lanes.row, lanes.column);
        out_ += ssa_lines(d_, s_.body, 't', indent(), [&](const instruction& i) -> std::string {
            if (i.code == op::load) return "l" + str(i.a) + (is_invariant(s_.loads[i.a]) ? "" : "[k]");
            if (i.code == op::scalar) return scalar(i.a);
            return lanes.clamps ? coordinate_of(i.a, i.type) : affine_coordinate_of(i.a, i.type);
        });
        for (std::size_t k = 0; k < s_.stores.size(); ++k) line("r" + str(k) + "[k] = t" + str(s_.stores[k].value) + ";");
        close();
    }

    // --- inside ---

    void inside() {
        const std::string columns = str(columns_);
        const lane_list lanes{rows_ * columns_,
                              rows_ == 1      ? "row"
                              : columns_ == 1 ? "row + k"
                                              : "row + k / " + columns,
                              columns_ == 1 ? "column"
                              : rows_ == 1  ? "column + k"
                                            : "column + k % " + columns,
                              false};
        declare(lanes);
        line("{");
        ++depth_;
        indices("row", "column");
        read_windows("");
        close();
        if (std::any_of(s_.loads.begin(), s_.loads.end(),
                        [this](const access& a) { return a.window == 0 && !is_invariant(a); })) {
            open_loop("k", lanes.count);
            indices(lanes.row, lanes.column);
            for (std::size_t k = 0; k < s_.loads.size(); ++k)
                if (s_.loads[k].window == 0 && !is_invariant(s_.loads[k])) line("l" + str(k) + "[k] = " + read(k) + ";");
            close();
        }
        compute(lanes);
        for (std::size_t k = 0; k < s_.stores.size(); ++k) {
            const access& to = s_.stores[k].to;
            const unsigned wide = std::min({columns_, unsigned{to.alignment}, static_cast<unsigned>(16 / size_of(to.type))});
            const bool vector = to.dims[column_].stride == stride_class::one;
            open_loop("k", lanes.count, vector ? columns_ : 1);
            indices(lanes.row, lanes.column);
            line("frit_stream<" + (vector ? columns + ", " + str(wide) : "1, 1") + ">(" + pointer(to, false) + " + (" +
                 offset(to, map_.stores[k]) + "), r" + str(k) + " + k);");
            close();
        }
    }

    // --- at an edge: row by row ---

    void at_edge() {
        const lane_list lanes{columns_, "at", columns_ == 1 ? "column" : "column + k", true};
        line("#pragma unroll 1");
        open("for (" + offset_ + " at = row; at < row + " + str(rows_) + " && at < rows; ++at)");
        declare(lanes);
        open_loop("k", lanes.count);
        // A lane beyond the end reads an element of its thread's own: any other may be written meanwhile, in place.
        indices(lanes.row, columns_ == 1 ? lanes.column : lanes.column + " < columns ? " + lanes.column + " : column");
        for (std::size_t k = 0; k < s_.loads.size(); ++k)
            if (!is_invariant(s_.loads[k])) line("l" + str(k) + "[k] = " + read(k) + ";");
        close();
        compute(lanes);
        open_loop("k", lanes.count);
        if (columns_ > 1) line("if (" + lanes.column + " >= columns) break;");
        indices(lanes.row, lanes.column);
        for (std::size_t k = 0; k < s_.stores.size(); ++k)
            line("frit_stream<1, 1>(" + pointer(s_.stores[k].to, false) + " + (" + offset(s_.stores[k].to, map_.stores[k]) +
                 "), r" + str(k) + " + k);");
        close();
        close();
    }
};

}  // namespace

std::string patch_text::unclamped_patch(const std::vector<std::string>& corner) const {
    std::string all;
    for (unsigned d = 0; d < corner.size(); ++d) {
        const bool clamped =
            std::any_of(s_.loads.begin(), s_.loads.end(), [d](const access& a) { return a.dims[d].clamped; }) ||
            std::any_of(s_.coords.begin(), s_.coords.end(), [d](const coordinate& c) { return c.dim == d && c.clamped; });
        if (!clamped && d < row_) continue;
        const unsigned extra = d == row_ ? rows_ - 1 : d == column_ ? columns_ - 1 : 0;
        all += (all.empty() ? "" : " && ") + corner[d] + " >= " + unclamped(d, false) + " && " + corner[d] +
               (extra ? " + " + str(extra) : "") + " <= " + unclamped(d, true);
    }
    return all;
}

patch_text::window patch_text::window_of(std::size_t origin) const {
    window w;
    const bool invariant = !moves_in(s_.loads[origin], row_, row_ + 1);
    const int tall = invariant ? 1 : static_cast<int>(rows_), wide = static_cast<int>(columns_);
    for (const access& a : s_.loads) {
        if (a.window != origin + 1) continue;
        const int down = a.dims[row_].shift, across = a.dims[column_].shift;
        w.top = std::min(w.top, down), w.bottom = std::max(w.bottom, down + tall - 1);
        w.left = std::min(w.left, across), w.right = std::max(w.right, across + wide - 1);
    }
    w.needed.resize(static_cast<std::size_t>(w.bottom - w.top + 1));
    for (const access& a : s_.loads)
        if (a.window == origin + 1)
            for (int r = 0; r < tall; ++r)
                for (int c = 0; c < wide; ++c)
                    w.needed[static_cast<std::size_t>(r + a.dims[row_].shift - w.top)].insert(c + a.dims[column_].shift);
    return w;
}

void patch_text::read_window(std::size_t origin, const std::string& first) {
    const access& a = s_.loads[origin];
    const window w = window_of(origin);
    const std::string name = str(origin), array = "w" + name;
    const bool invariant = !moves_in(a, row_, row_ + 1);
    line("const " + type(a.type) + "* const p" + name + " = " + pointer(a, true) + " + (" +
         affine_offset(a, map_.loads[origin]) + ");");
    if (!invariant)
        line("[[maybe_unused]] const " + offset_ + " s" + name + " = " + affine_stride(a, map_.loads[origin], row_) + ";");
    line(type(a.type) + " " + array + "[" + str(w.needed.size() * static_cast<unsigned>(w.width())) + "];");
    const int widest =
        static_cast<int>(std::min({columns_, unsigned{a.alignment}, static_cast<unsigned>(16 / size_of(a.type))}));
    for (std::size_t q = 0; q < w.needed.size(); ++q) {
        const int row = w.top + static_cast<int>(q);
        const std::set<int>& needed = w.needed[q];
        for (auto c = needed.begin(); c != needed.end();) {
            int wide = widest;
            const auto fits = [&] {
                for (int j = 0; j < wide; ++j)
                    if (!needed.contains(*c + j)) return false;
                return *c % wide == 0;
            };
            while (wide > 1 && !fits()) wide /= 2;
            const std::string at = "p" + name + (row ? " + " + std::to_string(row) + " * s" + name : "") +
                                   (*c ? " + " + std::to_string(*c) : "");
            line("frit_load<" + std::to_string(wide) + ", " + std::to_string(wide) + ">(" + array + " + " +
                 std::to_string(static_cast<int>(q) * w.width() + *c - w.left) + ", " + at + ");");
            std::advance(c, wide);
        }
    }
    open_loop("k", rows_ * columns_);
    for (std::size_t k = 0; k < s_.loads.size(); ++k) {
        const access& to = s_.loads[k];
        if (to.window != origin + 1) continue;
        const int place = (to.dims[row_].shift - w.top) * w.width() + to.dims[column_].shift - w.left;
        const std::string row =
            invariant || rows_ == 1 ? "" : "k / " + str(columns_) + " * " + std::to_string(w.width()) + " + ";
        line("l" + str(k) + "[" + first + "k] = " + array + "[" + row +
             (columns_ == 1 ? ""
              : rows_ == 1  ? "k + "
                            : "k % " + str(columns_) + " + ") +
             std::to_string(place) + "];");
    }
    close();
}

void patch_text::read_windows(const std::string& first) {
    for (std::size_t k = 0; k < s_.loads.size(); ++k) {
        if (s_.loads[k].window != k + 1) continue;
        line("{");
        ++depth_;
        read_window(k, first);
        close();
    }
}

std::string cuda_patch_kernel(const dialect& d, const kernel_spec& spec, const word_map& map, const std::string& name) {
    return patch_writer(d, spec, map, name).write();
}

}  // namespace frit::v0::fusion
