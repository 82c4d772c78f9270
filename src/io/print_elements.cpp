// Elements as text, all of one width, by NumPy's rules: which digits of a float are shown, when exponents are, how points
// stand below each other. Digits come from std::to_chars, which gives both the fewest that read back as the same number and
// correctly rounded ones.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <complex>
#include <concepts>
#include <cstring>
#include <iterator>
#include <limits>
#include <span>
#include <type_traits>

#include "src/io/print.hpp"

namespace frit::inline v0::detail {
namespace {

/// A decimal number in the parts that are aligned: "-12", "5", "+07".
struct decimal {
    std::string whole, fraction, exponent;
};

decimal parts_of(std::string s) {
    decimal d;
    if (const std::size_t e = s.find('e'); e != std::string::npos) {
        d.exponent = s.substr(e + 1);
        s.resize(e);
    }
    const std::size_t point = std::min(s.find('.'), s.size());
    if (point < s.size()) d.fraction = s.substr(point + 1);
    d.whole = s.substr(0, point);
    return d;
}

template <class... Precision>
std::string to_text(std::floating_point auto x, std::chars_format format, Precision... precision) {
    std::string s(32, '\0');
    for (;;) {
        const auto done = std::to_chars(s.data(), s.data() + s.size(), x, format, precision...);
        if (done.ec == std::errc()) {
            s.resize(static_cast<std::size_t>(done.ptr - s.data()));
            return s;
        }
        s.resize(2 * s.size());
    }
}

// 16-bit floats: std::to_chars does not know what tells them from their neighbours.
template <class T>
concept short_floating = is_short_float<T>;
template <class T>
concept printed_floating = std::floating_point<T> || short_floating<T>;

std::string to_text(short_floating auto x, std::chars_format format, int precision) {
    return to_text(static_cast<double>(x), format, precision);
}
/// As wide as a double's digits: it holds every value of T.
template <printed_floating T>
T read_back(const std::string& text) {
    std::conditional_t<is_short_float<T>, double, T> read = 0;
    std::from_chars(text.data(), text.data() + text.size(), read);
    return static_cast<T>(read);
}
/// So many digits behind the first, of the two such numbers around x the one further from 0.
template <short_floating T>
std::string text_above(T x, int digits) {
    const std::string nearest = to_text(x, std::chars_format::scientific, digits);
    const auto size = std::abs(static_cast<double>(x)), found = std::abs(read_back<double>(nearest));
    if (found >= size) return nearest;
    const double unit = std::pow(10.0, std::stoi(nearest.substr(nearest.find('e') + 1)) - digits);
    return to_text(std::copysign(found + unit, static_cast<double>(x)), std::chars_format::scientific, digits);
}
/// The fewest digits that read back as x, and the nearest to it of these; in fixed notation with zeros up to the point. What
/// is further from 0 than a power of two may be further from it: its neighbours there are.
template <short_floating T>
std::string to_text(T x, std::chars_format format) {
    std::string s;
    for (int digits = 0;; ++digits) {
        s = to_text(x, std::chars_format::scientific, digits);
        if (read_back<T>(s) == x) break;
        s = text_above(x, digits);
        if (read_back<T>(s) == x) break;
    }
    if (format == std::chars_format::scientific) return s;
    // The same digits: a double has them, whatever else it has.
    return to_text(read_back<double>(s), std::chars_format::fixed);
}

/// How the elements of one array are written: decided over all of them, then asked for each.
template <class T>
class element_format;

template <printed_floating T>
class element_format<T> {
    using limits = std::numeric_limits<T>;
    /// What its values are compared in.
    using wide = std::conditional_t<is_short_float<T>, float, T>;

public:
    element_format(std::span<const T> elements, const printoptions& options)
        : options_(options), exact_(*options.floatmode == float_mode::fixed) {
        choose_notation(elements);
        bool special = false, negative = false, negative_infinity = false;
        for (const T element : elements) {
            const wide x = element;
            if (std::isfinite(x)) {
                negative |= std::signbit(x);
                measure(element);
            } else {
                special = true;
                negative_infinity |= x < 0;
            }
        }
        padded_ = scientific_ || exact_ || *options.floatmode == float_mode::maxprec_equal;
        // Where an infinity or NaN may begin: further right by what stands behind the point.
        const std::size_t behind = scientific_ ? exponent_ + 2 + fraction_ : fraction_;
        if (*options.sign == ' ' && !negative) ++whole_;
        width_ = whole_ + behind + 1;
        if (!special) return;
        const std::size_t sign = *options.sign != '-' || negative_infinity;
        width_ = std::max({width_, width_of(*options.nanstr), width_of(*options.infstr) + sign});
        whole_ = width_ - behind - 1;
    }

