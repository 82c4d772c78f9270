// Discrete Fourier transforms of our own, for machines without FFTW: a plain mixed-radix transform (Stockham's, so that
// nothing is put in another order), and Bluestein's by a longer one where a length has a large prime factor. Half of the
// work for real numbers of an even length.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "frit/config.hpp"

namespace frit::inline v0::detail {

/// What is transformed along one line: complex numbers by either sign, n real numbers to n / 2 + 1 complex ones, or back.
/// Nothing is divided by n.
enum class line_kind : std::uint8_t { forward, inverse, of_real, to_real };

template <class T>
class mixed_radix {
public:
    using element = std::complex<T>;

    /// For n > 0 elements. @throws std::bad_alloc
    explicit mixed_radix(std::int64_t n);

    /// Complex elements of scratch memory.
    static std::int64_t scratch(std::int64_t n);

    void forward(const element* in, element* out, element* scratch) const;
    void inverse(const element* in, element* out, element* scratch) const;

private:
    /// x(j) exp(i pi j^2 / n) is convolved with such a chirp, by transforms of a power of two.
    struct chirp {
        mixed_radix by;
        std::vector<element> factors,
            kernel;  ///< exp(-i pi j^2 / n); the transform of its conjugates, divided by the length
        explicit chirp(std::int64_t n);
    };
    template <bool Inverse>
    void passes(const element* in, element* out, element* scratch) const;
    template <bool Inverse>
    void by_chirp(const element* in, element* out, element* scratch) const;

    std::int64_t n_;
    std::vector<int> radices_;
    std::vector<element> roots_;  ///< exp(-2 pi i k / n)
    std::unique_ptr<const chirp> chirp_;
};

/// Lines of n numbers, one after the other and without gaps.
template <class T>
class own_lines {
public:
    own_lines(line_kind, std::int64_t n);
    static std::int64_t scratch(line_kind, std::int64_t n);

    /// One line. It may not be transformed in its place.
    void run(const void* in, void* out, std::complex<T>* scratch) const;

private:
    using element = std::complex<T>;
    bool halves() const { return kind_ >= line_kind::of_real && n_ % 2 == 0; }
    void of_real(const T* in, element* out, element* scratch) const;
    void to_real(const element* in, T* out, element* scratch) const;

    line_kind kind_;
    std::int64_t n_;
    mixed_radix<T> by_;
    std::vector<element> roots_;  ///< of real numbers: exp(-2 pi i k / n), k < n / 2
};

extern template class mixed_radix<float>;
extern template class mixed_radix<double>;
extern template class own_lines<float>;
extern template class own_lines<double>;

}  // namespace frit::v0::detail
