// In which dtypes engines compute an op of the table, complex numbers and 16-bit floats apart: for the tables of the
// interpreter's loops and of what an op is in LLVM's instructions, which are made at compile time.
#pragma once

#include "frit/opcode.hpp"

namespace frit::inline v0::fusion {

constexpr bool has_lanes(op code, dtype of) {
    const op_info& row = info(code);
    switch (row.types) {
        case op_types::PARTS:
        case op_types::COMPLEX: return false;
        case op_types::SHORT: return of == dtype::f32;
        case op_types::WORD: return of == dtype::u64;
        case op_types::FLT: return is_float(of);
        case op_types::INT: return of == dtype::bool_ ? row.on_bool == on_bool_rule::self : !is_float(of);
        default: return of != dtype::bool_ || row.on_bool == on_bool_rule::self;
    }
}

}  // namespace frit::v0::fusion
