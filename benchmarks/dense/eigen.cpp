// Dense linear algebra and programs of it written with Eigen, as a careful user writes them: into existing memory where
// Eigen lets one. Compiled with -O3 -march=native, without a BLAS behind it.
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <memory>
#include <stdexcept>

#include "dense.hpp"

namespace {

template <class T>
using matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
using columns = Eigen::MatrixXd;  // how factors are quicker

Eigen::Index index_of(std::size_t n) { return static_cast<Eigen::Index>(n); }
template <class T>
matrix<T> matrix_of(const std::vector<T>& v, std::size_t n) {
    return Eigen::Map<const matrix<T>>(v.data(), index_of(v.size() / n), index_of(n));
}
template <class T>
vector<T> vector_of(const std::vector<T>& v) {
    return Eigen::Map<const vector<T>>(v.data(), index_of(v.size()));
}
/// Elements row after row.
template <class M>
void append(std::vector<double>& all, const M& m) {
    for (Eigen::Index i = 0; i < m.rows(); ++i)
        for (Eigen::Index j = 0; j < m.cols(); ++j) all.push_back(static_cast<double>(m(i, j)));
}
template <class... M>
double checksum_of(const M&... results) {
    std::vector<double> all;
    (append(all, results), ...);
    return checksum(all);
}

template <class T>
job product_job(const std::string& workload, std::size_t n) {
    const dense_bench::inputs<T> in(workload, n);
    if (workload == "matvec") {
        struct state {
            matrix<T> a;
            vector<T> b, c;
        };
        const auto s = std::make_shared<state>(state{matrix_of(in.a, n), vector_of(in.b), vector<T>(index_of(n))});
        return {[s] { s->c.noalias() = s->a * s->b; }, [s] { return checksum_of(s->c); }};
    }
    struct state {
        matrix<T> a, b, c;
    };
    const auto s = std::make_shared<state>(state{matrix_of(in.a, n), matrix_of(in.b, n), {}});
    s->c.resize(s->a.rows(), s->a.cols());
    return {[s, side = index_of(n)] {
                for (Eigen::Index k = 0; k < s->a.rows(); k += side)
                    s->c.middleRows(k, side).noalias() = s->a.middleRows(k, side) * s->b.middleRows(k, side);
            },
            [s] { return checksum_of(s->c); }};
}

/// `compute(state)` leaves in w, x and y what it finds.
struct decomposed {
    columns a;
    vector<double> b, w;
    columns x, y;
};
template <class Compute>
job decomposition_job(const std::string& workload, std::size_t n, Compute compute) {
    const dense_bench::inputs<double> in(workload, n);
    const auto s = std::make_shared<decomposed>(decomposed{matrix_of(in.a, n), vector_of(in.b), {}, {}, {}});
    return {[s, compute] { compute(*s); }, [s] { return checksum_of(s->w, s->x, s->y); }};
}

// --- programs ---

struct search {
    matrix<double> b, x, r, q, padded;
};
void conjugate_gradients(search& s) {
    const Eigen::Index n = s.b.rows();
    s.x.setZero();
    s.r = s.b;
    s.padded.setZero();
    auto p = s.padded.block(1, 1, n, n);
    p = s.b;
    double rr = s.r.squaredNorm();
    for (std::size_t k = 0; k < dense_bench::steps; ++k) {
        s.q = 4 * p - s.padded.block(0, 1, n, n) - s.padded.block(2, 1, n, n) - s.padded.block(1, 0, n, n) -
              s.padded.block(1, 2, n, n);
        const double alpha = rr / p.cwiseProduct(s.q).sum();
        s.x += alpha * p;
        s.r -= alpha * s.q;
        const double next = s.r.squaredNorm();
        p = s.r + next / rr * p;
        rr = next;
    }
}

struct regression {
    matrix<float> x;
    vector<float> y, w, error;
};
void logistic_regression(regression& s) {
    const float step = static_cast<float>(dense_bench::rate) / static_cast<float>(s.x.rows());
    s.w.setZero(s.x.cols());
    for (std::size_t k = 0; k < dense_bench::steps; ++k) {
        s.error.noalias() = s.x * s.w;
        s.error = (1 / (1 + (-s.error.array()).exp())).matrix() - s.y;
        s.w.noalias() -= step * (s.x.transpose() * s.error);
    }
}

struct components {
    matrix<double> x, centred;
    Eigen::SelfAdjointEigenSolver<columns> found;
};
void principal_components(components& s) {
    s.centred = s.x.rowwise() - s.x.colwise().mean();
    columns covariance = columns::Zero(s.x.cols(), s.x.cols());
    covariance.selfadjointView<Eigen::Lower>().rankUpdate(s.centred.transpose(), 1 / static_cast<double>(s.x.rows() - 1));
    s.found.compute(covariance);  // which reads the lower triangle
}

job program_job(const std::string& workload, std::size_t n) {
    if (workload == "cg") {
        const dense_bench::inputs<double> in(workload, n);
        const Eigen::Index side = index_of(n);
        const auto s = std::make_shared<search>(
            search{matrix_of(in.a, n), matrix<double>(side, side), {}, {}, matrix<double>(side + 2, side + 2)});
        return {[s] { conjugate_gradients(*s); }, [s] { return checksum_of(s->x); }};
    }
    if (workload == "logistic") {
        const dense_bench::inputs<float> in(workload, n);
        const auto s =
            std::make_shared<regression>(regression{matrix_of(in.a, dense_bench::features), vector_of(in.b), {}, {}});
        return {[s] { logistic_regression(*s); }, [s] { return checksum_of(s->w); }};
    }
    if (workload == "pca") {
        const dense_bench::inputs<double> in(workload, n);
        const auto s = std::make_shared<components>(components{matrix_of(in.a, dense_bench::variables), {}, {}});
        return {[s] { principal_components(*s); },
                [s] { return checksum_of(s->found.eigenvalues(), s->found.eigenvectors()); }};
    }
    throw std::runtime_error("no such workload: " + workload);
}

}  // namespace

job dense_bench::eigen_job(const std::string& workload, const std::string& element, std::size_t n) {
    if (workload == "product" || workload == "batch" || workload == "matvec")
        return element == "f32" ? product_job<float>(workload, n) : product_job<double>(workload, n);
    if (workload == "solve")
        return decomposition_job(workload, n, [](decomposed& s) { s.w = s.a.partialPivLu().solve(s.b); });
    if (workload == "cholesky") return decomposition_job(workload, n, [](decomposed& s) { s.x = s.a.llt().matrixL(); });
    if (workload == "eigh")
        return decomposition_job(workload, n, [](decomposed& s) {
            const Eigen::SelfAdjointEigenSolver<columns> found(s.a);
            s.w = found.eigenvalues();
            s.x = found.eigenvectors();
        });
    if (workload == "svdvals")
        return decomposition_job(workload, n, [](decomposed& s) { s.w = Eigen::BDCSVD<columns>(s.a).singularValues(); });
    if (workload == "qr")
        return decomposition_job(workload, n, [](decomposed& s) {
            const Eigen::HouseholderQR<columns> found(s.a);
            s.x = found.householderQ();
            s.y = found.matrixQR().triangularView<Eigen::Upper>();
        });
    return program_job(workload, n);
}
