// Values in braces: array<float>{{1, 2}, {3, 4}}. ONE recursive type, since three constructors that take initializer lists
// of rank 1, 2 and 3 are ambiguous.
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
concept value_of = scalar<U> && may_write({true, default_dtype<std::remove_cvref_t<U>>()}, dtype_of<T>);

/// Without a warning in the caller's code: where an integer becomes a part of a complex number, that is meant.
template <element T, class U>
T element_of_number(U v) {
    if constexpr (complex_scalar<T> && cpp_number<U>)
        return T(static_cast<typename T::value_type>(v));
    else
        return static_cast<T>(v);
}

/// One number or one braced list. Lives only as long as the braces do.
template <element T>
class values {
public:
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
            else if (row.bits_.high != 0)
                throw_scalar_range(row.bits_, dtype_of<T>, where);
            else
                to.push_back({row.number_});
        }
    }

private:
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

}  // namespace frit::v0::detail
