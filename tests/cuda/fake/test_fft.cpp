// Fourier transforms on the fake driver: what frit asks of cuFFT, by a cuFFT that is sums; the same calls on the CPU give
// what is expected, in every layout that calls take.
#include <frit/frit.hpp>

#include "src/cpu/cpu.hpp"
#include "src/libraries/libraries.hpp"
#include "tests/cuda/fake/fixture.hpp"
#include "tests/cuda/library_checks.hpp"

namespace {

using namespace frit_test;
using frit::dtype;
using frit::op;

class FakeFft : public FakeDriver {};

/// One call, and what it gives.
template <class In, class Out>
struct transformed {
    frit::fusion::library_call call;

    transformed(op code, const frit::shape& of, const std::vector<std::int64_t>& strides) {
        const auto& routine = frit::detail::routine_of(code);
        call.of = &routine;
        call.code = code;
        call.operands.push_back({frit::dtype_of<In>, of, strides});
        frit::fusion::shape_set shapes;
        const frit::shape* const operand = &call.operands[0].extents;
        call.results.push_back({true, frit::dtype_of<Out>, *routine.shape_of(0, {&operand, 1}, shapes)});
    }
    std::vector<Out> by(frit::detail::backend& engine, const std::vector<In>& memory) const {
        const auto count = static_cast<std::size_t>(call.results[0].extents.size());
        const auto operand = to_device(engine, memory);
        const auto result = to_device(engine, std::vector<Out>(count + 1, not_a_number<Out>()));
        engine.require(call);
        call_with_workspace(engine, call, {operand->data}, {result->data});
        EXPECT_EQ(from_device<In>(engine, operand, memory.size()), memory) << "the operand is written to";
        std::vector<Out> got = from_device<Out>(engine, result, count + 1);
        EXPECT_TRUE(got.back() != got.back()) << "wrote past the end";
        got.pop_back();
        return got;
    }
};

template <class In, class Out>
void check(frit::detail::backend& gpu, op code, const frit::shape& of, const std::vector<std::int64_t>& strides) {
    SCOPED_TRACE(std::string(frit::name_of(code)) + " of " + to_string(of) + " " +
                 std::string(frit::name_of(frit::dtype_of<In>)));
    std::int64_t last = 0;
    for (int k = 0; k < of.rank(); ++k) last += (of[k] - 1) * strides[static_cast<std::size_t>(k)];
    generator g(1);
    std::vector<In> memory;
    for (std::int64_t k = 0; k <= last; ++k) memory.push_back(drawn<In>(g));
    const transformed<In, Out> t(code, of, strides);
    const std::vector<Out> want = t.by(frit::detail::cpu_backend(), memory), got = t.by(gpu, memory);
    long double error = 0, norm = 0;
    for (std::size_t k = 0; k < want.size(); ++k) {
        error += std::norm(std::complex<long double>(got[k]) - std::complex<long double>(want[k]));
        norm += std::norm(std::complex<long double>(want[k]));
    }
    EXPECT_LE(std::sqrt(error / norm),
              10 * std::numeric_limits<frit::cpp_type<frit::real_dtype(frit::dtype_of<In>)>>::epsilon());
}

std::vector<std::int64_t> dense(const frit::shape& of) {
    std::vector<std::int64_t> strides(static_cast<std::size_t>(of.rank()), 1);
    for (int k = of.rank() - 1; k-- > 0;)
        strides[static_cast<std::size_t>(k)] = strides[static_cast<std::size_t>(k) + 1] * of[k + 1];
    return strides;
}

constexpr op complex_ops[] = {op::dft, op::dft_2d, op::dft_3d, op::inverse_dft, op::inverse_dft_2d, op::inverse_dft_3d};
constexpr op real_ops[] = {op::real_dft, op::real_dft_2d, op::real_dft_3d};

TEST_F(FakeFft, ComplexNumbersInEveryLayout) {
    for (const op code : complex_ops) {
        check<std::complex<double>, std::complex<double>>(*gpu, code, {2, 3, 4, 5}, dense({2, 3, 4, 5}));
        check<std::complex<float>, std::complex<float>>(*gpu, code, {3, 4, 5}, dense({3, 4, 5}));
        check<std::complex<double>, std::complex<double>>(*gpu, code, {3, 1, 5}, {7, 99, 1});
        check<std::complex<double>, std::complex<double>>(*gpu, code, {3, 5, 1}, {20, 2, 1});
        check<std::complex<double>, std::complex<double>>(*gpu, code, {1, 1, 1}, {1, 1, 1});
        check<std::complex<double>, std::complex<double>>(*gpu, code, {2, 3, 4}, {40, 12, 3});  // gaps
        // every order of the axes, of which some need one call an axis, and some batches a call each
        check<std::complex<double>, std::complex<double>>(*gpu, code, {2, 3, 4, 5}, {1, 2, 6, 24});
        check<std::complex<double>, std::complex<double>>(*gpu, code, {2, 3, 4, 5}, {60, 1, 15, 3});
        check<std::complex<double>, std::complex<double>>(*gpu, code, {2, 3, 4, 5}, {60, 20, 1, 4});
        check<std::complex<double>, std::complex<double>>(*gpu, code, {2, 3, 4, 5}, {1, 40, 10, 2});
        check<std::complex<double>, std::complex<double>>(*gpu, code, {2, 3, 4, 5}, {1, 2, 30, 6});
    }
}

TEST_F(FakeFft, RealNumbers) {
    for (const op code : real_ops)
        for (const std::int64_t n : {1, 4, 5}) {
            check<double, std::complex<double>>(*gpu, code, {2, 3, 2, n}, dense({2, 3, 2, n}));
            check<float, std::complex<float>>(*gpu, code, {3, 4, n}, dense({3, 4, n}));
            check<double, std::complex<double>>(*gpu, code, {3, 4, n}, {4, 1, 12});
        }
}

/// Spectra of real numbers: others may give others on a GPU.
TEST_F(FakeFft, BackToRealNumbers) {
    const auto round_trip = [&](op there, op back, const frit::shape& of) {
        SCOPED_TRACE(std::string(frit::name_of(back)) + " of " + to_string(of));
        generator g(2);
        std::vector<double> x;
        for (std::int64_t k = 0; k < of.size(); ++k) x.push_back(drawn<double>(g));
        const transformed<double, std::complex<double>> t(there, of, dense(of));
        const frit::shape half = t.call.results[0].extents;
        const transformed<std::complex<double>, double> b(back, half, dense(half));
        const std::vector<double> got = b.by(*gpu, t.by(*gpu, x)), want = b.by(frit::detail::cpu_backend(), t.by(*gpu, x));
        ASSERT_EQ(b.call.results[0].extents, of);
        for (std::size_t k = 0; k < got.size(); ++k) EXPECT_NEAR(got[k], want[k], 1e-12);
    };
    for (const std::int64_t n : {2, 6, 8}) {
        round_trip(op::real_dft, op::inverse_real_dft_even, {3, n});
        round_trip(op::real_dft_2d, op::inverse_real_dft_even_2d, {2, 3, n});
        round_trip(op::real_dft_3d, op::inverse_real_dft_even_3d, {2, 3, 4, n});
    }
    for (const std::int64_t n : {1, 5, 9}) {
        round_trip(op::real_dft, op::inverse_real_dft_odd, {3, n});
        round_trip(op::real_dft_2d, op::inverse_real_dft_odd_2d, {2, 3, n});
        round_trip(op::real_dft_3d, op::inverse_real_dft_odd_3d, {2, 3, 4, n});
    }
}

TEST_F(FakeFft, ThroughArrays) {
    const frit::scoped_device on_gpu(frit::device::cuda(0));
    const frit::array<std::complex<double>> z = frit::from_host(std::vector<std::complex<double>>{1, 2, 3, 4});
    const std::vector<std::complex<double>> spectrum = frit::fft::fft(z).to_vector();
    EXPECT_NEAR(std::abs(spectrum[0] - 10.0), 0, 1e-13);
    EXPECT_NEAR(std::abs(spectrum[1] - std::complex<double>(-2, 2)), 0, 1e-13);
}

}  // namespace
