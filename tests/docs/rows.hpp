// What the tests made from docs/coming-from.md share: a value in words, and what it must be.
#pragma once

#include <gtest/gtest.h>

#include <frit/frit.hpp>
#include <string>
#include <vector>

#include "tests/docs/without_library.hpp"
#ifdef FRIT_DOCS_EIGEN
#include <Eigen/Dense>
#endif

namespace frit_docs {

/// Dtype, shape and NumPy's print of an array or recipe: "float64 (2,)\n[1. 2.]".
template <frit::detail::operand A>
std::string describe(const A& x) {
    return std::string(name_of(x.dtype())) + " " + to_string(x.shape()) + "\n" + to_string(x);
}
// Of what is no array, Python's print.
inline std::string describe(const frit::shape& s) { return to_string(s); }
inline std::string describe(frit::dtype t) { return std::string(name_of(t)); }
inline std::string describe(const std::string& text) { return text; }
inline std::string describe(bool value) { return value ? "True" : "False"; }
template <std::integral T>
std::string describe(T value) {
    return std::to_string(value);
}
template <std::floating_point T>
std::string describe(T value) {
    return to_string(frit::scalar(value));
}
template <class T>
std::string describe(const std::vector<T>& values) {
    return describe(frit::from_host(values));
}
#ifdef FRIT_DOCS_EIGEN
/// What has one column by its type is a vector.
template <class D>
std::string describe(const Eigen::DenseBase<D>& x) {
    const Eigen::Array<typename D::Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> values = x.derived();
    frit::shape extents{x.rows()};
    if (D::ColsAtCompileTime != 1) extents.push_back(x.cols());
    return describe(frit::from_host(values.data(), extents));
}
#endif

/// The row's value is what NumPy printed for the other column: tests/docs/numpy.txt.
void expect_as_numpy(const std::string& numpy, const std::string& value);
/// The row's value, printed in one line, is the third column.
void expect_value(const std::string& shown, const std::string& value);

}  // namespace frit_docs

using namespace frit_docs;
