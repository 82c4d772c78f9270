// complex64 and complex128: what is not one op of ops.def, which are compared with the reference where those of all dtypes
// are. Formulas in every layout, statistics, the rules of real operands and numbers, parts in memory, printing. Every engine
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
#include <map>
#include <numeric>
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

/// Every op is a kernel or two here, which the host's compiler would take minutes for: it gives the bits of jit.
void interpreted_and_jit(const std::function<void(const std::string&)>& check) {
    if (frit::default_device() != frit::device::cpu()) return check("cuda");
    for (const frit_test::engine e : frit_test::engines()) {
        if (e == frit_test::engine::cxx) continue;
        const frit_test::with_engine with(e);
        check(frit_test::name_of(e));
    }
}

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

// --- order ---

/// A number in letters: "12" is 1+2i, n a NaN, z a -0, i an infinity, j -infinity.
template <class T>
std::vector<T> spelled(const std::string& text) {
    using part = typename T::value_type;
    constexpr part inf = std::numeric_limits<part>::infinity();
    const auto part_of = [](char c) {
        return c == 'n'   ? std::numeric_limits<part>::quiet_NaN()
               : c == 'z' ? part(-0.0)
               : c == 'i' ? inf
               : c == 'j' ? -inf
                          : part(c - '0');
    };
    std::vector<T> values;
    for (std::size_t k = 0; k < text.size(); k += 3) values.emplace_back(part_of(text[k]), part_of(text[k + 1]));
    return values;
}
/// Equal parts, zeros' signs among them; NaNs are one.
template <class T>
void expect_parts(const array<T>& got, const std::string& want, const std::string& what) {
    const std::vector<T> is = got.to_vector(), should = spelled<T>(want);
    ASSERT_EQ(is.size(), should.size()) << what;
    const auto same = [](auto a, auto b) {
        return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
    };
    for (std::size_t k = 0; k < is.size(); ++k)
        EXPECT_TRUE(same(is[k].real(), should[k].real()) && same(is[k].imag(), should[k].imag()))
            << what << " at " << k << ": got " << is[k] << ", want " << should[k];
}

// NumPy's answers, of 1.24: each of these with each, 12 13 n1 1n nn 20 0z z0.
template <class T>
void check_order() {
    const array<T> x = frit::from_host(spelled<T>("12 13 n1 1n nn 20 0z z0")), rows = x.reshape({8, 1});
    const std::string nans = "n1 n1 n1 n1 n1 n1 n1 n1 1n 1n 1n 1n 1n 1n 1n 1n nn nn nn nn nn nn nn nn ";
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        expect_parts(array<T>(maximum(rows, x)),
                     "12 13 n1 1n nn 20 12 12 13 13 n1 1n nn 20 13 13 " + nans +
                         "20 20 n1 1n nn 20 20 20 12 13 n1 1n nn 20 0z 0z 12 13 n1 1n nn 20 z0 z0",
                     "maximum");
        expect_parts(array<T>(minimum(rows, x)),
                     "12 12 n1 1n nn 12 0z z0 12 13 n1 1n nn 13 0z z0 " + nans +
                         "12 13 n1 1n nn 20 0z z0 0z 0z n1 1n nn 0z 0z 0z z0 z0 n1 1n nn z0 z0 z0",
                     "minimum");
        expect_parts(array<T>(fmax(rows, x)),
                     "12 13 12 12 12 20 12 12 13 13 13 13 13 20 13 13 12 13 n1 n1 n1 20 0z z0 12 13 1n 1n 1n 20 0z z0 "
                     "12 13 nn nn nn 20 0z z0 20 20 20 20 20 20 20 20 12 13 0z 0z 0z 20 0z 0z 12 13 z0 z0 z0 20 z0 z0",
                     "fmax");
        expect_parts(array<T>(fmin(rows, x)),
                     "12 12 12 12 12 12 0z z0 12 13 13 13 13 13 0z z0 12 13 n1 n1 n1 20 0z z0 12 13 1n 1n 1n 20 0z z0 "
                     "12 13 nn nn nn 20 0z z0 12 13 20 20 20 20 0z z0 0z 0z 0z 0z 0z 0z 0z 0z z0 z0 z0 z0 z0 z0 z0 z0",
                     "fmin");
        const auto expect_bits = [](const array<bool>& got, const std::string& want, const char* what) {
            std::string is;
            for (const bool b : got.to_vector()) is += b ? '1' : '0';
            EXPECT_EQ(is, want) << what;
        };
        const std::string none(24, '0');
        expect_bits(rows < x, "0100010000000100" + none + "000000001100010011000100", "<");
        expect_bits(rows <= x, "1100010001000100" + none + "000001001100011111000111", "<=");
        expect_bits(rows > x, "0000001110000011" + none + "110000110000000000000000", ">");
        expect_bits(rows >= x, "1000001111000011" + none + "110001110000001100000011", ">=");
        expect_parts(array<T>(clip(frit::from_host(spelled<T>("12 31 n0 15")), T(1, 3), 2.0)), "13 20 n0 15", "clip");
    });
}
TEST(Complex, OrderComplex64) { check_order<c64>(); }
TEST(Complex, OrderComplex128) { check_order<c128>(); }

