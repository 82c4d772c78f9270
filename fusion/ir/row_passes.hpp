// The passes over a row that a spec's code amounts to: what each one evaluates, what it adds up, and which row code can run
// between two of them. Derived from the dependencies alone, so that a spec says nothing twice.
#pragma once

#include <cstdint>
#include <vector>

#include "fusion/ir/kernel_spec.hpp"

namespace frit::inline v0::fusion {

/// One walk over the elements of a row.
struct row_pass {
    /// Body instructions that the pass needs, ascending, if nothing was kept of the passes before.
    std::vector<std::uint16_t> body;
    /// Row instructions that can be evaluated before this pass and not before the one before, ascending.
    std::vector<std::uint16_t> row;
    std::vector<std::uint16_t> reductions;  ///< that this pass accumulates
};

struct row_passes {
    explicit row_passes(const kernel_spec&);
    std::vector<row_pass> passes;           ///< at least one; element stores belong to the last
    std::vector<std::uint16_t> row_at_end;  ///< row instructions that need the last pass's totals
    /// Per body instruction: the first pass in which its operands are known.
    std::vector<std::uint8_t> first;

    bool single() const { return passes.size() == 1; }
};

/// Whether row code reads load k. A row without elements need not have the other operands.
bool row_code_reads(const kernel_spec&, std::size_t k);

}  // namespace frit::v0::fusion
