// complex64 and complex128: what is not one op of ops.def, which are compared with the reference where those of all dtypes
// are. Formulas in every layout, the rules of real operands and numbers, parts in memory, printing. Every engine
// and the unfused form must give the same bits. How near the functions are to the truth, and what they make of infinities,
// zeros' signs and NaN, is a test of its own: tests/unit/test_complex_functions.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "tests/differential/complex_cases.hpp"

namespace {
using frit::array, frit::dtype, frit::op, frit::slice;
using frit_test::everywhere;
using namespace frit_test::complex_cases;

// --- making them ---

template <class T>
void check_parts_and_polar() {
    using part = frit::cpp_type<frit::real_dtype(frit::dtype_of<T>)>;
    const array<part> r = some<part>({203}, 3), t = some<part>({203}, 1);
    const std::vector<part> size = r.to_vector(), angle = t.to_vector();
    std::vector<c128> made, polar;
    for (std::size_t k = 0; k < size.size(); ++k) {
        const auto a = static_cast<double>(std::abs(size[k])), b = static_cast<double>(angle[k]);
        made.push_back({a, b});
        polar.push_back({a * std::cos(b), a * std::sin(b)});
    }
    everywhere([&](const std::string& who) {
        expect_near(array<T>(complex(abs(r), t)), made, 0, who + ", complex");
        expect_near(array<T>(frit::polar(abs(r), t)), polar, 16, who + ", polar");
    });
}
/// A number beside 16-bit floats has all digits that the result has.
template <class T>
void check_polar_by_number() {
    const array<T> x{T(1.5), T(-0.25), T(3)};
    const frit::any_array p = x;
    const array<float> wide = frit::cast<float>(x);
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const std::vector<c64> angles = array<c64>(frit::polar(wide, 0.7)).to_vector();
        EXPECT_EQ(array<c64>(frit::polar(x, 0.7)).to_vector(), angles);
        EXPECT_EQ(frit::any_array(frit::polar(p, 0.7)).to_vector<c64>(), angles);
        const std::vector<c64> lengths = array<c64>(frit::polar(2.1, wide)).to_vector();
        EXPECT_EQ(array<c64>(frit::polar(2.1, x)).to_vector(), lengths);
        EXPECT_EQ(frit::any_array(frit::polar(2.1, p)).to_vector<c64>(), lengths);
    });
}
TEST(Complex, PolarOfANumberAndFloat16) { check_polar_by_number<frit::half>(); }
TEST(Complex, PolarOfANumberAndBfloat16) { check_polar_by_number<frit::bfloat16>(); }

TEST(Complex, PartsAndPolarComplex64) { check_parts_and_polar<c64>(); }
TEST(Complex, PartsAndPolarComplex128) { check_parts_and_polar<c128>(); }

// --- layouts ---

