// Masks beside other indices, read and assigned, and values put where a mask is true, one for each true element: NumPy's
// answers (2.4.6), which stand here, and those of a loop on the host; what is read as a whole and counts nothing; mistakes;
// kernels, calls and bytes.
#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "frit/frit.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"
#include "tests/support/taken.hpp"

namespace {
using frit_test::taken;
using frit_test::taken_by;

using frit::all;
using frit::any_array;
using frit::arange;
using frit::array;
using frit::ellipsis;
using frit::newaxis;
using frit::none;
using frit::shape;
using frit::slice;
using ints = std::vector<int>;

bool on_gpu() { return !frit::default_device().is_cpu(); }

// The inputs of NumPy's column.
struct masks_and_indices {
    array<bool> a{true, false}, b{true, false, true}, c{false, true, true, false}, c1{false, false, true, false},
        ab{{true, false, true}, {false, true, true}},
        bc{{true, false, false, true}, {false, false, false, false}, {false, true, false, false}},
        nowhere{false, false, false};
    array<int> i{1, 0}, j{2, -1, 0};
};
#define WITH_INPUTS                \
    const masks_and_indices given; \
    const auto& [a, b, c, c1, ab, bc, nowhere, i, j] = given
array<int> numbers() { return arange(24).reshape({2, 3, 4}); }

struct read_case {
    const char* numpy;
    any_array (*typed)(const array<int>&);
    any_array (*open)(const any_array&);
    std::vector<std::int64_t> extents;
    ints values;
};
#define READ(text, frits, ...)           \
    {                                    \
        text,                            \
            [](const array<int>& x) {    \
                WITH_INPUTS;             \
                return any_array(frits); \
            },                           \
            [](const any_array& x) {     \
                WITH_INPUTS;             \
                return any_array(frits); \
            },                           \
            __VA_ARGS__                  \
    }
const read_case reads[] = {
    READ("x[a,1]", x(a, 1), {1, 4}, {4, 5, 6, 7}),
    READ("x[:,b]", x(all, b), {2, 2, 4}, {0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15, 20, 21, 22, 23}),
    READ("x[a,1:3]", x(a, slice(1, 3)), {1, 2, 4}, {4, 5, 6, 7, 8, 9, 10, 11}),
    READ("x[...,c]", x(ellipsis, c), {2, 3, 2}, {1, 2, 5, 6, 9, 10, 13, 14, 17, 18, 21, 22}),
    READ("x[a,:,c]", x(a, all, c), {2, 3}, {1, 5, 9, 2, 6, 10}),
    READ("x[:,b,c]", x(all, b, c), {2, 2}, {1, 10, 13, 22}),
    READ("x[ab,1]", x(ab, 1), {4}, {1, 9, 17, 21}),
    READ("x[ab,::-2]", x(ab, slice(none, none, -2)), {4, 2}, {3, 1, 11, 9, 19, 17, 23, 21}),
    READ("x[ab,c1]", x(ab, c1), {4}, {2, 10, 18, 22}),
    READ("x[0,bc]", x(0, bc), {3}, {0, 3, 9}),
    READ("x[:,bc]", x(all, bc), {2, 3}, {0, 3, 9, 12, 15, 21}),
    READ("x[i,b]", x(i, b), {2, 4}, {12, 13, 14, 15, 8, 9, 10, 11}),
    READ("x[i[:,None],b]", x(i(all, newaxis), b), {2, 2, 4}, {12, 13, 14, 15, 20, 21, 22, 23, 0, 1, 2, 3, 8, 9, 10, 11}),
    READ("x[i,:,c]", x(i, all, c), {2, 3}, {13, 17, 21, 2, 6, 10}),
    READ("x[None,a,1]", x(newaxis, a, 1), {1, 1, 4}, {4, 5, 6, 7}),
    READ("x[1,:,c]", x(1, all, c), {2, 3}, {13, 17, 21, 14, 18, 22}),
    READ("x[:,nowhere]", x(all, nowhere), {2, 0, 4}, {}),
    READ("x[:,nowhere,c1]", x(all, nowhere, c1), {2, 0}, {}),
    READ("x[1:2,b,j[:2]]", x(slice(1, 2), b, j(slice(0, 2))), {1, 2}, {14, 23}),
};
#undef READ

TEST(MasksBesideOthers, AreReadAsNumPyReadsThem) {
    frit_test::everywhere([](const std::string& where) {
        for (const read_case& r : reads) {
            SCOPED_TRACE(where + ", " + r.numpy);
            const array<int> x = numbers().eval();
            for (const any_array& got : {r.typed(x), r.open(x)}) {
                EXPECT_EQ(got.shape(), shape(r.extents));
                EXPECT_EQ(got.to_vector<int>(), r.values);
            }
        }
    });
}

struct write_case {
    const char* numpy;
    void (*typed)(array<int>&);
    void (*open)(any_array&);
    ints values;
};
#define WRITE(text, frits, ...) \
    {                           \
        text,                   \
            [](array<int>& u) { \
                WITH_INPUTS;    \
                frits;          \
            },                  \
            [](any_array& u) {  \
                WITH_INPUTS;    \
                frits;          \
            },                  \
            __VA_ARGS__         \
    }
const write_case writes[] = {
    WRITE("u[a,1]=7", (u(a, 1) = 7), {0, 1, 2, 3, 7, 7, 7, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23}),
    WRITE("u[:,b]+=100", (u(all, b) += 100),
          {100, 101, 102, 103, 4, 5, 6, 7, 108, 109, 110, 111, 112, 113, 114, 115, 16, 17, 18, 19, 120, 121, 122, 123}),
    WRITE("u[...,c]=[50,60]", (u(ellipsis, c) = array<int>{50, 60}),
          {0, 50, 60, 3, 4, 50, 60, 7, 8, 50, 60, 11, 12, 50, 60, 15, 16, 50, 60, 19, 20, 50, 60, 23}),
    WRITE("u[a,1:3]=u[1:2,0:2]", (u(a, slice(1, 3)) = u(slice(1, 2), slice(0, 2))),
          {0, 1, 2, 3, 12, 13, 14, 15, 16, 17, 18, 19, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23}),
    WRITE("u[ab,1]*=np.array([2,3,4,5])", (u(ab, 1) *= array<int>{2, 3, 4, 5}),
          {0, 2, 2, 3, 4, 5, 6, 7, 8, 27, 10, 11, 12, 13, 14, 15, 16, 68, 18, 19, 20, 105, 22, 23}),
    WRITE("u[ab,0:4:2]=[[1],[2],[3],[4]]", (u(ab, slice(0, 4, 2)) = array<int>{{1}, {2}, {3}, {4}}),
          {1, 1, 1, 3, 4, 5, 6, 7, 2, 9, 2, 11, 12, 13, 14, 15, 3, 17, 3, 19, 4, 21, 4, 23}),
    WRITE("u[0,bc]-=np.array([10,20,30])", (u(0, bc) -= array<int>{10, 20, 30}),
          {-10, 1, 2, -17, 4, 5, 6, 7, 8, -21, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23}),
    WRITE("u[:,bc]=[[1,2,3],[4,5,6]]", (u(all, bc) = array<int>{{1, 2, 3}, {4, 5, 6}}),
          {1, 1, 2, 2, 4, 5, 6, 7, 8, 3, 10, 11, 4, 13, 14, 5, 16, 17, 18, 19, 20, 6, 22, 23}),
    WRITE("u[i,:,c]=[1,2,3]", (u(i, all, c) = array<int>{1, 2, 3}),
          {0, 1, 1, 3, 4, 5, 2, 7, 8, 9, 3, 11, 12, 1, 14, 15, 16, 2, 18, 19, 20, 3, 22, 23}),
    WRITE("u[i[:,None],b]//=3", (u(i(all, newaxis), b) /= 3),
          {0, 0, 0, 1, 4, 5, 6, 7, 2, 3, 3, 3, 4, 4, 4, 5, 16, 17, 18, 19, 6, 7, 7, 7}),
    WRITE("u[:,nowhere]=9", (u(all, nowhere) = 9),
          {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23}),
    WRITE("u[:,:,c]=5", (u(all, all, c) = 5),
          {0, 5, 5, 3, 4, 5, 5, 7, 8, 5, 5, 11, 12, 5, 5, 15, 16, 5, 5, 19, 20, 5, 5, 23}),
};
#undef WRITE

TEST(MasksBesideOthers, AreAssignedAsNumPyAssignsThem) {
    frit_test::everywhere([](const std::string& where) {
        for (const write_case& w : writes) {
            SCOPED_TRACE(where + ", " + w.numpy);
            array<int> u = numbers().eval();
            any_array v = u;
            w.typed(u);
            w.open(v);
            EXPECT_EQ(u.to_vector(), w.values);
            EXPECT_EQ(v.to_vector<int>(), w.values);
        }
    });
}

TEST(MasksBesideOthers, OfFormulasAndOfArraysThatAreNotConst) {
    WITH_INPUTS;
    array<int> x = numbers();
    EXPECT_EQ(array<int>((x + 1)(all, b, 0) * 2).to_vector(), (ints{2, 18, 26, 42}));
    EXPECT_EQ(x(x(all, all, 0) > 7, 3).to_vector(), (ints{11, 15, 19, 23}));
    EXPECT_EQ(sum(x(1, b, c1)).item(), 14 + 22);
    const array<int> before = x(a, 1);
    x(a, 1) = 0;
    EXPECT_EQ(before.to_vector(), (ints{4, 5, 6, 7}));
    EXPECT_EQ(x(a, 1).to_vector(), (ints{0, 0, 0, 0}));
    EXPECT_EQ(x(any_array(a), 1).to_vector(), (ints{0, 0, 0, 0}));
}

TEST(MasksBesideOthers, Mistakes) {
    WITH_INPUTS;
    array<int> x = numbers();
    EXPECT_ERROR(x(b, 0), frit::shape_error, "mask", "(2, 3, 4)", "(3,)", "test_masked_values.cpp");
    EXPECT_ERROR(x(all, ab), frit::shape_error, "mask", "(2, 3)", "test_masked_values.cpp");
    EXPECT_ERROR(x(array<int>{0, 1, 0}, b), frit::shape_error, "broadcast", "test_masked_values.cpp");
    EXPECT_ERROR((x(a, 1) = array<int>{1, 2, 3}), frit::shape_error, "assign", "(3,)", "(1, 4)", "test_masked_values.cpp");
    EXPECT_EQ(x.to_vector(), numbers().to_vector());
}

// --- u(mask) = v ---

TEST(MaskedValues, AsNumPyPutsThem) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const masks_and_indices given;
        const array<bool>&a = given.a, &ab = given.ab;
        const array<bool> fives = array<bool>(numbers() % 5 == 1);
        const array<int> v = arange(1, 6), rows = array<int>(arange(16).reshape({4, 4}) * 10);
        const auto expect = [](const char* numpy, auto change, const ints& values) {
            array<int> u = numbers().eval();
            any_array open = u;
            change(u);
            change(open);
            EXPECT_EQ(u.to_vector(), values) << numpy;
            EXPECT_EQ(open.to_vector<int>(), values) << numpy << ", any_array";
        };
        expect("u[u % 5 == 1] = v", [&](auto& u) { u(fives) = v; },
               {0, 1, 2, 3, 4, 5, 2, 7, 8, 9, 10, 3, 12, 13, 14, 15, 4, 17, 18, 19, 20, 5, 22, 23});
        expect("u[u % 5 == 1] *= v", [&](auto& u) { u(u % 5 == 1) *= v; },
               {0, 1, 2, 3, 4, 5, 12, 7, 8, 9, 10, 33, 12, 13, 14, 15, 64, 17, 18, 19, 20, 105, 22, 23});
        expect("u[ab] = rows", [&](auto& u) { u(ab) = rows; },
               {0, 10, 20, 30, 4, 5, 6, 7, 40, 50, 60, 70, 12, 13, 14, 15, 80, 90, 100, 110, 120, 130, 140, 150});
        expect("u[ab] = rows[:, :1] / 10", [&](auto& u) { u(ab) = rows(all, slice(0, 1)) / 40; },
               {0, 0, 0, 0, 4, 5, 6, 7, 1, 1, 1, 1, 12, 13, 14, 15, 2, 2, 2, 2, 3, 3, 3, 3});
        expect("u[ab] += row",
               [&](auto& u) {
                   u(ab) += array<int>{100, 200, 300, 400};
               },
               {100, 201, 302, 403, 4, 5, 6, 7, 108, 209, 310, 411, 12, 13, 14, 15, 116, 217, 318, 419, 120, 221, 322, 423});
        expect("u[a] -= block",
               [&](auto& u) {
                   u(any_array(a)) -= arange(12).reshape({1, 3, 4});
               },
               {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23});
    });
}

