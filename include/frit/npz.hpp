// NumPy's .npz files: several named arrays in one, a zip archive of .npy files. Apart from frit.hpp, which goes without
// <map>.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "frit/any_array.hpp"
#include "frit/array.hpp"
#include "frit/npy.hpp"

namespace frit::inline v0 {

/// An array and its name in a file.
class named_array {
public:
    /// Of an array, of any_array too, or a recipe.
    template <detail::operand A>
    named_array(std::string name, const A& x, source_line where = {})
        : name_(std::move(name)), node_(detail::handle_of(x, where)) {}
    /// @cond
    const std::string& name() const noexcept { return name_; }
    detail::node_head* node() const noexcept { return node_.get(); }
    /// @endcond

private:
    std::string name_;
    detail::handle_ref node_;
};

namespace detail {
FRIT_API std::map<std::string, any_array> load_npz(const std::string& path, source_line);
FRIT_API std::map<std::string, any_array> load_npz(std::span<const std::byte> bytes, source_line);
FRIT_API any_array load_npz(const std::string& path, const std::string& name, dtype, source_line);
FRIT_API any_array load_npz(std::span<const std::byte> bytes, const std::string& name, dtype, source_line);
FRIT_API void save_npz(const std::string& path, std::span<const named_array>, source_line);
}  // namespace detail

/// Reads all arrays of a .npz file, by name, to the default device: what numpy.savez and numpy.savez_compressed write.
///
/// ```cpp
/// frit::save_npz("both.npz", {{"x", frit::arange(4) * 2}, {"mask", frit::array<bool>{true, false}}});
/// for (const auto& [name, value] : frit::load_npz("both.npz")) std::cout << name << " " << name_of(value.dtype()) << "\n";
/// const frit::array<double> x = frit::load_npz<double>("both.npz", "x");  // one of them, as load_npy would read it
/// std::cout << x << " " << frit::load_npz("both.npz").at("mask").as<bool>() << "\n";
/// std::remove("both.npz");
/// ```
/// ```text
/// mask bool
/// x int32
/// [0. 2. 4. 6.] [ True False]
/// ```
///
/// @throws io_error naming the file, the entry and the reason: what load_npy throws for, a damaged archive, an entry that is
/// no .npy file, a name that is there twice; or a build of frit without zlib
/// @throws dtype_error for a dtype that frit does not compute with
inline std::map<std::string, any_array> load_npz(const std::string& path, source_line where = {}) {
    return detail::load_npz(path, where);
}
/// The same from the bytes of a file.
inline std::map<std::string, any_array> load_npz(std::span<const std::byte> bytes, source_line where = {}) {
    return detail::load_npz(bytes, where);
}
/// One array of a .npz file, without reading the others; its dtype must be T, or one that array<T> takes without a cast.
/// @throws io_error also where there is no such name
template <element T>
array<T> load_npz(const std::string& path, const std::string& name, source_line where = {}) {
    return detail::load_npz(path, name, dtype_of<T>, where).template as<T>(where);
}
/// The same from the bytes of a file.
template <element T>
array<T> load_npz(std::span<const std::byte> bytes, const std::string& name, source_line where = {}) {
    return detail::load_npz(bytes, name, dtype_of<T>, where).template as<T>(where);
}

/// One array of a .npz file, of the file's dtype.
inline any_array load_npz(const std::string& path, const std::string& name, source_line where = {}) {
    return detail::load_npz(path, name, detail::run_time, where);
}
/// The same from the bytes of a file.
inline any_array load_npz(std::span<const std::byte> bytes, const std::string& name, source_line where = {}) {
    return detail::load_npz(bytes, name, detail::run_time, where);
}

/// Evaluates the arrays in one plan and writes them as numpy.savez does, uncompressed: save_npz("f.npz", {{"x", x}, {"y",
/// a + b}}). The file appears under its name whole or not at all, and replaces what stood there.
/// @throws io_error naming the file and the reason: an empty name or one that is there twice; or a build without zlib
inline void save_npz(const std::string& path, std::initializer_list<named_array> arrays, source_line where = {}) {
    detail::save_npz(path, {arrays.begin(), arrays.size()}, where);
}
/// The same from a list that is made at run time.
inline void save_npz(const std::string& path, std::span<const named_array> arrays, source_line where = {}) {
    detail::save_npz(path, arrays, where);
}

}  // namespace frit::v0
