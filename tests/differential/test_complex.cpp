// complex64 and complex128: every op, cast, reduction, scan and product of ops.def that takes them, against std::complex in
// double; views, updates and 16-byte elements in every layout. Every engine and the unfused form must give the same bits.
// How near the functions are to the truth, and what they make of infinities, zeros' signs and NaN, is a test of its own:
// tests/unit/test_complex_functions.cpp.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "frit/frit.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/libraries.hpp"

namespace {
using frit::array, frit::dtype, frit::op, frit::slice;
using frit_test::everywhere;
using c64 = std::complex<float>;
using c128 = std::complex<double>;

template <class T>
std::vector<T> numbers(std::size_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto part = [&] { return (static_cast<double>(random()) / 0x1p32 - 0.5) * (random() % 4 == 0 ? 16 : 3); };
    std::vector<T> values;
    for (std::size_t k = 0; k < count; ++k) {
        if constexpr (frit::is_complex(frit::dtype_of<T>)) {
            const double re = part();
            values.push_back(T(c128(re, part())));
        } else {
            values.push_back(static_cast<T>(part()));
        }
    }
    return values;
}
template <class T>
array<T> some(const frit::shape& extents, std::uint32_t seed) {
    return frit::from_host(numbers<T>(static_cast<std::size_t>(extents.size()), seed), extents);
}

/// Any element as a complex number.
template <class T>
c128 wide(T x) {
    if constexpr (frit::is_complex(frit::dtype_of<T>))
        return c128(x);
    else
        return {static_cast<double>(x), 0};
}

/// @param eps  the error allowed, by modulus, in units of the parts' precision
template <class T>
void expect_near(const array<T>& got, const std::vector<c128>& want, double eps, const std::string& what) {
    const std::vector<T> values = got.to_vector();
    ASSERT_EQ(values.size(), want.size()) << what;
    using part = frit::cpp_type<frit::real_dtype(frit::dtype_of<T>)>;
    const double unit = std::is_floating_point_v<part> ? static_cast<double>(std::numeric_limits<part>::epsilon()) : 0;
    int shown = 0;
    for (std::size_t k = 0; k < want.size() && shown < 3; ++k) {
        const c128 is = wide(static_cast<T>(values[k]));
        if (is == want[k] || std::abs(is - want[k]) <= eps * unit * std::abs(want[k])) continue;
        ++shown;
        ADD_FAILURE() << what << " at " << k << ": got " << is << ", want " << want[k];
    }
}

template <class T>
std::string bytes_of(const array<T>& x) {
    const auto values = x.to_vector();
    std::string out;
    for (const T v : values) out.append(reinterpret_cast<const char*>(&v), sizeof v);
    return out;
}
/// Collects what one formula gives everywhere: the first one's bits are everybody's.
class same_bits {
public:
    template <class T>
    void add(const std::string& what, const array<T>& x) {
        const std::string bytes = bytes_of(x);
        const auto [known, fresh] = first_.try_emplace(what, bytes);
        EXPECT_TRUE(fresh || known->second == bytes) << what;
    }

private:
    std::map<std::string, std::string> first_;
};

// --- elementwise ---

using reference = std::function<c128(c128, c128)>;
const std::map<op, reference>& references() {
    const auto truth = [](bool x) { return c128(x ? 1 : 0, 0); };
    static const std::map<op, reference> table = {
        {op::add, [](c128 a, c128 b) { return a + b; }},
        {op::sub, [](c128 a, c128 b) { return a - b; }},
        {op::mul, [](c128 a, c128 b) { return a * b; }},
        {op::div, [](c128 a, c128 b) { return a / b; }},
        {op::neg, [](c128 a, c128) { return -a; }},
        {op::pos, [](c128 a, c128) { return a; }},
        {op::square, [](c128 a, c128) { return a * a; }},
        {op::reciprocal, [](c128 a, c128) { return 1.0 / a; }},
        {op::eq, [=](c128 a, c128 b) { return truth(a == b); }},
        {op::ne, [=](c128 a, c128 b) { return truth(a != b); }},
        {op::logical_not, [=](c128 a, c128) { return truth(a == 0.0); }},
        {op::logical_and, [=](c128 a, c128 b) { return truth(a != 0.0 && b != 0.0); }},
        {op::logical_or, [=](c128 a, c128 b) { return truth(a != 0.0 || b != 0.0); }},
        {op::logical_xor, [=](c128 a, c128 b) { return truth((a != 0.0) != (b != 0.0)); }},
        {op::isnan, [=](c128 a, c128) { return truth(std::isnan(a.real()) || std::isnan(a.imag())); }},
        {op::isinf, [=](c128 a, c128) { return truth(std::isinf(a.real()) || std::isinf(a.imag())); }},
        {op::isfinite, [=](c128 a, c128) { return truth(std::isfinite(a.real()) && std::isfinite(a.imag())); }},
        {op::real, [](c128 a, c128) { return c128(a.real(), 0); }},
        {op::imag, [](c128 a, c128) { return c128(a.imag(), 0); }},
        {op::abs, [](c128 a, c128) { return c128(std::abs(a), 0); }},
        {op::arg, [](c128 a, c128) { return c128(std::arg(a), 0); }},
        {op::conj, [](c128 a, c128) { return std::conj(a); }},
        {op::proj, [](c128 a, c128) { return std::proj(a); }},
        {op::sign, [](c128 a, c128) { return a == 0.0 ? a : a / std::abs(a); }},
        {op::sqrt, [](c128 a, c128) { return std::sqrt(a); }},
        {op::exp, [](c128 a, c128) { return std::exp(a); }},
        {op::exp2, [](c128 a, c128) { return std::exp(a * M_LN2); }},
        {op::expm1, [](c128 a, c128) { return std::exp(a) - 1.0; }},
        {op::log, [](c128 a, c128) { return std::log(a); }},
        {op::log2, [](c128 a, c128) { return std::log(a) / M_LN2; }},
        {op::log10, [](c128 a, c128) { return std::log10(a); }},
        {op::log1p, [](c128 a, c128) { return std::log(1.0 + a); }},
        {op::pow, [](c128 a, c128 b) { return std::pow(a, b); }},
        {op::sin, [](c128 a, c128) { return std::sin(a); }},
        {op::cos, [](c128 a, c128) { return std::cos(a); }},
        {op::tan, [](c128 a, c128) { return std::tan(a); }},
        {op::asin, [](c128 a, c128) { return std::asin(a); }},
        {op::acos, [](c128 a, c128) { return std::acos(a); }},
        {op::atan, [](c128 a, c128) { return std::atan(a); }},
        {op::sinh, [](c128 a, c128) { return std::sinh(a); }},
        {op::cosh, [](c128 a, c128) { return std::cosh(a); }},
        {op::tanh, [](c128 a, c128) { return std::tanh(a); }},
        {op::asinh, [](c128 a, c128) { return std::asinh(a); }},
        {op::acosh, [](c128 a, c128) { return std::acosh(a); }},
        {op::atanh, [](c128 a, c128) { return std::atanh(a); }},
    };
    return table;
}

template <op Op, class... A>
auto call(const A&... x) {
    return array(frit::detail::make_call<Op>(x...));
}

/// std's functions of double have errors of their own: the bound is what the two may differ by. Those of numbers near a zero
/// of the function are left to the unit test.
template <op Op, class X, class Y>
void check_op(const X& x, const Y& y, const std::string& what, same_bits& bits) {
    const auto a = x.to_vector();
    const auto b = y.to_vector();
    std::vector<c128> want;
    for (std::size_t k = 0; k < a.size(); ++k) want.push_back(references().at(Op)(wide(a[k]), wide(b[k])));
    const auto check = [&](const auto& got) {
        bits.add(what, got);
        using part = frit::cpp_type<frit::real_dtype(frit::dtype_of<typename X::value_type>)>;
        expect_near(got, want, sizeof(part) == 4 ? 16 : 64, what);
    };
    if constexpr (frit::info(Op).arity == 1)
        check(call<Op>(x));
    else
        check(call<Op>(x, y));
}

template <class T>
void check_every_op() {
    using part = frit::cpp_type<frit::real_dtype(frit::dtype_of<T>)>;
    const array<T> x = some<T>({203}, 1), y = some<T>({203}, 2);
    const array<part> r = some<part>({203}, 3);
    same_bits bits;
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
#define FRIT_OP(name, arity, ...)                                                                          \
    if constexpr (op::name != op::where && frit::takes(op::name, dtype::c64)) {                            \
        check_op<op::name>(x, y, #name, bits);                                                             \
        if constexpr (arity == 2) check_op<op::name>(x, r, #name " with a real number", bits);             \
        if constexpr (arity == 2) check_op<op::name>(r, x, #name " of a real and a complex number", bits); \
    }
#include "frit/ops.def"
        const std::vector<T> a = x.to_vector(), b = y.to_vector();
        std::vector<c128> chosen, made, polar;
        const std::vector<part> real = r.to_vector(), size = array<part>(abs(x)).to_vector();
        for (std::size_t k = 0; k < a.size(); ++k) {
            chosen.push_back(wide(real[k] > 0 ? a[k] : b[k]));
            made.push_back({static_cast<double>(real[k]), static_cast<double>(size[k])});
            polar.push_back(std::polar(static_cast<double>(size[k]), static_cast<double>(real[k])));
        }
        expect_near(array<T>(where(r > 0, x, y)), chosen, 0, "where");
        expect_near(array<T>(complex(r, abs(x))), made, 0, "complex");
        expect_near(array<T>(frit::polar(abs(x), r)), polar, 16, "polar");
    });
}
TEST(Complex, EveryOpComplex64) { check_every_op<c64>(); }
TEST(Complex, EveryOpComplex128) { check_every_op<c128>(); }

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

template <class T>
void check_updates() {
    const std::int64_t rows = 11, columns = 23;
    const array<T> x = some<T>({rows, columns}, 7), y = some<T>({columns}, 8);
    const std::vector<T> a = x.to_vector(), b = y.to_vector();
    std::vector<c128> want;
    for (const T v : a) want.push_back(wide(v));
    const auto at = [&](std::int64_t i, std::int64_t j) -> c128& { return want[static_cast<std::size_t>(i * columns + j)]; };
    for (std::int64_t j = 0; j < columns; ++j) at(3, j) = wide(b[static_cast<std::size_t>(j)]);
    for (std::int64_t i = 0; i < rows; ++i) at(i, 5) = {2, -1};
    for (std::int64_t i = 1; i < rows; i += 2)
        for (std::int64_t j = 0; j < columns; j += 4) at(i, j) = at(i, j) * c128(0, 1);
    for (c128& v : want)
        if (v.real() < 0) v = 0;
    everywhere([&](const std::string& who) {
        for (const bool each : {false, true}) {
            array<T> u = x;
            const auto step = [&] {
                if (each) u.eval();
            };
            u(3) = y;
            step();
            u(frit::all, 5) = T(2, -1);
            step();
            u(slice(1, frit::none, 2), slice(0, frit::none, 4)) *= T(0, 1);
            step();
            u(real(u) < 0) = 0;
            expect_near(u, want, 0, who + (each ? ", evaluated in between" : ""));
        }
    });
}
TEST(Complex, UpdatesComplex64) { check_updates<c64>(); }
TEST(Complex, UpdatesComplex128) { check_updates<c128>(); }

// --- casts ---

template <class To, class From>
void check_cast() {
    std::vector<From> values;
    for (int k = -3; k < 40; ++k) {
        if constexpr (frit::is_complex(frit::dtype_of<From>))
            values.push_back(From(c128(k / 4.0, k == 1 ? 0 : 3 - k)));
        else
            values.push_back(static_cast<From>(k));
    }
    const array<From> x = frit::from_host(values, {static_cast<std::int64_t>(values.size())});
    std::vector<c128> want;
    for (const From v : values) {
        const c128 z = wide(v);
        if constexpr (std::is_same_v<To, bool>)
            want.emplace_back(z != 0.0, 0);
        else if constexpr (frit::is_complex(frit::dtype_of<To>))
            want.push_back(c128(To(z)));
        else
            want.push_back(wide(array<To>(frit::cast<To>(frit::scalar(z.real()))).item()));
    }
    const std::string what =
        std::string(frit::name_of(frit::dtype_of<From>)) + " to " + std::string(frit::name_of(frit::dtype_of<To>));
    everywhere([&](const std::string& who) { expect_near(array<To>(frit::cast<To>(x)), want, 0, what + ", " + who); });
}
/// std::vector<bool> has no elements to point at.
template <class To>
void check_cast_of_bool() {
    const array<bool> x{true, false, true};
    everywhere([&](const std::string& who) {
        expect_near(array<To>(frit::cast<To>(x)), {c128(1), c128(0), c128(1)}, 0, "bool, " + who);
    });
}
template <class C>
void check_casts() {
    check_cast_of_bool<C>();
#define FRIT_X(name, type) \
    check_cast<type, C>(); \
    if constexpr (dtype::name != dtype::bool_) check_cast<C, std::conditional_t<dtype::name == dtype::bool_, int, type>>();
    FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
}
TEST(Complex, CastsComplex64) { check_casts<c64>(); }
TEST(Complex, CastsComplex128) { check_casts<c128>(); }

// --- reductions, scans, products ---

template <class T>
void check_reductions() {
    const std::int64_t rows = 19, columns = 301;
    const array<T> x = some<T>({rows, columns}, 9), w = some<T>({columns}, 10);
    const std::vector<T> a = x.to_vector(), b = w.to_vector();
    using part = frit::cpp_type<frit::real_dtype(frit::dtype_of<T>)>;
    c128 total = 0;
    std::vector<c128> of_rows(static_cast<std::size_t>(rows)), of_columns(static_cast<std::size_t>(columns)), centred,
        spreads(static_cast<std::size_t>(rows)), running(static_cast<std::size_t>(rows * columns)), weighted(of_rows);
    for (std::size_t i = 0; i < of_rows.size(); ++i)
        for (std::size_t j = 0; j < of_columns.size(); ++j) {
            const c128 v = wide(a[i * of_columns.size() + j]);
            total += v;
            of_rows[i] += v;
            of_columns[j] += v;
            weighted[i] += v * wide(b[j]);
            running[i * of_columns.size() + j] = of_rows[i];
        }
    const auto n = static_cast<double>(columns);
    for (std::size_t i = 0; i < of_rows.size(); ++i)
        for (std::size_t j = 0; j < of_columns.size(); ++j) {
            const c128 off = wide(a[i * of_columns.size() + j]) - of_rows[i] / n;
            centred.push_back(off);
            spreads[i] += std::norm(off) / n;
        }
    same_bits bits;
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        // sums cancel: the bound is of what was added up
        const double slack = 4000;
        const array<T> all = sum(x), by_row = sum(x, 1), by_column = sum(x, 0), dots = sum(x * w, 1);
        for (const auto& [what, result] : {std::pair("all", all), {"rows", by_row}, {"columns", by_column}, {"dots", dots}})
            bits.add(what, result);
        expect_near(all, {total}, slack, "sum");
        expect_near(by_row, of_rows, slack, "sum of rows");
        expect_near(by_column, of_columns, slack, "sum of columns");
        expect_near(dots, weighted, slack, "sum of products");
        expect_near(array<T>(x - mean(x, -1, frit::keepdims)), centred, slack, "centred");
        expect_near(array<part>(var(x, 1)), spreads, 64, "var");
        EXPECT_EQ(var(x, 1).dtype(), frit::real_dtype(frit::dtype_of<T>));
        EXPECT_TRUE(any(x).item());
        EXPECT_TRUE(frit::all(x).item());
        EXPECT_FALSE(frit::all(x * T(0)).item());
        EXPECT_EQ(count_nonzero(where(real(x) > 0, x, T(0))).item(), sum(real(x) > 0).item());
        EXPECT_EQ(sum(x, frit::where(real(x) > 1e9)).item(), T(0));
        if (frit_test::missing_library(op::cumsum).empty()) expect_near(array<T>(cumsum(x, 1)), running, slack, "cumsum");
    });
}
TEST(Complex, ReductionsComplex64) { check_reductions<c64>(); }
TEST(Complex, ReductionsComplex128) { check_reductions<c128>(); }

