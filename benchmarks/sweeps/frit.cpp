// Scans and recurrences as users write them with frit. What a call makes is evaluated and let go of.
#include <frit/frit.hpp>
#include <memory>
#include <stdexcept>
#include <tuple>

#include "sweeps.hpp"

namespace {

using frit::array;

struct arrays {
    array<float> x, y;
    arrays(const sweeps_bench::inputs& in, const frit::shape& of)
        : x(frit::from_host(in.x).reshape(of)), y(frit::from_host(in.y).reshape(of)) {
        frit::eval(x, y);
    }
};

/// `make(arrays&)` gives the result as an array.
template <class Make>
job job_of(std::size_t n, const frit::shape& of, Make make) {
    struct state {
        arrays a;
        Make make;
        array<float> last{};
    };
    const auto s = std::make_shared<state>(state{arrays(sweeps_bench::inputs(n), of), make});
    return {[s] {
                s->last = {};
                s->last = s->make(s->a);
                s->last.eval();
            },
            [s] { return checksum(s->last.to_vector()); }, nullptr, [] { frit::synchronize(); }};
}

const auto either = [](const auto& a, const auto& b) { return a + b - a * b; };
const auto composed = [](const auto& f, const auto& g) {
    const auto& [a, b] = f;
    const auto& [c, d] = g;
    return std::tuple(a * c, b * c + d);
};
array<float> filtered(const array<float>& x, int axis) {
    const auto step = [](const auto& last, const auto& before, const auto& in) {
        return std::tuple(in + 1.2F * last - 0.5F * before, last);
    };
    return std::get<0>(frit::scan_along(axis, std::tuple(0.0F, 0.0F), step, x));
}
array<float> solved(const array<float>& right, const array<float>& y, int axis) {
    const auto down = [](const auto& c, const auto& d, const auto& b, const auto& r) {
        const auto factor = 1.0F / (4.0F + b + c);
        return std::tuple(-factor, (r + d) * factor);
    };
    const auto [c, d] = frit::scan_along(axis, std::tuple(0.0F, 0.0F), down, y, right);
    return frit::scan_along(
        frit::backward(axis), 0.0F, [](const auto& x, const auto& c, const auto& d) { return d - c * x; }, c, d);
}

}  // namespace

job sweeps_bench::frit_job(const std::string& workload, std::size_t n) {
    const auto all = static_cast<std::int64_t>(n), system = static_cast<std::int64_t>(sweeps_bench::system);
    const auto short_row = static_cast<std::int64_t>(sweeps_bench::short_row);
    const frit::shape one{all}, rows{all / system, system}, columns{system, all / system};
    if (workload == "scan_long") return job_of(n, one, [](arrays& a) { return array<float>(frit::scan(a.x, 0, either)); });
    if (workload == "scan_pairs")
        return job_of(n, one,
                      [](arrays& a) { return array<float>(std::get<1>(frit::scan(std::tuple(a.x, a.y), 0, composed))); });
    if (workload == "scan_rows")
        return job_of(n, {all / short_row, short_row}, [](arrays& a) { return array<float>(frit::scan(a.x, 1, either)); });
    if (workload == "filter_long") return job_of(n, one, [](arrays& a) { return filtered(a.x, 0); });
    if (workload == "filter_rows") return job_of(n, rows, [](arrays& a) { return filtered(a.x, 1); });
    if (workload == "filter_columns") return job_of(n, columns, [](arrays& a) { return filtered(a.x, 0); });
    if (workload == "thomas_rows") return job_of(n, rows, [](arrays& a) { return solved(a.x, a.y, 1); });
    if (workload == "thomas_columns") return job_of(n, columns, [](arrays& a) { return solved(a.x, a.y, 0); });
    throw std::runtime_error("no such workload: " + workload);
}
