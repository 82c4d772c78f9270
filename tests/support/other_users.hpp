// What another user of the machine does, or has done to him: a child process with his rights. Only root can make one.
#pragma once

#include <grp.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <exception>
#include <string>

namespace frit_test {

inline constexpr uid_t victim = 54321, attacker = 54322;

inline bool can_be_others() { return ::geteuid() == 0 && ::getuid() == 0; }

/// What `work` returns (text) in a child with the rights of `user`; in it umask is 022.
template <class F>
std::string as_user(uid_t user, F work) {
    int ends[2];
    if (::pipe(ends) != 0) return "no pipe";
    const pid_t child = ::fork();
    if (child == 0) {
        std::string said = "cannot become another user";
        if (::setgroups(0, nullptr) == 0 && ::setresgid(user, user, user) == 0 && ::setresuid(user, user, user) == 0) {
            ::umask(022);
            try {
                said = work();
            } catch (const std::exception& e) {
                said = std::string("threw ") + e.what();
            }
        }
        const ssize_t written = ::write(ends[1], said.data(), said.size());
        ::_exit(written == static_cast<ssize_t>(said.size()) ? 0 : 1);
    }
    ::close(ends[1]);
    std::string said;
    char chunk[4096];
    for (ssize_t n; (n = ::read(ends[0], chunk, sizeof chunk)) > 0;) said.append(chunk, static_cast<std::size_t>(n));
    ::close(ends[0]);
    int status = -1;
    if (child < 0 || ::waitpid(child, &status, 0) != child || status != 0) said += " (the child failed)";
    return said;
}

}  // namespace frit_test
