// libpng's simplified interface, the conversion between bytes and planes, and the before-and-after picture.
#include "png_file.hpp"

#include <png.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>

namespace {

struct image_guard {
    png_image image{};
    image_guard() { image.version = PNG_IMAGE_VERSION; }
    ~image_guard() { png_image_free(&image); }
    image_guard(const image_guard&) = delete;
    image_guard& operator=(const image_guard&) = delete;
    [[noreturn]] void fail(const std::string& what) const {
        throw std::runtime_error(what + (image.message[0] != 0 ? std::string(": ") + image.message : std::string()));
    }
};

}  // namespace

rgb8 read_png(const std::string& path) {
    image_guard png;
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
    if (!file) throw std::runtime_error("cannot open " + path);
    if (!png_image_begin_read_from_stdio(&png.image, file.get())) png.fail("cannot read " + path + " as a PNG file");
    png.image.format = PNG_FORMAT_RGB;
    rgb8 picture{static_cast<int>(png.image.width), static_cast<int>(png.image.height), {}};
    picture.bytes.resize(PNG_IMAGE_SIZE(png.image));
    const png_color black{0, 0, 0};  // behind transparent pixels
    if (!png_image_finish_read(&png.image, &black, picture.bytes.data(), 0, nullptr)) png.fail("cannot decode " + path);
    return picture;
}

void write_png(const std::string& path, const rgb8& picture) {
    image_guard png;
    png.image.width = static_cast<png_uint_32>(picture.width);
    png.image.height = static_cast<png_uint_32>(picture.height);
    png.image.format = PNG_FORMAT_RGB;
    if (!png_image_write_to_file(&png.image, path.c_str(), 0, picture.bytes.data(), 0, nullptr))
        png.fail("cannot write " + path);
}

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

rgb8 before_after(const rgb8& before, const rgb8& after, int x, int y) {
    constexpr int magnify = 4, gap = 8;
    const int w = std::min(150, before.width), h = std::min(120, before.height);
    x = std::clamp(x, 0, before.width - w);
    y = std::clamp(y, 0, before.height - h);
    const auto stretched = [](std::uint8_t v) {
        constexpr float gain = 10.0f;
        return static_cast<std::uint8_t>(
            std::lround(255.0f * std::asinh(gain * static_cast<float>(v) / 255.0f) / std::asinh(gain)));
    };

    rgb8 out{2 * magnify * w + gap, magnify * h, {}};
    out.bytes.assign(3 * static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height), 255);
    const auto at = [](const rgb8& p, int column, int row) {
        return 3 * (static_cast<std::size_t>(row) * static_cast<std::size_t>(p.width) + static_cast<std::size_t>(column));
    };
    const std::array sources{&before, &after};
    for (int side = 0; side < 2; ++side)
        for (int row = 0; row < magnify * h; ++row)
            for (int column = 0; column < magnify * w; ++column)
                for (std::size_t c = 0; c < 3; ++c)
                    out.bytes[at(out, side * (magnify * w + gap) + column, row) + c] =
                        stretched(sources[static_cast<std::size_t>(side)]
                                      ->bytes[at(before, x + column / magnify, y + row / magnify) + c]);
    return out;
}
