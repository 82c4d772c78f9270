// The shapes of one graph: equal ones are one pointer, so that the planner compares shapes by comparing pointers. A set is
// shared by a graph, its copies and the plans made of it, and goes with the last of them; nothing is kept for the process.
// What outlives a graph carries its shape by value: nodes, buffers, what a statement's slot remembers. Copying 136 bytes
// costs less there than counting who points at them, and comparing two shapes is comparing a few extents.
#pragma once

#include <cstddef>
#include <span>
#include <unordered_set>

#include "frit/shape.hpp"

namespace frit::inline v0::fusion {

class shape_set {
public:
    /// The set's own copy of a shape, which stays where it is.
    const shape* intern(const shape& s) { return &*shapes_.insert(s).first; }
    /// The shape of these extents, or null where no array has them: they are more elements than memory can address.
    const shape* intern_possible(std::span<const std::int64_t> extents);
    std::size_t size() const noexcept { return shapes_.size(); }

private:
    struct hash {
        std::size_t operator()(const shape&) const noexcept;
    };
    std::unordered_set<shape, hash> shapes_;
};

/// The shape that two operands broadcast to (NumPy's rule): one of theirs, or a new one in `made`. Null where they do not,
/// or where no array has it.
const shape* broadcast_shapes(const shape* a, const shape* b, shape_set& made);

}  // namespace frit::v0::fusion
