// Bundles of compiled kernels: those that were loaded are the level of the kernel cache between memory and disk; one that is
// being recorded learns here what runs. A bundle's kernel is known by its text and architecture alone: which compiler made
// it is told by its key, but is not asked, for who loads a bundle may have none.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "frit/config.hpp"
#include "src/cache/disk.hpp"
#include "src/engine/backend.hpp"
#include "src/engine/raw_source.hpp"

namespace frit::inline v0::detail {

struct bundled_kernel {
    cache_key key;
    std::string binary;
};

/// The kernels of a process's bundles. Safe for many threads.
class kernel_bundles {
public:
    /// The kernel of this dialect, text and architecture, loaded or recorded (counted in stats().bundle_hits); null: there
    /// is none.
    std::shared_ptr<const bundled_kernel> find(const cache_key&);
    /// Whether something was loaded that find could find.
    bool loaded() const noexcept { return loaded_now_.load(std::memory_order_acquire); }
    bool loaded_for(std::string_view dialect, std::string_view architecture) const;
    std::size_t count() const;  ///< of what was loaded
    /// Forgets a loaded kernel: it was whole and yet would not run here.
    void forget(const cache_key&);
    /// Adds a file's kernels, all or none. @returns how many it holds @throws io_error with the reason alone
    std::size_t load(const std::string& path);

    // --- recording: one at a time ---
    bool recording() const noexcept { return recording_now_.load(std::memory_order_relaxed); }
    bool start();  ///< false: one goes on
    void stop() noexcept;
    /// An engine runs a kernel of this spec. What there is no memory to remember makes write() throw.
    void note(backend&, const fusion::kernel_spec&) noexcept;
    /// The same of a program's own kernel. @param make  keeps it for a GPU
    using raw_maker = void (*)(const raw_source&, int sm);
    void note(const raw_source&, int sm, raw_maker make) noexcept;
    /// This binary has been compiled, or found.
    void keep(const cache_key&, std::string_view binary);
    /// Has engines make what was noted and not kept, and writes all. @returns how many @throws io_error with the reason
    /// alone
    std::size_t write(const std::string& path, std::span<const int> gpus);

    void lock_for_fork() { lock_.lock(); }
    void unlock_after_fork() { lock_.unlock(); }

private:
    using kernel_map = std::map<std::string, std::shared_ptr<const bundled_kernel>>;  // ordered: files repeat, bit by bit
    mutable std::mutex lock_;
    std::atomic<bool> loaded_now_{false}, recording_now_{false};
    kernel_map loaded_, recorded_;
    std::map<std::pair<backend*, std::string>, fusion::kernel_spec> noted_;  // by engine and the spec's key
    std::map<std::pair<const raw_source*, int>, raw_maker> noted_raw_;
    bool incomplete_ = false;
};

/// The process's bundles.
kernel_bundles& bundles();

}  // namespace frit::v0::detail
