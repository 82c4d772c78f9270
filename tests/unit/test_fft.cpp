// Fourier transforms: every length up to 300 and large primes against sums in long double; inverses, norms, axes, lengths,
// dtypes, layouts; how many calls and kernels they take; errors. With FRIT_FFTW=off the same of frit's own transforms.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <memory>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "frit/frit.hpp"

#include "src/base/threads.hpp"
#include "src/cpu/fftw.hpp"
#include "src/cpu/mixed_radix.hpp"
#include "tests/support/thorough.hpp"

namespace {

namespace fft = frit::fft;
using frit::any_array;
using frit::array;
using frit::none;
using frit::slice;

using wide = std::complex<long double>;

// --- the reference ---

/// The sums' elements at these places; the factors are roots of unity from a table.
std::vector<wide> sums(const std::vector<wide>& x, bool inverse, const std::vector<std::size_t>& places) {
    const std::size_t n = x.size();
    std::vector<wide> roots(n);
    for (std::size_t k = 0; k < n; ++k) {
        const long double angle =
            2 * std::numbers::pi_v<long double> * static_cast<long double>(k) / static_cast<long double>(n);
        roots[k] = {std::cos(angle), inverse ? std::sin(angle) : -std::sin(angle)};
    }
    std::vector<wide> all;
    for (const std::size_t k : places) {
        long double re = 0, im = 0;
        for (std::size_t j = 0, at = 0; j < n; ++j, at = at + k < n ? at + k : at + k - n) {
            re += x[j].real() * roots[at].real() - x[j].imag() * roots[at].imag();
            im += x[j].real() * roots[at].imag() + x[j].imag() * roots[at].real();
        }
        all.emplace_back(re, im);
    }
    return all;
}
std::vector<std::size_t> first(std::size_t n) {
    std::vector<std::size_t> all(n);
    for (std::size_t k = 0; k < n; ++k) all[k] = k;
    return all;
}

template <class T>
std::vector<T> noise(std::size_t n, unsigned seed) {
    std::mt19937 g(seed);
    std::uniform_real_distribution<double> u(-1, 1);
    std::vector<T> x(n);
    for (T& e : x) {
        if constexpr (std::is_arithmetic_v<T>)
            e = static_cast<T>(u(g));
        else
            e = {static_cast<typename T::value_type>(u(g)), static_cast<typename T::value_type>(u(g))};
    }
    return x;
}
template <class T>
array<T> noise_of(const frit::shape& of, unsigned seed) {
    return frit::from_host(noise<T>(static_cast<std::size_t>(of.size()), seed), of);
}

template <class T>
std::vector<wide> widened(const std::vector<T>& x) {
    std::vector<wide> all;
    for (const T& e : x) all.emplace_back(std::real(e), std::imag(e));
    return all;
}

/// The difference's norm over the norm, in epsilons of T; NaN anywhere is infinity.
template <class T>
long double distance(const std::vector<wide>& got, const std::vector<wide>& want) {
    long double error = 0, norm = 0;
    for (std::size_t k = 0; k < want.size(); ++k) {
        error += std::norm(got[k] - want[k]);
        norm += std::norm(want[k]);
    }
    const long double d = std::sqrt(error / norm) / std::numeric_limits<T>::epsilon();
    return got.size() == want.size() && d >= 0 ? d : std::numeric_limits<long double>::infinity();
}
bool on_gpu() { return !frit::default_device().is_cpu(); }
/// What a GPU's library may be off by, over that.
long double allowance() { return on_gpu() ? 4 : 1; }
/// Errors of a good transform grow as the root of the number of its passes.
long double bound(std::size_t n) { return allowance() * (3 + 0.25L * std::log2(static_cast<long double>(n))); }

template <class A, class B>
void expect_near(const A& a, const B& b, long double epsilons) {
    const auto x = a.to_vector(), y = b.to_vector();
    using element = typename std::remove_cvref_t<decltype(x)>::value_type;
    using real = decltype(std::real(element()));
    EXPECT_EQ(a.shape(), b.shape());
    EXPECT_LE(distance<real>(widened(x), widened(y)), epsilons * allowance());
}

// --- what all tests need ---

class Fft : public ::testing::Test {
protected:
    void SetUp() override {
        try {
            fft::fft(frit::ones<double>({2})).to_vector();
        } catch (const frit::device_error& e) {  // a GPU without cuFFT
            GTEST_SKIP() << e.what();
        }
    }
};

struct step_counts {
    std::size_t kernels, calls;
    friend bool operator==(const step_counts&, const step_counts&) = default;
    friend std::ostream& operator<<(std::ostream& to, const step_counts& c) {
        return to << c.kernels << " kernels, " << c.calls << " calls";
    }
};
template <class... A>
step_counts planned(const A&... x) {
    const frit::plan p = frit::make_plan(x...);
    return {p.kernels().size(), p.library_calls().size()};
}

template <class Error, class F>
void expect_error(const std::string& text, F f) {
    try {
        f();
        ADD_FAILURE() << "no error, not " << text;
    } catch (const Error& e) {
        EXPECT_EQ(std::string(e.what()).rfind(text, 0), 0U) << e.what();
        EXPECT_NE(std::string(e.what()).find("test_fft.cpp:"), std::string::npos) << e.what();
    }
}

// --- every length ---

/// The signal that half of a spectrum stands for: of irfft's first element, and of an even length's last, the real part.
std::vector<wide> mirrored(const std::vector<wide>& half, std::size_t n) {
    std::vector<wide> whole(n);
    for (std::size_t k = 1; k < half.size(); ++k) whole[n - k] = std::conj(whole[k] = half[k]);
    whole[0] = half[0].real();
    if (n % 2 == 0) whole[n / 2] = half[n / 2].real();
    return whole;
}

template <class T>
void check_length(std::size_t n) {
    SCOPED_TRACE(std::to_string(n) + " elements, " + std::string(frit::name_of(frit::dtype_of<T>)));
    const auto count = static_cast<std::int64_t>(n);
    const std::vector<std::complex<T>> z = noise<std::complex<T>>(n, 1);
    const std::vector<T> x = noise<T>(n, 2);
    std::vector<std::complex<T>> half(z.begin(), z.begin() + count / 2 + 1);
    if (on_gpu()) half[0] = half[0].real();  // what is not read on the CPU
    if (on_gpu() && n % 2 == 0) half[n / 2] = half[n / 2].real();
    const array<std::complex<T>> of_z = frit::from_host(z, {count});
    EXPECT_LE(distance<T>(widened(fft::fft(of_z).to_vector()), sums(widened(z), false, first(n))), bound(n));
    EXPECT_LE(distance<T>(widened(fft::ifft(of_z, none, -1, fft::forward).to_vector()), sums(widened(z), true, first(n))),
              bound(n));
    EXPECT_LE(
        distance<T>(widened(fft::rfft(frit::from_host(x, {count})).to_vector()), sums(widened(x), false, first(n / 2 + 1))),
        bound(n));
    EXPECT_LE(distance<T>(widened(fft::irfft(frit::from_host(half), count, 0, fft::forward).to_vector()),
                          sums(mirrored(widened(half), n), true, first(n))),
              bound(n));
}

TEST_F(Fft, EveryLength) {
    for (std::size_t n = 1; n <= 300; ++n) {
        if (!frit_test::sanitized || n % 7 == 0) check_length<float>(n);
        if (!frit_test::sanitized || n % 7 == 1) check_length<double>(n);
    }
}

template <class T>
void check_own(frit::detail::line_kind kind, std::size_t n, const std::vector<std::size_t>& places) {
    using frit::detail::line_kind;
    using element = std::complex<T>;
    const auto count = static_cast<std::int64_t>(n);
    const bool real_in = kind == line_kind::of_real, real_out = kind == line_kind::to_real;
    const std::vector<element> z = noise<element>(real_out ? n / 2 + 1 : n, 3);
    const std::vector<T> x = noise<T>(n, 4);
    std::vector<element> out(n + 1), scratch(static_cast<std::size_t>(frit::detail::own_lines<T>::scratch(kind, count)) + 1);
    scratch.back() = T(7);
    const frit::detail::own_lines<T> by(kind, count);
    by.run(real_in ? static_cast<const void*>(x.data()) : z.data(), out.data(), scratch.data());
    EXPECT_EQ(scratch.back(), element(7)) << "written behind its scratch memory";
    std::vector<wide> got;
    for (const std::size_t k : places)
        got.push_back(real_out ? wide(reinterpret_cast<const T*>(out.data())[k]) : wide(out[k].real(), out[k].imag()));
    const std::vector<wide> in = real_in ? widened(x) : real_out ? mirrored(widened(z), n) : widened(z);
    EXPECT_LE(distance<T>(got, sums(in, real_out || kind == line_kind::inverse, places)), bound(n))
        << n << " elements, kind " << static_cast<int>(kind);
}

constexpr frit::detail::line_kind kinds[] = {frit::detail::line_kind::forward, frit::detail::line_kind::inverse,
                                             frit::detail::line_kind::of_real, frit::detail::line_kind::to_real};

TEST(OwnFft, EveryLength) {
    for (std::size_t n = 1; n <= 300; ++n)
        for (const auto kind : kinds) {
            const bool real = kind == frit::detail::line_kind::of_real;
            check_own<float>(kind, n, first(real ? n / 2 + 1 : n));
            check_own<double>(kind, n, first(real ? n / 2 + 1 : n));
        }
}

constexpr std::size_t long_lengths[] = {509, 1009, 1024, 2310, 4093, 6561, 10007};

TEST(OwnFft, LargePrimesAndPowers) {
    for (const std::size_t n : long_lengths)
        for (const auto kind : kinds) {
            const std::vector<std::size_t> places{0, 1, 2, n / 7, n / 3, n / 2};
            check_own<float>(kind, n, places);
            check_own<double>(kind, n, places);
        }
}

TEST_F(Fft, LargePrimesAndPowers) {
    for (const std::size_t n : long_lengths) {
        const std::vector<std::complex<double>> z = noise<std::complex<double>>(n, 5);
        const std::vector<wide> got = widened(fft::fft(frit::from_host(z)).to_vector());
        const std::vector<std::size_t> places{0, 1, 2, n / 7, n / 3, n / 2, n - 1};
        std::vector<wide> some;
        for (const std::size_t k : places) some.push_back(got[k]);
        EXPECT_LE(distance<double>(some, sums(widened(z), false, places)), bound(n)) << n;
    }
}

// --- identities ---

TEST_F(Fft, InversesAndParseval) {
    for (const std::int64_t n : {1, 2, 7, 12, 97, 1000, 1013}) {
        SCOPED_TRACE(n);
        const auto z = noise_of<std::complex<double>>({3, n}, 6);
        const auto x = noise_of<double>({3, n}, 7);
        for (const fft::norm by : {fft::backward, fft::ortho, fft::forward}) {
            expect_near(fft::ifft(fft::fft(z, none, -1, by), none, -1, by), z, 10);
            expect_near(fft::irfft(fft::rfft(x, none, -1, by), n, -1, by), x, 10);
            expect_near(fft::hfft(fft::ihfft(x, none, -1, by), n, -1, by), x, 10);
        }
        const array<double> energy = frit::sum(frit::square(abs(z)));
        const array<double> spectral = frit::sum(frit::square(abs(fft::fft(z, none, -1, fft::ortho))));
        EXPECT_NEAR(spectral.item() / energy.item(), 1, 1e-14);
    }
}

TEST_F(Fft, NormsAreFactors) {
    const auto z = noise_of<std::complex<double>>({4, 6}, 8);
    expect_near(fft::fft(z, none, 0, fft::forward), array<std::complex<double>>(fft::fft(z, none, 0) / 4.0), 2);
    expect_near(fft::ifft(z, none, 0, fft::forward), array<std::complex<double>>(fft::ifft(z, none, 0) * 4.0), 2);
    expect_near(fft::fft2(z, none, {0, 1}, fft::ortho), array<std::complex<double>>(fft::fft2(z) / std::sqrt(24.0)), 2);
    expect_near(fft::ihfft(real(z), none, 1, fft::forward), array<std::complex<double>>(fft::ihfft(real(z)) * 6.0), 2);
    expect_near(fft::hfft(z, none, 1, fft::forward), array<double>(fft::hfft(z) / 10.0), 2);
}

/// By transforms of one axis after the other.
template <class A>
array<std::complex<double>> one_by_one(const A& x, const std::vector<int>& over) {
    array<std::complex<double>> z(frit::cast<std::complex<double>>(x));
    for (const int axis : over) z = array<std::complex<double>>(fft::fft(z, none, axis));
    return z;
}

TEST_F(Fft, SeveralAxesAreOneAfterTheOther) {
    const auto z = noise_of<std::complex<double>>({4, 3, 5, 2, 6}, 9);
    const auto x = noise_of<double>({4, 3, 5, 2, 6}, 10);
    expect_near(fft::fftn(z), one_by_one(z, {0, 1, 2, 3, 4}), 5);
    expect_near(fft::fftn(z, none, {3, 0}), one_by_one(z, {0, 3}), 5);
    expect_near(fft::fftn(z, none, {-2, 1, 0, 2}), one_by_one(z, {0, 1, 2, 3}), 5);
    expect_near(fft::fft2(z), one_by_one(z, {3, 4}), 5);
    expect_near(fft::fft2(z, none, {2, 0}), one_by_one(z, {2, 0}), 5);
    expect_near(fft::ifftn(fft::fftn(z)), z, 10);
    for (const std::vector<int>& over : {std::vector{4}, {0, 4}, {2, 1, 4}, {1, 2, 3, 4}, {4, 2}, {3, 1, 0, 2}}) {
        const int last = over.back();
        const std::vector<frit::index> first_half = [&] {
            std::vector<frit::index> at(5, frit::all);
            at[static_cast<std::size_t>(last)] = slice(0, x.shape()[last] / 2 + 1);
            return at;
        }();
        const array<std::complex<double>> spectrum = fft::rfftn(x, none, over), whole = one_by_one(x, over);
        expect_near(spectrum, array<std::complex<double>>(whole(first_half)), 5);
        std::vector<std::int64_t> lengths;
        for (const int axis : over) lengths.push_back(x.shape()[axis]);
        expect_near(fft::irfftn(spectrum, lengths, over), x, 10);
    }
    expect_near(fft::irfft2(fft::rfft2(x)), x, 10);  // 6 elements, an even number
}

TEST_F(Fft, LengthsCutAndPad) {
    const auto x = noise_of<double>({3, 5}, 11);
    const array<double> shorter = x(frit::all, slice(0, 3)), longer = frit::pad(x, {{0, 0}, {0, 4}});
    expect_near(fft::fft(x, 3), array<std::complex<double>>(fft::fft(shorter)), 1);
    expect_near(fft::rfft(x, 9), array<std::complex<double>>(fft::rfft(longer)), 1);
    expect_near(fft::fft(x, 2, 0), array<std::complex<double>>(fft::fft(x(slice(0, 2)), none, 0)), 1);
    expect_near(fft::fft2(x, {2, 9}), array<std::complex<double>>(fft::fft2(longer(slice(0, 2)))), 1);
    expect_near(fft::fftn(x, {9}), array<std::complex<double>>(fft::fft(longer)), 1);  // the last axis
    expect_near(fft::fftn(x, {-1, 9}, {0, 1}), array<std::complex<double>>(fft::fft2(longer)), 1);
    const array<std::complex<double>> half = fft::rfft(x);
    EXPECT_EQ(fft::irfft(half).shape(), (frit::shape{3, 4}));
    expect_near(fft::irfft(half, 4), array<double>(fft::irfft(half(frit::all, slice(0, 3)))), 1);
    expect_near(fft::irfft(half, 9), array<double>(fft::irfft(frit::pad(half, {{0, 0}, {0, 2}}), 9)), 1);
    EXPECT_EQ(fft::irfftn(half, {3, -1}).shape(), (frit::shape{3, 3}));  // as in NumPy: as many as there are
    EXPECT_EQ(fft::fft(frit::zeros<double>({2, 0}), 3).to_vector(), std::vector<std::complex<double>>(6));
}

// --- dtypes ---

template <class T, class Spectrum>
void expect_dtypes() {
    SCOPED_TRACE(std::string(frit::name_of(frit::dtype_of<T>)));
    using real = typename Spectrum::value_type;
    const array<T> x = frit::cast<T>(array<int>{1, 0, 1, 1});
    const array<Spectrum> spectrum = fft::fft(x);
    const array<real> back = fft::irfft(x, 6);
    static_assert(std::is_same_v<decltype(fft::fft(x)), frit::composed<frit::dtype_of<Spectrum>>>);
    EXPECT_EQ(spectrum.to_vector(), (std::vector<Spectrum>{{3, 0}, {0, 1}, {1, 0}, {0, -1}}));
    EXPECT_EQ(back.size(), 6);
    EXPECT_EQ(fft::rfft(any_array(x)).dtype(), frit::dtype_of<Spectrum>);
    EXPECT_EQ(fft::hfft(any_array(x)).dtype(), frit::dtype_of<real>);
    const array<T> shifted = fft::fftshift(x);
    EXPECT_EQ(frit::cast<int>(shifted).to_vector(), (std::vector{1, 1, 1, 0}));
}

TEST_F(Fft, Dtypes) {
    expect_dtypes<bool, std::complex<double>>();
    expect_dtypes<std::int8_t, std::complex<double>>();
    expect_dtypes<std::uint64_t, std::complex<double>>();
    expect_dtypes<frit::half, std::complex<float>>();
    expect_dtypes<frit::bfloat16, std::complex<float>>();
    expect_dtypes<float, std::complex<float>>();
    expect_dtypes<double, std::complex<double>>();
    const any_array z(noise_of<std::complex<float>>({3, 4}, 12));
    EXPECT_EQ(fft::fftn(z).dtype(), frit::dtype::c64);
    EXPECT_EQ(fft::irfft2(z).dtype(), frit::dtype::f32);
    const any_array same = fft::ifft2(z, {4, 5}, {1, 0}, fft::ortho);
    const array<std::complex<float>> typed = fft::ifft2(z.as<std::complex<float>>(), {4, 5}, {1, 0}, fft::ortho);
    EXPECT_EQ(same.as<std::complex<float>>().to_vector(), typed.to_vector());
}

// --- layouts ---

TEST_F(Fft, AnyLayout) {
    const auto check = [](const auto& view) {
        const auto dense = array<std::complex<double>>(view * 1.0);
        for (const int axis : {0, 1, 2})
            expect_near(fft::fft(view, none, axis), array<std::complex<double>>(fft::fft(dense, none, axis)), 1);
        expect_near(fft::fft2(view), array<std::complex<double>>(fft::fft2(dense)), 1);
        expect_near(fft::fft2(view, none, {2, 0}), array<std::complex<double>>(fft::fft2(dense, none, {0, 2})), 2);
        expect_near(fft::fftn(view), array<std::complex<double>>(fft::fftn(dense)), 1);
        expect_near(fft::irfftn(view), array<double>(fft::irfftn(dense)), 1);
        expect_near(fft::rfft2(real(view), none, {1, 0}), array<std::complex<double>>(fft::rfft2(real(dense), none, {1, 0})),
                    1);
    };
    const auto z = noise_of<std::complex<double>>({6, 9, 8}, 13);
    check(z);
    check(z.T());
    check(frit::transpose(z, {1, 0, 2}));
    check(z(slice(1, 6, 2), slice(2, none), slice(3, none)));
    check(z(slice(none, none, -1), frit::all, slice(none, none, -1)));
    check(frit::broadcast_to(z(0), {4, 9, 8}));
    check(frit::broadcast_to(z(frit::all, slice(0, 1), frit::all), {6, 5, 8}));
    const auto x = noise_of<float>({5, 33}, 14);  // rows begin at any float
    for (const int from : {0, 1, 2, 3}) {
        const array<float> dense = x(frit::all, slice(from, from + 21)) + 0.0F;
        expect_near(fft::rfft(x(frit::all, slice(from, from + 21))), array<std::complex<float>>(fft::rfft(dense)), 1);
        expect_near(fft::rfft(x(frit::all, slice(from, from + 21)), none, 0),
                    array<std::complex<float>>(fft::rfft(dense, none, 0)), 1);
    }
}

/// Memory of the caller's begins at any element, which FFTW cares for.
TEST_F(Fft, MemoryOfOthers) {
    for (const std::int64_t n : {5, 64, 600, 1025})
        for (const std::int64_t rows : {1, 3, 8})
            for (const std::size_t from : {0U, 1U, 2U, 3U}) {
                const auto count = static_cast<std::size_t>(rows * n);
                const std::vector<float> x = noise<float>(count + 4, 31);
                const std::vector<std::complex<float>> z = noise<std::complex<float>>(count + 4, 32);
                const std::shared_ptr<int> owner;
                const array<float> real = frit::borrow(x.data() + from, {rows, n}, owner);
                const array<std::complex<float>> complex = frit::borrow(z.data() + from, {rows, n}, owner);
                expect_near(fft::rfft(real), array<std::complex<float>>(fft::rfft(real + 0.0F)), 3);
                expect_near(fft::ifft(complex), array<std::complex<float>>(fft::ifft(complex + 0.0F)), 3);
                std::vector<std::complex<float>> to(count + 4, 7);
                frit::eval_into(frit::out(to.data() + from, {rows, n}), fft::fft(complex));
                EXPECT_EQ(to[from + count], std::complex<float>(7));
                expect_near(array<std::complex<float>>(frit::from_host(to)(slice(from, from + count))),
                            array<std::complex<float>>(fft::fft(complex + 0.0F).reshape({-1})), 3);
            }
}

TEST_F(Fft, ScratchMemory) {
    if (on_gpu() || !frit::detail::has_fftw(frit::dtype::f64)) return;
    const auto z = frit::zeros<std::complex<double>>({1 << 16}).eval();
    EXPECT_EQ(frit::make_plan(fft::fft(z)).peak_bytes(), (1 << 16) * 16);  // the result alone
    EXPECT_LE(frit::make_plan(fft::fft2(z.reshape({256, 256}))).peak_bytes(),
              (1 << 16) * 16 * 4);  // a block of columns for each task
}

TEST_F(Fft, BatchesOfShortAndLongLines) {
    for (const std::int64_t n : {1, 2, 3, 8, 13, 64, 521, 600})
        for (const std::int64_t rows : {1, 7, 8, 64, 131}) {
            SCOPED_TRACE(std::to_string(rows) + " rows of " + std::to_string(n));
            const auto z = noise_of<std::complex<float>>({rows, n}, 15);
            const array<std::complex<float>> all = fft::fft(z), turned = fft::fft(z.T(), none, 0);
            const std::int64_t row = rows / 2;
            expect_near(all(row), array<std::complex<float>>(fft::fft(z(row))), 4);
            expect_near(all.T(), turned, 4);
            expect_near(fft::irfft(all, n + 3), array<float>(fft::irfft(turned, n + 3, 0).T()), 4);
        }
}

TEST_F(Fft, ThreadsDoNotChangeBits) {
    frit::detail::thread_pool& pool = frit::detail::thread_pool::instance();
    const int before = pool.size();
    const auto x = noise_of<double>({240, 500}, 16);
    std::vector<std::vector<double>> results;
    for (const int threads : {1, 4}) {
        pool.resize(threads);
        results.push_back(fft::irfft2(fft::rfft2(x) * 2.0).to_vector());
    }
    pool.resize(before);
    EXPECT_EQ(results[0], results[1]);
}

TEST_F(Fft, EdgesOfShapes) {
    EXPECT_EQ(fft::fft(frit::zeros<float>({0, 3})).shape(), (frit::shape{0, 3}));
    EXPECT_EQ(fft::rfft(frit::zeros<float>({0, 3})).to_vector().size(), 0U);
    EXPECT_EQ(fft::fft2(frit::zeros<float>({2, 0, 3, 4}), none, {0, 2}).shape(), (frit::shape{2, 0, 3, 4}));
    EXPECT_EQ(fft::irfft2(frit::zeros<std::complex<float>>({0, 3, 4})).to_vector().size(), 0U);
    EXPECT_EQ(fft::fft(array<double>{5}).to_vector(), (std::vector<std::complex<double>>{5}));
    EXPECT_EQ(fft::irfft(array<double>{5}, 1).to_vector(), std::vector<double>{5});
    EXPECT_EQ(fft::fftn(frit::ones<double>({1, 1, 1})).to_vector(), (std::vector<std::complex<double>>{1}));
    const array<double> column = noise_of<double>({5, 1}, 17);
    expect_near(fft::fft2(column), array<std::complex<double>>(fft::fft(column, none, 0)), 2);
}

// --- what they take ---

TEST_F(Fft, CallsAndKernels) {
    const auto z = noise_of<std::complex<double>>({16, 12}, 18), h = noise_of<std::complex<double>>({16, 12}, 19);
    const auto x = noise_of<double>({16, 12}, 20);
    EXPECT_EQ(planned(fft::fft(z)), (step_counts{0, 1}));
    EXPECT_EQ(planned(fft::rfft(x)), (step_counts{0, 1}));
    EXPECT_EQ(planned(fft::fft2(z)), (step_counts{0, 1}));
    EXPECT_EQ(planned(fft::fft(z, none, 0)), (step_counts{1, 1}));  // its axes are put back
    EXPECT_EQ(planned(fft::irfft2(z, none, {-2, -1}, fft::forward)), (step_counts{0, 1}));
    EXPECT_EQ(planned(fft::fft(x)), (step_counts{1, 1}));  // it becomes complex
    EXPECT_EQ(planned(fft::ifft(fft::fft(z) * h)), (step_counts{1, 2}));
    EXPECT_EQ(planned(fft::irfft2(fft::rfft2(x) * h(frit::all, slice(0, 7)))), (step_counts{1, 2}));
    EXPECT_EQ(planned(abs(fft::rfft(x * 3.0))), (step_counts{2, 1}));
    EXPECT_EQ(planned(fft::fftn(noise_of<std::complex<float>>({2, 3, 4, 5}, 21))).calls, 2U);
    const array<std::complex<double>> forward = fft::fft(z), backward = fft::ifft(z, none, -1, fft::forward);
    EXPECT_EQ(planned(forward, backward), (step_counts{0, 2}));  // of one operand, and two calls all the same
    frit::eval(forward, backward);
    expect_near(forward(frit::all, slice(1, none)),
                array<std::complex<double>>(frit::flip(backward(frit::all, slice(1, none)), 1)), 4);
    frit::reset_stats();
    fft::ifft(fft::fft(z) * h).to_vector();
    EXPECT_EQ(frit::stats().library_calls, 2U);
    EXPECT_EQ(frit::stats().kernels_launched, 1U);
    const frit::counters before = frit::stats();
    const array<std::complex<double>> lazy = fft::fft(z);
    EXPECT_EQ(frit::stats().library_calls, before.library_calls);  // until it is asked for
}

TEST_F(Fft, OperandsStayAsTheyAre) {
    const auto z = noise_of<std::complex<double>>({8, 9}, 22);
    const std::vector<std::complex<double>> before = z.to_vector();
    frit::eval(fft::irfft(z), fft::irfft2(z), fft::irfftn(z, {8, 17}), fft::fft2(z));
    array<std::complex<double>> again = z(slice(0, none), frit::all) * 1.0;
    EXPECT_EQ(again.to_vector(), before);
}

TEST_F(Fft, NansAndInfinitiesSpread) {
    const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
    for (const std::int64_t n : {4, 15, 37, 101})
        for (const double bad : {nan, infinity}) {
            array<double> x = frit::ones<double>({2, n});
            x(0, 1) = bad;
            const std::vector<std::complex<double>> spectrum = fft::rfft(x).to_vector();
            const auto length = static_cast<std::size_t>(n / 2 + 1);
            for (std::size_t k = 0; k < length; ++k)
                EXPECT_FALSE(std::isfinite(spectrum[k].real()) && std::isfinite(spectrum[k].imag())) << n << ", " << k;
            for (std::size_t k = length; k < 2 * length; ++k) EXPECT_TRUE(on_gpu() || std::isfinite(spectrum[k].real()));
            EXPECT_FALSE(std::isfinite(fft::irfft(fft::rfft(x), n).to_vector()[0]));
        }
}

// --- errors ---

TEST_F(Fft, Errors) {
    const array<float> x = frit::ones<float>({2, 3});
    const array<std::complex<float>> z = frit::ones<std::complex<float>>({2, 1});
    expect_error<frit::index_error>("fft: axis 2 is out of range", [&] { fft::fft(x, none, 2); });
    expect_error<frit::shape_error>("fft: axis 1 would have 0 elements; shapes (2, 3)", [&] { fft::fft(x, 0); });
    expect_error<frit::shape_error>("ifft: axis 1 would have -1 elements", [&] { fft::ifft(x, -1); });
    expect_error<frit::shape_error>("irfft: axis 1 would have 0 elements; shapes (2, 1)", [&] { fft::irfft(z); });
    expect_error<frit::shape_error>("fft: axis 0 would have 0 elements", [&] { fft::fft(frit::zeros<float>({0})); });
    expect_error<frit::dtype_error>("rfft: takes real numbers; complex64", [&] { fft::rfft(z); });
    expect_error<frit::dtype_error>("ihfft: takes real numbers", [&] { fft::ihfft(any_array(z)); });
    expect_error<frit::index_error>("fft2: axis", [&] { fft::fft2(array<float>{1, 2}); });
    expect_error<frit::index_error>("fftn: axis 1 is named twice", [&] { fft::fftn(x, none, {1, -1}); });
    expect_error<frit::shape_error>("rfft2: 1 lengths for 2 axes", [&] { fft::rfft2(x, {4}); });
    expect_error<frit::index_error>("fftn: there is no axis to transform", [&] { fft::fftn(frit::scalar(1.0)); });
    expect_error<frit::index_error>("fftshift: axis", [&] { fft::fftshift(x, 2); });
    expect_error<frit::shape_error>("fftfreq: takes n of at least 1, not 0", [&] { fft::fftfreq(0); });
}

// --- frequencies, NumPy's figures ---

TEST_F(Fft, Frequencies) {
    EXPECT_EQ(fft::fftfreq(5).to_vector(), (std::vector{0.0, 1 * 0.2, 2 * 0.2, -2 * 0.2, -1 * 0.2}));
    EXPECT_EQ(fft::fftfreq(4, 0.5).to_vector(), (std::vector{0.0, 0.5, -1.0, -0.5}));
    EXPECT_EQ(fft::rfftfreq(4, 0.5).to_vector(), (std::vector{0.0, 0.5, 1.0}));
    EXPECT_EQ(fft::rfftfreq(1).to_vector(), std::vector{0.0});
    const array<float> single = fft::fftfreq<float>(5);
    EXPECT_EQ(single.to_vector(), (std::vector{0.F, 0.2F, 0.4F, -0.4F, -0.2F})) << "rounded once, from double";
    EXPECT_EQ(fft::rfftfreq<float>(4, 0.5).to_vector(), (std::vector{0.F, 0.5F, 1.F}));
    const frit::any_array of_any = fft::fftfreq(4, 0.5, frit::dtype::f16), half = fft::rfftfreq(3, 1, frit::dtype::f32);
    EXPECT_EQ(of_any.dtype(), frit::dtype::f16);
    EXPECT_EQ(frit::cast<float>(of_any).to_vector(), (std::vector<float>{0, 0.5, -1, -0.5}));
    EXPECT_EQ(half.as<float>().to_vector(), (std::vector{0.F, static_cast<float>(1 * (1.0 / 3))}));
    expect_error<frit::dtype_error>("fftfreq: makes real floating numbers", [&] { fft::fftfreq<int>(4); });
    expect_error<frit::dtype_error>("rfftfreq: makes real floating numbers", [&] { fft::rfftfreq(4, 1, frit::dtype::c64); });
    const array<double> odd = fft::fftfreq(5, 0.2), even = fft::fftfreq(6, 0.5);
    EXPECT_EQ(fft::fftshift(even).to_vector()[0], -1.0);
    EXPECT_EQ(fft::ifftshift(fft::fftshift(odd)).to_vector(), odd.to_vector());
    EXPECT_EQ(fft::ifftshift(array<int>{0, 1, 2, 3, 4}).to_vector(), (std::vector{2, 3, 4, 0, 1}));
    EXPECT_EQ(fft::fftshift(array<int>{0, 1, 2, 3, 4}).to_vector(), (std::vector{3, 4, 0, 1, 2}));
    const array<int> grid{{0, 1, 2}, {3, 4, 5}};
    EXPECT_EQ(fft::fftshift(grid).to_vector(), (std::vector{5, 3, 4, 2, 0, 1}));
    EXPECT_EQ(fft::fftshift(grid, 0).to_vector(), (std::vector{3, 4, 5, 0, 1, 2}));
    EXPECT_EQ(fft::ifftshift(grid, {1}).to_vector(), (std::vector{1, 2, 0, 4, 5, 3}));
}

TEST_F(Fft, AsNumPy) {
    const array<double> x{1, 2, 4};
    const auto expect = [](const auto& got, const std::vector<std::complex<double>>& want) {
        EXPECT_LE(distance<double>(widened(got.to_vector()), widened(want)), 3 * allowance());
    };
    expect(fft::fft(x), {7, {-2, 1.7320508075688772}, {-2, -1.7320508075688772}});
    expect(fft::ihfft(x), {2.3333333333333335, {-0.6666666666666666, -0.5773502691896257}});
    expect(fft::hfft(x), {9, -3, 1, -3});
    expect(fft::irfft(x), {2.25, -0.75, 0.25, -0.75});
    expect(fft::irfft(x, 5), {2.6, -0.847213595499958, 0.04721359549995796, 0.04721359549995796, -0.847213595499958});
}

// No transforms, wherever the axis without elements is.
TEST_F(Fft, OfNoRows) {
    const array<double> x = frit::zeros<double>({3, 0, 8});
    const array<std::complex<double>> z = frit::zeros<std::complex<double>>({3, 0, 8});
    EXPECT_EQ(array<std::complex<double>>(frit::fft::rfft(x)).eval().shape(), (frit::shape{3, 0, 5}));
    EXPECT_EQ(array<std::complex<double>>(frit::fft::fft(z)).eval().shape(), (frit::shape{3, 0, 8}));
    EXPECT_EQ(array<std::complex<double>>(frit::fft::fft(z, frit::none, 0)).eval().shape(), (frit::shape{3, 0, 8}));
    EXPECT_EQ(array<double>(frit::fft::irfft(z)).eval().shape(), (frit::shape{3, 0, 14}));
}
}  // namespace