std::uint64_t hashed(std::uint64_t k) {
    k = (k + 1) * 0x9e3779b97f4a7c15U;
    return (k ^ k >> 31) * 0xbf58476d1ce4e5b9U;
}
array<bool> some_of(std::int64_t n, std::uint64_t of) {
    std::vector<std::uint8_t> m;
    for (std::int64_t k = 0; k < n; ++k) m.push_back(hashed(static_cast<std::uint64_t>(k)) % 64 < of);
    return array<bool>(frit::cast<bool>(frit::from_host(m))).eval();
}

/// Every form of assignment against a loop.
template <class T>
void check_dtype(const std::string& where) {
    constexpr bool is_bool = std::is_same_v<T, bool>;
    for (const std::int64_t n : {1, 9, 1003})
        for (const std::uint64_t of : {0U, 3U, 32U, 64U}) {
            SCOPED_TRACE(where + ", " + std::string(frit::name_of(frit::dtype_of<T>)) + ", " + std::to_string(n) + ", " +
                         std::to_string(of));
            const array<bool> m = some_of(n, of);
            const std::vector<bool> truth = m.to_vector();
            const std::int64_t count = frit::count_nonzero(m).item();
            const array<T> start = array<T>(frit::cast<T>(arange<int>(n) % 5 + 2)).eval(),
                           v = array<T>(frit::cast<T>(arange<int>(count) % 3 + 1)).eval();
            const std::vector<T> before = start.to_vector(), values = v.to_vector();
            const auto check = [&](const char* what, auto change, auto combine) {
                array<T> u = array<T>(start);
                any_array open = start;
                change(u);
                change(open);
                std::vector<T> want = before;
                std::size_t k = 0;
                for (std::size_t e = 0; e < want.size(); ++e)
                    if (truth[e]) want[e] = combine(T(want[e]), T(values[k++]));
                EXPECT_TRUE(u.to_vector() == want) << what;
                EXPECT_TRUE(open.to_vector<T>() == want) << what << ", any_array";
            };
            check(
                "=", [&](auto& u) { u(m) = v; }, [](T, T y) { return y; });
            check(
                "= a formula", [&](auto& u) { u(m) = v * v; }, [](T, T y) { return T(y * y); });
            if constexpr (!is_bool) {
                check(
                    "+=", [&](auto& u) { u(m) += v; }, [](T x, T y) { return T(x + y); });
                check(
                    "-=", [&](auto& u) { u(m) -= v; }, [](T x, T y) { return T(x - y); });
                check(
                    "*=", [&](auto& u) { u(m) *= v; }, [](T x, T y) { return T(x * y); });
                if constexpr (!frit::is_complex(frit::dtype_of<T>))
                    check(
                        "/=", [&](auto& u) { u(m) /= v; }, [](T x, T y) { return T(x / y); });
            }
        }
}
TEST(MaskedValues, OneForEachTrueElement) {
    frit_test::everywhere([](const std::string& where) {
        check_dtype<bool>(where);
        check_dtype<std::int8_t>(where);
        check_dtype<std::int64_t>(where);
        check_dtype<frit::half>(where);
        check_dtype<float>(where);
        check_dtype<std::complex<float>>(where);
    });
}

