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
};

/// Runs a kernel over the leaves of a statement, into memory of its own: a stored node. What is on a GPU, or is a step that
/// is being traced, is recorded as every statement is, and the former evaluated. Errors as of record.
FRIT_API handle_ref run_aot(const aot_kernel&, const statement&);

template <class E>
inline constexpr aot_kernel aot_kernel_for{
    {&aot_kernel_of<E, false, FRIT_AOT_ISA>::run, &aot_kernel_of<E, true, FRIT_AOT_ISA>::run},
    aot_kernel_of<E, true, FRIT_AOT_ISA>::values.cost};
}  // namespace detail

/// The value of an elementwise formula, computed now by code that the host compiler makes of it: no plan, no compiler at run
/// time, no interpreter, so that small arrays cost little more than their arithmetic. The result is an array as any other:
/// it is stored, and further formulas read it.
///
/// ```cpp
/// const frit::array<float> x{1, 2, 3}, y{4, 5, 6};
/// frit::array<float> z = frit::aot(2.0F * x + y);
/// z = frit::aot(z(frit::slice(0, 2)) * z(frit::slice(1, 3)));
/// std::cout << z << " " << frit::sum(z) << "\n";
/// ```
/// ```text
/// [ 54. 108.] 162.0
/// ```
///
/// Operands are arrays, views of arrays, which are read where they lie, and numbers, broadcast as in any formula; anything
/// else (a sum, say) is computed before: `array<float> s = sum(x)`. What is still pending is evaluated first. The dtypes are
/// bool, integers, float and double. The bits are those of the CPU's other engines. For that the program holds two versions,
/// with and without fma, whatever instruction set it is compiled for, and the machine chooses. (clang's option
/// -ffp-contract=fast, where it is given together with an instruction set that has fma, contracts more than that.)
///
/// Arrays on a GPU are computed there, by the kernel that NVRTC makes of the formula; and in a step that is being traced
/// (iterate, function) the formula is a part of the step.
/// @throws shape_error, dtype_error, device_error as recording the formula does
template <detail::operand A>
auto aot(const A& formula, source_line where = {}) {
    using E = detail::operand_t<A>;
    static_assert(E::type != detail::run_time,
                  "frit: aot compiles what has its dtype at compile time: of an any_array write x.as<float>()");
    static_assert(detail::make_aot_values<E>(false).valid || E::type == detail::run_time,
                  "frit: aot takes elementwise formulas of arrays of bool, integers, float and double, their views and "
                  "numbers: make an array of anything else first");
    const auto run = [&](const E& e) {
        return array<cpp_type<E::type>>(
            detail::run_aot(detail::aot_kernel_for<E>, detail::packed<E>(e, where, nullptr).value));
    };
    if constexpr (std::is_same_v<A, E>)
        return run(formula);
    else
        return run(E(formula));
}

}  // namespace frit::v0
