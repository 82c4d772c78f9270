// Prices a CSV file of European options, call and put, in one kernel, and shows what the planner made of the formula.
#include <cstdio>

#include "black_scholes.hpp"
#include "command_line.hpp"

namespace {

constexpr const char* usage =
    "usage: black_scholes [options]\n"
    "\n"
    "Prices European options by the Black-Scholes formula and prints a table.\n"
    "\n"
    "  --device DEVICE     cpu, cuda or cuda:N (default: $FRIT_DEVICE, else a GPU where there is one)\n"
    "  --input FILE        a CSV file: spot,strike,years,rate,volatility (default: one that comes with the example)\n"
    "  --help              this text\n";

void run(const command_line& line) {
    const option_table table = read_options(line.text("--input", FRIT_EXAMPLE_DATA "/options.csv"));
    const auto column = [](const std::vector<double>& values) { return frit::from_host(values); };
    const auto [call, put] = black_scholes(column(table.spot), column(table.strike), column(table.years), column(table.rate),
                                           column(table.volatility));

    const frit::plan plan = frit::make_plan(call, put);
    std::printf("%zu options: %zu kernel(s), %lld bytes read, %lld bytes written\n\n", table.spot.size(),
                plan.kernels().size(), static_cast<long long>(plan.bytes_read()),
                static_cast<long long>(plan.bytes_written()));

    frit::eval(call, put);
    const std::vector<double> calls = call.to_vector(), puts = put.to_vector();
    std::printf("%8s %8s %6s %6s %10s %10s %10s\n", "spot", "strike", "years", "rate", "volatility", "call", "put");
    for (std::size_t i = 0; i < calls.size(); ++i)
        std::printf("%8.2f %8.2f %6.2f %6.3f %10.2f %10.4f %10.4f\n", table.spot[i], table.strike[i], table.years[i],
                    table.rate[i], table.volatility[i], calls[i], puts[i]);
}

}  // namespace

int main(int argc, char** argv) { return run_example(argc, argv, usage, run); }
