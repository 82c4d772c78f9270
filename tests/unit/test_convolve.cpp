// convolve and correlate: NumPy's and SciPy's answers for every mode and parity, every dtype against the definition, and
// that nothing but a padded operand is stored on the way.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <string>
#include <vector>

#include "frit/frit.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"
#include "tests/unit/convolve_answers.hpp"

namespace {

using frit::any_array;
using frit::array;
using frit::shape;
using frit::slice;
using frit_test::mode;
using ints = std::vector<int>;

const ints vector_x{3, 1, 4, 1, 5, 9, 2, 6}, vector_k{2, 7, 1, 8, 2, 8};

array<int> matrix_x() { return {{3, 1, 4}, {1, 5, 9}, {2, 6, 5}, {3, 5, 8}}; }
array<int> matrix_k() { return {{2, 7, 1, 8}, {2, 8, 1, 8}, {2, 8, 4, 5}, {9, 0, 4, 5}, {2, 3, 5, 3}}; }

/// All sums of x(i - j) * k(j), in T.
template <class T>
std::vector<T> by_definition(const std::vector<T>& x, const std::vector<T>& k) {
    std::vector<T> sums(x.size() + k.size() - 1);
    for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t j = 0; j < k.size(); ++j) sums[i + j] = static_cast<T>(sums[i + j] + x[i] * k[j]);
    return sums;
}

TEST(Convolve, VectorsAsNumPy) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        for (const frit_test::vector_answer& a : frit_test::vector_answers) {
            SCOPED_TRACE(std::to_string(a.n) + " and " + std::to_string(a.m) + (a.correlates ? ", correlate " : ", ") +
                         std::to_string(static_cast<int>(a.how)));
            const array<int> x = frit::from_host(ints(vector_x.begin(), vector_x.begin() + a.n));
            const array<int> k = frit::from_host(ints(vector_k.begin(), vector_k.begin() + a.m));
            EXPECT_EQ(a.correlates ? correlate(x, k, a.how).to_vector() : convolve(x, k, a.how).to_vector(), a.values);
        }
    });
}

TEST(Convolve, MatricesAsSciPy) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        for (const frit_test::matrix_answer& a : frit_test::matrix_answers) {
            SCOPED_TRACE(to_string(a.x) + " and " + to_string(a.k) + (a.correlates ? ", correlate " : ", ") +
                         std::to_string(static_cast<int>(a.how)));
            const array<int> x = matrix_x()(slice(0, a.x[0]), slice(0, a.x[1]));
            const array<int> k = matrix_k()(slice(0, a.k[0]), slice(0, a.k[1]));
            const array<int> y = a.correlates ? array<int>(correlate(x, k, a.how)) : array<int>(convolve(x, k, a.how));
            EXPECT_EQ(y.shape(), a.result);
            EXPECT_EQ(y.to_vector(), a.values);
        }
    });
}

// np.convolve(z, w, mode), np.correlate(z, w, mode), np.correlate(w, z, mode), scipy.signal.correlate2d(Z, W)
TEST(Convolve, CorrelationsOfComplexNumbersAreConjugated) {
    const array<std::uint8_t> wide{200, 100, 50}, two{2, 2};  // sums wrap either way
    EXPECT_EQ(convolve(wide, two, mode::full, frit::convolve_method::fft).to_vector(), convolve(wide, two).to_vector());
    const array<std::int16_t> large{30000, -30000, 7}, three{3, 3};
    EXPECT_EQ(convolve(large, three, mode::full, frit::convolve_method::fft).to_vector(),
              convolve(large, three).to_vector());
    using c = std::complex<double>;
    const array<c> z{c(1, 2), c(0, -3), c(0.5)}, w{c(0, 1), c(2, -1)};
    EXPECT_EQ(convolve(z, w).to_vector(), (std::vector<c>{c(-2, 1), c(7, 3), c(-3, -5.5), c(1, -0.5)}));
    EXPECT_EQ(correlate(z, w, mode::full).to_vector(), (std::vector<c>{c(0, 5), c(5, -7), c(-2, 0.5), c(0, -0.5)}));
    EXPECT_EQ(correlate(w, z, mode::same).to_vector(), (std::vector<c>{c(-2, -0.5), c(5, 7), c(0, -5)}));
    EXPECT_EQ(correlate(w, z).to_vector(), (std::vector<c>{c(-2, -0.5), c(5, 7)}));
    EXPECT_EQ(correlate(z, frit::real(w), mode::full).to_vector(), (std::vector<c>{c(2, 4), c(0, -6), c(1, 0), c(0)}));
    const array<c> Z{{c(1, 2), c(0, -3)}, {c(0.5), c(0, 1)}}, W{{c(0, 1), c(2, -1)}};
    EXPECT_EQ(correlate(Z, W, mode::full).to_vector(),
              (std::vector<c>{c(0, 5), c(5, -7), c(-3, 0), c(1, 0.5), c(-1, 1.5), c(1, 0)}));
}

