// Matrices in long double, by plain loops, for tests of linear algebra; and bounds of residuals as LAPACK's tests state
// them: a small number times the dtype's epsilon, the sides and the norms.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include <frit/frit.hpp>

namespace frit_test {

template <class T>
struct real_type {
    using type = T;
};
template <class T>
struct real_type<std::complex<T>> {
    using type = T;
};
template <class T>
using real = typename real_type<T>::type;
template <class T>
inline constexpr bool is_complex_type = !std::is_same_v<T, real<T>>;
template <class T>
using wide_of = std::conditional_t<is_complex_type<T>, std::complex<long double>, long double>;

template <class T>
constexpr double epsilon() {
    return static_cast<double>(std::numeric_limits<real<T>>::epsilon());
}

/// A matrix whose elements are those of dtype T, in long double.
template <class T>
struct plain {
    std::int64_t rows = 0, columns = 0;
    std::vector<wide_of<T>> at;

    plain(std::int64_t m, std::int64_t n) : rows(m), columns(n), at(static_cast<std::size_t>(m * n)) {}
    template <frit::detail::operand A>
    explicit plain(const A& a) : plain(a.shape()[0], a.shape()[1]) {
        const std::vector<T> values = a.to_vector();
        for (std::size_t k = 0; k < at.size(); ++k) at[k] = wide_of<T>(values[k]);
    }

    wide_of<T>& operator()(std::int64_t i, std::int64_t j) { return at[static_cast<std::size_t>(i * columns + j)]; }
    const wide_of<T>& operator()(std::int64_t i, std::int64_t j) const {
        return at[static_cast<std::size_t>(i * columns + j)];
    }

    frit::array<T> lazy() const { return frit::from_host(values(), {rows, columns}); }
    std::vector<T> values() const {
        std::vector<T> values;
        for (const wide_of<T>& x : at)
            if constexpr (is_complex_type<T>)
                values.push_back(T(static_cast<real<T>>(x.real()), static_cast<real<T>>(x.imag())));
            else
                values.push_back(static_cast<T>(x));
        return values;
    }
    plain transposed() const {
        plain t(columns, rows);
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < columns; ++j) t(j, i) = (*this)(i, j);
        return t;
    }
    plain adjoint() const {
        plain t = transposed();
        if constexpr (is_complex_type<T>)
            for (wide_of<T>& x : t.at) x = std::conj(x);
        return t;
    }
    /// The Frobenius norm.
    long double norm() const {
        long double sum = 0;
        for (const wide_of<T>& x : at) sum += std::norm(x);
        return std::sqrt(sum);
    }
    friend plain operator*(const plain& a, const plain& b) {
        EXPECT_EQ(a.columns, b.rows);
        plain c(a.rows, b.columns);
        for (std::int64_t i = 0; i < a.rows; ++i)
            for (std::int64_t k = 0; k < a.columns; ++k)
                for (std::int64_t j = 0; j < b.columns; ++j) c(i, j) += a(i, k) * b(k, j);
        return c;
    }
    friend plain operator+(plain a, const plain& b) {
        for (std::size_t k = 0; k < a.at.size(); ++k) a.at[k] += b.at[k];
        return a;
    }
    friend plain operator-(plain a, const plain& b) {
        for (std::size_t k = 0; k < a.at.size(); ++k) a.at[k] -= b.at[k];
        return a;
    }
};

