// The .npy reader: an input is a file. It is read as every dtype: an error of the documented kinds, or an array that is
// written and read back as it was.
#include <cstring>
#include <sstream>
#include <string>

#include <frit/frit.hpp>

#include "tests/fuzz/fuzz.hpp"

namespace {

template <class T>
bool read_as(std::span<const std::byte> file) {
    frit::array<T> x;
    try {
        x = frit::load_npy<T>(file);
    } catch (const frit::io_error&) {
        return false;
    } catch (const frit::dtype_error&) {
        return false;
    }
    std::stringstream stream;
    frit::save_npy(stream, x);
    const std::string saved = stream.str();
    const frit::array<T> again = frit::load_npy<T>(stream);
    FUZZ_CHECK(again.shape() == x.shape());
    std::stringstream second;
    frit::save_npy(second, again);
    FUZZ_CHECK(second.str() == saved);
    // A stream gives what the bytes in memory gave.
    std::istringstream whole(std::string(reinterpret_cast<const char*>(file.data()), file.size()));
    std::stringstream third;
    frit::save_npy(third, frit::load_npy<T>(whole));
    FUZZ_CHECK(third.str() == saved);
    return true;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    ::setenv("FRIT_DEVICE", "cpu", 1);
    ::setenv("FRIT_CPU_ENGINE", "interpreter", 1);
    ::setenv("FRIT_NUM_THREADS", "1", 1);
    ::setenv("FRIT_CACHE_DIR", "", 1);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::span<const std::byte> file(reinterpret_cast<const std::byte*>(data), size);
    int readable = 0;
#define FRIT_X(name, ctype) readable += read_as<ctype>(file);
    FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
    // Who can be read at all can be read as complex128: every number of frit's becomes one without a cast.
    FUZZ_CHECK(readable == 0 || read_as<std::complex<double>>(file));
    return 0;
}
