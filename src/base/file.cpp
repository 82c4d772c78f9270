// See file.hpp.
#include "src/base/file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <system_error>

namespace frit::inline v0::detail {
namespace {

int write_in_place(const std::string& path, std::span<const std::string_view> parts) {
    descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file) return errno;
    int failure = 0;
    for (std::string_view part : parts)
        if (failure == 0 && !write_all(file.get(), part)) failure = errno;
    const int at_close = file.close();
    return failure != 0 ? failure : at_close;
}

}  // namespace

std::string reason_of(int failure) { return std::system_category().message(failure); }

descriptor::~descriptor() { close(); }

int descriptor::close() noexcept {
    const int fd = std::exchange(fd_, -1);
    return fd < 0 || ::close(fd) == 0 ? 0 : errno;
}

descriptor open_to_read(int folder, const std::string& name) {
    return descriptor(::openat(folder, name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
}

bool read_at(int fd, std::uint64_t from, std::uint64_t bytes, std::string& to) {
    to.resize(bytes);
    std::size_t done = 0;
    while (done < to.size()) {
        const ssize_t n = ::pread(fd, to.data() + done, to.size() - done, static_cast<off_t>(from + done));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        done += static_cast<std::size_t>(n);
    }
    return true;
}

bool read_file(int fd, std::uint64_t most, std::string& to) {
    struct stat info {};
    if (::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) return false;
    const std::uint64_t bytes = static_cast<std::uint64_t>(info.st_size);
    return bytes <= most && read_at(fd, 0, bytes, to);
}

bool write_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(fd, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

int write_by_rename(int folder, const std::string& name, std::span<const std::string_view> parts, mode_t mode) {
    static std::atomic<unsigned> counter{0};
    std::string temporary;
    descriptor file;
    for (int tries = 0; !file && tries < 100; ++tries) {  // a process that was killed may have left what had our number
        temporary = name + "." + std::to_string(::getpid()) + "." + std::to_string(counter.fetch_add(1)) +
                    std::string(temporary_suffix);
        file = descriptor(::openat(folder, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
        if (!file && errno != EEXIST) return errno;
    }
    if (!file) return EEXIST;
    bool good = (mode & 0077) != 0 || ::fchmod(file.get(), mode) == 0;
    for (std::string_view part : parts) good = good && write_all(file.get(), part);
    int failure = good ? 0 : errno;
    const int at_close = file.close();
    if (failure == 0) failure = at_close;
    if (failure == 0 && ::renameat(folder, temporary.c_str(), folder, name.c_str()) != 0) failure = errno;
    if (failure != 0) ::unlinkat(folder, temporary.c_str(), 0);
    return failure;
}

int write_file(const std::string& path, std::span<const std::string_view> parts) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) return write_by_rename(AT_FDCWD, path, parts, 0666);
    if (!S_ISREG(info.st_mode)) return write_in_place(path, parts);
    const std::unique_ptr<char, decltype(&std::free)> target(::realpath(path.c_str(), nullptr), &std::free);
    return target ? write_by_rename(AT_FDCWD, target.get(), parts, info.st_mode & 0777) : errno;
}

}  // namespace frit::v0::detail
