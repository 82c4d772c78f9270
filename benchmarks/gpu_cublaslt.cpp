// The question: which is quicker for large products of 16-bit floats on this GPU, cublasGemmEx, which frit calls, or the
// first algorithm that cublasLt's heuristic names. Both by frit::matmul, in turns in one process; medians of rounds.
//
// usage: gpu_cublaslt
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <frit/frit.hpp>
#include <vector>

#include "src/cuda/blas.hpp"

namespace {

using clock_type = std::chrono::steady_clock;
using number = frit::bfloat16;

double milliseconds(const frit::array<number>& a, const frit::array<number>& b, bool light, int calls) {
    frit::detail::cuda::blas::light = light;
    const auto start = clock_type::now();
    for (int k = 0; k < calls; ++k) frit::array<number>(frit::matmul(a, b)).eval();
    frit::synchronize();
    return std::chrono::duration<double, std::milli>(clock_type::now() - start).count() / calls;
}

frit::array<number> drawn(std::int64_t n, float seed) {  // values of all signs and sizes up to 1
    return frit::array<number>(frit::cast<number>(frit::sin(frit::arange<float>(0, static_cast<float>(n * n)) * seed)))
        .reshape({n, n})
        .eval();
}

}  // namespace

int main() {
    if (frit::device::cuda_count() == 0) {
        std::puts("no GPU here");
        return 0;
    }
    const frit::scoped_device on_gpu(frit::device::cuda(0));
    for (const std::int64_t n : {1024, 2048, 4096, 8192}) {
        const auto a = drawn(n, 1.1F), b = drawn(n, 0.7F);
        frit::array<float> results[2];
        for (const bool light : {false, true}) {
            frit::detail::cuda::blas::light = light;
            const auto product = frit::array<number>(frit::matmul(a, b)).eval();
            results[light] = frit::cast<float>(product);
            results[light].eval();
        }
        const float apart = frit::max(frit::abs(results[0] - results[1])).item(),
                    size = frit::max(frit::abs(results[0])).item();
        const int calls = static_cast<int>(std::max<std::int64_t>(8, (8192 / n) * (8192 / n) * 4));
        std::vector<double> ms[2];
        for (int round = -1; round < 9; ++round)  // the first one warms up
            for (const bool light : {false, true}) {
                const double t = milliseconds(a, b, light, calls);
                if (round >= 0) ms[light].push_back(t);
            }
        for (auto& m : ms) std::sort(m.begin(), m.end());
        std::printf(
            "bfloat16 %5ld^3: cublasGemmEx %.4f ms (%.4f to %.4f), cublasLt %.4f ms (%.4f to %.4f); results at most %.2g "
            "of the largest apart\n",
            static_cast<long>(n), ms[0][4], ms[0][0], ms[0][8], ms[1][4], ms[1][0], ms[1][8],
            static_cast<double>(apart / size));
    }
}
