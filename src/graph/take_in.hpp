// A statement takes in the formulas that were recorded for it: mean(x) in x - mean(x) is a node for a moment, and then
// a part of the statement. So a formula that the library composes costs what it would as a part of the user's, and what is
// evaluated again finds its plan by one statement.
#pragma once

#include <array>

#include "frit/detail/record.hpp"
#include "frit/expr.hpp"

namespace frit::inline v0::detail {

class context;

class taken_in {
public:
    explicit taken_in(const statement&);
    taken_in(const taken_in&) = delete;
    ~taken_in();
    /// The statement, with what it could take in.
    const statement& get() const noexcept { return s_; }

private:
    void take(const statement&, const context& home);
    void add_leaf(node_head*);

    statement s_;
    std::array<node_head*, max_program_length> leaves_;  ///< with a reference each, up to leaf_count_
    std::array<scalar_bits, max_program_length> scalars_;
    std::array<attribute_ref, max_program_length> attributes_;
    std::uint16_t leaf_count_ = 0, scalar_count_ = 0, attribute_count_ = 0;
};

/// Whether there may be something to take in; cheap.
bool reads_parts(const statement&) noexcept;

}  // namespace frit::v0::detail
