// The workloads over rows written with xtensor and its SIMD library, into existing memory. A reduction that is read again is
// evaluated first, as xtensor's documentation advises. Compiled with -O3 -march=native.
#include <memory>
#include <stdexcept>
#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

#include "rows.hpp"

namespace {

using row_bench::inputs;
template <class T>
using vector = xt::xtensor<T, 1>;
template <class T>
using matrix = xt::xtensor<T, 2>;

template <class T>
struct arrays {
    matrix<T> a;
    vector<T> flat, b, gamma, beta, x, y, z, mass;
    std::vector<vector<T>> out;
    matrix<T> out_rows;
    arrays(const std::string& workload, const inputs<T>& in)
        : gamma(xt::adapt(in.gamma)),
          beta(xt::adapt(in.beta)),
          x(xt::adapt(in.x)),
          y(xt::adapt(in.y)),
          z(xt::adapt(in.z)),
          mass(xt::adapt(in.mass)) {
        using extents = std::vector<std::size_t>;
        if (workload == "triad")
            flat = xt::adapt(in.a), b = xt::adapt(in.b);
        else if (workload == "heat")
            a = xt::adapt(in.a, extents{in.side, in.side});
        else
            a = xt::adapt(in.a, extents{in.rows, row_bench::columns});
        const std::size_t parts = workload == "nbody" ? 3 : 1, size = row_bench::result_size(workload, in);
        if (workload == "heat")
            out_rows = matrix<T>::from_shape({in.side - 2, in.side - 2});
        else if (workload == "softmax" || workload == "layer_norm")
            out_rows = matrix<T>::from_shape({in.rows, row_bench::columns});
        else
            out.assign(parts, vector<T>::from_shape({size / parts}));
    }
    double result() const {
        if (out.empty()) return row_bench::checksum(out_rows.data(), out_rows.size());
        std::vector<T> all;
        for (const vector<T>& v : out) all.insert(all.end(), v.begin(), v.end());
        return row_bench::checksum(all.data(), all.size());
    }
};

template <class T>
void heat(arrays<T>& s) {
    const auto m = static_cast<std::ptrdiff_t>(s.a.shape(0)), zero = std::ptrdiff_t{0};
    auto inner = xt::range(zero + 1, m - 1), before = xt::range(zero, m - 2), after = xt::range(zero + 2, m);
    const auto u = xt::view(s.a, inner, inner);
    xt::noalias(s.out_rows) = u + T(0.1) * (xt::view(s.a, before, inner) + xt::view(s.a, after, inner) +
                                            xt::view(s.a, inner, before) + xt::view(s.a, inner, after) - T(4) * u);
}

template <class T>
void softmax(arrays<T>& s) {
    const vector<T> largest = xt::amax(s.a, {1});
    xt::noalias(s.out_rows) = xt::exp(s.a - xt::view(largest, xt::all(), xt::newaxis()));
    const vector<T> sums = xt::sum(s.out_rows, {1});
    s.out_rows /= xt::view(sums, xt::all(), xt::newaxis());
}

template <class T>
void layer_norm(arrays<T>& s) {
    const auto column = [](const vector<T>& v) { return xt::view(v, xt::all(), xt::newaxis()); };
    const vector<T> mean = xt::sum(s.a, {1}) / T(row_bench::columns);
    xt::noalias(s.out_rows) = s.a - column(mean);
    const vector<T> scale = T(1) / xt::sqrt(xt::sum(s.out_rows * s.out_rows, {1}) / T(row_bench::columns) + T(1e-5));
    s.out_rows = s.out_rows * column(scale) * s.gamma + s.beta;
}

template <class T>
void nbody(arrays<T>& s) {
    const auto difference = [](const vector<T>& p) {
        return xt::view(p, xt::newaxis(), xt::all()) - xt::view(p, xt::all(), xt::newaxis());
    };
    const auto dx = difference(s.x), dy = difference(s.y), dz = difference(s.z);
    const matrix<T> near = T(1) / xt::sqrt(dx * dx + dy * dy + dz * dz + T(1e-3));
    const auto pull = xt::view(s.mass, xt::newaxis(), xt::all()) * near * near * near;
    xt::noalias(s.out[0]) = xt::sum(pull * dx, {1});
    xt::noalias(s.out[1]) = xt::sum(pull * dy, {1});
    xt::noalias(s.out[2]) = xt::sum(pull * dz, {1});
}

template <class T>
std::function<void(arrays<T>&)> formula(const std::string& workload) {
    using A = arrays<T>;
    if (workload == "triad") return [](A& s) { xt::noalias(s.out[0]) = s.flat + T(1.5) * s.b; };
    if (workload == "row_sum") return [](A& s) { xt::noalias(s.out[0]) = xt::sum(s.a, {1}); };
    if (workload == "col_sum") return [](A& s) { xt::noalias(s.out[0]) = xt::sum(s.a, {0}); };
    if (workload == "var")
        return [](A& s) {
            const T mean = xt::sum(s.a)() / static_cast<T>(s.a.size());
            s.out[0](0) = xt::sum(xt::square(s.a - mean))() / static_cast<T>(s.a.size());
        };
    if (workload == "heat") return heat<T>;
    if (workload == "softmax") return softmax<T>;
    if (workload == "layer_norm") return layer_norm<T>;
    if (workload == "pairwise")
        return [](A& s) {
            xt::noalias(s.out[0]) =
                xt::sum(xt::abs(xt::view(s.x, xt::all(), xt::newaxis()) - xt::view(s.y, xt::newaxis(), xt::all())), {1});
        };
    if (workload == "nbody") return nbody<T>;
    throw std::runtime_error("no such workload: " + workload);
}

template <class T>
job make(const std::string& workload, std::size_t n) {
    auto s = std::make_shared<arrays<T>>(workload, inputs<T>(workload, n));
    return {[s, run = formula<T>(workload)] { run(*s); }, [s] { return s->result(); }};
}

}  // namespace

job row_bench::xtensor_job(const std::string& workload, const std::string& element, std::size_t n) {
    return element == "f32" ? make<float>(workload, n) : make<double>(workload, n);
}
