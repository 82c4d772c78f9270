// A CUDA kernel that a program, or frit itself, brings as text, and what was read from the text: what recording checks, the
// engine compiles and a launch hands over.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frit/dtype.hpp"
#include "frit/error.hpp"

namespace frit::inline v0::detail {

struct raw_parameter {
    std::string name;           ///< may be empty
    std::string text;           ///< of its type: "const float*"
    bool is_pointer, is_const;  ///< of a pointer, whether what it points to is const
    std::optional<dtype> type;  ///< none: void*, of any
    friend bool operator==(const raw_parameter&, const raw_parameter&) = default;
};

struct raw_source {
    std::string name;  ///< the name expression: "axpy<float>"
    std::string text;
    std::vector<std::string> flags;
    std::vector<std::pair<std::string, std::string>> headers;
    source_line where;  ///< of the first that was made of this text; its file's name is kept
    std::vector<raw_parameter> parameters;
    std::string title{};  ///< of one that frit brings: what messages call it
};
inline std::string title_of(const raw_source& s) { return s.title.empty() ? "raw_kernel " + s.name : s.title; }

/// A launch's shape, as one number after the other: what a kernel is given before its own.
struct raw_launch {
    unsigned grid[3], block[3];
    unsigned shared;
};
inline constexpr std::size_t raw_launch_numbers = 7;

}  // namespace frit::v0::detail
