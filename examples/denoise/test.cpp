// The diffusion against a plain loop in double precision, on a picture made here: a step between two colours, with noise.
// The result must agree, lose the noise, keep the edge, and take at most two kernels a step (it takes one).
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "check.hpp"
#include "diffusion.hpp"

namespace {

constexpr int width = 61, height = 47, steps = 20;
constexpr float kappa = 0.06f, lambda = 0.2f;
using plane = std::vector<double>;
using colours = std::array<plane, 3>;

std::size_t at(int y, int x) {
    y = std::clamp(y, 0, height - 1);
    x = std::clamp(x, 0, width - 1);
    return static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x);
}

colours noisy_step() {
    std::mt19937 random(20240607);
    std::normal_distribution<double> noise(0.0, 0.01);
    colours u;
    for (std::size_t c = 0; c < 3; ++c) {
        u[c].resize(width * height);
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                u[c][at(y, x)] =
                    static_cast<float>((x < width / 2 ? 0.2 : 0.6) + 0.05 * static_cast<double>(c) + noise(random));
    }
    return u;
}

/// One step by loops; returns the residual.
double reference_step(colours& u) {
    colours next = u;
    double squares = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            std::array<double, 3> flow{};
            for (const auto& [dy, dx] : {std::pair{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
                std::array<double, 3> d{};
                for (std::size_t c = 0; c < 3; ++c) d[c] = u[c][at(y + dy, x + dx)] - u[c][at(y, x)];
                const double conductance = std::exp(-(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / (kappa * kappa));
                for (std::size_t c = 0; c < 3; ++c) flow[c] += conductance * d[c];
            }
            for (std::size_t c = 0; c < 3; ++c) {
                next[c][at(y, x)] += static_cast<double>(lambda) * flow[c];
                squares += flow[c] * flow[c];
            }
        }
    u = next;
    return static_cast<double>(lambda) * std::sqrt(squares / (3.0 * width * height));
}

/// Standard deviation over the flat left part of a plane, away from the edge.
template <class Plane>
double noise_of(const Plane& p) {
    double sum = 0, squares = 0, n = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width / 2 - 5; ++x) {
            const double v = static_cast<double>(p[at(y, x)]);
            sum += v, squares += v * v, n += 1;
        }
    return std::sqrt(squares / n - sum / n * (sum / n));
}

void run() {
    colours expected = noisy_step();
    const double noise_before = noise_of(expected[0]);
    std::array<frit::array<float>, 3> start;
    for (std::size_t c = 0; c < 3; ++c)
        start[c] = frit::from_host(std::vector<float>(expected[c].begin(), expected[c].end()), frit::shape{height, width});
    picture u{start[0], start[1], start[2]};

    int wrong_residuals = 0;
    std::size_t kernels = 0;
    for (int i = 0; i < steps; ++i) {
        const diffusion_step step = diffuse(u, kappa, lambda);
        kernels = std::max<std::size_t>(
            kernels, frit::make_plan(step.next.r, step.next.g, step.next.b, step.change).kernels().size());
        frit::eval(step.next.r, step.next.g, step.next.b, step.change);
        const double residual = reference_step(expected);
        if (!(std::abs(static_cast<double>(step.change.item()) - residual) < 1e-4 * residual)) ++wrong_residuals;
        u = step.next;
    }
    check(kernels >= 1 && kernels <= 2, "kernels in a step", static_cast<double>(kernels));
    check(wrong_residuals == 0, "residuals that differ from the loop's by 1e-4 or more", wrong_residuals);

    const std::array<std::vector<float>, 3> result{u.r.to_vector(), u.g.to_vector(), u.b.to_vector()};
    int wrong = 0;
    for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t i = 0; i < result[c].size(); ++i)
            if (!(std::abs(static_cast<double>(result[c][i]) - expected[c][i]) < 2e-6)) ++wrong;
    check(wrong == 0, "pixels that differ from the loop by 2e-6 or more", wrong);
    check(noise_of(result[0]) < 0.2 * noise_before, "noise left of what there was", noise_of(result[0]) / noise_before);
    double edge = 0;
    for (int y = 0; y < height; ++y)
        edge += static_cast<double>(result[0][at(y, width / 2)] - result[0][at(y, width / 2 - 1)]) / height;
    check(edge > 0.38, "height of the edge, 0.4 in the clean picture", edge);
}

}  // namespace

int main() { return run_checks(run); }
