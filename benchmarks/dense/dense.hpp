// The workloads of dense linear algebra and Fourier transforms: names, and what a peer has to implement. One call of a
// library, of n x n matrices unless it says otherwise:
//   product     a b                                        batch       1,000 products of n x n
//   matvec      a times a vector                           solve       a x = b, b a vector
//   cholesky    the lower factor of a                      eigh        values and vectors of a symmetric matrix
//   svdvals     singular values                            qr          both factors
//   fft, rfft   of n complex and of n real numbers
// and programs, which call it among formulas:
//   cg          50 steps of the conjugate gradient method for the five-point matrix of n x n points (a formula), from 0
//   logistic    50 steps of gradient descent of a logistic regression, n x 32
//   pca         eigenvalues and eigenvectors of the covariance of n x 64
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "../worker.hpp"

namespace dense_bench {

struct workload {
    const char *name, *element;
    std::size_t n;
    bool is_call;           ///< bare.cpp has it
    bool by_eigen = true;   ///< eigen.cpp has it
    bool is_large = false;  ///< so that what a call costs is a share of it
};
inline constexpr std::array workloads{
    workload{"product", "f32", 16, true},
    workload{"product", "f32", 64, true},
    workload{"product", "f32", 100, true},
    workload{"product", "f32", 256, true, true, true},
    workload{"product", "f32", 1024, true, true, true},
    workload{"product", "f64", 16, true},
    workload{"product", "f64", 64, true},
    workload{"product", "f64", 100, true},
    workload{"product", "f64", 256, true, true, true},
    workload{"product", "f64", 1024, true, true, true},
    workload{"batch", "f32", 64, true, true, true},
    workload{"batch", "f64", 64, true, true, true},
    workload{"matvec", "f32", 1000, true, true, true},
    workload{"matvec", "f64", 1000, true, true, true},
    workload{"solve", "f64", 64, true},
    workload{"solve", "f64", 512, true, true, true},
    workload{"cholesky", "f64", 64, true},
    workload{"cholesky", "f64", 512, true, true, true},
    workload{"eigh", "f64", 64, true},
    workload{"eigh", "f64", 512, true, true, true},
    workload{"svdvals", "f64", 64, true},
    workload{"svdvals", "f64", 512, true, true, true},
    workload{"qr", "f64", 64, true},
    workload{"qr", "f64", 512, true, true, true},
    workload{"fft", "f64", 1 << 10, true, false},
    workload{"fft", "f64", 1 << 16, true, false, true},
    workload{"fft", "f64", 1 << 20, true, false, true},
    workload{"rfft", "f64", 1 << 10, true, false},
    workload{"rfft", "f64", 1 << 16, true, false, true},
    workload{"rfft", "f64", 1 << 20, true, false, true},
    workload{"cg", "f64", 128, false},
    workload{"cg", "f64", 512, false},
    workload{"logistic", "f32", 100'000, false},
    workload{"pca", "f64", 10'000, false},
};
inline constexpr std::size_t batch = 1'000, steps = 50, features = 32, variables = 64;
inline constexpr double rate = 0.5;  ///< of the gradient descent

/// What every peer reads, the same in every language: numbers in [-1, 1), each of its own, in rows. Of cholesky and eigh a
/// is symmetric; of fft it has complex numbers, part after part; of logistic b has a 1 or a 0 for each row.
template <class T>
struct inputs {
    std::vector<T> a, b;
    /// Not in the header: compiled once, without contraction, whatever a peer's flags are.
    inputs(const std::string& workload, std::size_t n);
};

// The peers in C++. All throw std::runtime_error for an unknown workload.
job frit_job(const std::string& workload, const std::string& element, std::size_t n);
job bare_job(const std::string& workload, const std::string& element, std::size_t n);
job eigen_job(const std::string& workload, const std::string& element, std::size_t n);

}  // namespace dense_bench
