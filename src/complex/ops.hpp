// How a statement with complex numbers becomes one of real numbers, while it is expanded: a complex value is two real ones,
// made one again where it is stored, moved by views, or handed to others. So engines compute with real dtypes alone, and
// know of complex ones only how they lie in memory. A real operand stays real, as in C's Annex G: nothing is made up for its
// imaginary part.
#pragma once

#include <array>
#include <span>

#include "fusion/ir/graph.hpp"

namespace frit::inline v0::detail {

/// What stands on the stack while a statement's program runs. Complex: one complex value of the graph, or, where `imag` is
/// set, the two real ones that it is made of. Of 16-bit floats, `type` is what it will be.
struct expanded {
    fusion::value_id value;
    dtype type;
    fusion::value_id imag = fusion::no_value;
};

class complex_ops {
public:
    explicit complex_ops(fusion::graph& g) : g_(g) {}

    /// As one value.
    fusion::value_id whole(const expanded&) const;
    expanded real(const expanded&) const;
    expanded imag(const expanded&) const;
    /// An op of the table: one that makes complex numbers, or has a complex operand. The real operands are of register
    /// dtypes.
    expanded applied(op, std::span<const expanded> operands) const;
    /// From a complex dtype, or to one.
    expanded cast(const expanded&, dtype) const;
    /// A linear function of a complex value: F(re), F(im).
    template <class F>
    expanded each_part(const expanded& x, F&& f) const {
        const fusion::value_id re = f(real(x).value);
        return {re, x.type, f(imag(x).value)};
    }

private:
    expanded pair(dtype, fusion::value_id re, fusion::value_id im) const;
    fusion::graph& g_;
};

}  // namespace frit::v0::detail