TEST(MaskedValues, OfAnotherMask) {
    array<double> u = arange(6.0);
    const array<double> x = arange(6.0) * 10;
    const array<bool> odd = array<bool>(frit::cast<int>(u) % 2 == 1);
    u(odd) = x(odd);
    EXPECT_EQ(u.to_vector(), (std::vector<double>{0, 10, 2, 30, 4, 50}));
    u(odd) = u(!odd);
    EXPECT_EQ(u.to_vector(), (std::vector<double>{0, 0, 2, 2, 4, 4}));
    u(odd) = u(odd);
    u(odd) -= u(odd);
    EXPECT_EQ(u.to_vector(), (std::vector<double>{0, 0, 2, 0, 4, 0}));
    any_array p = x, m = odd;
    p(m) += p(m);
    p(m) = p(m) + 1;
    EXPECT_EQ(p.to_vector<double>(), (std::vector<double>{0, 21, 20, 61, 40, 101}));
}

TEST(MaskedValues, OtherCompoundAssignmentsToo) {
    array<int> u{1, 2, 3, 4, 5};
    const array<bool> m{true, false, true, false, true};
    u(m) <<= array<int>{1, 2, 3};
    EXPECT_EQ(u.to_vector(), (ints{2, 2, 12, 4, 40}));
    u(m) |= array<int>{1, 1, 1};
    u(m) %= array<int>{2, 5, 6};
    EXPECT_EQ(u.to_vector(), (ints{1, 2, 3, 4, 5}));
}

