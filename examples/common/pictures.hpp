// Pictures: 8-bit RGB, planes of numbers, and colours for a scalar field.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// 8-bit RGB, rows from the top.
struct rgb8 {
    int width = 0, height = 0;
    std::vector<std::uint8_t> bytes;  // 3 * width * height
};

/// Red, green and blue in [0, 1], each height * width.
using planes = std::array<std::vector<float>, 3>;
planes to_planes(const rgb8& picture);
rgb8 to_rgb8(const planes& colours, int width, int height);

/// Colours along [0, 1], linear in between.
struct colour_stop {
    double at, red, green, blue;
};
using gradient = std::vector<colour_stop>;
extern const gradient hot;   ///< black, red, yellow, white
extern const gradient dusk;  ///< dark blue, white, orange, black and back: a cycle
rgb8 colour(std::span<const double> values, int width, int height, const gradient& colours);

/// Writes a PNG file and says so on standard output; says that there is none where this was built without libpng.
/// @throws std::runtime_error naming the file and the reason
void show_picture(const std::string& path, const rgb8& picture);
