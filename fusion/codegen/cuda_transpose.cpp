// Tiled transposes: pointwise kernels in which some accesses have their unit stride in one dimension and others in another.
// Each is walked along its own one. A thread reads a square of a transposed operand, vector by vector, and puts its columns
// into shared memory; the block meets; then rows are read from there as if they had been in memory. Results are transposed
// the same way back. A square's vectors lie where neighbouring threads meet no bank of shared memory twice: the vectors of a
// row are permuted by an exclusive or with the square's number. Nothing is written before everything in the tile that others
// write has been read, so outputs may be the memory of inputs that are read at their own index.
#include "fusion/codegen/cuda_transpose.hpp"

#include <algorithm>
#include <bit>

#include "fusion/codegen/cuda_text.hpp"

namespace frit::inline v0::fusion {
namespace {

class transpose_writer : cuda_text {
public:
    transpose_writer(const dialect& d, const kernel_spec& s, const word_map& m, const std::string& name)
        : cuda_text(d, s, m, name), shape_(transpose_shape_of(s)), vector_(shape_.vector) {
        steps_ = shape_.rows * shape_.columns / (shape_.threads * vector_);
        squares_ = steps_ / vector_;
        ahead_ = unroll_of(weight_of(s.body), steps_ * vector_) == steps_ * vector_;
        transposes_loads_ = std::count(shape_.transposed_loads.begin(), shape_.transposed_loads.end(), true) > 0;
        transposes_stores_ = std::count(shape_.transposed_stores.begin(), shape_.transposed_stores.end(), true) > 0;
    }

    std::string write() {
        parameters();
        signature(shape_.threads);
        head();
        if (transposes_loads_) read_squares();
        if (ahead_ && any_plain_) {
            for_plain([this](std::size_t k) { declare('l', k, steps_ * vector_); });
            open_steps();
            read_plain("s * " + str(vector_));
            close_steps();
        }
        if (transposes_loads_) {
            put_squares();
            line("__syncthreads();");
        }
        open_steps();
        compute();
        close_steps();
        if (transposes_stores_) {
            line("__syncthreads();");
            write_squares();
        }
        close();
        return std::move(out_);
    }

private:
    unsigned units() const { return shape_.columns / vector_; }
    std::string index(unsigned d, const std::string& value) const {
        return "[[maybe_unused]] const " + offset_ + " i" + str(d) + " = (" + offset_ + ")(" + value + ");";
    }
    const access& load(std::size_t k) const { return s_.loads[k]; }
    const access& to(std::size_t k) const { return s_.stores[k].to; }
    std::string tile(char of, std::size_t k) const { return std::string("tile_") + of + str(k); }
    void declare(char name, std::size_t load, unsigned count) {
        line(type(s_.loads[load].type) + " " + name + str(load) + "[" + str(count) + "];");
    }
    template <class F>
    void for_transposed(const std::vector<bool>& transposed, F f) {
        for (std::size_t k = 0; k < transposed.size(); ++k)
            if (transposed[k]) f(k);
    }
    template <class F>
    void for_plain(F f) {
        for (std::size_t k = 0; k < s_.loads.size(); ++k)
            if (moves(load(k)) && !shape_.transposed_loads[k]) f(k);
    }

