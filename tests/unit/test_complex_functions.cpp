// The formulas of complex functions (src/complex/functions.hpp), by themselves: special values compared with those of C's
// library, errors with MPC's results, and the number of their operations. They run over doubles, and over a graph of operations
// that is built as the engine's is: equal operations are one, and a product that is added to something may become an fma.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#if __has_include(<mpc.h>)
#include <mpc.h>
#define FRIT_TEST_MPC 1
#endif

namespace frit::inline v0::detail {
using std::abs, std::copysign, std::isnan, std::isinf, std::isfinite, std::fma, std::fmax, std::fmin, std::sqrt, std::hypot;
using std::exp, std::exp2, std::expm1, std::log, std::log2, std::log10, std::log1p, std::trunc;
using std::cos, std::sin, std::tan, std::atan2, std::asinh;
inline double where(bool mask, double a, double b) { return mask ? a : b; }
}  // namespace frit::v0::detail

#include "src/complex/functions.hpp"

namespace {
namespace d = frit::detail;
using complex = std::complex<double>;

// --- a graph of operations ---

enum class op {
    input, constant, add, sub, mul, div, neg, lt, le, gt, ge, eq, ne, both, either, negated, where,
    abs, copysign, signbit, isnan, isinf, isfinite, fma, fmax, fmin, sqrt, hypot, exp, exp2, expm1, log, log2, log10, log1p,
    trunc, cos, sin, tan, atan2, asinh
};
struct node {
    op what;
    int a, b, c;
    double constant;
    auto key() const { return std::tuple(what, a, b, c, std::bit_cast<std::uint64_t>(constant)); }
};
/// What a formula recorded; equal operations are found again.
struct graph {
    std::vector<node> nodes;
    std::map<decltype(node{}.key()), int> known;
    int add(op what, int a = -1, int b = -1, int c = -1, double constant = 0) {
        const node n{what, a, b, c, constant};
        const auto [at, is_new] = known.try_emplace(n.key(), static_cast<int>(nodes.size()));
        if (is_new) nodes.push_back(n);
        return at->second;
    }
};
graph* recording = nullptr;

/// Handles of a real value and of a mask: nothing converts to a number or a bool.
struct real {
    int id;
};
struct mask {
    int id;
};
int id_of(const real& x) { return x.id; }
int id_of(const mask& x) { return x.id; }
int id_of(double x) { return recording->add(op::constant, -1, -1, -1, x); }

template <class T>
concept number = std::is_same_v<T, real> || std::is_same_v<T, double>;
template <class... T>
concept one_is_real = (number<T> && ...) && (std::is_same_v<T, real> || ...);
template <class Result, class... T>
Result record(op what, const T&... x) {
    return {recording->add(what, id_of(x)...)};
}

#define BINARY(name, what, result) \
    template <class A, class B>    \
        requires one_is_real<A, B> \
    result name(const A& a, const B& b) { return record<result>(op::what, a, b); }
#define UNARY(name, what, result, operand) \
    result name(const operand& a) { return record<result>(op::what, a); }
BINARY(operator+, add, real)
BINARY(operator-, sub, real)
BINARY(operator*, mul, real)
BINARY(operator/, div, real)
BINARY(operator<, lt, mask)
BINARY(operator>, gt, mask)
BINARY(operator<=, le, mask)
BINARY(operator>=, ge, mask)
BINARY(operator==, eq, mask)
BINARY(operator!=, ne, mask)
BINARY(copysign, copysign, real)
BINARY(fmax, fmax, real)
BINARY(fmin, fmin, real)
BINARY(hypot, hypot, real)
BINARY(atan2, atan2, real)
UNARY(operator-, neg, real, real)
UNARY(operator!, negated, mask, mask)
UNARY(isnan, isnan, mask, real)
UNARY(isinf, isinf, mask, real)
UNARY(isfinite, isfinite, mask, real)
UNARY(abs, abs, real, real)
UNARY(sqrt, sqrt, real, real)
UNARY(exp, exp, real, real)
UNARY(exp2, exp2, real, real)
UNARY(expm1, expm1, real, real)
UNARY(log, log, real, real)
UNARY(log2, log2, real, real)
UNARY(log10, log10, real, real)
UNARY(log1p, log1p, real, real)
UNARY(trunc, trunc, real, real)
UNARY(cos, cos, real, real)
UNARY(sin, sin, real, real)
UNARY(tan, tan, real, real)
UNARY(asinh, asinh, real, real)
#undef BINARY
#undef UNARY
mask operator&(const mask& a, const mask& b) { return record<mask>(op::both, a, b); }
mask operator|(const mask& a, const mask& b) { return record<mask>(op::either, a, b); }
template <class A, class B, class C>
    requires one_is_real<A, B, C>
real fma(const A& a, const B& b, const C& c) {
    return record<real>(op::fma, a, b, c);
}
template <class A, class B>
    requires one_is_real<A, B>
real where(const mask& m, const A& a, const B& b) {
    return record<real>(op::where, m, a, b);
}

/// An operation's value; `contract` adds products unrounded, as the engine may.
double value_of(const graph& g, const node& n, const std::vector<double>& v, bool contract) {
    const auto at = [&](int id) { return v[static_cast<std::size_t>(id)]; };
    const double a = n.a < 0 ? 0 : at(n.a), b = n.b < 0 ? 0 : at(n.b), c = n.c < 0 ? 0 : at(n.c);
    const auto product = [&](int id) -> const node* {
        const node& p = g.nodes[static_cast<std::size_t>(id)];
        return contract && p.what == op::mul ? &p : nullptr;
    };
    switch (n.what) {
        case op::input: case op::constant: return n.constant;
        case op::add:
            if (const node* p = product(n.a)) return std::fma(at(p->a), at(p->b), b);
            if (const node* p = product(n.b)) return std::fma(at(p->a), at(p->b), a);
            return a + b;
        case op::sub:
            if (const node* p = product(n.a)) return std::fma(at(p->a), at(p->b), -b);
            if (const node* p = product(n.b)) return std::fma(-at(p->a), at(p->b), a);
            return a - b;
        case op::mul: return a * b;
        case op::div: return a / b;
        case op::neg: return -a;
        case op::lt: return a < b;
        case op::le: return a <= b;
        case op::gt: return a > b;
        case op::ge: return a >= b;
        case op::eq: return a == b;
        case op::ne: return a != b;
        case op::both: return a != 0 && b != 0;
        case op::either: return a != 0 || b != 0;
        case op::negated: return a == 0;
        case op::where: return a != 0 ? b : c;
        case op::abs: return std::fabs(a);
        case op::copysign: return std::copysign(a, b);
        case op::signbit: return std::signbit(a);
        case op::isnan: return std::isnan(a);
        case op::isinf: return std::isinf(a);
        case op::isfinite: return std::isfinite(a);
        case op::fma: return std::fma(a, b, c);
        case op::fmax: return std::fmax(a, b);
        case op::fmin: return std::fmin(a, b);
        case op::sqrt: return std::sqrt(a);
        case op::hypot: return std::hypot(a, b);
        case op::exp: return std::exp(a);
        case op::exp2: return std::exp2(a);
        case op::expm1: return std::expm1(a);
        case op::log: return std::log(a);
        case op::log2: return std::log2(a);
        case op::log10: return std::log10(a);
        case op::log1p: return std::log1p(a);
        case op::trunc: return std::trunc(a);
        case op::cos: return std::cos(a);
        case op::sin: return std::sin(a);
        case op::tan: return std::tan(a);
        case op::atan2: return std::atan2(a, b);
        case op::asinh: return std::asinh(a);
    }
    return 0;
}

// --- the functions ---

template <class R>
using formula = std::function<d::parts<R>(const d::parts<R>&, const d::parts<R>&)>;

/// Operands: of a function of one, the second is not looked at. Of pow and divide by their real overloads, a real part is.
struct function {
    std::string name;
    int operands;
    formula<double> on_doubles;
    formula<real> on_graph;
    int operations;  ///< of the graph, without its operands and constants
    double bound;    ///< of the error, in units of epsilon times the modulus; the worst that was found stands beside it
};

#define ONE(f) #f, 1, [](const auto& z, const auto&) { return d::f(z); }, [](const auto& z, const auto&) { return d::f(z); }
#define TWO(name, call) name, 2, [](const auto& z, const auto& w) { return call; }, [](const auto& z, const auto& w) { return call; }
template <class R>
d::parts<R> alone(const R& x) {
    return {x, copysign(0.0, x)};
}
const std::vector<function>& functions() {
    static const std::vector<function> all{
        {TWO("multiply", d::multiply(z, w)), 0, 4},
        {TWO("divide", d::divide(z, w)), 0, 4},
        {TWO("divide real", d::divide(z.re, w)), 0, 4},
        {TWO("divide_narrow", d::divide_narrow(z, w)), 0, 4},
        {ONE(reciprocal), 0, 4},
        {ONE(square), 0, 4},
        {ONE(proj), 0, 0},
        {ONE(sign), 0, 4},
        {ONE(exp), 0, 4},
        {ONE(exp2), 0, 4},
        {ONE(expm1), 0, 4},
        {ONE(log), 0, 4},
        {ONE(log2), 0, 4},
        {ONE(log10), 0, 4},
        {ONE(log1p), 0, 4},
        {ONE(sqrt), 0, 4},
        {TWO("pow", d::pow(z, w)), 0, 4},
        {TWO("pow by real", d::pow(z, w.re)), 0, 4},
        {TWO("pow of real", d::pow(z.re, w)), 0, 4},
        {ONE(sinh), 0, 4},
        {ONE(cosh), 0, 4},
        {ONE(tanh), 0, 4},
        {ONE(sin), 0, 4},
        {ONE(cos), 0, 4},
        {ONE(tan), 0, 4},
        {ONE(asinh), 0, 4},
        {ONE(acosh), 0, 4},
        {ONE(atanh), 0, 4},
        {ONE(asin), 0, 4},
        {ONE(acos), 0, 4},
        {ONE(atan), 0, 4},
    };
    return all;
}

/// A formula's graph, to be evaluated.
class recorded {
public:
    explicit recorded(const function& f) {
        recording = &g_;
        std::vector<real> in;
        for (int i = 0; i < 4; ++i) in.push_back({g_.add(op::input, i)});
        const auto r = f.on_graph({in[0], in[1]}, {in[2], in[3]});
        re_ = r.re.id, im_ = r.im.id;
    }
    /// The operations that the results need.
    int operations() const {
        std::vector<bool> needed(g_.nodes.size());
        std::vector<int> open{re_, im_};
        int count = 0;
        while (!open.empty()) {
            const auto id = static_cast<std::size_t>(open.back());
            open.pop_back();
            const node& n = g_.nodes[id];
            if (needed[id] || n.what == op::input || n.what == op::constant) continue;
            needed[id] = true;
            ++count;
            for (const int operand : {n.a, n.b, n.c})
                if (operand >= 0) open.push_back(operand);
        }
        return count;
    }
    complex operator()(complex z, complex w, bool contract) {
        const double in[] = {z.real(), z.imag(), w.real(), w.imag()};
        v_.clear();
        for (const node& n : g_.nodes) v_.push_back(n.what == op::input ? in[n.a] : value_of(g_, n, v_, contract));
        return {v_[static_cast<std::size_t>(re_)], v_[static_cast<std::size_t>(im_)]};
    }

private:
    graph g_;
    int re_, im_;
    std::vector<double> v_;
};

complex on_doubles(const function& f, complex z, complex w) {
    const auto r = f.on_doubles({z.real(), z.imag()}, {w.real(), w.imag()});
    return {r.re, r.im};
}

TEST(ComplexFunctions, Operations) {
    for (const function& f : functions()) EXPECT_EQ(recorded(f).operations(), f.operations) << f.name;
}

// --- special values ---

bool in_library(const function& f) { return f.operands == 1 && f.name != "reciprocal" && f.name != "square" && f.name != "sign"; }
/// C's function, of those that it has.
std::function<complex(complex, complex)> library_function(const std::string& name) {
    using z = const complex&;
    static const std::map<std::string, std::function<complex(complex, complex)>> all{
        {"multiply", [](z a, z b) { return a * b; }},
        {"divide", [](z a, z b) { return a / b; }},
        {"square", [](z a, z) { return a * a; }},
        {"reciprocal", [](z a, z) { return complex(1, 0) / a; }},
        {"proj", [](z a, z) { return std::proj(a); }},
        {"exp", [](z a, z) { return std::exp(a); }},
        {"log", [](z a, z) { return std::log(a); }},
        {"log10", [](z a, z) { return std::log10(a); }},
        {"sqrt", [](z a, z) { return std::sqrt(a); }},
        {"sinh", [](z a, z) { return std::sinh(a); }},
        {"cosh", [](z a, z) { return std::cosh(a); }},
        {"tanh", [](z a, z) { return std::tanh(a); }},
        {"sin", [](z a, z) { return std::sin(a); }},
        {"cos", [](z a, z) { return std::cos(a); }},
        {"tan", [](z a, z) { return std::tan(a); }},
        {"asinh", [](z a, z) { return std::asinh(a); }},
        {"acosh", [](z a, z) { return std::acosh(a); }},
        {"atanh", [](z a, z) { return std::atanh(a); }},
        {"asin", [](z a, z) { return std::asin(a); }},
        {"acos", [](z a, z) { return std::acos(a); }},
        {"atan", [](z a, z) { return std::atan(a); }},
    };
    const auto at = all.find(name);
    return at == all.end() ? nullptr : at->second;
}

const std::vector<double>& special_parts() {
    constexpr double inf = std::numeric_limits<double>::infinity();
    static const std::vector<double> all{0.0,    -0.0,    1.0,   -1.0,   0.5, -0.5, 2.0, -2.0, 1e-310,
                                         -1e-310, 1e308, -1e308, 710.0, -710.0, inf, -inf, std::nan("")};
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

TEST(ComplexFunctions, SpecialValues) {
    for (const function& f : functions()) {
        const auto library = library_function(f.name);
        if (!library) continue;
        recorded graph(f);
        const auto check = [&](complex z, complex w) {
            const complex want = library(z, w);
            for (const complex got : {on_doubles(f, z, w), graph(z, w, false), graph(z, w, true)})
                EXPECT_TRUE(same_class(got, want) && same_signs(got, want))
                    << f.name << " " << text(z) << ", " << text(w) << ": " << text(got) << " and not " << text(want);
        };
        for (const double x : special_parts())
            for (const double y : special_parts()) {
                if (f.operands == 1) check({x, y}, 0);
                if (f.operands == 2)
                    for (const double u : special_parts())
                        for (const double v : special_parts()) check({x, y}, {u, v});
            }
    }
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
#define MPC(name) {#name, [](mpc_t r, const exact& z, const exact&) { mpc_##name(r, z.v, MPC_RNDNN); }}
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
    explicit real_part(const exact& z) {
        mpc_set_fr(v, mpc_realref(z.v), MPC_RNDNN);
    }
};
const std::map<std::string, reference>& references() {
    using z = const exact&;
    static const std::map<std::string, reference> all{
        MPC(exp), MPC(log), MPC(log10), MPC(sqrt), MPC(sinh), MPC(cosh), MPC(tanh), MPC(sin), MPC(cos), MPC(tan),
        MPC(asinh), MPC(acosh), MPC(atanh), MPC(asin), MPC(acos), MPC(atan),
        {"square", [](mpc_t r, z a, z) { mpc_sqr(r, a.v, MPC_RNDNN); }},
        {"reciprocal", [](mpc_t r, z a, z) { mpc_ui_div(r, 1, a.v, MPC_RNDNN); }},
        {"multiply", [](mpc_t r, z a, z b) { mpc_mul(r, a.v, b.v, MPC_RNDNN); }},
        {"divide", [](mpc_t r, z a, z b) { mpc_div(r, a.v, b.v, MPC_RNDNN); }},
        {"divide_narrow", [](mpc_t r, z a, z b) { mpc_div(r, a.v, b.v, MPC_RNDNN); }},
        {"divide real", [](mpc_t r, z a, z b) { mpc_fr_div(r, mpc_realref(a.v), b.v, MPC_RNDNN); }},
        {"sign", [](mpc_t r, z a, z) {
             real_part size(a);
             mpc_abs(mpc_realref(size.v), a.v, MPFR_RNDN);
             mpc_div_fr(r, a.v, mpc_realref(size.v), MPC_RNDNN);
         }},
        {"exp2", [](mpc_t r, z a, z) {
             mpc_set(r, a.v, MPC_RNDNN);
             over_log2(r, true);
             mpc_exp(r, r, MPC_RNDNN);
         }},
        {"log2", [](mpc_t r, z a, z) {
             mpc_log(r, a.v, MPC_RNDNN);
             over_log2(r, false);
         }},
        {"expm1", [](mpc_t r, z a, z) {
             small_or(r, a, [&] { mpc_exp(r, a.v, MPC_RNDNN), mpc_sub_ui(r, r, 1, MPC_RNDNN); }, false);
         }},
        {"log1p", [](mpc_t r, z a, z) {
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
            case 2: {  // near the unit circle
                const double t = uniform(-4, 4), r = 1 + any(-60, -1);
                return {r * std::cos(t), r * std::sin(t)};
            }
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
    if (mpfr_cmp_d(size, std::numeric_limits<double>::min()) < 0) mpfr_set_d(size, std::numeric_limits<double>::min(), MPFR_RNDN);
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

TEST(ComplexFunctions, Errors) {
    const char* tries = std::getenv("FRIT_TEST_COMPLEX_TRIES");
    const int count = tries ? std::atoi(tries) : 2000;
    for (const function& f : functions()) {
        const auto at = references().find(f.name);
        if (at == references().end()) continue;
        recorded graph(f);
        operands random(tries ? std::random_device()() : 1);
        double worst = 0;
        std::string where;
        for (int i = 0; i < count; ++i) {
            complex z = random.next(), w = f.operands == 2 ? random.next() : 0;
            if (f.name == "divide_narrow") z = random.narrow(), w = random.narrow();
            if (f.name.rfind("pow", 0) == 0) z = random.small(), w = i % 3 ? random.small() : random.integer(-9, 9);
            exact want;
            at->second(want.v, exact(z), exact(w));
            for (const complex got : {on_doubles(f, z, w), graph(z, w, true)}) {
                const double e = error_of(got, want) / allowance(f, z, w);
                if (e > worst) worst = e, where = text(z) + ", " + text(w) + ": " + text(got);
            }
        }
        if (tries) std::printf("%-14s %3d operations, worst %.3f at %s\n", f.name.c_str(), graph.operations(), worst, where.c_str());
        EXPECT_LE(worst, f.bound) << f.name << " of " << where;
    }
}
#else
TEST(ComplexFunctions, Errors) { GTEST_SKIP() << "no MPC when this was compiled (Debian: libmpc-dev)"; }
#endif
}  // namespace
