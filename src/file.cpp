// See file.hpp.
#include "src/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <system_error>

#include "frit/error.hpp"

namespace frit::inline v0::detail {

bool read_file(const std::string& path, std::string& out) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // not even a pipe holds us up
    if (fd < 0) return false;
    struct stat info {};
    bool good = ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
    if (good) {
        out.resize(static_cast<std::size_t>(info.st_size));
        std::size_t done = 0;
        while (done < out.size()) {
            const ssize_t n = ::read(fd, out.data() + done, out.size() - done);
            if (n < 0 && errno == EINTR) continue;
            if (n <= 0) break;
            done += static_cast<std::size_t>(n);
        }
        out.resize(done);
    }
    ::close(fd);
    return good;
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

int write_by_rename(const std::string& path, std::initializer_list<std::string_view> parts, mode_t mode) {
    static std::atomic<unsigned> counter{0};
    const std::string temporary =
        path + "." + std::to_string(::getpid()) + "." + std::to_string(counter.fetch_add(1)) + std::string(temporary_suffix);
    const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd < 0) return errno;
    bool good = true;
    for (std::string_view part : parts) good = good && write_all(fd, part);
    int failure = good ? 0 : errno;
    if (::close(fd) != 0 && failure == 0) failure = errno;
    if (failure == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) failure = errno;
    if (failure != 0) ::unlink(temporary.c_str());
    return failure;
}

temporary_folder::temporary_folder(const std::string& who) {
    std::error_code problem;
    const std::filesystem::path parent = std::filesystem::temp_directory_path(problem);
    if (problem) throw io_error(who + ": no folder for temporary files (TMPDIR names none): " + problem.message());
    path_ = (parent / "frit-XXXXXX").string();
    if (!::mkdtemp(path_.data())) throw io_error(who + ": cannot make a folder like " + path_ + ": " + std::strerror(errno));
    entries_ = ::opendir(path_.c_str());
    if (entries_) return;
    const int failure = errno;
    ::rmdir(path_.c_str());
    if (failure == ENOMEM) throw std::bad_alloc();
    throw io_error(who + ": cannot open the folder " + path_ + ": " + std::strerror(failure));
}

temporary_folder::~temporary_folder() {
    ::rewinddir(entries_);
    while (const dirent* entry = ::readdir(entries_)) ::unlinkat(::dirfd(entries_), entry->d_name, 0);
    ::closedir(entries_);
    ::rmdir(path_.c_str());
}

}  // namespace frit::v0::detail
