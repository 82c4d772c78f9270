// A cuFFT for the fake driver: sums, over memory that is the host's. As strict about plans, layouts and scratch memory as
// the real one, and it overwrites what it transforms to real numbers.
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#define FAKE extern "C" __attribute__((visibility("default")))

namespace {

using extent = long long;
constexpr int success = 0, invalid_plan = 1, invalid_value = 4, invalid_size = 8;
constexpr int f32 = 0, f64 = 1, c64 = 4;  // cudaDataType; 5 is c128
constexpr std::size_t work_bytes = 512;

struct side {
    std::vector<extent> embed;
    extent stride, distance;
    int type;
    bool real() const { return type < c64; }
    bool single() const { return type == f32 || type == c64; }

    std::complex<double> read(const void* memory, extent at) const {
        switch (type) {
            case f32: return static_cast<const float*>(memory)[at];
            case f64: return static_cast<const double*>(memory)[at];
            case c64: return std::complex<double>(static_cast<const std::complex<float>*>(memory)[at]);
            default: return static_cast<const std::complex<double>*>(memory)[at];
        }
    }
    void write(void* memory, extent at, std::complex<double> x) const {
        switch (type) {
            case f32: static_cast<float*>(memory)[at] = static_cast<float>(x.real()); break;
            case f64: static_cast<double*>(memory)[at] = x.real(); break;
            case c64: static_cast<std::complex<float>*>(memory)[at] = std::complex<float>(x); break;
            default: static_cast<std::complex<double>*>(memory)[at] = x;
        }
    }
    extent place(extent batch, const std::vector<extent>& at) const {
        extent linear = at[0];
        for (std::size_t k = 1; k < at.size(); ++k) linear = linear * embed[k] + at[k];
        return batch * distance + linear * stride;
    }
};

struct plan {
    bool own_work = true;
    void *stream = nullptr, *work = nullptr;
    std::vector<extent> n;
    side in, out;
    extent batch = 0;
};
std::vector<plan*>& plans() {
    static auto* const all = new std::vector<plan*>;
    return *all;
}
plan* found(int handle) {
    return handle >= 0 && static_cast<std::size_t>(handle) < plans().size() ? plans()[static_cast<std::size_t>(handle)]
                                                                            : nullptr;
}

/// Calls f(place, number) for all places of an array.
template <class F>
void for_each_place(const std::vector<extent>& extents, F f) {
    std::size_t count = 1;
    for (const extent e : extents) count *= static_cast<std::size_t>(e);
    for (std::size_t k = 0; k < count; ++k) {
        std::vector<extent> at(extents.size());
        auto rest = static_cast<extent>(k);
        for (std::size_t axis = extents.size(); axis-- > 0; rest /= extents[axis]) at[axis] = rest % extents[axis];
        f(at, k);
    }
}

std::vector<std::complex<double>> sums(const std::vector<std::complex<double>>& x, const std::vector<extent>& n, int sign) {
    std::vector<std::complex<double>> all(x.size());
    for_each_place(n, [&](const std::vector<extent>& k, std::size_t to) {
        for_each_place(n, [&](const std::vector<extent>& j, std::size_t from) {
            double turns = 0;
            for (std::size_t axis = 0; axis < n.size(); ++axis)
                turns += static_cast<double>(j[axis] * k[axis] % n[axis]) / static_cast<double>(n[axis]);
            all[to] += x[from] * std::polar(1.0, sign * 2 * std::numbers::pi * turns);
        });
    });
    return all;
}

void transform(const plan& p, void* in, void* out, int direction, extent batch) {
    std::vector<extent> half = p.n;
    half.back() = half.back() / 2 + 1;
    std::size_t count = 1;
    for (const extent e : p.n) count *= static_cast<std::size_t>(e);
    std::vector<std::complex<double>> x(count);
    for_each_place(p.n, [&](std::vector<extent> at, std::size_t k) {
        if (!p.out.real() || at.back() < half.back()) {
            x[k] = p.in.read(in, p.in.place(batch, at));
        } else {
            for (std::size_t axis = 0; axis < at.size(); ++axis) at[axis] = (p.n[axis] - at[axis]) % p.n[axis];
            x[k] = std::conj(p.in.read(in, p.in.place(batch, at)));
        }
    });
    x = sums(x, p.n, p.out.real() ? 1 : p.in.real() ? -1 : direction);
    if (p.out.real())
        for_each_place(half, [&](const std::vector<extent>& at, std::size_t) {
            p.in.write(in, p.in.place(batch, at), std::numeric_limits<double>::quiet_NaN());
        });
    for_each_place(p.n, [&](const std::vector<extent>& at, std::size_t k) {
        if (!p.in.real() || at.back() < half.back()) p.out.write(out, p.out.place(batch, at), x[k]);
    });
}

}  // namespace

FAKE int cufftCreate(int* handle) {
    *handle = static_cast<int>(plans().size());
    plans().push_back(new plan);
    return success;
}
FAKE int cufftDestroy(int handle) {
    if (!found(handle)) return invalid_plan;
    delete found(handle);
    plans()[static_cast<std::size_t>(handle)] = nullptr;
    return success;
}
FAKE int cufftSetAutoAllocation(int handle, int own) { return found(handle)->own_work = own != 0, success; }
FAKE int cufftSetStream(int handle, void* stream) { return found(handle)->stream = stream, success; }
FAKE int cufftSetWorkArea(int handle, void* work) { return found(handle)->work = work, success; }
FAKE int cufftGetProperty(int, int* v) { return *v = 12, success; }

FAKE int cufftXtMakePlanMany(int handle, int rank, extent* n, extent* in_embed, extent in_stride, extent in_distance,
                             int in_type, extent* out_embed, extent out_stride, extent out_distance, int out_type,
                             extent batch, std::size_t* work, int computed) {
    plan* const p = found(handle);
    if (!p || p->own_work) return invalid_plan;
    if (rank < 1 || rank > 3 || batch < 1) return invalid_size;
    p->n.assign(n, n + rank);
    p->in = {{in_embed, in_embed + rank}, in_stride, in_distance, in_type};
    p->out = {{out_embed, out_embed + rank}, out_stride, out_distance, out_type};
    p->batch = batch;
    if (p->in.single() != p->out.single() || (p->in.real() && p->out.real())) return invalid_value;
    if (computed < c64 || (computed == c64) != p->in.single()) return invalid_value;
    for (const side* s : {&p->in, &p->out}) {
        if (s->stride < 1 || s->distance < 1) return invalid_value;
        const bool half = !s->real() && (p->in.real() || p->out.real());
        for (int k = 0; k < rank; ++k)
            if (n[k] < 1 || s->embed[static_cast<std::size_t>(k)] < (half && k == rank - 1 ? n[k] / 2 + 1 : n[k]))
                return invalid_size;
    }
    *work = work_bytes;
    return success;
}

FAKE int cufftXtExec(int handle, void* in, void* out, int direction) {
    const plan* const p = found(handle);
    if (!p || !p->stream || !p->work || reinterpret_cast<std::uintptr_t>(p->work) % 256 != 0) return invalid_plan;
    const std::uintptr_t pair = p->in.single() ? 8 : 16;
    if (reinterpret_cast<std::uintptr_t>(in) % pair != 0 || reinterpret_cast<std::uintptr_t>(out) % pair != 0)
        return invalid_value;
    for (extent k = 0; k < p->batch; ++k) transform(*p, in, out, direction, k);
    static_cast<char*>(p->work)[work_bytes - 1] = 1;
    return success;
}
