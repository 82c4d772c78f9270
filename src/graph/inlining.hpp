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

}  // namespace frit::v0::detail
