// Starting a worker with two pipes, timing several in turns, and the loop of one that is written in C++.
#include "worker.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <ctime>
#include <iostream>
#include <sstream>
#include <stdexcept>

worker::worker(std::string name, const std::vector<std::string>& command, const std::vector<std::string>& settings)
    : name_(std::move(name)) {
    std::array<int, 2> in{}, out{};
    // Closed on exec: a worker must not hold the pipes of another one open.
    if (pipe2(in.data(), O_CLOEXEC) != 0 || pipe2(out.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe failed");
    std::vector<char*> argv, environment;
    for (const std::string& a : command) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    for (const std::string& s : settings) environment.push_back(const_cast<char*>(s.c_str()));
    for (char** e = environ; *e != nullptr; ++e) environment.push_back(*e);
    environment.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    const int error = posix_spawnp(&process_, argv[0], &actions, nullptr, argv.data(), environment.data());
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    to_ = fdopen(in[1], "w");
    from_ = fdopen(out[0], "r");
    if (error != 0) throw std::runtime_error("cannot start " + command[0]);
}

worker::~worker() {
    std::fclose(to_);  // the worker's input ends, and so does it
    std::fclose(from_);
    if (process_ > 0) waitpid(process_, nullptr, 0);
}

double worker::ask(const std::string& line) {
    std::fprintf(to_, "%s\n", line.c_str());
    std::fflush(to_);
    double answer = 0;
    if (std::fscanf(from_, "%lf", &answer) != 1) throw std::runtime_error(name_ + " did not answer: " + line);
    return answer;
}

double worker::prepare(const std::string& workload, const std::string& element, std::size_t n) {
    return ask("prepare " + workload + " " + element + " " + std::to_string(n));
}

double worker::time(long calls) { return ask("time " + std::to_string(calls)); }
double worker::processor_time(long calls) { return ask("processor " + std::to_string(calls)); }
double worker::count(const std::string& counter) { return ask("count " + counter); }

void bar::add(double ratio, const std::string& row) {
    logarithms_ += std::log(ratio);
    ++rows_;
    if (ratio > worst_) worst_ = ratio, where_ = row;
}

void bar::print() const {
    if (rows_ == 0) return;
    std::printf("%s: geometric mean %.2f", name_.c_str(), std::exp(logarithms_ / rows_));
    if (mean_ > 0) std::printf(" (bar %.2f)", mean_);
    std::printf(", worst %.2f (bar %.2f), %s\n", worst_, most_, where_.c_str());
}

double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}

double sequence_element(std::size_t j, double low, double high, double step) {
    const double t = static_cast<double>(j) * step;
    return low + (high - low) * (t - std::floor(t));
}

comparison_settings read_settings(int argc, char** argv, const char* program) {
    comparison_settings s;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--engines") == 0)
            s.engines = true;
        else if (std::strcmp(argv[i], "--quick") == 0)
            s.rounds = 3;
        else if (std::strcmp(argv[i], "--only") == 0 && i + 1 < argc)
            s.only = argv[++i];
        else if (std::strcmp(argv[i], "--python") == 0 && i + 1 < argc)
            s.python = argv[++i];
        else
            throw std::runtime_error(std::string("usage: ") + program +
                                     " [--only WORKLOAD] [--engines] [--quick] [--python PATH]");
    }
    return s;
}

void add_frit(worker_list& workers, const comparison_settings& s) {
    const std::vector<std::string> command{"/proc/self/exe", "--worker", "frit"},
        one{"FRIT_NUM_THREADS=1", "FRIT_DEVICE=cpu"};
    workers.push_back(std::make_unique<worker>("frit", command, one));
    if (!s.engines) return;
    for (const char* engine : {"interpreter", "jit", "cxx"}) {
        std::vector<std::string> settings = one;
        settings.push_back(std::string("FRIT_CPU_ENGINE=") + engine);
        workers.push_back(std::make_unique<worker>(engine, command, settings));
    }
}

void check_agreement(const std::string& workload, const worker_list& workers, const std::vector<measured>& results) {
    for (std::size_t k = 0; k < workers.size(); ++k)
        if (!(std::abs(results[k].mean - results[0].mean) <= 2e-3 * std::abs(results[0].mean)))
            throw std::runtime_error(workload + ": " + workers[k]->name() + " computes " + std::to_string(results[k].mean) +
                                     ", " + workers[0]->name() + " " + std::to_string(results[0].mean));
}

std::vector<measured> measure_in_turns(const worker_list& workers, const std::string& workload, const std::string& element,
                                       std::size_t n, int rounds, double (worker::*clock)(long), double limit_seconds) {
    constexpr double batch_seconds = 0.02;
    std::vector<measured> results(workers.size());
    std::vector<long> calls;
    for (std::size_t i = 0; i < workers.size(); ++i) {
        results[i].mean = workers[i]->prepare(workload, element, n);
        double one = workers[i]->time(1);
        if (one < batch_seconds) one = std::max(workers[i]->time(3) / 3, 1e-8);
        calls.push_back(std::max(1L, std::lround(batch_seconds / one)));
    }
    std::vector<std::vector<double>> seconds(workers.size());
    double spent = 0;
    for (int round = 0; round < rounds && (round < 3 || spent < limit_seconds); ++round)
        for (std::size_t i = 0; i < workers.size(); ++i) {
            const double t = (*workers[i].*clock)(calls[i]);
            spent += t;
            seconds[i].push_back(t / static_cast<double>(calls[i]));
        }
    for (std::size_t i = 0; i < workers.size(); ++i) results[i].seconds = median(seconds[i]);
    return results;
}

/// Seconds by the clock, or of this process's processor time.
static double now(bool processor) {
    timespec t{};
    clock_gettime(processor ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

int serve(const std::function<job(const std::string& workload, const std::string& element, std::size_t n)>& make) {
    job current;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string command, workload, element;
        words >> command;
        if (command == "prepare") {
            std::size_t n = 0;
            words >> workload >> element >> n;
            current = {};  // frees the memory of the one before
            current = make(workload, element, n);
            current.call();
            if (current.settle) {  // after a second of use, as in a program that goes on
                for (const double start = now(false); now(false) - start < 1;) current.call();
                current.settle();
            }
            std::printf("%.17g\n", current.mean());
        } else if (command == "count") {
            words >> workload;
            std::printf("%.17g\n", current.count(workload));
        } else {
            long calls = 0;
            words >> calls;
            const double start = now(command == "processor");
            for (long i = 0; i < calls; ++i) current.call();
            std::printf("%.17g\n", now(command == "processor") - start);
        }
        std::fflush(stdout);
    }
    return 0;
}
