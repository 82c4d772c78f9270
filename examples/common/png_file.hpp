// PNG files: all that the examples need of libpng.
#pragma once

#include <string>

#include "pictures.hpp"

/// @throws std::runtime_error naming the file and the reason
rgb8 read_png(const std::string& path);
/// @throws std::runtime_error naming the file and the reason
void write_png(const std::string& path, const rgb8& picture);
