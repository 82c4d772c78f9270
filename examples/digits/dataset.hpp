// The images that data/digits.png holds: row k of its 8 x 8 tiles shows the digit k. Beside the classifiers, for both
// programs.
#pragma once

#include <string>

#include "digits.hpp"
#include "png_file.hpp"

struct dataset {
    examples training, test;
};

/// The first 120 images of each digit to learn from, the other 54 to test.
/// @throws std::runtime_error naming the file and the reason
inline dataset read_digits(const std::string& path) {
    const rgb8 picture = read_png(path);
    const std::int64_t digits = 10, count = picture.width / 8, learned = 120;
    const frit::array<float> grey =
        frit::cast<float>(frit::from_host(picture.bytes, {8 * digits, 8 * count, 3})(frit::ellipsis, 0));
    // (digit, row, number, column) -> (digit, number, row, column)
    const frit::array<float> images =
        transpose((grey / 240).reshape({digits, 8, count, 8}), {0, 2, 1, 3}).reshape({digits, count, 64});
    const auto part = [&](const frit::slice& which) {
        const frit::array<float> some = images(frit::all, which);
        const std::int64_t each = some.shape()[1];
        const labels digit = repeat(frit::arange<std::int64_t>(digits), each);
        return examples{matrix(some.reshape({digits * each, 64})).eval(), labels(digit).eval()};
    };
    return {part(frit::slice(0, learned)), part(frit::slice(learned, frit::none))};
}
