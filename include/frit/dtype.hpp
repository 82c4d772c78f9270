// Element types: the one list of them, the mapping to C++ types, and NumPy 2's promotion.
// Everything that depends on the set of dtypes expands FRIT_DTYPES, or the lists behind it of those that arrays have, by
// what engines do with them, which name no others.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "frit/config.hpp"
#include "frit/half.hpp"

namespace frit::inline v0 {

// X(name, C++ type, kind, printed name). `kind` orders the promotion lattice. The order of the rows is the numbering.
#define FRIT_DTYPES(X)                                \
    X(bool_, bool, boolean, "bool")                   \
    X(i8, std::int8_t, integer, "int8")               \
    X(i16, std::int16_t, integer, "int16")            \
    X(i32, std::int32_t, integer, "int32")            \
    X(i64, std::int64_t, integer, "int64")            \
    X(u8, std::uint8_t, unsigned_integer, "uint8")    \
    X(u16, std::uint16_t, unsigned_integer, "uint16") \
    X(u32, std::uint32_t, unsigned_integer, "uint32") \
    X(u64, std::uint64_t, unsigned_integer, "uint64") \
    X(f16, ::frit::half, floating, "float16")         \
    X(bf16, ::frit::bfloat16, floating, "bfloat16")   \
    X(f32, float, floating, "float32")                \
    X(f64, double, floating, "float64")               \
    X(c64, std::complex<float>, complex, "complex64") \
    X(c128, std::complex<double>, complex, "complex128")

// The dtypes that every engine computes with: an instruction's operands and result have one of them.
#define FRIT_COMPUTE_DTYPES(X) \
    X(bool_, bool)             \
    X(i8, std::int8_t)         \
    X(i16, std::int16_t)       \
    X(i32, std::int32_t)       \
    X(i64, std::int64_t)       \
    X(u8, std::uint8_t)        \
    X(u16, std::uint16_t)      \
    X(u32, std::uint32_t)      \
    X(u64, std::uint64_t)      \
    X(f32, float)              \
    X(f64, double)

// Dtypes that an array may have and nothing is computed in: engines load, store, move and convert them, and compute in
// register_dtype.
#define FRIT_SHORT_FLOATS(X) \
    X(f16, ::frit::half)     \
    X(bf16, ::frit::bfloat16)

// Likewise: a complex number is computed as two real ones, its parts.
#define FRIT_COMPLEX_DTYPES(X)  \
    X(c64, std::complex<float>) \
    X(c128, std::complex<double>)

// The dtypes that an array may have. An array of any other one does not compile.
#define FRIT_ARRAY_DTYPES(X) \
    FRIT_COMPUTE_DTYPES(X)   \
    FRIT_SHORT_FLOATS(X)     \
    FRIT_COMPLEX_DTYPES(X)

/// The type of an array's elements, at run time.
enum class dtype : std::uint8_t {
#define FRIT_X(name, type, kind, text) name,
    FRIT_DTYPES(FRIT_X)
#undef FRIT_X
};

/// How dtypes promote: bool, then integers without and with a sign, then floating, then complex numbers.
enum class dtype_kind : std::uint8_t { boolean, integer, unsigned_integer, floating, complex };

/// Bytes of an element.
constexpr std::size_t size_of(dtype t) {
    constexpr std::uint8_t sizes[] = {
#define FRIT_X(name, type, kind, text) sizeof(type),
        FRIT_DTYPES(FRIT_X)
#undef FRIT_X
    };
    return sizes[static_cast<int>(t)];
}

/// Its place in the promotion lattice.
constexpr dtype_kind kind_of(dtype t) {
    constexpr dtype_kind kinds[] = {
#define FRIT_X(name, type, kind, text) dtype_kind::kind,
        FRIT_DTYPES(FRIT_X)
#undef FRIT_X
    };
    return kinds[static_cast<int>(t)];
}

/// NumPy's name of the dtype ("float32").
constexpr std::string_view name_of(dtype t) {
    constexpr std::string_view names[] = {
#define FRIT_X(name, type, kind, text) text,
        FRIT_DTYPES(FRIT_X)
#undef FRIT_X
    };
    return names[static_cast<int>(t)];
}

/// Whether it is a floating type.
constexpr bool is_float(dtype t) { return kind_of(t) == dtype_kind::floating; }
/// Whether it is a complex type.
constexpr bool is_complex(dtype t) { return t == dtype::c64 || t == dtype::c128; }
/// The dtype of a complex number's parts; of any other one, itself.
constexpr dtype real_dtype(dtype t) { return t == dtype::c64 ? dtype::f32 : t == dtype::c128 ? dtype::f64 : t; }
/// The dtype of complex numbers whose parts are of t, a floating one: complex64 of those narrower than float64.
constexpr dtype complex_dtype(dtype t) { return t == dtype::f64 || t == dtype::c128 ? dtype::c128 : dtype::c64; }
/// Whether it is an integer type; bool is none.
constexpr bool is_integer(dtype t) {
    return kind_of(t) == dtype_kind::integer || kind_of(t) == dtype_kind::unsigned_integer;
}

/// True for the dtypes that an array may have.
constexpr bool is_supported(dtype t) {
#define FRIT_X(name, type) \
    if (t == dtype::name) return true;
    FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
    return false;
}
/// Whether it is a 16-bit floating type: stored as it is, computed with as float32.
constexpr bool is_short(dtype t) { return t == dtype::f16 || t == dtype::bf16; }
/// Whether the bits of one are those of some value of the other: numbers of one size, not complex and not bool.
constexpr bool shares_bits(dtype a, dtype b) {
    const auto is_real = [](dtype t) { return is_integer(t) || is_float(t); };
    return is_real(a) && is_real(b) && size_of(a) == size_of(b);
}
/// The dtype that values of t are computed with.
constexpr dtype register_dtype(dtype t) { return is_short(t) ? dtype::f32 : t; }

namespace detail {
/// False, once the T... are known: in a static_assert that says what to write in the place of what was called.
template <class... T>
inline constexpr bool never = false;

template <class T>
struct dtype_of_impl {};
#define FRIT_X(name, type, kind, text)              \
    template <>                                     \
    struct dtype_of_impl<type> {                    \
        static constexpr dtype value = dtype::name; \
    };
FRIT_DTYPES(FRIT_X)
#undef FRIT_X
// long and long long are the same width here: the one that int64_t is not still means i64.
template <>
struct dtype_of_impl<std::conditional_t<std::is_same_v<std::int64_t, long>, long long, long>> {
    static constexpr dtype value = dtype::i64;
};
template <>
struct dtype_of_impl<std::conditional_t<std::is_same_v<std::uint64_t, unsigned long>, unsigned long long, unsigned long>> {
    static constexpr dtype value = dtype::u64;
};
template <dtype D>
struct cpp_type_impl;
#define FRIT_X(name, ctype, kind, text) \
    template <>                         \
    struct cpp_type_impl<dtype::name> { \
        using type = ctype;             \
    };
FRIT_DTYPES(FRIT_X)
#undef FRIT_X
}  // namespace detail

/// The dtype of a C++ type: dtype_of<float> == dtype::f32.
template <class T>
inline constexpr dtype dtype_of = detail::dtype_of_impl<std::remove_cv_t<T>>::value;

/// The C++ type of a dtype.
template <dtype D>
using cpp_type = typename detail::cpp_type_impl<D>::type;

/// A C++ type that an array may hold.
template <class T>
concept element = requires {
    detail::dtype_of_impl<std::remove_cv_t<T>>::value;
}
&&is_supported(dtype_of<T>);

namespace detail {
/// In the place of a formula's dtype where only running tells: one of its operands is an any_array. No elements are of it.
inline constexpr dtype run_time = static_cast<dtype>(0xff);
}  // namespace detail

/// NumPy 2's promotion of two array dtypes.
/// Source: NumPy 2 user guide, "Data type promotion in NumPy"; int64 with float32 is float64, as there.
constexpr dtype promote(dtype a, dtype b) {
    if (a == b) return a;
    if (a == detail::run_time || b == detail::run_time) return detail::run_time;
    const dtype_kind ka = kind_of(a), kb = kind_of(b);
    if (ka == dtype_kind::boolean) return b;
    if (kb == dtype_kind::boolean) return a;
    if (ka > kb) return promote(b, a);  // from here on ka <= kb
    if (ka == kb) {
        if (ka == dtype_kind::floating && size_of(a) == 2 && size_of(b) == 2) return dtype::f32;  // f16 with bf16
        return size_of(a) > size_of(b) ? a : b;
    }
    if (kb == dtype_kind::unsigned_integer) {  // signed with unsigned: the next wider signed type, at last f64
        if (size_of(a) > size_of(b)) return a;
        switch (size_of(b)) {
            case 1: return dtype::i16;
            case 2: return dtype::i32;
            case 4: return dtype::i64;
            default: return dtype::f64;
        }
    }
    if (kb == dtype_kind::floating) {  // an integer needs a mantissa that holds it
        const std::size_t need = size_of(a);
        if (need == 1) return b;
        if (need == 2) return size_of(b) > 2 ? b : dtype::f32;
        return dtype::f64;
    }
    // kb is complex
    const bool wide = b == dtype::c128 || a == dtype::f64 || (is_integer(a) && size_of(a) > 2);
    return wide ? dtype::c128 : dtype::c64;
}

/// The floating dtype that functions like sin give an operand: floats stay, 8- and 16-bit integers and bool become
/// float32, wider integers float64.
constexpr dtype to_floating(dtype t) {
    if (t == detail::run_time || kind_of(t) >= dtype_kind::floating) return t;
    return size_of(t) <= 2 ? dtype::f32 : dtype::f64;
}

/// The dtype of a sum: bool and signed integers add up in int64, unsigned in uint64, the others in their own.
constexpr dtype sum_dtype(dtype t) {
    if (t == detail::run_time) return t;
    if (kind_of(t) == dtype_kind::unsigned_integer) return dtype::u64;
    return kind_of(t) <= dtype_kind::integer ? dtype::i64 : t;
}

}  // namespace frit::v0