    std::string operator()(T x) const {
        if (const wide number = x; !std::isfinite(number)) {
            const bool minus = std::isinf(number) && number < 0;
            std::string s = minus ? "-" : *options_.sign == '+' ? "+" : "";
            s += std::isnan(number) ? *options_.nanstr : *options_.infstr;
            return s.insert(0, width_ - std::min(width_, width_of(s)), ' ');
        }
        decimal d = padded_ ? with_digits(x) : at_most(x);
        std::string s = d.whole + '.' + d.fraction;
        if (scientific_) {
            const std::size_t digits = d.exponent.size() - 1;
            s += 'e' + d.exponent.insert(1, exponent_ - digits, '0');
        } else {
            s.append(fraction_ - d.fraction.size(), ' ');
        }
        return s.insert(0, whole_ - d.whole.size(), ' ');
    }

private:
    void choose_notation(std::span<const T> elements) {
        wide largest = 0, smallest = limits::max();
        for (const wide x : elements) {
            if (!std::isfinite(x) || x == 0) continue;
            largest = std::max(largest, std::abs(x));
            smallest = std::min(smallest, std::abs(x));
        }
        // From this on the digits before the point would not all be meant.
        constexpr int digits = std::min(limits::digits10, 8);
        static_assert(digits == 8 || digits == 6 || digits == 3 || digits == 2);
        constexpr wide too_large = digits == 8 ? wide(1e8) : digits == 6 ? wide(1e6) : digits == 3 ? wide(1e3) : wide(1e2);
        scientific_ = largest >= too_large ||
                      (largest > 0 && !*options_.suppress &&
                       (smallest < wide(T(1e-4)) || wide(T(largest / smallest)) > wide(1000)));  // rounded as T's quotient
    }

    void measure(T x) {
        const decimal d = exact_ ? rounded(x, *options_.precision) : at_most(x);
        whole_ = std::max(whole_, d.whole.size());
        fraction_ = std::max(fraction_, d.fraction.size());
        if (scientific_) exponent_ = std::max(exponent_, d.exponent.size() - 1);
    }

    std::chars_format format() const { return scientific_ ? std::chars_format::scientific : std::chars_format::fixed; }
    decimal parts(T x, std::string text) const {
        if (*options_.sign == '+' && !std::signbit(wide(x))) text.insert(0, 1, '+');
        return parts_of(std::move(text));
    }
    decimal shortest(T x) const { return parts(x, to_text(x, format())); }
    decimal rounded(T x, int digits) const { return parts(x, to_text(x, format(), digits)); }

    /// The fewest digits that tell x apart, cut at the precision, without zeros at their end.
    decimal at_most(T x) const {
        decimal d = shortest(x);
        if (*options_.floatmode != float_mode::unique && d.fraction.size() > static_cast<std::size_t>(*options_.precision))
            d = rounded(x, *options_.precision);
        d.fraction.resize(d.fraction.find_last_not_of('0') + 1);
        return d;
    }

    /// Exactly as many digits behind the point as the longest element has. Beyond those that tell x apart, the true digits
    /// of the binary number follow, unless they would read as x's neighbour (at powers of two, whose neighbours below are
    /// closer): then zeros.
    decimal with_digits(T x) const {
        const int digits = static_cast<int>(fraction_);
        if (!exact_) {
            decimal d = shortest(x);
            if (d.fraction.size() == fraction_) return d;
            if (d.fraction.size() < fraction_) {
                const std::string longer = to_text(x, format(), digits);
                if (read_back<T>(longer) != x) {
                    d.fraction.append(fraction_ - d.fraction.size(), '0');
                    return d;
                }
            }
        }
        return rounded(x, digits);
    }

