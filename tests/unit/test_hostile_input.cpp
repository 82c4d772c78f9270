// Numbers that no array can have, from whoever wrote them: sizes that overflow, unsigned numbers beyond int64, negative
// ordinals, strides that lead out of memory. Each is an error of the right kind that names the user's line and never frit's.
#include <climits>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/kernels.hpp"
#include "tests/support/small_mdspan.hpp"

namespace {
using frit::all;
using frit::array;
using frit::newaxis;
using frit::none;
using frit::shape;
using frit::slice;

constexpr std::int64_t large = std::int64_t{1} << 33;
constexpr std::size_t any = std::dynamic_extent;

constexpr const char* here = "test_hostile_input.cpp:";  // the user's file, and a line of it

array<float> column() { return frit::zeros<float>({large, 1}); }
array<float> row() { return frit::zeros<float>({1, large}); }
array<float> matrix() { return frit::ones<float>({2, 3}); }

constexpr const char* too_large = "more elements than memory can address";

TEST(HostileInput, NoShapeHasMoreElementsThanMemoryAddresses) {
    EXPECT_ERROR(shape({large, large}), frit::shape_error, too_large, "(8589934592, 8589934592)", here);
    EXPECT_ERROR(frit::zeros<float>({0, large, large}), frit::shape_error, too_large, here);
    EXPECT_ERROR(frit::full({large, large, 0}, 1), frit::shape_error, too_large, here);
    EXPECT_EQ(frit::zeros<double>({0, large}).size(), 0);
    shape s{large, 2};
    EXPECT_ERROR(s.push_back(large), frit::shape_error, too_large, here);
    EXPECT_ERROR(s.set(1, large), frit::shape_error, too_large, here);
    EXPECT_ERROR(s.set(-1, -7), frit::shape_error, "-7", here);
    EXPECT_ERROR(s.set(2, 1), frit::index_error, "axis 2", "(8589934592, 2)");
    EXPECT_EQ(s, (shape{large, 2}));
    s.set(-2, 5);
    EXPECT_EQ(s, (shape{5, 2}));
}

TEST(HostileInput, NoFunctionMakesOne) {
    EXPECT_ERROR(array<float> y = column() + row(), frit::shape_error, "+: ", too_large, "(8589934592, 1)",
                 "(1, 8589934592)", "float32", here);
    EXPECT_ERROR(array<float> y = frit::where(column() > 0.F, row(), 1.F), frit::shape_error, "where", too_large, here);
    EXPECT_ERROR((void)(column() * row()).shape(), frit::shape_error, "*: ", too_large, here);
    EXPECT_ERROR((void)frit::sum(column() * row()).item(), frit::shape_error, "*: ", too_large, here);
    const array<float> line = frit::zeros<float>({large});
    EXPECT_ERROR(array<float> y = line(all, newaxis) - line, frit::shape_error, "-: ", too_large, here);
    const array<float> left = frit::zeros<float>({large, 0}), right = frit::zeros<float>({0, large});
    EXPECT_ERROR(array<float> y = frit::matmul(left, right), frit::shape_error, "matmul", too_large, "(8589934592, 0)",
                 here);
    for (const frit::pad_mode mode : {frit::pad_mode::edge, frit::pad_mode::constant})
        EXPECT_ERROR((void)frit::pad(frit::zeros<float>({1, 1}), {{0, large}}, mode), frit::shape_error, "pad", too_large,
                     "(1, 1)", here);
    EXPECT_ERROR((void)frit::zeros<float>({0}).reshape({0, large, large}), frit::shape_error, "reshape", too_large, here);
    EXPECT_ERROR((void)frit::broadcast_to(matrix(), {large, large, 2, 3}), frit::shape_error, too_large, here);
    EXPECT_ERROR((void)frit::eye<float>(large, large), frit::shape_error, too_large, here);
    array<float> u = row();
    EXPECT_ERROR(u += column(), frit::shape_error, too_large);
    EXPECT_ERROR(u(all) = column(), frit::shape_error, "assign", "(8589934592, 1)", "(1, 8589934592)");
}

TEST(HostileInput, CountsOfElements) {
    const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
    EXPECT_ERROR((void)frit::arange(0.0, inf), frit::shape_error, "arange", here);
    EXPECT_ERROR((void)frit::arange(0.0, nan), frit::shape_error, "arange", here);
    EXPECT_ERROR((void)frit::arange(0.0, 1.0, nan), frit::shape_error, "arange", here);
    EXPECT_ERROR((void)frit::arange(0.0, 1.0, 1e-300), frit::shape_error, "arange", here);
    EXPECT_ERROR((void)frit::arange(0.0, 0x1p59), frit::shape_error, "arange", here);
    EXPECT_ERROR((void)frit::arange(std::int64_t{0}, std::int64_t{1} << 59), frit::shape_error, "arange", here);
    EXPECT_ERROR((void)frit::arange(INT64_MIN, INT64_MAX), frit::shape_error, "arange", here);
    EXPECT_EQ(frit::arange(std::int64_t{0}, (std::int64_t{1} << 59) - 1).size(), (std::int64_t{1} << 59) - 1);
    EXPECT_EQ(frit::arange(3.0, 4.0, inf).to_vector(), (std::vector<double>{3})) << "as NumPy: the first is before the end";
    EXPECT_EQ(frit::arange(0.0, 1.0, -inf).size(), 0);
    EXPECT_ERROR((void)frit::linspace(0.0, 1.0, SIZE_MAX), frit::shape_error, too_large, here);
    EXPECT_ERROR((void)frit::linspace(0.0, 1.0, -1), frit::shape_error, "-1", here);
    EXPECT_ERROR((void)frit::eye<int>(SIZE_MAX), frit::shape_error, too_large, here);
}

TEST(HostileInput, UnsignedNumbersBeyondInt64AreNotNegativeOnes) {
    const array<float> x = matrix();
    constexpr std::uint64_t half = std::uint64_t{1} << 63;
    EXPECT_ERROR((void)x(SIZE_MAX), frit::index_error, "out of range", "(2, 3)", here);
    EXPECT_ERROR((void)x(0, half), frit::index_error, "out of range", here);
    EXPECT_ERROR(shape(SIZE_MAX), frit::shape_error, too_large, here);
    EXPECT_ERROR(shape({std::size_t{0}, SIZE_MAX}), frit::shape_error, too_large, here);
    EXPECT_ERROR(shape(std::vector<std::uint64_t>{half}), frit::shape_error, too_large, here);
    EXPECT_ERROR((void)x.reshape({SIZE_MAX}), frit::shape_error, "reshape", here);
    EXPECT_ERROR((void)x.reshape({SIZE_MAX, std::size_t{0}}), frit::shape_error, "reshape", here);
    EXPECT_ERROR((void)frit::sum(x, SIZE_MAX), frit::index_error, "sum", "axis", here);
    EXPECT_ERROR((void)frit::sum(x, {std::size_t{0}, SIZE_MAX}), frit::index_error, "sum", here);
    EXPECT_ERROR((void)frit::mean(x, std::vector<std::uint64_t>{half}), frit::index_error, "mean", here);
    EXPECT_ERROR((void)frit::flip(x, SIZE_MAX), frit::index_error, "flip", here);
    EXPECT_ERROR((void)frit::transpose(x, {SIZE_MAX, std::size_t{0}}), frit::index_error, "transpose", here);
    EXPECT_ERROR((void)frit::sort(x, SIZE_MAX), frit::index_error, "sort", here);
    EXPECT_ERROR((void)frit::argsort(x, SIZE_MAX), frit::index_error, "argsort", here);
    EXPECT_ERROR((void)frit::cumsum(x, SIZE_MAX), frit::index_error, "cumsum", here);
    EXPECT_ERROR((void)frit::expand_dims(x, SIZE_MAX), frit::index_error, "expand_dims", here);
    EXPECT_ERROR((void)frit::diagonal(x, 0, SIZE_MAX), frit::index_error, "diagonal", here);
    EXPECT_EQ(frit::diagonal(x, SIZE_MAX).size(), 0);
    EXPECT_ERROR((void)frit::pad(x, {{SIZE_MAX, 0}}), frit::shape_error, "pad", here);
    EXPECT_EQ(x(slice(0, SIZE_MAX)).shape(), x.shape()) << "bounds beyond the end are cut";
    EXPECT_EQ(x(slice(SIZE_MAX, none)).shape(), (shape{0, 3}));
    EXPECT_EQ(x(slice(none, none, SIZE_MAX)).shape(), (shape{1, 3}));
    frit::set_graph_limit(SIZE_MAX);
    frit::set_graph_limit(4096);
    EXPECT_ERROR(frit::set_graph_limit(-1), frit::error, "set_graph_limit", "-1", here);
}

TEST(HostileInput, AnyDdof) {
    const array<double> x{1, 2, 4};
    const double squares = 14.0 / 3;
    EXPECT_DOUBLE_EQ(frit::var(x, frit::ddof(-1)).item(), squares / 4);
    EXPECT_DOUBLE_EQ(frit::var(x, frit::ddof(INT64_MIN)).item(), squares / 0x1p63);
    EXPECT_TRUE(std::isinf(frit::var(x, frit::ddof(INT64_MAX)).item()));
    EXPECT_TRUE(std::isinf(frit::var(x, frit::ddof(SIZE_MAX)).item()));
    const array<bool> most{true, true, true};
    EXPECT_DOUBLE_EQ(frit::var(x, frit::where(most), frit::ddof(INT64_MIN)).item(), squares / 0x1p63);
    EXPECT_TRUE(std::isinf(frit::var(x, frit::where(most), frit::ddof(SIZE_MAX)).item()));
}

TEST(HostileInput, EntriesOfAShape) {
    const shape s{2, 3, 5};
    EXPECT_EQ(s[0], 2);
    EXPECT_EQ(s[-1], 5);
    EXPECT_EQ(s[-3], 2);
    EXPECT_EQ(matrix().shape()[-1], 3);
    EXPECT_ERROR((void)s[3], frit::index_error, "axis 3", "rank 3", "(2, 3, 5)");
    EXPECT_ERROR((void)s[-4], frit::index_error, "axis -4", "(2, 3, 5)");
    EXPECT_ERROR((void)s[SIZE_MAX], frit::index_error, "(2, 3, 5)");
    EXPECT_ERROR((void)shape()[0], frit::index_error, "axis 0", "()");
    EXPECT_ERROR((void)frit::int_list({4, -1})[2], frit::index_error, "(4, -1)");
}

TEST(HostileInput, NoGpuHasANegativeNumber) {
    EXPECT_ERROR((void)frit::device::cuda(-1), frit::device_error, "device::cuda", "-1", here);
    EXPECT_ERROR((void)frit::device::cuda(SIZE_MAX), frit::device_error, "device::cuda", here);
    EXPECT_ERROR((void)frit::device::cuda(std::int64_t{1} << 32), frit::device_error, "4294967296", here);
    static_assert(frit::device::cuda(3).index() == 3);
    EXPECT_ERROR((void)frit::device::parse("cuda:-1"), frit::device_error, "cuda:-1", here);
}

TEST(HostileInput, StridesThatLeadOutOfMemory) {
    const float data[4] = {1, 2, 3, 4};
    EXPECT_ERROR(frit::borrow(data, {2, 2}, {INT64_MAX, 1}), frit::shape_error, "borrow", "address space", "(2, 2)", here);
    EXPECT_ERROR(frit::borrow(data, {3}, {INT64_MIN}), frit::shape_error, "borrow", "address space", here);
    EXPECT_ERROR(frit::borrow(data, {2, 2}, {INT64_MAX / 4, INT64_MAX / 4}), frit::shape_error, "address space", here);
    EXPECT_ERROR(frit::borrow(data, {2}, {SIZE_MAX}), frit::shape_error, "address space", here);
    EXPECT_ERROR(frit::borrow(data, {2}, {-(std::int64_t{1} << 55)}), frit::shape_error, "address space", here);
    EXPECT_ERROR(frit::borrow(data, {2, 2}, {1}), frit::shape_error, "1 strides for rank 2", here);
    EXPECT_ERROR(frit::borrow(data, {-2}), frit::shape_error, "-2", here);
    // what no step is taken along may have any stride
    EXPECT_EQ(frit::sum(frit::borrow(data, {1, 4}, {INT64_MIN, 1})).item(), 10);
    EXPECT_EQ(frit::sum(frit::borrow(data, {0, 4}, {INT64_MAX, INT64_MAX}) + 1.F).item(), 0);
    float to[4] = {};
    EXPECT_ERROR(frit::eval_into(frit::out(to, {2, 2}, {INT64_MAX, 1}), 1.F), frit::shape_error, "eval_into",
                 "address space", here);
    EXPECT_ERROR(frit::eval_into(frit::out(to, {2, 2}, {0, 1}), matrix()(all, slice(0, 2))), frit::shape_error, "one place",
                 "(2, 2)", here);
    EXPECT_ERROR(frit::eval_into(frit::out(to, {2, 2}, {1, 1}), 1.F), frit::shape_error, "one place", here);
    float spread[8] = {};
    frit::eval_into(frit::out(spread, {3, 2}, {2, 3}), frit::reshape(frit::arange<float>(1, 7), {3, 2}));
    EXPECT_EQ(std::vector<float>(spread, spread + 8), (std::vector<float>{1, 0, 3, 2, 5, 4, 0, 6}));
    const float* nowhere = nullptr;
    EXPECT_ERROR(frit::borrow(nowhere, {3}), frit::error, "borrow", "null pointer", here);
    EXPECT_ERROR(frit::from_host(nowhere, {3}), frit::error, "from_host", "null pointer", here);
    EXPECT_ERROR(frit::eval_into(frit::out(static_cast<float*>(nullptr), {3}), 1.F), frit::error, "eval_into",
                 "null pointer", here);
    EXPECT_EQ(frit::borrow(nowhere, {0}).size(), 0);
}

TEST(HostileInput, ViewsThatAreTooLargeNameTheUsersLine) {
    float one = 1;
    using extents = small::extents<any, any>;
    const small::mdspan<float, extents, small::layout_stride> endless(&one, {extents({INT_MAX, INT_MAX}), {0, 0}});
    EXPECT_ERROR((void)frit::borrow(endless), frit::shape_error, too_large, here);
    EXPECT_ERROR((void)frit::borrow(endless, nullptr), frit::shape_error, too_large, here);
    EXPECT_ERROR((void)frit::from_host(endless), frit::shape_error, too_large, here);
    EXPECT_ERROR((void)frit::out(endless), frit::shape_error, too_large, here);
}

/// Whatever goes wrong, frit's own files are nobody's business.
TEST(HostileInput, NoErrorNamesAFileOfFrits) {
    const array<float> x = matrix(), c = column(), r = row();
    array<float> u = x;
    const array<float> none_yet;
    const std::function<void()> wrong[] = {
        [&] { array<float> y = c + r; },
        [&] { array<float> y = x + frit::ones<float>({7}); },
        [&] { (void)(c * r).to_vector(); },
        [&] { (void)frit::sum(c * r, 0).shape(); },
        [&] { u += c; },
        [&] { u(0) = c; },
        [&] { u(x > c) = 1.F; },
        [&] { u(slice(0, 1)) += c * r; },
        [&] { (void)frit::mean(c - r); },
        [&] { (void)frit::var(c - r, 0).item(); },
        [&] { (void)frit::softmax(c - r, 0); },
        [&] { (void)frit::linalg::norm(c - r); },
        [&] { (void)frit::dot(c, r); },
        [&] {
            (void)frit::matmul(frit::zeros<float>({large, 0}), frit::zeros<float>({0, large})).shape();
        },
        [&] { (void)frit::matmul(x, x).to_vector(); },
        [&] { (void)frit::cumsum(frit::scalar(1.F), 0); },
        [&] { (void)frit::cumsum(c * r); },
        [&] { (void)frit::sort(c * r, 3); },
        [&] {
            (void)frit::pad(c * r, {{1, 1}});
        },
        [&] {
            (void)frit::pad(frit::zeros<float>({0}), {{1, 1}}, frit::pad_mode::edge);
        },
        [&] { (void)frit::arange(0.0, 1.0, 0.0); },
        [&] { (void)frit::linspace(0.F, 1.F, large << 27); },
        [&] { (void)frit::from_host(std::vector<float>(3), {4}); },
        [&] { (void)frit::eval_into(frit::out(static_cast<float*>(nullptr), {1}), c * r); },
        [&] { frit::eval(c * r); },
        [&] { (void)frit::array_equal(c * r, c * r); },
        [&] { (void)frit::where(c > r, c, r).shape(); },
        [&] { (void)frit::sum(x, frit::where(c > r)); },
        [&] { (void)frit::full_like(c * r, 1.F); },
        [&] { (void)(none_yet + 1.F).shape(); },
        [&] { (void)frit::sum(none_yet).shape(); },
        [&] { (void)frit::explain(c * r); },
        [&] { (void)frit::stddev(x, 5, frit::keepdims); },
        [&] { (void)x(frit::ellipsis, frit::ellipsis); },
        [&] { (void)x(0, 0, 0, newaxis); },
    };
    for (std::size_t k = 0; k < std::size(wrong); ++k) {
        try {
            wrong[k]();
            ADD_FAILURE() << "statement " << k << " is not refused";
        } catch (const frit::error& e) {
            const std::string text = e.what();
            for (const char* own : {"/src/", "/fusion/", "include/frit"})
                EXPECT_EQ(text.find(own), std::string::npos) << "statement " << k << ": " << text;
        }
    }
}

}  // namespace
