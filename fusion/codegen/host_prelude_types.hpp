// What lanes are made of, whatever a vector of them is: the first part of the prelude. The rules of host_prelude.hpp hold
// here too.
namespace fn {

#define FRIT_INLINE inline __attribute__((always_inline))

typedef __INT8_TYPE__ i8;
typedef __INT16_TYPE__ i16;
typedef __INT32_TYPE__ i32;
typedef __INT64_TYPE__ i64;
typedef __UINT8_TYPE__ u8;
typedef __UINT16_TYPE__ u16;
typedef __UINT32_TYPE__ u32;
typedef __UINT64_TYPE__ u64;
typedef float f32;
typedef double f64;

/// N lanes of a dtype as the machine's, or a printer's, vectors.
template <class T, int N>
struct lanes;
template <int Bytes>
struct integer_of;
template <>
struct integer_of<1> {
    typedef i8 type;
    typedef u8 u;
};
template <>
struct integer_of<2> {
    typedef i16 type;
    typedef u16 u;
};
template <>
struct integer_of<4> {
    typedef i32 type;
    typedef u32 u;
};
template <>
struct integer_of<8> {
    typedef i64 type;
    typedef u64 u;
};

/// N numbers.
template <class T, int N>
struct vec {
    typename lanes<T, N>::type v;
};
/// N truth values: lanes of all ones or all zeros, as wide as what was compared. In memory a bool is one byte, 0 or 1.
template <class I, int N>
struct mask {
    typename lanes<I, N>::type v;
};
template <class T, int N>
using mask_of = mask<typename integer_of<sizeof(T)>::type, N>;

template <class T>
constexpr bool is_floating = (T)0.5 != (T)0;
template <class T>
constexpr bool is_signed = (T)-1 < (T)0;

}  // namespace fn
