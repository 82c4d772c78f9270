// Every op x dtype x layout x {interpreter, cxx, unfused} against the reference, expanded from the op table. The ops of one
// dtype and layout are evaluated together, so that the compiling engine sees few kernels. All engines must give equal bits.
#include <gtest/gtest.h>

#include <set>

#include "tests/differential/layouts.hpp"
#include "tests/differential/op_cases.hpp"
#include "tests/differential/outcomes.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/thorough.hpp"

namespace {
using frit_test::evaluate;
using frit_test::expect_reference;
using frit_test::expect_same;
using frit_test::layout;
using frit_test::operand;
using frit_test::outcome;

constexpr std::uint64_t seed = 20240607;

/// Runs `make` under each engine and without fusion; the first run is compared with the reference. The host's compiler takes
/// one in `of` of what is compiled.
template <class Make>
void check(const std::vector<ref::array>& plain, const ref::array& mask, const std::string& where, bool compile,
           const Make& make, std::size_t of = 8) {
    const frit_test::with_engine interpreter(frit_test::engine::interpreter);
    const std::vector<outcome> fused = evaluate(make());
    expect_reference(fused, plain, mask, where + " (seed " + std::to_string(seed) + ")");
    {
        const frit_test::without_fusion off;
        expect_same(evaluate(make()), fused, where + ", unfused");
    }
    for (const frit_test::engine e : frit_test::compiled_engines()) {
        static std::size_t turn = 0, host_turn = 0;
        const bool host = e == frit_test::engine::cxx;
        const bool taken =
            compile ? !host || frit_test::host_compiler_takes(host_turn++, of) : !host && frit_test::sampled(turn++, 8);
        if (!taken) continue;
        const frit_test::with_engine compiled(e);
        expect_same(evaluate(make()), fused, where + ", " + name_of(e));
    }
}

/// Three lists of operands: every pair of edges first, then ordinary numbers with edges among them.
template <class T>
void fill(std::int64_t n, std::vector<T>& x, std::vector<T>& y, std::vector<T>& z, std::vector<bool>& m) {
    frit_test::generator g(seed + static_cast<std::uint64_t>(n));
    x = frit_test::sample<T>(g, n, 0.1), y = frit_test::sample<T>(g, n, 0.1), z = frit_test::sample<T>(g, n, 0.1);
    m = frit_test::sample<bool>(g, n, 0);
    const std::vector<T> e = frit_test::edges<T>();
    for (std::size_t k = 0; k < e.size() * e.size() && k < x.size(); ++k) x[k] = e[k % e.size()], y[k] = e[k / e.size()];
}

template <class T>
class Ops : public testing::Test {};
TYPED_TEST_SUITE(Ops, frit_test::every_dtype);

template <class T>
void check_layout(layout lx, layout ly, layout lz, std::int64_t rows, std::int64_t columns, const std::string& where,
                  bool compile) {
    std::vector<T> x, y, z;
    std::vector<bool> m;
    fill<T>(rows * columns, x, y, z, m);
    const operand<T> a = frit_test::lay_out(lx, x, rows, columns), b = frit_test::lay_out(ly, y, rows, columns),
                     c = frit_test::lay_out(lz, z, rows, columns);
    const operand<bool> mask = frit_test::lay_out(lx, m, rows, columns);
    check({a.plain, b.plain, c.plain}, mask.plain, where, compile,
          [&] { return frit_test::apply_all<T>(a.lazy, b.lazy, c.lazy, mask.lazy); });
}

/// Of cases that a sample is enough of, a dtype has one in so many, another dtype others.
template <class T>
bool chosen(std::size_t k, std::size_t of) {
    return frit_test::sampled(k + static_cast<std::size_t>(frit::dtype_of<T>), of);
}

/// Layouts are all compiled for the dtypes that engines compute in. The others are stored and taken apart in one way each,
/// which no op sees: one in three.
template <class T>
bool compiled_layout(std::size_t k) {
    constexpr frit::dtype D = frit::dtype_of<T>;
    return (!frit::is_short(D) && !frit::is_complex(D)) || chosen<T>(k, 3);
}

TYPED_TEST(Ops, EveryLayout) {
    for (std::size_t k = 0; const auto& [how, name] : frit_test::layouts) {
        const bool repeats = how == layout::repeated_row || how == layout::repeated_column;
        check_layout<TypeParam>(how, repeats ? layout::contiguous : how, how, 31, 41, name, compiled_layout<TypeParam>(k++));
    }
    if (frit::default_device() != frit::device::cpu()) return;
    const frit::counters c = frit::stats();
    EXPECT_GT(c.compilations + c.disk_hits, 0U) << "the compiling engine has not run";
}

TYPED_TEST(Ops, MixedLayouts) {
    check_layout<TypeParam>(layout::contiguous, layout::transposed, layout::repeated_row, 17, 33,
                            "contiguous, transposed, repeated row", true);
    check_layout<TypeParam>(layout::repeated_column, layout::repeated_row, layout::reversed, 9, 70, "column, row, reversed",
                            true);
}

TYPED_TEST(Ops, EverySizeWithItsTail) {
    std::set<std::int64_t> sizes = {0, 1023, 1024, 1025, 4095, 4096, 4097};
    for (std::int64_t n = 1; n <= 70; ++n) sizes.insert(n);
    for (std::size_t k = 0; std::int64_t n : sizes) {
        const bool compiled = chosen<TypeParam>(k++, 3);
        if (!compiled && frit_test::sanitized) continue;
        check_layout<TypeParam>(layout::contiguous, layout::contiguous, layout::contiguous, 1, n,
                                "size " + std::to_string(n), compiled);
    }
}

TYPED_TEST(Ops, TailsOfRowsThatAreNotContiguous) {
    for (std::size_t k = 0; std::int64_t columns : {1, 2, 3, 7, 8, 9, 15, 16, 17, 63, 64, 65, 1025})
        check_layout<TypeParam>(layout::column_slice, layout::column_slice, layout::column_slice, 3, columns,
                                "rows of " + std::to_string(columns), compiled_layout<TypeParam>(k++));
}

TYPED_TEST(Ops, ZeroDimensional) {
    using T = TypeParam;
    for (std::size_t k = 0; T v : frit_test::edges<T>()) {
        const std::vector<T> x{v}, y{T(3)};
        const frit::array<T> a = frit::full({}, v), b = frit::full({}, y[0]);
        const frit::array<bool> m = frit::full({}, true);
        check(
            {frit_test::plain_array(x, {}), frit_test::plain_array(y, {}), frit_test::plain_array(x, {})},
            frit_test::plain_array(std::vector<bool>{true}, {}), "0-d", chosen<T>(k++, 6),
            [&] { return frit_test::apply_all<T>(a, b, a, m); }, 40);  // a hundred kernels, a process each
    }
}

TYPED_TEST(Ops, NumbersOnEitherSide) {
    using T = TypeParam;
    const std::int64_t n = 700;
    std::vector<T> x, y, z;
    std::vector<bool> m;
    fill<T>(n, x, y, z, m);
    const operand<T> a = frit_test::lay_out(layout::contiguous, x, 1, n);
    const operand<bool> mask = frit_test::lay_out(layout::contiguous, m, 1, n);
    const frit_test::array_or_number x_array{a.lazy.handle()}, two{{}, frit_test::to_element<ref::value>(T(2))};
    const ref::array plain_two = frit_test::plain_array(std::vector<T>{T(2)}, {});
    for (T s : frit_test::edges<T>()) {
        const frit_test::array_or_number number{{}, frit_test::to_element<ref::value>(s)};
        const ref::array plain = frit_test::plain_array(std::vector<T>{s}, {});
        const auto run = [&](const auto& x, const auto& y, const ref::array& px, const ref::array& py, const char* side) {
            check({px, py, plain_two}, mask.plain, side + testing::PrintToString(s), true,
                  [&] { return frit_test::apply_all_with_numbers(frit::dtype_of<T>, x, y, two, mask.lazy.handle()); });
        };
        run(x_array, number, a.plain, plain, "number on the right ");
        run(number, x_array, plain, a.plain, "number on the left ");
    }
}

}  // namespace
