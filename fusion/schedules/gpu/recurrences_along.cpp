// Rows with recurrences that lie along memory, on a GPU: a block has 32 of them, whose elements neighbouring threads read
// and write as they lie. Squares of 32 columns go through shared memory, where each thread of the first warp finds its own
// row; the next square is on its way meanwhile. To move a square takes a warp longer than to walk through it, so there are
// others that help.
#include <algorithm>
#include <bit>

#include "fusion/schedules/gpu/recurrences.hpp"
#include "fusion/schedules/gpu/schedules.hpp"

namespace frit::inline v0::fusion::gpu {
namespace {

constexpr unsigned side = 32, pitch = side + 1;  // threads that read a column meet no bank twice
constexpr unsigned movers = 4;                   // warps

bool lies_along(const kernel_spec& s, const access& a) {
    return moves_in(a, s.rank - s.reduced, s.rank) && a.dims.back().stride == stride_class::one && !a.dims.back().clamped;
}

class recurrences_along : recurrence_builder {
public:
    static launch_shape shape(const kernel_spec& s, const std::uint64_t* extents, const target& t) {
        launch_shape l = recurrence_builder::shape(s, extents, t);
        if (l.grid[0] > 0) l.block[1] = movers;
        return l;
    }

    recurrences_along(const kernel_spec& s, const std::string& name) : recurrence_builder(s, name) {}

    loops::kernel build() {
        start_row();
        lane_ = b_.let("lane", thread_x());
        mover_ = b_.let("mover", thread_y());
        first_row_ = b_.let("first_row", (linear(block_y()) * blocks_x() + block_x()) * threads);
        for (std::size_t k = 0; k < spec_.loads.size(); ++k) {
            loads_in_squares_.push_back(square_of(spec_.loads[k], map_.loads[k], "l" + std::to_string(k)));
            if (!lies_along(spec_, spec_.loads[k])) continue;
            loads_[k].each = b_.declare_zeros("m" + std::to_string(k), loops::number_of(spec_.loads[k].type), rows);
        }
        for (std::size_t k = 0; k < spec_.stores.size(); ++k)
            stores_in_squares_.push_back(square_of(spec_.stores[k].to, map_.stores[k], "s" + std::to_string(k)));
        b_.barrier();
        read(b_.constant(0, linear_));
        b_.loop("first", b_.constant(0, linear_), n_, side, loops::as_compilers_like,
                [&](value first) { square_at(first); });
        b_.when(walks(), [&] { finish_row(); });
        return take(threads * movers);
    }

    static bool takes(const kernel_spec& s) {
        constexpr std::size_t most_bytes = 40 << 10;  // of the 48 KiB that a block has
        if (!has_recurrences(s)) return false;
        std::size_t bytes = 0;
        const auto add = [&](const access& a) {
            if (lies_along(s, a)) bytes += side * (pitch * size_of(a.type) + sizeof(std::int64_t));
        };
        for (const access& a : s.loads) add(a);
        for (const store& w : s.stores) add(w.to);
        return bytes > 0 && bytes <= most_bytes;
    }

private:
    static constexpr unsigned rows = side / movers;  ///< of a square, that a warp moves

    value walks() { return mover_ == 0; }
    value row_of(value k) { return mover_ * rows + k; }

