// Arrays whose dtype is known at run time, from nothing, from numbers in braces and from host memory: the typed functions of
// create.hpp, found by the dtype.
#include "frit/create.hpp"

#include <bit>
#include <string>
#include <vector>

#include "src/base/errors.hpp"
#include "src/formulas/values.hpp"

namespace frit::inline v0 {
namespace detail {

void check_dtype(std::string_view who, dtype type, source_line where) {
    if (is_supported(type)) return;
    throw dtype_error(std::string(who) + ": arrays have no dtype of the number " + std::to_string(static_cast<int>(type)) +
                      place(where));
}

namespace {

/// f of the dtype's element type.
template <class F>
any_array with_element(dtype type, F&& f) {
    switch (type) {
#define FRIT_X(name, ctype) \
    case dtype::name: return f.template operator()<ctype>();
        FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
        default: return {};
    }
}

/// f of a number as what it is.
template <class F>
auto with_number(const weak_number& n, F&& f) {
    switch (n.type) {
        case dtype::bool_: return f(n.bits.low != 0);
        case dtype::i64: return f(static_cast<std::int64_t>(n.bits.low));
        case dtype::u64: return f(n.bits.low);
        case dtype::c128: return f(std::complex(std::bit_cast<double>(n.bits.low), std::bit_cast<double>(n.imag.low)));
        default: return f(std::bit_cast<double>(n.bits.low));
    }
}
/// As C++ converts it; a complex one only to complex numbers.
template <element T>
T number_as(const weak_number& n) {
    return with_number(n, [](auto x) {
        if constexpr (complex_scalar<decltype(x)> && !complex_scalar<T>)
            return T{};
        else
            return element_of_number<T>(x);
    });
}

/// @throws dtype_error for complex numbers where real ones are asked for
void check_real_numbers(std::string_view who, std::initializer_list<weak_number> numbers, dtype type, source_line where) {
    if (is_complex(type)) return;
    for (const weak_number& n : numbers)
        if (is_complex(n.type)) throw_dtype_error(who, "takes real numbers", {&type, 1}, where);
}

std::int64_t steps_between(const weak_number& start, const weak_number& stop, const weak_number& step, dtype type,
                           source_line where) {
    const auto whole = [](const weak_number& n) { return kind_of(n.type) < dtype_kind::floating; };
    if (is_integer(type) && !(whole(start) && whole(step)))
        throw_dtype_error("arange", "integers start at an integer and take integer steps", {&type, 1}, where);
    if (whole(start) && whole(stop) && whole(step)) {
        const auto number = [](const weak_number& n) {
            return n.type == dtype::i64 ? whole_number(static_cast<std::int64_t>(n.bits.low)) : whole_number(n.bits.low);
        };
        return count_steps(number(start), number(stop), number(step), type, where);
    }
    return count_steps(number_as<double>(start), number_as<double>(stop), number_as<double>(step), where);
}

}  // namespace

handle_ref from_numbers(std::initializer_list<values<any_number>> list, source_line where) {
    return or_out_of_memory("any_array", where, [&] {
        const shape s = values<any_number>::shape_of(list, where);
        std::vector<cell<any_number>> flat;
        values<any_number>::flatten(list, s, 0, flat, where);
        dtype type = flat.empty() ? dtype::f64 : flat[0].value.own;
        for (const cell<any_number>& n : flat) type = promote(type, n.value.own);
        return with_element(type,
                            [&]<class T>() {
                                std::vector<cell<T>> converted;
                                for (const cell<any_number>& n : flat) converted.push_back({number_as<T>(n.value.number)});
                                return any_array(handle_ref(from_host(converted.data(), type, s, where)));
                            })
            .handle();
    });
}

any_array full_of(const char* who, const shape& extents, const weak_number& value, dtype type, source_line where) {
    check_dtype(who, type, where);
    return or_out_of_memory(who, where, [&] {
        const detail::value number(constant_of(value, type, where, who));
        return any_array(make_view(number, broadcast_attribute(shape(), extents, where)), where);
    });
}

}  // namespace detail

any_array from_host(const void* data, const shape& extents, dtype type, source_line where) {
    detail::check_dtype("from_host", type, where);
    return any_array(detail::handle_ref(detail::from_host(data, type, extents, where)));
}

any_array empty(const shape& extents, dtype type, source_line where) {
    detail::check_dtype("empty", type, where);
    if (type == dtype::bool_) return empty<bool>(extents, where);
    return any_array(detail::handle_ref(detail::from_nothing(type, extents, where)));
}

any_array arange(const detail::weak_number& start, const detail::weak_number& stop, const detail::weak_number& step,
                 dtype type, source_line where) {
    detail::check_dtype("arange", type, where);
    if (type == dtype::bool_ || is_complex(type))
        detail::throw_dtype_error("arange", "makes integers and floating numbers", {&type, 1}, where);
    detail::check_real_numbers("arange", {start, stop, step}, type, where);
    const std::int64_t count = detail::steps_between(start, stop, step, type, where);
    return detail::with_element(type, [&]<class T>() -> any_array {
        if constexpr (detail::cpp_number<T> && !std::is_same_v<T, bool>)
            return detail::range<T>(count, detail::number_as<T>(start), count > 1 ? detail::number_as<T>(step) : T{}, where);
        else
            return {};
    });
}

any_array linspace(const detail::weak_number& start, const detail::weak_number& stop, detail::any_integer number, dtype type,
                   source_line where) {
    detail::check_dtype("linspace", type, where);
    if (!is_float(type) && !is_complex(type))
        detail::throw_dtype_error("linspace", "makes floating and complex numbers", {&type, 1}, where);
    detail::check_real_numbers("linspace", {start, stop}, type, where);
    return detail::with_element(type, [&]<class T>() -> any_array {
        if constexpr (std::is_integral_v<T>)
            return {};
        else
            return linspace(detail::number_as<T>(start), detail::number_as<T>(stop), number, where);
    });
}

any_array eye(detail::any_integer rows, detail::any_integer columns, detail::any_integer k, dtype type, source_line where) {
    detail::check_dtype("eye", type, where);
    return detail::with_element(type,
                                [&]<class T>() -> any_array { return any_array(eye<T>(rows, columns, k, where), where); });
}

}  // namespace frit::v0
