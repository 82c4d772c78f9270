// Library calls of the CPU backend, made directly: products against long double in every layout, scans and sorts against
// what NumPy does, and that none of them depends on the number of threads.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include <frit/frit.hpp>
#include "src/base/threads.hpp"
#include "src/cpu/blas.hpp"
#include "src/cpu/cpu.hpp"
#include "src/cpu/isa.hpp"
#include "tests/support/library_calls.hpp"

namespace {

using frit::dtype;
using frit::op;
using frit::detail::matrix_layout;
using frit::detail::thread_pool;
using frit_test::library_call;
using frit_test::product_call;
using frit_test::row_call;

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

/// The pool at another size until the end of the test.
class threads {
public:
    explicit threads(int n) : before_(thread_pool::instance().size()) { thread_pool::instance().resize(n); }
    ~threads() { thread_pool::instance().resize(before_); }

private:
    int before_;
};

/// The scratch memory of a call: not a byte more than it asks for.
class workspace {
public:
    explicit workspace(const library_call& c) {
        if (const auto bytes = frit::detail::routine_of(c).on_cpu.workspace) memory_.resize(bytes(c));
    }
    void* data() const { return memory_.data(); }

private:
    mutable std::vector<std::byte> memory_;
};

/// OpenBLAS may be missing: frit then says so, and products cannot be tested.
#define NEEDS_OPENBLAS()                                                         \
    try {                                                                        \
        frit::detail::blas_description();                                        \
    } catch (const frit::device_error& e) {                                      \
        EXPECT_NE(std::string(e.what()).find("libopenblas"), std::string::npos); \
        GTEST_SKIP() << e.what();                                                \
    }

const frit::detail::isa_table& loops = frit::detail::table_of(frit::detail::machine_isa());

/// With scratch memory of its own; null for a result that is not asked for.
void run(const library_call& c, const std::vector<const void*>& operands, std::vector<void*> results,
         const frit::detail::isa_table& table = loops) {
    const workspace scratch(c);
    frit::detail::routine_of(c).on_cpu.run(c, {operands, results, scratch.data()}, table);
}

template <class T>
inline constexpr bool is_complex_number = frit::is_complex(frit::dtype_of<T>);
/// What an element is in a reference.
template <class T>
using wide = std::conditional_t<is_complex_number<T>, std::complex<long double>, long double>;
template <class T>
using part_of = frit::cpp_type<frit::real_dtype(frit::dtype_of<T>)>;
template <class T>
bool is_nan(T x) {
    return x != x;
}

/// rows x columns values in a layout whose rows stand `gap` apart; what stands in the gaps is NaN and must not be read.
template <class T>
struct matrix {
    std::int64_t rows, columns;
    matrix_layout layout;
    std::vector<T> memory;

