// A peer of the CPU benchmark in a process of its own, so that engines with process-wide settings (FRIT_CPU_ENGINE, thread
// counts) and languages can be timed in turns. It answers one line for each line it is sent:
//   prepare WORKLOAD f32|f64 N  ->  the mean of the result        time CALLS  ->  seconds that so many calls took
#pragma once

#include <cstddef>
#include <cstdio>
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
    double time(long calls);  ///< seconds

private:
    double ask(const std::string& line);
    std::string name_;
    int process_ = 0;
    std::FILE *to_ = nullptr, *from_ = nullptr;
};

/// The other side, for peers in C++: answers until its input ends.
int serve(job (*make)(const std::string& workload, const std::string& element, std::size_t n));
