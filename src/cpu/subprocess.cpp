// posix_spawn with a pipe. No shell: a path with blanks or quotes in it is just a path.
#include "src/cpu/subprocess.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace frit::inline v0::detail {

process_result run_process(const std::vector<std::string>& arguments) {
    process_result result;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        result.output = std::string("pipe: ") + std::strerror(errno);
        return result;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
    std::vector<char*> argv;
    argv.reserve(arguments.size() + 1);
    for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    pid_t child = 0;
    const int error = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (error != 0) {
        close(ends[0]);
        result.output = std::strerror(error);
        return result;
    }
    char chunk[4096];
    for (ssize_t n; (n = read(ends[0], chunk, sizeof chunk)) != 0;) {
        if (n > 0)
            result.output.append(chunk, static_cast<std::size_t>(n));
        else if (errno != EINTR)
            break;
    }
    close(ends[0]);
    int status = 0;
    pid_t ended;
    while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR) {
    }
    if (ended < 0) {  // the process ignores SIGCHLD, or somebody else waited
        result.output += std::string("waitpid: ") + std::strerror(errno) + "\n";
        return result;
    }
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return result;
}

std::string command_line(const std::vector<std::string>& arguments) {
    std::string line;
    for (const std::string& a : arguments) line += (line.empty() ? "" : " ") + a;
    return line;
}

}  // namespace frit::v0::detail
