// Windows, the analytic signal, short-time transforms and convolutions by transforms: SciPy's answers, inverses, dtypes, all
// axes; what they cost; errors.
#include <gtest/gtest.h>

#include <complex>
#include <string>
#include <vector>

#include "frit/frit.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"

namespace {

namespace sg = frit::signal;
using frit::any_array;
using frit::array;
using frit::convolve_mode;
using frit::none;
using c = std::complex<double>;

array<double> digits() { return {3, 1, 4, 1, 5, 9, 2, 6}; }

void expect_near(const any_array& y, const std::vector<c>& want, double tolerance = 5e-9) {
    const std::vector<c> got = array<c>(frit::cast<c>(y)).to_vector();
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t k = 0; k < want.size(); ++k) EXPECT_LT(std::abs(got[k] - want[k]), tolerance) << "element " << k;
}

TEST(Signal, WindowsAsSciPy) {
    expect_near(sg::windows::hamming(5), {0.08, 0.54, 1, 0.54, 0.08}, 1e-15);
    expect_near(sg::windows::blackman(5), {0, 0.34, 1, 0.34, 0}, 1e-15);
    expect_near(sg::windows::blackman(4, false), {0, 0.34, 1, 0.34}, 1e-15);
    EXPECT_EQ(sg::windows::hann(1).to_vector(), std::vector<double>{1});
    EXPECT_EQ(sg::windows::hann(0).shape(), frit::shape(0));
    EXPECT_ERROR(sg::windows::hann(-1), frit::shape_error, "hann", "-1", "test_signal.cpp");
    EXPECT_KERNELS(1, array<double>(digits() * sg::windows::hann(8)));
}

TEST(Signal, HilbertAsSciPy) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<double> x = digits().eval();
        const array<c> z = sg::hilbert(x);
        expect_near(real(z), {3, 1, 4, 1, 5, 9, 2, 6}, 1e-14);
        expect_near(imag(z), {3.84619408, -0.914213562, -0.310660172, -0.5, -5.34619408, 1.91421356, 1.81066017, -0.5});
        expect_near(imag(sg::hilbert(x, 5)), {2.89807235, -1.19677073, 0.290617011, -0.324919696, -1.66699893});
        expect_near(imag(sg::hilbert(x, 10)), {0.111005821, -1.34207924, -1.30777655, -0.470228202, -5.65083619, 2.42784414,
                                               1.99191863, 1.52169043, 4.85568829, -2.13722713});
        const array<double> grid = x.reshape({4, 2}).eval();
        for (int k = 0; k < 2; ++k)
            EXPECT_TRUE(
                array_equal(sg::hilbert(grid, none, 0)(frit::all, k), sg::hilbert(array<double>(grid(frit::all, k)))));
        EXPECT_EQ(sg::hilbert(array<double>{7}).to_vector(), std::vector<c>{7});
    });
    EXPECT_EQ(sg::hilbert(array<float>{1, 2}).dtype(), frit::dtype::c64);
    EXPECT_EQ(sg::hilbert(any_array(array<int>{1, 2})).dtype(), frit::dtype::c128);
    EXPECT_ERROR(sg::hilbert(array<c>{c(1)}), frit::dtype_error, "hilbert", "complex128", "test_signal.cpp");
    EXPECT_ERROR(sg::hilbert(digits(), none, 1), frit::index_error, "hilbert", "(8,)");
    EXPECT_ERROR(sg::hilbert(digits(), 0), frit::shape_error, "hilbert", "0 elements");
    EXPECT_ERROR(sg::hilbert(frit::zeros<double>({0})), frit::shape_error, "hilbert", "(0,)");
}

// The envelope of a carrier that is modulated: two calls, the kernel between them, and the one that takes the modulus.
TEST(Signal, AnEnvelopeIsTwoCalls) {
    const array<double> t = (frit::arange<double>(0, 512) / 512).eval();
    const array<double> slow = 1 + 0.5 * cos(2 * M_PI * 3 * t), wave = (slow * cos(2 * M_PI * 64 * t)).eval();
    const array<double> envelope = abs(sg::hilbert(wave));
    SCOPED_TRACE(frit::explain(envelope));
    const frit::plan report = frit::make_plan(envelope);
    EXPECT_EQ(report.library_calls().size(), 2U);
    EXPECT_EQ(report.kernels().size(), 2U);
    EXPECT_LT(max(abs(envelope - slow)).item(), 1e-13);
}

