// Access in all its forms, on both CPU engines: strides of every class and sign, broadcasting, clamped (edge-padded)
// indices, coordinates, several outputs, donation, ranks up to 16, tails and empty domains. Random specs, seeded; every
// array stands against inaccessible pages.
#include <algorithm>

#include "tests/unit/cpu_support.hpp"

namespace {

using namespace cpu_test;
using frit_test::generator;

#define FRIT_VECTOR_BYTES 16
// Each stands on those before it.
// clang-format off
#include "fusion/codegen/host_prelude_types.hpp"
#include "fusion/codegen/host_prelude_vectors.hpp"
#include "fusion/codegen/host_prelude.hpp"
#include "fusion/codegen/host_prelude_part.hpp"
#include "fusion/codegen/host_prelude_kernel.hpp"
// clang-format on
#undef FRIT_VECTOR_BYTES

// A random kernel of additions over random accesses, with its memory and what it must write. `updates`: also selections by
// where an index is unclamped, as slice assignments have them.
class random_kernel {
public:
    random_kernel(std::uint64_t seed, bool reduces, bool updates = false) : g_(seed) {
        kernel_spec& spec = run.spec;
        spec.rank = static_cast<std::uint8_t>(g_.between(1, 4));
        const std::int64_t inner_extents[] = {1, 3, 17, 64, 100, 255, 257, 1000, 1100, 2050};
        for (int d = 0; d < spec.rank; ++d)
            run.extents.push_back(updates             ? g_.between(1, spec.rank < 4 ? 40 : 12)
                                  : d + 1 < spec.rank ? g_.between(1, 5)
                                                      : inner_extents[g_.below(10)]);
        spec.schedule = reduces ? schedule_kind::reduce_all : schedule_kind::pointwise;
        const int loads = static_cast<int>(g_.between(1, 5));
        for (int k = 0; k < loads; ++k) add_load();
        if (g_.chance(0.5)) add_coordinate();
        spec.scalars.push_back(dtype::f64);
        run.scalars.push_back(word_of(0.75));
        values_.push_back(add({op::scalar, dtype::f64, 0}));
        for (int k = updates ? static_cast<int>(g_.between(1, 3)) : 0; k > 0; --k) add_selection();
        combine();
        if (!reduces || g_.chance(0.3))
            for (int k = static_cast<int>(g_.between(1, 2)); k > 0; --k) add_store();
        if (reduces) add_reduction();
        spec.pointers = static_cast<std::uint16_t>(run.pointers.size());
    }

    void check(frit::detail::backend& on) {
        clear();
        run.run(on);
        compare();
    }
    // On the interpreter, one stretch of the domain after the other, as threads share it.
    void check_stretches(isa_level level) {
        clear();
        const auto kernel = frit::detail::make_interpreted(run.spec, frit::detail::table_of(level));
        const std::vector<std::uint64_t> words = run.words();
        for (std::int64_t begin = 0, end = 0; begin < run.size(); begin = end) {
            end = g_.between(begin + 1, run.size());
            kernel->run(words.data(), begin, end, nullptr, 0);
        }
        compare();
    }

    std::string describe() const {
        std::string text = to_string(run.spec) + "extents";
        for (auto e : run.extents) text += " " + std::to_string(e);
        return text;
    }

    launchable run;

private:
    void clear() {
        if (want_.empty()) expect();
        for (const auto& o : outputs_) std::memset(o->data(), 0x5a, o->bytes());
    }
    void compare() {
        for (std::size_t k = 0; k < outputs_.size(); ++k)
            ASSERT_EQ(0, std::memcmp(want_[k].data(), outputs_[k]->data(), want_[k].size())) << "output " << k << "\n"
                                                                                             << describe();
    }

    std::uint16_t add(instruction i) {
        run.spec.body.push_back(i);
        return static_cast<std::uint16_t>(run.spec.body.size() - 1);
    }

