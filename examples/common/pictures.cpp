// The conversion between bytes and planes, and colours by interpolation.
#include "pictures.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#ifdef FRIT_EXAMPLE_PNG
#include "png_file.hpp"
#endif

const gradient hot{{0, 0, 0, 0}, {0.35, 0.9, 0, 0}, {0.7, 1, 0.9, 0}, {1, 1, 1, 1}};
const gradient dusk{{0, 0, 0.03, 0.4},  {0.16, 0.13, 0.42, 0.8}, {0.42, 0.93, 1, 1},
                    {0.64, 1, 0.67, 0}, {0.86, 0, 0.01, 0},      {1, 0, 0.03, 0.4}};

planes to_planes(const rgb8& picture) {
    planes colours;
    const std::size_t pixels = picture.bytes.size() / 3;
    for (std::size_t c = 0; c < 3; ++c) {
        colours[c].resize(pixels);
        for (std::size_t i = 0; i < pixels; ++i) colours[c][i] = static_cast<float>(picture.bytes[3 * i + c]) / 255.0f;
    }
    return colours;
}

rgb8 to_rgb8(const planes& colours, int width, int height) {
    rgb8 picture{width, height, std::vector<std::uint8_t>(3 * colours[0].size())};
    for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t i = 0; i < colours[c].size(); ++i)
            picture.bytes[3 * i + c] =
                static_cast<std::uint8_t>(std::lround(255.0f * std::clamp(colours[c][i], 0.0f, 1.0f)));
    return picture;
}

rgb8 colour(std::span<const double> values, int width, int height, const gradient& colours) {
    rgb8 picture{width, height, {}};
    picture.bytes.reserve(3 * values.size());
    for (const double value : values) {
        const double x = std::clamp(value, 0.0, 1.0);
        std::size_t k = 1;
        while (k + 1 < colours.size() && colours[k].at < x) ++k;
        const colour_stop &low = colours[k - 1], &high = colours[k];
        const double t = (x - low.at) / (high.at - low.at);
        for (double colour_stop::*c : {&colour_stop::red, &colour_stop::green, &colour_stop::blue})
            picture.bytes.push_back(static_cast<std::uint8_t>(std::lround(255 * std::lerp(low.*c, high.*c, t))));
    }
    return picture;
}

void show_picture(const std::string& path, const rgb8& picture) {
#ifdef FRIT_EXAMPLE_PNG
    write_png(path, picture);
    std::printf("wrote %s\n", path.c_str());
#else
    static_cast<void>(picture);
    std::printf("no %s: built without libpng\n", path.c_str());
#endif
}
