// The checks of the creation functions that depend on no type: how many elements arange makes, whether a range fits a shape.
#include "frit/create.hpp"

#include <cmath>
#include <string>

#include "src/base/errors.hpp"

namespace frit::inline v0::detail {
namespace {
[[noreturn]] void throw_zero_step(source_line where) { throw index_error("arange: the step must not be 0" + place(where)); }
[[noreturn]] void throw_too_many(source_line where) {
    throw_shape_error("arange", "the number of elements is not finite, or too large", {}, where);
}

constexpr std::uint64_t most_elements = (std::uint64_t{1} << 59) - 1;  // as a shape's: 16 bytes each

void check_fits(whole_number x, dtype type, source_line where) {
    if (!is_integer(type)) return;
    const int bits = static_cast<int>(8 * size_of(type));
    const bool has_sign = kind_of(type) == dtype_kind::integer;
    const std::uint64_t largest = ~std::uint64_t{0} >> (64 - bits + (has_sign ? 1 : 0));
    if (x.negative ? has_sign && ~x.bits <= largest : x.bits <= largest) return;
    throw dtype_error("arange: the element " +
                      (x.negative ? std::to_string(static_cast<std::int64_t>(x.bits)) : std::to_string(x.bits)) +
                      " does not fit " + std::string(name_of(type)) + place(where));
}
}  // namespace

std::int64_t count_steps(double start, double stop, double step, source_line where) try {
    if (step == 0) throw_zero_step(where);
    const double distance = stop - start, ratio = distance / step;
    if (ratio == 0 && distance != 0) return std::signbit(ratio) ? 0 : 1;  // as NumPy: a step beyond the end leaves the first
    const double count = std::ceil(ratio);
    if (!(count < 0x1p59)) throw_too_many(where);
    return count > 0 ? static_cast<std::int64_t>(count) : 0;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("arange", where);
}

std::int64_t count_steps(whole_number start, whole_number stop, whole_number step, dtype type, source_line where) try {
    if (step.bits == 0) throw_zero_step(where);
    const bool down = step.negative;
    const whole_number &low = down ? stop : start, &high = down ? start : stop;
    const bool any = low.negative != high.negative ? low.negative : low.bits < high.bits;
    if (!any) return 0;
    // The distance of an int64 and a uint64 may need 65 bits.
    const std::uint64_t distance = high.bits - low.bits, stride = down ? 0 - step.bits : step.bits;
    if (low.negative && !high.negative && distance < high.bits) throw_too_many(where);
    const std::uint64_t last = (distance - 1) / stride, way = last * stride;  // its index, and how far it is
    if (last >= most_elements) throw_too_many(where);
    whole_number end = start;
    end.bits += last * step.bits;
    end.negative = down ? start.negative || way > start.bits : start.negative && way < 0 - start.bits;
    check_fits(start, type, where);
    check_fits(end, type, where);
    return static_cast<std::int64_t>(last + 1);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("arange", where);
}

void check_count(std::int64_t given, const shape& wanted, source_line where) {
    if (given != wanted.size()) throw_element_count("from_host", wanted, static_cast<std::size_t>(given), where);
}

}  // namespace frit::v0::detail
