// Batches of small matrices: on a GPU a product is one generated kernel, which fuses with what it reads and with what reads
// it; on the CPU a call. Exact counts on either side of the limits, and values of every layout beside the same product as a
// sum in float64.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "frit/frit.hpp"

#include "tests/support/libraries.hpp"
#include "tests/support/plan_counts.hpp"

namespace {
using frit::all;
using frit::array;
using frit::matmul;
using frit::none;
using frit::shape;
using frit::slice;
using frit_test::plan_counts, frit_test::planned;
using complex64 = std::complex<float>;

template <class T = float>
array<T> random_array(const shape& extents, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<float> numbers(-1, 1);
    std::vector<T> v(static_cast<std::size_t>(extents.size()));
    for (T& x : v) {
        const float re = numbers(engine);
        if constexpr (frit::is_complex(frit::dtype_of<T>))
            x = T(re, numbers(engine));
        else
            x = T(re);
    }
    return frit::from_host(v, extents);
}

bool on_gpu() { return !frit::default_device().is_cpu(); }
constexpr plan_counts kernel{1, 0}, call{0, 1};
/// What a GPU needs, and what the CPU.
plan_counts either(plan_counts gpu, plan_counts cpu) { return on_gpu() ? gpu : cpu; }
template <class A>
auto turned(const A& x) {
    return frit::matrix_transpose(x);
}

TEST(SmallProducts, AreOneKernelOnAGpuAndACallOnTheCpu) {
    FRIT_SKIP_WITHOUT(matmul);
    const auto check = [&]<class T>(T) {
        const auto of = [](const shape& extents) { return random_array<T>(extents, 1); };
        EXPECT_EQ(planned(matmul(of({50, 8, 8}), of({50, 8, 8}))), either(kernel, call));
        EXPECT_EQ(planned(matmul(of({50, 16, 8}), of({50, 8, 16}))), either(kernel, call));
        EXPECT_EQ(planned(matmul(of({50, 3, 5}), turned(of({50, 2, 5})))), either(kernel, call));
        EXPECT_EQ(planned(matmul(turned(of({50, 5, 3})), of({50, 5, 2}))), either(kernel, call));
        EXPECT_EQ(planned(matmul(of({3, 5}), of({50, 5, 2}))), either(kernel, call)) << "one matrix times many";
        EXPECT_EQ(planned(matmul(of({50, 1, 3, 5}), of({7, 5, 2}))), either(kernel, call)) << "all times all";
    };
    check(float());
    check(double());
    check(complex64());
    check(std::complex<double>());
}

TEST(SmallProducts, OfSixteenBitsAreAKernelToo) {
    FRIT_SKIP_WITHOUT(matmul);
    const auto a = random_array<frit::half>({50, 4, 8}, 1), b = random_array<frit::half>({50, 8, 4}, 2);
    EXPECT_EQ(planned(matmul(a, b)), either(kernel, {3, 1})) << "OpenBLAS takes float32: three casts";
}

TEST(SmallProducts, OfLargerMatricesAreCalls) {
    FRIT_SKIP_WITHOUT(matmul);
    const auto of = [](const shape& extents) { return random_array(extents, 1); };
    EXPECT_EQ(planned(matmul(of({50, 8, 9}), of({50, 9, 8}))), call);
    EXPECT_EQ(planned(matmul(of({50, 17, 8}), of({50, 8, 8}))), call);
    EXPECT_EQ(planned(matmul(of({50, 8, 8}), of({50, 8, 17}))), call);
    EXPECT_EQ(planned(matmul(of({50, 8, 8}), of({8, 8}))), call) << "one taller matrix";
    EXPECT_EQ(planned(matmul(of({50, 8, 8}), of({1, 8, 8}))), call);
    EXPECT_EQ(planned(matmul(of({8, 8}), of({8, 8}))), call) << "no batch";
}

TEST(SmallProducts, FuseWithWhatTheyReadAndWhatReadsThem) {
    FRIT_SKIP_WITHOUT(matmul);
    const auto a = random_array({50, 4, 8}, 1), b = random_array({50, 8, 3}, 2), c = random_array({50, 4, 3}, 3);
    EXPECT_EQ(planned(2 * matmul(a, b) + 3 * c), either(kernel, call)) << "alpha and beta are a call's on the CPU";
    EXPECT_EQ(planned(frit::relu(matmul(-a, b) + c)), either(kernel, {2, 1}));
    const auto wide = random_array({100, 9, 9}, 4);
    const auto part = wide(slice(none, none, 2), slice(0, 4), slice(0, 8));
    EXPECT_EQ(planned(matmul(part, b)), either(kernel, call));
    EXPECT_EQ(planned(matmul(frit::flip(a, 0), b)), either(kernel, {1, 1})) << "no BLAS goes backwards";
    const auto z = random_array<complex64>({50, 4, 4}, 5);
    EXPECT_EQ(planned(matmul(conj(turned(z)), z)), either(kernel, call));
    EXPECT_EQ(planned(matmul(z, conj(z))), either(kernel, call));
    const frit::plan p = frit::make_plan(2 * matmul(a, b) + 3 * c);
    EXPECT_EQ(p.bytes_read(), (50U * 4 * 8 + 50 * 8 * 3 + 50 * 4 * 3) * 4);
    EXPECT_EQ(p.bytes_written(), 50U * 4 * 3 * 4);
    // a product that another one reads is stored: each of its elements is read for several
    EXPECT_EQ(planned(matmul(matmul(a, b), turned(b))), either({2, 0}, {0, 2}));
}

/// The same in float64, of elements at the places that are broadcast.
template <class T, class A, class B>
void expect_product(const A& a, const B& b, const char* what) {
    SCOPED_TRACE(what);
    using wide = std::conditional_t<frit::is_complex(frit::dtype_of<T>), std::complex<double>, double>;
    const std::vector<T> got = array<T>(matmul(a, b)).to_vector();
    const array<wide> sum =
        frit::sum(frit::expand_dims(frit::cast<wide>(a), -1) * frit::expand_dims(frit::cast<wide>(b), -3), -2);
    const std::vector<wide> want = sum.to_vector();
    ASSERT_EQ(got.size(), want.size());
    constexpr double epsilon = sizeof(T) == 2 ? 0x1p-7 : sizeof(T) == sizeof(wide) ? 0x1p-52 : 0x1p-23;
    for (std::size_t k = 0; k < got.size(); ++k) ASSERT_LE(std::abs(wide(got[k]) - want[k]), 16 * epsilon) << k;
}

template <class T>
void check_values() {
    SCOPED_TRACE(name_of(frit::dtype_of<T>));
    const auto of = [](const shape& extents) { return random_array<T>(extents, static_cast<unsigned>(extents.size())); };
    for (const std::int64_t n : {1, 2, 3, 5, 8}) {
        const auto a = of({40, n, 7}), b = of({40, 7, n});
        expect_product<T>(a, b, "side by side");
        expect_product<T>(turned(b), turned(a), "turned");
        expect_product<T>(a, turned(a), "with itself");
        expect_product<T>(turned(a), a, "its columns");
    }
    expect_product<T>(of({3, 5}), of({40, 5, 2}), "one times many");
    expect_product<T>(of({6, 1, 3, 5}), of({7, 5, 2}), "all times all");
    expect_product<T>(of({300, 16, 8}), of({300, 8, 16}), "the largest");
    expect_product<T>(of({40, 4, 1}), of({40, 1, 4}), "outer products");
}
TEST(SmallProducts, Values) {
    FRIT_SKIP_WITHOUT(matmul);
    check_values<float>();
    check_values<double>();
    check_values<frit::half>();
    check_values<frit::bfloat16>();
    check_values<complex64>();
    check_values<std::complex<double>>();
}

TEST(SmallProducts, NothingToAddUpAndNoMatrices) {
    FRIT_SKIP_WITHOUT(matmul);
    EXPECT_EQ(matmul(frit::ones<float>({3, 2, 0}), frit::ones<float>({3, 0, 2})).to_vector(), std::vector<float>(12, 0.F));
    EXPECT_EQ(matmul(frit::ones<float>({0, 2, 3}), frit::ones<float>({0, 3, 2})).shape(), (shape{0, 2, 2}));
    EXPECT_EQ(matmul(frit::ones<float>({0, 2, 3}), frit::ones<float>({0, 3, 2})).to_vector().size(), 0U);
}

TEST(SmallProducts, NanAndInfinitiesComeThrough) {
    FRIT_SKIP_WITHOUT(matmul);
    const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    const auto a = frit::from_host(std::vector<float>{1, inf, nan, 0, 2, 3, -inf, 5}, {2, 2, 2});
    const auto b = frit::from_host(std::vector<float>{1, 1, 0, 1, 1, 0, 1, 1}, {2, 2, 2});
    const std::vector<float> got = array<float>(matmul(a, b)).to_vector();
    EXPECT_TRUE(std::isnan(got[0]));  // 1 + inf * 0
    EXPECT_EQ(got[1], inf);
    EXPECT_TRUE(std::isnan(got[2]));
    EXPECT_TRUE(std::isnan(got[3]));
    EXPECT_EQ(got[4], 5.F);
    EXPECT_EQ(got[5], 3.F);
    EXPECT_EQ(got[6], -inf);
    EXPECT_TRUE(std::isnan(got[7]));  // -inf * 0
}

}  // namespace
