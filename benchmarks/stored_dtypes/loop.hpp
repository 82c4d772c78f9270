// The peer of complex numbers, in a file of its own for its own compiler options.
#pragma once

#include <complex>
#include <cstddef>

/// r = z * w + c
template <class T>
void multiply_add(const std::complex<T>* z, const std::complex<T>* w, const std::complex<T>* c, std::complex<T>* r,
                  std::size_t n);
