// See mixed_radix.hpp. A pass of radix r takes the n elements for (r, m, l): x(j, p, q) with j of the radix, p < m what is
// still to be transformed, and q < l what is. It writes y(p, k, q), the sum over j of x(j, p, q) exp(-2 pi i j k / r),
// times the twiddle factor exp(-2 pi i p k / (r m)).
#include "src/cpu/mixed_radix.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

namespace frit::inline v0::detail {
namespace {

/// Primes above are left to Bluestein: a pass takes as many operations an element as its radix.
constexpr int radices[] = {4, 2, 3, 5, 7, 11, 13};

// std::complex's own product looks for infinities.
template <class T>
using parts = std::complex<T>;
template <class T>
parts<T> times(const parts<T>& a, const parts<T>& b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
/// a times w, or its conjugate.
template <bool Conjugate, class T>
parts<T> twiddled(const parts<T>& a, const parts<T>& w) {
    return times(a, Conjugate ? std::conj(w) : w);
}
/// a times -i, or i.
template <bool Inverse, class T>
parts<T> quarter(const parts<T>& a) {
    return Inverse ? parts<T>(-a.imag(), a.real()) : parts<T>(a.imag(), -a.real());
}

/// exp(-2 pi i k / n): from an angle of at most 45 degrees.
std::complex<long double> root_of_unity(std::uint64_t k, std::uint64_t n) {
    std::uint64_t eighths = 8 * (k % n);
    const bool below = eighths <= 4 * n;
    if (!below) eighths = 8 * n - eighths;
    const bool left = eighths > 2 * n;
    if (left) eighths = 4 * n - eighths;
    const bool steep = eighths > n;
    if (steep) eighths = 2 * n - eighths;
    const long double angle =
        std::numbers::pi_v<long double> / 4 * (static_cast<long double>(eighths) / static_cast<long double>(n));
    long double re = std::cos(angle), im = std::sin(angle);
    if (steep) std::swap(re, im);
    return {left ? -re : re, below ? -im : im};
}

/// exp(-2 pi i k / n), k < count, correctly rounded but for a few: products of two, of which there are few.
template <class T>
std::vector<parts<T>> roots_of_unity(std::int64_t n, std::int64_t count) {
    const int bits = (static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count))) + 1) / 2;
    const std::int64_t step = std::int64_t{1} << bits;
    std::vector<std::complex<long double>> fine, coarse;
    const auto of = [&](std::int64_t k) {
        return root_of_unity(static_cast<std::uint64_t>(k), static_cast<std::uint64_t>(n));
    };
    for (std::int64_t k = 0; k < std::min(step, count); ++k) fine.push_back(of(k));
    for (std::int64_t k = 0; k < count; k += step) coarse.push_back(of(k));
    std::vector<parts<T>> roots(static_cast<std::size_t>(count));
    for (std::int64_t k = 0; k < count; ++k) {
        const auto &a = fine[static_cast<std::size_t>(k & (step - 1))], &b = coarse[static_cast<std::size_t>(k >> bits)];
        const std::complex<long double> w = k < step ? a : times(a, b);
        roots[static_cast<std::size_t>(k)] = {static_cast<T>(w.real()), static_cast<T>(w.imag())};
    }
    return roots;
}

/// The radices of the passes; empty where a prime factor is too large.
std::vector<int> radices_of(std::int64_t n) {
    std::vector<int> found;
    for (const int r : radices)
        for (; n % r == 0; n /= r) found.push_back(r);
    if (n > 1) found.clear();
    return found;
}
bool has_large_prime(std::int64_t n) { return n > 1 && radices_of(n).empty(); }

/// A power of two that holds a convolution of n by 2 n - 1 elements.
std::int64_t chirp_length(std::int64_t n) {
    return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(2 * n - 1)));
}

