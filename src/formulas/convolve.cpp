// convolve and correlate. Every tap of the smaller operand is multiplied with a slice of the other one, shifted by it, and
// the products are added up in the order of the taps, by fma where they are floats: the planner makes one kernel of them,
// or, of more than about thirty taps, as many as its pointers are enough for; transforms take over where that would take
// longer. What is read is stored before with zeros around it: of clamped views and a choice at every tap, a kernel of 25
// taps takes ten times as long. (A product with a Toeplitz matrix would spread an infinity over its whole row.)
#include "frit/convolve.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "frit/windows.hpp"
#include "fusion/machine/cost_model.hpp"
#include "src/formulas/convolve_fft.hpp"
#include "src/formulas/factors.hpp"
#include "src/formulas/parts.hpp"
#include "src/formulas/search.hpp"

namespace frit::inline v0::detail {
namespace {

/// So many taps are always shifted slices. More of them are a reduction over windows where they make few elements: each tap
/// is recorded and planned, which costs as much as a thousand elements.
constexpr std::int64_t most_slices = 64, few_elements = 1024;

using places = std::array<std::int64_t, 2>;

/// Element i of the result is the sum over j of data(i + start - j) * taps(j); data is 0 where it has no elements.
struct products {
    value data, taps;
    shape result;
    places start{};  ///< the place of element 0 in the full convolution
    source_line where;
    int rank() const { return result.rank(); }
};

/// A view of shape `to`, by one map for each axis of its operand.
attribute_ref mapped(const shape& from, const shape& to, const std::array<axis_map, 2>& maps) {
    auto* a = new attribute;
    attribute_ref view(a);
    a->source = from;
    a->result = to;
    for (int k = 0; k < from.rank(); ++k) a->maps.push_back(maps[static_cast<std::size_t>(k)]);
    return view;
}

/// x with zeros around it. On the CPU in two halves, each written where it goes: so the whole is memory, where one formula
/// would be computed again at every tap, as far as the planner thinks that cheap; clamped loads are not, on a CPU.
value padded(const value& x, const std::vector<pad_width>& widths, source_line where) {
    const dtype type = x.node()->meant;
    const user_ref zero = constant_of(weak_number(false), type, where);
    const auto pad_by = [&](const value& part, const std::vector<pad_width>& by) {
        return value(pad_of(part.node(), by, pad_mode::constant, zero, where));
    };
    const shape of = shape_of_node(x);
    if (of[0] < 2 || device_of(x.node().get()) != device::cpu()) return shared_value(pad_by(x, widths), where);
    std::vector<pad_width> first = widths, second = widths;
    first[0].after = second[0].before = 0;
    const std::int64_t half = of[0] / 2;
    const value halves[] = {pad_by(run_of(x, 0, {0, half}, where), first),
                            pad_by(run_of(x, 0, {half, of[0] - half}, where), second)};
    shape whole = shape_of_node(halves[0]);
    whole.set(0, whole[0] + shape_of_node(halves[1])[0], where);
    return value(joined_in_place(halves, whole, 0, type, where));
}

/// data with zeros around it as far as it is read, and how many of them stand in front.
std::pair<value, places> surrounded(const products& p) {
    std::vector<pad_width> widths;
    places before{};
    std::int64_t zeros = 0;
    for (int k = 0; k < p.rank(); ++k) {
        const auto axis = static_cast<std::size_t>(k);
        before[axis] = std::max<std::int64_t>(shape_of_node(p.taps)[k] - 1 - p.start[axis], 0);
        const std::int64_t behind = std::max<std::int64_t>(p.start[axis] + p.result[k] - shape_of_node(p.data)[k], 0);
        widths.push_back({before[axis], behind});
        zeros += before[axis] + behind;
    }
    return {zeros == 0 ? p.data : padded(p.data, widths, p.where), before};
}

value sum_of_slices(const products& p, const value& data, const places& before) {
    const shape taps = shape_of_node(p.taps), of = shape_of_node(data);
    const std::int64_t row = taps[-1], count = taps.size();
    const auto product = [&](std::int64_t t) {
        const places j = p.rank() == 1 ? places{t, 0} : places{t / row, t % row};
        std::array<axis_map, 2> slice{}, tap{};
        for (std::size_t k = 0; k < 2; ++k) {
            slice[k] = {.axis = static_cast<int>(k), .offset = before[k] + p.start[k] - j[k], .step = 1};
            tap[k].offset = j[k];
        }
        return make_view(data, mapped(of, p.result, slice)) * make_view(p.taps, mapped(taps, p.result, tap));
    };
    value sum = recorded(product(0), p.where);
    std::int64_t t = 1;
    for (; (count - t) % 4 != 0; ++t) sum = recorded(product(t) + sum, p.where);
    for (; t < count; t += 4)  // fewer statements to record
        sum = recorded(product(t + 3) + (product(t + 2) + (product(t + 1) + (product(t) + sum))), p.where);
    return sum;
}

value sum_of_windows(const products& p, const value& data, const places& before, dtype type) {
    const shape taps = shape_of_node(p.taps);
    value read = data;
    std::vector<std::int64_t> last;
    for (int k = 0; k < p.rank(); ++k) {
        const std::int64_t first = before[static_cast<std::size_t>(k)] + p.start[static_cast<std::size_t>(k)] - taps[k] + 1;
        read = run_of(read, k, {first, p.result[k] + taps[k] - 1}, p.where);
        last.push_back(p.rank() + k);
    }
    const value windows(windows_of(read.node(), int_list(taps, p.where), nullptr, p.where));
    const value backwards = seen(p.taps, flip_attribute(taps, nullptr, p.where), p.where);
    const axes over(last, p.where);
    const attribute_ref reduced = reduce_attribute("convolve", *windows.node()->extents, {.which = &over, .where = p.where});
    if (type == dtype::bool_) return recorded(reduce_along<op::any>(windows & backwards, reduced), p.where);
    const dtype computed = register_dtype(sum_dtype(type));
    return recorded(reduce_along<op::sum>(as_factor(windows, computed) * as_factor(backwards, computed), reduced), p.where);
}

/// The same by transforms; integers are rounded.
user_ref by_transforms(const products& p, dtype type) {
    convolved_part part{{}, {}, p.result};
    for (int k = 0; k < p.rank(); ++k) {
        part.over.push_back(k);
        part.start.push_back(p.start[static_cast<std::size_t>(k)]);
    }
    const value sums = convolved_by_fft("convolve", p.data, p.taps, part, p.where);
    if (type == dtype::bool_) return result(rint(sums) != 0.0, p.where);
    if (!is_integer(type)) return result(sums, type, p.where);
    const value whole = recorded(rint(sums), p.where), wrapped = recorded(cast(cast(whole, dtype::i64), type), p.where);
    return type == dtype::u64 ? result(frit::where(whole < 0.0, wrapped, cast(whole, type)), p.where)
                              : result(wrapped, p.where);
}

bool transforms(const products& p, dtype type, convolve_method method, bool by_slices) {
    if (method != convolve_method::automatic) return method == convolve_method::fft;
    if (!(is_float(type) || is_complex(type)) || device_of(p.data.node().get()) != device::cpu()) return false;
    std::int64_t transformed = 1;
    for (int k = 0; k < p.rank(); ++k) transformed *= fast_length(shape_of_node(p.data)[k] + shape_of_node(p.taps)[k] - 1);
    return fusion::pays_to_transform(p.result.size(), shape_of_node(p.taps).size(), p.rank(), !by_slices, transformed);
}

user_ref convolution(products p, dtype type, convolve_method method) {
    const bool by_slices = shape_of_node(p.taps).size() <= most_slices || p.result.size() >= few_elements;
    if (transforms(p, type, method, by_slices)) return by_transforms(p, type);
    for (value* const x : {&p.data, &p.taps})
        *x = shared_value(in_dtype(*x, factor_dtype(x->node()->meant, register_dtype(type)), p.where), p.where);
    const auto [data, before] = surrounded(p);
    return result(by_slices ? sum_of_slices(p, data, before) : sum_of_windows(p, data, before, type), type, p.where);
}

void check(std::string_view who, const shape& x, const shape& k, source_line where) {
    const shape both[] = {x, k};
    if (x.rank() != k.rank() || x.rank() < 1 || x.rank() > 2)
        throw_shape_error(who, "takes two vectors or two matrices", both, where);
    if (x.size() == 0 || k.size() == 0) throw_shape_error(who, "there must be elements in both operands", both, where);
}

/// Which part of the full convolution is asked for. `late`: of an even number of taps, same begins behind the middle.
products placed(std::string_view who, const value& x, const value& k, convolve_mode mode, bool late, source_line where) {
    const shape of_x = shape_of_node(x), of_k = shape_of_node(k);
    const bool exchanged = of_k.size() > of_x.size();
    products p{exchanged ? k : x, exchanged ? x : k, of_x, {}, where};
    bool x_fits = true, k_fits = true;
    for (int a = 0; a < of_x.rank(); ++a) {
        const std::int64_t n = of_x[a], m = of_k[a], shorter = std::min(n, m), longer = std::max(n, m);
        std::int64_t &start = p.start[static_cast<std::size_t>(a)], middle = of_x.rank() == 1 ? shorter : m;
        x_fits = x_fits && n <= m;
        k_fits = k_fits && m <= n;
        if (mode == convolve_mode::same) start = late ? middle / 2 : (middle - 1) / 2;
        if (mode == convolve_mode::same && of_x.rank() == 1) p.result.set(a, longer, where);
        if (mode == convolve_mode::valid) start = shorter - 1;
        if (mode == convolve_mode::valid) p.result.set(a, longer - shorter + 1, where);
        if (mode == convolve_mode::full)
            p.result.set(a, n > INT64_MAX - m ? INT64_MAX : n + m - 1, where);  // which set refuses
    }
    if (mode == convolve_mode::valid && !x_fits && !k_fits) {
        const shape both[] = {of_x, of_k};
        throw_shape_error(who, "neither operand fits into the other, as mode valid needs", both, where);
    }
    return p;
}

}  // namespace

user_ref convolve_of(const user_ref& x, const user_ref& k, convolve_mode mode, convolve_method method,
                     source_line where) try {
    const auto device = on_device_of({&x, 1});
    check("convolve", *x->extents, *k->extents, where);
    return convolution(placed("convolve", value(x), value(k), mode, false, where), promote(x->meant, k->meant), method);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("convolve", where);
}

// A convolution with the conjugate backwards. NumPy's same has its middle where the shorter operand is k, and otherwise from
// the other end; SciPy's always from there.
user_ref correlate_of(const user_ref& x, const user_ref& k, convolve_mode mode, convolve_method method,
                      source_line where) try {
    const auto device = on_device_of({&x, 1});
    const shape &of_x = *x->extents, &of_k = *k->extents;
    check("correlate", of_x, of_k, where);
    value backwards = seen(value(k), flip_attribute(of_k, nullptr, where), where);
    if (is_complex(k->meant)) backwards = recorded(conj(backwards), where);
    const bool late = of_x.rank() == 2 || of_k.size() > of_x.size();
    return convolution(placed("correlate", value(x), backwards, mode, late, where), promote(x->meant, k->meant), method);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("correlate", where);
}

}  // namespace frit::v0::detail
