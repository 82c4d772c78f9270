// Folders for what other programs read and write: the host compiler's source and library, Graphviz's input.
#pragma once

#include <dirent.h>

#include <filesystem>
#include <string>

#include "frit/config.hpp"

namespace frit::inline v0::detail {

/// A new folder for this user alone, in TMPDIR or /tmp, gone with what it holds at the end of its life. What processes that
/// were killed have left there is removed. @throws io_error beginning with `who`
class temporary_folder {
public:
    explicit temporary_folder(const std::string& who);
    temporary_folder(const temporary_folder&) = delete;
    temporary_folder& operator=(const temporary_folder&) = delete;
    ~temporary_folder();
    std::string operator/(const std::string& file) const { return (path_ / file).string(); }

private:
    std::filesystem::path path_;
    DIR* entries_ = nullptr;  ///< open, so that emptying it needs no memory
};

/// Removes the temporary folders of this user in `parent` that are a day old and whose process is gone.
void remove_left_over_folders(const std::filesystem::path& parent);

}  // namespace frit::v0::detail
