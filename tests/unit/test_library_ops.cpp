// Library ops in the graph: values against plain loops, views absorbed or realised, what fuses around a call, exact counts
// of kernels, calls and bytes, errors where the statement is recorded.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>

#include "frit/frit.hpp"

#include "tests/support/libraries.hpp"

namespace {

std::vector<double> random_values(std::size_t n, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> numbers(-1, 1);
    std::vector<double> v(n);
    for (double& x : v) x = numbers(engine);
    return v;
}

frit::array<double> random_matrix(std::int64_t rows, std::int64_t columns, unsigned seed) {
    return frit::from_host(random_values(static_cast<std::size_t>(rows * columns), seed), {rows, columns});
}

/// The product by plain loops, from evaluated elements.
std::vector<double> product(const frit::array<double>& a, const frit::array<double>& b) {
    const std::vector<double> x = a.to_vector(), y = b.to_vector();
    const auto m = a.shape()[0], k = a.shape()[1], n = b.shape()[1];
    std::vector<double> c(static_cast<std::size_t>(m * n));
    for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j)
            for (std::int64_t p = 0; p < k; ++p)
                c[static_cast<std::size_t>(i * n + j)] +=
                    x[static_cast<std::size_t>(i * k + p)] * y[static_cast<std::size_t>(p * n + j)];
    return c;
}

void expect_near(const std::vector<double>& got, const std::vector<double>& want) {
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t k = 0; k < got.size(); ++k) EXPECT_NEAR(got[k], want[k], 1e-12) << "at " << k;
}

struct step_counts {
    std::size_t kernels, calls;
    friend bool operator==(const step_counts&, const step_counts&) = default;
    friend std::ostream& operator<<(std::ostream& to, const step_counts& c) {
        return to << c.kernels << " kernels, " << c.calls << " calls";
    }
};
template <class... A>
step_counts planned(const A&... x) {
    const frit::plan p = frit::make_plan(x...);
    return {p.kernels().size(), p.library_calls().size()};
}

TEST(Matmul, MatricesAndVectors) {
    FRIT_SKIP_WITHOUT(matmul);
    const auto a = random_matrix(5, 7, 1), b = random_matrix(7, 3, 2);
    const auto c = frit::matmul(a, b);
    EXPECT_EQ(c.shape(), (frit::shape{5, 3}));
    expect_near(c.to_vector(), product(a, b));

    const auto v = frit::from_host(random_values(7, 3));
    const frit::array<double> column = v.reshape({7, 1}), row = v.reshape({1, 7});
    EXPECT_EQ(frit::matmul(a, v).shape(), frit::shape{5});
    expect_near(frit::matmul(a, v).to_vector(), product(a, column));
    EXPECT_EQ(frit::matmul(v, b).shape(), frit::shape{3});
    expect_near(frit::matmul(v, b).to_vector(), product(row, b));
    EXPECT_EQ(frit::matmul(v, v).rank(), 0);
    EXPECT_NEAR(frit::matmul(v, v).item(), product(row, column)[0], 1e-12);
}

TEST(Matmul, EmptyExtents) {
    FRIT_SKIP_WITHOUT(matmul);
    EXPECT_EQ(frit::matmul(frit::zeros<float>({0, 3}), frit::zeros<float>({3, 2})).to_vector().size(), 0U);
    EXPECT_EQ(frit::matmul(frit::ones<float>({2, 0}), frit::ones<float>({0, 2})).to_vector(), std::vector<float>(4, 0.f));
}

TEST(Matmul, Promotes) {
    FRIT_SKIP_WITHOUT(matmul);
    const frit::array<float> a{{1, 2}, {3, 4}};
    const frit::array<double> b{{1, 0}, {0, 1}};
    static_assert(std::is_same_v<decltype(frit::matmul(a, b))::value_type, double>);
    EXPECT_EQ(frit::matmul(a, b).to_vector(), (std::vector<double>{1, 2, 3, 4}));
}

