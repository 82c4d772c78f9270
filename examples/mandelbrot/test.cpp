// The arrays against a scalar loop, points whose fate is known, the area of the set, and what 500 steps cost.
#include <cmath>
#include <vector>

#include "check.hpp"
#include "mandelbrot.hpp"

namespace {

int steps_of(double c_re, double c_im, int most) {
    double re = 0, im = 0;
    int steps = 0;
    while (steps < most && re * re + im * im <= radius * radius) {
        const double next = re * re - im * im + c_re;
        im = 2 * re * im + c_im;
        re = next;
        ++steps;
    }
    return steps;
}

orbits run_all(const window& w, int steps) {
    orbits z = iterate(w, steps);
    frit::eval(z.re, z.im, z.steps);
    return z;
}

void equals_a_scalar_loop() {
    const window w{-0.7, 0.1, 2.6, 131, 101};
    const int steps = 100;
    const std::vector<int> counts = run_all(w, steps).steps.to_vector();
    const double half = w.width / 2, half_height = half * w.rows / w.columns;
    int different = 0;
    std::size_t at = 0;
    for (int y = 0; y < w.rows; ++y)
        for (int x = 0; x < w.columns; ++x) {
            const double re = w.re - half + w.width * x / (w.columns - 1);
            const double im = w.im + half_height - 2 * half_height * y / (w.rows - 1);
            different += counts[at++] != steps_of(re, im, steps);
        }
    // At the edge of the set the last bit of a point decides: arrays and loop round differently (fma, linspace).
    check(different <= 10, "of 13,231 points, those whose steps differ from the scalar loop's", different);
}

void known_points() {
    // Three columns at -1, 0 and 1: -1 has a cycle, 0 rests, 1 goes 0, 1, 2, 5, 26, 677.
    const std::vector<int> counts = run_all({0, 0, 2, 3, 3}, 50).steps.to_vector();
    check(counts[3] == 50, "steps that c = -1 stays, of 50", counts[3]);
    check(counts[4] == 50, "steps that c = 0 stays, of 50", counts[4]);
    check(counts[5] == 5, "steps that c = 1 stays", counts[5]);
}

void area_and_cost() {
    const window w{-0.75, 0, 2.6, 520, 500};
    run_all(w, 50);
    frit::reset_stats();
    const orbits z = run_all(w, 500);
    const frit::counters c = frit::stats();
    check(c.kernels_launched == 1, "kernels for 500 steps", static_cast<double>(c.kernels_launched));
    check(c.plans_built == 0, "of which planned anew", static_cast<double>(c.plans_built));
    // An orbit: two doubles and an int.
    check(c.bytes_written == 20ull * 520 * 500, "bytes written", static_cast<double>(c.bytes_written));

    const double covered = 2.6 * 2.5 * frit::mean(z.steps == 500).item();
    // Counted on ever finer grids: R. P. Munafo, "Pixel Counting", 2012 (1.506591877).
    check(std::abs(covered - 1.5066) < 0.02, "area of the set, 1.5066", covered);
}

void run() {
    equals_a_scalar_loop();
    known_points();
    area_and_cost();
}

}  // namespace

int main() { return run_checks(run); }