    matrix(std::int64_t r, std::int64_t c, bool transposed, std::int64_t gap, unsigned seed) : rows(r), columns(c) {
        layout = {(transposed ? r : c) + gap, transposed};
        memory.assign(static_cast<std::size_t>((transposed ? c : r) * layout.ld),
                      static_cast<T>(static_cast<part_of<T>>(nan_value)));
        std::mt19937 random(seed);
        std::uniform_real_distribution<part_of<T>> draw(-1, 1);
        for (std::int64_t i = 0; i < r; ++i)
            for (std::int64_t j = 0; j < c; ++j) {
                memory[at(i, j)] = draw(random);
                if constexpr (is_complex_number<T>) memory[at(i, j)].imag(draw(random));
            }
    }
    std::size_t at(std::int64_t i, std::int64_t j) const {
        return static_cast<std::size_t>(layout.transposed ? i + j * layout.ld : i * layout.ld + j);
    }
};

template <class T>
std::vector<T> product(const matrix<T>& a, const matrix<T>& b) {
    std::vector<T> result(static_cast<std::size_t>(a.rows * b.columns + 1),
                          static_cast<T>(static_cast<part_of<T>>(nan_value)));  // one more: stays NaN
    run(product_call(frit::dtype_of<T>, a.rows, a.columns, b.columns, a.layout, b.layout),
        {a.memory.data(), b.memory.data()}, {result.data()});
    EXPECT_TRUE(is_nan(result.back()));
    result.pop_back();
    return result;
}

template <class T>
void expect_product(const matrix<T>& a, const matrix<T>& b) {
    const std::vector<T> got = product(a, b);
    for (std::int64_t i = 0; i < a.rows; ++i)
        for (std::int64_t j = 0; j < b.columns; ++j) {
            wide<T> want = 0;
            long double size = 0;
            for (std::int64_t k = 0; k < a.columns; ++k) {
                const wide<T> term = wide<T>(a.memory[a.at(i, k)]) * wide<T>(b.memory[b.at(k, j)]);
                want += term;
                size += std::abs(term);
            }
            // Higham, Accuracy and Stability of Numerical Algorithms, 3.1: |error| <= k u sum|a b|, whatever the order; of
            // complex numbers for either part, which is a sum of 2 k terms
            const long double bound =
                static_cast<long double>(a.columns) * std::numeric_limits<part_of<T>>::epsilon() * size;
            ASSERT_LE(std::abs(wide<T>(got[static_cast<std::size_t>(i * b.columns + j)]) - want),
                      is_complex_number<T> ? 2 * bound : bound)
                << "element " << i << ", " << j << " of " << a.rows << " x " << a.columns << " x " << b.columns
                << (a.layout.transposed ? ", a transposed" : "") << (b.layout.transposed ? ", b transposed" : "");
        }
}

template <class T>
class CpuProducts : public testing::Test {};
using floats = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(CpuProducts, floats);

TYPED_TEST(CpuProducts, EveryLayout) {
    NEEDS_OPENBLAS();
    const std::int64_t sizes[][3] = {{1, 1, 1}, {1, 5, 1},    {1, 5, 7},      {6, 4, 1},   {2, 1, 3},
                                     {7, 9, 5}, {64, 33, 80}, {300, 40, 270}, {1, 3, 700}, {700, 3, 1}};
    for (const auto& [m, k, n] : sizes)
        for (const bool a_transposed : {false, true})
            for (const bool b_transposed : {false, true})
                for (const std::int64_t gap : {0, 3})
                    expect_product(matrix<TypeParam>(m, k, a_transposed, gap, 1),
                                   matrix<TypeParam>(k, n, b_transposed, gap, 2));
}

TYPED_TEST(CpuProducts, ALongDotProduct) {
    NEEDS_OPENBLAS();
    expect_product(matrix<TypeParam>(1, 700'001, false, 0, 1), matrix<TypeParam>(700'001, 1, false, 0, 2));
    expect_product(matrix<TypeParam>(1, 300'001, true, 1, 3), matrix<TypeParam>(300'001, 1, true, 1, 4));
}

TYPED_TEST(CpuProducts, NoTermsAreZeros) {
    const std::vector<TypeParam> got = product(matrix<TypeParam>(3, 0, false, 0, 1), matrix<TypeParam>(0, 2, false, 0, 2));
    EXPECT_EQ(got, std::vector<TypeParam>(6, 0));
}

TYPED_TEST(CpuProducts, NaNAndInfinityGoThrough) {
    NEEDS_OPENBLAS();
    matrix<TypeParam> a(3, 4, false, 0, 1), b(4, 3, false, 0, 2), x(4, 1, false, 0, 3);
    a.memory[a.at(1, 2)] = static_cast<TypeParam>(static_cast<part_of<TypeParam>>(nan_value));
    b.memory[b.at(2, 0)] = x.memory[2] = 0;  // 0 * NaN is NaN, no short cut
    const std::vector<TypeParam> ab = product(a, b), ax = product(a, x);
    for (std::size_t k = 0; k < 9; ++k) EXPECT_EQ(is_nan(ab[k]), k / 3 == 1) << k;
    for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(is_nan(ax[k]), k == 1) << k;
}

TYPED_TEST(CpuProducts, AnyNumberOfThreadsGivesTheSameBits) {
    NEEDS_OPENBLAS();
    const matrix<TypeParam> a(530, 75, false, 0, 1), b(75, 610, true, 2, 2), row(1, 900'000, false, 0, 3),
        column(900'000, 1, false, 0, 4), x(75, 1, false, 0, 5);
    std::vector<std::vector<TypeParam>> alone;
    {
        const threads one(1);
        alone = {product(a, b), product(row, column), product(a, x)};
    }
    for (const int n : {2, 3, 7}) {
        const threads several(n);
        const std::vector<std::vector<TypeParam>> got = {product(a, b), product(row, column), product(a, x)};
        for (std::size_t k = 0; k < got.size(); ++k)
            EXPECT_EQ(std::memcmp(got[k].data(), alone[k].data(), got[k].size() * sizeof(TypeParam)), 0)
                << n << " threads, " << k;
    }
}

TYPED_TEST(CpuProducts, SeveralThreadsAtOnce) {
    NEEDS_OPENBLAS();
    const matrix<TypeParam> a(300, 64, false, 0, 1), b(64, 300, false, 0, 2);
    const std::vector<TypeParam> want = product(a, b);
    std::atomic<int> wrong{0};
    std::vector<std::thread> callers;
    for (int t = 0; t < 4; ++t)
        callers.emplace_back([&] {
            for (int k = 0; k < 5; ++k) wrong += product(a, b) != want;
        });
    for (std::thread& t : callers) t.join();
    EXPECT_EQ(wrong, 0);
}

// --- products of integers: exact, so they are compared with the sums themselves ---

/// Of a (m x k) and b (k x n) in these layouts, at one instruction-set level, against the sums in 64 bits.
template <class T>
void check_integers(std::int64_t m, std::int64_t k, std::int64_t n, bool a_transposed, bool b_transposed,
                    frit::detail::isa_level level) {
    const std::int64_t gap = 3;
    const matrix_layout a{(a_transposed ? m : k) + gap, a_transposed}, b{(b_transposed ? k : n) + gap, b_transposed};
    const auto at = [](const matrix_layout& l, std::int64_t i, std::int64_t j) {
        return static_cast<std::size_t>(l.transposed ? i + j * l.ld : i * l.ld + j);
    };
    const auto memory_of = [&](const matrix_layout& l, std::int64_t rows, std::int64_t columns, unsigned seed) {
        std::vector<T> values(static_cast<std::size_t>(l.ld * (l.transposed ? columns : rows)));
        std::mt19937_64 random(seed);
        for (T& v : values) v = static_cast<T>(random());
        return values;
    };
    const std::vector<T> x = memory_of(a, m, k, 1), y = memory_of(b, k, n, 2);
    std::vector<T> got(static_cast<std::size_t>(m * n + 1), T(77));
    run(product_call(frit::dtype_of<T>, m, k, n, a, b), {x.data(), y.data()}, {got.data()}, frit::detail::table_of(level));
    for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
            std::uint64_t sum = 0;
            for (std::int64_t l = 0; l < k; ++l)
                sum += static_cast<std::uint64_t>(x[at(a, i, l)]) * static_cast<std::uint64_t>(y[at(b, l, j)]);
            ASSERT_EQ(got[static_cast<std::size_t>(i * n + j)], static_cast<T>(sum)) << i << ", " << j;
        }
    ASSERT_EQ(got.back(), T(77)) << "wrote past the end";
}

TEST(CpuIntegerProducts, EveryLayoutAndLevelWithAnyNumberOfThreads) {
    for (const int n : {1, 3}) {
        const threads several(n);
        for (int level = 0; level <= static_cast<int>(frit::detail::machine_isa()); ++level)
            for (int layout = 0; layout < 4; ++layout) {
                const auto check = [&]<class T>(T) {
                    const bool a = (layout & 1) != 0, b = (layout & 2) != 0;
                    const auto isa = static_cast<frit::detail::isa_level>(level);
                    check_integers<T>(150, 131, 140, a, b, isa);
                    check_integers<T>(1, 300, 1, a, b, isa);
                    check_integers<T>(200, 129, 1, a, b, isa);
                    check_integers<T>(2, 0, 5, a, b, isa);
                };
                check(std::int8_t{}), check(std::uint16_t{}), check(std::int32_t{}), check(std::uint64_t{});
            }
    }
}

TEST(CpuIntegerProducts, OfBoolsAreOrOverAnd) {
    const bool a[] = {true, false, true, true, false, false}, b[] = {true, true, false, true, true, false};
    bool got[4] = {true, false, true, true};
    run(product_call(dtype::bool_, 2, 3, 2, {3, false}, {2, false}), {a, b}, {got});
    EXPECT_EQ(std::vector<bool>(got, got + 4), (std::vector<bool>{true, true, true, true}));
}

std::string error_of(const library_call& c) {
    float none = 0;
    try {
        run(c, {&none, &none}, {&none});
    } catch (const frit::error& e) {
        return e.what();
    }
    return "";
}

TEST(CpuLibrary, WhatOpenBlasCannotTakeIsAnError) {
    NEEDS_OPENBLAS();
    const std::int64_t far = std::int64_t{1} << 31;
    EXPECT_EQ(error_of(product_call(dtype::f32, 2, 2, 2, {far, false}, {2, false})),
              "matmul: OpenBLAS takes extents and leading dimensions up to 2147483647, not (2, 2) with 2147483648");
    EXPECT_EQ(error_of(product_call(dtype::f32, 2, 2, 2, {2, false}, {1, true})),
              "matmul: rows of 2 elements overlap at a leading dimension of 1");
}

TEST(CpuLibrary, MissingOpenBlasIsNamedWithItsPackage) {
    try {
        frit::detail::find_blas({"libnot-there.so.0", "libnot-there.so"});
        FAIL();
    } catch (const frit::device_error& e) {
        EXPECT_STREQ(e.what(),
                     "cpu: matmul needs OpenBLAS, and there is none (libnot-there.so.0, libnot-there.so): install "
                     "libopenblas0-pthread (Debian, Ubuntu)");
    }
}

// Others in the process may use the same library (NumPy): its own number of threads is theirs.
TEST(CpuLibrary, OpenBlasHasItsNumberOfThreadsBackAfterAProduct) {
    NEEDS_OPENBLAS();
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "with threads of OpenBLAS's own, libtsan hangs in the next fork()";
#endif
    void* library = nullptr;
    for (const char* name : {"libopenblas.so.0", "libopenblas.so"})
        if (!library) library = dlopen(name, RTLD_NOW | RTLD_NOLOAD);
    ASSERT_NE(library, nullptr);
    const auto get = reinterpret_cast<int (*)()>(dlsym(library, "openblas_get_num_threads"));
    const auto set = reinterpret_cast<void (*)(int)>(dlsym(library, "openblas_set_num_threads"));
    const int before = get();
    set(2);
    if (get() != 2) GTEST_SKIP() << "an OpenBLAS of one thread";
    EXPECT_EQ(error_of(product_call(dtype::f32, 1, 1, 1, {1, false}, {1, false})), "");
    EXPECT_EQ(get(), 2);
    set(before);
    dlclose(library);
}

TEST(CpuLibrary, AProductInAForkedChild) {
    NEEDS_OPENBLAS();
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "libtsan lets a child of several threads start none";
#endif
    const frit::scoped_device on_cpu(frit::device::cpu());
    const threads several(3);
    const matrix<double> a(300, 64, false, 0, 1), b(64, 300, false, 0, 2);
    const std::vector<double> want = product(a, b);
    std::atomic<bool> stop{false};
    std::atomic<int> rounds{0}, wrong{0};
    std::thread other([&] {
        for (; !stop; ++rounds) wrong += product(a, b) != want;
    });
    while (rounds == 0) std::this_thread::yield();
    for (int k = 0; k < 5; ++k) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(20);
            _exit(product(a, b) == want ? 0 : 1);
        }
        int status = -1;
        waitpid(child, &status, 0);
        EXPECT_EQ(status, 0) << "signal 14: it hung";
    }
    stop = true;
    other.join();
    EXPECT_EQ(wrong, 0);
}

