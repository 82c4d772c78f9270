// Reductions of short rows, of 5 to 64 elements, that are not read in vectors (lengths that vectors do not divide): as
// rows.cpp deals them out, but by way of shared memory. A block's rows are neighbours in memory, so its threads read them
// side by side, whatever the length of a row; a thread then finds its packs in shared memory, and results go the same way
// back. Without it a thread reads neighbouring elements one after the other, and each access of a warp touches a sector for
// each element.
//
// The order of a reduction is that of rows.cpp, and so are the bits.
#include <algorithm>
#include <utility>

#include "fusion/schedules/gpu/gpu.hpp"
#include "fusion/schedules/gpu/row_grid.hpp"
#include "fusion/schedules/gpu/rows.hpp"

namespace frit::inline v0::fusion::gpu {
namespace {

constexpr unsigned shortest = 3, longest = 6;  // classes of row lengths: up to 8 and 64
constexpr std::size_t shared_bytes = 32 << 10;

bool may_be_staged(const access& a) {
    const access_dim along{stride_class::one, false}, across{stride_class::runtime, false};
    return a.dims.size() == 2 && a.dims[1] == along && a.dims[0] == across;
}
bool takes(const kernel_spec& s) {
    if (s.schedule != schedule_kind::reduce_inner || s.rank != 2 || s.reduced != 1 || s.vector_width > 1) return false;
    const unsigned length = length_class_of(s);
    // Where none fits after all, it is what rows.cpp makes.
    return length >= shortest && length <= longest &&
           (std::any_of(s.loads.begin(), s.loads.end(), may_be_staged) ||
            std::any_of(s.stores.begin(), s.stores.end(), [](const store& to) { return may_be_staged(to.to); }));
}

/// Loads, then stores: those that go through shared memory, as far as it goes.
std::vector<bool> staged(const kernel_spec& s, std::size_t elements) {
    std::size_t bytes = 0;
    std::vector<bool> which;
    const auto look = [&](const access& a) {
        const std::size_t more = elements * size_of(a.type);
        const bool fits = may_be_staged(a) && bytes + more <= shared_bytes;
        if (fits) bytes += more;
        which.push_back(fits);
    };
    for (const access& a : s.loads) look(a);
    for (const store& to : s.stores) look(to.to);
    return which;
}

class short_rows final : public row_builder {
public:
    short_rows(const kernel_spec& s, const std::string& name)
        : row_builder(s, name),
          most_elements_(std::size_t{shape_.lanes} << length_class_of(s)),
          staged_(staged(s, most_elements_)),
          tiles_(staged_.size()),
          first_(staged_.size()) {}

private:
    bool is_staged(const access& a) const override {
        for (std::size_t k = 0; k < staged_.size(); ++k)
            if (&at(k) == &a) return staged_[k];
        return false;
    }
    const access& at(std::size_t k) const {
        return k < spec_.loads.size() ? spec_.loads[k] : spec_.stores[k - spec_.loads.size()].to;
    }

