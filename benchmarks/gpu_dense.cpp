// Factorisations of one large matrix, Fourier transforms and a power iteration in the GPU benchmark: what vendors' libraries
// do, with the elementwise work around it. The bound is to read and write each once.
#include <cmath>
#include <complex>
#include <numbers>

#include "gpu_cases.hpp"

namespace {

using complex_array = frit::array<std::complex<float>>;

// --- factorisations ---

/// n x n, whose lower triangle is that of a positive definite matrix: its diagonal is 8, and the norm of the rest below 4.
input positive_definite(std::size_t n) {
    const double small = 2 / std::sqrt(static_cast<double>(n));
    return {{-small, small, frit::dtype::f32, n}, n, n};
}

workload cholesky(std::size_t n) {
    workload w{.name = "cholesky_4096", .run = nullptr, .check = nullptr};
    w.inputs = {positive_definite(n)};
    w.written = w.inputs[0].bytes();
    w.run = [](const arrays& in) -> arrays { return {frit::linalg::cholesky(in[0].as<float>()).eval()}; };
    w.check = [n](checker& c) {
        for (int k = 0; k < 300; ++k) {
            const std::size_t i = k == 0 ? n - 1 : c.any(n), j = c.any(i + 1);
            double rest = c.in(0, i * n + j);
            for (std::size_t l = 0; l < j; ++l) rest -= c.out(0, i * n + l) * c.out(0, j * n + l);
            const double diagonal = c.out(0, j * n + j);
            c.compare(0, i * n + j, i == j ? std::sqrt(rest) : rest / diagonal);
        }
    };
    return w;
}

/// @param symmetric  of the matrix whose lower triangle the operand has, which is positive definite
workload equation(const char* name, bool symmetric, std::size_t n) {
    workload w{.name = name, .run = nullptr, .check = nullptr};
    w.inputs = {positive_definite(n), {{}, 1, n}};
    w.written = w.inputs[1].bytes();
    w.run = [symmetric](const arrays& in) -> arrays {
        const auto a = in[0].as<float>(), b = in[1].as<float>();
        return {frit::linalg::solve(a, b, symmetric ? frit::linalg::positive_definite : frit::linalg::structure::general)
                    .eval()};
    };
    w.check = [n, symmetric](checker& c) {
        for (int k = 0; k < 300; ++k) {
            const std::size_t i = k == 0 ? n - 1 : c.any(n);
            double rest = c.in(1, i);
            for (std::size_t j = 0; j < n; ++j)
                if (j != i) rest -= c.in(0, symmetric && j > i ? j * n + i : i * n + j) * c.out(0, j);
            c.compare(0, i, rest / c.in(0, i * n + i));
        }
    };
    return w;
}

workload eigenvalues(std::size_t n) {
    workload w{.name = "eigh_1024", .run = nullptr, .check = nullptr};
    w.inputs = {positive_definite(n)};
    w.written = w.inputs[0].bytes() + 4 * static_cast<double>(n);
    w.run = [](const arrays& in) -> arrays {
        const auto [values, vectors] = frit::linalg::eigh(in[0].as<float>());
        frit::eval(values, vectors);
        return {values, vectors};
    };
    w.check = [n](checker& c) {  // a v = v w, where v is largest
        for (const std::size_t k : {std::size_t{0}, n / 2, n - 1}) {
            std::size_t i = 0;
            for (std::size_t r = 0; r < n; ++r)
                if (std::abs(c.out(1, r * n + k)) > std::abs(c.out(1, i * n + k))) i = r;
            double product = 0;
            for (std::size_t j = 0; j < n; ++j) product += c.in(0, j > i ? j * n + i : i * n + j) * c.out(1, j * n + k);
            c.compare(0, k, product / c.out(1, i * n + k));
            c.compare(1, i * n + k, product / c.out(0, k));
        }
    };
    return w;
}

// --- a power iteration ---

workload power_iteration(std::size_t n) {
    constexpr int steps = 20;
    workload w{.name = "power_iter", .run = nullptr, .check = nullptr};
    w.inputs = {{{0, 1}, n, n}, {{0, 1}, 1, n}};
    w.passes = steps;
    w.run = [](const arrays& in) -> arrays {
        const auto a = in[0].as<float>();
        frit::array<float> x = in[1].as<float>(), length;
        for (int k = 0; k < steps; ++k) {
            const frit::array<float> y = matmul(a, x);
            length = frit::linalg::vector_norm(y);
            x = y / length;
        }
        frit::eval(x, length);
        return {x, length};
    };
    w.check = [n](checker& c) {  // by then nothing changes: the elements are positive
        for (int k = 0; k < 30; ++k) {
            const std::size_t i = c.any(n);
            double y = 0;
            for (std::size_t j = 0; j < n; ++j) y += c.in(0, i * n + j) * c.out(0, j);
            c.compare(0, i, y / c.out(1, 0));
            c.compare(1, 0, y / c.out(0, i));
        }
    };
    w.bar = 0.98;
    return w;
}

// --- Fourier transforms ---

/// The filter moves the signal on by `shift` elements, so that the result is known.
workload convolution(std::size_t n) {
    constexpr std::size_t shift = 12345;
    workload w{.name = "fft_convolution", .run = nullptr, .check = nullptr};
    w.inputs = {{{}, 1, 2 * n}};
    w.written = 2 * w.inputs[0].bytes();  // the filter is read, too
    const auto phase =
        frit::arange<double>(static_cast<std::int64_t>(n)) * (-2 * std::numbers::pi * shift / static_cast<double>(n));
    const complex_array filter =
        frit::complex(frit::cast<float>(frit::cos(phase)), frit::cast<float>(frit::sin(phase))).eval();
    w.run = [filter](const arrays& in) -> arrays {
        const complex_array x = frit::view_as_complex(in[0].as<float>().reshape({-1, 2}));
        const complex_array y = frit::fft::ifft(frit::fft::fft(x) * filter);
        y.eval();
        return {frit::view_as_real(y)};
    };
    w.check = [n](checker& c) {
        for (int k = 0; k < 300; ++k) {
            const std::size_t i = k == 0 ? 0 : c.any(n), from = (i + n - shift % n) % n;
            for (std::size_t part = 0; part < 2; ++part) c.compare(0, 2 * i + part, c.in(0, 2 * from + part));
        }
    };
    return w;
}

/// @param around  with a window before the transform and the magnitude after it
workload spectra(const char* name, bool around, std::size_t rows, std::size_t n) {
    workload w{.name = name, .run = nullptr, .check = nullptr};
    w.inputs = {{{}, rows, n}, {{0.5, 1.5}, 1, n}};
    w.written = static_cast<double>(rows * (n / 2 + 1)) * (around ? 4 : 8);
    w.run = [around](const arrays& in) -> arrays {
        const auto x = in[0].as<float>(), window = in[1].as<float>();
        if (around) return {frit::abs(frit::fft::rfft(x * window)).eval()};
        const complex_array y = frit::fft::rfft(x);
        y.eval();
        return {frit::view_as_real(y)};
    };
    w.check = [around, rows, n](checker& c) {
        for (int k = 0; k < 300; ++k) {
            const std::size_t row = k == 0 ? rows - 1 : c.any(rows), bin = c.any(n / 2 + 1), at = row * (n / 2 + 1) + bin;
            std::complex<double> sum = 0;
            for (std::size_t j = 0; j < n; ++j)
                sum += c.in(0, row * n + j) * (around ? c.in(1, j) : 1) *
                       std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(bin * j % n) / static_cast<double>(n));
            if (around) {
                c.compare(0, at, std::abs(sum));
            } else {
                c.compare(0, 2 * at, sum.real());
                c.compare(0, 2 * at + 1, sum.imag());
            }
        }
    };
    w.bar = around ? 0.9 : 0.94;
    return w;
}

}  // namespace

std::vector<workload> make_dense(bool tiny) {
    const std::size_t large = tiny ? 40 : 4096;
    return {cholesky(large),
            equation("solve_4096", false, large),
            equation("solve_cholesky_4096", true, large),
            eigenvalues(tiny ? 30 : 1024),
            power_iteration(tiny ? 50 : 8192),
            convolution(tiny ? 1 << 14 : 1 << 25),
            spectra("rfft_rows", false, tiny ? 20 : 65536, tiny ? 64 : 1024),
            spectra("rfft_around", true, tiny ? 20 : 65536, tiny ? 64 : 1024)};
}
