// A ray marcher: what this example shows of frit. A scene is one function, the distance of a point from the nearest surface;
// a ray goes forward by as much as nothing can be hit, until it is very close or far away. frit::iterate makes that a loop
// inside one kernel, which every ray leaves in its own time; normals, shadows and colours are ordinary formulas over where
// the rays end, and fuse with it: a picture reads nothing and writes three numbers a pixel.
//
// J. C. Hart, "Sphere tracing: a geometric method for the antialiased ray tracing of implicit surfaces", The Visual Computer
// 12(10), 1996, 527-545. The smooth union is the polynomial one of I. Quilez, "Smooth minimum", 2013.
#pragma once

#include <cmath>
#include <tuple>

#include <frit/frit.hpp>

using floats = frit::array<float>;

/// Points or directions, one for each ray.
struct vectors {
    floats x, y, z;
};
/// One for all rays.
inline vectors vector(float x, float y, float z) { return {frit::scalar(x), frit::scalar(y), frit::scalar(z)}; }
inline floats dot(const vectors& a, const vectors& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline vectors operator+(const vectors& a, const vectors& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline vectors operator*(const floats& t, const vectors& a) { return {t * a.x, t * a.y, t * a.z}; }
inline vectors operator*(float t, const vectors& a) { return {t * a.x, t * a.y, t * a.z}; }
inline vectors normalized(const vectors& a) { return rsqrt(dot(a, a)) * a; }

/// The union of two bodies, rounded where they are closer together than k.
inline floats smooth_union(const floats& a, const floats& b, float k) {
    const floats h = maximum(k - abs(a - b), 0) / k;
    return minimum(a, b) - h * h * (k / 4);
}

/// The nearest surface: a floor, and two balls and a ring that run into one another. Below a body's surface it is negative.
inline floats scene(const vectors& p) {
    const auto ball = [&](float x, float y, float z, float radius) {
        const vectors from_centre{p.x - x, p.y - y, p.z - z};
        return sqrt(dot(from_centre, from_centre)) - radius;
    };
    const floats large = ball(-0.55f, 0.7f, 0, 0.7f), small = ball(0.55f, 0.42f, -0.35f, 0.42f);
    const floats across = hypot(p.x - 0.35f, p.y - 0.75f) - 0.62f;  // a ring around an axis along z
    const floats ring = hypot(across, p.z - 0.3f) - 0.13f;
    return minimum(smooth_union(smooth_union(large, small, 0.35f), ring, 0.2f), p.y);
}

inline constexpr float far_away = 20;

/// How far each ray gets: to a surface, or beyond far_away.
inline floats march(const vectors& from, const vectors& direction) {
    const auto step = [&](const floats& t, const floats& free) {
        const floats next = t + free;
        return std::tuple(next, scene(from + next * direction));
    };
    const auto done = [](const floats& t, const floats& free) { return (free < 0.0005f * t) | (t > far_away); };
    return std::get<0>(frit::iterate(200, std::tuple(0.01f, 0.01f), step, done));
}

/// How much light arrives, from 0 to 1: the closer a ray comes to a body on its way to the lamp, the less.
inline floats light_at(const vectors& from, const vectors& lamp) {
    const auto step = [&](const floats& t, const floats& light) {
        const floats free = scene(from + t * lamp);
        return std::tuple(t + clip(free, 0.01f, 0.3f), minimum(light, 10 * free / t));
    };
    const auto done = [](const floats& t, const floats& light) { return (light < 0.002f) | (t > 6); };
    return frit::maximum(std::get<1>(frit::iterate(120, std::tuple(0.03f, 1.0f), step, done)), 0);
}

/// Where the distance grows fastest, from four points around p.
inline vectors normal(const vectors& p) {
    constexpr float h = 0.001f;
    const auto away = [&](float x, float y, float z) { return scene({p.x + h * x, p.y + h * y, p.z + h * z}); };
    const floats a = away(1, -1, -1), b = away(-1, -1, 1), c = away(-1, 1, -1), d = away(1, 1, 1);
    return normalized({a - b - c + d, c + d - a - b, b + d - a - c});
}

/// Where the camera is, and how far it looks down: at a point half a unit above the origin.
struct camera {
    float height = 1.7f, distance = 3.6f;
    vectors eye() const { return vector(0, height, -distance); }
    /// Through the middles of the pixels of a screen.
    vectors rays(int columns, int rows) const {
        const frit::array<std::int64_t> pixel = frit::indices({rows, columns});
        const float size = static_cast<float>(rows), length = std::hypot(distance, height - 0.5f);
        const floats u = (frit::cast<float>(pixel(1)) + 0.5f * static_cast<float>(1 - columns)) / size;
        const floats v = (0.5f * (size - 1) - frit::cast<float>(pixel(0))) / size;
        const float down = (height - 0.5f) / length, ahead = distance / length, focus = 1.5f;
        return normalized({u, v * ahead - focus * down, v * down + focus * ahead});
    }
};

/// Red, green and blue of every pixel, in [0, 1].
struct planes_of_light {
    floats red, green, blue;
};

inline planes_of_light render(int columns, int rows, const camera& view = {}) {
    const vectors eye = view.eye(), ray = view.rays(columns, rows), lamp = normalized(vector(-0.6f, 0.8f, -0.5f));
    const floats t = march(eye, ray);
    const vectors p = eye + t * ray, n = normal(p);
    const floats light = maximum(dot(n, lamp), 0) * light_at(p + 0.002f * n, lamp), sky = 0.5f + 0.5f * n.y;

    // The floor has squares, the bodies change from orange to blue upwards; what is far away goes over into the sky.
    const frit::array<bool> on_floor = p.y < 0.001f * t;
    const floats square = floor(p.x * 2) + floor(p.z * 2), dark = square - 2 * floor(square / 2);
    const floats height = clip(p.y / 1.4f, 0, 1), haze = where(t > far_away, 1.0f, 1 - exp(-0.012f * t * t));
    const auto channel = [&](float below, float above, float tile, float sky_colour) {
        const floats own = where(on_floor, tile * (0.9f - 0.5f * dark), below + height * (above - below));
        const floats lit = own * (1.1f * light + 0.28f * sky);
        return sqrt(clip(lit + haze * (sky_colour - lit), 0, 1));  // the gamma of a screen, roughly
    };
    return {channel(0.95f, 0.15f, 0.8f, 0.62f), channel(0.42f, 0.42f, 0.78f, 0.76f), channel(0.12f, 0.85f, 0.72f, 0.95f)};
}
