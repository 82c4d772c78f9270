// Elements at other places: concatenate and its kind, split, roll, tile, ... Values as NumPy prints them, dtypes, borders,
// errors; and what is promised of kernels: views are none, joining is one that writes its result once. (Plain cases are rows
// of docs/coming-from.md too.)
#include <algorithm>
#include <bit>
#include <complex>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "src/base/threads.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/kernels.hpp"

namespace {
using frit::all;
using frit::any_array;
using frit::array;
using frit::dtype;
using frit::indexing;
using frit::none;
using frit::pad_mode;
using frit::shape;
using frit::slice;
using frit_test::evaluate;
using frit_test::traffic;
using ints = std::vector<int>;

array<int> counted(const shape& s) { return array<int>(frit::arange<int>(0, static_cast<int>(s.size())).reshape(s)); }

void expect(const frit::operand auto& x, const shape& s, const ints& values) {
    EXPECT_EQ(x.shape(), s);
    EXPECT_EQ(frit::cast<int>(x).to_vector(), values);
}

// --- joining ---

TEST(Movement, Concatenate) {
    const array<int> x = counted({2, 3}), y = counted({1, 3});
    expect(concatenate(0, x, 10 * y), {3, 3}, {0, 1, 2, 3, 4, 5, 0, 10, 20});
    expect(concatenate(-1, x, x(all, slice(0, 1)), x), {2, 7}, {0, 1, 2, 0, 0, 1, 2, 3, 4, 5, 3, 3, 4, 5});
    expect(concatenate(0, x), {2, 3}, {0, 1, 2, 3, 4, 5});
    expect(concatenate(0, x(0), x(1), y(0)), {9}, {0, 1, 2, 3, 4, 5, 0, 1, 2});
    const array<int> nothing = frit::zeros<int>({0, 3});
    expect(concatenate(0, nothing, y, nothing), {1, 3}, {0, 1, 2});
    expect(concatenate(0, nothing, nothing), {0, 3}, {});
    expect(concatenate(1, nothing, nothing), {0, 6}, {});
}

TEST(Movement, ListsOfOperands) {
    const array<int> x = counted({2, 2});
    expect(concatenate(0, std::vector<array<int>>{x, x}), {4, 2}, {0, 1, 2, 3, 0, 1, 2, 3});
    expect(concatenate(1, split(x, 2, 1)), {2, 2}, {0, 1, 2, 3});
    expect(stack(0, std::vector{x(0), x(1)}), {2, 2}, {0, 1, 2, 3});
    const std::vector<any_array> mixed{any_array(x), any_array(array<double>(x / 2.0))};
    const any_array joined = hstack(mixed);
    EXPECT_EQ(joined.dtype(), dtype::f64);
    EXPECT_EQ(joined.to_vector<double>(), (std::vector<double>{0, 1, 0, 0.5, 2, 3, 1, 1.5}));
    EXPECT_ERROR((void)concatenate(0, std::vector<array<int>>()), frit::shape_error, "concatenate", "no arrays",
                 "test_movement.cpp");
}

TEST(Movement, StackAndItsKind) {
    const array<int> v{1, 2, 3};
    expect(stack(0, v, 2 * v), {2, 3}, {1, 2, 3, 2, 4, 6});
    expect(stack(-1, v, 2 * v), {3, 2}, {1, 2, 2, 4, 3, 6});
    expect(stack(0, frit::scalar(1), frit::scalar(2)), {2}, {1, 2});
    expect(hstack(v, v(slice(0, 1))), {4}, {1, 2, 3, 1});
    expect(hstack(counted({2, 1}), counted({2, 2}), counted({2, 1})), {2, 4}, {0, 0, 1, 0, 1, 2, 3, 1});
    expect(hstack(frit::scalar(4), v), {4}, {4, 1, 2, 3});
    expect(vstack(v, counted({2, 3})), {3, 3}, {1, 2, 3, 0, 1, 2, 3, 4, 5});
    expect(vstack(frit::scalar(4), frit::scalar(5), frit::scalar(6), frit::scalar(7)), {4, 1}, {4, 5, 6, 7});
}

TEST(Movement, JoinedDtypesArePromoted) {
    const array<int> x{1, 2};
    const array<float> f{0.5};
    EXPECT_EQ(concatenate(0, x, f).dtype(), dtype::f64);
    EXPECT_EQ(concatenate(0, array<bool>{true}, array<std::uint8_t>{7}).dtype(), dtype::u8);
    EXPECT_EQ(stack(0, f, array<frit::half>{1}).dtype(), dtype::f32);
    EXPECT_EQ(hstack(any_array(x), f).dtype(), dtype::f64);
    const array<std::complex<double>> z = concatenate(0, x, array<std::complex<float>>{std::complex(1.0F, 2.0F)});
    EXPECT_EQ(z.to_vector(), (std::vector<std::complex<double>>{1, 2, {1, 2}}));
}

TEST(Movement, JoiningIsAKernelThatWritesItsResultOnce) {
    constexpr std::int64_t n = 300;
    constexpr std::uint64_t whole = 2 * n * sizeof(float);
    const array<float> a = frit::arange<float>(n), b = -frit::arange<float>(n);
    frit::eval(a, b);
    const array<float> joined = concatenate(0, a, b + 1);
    const traffic t = evaluate(joined);
    EXPECT_EQ(t.kernels, 1U);
    EXPECT_EQ(t.bytes_read, whole);
    EXPECT_EQ(t.bytes_written, whole);
    EXPECT_EQ(joined(slice(n - 1, n + 2)).to_vector(), (std::vector<float>{n - 1, 1, 0}));
    EXPECT_EQ(evaluate(array<float>(sum(sqrt(abs(stack(0, a * 2, b) - 1)), 1))).kernels, 1U);
    EXPECT_EQ(evaluate(array<float>(frit::concatenate(0, a, b, a, b, a, b, a, b))).kernels, 1U);
}

// Parts that begin at multiples of a vector, in the middle of one, and shorter than one; regions, rolls and sums of them.
template <class T>
void joins(std::int64_t first, std::int64_t second, std::int64_t third) {
    const auto part = [](std::int64_t n, int from) {
        return array<T>(frit::cast<T>(frit::arange<int>(from, from + static_cast<int>(n)))).eval();
    };
    const array<T> a = part(first, 1), b = part(second, 40), c = part(third, 80);
    const array<T> joined = concatenate(0, a, b + T(1), c);
    ints expected;
    for (std::int64_t i = 0; i < first; ++i) expected.push_back(static_cast<int>(1 + i));
    for (std::int64_t i = 0; i < second; ++i) expected.push_back(static_cast<int>(41 + i));
    for (std::int64_t i = 0; i < third; ++i) expected.push_back(static_cast<int>(80 + i));
    const auto whole = [](const array<T>& x) { return frit::cast<int>(frit::real(x)).to_vector(); };
    EXPECT_EQ(whole(joined), expected) << first << " " << second << " " << third;
    const array<double> total = sum(frit::cast<double>(frit::real(concatenate(0, a, b, c))));
    std::int64_t sum = -second;
    for (const int v : expected) sum += v;
    EXPECT_EQ(total.item(), static_cast<double>(sum));
    array<T> regions = concatenate(0, c, a, a);
    ints old = whole(regions);
    regions(slice(4, 4 + second)) = b;
    for (std::int64_t i = 0; i < second; ++i) old[static_cast<std::size_t>(4 + i)] = static_cast<int>(40 + i);
    EXPECT_EQ(whole(regions), old);
    std::rotate(old.begin(), old.begin() + 8, old.end());
    EXPECT_EQ(whole(roll(regions, -8)), old);
}

TEST(Movement, PartsThatVectorsDivideAndOthers) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        for (const std::int64_t n : {16, 24, 20, 18, 17})
            for (const std::int64_t m : {8, 2, 7}) {
                joins<float>(n, m, 32);
                joins<double>(n, m, 30);
                joins<std::int8_t>(n, m, 32);
                joins<frit::half>(n, m, 16);
                joins<std::complex<float>>(n, m, 12);
            }
    });
}

