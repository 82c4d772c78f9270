// Kernels over parts of a domain. A slice assignment as arithmetic is `where(inside, value, base)` with clamped loads, and
// `inside` compares an index with its clamped self (fusion/passes/place_updates). Between two ends of the clamps of one
// dimension each of them is invariant or changes nothing, and each comparison has one result: the spec of such a part has
// plain loads, and no selection. Its values are the same instructions of the same numbers, hence the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "src/cpu/blocks.hpp"

namespace frit::inline v0::detail {

/// A kernel of a part, and where its operands come from.
struct part_spec {
    fusion::kernel_spec spec;
    std::vector<std::uint16_t> loads, coords;  ///< [of the part]: which one of the whole domain's
    /// Pointers of the part that gathers read: the number there, and the whole domain's.
    std::vector<std::pair<std::uint16_t, std::uint16_t>> gathered;
};

/// The parts of a pointwise kernel's domain along the first dimension in which a load or a coordinate is clamped.
class domain_cut {
public:
    explicit domain_cut(const walk&);
    /// Whether there is such a dimension.
    bool exists() const { return dim_ < walk_.extents.size(); }
    std::size_t dim() const { return dim_; }

    /// The parts are [ends[k], ends[k + 1]) for k < n. @returns n; `ends` has room for most_ends()
    std::size_t parts(const std::uint64_t* words, std::int64_t* ends) const;
    std::size_t most_ends() const { return 2 + 2 * (walk_.spec.loads.size() + walk_.spec.coords.size()); }

    /// What decides the spec of a part [first, last), `facts()` bytes: equal facts, equal specs.
    void find_facts(const std::uint64_t* words, std::int64_t first, std::int64_t last, std::uint8_t* to) const;
    std::size_t facts() const { return walk_.spec.loads.size() + comparisons_.size(); }
    /// At least those of any cut of a part.
    std::size_t most_facts() const { return walk_.spec.loads.size() + walk_.spec.body.size(); }
    std::vector<bool> needed_of(const std::vector<fusion::instruction>& body, const std::vector<std::uint16_t>& value) const;
    part_spec make(const std::uint8_t* facts) const;
    /// The words of a part's kernel, whose walk is `part`.
    void write_words(const std::uint64_t* words, std::int64_t first, std::int64_t last, const part_spec&, const walk& part,
                     std::uint64_t* to) const;
    /// At least those of any part.
    std::size_t most_words() const { return walk_.map.layout.size + walk_.spec.loads.size() + walk_.spec.stores.size(); }

private:
    line line_of_load(std::size_t load, const std::uint64_t* words) const;
    line line_of_coordinate(std::size_t coord, const std::uint64_t* words) const;

    const walk& walk_;
    std::size_t dim_;
    std::vector<std::uint16_t> comparisons_;  // in the body: equality of two coordinates of the dimension
};

}  // namespace frit::v0::detail
