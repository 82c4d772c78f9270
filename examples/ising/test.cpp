// Energies and magnetisations against Onsager's and Yang's exact ones below and above the critical temperature; a sweep
// against a plain loop that is given the same random numbers; and what half a sweep costs: one kernel.
#include <cmath>
#include <vector>

#include "check.hpp"
#include "ising.hpp"

namespace {

constexpr std::int64_t n = 128;

void a_sweep_equals_a_plain_loop() {
    constexpr int rows = 6, columns = 10;
    constexpr double temperature = 2.2;
    frit::random::generator random(3), same = random;
    spins s = frit::cast<std::int8_t>(2 * random.integers<int>({rows, columns}, 0, 2) - 1);
    std::vector<std::int8_t> expected = s.to_vector();
    same = random;
    sweep(s, temperature, random);
    for (const int colour : {0, 1}) {
        const std::vector<float> u = same.uniform<float>({rows, columns}).to_vector();
        for (int y = 0; y < rows; ++y)
            for (int x = 0; x < columns; ++x) {
                if ((x + y) % 2 != colour) continue;
                const auto at = [&](int j, int i) {
                    return expected[static_cast<std::size_t>((j + rows) % rows * columns + (i + columns) % columns)];
                };
                const int sum = at(y - 1, x) + at(y + 1, x) + at(y, x - 1) + at(y, x + 1);
                const auto k = static_cast<std::size_t>(y * columns + x);
                expected[k] = static_cast<double>(u[k]) < 1 / (1 + std::exp(-2 * sum / temperature)) ? 1 : -1;
            }
    }
    int different = 0;
    const std::vector<std::int8_t> got = s.to_vector();
    for (std::size_t k = 0; k < got.size(); ++k) different += got[k] != expected[k];
    check(different == 0, "spins that differ from the plain loop's after a sweep", different);
}

struct means {
    double energy, magnetisation;
};
means simulate(double temperature, int settle, int sweeps) {
    frit::random::generator random(20240607);
    spins s = frit::ones<std::int8_t>({n, n});
    for (int k = 0; k < settle; ++k) sweep(s, temperature, random);
    frit::array<double> e = frit::scalar(0.0), m = frit::scalar(0.0);
    for (int k = 0; k < sweeps; ++k) {
        sweep(s, temperature, random);
        e += energy(s), m += magnetisation(s);
        frit::eval(e, m);
    }
    return {e.item() / sweeps, m.item() / sweeps};
}

/// The tolerances are four standard errors or more, as runs with other seeds have shown them.
void means_are_the_exact_ones() {
    check(std::abs(exact_energy(critical_temperature + 1e-9) + std::numbers::sqrt2) < 1e-6,
          "the exact energy at the critical temperature, -sqrt(2)", exact_energy(critical_temperature + 1e-9));
    for (const double temperature : {1.8, 2.1}) {
        const means m = simulate(temperature, 150, 400);
        check(std::abs(m.energy - exact_energy(temperature)) < 0.008,
              "energy below the critical temperature, minus Onsager's", m.energy - exact_energy(temperature));
        check(std::abs(m.magnetisation - exact_magnetisation(temperature)) < 0.008, "magnetisation, minus Yang's",
              m.magnetisation - exact_magnetisation(temperature));
    }
    const means m = simulate(3, 150, 400);
    check(std::abs(m.energy - exact_energy(3)) < 0.008, "energy above it, minus Onsager's", m.energy - exact_energy(3));
    check(std::abs(m.magnetisation) < 0.04, "magnetisation, which is 0", m.magnetisation);
}

void half_a_sweep_is_one_kernel() {
    frit::random::generator random(1);
    spins s = frit::ones<std::int8_t>({n, n});
    sweep(s, 2, random);
    frit::reset_stats();
    for (int k = 0; k < 10; ++k) sweep(s, 2, random);
    const frit::counters c = frit::stats();
    check(c.kernels_launched == 20, "kernels in 10 sweeps", static_cast<double>(c.kernels_launched));
    check(c.compilations + c.plans_built == 0, "of which planned or compiled anew", static_cast<double>(c.plans_built));
    check(c.bytes_read == 20ull * n * n, "bytes read, one for each spin", static_cast<double>(c.bytes_read));
    check(c.bytes_written == 20ull * n * n, "bytes written", static_cast<double>(c.bytes_written));
}

void run() {
    a_sweep_equals_a_plain_loop();
    means_are_the_exact_ones();
    half_a_sweep_is_one_kernel();
}

}  // namespace

int main() { return run_checks(run); }
