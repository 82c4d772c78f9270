// The formulas of the GPU benchmark.
#include "gpu_cases.hpp"

#include <cmath>

namespace {

using value = frit::array<float>;

arrays axpb(const arrays& in) {
    value out = 2.5 * in[0] + 1.25;
    out.eval();
    return {out};
}

arrays chain12(const arrays& in) {
    const value &a = in[0], &b = in[1], &c = in[2];
    value t = a * b + c;
    value u = a * a - b * c;
    value v = t * u + 0.5;
    value w = u * u + 1.0;
    value out = v / w * c + b;
    out.eval();
    return {out};
}

arrays blackscholes(const arrays& in) {
    const value &spot = in[0], &strike = in[1], &years = in[2], &rate = in[3], &volatility = in[4];
    value spread = volatility * frit::sqrt(years);
    value d1 = (frit::log(spot / strike) + (rate + 0.5 * volatility * volatility) * years) / spread;
    value d2 = d1 - spread;
    value n1 = 0.5 * (1.0 + frit::erf(d1 * 0.7071067811865476));
    value n2 = 0.5 * (1.0 + frit::erf(d2 * 0.7071067811865476));
    value discounted = strike * frit::exp(-rate * years);
    value call = spot * n1 - discounted * n2;
    value put = discounted * (1.0 - n2) - spot * (1.0 - n1);
    frit::eval(call, put);
    return {call, put};
}

arrays trig(const arrays& in) {
    value out = frit::sin(in[0]) * 2.0 + frit::exp(-in[1] * in[1]);
    out.eval();
    return {out};
}

arrays sumsq(const arrays& in) {
    value d = in[0] - in[1];
    value out = frit::sum(d * d);
    out.eval();
    return {out};
}

std::vector<double> expected_blackscholes(const double* in) {
    const double spot = in[0], strike = in[1], years = in[2], rate = in[3], volatility = in[4];
    const auto cdf = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
    const double spread = volatility * std::sqrt(years);
    const double d1 = (std::log(spot / strike) + (rate + volatility * volatility / 2) * years) / spread;
    const double call = spot * cdf(d1) - strike * std::exp(-rate * years) * cdf(d1 - spread);
    return {call, call - spot + strike * std::exp(-rate * years)};  // put-call parity
}

std::vector<double> expected_chain12(const double* in) {
    const double a = in[0], b = in[1], c = in[2], u = a * a - b * c;
    return {((a * b + c) * u + 0.5) / (u * u + 1) * c + b};
}

}  // namespace

std::vector<workload> make_workloads(bool tiny) {
    const column normal{}, around_one{0.5, 1.5}, price{10, 50}, years{0.25, 2}, rate{0.01, 0.05}, volatility{0.1, 0.5};
    std::vector<workload> list;
    for (const bool small : {false, true}) {
        if (small && tiny) continue;
        const auto size = [&](int log2) {
            return tiny ? std::size_t{100'000} : small ? std::size_t{1'000'000} : std::size_t{1} << log2;
        };
        const std::string suffix = small ? "_1m" : "";
        list.push_back({"axpb" + suffix, size(27), {normal}, 1, false, axpb, [](const double* x) {
                            return std::vector{2.5 * x[0] + 1.25};
                        }});
        list.push_back(
            {"chain12" + suffix, size(26), {around_one, around_one, around_one}, 1, false, chain12, expected_chain12});
        list.push_back({"blackscholes" + suffix,
                        size(25),
                        {price, price, years, rate, volatility},
                        2,
                        false,
                        blackscholes,
                        expected_blackscholes});
        list.push_back({"trig" + suffix, size(26), {normal, normal}, 1, false, trig, [](const double* x) {
                            return std::vector{2 * std::sin(x[0]) + std::exp(-x[1] * x[1])};
                        }});
        list.push_back({"sumsq" + suffix, size(27), {normal, normal}, 1, true, sumsq, [](const double* x) {
                            return std::vector{(x[0] - x[1]) * (x[0] - x[1])};
                        }});
    }
    return list;
}
