// Eigen in and out without a copy (where Eigen is installed).
#if __has_include(<Eigen/Core>)
#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <frit/eigen.hpp>
#include <frit/frit.hpp>

namespace {

using frit::array;

class WithEigen : public testing::Test {
    frit::scoped_device cpu_{frit::device::cpu()};
};

Eigen::MatrixXf sample() {
    Eigen::MatrixXf m(2, 3);
    m << 1, 2, 3, 4, 5, 6;
    return m;
}
const std::vector<float> sample_values{1, 2, 3, 4, 5, 6};

TEST_F(WithEigen, AColumnMajorMatrixIsReadInPlace) {
    Eigen::MatrixXf m = sample();
    const array<float> x = frit::borrow(m);
    EXPECT_EQ(x.shape(), (frit::shape{2, 3}));
    EXPECT_EQ(x.strides(), (std::vector<std::int64_t>{1, 2}));
    EXPECT_EQ(x.to_vector(), sample_values);
    EXPECT_EQ((x * 2.0F).to_vector()[5], 12);
    m(0, 0) = 7;  // the same memory (frit's user has to keep from this)
    EXPECT_EQ((x + 0.0F).to_vector()[0], 7);
}

TEST_F(WithEigen, VectorsBlocksTransposesAndMaps) {
    Eigen::MatrixXf m = sample();
    Eigen::VectorXf v(3);
    v << 1, 2, 3;
    EXPECT_EQ(frit::borrow(v).shape(), frit::shape(3));
    EXPECT_EQ(frit::borrow(v).span().data(), v.data());
    EXPECT_EQ(frit::borrow(m.block(0, 1, 2, 2)).to_vector(), (std::vector<float>{2, 3, 5, 6}));
    EXPECT_EQ(frit::borrow(m.row(1)).to_vector(), (std::vector<float>{4, 5, 6}));
    EXPECT_EQ(frit::borrow(m.transpose()).to_vector(), (std::vector<float>{1, 4, 2, 5, 3, 6}));
    EXPECT_EQ(frit::borrow(v.segment(1, 2)).to_vector(), (std::vector<float>{2, 3}));
    const Eigen::Map<const Eigen::Matrix<float, 2, 3, Eigen::RowMajor>> map(sample_values.data());
    EXPECT_EQ(frit::borrow(map).span().data(), sample_values.data());
    const Eigen::ArrayXXf a = m.array();
    EXPECT_EQ(frit::borrow(a).to_vector(), sample_values);
    const Eigen::Matrix3d fixed = Eigen::Matrix3d::Identity();
    EXPECT_EQ(frit::sum(frit::borrow(fixed)).item(), 3);
}

template <class V>
concept can_borrow = requires(V&& v) {
    frit::borrow(std::forward<V>(v));
};

TEST_F(WithEigen, NoTemporaryDangles) {
    const Eigen::MatrixXf fixed = sample();
    const array<float> copied = frit::borrow(std::move(fixed));
    EXPECT_EQ(copied.to_vector(), sample_values);
    EXPECT_NE(static_cast<const void*>(frit::detail::data_of(copied.handle().get())), fixed.data());
    EXPECT_EQ(frit::borrow((fixed + fixed).eval()).to_vector()[5], 12);
    const Eigen::Ref<const Eigen::MatrixXf> sum = fixed + fixed;  // holds the sum itself
    EXPECT_EQ(frit::borrow(sum).to_vector()[5], 12);
    static_assert(!can_borrow<Eigen::Ref<const Eigen::MatrixXf>>, "its own copy would end with it");
    static_assert(!can_borrow<const Eigen::Ref<const Eigen::MatrixXf>>);
    static_assert(!can_borrow<decltype(fixed + fixed)>, "a sum has no memory");
    static_assert(can_borrow<Eigen::Ref<Eigen::MatrixXf>>, "somebody else's memory");
}

TEST_F(WithEigen, AMatrixMovesIn) {
    Eigen::MatrixXf m = sample();
    const float* data = m.data();
    const array<float> x = frit::borrow(std::move(m));
    EXPECT_EQ(x.to_vector(), sample_values);
    EXPECT_EQ(static_cast<const float*>(frit::detail::data_of(x.handle().get())), data);
    EXPECT_EQ(frit::borrow(sample()).to_vector(), sample_values);
}

TEST_F(WithEigen, AnOwnerIsKept) {
    auto m = std::make_shared<Eigen::MatrixXf>(sample());
    array<float> x = frit::borrow(*m, m);
    EXPECT_EQ(m.use_count(), 2);
    x += 1.0F;
    x.eval();
    EXPECT_EQ(m.use_count(), 1);
    EXPECT_EQ((*m)(1, 2), 6);
}

TEST_F(WithEigen, CopiesOfMatricesAndExpressions) {
    Eigen::MatrixXf m = sample();
    const array<float> x = frit::from_host(m), y = frit::from_host(m * 2.0F + m), z = frit::from_host(m.col(1) + m.col(2));
    m.setZero();
    EXPECT_EQ(x.to_vector(), sample_values);
    EXPECT_EQ(y.to_vector(), (std::vector<float>{3, 6, 9, 12, 15, 18}));
    EXPECT_EQ(z.to_vector(), (std::vector<float>{5, 11}));
    EXPECT_EQ(z.rank(), 1);
}

TEST_F(WithEigen, AMapOutKeepsTheValues) {
    std::optional<decltype(frit::eigen_matrix(array<float>()))> m;
    {
        array<float> x = frit::arange<float>(1, 7).reshape({2, 3}) * 1.0F;
        m.emplace(frit::eigen_matrix(x));
        EXPECT_EQ(m->data(), x.span().data());
        x *= 0.0F;
        x.eval();
    }
    EXPECT_TRUE(*m == sample());
    const Eigen::Vector3f ones = Eigen::Vector3f::Ones();
    const Eigen::VectorXf product = *m * ones;
    EXPECT_EQ(product(1), 15);
    const Eigen::VectorXf v = frit::eigen_vector(frit::arange<float>(0, 4) * 2.0F) * 0.5F;
    EXPECT_EQ(v(3), 3);
    EXPECT_THROW(frit::eigen_vector(frit::zeros<float>({2, 2})), frit::shape_error);
    EXPECT_THROW(frit::eigen_matrix(frit::zeros<float>({2})), frit::shape_error);
}

TEST_F(WithEigen, OutWritesIntoMatricesBlocksAndMaps) {
    Eigen::MatrixXf m = Eigen::MatrixXf::Zero(2, 3);
    const float* data = m.data();
    frit::eval_into(frit::out(m), frit::arange<float>(1, 7).reshape({2, 3}));
    EXPECT_TRUE(m == sample());
    EXPECT_EQ(m.data(), data);
    frit::eval_into(frit::out(m.row(0)), -1.0F);
    EXPECT_EQ(m(0, 2), -1);
    EXPECT_EQ(m(1, 2), 6);
    std::vector<double> memory(4);
    frit::eval_into(frit::out(Eigen::Map<Eigen::Matrix2d>(memory.data())), frit::array<double>{{1, 2}, {3, 4}});
    EXPECT_EQ(memory, (std::vector<double>{1, 3, 2, 4}));
    EXPECT_THROW(frit::eval_into(frit::out(m), frit::zeros<float>({3, 2})), frit::shape_error);
}

template <class T>
void in_and_out() {
    Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> m(2, 3), back(2, 3);
    for (int i = 0; i < 6; ++i) m(i / 3, i % 3) = T(static_cast<float>(i));
    const array<T> x = frit::borrow(m);
    std::vector<T> values;
    for (int i = 0; i < 6; ++i) values.push_back(T(static_cast<float>(i)));
    EXPECT_EQ(x.to_vector(), values);
    EXPECT_TRUE(frit::eigen_matrix(x) == m);
    frit::eval_into(frit::out(back), x + x);
    for (int i = 0; i < 6; ++i) EXPECT_EQ(back(i / 3, i % 3), m(i / 3, i % 3) + m(i / 3, i % 3)) << i;
}
TEST_F(WithEigen, ElementsThatAreNoFloats) {
    in_and_out<frit::half>();
    in_and_out<frit::bfloat16>();
    in_and_out<std::complex<float>>();
    in_and_out<std::complex<double>>();
    in_and_out<std::int16_t>();
}

// Eigen's own 16-bit floats: the same bits.
template <class E, class T>
void in_and_out_of_eigens_own() {
    Eigen::Matrix<E, Eigen::Dynamic, Eigen::Dynamic> m(2, 3), back(2, 3);
    const std::vector<float> numbers{0.1F, -2, 3, 1e-7F, 70'000, -0.0F};
    std::vector<T> values;
    for (int i = 0; i < 6; ++i) {
        m(i / 3, i % 3) = E(numbers[static_cast<std::size_t>(i)]);
        values.push_back(T(numbers[static_cast<std::size_t>(i)]));
    }
    const array<T> x = frit::from_host(m), borrowed = frit::borrow(m), sum = frit::from_host(m + m);
    const array<T> moved = frit::borrow(Eigen::Matrix<E, Eigen::Dynamic, Eigen::Dynamic>(m));
    EXPECT_EQ(x.to_vector(), values);
    EXPECT_EQ(borrowed.to_vector(), values);
    EXPECT_EQ(frit::detail::data_of(borrowed.handle().get()), static_cast<const void*>(m.data()));
    EXPECT_EQ(moved.to_vector(), values);
    EXPECT_EQ(sum.to_vector(), frit::array(x + x).to_vector());
    frit::eval_into(frit::out(back), x + x);
    const auto view = frit::eigen_matrix<E>(x + x);
    static_assert(std::is_same_v<typename decltype(view)::Scalar, E>);
    for (int i = 0; i < 6; ++i) {
        EXPECT_EQ(static_cast<float>(back(i / 3, i % 3)), float{values[static_cast<std::size_t>(i)] * 2}) << i;
        EXPECT_EQ(static_cast<float>(view(i / 3, i % 3)), float{values[static_cast<std::size_t>(i)] * 2}) << i;
    }
}
TEST_F(WithEigen, SixteenBitFloatsOfEigen) {
    in_and_out_of_eigens_own<Eigen::half, frit::half>();
#if EIGEN_VERSION_AT_LEAST(3, 4, 0)
    in_and_out_of_eigens_own<Eigen::bfloat16, frit::bfloat16>();
#endif
}

template <class X>
concept needs_no_type = requires(const X& x) {
    frit::eigen_matrix(x);
    frit::eigen_vector(x);
};
TEST_F(WithEigen, MapsOfAnArrayOfAnyDtypeNameTheirs) {
    const frit::any_array x = frit::arange<float>(1, 7).reshape({2, 3}) * 1.0F;
    EXPECT_TRUE(frit::eigen_matrix<float>(x) == sample());
    EXPECT_TRUE(frit::eigen_matrix<float>(x * 2) == 2 * sample());
    EXPECT_EQ(frit::eigen_vector<float>(x(1))(2), 6);
    EXPECT_THROW((void)frit::eigen_matrix<double>(x), frit::dtype_error);
    EXPECT_THROW((void)frit::eigen_vector<int>(x), frit::dtype_error);
    EXPECT_THROW((void)frit::eigen_vector<float>(x), frit::shape_error);
    static_assert(needs_no_type<array<float>> && !needs_no_type<frit::any_array>);
}

// A matrix by its data() and a shape would come in transposed: that does not compile.
template <class M>
concept comes_in_as_a_range = requires(const M& m) {
    frit::from_host(m, frit::shape{2, 3});
};
static_assert(!comes_in_as_a_range<Eigen::MatrixXf> && comes_in_as_a_range<std::vector<float>>);

}  // namespace
#endif
