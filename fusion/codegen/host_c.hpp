// What the driver of the host compiler must know of generated host text, so that both agree in one place.
#pragma once

#include <string>
#include <vector>

#include "fusion/ir/kernel_spec.hpp"

namespace frit::inline v0::fusion {

/// The functions, named as ops, that the op's spelling takes from the vector math table: those that the prelude does not
/// define itself. Generated text calls each through an exported variable, a pointer that the loader fills in.
std::vector<op> host_math_functions(op, dtype operand);
std::string host_math_variable(op function, dtype operand);

// Entry points, by the spec's schedule.
// pointwise: void (const u64* words, i64 begin, i64 end): the elements [begin, end) of the flat index.
// reduce_...: void (const u64* words, i64 first, i64 last, i64 block, i64 stop, u64* partials): rows [first, last). Without
// partials all of them, block 0 and `stop` beyond the last block. With partials (kernels of one pass) blocks [block, stop)
// alone: part p of a row goes to partials[(p * blocks + block) * rows + row], and row code waits. reduce_all always so.

}  // namespace frit::v0::fusion
