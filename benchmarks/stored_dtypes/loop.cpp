// A plain loop over std::complex, as fast as a compiler makes it: without Annex G's infinities.
#include <complex>
#include <cstddef>

#include "loop.hpp"

template <class T>
void multiply_add(const std::complex<T>* z, const std::complex<T>* w, const std::complex<T>* c, std::complex<T>* r,
                  std::size_t n) {
    for (std::size_t k = 0; k < n; ++k) r[k] = z[k] * w[k] + c[k];
}
template void multiply_add(const std::complex<float>*, const std::complex<float>*, const std::complex<float>*,
                           std::complex<float>*, std::size_t);
template void multiply_add(const std::complex<double>*, const std::complex<double>*, const std::complex<double>*,
                           std::complex<double>*, std::size_t);
