// Instruction-set levels of the CPU: which ones this machine has, which one this process uses, and the table of
// precompiled loops and vector math that belongs to each. The tables come from src/cpu/isa/, one file per level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "frit/dtype.hpp"
#include "frit/opcode.hpp"

namespace frit::inline v0::detail {

enum class isa_level : std::uint8_t { baseline, avx2, avx512 };
inline constexpr int isa_levels = 3;
constexpr std::string_view name_of(isa_level l) {
    constexpr std::string_view names[] = {"baseline", "avx2", "avx512"};
    return names[static_cast<int>(l)];
}

// The numbering of the array dtypes, for tables: those that are computed with; then the short floats, which have casts,
// copies, selections and neighbours alone; then complex numbers, which have copies, parts and products.
enum class compute_type : std::uint8_t {
#define FRIT_X(name, type) name,
    FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
};
inline constexpr int compute_types = 0
#define FRIT_X(name, type) +1
    FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
    ;
constexpr int index_of(dtype t) {
#define FRIT_X(name, type) \
    if (t == dtype::name) return static_cast<int>(compute_type::name);
    FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
    return -1;
}

/// d[i] = f(a[i], b[i], c[i]) for i < n. Operands may be d itself; memory outside [0, n) is not touched.
using loop = void (*)(void* d, const void* a, const void* b, const void* c, std::int64_t n);
/// What a reduction takes in: x, or for sums of floats also |x|, x y, |x - y|, (x - y)^2, each step rounded.
enum class summand : std::uint8_t { value, absolute, product, absolute_difference, squared_difference };
inline constexpr int summands_of_sums = 5;
/// acc[(lane + i) % 64] = combine(acc[(lane + i) % 64], x[i]) for i < n, in order of i. `y`: where the summand has it.
using accumulate_loop = void (*)(void* acc, const void* x, const void* y, std::int64_t n, std::int64_t lane);
/// totals[r] = row r of `rows` reduced in the documented order of lanes (kernel_spec.hpp): rows lie one after the other, of
/// `length` values each, at most one block. `identity` is one value.
using reduce_rows_loop = void (*)(void* totals, const void* x, const void* y, std::int64_t rows, std::int64_t length,
                                  const void* identity);
struct sum_loops {
    accumulate_loop accumulate = nullptr;
    reduce_rows_loop reduce_rows = nullptr;
    loop add = nullptr;  ///< d[i] += what it makes of a[i] and b[i]
};
/// What a reduction takes in: values, or what a sum's own loops make of one or two operands. Of a reduction that takes three
/// values of each element `others` are the third ones.
struct summands {
    const void* values;
    const void* others = nullptr;
    const sum_loops* loops = nullptr;
};
/// The loops of a variance, whose rule has too many steps to run one by one: `parts` has an array of each part.
struct deviations_loops {
    /// Element i + k * width joins accumulator i < width, for k < times, in order of k. All have met `met` before; their
    /// counts are neither read nor written.
    void (*accumulate)(std::byte* const* parts, const void* values, std::int64_t width, std::int64_t times,
                       std::int64_t met);
    /// left[i] = left[i] with right[i], for i < n.
    void (*combine)(std::byte* const* left, std::byte* const* right, std::int64_t n);
    /// Whole rows as reduce_rows_loop, of a multiple of 64 values each; a word of `identity` for each part.
    void (*reduce_rows)(std::byte* const* totals, const void* values, std::int64_t rows, std::int64_t length,
                        const std::uint64_t* identity);
};

/// to[j] += the sum of factors[k] * rows[k * n + j] over k < count, for j < n, of integers; of bools, "or" over "and".
using product_loop = void (*)(void* to, const void* factors, const void* rows, std::int64_t count, std::int64_t n);

/// A function of the vector math table: whole registers in and out (vector calling convention), untyped here.
using math_function = void (*)();

/// Polynomials get a loop of their own: d = fma(... fma(fma(a, x, c[0]), x, c[1]) ..., x, c[terms - 1]), c an array of
/// scalars.
inline constexpr int horner_terms = 8;

struct isa_table {
    int vector_bytes;
    bool has_fma;
    /// [op][type of the operands][bit k: operand k is one element for all]. The type is operand a's, for selections b's.
    loop elementwise[detail::count_ops][compute_types][8];
    loop cast[compute_types][compute_types];  ///< [from][to]
    loop copy[compute_types][2];              ///< [1]: a is one element for all
    loop gather[5];                 ///< [log2 of the size]: d[i] = the element a[i], an int64, of the array at the address b
    loop search[2][compute_types];  ///< [1: search_right][type]: of a[i] in the first b, one for all, at the address c
    loop index;                     ///< a[i], int64, checked against b, one for all, and the fault record at the address c
    loop stream[compute_types];  ///< copies past the caches, as compiled kernels make them of what is far (cost_model.hpp)
    void (*finish_streams)();    ///< behind the last of them: whereupon other threads see them; null: there are none
    loop horner[2][horner_terms + 1][2];  ///< [f32, f64][terms, at least 2][1: a is one element for all]; b is x
    accumulate_loop accumulate[detail::count_reductions][compute_types];
    reduce_rows_loop reduce_rows[detail::count_reductions][compute_types];
    sum_loops sums[2][summands_of_sums][4];  ///< [f32, f64][summand][bit k: operand k is one element for all]; some are null
    product_loop add_products[compute_types];      ///< of integers and bool
    deviations_loops deviations[2];                ///< [f32, f64], fused where has_fma
    math_function own_math[detail::count_ops][2];  ///< [.][0] f32, [.][1] f64: frit's own, or lanes of libm; else null
    math_function (*math)[2];                      ///< what the loops call, the same indices: filled in by table_of
    math_function* pow_of_library;                 ///< [f32, f64] what frit's own pow calls: libm's lanes, or by table_of

    /// Of an op::cast or an op::bit_cast.
    loop conversion(op code, dtype from, dtype to) const {
        return code == op::cast ? cast[index_of(from)][index_of(to)] : copy[index_of(from)][0];
    }
};

/// The highest level that this machine has.
isa_level machine_isa() noexcept;
/// The table of a level that the machine has, its vector math resolved: libmvec's function of the full width where the
/// machine's libmvec has it, else the table's own. Thread-safe.
const isa_table& table_of(isa_level);

namespace baseline {
const isa_table& loops();
}
namespace avx2 {
const isa_table& loops();
}
namespace avx512 {
const isa_table& loops();
}

}  // namespace frit::v0::detail
