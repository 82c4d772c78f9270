// Pointwise kernels of rank > 1 in patches: a thread computes `vector_width` neighbouring columns of a few neighbouring
// rows. Inside the domain, and where no clamp is reached, what it reads comes by wide accesses, and loads that show one
// array at shifted places share a window of it in registers: each element is read once for all that it is a neighbour of. A
// patch at an edge goes element by element. Three phases, as everywhere: read all, compute, write all.
#include <algorithm>

#include "fusion/schedules/gpu/gpu.hpp"
#include "fusion/schedules/gpu/windows.hpp"

namespace frit::inline v0::fusion::gpu {
namespace {

class patches : window_builder {
public:
    patches(const kernel_spec& s, const std::string& name) : window_builder(s, name, patch_rows(s), s.vector_width) {}

    loops::kernel build() {
        place();
        b_.when(
            full_, [this] { inside(); }, [this] { at_edge(); });
        return take(pointwise_threads, blocks_per_sm());
    }

private:
    // Of a large patch the compiler, left to itself, reads all in 255 registers before it computes: then two blocks share an
    // SM, too few to hide how long memory takes. 96 are enough, since results need the rows one after the other. (Of a small
    // one it takes fewer than it is allowed; with clamps the edges need more.)
    unsigned blocks_per_sm() const {
        std::size_t registers = 0;
        const auto add = [&](const access& a, std::size_t elements) { registers += (size_of(a.type) + 3) / 4 * elements; };
        for (std::size_t k = 0; k < spec_.loads.size(); ++k) {
            const access& a = spec_.loads[k];
            if (a.window == 0) add(a, is_invariant(a) ? 1 : rows_ * columns_);
            if (a.window == k + 1) add(a, window_size(k));
        }
        for (const store& s : spec_.stores) add(s.to, rows_ * columns_);
        const bool large = registers > 96 && registers <= 128;
        return large && weight_of(spec_.body) <= 100 && !has_unclamped_words(spec_) ? 5 : 0;
    }
    bool is_invariant(const access& a) const { return !moves_in(a, row_, column_ + 1); }
    void set_indices(value row, value column) {
        set_index(row_, row);
        set_index(column_, column);
    }

    // The patch's corner, and whether all of it goes the quick way.
    void place() {
        left_ = b_.let("column", offset((linear(block_x()) * threads_x() + thread_x()) * columns_));
        width_ = b_.let("columns", offset(extent(column_)));
        height_ = b_.let("rows", offset(extent(row_)));
        b_.when(left_ >= width_, [&] { b_.leave(); });
        const value bands = b_.let("bands", (extent(row_) + (rows_ - 1)) / rows_);
        // No loop over bands: what only a patch at an edge needs would move in front of it, for all.
        const value blocks = linear(b_.launch(launch_index::block_z)) * blocks_y() + block_y();
        const value band = b_.let("band", blocks * threads_y() + thread_y());
        b_.when(band >= bands * extents(0, row_), [&] { b_.leave(); });
        if (row_ == 0) {
            top_ = b_.let("row", offset(band * rows_));
        } else {
            const value rest = b_.let("rest", band / bands);
            top_ = b_.let("row", offset(band % bands * rows_));
            decode(0, row_, rest);
        }
        std::vector<value> corner(i_.begin(), i_.begin() + row_);
        corner.insert(corner.end(), {top_, left_});
        full_ = b_.let("full", has_unclamped_words(spec_) && !clamps_rows_
                                   ? is_unclamped(corner)
                                   : top_ + rows_ <= height_ && left_ + columns_ <= width_);
    }

    void declare(unsigned lanes) {
        loads_.assign(spec_.loads.size(), {});
        for (std::size_t k = 0; k < spec_.loads.size(); ++k)
            if (is_invariant(spec_.loads[k]))
                loads_[k].one = b_.let(name("l", k), read(k));
            else
                loads_[k].each = b_.declare(name("l", k), loops::number_of(spec_.loads[k].type), lanes);
        results_ = declare_results(lanes);
    }

    /// @param indices sets them to those of a lane;  exists: whether it is an element of the domain
    template <class F, class Exists>
    void compute(unsigned lanes, bool clamps, F indices, Exists exists) {
        const unsigned unrolled = unroll_of(weight_of(spec_.body), lanes);
        const auto body = [&](value k) {
            if (!spec_.coords.empty()) indices(k);
            std::vector<value> values;
            const auto leaf = [&](const instruction& i) {
                if (i.code == op::load && loads_[i.a].moves()) return value(loads_[i.a].each[k]);
                return i.code == op::coord && !clamps ? b_.number(i.type, affine_coordinate(i.a)) : once(i);
            };
            b_.compute(spec_.body, all(spec_.body), "t", values, leaf, exists(k));
            keep(results_, k, values);
        };
        loop("k", lanes, body, 1, unrolled >= lanes ? loops::wholly : unrolled);
    }

