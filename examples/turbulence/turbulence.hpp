// The 2-D Navier-Stokes equations of an incompressible flow on a square that goes on periodically, w_t + u . grad w = nu
// laplace w for the vorticity w, by Fourier transforms: what this example shows of frit. The scheme is the pseudo-spectral
// one of C. Canuto, M. Y. Hussaini, A. Quarteroni and T. A. Zang, "Spectral Methods: Evolution to Complex Geometries and
// Applications to Fluid Dynamics", Springer 2007, section 3.3: products are formed at points, of the lower two thirds of the
// frequencies, so that none is taken for another; friction is exact, and the rest of a step the Runge-Kutta scheme of
// fourth order.
#pragma once

#include <complex>
#include <frit/frit.hpp>
#include <numbers>

class flow {
public:
    using spectrum = frit::array<std::complex<double>>;

    /// n x n points, 2 pi to a side.
    flow(std::int64_t n, double viscosity, double step) : n_(n), step_(step) {
        kx_ = (static_cast<double>(n) * frit::fft::rfftfreq(n)).eval();
        ky_ = (static_cast<double>(n) * frit::fft::fftfreq(n)).reshape({n, 1}).eval();
        const auto squares = kx_ * kx_ + ky_ * ky_;
        inverse_ = where(squares > 0, 1 / maximum(squares, 1.0), 0.0).eval();
        kept_ = (abs(kx_) < static_cast<double>(n) / 3 && abs(ky_) < static_cast<double>(n) / 3).eval();
        friction_ = exp(-viscosity * step / 2 * squares).eval();
    }

    spectrum from_vorticity(const frit::array<double>& w) const { return where(kept_, frit::fft::rfft2(w), 0.0); }
    frit::array<double> vorticity(const spectrum& w) const { return frit::fft::irfft2(w, {n_, n_}); }

    /// A step: eight library calls, of which four transform four fields at once, and 13 kernels.
    void advance(spectrum& w) const {
        const spectrum a = step_ * advection(w), half = friction_ * (w + a / 2);
        const spectrum b = step_ * advection(half), again = friction_ * w + b / 2;
        const spectrum c = step_ * advection(again), whole = friction_ * (friction_ * w + c);
        const spectrum d = step_ * advection(whole);
        w = friction_ * (friction_ * (w + a / 6) + (b + c) / 3) + d / 6;
        w.eval();
    }

    /// The mean of |u|^2 / 2, and of w^2 / 2.
    double energy(const spectrum& w) const { return half_mean_square(w, inverse_); }
    double enstrophy(const spectrum& w) const {
        return half_mean_square(w, frit::array<double>(where(inverse_ > 0, 1.0, 0.0)));
    }

private:
    /// -u . grad w, where u is (psi_y, -psi_x) and -laplace psi = w.
    spectrum advection(const spectrum& w) const {
        const auto d = [](const auto& k, const auto& f) { return frit::complex(-k * imag(f), k * real(f)); };
        const spectrum stream = inverse_ * w;
        const frit::array<double> at =
            frit::fft::irfft2(stack(0, d(ky_, stream), d(kx_, stream), d(kx_, w), d(ky_, w)), {n_, n_});
        return where(kept_, frit::fft::rfft2(at(1) * at(3) - at(0) * at(2)), 0.0);
    }
    /// Half a spectrum has the others' conjugates for the columns inside.
    double half_mean_square(const spectrum& w, const frit::array<double>& weight) const {
        const auto twice = where(kx_ > 0 && kx_ < static_cast<double>(n_) / 2, 1.0, 0.5);
        const double points = static_cast<double>(n_) * static_cast<double>(n_);
        return sum(twice * weight * (square(real(w)) + square(imag(w)))).item() / (points * points);
    }

    std::int64_t n_;
    double step_;
    frit::array<double> kx_, ky_, inverse_, friction_;
    frit::array<bool> kept_;
};

/// Vortices of random places and signs, about `waves` to a side, of mean square 1.
inline frit::array<double> random_vorticity(std::int64_t n, double waves, std::uint64_t seed) {
    frit::random::generator random(seed);
    const auto kx = static_cast<double>(n) * frit::fft::rfftfreq(n);
    const auto ky = (static_cast<double>(n) * frit::fft::fftfreq(n)).reshape({n, 1});
    const auto k = sqrt(kx * kx + ky * ky) / waves;
    const auto noise = frit::fft::rfft2(random.normal<double>({n, n}, 0, 1));
    const frit::array<double> w = frit::fft::irfft2(noise * (k * k * exp(-k * k)), {n, n});
    return w / sqrt(mean(square(w)));
}