/// Few different parts, so that most are equal to others but for a zero's sign, and some NaNs in either part.
template <class T>
std::vector<T> crowd(std::size_t count, std::uint32_t seed, unsigned nans) {
    using part = typename T::value_type;
    std::mt19937 random(seed);
    const auto part_of = [&] {
        if (random() % 1000 < nans) return std::numeric_limits<part>::quiet_NaN();
        const auto x = static_cast<part>(random() % 3);
        return random() % 2 == 0 ? -x : x;
    };
    std::vector<T> values;
    for (std::size_t k = 0; k < count; ++k) {
        const part re = part_of();
        values.emplace_back(re, part_of());
    }
    return values;
}
template <class T>
T first_extremum(const std::vector<T>& row, bool largest) {
    const auto nan = [](const T& x) { return std::isnan(x.real()) || std::isnan(x.imag()); };
    const auto less = [](const T& a, const T& b) {
        return a.real() < b.real() || (a.real() == b.real() && a.imag() < b.imag());
    };
    T best = row[0];
    for (const T& x : row)
        if (!nan(best) && (nan(x) || (largest ? less(best, x) : less(x, best)))) best = x;
    return best;
}
template <class T>
void expect_same_parts(const array<T>& got, const std::vector<T>& want, const std::string& what) {
    const std::vector<T> is = got.to_vector();
    ASSERT_EQ(is.size(), want.size()) << what;
    const auto same = [](auto a, auto b) {
        return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
    };
    for (std::size_t k = 0; k < is.size(); ++k)
        if (!same(is[k].real(), want[k].real()) || !same(is[k].imag(), want[k].imag())) {
            ADD_FAILURE() << what << " at " << k << ": got " << is[k] << ", want " << want[k];
            return;
        }
}

/// x of three axes reduced along every choice of them.
template <class T>
void check_first_extremes(const array<T>& x, const std::string& what) {
    const frit::shape e = x.shape();
    const std::vector<T> values = x.to_vector();
    for (unsigned axes = 1; axes < 8; ++axes) {
        std::map<std::int64_t, std::vector<T>> rows;
        std::vector<std::int64_t> over;
        for (int k = 0; k < 3; ++k)
            if (axes >> k & 1U) over.push_back(k);
        std::size_t at = 0;
        for (std::int64_t i = 0; i < e[0]; ++i)
            for (std::int64_t j = 0; j < e[1]; ++j)
                for (std::int64_t k = 0; k < e[2]; ++k) {
                    const std::int64_t row =
                        (axes & 1U ? 0 : i * e[1] * e[2]) + (axes & 2U ? 0 : j * e[2]) + (axes & 4U ? 0 : k);
                    rows[row].push_back(values[at++]);
                }
        std::vector<T> largest, smallest;
        for (const auto& [row, of_row] : rows) {
            largest.push_back(first_extremum(of_row, true));
            smallest.push_back(first_extremum(of_row, false));
        }
        const std::string who = what + " " + frit::to_string(e) + " axes " + std::to_string(axes);
        expect_same_parts(array<T>(max(x, over)), largest, who + " max");
        expect_same_parts(array<T>(min(x, over)), smallest, who + " min");
        expect_same_parts(array<T>(max(conj(conj(x)), over)), largest, who + " max of a formula");
    }
    expect_same_parts(array<T>(max(x)), {first_extremum(values, true)}, what + " max of all");
    expect_same_parts(array<T>(max(x)), {array<T>(x.reshape({-1}))(argmax(x.reshape({-1})).item()).item()},
                      what + " argmax");
    expect_same_parts(array<T>(min(x)), {first_extremum(values, false)}, what + " min of all");
}
template <class T>
void check_first_of_equals() {
    const array<T> few = frit::from_host(spelled<T>("12 n0 0n 1n 21"));
    const frit::shape shapes[] = {{1, 1, 300}, {2, 3, 40}, {37, 2, 5}, {70, 9, 1}, {3, 1, 4500}};
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        expect_parts(array<T>(max(few)), "n0", "max");
        expect_parts(array<T>(max(few.reshape({5, 1}), 0)), "n0", "max");
        check_first_extremes(array<T>(frit::from_host(crowd<T>(37 * 2 * 70, 49, 20), {37, 2, 70}).T()), "turned");
    });
    interpreted_and_jit([&](const std::string& who) {
        SCOPED_TRACE(who);
        expect_parts(array<T>(max(few)), "n0", "max");
        expect_parts(array<T>(min(few)), "n0", "min");
        expect_parts(array<T>(max(few.reshape({5, 1}), 0)), "n0", "max");
        expect_parts(array<T>(max(broadcast_to(few, {3, 5}), 1)), "n0 n0 n0", "max");
        std::uint32_t seed = 50;
        for (const frit::shape& s : shapes)
            for (const unsigned nans : {0U, 20U, 400U}) {
                const auto count = static_cast<std::size_t>(s.size());
                const array<T> x = frit::from_host(crowd<T>(count, ++seed, nans), s);
                check_first_extremes(x, "dense");
                check_first_extremes(array<T>(x.T()), "turned");
                check_first_extremes(array<T>(flip(x)), "backward");
            }
    });
}
TEST(Complex, FirstOfEqualsAndNaNsComplex64) { check_first_of_equals<c64>(); }
TEST(Complex, FirstOfEqualsAndNaNsComplex128) { check_first_of_equals<c128>(); }

