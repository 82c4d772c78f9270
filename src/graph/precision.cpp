// See precision.hpp.
#include "src/graph/precision.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "src/engine/matrix_product.hpp"

namespace frit::inline v0::detail {
namespace {

thread_local constinit precision asked = precision::float32;

bool is_product(const instruction& i) { return i.code == op::matmul && (i.type == dtype::f32 || i.type == dtype::c64); }

}  // namespace

precision exchange_precision(precision p) noexcept { return std::exchange(asked, p); }

op as_written(op code) { return std::find(products.begin(), products.end(), code) != products.end() ? op::matmul : code; }

const known_program* with_asked_precision(const program& p) {
    if (asked == precision::float32 || std::none_of(p.code, p.code + p.length, is_product)) return nullptr;
    std::vector<instruction> steps(p.code, p.code + p.length);
    for (instruction& i : steps)
        if (is_product(i)) i.code = products[static_cast<std::size_t>(asked)];
    return &program_of(steps);
}

}  // namespace frit::v0::detail
