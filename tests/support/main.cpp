// The main of every test executable: GoogleTest's, with the environment settled before anything of frit runs.
#include <gtest/gtest.h>

namespace frit_test {
// In executables that see the library's inside (cuda/stand_in.cpp): cuda:0 becomes a stand-in where the environment says so.
__attribute__((weak)) void use_stand_in_if_asked();
}  // namespace frit_test

// AddressSanitizer (g++ 12) takes what a library that was closed kept per thread for memory of its own, and reads it.
extern "C" __attribute__((visibility("default"))) const char* __asan_default_options() { return "intercept_tls_get_addr=0"; }

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    if (frit_test::use_stand_in_if_asked) frit_test::use_stand_in_if_asked();
    return RUN_ALL_TESTS();
}