    /// 32 rows of an access, and where each begins in memory, unless that is their distance times their number; nothing of
    /// one that does not lie along it.
    struct square {
        array elements{}, starts{};
    };
    square square_of(const access& a, const std::vector<dim_words>& words, const std::string& name) {
        if (!lies_along(spec_, a)) return {};
        square made{b_.declare(name, loops::number_of(a.type), side * pitch, loops::storage::shared), {}};
        if (kept_dims_ == 1) return made;
        made.starts = b_.declare(name + "_at", loops::index_type(offset_), side, loops::storage::shared);
        i_[kept_dims_] = b_.constant(0, offset_);
        b_.when(walks(), [&] { b_.put(made.starts, lane_, place(a, words)); });
        return made;
    }
    value is_there(value r, value column) { return first_row_ + r < extents(0, kept_dims_) && column < n_; }
    /// Calls f(k, element `column` of row k in memory) for those of the warp's rows that are there.
    template <class F>
    void each_row(const access& a, const std::vector<dim_words>& words, const square& s, bool constant, value column, F f) {
        loop("k", rows, [&](value k) {
            const value r = row_of(k);
            b_.when(is_there(r, column), [&] {
                if (kept_dims_ > 1) return f(k, pointer(a, constant) + (s.starts[r] + offset(column)));
                const std::vector<value> around = i_;
                i_ = {offset(first_row_ + r), offset(column)};
                f(k, address(a, words, constant));
                i_ = around;
            });
        });
    }
    /// The square from column `first` on, into registers.
    void read(value first) {
        const value column = b_.let("column", first + lane_);
        for (std::size_t l = 0; l < spec_.loads.size(); ++l)
            if (lies_along(spec_, spec_.loads[l]))
                each_row(spec_.loads[l], map_.loads[l], loads_in_squares_[l], true, column,
                         [&](value k, value from) { b_.put(loads_[l].each, k, b_.read(from)); });
    }
    void square_at(value first) {
        for (std::size_t l = 0; l < spec_.loads.size(); ++l)
            if (lies_along(spec_, spec_.loads[l]))
                loop("k", rows,
                     [&](value k) { b_.put(loads_in_squares_[l].elements, row_of(k) * pitch + lane_, loads_[l].each[k]); });
        b_.barrier();
        read(first + side);
        const unsigned several = columns_at_once();
        b_.when(
            walks() && real_ && first + side <= n_,
            [&] {
                loop(
                    "k", side, [&](value column) { walk_several(first, column, several); }, several, loops::not_at_all);
            },
            [&] {
                b_.when(walks() && real_, [&] {
                    b_.loop("k", b_.constant(0, linear_), least(b_.constant(side, linear_), n_ - first), 1,
                            loops::as_compilers_like, [&](value column) {
                                walk(first + column, column, [&](std::size_t l) { return in_square(l, column); });
                            });
                });
            });
        b_.barrier();
        const value column = b_.let("column", first + lane_);
        for (std::size_t s = 0; s < spec_.stores.size(); ++s) {
            const access& to = spec_.stores[s].to;
            if (!lies_along(spec_, to)) continue;
            // All in registers first: what goes past the caches is written in the order of the text.
            const array moved = b_.declare_zeros("o" + std::to_string(s), loops::number_of(to.type), rows);
            loop("k", rows, [&](value k) {
                const value r = row_of(k);
                b_.when(is_there(r, column), [&] { b_.put(moved, k, stores_in_squares_[s].elements[r * pitch + lane_]); });
            });
            each_row(to, map_.stores[s], stores_in_squares_[s], false, column,
                     [&](value k, value at) { stream(at, moved, k, 1, 1); });
        }
    }
    /// So many that the code stays short, and registers hold them.
    unsigned columns_at_once() const {
        constexpr std::size_t longest = 1024, most_bytes = 256;  // of operations; of a row
        std::size_t bytes = 1;
        for (const access& a : spec_.loads)
            if (lies_along(spec_, a)) bytes += size_of(a.type);
        const std::size_t most = std::min(longest / weight_of_element(spec_), most_bytes / bytes);
        return static_cast<unsigned>(std::clamp<std::size_t>(std::bit_floor(most), 1, side));
    }
    value in_square(std::size_t load, value column) { return loads_in_squares_[load].elements[lane_ * pitch + column]; }
    /// All are in registers first: compilers read nothing from shared memory earlier than they write there.
    void walk_several(value first, value column, unsigned count) {
        std::vector<array> row(spec_.loads.size());
        for (std::size_t l = 0; l < spec_.loads.size(); ++l) {
            if (!lies_along(spec_, spec_.loads[l])) continue;
            row[l] = b_.declare_zeros("r" + std::to_string(l), loops::number_of(spec_.loads[l].type), count);
            loop("j", count, [&](value j) { b_.put(row[l], j, in_square(l, linear(column + j))); });
        }
        loop("j", count, [&](value j) {
            const value here = b_.let("here", linear(column + j));
            walk(first + here, here, [&](std::size_t l) { return row[l][j]; });
        });
    }
    template <class Moved>
    void walk(value at, value column, Moved moved) {
        move_to(at);
        const std::vector<value> t = element([&](const instruction& i) -> value {
            if (i.code != op::load || !moving(i.a)) return once(i);
            return lies_along(spec_, spec_.loads[i.a]) ? moved(i.a) : kernel_builder::read(i.a);
        });
        for (std::size_t s = 0; s < spec_.stores.size(); ++s)
            if (lies_along(spec_, spec_.stores[s].to))
                b_.put(stores_in_squares_[s].elements, lane_ * pitch + column, t[spec_.stores[s].value]);
            else
                stream_one(store_address(s), t[spec_.stores[s].value]);
    }

    value lane_{}, mover_{}, first_row_{};
    std::vector<square> loads_in_squares_, stores_in_squares_;
};

}  // namespace

const gpu_schedule recurrences_along_schedule{.name = "recurrences_along",
                                              .takes = recurrences_along::takes,
                                              .loops = gpu::build<recurrences_along>,
                                              .shape = recurrences_along::shape};

}  // namespace frit::v0::fusion::gpu
