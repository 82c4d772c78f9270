// Statements with operands of run-time dtype (any_array) become statements like others before anything else sees them: here
// their dtypes are worked out by the rules that the headers apply to typed formulas, so that a formula of any_array and the
// typed one are the same program.
#pragma once

#include <array>
#include <span>

#include "frit/detail/record.hpp"
#include "frit/expr.hpp"

namespace frit::inline v0::detail {

/// The error of an op that does not take these operands: their dtypes, and of C++ numbers the kind.
/// @param who  as statement's
[[noreturn]] void refuse_operands(op, std::span<const argument>, const char* who, source_line);

/// A statement whose program is `dynamic`, with all dtypes known. Refers to the operands of the one that it was made of.
class resolved {
public:
    /// @throws error for an empty any_array, dtype_error for a conversion that is not allowed
    explicit resolved(const statement&);
    resolved(const resolved&) = delete;
    const statement& get() const noexcept { return s_; }

private:
    std::array<scalar_bits, max_program_length> scalars_;
    statement s_;
};

}  // namespace frit::v0::detail
