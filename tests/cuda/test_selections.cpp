// Selections run for real on a GPU: what they give is what the CPU's give, which unit/test_selections.cpp compares with
// sorts; rows that a GPU selects from and rows that it sorts, samples that are none, and candidates that are too many. And
// what masks pick, which unit/test_masks.cpp compares with loops.
#include <cstring>
#include <random>

#include "frit/error.hpp"
#include "src/cpu/cpu.hpp"
#include "src/cuda/backend.hpp"
#include "tests/cuda/library_checks.hpp"

namespace {

using namespace frit_test;
using frit::dtype;
using frit::op;

struct extent {
    std::int64_t rows, length;
};
const extent extents[] = {{1, 1},      {5, 3},       {1000, 7},    {70, 4097},   {1, 16'383},  {1, 16'384},
                          {1, 20'001}, {3, 131'071}, {2, 131'072}, {1, 131'071}, {1, 300'001}, {1, 2'000'003}};
enum class kind { bits, few_values, one_value, rising, falling };
constexpr kind kinds[] = {kind::bits, kind::few_values, kind::one_value, kind::rising, kind::falling};

/// Elements of any dtype as their bytes.
std::vector<unsigned char> elements(dtype type, extent e, kind of) {
    const std::size_t width = frit::size_of(type), n = static_cast<std::size_t>(e.rows * e.length);
    std::vector<unsigned char> x(n * width);
    std::mt19937_64 random(static_cast<unsigned>(e.length));
    const auto small = [&](std::uint64_t v) {
        std::vector<unsigned char> bytes(16);
        const auto put = [&](auto value) { std::memcpy(bytes.data(), &value, sizeof value); };
        switch (type) {
#define FRIT_X(name, T)                             \
    case dtype::name:                               \
        put(static_cast<T>(static_cast<float>(v))); \
        break;
            FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
            default: break;
        }
        return bytes;
    };
    for (std::size_t k = 0; k < n; ++k) {
        const std::uint64_t r[] = {random(), random()};
        const std::size_t place = k % static_cast<std::size_t>(e.length), length = static_cast<std::size_t>(e.length);
        std::vector<unsigned char> element(16);
        if (of == kind::bits && type != dtype::bool_)
            std::memcpy(element.data(), r, 16);
        else
            element = small(of == kind::few_values  ? r[0] % 5
                            : of == kind::one_value ? 3
                            : of == kind::rising    ? place * 100 / length
                                                    : (length - place) * 100 / length);
        std::memcpy(x.data() + k * width, element.data(), width);
    }
    return x;
}

/// The results that are asked for, as bytes.
std::vector<std::vector<unsigned char>> run(frit::detail::backend& on, const library_call& c,
                                            const std::vector<unsigned char>& x, const std::vector<std::int64_t>& ranks) {
    const auto from = to_device(on, x), at = to_device(on, ranks);
    std::vector<frit::detail::buffer_ref> memory;
    std::vector<void*> results;
    for (const frit::fusion::call_result& r : c.results) {
        memory.push_back(on.allocate(static_cast<std::size_t>(r.extents.size()) * frit::size_of(r.type)));
        results.push_back(r.asked ? memory.back()->data : nullptr);
    }
    const bool is_largest = c.of->name == "largest";
    call_with_workspace(on, c, {from->data, is_largest ? from->data : at->data}, results);
    std::vector<std::vector<unsigned char>> got;
    for (std::size_t k = 0; k < c.results.size(); ++k)
        if (c.results[k].asked)
            got.push_back(from_device<unsigned char>(
                on, memory[k], static_cast<std::size_t>(c.results[k].extents.size()) * frit::size_of(c.results[k].type)));
    return got;
}

/// NaNs that a GPU selects are the quiet one, and all NaNs are equal there.
void expect_same(dtype type, const std::vector<unsigned char>& got, const std::vector<unsigned char>& want, bool nan_is_nan,
                 const std::string& what) {
    ASSERT_EQ(got.size(), want.size());
    const std::size_t width = frit::size_of(type);
    for (std::size_t k = 0; k < want.size(); k += width) {
        if (std::memcmp(&got[k], &want[k], width) == 0) continue;
        bool both_nan = false;
        const auto check = [&]<class T>(T) {
            T a, b;
            std::memcpy(&a, &got[k], width);
            std::memcpy(&b, &want[k], width);
            both_nan = a != a && b != b;
        };
        if (type == dtype::f32) check(float());
        if (type == dtype::f64) check(double());
        if (type == dtype::f16) check(frit::half());
        if (type == dtype::bf16) check(frit::bfloat16());
        ASSERT_TRUE(nan_is_nan && both_nan) << what << ", element " << k / width;
    }
}

constexpr dtype types[] = {
#define FRIT_X(name, T) dtype::name,
    FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
};

/// Why nothing can be run on a GPU; empty: it can.
std::string missing() {
    if (frit::detail::cuda_device_count() == 0) return "no GPU here";
    try {
        frit::detail::cuda_backend(0).require(row_call(op::sort, dtype::f32, 1, 1));
    } catch (const frit::device_error& e) {
        return e.what();
    }
    return {};
}

TEST(SelectionsOnAGpu, AreThoseOfTheCpu) {
    if (const std::string why = missing(); !why.empty()) GTEST_SKIP() << why;
    frit::detail::backend &gpu = frit::detail::cuda_backend(0), &cpu = frit::detail::cpu_backend();
    for (const dtype type : types)
        for (const extent& e : extents)
            for (const kind k : kinds) {
                if (e.length > 1'000'000 && type != dtype::f32 && type != dtype::u8) continue;
                const std::string what = std::string(frit::name_of(type)) + ", " + std::to_string(e.rows) + " x " +
                                         std::to_string(e.length) + ", kind " + std::to_string(static_cast<int>(k));
                const std::vector<unsigned char> x = elements(type, e, k);
                const auto compare = [&](const library_call& c, const std::vector<std::int64_t>& ranks, bool nan_is_nan) {
                    const auto got = run(gpu, c, x, ranks), want = run(cpu, c, x, ranks), again = run(gpu, c, x, ranks);
                    ASSERT_EQ(got, again) << what;
                    std::size_t at = 0;
                    for (const frit::fusion::call_result& r : c.results)
                        if (r.asked) {
                            expect_same(r.type, got[at], want[at], nan_is_nan, what + ", " + std::string(name_of(c.code)));
                            ++at;
                        }
                };
                std::mt19937_64 random(3);
                for (const std::int64_t count : {1, 3, 9, 17}) {
                    std::vector<std::int64_t> ranks{e.length - 1, e.length / 2};
                    while (static_cast<std::int64_t>(ranks.size()) < count * e.rows)
                        ranks.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(e.length)));
                    if (!frit::is_complex(type)) {
                        compare(selection_call(op::at_ranks, type, e.rows, e.length, count), ranks, true);
                        compare(selection_call(op::at_ranks, type, e.rows, e.length, count, false), ranks, true);
                    }
                    if (count <= 3)
                        compare(
                            selection_call(op::partitioned, type, e.rows, e.length, count, true, {op::partitioned_places}),
                            ranks, true);
                }
                for (const std::int64_t count : {std::int64_t{1}, std::int64_t{64}, e.length / 100, e.length}) {
                    if (count == 0 || count > e.length) continue;
                    compare(selection_call(op::largest, type, e.rows, e.length, count, true, {op::largest_places}), {0},
                            false);
                    compare(selection_call(op::largest_places, type, e.rows, e.length, count), {0}, false);
                }
            }
}

// Also of a mask that holds more than was counted: what there is no room for is left out.
TEST(MasksOnAGpu, PickWhatTheCpuPicks) {
    if (const std::string why = missing(); !why.empty()) GTEST_SKIP() << why;
    frit::detail::backend &gpu = frit::detail::cuda_backend(0), &cpu = frit::detail::cpu_backend();
    constexpr unsigned char behind = 0xa5;
    for (const dtype type : types)
        for (const std::int64_t n : {1, 33, 5000, 1'000'003}) {
            const std::vector<unsigned char> x = elements(type, {1, n}, kind::bits);
            const std::size_t width = frit::size_of(type);
            for (const std::uint64_t every : {1, 2, 15, 2000}) {
                std::mt19937_64 random(every);
                std::vector<unsigned char> mask(static_cast<std::size_t>(n));
                std::int64_t count = 0;
                for (unsigned char& m : mask) count += (m = random() % every == 0 ? 1 + random() % 255 : 0) != 0;
                for (const std::int64_t room : {count, count / 2}) {
                    if (room == 0) continue;
                    const library_call c = compress_call(type, n, room);
                    const auto on = [&](frit::detail::backend& b) {
                        const auto from = to_device(b, x), at = to_device(b, mask);
                        const auto to =
                            to_device(b, std::vector<unsigned char>(static_cast<std::size_t>(n + 1) * width, behind));
                        call_with_workspace(b, c, {from->data, at->data, at->data}, {to->data});
                        return from_device<unsigned char>(b, to, static_cast<std::size_t>(n + 1) * width);
                    };
                    const std::vector<unsigned char> got = on(gpu);
                    ASSERT_EQ(got, on(cpu)) << frit::name_of(type) << ", " << room << " of " << n;
                    ASSERT_EQ(got, on(gpu));
                    ASSERT_EQ(got[static_cast<std::size_t>(room) * width], behind);
                }
            }
        }
}

}  // namespace
