// The colours of a picture in k clusters (Lloyd's algorithm): what this example shows of frit. S. P. Lloyd, "Least squares
// quantization in PCM", IEEE Transactions on Information Theory 28(2), 1982, 129-137. Each step gives every pixel to the
// centre nearest to it, and moves every centre to the mean of its pixels.
#pragma once

#include <frit/frit.hpp>

/// The squared distances of pixels (3, n) from centres (3, k): (n, k), a formula that is never stored.
inline auto distances(const frit::array<float>& pixels, const frit::array<float>& centres) {
    const auto along = [&](int c) { return square(pixels(c, frit::all, frit::newaxis) - centres(c)); };
    return along(0) + along(1) + along(2);
}

/// Centres to start from: the mean colour, and then, again and again, the colour farthest from those that there are (T. F.
/// Gonzalez, 1985). What lights up in few pixels gets a cluster of its own so, and nothing is left to chance.
inline frit::array<float> spread_centres(const frit::array<float>& pixels, std::int64_t k) {
    frit::array<float> centres = frit::zeros<float>({3, k});
    centres(frit::all, 0) = mean(pixels, 1);
    frit::array<float> away = frit::full({pixels.shape()[1]}, INFINITY);
    for (std::int64_t j = 1; j < k; ++j) {
        away = minimum(away, sum(square(pixels - centres(frit::all, frit::slice(j - 1, j))), 0));
        centres(frit::all, j) = pixels(frit::all, argmax(away));
        frit::eval(away, centres);
    }
    return centres;
}

/// What a step finds out and what it makes of it.
struct clusters {
    frit::array<std::int64_t> nearest;  ///< the number of each pixel's centre
    frit::array<float> error;           ///< the mean squared distance of pixels from their centres
    frit::array<float> centres;         ///< moved
};
inline clusters improve(const frit::array<float>& pixels, const frit::array<float>& centres) {
    const frit::array<std::int64_t> nearest = argmin(distances(pixels, centres), 1);
    const frit::array<float> means = segment_mean(pixels, nearest, centres.shape()[1], 1);
    return {nearest, sum(square(pixels - take(centres, nearest, 1))) / static_cast<float>(nearest.size()),
            where(isnan(means), centres, means)};  // a centre without pixels stays where it is
}
