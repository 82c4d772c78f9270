// The loop IR of GPU kernels, run on the host without a compiler: a second reading of the IR beside the one that prints it
// as CUDA C++, and one that starts at once. A thread is its variables and a stack of the blocks that it is in; it goes on
// until it comes to a meeting (a barrier, a total, a ticket), then another one does, in an order that a seed gives. A
// meeting is held when all have come. Blocks come one after the other.
//
// It says what is wrong with a kernel: signed overflow, accesses outside arrays or misaligned, elements read that nobody
// wrote, races (emulator/memory.hpp says which it sees), meetings that not all threads come to. As the emulator, it says
// nothing of what blocks do at the same time, of registers or speed; and nothing of the CUDA text.
#pragma once

#include <span>

#include "fusion/schedules/gpu/gpu.hpp"
#include "tests/cuda/emulator/emulator.hpp"

namespace frit_test {

/// Runs a kernel over words that are complete: 0 and 1 are what they are on a device.
/// @param memory what the launch may touch
/// @param seed of the order of threads and blocks, 0: ascending
/// @throws emulation_error with the kernel's name, the thread, the statement and what it did that it must not do
void run_loops(const frit::fusion::loops::kernel&, const frit::fusion::launch_shape&, std::span<const std::uint64_t> words,
               std::vector<watched_range> memory, unsigned seed);

/// Launches the loops of a spec as the CUDA backend would launch their text; otherwise as run_emulated.
void run_interpreted(const frit::fusion::loops::kernel&, const frit::fusion::kernel_spec&,
                     std::span<const std::uint64_t> words, const frit::fusion::target&, std::span<const memory_block> memory,
                     std::vector<std::uint64_t>& scratch, unsigned seed, std::string_view formula = "a kernel");

/// The emulator with loops instead of text: nothing is compiled.
class loops_interpreter final : public cuda_emulator {
public:
    using cuda_emulator::cuda_emulator;
    std::string name() const override { return "cuda:0 interpreted"; }
    std::string engine() const override { return "loops"; }
    void compile(std::span<const frit::fusion::kernel_spec>) override {}
    std::shared_ptr<frit::detail::kernel> prepare(const frit::fusion::kernel_spec&) override;
    void launch(const frit::detail::kernel&, const frit::fusion::kernel_spec&, std::span<std::uint64_t> words,
                std::string_view formula) override;
};

}  // namespace frit_test
