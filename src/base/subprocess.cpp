// posix_spawn, a pipe for what the program says, and one for how it ended. See subprocess.hpp.
#include "src/base/subprocess.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <mutex>
#include <new>
#include <utility>

#include "src/base/env.hpp"
#include "src/base/file.hpp"

namespace frit::inline v0::detail {
namespace {

using clock = std::chrono::steady_clock;

// The program runs under a shell, which writes its exit status to descriptor 3. waitpid() cannot be relied on for that:
// where this process ignores SIGCHLD, or has a handler that waits for all children, the status is gone. Nor can the end of
// the output: a process that the program leaves behind may hold it open. The shell sees the program's words as its
// parameters, so blanks and quotes in them mean nothing; it outlives a SIGTERM to tell the program's end. Descriptor 4 ends
// with this process, whatever ends it: then a second shell ends them all. (Where this process forks, the child closes its
// copy.)
constexpr const char* nurse = R"({ read -r x <&4; kill -KILL -$$; } 1>&- 2>&- 3>&- &
trap : TERM; "$@" 3>&- 4<&-; s=$?; kill $!; echo $s >&3)";
constexpr int status_descriptor = 3, alive_descriptor = 4;

constexpr std::size_t most_output = 1 << 20;
constexpr std::chrono::seconds to_clean_up{1};  // between SIGTERM, at which compilers remove their files, and SIGKILL

/// The ends of all pipes, which a forked child closes: else what is to be seen where one closes would not be, while it
/// lives. More of them than stand here are not found.
struct open_ends {
    std::mutex lock;
    int of[256] = {};  // a descriptor and one; 0: free
    void replace(int from, int to) noexcept {
        if (int* const place = std::find(of, std::end(of), from); place != std::end(of)) *place = to;
    }
};
constinit open_ends all_ends;

class pipe_end {
public:
    pipe_end() = default;
    pipe_end(const pipe_end&) = delete;
    pipe_end& operator=(const pipe_end&) = delete;
    ~pipe_end() { close(); }
    void close() noexcept {
        if (!fd_) return;
        const std::lock_guard guard(all_ends.lock);
        all_ends.replace(fd_.get() + 1, 0);
        fd_.close();
    }
    int get() const noexcept { return fd_.get(); }

private:
    friend struct pipe_ends;
    void take(int fd) noexcept {
        fd_ = descriptor(fd);
        if (fd_) all_ends.replace(0, fd + 1);
    }
    descriptor fd_;
};

struct pipe_ends {
    pipe_end read, write;
    /// Both ends above the descriptors that the child gives a meaning. False with errno set.
    bool open() noexcept {
        const std::lock_guard guard(all_ends.lock);
        int low[2];
        if (::pipe2(low, O_CLOEXEC) != 0) return false;
        const descriptor low_read(low[0]), low_write(low[1]);
        read.take(::fcntl(low[0], F_DUPFD_CLOEXEC, alive_descriptor + 1));
        write.take(::fcntl(low[1], F_DUPFD_CLOEXEC, alive_descriptor + 1));
        return read.get() >= 0 && write.get() >= 0;
    }
};

/// What the child does with its descriptors before it is the shell; failure() is the errno of what could not be noted.
class spawn_actions {
public:
    spawn_actions(int said, int ended, int alive) noexcept : failure_(::posix_spawn_file_actions_init(&list_)) {
        if (failure_ != 0) return;
        failure_ = ::posix_spawn_file_actions_addopen(&list_, 0, "/dev/null", O_RDONLY, 0);
        const std::pair<int, int> moves[] = {{said, 1}, {said, 2}, {ended, status_descriptor}, {alive, alive_descriptor}};
        for (const auto& [from, to] : moves)
            if (failure_ == 0) failure_ = ::posix_spawn_file_actions_adddup2(&list_, from, to);
    }
    spawn_actions(const spawn_actions&) = delete;
    spawn_actions& operator=(const spawn_actions&) = delete;
    ~spawn_actions() { ::posix_spawn_file_actions_destroy(&list_); }
    int failure() const noexcept { return failure_; }
    const posix_spawn_file_actions_t* get() const noexcept { return &list_; }

private:
    posix_spawn_file_actions_t list_{};
    int failure_;
};

/// In a process group of its own, so that all of it can be ended. An errno, or 0.
int spawn(const std::vector<std::string>& arguments, int said, int ended, int alive, pid_t& child) {
    std::vector<char*> argv;
    argv.reserve(arguments.size() + 5);
    for (const char* word : {"sh", "-c", nurse, "sh"}) argv.push_back(const_cast<char*>(word));
    for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);

    const spawn_actions actions(said, ended, alive);
    if (actions.failure() != 0) return actions.failure();
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    sigset_t signals;
    ::sigemptyset(&signals);
    ::posix_spawnattr_setsigmask(&attributes, &signals);
    for (const int s : {SIGCHLD, SIGPIPE, SIGTERM}) ::sigaddset(&signals, s);  // ignored here, they would be ignored there
    ::posix_spawnattr_setsigdefault(&attributes, &signals);
    const int failure = ::posix_spawn(&child, "/bin/sh", actions.get(), &attributes, argv.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    return failure;
}

/// A child that is not left behind, whatever is thrown while it runs.
class child_process {
public:
    explicit child_process(pid_t child) noexcept : child_(child) {}
    child_process(const child_process&) = delete;
    child_process& operator=(const child_process&) = delete;
    ~child_process() {
        if (child_ == 0) return;
        end(SIGKILL);
        wait();
    }
    void end(int signal) const noexcept { ::kill(-child_, signal); }
    void wait() noexcept {
        while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {  // nothing is left of it, or somebody else waited
        }
        child_ = 0;
    }

private:
    pid_t child_;
};

class listener {
public:
    /// @param stop  a descriptor that can be read once the program is to be ended; -1: none
    listener(int said, int ended, int stop) : watched_{{said, POLLIN, 0}, {ended, POLLIN, 0}, {stop, POLLIN, 0}} {}