TEST(Signal, ShortTimeSpectraAsSciPy) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const auto [f, t, z] = sg::stft(digits(), {.fs = 2, .nperseg = 4});
        expect_near(f, {0, 0.5, 1}, 1e-15);
        expect_near(t, {0, 1, 2, 3, 4}, 1e-15);
        EXPECT_EQ(z.shape(), (frit::shape{3, 5}));
        expect_near(z, {1.75, 2.5, 5, 4.75, 1.5, c(-1.5, 0.25), -2, c(-2.5, 2), c(-1, -0.75), c(0, -1.5), 1.25, 1.5, 0,
                        -2.75, -1.5});
        const auto [g, s, y] = sg::stft(digits(), {.fs = 2,
                                                   .window = sg::window::hamming,
                                                   .nperseg = 5,
                                                   .noverlap = 3,
                                                   .nfft = 6,
                                                   .boundary = false,
                                                   .padded = false,
                                                   .scaling = sg::scaling::psd});
        expect_near(g, {0, 1 / 3.0, 2 / 3.0, 1}, 1e-15);
        expect_near(s, {1.25, 2.25}, 1e-15);
        expect_near(y, {3.6056636, 7.16513766, c(-1.65144987, -0.893695415), c(-5.2012446, -1.80847002),
                        c(-0.935898813, 0.548020041), c(2.83532109, 1.46279464), 2.29138523, -1.47015534});
        const array<c> both = complex(digits(), flip(digits()));
        const auto [h, r, w] = sg::stft(both, {.window = array<int>{1, 2, 1}, .noverlap = 0});
        expect_near(h, {0, 1 / 3.0, -1 / 3.0}, 1e-15);
        expect_near(r, {0, 3, 6, 9}, 1e-15);
        expect_near(w, {c(1.75, 3.5), c(2.75, 5), c(4.75, 2.25), 0, c(1.29006351, -2.83253175), c(2.07355716, 1.52451905),
                        c(0.783493649, 0.808012702), 0, c(-3.04006351, -0.667468245), c(-1.82355716, 0.225480947),
                        c(1.21650635, -0.0580127019), 0});
    });
}

TEST(Signal, SignalsOfSpectraAsSciPy) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<c> z{{c(1), c(2), c(3)}, {c(0, 1), c(2), c(1, -1)}, {c(0.5), c(1), c(2)}};
        const auto [t, y] = sg::istft(z, {.fs = 2, .nperseg = 4});
        expect_near(t, {0, 0.5, 1, 1.5}, 1e-15);
        expect_near(y, {0.75, 1.75, -0.5, 2});
        const auto [s, x] = sg::istft(z, sg::twosided, {.window = sg::window::blackman, .nperseg = 3, .boundary = false});
        expect_near(x, {0, c(-0.0773502692, -0.622008468), c(1.07735027, -0.0446581987), c(0.333333333, 0.577350269),
                        c(0.333333333, -0.577350269), c(1.57735027, -0.244016936), c(0.422649731, 0.910683603)});
    });
}

TEST(Signal, InversesGiveTheSignal) {
    const array<double> x = sin(square(frit::arange<double>(0, 300)) / 90).reshape({2, 3, 50}).eval();
    for (const int n : {1, 2, 7, 16})
        for (const int overlap : {0, n / 2, n - 1})
            for (int axis = 0; axis < 3; ++axis) {
                SCOPED_TRACE(std::to_string(n) + ", " + std::to_string(overlap) + ", axis " + std::to_string(axis));
                if (n > x.shape()[axis] || overlap >= n) continue;
                const sg::segments how{.window = sg::window::hamming, .nperseg = n, .noverlap = overlap, .nfft = n + 3};
                const auto [f, t, z] = sg::stft(x, how, axis);
                const auto [s, y] = sg::istft(z, how, -1, axis);
                const array<double> back = y, want = moveaxis(x, axis, -1);
                EXPECT_EQ(s.size(), back.shape()[2]);
                EXPECT_LT(max(abs(back(frit::ellipsis, frit::slice(0, want.shape()[2])) - want)).item(), 1e-13);
            }
}

