// Values of the loop IR and what is computed of them: indices as the IR says, numbers by the loops of the CPU's interpreter,
// so that an op has the bits that it has there. Nothing here knows of threads or memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "fusion/loops/ir.hpp"

namespace frit_test {

namespace loops = frit::fusion::loops;

/// What a kernel must not do; who did it, and where, is added on the way out.
struct mistake {
    std::string what;
};

/// An index or a truth is word 0, as wide as 64 bits go; a number is the first bytes; an accumulator has a word for each
/// part. An address is word 0, counted from the array in registers or shared memory whose variable is word 1 less one; 0:
/// it is the host's own.
struct alignas(16) datum {
    std::uint64_t word[frit::fusion::max_states + 1] = {};
    std::int64_t index() const { return static_cast<std::int64_t>(word[0]); }
};

inline datum of_word(std::uint64_t w) { return {{w}}; }
constexpr bool is_unsigned(frit::dtype t) { return t == frit::dtype::u32 || t == frit::dtype::u64; }  // of an index
/// As an index of that type has it: what does not fit is cut off.
inline std::uint64_t wrapped(frit::dtype t, std::uint64_t x) {
    if (t == frit::dtype::u32) return static_cast<std::uint32_t>(x);
    return t == frit::dtype::i32 ? static_cast<std::uint64_t>(static_cast<std::int32_t>(x)) : x;
}
/// add, sub, ..., most. @throws mistake on signed overflow and division by 0
std::uint64_t of_indices(loops::code, frit::dtype, std::uint64_t a, std::uint64_t b);
/// lt, le, eq, ne, of indices or truths.
inline bool compared(loops::code c, frit::dtype t, std::uint64_t a, std::uint64_t b) {
    if (c == loops::code::eq || c == loops::code::ne) return (a == b) == (c == loops::code::eq);
    if (a == b) return c == loops::code::le;
    return is_unsigned(t) ? a < b : static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b);
}

/// An op over numbers; `by` is the dtype that its spelling goes by.
datum computed(frit::op, frit::dtype by, const datum& a, const datum& b, const datum& c);
datum converted(const datum&, frit::dtype from, frit::dtype to);

// --- accumulators ---
datum identity_of(const frit::fusion::reduction_rule&);
datum lifted(const frit::fusion::reduction_rule&, std::span<const datum> of);
/// `code` is the rule's combine or take.
datum combined(const frit::fusion::reduction_rule&, const frit::fusion::rule_code& code, const datum& a, const datum& b,
               std::span<const datum> given = {});

}  // namespace frit_test