TEST(Matmul, AbsorbsTransposesAndSlices) {
    FRIT_SKIP_WITHOUT(matmul);
    const auto a = random_matrix(6, 4, 1), b = random_matrix(6, 5, 2);
    EXPECT_EQ(planned(frit::matmul(a.T(), b)), (step_counts{0, 1}));
    expect_near(frit::matmul(a.T(), b).to_vector(), product(a.T().eval(), b));
    EXPECT_EQ(planned(frit::matmul(b.T(), a)), (step_counts{0, 1}));
    const auto part = a(frit::slice(1, 4), frit::slice(0, 3));  // three rows of a larger matrix
    const auto right = b(frit::slice(0, 3), frit::all);
    EXPECT_EQ(planned(frit::matmul(part, right)), (step_counts{0, 1}));
    expect_near(frit::matmul(part, right).to_vector(), product(part.eval(), right.eval()));
    // every second column: no stride is 1, so it is put in order first
    const auto spread = a(frit::all, frit::slice(frit::none, frit::none, 2));
    const auto small = random_matrix(2, 3, 4);
    EXPECT_EQ(planned(frit::matmul(spread, small)), (step_counts{1, 1}));
    expect_near(frit::matmul(spread, small).to_vector(), product(spread.eval(), small));
    const auto flipped = frit::flip(a);
    EXPECT_EQ(planned(frit::matmul(flipped.T(), b)), (step_counts{1, 1}));
    expect_near(frit::matmul(flipped.T(), b).to_vector(), product(flipped.T().eval(), b));
    const auto repeated = frit::broadcast_to(random_matrix(1, 4, 5), {6, 4});
    expect_near(frit::matmul(repeated.T(), b).to_vector(), product(repeated.T().eval(), b));
}

TEST(Matmul, NeighboursFuseOnTheirOwnSide) {
    FRIT_SKIP_WITHOUT(matmul);
    const auto a = random_matrix(8, 8, 1), b = random_matrix(8, 8, 2), bias = random_matrix(1, 8, 3);
    const auto y = frit::maximum(frit::matmul(a * 2 + 1, b - a) + bias, 0.0);
    EXPECT_EQ(planned(y), (step_counts{2, 1}));  // both operands, in one pass over a; what follows
    std::vector<double> want = product((a * 2 + 1).eval(), (b - a).eval());
    const std::vector<double> add = bias.to_vector();
    for (std::size_t k = 0; k < want.size(); ++k) want[k] = std::max(want[k] + add[k % 8], 0.0);
    expect_near(y.to_vector(), want);
    const std::string why = frit::explain(y);
    EXPECT_NE(why.find("2 kernels, 1 library call"), std::string::npos) << why;
    EXPECT_NE(why.find("a library runs one of them"), std::string::npos) << why;
}

TEST(Matmul, AnInputThatIsAlsoAResultIsComputedOnce) {
    FRIT_SKIP_WITHOUT(matmul);
    const auto a = random_matrix(8, 8, 1);
    const frit::array<double> y = a + 1;
    const frit::array<double> z = frit::matmul(y, y.T()), w = y * 3;
    EXPECT_EQ(planned(y, z, w), (step_counts{1, 1}));
    frit::eval(y, z, w);
    expect_near(z.to_vector(), product(y, y.T().eval()));
}

TEST(Matmul, ChainsAndCounts) {
    FRIT_SKIP_WITHOUT(matmul);
    const auto a = random_matrix(16, 16, 1), b = random_matrix(16, 16, 2), c = random_matrix(16, 16, 3);
    frit::reset_stats();
    const frit::array<double> y = frit::matmul(frit::matmul(a, b), c);
    y.eval();
    const frit::counters n = frit::stats();
    EXPECT_EQ(n.library_calls, 2U);
    EXPECT_EQ(n.kernels_launched, 0U);
    EXPECT_EQ(n.bytes_read, 4U * 16 * 16 * 8);
    EXPECT_EQ(n.bytes_written, 2U * 16 * 16 * 8);
    expect_near(y.to_vector(), product(frit::matmul(a, b).eval(), c));
}