/// A formula over T in each layout, against the same on the host.
template <class T>
void check_layouts(std::int64_t rows, std::int64_t columns) {
    const array<T> x = some<T>({rows, columns}, 4), y = some<T>({columns, rows}, 5), z = some<T>({columns}, 6);
    const std::vector<T> a = x.to_vector(), b = y.to_vector(), c = z.to_vector();
    const auto at = [&](std::int64_t i, std::int64_t j) { return wide(a[static_cast<std::size_t>(i * columns + j)]); };
    const auto turned = [&](std::int64_t i, std::int64_t j) { return wide(b[static_cast<std::size_t>(j * rows + i)]); };
    const auto row = [&](std::int64_t j) { return wide(c[static_cast<std::size_t>(j)]); };
    std::vector<c128> sums, flipped, steps, transposed, padded, stencil;
    for (std::int64_t i = 1; i < rows - 1; ++i)
        for (std::int64_t j = 1; j < columns - 1; ++j)
            stencil.push_back(at(i - 1, j) + at(i + 1, j) + at(i, j - 1) * c128(0, 1) - at(i, j + 1));
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j) {
            sums.push_back(at(i, j) + turned(i, j) * row(j));
            flipped.push_back(at(rows - 1 - i, columns - 1 - j));
            if (j % 3 == 1 && i % 2 == 0) steps.push_back(at(i, j) - row(j));
        }
    for (std::int64_t j = 0; j < columns; ++j)
        for (std::int64_t i = 0; i < rows; ++i) transposed.push_back(at(i, j));
    for (std::int64_t j = -2; j < columns + 2; ++j) padded.push_back(j < 0 || j >= columns ? c128(0, 1) : row(j));
    same_bits bits;
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const array<T> sum = x + y.T() * z, back = flip(x), turn = x.T();
        bits.add("sum", sum);
        expect_near(sum, sums, 4000, "transposed and broadcast");  // some cancel
        expect_near(back, flipped, 0, "flip");
        expect_near(turn, transposed, 0, "transpose");
        const auto every = slice(1, frit::none, 3);
        expect_near(array<T>(x(slice(0, frit::none, 2), every) - z(every)), steps, 400, "strided");
        {  // a stencil
            const auto inner = slice(1, -1), before = slice(0, -2), after = slice(2, frit::none);
            const array<T> around = x(before, inner) + x(after, inner) + x(inner, before) * T(0, 1) - x(inner, after);
            bits.add("stencil", around);
            expect_near(around, stencil, 4000, "stencil");
        }
        expect_near(array<T>(pad(z, {{2, 2}}, frit::pad_mode::constant, T(0, 1))), padded, 0, "pad");
    });
}
TEST(Complex, LayoutsComplex64) { check_layouts<c64>(13, 37), check_layouts<c64>(64, 96); }
TEST(Complex, LayoutsComplex128) { check_layouts<c128>(13, 37), check_layouts<c128>(64, 96); }

// Results that go past the caches, into memory that is aligned as a part is, not as a number: C++ asks no more of it.
template <class T>
void check_memory_aligned_as_a_part() {
    if (frit::default_device() != frit::device::cpu()) GTEST_SKIP() << "a GPU's results are copied to host memory";
    const std::int64_t n = (50 << 20) / static_cast<std::int64_t>(sizeof(T)) + 1;
    using part = typename T::value_type;
    const array<T> x = array<T>(complex(frit::arange<part>(n), part(1))).eval();
    std::vector<part> memory(static_cast<std::size_t>(2 * n + 1));
    auto* const to = reinterpret_cast<T*>(memory.data() + 1);
    everywhere([&](const std::string& who) {
        frit::eval_into(frit::out(to, {n}), conj(x));
        EXPECT_EQ(to[0], T(0, -1)) << who;
        EXPECT_EQ(to[n - 1], T(static_cast<part>(n - 1), -1)) << who;
    });
}
TEST(Complex, MemoryAlignedAsAPartComplex64) { check_memory_aligned_as_a_part<c64>(); }
TEST(Complex, MemoryAlignedAsAPartComplex128) { check_memory_aligned_as_a_part<c128>(); }

// --- signs of NaNs ---

