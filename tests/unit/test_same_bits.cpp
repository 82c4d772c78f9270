// Scatters, bins, segments and scans give the same bits however often they run: with one thread and with two, which share
// them, and with other work in between. A sample of the runs; 1,000 of them under ./dev test --all.
#include <gtest/gtest.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "frit/frit.hpp"
#include "src/base/threads.hpp"
#include "tests/support/libraries.hpp"
#include "tests/support/thorough.hpp"

namespace {

using frit::any_array;
using frit::arange;
using frit::array;

/// How many values meet in how many elements.
struct extent {
    std::int64_t values, elements;
};
// Enough to be shared among threads, and for a GPU's bins: all elements' at once, or those of a bucket; and few values,
// which are sorted by element.
constexpr extent in_bins{70'000, 701}, in_buckets{70'000, 50'000}, in_runs{3000, 50'000};

std::vector<std::byte> bits_of(const any_array& x) {
    std::vector<std::byte> bits(static_cast<std::size_t>(x.size()) * size_of(x.dtype()));
    frit::detail::read(x.handle().get(), bits.data(), {});
    return bits;
}

/// What runs, by name: made anew each time.
using statements = std::vector<std::pair<std::string, std::function<any_array()>>>;

// u is a copy each time: nobody else holds what is written.
template <class T, class Change>
std::function<any_array()> updated(const array<T>& u, Change change) {
    return [=] {
        array<T> changed = u + T(0);
        change(changed);
        return any_array(changed);
    };
}

template <class T>
constexpr double least = std::is_integral_v<T> ? -1000 : 0.9;
template <class T>
constexpr double most = std::is_integral_v<T> ? 1000 : 1.1;
/// From the least to the most. Of floats every sum and product is rounded, so that its bits tell the order.
template <class T>
array<T> numbers(std::int64_t n) {
    const array<double> to_one = frit::sin(arange<double>(n) * 1.7) / 2.0 + 0.5;
    return frit::cast<T>(least<T> + to_one * (most<T> - least<T>)).eval();
}

template <class T>
void add_scatters(statements& all, const array<T>& u, const array<int>& i, const array<T>& v) {
    const std::int64_t elements = u.size();
    all.emplace_back("u(i) = v", updated(u, [=](array<T>& x) { x(i) = v; }));
    all.emplace_back("u(i) += v", updated(u, [=](array<T>& x) { x(i) += v; }));
    all.emplace_back("u(i) -= v", updated(u, [=](array<T>& x) { x(i) -= v; }));
    all.emplace_back("u(i) *= v", updated(u, [=](array<T>& x) { x(i) *= v; }));
    all.emplace_back("u(i) /= v", updated(u, [=](array<T>& x) { x(i) /= v; }));
    all.emplace_back("scatter_add", [=] { return any_array(scatter_add(u, i, v, 0)); });
    all.emplace_back("scatter_mul", [=] { return any_array(scatter_mul(u, i, v, 0)); });
    all.emplace_back("put_along_axis", [=] { return any_array(put_along_axis(u, i, v, 0)); });
    all.emplace_back("segment_sum", [=] { return any_array(segment_sum(v, i, elements)); });
    all.emplace_back("segment_prod", [=] { return any_array(segment_prod(v, i, elements)); });
    all.emplace_back("segment_mean", [=] { return any_array(segment_mean(v, i, elements)); });
    all.emplace_back("bincount", [=] { return any_array(bincount(i)); });
    all.emplace_back("bincount with weights", [=] { return any_array(bincount(i, v)); });
    all.emplace_back("u(i) += 1", updated(u, [=](array<T>& x) { x(i) += 1; }));
    if constexpr (!frit::is_complex(frit::dtype_of<T>)) {
        all.emplace_back("scatter_min", [=] { return any_array(scatter_min(u, i, v, 0)); });
        all.emplace_back("scatter_max", [=] { return any_array(scatter_max(u, i, v, 0)); });
        all.emplace_back("segment_min", [=] { return any_array(segment_min(v, i, elements)); });
        all.emplace_back("segment_max", [=] { return any_array(segment_max(v, i, elements)); });
        all.emplace_back("histogram", [=] { return any_array(std::get<0>(histogram(v, 50, least<T>, most<T>))); });
        all.emplace_back("histogram with weights",
                         [=] { return any_array(std::get<0>(histogram(v, 50, least<T>, most<T>, v))); });
        all.emplace_back("histogram of edges",
                         [=] { return any_array(std::get<0>(histogram(v, frit::linspace(least<T>, most<T>, 30), v))); });
        all.emplace_back("histogram2d", [=] {
            return any_array(std::get<0>(histogram2d(v, v * v, {8, least<T>, most<T>}, {9, 0, most<T> * most<T>})));
        });
    }
}

template <class T>
void add_scans(statements& all, const array<T>& v) {
    for (const int axis : {0, 1}) {
        const array<T> x = v.reshape({40, -1});
        const std::string along = " along axis " + std::to_string(axis);
        all.emplace_back("cumsum" + along, [=] { return any_array(cumsum(x, axis)); });
        all.emplace_back("cumprod" + along, [=] { return any_array(cumprod(x, axis)); });
        all.emplace_back("cummax" + along, [=] { return any_array(cummax(x, axis)); });
        all.emplace_back("cummin" + along, [=] { return any_array(cummin(x, axis)); });
    }
    all.emplace_back("cumsum", [=] { return any_array(cumsum(v)); });
}

template <class T>
void expect_same_bits(extent of) {
    const array<T> v = numbers<T>(of.values), u = numbers<T>(of.elements);
    const array<int> i = frit::cast<int>((arange<std::int64_t>(of.values) * 7919 * 31) % of.elements).eval();
    statements all;
    add_scatters(all, u, i, v);
    if (of.elements == in_bins.elements) add_scans(all, v);
    frit::detail::thread_pool& pool = frit::detail::thread_pool::instance();
    const int before = pool.size();
    std::vector<std::vector<std::byte>> first;
    const array<double> other = frit::cos(arange<double>(of.values)).eval();
    for (int run = 0; run < (frit_test::thorough() ? 1000 : 4); ++run) {
        pool.resize(1 + run % 2);
        for (std::size_t k = 0; k < all.size(); ++k) {
            array<double> before_it = frit::sqrt(other * other) + static_cast<double>(run);
            if ((static_cast<std::size_t>(run) + k) % 3 == 0) before_it.eval();  // a GPU may be at it still
            const std::vector<std::byte> bits = bits_of(all[k].second());
            if (run == 0) {
                first.push_back(bits);
            } else if (bits != first[k]) {
                ADD_FAILURE() << all[k].first << " of " << of.values << " " << name_of(frit::dtype_of<T>) << " at "
                              << of.elements << ", run " << run;
                pool.resize(before);
                return;
            }
        }
    }
    pool.resize(before);
}

TEST(SameBits, OfEveryScatterHistogramSegmentAndScan) {
    FRIT_SKIP_WITHOUT(scatter_set);
    FRIT_SKIP_WITHOUT(cumsum);
    for (const extent& of : {in_bins, in_buckets, in_runs}) expect_same_bits<float>(of);
    expect_same_bits<double>(in_bins);
    expect_same_bits<std::complex<float>>(in_bins);
    expect_same_bits<int>(in_buckets);
}

}  // namespace
