// Weak scalars: a C++ number beside an array takes the array's dtype wherever its kind (bool < integer < floating < complex)
// fits, as Python's numbers do in NumPy 2. The rule, and the conversion of a value to its parameter's bits. Source: NumPy 2
// user guide, "Data type promotion in NumPy".
#pragma once

#include <bit>
#include <complex>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <type_traits>

#include "frit/detail/record.hpp"
#include "frit/dtype.hpp"
#include "frit/opcode.hpp"

namespace frit::inline v0::detail {

template <class T>
concept complex_scalar =
    std::same_as<std::remove_cvref_t<T>, std::complex<float>> || std::same_as<std::remove_cvref_t<T>, std::complex<double>>;
template <class T>
concept scalar = cpp_number<std::remove_cvref_t<T>> || complex_scalar<T>;

/// What promotion sees of one argument. `type` of a scalar is the dtype it has where no array decides.
struct argument {
    bool weak;
    dtype type;
};

/// The dtype of a C++ number by itself.
template <scalar T>
constexpr dtype default_dtype() {
    static_assert(std::is_floating_point_v<T> || element<T>,
                  "frit: a character is no number: cast it to int (signed char and unsigned char are int8 and uint8)");
    if constexpr (element<T>)
        return dtype_of<T>;
    else
        return dtype::f64;  // long double
}

/// Arrays promote by table; a scalar of a higher kind than theirs lifts the result to NumPy's default of that kind.
constexpr dtype common_dtype(std::span<const argument> arguments) {
    dtype common = dtype::bool_;
    for (const argument& a : arguments)
        if (!a.weak) common = promote(common, a.type);
    for (const argument& a : arguments) {
        if (!a.weak || common == run_time) continue;
        if (is_float(a.type) && kind_of(common) < dtype_kind::floating) common = dtype::f64;
        if (is_integer(a.type) && common == dtype::bool_) common = dtype::i64;
        if (is_complex(a.type) && !is_complex(common)) common = complex_dtype(is_float(common) ? common : dtype::f64);
    }
    return common;
}
constexpr dtype common_dtype(std::initializer_list<argument> arguments) {
    return common_dtype(std::span<const argument>(arguments.begin(), arguments.size()));
}

/// Writing into existing storage casts within a kind and upwards, as NumPy's same_kind does (bool, unsigned, signed,
/// floating); a number of C++ is of either integer kind, and its value is checked.
constexpr bool may_write(argument from, dtype to) {
    if (is_integer(from.type) && is_integer(to))
        return from.weak || kind_of(from.type) == dtype_kind::unsigned_integer || kind_of(to) == dtype_kind::integer;
    return kind_of(from.type) <= kind_of(to);
}

/// Whether `value` is an integer that an integer T does not hold.
template <element T, scalar S>
constexpr bool is_out_of_range(S value) {
    if constexpr (std::is_integral_v<S> && !std::is_same_v<S, bool> && std::is_integral_v<T>) {
        const T converted = static_cast<T>(value);
        return static_cast<S>(converted) != value || (converted < T{}) != (value < S{});
    } else {
        return false;
    }
}

/// The bits of a real `value` as a D, zero-extended; of complex D, as a part of one; as the float32 that it is computed with
/// where D is 16-bit floating; of an integer that does not fit, what recording throws for.
template <dtype D, cpp_number S>
constexpr scalar_bits scalar_to_bits(S value, [[maybe_unused]] op code = op::scalar) {
    using T = cpp_type<real_dtype(D)>;
    if constexpr (std::is_integral_v<S> && std::is_integral_v<T>)
        if (is_out_of_range<T>(value)) return scalar_bits::misfit(static_cast<std::uint64_t>(value), value < S{}, code);
    const auto converted = static_cast<cpp_type<register_dtype(real_dtype(D))>>(static_cast<T>(value));
    if constexpr (sizeof(converted) == 8) return {std::bit_cast<std::uint64_t>(converted), 0};
    if constexpr (sizeof(converted) == 4) return {std::bit_cast<std::uint32_t>(converted), 0};
    if constexpr (sizeof(converted) == 2) return {std::bit_cast<std::uint16_t>(converted), 0};
    if constexpr (sizeof(converted) == 1) return {std::bit_cast<std::uint8_t>(converted), 0};
}

/// The widest dtype of a real C++ number's kind: as such it waits for the dtype that it will have.
template <cpp_number S>
constexpr dtype widest_dtype() {
    constexpr dtype own = default_dtype<S>();
    if constexpr (is_float(own)) return dtype::f64;
    if constexpr (own == dtype::bool_) return dtype::bool_;
    return kind_of(own) == dtype_kind::integer ? dtype::i64 : dtype::u64;
}

/// A number as an argument of a function that is no template.
struct weak_number {
    scalar_bits bits;  ///< of the real part
    scalar_bits imag;
    dtype type;  ///< the widest of its kind
    template <cpp_number S>
    weak_number(S value) : bits(scalar_to_bits<widest_dtype<S>()>(value)), type(widest_dtype<S>()) {}
    template <complex_scalar S>
    weak_number(S value)
        : bits(scalar_to_bits<dtype::f64>(value.real())),
          imag(scalar_to_bits<dtype::f64>(value.imag())),
          type(dtype::c128) {}
};

}  // namespace frit::v0::detail
