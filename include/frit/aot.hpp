// Formulas that the host compiler compiles, as part of the program that they stand in. A header to include besides frit.hpp.
#pragma once

#include <type_traits>

#include "frit/array.hpp"
#include "frit/detail/aot_loops.hpp"
#include "frit/detail/composed.hpp"

namespace frit::inline v0 {

namespace detail {
/// A formula as code of the program.
struct aot_kernel {
    aot_function run[2];   ///< [1]: with fma
    aot_function tail[2];  ///< from a reduction's totals, which stand behind the leaves, to the result; null: they are it
    const program* code;
    std::uint16_t cost;  ///< of one element, see ops.def
    dtype type;          ///< of the elements that `run` computes
    dtype result;        ///< of the result's
    op reduced;          ///< how the former are reduced then; leaf: they are the result
    bool planned;        ///< the reduction is no plain one: there are no functions
};

/// Runs a kernel over the leaves of a statement, into memory of its own: a stored node. What is on a GPU, or is a step that
/// is being traced, is recorded as every statement is, and the former evaluated. Errors as of record.
FRIT_API handle_ref run_aot(const aot_kernel&, const statement&);
/// The same of a formula that the library has recorded, if its statement is the kernel's.
FRIT_API handle_ref run_aot(const aot_kernel&, const user_ref& recorded, source_line);

template <class E, int Isa>
constexpr aot_kernel make_aot_kernel() {
    constexpr const auto& values = aot_values_of<E, true>;
    aot_kernel k{{}, {}, &folded<E>::program, values.cost, E::type, E::type, values.reduced, values.planned};
    if constexpr (!values.planned) {
        k.type = values.values[aot_kernel_of<E, true, Isa>::root].type;
        k.run[0] = &aot_kernel_of<E, false, Isa>::run, k.run[1] = &aot_kernel_of<E, true, Isa>::run;
        // Totals of complex numbers come as parts, of which the result may be one.
        if constexpr (values.reduced != op::leaf && (values.root != values.first_total || is_complex(E::type) ||
                                                     is_complex(values.values[aot_kernel_of<E, true, Isa>::root].type)))
            k.tail[0] = &aot_kernel_of<E, false, Isa, true>::run, k.tail[1] = &aot_kernel_of<E, true, Isa, true>::run;
    }
    return k;
}
template <class E, int Isa = FRIT_AOT_ISA>
inline constexpr aot_kernel aot_kernel_for = make_aot_kernel<E, Isa>();

/// What aot compiles of an operand: its formula; of a mean, the one that mean_of in src/formulas records.
template <class A>
struct aot_formula {
    using type = operand_t<A>;
};
template <dtype D, class E>
struct converted_formula {
    using type = expr<op::cast, D, E>;
};
template <dtype D, class E>
requires(E::type == D) struct converted_formula<D, E> {
    using type = E;
};
template <class E>
inline constexpr bool is_known_aot = [] {
    if constexpr (E::type == run_time)
        return false;
    else
        return is_aot<E>;
}();
template <class E>
struct aot_formula<mean_formula<E>> {
    static constexpr dtype result = statistic_dtype(E::type), in = register_dtype(result);
    using total = expr<op::sum, in, typename converted_formula<in, E>::type, axes_child<in>>;
    using mean = typename converted_formula<result, expr<op::div, in, total, scalar_child<real_dtype(in)>>>::type;
    using type = std::conditional_t<is_known_aot<mean>, mean, leaf<result>>;
};
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
/// A sum, prod, min, max, any, all or mean may stand around the formula, over all elements or over the last axis, and a
/// function of its result and of numbers around that: sqrt(sum(x * x)) / 3. So is compiled what reads arrays of one shape in
/// order, of up to 4,096 elements; other reductions (of more, of views, over other axes, a prod, min or max of complex
/// numbers) are planned and evaluated as any statement is.
///
/// Operands are arrays, views of arrays, which are read where they lie, and numbers, broadcast as in any formula; anything
/// else (a sum beside an array) is computed before: `array<float> s = sum(x)`. What is still pending is evaluated first. The
/// bits are those of the CPU's other engines, in every dtype: 16-bit floats are float32 until the result is rounded, complex
/// numbers are computed by the same formulas. For that the program holds two versions, with and without fma, whatever
/// instruction set it is compiled for, and the machine chooses. (clang's option -ffp-contract=fast, where it is given
/// together with an instruction set that has fma, contracts more than that. nvcc compiles it for the host, with each op as a
/// call of the library's loop.)
///
/// Arrays on a GPU are computed there, by the kernel that NVRTC makes of the formula; and in a step that is being traced
/// (iterate, function) the formula is a part of the step. Many rows of a few elements each, `points(n, 3) * scale(3)`, are
/// planned and evaluated as any statement is, which takes many rows at a time.
/// @throws shape_error, dtype_error, device_error as recording the formula does
template <detail::operand A, int Isa = FRIT_AOT_ISA>
auto aot(const A& formula, source_line where = {}) {
    using E = typename detail::aot_formula<A>::type;
    constexpr bool known = !detail::folded<E>::program.dynamic;
    static_assert(known, "frit: aot compiles what has its dtype at compile time: of an any_array write x.as<float>()");
    constexpr bool valid = !known || detail::is_aot<E>;
    static_assert(valid,
                  "frit: aot takes elementwise formulas of arrays, their views and numbers, a sum, prod, min, max, any, all "
                  "or mean of one, and functions of that and numbers: make an array of anything else first");
    if constexpr (!known || !valid)
        return formula;  // one error is enough
    else if constexpr (requires { formula.node(); })
        return array<cpp_type<E::type>>(detail::run_aot(detail::aot_kernel_for<E, Isa>, formula.node(), where));
    else if constexpr (!std::is_same_v<A, E>)
        return aot<E, Isa>(E(formula), where);
    else
        return array<cpp_type<E::type>>(
            detail::run_aot(detail::aot_kernel_for<E, Isa>, detail::packed<E>(formula, where, nullptr).value));
}

}  // namespace frit::v0
