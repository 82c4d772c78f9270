// The workloads over rows written with frit, as a user writes them.
#include <frit/frit.hpp>
#include <memory>
#include <stdexcept>

#include "rows.hpp"

namespace {

using row_bench::inputs;

template <class T>
struct arrays {
    frit::array<T> a, b, gamma, beta, x, y, z, mass;
    std::vector<frit::array<T>> out;
    explicit arrays(const inputs<T>& in) {
        gamma = frit::from_host(in.gamma), beta = frit::from_host(in.beta);
        x = frit::from_host(in.x), y = frit::from_host(in.y), z = frit::from_host(in.z), mass = frit::from_host(in.mass);
        a = frit::from_host(in.a);
        if (!in.b.empty()) b = frit::from_host(in.b);
    }
};

template <class T>
frit::array<T> heat(const frit::array<T>& u) {
    const frit::slice inner(1, -1), before(0, -2), after(2, frit::none);
    return u(inner, inner) +
           0.1 * (u(before, inner) + u(after, inner) + u(inner, before) + u(inner, after) - 4 * u(inner, inner));
}

template <class T>
void nbody(arrays<T>& s) {
    using frit::all, frit::newaxis;
    const auto difference = [](const frit::array<T>& p) -> frit::array<T> { return p(newaxis, all) - p(all, newaxis); };
    const frit::array<T> dx = difference(s.x), dy = difference(s.y), dz = difference(s.z);
    const frit::array<T> near = frit::rsqrt(dx * dx + dy * dy + dz * dz + 1e-3);
    const frit::array<T> pull = s.mass(newaxis, all) * near * near * near;
    s.out = {frit::sum(pull * dx, 1), frit::sum(pull * dy, 1), frit::sum(pull * dz, 1)};
    frit::eval(s.out[0], s.out[1], s.out[2]);
}

template <class T>
std::function<void(arrays<T>&)> formula(const std::string& workload) {
    const auto one = [](auto formula) {
        return [formula](arrays<T>& s) {
            s.out = {frit::array<T>(formula(s))};
            s.out[0].eval();
        };
    };
    using A = arrays<T>;
    if (workload == "triad") return one([](A& s) { return s.a + 1.5 * s.b; });
    if (workload == "row_sum") return one([](A& s) { return frit::sum(s.a, 1); });
    if (workload == "col_sum") return one([](A& s) { return frit::sum(s.a, 0); });
    if (workload == "var") return one([](A& s) { return frit::var(s.a); });
    if (workload == "heat") return one([](A& s) { return heat(s.a); });
    if (workload == "softmax") return one([](A& s) { return frit::softmax(s.a, -1); });
    if (workload == "layer_norm") return one([](A& s) { return frit::layer_norm(s.a, -1) * s.gamma + s.beta; });
    if (workload == "pairwise")
        return one([](A& s) { return frit::sum(abs(s.x(frit::all, frit::newaxis) - s.y(frit::newaxis, frit::all)), 1); });
    if (workload == "nbody") return nbody<T>;
    throw std::runtime_error("no such workload: " + workload);
}

template <class T>
job make(const std::string& workload, std::size_t n) {
    const inputs<T> in(workload, n);
    auto s = std::make_shared<arrays<T>>(in);
    const auto side = static_cast<std::int64_t>(in.side), rows = static_cast<std::int64_t>(in.rows);
    if (workload == "heat")
        s->a = s->a.reshape({side, side});
    else if (workload != "triad")
        s->a = s->a.reshape({rows, static_cast<std::int64_t>(row_bench::columns)});
    return {[s, run = formula<T>(workload)] { run(*s); },
            [s] {
                std::vector<T> all;
                for (const frit::array<T>& part : s->out) {
                    const std::vector<T> values = part.to_vector();
                    all.insert(all.end(), values.begin(), values.end());
                }
                return row_bench::checksum(all.data(), all.size());
            },
            {},
            frit::synchronize};
}

}  // namespace

job row_bench::frit_job(const std::string& workload, const std::string& element, std::size_t n) {
    return element == "f32" ? make<float>(workload, n) : make<double>(workload, n);
}
