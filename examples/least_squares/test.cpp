// Coefficients that were put in come out; what is left over is orthogonal to every column; and of the measurements, what is
// known of them: how fast carbon dioxide grew, and how far the seasons go.
#include <cmath>

#include "check.hpp"
#include "least_squares.hpp"

namespace {

double largest(const numbers& x) { return frit::max(frit::abs(x)).item(); }

void coefficients_come_back(const numbers& year) {
    const numbers made{338, 13, 1, -1, 2.5, 0.5, -0.25};
    const fit f = least_squares({year, matmul(columns(year), made)});
    check(largest(f.coefficients - made) < 1e-10, "distance of the coefficients from those that were put in",
          largest(f.coefficients - made));
    check(f.squared_residual.item() < 1e-18, "squares that are left over", f.squared_residual.item());
}

void what_is_left_is_orthogonal(const measurements& m, const fit& f) {
    const numbers left = m.ppm - f.all(m.year);
    const double along = largest(matmul(columns(m.year).T(), left));
    check(along < 1e-8, "largest product of what is left over with a column", along);
    const double squares = sum(left * left).item();
    check(std::abs(f.squared_residual.item() / squares - 1) < 1e-10, "its squares, over lstsq's",
          f.squared_residual.item() / squares);
}

void the_air_over_mauna_loa(const measurements& m, const fit& f) {
    check(m.ppm.size() == 521, "months", static_cast<double>(m.ppm.size()));
    const std::vector<double> c = f.coefficients.to_vector();
    check(std::abs(c[0] - 338) < 1.5, "ppm in 1980, some 338", c[0]);
    check(c[1] > 12 && c[1] < 14, "growth in a decade, some 13", c[1]);
    check(c[2] > 0.5 && c[2] < 1.5, "and it grows", c[2]);
    check(std::abs(std::hypot(c[3], c[4]) - 2.8) < 0.3, "amplitude of the seasons, some 2.8", std::hypot(c[3], c[4]));
    check(std::sqrt(f.squared_residual.item() / 521) < 1, "deviation of the measurements",
          std::sqrt(f.squared_residual.item() / 521));
}

void run() {
    const measurements m = read_measurements(FRIT_EXAMPLE_DATA "/mauna_loa_co2.csv");
    const fit f = least_squares(m);
    coefficients_come_back(m.year);
    what_is_left_is_orthogonal(m, f);
    the_air_over_mauna_loa(m, f);
}

}  // namespace

int main() { return run_checks(run); }
