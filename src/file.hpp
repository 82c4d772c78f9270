// Files, as the kernel cache and .npy writing need them: whole or not at all.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "frit/config.hpp"

namespace frit::inline v0::detail {

inline constexpr std::string_view temporary_suffix = ".tmp";

/// All of a regular file. False if it cannot be read.
bool read_file(const std::string& path, std::string& to);
/// False with errno set where not all could be written.
bool write_all(int fd, std::string_view bytes);
/// Writes `parts` under the name `path`.<process>.<number>.tmp and moves it to `path`; 0, or the errno of what failed.
int write_by_rename(const std::string& path, std::initializer_list<std::string_view> parts, mode_t mode);

}  // namespace frit::v0::detail
