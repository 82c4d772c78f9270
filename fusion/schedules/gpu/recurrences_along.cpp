// Rows with recurrences that lie along memory, on a GPU: a block has 32 of them, whose elements neighbouring threads read
// and write as they lie. Squares of 32 columns go through shared memory, where each thread of the first warp finds its own
// row; the next two are on their way meanwhile. To move a square takes a warp longer than to walk through it, so a group of
// warps does, and the groups take turns.
#include <algorithm>
#include <bit>

#include "fusion/schedules/gpu/gpu.hpp"
#include "fusion/schedules/gpu/recurrences.hpp"

namespace frit::inline v0::fusion::gpu {
namespace {

constexpr unsigned side = 32, pitch = side + 1;  // threads that read a column meet no bank twice
constexpr unsigned groups = 2, movers = 4;       // warps: a group moves every other square

bool lies_along(const kernel_spec& s, const access& a) {
    return moves_in(a, s.rank - s.reduced, s.rank) && a.dims.back().stride == stride_class::one && !a.dims.back().clamped;
}

class recurrences_along : recurrence_builder {
public:
    static launch_shape shape(const kernel_spec& s, const std::uint64_t* extents, const target&) {
        launch_shape l = recurrence_builder::shape(s, extents, side);
        if (l.grid[0] > 0) l.block[1] = groups * movers;
        return l;
    }

    recurrences_along(const kernel_spec& s, const std::string& name) : recurrence_builder(s, name, side) {}

