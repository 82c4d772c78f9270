// A kernel that is no spec's, a program's or one of frit's own texts, in the emulator: what a launch of it does, with its
// parameters as the driver is given them.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "src/engine/raw_source.hpp"
#include "tests/cuda/emulator/block.hpp"

namespace frit_test {

class emulated_source {
public:
    /// @param of  whose parameters are 64 bits each
    explicit emulated_source(const frit::detail::raw_source& of)
        : library_(text_of(of), {"emulated_program"}), parameters_(of.parameters.size()) {}

    /// @param parameters  addresses of their values
    /// @param memory  what the launch may touch, beside shared memory
    /// @param seed  of the order of blocks' threads, 0: their own
    /// @throws emulation_error
    void run(const unsigned (&grid)[3], const unsigned (&block)[3], void** parameters, std::vector<watched_range> memory,
             unsigned seed) {
        std::vector<unsigned long long> words;
        for (std::size_t k = 0; k < parameters_; ++k) words.push_back(*static_cast<unsigned long long*>(parameters[k]));
        memory.push_back({library_.shared_begin(), library_.shared_end(), true, 1, "shared memory", true});
        watch_.start_launch(std::move(memory));
        library_.place->gridDim = {grid[0], grid[1], grid[2]};
        for (unsigned b = 0; b < grid[0]; ++b)
            block_.run(library_, library_.entries()[0], words.data(), {block[0], block[1], block[2]}, {b, 0, 0}, watch_,
                       seed);
    }

private:
    static std::string text_of(const frit::detail::raw_source& of) {
        return "#include <utility>\n" + of.text + "struct emulated_program_words { unsigned long long at[" +
               std::to_string(of.parameters.size()) +
               "]; };\n"
               "template <class... P, int... k>\n"
               "void emulated_call(void (*f)(P...), const unsigned long long* at, std::integer_sequence<int, k...>) {\n"
               "    f((P)at[k]...);\n"
               "}\n"
               "template <class... P>\n"
               "void emulated_call(void (*f)(P...), const unsigned long long* at) {\n"
               "    emulated_call(f, at, std::make_integer_sequence<int, sizeof...(P)>());\n"
               "}\n"
               "void emulated_program(emulated_program_words w) { emulated_call(&" +
               of.name + ", w.at); }\n";
    }

    emulated_library library_;
    std::size_t parameters_;
    emulated_block block_;
    memory_watch watch_;
};

}  // namespace frit_test
