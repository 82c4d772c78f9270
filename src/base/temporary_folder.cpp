// See temporary_folder.hpp. Their names are frit-<process>-XXXXXX.
#include "src/base/temporary_folder.hpp"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>

#include "frit/error.hpp"
#include "src/base/env.hpp"
#include "src/base/private_folder.hpp"

namespace frit::inline v0::detail {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "frit-", random_part = "-XXXXXX";
// Far longer than a compiler may take: processes in other containers may share the folder, and their numbers tell nothing.
constexpr std::time_t a_day = 24 * 60 * 60;

/// The process in a temporary folder's name; 0: it is no such name.
pid_t process_in(std::string_view name) {
    if (!name.starts_with(prefix)) return 0;
    name.remove_prefix(prefix.size());
    pid_t process = 0;
    const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), process);
    const std::string_view rest = name.substr(static_cast<std::size_t>(end - name.data()));
    return problem == std::errc() && process > 0 && rest.size() == random_part.size() && rest[0] == '-' ? process : 0;
}

std::string parent_of_all(const std::string& who) {
    const char* const chosen = environment_variable("TMPDIR");
    std::string parent = chosen && *chosen ? chosen : "/tmp";
    std::error_code problem;
    if (!fs::is_directory(parent, problem))
        throw io_error(who + ": no folder for temporary files (TMPDIR names none): " + parent +
                       (problem ? ": " + problem.message() : " is no folder"));
    if (const std::string why = why_exchangeable(parent); !why.empty())
        throw io_error(who + ": others could exchange files in the folder for temporary files (set TMPDIR): " + why);
    return parent;
}

}  // namespace

void remove_left_over_folders(const fs::path& parent) {
    std::error_code problem;
    for (fs::directory_iterator it(parent, problem), last; !problem && it != last; it.increment(problem)) {
        const pid_t process = process_in(it->path().filename().native());
        struct stat info {};
        if (process == 0 || ::lstat(it->path().c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) continue;
        if (info.st_uid != ::geteuid() || std::time(nullptr) - info.st_mtime < a_day) continue;
        if (::kill(process, 0) == 0 || errno != ESRCH) continue;
        std::error_code ignored;  // the next process tries again
        fs::remove_all(it->path(), ignored);
    }
}

temporary_folder::temporary_folder(const std::string& who) {
    const fs::path parent = parent_of_all(who);
    static std::atomic_flag looked;
    if (!looked.test_and_set()) remove_left_over_folders(parent);
    std::string name = parent / (std::string(prefix) + std::to_string(::getpid()) + std::string(random_part));
    if (!::mkdtemp(name.data())) throw io_error(who + ": cannot make a folder like " + name + ": " + std::strerror(errno));
    entries_ = ::opendir(name.c_str());
    if (!entries_) {
        const int failure = errno;
        ::rmdir(name.c_str());
        if (failure == ENOMEM) throw std::bad_alloc();
        throw io_error(who + ": cannot open the folder " + name + ": " + std::strerror(failure));
    }
    path_ = std::move(name);
}

temporary_folder::~temporary_folder() {
    ::rewinddir(entries_);
    while (const dirent* entry = ::readdir(entries_)) ::unlinkat(::dirfd(entries_), entry->d_name, 0);
    ::closedir(entries_);
    ::rmdir(path_.c_str());
}

}  // namespace frit::v0::detail
