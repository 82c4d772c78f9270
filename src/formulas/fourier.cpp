// Fourier transforms as users call them, over the library ops that do it (src/libraries/fourier.cpp): operands are promoted,
// cut or padded, and multiplied by the factor here, in one formula; the transformed axes are put last, as a view, and back.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "src/formulas/parts.hpp"
#include "src/views/axes.hpp"

namespace frit::inline v0::detail {
namespace {

/// What a call of libraries transforms at once.
constexpr std::size_t most_axes = 3;

struct transformed_axis {
    int axis;
    std::int64_t n;  ///< elements of the signal, not of half a spectrum
};

struct request {
    std::string_view who;
    transform which;
    shape of;
    fft::norm scale;
    source_line where;
    bool open;                             ///< no length is given
    std::vector<transformed_axis> over{};  ///< the last one has half a spectrum

    bool reads_half() const { return which == transform::inverse_real || which == transform::hermitian; }
    bool writes_half() const { return which == transform::real || which == transform::inverse_hermitian; }
    /// Whether the sign is fft's. hfft's and ihfft's are those of irfft and rfft with a conjugate in front or behind.
    bool forward() const { return which == transform::forward || which == transform::real || which == transform::hermitian; }

    void add(std::int64_t axis, const bound& n) {
        const int k = checked_axis(who, axis, of.rank(), of, where);
        for (const transformed_axis& before : over)
            if (before.axis == k) throw_index_error(who, "axis " + std::to_string(k) + " is named twice", of, where);
        over.push_back({k, n.given ? n.value : of[k]});
    }
    /// All axes are there. @throws shape_error
    void complete() {
        if (over.empty()) throw_index_error(who, "there is no axis to transform", of, where);
        if (open && reads_half()) over.back().n = 2 * (over.back().n - 1);
        for (const transformed_axis& a : over)
            if (a.n < 1)
                throw_shape_error(who, "axis " + std::to_string(a.axis) + " would have " + std::to_string(a.n) + " elements",
                                  {&of, 1}, where);
    }
    double factor() const {
        double n = 1;
        for (const transformed_axis& a : over) n *= static_cast<double>(a.n);
        if (scale == fft::ortho) return 1 / std::sqrt(n);
        return forward() == (scale == fft::forward) ? 1 / n : 1;
    }
};

/// As many elements of an axis, or zeros behind them.
value fitted(const value& x, int axis, std::int64_t n, source_line where) {
    const std::int64_t is = shape_of_node(x)[axis];
    if (is == n) return x;
    if (is > n) return run_of(x, axis, {0, n}, where);
    std::vector<pad_width> widths(static_cast<std::size_t>(shape_of_node(x).rank()), pad_width{0, 0});
    widths[static_cast<std::size_t>(axis)].after = n - is;
    const value zero(constant_of(weak_number(false), x.node()->meant, where));
    return value(pad_of(x.node(), widths, pad_mode::constant, zero.node(), where));
}

/// The operand as the library takes it, but for the order of its axes.
value prepared(const request& r, const user_ref& x) {
    const dtype spectrum = spectrum_dtype(x->meant);
    if (r.writes_half()) check_real(r.who, x->meant, r.where);
    value v = in_dtype(value(x), r.writes_half() ? real_dtype(spectrum) : spectrum, r.where);
    for (const transformed_axis& a : r.over)
        v = fitted(v, a.axis, r.reads_half() && &a == &r.over.back() ? a.n / 2 + 1 : a.n, r.where);
    if (r.which == transform::hermitian) v = recorded(conj(v), r.where);
    if (const double factor = r.factor(); factor != 1) v = recorded(v * factor, r.where);
    return v;
}

template <op O>
value called(const value& x, source_line where) {
    return recorded(make_as<O, run_time, run_time>(x), where);
}

enum class library_transform : std::uint8_t { forward, inverse, of_real, to_even, to_odd };

/// The last axes, one to three, by one call.
value last_axes(const value& x, library_transform kind, std::size_t count, source_line where) {
    using function = value (*)(const value&, source_line);
    static constexpr function calls[][most_axes] = {
        {called<op::dft>, called<op::dft_2d>, called<op::dft_3d>},
        {called<op::inverse_dft>, called<op::inverse_dft_2d>, called<op::inverse_dft_3d>},
        {called<op::real_dft>, called<op::real_dft_2d>, called<op::real_dft_3d>},
        {called<op::inverse_real_dft_even>, called<op::inverse_real_dft_even_2d>, called<op::inverse_real_dft_even_3d>},
        {called<op::inverse_real_dft_odd>, called<op::inverse_real_dft_odd_2d>, called<op::inverse_real_dft_odd_3d>}};
    return calls[static_cast<std::size_t>(kind)][count - 1](x, where);
}

/// These axes, which are seen as the last ones, by one call.
value by_one_call(const value& x, library_transform kind, std::span<const transformed_axis> over, source_line where) {
    std::vector<std::int64_t> from, last;
    for (const transformed_axis& a : over) {
        last.push_back(static_cast<std::int64_t>(last.size()) - static_cast<std::int64_t>(over.size()));
        from.push_back(a.axis);
    }
    if (from.front() == shape_of_node(x).rank() - static_cast<int>(over.size()) && std::is_sorted(from.begin(), from.end()))
        return last_axes(x, kind, over.size(), where);
    const value there = seen(x, moveaxis_attribute(shape_of_node(x), axes(from), axes(last), where), where);
    const value done = last_axes(there, kind, over.size(), where);
    return seen(done, moveaxis_attribute(shape_of_node(done), axes(last), axes(from), where), where);
}

/// All axes. What makes or takes half a spectrum is the call with the last one of them.
value transformed(const request& r, value x) {
    const library_transform complex_kind =
        r.reads_half() || !r.forward() ? library_transform::inverse : library_transform::forward;
    library_transform kind = complex_kind;
    if (r.writes_half()) kind = library_transform::of_real;
    if (r.reads_half()) kind = r.over.back().n % 2 == 0 ? library_transform::to_even : library_transform::to_odd;
    const std::span<const transformed_axis> all(r.over);
    const std::size_t at_once = std::min(all.size(), most_axes);
    std::span<const transformed_axis> others = all.first(all.size() - at_once);
    const auto rest = [&] {
        for (; !others.empty(); others = others.subspan(std::min(others.size(), most_axes)))
            x = by_one_call(x, complex_kind, others.first(std::min(others.size(), most_axes)), r.where);
    };
    if (r.reads_half()) rest();
    x = by_one_call(x, kind, all.last(at_once), r.where);
    rest();
    return x;
}

user_ref result_of(request& r, const user_ref& x) {
    r.complete();
    // Complex transforms commute: in their own order the axes are nearer to where they are.
    if (!r.reads_half() && !r.writes_half())
        std::sort(r.over.begin(), r.over.end(), [](const auto& a, const auto& b) { return a.axis < b.axis; });
    const value done = transformed(r, prepared(r, x));
    if (r.which == transform::inverse_hermitian) return result(conj(done), r.where);
    return result(done, r.where);
}

/// Of axis k of a list: -1 is the operand's own.
bound length_of(const open_list& lengths, int k) {
    if (!lengths.given || lengths.values[k] == -1) return none;
    return lengths.values[k];
}

}  // namespace

user_ref fft_of(const char* who, transform which, const user_ref& x, bound n, std::int64_t axis, fft::norm scale,
                source_line where) try {
    request r{who, which, *x->extents, scale, where, !n.given};
    r.add(axis, n);
    return result_of(r, x);
} catch (const std::bad_alloc&) {
    throw_out_of_memory(who, where);
}

user_ref fftn_of(const char* who, transform which, const user_ref& x, const open_list& lengths, const open_list& over,
                 fft::norm scale, source_line where) try {
    request r{who, which, *x->extents, scale, where, !lengths.given};
    const int count = over.given ? over.values.count() : lengths.given ? lengths.values.count() : r.of.rank();
    if (lengths.given && lengths.values.count() != count)
        throw_shape_error(who, std::to_string(lengths.values.count()) + " lengths for " + std::to_string(count) + " axes",
                          {&r.of, 1}, where);
    for (int k = 0; k < count; ++k) r.add(over.given ? over.values[k] : k - count, length_of(lengths, k));
    return result_of(r, x);
} catch (const std::bad_alloc&) {
    throw_out_of_memory(who, where);
}

user_ref fftshift_of(const user_ref& x, const open_list& over, bool back, source_line where) try {
    const shape& of = *x->extents;
    std::vector<std::int64_t> which(over.values.begin(), over.values.end()), by;
    for (int axis = 0; !over.given && axis < of.rank(); ++axis) which.push_back(axis);
    for (std::int64_t& axis : which) {
        axis = checked_axis(back ? "ifftshift" : "fftshift", axis, of.rank(), of, where);
        const std::int64_t half = of[axis] / 2;
        by.push_back(back ? -half : half);
    }
    if (which.empty()) return result(value(x), where);
    const axes along(which);
    return roll_of(x, int_list(by), &along, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("fftshift", where);
}

user_ref fftfreq_of(const char* who, std::int64_t n, double d, bool half, dtype type, source_line where) try {
    check_dtype(who, type, where);
    if (!is_float(type)) throw_dtype_error(who, "makes real floating numbers", {&type, 1}, where);
    if (n < 1) throw_shape_error(who, "takes n of at least 1, not " + std::to_string(n), {}, where);
    const shape of(half ? n / 2 + 1 : n, where);
    const double step = 1 / (static_cast<double>(n) * d);
    const auto k = coordinate(of, 0);
    const auto in_double = [&](const auto& number) { return recorded(cast<double>(number) * step, where); };
    return result(half ? in_double(k) : in_double(frit::where(k < (n + 1) / 2, k, k - n)), type, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory(who, where);
}

}  // namespace frit::v0::detail
