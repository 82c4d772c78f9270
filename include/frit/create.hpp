// Arrays from nothing and from host memory. What a formula can say costs no memory: zeros, arange, eye ... are lazy programs
// of scalars and coordinates that fuse into whoever reads them. Only empty is memory at once.
#pragma once

#include <concepts>
#include <cstdint>
#include <iterator>
#include <span>
#include <type_traits>
#include <utility>

#include "frit/any_array.hpp"
#include "frit/array.hpp"
#include "frit/detail/attributes.hpp"
#include "frit/ops.hpp"

namespace frit::inline v0 {

namespace detail {
/// A number as a recipe of rank 0.
template <element T>
auto number_recipe(T value) {
    return number_child<dtype_of<T>>(value);
}
/// The index along one axis of `domain`, int64.
inline auto coordinate(const shape& domain, int axis) {
    return make_as<op::coord, dtype::i64, dtype::i64>(attribute_child{coord_attribute(domain, axis)});
}
/// start, start + step, ... in T: the coordinate is converted first, as NumPy's arange does; to float32 where T is 16-bit.
template <element T>
auto steps(std::int64_t count, T start, T step, source_line where) {
    using C = cpp_type<register_dtype(dtype_of<T>)>;
    return cast<C>(coordinate(shape(count, where), 0)) * static_cast<C>(step) + static_cast<C>(start);
}
/// `count` of them, as an array.
template <element T>
array<T> range(std::int64_t count, T start, T step, source_line where) {
    return array<T>(cast<T>(steps(count, start, step, where)), where);
}
/// An integer of any C++ type.
struct whole_number {
    std::uint64_t bits;  ///< two's complement
    bool negative;
    template <std::integral I>
    constexpr explicit whole_number(I i) : bits(static_cast<std::uint64_t>(i)), negative(i < I{}) {}
};
/// How many elements arange makes. @throws index_error for a step of 0, shape_error where the number is not finite,
/// dtype_error where `type` is of integers and the first or the last element is none of its
FRIT_API std::int64_t count_steps(double start, double stop, double step, source_line);
FRIT_API std::int64_t count_steps(whole_number start, whole_number stop, whole_number step, dtype type, source_line);
FRIT_API void check_count(std::int64_t given, const shape& wanted, source_line);

template <class R>
concept contiguous_elements = requires(const R& r) {
    requires element<std::remove_cvref_t<decltype(*std::data(r))>>;
    std::size(r);
}
&&!requires(const R& r) { r.outerStride(); };  // an Eigen matrix: column-major, see eigen.hpp
}  // namespace detail

/// Copies size() elements, row-major, to the default device.
template <element T>
array<T> from_host(const T* data, const shape& extents, source_line where = {}) {
    return array<T>(detail::handle_ref(detail::from_host(data, dtype_of<T>, extents, where)));
}
/// The same from any contiguous range. @throws shape_error unless it has exactly as many elements as the shape
template <detail::contiguous_elements R>
auto from_host(const R& range, const shape& extents, source_line where = {}) {
    detail::check_count(static_cast<std::int64_t>(std::size(range)), extents, where);
    return from_host(std::data(range), extents, where);
}
/// The same, of rank 1.
template <detail::contiguous_elements R>
auto from_host(const R& range) {
    return from_host(std::data(range), shape(std::size(range), detail::unknown_line), detail::unknown_line);
}

/// size() elements of this dtype, row-major, bools as bytes 0 and 1: the same where the dtype is known at run time.
/// @throws dtype_error for a dtype that there is not
FRIT_API any_array from_host(const void* data, const shape& extents, dtype, source_line where = {});

namespace detail {
/// What keeps borrowed memory: not an extent, a stride or a source line that strayed here.
template <class O>
concept memory_owner = !std::convertible_to<O, shape> && !std::convertible_to<O, int_list> &&
                       !std::same_as<O, source_line> && !std::same_as<O, dtype>;
/// A container of integers that is moved in: it may be meant to be kept, or to say strides.
template <class O>
concept owner_or_strides = std::is_class_v<O> && !memory_owner<O> && !std::derived_from<O, integers> &&
                           !std::same_as<O, source_line> && !std::ranges::enable_borrowed_range<O>;

template <class Owner>
handle_ref borrow_kept(const void* data, dtype type, const shape& extents, Owner owner, const int_list& strides,
                       source_line where) {
    auto* keep = or_out_of_memory("borrow", where, [&] { return new Owner(std::move(owner)); });
    try {
        return handle_ref(borrow(
            data, type, extents, {strides.begin(), strides.end()}, keep, [](void* p) { delete static_cast<Owner*>(p); },
            where));
    } catch (...) {
        delete keep;
        throw;
    }
}
}  // namespace detail

/// The caller's memory as an array, without a copy and never written. `owner` (a shared_ptr, say) is kept until nobody reads
/// the memory any more; strides count elements, and may be 0 or negative.
/// @throws shape_error unless there is a stride for each axis, and where they lead out of the address space; error for
///         elements at a null pointer
template <element T, class Owner>
requires(!std::same_as<Owner, dtype>) array<T> borrow(const T* data, const shape& extents, Owner owner,
                                                      const int_list& strides, source_line where = {}) {
    return array<T>(detail::borrow_kept(data, dtype_of<T>, extents, std::move(owner), strides, where));
}
/// The same, row-major.
template <element T, detail::memory_owner Owner>
array<T> borrow(const T* data, const shape& extents, Owner owner, source_line where = {}) {
    return borrow(data, extents, std::move(owner), int_list(), where);
}
/// The same without an owner, as of a span: the memory must stay, and stay as it is, until nobody reads it any more; pending
/// formulas are readers.
template <element T>
array<T> borrow(const T* data, const shape& extents, const int_list& strides, source_line where = {}) {
    return borrow(data, extents, nullptr, strides, where);
}
/// The same, row-major.
template <element T>
array<T> borrow(const T* data, const shape& extents, source_line where = {}) {
    return borrow(data, extents, nullptr, int_list(), where);
}
template <element T, std::integral Number>
array<T> borrow(const T*, const shape&, Number, source_line = {}) = delete;  // neither an owner nor a list of strides
template <element T, detail::owner_or_strides List>
array<T> borrow(const T*, const shape&, List&&,
                source_line = {}) = delete;  // strides: name the list; an owner: name strides too

/// The same where the dtype is known at run time; bools are bytes 0 and 1.
/// @throws dtype_error for a dtype that there is not
template <class Owner>
any_array borrow(const void* data, const shape& extents, dtype type, Owner owner, const int_list& strides,
                 source_line where = {}) {
    detail::check_dtype("borrow", type, where);
    return any_array(detail::borrow_kept(data, type, extents, std::move(owner), strides, where));
}
/// The same, row-major.
template <detail::memory_owner Owner>
any_array borrow(const void* data, const shape& extents, dtype type, Owner owner, source_line where = {}) {
    return borrow(data, extents, type, std::move(owner), int_list(), where);
}
/// The same without an owner.
inline any_array borrow(const void* data, const shape& extents, dtype type, const int_list& strides = {},
                        source_line where = {}) {
    return borrow(data, extents, type, nullptr, strides, where);
}

/// A 0-d array of one number.
template <element T>
array<T> scalar(T value, source_line where = {}) {
    return array<T>(detail::number_recipe(value), where);
}
/// Every element is `value`.
template <element T>
array<T> full(const shape& extents, T value, source_line where = {}) {
    return array<T>(detail::make_view(detail::number_recipe(value), detail::broadcast_attribute(shape(), extents, where)),
                    where);
}
/// @cond
// Extents as arguments of their own, in the place of one shape; and no type, which other libraries guess:
// int_list, since shape would win against a user's function of any type that is called with a shape.
template <detail::scalar M, detail::scalar N, detail::scalar T, detail::scalar... More>
detail::hint<"frit: a shape is one argument: write full({3, 4}, 7.0), with braces"> full(M, N, T, More...) = delete;
#define FRIT_SHAPE_IN_BRACES(name)                                                                                    \
    template <element T, detail::integral_number M, detail::integral_number N, detail::integral_number... More>       \
    detail::hint<"frit: a shape is one argument: write " #name "<double>({3, 4}), with braces"> name(M, N, More...) = \
        delete;
#define FRIT_NAME_THE_TYPE(name)                                                                                            \
    template <std::same_as<void> T = void>                                                                                  \
    detail::hint<"frit: the type of the elements must be named: write " #name "<double>(...)"> name(const int_list&, ...) = \
        delete;
FRIT_SHAPE_IN_BRACES(zeros)
FRIT_SHAPE_IN_BRACES(ones)
FRIT_SHAPE_IN_BRACES(empty)
FRIT_NAME_THE_TYPE(zeros)
FRIT_NAME_THE_TYPE(ones)
FRIT_NAME_THE_TYPE(empty)
FRIT_NAME_THE_TYPE(eye)
#undef FRIT_SHAPE_IN_BRACES
#undef FRIT_NAME_THE_TYPE
/// @endcond

/// Zeros of this shape.
template <element T>
array<T> zeros(const shape& extents, source_line where = {}) {
    return full(extents, T{0}, where);
}

/// Ones of this shape.
template <element T>
array<T> ones(const shape& extents, source_line where = {}) {
    return full(extents, T{1}, where);
}

/// Memory of this shape that nobody has written, on the default device: a stored array whose elements are whatever stood
/// there, for a program that assigns to all its parts. Reading them is no error. Of bool they are false: a byte that is
/// neither true nor false would be no bool.
///
/// ```cpp
/// frit::array<double> rows = frit::empty<double>({2, 3});
/// rows(0) = 1.0;
/// rows(1) = frit::arange(3.0);
/// std::cout << rows << "\n";
/// ```
/// ```text
/// [[1. 1. 1.]
///  [0. 1. 2.]]
/// ```
///
/// @throws out_of_memory
template <element T>
array<T> empty(const shape& extents, source_line where = {}) {
    if constexpr (dtype_of<T> == dtype::bool_)
        return zeros<T>(extents, where).eval(where);
    else
        return array<T>(detail::handle_ref(detail::from_nothing(dtype_of<T>, extents, where)));
}

/// start, start + step, ... before stop: of dtype T, or of start's where none is named. The bounds may be numbers of any
/// type: arange<std::uint8_t>(0, 256) has 256 elements.
/// @throws index_error for a step of 0, dtype_error for an integer T that does not hold all elements
template <class T = void, detail::scalar A, detail::scalar B, detail::scalar C = int>
requires(!std::same_as<T, bool>) auto arange(A start, B stop, C step = 1, source_line where = {}) {
    using E = std::conditional_t<std::is_void_v<T>, A, T>;
    static_assert(detail::cpp_number<E> && element<E>, "frit: arange makes integers and floating numbers");
    static_assert(
        !std::is_integral_v<E> || (std::is_integral_v<A> && std::is_integral_v<C>),
        "frit: arange of integers starts at an integer and takes integer steps: name the dtype, arange<double>(...)");
    std::int64_t count = 0;
    if constexpr (std::is_integral_v<A> && std::is_integral_v<B> && std::is_integral_v<C>) {
        using detail::whole_number;
        count = detail::count_steps(whole_number(start), whole_number(stop), whole_number(step), dtype_of<E>, where);
    } else {
        count = detail::count_steps(static_cast<double>(start), static_cast<double>(stop), static_cast<double>(step), where);
    }
    const E stride = count > 1 ? static_cast<E>(step) : E{};  // wraps: -1 is fine; one element takes no step, be it infinite
    return detail::range(count, static_cast<E>(start), stride, where);
}
/// 0, 1, ... before stop.
template <class T = void, detail::scalar B>
requires(!std::same_as<T, bool>) auto arange(B stop, source_line where = {}) {
    return arange<std::conditional_t<std::is_void_v<T>, B, T>>(0, stop, 1, where);
}

/// `number` numbers from start to stop, both included; integers give double.
template <detail::scalar T>
auto linspace(T start, std::type_identity_t<T> stop, detail::any_integer number, source_line where = {}) {
    using F = cpp_type<to_floating(detail::default_dtype<T>())>;
    const std::int64_t count = number;
    using C = cpp_type<register_dtype(dtype_of<F>)>;  // what it is computed in
    const C first = static_cast<C>(start), last = static_cast<C>(count == 1 ? start : stop);
    const C step = count > 1 ? (last - first) / static_cast<C>(count - 1) : C{0};
    const auto index = detail::coordinate(shape(count, where), 0);
    // The last element is exact, whatever start + i * step rounds to. The product is rounded, as NumPy's: so -9 + 5 * 1.8 is
    // 0.
    const auto further = detail::make<op::rounded_mul>(cast<C>(index), step);
    return array<F>(cast<F>(frit::where(index == count - 1, last, further + first)), where);
}

/// Ones on the k-th diagonal of `rows` x `columns`.
template <element T>
array<T> eye(detail::any_integer rows, detail::any_integer columns, detail::any_integer k = 0, source_line where = {}) {
    const shape domain({rows, columns}, where);
    return array<T>(cast<T>(detail::coordinate(domain, 0) + k.value == detail::coordinate(domain, 1)), where);
}
/// The n x n identity matrix.
template <element T>
array<T> eye(detail::any_integer n, source_line where = {}) {
    return eye<T>(n, n, 0, where);
}

/// Shape and dtype of x. The value is converted as an assignment converts it, which @throws dtype_error where it does not
/// fit.
template <detail::operand A>
auto full_like(const A& x, detail::weak_number value, source_line where = {}) {
    dtype type = detail::operand_t<A>::type;
    if constexpr (detail::run_time_operand<A>) type = detail::dtype_of_operand(x, where);
    const detail::leaf<detail::operand_t<A>::type> number(detail::constant_of(value, type, where, "full_like").get());
    return detail::holder_t<A>(detail::make_view(number, detail::broadcast_attribute(shape(), x.shape(where), where)),
                               where);
}
/// Zeros of the shape and dtype of x.
template <detail::operand A>
auto zeros_like(const A& x, source_line where = {}) {
    return full_like(x, false, where);
}
/// Ones of the shape and dtype of x.
template <detail::operand A>
auto ones_like(const A& x, source_line where = {}) {
    return full_like(x, true, where);
}
/// Memory of the shape and dtype of x that nobody has written, see empty.
template <detail::operand A>
auto empty_like(const A& x, source_line where = {}) {
    if constexpr (detail::run_time_operand<A>) {
        const dtype type = detail::dtype_of_operand(x, where);
        if (type == dtype::bool_) return any_array(zeros<bool>(x.shape(where), where).eval(where));
        return any_array(detail::handle_ref(detail::from_nothing(type, x.shape(where), where)));
    } else {
        return empty<typename A::value_type>(x.shape(where), where);
    }
}

namespace detail {
FRIT_API any_array full_of(const char* who, const shape& extents, const weak_number& value, dtype, source_line);
}

/// @name Of a dtype that is known at run time: what the function of the same name makes of its element type.
/// A number is converted as an assignment converts it.
/// @throws dtype_error for a dtype that there is not, or that does not hold the number
/// @{

/// One number everywhere.
///
/// ```cpp
/// const frit::dtype type = frit::dtype::u8;  // of a file, say
/// frit::any_array x = frit::zeros({2, 2}, type);
/// x(0) = frit::arange(1, 3, type);
/// std::cout << name_of(x.dtype()) << " " << x << "\n";
/// try {
///     x = frit::full({2, 2}, 256, type);
/// } catch (const frit::dtype_error& e) {
///     std::cout << e.what() << "\n";
/// }
/// ```
/// ```text
/// uint8 [[1 2]
///  [0 0]]
/// full: the integer 256 does not fit uint8; cast the array to a wider dtype [include/frit/create.hpp:...]
/// ```
inline any_array full(const shape& extents, const detail::weak_number& value, dtype type, source_line where = {}) {
    return detail::full_of("full", extents, value, type, where);
}
/// A 0-d array of one number.
inline any_array scalar(const detail::weak_number& value, dtype type, source_line where = {}) {
    return detail::full_of("scalar", shape(), value, type, where);
}
/// Zeros of this shape.
inline any_array zeros(const shape& extents, dtype type, source_line where = {}) {
    return detail::full_of("zeros", extents, false, type, where);
}
/// Ones of this shape.
inline any_array ones(const shape& extents, dtype type, source_line where = {}) {
    return detail::full_of("ones", extents, true, type, where);
}
/// Memory of this shape that nobody has written. @throws out_of_memory
FRIT_API any_array empty(const shape& extents, dtype, source_line where = {});
/// start, start + step, ... before stop. @throws index_error for a step of 0, dtype_error for bool and complex numbers, and
/// for integers that do not hold all elements, or whose start or step is none
FRIT_API any_array arange(const detail::weak_number& start, const detail::weak_number& stop, const detail::weak_number& step,
                          dtype, source_line where = {});
/// start, start + 1, ... before stop.
inline any_array arange(const detail::weak_number& start, const detail::weak_number& stop, dtype type,
                        source_line where = {}) {
    return arange(start, stop, 1, type, where);
}
/// 0, 1, ... before stop.
inline any_array arange(const detail::weak_number& stop, dtype type, source_line where = {}) {
    return arange(0, stop, 1, type, where);
}
/// `number` numbers from start to stop, both included. @throws dtype_error for bool and integers
FRIT_API any_array linspace(const detail::weak_number& start, const detail::weak_number& stop, detail::any_integer number,
                            dtype, source_line where = {});
/// Ones on the k-th diagonal of `rows` x `columns`.
FRIT_API any_array eye(detail::any_integer rows, detail::any_integer columns, detail::any_integer k, dtype,
                       source_line where = {});
/// On the main diagonal.
inline any_array eye(detail::any_integer rows, detail::any_integer columns, dtype type, source_line where = {}) {
    return eye(rows, columns, 0, type, where);
}
/// The n x n identity matrix.
inline any_array eye(detail::any_integer n, dtype type, source_line where = {}) { return eye(n, n, 0, type, where); }
/// The shape of x, in another dtype.
template <detail::operand A>
any_array full_like(const A& x, const detail::weak_number& value, dtype type, source_line where = {}) {
    return detail::full_of("full_like", x.shape(where), value, type, where);
}
/// The same of zeros.
template <detail::operand A>
any_array zeros_like(const A& x, dtype type, source_line where = {}) {
    return detail::full_of("zeros_like", x.shape(where), false, type, where);
}
/// The same of ones.
template <detail::operand A>
any_array ones_like(const A& x, dtype type, source_line where = {}) {
    return detail::full_of("ones_like", x.shape(where), true, type, where);
}
/// The same of memory that nobody has written, see empty.
template <detail::operand A>
any_array empty_like(const A& x, dtype type, source_line where = {}) {
    return empty(x.shape(where), type, where);
}
/// @}

}  // namespace frit::v0
