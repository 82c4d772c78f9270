// Complex numbers to compare engines by: random arrays, how near an answer must be by its modulus, and a check that one
// formula has the same bits everywhere.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "frit/frit.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/libraries.hpp"

namespace frit_test::complex_cases {
using frit::array;
using c64 = std::complex<float>;
using c128 = std::complex<double>;

template <class T>
std::vector<T> numbers(std::size_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto part = [&] { return (static_cast<double>(random()) / 0x1p32 - 0.5) * (random() % 4 == 0 ? 16 : 3); };
    std::vector<T> values;
    for (std::size_t k = 0; k < count; ++k) {
        if constexpr (frit::is_complex(frit::dtype_of<T>)) {
            const double re = part();
            values.push_back(T(c128(re, part())));
        } else {
            values.push_back(static_cast<T>(part()));
        }
    }
    return values;
}
template <class T>
array<T> some(const frit::shape& extents, std::uint32_t seed) {
    return frit::from_host(numbers<T>(static_cast<std::size_t>(extents.size()), seed), extents);
}

/// Any element as a complex number.
template <class T>
c128 wide(T x) {
    if constexpr (frit::is_complex(frit::dtype_of<T>))
        return c128(x);
    else
        return {static_cast<double>(x), 0};
}

/// @param eps  the error allowed, by modulus, in units of the parts' precision
template <class T>
void expect_near(const array<T>& got, const std::vector<c128>& want, double eps, const std::string& what) {
    const std::vector<T> values = got.to_vector();
    ASSERT_EQ(values.size(), want.size()) << what;
    using part = frit::cpp_type<frit::real_dtype(frit::dtype_of<T>)>;
    const double unit = std::is_floating_point_v<part> ? static_cast<double>(std::numeric_limits<part>::epsilon()) : 0;
    int shown = 0;
    for (std::size_t k = 0; k < want.size() && shown < 3; ++k) {
        const c128 is = wide(static_cast<T>(values[k]));
        if (is == want[k] || std::abs(is - want[k]) <= eps * unit * std::abs(want[k])) continue;
        ++shown;
        ADD_FAILURE() << what << " at " << k << ": got " << is << ", want " << want[k];
    }
}

template <class T>
std::string bytes_of(const array<T>& x) {
    const auto values = x.to_vector();
    std::string out;
    for (const T v : values) out.append(reinterpret_cast<const char*>(&v), sizeof v);
    return out;
}
/// Collects what one formula gives everywhere: the first one's bits are everybody's.
class same_bits {
public:
    template <class T>
    void add(const std::string& what, const array<T>& x) {
        const std::string bytes = bytes_of(x);
        const auto [known, fresh] = first_.try_emplace(what, bytes);
        EXPECT_TRUE(fresh || known->second == bytes) << what;
    }

private:
    std::map<std::string, std::string> first_;
};

/// Where every op is a kernel or two, the host's compiler would take minutes for them: it gives the bits of jit.
inline void interpreted_and_jit(const std::function<void(const std::string&)>& check) {
    if (frit::default_device() != frit::device::cpu()) return check("cuda");
    for (const frit_test::engine e : frit_test::engines()) {
        if (e == frit_test::engine::cxx) continue;
        const frit_test::with_engine with(e);
        check(frit_test::name_of(e));
    }
}

}  // namespace frit_test::complex_cases
