// The claim: loops and recurrences of the user's own and random numbers cost a GPU what their arithmetic or their traffic
// costs, since they are made inside the kernels that use them. Milliseconds of a Mandelbrot set whose points leave the loop
// in their own time, of pi and of an option's price by Monte Carlo, which store nothing, of normal numbers in memory, of
// recurrences along either axis, and of scans of one long row by associative operations, beside the fraction of what the
// device copies. On a GPU the set and the option stand beside kernels written by hand, timed in the same run.
//
// Method: as gpu_workloads: a batch is k calls between two synchronize(), k such that it lasts about 25 ms; medians over
// batches by the host's clock. What is computed is checked: the area of the set, pi, the closed formula's price within four
// standard errors, mean and deviation, the filter's limit, scans against a loop in float64 at a thousand places. Of the
// kernels by hand, too: the set's has frit's count at every point, and the option's draws other numbers than frit.
//
// usage: gpu_generated [--tiny]        --tiny: small, for trying it out, also on the CPU
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <frit/frit.hpp>

#include "copy_bandwidth.hpp"

namespace {

using frit::array;

double milliseconds(const std::function<void()>& f) {
    const auto batch = [&](int calls) {
        const auto start = std::chrono::steady_clock::now();
        for (int k = 0; k < calls; ++k) f();
        frit::synchronize();
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count() / calls;
    };
    batch(3);
    const int calls = static_cast<int>(std::clamp(25.0 / std::max(batch(2), 1e-3), 1.0, 1000.0));
    std::vector<double> all;
    for (int k = 0; k < 5; ++k) all.push_back(batch(calls));
    std::sort(all.begin(), all.end());
    return all[2];
}

/// What a row is compared with: a kernel by hand, how far its result is off, and how far it may be.
struct peer {
    const char* name;
    double off, most;
    std::function<void()> f;
};

struct table {
    std::optional<copy_bandwidth> copy;
    bool right = true;
    /// @param off  how far the result is from what it should be, and how far it may be
    void row(const char* name, double bytes, const char* bar, double off, double most, const std::function<void()>& f,
             const std::vector<peer>& peers = {}) {
        right = right && off <= most;
        const double ms = milliseconds(f);
        std::printf("%-18s %9.4f ms %8.3f of the copy  (bar %s)  off by %.1e\n", name, ms,
                    copy ? bytes / ms * 1e-6 / copy->gbps : 0.0, bar, off);
        for (const peer& p : peers) {
            right = right && p.off <= p.most;
            const double theirs = milliseconds(p.f);
            std::printf("    %-28s %9.4f ms, frit takes %.3f of it  off by %.1e\n", p.name, theirs, ms / theirs, p.off);
        }
    }
};

/// Rounds that each point of [-2, 0.5] x [-1.25, 1.25] stays, of 100.
array<int> mandelbrot(std::int64_t side) {
    const array<float> re = frit::linspace(-2.0F, 0.5F, side), im = frit::linspace(-1.25F, 1.25F, side).reshape({side, 1});
    const auto step = [&](const auto& x, const auto& y, const auto& n) {
        return std::tuple(x * x - y * y + re, 2.0F * x * y + im, n + 1);
    };
    const auto far = [](const auto& x, const auto& y, const auto&) { return x * x + y * y > 4.0F; };
    return std::get<2>(frit::iterate(100, std::tuple(0.0F, 0.0F, 0), step, far));
}

/// A thread a pixel, and the same values as frit's to the bit: fma where the planner has it.
constexpr const char* mandelbrot_text = R"(
extern "C" __global__ void mandelbrot(int* rounds, int side, float step) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= side || row >= side) return;
    const float re = column == side - 1 ? 0.5f : fmaf(column, step, -2.0f);
    const float im = row == side - 1 ? 1.25f : fmaf(row, step, -1.25f);
    float x = 0, y = 0;
    int n = 0;
    for (; n < 100; ++n) {
        const float square = y * y;
        if (fmaf(x, x, square) > 4.0f) break;
        const float next = fmaf(x, x, -square) + re;
        y = fmaf(2.0f * x, y, im);
        x = next;
    }
    rounds[row * side + column] = n;
})";

