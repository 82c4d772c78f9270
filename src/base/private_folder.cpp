// A path is walked folder by folder from the root, each opened without following links and looked at before the next: what
// was looked at is what is used. See private_folder.hpp.
#include "src/base/private_folder.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <vector>

namespace frit::inline v0::detail {
namespace {

constexpr int most_links = 40;  // as the kernel has it
constexpr mode_t others_write = S_IWGRP | S_IWOTH;

std::string with_mode(const char* text, mode_t mode) {
    char digits[16];
    std::snprintf(digits, sizeof digits, "%04o", static_cast<unsigned>(mode & 07777));
    return std::string(text) + " (mode " + digits + ")";
}

std::string of_user(uid_t owner) { return "belongs to user " + std::to_string(owner); }

/// In a user namespace (most containers without root) everything of users outside has one owner, "nobody"; among them root,
/// to whom / and /home belong. None where the namespace knows all users.
std::optional<uid_t> owner_outside() {
    std::ifstream map("/proc/self/uid_map"), overflow("/proc/sys/kernel/overflowuid");
    std::uint64_t inside = 0, outside = 0, count = 0, known = 0;
    while (map >> inside >> outside >> count) known += count;
    uid_t nobody = 0;
    if (known == 0 || known >= UINT32_MAX || !(overflow >> nobody)) return std::nullopt;
    return nobody;
}

bool trusted_above(uid_t owner) { return trusted_owner(owner) || owner == owner_outside(); }

/// Why other users could rename what lies in this folder. A sticky bit forbids them; and a group of the owner's own (the
/// same number, as useradd makes them) has nobody else in it.
std::string why_renamable(const struct stat& folder) {
    if (!trusted_above(folder.st_uid)) return of_user(folder.st_uid);
    if (folder.st_mode & S_ISVTX) return {};
    const mode_t open_to = folder.st_gid == folder.st_uid ? mode_t{S_IWOTH} : others_write;
    return folder.st_mode & open_to ? with_mode("lets others rename what is in it", folder.st_mode) : std::string();
}

class path_walk {
public:
    /// @param renamable  also by way of folders in which others may put something in another's place
    path_walk(bool make, bool link_at_end, bool renamable = false)
        : make_(make), link_at_end_(link_at_end), renamable_(renamable) {}

    /// Whether the folder is reached; else `problem` says why not, or it is not there.
    bool reach(const std::string& path) {
        std::error_code nowhere;
        const std::filesystem::path all = std::filesystem::absolute(path, nowhere);
        if (nowhere) return fail(path, nowhere.message());
        go_first(all.native());
        if (!enter_root()) return false;
        while (!ahead_.empty()) {
            if (const std::string why = why_renamable(info); !renamable_ && !why.empty()) return fail(walked_ + "/", why);
            const std::string name = std::move(ahead_.back());
            ahead_.pop_back();
            if (!step(name)) return false;
        }
        return true;
    }

    descriptor here;
    struct stat info {};
    std::string problem;

private:
    bool fail(const std::string& where, const std::string& why) {
        problem = where + " " + why;
        return false;
    }

    /// The names of `path` come before those that are ahead already.
    void go_first(const std::string& path) {
        std::vector<std::string> names;
        for (std::size_t at = 0; at < path.size();) {
            const std::size_t end = std::min(path.find('/', at), path.size());
            std::string name = path.substr(at, end - at);
            if (!name.empty() && name != ".") names.push_back(std::move(name));
            at = end + 1;
        }
        ahead_.insert(ahead_.end(), std::make_move_iterator(names.rbegin()), std::make_move_iterator(names.rend()));
    }

    bool enter_root() {
        walked_.clear();
        return enter(descriptor(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC)), "");
    }

    bool enter(descriptor folder, const std::string& name) {
        if (!folder || ::fstat(folder.get(), &info) != 0) return fail(walked_ + "/" + name, reason_of(errno));
        if (!S_ISDIR(info.st_mode)) return fail(walked_ + "/" + name, "is no folder");
        here = std::move(folder);
        if (!name.empty()) walked_ += "/" + name;
        return true;
    }

    descriptor look(const std::string& name) {
        return descriptor(::openat(here.get(), name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    }

    bool step(const std::string& name) {
        descriptor next = look(name);
        if (!next && errno == ENOENT) {
            if (!make_) return false;
            if (::mkdirat(here.get(), name.c_str(), S_IRWXU) == 0)  // whatever the umask; what comes of it is looked at
                ::fchmodat(here.get(), name.c_str(), S_IRWXU, AT_SYMLINK_NOFOLLOW);
            else if (errno != EEXIST)
                return fail(walked_ + "/" + name, "cannot be made: " + reason_of(errno));
            next = look(name);
        }
        struct stat found {};
        if (!next || ::fstat(next.get(), &found) != 0) return fail(walked_ + "/" + name, reason_of(errno));
        return S_ISLNK(found.st_mode) ? follow(next, found, name) : enter(std::move(next), name);
    }

    bool follow(const descriptor& link, const struct stat& found, const std::string& name) {
        const std::string where = walked_ + "/" + name;
        if (ahead_.empty() && !link_at_end_) return fail(where, "is a link");
        if (!trusted_above(found.st_uid)) return fail(where, "is a link that " + of_user(found.st_uid));
        if (++links_ > most_links) return fail(where, reason_of(ELOOP));
        char target[PATH_MAX];
        const ssize_t length = ::readlinkat(link.get(), "", target, sizeof target);
        if (length <= 0) return fail(where, reason_of(errno));
        go_first(std::string(target, static_cast<std::size_t>(length)));
        return target[0] != '/' || enter_root();
    }

    bool make_, link_at_end_, renamable_;
    int links_ = 0;
    std::string walked_;
    std::vector<std::string> ahead_;  // the next one last
};

}  // namespace

bool trusted_owner(uid_t owner) { return owner == 0 || owner == ::geteuid(); }

std::string why_not_private(const struct stat& file) {
    if (!trusted_owner(file.st_uid)) return of_user(file.st_uid);
    return file.st_mode & others_write ? with_mode("lets others write", file.st_mode) : std::string();
}

private_folder open_private_folder(const std::string& path, if_missing then) {
    path_walk walk(then == if_missing::make, false);
    private_folder found;
    if (!walk.reach(path)) {
        found.problem = std::move(walk.problem);
        return found;
    }
    if (const std::string why = why_not_private(walk.info); !why.empty()) {
        found.problem = path + " " + why;
        return found;
    }
    found.ours = walk.info.st_uid == ::geteuid();
    found.fd = std::move(walk.here);
    return found;
}

descriptor open_by_own_links(const std::string& path, std::string& problem) {
    path_walk walk(true, true, true);
    if (!walk.reach(path)) problem = std::move(walk.problem);
    return problem.empty() ? std::move(walk.here) : descriptor();
}

std::string why_exchangeable(const std::string& folder) {
    path_walk walk(false, true);
    if (!walk.reach(folder)) return walk.problem.empty() ? folder + " is not there" : walk.problem;
    const std::string why = why_renamable(walk.info);
    return why.empty() ? why : folder + " " + why;
}

}  // namespace frit::v0::detail
