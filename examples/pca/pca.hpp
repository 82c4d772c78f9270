// Principal components of a picture's patches: what this example shows of frit. Squares of pixels become the rows of a
// matrix by views; the eigenvectors of its covariance are the patterns that the picture is made of, the most frequent ones
// first; and a few of them, added up, are nearly the picture.
//
// K. Pearson, "On lines and planes of closest fit to systems of points in space", Philosophical Magazine 2(11), 1901,
// 559-572.
#pragma once

#include <frit/frit.hpp>

using matrix = frit::array<double>;

/// (rows, columns, 3) -> (patches, side * side * 3); rows and columns are multiples of the side.
inline matrix patches_of(const matrix& picture, std::int64_t side) {
    const std::int64_t down = picture.shape()[0] / side, across = picture.shape()[1] / side;
    return transpose(picture.reshape({down, side, across, side, 3}), {0, 2, 1, 3, 4})
        .reshape({down * across, side * side * 3});
}
/// The other way round.
inline matrix picture_of(const matrix& patches, std::int64_t side, std::int64_t across) {
    const std::int64_t down = patches.shape()[0] / across;
    return transpose(patches.reshape({down, across, side, side, 3}), {0, 2, 1, 3, 4})
        .reshape({down * side, across * side, 3});
}

struct components {
    matrix mean;      ///< patch
    matrix vectors;   ///< one component a row, of length 1, the strongest first
    matrix variance;  ///< along each of them
};

inline components principal_components(const matrix& patches) {
    const matrix mean = frit::mean(patches, 0), centred = patches - mean;
    const matrix covariance = matmul(centred.T(), centred) / static_cast<double>(patches.shape()[0]);
    const auto [variance, vectors] = frit::linalg::eigh(covariance);  // rising, and one vector a column
    return {mean, flip(vectors.T(), 0), flip(variance)};
}

/// The patches by their first n components alone.
inline matrix rebuilt(const matrix& patches, const components& c, std::int64_t n) {
    const matrix basis = c.vectors(frit::slice(0, n));
    return matmul(matmul(patches - c.mean, basis.T()), basis) + c.mean;
}
