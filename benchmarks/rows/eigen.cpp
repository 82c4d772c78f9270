// The workloads over rows written with Eigen, as a careful user writes them: into existing memory, row by row, so that what
// a row is read for again is in the cache. Compiled with -O3 -march=native.
#include <Eigen/Core>
#include <memory>
#include <stdexcept>

#include "rows.hpp"

namespace {

using row_bench::columns;
using row_bench::inputs;

template <class T>
using vector = Eigen::Array<T, Eigen::Dynamic, 1>;
template <class T>
using row_vector = Eigen::Array<T, 1, Eigen::Dynamic>;
template <class T>
using matrix = Eigen::Array<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class T>
struct arrays {
    matrix<T> a;
    vector<T> b, x, y, z, mass;
    row_vector<T> gamma, beta;
    matrix<T> out;
    arrays(const std::string& workload, const inputs<T>& in)
        : b(map(in.b)),
          x(map(in.x)),
          y(map(in.y)),
          z(map(in.z)),
          mass(map(in.mass)),
          gamma(map(in.gamma)),
          beta(map(in.beta)) {
        const auto size = [](std::size_t n) { return static_cast<Eigen::Index>(n); };
        const bool plate = workload == "heat", matrix_in = !plate && workload != "triad";
        const Eigen::Index rows = size(plate ? in.side : matrix_in ? in.rows : 1);
        a = Eigen::Map<const matrix<T>>(in.a.data(), rows, size(in.n) / rows);
        const Eigen::Index results = size(row_bench::result_size(workload, in));
        const Eigen::Index out_rows = plate                                               ? rows - 2
                                      : workload == "softmax" || workload == "layer_norm" ? rows
                                      : workload == "nbody"                               ? 3
                                                                                          : 1;
        out.resize(out_rows, results / out_rows);
    }
    static auto map(const std::vector<T>& v) {
        return Eigen::Map<const vector<T>>(v.data(), static_cast<Eigen::Index>(v.size()));
    }
};

template <class T>
void col_sum(arrays<T>& s) {
    s.out.setZero();
    for (Eigen::Index r = 0; r < s.a.rows(); ++r) s.out.row(0) += s.a.row(r);
}

template <class T>
void heat(arrays<T>& s) {
    const Eigen::Index m = s.a.rows() - 2;
    s.out = s.a.block(1, 1, m, m) + T(0.1) * (s.a.block(0, 1, m, m) + s.a.block(2, 1, m, m) + s.a.block(1, 0, m, m) +
                                              s.a.block(1, 2, m, m) - T(4) * s.a.block(1, 1, m, m));
}

template <class T>
void softmax(arrays<T>& s) {
    for (Eigen::Index r = 0; r < s.a.rows(); ++r) {
        s.out.row(r) = (s.a.row(r) - s.a.row(r).maxCoeff()).exp();
        s.out.row(r) *= 1 / s.out.row(r).sum();
    }
}

template <class T>
void layer_norm(arrays<T>& s) {
    for (Eigen::Index r = 0; r < s.a.rows(); ++r) {
        const T mean = s.a.row(r).mean();
        const T scale = 1 / std::sqrt((s.a.row(r) - mean).square().mean() + T(1e-5));
        s.out.row(r) = (s.a.row(r) - mean) * scale * s.gamma + s.beta;
    }
}

template <class T>
void nbody(arrays<T>& s) {
    const Eigen::Index n = s.x.size();
    vector<T> dx(n), dy(n), dz(n), pull(n);
    for (Eigen::Index i = 0; i < n; ++i) {
        dx = s.x - s.x[i], dy = s.y - s.y[i], dz = s.z - s.z[i];
        pull = (dx * dx + dy * dy + dz * dz + T(1e-3)).rsqrt();
        pull = s.mass * pull * pull * pull;
        s.out(0, i) = (pull * dx).sum(), s.out(1, i) = (pull * dy).sum(), s.out(2, i) = (pull * dz).sum();
    }
}

template <class T>
std::function<void(arrays<T>&)> formula(const std::string& workload) {
    using A = arrays<T>;
    if (workload == "triad") return [](A& s) { s.out = s.a + T(1.5) * s.b.transpose(); };
    if (workload == "row_sum") return [](A& s) { s.out.row(0).transpose() = s.a.rowwise().sum(); };
    if (workload == "col_sum") return col_sum<T>;
    if (workload == "var") return [](A& s) { s.out(0, 0) = (s.a - s.a.mean()).square().mean(); };
    if (workload == "heat") return heat<T>;
    if (workload == "softmax") return softmax<T>;
    if (workload == "layer_norm") return layer_norm<T>;
    if (workload == "pairwise")
        return [](A& s) {
            for (Eigen::Index i = 0; i < s.x.size(); ++i) s.out(0, i) = (s.x[i] - s.y).abs().sum();
        };
    if (workload == "nbody") return nbody<T>;
    throw std::runtime_error("no such workload: " + workload);
}

template <class T>
job make(const std::string& workload, std::size_t n) {
    auto s = std::make_shared<arrays<T>>(workload, inputs<T>(workload, n));
    return {[s, run = formula<T>(workload)] { run(*s); },
            [s] { return row_bench::checksum(s->out.data(), static_cast<std::size_t>(s->out.size())); }};
}

}  // namespace

job row_bench::eigen_job(const std::string& workload, const std::string& element, std::size_t n) {
    return element == "f32" ? make<float>(workload, n) : make<double>(workload, n);
}
