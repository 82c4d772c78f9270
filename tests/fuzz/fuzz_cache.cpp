// The reader of the kernel cache on disk: the first byte of an input says what the others are. 0: the file as it lies in
// the folder; 1: the same with its checksum mended, so that what stands behind it is reached; 2: a binary, to be stored and
// loaded; 3: a key's text, the same. Damage is never an error and never gives back what was not stored.
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "src/cache/disk.hpp"
#include "src/cache/entry.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

namespace fs = std::filesystem;
using frit::detail::cache_key;
using frit::detail::disk_cache;

const cache_key key{"host_c", "text", "-O3", "avx2", "g++ 12"};
constexpr std::size_t trailer_size = 40, checksum_size = 16;

/// Where the key's file lies.
std::string file_of(const folder& f, disk_cache& cache) {
    cache.store(key, "binary", "text", ".cpp");
    for (const auto& entry : fs::directory_iterator(f.path))
        if (entry.path().extension() == ".bin") return entry.path().string();
    return {};
}

void load_file(disk_cache& cache, const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
    const auto found = cache.load(key);
    if (found) FUZZ_CHECK(frit::detail::file_of_entry(*found, key.bytes()) == bytes);
    if (!found) {  // it was damaged, and is gone; or it is another kernel's, whole, and stays
        using state = frit::detail::opened_entry::state;
        const auto entry = frit::detail::open_entry(bytes, key.bytes());
        FUZZ_CHECK(entry.now != state::good);
        FUZZ_CHECK(fs::exists(path) == (entry.now == state::of_another));
    }
}

void round_trip(disk_cache& cache, const cache_key& k, const std::string& binary) {
    cache.store(k, binary, "text", ".cpp");
    FUZZ_CHECK(cache.load(k) == binary);
    cache.remove(k);
    FUZZ_CHECK(!cache.load(k));
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    ::setenv("FRIT_CACHE_DIR", "", 1);
    ::umask(0077);  // files that others may write are not read
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const folder place;
    static disk_cache cache(place.path, 1 << 20);
    static const std::string path = file_of(place, cache);
    if (size == 0) return 0;
    std::string rest(reinterpret_cast<const char*>(data) + 1, size - 1);
    switch (data[0] % 4) {
        case 0: load_file(cache, path, rest); break;
        case 1:
            if (rest.size() >= trailer_size) {
                const auto sum = frit::detail::hash_of(std::string_view(rest).substr(0, rest.size() - trailer_size));
                std::memcpy(rest.data() + rest.size() - checksum_size, &sum, checksum_size);
            }
            load_file(cache, path, rest);
            break;
        case 2: round_trip(cache, key, rest); break;
        default: {
            cache_key other = key;
            other.text = rest;
            round_trip(cache, other, "binary");
        }
    }
    return 0;
}