// As an assignment casts: within a kind.
TEST(MaskedValues, AreCastAsOthersAre) {
    array<float> u{1, 2, 3};
    u(array<bool>{true, false, true}) = array<double>{0.1, 0.2};
    EXPECT_EQ(u.to_vector(), (std::vector<float>{0.1F, 2, 0.2F}));
    u(array<bool>{true, false, true}) = array<int>{7, 8};
    EXPECT_EQ(u.to_vector(), (std::vector<float>{7, 2, 8}));
    any_array k = array<int>{1, 2, 3};
    EXPECT_THROW((k(array<bool>{true, false, true}) = array<double>{0.1, 0.2}), frit::dtype_error);
    EXPECT_EQ(k.to_vector<int>(), (ints{1, 2, 3}));
    array<frit::half> h{frit::half(1.F), frit::half(2.F), frit::half(3.F)};  // in float32, rounded at the end
    h(array<bool>{true, false, true}) += array<float>{0.0004F, 2048.F};
    EXPECT_EQ(static_cast<float>(h(0).item()), 1.F);
    EXPECT_EQ(static_cast<float>(h(2).item()), 2052.F);
}

// Where u's own shape says how the value lies, nothing is counted and nothing read: the kernel reads the mask.
TEST(MaskedValues, OfTheArraysShapeAreSeenThroughTheMask) {
    WITH_INPUTS;
    array<float> u = arange<float>(1000).eval();
    const array<float> whole = frit::sin(arange<float>(1000)).eval(), one = frit::full({1}, 5.F).eval();
    const frit::counters before = frit::stats();
    u(u > 500.F) = whole;
    u(u < 0.F) = 3.F;
    u(u < 100.F) += frit::scalar(1.F);
    u(u > 900.F) = one;
    const frit::counters after = frit::stats();
    EXPECT_EQ(after.kernels_launched, before.kernels_launched);
    EXPECT_EQ(after.library_calls, before.library_calls);
    EXPECT_KERNELS(1, u);
    array<int> rows = numbers();
    rows(a) = arange(24).reshape({2, 3, 4}) + 100;
    rows(ab) = array<int>{1, 2, 3, 4};
    rows(ab) = array<int>{{9}};
    EXPECT_EQ(rows(0, 1).to_vector(), (ints{104, 105, 106, 107}));
    EXPECT_EQ(rows(0, 0).to_vector(), (ints{9, 9, 9, 9}));
}

