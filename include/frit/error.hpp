// What frit throws, and where a statement stands in the user's source. Every error is a frit::error; the text names the
// op, the shapes, the dtypes and the source line, as far as each applies.
#pragma once

#include <concepts>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

#include "frit/config.hpp"

namespace frit::inline v0 {

/// The place of a statement. A default argument records the caller's line (clang 14 has no std::source_location).
struct source_line {
    const char* file;  ///< as the compiler was given it; empty: not known
    int line;          ///< from 1
    /// @cond
    struct here {};  // keeps a stray 0 among a call's arguments from becoming a null file name
    constexpr source_line(here = {}, const char* f = __builtin_FILE(), int l = __builtin_LINE()) noexcept
        : file(f), line(l) {}
    template <std::same_as<const char*> F>  // not from a literal 0 either: transpose(x, {0, 1}) means axes
    constexpr source_line(F f, int l) noexcept : file(f), line(l) {}
    /// @endcond
};

namespace detail {
/// For what cannot know its caller's line (operators): errors leave the place out.
inline constexpr source_line unknown_line{"", 0};
}  // namespace detail

/// Base of everything frit throws.
class FRIT_API error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

#define FRIT_ERROR_CLASS(name)           \
    class FRIT_API name : public error { \
    public:                              \
        using error::error;              \
    };
FRIT_ERROR_CLASS(shape_error)    ///< shapes do not fit each other
FRIT_ERROR_CLASS(dtype_error)    ///< a dtype that the op or the storage does not take
FRIT_ERROR_CLASS(index_error)    ///< an index or axis out of range, a step of 0
FRIT_ERROR_CLASS(linalg_error)   ///< a matrix without the result that was asked for: singular, not positive definite
FRIT_ERROR_CLASS(device_error)   ///< an absent device, a driver that refuses, an asynchronous fault
FRIT_ERROR_CLASS(out_of_memory)  ///< of a device: says how much was asked for and what is alive; or of the host
FRIT_ERROR_CLASS(compile_error)  ///< a generated kernel did not compile: carries the compiler's log
FRIT_ERROR_CLASS(io_error)       ///< a file that cannot be read or written
#undef FRIT_ERROR_CLASS

namespace detail {
/// out_of_memory, "who: out of memory on the host [file:line]". Needs no memory itself.
[[noreturn]] FRIT_API void throw_out_of_memory(std::string_view who, source_line);

/// What f returns. Where the host has no memory for it, the error is frit's: what the library offers throws no
/// std::bad_alloc.
template <class F>
decltype(auto) or_out_of_memory(std::string_view who, source_line where, F&& f) {
    try {
        return f();
    } catch (const std::bad_alloc&) {
        throw_out_of_memory(who, where);
    }
}
}  // namespace detail

}  // namespace frit::v0
