// The typed expression. A formula's type is its program: children stand by value in a hana::tuple, leaves are counted
// references to graph nodes, so `auto e = a * x + b` owns all it needs and is valid for ever. What the type knows (opcodes,
// dtypes, counts, hash) is folded into one constant per formula; what only the values know (leaves, scalars, attributes) is
// collected when the formula is recorded. Nothing here evaluates anything: see detail/record.hpp for the way out.
#pragma once

#include "frit/config.hpp"  // first: Boost.Hana would not say as plainly what the compiler must be

#include <array>
#include <boost/hana/tuple.hpp>
#include <boost/hana/unpack.hpp>
#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "frit/detail/recipe.hpp"
#include "frit/detail/record.hpp"
#include "frit/detail/scalar.hpp"

namespace frit::inline v0 {

/// A program that would get longer is split: the operator records its operands and goes on from arrays, which are of float32
/// where the operand is of a 16-bit dtype: where a long statement is split must not be seen in its bits.
inline constexpr int max_program_length = 64;

namespace detail {

/// Where a statement's run-time parts go while it is collected.
struct collector {
    node_head** leaf;
    scalar_bits* scalar;
    attribute_ref* attribute;
};

/// An array as a child of a formula.
template <dtype D>
struct leaf {
    using frit_operand = leaf;
    static constexpr dtype type = D;
    static constexpr int length = 1, leaves = 1, scalars = 0, attributes = 0;
    user_ref node;
    template <element T>
    leaf(const array<T>& a) noexcept : node(a.handle().get()) {}
    template <std::same_as<any_array> A>
    leaf(const A& a) noexcept : node(a.handle().get()) {}
    explicit leaf(node_head* n) noexcept : node(n) {}
    static constexpr void emit(instruction*& to) { *to++ = {op::leaf, D}; }
    void collect(collector& to) const { *to.leaf++ = node.get(); }
};

/// A C++ number, already in its final dtype. Each use is its own parameter.
template <dtype D>
struct scalar_child {
    using frit_operand = scalar_child;
    static constexpr dtype type = D;
    static constexpr int length = 1, leaves = 0, scalars = 1, attributes = 0;
    scalar_bits bits;
    static constexpr void emit(instruction*& to) { *to++ = {op::scalar, D}; }
    void collect(collector& to) const { *to.scalar++ = bits; }
};

/// A C++ number beside an operand of run-time dtype: D is the widest dtype of its kind.
template <dtype D>
struct weak_child {
    using frit_operand = weak_child;
    static constexpr dtype type = D;
    static constexpr int length = 1, leaves = 0, scalars = 1, attributes = 0;
    scalar_bits bits;
    static constexpr void emit(instruction*& to) { *to++ = {op::weak, D}; }
    void collect(collector& to) const { *to.scalar++ = bits; }
};

/// What a `convert` converts to: last of its node's children, no instruction of its own.
struct conversion_child {
    using frit_operand = conversion_child;
    static constexpr int length = 0, leaves = 0, scalars = 1, attributes = 0;
    scalar_bits bits;
    static constexpr void emit(instruction*&) {}
    void collect(collector& to) const { *to.scalar++ = bits; }
};

/// The data of a view, an update or a coordinate: last of its node's children, no instruction of its own.
struct attribute_child {
    using frit_operand = attribute_child;
    static constexpr int length = 0, leaves = 0, scalars = 0, attributes = 1;
    attribute_ref data;
    static constexpr void emit(instruction*&) {}
    void collect(collector& to) const { *to.attribute++ = data; }
};

/// The axes of a reduction, the last of its node's children: an instruction of its own right before the reduction's.
template <dtype D>
struct axes_child {
    using frit_operand = axes_child;
    static constexpr dtype type = D;
    static constexpr int length = 1, leaves = 0, scalars = 0, attributes = 1;
    attribute_ref data;
    static constexpr void emit(instruction*& to) { *to++ = {op::axes, D}; }
    void collect(collector& to) const { *to.attribute++ = data; }
};

struct from_children {};

/// What a formula's type says, folded once per type that is recorded.
template <class E>
struct folded {
    static constexpr std::array<instruction, E::length> code = [] {
        std::array<instruction, E::length> r{};
        instruction* to = r.data();
        E::emit(to);
        return r;
    }();
    static constexpr detail::program program{code.data(),   E::length,     E::leaves,         E::scalars,
                                             E::attributes, hash_of(code), has_run_time(code)};
    inline static static_slot slot{};
};

/// N values, or what stands for none: without attributes, a formula's record has nothing to destroy.
template <class T, int N>
struct list {
    T values[static_cast<std::size_t>(N)];
    T* data() noexcept { return values; }
};
template <class T>
struct list<T, 0> {
    T* data() noexcept { return nullptr; }
};

/// One formula on its way to the library.
template <class E>
struct packed {
    list<node_head*, E::leaves> leaves;
    list<scalar_bits, E::scalars> scalars;
    list<attribute_ref, E::attributes> attributes;
    statement value;
    packed(const packed&) = delete;
    packed(const E& e, source_line where, const char* who = nullptr)
        : value{&folded<E>::program, &folded<E>::slot, leaves.data(), scalars.data(), attributes.data(), where, who} {
        collector to{leaves.data(), scalars.data(), attributes.data()};
        e.collect(to);
    }
};

/// Records a formula. The new node carries no reference yet.
template <class E>
node_head* record(const E& e, source_line where, const char* who) {
    return record(packed<E>(e, where, who).value);
}

}  // namespace detail

/// A formula whose last step is Op and whose result has dtype D. Made by operators and functions, never by name.
template <op Op, dtype D, class... Children>
class expr : public detail::recipe<expr<Op, D, Children...>, D> {
public:
    /// @cond
    using frit_operand = expr;
    static constexpr dtype type = D;
    static constexpr int length = (Children::length + ... + 1), leaves = (Children::leaves + ... + 0),
                         scalars = (Children::scalars + ... + 0), attributes = (Children::attributes + ... + 0);

