// Kernels that read rows once, for their own totals and for sums over all rows, run as they are: whole numbers, whose sums
// are exact in any order, of every class of row length and of few rows and many.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/cuda/on_device.hpp"
#include "tests/cuda/row_specs.hpp"
#include "tests/cuda/run_spec.hpp"

namespace {

using namespace frit_test;

class RowsOnceSpecs : public on_device {};

template <class T>
struct matrix_case {
    std::vector<T> x, w, y;
    matrix_case(std::int64_t rows, std::int64_t length) {
        std::uint64_t state = 7;
        const auto fill = [&state](std::vector<T>& v, std::int64_t n, int most) {
            for (std::int64_t k = 0; k < n; ++k) {
                state = state * 6364136223846793005ULL + 1442695040888963407ULL;
                v.push_back(T(static_cast<int>(state >> 40) % (2 * most + 1) - most));
            }
        };
        fill(x, rows * length, 3), fill(w, length, 1), fill(y, rows, 9);
    }
};

/// Lines of sums, one a part, as one.
template <class T>
std::vector<T> added_up(const std::vector<T>& lines, std::size_t length) {
    std::vector<T> sum(length);
    for (std::size_t k = 0; k < lines.size(); ++k) sum[k % length] += lines[k];
    return sum;
}

template <class T>
void check_rows(frit::detail::backend& device, dtype f, std::int64_t rows, std::int64_t length, bool stores, bool wide) {
    SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(length));
    kernel_spec spec = weighted_rows(f, stores).of_length(length);
    if (length % 4 == 0) spec.vector_width = 16 / sizeof(T);
    spec.index64 = wide;
    const matrix_case<T> c(rows, length);
    const auto n = static_cast<std::size_t>(rows), m = static_cast<std::size_t>(length);
    const auto parts = static_cast<std::size_t>(frit::fusion::sum_parts(rows, length, device.target()));
    std::vector<T> sums(m), weights(n), products(n * m);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < m; ++k) weights[i] += c.x[i * m + k] * c.w[k];
        weights[i] -= c.y[i];
        for (std::size_t k = 0; k < m; ++k) sums[k] += products[i * m + k] = c.x[i * m + k] * weights[i];
    }
    std::vector<operand> all{operand_of(c.x, {length, 1}), operand_of(c.w, {0, 1}), operand_of(c.y, {1, 0}),
                             operand_of(std::vector<T>(parts * m, T(std::nan(""))))};
    if (stores) all.push_back(operand_of(std::vector<T>(n * m), {length, 1})), all.push_back(operand_of(std::vector<T>(n)));
    prepared_run run(device, spec, {rows, length}, all);
    for (int again = 0; again < 2; ++again) {
        run.launch();
        EXPECT_EQ(added_up(values_of<T>(run.result(3)), m), sums);
        if (!stores) continue;
        EXPECT_EQ(values_of<T>(run.result(4)), products);
        EXPECT_EQ(values_of<T>(run.result(5)), weights);
    }
}

TEST_P(RowsOnceSpecs, SumsOfWholeNumbers) {
    for (const std::int64_t length : lengths_once)
        for (const std::int64_t rows : {1, 7, 64, 300}) {
            check_rows<float>(*device, dtype::f32, rows, length, false, false);
            check_rows<double>(*device, dtype::f64, rows, length, rows == 7, rows == 7);
            if (rows != 64) check_rows<float>(*device, dtype::f32, rows, length, true, length == 100);
        }
    check_rows<float>(*device, dtype::f32, 3001, 128, false, false);
}

// Of equal elements the first counts, whichever lanes have them.
TEST_P(RowsOnceSpecs, ThePlaceOfTheLargestIsTheFirst) {
    const kernel_spec spec = every_column_sum()[every_column_sum().size() - 2];
    constexpr std::int64_t rows = 131, length = 60;
    std::vector<float> x(rows * length), far(length), sums(length);
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = static_cast<float>(k * 7919 % 11);
    for (std::size_t i = 0; i < rows; ++i) {
        const float* const row = x.data() + i * length;
        const auto first = static_cast<float>(std::max_element(row, row + length) - row);
        for (std::size_t k = 0; k < length; ++k) far[k] += static_cast<float>(k) - first, sums[k] += row[k];
    }
    const auto parts = static_cast<std::size_t>(frit::fusion::sum_parts(rows, length, device->target()));
    const std::vector<float> lines(parts * length);
    prepared_run run(*device, spec, {rows, length}, {operand_of(x, {length, 1}), operand_of(lines), operand_of(lines)}, {},
                     {1, 0});
    run.launch();
    EXPECT_EQ(added_up(values_of<float>(run.result(1)), length), far);
    EXPECT_EQ(added_up(values_of<float>(run.result(2)), length), sums);
}

INSTANTIATE_TEST_SUITE_P(Devices, RowsOnceSpecs, ::testing::Values("interpreted", "emulated", "cuda"),
                         [](const auto& p) { return std::string(p.param); });

}  // namespace
