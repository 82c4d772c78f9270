// Version, visibility, build-wide macros, and what the compiler must be: the one header that every other header includes,
// before anything that is C++20.
#pragma once

// Without C++20 thousands of errors would follow: the file that does not exist ends the compilation at this one.
#if !defined(__cpp_concepts) || __cpp_concepts < 201907L || !defined(__cpp_using_enum)
#include "frit needs C++20: compile with -std=c++20, by g++ 12, clang 14 or newer"
#endif

#define FRIT_VERSION_MAJOR 0
#define FRIT_VERSION_MINOR 1
#define FRIT_VERSION_PATCH 0
#define FRIT_VERSION_STRING "0.1.0"

// The library is built with hidden visibility: what a user may call is marked, everything else stays inside.
#define FRIT_API __attribute__((visibility("default")))

/// All of the library. What is in frit::detail is not for use: it changes without notice.
namespace frit {
inline namespace v0 {}
}  // namespace frit
