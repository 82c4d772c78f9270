// stft and istft (signal.hpp): windows that slide along the signal, which are a gather, times the window function, which a
// library transforms; and back, for every sample the sum over the segments that it is in.
#include <cmath>
#include <string>
#include <vector>

#include "frit/signal.hpp"
#include "frit/windows.hpp"
#include "src/base/errors.hpp"
#include "src/formulas/parts.hpp"
#include "src/formulas/search.hpp"
#include "src/views/axes.hpp"

namespace frit::inline v0::detail {
namespace {

/// Segments as they are, with nothing left open.
struct layout {
    const char* who;
    std::int64_t length, step, transformed;
    value window;  ///< in float64
    double fs;
    bool density;
    source_line where;

    /// What spectra are multiplied by.
    value scale() const {
        const value w = window;
        const axes all_of_it(0);
        const attribute_ref over = reduce_attribute(who, shape_of_node(w), {.which = &all_of_it, .where = where});
        if (density) return recorded(1.0 / sqrt(fs * reduce_along<op::sum>(w * w, over)), where);
        return recorded(1.0 / abs(reduce_along<op::sum>(w, over)), where);
    }
};

[[noreturn]] void refuse(const char* who, const std::string& what, source_line where) {
    throw error(std::string(who) + ": " + what + place(where));
}

/// @param unsaid  elements of a segment where neither nperseg nor a window says how many
/// @param unsaid_transform  elements of a transform likewise; 0: as many as a segment
layout layout_of(const char* who, const signal::segments& s, std::int64_t unsaid, std::int64_t unsaid_transform,
                 source_line where) {
    std::int64_t n = s.nperseg;
    if (s.window.values) {
        check_vector(who, "the window", *s.window.values->extents, where);
        check_real(who, s.window.values->meant, where);
        const std::int64_t own = (*s.window.values->extents)[0];
        if (n != 0 && n != own)
            refuse(who, "nperseg is " + std::to_string(n) + ", the window has " + std::to_string(own) + " elements", where);
        n = own;
    } else if (n == 0) {
        n = unsaid;
    }
    if (n < 1) refuse(who, "a segment has at least 1 element, not " + std::to_string(n), where);
    const std::int64_t overlap = s.noverlap == -1 ? n / 2 : s.noverlap;
    if (overlap < 0 || overlap >= n)
        refuse(who, "noverlap must be 0 to " + std::to_string(n - 1) + ", not " + std::to_string(overlap), where);
    const std::int64_t transformed = s.nfft != 0 ? s.nfft : unsaid_transform != 0 ? unsaid_transform : n;
    if (transformed < n)
        refuse(who, "nfft is " + std::to_string(transformed) + ", less than a segment's " + std::to_string(n), where);
    if (!(s.fs > 0) || !std::isfinite(s.fs)) refuse(who, "fs must be positive, not " + std::to_string(s.fs), where);
    const value window = s.window.values ? in_dtype(value(s.window.values), dtype::f64, where)
                                         : value(window_of(s.window.name, n, false, where));
    return {who, n, n - overlap, transformed, shared_value(window, where), s.fs, s.scaling == signal::scaling::psd, where};
}

/// Seconds from the first sample: (first + i * step) / fs.
user_ref times_of(std::int64_t count, double first, double step, double fs, source_line where) {
    return result((cast<double>(coordinate(shape(count, where), 0)) * step + first) / fs, where);
}
value axis_moved(const value& x, std::int64_t from, std::int64_t to, source_line where) {
    return seen(x, moveaxis_attribute(shape_of_node(x), axes(from), axes(to), where), where);
}
value zeros_around(const value& x, std::int64_t before, std::int64_t after, source_line where) {
    if (before == 0 && after == 0) return x;
    std::vector<pad_width> widths(static_cast<std::size_t>(shape_of_node(x).rank()), pad_width{0, 0});
    widths.back() = {before, after};
    const user_ref zero = constant_of(weak_number(false), x.node()->meant, where);
    return value(pad_of(x.node(), widths, pad_mode::constant, zero, where));
}

}  // namespace

short_time_spectra stft_of(const user_ref& x, const signal::segments& s, std::int64_t axis, source_line where) try {
    const auto device = on_device_of({&x, 1});
    constexpr const char* who = "stft";
    const int k = checked_axis(who, axis, x->extents->rank(), *x->extents, where);
    const std::int64_t n = (*x->extents)[k];
    const bool half = s.onesided && !is_complex(x->meant);
    if (n == 0) throw_shape_error(who, "there are no elements", {x->extents, 1}, where);
    if (s.nperseg < 0) refuse(who, "a segment has at least 1 element, not " + std::to_string(s.nperseg), where);
    signal::segments known = s;  // SciPy: no segment is longer than the signal
    if (!s.window.values && s.nperseg > n) known.nperseg = n;
    const layout l = layout_of(who, known, std::min<std::int64_t>(256, n), 0, where);
    if (l.length > n) refuse(who, "the window has more elements than the signal's " + std::to_string(n), where);

    const dtype spectrum = spectrum_dtype(x->meant), computed = is_complex(x->meant) ? spectrum : real_dtype(spectrum);
    const std::int64_t edge = s.boundary ? l.length / 2 : 0, whole = n + 2 * edge;
    const std::int64_t rest = s.padded ? ((l.length - whole) % l.step + l.step) % l.step : 0;
    const value last = axis_moved(in_dtype(value(x), computed, where), k, -1, where);
    const value ends = shared_value(zeros_around(last, edge, edge + rest, where), where);
    const axes along(-1);
    const value windows(windows_of(ends.node(), int_list(l.length, where), &along, where));
    const index picked[] = {frit::ellipsis, slice(none, none, l.step), frit::all};
    const value every = seen(windows, index_attribute(shape_of_node(windows), picked, where), where);
    const value scaled = recorded(every * cast(l.window * l.scale(), real_dtype(spectrum)), where);
    const user_ref z =
        fft_of(who, half ? transform::real : transform::forward, scaled.node(), l.transformed, -1, fft::backward, where);
    const std::int64_t count = shape_of_node(every)[-2];
    return {fftfreq_of(half ? "rfftfreq" : "fftfreq", l.transformed, 1 / l.fs, half, dtype::f64, where),
            times_of(count, s.boundary ? 0 : static_cast<double>(l.length) / 2, static_cast<double>(l.step), l.fs, where),
            result(axis_moved(value(z), -1, k, where), where)};
} catch (const std::bad_alloc&) {
    throw_out_of_memory("stft", where);
}

namespace {

/// For every sample the sum of what the segments have there, times the window, and of the squares of that.
struct overlapped {
    value sum, squares;
};

/// Sample i is in the segments i / step, i / step - 1, ..., as far as they reach: an axis of their own, which is reduced.
overlapped overlap(const layout& l, const value& segments, std::int64_t samples) {
    const std::int64_t count = shape_of_node(segments)[-2], layers = (l.length - 1) / l.step + 1;
    const shape domain({samples, layers}, l.where);
    const auto i = coordinate(domain, 0), back = coordinate(domain, 1);
    const value segment = recorded(i / l.step - back, l.where);
    const value inside = recorded(i - segment * l.step, l.where);
    const value exists = recorded((segment >= 0) & (segment < count) & (inside < l.length), l.where);
    const auto reduced = [&](const value& x) {
        const axes last(-1);
        const attribute_ref over = reduce_attribute(l.who, shape_of_node(x), {.which = &last, .where = l.where});
        return recorded(reduce_along<op::sum>(x, over), l.where);
    };
    const value w(take_of(l.window.node(), inside.node(), 0, bounds::clip, l.where));
    const std::vector<gather_item> at{{.at = frit::ellipsis}, {.array = segment.node()}, {.array = inside.node()}};
    const value there(gather_of(segments.node(), at, bounds::clip, l.who, l.where));
    const value weighted = recorded(there * cast(w, real_dtype(segments.node()->meant)), l.where);
    return {reduced(recorded(frit::where(composed<dtype::bool_>(exists.node()), weighted, 0), l.where)),
            reduced(recorded(frit::where(composed<dtype::bool_>(exists.node()), w * w, 0.0), l.where))};
}

}  // namespace

timed_signal istft_of(const user_ref& spectra, bool onesided, const signal::segments& s, std::int64_t time_axis,
                      std::int64_t freq_axis, source_line where) try {
    const auto device = on_device_of({&spectra, 1});
    constexpr const char* who = "istft";
    const shape of = *spectra->extents;
    const int time = checked_axis(who, time_axis, of.rank(), of, where);
    const int frequency = checked_axis(who, freq_axis, of.rank(), of, where);
    if (time == frequency) throw_index_error(who, "times and frequencies have one axis", of, where);
    if (of.size() == 0) throw_shape_error(who, "there are no elements", {&of, 1}, where);
    const std::int64_t rows = of[frequency], even = onesided ? 2 * (rows - 1) : rows;
    const std::int64_t said = s.window.values ? s.window.values->extents->size() : s.nperseg;
    const bool odd = onesided && said == even + 1;
    const layout l = layout_of(who, s, even, odd ? even + 1 : even, where);
    if ((onesided ? l.transformed / 2 + 1 : l.transformed) != rows)
        refuse(who,
               "a transform of " + std::to_string(l.transformed) + " does not have " + std::to_string(rows) + " elements",
               where);

    const axes from({time, frequency}), last({-2, -1});
    const value ordered = seen(value(spectra), moveaxis_attribute(of, from, last, where), where);
    const user_ref back = fft_of(who, onesided ? transform::inverse_real : transform::inverse, ordered.node(), l.transformed,
                                 -1, fft::backward, where);
    const value segments = run_of(value(back), of.rank() - 1, {0, l.length}, where);
    const std::int64_t edge = s.boundary ? l.length / 2 : 0, whole = l.length + (of[time] - 1) * l.step;
    if (whole <= 2 * edge) throw_shape_error(who, "nothing is left between the ends", {&of, 1}, where);
    const overlapped all = overlap(l, shared_value(segments, where), whole);
    const value divisor = recorded(frit::where(all.squares > 1e-10, all.squares, 1.0) * l.scale(), where);
    const value samples = recorded(all.sum / cast(divisor, real_dtype(segments.node()->meant)), where);
    const value inner = run_of(samples, of.rank() - 2, {edge, whole - 2 * edge}, where);
    const int axis = time - (frequency < time ? 1 : 0);
    return {times_of(whole - 2 * edge, 0, 1, l.fs, where), result(axis_moved(inner, -1, axis, where), where)};
} catch (const std::bad_alloc&) {
    throw_out_of_memory("istft", where);
}

}  // namespace frit::v0::detail