    // An access over memory of its own, with the classes that its random strides allow.
    placement place(memory_access& a, std::size_t& elements, bool store) {
        placement p;
        a.dims.resize(run.spec.rank);
        p.strides.resize(run.spec.rank);
        std::int64_t next = 1, low = 0, high = 0;
        for (std::size_t d = run.spec.rank; d-- > 0;) {
            access_dim& dim = a.dims[d];
            std::int64_t extent = run.extents[d], reach_low = 0, reach_high = extent - 1;
            if (!store && g_.chance(0.25)) {  // clamped to [lo, hi], possibly all of it, possibly backwards
                clamping c;
                const std::int64_t steps[] = {1, 1, 1, -1, 2, 0, -3};
                c.step = steps[g_.below(7)];
                c.shift = g_.between(-4, 4) + (c.step < 0 ? extent : 0);
                c.lo = g_.between(0, 2);
                c.hi = c.lo + g_.between(0, extent + 2);
                p.clamps[d] = c;
                dim.clamped = true;
                reach_low = c.lo, reach_high = c.hi;
                extent = c.hi + 1;
            }
            const int kind = static_cast<int>(g_.below(store ? 3 : 5));
            if (!store && kind == 3 && !dim.clamped) {
                dim.stride = stride_class::zero;
                continue;
            }
            std::int64_t stride = next * (kind == 2 ? g_.between(2, 3) : 1);
            if (kind == 1) stride = -stride;
            dim.stride = stride == 1 && !dim.clamped && d + 1U == run.spec.rank ? stride_class::one : stride_class::runtime;
            p.strides[d] = stride;
            low += std::min(stride * reach_low, stride * reach_high);
            high += std::max(stride * reach_low, stride * reach_high);
            next = std::abs(stride) * extent;
        }
        p.offset = -low;
        elements = static_cast<std::size_t>(high - low + 1);
        return p;
    }

    void add_load() {
        const dtype types[] = {dtype::f32, dtype::f64, dtype::i32, dtype::i64, dtype::bool_};
        memory_access a;
        a.type = types[g_.below(5)];
        a.pointer = static_cast<std::uint16_t>(run.pointers.size());
        std::size_t elements = 0;
        run.loads.push_back(place(a, elements, false));
        inputs_.push_back(std::make_unique<guarded>(elements * frit::size_of(a.type), g_.chance(0.5)));
        visit(a.type, [&]<class T>() {
            for (std::size_t k = 0; k < elements; ++k) {
                const T x = static_cast<T>(std::is_same_v<T, bool> ? g_.below(2) : g_.between(-100, 100));
                std::memcpy(inputs_.back()->data() + k * sizeof(T), &x, sizeof x);
            }
        });
        run.pointers.push_back(inputs_.back()->data());
        run.spec.loads.push_back(a);
        const std::uint16_t value = add({op::load, a.type, static_cast<std::uint16_t>(run.spec.loads.size() - 1)});
        values_.push_back(a.type == dtype::f64 ? value : add({op::cast, dtype::f64, value}));
    }

    void add_coordinate() {
        const std::size_t dim = static_cast<std::size_t>(g_.below(run.spec.rank));
        const bool clamped = g_.chance(0.5);
        const dtype t = g_.chance(0.5) ? dtype::i32 : dtype::i64;
        run.spec.coords.push_back({static_cast<std::uint8_t>(dim), clamped});
        run.coords.push_back({g_.between(-3, 3), g_.between(-10, 10), 0, 20});
        const std::uint16_t value = add({op::coord, t, 0});
        values_.push_back(add({op::cast, dtype::f64, value}));
    }

