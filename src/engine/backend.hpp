// The engine interface: what the runtime asks of a device. One object per device (CPU, CUDA 0, ...), living for ever.
// Who asks (src/graph, src/io, src/report) is device-independent; who answers is one folder beside it (src/cpu, src/cuda).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "frit/error.hpp"
#include "frit/shape.hpp"
#include "fusion/ir/kernel_spec.hpp"
#include "fusion/machine/target.hpp"
#include "src/engine/library_routine.hpp"

namespace frit::inline v0::detail {

class backend;
class live_buffers;

/// Bytes from `begin` to before `end`.
struct memory_range {
    const char* begin;
    const char* end;
};

/// The memory that strided elements take, from the address of the first.
memory_range range_of(const void* first, const shape&, std::span<const std::int64_t> strides, std::size_t width);

/// Device (or borrowed host) memory, intrusively counted: views, plans in flight, exports and nodes all hold references,
/// so references == 1 means that nobody else looks and the memory may be reused in place.
struct buffer {
    std::atomic<std::uint32_t> references{1};
    std::atomic<std::uint32_t> exports{0};  ///< pointers handed out of frit: never donated while > 0
    void* data = nullptr;
    std::size_t bytes = 0;     ///< asked for
    std::size_t capacity = 0;  ///< of the pool's block; 0: not the pool's
    backend* owner = nullptr;
    bool read_only = false;         ///< borrowed: never written, never donated
    void (*drop)(void*) = nullptr;  ///< borrowed: called with `keep` at the end
    void* keep = nullptr;
    bool described = false;  ///< as holding an array, for messages: see live_buffers.hpp
    dtype type = dtype::f32;
    shape extents;
    source_line where{"", 0};
    buffer *previous = nullptr, *next = nullptr;  ///< in the list of what is alive, or of dead borrowed buffers
    std::uint64_t visit = 0;                      ///< of one expansion, under its context's lock
    std::uint32_t number = 0;                     ///< the same: among the buffers that it reads
    void* ready_event = nullptr;  ///< of the last writer, where a second stream may look (unused on one stream)

    bool overlaps(memory_range r) const noexcept {
        const char* from = static_cast<const char*>(data);
        return r.begin < from + bytes && from < r.end;
    }
};
void release(buffer*) noexcept;  ///< back to the pool (stream-ordered) or to the lender

/// While one lives on a thread, lenders are not called: an owner's destructor is the user's code and must not run under a
/// context's lock. Its own end calls them.
class defer_lenders {
public:
    defer_lenders() noexcept;
    defer_lenders(const defer_lenders&) = delete;
    defer_lenders& operator=(const defer_lenders&) = delete;
    ~defer_lenders();

private:
    friend void release(buffer*) noexcept;
    defer_lenders* outer_;
    buffer* dead_ = nullptr;  ///< linked through buffer::next
};

class buffer_ref {
public:
    buffer_ref() = default;
    explicit buffer_ref(buffer* b) noexcept : p_(b) {}  ///< takes over the first reference
    buffer_ref(const buffer_ref& o) noexcept : p_(o.p_) {
        if (p_) p_->references.fetch_add(1, std::memory_order_relaxed);
    }
    buffer_ref(buffer_ref&& o) noexcept : p_(o.p_) { o.p_ = nullptr; }
    buffer_ref& operator=(buffer_ref o) noexcept {
        std::swap(p_, o.p_);
        return *this;
    }
    ~buffer_ref() {
        if (p_) detail::release(p_);
    }
    buffer* get() const noexcept { return p_; }
    buffer* operator->() const noexcept { return p_; }
    explicit operator bool() const noexcept { return p_ != nullptr; }

private:
    buffer* p_ = nullptr;
};

/// What a launch or a call throws that was refused before it had written anything.
struct refused_launch : device_error {
    using device_error::device_error;
};

/// A kernel that is ready to run on its backend.
class kernel {
public:
    virtual ~kernel() = default;
    virtual std::string source() const = 0;  ///< generated text (interpreter: the printed spec)
};

class backend {
public:
    virtual ~backend() = default;
    virtual const fusion::target& target() const = 0;
    virtual std::string name() const = 0;    ///< "cpu", "cuda:0 NVIDIA H200"
    virtual std::string engine() const = 0;  ///< "interpreter avx512", "cxx avx512", "nvrtc sm_90"