    void stage() override {
        first_row_ = b_.let("first_row", tile_ * threads_y());
        thread_ = b_.let("thread", thread_y() * threads_x() + thread_x());
        const value rows = least(linear(threads_y()), rows_ - first_row_);
        total_ = b_.let("total", b_.to(dtype::u32, rows * n_));
        mine_ = b_.let("mine", thread_y() * b_.to(dtype::u32, n_));
        value dense = b_.truth(true);
        for (std::size_t k = 0; k < staged_.size(); ++k) {
            if (!staged_[k]) continue;
            const std::string name = std::to_string(k);
            tiles_[k] = b_.declare("tile" + name, loops::number_of(at(k).type), static_cast<std::int64_t>(most_elements_),
                                   loops::storage::shared);
            first_[k] = b_.let("first" + name, first_of(k));
            dense = dense && stride_of(k) == offset(n_);
        }
        dense_ = b_.let("dense", dense);
        read_tiles();
    }
    // All loads of a thread before the first of them is waited for.
    void read_tiles() {
        std::vector<array> elements(spec_.loads.size());
        if (std::find(staged_.begin(), stores(), true) == stores()) return;
        const auto each = [&](auto&& f) {
            for (std::size_t k = 0; k < elements.size(); ++k)
                if (staged_[k]) f(k);
        };
        each([&](std::size_t k) { elements[k] = b_.declare_zeros(name("s", k), loops::number_of(at(k).type), steps()); });
        each_of_block([&](value s, value, auto&& address) {
            each([&](std::size_t k) { b_.put(elements[k], s, b_.read(address(k))); });
        });
        loop("s", static_cast<unsigned>(steps()), [&](value s) {
            const value place = thread_ + s * shape_.block();
            b_.when(place < total_, [&] { each([&](std::size_t k) { b_.put(tiles_[k], place, elements[k][s]); }); });
        });
        b_.barrier();
    }
    value element(std::size_t load) override { return staged_[load] ? tiles_[load][place()] : row_builder::element(load); }
    void put(std::size_t store, const array& results, value lane, unsigned width) override {
        const std::size_t k = spec_.loads.size() + store;
        if (!staged_[k]) return row_builder::put(store, results, lane, width);
        b_.put(tiles_[k], place(), results[lane]);
    }
    std::vector<bool>::const_iterator stores() const {
        return staged_.begin() + static_cast<std::ptrdiff_t>(spec_.loads.size());
    }
    value place() { return mine_ + b_.to(dtype::u32, i_[1]); }
    void write_staged() override {
        if (std::find(stores(), staged_.end(), true) == staged_.end()) return;
        b_.barrier();
        each_of_block([&](value, value place, auto&& address) {
            for (std::size_t k = spec_.loads.size(); k < staged_.size(); ++k)
                if (staged_[k]) stream_one(address(k), tiles_[k][place]);
        });
    }
    // --- the block's elements in the order of memory, one a thread in each of so many steps ---

    std::int64_t steps() const { return static_cast<std::int64_t>(most_elements_) / shape_.block(); }
    /// body(step, place in a tile, address(k)) for each of this thread's. Where rows follow each other without a gap, places
    /// in memory are places in the tile; else a place is divided by the length of a row.
    template <class F>
    void each_of_block(F body) {
        const auto each = [&](auto&& distance) {
            loop("s", static_cast<unsigned>(steps()), [&](value s) {
                const value place = b_.let("place", thread_ + s * shape_.block());
                b_.when(place < total_, [&] {
                    const auto further = distance(place);
                    body(s, place, [&](std::size_t k) { return first_[k] + further(k); });
                });
            });
        };
        const auto in_rows = [&](value place) {
            const value n = b_.to(dtype::u32, n_), row = b_.let("r", place / n), column = b_.let("c", place % n);
            return [this, row, column](std::size_t k) { return offset(row) * stride_of(k) + offset(column); };
        };
        b_.when(
            dense_, [&] { each([&](value place) { return [this, place](std::size_t) { return offset(place); }; }); },
            [&] { each(in_rows); });
    }
    value stride_of(std::size_t k) {
        const bool load = k < spec_.loads.size();
        return affine_stride(at(k), load ? map_.loads[k] : map_.stores[k - spec_.loads.size()], 0);
    }
    value first_of(std::size_t k) {
        const std::vector<value> here = std::exchange(i_, {offset(first_row_), b_.constant(0, offset_)});
        const value found = k < spec_.loads.size() ? load_address(k) : store_address(k - spec_.loads.size());
        i_ = here;
        return found;
    }

    const std::size_t most_elements_;  // of a block
    const std::vector<bool> staged_;   // loads, then stores
    std::vector<array> tiles_;         // likewise
    std::vector<value> first_;         // likewise: of the block's first row
    value first_row_{}, thread_{}, total_{}, mine_{}, dense_{};
};

}  // namespace

extern const gpu_schedule short_rows_schedule{
    .name = "short_rows", .takes = takes, .loops = build<short_rows>, .shape = shape_of_rows};

}  // namespace frit::v0::fusion::gpu
