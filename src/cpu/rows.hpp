// How the interpreter runs kernels of rows (reduce_inner, reduce_outer, reduce_tile): which elements make a block, and what
// is kept from one pass over a row to the next.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "fusion/ir/row_passes.hpp"
#include "src/cpu/blocks.hpp"
#include "src/cpu/combine.hpp"

namespace frit::inline v0::detail {

/// One way to walk over rows, with its programs.
struct row_plan {
    /// along: a block is elements of one row. Else it is one or several elements of many rows: element by element, the rows
    /// side by side, as lanes.
    bool along;
    block_mode mode;
    bool keeps;  ///< expensive values are kept for the passes that follow
    row_plan(const fusion::kernel_spec&, const isa_table&, const fusion::row_passes&, bool along, block_mode, bool keeps);

    struct kept_value {
        std::uint16_t slot;
        std::int64_t size;
    };
    walk order;
    std::vector<block_program> programs;  ///< [pass]
    std::vector<kept_value> kept;
    std::int64_t block_size;
};

class row_interpreter {
public:
    row_interpreter(const fusion::kernel_spec&, const isa_table&);
    void reserve(const std::uint64_t* words, std::int64_t rows) const;  ///< see cpu_kernel
    void run_rows(const std::uint64_t* words, std::int64_t first, std::int64_t last) const;
    void run_block(const std::uint64_t* words, std::int64_t first, std::int64_t last, std::int64_t block,
                   std::uint64_t* partials) const;
    void finish_rows(const std::uint64_t* words, std::int64_t first, std::int64_t last, const std::uint64_t* partials) const;

private:
    friend class row_runner;
    struct choice {
        const row_plan* plan;
        std::int64_t batch;  ///< rows at once
        bool whole = false;  ///< a batch is one block
    };
    std::int64_t extent(const std::uint64_t* words, int first, int last) const;
    bool lie_in_order(const std::uint64_t* words, std::int64_t length) const;
    choice choose(const std::uint64_t* words, std::int64_t rows) const;
    const row_plan& plan(bool along, block_mode, bool keeps) const;

    const walk own_;  // the spec in its own order
    const isa_table& table_;
    const fusion::row_passes passes_;
    const std::vector<combiner> combiners_;
    const row_loops row_loops_;
    std::int64_t bytes_per_element_ = 0;  // that a pass reads
    mutable std::mutex making_;
    mutable std::unique_ptr<row_plan> plans_[2][2][2];  // made when first wanted
};

}  // namespace frit::v0::detail