TEST(Convolve, EveryDtype) {
    const auto check = [&]<class T>(T) {
        SCOPED_TRACE(frit::name_of(frit::dtype_of<T>));
        const ints x{3, 1, 4, 1, 5}, k{2, 0, 7};
        const array<T> a = frit::cast<T>(frit::from_host(x)), b = frit::cast<T>(frit::from_host(k));
        const array<int> want = frit::from_host(by_definition(x, k));
        EXPECT_TRUE(array_equal(convolve(a, b), frit::cast<T>(want)));
        EXPECT_TRUE(array_equal(convolve(any_array(a), any_array(b)), frit::cast<T>(want)));
        EXPECT_TRUE(array_equal(convolve(a.reshape({1, 5}), b.reshape({1, 3})), frit::cast<T>(want).reshape({1, 7})));
        EXPECT_EQ(correlate(any_array(a), b).dtype(), frit::dtype_of<T>);
        EXPECT_TRUE(array_equal(convolve(a, array<bool>{false, true, true}),
                                convolve(a, frit::cast<T>(array<int>{0, 1, 1}))));  // as np.promote_types
    };
    check(std::int8_t{});
    check(std::uint8_t{});
    check(std::int16_t{});
    check(std::uint16_t{});
    check(std::int32_t{});
    check(std::uint32_t{});
    check(std::int64_t{});
    check(std::uint64_t{});
    check(frit::half{});
    check(frit::bfloat16{});
    check(float{});
    check(double{});
    check(std::complex<float>{});
    check(std::complex<double>{});
    EXPECT_EQ(convolve(array<bool>{true, true, false, false}, array<bool>{true, true}).to_vector(),
              (std::vector<bool>{true, true, true, false, false}));
    EXPECT_EQ(convolve(array<std::int8_t>{100, 100}, array<std::int8_t>{100, 3}).to_vector(),
              (std::vector<std::int8_t>{16, 60, 44}));  // np.convolve(np.int8([100, 100]), np.int8([100, 3]))
    EXPECT_EQ(convolve(array<int>{1, 2}, array<float>{0.5F}).dtype(), frit::dtype::f64);
    EXPECT_EQ(convolve(array<frit::half>{1, 2}, array<frit::half>{1, 3}).dtype(), frit::dtype::f16);
}

// One rounding: 2048 + 1 + 1 would stay 2048 in float16.
TEST(Convolve, SixteenBitsAreRoundedOnce) {
    const array<frit::half> ones = frit::ones<frit::half>({3}), x{2048, 1, 1};
    EXPECT_EQ(static_cast<float>(convolve(x, ones, mode::valid)(0).item()), 2050);
    const array<frit::half> many = frit::ones<frit::half>({4000});
    EXPECT_EQ(static_cast<float>(convolve(many, many, mode::valid)(0).item()), 4000);
}

TEST(Convolve, ManyTaps) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        ints x, k;
        for (int i = 0; i < 3000; ++i) x.push_back(i * 7919 % 101 - 50);
        for (const int taps : {31, 32, 64, 65, 101, 2990}) {
            k.assign(x.rbegin(), x.rbegin() + taps);
            const ints full = by_definition(x, k);
            const array<int> a = frit::from_host(x), b = frit::from_host(k);
            EXPECT_EQ(convolve(b, a).to_vector(), full) << taps;
            EXPECT_EQ(convolve(a, b, mode::valid).to_vector(), ints(full.begin() + taps - 1, full.end() - taps + 1)) << taps;
        }
    });
}