/// Of one pass: what it reads and writes. The roots are those of all n elements, so that l is from one root of this pass to
/// the next.
template <class T>
struct pass {
    std::int64_t l, m;
    const parts<T>* in;
    parts<T>* out;
    const parts<T>* roots;
};

template <bool Inverse, class T>
void pass_of_2(const pass<T>& a) {
    const std::int64_t l = a.l, far = a.m * l;
    for (std::int64_t p = 0; p < a.m; ++p) {
        const parts<T> w = a.roots[p * l];
        const parts<T>* const x = a.in + p * l;
        parts<T>* const y = a.out + 2 * p * l;
        for (std::int64_t q = 0; q < l; ++q) {
            const parts<T> x0 = x[q], x1 = x[q + far];
            y[q] = x0 + x1;
            y[q + l] = twiddled<Inverse>(x0 - x1, w);
        }
    }
}

template <bool Inverse, class T>
void pass_of_4(const pass<T>& a) {
    const std::int64_t l = a.l, far = a.m * l;
    for (std::int64_t p = 0; p < a.m; ++p) {
        const parts<T> w1 = a.roots[p * l], w2 = a.roots[2 * p * l], w3 = a.roots[3 * p * l];
        const parts<T>* const x = a.in + p * l;
        parts<T>* const y = a.out + 4 * p * l;
        for (std::int64_t q = 0; q < l; ++q) {
            const parts<T> x0 = x[q], x1 = x[q + far], x2 = x[q + 2 * far], x3 = x[q + 3 * far];
            const parts<T> even = x0 + x2, odd = x1 + x3, difference = x0 - x2, side = quarter<Inverse>(x1 - x3);
            y[q] = even + odd;
            y[q + l] = twiddled<Inverse>(difference + side, w1);
            y[q + 2 * l] = twiddled<Inverse>(even - odd, w2);
            y[q + 3 * l] = twiddled<Inverse>(difference - side, w3);
        }
    }
}

/// An odd prime by its definition; sums and differences of elements from both ends halve the products.
template <bool Inverse, int Radix, class T>
void pass_of_odd(const pass<T>& a) {
    constexpr int half = (Radix - 1) / 2;
    const std::int64_t l = a.l, far = a.m * l;
    std::array<T, Radix> cosines, sines;
    for (int k = 0; k < Radix; ++k) {
        const parts<T> w = a.roots[k * far];
        cosines[static_cast<std::size_t>(k)] = w.real();
        sines[static_cast<std::size_t>(k)] = -w.imag();
    }
    for (std::int64_t p = 0; p < a.m; ++p)
        for (std::int64_t q = 0; q < l; ++q) {
            const parts<T>* const x = a.in + p * l + q;
            parts<T>* const y = a.out + Radix * p * l + q;
            std::array<parts<T>, half> sums, differences;
            parts<T> total = x[0];
            for (int j = 1; j <= half; ++j) {
                const parts<T> from_start = x[j * far], from_end = x[(Radix - j) * far];
                total += sums[static_cast<std::size_t>(j - 1)] = from_start + from_end;
                differences[static_cast<std::size_t>(j - 1)] = from_start - from_end;
            }
            y[0] = total;
            for (int k = 1; k <= half; ++k) {
                parts<T> even = x[0], odd{};
                for (int j = 1; j <= half; ++j) {
                    even += cosines[static_cast<std::size_t>(j * k % Radix)] * sums[static_cast<std::size_t>(j - 1)];
                    odd += sines[static_cast<std::size_t>(j * k % Radix)] * differences[static_cast<std::size_t>(j - 1)];
                }
                odd = quarter<Inverse>(odd);
                y[k * l] = twiddled<Inverse>(even + odd, a.roots[k * p * l]);
                y[(Radix - k) * l] = twiddled<Inverse>(even - odd, a.roots[(Radix - k) * p * l]);
            }
        }
}

