#include <frit/frit.hpp>
#include <iostream>

int main() {
    // Formulas on arrays are recorded, not run: a damped wave on a million points.
    frit::array<double> t = frit::linspace(0.0, 10.0, 1'000'001);
    frit::array<double> wave = frit::exp(-0.3 * t) * frit::cos(6.0 * t);
    // Slices are views, never copies: the slope by central differences.
    frit::array<double> slope = (wave(frit::slice(2, frit::none)) - wave(frit::slice(0, -2))) / 2e-5;
    frit::array<double> energy = frit::sum(wave * wave) * 1e-5;

    // What would evaluating both take? A report; it runs nothing.
    frit::plan plan = frit::make_plan(slope, energy);
    std::cout << plan.kernels().size() << " kernels, " << plan.bytes_written() << " bytes written\n";

    // One evaluation computes both: on a GPU where there is one, else on the CPU.
    frit::eval(slope, energy);
    std::cout << "energy " << energy.item() << "\nslope " << slope << "\n";
}
