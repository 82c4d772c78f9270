// The engine auto: what the interpreter can run at once, LLVM, or $CXX, compiles in the background as soon as that pays, and
// the kernel goes on as compiled code. Both give the same bits, so it does not matter when.
#pragma once

#include "src/cpu/cpu.hpp"

namespace frit::inline v0::detail {

/// What a compiled kernel is made of, and its facts filled in.
using kernel_maker = std::shared_ptr<cpu_kernel> (*)(const fusion::kernel_spec&, const fusion::target&, isa_level);

/// A kernel that starts as `interpreted`. Once so many nanoseconds have been lost to the interpreter that it pays, `find`
/// looks on disk, then `make` asks the compiler; where there is none, or it fails, the interpreter stays.
std::shared_ptr<cpu_kernel> make_improving(std::shared_ptr<cpu_kernel> interpreted, double nanoseconds_lost_per_element,
                                           const fusion::kernel_spec&, const fusion::target&, isa_level, kernel_maker find,
                                           kernel_maker make);

/// Returns when nothing compiles in the background any more.
void wait_for_background() noexcept;
void lock_background_for_fork();
void unlock_background_after_fork(bool child);

}  // namespace frit::v0::detail
