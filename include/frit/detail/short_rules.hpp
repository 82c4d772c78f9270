// Where functions of 16-bit floats may have fewer digits: the one rule, for statements as they are planned and as
// frit::aot compiles them.
#pragma once

#include <cstddef>
#include <iterator>
#include <span>

#include "frit/detail/record.hpp"
#include "frit/opcode.hpp"

namespace frit::inline v0::detail {

/// Whether instruction k's result, of a program that ends in `result`, goes into a 16-bit result as it is, or by products
/// and quotients, which keep relative errors, and sums with numbers. (A short form is next to 1 and -1 as exact as float32's
/// function; what two arrays' difference leaves of it need not be.)
/// @param below  how many values are on the stack below it
/// @param type_of  of each of them
/// @param is_number  likewise
template <class TypeOf, class IsNumber>
constexpr bool ends_short(std::span<const instruction> code, dtype result, std::size_t k, std::size_t below,
                          const TypeOf& type_of, const IsNumber& is_number) {
    bool above[64] = {};  // what is on the stack above the value: whether it is a number
    std::size_t count = 0;
    while (++k < code.size()) {
        const instruction& i = code[k];
        if (i.code == op::index) {
            if (count == 0) return false;
        } else if (i.code == op::leaf || i.code == op::coord || i.code == op::scalar) {
            if (count == std::size(above)) return false;  // operands of some call: no formula is as long
            above[count++] = i.code == op::scalar;
        } else if (i.code == op::cast && count == 0) {
            return is_short(i.type);
        } else if (i.code == op::bit_cast && count == 0) {
            return size_of(i.type) == 2;
        } else if (i.code == op::update && count == 0) {
            return is_short(type_of(below - 1));
        } else if (is_elementwise(i.code)) {
            const std::size_t operands = info(i.code).arity;
            if (count < operands) {
                const bool second = count == 0 && operands > 1;
                const bool number = second ? is_number(below - 1) : count > 0 && above[count - 1];
                const bool keeps = i.code == op::mul || i.code == op::rounded_mul || i.code == op::div || i.code == op::neg;
                if (!keeps && !(number && (i.code == op::add || i.code == op::sub))) return false;
                if (second) --below;
                count = 0;
            } else {
                count -= operands;
                above[count++] = false;
            }
        } else if (i.code != op::view && i.code != op::cast) {
            return false;
        }
    }
    return is_short(result);
}

}  // namespace frit::v0::detail
