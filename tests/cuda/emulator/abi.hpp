// What the emulator and the libraries that it compiles from CUDA text know of each other: included by both sides.
#pragma once

namespace frit_test {

struct emulated_index {
    unsigned x, y, z;
};

/// The built-in variables of CUDA, of the thread that runs. One of them in every library, written by the emulator.
struct emulated_place {
    emulated_index threadIdx, blockIdx, blockDim, gridDim;
};

/// What a warp's threads do together: every value counts as an unsigned one of `bytes`, lane after lane in `all`.
struct emulated_exchange {
    const char* what;  ///< the function's name
    int line;          ///< of the text
    unsigned mask;     ///< the lanes that meet
    unsigned bytes;    ///< of a value: up to 8; 0: they only meet
    const void* value;
    unsigned long long all[32];
};

/// The emulator's functions that emulated code calls. What they find wrong they do not return from.
struct emulated_calls {
    /// @return how many threads of the block came with a `predicate` that is not 0
    unsigned (*block_barrier)(const char* what, int line, int predicate);
    /// Waits for the mask's living lanes, then fills `all`. @return the lanes that came
    unsigned (*warp_exchange)(emulated_exchange*);
    void (*fence)();
    /// A read or write of memory, before it happens; `where`: its instruction.
    void (*access)(const void* p, unsigned long bytes, bool writes, const void* where);
    void (*atomic)(const void* p, unsigned long bytes, const void* where);
    /// Undefined behaviour that the compiler's checks found.
    void (*undefined)(const char* what, unsigned line);
};

}  // namespace frit_test
