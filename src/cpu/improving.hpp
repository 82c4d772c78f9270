// The engine auto: what the interpreter can run at once, LLVM, or $CXX, compiles in the background as soon as that pays, and
// the kernel goes on as compiled code. Both give the same bits, so it does not matter when.
#pragma once

#include <span>

#include "src/cpu/compiled_kernel.hpp"

namespace frit::inline v0::detail {

/// What a compiled kernel is made of, and its facts filled in.
using kernel_maker = std::shared_ptr<cpu_kernel> (*)(kernel_source&);

/// A way to a compiled kernel, worth trying once so many nanoseconds have been lost to the interpreter. Null: it was not
/// this one, the next may be.
struct improvement {
    double worth;
    kernel_maker make;
};

/// A kernel that starts as `interpreted`. The ways are tried in order, each when it pays; where none leads there, or a
/// compiler fails, the interpreter stays. `compiled_nanoseconds`: of an element, roughly, once it is compiled.
std::shared_ptr<cpu_kernel> make_improving(std::shared_ptr<cpu_kernel> interpreted, double compiled_nanoseconds,
                                           kernel_source, std::span<const improvement> ways);

/// Returns when nothing compiles in the background any more.
void wait_for_background() noexcept;
void lock_background_for_fork();
void unlock_background_after_fork(bool child);

}  // namespace frit::v0::detail