TEST(Matmul, AReusedPlanSeesNewOperands) {
    FRIT_SKIP_WITHOUT(matmul);
    const auto f = [](const frit::array<double>& a, const frit::array<double>& b) {
        return frit::array<double>(frit::matmul(a.T(), b) * 2);
    };
    for (unsigned k = 0; k < 4; ++k) {
        const std::int64_t n = k < 2 ? 6 : 9;  // the structure stays when the extents change
        const auto a = random_matrix(n, 4, k), b = random_matrix(n, 5, k + 10);
        std::vector<double> want = product(a.T().eval(), b);
        for (double& x : want) x *= 2;
        expect_near(f(a, b).to_vector(), want);
    }
}

TEST(Matmul, IntoSlicesAndTheCallersMemory) {
    FRIT_SKIP_WITHOUT(matmul);
    const auto a = random_matrix(4, 4, 1), b = random_matrix(4, 4, 2);
    frit::array<double> u = frit::zeros<double>({6, 6});
    u.eval();
    u(frit::slice(1, 5), frit::slice(1, 5)) = frit::matmul(a, b);
    expect_near(frit::array<double>(u(frit::slice(1, 5), frit::slice(1, 5))).to_vector(), product(a, b));
    EXPECT_EQ(frit::sum(u(0, frit::all)).item(), 0);
    std::vector<double> memory(16), spread(32, -1);
    frit::eval_into(frit::out(memory.data(), {4, 4}), frit::matmul(a, b));
    expect_near(memory, product(a, b));
    frit::eval_into(frit::out(spread.data(), {4, 4}, {8, 2}), frit::matmul(a, b));
    for (std::size_t k = 0; k < 16; ++k) EXPECT_NEAR(spread[k / 4 * 8 + k % 4 * 2], memory[k], 1e-12);
    EXPECT_EQ(spread[1], -1);
}

TEST(Matmul, ReadsTheArrayThatItIsAssignedInto) {
    FRIT_SKIP_WITHOUT(matmul);
    frit::array<double> u = random_matrix(5, 5, 1);
    u.eval();
    const std::vector<double> want = product(u.eval(), u.eval());
    u(frit::all, frit::all) = frit::matmul(u, u);
    expect_near(u.to_vector(), want);
    u = frit::matmul(u, u);
    expect_near(u.to_vector(), product(frit::from_host(want, {5, 5}), frit::from_host(want, {5, 5})));
}

TEST(Matmul, BorrowedStrides) {
    FRIT_SKIP_WITHOUT(matmul);
    const std::vector<double> memory = random_values(24, 1);
    const auto a = frit::borrow(memory.data(), {3, 4}, 0, {8, 2});
    const auto b = random_matrix(4, 2, 2);
    expect_near(frit::matmul(a, b).to_vector(), product(a, b));
    expect_near(frit::matmul(b.T(), a.T()).to_vector(), product(b.T().eval(), a.T().eval()));
    const auto windows = frit::borrow(memory.data(), {6, 4}, 0, {1, 1});  // rows that overlap, which BLAS does not take
    expect_near(frit::matmul(windows, b).to_vector(), product(windows, b));
    expect_near(frit::matmul(b.T(), windows.T()).to_vector(), product(b.T().eval(), windows.T().eval()));
}

TEST(Matmul, Errors) {
    FRIT_SKIP_WITHOUT(matmul);
    const auto a = random_matrix(2, 3, 1);
    try {
        const frit::array<double> bad = frit::matmul(a, a);
        FAIL();
    } catch (const frit::shape_error& e) {
        const std::string text = e.what();
        EXPECT_NE(text.find("matmul"), std::string::npos) << text;
        EXPECT_NE(text.find("(2, 3)"), std::string::npos) << text;
        EXPECT_NE(text.find("test_library_ops.cpp"), std::string::npos) << text;
    }
    EXPECT_THROW(frit::matmul(a, frit::zeros<double>({3, 2, 2})).shape(), frit::shape_error);
    EXPECT_THROW(frit::matmul(frit::scalar(1.0), a).shape(), frit::shape_error);
}

