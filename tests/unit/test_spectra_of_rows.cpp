// abs(rfft(x * w)) as one call on a GPU, for rows of float32 numbers of some lengths: exact counts of kernels, calls and
// bytes, what stays as it was, and values against sums in long double. On the CPU windows and magnitudes are kernels'.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "frit/frit.hpp"

#include "tests/support/engines.hpp"
#include "tests/support/libraries.hpp"
#include "tests/support/plan_counts.hpp"
#include "tests/support/values.hpp"

namespace {
using frit::all;
using frit::array;
using frit::shape;
using frit::slice;
using frit::fft::rfft;
using frit_test::plan_counts, frit_test::planned;

using complex64 = std::complex<float>;

array<float> numbers(const shape& extents, std::uint64_t seed) {
    frit_test::generator g(seed);
    std::vector<float> v(static_cast<std::size_t>(extents.size()));
    for (float& x : v) x = static_cast<float>(g.uniform(-1, 1));
    return frit::from_host(v, extents);
}

bool on_gpu() { return !frit::default_device().is_cpu(); }
constexpr plan_counts one_call{0, 1};
/// On a GPU one call; else one, and so many kernels.
plan_counts absorbed(std::uint64_t kernels) { return on_gpu() ? one_call : plan_counts{kernels, 1}; }

TEST(SpectraOfRows, AreOneCall) {
    const auto x = numbers({7, 128}, 1), w = numbers({128}, 2), ws = numbers({3, 128}, 3);
    EXPECT_EQ(planned(abs(rfft(x * w))), absorbed(2));
    EXPECT_EQ(planned(abs(rfft(w * x))), absorbed(2));
    EXPECT_EQ(planned(abs(rfft(x))), absorbed(1));
    EXPECT_EQ(planned(rfft(x * w)), absorbed(1));
    EXPECT_EQ(planned(abs(rfft(x * w.reshape({1, 128})))), absorbed(2));
    EXPECT_EQ(planned(abs(rfft(x * ws(2, all)))), absorbed(2)) << "a row of a matrix";
    EXPECT_EQ(planned(abs(rfft(x * numbers({200}, 4)(slice(31, 159))))), absorbed(2)) << "a part of a vector";
    EXPECT_EQ(planned(abs(rfft(x(slice(1, 6, 2)) * w))), absorbed(2)) << "every second row";
    EXPECT_EQ(planned(abs(rfft(numbers({7, 200}, 5)(all, slice(3, 131)) * w))), absorbed(2)) << "a part of each row";
    EXPECT_EQ(planned(abs(rfft(numbers({2, 3, 128}, 6) * w))), absorbed(2));
    EXPECT_EQ(planned(abs(rfft(ws(0, all) * w))), absorbed(2)) << "one row";
    EXPECT_EQ(planned(abs(rfft(frit::sort(x) * w))), (plan_counts{absorbed(2).kernels, 2})) << "a call's result";
    for (const std::int64_t n : {64, 256, 512, 1024, 2048})
        EXPECT_EQ(planned(abs(rfft(numbers({3, n}, 7) * numbers({n}, 8)))), absorbed(2)) << n;
}

// A window that somebody has yet to compute takes a kernel, which writes one row; so does a signal of frames.
TEST(SpectraOfRows, OfFormulas) {
    const auto x = numbers({7, 128}, 1), w = numbers({128}, 2), signal = numbers({1000}, 3);
    const plan_counts small_kernel{on_gpu() ? 1U : 2U, 1};
    EXPECT_EQ(planned(abs(rfft(x * (w * 2)))), small_kernel);
    const auto frames = [](const auto& s) { return frit::sliding_window_view(s, 128)(slice(0, frit::none, 32)); };
    EXPECT_EQ(planned(abs(rfft(frames(signal) * w))), absorbed(2));
    EXPECT_EQ(planned(abs(rfft(frames(signal)))), absorbed(2));
    EXPECT_EQ(planned(abs(rfft(frames(array<float>(signal + 1)) * w))).calls, 1U);
    if (!on_gpu()) return;
    EXPECT_EQ(planned(abs(rfft(frames(array<float>(signal + 1)) * w))), small_kernel);
    EXPECT_EQ(frit::make_plan(abs(rfft(frames(signal) * w))).bytes_read(), (27U * 32 + 128 + 128) * 4) << "once each";
    EXPECT_EQ(frit::make_plan(abs(rfft(x * (w * 2)))).bytes_written(), 128U * 4 + 7 * 65 * 4);
    EXPECT_EQ(frit::make_plan(abs(rfft(frames(array<float>(signal + 1)) * w))).bytes_written(), 1000U * 4 + 28 * 65 * 4);
    // both, on one reading of the signal
    const array<float> both = sum(frames(signal) * w, 1);
    EXPECT_EQ(planned(both, array<float>(abs(rfft(frames(signal) * w)))), (plan_counts{1, 1}));
}

// A kernel that reads magnitudes reads half as much.
TEST(SpectraOfRows, WhoeverReadsTheMagnitudes) {
    const auto x = numbers({7, 128}, 1), w = numbers({128}, 2);
    const plan_counts kernel_too{on_gpu() ? 1U : 2U, 1};
    EXPECT_EQ(planned(log(abs(rfft(x * w)) + 1)), kernel_too);
    EXPECT_EQ(planned(sum(abs(rfft(x * w)), 0)), kernel_too);
    EXPECT_EQ(planned(real(rfft(x * w))), kernel_too) << "the window alone";
    EXPECT_EQ(planned(abs(rfft(x * w + 1))), (plan_counts{on_gpu() ? 1U : 2U, 1})) << "the magnitudes alone";
}

// Views of a transform are of its magnitudes then; what is left of them to do is a copy.
TEST(SpectraOfRows, OfViewsOfTheTransform) {
    const auto x = numbers({7, 128}, 1), w = numbers({128}, 2);
    const plan_counts kernel_too{on_gpu() ? 1U : 2U, 1};
    EXPECT_EQ(planned(abs(rfft(x * w).T())), kernel_too);
    EXPECT_EQ(planned(abs(rfft(x * w)(all, slice(3, 10)))), kernel_too);
    EXPECT_EQ(planned(abs(rfft(x * w)(slice(0, 6, 2)).T()(slice(1, 9)))), kernel_too);
    EXPECT_EQ(planned(abs(rfft(x * w).reshape({65, 7}))), absorbed(2));
    EXPECT_EQ(planned(log(abs(rfft(x * w).T()) + 1)), kernel_too);
    const auto turned = rfft(x * w).T();
    EXPECT_EQ(planned(abs(turned) + frit::real(turned)), (plan_counts{on_gpu() ? 1U : 2U, 1})) << "read by others";
    const array<float> whole = array<float>(abs(rfft(x * w))).eval();
    const auto expect_same = [](const std::vector<float>& got, const std::vector<float>& want) {
        ASSERT_EQ(got.size(), want.size());
        for (std::size_t k = 0; k < got.size(); ++k) EXPECT_FLOAT_EQ(got[k], want[k]) << k;
    };
    expect_same(array<float>(abs(rfft(x * w).T())).to_vector(), array<float>(whole.T()).to_vector());
    expect_same(array<float>(abs(rfft(x * w)(slice(0, 6, 2)).T()(slice(1, 9)))).to_vector(),
                array<float>(whole(slice(0, 6, 2)).T()(slice(1, 9))).to_vector());
    expect_same(array<float>(abs(rfft(x * w).reshape({65, 7}))).to_vector(), whole.to_vector());
    // a spectrogram: the padded signal, the scaled window and the turned magnitudes are kernels
    const auto signal = numbers({5000}, 3);
    const array<std::complex<float>> z = std::get<2>(frit::signal::stft(signal));
    EXPECT_EQ(planned(abs(z)), (plan_counts{on_gpu() ? 3U : 4U, 1}));
    const std::vector<float> got = array<float>(abs(z)).to_vector();
    const std::vector<complex64> want = array<complex64>(z).to_vector();
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t k = 0; k < got.size(); ++k) EXPECT_NEAR(got[k], std::abs(want[k]), 1e-6F) << k;
}

