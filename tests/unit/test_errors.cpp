// What goes wrong is said where it was written: the op, the shapes, the dtypes and the source line.
#include <memory>
#include <string>
#include <vector>

#include "tests/support/kernels.hpp"

namespace {
using frit::all;
using frit::array;
using frit::none;
using frit::slice;

/// The text that a statement's own line leaves in its error.
std::string here(int line) { return "test_errors.cpp:" + std::to_string(line); }

const array<float>& matrix() {
    static const array<float> m = frit::ones<float>({2, 3});
    return m;
}

TEST(Errors, ShapesThatDoNotBroadcast) {
    const array<float> v = frit::ones<float>({4});
    EXPECT_ERROR(array<float> y = matrix() + v, frit::shape_error, "+: ", "(2, 3)", "(4,)", here(__LINE__));
    EXPECT_ERROR(array<float> y = exp(matrix()) * v + 1.0F, frit::shape_error, "*: ", "(2, 3)", "(4,)", here(__LINE__));
    EXPECT_ERROR(array<float> y = frit::where(v > 0.0F, matrix(), 0.0F), frit::shape_error, "where", "(4,)", "(2, 3)");
    EXPECT_ERROR((void)(matrix() - v).shape(), frit::shape_error, "-: ", "(2, 3)", "(4,)");
    EXPECT_ERROR((void)(matrix() - v).to_vector(), frit::shape_error, "-: ", "(2, 3)", "(4,)");
    EXPECT_ERROR((void)frit::eval(matrix() - v), frit::shape_error, "-: ", "(2, 3)", "(4,)", here(__LINE__));
}

TEST(Errors, UpdatesThatDoNotFit) {
    array<float> u = frit::zeros<float>({5});
    const array<float> before = u;
    EXPECT_ERROR(u(slice(0, 3)) = (array<float>{1, 2}), frit::shape_error, "(3,)", "(2,)", here(__LINE__));
    EXPECT_ERROR(u(slice(0, 3)) += (array<float>{1, 2}), frit::shape_error, "(3,)", "(2,)", here(__LINE__));
    EXPECT_ERROR(u += (array<float>{1, 2}), frit::shape_error, "(5,)", "(2,)", here(__LINE__));
    EXPECT_ERROR(u += matrix(), frit::shape_error, "(5,)", "(2, 3)", here(__LINE__));
    EXPECT_ERROR(u *= frit::sin(matrix()) + 1.0F, frit::shape_error, "(5,)", "(2, 3)", here(__LINE__));
    EXPECT_ERROR(u -= frit::ones<float>({2, 5}), frit::shape_error, "(5,)", "(2, 5)", here(__LINE__));
    EXPECT_EQ(u.to_vector(), before.to_vector());
    array<float> empty;
    EXPECT_ERROR(empty += 1.0F, frit::error, "empty", here(__LINE__));
}

TEST(Errors, MasksThatDoNotFit) {
    array<float> u = frit::zeros<float>({2, 3});
    const array<bool> pair{true, false}, deep = frit::ones<bool>({2, 2, 3});
    const array<bool> three{true, false, true};  // of the first axis, which has two elements
    EXPECT_ERROR(u(three) = 1.0F, frit::shape_error, "assign: a mask", "(3,)", "(2, 3)", here(__LINE__));
    EXPECT_ERROR(u(three) += 1.0F, frit::shape_error, "assign: a mask", "(3,)", "(2, 3)", here(__LINE__));
    EXPECT_ERROR(u(deep) = 1.0F, frit::shape_error, "assign: the mask", "(2, 2, 3)", here(__LINE__));
    EXPECT_ERROR(u(frit::ones<float>({4}) > 0.0F) = u, frit::shape_error, "assign: a mask", "(4,)", here(__LINE__));
    EXPECT_ERROR(u(frit::ones<bool>({2, 2})) = 1.0F, frit::shape_error, "assign: the mask", "(2, 2)", here(__LINE__));
    // the mask fits, the value does not
    EXPECT_ERROR(u(u > 1.0F) = u(0, slice(0, 2)), frit::shape_error, "true at 0 places", "2 values", here(__LINE__));
    EXPECT_ERROR(u(u > 1.0F) = frit::zeros<float>({2, 2}), frit::shape_error, "where", "(2, 2)", "(2, 3)", here(__LINE__));
    EXPECT_ERROR((void)sum(u, frit::where(pair)), frit::shape_error, "sum: the mask", "(2,)", "(2, 3)", here(__LINE__));
    EXPECT_ERROR((void)frit::var(u, 1, frit::where(deep)), frit::shape_error, "var: the mask", here(__LINE__));
    EXPECT_ERROR((void)frit::mean(u, frit::where(pair)), frit::shape_error, "mean: the mask", here(__LINE__));
    EXPECT_ERROR((void)frit::argmax(u, frit::where(pair)), frit::shape_error, "argmax: the mask", here(__LINE__));
    EXPECT_EQ(u.to_vector(), std::vector<float>(6, 0));
    u(array<bool>{{true, false, true}}) += 1.0F;  // one that broadcasts
    EXPECT_EQ(u.to_vector(), (std::vector<float>{1, 0, 1, 1, 0, 1}));
}

/// An integer that the dtype does not hold: an operator is named as it is written, a function by its name.
template <class A>
void check_integers_that_do_not_fit(const A& u) {
    EXPECT_ERROR((void)A(u & 300), frit::dtype_error, "&: the integer 300 does not fit uint8");
    EXPECT_ERROR((void)A(u + 300), frit::dtype_error, "+: the integer 300");
    EXPECT_ERROR((void)A(u % -1), frit::dtype_error, "%: the integer -1");
    EXPECT_ERROR((void)(u < 300).eval(), frit::dtype_error, "<: the integer 300");
    EXPECT_ERROR((void)(u == 300).eval(), frit::dtype_error, "==: the integer 300");
    EXPECT_ERROR((void)A(maximum(u, 300)), frit::dtype_error, "maximum: the integer 300");
    EXPECT_ERROR((void)frit::full_like(u, 300), frit::dtype_error, "full_like: the integer 300", here(__LINE__));
    EXPECT_ERROR((void)frit::pad(u, {{1, 1}}, frit::pad_mode::constant, 300), frit::dtype_error, "pad: the integer 300");
    EXPECT_ERROR((void)frit::diff(u, 1, 0, 300), frit::dtype_error, "diff: the integer 300", here(__LINE__));
}

TEST(Errors, IntegersThatDoNotFit) {
    const array<std::uint8_t> u{1, 2};
    check_integers_that_do_not_fit(u);
    check_integers_that_do_not_fit(frit::any_array(u));
    EXPECT_ERROR((void)frit::full({2}, 300, frit::dtype::u8), frit::dtype_error, "full: the integer 300", here(__LINE__));
    EXPECT_ERROR((void)frit::full_like(u, 2.5), frit::dtype_error, "full_like: a floating number", "uint8", here(__LINE__));
    EXPECT_EQ(frit::full_like(u, 255).to_vector(), (std::vector<std::uint8_t>{255, 255}));
}

TEST(Errors, Reshape) {
    EXPECT_ERROR((void)matrix().reshape({4, 2}), frit::shape_error, "reshape", "(2, 3)", "{4, 2}", here(__LINE__));
    EXPECT_ERROR((void)matrix().reshape({4, -1}), frit::shape_error, "reshape", "(2, 3)");
    EXPECT_ERROR((void)matrix().reshape({-1, -1}), frit::shape_error, "reshape");
    EXPECT_ERROR((void)frit::broadcast_to(matrix(), {3, 3}), frit::shape_error, "broadcast_to", "(2, 3)", "(3, 3)");
    EXPECT_ERROR((void)frit::transpose(matrix(), {0, 0}), frit::error, "transpose");
    EXPECT_ERROR((void)frit::transpose(matrix(), {0}), frit::error, "transpose");
}

TEST(Errors, Indices) {
    EXPECT_ERROR((void)matrix()(2, 0), frit::index_error, "2", "(2, 3)", here(__LINE__));
    EXPECT_ERROR((void)matrix()(0, -4), frit::index_error, "-4", "(2, 3)");
    EXPECT_ERROR((void)matrix()(0, 0, 0), frit::index_error, "(2, 3)");
    EXPECT_ERROR((void)matrix()(all, slice(none, none, 0)), frit::index_error, "step", "0", here(__LINE__));
    EXPECT_ERROR((void)frit::arange<int>(0, 5, 0), frit::index_error, "arange", "step");
    EXPECT_ERROR((void)frit::flip(matrix(), 2), frit::index_error, "flip", "2", "(2, 3)");
}

TEST(Errors, ReductionsOfNothing) {
    const array<float> empty = frit::zeros<float>({0});
    EXPECT_ERROR(array<float> y = frit::max(empty), frit::shape_error, "max", "(0,)");
    EXPECT_ERROR(array<float> y = frit::min(empty), frit::shape_error, "min", "(0,)");
    EXPECT_EQ(frit::sum(empty).item(), 0);
    EXPECT_EQ(frit::prod(empty).item(), 1);
}

TEST(Errors, Devices) {
    EXPECT_ERROR((void)matrix().to(frit::device::cuda(99)), frit::device_error, "cuda:99", here(__LINE__));
    EXPECT_ERROR(frit::scoped_device g(frit::device::cuda(99)), frit::device_error, "cuda:99", here(__LINE__));
    EXPECT_ERROR((void)frit::device::cuda(99).description(), frit::device_error, "cuda:99", here(__LINE__));
    EXPECT_ERROR((void)frit::device::parse("cuda:x"), frit::device_error, "'cuda:x'", "cuda:N", here(__LINE__));
    EXPECT_EQ(frit::sum(matrix()).item(), 6);
}

TEST(Errors, AViewThatOutlivesItsArray) {
    auto u = std::make_unique<array<float>>(frit::zeros<float>({4}));
    auto view = (*u)(slice(0, 2));
    EXPECT_EQ(view.to_vector(), (std::vector<float>{0, 0}));
    u.reset();
    EXPECT_EQ(view.to_vector(), (std::vector<float>{0, 0}));     // it owns its values ...
    EXPECT_ERROR(std::move(view) = 1.0F, frit::error, "array");  // ... and has nothing to assign to
}

TEST(Errors, HouseStyle) {
    const array<float> v = frit::ones<float>({4});
    const int line = __LINE__ + 2;
    try {
        array<float> y = matrix() + v;
        FAIL();
    } catch (const frit::shape_error& e) {
        const std::string text = e.what();
        EXPECT_EQ(text.rfind("+: ", 0), 0U) << text;
        EXPECT_NE(text.find("float32"), std::string::npos) << text;
        EXPECT_NE(text.find("; shapes (2, 3), (4,) ["), std::string::npos) << text;
        const std::string place = "/unit/" + here(line) + "]";
        EXPECT_EQ(text.substr(text.size() - place.size()), place) << text;
    }
}

TEST(Errors, AnErrorLeavesNothingBehind) {
    matrix();  // made by whichever test comes first, it lives on
    const std::uint64_t pending = frit::stats().pending_nodes, live = frit::stats().live_bytes;
    for (int k = 0; k < 10; ++k) {
        const array<float> v = frit::ones<float>({4});
        EXPECT_THROW(array<float> y = exp(v) + matrix(), frit::shape_error);
    }
    EXPECT_EQ(frit::stats().pending_nodes, pending);
    EXPECT_EQ(frit::stats().live_bytes, live);
}

}  // namespace
