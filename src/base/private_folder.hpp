// Folders and files that hold code to be run: whom they must belong to, so that nothing in them is another user's. Whoever
// can write to the kernel cache, or put a folder of his in its place, runs what he likes in this process.
#pragma once

#include <string>

#include <sys/stat.h>

#include "frit/config.hpp"
#include "src/base/file.hpp"

namespace frit::inline v0::detail {

/// The process's effective user, and root, who can do anything anyway.
bool trusted_owner(uid_t);
/// Why an opened file may hold what another user wrote; empty: it may not.
std::string why_not_private(const struct stat&);

struct private_folder {
    descriptor fd;        ///< O_PATH, for the *at() functions: it stays what was looked at, whatever becomes of its path
    bool ours = false;    ///< else it is root's: to read only
    std::string problem;  ///< why it must not be used. No problem and no descriptor: it is not there
};
enum class if_missing : bool { leave, make };  ///< what is made, its parents too, is for this user alone

/// A folder that no other user can write to or exchange for another: neither the folder itself, which must not be a link,
/// nor any link or folder on the way to it.
private_folder open_private_folder(const std::string& path, if_missing);

/// A folder, made with those above it where it is not there. Links on the way, and the last one, are followed if they are
/// this user's or root's: who can write to /tmp must not choose where files appear.
descriptor open_by_own_links(const std::string& path, std::string& problem);

/// Why other users could exchange what this process puts in a folder, be it writable for all; empty: they cannot.
std::string why_exchangeable(const std::string& folder);

}  // namespace frit::v0::detail
