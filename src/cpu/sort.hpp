// Sorts of rows on the CPU, and the memory that they need beside the result. Apart from library.cpp, which calls them, for
// their length.
#pragma once

#include <cstddef>

#include "fusion/ir/library_call.hpp"

namespace frit::inline v0::detail {

/// Bytes of scratch memory that sort_rows needs: at most as many rows as threads may work on at a time.
std::size_t sort_workspace(const fusion::library_call&);

/// sort and argsort of a call's rows, in the order that fusion::library_call documents; `to` may be `from` in a sort. NaNs
/// of different bits stand in an order of their bits, so the result does not depend on the method or the number of threads.
void sort_rows(const fusion::library_call&, const void* from, void* to, void* workspace);

}  // namespace frit::v0::detail
