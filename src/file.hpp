// Files, as the kernel cache and .npy writing need them: whole or not at all; and folders for what other programs read.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include <dirent.h>
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

/// A new folder, gone with the files that it holds at the end of its life. @throws io_error beginning with `who`
class temporary_folder {
public:
    explicit temporary_folder(const std::string& who);
    temporary_folder(const temporary_folder&) = delete;
    temporary_folder& operator=(const temporary_folder&) = delete;
    ~temporary_folder();
    std::string operator/(const char* file) const { return path_ + "/" + file; }

private:
    std::string path_;
    DIR* entries_ = nullptr;  ///< open, so that emptying it needs no memory
};

}  // namespace frit::v0::detail