TEST(Convolve, ManyTapsThatMakeFewElements) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<double> x = sin(frit::arange<double>(0, 400)).eval(), k = cos(frit::arange<double>(0, 100)).eval();
        const std::vector<double> want = by_definition(x.to_vector(), k.to_vector());
        const std::vector<double> full = convolve(k, x).to_vector(), same = correlate(x, flip(k), mode::same).to_vector();
        ASSERT_EQ(full.size(), 499U);
        for (std::size_t i = 0; i < full.size(); ++i) EXPECT_NEAR(full[i], want[i], 1e-12);
        for (std::size_t i = 0; i < same.size(); ++i) EXPECT_NEAR(same[i], want[i + 49], 1e-12);
        const array<bool> mask = x > 0.9;
        EXPECT_TRUE(array_equal(convolve(mask, mask), convolve(frit::cast<int>(mask), frit::cast<int>(mask)) > 0));
        // more taps than elements of x, and x in the middle of them
        const array<int> tall = frit::arange<int>(0, 90).reshape({9, 10}), small = frit::arange<int>(0, 70).reshape({35, 2});
        EXPECT_TRUE(array_equal(convolve(tall, small, mode::same), convolve(tall, small)(slice(17, 26), slice(0, 10))));
        EXPECT_TRUE(array_equal(convolve(small, tall, mode::same), convolve(tall, small)(slice(4, 39), slice(4, 6))));
    });
}

TEST(Convolve, AMatrixIsReadAsItsWindowsSay) {
    const array<double> x = sin(frit::arange<double>(0, 600)).reshape({20, 30}).eval();
    const array<double> k = cos(frit::arange<double>(0, 15)).reshape({3, 5}).eval();
    const array<double> windows = sum(sliding_window_view(x, {3, 5}) * k, {2, 3});
    EXPECT_LT(max(abs(correlate(x, k) - windows)).item(), 1e-12);
    EXPECT_LT(max(abs(convolve(x, flip(k), mode::valid) - windows)).item(), 1e-12);
    const array<double> wide = correlate(x.T(), k.T(), mode::full);
    EXPECT_LT(max(abs(wide(slice(4, -4), slice(2, -2)).T() - windows)).item(), 1e-12);
}