// --- scans ---

template <class T, class R = T>
std::vector<R> rows_of(op code, std::int64_t rows, const std::vector<T>& x) {
    const auto size = static_cast<std::int64_t>(x.size());
    const library_call c = row_call(code, frit::dtype_of<T>, rows, rows ? size / rows : 0);
    std::vector<R> result(x.size());
    std::vector<void*> results(c.results.size());
    results[frit::library(code).result] = result.data();
    run(c, {x.data()}, results);
    return result;
}

TEST(CpuScans, EveryRowOnItsOwn) {
    const std::vector<std::int64_t> x{1, 2, 3, 5, -1, 4};
    using v = std::vector<std::int64_t>;
    EXPECT_EQ(rows_of(op::cumsum, 2, x), (v{1, 3, 6, 5, 4, 8}));
    EXPECT_EQ(rows_of(op::cumprod, 2, x), (v{1, 2, 6, 5, -5, -20}));
    EXPECT_EQ(rows_of(op::cummax, 2, x), (v{1, 2, 3, 5, 5, 5}));
    EXPECT_EQ(rows_of(op::cummin, 2, x), (v{1, 1, 1, 5, -1, -1}));
    EXPECT_EQ(rows_of(op::cumsum, 0, v{}), v{});
}

TEST(CpuScans, IntegersWrap) {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max(), least = std::numeric_limits<std::int64_t>::min();
    EXPECT_EQ(rows_of(op::cumsum, 1, std::vector<std::int64_t>{most, 1}), (std::vector<std::int64_t>{most, least}));
    EXPECT_EQ(rows_of(op::cumprod, 1, std::vector<std::uint64_t>{1ULL << 63, 2}),
              (std::vector<std::uint64_t>{1ULL << 63, 0}));
}