/// Beside a kernel by hand whose warps lie along a row or in tiles, which have fewer points to wait for.
void set(table& t, int side) {
    const array<int> rounds = mandelbrot(side);
    rounds.eval();
    const double area = 2.5 * 2.5 * frit::mean(rounds == 100).item();
    const float step = 2.5F / static_cast<float>(side - 1);
    array<int> counts = frit::full<int>({side, side}, -1);
    std::vector<peer> peers;
    const auto compare = [&](const char* name, int wide, int high) {
        const frit::raw_kernel k("mandelbrot", mandelbrot_text);
        const auto launch = [&counts, k, side, step, wide, high] {
            k.launch({(side + wide - 1) / wide, (side + high - 1) / high}, {wide, high}, frit::inout(counts), side, step);
            counts.eval();
        };
        launch();
        peers.push_back({name, static_cast<double>(frit::sum(counts != rounds).item()), 0, launch});
        counts = frit::full<int>({side, side}, -1);
    };
    if (frit::default_device().is_cuda()) {
        compare("by hand, warps of 32 x 1", 32, 8);
        compare("by hand, warps of 8 x 4", 8, 32);
    }
    // The set's own is 1.5066; after 100 rounds some of its surroundings are left.
    t.row(
        "mandelbrot", 4.0 * side * side, "0.62 ms", std::abs(area - 1.53), 0.04, [&] { mandelbrot(side).eval(); }, peers);
}

/// A call on a share: what a path's end is worth today on average, and how much that deviates, by the closed formula.
struct option {
    double spot = 100, strike = 105, rate = 0.05, volatility = 0.2, years = 1;
    double spread() const { return volatility * std::sqrt(years); }
    double drift() const { return rate * years - spread() * spread() / 2; }
    double discount() const { return std::exp(-rate * years); }
    /// Of spot^power above the strike, today.
    double above(double power) const {
        const double d = (std::log(spot / strike) + drift()) / spread() + power * spread();
        const double grown = std::pow(spot, power) * std::exp(power * drift() + power * power * spread() * spread() / 2);
        return grown * std::erfc(-d / std::sqrt(2.0)) / 2;
    }
    double price() const { return discount() * (above(1) - strike * above(0)); }
    double deviation() const {
        const double squares = above(2) - 2 * strike * above(1) + strike * strike * above(0);
        return std::sqrt(discount() * discount() * squares - price() * price());
    }
};

/// Four normal numbers of a block by Box and Muller, four payoffs. What 64 blocks give is added in float32, the rest in
/// float64. Fast: angles by the device's own sine, as cuRAND has it.
constexpr const char* black_scholes_text = R"(
__device__ uint4 philox(uint4 c, unsigned k0, unsigned k1) {
#pragma unroll
    for (int round = 0; round < 10; ++round) {
        const unsigned high0 = __umulhi(0xD2511F53u, c.x), low0 = 0xD2511F53u * c.x;
        const unsigned high1 = __umulhi(0xCD9E8D57u, c.z), low1 = 0xCD9E8D57u * c.z;
        c = make_uint4(high1 ^ c.y ^ k0, low1, high0 ^ c.w ^ k1, low0);
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return c;
}
template <bool fast>
__device__ float2 normals(unsigned a, unsigned b) {
    const float radius = sqrtf(-2.0f * logf(fmaf(a, 0x1p-32f, 0x1p-33f)));
    float s, c;
    if (fast)
        __sincosf(b * (6.2831853f * 0x1p-32f), &s, &c);
    else
        sincospif(b * 0x1p-31f, &s, &c);
    return make_float2(radius * s, radius * c);
}
template <bool fast>
__global__ void __launch_bounds__(256) black_scholes(double* total, unsigned blocks, unsigned key, float spot, float strike,
                                                     float drift, float spread) {
    const auto payoff = [&](float z) { return fmaxf(spot * expf(drift + spread * z) - strike, 0.0f); };
    double sum = 0;
    for (unsigned k = blockIdx.x * blockDim.x + threadIdx.x; k < blocks;) {
        float part = 0;
        for (int n = 0; n < 64 && k < blocks; ++n, k += gridDim.x * blockDim.x) {
            const uint4 word = philox(make_uint4(k, 0, 0, 0), key, 0);
            const float2 p = normals<fast>(word.x, word.y), q = normals<fast>(word.z, word.w);
            part += (payoff(p.x) + payoff(p.y)) + (payoff(q.x) + payoff(q.y));
        }
        sum += part;
    }
    __shared__ double sums[8];
    for (int half = 16; half > 0; half /= 2) sum += __shfl_down_sync(~0u, sum, half);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (int warp = 1; warp < 8; ++warp) sum += sums[warp];
    atomicAdd(total, sum);
})";

