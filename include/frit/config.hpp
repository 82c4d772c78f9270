// Version, visibility and build-wide macros: the one header that every other header may include.
#pragma once

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
