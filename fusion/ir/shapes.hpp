// Interned shapes: equal shapes are one pointer, for ever, so that every later comparison of shapes is one of pointers.
// Distinct shapes are few in any program and small, so the table never shrinks.
#pragma once

#include <span>

#include "frit/shape.hpp"

namespace frit::inline v0::fusion {

/// The one copy of a shape. Thread-safe.
const shape* intern(const shape&);
/// The shape of these extents, or null where no array has them: they are more elements than memory can address.
const shape* intern_possible(std::span<const std::int64_t> extents);

/// Around fork(): the child finds the table free and whole.
void lock_shapes_for_fork();
void unlock_shapes_after_fork(bool child);

}  // namespace frit::v0::fusion
