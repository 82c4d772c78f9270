// The command line of the example.
#pragma once

#include <string>

#include "command_line.hpp"

struct options {
    std::string device;  ///< "cpu", "cuda", "cuda:1"; empty: the default device
    std::string input, output;
    int steps = 30;
    float kappa = 0.06f, lambda = 0.2f;
    int x = 390, y = 60;   ///< where the before-and-after detail starts
    bool figures = false;  ///< run twice and print one line of figures instead of writing pictures
};

extern const char* const usage;

/// @throws std::runtime_error naming the wrong argument
options parse(const command_line&);
