// Reductions as users call them: shapes and dtypes of every form of the call, the errors, and what does not take part.
// Values are in differential/test_axes.cpp.
#include <string>
#include <vector>

#include "tests/support/kernels.hpp"

namespace {
using frit::array;
using frit::ddof;
using frit::dtype;
using frit::keepdims;
using frit::shape;

template <class E>
void expect(const E& e, dtype type, const shape& extents) {
    EXPECT_EQ(name_of(E::dtype()), name_of(type));
    EXPECT_EQ(to_string(e.shape()), to_string(extents));
    const array<typename E::value_type> recorded = e;
    EXPECT_EQ(to_string(recorded.shape()), to_string(extents));
}

const array<float>& x() {
    static const array<float> a = frit::ones<float>({2, 3, 4});
    return a;
}
const array<int>& k() {
    static const array<int> a = frit::ones<int>({2, 3, 4});
    return a;
}
const array<bool>& m() {
    static const array<bool> a = x() > 0.0F;
    return a;
}

TEST(ReduceApi, AxesAndKeepdims) {
    expect(sum(x()), dtype::f32, {});
    expect(sum(x(), 0), dtype::f32, {3, 4});
    expect(sum(x(), 1), dtype::f32, {2, 4});
    expect(sum(x(), -1), dtype::f32, {2, 3});
    expect(sum(x(), {0, 2}), dtype::f32, {3});
    expect(sum(x(), {-1, 0}), dtype::f32, {3});
    expect(sum(x(), {0, 1, 2}), dtype::f32, {});
    expect(sum(x(), std::vector<int>{0, 1}), dtype::f32, {4});
    expect(sum(x(), frit::axes{2}), dtype::f32, {2, 3});
    expect(sum(x(), 1, keepdims), dtype::f32, {2, 1, 4});
    expect(sum(x(), {0, -1}, keepdims), dtype::f32, {1, 3, 1});
    expect(sum(x(), keepdims), dtype::f32, {1, 1, 1});
    expect(sum(x() * 2.0F + 1.0F, 1), dtype::f32, {2, 4});
    expect(sum(frit::scalar(1.0), keepdims), dtype::f64, {});
    expect(max(x(), 1) - min(x(), 1), dtype::f32, {2, 4});
    expect(x() - mean(x(), 1, keepdims), dtype::f32, {2, 3, 4});
}

TEST(ReduceApi, TagsInAnyOrder) {
    const auto row = frit::ones<float>({3, 4}) > 0.0F;
    expect(sum(x(), 1, keepdims, frit::where(m())), dtype::f32, {2, 1, 4});
    expect(sum(x(), 1, frit::where(m()), keepdims), dtype::f32, {2, 1, 4});
    expect(sum(x(), frit::where(row)), dtype::f32, {});
    expect(sum(x(), frit::where(row), keepdims), dtype::f32, {1, 1, 1});
    expect(var(x(), 1, ddof(1), keepdims), dtype::f32, {2, 1, 4});
    expect(var(x(), 1, frit::where(row), keepdims, ddof(1)), dtype::f32, {2, 1, 4});
    expect(stddev(x(), keepdims, ddof(1)), dtype::f32, {1, 1, 1});
    expect(stddev(x(), ddof(2)), dtype::f32, {});
    expect(frit::all(m(), 1, frit::where(row), keepdims), dtype::bool_, {2, 1, 4});
    expect(frit::all(m(), keepdims), dtype::bool_, {1, 1, 1});
    expect(any(x(), {0, 1}, frit::where(row)), dtype::bool_, {4});
}

TEST(ReduceApi, Dtypes) {
    const array<std::uint8_t> u = frit::ones<std::uint8_t>({2, 3, 4});
    expect(sum(k(), 0), dtype::i64, {3, 4});
    expect(sum(m(), 0), dtype::i64, {3, 4});
    expect(sum(u, 0), dtype::u64, {3, 4});
    expect(prod(u, 0, frit::where(m())), dtype::u64, {3, 4});
    expect(max(u, 0), dtype::u8, {3, 4});
    expect(min(m(), 0), dtype::bool_, {3, 4});
    expect(max(m(), 0, frit::where(m())), dtype::bool_, {3, 4});
    expect(any(x(), 0), dtype::bool_, {3, 4});
    expect(frit::all(k(), {0, 1}), dtype::bool_, {4});
    expect(count_nonzero(x(), 0), dtype::i64, {3, 4});
    expect(count_nonzero(m()), dtype::i64, {});
    expect(count_nonzero(k(), keepdims), dtype::i64, {1, 1, 1});
    expect(mean(k(), 0), dtype::f64, {3, 4});
    expect(mean(u), dtype::f64, {});
    expect(mean(m(), 0, frit::where(m())), dtype::f64, {3, 4});
    expect(mean(x(), 0, frit::where(m())), dtype::f32, {3, 4});
    expect(var(k(), 0), dtype::f64, {3, 4});
    expect(var(x()), dtype::f32, {});
    expect(stddev(m(), {0, 1}), dtype::f64, {4});
    expect(logsumexp(k(), 0), dtype::f64, {3, 4});
    expect(logsumexp(x()), dtype::f32, {});
    expect(logsumexp(x(), {0, 1}, keepdims, frit::where(m())), dtype::f32, {1, 1, 4});
    expect(frit::linalg::norm(x()), dtype::f32, {});
    expect(frit::linalg::norm(k(), -1, keepdims), dtype::f64, {2, 3, 1});
    expect(frit::linalg::norm(x(), frit::where(m())), dtype::f32, {});
    expect(softmax(x(), -1), dtype::f32, {2, 3, 4});
    expect(softmax(k(), {0, 1}), dtype::f64, {2, 3, 4});
    expect(log_softmax(x() * 2.0F, 1), dtype::f32, {2, 3, 4});
    expect(layer_norm(x(), -1), dtype::f32, {2, 3, 4});
    expect(layer_norm(m(), {1, 2}, 1e-3), dtype::f64, {2, 3, 4});
    expect(rms_norm(x(), -1, 1e-6), dtype::f32, {2, 3, 4});
}

TEST(ReduceApi, Places) {
    expect(argmax(x()), dtype::i64, {});
    expect(argmax(x(), 1), dtype::i64, {2, 4});
    expect(argmin(k(), -1, keepdims), dtype::i64, {2, 3, 1});
    expect(argmin(x(), keepdims), dtype::i64, {1, 1, 1});
    expect(argmax(m(), frit::where(m())), dtype::i64, {});
    expect(argmax(x(), frit::where(m()), keepdims), dtype::i64, {1, 1, 1});
    expect(argmax(frit::scalar(1.0)), dtype::i64, {});
}

TEST(ReduceApi, Dot) {
    const array<double> v{1, 2, 3};
    expect(dot(v, v + 1.0), dtype::f64, {});
    expect(dot(frit::cast<int>(v), v > 1.0), dtype::i64, {});
    expect(dot(frit::cast<float>(v), v), dtype::f64, {});
}

/// The whole text.
#define EXPECT_TEXT(statement, type, text)                                            \
    do {                                                                              \
        const std::string place = " [" __FILE__ ":" + std::to_string(__LINE__) + "]"; \
        try {                                                                         \
            statement;                                                                \
            ADD_FAILURE() << "no error from " #statement;                             \
        } catch (const type& e) {                                                     \
            EXPECT_EQ(std::string(e.what()), std::string(text) + place);              \
        }                                                                             \
    } while (false)

TEST(ReduceApi, AxesThatAreNotThere) {
    EXPECT_TEXT((void)sum(x(), 3), frit::index_error, "sum: axis 3 is out of range for rank 3; shape (2, 3, 4)");
    EXPECT_TEXT((void)sum(x(), {0, -4}), frit::index_error, "sum: axis -4 is out of range for rank 3; shape (2, 3, 4)");
    EXPECT_TEXT((void)frit::all(m(), 9), frit::index_error, "all: axis 9 is out of range for rank 3; shape (2, 3, 4)");
    EXPECT_TEXT((void)argmax(x(), 3), frit::index_error, "argmax: axis 3 is out of range for rank 3; shape (2, 3, 4)");
    EXPECT_TEXT((void)mean(x(), {0, -3}), frit::index_error, "mean: axis -3 is given twice; shape (2, 3, 4)");
    EXPECT_TEXT((void)var(x(), std::vector<int>{}), frit::index_error, "var: no axis is given; shape (2, 3, 4)");
    EXPECT_TEXT((void)stddev(x(), 3, ddof(1)), frit::index_error,
                "stddev: axis 3 is out of range for rank 3; shape (2, 3, 4)");
    EXPECT_TEXT((void)logsumexp(x(), 3), frit::index_error, "logsumexp: axis 3 is out of range for rank 3; shape (2, 3, 4)");
    EXPECT_TEXT((void)count_nonzero(x(), 3), frit::index_error,
                "count_nonzero: axis 3 is out of range for rank 3; shape (2, 3, 4)");
    EXPECT_TEXT((void)frit::linalg::norm(x(), 3), frit::index_error,
                "norm: axis 3 is out of range for rank 3; shape (2, 3, 4)");
    EXPECT_TEXT((void)softmax(x(), 3), frit::index_error, "softmax: axis 3 is out of range for rank 3; shape (2, 3, 4)");
    EXPECT_TEXT((void)layer_norm(x(), {1, 1}), frit::index_error, "layer_norm: axis 1 is given twice; shape (2, 3, 4)");
    EXPECT_TEXT((void)sum(frit::scalar(1.0), 0), frit::index_error, "sum: axis 0 is out of range for rank 0; shape ()");
}

TEST(ReduceApi, RowsWithoutElements) {
    const array<float> empty = frit::zeros<float>({3, 0});
    expect(sum(empty, 1), dtype::f32, {3});
    expect(max(empty, 0), dtype::f32, {0});
    const array<float> nothing = frit::zeros<float>({0, 0});  // no result is asked for
    EXPECT_EQ(frit::max(nothing, 0).shape(), shape({0}));
    EXPECT_EQ(frit::logsumexp(nothing, 0).to_vector(), std::vector<float>{});
    EXPECT_EQ(frit::softmax(nothing, 0).shape(), shape({0, 0}));
    EXPECT_TEXT(array<float> y = max(empty, 1), frit::shape_error, "max: an axis without elements has none; shapes (3, 0)");
    EXPECT_TEXT(array<std::int64_t> y = argmin(empty, 1), frit::shape_error,
                "argmin: an axis without elements has none; shapes (3, 0)");
    EXPECT_TEXT((void)softmax(empty, 1), frit::shape_error,
                "softmax: an axis without elements has no largest or smallest one; shapes (3, 0)");
    EXPECT_TEXT((void)logsumexp(empty), frit::shape_error,
                "logsumexp: an axis without elements has no largest or smallest one; shapes (3, 0)");
}

TEST(ReduceApi, OperandsThatDoNotFit) {
    const array<float> row = frit::ones<float>({3, 4}), v{1, 2, 3};
    EXPECT_TEXT(array<std::int64_t> y = argmax(x(), {0, 1}), frit::shape_error,
                "argmax: goes over one axis, or over a vector; shapes (2, 3, 4)");
    EXPECT_TEXT(
        (void)sum(row, 1, frit::where(m())), frit::shape_error,
        "sum: the mask's shape does not broadcast to that of the array whose elements it selects; shapes (2, 3, 4), (3, 4)");
    EXPECT_TEXT(
        (void)var(row, frit::where(v > 1.0F)), frit::shape_error,
        "var: the mask's shape does not broadcast to that of the array whose elements it selects; shapes (3,), (3, 4)");
    EXPECT_TEXT((void)sum(row + v, 1), frit::shape_error,
                "+: operands could not be broadcast together (float32, float32); shapes (3, 4), (3,)");
    EXPECT_TEXT((void)mean(row + v), frit::shape_error,
                "+: operands could not be broadcast together (float32, float32); shapes (3, 4), (3,)");
    EXPECT_TEXT((void)dot(row, v), frit::shape_error,
                "dot: takes two vectors (matmul multiplies matrices); shapes (3, 4), (3,)");
    EXPECT_TEXT((void)dot(v, frit::array<float>{1}), frit::shape_error,
                "dot: the vectors differ in length; shapes (3,), (1,)");
    EXPECT_TEXT((void)sum(array<float>(), 0), frit::error,
                "array: an operand is an empty array (float32): it was never given a value, or was released");
}

// What a call says twice, or to the wrong function, does not compile: tests/compile_time/misuse.txt. This does:
TEST(ReduceApi, AnyIntegralIsAnAxis) {
    expect(sum(x(), std::size_t{1}), dtype::f32, {2, 4});
    expect(sum(x(), {std::int8_t{-1}, 0U}), dtype::f32, {3});
    using std::max;  // of two equal types: an axis beside an array stays an axis
    expect(max(x(), 0), dtype::f32, {3, 4});
}

}  // namespace
