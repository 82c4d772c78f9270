// One step of Perona-Malik diffusion, written as formulas on slices: what this example shows of frit.
//
// P. Perona and J. Malik, "Scale-space and edge detection using anisotropic diffusion", IEEE Transactions on Pattern
// Analysis and Machine Intelligence 12(7), 1990, 629-639. Their discrete scheme, equations (7) to (10):
//
//     u += lambda * (c_N d_N + c_S d_S + c_E d_E + c_W d_W),    c = exp(-(|d| / kappa)^2),
//
// where d_N is the difference to the northern neighbour and so on. All c are at most 1, so that the scheme is stable for
// 0 <= lambda <= 1/4: a new value is then a weighted mean of old ones. Differences well below kappa (noise) are smoothed,
// those above it (edges) stay. |d| is the length of the difference in RGB: the three colours share their edges, as
// otherwise coloured fringes appear. The picture is padded by its edge: nothing flows across the border.
#pragma once

#include <frit/frit.hpp>

/// A picture on the device: three arrays of one shape (height, width).
struct picture {
    frit::array<float> r, g, b;
};

struct diffusion_step {
    picture next;
    frit::array<float> change;  ///< the root mean square of next - u over pixels and colours: the residual
};

/// Records one step. Evaluating its four arrays together is one kernel: the new pixels are stored in the same pass
/// that sums their squared change.
inline diffusion_step diffuse(const picture& u, float kappa, float lambda) {
    using frit::slice;
    const frit::array<float> r = frit::pad(u.r, {{1, 1}, {1, 1}}, frit::pad_mode::edge);
    const frit::array<float> g = frit::pad(u.g, {{1, 1}, {1, 1}}, frit::pad_mode::edge);
    const frit::array<float> b = frit::pad(u.b, {{1, 1}, {1, 1}}, frit::pad_mode::edge);
    const float sharpness = -1.0f / (kappa * kappa);

    /// What flows into every pixel from the neighbour that this slice of the padded picture shows.
    const auto flow_from = [&](frit::slice rows, frit::slice columns) -> picture {
        const frit::array<float> dr = r(rows, columns) - u.r, dg = g(rows, columns) - u.g, db = b(rows, columns) - u.b;
        const frit::array<float> c = frit::exp((dr * dr + dg * dg + db * db) * sharpness);
        return {c * dr, c * dg, c * db};
    };
    const picture north = flow_from(slice(0, -2), slice(1, -1)), south = flow_from(slice(2, frit::none), slice(1, -1));
    const picture west = flow_from(slice(1, -1), slice(0, -2)), east = flow_from(slice(1, -1), slice(2, frit::none));
    const picture flow{north.r + south.r + east.r + west.r, north.g + south.g + east.g + west.g,
                       north.b + south.b + east.b + west.b};

    diffusion_step step;
    step.next = {u.r + lambda * flow.r, u.g + lambda * flow.g, u.b + lambda * flow.b};
    const auto squares = flow.r * flow.r + flow.g * flow.g + flow.b * flow.b;
    step.change = lambda * frit::sqrt(frit::sum(squares) / (3.0f * static_cast<float>(u.r.size())));
    return step;
}
