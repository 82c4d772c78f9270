// The count against a plain loop, the estimate against pi within its own error bound, for several seeds; and that all of it
// is one kernel, which reads nothing.
#include <cmath>
#include <numbers>

#include "check.hpp"
#include "monte_carlo_pi.hpp"

namespace {

void run() {
    constexpr std::int64_t n = 200'000;
    int worse_than_one_sigma = 0;
    for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6, 7, 8}) {
        const points p = random_points(n, seed), same = random_points(n, seed);
        const std::vector<double> x = same.x.to_vector(), y = same.y.to_vector();
        int expected = 0;
        for (std::size_t i = 0; i < x.size(); ++i) expected += x[i] * x[i] + y[i] * y[i] <= 1;

        frit::reset_stats();
        const estimate e = estimate_pi(p);
        frit::eval(e.pi, e.error);
        const frit::counters c = frit::stats();
        check(c.kernels_launched == 1, "kernels", static_cast<double>(c.kernels_launched));
        check(c.bytes_read == 0, "bytes read", static_cast<double>(c.bytes_read));
        check(c.bytes_written == 2 * 8, "bytes written", static_cast<double>(c.bytes_written));

        check(std::abs(e.pi.item() - 4.0 * expected / n) < 1e-14, "the share of the points that the loop counts",
              e.pi.item());
        const double sigma = std::sqrt(std::numbers::pi * (4 - std::numbers::pi) / n);
        check(std::abs(e.error.item() / sigma - 1) < 0.01, "its standard error over the exact one", e.error.item() / sigma);
        check(std::abs(e.pi.item() - std::numbers::pi) < 4 * sigma, "its distance from pi, in standard errors",
              (e.pi.item() - std::numbers::pi) / sigma);
        worse_than_one_sigma += std::abs(e.pi.item() - std::numbers::pi) > sigma;
    }
    check(worse_than_one_sigma < 6, "of 8 estimates, those further off than one standard error", worse_than_one_sigma);
}

}  // namespace

int main() { return run_checks(run); }
