// The CPU workloads written with frit, as a user writes them: results are new arrays, evaluated one call at a time.
#include <frit/frit.hpp>
#include <memory>
#include <stdexcept>

#include "cpu_workloads.hpp"

namespace {

template <class T>
struct arrays {
    frit::array<T> x, y, spot, strike, years, out;
    explicit arrays(const inputs<T>& in)
        : x(frit::from_host(in.x)),
          y(frit::from_host(in.y)),
          spot(frit::from_host(in.spot)),
          strike(frit::from_host(in.strike)),
          years(frit::from_host(in.years)) {}
};

template <class T>
frit::array<T> normal_cdf(const frit::array<T>& x) {
    frit::array<T> k = 1 / (1 + 0.2316419 * frit::abs(x));
    frit::array<T> p = ((((1.330274429 * k - 1.821255978) * k + 1.781477937) * k - 0.356563782) * k + 0.319381530) * k;
    frit::array<T> tail = 0.3989422804014327 * frit::exp(-0.5 * (x * x)) * p;
    return frit::where(x < 0, tail, 1 - tail);
}

template <class T>
frit::array<T> black_scholes(const frit::array<T>& spot, const frit::array<T>& strike, const frit::array<T>& years) {
    frit::array<T> spread = 0.2 * frit::sqrt(years);
    frit::array<T> d1 = (frit::log(spot / strike) + 0.05 * years) / spread;
    return spot * normal_cdf<T>(d1) - strike * frit::exp(-0.03 * years) * normal_cdf<T>(d1 - spread);
}

template <class T>
std::function<void(arrays<T>&)> formula(const std::string& workload) {
    if (workload == "axpy") return [](arrays<T>& a) { a.out = 2.5 * a.x + 0.75; };
    if (workload == "poly12")
        return [](arrays<T>& a) {
            a.out = (((0.03 * a.x + 0.2) * a.x + 0.7) * a.x + 1.1) / ((0.05 * a.x + 0.4) * a.x + 1.3) + a.x;
        };
    if (workload == "blackscholes") return [](arrays<T>& a) { a.out = black_scholes(a.spot, a.strike, a.years); };
    if (workload == "sinexp") return [](arrays<T>& a) { a.out = frit::sin(a.x) * 2 + frit::exp(-a.y * a.y); };
    if (workload == "sumsq") return [](arrays<T>& a) { a.out = frit::sum((a.x - a.y) * (a.x - a.y)); };
    throw std::runtime_error("no such workload: " + workload);
}

template <class T>
job make(const std::string& workload, std::size_t n) {
    auto a = std::make_shared<arrays<T>>(inputs<T>(n));
    return {[a, run = formula<T>(workload)] {
                run(*a);
                a->out.eval();
            },
            [a, n] {
                double sum = 0;
                for (T v : a->out.to_vector()) sum += static_cast<double>(v);
                return sum / static_cast<double>(n);
            },
            {},
            frit::synchronize};
}

}  // namespace

job frit_job(const std::string& workload, const std::string& element, std::size_t n) {
    return element == "f32" ? make<float>(workload, n) : make<double>(workload, n);
}