/// Every pair of these parts. Engines make NaNs of either sign.
template <class T>
std::vector<T> pairs_of_specials(bool negated) {
    using part = typename T::value_type;
    constexpr part inf = std::numeric_limits<part>::infinity(), nan = std::numeric_limits<part>::quiet_NaN();
    std::vector<T> all;
    const part parts[] = {0, -part(0), 1, -1, part(0.5), 2, -inf, inf, negated ? std::copysign(nan, part(-1)) : nan};
    for (const part re : parts)
        for (const part im : parts) all.emplace_back(re, im);
    return all;
}
template <op Op, class T>
std::vector<c128> call_on(const array<T>& x, const array<T>& y) {
    using frit::detail::make_call;
    if constexpr (info(Op).arity == 1)
        return array<c128>(frit::cast<c128>(make_call<Op>(x))).to_vector();
    else
        return array<c128>(frit::cast<c128>(make_call<Op>(x, y))).to_vector();
}
/// Equal bits but for NaNs, whatever the engine and the signs of the operands' NaNs.
template <op Op, class T>
void check_signs_of_nans() {
    if constexpr (info(Op).arity <= 2 && info(Op).form != frit::op_form::HIDDEN &&
                  info(Op).result != frit::op_result::COMPLEX && frit::resolve(Op, frit::dtype_of<T>).valid) {
        std::vector<c128> first;
        interpreted_and_jit([&](const std::string& who) {
            for (const bool negated : {false, true}) {
                const array<T> x = frit::from_host(pairs_of_specials<T>(negated));
                const std::vector<c128> got = call_on<Op>(info(Op).arity == 1 ? x : array<T>(x.reshape({-1, 1})), x);
                if (first.empty()) first = got;
                ASSERT_EQ(got.size(), first.size());
                const auto same = [](double a, double b) {
                    return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
                };
                for (std::size_t k = 0; k < got.size(); ++k)
                    ASSERT_TRUE(same(got[k].real(), first[k].real()) && same(got[k].imag(), first[k].imag()))
                        << name_of(Op) << " " << who << " at " << k << ": " << got[k] << " and " << first[k];
            }
        });
    }
}
TEST(Complex, SignsOfNaNsAreNotSeen) {
#define FRIT_OP(name, ...) check_signs_of_nans<op::name, c64>(), check_signs_of_nans<op::name, c128>();
#include "frit/ops.def"
}

// What cancels exactly leaves nothing, in every engine and way of fusing.
template <class T>
void check_cancellation() {
    using part = typename T::value_type;
    const array<T> z = some<T>({2003}, 41);
    const array<part> side = real(z);
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        EXPECT_TRUE(frit::all(imag(array<T>(z * conj(z))) == 0).item());
        EXPECT_TRUE(frit::all(imag(array<T>(conj(z) * z)) == 0).item());
        EXPECT_TRUE(frit::all(imag(conj(z) * z + 1.0) == 0).item());
        EXPECT_EQ(array<part>(imag(sum(z * conj(z)))).item(), 0);
        for (const int sign : {1, -1}) {
            const array<T> diagonal = complex(side, side * sign);
            EXPECT_TRUE(frit::all(real(array<T>(square(diagonal))) == 0).item());
            EXPECT_TRUE(frit::all(real(array<T>(diagonal * diagonal)) == 0).item());
            EXPECT_TRUE(frit::all(real(array<T>(pow(diagonal, 2.0))) == 0).item());
        }
        const part large = std::numeric_limits<part>::max() / 3;
        EXPECT_EQ(array<T>(conj(array<T>{T(large, part(2.1))}) * T(large, part(2.1))).to_vector()[0].imag(), 0);
    });
}
TEST(Complex, CancellationComplex64) { check_cancellation<c64>(); }
TEST(Complex, CancellationComplex128) { check_cancellation<c128>(); }

