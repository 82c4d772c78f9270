// The workloads over rows as plain loops over plain memory, on FRIT_NUM_THREADS threads: what a careful user writes by
// hand. Sums have as many accumulators as hide the latency of additions; a row is read as often as its formula says, from
// the cache after the first time. Compiled with -O3 -march=native -ffast-math, without which neither the maxima nor exp()
// become vector instructions.
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <thread>

#include "rows.hpp"

namespace {

using row_bench::columns;
using row_bench::inputs;

constexpr std::size_t lanes = 64;

/// The sum of term(i) for i in [0, n).
template <class T, class Term>
T sum(std::size_t n, const Term& term) {
    T sums[lanes]{};
    const std::size_t blocks = n / lanes;
    for (std::size_t b = 0; b < blocks; ++b)
        for (std::size_t k = 0; k < lanes; ++k) sums[k] += term(b * lanes + k);
    T total = 0;
    for (std::size_t i = blocks * lanes; i < n; ++i) total += term(i);
    for (const T s : sums) total += s;
    return total;
}

template <class T>
struct arrays {
    inputs<T> in;
    std::vector<T> out;
    std::size_t threads;
};

/// Runs work(begin, end, part) over [0, n) in equal parts, one a thread.
template <class T, class Work>
void in_parallel(const arrays<T>& s, std::size_t n, const Work& work) {
    std::vector<std::thread> others;
    const auto part = [&](std::size_t k) { work(n * k / s.threads, n * (k + 1) / s.threads, k); };
    for (std::size_t k = 1; k < s.threads; ++k) others.emplace_back(part, k);
    part(0);
    for (std::thread& t : others) t.join();
}

template <class T>
void triad(arrays<T>& s) {
    in_parallel(s, s.in.n, [b = s.in.a.data(), c = s.in.b.data(), out = s.out.data()](std::size_t i, std::size_t end, auto) {
        for (; i < end; ++i) out[i] = b[i] + T(1.5) * c[i];
    });
}

template <class T>
void row_sum(arrays<T>& s) {
    in_parallel(s, s.in.rows, [&](std::size_t r, std::size_t end, auto) {
        for (; r < end; ++r) {
            const T* row = s.in.a.data() + r * columns;
            s.out[r] = sum<T>(columns, [=](std::size_t i) { return row[i]; });
        }
    });
}

template <class T>
void col_sum(arrays<T>& s) {
    std::vector<T> partial(s.threads * columns);
    in_parallel(s, s.in.rows, [&](std::size_t r, std::size_t end, std::size_t part) {
        T* __restrict total = partial.data() + part * columns;
        for (; r + 4 <= end; r += 4) {  // four rows at a time: totals are loaded and stored once for them
            const T* row = s.in.a.data() + r * columns;
            for (std::size_t i = 0; i < columns; ++i)
                total[i] += (row[i] + row[i + columns]) + (row[i + 2 * columns] + row[i + 3 * columns]);
        }
        for (; r < end; ++r)
            for (std::size_t i = 0; i < columns; ++i) total[i] += s.in.a[r * columns + i];
    });
    for (std::size_t i = 0; i < columns; ++i) {
        s.out[i] = 0;
        for (std::size_t part = 0; part < s.threads; ++part) s.out[i] += partial[part * columns + i];
    }
}

/// One pass: mean and squared deviations of a row, combined by the update of Chan, Golub and LeVeque (1979).
template <class T>
void var(arrays<T>& s) {
    struct moments {
        double n = 0, mean = 0, squares = 0;
        void add(const moments& m) {
            if (m.n == 0) return;
            const double d = m.mean - mean, all = n + m.n;
            mean += d * m.n / all, squares += m.squares + d * d * n * m.n / all, n = all;
        }
    };
    std::vector<moments> partial(s.threads);
    in_parallel(s, s.in.rows, [&](std::size_t r, std::size_t end, std::size_t part) {
        for (; r < end; ++r) {
            const T* row = s.in.a.data() + r * columns;
            const T mean = sum<T>(columns, [=](std::size_t i) { return row[i]; }) / T(columns);
            const T squares = sum<T>(columns, [=](std::size_t i) { return (row[i] - mean) * (row[i] - mean); });
            partial[part].add({double(columns), double(mean), double(squares)});
        }
    });
    for (std::size_t part = 1; part < s.threads; ++part) partial[0].add(partial[part]);
    s.out[0] = static_cast<T>(partial[0].squares / partial[0].n);
}

template <class T>
void heat(arrays<T>& s) {
    const std::size_t side = s.in.side;
    in_parallel(s, side - 2, [&, side](std::size_t r, std::size_t end, auto) {
        for (; r < end; ++r) {
            const T *u = s.in.a.data() + (r + 1) * side + 1, *up = u - side, *down = u + side;
            T* __restrict out = s.out.data() + r * (side - 2);
            for (std::size_t i = 0; i < side - 2; ++i)
                out[i] = u[i] + T(0.1) * (up[i] + down[i] + *(u + i - 1) + u[i + 1] - 4 * u[i]);
        }
    });
}

template <class T>
void softmax(arrays<T>& s) {
    in_parallel(s, s.in.rows, [&](std::size_t r, std::size_t end, auto) {
        for (; r < end; ++r) {
            const T* row = s.in.a.data() + r * columns;
            T* __restrict out = s.out.data() + r * columns;
            T largest = row[0];
            for (std::size_t i = 0; i < columns; ++i) largest = row[i] > largest ? row[i] : largest;
            for (std::size_t i = 0; i < columns; ++i) out[i] = std::exp(row[i] - largest);
            const T scale = 1 / sum<T>(columns, [=](std::size_t i) { return out[i]; });
            for (std::size_t i = 0; i < columns; ++i) out[i] *= scale;
        }
    });
}

template <class T>
void layer_norm(arrays<T>& s) {
    in_parallel(s, s.in.rows, [&](std::size_t r, std::size_t end, auto) {
        for (; r < end; ++r) {
            const T *row = s.in.a.data() + r * columns, *gamma = s.in.gamma.data(), *beta = s.in.beta.data();
            T* __restrict out = s.out.data() + r * columns;
            const T mean = sum<T>(columns, [=](std::size_t i) { return row[i]; }) / T(columns);
            const T squares = sum<T>(columns, [=](std::size_t i) { return (row[i] - mean) * (row[i] - mean); });
            const T scale = 1 / std::sqrt(squares / T(columns) + T(1e-5));
            for (std::size_t i = 0; i < columns; ++i) out[i] = (row[i] - mean) * scale * gamma[i] + beta[i];
        }
    });
}

template <class T>
void pairwise(arrays<T>& s) {
    in_parallel(s, s.in.side, [&](std::size_t i, std::size_t end, auto) {
        const T* y = s.in.y.data();
        for (; i < end; ++i) {
            const T x = s.in.x[i];
            s.out[i] = sum<T>(s.in.side, [=](std::size_t j) { return std::abs(x - y[j]); });
        }
    });
}

template <class T>
void nbody(arrays<T>& s) {
    const std::size_t n = s.in.side;
    const T *x = s.in.x.data(), *y = s.in.y.data(), *z = s.in.z.data(), *mass = s.in.mass.data();
    in_parallel(s, n, [&](std::size_t i, std::size_t end, auto) {
        for (; i < end; ++i) {
            T ax = 0, ay = 0, az = 0;
            for (std::size_t j = 0; j < n; ++j) {
                const T dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
                const T near = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + T(1e-3));
                const T pull = mass[j] * near * near * near;
                ax += pull * dx, ay += pull * dy, az += pull * dz;
            }
            s.out[i] = ax, s.out[n + i] = ay, s.out[2 * n + i] = az;
        }
    });
}

