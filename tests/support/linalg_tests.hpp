// What the tests of linear algebra share beside linalg.hpp: sides and shapes, all dtypes, batches, counts of a plan's steps,
// and errors, which a GPU tells when it is waited for.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "frit/frit.hpp"

#include "tests/support/linalg.hpp"

namespace frit_test {

/// Sides that are odd, and on both sides of LAPACK's blocks.
inline constexpr std::int64_t sides[] = {1, 2, 3, 7, 33, 70};
inline constexpr std::pair<std::int64_t, std::int64_t> rectangles[] = {{1, 1}, {1, 5},   {5, 1},  {4, 3},
                                                                       {3, 4}, {33, 20}, {20, 70}};

template <class F>
void for_each_type(F f) {
    const auto of = [&]<class T>(T x) {
        SCOPED_TRACE(std::string(frit::name_of(frit::dtype_of<T>)));
        f(x);
    };
    of(float());
    of(double());
    of(std::complex<float>());
    of(std::complex<double>());
}

/// A batch of these.
template <class T>
frit::array<T> stacked(const std::vector<frit::array<T>>& matrices) {
    std::vector<T> all;
    for (const frit::array<T>& a : matrices)
        for (const T x : a.to_vector()) all.push_back(x);
    const frit::shape of = matrices[0].shape();
    return frit::from_host(all, {static_cast<std::int64_t>(matrices.size()), of[0], of[1]});
}
inline frit::array<double> on_diagonal(const std::vector<double>& values) {
    const auto n = static_cast<std::int64_t>(values.size());
    return diagonal<double>(values, n, n).lazy();
}

struct step_counts {
    std::size_t kernels, calls;
    friend bool operator==(const step_counts&, const step_counts&) = default;
    friend std::ostream& operator<<(std::ostream& to, const step_counts& c) {
        return to << c.kernels << " kernels, " << c.calls << " calls";
    }
};
template <class... A>
step_counts planned(const A&... x) {
    const frit::plan p = frit::make_plan(x...);
    return {p.kernels().size(), p.library_calls().size()};
}

inline bool on_gpu() { return !frit::default_device().is_cpu(); }

/// One call and no kernel; on a GPU some results are formulas over what the call gives.
template <class... A>
void expect_one_call(const A&... x) {
    const step_counts steps = planned(x...);
    EXPECT_EQ(steps.calls, 1U);
    EXPECT_TRUE(on_gpu() || steps.kernels == 0) << steps;
}

template <class F>
std::string error_of(F f) {
    try {
        f();
        frit::synchronize();
    } catch (const frit::error& e) {
        return e.what();
    }
    return "no error";
}
template <class Error, class F>
void expect_error(const std::string& part, F f) {
    try {
        f();
        frit::synchronize();  // where a GPU's error comes
        ADD_FAILURE() << "no error, not " << part;
    } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
    }
}

/// Whether the default device has eigenvalues of unsymmetric matrices: cuSOLVER of CUDA 12.6.2 or later.
inline bool has_eig() {
    return missing_linalg([] { evaluate(frit::linalg::eig(frit::ones<float>({1, 1}))); }).empty();
}

}  // namespace frit_test
