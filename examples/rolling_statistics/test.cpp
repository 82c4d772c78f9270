// Every statistic against a loop over each window, and against closed forms; that windows are not stored; and the plot's
// canvas, pixel by pixel.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "check.hpp"
#include "plot.hpp"
#include "rolling_statistics.hpp"

namespace {

using numbers = std::vector<double>;

/// The q-quantile of sorted numbers, linear between two of them.
double quantile(const numbers& sorted, double q) {
    const double at = q * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    return std::lerp(sorted[below], sorted[std::min(below + 1, sorted.size() - 1)], at - std::floor(at));
}

void equals_loops(std::int64_t points, std::int64_t window) {
    const frit::array<double> x = random_walk(points, 3);
    const rolling r = roll_along(x, window);
    const numbers series = x.to_vector(), mean = r.mean.to_vector(), deviation = r.deviation.to_vector();
    const numbers least = r.least.to_vector(), most = r.most.to_vector(), median = r.median.to_vector();
    const numbers lower = r.lower.to_vector(), upper = r.upper.to_vector(),
                  other_mean = mean_by_running_sums(x, window).to_vector();
    std::vector<std::int64_t> far;
    double worst = 0, worst_quantile = 0, worst_other = 0;
    int wrong = mean.size() != static_cast<std::size_t>(points - window + 1);
    for (std::size_t i = 0; i < mean.size(); ++i) {
        const auto begin = series.begin() + static_cast<std::ptrdiff_t>(i);
        numbers w(begin, begin + window);
        const double average = std::accumulate(w.begin(), w.end(), 0.0) / static_cast<double>(window);
        double squares = 0;
        for (const double v : w) squares += (v - average) * (v - average);
        const double spread = std::sqrt(squares / static_cast<double>(window));
        if (std::abs(w.back() - average) > 1.5 * spread) far.push_back(static_cast<std::int64_t>(i) + window - 1);
        std::sort(w.begin(), w.end());
        wrong += least[i] != w.front() || most[i] != w.back();
        worst = std::max({worst, std::abs(mean[i] - average), std::abs(deviation[i] - spread)});
        worst_quantile = std::max({worst_quantile, std::abs(median[i] - quantile(w, 0.5)),
                                   std::abs(lower[i] - quantile(w, 0.25)), std::abs(upper[i] - quantile(w, 0.75))});
        worst_other = std::max(worst_other, std::abs(other_mean[i] - average));
    }
    const std::string name = "windows of " + std::to_string(window) + ": ";
    check(wrong == 0, (name + "extrema that differ from the loop's").c_str(), wrong);
    check(worst < 1e-12, (name + "distance of means and deviations").c_str(), worst);
    check(worst_quantile < 1e-13, (name + "distance of medians and quartiles").c_str(), worst_quantile);
    check(worst_other < 1e-11, (name + "distance of means by running sums").c_str(), worst_other);
    check(outliers(x, r, 1.5).to_vector() == far, (name + "outliers, the same as the loop's").c_str(),
          static_cast<double>(far.size()));
}

/// A straight line: each window's middle, and the deviation of as many whole numbers, sqrt((w^2 - 1) / 12).
void closed_forms() {
    constexpr std::int64_t points = 500, window = 25;
    const rolling r = roll_along(frit::arange(static_cast<double>(points)), window);
    const frit::array<double> middle = frit::arange(static_cast<double>(r.mean.size())) + (window - 1) / 2;
    check(array_equal(r.mean, middle) && array_equal(r.median, middle), "mean and median of a line: middles of its windows",
          r.mean(0).item());
    const double off = max(abs(r.deviation - std::sqrt((window * window - 1) / 12.0))).item();
    check(off < 1e-12, "deviation of a line: distance from the closed form", off);

    frit::array<double> spike = frit::zeros<double>({points});
    spike(300) = 1;
    const frit::array<std::int64_t> found = outliers(spike, roll_along(spike, window), 3);
    check(array_equal(found, frit::array<std::int64_t>{300}), "the only outlier of a flat line with a spike", 300);
}

void windows_are_not_stored() {
    constexpr std::uint64_t points = 10'000, window = 50, places = points - window + 1;
    const frit::array<double> x = random_walk(points, 1).eval();
    const rolling r = roll_along(x, window);
    const frit::plan plan = frit::make_plan(r.mean, r.deviation, r.least, r.most);
    check(plan.kernels().size() == 1, "kernels of mean, deviation and extrema", static_cast<double>(plan.kernels().size()));
    check(plan.bytes_read() == 8 * points, "bytes read: the series", static_cast<double>(plan.bytes_read()));
    check(plan.bytes_written() == 4 * 8 * places, "bytes written: four results", static_cast<double>(plan.bytes_written()));
}

/// Three columns of four rows, for values from 0 to 4: a band that covers a half pixel, and a column that has none.
void a_plot_covers_what_it_says() {
    plot p(3, 4, 0, 4);
    p.band({1, 1.5, NAN}, {2, 3, 3}, {1, 0, 0});
    const auto pixel = [picture = p.picture()](std::size_t column, std::size_t row) {
        const std::uint8_t* c = &picture.bytes[3 * (row * 3 + column)];
        return c[0] << 16 | c[1] << 8 | c[2];
    };
    const int expected[4][3] = {{0xffffff, 0xffffff, 0xffffff},
                                {0xffffff, 0xff0000, 0xffffff},
                                {0xff0000, 0xff8080, 0xffffff},
                                {0xffffff, 0xffffff, 0xffffff}};
    int wrong = 0;
    for (std::size_t row = 0; row < 4; ++row)
        for (std::size_t column = 0; column < 3; ++column) wrong += pixel(column, row) != expected[row][column];
    check(wrong == 0, "pixels of a band that are wrong", wrong);

    plot q(2, 4, 0, 4);
    q.line({1, 3}, {0, 0, 1}, 1);  // each column half way to the other, and half a pixel on both sides
    const std::vector<std::uint8_t> bytes = q.picture().bytes;
    const int red[4][2] = {{255, 128}, {128, 0}, {0, 128}, {128, 255}};
    wrong = 0;
    for (std::size_t row = 0; row < 4; ++row)
        for (std::size_t column = 0; column < 2; ++column) wrong += bytes[3 * (row * 2 + column)] != red[row][column];
    check(wrong == 0, "pixels of a line that are wrong", wrong);
}

void run() {
    for (const std::int64_t window : {1, 2, 7, 60}) equals_loops(3000, window);
    closed_forms();
    windows_are_not_stored();
    a_plot_covers_what_it_says();
}

}  // namespace

int main() { return run_checks(run); }
