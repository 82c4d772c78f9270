// The formulas written with Eigen. Compiled with -O3 -march=native.
#include <Eigen/Core>

#include "aot.hpp"

template <class T>
double eigen_nanoseconds(formula f, std::size_t n, double& mean) {
    using vector = Eigen::Array<T, Eigen::Dynamic, 1>;
    const std::vector<T> first = column<T>(2 * n, -2), second = column<T>(n, 1);
    const auto size = static_cast<Eigen::Index>(n);
    const vector x = Eigen::Map<const vector>(first.data(), size), y = Eigen::Map<const vector>(second.data(), size);
    vector out(size);
    double t = 0;
    if (f == formula::axpb) t = nanoseconds([&] { out = x * T(2.5) + T(0.75); });
    if (f == formula::axpbypc) t = nanoseconds([&] { out = x * T(2.5) + y * T(1.5) + T(0.75); });
    if (f == formula::poly12)
        t = nanoseconds(
            [&] { out = (((x * T(0.03) + T(0.2)) * x + T(0.7)) * x + T(1.1)) / ((x * T(0.05) + T(0.4)) * x + T(1.3)) + x; });
    T total = 0;
    if (f == formula::total) t = nanoseconds([&] { total = (x * y + T(0.75)).sum(); });
    using every_other = Eigen::Map<const vector, 0, Eigen::InnerStride<2>>;
    const every_other spread(first.data(), size);
    if (f == formula::strided) t = nanoseconds([&] { out = spread * T(2.5) + y; });
    mean = f == formula::total ? static_cast<double>(total) / static_cast<double>(n) : static_cast<double>(out.mean());
    return t;
}

template double eigen_nanoseconds<float>(formula, std::size_t, double&);
template double eigen_nanoseconds<double>(formula, std::size_t, double&);
