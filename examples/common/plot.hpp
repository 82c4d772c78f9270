// Bands and curves on a canvas, one value for each column of pixels: all that the examples' plots need. What is drawn is a
// formula over all pixels, whose edges are smooth because it says how much of a pixel is covered.
#pragma once

#include <frit/frit.hpp>

#include "pictures.hpp"

class plot {
public:
    /// White; `low` and `high` are the values at the bottom and at the top.
    plot(int width, int height, double low, double high);

    /// Between two values in each column. NaN, here as for lines, leaves a column as it is.
    void band(const frit::array<double>& from, const frit::array<double>& to, const frit::array<double>& colour,
              double opacity = 1);
    /// Through the middles of the columns.
    void line(const frit::array<double>& y, const frit::array<double>& colour, double pixels = 1.5);
    rgb8 picture() const;

private:
    frit::array<double> row_of(const frit::array<double>& y) const { return (high_ - y) * (height_ / (high_ - low_)); }
    void cover(const frit::array<double>& top, const frit::array<double>& bottom, const frit::array<double>& colour,
               double opacity);
    int width_, height_;
    double low_, high_;
    frit::array<double> canvas_;  // rows from the top, columns, red, green and blue
};
