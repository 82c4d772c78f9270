// Many small matrices on a GPU, one launch a call: kernels of our own, run in the emulator in the place of the fake driver's
// launches. Every size and dtype that they take, layouts and batches, matrices that are hard and those that have no result.
#include <frit/frit.hpp>

#include <cmath>

#include "tests/cuda/fake/small_kernels.hpp"
#include "tests/cuda/library_checks.hpp"
#include "tests/support/linalg.hpp"
#include "tests/support/thorough.hpp"

namespace {

using namespace frit_test;
namespace linalg = frit::linalg;
using frit::array;
using frit::op;

class SmallMatrices : public SmallKernels {};

/// Matrices of a batch, one behind the other, row-major.
template <class T>
frit::fusion::call_operand dense(std::int64_t count, std::int64_t m, std::int64_t n) {
    return {frit::dtype_of<T>, frit::shape{count, m, n}, {m * n, n, 1}};
}

template <class T>
std::vector<T> values_of(const std::vector<plain<T>>& all) {
    std::vector<T> values;
    for (const plain<T>& x : all)
        for (const T& v : x.values()) values.push_back(v);
    return values;
}

/// Results of a call with these operands; of one that is not asked for there are none.
template <class T>
struct small_call {
    std::vector<std::vector<T>> results;
    std::vector<std::vector<real<T>>> real_results;
    std::vector<std::int64_t> status;

    std::string error;  ///< what is said of matrices without a result