/// The price by frit, nothing stored, and by the kernel above in the ways in which people compile such: exact functions, the
/// device's sine, everything approximate.
void black_scholes(table& t, std::int64_t paths) {
    const option o;
    const auto spot = static_cast<float>(o.spot), strike = static_cast<float>(o.strike);
    const auto drift = static_cast<float>(o.drift()), spread = static_cast<float>(o.spread());
    frit::random::generator g(1973);
    const auto price = [&] {
        const array<float> z = g.normal<float>({paths});
        const auto payoff = frit::maximum(spot * frit::exp(drift + spread * z) - strike, 0.0F);
        return array<double>(o.discount() * frit::cast<double>(frit::mean(payoff)));
    };
    const double most = 4 * o.deviation() / std::sqrt(static_cast<double>(paths));
    array<double> total = frit::zeros<double>(1);  // the timed launches add to it, too: nobody reads that
    std::vector<peer> peers;
    constexpr int grid = 132 * 8;  // what an H100 or H200 has room for
    const auto compare = [&](const char* name, const frit::raw_kernel& k) {
        const auto launch = [&total, k, paths, spot, strike, drift, spread] {
            k.launch({grid}, {256}, frit::inout(total), paths / 4, 1973, spot, strike, drift, spread);
            total.eval();
        };
        total = frit::zeros<double>(1);
        launch();
        const double found = o.discount() * total(0).item() / static_cast<double>(paths);
        peers.push_back({name, std::abs(found - o.price()), most, launch});
    };
    if (frit::default_device().is_cuda()) {
        compare("by hand", frit::raw_kernel("black_scholes<false>", black_scholes_text));
        compare("by hand, __sincosf", frit::raw_kernel("black_scholes<true>", black_scholes_text));
        compare("by hand, --use_fast_math",
                frit::raw_kernel("black_scholes<true>", black_scholes_text, {.flags = {"--use_fast_math"}}));
    }
    t.row(
        "black_scholes_1e9", 0, "1.05 of by hand", std::abs(price().item() - o.price()), most, [&] { price().eval(); },
        peers);
}

/// y = 0.9 y + x along an axis of ones: towards 10.
void recurrence(table& t, const char* name, std::int64_t rows, std::int64_t columns, int axis, const char* bar) {
    const array<float> x = frit::ones<float>({rows, columns}) * 1.0F;
    x.eval();
    const auto filter = [](const auto& y, const auto& v) { return 0.9F * y + v; };
    const auto run = [&] { return array<float>(frit::scan_along(axis, 0.0F, filter, x)); };
    const array<float> y = run();
    const double last = 10 * (1 - std::pow(0.9, static_cast<double>(axis == 0 ? rows : columns)));
    const double off = std::abs(static_cast<double>(y(rows - 1, columns - 1).item()) - last);
    t.row(name, 8.0 * static_cast<double>(rows * columns), bar, off, 1e-3, [&] { run().eval(); });
}
/// Tridiagonal systems in columns, -1, 4, -1 on their diagonals: two sweeps, which read and write what they must.
void tridiagonal(table& t, std::int64_t n, std::int64_t systems) {
    const array<float> rhs = frit::ones<float>({n, systems}) * 2.0F;
    rhs.eval();
    const auto down = [](const auto& c, const auto& d, const auto& r) {
        const auto m = 1 / (4.0F + c);
        return std::tuple(-1.0F * m, (r + d) * m);
    };
    const auto up = [](const auto& x, const auto& c, const auto& d) { return d - c * x; };
    const auto solve = [&] {
        const auto [c, d] = frit::scan_along(0, std::tuple(0.0F, 0.0F), down, rhs);
        return array<float>(frit::scan_along(frit::backward(0), 0.0F, up, c, d));
    };
    const double off = std::abs(static_cast<double>(solve()(n / 2, systems / 2).item()) - 1);
    t.row("thomas", 4.0 * 6 * static_cast<double>(n * systems), "1.15 of the bound", off, 1e-5, [&] { solve().eval(); });
}

