// Interned shapes: equal shapes are one pointer, for ever, so that every later comparison of shapes is one of pointers.
// Distinct shapes are few in any program and small, so the table never shrinks.
#pragma once

#include "frit/shape.hpp"

namespace frit::inline v0::fusion {

/// The one copy of a shape. Thread-safe.
const shape* intern(const shape&);

/// Around fork(): the child finds the table free and whole.
void lock_shapes_for_fork();
void unlock_shapes_after_fork(bool child);

}  // namespace frit::v0::fusion