    loops::kernel build() {
        start_row();
        lane_ = b_.let("lane", thread_x());
        mover_ = b_.let("mover", thread_y() % movers);
        group_ = b_.let("group", thread_y() / movers);
        first_row_ = b_.let("first_row", block() * side);
        for (std::size_t k = 0; k < spec_.loads.size(); ++k) {
            loads_in_squares_.push_back(square_of(spec_.loads[k], map_.loads[k], name("l", k)));
            if (!lies_along(spec_, spec_.loads[k])) continue;
            loads_[k].each = b_.declare_zeros(name("m", k), loops::number_of(spec_.loads[k].type), rows);
        }
        for (std::size_t k = 0; k < spec_.stores.size(); ++k)
            stores_in_squares_.push_back(square_of(spec_.stores[k].to, map_.stores[k], name("s", k)));
        b_.barrier();
        all_rows_ = b_.let("all_rows", first_row_ + side <= extents(0, kept_dims_));
        for (std::size_t k = 0; k < spec_.loads.size(); ++k)
            find_rows(loads_in_squares_[k], spec_.loads[k], map_.loads[k], name("l", k));
        for (std::size_t k = 0; k < spec_.stores.size(); ++k)
            find_rows(stores_in_squares_[k], spec_.stores[k].to, map_.stores[k], name("s", k));
        read(linear(group_) * side);
        b_.loop("first", b_.constant(0, linear_), n_, side, loops::as_compilers_like,
                [&](value first) { square_at(first); });
        b_.when(walks(), [&] { finish_row(); });
        return take(side * groups * movers, blocks_per_sm());
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

    /// Compilers would take 78 registers to be earlier by little. Measured on an H200 for a float32 that is read and one
    /// that is stored, of a copy: 65,536 rows 0.89 with four and 0.70 where nothing was said, 4,096 rows 0.50 and 0.41. With
    /// more accesses, or elements that are widened, they would not get along with 64.
    unsigned blocks_per_sm() const {
        std::size_t accesses = 0;
        bool of_4_bytes = true;
        const auto count = [&](const access& a) {
            if (!lies_along(spec_, a)) return;
            ++accesses;
            of_4_bytes = of_4_bytes && size_of(a.type) == 4;
        };
        for (const access& a : spec_.loads) count(a);
        for (const store& w : spec_.stores) count(w.to);
        return accesses <= 2 && of_4_bytes ? 4 : 0;
    }

    value walks() { return thread_y() == 0; }
    value row_of(value k) { return mover_ * rows + k; }

    /// 32 rows of an access; where each begins in memory, unless that is their distance times their number; and where those
    /// do that the thread's warp moves. Nothing of one that does not lie along it.
    struct square {
        array elements{}, starts{}, own{};
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
    void find_rows(square& s, const access& a, const std::vector<dim_words>& words, const std::string& name) {
        if (!lies_along(spec_, a)) return;
        s.own = b_.declare(name + "_row", loops::index_type(offset_), rows);
        const std::vector<value> around = i_;
        loop("k", rows, [&](value k) {
            i_ = {offset(first_row_ + row_of(k)), b_.constant(0, offset_)};
            b_.put(s.own, k, kept_dims_ > 1 ? s.starts[row_of(k)] : place(a, words));
        });
        i_ = around;
    }
    /// Calls before(k) and then f(k, element `first` + the lane's of row k in memory) for those of the warp's rows that are
    /// there.
    template <class Before, class F>
    void each_row(const access& a, const square& s, bool constant, value first, Before before, F f) {
        const value column = b_.let("column", first + lane_), from = b_.let("from", pointer(a, constant) + offset(column));
        b_.when(
            all_rows_ && first + side <= n_,
            [&] {
                loop("k", rows, before);
                loop("k", rows, [&](value k) { f(k, from + s.own[k]); });
            },
            [&] {
                loop("k", rows, [&](value k) {
                    b_.when(column < n_ && first_row_ + row_of(k) < extents(0, kept_dims_), [&] {
                        before(k);
                        f(k, from + s.own[k]);
                    });
                });
            });
    }
    /// The square from column `first` on, into registers.
    void read(value first) {
        for (std::size_t l = 0; l < spec_.loads.size(); ++l)
            if (lies_along(spec_, spec_.loads[l]))
                each_row(
                    spec_.loads[l], loads_in_squares_[l], true, first, [](value) {},
                    [&](value k, value from) { read_piece(loads_[l].each, k, from); });
    }
    void square_at(value first) {
        const value turn = b_.let("turn", first / side % groups == linear(group_));
        b_.when(turn, [&] {
            for (std::size_t l = 0; l < spec_.loads.size(); ++l)
                if (lies_along(spec_, spec_.loads[l]))
                    loop("k", rows, [&](value k) {
                        b_.put(loads_in_squares_[l].elements, row_of(k) * pitch + lane_, loads_[l].each[k]);
                    });
        });
        b_.barrier();
        b_.when(turn, [&] { read(first + side * groups); });
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
        b_.when(!turn, [&] { write(first); });
    }
    void write(value first) {
        for (std::size_t s = 0; s < spec_.stores.size(); ++s) {
            const access& to = spec_.stores[s].to;
            if (!lies_along(spec_, to)) continue;
            // All in registers first: what goes past the caches is written in the order of the text.
            const array moved = b_.declare_zeros(name("o", s), loops::number_of(to.type), rows);
            each_row(
                to, stores_in_squares_[s], false, first,
                [&](value k) { b_.put(moved, k, stores_in_squares_[s].elements[row_of(k) * pitch + lane_]); },
                [&](value k, value at) { stream(at, moved, k, 1, 1); });
        }
    }
    /// So many that the code stays short, and registers hold them.
    unsigned columns_at_once() const {
        constexpr std::size_t longest = 1024, most_bytes = 128;  // of operations; of a row
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
            row[l] = b_.declare_zeros(name("r", l), loops::number_of(spec_.loads[l].type), count);
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

    value lane_{}, mover_{}, group_{}, first_row_{}, all_rows_{};
    std::vector<square> loads_in_squares_, stores_in_squares_;
};

}  // namespace

extern const gpu_schedule recurrences_along_schedule{.name = "recurrences_along",
                                                     .takes = recurrences_along::takes,
                                                     .loops = gpu::build<recurrences_along>,
                                                     .shape = recurrences_along::shape};

}  // namespace frit::v0::fusion::gpu
