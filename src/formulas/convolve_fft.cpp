// See convolve_fft.hpp; and fftconvolve (signal.hpp). Operands are padded to one length, transformed, and their spectra
// multiplied by the kernel that stands between the transforms.
#include "src/formulas/convolve_fft.hpp"

#include <algorithm>
#include <string>

#include "frit/signal.hpp"
#include "src/formulas/factors.hpp"
#include "src/formulas/parts.hpp"
#include "src/views/axes.hpp"

namespace frit::inline v0::detail {

std::int64_t fast_length(std::int64_t n) {
    const auto is_fast = [](std::int64_t m) {
        for (const std::int64_t p : {2, 3, 5, 7})
            while (m % p == 0) m /= p;
        return m == 1;
    };
    while (!is_fast(n)) ++n;
    return n;
}

value convolved_by_fft(const char* who, const value& x, const value& k, const convolved_part& part, source_line where) {
    const dtype transformed = transformed_dtype(promote(x.node()->meant, k.node()->meant));
    const bool is_real = !is_complex(transformed);
    std::vector<std::int64_t> along(part.over.begin(), part.over.end()), lengths;
    for (const int a : part.over) lengths.push_back(fast_length(shape_of_node(x)[a] + shape_of_node(k)[a] - 1));
    const open_list over(along), padded(lengths);
    const auto forward = is_real ? transform::real : transform::forward;
    const auto spectrum_of_operand = [&](const value& v) {
        return value(fftn_of(who, forward, in_dtype(v, transformed, where).node(), padded, over, fft::backward, where));
    };
    const value product = recorded(spectrum_of_operand(x) * spectrum_of_operand(k), where);
    const auto back = is_real ? transform::inverse_real : transform::inverse;
    value y(fftn_of(who, back, product.node(), padded, over, fft::backward, where));
    for (std::size_t a = 0; a < along.size(); ++a)
        y = run_of(y, part.over[a], {part.start[a], part.result[part.over[a]]}, where);
    return y;
}

namespace {

/// The axes that are convolved. @throws index_error, shape_error
std::vector<int> convolved_axes(const shape& x, const shape& k, const open_list& over, source_line where) {
    constexpr const char* who = "fftconvolve";
    const shape both[] = {x, k};
    if (x.rank() != k.rank()) throw_shape_error(who, "the operands differ in rank", both, where);
    if (x.size() == 0 || k.size() == 0) throw_shape_error(who, "there must be elements in both operands", both, where);
    std::vector<int> axes;
    for (int a = 0; !over.given && a < x.rank(); ++a) axes.push_back(a);
    for (const std::int64_t a : over.values) {
        const int axis = checked_axis(who, a, x.rank(), x, where);
        if (std::find(axes.begin(), axes.end(), axis) != axes.end())
            throw_index_error(who, "axis " + std::to_string(axis) + " is named twice", x, where);
        axes.push_back(axis);
    }
    for (int a = 0; a < x.rank(); ++a)
        if (std::find(axes.begin(), axes.end(), a) == axes.end() && x[a] != k[a] && x[a] != 1 && k[a] != 1)
            throw_shape_error(who, "the operands do not broadcast along axis " + std::to_string(a), both, where);
    return axes;
}

}  // namespace

user_ref fftconvolve_of(const user_ref& x, const user_ref& k, convolve_mode mode, const open_list& over,
                        source_line where) try {
    const auto device = on_device_of({&x, 1});
    constexpr const char* who = "fftconvolve";
    const shape of_x = *x->extents, of_k = *k->extents;
    convolved_part part{convolved_axes(of_x, of_k, over, where), {}, of_x};
    bool x_fits = true, k_fits = true;
    for (const int a : part.over) {
        const std::int64_t n = of_x[a], m = of_k[a];
        x_fits = x_fits && n <= m;
        k_fits = k_fits && m <= n;
        part.start.push_back(mode == convolve_mode::full   ? 0
                             : mode == convolve_mode::same ? (m - 1) / 2
                                                           : std::min(n, m) - 1);
        if (mode == convolve_mode::full) part.result.set(a, n > INT64_MAX - m ? INT64_MAX : n + m - 1, where);
        if (mode == convolve_mode::valid) part.result.set(a, std::abs(n - m) + 1, where);
    }
    if (mode == convolve_mode::valid && !x_fits && !k_fits) {
        const shape both[] = {of_x, of_k};
        throw_shape_error(who, "neither operand fits into the other, as mode valid needs", both, where);
    }
    if (part.over.empty()) {
        const dtype type = transformed_dtype(promote(x->meant, k->meant));
        return result(as_factor(value(x), type) * as_factor(value(k), type), type, where);
    }
    return result(convolved_by_fft(who, value(x), value(k), part, where), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("fftconvolve", where);
}

}  // namespace frit::v0::detail
