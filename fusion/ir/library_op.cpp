// The layout that every library reads.
#include "fusion/ir/library_op.hpp"

namespace frit::inline v0::fusion {

std::optional<std::vector<std::int64_t>> reads_row_major(int /*k*/, const shape& extents, const strided& at) {
    std::vector<std::int64_t> dense = row_major(extents);
    for (int k = 0; k < extents.rank(); ++k)
        if (extents[k] > 1 && at.axes[static_cast<std::size_t>(k)].stride != dense[static_cast<std::size_t>(k)]) return {};
    return dense;
}

}  // namespace frit::v0::fusion
