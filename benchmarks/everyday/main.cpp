// The claim: programs that people write run as they stand, with nothing set: where statements compute 10,000 elements and
// more, faster than NumPy; where they compute fewer, within twice NumPy's time and 0.5 us a statement; and less evaluation
// is never slower than more (5 %). Every peer, and every way to evaluate, is a process of its own, three where ways are
// compared (where memory lies makes more than 5 % between two processes); they are timed in turns by the clock, batch by
// batch, in one run, and medians are compared. Kernels and bytes are frit's counters over one more call. NumPy and the loops
// have one thread, frit what it takes, unless --threads says so.
//
// usage: everyday [--only PROGRAM] [--engines] [--threads N] [--full] [--quick]
//        --engines: columns for either CPU engine; --full: the sizes of programs that take seconds; --quick: 3 rounds, not 9
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>

#include "everyday.hpp"

namespace {

using everyday::program;

struct settings {
    std::string only, threads;
    bool engines = false, full = false;
    int rounds = 9;
};

/// One line of the table: the time of a step, microseconds.
struct line {
    std::size_t variant = 0;
    std::vector<double> us;  ///< by engine, the default first
    double kernels = 0, read = 0, written = 0;
};

/// The workers of one program, and what they measured.
class comparison {
public:
    comparison(const program& p, const settings& s) : program_(p), size_(s.full ? p.full : p.size) {
        std::vector<std::string> engines{""};
        if (s.engines) engines = {"", "interpreter", "cxx"};
        if (std::count(p.variants.begin(), p.variants.end(), true) > 1) copies_ = 3;
        for (std::size_t v = 0; v < p.variants.size(); ++v) {
            if (!p.variants[v]) continue;
            lines_.push_back({v, {}});
            for (std::size_t n = 0; n < copies_ * engines.size(); ++n) {
                const std::string& engine = engines[n / copies_];
                std::vector<std::string> environment;
                if (!engine.empty()) environment.push_back("FRIT_CPU_ENGINE=" + engine);
                if (!s.threads.empty()) environment.push_back("FRIT_NUM_THREADS=" + s.threads);
                add("frit", {self, "--worker", "frit", std::to_string(v)}, environment);
            }
        }
        per_line_ = copies_ * engines.size();
        if (p.by_hand) add("loop", {self, "--worker", "loop"}, {});
        // Its temporaries would fill the memory at the full size.
        if (size_ < 100'000'000) add("numpy", {"/usr/bin/python3", FRIT_BENCHMARK_SOURCE "/everyday/everyday.py"}, {});
    }

    void run(const settings& s) {
        const std::vector<measured> results =
            measure_in_turns(workers_, program_.name, "f64", size_, s.rounds,
                             s.threads == "1" ? &worker::processor_time : &worker::time, 1.0);
        for (std::size_t i = 0; i < workers_.size(); ++i) {
            if (std::abs(results[i].mean - results[0].mean) > 1e-4 * std::abs(results[0].mean))
                throw std::runtime_error(std::string(program_.name) + ": a " + workers_[i]->name() + " computes " +
                                         std::to_string(results[i].mean) + ", the first " + std::to_string(results[0].mean));
        }
        const auto us = [&](std::size_t first, std::size_t copies) {
            std::vector<double> all;
            for (std::size_t i = first; i < first + copies; ++i) all.push_back(results[i].seconds * 1e6 / steps());
            return median(all);
        };
        const std::size_t peers = lines_.size() * per_line_;
        for (std::size_t i = 0; i < peers; i += copies_) lines_[i / per_line_].us.push_back(us(i, copies_));
        for (std::size_t i = peers; i < workers_.size(); ++i) (workers_[i]->name() == "loop" ? loop_ : numpy_) = us(i, 1);
        for (std::size_t k = 0; k < lines_.size(); ++k) count(lines_[k], *workers_[k * per_line_]);
    }

