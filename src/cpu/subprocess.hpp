// Runs a program and collects what it says, for a limited time: the host compiler's way of life.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "frit/config.hpp"

namespace frit::inline v0::detail {

struct process_result {
    int status = -1;         ///< exit code; 128 + signal if it was killed; -1: it was not started, or its end is unknown
    bool timed_out = false;  ///< it took longer than it may, and was ended
    std::string output;      ///< stdout and stderr together, of absurd amounts the beginning
};
/// However this process treats SIGCHLD. A program that does not end within the limit (0: none) is ended with all that it
/// started; one that ends and leaves others behind is not waited for beyond its end. A privileged process starts nothing.
process_result run_process(const std::vector<std::string>& arguments, std::chrono::seconds limit = std::chrono::minutes(2));

/// The arguments as one line, for people.
std::string command_line(const std::vector<std::string>& arguments);

}  // namespace frit::v0::detail
