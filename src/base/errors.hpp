// What errors' texts are made of: their ends, and the names of ops.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "frit/dtype.hpp"
#include "frit/error.hpp"
#include "frit/opcode.hpp"
#include "frit/shape.hpp"

namespace frit::inline v0::detail {

/// " [file:line]", or nothing where the line is unknown.
std::string place(source_line);

/// What an error calls an elementwise op: as a user writes it.
std::string_view shown_name(op);

/// What running a formula shows: an index that an axis of so many elements does not have.
std::string index_fault(std::int64_t index, std::int64_t extent, std::string_view formula);
/// What a kernel finds out of its data and is no index is told to engines as an index of an axis of one element, and none
/// that a program would come by.
enum class data_fault : std::uint8_t { weights, integer_bounds };
constexpr std::int64_t index_of(data_fault f) { return -0x6461746100000000 + static_cast<std::int64_t>(f); }
/// Of a function of text, whose loop has met its limit.
std::int64_t index_of_endless(std::string_view function, std::int32_t rounds);

/// What running a call of linear algebra shows: "cholesky: matrix (1, 2) of the batch is not positive definite; shape ...".
/// @param matrix  its number in the batch, whose axes are all but the last two
std::string matrix_fault(std::string_view who, std::int64_t matrix, std::string_view problem, const shape&, dtype);

}  // namespace frit::v0::detail
