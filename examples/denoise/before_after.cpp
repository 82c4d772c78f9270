// A detail before and after, side by side.
#include "before_after.hpp"

#include <algorithm>
#include <array>
#include <cmath>

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