template <class T>
void check_extremes() {
    const array<T> x = frit::from_host(spelled<T>("12 13 02 13 05 02 jn ji j0 i0 ij i0 nn 12 13 n1 1n 12")).reshape({6, 3});
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        expect_parts(array<T>(max(x(slice(0, 5)), 1)), "13 13 jn i0 nn", "max of rows");
        expect_parts(array<T>(min(x(slice(0, 5)), 1)), "02 02 jn ij nn", "min of rows");
        EXPECT_EQ(array<std::int64_t>(argmax(x, 1)).to_vector(), (std::vector<std::int64_t>{1, 0, 0, 0, 0, 0}));
        EXPECT_EQ(array<std::int64_t>(argmin(x, 1)).to_vector(), (std::vector<std::int64_t>{2, 2, 0, 1, 0, 0}));
        EXPECT_EQ(array<std::int64_t>(argmin(x(slice(3, 5)), 0)).to_vector(), (std::vector<std::int64_t>{1, 1, 1}));
        EXPECT_EQ(argmax(x).item(), 6);
        EXPECT_EQ(argmax(x(slice(0, 2))).item(), 1);
        const T last = array<T>(max(x(5))).item();
        EXPECT_TRUE(std::isnan(last.real()) || std::isnan(last.imag()));
        // what is left out is smaller than every number, and larger
        const array<T> ends = frit::from_host(spelled<T>("j0 i0 12"));
        const array<bool> first{true, false, false}, second{false, true, false}, none{false, false, false};
        expect_parts(array<T>(max(ends, 0, frit::where(first))), "j0", "max of one");
        expect_parts(array<T>(min(ends, 0, frit::where(second))), "i0", "min of one");
        expect_parts(array<T>(max(ends, 0, frit::where(none))), "jj", "max of nothing");
        expect_parts(min(frit::any_array(ends), 0, frit::where(none)).template as<T>(), "ii", "min of nothing");
        EXPECT_EQ(argmax(ends, frit::where(first)).item(), 0);
        // long rows, and with what else is asked of them
        const array<T> many = some<T>({7, 5003}, 31);
        const array<T> largest = max(many, 1, frit::keepdims);
        EXPECT_TRUE(frit::all(many <= largest).item());
        EXPECT_TRUE(frit::all(any(many == largest, 1)).item());
        const std::vector<std::int64_t> places = array<std::int64_t>(argmax(many, 1)).to_vector();
        for (std::int64_t k = 0; k < 7; ++k)
            EXPECT_EQ(many(k, places[static_cast<std::size_t>(k)]).item(), largest(k, 0).item());
        if (!frit_test::missing_library(op::cummax).empty()) return;
        const array<T> steps = frit::from_host(spelled<T>("12 z0 13 0z 1n 50 n1"));
        expect_parts(array<T>(cummax(steps)), "12 12 13 13 1n 1n 1n", "cummax");
        expect_parts(array<T>(cummin(steps)), "12 z0 z0 z0 1n 1n 1n", "cummin");
        EXPECT_TRUE(frit::all(array<T>(cummax(many, 1))(frit::all, -1) == max(many, 1)).item());
        EXPECT_TRUE(frit::all(array<T>(cummin(many, 1))(frit::all, -1) == min(many, 1)).item());
    });
    EXPECT_EQ(frit::make_plan(array<T>(max(some<T>({40, 50}, 32), 1))).kernels().size(), 1U);
}
TEST(Complex, ExtremesComplex64) { check_extremes<c64>(); }
TEST(Complex, ExtremesComplex128) { check_extremes<c128>(); }

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

