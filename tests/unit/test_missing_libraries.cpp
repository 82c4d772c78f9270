// A machine without OpenBLAS, or without FFTW: what needs it says so and names the package, and everything else serves.
// ctest runs these tests again where the loader finds files of those names that are no libraries.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "frit/frit.hpp"

#include "src/cpu/fftw.hpp"
#include "src/cpu/lapack.hpp"

namespace {

namespace linalg = frit::linalg;
using frit::array;

class MissingLibraries : public testing::Test {
    frit::scoped_device here_{frit::device::cpu()};
};

template <class F>
std::string text_of_device_error(F f) {
    try {
        f();
    } catch (const frit::device_error& e) {
        return e.what();
    }
    return "no error";
}

TEST_F(MissingLibraries, WhatNeedsOpenBlasNamesItsPackage) {
    if (frit::detail::find_lapack()) GTEST_SKIP() << "there is OpenBLAS";
    const array<double> a{{4, 1}, {1, 3}};
    const array<float> pending = frit::sqrt(frit::arange<float>(100));
    const auto expect_named = [&](const std::string& who, auto f) {
        const std::string text = text_of_device_error(f);
        EXPECT_TRUE(text.starts_with("cpu: " + who + " needs OpenBLAS, and there is none (")) << text;
        EXPECT_NE(text.find("): install libopenblas0-pthread (Debian, Ubuntu); asked for by "), std::string::npos) << text;
    };
    expect_named("matmul", [&] { matmul(a, a).eval(); });
    expect_named("solve", [&] { linalg::solve(a, a).eval(); });
    expect_named("solve_triangular", [&] { linalg::solve_triangular(a, a, linalg::lower).eval(); });
    expect_named("inv", [&] { linalg::inv(a).eval(); });
    expect_named("det", [&] { linalg::det(a).eval(); });
    expect_named("cholesky", [&] { linalg::cholesky(a).eval(); });
    expect_named("cholesky_ex", [&] { std::get<1>(linalg::cholesky_ex(a)).eval(); });
    expect_named("solve_triangular_ex", [&] { std::get<0>(linalg::solve_triangular_ex(a, a, linalg::lower)).eval(); });
    expect_named("svd_ex", [&] { std::get<1>(linalg::svdvals_ex(a)).eval(); });
    expect_named("eigh_ex", [&] { std::get<1>(linalg::eigvalsh_ex(a)).eval(); });
    expect_named("lu", [&] { std::get<0>(linalg::lu(a)).eval(); });
    expect_named("qr", [&] { std::get<0>(linalg::qr(a)).eval(); });
    expect_named("svd", [&] { linalg::svdvals(a).eval(); });
    expect_named("eigh", [&] { linalg::eigvalsh(a).eval(); });
    expect_named("eigvals", [&] { linalg::eigvals(a).eval(); });
    EXPECT_EQ(pending(9).item(), 3) << "what was pending is unharmed";
    EXPECT_NE(frit::info().find("libopenblas0-pthread"), std::string::npos) << frit::info();
}

TEST_F(MissingLibraries, FftwsPackageIsNamedInTheInfo) {
    const frit::detail::found_library fftw = frit::detail::find_fftw();
    if (fftw.found) GTEST_SKIP() << "there is " << fftw.text;
    EXPECT_NE(fftw.text.find("frit's own transforms serve meanwhile"), std::string::npos) << fftw.text;
    EXPECT_NE(frit::info().find(fftw.text), std::string::npos) << frit::info();
}

TEST_F(MissingLibraries, TransformsServeWithoutFftw) {
    for (const std::int64_t n : {1, 2, 30, 64, 101}) {
        std::vector<std::complex<double>> x;
        for (std::int64_t k = 0; k < n; ++k)
            x.emplace_back(std::sin(3.0 * static_cast<double>(k)), static_cast<double>(k % 7));
        const array<std::complex<double>> values = frit::from_host(x, {n});
        const auto y = frit::fft::fft(values).to_vector(), back = frit::fft::ifft(frit::fft::fft(values)).to_vector();
        for (std::int64_t j = 0; j < n; ++j) {
            std::complex<long double> sum;
            for (std::int64_t k = 0; k < n; ++k)
                sum += std::complex<long double>(x[static_cast<std::size_t>(k)]) *
                       std::polar(1.0L,
                                  -2 * std::acos(-1.0L) * static_cast<long double>(j * k % n) / static_cast<long double>(n));
            EXPECT_LE(std::abs(std::complex<long double>(y[static_cast<std::size_t>(j)]) - sum),
                      1e-12L * static_cast<long double>(n));
            EXPECT_LE(std::abs(back[static_cast<std::size_t>(j)] - x[static_cast<std::size_t>(j)]), 1e-13);
        }
    }
}

TEST_F(MissingLibraries, WhatNeedsNoLibraryServes) {
    const array<float> x{{3, 1, 2}, {6, 5, 4}};
    EXPECT_EQ(frit::sum(x * 2, 1).to_vector(), (std::vector<float>{12, 30}));
    EXPECT_EQ(frit::sort(x, 1).to_vector(), (std::vector<float>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(frit::cumsum(x, 1).to_vector(), (std::vector<float>{3, 4, 6, 6, 11, 15}));
    const array<int> i{{1, 2}, {3, 4}};
    EXPECT_EQ(matmul(i, i).to_vector(), (std::vector<int>{7, 10, 15, 22})) << "integers are multiplied by frit itself";
    EXPECT_EQ(frit::einsum("ij->j", x).to_vector(), (std::vector<float>{9, 6, 6}));
    EXPECT_EQ(linalg::norm(array<double>{3, 4}).item(), 5);
    EXPECT_EQ(linalg::trace(x(frit::all, frit::slice(0, 2))).item(), 8);
}

}  // namespace
