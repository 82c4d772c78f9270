// Kernels as C++ text: `emit` makes zero-include text of a kernel spec; a dialect says how its language spells what differs.
#pragma once

#include <string>
#include <string_view>

#include "fusion/ir/kernel_spec.hpp"
#include "fusion/machine/target.hpp"

namespace frit::inline v0::fusion {

/// What a language must say for itself. The spellings of ops come from `spell` alone; a dialect owns the text around them,
/// which is printed from the loop IR.
class dialect {
public:
    virtual ~dialect() = default;

    /// FN(function) of a spelling, for operands of this dtype: "frit_div", "expf". The dtype is operand a's, and
    /// operand b's for selections (whose a is a bool).
    virtual std::string function(std::string_view function, dtype operand) const = 0;
    /// Whether the language has a function for a hidden op, by its name, that is called instead of what its spelling says.
    virtual bool has_own(std::string_view /*op*/) const { return false; }
    /// K(x) of a spelling: the constant in the dtype.
    virtual std::string constant(std::string_view x, dtype) const = 0;
    virtual std::string cast(std::string_view value, dtype from, dtype to) const = 0;
    /// The bits of a value, as one of another dtype.
    virtual std::string bit_cast(std::string_view value, dtype to) const = 0;

    /// Everything before the entry point, whose text is `kernel`: what that needs and no include.
    virtual std::string prelude(const kernel_spec&, const target&, std::string_view kernel) const = 0;
    /// The entry point, printed from the spec's loops.
    virtual std::string kernel(const kernel_spec&, const target&, const std::string& name) const = 0;
};

const dialect& cuda_c();  ///< CUDA C++ for NVRTC: scalar lanes, 16-byte vector accesses, extern "C" kernel
const dialect& host_c();  ///< C++ for $CXX: explicit vector lanes over the prelude

/// The whole text of one kernel, entry point `extern "C"` named `name`. Same spec, dialect and target: same text.
std::string emit(const kernel_spec&, const dialect&, const target&, const std::string& name = "frit_kernel");

/// The spelling of one elementwise op over named operands: what a reduction combines two accumulators with.
std::string spell(const dialect&, op, dtype operand, const std::string& a, const std::string& b, const std::string& c = {});

}  // namespace frit::v0::fusion
