// The checks of the creation functions that depend on no type: how many elements arange makes, whether a range fits a shape.
#include "frit/create.hpp"

#include <cmath>
#include <string>

#include "src/errors.hpp"

namespace frit::inline v0::detail {
namespace {
[[noreturn]] void throw_zero_step(source_line where) { throw index_error("arange: the step must not be 0" + place(where)); }
[[noreturn]] void throw_too_many(source_line where) {
    throw_shape_error("arange", "the number of elements is not finite, or too large", {}, where);
}
}  // namespace

std::int64_t count_steps(double start, double stop, double step, source_line where) {
    if (step == 0) throw_zero_step(where);
    const double count = std::ceil((stop - start) / step);
    if (!(count < 0x1p63)) throw_too_many(where);
    return count > 0 ? static_cast<std::int64_t>(count) : 0;
}

std::int64_t count_steps(std::uint64_t start, std::uint64_t stop, std::uint64_t step, source_line where) {
    if (step == 0) throw_zero_step(where);
    if (start >= stop) return 0;
    const std::uint64_t count = (stop - start - 1) / step + 1;
    if (count > static_cast<std::uint64_t>(INT64_MAX)) throw_too_many(where);
    return static_cast<std::int64_t>(count);
}

std::int64_t count_steps(std::int64_t start, std::int64_t stop, std::int64_t step, source_line where) {
    if (step == 0) throw_zero_step(where);
    if (step > 0 ? start >= stop : start <= stop) return 0;
    // Distances between int64s fit uint64.
    const std::uint64_t a = static_cast<std::uint64_t>(start), b = static_cast<std::uint64_t>(stop),
                        s = static_cast<std::uint64_t>(step);
    return step > 0 ? count_steps(std::uint64_t{0}, b - a, s, where) : count_steps(std::uint64_t{0}, a - b, 0 - s, where);
}

void check_count(std::int64_t given, const shape& wanted, source_line where) {
    if (given != wanted.size()) throw_element_count("from_host", wanted, static_cast<std::size_t>(given), where);
}

}  // namespace frit::v0::detail
