// Linear algebra on the fake driver: what frit asks of cuSOLVER, by a cuSOLVER that is LAPACK; results against the same
// bounds as the CPU's, in every layout that the calls take, and what is said of matrices without a result.
#include <frit/frit.hpp>

#include <algorithm>
#include <array>
#include <numeric>

#include "src/cpu/lapack.hpp"
#include "tests/cuda/fake/small_kernels.hpp"
#include "tests/cuda/library_checks.hpp"
#include "tests/support/linalg.hpp"

namespace {

using namespace frit_test;
namespace linalg = frit::linalg;
using frit::array;
using frit::op;

class FakeSolver : public SmallKernels {
protected:
    void SetUp() override {
        SmallKernels::SetUp();
        if (!IsSkipped() && !frit::detail::find_lapack()) GTEST_SKIP() << "the fake cuSOLVER needs OpenBLAS";
    }
};

/// Two matrices of a batch, as a call reads them: transposed, or as parts of longer rows.
template <class T>
struct stored_batch {
    std::vector<plain<T>> matrices;
    frit::fusion::call_operand how;
    frit::detail::buffer_ref memory;

    stored_batch(frit::detail::backend& gpu, std::vector<plain<T>> all, bool transposed, std::int64_t gap)
        : matrices(std::move(all)) {
        const std::int64_t m = matrices[0].rows, n = matrices[0].columns, ld = (transposed ? m : n) + gap;
        const std::int64_t distance = ld * (transposed ? n : m);
        std::vector<T> values(matrices.size() * static_cast<std::size_t>(distance), not_a_number<T>());
        for (std::size_t k = 0; k < matrices.size(); ++k) {
            const std::vector<T> dense = (transposed ? matrices[k].transposed() : matrices[k]).values();
            const std::int64_t length = transposed ? m : n;
            for (std::size_t at = 0; at < dense.size(); ++at) {
                const auto i = static_cast<std::int64_t>(at) / length, j = static_cast<std::int64_t>(at) % length;
                values[k * static_cast<std::size_t>(distance) + static_cast<std::size_t>(i * ld + j)] = dense[at];
            }
        }
        how = {frit::dtype_of<T>, frit::shape{static_cast<std::int64_t>(matrices.size()), m, n},
               transposed ? std::vector<std::int64_t>{distance, 1, ld} : std::vector<std::int64_t>{distance, ld, 1}};
        memory = to_device(gpu, values);
    }
};

/// Runs a call that has these operands, and gives its results, one matrix of the batch after the other.
template <class T>
struct gpu_results {
    gpu_results(frit::detail::backend& gpu, std::vector<op> codes, std::vector<const stored_batch<T>*> operands)
        : gpu_(gpu) {
        const auto& of = frit::detail::routine_of(codes[0]);
        begin(of, codes[0], operands);
        std::vector<const frit::shape*> extents;
        for (const auto& x : call.operands) extents.push_back(&x.extents);
        for (const op o : codes) {
            const std::size_t k = frit::library(o).result;
            ask_for(k, frit::library_dtypes_of(o, frit::dtype_of<T>).result,
                    *of.shape_of(static_cast<int>(k), extents, shapes_));
        }
        run(operands);
    }
    /// Of the calls that formulas have in the place of these results on a GPU.
    gpu_results(frit::detail::backend& gpu, const std::vector<op>& codes, const stored_batch<T>& operand) : gpu_(gpu) {
        frit::fusion::graph g;
        const frit::fusion::value_id a = g.add_leaf(frit::dtype_of<T>, operand.how.extents, {});
        for (const op o : codes) (void)frit::detail::routine_of(o).formula(g, o, std::array{a}, gpu.target());
        for (const auto& v : g.values)
            if (v.code == op::call && !call.of) begin(*g.libraries[v.index].of, op::call, {&operand});
        for (const auto& v : g.values)
            if (v.code == op::call) ask_for(g.libraries[v.index].result, v.type, *v.extents);
        run({&operand});
    }
    template <class U>
    std::vector<U> values(std::size_t k) const {
        return from_device<U>(gpu_, memory_[k], static_cast<std::size_t>(call.results[k].extents.size()));
    }
    /// Matrix i of result k.
    plain<T> matrix(std::size_t k, std::int64_t i) const {
        const frit::shape of = call.results[k].extents;
        plain<T> x(of[1], of[2]);
        const std::vector<T> all = values<T>(k);
        for (std::size_t j = 0; j < x.at.size(); ++j)
            x.at[j] = wide_of<T>(all[static_cast<std::size_t>(i) * x.at.size() + j]);
        return x;
    }