// z^2 is z z, and small powers are products of squares: to the last bit, with the signs of zeros. (Those of complex64 are
// computed in double.)
template <class T>
void check_whole_powers() {
    using part = typename T::value_type;
    std::vector<T> numbers = some<T>({1003}, 43).to_vector();
    for (const double re : {0.0, -0.0, 1.0, -1.0, 1e-30})
        for (const double im : {0.0, -0.0, 1.0, -1.0, 1e-30})
            numbers.push_back(T(static_cast<part>(re), static_cast<part>(im)));
    const auto count = static_cast<std::int64_t>(numbers.size());
    const array<T> z = frit::from_host(numbers);
    interpreted_and_jit([&](const std::string& who) {
        SCOPED_TRACE(who);
        const std::string z2 = bytes_of(array<T>(z * z));
        EXPECT_EQ(bytes_of(array<T>(pow(z, 2))), z2);
        EXPECT_EQ(bytes_of(array<T>(pow(z, T(2)))), z2);
        EXPECT_EQ(bytes_of(array<T>(pow(z, frit::full<part>({count}, 2)))), z2);
        EXPECT_EQ(bytes_of(array<T>(pow(z, frit::full<T>({count}, T(2))))), z2);
        EXPECT_EQ(bytes_of(array<T>(pow(z, 1))), bytes_of(z));
        const array<c128> w = frit::cast<c128>(z), w2 = w * w, w3 = w * w2, w4 = w2 * w2;
        EXPECT_EQ(bytes_of(array<T>(pow(z, 3))), bytes_of(array<T>(frit::cast<T>(w3))));
        EXPECT_EQ(bytes_of(array<T>(pow(z, 4))), bytes_of(array<T>(frit::cast<T>(w4))));
        EXPECT_EQ(bytes_of(array<T>(pow(z, 5))), bytes_of(array<T>(frit::cast<T>(w * w4))));
        EXPECT_EQ(bytes_of(array<T>(pow(z, 6))), bytes_of(array<T>(frit::cast<T>(w2 * w4))));
        EXPECT_EQ(bytes_of(array<T>(pow(z, 7))), bytes_of(array<T>(frit::cast<T>(w3 * w4))));
        EXPECT_TRUE(std::signbit(pow(array<T>{T(1, part(-0.0))}, 2).to_vector()[0].imag()));
    });
}
TEST(Complex, WholePowersComplex64) { check_whole_powers<c64>(); }
TEST(Complex, WholePowersComplex128) { check_whole_powers<c128>(); }

// --- rules ---

// A real operand stays real: nothing is made up for its imaginary part, so no NaN comes of inf * 0.
TEST(Complex, RealOperandsStayReal) {
    const double inf = std::numeric_limits<double>::infinity();
    const array<c128> z{c128(inf, 0), c128(0, -inf), c128(-0.0, 3)};
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const auto twice = array<c128>(2.0 * z).to_vector();
        EXPECT_EQ(twice[0], c128(inf, 0));
        EXPECT_EQ(twice[1], c128(0, -inf));
        const auto less = array<c128>(z - array<double>{1, 1, 1}).to_vector();
        EXPECT_EQ(less[0], c128(inf, 0));
        const auto sum = array<c128>(z + -0.0).to_vector();
        EXPECT_TRUE(std::signbit(sum[2].real()));
        EXPECT_EQ(abs(array<c128>{c128(inf, NAN), c128(NAN, -inf)}).to_vector(), (std::vector<double>{inf, inf}));
        const auto recovered = array<c128>(array<c128>{c128(inf, NAN)} * array<c128>{c128(1, 1)}).to_vector();
        EXPECT_TRUE(std::isinf(recovered[0].real()) || std::isinf(recovered[0].imag()));
        const auto huge = array<c128>(array<c128>{c128(1e308, 1e308)} / array<c128>{c128(1e308, 1e308)}).to_vector();
        EXPECT_EQ(huge[0], c128(1, 0));
        const auto tiny = array<c128>(array<c128>{c128(1e-310, 0)} / array<c128>{c128(0, 1e-310)}).to_vector();
        EXPECT_EQ(tiny[0], c128(0, -1));
    });
}

