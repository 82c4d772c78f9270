// from_host for any vector of elements: std::vector<bool> has no memory to copy from.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include <frit/frit.hpp>

namespace frit_test {

template <class T>
frit::array<T> from_values(const std::vector<T>& values, const frit::shape& extents) {
    const auto copy = std::make_unique<T[]>(values.size());
    std::copy(values.begin(), values.end(), copy.get());
    return frit::from_host(copy.get(), extents);
}
template <class T>
frit::array<T> from_values(const std::vector<T>& values) {
    return from_values(values, frit::shape(values.size()));
}

}  // namespace frit_test
