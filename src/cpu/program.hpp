// The interpreter's code: a kernel spec turned into steps over slots. Every instruction of the spec is one slot; a slot
// points to one element (scalar), to a register (a block of scratch memory), or into the arrays themselves.
#pragma once

#include <cstdint>
#include <vector>

#include "fusion/ir/kernel_spec.hpp"
#include "src/cpu/iterate.hpp"
#include "src/cpu/running.hpp"

namespace frit::inline v0::detail {

/// How the domain is cut into blocks. In `rows` a block lies in one row of the innermost dimension: what does not move
/// along it is a scalar and what moves by one element is read and written in place. In `packed` a block spans short rows.
enum class block_mode : std::uint8_t { rows, packed };

/// What a program is made of: a whole spec, or what one pass over its rows evaluates.
struct program_code {
    program_code(const fusion::kernel_spec& s, block_mode m) : spec(s), mode(m) {}
    const fusion::kernel_spec& spec;  ///< its last dimension is the innermost one, along which blocks lie
    block_mode mode;
    bool row_values_move = false;   ///< along the innermost dimension: there op::row is no scalar
    bool own_sums = false;          ///< totals take in a row alone, or an element of many: sums may have loops of their own
    std::vector<bool> body;         ///< [instruction]: is evaluated; empty: all are
    std::vector<bool> kept, given;  ///< [instruction]: goes to a row buffer, comes from there; empty: none does
    std::vector<std::uint16_t> reductions;
    bool stores = true;
};

struct block_program {
    enum class kind : std::uint8_t { table, running, iterate, recurrence };
    struct step {
        loop run;                  ///< null where it is none of the table's
        std::uint16_t d, a, b, c;  ///< slots; of running values c, of an iterate or a recurrence d is which
        kind what = kind::table;
    };
    struct iterate {  ///< or a recurrence
        loop_code run;
        std::vector<std::uint16_t> operands, states;  ///< slots; no_register: a state that nobody asks for
    };
    struct fill {
        std::uint16_t slot, index;  ///< in spec.loads or spec.coords, or as the list says
    };
    struct output {
        std::uint16_t store, value;  ///< index in spec.stores; slot of the value
        bool direct;                 ///< the step that makes the value writes into the array where the store is contiguous
        loop copy, stream;           ///< of the value to contiguous memory; stream: past the caches
        std::uint16_t spare;         ///< the register of a direct one's value where that is streamed
    };
    struct total {
        std::uint16_t reduction, value, second;  ///< slots; the second value is read if the reduction takes pairs
        std::uint16_t other;                     ///< slot of the second operand of `loops`, or of a third value
        const sum_loops* loops;                  ///< a sum's own; null: of values as they are
    };
    struct tally {
        std::uint16_t place, amount;  ///< slots
    };
    struct polynomial {
        std::uint16_t slot, value;  ///< slot of the packed coefficients; slot of the result
        std::uint16_t start, x;
        std::vector<std::uint16_t> coefficients;  ///< slots, all scalars
    };
    static constexpr std::uint16_t no_register = 0xffff;

    block_program(const program_code&, const isa_table&);

    const isa_table& table;

    std::vector<fill> row_loads, row_coords;      ///< scalars that change from row to row
    std::vector<fill> block_loads, block_coords;  ///< what a block reads
    std::vector<fill> row_values;                 ///< op::row: slot and instruction of the row code
    std::vector<std::uint16_t> buffered;          ///< slots in row buffers, made here or before
    std::vector<step> once;                       ///< steps on scalars, at the start of a row
    std::vector<step> block;                      ///< steps on blocks
    std::vector<running_loops> running;           ///< what the steps of running values do
    std::vector<iterate> iterates;                ///< and those of loops and of recurrences
    std::vector<polynomial> polynomials;          ///< whose coefficients are packed when `once` is done
    std::vector<output> outputs;
    std::vector<total> totals;
    std::vector<tally> tallies;
    std::vector<fill> addresses;              ///< slots of words that are addresses: slot and word, for gathers
    std::vector<std::uint16_t> registers_of;  ///< [slot]: its register, or no_register
    std::vector<bool> is_scalar;              ///< [slot]
    std::uint16_t slots = 0, registers = 0;  ///< slots: the spec's instructions, then polynomials' coefficients, then copies
                                             ///< for outputs and totals
    int register_bytes = 0;
    int block_size = 0;  ///< elements
};

}  // namespace frit::v0::detail
