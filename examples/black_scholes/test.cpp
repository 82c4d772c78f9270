// The example's prices against a plain loop in double precision, and the plan it promises: one kernel that reads five
// columns and writes two.
#include <cmath>

#include "black_scholes.hpp"
#include "check.hpp"

namespace {

double cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

void run() {
    const option_table t = read_options(FRIT_EXAMPLE_DATA "/options.csv");
    const std::size_t n = t.spot.size();
    const auto [call, put] = black_scholes(frit::from_host(t.spot), frit::from_host(t.strike), frit::from_host(t.years),
                                           frit::from_host(t.rate), frit::from_host(t.volatility));
    const frit::plan plan = frit::make_plan(call, put);
    check(plan.kernels().size() == 1, "kernels", static_cast<double>(plan.kernels().size()));
    check(plan.bytes_read() == 5 * 8 * n, "bytes read, five columns", static_cast<double>(plan.bytes_read()));
    check(plan.bytes_written() == 2 * 8 * n, "bytes written, two columns", static_cast<double>(plan.bytes_written()));

    frit::eval(call, put);
    const std::vector<double> calls = call.to_vector(), puts = put.to_vector();
    int wrong = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double spread = t.volatility[i] * std::sqrt(t.years[i]);
        const double d1 =
            (std::log(t.spot[i] / t.strike[i]) + (t.rate[i] + t.volatility[i] * t.volatility[i] / 2) * t.years[i]) / spread;
        const double discounted = t.strike[i] * std::exp(-t.rate[i] * t.years[i]);
        const double expected = t.spot[i] * cdf(d1) - discounted * cdf(d1 - spread);
        wrong += !(std::abs(calls[i] - expected) < 1e-11);
        wrong += !(std::abs(puts[i] - (expected - t.spot[i] + discounted)) < 1e-11);
    }
    check(wrong == 0, "prices that differ from the scalar loop's by 1e-11 or more", wrong);
}

}  // namespace

int main() { return run_checks(run); }
