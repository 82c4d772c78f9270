// Every cast between dtypes, edges first: saturation, NaN, wrapping, rounding to the nearest float, and of 16-bit floats
// every tie.
#include <gtest/gtest.h>

#include <map>

#include "tests/differential/layouts.hpp"
#include "tests/differential/op_cases.hpp"
#include "tests/support/engines.hpp"

namespace {
using frit::dtype;

/// Numbers around every boundary that a cast may have; ties of the 16-bit formats, and just beside them.
template <class T>
std::vector<T> boundaries() {
    std::vector<T> r = frit_test::edges<T>();
    frit_test::generator g(5);
    if constexpr (frit_test::is_complex<T>) {
        const auto parts = boundaries<typename T::value_type>();
        r.clear();
        for (const auto part : parts) r.emplace_back(part, parts[static_cast<std::size_t>(g.below(std::ssize(parts)))]);
    } else if constexpr (sizeof(T) == 2 && frit_test::is_float<T>) {
        for (int bits = 0; bits < 0x10000; bits += 7) r.push_back(T::from_bits(static_cast<std::uint16_t>(bits)));
    } else if constexpr (frit_test::is_float<T>) {
        std::vector<T> at{T(65504), T(65520), T(3.39e38), T(3.4e38), T(1e-300), T(1e300)};
        for (int power : {0, 1, 7, 8, 15, 16, 24, 31, 32, 53, 62, 63, 64}) at.push_back(std::ldexp(T(1), power));
        for (int k = 0; k < 500; ++k)
            at.push_back(std::ldexp(static_cast<T>(g.below(4096)) + T(0.5),
                                    static_cast<int>(g.below(k % 2 ? 60 : 300)) - 40 * (k % 5)));
        for (T x : at)
            for (T v : {x, std::nextafter(x, T(0)), std::nextafter(x, std::numeric_limits<T>::infinity()),
                        x * (1 + T(0x1p-30)), x + T(0.5), x - T(0.5)})
                r.push_back(v), r.push_back(-v);
    } else if constexpr (!std::is_same_v<T, bool>) {
        std::vector<std::uint64_t> at;
        for (int power = 1; power < std::numeric_limits<T>::digits; ++power) at.push_back(std::uint64_t{1} << power);
        for (int k = 0; k < 200; ++k) at.insert(at.end(), {g.next() >> k % 64, std::uint64_t{257} << k % 55});
        for (const std::uint64_t v : at)
            for (const std::uint64_t near : {v - 1, v, v + 1})
                r.push_back(static_cast<T>(near)), r.push_back(static_cast<T>(-near));
    }
    return r;
}

template <class From>
void check_casts(const frit::array<From>& x, const ref::array& plain, const std::string& where) {
    std::map<dtype, ref::array> wanted;
    const auto run = [&] {
        std::vector<frit_test::op_case> held;
#define FRIT_X(name, type)                                              \
    {                                                                   \
        const frit::array<type> y = frit::cast<type>(x);                \
        held.push_back({frit::op::cast, #name, y.dtype(), y.handle()}); \
    }
        FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X
        for (const frit_test::op_case& c : held) {
            ref::array& want = wanted[c.type];
            if (want.data.empty()) want = ref::cast(plain, c.type);
            const std::vector<ref::value> got = frit_test::read_back(c.node.get());
            ASSERT_EQ(got.size(), want.data.size());
            for (std::size_t k = 0; k < got.size(); ++k)
                if (!ref::same(got[k], want.data[k].at())) {
                    ADD_FAILURE() << "cast of " << plain.data[k].at() << " from " << name_of(plain.type) << " to " << c.name
                                  << ": got " << got[k] << ", want " << want.data[k].at() << ", " << where;
                    break;
                }
        }
    };
    static std::size_t turn = 0;
    const bool with_host_compiler = frit_test::host_compiler_takes(turn++, 20);  // a process for each cast
    for (frit_test::engine e : frit_test::engines()) {
        if (e == frit_test::engine::cxx && !with_host_compiler) continue;
        const frit_test::with_engine engine(e);
        run();
    }
    const frit_test::without_fusion off;
    run();
}

template <class From>
void check_all_lengths() {
    std::vector<From> values = boundaries<From>();
    values.resize(values.size() / 2 * 2);
    const auto n = static_cast<std::int64_t>(values.size());
    for (auto how : {frit_test::layout::contiguous, frit_test::layout::strided}) {
        const auto x = frit_test::lay_out(how, values, 2, n / 2);
        check_casts(x.lazy, x.plain, how == frit_test::layout::strided ? "strided" : "contiguous");
    }
    for (std::size_t k = 0; k < 4; ++k)
        check_casts(frit::array<From>(frit::full({}, From(values[k]))),
                    frit_test::plain_array(std::vector<From>{values[k]}, {}), "0-d");
}

#define FRIT_X(name, type) \
    TEST(Casts, From_##name) { check_all_lengths<type>(); }
FRIT_ARRAY_DTYPES(FRIT_X)
#undef FRIT_X

}  // namespace
