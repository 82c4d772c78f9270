// A statement inlines the formulas that were recorded for it: mean(x) in x - mean(x) is a node for a moment, and then
// a part of the statement. So a formula that the library composes costs what it would as a part of the user's, and what is
// evaluated again finds its plan by one statement.
#pragma once

#include <array>
#include <vector>

#include "frit/detail/record.hpp"
#include "frit/expr.hpp"

namespace frit::inline v0::detail {

class context;

class inlined {
public:
    explicit inlined(const statement&);
    inlined(const inlined&) = delete;
    /// The statement, with what it could inline.
    const statement& get() const noexcept { return s_; }

private:
    void inline_leaves(const statement&, const context& home);

    /// With a reference each.
    struct counted_nodes {
        std::array<node_head*, max_program_length> nodes;
        std::uint16_t count = 0;
        void add(node_head* n) {
            retain(n, one_user);
            nodes[count++] = n;
        }
        ~counted_nodes() {
            for (std::uint16_t k = 0; k < count; ++k) release(nodes[k], one_user);
        }
    };

    statement s_;
    counted_nodes leaves_;
    std::array<scalar_bits, max_program_length> scalars_;
    std::vector<attribute_ref> attributes_;
    std::uint16_t scalar_count_ = 0;
};

/// Whether there may be something to inline; cheap.
bool reads_inlinable(const statement&) noexcept;

/// A pending formula that is read through many views, taken apart: each reader has a copy with the view below it, which is a
/// formula of its own to the planner, neither stored nor computed for others. For stencils over a formula that costs less
/// than a trip through memory.
class copied_formula {
public:
    /// Of a node that is pending and nobody's but of formulas that read it, elementwise over operands of its own shape, and
    /// of no more than so many cheap operations: else there is none.
    copied_formula(const user_ref& node, std::uint32_t most_operations);
    bool exists() const noexcept { return code_ != nullptr; }
    /// The formula at the elements that a view of it shows.
    user_ref seen(const attribute_ref& view, source_line) const;

private:
    const program* code_ = nullptr;
    static_slot* slot_ = nullptr;
    std::vector<user_ref> operands_;
    std::vector<scalar_bits> scalars_;
};

}  // namespace frit::v0::detail
