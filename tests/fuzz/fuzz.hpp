// What a fuzz target and its two mains share: libFuzzer's, and replay.cpp's where the compiler has no libFuzzer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv);

/// A property that every input must have; a fuzzer reports what ends the process.
#define FUZZ_CHECK(condition)                                                              \
    do {                                                                                   \
        if (!(condition)) {                                                                \
            std::fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
            std::abort();                                                                  \
        }                                                                                  \
    } while (false)

/// A folder of a target's own, for as long as it lives.
struct folder {
    std::string path = (std::filesystem::temp_directory_path() / "frit-fuzz-XXXXXX").string();
    folder() { FUZZ_CHECK(::mkdtemp(path.data()) != nullptr); }
    ~folder() { std::filesystem::remove_all(path); }
};
