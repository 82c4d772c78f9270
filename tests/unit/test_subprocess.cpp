// Programs that frit runs: how they ended is known however this process treats its children, and none of them, nor what they
// leave behind, holds it up for ever.
#include "src/base/subprocess.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>

#include <frit/frit.hpp>

namespace {

using frit::detail::process_result;
using frit::detail::run_process;
using std::chrono::seconds;

process_result shell(const std::string& script, seconds limit = seconds(60)) {
    return run_process({"/bin/sh", "-c", script}, limit);
}

/// Whether a process whose parent is gone ends too; init may take a moment to bury it.
bool is_gone(const std::string& process) {
    const pid_t id = std::atoi(process.c_str());
    if (id <= 0) return false;
    for (int tries = 0; tries < 1000; ++tries) {
        if (::kill(id, 0) != 0 && errno == ESRCH) return true;
        // without an init that buries orphans, a zombie stays
        const std::string state = shell("sed 's/.*) //' /proc/" + process.substr(0, process.find('\n')) + "/stat").output;
        if (state.starts_with('Z')) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
}

TEST(Subprocess, TellsHowAProgramEndedAndWhatItSaid) {
    EXPECT_EQ(run_process({"true"}).status, 0);
    EXPECT_EQ(run_process({"false"}).status, 1);
    const process_result both = shell("echo out; echo err >&2; exit 42");
    EXPECT_EQ(both.status, 42);
    EXPECT_EQ(both.output, "out\nerr\n");
    EXPECT_FALSE(both.timed_out);
    EXPECT_EQ(shell("kill -KILL $$").status, 128 + SIGKILL);
    EXPECT_EQ(shell("kill -TERM $$").status, 128 + SIGTERM);
    const process_result absent = run_process({"/nowhere/program", "--version"});
    EXPECT_NE(absent.status, 0);
    EXPECT_NE(absent.output.find("/nowhere/program"), std::string::npos) << absent.output;
}

TEST(Subprocess, ArgumentsAreWords) {
    EXPECT_EQ(run_process({"/usr/bin/printf", "%s|", "a b", "$HOME `false`", "'\"", "-x", ""}).output,
              "a b|$HOME `false`|'\"|-x||");
}

TEST(Subprocess, WhereSigchldIsIgnored) {
    const auto before = std::signal(SIGCHLD, SIG_IGN);
    const process_result good = run_process({"true"}), bad = shell("exit 3");
    // The program itself sees SIGCHLD as usual: a compiler waits for its own children.
    const process_result its_own = shell("sh -c 'exit 5'; test $? = 5");
    std::signal(SIGCHLD, before);
    EXPECT_EQ(good.status, 0);
    EXPECT_EQ(bad.status, 3);
    EXPECT_EQ(its_own.status, 0);
}

void bury_all(int) {
    const int kept = errno;
    while (::waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    errno = kept;
}

TEST(Subprocess, WhereAHandlerWaitsForAllChildren) {
    const auto before = std::signal(SIGCHLD, bury_all);
    for (int k = 0; k < 20; ++k) {
        EXPECT_EQ(shell("exit 3").status, 3);
        EXPECT_EQ(run_process({"true"}).status, 0);
    }
    std::signal(SIGCHLD, before);
}

TEST(Subprocess, WithoutStandardStreams) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        for (int fd = 0; fd < 8; ++fd) ::close(fd);
        const process_result r = shell("echo out; exit 9");
        ::_exit(r.status == 9 && r.output == "out\n" ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

TEST(Subprocess, AProgramThatHangsIsEndedWithItsChildren) {
    for (const char* defence : {"", "trap '' TERM; "}) {
        const process_result r = shell(std::string(defence) + "sleep 1000 & echo $!; sleep 1000", seconds(1));
        EXPECT_TRUE(r.timed_out) << defence;
        EXPECT_NE(r.status, 0);
        EXPECT_NE(r.output.find("no end within 1 s"), std::string::npos) << r.output;
        EXPECT_TRUE(is_gone(r.output)) << r.output;
    }
}

/// The number of a program that a child runs, which is not impressed by signals. Where the child `forks`, it has meanwhile
/// made one of its own, `grandchild`, that lives on.
std::string runs_in_a_child(pid_t& child, bool forks, pid_t& grandchild) {
    int told[2];
    EXPECT_EQ(::pipe(told), 0);
    child = ::fork();
    EXPECT_GE(child, 0);
    const auto run = [] { shell("trap '' TERM INT; echo $$ >&9; sleep 1000; sleep 1000", seconds(0)); };
    if (child == 0) {
        ::dup2(told[1], 9);  // out of the way: run_process gives the first few a meaning
        if (!forks) run(), ::_exit(1);
        const frit::scoped_device on_cpu(frit::device::cpu());
        frit::arange<int>(3).eval();  // a process that uses frit
        std::thread runs(run);
        std::this_thread::sleep_for(seconds(1));
        const pid_t lives = ::fork();
        if (lives == 0) ::sleep(1000);
        ::dprintf(9, "%d\n", lives);
        runs.join();
        ::_exit(1);
    }
    ::close(told[1]);
    const auto line = [&told] {
        std::string text;
        for (char c = 0; ::read(told[0], &c, 1) == 1 && c != '\n';) text += c;
        return text;
    };
    const std::string program = line();
    if (forks) grandchild = std::atoi(line().c_str());
    ::close(told[0]);
    return program;
}

void expect_end_with_its_process(bool forks) {
    pid_t child = 0, grandchild = 0;
    const std::string program = runs_in_a_child(child, forks, grandchild);
    EXPECT_EQ(::kill(std::atoi(program.c_str()), 0), 0);
    EXPECT_EQ(::kill(child, SIGKILL), 0);
    EXPECT_EQ(::waitpid(child, nullptr, 0), child);
    EXPECT_TRUE(is_gone(program)) << program;
    if (!forks) return;
    ASSERT_GT(grandchild, 1);
    EXPECT_EQ(::kill(grandchild, SIGKILL), 0) << "it was to live longer";
}

TEST(Subprocess, AProgramEndsWithTheProcessThatStartedIt) { expect_end_with_its_process(false); }
// A forked child has copies of the pipes that tell.
TEST(Subprocess, AProgramEndsWithTheProcessThatStartedItThoughAChildOfThatLives) {
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "ThreadSanitizer lets no thread start in a forked child";
#endif
    expect_end_with_its_process(true);
}

TEST(Subprocess, InTheBackgroundProgramsAreEndedWhereTheProcessEnds) {
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "ThreadSanitizer lets no thread start in a forked child";
#endif
    const pid_t child = ::fork();  // what is ended for good is not this process's
    ASSERT_GE(child, 0);
    if (child == 0) {
        frit::detail::run_in_background();
        std::thread asks([] {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            frit::detail::end_background_programs();
        });
        const process_result first = shell("sleep 1000", seconds(0)), second = shell("sleep 1000", seconds(0));
        asks.join();
        bool here = false;
        std::thread([&here] { here = shell("exit 3").status == 3; }).join();  // a thread that is waited for
        ::_exit(first.timed_out && second.timed_out && here ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

TEST(Subprocess, AtTheEndOfItsTimeAProgramMayCleanUp) {
    const process_result r = shell("trap 'echo cleaned; exit 1' TERM; sleep 1000 & wait", seconds(1));
    EXPECT_TRUE(r.timed_out);
    EXPECT_TRUE(r.output.starts_with("cleaned\n")) << r.output;
}

TEST(Subprocess, WhatAProgramLeavesBehindIsNotWaitedFor) {
    const process_result r = shell("sleep 1000 & echo $!; exit 7");  // it holds the output open
    EXPECT_EQ(r.status, 7);
    EXPECT_FALSE(r.timed_out);
    const pid_t left = std::atoi(r.output.c_str());
    ASSERT_GT(left, 1);
    EXPECT_EQ(::kill(left, SIGKILL), 0) << "it is none of our business";
}

TEST(Subprocess, AFloodOfTextIsCut) {
    const process_result r = run_process({"/usr/bin/yes"}, seconds(1));
    EXPECT_TRUE(r.timed_out);
    EXPECT_LE(r.output.size(), std::size_t{1 << 20} + 100);
    const process_result ended = shell("yes | head -c 3000000; exit 4");
    EXPECT_EQ(ended.status, 4);
    EXPECT_LE(ended.output.size(), std::size_t{1 << 20});
}

}  // namespace
