// The example's prices against a plain loop in double precision, and the plan it promises: one kernel that reads five
// columns and writes two.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>

#include "black_scholes.hpp"

namespace {

int failures = 0;

void check(bool ok, const char* what) {
    if (!ok) std::printf("FAILED: %s\n", what), ++failures;
}

double cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

void run(const char* path) {
    const option_table t = read_options(path);
    const auto n = static_cast<long long>(t.spot.size());
    const auto [call, put] = black_scholes(frit::from_host(t.spot), frit::from_host(t.strike), frit::from_host(t.years),
                                           frit::from_host(t.rate), frit::from_host(t.volatility));
    const frit::plan plan = frit::make_plan(call, put);
    check(plan.kernels().size() == 1, "one kernel");
    check(static_cast<long long>(plan.bytes_read()) == 5 * 8 * n, "reads five columns");
    check(static_cast<long long>(plan.bytes_written()) == 2 * 8 * n, "writes two columns");

    frit::eval(call, put);
    const std::vector<double> calls = call.to_vector(), puts = put.to_vector();
    double worst = 0;
    for (std::size_t i = 0; i < t.spot.size(); ++i) {
        const double spread = t.volatility[i] * std::sqrt(t.years[i]);
        const double d1 =
            (std::log(t.spot[i] / t.strike[i]) + (t.rate[i] + t.volatility[i] * t.volatility[i] / 2) * t.years[i]) / spread;
        const double discounted = t.strike[i] * std::exp(-t.rate[i] * t.years[i]);
        const double expected = t.spot[i] * cdf(d1) - discounted * cdf(d1 - spread);
        const double call_error = std::abs(calls[i] - expected),
                     put_error = std::abs(puts[i] - (expected - t.spot[i] + discounted));
        check(call_error < 1e-11 && put_error < 1e-11, "prices agree with the scalar loop to 1e-11");
        worst = std::max({worst, call_error, put_error});
    }
    std::printf("%lld options, largest difference %.3g\n", n, worst);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        run(argc > 1 ? argv[1] : FRIT_EXAMPLE_DATA "/options.csv");
    } catch (const std::exception& e) {
        std::printf("FAILED: %s\n", e.what());
        return 1;
    }
    return failures == 0 ? 0 : 1;
}
