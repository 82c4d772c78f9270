// Tiled transposes: pointwise kernels in which some accesses have their unit stride in one dimension and others in another.
// Each is walked along its own one. A thread reads a square of a transposed operand, vector by vector, and puts its columns
// into shared memory; the block meets; then rows are read from there as if they had been in memory. Results are transposed
// the same way back. A square's vectors lie where neighbouring threads meet no bank of shared memory twice: the vectors of a
// row are permuted by an exclusive or with the square's number. Nothing is written before everything in the tile that others
// write has been read, so outputs may be the memory of inputs that are read at their own index.
#include <algorithm>

#include "fusion/schedules/gpu/gpu.hpp"
#include "fusion/schedules/gpu/kernel.hpp"
#include "fusion/schedules/gpu/transpose_shape.hpp"

namespace frit::inline v0::fusion::gpu {
namespace {

class transpose : kernel_builder {
public:
    transpose(const kernel_spec& s, const std::string& name)
        : kernel_builder(s, name),
          shape_(transpose_shape_of(s)),
          vector_(shape_.vector),
          units_(shape_.columns / vector_),
          steps_(shape_.rows * shape_.columns / (shape_.threads * vector_)),
          squares_(steps_ / vector_),
          ahead_(unroll_of(weight_of(s.body), steps_ * vector_) == steps_ * vector_),
          tiles_(s.loads.size()),
          result_tiles_(s.stores.size()) {}

    loops::kernel build() {
        head();
        const std::vector<array> squares = read_squares();
        if (ahead_) {
            declare_plain(steps_ * vector_);
            if (any_plain()) each_step([this](value s, value) { read_plain(s * vector_); });
        }
        if (any(shape_.transposed_loads)) {
            put_squares(squares);
            b_.barrier();
        }
        each_step([this](value s, value down) { compute(ahead_ ? s * vector_ : number(0), down); });
        if (any(shape_.transposed_stores)) {
            b_.barrier();
            write_squares();
        }
        return take(shape_.threads);
    }

private:
    const access& load(std::size_t k) const { return spec_.loads[k]; }
    const access& to(std::size_t k) const { return spec_.stores[k].to; }
    array declare(const char* what, std::size_t k, const access& a, unsigned count) {
        return b_.declare(name(what, k), loops::number_of(a.type), count);
    }
    loops::transfer vectors(unsigned step = 1, loops::cache policy = loops::cache::plain) const {
        return {vector_, vector_, step, policy};
    }
    static bool any(const std::vector<bool>& is) { return std::count(is.begin(), is.end(), true) > 0; }
    template <class F>
    void for_transposed(const std::vector<bool>& transposed, F f) {
        for (std::size_t k = 0; k < transposed.size(); ++k)
            if (transposed[k]) f(k);
    }
    bool is_plain(std::size_t k) const { return moves(load(k)) && !shape_.transposed_loads[k]; }
    template <class F>
    void for_plain(F f) {
        for (std::size_t k = 0; k < spec_.loads.size(); ++k)
            if (is_plain(k)) f(k);
    }
    bool any_plain() {
        bool is = false;
        for_plain([&](std::size_t) { is = true; });
        return is;
    }

    // The tile's first column and row, the indices of the other dimensions, and what a thread does in it.
    void head() {
        columns_ = b_.let("columns", extent(shape_.along));
        rows_ = b_.let("rows", extent(shape_.across));
        const value wide = b_.let("wide", (columns_ + (shape_.columns - 1)) / shape_.columns);
        value tile = linear(block_x());
        if (spec_.rank > 2) {
            const value high = b_.let("high", (rows_ + (shape_.rows - 1)) / shape_.rows);
            other_indices(b_.let("rest", tile / (wide * high)));
            tile = b_.let("tile", tile % (wide * high));
        }
        left_ = b_.let("left", tile % wide * shape_.columns);
        top_ = b_.let("top", tile / wide * shape_.rows);
        x_ = b_.let("x", thread_x() % units_);
        y_ = b_.let("y", thread_x() / units_);
        const auto share = [this](const char* name, std::size_t k, dtype t) {
            return b_.declare(name + std::to_string(k), loops::number_of(t), shape_.rows * shape_.columns,
                              loops::storage::shared, vector_);
        };
        for_transposed(shape_.transposed_loads, [&](std::size_t k) { tiles_[k] = share("tile_l", k, load(k).type); });
        for_transposed(shape_.transposed_stores, [&](std::size_t k) { result_tiles_[k] = share("tile_r", k, to(k).type); });
        for (std::size_t k = 0; k < spec_.loads.size(); ++k)
            if (!moves(load(k))) loads_[k].one = b_.let(name("l", k), b_.read(pointer(load(k), true)));
    }
    void other_indices(value rest) {
        std::vector<unsigned> others;
        for (unsigned d = spec_.rank; d-- > 0;)
            if (d != shape_.along && d != shape_.across) others.push_back(d);
        for (const unsigned d : others) {
            const bool last = d == others.back();
            set_index(d, last ? rest : rest % extent(d));
            if (!last) rest = b_.let("rest", rest / extent(d));
        }
    }