TEST(Movement, MatricesSideBySide) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        for (const std::int64_t columns : {32, 36, 33, 3})
            for (const int axis : {0, 1}) {
                const array<float> x = frit::cast<float>(counted({7, columns})).eval(), y = (x + 1000.0F).eval();
                const array<float> joined = concatenate(axis, x, y * 2.0F, x);
                const array<float> edges = frit::pad(x, {{axis == 0 ? 3 : 0, 2}, {axis == 0 ? 0 : 3, 0}}, pad_mode::edge);
                const array<float> turned = roll(y, 3, axis);
                const std::int64_t rows = joined.shape()[0], across = joined.shape()[1];
                const auto of = [&](std::int64_t i, std::int64_t j) { return static_cast<float>(i * columns + j); };
                for (std::int64_t i = 0; i < rows; ++i)
                    for (std::int64_t j = 0; j < across; ++j) {
                        const std::int64_t part = axis == 0 ? i / 7 : j / columns;
                        const float one = of(i % 7, j % columns);
                        ASSERT_EQ(joined(i, j).item(), part == 1 ? 2 * (one + 1000) : one) << i << " " << j;
                    }
                for (std::int64_t i = 0; i < 7; ++i)
                    for (std::int64_t j = 0; j < columns; ++j)
                        ASSERT_EQ(turned((i + (axis == 0 ? 3 : 0)) % 7, (j + (axis == 1 ? 3 : 0)) % columns).item(),
                                  of(i, j) + 1000);
                const auto held = [](std::int64_t i, std::int64_t n) { return std::clamp<std::int64_t>(i, 0, n - 1); };
                for (std::int64_t i = 0; i < edges.shape()[0]; ++i)
                    for (std::int64_t j = 0; j < edges.shape()[1]; ++j)
                        ASSERT_EQ(edges(i, j).item(),
                                  of(held(i - (axis == 0 ? 3 : 0), 7), held(j - (axis == 0 ? 0 : 3), columns)));
            }
    });
}