template <bool Inverse, class T>
void run_pass(int radix, const pass<T>& a) {
    switch (radix) {
        case 2: return pass_of_2<Inverse>(a);
        case 3: return pass_of_odd<Inverse, 3>(a);
        case 4: return pass_of_4<Inverse>(a);
        case 5: return pass_of_odd<Inverse, 5>(a);
        case 7: return pass_of_odd<Inverse, 7>(a);
        case 11: return pass_of_odd<Inverse, 11>(a);
        default: return pass_of_odd<Inverse, 13>(a);
    }
}

}  // namespace

template <class T>
mixed_radix<T>::mixed_radix(std::int64_t n) : n_(n), radices_(radices_of(n)) {
    if (has_large_prime(n))
        chirp_ = std::make_unique<chirp>(n);
    else
        roots_ = roots_of_unity<T>(n, n);
}

template <class T>
mixed_radix<T>::chirp::chirp(std::int64_t n)
    : by(chirp_length(n)), factors(static_cast<std::size_t>(n)), kernel(static_cast<std::size_t>(by.n_)) {
    const std::vector<element> roots = roots_of_unity<T>(2 * n, 2 * n);
    const T whole = static_cast<T>(by.n_);
    std::vector<element> around(kernel.size()), own(static_cast<std::size_t>(scratch(by.n_)));
    std::int64_t square = 0;  // j^2 modulo 2 n
    for (std::int64_t j = 0; j < n; ++j) {
        const element w = roots[static_cast<std::size_t>(square)];
        factors[static_cast<std::size_t>(j)] = w;
        around[static_cast<std::size_t>(j)] = std::conj(w) / whole;
        if (j > 0) around[around.size() - static_cast<std::size_t>(j)] = std::conj(w) / whole;
        square += 2 * j + 1;
        if (square >= 2 * n) square -= 2 * n;
    }
    by.forward(around.data(), kernel.data(), own.data());
}

template <class T>
std::int64_t mixed_radix<T>::scratch(std::int64_t n) {
    return has_large_prime(n) ? 3 * chirp_length(n) : n;
}

template <class T>
template <bool Inverse>
void mixed_radix<T>::passes(const element* in, element* out, element* scratch) const {
    if (n_ == 1) {
        out[0] = in[0];
        return;
    }
    std::int64_t l = 1, left = n_;
    const element* from = in;
    for (std::size_t k = 0; k < radices_.size(); ++k) {
        const int radix = radices_[k];
        left /= radix;
        element* const to = (radices_.size() - k) % 2 == 1 ? out : scratch;  // the last one writes to out
        run_pass<Inverse, T>(radix, {l, left, from, to, roots_.data()});
        from = to;
        l *= radix;
    }
}

template <class T>
template <bool Inverse>
void mixed_radix<T>::by_chirp(const element* in, element* out, element* scratch) const {
    const std::size_t n = static_cast<std::size_t>(n_), length = chirp_->kernel.size();
    element *const a = scratch, *const b = scratch + length, *const own = scratch + 2 * length;
    for (std::size_t j = 0; j < n; ++j) a[j] = twiddled<Inverse>(in[j], chirp_->factors[j]);
    std::fill(a + n, a + length, element());
    // The inverse is the transform with all conjugated: kernels of even functions, too.
    if (Inverse)
        chirp_->by.inverse(a, b, own);
    else
        chirp_->by.forward(a, b, own);
    for (std::size_t k = 0; k < length; ++k) b[k] = twiddled<Inverse>(b[k], chirp_->kernel[k]);
    if (Inverse)
        chirp_->by.forward(b, a, own);
    else
        chirp_->by.inverse(b, a, own);
    for (std::size_t k = 0; k < n; ++k) out[k] = twiddled<Inverse>(a[k], chirp_->factors[k]);
}

template <class T>
void mixed_radix<T>::forward(const element* in, element* out, element* scratch) const {
    return chirp_ ? by_chirp<false>(in, out, scratch) : passes<false>(in, out, scratch);
}
template <class T>
void mixed_radix<T>::inverse(const element* in, element* out, element* scratch) const {
    return chirp_ ? by_chirp<true>(in, out, scratch) : passes<true>(in, out, scratch);
}