TEST(Complex, Promotion) {
    const array<float> f{1};
    const array<double> d{1};
    const array<int> i{1};
    const array<std::int8_t> b{1};
    const array<frit::half> h{frit::half(1.0)};
    const array<c64> z{c64(1, 2)};
    EXPECT_EQ((f * z).dtype(), dtype::c64);
    EXPECT_EQ((d * z).dtype(), dtype::c128);
    EXPECT_EQ((i * z).dtype(), dtype::c128);
    EXPECT_EQ((b * z).dtype(), dtype::c64);
    EXPECT_EQ((h * z).dtype(), dtype::c64);
    // numbers are weak
    EXPECT_EQ((z * 2.0).dtype(), dtype::c64);
    EXPECT_EQ((z * c128(0, 1)).dtype(), dtype::c64);
    EXPECT_EQ((f * c128(0, 1)).dtype(), dtype::c64);
    EXPECT_EQ((d * c64(0, 1)).dtype(), dtype::c128);
    EXPECT_EQ((i * c64(0, 1)).dtype(), dtype::c128);
    EXPECT_EQ((h * c64(0, 1)).dtype(), dtype::c64);
    EXPECT_EQ(abs(z).dtype(), dtype::f32);
    EXPECT_EQ(real(z).dtype(), dtype::f32);
    EXPECT_EQ((z == 1).dtype(), dtype::bool_);
    EXPECT_EQ(complex(d, 1).dtype(), dtype::c128);
    EXPECT_EQ(complex(i, i).dtype(), dtype::c128);
    EXPECT_EQ(mean(z).dtype(), dtype::c64);
    EXPECT_EQ(frit::linalg::norm(z).dtype(), dtype::f32);
    EXPECT_EQ(array<c64>(h * z).to_vector()[0], c64(1, 2));
    EXPECT_EQ(array<c128>(i * c64(0, 1)).to_vector()[0], c128(0, 1));
}

TEST(Complex, RunTimeDtype) {
    const array<c64> z = some<c64>({50}, 14), w = some<c64>({50}, 15);
    const frit::any_array a = z;
    const auto formula = [](const auto& x, const auto& y) {
        return exp(x * c128(0, 1)) / (y + 2) - where(real(x) > 0, x, 1);
    };
    EXPECT_EQ(bytes_of(array<c64>(formula(z, w))), bytes_of(formula(a, frit::any_array(w)).as<c64>()));
    EXPECT_EQ((a * 2.5).dtype(), dtype::c64);
    EXPECT_EQ((frit::any_array(array<int>{1}) * c64(0, 1)).dtype(), dtype::c128);
    EXPECT_EQ((frit::any_array(array<float>{1}) * c128(0, 1)).item<c64>(), c64(0, 1));
    EXPECT_EQ(var(a).item<float>(), var(z).item());
    EXPECT_EQ(full_like(a, c64(1, -1)).to_vector<c64>(), std::vector<c64>(50, c64(1, -1)));
    try {
        (void)floor(a).eval();
        FAIL() << "complex numbers rounded down";
    } catch (const frit::dtype_error& e) {
        EXPECT_NE(std::string(e.what()).find("complex64"), std::string::npos) << e.what();
    }
    EXPECT_THROW((void)(a % a).eval(), frit::dtype_error);
    EXPECT_EQ(bytes_of(max(a).as<c64>()), bytes_of(array<c64>(max(z))));
    EXPECT_EQ(frit::any_array(a < frit::any_array(w)).to_vector<bool>(), array<bool>(z < w).to_vector());
    frit::any_array real = array<float>{1, 2};
    EXPECT_THROW((real += z(slice(0, 2))), frit::dtype_error);
}

TEST(Complex, PartsInMemory) {
    const array<c64> z = some<c64>({6, 5}, 16);
    const array<float> parts = view_as_real(z);
    ASSERT_EQ(parts.shape(), frit::shape({6, 5, 2}));
    EXPECT_EQ(bytes_of(parts), bytes_of(z));
    EXPECT_EQ(bytes_of(view_as_complex(parts)), bytes_of(z));
    if (frit::default_device() == frit::device::cpu()) {
        EXPECT_EQ(view_as_complex(parts).span().data(), z.span().data());
    }
    // updates of one are not seen through the other
    array<float> other = parts;
    other(frit::ellipsis, 1) = 0;
    EXPECT_EQ(bytes_of(array<c64>(view_as_complex(other))), bytes_of(array<c64>(complex(real(z), 0))));
    EXPECT_EQ(bytes_of(parts), bytes_of(z));
    // pairs that do not lie one after the other are copied
    const std::vector<float> memory{1, 10, 2, 20, 3, 30};
    const auto apart = frit::borrow(memory.data(), {3, 2}, {1, 3});
    EXPECT_EQ(view_as_complex(apart).to_vector(), (std::vector<c64>{{1, 20}, {10, 3}, {2, 30}}));
    EXPECT_THROW((void)view_as_complex(array<float>{1, 2, 3}), frit::shape_error);
    EXPECT_THROW((void)view_as_real(frit::any_array(array<float>{1})), frit::dtype_error);
}