// Lines of a few elements are put together column by column: of copies of what lies in order, and of what is computed.
template <class T>
void expect_columns(std::int64_t n) {
    const auto of = [](std::int64_t k) { return T(static_cast<float>(k % 100)); };
    const array<T> all_of_x = frit::cast<T>(frit::arange<int>(2 * n) % 100).eval(), x = all_of_x(slice(0, n)).eval();
    const array<T> y = frit::cast<T>(frit::arange<int>(n) % 50).eval(), every_second = all_of_x(slice(0, 2 * n, 2));
    const std::vector<T> two = stack(1, x, y).reshape({-1}).eval().to_vector();
    const std::vector<T> three = stack(-1, x, y + y, every_second).reshape({-1}).eval().to_vector();
    const std::vector<T> four = concatenate(1, stack(1, y + y, x).eval(), x(all, frit::newaxis), frit::full({n, 1}, of(7)))
                                    .reshape({-1})
                                    .eval()
                                    .to_vector();
    const auto twice = [&](std::int64_t k) { return T(static_cast<float>(k % 50 * 2)); };
    for (std::int64_t k = 0; k < n; ++k) {
        const auto is = [&](const std::vector<T>& got, std::initializer_list<T> want) {
            return std::equal(want.begin(), want.end(), got.begin() + k * static_cast<std::int64_t>(want.size()));
        };
        ASSERT_TRUE(is(two, {of(k), T(static_cast<float>(k % 50))})) << k << " of " << n;
        ASSERT_TRUE(is(three, {of(k), twice(k), of(2 * k)})) << k << " of " << n;
        ASSERT_TRUE(is(four, {twice(k), of(k), of(k), of(7)})) << k << " of " << n;
    }
}

TEST(Movement, ColumnsSideBySide) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        for (const std::int64_t n : {1, 127, 128, 129, 1000, 16'385}) {
            expect_columns<float>(n);
            expect_columns<double>(n);
            expect_columns<std::uint8_t>(n);
            expect_columns<std::int16_t>(n);
            expect_columns<std::complex<double>>(n);
        }
    });
}

