// Scans and recurrences as plain loops over plain memory, on one thread: along a row its elements in turn, along columns row
// by row, as whoever knows about caches writes it. Compiled with -O3 -march=native.
#include <memory>
#include <stdexcept>

#include "sweeps.hpp"

namespace {

using sweeps_bench::inputs, sweeps_bench::system;

struct memory {
    inputs in;
    std::vector<float> out, factors;
    explicit memory(std::size_t n) : in(n), out(n), factors(n) {}
};
job job_of(std::size_t n, void (*loop)(memory&)) {
    const auto m = std::make_shared<memory>(n);
    return {[m, loop] { loop(*m); },
            [m, loop] {
                loop(*m);
                return checksum(m->out);
            }};
}

void scan(memory& m, std::size_t length) {
    const float* const x = m.in.x.data();
    for (std::size_t row = 0; row < m.in.n; row += length) {
        float total = m.out[row] = x[row];
        for (std::size_t k = row + 1; k < row + length; ++k) m.out[k] = total = total + x[k] - total * x[k];
    }
}
void scan_pairs(memory& m) {
    float b = m.out[0] = m.in.y[0];  // nobody asks for the other
    for (std::size_t k = 1; k < m.in.n; ++k) m.out[k] = b = b * m.in.x[k] + m.in.y[k];
}
void filter(memory& m, std::size_t length) {
    for (std::size_t row = 0; row < m.in.n; row += length) {
        float last = 0, before = 0;
        for (std::size_t k = row; k < row + length; ++k) {
            const float now = m.in.x[k] + 1.2F * last - 0.5F * before;
            before = last;
            m.out[k] = last = now;
        }
    }
}
void filter_columns(memory& m) {
    const std::size_t columns = m.in.n / system;
    const float* const x = m.in.x.data();
    float* const out = m.out.data();
    for (std::size_t k = 0; k < system; ++k)
        for (std::size_t j = 0; j < columns; ++j) {
            const std::size_t at = k * columns + j;
            const float last = k > 0 ? out[at - columns] : 0, before = k > 1 ? out[at - 2 * columns] : 0;
            out[at] = x[at] + 1.2F * last - 0.5F * before;
        }
}
void thomas_rows(memory& m) {
    for (std::size_t row = 0; row < m.in.n; row += system) {
        float c = 0, d = 0, x = 0;
        for (std::size_t k = row; k < row + system; ++k) {
            const float factor = 1.0F / (4.0F + m.in.y[k] + c);
            m.factors[k] = c = -factor;
            m.out[k] = d = (m.in.x[k] + d) * factor;
        }
        for (std::size_t k = row + system; k-- > row;) m.out[k] = x = m.out[k] - m.factors[k] * x;
    }
}
void thomas_columns(memory& m) {
    const std::size_t columns = m.in.n / system;
    float *const c = m.factors.data(), *const d = m.out.data();
    for (std::size_t k = 0; k < system; ++k)
        for (std::size_t j = 0; j < columns; ++j) {
            const std::size_t at = k * columns + j;
            const float factor = 1.0F / (4.0F + m.in.y[at] + (k > 0 ? c[at - columns] : 0));
            c[at] = -factor;
            d[at] = (m.in.x[at] + (k > 0 ? d[at - columns] : 0)) * factor;
        }
    for (std::size_t k = system - 1; k-- > 0;)
        for (std::size_t j = 0; j < columns; ++j) {
            const std::size_t at = k * columns + j;
            d[at] = d[at] - c[at] * d[at + columns];
        }
}

}  // namespace

job sweeps_bench::loop_job(const std::string& workload, std::size_t n) {
    if (workload == "scan_long") return job_of(n, [](memory& m) { scan(m, m.in.n); });
    if (workload == "scan_pairs") return job_of(n, scan_pairs);
    if (workload == "scan_rows") return job_of(n, [](memory& m) { scan(m, sweeps_bench::short_row); });
    if (workload == "filter_long") return job_of(n, [](memory& m) { filter(m, m.in.n); });
    if (workload == "filter_rows") return job_of(n, [](memory& m) { filter(m, system); });
    if (workload == "filter_columns") return job_of(n, filter_columns);
    if (workload == "thomas_rows") return job_of(n, thomas_rows);
    if (workload == "thomas_columns") return job_of(n, thomas_columns);
    throw std::runtime_error("no such workload: " + workload);
}
