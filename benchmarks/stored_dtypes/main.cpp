// The claims: what is stored in 16 bits is computed as fast as its half of the bytes allows, and complex numbers cost what a
// plain loop over std::complex costs. On the CPU, one thread unless FRIT_NUM_THREADS says otherwise, by the compiled engine
// unless FRIT_CPU_ENGINE does: elements per second of 16-bit floats over those of float32, and times of z * w + c over the
// loop's (-O3 -march=native -fcx-limited-range). Timed in turns; medians.
#include <algorithm>
#include <chrono>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <frit/frit.hpp>
#include <functional>
#include <string>
#include <vector>

#include "loop.hpp"

namespace {

using call = std::function<void()>;

/// Nanoseconds of each call, the median of `rounds` turns of at least a millisecond each.
std::vector<double> nanoseconds(const std::vector<call>& calls, int rounds) {
    using clock = std::chrono::steady_clock;
    const auto seconds = [](const call& f, long times) {
        const auto start = clock::now();
        for (long k = 0; k < times; ++k) f();
        return std::chrono::duration<double>(clock::now() - start).count();
    };
    std::vector<long> times;
    for (const call& f : calls) {
        f();
        times.push_back(1 + static_cast<long>(1e-3 / seconds(f, 1)));
    }
    std::vector<std::vector<double>> all(calls.size());
    for (int round = 0; round < rounds; ++round)
        for (std::size_t k = 0; k < calls.size(); ++k)
            all[k].push_back(seconds(calls[k], times[k]) / static_cast<double>(times[k]) * 1e9);
    std::vector<double> medians;
    for (std::vector<double>& one : all) {
        std::nth_element(one.begin(), one.begin() + rounds / 2, one.end());
        medians.push_back(one[static_cast<std::size_t>(rounds / 2)]);
    }
    return medians;
}

template <class T>
call axpy(std::int64_t n) {
    const frit::array<T> x = frit::cast<T>(frit::linspace(0.1F, 1.0F, n)), y = frit::cast<T>(frit::linspace(1.0F, 2.0F, n));
    frit::eval(x, y);
    return [x, y] { frit::array<T>(2.5F * x + y).eval(); };
}
template <class T>
call poly12(std::int64_t n) {
    const frit::array<T> x = frit::cast<T>(frit::linspace(0.1F, 1.0F, n)).eval();
    return [x] {  // recipes: one statement, at whose end 16-bit floats are rounded
        const auto first = (((0.1F * x + 0.2F) * x + 0.3F) * x + 0.4F) * x + 0.5F;
        const auto second = (((first * x + 0.6F) * x + 0.7F) * x + 0.8F) * x + 0.9F;
        frit::array<T>((((second * x + 1.0F) * x + 1.1F) * x + 1.2F) * x + 1.3F).eval();
    };
}

void short_floats(const char* name, call (*of_float)(std::int64_t), call (*of_half)(std::int64_t),
                  call (*of_bfloat)(std::int64_t), std::int64_t n, int rounds) {
    const std::vector<double> t = nanoseconds({of_float(n), of_half(n), of_bfloat(n)}, rounds);
    std::printf("%-14s %10lld %12.3f %12.2f %12.2f\n", name, static_cast<long long>(n), t[0] / static_cast<double>(n),
                t[0] / t[1], t[0] / t[2]);
}

template <class T>
void complex_numbers(const char* name, std::int64_t n, int rounds) {
    using number = std::complex<T>;
    std::vector<number> z, w, c, r(static_cast<std::size_t>(n));
    for (std::int64_t k = 0; k < n; ++k) {
        const T at = static_cast<T>(k % 1000) / 1000;
        z.emplace_back(at, 1), w.emplace_back(1, -at), c.emplace_back(at, at);
    }
    const frit::array<number> fz = frit::from_host(z), fw = frit::from_host(w), fc = frit::from_host(c);
    const std::vector<double> t = nanoseconds({[&] { frit::array<number>(fz * fw + fc).eval(); },
                                               [&] { multiply_add(z.data(), w.data(), c.data(), r.data(), r.size()); }},
                                              rounds);
    std::printf("%-14s %10lld %12.3f %12.2f\n", name, static_cast<long long>(n), t[1] / static_cast<double>(n), t[0] / t[1]);
}

}  // namespace

int main() {
    for (const auto& [name, value] :
         {std::pair{"FRIT_DEVICE", "cpu"}, {"FRIT_CPU_ENGINE", "cxx"}, {"FRIT_NUM_THREADS", "1"}})
        setenv(name, value, 0);
    constexpr int rounds = 21;
    std::printf("%-14s %10s %12s %12s %12s\n", "elements/s", "n", "f32 ns", "f16/f32", "bf16/f32");
    for (const std::int64_t n : {std::int64_t{20'000}, std::int64_t{10'000'000}}) {
        short_floats("axpy", axpy<float>, axpy<frit::half>, axpy<frit::bfloat16>, n, rounds);
        short_floats("poly12", poly12<float>, poly12<frit::half>, poly12<frit::bfloat16>, n, rounds);
    }
    std::printf("\n%-14s %10s %12s %12s\n", "z * w + c", "n", "loop ns", "frit/loop");
    for (const std::int64_t n : {std::int64_t{20'000}, std::int64_t{10'000'000}}) {
        complex_numbers<float>("complex64", n, rounds);
        complex_numbers<double>("complex128", n, rounds);
    }
}
