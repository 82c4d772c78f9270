// Scatters, bins, segments and scans give the same bits however often they run: with one thread and with two, which share
// them, and with other work in between. A sample of the runs; 1,000 of them under ./dev test --all.
#include <gtest/gtest.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
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

constexpr std::int64_t values = 60'000, elements = 701;  // enough to be shared among threads

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
void add_scatters(statements& all, const array<T>& u, const array<int>& i, const array<T>& v) {
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
    all.emplace_back("bincount", [=] { return any_array(bincount(i, v)); });
    if constexpr (!frit::is_complex(frit::dtype_of<T>)) {
        all.emplace_back("scatter_min", [=] { return any_array(scatter_min(u, i, v, 0)); });
        all.emplace_back("scatter_max", [=] { return any_array(scatter_max(u, i, v, 0)); });
        all.emplace_back("segment_min", [=] { return any_array(segment_min(v, i, elements)); });
        all.emplace_back("segment_max", [=] { return any_array(segment_max(v, i, elements)); });
        all.emplace_back("histogram", [=] { return any_array(std::get<0>(histogram(v, 50, 0.9, 1.1, v))); });
        all.emplace_back("histogram of edges", [=] {
            const array<T> edges = frit::cast<T>(frit::linspace(0.9, 1.1, 30));
            return any_array(std::get<0>(histogram(v, edges, v)));
        });
    }
}

template <class T>
void add_scans(statements& all, const array<T>& v) {
    for (const int axis : {0, 1}) {
        const array<T> x = v.reshape({40, values / 40});
        const std::string along = " along axis " + std::to_string(axis);
        all.emplace_back("cumsum" + along, [=] { return any_array(cumsum(x, axis)); });
        all.emplace_back("cumprod" + along, [=] { return any_array(cumprod(x, axis)); });
        all.emplace_back("cummax" + along, [=] { return any_array(cummax(x, axis)); });
        all.emplace_back("cummin" + along, [=] { return any_array(cummin(x, axis)); });
    }
    all.emplace_back("cumsum", [=] { return any_array(cumsum(v)); });
}

template <class T>
void expect_same_bits(T) {
    const array<T> v = frit::cast<T>(1 + frit::sin(arange<double>(values) * 1.7) / 10.0).eval(),
                   u = frit::cast<T>(frit::cos(arange<double>(elements))).eval();
    const array<int> i = frit::cast<int>((arange<std::int64_t>(values) * 7919 * 31) % elements).eval();
    statements all;
    add_scatters(all, u, i, v);
    add_scans(all, v);
    frit::detail::thread_pool& pool = frit::detail::thread_pool::instance();
    const int before = pool.size();
    std::vector<std::vector<std::byte>> first;
    const array<double> other = frit::cos(arange<double>(values)).eval();
    for (int run = 0; run < (frit_test::thorough() ? 1000 : 4); ++run) {
        pool.resize(1 + run % 2);
        for (std::size_t k = 0; k < all.size(); ++k) {
            const std::vector<std::byte> bits = bits_of(all[k].second());
            if (run == 0) {
                first.push_back(bits);
            } else if (bits != first[k]) {
                ADD_FAILURE() << all[k].first << " of " << name_of(frit::dtype_of<T>) << ", run " << run;
                pool.resize(before);
                return;
            }
            if (static_cast<std::size_t>(run) % all.size() == k)
                (void)array<double>(sum(frit::sqrt(other * other) + static_cast<double>(run))).item();
        }
    }
    pool.resize(before);
}

TEST(SameBits, OfEveryScatterHistogramSegmentAndScan) {
    FRIT_SKIP_WITHOUT(scatter_set);
    FRIT_SKIP_WITHOUT(cumsum);
    expect_same_bits(float());
    expect_same_bits(double());
    expect_same_bits(std::complex<float>());
}

}  // namespace
