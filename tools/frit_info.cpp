// frit-info: prints what frit finds on this machine. The text is the library's, so that a program can print it too.
#include <cstdio>
#include <exception>

#include <frit/info.hpp>

int main(int argc, char**) {
    if (argc > 1) {
        std::fputs("usage: frit-info\nPrints devices, engines, the kernel cache, libraries and environment variables.\n",
                   stderr);
        return 2;
    }
    try {
        std::fputs(frit::info().c_str(), stdout);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "frit-info: %s\n", e.what());
        return 1;
    }
    return 0;
}
