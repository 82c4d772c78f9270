// Every cast between compute dtypes, edges first: saturation, NaN, wrapping, rounding to the nearest float.
#include <gtest/gtest.h>

#include "tests/differential/layouts.hpp"
#include "tests/differential/op_cases.hpp"
#include "tests/support/engines.hpp"

namespace {
using frit::dtype;

/// Numbers around every boundary that a cast may have.
template <class T>
std::vector<T> boundaries() {
    std::vector<T> r = frit_test::edges<T>();
    if constexpr (std::is_floating_point_v<T>) {
        for (int power : {0, 1, 7, 8, 15, 16, 24, 31, 32, 53, 62, 63, 64}) {
            const T at = std::ldexp(T(1), power), inf = std::numeric_limits<T>::infinity();
            for (T v : {at, std::nextafter(at, T(0)), std::nextafter(at, inf), at + T(0.5), at - T(0.5)})
                r.push_back(v), r.push_back(-v);
        }
    } else if constexpr (!std::is_same_v<T, bool>) {
        for (int power = 1; power < std::numeric_limits<T>::digits; ++power)
            for (int d = -1; d <= 1; ++d) {
                const auto v = (std::uint64_t{1} << power) + static_cast<std::uint64_t>(d);
                r.push_back(static_cast<T>(v)), r.push_back(static_cast<T>(-v));
            }
    }
    return r;
}

template <class From>
void check_casts(const frit::array<From>& x, const ref::array& plain, const std::string& where) {
    const auto run = [&] {
        std::vector<frit_test::op_case> held;
#define FRIT_X(name, type)                                              \
    {                                                                   \
        const frit::array<type> y = frit::cast<type>(x);                \
        held.push_back({frit::op::cast, #name, y.dtype(), y.handle()}); \
    }
        FRIT_COMPUTE_DTYPES(FRIT_X)
#undef FRIT_X
        for (const frit_test::op_case& c : held) {
            const ref::array want = ref::cast(plain, c.type);
            const std::vector<long double> got = frit_test::read_back(c.node.get());
            ASSERT_EQ(got.size(), want.data.size());
            for (std::size_t k = 0; k < got.size(); ++k) {
                const long double w = want.data[k].v;
                EXPECT_TRUE((std::isnan(got[k]) && std::isnan(w)) ||
                            (got[k] == w && std::signbit(got[k]) == std::signbit(w)))
                    << "cast of " << plain.data[k].v << " from " << name_of(plain.type) << " to " << c.name << ": got "
                    << got[k] << ", want " << w << ", " << where;
            }
        }
    };
    for (frit_test::engine e : {frit_test::engine::interpreter, frit_test::engine::cxx}) {
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
        check_casts(frit::array<From>(frit::full({}, static_cast<From>(values[k]))),
                    frit_test::plain_array(std::vector<From>{values[k]}, {}), "0-d");
}

#define FRIT_X(name, type) \
    TEST(Casts, From_##name) { check_all_lengths<type>(); }
FRIT_COMPUTE_DTYPES(FRIT_X)
#undef FRIT_X

}  // namespace
