// The row code of a kernel (what is evaluated once per row) for a batch of rows: elementwise steps over vectors of rows.
#pragma once

#include <cstdint>
#include <vector>

#include "src/cpu/blocks.hpp"
#include "src/cpu/combine.hpp"

namespace frit::inline v0::detail {

class row_code {
public:
    row_code(const walk& w, const isa_table& table, const std::vector<combiner>& combiners, const row_loops& loops,
             const std::uint64_t* words)
        : walk_(w),
          table_(table),
          combiners_(combiners),
          loops_(loops),
          words_(words),
          kept_(w.spec.rank - std::size_t{w.spec.reduced}) {}
    /// Takes scratch memory for `most` rows at once.
    void place(bump_allocator&, std::int64_t most);
    /// What follows is about rows [first, first + count).
    void begin(std::int64_t first, std::int64_t count);
    void run(const std::vector<std::uint16_t>& instructions);
    void store() const;

    std::int64_t count() const { return count_; }
    /// Where reduction r's parts belong, one for each row.
    const part_arrays& totals(std::size_t r) const { return totals_[r]; }
    std::byte* value(std::uint16_t instruction) const { return values_[instruction]; }

private:
    bool in_one_line(const std::vector<fusion::access_dim>&, const std::vector<fusion::dim_words>&) const;
    template <class F>
    void each_piece(const std::vector<fusion::access_dim>*, const std::vector<fusion::dim_words>*, const F&) const;

    const walk& walk_;  // in the spec's own order
    const isa_table& table_;
    const std::vector<combiner>& combiners_;
    const row_loops& loops_;
    const std::uint64_t* const words_;
    const std::size_t kept_;  // dimensions
    std::int64_t first_ = 0, count_ = 0;
    part_arrays* totals_ = nullptr;
    std::byte **values_ = nullptr, *loop_scratch_ = nullptr;
    const void** loop_operands_ = nullptr;
    void** loop_states_ = nullptr;
};

}  // namespace frit::v0::detail