    /// Reads until the end is told (true), or the time is over.
    bool listen(clock::time_point until) {
        while (!is_over_) {
            const int ready = ::poll(watched_, 3, milliseconds_to(until));
            if (ready < 0 && errno == EINTR) continue;
            if (ready <= 0) return false;
            if (std::exchange(watched_[2].revents, 0) != 0) {
                watched_[2].fd = -1;  // poll passes it over
                return false;
            }
            if (watched_[0].revents != 0 && !take(watched_[0].fd, output)) watched_[0].fd = -1;
            if (watched_[1].revents != 0) is_over_ = !take(watched_[1].fd, status_) || status_.ends_with('\n');
        }
        return true;
    }

    /// What was said before the end and not read yet: no more than a pipe holds, whoever goes on writing.
    void read_rest() {
        for (std::size_t got = 0; got<most_output&& ::poll(watched_, 1, 0)> 0;) {
            const std::size_t step = take(watched_[0].fd, output);
            if (step == 0) return;
            got += step;
        }
    }

    int status() const { return status_.ends_with('\n') ? std::atoi(status_.c_str()) : -1; }

    std::string output;

private:
    static int milliseconds_to(clock::time_point until) {
        if (until == clock::time_point::max()) return -1;
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - clock::now()).count();
        return static_cast<int>(std::clamp<std::int64_t>(left, 0, INT_MAX));
    }

    /// How many bytes were read; 0: there will be no more.
    static std::size_t take(int from, std::string& to) {
        char chunk[4096];
        ssize_t n;
        while ((n = ::read(from, chunk, sizeof chunk)) < 0 && errno == EINTR) {
        }
        if (n <= 0) return 0;
        const auto bytes = static_cast<std::size_t>(n);
        to.append(chunk, std::min(bytes, most_output - to.size()));
        return bytes;
    }

    pollfd watched_[3];
    bool is_over_ = false;
    std::string status_;
};

/// Tells the threads that run in the background of this process, not of the one that it was forked from.
struct stop_signal {
    pipe_ends ends;
    pid_t owner = 0;
};
stop_signal& the_stop_signal() noexcept {
    alignas(stop_signal) static std::byte room[sizeof(stop_signal)];  // never destroyed: it is for the end of the process
    static auto* const s = new (room) stop_signal;
    return *s;
}
thread_local int stop_of_thread = -1;

}  // namespace

void run_in_background() noexcept {
    stop_signal& s = the_stop_signal();
    if (s.owner != ::getpid() && !s.ends.open()) return;  // without: its time will be over
    s.owner = ::getpid();
    stop_of_thread = s.ends.read.get();
}

void end_background_programs() noexcept {
    stop_signal& s = the_stop_signal();
    if (s.owner == ::getpid()) s.ends.write.close();
}

void lock_pipes_for_fork() {
    the_stop_signal();
    all_ends.lock.lock();
}

void unlock_pipes_after_fork(bool child) noexcept {
    if (child) {
        for (int& end : all_ends.of)
            if (end != 0) ::close(std::exchange(end, 0) - 1);
        new (&the_stop_signal()) stop_signal;  // what it had is closed
    }
    all_ends.lock.unlock();
}

process_result run_process(const std::vector<std::string>& arguments, std::chrono::seconds limit) {
    process_result result;
    if (privileged()) {
        result.output = "a process with more rights than its user (set-user-id) starts no programs";
        return result;
    }
    pipe_ends said, ended, alive;
    pid_t child = 0;
    if (!said.open() || !ended.open() || !alive.open()) {
        result.output = std::string("pipe: ") + std::strerror(errno);
        return result;
    }
    if (const int failure = spawn(arguments, said.write.get(), ended.write.get(), alive.read.get(), child)) {
        if (failure == ENOMEM) throw std::bad_alloc();
        result.output = std::string("/bin/sh: ") + std::strerror(failure);
        return result;
    }
    child_process running(child);
    said.write.close();
    ended.write.close();
    alive.read.close();

    listener program(said.read.get(), ended.read.get(), stop_of_thread);
    result.timed_out = !program.listen(limit.count() > 0 ? clock::now() + limit : clock::time_point::max());
    if (result.timed_out) {
        running.end(SIGTERM);
        program.listen(clock::now() + to_clean_up);
        running.end(SIGKILL);
    }
    program.read_rest();
    running.wait();
    result.status = result.timed_out ? 128 + SIGKILL : program.status();
    result.output = std::move(program.output);
    if (result.timed_out) result.output += "no end within " + std::to_string(limit.count()) + " s: killed\n";
    return result;
}

std::string command_line(const std::vector<std::string>& arguments) {
    std::string line;
    for (const std::string& a : arguments) line += (line.empty() ? "" : " ") + a;
    return line;
}

}  // namespace frit::v0::detail
