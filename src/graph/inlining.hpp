// A statement inlines the formulas that were recorded for it: mean(x) in x - mean(x) is a node for a moment, and then
// a part of the statement. So a formula that the library composes costs what it would as a part of the user's, and what is
// evaluated again finds its plan by one statement.
#pragma once

#include <array>

#include "frit/detail/record.hpp"
#include "frit/expr.hpp"

namespace frit::inline v0::detail {

class context;

class inlined {
public:
    explicit inlined(const statement&);
    inlined(const inlined&) = delete;
    ~inlined();
    /// The statement, with what it could inline.
    const statement& get() const noexcept { return s_; }

private:
    void inline_leaves(const statement&, const context& home);
    void add_leaf(node_head*);

    statement s_;
    std::array<node_head*, max_program_length> leaves_;  ///< with a reference each, up to leaf_count_
    std::array<scalar_bits, max_program_length> scalars_;
    std::array<attribute_ref, max_program_length> attributes_;
    std::uint16_t leaf_count_ = 0, scalar_count_ = 0, attribute_count_ = 0;
};

/// Whether there may be something to inline; cheap.
bool reads_inlinable(const statement&) noexcept;

}  // namespace frit::v0::detail
