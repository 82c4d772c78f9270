// Functions of text: an input is a digit that says of which types, and a text. It is a compile_error, or a function that
// gives each element the same whether it is computed alone or beside others, which go other ways.
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <frit/frit.hpp>

#include "tests/fuzz/fuzz.hpp"

using frit::array, frit::function;

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    ::setenv("FRIT_DEVICE", "cpu", 1);
    ::setenv("FRIT_CPU_ENGINE", "interpreter", 1);
    ::setenv("FRIT_NUM_THREADS", "1", 1);
    ::setenv("FRIT_CACHE_DIR", "", 1);
    frit::set_loop_limit(20);
    // what texts may call
    const function<double(double)> twice("twice", "return x0 + x0;");
    const function<int(int, int)> gcd("gcd", "while (x1) { int r = x0 % x1; x0 = x1; x1 = r; } return x0;");
    const function<std::tuple<int, int>(int)> pair("pair", "y0 = x0; y1 = -x0;");
    return 0;
}

namespace {

constexpr std::size_t count = 5;

template <class T>
std::vector<T> some() {
    if constexpr (std::is_integral_v<T>)
        return {static_cast<T>(0), static_cast<T>(1), static_cast<T>(-7), static_cast<T>(100),
                std::numeric_limits<T>::min()};
    else if constexpr (frit::is_complex(frit::dtype_of<T>))
        return {T(0, 0), T(1, -1), T(-0.5F, 2), T(INFINITY, 0), T(3, 1e-3F)};
    else
        return {T(0), T(1), T(-2.5), T(INFINITY), T(1e-3)};
}

/// Of NaNs nobody promises the sign.
template <class T>
bool alike(T a, T b) {
    if constexpr (frit::is_complex(frit::dtype_of<T>))
        return alike(a.real(), b.real()) && alike(a.imag(), b.imag());
    else if constexpr (std::is_integral_v<T>)
        return a == b;
    else
        return std::memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

template <frit::dtype D>
auto stored(const frit::composed<D>& x) {
    return std::tuple(array<frit::cpp_type<D>>(x).eval());
}
template <class... R>
auto stored(const std::tuple<R...>& all) {
    return std::apply([](const auto&... x) { return std::tuple_cat(stored(x)...); }, all);
}

template <class F, class... A>
void check_alone(const F& f, const std::vector<A>&... x) {
    const auto together = stored(f(frit::from_host(x)...));
    for (std::size_t k = 0; k < count; ++k) {
        const auto alone = stored(f(frit::scalar(A(x[k]))...));
        [&]<std::size_t... R>(std::index_sequence<R...>) {
            (..., ([&] { FUZZ_CHECK(alike(std::get<R>(alone).item(), std::get<R>(together).span()[k])); }()));
        }
        (std::make_index_sequence<std::tuple_size_v<std::remove_const_t<decltype(together)>>>{});
    }
}

/// Loops in loops take the product of their rounds.
bool is_quick(std::string_view text) {
    int loops = 0;
    for (const std::string_view word : {"for", "while", "gcd"})
        for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++loops;
    return loops <= 3;
}

template <class R, class... A>
void check(std::string_view text) {
    try {
        const function<R(A...)> f("the_function_that_is_fuzzed", text);
        if (is_quick(text)) check_alone(f, some<A>()...);
    } catch (const frit::compile_error& e) {
        FUZZ_CHECK(std::string_view(e.what()).find(", column ") != std::string_view::npos);
    } catch (const frit::index_error& e) {
        FUZZ_CHECK(std::string_view(e.what()).find("20 rounds") != std::string_view::npos);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    switch (data[0]) {
        case '0': check<double, double>(text); break;
        case '1': check<int, std::int64_t, std::uint8_t>(text); break;
        case '2': check<std::tuple<float, int>, int, float>(text); break;
        case '3': check<std::complex<float>, std::complex<float>, int>(text); break;
        case '4': check<frit::half, frit::half, frit::bfloat16>(text); break;
        default: check<bool, double, std::uint32_t, std::complex<double>>(text);
    }
    return 0;
}
