// A GPU without cuBLAS, cuSOLVER or cuFFT: what needs it says so and names it, and what needs another one serves. ctest runs
// these tests once more for each, where the loader finds an empty library of its name.
#include <frit/frit.hpp>

#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "src/cpu/lapack.hpp"
#include "src/cuda/blas.hpp"
#include "src/cuda/fourier.hpp"
#include "src/cuda/solver.hpp"
#include "tests/cuda/fake/small_kernels.hpp"

namespace {

using namespace frit_test;
namespace linalg = frit::linalg;
using frit::array;

class MissingCudaLibraries : public SmallKernels {
protected:
    void SetUp() override {
        SmallKernels::SetUp();
        if (IsSkipped()) return;
        here_.emplace(frit::device::cuda(0));
        std::vector<double> of(33 * 33);
        for (std::size_t k = 0; k < 33; ++k) of[34 * k] = 2;
        matrix = frit::from_host(of, {33, 33});
    }
    static void expect_missing(const std::string& what, const frit::detail::found_library& library,
                               const std::string& text) {
        EXPECT_TRUE(text.starts_with("cuda:0: " + what + " needs " + library.name + ": " + library.text + "; asked for by "))
            << text;
        EXPECT_TRUE(library.text.starts_with(library.name + " is too old: ") ||
                    library.text.starts_with(library.name + " not found: "))
            << library.text;
        EXPECT_TRUE(contains(frit::info(), library.text));
    }

    array<double> matrix{0};  ///< large enough for cuSOLVER

private:
    std::optional<frit::scoped_device> here_;
};

TEST_F(MissingCudaLibraries, Cusolver) {
    const frit::detail::found_library cusolver = frit::detail::cuda::find_cusolver();
    const auto qr = [&] { std::get<0>(linalg::qr(matrix)).eval(); };
    const auto permutation = [&] { std::get<0>(linalg::lu(matrix)).eval(); };
    const auto values = [&] { linalg::eigvals(matrix).eval(); };
    if (cusolver.found) {
        if (frit::detail::find_lapack() && frit::detail::cuda::find_cublas().found) {
            EXPECT_EQ(text_of_error<frit::device_error>(qr), "no error");
        }
        return;
    }
    expect_missing("qr", cusolver, text_of_error<frit::device_error>(qr));
    expect_missing("lu", cusolver, text_of_error<frit::device_error>(permutation));
    expect_missing("eigvals", cusolver, text_of_error<frit::device_error>(values));
}

TEST_F(MissingCudaLibraries, Cufft) {
    const frit::detail::found_library cufft = frit::detail::cuda::find_cufft();
    const array<std::complex<double>> x = frit::from_host(std::vector<std::complex<double>>{1, 2, 3, 4}, {4});
    const auto transform = [&] { frit::fft::fft(x).eval(); };
    if (cufft.found)
        EXPECT_EQ(text_of_error<frit::device_error>(transform), "no error");
    else
        expect_missing("fft", cufft, text_of_error<frit::device_error>(transform));
}

TEST_F(MissingCudaLibraries, Cublas) {
    const frit::detail::found_library cublas = frit::detail::cuda::find_cublas();
    const auto product = [&] { matmul(matrix, matrix).eval(); };
    if (cublas.found)
        EXPECT_EQ(text_of_error<frit::device_error>(product), "no error");
    else
        expect_missing("matmul", cublas, text_of_error<frit::device_error>(product));
}

TEST_F(MissingCudaLibraries, SmallEquationsNeedNone) {
    const array<double> a = frit::from_host(std::vector<double>{3, 1, 1, 2}, {2, 2}),
                        b = frit::from_host(std::vector<double>{9, 8});
    const std::vector<double> x = linalg::solve(a, b).to_vector();
    EXPECT_NEAR(x[0], 2, 1e-14);
    EXPECT_NEAR(x[1], 3, 1e-14);
}

}  // namespace
