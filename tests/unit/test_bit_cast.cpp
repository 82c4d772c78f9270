// bit_cast: between all dtypes of one size, wherever an element may lie and in every engine; where it stands in a formula, a
// row, a loop; what it does not take.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include <frit/aot.hpp>

#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"

namespace {

using frit::all;
using frit::array;
using frit::dtype;
using frit::none;
using frit::slice;

/// Numbers of any bits, NaNs with payloads and signalling ones among them: every pattern of 8 bits, many of the others.
template <class T>
std::vector<T> of_any_bits(std::size_t count) {
    std::vector<T> x(count);
    std::mt19937_64 random(sizeof(T));
    for (std::size_t k = 0; k < count; ++k) {
        const std::uint64_t bits = sizeof(T) == 1 ? k : sizeof(T) == 2 ? k * 5 : random();
        std::memcpy(static_cast<void*>(&x[k]), &bits, sizeof(T));
    }
    return x;
}

template <class To, class From>
std::vector<To> bits_of(const std::vector<From>& x) {
    std::vector<To> r(x.size());
    std::memcpy(static_cast<void*>(r.data()), x.data(), x.size() * sizeof(To));
    return r;
}
template <class T>
std::vector<std::uint8_t> bytes_of(const std::vector<T>& x) {
    const auto* const first = reinterpret_cast<const std::uint8_t*>(x.data());
    return {first, first + x.size() * sizeof(T)};
}

constexpr std::int64_t rows = 37, columns = 131;

template <class To, class From>
void check_layouts() {
    const std::vector<From> values = of_any_bits<From>(rows * columns);
    const array<From> x = frit::from_host(values, {rows, columns});
    const array<To> want = frit::from_host(bits_of<To>(values), {rows, columns});
    const auto check = [&](const auto& got, const auto& wanted, const char* how) {
        EXPECT_EQ(bytes_of(array<To>(got).to_vector()), bytes_of(array<To>(wanted).to_vector()))
            << name_of(x.dtype()) << " as " << name_of(want.dtype()) << ", " << how;
    };
    check(frit::bit_cast<To>(x), want, "as it lies");
    check(frit::bit_cast<To>(x.T()), want.T(), "transposed");
    check(frit::bit_cast<To>(x(slice(3, -1), slice(none, none, -2))), want(slice(3, -1), slice(none, none, -2)), "strided");
    check(frit::bit_cast<To>(x(5, 7)), want(5, 7), "one element");
    check(frit::bit_cast<To>(frit::broadcast_to(x(3, all), {4, columns})), frit::broadcast_to(want(3, all), {4, columns}),
          "repeated");
    check(frit::bit_cast<To>(x(slice(0, 0))), want(slice(0, 0)), "nothing");
    check(frit::bit_cast<To>(frit::any_array(x)), want, "of run-time dtype");
    check(frit::any_array(frit::bit_cast(frit::any_array(x), frit::dtype_of<To>)).template as<To>(), want,
          "of two run-time dtypes");
}

template <class From>
void check_all_of_one_size() {
    const auto run = [] {
#define FRIT_X(name, type) \
    if constexpr (frit::shares_bits(frit::dtype_of<From>, dtype::name)) check_layouts<type, From>();
        FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
    };
    for (const frit_test::engine e : frit_test::engines()) {
        const frit_test::with_engine engine(e);
        run();
    }
    const frit_test::without_fusion off;
    run();
}

#define FRIT_X(name, type)                                                                        \
    TEST(BitCast, From_##name) {                                                                  \
        if constexpr (frit::shares_bits(dtype::name, dtype::name)) check_all_of_one_size<type>(); \
    }
FRIT_X(i8, std::int8_t)
FRIT_X(i16, std::int16_t)
FRIT_X(i32, std::int32_t)
FRIT_X(i64, std::int64_t)
FRIT_X(u8, std::uint8_t)
FRIT_X(u16, std::uint16_t)
FRIT_X(u32, std::uint32_t)
FRIT_X(u64, std::uint64_t)
FRIT_X(f16, frit::half)
FRIT_X(bf16, frit::bfloat16)
FRIT_X(f32, float)
FRIT_X(f64, double)
#undef FRIT_X

/// Positive numbers of all sizes.
std::vector<float> positive() {
    std::vector<float> x;
    std::mt19937 random(5);
    for (int k = 0; k < 1003; ++k) x.push_back(std::ldexp(1.0F + static_cast<float>(random() % 1000) / 1000, k % 60 - 30));
    return x;
}
/// The well-known first guess at 1 / sqrt(x), and one step of Newton's method.
template <class X>
auto quick_rsqrt(const X& x) {
    const auto y = frit::bit_cast<float>(0x5f3759df - (frit::bit_cast<std::int32_t>(x) >> 1));
    return y * (1.5F - 0.5F * x * y * y);
}
float quick_rsqrt_of(float x) {
    const float y = std::bit_cast<float>(0x5f3759df - (std::bit_cast<std::int32_t>(x) >> 1));
    return y * (1.5F - 0.5F * x * y * y);
}

TEST(BitCast, ThereAndBackInOneKernel) {
    const std::vector<float> x = positive();
    const auto n = static_cast<std::int64_t>(x.size());
    for (const frit_test::engine e : frit_test::engines()) {
        const frit_test::with_engine engine(e);
        const array<float> y = quick_rsqrt(frit::from_host(x)), total = frit::sum(quick_rsqrt(frit::from_host(x)));
        const frit_test::traffic t = frit_test::evaluate(y);
        EXPECT_EQ(t.kernels, 1U);
        EXPECT_EQ(t.bytes_read, 4U * static_cast<std::uint64_t>(n));
        EXPECT_EQ(t.bytes_written, 4U * static_cast<std::uint64_t>(n));
        EXPECT_KERNELS(1, total);
        double sum = 0;
        for (std::int64_t k = 0; k < n; ++k) {
            const float want = quick_rsqrt_of(x[static_cast<std::size_t>(k)]);
            EXPECT_NEAR(y(k).item() / want, 1, 1e-6);
            EXPECT_NEAR(y(k).item() * std::sqrt(x[static_cast<std::size_t>(k)]), 1, 2e-3);
            sum += want;
        }
        EXPECT_NEAR(total.item() / sum, 1, 1e-5);
    }
}

// A formula of 16-bit floats is float32 until it is rounded: its bits are those that would be stored.
TEST(BitCast, OfARoundedFormula) {
    std::vector<frit::half> a;
    for (int k = 0; k < 500; ++k) a.push_back(frit::half(static_cast<float>(k) / 3));
    const array<frit::half> x = frit::from_host(a), y = x * x + 0.1F;
    std::vector<std::uint16_t> want;
    for (const frit::half h : y.to_vector()) want.push_back(h.bits());
    for (const frit_test::engine e : frit_test::engines()) {
        const frit_test::with_engine engine(e);
        const array<std::uint16_t> bits = frit::bit_cast<std::uint16_t>(x * x + 0.1F);
        EXPECT_KERNELS(1, bits);
        EXPECT_EQ(bits.to_vector(), want);
    }
    // tanh of 16-bit floats has a short form on a GPU, where it is rounded next
    const array<frit::half> rounded = frit::tanh(x / 50.0F);
    EXPECT_EQ(array<std::uint16_t>(frit::bit_cast<std::uint16_t>(frit::tanh(x / 50.0F))).to_vector(),
              array<std::uint16_t>(frit::bit_cast<std::uint16_t>(rounded.eval())).to_vector());
    const array<frit::half> again = frit::bit_cast<frit::half>(frit::bit_cast<std::uint16_t>(x) ^ std::uint16_t{0x8000});
    EXPECT_TRUE(frit::array_equal(again, -x));
    EXPECT_EQ(frit::bit_cast<frit::half>(x * x + 0.1F).eval().to_vector(), y.to_vector());
}

// Behind a row's total, and before it.
TEST(BitCast, InRows) {
    const array<double> x = frit::linspace(1.0, 9.0, 300).reshape({20, 15}).eval();
    for (const frit_test::engine e : frit_test::engines()) {
        const frit_test::with_engine engine(e);
        const array<double> scaled =
            x / frit::bit_cast<double>(frit::bit_cast<std::int64_t>(frit::sum(x, 1, frit::keepdims)) &
                                       std::int64_t{0x7ff0000000000000});
        EXPECT_KERNELS(1, scaled);
        for (std::int64_t i = 0; i < 20; ++i) {
            const double total = frit::sum(x(i, all)).item();
            for (std::int64_t j = 0; j < 15; ++j)
                EXPECT_EQ(scaled(i, j).item(), x(i, j).item() / std::exp2(std::floor(std::log2(total))));
        }
    }
}

TEST(BitCast, InLoopsAndFunctions) {
    const std::vector<float> x = positive();
    const frit::function rsqrt([](auto v) { return quick_rsqrt(v); });
    const array<std::uint32_t> seeds = frit::cast<std::uint32_t>(frit::arange<std::int64_t>(1003) * 2654435761 + 1);
    for (const frit_test::engine e : frit_test::engines()) {
        const frit_test::with_engine engine(e);
        EXPECT_TRUE(frit::array_equal(rsqrt(frit::from_host(x)), quick_rsqrt(frit::from_host(x))));
        // xorshift: each round's float in [1, 2) is made of the upper bits of the state
        const auto [state, sum] = frit::iterate(5, std::tuple(seeds, frit::zeros<float>({1003})), [](auto s, auto total) {
            const auto a = s ^ (s << 13U);
            const auto b = a ^ (a >> 17U);
            const auto c = b ^ (b << 5U);
            return std::tuple(c, total + frit::bit_cast<float>((c >> 9U) | std::uint32_t{0x3f800000}));
        });
        const std::vector<float> got = array<float>(sum).to_vector();
        for (std::size_t k = 0; k < got.size(); ++k) {
            auto s = static_cast<std::uint32_t>(k * 2654435761U + 1);
            float want = 0;
            for (int round = 0; round < 5; ++round) {
                s ^= s << 13U, s ^= s >> 17U, s ^= s << 5U;
                want += std::bit_cast<float>((s >> 9U) | 0x3f800000U);
            }
            ASSERT_EQ(got[k], want) << k;
        }
    }
}

TEST(BitCast, CompiledWithTheProgram) {
    const array<float> x = frit::from_host(positive());
    EXPECT_TRUE(frit::array_equal(frit::aot(quick_rsqrt(x)), quick_rsqrt(x)));
    EXPECT_TRUE(frit::array_equal(frit::aot(frit::bit_cast<std::uint32_t>(x)), frit::bit_cast<std::uint32_t>(x)));
}

// Of the same dtype it is the array itself, and twice is once.
TEST(BitCast, ComputesNothingThatIsNotNeeded) {
    const array<float> x = frit::linspace(0.0F, 1.0F, 100).eval();
    EXPECT_KERNELS(0, array<float>(frit::bit_cast<float>(x)));
    const array<std::int32_t> y = frit::bit_cast<std::int32_t>(frit::bit_cast<std::uint32_t>(x));
    const std::string why = frit::explain(y);
    EXPECT_NE(why.find("bit_cast<int32>("), std::string::npos) << why;
    EXPECT_EQ(why.find("bit_cast<uint32>("), std::string::npos) << why;
}

TEST(BitCast, TakesNumbersOfOneSizeAlone) {
    const frit::any_array x = frit::linspace(0.0F, 1.0F, 10), z = frit::zeros<std::complex<float>>({3}),
                          b = frit::zeros<bool>({3});
    const char* const text = "bit_cast: is between numbers of one size, not complex and not bool";
    EXPECT_ERROR(frit::any_array y(frit::bit_cast(x, dtype::i64)), frit::dtype_error, text, "float32", "int64",
                 "test_bit_cast.cpp");
    EXPECT_ERROR(frit::any_array y(frit::bit_cast<std::uint16_t>(x)), frit::dtype_error, text, "float32", "uint16");
    EXPECT_ERROR(frit::any_array y(frit::bit_cast(z, dtype::f64)), frit::dtype_error, text, "complex64");
    EXPECT_ERROR(frit::any_array y(frit::bit_cast(z, dtype::c64)), frit::dtype_error, text, "complex64");
    EXPECT_ERROR(frit::any_array y(frit::bit_cast(b, dtype::u8)), frit::dtype_error, text, "bool", "uint8");
    EXPECT_ERROR(frit::any_array y(frit::bit_cast(x, static_cast<dtype>(200))), frit::dtype_error,
                 "bit_cast: arrays have no dtype of the number 200");
}

}  // namespace
