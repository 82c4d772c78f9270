// Generated CUDA text run without a GPU. The host's compiler takes the text as C++ behind a few definitions
// (device_side.hpp), every thread of a block is a fiber (block.hpp), blocks come one after the other. So the text's own are
// shown: indices, tails, strides, unrolling, the trees of reductions, and what is wrong however a GPU times it: barriers and
// shuffles that not all threads reach, races, accesses beyond an operand or misaligned ones, signed overflow, shared memory
// read before it is written, scratch memory that a launch leaves in disorder. Threads and blocks go in a different order in
// every launch (but a thread goes on undisturbed from one barrier to the next).
//
// It does not show: the memory model (every write is seen at once; memory.hpp checks what orders accesses, roughly), blocks
// that run at the same time, a GPU's own rounding in functions (exp and so on are the host's) and contraction to fma,
// registers, the limits of shared memory, and any speed.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "fusion/schedules/gpu/gpu.hpp"
#include "src/engine/backend.hpp"
#include "tests/cuda/emulator/block.hpp"
#include "tests/cuda/host_call.hpp"

namespace frit_test {

/// A small GPU: few processors, so that a few blocks are many and a reduction's threads go round their loops.
frit::fusion::target emulated_target();

/// A kernel of emulated code.
struct emulated_kernel {
    std::shared_ptr<emulated_library> library;
    emulated_entry* entry = nullptr;
};
/// Compiles specs, many to a library, on all processors.
std::vector<emulated_kernel> compile_emulated(std::span<const frit::fusion::kernel_spec>, const frit::fusion::target&);

/// Memory of a device: what kernels may touch.
struct memory_block {
    const char* data;
    std::size_t bytes;
};

/// What a launch on the host needs as one on a device would: its shape, words 0 and 1 filled in, what it may touch.
struct host_launch {
    /// @throws emulation_error where the words are not the spec's
    host_launch(const frit::fusion::kernel_spec&, std::span<const std::uint64_t> words, const frit::fusion::target&,
                std::span<const memory_block> memory, std::vector<std::uint64_t>& scratch, unsigned scratch_granule);
    frit::fusion::launch_shape shape;  ///< grid[0] == 0: nothing to do
    std::vector<std::uint64_t> words;
    std::vector<watched_range> ranges;
    std::vector<std::uint64_t> fault;  ///< the fault record, where the spec checks indices
    std::vector<std::uint64_t> zeros;  ///< the scratch memory, where it is zeros before and afterwards
    /// @throws index_error if there was a fault
    /// @throws emulation_error if zeros are none
    void check(std::string_view formula) const;
};

/// Launches a kernel as the CUDA backend would: launch shape and scratch memory are those of schedules/gpu/gpu.hpp.
/// @param words as `kernel_spec.hpp` lays them out; words 0 and 1 are filled in here
/// @param memory the arrays: a pointer word's array is the one it points into (or to the end of). Others are out of bounds.
/// @param scratch grows as needed, and must be kept for the next launch: a launch finds what the last one left there
/// @param seed of the order of threads and blocks, 0: ascending
/// @param formula  what an index_error names
/// @throws emulation_error saying what the kernel did that it must not do
void run_emulated(const emulated_kernel&, const frit::fusion::kernel_spec&, std::span<const std::uint64_t> words,
                  const frit::fusion::target&, std::span<const memory_block> memory, std::vector<std::uint64_t>& scratch,
                  unsigned seed, std::string_view formula = "a kernel");

/// A device that runs emulated kernels, and calls libraries on the host.
class cuda_emulator : public frit::detail::backend {
public:
    /// @param host calls the libraries
    explicit cuda_emulator(frit::detail::backend& host) : host_(host), facts_(emulated_target()) {}

    const frit::fusion::target& target() const override { return facts_; }
    std::string name() const override { return "cuda:0 emulated"; }
    std::string engine() const override { return "emulator"; }
    std::uint32_t variant() const override { return recording_; }

    /// From now on the host runs what is planned for this device, and kernels are only noted: a rehearsal.
    void start_recording() { recording_ = true; }
    /// Compiles the noted kernels, many at once, and runs emulated code from now on.
    void compile_recorded();
    /// Compiles many kernels at once: prepare() then finds them.
    virtual void compile(std::span<const frit::fusion::kernel_spec>);
    std::shared_ptr<frit::detail::kernel> prepare(const frit::fusion::kernel_spec&) override;
    void launch(const frit::detail::kernel&, const frit::fusion::kernel_spec&, std::span<std::uint64_t> words,
                std::string_view formula) override;
    void require(const frit::fusion::library_call& c) override { host_.require(c); }
    std::size_t workspace(const frit::fusion::library_call& c) override { return host_.workspace(c); }
    void call(const frit::fusion::library_call& c, const frit::detail::call_memory& memory,
              std::string_view formula) override {
        call_on_host(host_, c, memory, formula);
    }

    frit::detail::buffer_ref allocate(std::size_t bytes) override;
    void give_back(frit::detail::buffer* b) noexcept override;
    frit::detail::live_buffers& live() noexcept override { return host_.live(); }
    void upload(frit::detail::buffer& to, std::size_t offset, const void* from, std::size_t bytes) override;
    void download(void* to, const frit::detail::buffer& from, std::size_t offset, std::size_t bytes) override;
    void copy(frit::detail::buffer& to, std::size_t to_offset, const frit::detail::buffer& from, std::size_t from_offset,
              std::size_t bytes) override {
        host_.copy(to, to_offset, from, from_offset, bytes);
    }
    void synchronize() override {}

protected:
    std::vector<memory_block> memory() const;

    frit::detail::backend& host_;
    frit::fusion::target facts_;
    mutable std::mutex lock_;
    std::map<std::string, std::shared_ptr<frit::detail::kernel>> kernels_;  // by key
    std::atomic<bool> recording_{false};
    std::vector<frit::fusion::kernel_spec> recorded_;
    std::map<const char*, std::size_t> memory_;  // what lives
    std::vector<std::uint64_t> scratch_;
    unsigned launches_ = 0;
};

}  // namespace frit_test
