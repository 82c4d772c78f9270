// A graph of operations that the formulas of frit/detail/complex_functions.hpp are recorded in, built as the engine's is:
// equal operations are one, and a product that is added to something may become an fma. It counts what a formula costs, and
// evaluates it in either way. The formulas run over doubles too, for which <cmath>'s functions stand in their namespace.
#pragma once

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace frit::inline v0::detail::complex_numbers {
using std::abs, std::copysign, std::isnan, std::isinf, std::isfinite, std::fma, std::fmax, std::fmin, std::sqrt, std::hypot;
using std::cos, std::sin, std::tan, std::atan2, std::asinh;
using std::exp, std::exp2, std::expm1, std::log, std::log2, std::log10, std::log1p, std::trunc;
inline double where(bool mask, double a, double b) { return mask ? a : b; }
inline double rounded_mul(double a, double b) { return a * b; }
}  // namespace frit::v0::detail::complex_numbers

#ifdef __clang__
#pragma clang diagnostic ignored "-Wbitwise-instead-of-logical"  // masks of doubles are bool
#endif
#include "frit/detail/complex_functions.hpp"

namespace frit_test::complex_graph {
namespace d = frit::detail::complex_numbers;

/// An operation on up to three values (a mask is 0 or 1), or an input or a constant, which have no formula.
enum class role { other, sum, difference, product };  // in a contraction
struct node {
    std::string name;
    double (*formula)(double, double, double);
    int a, b, c;
    double constant;
    role as = role::other;
    auto key() const { return std::tuple(name, a, b, c, std::bit_cast<std::uint64_t>(constant)); }
};
/// What a function recorded; equal operations are found again.
struct graph {
    std::vector<node> nodes;
    std::map<decltype(node{}.key()), int> known;
    int add(const node& n) {
        const auto [at, is_new] = known.try_emplace(n.key(), static_cast<int>(nodes.size()));
        if (is_new) {
            nodes.push_back(n);
            if (n.name == "operator+") nodes.back().as = role::sum;
            if (n.name == "operator-" && n.b >= 0) nodes.back().as = role::difference;
            if (n.name == "operator*") nodes.back().as = role::product;
        }
        return at->second;
    }
    const node& operator[](int id) const { return nodes[static_cast<std::size_t>(id)]; }
};
inline graph* recording = nullptr;

/// Handles of a real value and of a mask: nothing converts to a number or a bool.
struct real {
    int id;
};
struct mask {
    int id;
};
inline int id_of(const real& x) { return x.id; }
inline int id_of(const mask& x) { return x.id; }
inline int id_of(double x) { return recording->add({"constant", nullptr, -1, -1, -1, x, role::other}); }

template <class... T>
concept one_is_real = ((std::is_same_v<T, real> || std::is_same_v<T, double>)&&...) && (std::is_same_v<T, real> || ...);
template <class Result>
Result record(const char* name, double (*formula)(double, double, double), int a, int b = -1, int c = -1) {
    return {recording->add({name, formula, a, b, c, 0, role::other})};
}

/// How far off results of real functions are, at random, in epsilons: engines' are not those of this C library.
inline double inexact = 0;
inline double off(double x) {
    static std::mt19937_64 random(1);
    if (inexact == 0) return x;
    return x * (1 + inexact * std::numeric_limits<double>::epsilon() * std::uniform_real_distribution(-1.0, 1.0)(random));
}

#define BINARY(name, result, formula)                                                                 \
    template <class A, class B>                                                                       \
    requires one_is_real<A, B> result name(const A& a, const B& b) {                                  \
        return record<result>(                                                                        \
            #name, [](double x, double y, double) -> double { return formula; }, id_of(a), id_of(b)); \
    }
#define UNARY(name, result, operand, formula)                                             \
    inline result name(const operand& a) {                                                \
        return record<result>(                                                            \
            #name, [](double x, double, double) -> double { return formula; }, id_of(a)); \
    }
#define EXACT(name) UNARY(name, real, real, std::name(x))
#define FROM_LIBRARY(name) UNARY(name, real, real, off(std::name(x)))
BINARY(operator+, real, x + y)
BINARY(operator-, real, x - y)
BINARY(operator*, real, x* y)
BINARY(operator/, real, x / y)
BINARY(operator<, mask, x < y)
BINARY(operator>, mask, x > y)
BINARY(operator<=, mask, x <= y)
BINARY(operator>=, mask, x >= y)
BINARY(operator==, mask, x == y)
BINARY(operator!=, mask, x != y)
BINARY(copysign, real, std::copysign(x, y))
BINARY(fmax, real, std::fmax(x, y))
BINARY(fmin, real, std::fmin(x, y))
BINARY(rounded_mul, real, x* y)
BINARY(hypot, real, off(std::hypot(x, y)))
BINARY(atan2, real, off(std::atan2(x, y)))
UNARY(operator-, real, real, -x)
UNARY(operator!, mask, mask, x == 0)
UNARY(isnan, mask, real, std::isnan(x))
UNARY(isinf, mask, real, std::isinf(x))
UNARY(isfinite, mask, real, std::isfinite(x))
EXACT(abs)
EXACT(sqrt)
FROM_LIBRARY(exp)
FROM_LIBRARY(exp2)
FROM_LIBRARY(expm1)
FROM_LIBRARY(log)
FROM_LIBRARY(log2)
FROM_LIBRARY(log10)
FROM_LIBRARY(log1p)
EXACT(trunc)
FROM_LIBRARY(cos)
FROM_LIBRARY(sin)
FROM_LIBRARY(tan)
FROM_LIBRARY(asinh)
#undef BINARY
#undef UNARY
#undef EXACT
#undef FROM_LIBRARY
inline mask operator&(const mask& a, const mask& b) {
    return record<mask>(
        "and", [](double x, double y, double) -> double { return x != 0 && y != 0; }, a.id, b.id);
}
inline mask operator|(const mask& a, const mask& b) {
    return record<mask>(
        "or", [](double x, double y, double) -> double { return x != 0 || y != 0; }, a.id, b.id);
}
template <class A, class B, class C>
requires one_is_real<A, B, C> real fma(const A& a, const B& b, const C& c) {
    return record<real>(
        "fma", [](double x, double y, double z) { return std::fma(x, y, z); }, id_of(a), id_of(b), id_of(c));
}
template <class A, class B>
requires one_is_real<A, B> real where(const mask& m, const A& a, const B& b) {
    return record<real>(
        "where", [](double x, double y, double z) { return x != 0 ? y : z; }, m.id, id_of(a), id_of(b));
}

/// An operation's value; `contract` adds products unrounded, as the engine may.
inline double value_of(const graph& g, const node& n, const std::vector<double>& v, bool contract) {
    const auto at = [&](int id) { return id < 0 ? 0.0 : v[static_cast<std::size_t>(id)]; };
    const double a = at(n.a), b = at(n.b);
    const bool minus = n.as == role::difference;
    if (contract && (minus || n.as == role::sum)) {
        const node &p = g[n.a], &q = g[n.b];
        if (p.as == role::product) return std::fma(at(p.a), at(p.b), minus ? -b : b);
        if (q.as == role::product) return std::fma(minus ? -at(q.a) : at(q.a), at(q.b), a);
    }
    return n.formula ? n.formula(a, b, at(n.c)) : n.constant;
}

template <class R>
using formula = std::function<d::parts<R>(const d::parts<R>&, const d::parts<R>&)>;

/// A formula's graph, to be evaluated.
class recorded {
public:
    explicit recorded(const formula<real>& f) {
        recording = &g_;
        std::vector<real> in;
        for (int i = 0; i < 4; ++i) in.push_back({g_.add({"input", nullptr, i, -1, -1, 0, role::other})});
        const auto r = f({in[0], in[1]}, {in[2], in[3]});
        re_ = r.re.id, im_ = r.im.id;
    }
    /// The operations that the results need.
    int operations() const {
        std::vector<bool> needed(g_.nodes.size());
        std::vector<int> open{re_, im_};
        int count = 0;
        while (!open.empty()) {
            const int id = open.back();
            const node& n = g_[id];
            open.pop_back();
            if (!n.formula || needed[static_cast<std::size_t>(id)]) continue;
            needed[static_cast<std::size_t>(id)] = true;
            ++count;
            for (const int operand : {n.a, n.b, n.c})
                if (operand >= 0) open.push_back(operand);
        }
        return count;
    }
    std::complex<double> operator()(std::complex<double> z, std::complex<double> w, bool contract) {
        const double in[] = {z.real(), z.imag(), w.real(), w.imag()};
        v_.clear();
        for (const node& n : g_.nodes) v_.push_back(!n.formula && n.a >= 0 ? in[n.a] : value_of(g_, n, v_, contract));
        return {v_[static_cast<std::size_t>(re_)], v_[static_cast<std::size_t>(im_)]};
    }

private:
    graph g_;
    int re_, im_;
    std::vector<double> v_;
};

}  // namespace frit_test::complex_graph
