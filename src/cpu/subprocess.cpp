// posix_spawn with a pipe. No shell: a path with blanks or quotes in it is just a path.
#include "src/cpu/subprocess.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <exception>
#include <new>
#include <utility>

namespace frit::inline v0::detail {

namespace {

/// A descriptor that is closed at the end.
class descriptor {
public:
    explicit descriptor(int fd) noexcept : fd_(fd) {}
    descriptor(const descriptor&) = delete;
    descriptor& operator=(const descriptor&) = delete;
    ~descriptor() { shut(); }
    void shut() noexcept {
        if (fd_ >= 0) ::close(std::exchange(fd_, -1));
    }
    int get() const noexcept { return fd_; }

private:
    int fd_;
};

/// What the child does with its descriptors before it is the program; 0, or the errno of what failed.
class spawn_actions {
public:
    explicit spawn_actions(int output) noexcept : failure_(posix_spawn_file_actions_init(&list_)) {
        if (failure_ != 0) return;
        failure_ = posix_spawn_file_actions_addopen(&list_, 0, "/dev/null", O_RDONLY, 0);
        for (const int to : {1, 2})
            if (failure_ == 0) failure_ = posix_spawn_file_actions_adddup2(&list_, output, to);
    }
    spawn_actions(const spawn_actions&) = delete;
    spawn_actions& operator=(const spawn_actions&) = delete;
    ~spawn_actions() { posix_spawn_file_actions_destroy(&list_); }
    int failure() const noexcept { return failure_; }
    const posix_spawn_file_actions_t* get() const noexcept { return &list_; }

private:
    posix_spawn_file_actions_t list_{};
    int failure_;
};

/// All that a child writes, to its end also where there is no memory for it: a child that nobody reads would hang.
void read_all(int from, std::string& to) {
    std::exception_ptr failure;
    char chunk[4096];
    for (ssize_t n; (n = read(from, chunk, sizeof chunk)) != 0;) {
        if (n < 0 && errno != EINTR) break;
        if (n < 0 || failure) continue;
        try {
            to.append(chunk, static_cast<std::size_t>(n));
        } catch (const std::bad_alloc&) {
            failure = std::current_exception();
        }
    }
    if (failure) std::rethrow_exception(failure);
}

/// Waits for a child. False with errno set where its end is not known.
bool wait_for(pid_t child, int& status) noexcept {
    pid_t ended;
    while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR) {
    }
    return ended >= 0;
}

}  // namespace

process_result run_process(const std::vector<std::string>& arguments) {
    process_result result;
    std::vector<char*> argv;
    argv.reserve(arguments.size() + 1);
    for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        result.output = std::string("pipe: ") + std::strerror(errno);
        return result;
    }
    const descriptor reading(ends[0]);
    descriptor writing(ends[1]);
    const spawn_actions actions(writing.get());
    pid_t child = 0;
    const int error = actions.failure() != 0 ? actions.failure()
                                             : posix_spawnp(&child, argv[0], actions.get(), nullptr, argv.data(), environ);
    writing.shut();
    if (error != 0) {
        if (error == ENOMEM) throw std::bad_alloc();
        result.output = std::strerror(error);
        return result;
    }
    int status = 0;
    try {
        read_all(reading.get(), result.output);
    } catch (...) {
        wait_for(child, status);
        throw;
    }
    if (!wait_for(child, status)) {  // the process ignores SIGCHLD, or somebody else waited
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
