// The claim: arrays of indices are read and written at the speed of the memory, and what is added up at one element is
// right, whatever the indices, with the same bits every time. Milliseconds of gathers, scatters, bins, parts side by side,
// windows, scans, masks and ranks on a GPU, and the fraction of what the device copies (`bytes`: each operand read once,
// each element that is reached read and written once, 4 bytes each).
//
// Method: as gpu_workloads: a batch is k calls between two synchronize(), k such that it lasts about 25 ms; medians over
// batches by the host's clock. Checked against double precision; every result is computed twice, and its bits compared.
//
// usage: gpu_indexed [--tiny] [NAME...]        --tiny: small, for trying it out, also on the CPU; NAME: groups of rows
// (gather, scatter, histogram, concatenate, convolution, running, compress, ranks, integers, large), else all
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <frit/frit.hpp>

#include "copy_bandwidth.hpp"

namespace {

using frit::array;
using clock_type = std::chrono::steady_clock;

/// @param f  computes its result
double milliseconds(const std::function<void()>& f) {
    const auto batch = [&](int calls) {
        const auto start = clock_type::now();
        for (int k = 0; k < calls; ++k) f();
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
    std::vector<std::string> groups;
    bool right = true;

    bool wants(const char* group) const {
        return groups.empty() || std::find(groups.begin(), groups.end(), group) != groups.end();
    }

    /// @param f         makes the result, an array
    /// @param expected  in double
    template <class F>
    void row(const std::string& name, double bytes, const char* bar, F f, const std::vector<double>& expected) {
        const auto once = f().to_vector(), twice = f().to_vector();
        double error = once.size() == expected.size() ? 0 : 1;
        for (std::size_t k = 0; k < std::min(once.size(), expected.size()); ++k)
            error = std::max(error, std::abs(static_cast<double>(once[k]) - expected[k]) / (1 + std::abs(expected[k])));
        const bool same = once == twice;
        right = right && same && error < 1e-5;
        const double ms = milliseconds([&] { f().eval(); });
        std::printf("%-24s %10.4f ms %8.3f of the copy  (bar %s)  error %.1e  %s\n", name.c_str(), ms,
                    copy ? bytes / ms * 1e-6 / copy->gbps : 0.0, bar, error, same ? "same bits" : "OTHER BITS");
    }
};

std::vector<std::int32_t> random_indices(std::int64_t n, std::int64_t below, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<std::int32_t> i(static_cast<std::size_t>(n));
    for (auto& x : i) x = static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(below));
    return i;
}

std::vector<double> doubles(const std::vector<float>& from) { return {from.begin(), from.end()}; }

/// What else indices, ranks and running sums do, on values in [0, 1).
void others(bench& b, std::int64_t n, const std::vector<float>& values) {
    const array<float> x = frit::from_host(values);
    const double size = static_cast<double>(n);
    const std::vector<double> xs = doubles(values);
    if (b.wants("histogram")) {
        std::vector<double> bins(256);
        for (const double v : xs) ++bins[static_cast<std::size_t>(v * 256)];
        b.row(
            "histogram_256", 4 * size, "0.75 of the copy",
            [&] { return array<std::int64_t>(std::get<0>(frit::histogram(x, 256, 0, 1))); }, bins);
        // A width that is no power of two, and all of x in one bin.
        const std::vector<float> edges = std::get<1>(frit::histogram(x, 100, 0, 1)).to_vector();
        std::vector<double> hundred(100), one(256);
        for (const float v : values)
            ++hundred[static_cast<std::size_t>(std::upper_bound(edges.begin(), edges.end() - 1, v) - edges.begin() - 1)];
        one[64] = size;
        const array<float> same = frit::full({n}, 0.25F).eval();
        b.row(
            "histogram_100", 4 * size, "none",
            [&] { return array<std::int64_t>(std::get<0>(frit::histogram(x, 100, 0, 1))); }, hundred);
        b.row(
            "histogram_one_bin", 4 * size, "none",
            [&] { return array<std::int64_t>(std::get<0>(frit::histogram(same, 256, 0, 1))); }, one);
    }
    if (b.wants("concatenate")) {  // of three arrays, so that each byte that is counted is read
        const array<float> y = x + 2, z = x + 3;
        frit::eval(y, z);
        std::vector<double> parts = xs;
        for (const double v : xs) parts.push_back(static_cast<float>(v) + 2.0F + 1.0F);
        for (const double v : xs) parts.push_back(static_cast<float>(v) + 3.0F);
        b.row(
            "concatenate", 24 * size, "0.99 of the copy", [&] { return array<float>(frit::concatenate(0, x, y + 1, z)); },
            parts);
    }
    if (b.wants("convolution")) {
        const auto side = static_cast<std::int64_t>(std::sqrt(size));
        const std::vector<float> weights(values.begin(), values.begin() + 25);
        const array<float> k = frit::from_host(weights).reshape({5, 5}),
                           image = x(frit::slice(0, side * side)).reshape({side, side});
        frit::eval(k, image);
        std::vector<double> sums;
        for (std::int64_t r = 0; r + 4 < side; ++r)
            for (std::int64_t c = 0; c + 4 < side; ++c) {
                double sum = 0;
                for (std::int64_t i = 0; i < 25; ++i)
                    sum += xs[static_cast<std::size_t>(i)] * xs[static_cast<std::size_t>((r + i / 5) * side + c + i % 5)];
                sums.push_back(sum);
            }
        b.row(
            "conv5x5", 8 * size, "0.80 of the copy",
            [&] {
                const auto windows = frit::sliding_window_view(image, {5, 5});
                return array<float>(frit::sum(windows * k, {2, 3}));
            },
            sums);
        b.row(
            "correlate_5x5", 8 * size, "0.80 of the copy",
            [&] { return array<float>(frit::correlate(image, k, frit::convolve_mode::valid)); }, sums);
    }
    if (b.wants("running")) {
        std::vector<double> sums(xs.size()), roots(xs.size());
        std::partial_sum(xs.begin(), xs.end(), sums.begin());
        b.row(
            "cumsum", 8 * size, "0.72 of the copy", [&] { return array<float>(frit::cumsum(x)); }, sums);
        double sum = 0;
        for (std::size_t k = 0; k < xs.size(); ++k) roots[k] = std::sqrt(sum += xs[k] * xs[k]);
        const array<float> y = x + 0;
        y.eval();
        b.row(
            "cumsum_fused", 12 * size, "0.70 of the copy", [&] { return array<float>(sqrt(frit::cumsum(x * y))); }, roots);
    }
    if (b.wants("compress")) {
        std::vector<double> half;
        std::copy_if(xs.begin(), xs.end(), std::back_inserter(half), [](double v) { return v > 0.5; });
        b.row(
            "compress_half", 6 * size, "0.35 of the copy", [&] { return array<float>(x(x > 0.5F)); }, half);
    }
    if (b.wants("ranks")) {
        std::vector<double> ranked = xs;
        std::sort(ranked.begin(), ranked.end());
        b.row(
            "sort_f32", 8 * size, "-", [&] { return array<float>(frit::sort(x)); }, ranked);
        const std::size_t middle = ranked.size() / 2;
        b.row("median", 4 * size, "1.0 ms", [&] { return array<float>(frit::median(x)); },
              {(ranked[middle - 1] + ranked[middle]) / 2});
        b.row(
            "topk_64", 4 * size, "0.3 ms", [&] { return array<float>(std::get<0>(frit::topk(x, 64))); },
            std::vector<double>(ranked.rbegin(), ranked.rbegin() + 64));
    }
    if (b.wants("integers")) {
        std::vector<std::int32_t> whole = random_indices(n, 1'000'000, 11);
        const array<std::int32_t> i = frit::from_host(whole);
        std::sort(whole.begin(), whole.end());
        b.row(
            "sort_i32", 8 * size, "2.13 ms", [&] { return array<std::int32_t>(frit::sort(i)); },
            std::vector<double>(whole.begin(), whole.end()));
        whole.erase(std::unique(whole.begin(), whole.end()), whole.end());
        b.row(
            "unique_1e6", 4 * size, "1.47 ms", [&] { return array<std::int32_t>(frit::unique_values(i)); },
            std::vector<double>(whole.begin(), whole.end()));
    }
}

/// At the sizes of the bars that are of more than 2^26 elements.
void large(bench& b, bool tiny) {
    std::mt19937_64 random(13);
    {
        const std::int64_t n = tiny ? 1 << 15 : 100'000'000;
        std::vector<std::int32_t> whole(static_cast<std::size_t>(n));
        for (std::int32_t& v : whole) v = static_cast<std::int32_t>(random() >> 32);
        const array<std::int32_t> i = frit::from_host(whole);
        std::sort(whole.begin(), whole.end());
        b.row(
            "sort_i32_1e8", 8.0 * static_cast<double>(n), "2.13 ms", [&] { return array<std::int32_t>(frit::sort(i)); },
            std::vector<double>(whole.begin(), whole.end()));
    }
    const std::int64_t n = std::int64_t{1} << (tiny ? 15 : 27);
    std::vector<float> values(static_cast<std::size_t>(n));
    for (float& v : values) v = static_cast<float>(random() >> 40) * 0x1p-24F;
    const array<float> x = frit::from_host(values);
    std::partial_sort(values.begin(), values.begin() + 64, values.end(), std::greater<>());
    values.resize(64);
    b.row(
        "topk_64_2e27", 4.0 * static_cast<double>(n), "0.3 ms", [&] { return array<float>(std::get<0>(frit::topk(x, 64))); },
        doubles(values));
}

}  // namespace

