// See real_rows.hpp.
#include "src/cuda/real_rows.hpp"

#include <algorithm>
#include <iterator>
#include <string>

namespace frit::inline v0::detail::cuda {
namespace {

constexpr const char* real_rows_text =
#include "frit_small_real_rows.inc"
    ;

/// How a row's n / 2 pairs are shared out: lanes that have `across` of them each (see real_rows.cuh).
struct shared_row {
    unsigned lanes, across;
    constexpr std::int64_t elements() const { return std::int64_t{2} * lanes * across; }
};
constexpr shared_row shared_rows[] = {{4, 8}, {4, 16}, {8, 16}, {8, 32}, {16, 32}, {32, 32}};
const shared_row* shared_row_of(std::int64_t n) {
    return std::find_if(std::begin(shared_rows), std::end(shared_rows),
                        [n](const shared_row& r) { return r.elements() == n; });
}

constexpr unsigned threads_of_block = 128;

}  // namespace

bool transforms_rows(std::int64_t n) { return shared_row_of(n) != std::end(shared_rows); }

small_kernel real_rows(std::int64_t n, bool window, bool magnitudes) {
    const shared_row& row = *shared_row_of(n);
    const auto flag = [](bool b) { return b ? ", true" : ", false"; };
    const std::string name = "real_rows<" + std::to_string(row.lanes) + ", " + std::to_string(row.across) + flag(window) +
                             flag(magnitudes) + ", " + std::to_string(threads_of_block) + ">";
    return {&own_source(name, "rfft of rows of " + std::to_string(n) + " float32", {real_rows_text}, "pnppn"),
            threads_of_block, threads_of_block / row.lanes};
}

}  // namespace frit::v0::detail::cuda