    frit::fusion::library_call call;

private:
    void begin(const frit::fusion::library_op& of, op code, const std::vector<const stored_batch<T>*>& operands) {
        call.of = &of;
        call.code = code;
        call.results.resize(static_cast<std::size_t>(of.results));
        memory_.resize(call.results.size());
        for (const auto* x : operands) call.operands.push_back(x->how);
    }
    void ask_for(std::size_t k, frit::dtype type, const frit::shape& extents) {
        call.results[k] = {true, type, extents};
        memory_[k] = gpu_.allocate(static_cast<std::size_t>(extents.size()) * frit::size_of(type));
    }
    void run(const std::vector<const stored_batch<T>*>& operands) {
        std::vector<const void*> from;
        std::vector<void*> to;
        for (const auto* x : operands) from.push_back(x->memory->data);
        for (const auto& m : memory_) to.push_back(m ? m->data : nullptr);
        gpu_.require(call);
        call_with_workspace(gpu_, call, from, to);
    }

    frit::detail::backend& gpu_;
    frit::fusion::shape_set shapes_;
    std::vector<frit::detail::buffer_ref> memory_;
};

/// Calls f with two random matrices in every layout.
template <class T, class F>
void for_each_layout(frit::detail::backend& gpu, std::int64_t m, std::int64_t n, F f) {
    for (const bool transposed : {false, true})
        for (const std::int64_t gap : {0, 3})
            f(stored_batch<T>(gpu, {random_plain<T>(m, n, 1), random_plain<T>(m, n, 2)}, transposed, gap));
}
constexpr std::int64_t large = 33;  // of equations that are cuSOLVER's
constexpr std::pair<std::int64_t, std::int64_t> rectangles[] = {{1, 1}, {1, 4}, {4, 1}, {5, 3}, {3, 5}, {6, 6}};

TEST_F(FakeSolver, CholeskyFactors) {
    for_each_type([&]<class T>(T) {
        for (const bool transposed : {false, true}) {
            const stored_batch<T> a(*gpu, {positive_definite<T>(5, 1), positive_definite<T>(5, 2)}, transposed, 2);
            const gpu_results<T> r(*gpu, {op::cholesky_packed}, {&a});
            for (std::int64_t i = 0; i < 2; ++i) {
                const plain<T> by_columns = r.matrix(0, i);
                plain<T> l = by_columns;
                for (std::int64_t row = 0; row < 5; ++row)
                    for (std::int64_t column = 0; column < 5; ++column)
                        l(row, column) = column > row ? T(0) : by_columns(column, row);
                expect_small(l * l.adjoint() - a.matrices[static_cast<std::size_t>(i)], l, 50, "L L^H");
            }
        }
    });
}

TEST_F(FakeSolver, Equations) {
    for_each_type([&]<class T>(T) {
        for_each_layout<T>(*gpu, large, large, [&](const stored_batch<T>& a) {
            for (const std::int64_t k : {1, 4})
                for_each_layout<T>(*gpu, large, k, [&](const stored_batch<T>& b) {
                    const gpu_results<T> r(*gpu, {op::solve}, {&a, &b});
                    for (std::size_t i = 0; i < 2; ++i)
                        expect_backward_stable(a.matrices[i], r.matrix(0, static_cast<std::int64_t>(i)), b.matrices[i]);
                });
        });
    });
}

TEST_F(FakeSolver, OneMatrixForABatchOfRightSides) {
    const frit::scoped_device on_gpu(frit::device::cuda(0));
    const array<double> a = frit::from_host(std::vector<double>{2, 0, 0, 4}, {2, 2});
    const array<double> b = frit::from_host(std::vector<double>{2, 4, 8, 16, 6, 12}, {3, 2, 1});
    EXPECT_EQ(linalg::solve(a, b).to_vector(), (std::vector<double>{1, 1, 4, 4, 3, 3}));
}

TEST_F(FakeSolver, TriangularEquations) {
    for_each_type([&]<class T>(T) {
        for_each_layout<T>(*gpu, 6, 6, [&](stored_batch<T> a) {
            for (const bool lower : {true, false})
                for (const std::int64_t k : {1, 4})
                    for_each_layout<T>(*gpu, 6, k, [&](const stored_batch<T>& b) {
                        const gpu_results<T> r(*gpu, {lower ? op::solve_lower : op::solve_upper}, {&a, &b});
                        for (std::size_t i = 0; i < 2; ++i) {
                            plain<T> triangle = a.matrices[i];
                            for (std::int64_t row = 0; row < 6; ++row)
                                for (std::int64_t column = 0; column < row; ++column)
                                    triangle(lower ? column : row, lower ? row : column) = 0;
                            expect_backward_stable(triangle, r.matrix(0, static_cast<std::int64_t>(i)), b.matrices[i]);
                        }
                    });
        });
    });
}

TEST_F(FakeSolver, PackedLuFactorsAreTheCpus) {
    for_each_type([&]<class T>(T) {
        for (const auto& [m, n] : rectangles)
            for_each_layout<T>(*gpu, m, n, [&](const stored_batch<T>& a) {
                const gpu_results<T> here(*gpu, {op::lu_packed, op::lu_pivots}, {&a});
                const gpu_results<T> there(frit::detail::cpu_backend(), {op::lu_packed, op::lu_pivots}, {&a});
                EXPECT_EQ(here.template values<T>(0), there.template values<T>(0));
                EXPECT_EQ(here.template values<std::int64_t>(1), there.template values<std::int64_t>(1));
                const gpu_results<T> alone(*gpu, {op::lu_pivots}, {&a});
                EXPECT_EQ(alone.template values<std::int64_t>(1), there.template values<std::int64_t>(1));
            });
    });
}

TEST_F(FakeSolver, CompleteQrFactors) {
    for_each_type([&]<class T>(T) {
        for (const auto& [m, n] : rectangles)
            for_each_layout<T>(*gpu, m, n, [&](const stored_batch<T>& a) {
                const gpu_results<T> r(*gpu, {op::qr_complete_q, op::qr_complete_r}, {&a});
                for (std::int64_t i = 0; i < 2; ++i) {
                    const plain<T> q = r.matrix(0, i), &of = a.matrices[static_cast<std::size_t>(i)];
                    plain<T> upper = r.matrix(1, i);
                    for (std::int64_t row = 0; row < upper.rows; ++row)
                        for (std::int64_t column = 0; column < std::min(row, upper.columns); ++column)
                            upper(row, column) = 0;
                    EXPECT_EQ(q.columns, of.rows);
                    expect_small(q * upper - of, of, of.rows + of.columns, "q r");
                    expect_orthonormal_columns(q);
                }
            });
    });
}

TEST_F(FakeSolver, WhatIsSaidOfEachMatrixIsAResult) {
    const frit::scoped_device on_gpu(frit::device::cuda(0));
    const array<double> a{{{4, 2}, {2, 5}}, {{1, 2}, {2, 1}}, {{0, 0}, {0, 0}}};
    const std::vector<std::int64_t> no_factor{0, 2, 1}, singular{0, 0, 1};
    std::vector<plain<double>> matrices(3, plain<double>(2, 2));
    matrices[0].at = {4, 2, 2, 5};
    matrices[1].at = {1, 2, 2, 1};
    const stored_batch<double> stored(*gpu, matrices, false, 0);
    for (const std::vector<op>& asked :
         {std::vector{op::cholesky_status}, std::vector{op::cholesky_unchecked, op::cholesky_status}})
        EXPECT_EQ(gpu_results<double>(*gpu, asked, stored).values<std::int64_t>(1), no_factor);
    EXPECT_EQ(text_of_error<frit::linalg_error>([&] { gpu->synchronize(); }), "no error");
    EXPECT_EQ(std::get<1>(linalg::inv_ex(a)).to_vector(), singular);
    const array<double> b = frit::ones<double>({4, 2, 1});
    EXPECT_EQ(std::get<1>(linalg::solve_ex(array<double>{{0, 0}, {0, 0}}, b)).to_vector(),
              (std::vector<std::int64_t>{1, 1, 1, 1}));
}

TEST_F(FakeSolver, WhatIsSaidOfLargeMatrices) {
    std::vector<plain<double>> ones(3, plain<double>(large, 1)), matrices(3, plain<double>(large, large));
    for (std::int64_t k = 0; k < large; ++k)
        for (std::size_t i = 0; i < 3; ++i) matrices[i](k, k) = ones[i](k, 0) = 1;
    const stored_batch<double> b(*gpu, ones, false, 0), regular(*gpu, matrices, false, 0);
    matrices[1](4, 4) = 0;
    const stored_batch<double> a(*gpu, matrices, false, 0);
    EXPECT_EQ(gpu_results<double>(*gpu, {op::solve_status}, {&a, &b}).template values<std::int64_t>(1),
              (std::vector<std::int64_t>{0, 5, 0}));
    EXPECT_EQ(gpu_results<double>(*gpu, {op::solve}, {&regular, &b}).template values<double>(0),
              std::vector<double>(3 * large, 1.0));
    const std::string text = text_of_error<frit::linalg_error>([&] {
        const gpu_results<double> x(*gpu, {op::solve}, {&a, &b});
        gpu->synchronize();
    });
    EXPECT_TRUE(text.starts_with("cuda:0: solve: matrix (1) of the batch is singular; shape (3, 33, 33)")) << text;
}

TEST_F(FakeSolver, WhatDoesNotConverge) {
    for_each_type([&]<class T>(T) {
        const plain<T> good = positive_definite<T>(9, 1);
        plain<T> bad = good;
        bad(0, 0) = static_cast<real<T>>(fake_endless);
        const stored_batch<T> a(*gpu, {good, bad, good}, false, 0);
        const std::vector<std::int64_t> said{0, 3, 0};
        const std::pair<op, std::vector<op>> unchecked[] = {
            {op::svd_s, {op::svd_status}},
            {op::svd_s, {op::svd_unchecked_u, op::svd_unchecked_s, op::svd_unchecked_vh, op::svd_status}},
            {op::svd_full_s, {op::svd_full_unchecked_u, op::svd_full_unchecked_s, op::svd_full_status}},
            {op::eigh_values, {op::eigh_status}},
            {op::eigh_values, {op::eigh_unchecked_values, op::eigh_unchecked_vectors, op::eigh_status}}};
        for (const auto& both : unchecked) {
            const op checked = both.first;
            const std::vector<op>& codes = both.second;
            const gpu_results<T> r(*gpu, codes, {&a});
            EXPECT_EQ(r.template values<std::int64_t>(frit::library(codes.back()).result), said);
            EXPECT_EQ(text_of_error<frit::linalg_error>([&] { gpu->synchronize(); }), "no error");
            const std::string text = text_of_error<frit::linalg_error>([&] {
                const gpu_results<T> x(*gpu, {checked}, {&a});
                gpu->synchronize();
            });
            EXPECT_NE(text.find("matrix (1) of the batch has no"), std::string::npos) << text;
        }
    });
}

// Of what has no elements, and of what is a kernel's, nothing can go wrong.
TEST_F(FakeSolver, WhatAlwaysConverges) {
    const std::vector<plain<double>> small(2, positive_definite<double>(3, 1)), none(2, plain<double>(0, 0));
    for (const auto& matrices : {small, none}) {
        const stored_batch<double> a(*gpu, matrices, false, 0);
        for (const op status : {op::svd_status, op::svd_full_status, op::eigh_status}) {
            const gpu_results<double> r(*gpu, {status}, {&a});
            EXPECT_EQ(r.values<std::int64_t>(frit::library(status).result), (std::vector<std::int64_t>{0, 0}));
        }
    }
}

TEST_F(FakeSolver, QrFactors) {
    for_each_type([&]<class T>(T) {
        for (const auto& [m, n] : rectangles)
            for_each_layout<T>(*gpu, m, n, [&](const stored_batch<T>& a) {
                const gpu_results<T> r(*gpu, {op::qr_packed_q, op::qr_packed_r}, {&a});
                for (std::int64_t i = 0; i < 2; ++i) {
                    const plain<T> q = r.matrix(0, i), &of = a.matrices[static_cast<std::size_t>(i)];
                    plain<T> upper = r.matrix(1, i);
                    for (std::int64_t row = 0; row < upper.rows; ++row)
                        for (std::int64_t column = 0; column < row; ++column) upper(row, column) = 0;
                    expect_small(q * upper - of, of, of.rows + of.columns, "q r");
                    expect_orthonormal_columns(q);
                }
            });
    });
}

TEST_F(FakeSolver, SingularValuesAndVectors) {
    for_each_type([&]<class T>(T) {
        for (const auto& [m, n] : {std::pair{9, 9}, {9, 4}, {4, 9}, {9, 1}})
            for_each_layout<T>(*gpu, m, n, [&](const stored_batch<T>& a) {
                for (const bool full : {false, true}) {
                    const std::vector<op> all = full ? std::vector{op::svd_full_u, op::svd_full_s, op::svd_full_vh}
                                                     : std::vector{op::svd_u, op::svd_s, op::svd_vh};
                    const gpu_results<T> r(*gpu, all, {&a});
                    const auto s = r.template values<real<T>>(1);
                    for (std::int64_t i = 0; i < 2; ++i) {
                        const plain<T> u = r.matrix(0, i), vh = r.matrix(2, i),
                                       &of = a.matrices[static_cast<std::size_t>(i)];
                        const auto k = static_cast<std::ptrdiff_t>(s.size() / 2);
                        const std::vector<real<T>> own(s.begin() + i * k, s.begin() + (i + 1) * k);
                        expect_small(u * diagonal<T>(own, u.columns, vh.rows) * vh - of, of, of.rows + of.columns, "u s vh");
                        expect_orthonormal_columns(u);
                        expect_orthonormal_columns(vh.adjoint());
                    }
                    const gpu_results<T> alone(*gpu, {all[1]}, {&a}), right(*gpu, {all[2]}, {&a});
                    const auto values = alone.template values<real<T>>(1);
                    for (std::size_t k = 0; k < s.size(); ++k) EXPECT_NEAR(values[k], s[k], 40 * epsilon<T>());
                    EXPECT_EQ(right.template values<T>(2), r.template values<T>(2));
                }
            });
    });
}

TEST_F(FakeSolver, HermitianEigenvalues) {
    constexpr std::int64_t n = 9;
    for_each_type([&]<class T>(T) {
        for (const bool transposed : {false, true}) {
            const stored_batch<T> a(*gpu, {positive_definite<T>(n, 1), positive_definite<T>(n, 2)}, transposed, 1);
            const gpu_results<T> r(*gpu, {op::eigh_values, op::eigh_vectors}, {&a});
            const auto w = r.template values<real<T>>(0);
            for (std::int64_t i = 0; i < 2; ++i) {
                const plain<T> v = r.matrix(1, i), &of = a.matrices[static_cast<std::size_t>(i)];
                const std::vector<real<T>> own(w.begin() + i * n, w.begin() + (i + 1) * n);
                expect_small(v * diagonal<T>(own, n, n) * v.adjoint() - of, of, n, "v w v^H");
                expect_orthonormal_columns(v);
            }
            const gpu_results<T> alone(*gpu, {op::eigh_values}, {&a});
            const auto values = alone.template values<real<T>>(0);
            for (std::size_t k = 0; k < w.size(); ++k) EXPECT_NEAR(values[k], w[k], 600 * epsilon<T>());
        }
    });
}

template <class T>
plain<std::complex<real<T>>> as_complex(const plain<T>& a) {
    plain<std::complex<real<T>>> c(a.rows, a.columns);
    std::copy(a.at.begin(), a.at.end(), c.at.begin());
    return c;
}

/// The vectors that geev has packed for matrix i of a batch, as complex columns.
template <class T>
plain<std::complex<real<T>>> unpacked(const std::vector<T>& packed, const std::vector<std::complex<real<T>>>& w,
                                      std::int64_t n, std::int64_t i) {
    plain<std::complex<real<T>>> v(n, n);
    const auto at = [&](std::int64_t row, std::int64_t k) {
        return wide_of<T>(packed[static_cast<std::size_t>((i * (n + 2) + k + 1) * n + row)]);
    };
    for (std::int64_t k = 0; k < n; ++k)
        for (std::int64_t row = 0; row < n; ++row) {
            const real<T> sign = w[static_cast<std::size_t>(i * n + k)].imag();
            using wide = std::complex<long double>;
            if constexpr (std::is_same_v<T, real<T>>)
                v(row, k) = sign > 0   ? wide(at(row, k), at(row, k + 1))
                            : sign < 0 ? wide(at(row, k - 1), -at(row, k))
                                       : wide(at(row, k));
            else
                v(row, k) = at(row, k);
        }
    return v;
}

TEST_F(FakeSolver, EigenvaluesOfAnyMatrices) {
    constexpr std::int64_t n = 9;
    for_each_type([&]<class T>(T) {
        using C = std::complex<real<T>>;
        for_each_layout<T>(*gpu, n, n, [&](const stored_batch<T>& a) {
            const gpu_results<T> r(*gpu, {op::eig_values, op::eig_vectors}, a);
            const auto w = r.template values<C>(0);
            const auto packed = r.template values<T>(1);
            ASSERT_EQ(packed.size(), static_cast<std::size_t>(2 * (n + 2) * n));
            for (std::int64_t i = 0; i < 2; ++i) {
                const plain<C> v = unpacked<T>(packed, w, n, i), of = as_complex(a.matrices[static_cast<std::size_t>(i)]);
                const std::vector<C> own(w.begin() + i * n, w.begin() + (i + 1) * n);
                expect_small(of * v - v * diagonal<C>(own, n, n), of, n, "a v - v w");
                for (const std::int64_t edge : {std::int64_t{0}, n + 1})
                    for (std::int64_t k = 0; k < n; ++k)
                        EXPECT_EQ(packed[static_cast<std::size_t>((i * (n + 2) + edge) * n + k)], T(0));
            }
            const gpu_results<T> first(*gpu, {op::eig_values}, a);
            EXPECT_EQ(first.call.results[1].asked, false);
            EXPECT_EQ(first.template values<C>(0), w);
            const gpu_results<T> alone(*gpu, {op::eigvals}, {&a});
            EXPECT_EQ(alone.call.results.size(), 1U);
            const auto values = alone.template values<C>(0);
            for (std::size_t k = 0; k < w.size(); ++k) {
                double nearest = 1e30;
                for (const C& x : w) nearest = std::min(nearest, static_cast<double>(std::abs(x - values[k])));
                EXPECT_LE(nearest, 1e3 * epsilon<T>());
            }
        });
    });
}

TEST_F(FakeSolver, AFactorIsTheSameWithItsStatus) {
    for_each_type([&]<class T>(T) {
        for (const bool transposed : {false, true}) {
            const stored_batch<T> a(*gpu, {positive_definite<T>(5, 1), positive_definite<T>(5, 2)}, transposed, 2);
            const gpu_results<T> plain_factor(*gpu, {op::cholesky_packed}, {&a});
            const gpu_results<T> with_status(*gpu, {op::cholesky_unchecked, op::cholesky_status}, a);
            EXPECT_EQ(with_status.template values<T>(0), plain_factor.template values<T>(0));
            EXPECT_EQ(with_status.template values<std::int64_t>(1), (std::vector<std::int64_t>{0, 0}));
        }
    });
}

TEST_F(FakeSolver, TheOrderOfRowsIsAKernel) {
    constexpr std::int64_t lengths[][2] = {{1, 1}, {2, 0}, {5, 5}, {7, 3}, {130, 130}};  // rows, exchanges
    for (const auto& [m, k] : lengths) {
        frit::fusion::graph g;
        const frit::shape of{3, m, std::max<std::int64_t>(k, 1)};
        const frit::fusion::value_id a = g.add_leaf(frit::dtype::f64, of, {});
        (void)frit::detail::routine_of(op::lu_permutation).formula(g, op::lu_permutation, std::array{a}, gpu->target());
        frit::fusion::library_call call;
        for (const auto& v : g.values)
            if (v.code == op::call) call.of = g.libraries[v.index].of;
        ASSERT_TRUE(call.of);
        call.code = op::call;
        call.operands = {{frit::dtype::i64, frit::shape{3, k}, {k, 1}}};
        call.results = {{true, frit::dtype::i64, frit::shape{3, m}}};
        std::vector<std::int64_t> exchanged, want;
        for (std::int64_t i = 0; i < 3; ++i) {
            std::vector<std::int64_t> rows(static_cast<std::size_t>(m));
            std::iota(rows.begin(), rows.end(), 0);
            for (std::int64_t step = 0; step < k; ++step) {
                exchanged.push_back(step + 1 + (step * 7 + i * 3) % (m - step));
                std::swap(rows[static_cast<std::size_t>(step)], rows[static_cast<std::size_t>(exchanged.back() - 1)]);
            }
            want.insert(want.end(), rows.begin(), rows.end());
        }
        const auto from = to_device(*gpu, exchanged), to = gpu->allocate(want.size() * 8);
        gpu->require(call);
        call_with_workspace(*gpu, call, {from->data}, {to->data});
        EXPECT_EQ(from_device<std::int64_t>(*gpu, to, want.size()), want) << m << " rows, " << k << " exchanges";
    }
}

// --- as users call it: what needs no kernel, since the fake driver runs none ---

TEST_F(FakeSolver, AnEquationIsOneCall) {
    const frit::scoped_device on_gpu(frit::device::cuda(0));
    const array<double> a = frit::from_host(std::vector<double>{3, 1, 1, 2}, {2, 2});
    const array<double> b = frit::from_host(std::vector<double>{9, 8});
    const auto x = linalg::solve(a, b);
    const frit::plan p = frit::make_plan(x);
    EXPECT_EQ(p.kernels().size(), 0U);
    EXPECT_EQ(p.library_calls().size(), 1U);
    EXPECT_NEAR(x.to_vector()[0], 2, 1e-14);
    EXPECT_NEAR(x.to_vector()[1], 3, 1e-14);
}

TEST_F(FakeSolver, WhatHasNoResultIsAnErrorOfTheNextSynchronisation) {
    const frit::scoped_device on_gpu(frit::device::cuda(0));
    const array<float> a = frit::from_host(std::vector<float>{1, 0, 0, 1, 1, 2, 2, 4}, {2, 2, 2});
    const array<float> b = frit::from_host(std::vector<float>{1, 2});
    const array<float> x = linalg::solve(a, b);
    x.eval();
    const std::string text = text_of_error<frit::linalg_error>([&] { (void)x.to_vector(); });
    EXPECT_TRUE(text.starts_with("cuda:0: solve: matrix (1) of the batch is singular; shape (2, 2, 2); float32, in solve("))
        << text;
    EXPECT_TRUE(contains(text, "test_linalg.cpp:")) << text;
    EXPECT_EQ(text_of_error<frit::linalg_error>([&] { gpu->synchronize(); }), "no error") << "it comes once";
}

}  // namespace
