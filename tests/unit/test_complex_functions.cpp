// The formulas of complex functions (frit/detail/complex_functions.hpp), by themselves: special values compared with those
// of C's library, errors with MPC's results, and the number of their operations. They run over doubles, and over a graph of
// operations as the engine's is (complex_graph.hpp).
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#ifdef FRIT_TEST_MPC
#include <mpc.h>
#endif

#include "tests/support/expect_file.hpp"
#include "tests/unit/complex_graph.hpp"

namespace {
namespace d = frit::detail::complex_numbers;
using frit_test::complex_graph::formula;
using frit_test::complex_graph::real;
using complex = std::complex<double>;

// --- the functions ---

/// Operands: of a function of one, the second is not looked at. Of pow and divide by their real overloads, a real part is.
struct function {
    std::string name;
    int operands;
    formula<double> on_doubles;
    formula<real> on_graph;
    int operations;  ///< of the graph, without its operands and constants
    double bound;    ///< of the error by modulus, in epsilons
    // The worst of 100,000 tries, which docs/reference/accuracy.md shows: with glibc 2.36, and with real functions that are
    // off by up to 3 epsilons more. FRIT_TEST_COMPLEX_TRIES=100000 prints them.
    double worst = 0, worst_of_inexact = 0;
};

// The error of pow is that of its bound times 1 + |w log z|, see allowance.
#define ONE(f) #f, 1, [](const auto& z, const auto&) { return d::f(z); }, [](const auto& z, const auto&) { return d::f(z); }
#define TWO(name, call) \
    name, 2, [](const auto& z, const auto& w) { return call; }, [](const auto& z, const auto& w) { return call; }
const std::vector<function>& functions() {
    static const std::vector<function> all{
        {TWO("divide", d::divide(z, w)), 59, 2, 1.64, 1.5},
        {TWO("divide real", d::divide(z.re, w)), 48, 1.5, 1.37, 1.3},
        {TWO("divide_narrow", d::divide_narrow(z, w)), 46, 2, 1.70, 1.6},
        {ONE(reciprocal), 39, 1.5, 1.27, 1.2},
        {ONE(proj), 9, 0.5},
        {ONE(sign), 21, 1, 0.80, 3.9},
        {ONE(exp), 19, 1.5, 1.25, 7.2},
        {ONE(exp2), 30, 1.5, 1.28, 7.2},
        {ONE(expm1), 28, 2, 1.45, 7.0},
        {ONE(log), 33, 1.5, 1.38, 3.9},
        {ONE(log2), 33, 2, 1.77, 4.2},
        {ONE(log10), 33, 2.5, 2.12, 4.3},
        {ONE(log1p), 33, 2, 1.54, 4.3},
        {ONE(sqrt), 29, 1.5, 1.18, 2.3},
        {ONE(rsqrt), 68, 2, 1.76, 2.5},
        {TWO("pow", d::pow(z, w)), 147, 3, 1.89, 6.7},
        {TWO("pow by real", d::pow(z, w.re)), 141, 3, 1.63, 6.8},
        {TWO("pow of real", d::pow(z.re, w)), 119, 2, 1.43, 6.6},
        {ONE(sinh), 35, 2, 1.76, 7.0},
        {ONE(cosh), 40, 2, 1.63, 7.0},
        {ONE(tanh), 29, 3, 2.42, 4.8},
        {ONE(sin), 37, 2, 1.85, 6.9},
        {ONE(cos), 41, 2, 1.57, 7.3},
        {ONE(tan), 31, 3, 2.50, 4.8},
        {ONE(asinh), 48, 2, 1.80, 5.6},
        {ONE(acosh), 48, 2, 1.71, 5.4},
        {ONE(atanh), 39, 2.5, 2.24, 9.2},
        {ONE(asin), 46, 2, 1.78, 5.2},
        {ONE(acos), 47, 2, 1.92, 5.3},
        {ONE(atan), 41, 2.5, 2.15, 9.6},
    };
    return all;
}

/// A function's graph.
struct recorded : frit_test::complex_graph::recorded {
    explicit recorded(const function& f) : frit_test::complex_graph::recorded(f.on_graph) {}
};

complex on_doubles(const function& f, complex z, complex w) {
    const auto r = f.on_doubles({z.real(), z.imag()}, {w.real(), w.imag()});
    return {r.re, r.im};
}

TEST(ComplexFunctions, Operations) {
    for (const function& f : functions()) EXPECT_EQ(recorded(f).operations(), f.operations) << f.name;
}

std::string digits(double x, int after) {
    char s[32];
    std::snprintf(s, sizeof s, "%.*f", after, x);
    return s;
}
std::string table_of_functions() {
    std::string rows =
        "| function | operations | bound | largest error | with worse real functions |\n| --- | --- | --- | --- | --- |\n";
    for (const function& f : functions()) {
        if (f.worst == 0) continue;
        std::string name = f.name == "divide_narrow" ? "divide complex64" : f.name;
        if (name.ends_with(" real")) name.insert(name.size() - 4, "a ").append(" number");
        rows += "| " + name + " | " + std::to_string(f.operations) + " | " + digits(f.bound, 1) + " | " +
                digits(f.worst, 2) + " | " + digits(f.worst_of_inexact, 1) + " |\n";
    }
    return rows;
}

/// The last table of docs/reference/accuracy.md is the list of functions above. FRIT_UPDATE_GOLDEN=1 writes it.
TEST(ComplexFunctions, TableOfTheReference) {
    const std::string path = FRIT_TEST_SOURCE_DIR "/../docs/reference/accuracy.md";
    std::ifstream file(path);
    const std::string page((std::istreambuf_iterator<char>(file)), {});
    const std::size_t table = page.find("| function |");
    ASSERT_NE(table, std::string::npos);
    frit_test::expect_file(path, page.substr(0, table) + table_of_functions());
    for (const function& f : functions()) EXPECT_LE(f.worst, f.bound) << f.name;
}

// --- special values ---

/// C's function, of those that it has.
std::function<complex(complex, complex)> library_function(const std::string& name) {
    using z = const complex&;
    static const std::map<std::string, std::function<complex(complex, complex)>> all{
        {"proj", [](z a, z) { return std::proj(a); }},   {"exp", [](z a, z) { return std::exp(a); }},
        {"log", [](z a, z) { return std::log(a); }},     {"log10", [](z a, z) { return std::log10(a); }},
        {"sqrt", [](z a, z) { return std::sqrt(a); }},   {"sinh", [](z a, z) { return std::sinh(a); }},
        {"cosh", [](z a, z) { return std::cosh(a); }},   {"tanh", [](z a, z) { return std::tanh(a); }},
        {"sin", [](z a, z) { return std::sin(a); }},     {"cos", [](z a, z) { return std::cos(a); }},
        {"tan", [](z a, z) { return std::tan(a); }},     {"asinh", [](z a, z) { return std::asinh(a); }},
        {"acosh", [](z a, z) { return std::acosh(a); }}, {"atanh", [](z a, z) { return std::atanh(a); }},
        {"asin", [](z a, z) { return std::asin(a); }},   {"acos", [](z a, z) { return std::acos(a); }},
        {"atan", [](z a, z) { return std::atan(a); }},
    };
    const auto at = all.find(name);
    return at == all.end() ? nullptr : at->second;
}

const std::vector<double>& special_parts() {
    constexpr double inf = std::numeric_limits<double>::infinity();
    static const std::vector<double> all{0.0,     -0.0,  1.0,    -1.0,  0.5,    -0.5, 2.0,  -2.0,        1e-310,
                                         -1e-310, 1e308, -1e308, 710.0, -710.0, inf,  -inf, std::nan("")};
    return all;
}

/// Of one class, and near: finite parts by what they are beside the modulus.
bool same_class(complex got, complex want) {
    const auto same = [&](double a, double b) {
        if (std::isnan(b)) return std::isnan(a);
        if (std::isinf(b)) return std::isinf(a);
        const double scale = std::isfinite(std::abs(want)) ? std::abs(want) : std::fabs(b);
        return std::isfinite(a) && (std::fabs(std::fabs(a) - std::fabs(b)) <= 1e-13 * scale + 1e-322);
    };
    return same(got.real(), want.real()) && same(got.imag(), want.imag());
}
bool same_signs(complex got, complex want) {
    const auto same = [](double a, double b) { return std::isnan(b) || std::signbit(a) == std::signbit(b); };
    return same(got.real(), want.real()) && same(got.imag(), want.imag());
}
std::string text(complex z) {
    char s[100];
    std::snprintf(s, sizeof s, "%.17g%+.17gi", z.real(), z.imag());
    return s;
}

/// Annex G leaves signs open beside a NaN, and where an infinite angle has no direction.
bool signs_are_specified(const std::string& name, complex z) {
    const bool by_re = name == "sin" || name == "cos" || name == "tan";
    const bool by_im = name == "sinh" || name == "cosh" || name == "tanh" || name == "exp";
    return !std::isnan(z.real()) && !std::isnan(z.imag()) && !(by_re && std::isinf(z.real())) &&
           !(by_im && std::isinf(z.imag()));
}

/// Every pair of special parts, for z, and for w if there is one. divide_narrow is for floats.
void for_special_operands(const function& f, const std::function<void(complex, complex)>& check) {
    std::vector<double> all = special_parts();
    if (f.name == "divide_narrow")
        for (double& x : all) x = std::fabs(x) == 1e308 ? x * 1e-270 : std::fabs(x) == 1e-310 ? x * 0x1p881 : x;
    for (const double x : all)
        for (const double y : all) {
            if (f.operands == 1) check({x, y}, 0);
            if (f.operands == 2)
                for (const double u : all)
                    for (const double v : all) check({x, y}, {u, v});
        }
}

TEST(ComplexFunctions, SpecialValues) {
    for (const function& f : functions()) {
        const auto library = library_function(f.name);
        if (!library) continue;
        recorded graph(f);
        for_special_operands(f, [&](complex z, complex w) {
            const complex want = library(z, w);
            const bool signs = signs_are_specified(f.name, z) && signs_are_specified(f.name, w);
            for (const bool contract : {false, true}) {
                const complex got = contract ? graph(z, w, true) : on_doubles(f, z, w);
                EXPECT_TRUE(same_class(got, want) && (!signs || same_signs(got, want)))
                    << f.name << " " << text(z) << ", " << text(w) << ": " << text(got) << " and not " << text(want);
            }
        });
    }
}

/// Whether two results differ in anything but NaNs' signs.
bool same_but_nans(complex a, complex b) {
    const auto same = [](double p, double q) {
        return (std::isnan(p) && std::isnan(q)) || (p == q && std::signbit(p) == std::signbit(q));
    };
    return same(a.real(), b.real()) && same(a.imag(), b.imag());
}

/// Where C leaves a sign open it is not that of a NaN, which engines are free to make as they like.
TEST(ComplexFunctions, SignsOfNaNsAreNotSeen) {
    const auto negated = [](double x) { return std::isnan(x) ? std::copysign(x, std::signbit(x) ? 1.0 : -1.0) : x; };
    for (const function& f : functions())
        for_special_operands(f, [&](complex z, complex w) {
            const complex want = on_doubles(f, z, w);
            const complex others[] = {{negated(z.real()), z.imag()}, {z.real(), negated(z.imag())}, z, z};
            const complex operands[] = {w, w, {negated(w.real()), w.imag()}, {w.real(), negated(w.imag())}};
            for (int k = 0; k < 4; ++k) {
                const complex got = on_doubles(f, others[k], operands[k]);
                EXPECT_TRUE(same_but_nans(got, want)) << f.name << " " << text(others[k]) << ", " << text(operands[k])
                                                      << ": " << text(got) << " and not " << text(want);
            }
        });
}

/// Functions that C lacks, by those that it has: infinite and NaN operands give results of one class.
TEST(ComplexFunctions, InfiniteOperands) {
    const double log2 = std::log(2.0);
    const std::map<std::string, std::function<complex(complex)>> by_others{
        {"exp2", [&](complex z) { return std::exp(complex(z.real() * log2, z.imag() * log2)); }},
        {"expm1", [](complex z) { return std::exp(z) - 1.0; }},
        {"log2", [&](complex z) { return complex(std::log(z).real() / log2, std::log(z).imag() / log2); }},
        {"log1p", [](complex z) { return std::log(z + 1.0); }},
    };
    for (const function& f : functions()) {
        const auto other = by_others.find(f.name);
        if (other == by_others.end()) continue;
        for_special_operands(f, [&](complex z, complex w) {
            if (std::isfinite(z.real()) && std::isfinite(z.imag())) return;
            const complex got = on_doubles(f, z, w), want = other->second(z);
            EXPECT_TRUE(same_class(got, want)) << f.name << " " << text(z) << ": " << text(got) << " and not " << text(want);
        });
    }
}

bool is_infinite(complex z) { return std::isinf(z.real()) || std::isinf(z.imag()); }
bool is_finite(complex z) { return std::isfinite(z.real()) && std::isfinite(z.imag()); }
bool is_zero(complex z) { return z == complex(0); }

/// What Annex G says of quotients whose operands are infinite or zero. The infinities of C's own quotients
/// depend on how it computes them.
TEST(ComplexFunctions, InfiniteQuotients) {
    for (const function& f : functions()) {
        if (f.name.rfind("divide", 0) != 0 && f.name != "reciprocal") continue;
        recorded graph(f);
        for_special_operands(f, [&](complex z, complex w) {
            for (const complex got : {on_doubles(f, z, w), graph(z, w, true)}) {
                const complex a = f.name == "reciprocal" ? 1 : f.name == "divide real" ? z.real() : z;
                const complex b = f.name == "reciprocal" ? z : w;
                SCOPED_TRACE(f.name + " " + text(a) + ", " + text(b) + ": " + text(got));
                const bool some = !is_zero(a) && (is_finite(a) || is_infinite(a));
                if (is_infinite(a) && is_finite(b)) {
                    EXPECT_TRUE(is_infinite(got));
                }
                if (some && is_zero(b)) {
                    EXPECT_TRUE(is_infinite(got));
                }
                if (is_finite(a) && is_infinite(b)) {
                    EXPECT_TRUE(is_zero(got));
                }
                if (is_zero(a) && is_zero(b)) {
                    EXPECT_TRUE(std::isnan(got.real()) && std::isnan(got.imag()));
                }
                if (is_infinite(a) && is_infinite(b)) {
                    EXPECT_TRUE(std::isnan(got.real()) && std::isnan(got.imag()));
                }
            }
        });
    }
}

complex value(const d::parts<double>& z) { return {z.re, z.im}; }

TEST(ComplexFunctions, Powers) {
    const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
    const auto pow = [](complex z, complex w) {
        return value(d::pow(d::parts<double>{z.real(), z.imag()}, d::parts<double>{w.real(), w.imag()}));
    };
    EXPECT_EQ(pow({3, 4}, 2), complex(-7, 24));
    EXPECT_EQ(pow({1, 2}, 3), complex(-11, -2));
    EXPECT_EQ(pow({1, 1}, -4), complex(-0.25, 0));
    EXPECT_EQ(pow({2, -3}, 7), complex(6554, -4449));
    EXPECT_EQ(pow({1.5, -3}, 1), complex(1.5, -3));
    for (const complex z : {complex(0, 0), complex(2, 1), complex(inf, nan), complex(nan, nan)})
        EXPECT_EQ(pow(z, 0), complex(1));
    for (const complex w : {complex(2), complex(0.5), complex(1, 1), complex(0.5, -3), complex(100)})
        EXPECT_EQ(pow(0, w), complex(0)) << w;
    EXPECT_TRUE(is_infinite(pow(0, -1)));
    EXPECT_EQ(pow({1e200, 1e200}, -3), complex(0));
    EXPECT_TRUE(is_infinite(pow({1e200, 1e199}, 2)));
    EXPECT_NEAR(pow(1e155, -2).real(), 1e-310, 1e-322);
    EXPECT_EQ(value(d::pow(-2.0, d::parts<double>{3, 0})), complex(-8, 0));
    EXPECT_EQ(value(d::pow(0.0, d::parts<double>{0, 0})), complex(1, 0));
    EXPECT_EQ(value(d::pow(d::parts<double>{3, 4}, 2.0)), complex(-7, 24));
    for (const int n : {1, 2, 3, 4, 5, 6, 7}) EXPECT_TRUE(std::signbit(pow({1, -0.0}, n).imag())) << n;
    EXPECT_FALSE(std::signbit(pow({1, -0.0}, -2).imag()));
    EXPECT_EQ(value(d::exp2(d::parts<double>{3, 0})), complex(8, 0));
    EXPECT_EQ(value(d::log2(d::parts<double>{8, 0})), complex(3, 0));
}

TEST(ComplexFunctions, ModulusAngleSign) {
    const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
    using parts = d::parts<double>;
    EXPECT_EQ(d::modulus(parts{-inf, nan}), inf);
    EXPECT_EQ(d::modulus(parts{nan, inf}), inf);
    EXPECT_EQ(d::modulus(parts{3e300, 4e300}), 5e300);
    EXPECT_EQ(d::phase(parts{-1, -0.0}), -std::acos(-1.0));
    EXPECT_EQ(value(d::sign(parts{0, -0.0})), complex(0));
    EXPECT_EQ(value(d::sign(parts{-inf, 3})), complex(-1, 0));
    EXPECT_EQ(value(d::sign(parts{nan, inf})), complex(0, 1));
    EXPECT_EQ(value(d::sign(parts{-3e-320, 0})), complex(-1, 0));
    EXPECT_TRUE(std::isnan(d::sign(parts{nan, 1}).re));
    EXPECT_EQ(value(d::conj(parts{1, 2})), complex(1, -2));
}

#ifdef FRIT_TEST_MPC
// --- errors ---

constexpr int precision = 400;
/// A value of MPC's.
struct exact {
    mpc_t v;
    exact() { mpc_init2(v, precision); }
    explicit exact(complex z) : exact() { mpc_set_d_d(v, z.real(), z.imag(), MPC_RNDNN); }
    ~exact() { mpc_clear(v); }
    exact(const exact&) = delete;
    exact& operator=(const exact&) = delete;
};

/// e^z - 1, log(1 + z): of small z by their series, for which 400 bits are not enough otherwise.
void small_or(mpc_t r, const exact& z, const std::function<void()>& large, bool logarithm) {
    const double x = std::abs(complex(mpfr_get_d(mpc_realref(z.v), MPFR_RNDN), mpfr_get_d(mpc_imagref(z.v), MPFR_RNDN)));
    if (!(x < 1e-40)) return large();
    exact power, term;
    mpc_set_ui(r, 0, MPC_RNDNN);
    mpc_set_ui(power.v, 1, MPC_RNDNN);
    for (unsigned n = 1, factor = 1; n < 4; ++n, factor *= n) {
        mpc_mul(power.v, power.v, z.v, MPC_RNDNN);
        mpc_div_ui(term.v, power.v, logarithm ? n : factor, MPC_RNDNN);
        if (logarithm && n == 2) mpc_neg(term.v, term.v, MPC_RNDNN);
        mpc_add(r, r, term.v, MPC_RNDNN);
    }
}

using reference = std::function<void(mpc_t, const exact&, const exact&)>;
#define MPC(name)                                                                           \
    {                                                                                       \
#name, [](mpc_t r, const exact& z, const exact&) { mpc_##name(r, z.v, MPC_RNDNN); } \
    }
void over_log2(mpc_t r, bool times) {
    mpfr_t l;
    mpfr_init2(l, precision);
    mpfr_const_log2(l, MPFR_RNDN);
    times ? mpc_mul_fr(r, r, l, MPC_RNDNN) : mpc_div_fr(r, r, l, MPC_RNDNN);
    mpfr_clear(l);
}
void exact_power(mpc_t r, mpc_t z, mpc_t w) {
    exact l;
    if (mpfr_zero_p(mpc_imagref(w)) && mpfr_cmp_ui(mpc_realref(w), 0) == 0) return void(mpc_set_ui(r, 1, MPC_RNDNN));
    mpc_log(l.v, z, MPC_RNDNN);
    mpc_mul(l.v, l.v, w, MPC_RNDNN);
    mpc_exp(r, l.v, MPC_RNDNN);
}
/// z or w with its real part only.
struct real_part : exact {
    explicit real_part(const exact& z) { mpc_set_fr(v, mpc_realref(z.v), MPC_RNDNN); }
};
/// tanh and tan, whose own functions in MPC are slow: far out they are the sign of one part.
void exact_quotient(mpc_t r, const exact& z, int (*sine)(mpc_t, mpc_srcptr, mpc_rnd_t),
                    int (*cosine)(mpc_t, mpc_srcptr, mpc_rnd_t), double far, complex there) {
    if (std::fabs(far) > 1e4) return void(mpc_set(r, exact(far > 0 ? there : -there).v, MPC_RNDNN));
    exact below;
    sine(r, z.v, MPC_RNDNN), cosine(below.v, z.v, MPC_RNDNN);
    mpc_div(r, r, below.v, MPC_RNDNN);
}
const std::map<std::string, reference>& references() {
    using z = const exact&;
    static const std::map<std::string, reference> all{
        MPC(exp),
        MPC(log),
        MPC(log10),
        MPC(sqrt),
        MPC(sinh),
        MPC(cosh),
        MPC(sin),
        MPC(cos),
        MPC(asinh),
        MPC(acosh),
        MPC(atanh),
        MPC(asin),
        MPC(acos),
        MPC(atan),
        {"tanh",
         [](mpc_t r, z a, z) { exact_quotient(r, a, mpc_sinh, mpc_cosh, mpfr_get_d(mpc_realref(a.v), MPFR_RNDN), 1); }},
        {"tan", [](mpc_t r, z a,
                   z) { exact_quotient(r, a, mpc_sin, mpc_cos, mpfr_get_d(mpc_imagref(a.v), MPFR_RNDN), complex(0, 1)); }},
        {"rsqrt", [](mpc_t r, z a, z) { mpc_sqrt(r, a.v, MPC_RNDNN), mpc_ui_div(r, 1, r, MPC_RNDNN); }},
        {"reciprocal", [](mpc_t r, z a, z) { mpc_ui_div(r, 1, a.v, MPC_RNDNN); }},
        {"divide", [](mpc_t r, z a, z b) { mpc_div(r, a.v, b.v, MPC_RNDNN); }},
        {"divide_narrow", [](mpc_t r, z a, z b) { mpc_div(r, a.v, b.v, MPC_RNDNN); }},
        {"divide real", [](mpc_t r, z a, z b) { mpc_fr_div(r, mpc_realref(a.v), b.v, MPC_RNDNN); }},
        {"sign",
         [](mpc_t r, z a, z) {
             real_part size(a);
             mpc_abs(mpc_realref(size.v), a.v, MPFR_RNDN);
             mpc_div_fr(r, a.v, mpc_realref(size.v), MPC_RNDNN);
         }},
        {"exp2",
         [](mpc_t r, z a, z) {
             mpc_set(r, a.v, MPC_RNDNN);
             over_log2(r, true);
             mpc_exp(r, r, MPC_RNDNN);
         }},
        {"log2",
         [](mpc_t r, z a, z) {
             mpc_log(r, a.v, MPC_RNDNN);
             over_log2(r, false);
         }},
        {"expm1",
         [](mpc_t r, z a, z) {
             small_or(
                 r, a, [&] { mpc_exp(r, a.v, MPC_RNDNN), mpc_sub_ui(r, r, 1, MPC_RNDNN); }, false);
         }},
        {"log1p",
         [](mpc_t r, z a, z) {
             const auto large = [&] {
                 exact sum;
                 mpc_set_prec(sum.v, 2500);
                 mpc_add_ui(sum.v, a.v, 1, MPC_RNDNN), mpc_log(r, sum.v, MPC_RNDNN);
             };
             small_or(r, a, large, true);
         }},
        {"pow", [](mpc_t r, z a, z b) { exact_power(r, const_cast<exact&>(a).v, const_cast<exact&>(b).v); }},
        {"pow by real", [](mpc_t r, z a, z b) { exact_power(r, const_cast<exact&>(a).v, real_part(b).v); }},
        {"pow of real", [](mpc_t r, z a, z b) { exact_power(r, real_part(a).v, const_cast<exact&>(b).v); }},
    };
    return all;
}
#undef MPC

/// Operands of every size, and where functions are difficult.
class operands {
public:
    explicit operands(unsigned seed) : random_(seed) {}
    complex next() {
        switch (integer(0, 8)) {
            case 0: return {any(-1074, 1023), any(-1074, 1023)};
            case 1: return {any(-30, 10), any(-30, 10)};
            case 2: return near_unit_circle();
            case 3: {  // near 1, -1, i, -i
                const complex at = std::array<complex, 4>{1, -1, complex(0, 1), complex(0, -1)}[integer(0, 3)];
                const int low = integer(0, 3) == 0 ? -900 : -60;
                return at + complex(any(low, 0), any(low, 0));
            }
            case 4: return {any(-3, 12), integer(0, 2) ? any(-1074, -20) : std::copysign(0.0, uniform(-1, 1))};
            case 5: return {integer(0, 2) ? any(-1074, -20) : std::copysign(0.0, uniform(-1, 1)), any(-3, 12)};
            case 6: return {std::copysign(uniform(700, 760), uniform(-1, 1)), any(-200, 8)};
            case 7: return {any(-200, 8), std::copysign(uniform(700, 760), uniform(-1, 1))};
            default: return {uniform(-5, 5), uniform(-5, 5)};
        }
    }
    complex near_unit_circle() {
        const double t = uniform(-4, 4), r = 1 + any(-60, -1);
        return {r * std::cos(t), r * std::sin(t)};
    }
    complex narrow() { return {any(-149, 127), any(-149, 127)}; }
    complex small() { return {any(-10, 4), any(-10, 4)}; }
    int integer(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }

private:
    std::mt19937_64 random_;
    double uniform(double low, double high) { return std::uniform_real_distribution(low, high)(random_); }
    double any(int low, int high) { return std::ldexp(std::copysign(uniform(1, 2), uniform(-1, 1)), integer(low, high)); }
};

/// |got - want| / |want|, in epsilons; what is below the normal range is as exact as that range's end.
double error_of(complex got, const exact& want) {
    static exact difference(complex(0, 0));
    mpfr_t size, error;
    mpfr_inits2(precision, size, error, nullptr);
    mpc_abs(size, want.v, MPFR_RNDN);
    const bool overflows = mpfr_cmp_d(size, std::numeric_limits<double>::max()) >= 0;
    mpc_set_d_d(difference.v, got.real(), got.imag(), MPC_RNDNN);
    mpc_sub(difference.v, difference.v, want.v, MPC_RNDNN);
    mpc_abs(error, difference.v, MPFR_RNDN);
    if (mpfr_cmp_d(size, std::numeric_limits<double>::min()) < 0)
        mpfr_set_d(size, std::numeric_limits<double>::min(), MPFR_RNDN);
    mpfr_div(error, error, size, MPFR_RNDN);
    const double e = overflows ? 0 : mpfr_get_d(error, MPFR_RNDN) / std::numeric_limits<double>::epsilon();
    mpfr_clears(size, error, nullptr);
    return std::isnan(e) ? std::numeric_limits<double>::infinity() : e;
}

/// What power's error may be beside its bound: the exponent's size.
double allowance(const function& f, complex z, complex w) {
    if (f.name.rfind("pow", 0) != 0) return 1;
    if (f.name == "pow of real") z = z.real();
    if (f.name == "pow by real") w = w.real();
    return 1 + std::abs(w * std::log(z));
}

/// The largest error of a function among some operands, in epsilons.
struct largest {
    double error = 0;
    std::string where;
    void note(double e, complex z, complex w, complex got) {
        if (e > error) error = e, where = text(z) + ", " + text(w) + ": " + text(got);
    }
};
struct errors {
    largest exact, of_inexact, narrow;  ///< with the library's real functions, with worse ones, of complex64
};

complex narrowed(complex z) {
    // volatile, since g++ 12 with -O2 takes the conversions of a pair to float and back for nothing
    volatile const float re = static_cast<float>(z.real()), im = static_cast<float>(z.imag());
    return {re, im};
}
bool is_in_range_of_float(complex z) {
    const double size = std::abs(z);
    return size >= std::numeric_limits<float>::min() && size <= std::numeric_limits<float>::max();
}

/// Of complex64: computed in float64 and rounded.
void try_narrow(const function& f, const reference& exactly, complex z, complex w, largest& to) {
    z = narrowed(z), w = narrowed(w);
    exact want;
    exactly(want.v, exact(z), exact(w));
    const complex got = on_doubles(f, z, w);
    if (!is_finite(z) || !is_finite(w) || !is_in_range_of_float(got)) return;
    const double floats = std::numeric_limits<double>::epsilon() / std::numeric_limits<float>::epsilon();
    to.note(error_of(narrowed(got), want) * floats, z, w, got);
}

errors errors_of(const function& f, const reference& exactly, int count, unsigned seed) {
    recorded graph(f);
    operands random(seed);
    errors all;
    for (int i = 0; i < count; ++i) {
        complex z = random.next(), w = f.operands == 2 ? random.next() : 0;
        if (f.name == "exp2" && std::fabs(z.imag()) > 1e8) z = random.small();
        if (f.name == "divide_narrow") z = random.narrow(), w = random.narrow();
        if (f.name.rfind("pow", 0) == 0) z = random.small(), w = i % 3 ? random.small() : random.integer(-9, 9);
        exact want;
        exactly(want.v, exact(z), exact(w));
        const double allowed = allowance(f, z, w);
        for (const complex got : {on_doubles(f, z, w), graph(z, w, true)})
            all.exact.note(error_of(got, want) / allowed, z, w, got);
        frit_test::complex_graph::inexact = 3;
        const complex got = graph(z, w, true);
        frit_test::complex_graph::inexact = 0;
        all.of_inexact.note(error_of(got, want) / allowed, z, w, got);
        try_narrow(f, exactly, z, w, all.narrow);
    }
    return all;
}

// FRIT_TEST_COMPLEX_TRIES=100000 measures what the table of docs/reference/accuracy.md says.
TEST(ComplexFunctions, Errors) {
    const char* tries = std::getenv("FRIT_TEST_COMPLEX_TRIES");
    for (const function& f : functions()) {
        const auto at = references().find(f.name);
        if (at == references().end()) continue;
        const errors e = errors_of(f, at->second, tries ? std::atoi(tries) : 300, 1);
        if (tries)
            std::printf("%-14s %.2f, %.2f, complex64 %.4f; at %s\n", f.name.c_str(), e.exact.error, e.of_inexact.error,
                        e.narrow.error, e.exact.where.c_str());
        EXPECT_LE(e.exact.error, f.bound) << f.name << " of " << e.exact.where;
        EXPECT_LE(e.narrow.error, 0.501) << f.name << " of complex64, of " << e.narrow.where;
    }
}

/// The logarithm's real part by itself, also where it is a small part of the modulus.
TEST(ComplexFunctions, LogarithmsNearTheUnitCircle) {
    operands random(2);
    for (int i = 0; i < 2000; ++i) {
        const complex z = random.near_unit_circle();
        exact want;
        mpc_log(want.v, exact(z).v, MPC_RNDNN);
        const double got = d::log(d::parts<double>{z.real(), z.imag()}).re, re = mpfr_get_d(mpc_realref(want.v), MPFR_RNDN);
        EXPECT_NEAR(got, re, 3 * std::numeric_limits<double>::epsilon() * std::fabs(re)) << text(z);
    }
}
#else
TEST(ComplexFunctions, Errors) { GTEST_SKIP() << "no MPC when this was compiled (Debian: libmpc-dev)"; }
#endif
}  // namespace
