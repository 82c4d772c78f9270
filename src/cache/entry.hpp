// What one file of the kernel cache holds, as bytes: the binary, then the full key, then a trailer with sizes and a
// checksum. The trailer stands at the end, not at the start, so that a shared object can be dlopened as it lies there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "frit/config.hpp"

namespace frit::inline v0::detail {

struct hash128 {
    std::uint64_t low, high;
    friend bool operator==(const hash128&, const hash128&) = default;
};
/// Names files and finds damage; equality of keys is decided by the keys.
hash128 hash_of(std::string_view bytes);
std::string hex(hash128);

/// How many bytes stand at the end of a file to say what the others are.
inline constexpr std::size_t entry_trailer_size = 40;
/// Whether these, its last ones, describe a file of `file_size` bytes: what else it holds need not be read if not.
bool describes(std::string_view trailer, std::uint64_t file_size);

/// Adds a length-prefixed field.
void append_field(std::string& to, std::string_view field);
/// Takes the first such field off; nullopt where there is none.
std::optional<std::string_view> next_field(std::string_view& from);

std::string file_of_entry(std::string_view binary, std::string_view key);

struct opened_entry {
    enum class state : std::uint8_t {
        good,
        damaged,     ///< not as file_of_entry made it
        of_another,  ///< whole, under another key: two hashes are equal
    };
    state now = state::damaged;
    std::size_t binary_size = 0;
};
opened_entry open_entry(std::string_view file, std::string_view key);

}  // namespace frit::v0::detail