template <class T>
void check_products() {
    if (const std::string missing = frit_test::missing_library(op::matmul); !missing.empty()) GTEST_SKIP() << missing;
    const array<T> x = some<T>({7, 20}, 11), y = some<T>({20, 9}, 12);
    using part = frit::cpp_type<frit::real_dtype(frit::dtype_of<T>)>;
    const array<part> r = some<part>({20, 9}, 13);
    const auto product = [](const auto& a, const auto& b) {
        const auto p = a.to_vector();
        const auto q = b.to_vector();
        std::vector<c128> want(63);
        for (std::size_t i = 0; i < 7; ++i)
            for (std::size_t j = 0; j < 9; ++j)
                for (std::size_t k = 0; k < 20; ++k) want[i * 9 + j] += wide(p[i * 20 + k]) * wide(q[k * 9 + j]);
        return want;
    };
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        expect_near(array<T>(matmul(x, y)), product(x, y), 400, "complex");
        expect_near(array<T>(matmul(x, r)), product(x, r), 400, "complex and real");
        expect_near(array<T>(matmul(abs(x), y)), product(array<part>(abs(x)), y), 400, "real and complex");
        expect_near(array<T>(matmul(conj(x), y + T(1))), product(array<T>(conj(x)), array<T>(y + T(1))), 400, "formulas");
    });
}
TEST(Complex, ProductsComplex64) { check_products<c64>(); }
TEST(Complex, ProductsComplex128) { check_products<c128>(); }

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
        (void)max(a).eval();
        FAIL() << "the largest of complex numbers";
    } catch (const frit::dtype_error& e) {
        EXPECT_NE(std::string(e.what()).find("complex64"), std::string::npos) << e.what();
    }
    EXPECT_THROW((void)(a < a).eval(), frit::dtype_error);
    EXPECT_THROW((void)frit::sort(a).eval(), frit::dtype_error);
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