TEST(SpectraOfRows, CountsOfAnEvaluation) {
    const auto x = numbers({7, 128}, 1), w = numbers({128}, 2);
    frit::reset_stats();
    (void)array<float>(abs(rfft(x * w))).eval();
    EXPECT_EQ(frit::stats().library_calls, 1U);
    EXPECT_EQ(frit::stats().kernels_launched, absorbed(2).kernels);
    if (!on_gpu()) return;
    const frit::plan p = frit::make_plan(abs(rfft(x * w))), window = frit::make_plan(rfft(x * w)),
                     magnitudes = frit::make_plan(abs(rfft(x)));
    EXPECT_EQ(p.bytes_read(), (7U * 128 + 128) * 4);
    EXPECT_EQ(p.bytes_written(), 7U * 65 * 4);
    EXPECT_EQ(window.bytes_read(), (7U * 128 + 128) * 4);
    EXPECT_EQ(window.bytes_written(), 7U * 65 * 8);
    EXPECT_EQ(magnitudes.bytes_read(), 7U * 128 * 4);
    EXPECT_EQ(magnitudes.bytes_written(), 7U * 65 * 4);
    EXPECT_NE(frit::explain(abs(rfft(x * w))).find("abs(real_dft(x0 * x1[i1]))"), std::string::npos);
    EXPECT_NE(frit::explain(rfft(x * w)).find("real_dft(x0 * x1[i1])"), std::string::npos);
    EXPECT_NE(frit::explain(log(abs(rfft(x)))).find("abs(real_dft(x0))"), std::string::npos);
}

