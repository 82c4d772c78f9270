// Programs that are made at run time, where those of typed formulas are constants of the program's text: one of each
// content, with a slot of its own, kept for ever, since nodes point at them. There are as many as the text has formulas that
// meet.
#pragma once

#include <span>

#include "frit/detail/record.hpp"

namespace frit::inline v0::detail {

struct known_program {
    program code;
    mutable static_slot slot;
};

/// The one program with these instructions. @throws std::bad_alloc
const known_program& program_of(std::span<const instruction>);

}  // namespace frit::v0::detail
