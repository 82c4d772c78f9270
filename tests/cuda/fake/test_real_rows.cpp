// Spectra of rows with a window, with magnitudes, and with both: a kernel of our own, which the emulator runs in the place
// of the fake driver's launches. Every length and form, rows anywhere in memory, numbers of any size, against sums in long
// double.
#include <frit/frit.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/cuda/fake/small_kernels.hpp"
#include "tests/cuda/library_checks.hpp"

namespace {

using namespace frit_test;
using frit::op;
using wide_complex = std::complex<long double>;

class RealRows : public SmallKernels {};

enum class form { windowed, magnitudes, both };
constexpr form forms[] = {form::windowed, form::magnitudes, form::both};
constexpr std::int64_t lengths[] = {64, 128, 256, 512, 1024, 2048};

/// Rows in the middle of memory that is full of numbers, and their window.
struct rows_in_memory {
    frit::shape extents;
    std::vector<std::int64_t> strides;
    std::int64_t offset = 0, window_offset = 0;
    std::vector<float> memory{}, window{};

    rows_in_memory(std::int64_t rows, std::int64_t n, std::int64_t step, std::uint64_t seed = 1)
        : extents{rows, n}, strides{step, 1} {
        generator g(seed);
        for (std::int64_t k = 0; k < (rows - 1) * step + n; ++k) memory.push_back(drawn<float>(g));
        for (std::int64_t k = 0; k < n; ++k) window.push_back(drawn<float>(g));
    }
    std::int64_t length() const { return extents[-1]; }
    std::int64_t rows() const { return extents.size() / length(); }
    /// The product that is transformed, rounded.
    std::vector<float> row(std::int64_t r, bool windowed) const {
        std::int64_t at = 0;
        for (int axis = extents.rank() - 1; axis-- > 0; r /= extents[axis])
            at += r % extents[axis] * strides[static_cast<std::size_t>(axis)];
        std::vector<float> x(memory.begin() + at, memory.begin() + at + length());
        for (std::size_t k = 0; windowed && k < x.size(); ++k) x[k] *= window[k];
        return x;
    }
};

/// What a call gives: complex numbers as pairs.
std::vector<float> spectra(frit::detail::backend& gpu, const rows_in_memory& x, form f) {
    const bool windowed = f != form::magnitudes, magnitudes = f != form::windowed;
    const frit::dtype type = magnitudes ? frit::dtype::f32 : frit::dtype::c64;
    const frit::shape* const extents[] = {&x.extents};
    using end = frit::fusion::epilogue;
    const end after{magnitudes ? end::form::magnitude : end::form::none};
    frit::fusion::library_call c;
    c.of = frit::detail::routine_of(op::real_dft).with({op::real_dft, windowed, after, type, extents}, gpu.target());
    c.code = op::real_dft;
    c.operands = {{frit::dtype::f32, x.extents, x.strides}};
    std::vector<std::int64_t> spread(x.strides.size());
    spread.back() = 1;
    if (windowed) c.operands.push_back({frit::dtype::f32, x.extents, spread});
    frit::fusion::shape_set shapes;
    c.results = {{true, type, *c.of->shape_of(0, {extents, 1}, shapes)}};
    const auto put = [&](const std::vector<float>& values, std::int64_t offset) {
        std::vector<float> all(static_cast<std::size_t>(offset), NAN);
        all.insert(all.end(), values.begin(), values.end());
        return to_device(gpu, all);
    };
    const auto memory = put(x.memory, x.offset), window = put(x.window, x.window_offset);
    std::vector<const void*> from{static_cast<const float*>(memory->data) + x.offset};
    if (windowed) from.push_back(static_cast<const float*>(window->data) + x.window_offset);
    const auto count = static_cast<std::size_t>(c.results[0].extents.size()) * (magnitudes ? 1 : 2);
    const auto result = to_device(gpu, std::vector<float>(count + 1, 12345.0F));
    gpu.require(c);
    call_with_workspace(gpu, c, from, {result->data});
    std::vector<float> got = from_device<float>(gpu, result, count + 1);
    EXPECT_EQ(got.back(), 12345.0F) << "wrote past the end";
    got.pop_back();
    return got;
}

std::vector<wide_complex> sums(const std::vector<float>& x) {
    const std::size_t n = x.size();
    std::vector<wide_complex> roots, all;
    for (std::size_t k = 0; k < n; ++k)
        roots.push_back(std::polar(
            1.0L, -2 * std::numbers::pi_v<long double> * static_cast<long double>(k) / static_cast<long double>(n)));
    for (std::size_t k = 0; k <= n / 2; ++k) {
        wide_complex sum = 0;
        for (std::size_t j = 0; j < n; ++j) sum += static_cast<long double>(x[j]) * roots[j * k % n];
        all.push_back(sum);
    }
    return all;
}

/// Errors against the row's norm, which is the size of its frequencies: of one number, and the root of their mean square.
void check(frit::detail::backend& gpu, const rows_in_memory& x, form f) {
    SCOPED_TRACE("rows of " + to_string(x.extents) + ", form " + std::to_string(static_cast<int>(f)));
    constexpr long double unit = std::numeric_limits<float>::epsilon();
    const int before = fake().launches;
    const std::vector<float> got = spectra(gpu, x, f);
    EXPECT_EQ(fake().launches, before + 1);
    std::size_t at = 0;
    for (std::int64_t r = 0; r < x.rows(); ++r) {
        const std::vector<float> row = x.row(r, f != form::magnitudes);
        long double squares = 0, errors = 0;
        for (const float v : row) squares += static_cast<long double>(v) * v;
        const std::vector<wide_complex> all = sums(row);
        for (const wide_complex& want : all) {
            const long double error = f == form::windowed ? std::abs(wide_complex(got[at], got[at + 1]) - want)
                                                          : std::abs(got[at] - std::abs(want));
            at += f == form::windowed ? 2 : 1;
            errors += error * error;
            ASSERT_LE(error, 8 * unit * std::sqrt(squares)) << "row " << r;
        }
        EXPECT_LE(errors, 2 * unit * unit * squares * static_cast<long double>(all.size())) << "row " << r;
    }
    EXPECT_EQ(at, got.size());
}

TEST_F(RealRows, EveryLengthAndForm) {
    for (const std::int64_t n : lengths)
        for (const form f : forms) check(*gpu, {3, n, n}, f);
}

TEST_F(RealRows, BlocksThatAreFullAndTheLastOne) {
    for (const std::int64_t rows : {1, 2, 7, 8, 9, 16, 20})
        for (const form f : {form::windowed, form::both}) check(*gpu, {rows, 1024, 1024}, f);
    for (const std::int64_t n : {64, 128, 256, 512, 2048}) {
        const std::int64_t of_block = frit::detail::cuda::real_rows(n, true, true).matrices;
        for (const std::int64_t rows : {of_block - 1, of_block, of_block + 1}) check(*gpu, {rows, n, n}, form::both);
        check(*gpu, {of_block + 1, n, n}, form::windowed);
    }
}

TEST_F(RealRows, AnywhereInMemory) {
    for (const std::int64_t step : {16, 32, 70, 100, 33, 1}) check(*gpu, {20, 64, step}, form::both);
    for (const std::int64_t offset : {0, 1, 2})
        for (const std::int64_t window_offset : {0, 1}) {
            rows_in_memory x(9, 256, 258);
            x.offset = offset;
            x.window_offset = window_offset;
            check(*gpu, x, form::windowed);
            check(*gpu, x, form::magnitudes);
        }
    rows_in_memory x(20, 128, 130);
    x.extents = {4, 5, 128};
    x.strides = {650, 130, 1};
    check(*gpu, x, form::both);
    x.extents = {4, 1, 5, 128};
    x.strides = {650, 1, 130, 1};
    check(*gpu, x, form::both);
    rows_in_memory one(1, 512, 512);
    one.extents = {512};
    one.strides = {1};
    check(*gpu, one, form::both);
}

TEST_F(RealRows, NumbersOfEverySize) {
    for (const float size : {1e30F, 1e-30F, 3e-39F, 1e15F, 1e-20F}) {
        rows_in_memory x(3, 1024, 1024);
        for (float& v : x.memory) v *= size;
        const std::vector<float> got = spectra(*gpu, x, form::both);
        std::size_t at = 0;
        for (std::int64_t r = 0; r < 3; ++r)
            for (const wide_complex& want : sums(x.row(r, true)))
                ASSERT_NEAR(static_cast<double>(got[at++] / size), static_cast<double>(std::abs(want) / size), 1e-4) << size;
    }
}

// Of the same numbers' real and imaginary parts, within two units in the last place.
TEST_F(RealRows, MagnitudesAreExact) {
    for (const std::int64_t n : lengths) {
        rows_in_memory x(4, n, n, 7);
        const float sizes[] = {1, 3e-15F, 2e18F, 1e35F};
        for (std::int64_t k = 0; k < x.extents.size(); ++k) x.memory[static_cast<std::size_t>(k)] *= sizes[k / n];
        const std::vector<float> parts = spectra(*gpu, x, form::windowed), got = spectra(*gpu, x, form::both);
        ASSERT_EQ(parts.size(), 2 * got.size());
        for (std::size_t k = 0; k < got.size(); ++k) {
            const auto want = static_cast<float>(std::hypot(static_cast<double>(parts[2 * k]), parts[2 * k + 1]));
            const float unit = std::nextafter(want, INFINITY) - want;
            ASSERT_LE(std::abs(got[k] - want), 2 * unit) << parts[2 * k] << ", " << parts[2 * k + 1];
        }
    }
}

TEST_F(RealRows, WhatIsNotFiniteStaysInItsRow) {
    constexpr float inf = std::numeric_limits<float>::infinity();
    for (const float strange : {NAN, inf, -inf, 3e38F})
        for (const form f : forms) {
            rows_in_memory x(3, 256, 256);
            std::fill_n(x.memory.begin() + 256 + 7, strange == 3e38F ? 240 : 1, strange);
            const std::vector<float> got = spectra(*gpu, x, f), good = spectra(*gpu, {3, 256, 256}, f);
            const std::size_t row = got.size() / 3;
            for (std::size_t k = 0; k < got.size(); ++k)
                if (k / row != 1) {
                    ASSERT_EQ(got[k], good[k]) << k;
                }
            const auto finite =
                std::count_if(got.begin() + static_cast<std::ptrdiff_t>(row),
                              got.begin() + static_cast<std::ptrdiff_t>(2 * row), [](float v) { return std::isfinite(v); });
            if (strange != 3e38F) {
                EXPECT_LE(finite, f == form::windowed ? 2 : 0) << "the imaginary parts at the ends are 0";
            }
        }
    // of zeros, and of one number
    rows_in_memory x(2, 64, 64);
    std::fill(x.memory.begin(), x.memory.end(), 0.0F);
    x.memory[64] = -3;
    const std::vector<float> got = spectra(*gpu, x, form::magnitudes);
    for (std::size_t k = 0; k < got.size(); ++k) EXPECT_EQ(got[k], k < 33 ? 0 : 3);
}

TEST_F(RealRows, WhatALaunchHas) {
    const frit::scoped_device on_gpu(frit::device::cuda(0));
    const rows_in_memory rows(20, 1024, 1024), frames(1, 1000, 1000);
    const auto x = frit::from_host(rows.memory, {20, 1024}), w = frit::from_host(rows.window, {1024});
    const auto signal = frit::from_host(frames.memory, {1000}), window = frit::from_host(frames.window, {1000});
    const int before = fake().launches;
    const std::vector<float> got = frit::array<float>(abs(frit::fft::rfft(x * w))).to_vector();
    EXPECT_EQ(fake().launches, before + 1);
    EXPECT_EQ(name_of_symbol(fake().launched.back()), "real_rows<16, 32, true, true, 128>");
    EXPECT_EQ(fake().grid[0], 3U);
    EXPECT_EQ(fake().block[0], 128U);
    EXPECT_EQ(got, spectra(*gpu, rows, form::both));
    // frames, from an odd place on
    const auto seen = frit::sliding_window_view(signal(frit::slice(1, frit::none)), 64)(frit::slice(0, frit::none, 16));
    const std::vector<float> of_frames =
        frit::array<float>(abs(frit::fft::rfft(seen * window(frit::slice(0, 64))))).to_vector();
    EXPECT_EQ(fake().launches, before + 3) << "the other was the call made directly";
    EXPECT_EQ(name_of_symbol(fake().launched.back()), "real_rows<4, 8, true, true, 128>");
    rows_in_memory same((1000 - 1 - 64) / 16 + 1, 64, 16);
    std::copy_n(frames.memory.begin() + 1, same.memory.size(), same.memory.begin());
    std::copy_n(frames.window.begin(), 64, same.window.begin());
    EXPECT_EQ(of_frames, spectra(*gpu, same, form::both));
}

TEST_F(RealRows, OtherCallsHaveNoEnds) {
    const auto with = [&](op code, std::int64_t n, bool window, frit::fusion::epilogue after, frit::dtype type,
                          const frit::fusion::target& on) {
        const frit::shape of{3, n};
        const frit::shape* const extents[] = {&of};
        return frit::detail::routine_of(code).with({code, window, after, type, extents}, on) != nullptr;
    };
    using end = frit::fusion::epilogue;
    const auto& target = gpu->target();
    EXPECT_TRUE(with(op::real_dft, 64, true, {}, frit::dtype::c64, target));
    EXPECT_FALSE(with(op::real_dft, 64, false, {}, frit::dtype::c64, target)) << "cuFFT is faster";
    EXPECT_FALSE(with(op::real_dft, 64, true, {end::form::scaled}, frit::dtype::c64, target));
    EXPECT_FALSE(with(op::real_dft, 64, true, {}, frit::dtype::c128, target));
    EXPECT_FALSE(with(op::real_dft_2d, 64, true, {}, frit::dtype::c64, target));
    for (const std::int64_t n : {1, 32, 63, 65, 96, 4096})
        EXPECT_FALSE(with(op::real_dft, n, true, {end::form::magnitude}, frit::dtype::f32, target)) << n;
    EXPECT_FALSE(with(op::real_dft, 64, true, {}, frit::dtype::c64, frit::detail::cpu_backend().target()));
}

}  // namespace
