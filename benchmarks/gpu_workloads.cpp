// The claim: on a GPU every one of these formulas runs at the speed of the memory, at least 0.97 of what the device copies,
// and is right. Prints JSON lines (`label` "frit"), so that other programs' lines can stand beside them, and a table.
//
// Method: inputs are fresh random numbers, in as many sets as it takes to exceed the L2 cache several times; calls rotate
// among them. A batch is k calls, recorded and evaluated one by one, between two synchronize(), with k such that it lasts
// about 25 ms; ms is the median over batches of elapsed / k, by the host's clock. The first result and the last one of the
// timed calls are checked against double precision: every element of a reduction, a sample of 65,536 and both ends
// otherwise.
//
// usage: gpu_workloads [--tiny] [--only NAME] [--json FILE]         --tiny: small, for trying it out, also on the CPU
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <stdexcept>

#include "copy_bandwidth.hpp"
#include "gpu_cases.hpp"

namespace {

using clock_type = std::chrono::steady_clock;
double milliseconds_since(clock_type::time_point start) {
    return std::chrono::duration<double, std::milli>(clock_type::now() - start).count();
}

constexpr double tolerance = 2e-5;  // relative, in the 2-norm of the checked elements

struct input_set {
    std::vector<std::uint64_t> seeds;
    arrays values;
};

input_set make_set(const workload& w, std::mt19937_64& random) {
    input_set set;
    for (const column& c : w.inputs) {
        set.seeds.push_back(random());
        set.values.push_back(frit::from_host(make_column(c, set.seeds.back(), w.n)));
    }
    return set;
}

std::vector<double> expected_at(const workload& w, const input_set& set, std::size_t i) {
    std::vector<double> in;
    for (std::size_t c = 0; c < w.inputs.size(); ++c)
        in.push_back(static_cast<double>(element(w.inputs[c], set.seeds[c], i)));
    return w.expected(in.data());
}

double expected_sum(const workload& w, const input_set& set) {
    std::mutex lock;
    double total = 0;
    in_parallel(w.n, [&](std::size_t begin, std::size_t end) {
        double part = 0;
        for (std::size_t i = begin; i < end; ++i) part += expected_at(w, set, i)[0];
        const std::lock_guard guard(lock);
        total += part;
    });
    return total;
}

/// The relative error of the outputs; infinity where an element is not finite.
double error_of(const workload& w, const input_set& set, const arrays& outputs, std::mt19937_64& random) {
    if (w.reduces) {
        const double expected = expected_sum(w, set);
        const double error = std::abs(static_cast<double>(outputs[0].item()) - expected) / std::abs(expected);
        return std::isfinite(error) ? error : INFINITY;
    }
    std::vector<std::size_t> sample;
    for (std::size_t i = 0; i < 1000; ++i) sample.insert(sample.end(), {i, w.n - 1 - i});
    for (int i = 0; i < 65536; ++i) sample.push_back(random() % w.n);
    double worst = 0;
    for (std::size_t o = 0; o < w.outputs; ++o) {
        const std::vector<float> got = outputs[o].to_vector();
        if (got.size() != w.n || !std::all_of(got.begin(), got.end(), [](float v) { return std::isfinite(v); }))
            return INFINITY;
        double difference = 0, norm = 0;
        for (const std::size_t i : sample) {
            const double expected = expected_at(w, set, i)[o];
            difference += std::pow(static_cast<double>(got[i]) - expected, 2);
            norm += expected * expected;
        }
        worst = std::max(worst, std::sqrt(difference / norm));
    }
    return worst;
}

struct timing {
    double median = 0, low = 0, high = 0;
    int k = 0, batches = 0;
};

/// Times calls that rotate among the sets; `last` and `last_set` are the result of the last one.
timing measure(const workload& w, const std::vector<input_set>& sets, arrays& last, std::size_t& last_set) {
    std::size_t next = 0;
    const auto batch = [&](int calls) {
        const auto start = clock_type::now();
        for (int i = 0; i < calls; ++i) {
            last_set = next;
            last = w.run(sets[next].values);
            next = next + 1 < sets.size() ? next + 1 : 0;
        }
        frit::synchronize();
        return milliseconds_since(start) / calls;
    };
    batch(static_cast<int>(sets.size()) + 2);  // warm: every set once
    int calls = 1;
    double one = batch(calls);
    while (one * calls < 4 && calls < 256) one = batch(calls *= 4);
    timing t;
    t.k = static_cast<int>(std::clamp(std::round(25.0 / one), 1.0, 4000.0));
    t.batches = static_cast<int>(std::clamp(600.0 / (t.k * one), 3.0, 9.0));
    std::vector<double> results;
    for (int i = 0; i < t.batches; ++i) results.push_back(batch(t.k));
    std::sort(results.begin(), results.end());
    t.median = results[results.size() / 2];
    t.low = results.front();
    t.high = results.back();
    return t;
}

struct outcome {
    std::string name;
    double milliseconds = 0, fraction = 0, error = 0;
    bool right = false;
};

outcome run(const workload& w, const std::optional<copy_bandwidth>& copy, std::FILE* json) {
    std::mt19937_64 random(std::random_device{}());
    const double input_bytes = 4.0 * static_cast<double>(w.n * w.inputs.size());
    const auto count = static_cast<std::size_t>(std::clamp(std::ceil(256e6 / input_bytes), 2.0, 40.0));
    std::vector<input_set> sets;
    for (std::size_t i = 0; i < count; ++i) sets.push_back(make_set(w, random));
    frit::synchronize();

    const auto start = clock_type::now();
    arrays result = w.run(sets[0].values);
    frit::synchronize();
    const double first = milliseconds_since(start);
    double error = error_of(w, sets[0], result, random);

    std::size_t last_set = 0;
    const timing t = measure(w, sets, result, last_set);
    error = std::max(error, error_of(w, sets[last_set], result, random));

    outcome o{w.name, t.median, 0, error, error <= tolerance};
    const double gbps = w.bytes() / t.median * 1e-6;
    std::fprintf(
        json,
        "{\"t\":\"result\",\"workload\":\"%s\",\"label\":\"frit\",\"peer\":\"frit\",\"bytes\":%.0f,\"nsets\":%zu,"
        "\"first_ms\":%.3f,\"err\":%.3g,\"status\":\"%s\",\"ms\":%.6f,\"ms_min\":%.6f,\"ms_max\":%.6f,\"ms_wall\":%.6f,"
        "\"clock\":\"wall\",\"k\":%d,\"nb\":%d,\"gbps\":%.1f",
        w.name.c_str(), w.bytes(), count, first, std::isfinite(error) ? error : 1e30, o.right ? "ok" : "wrong", t.median,
        t.low, t.high, t.median, t.k, t.batches, gbps);
    if (copy) {
        o.fraction = gbps / copy->gbps;
        std::fprintf(json, ",\"frac\":%.4f", o.fraction);
    }
    std::fprintf(json, "}\n");
    std::fflush(json);
    return o;
}

int benchmark(bool tiny, const std::string& only, std::FILE* json) {
    std::optional<copy_bandwidth> copy;
    if (frit::default_device() != frit::device::cpu()) {
        copy = measure_copy_bandwidth();
        std::fprintf(json, "{\"t\":\"copy\",\"gbps\":%.1f,\"device\":\"%s\"}\n", copy->gbps, copy->device.c_str());
    } else if (!tiny) {
        throw std::runtime_error("no GPU: the full sizes are for one (--tiny tries the program out on the CPU)");
    }
    std::vector<outcome> outcomes;
    for (const workload& w : make_workloads(tiny))
        if (only.empty() || only == w.name) outcomes.push_back(run(w, copy, json));
    if (outcomes.empty()) throw std::runtime_error("no such workload: " + only);

    if (copy) std::printf("\n%s, device-to-device copy %.0f GB/s (read + written)\n", copy->device.c_str(), copy->gbps);
    std::printf("%-18s %10s %14s %10s\n", "workload", "ms", "of the copy", "error");
    bool right = true;
    for (const outcome& o : outcomes) {
        char fraction[16] = "-";
        if (copy) std::snprintf(fraction, sizeof fraction, "%.3f", o.fraction);
        std::printf("%-18s %10.4f %14s %10.2g%s\n", o.name.c_str(), o.milliseconds, fraction, o.error,
                    o.right ? "" : "  WRONG");
        right = right && o.right;
    }
    return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        bool tiny = false;
        std::string only;
        std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(nullptr, &std::fclose);
        for (int i = 1; i < argc; ++i) {
            if (std::strcmp(argv[i], "--tiny") == 0) {
                tiny = true;
            } else if (std::strcmp(argv[i], "--only") == 0 && i + 1 < argc) {
                only = argv[++i];
            } else if (std::strcmp(argv[i], "--json") == 0 && i + 1 < argc) {
                file.reset(std::fopen(argv[++i], "w"));
                if (!file) throw std::runtime_error(std::string("cannot write ") + argv[i]);
            } else {
                throw std::runtime_error("usage: gpu_workloads [--tiny] [--only NAME] [--json FILE]");
            }
        }
        return benchmark(tiny, only, file ? file.get() : stdout);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "gpu_workloads: %s\n", e.what());
        return 1;
    }
}
