// Files, as the kernel cache, bundles, FRIT_DUMP and .npy writing need them: read from a descriptor, written whole or not at
// all.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/types.h>

#include "frit/config.hpp"

namespace frit::inline v0::detail {

inline constexpr std::string_view temporary_suffix = ".tmp";

/// What the system says of an errno.
std::string reason_of(int failure);

/// A file descriptor, closed at the end of its life.
class descriptor {
public:
    descriptor() = default;
    explicit descriptor(int fd) noexcept : fd_(fd) {}
    descriptor(descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    descriptor& operator=(descriptor&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~descriptor();
    int get() const noexcept { return fd_; }
    explicit operator bool() const noexcept { return fd_ >= 0; }
    int close() noexcept;  ///< now; 0, or the errno of a write that came to nothing only here

private:
    int fd_ = -1;
};

/// Opens a file of a folder (or AT_FDCWD) for reading. No link is followed in the last place, and no pipe is waited for.
/// Empty, with errno set, where that cannot be.
descriptor open_to_read(int folder, const std::string& name);
/// The `bytes` bytes from `from` on; false if they are not all there.
bool read_at(int fd, std::uint64_t from, std::uint64_t bytes, std::string& to);
/// All of a regular file of at most `most` bytes; false if it is none, or cannot be read.
bool read_file(int fd, std::uint64_t most, std::string& to);

/// False with errno set where not all could be written.
bool write_all(int fd, std::string_view bytes);
/// Writes `parts` to a new file `name`.<process>.<number>.tmp of the folder and moves it to `name`, in the place of whatever
/// stands there, a link itself included. A mode that gives others nothing holds whatever the umask. 0, or the errno of what
/// failed.
int write_by_rename(int folder, const std::string& name, std::span<const std::string_view> parts, mode_t mode);
inline int write_by_rename(int folder, const std::string& name, std::initializer_list<std::string_view> parts, mode_t mode) {
    return write_by_rename(folder, name, std::span(parts.begin(), parts.size()), mode);
}
/// 0, or the errno of what failed. Replaces a file whole or not at all, but not what is no file (a pipe, a device), and not
/// a link: then the file that it leads to.
int write_file(const std::string& path, std::span<const std::string_view> parts);

}  // namespace frit::v0::detail
