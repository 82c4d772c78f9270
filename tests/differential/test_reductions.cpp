// Every reduction x dtype x layout x {interpreter, cxx, unfused} against the reference, and the documented order of floating
// sums bit by bit: blocks of 4,096, 64 accumulators each, then fixed trees.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/differential/layouts.hpp"
#include "tests/differential/op_cases.hpp"
#include "tests/support/engines.hpp"

namespace {
using frit::array;
using frit::dtype;
using frit_test::layout;

constexpr std::uint64_t seed = 77;

/// All reductions of x; min and max only where there is something to reduce.
template <class X>
std::vector<frit_test::op_case> reduce_all(const X& x, bool empty) {
    std::vector<frit_test::op_case> r;
#define FRIT_KIND_PLAIN(name)                                                               \
    if constexpr (takes(frit::op::name, X::dtype()))                                        \
        if (!empty || (frit::op::name != frit::op::min && frit::op::name != frit::op::max)) \
            r.push_back(frit_test::hold(frit::op::name, frit::name(x)));
#define FRIT_KIND_INDEX(name)
#define FRIT_KIND_DEVIATIONS(name)
#define FRIT_KIND_PAIR(name)
#define FRIT_KIND_LAST(name)
#define FRIT_REDUCTION(name, kind, ...) FRIT_KIND_##kind(name)
#include "frit/ops.def"
#undef FRIT_KIND_PLAIN
#undef FRIT_KIND_INDEX
#undef FRIT_KIND_DEVIATIONS
#undef FRIT_KIND_PAIR
#undef FRIT_KIND_LAST
    return r;
}

template <class X>
void check(const X& x, const ref::array& plain, const std::string& where) {
    const auto run = [&](const std::string& how) {
        const std::vector<frit_test::op_case> cases = reduce_all(x, plain.data.empty());
        std::vector<frit::detail::node_head*> nodes;
        for (const auto& c : cases) nodes.push_back(c.node.get());
        frit::detail::eval(nodes, {});
        for (const auto& c : cases) {
            const ref::array want = ref::reduce(c.code, plain);
            const ref::value got = frit_test::read_back(c.node.get()).at(0);
            ASSERT_EQ(c.type, want.type) << c.name;
            EXPECT_TRUE(want.data[0].allows(got))
                << std::setprecision(20) << c.name << " of " << name_of(plain.type) << ", " << where << ", " << how
                << ": got " << got << ", want " << want.data[0].at() << " within " << want.data[0].err << " (seed " << seed
                << ')';
        }
    };
    static std::size_t turn = 0;
    for (const frit_test::engine e : frit_test::engines()) {
        if (e == frit_test::engine::cxx && !frit_test::host_compiler_takes(turn++)) continue;
        const frit_test::with_engine here(e);
        run(name_of(e));
    }
    const frit_test::without_fusion off;
    run("unfused");
}

template <class T>
std::vector<T> ordinary(std::int64_t n) {
    frit_test::generator g(seed);
    return frit_test::sample<T>(g, n, 0);
}

template <class T>
class Reductions : public testing::Test {};
TYPED_TEST_SUITE(Reductions, frit_test::every_dtype);

TYPED_TEST(Reductions, EveryLayout) {
    for (const auto& [how, name] : frit_test::layouts) {
        const auto x = frit_test::lay_out(how, ordinary<TypeParam>(31 * 41), 31, 41);
        check(x.lazy, x.plain, name);
    }
}

TYPED_TEST(Reductions, EverySizeAroundTheBlocks) {
    std::vector<std::int64_t> sizes = {0, 100, 127, 128, 4095, 4096, 4097, 8191, 8192, 8193, 12289, 65537};
    for (std::int64_t n = 1; n <= 66; ++n) sizes.push_back(n);
    for (std::int64_t n : sizes) {
        const std::vector<TypeParam> values = ordinary<TypeParam>(n);
        check(frit_test::from_values(values), frit_test::plain_array(values, {n}), "size " + std::to_string(n));
    }
}

TYPED_TEST(Reductions, ZeroDimensionalAndRepeated) {
    const std::vector<TypeParam> value{TypeParam(3)};
    const ref::array plain = frit_test::plain_array(value, {});
    check(frit::full({}, TypeParam(value[0])), plain, "0-d");
    check(frit::broadcast_to(frit::full({}, TypeParam(value[0])), {5, 7}), ref::broadcast_to(plain, {5, 7}), "repeated");
}

TYPED_TEST(Reductions, EdgesOneAtATime) {
    for (TypeParam edge : frit_test::edges<TypeParam>())
        for (std::int64_t n : {1, 70})
            for (std::int64_t at : {std::int64_t{0}, n / 2, n - 1}) {
                std::vector<TypeParam> values(static_cast<std::size_t>(n), TypeParam(1));
                values[static_cast<std::size_t>(at)] = edge;
                check(frit_test::from_values(values), frit_test::plain_array(values, {n}), "edge at " + std::to_string(at));
            }
}

TYPED_TEST(Reductions, WithAProducerAndAnEpilogue) {
    using T = TypeParam;
    if constexpr (!std::is_same_v<T, bool>) {
        const std::vector<T> values = ordinary<T>(5000);
        const frit::array<T> x = frit_test::from_values(values);
        const ref::array plain = frit_test::plain_array(values, {5000});
        const ref::array squared = ref::elementwise(frit::op::mul, {plain, plain});
        check(x * x, squared, "x * x");
        if constexpr (frit::is_complex(frit::dtype_of<T>))
            return;
        else
            for (auto e : frit_test::engines()) {
                const frit_test::with_engine engine(e);
                const frit::array<double> y = sqrt(frit::cast<double>(frit::max(x * x))) + 1.0;
                EXPECT_DOUBLE_EQ(y.item(),
                                 static_cast<double>(std::sqrt(ref::reduce(frit::op::max, squared).data[0].v)) + 1);
            }
    }
}

/// The documented order, written down a second time.
template <class T>
T documented_sum(const std::vector<T>& x) {
    const std::function<T(std::vector<T>)> tree = [&](std::vector<T> v) -> T {
        if (v.size() == 1) return v[0];
        std::size_t half = 1;
        while (half * 2 < v.size()) half *= 2;
        const auto middle = v.begin() + static_cast<std::ptrdiff_t>(half);
        return tree({v.begin(), middle}) + tree({middle, v.end()});
    };
    std::vector<T> blocks;
    for (std::size_t start = 0; start < x.size(); start += 4096) {
        std::vector<T> lane(64, T(0));
        for (std::size_t k = start; k < std::min(x.size(), start + 4096); ++k) lane[(k - start) % 64] += x[k];
        for (std::size_t width = 32; width > 0; width /= 2)
            for (std::size_t k = 0; k < width; ++k) lane[k] += lane[k + width];
        blocks.push_back(lane[0]);
    }
    return tree(blocks);
}

template <class T>
void expect_documented_order() {
    for (std::int64_t n : {1, 5, 64, 65, 1000, 4096, 4097, 8192, 12288, 20000, 28673, 100003}) {
        const std::vector<T> values = ordinary<T>(n);
        const T want = documented_sum(values);
        const frit::array<T> x = frit_test::from_values(values);
        for (auto e : frit_test::engines()) {
            const frit_test::with_engine engine(e);
            EXPECT_TRUE(frit_test::same_bits(frit::sum(x).item(), want)) << n << ", engine " << static_cast<int>(e);
            EXPECT_TRUE(frit_test::same_bits(
                frit::sum(x(frit::slice(frit::none, frit::none, -1))(frit::slice(frit::none, frit::none, -1))).item(), want))
                << n;
        }
    }
}
// The order is the CPU's: a GPU has one of its own.
class ReductionOrder : public testing::Test {
    frit::scoped_device cpu_{frit::device::cpu()};
};

TEST_F(ReductionOrder, Float32) { expect_documented_order<float>(); }
TEST_F(ReductionOrder, Float64) { expect_documented_order<double>(); }

TEST_F(ReductionOrder, DoesNotDependOnTheLayoutOrTheOtherOutputs) {
    const std::vector<float> values = ordinary<float>(33 * 1001);
    const auto flat = frit_test::lay_out(layout::contiguous, values, 33, 1001),
               strided = frit_test::lay_out(layout::column_slice, values, 33, 1001);
    const float want = documented_sum(values);
    for (auto e : frit_test::engines()) {
        const frit_test::with_engine engine(e);
        EXPECT_EQ(frit::sum(flat.lazy).item(), want);
        EXPECT_EQ(frit::sum(strided.lazy).item(), want);
        array<float> s = frit::sum(flat.lazy), t = frit::max(flat.lazy), u = flat.lazy + 1.0F;
        frit::eval(s, t, u);
        EXPECT_EQ(s.item(), want);
    }
}

TEST_F(ReductionOrder, Means) {
    const std::vector<float> values = ordinary<float>(10000);
    const array<float> x = frit_test::from_values(values);
    EXPECT_EQ(frit::mean(x).item(), documented_sum(values) / 10000.0F);
    EXPECT_TRUE(std::isnan(frit::mean(frit::zeros<float>({0})).item()));
    EXPECT_EQ(frit::mean(frit::array<int>{1, 2}).item(), 1.5);
}

// On every device: bits depend on the values and their number alone, not on the run, the layout or the other outputs.
TEST(Determinism, AThousandRunsAndTheirNeighboursAgree) {
    const std::vector<float> values = ordinary<float>(300 * 1001);
    const auto flat = frit_test::lay_out(layout::contiguous, values, 300, 1001),
               strided = frit_test::lay_out(layout::column_slice, values, 300, 1001);
    frit::eval(flat.lazy, strided.lazy);
    const float want = frit::sum(flat.lazy).item();
    for (int k = 0; k < 1000; ++k) ASSERT_EQ(frit::sum(flat.lazy).item(), want) << "run " << k;
    EXPECT_EQ(frit::sum(strided.lazy).item(), want);
    array<float> s = frit::sum(flat.lazy), t = frit::max(flat.lazy), u = flat.lazy + 1.0F;
    frit::eval(s, t, u);
    EXPECT_EQ(s.item(), want);
    EXPECT_EQ(frit::sum(flat.lazy.reshape({1001, 300})).item(), want);
}

}  // namespace