    // Between two values, by whether an index, itself clamped perhaps, is unchanged by another clamp, in one dimension or
    // two.
    void add_selection() {
        const auto inside = [&] {
            const std::int64_t dim = g_.below(run.spec.rank), extent = run.extents[static_cast<std::size_t>(dim)];
            const auto index = [&](bool clamped, std::int64_t step, std::int64_t shift) {
                run.spec.coords.push_back({static_cast<std::uint8_t>(dim), clamped});
                const std::int64_t lo = g_.between(-2, 2 + extent / 2);
                run.coords.push_back({step, shift, lo, lo + g_.between(0, extent)});
                return add({op::coord, dtype::i32, static_cast<std::uint16_t>(run.spec.coords.size() - 1)});
            };
            const std::int64_t steps[] = {1, 1, 1, -1, 0, 2}, step = steps[g_.below(6)], shift = g_.between(-3, 3);
            const std::uint16_t own = index(g_.chance(0.2), step, shift);
            const bool other = g_.chance(0.1);  // which no update writes: another line
            const std::uint16_t clamped = index(true, other ? 1 : step, other ? 1 : shift);
            return add({op::eq, dtype::bool_, own, clamped});
        };
        std::uint16_t condition = inside();
        if (g_.chance(0.6)) condition = add({op::bit_and, dtype::bool_, condition, inside()});
        const auto any = [&] {
            return values_[static_cast<std::size_t>(g_.below(static_cast<std::int64_t>(values_.size())))];
        };
        const std::uint16_t yes = any(), no = any();
        values_.push_back(add({op::where, dtype::f64, condition, yes, no}));
        if (g_.chance(0.1)) values_.push_back(add({op::cast, dtype::f64, condition}));
    }

    // Sums of pairs until every value is used, each kept as a candidate for an output.
    void combine() {
        std::uint16_t total = values_[0];
        for (std::size_t k = 1; k < values_.size(); ++k) {
            total = add({op::add, dtype::f64, total, values_[k]});
            if (g_.chance(0.3)) candidates_.push_back(total);
        }
        candidates_.push_back(total);
        if (g_.chance(0.3)) candidates_.push_back(values_[0]);  // a value that is only read or cast
    }

    void add_store() {
        memory_access a;
        a.type = dtype::f64;
        a.pointer = static_cast<std::uint16_t>(run.pointers.size());
        std::size_t elements = 0;
        run.stores.push_back(place(a, elements, true));
        outputs_.push_back(std::make_unique<guarded>(elements * sizeof(double), g_.chance(0.5)));
        run.pointers.push_back(outputs_.back()->data());
        run.spec.stores.push_back(
            {a, candidates_[static_cast<std::size_t>(g_.below(static_cast<std::int64_t>(candidates_.size())))]});
    }

    void add_reduction() {
        kernel_spec& spec = run.spec;
        spec.reductions = {{op::sum, dtype::f64, candidates_.back()}, {op::max, dtype::f64, candidates_.back()}};
        spec.row = {{op::total, dtype::f64, 0},
                    {op::total, dtype::f64, 1},
                    {op::scalar, dtype::f64, 0},
                    {op::mul, dtype::f64, 1, 2}};
        outputs_.push_back(std::make_unique<guarded>(2 * sizeof(double), false));
        for (std::uint16_t k = 0; k < 2; ++k) {
            memory_access a;
            a.type = dtype::f64;
            a.pointer = static_cast<std::uint16_t>(run.pointers.size());
            a.dims.resize(spec.rank);
            run.pointers.push_back(outputs_.back()->data() + k * sizeof(double));
            spec.row_stores.push_back({a, static_cast<std::uint16_t>(k == 0 ? 0 : 3)});
        }
    }

    // The bytes that every output must have afterwards, untouched ones included.
    void expect() {
        for (const auto& o : outputs_) want_.emplace_back(o->bytes(), std::byte{0x5a});
        long double sum = 0, most = -HUGE_VALL;  // values are multiples of 1/4 and small: any order of addition is exact
        ref::for_each_index(run.extents, [&](const ref::position& index) {
            const auto values = value_at(index);
            for (std::size_t k = 0; k < run.spec.stores.size(); ++k) {
                const auto x = static_cast<double>(values[run.spec.stores[k].value].v);
                std::memcpy(want_[k].data() + run.stores[k].element(index) * std::int64_t{sizeof x}, &x, sizeof x);
            }
            if (run.spec.reductions.empty()) return;
            const long double v = values[run.spec.reductions[0].value].v;
            sum += v;
            most = std::max(most, v);
        });
        if (run.spec.reductions.empty()) return;
        const double totals[] = {static_cast<double>(sum), static_cast<double>(most) * 0.75};
        std::memcpy(want_.back().data(), totals, sizeof totals);
    }

