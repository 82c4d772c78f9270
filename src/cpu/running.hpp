// Running values in the interpreter's programs: a chain along a row, whose elements wait for each other, or lanes of many
// rows side by side, by the loops of the op table. Both give the same bits, but for which NaN it is.
#pragma once

#include <cstddef>
#include <cstdint>

#include "src/cpu/isa.hpp"

namespace frit::inline v0::detail {

struct running_loops {
    /// d[k] = what a[k] makes of what came before, which is `state` at first and afterwards; for k < n. d may be a.
    using chain_loop = void (*)(void* d, const void* a, void* state, std::int64_t n);

    running_loops(op running, dtype, const isa_table&);

    chain_loop chain;
    loop combine;  ///< d[k] = a[k], which came first, with b[k]
    loop copy;
    bool exclusive;
    std::size_t size;     ///< bytes of a value
    std::uint64_t start;  ///< bits of what is there before the first element
    /// states[k] = start, for k < n.
    void begin(std::byte* states, std::int64_t n) const;
    /// Of `lanes` rows side by side, n / lanes elements of each. `states` has room for two values a row.
    void across(std::byte* d, const std::byte* a, std::byte* states, std::int64_t lanes, std::int64_t n) const;
};

}  // namespace frit::v0::detail
