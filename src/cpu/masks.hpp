// The true elements of a vector of bools on the CPU: how many, where, and what another vector has there.
#pragma once

#include <cstddef>
#include <cstdint>

namespace frit::inline v0::detail {

// Threads share the vector out; results do not depend on how many there are. Masks are read as bytes, not as bools: other
// people's memory may hold truths that are not 1.

std::int64_t count_true(const void* mask, std::int64_t n);

/// The places of the true ones, in order, into room for all n. @return how many
std::int64_t list_true(const void* mask, std::int64_t n, std::int64_t* to);

/// x's elements there, of so many bytes each (1, 2, 4, 8 or 16): as many as there is room for.
void compress_elements(const void* mask, const void* x, std::size_t bytes, std::int64_t n, void* to, std::int64_t room);

}  // namespace frit::v0::detail
