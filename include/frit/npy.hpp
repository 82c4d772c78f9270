// NumPy's .npy files, read and written: on disk, in memory, and in streams. The format, versions 1.0 to 3.0, is described
// in NumPy's manual, "numpy.lib.format".
#pragma once

#include <cstddef>
#include <iosfwd>
#include <span>
#include <string>

#include "frit/any_array.hpp"
#include "frit/array.hpp"
#include "frit/view.hpp"

namespace frit::inline v0 {

namespace detail {
/// The dtype: the one that is wanted, or run_time for the file's.
FRIT_API any_array load_npy(const std::string& path, dtype, source_line);
FRIT_API any_array load_npy(std::istream& from, dtype, source_line);
FRIT_API any_array load_npy(std::span<const std::byte> bytes, dtype, source_line);
FRIT_API void save_npy(const std::string& path, node_head*, source_line);
FRIT_API void save_npy(std::ostream& to, node_head*, source_line);
}  // namespace detail

/// Reads a .npy file of any byte order and of C's or Fortran's (as a view of the transpose) to the default device.
/// The file's dtype must be T, or one that array<T> takes without a cast (NumPy's "safe" casting): int32 as double, but not
/// int64 as float or double as float.
///
/// ```cpp
/// frit::save_npy("squares.npy", frit::arange(4) * frit::arange(4));
/// const auto squares = frit::load_npy<double>("squares.npy");
/// std::cout << squares << "\n";
/// try {
///     frit::load_npy<bool>("squares.npy");
/// } catch (const frit::dtype_error& e) {
///     std::cout << e.what() << "\n";
/// }
/// std::remove("squares.npy");
/// ```
/// ```text
/// [0. 1. 4. 9.]
/// load_npy: squares.npy holds int32, which array<bool> takes only with a cast [include/frit/npy.hpp:...]
/// ```
///
/// @throws io_error naming the file and the reason: it cannot be read, is no .npy file, is damaged, cut short, or longer
/// than its array, or holds what is no dtype of frit (objects, texts, records)
/// @throws dtype_error naming both dtypes
template <element T>
array<T> load_npy(const std::string& path, source_line where = {}) {
    return detail::load_npy(path, dtype_of<T>, where).template as<T>(where);
}
/// The same from a binary stream, which is left behind the array: what follows may be the next one.
///
/// ```cpp
/// std::stringstream both;
/// frit::save_npy(both, frit::linspace(0.0, 1.0, 3));
/// frit::save_npy(both, frit::array<bool>{true, false});
/// const auto x = frit::load_npy<double>(both);
/// const auto mask = frit::load_npy<bool>(both);
/// std::cout << x << " " << mask << "\n";
/// ```
/// ```text
/// [0.  0.5 1. ] [ True False]
/// ```
template <element T>
array<T> load_npy(std::istream& from, source_line where = {}) {
    return detail::load_npy(from, dtype_of<T>, where).template as<T>(where);
}
/// The same from the bytes of a file.
template <element T>
array<T> load_npy(std::span<const std::byte> bytes, source_line where = {}) {
    return detail::load_npy(bytes, dtype_of<T>, where).template as<T>(where);
}

/// Reads a .npy file of any dtype. Errors as above.
///
/// ```cpp
/// frit::save_npy("x.npy", frit::array<short>{1, 2, 3});
/// const frit::any_array x = frit::load_npy("x.npy");
/// std::cout << name_of(x.dtype()) << " " << mean(x) << "\n";
/// std::remove("x.npy");
/// ```
/// ```text
/// int16 2.0
/// ```
inline any_array load_npy(const std::string& path, source_line where = {}) {
    return detail::load_npy(path, detail::run_time, where);
}
/// The same from a binary stream, which is left behind the array.
inline any_array load_npy(std::istream& from, source_line where = {}) {
    return detail::load_npy(from, detail::run_time, where);
}
/// The same from the bytes of a file.
inline any_array load_npy(std::span<const std::byte> bytes, source_line where = {}) {
    return detail::load_npy(bytes, detail::run_time, where);
}

/// Evaluates x and writes what numpy.save would (version 1.0, C's order). The file appears under its name whole or not at
/// all, and replaces what stood there.
/// @throws io_error naming the file and the reason
template <detail::operand A>
void save_npy(const std::string& path, const A& x, source_line where = {}) {
    detail::save_npy(path, detail::handle_of(x, where).get(), where);
}
/// The same to a binary stream.
template <detail::operand A>
void save_npy(std::ostream& to, const A& x, source_line where = {}) {
    detail::save_npy(to, detail::handle_of(x, where).get(), where);
}

}  // namespace frit::v0
