// The blocks of kernels over rows: what rows.cpp and row_tiles.cpp share of their launches, and of rows in chunks.
#pragma once

#include "fusion/machine/cuda_row_shape.hpp"
#include "fusion/schedules/gpu/gpu.hpp"
#include "fusion/schedules/gpu/kernel.hpp"

namespace frit::inline v0::fusion::gpu {

launch_shape shape_of_rows(const kernel_spec&, const std::uint64_t* extents, const target&);
std::uint64_t partials_of_rows(const kernel_spec&, const std::uint64_t* extents, const target&);

/// Rows that are longer than a chunk, dealt out to blocks: which chunks of its tile of rows a block has, and the end, where
/// the last of them to come adds up what the others left.
class chunk_builder : protected kernel_builder {
protected:
    chunk_builder(const kernel_spec& s, const std::string& name) : kernel_builder(s, name), shape_(row_shape_of(s)) {}

    /// Takes a block's number apart into its tile and its chunk, neighbouring blocks having neighbouring chunks or tiles.
    void choose_chunk(const cell& tile, value tiles, value length, bool neighbouring_chunks);
    /// body(first element) for each chunk of this block; then left(chunk), where there are several.
    template <class Body, class Left>
    void each_chunk(Body body, Left left) {
        b_.repeat(chunk_ < chunks_, [&] {
            body(b_.let("begin", linear(chunk_) * shape_.chunk));
            b_.when(chunks_ > 1, [&] {
                left(chunk_);
                b_.barrier();
            });
            b_.set(chunk_, chunk_ + b_.choice(split_, chunks_, b_.constant(1)));
        });
    }
    /// Of blocks that share a tile only the last to come goes on.
    void leave_but_last(value tile);
    /// Shared by the threads of a block, which meet through it: parts of the largest accumulator for each.
    array declare_column();

    row_shape shape_;
    value chunks_{}, split_{};
    cell chunk_{};
};

}  // namespace frit::v0::fusion::gpu