TEST(SpectraOfRows, WhatStaysAsItWas) {
    const auto x = numbers({7, 128}, 1), w = numbers({128}, 2);
    const auto counts = [](std::uint64_t kernels) { return plan_counts{kernels, 1}; };
    EXPECT_EQ(planned(rfft(x)), counts(0));
    EXPECT_EQ(planned(array<float>(x * w), rfft(x * w)), counts(1)) << "the product is asked for too";
    const array<complex64> z = rfft(x * w);
    EXPECT_EQ(planned(array<float>(abs(z)), z), counts(on_gpu() ? 1 : 2)) << "the transform is asked for too";
    EXPECT_EQ(planned(abs(z) + real(z)), counts(on_gpu() ? 1 : 2)) << "another reader";
    EXPECT_EQ(planned(rfft(x * 2)), counts(1)) << "a number";
    EXPECT_EQ(planned(rfft(x * numbers({7, 1}, 3))), counts(1)) << "along the other axis";
    EXPECT_EQ(planned(rfft(x * numbers({7, 128}, 3))), counts(1)) << "a window for each row";
    EXPECT_EQ(planned(rfft(x * (w * 2))), counts(1)) << "a formula";
    EXPECT_EQ(planned(rfft((x + 1) * w)), counts(1)) << "a formula";
    EXPECT_EQ(planned(rfft(x * w(slice(frit::none, frit::none, -1)))), counts(1)) << "backwards";
    EXPECT_EQ(planned(rfft(numbers({128, 7}, 3).T() * w)), counts(1)) << "columns";
    EXPECT_EQ(planned(rfft(x + w)), counts(1));
    EXPECT_EQ(planned(abs(frit::fft::rfft2(x * w))), counts(2));
    EXPECT_EQ(planned(abs(frit::fft::fft(x * w))), counts(2));
    for (const std::int64_t n : {32, 63, 96, 4096})
        EXPECT_EQ(planned(abs(rfft(numbers({3, n}, 4) * numbers({n}, 5)))), counts(2)) << n;
    const auto wide = frit::cast<double>(x).eval();
    EXPECT_EQ(planned(abs(rfft(wide * frit::cast<double>(w).eval()))), counts(2)) << "float64";
    EXPECT_EQ(planned(abs(rfft(numbers({0, 128}, 5) * w))), (plan_counts{0, 0}));
    const frit_test::without_fusion off;
    EXPECT_EQ(planned(abs(rfft(x * w))), counts(4));
}

/// Of rows x w, within a few units in the last place of the row's norm, which is the size of its frequencies.
void expect_magnitudes(const std::vector<float>& got, const std::vector<float>& x, const std::vector<float>& w) {
    const std::size_t n = w.size(), bins = n / 2 + 1, rows = x.size() / n;
    ASSERT_EQ(got.size(), rows * bins);
    std::vector<std::complex<long double>> roots;
    for (std::size_t k = 0; k < n; ++k)
        roots.push_back(std::polar(
            1.0L, -2 * std::numbers::pi_v<long double> * static_cast<long double>(k) / static_cast<long double>(n)));
    for (std::size_t r = 0; r < rows; ++r) {
        long double squares = 0;
        for (std::size_t j = 0; j < n; ++j) squares += std::pow(static_cast<long double>(x[r * n + j]) * w[j], 2);
        for (std::size_t k = 0; k < bins; ++k) {
            std::complex<long double> sum = 0;
            for (std::size_t j = 0; j < n; ++j) sum += static_cast<long double>(x[r * n + j] * w[j]) * roots[j * k % n];
            ASSERT_NEAR(got[r * bins + k], static_cast<double>(std::abs(sum)),
                        static_cast<double>(8 * std::numeric_limits<float>::epsilon() * std::sqrt(squares)))
                << "row " << r << ", frequency " << k;
        }
    }
}

