// Reading one element through views is a load: no kernel and no bytes, whatever the views are, and the same value, error and
// state afterwards as if a kernel had stored it.
#include <cstddef>
#include <sstream>
#include <vector>

#include <frit/frit.hpp>

#include "src/graph/mirror.hpp"
#include "tests/support/kernels.hpp"

namespace {
using frit::all;
using frit::array;
using frit::newaxis;
using frit::none;
using frit::slice;
using doubles = std::vector<double>;

/// 0, 1, 2, ... of a shape.
array<double> numbered(const frit::shape& s) {
    doubles v(static_cast<std::size_t>(s.size()));
    for (std::size_t k = 0; k < v.size(); ++k) v[k] = static_cast<double>(k);
    return frit::from_host(v, s);
}

/// What f() gives, and how many kernels ran for it.
template <class F>
std::pair<double, std::uint64_t> kernels_of(F&& f) {
    const frit::counters before = frit::stats();
    const double got = f();
    const frit::counters after = frit::stats();
    EXPECT_EQ(after.bytes_written - before.bytes_written, 8 * (after.kernels_launched - before.kernels_launched));
    return {got, after.kernels_launched - before.kernels_launched};
}
#define EXPECT_LOADED(value, ...) \
    EXPECT_EQ(kernels_of([&] { return __VA_ARGS__; }), (std::pair<double, std::uint64_t>(value, 0)))

TEST(Elements, OfEveryView) {
    const array<double> x = numbered({4, 5, 6});
    for (int i = -4; i < 4; ++i)
        for (int j = 0; j < 5; ++j)
            for (int k = -6; k < 6; ++k) EXPECT_LOADED(30 * ((i + 4) % 4) + 6 * j + (k + 6) % 6, x(i, j, k).item());
    EXPECT_LOADED(30 + 12 + 3, x(1)(2)(3).item());
    EXPECT_LOADED(30 + 12 + 3, x.T()(3, 2, 1).item());
    EXPECT_LOADED(30 + 12 + 3, x(slice(none, none, -1), slice(0, 5, 2), all)(2, 1, 3).item());
    EXPECT_LOADED(77, x.reshape({6, 20})(3, 17).item());
    EXPECT_LOADED(77, x.reshape({6, 20}).T().reshape({120})(17 * 6 + 3).item());
    EXPECT_LOADED(7, x(0, 1, slice(1, 2), newaxis).item());
    EXPECT_LOADED(119, frit::flip(x)(0, 0, 0).item());
    EXPECT_LOADED(7, frit::diagonal(x(0))(1).item());
    EXPECT_LOADED(30, frit::broadcast_to(x(1, 0, slice(0, 1)), {3, 9})(2, 8).item());
    EXPECT_LOADED(5, frit::pad(x(0, 0), {{2, 3}}, frit::pad_mode::edge)(10).item());
    EXPECT_LOADED(0, frit::pad(x(0, 0), {{2, 3}}, frit::pad_mode::edge)(1).item());
    EXPECT_LOADED(3, frit::squeeze(x(slice(0, 1), 0, all))(3).item());
}

TEST(Elements, OfEveryDtype){
#define FRIT_X(name, ctype)                                                      \
    {                                                                            \
        const array<ctype> x = frit::cast<ctype>(array<int>{0, 1, 1, 0}).eval(); \
        const std::uint64_t before = frit::stats().kernels_launched;             \
        EXPECT_EQ(x(1).item(), ctype(1));                                        \
        EXPECT_EQ(x(3).item(), ctype(0));                                        \
        EXPECT_EQ(frit::stats().kernels_launched, before) << #name;              \
    }
    FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
}

TEST(Elements, InOtherPeoplesMemory) {
    const doubles v{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    const array<double> x = frit::borrow(v.data() + 8, {3, 2}, {-4, 2});
    EXPECT_LOADED(8, x(0, 0).item());
    EXPECT_LOADED(2, x(2, 1).item());
    EXPECT_LOADED(6, x.T()(1, 1).item());
}

TEST(Elements, InEveryWayToRead) {
    const array<double> x = numbered({7});
    EXPECT_LOADED(3, x(3).to_vector()[0]);
    EXPECT_LOADED(3, [&] {
        double to = 0;
        x(3).copy_to({&to, 1});
        return to;
    }());
    EXPECT_LOADED(3, x(3).span()[0]);
    EXPECT_LOADED(3, [&] {
        std::ostringstream text;
        text << array<double>(x(3));
        return std::stod(text.str());
    }());
    EXPECT_LOADED(3, array<double>(x(3)).to(frit::device::cpu()).item());
}

TEST(Elements, OfWhatIsNotStoredAreComputed) {
    const array<double> x = numbered({7});
    EXPECT_EQ(kernels_of([&] { return array<double>(x + 1.0)(3).item(); }), (std::pair<double, std::uint64_t>(4, 1)));
    EXPECT_EQ(kernels_of([&] { return (x(3) + 1.0).item(); }), (std::pair<double, std::uint64_t>(4, 1)));
    EXPECT_EQ(kernels_of([&] { return frit::cast<double>(frit::cast<float>(x(3))).item(); }),
              (std::pair<double, std::uint64_t>(3, 1)));
}

TEST(Elements, OfNamedViews) {
    const array<double> x = numbered({4, 5});
    const array<double> inner = x(slice(1, 3), all), turned = inner.T(), row = turned(2);
    EXPECT_LOADED(12, row(1).item());
    EXPECT_LOADED(7, row(0).item());
    EXPECT_LOADED(14, turned(4, 1).item());
}

// What is read is stored, so its array is let go: writing into that needs no copy.
TEST(Elements, ThatAreReadHoldNothing) {
    array<double> x = numbered({1000});
    const array<double> first = x(0);
    EXPECT_LOADED(0, first.item());
    x(0) = 5.0;
    const frit::counters before = frit::stats();
    x.eval();
    EXPECT_EQ(frit::stats().bytes_written - before.bytes_written, 8U);
    EXPECT_EQ(first.item(), 0);
    EXPECT_EQ(x(0).item(), 5);
    const std::uint64_t live = frit::stats().live_bytes;
    x = {};
    EXPECT_LE(frit::stats().live_bytes, live - 8000);
}

TEST(Elements, AreRefusedAsBefore) {
    const array<double> x = numbered({3});
    EXPECT_ERROR(static_cast<void>(x(3).item()), frit::index_error, "index 3 is out of range for axis 0 with extent 3",
                 "test_elements.cpp");
    EXPECT_ERROR(static_cast<void>(x(slice(0, 2)).item()), frit::shape_error, "item", "(2,)");
    EXPECT_ERROR(static_cast<void>(x(slice(0, 0)).item()), frit::shape_error, "item", "(0,)");
}

TEST(Elements, OfAGpuComeFromTheMirrorWhereThereIsOne) {
    if (frit::default_device().is_cpu()) GTEST_SKIP() << "the CPU's memory is read in place";
    frit::detail::forget_mirrors();
    const array<double> x = numbered({100});
    frit::reset_stats();
    EXPECT_LOADED(7, x(7).item());
    EXPECT_EQ(frit::stats().device_to_host_bytes, 8U);
    EXPECT_EQ(x.to_vector()[7], 7);
    EXPECT_EQ(frit::stats().device_to_host_bytes, 808U);
    EXPECT_LOADED(8, x(8).item());
    EXPECT_EQ(frit::stats().device_to_host_bytes, 808U);
}

}  // namespace