    std::vector<ref::number> value_at(const ref::position& index) const {
        return evaluate(run.spec.body, [&](const instruction& i) {
            if (i.code == op::load)
                return read(inputs_[i.a]->data(), run.spec.loads[i.a].type, run.loads[i.a].element(index));
            if (i.code == op::scalar) return ref::number{0.75L};
            const coordinate& c = run.spec.coords[i.a];
            const clamping& p = run.coords[i.a];
            return ref::number{static_cast<long double>(c.clamped ? p.at(index[c.dim]) : p.step * index[c.dim] + p.shift)};
        });
    }

    generator g_;
    std::vector<std::uint16_t> values_, candidates_;
    std::vector<std::unique_ptr<guarded>> inputs_, outputs_;
    std::vector<std::vector<std::byte>> want_;
};

TEST(CpuLayouts, RandomKernelsInterpreted) {
    for (std::uint64_t seed = 1; seed <= 600 && !testing::Test::HasFailure(); ++seed) {
        random_kernel k(seed, seed % 3 == 0);
        for (isa_level level : levels()) {
            SCOPED_TRACE("seed " + std::to_string(seed) + " " + std::string(frit::detail::name_of(level)));
            k.check(backend_of(cpu_engine::interpreter, level));
        }
    }
}

// Enough elements in most of them that the interpreter cuts the domain where clamps begin and end.
TEST(CpuLayouts, RandomUpdatesInterpreted) {
    for (std::uint64_t seed = 1; seed <= 500 && !testing::Test::HasFailure(); ++seed) {
        random_kernel k(seed, false, true);
        for (isa_level level : levels()) {
            SCOPED_TRACE("seed " + std::to_string(seed) + " " + std::string(frit::detail::name_of(level)));
            k.check(backend_of(cpu_engine::interpreter, level));
            k.check_stretches(level);
        }
    }
}

TEST(CpuLayouts, RandomUpdatesCompiled) {
    for (std::uint64_t seed = 1; seed <= 10 && !testing::Test::HasFailure(); ++seed) {
        random_kernel k(seed, false, true);
        SCOPED_TRACE("seed " + std::to_string(seed));
        for (cpu_engine engine : compiled_engines()) k.check(backend_of(engine, levels().back()));
    }
}

TEST(CpuLayouts, RandomKernelsCompiled) {
    for (std::uint64_t seed = 1; seed <= 30 && !testing::Test::HasFailure(); ++seed) {
        random_kernel k(seed, seed % 3 == 0);
        const auto all = levels();
        const isa_level level = all[seed % all.size()];
        SCOPED_TRACE("seed " + std::to_string(seed) + " " + std::string(frit::detail::name_of(level)));
        for (cpu_engine engine : compiled_engines()) k.check(backend_of(engine, level));
    }
}

// Sizes around every border: vectors, groups of the reduction, blocks of the interpreter, blocks of the reduction.
TEST(CpuLayouts, EverySizeOfAFlatKernel) {
    for (cpu_engine engine : engines())
        for (isa_level level : levels())
            for (std::int64_t n :
                 {0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 127, 1023, 1024, 1025, 4095, 4096, 4097, 9001}) {
                guarded x(static_cast<std::size_t>(n) * sizeof(float), n % 2 == 0),
                    y(static_cast<std::size_t>(n) * sizeof(float), n % 2 == 1);
                auto* const in = reinterpret_cast<float*>(x.data());
                auto* const out = reinterpret_cast<float*>(y.data());
                for (std::int64_t k = 0; k < n; ++k) in[k] = static_cast<float>(k) / 4, out[k] = -1;
                launchable l;
                l.spec.loads = {flat(dtype::f32, 0)};
                l.spec.body = {{op::load, dtype::f32, 0}, {op::mul, dtype::f32, 0, 0}, {op::add, dtype::f32, 1, 0}};
                l.spec.stores = {{flat(dtype::f32, 1), 2}};
                l.spec.pointers = 2;
                l.extents = {n};
                l.loads = l.stores = {{{1}, {}, 0}};
                l.pointers = {x.data(), y.data()};
                l.run(backend_of(engine, level));
                for (std::int64_t k = 0; k < n; ++k) ASSERT_EQ(out[k], in[k] * in[k] + in[k]) << k << " of " << n;
            }
}

// y and x trade places: both outputs are the memory of the other's input.
TEST(CpuLayouts, OutputsInTheMemoryOfInputs) {
    for (cpu_engine engine : engines())
        for (isa_level level : levels())
            for (const bool swaps : {true, false}) {
                constexpr std::int64_t n = 5000;
                std::vector<double> x(n), y(n);
                for (std::size_t k = 0; k < n; ++k) x[k] = static_cast<double>(k), y[k] = -static_cast<double>(k) - 1;
                const auto x0 = x, y0 = y;
                launchable l;
                l.spec.loads = {flat(dtype::f64, 0), flat(dtype::f64, 1)};
                l.spec.body = {{op::load, dtype::f64, 0},
                               {op::load, dtype::f64, 1},
                               {op::add, dtype::f64, 0, 1},
                               {op::mul, dtype::f64, 2, 0}};
                if (swaps)
                    l.spec.stores = {{flat(dtype::f64, 1), 0}, {flat(dtype::f64, 0), 1}};
                else
                    l.spec.stores = {{flat(dtype::f64, 0), 2}, {flat(dtype::f64, 1), 3}};
                l.spec.pointers = 2;
                l.extents = {n};
                l.loads = l.stores = {{{1}, {}, 0}, {{1}, {}, 0}};
                l.pointers = {reinterpret_cast<std::byte*>(x.data()), reinterpret_cast<std::byte*>(y.data())};
                l.run(backend_of(engine, level));
                for (std::size_t k = 0; k < n; ++k) {
                    ASSERT_EQ(x[k], swaps ? y0[k] : x0[k] + y0[k]) << k;
                    ASSERT_EQ(y[k], swaps ? x0[k] : (x0[k] + y0[k]) * x0[k]) << k;
                }
            }
}

TEST(CpuLayouts, RankSixteen) {
    for (cpu_engine engine : engines()) {
        launchable l;
        l.spec.rank = 16;
        std::int64_t size = 1;
        placement in, out;
        memory_access a, b;
        a.type = b.type = dtype::i32;
        b.pointer = 1;
        for (int d = 0; d < 16; ++d) {
            const std::int64_t extent = d % 5 == 0 ? 2 : d % 3 == 0 ? 3 : 1;
            l.extents.push_back(extent);
            size *= extent;
        }
        in.strides.resize(16), out.strides.resize(16);
        std::int64_t row_major = 1, column_major = 1;
        for (std::size_t d = 16; d-- > 0; row_major *= l.extents[d]) out.strides[d] = row_major;
        for (std::size_t d = 0; d < 16; column_major *= l.extents[d++]) in.strides[d] = column_major;
        a.dims.assign(16, {stride_class::runtime, false});
        b.dims = a.dims;
        std::vector<std::int32_t> x(static_cast<std::size_t>(size)), y(x.size());
        for (std::size_t k = 0; k < x.size(); ++k) x[k] = static_cast<std::int32_t>(k);
        l.spec.loads = {a};
        l.spec.body = {{op::load, dtype::i32, 0}, {op::neg, dtype::i32, 0}};
        l.spec.stores = {{b, 1}};
        l.spec.pointers = 2;
        l.loads = {in};
        l.stores = {out};
        l.pointers = {reinterpret_cast<std::byte*>(x.data()), reinterpret_cast<std::byte*>(y.data())};
        l.run(backend_of(engine, isa_level::baseline));
        ref::for_each_index(l.extents, [&](const ref::position& index) {
            ASSERT_EQ(y[static_cast<std::size_t>(out.element(index))], -x[static_cast<std::size_t>(in.element(index))]);
        });
    }
}

fn::clamp clamp_of(const clamping& c) {
    const fn::u64 words[] = {static_cast<fn::u64>(c.step), static_cast<fn::u64>(c.shift), static_cast<fn::u64>(c.lo),
                             static_cast<fn::u64>(c.hi)};
    return fn::clamp(words);
}

// What generated text takes for the unclamped part of a row, beside a walk over the row.
TEST(CpuClamp, NarrowFindsTheUnclampedPart) {
    for (std::int64_t step = -3; step <= 3; ++step)
        for (std::int64_t shift = -12; shift <= 12; ++shift)
            for (std::int64_t lo = -4; lo <= 4; lo += 2)
                for (std::int64_t hi = lo; hi < lo + 6; ++hi) {
                    const clamping c{step, shift, lo, hi};
                    const auto free = [&](std::int64_t i) { return c.at(i) == step * i + shift; };
                    std::int64_t from = 2, to = 14;
                    while (from < to && !free(from)) ++from;
                    while (from < to && !free(to - 1)) --to;
                    fn::i64 first = 2, last = 14;
                    clamp_of(c).narrow(first, last);
                    ASSERT_EQ(first < last, from < to) << step << ' ' << shift << ' ' << lo << ' ' << hi;
                    if (from < to) {
                        ASSERT_TRUE(first == from && last == to) << step << ' ' << shift << ' ' << lo << ' ' << hi;
                    }
                }
}
TEST(CpuClamp, AStretchEndsWhereTheClampIsNoLongerWhatItWas) {
    for (std::int64_t step = -3; step <= 3; ++step)
        for (std::int64_t shift = -12; shift <= 12; ++shift)
            for (std::int64_t lo = -4; lo <= 4; lo += 2)
                for (std::int64_t hi = lo; hi < lo + 6; ++hi)
                    for (std::int64_t first = 0; first < 10; ++first) {
                        const clamping c{step, shift, lo, hi};
                        const auto free = [&](std::int64_t i) { return c.at(i) == step * i + shift; };
                        const std::int64_t by = free(first) ? step : 0;
                        std::int64_t end = first;
                        while (end < 14 && c.at(end) == c.at(first) + by * (end - first)) ++end;
                        const fn::i64 found = fn::end_of_stretch(clamp_of(c), first, 14);
                        ASSERT_LE(found, end) << step << ' ' << shift << ' ' << lo << ' ' << hi << ' ' << first;
                        ASSERT_TRUE(lo == hi || found == end)
                            << step << ' ' << shift << ' ' << lo << ' ' << hi << ' ' << first;
                        ASSERT_GT(found, first);
                    }
}
// A walk would take years.
TEST(CpuClamp, NarrowTakesNoLongerForAWidePad) {
    constexpr std::int64_t wide = std::int64_t{1} << 59;
    fn::i64 first = 0, last = 2 * wide;
    clamp_of({1, -wide, 0, 999}).narrow(first, last);
    EXPECT_EQ(first, wide);
    EXPECT_EQ(last, wide + 1000);
}

// Clamped coordinates, in whichever lanes they are computed.
TEST(CpuLayouts, ClampedCoordinatesFarOutside) {
    constexpr fn::i64 near = 7, large = (fn::i64{1} << 30) - 1, largest = INT32_MAX, beyond = fn::i64{1} << 40;
    for (const fn::i64 high : {near, near + 100, large, large + 1, largest})
        for (const fn::i64 low : {fn::i64{0}, near})
            for (const fn::i64 step : {1, -1, 3})
                for (const fn::i64 from : {-beyond, low - 17, low - 1, low, high - 3, high, high + 1, largest - 8, beyond}) {
                    const auto lanes = fn::along<fn::i32, 16>(from, step, low, high);
                    for (int k = 0; k < 16; ++k)
                        ASSERT_EQ(lanes.v[k], std::min(std::max(from + k * step, low), high))
                            << from << " by " << step << " in " << low << ", " << high;
                }
}

}  // namespace