TEST(Signal, DtypesOfSpectra) {
    const auto dtype_of = [](const any_array& x) { return std::get<2>(sg::stft(x, {.nperseg = 2})).dtype(); };
    EXPECT_EQ(dtype_of(array<frit::half>{1, 2, 3}), frit::dtype::c64);
    EXPECT_EQ(dtype_of(array<frit::bfloat16>{1, 2, 3}), frit::dtype::c64);
    EXPECT_EQ(dtype_of(array<float>{1, 2, 3}), frit::dtype::c64);
    EXPECT_EQ(dtype_of(array<std::complex<float>>{1, 2, 3}), frit::dtype::c64);
    EXPECT_EQ(dtype_of(array<std::int16_t>{1, 2, 3}), frit::dtype::c128);
    const array<frit::half> x{1, 2, 3, 4, 5, 6};
    const auto [f, t, z] = sg::stft(x, {.nperseg = 4});
    const auto [s, y] = sg::istft(z, {.nperseg = 4});
    EXPECT_EQ(y.dtype(), frit::dtype::f32);
    EXPECT_LT(max(abs(y - frit::cast<float>(x))).item(), 1e-6F);
}

// The windowed segments are what the library reads; times and frequencies cost nothing.
TEST(Signal, SegmentsAreOneCall) {
    const array<float> x = sin(frit::arange<float>(0, 4096) / 7).eval(), w = frit::ones<float>({64}).eval();
    const array<std::complex<float>> z = std::get<2>(sg::stft(x, {.window = w, .boundary = false}));
    const frit::plan report = frit::make_plan(z);
    EXPECT_EQ(report.library_calls().size(), 1U);
    const array<float> power = real(z) * real(z) + imag(z) * imag(z);
    EXPECT_EQ(frit::make_plan(power).library_calls().size(), 1U);
    EXPECT_EQ(z.shape(), (frit::shape{33, 127}));
    EXPECT_EQ(argmax(sum(abs(z), 1)).item(), 1);  // 64 / (7 * 2 pi) = 1.46 waves in a segment
}

TEST(Signal, ConvolutionsByTransformsAsSciPy) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<double> x = digits().reshape({2, 4}).eval(), k{{1, 2}, {3, 4}}, row{{1, 2}};
        expect_near(sg::fftconvolve(x, k, convolve_mode::same), {3, 7, 6, 9, 14, 34, 36, 29}, 1e-13);
        expect_near(sg::fftconvolve(x, row, convolve_mode::full, 1), {3, 7, 6, 9, 2, 5, 19, 20, 10, 12}, 1e-13);
        expect_near(sg::fftconvolve(row, x, convolve_mode::valid, 1), {7, 6, 9, 19, 20, 10}, 1e-13);
        for (const auto mode : {convolve_mode::full, convolve_mode::same, convolve_mode::valid}) {
            expect_near(sg::fftconvolve(x, k, mode), array<c>(frit::cast<c>(convolve(x, k, mode))).to_vector(), 1e-13);
            const array<double> cube = digits().reshape({2, 2, 2}).eval();
            const array<double> whole = sg::fftconvolve(cube, frit::ones<double>({1, 1, 1}), mode);
            EXPECT_LT(max(abs(whole - cube)).item(), 1e-14);
        }
    });
    EXPECT_EQ(sg::fftconvolve(array<int>{1, 2}, array<float>{3}).dtype(), frit::dtype::f64);
    EXPECT_EQ(sg::fftconvolve(array<frit::half>{1, 2}, array<frit::half>{3}).dtype(), frit::dtype::f32);
    EXPECT_EQ(
        sg::fftconvolve(array<float>{1, 2}, array<std::complex<float>>{{0, 1}}.reshape({-1})(frit::slice(0, 1))).dtype(),
        frit::dtype::c64);
    EXPECT_EQ(sg::fftconvolve(any_array(array<double>{1, 2}), array<double>{3}).dtype(), frit::dtype::f64);
}

