// Binary searches of values in a sorted vector (searchsorted and what stands on it). Never a call: kernels have them
// (graph::add_search), so that they fuse with what makes the values and with what reads the places. Only the vector lies in
// memory.
#include <string_view>

#include "src/libraries/libraries.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr int sorted = 0, searched = 1;  // the operands

const shape* shape_of(int, std::span<const shape* const> operands, fusion::shape_set&) {
    return operands[sorted]->rank() == 1 ? operands[searched] : nullptr;
}
std::string_view misfit(std::span<const shape>) { return "searches a vector"; }

fusion::value_id formula(fusion::graph& g, op code, std::span<const fusion::value_id> operands, const fusion::target&) {
    return g.add_search(code == op::searchsorted_right ? op::search_right : op::search_left, operands[sorted],
                        operands[searched]);
}

}  // namespace

namespace libraries {
extern const library_routine search;
const library_routine search{
    {.name = "searchsorted", .results = 1, .shape_of = shape_of, .misfit = misfit, .reads = fusion::reads_row_major},
    formula,
    nullptr,
    {},
    {},
};
}  // namespace libraries

}  // namespace frit::v0::detail