    /// Changes when prepare would give other kernels than before (an engine was switched): part of every plan's key.
    virtual std::uint32_t variant() const { return 0; }

    /// The kernel of a spec: from the memory cache (full key equality), the disk cache, or compiled now (counted in
    /// stats().compilations / disk_hits). Thread-safe; equal specs compile once; no lock is held while compiling.
    /// @throws compile_error with the compiler's log
    virtual std::shared_ptr<kernel> prepare(const fusion::kernel_spec&) = 0;

    /// Runs it over `words` (see fusion::word_layout; words 0 and 1 are filled in by the backend, which may write to the
    /// array). CPU: done on return. GPU: queued on the device's stream; argument memory may be reused at once. Where it
    /// throws out_of_memory or refused_launch it has written nothing.
    /// `formula` says what it computes and where that was written, for profilers and the message of a fault.
    virtual void launch(const kernel&, const fusion::kernel_spec&, std::span<std::uint64_t> words,
                        std::string_view formula = {}) = 0;

    /// Compiles a spec's kernel, or finds it, for a bundle that is being recorded (src/cache/bundle.hpp). @param gpus
    /// compute capabilities beside the device's own. @throws compile_error, device_error
    virtual void compile_for_bundle(const fusion::kernel_spec&, std::span<const int> /*gpus*/) {}

    /// Makes room for what a launch over such words needs besides, so that the launch itself, on this thread, cannot fail
    /// for want of memory: asked before a plan of several launches starts that overwrites inputs. @throws out_of_memory
    virtual void reserve(const kernel&, const fusion::kernel_spec&, std::span<const std::uint64_t> /*words*/) {}

    /// Loads the library that such a call needs: asked before a plan with such a call starts, so that nothing is lost.
    /// @throws device_error naming the library that is missing on this machine (or was at build time)
    virtual void require(const fusion::library_call&) = 0;
    /// Bytes of scratch memory that such a call wants of whoever calls it; 0 where its library is missing.
    virtual std::size_t workspace(const fusion::library_call&) { return 0; }
    /// Runs one library call in the order of its launches. Never called where no result has elements. Where it throws
    /// refused_launch it has written nothing, nor, on a CPU, where it throws index_error.
    virtual void call(const fusion::library_call&, const call_memory&, std::string_view formula = {}) = 0;

    /// Pool memory, 64-byte (CPU) or 256-byte (GPU) aligned; bytes 0 is fine. On exhaustion: flush the pool, retry, then
    /// @throws out_of_memory that says what was asked for and what is alive
    virtual buffer_ref allocate(std::size_t bytes) = 0;
    virtual void give_back(buffer*) noexcept = 0;  ///< called by release(buffer*) at the last reference: takes
                                                   ///< memory (stream-ordered) and header over
    virtual live_buffers& live() noexcept = 0;     ///< everything that was allocated and not given back

    virtual void upload(buffer&, std::size_t offset, const void* host, std::size_t bytes) = 0;    ///< counted
    virtual void download(void* host, const buffer&, std::size_t offset, std::size_t bytes) = 0;  ///< waits; counted
    virtual void copy(buffer& to, std::size_t to_offset, const buffer& from, std::size_t from_offset, std::size_t bytes) = 0;
    virtual void synchronize() = 0;  ///< waits; @throws device_error / index_error of an earlier asynchronous fault
    /// Waits for everything that is queued on the device, by others too. Leaves faults for synchronize().
    virtual void wait() noexcept {}
    virtual void wait_for_compilers() noexcept {}  ///< that work in the background

    /// Around fork(), below every lock of a context: what the child needs must be free in it and whole. A GPU needs none of
    /// it, because the child may use the CPU only.
    virtual void lock_for_fork() {}
    virtual void unlock_after_fork(bool /*child*/) {}
    /// Makes what those lock, so that they fail at nothing. @throws std::bad_alloc with no lock held
    virtual void meet_fork() {}
};

/// The CPU backend; CUDA backends by ordinal. @throws device_error that says what is missing (driver, NVRTC, device)
backend& cpu_backend();
backend& cuda_backend(int ordinal);
int cuda_device_count() noexcept;  ///< 0 without a driver
int count_cuda_devices();          ///< the same. @throws std::bad_alloc, where the other says 0

}  // namespace frit::v0::detail