    const printoptions& options_;
    bool exact_;
    bool scientific_ = false;
    bool padded_ = false;       ///< every element has all digits behind the point
    std::size_t whole_ = 0;     ///< characters before the point
    std::size_t fraction_ = 0;  ///< digits behind it
    std::size_t exponent_ = 0;  ///< digits of the exponent
    std::size_t width_ = 0;     ///< of what has no digits
};

template <std::integral T>
class element_format<T> {
public:
    element_format(std::span<const T> elements, const printoptions& options) : plus_(*options.sign == '+'), width_(0) {
        bool negative = false;
        T largest = std::numeric_limits<T>::min(), smallest = std::numeric_limits<T>::max();
        for (const T x : elements) {
            largest = std::max(largest, x);
            smallest = std::min(smallest, x);
            negative |= x < 0;
        }
        // A space for the sign, where there is any need to keep one free.
        const bool space = *options.sign == ' ' && !negative;
        width_ =
            std::max(std::to_string(largest).size() + ((plus_ && largest >= 0) || space), std::to_string(smallest).size());
    }
    std::string operator()(T x) const {
        std::string s = std::to_string(x);
        if (plus_ && x >= 0) s.insert(0, 1, '+');
        return s.insert(0, width_ - std::min(width_, s.size()), ' ');
    }

private:
    bool plus_;
    std::size_t width_;
};

template <>
class element_format<bool> {
public:
    element_format(std::span<const bool>, const printoptions&) {}
    std::string operator()(bool x) const { return x ? " True" : "False"; }
};

/// Parts are written as the elements of two arrays; the imaginary one has its sign, and a j behind its digits.
template <class T>
class element_format<std::complex<T>> {
public:
    element_format(std::span<const std::complex<T>> elements, const printoptions& options)
        : signed_(options),
          real_(parts(elements, [](std::complex<T> x) { return x.real(); }), options),
          imag_(parts(elements, [](std::complex<T> x) { return x.imag(); }), with_sign(signed_)) {}
    std::string operator()(std::complex<T> x) const {
        std::string imag = imag_(x.imag());
        imag.insert(imag.find_last_not_of(' ') + 1, 1, 'j');
        return real_(x.real()) + imag;
    }

private:
    template <class F>
    static std::vector<T> parts(std::span<const std::complex<T>> elements, F part) {
        std::vector<T> list;
        list.reserve(elements.size());
        std::transform(elements.begin(), elements.end(), std::back_inserter(list), part);
        return list;
    }
    static const printoptions& with_sign(printoptions& options) {
        options.sign = '+';
        return options;
    }
    printoptions signed_;
    element_format<T> real_, imag_;
};

template <class T>
std::vector<std::string> texts(const void* elements, std::size_t count, const printoptions& options) {
    const std::span<const T> list(static_cast<const T*>(elements), count);
    const element_format<T> format(list, options);
    std::vector<std::string> out;
    out.reserve(count);
    for (const T x : list) out.push_back(format(x));
    return out;
}

template <class T>
std::string number(T x);

/// As Python writes a complex number: (1+2j), 2j.
template <class T>
std::string number(std::complex<T> z) {
    const auto text = [](T x) {
        std::string s = number(x);
        if (s.ends_with(".0")) s.resize(s.size() - 2);
        return s;
    };
    std::string imag = text(z.imag()) + "j";
    if (z.real() == 0 && !std::signbit(z.real())) return imag;
    if (imag.front() != '-') imag.insert(0, 1, '+');
    return "(" + text(z.real()) + imag + ")";
}

template <class T>
std::string number(T x) {
    if constexpr (std::same_as<T, bool>) {
        return x ? "True" : "False";
    } else if constexpr (std::integral<T>) {
        return std::to_string(x);
    } else {
        const auto value = static_cast<double>(x);
        if (std::isnan(value)) return "nan";
        if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
        const double size = std::abs(value);
        constexpr int digits = std::numeric_limits<T>::digits10;
        constexpr double too_large = digits == 2 ? 1e2 : digits == 3 ? 1e3 : digits == 6 ? 1e6 : 1e16;
        const bool plain = size == 0 || (size >= 1e-4 && size < too_large);
        std::string s = to_text(x, plain ? std::chars_format::fixed : std::chars_format::scientific);
        if (plain && s.find('.') == std::string::npos) s += ".0";
        return s;
    }
}

}  // namespace

std::size_t width_of(std::string_view s) noexcept {
    return static_cast<std::size_t>(std::count_if(s.begin(), s.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::vector<std::string> element_texts(const void* elements, std::size_t count, dtype type, const printoptions& options) {
    switch (type) {
#define FRIT_X(name, ctype) \
    case dtype::name: return texts<ctype>(elements, count, options);
        FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
        default: throw_dtype_error("print", "cannot print this dtype", {&type, 1}, unknown_line);
    }
}

std::string number_text(const void* element, dtype type) {
    switch (type) {
#define FRIT_X(name, ctype)                 \
    case dtype::name: {                     \
        ctype x;                            \
        std::memcpy(&x, element, sizeof x); \
        return number(x);                   \
    }
        FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
        default: throw_dtype_error("print", "cannot print this dtype", {&type, 1}, unknown_line);
    }
}

}  // namespace frit::v0::detail