TEST(SpectraOfRows, Values) {
    for (const std::int64_t n : {64, 96, 128, 256, 512, 1024, 2048})  // 96: by cuFFT and kernels
        for (const std::int64_t rows : {std::int64_t{1}, n < 512 ? std::int64_t{33} : std::int64_t{9}}) {
            SCOPED_TRACE(std::to_string(rows) + " rows of " + std::to_string(n));
            const auto x = numbers({rows, n}, 1), w = numbers({n}, 2), ones = frit::ones<float>({n}).eval();
            expect_magnitudes(array<float>(abs(rfft(x * w))).to_vector(), x.to_vector(), w.to_vector());
            expect_magnitudes(array<float>(abs(rfft(x))).to_vector(), x.to_vector(), ones.to_vector());
            const array<complex64> spectra = array<complex64>(rfft(x * w)).eval();
            expect_magnitudes(array<float>(abs(spectra)).to_vector(), x.to_vector(), w.to_vector());
        }
}

// Frames of a signal that overlap, or that have gaps, from an even or an odd place on; the window anywhere too.
TEST(SpectraOfRows, ValuesOfFrames) {
    const array<float> signal = numbers({5000}, 1), windows = numbers({2000}, 2);
    for (const std::int64_t n : {64, 256, 1024})
        for (const std::int64_t hop : {n / 4, n / 4 + 1, n + 6})
            for (const std::int64_t first : {0, 1}) {
                SCOPED_TRACE("frames of " + std::to_string(n) + ", " + std::to_string(hop) + " apart");
                const std::int64_t rows = (signal.size() - first - n) / hop + 1;
                const auto from = signal(slice(first, frit::none));
                const array<float> w = windows(slice(first * 3, first * 3 + n));
                const auto frames = frit::sliding_window_view(from, n)(slice(0, frit::none, hop));
                EXPECT_EQ(planned(abs(rfft(frames * w))), absorbed(2));
                const std::vector<float> x = array<float>(frames).to_vector();
                ASSERT_EQ(static_cast<std::int64_t>(x.size()), rows * n);
                expect_magnitudes(array<float>(abs(rfft(frames * w))).to_vector(), x, w.to_vector());
            }
}

TEST(SpectraOfRows, ValuesThatAreNoNumbers) {
    constexpr float inf = std::numeric_limits<float>::infinity();
    std::vector<float> rows(3 * 64, 1.0F);
    rows[64] = NAN;
    rows[128] = inf;
    const auto x = frit::from_host(rows, {3, 64}), w = frit::ones<float>({64}).eval();
    const std::vector<float> got = array<float>(abs(rfft(x * w))).to_vector();
    EXPECT_EQ(got[0], 64);
    for (std::size_t k = 1; k < 33; ++k) EXPECT_EQ(got[k], 0);
    for (std::size_t k = 33; k < 99; ++k) EXPECT_FALSE(std::isfinite(got[k])) << k;
}

// 937 frames would be 240 kilobytes.
TEST(SpectraOfRows, OfAFewOfManyFramesStoreThoseAlone) {
    const auto few = frit::sliding_window_view(numbers({1000}, 1), 64)(slice(0, frit::none, 256));
    EXPECT_EQ(planned(rfft(few)), (plan_counts{1, 1}));
    EXPECT_EQ(frit::make_plan(rfft(few)).bytes_written(), 4U * 64 * 4 + 4 * 33 * 8);
    const array<float> dense = few;
    EXPECT_EQ(array<complex64>(rfft(few)).to_vector(), array<complex64>(rfft(dense)).to_vector());
}

TEST(SpectraOfRows, OfOperandsThatAreWrittenToInTheSameEvaluation) {
    array<float> x = numbers({5, 64}, 1);
    const auto w = numbers({64}, 2);
    const std::vector<float> before = x.to_vector();
    const array<float> spectra = abs(rfft(x * w));
    x(all, slice(0, 10)) = 0;
    frit::eval(spectra, x);
    expect_magnitudes(spectra.to_vector(), before, w.to_vector());
    EXPECT_EQ(x.to_vector()[9], 0);
    // the signal takes what was computed from its own frames
    array<float> signal = numbers({400}, 3);
    const std::vector<float> old = signal.to_vector();
    const auto frames = frit::sliding_window_view(signal, 64)(slice(0, frit::none, 16));
    const std::vector<float> rows = array<float>(frames).to_vector();
    const array<float> magnitudes = abs(rfft(frames * w));
    signal(slice(0, 33)) = magnitudes(0, all);
    frit::eval(signal, magnitudes);
    expect_magnitudes(magnitudes.to_vector(), rows, w.to_vector());
    const std::vector<float> now = signal.to_vector(), first = magnitudes.to_vector();
    for (std::size_t k = 0; k < 400; ++k) EXPECT_EQ(now[k], k < 33 ? first[k] : old[k]) << k;
}

}  // namespace