    // Where a tile's vector stands: the `unit`th of a row, which is a row of the squares numbered `square` downwards.
    value place(const array& tile, dtype t, value row, value square, value unit) {
        const unsigned banks = std::min(128 / (vector_ * static_cast<unsigned>(size_of(t))), units_);
        return tile.at((row * units_ + bit_xor(unit, bit_and(square, number(banks - 1)))) * vector_);
    }

    // --- squares: neighbouring threads have squares below each other, and walk along their columns ---

    /// body(which of the thread's, the square's place downwards, to the right)
    /// A loop even over one square: compilers then leave the walks that read and that put squares two.
    template <class F>
    void each_square(F body) {
        const unsigned per_column = shape_.rows / vector_;
        b_.loop("j", number(0), number(squares_), b_.constant(1, dtype::i32), loops::wholly, [&](value j) {
            const value square = b_.let("square", thread_x() + j * shape_.threads);
            const value down = b_.let("down", square % per_column), right = b_.let("right", square / per_column);
            b_.when(top_ + down * vector_ < rows_ && left_ + right * vector_ < columns_, [&] { body(j, down, right); });
        });
    }
    // The vector in column v of a square begins at the indices.
    template <class F>
    void each_column(value down, value right, F body) {
        set_index(shape_.across, top_ + down * vector_);
        loop("v", vector_, [&](value v) {
            set_index(shape_.along, left_ + right * vector_ + v);
            body(v);
        });
    }
    value in_square(const array& tile, dtype t, value down, value v, value right) {
        return place(tile, t, down * vector_ + v, down, right);
    }

    std::vector<array> read_squares() {
        std::vector<array> squares(spec_.loads.size());
        for_transposed(shape_.transposed_loads,
                       [&](std::size_t k) { squares[k] = declare("q", k, load(k), squares_ * vector_ * vector_); });
        if (!any(shape_.transposed_loads)) return squares;
        each_square([&](value j, value down, value right) {
            each_column(down, right, [&](value v) {
                for_transposed(shape_.transposed_loads, [&](std::size_t k) {
                    b_.copy_in(squares[k].at((j * vector_ + v) * vector_), load_address(k), vectors());
                });
            });
        });
        return squares;
    }
    void put_squares(const std::vector<array>& squares) {
        each_square([&](value j, value down, value right) {
            loop("v", vector_, [&](value v) {
                for_transposed(shape_.transposed_loads, [&](std::size_t k) {
                    b_.copy_out(in_square(tiles_[k], load(k).type, down, v, right),
                                squares[k].at(j * (vector_ * vector_) + v), vectors(vector_));
                });
            });
        });
    }
    void write_squares() {
        each_square([&](value, value down, value right) {
            std::vector<array> squares(spec_.stores.size());
            for_transposed(shape_.transposed_stores,
                           [&](std::size_t k) { squares[k] = declare("q", k, to(k), vector_ * vector_); });
            loop("v", vector_, [&](value v) {
                for_transposed(shape_.transposed_stores, [&](std::size_t k) {
                    b_.copy_in(squares[k].at(v * vector_), in_square(result_tiles_[k], to(k).type, down, v, right),
                               vectors());
                });
            });
            each_column(down, right, [&](value v) {
                for_transposed(shape_.transposed_stores, [&](std::size_t k) {
                    b_.copy_out(store_address(k), squares[k].at(v), vectors(vector_, loops::cache::streamed));
                });
            });
        });
    }

    // --- rows: neighbouring threads have neighbouring vectors of a row ---

