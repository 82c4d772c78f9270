// The reader of bundles: the first byte of an input says what the others are. 0: a file; 1: the kernels of a file, whose
// checksum and key are put around them, so that what stands behind these is reached. What is no bundle is an io_error, and
// nothing of it is taken.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "frit/error.hpp"
#include "src/cache/bundle.hpp"
#include "src/cache/entry.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

namespace fs = std::filesystem;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    ::setenv("FRIT_CACHE_DIR", "", 1);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const folder place;
    static const std::string path = place.path + "/bundle";
    if (size == 0) return 0;
    std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    const frit::detail::cache_key of_file{"frit-bundle-1", FRIT_VERSION_STRING, "", "", ""};
    if (data[0] % 2 == 1) bytes = frit::detail::file_of_entry(bytes, of_file.bytes());
    std::ofstream(path, std::ios::binary) << bytes;
    frit::detail::kernel_bundles read;
    try {
        const std::size_t kernels = read.load(path);
        FUZZ_CHECK(read.count() <= kernels);  // two of one text are one
        FUZZ_CHECK(read.loaded() == (kernels > 0));
    } catch (const frit::io_error&) {
        FUZZ_CHECK(read.count() == 0 && !read.loaded());
    }
    return 0;
}
