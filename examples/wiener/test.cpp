// The filter against plain sums of sines in double precision; that it brings noisy pictures nearer to what they are of, and
// leaves alone what has no noise; and what it costs.
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "check.hpp"
#include "wiener.hpp"

namespace {

using complex = std::complex<double>;

/// Smooth waves, and with noise.
frit::array<float> waves(std::int64_t h, std::int64_t w) {
    const frit::array<float> y = frit::arange<float>(0, h).reshape({h, 1}), x = frit::arange<float>(0, w);
    return (0.5F + 0.2F * sin(0.2F * x + 0.1F * y) + 0.2F * cos(0.15F * y)).eval();
}
frit::array<float> with_noise(const frit::array<float>& x, float deviation) {
    frit::random::generator random(7);
    return (x + random.normal<float>(x.shape(), 0, deviation)).eval();
}

/// The filter by its definition: spectra as sums, averages over frequencies as far as `reach`, which come round.
std::vector<double> by_definition(const std::vector<float>& x, int h, int w, double noise, int reach) {
    const auto at = [](double turns) { return std::polar(1.0, 2 * std::numbers::pi * turns); };
    const auto place = [w](int k, int l) { return static_cast<std::size_t>(k * w + l); };
    std::vector<complex> spectrum;
    for (int k = 0; k < h; ++k)
        for (int l = 0; l < w; ++l) {
            complex sum = 0;
            for (int i = 0; i < h; ++i)
                for (int j = 0; j < w; ++j)
                    sum += static_cast<double>(x[place(i, j)]) *
                           at(-static_cast<double>(k * i) / h - static_cast<double>(l * j) / w);
            spectrum.push_back(sum / std::sqrt(h * w));
        }
    const auto gain = [&](int k, int l) {
        double power = 0;
        for (int a = -reach; a <= reach; ++a)
            for (int b = -reach; b <= reach; ++b) power += std::norm(spectrum[place((k + a + h) % h, (l + b + w) % w)]);
        power /= (2 * reach + 1) * (2 * reach + 1);
        return std::max(power - noise * noise, 0.0) / power;
    };
    std::vector<double> y;
    for (int i = 0; i < h; ++i)
        for (int j = 0; j < w; ++j) {
            complex sum = 0;
            for (int k = 0; k < h; ++k)
                for (int l = 0; l < w; ++l)
                    sum += spectrum[place(k, l)] * gain(k, l) *
                           at(static_cast<double>(k * i) / h + static_cast<double>(l * j) / w);
            y.push_back(sum.real() / std::sqrt(h * w));
        }
    return y;
}

void equals_plain_sums() {
    constexpr int h = 9;
    for (const int w : {13, 14})
        for (const int reach : {0, 1, 2}) {
            const frit::array<float> x = with_noise(waves(h, w), 0.1F);
            const std::vector<float> got = wiener(x, 0.1F, 2 * reach + 1).to_vector();
            const std::vector<double> want = by_definition(x.to_vector(), h, w, static_cast<double>(0.1F), reach);
            double worst = 0;
            for (std::size_t k = 0; k < want.size(); ++k)
                worst = std::max(worst, std::abs(static_cast<double>(got[k]) - want[k]));
            check(worst < 1e-5, "distance from plain sums", worst);
        }
}

void takes_noise_out() {
    const frit::array<float> picture = waves(200, 300), noisy = with_noise(picture, 0.1F);
    const double before = psnr(noisy, picture), after = psnr(wiener(noisy, 0.1F), picture);
    check(std::abs(before - 20) < 0.1, "decibels of the noisy picture", before);
    check(after > before + 10, "and of the filtered one", after);
    const frit::array<float> two = stack(0, noisy, 1 - noisy).eval(), both = wiener(two, 0.1F);
    const auto apart = static_cast<double>(max(abs(both(0) - wiener(noisy, 0.1F))).item());
    check(apart < 1e-6, "distance of a picture filtered beside another one", apart);
    const auto changed = static_cast<double>(max(abs(wiener(noisy, 0) - noisy)).item());
    check(changed < 1e-5, "what is changed where there is no noise", changed);
}

void costs_what_it_says() {
    const frit::array<float> noisy = with_noise(waves(100, 120), 0.1F);
    const frit::array<float> y = wiener(noisy, 0.1F);
    const frit::plan report = frit::make_plan(y);
    check(report.library_calls().size() == 2, "library calls", static_cast<double>(report.library_calls().size()));
    const bool is_cpu = frit::default_device() == frit::device::cpu();  // a GPU computes more again, to launch less
    check(is_cpu ? report.kernels().size() == 4 : report.kernels().size() <= 4, "kernels",
          static_cast<double>(report.kernels().size()));
}

void run() {
    equals_plain_sums();
    takes_noise_out();
    costs_what_it_says();
}

}  // namespace

int main() { return run_checks(run); }
