// The .npz reader: an input is a file. Reading it is an error of the documented kinds, or arrays that are all there, each of
// which can be read alone.
#include <cstring>
#include <string>

#include <frit/frit.hpp>
#include <frit/npz.hpp>

#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    ::setenv("FRIT_DEVICE", "cpu", 1);
    ::setenv("FRIT_CPU_ENGINE", "interpreter", 1);
    ::setenv("FRIT_NUM_THREADS", "1", 1);
    ::setenv("FRIT_CACHE_DIR", "", 1);
    return 0;
}

namespace {

template <class T>
void check_same(const frit::array<T>& a, const frit::array<T>& b) {
    FUZZ_CHECK(a.shape() == b.shape());
    const auto x = a.span(), y = b.span();
    FUZZ_CHECK(x.empty() || std::memcmp(x.data(), y.data(), x.size_bytes()) == 0);
}

void check_alone(std::span<const std::byte> file, const std::string& name, const frit::any_array& value) {
    frit::visit(
        [&]<class T>(const frit::array<T>& typed) {
            check_same(typed, frit::load_npz<T>(file, name));
            check_same(typed, frit::load_npz(file, name).as<T>());
        },
        value);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::span<const std::byte> file(reinterpret_cast<const std::byte*>(data), size);
    try {
        for (const auto& [name, value] : frit::load_npz(file)) check_alone(file, name, value);
    } catch (const frit::io_error&) {
    } catch (const frit::dtype_error&) {
    }
    return 0;
}