TEST(CpuScans, ANaNStays) {
    const auto n = static_cast<float>(nan_value);
    for (const op code : {op::cumsum, op::cumprod, op::cummax, op::cummin}) {
        const std::vector<float> got = rows_of(code, 2, std::vector<float>{1, n, 5, -7, 1, 2, 3, 4});
        for (std::size_t k = 0; k < 8; ++k) EXPECT_EQ(std::isnan(got[k]), k > 0 && k < 4) << name_of(code) << " " << k;
    }
}

TEST(CpuScans, FloatsAddUpInIndexOrderWithAnyNumberOfThreads) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> draw(-1, 1);
    const std::int64_t rows = 37, length = 3001;
    std::vector<float> x(static_cast<std::size_t>(rows * length)), want(x.size());
    for (float& v : x) v = draw(random);
    for (std::size_t k = 0; k < x.size(); ++k) want[k] = k % length == 0 ? x[k] : want[k - 1] + x[k];
    for (const int n : {1, 2, 5}) {
        const threads several(n);
        EXPECT_EQ(rows_of(op::cumsum, rows, x), want) << n;
    }
}

TEST(CpuScans, InPlace) {
    std::vector<double> x{1, 2, 3};
    run(row_call(op::cumsum, dtype::f64, 1, 3), {x.data()}, {x.data()});
    EXPECT_EQ(x, (std::vector<double>{1, 3, 6}));
}

