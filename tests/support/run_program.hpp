// Runs a command line and keeps what it says: for tests that look at a fresh process from outside.
#pragma once

#include <array>
#include <cstdio>
#include <string>

namespace frit_test {

struct program_result {
    int status = -1;   ///< as waitpid gives it: 0 is success
    std::string text;  ///< stdout and stderr
};

/// @param command for the shell: variables may stand in front ("A=1 B= program")
inline program_result run_program(const std::string& command) {
    program_result r;
    FILE* pipe = popen(("env " + command + " 2>&1").c_str(), "r");
    if (!pipe) return r;
    std::array<char, 4096> chunk;
    while (std::fgets(chunk.data(), chunk.size(), pipe)) r.text += chunk.data();
    r.status = pclose(pipe);
    return r;
}

}  // namespace frit_test