TEST(Scan, AlongAnyAxis) {
    FRIT_SKIP_WITHOUT(cumsum);
    const frit::array<int> x{{1, 2, 3}, {4, 5, 6}};
    static_assert(std::is_same_v<decltype(frit::cumsum(x, 0))::value_type, std::int64_t>);
    EXPECT_EQ(frit::cumsum(x).to_vector(), (std::vector<std::int64_t>{1, 3, 6, 10, 15, 21}));
    EXPECT_EQ(frit::cumsum(x, 1).to_vector(), (std::vector<std::int64_t>{1, 3, 6, 4, 9, 15}));
    EXPECT_EQ(frit::cumsum(x, -2).to_vector(), (std::vector<std::int64_t>{1, 2, 3, 5, 7, 9}));
    EXPECT_EQ(frit::cumprod(x, 0).to_vector(), (std::vector<std::int64_t>{1, 2, 3, 4, 10, 18}));
    EXPECT_EQ(frit::cummax(frit::flip(x), 1).to_vector(), (std::vector<int>{6, 6, 6, 3, 3, 3}));
    EXPECT_EQ(frit::cummin(x, 1).to_vector(), (std::vector<int>{1, 1, 1, 4, 4, 4}));
    EXPECT_EQ(frit::cummax(x == 2, 1).to_vector(), (std::vector<bool>{false, true, true, false, false, false}));
    EXPECT_EQ(frit::cumsum(x > 2, 1).to_vector(), (std::vector<std::int64_t>{0, 0, 1, 1, 2, 3}));
    EXPECT_EQ(frit::cumsum(frit::zeros<float>({0})).to_vector().size(), 0U);
    EXPECT_EQ(frit::cumsum(frit::zeros<float>({3, 0}), 0).to_vector().size(), 0U);
}

TEST(Scan, FusesOnEitherSide) {
    FRIT_SKIP_WITHOUT(cumsum);
    const frit::array<double> x = frit::from_host(random_values(100, 1));
    const auto y = frit::exp(frit::cumsum(x * 2 + 1)) + x;
    EXPECT_EQ(planned(y), (step_counts{1, 0}));
    std::vector<double> want = x.to_vector();
    double total = 0;
    for (double& v : want) {
        total += v * 2 + 1;
        v += std::exp(total);
    }
    const std::vector<double> got = y.to_vector();
    for (std::size_t k = 0; k < want.size(); ++k) EXPECT_NEAR(got[k] / want[k], 1, 1e-12);
    const bool cpu = frit::default_device() == frit::device::cpu();  // no block of a GPU sees all of the row
    EXPECT_EQ(planned(frit::sum(frit::cumsum(x))), (step_counts{cpu ? 1U : 2U, 0}));
}

TEST(Scan, AlongTheLastAxisWritesTheResultItself) {
    const frit::array<double> x = frit::from_host(random_values(12, 1)), m = x.reshape({3, 4}).eval();
    EXPECT_EQ(planned(frit::cumsum(x)), (step_counts{1, 0}));
    EXPECT_EQ(planned(frit::cummax(m, 1)), (step_counts{1, 0}));
    EXPECT_EQ(planned(frit::argsort(m)), (step_counts{0, 1}));
    EXPECT_EQ(planned(frit::sort(m * 2)), (step_counts{1, 1}));
    EXPECT_EQ(planned(frit::sort(m, 0)), (step_counts{2, 1})) << "there and back";
}

