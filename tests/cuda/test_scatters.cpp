// Scatters run for real: on a GPU where there is one, and on the CPU, which checks the tests. The reference is a loop over
// the values. They are such that no order of additions or multiplications rounds, so results must be equal to it.
#include <cmath>
#include <cstring>
#include <optional>
#include <sstream>

#include "frit/error.hpp"
#include "tests/cuda/library_checks.hpp"
#include "tests/support/thorough.hpp"

namespace {

using namespace frit_test;
using frit::dtype;
using frit::op;

/// How many values go to how many elements: each way of the plugin is taken, and both sides of what parts them.
struct extent {
    std::int64_t count, size;
};
const extent extents[] = {{1, 1},           {7, 5},           {1000, 20},        {1025, 256},
                          {3000, 100'003},  {70'000, 1},      {70'000, 300},     {70'000, 1024},
                          {70'000, 1025},   {70'000, 2048},   {70'000, 2049},    {70'000, 65'536},
                          {65'536, 50'000}, {65'535, 50'000}, {70'000, 262'144}, {70'000, 280'004}};

enum class numbers { of_elements, indices, from_both_ends, out_of_range };
enum class places { anywhere, one, runs };

struct scatter_case {
    op code;
    extent of;
    numbers given;
    places at;
    bool one_value, in_place;
};
template <class T, class Index>
std::string text_of(const scatter_case& c) {
    std::ostringstream text;
    text << name_of(c.code) << " of " << c.of.count << " " << name_of(frit::dtype_of<T>) << " at " << c.of.size << " by "
         << name_of(frit::dtype_of<Index>) << ", numbers " << static_cast<int>(c.given) << ", places "
         << static_cast<int>(c.at) << (c.one_value ? ", one value" : "") << (c.in_place ? ", in place" : "");
    return text.str();
}

template <class T>
T value_for(op code, generator& g) {
    if constexpr (is_complex<T>) {
        const T units[] = {T(1), T(-1), T(0, 1), T(0, -1)};
        using part = typename T::value_type;
        return code == op::scatter_mul ? units[g.below(4)]
                                       : T(static_cast<part>(g.between(-3, 3)), static_cast<part>(g.between(-3, 3)));
    } else if constexpr (is_float<T>) {
        if (code == op::scatter_mul) return g.chance(0.5) ? T(1) : T(-1);
        const bool extremum = code == op::scatter_min || code == op::scatter_max;
        if (extremum && g.chance(0.01)) return g.chance(0.5) ? std::numeric_limits<T>::quiet_NaN() : T(-0.0);
        return static_cast<T>(g.between(-3, 3));
    } else {
        return static_cast<T>(g.below(std::is_same_v<T, bool> ? 2 : 1'000'000'007));
    }
}

template <class T>
T combined(op code, T a, T b) {
    if (code == op::scatter_set) return b;
    if constexpr (std::is_same_v<T, bool>) return code == op::scatter_add || code == op::scatter_max ? a || b : a && b;
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
        if (code == op::scatter_add) return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
        if (code == op::scatter_mul) return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
    } else if constexpr (!std::is_same_v<T, bool>) {
        if (code == op::scatter_add) return a + b;
        if (code == op::scatter_mul) return a * b;
    }
    if constexpr (!is_complex<T>) {
        if (a != a || b != b) return a != a ? a : b;
        if constexpr (is_float<T>)  // +0 is above -0
            if (a == b) return std::signbit(a) == (code == op::scatter_min) ? a : b;
        return (code == op::scatter_min) == (b < a) ? b : a;
    }
    return a;
}
template <class T>
bool is_same(T a, T b) {
    if constexpr (is_complex<T>)
        return a == b;  // which signs zeros have is a matter of the order
    else if constexpr (is_float<T>)
        return (a != a && b != b) || (a == b && std::signbit(a) == std::signbit(b));
    else
        return a == b;
}

class ScattersOfVectors : public ::testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        on_gpu = std::string(GetParam()) == "cuda";
        if (on_gpu && frit::detail::cuda_device_count() == 0) GTEST_SKIP() << "no GPU here";
        device = on_gpu ? &frit::detail::cuda_backend(0) : &frit::detail::cpu_backend();
        try {
            device->require(row_call(op::sort, dtype::f32, 1, 1));
        } catch (const frit::device_error& e) {
            GTEST_SKIP() << e.what();
        }
    }

    /// Numbers for the call, and where each value goes; nowhere is negative.
    template <class Index>
    std::vector<Index> numbers_for(const scatter_case& c, generator& g, std::vector<std::int64_t>& elements) {
        const std::int64_t n = c.of.size, one = g.below(n);
        std::vector<Index> at;
        for (std::int64_t k = 0; k < c.of.count; ++k) {
            const std::int64_t element = c.at == places::one ? one : c.at == places::runs ? k / 40 * 77 % n : g.below(n);
            elements.push_back(element);
            std::int64_t i = element;
            if (c.given >= numbers::from_both_ends && g.chance(0.5)) i -= n;
            if (c.given == numbers::out_of_range && (k == c.of.count / 2 || g.chance(0.01))) {
                i = g.chance(0.5) ? n + g.below(1000) : -n - 1 - g.below(1000);
                elements.back() = -1;
            }
            at.push_back(static_cast<Index>(i));
        }
        return at;
    }

    template <class T, class Index>
    void check(const scatter_case& c) {
        SCOPED_TRACE((text_of<T, Index>(c)));
        generator g(static_cast<std::uint64_t>(c.of.count * 31 + c.of.size));
        std::vector<std::int64_t> elements;
        const std::vector<Index> at = numbers_for<Index>(c, g, elements);
        // Beside them elements that nobody may write.
        constexpr std::int64_t beside = 256;
        std::vector<std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>> base, values;
        for (std::size_t k = 0; k < static_cast<std::size_t>(c.of.size + 2 * beside); ++k)
            base.push_back(k < 1000 ? value_for<T>(op::scatter_set, g) : base[k - 1000]);
        for (std::int64_t k = 0; k < (c.one_value ? 1 : c.of.count); ++k) values.push_back(value_for<T>(c.code, g));
        const auto from = to_device(*device, base), indices = to_device(*device, at), put = to_device(*device, values),
                   to = c.in_place ? from : to_device(*device, base);
        const dtype type = frit::dtype_of<T>;
        const library_call call{
            .of = c.given == numbers::of_elements ? &frit::detail::routine_of(c.code) : &frit::detail::checking_scatter(),
            .code = c.code,
            .operands = {{type, frit::shape{c.of.size}, {1}},
                         {frit::dtype_of<Index>, frit::shape{c.of.count}, {1}},
                         {type, frit::shape{c.of.count}, {c.one_value ? 0 : 1}}},
            .results = {{true, type, frit::shape{c.of.size}}}};
        const frit::detail::buffer_ref workspace = device->allocate(device->workspace(call));
        const auto inside = [&](const frit::detail::buffer_ref& b) { return static_cast<T*>(b->data) + beside; };
        const std::vector<const void*> operands{inside(from), indices->data, put->data};
        const std::vector<void*> results{inside(to)};
        const bool fails = c.given == numbers::out_of_range;
        std::string error;
        try {
            device->call(call, {operands, results, workspace->data}, "the formula");
            device->synchronize();
        } catch (const frit::index_error& e) {
            error = e.what();
        }
        EXPECT_EQ(!error.empty(), fails) << error;
        if (fails) {
            EXPECT_NE(error.find(" extent " + std::to_string(c.of.size) + ", in the formula"), std::string::npos) << error;
        }
        auto want = base;
        for (std::size_t k = 0; k < elements.size() && (on_gpu || !fails); ++k) {
            if (elements[k] < 0) continue;
            auto& element = want[static_cast<std::size_t>(elements[k] + beside)];
            element = combined<T>(c.code, element, values[c.one_value ? 0 : k]);
        }
        const auto got = from_device<typename decltype(base)::value_type>(*device, to, base.size());
        if (std::memcmp(got.data(), want.data(), want.size() * sizeof want[0]) == 0) return;
        for (std::size_t k = 0; k < want.size(); ++k)
            ASSERT_TRUE(is_same<T>(got[k], want[k])) << "element " << static_cast<std::int64_t>(k) - beside;
    }

    template <class T>
    void check_all(std::size_t& number) {
        for (const extent& e : extents)
            for (const op code : {op::scatter_set, op::scatter_add, op::scatter_mul, op::scatter_min, op::scatter_max})
                for (const numbers given :
                     {numbers::of_elements, numbers::indices, numbers::from_both_ends, numbers::out_of_range})
                    for (const places at : {places::anywhere, places::one, places::runs})
                        for (const bool one_value : {false, true}) {
                            if (is_complex<T> && (code == op::scatter_min || code == op::scatter_max)) continue;
                            if (!sampled(number++, e.count > 10'000 ? 97 : 13)) continue;
                            const scatter_case c{code, e, given, at, one_value, number % 2 == 0};
                            check<T, std::int32_t>(c);
                            check<T, std::int64_t>(c);
                            if (::testing::Test::HasFailure()) return;
                        }
    }
    template <class T>
    void check_large(op code, extent e) {
        for (const numbers given : {numbers::from_both_ends, numbers::out_of_range}) {
            check<T, std::int32_t>({code, e, given, places::anywhere, false, true});
            check<T, std::int64_t>({code, e, given, places::runs, false, true});
        }
    }

    frit::detail::backend* device = nullptr;
    bool on_gpu = false;
};
INSTANTIATE_TEST_SUITE_P(, ScattersOfVectors, ::testing::Values("cpu", "cuda"),
                         [](const auto& p) { return std::string(p.param); });

TEST_P(ScattersOfVectors, OfEveryKindAndSize) {
    std::size_t number = 0;
#define FRIT_X(name, T) \
    if constexpr (frit::dtype::name != dtype::f16 && frit::dtype::name != dtype::bf16) check_all<T>(number);
    FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
}

TEST_P(ScattersOfVectors, OfLargeArrays) {
    if (!on_gpu && !thorough()) GTEST_SKIP() << "of the CPU under ./dev test --all";
    for (const std::int64_t count : {1000, 1'050'000, 1'070'000}) {  // few are one in sixteen
        check_large<std::uint8_t>(op::scatter_set, {count, 17'000'000});
        check_large<float>(op::scatter_set, {count, 17'000'000});
    }
    const extent more_than_cached{2'000'000, 7'000'000};
    check_large<float>(op::scatter_add, more_than_cached);
    check_large<std::int32_t>(op::scatter_add, more_than_cached);
    check_large<std::int64_t>(op::scatter_add, more_than_cached);
    check_large<std::int32_t>(op::scatter_max, more_than_cached);
}

}  // namespace
