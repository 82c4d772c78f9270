// How the interpreter runs the loop of an iterate: round after round over a few elements whose values caches hold. Elements
// that are done leave, so that a round costs what is still going on. And a recurrence: its steps over rows side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "fusion/ir/kernel_spec.hpp"
#include "src/base/interruption.hpp"
#include "src/cpu/isa.hpp"

namespace frit::inline v0::detail {

/// Where an iterate of some code has its operands, and its states: instructions.
struct loop_instructions {
    static constexpr std::uint16_t nobody = 0xffff;  ///< a state that nobody asks for
    loop_instructions(std::uint16_t iterate, const std::vector<fusion::instruction>& code, std::size_t states);
    std::vector<std::uint16_t> operands, states;
};

class loop_code {
public:
    loop_code(const fusion::loop_spec&, const isa_table&);

    std::size_t scratch_bytes() const { return scratch_bytes_; }
    /// n elements of each operand (the most rounds, then the inputs) and of each state, side by side. Null: a state that
    /// nobody asks for. A state may go where an operand is.
    /// @param words  of the launch
    void run(const void* const* operands, void* const* states, std::int64_t n, std::byte* scratch,
             const std::uint64_t* words) const;
    /// A step for each of so many elements of `rows` rows side by side: of a recurrence, whose operands are the inputs
    /// alone.
    /// @param before  each state, of all rows: what comes before the elements, and then what comes behind them
    /// @param states  behind each element. Null: a state that nobody asks for
    void run_along(const void* const* operands, std::byte* const* before, void* const* states, std::int64_t rows,
                   std::int64_t count, std::byte* scratch, const std::uint64_t* words) const;
    std::size_t size_of_state(std::size_t k) const { return size_of(spec_.inputs[k]); }

private:
    static constexpr std::int64_t most_elements = 128;  // at once
    struct step {
        loop run;  ///< null: the loop inside, number d
        std::uint16_t d, a, b, c;
    };
    struct inside {
        loop_instructions where;
        std::shared_ptr<const loop_code> code;
    };
    struct elements;
    void add_step(std::uint16_t k, const isa_table&, std::vector<step>& to);
    void run_steps(const std::vector<step>&, const elements&) const;
    void drop_done(elements&, void* const* states, std::int32_t round) const;
    void advance(elements&) const;
    elements placed(std::byte* scratch, const std::uint64_t* words) const;
    void point_to_inputs(elements&) const;

    const fusion::loop_spec spec_;
    std::vector<step> test_, step_;    ///< what `until` takes, and the rest of a round
    std::vector<std::uint16_t> made_;  ///< instructions that test_ computes, and step_ reads perhaps
    std::vector<inside> loops_;
    std::size_t scratch_bytes_ = 0, inner_bytes_ = 0, most_pointers_ = 0;
};

/// One iterate of a row's code, whose values all have memory of their own.
struct row_loop {
    std::uint16_t at;  ///< instruction
    loop_instructions where;
    loop_code code;
    /// @param value  of an instruction: where it is
    template <class F>
    void run(const F& value, std::int64_t n, std::byte* scratch, const void** operands, void** states,
             const std::uint64_t* words) const {
        for (std::size_t k = 0; k < where.operands.size(); ++k) operands[k] = value(where.operands[k]);
        for (std::size_t k = 0; k < where.states.size(); ++k)
            states[k] = where.states[k] == loop_instructions::nobody ? nullptr : value(where.states[k]);
        code.run(operands, states, n, scratch, words);
    }
};
/// Those of a spec's row code, and the scratch memory that they take.
struct row_loops {
    row_loops(const fusion::kernel_spec&, const isa_table&);
    std::vector<row_loop> all;
    std::size_t scratch_bytes = 0, most_operands = 0, most_states = 0;
    const row_loop& at(std::uint16_t instruction) const;
};

}  // namespace frit::v0::detail