    // --- inside ---

    void lane_inside(value k) { set_indices(top_ + row_of(k), left_ + column_of(k)); }
    void inside() {
        const unsigned lanes = rows_ * columns_;
        i_[row_] = top_;
        i_[column_] = left_;
        declare(lanes);
        read_windows(number(0));
        const auto reads = [&](std::size_t k) { return spec_.loads[k].window == 0 && loads_[k].moves(); };
        bool any = false;
        for (std::size_t k = 0; k < loads_.size(); ++k) any |= reads(k);
        if (any)
            loop("k", lanes, [&](value k) {
                lane_inside(k);
                for (std::size_t l = 0; l < loads_.size(); ++l)
                    if (reads(l)) b_.put(loads_[l].each, k, read(l));
            });
        compute(
            lanes, clamps_rows_, [this](value k) { lane_inside(k); }, [this](value) { return b_.truth(true); });
        for (std::size_t s = 0; s < results_.size(); ++s) store_inside(s, lanes);
    }
    void store_inside(std::size_t s, unsigned lanes) {
        const access& to = spec_.stores[s].to;
        const bool vector = to.dims[column_].stride == stride_class::one;
        const unsigned wide = std::min({columns_, unsigned{to.alignment}, static_cast<unsigned>(16 / size_of(to.type))});
        loop(
            "k", lanes,
            [&](value k) {
                lane_inside(k);
                stream(store_address(s), results_[s], k, vector ? columns_ : 1, vector ? wide : 1);
            },
            vector ? columns_ : 1);
    }

    // --- at an edge: row by row ---

    void at_edge() {
        const cell at = b_.declare("at", top_);
        b_.repeat(
            at < top_ + rows_ && at < height_,
            [&] {
                edge_row(at);
                b_.set(at, at + 1);
            },
            loops::not_at_all);
    }
    void edge_row(value at) {
        i_[row_] = at;
        i_[column_] = left_;
        declare(columns_);
        loop("k", columns_, [&](value k) {
            // A lane beyond the end reads an element of its thread's own: any other may be written meanwhile, in place.
            set_indices(at, columns_ == 1 ? left_ + k : b_.choice(left_ + k < width_, left_ + k, left_));
            for (std::size_t l = 0; l < loads_.size(); ++l)
                if (loads_[l].moves()) b_.put(loads_[l].each, k, read(l));
        });
        const auto exists = [this](value k) { return columns_ == 1 ? b_.truth(true) : left_ + k < width_; };
        compute(
            columns_, true, [&](value k) { set_indices(at, left_ + k); }, exists);
        loop("k", columns_, [&](value k) {
            b_.when(exists(k), [&] {
                set_indices(at, left_ + k);
                for (std::size_t s = 0; s < results_.size(); ++s) stream(store_address(s), results_[s], k, 1, 1);
            });
        });
    }

    value left_{}, top_{}, width_{}, height_{}, full_{};
    std::vector<array> results_;
};

// Blocks are tall as well as wide: what neighbouring patches read is in the L1 then.
constexpr unsigned patches_across = 64;

launch_shape shape(const kernel_spec& spec, const std::uint64_t* extents, const target&) {
    const std::uint64_t vectors = divide_up(extents[spec.rank - 1], spec.vector_width);
    const std::uint64_t bands = divide_up(extents[spec.rank - 2], patch_rows(spec)) * product(extents, 0, spec.rank - 2);
    launch_shape s;
    s.block[0] = std::min(row_threads(vectors), patches_across);
    s.block[1] = pointwise_threads / s.block[0];
    s.grid[0] = blocks_across(divide_up(vectors, s.block[0]));
    const std::uint64_t down = divide_up(bands, s.block[1]);
    s.grid[1] = static_cast<unsigned>(std::min(down, max_grid_y));
    s.grid[2] = static_cast<unsigned>(divide_up(down, max_grid_y));
    return s;
}

}  // namespace

extern const gpu_schedule patches_schedule{
    .name = "patches",
    .takes = [](const kernel_spec& s) { return s.schedule == schedule_kind::pointwise && s.patch_rows > 0; },
    .loops = build<patches>,
    .shape = shape};

}  // namespace frit::v0::fusion::gpu
