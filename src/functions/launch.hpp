// A launch of a program's own kernel, of either kind: its arguments are checked against the parameters, recorded as a call,
// and the arrays that it writes are rebound.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "frit/detail/kernel_arguments.hpp"
#include "src/graph/call.hpp"

namespace frit::inline v0::detail {

/// What a parameter takes.
struct kernel_parameter {
    enum class role : std::uint8_t { in, inout, number };
    role is;
    std::optional<dtype> type;  ///< none: any
    std::string name;           ///< may be empty
    std::string text;           ///< its type, for errors
};

/// A kernel, for errors and for its device.
struct launched_kernel {
    std::string who;    ///< "raw_kernel axpy"
    source_line where;  ///< of the kernel, where a launch has no line
    bool on_gpu;
    const library_routine& routine;
    std::span<const kernel_parameter> parameters;
};

/// The line of a launch: that of its first inout, or else the kernel's.
source_line line_of(std::span<const kernel_argument>, source_line otherwise);

/// @param leading  numbers in front of the arguments'
/// @throws dtype_error, device_error, error for arguments that do not fit
void launch(const launched_kernel&, std::span<const call_number> leading, kept_object keeps, std::span<kernel_argument>);

}  // namespace frit::v0::detail
