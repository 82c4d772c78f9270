// Everyday programs as plain loops over plain memory, on one thread. Compiled with -O3 -march=native -ffast-math.
#include <memory>
#include <stdexcept>

#include "everyday.hpp"

namespace {

using everyday::checksum, everyday::sequence;

struct product {
    std::vector<double> y, out;
    explicit product(std::size_t n) : y(sequence<double>(n)), out(n) {}
    void call() {
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = y[i] * y[i];
    }
    const auto& result() const { return out; }
};

struct nbody {
    std::size_t n;
    bool apart;
    std::vector<double> x, y, z, mass, ax, ay, az;
    nbody(std::size_t bodies, bool a)
        : n(bodies), apart(a), x(n), y(n), z(n), mass(sequence<double>(n, 0.1, 1, 0.2360679774997896)), ax(n), ay(n), az(n) {
        const std::vector<double> p = sequence<double>(3 * n);
        for (std::size_t i = 0; i < n; ++i) x[i] = p[3 * i], y[i] = p[3 * i + 1], z[i] = p[3 * i + 2];
    }
    void call() {
        for (std::size_t i = 0; i < n; ++i) {
            double sx = 0, sy = 0, sz = 0;
            for (std::size_t j = 0; j < n; ++j) {
                const double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
                const double near = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + 1e-3);
                const double weight = mass[j] * near * near * near;
                sx += dx * weight, sy += dy * weight, sz += dz * weight;
            }
            ax[i] = sx, ay[i] = sy, az[i] = sz;
        }
    }
    std::vector<double> result() const {
        std::vector<double> all;
        for (std::size_t i = 0; i < n; ++i) {
            if (apart)
                all.push_back(ax[i] + 2 * ay[i] + 3 * az[i]);
            else
                all.insert(all.end(), {ax[i], ay[i], az[i]});
        }
        return all;
    }
};

struct rows_of_3 {
    std::vector<float> x, out;
    explicit rows_of_3(std::size_t n) : x(sequence<float>(n / 3 * 3)), out(n / 3) {}
    void call() {
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = x[3 * i] + x[3 * i + 1] + x[3 * i + 2];
    }
    const auto& result() const { return out; }
};

struct heat {
    std::size_t side;
    std::vector<double> u, next;
    explicit heat(std::size_t s) : side(s), u(sequence<double>(s * s)), next(u) {}
    void call() {
        for (std::size_t i = 1; i + 1 < side; ++i) {
            const double *at = u.data() + i * side, *up = at - side, *down = at + side;
            double* __restrict out = next.data() + i * side;
            for (std::size_t j = 1; j + 1 < side; ++j)
                out[j] = at[j] + 0.1 * (up[j] + down[j] + at[j - 1] + at[j + 1] - 4 * at[j]);
        }
        u.swap(next);
    }
    const auto& result() const { return u; }
};

struct matrices {
    std::vector<double> a, b, c;
    explicit matrices(std::size_t n) : a(sequence<double>(n)), b(sequence<double>(n, -2, 2, 0.4142135623730950)), c(n) {}
    void call() {
        for (std::size_t m = 0; m < c.size(); m += 9)
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t j = 0; j < 3; ++j)
                    c[m + 3 * i + j] =
                        a[m + 3 * i] * b[m + j] + a[m + 3 * i + 1] * b[m + 3 + j] + a[m + 3 * i + 2] * b[m + 6 + j];
    }
    const auto& result() const { return c; }
};

template <class Program>
job make(Program program) {
    auto p = std::make_shared<Program>(std::move(program));
    return {[p] { p->call(); }, [p] { return checksum(p->result()); }};
}

}  // namespace

job everyday::loop_job(std::string_view program, std::size_t size) {
    const auto side = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(size))));
    if (program == "pow" || program == "product") return make(product(size));
    if (program == "nbody") return make(nbody(side, false));
    if (program == "nbody_apart") return make(nbody(side, true));
    if (program == "rows_of_3") return make(rows_of_3(size));
    if (program == "heat") return make(heat(side));
    if (program == "matrices") return make(matrices(size));
    throw std::runtime_error("no such program: " + std::string(program));
}
