// Files of compiled kernels: see disk_cache.hpp for the format and the promises.
#include "src/disk_cache.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <vector>

#include "src/cache_entry.hpp"
#include "src/env.hpp"
#include "src/file.hpp"
#include "src/log.hpp"
#include "src/stats.hpp"

namespace frit::inline v0::detail {
namespace {

namespace fs = std::filesystem;

// Part of every key. The first changes with the file format; the second when generated text keeps its letters but not its
// meaning (what the launch code passes in, how it chooses the grid).
constexpr std::string_view format_version = "frit-cache-1", generator_version = "1";
constexpr std::string_view binary_suffix = ".bin";
constexpr std::string_view own_suffixes[] = {binary_suffix, ".cu", ".cpp"};
constexpr std::size_t name_digits = 32;
constexpr mode_t file_mode = 0644;

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

}  // namespace

std::string cache_key::bytes() const {
    std::string out;
    for (std::string_view field : {format_version, generator_version, std::string_view(dialect), std::string_view(text),
                                   std::string_view(options), std::string_view(architecture), std::string_view(compiler)}) {
        out += std::to_string(field.size());
        out += ':';
        out += field;
    }
    return out;
}

disk_cache::disk_cache(std::string folder, std::uint64_t max_bytes) : folder_(std::move(folder)), max_bytes_(max_bytes) {}

std::string disk_cache::stem(const cache_key& key) const { return folder_ + "/" + hex(hash_of(key.bytes())); }

bool disk_cache::read_checked(const cache_key& key, const std::string& path, std::string& binary) {
    if (!read_file(path, binary)) return false;
    const opened_entry entry = open_entry(binary, key.bytes());
    if (entry.now == opened_entry::state::damaged) {
        say("damaged, removed: " + path);
        ::unlink(path.c_str());
        return false;
    }
    if (entry.now == opened_entry::state::of_another) {
        say("another kernel has this file's name: " + path);
        return false;
    }
    binary.resize(entry.binary_size);
    ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0);  // "used now"; a read-only folder simply keeps its order
    return true;
}

std::optional<std::string> disk_cache::load(const cache_key& key) {
    if (folder_.empty()) return std::nullopt;
    const std::string path = stem(key) + std::string(binary_suffix);
    std::string binary;
    if (!read_checked(key, path, binary)) return std::nullopt;
    counters_now.disk_hits.fetch_add(1, std::memory_order_relaxed);
    if (log_enabled(log_channel::cache)) say("hit: " + path);
    return binary;
}

std::optional<std::string> disk_cache::path_of(const cache_key& key) {
    if (!load(key)) return std::nullopt;
    return stem(key) + std::string(binary_suffix);
}

void disk_cache::store(const cache_key& key, std::string_view binary, std::string_view source,
                       std::string_view source_suffix) {
    if (folder_.empty()) return;
    const std::string name = stem(key), file = file_of_entry(binary, key.bytes());
    const std::uint64_t size = file.size() + source.size();
    if (size > goal()) {  // it would push everything out, and then itself
        say("too large for the bound, not kept: " + name + std::string(binary_suffix));
        return;
    }
    std::error_code problem;
    fs::create_directories(folder_, problem);
    int failure = write_by_rename(name + std::string(source_suffix), {source}, file_mode);
    if (failure == 0) failure = write_by_rename(name + std::string(binary_suffix), {file}, file_mode);
    if (failure != 0) {
        say("cannot write " + name + ": " + std::system_category().message(failure) + "; going on without");
        return;
    }
    if (log_enabled(log_channel::cache)) say("stored: " + name + std::string(binary_suffix));
    const std::scoped_lock guard(lock_);
    estimate_ += size;
    if (!scanned_ || estimate_ > max_bytes_) shrink();
}

void disk_cache::remove(const cache_key& key) {
    if (!folder_.empty()) ::unlink((stem(key) + std::string(binary_suffix)).c_str());
}

disk_cache::usage disk_cache::used() const {
    usage sum;
    std::error_code problem;
    for (fs::directory_iterator it(folder_, problem), last; !problem && it != last; it.increment(problem)) {
        if (kind_of(it->path().filename().native()) != file_kind::entry) continue;
        std::error_code gone;  // another process may remove files under our eyes
        const std::uint64_t size = fs::file_size(it->path(), gone);
        if (gone) continue;
        sum.bytes += size;
        if (it->path().extension() == binary_suffix) ++sum.kernels;
    }
    return sum;
}

void disk_cache::shrink() {
    struct entry {
        fs::path path;
        std::uint64_t size;
        fs::file_time_type used;
    };
    std::vector<entry> entries;
    std::uint64_t total = 0;
    std::error_code problem;
    const auto now = fs::file_time_type::clock::now();
    for (fs::directory_iterator it(folder_, problem), last; !problem && it != last; it.increment(problem)) {
        const file_kind kind = kind_of(it->path().filename().native());
        std::error_code gone;  // another process may remove files under our eyes
        if (kind == file_kind::foreign || !it->is_regular_file(gone)) continue;
        const std::uint64_t size = fs::file_size(it->path(), gone);
        const fs::file_time_type used = gone ? now : fs::last_write_time(it->path(), gone);
        if (gone) continue;
        if (kind == file_kind::temporary) {  // left by a process that died while writing
            if (now - used > std::chrono::hours(1)) fs::remove(it->path(), gone);
            continue;
        }
        entries.push_back({it->path(), size, used});
        total += size;
    }
    if (total > max_bytes_) {
        std::sort(entries.begin(), entries.end(), [](const entry& a, const entry& b) { return a.used < b.used; });
        for (const entry& e : entries) {
            if (total <= goal()) break;
            std::error_code gone;
            fs::remove(e.path, gone);
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
