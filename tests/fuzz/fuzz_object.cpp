// The loader of compiled kernels: an input is an object. Loading it is an error of the documented kind, or memory that holds
// all that it is said to define. Nothing of it runs.
#include "src/cpu/object.hpp"

#include <cstring>
#include <new>
#include <string_view>

#include "frit/error.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerInitialize(int*, char***) { return 0; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    static int somewhere = 0;
    try {
        const auto object = frit::detail::loaded_object::load(
            bytes, [](std::string_view name) -> void* { return name.size() % 7 == 0 ? nullptr : &somewhere; });
        FUZZ_CHECK(object != nullptr);
        for (const char* name : {"frit_kernel", "frit_math_sin_f32", "counter", "filled", "table", "place"})
            if (const void* const at = object->find(name)) {
                char first = 0;
                if (reinterpret_cast<std::uintptr_t>(at) % 4096 != 0) std::memcpy(&first, at, 1);  // an end may be a page's
            }
    } catch (const frit::io_error&) {
    } catch (const std::bad_alloc&) {
    }
    return 0;
}
