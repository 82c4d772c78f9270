// A peer of a CPU benchmark in a process of its own, so that engines with process-wide settings (FRIT_CPU_ENGINE, thread
// counts) and languages can be timed in turns. It answers one line for each line it is sent:
//   prepare WORKLOAD f32|f64 N  ->  the mean of the result        time CALLS  ->  seconds that so many calls took
//   processor CALLS             ->  seconds of processor time, of all threads, that they took
//   count COUNTER               ->  that counter's value so far, where the peer has counters
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cpu_workloads.hpp"

class worker {
public:
    /// Starts `command` with the settings ("NAME=value") added to its environment.
    worker(std::string name, const std::vector<std::string>& command, const std::vector<std::string>& settings);
    ~worker();
    worker(const worker&) = delete;
    worker& operator=(const worker&) = delete;

    const std::string& name() const { return name_; }
    double prepare(const std::string& workload, const std::string& element, std::size_t n);
    double time(long calls);            ///< seconds
    double processor_time(long calls);  ///< what others run on a shared machine does not count
    double count(const std::string& counter);

private:
    double ask(const std::string& line);
    std::string name_;
    int process_ = 0;
    std::FILE *to_ = nullptr, *from_ = nullptr;
};

/// What a worker computed and how long a call took it, the median.
struct measured {
    double mean = 0, seconds = 0;
};

double median(std::vector<double> v);

/// Element j of a sequence that every language makes alike, in [low, high): low + (high - low) * frac(j * step). Not in the
/// header: compiled once, without contraction, whatever a peer's flags are.
double sequence_element(std::size_t j, double low, double high, double step);

/// What peers are compared by: the mean of the squares, each weighted by where it stands.
template <class Values>
double checksum(const Values& values) {
    double sum = 0;
    for (std::size_t j = 0; j < values.size(); ++j) {
        const double t = static_cast<double>(j) * 0.3027756377319946, v = static_cast<double>(values[j]);
        sum += v * v * (0.5 + t - std::floor(t));
    }
    return sum / static_cast<double>(values.size());
}

/// What ratios of many rows come to.
class bar {
public:
    /// @param mean of the geometric mean, 0: none; @param most of the worst row
    bar(std::string name, double mean, double most) : name_(std::move(name)), mean_(mean), most_(most) {}
    void add(double ratio, const std::string& row);
    void print() const;

private:
    std::string name_, where_;
    double mean_, most_, logarithms_ = 0, worst_ = 0;
    int rows_ = 0;
};

using worker_list = std::vector<std::unique_ptr<worker>>;

/// What the command line of a comparison asks for.
struct comparison_settings {
    std::string only;                         ///< --only WORKLOAD
    bool engines = false;                     ///< --engines: columns for either CPU engine too
    int rounds = 9;                           ///< --quick: 3
    std::string python = "/usr/bin/python3";  ///< --python PATH
};
/// @throws std::runtime_error that says how `program` is used
comparison_settings read_settings(int argc, char** argv, const char* program);

/// frit on one thread of the CPU, and behind it, where asked for, with one engine alone: this program, as a worker.
void add_frit(worker_list&, const comparison_settings&);

/// @throws std::runtime_error where a worker's result differs from the first one's
void check_agreement(const std::string& workload, const worker_list&, const std::vector<measured>&);

/// Prepares a workload in all workers, then times them in turns, batch by batch: at least 3 rounds, and no new one after
/// `limit_seconds`.
std::vector<measured> measure_in_turns(const worker_list& workers, const std::string& workload, const std::string& element,
                                       std::size_t n, int rounds, double (worker::*clock)(long) = &worker::time,
                                       double limit_seconds = 10);

/// The other side, for peers in C++: answers until its input ends.
int serve(const std::function<job(const std::string& workload, const std::string& element, std::size_t n)>& make);
