// The CPU workloads written with Eigen, as a careful user writes them: into existing memory, and Black-Scholes in blocks
// whose temporaries stay in the L1 cache. Compiled with -O3 -march=native.
#include <Eigen/Core>
#include <memory>
#include <stdexcept>

#include "cpu_workloads.hpp"

namespace {

template <class T>
using vector = Eigen::Array<T, Eigen::Dynamic, 1>;
constexpr Eigen::Index block = 1024;
template <class T>
using block_vector = Eigen::Array<T, Eigen::Dynamic, 1, 0, block, 1>;

template <class T>
struct arrays {
    vector<T> x, y, spot, strike, years, out;
    explicit arrays(const inputs<T>& in)
        : x(map(in.x)), y(map(in.y)), spot(map(in.spot)), strike(map(in.strike)), years(map(in.years)), out(x.size()) {}
    static auto map(const std::vector<T>& v) {
        return Eigen::Map<const vector<T>>(v.data(), static_cast<Eigen::Index>(v.size()));
    }
};

template <class T>
block_vector<T> normal_cdf(const block_vector<T>& x) {
    const block_vector<T> k = (1 + x.abs() * T(0.2316419)).inverse();
    const block_vector<T> tail =
        (x * x * T(-0.5)).exp() * T(0.3989422804014327) *
        (((((k * T(1.330274429) - T(1.821255978)) * k + T(1.781477937)) * k - T(0.356563782)) * k + T(0.319381530)) * k);
    return (x < T(0)).select(tail, 1 - tail);
}

template <class T>
void black_scholes(arrays<T>& a) {
    for (Eigen::Index start = 0; start < a.out.size(); start += block) {
        const Eigen::Index n = std::min(block, a.out.size() - start);
        const auto spot = a.spot.segment(start, n), strike = a.strike.segment(start, n), years = a.years.segment(start, n);
        const block_vector<T> spread = years.sqrt() * T(0.2);
        const block_vector<T> d1 = ((spot / strike).log() + years * T(0.05)) / spread, d2 = d1 - spread;
        a.out.segment(start, n) = spot * normal_cdf<T>(d1) - strike * (years * T(-0.03)).exp() * normal_cdf<T>(d2);
    }
}

template <class T>
std::function<void(arrays<T>&)> formula(const std::string& workload) {
    if (workload == "axpy") return [](arrays<T>& a) { a.out = a.x * T(2.5) + T(0.75); };
    if (workload == "poly12")
        return [](arrays<T>& a) {
            a.out =
                (((a.x * T(0.03) + T(0.2)) * a.x + T(0.7)) * a.x + T(1.1)) / ((a.x * T(0.05) + T(0.4)) * a.x + T(1.3)) + a.x;
        };
    if (workload == "blackscholes") return [](arrays<T>& a) { black_scholes(a); };
    if (workload == "sinexp") return [](arrays<T>& a) { a.out = a.x.sin() * T(2) + (-(a.y * a.y)).exp(); };
    if (workload == "sumsq") return [](arrays<T>& a) { a.out[0] = (a.x - a.y).square().sum(); };
    throw std::runtime_error("no such workload: " + workload);
}

template <class T>
job make(const std::string& workload, std::size_t n) {
    auto a = std::make_shared<arrays<T>>(inputs<T>(n));
    const bool reduces = workload == "sumsq";
    return {[a, run = formula<T>(workload)] { run(*a); },
            [a, n, reduces] {
                return (reduces ? static_cast<double>(a->out[0]) : a->out.template cast<double>().sum()) /
                       static_cast<double>(n);
            }};
}

}  // namespace

job eigen_job(const std::string& workload, const std::string& element, std::size_t n) {
    return element == "f32" ? make<float>(workload, n) : make<double>(workload, n);
}
