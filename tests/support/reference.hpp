// The plain reference that every engine is compared with: eager, one element at a time, in higher precision, sharing no
// code with the library but the names of the op table. Every value is a long double (64 bits of mantissa: it holds every
// supported dtype exactly), or two, with a bound on how far a right answer may lie from it.
//
// Where IEEE fixes the result (table: ulp 0, exact operands) the reference computes in the dtype itself and the bound is
// 0. Otherwise it evaluates in long double at the corners of the operands' intervals and adds the row's ulp. A value
// that depends on an ambiguous comparison has an infinite bound: nothing can be said of it.
//
// 16-bit floats are computed as float32: what elementwise() gives of them is rounded where the statement ends, by stored().
// Bounds of complex numbers are of the error's modulus.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "frit/dtype.hpp"
#include "frit/opcode.hpp"

namespace ref {

using frit::dtype;
using frit::op;

/// Any element, as it is read.
using value = std::complex<long double>;
/// Equal bits, all NaNs being one.
bool same(value a, value b);

/// A value with an error bound. `slack` is what a product was rounded by: a consumer that contracts a * b + c into one
/// fma does not see that rounding, so sums of products are uncertain by it.
struct number {
    long double v = 0, err = 0, slack = 0;
    long double im = 0;  ///< of a complex number the imaginary part
    bool known() const;
    value at() const { return {v, im}; }
    /// Whether `got` lies within the bound.
    bool allows(value got) const;
};
number exactly(value);

/// The op table's op on one element; the operands have dtype `operand` (where: its first is bool).
number apply(op o, dtype operand, const number& a, const number& b = {}, const number& c = {});
/// The same of complex numbers, or of a complex and a real one, whose part of the pair is true in `real`.
number apply_complex(op o, dtype operand, const number& a, const number& b = {}, const number& c = {},
                     const std::array<bool, 2>& real = {});
/// The distance between neighbours in a floating dtype; of complex ones, in their parts'.
long double spacing_of(dtype, long double at);
long double largest(dtype);
/// NumPy-like conversion with the documented edges: floating -> integer saturates, NaN gives 0; integers wrap.
number convert(const number& x, dtype from, dtype to);
/// `x` rounded to the dtype (floats) or wrapped to its width (integers), without a change of bound.
long double rounded(long double x, dtype t);

using position = std::vector<std::int64_t>;

/// An eager array in row-major order.
struct array {
    dtype type = dtype::f32;
    position extents;
    std::vector<number> data;
    bool inexact_reduction = false;  ///< some value comes from a floating reduction: its bits depend on the schedule

    std::int64_t size() const { return static_cast<std::int64_t>(data.size()); }
    int rank() const { return static_cast<int>(extents.size()); }
    const number& at(const position& i) const;
    number& at(const position& i);
};

/// Calls f for every index of `extents`, in row-major order.
void for_each_index(const position& extents, const std::function<void(const position&)>& f);
/// The array whose element i is f(i).
array generate(dtype t, const position& extents, const std::function<number(const position&)>& f);
/// The array whose element i is x's at place(i).
array rearranged(const array& x, const position& extents, const std::function<position(const position&)>& place);

position broadcast(const position& a, const position& b);
array broadcast_to(const array& x, const position& extents);
array cast(const array& x, dtype to);
/// A statement's result: 16-bit floats are rounded.
array stored(array x);
/// An elementwise op with broadcasting and the table's dtype rule; `dtypes` may differ and are promoted.
array elementwise(op o, const std::vector<array>& operands);

/// start, count and step of one axis after Python's rules for slices have been applied.
struct range {
    std::int64_t start, count, step;
};
/// Python's slice: none is INT64_MIN. @pre step != 0
range slice_of(std::int64_t extent, std::int64_t start, std::int64_t stop, std::int64_t step);
inline constexpr std::int64_t none = INT64_MIN;

array slice(const array& x, const std::vector<range>& axes);
array transpose(const array& x, const std::vector<int>& axes);
array reshape(const array& x, const position& extents);
array flip(const array& x, int axis);
/// What is around an array, as frit::pad_mode.
enum class around { constant, edge, reflect, symmetric, wrap };
array pad(const array& x, const std::vector<std::pair<std::int64_t, std::int64_t>>& widths, around, const number& fill = {});
/// `base` with the region `axes` replaced by `value` (which broadcasts to it and is cast to base's dtype).
array update(const array& base, const std::vector<range>& axes, const array& value);
/// In the dtype to which all promote.
array concatenate(const std::vector<array>& parts, int axis);
array repeat(const array& x, const std::vector<std::int64_t>& counts, int axis);
array tile(const array& x, const std::vector<std::int64_t>& counts);
array roll(const array& x, std::int64_t shift, int axis);
array windows(const array& x, const std::vector<std::int64_t>& window, const std::vector<int>& along);

/// One of the things between the parentheses of x(...).
struct subscript {
    enum class kind { slice, integer, newaxis, indices } what;
    range along{};    ///< integer: `start` alone
    array indices{};  /// integers within [-n, n) of an axis of n elements
};
/// Elements of an array by their numbers in row-major order, in some shape.
struct selection {
    position extents;
    std::vector<std::int64_t> elements;
};
/// NumPy's rules for indices of which at least one is an array.
selection select(const position& of, const std::vector<subscript>&);
/// Along one axis, at indices of as many axes, of which the others broadcast.
selection select_along(const position& of, const array& indices, int axis);
array gather(const array& x, const selection&);
/// `base` with values (of its dtype, which broadcast) put at these elements, or combined with them: a scatter of the table.
array scatter(op o, const array& base, const selection&, const array& values);

/// A reduction of all elements to a 0-d array. argmin, argmax: the place in row-major order.
array reduce(op o, const array& x);
/// Over these axes; with keepdims they stay, with extent 1. argmin, argmax: over one.
array reduce(op o, const array& x, const std::vector<int>& axes, bool keepdims = false);
/// A running reduction along one axis (`o`: a scan of the table, cumsum).
array scan(op o, const array& x, int axis);
/// NaN last; complex numbers by their real, then by their imaginary parts. argsort is stable and gives int64.
array sort(const array& x, int axis);
array argsort(const array& x, int axis);
/// Matrices, vectors and batches of them, as frit::matmul.
array matmul(const array& a, const array& b);

}  // namespace ref
