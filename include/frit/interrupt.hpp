// Ending an evaluation from outside: by another thread, or from a signal handler. Apart from eval.hpp, since it is no way to
// evaluate, and its error is thrown by evaluations of every kind.
#pragma once

#include "frit/error.hpp"

namespace frit::inline v0 {

/// An evaluation was told to end (interrupt()).
class FRIT_API interrupted : public error {
public:
    using error::error;
};

/// Tells the evaluations that run now, on whatever threads, to end: each throws frit::interrupted, unless it is complete
/// before it next looks. It looks before its kernels and library calls, as long as none has overwritten an array, and on a
/// CPU in each round of a loop that may go on for long: of a function of text, where it is not known to end, and of
/// `iterate`, where its count is an array or a number above 65,536, with the loops around them. Other loops go on to their
/// end. Nothing is lost: what was to be computed stays a formula, which can be evaluated again, and results that were
/// complete are kept; but what a host kernel that evaluates arrays itself works on in place is. An evaluation that begins
/// later does not hear of it. A statement that evaluates what it is made of, since the formula has grown long, may throw
/// too, and then is not recorded.
///
/// Where nothing runs it has no effect, and says so: it is for the caller to end what a program does between evaluations.
/// May be called from a signal handler and from any thread. On a GPU a loop ends with its rounds, or by set_loop_limit.
/// @returns whether an evaluation was running
FRIT_API bool interrupt() noexcept;

}  // namespace frit::v0