/// The largest difference from a loop's values, at a thousand places.
template <class Next>
double off_from_loop(const array<float>& got, Next next) {
    const std::vector<float> all = got.to_vector();
    const std::size_t apart = all.size() / 1000;
    double worst = 0;
    for (std::size_t k = 0; k < all.size(); ++k) {
        const double want = next(k);
        if (k % apart == 0 || k + 1 == all.size()) worst = std::max(worst, std::abs(static_cast<double>(all[k]) - want));
    }
    return worst;
}
/// Chances that something has happened, sums of probabilities by their logarithms, which take arithmetic, and y = a y + b as
/// maps that are composed: along a row of n.
void associative(table& t, std::int64_t n) {
    frit::random::generator g(67);
    const array<float> x = g.uniform<float>({n}, 0.0F, 1e-7F), a = g.uniform<float>({n}, 0.2F, 0.95F);
    frit::eval(x, a);
    const std::vector<float> of = x.to_vector(), by = a.to_vector();
    const double bytes = 4.0 * static_cast<double>(n);
    const auto user = [&] { return array<float>(frit::scan(x, 0, [](auto p, auto q) { return p + q - p * q; })); };
    double chance = 0, sum = 0, state = 0;
    const double off_user = off_from_loop(user(), [&](std::size_t k) {
        const double v = static_cast<double>(of[k]);
        return chance = chance + v - chance * v;
    });
    t.row("scan_user", 2 * bytes, "0.70 of the copy", off_user, 1e-4, [&] { user().eval(); });
    const auto logs = [&] { return array<float>(frit::scan(a, 0, [](auto p, auto q) { return frit::logaddexp(p, q); })); };
    const double off_logs =
        off_from_loop(logs(), [&](std::size_t k) { return std::log(sum += std::exp(static_cast<double>(by[k]))); });
    t.row("scan_logaddexp", 2 * bytes, "none: arithmetic", off_logs, 1e-4, [&] { logs().eval(); });
    const auto composed = [](const auto& f, const auto& h) {
        const auto& [p, q] = f;
        const auto& [r, s] = h;
        return std::tuple(p * r, q * r + s);
    };
    const auto affine = [&] { return array<float>(std::get<1>(frit::scan(std::tuple(a, x), 0, composed))); };
    const double off_affine = off_from_loop(
        affine(), [&](std::size_t k) { return state = static_cast<double>(by[k]) * state + static_cast<double>(of[k]); });
    t.row("scan_affine", 3 * bytes, "0.70 of the copy", off_affine, 1e-12, [&] { affine().eval(); });
}

int run(bool tiny) {
    table t;
    if (!tiny) t.copy.emplace(measure_copy_bandwidth());
    if (t.copy) std::printf("%s, copy %.0f GB/s\n", t.copy->device.c_str(), t.copy->gbps);
    const std::int64_t points = std::int64_t{1} << (tiny ? 18 : 28), n = points / 2;
    set(t, tiny ? 256 : 4096);
    frit::random::generator g(2026);
    const auto inside = [&] {
        const array<float> x = g.uniform<float>({points}), y = g.uniform<float>({points});
        return array<double>(4 * frit::mean(x * x + y * y < 1.0F));
    };
    t.row("pi_2e28", 0, "0.7 ms", std::abs(inside().item() - 3.14159265358979), 10 / std::sqrt(static_cast<double>(points)),
          [&] { inside().eval(); });
    black_scholes(t, tiny ? 1 << 18 : 1'000'000'000);
    const auto normal = [&] { return array<float>(g.normal<float>({n})); };
    const array<float> numbers = normal();
    numbers.eval();
    const double off = std::max(std::abs(static_cast<double>(frit::mean(numbers).item())),
                                std::abs(static_cast<double>(frit::stddev(numbers).item()) - 1));
    t.row("normal_2e27", 4.0 * static_cast<double>(n), "0.55 of the copy", off, 10 / std::sqrt(static_cast<double>(n)),
          [&] { normal().eval(); });
    const std::int64_t q = tiny ? 256 : 4096, lanes = tiny ? 1024 : 65536;
    recurrence(t, "recurrence_axis0", q, q, 0, "0.09 ms");
    recurrence(t, "recurrence_axis1", q, q, 1, "0.07 ms");
    recurrence(t, "many_axis0", q / 4, lanes, 0, "0.87 of the copy");
    recurrence(t, "many_axis1", lanes, q / 4, 1, "0.87 of the copy");
    tridiagonal(t, 128, tiny ? 1024 : 1000000);
    associative(t, std::int64_t{1} << (tiny ? 18 : 26));
    return t.right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc > 1 && std::string(argv[1]) == "--tiny");
    } catch (const std::exception& e) {
        std::fprintf(stderr, "gpu_generated: %s\n", e.what());
        return 1;
    }
}
