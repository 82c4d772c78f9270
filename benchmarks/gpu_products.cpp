// The products of matrices of the GPU benchmark, whose bound is arithmetic: one large, and a batch of smaller ones;
// a layer of a network, and the same with its product evaluated first. Those whose bound is memory: batches of matrices so
// small that frit's kernels multiply them, of 16 x 16, which it leaves to the library, and a step of a logistic regression,
// which reads its matrix once.
#include <cmath>

#include "gpu_cases.hpp"

namespace {

arrays product(const arrays& in) { return {matmul(in[0], in[1]).eval()}; }

/// Of `count` n x n matrices each, one below the other.
workload products(const char* name, frit::dtype type, std::size_t count, std::size_t n) {
    const column normal{0, 0, type};
    workload w{.name = name, .run = product, .check = nullptr};
    for (int k = 0; k < 2; ++k) w.inputs.push_back({normal, count * n, n});
    if (count > 1)
        w.run = [count, n](const arrays& in) {
            return product({in[0].reshape({count, n, n}), in[1].reshape({count, n, n})});
        };
    w.check = [n](checker& c) {
        for (int k = 0; k < 300; ++k) {
            const std::size_t i = k == 0 ? 0 : k == 1 ? c.size(0) - 1 : c.any(c.size(0));
            const std::size_t matrix = i / (n * n), row = i / n % n, column = i % n;
            double sum = 0;
            for (std::size_t l = 0; l < n; ++l)
                sum += c.in(0, (matrix * n + row) * n + l) * c.in(1, (matrix * n + l) * n + column);
            c.compare(0, i, sum);
        }
    };
    w.written = w.inputs[0].bytes();
    if (n > 16) w.operations = 2.0 * static_cast<double>(count) * static_cast<double>(n * n * n);
    if (type == frit::dtype::bf16) w.tolerance = 1e-2;
    return w;
}

/// x w + b of m rows, n x n weights.
/// @param apart  the product is evaluated before what is made of it
workload layer(const char* name, bool apart, std::size_t m, std::size_t n) {
    workload w{.name = name, .run = nullptr, .check = nullptr};
    const column normal{};
    w.inputs = {{normal, m, n}, {normal, n, n}, {normal, 1, n}};
    w.run = [apart](const arrays& in) -> arrays {
        if (!apart) return {(matmul(in[0], in[1]) + in[2]).eval()};
        const frit::any_array product = matmul(in[0], in[1]).eval();
        return {(product + in[2]).eval()};
    };
    w.check = [n](checker& c) {
        for (int k = 0; k < 300; ++k) {
            const std::size_t i = k == 0 ? 0 : k == 1 ? c.size(0) - 1 : c.any(c.size(0)), row = i / n, column = i % n;
            double sum = c.in(2, column);
            for (std::size_t l = 0; l < n; ++l) sum += c.in(0, row * n + l) * c.in(1, l * n + column);
            c.compare(0, i, sum);
        }
    };
    w.written = w.inputs[0].bytes();
    w.operations = 2.0 * static_cast<double>(m) * static_cast<double>(n * n);
    return w;
}

/// A step down the gradient of m examples with n features each: the weights, and the gradient.
workload logistic_step(std::size_t m, std::size_t n) {
    workload w{.name = "logreg_grad", .run = nullptr, .check = nullptr};
    const auto features = [n](double scale) { return input{{-scale, scale}, 1, n}; };
    w.inputs = {{{}, m, n}, {{0, 1}, 1, m}, features(0.1)};
    w.run = [m](const arrays& in) -> arrays {
        const auto x = in[0].as<float>(), y = in[1].as<float>(), v = in[2].as<float>();
        const frit::array<float> g = matmul(x.T(), 1 / (1 + frit::exp(-matmul(x, v))) - y) * (1.0F / static_cast<float>(m));
        const frit::array<float> next = v - 0.5F * g;
        frit::eval(next, g);
        return {next, g};
    };
    w.check = [m, n](checker& c) {
        for (const std::size_t k : {std::size_t{0}, n / 2, n - 1}) {
            const double gradient = parallel_sum(m,
                                                 [&](std::size_t i) {
                                                     double dot = 0;
                                                     for (std::size_t l = 0; l < n; ++l)
                                                         dot += c.in(0, i * n + l) * c.in(2, l);
                                                     return (1 / (1 + std::exp(-dot)) - c.in(1, i)) * c.in(0, i * n + k);
                                                 }) /
                                    static_cast<double>(m);
            c.compare(1, k, gradient);
            c.compare(0, k, c.in(2, k) - 0.5 * gradient);
        }
    };
    w.written = 2 * w.inputs[2].bytes();
    w.tolerance = 1e-3;
    w.bar = 0.8;
    return w;
}

}  // namespace

std::vector<workload> make_products(bool tiny) {
    const std::size_t large = tiny ? 64 : 8192, count = tiny ? 5 : 256, small = tiny ? 24 : 512;
    const std::size_t rows = tiny ? 96 : 65536, many = tiny ? 50 : 100'000;
    return {products("matmul_f32", frit::dtype::f32, 1, large),
            products("matmul_bf16", frit::dtype::bf16, 1, large),
            products("bmm_f32", frit::dtype::f32, count, small),
            products("bmm_bf16", frit::dtype::bf16, count, small),
            products("bmm4_f32", frit::dtype::f32, many, 4),
            products("bmm8_f32", frit::dtype::f32, many, 8),
            products("bmm8_f64", frit::dtype::f64, many, 8),
            products("bmm8_bf16", frit::dtype::bf16, many, 8),
            products("bmm16_f32", frit::dtype::f32, many / 10, 16),
            layer("layer_f32", false, rows, small),
            layer("layer_apart_f32", true, rows, small),
            logistic_step(tiny ? 5000 : 1'000'000, 128)};
}
