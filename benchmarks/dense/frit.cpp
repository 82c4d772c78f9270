// Dense linear algebra, Fourier transforms and programs of them as users write them with frit. What a call makes is
// evaluated and let go of.
#include <frit/frit.hpp>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <type_traits>

#include "dense.hpp"

namespace {

using frit::array;

/// All results, one behind the other; of complex numbers their parts.
template <class... T>
std::vector<double> numbers_of(const std::tuple<array<T>...>& results) {
    std::vector<double> all;
    const auto append = [&](const auto& values) {
        for (const auto& v : values) {
            all.push_back(static_cast<double>(std::real(v)));
            if constexpr (!std::is_arithmetic_v<std::decay_t<decltype(v)>>) all.push_back(std::imag(v));
        }
    };
    std::apply([&](const auto&... r) { (append(r.to_vector()), ...); }, results);
    return all;
}

/// `make(operands...)` gives the results as a tuple of arrays.
template <class Make, class... Operands>
job job_of(Make make, Operands... operands) {
    struct state {
        std::tuple<Operands...> operands;
        Make make;
        std::invoke_result_t<Make, Operands&...> last{};
    };
    const auto s = std::make_shared<state>(state{{operands...}, make});
    std::apply([](const auto&... x) { frit::eval(x...); }, s->operands);
    return {[s] {
                s->last = {};
                s->last = std::apply(s->make, s->operands);
                std::apply([](const auto&... r) { frit::eval(r...); }, s->last);
            },
            [s] { return checksum(numbers_of(s->last)); }, nullptr, [] { frit::synchronize(); }};
}

/// Where conjugate gradients are: the direction has zeros around it.
struct search {
    array<double> x, r, padded, rr;
};
void conjugate_gradient_step(search& s) {
    const frit::slice inner(1, -1), before(0, -2), after(2, frit::none);
    const array<double> p = s.padded(inner, inner);
    const array<double> q =
        4 * p - s.padded(before, inner) - s.padded(after, inner) - s.padded(inner, before) - s.padded(inner, after);
    const array<double> alpha = s.rr / frit::sum(p * q);
    s.x += alpha * p;
    s.r -= alpha * q;
    const array<double> next = frit::sum(s.r * s.r);
    s.padded(inner, inner) = s.r + next / s.rr * p;
    s.rr = next;
}
array<double> conjugate_gradients(const array<double>& b) {
    search s{frit::zeros_like(b), b, frit::pad(b, {{1, 1}, {1, 1}}), frit::sum(b * b)};
    for (std::size_t k = 0; k < dense_bench::steps; ++k) {
        conjugate_gradient_step(s);
        frit::eval(s.x, s.r, s.padded, s.rr);
    }
    return s.x;
}

array<float> logistic_regression(const array<float>& x, const array<float>& y) {
    const float step = static_cast<float>(dense_bench::rate) / static_cast<float>(x.shape()[0]);
    array<float> w = frit::zeros<float>({x.shape()[1]});
    for (std::size_t k = 0; k < dense_bench::steps; ++k) {
        w -= step * frit::matmul(x.T(), frit::sigmoid(frit::matmul(x, w)) - y);
        w.eval();
    }
    return w;
}

auto principal_components(const array<double>& x) {
    const array<double> centred = x - frit::mean(x, 0);
    const auto [w, v] = frit::linalg::eigh(frit::matmul(centred.T(), centred) / static_cast<double>(x.shape()[0] - 1));
    return std::tuple(array<double>(w), array<double>(v));
}

template <class T>
array<T> from(const std::vector<T>& values, const frit::shape& of) {
    return frit::from_host(values).reshape(of);
}

template <class T>
job product_job(const std::string& workload, std::int64_t n) {
    const dense_bench::inputs<T> in(workload, static_cast<std::size_t>(n));
    const frit::shape one{n, n}, all{static_cast<std::int64_t>(dense_bench::batch), n, n};
    const frit::shape& of = workload == "batch" ? all : one;
    return job_of([](const auto& a, const auto& b) { return std::tuple(array<T>(frit::matmul(a, b))); }, from(in.a, of),
                  from(in.b, workload == "matvec" ? frit::shape{n} : of));
}

using matrix = array<double>;
using spectrum = array<std::complex<double>>;

job fourier_job(const std::string& workload, std::int64_t n) {
    const dense_bench::inputs<double> in(workload, static_cast<std::size_t>(n));
    if (workload == "rfft")
        return job_of([](const matrix& x) { return std::tuple(spectrum(frit::fft::rfft(x))); }, from(in.a, {n}));
    const matrix parts = from(in.a, {n, 2});
    return job_of([](const spectrum& z) { return std::tuple(spectrum(frit::fft::fft(z))); },
                  spectrum(frit::complex(parts(frit::all, 0), parts(frit::all, 1))));
}

job matrix_job(const std::string& workload, std::int64_t n) {
    namespace linalg = frit::linalg;
    const dense_bench::inputs<double> in(workload, static_cast<std::size_t>(n));
    const matrix a = from(in.a, {static_cast<std::int64_t>(in.a.size()) / n, n});
    if (workload == "solve")
        return job_of([](const matrix& x, const matrix& y) { return std::tuple(matrix(linalg::solve(x, y))); }, a,
                      matrix(frit::from_host(in.b)));
    if (workload == "cholesky") return job_of([](const matrix& x) { return std::tuple(matrix(linalg::cholesky(x))); }, a);
    if (workload == "svdvals") return job_of([](const matrix& x) { return std::tuple(matrix(linalg::svdvals(x))); }, a);
    const auto both = [](const auto& results) {
        return std::tuple(matrix(std::get<0>(results)), matrix(std::get<1>(results)));
    };
    if (workload == "eigh") return job_of([both](const matrix& x) { return both(linalg::eigh(x)); }, a);
    if (workload == "qr") return job_of([both](const matrix& x) { return both(linalg::qr(x)); }, a);
    throw std::runtime_error("no such workload: " + workload);
}

}  // namespace

job dense_bench::frit_job(const std::string& workload, const std::string& element, std::size_t n) {
    const auto extent = static_cast<std::int64_t>(n);
    if (workload == "product" || workload == "batch" || workload == "matvec")
        return element == "f32" ? product_job<float>(workload, extent) : product_job<double>(workload, extent);
    if (workload == "fft" || workload == "rfft") return fourier_job(workload, extent);
    if (workload == "cg") {
        const inputs<double> in(workload, n);
        return job_of([](const matrix& b) { return std::tuple(conjugate_gradients(b)); }, from(in.a, {extent, extent}));
    }
    if (workload == "logistic") {
        const inputs<float> in(workload, n);
        return job_of([](const auto& x, const auto& y) { return std::tuple(logistic_regression(x, y)); },
                      from(in.a, {extent, static_cast<std::int64_t>(features)}), array<float>(frit::from_host(in.b)));
    }
    if (workload == "pca") {
        const inputs<double> in(workload, n);
        return job_of([](const matrix& x) { return principal_components(x); },
                      from(in.a, {extent, static_cast<std::int64_t>(variables)}));
    }
    return matrix_job(workload, extent);
}
