// What a piece of a program took: for tests that assert all of it at once.
#pragma once

#include <cstdint>
#include <ostream>

#include <frit/frit.hpp>

namespace frit_test {

/// What counted since, in kernels, calls and bytes.
struct taken {
    std::uint64_t kernels, calls, read, written;
    friend bool operator==(const taken&, const taken&) = default;
    friend std::ostream& operator<<(std::ostream& s, const taken& t) {
        return s << t.kernels << " kernels, " << t.calls << " calls, " << t.read << " read, " << t.written << " written";
    }
};
/// By f.
template <class F>
taken taken_by(const F& f) {
    const frit::counters before = frit::stats();
    f();
    const frit::counters after = frit::stats();
    return {after.kernels_launched - before.kernels_launched, after.library_calls - before.library_calls,
            after.bytes_read - before.bytes_read, after.bytes_written - before.bytes_written};
}

}  // namespace frit_test