    template <class... C>
    explicit expr(detail::from_children, C&&... children) : children_(static_cast<C&&>(children)...) {}
    expr(const expr&) = default;
    expr(expr&&) = default;
    // On lvalues only: `(a + b) = c` and `u(s)(t) = c` would change a temporary and nothing else.
    expr& operator=(const expr&) & = default;
    expr& operator=(expr&&) & = default;

    /// The postfix program of this formula.
    static constexpr void emit(detail::instruction*& to) {
        (Children::emit(to), ...);
        *to++ = {Op, D};
    }
    void collect(detail::collector& to) const {
        boost::hana::unpack(children_, [&to](const auto&... child) { (child.collect(to), ...); });
    }
    /// The same operands under another op.
    template <op Other>
    expr<Other, D, Children...> with() const {
        return boost::hana::unpack(
            children_, [](const auto&... child) { return expr<Other, D, Children...>(detail::from_children{}, child...); });
    }
    /// @endcond

private:
    boost::hana::tuple<Children...> children_;
};

namespace detail {

/// What may stand in a formula: arrays, views and recipes ...
template <class T>
concept operand = requires {
    typename std::remove_cvref_t<T>::frit_operand;
};
/// ... and beside at least one of them, C++ numbers.
template <class T>
concept operand_or_scalar = operand<T> || scalar<T>;
template <class A, class B>
concept operand_pair = (operand<A> && operand_or_scalar<B>) || (scalar<A> && operand<B>);
template <class A, class B, class C>
concept operand_triple = operand_or_scalar<A> && operand_or_scalar<B> && operand_or_scalar<C> &&
    (operand<A> || operand<B> || operand<C>);

/// The type under which T is a child, numbers aside.
template <operand T>
using operand_t = typename std::remove_cvref_t<T>::frit_operand;
template <class T>
concept mask_operand = operand<T> &&(operand_t<T>::type == dtype::bool_ || operand_t<T>::type == run_time);
/// An operand whose dtype is known when it is recorded.
template <class T>
concept run_time_operand = operand<T> && operand_t<T>::type == run_time;

template <class T>
constexpr argument argument_of() {
    if constexpr (operand<T>)
        return {false, operand_t<T>::type};
    else
        return {true, default_dtype<std::remove_cvref_t<T>>()};
}
template <class T>
constexpr int length_of() {
    if constexpr (operand<T>)
        return operand_t<T>::length;
    else
        return complex_scalar<T> ? 3 : 1;
}

template <class... T>
inline constexpr bool fits_one_program = (length_of<T>() + ... + 1) <= max_program_length;
/// True where making a formula only moves references: no number to convert, nothing to record.
template <class... T>
inline constexpr bool only_moves = (operand<T> && ...) && fits_one_program<T...>;

/// A number beside operands of dtype D. A real one stays real beside complex operands, of the dtype of their parts; a
/// complex one is the formula that makes it of two.
template <dtype D, class T>
constexpr auto number_type() {
    if constexpr (complex_scalar<T>) {
        static_assert(D == run_time || is_complex(D), "frit: a complex number beside real operands makes complex ones");
        using part = typename decltype(number_type<D, double>())::type;
        return std::type_identity<expr<op::complex, D, part, part>>();
    } else if constexpr (D == run_time) {
        return std::type_identity<weak_child<widest_dtype<std::remove_cvref_t<T>>()>>();
    } else {
        return std::type_identity<scalar_child<real_dtype(D)>>();
    }
}
template <dtype D, class T>
using number_t = typename decltype(number_type<D, T>())::type;
/// @param user  what an error names where an integer does not fit
template <dtype D, scalar T>
auto number_child(T x, op user = op::scalar) {
    using child = number_t<D, T>;
    if constexpr (complex_scalar<T>)
        return child(from_children{}, number_child<D>(x.real()), number_child<D>(x.imag()));
    else
        return child{scalar_to_bits<child::type>(x, user)};
}

/// The child's type: D is the dtype that a number takes; Split turns longer operands into arrays.
template <dtype D, bool Split, class T>
constexpr auto child_type() {
    if constexpr (scalar<T>)
        return number_type<D, T>();
    else if constexpr (Split && operand_t<T>::length > 1)
        return std::type_identity<leaf<operand_t<T>::type>>();
    else
        return std::type_identity<operand_t<T>>();
}
template <dtype D, bool Split, class T>
using child_t = typename decltype(child_type<D, Split, T>())::type;

template <op Op, dtype D, class Child, class T>
decltype(auto) to_child(T&& x) {
    if constexpr (scalar<T>)
        return number_child<D>(x, Op);
    else if constexpr (std::is_same_v<Child, operand_t<T>>)
        return static_cast<T&&>(x);
    else
        return Child(record_part(packed<operand_t<T>>(x, unknown_line).value).get());
}

/// Makes a formula of given dtypes from operands, numbers and attributes; the one place where programs are split.
template <op Op, dtype Result, dtype ScalarType, class... T>
auto make_as(T&&... x) {
    constexpr bool split = !fits_one_program<T...>;
    return expr<Op, Result, child_t<ScalarType, split, T>...>(
        from_children{}, to_child<Op, ScalarType, child_t<ScalarType, split, T>>(static_cast<T&&>(x))...);
}

/// Of a mask whose dtype is known at run time. @throws dtype_error unless that is bool
template <operand M>
void check_mask_dtype(const M& mask, source_line where) {
    if constexpr (operand_t<M>::type == run_time)
        if (const dtype type = dtype_of_operand(mask, where); type != dtype::bool_)
            throw_dtype_error("mask", "takes bool: compare first", {&type, 1}, where);
}

/// x, to be converted when it is recorded, if the rule allows it.
template <dtype D, class E>
auto make_converted(E&& e, dtype to, conversion rule) {
    return make_as<op::convert, D, D>(static_cast<E&&>(e), conversion_child{conversion_bits(to, rule)});
}

/// The rules of the op table for these arguments.
template <op Op, class... T>
constexpr op_dtypes dtypes_of() {
    constexpr op_dtypes types = resolve(Op, common_dtype({argument_of<T>()...}));
    static_assert(types.valid || Op != op::bit_xor,
                  "frit: ^ is for bits, of integers and bool: write pow(x, 2) for a power");
    static_assert(types.valid || Op == op::bit_xor,
                  "frit: this op does not take arrays of this dtype (cast<T>(x) changes it)");
    return types;
}

/// An elementwise op.
template <op Op, class... T>
auto make(T&&... x) {
    constexpr op_dtypes types = dtypes_of<Op, T...>();
    return make_as<Op, types.result, types.operand>(static_cast<T&&>(x)...);
}

}  // namespace detail

/// What may stand in a formula: an array, a view or a recipe. For functions of any of them, as in
/// `template <frit::operand X> auto twice(const X& x) { return 2 * x; }`; its elements are of X::value_type.
template <class T>
concept operand = detail::operand<T>;

}  // namespace frit::v0