    // The tile's first column and row, the indices of the other dimensions, and what a thread does in it.
    void head() {
        line("const " + linear_ + " columns = " + extent(shape_.along) + ", rows = " + extent(shape_.across) + ";");
        const auto tiles = [this](const char* name, const char* of, unsigned size) {
            line("const " + linear_ + " " + name + " = (" + of + " + " + str(size - 1) + ") / " + str(size) + ";");
        };
        tiles("wide", "columns", shape_.columns);
        if (s_.rank > 2) tiles("high", "rows", shape_.rows);
        line(linear_ + " tile = blockIdx.x;");
        if (s_.rank > 2) {
            line(linear_ + " rest = tile / (wide * high);");
            line("tile %= wide * high;");
            std::vector<unsigned> others;
            for (unsigned d = s_.rank; d-- > 0;)
                if (d != shape_.along && d != shape_.across) others.push_back(d);
            for (std::size_t k = 0; k < others.size(); ++k) {
                const bool last = k + 1 == others.size();
                line(index(others[k], last ? "rest" : "rest % " + extent(others[k])));
                if (!last) line("rest /= " + extent(others[k]) + ";");
            }
        }
        line("const " + linear_ + " left = tile % wide * " + str(shape_.columns) + ", top = tile / wide * " +
             str(shape_.rows) + ";");
        line("const unsigned x = threadIdx.x % " + str(units()) + ", y = threadIdx.x / " + str(units()) + ";");
        const auto share = [this](char of, std::size_t k, dtype t) {
            line("__shared__ frit_pack<" + type(t) + ", " + str(vector_) + "> " + tile(of, k) + "[" +
                 str(shape_.rows * units()) + "];");
        };
        for_transposed(shape_.transposed_loads, [&](std::size_t k) { share('l', k, load(k).type); });
        for_transposed(shape_.transposed_stores, [&](std::size_t k) { share('r', k, to(k).type); });
        for (std::size_t k = 0; k < s_.loads.size(); ++k) {
            any_plain_ |= moves(load(k)) && !shape_.transposed_loads[k];
            if (!moves(load(k))) line("const " + type(load(k).type) + " l" + str(k) + " = *" + pointer(load(k), true) + ";");
        }
    }

    // Where a tile's vector stands: the `unit`th of a row, which is a row of the squares numbered `square` downwards.
    std::string place(dtype t, const std::string& row, const std::string& square, const std::string& unit) const {
        const unsigned banks = std::min(128 / (vector_ * static_cast<unsigned>(size_of(t))), units());
        return "[(" + row + ") * " + str(units()) + " + (" + unit + " ^ (" + square + " & " + str(banks - 1) + "))]";
    }

    // --- squares: neighbouring threads have squares below each other, and walk along their columns ---

    void open_squares() {
        const std::string per_column = str(shape_.rows / vector_);
        open_loop("j", squares_);
        line("const unsigned square = threadIdx.x + j * " + str(shape_.threads) + ", down = square % " + per_column +
             ", right = square / " + per_column + ";");
        open("if (top + down * " + str(vector_) + " < rows && left + right * " + str(vector_) + " < columns)");
    }
    void close_squares() {
        close();
        close();
    }
    // The vector in column v of a square begins at these indices.
    void open_columns() {
        line(index(shape_.across, "top + down * " + str(vector_)));
        open_loop("v", vector_);
        line(index(shape_.along, "left + right * " + str(vector_) + " + v"));
    }
    std::string vectors() const { return "<" + str(vector_) + ", " + str(vector_) + ">("; }

    void read_squares() {
        for_transposed(shape_.transposed_loads, [this](std::size_t k) { declare('q', k, squares_ * vector_ * vector_); });
        open_squares();
        open_columns();
        for_transposed(shape_.transposed_loads, [this](std::size_t k) {
            line("frit_load" + vectors() + "q" + str(k) + " + (j * " + str(vector_) + " + v) * " + str(vector_) + ", " +
                 pointer(load(k), true) + " + (" + offset(load(k), map_.loads[k]) + "));");
        });
        close();
        close_squares();
    }
    std::string in_square(char of, std::size_t k, dtype t) const {
        return tile(of, k) + place(t, "down * " + str(vector_) + " + v", "down", "right");
    }
    void put_squares() {
        open_squares();
        open_loop("v", vector_);
        for_transposed(shape_.transposed_loads, [this](std::size_t k) {
            line(in_square('l', k, load(k).type) + " = frit_every" + vectors() + "q" + str(k) + " + j * " +
                 str(vector_ * vector_) + " + v);");
        });
        close();
        close_squares();
    }
    void write_squares() {
        open_squares();
        for_transposed(shape_.transposed_stores, [this](std::size_t k) {
            line(type(to(k).type) + " q" + str(k) + "[" + str(vector_ * vector_) + "];");
        });
        open_loop("v", vector_);
        for_transposed(shape_.transposed_stores, [this](std::size_t k) {
            line("frit_load" + vectors() + "q" + str(k) + " + v * " + str(vector_) + ", " + in_square('r', k, to(k).type) +
                 ".at);");
        });
        close();
        open_columns();
        for_transposed(shape_.transposed_stores, [this](std::size_t k) {
            line("frit_stream" + vectors() + pointer(to(k), false) + " + (" + offset(to(k), map_.stores[k]) +
                 "), frit_every" + vectors() + "q" + str(k) + " + v).at);");
        });
        close();
        close_squares();
    }