int main(int argc, char** argv) try {
    std::vector<std::string> groups(argv + 1, argv + argc);
    const bool tiny = std::erase(groups, "--tiny") > 0;
    const std::int64_t n = std::int64_t{1} << (tiny ? 14 : 26);
    bench b;
    b.groups = std::move(groups);
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
        if (!b.wants("gather")) break;
        std::vector<std::int32_t> at = random_indices(n, n, 3);
        if (sorted) std::sort(at.begin(), at.end());
        const array<std::int32_t> i = frit::from_host(at);
        std::vector<double> expected(at.size());
        for (std::size_t k = 0; k < at.size(); ++k) expected[k] = 2.5 * values[static_cast<std::size_t>(at[k])] + 1.25;
        b.row(
            sorted ? "gather_sorted" : "gather_random", 12 * size, sorted ? "0.98 of the copy" : "1.72 ms",
            [&] { return array<float>(2.5F * x(i) + 1.25F); }, expected);
    }
    const array<std::int32_t> ones = frit::full({n}, 1).eval();
    const std::vector<std::int64_t> places = {1000, tiny ? 5000 : 100'000, n};
    const char* const bars[] = {"1.3 ms", "1.6 ms", "2.7 ms"};
    for (std::size_t k = 0; k < places.size() && b.wants("scatter"); ++k)
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
                8 * size + 4.0 * static_cast<double>(m), equal ? "1.8 ms" : bars[k],
                [&] { return array<float>(segment_sum(x, i, m)); }, expected);
            std::vector<double> counted(static_cast<std::size_t>(m), 0);
            for (const std::int32_t j : at) ++counted[static_cast<std::size_t>(j)];
            b.row(
                "the same of integers", 8 * size + 4.0 * static_cast<double>(m), "within 3 % of the best peer",
                [&] { return array<std::int32_t>(frit::scatter_add(frit::zeros<std::int32_t>({m}), i, ones, 0)); }, counted);
        }
    others(b, n, values);
    if (b.wants("large")) large(b, tiny);
    return b.right ? 0 : 1;
} catch (const std::exception& e) {
    std::fprintf(stderr, "gpu_indexed: %s\n", e.what());
    return 1;
}
