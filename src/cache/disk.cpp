// Files of compiled kernels: see disk.hpp for the format and the promises.
#include "src/cache/disk.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <memory>
#include <vector>

#include "src/base/env.hpp"
#include "src/base/log.hpp"
#include "src/base/stats.hpp"
#include "src/cache/entry.hpp"

namespace frit::inline v0::detail {
namespace {

// Part of every key. The first changes with the file format; the second when generated text keeps its letters but not its
// meaning (what the launch code passes in, how it chooses the grid).
constexpr std::string_view format_version = "frit-cache-1", generator_version = "1";
constexpr std::string_view binary_suffix = ".bin";
constexpr std::string_view own_suffixes[] = {binary_suffix, ".cu", ".cpp"};
constexpr std::size_t name_digits = 32;
constexpr mode_t file_mode = 0600;

enum class file_kind { foreign, entry, temporary };

// Whether a file of the folder is this cache's, by its name: the folder may be shared with anything.
file_kind kind_of(std::string_view name) {
    const std::size_t digits = std::min(name.find_first_not_of("0123456789abcdef"), name.size());
    if (digits != name_digits) return file_kind::foreign;
    name.remove_prefix(digits);
    for (std::string_view suffix : own_suffixes) {
        if (!name.starts_with(suffix)) continue;
        std::string_view rest = name.substr(suffix.size());
        if (rest.empty()) return file_kind::entry;
        if (!rest.ends_with(temporary_suffix)) continue;
        rest.remove_suffix(temporary_suffix.size());  // .<process>.<number> is left
        if (rest.starts_with('.') && std::count(rest.begin(), rest.end(), '.') == 2 &&
            rest.find_first_not_of(".0123456789") == std::string_view::npos)
            return file_kind::temporary;
    }
    return file_kind::foreign;
}

void say(const std::string& text) { log(log_channel::cache, text); }

std::string name_of(std::string_view key_bytes, std::string_view suffix) {
    return hex(hash_of(key_bytes)) + std::string(suffix);
}

/// All of a file that says at its end how large it should be, and is.
opened_entry read_entry(int file, std::uint64_t size, std::uint64_t most, std::string_view key_bytes, std::string& bytes) {
    std::string trailer;
    if (size > most || size < entry_trailer_size) return {};
    if (!read_at(file, size - entry_trailer_size, entry_trailer_size, trailer) || !describes(trailer, size)) return {};
    if (!read_at(file, 0, size, bytes)) return {};
    return open_entry(bytes, key_bytes);
}

constexpr std::int64_t second = 1'000'000'000;

struct file_of_ours {
    std::string name;
    file_kind kind;
    std::uint64_t size;
    std::int64_t used;  // nanoseconds
};

/// This cache's files; other processes may add and remove some under our eyes.
std::vector<file_of_ours> files_in(int folder) {
    std::vector<file_of_ours> all;
    struct closer {
        void operator()(DIR* d) const { ::closedir(d); }
    };
    const int again = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const std::unique_ptr<DIR, closer> list(again < 0 ? nullptr : ::fdopendir(again));
    if (!list && again >= 0) ::close(again);
    while (const dirent* const entry = list ? ::readdir(list.get()) : nullptr) {
        const file_kind kind = kind_of(entry->d_name);
        struct stat info {};
        if (kind == file_kind::foreign || ::fstatat(folder, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
        if (!S_ISREG(info.st_mode)) continue;
        all.push_back({entry->d_name, kind, static_cast<std::uint64_t>(info.st_size),
                       info.st_mtim.tv_sec * second + info.st_mtim.tv_nsec});
    }
    return all;
}

}  // namespace

std::string cache_key::bytes() const {
    std::string out;
    out.reserve(text.size() + 1024);
    for (std::string_view field : {format_version, generator_version, std::string_view(dialect), std::string_view(text),
                                   std::string_view(options), std::string_view(architecture), std::string_view(compiler)})
        append_field(out, field);
    return out;
}

std::optional<cache_key> cache_key::of_bytes(std::string_view bytes) {
    std::string_view versions[2];
    cache_key key;
    for (std::string_view& v : versions) {
        const auto field = next_field(bytes);
        if (!field) return std::nullopt;
        v = *field;
    }
    for (std::string* to : {&key.dialect, &key.text, &key.options, &key.architecture, &key.compiler}) {
        const auto field = next_field(bytes);
        if (!field) return std::nullopt;
        *to = *field;
    }
    if (versions[0] != format_version || versions[1] != generator_version || !bytes.empty()) return std::nullopt;
    return key;
}

disk_cache::disk_cache(std::string folder, std::uint64_t max_bytes) : folder_(std::move(folder)), max_bytes_(max_bytes) {}

private_folder disk_cache::opened(if_missing then) {
    if (folder_.empty()) return {};
    private_folder folder = open_private_folder(folder_, then);
    if (!folder.problem.empty() && !said_.test_and_set())
        say("the folder " + folder_ + " is not used: " + folder.problem + "; going on without");
    return folder;
}

std::string disk_cache::problem() const {
    return folder_.empty() ? std::string() : open_private_folder(folder_, if_missing::leave).problem;
}

// No kernel is as large as this; a file that says so is not read.
std::uint64_t disk_cache::largest_file() const { return std::min(goal(), std::uint64_t{256} << 20); }

std::optional<cached_binary> disk_cache::open(const cache_key& key) {
    const private_folder folder = opened(if_missing::leave);
    if (!folder.fd) return std::nullopt;
    const std::string key_bytes = key.bytes(), name = name_of(key_bytes, binary_suffix);
    cached_binary found{{}, open_to_read(folder.fd.get(), name), path_in_folder(name)};
    struct stat info {};
    if (!found.file) {
        if (errno != ENOENT) say("not read: " + found.path + ": " + reason_of(errno));
        return std::nullopt;
    }
    const std::string why = ::fstat(found.file.get(), &info) != 0 ? reason_of(errno)
                            : !S_ISREG(info.st_mode)              ? "is no regular file"
                                                                  : why_not_private(info);
    if (!why.empty()) {
        say("not read: " + found.path + " " + why);
        return std::nullopt;
    }
    const opened_entry entry =
        read_entry(found.file.get(), static_cast<std::uint64_t>(info.st_size), largest_file(), key_bytes, found.bytes);
    if (entry.now == opened_entry::state::damaged) {
        say("damaged, removed: " + found.path);
        ::unlinkat(folder.fd.get(), name.c_str(), 0);
        return std::nullopt;
    }
    if (entry.now == opened_entry::state::of_another) {
        say("another kernel has this file's name: " + found.path);
        return std::nullopt;
    }
    found.bytes.resize(entry.binary_size);
    ::futimens(found.file.get(), nullptr);  // "used now"; a read-only folder simply keeps its order
    counters_now.disk_hits.fetch_add(1, std::memory_order_relaxed);
    if (log_enabled(log_channel::cache)) say("hit: " + found.path);
    return found;
}

std::optional<std::string> disk_cache::load(const cache_key& key) {
    if (auto found = open(key)) return std::move(found->bytes);
    return std::nullopt;
}

void disk_cache::store(const cache_key& key, std::string_view binary, std::string_view source,
                       std::string_view source_suffix) {
    if (folder_.empty()) return;
    const std::string key_bytes = key.bytes(), file = file_of_entry(binary, key_bytes);
    const std::string name = name_of(key_bytes, binary_suffix), path = path_in_folder(name);
    const std::uint64_t size = file.size() + source.size();
    if (size > largest_file())  // it would push everything out, and then itself
        return say("too large for the bound, not kept: " + path);
    const private_folder folder = opened(if_missing::make);
    if (!folder.fd) return;
    if (!folder.ours) {
        if (!said_.test_and_set()) say("the folder " + folder_ + " belongs to root: it is only read");
        return;
    }
    int failure = write_by_rename(folder.fd.get(), name_of(key_bytes, source_suffix), {source}, file_mode);
    if (failure == 0) failure = write_by_rename(folder.fd.get(), name, {file}, file_mode);
    if (failure != 0) return say("cannot write " + path + ": " + reason_of(failure) + "; going on without");
    if (log_enabled(log_channel::cache)) say("stored: " + path);
    const std::scoped_lock guard(lock_);
    estimate_ += size;
    if (!scanned_ || estimate_ > max_bytes_) shrink(folder.fd.get());
}

void disk_cache::remove(const cache_key& key) {
    if (const private_folder folder = opened(if_missing::leave); folder.fd)
        ::unlinkat(folder.fd.get(), name_of(key.bytes(), binary_suffix).c_str(), 0);
}

disk_cache::usage disk_cache::used() const {
    usage sum;
    if (folder_.empty()) return sum;
    const private_folder folder = open_private_folder(folder_, if_missing::leave);
    if (!folder.fd) return sum;
    for (const file_of_ours& file : files_in(folder.fd.get())) {
        if (file.kind != file_kind::entry) continue;
        sum.bytes += file.size;
        if (file.name.ends_with(binary_suffix)) ++sum.kernels;
    }
    return sum;
}

void disk_cache::shrink(int folder) {
    std::vector<file_of_ours> entries;
    std::uint64_t total = 0;
    const std::int64_t now = std::time(nullptr);
    for (file_of_ours& file : files_in(folder)) {
        const bool left_over =  // by a process that died while writing
            file.kind == file_kind::temporary && now - file.used / second > 60 * 60;
        if (left_over || (file.kind == file_kind::entry && file.size > largest_file())) {
            ::unlinkat(folder, file.name.c_str(), 0);
        } else if (file.kind == file_kind::entry) {
            total += file.size;
            entries.push_back(std::move(file));
        }
    }
    if (total > max_bytes_) {
        std::sort(entries.begin(), entries.end(),
                  [](const file_of_ours& a, const file_of_ours& b) { return a.used < b.used; });
        for (const file_of_ours& e : entries) {
            if (total <= goal()) break;
            ::unlinkat(folder, e.name.c_str(), 0);
            total -= e.size;
        }
        say("over its bound: shrunk to " + std::to_string(total) + " bytes");
    }
    estimate_ = total;
    scanned_ = true;
}

disk_cache& kernel_cache() {
    static disk_cache* cache = new disk_cache(env().cache_dir, env().cache_maxsize);  // never destroyed, as all singletons
    return *cache;
}

}  // namespace frit::v0::detail
