// Kernels by name, and the check.
#include "stream.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

void stream_arrays::run(const std::string& kernel) {
    if (kernel == "copy")
        copy();
    else if (kernel == "mul")
        mul();
    else if (kernel == "add")
        add();
    else if (kernel == "triad")
        triad();
    else if (kernel == "dot")
        dot();
    else
        throw std::runtime_error("no such kernel: " + kernel);
}

double stream_arrays::error(int passes) {
    double a = start_a, b = start_b, c = start_c;
    for (int k = 0; k < passes; ++k) {
        c = a;
        b = factor * c;
        c = a + b;
        a = b + factor * c;
    }
    const std::array expected{a, b, c};
    const auto found = values();
    double worst = 0;
    const auto note = [&](double error) { worst = std::isnan(error) ? INFINITY : std::max(worst, error); };
    for (std::size_t k = 0; k < 3; ++k) {
        double total = 0;
        for (const double v : found[k]) total += std::abs(v - expected[k]);
        note(total / static_cast<double>(found[k].size()) / (100 * std::numeric_limits<double>::epsilon()));
    }
    const double sum = a * b * static_cast<double>(found[0].size());
    note(std::abs((dot() - sum) / sum) / 1e-8);
    return worst;
}
