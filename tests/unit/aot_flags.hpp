// Formulas by frit::aot in files that are compiled with other options than the tests: what they give, and where their code
// is.
#pragma once

#include <array>
#include <tuple>
#include <type_traits>

#include <frit/aot.hpp>
#include <frit/frit.hpp>

namespace frit_test {

/// Formulas whose bits depend on the order of their operations, on signs of zeros and on quotients.
inline constexpr auto aot_formulas = []<class T>(const frit::array<T>& x, const frit::array<T>& y) {
    return std::tuple(x + y - x, (x + T(1e8)) - T(1e8), -(x - y) + -x, x * y / y, x / T(3) + y / x, x * T(2.5) + y * y);
};

template <class T>
struct aot_of_a_file {
    std::array<frit::array<T>, 6> values;
    const void *entry, *kernels;  ///< of the first formula
};

/// Static: of each file its own, by that file's options.
template <class T>
static aot_of_a_file<T> aot_here(const frit::array<T>& x, const frit::array<T>& y) {
    const auto formulas = aot_formulas(x, y);
    using first = std::tuple_element_t<0, std::remove_const_t<decltype(formulas)>>;
    auto* const entry = &frit::aot<first>;
    return {std::apply([](const auto&... f) { return std::array{frit::aot(f)...}; }, formulas),
            reinterpret_cast<const void*>(entry), &frit::detail::aot_kernel_for<first>};
}

/// Of a dtype of its own: the loops differ from those of other files by their options alone, and the linker keeps any.
aot_of_a_file<double> aot_with_unsafe_math(const frit::array<double>& x, const frit::array<double>& y);
aot_of_a_file<float> aot_with_fast_math(const frit::array<float>& x, const frit::array<float>& y);

}  // namespace frit_test
