// Kernels of rows on the CPU: sums along and across rows, several passes, reductions of several parts; every engine gives
// the bits of the documented order, for every length and number of rows, layout and number of threads.
#include <string>

#include "tests/support/thorough.hpp"
#include "tests/unit/row_cases.hpp"

namespace {

using namespace cpu_test;
using enum layout;

constexpr schedule_kind schedules[] = {schedule_kind::reduce_inner, schedule_kind::reduce_outer, schedule_kind::reduce_tile};
constexpr std::int64_t lengths[] = {0, 1, 3, 64, 65, 100, 1000, 4096, 5000, 20000};
constexpr std::int64_t row_counts[] = {0, 1, 2, 7, 70, 1000};

class CpuRows : public testing::TestWithParam<cpu_engine> {
protected:
    // The reference takes its time: shapes of at most so many elements.
    template <class F>
    static void each_shape(std::int64_t most, F f) {
        for (const schedule_kind s : schedules)
            for (const std::int64_t length : lengths)
                for (const std::int64_t rows : row_counts)
                    if (rows * length <= most && !HasFatalFailure()) f(s, rows, length);
    }
    /// Whether it has run.
    bool check(row_case& c) { return check(c, frit::detail::machine_isa()); }
    void check_levels(row_case& c) {
        for (const isa_level level : levels()) check(c, level);
    }
    static layout pick(std::int64_t k) { return static_cast<layout>(k % 4); }

private:
    // A kernel takes $CXX a second and LLVM a fifth of that, and they give the same bits: samples of them.
    bool check(row_case& c, isa_level level) {
        const cpu_engine engine = GetParam();
        const std::size_t of = engine == cpu_engine::cxx ? 8 : engine == cpu_engine::jit ? 2 : 1;
        const bool runs = frit_test::sampled(cases_++, of);
        if (runs) c.check(engine, level);
        return runs;
    }
    std::size_t cases_ = 0;
};

row_case sums(schedule_kind s, positions kept, positions reduced, dtype t, op o, layout how, double edges = 0) {
    row_case c(s, std::move(kept), std::move(reduced));
    c.row_store(c.total(o, c.load(t, how, moving::all, edges)), dense);
    return c;
}

TEST_P(CpuRows, Sums) {
    each_shape(25000, [&](schedule_kind s, std::int64_t rows, std::int64_t length) {
        auto c = sums(s, {rows}, {length}, dtype::f32, op::sum, pick(rows + length));
        check_levels(c);
    });
}

TEST_P(CpuRows, EveryPlainReductionAndDtype) {
    int k = 0;
    for (const op o : {op::sum, op::prod, op::min, op::max})
        for (const dtype t : {dtype::f32, dtype::f64, dtype::i32, dtype::i64, dtype::u8, dtype::u64})
            for (const schedule_kind s : schedules)
                for (const std::int64_t length : {5, 100, 5000}) {
                    const bool wide = (o == op::sum || o == op::prod) && !frit::is_float(t);
                    if (wide && frit::sum_dtype(t) != t) continue;
                    auto c = sums(s, {3}, {length}, t, o, pick(++k), 0.1);
                    check(c);
                }
    for (const op o : {op::any, op::all, op::min, op::max})
        for (const schedule_kind s : schedules) {
            auto c = sums(s, {50}, {7}, dtype::bool_, o, pick(++k));
            check(c);
        }
}

TEST_P(CpuRows, ArgminArgmax) {
    int k = 0;
    for (const op o : {op::argmin, op::argmax})
        for (const dtype t : {dtype::f32, dtype::f64, dtype::i32, dtype::u8, dtype::bool_})
            for (const schedule_kind s : schedules)
                for (const auto& [rows, length] : {std::pair{70, 3}, {20, 100}, {3, 1000}, {2, 5000}, {1, 0}, {3, 1}}) {
                    row_case c(s, {rows}, {length});
                    // Few values, hence many ties; half of the floating ones are edges, NaN among them.
                    const std::uint16_t x = c.load(t, pick(++k), moving::all, frit::is_float(t) ? 0.5 : 0);
                    c.row_store(c.total(o, x, c.place()), dense);
                    if (!check(c)) continue;
                    // The rule's meaning, from NumPy's definition: the first NaN, else the first extremum.
                    const std::vector<ref::number> got = c.row_result(0);
                    for (std::int64_t r = 0; r < rows && length > 0; ++r) {
                        std::int64_t best = 0;
                        for (std::int64_t i = 1; i < length; ++i) {
                            const long double b = c.input(0, {r, best}).v, v = c.input(0, {r, i}).v;
                            if (!std::isnan(b) && (std::isnan(v) || (o == op::argmin ? v < b : v > b))) best = i;
                        }
                        ASSERT_EQ(got[static_cast<std::size_t>(r)].v, best) << c.name();
                    }
                }
}

TEST_P(CpuRows, SquareDeviations) {
    each_shape(12000, [&](schedule_kind s, std::int64_t rows, std::int64_t length) {
        row_case c(s, {rows}, {length});
        const dtype t = length % 2 ? dtype::f32 : dtype::f64;
        const std::uint16_t x = c.load(t, pick(length));
        c.fused = rows % 2 == 0;
        c.row_store(c.total(op::square_deviations, x), dense);
        c.row_store(c.total(op::sum, x), gaps);
        if (!check(c)) return;
        const std::vector<ref::number> got = c.row_result(0);
        for (std::int64_t r = 0; r < rows; ++r) {
            long double sum = 0, squares = 0;
            for (std::int64_t i = 0; i < length; ++i) sum += c.input(0, {r, i}).v;
            for (std::int64_t i = 0; i < length; ++i) {
                const long double d = c.input(0, {r, i}).v - sum / static_cast<long double>(length);
                squares += d * d;
            }
            ASSERT_NEAR(static_cast<double>(got[static_cast<std::size_t>(r)].v), static_cast<double>(squares),
                        static_cast<double>(squares) * (t == dtype::f32 ? 2e-6 : 4e-15))
                << c.name();
        }
    });
}

// Overflowing squares become NaN by the rule, wherever a row ends.
TEST_P(CpuRows, SquareDeviationsOfEdges) {
    for (const schedule_kind s : schedules)
        for (const std::int64_t length : {2, 9, 33, 63, 64, 300})
            for (const bool fused : {false, true}) {
                row_case c(s, {40}, {length});
                c.fused = fused;
                c.row_store(c.total(op::square_deviations, c.load(dtype::f32, dense, moving::all, 0.05)), dense);
                check(c);
            }
}

// (x - mean) / sqrt(deviations / n + eps) * scale + shift: totals, row code, then elements.
TEST_P(CpuRows, Standardise) {
    each_shape(12000, [&](schedule_kind s, std::int64_t rows, std::int64_t length) {
        const bool in_place = rows % 2 == 1;
        const layout how = in_place ? dense : pick(length);
        row_case c(s, {rows}, {length});
        const auto f = dtype::f32;
        const std::uint16_t x = c.load(f, how), scale = c.load(f, dense, moving::reduced),
                            shift = c.load(f, gaps, moving::kept);
        const std::uint16_t sum = c.total(op::sum, x), deviations = c.total(op::square_deviations, x);
        const std::uint16_t n = c.row(op::scalar, f, c.scalar(f, static_cast<float>(length)));
        const std::uint16_t eps = c.row(op::scalar, f, c.scalar(f, 1e-5f));
        const std::uint16_t mean = c.row(op::div, f, sum, n), variance = c.row(op::div, f, deviations, n);
        const std::uint16_t root = c.row(op::sqrt, f, c.row(op::add, f, variance, eps));
        const std::uint16_t d = c.body(op::sub, f, x, c.body(op::row, f, mean));
        const std::uint16_t y = c.body(op::div, f, d, c.body(op::row, f, root));
        const std::uint16_t z = c.body(op::fma, f, y, scale, shift);
        c.store(z, how, in_place ? std::optional<int>(0) : std::nullopt);
        c.row_store(mean, dense);
        c.row_store(root, backwards);
        check(c);
    });
}

// Softmax's shape with an exact function that is expensive enough to be kept: max, sum of fmod(x - max, c), fmod / sum.
TEST_P(CpuRows, ThreePasses) {
    each_shape(9000, [&](schedule_kind s, std::int64_t rows, std::int64_t length) {
        for (const bool in_place : {false, true}) {
            const layout how = in_place ? dense : pick(rows);
            row_case c(s, {rows}, {length});
            const auto f = dtype::f64;
            const std::uint16_t x = c.load(f, how);
            const std::uint16_t largest = c.total(op::max, x);
            const std::uint16_t d = c.body(op::sub, f, x, c.body(op::row, f, largest));
            const std::uint16_t e = c.body(op::fmod, f, d, c.body(op::scalar, f, c.scalar(f, 1.5)));
            const std::uint16_t sum = c.total(op::sum, e);
            c.store(c.body(op::div, f, e, c.body(op::row, f, sum)), how, in_place ? std::optional<int>(0) : std::nullopt);
            check(c);
        }
    });
}

TEST_P(CpuRows, LongRowsInThreePasses) {
    for (const schedule_kind s : schedules)
        for (const std::int64_t rows : {1, 65}) {
            row_case c(s, {rows}, {rows == 1 ? 40000 : 300});
            const auto f = dtype::f32;
            const std::uint16_t x = c.load(f, dense);
            const std::uint16_t d = c.body(op::sub, f, x, c.body(op::row, f, c.total(op::min, x)));
            const std::uint16_t e = c.body(op::remainder, f, d, c.body(op::row, f, c.total(op::max, d)));
            c.store(c.body(op::sub, f, e, c.body(op::row, f, c.total(op::sum, e))), columns);
            check(c);
        }
}

// An expensive value of the place in the row alone is one scalar for all rows side by side: there is nothing of it to keep.
TEST_P(CpuRows, DearValuesOfThePlaceInTheRow) {
    for (const schedule_kind s : schedules)
        for (const std::int64_t rows : {3, 64, 100})
            for (const std::int64_t length : {2, 5, 300}) {
                row_case c(s, {rows}, {length});
                const auto f = dtype::f32;
                const std::uint16_t x = c.load(f, dense), t = c.load(f, dense, moving::reduced);
                const std::uint16_t weight = c.body(op::fmod, f, t, c.body(op::scalar, f, c.scalar(f, 0.75F)));
                const std::uint16_t y = c.body(op::add, f, x, weight);
                c.store(c.body(op::sub, f, y, c.body(op::row, f, c.total(op::sum, y))), dense);
                check(c);
            }
}

// Row code with memory and coordinates of its own, before the first pass and after the last, and an output in place of one.
TEST_P(CpuRows, RowCode) {
    for (const schedule_kind s : schedules)
        for (const auto& [outer, inner, length] : {std::tuple{1, 5, 9}, {3, 70, 20}, {7, 2, 300}, {2, 3, 5000}, {4, 9, 0}}) {
            row_case c(s, {outer, inner}, {length});
            const auto f = dtype::f32;
            const std::uint16_t x = c.load(f, pick(length));
            const std::uint16_t bias = c.row_load(f, columns), gain = c.row_load(f, backwards);
            const std::uint16_t both = c.row(op::add, f, bias, gain);
            const std::uint16_t number = c.row(op::cast, f, c.coordinate_of(0, false, true));
            const std::uint16_t clamped = c.row(op::cast, f, c.coordinate_of(1, true, true));
            const std::uint16_t first = c.row(op::fma, f, number, clamped, both);
            const std::uint16_t d = c.body(op::sub, f, x, c.body(op::row, f, first));
            const std::uint16_t sum = c.total(op::sum, d), least = c.total(op::min, x);
            c.store(d, gaps);
            c.store(c.body(op::row, f, gain), columns);
            c.row_store(c.row(op::mul, f, sum, gain), columns, 1);  // where bias was read
            c.row_store(c.row(op::sub, f, least, number), dense);
            check(c);
        }
}

TEST_P(CpuRows, DimensionsAndClampedLoads) {
    for (const schedule_kind s : schedules)
        for (const auto& [kept, reduced] : {std::pair<positions, positions>{{4, 5}, {6, 7}},
                                            {{2, 3, 2}, {300}},
                                            {{80}, {3, 2, 5}},
                                            {{2, 100}, {2, 9}},
                                            {{3}, {20, 270}},
                                            {{1, 1}, {1, 1}},
                                            {{3, 2}, {700, 9}}})
            for (int how = 0; how < 4; ++how) {
                row_case c(s, kept, reduced);
                const auto f = dtype::f64;
                const std::uint16_t x = c.load(f, pick(how)), edge = c.load(f, pick(how + 1), moving::all, 0, true);
                const std::uint16_t i = c.body(op::cast, f, c.coordinate_of(kept.size() - 1, true));
                const std::uint16_t j = c.body(op::cast, f, c.coordinate_of(kept.size() + reduced.size() - 1, true));
                const std::uint16_t y = c.body(op::fma, f, x, i, c.body(op::fma, f, edge, j, x));
                c.row_store(c.total(op::sum, y), pick(how + 2));
                c.row_store(c.total(op::argmax, y, c.place()), pick(how + 3));
                c.store(y, pick(how + 1));
                check(c);
            }
}

// sum over j of |x_i - y_j|, and with three outputs of one pass.
TEST_P(CpuRows, Pairwise) {
    for (const schedule_kind s : schedules)
        for (const auto& [n, m] : {std::pair{5, 7}, {70, 300}, {1500, 5}, {3, 5000}}) {
            row_case c(s, {n}, {m});
            const auto f = dtype::f32;
            const std::uint16_t x = c.load(f, dense, moving::kept), y = c.load(f, dense, moving::reduced);
            const std::uint16_t d = c.body(op::abs, f, c.body(op::sub, f, x, y));
            c.row_store(c.total(op::sum, d), dense);
            c.row_store(c.total(op::argmin, d, c.place()), dense);
            c.row_store(c.total(op::max, y), dense);
            check(c);
        }
}

// Reductions of several parts over a whole array.
TEST_P(CpuRows, OneRowOfEverything) {
    for (const positions& extents : {positions{0}, {1}, {63}, {5000}, {70000}, {30, 7}, {5, 1000}})
        for (const layout how : {dense, gaps}) {
            row_case c(schedule_kind::reduce_all, {}, extents);
            const std::uint16_t x = c.load(dtype::f32, how, moving::all, 0.01);
            c.fused = how == dense;
            c.row_store(c.total(op::argmin, x, c.place()), dense);
            c.row_store(c.row(op::sqrt, dtype::f32, c.total(op::square_deviations, c.load(dtype::f32, how))), dense);
            c.row_store(c.total(op::sum, c.load(dtype::f64, how)), dense);
            check_levels(c);
        }
}

// Nothing moves but the stores: values of scalars alone, and of row values alone.
TEST_P(CpuRows, Constants) {
    for (const schedule_kind s : schedules)
        for (const std::int64_t length : {0, 5, 300}) {
            row_case c(s, {70}, {length});
            const auto f = dtype::f32;
            const std::uint16_t one = c.body(op::scalar, f, c.scalar(f, 0.1f));
            const std::uint16_t sum = c.total(op::sum, one);
            const std::uint16_t again = c.total(op::sum, c.body(op::row, f, sum));
            c.store(c.body(op::row, f, again), dense);
            c.row_store(again, dense);
            check(c);
        }
}

INSTANTIATE_TEST_SUITE_P(Engines, CpuRows, testing::ValuesIn(engines()), [](const auto& engine) {
    return std::string(engine.param == cpu_engine::interpreter ? "Interpreted"
                       : engine.param == cpu_engine::cxx       ? "Compiled"
                                                               : "ThroughLlvm");
});

}  // namespace