    // --- rows: neighbouring threads have neighbouring vectors of a row ---

    void open_steps() {
        open_loop("s", steps_, 1, ahead_ ? 0 : 1);
        line("const unsigned down = y + s * " + str(shape_.threads / units()) + ";");
        open("if (top + down < rows && left + x * " + str(vector_) + " < columns)");
        line(index(shape_.across, "top + down"));
        line(index(shape_.along, "left + x * " + str(vector_)));
    }
    void close_steps() {
        close();
        close();
    }
    void open_lanes(unsigned unrolled) {
        open_loop("k", vector_, 1, unrolled >= vector_ ? 0 : unrolled);
        line(index(shape_.along, "left + x * " + str(vector_) + " + k"));
    }

    // Operands that are not transposed, into l<k>[at], ...
    void read_plain(const std::string& at) {
        bool rest = false;
        for_plain([&](std::size_t k) {
            if (!one_in(load(k), shape_.along)) {
                rest = true;
                return;
            }
            line("frit_load" + vectors() + "l" + str(k) + " + " + at + ", " + pointer(load(k), true) + " + (" +
                 offset(load(k), map_.loads[k]) + "));");
        });
        if (!rest) return;
        open_lanes(vector_);
        for_plain([&](std::size_t k) {
            if (!one_in(load(k), shape_.along)) line("l" + str(k) + "[" + at + " + k] = " + read(k) + ";");
        });
        close();
    }

    void compute() {
        const std::string at = ahead_ ? "s * " + str(vector_) : "0";
        if (!ahead_ && any_plain_) {
            for_plain([this](std::size_t k) { declare('l', k, vector_); });
            read_plain(at);
        }
        for_transposed(shape_.transposed_loads, [this](std::size_t k) {
            declare('l', k, vector_);
            line("frit_load" + vectors() + "l" + str(k) + ", " + tile('l', k) +
                 place(load(k).type, "down", "down / " + str(vector_), "x") + ".at);");
        });
        for (std::size_t k = 0; k < s_.stores.size(); ++k)
            line(type(to(k).type) + " r" + str(k) + "[" + str(vector_) + "];");
        open_lanes(unroll_of(weight_of(s_.body), vector_));
        out_ += ssa_lines(d_, s_.body, 't', indent(), [&](const instruction& i) -> std::string {
            if (i.code == op::scalar) return scalar(i.a);
            if (i.code == op::coord) return coordinate_of(i.a, i.type);
            if (!moves(load(i.a))) return "l" + str(i.a);
            return "l" + str(i.a) + (shape_.transposed_loads[i.a] ? "[k]" : "[" + at + " + k]");
        });
        for (std::size_t k = 0; k < s_.stores.size(); ++k) line("r" + str(k) + "[k] = t" + str(s_.stores[k].value) + ";");
        close();
        write_rows();
    }
    void write_rows() {
        for (std::size_t k = 0; k < s_.stores.size(); ++k) {
            const std::string r = "r" + str(k), at = pointer(to(k), false) + " + (" + offset(to(k), map_.stores[k]) + ")";
            if (shape_.transposed_stores[k]) {
                line(tile('r', k) + place(to(k).type, "down", "down / " + str(vector_), "x") + " = frit_every<" +
                     str(vector_) + ", 1>(" + r + ");");
            } else if (one_in(to(k), shape_.along)) {
                line("frit_stream" + vectors() + at + ", " + r + ");");
            } else {
                open_lanes(vector_);
                line("frit_stream<1, 1>(" + at + ", " + r + " + k);");
                close();
            }
        }
    }

    transpose_shape shape_;
    unsigned vector_, steps_ = 1, squares_ = 1;
    bool ahead_ = true;  // all operands are read before the first result is computed
    bool any_plain_ = false, transposes_loads_ = false, transposes_stores_ = false;
};

}  // namespace

std::string cuda_transpose_kernel(const dialect& d, const kernel_spec& s, const word_map& m, const std::string& name) {
    return transpose_writer(d, s, m, name).write();
}

}  // namespace frit::v0::fusion
