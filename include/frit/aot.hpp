// Formulas that the host compiler compiles, as part of the program that they stand in. A header to include besides frit.hpp.
#pragma once

#include <type_traits>

#include "frit/array.hpp"
#include "frit/detail/aot_loops.hpp"

namespace frit::inline v0 {

namespace detail {
/// A formula as code of the program.
struct aot_kernel {
    aot_function run[2];  ///< [1]: with fma
    std::uint16_t cost;   ///< of one element, see ops.def
    dtype type;           ///< of the elements that it computes
    op reduced;           ///< how those are reduced then; leaf: they are the result
};

/// Runs a kernel over the leaves of a statement, into memory of its own: a stored node. What is on a GPU, or is a step that
/// is being traced, is recorded as every statement is, and the former evaluated. Errors as of record.
FRIT_API handle_ref run_aot(const aot_kernel&, const statement&);

template <class E, int Isa = FRIT_AOT_ISA>
inline constexpr aot_kernel aot_kernel_for{
    {&aot_kernel_of<E, false, Isa>::run, &aot_kernel_of<E, true, Isa>::run},
    aot_kernel_of<E, true, Isa>::values.cost,
    aot_kernel_of<E, true, Isa>::values.of[aot_kernel_of<E, true, Isa>::values.root].type,
    aot_kernel_of<E, true, Isa>::values.reduced};
}  // namespace detail

/// The value of an elementwise formula, or of a reduction of one, computed now by code that the host compiler makes of it:
/// no plan, no compiler at run time, no interpreter, so that small arrays cost little more than their arithmetic. The result
/// is an array as any other: it is stored, and further formulas read it.
///
/// ```cpp
/// const frit::array<float> x{1, 2, 3}, y{4, 5, 6};
/// frit::array<float> z = frit::aot(2.0F * x + y);
/// z = frit::aot(z(frit::slice(0, 2)) * z(frit::slice(1, 3)));
/// std::cout << z << " " << frit::aot(frit::sum(z * 0.5F)) << "\n";
/// ```
/// ```text
/// [ 54. 108.] 81.0
/// ```
///
/// A sum, prod, min, max, any or all may stand around the formula, over all elements or over the last axis. So is compiled
/// what reads arrays of one shape in order, of up to 4,096 elements; other reductions (of more, of views, over other axes)
/// are planned and evaluated as any statement is.
///
/// Operands are arrays, views of arrays, which are read where they lie, and numbers, broadcast as in any formula; anything
/// else (a sum within the formula, a mean) is computed before: `array<float> s = sum(x)`. What is still pending is evaluated
/// first. The dtypes are bool, integers, float and double. The bits are those of the CPU's other engines. For that the
/// program holds two versions, with and without fma, whatever instruction set it is compiled for, and the machine chooses.
/// (clang's option -ffp-contract=fast, where it is given together with an instruction set that has fma, contracts more than
/// that.)
///
/// Arrays on a GPU are computed there, by the kernel that NVRTC makes of the formula; and in a step that is being traced
/// (iterate, function) the formula is a part of the step. Many rows of a few elements each, `points(n, 3) * scale(3)`, are
/// planned and evaluated as any statement is, which takes many rows at a time.
/// @throws shape_error, dtype_error, device_error as recording the formula does
template <detail::operand A, int Isa = FRIT_AOT_ISA>
auto aot(const A& formula, source_line where = {}) {
    using E = detail::operand_t<A>;
    constexpr bool known = !detail::folded<E>::program.dynamic;
    static_assert(known, "frit: aot compiles what has its dtype at compile time: of an any_array write x.as<float>()");
    constexpr bool valid = !known || detail::make_aot_values<E>(false).valid;
    static_assert(valid,
                  "frit: aot takes elementwise formulas of arrays of bool, integers, float and double, their views "
                  "and numbers, and a sum, prod, min, max, any or all of one: make an array of anything else first");
    if constexpr (!known || !valid)
        return formula;  // one error is enough
    else if constexpr (!std::is_same_v<A, E>)
        return aot<E, Isa>(E(formula), where);
    else
        return array<cpp_type<E::type>>(
            detail::run_aot(detail::aot_kernel_for<E, Isa>, detail::packed<E>(formula, where, nullptr).value));
}

}  // namespace frit::v0
