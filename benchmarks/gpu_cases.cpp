// The formulas of the GPU benchmark that are elementwise, or of one total; and what checks are made of.
#include "gpu_cases.hpp"

#include <cmath>
#include <complex>
#include <mutex>
#include <stdexcept>

namespace {

using value = frit::array<float>;

value axpb(const operands& in) { return 2.5 * in[0] + 1.25; }

value chain12(const operands& in) {
    const value &a = in[0], &b = in[1], &c = in[2];
    value t = a * b + c;
    value u = a * a - b * c;
    value v = t * u + 0.5;
    value w = u * u + 1.0;
    return v / w * c + b;
}

arrays blackscholes(const arrays& in) {
    const auto at = [&](std::size_t i) { return in[i].as<float>(); };
    const value spot = at(0), strike = at(1), years = at(2), rate = at(3), volatility = at(4);
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

value trig(const operands& in) { return frit::sin(in[0]) * 2.0 + frit::exp(-in[1] * in[1]); }
value where_mask(const operands& in) { return frit::where(in[0] > 0, in[0], frit::exp(in[0]) - 1.0); }

value sumsq(const operands& in) {
    value d = in[0] - in[1];
    return frit::sum(d * d);
}

value strided(const operands& in) {
    const frit::slice even(0, frit::none, 2), odd(1, frit::none, 2);
    return in[0](even) * in[1](odd);
}

/// Of pairs of numbers as complex ones.
arrays cmulabs(const arrays& in) {
    const auto numbers = [](const frit::any_array& x) { return view_as_complex(x.reshape({-1, 2})); };
    return {abs(numbers(in[0]) * numbers(in[1])).eval()};
}
arrays axpb_of_any(const arrays& in) { return {(2.5 * in[0] + 1.25).eval()}; }

/// As the peers' programs write it (and as PyTorch's approximate="tanh" computes it).
arrays gelu_by_tanh(const arrays& in) {
    const frit::any_array& x = in[0];
    return {(0.5 * x * (1.0 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))).eval()};
}
arrays gelu_by_erf(const arrays& in) { return {gelu(in[0]).eval()}; }
std::vector<double> expected_gelu_by_erf(const double* x) { return {x[0] * 0.5 * std::erfc(-x[0] * std::sqrt(0.5))}; }

arrays int32_mix(const arrays& in) {
    const frit::any_array &a = in[0], &b = in[1];
    return {(((a * 3 + b) ^ (a >> 2)) & 0xFFFF).eval()};
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

std::vector<double> expected_mix(const double* in) {
    const auto a = static_cast<std::int64_t>(in[0]), b = static_cast<std::int64_t>(in[1]);
    return {static_cast<double>(((a * 3 + b) ^ (a >> 2)) & 0xFFFF)};
}

/// The check of a formula of elements, from its value at one.
std::function<void(checker&)> elementwise(std::size_t inputs, std::vector<double> (*expected)(const double*)) {
    return [=](checker& c) {
        std::vector<double> in(inputs);
        for (const std::size_t i : sample(c, c.size(0))) {
            for (std::size_t k = 0; k < inputs; ++k) in[k] = c.in(k, i);
            const std::vector<double> out = expected(in.data());
            for (std::size_t k = 0; k < out.size(); ++k) c.compare(k, i, out[k]);
        }
    };
}

}  // namespace

checker::checker(const std::vector<input>& inputs, const std::vector<std::uint64_t>& seeds, const arrays& outputs,
                 std::mt19937_64& random)
    : inputs_(inputs), seeds_(seeds), difference_(outputs.size()), norm_(outputs.size()), random_(random) {
    for (const frit::any_array& output : outputs) {
        outputs_.push_back(frit::cast<double>(output).to_vector());
        for (const double v : outputs_.back())
            if (!std::isfinite(v)) throw std::runtime_error("an element of the result is not finite");
    }
}

void checker::compare(std::size_t which, std::size_t i, double expected) {
    difference_[which] += std::pow(outputs_[which].at(i) - expected, 2);
    norm_[which] += expected * expected;
}

double checker::error() const {
    double worst = 0;
    for (std::size_t k = 0; k < norm_.size(); ++k) {
        if (norm_[k] == 0) throw std::runtime_error("an output was not checked");
        worst = std::max(worst, std::sqrt(difference_[k] / norm_[k]));
    }
    return worst;
}

std::vector<std::size_t> sample(checker& c, std::size_t n) {
    constexpr std::size_t inside = 65536, ends = 1000;
    std::vector<std::size_t> which;
    if (n <= inside)
        for (std::size_t i = 0; i < n; ++i) which.push_back(i);
    else {
        for (std::size_t i = 0; i < ends; ++i) which.insert(which.end(), {i, n - 1 - i});
        for (std::size_t i = 0; i < inside; ++i) which.push_back(c.any(n));
    }
    return which;
}

double parallel_sum(std::size_t n, const std::function<double(std::size_t)>& term) {
    std::mutex lock;
    double total = 0;
    in_parallel(n, [&](std::size_t begin, std::size_t end) {
        double part = 0;
        for (std::size_t i = begin; i < end; ++i) part += term(i);
        const std::lock_guard guard(lock);
        total += part;
    });
    return total;
}

std::vector<workload> make_elementwise(bool tiny) {
    const column normal{}, around_one{0.5, 1.5}, price{10, 50}, years{0.25, 2}, rate{0.01, 0.05}, volatility{0.1, 0.5};
    std::vector<workload> list;
    for (const bool small : {false, true}) {
        if (small && tiny) continue;
        const auto size = [&](int log2) {
            return tiny ? std::size_t{100'000} : small ? std::size_t{1'000'000} : std::size_t{1} << log2;
        };
        const auto add = [&](const char* name, int log2, const std::vector<column>& columns, const auto& run,
                             const auto& check, std::size_t outputs = 1) {
            workload w{.name = name + std::string(small ? "_1m" : ""), .run = run, .check = check};
            for (const column& c : columns) w.inputs.push_back({c, 1, size(log2)});
            w.written = static_cast<double>(outputs) * w.inputs[0].bytes();
            w.bar = small ? 0 : 0.97;
            list.push_back(w);
        };
        add("axpb", 27, {normal}, evaluated(axpb),
            elementwise(1, [](const double* x) { return std::vector{2.5 * x[0] + 1.25}; }));
        add("chain12", 26, {around_one, around_one, around_one}, evaluated(chain12), elementwise(3, expected_chain12));
        add("blackscholes", 25, {price, price, years, rate, volatility}, blackscholes, elementwise(5, expected_blackscholes),
            2);
        add("trig", 26, {normal, normal}, evaluated(trig),
            elementwise(2, [](const double* x) { return std::vector{2 * std::sin(x[0]) + std::exp(-x[1] * x[1])}; }));
        add(
            "sumsq", 27, {normal, normal}, evaluated(sumsq),
            [n = size(27)](checker& c) {
                c.compare(0, 0, parallel_sum(n, [&](std::size_t i) { return std::pow(c.in(0, i) - c.in(1, i), 2); }));
            },
            0);
        if (small) continue;

        add("where_mask", 27, {normal}, evaluated(where_mask),
            elementwise(1, [](const double* x) { return std::vector{x[0] > 0 ? x[0] : std::expm1(x[0])}; }));
        const column integers{-0x1p20, 0x1p20, frit::dtype::i32}, normal_f64{0, 0, frit::dtype::f64};
        add("int32_mix", 26, {integers, integers}, int32_mix, elementwise(2, expected_mix));
        list.back().tolerance = 0;
        add("axpb_f64", 26, {normal_f64}, axpb_of_any,
            elementwise(1, [](const double* x) { return std::vector{2.5 * x[0] + 1.25}; }));
        list.back().tolerance = 1e-12;
        for (std::size_t k = list.size() - 3; k < list.size(); ++k) list[k].bar = 0.99;
        add("gelu_erf", 27, {normal}, gelu_by_erf, elementwise(1, expected_gelu_by_erf));
        for (const auto& [type, name] : {std::pair{frit::dtype::f16, "f16"}, std::pair{frit::dtype::bf16, "bf16"}}) {
            const column shorts{0, 0, type};
            add((std::string("axpb_") + name).c_str(), 28, {shorts}, axpb_of_any,
                elementwise(1, [](const double* x) { return std::vector{2.5 * x[0] + 1.25}; }));
            list.back().bar = 0.99;
            add((std::string("gelu_") + name).c_str(), 28, {shorts}, gelu_by_tanh, elementwise(1, [](const double* x) {
                    return std::vector{0.5 * x[0] *
                                       (1 + std::tanh(0.7978845608028654 * (x[0] + 0.044715 * x[0] * x[0] * x[0])))};
                }));
            list.back().bar = 0.90;
            add((std::string("gelu_erf_") + name).c_str(), 28, {shorts}, gelu_by_erf, elementwise(1, expected_gelu_by_erf));
            for (std::size_t k = list.size() - 3; k < list.size(); ++k) list[k].tolerance = 1e-2;
        }
        add("strided", 27, {normal, normal}, evaluated(strided), [](checker& c) {
            for (const std::size_t i : sample(c, c.size(0))) c.compare(0, i, c.in(0, 2 * i) * c.in(1, 2 * i + 1));
        });
        list.back().written /= 2;
        list.back().bar = 1.0;
        add("cmulabs_c64", 27, {normal, normal}, cmulabs, [](checker& c) {
            for (const std::size_t i : sample(c, c.size(0)))
                c.compare(0, i,
                          std::abs(std::complex(c.in(0, 2 * i), c.in(0, 2 * i + 1)) *
                                   std::complex(c.in(1, 2 * i), c.in(1, 2 * i + 1))));
        });
        list.back().written /= 2;
        list.back().bar = 1.0;
    }
    return list;
}