    /// body(which of the thread's vectors, its row in the tile), at the indices where it begins
    template <class F>
    void each_step(F body) {
        loop(
            "s", steps_,
            [&](value s) {
                const value down = b_.let("down", y_ + s * (shape_.threads / units_));
                b_.when(top_ + down < rows_ && left_ + x_ * vector_ < columns_, [&] {
                    set_index(shape_.across, top_ + down);
                    set_index(shape_.along, left_ + x_ * vector_);
                    body(s, down);
                });
            },
            1, ahead_ ? loops::wholly : loops::not_at_all);
    }
    /// The indices are those of lane k in the body, and those of the vector behind it.
    template <class F>
    void each_lane(unsigned unrolled, F body) {
        const value vector = i_[shape_.along];
        loop(
            "k", vector_,
            [&](value k) {
                set_index(shape_.along, left_ + x_ * vector_ + k);
                body(k);
            },
            1, unrolled >= vector_ ? loops::wholly : unrolled);
        i_[shape_.along] = vector;
    }

    // Operands that are not transposed, into their elements from `at` on.
    void declare_plain(unsigned count) {
        for_plain([&](std::size_t k) { loads_[k].each = declare("l", k, load(k), count); });
    }
    void read_plain(value at) {
        bool rest = false;
        for_plain([&](std::size_t k) {
            if (one_in(load(k), shape_.along))
                b_.copy_in(loads_[k].each.at(at), load_address(k), vectors());
            else
                rest = true;
        });
        if (!rest) return;
        each_lane(vector_, [&](value lane) {
            for_plain([&](std::size_t k) {
                if (!one_in(load(k), shape_.along)) b_.put(loads_[k].each, at + lane, read(k));
            });
        });
    }

    void compute(value at, value down) {
        if (!ahead_) {
            declare_plain(vector_);
            read_plain(at);
        }
        for_transposed(shape_.transposed_loads, [&](std::size_t k) {
            loads_[k].each = declare("l", k, load(k), vector_);
            b_.copy_in(loads_[k].each.at(number(0)), place(tiles_[k], load(k).type, down, down / vector_, x_), vectors());
        });
        const std::vector<array> results = declare_results(vector_);
        each_lane(unroll_of(weight_of(spec_.body), vector_), [&](value k) {
            std::vector<value> values;
            b_.compute(spec_.body, all(spec_.body), "t", values, [&](const instruction& i) {
                if (i.code != op::load || !loads_[i.a].moves()) return once(i);
                return value(loads_[i.a].each[shape_.transposed_loads[i.a] ? k : at + k]);
            });
            keep(results, k, values);
        });
        write_row(results, down);
    }
    void write_row(const std::vector<array>& results, value down) {
        for (std::size_t s = 0; s < spec_.stores.size(); ++s) {
            if (shape_.transposed_stores[s])
                b_.copy_out(place(result_tiles_[s], to(s).type, down, down / vector_, x_), results[s].at(number(0)),
                            vectors());
            else if (one_in(to(s), shape_.along))
                stream(store_address(s), results[s], number(0), vector_, vector_);
            else
                each_lane(vector_, [&](value k) { stream(store_address(s), results[s], k, 1, 1); });
        }
    }

    const transpose_shape shape_;
    const unsigned vector_, units_, steps_, squares_;  ///< vectors of a row; vectors and squares of a thread
    const bool ahead_;                                 ///< all operands are read before the first result is computed
    value columns_{}, rows_{}, left_{}, top_{}, x_{}, y_{};
    std::vector<array> tiles_, result_tiles_;  ///< of transposed loads and stores
};

launch_shape shape(const kernel_spec& spec, const std::uint64_t* extents, const target&) {
    const transpose_shape tile = transpose_shape_of(spec);
    const std::uint64_t columns = extents[tile.along], rows = extents[tile.across];
    const std::uint64_t others = product(extents, 0, spec.rank) / columns / rows;
    launch_shape s;
    s.grid[0] = blocks_across(others * divide_up(columns, tile.columns) * divide_up(rows, tile.rows));
    s.block[0] = tile.threads;
    return s;
}

}  // namespace

extern const gpu_schedule transposes_schedule{
    .name = "transposes",
    .takes = [](const kernel_spec& s) { return s.schedule == schedule_kind::pointwise && s.tile > 0; },
    .loops = build<transpose>,
    .shape = shape};

}  // namespace frit::v0::fusion::gpu
