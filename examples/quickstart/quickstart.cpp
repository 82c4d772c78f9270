#include <frit/frit.hpp>
#include <iostream>

int main() {
    // A formula on arrays is recorded, not run: a damped wave on a million points.
    frit::array<double> t = frit::linspace(0.0, 10.0, 1'000'001);
    frit::array<double> wave = frit::exp(-0.3 * t) * frit::cos(6.0 * t);

    // Slices are views, never copies; here the slope by central differences.
    frit::array<double> slope = (wave(frit::slice(2, frit::none)) - wave(frit::slice(0, -2))) / 2e-5;
    frit::array<double> energy = frit::sum(wave * wave) * 1e-5;

    // How much work is that? A report; it runs nothing.
    frit::plan plan = frit::make_plan(slope, energy);
    std::cout << plan.kernels().size() << " kernels, " << plan.bytes_written() << " bytes written\n";

    // One evaluation computes both. On a GPU, if there is one; otherwise on the CPU.
    frit::eval(slope, energy);
    std::cout << "energy " << energy.item() << "\nslope " << slope << "\n";
}