// --- sorts ---

TEST(CpuSortOrder, NaNLastOfAnySignAndMinusZeroFirst) {
    const double n = nan_value, inf = std::numeric_limits<double>::infinity();
    const std::vector<double> x{n, 1, 0.0, -n, -0.0, inf, -inf, -1, 0.0, -5e-324};
    const std::vector<double> want{-inf, -1, -5e-324, -0.0, 0.0, 0.0, 1, inf};
    const std::vector<double> got = rows_of(op::sort, 1, x);
    for (std::size_t k = 0; k < want.size(); ++k)
        EXPECT_EQ(std::bit_cast<std::uint64_t>(got[k]), std::bit_cast<std::uint64_t>(want[k])) << k;
    EXPECT_TRUE(std::isnan(got[8]) && std::isnan(got[9]));
    EXPECT_EQ((rows_of<double, std::int64_t>(op::argsort, 1, x)), (std::vector<std::int64_t>{6, 7, 9, 2, 4, 8, 1, 5, 0, 3}));
}

template <class T>
class CpuSorts : public testing::Test {};
#define FRIT_X(name, T) , T
template <class, class... T>
using types_of = testing::Types<T...>;
using compute_types = types_of<void FRIT_COMPUTE_DTYPES(FRIT_X)>;
#undef FRIT_X
TYPED_TEST_SUITE(CpuSorts, compute_types);

