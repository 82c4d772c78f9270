// What was read from a GPU stays on the host, so that reading it again copies nothing: values never change, so a copy stays
// true for as long as its array lives. All mirrors together take at most mirror_limit bytes of host memory: the one
// not read for longest goes first, an array larger than that has none, and all go when the host runs out of memory.
#pragma once

#include "src/graph/node.hpp"

namespace frit::inline v0::detail {

inline constexpr std::size_t mirror_limit = std::size_t{256} << 20;

/// A CPU node with the node's values in row-major order, if there is one.
handle_ref find_mirror(const node&);
/// Keeps `host` for the node, unless its memory belongs to others or others have its address.
void keep_mirror(node&, const handle_ref& host);

void forget_mirror(node&) noexcept;              ///< at the node's end
void forget_mirrors_of(const buffer&) noexcept;  ///< others get its address, and may write
bool forget_mirrors() noexcept;                  ///< false: there were none

void lock_mirrors_for_fork();
void unlock_mirrors_after_fork();

}  // namespace frit::v0::detail
