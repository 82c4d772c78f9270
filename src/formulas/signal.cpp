// Window functions and the analytic signal (signal.hpp).
#include "frit/signal.hpp"

#include <array>
#include <numbers>
#include <string>
#include <vector>

#include "src/formulas/parts.hpp"
#include "src/views/axes.hpp"

namespace frit::inline v0::detail {

// Sums of cosines over one period: F. J. Harris, "On the use of windows for harmonic analysis with the discrete Fourier
// transform", Proceedings of the IEEE 66 (1978).
user_ref window_of(signal::window which, std::int64_t n, bool symmetric, source_line where) try {
    constexpr const char* names[] = {"hann", "hamming", "blackman"};
    constexpr std::array<double, 3> weights[] = {{0.5, 0.5, 0}, {0.54, 0.46, 0}, {0.42, 0.5, 0.08}};
    const auto number = static_cast<std::size_t>(which);
    if (n < 0) throw_shape_error(names[number], "a window does not have " + std::to_string(n) + " elements", {}, where);
    const std::int64_t period = symmetric ? n - 1 : n;
    const value i = recorded(cast<double>(coordinate(shape(n, where), 0)), where);
    if (n <= 1) return result(i * 0.0 + 1.0, where);
    const double step = 2 * std::numbers::pi / static_cast<double>(period);
    const auto& w = weights[number];
    if (which != signal::window::blackman) return result(w[0] - w[1] * cos(step * i), where);
    return result(w[0] - w[1] * cos(step * i) + w[2] * cos(2 * step * i), where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("window", where);
}

// S. L. Marple, "Computing the discrete-time analytic signal via FFT", IEEE Transactions on Signal Processing 47 (1999):
// twice the positive frequencies, and those once that have no negative ones beside them.
user_ref hilbert_of(const user_ref& x, bound n, std::int64_t axis, source_line where) try {
    const auto device = on_device_of({&x, 1});
    check_real("hilbert", x->meant, where);
    const int k = checked_axis("hilbert", axis, x->extents->rank(), *x->extents, where);
    const std::int64_t length = n.given ? n.value : (*x->extents)[k];
    const value half(fft_of("hilbert", transform::real, x, length, k, fft::backward, where));
    std::vector<pad_width> widths(static_cast<std::size_t>(x->extents->rank()), pad_width{0, 0});
    widths[static_cast<std::size_t>(k)].after = length - length / 2 - 1;
    const user_ref zero = constant_of(weak_number(false), half.node()->meant, where);
    const value whole(pad_of(half.node(), widths, pad_mode::constant, zero, where));
    const auto frequency = coordinate(shape_of_node(whole), k);
    const auto alone = (frequency == 0) | (2 * frequency == length);
    const value positive = recorded(whole * frit::where(alone, 1.0F, 2.0F), where);
    return fft_of("hilbert", transform::inverse, positive.node(), length, k, fft::backward, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("hilbert", where);
}

}  // namespace frit::v0::detail
