// How the CPU combines partial results: a reduction's rule (fusion/ir/reduction_rule.hpp) as steps over the loops of an
// instruction set. Every number of rows and blocks goes through here, hence the bits of all engines.
#pragma once

#include <cstdint>
#include <vector>

#include "fusion/ir/reduction_rule.hpp"
#include "src/cpu/isa.hpp"

namespace frit::inline v0::detail {

/// Where the parts of partial results stand: one array for each part.
struct part_arrays {
    std::byte* of[fusion::max_parts] = {};
};

class combiner {
public:
    combiner(const fusion::reduction_spec&, const isa_table&);

    const fusion::reduction_rule& rule() const { return *rule_; }
    int parts() const { return rule_->parts; }
    std::size_t size(int part) const { return size_of(rule_->types[part]); }
    bool takes_pairs() const { return second_size_ > 0; }  ///< add reads a second value of each element
    std::int64_t second_size() const { return second_size_; }
    std::int64_t third_size() const { return third_size_; }  ///< 0: add reads no third value
    std::int64_t value_size() const { return value_size_; }  ///< of an element
    part_arrays shifted(part_arrays p, std::int64_t elements) const {
        for (int k = 0; k < parts(); ++k) p.of[k] += elements * static_cast<std::int64_t>(size(k));
        return p;
    }
    void set_identity(const part_arrays& to, std::int64_t n) const;
    /// left[i] = left[i] with right[i], for i < n. The arrays do not overlap.
    void combine(const part_arrays& left, const part_arrays& right, std::int64_t n) const {
        deviations_ ? deviations_->combine(left.of, right.of, n) : run(partials_, left, right, n);
    }
    /// left[i] = left[i] with elements i, i + n, ..., `times` of them, where all have met `met` before; `seconds` and
    /// `thirds` are read if the rule takes them. Behind the last of them comes set_met.
    void add(const part_arrays& left, const void* values, const void* seconds, const void* thirds, std::int64_t n,
             std::int64_t times, std::int64_t met) const;
    /// How many elements the accumulators have met.
    void set_met(const part_arrays& left, std::int64_t n, std::int64_t met) const;
    /// Whether reduce_rows knows rows of this length.
    bool reduces_rows(std::int64_t length) const {
        return rule_->is_plain() || (deviations_ && length > 0 && length % fusion::reduce_lanes == 0);
    }
    /// Whole rows of at most one block that lie one after the other, in the order of lanes.
    void reduce_rows(const part_arrays& to, const summands& x, std::int64_t rows, std::int64_t length) const {
        if (deviations_) return deviations_->reduce_rows(to.of, x.values, rows, length, rule_->identity);
        (x.loops ? x.loops->reduce_rows : reduce_rows_)(to.of[0], x.values, x.others, rows, length, &rule_->identity[0]);
    }
    /// n elements of a block, from number i of it on, to 64 accumulators: element k to number k % 64, in order of k. Behind
    /// the last of them comes set_met_of_lanes.
    void accumulate(const part_arrays& lanes, const summands& x, const void* seconds, std::int64_t n, std::int64_t i) const;
    /// How many elements of a block each of 64 lanes of `width` accumulators has met.
    void set_met_of_lanes(const part_arrays& lanes, std::int64_t elements, std::int64_t width) const;

private:
    struct step {
        loop run;
        std::uint16_t d, a, b, c;
        bool once;  // of constants alone
    };
    // Where an instruction's value stands: parts, or `offset` bytes into the temporaries for each element of a piece.
    enum class origin : std::uint8_t { temporary, left, right, constant };
    struct value {
        origin from;
        std::int64_t offset;  // of a part: its number
        const void* constant;
    };
    /// The rule with right-hand parts as they are, or with some of them constants.
    struct code {
        const fusion::rule_code* rule;
        std::vector<step> steps;
        std::vector<value> values;            // [instruction]
        bool copied[fusion::max_parts] = {};  // the new part is copied there when nothing reads the old one any more
        std::int64_t bytes = 0;               // of temporaries for one element
    };
    code compile(const fusion::rule_code&, bool lifted) const;
    void accumulate_extremum(const part_arrays& lanes, const void* values, const std::int64_t* places, std::int64_t n) const;
    void run(const code&, const part_arrays& left, const part_arrays& right, std::int64_t n) const;

    const fusion::reduction_rule* rule_;
    const isa_table* table_;
    accumulate_loop accumulate_ = nullptr;    // plain rules
    reduce_rows_loop reduce_rows_ = nullptr;  // plain rules
    const deviations_loops* deviations_ = nullptr;
    op extremum_ = op::leaf;  ///< of the values, where the second ones are places
    std::int64_t value_size_, second_size_ = 0, third_size_ = 0;
    code partials_, elements_;  // the rule for two partial results; for a partial result and an element
};

/// The combiners of all reductions of a kernel.
std::vector<combiner> combiners_of(const fusion::kernel_spec&, const isa_table&);

/// A pairwise tree over partial results that come one after the other, each of them for `width` rows: a result without a
/// neighbour waits on its level. That is the tree whose left half is the largest power of two below the count.
class pairwise_tree {
public:
    /// Levels that `count` results need.
    static int levels(std::int64_t count);
    /// `memory` holds levels * width elements of each part.
    pairwise_tree(const combiner& c, const part_arrays& memory, std::int64_t width)
        : combine_(&c), memory_(memory), width_(width) {}
    /// Adds the next result.
    void push(const part_arrays& next);
    /// The total of all that came, or the identity.
    void finish(const part_arrays& to);

private:
    part_arrays level(int l) const { return combine_->shifted(memory_, l * width_); }
    void copy(const part_arrays& to, const part_arrays& from) const;
    const combiner* combine_;
    part_arrays memory_;
    std::int64_t width_, count_ = 0;
};

}  // namespace frit::v0::detail