TEST(MaskedValues, Mistakes) {
    WITH_INPUTS;
    array<float> u = arange<float>(6).reshape({2, 3});
    const std::vector<float> before = u.to_vector();
    EXPECT_ERROR(u(u > 2.F) = (array<float>{1, 2}), frit::shape_error, "assign", "true at 3 places", "2 values", "(2, 3)",
                 "(2,)", "test_masked_values.cpp");
    EXPECT_ERROR(u(u > 2.F) += (array<float>{1, 2, 3, 4}), frit::shape_error, "true at 3 places", "4 values",
                 "test_masked_values.cpp");
    EXPECT_ERROR(u(a) = (array<float>{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}), frit::shape_error, "true at 1 places", "3 values");
    EXPECT_ERROR(u(u > 9.F) = (array<float>{1, 2, 3}), frit::shape_error, "true at 0 places", "3 values");
    EXPECT_ERROR(u(array<bool>{{true, true, false}, {false, false, false}}) = frit::zeros<float>({0}), frit::shape_error,
                 "true at 2 places", "0 values");
    array<float> w = arange<float>(24).reshape({2, 3, 4});
    EXPECT_ERROR(w(ab) = (frit::zeros<float>({4, 3})), frit::shape_error, "assign", "(4, 3)", "(4, 4)");
    any_array p = u;
    EXPECT_ERROR(p(any_array(u > 2.F)) = (array<float>{1, 2}), frit::shape_error, "true at 3 places", "2 values");
    EXPECT_EQ(u.to_vector(), before);
    EXPECT_EQ(p.to_vector<float>(), before);
    u(u > 9.F) = frit::zeros<float>({0});
    EXPECT_EQ(u.to_vector(), before);
}