/// Numbers of T between -1 and 1, the same for a seed.
template <class T>
plain<T> random_plain(std::int64_t m, std::int64_t n, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<real<T>> numbers(-1, 1);
    plain<T> a(m, n);
    for (wide_of<T>& x : a.at)
        if constexpr (is_complex_type<T>) {
            const real<T> re = numbers(engine);
            x = {re, numbers(engine)};
        } else {
            x = numbers(engine);
        }
    return a;
}
template <class T>
plain<T> identity(std::int64_t n) {
    plain<T> a(n, n);
    for (std::int64_t k = 0; k < n; ++k) a(k, k) = 1;
    return a;
}
template <class T, class S>
plain<T> diagonal(const std::vector<S>& of, std::int64_t m, std::int64_t n) {
    plain<T> a(m, n);
    for (std::size_t k = 0; k < of.size(); ++k)
        a(static_cast<std::int64_t>(k), static_cast<std::int64_t>(k)) = wide_of<T>(of[k]);
    return a;
}
/// b b^H + 1, rounded to T.
template <class T>
plain<T> positive_definite(std::int64_t n, unsigned seed) {
    const plain<T> b = random_plain<T>(n, n, seed);
    return plain<T>((b * b.adjoint() + identity<T>(n)).lazy());
}
/// An upper bound of the norm-wise condition number: by the inverse that Gauss and Jordan give, in long double; of what is
/// not square, of the smaller of a^H a and a a^H, rooted.
template <class T>
long double condition(const plain<T>& of) {
    const bool square = of.rows == of.columns;
    plain<T> a = square ? of : of.rows > of.columns ? of.adjoint() * of : of * of.adjoint();
    const std::int64_t n = a.rows;
    plain<T> inverse = identity<T>(n);
    const long double norm = a.norm();
    for (std::int64_t k = 0; k < n; ++k) {
        std::int64_t best = k;
        for (std::int64_t i = k; i < n; ++i)
            if (std::abs(a(i, k)) > std::abs(a(best, k))) best = i;
        for (std::int64_t j = 0; j < n; ++j) std::swap(a(k, j), a(best, j)), std::swap(inverse(k, j), inverse(best, j));
        const wide_of<T> pivot = a(k, k);
        for (std::int64_t j = 0; j < n; ++j) a(k, j) /= pivot, inverse(k, j) /= pivot;
        for (std::int64_t i = 0; i < n; ++i) {
            if (i == k) continue;
            const wide_of<T> factor = a(i, k);
            for (std::int64_t j = 0; j < n; ++j) a(i, j) -= factor * a(k, j), inverse(i, j) -= factor * inverse(k, j);
        }
    }
    const long double both = norm * inverse.norm();
    return square ? both : std::sqrt(both);
}

/// |rest| <= 10 n eps |a|
template <class T>
void expect_small(const plain<T>& rest, const plain<T>& a, std::int64_t n, const char* what) {
    EXPECT_LE(rest.norm(), 10 * static_cast<long double>(n) * epsilon<T>() * a.norm())
        << what << " of " << a.rows << " x " << a.columns;
}
template <class T>
void expect_orthonormal_columns(const plain<T>& q) {
    EXPECT_LE((q.adjoint() * q - identity<T>(q.columns)).norm(),
              10 * static_cast<long double>(q.rows + q.columns) * epsilon<T>())
        << q.rows << " x " << q.columns;
}
/// |a x - b| <= 30 n eps |a| |x|: x is the solution of a neighbouring equation.
template <class T>
void expect_backward_stable(const plain<T>& a, const plain<T>& x, const plain<T>& b) {
    EXPECT_LE((a * x - b).norm(), 30 * static_cast<long double>(a.rows) * epsilon<T>() * a.norm() * x.norm())
        << a.rows << " x " << a.columns << ", " << b.columns << " right sides";
}

template <frit::detail::operand A>
void evaluate(const A& x) {
    (void)x.eval();
}
template <class... A>
void evaluate(const std::tuple<A...>& all) {
    std::apply([](const auto&... x) { frit::eval(x...); }, all);
}

/// Empty where the default device runs this function, else its own words on what is missing.
template <class F>
std::string missing_linalg(F f) {
    try {
        f();
    } catch (const frit::device_error& e) {
        return e.what();
    }
    return {};
}

}  // namespace frit_test

/// At the head of a test that needs such a function of a matrix x, as in FRIT_SKIP_WITHOUT_LINALG(solve(x, x)).
#define FRIT_SKIP_WITHOUT_LINALG(...)                               \
    if (const std::string missing = frit_test::missing_linalg([] {  \
            using namespace frit::linalg;                           \
            const frit::array<float> x = frit::ones<float>({1, 1}); \
            frit_test::evaluate(__VA_ARGS__);                       \
        });                                                         \
        !missing.empty())                                           \
    GTEST_SKIP() << missing