// --- statistics ---

template <class T>
void check_statistics() {
    const std::int64_t rows = 19, columns = 301;
    const array<T> x = some<T>({rows, columns}, 9), w = some<T>({columns}, 10);
    const std::vector<T> a = x.to_vector(), b = w.to_vector();
    using part = frit::cpp_type<frit::real_dtype(frit::dtype_of<T>)>;
    std::vector<c128> centred, spreads(static_cast<std::size_t>(rows)), weighted(spreads);
    for (std::size_t i = 0; i < spreads.size(); ++i) {
        const auto n = static_cast<double>(columns);
        const T* const row = &a[i * b.size()];
        c128 mean;
        for (std::size_t j = 0; j < b.size(); ++j) mean += wide(row[j]) / n;
        for (std::size_t j = 0; j < b.size(); ++j) {
            centred.push_back(wide(row[j]) - mean);
            spreads[i] += std::norm(centred.back()) / n;
            weighted[i] += wide(row[j]) * wide(b[j]);
        }
    }
    same_bits bits;
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        // sums cancel: the bound is of what was added up
        const double slack = 4000;
        const array<T> dots = sum(x * w, 1);
        bits.add("dots", dots);
        expect_near(dots, weighted, slack, "sum of products");
        expect_near(array<T>(x - mean(x, -1, frit::keepdims)), centred, slack, "centred");
        expect_near(array<part>(var(x, 1)), spreads, 64, "var");
        EXPECT_EQ(count_nonzero(where(real(x) > 0, x, T(0))).item(), sum(real(x) > 0).item());
        EXPECT_EQ(sum(x, frit::where(real(x) > 1e9)).item(), T(0));
    });
}
TEST(Complex, StatisticsComplex64) { check_statistics<c64>(); }
TEST(Complex, StatisticsComplex128) { check_statistics<c128>(); }

/// Numbers of moduli near 1, so that products of many of them stay in range.
template <class T>
array<T> factors(const frit::shape& extents, std::uint32_t seed, double spread = 0.7) {
    std::mt19937 random(seed);
    std::vector<T> values;
    for (std::int64_t k = 0; k < extents.size(); ++k) {
        const double size = 1 + spread * (static_cast<double>(random()) / 0x1p32 - 0.45),
                     angle = static_cast<double>(random()) * 0x1p-29;
        values.push_back(T(std::polar(size, angle)));
    }
    return frit::from_host(values, extents);
}

