// Rays against what they must hit: the distance to the floor in closed form, and every end on a surface; normals against
// those of the floor and of a ball; shadows where they must be; and that a picture is one kernel, which reads nothing.
#include <algorithm>
#include <cmath>

#include "check.hpp"
#include "ray_marcher.hpp"

namespace {

double largest(const floats& x) { return static_cast<double>(frit::max(frit::abs(x)).item()); }

void rays_reach_the_floor() {
    // From far to the left, away from the bodies, downwards at several angles.
    const floats down{0.3f, 0.5f, 0.7f, 0.9f};
    const vectors from{frit::full<float>({4}, -9), frit::ones<float>({4}), frit::zeros<float>({4})};
    const vectors direction{0 - sqrt(1 - down * down), 0 - down, frit::zeros<float>({4})};
    const floats error = march(from, direction) * down - 1;
    check(largest(error) < 2e-3, "distance of where rays end from the floor", largest(error));
    const auto upwards = static_cast<double>(march(vector(-9, 1, 0), vector(0, 1, 0)).item());
    check(upwards > far_away, "how far a ray gets that goes to the sky", upwards);
}

void rays_end_on_surfaces() {
    const camera view;
    const vectors ray = view.rays(90, 60);
    const floats t = march(view.eye(), ray);
    const frit::array<bool> hit = t < far_away;
    const floats left = where(hit, abs(scene(view.eye() + t * ray)) / t, 0);
    check(largest(left) < 1e-3, "distance of a hit from the surface, over that from the eye", largest(left));
    const double share = frit::mean(hit).item();
    check(share > 0.6 && share < 0.95, "share of the rays that hit something", share);
    check(largest(dot(ray, ray) - 1) < 1e-5, "squared length of the rays' directions, minus 1", largest(dot(ray, ray) - 1));
}

void normals_are_those_of_the_bodies() {
    const vectors on_floor = normal(vector(-5, 0, 2));
    check(largest(on_floor.y - 1) < 1e-4, "upwards part of the floor's normal, minus 1", largest(on_floor.y - 1));
    // The far side of the large ball, where nothing else is near.
    const float s = std::sqrt(0.5f);
    const vectors n = normal(vector(-0.55f - 0.7f * s, 0.7f + 0.7f * s, 0));
    check(largest(n.x + s) < 5e-3 && largest(n.y - s) < 5e-3, "distance of a ball's normal from its radius",
          std::max(largest(n.x + s), largest(n.y - s)));
}

void shadows_are_under_the_bodies() {
    const vectors up = vector(0, 1, 0);
    const auto light = [&](float x, float z) { return static_cast<double>(light_at(vector(x, 0.001f, z), up).item()); };
    check(light(-0.55f, 0.35f) < 0.01, "light from above below the large ball", light(-0.55f, 0.35f));
    check(light(-6, 2) > 0.99, "and far away", light(-6, 2));
}

void a_picture_is_one_kernel() {
    constexpr int columns = 120, rows = 80;
    for (const float height : {1.7f, 2.1f}) {
        frit::reset_stats();
        const planes_of_light seen = render(columns, rows, {height, 3.6f});
        frit::eval(seen.red, seen.green, seen.blue);
        const frit::counters c = frit::stats();
        check(c.kernels_launched == 1, "kernels", static_cast<double>(c.kernels_launched));
        check(c.bytes_read == 0, "bytes read", static_cast<double>(c.bytes_read));
        check(c.bytes_written == 3ull * 4 * columns * rows, "bytes written", static_cast<double>(c.bytes_written));
        const double low = static_cast<double>(frit::min(seen.red).item()), high = largest(seen.red);
        check(low >= 0 && high <= 1 && high - low > 0.5, "darkest red", low);
    }
}

void run() {
    rays_reach_the_floor();
    rays_end_on_surfaces();
    normals_are_those_of_the_bodies();
    shadows_are_under_the_bodies();
    a_picture_is_one_kernel();
}

}  // namespace

int main() { return run_checks(run); }
