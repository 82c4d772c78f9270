// From a row of ops.def to the object that its file defines.
#include "src/libraries/libraries.hpp"

namespace frit::inline v0::detail {

namespace libraries {
#define FRIT_LIBRARY(name, call, ...) extern const library_routine call;
#define FRIT_INNER_LIBRARY(name, call, ...) extern const library_routine call;
#include "frit/ops.def"
extern const library_routine scatter, checking_scatter;
}  // namespace libraries

const library_routine& routine_of(op code) {
    static constexpr const library_routine* by_row[] = {
#define FRIT_LIBRARY(name, call, ...) &libraries::call,
#include "frit/ops.def"
#define FRIT_SCATTER(name) &libraries::scatter,
#include "frit/ops.def"
#define FRIT_INNER_LIBRARY(name, call, ...) &libraries::call,
#include "frit/ops.def"
    };
    return *by_row[static_cast<int>(code) - count_ops - count_reductions];
}

const library_routine& checking_scatter() { return libraries::checking_scatter; }

}  // namespace frit::v0::detail
