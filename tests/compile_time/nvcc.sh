#!/usr/bin/env bash
# Compiles a file with kernels of its own, and every public header, by nvcc, and runs it on the CPU: what frit::aot makes there
# has the bits of any other engine.
# usage: nvcc.sh NVCC LIBRARY INCLUDE_FLAGS...
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/main.cu" <<'END'
#include <complex>
#include <frit/aot.hpp>
#include <frit/frit.hpp>
__global__ void twice(float* x) { x[threadIdx.x] *= 2; }
template <class E>
bool same(const E& e) {
    const frit::array<typename E::value_type> got = frit::aot(e), want = e;
    return array_equal(got, want);
}
int main() {
    const frit::array<float> x = frit::linspace(0.0F, 3.0F, 1000), y = x * 0.37F - 1.0F;
    const frit::array<std::complex<float>> z = frit::complex(x, y);
    const frit::array<frit::half> h = frit::cast<frit::half>(x);
    const auto step = [](const auto& last, const auto& in) { return 0.5F * last + in; };
    const bool right = same(2.5F * x + y) && same(exp(-x) * y + x / y) && same(z * z + x) && same(h * h) &&
                       same(mean(x * y)) && same(sqrt(sum(x * x))) &&
                       frit::scan_along(0, 0.0F, step, frit::array<float>{1, 2})(1).item() == 2.5F;
    return right ? 0 : 1;
}
END
place=$(dirname "$2")
"$1" -std=c++20 -Werror all-warnings "${@:3}" "$folder/main.cu" -o "$folder/main" -L"$place" -lfrit \
    -Xlinker "-rpath,$place"
FRIT_DEVICE=cpu "$folder/main"
echo "nvcc's program computes what others do"
