// The reader of a CUDA kernel's parameters: the first line of an input is the kernel's name, the rest the program's text.
// What it cannot read is an error of the documented kind; what it has read can be launched.
#include "src/functions/signature.hpp"

#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerInitialize(int*, char***) { return 0; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view all(reinterpret_cast<const char*>(data), size), name = all.substr(0, all.find('\n'));
    try {
        for (const frit::detail::raw_parameter& p : frit::detail::parameters_of(name, all.substr(name.size()))) {
            FUZZ_CHECK(p.is_pointer || (p.type && !frit::is_complex(*p.type) && !p.is_const));
        }
    } catch (const frit::detail::signature_error& e) {
        FUZZ_CHECK(*e.what() != '\0');
    }
    return 0;
}
