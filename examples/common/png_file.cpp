// libpng's simplified interface.
#include "png_file.hpp"

#include <png.h>

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
