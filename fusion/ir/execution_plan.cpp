// Sums over a plan: see execution_plan.hpp.
#include "fusion/ir/execution_plan.hpp"

namespace frit::inline v0::fusion {

std::int64_t execution_plan::bytes_read() const {
    std::int64_t n = 0;
    for (const launch& l : launches) n += l.bytes_read;
    return n;
}

std::int64_t execution_plan::bytes_written() const {
    std::int64_t n = 0;
    for (const launch& l : launches) n += l.bytes_written;
    return n;
}

}  // namespace frit::v0::fusion
