// The GPU workloads: each formula once with frit and once as a check against plain double precision.
#pragma once

#include <cstdint>
#include <frit/frit.hpp>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "gpu_data.hpp"

using arrays = std::vector<frit::any_array>;

/// An input: a vector, or a matrix in row-major order.
struct input {
    column elements;
    std::size_t rows = 1, columns = 0;  ///< rows == 1: a vector of `columns` elements
    std::size_t size() const { return rows * columns; }
    double bytes() const { return static_cast<double>(size() * size_of(elements.type)); }
};

/// Inputs and outputs of one call, on the host; collects how far outputs are from what they should be.
class checker {
public:
    /// @throws std::runtime_error if an element of an output is not finite
    checker(const std::vector<input>& inputs, const std::vector<std::uint64_t>& seeds, const arrays& outputs,
            std::mt19937_64& random);

    double in(std::size_t which, std::size_t i) const { return element(inputs_[which].elements, seeds_[which], i); }
    std::size_t size(std::size_t which) const { return outputs_[which].size(); }  ///< of an output
    double out(std::size_t which, std::size_t i) const { return outputs_[which].at(i); }
    std::size_t any(std::size_t n) { return random_() % n; }
    void compare(std::size_t which, std::size_t i, double expected);
    /// The largest relative error of an output, in the 2-norm of what was compared of it.
    double error() const;

private:
    const std::vector<input>& inputs_;
    const std::vector<std::uint64_t>& seeds_;
    std::vector<std::vector<double>> outputs_;
    std::vector<double> difference_, norm_;
    std::mt19937_64& random_;
};

struct workload {
    std::string name;
    std::vector<input> inputs = {};
    double written = 0;                        ///< bytes of the outputs
    std::function<arrays(const arrays&)> run;  ///< records and evaluates
    std::function<void(checker&)> check;
    double operations = 0;    ///< where arithmetic is the bound: these are counted, not bytes
    double passes = 1;        ///< over inputs and outputs, in a loop
    double tolerance = 2e-5;  ///< of checker::error()
    double bar = 0;           ///< fraction of the copy bandwidth, or 10^12 operations a second

    /// Minimal traffic of a call: every input read once, every output written once, in every pass.
    double bytes() const {
        double read = 0;
        for (const input& i : inputs) read += i.bytes();
        return passes * (read + written);
    }
};

/// @param tiny  for trying the program out without a GPU
std::vector<workload> make_elementwise(bool tiny);  ///< gpu_cases.cpp: formulas without reductions and of one total
std::vector<workload> make_rows(bool tiny);         ///< gpu_rows.cpp: reductions, rows, stencils, all pairs, loops
std::vector<workload> make_products(bool tiny);     ///< gpu_products.cpp: of matrices
std::vector<workload> make_small(bool tiny);        ///< gpu_small.cpp: equations and singular values of many small matrices
std::vector<workload> make_dense(bool tiny);        ///< gpu_dense.cpp: factorisations, a power iteration, Fourier transforms

using operands = std::vector<frit::array<float>>;
/// A formula of float arrays, evaluated: what `run` is for most workloads.
template <class Formula>
std::function<arrays(const arrays&)> evaluated(const Formula& formula) {
    return [formula](const arrays& in) -> arrays {
        operands values;
        for (const frit::any_array& a : in) values.push_back(a.as<float>());
        frit::array<float> out = formula(values);
        out.eval();
        return {out};
    };
}

/// Both ends and 65,536 elements of [0, n) in between, or all where they are fewer.
std::vector<std::size_t> sample(checker& c, std::size_t n);
/// The sum of term(i), i in [0, n), on all threads.
double parallel_sum(std::size_t n, const std::function<double(std::size_t)>& term);