namespace {
/// Real numbers of an even length are half as many complex ones.
std::int64_t complex_length(line_kind kind, std::int64_t n) { return kind >= line_kind::of_real && n % 2 == 0 ? n / 2 : n; }
}  // namespace

template <class T>
own_lines<T>::own_lines(line_kind kind, std::int64_t n) : kind_(kind), n_(n), by_(complex_length(kind, n)) {
    if (halves()) roots_ = roots_of_unity<T>(n, n / 2);
}

template <class T>
std::int64_t own_lines<T>::scratch(line_kind kind, std::int64_t n) {
    const std::int64_t length = complex_length(kind, n), own = mixed_radix<T>::scratch(length);
    if (kind < line_kind::of_real) return own;
    return (length < n ? length : 2 * n) + own;
}

template <class T>
void own_lines<T>::run(const void* in, void* out, std::complex<T>* scratch) const {
    const auto* const from = static_cast<const element*>(in);
    switch (kind_) {
        case line_kind::forward: return by_.forward(from, static_cast<element*>(out), scratch);
        case line_kind::inverse: return by_.inverse(from, static_cast<element*>(out), scratch);
        case line_kind::of_real: return of_real(static_cast<const T*>(in), static_cast<element*>(out), scratch);
        default: return to_real(from, static_cast<T*>(out), scratch);
    }
}

// Even and odd elements are the parts z = x(2 j) + i x(2 j + 1) of half as many complex numbers. Of their transform Z,
// (Z(k) + conj Z(h - k)) / 2 is the even elements' and (Z(k) - conj Z(h - k)) / 2i the odd ones'.
template <class T>
void own_lines<T>::of_real(const T* in, element* out, element* scratch) const {
    if (!halves()) {
        element* const whole = scratch + n_;
        for (std::int64_t j = 0; j < n_; ++j) scratch[j] = in[j];
        by_.forward(scratch, whole, whole + n_);
        std::copy_n(whole, n_ / 2 + 1, out);
        return;
    }
    const std::int64_t half = n_ / 2;
    by_.forward(reinterpret_cast<const element*>(in), scratch, scratch + half);
    out[0] = scratch[0].real() + scratch[0].imag();
    out[half] = scratch[0].real() - scratch[0].imag();
    for (std::int64_t k = 1; k < half; ++k) {
        const element z = scratch[k], mirrored = std::conj(scratch[half - k]);
        const element odd = quarter<false>(z - mirrored);
        out[k] = T(0.5) * (z + mirrored + times(odd, roots_[static_cast<std::size_t>(k)]));
    }
}

template <class T>
void own_lines<T>::to_real(const element* in, T* out, element* scratch) const {
    if (!halves()) {
        element* const whole = scratch + n_;
        scratch[0] = in[0].real();
        for (std::int64_t k = 1; k <= n_ / 2; ++k) scratch[n_ - k] = std::conj(scratch[k] = in[k]);
        by_.inverse(scratch, whole, whole + n_);
        for (std::int64_t j = 0; j < n_; ++j) out[j] = whole[j].real();
        return;
    }
    const std::int64_t half = n_ / 2;
    scratch[0] = {in[0].real() + in[half].real(), in[0].real() - in[half].real()};
    for (std::int64_t k = 1; k < half; ++k) {
        const element mirrored = std::conj(in[half - k]);
        const element odd = times(in[k] - mirrored, std::conj(roots_[static_cast<std::size_t>(k)]));
        scratch[k] = in[k] + mirrored + quarter<true>(odd);
    }
    by_.inverse(scratch, reinterpret_cast<element*>(out), scratch + half);
}

template class mixed_radix<float>;
template class mixed_radix<double>;
template class own_lines<float>;
template class own_lines<double>;

}  // namespace frit::v0::detail