// n factors: n - 1 products, each of them off by 3 epsilons at most (R. Brent, C. Percival and P. Zimmermann, 2007, show
// sqrt(5) units in the last place).
template <class T>
void check_running_products() {
    const std::int64_t rows = 11, columns = 143;
    const array<T> x = factors<T>({rows, columns}, 19), w = factors<T>({columns}, 20);
    const std::vector<T> a = x.to_vector(), b = w.to_vector();
    using wide = std::complex<long double>;
    const auto n = a.size(), m = b.size();
    std::vector<wide> of_rows(n / m, 1), of_columns(m, 1), weighted(n / m, 1), positive(n / m, 1);
    std::vector<c128> running_rows, running_columns;
    wide total = 1;
    for (std::size_t k = 0; k < n; ++k) {
        const wide v(a[k]), u(b[k % m]);
        total *= v;
        running_rows.push_back(c128(of_rows[k / m] *= v));
        running_columns.push_back(c128(of_columns[k % m] *= v));
        weighted[k / m] *= v * u;
        if (v.real() > 0) positive[k / m] *= v;
    }
    const auto rounded = [](const std::vector<wide>& v) { return std::vector<c128>(v.begin(), v.end()); };
    const double slack = 3 * columns;
    same_bits bits;
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const array<T> by_row = prod(x, 1), by_column = prod(x, 0), all = prod(x), dots = prod(x * w, 1);
        for (const auto& [what, result] : {std::pair("all", all), {"rows", by_row}, {"columns", by_column}, {"dots", dots}})
            bits.add(what, result);
        expect_near(all, {c128(total)}, 3.0 * static_cast<double>(n), "prod");
        expect_near(by_row, rounded(of_rows), slack, "prod of rows");
        expect_near(by_column, rounded(of_columns), slack, "prod of columns");
        expect_near(array<T>(prod(x.T(), 0)), rounded(of_rows), slack, "prod of transposed columns");
        expect_near(array<T>(prod(x.reshape({11, 13, 11}), {0, 1, 2})), {c128(total)}, 3.0 * static_cast<double>(n), "axes");
        expect_near(dots, rounded(weighted), 2 * slack, "prod of products");
        expect_near(array<T>(prod(x, 1, frit::where(real(x) > 0))), rounded(positive), slack, "masked");
        EXPECT_EQ(prod(x, 1, frit::keepdims).shape(), (frit::shape{rows, 1}));
        EXPECT_EQ(prod(x(slice(0, 0)), 0).to_vector(), std::vector<T>(m, T(1)));
        EXPECT_EQ(prod(x(slice(0, 0))).item(), T(1));
        const array<T> signs = frit::from_host(std::vector<T>{T(1, -0.0), T(-0.0, -0.0), T(-1, 0.0), T(1, 0.0)});
        EXPECT_EQ(bytes_of(array<T>(prod(signs.reshape({4, 1}), 1))), bytes_of(signs));
        EXPECT_EQ(bytes_of(prod(frit::any_array(x), 1).template as<T>()), bytes_of(by_row));
        // with another total of the same rows, and divided by it
        expect_near(array<T>(x / prod(x, 1, frit::keepdims) * prod(x, 1, frit::keepdims)), rounded({a.begin(), a.end()}),
                    slack, "elements of their row's");
        if (!frit_test::missing_library(op::cumprod).empty()) return;
        expect_near(array<T>(cumprod(x, 1)), running_rows, slack, "cumprod of rows");
        expect_near(array<T>(cumprod(x, 0)), running_columns, slack, "cumprod of columns");
        const auto flat = array<T>(cumprod(x)).to_vector();
        ASSERT_EQ(flat.size(), n);
        EXPECT_LE(std::abs(c128(flat.back()) - c128(total)), 3.0 * static_cast<double>(n) * std::abs(c128(total)) *
                                                                 std::numeric_limits<typename T::value_type>::epsilon());
    });
}
template <class T>
void check_long_product() {
    const std::int64_t n = 100'003;
    const array<T> x = factors<T>({n}, 21, 0);
    std::complex<long double> want = 1;
    for (const T v : x.to_vector()) want *= std::complex<long double>(v);
    everywhere([&](const std::string& who) {
        expect_near(array<T>(prod(x)), {c128(want)}, 3 * n, who);
        if (!frit_test::missing_library(op::cumprod).empty()) return;
        expect_near(array<T>(cumprod(x)(slice(n - 1, n))), {c128(want)}, 3 * n, who + ": cumprod");
    });
}
TEST(Complex, LongProductComplex64) { check_long_product<c64>(); }
TEST(Complex, LongProductComplex128) { check_long_product<c128>(); }

TEST(Complex, RunningProductsComplex64) { check_running_products<c64>(); }
TEST(Complex, RunningProductsComplex128) { check_running_products<c128>(); }

// Whole numbers are exact, and where nothing but ones comes before, after or beside it a number is itself.
template <class T>
void check_exact_products() {
    using part = typename T::value_type;
    const part inf = std::numeric_limits<part>::infinity();
    everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        EXPECT_EQ(prod(array<T>{T(1, 2), T(3, -1), T(0, 1), T(-2, 2)}).item(), T(0, -20));
        for (const T one : {T(0, inf), T(-0.0F, -inf), T(-0.0F, 3), T(inf, inf), T(0, -0.0F)}) {
            array<T> x = frit::ones<T>({5, 300});
            x(2, 177) = one;
            const T all = prod(x).item(), row = array<T>(prod(x, 1)).to_vector()[2],
                    column = array<T>(prod(x, 0)).to_vector()[177];
            for (const T got : {all, row, column}) {
                EXPECT_EQ(got, one);
                EXPECT_EQ(std::signbit(got.real()), std::signbit(one.real()));
                EXPECT_EQ(std::signbit(got.imag()), std::signbit(one.imag()));
            }
        }
        const T nan = prod(array<T>{T(1, 2), T(std::numeric_limits<part>::quiet_NaN(), 0)}).item();
        EXPECT_TRUE(std::isnan(nan.real()) && std::isnan(nan.imag()));
    });
}
TEST(Complex, ExactProductsComplex64) { check_exact_products<c64>(); }
TEST(Complex, ExactProductsComplex128) { check_exact_products<c128>(); }