// Threads share lines out as elements, so that some begin in the middle of one; and what is large goes past the caches.
TEST(Movement, ColumnsOfManyLines) {
    auto& pool = frit::detail::thread_pool::instance();
    const int before = pool.size();
    for (const int threads : {1, 2, 5, 7}) {
        pool.resize(threads);
        for (const std::int64_t n : {400'001, 1'500'000}) expect_columns<float>(n);
    }
    pool.resize(before);
}

TEST(Movement, TwelveDimensions) {
    constexpr int rank = 12;
    const std::vector<std::int64_t> order{11, 9, 7, 5, 3, 1, 0, 2, 4, 6, 8, 10};
    const array<double> x = frit::arange(4096.0).reshape(frit::shape(std::vector<std::int64_t>(rank, 2)));
    x.eval();
    std::vector<double> expected(4096), sums(512);
    for (std::size_t k = 0; k < expected.size(); ++k) {  // bit rank - 1 - d is the index in dimension d
        std::size_t from = 0, to = 0;
        for (std::size_t d = 0; d < rank; ++d) {
            const std::size_t bit = k >> (rank - 1 - d) & 1;
            from |= bit << (rank - 1 - static_cast<std::size_t>(order[d]));
            if (d != 0 && d != 5 && d != 11) to = 2 * to + bit;
        }
        expected[k] = static_cast<double>(2 * from + k);
        sums[to] += expected[k];
    }
    frit_test::everywhere([&](const std::string& who) {
        SCOPED_TRACE(who);
        const array<double> y = frit::transpose(x, order) * 2.0 + x;
        EXPECT_EQ(y.to_vector(), expected);
        const array<double> summed = sum(frit::transpose(x, order) * 2.0 + x, {0, 5, 11});
        EXPECT_EQ(summed.rank(), rank - 3);
        EXPECT_EQ(summed.to_vector(), sums);
    });
}

TEST(Movement, ColumnsOfHigherRankAndInPlace) {
    frit_test::everywhere([](const std::string& where) {
        SCOPED_TRACE(where);
        const array<int> x = counted({30, 50}).eval(), y = counted({50, 30}).eval();
        const std::vector<int> got = stack(-1, x, y.T(), x * 2).eval().reshape({-1}).eval().to_vector();
        array<int> u = counted({600, 4}).eval(), old = u;
        u(all, 1) *= 2;
        u(all, slice(2, 4)) = u(all, slice(0, 2)) + 1;
        const std::vector<int> changed = u.to_vector();
        for (int i = 0; i < 30; ++i)
            for (int j = 0; j < 50; ++j) {
                const auto at = static_cast<std::size_t>(3 * (i * 50 + j));
                ASSERT_EQ((ints{got[at], got[at + 1], got[at + 2]}), (ints{i * 50 + j, j * 30 + i, 2 * (i * 50 + j)}));
            }
        for (int i = 0; i < 600; ++i) {
            const auto at = static_cast<std::size_t>(4 * i);
            ASSERT_EQ((ints{changed[at], changed[at + 1], changed[at + 2], changed[at + 3]}),
                      (ints{4 * i, 8 * i + 2, 4 * i + 1, 8 * i + 3}));
        }
        EXPECT_EQ(old(599, 3).item(), 2399);
        const array<int> v = counted({600}).eval(), at = 599 - v, bad = (v + 1).eval();
        const array<int> picked = stack(1, v, v(at) * 2);
        EXPECT_EQ(picked.to_vector()[2 * 99 + 1], 1000);
        EXPECT_THROW((array<int>(stack(1, v, v(bad) * 2)).eval(), frit::synchronize()), frit::index_error);
    });
}

TEST(Movement, ManyPartsAreWrittenOnceToo) {
    constexpr std::int64_t n = 2000;
    constexpr int count = 100;
    std::vector<array<float>> parts;
    for (int k = 0; k < count; ++k) parts.push_back(frit::full({n}, static_cast<float>(k)).eval());
    const array<float> joined = concatenate(0, parts), columns = stack(1, parts);
    if (frit::default_device().is_cpu()) {
        const traffic t = evaluate(joined);
        EXPECT_EQ(t.bytes_read, count * n * sizeof(float));
        EXPECT_EQ(t.bytes_written, count * n * sizeof(float));
    }
    const auto again = concatenate(0, parts);  // one formula, evaluated in several
    EXPECT_EQ(max(again + 1).item(), count);
    EXPECT_EQ(sum(again * 2).item(), sum(joined * 2).item());
    EXPECT_TRUE(array_equal(again, joined));
    for (int k = 0; k < count; ++k) {
        EXPECT_EQ(min(joined(slice(k * n, k * n + n))).item(), static_cast<float>(k));
        EXPECT_EQ(max(columns(all, k)).item(), static_cast<float>(k));
    }
    expect(concatenate(1, std::vector<array<int>>(9, frit::zeros<int>({0, 2}))), {0, 18}, {});
    const std::vector<array<bool>> bools(12, array<bool>{true, false});
    EXPECT_EQ(frit::count_nonzero(concatenate(0, bools)).item(), 12);
    const std::vector<array<frit::half>> halves(12, array<frit::half>{0.5F, 2});
    EXPECT_EQ(sum(frit::cast<float>(concatenate(0, halves))).item(), 30);
}

TEST(Movement, BitsOf16BitFloatsStay) {
    std::vector<frit::half> halves;
    for (const unsigned bits : {0x7e01U, 0xfe55U, 0x0001U, 0x8000U})
        halves.push_back(std::bit_cast<frit::half>(static_cast<std::uint16_t>(bits)));
    const auto bits_of = [](const std::vector<frit::half>& values) {
        std::vector<std::uint16_t> bits;
        for (const frit::half h : values) bits.push_back(std::bit_cast<std::uint16_t>(h));
        return bits;
    };
    const array<frit::half> h = frit::from_host(halves);
    std::vector<frit::half> twice = halves;
    twice.insert(twice.end(), halves.begin(), halves.end());
    EXPECT_EQ(bits_of(concatenate(0, h, h).to_vector()), bits_of(twice));
    EXPECT_EQ(bits_of(roll(h, 4).to_vector()), bits_of(halves));
    EXPECT_EQ(bits_of(pad(h, {{4, 0}}, pad_mode::wrap).to_vector()), bits_of(twice));
}

TEST(Movement, EveryDtypeMoves) {
    const any_array numbers[] = {
#define FRIT_X(name, type) any_array(frit::cast<type>(array<int>{{1, 0}, {1, 1}})),
        FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
    };
    const auto expect_all = [](const any_array& x, dtype type, const ints& values) {
        EXPECT_EQ(x.dtype(), type);
        EXPECT_EQ(frit::cast<int>(x).eval().to_vector(), values) << name_of(type);
    };
    for (const any_array& x : numbers) {
        const dtype t = x.dtype();
        expect_all(concatenate(1, x, x), t, {1, 0, 1, 0, 1, 1, 1, 1});
        expect_all(stack(2, x, x), t, {1, 1, 0, 0, 1, 1, 1, 1});
        expect_all(roll(x, 1), t, {1, 1, 0, 1});
        expect_all(triu(x, 1), t, {0, 0, 0, 0});
        expect_all(tril(x), t, {1, 0, 1, 1});
        expect_all(repeat(x, 2, 0), t, {1, 0, 1, 0, 1, 1, 1, 1});
        expect_all(tile(x, 2), t, {1, 0, 1, 0, 1, 1, 1, 1});
        expect_all(pad(x, {{0, 0}, {2, 0}}, pad_mode::reflect), t, {1, 0, 1, 0, 1, 1, 1, 1});
        expect_all(rot90(x), t, {0, 1, 1, 1});
        expect_all(split(x, 2)[0], t, {1, 0});
    }
}

TEST(Movement, ErrorsOfJoining) {
    const array<int> x = counted({2, 3});
    EXPECT_ERROR((void)concatenate(0, x, x(0)), frit::shape_error, "concatenate", "rank", "(2, 3), (3,)",
                 "test_movement.cpp");
    EXPECT_ERROR((void)concatenate(0, x, x.T()), frit::shape_error, "concatenate", "axis 1", "(2, 3), (3, 2)");
    EXPECT_ERROR((void)concatenate(2, x, x), frit::index_error, "concatenate", "axis 2", "rank 2");
    EXPECT_ERROR((void)concatenate(0, frit::scalar(1)), frit::shape_error, "concatenate", "rank 0");
    EXPECT_ERROR((void)stack(0, x, x(0)), frit::shape_error, "stack", "(2, 3), (3,)", "test_movement.cpp");
    EXPECT_ERROR((void)stack(-4, x, x), frit::index_error, "stack", "axis -4", "rank 3");
    EXPECT_ERROR((void)hstack(x, x(0)), frit::shape_error, "hstack", "rank", "test_movement.cpp");
    EXPECT_ERROR((void)vstack(x, x.T()), frit::shape_error, "vstack", "axis 1", "test_movement.cpp");
    const any_array huge = frit::broadcast_to(frit::scalar(1), {INT64_C(1) << 58});
    EXPECT_ERROR((void)concatenate(0, huge, huge, huge, huge), frit::shape_error, "memory", "test_movement.cpp");
}

// --- views ---

TEST(Movement, Split) {
    const array<int> x = counted({2, 6});
    const auto parts = split(x, 3, -1);
    ASSERT_EQ(parts.size(), 3U);
    expect(parts[1], {2, 2}, {2, 3, 8, 9});
    const auto cut = split(x, {1, -2, 9}, 1);
    ASSERT_EQ(cut.size(), 4U);
    expect(cut[0], {2, 1}, {0, 6});
    expect(cut[1], {2, 3}, {1, 2, 3, 7, 8, 9});
    expect(cut[2], {2, 2}, {4, 5, 10, 11});
    EXPECT_EQ(cut[3].size(), 0);
    EXPECT_EQ(split(x, std::vector<int>())[0].to_vector(), x.to_vector());
    expect(split(x + 1, 2)[1], {1, 6}, {7, 8, 9, 10, 11, 12});
    EXPECT_ERROR((void)split(x, 4, 1), frit::shape_error, "split", "axis 1", "4 equal parts", "(2, 6)", "test_movement.cpp");
    EXPECT_ERROR((void)split(x, 0), frit::shape_error, "split", "0 equal parts");
    EXPECT_ERROR((void)split(x, 2, 2), frit::index_error, "split", "axis 2");
    EXPECT_ERROR((void)split(frit::scalar(1), 1), frit::index_error, "split", "rank 0");
}

TEST(Movement, AxesMoved) {
    const array<int> x = counted({2, 3, 4});
    EXPECT_EQ(moveaxis(x, 0, -1).shape(), (shape{3, 4, 2}));
    EXPECT_EQ(moveaxis(x, {0, 1}, {-1, 0}).shape(), (shape{3, 4, 2}));
    EXPECT_EQ(moveaxis(x, -1, 0)(3, 1, 2).item(), x(1, 2, 3).item());
    EXPECT_EQ(swapaxes(x, 0, -1)(3, 2, 1).item(), x(1, 2, 3).item());
    EXPECT_EQ(swapaxes(x, 1, 1).to_vector(), x.to_vector());
    EXPECT_ERROR((void)moveaxis(x, {0, 1}, 0), frit::shape_error, "moveaxis", "2 axes", "(2, 3, 4)", "test_movement.cpp");
    EXPECT_ERROR((void)moveaxis(x, {0, 0}, {1, 2}), frit::index_error, "moveaxis", "twice");
    EXPECT_ERROR((void)swapaxes(x, 0, 3), frit::index_error, "swapaxes", "axis 3", "test_movement.cpp");
}

TEST(Movement, Rot90) {
    const array<int> x = counted({2, 3});
    expect(rot90(x), {3, 2}, {2, 5, 1, 4, 0, 3});
    expect(rot90(x, 2), {2, 3}, {5, 4, 3, 2, 1, 0});
    expect(rot90(x, -1), {3, 2}, {3, 0, 4, 1, 5, 2});
    expect(rot90(x, 4), {2, 3}, {0, 1, 2, 3, 4, 5});
    expect(rot90(x, 1, {1, 0}), {3, 2}, {3, 0, 4, 1, 5, 2});
    EXPECT_EQ(rot90(counted({2, 0})).shape(), (shape{0, 2}));
    EXPECT_ERROR((void)rot90(x, 1, {0, -2}), frit::index_error, "rot90", "twice");
    EXPECT_ERROR((void)rot90(x, 1, 0), frit::index_error, "rot90", "two axes", "test_movement.cpp");
}

TEST(Movement, Grids) {
    const array<int> v{1, 2, 3}, w{10, 20};
    const auto [x, y] = meshgrid(v, w);
    expect(x, {2, 3}, {1, 2, 3, 1, 2, 3});
    expect(y, {2, 3}, {10, 10, 10, 20, 20, 20});
    const auto [i, j, k] = meshgrid(indexing::ij, v, w, frit::scalar(5));
    expect(i, {3, 2, 1}, {1, 1, 2, 2, 3, 3});
    expect(j, {3, 2, 1}, {10, 20, 10, 20, 10, 20});
    expect(k, {3, 2, 1}, {5, 5, 5, 5, 5, 5});
    expect(std::get<0>(meshgrid(v)), {3}, {1, 2, 3});
    const auto [a, b, c] = broadcast_arrays(v, frit::scalar(7), counted({2, 1}));
    expect(a, {2, 3}, {1, 2, 3, 1, 2, 3});
    expect(b, {2, 3}, {7, 7, 7, 7, 7, 7});
    expect(c, {2, 3}, {0, 0, 0, 1, 1, 1});
    EXPECT_ERROR((void)broadcast_arrays(v, w), frit::shape_error, "broadcast_arrays", "(3,), (2,)", "test_movement.cpp");
    expect(frit::indices({2, 2}), {2, 2, 2}, {0, 0, 1, 1, 0, 1, 0, 1});
    EXPECT_EQ(frit::indices({}).shape(), shape{0});
    EXPECT_EQ(frit::indices({0, 3}).shape(), (shape{2, 0, 3}));
}

TEST(Movement, ViewsAreNoKernels) {
    const array<float> x = frit::arange<float>(24).reshape({2, 3, 4});
    x.eval();
    EXPECT_EQ(evaluate(array<float>(rot90(x, 1, {1, 2}) + moveaxis(x, 1, 2) + 1)).kernels, 1U);
    const auto halves = split(x, 2, -1);
    const traffic t = evaluate(array<float>(halves[0] * swapaxes(halves[1], 0, 0)));
    EXPECT_EQ(t.kernels, 1U);
    EXPECT_EQ(t.bytes_read, 24 * sizeof(float));
    const array<float> v = frit::arange<float>(50), w = frit::arange<float>(40);
    frit::eval(v, w);
    const auto [i, j] = meshgrid(v, w);
    const traffic grid = evaluate(array<float>(sqrt(i * i + j * j)));
    EXPECT_EQ(grid.kernels, 1U);
    EXPECT_EQ(grid.bytes_read, 90 * sizeof(float));
}

// --- formulas ---

TEST(Movement, RepeatAndTile) {
    const array<int> x = counted({2, 2});
    expect(repeat(x, 2, 0), {4, 2}, {0, 1, 0, 1, 2, 3, 2, 3});
    expect(repeat(x, 2, -1), {2, 4}, {0, 0, 1, 1, 2, 2, 3, 3});
    expect(repeat(x, 2), {8}, {0, 0, 1, 1, 2, 2, 3, 3});
    expect(repeat(x, 0, 1), {2, 0}, {});
    expect(repeat(frit::scalar(3), 2), {2}, {3, 3});
    expect(tile(x, 2), {2, 4}, {0, 1, 0, 1, 2, 3, 2, 3});
    expect(tile(x, {2, 1}), {4, 2}, {0, 1, 2, 3, 0, 1, 2, 3});
    expect(tile(x(0), {2, 2}), {2, 4}, {0, 1, 0, 1, 0, 1, 0, 1});
    expect(tile(x, {1, 0}), {2, 0}, {});
    expect(tile(frit::scalar(3), 2), {2}, {3, 3});
    EXPECT_ERROR((void)repeat(x, -1, 0), frit::shape_error, "repeat", "-1", "(2, 2)", "test_movement.cpp");
    EXPECT_ERROR((void)repeat(x, INT64_MAX, 0), frit::shape_error, "repeat", "(2, 2)");
    EXPECT_ERROR((void)repeat(x, 1, 2), frit::index_error, "repeat", "axis 2");
    EXPECT_ERROR((void)tile(x, {2, -1}), frit::shape_error, "tile", "-1", "(2, 2)", "test_movement.cpp");
    array<float> f = frit::arange<float>(10);
    f.eval();
    const traffic t = evaluate(array<float>(tile(f * 2, {3, 2})));
    EXPECT_EQ(t.kernels, 1U);
    EXPECT_EQ(t.bytes_written, 60 * sizeof(float));
}

TEST(Movement, Roll) {
    const array<int> x = counted({2, 3});
    expect(roll(x, 1), {2, 3}, {5, 0, 1, 2, 3, 4});
    expect(roll(x, -8), {2, 3}, {2, 3, 4, 5, 0, 1});
    expect(roll(x, 1, 1), {2, 3}, {2, 0, 1, 5, 3, 4});
    expect(roll(x, {1, -1}, {0, 1}), {2, 3}, {4, 5, 3, 1, 2, 0});
    expect(roll(x, 1, {0, 1}), {2, 3}, {5, 3, 4, 2, 0, 1});
    expect(roll(x, {1, 1}, 1), {2, 3}, {1, 2, 0, 4, 5, 3});
    expect(roll(x, {INT64_MAX, INT64_MAX}, 1), {2, 3}, {1, 2, 0, 4, 5, 3});
    expect(roll(x, INT64_MIN), {2, 3}, {2, 3, 4, 5, 0, 1});
    expect(roll(frit::zeros<int>({0, 3}), 1, 0), {0, 3}, {});
    expect(roll(frit::scalar(2), 5), {}, {2});
    EXPECT_ERROR((void)roll(x, 1, 2), frit::index_error, "roll", "axis 2", "test_movement.cpp");
    EXPECT_ERROR((void)roll(x, {1, 2}, {0, 1, 1}), frit::shape_error, "roll", "2 shifts for 3 axes");
    const array<float> f = frit::arange<float>(60).reshape({6, 10});
    f.eval();
    const traffic t = evaluate(array<float>(roll(f * f, {1, 2}, {0, 1}) - f));
    EXPECT_EQ(t.kernels, 1U);
    EXPECT_EQ(t.bytes_read, 60 * sizeof(float));
}

TEST(Movement, Triangles) {
    const array<int> x = counted({3, 3}) + 1;
    expect(triu(x), {3, 3}, {1, 2, 3, 0, 5, 6, 0, 0, 9});
    expect(tril(x, -1), {3, 3}, {0, 0, 0, 4, 0, 0, 7, 8, 0});
    expect(triu(x, INT64_MAX), {3, 3}, ints(9, 0));
    expect(triu(x, INT64_MIN), {3, 3}, x.to_vector());
    expect(tril(array<int>{1, 2}), {2, 2}, {1, 0, 1, 2});
    EXPECT_EQ(triu(counted({2, 2, 3}))(1, 1, 0).item(), 0);
    EXPECT_ERROR((void)triu(frit::scalar(1)), frit::shape_error, "triu", "rank 0", "test_movement.cpp");
    EXPECT_KERNELS(1, array<float>(sum(tril(frit::cast<float>(x)) * 2, 1)));
}

TEST(Movement, PadModes) {
    const array<int> v{1, 2, 3};
    expect(pad(v, {{2, 2}}, pad_mode::reflect), {7}, {3, 2, 1, 2, 3, 2, 1});
    expect(pad(v, {{2, 2}}, pad_mode::symmetric), {7}, {2, 1, 1, 2, 3, 3, 2});
    expect(pad(v, {{2, 2}}, pad_mode::wrap), {7}, {2, 3, 1, 2, 3, 1, 2});
    expect(pad(v, {{7, 0}}, pad_mode::reflect), {10}, {2, 3, 2, 1, 2, 3, 2, 1, 2, 3});
    expect(pad(v, {{0, 7}}, pad_mode::symmetric), {10}, {1, 2, 3, 3, 2, 1, 1, 2, 3, 3});
    expect(pad(v(slice(0, 1)), {{1, 2}}, pad_mode::reflect), {4}, {1, 1, 1, 1});
    expect(pad(counted({2, 2}), {{1, 0}, {0, 1}}, pad_mode::wrap), {3, 3}, {2, 3, 2, 0, 1, 0, 2, 3, 2});
    const ints far = pad(v, {{100, 0}}, pad_mode::wrap).to_vector();
    for (std::size_t k = 0; k < far.size(); ++k) EXPECT_EQ(far[k], static_cast<int>((k + 2) % 3) + 1);
    expect(pad(frit::zeros<int>({0}), {{0, 0}}, pad_mode::wrap), {0}, {});
    EXPECT_ERROR((void)pad(frit::zeros<int>({0}), {{1, 0}}, pad_mode::reflect), frit::shape_error, "pad", "axis 0", "(0,)");
    EXPECT_ERROR((void)pad(v, {{-1, 0}}, pad_mode::wrap), frit::shape_error, "pad", "negative");
    const array<float> f = frit::arange<float>(60).reshape({6, 10});
    f.eval();
    const array<float> around = pad(f * 2, {{1, 1}}, pad_mode::reflect);
    const traffic t = evaluate(array<float>(around(slice(2, none)) - around(slice(0, -2))));
    EXPECT_EQ(t.kernels, 1U);
    EXPECT_EQ(t.bytes_read, 60 * sizeof(float));
}

}  // namespace
