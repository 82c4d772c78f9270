// Kernels over rows on a GPU, for neighbours along a row or across rows, as a class that schedules of rows build on:
// rows.cpp, and short_rows.cpp, which reads and writes rows by way of shared memory. How many threads, packs and blocks
// share a row says fusion/machine/cuda_row_shape.hpp.
#pragma once

#include <string>
#include <vector>

#include "fusion/schedules/gpu/row_grid.hpp"

namespace frit::inline v0::fusion::gpu {

class row_builder : protected chunk_builder {
public:
    row_builder(const kernel_spec&, const std::string& name);
    virtual ~row_builder() = default;

    loops::kernel build();

protected:
    // --- where elements are read and written: as they are in memory, where nothing else is said ---
    virtual bool is_staged(const access&) const { return false; }
    virtual void stage() {}  ///< once the block knows its rows
    virtual value element(std::size_t load) { return read(load); }
    virtual void put(std::size_t store, const array& results, value lane, unsigned width) {
        stream(store_address(store), results, lane, width, width);
    }
    virtual void write_staged() {}  ///< once all elements are kept

    const bool along_;
    value tid_{}, n_{}, rows_{}, row_{}, real_{};  ///< of a row's threads; its length; how many rows; there is such a row
    cell tile_{};                                  ///< of rows, which a block has

private:
    /// A thread's next packs: their first element, where the row or the chunk ends, and how many resident packs are before.
    struct run {
        value first, stop, before;
        unsigned packs;
    };

    unsigned blocks_per_sm() const;
    bool flat_row() const { return spec_.reduced == 1; }
    bool in_one_warp() const { return along_ && shape_.threads <= 32; }
    unsigned stride() const { return shape_.threads * shape_.pack; }  // from a thread's pack to its next
    const numbers& reductions(std::size_t p) const { return work_.passes.passes[p].reductions; }
    bool is_last(std::size_t p) const { return p + 1 == work_.work.size(); }
    unsigned aligned(const access& a) const;

    void head();

    static loops::storage lanes_of(dtype t, std::size_t count);
    array zeros(std::size_t load, std::size_t count);
    void resident_arrays();

    // --- one pass ---

    void pass(std::size_t p);
    void pass_in_chunks(std::size_t p);
    void add_chunks(std::size_t p, const std::vector<value>& partial);
    value slot(value c) { return along_ ? row_ * chunks_ + c : linear(c) * rows_ + row_; }
    value own_start() { return tid_ * shape_.pack; }
    void restart(std::size_t p);
    void meet(std::size_t p);
    void meet_at(std::size_t r);

    void resident_pass(std::size_t p, value stop);
    void walk(std::size_t p, value start, value end);

    void step(std::size_t p, const numbers& reads, const run& here);
    value start_of_pack(const run& here, value g) { return b_.let("at", here.first + g * stride()); }

    void compute(std::size_t p, const run& here, value g, value at, const std::vector<array>& results);
    value leaf_of(const instruction& i, value passing, value resident);

    // --- elements of a pack ---

    /// body(k) for the pack at `at`, its indices in i_.
    template <class F>
    void each_element(value at, unsigned step, F body, std::uint32_t unroll = loops::wholly) {
        std::vector<cell> indices;
        if (!flat_row()) {
            indices = decode_variables(kept_dims_, spec_.rank, at, "j");
            for (std::size_t d = 0; d < indices.size(); ++d) i_[kept_dims_ + d] = indices[d];
        }
        const auto one = [&](value k) {
            if (flat_row()) set_index(kept_dims_, at + k);
            body(k);
            if (!flat_row()) carry(indices, kept_dims_, step);
        };
        loop("k", shape_.pack, one, step, unroll);
    }

    void read_packs(const numbers& loads, const run& here);
    void read_lane(std::uint16_t k, value lane, unsigned width);
    bool read_once(std::uint16_t k) const;

    void store_pack(value at, value full, value stop, const std::vector<array>& results);

    // --- once per row ---

    void row_code(const numbers& list);
    void end();

    const row_work work_;
    array column_{};               // shared by the threads of a block, which meet through it
    std::vector<array> kept_;      // by instruction of the body
    std::vector<array> elements_;  // of the pack at hand, as accumulators
    std::vector<cell> accumulators_;
    std::vector<value> of_row_;  // by instruction of the row code
};

}  // namespace frit::v0::fusion::gpu
