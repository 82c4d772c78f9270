// A step against plain loops in double precision; that the error falls from step to step until every pixel is nearest to its
// centre and every centre in the middle of its pixels; that clusters which are there are found; and what a step stores.
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "check.hpp"
#include "kmeans.hpp"

namespace {

using numbers = std::vector<float>;

/// Pixels as planes of red, green and blue, evenly random.
numbers random_pixels(std::size_t n) {
    std::mt19937_64 engine(20240607);
    numbers p(3 * n);
    for (float& c : p) c = static_cast<float>(engine() >> 40) * 0x1p-24f;
    return p;
}

double squared_distance(const numbers& pixels, std::size_t i, const numbers& centres, std::size_t j) {
    const std::size_t n = pixels.size() / 3, k = centres.size() / 3;
    double sum = 0;
    for (std::size_t c = 0; c < 3; ++c)
        sum += std::pow(static_cast<double>(pixels[c * n + i]) - static_cast<double>(centres[c * k + j]), 2);
    return sum;
}

void a_step_equals_plain_loops() {
    constexpr std::size_t n = 5000, k = 7;
    const numbers pixels = random_pixels(n);
    const frit::array<float> x = frit::from_host(pixels, {3, n});
    const frit::array<float> start = (x(frit::all, frit::slice(0, k)) + 0).eval();
    const clusters found = improve(x, start);
    const numbers centres = start.to_vector(), moved = found.centres.to_vector();
    const std::vector<std::int64_t> nearest = found.nearest.to_vector();

    int wrong = 0;
    double error = 0;
    std::array<double, 3 * k> sums{};
    std::array<double, k> counts{};
    for (std::size_t i = 0; i < n; ++i) {
        const auto got = static_cast<std::size_t>(nearest[i]);
        const double distance = squared_distance(pixels, i, centres, got);
        for (std::size_t j = 0; j < k; ++j)  // of two that are equally near but for rounding, either
            wrong += squared_distance(pixels, i, centres, j) < distance - 1e-6;
        error += distance / n;
        counts[got] += 1;
        for (std::size_t c = 0; c < 3; ++c) sums[c * k + got] += static_cast<double>(pixels[c * n + i]);
    }
    check(wrong == 0, "centres that are nearer than the one a pixel got", wrong);
    check(std::abs(static_cast<double>(found.error.item()) - error) < 1e-6, "mean squared distance", error);
    double worst = 0;
    for (std::size_t j = 0; j < 3 * k; ++j)
        worst = std::max(worst, std::abs(static_cast<double>(moved[j]) - sums[j] / counts[j % k]));
    check(worst < 1e-6, "distance of the moved centres from the means of their pixels", worst);
}

void the_error_falls_to_the_end() {
    constexpr std::size_t n = 2000, k = 5;
    const numbers pixels = random_pixels(n);
    const frit::array<float> x = frit::from_host(pixels, {3, n});
    frit::array<float> centres = spread_centres(x, k);
    int rises = 0, steps = 0;
    double error = INFINITY, move = 1;
    for (; move > 0 && steps < 300; ++steps) {
        const clusters found = improve(x, centres);
        const auto now = static_cast<double>(found.error.item());
        rises += now > error + 1e-7;
        error = now;
        move = static_cast<double>(max(abs(found.centres - centres)).item());
        centres = found.centres;
    }
    check(rises == 0, "steps in which the error rises", rises);
    check(move == 0 && steps > 3, "steps until nothing moves", steps);
}

/// Points around the corners of a cube, closer to them than the corners are to each other.
void clusters_that_are_there_are_found() {
    constexpr std::size_t n = 8 * 100;
    std::mt19937_64 engine(7);
    numbers pixels(3 * n);
    for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t i = 0; i < n; ++i)
            pixels[c * n + i] =
                static_cast<float>(i >> c & 1) + 0.2f * (static_cast<float>(engine() >> 40) * 0x1p-24f - 0.5f);
    const frit::array<float> x = frit::from_host(pixels, {3, n});
    frit::array<float> centres = spread_centres(x, 8);
    for (int step = 0; step < 5; ++step) centres = improve(x, centres).centres;
    const std::vector<std::int64_t> nearest = improve(x, centres).nearest.to_vector();
    int wrong = 0;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < 8; ++j) wrong += (nearest[i] == nearest[j]) != (i % 8 == j);
    check(wrong == 0, "pairs that are together and should not be, or the other way round", wrong);
}

void a_centre_without_pixels_stays() {
    const frit::array<float> pixels{{0, 1}, {0, 1}, {0, 1}}, centres{{0, 9}, {0, 9}, {0, 9}};
    const frit::array<float> expected{{0.5, 9}, {0.5, 9}, {0.5, 9}};
    check(array_equal(improve(pixels, centres).centres, expected), "the far centre after a step",
          static_cast<double>(improve(pixels, centres).centres(0, 1).item()));
}

void distances_are_not_stored() {
    const std::uint64_t n = 3000, k = 20;
    const frit::array<float> x = frit::from_host(random_pixels(n), {3, static_cast<std::int64_t>(n)});
    const frit::array<float> centres = spread_centres(x, static_cast<std::int64_t>(k));
    const frit::array<std::int64_t> nearest = improve(x, centres).nearest;
    const frit::plan plan = frit::make_plan(nearest);
    check(plan.kernels().size() == 1, "kernels that find the nearest centres", static_cast<double>(plan.kernels().size()));
    check(plan.bytes_read() == 4 * 3 * (n + k), "bytes read: the pixels and the centres",
          static_cast<double>(plan.bytes_read()));
    check(plan.bytes_written() == 8 * n, "bytes written: a number for each pixel",
          static_cast<double>(plan.bytes_written()));
}

void run() {
    a_step_equals_plain_loops();
    the_error_falls_to_the_end();
    clusters_that_are_there_are_found();
    a_centre_without_pixels_stays();
    distances_are_not_stored();
}

}  // namespace

int main() { return run_checks(run); }
