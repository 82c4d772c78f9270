// A process to look at from outside (tests/unit/test_processes.cpp): evaluates a few formulas, prints results and counters.
#include <cstdint>
#include <cstring>
#include <iostream>

#include <frit/frit.hpp>

namespace {

std::uint64_t bits(double x) {
    std::uint64_t b;
    std::memcpy(&b, &x, sizeof b);
    return b;
}

void run() {
    const frit::array<float> x = frit::arange<float>(1, 11);
    frit::array<float> y = x * x, z = frit::sqrt(y) - 7.0F;
    frit::array<float> top = frit::max(z);
    frit::array<float> half = frit::sum(x(frit::slice(0, 2))) * 0.5F;
    std::cout << "result " << frit::sum(y).item() << ' ' << top.item() << ' ' << half.item() << '\n';

    const frit::array<double> t = frit::linspace(0.0, 10.0, 1000003);
    std::cout << "bits " << bits(frit::sum(frit::sin(t) * t).item()) << '\n';

    const frit::counters c = frit::stats();
    std::cout << "compilations " << c.compilations << "\ndisk_hits " << c.disk_hits << "\nkernels_launched "
              << c.kernels_launched << '\n';
}

template <class Error>
int report(const char* name, const Error& e) {
    std::cout << "error " << name << ": " << e.what() << '\n';
    return 1;
}

}  // namespace

int main() {
    try {
        run();
        return 0;
    } catch (const frit::device_error& e) {
        return report("device_error", e);
    } catch (const frit::compile_error& e) {
        return report("compile_error", e);
    } catch (const frit::error& e) {
        return report("error", e);
    }
}
