// posix_spawn of /proc/self/exe with a pipe on its standard output.
#include "run_again.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <stdexcept>

std::string run_again(const std::vector<std::string>& arguments, const std::string& setting) {
    std::vector<char*> argv{const_cast<char*>("denoise")}, environment;
    for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    for (char** e = environ; *e != nullptr; ++e) environment.push_back(*e);
    // The last of two equal names need not win: the added setting goes first.
    if (!setting.empty()) environment.insert(environment.begin(), const_cast<char*>(setting.c_str()));
    environment.push_back(nullptr);

    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) throw std::runtime_error(std::string("pipe: ") + std::strerror(errno));
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    pid_t child = 0;
    const int error = posix_spawn(&child, "/proc/self/exe", &actions, nullptr, argv.data(), environment.data());
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);

    std::string output;
    if (error == 0) {
        std::array<char, 4096> chunk{};
        for (ssize_t n = 0; (n = read(ends[0], chunk.data(), chunk.size())) > 0;)
            output.append(chunk.data(), static_cast<std::size_t>(n));
    }
    close(ends[0]);
    if (error != 0) throw std::runtime_error(std::string("cannot start a second process: ") + std::strerror(error));
    int status = 0;
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        throw std::runtime_error("the second process failed");
    return output;
}
