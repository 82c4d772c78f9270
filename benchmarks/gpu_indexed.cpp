// The claim: arrays of indices are read and written at the speed of the memory, and what is added up at one element is
// right, whatever the indices, with the same bits every time. Milliseconds of gathers and scatters on a GPU, and the
// fraction of what the device copies (`bytes`: each operand read once, each element that is reached read and written once, 4
// bytes each).
//
// Method: as gpu_workloads: a batch is k calls between two synchronize(), k such that it lasts about 25 ms; medians over
// batches by the host's clock. Checked against double precision; every result is computed twice, and its bits compared.
//
// usage: gpu_indexed [--tiny]        --tiny: small, for trying it out, also on the CPU
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <frit/frit.hpp>

#include "copy_bandwidth.hpp"

namespace {

using frit::array;
using clock_type = std::chrono::steady_clock;

double milliseconds(const std::function<array<float>()>& f) {
    const auto batch = [&](int calls) {
        const auto start = clock_type::now();
        for (int k = 0; k < calls; ++k) f().eval();
        frit::synchronize();
        return std::chrono::duration<double, std::milli>(clock_type::now() - start).count() / calls;
    };
    batch(3);
    const int calls = static_cast<int>(std::clamp(25.0 / std::max(batch(2), 1e-3), 1.0, 1000.0));
    std::vector<double> all;
    for (int k = 0; k < 5; ++k) all.push_back(batch(calls));
    std::sort(all.begin(), all.end());
    return all[2];
}

struct bench {
    std::optional<copy_bandwidth> copy;
    bool right = true;

    /// @param expected  in double
    void row(const std::string& name, double bytes, double bar, const std::function<array<float>()>& f,
             const std::vector<double>& expected) {
        const std::vector<float> once = f().to_vector(), twice = f().to_vector();
        double error = 0;
        for (std::size_t k = 0; k < expected.size(); ++k)
            error = std::max(error, std::abs(once[k] - expected[k]) / (1 + std::abs(expected[k])));
        const bool same = std::memcmp(once.data(), twice.data(), once.size() * sizeof(float)) == 0;
        right = right && same && error < 1e-5;
        const double ms = milliseconds(f);
        std::printf("%-24s %10.4f ms %8.3f of the copy  (bar %.2f ms)  error %.1e  %s\n", name.c_str(), ms,
                    copy ? bytes / ms * 1e-6 / copy->gbps : 0.0, bar, error, same ? "same bits" : "OTHER BITS");
    }
};

std::vector<std::int32_t> random_indices(std::int64_t n, std::int64_t below, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<std::int32_t> i(static_cast<std::size_t>(n));
    for (auto& x : i) x = static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(below));
    return i;
}

}  // namespace

int main(int argc, char** argv) try {
    const bool tiny = argc > 1 && std::strcmp(argv[1], "--tiny") == 0;
    const std::int64_t n = std::int64_t{1} << (tiny ? 14 : 26);
    bench b;
    if (frit::default_device() != frit::device::cpu()) {
        b.copy = measure_copy_bandwidth();
        std::printf("%s, copy %.0f GB/s\n", b.copy->device.c_str(), b.copy->gbps);
    }
    std::mt19937_64 random(7);
    std::vector<float> values(static_cast<std::size_t>(n));
    for (float& v : values) v = static_cast<float>(random() >> 40) * 0x1p-24F;
    const array<float> x = frit::from_host(values);
    const double size = static_cast<double>(n);
    for (const bool sorted : {false, true}) {
        std::vector<std::int32_t> at = random_indices(n, n, 3);
        if (sorted) std::sort(at.begin(), at.end());
        const array<std::int32_t> i = frit::from_host(at);
        std::vector<double> expected(at.size());
        for (std::size_t k = 0; k < at.size(); ++k) expected[k] = 2.5 * values[static_cast<std::size_t>(at[k])] + 1.25;
        b.row(
            sorted ? "gather_sorted" : "gather_random", 12 * size, sorted ? 0.2 : 1.72,
            [&] { return array<float>(2.5F * x(i) + 1.25F); }, expected);
    }
    const std::vector<std::int64_t> places = {1000, tiny ? 5000 : 100'000, n};
    const double bars[] = {1.3, 1.6, 2.7};
    for (std::size_t k = 0; k < places.size(); ++k)
        for (const bool equal : {false, true}) {
            const std::int64_t m = places[k];
            const std::vector<std::int32_t> at =
                equal ? std::vector<std::int32_t>(static_cast<std::size_t>(n), static_cast<std::int32_t>(m / 2))
                      : random_indices(n, m, 5);
            const array<std::int32_t> i = frit::from_host(at);
            std::vector<double> expected(static_cast<std::size_t>(m), 0);
            for (std::size_t j = 0; j < at.size(); ++j) expected[static_cast<std::size_t>(at[j])] += values[j];
            b.row(
                "scatter_add_" + std::to_string(m) + (equal ? "_equal" : "_uniform"),
                8 * size + 4.0 * static_cast<double>(m), equal ? 1.8 : bars[k],
                [&] { return array<float>(segment_sum(x, i, m)); }, expected);
        }
    return b.right ? 0 : 1;
} catch (const std::exception& e) {
    std::fprintf(stderr, "gpu_indexed: %s\n", e.what());
    return 1;
}
