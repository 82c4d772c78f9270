// A function of the C subset as a tree: names are resolved, types are those of C, and what the subset leaves out has been
// refused with its place in the text (parser.cpp). run.cpp walks it with arrays in the place of numbers.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frit/detail/record.hpp"

namespace frit::inline v0::detail {

struct text_function;

/// A place in a text, from 1 on.
struct text_place {
    int line = 1, column = 1;
};

struct expression {
    enum class kind : std::uint8_t {
        number,    ///< `bits` of `type`
        variable,  ///< number `variable`
        apply,     ///< `code` of the operands, which are converted to `type` (real ones beside complex ones to that of their
                   ///< parts); of a comparison it is what is compared
        choice,    ///< operand 0 ? 1 : 2
        convert,   ///< operand 0 as `type`
        call       ///< `callee` of the operands
    };
    kind what = kind::number;
    dtype type = dtype::i32;  ///< of the result; apply: see result
    dtype result = dtype::i32;
    op code = op::leaf;
    scalar_bits bits{};
    std::uint32_t variable = 0;
    const text_function* callee = nullptr;
    std::vector<expression> operands{};
};

/// Whether there is a loop, and whether it surely ends within the rounds that a loop can have. The worst comes last.
enum class looping : std::uint8_t { none, ends, may_not_end };

struct text_statement {
    enum class kind : std::uint8_t {
        set,        ///< `variable` = `value`; what it is declared with, too
        branch,     ///< if `value`: body, else otherwise
        loop,       ///< while `value`: body, then `step`; `first`: not before the first round
        leave,      ///< break
        next,       ///< continue
        give_back,  ///< return; what it gives has been set
        block       ///< body
    };
    kind what = kind::block;
    std::uint32_t variable = 0;
    expression value{};
    std::vector<text_statement> body{}, otherwise{}, step{};
    bool first = false;
    // of a loop: where it stands, what it sets that is declared outside, and how it may be left
    text_place at{};
    std::vector<std::uint32_t> sets{};
    bool may_leave = false, may_return = false;
    looping itself = looping::none, inside = looping::none;  ///< inside: in its parts, its condition and what they call
};

struct text_function {
    std::string name;
    std::uint32_t parameters = 0, results = 0;  ///< the first variables, and those behind them
    bool several = false;                       ///< results have names, y0, y1, ...: it gives them where it ends
    std::vector<dtype> variables;
    std::vector<text_statement> body;
    std::size_t numbers = 0;  ///< in its tree and those of the functions that it calls
    std::size_t size = 0;     ///< words of its text, with those of the functions that it calls
    looping loops = looping::none;
};

/// Fills in what is known of the ends of its loops.
void find_endings(text_function&);

/// Of a loop without a limit: 2^31 - 1. Tests have fewer.
extern std::atomic<std::int32_t> most_rounds;

/// Those made under a name, the last of each list of parameters' types; the newest is behind the others.
std::vector<const text_function*> functions_of_name(std::string_view name);

}  // namespace frit::v0::detail
