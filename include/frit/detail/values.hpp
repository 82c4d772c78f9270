// Values in braces: array<float>{{1, 2}, {3, 4}}, any_array{1.5, 2.5}. ONE recursive type, since three constructors that
// take initializer lists of rank 1, 2 and 3 are ambiguous.
#pragma once

#include <initializer_list>
#include <type_traits>
#include <vector>

#include "frit/detail/recipe.hpp"
#include "frit/detail/record.hpp"
#include "frit/detail/scalar.hpp"

namespace frit::inline v0::detail {

/// Numbers that stand for a T in braces: what may be written into one.
template <class U, class T>
concept value_of = element<T> && scalar<U> && may_write({true, default_dtype<std::remove_cvref_t<U>>()}, dtype_of<T>);

/// A number in the braces of an any_array, and the dtype that it has by itself.
struct any_number {
    weak_number number{false};
    dtype own = dtype::bool_;
};

/// Without a warning in the caller's code: where an integer becomes a part of a complex number, that is meant.
template <element T, class U>
T element_of_number(U v) {
    if constexpr (complex_scalar<T> && cpp_number<U>)
        return T(static_cast<typename T::value_type>(v));
    else
        return static_cast<T>(v);
}

/// One number or one braced list, of elements T or of any_number. Lives only as long as the braces do.
template <class T>
class values {
public:
    template <scalar U>
    requires std::same_as<T, any_number> values(U v)
        : number_{v, default_dtype<std::remove_cvref_t<U>>()}, is_number_(true) {}
    template <value_of<T> U>
    values(U v) : number_(element_of_number<T>(v)), is_number_(true) {
        if constexpr (cpp_number<U>) bits_ = scalar_to_bits<dtype_of<T>>(v);
    }
    values(std::initializer_list<values> rows) : rows_(rows) {}

    static frit::shape shape_of(std::initializer_list<values> rows, source_line where) {
        frit::shape s(rows.size(), where);
        if (rows.size() != 0 && !rows.begin()->is_number_)
            for (std::int64_t extent : shape_of(rows.begin()->rows_, where)) s.push_back(extent, where);
        return s;
    }
    /// Appends all numbers. @throws shape_error where a list does not have the shape of its siblings
    static void flatten(std::initializer_list<values> rows, const frit::shape& s, int axis, std::vector<cell<T>>& to,
                        source_line where) {
        if (static_cast<std::int64_t>(rows.size()) != s[axis]) throw_ragged(s, where);
        for (const values& row : rows) {
            if (row.is_number_ != (axis + 1 == s.rank())) throw_ragged(s, where);
            if (!row.is_number_)
                flatten(row.rows_, s, axis + 1, to, where);
            else
                to.push_back({row.checked_number(where)});
        }
    }

private:
    /// @throws dtype_error for an integer that T does not hold
    const T& checked_number(source_line where) const {
        if constexpr (element<T>)
            if (bits_.high != 0) throw_scalar_range(bits_, dtype_of<T>, where);
        return number_;
    }
    T number_{};
    scalar_bits bits_;  // they know whether the number fits
    std::initializer_list<values> rows_;
    bool is_number_ = false;
};

template <element T>
handle_ref from_values(std::initializer_list<values<T>> list, source_line where) {
    const frit::shape s = values<T>::shape_of(list, where);
    std::vector<cell<T>> flat;
    or_out_of_memory("array", where, [&] { values<T>::flatten(list, s, 0, flat, where); });
    return handle_ref(from_host(flat.data(), dtype_of<T>, s, where));
}

/// The same of the dtype that all numbers promote to.
FRIT_API handle_ref from_numbers(std::initializer_list<values<any_number>> list, source_line where);

}  // namespace frit::v0::detail