TEST(Convolve, StoresNoWindows) {
    const array<float> x = frit::linspace(0.0F, 1.0F, 100'000).eval(), k = frit::linspace(1.0F, 2.0F, 5).eval();
    const frit_test::traffic inside = frit_test::evaluate(array<float>(convolve(x, k, mode::valid)));
    EXPECT_EQ(inside.kernels, 1U);
    EXPECT_EQ(inside.bytes_read, (100'000 + 5) * sizeof(float));
    EXPECT_EQ(inside.bytes_written, 99'996 * sizeof(float));
    const frit_test::traffic all = frit_test::evaluate(array<float>(convolve(x, k)));
    // x with zeros around it is written by halves; a GPU sooner asks five times whether x has an element
    const bool pads = frit::default_device() == frit::device::cpu();
    EXPECT_EQ(all.kernels, pads ? 3U : 1U);
    EXPECT_EQ(all.bytes_read, (100'000 + 5 + (pads ? 100'008 : 0)) * sizeof(float));
    EXPECT_EQ(all.bytes_written, (100'004 + (pads ? 100'008 : 0)) * sizeof(float));
    const array<float> image = x.reshape({250, 400}).eval(), patch = frit::linspace(1.0F, 2.0F, 25).reshape({5, 5}).eval();
    const frit_test::traffic blurred = frit_test::evaluate(array<float>(convolve(image, patch, mode::same)));
    EXPECT_EQ(blurred.kernels, pads ? 3U : 2U);
    EXPECT_EQ(blurred.bytes_read, (250 * 400 + 254 * 404 + 25) * sizeof(float));
    EXPECT_EQ(blurred.bytes_written, (254 * 404 + 250 * 400) * sizeof(float));
    const array<double> y = frit::cast<double>(x).eval(), taps = frit::cast<double>(k).eval();
    EXPECT_EQ(frit_test::evaluate(array<double>(convolve(y, taps))).kernels, pads ? 3U : 1U);
    EXPECT_EQ(frit_test::evaluate(array<double>(abs(convolve(y * 2, taps)) + 1)).kernels, pads ? 2U : 1U);
    EXPECT_KERNELS(1, array<float>(frit::maximum(convolve(image, patch, mode::valid) * 0.1F, 0.5F)));
    EXPECT_KERNELS(1, array<float>(sum(abs(convolve(x, k, mode::valid)))));
}

TEST(Convolve, OtherLengthsReuseTheKernels) {
    const auto smooth = [](std::int64_t n) {
        const array<float> x = frit::linspace(0.0F, 1.0F, n).eval(), k = frit::linspace(1.0F, 2.0F, 7).eval();
        array<float>(convolve(x, k)).eval();
    };
    smooth(3000);
    const std::uint64_t before = frit_test::new_kernels();
    smooth(3511);
    EXPECT_EQ(frit_test::new_kernels(), before);
}

// Where sums take longer (fusion/machine/cost_model.cpp), convolve and correlate of floats are transforms; a GPU's are sums.
TEST(Convolve, ManyTapsAreTransformed) {
    const array<double> x = sin(frit::arange<double>(0, 3000)).eval(), k = cos(frit::arange<double>(0, 200)).eval();
    const auto calls = [](const auto& y) { return frit::make_plan(y).library_calls().size(); };
    const std::size_t three = frit::default_device() == frit::device::cpu() ? 3 : 0;
    EXPECT_EQ(calls(convolve(x, k)), three);
    EXPECT_EQ(calls(correlate(x, k, mode::same)), three);
    EXPECT_EQ(calls(convolve(frit::cast<frit::half>(x), k)), three);
    EXPECT_EQ(calls(convolve(x, k(slice(0, 10)))), 0U);
    EXPECT_EQ(calls(convolve(frit::cast<int>(x * 9), frit::cast<int>(k * 9))), 0U);
    EXPECT_EQ(calls(convolve(x, k, mode::full, frit::convolve_method::direct)), 0U);
    EXPECT_EQ(calls(convolve(x, k(slice(0, 2)), mode::full, frit::convolve_method::fft)), 3U);
    for (const auto how : {mode::full, mode::same, mode::valid}) {
        const array<double> sums = convolve(x, k, how, frit::convolve_method::direct);
        EXPECT_LT(max(abs(convolve(x, k, how, frit::convolve_method::fft) - sums)).item(), 1e-12);
        const array<double> backwards = correlate(k, x, how, frit::convolve_method::direct);
        EXPECT_LT(max(abs(correlate(k, x, how, frit::convolve_method::fft) - backwards)).item(), 1e-12);
    }
}

// Integers by transforms are rounded, bools are true where a sum is not 0; every mode and parity.
TEST(Convolve, TransformsAsSciPy) {
    for (const frit_test::matrix_answer& a : frit_test::matrix_answers) {
        const array<int> x = matrix_x()(slice(0, a.x[0]), slice(0, a.x[1]));
        const array<int> k = matrix_k()(slice(0, a.k[0]), slice(0, a.k[1]));
        const auto fft = frit::convolve_method::fft;
        const array<int> y = a.correlates ? array<int>(correlate(x, k, a.how, fft)) : array<int>(convolve(x, k, a.how, fft));
        EXPECT_EQ(y.shape(), a.result);
        EXPECT_EQ(y.to_vector(), a.values);
    }
    EXPECT_EQ(
        convolve(array<bool>{true, true, false, false}, array<bool>{true, true}, mode::full, frit::convolve_method::fft)
            .to_vector(),
        (std::vector<bool>{true, true, true, false, false}));
    using c = std::complex<double>;
    const array<c> z{c(1, 2), c(0, -3), c(0.5)}, w{c(0, 1), c(2, -1)};
    const array<c> sums = correlate(z, w, mode::full, frit::convolve_method::fft);
    EXPECT_LT(max(abs(sums - correlate(z, w, mode::full))).item(), 1e-14);
}

TEST(Convolve, Mistakes) {
    const array<float> x{1, 2, 3}, m = frit::ones<float>({2, 3});
    EXPECT_ERROR(convolve(x, m), frit::shape_error, "convolve", "two vectors or two matrices", "(3,)", "(2, 3)",
                 "test_convolve.cpp");
    EXPECT_ERROR(correlate(frit::scalar(1.0), x), frit::shape_error, "correlate", "()", "(3,)", "test_convolve.cpp");
    EXPECT_ERROR(convolve(frit::ones<float>({1, 1, 1}), frit::ones<float>({1, 1, 1})), frit::shape_error, "two matrices");
    EXPECT_ERROR(convolve(x, frit::zeros<float>({0})), frit::shape_error, "convolve", "elements", "(0,)");
    EXPECT_ERROR(correlate(frit::zeros<float>({0, 2}), m), frit::shape_error, "correlate", "elements", "(0, 2)");
    EXPECT_ERROR(correlate(m, m.T()), frit::shape_error, "correlate", "neither operand fits", "(2, 3)", "(3, 2)",
                 "test_convolve.cpp");
}

}  // namespace