// One access of 8 or 16 bytes for each number; sums of both parts in one pass.
TEST(Complex, KernelsAndBytes) {
    const array<c64> z = some<c64>({1000}, 17), w = some<c64>({1000}, 18);
    const auto cost = [](const auto& formula) {
        const frit::plan p = frit::make_plan(formula);
        std::array<std::uint64_t, 3> total{p.kernels().size(), 0, 0};
        for (const auto& k : p.kernels()) total[1] += k.bytes_read(), total[2] += k.bytes_written();
        return total;
    };
    EXPECT_EQ(cost(array<c64>(z * w + 1)), (std::array<std::uint64_t, 3>{1, 16000, 8000}));
    EXPECT_EQ(cost(array<float>(abs(z * w))), (std::array<std::uint64_t, 3>{1, 16000, 4000}));
    EXPECT_EQ(cost(array<float>(real(z))), (std::array<std::uint64_t, 3>{1, 8000, 4000}));
    EXPECT_EQ(cost(array<c64>(sum(z))), (std::array<std::uint64_t, 3>{1, 8000, 8}));
    EXPECT_EQ(cost(array<c64>(sum(z * w))), (std::array<std::uint64_t, 3>{1, 16000, 8}));
    EXPECT_EQ(cost(array<c64>(prod(z))), (std::array<std::uint64_t, 3>{1, 8000, 8}));
    EXPECT_EQ(cost(array<c64>(prod(z * w))), (std::array<std::uint64_t, 3>{1, 16000, 8}));
    EXPECT_EQ(cost(array<c64>(cumsum(z * w))), (std::array<std::uint64_t, 3>{1, 16000, 8000}));
    // libraries read and write them as they are
    const array<c64> matrix = z.reshape({50, 20});
    for (const array<c64>& call :
         {array<c64>(matmul(matrix.T(), matrix)), array<c64>(cumprod(z)), array<c64>(frit::sort(z))}) {
        EXPECT_EQ(frit::make_plan(call).kernels().size(), 0U);
        EXPECT_EQ(frit::make_plan(call).library_calls().size(), 1U);
    }
    // a statement's end makes no difference
    const array<c64> product = z * w, sum = product + z;
    EXPECT_EQ(cost(sum), (std::array<std::uint64_t, 3>{1, 16000, 8000}));
}

// As numpy.array2string and str() of NumPy 2 write them.
TEST(Complex, Printing) {
    const auto text = [](const auto& x) {
        std::ostringstream to;
        to << x;
        return to.str();
    };
    EXPECT_EQ(text(array<c64>{c64(1, 2), c64(3, -4), c64(0.5f, 0)}), "[1. +2.j 3. -4.j 0.5+0.j]");
    EXPECT_EQ(text(array<c128>{c128(1e-5, 1), c128(-2, 1e5)}), "[ 1.e-05+1.e+00j -2.e+00+1.e+05j]");
    EXPECT_EQ(text(array<c64>{c64(NAN, 1), c64(-INFINITY, -2.25)}), "[ nan+1.j   -inf-2.25j]");
    EXPECT_EQ(text(frit::scalar(c128(1, 2))), "(1+2j)");
    EXPECT_EQ(text(frit::scalar(c128(0, -2.5))), "-2.5j");
    EXPECT_EQ(text(frit::scalar(c64(-0.0f, 2.5f))), "(-0+2.5j)");
}
}  // namespace