TYPED_TEST(CpuSorts, EveryDtypeManyRowsAnyNumberOfThreads) {
    using T = TypeParam;
    const std::size_t rows = 21, length = 2003;
    std::mt19937 random(11);
    std::unique_ptr<T[]> x(new T[rows * length]), sorted(new T[rows * length]);
    std::vector<std::int64_t> order(rows * length);
    for (std::size_t k = 0; k < rows * length; ++k) x[k] = static_cast<T>(static_cast<int>(random() % 200) - 100);
    const library_call values = row_call(op::sort, frit::dtype_of<T>, rows, length);
    const library_call places = row_call(op::argsort, frit::dtype_of<T>, rows, length);
    for (const int n : {1, 3}) {
        const threads several(n);
        run(values, {x.get()}, {sorted.get(), nullptr});
        run(places, {x.get()}, {nullptr, order.data()});
        for (std::size_t first = 0; first < rows * length; first += length) {
            std::vector<char> seen(length);
            for (std::size_t k = 0; k < length; ++k) {
                const std::int64_t i = order[first + k];
                ASSERT_TRUE(i >= 0 && i < static_cast<std::int64_t>(length) && !seen[static_cast<std::size_t>(i)]);
                seen[static_cast<std::size_t>(i)] = 1;
                ASSERT_EQ(x[first + static_cast<std::size_t>(i)], sorted[first + k]);
                if (k == 0) continue;
                ASSERT_LE(sorted[first + k - 1], sorted[first + k]);
                if (sorted[first + k - 1] == sorted[first + k]) {
                    ASSERT_LT(order[first + k - 1], i) << "not stable";
                }
            }
        }
    }
}

// Longer than what one thread sorts alone, in runs that are then merged; and NaNs of many bits.
TYPED_TEST(CpuSorts, FewLongRowsGiveTheSameBitsWithAnyNumberOfThreads) {
    using T = TypeParam;
    for (const std::size_t rows : {1, 2}) {
        const std::size_t length = 150'001, size = rows * length;
        std::mt19937_64 random(12);
        std::vector<std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>> x(size), want(size), got(size);
        for (std::size_t k = 0; k < size; ++k) {
            if constexpr (std::is_same_v<T, bool>)
                x[k] = random() % 2;
            else if (k % 3 == 0)
                x[k] = static_cast<T>(static_cast<int>(random() % 50) - 25);
            else if constexpr (sizeof(T) == 8)
                x[k] = std::bit_cast<T>(random());
            else if constexpr (sizeof(T) == 4)
                x[k] = std::bit_cast<T>(static_cast<std::uint32_t>(random()));
            else
                x[k] = static_cast<T>(random());
        }
        const auto less = [&](T a, T b) { return a < b || (b != b && a == a); };
        std::vector<std::int64_t> order(size), want_order(size);
        for (std::size_t first = 0; first < size; first += length) {
            const auto begin = want_order.begin() + static_cast<std::ptrdiff_t>(first);
            std::iota(begin, begin + length, 0);
            std::stable_sort(begin, begin + length, [&](std::int64_t i, std::int64_t j) {
                return less(x[first + static_cast<std::size_t>(i)], x[first + static_cast<std::size_t>(j)]);
            });
        }
        const library_call values = row_call(op::sort, frit::dtype_of<T>, static_cast<std::int64_t>(rows), length);
        const library_call places = row_call(op::argsort, frit::dtype_of<T>, static_cast<std::int64_t>(rows), length);
        const library_call both =
            row_call(op::sort, frit::dtype_of<T>, static_cast<std::int64_t>(rows), length, {op::argsort});
        for (const int n : {1, 2, 3, 6}) {
            const threads several(n);
            got = x;
            run(values, {got.data()}, {got.data(), nullptr});
            run(places, {x.data()}, {nullptr, order.data()});
            auto together = x;  // the values in place
            std::vector<std::int64_t> order_together(size);
            run(both, {together.data()}, {together.data(), order_together.data()});
            ASSERT_EQ(order_together, order) << n << " threads";
            ASSERT_EQ(std::memcmp(together.data(), got.data(), size * sizeof(T)), 0) << n << " threads";
            ASSERT_EQ(order, want_order) << n << " threads";
            for (std::size_t k = 0; k < size; ++k) {
                const T is = got[k], should = x[k - k % length + static_cast<std::size_t>(want_order[k])];
                ASSERT_TRUE(is == should || (is != is && should != should)) << k << ", " << n << " threads";
                ASSERT_TRUE(k % length == 0 || is != 0 || got[k - 1] != 0 || std::signbit(1.0 * got[k - 1]) ||
                            !std::signbit(1.0 * is));
            }
            if (n == 1) want = got;
            ASSERT_EQ(std::memcmp(got.data(), want.data(), size * sizeof(T)), 0) << n << " threads";
        }
    }
}

}  // namespace