// The places are found when the statement is recorded, and the elements written in place when it runs.
TEST(MaskedValues, KernelsCallsAndBytes) {
    constexpr std::uint64_t n = 100'000;
    array<float> u = arange<float>(n).eval();
    const array<bool> m = array<bool>(u < 1000.F).eval();
    const array<float> v = frit::ones<float>({1000}).eval();
    const void* const memory = on_gpu() ? nullptr : u.span().data();
    EXPECT_EQ(taken_by([&] { u(m) = v; }), (taken{0, 1, n, 8 * n + 8}));
    // places, values and the elements that are touched
    EXPECT_EQ(taken_by([&] { u.eval(); }), (taken{0, 1, (8 + 4 + 4) * 1000, 4 * 1000}));
    if (!on_gpu()) {
        EXPECT_EQ(u.span().data(), memory);
    }
    // Combined first, in a kernel that reads what is there.
    u(m) += v;
    EXPECT_EQ(taken_by([&] { u.eval(); }), (taken{1, 1, (8 + 4 + 4 + 8 + 4 + 4) * 1000, (4 + 4) * 1000}));
    if (!on_gpu()) {
        EXPECT_EQ(u.span().data(), memory);
    }
    u(m) -= 1.F;
    const array<float> k = arange<float>(n);
    EXPECT_TRUE(array_equal(u, where(k < 1000.F, 1.F, k)));
}

}  // namespace
