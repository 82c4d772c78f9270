// Many small matrices in the GPU benchmark: equations, and singular values with their vectors. The bound is to read and
// write each once.
#include <cmath>
#include <utility>

#include "gpu_cases.hpp"

namespace {

/// The solution of one n x n equation in double precision, whose diagonal is large.
std::vector<double> solved(std::vector<double> a, std::vector<double> b) {
    const std::size_t n = b.size();
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = k + 1; i < n; ++i) {
            const double factor = a[i * n + k] / a[k * n + k];
            for (std::size_t j = k; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
            b[i] -= factor * b[k];
        }
    for (std::size_t k = n; k-- > 0;) {
        for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k * n + j] * b[j];
        b[k] /= a[k * n + k];
    }
    return b;
}

workload equations(const char* name, std::size_t count, std::size_t n) {
    workload w{.name = name, .run = nullptr, .check = nullptr};
    w.inputs = {{{0, 0, frit::dtype::f32, n}, count, n * n}, {{}, count, n}};
    w.written = w.inputs[1].bytes();
    w.run = [count, n](const arrays& in) -> arrays {
        const auto a = in[0].as<float>().reshape({count, n, n}), b = in[1].as<float>().reshape({count, n, 1});
        return {frit::linalg::solve(a, b).eval()};
    };
    w.check = [count, n](checker& c) {
        for (int k = 0; k < 300; ++k) {
            const std::size_t matrix = k == 0 ? 0 : k == 1 ? count - 1 : c.any(count);
            std::vector<double> a, b;
            for (std::size_t i = 0; i < n * n; ++i) a.push_back(c.in(0, matrix * n * n + i));
            for (std::size_t i = 0; i < n; ++i) b.push_back(c.in(1, matrix * n + i));
            const std::vector<double> x = solved(std::move(a), std::move(b));
            for (std::size_t i = 0; i < n; ++i) c.compare(0, matrix * n + i, x[i]);
        }
    };
    return w;
}

/// Of one matrix, as the call gave it and as its parts belong together: s = u^T a v, and for the largest u = a v / s and
/// v = a^T u / s.
void check_decomposition(checker& c, std::size_t matrix, std::size_t n) {
    const auto a = [&](std::size_t i, std::size_t j) { return c.in(0, (matrix * n + i) * n + j); };
    const auto u = [&](std::size_t i, std::size_t j) { return c.out(0, (matrix * n + i) * n + j); };
    const auto vh = [&](std::size_t i, std::size_t j) { return c.out(2, (matrix * n + i) * n + j); };
    for (std::size_t k = 0; k < n; ++k) {
        std::vector<double> av(n), ua(n);
        double s = 0;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) {
                av[i] += a(i, j) * vh(k, j);
                ua[j] += u(i, k) * a(i, j);
                s += u(i, k) * a(i, j) * vh(k, j);
            }
        c.compare(1, matrix * n + k, s);
        if (k > 0) continue;
        for (std::size_t i = 0; i < n; ++i) {
            c.compare(0, (matrix * n + i) * n, av[i] / s);
            c.compare(2, matrix * n * n + i, ua[i] / s);
        }
    }
}

workload singular_values(const char* name, std::size_t count, std::size_t n) {
    workload w{.name = name, .run = nullptr, .check = nullptr};
    w.inputs = {{{}, count, n * n}};
    w.written = 2 * w.inputs[0].bytes() + 4 * static_cast<double>(count * n);
    w.run = [count, n](const arrays& in) -> arrays {
        const auto [u, s, vh] = frit::linalg::svd(in[0].as<float>().reshape({count, n, n}));
        frit::eval(u, s, vh);
        return {u, s, vh};
    };
    w.check = [count, n](checker& c) {
        for (int k = 0; k < 300; ++k) check_decomposition(c, k == 0 ? 0 : k == 1 ? count - 1 : c.any(count), n);
    };
    return w;
}

}  // namespace

std::vector<workload> make_small(bool tiny) {
    return {singular_values("svd3_10k", tiny ? 50 : 10000, 3), equations("solve16_100k", tiny ? 50 : 100000, 16)};
}
