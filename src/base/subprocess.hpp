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
/// Where this process ends first, however it does, so does the program.
process_result run_process(const std::vector<std::string>& arguments, std::chrono::seconds limit = std::chrono::minutes(2));

/// What the calling thread runs from here on, nobody waits for: end_background_programs() may end it.
void run_in_background() noexcept;
/// Ends what such threads of this process run, as if their time were over, and what they start later. From any thread, but
/// not while another calls one of these two.
void end_background_programs() noexcept;

/// Around fork(): a child closes the pipes of what its parent runs, at whose ends programs are ended.
void lock_pipes_for_fork();
void unlock_pipes_after_fork(bool child) noexcept;

/// The arguments as one line, for people.
std::string command_line(const std::vector<std::string>& arguments);

}  // namespace frit::v0::detail