// --- sorts ---

/// NumPy's order, as it documents it: [R + Rj, R + nanj, nan + Rj, nan + nanj], and what has a number by that number.
template <class T>
bool comes_before(T a, T b) {
    const auto group = [](T z) {
        return 2 * static_cast<int>(std::isnan(z.real())) + static_cast<int>(std::isnan(z.imag()));
    };
    if (group(a) != group(b)) return group(a) < group(b);
    switch (group(a)) {
        case 0: return a.real() < b.real() || (a.real() == b.real() && a.imag() < b.imag());
        case 1: return a.real() < b.real();
        case 2: return a.imag() < b.imag();
        default: return false;
    }
}

/// Few values, so that there are ties, zeros of both signs, infinities and all kinds of NaN among them.
template <class T>
std::vector<T> numbers_to_sort(std::int64_t count, std::uint32_t seed) {
    using part = typename T::value_type;
    const part inf = std::numeric_limits<part>::infinity(), nan = std::numeric_limits<part>::quiet_NaN();
    const part special[] = {0, -part(0), inf, -inf, nan, -nan, 1, -1, part(1e-40), -part(1e-40)};
    std::mt19937 random(seed);
    const auto draw = [&] {
        const std::uint32_t bits = random();
        if (bits % 4 == 0) return special[bits / 4 % 10];
        return static_cast<part>(static_cast<int>(bits / 4 % 41) - 20) / 4 * (bits % 4 == 1 ? part(1e6) : part(1));
    };
    std::vector<T> values;
    for (std::int64_t k = 0; k < count; ++k) {
        const part re = draw();
        values.emplace_back(re, draw());
    }
    return values;
}

template <class T>
void check_sorts() {
    if (const std::string missing = frit_test::missing_library(op::sort); !missing.empty()) GTEST_SKIP() << missing;
    struct extents {
        std::int64_t rows, columns;
    };
    for (const auto& [rows, columns] : {extents{3, 1}, {40, 9}, {7, 300}, {2, 5000}, {1, 140'000}, {0, 4}, {4, 0}}) {
        const std::vector<T> a = numbers_to_sort<T>(rows * columns, static_cast<std::uint32_t>(columns));
        const array<T> x = frit::from_host(a.data(), {rows, columns});
        std::vector<T> sorted;
        std::vector<std::int64_t> places;
        for (std::int64_t i = 0; i < rows; ++i) {
            const T* const row = a.data() + i * columns;
            std::vector<std::int64_t> order(static_cast<std::size_t>(columns));
            std::iota(order.begin(), order.end(), 0);
            std::stable_sort(order.begin(), order.end(),
                             [&](std::int64_t p, std::int64_t q) { return comes_before(row[p], row[q]); });
            for (const std::int64_t p : order) {
                places.push_back(p);
                sorted.push_back(row[p]);
            }
        }
        const std::string values = bytes_of(frit::from_host(sorted.data(), {rows, columns}));
        everywhere([&](const std::string& who) {
            SCOPED_TRACE(who + ", " + std::to_string(rows) + " rows of " + std::to_string(columns));
            EXPECT_TRUE(bytes_of(array<T>(sort(x))) == values);
            EXPECT_EQ(argsort(x).to_vector(), places);
            const array<T> both = sort(x, 1);
            const array<std::int64_t> order = argsort(x, 1);
            frit::eval(both, order);
            EXPECT_TRUE(bytes_of(both) == values);
            EXPECT_EQ(order.to_vector(), places);
            const array<T> turned = x.T(), of_columns = sort(turned, 0);
            EXPECT_TRUE(bytes_of(array<T>(of_columns.T())) == values);
            EXPECT_EQ(argsort(frit::any_array(x)).to_vector(), places);
            EXPECT_TRUE(bytes_of(sort(frit::any_array(x)).template as<T>()) == values);
        });
    }
}
TEST(Complex, SortsComplex64) { check_sorts<c64>(); }
TEST(Complex, SortsComplex128) { check_sorts<c128>(); }

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