    /// Prints the lines. @returns how many of them lose
    int print() const {
        int losses = 0;
        for (const line& l : lines_) {
            const std::string verdict = judge(l);
            losses += verdict == "ok" ? 0 : 1;
            std::printf("%-20s %8zu %-9s", program_.name, size_, everyday::evals_names[l.variant]);
            for (const double us : l.us) std::printf(" %11.2f", us);
            print_peer(numpy_, 11), print_peer(loop_, 11);
            print_peer(numpy_ > 0 ? l.us[0] / numpy_ : 0, 8), print_peer(loop_ > 0 ? l.us[0] / loop_ : 0, 8);
            std::printf(" %8.2f %11.0f %11.0f  %s\n", l.kernels, l.read, l.written, verdict.c_str());
        }
        std::fflush(stdout);
        return losses;
    }

private:
    static constexpr const char* self = "/proc/self/exe";

    void add(const std::string& name, const std::vector<std::string>& command, const std::vector<std::string>& environment) {
        workers_.push_back(std::make_unique<worker>(name, command, environment));
    }
    double steps() const { return program_.loop ? static_cast<double>(size_) : 1; }

    void count(line& l, worker& w) const {
        const double kernels = w.count("kernels"), read = w.count("read"), written = w.count("written");
        w.time(1);
        l.kernels = (w.count("kernels") - kernels) / steps();
        l.read = (w.count("read") - read) / steps();
        l.written = (w.count("written") - written) / steps();
    }

    static void print_peer(double value, int width) {
        if (value > 0)
            std::printf(" %*.2f", width, value);
        else
            std::printf(" %*s", width, "-");
    }

    /// The rules, for the default engine.
    std::string judge(const line& l) const {
        const std::size_t elements = program_.elements != 0 ? program_.elements : size_;
        const double bar = elements >= 10'000 ? numpy_ : 2 * numpy_ + 0.5 * program_.statements;
        std::string verdict;
        if (numpy_ > 0 && l.us[0] > bar) verdict += " to NumPy";
        if (l.us[0] > 1.05 * lines_.back().us[0]) verdict += " to more evals";
        return verdict.empty() ? "ok" : "LOSES" + verdict;
    }

    const program& program_;
    std::size_t size_, per_line_ = 1, copies_ = 1;  // workers of a line; of each of its engines
    std::vector<std::unique_ptr<worker>> workers_;
    std::vector<line> lines_;
    double loop_ = 0, numpy_ = 0;  // microseconds of a step; 0: not there
};

settings read(int argc, char** argv) {
    settings s;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--engines") == 0)
            s.engines = true;
        else if (std::strcmp(argv[i], "--full") == 0)
            s.full = true;
        else if (std::strcmp(argv[i], "--quick") == 0)
            s.rounds = 3;
        else if (std::strcmp(argv[i], "--threads") == 0 && i + 1 < argc)
            s.threads = argv[++i];
        else if (std::strcmp(argv[i], "--only") == 0 && i + 1 < argc)
            s.only = argv[++i];
        else
            throw std::runtime_error("usage: everyday [--only PROGRAM] [--engines] [--threads N] [--full] [--quick]");
    }
    return s;
}

int serve_as(const std::string& peer, int variant) {
    return serve([&](const std::string& name, const std::string&, std::size_t size) {
        return peer == "loop" ? everyday::loop_job(name, size)
                              : everyday::frit_job(name, size, static_cast<everyday::evals>(variant));
    });
}

}  // namespace

int main(int argc, char** argv) {
    try {
        if (argc >= 3 && std::strcmp(argv[1], "--worker") == 0) return serve_as(argv[2], argc > 3 ? std::atoi(argv[3]) : 0);
        const settings s = read(argc, argv);
        if (std::system("/usr/bin/python3 -c 'import numpy' 2>/dev/null") != 0)
            throw std::runtime_error("/usr/bin/python3 does not have NumPy");
        std::printf(
            "us of a step (of a call, where it is no loop), medians; kernels and bytes of a step\n%-20s %8s %-9s %11s",
            "program", "size", "evaluates", "frit");
        if (s.engines) std::printf(" %11s %11s", "interpreter", "cxx");
        std::printf(" %11s %11s %8s %8s %8s %11s %11s\n", "NumPy", "loop", "/ NumPy", "/ loop", "kernels", "read",
                    "written");
        int losses = 0;
        for (const program& p : everyday::programs) {
            if (!s.only.empty() && s.only != p.name) continue;
            comparison c(p, s);
            c.run(s);
            losses += c.print();
        }
        std::printf("lines that lose: %d\n", losses);
        return 0;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "everyday: %s\n", e.what());
        return 1;
    }
}
