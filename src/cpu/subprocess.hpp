// Runs a program without a shell and collects what it says: the host compiler's way of life.
#pragma once

#include <string>
#include <vector>

#include "frit/config.hpp"

namespace frit::inline v0::detail {

struct process_result {
    int status = -1;     ///< exit code; 128 + signal if it was killed; -1: it could not be started, or its end is unknown
    std::string output;  ///< stdout and stderr together
};
process_result run_process(const std::vector<std::string>& arguments);

/// The arguments as one line, for people.
std::string command_line(const std::vector<std::string>& arguments);

}  // namespace frit::v0::detail
