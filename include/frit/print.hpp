// Printing as NumPy 2 prints, and the options that NumPy has for it, under NumPy's names. Only names of streams are needed
// here: the text is made in the library.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>

#include "frit/array.hpp"
#include "frit/device.hpp"
#include "frit/dtype.hpp"
#include "frit/shape.hpp"

namespace frit::inline v0 {

/// How many digits of a float are shown.
enum class float_mode : std::uint8_t {
    fixed,          ///< exactly `precision` digits after the point
    unique,         ///< as many as tell the number from its neighbours; `precision` is not looked at
    maxprec,        ///< the same, but at most `precision`
    maxprec_equal,  ///< the same, and equally many for all elements
};

/// NumPy's printing options; what is not given stays as it is.
struct printoptions {
    std::optional<int> precision = {};           ///< digits after the point, 0 to 1,074 (8)
    std::optional<std::int64_t> threshold = {};  ///< more elements than this are summarised (1,000)
    std::optional<int> edgeitems = {};           ///< elements of a summary at each end of an axis, at least 1 (3)
    std::optional<int> linewidth = {};           ///< characters in a line (75)
    std::optional<bool> suppress = {};           ///< no exponents because of small numbers (false)
    std::optional<std::string> nanstr = {};      ///< how NaN is printed ("nan")
    std::optional<std::string> infstr = {};      ///< how infinity is printed ("inf")
    std::optional<char> sign = {};  ///< '-': of negative numbers only; '+': of all; ' ': a space instead of + ('-')
    std::optional<float_mode> floatmode = {};  ///< see float_mode (maxprec)
};

/// Changes the options that are given, for the process; while this thread has a scoped_printoptions, in that one alone.
/// @throws frit::error naming the option that is out of its range; nothing is changed then
FRIT_API void set_printoptions(const printoptions& changes, source_line where = {});
/// The options as this thread's printing uses them, every one set.
FRIT_API printoptions get_printoptions();

/// Options for this thread until the end of a scope.
///
/// ```cpp
/// const frit::array<double> x{1.0 / 3, 200, 1e-9};
/// std::cout << x << "\n";
/// const frit::scoped_printoptions plain({.precision = 3, .suppress = true});
/// std::cout << x << "\n";
/// ```
/// ```text
/// [3.33333333e-01 2.00000000e+02 1.00000000e-09]
/// [  0.333 200.      0.   ]
/// ```
///
/// Guards of one thread end in the opposite order of their beginning.
class FRIT_API scoped_printoptions {
public:
    /// @throws as set_printoptions
    explicit scoped_printoptions(const printoptions& changes, source_line where = {});
    scoped_printoptions(const scoped_printoptions&) = delete;
    scoped_printoptions& operator=(const scoped_printoptions&) = delete;
    ~scoped_printoptions();

private:
    printoptions here_;
    printoptions* outer_;
};

/// Evaluates x and prints it as NumPy prints: str(x).
///
/// ```cpp
/// const frit::array<int> x = frit::arange<int>(0, 2000).reshape({2, 1000});
/// std::cout << x << "\n" << (x(0, frit::slice(0, 4)) > 1) << "\n" << frit::scalar(0.1F) << "\n";
/// ```
/// ```text
/// [[   0    1    2 ...  997  998  999]
///  [1000 1001 1002 ... 1997 1998 1999]]
/// [False False  True  True]
/// 0.1
/// ```
template <detail::operand A>
std::ostream& operator<<(std::ostream& to, const A& x) {
    return detail::print(to, detail::handle_of(x, detail::unknown_line).get());
}
/// The same text. Of a large array on a device, only the elements that are shown are copied from there.
template <detail::operand A>
std::string to_string(const A& x, source_line where = {}) {
    return detail::print(detail::handle_of(x, where).get());
}

/// The shape as NumPy prints it, "(2, 3)".
FRIT_API std::ostream& operator<<(std::ostream& to, const shape& extents);
/// The dtype's name, "float32".
FRIT_API std::ostream& operator<<(std::ostream& to, dtype type);
/// The device's name, "cuda:0".
FRIT_API std::ostream& operator<<(std::ostream& to, device d);

}  // namespace frit::v0