    small_call(frit::detail::backend& gpu, const std::vector<op>& codes,
               const std::vector<std::pair<frit::fusion::call_operand, std::vector<T>>>& operands) {
        const auto& of = frit::detail::routine_of(codes[0]);
        frit::fusion::library_call c;
        c.of = &of;
        c.code = codes[0];
        c.results.resize(static_cast<std::size_t>(of.results));
        std::vector<frit::detail::buffer_ref> memory;
        std::vector<const void*> from;
        std::vector<const frit::shape*> extents;
        for (const auto& [how, values] : operands) {
            c.operands.push_back(how);
            memory.push_back(to_device(gpu, values));
            from.push_back(memory.back()->data);
        }
        for (const auto& x : c.operands) extents.push_back(&x.extents);
        std::vector<void*> to(c.results.size());
        std::vector<frit::detail::buffer_ref> made(c.results.size());
        frit::fusion::shape_set shapes;
        for (const op o : codes) {
            const std::size_t k = frit::library(o).result;
            c.results[k] = {true, frit::library_dtypes_of(o, frit::dtype_of<T>).result,
                            *of.shape_of(static_cast<int>(k), extents, shapes)};
            made[k] = gpu.allocate(static_cast<std::size_t>(c.results[k].extents.size()) * frit::size_of(c.results[k].type));
            to[k] = made[k]->data;
        }
        gpu.require(c);
        call_with_workspace(gpu, c, from, to);
        error = text_of_error<frit::linalg_error>([&] { gpu.synchronize(); });
        results.resize(made.size());
        real_results.resize(made.size());
        for (std::size_t k = 0; k < made.size(); ++k) {
            if (!made[k]) continue;
            const auto count = static_cast<std::size_t>(c.results[k].extents.size());
            if (c.results[k].type == frit::dtype::i64)
                status = from_device<std::int64_t>(gpu, made[k], count);
            else if (c.results[k].type == frit::dtype_of<T>)
                results[k] = from_device<T>(gpu, made[k], count);
            if (c.results[k].type == frit::dtype_of<real<T>>) real_results[k] = from_device<real<T>>(gpu, made[k], count);
        }
    }
    plain<T> matrix(std::size_t k, std::int64_t i, std::int64_t m, std::int64_t n) const {
        plain<T> x(m, n);
        for (std::size_t j = 0; j < x.at.size(); ++j)
            x.at[j] = wide_of<T>(results[k][static_cast<std::size_t>(i * m * n) + j]);
        return x;
    }
};

/// By powers of two, rows and columns: norms of very different sizes in one matrix.
template <class T>
plain<T> graded(plain<T> a, int by) {
    for (std::int64_t i = 0; i < a.rows; ++i)
        for (std::int64_t j = 0; j < a.columns; ++j)
            a(i, j) *= static_cast<real<T>>(std::ldexp(1.0, -by * static_cast<int>(i + j)));
    return a;
}

// --- equations ---

template <class T>
void check_solutions(frit::detail::backend& gpu, std::int64_t n, std::int64_t k) {
    const std::vector<plain<T>> a{random_plain<T>(n, n, 1), graded(random_plain<T>(n, n, 2), 1), random_plain<T>(n, n, 3)};
    std::vector<plain<T>> b;
    for (unsigned i = 0; i < 3; ++i) b.push_back(random_plain<T>(n, k, 10 + i));
    const int before = fake().launches;
    const small_call<T> r(gpu, {op::solve}, {{dense<T>(3, n, n), values_of(a)}, {dense<T>(3, n, k), values_of(b)}});
    EXPECT_EQ(fake().launches, before + 1);
    for (std::int64_t i = 0; i < 3; ++i)
        expect_backward_stable(a[static_cast<std::size_t>(i)], r.matrix(0, i, n, k), b[static_cast<std::size_t>(i)]);
    EXPECT_EQ(r.error, "no error");
}

TEST_F(SmallMatrices, EquationsOfEverySize) {
    for (std::int64_t n = 1; n <= 32; ++n)
        if (sampled(static_cast<std::size_t>(n), 4)) check_solutions<float>(*gpu, n, n % 2 ? 1 : 5);
}
TEST_F(SmallMatrices, EquationsOfEveryType) {
    for_each_type([&]<class T>(T) {
        for (const std::int64_t n : {1, 3, 8, 16, 17, 32})
            if (sampled(static_cast<std::size_t>(n), 2)) check_solutions<T>(*gpu, n, n == 8 ? 1 : 3);
    });
}

TEST_F(SmallMatrices, AProductWithTheInverseNeedsAllItsColumns) {
    constexpr std::int64_t n = 9;
    const plain<double> a = random_plain<double>(n, n, 1), one = identity<double>(n);
    const small_call<double> r(*gpu, {op::solve},
                               {{dense<double>(1, n, n), a.values()}, {dense<double>(1, n, n), one.values()}});
    expect_backward_stable(a, r.matrix(0, 0, n, n), one);
}

TEST_F(SmallMatrices, OneThatIsSingularIsNamedAndTheOthersAreSolved) {
    constexpr std::int64_t n = 5, count = 40;
    std::vector<plain<float>> a, b;
    for (unsigned i = 0; i < count; ++i) {
        a.push_back(random_plain<float>(n, n, i));
        b.push_back(random_plain<float>(n, 1, 100 + i));
    }
    for (const std::size_t i : {31U, 17U})
        for (std::int64_t j = 0; j < n; ++j) a[i](j, 2) = 0;
    a[3](0, 0) = std::numeric_limits<float>::quiet_NaN();
    for (std::int64_t j = 0; j < n; ++j) a[4](j, 0) = 0;  // and that would be singular if it were finite
    a[4](2, 3) = a[5](0, 1) = std::numeric_limits<float>::infinity();
    const std::pair<frit::fusion::call_operand, std::vector<float>> left{dense<float>(count, n, n), values_of(a)},
        right{dense<float>(count, n, 1), values_of(b)};
    const small_call<float> r(*gpu, {op::solve}, {left, right});
    EXPECT_TRUE(r.error.starts_with("cuda:0: solve: matrix (17) of the batch is singular; shape (40, 5, 5); float32"))
        << r.error;
    EXPECT_EQ(text_of_error<frit::linalg_error>([&] { gpu->synchronize(); }), "no error") << "it comes once";
    const auto is_nan = [&](std::size_t i) { return std::isnan(r.results[0][i * n]); };
    for (std::size_t i = 0; i < count; ++i) {
        const bool strange = (i >= 3 && i <= 5) || i == 17 || i == 31;
        EXPECT_EQ(is_nan(i), strange) << i;
        if (!strange) expect_backward_stable(a[i], r.matrix(0, static_cast<std::int64_t>(i), n, 1), b[i]);
    }

    const small_call<float> with_status(*gpu, {op::solve_unchecked, op::solve_status}, {left, right});
    const small_call<float> alone(*gpu, {op::solve_status}, {left, right});
    EXPECT_EQ(with_status.error, "no error");
    std::vector<std::int64_t> want(count);
    want[17] = want[31] = 3;
    EXPECT_EQ(with_status.status, want);
    EXPECT_EQ(alone.status, want);
}

TEST_F(SmallMatrices, PivotsAreNeeded) {
    const std::vector<double> a{0, 1, 2, 0, 0, 3, 4, 5, 6}, b{1, 2, 3};  // without an exchange: a division by 0
    const small_call<double> r(*gpu, {op::solve}, {{dense<double>(1, 3, 3), a}, {dense<double>(1, 3, 1), b}});
    EXPECT_NEAR(r.results[0][2], 2.0 / 3, 1e-15);
    EXPECT_NEAR(r.results[0][1], 1 - 4.0 / 3, 1e-15);
    EXPECT_NEAR(4 * r.results[0][0] + 5 * r.results[0][1] + 6 * r.results[0][2], 3, 1e-14);
}

// Few matrices fill a GPU by their right sides: each part of them is a group's, with its own factors of the matrix.
TEST_F(SmallMatrices, RightSidesAreSharedOut) {
    using frit::detail::cuda::parts_of_sides;
    EXPECT_EQ(parts_of_sides(1, 1), 1);
    EXPECT_EQ(parts_of_sides(1, 64), 1);
    EXPECT_EQ(parts_of_sides(1, 1000), 16);
    EXPECT_EQ(parts_of_sides(1, 10'000'000), 16384);
    EXPECT_EQ(parts_of_sides(4096, 1000), 4);
    EXPECT_EQ(parts_of_sides(100'000, 1000), 1);
    const auto check = [&](std::int64_t n, std::int64_t count, std::int64_t k, unsigned blocks) {
        std::vector<plain<double>> a, b, first;
        for (unsigned i = 0; i < count; ++i) {
            a.push_back(random_plain<double>(n, n, i));
            b.push_back(random_plain<double>(n, k, 10 + i));
            first.emplace_back(n, 3);
            for (std::int64_t row = 0; row < n; ++row)
                for (std::int64_t j = 0; j < 3; ++j) first[i](row, j) = b[i](row, j == 2 ? k - 1 : j);
        }
        const std::pair<frit::fusion::call_operand, std::vector<double>> left{dense<double>(count, n, n), values_of(a)};
        const int before = fake().launches;
        const small_call<double> r(*gpu, {op::solve}, {left, {dense<double>(count, n, k), values_of(b)}});
        EXPECT_EQ(fake().launches, before + 1);
        EXPECT_EQ(fake().grid[0], blocks) << n << " " << k;
        EXPECT_EQ(fake().block[0], 128U);
        const small_call<double> few(*gpu, {op::solve}, {left, {dense<double>(count, n, 3), values_of(first)}});
        for (std::int64_t i = 0; i < count; ++i) {
            const plain<double> x = r.matrix(0, i, n, k), x3 = few.matrix(0, i, n, 3);
            expect_backward_stable(a[static_cast<std::size_t>(i)], x, b[static_cast<std::size_t>(i)]);
            for (std::int64_t row = 0; row < n; ++row)
                for (std::int64_t j = 0; j < 3; ++j) EXPECT_EQ(x(row, j == 2 ? k - 1 : j), x3(row, j)) << "the same bits";
        }
    };
    check(8, 1, 1000, 1);   // 16 parts, of a block's 16 groups
    check(32, 1, 1000, 4);  // 4 groups
    check(3, 50, 130, 5);   // 3 parts of 50 matrices, 32 groups
}

TEST_F(SmallMatrices, ASingularOneWithManySidesIsToldOnce) {
    constexpr std::int64_t n = 3, k = 200;
    std::vector<plain<double>> a{random_plain<double>(n, n, 1), plain<double>(n, n)};
    const std::pair<frit::fusion::call_operand, std::vector<double>> left{dense<double>(2, n, n), values_of(a)},
        right{dense<double>(2, n, k), std::vector<double>(2 * n * k, 1.0)};
    const small_call<double> r(*gpu, {op::solve_unchecked, op::solve_status}, {left, right});
    EXPECT_EQ(r.status, (std::vector<std::int64_t>{0, 1}));
    for (std::size_t at = 0; at < 2 * n * k; ++at) EXPECT_EQ(std::isnan(r.results[0][at]), at >= n * k) << at;
    const small_call<double> checked(*gpu, {op::solve}, {left, right});
    EXPECT_TRUE(contains(checked.error, "matrix (1) of the batch is singular")) << checked.error;
}

// --- layouts ---

/// A batch of matrices anywhere in memory that is full of numbers.
template <class T>
struct laid_out {
    frit::shape batch;
    std::vector<std::int64_t> distances;  ///< of the batch's axes
    std::int64_t m, n, row, column;       ///< sides, and strides
    std::vector<T> memory;

    laid_out(unsigned seed, const frit::shape& batch_, std::vector<std::int64_t> distances_, std::int64_t m_,
             std::int64_t n_, std::int64_t row_, std::int64_t column_)
        : batch(batch_),
          distances(std::move(distances_)),
          m(m_),
          n(n_),
          row(row_),
          column(column_),
          memory(random_plain<T>(1, 4000, seed).values()) {}

    std::pair<frit::fusion::call_operand, std::vector<T>> operand() const {
        std::vector<std::int64_t> extents(batch.begin(), batch.end()), strides = distances;
        extents.insert(extents.end(), {m, n});
        strides.insert(strides.end(), {row, column});
        return {{frit::dtype_of<T>, frit::shape(std::span<const std::int64_t>(extents)), strides}, memory};
    }
    plain<T> matrix(std::int64_t number) const {
        std::int64_t at = 0;
        for (int axis = batch.rank(); axis-- > 0; number /= batch[axis])
            at += number % batch[axis] * distances[static_cast<std::size_t>(axis)];
        plain<T> x(m, n);
        for (std::int64_t i = 0; i < m; ++i)
            for (std::int64_t j = 0; j < n; ++j)
                x(i, j) = wide_of<T>(memory[static_cast<std::size_t>(at + i * row + j * column)]);
        return x;
    }
};

// Columns after columns, gaps, one matrix for all, one right side for all, and three axes of which none are one.
TEST_F(SmallMatrices, BatchesAsTheyLie) {
    constexpr std::int64_t n = 3;
    const auto check = [&](const frit::shape& batch, const std::vector<std::int64_t>& a_distances,
                           const std::vector<std::int64_t>& b_distances, bool by_columns, int launches) {
        const laid_out<double> a(1, batch, a_distances, n, n, by_columns ? 1 : 4, by_columns ? 4 : 1);
        for (const auto& [row, column] : {std::pair{2, 1}, {1, 3}, {1, 4}, {5, 1}}) {
            const laid_out<double> b(2, batch, b_distances, n, 2, row, column);
            const int before = fake().launches;
            const small_call<double> r(*gpu, {op::solve}, {a.operand(), b.operand()});
            EXPECT_EQ(fake().launches, before + launches);
            for (std::int64_t i = 0; i < batch.size(); ++i)
                expect_backward_stable(a.matrix(i), r.matrix(0, i, n, 2), b.matrix(i));
        }
    };
    for (const bool by_columns : {false, true}) {
        check({50}, {13}, {6}, by_columns, 1);
        check({50}, {0}, {6}, by_columns, 1);
        check({50}, {12}, {0}, by_columns, 1);
        check({4, 10}, {120, 12}, {60, 6}, by_columns, 1);  // one axis
        check({4, 10}, {12, 48}, {60, 6}, by_columns, 1);
        check({3, 4, 5}, {0, 12, 48}, {120, 0, 6}, by_columns, 3);
        check({0}, {12}, {6}, by_columns, 0);
    }
}

TEST_F(SmallMatrices, OneVectorForEveryMatrix) {
    const laid_out<double> a(1, {3, 4, 5}, {0, 12, 48}, 3, 3, 4, 1);
    const plain<double> b = random_plain<double>(3, 1, 2);
    const frit::fusion::call_operand vector{frit::dtype::f64, frit::shape{3}, {1}};
    const int before = fake().launches;
    const small_call<double> r(*gpu, {op::solve}, {a.operand(), {vector, b.values()}});
    EXPECT_EQ(fake().launches, before + 3);
    for (std::int64_t i = 0; i < 60; ++i) expect_backward_stable(a.matrix(i), r.matrix(0, i, 3, 1), b);
}

/// Calls f(batch, distances of its axes, launches).
template <class F>
void for_each_batch(F f) {
    f(frit::shape{20}, std::vector<std::int64_t>{37}, 1);
    f(frit::shape{20}, std::vector<std::int64_t>{0}, 1);
    f(frit::shape{4, 5}, std::vector<std::int64_t>{30, 120}, 1);
    f(frit::shape{3, 4, 5}, std::vector<std::int64_t>{7, 30, 120}, 3);
    f(frit::shape{2, 3, 4, 5}, std::vector<std::int64_t>{1000, 0, 30, 120}, 6);
    f(frit::shape{}, std::vector<std::int64_t>{}, 1);
    f(frit::shape{0}, std::vector<std::int64_t>{30}, 0);
}

template <class T>
void check_layouts_of_svd(frit::detail::backend& gpu, std::int64_t m, std::int64_t n) {
    const std::int64_t k = std::min(m, n);
    for (const auto& [row, column] : {std::pair{5, 1}, {1, 6}})
        for_each_batch([&, row = row, column = column](const frit::shape& batch, const auto& distances, int launches) {
            const laid_out<T> a(3, batch, distances, m, n, row, column);
            const int before = fake().launches;
            const small_call<T> r(gpu, {op::svd_u, op::svd_s, op::svd_vh}, {a.operand()});
            EXPECT_EQ(fake().launches, before + launches);
            for (std::int64_t i = 0; i < batch.size(); ++i) {
                const auto at = r.real_results[1].begin() + i * k;
                const plain<T> of = a.matrix(i), u = r.matrix(0, i, m, k), vh = r.matrix(2, i, k, n);
                expect_small(u * diagonal<T>(std::vector<real<T>>(at, at + k), k, k) * vh - of, of, m + n, "u s vh");
                expect_orthonormal_columns(u);
                expect_orthonormal_columns(vh.adjoint());
            }
        });
}
TEST_F(SmallMatrices, SingularValuesOfBatchesAsTheyLie) {
    check_layouts_of_svd<float>(*gpu, 3, 3);
    check_layouts_of_svd<std::complex<double>>(*gpu, 4, 2);
    check_layouts_of_svd<std::complex<double>>(*gpu, 1, 3);
}

template <class T>
void check_layouts_of_eigh(frit::detail::backend& gpu, std::int64_t n) {
    for (const auto& [row, column] : {std::pair{5, 1}, {1, 6}})
        for_each_batch([&, row = row, column = column](const frit::shape& batch, const auto& distances, int launches) {
            const laid_out<T> a(4, batch, distances, n, n, row, column);
            const int before = fake().launches;
            const small_call<T> r(gpu, {op::eigh_values, op::eigh_vectors}, {a.operand()});
            EXPECT_EQ(fake().launches, before + launches);
            for (std::int64_t i = 0; i < batch.size(); ++i) {
                plain<T> of = a.matrix(i);
                const plain<T> upper = of.adjoint();
                for (std::int64_t p = 0; p < n; ++p) {
                    of(p, p) = wide_of<T>(std::real(of(p, p)));
                    for (std::int64_t q = p + 1; q < n; ++q) of(p, q) = upper(p, q);
                }
                const auto at = r.real_results[0].begin() + i * n;
                const plain<T> v = r.matrix(1, i, n, n);
                expect_small(v * diagonal<T>(std::vector<real<T>>(at, at + n), n, n) * v.adjoint() - of, of, n, "v w v^H");
                expect_orthonormal_columns(v);
            }
        });
}
TEST_F(SmallMatrices, EigenvaluesOfBatchesAsTheyLie) {
    check_layouts_of_eigh<double>(*gpu, 3);
    check_layouts_of_eigh<std::complex<float>>(*gpu, 4);
}

// --- singular values ---

/// Matrices that are hard: of lower rank, zeros, graded, with elements at either end of the exponents.
template <class T>
std::vector<plain<T>> hard_matrices(std::int64_t m, std::int64_t n) {
    const bool wide = std::is_same_v<real<T>, double>;
    std::vector<plain<T>> all{random_plain<T>(m, n, 1), random_plain<T>(m, n, 2), plain<T>(m, n)};
    const auto scaled = [&](unsigned seed, int exponent) {
        plain<T> a = random_plain<T>(m, n, seed);
        for (wide_of<T>& x : a.at) x = wide_of<T>(std::ldexp(1.0L, exponent)) * x;
        return a;
    };
    all.push_back(plain<T>((random_plain<T>(m, 1, 3) * random_plain<T>(1, n, 4)).lazy()));
    all.push_back(graded(random_plain<T>(m, n, 5), 7));
    all.push_back(graded(random_plain<T>(m, n, 6), wide ? 90 : 20));
    all.push_back(scaled(7, wide ? -1000 : -110));
    all.push_back(scaled(8, wide ? 1015 : 120));
    plain<T> ones(m, n), unit(m, n);
    for (wide_of<T>& x : ones.at) x = 1;
    for (std::int64_t i = 0; i < std::min(m, n); ++i) unit(i, i) = i % 2 ? -1 : 1;
    all.push_back(ones);
    all.push_back(unit);
    return all;
}

template <class T>
void check_singular_values(frit::detail::backend& gpu, std::int64_t m, std::int64_t n, bool full) {
    const std::vector<plain<T>> a = hard_matrices<T>(m, n);
    const std::int64_t k = std::min(m, n), count = static_cast<std::int64_t>(a.size());
    const std::vector<op> all =
        full ? std::vector{op::svd_full_u, op::svd_full_s, op::svd_full_vh} : std::vector{op::svd_u, op::svd_s, op::svd_vh};
    const std::pair<frit::fusion::call_operand, std::vector<T>> operand{dense<T>(count, m, n), values_of(a)};
    const int before = fake().launches;
    const small_call<T> r(gpu, all, {operand});
    EXPECT_EQ(fake().launches, before + 1);
    const small_call<T> alone(gpu, {all[1]}, {operand}), right(gpu, {all[2]}, {operand});
    EXPECT_EQ(right.results[2], r.results[2]);
    for (std::int64_t i = 0; i < count; ++i) {
        const plain<T>& of = a[static_cast<std::size_t>(i)];
        const plain<T> u = r.matrix(0, i, m, full ? m : k), vh = r.matrix(2, i, full ? n : k, n);
        const auto at = r.real_results[1].begin() + i * k;
        const std::vector<real<T>> s(at, at + k);
        expect_small(u * diagonal<T>(s, u.columns, vh.rows) * vh - of, of, m + n, "u s vh");
        expect_orthonormal_columns(u);
        expect_orthonormal_columns(vh.adjoint());
        for (std::int64_t j = 0; j < k; ++j) {
            const std::size_t here = static_cast<std::size_t>(i * k + j);
            EXPECT_GE(r.real_results[1][here], 0);
            EXPECT_LE(r.real_results[1][here], r.real_results[1][j > 0 ? here - 1 : here]);
            EXPECT_EQ(alone.real_results[1][here], r.real_results[1][here]) << "without vectors";
        }
    }
}

TEST_F(SmallMatrices, SingularValuesAndVectors) {
    std::size_t k = 0;
    for_each_type([&]<class T>(T) {
        for (const auto& [m, n] : {std::pair{1, 1}, {2, 2}, {3, 3}, {4, 4}, {4, 2}, {1, 3}})
            for (const bool full : {false, true})
                if (sampled(k++, 5)) check_singular_values<T>(*gpu, m, n, full);
    });
    check_singular_values<float>(*gpu, 8, 5, true);
    check_singular_values<double>(*gpu, 5, 5, false);
}

TEST_F(SmallMatrices, WhatIsNotFiniteHasNoValues) {
    for (const double strange : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        std::vector<double> a{1, 2, 3, 4, 5, 6, 7, 8, strange, 1, 0, 0, 0, 1, 0, 0, 0, 1};
        const small_call<double> r(*gpu, {op::svd_u, op::svd_s, op::svd_vh}, {{dense<double>(2, 3, 3), a}});
        const small_call<double> e(*gpu, {op::eigh_values, op::eigh_vectors}, {{dense<double>(2, 3, 3), a}});
        const std::vector<std::vector<double>> all{r.results[0], r.results[2], e.results[1]};
        for (const auto& x : all)
            for (std::size_t k = 0; k < 18; ++k) EXPECT_EQ(std::isnan(x[k]), k < 9) << k;
        for (std::size_t k = 0; k < 6; ++k) {
            EXPECT_EQ(std::isnan(r.real_results[1][k]), k < 3) << k;
            EXPECT_EQ(std::isnan(e.real_results[0][k]), k < 3) << k;
        }
    }
}

// --- eigenvalues ---

template <class T>
void check_eigenvalues(frit::detail::backend& gpu, std::int64_t n) {
    std::vector<plain<T>> a = hard_matrices<T>(n, n);
    for (plain<T>& x : a)
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = 0; j <= i; ++j)
                x(j, i) = i == j ? wide_of<T>(std::real(x(i, i))) : plain<T>(x.adjoint())(j, i);
    std::vector<T> values = values_of(a);
    for (std::size_t at = 0; at < values.size(); ++at) {  // the upper triangle is not read
        const auto place = static_cast<std::int64_t>(at) % (n * n);
        if (place / n < place % n) values[at] = not_a_number<T>();
    }
    const std::int64_t count = static_cast<std::int64_t>(a.size());
    const std::pair<frit::fusion::call_operand, std::vector<T>> operand{dense<T>(count, n, n), values};
    const int before = fake().launches;
    const small_call<T> r(gpu, {op::eigh_values, op::eigh_vectors}, {operand}), alone(gpu, {op::eigh_values}, {operand});
    EXPECT_EQ(fake().launches, before + 2);
    EXPECT_EQ(alone.real_results[0], r.real_results[0]);
    for (std::int64_t i = 0; i < count; ++i) {
        const plain<T>& of = a[static_cast<std::size_t>(i)];
        const plain<T> v = r.matrix(1, i, n, n);
        const auto at = r.real_results[0].begin() + i * n;
        const std::vector<real<T>> w(at, at + n);
        expect_small(v * diagonal<T>(w, n, n) * v.adjoint() - of, of, n, "v w v^H");
        expect_orthonormal_columns(v);
        EXPECT_TRUE(std::is_sorted(w.begin(), w.end()));
    }
}

TEST_F(SmallMatrices, HermitianEigenvalues) {
    std::size_t k = 0;
    for_each_type([&]<class T>(T) {
        for (const std::int64_t n : {1, 2, 3, 4})
            if (sampled(k++, 3)) check_eigenvalues<T>(*gpu, n);
    });
    check_eigenvalues<float>(*gpu, 8);
}

// --- as users call it ---

TEST_F(SmallMatrices, WhatALaunchHas) {
    const frit::scoped_device on_gpu(frit::device::cuda(0));
    const auto a = frit::from_host(random_plain<float>(1000 * 16, 16, 1).values(), {1000, 16, 16});
    const auto b = frit::from_host(random_plain<float>(1000 * 16, 1, 2).values(), {1000, 16, 1});
    fake().program = nullptr;  // what it computes is not asked
    linalg::solve(a, b).eval();
    EXPECT_EQ(name_of_symbol(fake().launched.back()), "small_solve<float, 16, 1, 16, 128>");
    EXPECT_EQ(fake().grid[0], 125U);
    EXPECT_EQ(fake().block[0], 128U);
    const auto x = frit::from_host(random_plain<float>(1000 * 3, 3, 1).values(), {1000, 3, 3});
    const int before = fake().launches;
    linalg::svdvals(x).eval();
    EXPECT_EQ(name_of_symbol(fake().launched.back()), "small_svd<float, 3, 3, false, false, 64>");
    EXPECT_EQ(fake().grid[0], 16U);
    const auto [u, s, vh] = linalg::svd(x);
    frit::eval(u, s, vh);
    EXPECT_EQ(name_of_symbol(fake().launched.back()), "small_svd<float, 3, 3, true, false, 64>");
    EXPECT_EQ(fake().launches, before + 2);
}

}  // namespace
