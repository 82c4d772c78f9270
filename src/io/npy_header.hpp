// The header of a .npy file: a Python dictionary as text, behind a magic string, a version and its own length. Here it is
// only text; npy.cpp reads and writes the files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "frit/dtype.hpp"
#include "frit/shape.hpp"

namespace frit::inline v0::detail {

inline constexpr std::string_view npy_magic = "\x93NUMPY";
/// Longer headers are refused, as NumPy does: nothing that frit can hold needs as much.
inline constexpr std::uint32_t longest_npy_header = 10'000;

struct npy_header {
    dtype type = dtype::f32;
    bool swapped = false;  ///< the bytes of an element stand in the other order than this machine's
    bool fortran_order = false;
    shape extents;
};

/// @param dictionary  what follows the length, to its end
/// @throws io_error with the reason alone
npy_header parse_npy_header(std::string_view dictionary);

/// What a file says, as far as a message should repeat it: in quotes, shortened, and nothing but ASCII.
std::string quoted(std::string_view);

/// Everything before the data, as numpy.save writes it.
std::string npy_header_text(dtype, const shape&);

}  // namespace frit::v0::detail
