// See kernels.hpp.
#include "src/libraries/kernels.hpp"

#include <utility>

#include "src/base/errors.hpp"

namespace frit::inline v0::detail {

kernel_routine::kernel_routine(std::string_view called, std::vector<int> in_place, int given_numbers)
    : library_routine{}, label(called), works_on(std::move(in_place)), own_numbers(given_numbers) {
    name = label;
    results = static_cast<int>(works_on.size());
    reads = fusion::reads_row_major;
    overwrites = works_on;
    numbers = static_cast<int>(line_numbers) + own_numbers;
}

std::array<std::uint64_t, line_numbers> numbers_of_line(source_line where) {
    return {reinterpret_cast<std::uintptr_t>(where.file), static_cast<std::uint64_t>(where.line)};
}

std::string formula_of(const call_memory& at) {
    const auto* const file = reinterpret_cast<const char*>(static_cast<std::uintptr_t>(at.numbers[0]));
    const std::size_t line_of_plan = at.formula.ends_with(']') ? at.formula.rfind(" [") : at.formula.npos;
    return std::string(at.formula.substr(0, line_of_plan)) + place({file, static_cast<int>(at.numbers[1])});
}

std::size_t unasked_bytes(const fusion::library_call& c) {
    std::size_t bytes = 0;
    for (std::size_t k = 0; k < c.results.size(); ++k) {
        if (c.results[k].asked) continue;
        const fusion::call_operand& of = c.operands[static_cast<std::size_t>(c.of->overwritten(k))];
        bytes += (static_cast<std::size_t>(of.extents.size()) * size_of(of.type) + 255) / 256 * 256;
    }
    return bytes;
}

}  // namespace frit::v0::detail
