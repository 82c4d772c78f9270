// See small_matrices.hpp. A kernel's parameters are listed here as its text has them.
#include "src/cuda/small_matrices.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>

namespace frit::inline v0::detail::cuda {
namespace {

constexpr const char* numbers_text =
#include "frit_small_numbers.inc"
    ;
constexpr const char* solve_text =
#include "frit_small_solve.inc"
    ;
constexpr const char* rotations_text =
#include "frit_small_rotations.inc"
    ;
constexpr const char* svd_text =
#include "frit_small_svd.inc"
    ;
constexpr const char* eigh_text =
#include "frit_small_eigh.inc"
    ;
constexpr const char* exchanges_text =
#include "frit_small_exchanges.inc"
    ;

std::string title_of(std::string_view call, dtype t, std::int64_t m, std::int64_t n) {
    return std::string(call) + " of " + std::to_string(m) + " x " + std::to_string(n) + " " + std::string(name_of(t));
}
std::string type_text(dtype t) {
    const std::string real = real_dtype(t) == dtype::f32 ? "float" : "double";
    return is_complex(t) ? "small_complex<" + real + ">" : real;
}
std::string number_text(std::int64_t n) { return ", " + std::to_string(n); }
std::string flag_text(bool b) { return b ? ", true" : ", false"; }

/// Solved with one look at each factor; fewer where what is written out for each takes the compiler long (see solve.cuh: of
/// more than 16 rows nothing is).
std::int64_t sides_at_once(dtype t, std::int64_t n, std::int64_t sides) {
    if (sides <= 1) return 1;
    return size_of(t) == 16 && n > 8 && n <= 16 ? 2 : 4;
}

constexpr unsigned threads_of_rotations = 64;  // of a block, a matrix each

}  // namespace

bool solves_small(std::int64_t n) { return n >= 1 && n <= 32; }

small_kernel small_solve(dtype t, std::int64_t n, std::int64_t sides) {
    const unsigned lanes = std::bit_ceil(static_cast<unsigned>(n));
    const unsigned threads = n > 16 && size_of(t) == 16 ? 64 : 128;  // by the shared memory that a block's matrices take
    const std::string name = "small_solve<" + type_text(t) + number_text(n) + number_text(sides_at_once(t, n, sides)) +
                             number_text(lanes) + number_text(threads) + ">";
    return {&own_source(name, title_of("solve", t, n, n), {numbers_text, solve_text}, "pnnnnpnnnnpnnppnnn"), threads,
            threads / lanes};
}

std::int64_t parts_of_sides(std::int64_t count, std::int64_t sides) {
    constexpr std::int64_t fewest_sides = 64, most_groups = 16384;  // factoring is a fifth of solving; more than run at once
    return std::clamp<std::int64_t>(most_groups / std::max<std::int64_t>(count, 1), 1,
                                    std::max<std::int64_t>((sides + fewest_sides - 1) / fewest_sides, 1));
}

bool decomposes_small(dtype t, std::int64_t longer_side) {
    const std::int64_t most = size_of(t) == 4 ? 8 : size_of(t) == 8 ? 5 : 4;
    return longer_side <= most;
}

small_kernel small_svd(dtype t, std::int64_t m, std::int64_t n, bool vectors, bool full) {
    const std::string name = "small_svd<" + type_text(t) + number_text(m) + number_text(n) + flag_text(vectors) +
                             flag_text(full && vectors && m != n) + number_text(threads_of_rotations) + ">";
    return {&own_source(name, title_of("svd", t, m, n), {numbers_text, rotations_text, svd_text}, "pnnnnpppnn"),
            threads_of_rotations, threads_of_rotations};
}

small_kernel small_eigh(dtype t, std::int64_t n, bool vectors) {
    const std::string name =
        "small_eigh<" + type_text(t) + number_text(n) + flag_text(vectors) + number_text(threads_of_rotations) + ">";
    return {&own_source(name, title_of("eigh", t, n, n), {numbers_text, rotations_text, eigh_text}, "pnnnnppnn"),
            threads_of_rotations, threads_of_rotations};
}

small_kernel row_order() {
    constexpr unsigned rows = 128;
    return {&own_source("rows_behind_exchanges", "the order of lu's rows", {exchanges_text}, "ppnnn"), rows, rows};
}

}  // namespace frit::v0::detail::cuda