template <class T>
void (*formula(const std::string& workload))(arrays<T>&) {
    if (workload == "triad") return triad<T>;
    if (workload == "row_sum") return row_sum<T>;
    if (workload == "col_sum") return col_sum<T>;
    if (workload == "var") return var<T>;
    if (workload == "heat") return heat<T>;
    if (workload == "softmax") return softmax<T>;
    if (workload == "layer_norm") return layer_norm<T>;
    if (workload == "pairwise") return pairwise<T>;
    if (workload == "nbody") return nbody<T>;
    throw std::runtime_error("no such workload: " + workload);
}

template <class T>
job make(const std::string& workload, std::size_t n) {
    const char* threads = std::getenv("FRIT_NUM_THREADS");
    auto s = std::make_shared<arrays<T>>(
        arrays<T>{inputs<T>(workload, n), {}, threads ? static_cast<std::size_t>(std::atoi(threads)) : 1});
    s->out.resize(row_bench::result_size(workload, s->in));
    return {[s, run = formula<T>(workload)] { run(*s); }, [s] { return row_bench::checksum(s->out.data(), s->out.size()); }};
}

}  // namespace

job row_bench::loop_job(const std::string& workload, const std::string& element, std::size_t n) {
    return element == "f32" ? make<float>(workload, n) : make<double>(workload, n);
}
