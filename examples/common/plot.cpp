// How much of each pixel a band covers, and what colour it then has.
#include "plot.hpp"

plot::plot(int width, int height, double low, double high)
    : width_(width), height_(height), low_(low), high_(high), canvas_(frit::ones<double>({height, width, 3})) {}

void plot::band(const frit::array<double>& from, const frit::array<double>& to, const frit::array<double>& colour,
                double opacity) {
    cover(row_of(maximum(from, to)), row_of(minimum(from, to)), colour, opacity);
}

void plot::line(const frit::array<double>& y, const frit::array<double>& colour, double pixels) {
    // In its column a curve goes from half way to its left neighbour to half way to its right one.
    const frit::array<double> row = row_of(y), beside = pad(row, {{1, 1}}, frit::pad_mode::edge);
    const frit::array<double> left = (row + beside(frit::slice(0, -2))) / 2;
    const frit::array<double> right = (row + beside(frit::slice(2, frit::none))) / 2;
    cover(minimum(row, minimum(left, right)) - pixels / 2, maximum(row, maximum(left, right)) + pixels / 2, colour, 1);
}

void plot::cover(const frit::array<double>& top, const frit::array<double>& bottom, const frit::array<double>& colour,
                 double opacity) {
    const frit::array<double> row = frit::arange(static_cast<double>(height_)).reshape({height_, 1});
    const frit::array<double> covered = minimum(bottom, row + 1) - maximum(top, row);
    const frit::array<double> share = opacity * where(covered > 0, minimum(covered, 1), 0);  // NaN is not above 0
    canvas_ += share(frit::all, frit::all, frit::newaxis) * (colour - canvas_);
}

rgb8 plot::picture() const { return {width_, height_, frit::cast<std::uint8_t>(rint(255 * canvas_)).to_vector()}; }
