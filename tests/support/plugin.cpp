// A library that records and evaluates statements of its own and is closed again: for stress/test_plugin.cpp. What frit
// keeps of it must not be the library's memory: its types' programs, its slots, its source file's name.
#include <frit/frit.hpp>

extern "C" [[gnu::visibility("default")]] void frit_test_plugin_record(frit::array<float>* stored,
                                                                       frit::array<float>* updated,
                                                                       frit::array<float>* pending) {
    const frit::array<float> x = frit::full({512, 512}, 1.5F);
    *stored = frit::array<float>(x * 2.0F + 0.25F).eval();
    *updated = frit::array<float>(frit::zeros<float>({256, 256})).eval();
    (*updated)(frit::slice(0, 1)) = 7.0F;
    updated->eval();
    *pending = frit::array<float>(*stored * *stored - 1.0F);
}
