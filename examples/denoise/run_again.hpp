// Runs this program once more, in a process of its own: how the example measures what depends on a process's start
// (kernels found on disk, fusion switched off).
#pragma once

#include <string>
#include <vector>

/// Runs this executable with `arguments`, and `setting` ("NAME=value", may be empty) added to the environment.
/// @return what it wrote to standard output
/// @throws std::runtime_error when it cannot be run or fails
std::string run_again(const std::vector<std::string>& arguments, const std::string& setting);
