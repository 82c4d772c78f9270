// Pictures as three planes of floats, and PNG files: all that the example needs of libpng.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

/// 8-bit RGB, rows from the top, as libpng gives and takes it.
struct rgb8 {
    int width = 0, height = 0;
    std::vector<std::uint8_t> bytes;  // 3 * width * height
};

/// @throws std::runtime_error naming the file and the reason
rgb8 read_png(const std::string& path);
/// @throws std::runtime_error naming the file and the reason
void write_png(const std::string& path, const rgb8& picture);

/// Red, green and blue in [0, 1], each height * width.
using planes = std::array<std::vector<float>, 3>;
planes to_planes(const rgb8& picture);
rgb8 to_rgb8(const planes& colours, int width, int height);

/// A detail of both pictures side by side, magnified and stretched alike (asinh, as astronomers do it), so that the noise
/// of a dark sky can be seen. The detail starts at (x, y), moved inside the picture where it would leave it.
rgb8 before_after(const rgb8& before, const rgb8& after, int x, int y);
