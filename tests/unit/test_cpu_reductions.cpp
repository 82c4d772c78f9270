// reduce_all on the CPU gives the bits that kernel_spec.hpp promises, whatever the engine, the level and the number of
// threads: compared with the rule written out one element at a time.
#include "src/base/threads.hpp"
#include "tests/unit/cpu_support.hpp"

namespace {

using namespace cpu_test;

template <class T>
T combine(op o, T a, T b) {
    switch (o) {
        case op::sum: return static_cast<T>(a + b);
        case op::prod: return static_cast<T>(a * b);
        case op::min: return a < b || a != a ? a : b;
        case op::max: return a > b || a != a ? a : b;
        case op::any: return a || b;
        default: return a && b;
    }
}
template <class T>
T identity(op o) {
    using limits = std::numeric_limits<T>;
    if (o == op::min) return limits::has_infinity ? limits::infinity() : limits::max();
    if (o == op::max) return limits::has_infinity ? -limits::infinity() : limits::lowest();
    return o == op::prod || o == op::all ? T(1) : T(0);
}

// The rule at the end of kernel_spec.hpp, without any of the library's code.
template <class T>
T tree(op o, const std::vector<T>& values, std::size_t first, std::size_t count) {
    if (count == 1) return values[first];
    std::size_t half = 1;
    while (2 * half < count) half *= 2;
    return combine(o, tree(o, values, first, half), tree(o, values, first + half, count - half));
}
template <class T>
T reduce(op o, const std::vector<T>& x) {
    if (x.empty()) return identity<T>(o);
    std::vector<T> blocks;
    for (std::size_t begin = 0; begin < x.size(); begin += 4096) {
        T acc[64];
        std::fill(acc, acc + 64, identity<T>(o));
        for (std::size_t i = begin; i < std::min(x.size(), begin + 4096); ++i) acc[i % 64] = combine(o, acc[i % 64], x[i]);
        for (int half = 32; half > 0; half /= 2)
            for (int k = 0; k < half; ++k) acc[k] = combine(o, acc[k], acc[k + half]);
        blocks.push_back(acc[0]);
    }
    return tree(o, blocks, 0, blocks.size());
}

template <class T>
std::vector<T> values(std::size_t n, std::uint64_t seed) {
    frit_test::generator g(seed);
    std::vector<T> x(n);
    for (T& v : x) {
        if constexpr (std::is_same_v<T, bool>)
            v = g.chance(0.5);
        else
            v = static_cast<T>(g.uniform(-3, 3));
    }
    return x;
}

constexpr std::size_t sizes[] = {0, 1, 2, 63, 64, 65, 1000, 4095, 4096, 4097, 8192, 12289, 50001};

// One kernel: total of a load, and the epilogue casts nothing.
launchable total_of(op o, dtype t, const void* x, std::int64_t n, void* out) {
    launchable l;
    l.spec.schedule = schedule_kind::reduce_all;
    l.spec.loads = {flat(t, 0)};
    l.spec.body = {{op::load, t, 0}};
    l.spec.reductions = {{o, t, 0}};
    l.spec.row = {{op::total, t, 0}};
    l.spec.row_stores = {{flat(t, 1, stride_class::zero), 0}};
    l.spec.pointers = 2;
    l.extents = {n};
    l.loads = {{{1}, {}, 0}};
    l.pointers = {static_cast<std::byte*>(const_cast<void*>(x)), static_cast<std::byte*>(out)};
    return l;
}

template <class T>
void check_all(cpu_engine engine, isa_level level, op o, dtype t) {
    for (std::size_t n : sizes) {
        std::vector<T> x = values<T>(n, n + 1);
        const T want = reduce(o, x);
        const guarded memory(n * sizeof(T), n % 2 == 0), result(sizeof(T), false);
        for (std::size_t k = 0; k < n; ++k) {
            const T v = x[k];
            std::memcpy(memory.data() + k * sizeof(T), &v, sizeof v);
        }
        total_of(o, t, memory.data(), static_cast<std::int64_t>(n), result.data()).run(backend_of(engine, level));
        T got;
        std::memcpy(&got, result.data(), sizeof got);
        ASSERT_TRUE(frit_test::same_bits(got, want))
            << frit::name_of(o) << " of " << n << " " << frit::name_of(t) << " on " << backend_of(engine, level).engine()
            << ": " << got << ", want " << want;
    }
}

void check_dtypes(cpu_engine engine) {
    for (isa_level level : levels()) {
        for (op o : {op::sum, op::prod, op::min, op::max}) {
            check_all<float>(engine, level, o, dtype::f32);
            check_all<double>(engine, level, o, dtype::f64);
            check_all<std::int64_t>(engine, level, o, dtype::i64);
        }
        for (op o : {op::min, op::max}) check_all<std::int32_t>(engine, level, o, dtype::i32);
    }
}

TEST(CpuReductions, InterpretedBits) { check_dtypes(cpu_engine::interpreter); }
TEST(CpuReductions, CompiledBits) {
    for (cpu_engine engine : compiled_engines()) check_dtypes(engine);
}

TEST(CpuReductions, Truth) {
    for (cpu_engine engine : engines())
        for (isa_level level : levels())
            for (op o : {op::any, op::all, op::min, op::max})
                for (std::size_t n : {0, 1, 64, 5000})
                    for (const int odd_one : {-1, 0, 4999}) {
                        const bool usual = o == op::all || o == op::min;
                        bool x[5000];
                        for (std::size_t k = 0; k < n; ++k) x[k] = usual != (static_cast<int>(k) == odd_one);
                        bool got = false;
                        total_of(o, dtype::bool_, x, static_cast<std::int64_t>(n), &got).run(backend_of(engine, level));
                        const bool hit = odd_one >= 0 && odd_one < static_cast<int>(n);
                        EXPECT_EQ(got, usual != hit) << frit::name_of(o) << " of " << n << ", other at " << odd_one;
                    }
}

TEST(CpuReductions, NaNIsContagious) {
    for (cpu_engine engine : engines())
        for (op o : {op::min, op::max, op::sum})
            for (std::size_t at : {0, 70, 4999}) {
                std::vector<double> x(5000, 1.0);
                x[at] = std::numeric_limits<double>::quiet_NaN();
                double got = 0;
                total_of(o, dtype::f64, x.data(), 5000, &got).run(backend_of(engine, frit::detail::machine_isa()));
                EXPECT_TRUE(std::isnan(got)) << frit::name_of(o) << " with NaN at " << at;
            }
}

// Threads do not change a bit: the same total with one, two and five of them, on a domain of several dimensions as well.
TEST(CpuReductions, AnyNumberOfThreads) {
    constexpr std::int64_t rows = 3000, columns = 1003, pitch = 1010;
    const std::vector<float> x = values<float>(rows * pitch, 7);
    std::vector<float> flat_order;
    for (std::int64_t r = 0; r < rows; ++r)
        flat_order.insert(flat_order.end(), x.begin() + r * pitch, x.begin() + r * pitch + columns);
    const float want = reduce(op::sum, flat_order);
    auto& pool = frit::detail::thread_pool::instance();
    const int before = pool.size();
    for (cpu_engine engine : engines())
        for (isa_level level : levels())
            for (int threads : {1, 2, 5}) {
                pool.resize(threads);
                float got = 0;
                launchable l = total_of(op::sum, dtype::f32, x.data(), 0, &got);
                l.spec.rank = 2;
                l.spec.loads[0].dims = {{stride_class::runtime, false}, {stride_class::one, false}};
                l.spec.row_stores[0].to.dims.resize(2);
                l.loads[0].strides = {pitch, 1};
                l.extents = {rows, columns};
                l.run(backend_of(engine, level));
                EXPECT_TRUE(frit_test::same_bits(got, want))
                    << threads << " threads, " << backend_of(engine, level).engine();
            }
    pool.resize(before);
}

// Several totals, an output beside them, and an epilogue that computes: a mean and a root.
TEST(CpuReductions, SeveralTotalsAndAnEpilogue) {
    for (cpu_engine engine : engines())
        for (isa_level level : levels()) {
            const std::vector<float> x = values<float>(9000, 3);
            std::vector<float> squares(x.size()), want_squares(x.size());
            for (std::size_t k = 0; k < x.size(); ++k) want_squares[k] = x[k] * x[k];
            float results[2] = {};
            launchable l = total_of(op::sum, dtype::f32, x.data(), 9000, &results[0]);
            l.spec.body.push_back({op::mul, dtype::f32, 0, 0});
            l.spec.stores = {{flat(dtype::f32, 2), 1}};
            l.spec.scalars = {dtype::f32};
            l.spec.reductions.push_back({op::sum, dtype::f32, 1});
            l.spec.row = {{op::total, dtype::f32, 0},
                          {op::scalar, dtype::f32, 0},
                          {op::div, dtype::f32, 0, 1},
                          {op::total, dtype::f32, 1},
                          {op::sqrt, dtype::f32, 3}};
            l.spec.row_stores = {{flat(dtype::f32, 1, stride_class::zero), 2}, {flat(dtype::f32, 3, stride_class::zero), 4}};
            l.spec.pointers = 4;
            l.stores = {{{1}, {}, 0}};
            l.scalars = {word_of(9000.f)};
            l.pointers.push_back(reinterpret_cast<std::byte*>(squares.data()));
            l.pointers.push_back(reinterpret_cast<std::byte*>(&results[1]));
            l.run(backend_of(engine, level));
            EXPECT_EQ(results[0], reduce(op::sum, x) / 9000.f);
            EXPECT_EQ(results[1], std::sqrt(reduce(op::sum, want_squares)));
            EXPECT_EQ(squares, want_squares);
        }
}

}  // namespace