TEST(Sort, AlongAnyAxis) {
    FRIT_SKIP_WITHOUT(sort);
    const frit::array<float> x{{3, 1, 2}, {-1, 5, -7}};
    EXPECT_EQ(frit::sort(x).to_vector(), (std::vector<float>{1, 2, 3, -7, -1, 5}));
    EXPECT_EQ(frit::sort(x, 0).to_vector(), (std::vector<float>{-1, 1, -7, 3, 5, 2}));
    EXPECT_EQ(frit::argsort(x).to_vector(), (std::vector<std::int64_t>{1, 2, 0, 2, 0, 1}));
    EXPECT_EQ(frit::argsort(x, 0).to_vector(), (std::vector<std::int64_t>{1, 0, 1, 0, 1, 0}));
    EXPECT_EQ(frit::sort(frit::array<bool>{true, false, true}).to_vector(), (std::vector<bool>{false, true, true}));
    EXPECT_EQ(frit::sort(frit::zeros<int>({2, 0})).to_vector().size(), 0U);
    EXPECT_THROW(frit::sort(x, 2), frit::index_error);
    EXPECT_THROW(frit::sort(frit::scalar(1.f)), frit::shape_error);
}

TEST(Sort, DoesNotWriteItsOperand) {
    FRIT_SKIP_WITHOUT(sort);
    frit::array<int> x{3, 1, 2};
    const frit::array<int> same = x;
    x = frit::sort(x);
    EXPECT_EQ(x.to_vector(), (std::vector<int>{1, 2, 3}));
    EXPECT_EQ(same.to_vector(), (std::vector<int>{3, 1, 2}));
}

TEST(Matmul, ASliceOfRowsTooFarApartForBlas) {
    constexpr std::int64_t width = 3'000'000'000;
    const std::size_t bytes = 2 * width * sizeof(float);
    void* const memory = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) GTEST_SKIP() << "no 24 GB of address space";
    const std::shared_ptr<void> owner(memory, [](void* p) { munmap(p, bytes); });
    const frit::scoped_device on_cpu(frit::device::cpu());
    const auto wide = frit::borrow(static_cast<const float*>(memory), {2, width}, owner);
    frit::array<float> u = frit::arange<float>(0, 4);
    u.eval();
    u(frit::slice(0, 2)) += 1.F;
    const frit::array<float> z = frit::matmul(wide(frit::all, frit::slice(0, 3)) + 1.F, frit::ones<float>({3, 2})),
                             y = frit::matmul(wide(frit::all, frit::slice(0, 3)), frit::ones<float>({3, 2}));
    frit::eval(u, y, z);
    EXPECT_EQ(y.to_vector(), std::vector<float>(4, 0.F));
    EXPECT_EQ(z.to_vector(), std::vector<float>(4, 3.F));
    EXPECT_EQ(u.to_vector(), (std::vector<float>{1, 2, 2, 3}));
}

TEST(Matmul, AnExtentTooLongForBlasIsRefusedBeforeAnythingRuns) {
    const frit::scoped_device on_cpu(frit::device::cpu());
    const std::int64_t long_extent = std::int64_t{1} << 32;
    frit::array<float> u = frit::arange<float>(0, 4);
    u.eval();
    u(frit::slice(0, 2)) += 1.F;
    const frit::array<float> z = frit::matmul(frit::zeros<float>({1, 0}), frit::zeros<float>({0, 1})),
                             huge = frit::matmul(frit::broadcast_to(frit::scalar(1.F), {long_extent}),
                                                 frit::broadcast_to(frit::scalar(1.F), {long_extent}));
    try {
        frit::eval(u, z, huge);
        FAIL();
    } catch (const frit::shape_error& e) {
        EXPECT_NE(std::string(e.what()).find("test_library_ops.cpp"), std::string::npos) << e.what();
    }
    EXPECT_EQ(u.to_vector(), (std::vector<float>{1, 2, 2, 3}));
}

TEST(Scan, TemporariesShareMemoryAlsoWhereAnInputIsGivenAway) {
    frit::array<double> x = frit::ones<double>({100'000});
    x.eval();
    frit::array<double> y = x + 1.0;
    x = {};
    for (int k = 0; k < 4; ++k) y = frit::sort(frit::cumsum(y) * 0.5);
    const std::uint64_t promised = frit::make_plan(y).peak_bytes();
    frit::reset_stats();
    const std::uint64_t before = frit::stats().live_bytes;
    y.eval();
    EXPECT_LE(frit::stats().peak_bytes - before, promised);
}

}  // namespace
