// See kernels.hpp.
#include "src/libraries/kernels.hpp"

#include <utility>

namespace frit::inline v0::detail {

kernel_routine::kernel_routine(std::string_view called, std::vector<int> in_place, int given_numbers)
    : library_routine{}, label(called), works_on(std::move(in_place)) {
    name = label;
    results = static_cast<int>(works_on.size());
    reads = fusion::reads_row_major;
    overwrites = works_on;
    numbers = given_numbers;
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