// Of an array on another device than the default one, where the stand-in or a GPU is that.
TEST(Signal, ConvolutionsWithoutAxes) {
    const std::int8_t hundred = 100;
    EXPECT_EQ(sg::fftconvolve(frit::scalar(hundred), frit::scalar(hundred)).item(), 10000);
}

TEST(Signal, OnTheDeviceOfTheArray) {
    const array<double> x = digits().to(frit::device::cpu());
    EXPECT_EQ(array<c>(sg::hilbert(x)).device(), frit::device::cpu());
    EXPECT_LT(max(abs(real(sg::hilbert(x, 9))(frit::slice(0, 8)) - x)).item(), 1e-14);
    const auto [f, t, z] = sg::stft(x, {.nperseg = 4});
    const auto [s, y] = sg::istft(z, {.nperseg = 4});
    EXPECT_LT(max(abs(y - x)).item(), 1e-14);
    EXPECT_LT(max(abs(sg::fftconvolve(x, x) - convolve(x, x))).item(), 1e-13);
}

TEST(Signal, Mistakes) {
    const array<double> x = digits();
    EXPECT_ERROR(sg::stft(x, {.nperseg = -2}), frit::error, "stft", "-2", "test_signal.cpp");
    EXPECT_ERROR(sg::stft(x, {.nperseg = 4, .noverlap = 4}), frit::error, "stft", "noverlap", "0 to 3", "test_signal.cpp");
    EXPECT_ERROR(sg::stft(x, {.nperseg = 4, .nfft = 3}), frit::error, "stft", "nfft is 3");
    EXPECT_ERROR(sg::stft(x, {.fs = 0}), frit::error, "stft", "fs");
    EXPECT_ERROR(sg::stft(x, {.window = frit::ones<double>({9})}), frit::error, "stft", "window", "8");
    EXPECT_ERROR(sg::stft(x, {.window = frit::ones<double>({3, 3})}), frit::shape_error, "stft", "vector", "(3, 3)");
    EXPECT_ERROR(sg::stft(x, {.window = frit::ones<double>({3}), .nperseg = 4}), frit::error, "nperseg is 4", "3 elements");
    EXPECT_ERROR(sg::stft(x, {.window = array<c>{c(1), c(1)}}), frit::dtype_error, "stft", "complex128");
    EXPECT_ERROR(sg::stft(x, {}, 1), frit::index_error, "stft", "(8,)");
    EXPECT_ERROR(sg::stft(frit::zeros<double>({0})), frit::shape_error, "stft", "no elements");
    const array<c> z = frit::ones<c>({3, 5});
    EXPECT_ERROR(sg::istft(z, {}, -1, 1), frit::index_error, "istft", "one axis", "test_signal.cpp");
    EXPECT_ERROR(sg::istft(z, {.nperseg = 4, .nfft = 8}), frit::error, "istft", "3 elements");
    EXPECT_ERROR(sg::istft(z, {.nperseg = 8}), frit::error, "istft", "nfft is 4");
    EXPECT_ERROR(sg::istft(frit::ones<c>({3, 0})), frit::shape_error, "istft", "no elements");
    EXPECT_ERROR(sg::fftconvolve(x, frit::ones<double>({2, 2})), frit::shape_error, "fftconvolve", "rank", "(8,)", "(2, 2)",
                 "test_signal.cpp");
    EXPECT_ERROR(sg::fftconvolve(x, frit::zeros<double>({0})), frit::shape_error, "fftconvolve", "elements");
    EXPECT_ERROR(sg::fftconvolve(x, x, convolve_mode::full, {0, -1}), frit::index_error, "fftconvolve", "named twice");
    EXPECT_ERROR(sg::fftconvolve(frit::ones<double>({2, 3}), frit::ones<double>({3, 2}), convolve_mode::valid),
                 frit::shape_error, "neither operand fits");
    EXPECT_ERROR(sg::fftconvolve(frit::ones<double>({2, 3}), frit::ones<double>({3, 2}), convolve_mode::full, 1),
                 frit::shape_error, "broadcast along axis 0");
}

}  // namespace
