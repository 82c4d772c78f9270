// The claim: on a GPU these formulas run at the speed of the memory, as fractions of what the device copies, or of its
// arithmetic, in operations a second, and are right. The bars are beside the results. Prints JSON lines (`label` "frit"), so
// that other programs' lines can stand beside them, and a table.
//
// Method: inputs are fresh random numbers, in as many sets as it takes to exceed the L2 cache several times; calls rotate
// among them. A batch is k calls, recorded and evaluated one by one, between two synchronize(), with k such that it lasts
// about 25 ms; ms is the median over batches of elapsed / k, by the host's clock. The first result and the last one of the
// timed calls are checked against double precision: all of a total, a sample of 65,536 and both ends of elements, whole rows
// of what is computed by rows. Bytes are the minimal traffic: each input read once, each output written once.
//
// usage: gpu_workloads [--tiny] [--only NAME] [--json FILE]         --tiny: small, for trying it out, also on the CPU
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
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

struct input_set {
    std::vector<std::uint64_t> seeds;
    arrays values;
};

frit::any_array make_input(const input& i, std::uint64_t seed) {
    const auto array = [&]<class T>(T) -> frit::any_array {
        const auto rows = static_cast<std::int64_t>(i.rows), columns = static_cast<std::int64_t>(i.columns);
        return frit::from_host(make_column<T>(i.elements, seed, i.size()).data(),
                               i.rows == 1 ? frit::shape{columns} : frit::shape{rows, columns});
    };
    switch (i.elements.type) {
        case frit::dtype::f32: return array(float{});
        case frit::dtype::f64: return array(double{});
        case frit::dtype::f16: return array(frit::half{});
        case frit::dtype::bf16: return array(frit::bfloat16{});
        default: return array(std::int32_t{});
    }
}

input_set make_set(const workload& w, std::mt19937_64& random) {
    input_set set;
    for (const input& i : w.inputs) {
        set.seeds.push_back(random());
        set.values.push_back(make_input(i, set.seeds.back()));
    }
    return set;
}

double error_of(const workload& w, const input_set& set, const arrays& outputs, std::mt19937_64& random) {
    checker check(w.inputs, set.seeds, outputs, random);
    w.check(check);
    return check.error();
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
    double milliseconds = 0, speed = 0, bar = 0, error = 0;
    std::uint64_t kernels = 0;  ///< of a call
    bool by_arithmetic = false, right = false;
};

outcome run(const workload& w, const std::optional<copy_bandwidth>& copy, std::FILE* json) {
    std::mt19937_64 random(std::random_device{}());
    double input_bytes = 0;
    for (const input& i : w.inputs) input_bytes += i.bytes();
    // Small operands are read over and over, from a cache at best: two sets are enough.
    const double count = w.operations > 0 ? 2 : std::clamp(std::ceil(256e6 / input_bytes), 2.0, 40.0);
    std::vector<input_set> sets;
    for (int i = 0; i < static_cast<int>(count); ++i) sets.push_back(make_set(w, random));
    frit::synchronize();

    const std::uint64_t launched = frit::stats().kernels_launched;
    const auto start = clock_type::now();
    arrays result = w.run(sets[0].values);
    frit::synchronize();
    const double first = milliseconds_since(start);
    const std::uint64_t kernels = frit::stats().kernels_launched - launched;
    double error = error_of(w, sets[0], result, random);

    std::size_t last_set = 0;
    const timing t = measure(w, sets, result, last_set);
    error = std::max(error, error_of(w, sets[last_set], result, random));

    outcome o{w.name, t.median, 0, w.bar, error, kernels, w.operations > 0, error <= w.tolerance};
    const double gbps = w.bytes() / t.median * 1e-6, tops = w.operations / t.median * 1e-9;
    std::fprintf(
        json,
        "{\"t\":\"result\",\"workload\":\"%s\",\"label\":\"frit\",\"peer\":\"frit\",\"bytes\":%.0f,\"flops\":%.0f,"
        "\"nsets\":%.0f,\"first_ms\":%.3f,\"err\":%.3g,\"status\":\"%s\",\"ms\":%.6f,\"ms_min\":%.6f,\"ms_max\":%.6f,"
        "\"ms_wall\":%.6f,\"clock\":\"wall\",\"k\":%d,\"nb\":%d,\"gbps\":%.1f",
        w.name.c_str(), w.bytes(), w.operations, count, first, error, o.right ? "ok" : "wrong", t.median, t.low, t.high,
        t.median, t.k, t.batches, gbps);
    if (copy) std::fprintf(json, ",\"frac\":%.4f", gbps / copy->gbps);
    std::fprintf(json, "}\n");
    std::fflush(json);
    o.speed = o.by_arithmetic ? tops : copy ? gbps / copy->gbps : 0;
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
    for (const auto& make : {make_elementwise, make_rows, make_products, make_small, make_dense})
        for (const workload& w : make(tiny))
            if (only.empty() || only == w.name) outcomes.push_back(run(w, copy, json));
    if (outcomes.empty()) throw std::runtime_error("no such workload: " + only);

    if (copy) std::printf("\n%s, device-to-device copy %.0f GB/s (read + written)\n", copy->device.c_str(), copy->gbps);
    std::printf("%-18s %10s %8s %16s %8s %10s\n", "workload", "ms", "kernels", "of the copy", "bar", "error");
    bool right = true;
    for (const outcome& o : outcomes) {
        char speed[24] = "-", bar[24] = "-";
        if (copy) {
            std::snprintf(speed, sizeof speed, o.by_arithmetic ? "%.1f T op/s" : "%.3f", o.speed);
            if (o.bar > 0) std::snprintf(bar, sizeof bar, "%.2f", o.bar);
        }
        std::printf("%-18s %10.4f %8llu %16s %8s %10.2g%s%s\n", o.name.c_str(), o.milliseconds,
                    static_cast<unsigned long long>(o.kernels), speed, bar, o.error,
                    copy && o.speed < o.bar ? "  missed" : "", o.right ? "" : "  WRONG");
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
