// The workloads of indices as plain loops over plain memory, on one thread, with no check of the indices. Compiled with -O3
// -march=native.
#include <algorithm>
#include <functional>
#include <memory>
#include <stdexcept>

#include "indexed.hpp"

namespace {

using indexed_bench::inputs;

template <class T>
using loop_of = void (*)(const inputs&, std::vector<T>&);

template <class T>
job of(std::size_t n, std::size_t extent, loop_of<T> loop) {
    struct state {
        inputs in;
        std::vector<T> out;
    };
    const auto s = std::make_shared<state>(state{inputs(n), std::vector<T>(extent)});
    return {[s, loop] { loop(s->in, s->out); },
            [s, loop, extent] {
                s->out.assign(extent, T());
                loop(s->in, s->out);
                return checksum(s->out);
            }};
}

void gather(const inputs& in, std::vector<float>& out) {
    for (std::size_t j = 0; j < in.n; ++j) out[j] = in.x[static_cast<std::size_t>(in.i[j])];
}
void gather_sum(const inputs& in, std::vector<float>& out) {
    float sums[4] = {};
    for (std::size_t j = 0; j < in.n; ++j) sums[j % 4] += in.x[static_cast<std::size_t>(in.i[j])] * in.y[j];
    out[0] = sums[0] + sums[1] + (sums[2] + sums[3]);
}
void scatter(const inputs& in, std::vector<float>& out) {
    for (std::size_t j = 0; j < in.n; ++j) out[static_cast<std::size_t>(in.i[j])] = in.y[j];
}
void scatter_add(const inputs& in, std::vector<float>& out) {
    for (std::size_t j = 0; j < in.n; ++j) out[static_cast<std::size_t>(in.i[j])] += in.y[j];
}
void bins_add(const inputs& in, std::vector<float>& out) {
    for (std::size_t j = 0; j < in.n; ++j) out[static_cast<std::size_t>(in.k[j])] += in.y[j];
}
void histogram(const inputs& in, std::vector<std::int64_t>& out) {
    std::fill(out.begin(), out.end(), 0);
    for (std::size_t j = 0; j < in.n; ++j)
        if (in.x[j] >= -2 && in.x[j] <= 2) ++out[std::min<std::size_t>(99, static_cast<std::size_t>((in.x[j] + 2) * 25))];
}
void mask(const inputs& in, std::vector<float>& out) {
    out.resize(in.n);
    std::size_t at = 0;
    for (std::size_t j = 0; j < in.n; ++j) {
        out[at] = in.x[j];
        at += in.m[j];
    }
    out.resize(at);
}
void masked_write(const inputs& in, std::vector<float>& out) {
    for (std::size_t j = 0; j < in.n; ++j) out[j] = in.m[j] ? 0 : out[j];
}
void concatenate(const inputs& in, std::vector<float>& out) {
    std::copy(in.x.begin(), in.x.end(), out.begin());
    for (std::size_t j = 0; j < in.n; ++j) out[in.n + j] = in.y[j] + 1;
    std::copy(in.x.begin(), in.x.end(), out.begin() + static_cast<std::ptrdiff_t>(2 * in.n));
}
void stack(const inputs& in, std::vector<float>& out) {
    for (std::size_t j = 0; j < in.n; ++j) {
        out[2 * j] = in.x[j];
        out[2 * j + 1] = in.y[j];
    }
}
void roll(const inputs& in, std::vector<float>& out) {
    const std::size_t by = in.n / 3;
    for (std::size_t j = 0; j < in.n - by; ++j) out[by + j] = in.x[j];
    for (std::size_t j = 0; j < by; ++j) out[j] = in.x[in.n - by + j];
}
void running_sum(const inputs& in, std::vector<float>& out) {
    float sum = 0;
    for (std::size_t j = 0; j < in.n; ++j) out[j] = sum += in.x[j] * in.y[j];
}

}  // namespace

job indexed_bench::loop_job(const std::string& workload, std::size_t n) {
    if (workload == "gather") return of(n, n, gather);
    if (workload == "gather_sum") return of(n, 1, gather_sum);
    if (workload == "scatter") return of(n, n, scatter);
    if (workload == "scatter_add") return of(n, n, scatter_add);
    if (workload == "bins_add") return of(n, 256, bins_add);
    if (workload == "histogram") return of(n, 100, histogram);
    if (workload == "mask") return of(n, n, mask);
    if (workload == "masked_write") return of(n, n, masked_write);
    if (workload == "concatenate") return of(n, 3 * n, concatenate);
    if (workload == "stack") return of(n, 2 * n, stack);
    if (workload == "roll") return of(n, n, roll);
    if (workload == "running_sum") return of(n, n, running_sum);
    throw std::runtime_error("no such workload: " + workload);
}
