// The third level of the kernel cache: compiled kernels in files, shared by processes and machines. Both engines use it: the
// CUDA backend reads cubins out of it, the host compiler's shared objects are dlopened out of its files.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "frit/config.hpp"
#include "src/base/file.hpp"
#include "src/base/private_folder.hpp"

namespace frit::inline v0::detail {

/// Everything a compiled kernel depends on. No driver version and no path: a cubin made on one machine serves another.
struct cache_key {
    std::string dialect;       ///< "cuda_c", "host_c"
    std::string text;          ///< the generated source
    std::string options;       ///< of the compiler, in order
    std::string architecture;  ///< "sm_90", or the ISA level
    std::string compiler;      ///< name and version: "nvrtc 13.0"

    /// Length-prefixed fields behind the versions of the file format and of the generator: no two keys share bytes.
    std::string bytes() const;
    /// What has these bytes; nullopt: nothing of these versions.
    static std::optional<cache_key> of_bytes(std::string_view);
};

/// A kernel found in the cache.
struct cached_binary {
    std::string bytes;
    descriptor file;   ///< the file that was read: it begins with the binary, whatever has become of its name since
    std::string path;  ///< for people
};

/// A folder of compiled kernels. Trouble with the folder is never an error: what cannot be read is a miss, what cannot be
/// written is not kept; FRIT_LOG=cache tells. Safe for many threads and processes at once.
///
/// What stands there is run. So nothing is taken from, or put into, a folder that another user could have written to
/// (private_folder.hpp): there is no cache then. The same holds for each file. A folder that is root's is read.
///
/// A file begins with the binary (entry.hpp says what follows), so that a shared object can be dlopened as it lies
/// there. Files appear by rename, whole or not at all. The folder may hold files of others: they do not count, and are never
/// removed.
class disk_cache {
public:
    /// @param folder empty: no cache. Made at the first store.
    disk_cache(std::string folder, std::uint64_t max_bytes);

    /// The kernel stored under this key (counted in stats().disk_hits). A damaged file is removed.
    std::optional<cached_binary> open(const cache_key&);
    /// Its bytes alone.
    std::optional<std::string> load(const cache_key&);
    /// Keeps a binary, and its source beside it (same name; `source_suffix` is ".cu" or ".cpp"), for people to read. What
    /// is too large for the bound is not kept.
    void store(const cache_key&, std::string_view binary, std::string_view source, std::string_view source_suffix);
    /// Forgets an entry: its binary was whole and yet would not load.
    void remove(const cache_key&);

    struct usage {
        std::uint64_t kernels = 0, bytes = 0;  ///< bytes: of sources and binaries
    };
    usage used() const;  ///< of the folder now, whoever wrote there
    std::uint64_t max_bytes() const noexcept { return max_bytes_; }

    void lock_for_fork() { lock_.lock(); }
    void unlock_after_fork() { lock_.unlock(); }

    const std::string& folder() const noexcept { return folder_; }
    /// Why the folder is not used; empty: it is, or will be when it is there.
    std::string problem() const;

private:
    private_folder opened(if_missing);  ///< opened anew for each use: it may be removed, or the program close descriptors
    std::string path_in_folder(const std::string& name) const { return folder_ + "/" + name; }
    std::uint64_t goal() const { return max_bytes_ / 4 * 3; }  ///< after shrinking: room, so that not every store scans
    std::uint64_t largest_file() const;
    void shrink(int folder);  ///< removes what was used least recently, until the folder is within its bound

    std::string folder_;
    std::uint64_t max_bytes_;
    std::mutex lock_;
    std::atomic_flag said_;       ///< that the folder is not used, or only read
    std::uint64_t estimate_ = 0;  ///< bytes in the folder, as far as this process knows
    bool scanned_ = false;
};

/// The process's cache, as FRIT_CACHE_DIR and FRIT_CACHE_MAXSIZE say.
disk_cache& kernel_cache();

}  // namespace frit::v0::detail
