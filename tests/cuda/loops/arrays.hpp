// Where a kernel's arrays are while its IR is interpreted: a thread's registers, the block's shared memory, a device's
// memory, which is the host's. All accesses go through here and are looked at: bounds, alignment, elements that nobody
// wrote, and, by the emulator's watch, races.
#pragma once

#include <vector>

#include "tests/cuda/emulator/memory.hpp"
#include "tests/cuda/loops/numbers.hpp"

namespace frit_test {

/// An array that a thread or a block has for itself.
struct kept_array {
    std::vector<unsigned char> own;  ///< its bytes; of a shared array: none
    unsigned char* bytes = nullptr;  ///< own, or a place in the block's shared memory
    std::vector<char> written{};     ///< by byte
};

class arrays {
public:
    /// @param memory what a launch may touch beside shared memory
    arrays(const loops::kernel&, std::vector<watched_range> memory);

    memory_watch watch;

    /// Bytes of an element of that type, or at an address of it; an accumulator has a word for each part.
    std::size_t size_of(const loops::type& t) const {
        return t.rule > 0 ? 8 * static_cast<std::size_t>(kernel_.rules[t.rule - 1U]->parts) : frit::size_of(t.of);
    }
    void start_block(unsigned threads);  ///< nobody has written to shared memory
    /// A thread's array, which nobody has written to, or of zeros.
    void declare(std::vector<kept_array>& registers, loops::variable_id, bool zeros);

    /// `bytes` at once, on behalf of a thread. @throws mistake
    void read(unsigned thread, std::vector<kept_array>& registers, const datum& from, std::size_t bytes, void* to) {
        access(thread, registers, from, bytes, to, nullptr);
    }
    void write(unsigned thread, std::vector<kept_array>& registers, const datum& to, std::size_t bytes, const void* from) {
        access(thread, registers, to, bytes, nullptr, from);
    }
    /// @throws mistake where a GPU would not take it: beyond memory, or no whole vectors
    void prefetch(const datum& from, std::size_t bytes);
    /// To the integer there, as one step.
    /// @return what was there before
    std::uint64_t add(unsigned thread, const datum& to, std::size_t bytes, std::uint64_t by);
    /// Whether it is no array in registers.
    bool in_memory(const datum& address) const;

private:
    void access(unsigned thread, std::vector<kept_array>& registers, const datum&, std::size_t bytes, void* to,
                const void* from);
    void in_array(const loops::variable&, kept_array&, const datum&, std::size_t bytes, bool writes) const;

    const loops::kernel& kernel_;
    const loops::function& f_;
    std::vector<kept_array> shared_;  ///< by variable
    std::vector<unsigned char> shared_bytes_;
};

}  // namespace frit_test
